"""GCG as it is written: what other programs read, and the rest in notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.errors import NotationError
from scorer.formats import read_gcg, read_sheet, read_tsv, write_gcg, write_sheet, write_tsv
from scorer.notation import MoveText, Notation
from scorer.rescore import rescore
from scorer.rules import rule_set
from scorer.tiles import GERMAN_102
from scorer.written import Action, NotationSource, Settlement, WrittenGame, WrittenMove

GOLDEN = Path(__file__).parent / "golden"
DISPUTE = (GOLDEN / "dispute.gcg").read_bytes()


def place(
    number: int, player: int, text: str, points: int, totals: tuple[int | None, ...], rack: str = ""
) -> WrittenMove:
    return WrittenMove(
        number, 1, player, Action.PLACE, points, totals, MoveText.parse(text, Notation.GERMAN), rack=rack
    )  # fmt: skip


def game(*moves: WrittenMove, players: tuple[str, ...] = ("Anna", "Bert"), **more: object) -> WrittenGame:
    return WrittenGame("", players, moves, Notation.GERMAN, NotationSource.DECLARED, **more)  # type: ignore[arg-type]


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith((">", "#note"))]


def test_german_orientation_on_request() -> None:
    text = write_gcg(read_gcg(DISPUTE), Notation.GERMAN)
    assert text.encode() == DISPUTE


def test_international_orientation_by_default() -> None:
    text = write_gcg(read_gcg(DISPUTE))
    assert "#orientation" not in text
    assert lines(text)[:6] == [
        ">anna: FIRNSXE 8D FIRNS +24 24",
        "#note [record] columns are lettered",
        ">bert: EXAHEUD H8 .EX +10 10",
        ">bert: EXAHEUD -- -10 0",
        "#note [record] challenged by anna",
        ">anna: XEABDEN 9G AB +12 36",
    ]


def test_the_dispute_is_scored_right_by_german_rules() -> None:
    """R8.3, R8.5, R8.11, R11.1, R11.2, R13.3: the file is the game, whichever way it is written."""
    for notation in Notation:
        for settlement in (None, Settlement.GERMAN):
            again = read_gcg(write_gcg(read_gcg(DISPUTE), notation, settlement).encode())
            result = rescore(again, rule_set("turnier"), GERMAN_102)
            assert result.differences == 0
            assert result.state.totals == (18, -12)


def test_the_header_says_what_the_game_says_and_in_the_order_other_programs_want() -> None:
    text = write_gcg(
        game(
            place(1, 0, "H5 HAUS", 10, (10, 0), "HAUSEIN"),
            title="Abend\nam Meer",
            description="Finale",
            lexicon="RD29",
            id="club 2024-7",
            tile_set="german",
            racks=("EIN", ""),
            incomplete="",
        )
    )
    assert text.splitlines() == [
        "#character-encoding UTF-8",
        "#player1 Anna Anna",
        "#player2 Bert Bert",
        "#title Abend am Meer",
        "#description Finale",
        "#lexicon RD29",
        "#id club 2024-7",
        "#tile-distribution german",
        "#incomplete",
        ">Anna: HAUSEIN 8E HAUS +10 10",
        "#note [record] columns are lettered",
        "#rack1 EIN",
    ]


@pytest.mark.parametrize(
    ("names", "nicks"),
    [
        (("Anna Maria", "Anna  Maria"), ["Anna_Maria", "Anna_Maria2"]),
        (("A: B", "A_B"), ["A_B", "A_B2"]),
        (("Eva", "Eva2", "Eva"), ["Eva", "Eva2", "Eva3"]),
        (("Eva3", "Uli", "Eva", "Eva"), ["Eva3", "Uli", "Eva", "Eva4"]),
        (("", ""), ["?", "?2"]),
    ],
)
def test_nicks_have_no_blanks_and_come_once(names: tuple[str, ...], nicks: list[str]) -> None:
    written = write_gcg(game(players=names)).splitlines()[1 : 1 + len(names)]
    assert [line.split()[1] for line in written] == nicks


def test_laid_and_exchanged_tiles_stand_for_unknown_racks() -> None:
    """Other programs demand a rack; ours are told which were known."""
    moves = (
        place(1, 0, "H5 HAUS", 10, (10, 0)),
        place(2, 1, "8G ZAqE.", 0, (10, 0)),  # an S lies where it has its A, which therefore was not laid
        WrittenMove(3, 1, 0, Action.EXCHANGE, 0, (10, 0), tiles="Q?"),
        WrittenMove(4, 1, 1, Action.EXCHANGE, 0, (10, 0), tiles="3"),
        WrittenMove(5, 1, 0, Action.PASS, 0, (10, 0)),
        place(6, 1, "5H .U", 2, (10, 2), "UEE"),
    )
    text = write_gcg(game(*moves))
    assert lines(text) == [
        ">Anna: HAUS 8E HAUS +10 10",
        "#note [record] columns are lettered",
        "#note [record] rack not recorded, known tiles only: moves 1-3",
        ">Bert: Z?E H7 ZAqE. +0 0",
        ">Anna: Q? -Q? +0 10",
        ">Bert:  -3 +0 0",
        ">Anna:  - +0 10",
        ">Bert: UEE E8 .U +2 2",
    ]
    assert [move.rack for move in read_gcg(text.encode()).moves] == ["", "", "", "", "", "UEE"]


def test_records_of_the_table_become_gcg() -> None:
    record = (GOLDEN / "three.tsv").read_bytes()
    text = write_gcg(read_tsv(record), Notation.GERMAN)
    assert lines(text) == [
        ">1: HAUS H5 HAUS +14 14",
        "#note [record] a game of 3; many programs read games of two only",
        "#note [record] rack not recorded, known tiles only: all moves",
        "#note [record] letter of a blank not recorded: moves 2 5",
        ">2: E? 8H .E? +2 2",
        ">3:  - +0 0",
        "#note [record] exchange, number of tiles not recorded",
        ">1: Q? -Q? +0 14",
        ">2: ?E 4H ?E. +2 4",
        ">2: ?E -- -2 2",
        "#note [record] challenged by 3",
        "#note [record] challenge rejected, the challenger pays",
        ">1:  (challenge) -0 14",
    ]
    assert [move.action for move in read_gcg(text.encode()).moves] == [
        move.action for move in read_tsv(record).moves
    ]  # fmt: skip


def test_a_challenge_of_an_earlier_move_names_it() -> None:
    text = write_gcg(
        game(
            place(1, 0, "H5 HAUS", 10, (10, 0)),
            place(3, 1, "8H .E", 2, (10, 2)),
            place(5, 0, "9H .I", 2, (12, 2)),
            WrittenMove(7, 1, 1, Action.CHALLENGE_REJECTED, -5, (12, -3), ref=3),
            WrittenMove(8, 1, 1, Action.CHALLENGE_UPHELD, -10, (2, -3), ref=1),
        )
    )
    assert lines(text)[-5:] == [
        "#note [record] challenge rejected, the challenger pays: move 2 stands",
        ">Bert:  (challenge) -5 -3",
        ">Anna: HAUS -- -10 2",
        "#note [record] takes back move 1",
        "#note [record] challenged by Bert",
    ]
    assert [move.ref for move in read_gcg(text.encode()).moves] == [None, None, None, 2, 1]


def test_allowed_words_beside_one_that_is_not_may_cost_too() -> None:
    """R8.7: the challenger pays for the other words, and the move is taken back."""
    mixed = game(
        place(1, 0, "H5 HAUS", 10, (10, 0)),
        place(2, 1, "8H .E", 2, (10, 2)),
        WrittenMove(3, 1, 0, Action.CHALLENGE_REJECTED, -10, (0, 2), ref=2),
        WrittenMove(4, 1, 0, Action.CHALLENGE_UPHELD, -2, (0, 0), ref=2),
    )
    text = write_gcg(mixed)
    assert lines(text)[-4:] == [
        "#note [record] challenge rejected, the challenger pays",
        ">Anna:  (challenge) -10 0",
        ">Bert: E -- -2 0",
        "#note [record] challenged by Anna",
    ]
    files = ((read_gcg, text), (read_tsv, write_tsv(mixed)), (read_sheet, write_sheet(mixed)))
    for again in (read(file.encode()) for read, file in files):
        assert [(move.action, move.ref, move.points) for move in again.moves] == [
            (move.action, move.ref, move.points) for move in mixed.moves
        ]  # fmt: skip


def test_notes_of_people_are_never_taken_for_something_else() -> None:
    note = "[record] challenged by Bert\n#rack1 X\n\n>Bert: X - +0 0\n\\[record] x\n(AB) +1"
    move = WrittenMove(1, 1, 0, Action.PASS, 0, (0, 0), note=note)
    text = write_gcg(game(move))
    assert lines(text)[2:] == ["#note \\[record] challenged by Bert", "#note #rack1 X", "#note >Bert: X - +0 0"]
    (again,) = read_gcg(text.encode()).moves
    assert (again.note, again.player) == (note, 0)


SETTLED = """#player1 anna Anna
#player2 bert Bert
>anna: HAUS 8E HAUS +10 10
>bert: EE?RTZU -TZ +0 0
>bert: ERH (ERH) -4 -4
>anna:  (ERH) +4 14
>bert: ERH (time) -10 -14
"""


def test_settlement_by_international_custom() -> None:
    """The difference of the players stays, their totals do not: a note says so (R11.1, R11.2)."""
    game = read_gcg(SETTLED.encode())
    assert lines(write_gcg(game, settlement=Settlement.INTERNATIONAL)) == [
        ">anna: HAUS 8E HAUS +10 10",
        ">bert: EE?RTZU -TZ +0 0",
        ">anna:  (ERH) +8 18",
        "#note Twice the rest by international custom; the German sheet ends with Anna 14, Bert -14.",
        ">bert: ERH (time) -10 -10",
    ]
    assert write_gcg(game, settlement=Settlement.GERMAN) == write_gcg(game)


def test_settlement_by_german_custom() -> None:
    text = SETTLED.replace(">bert: ERH (ERH) -4 -4\n", "").replace("+4 14", "+8 18").replace("-10 -14", "-10 -10")
    game = read_gcg(text.encode())
    assert lines(write_gcg(game, settlement=Settlement.GERMAN)) == [
        ">anna: HAUS 8E HAUS +10 10",
        ">bert: EE?RTZU -TZ +0 0",
        ">anna:  (ERH) +4 14",
        ">bert: ERH (ERH) -4 -4",
        ">bert: ERH (time) -10 -14",
    ]
    assert write_gcg(game, settlement=Settlement.INTERNATIONAL) == write_gcg(game)


@pytest.mark.parametrize(
    "events",
    [
        ">anna: AB (AB) -4 -4\n>bert: C (C) -4 -4\n",  # ended by passing: nobody went out (R11.4)
        ">anna: AB (AB) -4 -4\n>bert: (AB) +6 6\n",  # not what the loser gave
        ">anna: (AB) +7 7\n",  # not twice anything
        ">anna: () +8 8\n",  # nobody knows of what
        ">anna: (AB) +8 8\n>bert: (C) +8 8\n",
    ],
)
def test_settlements_that_have_no_other_form(events: str) -> None:
    game = read_gcg(f"#player1 anna Anna\n#player2 bert Bert\n{events}".encode())
    for settlement in Settlement:
        assert write_gcg(game, settlement=settlement) == write_gcg(game)


def test_three_players_keep_the_german_settlement() -> None:
    head = "#player1 a A\n#player2 b B\n#player3 c C\n"
    game = read_gcg(f"{head}>a: AB (AB) -4 -4\n>b: C (C) -4 -4\n>c: (ABC) +8 8\n".encode())
    assert write_gcg(game, settlement=Settlement.INTERNATIONAL) == write_gcg(game)


@pytest.mark.parametrize(
    "moves",
    [
        [WrittenMove(1, 1, 0, Action.CHALLENGE_UPHELD, 0, (0, 0))],
        [WrittenMove(1, 1, 0, Action.CHALLENGE_REJECTED, 0, (0, 0), ref=1)],
        [place(1, 0, "H5 HAUS", 10, (10, 0)), WrittenMove(2, 1, 1, Action.CHALLENGE_REJECTED, 0, (0, 0), ref=7)],
        [WrittenMove(1, 1, 0, Action.PLACE, 0, (0, 0))],
        [place(1, 0, "H5 HAUS", 10, (10, 0)), place(1, 1, "8H .E", 2, (10, 2))],
    ],
)
def test_what_no_file_can_hold(moves: list[WrittenMove]) -> None:
    for write in (write_gcg, write_tsv, write_sheet):
        with pytest.raises(NotationError, match=r"move(s|) [12]( |:|$)"):
            write(game(*moves))
