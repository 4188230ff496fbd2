"""The tab-separated record."""

from __future__ import annotations

import pytest

from scorer.board import Direction, Square
from scorer.errors import NotationError
from scorer.formats import read_tsv
from scorer.notation import Notation
from scorer.written import Action, NotationSource

HEADER = "move\tplayer\taction\tcoord\ttiles\tpoints\tref\ttotal_1\ttotal_2"
RECORD = f"""{HEADER}
1\t1\tplace\tH5\tHAUS\t10\t\t10\t0
2\t2\tplace\t8H\t.E_\t2\t\t10\t2
3\t1\tchallenge-upheld\t\t\t-2\t2\t10\t0
4\t1\tplace\tH3\tZU....E\t11\t\t21\t0
5\t2\tchallenge-rejected\t\t\t-10\t4\t21\t-10
6\t2\texchange\t\tQX\t0\t\t21\t-10
7\t1\tpass\t\t\t0\t\t21\t-10
8\t2\track-settlement\t\t\t-4\t\t21\t-14
"""


def test_a_record() -> None:
    game = read_tsv(RECORD.encode(), "abend.tsv")
    assert game.name == "abend.tsv"
    assert game.players == ("1", "2")
    assert [move.action for move in game.moves] == [
        Action.PLACE,
        Action.PLACE,
        Action.CHALLENGE_UPHELD,
        Action.PLACE,
        Action.CHALLENGE_REJECTED,
        Action.EXCHANGE,
        Action.PASS,
        Action.RACK_SETTLEMENT,
    ]
    assert [move.player for move in game.moves] == [0, 1, 0, 0, 1, 1, 0, 1]
    assert [move.ref for move in game.moves] == [None, None, 2, None, 4, None, None, None]
    assert game.moves[4].points == -10
    assert game.moves[4].totals == (21, -10)
    assert game.moves[5].tiles == "QX"
    assert game.moves[7].line == 9


def test_coordinates_are_german() -> None:
    game = read_tsv(RECORD.encode())
    assert (game.notation, game.notation_source) == (Notation.GERMAN, NotationSource.DECLARED)
    move = game.moves[1].move
    assert move is not None
    assert (move.start, move.direction, move.word) == (Square(7, 7), Direction.DOWN, ".E?")


def test_the_caller_may_know_better() -> None:
    game = read_tsv(RECORD.encode(), notation=Notation.INTERNATIONAL)
    assert game.notation_source is NotationSource.GIVEN
    assert game.moves[1].move is not None
    assert game.moves[1].move.direction is Direction.ACROSS


@pytest.mark.parametrize("data", [RECORD.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + RECORD.encode()])
def test_line_ends_and_byte_order_mark(data: bytes) -> None:
    assert read_tsv(data) == read_tsv(RECORD.encode())


def test_four_players() -> None:
    game = read_tsv(f"{HEADER}\ttotal_3\ttotal_4\n1\t4\tplace\tH5\tHAUS\t10\t\t0\t0\t0\t10\n".encode())
    assert game.players == ("1", "2", "3", "4")
    assert game.moves[0].totals == (0, 0, 0, 10)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1\t1\tplace\tH5\tHAUS\t10\t\t10", "line 2: 8 columns, not 9"),
        ("1\t3\tplace\tH5\tHAUS\t10\t\t10\t0", "line 2: there is no player 3"),
        ("1\t1\tlegen\tH5\tHAUS\t10\t\t10\t0", "line 2: unknown action 'legen'; actions: place"),
        ("1\t1\tplace\tP5\tHAUS\t10\t\t10\t0", "line 2: 'P5' is no coordinate"),
        ("1\t1\tplace\tH5\tHA-S\t10\t\t10\t0", "line 2: .*'-' is no tile"),
        ("1\t1\tplace\tH5\tHAUS\tzehn\t\t10\t0", "line 2: 'zehn' is no whole number"),
        ("1\t1\tplace\tH5\tHAUS\t10\t\t1e1\t0", "line 2: '1e1' is no whole number"),
        ("\n1\t1\tchallenge-upheld\t\t\t0\t1\t0\t0", "line 3: move 1 is no placement that still stands"),
        ("1\t1\tchallenge-rejected\t\t\t0\t\t0\t0", "line 2: '' is no whole number"),
        ("1\t1\texchange\t\t²\t0\t\t0\t0", "line 2: '²' are no tiles"),
        ("1\t1\tpass\t\t\t0\t\t0\t0\n1\t2\tpass\t\t\t0\t\t0\t0", "line 3: there was a move 1 before"),
    ],
)
def test_broken_records_name_the_line_and_why(line: str, why: str) -> None:
    with pytest.raises(NotationError, match=why) as error:
        read_tsv(f"{HEADER}\n{line}\n".encode())
    assert error.value.code == "bad-file"


@pytest.mark.parametrize("data", [b"", b"move\tplayer\n", HEADER.removesuffix("\ttotal_2").encode()])
def test_without_the_header_it_is_no_record(data: bytes) -> None:
    with pytest.raises(NotationError, match="line 1: no header"):
        read_tsv(data)
