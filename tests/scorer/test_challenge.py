"""Challenges in a game: in time or late, upheld or rejected, and who pays (R8)."""

from __future__ import annotations

import pytest

from scorer.board import Board, Square
from scorer.challenge import Outcome
from scorer.events import (
    BlankNamed,
    ChallengeRejected,
    Event,
    MoveTimedOut,
    Noted,
    Passed,
    Placed,
    Refilled,
    Resigned,
    Withdrawn,
)
from scorer.game import GameState, advance, offer
from scorer.placement import Placement
from tests.scorer.games import HAUS, OUT, SEE, THREE_WORDS, TINY, doubt, lay, state, tiny
from tests.scorer.test_game import accepted, refused

NAMED = {"challenge_scope": "named"}


def outcome(after: GameState) -> Outcome | None:
    found = after.log[-1].challenge
    return found.outcome if found else None


@pytest.mark.parametrize("rules", ["mattel", "scrabble-deutschland", "turnier", "familie"])
def test_a_word_that_is_not_allowed_is_taken_back(rules: str) -> None:
    """R8.3, R4.6: tiles back, no points, the turn is lost; nobody pays."""
    after = accepted(state(HAUS, rules=rules), doubt(1, "-HAUS"))
    assert outcome(after) is Outcome.UPHELD
    assert (after.totals, after.board, after.next_player) == ((0, 0), Board.empty(), 1)
    assert (after.rack_sizes, after.bag) == ((7, 7), 88)
    assert after.log[0].withdrawn
    assert after.log[1].changes == (-10, 0)


@pytest.mark.parametrize(
    ("rules", "one", "three"),
    [("mattel", 0, 0), ("scrabble-deutschland", -5, -5), ("turnier", -10, -30), ("familie", 0, 0)],
)
def test_allowed_words_cost_the_challenger_who_stays_in_turn(rules: str, one: int, three: int) -> None:
    """R8.5, R8.6, R8.11, R8.12, R12.6, R13.5: nothing, 5 a challenge, 10 a word; nothing for the challenged player."""
    after = accepted(state(HAUS, rules=rules), doubt(1, "HAUS"))
    assert outcome(after) is Outcome.REJECTED
    assert (after.totals, after.next_player) == ((10, one), 1)
    assert after.board == state(HAUS).board
    points = state(HAUS, THREE_WORDS).totals[1]
    after = accepted(state(HAUS, THREE_WORDS, rules=rules), doubt(2, "ES", "UE", "SS", by=(0,)))
    assert after.totals == (10 + three, points)


@pytest.mark.parametrize(
    ("rules", "events", "late"),
    [
        ("mattel", (Noted(1),), True),
        ("mattel", (Refilled(1, 4),), False),
        ("mattel", (Passed(1),), True),
        ("turnier", (Noted(1),), True),
        ("familie", (Noted(1), Refilled(1, 4)), False),
        ("familie", (SEE,), True),
    ],
)
def test_after_the_move_is_closed_it_stays(rules: str, events: tuple[Event, ...], late: bool) -> None:
    """R8.2: closed when the points are noted or the next player has moved; late, even a wrong word stays."""
    before = state(HAUS, *events, rules=rules)
    after = accepted(before, doubt(1, "-HAUS"))
    assert outcome(after) is (Outcome.TOO_LATE if late else Outcome.UPHELD)
    assert after.totals == (before.totals if late else (0, 0))
    assert (after.board == before.board) is late


def test_drawing_closes_the_move_where_that_was_agreed() -> None:
    """R3.5: announce, draw, note."""
    drawn = state(HAUS, Refilled(1, 4), rules="mattel", challenge_until="drawn")
    assert outcome(accepted(drawn, doubt(1, "-HAUS"))) is Outcome.TOO_LATE


@pytest.mark.parametrize(("seconds", "late"), [(None, False), (0, False), (20.0, False), (20.001, True), (90, True)])
def test_twenty_seconds_in_a_tournament(seconds: float | None, late: bool) -> None:
    """R8.2: the window of 20 seconds; without a time the other events decide."""
    after = accepted(state(HAUS), doubt(1, "-HAUS", seconds=seconds))
    assert outcome(after) is (Outcome.TOO_LATE if late else Outcome.UPHELD)
    assert outcome(accepted(state(HAUS, rules="mattel"), doubt(1, "-HAUS", seconds=seconds))) is Outcome.UPHELD


def test_only_the_last_move_can_be_challenged() -> None:
    after = accepted(state(HAUS, SEE), doubt(1, "-HAUS"))
    assert outcome(after) is Outcome.TOO_LATE


@pytest.mark.parametrize(("mixed", "change"), [("none", 0), ("each-valid", -20)])
def test_allowed_words_beside_one_that_is_not(mixed: str, change: int) -> None:
    """R8.7: free, or each paid for."""
    after = accepted(state(HAUS, THREE_WORDS, mixed_challenge=mixed), doubt(2, "ES", "UE", "-SS", by=(0,)))
    assert outcome(after) is Outcome.UPHELD
    assert after.totals == (10 + change, 0)
    assert after.log[-1].challenge is not None
    assert (after.log[-1].challenge.invalid, after.log[-1].challenge.valid) == (("SS",), ("ES", "UE"))


def test_a_challenge_names_its_words_or_is_about_all() -> None:
    """R8.8: a wrong word that nobody named stays in a tournament; at home all words have to be looked up."""
    named = state(HAUS, THREE_WORDS)
    assert outcome(accepted(named, doubt(2, "ES", by=(0,)))) is Outcome.REJECTED
    assert refused(named, doubt(2, by=(0,))) == ["no-word-named"]
    all_words = state(HAUS, THREE_WORDS, rules="mattel")
    assert refused(all_words, doubt(2, "ES", by=(0,))) == ["verdict-missing"]
    assert outcome(accepted(all_words, doubt(2, "-SS", by=(0,)))) is Outcome.UPHELD


def test_only_words_of_the_move_are_challenged() -> None:
    """R8.8; SEE is not a new word of the play that forms ES, UE and SS."""
    assert refused(state(HAUS, THREE_WORDS), doubt(2, "HAUS", by=(0,))) == ["word-not-formed"]
    assert refused(state(HAUS), doubt(1, "HAUS", "HAUS")) == ["word-not-formed"]


@pytest.mark.parametrize(("proof", "found"), [("player", Outcome.UPHELD), ("look-up", None), ("table", None)])
def test_a_word_that_is_not_found(proof: str, found: Outcome | None) -> None:
    """R8.13: where the player has to show it, it is not allowed; else somebody has to decide."""
    before = state(HAUS, proof=proof)
    if found is None:
        assert refused(before, doubt(1, "?HAUS")) == ["verdict-missing"]
    else:
        assert outcome(accepted(before, doubt(1, "?HAUS"))) is found


@pytest.mark.parametrize(("joint", "totals"), [("first", (10, 0, -10)), ("each", (10, -10, -10))])
def test_several_challengers(joint: str, totals: tuple[int, ...]) -> None:
    """R8.9: the first one pays, or each."""
    three = {"rules": "mattel", "players": ("A", "B", "C"), "challenge_penalty": 10, "joint_challenge": joint}
    assert accepted(state(HAUS, **three), doubt(1, "HAUS", by=(2, 1))).totals == totals  # type: ignore[arg-type]


def test_who_may_challenge() -> None:
    """R8.9: nobody the own move; any opponent, or only the next one; nobody twice."""
    three = {"rules": "mattel", "players": ("A", "B", "C")}
    assert refused(state(HAUS, **three), doubt(1, "-HAUS", by=(0,))) == ["own-move"]  # type: ignore[arg-type]
    assert isinstance(offer(state(HAUS, **three), doubt(1, "-HAUS", by=(2,))), GameState)  # type: ignore[arg-type]
    only_next = state(HAUS, challengers="next", **three)  # type: ignore[arg-type]
    assert refused(only_next, doubt(1, "-HAUS", by=(2,))) == ["may-not-challenge"]
    assert refused(state(HAUS), doubt(1, "-HAUS", by=(1, 1))) == ["may-not-challenge"]
    assert refused(state(HAUS), doubt(1, "-HAUS", by=())) == ["may-not-challenge"]


@pytest.mark.parametrize(("lost", "turns"), [(0, [0, 1, 0, 1]), (1, [1, 0, 1, 0]), (2, [1, 1, 0, 1])])
def test_turns_lost_by_a_word_that_is_not_allowed(lost: int, turns: list[int]) -> None:
    """R8.4: the turn it was laid in; by agreement the next one too, or none: the tiles are laid anew."""
    after = accepted(state(HAUS, turns_lost=lost, end_on_passes=0), doubt(1, "-HAUS"))
    seen = []
    for _ in turns:
        seen.append(after.next_player)
        after = accepted(after, Passed(after.next_player))
    assert seen == turns


def test_tiles_drawn_before_the_challenge_go_back() -> None:
    """R8.10: the bag holds as many as before."""
    after = accepted(tiny(HAUS, rules="familie"), doubt(1, "-HAUS"))
    assert (after.bag, after.rack_sizes, after.bag_emptier) == (4, (4, 4), None)
    last = tiny(*OUT)
    assert last.end is not None
    back = accepted(last, doubt(3, "-SEEHAUS"))
    assert (back.end, back.rack_sizes, back.totals) == (None, (4, 2), (10, 3))


def test_a_move_laid_anew_is_one_turn() -> None:
    """R8.3, R8.4, R10.2: with no turn lost the move taken back was none; B has not even been in turn."""
    anew = {"turns_lost": 0, "end_on_scoreless_rounds": 1, "taken_back_counts_as_pass": True, "end_on_passes": 1}
    twice = state(HAUS, doubt(1, "-HAUS"), HAUS, doubt(3, "-HAUS"), rules="mattel", **anew)
    assert (twice.end, twice.next_player) == (None, 0)
    assert state(HAUS, doubt(1, "-HAUS"), Passed(0), Passed(1), rules="mattel", **anew).end is not None
    out = state(HAUS, Resigned(0), Withdrawn(1), rules="mattel", players=("A", "B", "C"), turns_lost=0)
    assert out.next_player == 1


def test_taking_back_a_move_of_long_ago_loses_no_tile() -> None:
    """R1.2: what the rack cannot hold any more is in the bag again."""
    after = tiny(*OUT, doubt(3, "-SEEHAUS"), Passed(1), lay(0, "8K HAUS"), Withdrawn(2), Withdrawn(1))
    assert sum(after.rack_sizes) + after.bag + sum(1 for _ in after.board) == TINY.total
    assert max(after.rack_sizes) <= 4
    nothing = Placed(1, Placement(()))  # B fills the rack up by a faulty move of no tile, and lays it all
    many = tiny(HAUS, SEE, Withdrawn(1), nothing, Passed(0), lay(1, "A1 HAUS"), Passed(0), lay(1, "B1 EE"))
    assert many.rack_sizes == (4, 0)
    gone = advance(many, Withdrawn(4))
    assert (gone.rack_sizes, gone.bag) == (many.rack_sizes, many.bag)


@pytest.mark.parametrize("timeout", ["pass", "reminder"])
def test_a_move_timed_out_closes_the_one_before_when_it_is_a_pass(timeout: str) -> None:
    """R8.2, R12.5: the next player has moved."""
    after = state(HAUS, MoveTimedOut(1), doubt(1, "-HAUS"), rules="familie", move_seconds=60, move_timeout=timeout)
    assert outcome(after) is (Outcome.TOO_LATE if timeout == "pass" else Outcome.UPHELD)


def test_noting_another_move_closes_nothing() -> None:
    """R8.2; against the rules as it is."""
    after = state(HAUS, SEE, Noted(1), Refilled(1, 4), challenge_until="drawn", turn_order="any")
    assert after.open_move == 2
    assert [entry.codes for entry in after.log[2:]] == [["move-closed"], ["move-closed"]]


def test_real_disputes() -> None:
    """A cross word at fault takes the whole move back, as in DOTZ with OS: the points of all its words."""
    before = state(HAUS, THREE_WORDS)
    after = accepted(before, doubt(2, "-SS", by=(0,)))
    assert after.log[-1].changes == (0, -before.totals[1])
    assert after.board == state(HAUS).board
    assert after.next_player == 0


def test_a_withdrawal_a_photo_shows_is_the_same() -> None:
    assert state(HAUS, Withdrawn(1)).totals == state(HAUS, doubt(1, "-HAUS")).totals


def test_a_premium_under_a_move_taken_back_counts_again() -> None:
    """R5.3, R8.3: the square is free as before."""
    first = lay(1, "H5 HAUS")
    after = state(HAUS, doubt(1, "-HAUS"), first)
    assert after.totals == (0, 10)


def test_a_word_with_an_open_blank_is_not_looked_up_before_it_is_named() -> None:
    """R6.3: RÜFE or RUFE? First the letter, then the dictionary. A record may have it the other way round: then the
    challenge and its price stay when the letter is named later."""
    open_blank = lay(0, "H5 HA?S")
    assert refused(state(open_blank), doubt(1, "HA?S")) == ["blank-open"]
    recorded = state(open_blank, doubt(1, "HA?S"), BlankNamed(Square(7, 6), "U"), rules="scrabble-deutschland")
    assert (recorded.totals, recorded.log[1].codes) == ((8, -5), [])
    three = doubt(2, "U?", "E?", "AE", by=(0,))
    named = state(HAUS, lay(1, "I6 E?"), three, BlankNamed(Square(8, 6), "S"), rules="turnier")
    assert (named.totals[0], named.log[2].codes) == (10 - 30, [])


@pytest.mark.parametrize(("words", "codes"), [(0, ["word-not-formed"]), (3, []), (4, ["word-not-formed"])])
def test_a_record_challenges_as_many_words_as_there_are(words: int, codes: list[str]) -> None:
    after = state(HAUS, THREE_WORDS, ChallengeRejected(0, 2, words))
    assert after.log[2].codes == codes


def test_a_challenger_never_gains() -> None:
    """R8.11."""
    assert state(HAUS, ChallengeRejected(1, 1, -3)).totals == (10, 0)
