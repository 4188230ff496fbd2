"""What one photo adds to a game."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.board import Square
from scorer.placement import NOTHING, Placement, PlacementFault
from vision.reading import EMPTY

MoveRef = tuple[int, bool]
"""A move by the photo that shows it first; True for the one made before that, of which there is no photo. Numbers below
0 are of what lay there before the first photo."""

LAID_BEFORE: MoveRef = (-1, False)
"""All that lay there before the first photo and is no known move."""


def known_move(place: int) -> MoveRef:
    """A move that is known without a photo; place: from 0, in the order in which they were made."""
    return (-2 - place, False)


NO_MOVE = "not-a-move"
"""Kind of a photo that shows no move."""


@dataclass(frozen=True)
class Step:
    """What one photo adds to the game.

    kind:      as in the command-line contract: place, none, withdrawn, start, not-a-move
    placement: the new tiles; of a game begun before the first photo all that lie there (kind start)
    before:    new tiles of the move made before it, of which there is no photo
    removed:   the moves whose tiles are gone
    faults:    what is against the rules in it, as it was read at first
    why:       for what a photo that shows no move was taken: initials, mid-move, same-photo, burst, other-board,
               taken-again; None else
    loose:     tiles of a photo in mid-move, or of the players' initials
    """

    kind: str
    placement: Placement = NOTHING
    before: Placement = NOTHING
    removed: tuple[MoveRef, ...] = ()
    faults: PlacementFault = PlacementFault.NONE
    why: str | None = None
    loose: Placement = NOTHING

    @property
    def squares(self) -> frozenset[Square]:
        """All squares that get a tile."""
        return frozenset((*self.placement.squares, *self.before.squares))

    def same_but_letters(self, other: Step) -> bool:
        """Whether both take the photo for the same, whatever letters they read, and whichever of two moves a tile is
        of."""
        return self._outline == other._outline

    @property
    def _outline(self) -> tuple[object, ...]:
        return self.kind, self.why, bool(self.before.tiles), self.squares, self.removed

    def tile(self, square: Square) -> str:
        """The tile it adds to a square, or '.'."""
        return self.placement.by_square.get(square) or self.before.by_square.get(square) or EMPTY
