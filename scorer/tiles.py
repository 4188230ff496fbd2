"""The tiles of a language: letters, values, counts; and how one tile is written as one character.

A tile is one character everywhere in the project: a capital letter is a lettered tile, a lower-case letter is a blank
whose letter is known, and ``?`` is a blank whose letter is not known.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

BLANK = "?"
"""A blank whose letter is not known."""

ESZETT = "ß"
"""The one letter a blank may never stand for (R6.1)."""


def is_tile(text: str) -> bool:
    """Whether the text is one tile: ``?``, a capital or a lower-case letter (of any language)."""
    if len(text) != 1:
        return False
    if text in (BLANK, ESZETT):
        return True
    cased = text.isalpha() and (text.isupper() or text.islower())
    return cased and len(text.upper()) == 1 and len(text.lower()) == 1


def is_rack(text: str) -> bool:
    """Whether the text is one tile or more, as those of a rack are written."""
    return bool(text) and all(map(is_tile, text))


def is_blank(tile: str) -> bool:
    """Whether the tile is a blank, its letter known or not."""
    return tile == BLANK or tile.islower()


def letter_of(tile: str) -> str:
    """The letter a tile stands for, as a capital (``ß`` has none and stays); ``?`` for a blank of unknown letter."""
    return tile if tile in (BLANK, ESZETT) else tile.upper()


def same_letter(tile: str, other: str) -> bool:
    """Whether two tiles can be read as the same letter; a blank of unknown letter can be any."""
    return BLANK in (tile, other) or letter_of(tile) == letter_of(other)


def _alphabetical(letter: str) -> tuple[str, str]:
    """Sort key: accented letters come after their plain letter, Ä after A (R2.2)."""
    return unicodedata.normalize("NFD", letter)[0], letter


@dataclass(frozen=True)
class Letter:
    """The tiles of one letter: the capital, the points of each tile, and how many there are."""

    letter: str
    value: int
    count: int


@dataclass(frozen=True)
class TileSet:
    """All tiles of one edition.

    name:   stable name, the key in TILE_SETS
    tiles:  the letters, each once, in alphabetical order whatever the order given; ValueError when one comes twice
    blanks: number of blanks; a blank is worth 0 points (R5.1)
    """

    name: str
    tiles: tuple[Letter, ...]
    blanks: int

    def __post_init__(self) -> None:
        if len(self._by_letter) != len(self.tiles):
            raise ValueError(f"tile set {self.name}: a letter comes twice")
        object.__setattr__(self, "tiles", tuple(sorted(self.tiles, key=lambda tile: _alphabetical(tile.letter))))

    @cached_property
    def _by_letter(self) -> Mapping[str, Letter]:
        return {tile.letter: tile for tile in self.tiles}

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters in alphabetical order, umlauts after their plain letter; without the blank."""
        return tuple(tile.letter for tile in self.tiles)

    @property
    def total(self) -> int:
        """Number of all tiles, blanks included."""
        return sum(tile.count for tile in self.tiles) + self.blanks

    def __contains__(self, tile: str) -> bool:
        """Whether the tile's letter is a letter of the set; a blank of unknown letter is, where the set has blanks."""
        return self.blanks > 0 if tile == BLANK else letter_of(tile) in self._by_letter

    def value(self, tile: str) -> int:
        """Points of one tile: 0 for every blank and for a letter the set does not have."""
        found = self._by_letter.get(tile)
        return found.value if found else 0

    def count(self, tile: str) -> int:
        """How many such tiles the set holds: the blanks for ``?`` and lower case, 0 for a letter it does not have."""
        if is_blank(tile):
            return self.blanks
        found = self._by_letter.get(tile)
        return found.count if found else 0


def _tile_set(name: str, blanks: int, rows: Mapping[int, str]) -> TileSet:
    """A set from rows ``points: "E15 N9 ..."``."""
    entries = ((points, entry) for points, row in rows.items() for entry in row.split())
    return TileSet(name, tuple(Letter(entry[0], points, int(entry[1:])) for points, entry in entries), blanks)


GERMAN_102 = _tile_set(
    "german",
    blanks=2,
    rows={
        1: "E15 N9 S7 I6 R6 T6 U6 A5 D4",
        2: "H4 G3 L3 O3",
        3: "M4 B2 W1 Z1",
        4: "C2 F2 K2 P1",
        6: "Ä1 J1 Ü1 V1",
        8: "Ö1 X1",
        10: "Q1 Y1",
    },
)
"""The German edition since 1990: 100 letters and 2 blanks (R1.2)."""

ENGLISH_100 = _tile_set(
    "english",
    blanks=2,
    rows={
        1: "E12 A9 I9 O8 N6 R6 T6 L4 S4 U4",
        2: "D4 G3",
        3: "B2 C2 M2 P2",
        4: "F2 H2 V2 W2 Y2",
        5: "K1",
        8: "J1 X1",
        10: "Q1 Z1",
    },
)
"""The English edition: 98 letters and 2 blanks."""

TILE_SETS: Mapping[str, TileSet] = MappingProxyType({tiles.name: tiles for tiles in (GERMAN_102, ENGLISH_100)})
"""Every tile set by its name, as the option ``--tiles`` takes it."""
