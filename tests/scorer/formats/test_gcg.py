"""The GCG reader and the habits of those who write GCG."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.board import Direction, Square
from scorer.errors import NotationError
from scorer.formats import read_gcg
from scorer.notation import MoveText, Notation
from scorer.written import Action, NotationSource, Pragma, WrittenMove

GOLDEN = Path(__file__).parent / "golden"

HEAD = "#player1 anna Anna Amsel\n#player2 bert Bert\n"
GAME = f"""#character-encoding UTF-8
{HEAD}#lexicon irgendeins
#orientation lettered-rows
>anna: AHSUZÜE H5 HAUS +10 10
#note ein guter Anfang,
der sich bewähren wird

>bert: EE?RTZU 8H .EE +3 3
>bert: EE?RTZU -- -3 0
>anna: ZUEÜRTI H3 ZU....E +11 21
>bert: EE?RTZU -TZ +0 0
>anna: ÜRTIABC - +0 21
>bert: EE?RUAB (time) -10 -10
>anna: (EE?RUAB) +16 37
"""


def events(*lines: str, head: str = HEAD) -> tuple[WrittenMove, ...]:
    return read_gcg((head + "\n".join(lines)).encode()).moves


def test_a_game() -> None:
    game = read_gcg(GAME.encode(), "abend.gcg")
    assert game.players == ("Anna Amsel", "Bert")
    assert [(move.action, move.player, move.points) for move in game.moves] == [
        (Action.PLACE, 0, 10),
        (Action.PLACE, 1, 3),
        (Action.CHALLENGE_UPHELD, 1, -3),
        (Action.PLACE, 0, 11),
        (Action.EXCHANGE, 1, 0),
        (Action.PASS, 0, 0),
        (Action.TIME_PENALTY, 1, -10),
        (Action.RACK_SETTLEMENT, 0, 16),
    ]
    assert [move.totals for move in game.moves[:2]] == [(10, None), (None, 3)]
    assert game.moves[2].ref == 2
    assert game.moves[0].rack == "AHSUZÜE"
    assert (game.moves[4].tiles, game.moves[7].tiles) == ("TZ", "EE?RUAB")
    assert game.moves[7].line == 16


@pytest.mark.parametrize(
    ("header", "notation", "source", "direction"),
    [
        ("", Notation.INTERNATIONAL, NotationSource.ASSUMED, Direction.DOWN),
        ("#orientation lettered-columns\n", Notation.INTERNATIONAL, NotationSource.DECLARED, Direction.DOWN),
        ("#Orientation Lettered-Rows\n", Notation.GERMAN, NotationSource.DECLARED, Direction.ACROSS),
    ],
)
def test_notation(header: str, notation: Notation, source: NotationSource, direction: Direction) -> None:
    game = read_gcg(f"{HEAD}{header}>anna: HAUS H5 HAUS +10 10\n".encode())
    assert (game.notation, game.notation_source) == (notation, source)
    assert game.moves[0].move is not None
    assert game.moves[0].move.direction is direction


def test_the_caller_may_know_better_than_the_file() -> None:
    game = read_gcg(GAME.encode(), notation=Notation.INTERNATIONAL)
    assert (game.notation, game.notation_source) == (Notation.INTERNATIONAL, NotationSource.GIVEN)


@pytest.mark.parametrize(
    "data",
    [
        GAME.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + GAME.encode(),
        GAME.replace("UTF-8", "utf8").encode(),
        GAME.replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        GAME.removeprefix("#character-encoding UTF-8\n").encode(),
        GAME.removeprefix("#character-encoding UTF-8\n").encode("latin-1"),
        GAME.replace("\n", "\r").encode(),
        GAME.replace("Ü", "U\u0308").encode(),
    ],
)
def test_encodings_and_line_ends(data: bytes) -> None:
    assert read_gcg(data) == read_gcg(GAME.encode())


@pytest.mark.parametrize(
    "line",
    [
        ">anna: HAUSEIN 8e HAUS +10 10",
        ">anna: HAUSEIN 8E HAUS 10 10",
        ">anna: HAUSEIN 8E HAUS +10",
        ">anna: 8E HAUS +10 10",
        ">anna:   HAUSEIN   8e   HAUS        +10   10  ",
        ">anna: HAUSEIN 8E HAUS +10 10 HA, US",
    ],
)
def test_ways_to_write_a_placement(line: str) -> None:
    move = events(line)[0]
    assert move.move == MoveText.parse("8E HAUS", Notation.INTERNATIONAL)
    assert (move.player, move.points) == (0, 10)
    assert move.totals in ((10, None), (None, None))


def test_brackets_for_tiles_that_lie_there() -> None:
    assert events(">anna: ZUE 8C ZU(HAUS)E +11 11")[0].move == MoveText.parse("8C ZU(HAUS)E", Notation.INTERNATIONAL)


@pytest.mark.parametrize(
    ("line", "action", "points", "tiles"),
    [
        (">anna: ABC -3 +0 0", Action.EXCHANGE, 0, "3"),
        (">anna: ABC? -? 0 0", Action.EXCHANGE, 0, "?"),
        (">anna: ABC - 0 0", Action.PASS, 0, ""),
        (">anna: - +0 0", Action.PASS, 0, ""),
        (">anna: ABC (challenge) +5 5", Action.CHALLENGE_BONUS, 5, ""),
        (">anna:  (challenge) +5 5", Action.CHALLENGE_BONUS, 5, ""),
        (">anna: (TIME) -10 -10", Action.TIME_PENALTY, -10, ""),
        (">anna: ABC (ABC) +-6 -6", Action.RACK_SETTLEMENT, -6, "ABC"),
        (">anna: () +0 0", Action.RACK_SETTLEMENT, 0, ""),
    ],
)
def test_what_is_no_placement(line: str, action: Action, points: int, tiles: str) -> None:
    move = events(line)[0]
    assert (move.action, move.points, move.tiles, move.move) == (action, points, tiles, None)


def test_a_negative_challenge_line_is_the_german_penalty_of_the_challenger() -> None:
    moves = events(">anna: HAUS 8E HAUS +10 10", ">bert: EE (challenge) -10 -10")
    assert (moves[1].action, moves[1].player, moves[1].ref) == (Action.CHALLENGE_REJECTED, 1, 1)


def test_a_withdrawal_means_the_last_standing_move_of_its_player() -> None:
    moves = events(
        ">anna: HAUS 8E HAUS +10 10",
        ">bert: EE H8 .EE +3 3",
        ">bert: EE -- -3 0",
        ">anna: HAUS -- -10 0",
    )
    assert [move.ref for move in moves] == [None, None, 2, 1]


def test_players_without_a_header_sit_in_the_order_of_their_moves() -> None:
    game = read_gcg(b">x: A - +0 0\n>y: A - +0 0\n>z: A - +0 0\n>x: A - +0 0\n")
    assert game.players == ("x", "y", "z")
    assert [move.player for move in game.moves] == [0, 1, 2, 0]


def test_a_game_that_has_hardly_begun() -> None:
    game = read_gcg(b"#player1 x X\n>x: HAUS 8E HAUS +10 10")
    assert game.players == ("X", "?")
    assert game.moves[0].move is not None
    assert game.moves[0].move.start == Square(7, 4)
    assert read_gcg(HEAD.encode()).moves == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (">anna HAUS 8E HAUS +10 10", "line 3: an event starts with"),
        (">anna:", "line 3: an event without what happened"),
        (">anna: HAUS", "line 3: an event without what happened"),
        (">anna: HAUS 8E", "line 3: a coordinate without a word"),
        (">anna: HAUS 8E HAUS", "line 3: an event without points"),
        (">anna: HAUS 8E HAUS zehn 10", "line 3: 'zehn' is no whole number"),
        (">anna: HAUS 8E HAUS +10 1O", "line 3: '1O' is no whole number"),
        (">anna: HAUS 8E HA/S +10 10", "line 3: 'HA/S': '/' is no tile"),
        (">anna: HAUS 16E HAUS +10 10", "line 3: '16E': there is no number 16"),
        (">anna: HAUS 8P HAUS +10 10", "line 3: '8P' is neither a coordinate nor"),
        (">anna: HAUS (HA US) +10 10", r"line 3: '\(HA' is neither"),
        (">carl: HAUS 8E HAUS +10 10", "line 3: unknown player 'carl'; players: anna, bert"),
        (">anna: HAUS -- -10 0", "line 3: there is no placement to challenge"),
        (">anna: HAUS (challenge) -10 0", "line 3: there is no placement to challenge"),
        ("HAUS 8E HAUS", "line 3: neither an event"),
        ("#player2 carl Carl", "line 3: player 2 where player 3"),
        ("#player3 anna Anna", "line 3: there was a player 'anna' before"),
        ("#player3", "line 3: a player's line is"),
        ("#orientation diagonal", "line 3: unknown orientation"),
    ],
)
def test_broken_games_name_the_line_and_why(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why) as error:
        events(text)
    assert error.value.code == "bad-file"
    assert error.value.details["line"] == 3


def test_five_players_are_too_many() -> None:
    with pytest.raises(NotationError, match="line 5: more than 4 players"):
        events(*(f">{nick}: A - +0 0" for nick in "abcde"), head="")


def test_everything_people_do_at_once() -> None:
    game = read_gcg((GOLDEN / "habits.gcg").read_bytes())
    assert (game.players, game.nicks) == (("Anna Amsel", "bert"), ("anna", "bert"))
    assert game.title == "Ein Abend am Meer"
    assert (game.incomplete, game.racks) == ("", ("", "EE?"))
    assert game.pragmas == (Pragma("style", "wsc2001"), Pragma("", ""), Pragma("note", "vor dem Spiel"))
    assert [(move.action, move.player, move.points, move.totals, move.tiles, move.rack) for move in game.moves] == [
        (Action.PLACE, 0, 10, (10, None), "", "AHSUZBE"),
        (Action.PLACE, 1, -6, (None, -6), "", ""),
        (Action.EXCHANGE, 0, 0, (10, None), "3", ""),
        (Action.PASS, 1, 0, (None, -6), "", "EE"),
        (Action.EXCHANGE, 0, 0, (None, None), "Z?", "ZB?"),
    ]
    assert game.moves[1].move == MoveText.parse("H8 (A)BE?e", Notation.INTERNATIONAL)
    assert game.moves[1].note == (
        "UE, xy\nerst so,\ndann #anders\n\nund dann noch so\nweiter\n> kein Zug"
    )  # fmt: skip


def test_latin1_with_crlf() -> None:
    game = read_gcg((GOLDEN / "latin1_crlf.gcg").read_bytes())
    assert game.players == ("Xaver Öttl", "Yvonne Müller")
    assert [move.move.word for move in game.moves if move.move] == ["BÄH", "ÜBEN"]
    assert (game.moves[1].rack, game.moves[1].note) == ("ÜBEENNR", "schön!")


def test_what_our_writer_adds_to_notes_is_taken_out_again() -> None:
    game = read_gcg((GOLDEN / "dispute.gcg").read_bytes())
    assert (game.tile_set, game.lexicon) == ("german", "Turnierliste 2024")
    assert [(move.action, move.player, move.ref) for move in game.moves[2:5]] == [
        (Action.CHALLENGE_UPHELD, 0, 2),  # anna challenged bert's move
        (Action.PLACE, 0, None),
        (Action.CHALLENGE_REJECTED, 1, 4),
    ]
    assert not any(move.note for move in game.moves)


def test_one_nick_for_both_players_is_told_apart_by_the_totals() -> None:
    game = read_gcg((GOLDEN / "one_nick.gcg").read_bytes())
    assert game.seats_inferred
    assert (game.players, game.nicks) == (("Rechner", "Rechner"), ("rechner", "rechner2"))
    assert [(move.player, move.totals, move.ref) for move in game.moves] == [
        (0, (14, None), None),
        (1, (None, 3), None),
        (1, (None, 0), 2),
        (0, (14, None), None),
    ]


LINES_OF_ONE = [">a: HAUS 8G HAUS +14 14", ">a: E H8 .E +2 2", ">a: I H7 D.. +4 18", ">a: N 8K E +5 7"]


@pytest.mark.parametrize(
    ("head", "lines", "seats"),
    [
        ("#player1 a A\n#player2 b B\n", LINES_OF_ONE, [0, 1, 0, 1]),
        ("#player1 b B\n#player2 a A\n", LINES_OF_ONE, [0, 1, 0, 1]),
        ("", LINES_OF_ONE, [0, 1, 0, 1]),
        ("#player1 a A\n#player2 b B\n", LINES_OF_ONE[:3], [0, 0, 0]),  # too few to be sure
        ("#player1 a A\n#player2 b B\n#player3 c C\n", LINES_OF_ONE, [0, 0, 0, 0]),
        ("#player1 a A\n#player2 b B\n", [*LINES_OF_ONE[:3], ">a: N 8K E +5 8"], [0, 0, 0, 0]),
        ("#player1 a A\n#player2 b B\n", [">a: - +0 0"] * 4, [0, 0, 0, 0]),  # one player, whose totals are right
    ],
)
def test_when_the_totals_decide_whose_move_it_is(head: str, lines: list[str], seats: list[int]) -> None:
    game = read_gcg((head + "\n".join(lines)).encode())
    assert [move.player for move in game.moves] == seats
    assert game.seats_inferred == (seats == [0, 1, 0, 1])


def test_utf16_with_its_mark_is_read() -> None:
    assert read_gcg(GAME.encode("utf-16")) == read_gcg(GAME.encode())
    with pytest.raises(NotationError, match="line 1: the text is not utf-16"):
        read_gcg(b"\xff\xfe\x00\xd8\x00")


def test_one_nick_and_totals_that_do_not_tell() -> None:
    with pytest.raises(NotationError, match="line 3: both players are 'a', and the totals do not tell whose"):
        events(*LINES_OF_ONE[:1], ">a: E H8 .E +2 3", head="#player1 a A\n#player2 a B\n")


@pytest.mark.parametrize(
    ("remark", "why"),
    [
        ("takes back move 1", "line 5: move 1 is no placement that still stands"),  # it is anna's
        ("takes back move 9", "line 5: move 9 is no placement that still stands"),
        ("challenged by carl", "line 5: unknown player 'carl'"),
    ],
)
def test_remarks_that_cannot_be(remark: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        events(">anna: HAUS 8E HAUS +10 10", ">bert: E H8 .E +2 2", ">bert: E -- -2 0", f"#note [record] {remark}")


@pytest.mark.parametrize(
    "note", ["[record] gefällt mir", "[record]", "record] challenged by anna", "challenged by anna"]
)
def test_notes_of_people_stay_notes(note: str) -> None:
    (move,) = events(">anna: HAUS 8E HAUS +10 10", f"#note {note}")
    assert move.note == note


@pytest.mark.parametrize("encoding", ["klingon", "hex", "utf-16", "idna"])
def test_unknown_encodings(encoding: str) -> None:
    with pytest.raises(NotationError, match=f"line 1: unknown character encoding '{encoding}'"):
        read_gcg(f"#character-encoding {encoding}\n".encode())


def test_bytes_that_the_declared_encoding_does_not_have() -> None:
    with pytest.raises(NotationError, match="line 17: the text is not UTF-8"):
        read_gcg(GAME.encode() + b"#note \xdc\n")
