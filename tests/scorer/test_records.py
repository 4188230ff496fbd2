"""From games to records and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.board import Board
from scorer.events import (
    ChallengeRejected,
    Corrected,
    DrawnForFirst,
    Event,
    Exchanged,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    Resigned,
    ScoreAgreed,
    Undone,
    Withdrawn,
)
from scorer.formats import read_written_game, write_gcg, write_sheet, write_tsv
from scorer.game import GameState
from scorer.notation import Notation
from scorer.placement import Placement
from scorer.records import written_game
from scorer.rescore import rescore
from scorer.written import Action, WrittenGame
from tests.scorer.games import HAUS, OUT, SEE, THREE_WORDS, doubt, lay, state, tiny
from tests.scorer.random_games import random_game


def lines(after: GameState) -> list[tuple[str, int, int, tuple[int | None, ...]]]:
    return [(str(move.action), move.player, move.points, move.totals) for move in written_game(after).moves]


def notes(after: GameState) -> list[str]:
    return [move.note for move in written_game(after).moves]


def test_a_game_as_it_is_written_down() -> None:
    after = state(HAUS, SEE, doubt(2, "SEE", by=(0,)), Exchanged(0, tiles="ENN"), Exchanged(1, 2), Passed(0))
    assert lines(after) == [
        ("place", 0, 10, (10, 0)),
        ("place", 1, 3, (10, 3)),
        ("challenge-rejected", 0, -10, (0, 3)),
        ("exchange", 0, 0, (0, 3)),
        ("exchange", 1, 0, (0, 3)),
        ("pass", 0, 0, (0, 3)),
    ]
    moves = written_game(after).moves
    assert [move.tiles for move in moves[3:5]] == ["ENN", "2"]
    assert moves[1].move is not None
    assert moves[1].move.text(Notation.GERMAN) == "8H .EE"
    assert moves[2].ref == 2
    assert moves[2].note.splitlines() == [
        "Angezweifelt von A: SEE, gelegt von B.",
        "SEE: erlaubt",
        "Nichts zu beanstanden: Der Zug bleibt liegen und zählt.",
        "1 Wort x 10 = 10 Punkte Abzug für A.",
        "Am Zug bleibt A.",
    ]


def test_a_challenge_off_names_the_challenger_and_takes_from_the_other() -> None:
    after = state(HAUS, SEE, doubt(2, "-SEE", by=(0,)))
    assert lines(after)[2] == ("challenge-upheld", 0, -3, (10, 0))
    assert notes(after)[2].splitlines()[:2] == ["Angezweifelt von A: SEE, gelegt von B.", "SEE: nicht erlaubt"]
    assert written_game(after, language="en").moves[2].note.splitlines()[1] == "SEE: not allowed"


def test_the_settlement_takes_and_gives() -> None:
    """R11.1, R11.2: two lines, German custom."""
    after = tiny(*OUT, RacksShown((None, None)))
    assert [(move.action, move.player, move.points, move.tiles) for move in written_game(after).moves[3:]] == [
        (Action.RACK_SETTLEMENT, 0, 2, "EE"),
        (Action.RACK_SETTLEMENT, 1, -2, "EE"),
    ]


NOTES = [
    "Angesagt 32, gerechnet 10, vereinbart 12: es zählen 12.\n"
    "Vereinbart für den Zug von A, und alle stimmen zu: 12 Punkte.",
    "B passt oder tauscht: 0 Punkte. Was davon, ist nicht bekannt.",
    "B hat die Zeit um 1:01 überzogen.\nB gibt auf.",
]


def test_what_a_record_cannot_say_is_a_note() -> None:
    after = state(
        DrawnForFirst(((0, "A"), (1, "E"))),
        lay(0, "H5 HAUS", announced=32),
        ScoreAgreed(2, 12, unanimous=True),
        NothingLaid(1),
        Overtime(1, 61),
        Resigned(1),
    )
    assert written_game(after).description == "Auslosung: A zieht A, B zieht E."
    assert notes(after) == NOTES
    assert lines(after)[2] == ("time-penalty", 1, -20, (12, -20))


def test_undone_and_corrected_events_leave_the_game_as_it_counts() -> None:
    after = state(HAUS, SEE, Undone(), Corrected(1, lay(0, "H5 RAUS")))
    assert lines(after) == [("place", 0, 8, (8, 0))]


def test_tiles_in_no_line_are_named_in_a_note() -> None:
    crooked = Placed(1, Placement.of([((6, 4), "A"), ((8, 6), "B")]))
    assert notes(state(HAUS, crooked))[1].splitlines()[0] == "B legt A auf G5 und B auf I7."
    gap = Placed(1, Placement.of([((6, 4), "A"), ((6, 6), "B")]))
    move = written_game(state(HAUS, gap)).moves[1].move
    assert move is not None
    assert move.text(Notation.GERMAN) == "G5 A.B"


@pytest.mark.parametrize(
    ("event", "actions", "totals"),
    [
        (Withdrawn(2, 0), ["place", "pass"], (10, 0)),
        (doubt(2, "-AB", by=(0,)), ["place", "pass"], (10, 0)),
        (ChallengeRejected(0, 2), ["place", "pass", "time-penalty"], (0, 0)),
    ],
)
def test_a_challenge_of_tiles_in_no_line_is_a_note(event: Event, actions: list[str], totals: tuple[int, int]) -> None:
    crooked = Placed(1, Placement.of([((6, 4), "A"), ((8, 6), "B")]))
    after = state(HAUS, crooked, event)
    assert [str(move.action) for move in written_game(after).moves] == actions
    assert written_game(after).moves[-1].totals == totals == after.totals


def test_allowed_words_are_paid_for_before_the_move_is_taken_back() -> None:
    """R8.7: in a record a challenge is of a move that stands."""
    after = state(HAUS, THREE_WORDS, doubt(2, "ES", "-SS", by=(0,)), mixed_challenge="each-valid")
    assert [(action, points) for action, _, points, _ in lines(after)[2:]] == [
        ("challenge-rejected", -10),
        ("challenge-upheld", -8),
    ]
    for text in (write_gcg(written_game(after)), write_tsv(written_game(after)), write_sheet(written_game(after))):
        again = rescore(read_written_game(text.encode()), after.game.rules, after.game.tile_set)
        assert (again.differences, again.state.totals) == (0, after.totals)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6).map(random_game))
def test_every_game_can_be_written_and_read_in_every_format(after: GameState) -> None:
    """Board and totals come back; the notation is that of the format."""
    written = written_game(after)
    if not written.moves:
        return
    for write in (write_gcg, write_tsv, write_sheet):
        again = rescore(read_written_game(write(written).encode()), after.game.rules, after.game.tile_set)
        assert again.state.board == after.board
        assert _last_totals(again.written) == after.totals


def _last_totals(written: WrittenGame) -> tuple[int, ...]:
    totals = [0] * len(written.players)
    for move in written.moves:
        totals = [new if new is not None else old for old, new in zip(totals, move.totals, strict=True)]
    return tuple(totals)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6).map(random_game))
def test_a_record_scored_again_is_the_game(after: GameState) -> None:
    """Same board and totals; points differ only where the table agreed on others, or a move no longer fits."""
    written = written_game(after)
    again = rescore(written, after.game.rules, after.game.tile_set)
    assert again.state.board == after.board
    assert (written.moves[-1].totals if written.moves else (0,) * len(after.totals)) == after.totals
    noted = {move.number for move in written.moves if move.note}
    assert {move.written.number for move in again.moves if move.points_differ} <= noted


@pytest.mark.parametrize("notation", Notation)
def test_the_notation_is_that_of_writing_not_of_the_board(notation: Notation) -> None:
    written = written_game(state(HAUS), notation)
    assert written.notation is notation
    assert rescore(written, state().game.rules, state().game.tile_set).state.board != Board.empty()


def test_a_challenge_by_nobody_known_is_recorded_all_the_same() -> None:
    """R8.3: the line names who had laid the move, as GCG does; with nobody to pay it is a note."""
    assert lines(state(HAUS, doubt(1, "-HAUS", by=())))[1] == ("challenge-upheld", 0, -10, (0, 0))
    allowed = state(HAUS, doubt(1, "HAUS", by=()))
    assert len(lines(allowed)) == 1
    assert notes(allowed)[0].splitlines()[:2] == [
        "Angezweifelt, von wem ist nicht bekannt: HAUS, gelegt von A.",
        "HAUS: erlaubt",
    ]
