"""The tiles of a language: letters, values, counts; and how one tile is written as one character.

A tile is one character everywhere in the project: a capital letter is a lettered tile, a lower-case letter is a blank
whose letter is known, and ``?`` is a blank whose letter is not known.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from scorer.errors import BrettblickError, RuleError, json_error

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
    capital = text.upper()
    cased = text.isalpha() and (text.isupper() or text.islower())
    if not cased or len(capital) != 1 or len(text.lower()) != 1:
        return False
    return text == capital or text == capital.lower()  # ı and ſ have the capitals of i and s, and are neither


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


def _alphabetical(letter: str) -> tuple[str, bool, str]:
    """Sort key: a letter with a mark, or a stroke, comes after its plain letter: Ä after A (R2.2), Ł after L."""
    try:
        plain = unicodedata.lookup(unicodedata.name(letter).partition(" WITH ")[0])
    except KeyError:  # a few letters of rare alphabets have no plain one
        plain = letter
    return plain, letter != plain, letter


MOST_TILES = 999
"""More tiles of a letter, or points for one, no set has."""


@dataclass(frozen=True)
class Letter:
    """The tiles of one letter: the capital, the points of each tile, and how many there are.

    RuleError for a letter that is no single capital, for ß and for numbers out of range.
    """

    letter: str
    value: int
    count: int

    def __post_init__(self) -> None:
        letter = self.letter
        if not (isinstance(letter, str) and is_tile(letter) and letter.isupper() and letter.lower() != ESZETT):
            why = f"{letter!r} is no capital letter of one character"
            raise _bad_set(RuleError(why, code="bad-letter", text=str(letter)))
        _check_number("value", self.value, 0, letter=letter)
        _check_number("count", self.count, 1, letter=letter)


@dataclass(frozen=True)
class TileSet:
    """All tiles of one edition.

    name:      stable name, the key in TILE_SETS
    tiles:     the letters, each once, in alphabetical order whatever the order given
    blanks:    number of blanks; a blank is worth 0 points (R5.1)
    rack_size: tiles on a full rack in the rules that come with the set (R1.4); a game has its own in its rule set

    RuleError for a letter that comes twice and for numbers out of range.
    """

    name: str
    tiles: tuple[Letter, ...]
    blanks: int
    rack_size: int = 7

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise _bad_set(RuleError("it has no name", code="set-without-name"))
        _check_number("blanks", self.blanks, 0)
        _check_number("rack_size", self.rack_size, 1, 15)
        if not self.tiles:
            raise _bad_set(RuleError("it has no letters", code="set-without-letters"))
        if len(self._by_letter) != len(self.tiles):
            raise _bad_set(RuleError("a letter comes twice", code="letter-twice"))
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

    def to_json(self) -> dict[str, Any]:
        """The set as JSON values; ``from_json`` is the inverse."""
        return {
            "name": self.name,
            "rack_size": self.rack_size,
            "blanks": self.blanks,
            "tiles": [asdict(tile) for tile in self.tiles],
        }

    @classmethod
    def from_json(cls, data: Any) -> TileSet:
        """The set ``to_json`` wrote, or one a club wrote by hand; without a ``rack_size`` it is 7.

        RuleError that says what is wrong for anything else.
        """
        _check_keys("the set", data, {"name", "blanks", "tiles"}, {"rack_size"})
        if not isinstance(data["tiles"], list):
            raise _bad_set(RuleError("tiles is no list", code="no-tile-list"))
        for entry in data["tiles"]:
            _check_keys("each of the tiles", entry, {"letter", "value", "count"})
        tiles = [entry | {"letter": _composed(entry["letter"])} for entry in data["tiles"]]
        return cls(**(data | {"tiles": tuple(Letter(**entry) for entry in tiles)}))


def _bad_set(reason: BrettblickError) -> RuleError:
    return RuleError(
        f"this is no tile set: {reason.message}",
        code="bad-tile-set",
        hint="A tile set has a name, a number of blanks and a list of tiles with letter, value and count.",
        why=reason.message,
        reason=reason,
    )


def _check_number(key: str, value: object, low: int, high: int = MOST_TILES, letter: str = "") -> None:
    if type(value) is not int or not low <= value <= high:
        what = f"{key} of {letter}" if letter else key
        raise _bad_set(
            RuleError(
                f"{what} is {value!r}; allowed: a whole number from {low} to {high}",
                code="number-out-of-range",
                what=f"{letter}: {key}" if letter else key,
                value=repr(value),
                low=low,
                high=high,
            )
        )


def _check_keys(what: str, data: object, needed: Set[str], possible: Set[str] = frozenset()) -> None:
    if not isinstance(data, dict):
        raise _bad_set(RuleError(f"{what} is no object", code="no-object"))
    if missing := sorted(needed - set(data)):
        names = ", ".join(missing)
        raise _bad_set(RuleError(f"{what} has no {names}", code="keys-missing", names=names))
    if unknown := sorted(map(str, set(data) - needed - possible)):
        names = ", ".join(unknown)
        raise _bad_set(RuleError(f"{what} has an unknown {names}", code="keys-unknown", names=names))


def _composed(letter: Any) -> Any:
    """A letter with its mark as one character, however it was typed."""
    return unicodedata.normalize("NFC", letter) if isinstance(letter, str) else letter


def read_tile_set(text: str) -> TileSet:
    """The set a JSON text holds, as a club keeps its own; RuleError for anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _bad_set(json_error(error)) from error
    return TileSet.from_json(data)


# --- the editions -------------------------------------------------------------------------------------------------


def _edition(name: str, rows: Mapping[int, str], blanks: int = 2, rack_size: int = 7) -> TileSet:
    """A set from rows ``points: "E15 N9 ..."``."""
    entries = ((points, entry) for points, row in rows.items() for entry in row.split())
    letters = tuple(Letter(entry[0], points, int(entry[1:])) for points, entry in entries)
    return TileSet(name, letters, blanks, rack_size)


GERMAN_102 = _edition(
    "german",
    {
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

GERMAN_119 = _edition(
    "german-119",
    {
        1: "E16 N10 I9 S8 R7 A6 D6 U6",
        2: "H5 T5 C4 L4 O4 G3 W2",
        3: "M4 F3 B2 K2 Z2",
        4: "P1 V1",
        5: "Ü1",
        6: "Ä1 J1",
        8: "Ö1 X1",
        10: "Q1 Y1",
    },
    rack_size=8,
)
"""The German edition before 1990: 117 letters and 2 blanks, eight tiles on the rack."""

ENGLISH_100 = _edition(
    "english",
    {
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

DUTCH_102 = _edition(
    "dutch",
    {
        1: "E18 N10 A6 O6 I4",
        2: "D5 R5 S5 T5",
        3: "G3 K3 L3 M3 B2 P2",
        4: "U3 F2 H2 J2 V2 Z2",
        5: "C2 W2",
        8: "X1 Y1",
        10: "Q1",
    },
)
"""The Dutch edition since 1998, without tiles for IJ: 100 letters and 2 blanks."""

FRENCH_102 = _edition(
    "french",
    {
        1: "E15 A9 I8 N6 O6 R6 S6 T6 U6 L5",
        2: "D3 M3 G2",
        3: "B2 C2 P2",
        4: "F2 H2 V2",
        8: "J1 Q1",
        10: "K1 W1 X1 Y1 Z1",
    },
)
"""The French edition: 100 letters and 2 blanks; accents are left out."""

ITALIAN_120 = _edition(
    "italian",
    {
        1: "O15 A14 I12 E11",
        2: "C6 R6 S6 T6",
        3: "L5 M5 N5 U5",
        5: "B3 D3 F3 P3 V3",
        8: "G2 H2 Z2",
        10: "Q1",
    },
)
"""The Italian edition: 118 letters and 2 blanks; accents are left out, J, K, W, X and Y have no tiles."""

POLISH_100 = _edition(
    "polish",
    {
        1: "A9 I8 E7 O6 N5 Z5 R4 S4 W4",
        2: "Y4 C3 D3 K3 L3 M3 P3 T3",
        3: "B2 G2 H2 J2 Ł2 U2",
        5: "Ą1 Ę1 F1 Ó1 Ś1 Ż1",
        6: "Ć1",
        7: "Ń1",
        9: "Ź1",
    },
)
"""The Polish edition: 98 letters and 2 blanks."""

TILE_SETS: Mapping[str, TileSet] = MappingProxyType(
    {
        tiles.name: tiles
        for tiles in (GERMAN_102, GERMAN_119, ENGLISH_100, DUTCH_102, FRENCH_102, ITALIAN_120, POLISH_100)
    }
)
"""Every tile set by its name, as the option ``--tiles`` takes it.

Only editions whose tiles have one character each: the Spanish, Hungarian, Croatian or Welsh ones have tiles with two.
The foreign ones are those on which independent public lists agree (engines' data, players' pages, makers' sheets).
"""


def tile_set(name: str) -> TileSet:
    """The tile set of that name; RuleError that names those there are."""
    try:
        return TILE_SETS[name]
    except KeyError:
        raise RuleError(
            f"there is no tile set {name!r}; tile sets: {', '.join(TILE_SETS)}",
            code="unknown-tile-set",
            name=name,
            allowed=", ".join(TILE_SETS),
        ) from None
