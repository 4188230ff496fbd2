"""Which corner of the grid is the reading top-left: what tiles, print and the last position say about it together.

All totals are natural logarithms of likelihoods of the four turns, up to a constant of each source; turn k takes the
corner k steps clockwise from the given one as the reading top-left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scorer.board import SIZE, Square

Totals = tuple[float, float, float, float]

SURE_TURN = float(np.log(1000))
"""A turn is sure when it is this much likelier (natural logarithm) than every other."""

MIXED_TILES = 1.0
"""Most that tiles say which are laid for players on different sides: they tip the scales where nothing else tells."""

AGAINST_PRINT = float(np.log(0.02))
"""Words may be laid for a player on another side than the board's print. On all real boards seen they run along it."""


@dataclass(frozen=True)
class TurnEvidence:
    """What is known of the turn of a board.

    tiles:    by how the letters lie
    agreeing: whether most tiles lie the same way up
    bare:     whether no tile is seen anywhere; then only the board itself has a side that is up
    printed:  by the labels of the premium squares (vision.print_turn), None when they were not looked at
    position: by the tiles of the last position, which must lie there still (BoardReading.likelihood), None when there
              is none
    """

    tiles: Totals
    agreeing: bool = True
    bare: bool = False
    printed: Totals | None = None
    position: Totals | None = None

    @cached_property
    def total(self) -> NDArray[np.float64]:
        """(4,) the sum, 0 for the likeliest turn."""
        total = sum(self._said.values(), np.zeros(4))
        return np.asarray(total - total.max(), np.float64)

    @cached_property
    def _said(self) -> dict[str, NDArray[np.float64]]:
        """By source: its totals, 0 for its likeliest turn, none with more say than it may have."""
        limits = {
            "tiles": np.inf if self.agreeing else MIXED_TILES,
            "printed": np.inf if self.bare else -AGAINST_PRINT,
            "position": np.inf,
        }
        known = {name: np.array(totals) for name in limits if (totals := getattr(self, name)) is not None}
        return {name: np.maximum(totals - totals.max(), -limits[name]) for name, totals in known.items()}

    @property
    def quarters(self) -> int:
        """The likeliest turn."""
        return int(self.total.argmax())

    @property
    def sure(self) -> bool:
        """Whether it is far likelier than the others, and no source on its own is as sure of another."""
        if not _lead(self.total) > SURE_TURN:
            return False
        return all(said[self.quarters] == 0 for said in self._said.values() if _lead(said) > SURE_TURN)

    def seen_from(self, quarters: int) -> TurnEvidence:
        """The same, with the corner so many steps clockwise taken as the given one."""

        def rolled(totals: Totals | None) -> Totals | None:
            return None if totals is None else as_totals(np.roll(totals, -quarters))

        return replace(
            self,
            tiles=as_totals(np.roll(self.tiles, -quarters)),
            printed=rolled(self.printed),
            position=rolled(self.position),
        )


def turned_squares(squares: Iterable[Square], quarters: int) -> frozenset[Square]:
    """Where squares lie on the board read from the corner so many steps clockwise (as BoardImage.turned)."""
    found = frozenset(squares)
    for _ in range(quarters % 4):
        found = frozenset(Square(SIZE - 1 - square.col, square.row) for square in found)
    return found


def as_totals(values: NDArray[np.floating]) -> Totals:
    """(4,) as a tuple of Python's numbers."""
    a, b, c, d = (float(value) for value in values)
    return a, b, c, d


def _lead(totals: NDArray[np.float64]) -> float:
    """How much the likeliest turn is ahead of the next."""
    second, first = np.sort(totals)[-2:]
    return float(first - second)
