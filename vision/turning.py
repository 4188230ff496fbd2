"""Photos whose own tiles do not tell which side is up: the photos around them may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scorer.board import Board
from vision.observe import Observation, tiles_in_any_turn
from vision.reading import EMPTY, MISREAD, BoardReading
from vision.turn import Totals, as_totals, turned_squares

TURN_UNSURE = "turn-unsure"
"""Warning of a photo that does not tell which side of the board is up."""


def settled_turn(seen: Observation, position: Board, grounded: bool, later: Sequence[Observation]) -> Observation:
    """A photo whose own tiles do not tell its turn, in the one in which it goes best with the photos around it.

    The tiles of the last position lie there still in the right turn. Where they look the same in another turn, or
    there are none yet, the next photo that is sure of its own turn must show this one's tiles. Where that decides, the
    photo is as good as any other; else the doubt stays. It also stays where the position comes from a photo in doubt
    itself (not `grounded`): then both lie the same way, but nobody knows which.
    """
    assert seen.evidence is not None
    in_place = as_totals(np.array([reading.likelihood(position) for reading in seen.turns]))
    evidence = replace(seen.evidence, position=in_place)
    sure = evidence.sure and grounded
    if not sure and (following := next((o.reading for o in later if turn_known(o)), None)) is not None:
        after = _still_there(seen.turns, following)
        sure = replace(seen.evidence, position=after).sure
        evidence = replace(evidence, position=as_totals(np.add(in_place, after)))
        sure = evidence.sure and (sure or grounded)
    quarters = evidence.quarters
    seen = replace(
        seen,
        reading=seen.turns[quarters],
        board=None if seen.board is None else seen.board.turned(quarters),
        corners=None if seen.corners is None else seen.corners.turned(quarters),
        findings=tuple(replace(one, squares=turned_squares(one.squares, quarters)) for one in seen.findings),
        turns=(*seen.turns[quarters:], *seen.turns[:quarters]),
        evidence=evidence.seen_from(quarters),
    )
    if not sure:
        return replace(seen, reading=seen.turns[0].suspecting(tiles_in_any_turn(seen.turns[0])))
    return replace(seen, turns=(), warnings=tuple(code for code in seen.warnings if code != TURN_UNSURE))


def _still_there(turns: Sequence[BoardReading], following: BoardReading) -> Totals:
    """How well each reading's tiles go with a later photo's reading. A turn in which fewer tiles are seen must not win
    by silence: each one missing counts as one that is not there."""
    tiles = [[(s, r.rows[s.row][s.col]) for s in r.showing(lambda char: char != EMPTY)] for r in turns]
    most = max(map(len, tiles))
    return as_totals(np.array([following.likelihood(t) + (most - len(t)) * np.log(MISREAD) for t in tiles]))


def is_bare(seen: Observation) -> bool:
    return seen.evidence is not None and seen.evidence.bare


def turn_known(seen: Observation) -> bool:
    return seen.reading is not None and not seen.turns and not {TURN_UNSURE, "grid-unsure"} & set(seen.warnings)
