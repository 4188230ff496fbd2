"""`brettblick score`: one move on a position, as the contract of the command line says, and as people read it."""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import main
from assistant.texts import LANGUAGES
from scorer.placement import PlacementFault

Score = Callable[..., tuple[int, dict[str, Any], str]]


def position(*words: tuple[int, int, str]) -> list[str]:
    """15 lines with these words across, each from a row and column."""
    rows = ["." * 15] * 15
    for row, col, word in words:
        rows[row] = rows[row][:col] + word + rows[row][col + len(word) :]
    return rows


FIRNS = position((7, 3, "FIRNS"))


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Score:
    """Runs the command with --json on a position, a file of its text or none; status, JSON and standard error."""

    def run(move: str, board: Sequence[str] | bytes | None = None, *args: str) -> tuple[int, dict[str, Any], str]:
        extra = list(args)
        if board is not None:
            path = tmp_path / "board.txt"
            path.write_bytes(board if isinstance(board, bytes) else "\n".join(board).encode())
            extra += ["--board", str(path)]
        status = main(["score", "--move", move, "--json", *extra])
        said = capsys.readouterr()
        return status, json.loads(said.out) if said.out else {}, said.err

    return run


def test_the_example_of_the_contract(score: Score) -> None:
    status, out, err = score("H4 FIRNS")
    assert status == 0 and err == ""
    assert out["legal"] is True and out["faults"] == [] and out["score"] == 24 and out["bingo"] == 0
    assert out["words"] == [{"word": "FIRNS", "score": 24}]
    assert out["tiles"] == [[7, 3, "F"], [7, 4, "I"], [7, 5, "R"], [7, 6, "N"], [7, 7, "S"]]
    assert "F 4" in out["steps"][0] and "24" in out["steps"][-1]


@pytest.mark.parametrize(
    ("move", "board", "args", "points", "words"),
    [
        ("H4 FIRNS", None, [], 24, ["FIRNS"]),
        ("h4 FIRNS", None, [], 24, ["FIRNS"]),
        ("8D FIRNS", None, ["--notation", "international"], 24, ["FIRNS"]),
        ("8D FIRNS", None, ["--notation", "german"], 24, ["FIRNS"]),  # down: the board is symmetric
        ("8C MYXÖDEM", None, ["--notation", "international"], 138, ["MYXÖDEM"]),
        ("8C MYXO\u0308DEM", None, ["--notation", "international"], 138, ["MYXÖDEM"]),
        ("H4 KÖlNErS", None, [], 88, ["KÖlNErS"]),  # (K 4 x 2, Ö 8, N 1, E 1, S 1) x 2 + 50
        ("5G V.TEN", FIRNS, [], 20, ["VITEN"]),
        ("5G VITEN", FIRNS, [], 20, ["VITEN"]),
        ("4H FISCH", FIRNS, [], 24, ["FISCH"]),  # (F 4, I 1, S 1, C 4, H 2) x 2 on L4
        ("D8 .ISCH", FIRNS, ["--notation", "international"], 24, ["FISCH"]),
        ("H4 ZU....E", position((7, 5, "HAUS")), [], 13, ["ZUHAUSE"]),  # Z 3 x 2 on H4; the star is used up
        ("G7 JA", position((7, 6, "OHM")), [], 30, ["JA", "JO", "AH"]),  # J 6 x 2: 13 + 14 + 3
    ],
)  # fmt: skip
def test_legal_moves_with_known_points(
    score: Score, move: str, board: list[str] | None, args: list[str], points: int, words: list[str]
) -> None:
    status, out, err = score(move, board, *args)
    assert (status, out["legal"], out["score"], err) == (0, True, points, "")
    assert [word["word"] for word in out["words"]] == words
    assert sum(word["score"] for word in out["words"]) + out["bingo"] == points


ILLEGAL = [
    ("A1 HUT", None, [], ["first-word-off-star"], 12),
    ("H8 A", None, [], ["first-word-too-short"], 2),
    ("A1 HUT", FIRNS, [], ["not-connected"], 12),
    ("7H .E.T", FIRNS, [], ["gap"], None),
    ("H4 FIRNS.", FIRNS, [], ["gap", "no-tile-laid"], None),
    ("H10 BETAUEN", FIRNS, [], ["not-connected", "off-board"], None),
    ("H4 FIRNSABCDEFGH", FIRNS, ["--rule", "rack_size=8"], ["off-board"], None),
    ("H4 FIRST", FIRNS, [], ["square-taken"], None),
    ("H4 FIRNS", FIRNS, [], ["no-tile-laid"], None),
    ("H1 ABCDEFGH", None, [], ["too-many-tiles"], 114),  # 19 x 3 x 2
    ("H4 FÑRNS", None, [], ["not-in-set"], 22),
    ("H7 QQ", None, [], ["set-exhausted"], 40),
    ("H8 abc", None, [], ["set-exhausted"], 0),
    ("I4 QA", position((7, 3, "FIRNSQ")), [], ["set-exhausted"], 27),  # QA 11, FQ 14, IA 2
    ("H7 Aß", None, [], ["blank-as-eszett"], 2),
    ("H7 HUT", None, ["--rule", "min_first_word=5"], ["word-too-short-by-rule"], 8),
    ("A1 ßbcÑQQ.XY", FIRNS, [], ["not-connected", "gap", "too-many-tiles", "not-in-set", "set-exhausted",
                                 "blank-as-eszett"], None),
]  # fmt: skip
"""Each fault once at least: move, position, options, codes, and the points of what lies there."""


@pytest.mark.parametrize(("move", "board", "args", "codes", "points"), ILLEGAL)
def test_a_move_that_is_not_legal_has_all_its_faults(
    score: Score, move: str, board: list[str] | None, args: list[str], codes: list[str], points: int | None
) -> None:
    status, out, _ = score(move, board, *args)
    assert status == 1 and out["legal"] is False
    assert out["faults"] == codes
    assert out["score"] == points
    assert bool(out["steps"]) == (points is not None) == bool(out["words"])


def test_every_fault_of_a_written_move_is_among_them() -> None:
    found = {code for *_, codes, _ in ILLEGAL for code in codes}
    assert found == set(PlacementFault(~0).codes) - {"not-in-line"}  # which cannot be written


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_is_said_with_what_it_is_about(score: Score, language: str) -> None:
    for move, board, args, codes, _ in ILLEGAL:
        assert len(score(move, board, *args, "--lang", language)[1]["messages"]) == len(codes)
    for move, board, args, words in [
        ("A1 HUT", None, [], ["H8"]),
        ("7H .E.T", FIRNS, [], ["J7"]),
        ("H10 BETAUEN", FIRNS, [], ["H10", "7", "6"]),
        ("H4 FIRST", FIRNS, [], ["H7", "H8"]),
        ("H1 ABCDEFGH", None, [], ["8", "7"]),
        ("H4 FÑRNS", None, [], ["Ñ", "german"]),
        ("H7 QQ", None, [], ["Q: 1"]),
        ("H8 abc", None, [], ["1", "klein" if language == "de" else "lower-case"]),
        ("H7 Aß", None, [], ["SS"]),
        ("H7 HUT", None, ["--rule", "min_first_word=5"], ["3", "5"]),
    ]:
        said = " ".join(score(move, board, *args, "--lang", language)[1]["messages"])
        assert all(word in said for word in words), said


def test_a_gap_off_the_board_is_said_once(score: Score) -> None:
    out = score("H14 HUT.")[1]
    assert out["faults"] == ["first-word-off-star", "gap", "off-board"] and len(out["messages"]) == 2


def test_squares_are_named_in_the_notation_asked_for(score: Score) -> None:
    said = score("8E HIRNS", position((7, 4, "HURRA")), "--notation", "international")[1]["messages"][0]
    assert "F8" in said and "H8" in said and "I8" in said  # U, R, A


def test_the_word_written_comes_first_though_the_other_is_longer(score: Score) -> None:
    """One J makes JA across and BAFJ down."""
    board = position((5, 3, "B"), (6, 3, "A"), (7, 3, "F"), (8, 4, "A"))
    across, down = score("I4 JA", board)[1], score("4F BAFJ", board)[1]
    assert [word["word"] for word in across["words"]] == ["JA", "BAFJ"]
    assert [word["word"] for word in down["words"]] == ["BAFJ", "JA"]
    assert across["score"] == down["score"] and across["tiles"] == down["tiles"] == [[8, 3, "J"]]


def test_the_whole_word_counts_when_less_is_written(score: Score) -> None:
    status, out, err = score("H9 E", FIRNS)
    assert (status, out["score"], out["move"]) == (0, 9, "H4 .....E")
    assert out["warnings"] == ["whole-word"] and "H4 FIRNSE" in err
    assert score("H4 FIRNSE", FIRNS)[2] == ""


def test_a_blank_without_a_letter_is_asked_about(score: Score) -> None:
    status, out, err = score("H4 FIRN?")
    assert (status, out["score"], out["warnings"]) == (0, 22, ["undeclared-blank"])
    assert "H8" in err and len(err.splitlines()) == 1


def test_a_position_that_cannot_be_is_a_warning(score: Score) -> None:
    status, out, err = score("H9 E", position((7, 3, "FIRNS"), (0, 0, "QQQ")))
    assert (status, out["score"]) == (0, 9) and "impossible-position" in out["warnings"]
    assert "Q: 2" in err


def test_another_tile_set_has_other_values(score: Score) -> None:
    assert score("H4 QUIZY", None, "--tiles", "english")[1]["score"] == 2 * (2 * 10 + 1 + 1 + 10 + 4)
    assert score("H4 FÄRNS", None, "--tiles", "english")[1]["faults"] == ["not-in-set"]


TEXT = "\n".join(position((7, 3, "MÖS")))


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        (TEXT + "\n\n").encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "  \n").encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        TEXT.encode("latin-1"),
        unicodedata.normalize("NFD", TEXT).encode(),
    ],
)
def test_a_board_is_read_however_it_was_saved(score: Score, data: bytes) -> None:
    assert score("H4 ...E", data)[1]["words"] == [{"word": "MÖSE", "score": 13}]


def test_a_board_from_the_standard_input(score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(FIRNS).encode())))
    assert score("5G V.TEN", None, "--board", "-")[1]["score"] == 20


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (FIRNS[:14], ["14"]),
        ([*FIRNS, "." * 15], ["16"]),
        ([*FIRNS[:7], "...FIRNS......", *FIRNS[8:]], ["8", "14"]),
        ([*FIRNS[:7], "", *FIRNS[8:]], ["8", "0"]),
        ([*FIRNS[:7], "...F1RNS.......", *FIRNS[8:]], ["8", "5", "1"]),
        ([], ["0"]),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF" * 20, ["board.txt"]),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_board_is_refused_with_line_and_square(
    score: Score, board: list[str] | bytes, words: list[str], language: str
) -> None:
    status, out, err = score("H4 FIRNS", board, "--lang", language)
    assert status == 2 and out == {} and len(err.splitlines()) == 1
    assert all(word in err.replace("15", "") for word in words)


@pytest.mark.parametrize(
    "move", ["", "H4", "FIRNS", "H4FIRNS", "Z4 FIRNS", "H16 FIRNS", "H0 A", "H4 F1RNS", "H4 (FI", "H4 A B", "H4 FıRNS"]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_is_no_move_has_status_2(score: Score, move: str, language: str) -> None:
    status, out, err = score(move, None, "--lang", language)
    assert status == 2 and out == {} and len(err.splitlines()) == 1 and "H4" in err


def test_what_is_no_tile_is_named_also_where_a_screen_shows_nothing(score: Score) -> None:
    for char, shown in (("1", "1"), ("-", "-"), ("\u200b", "u200b"), ("\x1b", "x1b"), ("\udcff", "udcff")):
        status, out, err = score(f"H4 FIR{char}NS")
        assert status == 2 and out == {} and f"„{char}“".replace(char, f"\\{shown}" if len(shown) > 1 else char) in err
        assert len(err.splitlines()) == 1 and err.removesuffix("\n").isprintable()


def test_an_endless_word_is_named_in_part(score: Score) -> None:
    status, out, err = score("H4 " + "1" * 100_000)
    assert status == 2 and out == {} and len(err) < 2000


def test_a_missing_board_has_status_2(score: Score, tmp_path: Path) -> None:
    status, out, err = score("H4 FIRNS", None, "--board", str(tmp_path / "none.txt"))
    assert status == 2 and out == {} and "none.txt" in err


@pytest.mark.parametrize(("language", "words"), [("de", ["24 Punkte", "neu gelegt"]), ("en", ["24 points", "newly"])])
def test_people_see_points_sum_and_board(
    capsys: pytest.CaptureFixture[str], language: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["--lang", language, "score", "--move", "H4 FIRNS"]) == 0
    out = capsys.readouterr().out
    assert all(word in out for word in [*words, "F 4 x 2 = 8", "[F][I][R][N][S]", "turnier"])
    assert max(map(len, out.splitlines())) <= 80
    row = next(line for line in out.splitlines() if "[F]" in line)
    assert row.split()[0] == "H" and row.index("[F]") == 4 + 3 * 3


def test_people_see_what_is_wrong_and_what_it_would_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--move", "A1 HUT", "--notation", "international"]) == 1
    out = capsys.readouterr().out
    assert "Dieser Zug geht nicht" in out and "Stern auf H8" in out and "Wort x 3 = 12" in out
    assert "A  B  C" in out and main(["score", "--move", "H14 HUT"]) == 1
    assert "Es entsteht kein Wort" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "bingo"),
    [
        ((), 50),
        (("--rule", "rack_size=7"), 0),
        (("--tiles", "german"), 0),
    ],
)
def test_the_old_tiles_have_eight_on_the_rack(
    options: tuple[str, ...], bingo: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """R1.4, R5.7: eight tiles are a full rack with the German set before 1990, and one too many today."""
    code = main(["score", "--move", "H4 GESINNTE", "--tiles", "german-119", *options, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["bingo"], code) == (bingo, 0 if bingo else 1)
    assert found["faults"] == ([] if bingo else ["too-many-tiles"])
