"""A game at the table from the first photo to the result, with everything that is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from assistant.store.rows import Conflict
from assistant.table.actions import ActionError, Refused
from assistant.table.evidence import corrected_tiles
from assistant.table.proposals import first_proposal
from assistant.table.session import PhotosUnread, Tables
from scorer.board import Square
from scorer.errors import BrettblickError
from scorer.events import Challenged, Noted, Passed, Placed, Refilled, Withdrawn
from scorer.game import replay
from scorer.rules import RULE_SETS
from tests.assistant.table.tables import ANNA, BEN, EMPTY, Players, lay
from tests.scorer.games import TINY

HUT = lay(EMPTY, 7, 7, "HUT")
HUTOR = lay(HUT, 7, 9, "TOR", down=True)
HUTORE = lay(HUTOR, 9, 9, "RE")

TURNIER = RULE_SETS["turnier"]


def test_moves_count_when_somebody_confirms_them(players: Players) -> None:
    players.photo(HUT)
    proposal = players.table.proposal()
    assert proposal is not None and proposal.question is None and proposal.legal
    assert [(player, play.score) for player, play in proposal.laid] == [(0, 8)]
    assert players.table.state.state.totals == (0, 0), "nothing counts yet"
    after = players.do("confirm")
    assert after.state.totals == (8, 0) and after.pending is None
    assert players.lay(HUTOR, BEN).state.totals == (8, 6)
    assert players.lay(HUTORE).state.totals == (10, 6)
    assert players.table.state.state.board == HUTORE


def test_what_a_move_rests_on_is_kept_with_it(players: Players) -> None:
    before = players.photo(HUT)
    players.do("confirm")
    photo = players.photo(HUTOR, {(9, 9): {"R": 0.5, "B": 0.48}})
    proposal = players.table.proposal()
    assert proposal is not None and proposal.question is not None
    assert (proposal.question.code, proposal.question.squares) == ("which-letter", (Square(9, 9),))
    with pytest.raises(ActionError) as refused:
        players.do("confirm")
    assert refused.value.code == "question-open"
    players.do("answer", BEN, squares=[[9, 9, "B"]])
    done = players.do("confirm", BEN).done[-1]
    evidence = done.evidence
    assert evidence is not None
    assert (evidence["photo"], evidence["before"], evidence["model"]) == (photo, before, "fingerprint")
    assert evidence["at_first"]["question"] == "which-letter"
    assert corrected_tiles(evidence) == [(Square(9, 9), "R", "B")]
    assert [(said["who"], said["kind"]) for said in evidence["said"]] == [("Anna", "photo"), ("Ben", "answer")]
    assert done.row.author == BEN and done.row.photos == (photo,)
    assert players.table.state.state.board.at(Square(9, 9)) == "B"


def test_after_a_restart_everything_is_there(players: Players) -> None:
    players.lay(HUT)
    digest = players.photo(HUTOR)
    state = players.table.state
    seen = players.table.seen(digest)
    assert seen is not None
    players.again()
    assert players.table.state == state
    assert players.table.unread() == [(digest, None)]
    with pytest.raises(PhotosUnread):
        players.table.proposal()
    players.table.observed((digest, None), seen)
    assert players.do("confirm").state.totals == (8, 6)


def test_a_move_can_be_typed_without_a_camera(players: Players) -> None:
    players.do("type", move="H8 HUT")
    proposal = players.table.proposal()
    assert proposal is not None and proposal.photo is None and proposal.seen is None
    assert [play.score for _, play in proposal.laid] == [8]
    assert players.do("confirm").state.board == HUT
    assert players.table.state.done[0].evidence == {
        "photo": None,
        "photos": [],
        "before": None,
        "typed": "H8 HUT",
        "said": players.table.state.done[0].evidence["said"],  # type: ignore[index]
        "model": "fingerprint",
        "program": players.table.state.done[0].evidence["program"],  # type: ignore[index]
    }


@pytest.mark.parametrize(
    ("move", "code"),
    [("H8 HU1", "bad-move"), ("Z9 HUT", "bad-coordinate"), ("HUT", "bad-move"), ("", "bad-action")],
)
def test_what_is_no_move_is_not_taken(players: Players, move: str, code: str) -> None:
    with pytest.raises(BrettblickError):
        players.do("type", move=move)
    assert players.table.state.version == 0


def test_a_typed_move_that_the_rules_refuse_says_why_and_counts_only_when_all_agree(players: Players) -> None:
    players.do("type", move="A1 HUT")
    proposal = players.table.proposal()
    assert proposal is not None and not proposal.legal and proposal.possible
    with pytest.raises(Refused) as refused:
        players.do("confirm")
    assert refused.value.refusal.codes == ["first-word-off-star"]
    assert players.table.state.done == ()
    after = players.do("confirm", despite=True)
    assert after.state.log[-1].codes == ["first-word-off-star"] and after.state.totals[0] > 0


@pytest.mark.parametrize(
    ("move", "code"), [("H8 HEX", "square-taken"), ("H8 HUT", "no-tile-laid"), ("H8 ...", "no-tile-laid")]
)
def test_what_cannot_lie_on_the_board_does_not_count_even_when_all_agree(
    players: Players, move: str, code: str
) -> None:
    players.lay(HUT)
    players.do("type", BEN, move=move)
    proposal = players.table.proposal()
    assert proposal is not None and not proposal.legal and not proposal.possible
    with pytest.raises(Refused) as refused:
        players.do("confirm", BEN, despite=True)
    assert code in refused.value.refusal.codes
    with pytest.raises(Refused):
        players.do("correct", ref=1, move="H14 HUT", despite=True)


def test_tiles_that_a_typed_move_takes_for_granted_must_lie_there(players: Players) -> None:
    players.do("type", move="H8 HU.T")
    with pytest.raises(Refused):
        players.do("confirm")
    assert players.table.state.done == ()


def test_a_move_after_the_end_does_not_count_even_when_all_agree(players: Players) -> None:
    players.lay(HUT)
    players.do("stop")
    players.photo(HUTOR)
    proposal = players.table.proposal()
    assert proposal is not None and not proposal.possible
    with pytest.raises(Refused) as refused:
        players.do("confirm", despite=True)
    assert refused.value.refusal.codes == ["game-over"]


def test_a_photo_may_contradict_what_was_typed(players: Players) -> None:
    players.photo(HUT)
    players.do("type", move="H7 HUTE")
    proposal = players.table.proposal()
    assert proposal is not None and proposal.question is not None and proposal.question.code == "answer-differs"
    players.do("answer", confirmed=True)
    with pytest.raises(ActionError):
        players.do("answer", squares=[[7, 7, "1"]])
    proposal = players.table.proposal()
    assert proposal is not None and proposal.question is None
    assert players.do("confirm").state.board.rows[7][6:10] == "HUTE", "what people insist on, not what the photo shows"


def test_a_tile_of_a_typed_move_can_be_changed(players: Players) -> None:
    players.photo(HUT)
    players.do("type", move="H7 HUTE")
    players.do("answer", squares=[[7, 8, "N"]])
    proposal = players.table.proposal()
    assert proposal is not None
    assert [tile for _, tile in proposal.laid[0][1].placement.tiles] == ["H", "U", "N", "E"]
    players.do("answer", kind="place", squares=[[7, 6, "."], [7, 9, "T"]])
    proposal = players.table.proposal()
    assert proposal is not None and [tile for _, tile in proposal.laid[0][1].placement.tiles] == ["H", "U", "T"]


def test_the_letter_of_a_blank_in_a_typed_move(players: Players) -> None:
    players.do("type", move="H8 H?T")
    proposal = players.table.proposal()
    assert proposal is not None and proposal.question is not None and proposal.question.code == "blank-letter"
    players.do("answer", squares=[[7, 8, "u"]])
    assert players.do("confirm").state.board.rows[7][7:10] == "HuT"


def test_a_photo_with_nothing_new_is_no_turn_by_itself(players: Players) -> None:
    players.lay(HUT)
    players.photo(HUT)
    proposal = players.table.proposal()
    assert proposal is not None and (proposal.kind, proposal.events) == ("none", ())
    with pytest.raises(ActionError) as refused:
        players.do("confirm")
    assert refused.value.code == "nothing-proposed"
    after = players.do("pass", BEN)
    assert after.pending is None and isinstance(after.done[-1].event, Passed)


def test_another_photo_of_the_same_tiles_helps_the_first(players: Players) -> None:
    players.photo(HUT, {(7, 7): {"H": 0.6, "N": 0.38}})
    first = players.table.proposal()
    assert first is not None and first.question is not None
    players.photo(HUT)
    both = players.table.proposal()
    assert both is not None and both.question is None
    done = players.do("confirm").done[-1]
    assert done.evidence is not None and len(done.evidence["photos"]) == 2


def test_the_last_photo_counts_where_they_differ(players: Players) -> None:
    players.photo(lay(EMPTY, 7, 7, "HU"))
    players.photo(HUT)
    assert players.do("confirm").state.board == HUT


def test_two_moves_in_one_photo_are_booked_as_two(players: Players) -> None:
    players.lay(HUT)
    players.photo(HUTORE)
    proposal = players.table.proposal()
    assert proposal is not None and len(proposal.laid) == 2
    if proposal.question is not None:
        players.do("answer", confirmed=True)
    after = players.do("confirm")
    assert [type(one.event) for one in after.done] == [Placed, Placed, Placed]
    assert after.state.board == HUTORE and after.state.next_player == 1


def test_tiles_that_are_gone_are_a_move_taken_back(players: Players) -> None:
    players.lay(HUT)
    players.lay(HUTOR, BEN)
    players.photo(HUT)
    proposal = players.table.proposal()
    assert proposal is not None and proposal.kind == "withdrawn"
    after = players.do("confirm")
    assert isinstance(after.done[-1].event, Withdrawn) and after.state.totals == (8, 0)
    assert after.state.board == HUT


def test_what_looks_like_a_blank_on_one_photo_is_no_tile_on_the_next(players: Players) -> None:
    odd = {(0, 0): {"?": 0.8, ".": 0.2}}
    players.photo(HUT, odd)
    proposal = players.table.proposal()
    assert proposal is not None and len(proposal.laid[0][1].placement) == 3
    if proposal.question is not None:
        players.do("answer", squares=[[0, 0, "."]])
    done = players.do("confirm").done[-1]
    assert done.evidence is not None and done.evidence["ghosts"] == [[0, 0]]
    players.photo(HUTOR, odd)
    after = players.table.proposal()
    assert after is not None and after.question is None and len(after.laid[0][1].placement) == 2


def test_what_was_said_to_be_empty_is_not_asked_again(players: Players) -> None:
    """Neither on the next photo of the turn, nor of the game, nor when the server was started anew."""
    players.lay(HUT)
    phantom = {(8, 9): {"O": 0.6, ".": 0.4}}

    def question() -> str | None:
        proposal = players.table.proposal()
        assert proposal is not None
        return proposal.question.code if proposal.question is not None else None

    digest = players.photo(HUT, phantom)
    assert question() == "tile-or-empty"
    state = players.do("answer", squares=[[8, 9, "."]])
    assert question() is None and state.said_empty == {Square(8, 9)} and state.empty_before == frozenset()
    first = first_proposal(state, {digest: players.table.seen(digest)}, players.table.means)
    assert first is not None and first.entries[0].question is not None, "what the photo alone said is still known"
    players.photo(HUT, phantom)
    assert question() is None
    players.do("drop")
    players.photo(lay(HUT, 7, 7, "HOF", down=True), phantom)
    proposal = players.table.proposal()
    assert proposal is not None and proposal.question is None
    assert [tile for _, tile in proposal.laid[0][1].placement.tiles] == ["O", "F"]
    players.do("confirm")
    players.again()
    assert players.table.state.said_empty == {Square(8, 9)}
    players.photo(HUTOR)
    players.do("answer", squares=[[8, 9, "O"]])
    assert players.table.state.said_empty == frozenset()


def test_a_new_blank_is_asked_for_its_letter_before_it_counts(players: Players) -> None:
    players.photo(lay(EMPTY, 7, 7, "HU?"))
    proposal = players.table.proposal()
    assert proposal is not None and proposal.question is not None
    assert (proposal.question.code, proposal.question.squares) == ("blank-letter", (Square(7, 9),))
    players.do("answer", squares=[[7, 9, "t"]])
    after = players.do("confirm")
    assert after.state.board.rows[7][7:10] == "HUt" and after.state.totals[0] == 6


def test_a_blank_may_be_named_later_where_that_was_agreed(sit_down: Callable[..., Players]) -> None:
    players = sit_down(rules=TURNIER.with_settings(blank_naming="later"))
    after = players.lay(lay(EMPTY, 7, 7, "HU?"))
    assert after.state.open_blanks == (Square(7, 9),)
    assert players.do("blank", BEN, square=[7, 9], letter="T").state.board.rows[7][7:10] == "HUt"


# --- second thoughts ----------------------------------------------------------------------------------------------


def test_undo_and_redo(players: Players) -> None:
    players.lay(HUT)
    players.lay(HUTOR, BEN)
    assert players.do("undo").state.totals == (8, 0)
    assert players.do("undo").state.board == EMPTY
    assert players.do("redo").state.board == HUT
    assert players.do("redo").state.totals == (8, 6)
    with pytest.raises(Refused) as refused:
        players.do("redo")
    assert refused.value.refusal.codes == ["nothing-to-redo"]


def test_an_earlier_move_is_changed_and_all_later_ones_are_computed_anew(players: Players) -> None:
    players.lay(HUT)
    players.lay(HUTOR, BEN)
    after = players.do("correct", ref=1, move="H8 BUT")
    assert after.state.board.rows[7][7:10] == "BUT"
    assert after.state.totals == (10, 6), "B counts 3, H 2, and the first word counts twice"
    after = players.do("correct", ref=2, **{"pass": True})
    assert after.state.totals == (10, 0) and after.state.board.at(Square(8, 9)) is None
    with pytest.raises(Refused):
        players.do("correct", ref=1, move="A1 BUT")
    with pytest.raises(ActionError):
        players.do("correct", ref=9, move="H8 BUT")


def test_three_numbers_of_a_score(players: Players) -> None:
    players.photo(HUT)
    after = players.do("confirm", announced=9)
    assert (after.state.log[0].announced, after.state.log[0].computed, after.state.totals[0]) == (9, 8, 8)
    after = players.do("announce", ref=1, points=10)
    assert (after.state.log[0].announced, after.state.totals[0]) == (10, 8)
    with pytest.raises(Refused) as refused:
        players.do("agree", ref=1, points=9)
    assert refused.value.refusal.codes == ["not-agreed"]
    assert players.do("agree", ref=1, points=9, unanimous=True).state.totals[0] == 9


# --- several phones -----------------------------------------------------------------------------------------------


def test_of_two_phones_one_wins_and_the_other_is_told(players: Players) -> None:
    players.photo(HUT)
    version = players.table.state.version
    players.table.act("confirm", {}, author=ANNA, request="from anna", version=version)
    with pytest.raises(Conflict) as told:
        players.table.act("confirm", {}, author=BEN, request="from ben", version=version)
    assert told.value.details["version"] == players.table.state.version
    assert len(players.table.state.done) == 1


def test_a_request_that_comes_twice_is_done_once(players: Players) -> None:
    players.photo(HUT)
    version = players.table.state.version
    once = players.table.act("confirm", {}, author=ANNA, request="the same", version=version)
    again = players.table.act("confirm", {}, author=ANNA, request="the same", version=version)
    assert once.version == again.version and len(again.done) == 1


def test_a_photo_taken_before_somebody_else_ended_the_turn_is_not_of_the_next(players: Players) -> None:
    digest = players.store.put_photo(b"taken before")
    players.do("pass")
    with pytest.raises(Conflict):
        players.table.add_photo(digest, "p.jpg", author=BEN, request="photo", events=0)
    assert players.table.state.pending is None


def test_a_game_on_either_database(sit_down: Callable[..., Players], store_url: str | None) -> None:
    players = sit_down(url=store_url)
    players.lay(HUT)
    looked_up(players, "HUT")
    players.do("verdict", word="HUT", valid=True, by="Anna")
    players.do("settle-challenge")
    players.lay(HUTOR, BEN)
    players.do("undo")
    players.table.press({"do": "start"})
    with pytest.raises(Conflict):
        players.table.act("pass", {}, author=BEN, request="too late", version=1)
    state = players.table.state
    players.again()
    assert players.table.state == state and state.state.totals == (8, -10)
    assert players.table.clock()[0].running == 1


def test_two_servers_on_one_store_see_each_other(players: Players) -> None:
    other = Tables(players.store, players.engines, now=players.now).table(players.game)
    players.lay(HUT)
    assert other.refresh() and other.state.state.totals == (8, 0)
    assert not other.refresh()
    other.act("pass", {}, author=BEN, request="elsewhere", version=other.state.version)
    with pytest.raises(Conflict):
        players.table.act("pass", {}, author=ANNA, request="too late", version=other.state.version - 1)


def test_games_at_rest_leave_the_memory(players: Players) -> None:
    tables = Tables(players.store, players.engines, most=2, now=players.now)
    setup = players.table.setup.to_json()
    ids = [players.store.create(setup, ANNA, f"game {k}") for k in range(4)]
    running = tables.table(ids[0])
    running.press({"do": "start"})
    for one in ids:
        tables.table(one)
    assert tables.table(ids[0]) is running, "its clock runs"
    assert len(tables._open) <= 3


# --- challenges ---------------------------------------------------------------------------------------------------


def looked_up(players: Players, *words: str, challengers: tuple[int, ...] = (1,)) -> None:
    players.do("challenge", BEN, ref=1, challengers=list(challengers), words=list(words))


def test_a_challenge_counts_from_the_look_up_on(players: Players) -> None:
    players.lay(HUT)
    looked_up(players, "hut")
    challenge = players.table.state.challenge
    assert challenge is not None and [(one.word, one.allowed) for one in challenge.words] == [("HUT", None)]
    for action, data in (("pass", {}), ("undo", {}), ("type", {"move": "8J TOR"})):
        with pytest.raises(ActionError) as refused:
            players.do(action, BEN, **data)
        assert refused.value.code == "challenge-open"
    with pytest.raises(ActionError) as refused:
        players.do("settle-challenge")
    assert refused.value.code == "word-undecided"
    players.again()
    assert players.table.state.challenge is not None, "nobody gets out of it by pulling the plug"


def test_an_upheld_challenge(players: Players) -> None:
    players.lay(HUT)
    looked_up(players, "HUT")
    with pytest.raises(ActionError):
        players.do("verdict", word="HUT", valid=False)
    players.do("verdict", word="HUT", valid=False, by="Anna, Ben", source="Duden")
    after = players.do("settle-challenge")
    assert after.challenge is None and after.state.totals == (0, 0) and after.state.board == EMPTY
    players.photo(HUT)
    proposal = players.table.proposal()
    assert proposal is not None and proposal.question is not None and proposal.question.code == "still-there"
    players.do("drop")
    players.photo(EMPTY)
    proposal = players.table.proposal()
    assert proposal is not None and proposal.events == ()


def test_a_rejected_challenge_costs_the_challenger(players: Players) -> None:
    players.lay(HUT)
    looked_up(players, "HUT")
    players.do("verdict", word="HUT", valid=True, by="Anna")
    assert players.do("settle-challenge").state.totals == (8, -TURNIER.penalty(1))


def test_who_may_challenge_what(players: Players) -> None:
    players.lay(HUT)
    cases = ((("MUT",), (1,), "word-not-formed"), (("HUT",), (0,), "own-move"), ((), (1,), "no-word-named"))
    for words, challengers, code in cases:
        with pytest.raises(Refused) as refused:
            looked_up(players, *words, challengers=challengers)
        assert refused.value.refusal.codes == [code]
    assert players.table.state.challenge is None
    players.now.time += 1000 * (TURNIER.challenge_seconds + 1)
    with pytest.raises(ActionError) as late:
        looked_up(players, "HUT")
    assert (late.value.code, late.value.details["limit"]) == ("challenge-late", 20)
    players.do("pass", BEN)
    with pytest.raises(Refused) as refused:
        looked_up(players, "HUT", challengers=(1,))
    assert refused.value.refusal.codes == ["move-closed"]


def test_where_the_player_shows_the_words_somebody_says_whether_they_were_shown(
    sit_down: Callable[..., Players],
) -> None:
    players = sit_down(rules=RULE_SETS["mattel"])
    players.lay(HUT)
    looked_up(players, "HUT")
    with pytest.raises(ActionError) as refused:
        players.do("settle-challenge")
    assert refused.value.code == "word-undecided", "nobody has looked yet"
    players.do("verdict", word="HUT", valid=True, by="Anna", source="Duden")
    after = players.do("settle-challenge")
    assert after.state.totals == (8, 0) and after.state.board == HUT


def test_a_move_that_is_open_again_has_no_new_time_to_challenge(players: Players) -> None:
    players.lay(HUT)
    players.now.time += 15_000
    looked_up(players, "HUT")
    players.do("verdict", word="HUT", valid=False, by="Anna")
    players.do("settle-challenge")
    players.do("undo")
    clock, at = players.table.clock()
    assert clock.challenge_left(at) == 5_000
    players.now.time += 5_001
    with pytest.raises(ActionError) as late:
        looked_up(players, "HUT")
    assert late.value.code == "challenge-late"


@pytest.mark.parametrize(
    ("until", "order", "kinds"),
    [
        ("noted", "note-draw", [Noted]),
        ("noted", "draw-note", [Refilled, Noted]),
        ("noted", "any", [Noted]),
        ("drawn", "note-draw", [Noted, Refilled]),
        ("drawn", "draw-note", [Refilled]),
        ("drawn", "any", [Refilled]),
    ],
)
def test_a_move_is_closed_in_the_order_agreed_on(
    sit_down: Callable[..., Players], until: str, order: str, kinds: list[type]
) -> None:
    players = sit_down(rules=TURNIER.with_settings(challenge_until=until, turn_order=order))
    players.lay(HUT)
    after = players.do("close", ref=1)
    assert [type(one.event) for one in after.done[1:]] == kinds and after.state.open_move is None


def test_words_are_looked_up_in_the_list_agreed_on(sit_down: Callable[..., Players]) -> None:
    rules = TURNIER.with_settings(word_authority="list-then-book")
    players = sit_down(rules=rules, lexicon="deutsch")
    players.lay(HUT)
    looked_up(players, "HUT")
    challenge = players.table.state.challenge
    assert challenge is not None
    (word,) = challenge.words
    assert (word.allowed, word.found["answer"]) == (True, "valid") and word.source
    assert players.do("settle-challenge").state.totals[1] < 0


# --- the clock ----------------------------------------------------------------------------------------------------


def test_the_clock_goes_with_the_game(players: Players) -> None:
    table, now = players.table, players.now

    def used() -> tuple[int, ...]:
        clock, at = table.clock()
        return tuple(clock.used_time(seat, at) for seat in (0, 1))

    table.press({"do": "start"})
    now.time += 10_000
    players.photo(HUT)
    assert table.clock()[0].running == 1, "the photo presses the clock"
    now.time += 5_000
    players.do("confirm")
    now.time += 1_000
    assert used() == (10_000, 6_000)
    looked_up(players, "HUT")
    now.time += 60_000
    assert used() == (10_000, 6_000), "it halts while words are looked up"
    players.do("verdict", word="HUT", valid=True, by="Anna")
    players.do("settle-challenge")
    now.time += 4_000
    assert used() == (10_000, 10_000)
    players.do("undo")
    players.do("undo")
    assert table.clock()[0].running == 0
    players.do("pass")
    players.again()
    clock, at = players.table.clock()
    assert clock.paused and clock.used_time(1, at) == 10_000, "nobody knows how long the machine was off"


def test_a_photo_thrown_away_takes_the_press_back(players: Players) -> None:
    players.table.press({"do": "start"})
    players.now.time += 3_000
    players.photo(HUT)
    players.now.time += 2_000
    players.do("drop")
    clock, at = players.table.clock()
    assert clock.running == 0 and clock.used_time(0, at) == 5_000


def test_the_clock_goes_on_with_a_game_that_is_not_over_after_all(sit_down: Callable[..., Players]) -> None:
    players = sit_down(rules=TURNIER.with_settings(rack_size=4, bingo_bonus=0), tiles=TINY)
    players.table.press({"do": "start"})
    for move in ("H5 HAUS", "8H .EE", "8H SEEHAUS"):
        players.now.time += 1_000
        players.do("type", move=move)
        players.do("confirm")
    assert players.table.state.state.end is not None and players.table.clock()[0].running is None
    players.do("challenge", BEN, ref=3, challengers=[1], words=["SEEHAUS"])
    players.do("verdict", BEN, word="SEEHAUS", valid=False, by="Ben")
    players.do("settle-challenge", BEN)
    clock, at = players.table.clock()
    assert (clock.running, clock.paused, clock.used_time(0, at)) == (1, False, 2_000), "Ben has two E and goes on"
    players.do("stop")
    players.do("undo")
    clock, at = players.table.clock()
    assert (clock.running, clock.paused) == (1, True), "when the players say so"


def test_overtime_is_booked_with_the_racks(players: Players) -> None:
    players.lay(HUT)
    players.table.press({"do": "start"})
    players.now.time += (TURNIER.clock_seconds + 61) * 1000
    players.do("stop")
    after = players.do("racks", racks=["eeeeeee", "NNN NNNN"])
    assert TURNIER.clock_seconds and after.state.settlement is not None
    assert after.state.totals == (8 - 7, -7 - 2 * TURNIER.overtime_penalty)


# --- the end ------------------------------------------------------------------------------------------------------


def test_the_end_of_a_game(players: Players) -> None:
    players.lay(HUT)
    for _ in range(4):
        players.do("pass")
    while players.table.state.state.end is None:
        players.do("pass")
    with pytest.raises(Refused):
        players.do("pass")
    with pytest.raises(ActionError):
        players.do("racks", racks=["1", ""])
    with pytest.raises(Refused) as refused:
        players.do("racks", racks=["E", "N"])
    assert refused.value.refusal.codes == ["racks-impossible"], "they have seven tiles each"
    after = players.do("racks", racks=["EEEEEEE", "NNNNNNN"])
    assert after.state.totals == (8 - 7, -7) and after.state.settlement is not None
    assert players.do("undo").state.settlement is None
    assert replay(players.table.state.state.game).totals == (8, 0)


def test_rows_of_a_later_version_are_left_alone(players: Players) -> None:
    from assistant.store.rows import NewRow

    players.lay(HUT)
    rows = [NewRow("applause", {"loud": True})]
    players.store.append(players.game, rows, expected=players.table.state.version, author=ANNA, request="later")
    players.again()
    assert players.lay(HUTOR, BEN).state.totals == (8, 6)


def test_corners_by_hand_ask_for_the_photo_to_be_read_again(players: Players) -> None:
    digest = players.photo(None)
    proposal = players.table.proposal()
    assert proposal is not None and proposal.question is not None and proposal.question.code == "photo-unreadable"
    corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    players.do("corners", photo=digest, corners=corners)
    ((wanted, shares),) = players.table.unread()
    assert (wanted, shares) == (digest, ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))
    assert players.table.size(digest) == (1000, 800)
    from vision.observe import Observation

    players.table.observed((digest, shares), Observation(digest, reading=players.make(HUT.rows), size=(1000, 800)))
    assert players.do("confirm").state.board == HUT
    for wrong in ([[0, 0]] * 3, [[0, 0, 1]] * 4, [["a", 0]] * 4, [[float("nan"), 0]] * 4, "no", None):
        players.photo(None)
        with pytest.raises(ActionError):
            players.do("corners", photo=players.table.state.pending.photos[-1], corners=wrong)  # type: ignore[union-attr]
        players.do("drop")


def test_the_turn_of_a_photo_is_known_from_the_last_position(players: Players) -> None:
    players.lay(HUT)
    digest = players.photo(HUTOR)
    seen = players.table.seen(digest)
    assert seen is not None
    assert replace(seen, warnings=()).reading is not None
    assert players.do("confirm", BEN).state.board == HUTOR


def test_a_word_found_allowed_is_not_challenged_again(players: Players) -> None:
    players.lay(HUT)
    players.lay(lay(HUT, 8, 7, "OR"), BEN)  # OR, HO and UR

    def doubt(*words: str) -> None:
        players.do("challenge", ANNA, ref=2, challengers=[0], words=list(words))

    doubt("OR")
    players.do("verdict", word="OR", valid=True, by="Ben")
    players.do("settle-challenge")
    with pytest.raises(ActionError) as refused:
        doubt("OR", "HO")
    assert refused.value.code == "found-allowed"
    doubt("HO")
    players.do("verdict", word="HO", valid=False, by="Ben")
    assert players.do("settle-challenge").state.totals[1] == 0


def test_what_nobody_looked_at_is_no_part_of_the_challenge(players: Players) -> None:
    players.lay(HUT)
    players.lay(lay(HUT, 8, 7, "OR"), BEN)
    players.do("challenge", ANNA, ref=2, challengers=[0], words=["OR", "HO"])
    players.do("verdict", word="HO", valid=False, by="Ben")
    event = players.do("settle-challenge").done[-1].event
    assert isinstance(event, Challenged) and [(word.word, word.valid) for word in event.words] == [("HO", False)]


def test_the_time_for_a_move(sit_down: Callable[..., Players]) -> None:
    players = sit_down(rules=TURNIER.with_settings(move_seconds=120, move_timeout="pass"))
    players.table.press({"do": "start"})
    players.now.time += 120_000
    with pytest.raises(ActionError) as refused:
        players.do("timeout")
    assert refused.value.code == "time-not-over", "the last millisecond is in time"
    players.now.time += 1
    after = players.do("timeout")
    assert after.state.next_player == 1 and players.table.clock()[0].running == 1


def test_after_the_settlement_no_photo_is_of_the_game(players: Players) -> None:
    players.lay(HUT)
    players.do("stop")
    players.do("racks", racks=["EEEEEEE", "NNNNNNN"])
    with pytest.raises(ActionError) as refused:
        players.photo(HUTOR)
    assert refused.value.code == "game-settled"


def test_nobody_announces_less_than_nothing(players: Players) -> None:
    players.photo(HUT)
    with pytest.raises(ActionError) as refused:
        players.do("confirm", announced=-1)
    assert refused.value.code == "bad-points"
    with pytest.raises(ActionError) as refused:
        players.do("drop") and players.do("drop")
    assert refused.value.code == "nothing-to-drop"


def test_what_is_kept_of_a_camera_stops_nobody(players: Players) -> None:
    """A phone that has not seen the clip yet acts all the same; one that has not seen a move does not."""
    players.do("type", move="H4 FIRNS")
    seen = players.table.state.version
    digest = players.store.put_photo(b"a frame")
    body = {"at": "2026-11-30T20:00:00.000Z", "seconds": 0.0, "camera": "Webcam 0", "frames": [[digest, 0.0]]}
    for request in ("keep this", "keep that", "keep this"):  # the last one is sent twice
        players.table.keep_clip(body, (digest,), author=BEN, request=request)
    assert players.table.state.version == seen + 2 and players.table.state.pending is not None
    after = players.table.act("confirm", {}, author=ANNA, request="confirm it", version=seen)
    assert after.state.totals == (24, 0) and after.version == seen + 3
    with pytest.raises(Conflict):
        players.table.act("pass", {}, author=BEN, request="pass now", version=seen)
    with pytest.raises(Conflict):
        players.table.act("pass", {}, author=BEN, request="pass then", version=seen + 9)
    players.again()
    assert players.table.state.state.totals == (24, 0) and [row.kind for row in players.table.rows].count("clip") == 2
