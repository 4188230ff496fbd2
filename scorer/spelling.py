"""How a word is laid in tiles: the one normaliser of the project (R7.2 to R7.5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from scorer.board import SIZE
from scorer.tiles import TileSet

_HYPHENS = frozenset("-\u2010\u2011\u2012\u2013\u2014\u00ad")
_APOSTROPHES = frozenset("'\u2019\u2018\u02bc`\u00b4")
_TWO_LETTERS = {"Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "TH", "ẞ": "SS", "\u0132": "IJ"}
"""Letters that Unicode does not take apart."""


class Obstacle(StrEnum):
    """Why a word cannot be laid, whatever a dictionary says."""

    EMPTY = "empty"
    HYPHEN = "hyphen"
    """Words with a hyphen are not allowed (R7.2)."""
    APOSTROPHE = "apostrophe"
    """Words with an apostrophe are not allowed (R7.2)."""
    NO_TILE = "no-tile"
    """A character that no tile has: a digit, a dot, a letter of another script."""
    TOO_LONG = "too-long"
    """More letters than the board is wide."""


@dataclass(frozen=True)
class Laid:
    """A word as it would lie on the board.

    tiles:     its letters in capitals; characters without a tile stay as they are
    obstacles: why it cannot be laid, () when it can
    """

    tiles: str
    obstacles: tuple[Obstacle, ...]


def letters_alone(tile_set: TileSet) -> Callable[[str], re.Match[str] | None]:
    """Tells whether a word is nothing but letters of this set, capital or small, and no longer than the board: nearly
    all are, and then it is laid as its capitals, which is much faster than ``laid_as``."""
    letters = "".join(tile_set.letters)
    return re.compile(f"[{letters}{letters.lower()}]{{1,{SIZE}}}").fullmatch


def laid_as(word: str, tile_set: TileSet) -> Laid:
    """The word in tiles of this set, from any spelling, capital and small letters alike (R7.3, R7.4, R7.5).

    Straße is STRASSE, Café is CAFE, Œuvre is OEUVRE, Ähre keeps its Ä where the set has one.
    """
    letters = frozenset(tile_set.letters)
    out: list[str] = []
    obstacles: list[Obstacle] = []
    for char in unicodedata.normalize("NFC", unicodedata.normalize("NFC", word.strip()).upper()):
        if char in _HYPHENS:
            obstacles.append(Obstacle.HYPHEN)
        elif char in _APOSTROPHES:
            obstacles.append(Obstacle.APOSTROPHE)
        else:
            plain = _in_letters(char, letters)
            if plain is None:
                obstacles.append(Obstacle.NO_TILE)
            out.append(char if plain is None else plain)
    tiles = "".join(out)
    if not tiles:
        obstacles.append(Obstacle.EMPTY)
    if len(tiles) > SIZE:
        obstacles.append(Obstacle.TOO_LONG)
    return Laid(tiles, tuple(dict.fromkeys(obstacles)))


def _in_letters(char: str, letters: frozenset[str]) -> str | None:
    """The letters a capital is laid with: itself, or without as few accents as need be, or taken apart; else None."""
    parts = unicodedata.normalize("NFD", char)
    for end in range(len(parts), 0, -1):
        if (found := unicodedata.normalize("NFC", parts[:end])) in letters:
            return found
        if not unicodedata.combining(parts[end - 1]):
            break
    apart = _TWO_LETTERS.get(char) or unicodedata.normalize("NFKD", char)
    plain = "".join(part for part in apart.upper() if not unicodedata.combining(part))
    return plain if plain and set(plain) <= letters else None
