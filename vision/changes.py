"""What happened between the last position and a photo: the explanations, each with its probability.

Every explanation says which tiles are new and which of the last placements are gone; it is as likely as the picture
of all 225 squares under it, times what is usual in a game. Illegal placements are unusual, not impossible: a placement
that is clearly there is reported as it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from scorer.board import Board, Square
from scorer.placement import Placement, PlacementFault, check_placement
from scorer.rules import RuleSet
from scorer.tiles import TileSet
from vision.reading import BLANK, COVERED, EMPTY, MISREAD, BoardReading

OPEN = 4.0
"""A square is open while tile and no tile are within this factor (natural logarithm) of each other."""

MOST_OPEN, MOST_EXPLANATIONS = 7, 600
LOG_NEW = -2.0
"""Few of the free squares get a tile between two photos; of those the reader was trained on half held one."""

LOG_WITHDRAWN = -4.0
LOG_FAULT = {PlacementFault.SET_EXHAUSTED: -1.5}
LOG_OTHER_FAULT = -4.0
LOG_RELAID = -5.0
"""What is usual in a game: a challenged move is rare, a fault rarer, a tile taken off and laid again there rarest."""


@dataclass(frozen=True)
class PlacementHypothesis:
    """One explanation of a photo.

    removed:     squares of earlier placements that are gone
    placement:   the new tiles (none: nothing new)
    faults:      what is against the rules in it
    probability: among all explanations considered
    """

    removed: frozenset[Square]
    placement: Placement
    faults: PlacementFault
    probability: float

    def tile(self, square: Square) -> str | None:
        """The new tile on a square, if any."""
        return self.placement.by_square.get(square)


@dataclass(frozen=True)
class Doubt:
    """A square on which the likeliest explanations differ, with the characters they give it ('.': no tile)."""

    square: Square
    candidates: tuple[tuple[str, float], ...]


def explain(
    position: Board, removable: Sequence[frozenset[Square]], reading: BoardReading, rules: RuleSet, tile_set: TileSet
) -> tuple[PlacementHypothesis, ...]:
    """All explanations worth a thought, likeliest first; at least one.

    position:  the board as it was after the last photo
    removable: squares of the placements that a challenge may have taken off, each set on its own
    """
    found: list[tuple[float, frozenset[Square], Placement, PlacementFault]] = []
    for removed in (frozenset(), *removable):
        found += _placements(position, removed, reading, rules, tile_set)
    totals = np.array([entry[0] for entry in found])
    probabilities = np.exp(totals - np.logaddexp.reduce(totals))
    order = np.argsort(-totals, kind="stable")
    out = []
    for k in order:
        _, removed, placement, faults = found[k]
        out.append(PlacementHypothesis(removed, placement, faults, float(probabilities[k])))
    return tuple(out)


def deciding(hypotheses: Sequence[PlacementHypothesis]) -> Doubt | None:
    """The square whose answer removes most of the doubt between the explanations; None when all agree."""
    squares = sorted({square for h in hypotheses for square, _ in h.placement.tiles})
    best: tuple[float, Doubt] | None = None
    for square in squares:
        share: dict[str, float] = {}
        for h in hypotheses:
            char = h.tile(square) or EMPTY
            share[char] = share.get(char, 0.0) + h.probability
        ranked = sorted(share.items(), key=lambda pair: -pair[1])
        candidates = tuple(pair for pair in ranked if pair[1] >= 0.01)
        uncertainty = 1 - ranked[0][1]
        if len(candidates) > 1 and (best is None or uncertainty > best[0]):
            best = uncertainty, Doubt(square, candidates)
    return best[1] if best else None


def _placements(
    position: Board, removed: frozenset[Square], reading: BoardReading, rules: RuleSet, tile_set: TileSet
) -> list[tuple[float, frozenset[Square], Placement, PlacementFault]]:
    """The explanations in which these tiles are gone, each with its total log-likelihood."""
    base = position.removed(removed) if removed else position
    taken = [(square, char) for square, char in position if square in removed]
    log = reading.likelihoods.copy()
    empty, covered = reading.index[EMPTY], reading.index[COVERED]
    log[..., covered] = -np.inf
    common = LOG_WITHDRAWN if removed else 0.0
    sure: list[tuple[Square, list[tuple[str, float]]]] = []
    open_: list[tuple[float, Square, list[tuple[str, float]]]] = []
    for row in range(15):
        for col in range(15):
            square = Square(row, col)
            here = log[row, col]
            lying = base.at(square)
            if lying is not None:
                known = reading.index.get(BLANK if lying.islower() else lying)
                common += here[known] if known is not None else np.log(MISREAD)
                continue
            common += here[empty]
            order = np.argsort(-here)
            tiles = [k for k in order[:4] if k not in (empty, covered)]
            gain = float(here[tiles[0]] - here[empty]) + LOG_NEW
            options = [
                (reading.classes[k], float(here[k] - here[empty]) + LOG_NEW)
                for k in tiles[:2]
                if here[tiles[0]] - here[k] < 3
            ]
            if gain > OPEN:
                sure.append((square, options))
            elif gain > -OPEN:
                open_.append((abs(gain), square, options))
    open_.sort(key=lambda entry: entry[0])
    sure += [(square, options) for _, square, options in open_[MOST_OPEN:] if options[0][1] > 0]
    choices: list[tuple[Square, list[tuple[str | None, float]]]] = [(s, [*options]) for s, options in sure]
    choices += [(square, [(None, 0.0), *options]) for _, square, options in open_[:MOST_OPEN]]
    # The likeliest choices first, so that the limit cuts off only the unlikely ones.
    choices = [(square, sorted(options, key=lambda option: -option[1])) for square, options in choices]
    choices.sort(key=lambda entry: entry[1][0][1] - entry[1][1][1] if len(entry[1]) > 1 else np.inf, reverse=True)
    out = []
    for picked in islice(product(*(options for _, options in choices)), MOST_EXPLANATIONS):
        laid = {s: char for (s, _), (char, _) in zip(choices, picked, strict=True) if char is not None}
        placement = Placement.of(laid)
        faults = check_placement(base, placement, rules, tile_set) if laid else PlacementFault.NONE
        total = common + sum(gain for _, gain in picked)
        total += sum(LOG_FAULT.get(fault, LOG_OTHER_FAULT) for fault in faults)
        total += LOG_RELAID * sum(laid.get(square) == char for square, char in taken)
        out.append((total, removed, placement, faults))
    return out
