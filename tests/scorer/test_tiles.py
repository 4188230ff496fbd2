"""Letters, values and counts of the tile sets, and how a tile is written."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import RuleError
from scorer.tiles import (
    GERMAN_102,
    GERMAN_119,
    POLISH_100,
    TILE_SETS,
    Letter,
    TileSet,
    is_rack,
    is_tile,
    read_tile_set,
    same_letter,
    tile_set,
)

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.mark.parametrize(
    ("name", "total", "points", "letters"),
    [
        ("german", 102, 202, "AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ"),
        ("german-119", 119, 222, "AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ"),
        ("english", 100, 187, LATIN),
        ("dutch", 102, 230, LATIN),
        ("french", 102, 197, LATIN),
        ("italian", 120, 293, "ABCDEFGHILMNOPQRSTUVZ"),
        ("polish", 100, 190, "AĄBCĆDEĘFGHIJKLŁMNŃOÓPRSŚTUWYZŹŻ"),
    ],
)
def test_tiles_points_and_alphabet_of_the_sets(name: str, total: int, points: int, letters: str) -> None:
    """R1.2, R2.2: all tiles, the sum of their points, and the letters in alphabetical order."""
    tiles = tile_set(name)
    assert (tiles.total, tiles.blanks) == (total, 2)
    assert sum(tiles.value(letter) * tiles.count(letter) for letter in tiles.letters) == points
    assert "".join(tiles.letters) == letters


def test_the_sets_that_there_are() -> None:
    assert list(TILE_SETS) == ["german", "german-119", "english", "dutch", "french", "italian", "polish"]
    assert all(TILE_SETS[name].name == name for name in TILE_SETS)
    with pytest.raises(RuleError, match=r"'klingon'.*german-119") as error:
        tile_set("klingon")
    assert error.value.code == "unknown-tile-set"


def test_the_old_german_set_has_a_longer_rack() -> None:
    """R1.4: seven tiles, eight with the set of 119."""
    assert {name: tiles.rack_size for name, tiles in TILE_SETS.items() if tiles.rack_size != 7} == {"german-119": 8}
    assert (GERMAN_119.value("Ü"), GERMAN_119.count("C"), GERMAN_119.value("?"), GERMAN_119.count("?")) == (5, 4, 0, 2)


@pytest.mark.parametrize(
    ("letters", "order"),
    [("ZÅAØOÆ", "AÅOØZÆ"), ("ŁLMK", "KLŁM"), ("ŽZŹŻ", "ZŹŻŽ"), ("ΩΌΟΑ", "ΑΟΌΩ"), ("ЯАЙИ", "АИЙЯ")],
)
def test_letters_with_marks_come_after_their_letter(letters: str, order: str) -> None:
    """R2.2: also where the mark cannot be taken off, and in other alphabets."""
    assert "".join(TileSet("x", tuple(Letter(char, 1, 1) for char in letters), 0).letters) == order


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
    with pytest.raises(RuleError, match="a letter comes twice"):
        TileSet("odd", (Letter("A", 1, 5), Letter("A", 2, 5)), 0)


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=list(TILE_SETS))
def test_a_set_survives_json(tiles: TileSet) -> None:
    assert TileSet.from_json(tiles.to_json()) == tiles
    assert read_tile_set(json.dumps(tiles.to_json(), ensure_ascii=False)) == tiles


CLUB: dict[str, Any] = {"name": "Verein", "blanks": 3, "tiles": [{"letter": "Ä", "value": 6, "count": 2}]}


def test_a_set_a_club_wrote_by_hand() -> None:
    """Ä as two characters is Ä; a set that says nothing of the rack has one of seven."""
    text = json.dumps(CLUB).replace("\\u00c4", "A\\u0308")
    assert read_tile_set(text) == TileSet("Verein", (Letter("Ä", 6, 2),), 3)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": " "}, "it has no name"),
        ({"name": 7}, "it has no name"),
        ({"blanks": -1}, "blanks is -1; allowed: a whole number from 0"),
        ({"blanks": True}, "blanks is True"),
        ({"rack_size": 0}, "rack_size is 0; allowed: a whole number from 1 to 15"),
        ({"rack_size": "7"}, "rack_size is '7'"),
        ({"tiles": {"A": 1}}, "tiles is no list"),
        ({"tiles": []}, "it has no letters"),
        ({"tiles": ["A1"]}, "each of the tiles is no object"),
        ({"tiles": [{"letter": "A", "value": 1}]}, "each of the tiles has no count"),
        ({"tiles": CLUB["tiles"] * 2}, "a letter comes twice"),
        ({"joker": 2}, "the set has an unknown joker"),
    ],
)
def test_what_is_no_set(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(RuleError, match="this is no tile set: ") as error:
        TileSet.from_json(CLUB | changes)
    assert error.value.code == "bad-tile-set" and str(error.value.details["why"]).startswith(why) and error.value.hint


@pytest.mark.parametrize("letter", ["a", "?", "ß", "ẞ", "CH", "", "1", None, ["A"]])
def test_what_is_no_letter_of_a_set(letter: Any) -> None:
    """R6.1: ß is no tile, not even as the capital ẞ; and a tile is one character."""
    with pytest.raises(RuleError, match="is no capital letter of one character"):
        TileSet.from_json(CLUB | {"tiles": [{"letter": letter, "value": 1, "count": 1}]})


@pytest.mark.parametrize(("value", "count"), [(-1, 1), (1.5, 1), ("1", 1), (1, 0), (1, None)])
def test_numbers_of_a_letter(value: Any, count: Any) -> None:
    with pytest.raises(RuleError, match=r"of A is .*allowed: a whole number"):
        TileSet.from_json(CLUB | {"tiles": [{"letter": "A", "value": value, "count": count}]})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*CLUB, "letter"]), inner, max_size=4),
    max_leaves=8,
)


@given(st.text() | JSON.map(json.dumps) | st.builds(lambda part: json.dumps(CLUB | {"tiles": part}), JSON))
def test_any_text_is_a_set_or_one_error(text: str) -> None:
    try:
        read = read_tile_set(text)
    except RuleError as error:
        assert error.code == "bad-tile-set"
    else:
        assert TileSet.from_json(read.to_json()) == read


def test_deep_nesting_is_no_set() -> None:
    with pytest.raises(RuleError, match="this is no tile set"):
        read_tile_set("[" * 100_000)


@pytest.mark.parametrize(("tile", "holds"), [("Ł", True), ("ź", True), ("Q", False), ("v", False)])
def test_letters_of_the_polish_set(tile: str, holds: bool) -> None:
    assert (tile in POLISH_100) is holds


@pytest.mark.parametrize("text", ["A", "ä", "?", "ß", "Ł"])
def test_tiles(text: str) -> None:
    assert is_tile(text)


@pytest.mark.parametrize("text", ["", "AB", ".", "_", "1", " ", "ŉ", "漢", "\u0308", "ı", "ſ"])
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
