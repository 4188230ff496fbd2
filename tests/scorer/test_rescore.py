"""Written games scored again: what differs, and in which line."""

from __future__ import annotations

import pytest

from scorer.board import Board
from scorer.events import Withdrawn
from scorer.formats import read_written_game
from scorer.rescore import Rescore, rescore
from scorer.rules import RuleSet, rule_set
from scorer.tiles import ENGLISH_100, GERMAN_102

HEADER = "move\tplayer\taction\tcoord\ttiles\tpoints\tref\ttotal_1\ttotal_2"
LINES = (
    "1 1 place H5 HAUS 10 - 10 0",
    "2 2 place 8H .EE 3 - 10 3",
    "3 1 place H3 ZU....E 11 - 21 3",
    "4 2 challenge-rejected - - -10 3 21 -7",
    "5 2 place J7 T.NR 6 - 21 -1",
    "6 1 challenge-upheld - - -6 5 21 -7",
    "7 1 pass - - 0 - 21 -7",
)


def tsv(*lines: str) -> bytes:
    rows = ("\t".join("" if cell == "-" else cell for cell in line.split()) for line in lines)
    return "\n".join([HEADER, *rows]).encode()


def scored(data: bytes, rules: str = "turnier") -> Rescore:
    return rescore(read_written_game(data), rule_set(rules), GERMAN_102)


def differing(result: Rescore) -> list[tuple[int, bool, bool]]:
    return [(move.written.number, move.points_differ, move.totals_differ) for move in result.moves if move.differs]


def test_a_right_record_has_no_differences() -> None:
    result = scored(tsv(*LINES))
    assert result.differences == 0
    assert [move.computed for move in result.moves] == [10, 3, 11, -10, 6, -6, 0]
    assert [move.totals for move in result.moves][-1] == (21, -7)
    assert result.state.board.rows[7:10] == ("..ZUHAUSE......", ".......E.......", ".......E.......")


def test_the_shape_of_the_command() -> None:
    result = scored(tsv(*LINES)).to_json()
    assert result["differences"] == 0
    assert result["moves"][2] == {
        "move": 3,
        "line": 4,
        "player": 1,
        "action": "place",
        "recorded": 11,
        "computed": 11,
        "totals": [21, 3],
        "recorded_totals": [21, 3],
        "words": [{"word": "ZUHAUSE", "score": 11}],
        "faults": [],
        "differs": False,
        "why": [],
    }
    assert (result["notation"], result["notation_source"]) == ("german", "declared")
    assert RuleSet.from_json(result["rule_set"]) == rule_set("turnier")  # R8.14: whole


@pytest.mark.parametrize(
    ("number", "old", "new", "differs"),
    [
        (3, "11 - 21", "12 - 21", [(3, True, False)]),
        (1, "10 - 10 0", "11 - 10 0", [(1, True, False)]),
        (2, "3 - 10 3", "3 - 10 4", [(2, False, True)]),
        (2, "3 - 10 3", "3 - 11 3", [(2, False, True)]),
        (4, "-10 3 21 -7", "-5 3 21 -7", [(4, True, False)]),
        (6, "-6 5 21 -7", "-4 5 21 -7", [(6, True, False)]),
        (7, "0 - 21", "0 - 22", [(7, False, True)]),
    ],
)
def test_one_altered_number_names_its_move(
    number: int, old: str, new: str, differs: list[tuple[int, bool, bool]]
) -> None:
    lines = list(LINES)
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    assert differing(scored(tsv(*lines))) == differs


def test_a_wrong_score_that_the_totals_carry_along_is_named_once() -> None:
    """HAUS noted with 12 and both totals of the first player going on from there, the withdrawal of it included."""
    result = scored(
        tsv(
            "1 1 place H5 HAUS 12 - 12 0",
            "2 2 pass - - 0 - 12 0",
            "3 1 place 8H .EE 3 - 15 0",
            "4 2 challenge-upheld - - -3 3 12 0",
            "5 2 challenge-upheld - - -12 1 0 0",
        )
    )
    assert differing(result) == [(1, True, False)]


def test_a_wrong_total_that_is_carried_along_is_named_once() -> None:
    result = scored(tsv("1 1 place H5 HAUS 10 - 11 0", "2 2 pass - - 0 - 11 0", "3 1 place 8H .EE 3 - 14 0"))
    assert differing(result) == [(1, False, True)]


def test_rules_decide_what_a_wrong_challenge_costs() -> None:
    assert differing(scored(tsv(*LINES), "scrabble-deutschland")) == [(4, True, False)]
    two_words = tsv(
        "1 1 place H7 OHM 14 - 14 0",
        "2 2 place G7 JA 30 - 14 30",
        "3 1 challenge-rejected - - -20 2 -6 30",
    )
    assert scored(two_words).differences == 0
    four_words = two_words.replace(b"-20\t2\t-6", b"-40\t2\t-26")
    assert differing(scored(four_words)) == [(3, True, False)]


def test_faults_are_given_and_make_no_difference_of_their_own() -> None:
    result = scored(tsv("1 1 place H5 HAUS 10 - 10 0", "2 2 place A1 EI 6 - 10 6", "3 1 place H3 ZUHAUT 0 - 10 6"))
    assert [move.faults.codes for move in result.moves] == [[], ["not-connected"], ["square-taken"]]
    assert result.differences == 0


GCG = """#player1 a Anna
#player2 b Bert
>a: AHSU 8E HAUS +10 10
>b: EE H8 .EE +3 3
>b: EE -- -3 0
>a: ZUE 8C ZU....E +11 21
>b: EE (challenge) +5 5
>a: QX -QX +0 21
>b: EE (time) -10 -5
"""


@pytest.mark.parametrize(
    "settlement",
    [
        [">a: (EE) +4 25"],  # twice the rest of the other rack, by the custom of GCG
        [">b: EE (EE) -2 -7", ">a: (EE) +2 23"],  # each pays and gets, as on a German sheet (R11.1, R11.2)
        [">a: QX (QX) -18 3", ">b: EE (EE) -2 -7"],  # ended by passing: only subtraction (R11.4)
    ],
)
def test_gcg_with_everything(settlement: list[str]) -> None:
    result = scored((GCG + "\n".join(settlement)).encode())
    assert result.differences == 0


def test_a_settlement_that_does_not_fit_the_rack_differs() -> None:
    result = scored((GCG + ">a: (EE) +5 26").encode())
    assert differing(result) == [(8, True, False)]
    assert result.moves[-1].computed == 4


def test_the_other_notation_mirrors_the_board_and_changes_no_score() -> None:
    german = scored(GCG.replace("#player1", "#orientation lettered-rows\n#player1").encode())
    international = scored(GCG.encode())
    assert [move.computed for move in german.moves] == [move.computed for move in international.moves]
    mirrored = ["".join(column) for column in zip(*international.state.board.rows, strict=True)]
    assert german.state.board == Board.parse(mirrored)


def test_gcg_does_not_say_who_challenged() -> None:
    """The line of a withdrawal names who had laid the move; the tab-separated record names the challenger."""
    assert scored(GCG.encode()).state.log[2].event == Withdrawn(2, player=None)
    assert scored(tsv(*LINES)).state.log[5].event == Withdrawn(5, player=0)


def test_english_tiles() -> None:
    game = read_written_game(b">x: QUIZ 8F QUIZ +44 44\n>y: A - +0 0\n>x: S 8F ....ES +24 68\n")
    assert rescore(game, rule_set("mattel"), ENGLISH_100).differences == 0


def test_four_players() -> None:
    game = read_written_game(b">w: HAUS 8E HAUS +10 10\n>x: A - +0 0\n>y: A - +0 0\n>z: EE H8 .EE +3 3\n")
    result = rescore(game, rule_set("turnier"), GERMAN_102)
    assert result.differences == 0
    assert result.moves[-1].totals == (10, 0, 0, 3)
