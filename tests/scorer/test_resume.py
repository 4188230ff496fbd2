"""Records as games to go on with: position, points, who is next, the end; and where the record and the rules differ."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.board import Square
from scorer.events import (
    ChallengeRejected,
    Corrected,
    DrawnForFirst,
    Exchanged,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    ScoreAgreed,
    Settled,
    Stopped,
    Withdrawn,
)
from scorer.formats import read_written_game, write_gcg, write_sheet, write_tsv
from scorer.formats.events import read_game, write_game
from scorer.game import Game, GameState, offer, replay
from scorer.records import written_game
from scorer.resume import Difference, Resumed, ResumeNote, resumed
from scorer.rules import RULE_SETS, RuleSet, rule_set
from scorer.settlement import EndReason
from scorer.tiles import ENGLISH_100, GERMAN_102, TILE_SETS, TileSet
from scorer.written import Action, WrittenGame
from tests.scorer.games import OUT, TINY, lay, tiny
from tests.scorer.random_games import random_event
from tests.scorer.test_rescore import LINES, tsv

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
REAL = sorted([*(SHARED / "games").glob("*.tsv"), *(SHARED / "gcg").rglob("*.gcg")])

OPENING = """#player1 a Anna
#player2 b Bert
>a: AHSU 8E HAUS +10 10
>b: EE H8 .EE +3 3
"""


def from_text(text: str | bytes, rules: str | RuleSet = "turnier", tile_set: TileSet = GERMAN_102) -> Resumed:
    data = text if isinstance(text, bytes) else text.encode()
    return resumed(read_written_game(data), rule_set(rules) if isinstance(rules, str) else rules, tile_set)


def test_a_record_becomes_its_events() -> None:
    result = from_text(tsv(*LINES))
    state = replay(result.game)
    assert [type(event) for event in result.game.events] == [
        *(Placed, Placed, Placed, ChallengeRejected, Placed, Withdrawn, NothingLaid)
    ]
    assert [entry.announced for entry in state.plays] == [10, 3, 11, 6]
    assert result.game.events[5] == Withdrawn(5, player=0)
    assert state.board.rows[7:10] == ("..ZUHAUSE......", ".......E.......", ".......E.......")
    assert (state.totals, state.next_player, state.end) == ((21, -7), 1, None)
    assert (result.differences, result.notes) == ((), ())


def test_the_game_can_be_stored_as_any_other() -> None:
    game = from_text(tsv(*LINES)).game
    assert read_game(write_game(game)) == game


def test_a_score_written_down_wrongly_is_what_was_announced() -> None:
    result = from_text(OPENING.replace("+10 10", "+12 12"))
    first = replay(result.game).plays[0]
    assert (first.announced, first.computed, first.points) == (12, 10, 10)
    assert result.differences == (Difference(1, 3, 0, "points", recorded=12, computed=10),)


def test_a_total_added_up_wrongly_is_named_once_and_changes_nothing() -> None:
    result = from_text(OPENING.replace("+3 3", "+3 4") + ">a: ZUE 8C ZU....E +11 21\n>b: A - +0 4\n")
    assert result.differences == (Difference(2, 4, 1, "total", recorded=4, computed=3),)
    assert replay(result.game).totals == (21, 3)


def test_a_penalty_of_other_rules_is_named_and_counts_as_agreed_on() -> None:
    result = from_text(OPENING + ">a: QX (challenge) -5 5\n")
    assert result.game.events[2] == ChallengeRejected(0, 2)
    assert result.differences == (Difference(3, 5, 0, "points", recorded=-5, computed=-10),)
    state = replay(result.game)
    assert (state.totals, state.next_player) == ((0, 3), 0)  # R8.12: the challenger stays in turn


def test_a_withdrawal_of_a_wrong_score_belongs_to_its_player() -> None:
    """The line names the challenger; the points are those of who had laid the move."""
    result = from_text(tsv("1 1 place H5 HAUS 10 - 10 0", "2 2 challenge-upheld - - -4 1 6 0"))
    assert result.differences[0] == Difference(2, 3, 0, "points", recorded=-4, computed=-10)
    state = replay(result.game)
    assert state.board.is_empty and state.totals == (0, 0) and state.next_player == 1


@pytest.mark.parametrize(
    ("line", "event"),
    [
        (">a: QX -QX +0 10", Exchanged(0, tiles="QX")),
        (">a: QX -3 +0 10", Exchanged(0, 3)),
        (">a: QX - +0 10", Passed(0)),
        (">a: QX (time) -10 0", Settled(0, -10, "time")),
        (">b: QX (challenge) +5 8", Settled(1, 5, "challenge-bonus")),
    ],
)
def test_other_lines(line: str, event: object) -> None:
    result = from_text(OPENING + line)
    assert result.game.events[2] == event
    assert result.differences == ()


def test_an_exchange_of_an_unknown_number_stays_unknown() -> None:
    written = written_game(replay(Game(("A", "B"), rule_set("turnier"), GERMAN_102, (Exchanged(0),))))
    result = from_text(write_gcg(written))
    assert result.game.events == (Exchanged(0),)


def test_the_player_who_was_challenged_off_may_be_due_again() -> None:
    """R8.3: by rules without loss of the turn; records hold no turn for it."""
    text = OPENING + ">b: EE -- -3 0\n"
    assert replay(from_text(text).game).next_player == 0
    lenient = rule_set("turnier").with_settings(turns_lost=0)
    assert replay(from_text(text, lenient).game).next_player == 1


def test_who_begins_is_who_has_the_first_turn() -> None:
    """A penalty of the clock before it is none."""
    state = replay(from_text("#player1 a A\n#player2 b B\n>a: X (time) -10 -10\n>b: AHSU 8E HAUS +10 10\n").game)
    assert (state.game.first_player, state.next_player, state.log[1].faults.codes) == (1, 0, [])


# --- the end ------------------------------------------------------------------------------------------------------

FOUR = rule_set("turnier").with_settings(rack_size=4, bingo_bonus=0)
FINISHED = (
    "1 1 place H5 HAUS 10 - 10 0",
    "2 2 place 8H .EE 3 - 10 3",
    "3 1 place 8K HAUS 9 - 19 3",
)


def test_the_racks_of_a_finished_game_are_shown() -> None:
    """R11.1, R11.2: two lines of a German sheet."""
    result = from_text(
        tsv(*FINISHED, "4 2 rack-settlement - EE -2 - 19 1", "5 1 rack-settlement - EE 2 - 21 1"), FOUR, TINY
    )
    assert result.game.events[3:] == (RacksShown(("", "EE")),)
    state = replay(result.game)
    assert (state.totals, state.is_over, state.end and state.end.reason) == ((21, 1), True, EndReason.OUT)
    assert (result.differences, result.notes) == ((), ())


def gcg(*lines: str) -> str:
    return "\n".join(["#player1 a A", "#player2 b B", "#orientation lettered-rows", *lines])


END = (">a: AHSU H5 HAUS +10 10", ">b: EE 8H .EE +3 3", ">a: AHSU 8K HAUS +9 19")


def test_twice_the_rest_to_the_finisher_is_booked_as_it_is() -> None:
    result = from_text(gcg(*END, ">a: (EE) +4 23"), FOUR, TINY)
    assert result.game.events[3:] == (Settled(0, 4, "rack"),)
    state = replay(result.game)
    assert (state.totals, state.is_over) == ((23, 3), True)
    assert result.notes == (ResumeNote.SETTLEMENT_BOOKED,)


def test_a_rest_written_down_wrongly_is_the_right_one() -> None:
    result = from_text(gcg(*END, ">b: EE (EE) -3 0", ">a: (EE) +2 21"), FOUR, TINY)
    assert result.differences == (Difference(4, 7, 1, "points", recorded=-3, computed=-2),)
    assert result.game.events[3:] == (RacksShown(("", "EE")),)
    assert replay(result.game).totals == (21, 1)


def test_points_without_tiles_are_booked_or_follow() -> None:
    """Whose rest follows from the tiles not seen is known without being named; else only the points are."""
    follows = from_text(gcg(*END, ">b: () -2 1", ">a: () +2 21"), FOUR, TINY)
    assert follows.game.events[3:] == (RacksShown(("", "EE")),)
    other = from_text(gcg(*END, ">b: () -5 -2", ">a: () +5 24"), FOUR, TINY)
    assert other.game.events[3:] == (Settled(1, -5, "rack"), Settled(0, 5, "rack"))
    assert (replay(other.game).totals, replay(other.game).is_over) == ((24, -2), True)
    assert other.notes == (ResumeNote.SETTLEMENT_BOOKED,)


def test_settled_in_the_middle_of_a_game_is_as_if_all_had_stopped() -> None:
    """A game given up, or ended by other rules: over all the same, and nobody is credited."""
    result = from_text(OPENING + ">a: QX (QX) -18 -8\n>b: EEN (EEN) -3 0\n")
    assert result.game.events[2:] == (Stopped(), Settled(0, -18, "rack"), Settled(1, -3, "rack"))
    state = replay(result.game)
    assert (state.totals, state.is_over, state.end and state.end.reason) == ((-8, 0), True, EndReason.STOPPED)
    assert ResumeNote.STOPPED in result.notes


def test_passes_of_which_a_record_does_not_tell_that_they_are_some_end_the_game_when_it_is_settled() -> None:
    passes = [f"{number} {1 + number % 2} pass - - 0 - - -" for number in range(2, 9)]
    over = tsv("1 1 place H5 HAUS 10 - 10 0", *passes, "9 1 rack-settlement - EN -2 - 8 0")
    open_end = tsv("1 1 place H5 HAUS 10 - 10 0", *passes)
    assert replay(from_text(over).game).is_over
    assert not replay(from_text(open_end).game).is_over


def test_a_game_that_went_on_after_a_settlement_keeps_all_lines() -> None:
    result = from_text(OPENING + ">a: QX (QX) -18 -8\n>a: ZUE 8C ZU....E +11 3\n")
    assert [type(event) for event in result.game.events] == [Placed, Placed, Settled, Placed]
    assert (replay(result.game).totals, result.differences) == ((3, 3), ())
    assert ResumeNote.SETTLEMENT_BOOKED in result.notes


def test_a_finished_game_without_a_settlement_waits_for_it() -> None:
    result = from_text(gcg(*END), FOUR, TINY)
    state = replay(result.game)
    assert (state.end and state.end.reason, state.is_over) == (EndReason.OUT, False)
    assert result.notes == (ResumeNote.SETTLEMENT_MISSING,)
    settled = offer(state, RacksShown((None, None)))
    assert isinstance(settled, GameState) and settled.is_over and settled.totals == (21, 1)


def test_a_game_broken_off_goes_on() -> None:
    result = from_text("#incomplete EENRSTU\n" + OPENING)
    state = replay(result.game)
    assert (state.end, state.next_player, state.open_move) == (None, 0, 2)
    after = offer(state, lay(0, "H3 ZU....E", state.board, announced=11))
    assert isinstance(after, GameState) and after.totals == (21, 3)


# --- odd records --------------------------------------------------------------------------------------------------


def test_three_players_listed_in_another_order_than_they_play() -> None:
    text = "#player1 x Xenia\n#player2 y Yvonne\n#player3 z Zoe\n"
    text += ">x: AHSU 8E HAUS +10 10\n>z: EE H8 .EE +3 3\n>y: A - +0 0\n>x: ZUE 8C ZU....E +11 21\n>z: A - +0 3\n"
    result = from_text(text)
    state = replay(result.game)
    assert result.game.players == ("Xenia", "Zoe", "Yvonne")
    assert (state.totals, state.next_player) == ((21, 3, 0), 2)
    assert not any(entry.faults for entry in state.log)
    assert ResumeNote.SEATS_REORDERED in result.notes


def test_a_missing_line_is_out_of_turn_and_no_other_order() -> None:
    text = "#player1 x X\n#player2 y Y\n#player3 z Z\n>x: AHSU 8E HAUS +10 10\n>y: A - +0 0\n>z: A - +0 0\n"
    result = from_text(text + ">y: EE H8 .EE +3 3\n>z: A - +0 0\n>x: ZUE 8C ZU....E +11 21\n")
    assert result.game.players == ("X", "Y", "Z")
    assert ResumeNote.OUT_OF_TURN in result.notes
    assert replay(result.game).next_player == 1


def test_four_players_by_rules_for_two() -> None:
    two = rule_set("turnier").with_settings(max_players=2)
    result = from_text(">w: HAUS 8E HAUS +10 10\n>x: A - +0 0\n>y: A - +0 0\n>z: EE H8 .EE +3 3\n", two)
    assert replay(result.game).totals == (10, 0, 0, 3)


def test_two_players_of_one_name() -> None:
    result = from_text(OPENING.replace("Bert", "Anna"))
    assert result.game.players == ("1", "2")
    assert ResumeNote.NAMES_REPLACED in result.notes


def test_a_word_that_claims_tiles_that_do_not_lie_there() -> None:
    result = from_text(gcg(">a: AHSU H5 HAUS +10 10", ">b: EE 8G ..EE +0 0"))
    assert ResumeNote.WORD_DIFFERS in result.notes
    assert replay(result.game).board.at(Square(8, 7)) == "E"


def test_a_blank_without_its_letter_can_be_named_later() -> None:
    state = replay(from_text(gcg(">a: AH?U H5 HAU? +9 9")).game)
    assert state.open_blanks == (Square(7, 7),)


def test_remarks_and_notation() -> None:
    result = from_text(OPENING + "#note a fine word\n")
    assert result.notes == (ResumeNote.NOTATION_ASSUMED, ResumeNote.REMARKS_LEFT_OUT)


def test_english_tiles() -> None:
    result = from_text(">x: QUIZ 8F QUIZ +44 44\n>y: A - +0 0\n>x: S 8F ....ES +24 68\n", "mattel", ENGLISH_100)
    assert (replay(result.game).totals, result.differences) == ((68, 0), ())


def test_an_empty_record_is_a_game_before_its_first_turn() -> None:
    result = from_text("#player1 a Anna\n#player2 b Bert\n")
    assert (result.game.players, result.game.events, result.notes) == (("Anna", "Bert"), (), ())


# --- there and back -----------------------------------------------------------------------------------------------


def recordable_game(seed: int) -> GameState:
    """A legal game at random of what a record can hold: no draw, no score agreed on, nobody out, nothing corrected."""
    random = Random(seed)
    rules = random.choice([*RULE_SETS.values()])
    names = ("Anna", "Ben", "Çem", "Dörte")[: random.randint(2, rules.max_players)]
    state = replay(Game(names, rules, GERMAN_102, first_player=random.randrange(len(names))))
    for _ in range(120):
        event = random_event(state, random)
        if event is None or isinstance(event, Corrected | DrawnForFirst | ScoreAgreed | Overtime):
            continue
        if isinstance(event, Placed):  # what the players say is right
            after = offer(state, Placed(event.player, event.placement))
        else:
            after = offer(state, event)
        state = after if isinstance(after, GameState) else state
    return state


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6).map(recordable_game), st.sampled_from([write_gcg, write_tsv, write_sheet]))
def test_a_game_comes_back_from_its_record(before: GameState, write: object) -> None:
    """Board, points of everybody and who is due. The German sheet names the players, TSV does not: they keep seats."""
    written = written_game(before)
    if not written.moves:
        return
    text = write(written)  # type: ignore[operator]
    result = resumed(read_written_game(text.encode()), before.game.rules, before.game.tile_set)
    state = replay(result.game)
    assert state.board == before.board
    assert state.totals == before.totals
    assert result.differences == ()
    assert state.next_player == before.next_player
    assert [entry.computed for entry in state.plays] == [entry.announced for entry in state.plays]


@pytest.mark.parametrize("write", [write_gcg, write_tsv, write_sheet])
def test_a_finished_game_comes_back_over(write: object) -> None:
    before = tiny(*OUT, RacksShown((None, None)))
    text = write(written_game(before))  # type: ignore[operator]
    result = resumed(read_written_game(text.encode()), before.game.rules, TINY)
    state = replay(result.game)
    assert state.is_over and state.settlement == before.settlement and state.totals == before.totals


# --- real games ---------------------------------------------------------------------------------------------------


def laid_by_text(written: WrittenGame) -> dict[Square, str]:
    """The tiles that lie there after the record, by its texts alone."""
    lies: dict[Square, str] = {}
    by_move: dict[int | None, list[Square]] = {}
    for line in written.moves:
        if line.move is not None:
            square, new = line.move.start, {}
            for mark in line.move.marks:
                if mark.tile is not None and square not in lies:
                    new[square] = mark.tile
                square = square.step(line.move.direction)
            lies |= new
            by_move[line.number] = [*new]
        elif line.action is Action.CHALLENGE_UPHELD:
            for square in by_move.pop(line.ref):
                del lies[square]
    return lies


@pytest.mark.skipif(not REAL, reason="the lent games (../shared) are not here")
@pytest.mark.parametrize("path", REAL, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_real_games_resume_to_their_position_and_points(path: Path) -> None:
    tiles = "polish" if path.name.startswith("polish") else "german"
    tiles = "english" if path.parent.name in ("liwords", "macondo", "quackle") and tiles == "german" else tiles
    written = read_written_game(path.read_bytes())
    result = resumed(written, rule_set("turnier"), TILE_SETS[tiles])
    state = replay(result.game)
    assert dict(state.board) == laid_by_text(written)
    totals: dict[int, int] = {}
    for line in written.moves:
        totals |= {seat: total for seat, total in enumerate(line.totals) if total is not None}
    named = [0] * len(state.totals)
    for one in result.differences:
        named[one.player] += one.recorded - one.computed if one.what == "points" else 0
    by_rules = {seat: state.totals[seat] for seat in totals}
    explained = {seat: total - named[seat] for seat, total in totals.items()}
    assert by_rules in (totals, explained)
    assert all(line.action is not Action.RACK_SETTLEMENT for line in written.moves) or state.is_over
    assert ResumeNote.OUT_OF_TURN not in result.notes
