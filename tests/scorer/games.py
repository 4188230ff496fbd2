"""Games for the tests of the rules core: short ways to write events, and a set of tiles whose bag is soon empty."""

from __future__ import annotations

from typing import Any

from scorer.board import Board
from scorer.challenge import ChallengedWord
from scorer.events import Challenged, Event, Placed
from scorer.game import Game, GameState, replay
from scorer.notation import MoveText, Notation
from scorer.placement import Placement
from scorer.rules import RULE_SETS, RuleSet
from scorer.tiles import GERMAN_102, Letter, TileSet


def lay(player: int, text: str, board: Board | None = None, **more: Any) -> Placed:
    """The placement a written move makes, German notation; ``.`` on the board given, or as gap where there is none."""
    if board is not None:
        return Placed(player, MoveText.parse(text, Notation.GERMAN).resolve(board).placement, **more)
    move = MoveText.parse(text, Notation.GERMAN)
    tiles = {move.start.step(move.direction, index): mark.tile for index, mark in enumerate(move.marks) if mark.tile}
    return Placed(player, Placement.of(tiles), **more)


def doubt(ref: int, *words: str, by: tuple[int, ...] = (1,), seconds: float | None = None) -> Challenged:
    """A challenge; ``-WORT`` is not allowed, ``?WORT`` was not found, ``WORT`` is allowed."""
    found = [ChallengedWord(word.lstrip("-?"), {"-": False, "?": None}.get(word[0], True)) for word in words]
    return Challenged(ref, by, tuple(found), seconds)


def rules_of(rules: str | RuleSet, **settings: Any) -> RuleSet:
    return (RULE_SETS[rules] if isinstance(rules, str) else rules).with_settings(**settings)


def state(
    *events: Event,
    rules: str | RuleSet = "turnier",
    players: tuple[str, ...] = ("A", "B"),
    tile_set: TileSet = GERMAN_102,
    **settings: Any,
) -> GameState:
    return replay(Game(players, rules_of(rules, **settings), tile_set, events))


HAUS = lay(0, "H5 HAUS")  # 10 points, covers the star with its S
SEE = lay(1, "8H .EE")  # 3 points, down from the S
THREE_WORDS = lay(1, "I7 ES")  # below HAUS: ES, UE, SS

TINY = TileSet("tiny", (*(Letter(one, 1, 2) for one in "AUS"), Letter("H", 2, 2), Letter("E", 1, 4)), blanks=0)
"""Twelve tiles: two of each of H, A, U, S and four E."""

SEEHAUS = lay(0, "8K HAUS")  # SEE becomes SEEHAUS: 3 + 5, the H on a double letter: 10 points
OUT = (HAUS, SEE, SEEHAUS)
"""With TINY and racks of four: A lays all, B keeps two E."""


def tiny(*events: Event, **settings: Any) -> GameState:
    return state(*events, tile_set=TINY, **({"rack_size": 4, "bingo_bonus": 0} | settings))
