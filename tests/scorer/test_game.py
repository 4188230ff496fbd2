"""Games as lists of events: turns, totals, refusals."""

from __future__ import annotations

import pytest

from scorer.board import Board, Square
from scorer.errors import GameError
from scorer.events import (
    ChallengeRejected,
    DrawnForFirst,
    Event,
    EventFault,
    Exchanged,
    MoveTimedOut,
    Noted,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    Refilled,
    Resigned,
    Settled,
    Withdrawn,
)
from scorer.game import Game, GameState, Refusal, advance, offer, replay
from scorer.placement import Placement
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from tests.scorer.games import HAUS, OUT, SEE, doubt, lay, state, tiny


def refused(before: GameState, event: Event) -> list[str]:
    """The codes of all faults of an event that is refused."""
    after = offer(before, event)
    assert isinstance(after, Refusal)
    return after.codes


def accepted(before: GameState, event: Event) -> GameState:
    after = offer(before, event)
    assert isinstance(after, GameState), after.codes
    return after


def test_before_the_first_turn() -> None:
    assert state().totals == (0, 0)
    assert state().board == Board.empty()
    assert state().next_player == 0
    assert (state().rack_sizes, state().bag) == ((7, 7), 88)


def test_totals_board_and_turns() -> None:
    after = state(HAUS, SEE, Passed(0))
    assert after.totals == (10, 3)
    assert after.board.at(Square(9, 7)) == "E"
    assert after.next_player == 1
    assert [entry.totals for entry in after.log] == [(10, 0), (10, 3), (10, 3)]
    assert [entry.points for entry in after.plays] == [10, 3]


def test_the_rack_is_filled_up_as_far_as_the_bag_allows() -> None:
    """R3.3: to seven, or by what the bag has."""
    assert (state(HAUS).rack_sizes, state(HAUS).bag, state(HAUS).log[0].drawn) == ((7, 7), 84, 4)
    after = tiny(HAUS, SEE)
    assert (after.rack_sizes, after.bag, [entry.drawn for entry in after.log]) == ((4, 2), 0, [4, 0])


def test_a_withdrawn_move_gives_back_tiles_and_points_and_uses_no_turn() -> None:
    after = state(HAUS, SEE, Withdrawn(2, player=0))
    assert after.totals == (10, 0)
    assert after.board == state(HAUS).board
    assert (after.rack_sizes, after.bag) == (state(HAUS).rack_sizes, state(HAUS).bag)
    assert after.next_player == 0
    assert [entry.withdrawn for entry in after.log] == [False, True, False]
    assert (after.log[2].player, after.log[2].points) == (1, -3)


@pytest.mark.parametrize(("rules", "total"), [("turnier", -20), ("scrabble-deutschland", -5), ("familie", 0)])
def test_a_wrong_challenge_costs_the_challenger_and_no_turn(rules: str, total: int) -> None:
    """R8.5, R8.11, R8.12: two words challenged, 10 points each in tournaments, 5 for the challenge at home."""
    after = state(HAUS, ChallengeRejected(1, ref=1, words=2), rules=rules)
    assert after.totals == (10, total)
    assert after.next_player == 1
    assert after.board == state(HAUS).board


def test_points_booked_by_a_record() -> None:
    after = state(HAUS, SEE, Settled(0, -7), Settled(1, 7), Settled(1, -10, "time"))
    assert after.totals == (3, 0)
    assert after.next_player == 0


def test_four_players_alternate() -> None:
    """R1.3, R2.4."""
    after = state(HAUS, SEE, Passed(2), Passed(3), players=("A", "B", "C", "D"), rules="mattel")
    assert after.next_player == 0
    assert after.totals == (10, 3, 0, 0)


def test_another_player_may_begin() -> None:
    """R4.8: and the first turn may be a pass or an exchange."""
    game = Game(("A", "B"), RULE_SETS["turnier"], GERMAN_102, (Passed(1), HAUS), first_player=1)
    assert [entry.out_of_turn for entry in replay(game).log] == [False, False]
    assert isinstance(offer(state(), Exchanged(0, 7)), GameState)


def test_a_move_out_of_turn_is_refused_and_recorded_when_it_was_made() -> None:
    after = state(HAUS, Passed(0), SEE)
    assert [entry.out_of_turn for entry in after.log] == [False, True, False]
    assert refused(state(HAUS), Passed(0)) == ["out-of-turn"]


def test_a_placement_with_faults_is_a_value() -> None:
    """F on the S of HAUS: nothing scored, the tile that has a free square lies there and can be taken back."""
    wrong = Placed(1, Placement.of([((7, 7), "F"), ((8, 7), "E")]))
    after = state(HAUS, wrong)
    assert after.totals == (10, 0)
    assert after.plays[1].codes == ["square-taken"]
    assert after.board.rows[7:9] == ("....HAUS.......", ".......E.......")
    assert state(HAUS, wrong, Withdrawn(2)).board == state(HAUS).board
    assert refused(state(HAUS), wrong) == ["square-taken"]


def test_a_refusal_names_all_faults_at_once() -> None:
    """Out of turn, and the first word lies off the star and is not in one line."""
    wrong = Placed(1, Placement.of([((0, 0), "A"), ((1, 1), "ß")]))
    assert refused(state(), wrong) == ["out-of-turn", "first-word-off-star", "blank-as-eszett", "not-in-line"]


@pytest.mark.parametrize(
    ("event", "why", "code"),
    [
        (Withdrawn(2), "move 2 is no placement", "no-such-move"),
        (Withdrawn(0), "move 0 is no placement", "no-such-move"),
        (Withdrawn(7), "move 7 is no placement", "no-such-move"),
        (ChallengeRejected(0, ref=2), "move 2 is no placement", "no-such-move"),
        (Noted(2), "move 2 is no placement", "no-such-move"),
        (Passed(2), "no such player", "no-such-player"),
        (Settled(-1, 5), "no such player", "no-such-player"),
        (doubt(1, "-HAUS", by=(1, 5)), "no such player", "no-such-player"),
        (RacksShown(("A",)), "no such player", "no-such-player"),
    ],
)
def test_events_that_cannot_be_have_no_effect(event: Event, why: str, code: str) -> None:
    before = state(HAUS, Passed(1))
    with pytest.raises(GameError, match=why) as error:
        advance(before, event)
    assert error.value.code == code
    assert refused(before, event)[0] == code
    after = state(HAUS, Passed(1), event)
    assert after.log[2].codes[0] == code
    assert (after.board, after.totals, after.next_player) == (before.board, before.totals, before.next_player)


def test_nothing_is_taken_back_twice() -> None:
    with pytest.raises(GameError, match="already taken back"):
        advance(state(HAUS, Withdrawn(1)), Withdrawn(1))


@pytest.mark.parametrize(
    ("players", "rules"),
    [(("A",), "mattel"), (tuple("ABCDE"), "mattel"), (("A", "A"), "mattel"), (tuple("ABC"), "turnier")],
)
def test_players_that_cannot_be(players: tuple[str, ...], rules: str) -> None:
    """R1.3: two to four players; R13.1: two in a tournament."""
    with pytest.raises(GameError) as error:
        state(players=players, rules=rules)
    assert error.value.code == "bad-players"


def test_step_by_step_is_the_same_as_all_at_once() -> None:
    stepwise = state()
    for event in (HAUS, SEE, Withdrawn(2)):
        stepwise = advance(stepwise, event)
    assert stepwise == state(HAUS, SEE, Withdrawn(2))
    assert stepwise.game.events == (HAUS, SEE, Withdrawn(2))


def test_a_game_is_never_changed() -> None:
    game = Game(("A", "B"), RULE_SETS["turnier"], GERMAN_102)
    assert game.with_event(HAUS).events == (HAUS,)
    assert game.events == ()


def test_who_writes_down_the_points() -> None:
    """R1.5: one player who was named, or everybody."""
    game = Game(("A", "B", "C"), RULE_SETS["mattel"], GERMAN_102, score_keeper=2)
    assert game.writers == (2,)
    each = RULE_SETS["mattel"].with_settings(score_keeper="each")
    assert Game(("A", "B", "C"), each, GERMAN_102, score_keeper=2).writers == (0, 1, 2)


# --- the draw -----------------------------------------------------------------------------------------------------


def test_the_draw_decides_who_begins_and_the_order() -> None:
    """R2.1, R2.2, R2.4: the blank comes before A, Ä after A; clockwise, or in the order of the letters."""
    first = DrawnForFirst(((0, "B"), (1, "Ä"), (2, "A")))
    clockwise = state(first, players=("A", "B", "C"), rules="mattel")
    assert (clockwise.next_player, clockwise.order) == (2, (2, 0, 1))
    by_letter = state(first, players=("A", "B", "C"), rules="mattel", seating="by-draw")
    assert by_letter.order == (2, 1, 0)
    assert (
        state(first, Passed(2), Passed(1), players=("A", "B", "C"), rules="mattel", seating="by-draw").next_player == 0
    )


def test_a_tie_is_drawn_again() -> None:
    """R2.5: by those who tied."""
    tie = DrawnForFirst(((0, "E"), (1, "E")))
    assert state(tie).draw.again == (0, 1)
    after = accepted(state(tie), DrawnForFirst(((0, "E"), (1, "?"))))
    assert (after.next_player, after.draw.order) == (1, (1, 0))


def test_who_has_left_does_not_begin() -> None:
    three = {"players": ("A", "B", "C"), "rules": "mattel"}
    after = state(Resigned(1), DrawnForFirst(((0, "E"), (1, "A"), (2, "B"))), **three)  # type: ignore[arg-type]
    assert (after.order, after.next_player) == ((1, 2, 0), 2)


def test_a_faulty_draw_is_refused() -> None:
    assert refused(state(), DrawnForFirst(((0, "E"),))) == ["draw-faulty"]
    assert refused(state(), DrawnForFirst(((0, "Q"), (1, "Q")))) == ["draw-faulty"]
    assert refused(state(HAUS), DrawnForFirst(((0, "E"), (1, "F")))) == ["draw-faulty"]
    assert state(DrawnForFirst(((0, "E"),)), DrawnForFirst(((0, "E"), (1, "A")))).next_player == 1


# --- exchange and pass --------------------------------------------------------------------------------------------


def test_an_exchange_is_a_turn_and_brings_nothing() -> None:
    """R9.1, R9.5."""
    after = accepted(state(), Exchanged(0, tiles="ENN"))
    assert (after.totals, after.next_player, after.log[0].points) == ((0, 0), 1, 0)


@pytest.mark.parametrize(
    ("event", "codes"),
    [
        (Exchanged(0, 8), ["more-than-rack"]),
        (Exchanged(0, 0), ["nothing-exchanged"]),
        (Exchanged(0, 2, "ENN"), ["count-disagrees"]),
        (Exchanged(0, tiles="EÑ"), ["not-in-set"]),
        (Exchanged(0, tiles="QQ"), ["not-in-set"]),
        (Exchanged(0, tiles="???"), ["not-in-set"]),
        (Exchanged(0, -3), ["count-disagrees"]),
    ],
)
def test_exchanges_that_are_refused(event: Exchanged, codes: list[str]) -> None:
    """R9.3, R9.4: one to seven tiles of the own rack."""
    assert refused(state(), event) == codes


def test_an_exchange_needs_seven_tiles_in_the_bag() -> None:
    """R9.2; as a house rule any number will do, but not more than there are."""
    before = tiny(HAUS, SEE)
    assert (before.bag, refused(before, Exchanged(0, 1))) == (0, ["bag-too-small"])
    few = tiny(exchange_min_bag=7)
    assert (few.bag, refused(few, Exchanged(0, 1))) == (4, ["bag-too-small"])
    empty = tiny(HAUS, SEE, exchange_min_bag=0)
    assert refused(empty, Exchanged(0)) == ["bag-too-small"]
    assert empty.bag == 0
    assert advance(empty, NothingLaid(0)).log[-1].is_pass is True
    always = tiny(exchange_min_bag=1)
    assert isinstance(offer(always, Exchanged(0, 4)), GameState)


def test_an_exchange_of_no_tile_is_a_pass() -> None:
    """R3.2, R9.3: where the table allows it."""
    before = state(exchange_of_none=True)
    assert accepted(before, Exchanged(0, 0)).log[0].is_pass is True
    assert accepted(tiny(HAUS, SEE, exchange_of_none=True), Exchanged(0, 0)).log[2].is_pass is True


def test_a_free_exchange_leaves_the_turn() -> None:
    """R9.5 as a house rule."""
    after = accepted(state(exchange_uses_turn=False), Exchanged(0, 3))
    assert after.next_player == 0


def test_time_for_a_move_that_is_over() -> None:
    """R12.5: a reminder, or a pass."""
    assert state(MoveTimedOut(0), move_seconds=60).next_player == 0
    passed = state(MoveTimedOut(0), move_seconds=60, move_timeout="pass")
    assert (passed.next_player, passed.log[0].is_pass) == (1, True)


def test_a_turn_without_tiles_may_be_an_exchange_as_long_as_the_bag_allows_one() -> None:
    """R10.4: else it is a pass."""
    assert state(NothingLaid(0)).log[0].is_pass is None
    assert state(NothingLaid(0), exchange_counts_as_pass=True).log[0].is_pass is True
    assert tiny(HAUS, NothingLaid(1)).log[1].is_pass is True


# --- closing a move -----------------------------------------------------------------------------------------------


def test_more_tiles_than_the_player_can_have_are_refused() -> None:
    """R4.9: near the end a rack may hold fewer than seven."""
    before = tiny(HAUS, SEE, lay(0, "8K HA"))
    assert before.rack_sizes == (2, 2)
    assert refused(before, lay(1, "8M USE")) == ["more-than-rack"]
    assert EventFault.MORE_THAN_RACK in advance(before, lay(1, "8M USE")).log[-1].faults


@pytest.mark.parametrize(
    ("order", "events", "codes"),
    [
        ("note-draw", (Noted(1), Refilled(1, 4)), ["", ""]),
        ("note-draw", (Refilled(1, 4), Noted(1)), ["wrong-order", ""]),
        ("draw-note", (Noted(1), Refilled(1, 4)), ["wrong-order", ""]),
        ("draw-note", (Refilled(1, 4), Noted(1)), ["", ""]),
        ("any", (Refilled(1, 4), Noted(1)), ["", ""]),
        ("any", (Noted(1), Noted(1)), ["", "move-closed"]),
        ("any", (Refilled(1, 3),), ["count-disagrees"]),
        ("any", (Refilled(1, 4, "ABCÑ"),), ["not-in-set"]),
    ],
)
def test_noting_and_drawing(order: str, events: tuple[Event, ...], codes: list[str]) -> None:
    """R3.5: the order the table agreed on; R3.3: so many tiles as were laid."""
    after = state(HAUS, *events, turn_order=order)
    assert [",".join(entry.codes) for entry in after.log[1:]] == codes


def test_with_nothing_to_draw_the_points_are_noted_at_once() -> None:
    """R3.5: draw first, then note; but the bag is empty."""
    assert accepted(tiny(*OUT, turn_order="draw-note"), Noted(3)).is_over
    assert refused(tiny(HAUS, turn_order="draw-note"), Noted(1)) == ["wrong-order"]


@pytest.mark.parametrize("event", [Withdrawn(1, 1), ChallengeRejected(1, 1)])
def test_what_a_record_says_of_a_challenge_can_be_late_too(event: Event) -> None:
    """R8.2: refused, and counted where it was done."""
    for before in (state(HAUS, SEE), state(HAUS, Noted(1))):
        assert refused(before, event) == ["move-closed"]
        assert advance(before, event).totals != before.totals
    assert isinstance(offer(state(HAUS), event), GameState)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_times_that_cannot_be(seconds: float) -> None:
    assert refused(state(HAUS), Overtime(0, seconds)) == ["no-time"]
    assert refused(state(HAUS), doubt(1, "-HAUS", seconds=seconds)) == ["no-time"]
    assert state(HAUS, Overtime(0, seconds)).totals == (10, 0)


def test_nothing_is_settled_twice() -> None:
    """R11.1, R13.3: neither the racks, by a record or from the tiles, nor the time of a player."""
    assert refused(state(HAUS, Overtime(0, 200)), Overtime(0, 200)) == ["settled-before"]
    assert accepted(state(HAUS, Overtime(0, 200)), Overtime(1, 1)).totals == (10 - 40, -10)
    shown = tiny(*OUT, RacksShown(("", "EE")))
    assert refused(shown, Settled(0, 2)) == ["settled-before"]
    assert refused(tiny(*OUT, Settled(0, 2), Settled(1, -2)), RacksShown(("", "EE"))) == ["settled-before"]
    assert isinstance(offer(shown, Settled(0, -10, "time")), GameState)


def test_drawing_another_number_is_counted() -> None:
    after = state(HAUS, Refilled(1, 3))
    assert (after.rack_sizes, after.bag) == ((6, 7), 85)


def test_a_closed_move_is_not_noted_again_after_the_next_turn() -> None:
    assert refused(state(HAUS, SEE), Noted(1)) == ["move-closed"]
