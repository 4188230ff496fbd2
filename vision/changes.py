"""What happened between the last position and a photo: the explanations, each with its probability.

Every explanation says which tiles are new and which of the last placements are gone; it is as likely as the picture
of all 225 squares under it, times what is usual in a game. Illegal placements are unusual, not impossible: a placement
that is clearly there is reported as it lies.

Method: under one set of lying tiles the squares are independent, so a placement's log-likelihood is the sum of its
squares' gains over being empty. A legal placement fills a stretch of one line; with prefix sums all 3,600 stretches of
the board are weighed at once, exactly. What lies there against the rules is weighed as the set of clear squares, each
open one with and without; two moves in one photo as a stretch on the board that another stretch has changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from scorer.board import SIZE, SQUARES, Board, Square
from scorer.placement import NOTHING, Placement, PlacementFault, check_placement
from scorer.rules import RuleSet
from scorer.tiles import TileSet
from vision.reading import BLANK, COVERED, EMPTY, BoardReading

Floats = NDArray[np.float64]

OPEN = 4.0
"""A square is open while tile and no tile are within this factor (natural logarithm) of each other."""

MOST_OPEN = 7
"""Open squares of which each is tried with and without a tile."""

LETTER_OPEN = 3.0
"""A second letter is weighed on a square while it is within this factor of the first."""

MOST_LETTERINGS = 64
"""Choices of letters weighed for one set of squares, the likeliest first."""

FAR = 9.0
"""Explanations that are this much less likely than the best (natural logarithm) are left out."""

MOST_SETS = 40
MOST_FIRST = 16
"""Placements that are tried as the first of two."""

LOG_NEW = -2.0
"""Few of the free squares get a tile between two photos; of those the reader was trained on half held one."""

LOG_BLANK = -3.0
"""More against a new blank: the reader was trained on boards with several times as many. On rendered games three of
four squares that it took for a blank by 95 to 98 % were empty, and one of two hundred by more than 99.9 %."""

LOG_STRAY_BLANK = -3.0
"""More against a blank in tiles that break a rule of where they lie: then it is mostly none."""

LOG_WITHDRAWN = (-4.0, -5.0)
"""A challenged move is rare, by how many moves ago it was."""

LOG_FAULT = {PlacementFault.SET_EXHAUSTED: -3.0}
LOG_OTHER_FAULT = -4.0
LOG_RELAID = -5.0
LOG_FORGOTTEN = -6.0
"""What is usual in a game: a fault is rarer than a challenge, a tile taken off and laid again there rarer still, and so
is a move of which no photo was taken."""

LOG_CROOKED = -7.0
"""More against tiles that lie in no line, or are more than a rack holds, if two legal moves explain them as well."""


GEOMETRY = ~(PlacementFault.WORD_TOO_SHORT_BY_RULE | PlacementFault.SET_EXHAUSTED)
"""Faults that come from where the tiles lie."""


@dataclass(frozen=True)
class PlacementHypothesis:
    """One explanation of a photo.

    removed:     squares of earlier placements that are gone
    placement:   the new tiles (none: nothing new)
    faults:      what is against the rules in it
    probability: among all explanations considered
    before:      new tiles of a move that was made before, of which there is no photo
    weight:      natural logarithm of the likelihood of the whole picture under it and of its being usual
    """

    removed: frozenset[Square]
    placement: Placement
    faults: PlacementFault
    probability: float
    before: Placement = NOTHING
    weight: float = 0.0

    def tile(self, square: Square) -> str | None:
        """The new tile on a square, if any."""
        return self.placement.by_square.get(square) or self.before.by_square.get(square)


@dataclass(frozen=True)
class Doubt:
    """A square on which the likeliest explanations differ, with the characters they give it ('.': no tile)."""

    square: Square
    candidates: tuple[tuple[str, float], ...]


def explain(
    position: Board,
    removable: Sequence[frozenset[Square]],
    reading: BoardReading,
    rules: RuleSet,
    tile_set: TileSet,
    memory: Floats | None = None,
    guide: BoardReading | None = None,
    ghosts: Mapping[Square, float] = MappingProxyType({}),
    far: float = FAR,
) -> tuple[PlacementHypothesis, ...]:
    """All explanations worth a thought, likeliest first; at least one.

    position:  the board as it was after the last photo
    removable: squares of the placements that a challenge may have taken off, each set on its own, the last move first
    memory:    what should be seen of the tiles of the position by the photos before (``letters.Memory.expected``); the
               position's own letters when None
    guide:     a later photo, which proposes where tiles may lie under what covers them here, and weighs nothing
    ghosts:    squares that looked like a blank on a photo before and were taken to be empty, with how much it counts if
               they do so again: what looks like a blank once mostly does on all photos
    far:       explanations that are this much less likely than the best are left out
    """
    picture = _Picture.of(reading, guide, ghosts)
    found: list[_Explanation] = []
    best = -np.inf
    for number, removed in enumerate((frozenset[Square](), *removable)):
        usual = LOG_WITHDRAWN[min(number, len(LOG_WITHDRAWN)) - 1] if number else 0.0
        some = _explanations(position, removed, usual, picture, rules, tile_set, memory, best - far, far)
        best = max([best, *(entry.total for entry in some)])
        found += some
    totals = np.array([entry.total for entry in found])
    probabilities = np.exp(totals - np.logaddexp.reduce(totals))
    return tuple(found[k].ranked(float(probabilities[k])) for k in np.argsort(-totals, kind="stable"))


def deciding(hypotheses: Sequence[PlacementHypothesis]) -> Doubt | None:
    """The square whose answer removes most of the doubt between the explanations; None when all agree."""
    squares = sorted({square for h in hypotheses for square in (*h.placement.squares, *h.before.squares)})
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


def fault_cost(faults: PlacementFault) -> float:
    """Natural logarithm of how rare it is that a player lays so."""
    return sum(LOG_FAULT.get(fault, LOG_OTHER_FAULT) for fault in faults)


# --- the picture --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Picture:
    """What all explanations of one photo share.

    log: (15, 15, K) likelihoods, no square is "covered"; gain: (15, 15) of the likeliest tile over no tile;
    guided: the same with a later photo's where something covers the board here; ranked: (15, 15, K') best tiles first
    """

    reading: BoardReading
    log: Floats
    gain: Floats
    guided: Floats
    ranked: NDArray[np.intp]

    @classmethod
    def of(cls, reading: BoardReading, guide: BoardReading | None, ghosts: Mapping[Square, float]) -> _Picture:
        log = reading.likelihoods.copy()
        empty, covered = reading.index[EMPTY], reading.index[COVERED]
        for (row, col), share in ghosts.items():
            log[row, col, empty] += (1 - share) * max(log[row, col, reading.index[BLANK]] - log[row, col, empty], 0.0)
        log[..., covered] = -np.inf
        log[..., reading.index[BLANK]] += LOG_BLANK
        tiles = log.copy()
        tiles[..., empty] = -np.inf
        gain = tiles.max(axis=-1) - log[..., empty] + LOG_NEW
        guided = gain
        if guide is not None and (hidden := reading.hidden).any():
            guided = np.where(hidden, cls.of(guide, None, {}).gain, gain)
        return cls(reading, log, gain, guided, np.argsort(-tiles, axis=-1, kind="stable")[..., : len(log[0, 0]) - 2])

    def options(self, square: Square) -> list[tuple[str, float]]:
        """The tiles that may lie on a square with their gains; a single unknown one where it is hidden."""
        if self.reading.hidden[square]:
            return [(BLANK, float(self.gain[square]))]
        ranked, here = self.ranked[square], self.log[square]
        first = here[ranked[0]]
        base = here[self.reading.index[EMPTY]] - LOG_NEW
        return [(self.reading.classes[k], float(here[k] - base)) for k in ranked[:2] if first - here[k] < LETTER_OPEN]


@dataclass(frozen=True)
class _Explanation:
    total: float
    removed: frozenset[Square]
    before: Placement
    placement: Placement
    faults: PlacementFault

    def ranked(self, probability: float) -> PlacementHypothesis:
        return PlacementHypothesis(
            self.removed, self.placement, self.faults, probability, self.before, weight=self.total
        )


# --- sets of squares ----------------------------------------------------------------------------------------------

_FIRST, _LAST = np.array([(i, j + 1) for i in range(SIZE) for j in range(i, SIZE)]).T
"""All 120 stretches of a line: the first place, and one past the last."""

_Set = tuple[Square, ...]


def _sums(lines: NDArray[np.bool_] | Floats) -> Floats:
    """(30, 120) sums over all stretches of the 15 rows, then of the 15 columns, of a (15, 15) array."""
    both = np.concatenate([lines, lines.T]).astype(np.float64)
    prefix = np.concatenate([np.zeros((2 * SIZE, 1)), np.cumsum(both, axis=1)], axis=1)
    return np.asarray(prefix[:, _LAST] - prefix[:, _FIRST])


def _stretches(base: Board, gains: Floats, rules: RuleSet, most: int) -> list[tuple[float, _Set]]:
    """The likeliest placements that fill a stretch of a line and touch what lies there, with their gains.

    On an empty board they touch the star; whether they satisfy all rules is for the rules core to say.
    """
    lying = np.array([list(row) for row in base.rows]) != EMPTY
    free = ~lying
    if base.is_empty:
        touching = np.zeros_like(free)
        touching[rules.layout.star] = True
    else:
        near = np.zeros((SIZE + 2, SIZE + 2), bool)
        for rows, cols in ((0, 1), (2, 1), (1, 0), (1, 2)):
            near[rows : rows + SIZE, cols : cols + SIZE] |= lying
        touching = free & near[1:-1, 1:-1]
    ends = np.concatenate([free, free.T])
    allowed = ends[:, _FIRST] & ends[:, _LAST - 1]
    counts = _sums(free)
    allowed &= (_sums(touching) > 0) & (counts <= rules.rack_size)
    if base.is_empty:
        allowed &= counts > 1
    totals = np.where(allowed, _sums(np.where(free, gains, 0.0)), -np.inf)
    flat = totals.ravel()
    order = np.argsort(-flat)[: 2 * most]  # a single tile is a stretch of its row and of its column
    found: dict[_Set, float] = {}
    for k in order:
        if not np.isfinite(flat[k]):
            break
        line, stretch = divmod(int(k), len(_FIRST))
        places = range(int(_FIRST[stretch]), int(_LAST[stretch]))
        squares = [SQUARES[line][p] if line < SIZE else SQUARES[p][line - SIZE] for p in places]
        found[tuple(s for s in squares if not lying[s])] = float(flat[k])
    return [(gain, squares) for squares, gain in islice(found.items(), most)]


def _as_they_lie(base: Board, gains: Floats) -> list[_Set]:
    """The clear squares, each open one with and without, whatever the rules say to that."""
    values = {s: float(gains[s]) for row in SQUARES for s in row if gains[s] > -OPEN and base.at(s) is None}
    open_ = sorted((s for s, gain in values.items() if gain <= OPEN), key=lambda s: abs(values[s]))
    clear = [s for s, gain in values.items() if gain > OPEN] + [s for s in open_[MOST_OPEN:] if values[s] > 0]
    return [
        tuple(sorted([*clear, *(s for s, laid in zip(open_, chosen, strict=False) if laid)]))
        for chosen in product((True, False), repeat=min(len(open_), MOST_OPEN))
    ]


def _two_moves(base: Board, gains: Floats, rules: RuleSet, clear_gain: float) -> list[tuple[float, _Set, _Set]]:
    """Pairs of placements of which the second is laid on the board that the first has changed, with their gains.

    Only where no single placement comes near to explaining all clear tiles.
    """
    singles = _stretches(base, gains, rules, MOST_SETS)
    if not singles or clear_gain - singles[0][0] < OPEN:
        return []
    found: dict[tuple[_Set, _Set], float] = {}
    for gain, first in singles[:MOST_FIRST]:
        if all(gains[s] < 0 for s in first):
            continue
        after = base.placed(dict.fromkeys(first, BLANK))
        seconds = _stretches(after, gains, rules, 3)
        found |= {(first, second): gain + more for more, second in seconds if any(gains[s] > 0 for s in second)}
    # a short move is not among the likeliest that came first, but may have: whether it could is for the rules to say
    found |= {(second, first): gain for (first, second), gain in found.items() if (second, first) not in found}
    return [(gain, first, second) for (first, second), gain in found.items()]


# --- from sets of squares to explanations -------------------------------------------------------------------------


def _explanations(
    position: Board,
    removed: frozenset[Square],
    usual: float,
    picture: _Picture,
    rules: RuleSet,
    tile_set: TileSet,
    memory: Floats | None,
    least: float,
    far: float,
) -> list[_Explanation]:
    """The explanations in which these tiles are gone that may reach the least total."""
    base = position.removed(removed) if removed else position
    lying = np.array([list(row) for row in base.rows]) != EMPTY
    common = usual + _old_tiles(base, picture, memory)
    common += float(picture.log[..., picture.reading.index[EMPTY]][~lying].sum())

    gains = picture.guided
    clear_gain = float(np.maximum(gains, 0)[~lying].sum())
    if common + clear_gain < least:
        return []
    sets: dict[tuple[_Set, _Set], None] = {((), ()): None}
    sets |= {((), squares): None for _, squares in _stretches(base, gains, rules, MOST_SETS)}
    crooked = _as_they_lie(base, picture.gain)
    sets |= {((), squares): None for squares in crooked}
    if not removed:
        pairs = sorted(_two_moves(base, gains, rules, clear_gain), key=lambda pair: -pair[0])[:MOST_SETS]
        sets |= {(first, second): None for _, first, second in pairs}
    in_pairs = {frozenset((*first, *second)) for first, second in sets if first}

    def usual_so(first: _Set, second: _Set) -> float:
        if first:
            return LOG_FORGOTTEN
        odd = not _in_line(second) or len(second) > rules.rack_size
        return LOG_CROOKED if odd and frozenset(second) in in_pairs else 0.0

    weighed = [
        (sum(float(picture.gain[s]) for s in (*first, *second)) + usual_so(first, second), first, second)
        for first, second in sets
    ]
    weighed.sort(key=lambda entry: -entry[0])
    out: list[_Explanation] = []
    for gain, first, second in weighed:
        if common + gain < least:
            break
        so = common + usual_so(first, second)
        some = _lettered(base, position, removed, first, second, so, picture, rules, tile_set)
        least = max(least, max(entry.total for entry in some) - far)
        out += some
    return out


def _old_tiles(base: Board, picture: _Picture, memory: Floats | None) -> float:
    """Log-likelihood of the squares on which tiles lie: of their letters as far as these are known."""
    if memory is None:
        return picture.reading.likelihood(base)
    rows, cols = np.array([*base.occupied], np.intp).reshape(-1, 2).T
    return float(np.logaddexp.reduce(memory[rows, cols] + picture.reading.likelihoods[rows, cols], axis=-1).sum())


def _lettered(
    base: Board,
    position: Board,
    removed: frozenset[Square],
    first: _Set,
    second: _Set,
    common: float,
    picture: _Picture,
    rules: RuleSet,
    tile_set: TileSet,
) -> list[_Explanation]:
    """A set of squares with its likeliest letters, the supply of tiles weighed in."""
    squares = (*first, *second)
    choices = [picture.options(square) for square in squares]
    # the least open squares change last, so that the limit cuts off only the unlikely choices
    order = sorted(range(len(squares)), key=lambda k: -_lead(choices[k]))
    relaid = {square: char for square, char in position if square in removed}
    out = []
    for picked in islice(product(*(choices[k] for k in order)), MOST_LETTERINGS):
        laid: Mapping[Square, str] = {squares[k]: char for k, (char, _) in zip(order, picked, strict=True)}
        before = Placement.of({s: laid[s] for s in first})
        placement = Placement.of({s: laid[s] for s in second})
        faults, board = PlacementFault.NONE, base
        if first:
            faults |= check_placement(board, before, rules, tile_set)
            board = board.placed(before.by_square)
        if second:
            faults |= check_placement(board, placement, rules, tile_set)
        total = common + sum(gain for _, gain in picked) + fault_cost(faults)
        total += LOG_STRAY_BLANK if faults & GEOMETRY and BLANK in laid.values() else 0.0
        total += LOG_RELAID * sum(laid.get(square) == char for square, char in relaid.items())
        out.append(_Explanation(total, removed, before, placement, faults))
    return out


def _in_line(squares: _Set) -> bool:
    return len({s.row for s in squares}) < 2 or len({s.col for s in squares}) < 2


def _lead(options: list[tuple[str, float]]) -> float:
    return options[0][1] - options[1][1] if len(options) > 1 else np.inf
