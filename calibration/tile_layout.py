"""Which tile lies where on a photo that the reader shall learn from, and whether the photo bears it out.

The simplest layout: one tile of each kind, side by side from the top left square, in alphabetical order, the blank
last. German tiles fill the rows A and B exactly. Who likes lays more of them in the same order from the next row on;
there squares may stay empty, as the set has a single tile of some letters.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from scorer.board import SIZE, Board, Square
from scorer.errors import BrettblickError
from scorer.notation import Notation, format_square
from scorer.tiles import TileSet, is_blank
from vision.reading import BLANK, EMPTY, BoardReading

MOST_MISREAD = 0.2
"""Share of the tiles that the reader may surely take for others before the layout is doubted rather than the reader."""

LEAST_AGREEING = 0.5
"""Share of the tiles that the reader must take, surely or not, for what they are said to be."""

FEWEST_MISREAD = 3
"""So few misread tiles never put the layout in doubt by their number."""


class LayoutError(BrettblickError):
    """A photo that does not show the tiles it is said to show; its own codes say in which way."""

    code = "bad-layout"


class Misread(NamedTuple):
    """A tile that the reader takes for another."""

    square: Square
    tile: str
    read: str


@dataclass(frozen=True)
class TileOrder:
    """Tiles in the order in which they are laid, row by row from the top left square; '?' a blank, '.' a gap."""

    tiles: str

    @classmethod
    def of_set(cls, tile_set: TileSet) -> TileOrder:
        """One tile of each kind, in alphabetical order, the blank last."""
        return cls("".join(tile_set.letters) + (BLANK if tile_set.blanks else ""))

    @classmethod
    def parse(cls, text: str, tile_set: TileSet) -> TileOrder:
        """An order as a user writes it, spaces as he likes; LayoutError for what is no tile of the set."""
        tiles = unicodedata.normalize("NFC", "".join(text.split())).upper()
        for char in tiles:
            if char not in tile_set and char != EMPTY:
                raise LayoutError(
                    f"{char!r} is no tile of the set {tile_set.name}",
                    code="bad-order",
                    hint="The order is written with the letters of the set, ? for a blank and . for a gap.",
                    char=char,
                    tiles=tile_set.name,
                )
        if not any(char.isalpha() for char in tiles) or len(tiles) > SIZE * SIZE:
            raise LayoutError("an order has 1 to 225 tiles", code="bad-order-length")
        return cls(tiles)

    def rows(self, reading: BoardReading) -> tuple[str, ...]:
        """The whole board: the order once in full, then again from the next row on wherever the reader sees a tile."""
        height = -(-len(self.tiles) // SIZE)
        block = [self.tiles[SIZE * r : SIZE * (r + 1)].ljust(SIZE, EMPTY) for r in range(height)]
        return tuple(
            "".join(
                tile if row < height or reading.rows[row][col] != EMPTY else EMPTY
                for col, tile in enumerate(block[row % height])
            )
            for row in range(SIZE)
        )


def check(rows: Sequence[str], reading: BoardReading, photo: str, laid: bool) -> tuple[Misread, ...]:
    """Compares what should lie on the board with what the reader sees; gives the tiles it surely takes for others.

    A few such tiles are what is to be learnt. LayoutError, with the square, where the layout must be wrong: no tile
    where one should lie, one where none should, or too many that differ; and, where the tiles were laid for this photo
    (`laid`), two exchanged or several shifted by one.
    """
    told = {Square(r, c): (rows[r][c], reading.rows[r][c]) for r in range(SIZE) for c in range(SIZE)}
    # a blank says nothing: it is easily overlooked, and there is no letter to learn
    sure = {s: pair for s, pair in told.items() if reading.confidence[s] >= reading.doubt_below and BLANK not in pair}

    def refuse(code: str, square: Square) -> LayoutError:
        tile, read = told[square]
        name = format_square(square, Notation.GERMAN)
        return LayoutError(
            f"{photo}: {name} should hold {tile!r}, the reader sees {read!r}",
            code=code,
            hint="Check how the tiles lie, and take the photo again.",
            photo=photo,
            square=name,
            tile=tile,
            read=read,
        )

    tiles = [square for square, (tile, _) in told.items() if tile.isalpha() and tile in reading.index]
    differing = [square for square in tiles if told[square][0] != told[square][1]]
    wrong = [square for square in differing if square in sure]
    misplaced = [s for s in wrong if any(told[other] == told[s][::-1] for other in differing)] if laid else []
    for step in (1, -1) if laid else ():
        following = dict(zip(tiles[::step], tiles[::step][1:], strict=False))
        shifted = {s for s in differing if s in following and told[s][1] == told[following[s]][0]}
        for square in shifted:
            pair = {square, following[square]}
            misplaced += pair if pair <= shifted and pair & set(wrong) else ()
    if misplaced:
        raise refuse("tile-misplaced", min(misplaced))
    for square, (tile, read) in sure.items():
        if tile == EMPTY != read:
            raise refuse("tile-too-many", square)
        if read == EMPTY != tile:
            raise refuse("tile-missing", square)
    if len(wrong) > max(FEWEST_MISREAD, MOST_MISREAD * len(tiles)):
        raise refuse("tile-misplaced", wrong[0])
    if len(differing) > (1 - LEAST_AGREEING) * len(tiles):
        raise refuse("tile-misplaced", differing[0])
    return tuple(Misread(square, *told[square]) for square in wrong)


def load_boards(path: str | Path, photos: Sequence[Path]) -> Mapping[Path, tuple[str, ...]]:
    """What lies on each photo, from a file: 15 lines of 15 characters, or the JSON of `read` (a line a photo, found by
    file name) or `recount` (its final board).

    A board without the name of its photo is that of a single photo. LayoutError says what is missing.
    """
    path = Path(path)

    def refuse(why: str, code: str = "bad-truth") -> LayoutError:
        return LayoutError(
            f"{path}: {why}",
            code=code,
            hint="Expected: 15 lines of 15 characters, or what `read --json` or `recount --json` wrote.",
            path=path,
            why=why,
        )

    try:
        text = unicodedata.normalize("NFC", path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise refuse(error.strerror or "cannot be opened") from error
    except UnicodeDecodeError as error:
        raise refuse("no text") from error
    named: dict[str, tuple[str, ...]] = {}
    try:
        for entry in _boards(text):
            if entry["board"] is not None:  # a photo that was not read
                rows = Board.parse(entry["board"]).rows
                named[Path(entry.get("photo", "")).name] = tuple(
                    "".join(BLANK if is_blank(tile) else tile for tile in row) for row in rows
                )
    except (ValueError, KeyError, TypeError, BrettblickError) as error:
        raise refuse(f"no board of 15 lines of 15 characters ({error})") from error
    if "" in named and len(photos) == 1:
        return {photos[0]: named[""]}
    for photo in photos:
        if photo.name not in named:
            raise refuse(photo.name, "no-truth")
    return {photo: named[photo.name] for photo in photos}


def _boards(text: str) -> list[dict[str, Any]]:
    """Entries with a board, and with a photo where it is named."""
    if not text.lstrip().startswith("{"):
        return [{"board": text.split()}]
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
