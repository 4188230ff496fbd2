"""Layouts of tiles: where each lies, mistakes that must be noticed, files with known boards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.tile_layout import LayoutError, Misread, TileOrder, check, load_boards
from scorer.board import Square
from scorer.tiles import ENGLISH_100, GERMAN_102
from tests.conftest import MakeReading

GERMAN = ("AÄBCDEFGHIJKLMN", "OÖPQRSTUÜVWXYZ?")


def board(*rows: str) -> tuple[str, ...]:
    return tuple(row.ljust(15, ".") for row in rows) + ("." * 15,) * (15 - len(rows))


def test_one_of_each_german_kind_fills_two_rows(make_reading: MakeReading) -> None:
    order = TileOrder.of_set(GERMAN_102)
    assert order.rows(make_reading(board())) == board(*GERMAN)
    english = TileOrder.of_set(ENGLISH_100).rows(make_reading(board()))
    assert english == board("ABCDEFGHIJKLMNO", "PQRSTUVWXYZ?")


def test_further_tiles_follow_the_same_order_with_gaps(make_reading: MakeReading) -> None:
    rows = board(*GERMAN, "A.BC", "", "E.E")  # whatever the reader takes them for
    assert TileOrder.of_set(GERMAN_102).rows(make_reading(rows)) == board(*GERMAN, "A.BC", "", "A.B")


def test_an_order_of_ones_own(make_reading: MakeReading) -> None:
    order = TileOrder.parse("äeiou xyz ?.. bc", GERMAN_102)
    assert order.rows(make_reading(board())) == board("ÄEIOUXYZ?..BC")
    assert TileOrder.parse("A\u0308B", GERMAN_102).tiles == "ÄB"


@pytest.mark.parametrize("text", ["AB1", "ABŁ", "", "...", "??", "A" * 226])
def test_an_order_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(LayoutError):
        TileOrder.parse(text, GERMAN_102)


def test_a_few_misread_tiles_are_the_lesson(make_reading: MakeReading) -> None:
    rows = board(*GERMAN)
    reading = make_reading(board("AÄBCDEFGHIJKLMN", "QÖPQRSTUÜVWXYN."))
    assert check(rows, reading, "x.jpg", laid=True) == (
        Misread(Square(1, 0), "O", "Q"),
        Misread(Square(1, 13), "Z", "N"),
    )


@pytest.mark.parametrize(
    ("read", "code", "square"),
    [
        (("AÄBCDEFGHI.KLMN", GERMAN[1]), "tile-missing", "A11"),
        (("AÄBCDFGHIJKLMNO", "ÖPQRSTUÜVWXYZ?"), "tile-misplaced", "A6"),
        (("AÄBCDFGHIJKLMNO", "ÖPQRSTUÜVWXYZ?Z"), "tile-misplaced", "A6"),
        (("AÄBCDEFGHIJKLMM", "NOÖPQRSTUÜVWXYZ"), "tile-misplaced", "A15"),
        (("AÄBCDEFGHIJKLM.", "OÖPQRSTUÜVWXY.?"), "tile-missing", "A15"),
        (("AÄBCDEGFHIJKLMN", GERMAN[1]), "tile-misplaced", "A7"),
        ((*GERMAN, "", "..E"), "tile-too-many", "D3"),
        (("NMLKJIHGFEDCBÄA", GERMAN[1]), "tile-misplaced", "A1"),
        (("AÄBCDEFGHIJKLMN", "HHHHHHHHÜVWXYZ?"), "tile-misplaced", "B1"),
    ],
)
def test_a_wrong_layout_is_refused_with_the_square(
    make_reading: MakeReading, read: tuple[str, ...], code: str, square: str
) -> None:
    with pytest.raises(LayoutError) as caught:
        check(board(*GERMAN), make_reading(board(*read)), "x.jpg", laid=True)
    assert (caught.value.code, caught.value.details["square"]) == (code, square)
    assert "x.jpg" in caught.value.message


def test_two_tiles_exchanged_are_noticed_even_if_one_is_unsure(make_reading: MakeReading) -> None:
    reading = make_reading(board("AÄBCDEGFHIJKLMN", GERMAN[1]), {(0, 6): {"G": 0.6, "F": 0.4}})
    with pytest.raises(LayoutError):
        check(board(*GERMAN), reading, "x.jpg", laid=True)
    assert len(check(board(*GERMAN), reading, "x.jpg", laid=False)) == 1


def test_a_reader_that_knows_hardly_any_tile_cannot_bear_a_layout_out(make_reading: MakeReading) -> None:
    unsure = {(0, col): {"H": 0.6, "W": 0.4} for col in range(15)} | {(1, 0): {"H": 0.6, "W": 0.4}}
    with pytest.raises(LayoutError):
        check(board(*GERMAN), make_reading(board(*GERMAN), unsure), "x.jpg", laid=False)


def test_foreign_letters_are_no_misreadings(make_reading: MakeReading) -> None:
    assert check(board("RUȘI"), make_reading(board("RUSI")), "x.jpg", laid=False) == ()


PHOTOS = [Path("a/1.jpg"), Path("a/2.jpg")]
ROWS = board("HaUS")


def test_boards_come_as_text_or_as_what_the_commands_write(tmp_path: Path) -> None:
    known = board("H?US")
    text, lines, game = tmp_path / "board.txt", tmp_path / "read.json", tmp_path / "recount.json"
    text.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    assert load_boards(text, PHOTOS[:1]) == {PHOTOS[0]: known}
    entries = [{"photo": f"b/{n}.jpg", "board": ROWS} for n in (2, 1)] + [{"photo": "3.jpg", "board": None}]
    lines.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
    assert load_boards(lines, PHOTOS) == dict.fromkeys(PHOTOS, known)
    game.write_text(json.dumps({"moves": [], "board": ROWS}, indent=1), encoding="utf-8")
    assert load_boards(game, PHOTOS[1:]) == {PHOTOS[1]: known}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-truth"), ("HAUS", "bad-truth"), ("{", "bad-truth"), ('{"x": 1}', "bad-truth"),
        ('{"board": 3}', "bad-truth"), (json.dumps({"photo": 3, "board": ROWS}), "bad-truth"),
        (json.dumps({"board": ["." * 14] * 15}), "bad-truth"), ("\n".join(ROWS), "no-truth"),
        (json.dumps({"photo": "1.jpg", "board": ROWS}), "no-truth"),
    ],
)  # fmt: skip
def test_a_file_without_the_boards_is_refused(tmp_path: Path, text: str, code: str) -> None:
    path = tmp_path / "truth"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LayoutError) as caught:
        load_boards(path, PHOTOS)
    assert caught.value.code == code and "truth" in caught.value.message


def test_a_missing_or_binary_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo").write_bytes(bytes(range(256)))
    for name in ("photo", "none"):
        with pytest.raises(LayoutError):
            load_boards(tmp_path / name, PHOTOS)
