"""CGP: a position in one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scorer.board import Board
from scorer.errors import NotationError
from scorer.formats import CgpPosition, read_cgp, write_cgp
from scorer.notation import MoveText, Notation

EMPTY_ROWS = "15/15/15/15/15/15/15"
LINE = f"{EMPTY_ROWS}/3FIRNS7/{EMPTY_ROWS} AEINRST/ 24/0 0 lex Deutsch; ld german;\n"
POSITION = CgpPosition(
    board=Board.empty().placed(MoveText.parse("H4 FIRNS", Notation.GERMAN).resolve(Board.empty()).placement.by_square),
    racks=("AEINRST", ""),
    scores=(24, 0),
    scoreless_turns=0,
    opcodes=("lex Deutsch", "ld german"),
)


def test_a_position() -> None:
    assert read_cgp(LINE.encode()) == POSITION
    assert write_cgp(POSITION) == LINE


def test_rows_are_rows_from_the_top() -> None:
    """Nothing is mirrored: what lies at the right end of the second row does so in the text."""
    corner = f"15/13Äb/{'15/' * 12}Q14"
    board = read_cgp(f"{corner} / 0/0 0".encode()).board
    assert board.rows[1] == ".............Äb"
    assert board.rows[14] == "Q.............."
    assert write_cgp(CgpPosition(board, ("", ""), (0, 0))).startswith(corner)


def test_tolerant_in_reading() -> None:
    position = read_cgp((Path(__file__).parent / "golden" / "position.cgp").read_bytes())
    assert position.board.rows[6] == "....Bä........."
    assert position.board.rows[14] == "..............Q"
    assert (position.racks, position.scores, position.scoreless_turns) == (("AE?", ""), (24, -6), 1)
    assert position.opcodes == ("lex Deutsch", "ld german")
    assert read_cgp(b"\xef\xbb\xbf" + LINE.replace("\n", "\r\n\r\n").encode()) == POSITION


@pytest.mark.parametrize("row", ["a1b1c1d1e1f1g1h", "15", "7?7", "14[CH]", "ABCDEFGHIJKLMN[CH]", "3FIRNS8", "3FI-RNS6"])
def test_rows(row: str) -> None:
    text = f"{EMPTY_ROWS}/{row}/{EMPTY_ROWS} / 0/0 0\n"
    if row in ("a1b1c1d1e1f1g1h", "15"):
        assert write_cgp(read_cgp(text.encode())) == text
    else:
        with pytest.raises(NotationError, match=r"^line 1: ") as error:
            read_cgp(text.encode())
        assert error.value.details["line"] == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1: the file is empty"),
        (f"\n{LINE}{LINE}", "line 3: a position is one line"),
        (f"\n{EMPTY_ROWS}", "line 2: a position has a board, racks, scores"),
        (LINE.replace("15/15/", "15/", 1), "line 1: a board has 15 rows, not 14"),
        (LINE.replace("3FIRNS7", "14[CH]"), "line 1: a tile of two letters is in no set"),
        (LINE.replace("3FIRNS7", "7?7"), "line 1: a blank lies on the board whose letter is not known"),
        (LINE.replace("AEINRST/", "AEINRST"), "line 1: a position has 2 to 4 racks, not 1"),
        (LINE.replace("AEINRST", "A1"), "line 1: 'A1' are no tiles"),
        (LINE.replace("24/0", "24"), "line 1: 2 racks, but 1 scores"),
        (LINE.replace("24/0", "24/x"), "line 1: 'x' is no whole number"),
        (LINE.replace("24/0 0", "24/0 -1"), "line 1: -1 is no number of turns"),
    ],
)
def test_what_is_no_position(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        read_cgp(text.encode())


@pytest.mark.parametrize("opcode", ["", "lex a; ld b", " lex", "lex\n"])
def test_words_that_no_line_can_hold(opcode: str) -> None:
    with pytest.raises(NotationError, match="no further word"):
        replace(POSITION, opcodes=(opcode,))
