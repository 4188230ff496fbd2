"""Whole games by chance in front of a camera: what is booked in the end is what was laid, by whom it was laid.

A table of which everything is known plays against the camera: who passes says so, or not; tiles lie for a while before
the move is whole; words are challenged on the page, or at the table only; a person answers at once, late, or is quicker
than the camera; the server starts anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from assistant.live.game import CHALLENGED_OR_AGAIN, CONTESTED, PATIENCE, WHOSE_TURN, LiveGame, Outcome
from assistant.live.sides import Sides
from models.table.drawn_game import DrawnGame, WordSearch, draw_game
from scorer.board import Board, Square
from scorer.events import Exchanged, Passed, Placed
from scorer.history import counting
from scorer.placement import Placement
from scorer.rules import RULE_SETS
from scorer.tiles import BLANK, GERMAN_102
from tests.assistant.live.test_live_game import Camera
from tests.assistant.table.tables import BEN, EMPTY, Players, lay

WORDS = """AB AN AUS BAD BALL BAR BEI BEIN BROT BUCH DA DAS DER DU EI EIN EIS ELF ENGE ER ERDE ES FEE FEST FUSS GANS
GAST GELD GRAS GUT HA HAT HALM HEU HOF HUT HUND IM IN IGEL INSEL JA KEIN KIND KUH LAND LEID LISTE MANN MAUS MEER MUT
NASE NEIN NEST NETZ NIE NOT OB OFEN OHR OMA ORT PFERD RAD RAND REH REST RIND ROSE ROT SAND SEE SEIL SIE SO SOHN STEIN
TAG TAL TANNE TAT TEE TEIL TIER TOR TUN UHR UM UND UNS UR VATER VOR WAL WALD WEG WEIN WIR WO ZAHN ZEIT ZUG"""

SIDES = {2: (90.0, -90.0), 3: (90.0, -30.0, -150.0)}
"""From where the players reach over the board, degrees in the picture."""


@cache
def drawn(seed: int, turns: int) -> DrawnGame:
    return draw_game(np.random.default_rng((seed, 9)), WordSearch(WORDS.split()), turns)


class Round:
    """A game that is played by chance; `truth` is what happened: (player, tiles or None, taken back).

    told:    whether who passes says so on the page; else the sides of the hands tell
    answers: how likely somebody answers what is asked before the next player has laid
    """

    def __init__(self, players: Players, seed: int, told: bool, answers: float = 0.7) -> None:
        self.camera, self.players, self.told, self.answers = Camera(players), players, told, answers
        self.rng, self.board = np.random.default_rng((seed, 1)), EMPTY
        self.sides = SIDES[len(players.table.setup.players)]
        self.truth: list[tuple[int, Placement | None, bool]] = []
        self.seen: set[int] = set()  # whose hands this camera knows

    def chance(self, of: float) -> bool:
        return bool(self.rng.random() < of)

    @property
    def game(self) -> LiveGame:
        return self.camera.game

    # --- what the camera sees

    def look(self, board: Board, player: int | None, unsure: bool = False, **about: Any) -> Outcome:
        """The hand of a player has gone, and the board is calm; looks as long as the camera wants to look again."""
        self.camera.at += float(self.rng.uniform(3, 25)) if "soon" not in about else 0.7
        about.pop("soon", None)
        calm, outcome = 2.0, None
        reach = None if player is None else self.sides[player] + float(self.rng.normal(0, 8))
        doubt = self.doubt(board) if unsure else None
        if self.chance(0.05):
            self.camera.look(None)
        for _ in range(6):
            outcome = self.camera.look(board, doubt, calm_for=calm, reach=reach, **about)
            if outcome.again is None or outcome.kind == "unreadable" or calm > PATIENCE:
                break
            self.camera.at, calm = self.camera.at + outcome.again, calm + outcome.again
            about.pop("pressed", None)
        assert outcome is not None
        return outcome

    def doubt(self, board: Board) -> dict[tuple[int, int], dict[str, float]]:
        """A letter of the last move that may be another one."""
        new = [(s, tile) for s, tile in board if self.board.at(s) is None and tile.isupper()]
        if not new:
            return {}
        square, tile = new[int(self.rng.integers(len(new)))]
        other = "ENIRSAT"[int(self.rng.integers(7))]
        return {(square.row, square.col): {tile: 0.55, other if other != tile else "L": 0.45}}

    def time(self, seconds: float, calm: bool = True) -> None:
        self.camera.at += seconds
        self.game.tick(self.camera.at, calm)

    # --- what the players do

    def play(self, game: DrawnGame) -> None:
        seats = len(self.sides)
        for turn, one in enumerate(game.turns):
            player = turn % seats
            if one.play is None:
                self.without_tiles(player)
            else:
                self.lays(player, one.play.placement, one.challenged)
            if self.chance(self.answers):
                self.answer_all()
            if self.chance(0.04) and (self.told or one.play is not None):
                self.answer_all()
                self.restart()
        self.answer_all()

    def without_tiles(self, player: int) -> None:
        missed = bool(self.truth) and self.truth[-1][1] is None
        self.truth.append((player, None, False))
        knows = (player + 1) % len(self.sides) in self.seen
        if not self.told and knows and not missed:  # if nobody tells it of two, the next hand is the right one again
            return
        self.answer_all(settle=False)
        action: tuple[str, dict[str, Any]] = ("pass", {}) if self.chance(0.5) else ("exchange", {"count": 3})
        self.game.close_turn(action[0], self.camera.at)
        self.players.do(action[0], BEN, **action[1], open_blank=True)

    def lays(self, player: int, placement: Placement, challenged: bool) -> None:
        after = self.board.placed(dict(placement.tiles))
        if self.chance(0.15):
            self.begins(player, placement)
        pressed, unsure = self.chance(0.1), self.chance(0.2)
        self.look(after, player, unsure, **({"pressed": True} if pressed else {}))
        if self.chance(0.1):
            self.quicker()
        self.time(0.5, calm=self.chance(0.5))
        self.truth.append((player, placement, False))
        self.seen.add(player)
        if challenged and self.chance(0.5):
            self.challenged(placement)
            return
        before, self.board = self.board, after
        if challenged:  # at the table only
            self.answer_all()
            self.camera.at += CONTESTED
            self.truth[-1] = (player, placement, True)
            self.board = before
            self.look(before, player)
        self.time(2.5 if self.chance(0.8) else 0.5)

    def begins(self, player: int, placement: Placement) -> None:
        """Part of the move lies for a while, perhaps a legal one."""
        tiles = list(placement.tiles)
        part = tiles[: int(self.rng.integers(1, len(tiles) + 1))]
        if self.chance(0.5):
            part = [tiles[k] for k in sorted(self.rng.permutation(len(tiles))[: len(part)])]
        self.time(2.5)
        begun = self.board.placed(dict(part))
        self.camera.look(begun, calm_for=2.0, reach=self.sides[player])
        self.time(1.0)
        self.time(1.5, calm=False)
        if self.chance(0.5):
            self.camera.look(self.board, calm_for=2.0, reach=self.sides[player])

    def quicker(self) -> None:
        """A person is quicker than the camera: confirms, or throws it away and has it looked at again."""
        proposal = self.game._proposal
        if self.game.held is not None or self.game.waiting or proposal is None or not proposal.events:
            return
        if proposal.question is None and proposal.legal:
            self.players.do("confirm", BEN)

    def challenged(self, placement: Placement) -> None:
        """On the page: the tiles are taken away when it is decided, or before."""
        self.answer_all()
        self.time(3.0)
        if not self.stands():
            return
        state = self.players.table.state.state
        entry = state.entry(state.open_move) if state.open_move is not None else None
        assert entry is not None and entry.play is not None
        player, word = self.truth[-1][0], entry.play.words[0].word.upper()
        before = self.board
        self.players.do("challenge", BEN, ref=entry.number, challengers=[(player + 1) % len(self.sides)], words=[word])
        gone = self.chance(0.5)
        if gone:
            self.look(before, player)
        challenge = self.players.table.state.challenge
        assert challenge is not None
        for one in challenge.words:
            self.players.do("verdict", BEN, word=one.word, valid=False, by="Ben", source="Duden")
        self.players.do("settle-challenge", BEN)
        if not gone and self.chance(0.5):
            self.look(before.placed(dict(placement.tiles)), None)
        self.look(before, player)
        self.truth[-1] = (player, placement, True)

    def stands(self) -> bool:
        return self.game.waiting == 0 and self.players.table.state.pending is None

    def restart(self) -> None:
        self.players.again()
        at, self.camera = self.camera.at, Camera(self.players)
        self.camera.at, self.seen = at, set()

    # --- what people answer

    def answer_all(self, settle: bool = True) -> None:
        for _ in range(16):
            self.time(3.0)
            proposal = self.game._proposal
            if self.players.table.state.pending is None and not self.game.waiting:
                return
            if proposal is not None:
                self.answer()
        raise AssertionError(f"no end of questions: {self.game._proposal}")

    def answer(self) -> None:
        proposal = self.game._proposal
        assert proposal is not None
        due = self.truth[self.booked() :]
        placement = due[0][1] if due else None
        if self.game.held is WHOSE_TURN:
            self.players.do("pass" if placement is None else "confirm", open_blank=True)
        elif self.game.held is CHALLENGED_OR_AGAIN:
            self.players.do("confirm" if self.truth[self.booked() - 1][2] else "undo")
        elif self.game.held is not None:  # one move or two
            whole = placement is not None and set(placement.squares) <= set(proposal.laid[-1][1].placement.squares)
            self.players.do("confirm" if whole else "drop", open_blank=True)
        elif proposal.question is not None and placement is not None:
            squares = [[*square, tile] for square, tile in placement.tiles]
            self.players.do("answer", squares=squares, kind="place")
        elif proposal.question is not None:
            self.players.do("pass")

    def booked(self) -> int:
        """How many turns of the truth are booked."""
        game = self.players.table.state.state.game
        return sum(isinstance(one.event, Placed | Passed | Exchanged) for one in counting(game.events, GERMAN_102))

    # --- the end

    def check(self) -> None:
        state = self.players.table.state.state
        table: list[tuple[int, dict[Square, str] | None, bool]] = []
        back = {entry.number for entry in state.plays if entry.withdrawn}
        for one in counting(state.game.events, GERMAN_102):
            event = one.event
            if isinstance(event, Placed):
                table.append((event.player, seen_tiles(event.placement), one.number in back))
            elif isinstance(event, Passed | Exchanged):
                table.append((event.player, None, False))
        truth = [(who, None if laid is None else seen_tiles(laid), gone) for who, laid, gone in self.truth]
        while not self.told and len(truth) > len(table) and truth[-1][1] is None:  # nobody lays after it
            truth.pop()
        assert table == truth
        events = [number for turn in self.game.turns for number in turn.events]
        assert len(events) == len(set(events))


def seen_tiles(placement: Placement) -> dict[Square, str]:
    """What a camera can see of a move: no letter of a blank."""
    return {square: tile if tile.isupper() else BLANK for square, tile in placement.tiles}


@pytest.mark.parametrize(
    ("seats", "told", "seeds"), [(2, True, (6, 7, 8)), (2, False, (3, 4, 5, 29, 38, 41)), (3, False, (1,))]
)
def test_what_is_booked_in_the_end_is_what_was_laid(
    sit_down: Callable[..., Players], seats: int, told: bool, seeds: tuple[int, ...]
) -> None:
    for seed in seeds:
        rules = RULE_SETS["turnier" if seats == 2 else "familie"]
        game = Round(sit_down(names=("Anna", "Ben", "Cem")[:seats], rules=rules), seed, told)
        game.play(drawn(seed, 14))
        game.check()


HUT = lay(EMPTY, 7, 6, "HUT")
HUT_TOR = lay(HUT, 7, 8, "TOR", down=True)


@pytest.mark.parametrize(("answer", "turns"), [("drop", [(0, 4)]), ("confirm", [(0, 3), (1, 1)])])
def test_tiles_that_come_before_a_move_has_settled_are_of_it_or_of_the_next_and_somebody_says(
    players: Players, answer: str, turns: list[tuple[int, int]]
) -> None:
    camera = Camera(players)
    camera.look(HUT)
    camera.wait(1)
    outcome = camera.look(lay(HUT, 7, 9, "E"))
    assert (outcome.kind, outcome.why) == ("asked", "one-move-or-two")
    assert camera.wait(60) is None and len(players.table.state.done) == 0
    players.do(answer)
    for _ in range(5):
        camera.wait(3)
    laid = [done.event for done in players.table.state.done if isinstance(done.event, Placed)]
    assert [(event.player, len(event.placement)) for event in laid] == turns


def test_a_doubtful_position_that_waited_is_asked_about_when_its_turn_comes(players: Players) -> None:
    camera, first, second = Camera(players), {(7, 6): {"H": 0.5, "N": 0.5}}, {(8, 8): {"O": 0.5, "Q": 0.5}}
    camera.look(HUT, first)
    camera.look(HUT, first)
    camera.at += 30
    camera.look(HUT_TOR, first | second)
    players.do("answer", squares=[[7, 6, "H"]])
    outcomes = [camera.wait(3) for _ in range(4)]
    assert [one.kind for one in outcomes if one is not None][-1] == "asked"
    assert players.table.state.pending is not None


def test_a_press_does_not_say_whose_hand_it_was(players: Players) -> None:
    camera = Camera(players)
    camera.game._sides = Sides({0: (90.0,) * 3, 1: (-90.0,) * 3})
    assert camera.look(HUT, reach=-90.0, pressed=True).why == "whose-turn"
    assert camera.look(HUT, reach=-90.0, pressed=True).kind == "nothing"
    assert players.table.state.done == ()


def test_who_ends_the_game_ends_it_behind_the_move_that_is_proposed(players: Players) -> None:
    camera = Camera(players)
    camera.look(HUT)
    assert camera.game.close_turn("stop", camera.at)
    players.do("stop")
    assert players.table.state.state.totals == (8, 0)


def test_nothing_comes_after_the_racks(players: Players) -> None:
    camera = Camera(players)
    camera.look(HUT)
    players.do("stop")  # by a phone that knows nothing of a camera
    players.do("racks", racks=["ABCDEFG", "HIJKLMN"])
    assert camera.wait(60) is None and camera.look(HUT).why == "settled"


def test_a_pass_waits_for_what_is_asked_about_the_move_that_lies_there(players: Players) -> None:
    camera, doubt = Camera(players), {(7, 6): {"H": 0.5, "N": 0.5}}
    camera.look(HUT, doubt)
    camera.look(HUT, doubt)
    assert camera.game.asks_before("exchange") and not camera.game.asks_before("drop")
    players.do("answer", squares=[[7, 6, "H"]])
    assert not camera.game.asks_before("exchange") and camera.game.close_turn("exchange", camera.at)


def test_what_was_undone_is_not_booked_again_while_it_lies_there(players: Players) -> None:
    camera = Camera(players)
    camera.sees(HUT)
    players.do("undo")
    camera.wait(1)
    assert camera.look(HUT).why == "ignored"
    camera.look(EMPTY)
    camera.sees(HUT)
    assert players.table.state.state.totals == (8, 0)


def test_a_move_that_the_camera_has_not_seen_is_not_taken_back_by_itself(players: Players) -> None:
    players.lay(HUT)
    camera = Camera(players)
    camera.at += 60
    assert camera.look(lay(EMPTY, 6, 7, "HUT", down=True)).kind in ("asked", "wait")
    assert camera.wait(60) is None
    assert len(players.table.state.done) == 1
