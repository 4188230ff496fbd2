"""Second thoughts: corrections, undo and redo, blanks named and scores agreed on later."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.board import Square
from scorer.events import (
    BlankNamed,
    ChallengeRejected,
    Corrected,
    Event,
    Exchanged,
    MoveTimedOut,
    Noted,
    NothingLaid,
    Passed,
    Redone,
    Resigned,
    ScoreAgreed,
    Stopped,
    Undone,
    Withdrawn,
)
from scorer.game import GameState, advance
from tests.scorer.games import HAUS, SEE, doubt, lay, state
from tests.scorer.test_game import accepted, refused


def facts(after: GameState) -> tuple[Any, ...]:
    """What a game has come to, without the events that led there."""
    return after.board, after.totals, after.next_player, after.rack_sizes, after.bag, after.end, after.log


# --- corrections --------------------------------------------------------------------------------------------------


def test_a_correction_recomputes_everything_after_it() -> None:
    """HAUS was RAUS: the score of the first move changes, and every total behind it."""
    after = accepted(state(HAUS, SEE, Passed(0)), Corrected(1, lay(0, "H5 RAUS")))
    assert [entry.totals for entry in after.log[:3]] == [(8, 0), (8, 3), (8, 3)]
    assert after.board.rows[7] == "....RAUS......."
    later = accepted(state(HAUS, SEE, Passed(0)), Corrected(2, lay(1, "8H .EX")))
    assert [entry.totals for entry in later.log[:3]] == [(10, 0), (10, 10), (10, 10)]


def test_numbers_stay_so_that_references_hold() -> None:
    after = accepted(state(HAUS, SEE, ChallengeRejected(0, 2)), Corrected(1, lay(0, "H6 BUS")))
    assert [entry.number for entry in after.log] == [1, 2, 3, 4]
    assert after.totals == (0, 3)


def test_an_event_that_never_was_is_struck_out() -> None:
    after = accepted(state(HAUS, SEE, Passed(0), Passed(1)), Corrected(4, None))
    assert (after.next_player, [entry.number for entry in after.log]) == (1, [1, 2, 3, 5])


def test_what_no_longer_fits_after_a_correction_is_marked_not_lost() -> None:
    """Without HAUS, SEE hangs in the air; a reference to the struck move has no effect."""
    after = advance(state(HAUS, SEE, doubt(2, "-SEE", by=(0,))), Corrected(2, None))
    assert [entry.codes for entry in after.log] == [[], ["no-such-move"], []]
    assert after.totals == (10, 0)
    alone = advance(state(HAUS, SEE), Corrected(1, None))
    assert alone.log[0].codes == ["out-of-turn", "first-word-off-star"]


def test_the_last_of_several_corrections_counts() -> None:
    after = state(HAUS, Corrected(1, lay(0, "H6 BUS")), Corrected(1, lay(0, "H5 LAUS")))
    assert after.board.rows[7] == "....LAUS......."


def test_a_correction_that_makes_a_bad_move_is_refused() -> None:
    assert refused(state(HAUS, SEE), Corrected(1, lay(0, "A1 HAUS"))) == ["first-word-off-star"]


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Corrected(7, None), "no-such-move"),
        (Corrected(3, None), "no-such-move"),
        (Corrected(4, None), "no-such-move"),  # itself, no event yet
        (Corrected(1, Undone()), "bad-correction"),  # type: ignore[arg-type]
        (Corrected(1, Corrected(1, None)), "bad-correction"),  # type: ignore[arg-type]
    ],
)
def test_corrections_that_cannot_be(event: Event, code: str) -> None:
    before = state(HAUS, SEE)
    assert refused(before, event) == [code]
    assert facts(state(HAUS, SEE, event))[:6] == facts(before)[:6]


def test_a_correction_is_undone_or_followed_by_another_not_corrected() -> None:
    corrected = state(HAUS, SEE, Corrected(1, lay(0, "H5 RAUS")))
    assert refused(corrected, Corrected(3, None)) == ["no-such-move"]
    assert facts(state(HAUS, SEE, Corrected(1, lay(0, "H5 RAUS")), Corrected(3, None)))[:6] == facts(corrected)[:6]
    assert accepted(corrected, Corrected(1, HAUS)).totals == (10, 3)


def test_a_correction_names_players_of_the_game() -> None:
    assert refused(state(HAUS, SEE), Corrected(1, Passed(4))) == ["no-such-player"]


# --- undo and redo ------------------------------------------------------------------------------------------------


def test_undo_and_redo() -> None:
    before = state(HAUS, SEE)
    undone = accepted(before, Undone())
    assert facts(undone) == facts(state(HAUS))
    assert facts(accepted(undone, Redone())) == facts(before)
    assert undone.game.events == (HAUS, SEE, Undone())


def test_undo_goes_back_to_the_beginning_and_not_further() -> None:
    twice = state(HAUS, SEE, Undone(), Undone())
    assert facts(twice) == facts(state())
    assert refused(twice, Undone()) == ["nothing-to-undo"]
    assert facts(state(HAUS, SEE, Undone(), Undone(), Redone(), Redone())) == facts(state(HAUS, SEE))


def test_a_new_event_ends_the_redo() -> None:
    after = state(HAUS, SEE, Undone(), Passed(1))
    assert refused(after, Redone()) == ["nothing-to-redo"]
    assert after.next_player == 0


def test_a_correction_is_undone_as_any_event() -> None:
    corrected = state(HAUS, SEE, Corrected(1, lay(0, "H6 BUS")))
    assert facts(accepted(corrected, Undone())) == facts(state(HAUS, SEE))
    assert facts(state(HAUS, Resigned(1), Undone())) == facts(state(HAUS))


# --- blanks -------------------------------------------------------------------------------------------------------

OPEN = lay(0, "H5 HA?S")


def test_an_open_blank_is_a_state_with_a_question() -> None:
    """R6.3: it counts 0, lies there, and blocks noting the points until it is named."""
    before = state(OPEN)
    assert before.open_blanks == (Square(7, 6),)
    assert before.totals == (8, 0)
    assert refused(before, Noted(1)) == ["blank-open"]
    assert isinstance(accepted(state(OPEN, rules="familie"), Noted(1)), GameState)


def test_a_blank_gets_its_letter_and_keeps_it() -> None:
    """R6.1, R6.2: named once, for the whole game; in the words of before and after."""
    named = accepted(state(OPEN), BlankNamed(Square(7, 6), "U"))
    assert (named.open_blanks, named.totals) == ((), (8, 0))
    assert named.board.rows[7] == "....HAuS......."
    assert named.log[0].play is not None
    assert named.log[0].play.words[0].word == "HAuS"
    assert refused(named, BlankNamed(Square(7, 6), "Ü")) == ["no-open-blank"]
    late = accepted(state(OPEN, SEE), BlankNamed(Square(7, 6), "U"))
    assert late.board.rows[7] == "....HAuS......."


@pytest.mark.parametrize("letter", ["ß", "?", "u", "Ñ", "ẞ", "", "AB", "İ"])
def test_what_a_blank_cannot_be(letter: str) -> None:
    """R6.1: never ß; a letter of the set."""
    event = BlankNamed(Square(7, 6), letter)
    assert refused(state(OPEN), event) == ["no-blank-letter"]
    handmade = state(OPEN, event)
    assert "no-blank-letter" in handmade.log[1].codes
    assert handmade.board == state(OPEN).board


@pytest.mark.parametrize("naming", ["announced", "written", "later"])
def test_a_blank_is_named_before_the_game_goes_on(naming: str) -> None:
    """R6.2, R6.3: whatever closes the move asks for the letter first, unless it may be named later."""
    before = state(OPEN, blank_naming=naming, move_timeout="pass")
    for event in (SEE, Passed(1), Exchanged(1, 2), NothingLaid(1), MoveTimedOut(1), Stopped(), Noted(1)):
        if naming == "later":
            accepted(before, event)
        else:
            assert refused(before, event) == ["blank-open"]


def test_no_blank_where_there_is_none() -> None:
    assert refused(state(OPEN), BlankNamed(Square(7, 5), "U")) == ["no-open-blank"]
    assert refused(state(OPEN), BlankNamed(Square(0, 0), "U")) == ["no-open-blank"]


def test_a_wrongly_named_blank_is_corrected_as_any_event() -> None:
    """RÜFE or RUFE: the note was wrong."""
    wrong = state(OPEN, BlankNamed(Square(7, 6), "Ü"))
    assert wrong.board.rows[7] == "....HAüS......."
    right = accepted(wrong, Corrected(2, BlankNamed(Square(7, 6), "U")))
    assert right.board.rows[7] == "....HAuS......."


def test_the_blank_of_a_move_taken_back_is_not_the_one_laid_again() -> None:
    again = lay(0, "H6 ?US")
    after = state(OPEN, doubt(1, "-HA?S"), Passed(1), again, BlankNamed(Square(7, 5), "A"))
    assert after.board.rows[7] == ".....aUS......."
    assert after.log[0].play is not None
    assert after.log[0].play.words[0].word == "HA?S"


# --- announced, computed, agreed ----------------------------------------------------------------------------------

SAID_32 = lay(0, "H5 HAUS", announced=32)


@pytest.mark.parametrize(("correction", "points"), [("always", 10), ("window", 10), ("never", 32)])
def test_three_numbers_for_a_score(correction: str, points: int) -> None:
    """R3.6: announced, computed, and what counts."""
    entry = state(SAID_32, score_correction=correction).log[0]
    assert (entry.announced, entry.computed, entry.points) == (32, 10, points)


@pytest.mark.parametrize(
    ("correction", "events", "points", "unanimous", "codes"),
    [
        ("window", (), 10, False, []),
        ("window", (), 12, False, ["not-agreed"]),
        ("window", (), 12, True, []),
        ("window", (Passed(1),), 10, False, ["not-agreed"]),
        ("window", (Noted(1),), 10, False, ["not-agreed"]),
        ("window", (Passed(1),), 32, True, []),
        ("always", (Passed(1),), 10, False, []),
        ("never", (), 10, False, ["not-agreed"]),
        ("never", (), 10, True, []),
    ],
)
def test_agreeing_on_a_score(
    correction: str, events: tuple[Event, ...], points: int, unanimous: bool, codes: list[str]
) -> None:
    """R3.6: the computed score as long as the rules allow, any other only by agreement of all."""
    before = state(SAID_32, *events, score_correction=correction)
    event = ScoreAgreed(1, points, unanimous)
    if codes:
        assert refused(before, event) == codes
    else:
        after = accepted(before, event)
        assert (after.totals, after.log[0].points) == ((points, 0), points)


def test_a_move_taken_back_costs_what_it_brought() -> None:
    after = state(SAID_32, ScoreAgreed(1, 12, unanimous=True), Withdrawn(1))
    assert after.totals == (0, 0)
