"""What holds for every game, tried on random ones."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.accounting import excess, unseen
from scorer.board import Square
from scorer.challenge import ChallengedWord
from scorer.errors import BrettblickError
from scorer.events import (
    BlankSwapped,
    Challenged,
    Corrected,
    Event,
    EventFault,
    MoveTimedOut,
    RacksShown,
    Redone,
    Resigned,
    Settled,
    Stopped,
    Undone,
)
from scorer.formats.events import event_from_json, event_to_json, read_game, write_game
from scorer.game import Game, GameState, advance, offer, replay
from scorer.rules import RULE_SETS, SETTINGS, RuleSet
from scorer.tiles import GERMAN_102
from tests.scorer.games import HAUS, OUT, TINY, state, tiny
from tests.scorer.random_games import random_game
from tests.scorer.test_history import facts

GAMES = st.integers(0, 10**6).map(random_game)
FEW = settings(max_examples=60, deadline=None)


@FEW
@given(GAMES)
def test_replay_is_deterministic_and_the_same_as_going_step_by_step(after: GameState) -> None:
    assert replay(after.game) == after
    stepwise = replay(replace(after.game, events=()))
    for event in after.game.events:
        stepwise = advance(stepwise, event)
    assert stepwise == after


@FEW
@given(GAMES)
def test_undo_then_redo_is_identity(after: GameState) -> None:
    undone = offer(after, Undone())
    if isinstance(undone, GameState):
        assert facts(advance(undone, Redone())) == facts(after)


@FEW
@given(GAMES)
def test_tiles_always_sum_to_the_set(after: GameState) -> None:
    """R1.2: board, racks and bag; board and unseen, less what a correction made impossible."""
    lying, too_many = len(after.board.occupied), excess(after.board, GERMAN_102)
    assert lying + sum(unseen(after.board, GERMAN_102).values()) - sum(too_many.values()) == 102
    assert not too_many or any("set-exhausted" in entry.codes for entry in after.log)
    if not any(entry.faults for entry in after.log):
        assert lying + sum(after.rack_sizes) + after.bag == 102
    assert all(0 <= size <= 7 for size in after.rack_sizes)


@FEW
@given(GAMES)
def test_totals_are_the_sum_of_all_changes(after: GameState) -> None:
    assert after.totals == tuple(sum(entry.changes[seat] for entry in after.log) for seat in range(len(after.totals)))
    assert [entry.number for entry in after.log] == sorted(entry.number for entry in after.log)


@FEW
@given(GAMES)
def test_json_keeps_the_whole_game(after: GameState) -> None:
    assert read_game(write_game(after.game)) == after.game
    assert read_game(write_game(after.game).encode()) == after.game


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_random_bytes_are_no_game(data: bytes) -> None:
    with pytest.raises(BrettblickError):
        read_game(data)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 50).map(random_game), st.data())
def test_a_game_with_any_value_changed_is_a_game_or_one_clear_error(after: GameState, data: st.DataObject) -> None:
    """Whatever stands in a field: read and replayed, or refused; never another exception."""
    parsed = json.loads(write_game(after.game))
    spot = data.draw(st.sampled_from(["players", "rules", "tiles", "first_player", "score_keeper", "events", "event"]))
    value = data.draw(JSON_VALUES)
    if spot == "event" and parsed["events"]:
        event = data.draw(st.sampled_from(parsed["events"]))
        event[data.draw(st.sampled_from(sorted(event)))] = value
    else:
        parsed[spot] = value
    try:
        game = read_game(json.dumps(parsed))
    except BrettblickError as error:
        assert error.message
    else:
        assert replay(game).game == game


RARE = (
    BlankSwapped(1, Square(7, 7), "E"),
    MoveTimedOut(0),
    RacksShown(("", None, "EE?")),
    Resigned(2),
    Settled(1, -7, "time"),
    Stopped(),
    Corrected(3, Challenged(2, (1, 0), (ChallengedWord("ÄHM", None),), 12.5)),
    Corrected(3, None),
    Redone(),
)
"""Events that random games hold seldom or never."""


def test_every_event_has_a_json_form() -> None:
    """The kinds are those of the union, and each one comes back."""
    events = [*RARE, *(event for seed in range(60) for event in random_game(seed).game.events)]
    assert {type(event) for event in events} == set(get_args(Event))
    for event in events:
        assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_rule_sets_are_stored_whole(rules: RuleSet) -> None:
    """R8.14: all settings, not only the name."""
    data = json.loads(json.dumps(rules.to_json()))
    assert set(data) == {"name", *SETTINGS}
    assert RuleSet.from_json(data) == rules
    changed = rules.with_settings(end_on_passes=3, regions=["at"])
    assert read_game(write_game(Game(("A", "B"), changed, TINY))).rules == changed


def test_a_game_of_a_later_version_is_refused() -> None:
    text = write_game(state(HAUS).game).replace('"version": 1', '"version": 2')
    with pytest.raises(BrettblickError) as error:
        read_game(text)
    assert error.value.code == "unknown-version"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"kind": "placed"', '"kind": "palced"', "event 1: an event is an object with one of the kinds"),
        ('"player": 0', '"player": "A"', "event 1: placed: player cannot be 'A'"),
        ('"announced": null', '"annuonced": null', "event 1: placed: unknown field 'annuonced'"),
        ('   "H"\n', '   "HH"\n', "event 1: placed: placement cannot be"),
    ],
)
def test_errors_name_the_event_and_the_field(old: str, new: str, why: str) -> None:
    with pytest.raises(BrettblickError, match=why):
        read_game(write_game(state(HAUS).game).replace(old, new, 1))


def test_an_end_of_every_kind_is_deterministic() -> None:
    assert replay(tiny(*OUT).game) == tiny(*OUT)


def test_fault_codes_are_unique() -> None:
    codes = [fault.codes[0] for fault in EventFault if fault]
    assert len(codes) == len(set(codes))
