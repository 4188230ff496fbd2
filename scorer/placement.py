"""What a player lays in one turn, and everything the rules hold against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import auto
from functools import reduce
from operator import or_

from scorer.board import EMPTY, SIZE, Board, Direction, Square
from scorer.errors import BoardError
from scorer.faults import Faults
from scorer.rules import RuleSet
from scorer.tiles import ESZETT, TileSet, is_blank, is_tile


@dataclass(frozen=True)
class Placement:
    """The new tiles of a turn and where they lie. Build it with ``of``, in any order of the tiles.

    tiles:     (square, tile) sorted by square; BoardError when two lie on one square or a character is no tile.
    by_square: the tiles by their square
    squares:   the squares alone
    """

    tiles: tuple[tuple[Square, str], ...]
    by_square: Mapping[Square, str] = field(init=False, repr=False, compare=False)
    squares: tuple[Square, ...] = field(init=False, repr=False, compare=False)

    @classmethod
    def of(cls, tiles: Mapping[Square, str] | Iterable[tuple[tuple[int, int], str]]) -> Placement:
        """A placement from a mapping or from pairs of (row, col) and tile."""
        pairs = tiles.items() if isinstance(tiles, Mapping) else tiles
        return cls(tuple([(square if isinstance(square, Square) else Square(*square), char) for square, char in pairs]))

    def __post_init__(self) -> None:
        for square, char in self.tiles:
            if not is_tile(char):
                raise BoardError(f"{char!r} on {square} is no tile", code="bad-board", text=char)
        by_square = dict(sorted(self.tiles))
        if len(by_square) != len(self.tiles):
            raise BoardError("two tiles of a placement lie on one square", code="square-taken")
        object.__setattr__(self, "tiles", tuple(by_square.items()))
        object.__setattr__(self, "by_square", by_square)
        object.__setattr__(self, "squares", tuple(by_square))

    def __len__(self) -> int:
        """Number of tiles laid."""
        return len(self.tiles)

    @property
    def in_line(self) -> bool:
        """Whether all tiles lie in one row or in one column (R4.3)."""
        return len(self.tiles) < 2 or self.direction is not None

    @property
    def direction(self) -> Direction | None:
        """Direction of the line the tiles lie in; None for fewer than two tiles and for tiles not in one line."""
        squares = self.squares
        if len(squares) < 2:
            return None
        if squares[0].row == squares[-1].row:  # all of them: they are sorted
            return Direction.ACROSS
        return Direction.DOWN if len({square.col for square in squares}) == 1 else None

    def fitting(self, board: Board) -> dict[Square, str]:
        """The tiles that can lie on this board: those on free squares of it."""
        return {square: char for square, char in self.tiles if square.on_board and board.at(square) is None}


NOTHING = Placement(())
"""No tile at all."""


class PlacementFault(Faults):
    """What the rules hold against a placement; faults add up. ``codes`` gives the stable names."""

    NONE = 0
    FIRST_WORD_OFF_STAR = auto()
    """The first word does not cover the star (R4.1)."""
    FIRST_WORD_TOO_SHORT = auto()
    """The first word has a single letter (R4.1)."""
    NOT_CONNECTED = auto()
    """No new tile touches a tile on the board (R4.4)."""
    GAP = auto()
    """A square between the new tiles, or one that the written word claims to hold a tile, is empty (R4.3)."""
    OFF_BOARD = auto()
    """A tile lies outside of the 15 rows and columns (R1.1)."""
    SQUARE_TAKEN = auto()
    """A tile, or another letter than the written word claims, lies there already (R3.4)."""
    NO_TILE_LAID = auto()
    """Nothing was laid (R4.9)."""
    TOO_MANY_TILES = auto()
    """More tiles than a rack holds (R4.9)."""
    NOT_IN_SET = auto()
    """A letter that no tile of the set has."""
    SET_EXHAUSTED = auto()
    """More tiles of one kind than the set holds, counting those on the board (R1.2)."""
    BLANK_AS_ESZETT = auto()
    """A blank stands for ß (R6.1)."""
    WORD_TOO_SHORT_BY_RULE = auto()
    """The first word has fewer letters than the table agreed on (R12.4)."""
    NOT_IN_LINE = auto()
    """The new tiles lie neither in one row nor in one column (R4.3)."""


SHAPE_FAULTS = (
    PlacementFault.NO_TILE_LAID
    | PlacementFault.OFF_BOARD
    | PlacementFault.SQUARE_TAKEN
    | PlacementFault.NOT_IN_LINE
    | PlacementFault.GAP
)
"""The faults of a placement that forms no word: it has no score."""


def check_placement(board: Board, placement: Placement, rules: RuleSet, tile_set: TileSet) -> PlacementFault:
    """Every fault of a placement at once, PlacementFault.NONE when it is legal; words are not judged. Never raises."""
    shape = shape_faults(board, placement)
    found = [shape, _supply_faults(board, placement, tile_set)]
    if len(placement) > rules.rack_size:
        found.append(PlacementFault.TOO_MANY_TILES)
    if placement.tiles:
        first = board.is_empty
        found.append(_first_word_faults(placement, shape, rules) if first else _connection_faults(board, placement))
    return reduce(or_, filter(None, found), PlacementFault.NONE)


def shape_faults(board: Board, placement: Placement) -> PlacementFault:
    """The faults that leave no word to score, see SHAPE_FAULTS."""
    if not placement.tiles:
        return PlacementFault.NO_TILE_LAID
    faults = PlacementFault.NONE
    inside: list[Square] = []
    free = 0
    for square in placement.squares:
        row, col = square
        if 0 <= row < SIZE and 0 <= col < SIZE:
            inside.append(square)
            free += board.rows[row][col] == EMPTY
    if len(inside) < len(placement):
        faults |= PlacementFault.OFF_BOARD
    if free < len(inside):
        faults |= PlacementFault.SQUARE_TAKEN
    if not placement.in_line:
        faults |= PlacementFault.NOT_IN_LINE
    elif inside and board.between(inside[0], inside[-1]).count(EMPTY) > free:
        faults |= PlacementFault.GAP
    return faults


def _supply_faults(board: Board, placement: Placement, tile_set: TileSet) -> PlacementFault:
    """Letters the set does not have or has no more of."""
    faults = PlacementFault.NONE
    laid, lies = "".join(placement.by_square.values()), "".join(board.rows)
    blanks = [char for char in laid if is_blank(char)]
    for letter in set(laid).difference(blanks):
        count = tile_set.count(letter)
        if not count:
            faults |= PlacementFault.NOT_IN_SET
        elif lies.count(letter) + laid.count(letter) > count:
            faults |= PlacementFault.SET_EXHAUSTED
    for blank in blanks:
        if blank == ESZETT:
            faults |= PlacementFault.BLANK_AS_ESZETT
        elif blank not in tile_set:
            faults |= PlacementFault.NOT_IN_SET
    if blanks and board.blanks + len(blanks) > tile_set.blanks:
        faults |= PlacementFault.SET_EXHAUSTED
    return faults


def _first_word_faults(placement: Placement, shape: PlacementFault, rules: RuleSet) -> PlacementFault:
    """The faults of a first word; its length says nothing when the tiles form no word."""
    found = PlacementFault.NONE
    if rules.layout.star not in placement.by_square:
        found |= PlacementFault.FIRST_WORD_OFF_STAR
    if not shape:
        if len(placement) < 2:
            found |= PlacementFault.FIRST_WORD_TOO_SHORT
        if len(placement) < rules.min_first_word and rules.min_first_word > 2:
            found |= PlacementFault.WORD_TOO_SHORT_BY_RULE
    return found


def _connection_faults(board: Board, placement: Placement) -> PlacementFault:
    rows = board.rows
    for row, col in placement.squares:
        for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if 0 <= r < SIZE and 0 <= c < SIZE and rows[r][c] != EMPTY:
                return PlacementFault.NONE
    return PlacementFault.NOT_CONNECTED
