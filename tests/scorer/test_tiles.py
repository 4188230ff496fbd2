"""Letters, values and counts of the tile sets, and how a tile is written."""

from __future__ import annotations

import pickle

import pytest

from scorer import ENGLISH_100, GERMAN_102, TILE_SETS, TileSet
from scorer.tiles import Letter, is_rack, is_tile, same_letter


@pytest.mark.parametrize(
    ("tiles", "total", "letters", "points"), [(GERMAN_102, 102, 29, 202), (ENGLISH_100, 100, 26, 187)]
)
def test_totals(tiles: TileSet, total: int, letters: int, points: int) -> None:
    assert tiles.total == total
    assert len(tiles.letters) == letters
    assert sum(tiles.value(letter) * tiles.count(letter) for letter in tiles.letters) == points
    assert TILE_SETS[tiles.name] is tiles


def test_umlauts_come_after_their_letter() -> None:
    assert "".join(GERMAN_102.letters) == "AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ"


@pytest.mark.parametrize(
    ("tile", "value", "count"),
    [("E", 1, 15), ("Ä", 6, 1), ("Q", 10, 1), ("Y", 10, 1), ("H", 2, 4), ("e", 0, 2), ("?", 0, 2), ("É", 0, 0)],
)
def test_german_tiles(tile: str, value: int, count: int) -> None:
    assert GERMAN_102.value(tile) == value
    assert GERMAN_102.count(tile) == count


@pytest.mark.parametrize(
    ("tile", "holds"), [("Ä", True), ("ä", True), ("?", True), ("É", False), ("é", False), ("ß", False)]
)
def test_letters_of_the_german_set(tile: str, holds: bool) -> None:
    assert (tile in GERMAN_102) is holds


def test_a_set_is_one_value() -> None:
    again = TileSet("german", GERMAN_102.tiles[::-1], 2)
    assert again == GERMAN_102 == pickle.loads(pickle.dumps(GERMAN_102))
    assert hash(again) == hash(GERMAN_102)
    with pytest.raises(ValueError, match="a letter comes twice"):
        TileSet("odd", (Letter("A", 1, 5), Letter("A", 2, 5)), 0)


@pytest.mark.parametrize("text", ["A", "ä", "?", "ß", "Ł"])
def test_tiles(text: str) -> None:
    assert is_tile(text)


@pytest.mark.parametrize("text", ["", "AB", ".", "_", "1", " ", "ŉ", "漢", "\u0308"])
def test_no_tiles(text: str) -> None:
    assert not is_tile(text)


def test_same_letter() -> None:
    assert same_letter("e", "E")
    assert same_letter("?", "Q")
    assert not same_letter("Ä", "A")


def test_a_rack_is_letters_and_blanks() -> None:
    assert is_rack("?AEß")
    assert not is_rack("")
    assert not is_rack("8D")
