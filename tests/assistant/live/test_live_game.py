"""What a camera's looks do to a game: readings made from boards in place of photos."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np
import pytest

from assistant.live.game import CAMERA, PATIENCE, LiveGame, Outcome
from assistant.live.sides import Sides, between, mean_angle
from assistant.live.telling import told_of
from assistant.table.history import phase
from assistant.texts import Texts
from scorer.board import Board, Square
from scorer.events import Passed, Placed, Withdrawn
from tests.assistant.table.tables import ANNA, EMPTY, Players, lay
from vision.observe import Observation

HUT = lay(EMPTY, 7, 6, "HUT")
HUT_TOR = lay(HUT, 7, 8, "TOR", down=True)


class Camera:
    """Looks at boards as they are given; time goes on as it is told."""

    def __init__(self, players: Players) -> None:
        self.players, self.at, self._numbers = players, 0.0, count(1)
        self.game = LiveGame(players.table, players.store.put_photo)

    def look(
        self,
        board: Board | None,
        unsure: Mapping[tuple[int, int], Mapping[str, float]] | None = None,
        *,
        calm_for: float = 1.5,
        **about: Any,
    ) -> Outcome:
        data = f"frame {next(self._numbers)}".encode()
        if board is None:
            seen = Observation("look", reason="no-board", size=(1280, 720))
        else:
            seen = Observation("look", reading=self.players.make(board.rows, unsure), size=(1280, 720))
        return self.game.look(data, seen, self.at, calm_for=calm_for, **about)

    def wait(self, seconds: float) -> Outcome | None:
        self.at += seconds
        return self.game.tick(self.at)

    def sees(self, board: Board) -> Outcome:
        """The board is looked at, and what it shows is booked in time."""
        self.at += 5.0
        self.look(board)
        booked = self.wait(3.0)
        assert booked is not None and booked.kind == "booked"
        return booked


@pytest.fixture
def camera(players: Players) -> Camera:
    return Camera(players)


def placed(camera: Camera) -> list[str]:
    """The words that are booked and lie there."""
    plays = [entry.play for entry in camera.players.table.state.state.plays if not entry.withdrawn]
    return [play.main_word.word for play in plays if play is not None and play.main_word is not None]


def test_a_stable_legal_move_is_proposed_at_once_and_booked_when_it_has_settled(camera: Camera) -> None:
    assert camera.look(EMPTY).kind == "nothing"
    outcome = camera.look(HUT)
    assert outcome.kind == "proposed"
    assert outcome.proposal is not None and outcome.proposal.laid[0][1].score == 8
    assert camera.wait(1.9) is None
    assert placed(camera) == []
    booked = camera.wait(0.2)
    assert booked is not None and booked.kind == "booked"
    assert placed(camera) == ["HUT"]
    assert camera.players.table.state.state.totals == (8, 0)
    (done,) = camera.players.table.state.done
    assert done.row.author == CAMERA and done.evidence is not None and done.evidence["photos"]
    assert camera.look(HUT).kind == "nothing"


def test_the_next_move_books_the_one_before(camera: Camera) -> None:
    camera.look(HUT)
    camera.at += 1
    outcome = camera.look(HUT_TOR)
    assert outcome.kind == "proposed"
    assert placed(camera) == ["HUT"]
    camera.wait(3)
    assert placed(camera) == ["HUT", "TOR"]
    assert [turn.at for turn in camera.game.turns] == [0.0, 1.0]
    assert [turn.events for turn in camera.game.turns] == [(1,), (2,)]


def test_tiles_that_are_moved_before_they_count_are_one_move(camera: Camera) -> None:
    assert camera.look(HUT).kind == "proposed"
    camera.wait(1)
    assert camera.look(lay(EMPTY, 7, 5, "HUT")).kind == "proposed"
    assert camera.wait(1.5) is None  # the time counts from the change
    camera.wait(1)
    events = [done.event for done in camera.players.table.state.done]
    assert len(events) == 1 and isinstance(events[0], Placed)
    assert set(events[0].placement.squares) == {Square(7, 5), Square(7, 6), Square(7, 7)}


def test_swapped_tiles_on_the_same_squares_are_a_new_proposal(camera: Camera) -> None:
    camera.look(lay(EMPTY, 7, 6, "TOR"))
    camera.wait(1)
    assert camera.look(lay(EMPTY, 7, 6, "ROT")).kind == "proposed"
    camera.wait(3)
    assert placed(camera) == ["ROT"]


def test_tiles_that_are_taken_up_before_they_count_are_no_move(camera: Camera) -> None:
    camera.look(HUT)
    assert camera.look(EMPTY).kind == "dropped"
    assert camera.wait(5) is None
    assert camera.players.table.state.done == ()
    assert camera.players.table.state.pending is None


def test_tiles_that_go_after_they_counted_are_a_move_taken_back(camera: Camera) -> None:
    camera.sees(HUT)
    camera.sees(HUT_TOR)
    camera.at += 30
    assert camera.look(HUT).kind == "proposed"
    camera.wait(3)
    state = camera.players.table.state.state
    assert isinstance(camera.players.table.state.done[-1].event, Withdrawn)
    assert state.totals == (8, 0) and placed(camera) == ["HUT"]
    assert state.next_player == 0  # the move used the turn (R8.3)


def test_tiles_that_go_soon_after_they_counted_are_asked_about(camera: Camera) -> None:
    camera.sees(HUT)
    camera.sees(HUT_TOR)
    camera.at += 4
    outcome = camera.look(HUT)
    assert (outcome.kind, outcome.why) == ("asked", "challenged-or-again")
    assert camera.wait(10) is None
    camera.players.do("confirm")  # it was challenged off
    assert placed(camera) == ["HUT"]
    assert camera.players.table.state.state.next_player == 0


def test_who_thinks_again_undoes_the_move_and_lays_another(camera: Camera) -> None:
    camera.sees(HUT)
    camera.sees(HUT_TOR)
    camera.at += 4
    camera.look(HUT)
    camera.players.do("undo")
    assert camera.wait(0) is None
    assert camera.players.table.state.pending is None
    camera.sees(lay(HUT, 7, 8, "TAG", down=True))
    assert placed(camera) == ["HUT", "TAG"]
    last = camera.players.table.state.done[-1].event
    assert isinstance(last, Placed) and last.player == 1


def test_after_an_upheld_challenge_the_tiles_may_lie_there_until_somebody_takes_them(camera: Camera) -> None:
    camera.sees(HUT)
    camera.players.do("challenge", ref=1, challengers=[1], words=["HUT"])
    assert camera.look(HUT).why == "challenge-open"
    camera.players.do("verdict", word="HUT", valid=False, by="Ben", source="Duden")
    camera.players.do("settle-challenge")
    outcome = camera.look(HUT)
    assert (outcome.kind, outcome.why) == ("wait", "still-there")
    assert camera.look(EMPTY).kind == "nothing"
    camera.sees(lay(EMPTY, 7, 6, "TOR"))
    assert placed(camera) == ["TOR"]


def test_what_is_not_legal_waits_and_is_asked_about_in_the_end(camera: Camera) -> None:
    off_star = lay(EMPTY, 2, 2, "HUT")
    outcome = camera.look(off_star)
    assert outcome.kind == "wait" and outcome.again == pytest.approx(PATIENCE - 1.5)
    assert camera.players.table.state.pending is None
    outcome = camera.look(off_star, calm_for=PATIENCE)
    assert outcome.kind == "asked"
    assert camera.wait(60) is None
    assert camera.players.table.state.done == ()


def test_a_speck_that_is_hardly_a_tile_is_nobodys_question(camera: Camera) -> None:
    camera.sees(HUT)
    speck = {(8, 8): {".": 0.93, "I": 0.07}}
    for calm_for in (2.0, 5.0, 8.0):
        outcome = camera.look(HUT, speck, calm_for=calm_for)
        assert outcome.kind in ("wait", "nothing")
    assert outcome.again is None and camera.players.table.state.pending is None


def test_a_press_of_the_clock_books_what_is_sure_and_asks_about_the_rest(camera: Camera) -> None:
    assert camera.look(HUT, pressed=True).kind == "booked"
    assert camera.look(lay(HUT, 2, 2, "TOR"), pressed=True).kind == "asked"


def test_a_press_while_a_move_is_only_proposed_books_it(camera: Camera) -> None:
    camera.look(HUT)
    assert camera.look(HUT, pressed=True).kind == "booked"
    assert placed(camera) == ["HUT"]


def test_a_press_without_new_tiles_asks_what_it_means(camera: Camera) -> None:
    camera.sees(HUT)
    outcome = camera.look(HUT, pressed=True)
    assert outcome.kind == "asked"
    camera.players.do("pass")
    assert isinstance(camera.players.table.state.done[-1].event, Passed)
    assert camera.wait(1) is None


def test_who_passes_while_a_move_is_proposed_is_the_next_player(camera: Camera) -> None:
    camera.look(HUT)
    assert camera.game.close_turn("pass", camera.at)
    camera.players.do("pass")
    events = [done.event for done in camera.players.table.state.done]
    assert isinstance(events[0], Placed) and events[1] == Passed(1)
    assert camera.look(HUT).kind == "nothing"
    assert not camera.game.close_turn("pass", camera.at)


def test_only_going_on_with_the_game_closes_a_turn(camera: Camera) -> None:
    camera.look(HUT)
    for action in ("undo", "answer", "drop", "confirm", "type"):
        assert not camera.game.close_turn(action, camera.at)
    assert placed(camera) == []


def test_a_doubtful_letter_is_looked_at_once_more_and_then_asked(camera: Camera) -> None:
    doubt = {(7, 6): {"H": 0.5, "N": 0.5}}
    first = camera.look(HUT, doubt)
    assert (first.kind, first.why) == ("wait", "which-letter")
    assert first.again is not None and first.again < 1
    second = camera.look(HUT, doubt)
    assert (second.kind, second.why) == ("asked", "which-letter")
    assert camera.wait(60) is None
    camera.players.do("answer", squares=[[7, 6, "H"]])
    assert camera.wait(0) is None
    booked = camera.wait(3)
    assert booked is not None and booked.kind == "booked"
    assert placed(camera) == ["HUT"]


def test_a_tile_that_the_look_before_had_half_shown_is_a_move(camera: Camera) -> None:
    """The shadow of a hand where a tile comes to lie: no clear difference, but a move."""
    camera.sees(HUT)
    camera.at += 10
    camera.look(HUT, {(7, 9): {".": 0.9, "?": 0.1}})
    camera.at += 10
    assert camera.look(lay(HUT, 7, 9, "E"), {(7, 9): {"E": 0.97, "F": 0.03}}).kind == "proposed"
    camera.wait(3)
    assert placed(camera) == ["HUT", "HUTE"]


def test_a_tile_that_the_proposals_photo_had_half_shown_is_the_next_move(camera: Camera) -> None:
    half = {(8, 8): {".": 0.9, "?": 0.1}}
    camera.look(HUT, half)
    camera.at += 10
    outcome = camera.look(lay(HUT, 7, 8, "TA", down=True))
    assert placed(camera) == ["HUT"] and outcome.kind == "proposed"


def test_a_better_look_spares_the_question(camera: Camera) -> None:
    camera.look(HUT, {(7, 6): {"H": 0.5, "N": 0.5}})
    assert camera.look(HUT).kind == "proposed"


def test_a_look_does_not_replace_what_was_asked_about(camera: Camera) -> None:
    """Who looks often enough sees everything once."""
    doubt = {(7, 6): {"N": 0.7, "H": 0.3}}
    camera.look(HUT, doubt)
    assert camera.look(HUT, doubt).kind == "asked"
    assert camera.look(HUT).kind == "nothing"
    assert camera.wait(60) is None
    assert placed(camera) == []


def test_a_better_look_answers_a_question_that_is_open_already(camera: Camera) -> None:
    doubt = {(7, 6): {"H": 0.7, "N": 0.3}}
    camera.look(HUT, doubt)
    assert camera.look(HUT, doubt).kind == "asked"
    assert camera.look(HUT).kind == "proposed"
    camera.wait(3)
    assert placed(camera) == ["HUT"]


def test_the_game_goes_on_behind_a_question(camera: Camera) -> None:
    doubt = {(7, 6): {"H": 0.5, "N": 0.5}}
    camera.look(HUT, doubt)
    camera.look(HUT, doubt)
    # what lay there stays doubtful, whatever is laid beside it
    after = camera.look(HUT_TOR, doubt)
    assert (after.kind, after.why) == ("asked", "waiting")
    mine = lay(HUT_TOR, 9, 8, "RAD")
    camera.look(mine, doubt)
    assert camera.game.waiting == 2
    outlook = camera.game.outlook()
    assert outlook is not None and [entry.kind for entry in outlook.entries] == ["place"] * 3
    camera.players.do("answer", squares=[[7, 6, "H"]])
    camera.wait(0)
    words = []
    for _ in range(6):
        camera.wait(3)
        words = placed(camera)
    assert words == ["HUT", "TOR", "RAD"]
    assert camera.game.waiting == 0 and camera.game.outlook() is None


def test_a_later_look_answers_the_question_before_it(camera: Camera) -> None:
    doubt = {(7, 6): {"H": 0.5, "N": 0.5}}
    camera.look(HUT, doubt)
    camera.look(HUT, doubt)
    camera.look(HUT_TOR)  # the H is plain to see now
    for _ in range(3):
        camera.wait(3)
    assert placed(camera) == ["HUT", "TOR"]


def test_a_blank_without_a_letter_holds_nobody_up(camera: Camera) -> None:
    camera.sees(HUT)
    blank = lay(HUT, 7, 8, "T?R", down=True)
    camera.at += 10
    outcome = camera.look(blank)
    assert (outcome.kind, outcome.why) == ("proposed", "blank-letter")
    camera.wait(3)
    assert placed(camera) == ["HUT", "T?R"]
    camera.sees(lay(blank, 9, 8, "RAD"))  # nobody has said the letter yet
    assert placed(camera) == ["HUT", "T?R", "RAD"]
    camera.players.do("blank", square=[8, 8], letter="O")
    assert placed(camera)[1] == "ToR"


def test_a_blank_that_is_named_at_once_is_booked_with_its_letter(camera: Camera) -> None:
    camera.sees(HUT)
    camera.look(lay(HUT, 7, 8, "T?R", down=True))
    camera.players.do("answer", squares=[[8, 8, "o"]])
    camera.wait(0)
    camera.wait(3)
    assert placed(camera) == ["HUT", "ToR"]


def test_doubtful_tiles_that_go_after_a_while_were_challenged(camera: Camera) -> None:
    camera.sees(HUT)
    doubt = {(8, 8): {"O": 0.5, "Q": 0.5}}
    camera.look(HUT_TOR, doubt)
    camera.look(HUT_TOR, doubt)
    camera.at += 30
    outcome = camera.look(HUT)
    assert outcome.behind is not None and outcome.behind.kind == "withdrawn"
    told = told_of(outcome, camera.players.table, Texts("en"))
    assert told == "the last move is taken back – counts when the question before it is answered"
    camera.players.do("answer", squares=[[8, 8, "O"]])
    for _ in range(4):
        camera.wait(3)
    assert placed(camera) == ["HUT"]
    assert camera.players.table.state.state.next_player == 0


def test_doubtful_tiles_that_go_at_once_were_no_move(camera: Camera) -> None:
    camera.sees(HUT)
    doubt = {(8, 8): {"O": 0.5, "Q": 0.5}}
    camera.look(HUT_TOR, doubt)
    camera.look(HUT_TOR, doubt)
    camera.at += 4
    assert camera.look(HUT).kind == "dropped"
    assert camera.players.table.state.state.next_player == 1


def test_what_a_person_says_is_empty_is_over_at_once(camera: Camera) -> None:
    """Nobody waits behind a question of which nothing is left, and the same is not asked again; a tile is seen all the
    same when one is laid there."""
    phantom = {(8, 8): {"O": 0.6, ".": 0.4}}
    camera.sees(HUT)
    camera.at += 20
    assert camera.look(HUT, phantom).kind == "wait"
    asked = camera.look(HUT, phantom)
    assert (asked.kind, asked.why) == ("asked", "tile-or-empty")
    camera.players.do("answer", squares=[[8, 8, "."]])
    assert camera.wait(0.1) is None and camera.players.table.state.pending is None
    camera.at += 5
    assert camera.look(HUT, phantom).kind == "nothing"
    hof = lay(HUT, 7, 6, "HOF", down=True)
    camera.at += 20
    assert camera.look(hof, phantom).kind == "proposed"
    camera.wait(3)
    camera.at += 20
    assert camera.look(lay(hof, 7, 8, "TO", down=True)).kind == "proposed"
    camera.wait(3)
    assert placed(camera) == ["HUT", "HOF", "TO"]


def test_what_waited_behind_a_tile_that_was_none_goes_on(camera: Camera) -> None:
    camera.sees(HUT)
    phantom = {(8, 8): {"O": 0.6, ".": 0.4}}
    camera.at += 20
    camera.look(HUT, phantom), camera.look(HUT, phantom)
    hof = lay(HUT, 7, 6, "HOF", down=True)
    camera.at += 20
    assert camera.look(hof, phantom).why == "waiting"
    camera.players.do("answer", squares=[[8, 8, "."]])
    outcomes = [camera.wait(1.5) for _ in range(5)]
    assert [one.kind for one in outcomes if one is not None] == ["proposed", "booked"]
    assert placed(camera) == ["HUT", "HOF"]


def test_what_a_person_threw_away_is_not_proposed_again_by_itself(camera: Camera) -> None:
    camera.look(HUT)
    camera.players.do("drop")
    assert camera.look(HUT).kind == "nothing"
    assert camera.wait(10) is None
    assert camera.look(HUT, pressed=True).kind == "booked"


def test_what_a_person_undid_is_proposed_again_when_the_board_has_changed(camera: Camera) -> None:
    camera.sees(HUT)
    camera.players.do("undo")
    camera.sees(lay(EMPTY, 7, 6, "HUTE"))
    assert placed(camera) == ["HUTE"]


def test_a_person_may_confirm_before_the_time(camera: Camera) -> None:
    camera.look(HUT)
    camera.players.do("confirm")
    assert camera.wait(10) is None
    camera.sees(HUT_TOR)
    assert placed(camera) == ["HUT", "TOR"]
    assert [(turn.entry.kind, turn.entry.totals, turn.events) for turn in camera.game.turns] == [
        ("place", (8, 0), (1,)),
        ("place", (8, 6), (2,)),
    ]


def test_a_photo_of_a_person_is_that_persons_matter(camera: Camera) -> None:
    camera.players.photo(HUT)
    assert camera.look(HUT).kind == "nothing"
    assert camera.wait(10) is None
    assert camera.players.table.state.done == ()
    camera.players.do("confirm")
    assert placed(camera) == ["HUT"]


def test_no_board_in_the_picture_changes_nothing(camera: Camera) -> None:
    camera.look(HUT)
    outcome = camera.look(None)
    assert (outcome.kind, outcome.why) == ("unreadable", "no-board")
    camera.wait(3)
    assert placed(camera) == ["HUT"]


def test_initials_before_the_game_are_no_move(camera: Camera) -> None:
    initials = lay(lay(EMPTY, 7, 5, "A"), 7, 9, "B")
    assert camera.look(initials).kind in ("nothing", "wait")
    camera.sees(HUT)
    assert placed(camera) == ["HUT"]


def test_who_lays_at_once_settles_what_lay_there_before(camera: Camera) -> None:
    """A first move with a blank inside may be initials; nobody was asked before the next tiles came."""
    first = lay(EMPTY, 7, 6, "V?DE")
    assert camera.look(first).why == "initials-or-move"
    camera.at += 6
    second = lay(first, 8, 6, "AN")
    assert camera.look(second, calm_for=2.0).kind == "proposed"
    camera.wait(3)
    camera.at += 6
    camera.look(lay(second, 9, 7, "ER"), calm_for=2.0)
    camera.wait(3)
    players = [done.event.player for done in camera.players.table.state.done if isinstance(done.event, Placed)]
    assert players == [0, 1, 0] and [len(word) for word in placed(camera)] == [4, 2, 2]


def test_looks_at_an_empty_board_in_bad_light_are_no_obstacle(camera: Camera) -> None:
    """What looks like tiles here and there on the empty board, each time elsewhere."""
    for square in ((2, 2), (11, 4), (3, 12)):
        assert camera.look(EMPTY, {square: {"X": 0.5, ".": 0.5}}, calm_for=2.0).kind == "wait"
        camera.at += 6
    camera.look(HUT, {(2, 2): {"X": 0.5, ".": 0.5}}, calm_for=2.0)
    camera.at += 6
    camera.look(HUT_TOR, calm_for=2.0)
    camera.wait(0.1)
    camera.wait(3)
    assert placed(camera) == ["HUT", "TOR"]


def test_a_move_that_is_laid_in_several_calm_steps_is_one(camera: Camera) -> None:
    begun = [lay(EMPTY, 7, 5, "H"), lay(EMPTY, 7, 5, "HU"), lay(lay(EMPTY, 7, 5, "HU"), 7, 8, "D")]
    for board in begun:
        assert camera.look(board, calm_for=2.0).kind in ("wait", "nothing", "proposed", "dropped")
        camera.at += 1
    camera.look(lay(EMPTY, 7, 5, "HUND"), calm_for=2.0)
    camera.wait(3)
    assert placed(camera) == ["HUND"]


def test_what_lay_there_for_a_while_and_is_gone_is_forgotten(camera: Camera) -> None:
    camera.sees(HUT)
    gap = lay(lay(HUT, 8, 8, "O", down=True), 10, 8, "F")
    assert camera.look(gap, calm_for=2.0).kind == "wait"
    camera.at += 5
    assert camera.look(HUT, calm_for=2.0).kind == "nothing" and camera.game._unsettled == []
    camera.at += 5
    camera.look(HUT_TOR, calm_for=2.0)
    camera.wait(3)
    assert placed(camera) == ["HUT", "TOR"]


def test_after_a_restart_the_camera_goes_on(camera: Camera, players: Players) -> None:
    camera.look(HUT)
    seen = players.table.seen(players.table.state.pending.photos[0])  # type: ignore[union-attr]
    assert seen is not None
    players.again()
    again = Camera(players)
    assert again.wait(10) is None  # the photos were not read again yet
    for key in players.table.unread():
        players.table.observed(key, seen)
    again.wait(0)
    again.wait(3)
    assert placed(again) == ["HUT"]


def test_two_cameras_and_a_person_at_once_book_a_move_once(camera: Camera, players: Players) -> None:
    other = Camera(players)
    camera.look(HUT)
    other.look(HUT)
    players.do("confirm", ANNA)
    assert camera.wait(5) is None and other.wait(5) is None
    assert placed(camera) == ["HUT"]


def test_nothing_is_laid_any_more_when_the_game_is_settled(camera: Camera) -> None:
    camera.sees(HUT)
    camera.players.do("stop")
    camera.players.do("racks", racks=["ABCDEFG", "HIJKLMN"])
    assert phase(camera.players.table.state.state) == "settled"
    assert camera.look(HUT_TOR).why == "settled"
    assert placed(camera) == ["HUT"]


BOTTOM, TOP = 90.0, -85.0
"""From where the players reach, degrees in the picture."""


def six_moves(camera: Camera) -> Board:
    """Anna lays from below, Ben from above, three moves each."""
    board = HUT
    for number, (row, col, word) in enumerate([(7, 6, "HUT"), *((7, 8, "TOR"), (9, 8, "RAD"), (9, 10, "DU"))]):
        board = lay(board, row, col, word, down=number in (1, 3))
        at_table(camera, board, (BOTTOM, TOP)[number % 2])
    board = lay(board, 10, 10, "UHR")
    at_table(camera, board, BOTTOM)
    board = lay(board, 10, 12, "REH", down=True)
    at_table(camera, board, TOP)
    return board


def at_table(camera: Camera, board: Board, reach: float | None) -> Outcome:
    camera.at += 10
    outcome = camera.look(board, reach=reach)
    camera.wait(3)
    return outcome


def test_a_hand_from_the_other_side_is_asked_about_and_a_pass_explains_it(camera: Camera) -> None:
    board = six_moves(camera)
    assert placed(camera) == ["HUT", "TOR", "RAD", "DU", "UHR", "REH"]
    # Anna passes and says nothing; the next tiles come from above again
    outcome = at_table(camera, lay(board, 12, 12, "HA"), TOP - 10)
    assert outcome is not None and (outcome.kind, outcome.why) == ("asked", "whose-turn")
    assert len(placed(camera)) == 6
    camera.players.do("pass")
    camera.wait(0)
    camera.wait(3)
    last = camera.players.table.state.done[-1].event
    assert isinstance(last, Placed) and last.player == 1
    assert camera.players.table.state.done[-2].event == Passed(0)


def test_anybody_may_take_the_tiles_away(camera: Camera) -> None:
    board = six_moves(camera)
    more = lay(board, 12, 12, "HA")
    at_table(camera, more, BOTTOM)
    camera.at += 60
    assert camera.look(board, reach=BOTTOM).kind == "proposed"


def test_who_confirms_says_that_the_hand_was_right(camera: Camera) -> None:
    board = six_moves(camera)
    at_table(camera, lay(board, 12, 12, "HA"), TOP)
    camera.players.do("confirm")
    last = camera.players.table.state.done[-1].event
    assert isinstance(last, Placed) and last.player == 0
    assert camera.wait(10) is None


@pytest.mark.parametrize("rounds", [1, 3, 8])
def test_who_changes_seats_is_asked_a_few_times(rounds: int) -> None:
    """Or the camera was put on the other side of the table."""
    sides, asked = Sides(), 0
    for _ in range(rounds):
        sides = sides.with_move(0, BOTTOM).with_move(1, TOP)
    for number in range(12):
        player, reach = number % 2, (TOP, BOTTOM)[number % 2]
        other = sides.perhaps_another(player, reach)
        asked += other is not None
        sides = sides.with_move(player, reach, against=other is not None)
    assert asked == {1: 1, 3: 3, 8: 3}[rounds]
    assert sides.perhaps_another(0, BOTTOM) == 1 and sides.perhaps_another(1, TOP) == 0


def test_what_a_person_says_of_a_hand_is_believed(camera: Camera) -> None:
    """Both have changed seats."""
    board, asked = six_moves(camera), []
    more = [(12, 12, "HA", False), (12, 13, "AN", True), (13, 13, "NU", False), (13, 14, "UM", True)]
    for number, (row, col, word, down) in enumerate(more):
        board = lay(board, row, col, word, down=down)
        asked.append(at_table(camera, board, (TOP, BOTTOM)[number % 2]).why)
        if asked[-1] == "whose-turn":
            camera.players.do("confirm")
    assert asked == ["whose-turn"] * 3 + [None]
    players = [done.event.player for done in camera.players.table.state.done if isinstance(done.event, Placed)]
    assert players == [0, 1] * 5


def test_the_game_goes_on_behind_the_question_whose_turn_it_is(camera: Camera) -> None:
    board = lay(six_moves(camera), 12, 12, "HA")
    at_table(camera, board, TOP)
    outcome = at_table(camera, lay(board, 12, 13, "AN", down=True), BOTTOM)
    assert outcome is not None and outcome.why == "waiting"
    outlook = camera.game.outlook()
    assert outlook is not None and outlook.entries[0].question is not None
    assert outlook.entries[0].question.code == "whose-turn"
    camera.players.do("pass")
    for _ in range(5):
        camera.wait(3)
    players = [done.event.player for done in camera.players.table.state.done if isinstance(done.event, Placed)]
    assert players == [0, 1, 0, 1, 0, 1, 1, 0]


def test_whose_turn_it_is_is_asked_when_the_letter_is_answered(camera: Camera) -> None:
    board = lay(six_moves(camera), 12, 12, "HA")
    doubt = {(12, 13): {"A": 0.5, "E": 0.5}}
    camera.at += 10
    assert camera.look(board, doubt, reach=TOP).kind == "wait"
    assert camera.look(board, doubt, reach=TOP).why == "which-letter"
    assert camera.wait(1) is None
    camera.players.do("answer", squares=[[12, 13, "A"]])
    outcome = camera.wait(1)
    assert outcome is not None and (outcome.kind, outcome.why) == ("asked", "whose-turn")
    assert camera.wait(1) is None, "asked once"
    camera.players.do("pass")
    camera.wait(0)
    camera.wait(3)
    last = camera.players.table.state.done[-1].event
    assert isinstance(last, Placed) and last.player == 1


def test_where_the_clock_runs_it_tells_whose_turn_it_is(camera: Camera) -> None:
    board = six_moves(camera)
    camera.players.table.press({"do": "start"})
    outcome = camera.look(lay(board, 12, 12, "HA"), reach=TOP)
    assert outcome.kind == "proposed"


@pytest.mark.parametrize("reach", [None, BOTTOM, BOTTOM + 50, 0.0])
def test_hands_from_elsewhere_are_no_question(camera: Camera, reach: float | None) -> None:
    board = six_moves(camera)
    assert camera.look(lay(board, 12, 12, "HA"), reach=reach).kind == "proposed"


def test_people_who_share_a_side_are_not_told_apart() -> None:
    sides = Sides()
    for _ in range(5):
        sides = sides.with_move(0, 80.0).with_move(1, 100.0)
    assert sides.surely_another(0, 100.0) is None and sides.surely_another(1, 80.0) is None
    assert sides.perhaps_another(0, 100.0) is None and sides.perhaps_another(1, 80.0) is None


def test_who_walks_around_has_no_side() -> None:
    sides = Sides()
    for angle in (0.0, 90.0, 180.0, 270.0):
        sides = sides.with_move(0, angle).with_move(1, 270.0)
    assert sides.side(0) is None and sides.side(1) == pytest.approx(-90.0)
    assert sides.surely_another(0, 270.0) is None and sides.perhaps_another(0, 270.0) is None


def test_one_move_of_each_is_enough_to_ask_and_not_enough_to_know() -> None:
    sides = Sides().with_move(0, BOTTOM).with_move(1, TOP)
    assert sides.perhaps_another(0, TOP + 25) == 1 and sides.surely_another(0, TOP) is None
    assert sides.perhaps_another(0, BOTTOM + 25) is None
    assert sides.perhaps_another(0, None) is None


def test_two_hands_in_a_row_from_one_side_are_asked_about_once() -> None:
    """Ben has not laid yet: either he passed, or he sits beside Anna."""
    sides = Sides().with_move(0, BOTTOM)
    assert sides.perhaps_another(1, BOTTOM - 20) == 0 and sides.perhaps_another(1, TOP) is None
    beside = sides.with_move(1, BOTTOM - 20)
    assert beside.perhaps_another(0, BOTTOM) is None and beside.perhaps_another(1, BOTTOM) is None


@pytest.mark.parametrize("stray", [BOTTOM + 90, TOP, 0.0])
def test_a_hand_that_once_came_from_elsewhere_leaves_a_player_the_side(stray: float) -> None:
    sides = Sides({0: (BOTTOM, stray, BOTTOM + 10, BOTTOM - 10), 1: (TOP, TOP + 5)})
    assert sides.perhaps_another(0, TOP) == 1 and sides.perhaps_another(0, BOTTOM) is None
    assert sides.surely_another(0, TOP) is None


SEATS = [(90.0, -90.0), (90.0, 0.0), (90.0, -30.0, -150.0), (90.0, 0.0, -90.0, 180.0)]
"""Sides of two, three and four players."""


def asked_about(seats: tuple[float, ...], passed: int, rng: np.random.Generator, spread: float, stray: float) -> Any:
    """24 moves, and before one of them a pass that nobody tells: (numbers of the moves that are rightly asked about, of
    those that are needlessly, moves that stand under another player in the end)."""
    sides, expected, player = Sides(), 0, 0
    right, needless, wrong = [], [], 0
    for number in range(24):
        player = (player + (number == passed)) % len(seats)
        anywhere = number != passed and rng.random() < stray
        reach = float(rng.uniform(0, 360) if anywhere else rng.normal(seats[player], spread))
        asked = sides.perhaps_another(expected, reach) is not None
        if asked:
            (right if expected != player else needless).append(number)
        sides = sides.with_move(player if asked else expected, reach, against=asked and expected == player)
        expected = player if asked else expected
        wrong += expected != player
        expected, player = (expected + 1) % len(seats), (player + 1) % len(seats)
    return right, needless, wrong


@pytest.mark.parametrize("seats", SEATS)
def test_every_pass_that_nobody_tells_is_asked_about_and_nothing_else(seats: tuple[float, ...]) -> None:
    """But those of the first round, in which nobody knows who sits where."""
    rng = np.random.default_rng(12)
    for passed in [*range(len(seats), 24)] * 5:
        assert asked_about(seats, passed, rng, spread=8, stray=0) == ([passed], [], 0)


def test_hands_that_now_and_then_come_from_anywhere_cost_few_questions() -> None:
    rng = np.random.default_rng(12)
    games = [asked_about(SEATS[0], passed, rng, spread=12, stray=0.05) for passed in [*range(2, 24)] * 30]
    assert sum(passed in right for passed, (right, _, _) in zip([*range(2, 24)] * 30, games, strict=True)) >= 0.98 * 660
    assert sum(len(needless) for _, needless, _ in games) <= 0.5 * 660
    assert sum(wrong for _, _, wrong in games) <= 0.01 * 24 * 660


def test_a_mean_of_directions_goes_around() -> None:
    assert mean_angle([350.0, 10.0]) == pytest.approx(0.0, abs=1e-9)
    assert mean_angle([0.0, 180.0]) is None
    assert between(350.0, 10.0) == pytest.approx(20.0)


def test_a_board_that_is_full_when_the_camera_begins_is_asked_about(camera: Camera) -> None:
    """More than one move can add, and none is booked: moves have been missed. Nothing would ever be counted."""
    board = lay(lay(HUT_TOR, 9, 9, "EISEN"), 9, 13, "NUSS", down=True)
    first = camera.look(board, calm_for=2.0)
    assert (first.kind, first.why) == ("wait", "begun-before") and first.again is not None
    asked = camera.look(board, calm_for=PATIENCE)
    assert (asked.kind, asked.why) == ("asked", "begun-before")
    camera.players.do("drop")
    assert camera.look(board, calm_for=PATIENCE).kind == "nothing", "asked once"
    assert placed(camera) == []
