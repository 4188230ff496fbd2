"""Games as lists of events."""

from __future__ import annotations

import pytest

from scorer import (
    GERMAN_102,
    RULE_SETS,
    Board,
    ChallengeRejected,
    Event,
    Game,
    GameError,
    GameState,
    Passed,
    Placed,
    Placement,
    Settled,
    Square,
    Withdrawn,
    advance,
    replay,
)

HAUS = Placed(0, Placement.of([((7, 4 + i), char) for i, char in enumerate("HAUS")]))  # 10 points
SEE = Placed(1, Placement.of([((8, 7), "E"), ((9, 7), "E")]))  # 3 points


def state(*events: Event, rules: str = "turnier", players: tuple[str, ...] = ("A", "B")) -> GameState:
    return replay(Game(players, RULE_SETS[rules], GERMAN_102, events))


def test_before_the_first_turn() -> None:
    assert state().totals == (0, 0)
    assert state().board == Board.empty()
    assert state().next_player == 0


def test_totals_board_and_turns() -> None:
    after = state(HAUS, SEE, Passed(0))
    assert after.totals == (10, 3)
    assert after.board.at(Square(9, 7)) == "E"
    assert after.next_player == 1
    assert [entry.totals for entry in after.log] == [(10, 0), (10, 3), (10, 3)]
    assert [entry.points for entry in after.plays] == [10, 3]


def test_a_withdrawn_move_gives_back_tiles_and_points_and_uses_no_turn() -> None:
    after = state(HAUS, SEE, Withdrawn(2, player=0))
    assert after.totals == (10, 0)
    assert after.board == state(HAUS).board
    assert after.next_player == 0
    assert [entry.withdrawn for entry in after.log] == [False, True, False]
    assert (after.log[2].player, after.log[2].points) == (1, -3)


@pytest.mark.parametrize(("rules", "total"), [("turnier", -20), ("scrabble-deutschland", -5), ("familie", 0)])
def test_a_wrong_challenge_costs_the_challenger_and_no_turn(rules: str, total: int) -> None:
    """R8.11, R8.12: two words challenged, 10 points each in tournaments, 5 for the challenge at home."""
    after = state(HAUS, ChallengeRejected(1, ref=1, words=2), rules=rules)
    assert after.totals == (10, total)
    assert after.next_player == 1
    assert after.board == state(HAUS).board


def test_settlement() -> None:
    after = state(HAUS, SEE, Settled(0, -7), Settled(1, 7), Settled(1, -10, "time"))
    assert after.totals == (3, 0)
    assert after.next_player == 0


def test_four_players_alternate() -> None:
    after = state(HAUS, SEE, Passed(2), Passed(3), players=("A", "B", "C", "D"))
    assert after.next_player == 0
    assert after.totals == (10, 3, 0, 0)


def test_another_player_may_begin() -> None:
    game = Game(("A", "B"), RULE_SETS["turnier"], GERMAN_102, (Passed(1), HAUS), first_player=1)
    assert [entry.out_of_turn for entry in replay(game).log] == [False, False]


def test_a_move_out_of_turn_is_noted_not_refused() -> None:
    after = state(HAUS, Passed(0), SEE)
    assert [entry.out_of_turn for entry in after.log] == [False, True, False]


def test_a_placement_with_faults_is_a_value() -> None:
    """F on the S of HAUS: nothing scored, the tile that has a free square lies there and can be taken back."""
    wrong = Placed(1, Placement.of([((7, 7), "F"), ((8, 7), "E")]))
    after = state(HAUS, wrong)
    assert after.totals == (10, 0)
    assert after.plays[1].play is not None
    assert after.plays[1].play.faults.codes == ["square-taken"]
    assert after.board.rows[7:9] == ("....HAUS.......", ".......E.......")
    assert state(HAUS, wrong, Withdrawn(2)).board == state(HAUS).board


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Withdrawn(2), "move 2 is no placement"),
        (Withdrawn(0), "move 0 is no placement"),
        (Withdrawn(7), "move 7 is no placement"),
        (ChallengeRejected(0, ref=2), "move 2 is no placement"),
        (Passed(2), "no player 2"),
        (Settled(-1, 5), "no player -1"),
    ],
)
def test_events_that_cannot_be(event: Event, why: str) -> None:
    with pytest.raises(GameError, match=why):
        state(HAUS, Passed(1), event)


def test_nothing_is_taken_back_twice() -> None:
    with pytest.raises(GameError, match="already taken back"):
        state(HAUS, Withdrawn(1), Withdrawn(1))


@pytest.mark.parametrize("players", [("A",), ("A", "B", "C", "D", "E"), ("A", "A")])
def test_players_that_cannot_be(players: tuple[str, ...]) -> None:
    with pytest.raises(GameError) as error:
        state(players=players)
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
