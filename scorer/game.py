"""A game as a list of events, and the state that follows from them.

An event is never changed or taken out: a challenge appends one. Events are numbered from 1 in the order of the game,
players from 0 in the order of their seats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Literal

from scorer.board import Board, Square
from scorer.errors import GameError
from scorer.placement import Placement
from scorer.rules import RuleSet
from scorer.scoring import Play, score_placement
from scorer.tiles import TileSet

MIN_PLAYERS, MAX_PLAYERS = 2, 4
"""Players of a game (R1.3)."""


@dataclass(frozen=True)
class Placed:
    """A player laid tiles; a turn (R3.3)."""

    player: int
    placement: Placement


@dataclass(frozen=True)
class Passed:
    """A player laid nothing; a turn (R9.1, R9.5).

    exchanged: number of tiles exchanged, 0 for a pass, None when it is not known which (a photo cannot tell)
    """

    player: int
    exchanged: int | None = None


@dataclass(frozen=True)
class Withdrawn:
    """The move ``ref`` was challenged off: its tiles and points are taken back (R8.3). No turn: the move used it.

    player: the challenger, None when it is not known who it was
    """

    ref: int
    player: int | None = None


@dataclass(frozen=True)
class ChallengeRejected:
    """A challenge of allowed words: the challenger pays and stays in turn (R8.5, R8.11, R8.12).

    player: the challenger
    ref:    number of the move that stays
    words:  how many words of it were challenged wrongly
    """

    player: int
    ref: int
    words: int = 1


@dataclass(frozen=True)
class Settled:
    """Points agreed outside of a placement; no turn.

    reason: ``rack`` settlement of the rest of the racks (R11.1, R11.2), ``time`` penalty of the clock (R13.3),
            ``challenge-bonus`` for the challenged player in games by English rules
    """

    player: int
    points: int
    reason: Literal["rack", "time", "challenge-bonus"] = "rack"


Event = Placed | Passed | Withdrawn | ChallengeRejected | Settled


@dataclass(frozen=True)
class Game:
    """A game: who plays, by which rules, with which tiles, and what happened. GameError for fewer than two players,
    more than four, or two of one name.

    first_player: who has the first turn (R2.1)
    """

    players: tuple[str, ...]
    rules: RuleSet
    tile_set: TileSet
    events: tuple[Event, ...] = ()
    first_player: int = 0

    def __post_init__(self) -> None:
        if not MIN_PLAYERS <= len(self.players) <= MAX_PLAYERS:
            raise GameError(
                f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {len(self.players)}", code="bad-players"
            )
        if len(set(self.players)) != len(self.players):
            raise GameError(f"two players have one name: {', '.join(self.players)}", code="bad-players")
        if not 0 <= self.first_player < len(self.players):
            raise GameError(f"there is no player {self.first_player}", code="bad-players")

    def with_event(self, event: Event) -> Game:
        """The game with one more event."""
        return replace(self, events=(*self.events, event))


@dataclass(frozen=True)
class Entry:
    """One event with its effect.

    number:      of the event, from 1
    player:      whose points changed or whose turn it was; for a withdrawn move the player who had laid it
    points:      what the event adds to or takes from that player
    totals:      points of all players after it
    play:        words and points of a placement, else None
    laid:        squares the placement put a tile on: those of its squares that were free
    withdrawn:   whether a later event took this move back
    out_of_turn: whether another player was next; recorded, not refused
    """

    number: int
    event: Event
    player: int
    points: int
    totals: tuple[int, ...]
    play: Play | None = None
    laid: tuple[Square, ...] = ()
    withdrawn: bool = False
    out_of_turn: bool = False


@dataclass(frozen=True)
class GameState:
    """What follows from the events of a game.

    board:       the tiles that lie there now
    totals:      points of each player
    next_player: whose turn it is
    log:         every event with its effect, in order
    """

    game: Game
    board: Board
    totals: tuple[int, ...]
    next_player: int
    log: tuple[Entry, ...]

    @property
    def plays(self) -> tuple[Entry, ...]:
        """The placements with their running totals, those taken back among them."""
        return tuple(entry for entry in self.log if entry.play is not None)


def replay(game: Game) -> GameState:
    """The state after all events of a game; GameError for an event that cannot belong to it."""
    start = GameState(replace(game, events=()), Board.empty(), (0,) * len(game.players), game.first_player, ())
    return reduce(advance, game.events, start)


def advance(state: GameState, event: Event) -> GameState:
    """The state after one more event.

    A placement with rule faults is a value: it scores what lies there, and the tiles that have a free square lie there.
    GameError for a player the game does not have and for a reference to no standing move.
    """
    if event.player is not None and not 0 <= event.player < len(state.totals):
        raise GameError(f"there is no player {event.player}", player=event.player)
    match event:
        case Placed(player, placement):
            play = score_placement(state.board, placement, state.game.rules, state.game.tile_set)
            tiles = placement.fitting(state.board)
            after = replace(state, board=state.board.placed(tiles))
            return _turn(after, event, player, play.score, play=play, laid=tuple(tiles))
        case Passed(player):
            return _turn(state, event, player, 0)
        case Withdrawn():
            return _withdraw(state, event)
        case ChallengeRejected(player, ref, words):
            _standing_play(state, ref)
            return _append(state, event, player, -state.game.rules.penalty(words))
        case Settled(player, points):
            return _append(state, event, player, points)


def _append(state: GameState, event: Event, player: int, points: int, **effect: Any) -> GameState:
    """The state with an entry for the event; ``effect`` holds the further fields of the entry."""
    totals = tuple(total + points if seat == player else total for seat, total in enumerate(state.totals))
    entry = Entry(len(state.log) + 1, event, player, points, totals, **effect)
    return replace(state, game=state.game.with_event(event), totals=totals, log=(*state.log, entry))


def _turn(state: GameState, event: Event, player: int, points: int, **effect: Any) -> GameState:
    """As ``_append``, and the next player is due."""
    after = _append(state, event, player, points, out_of_turn=player != state.next_player, **effect)
    return replace(after, next_player=(player + 1) % len(state.totals))


def _withdraw(state: GameState, event: Withdrawn) -> GameState:
    entry, play = _standing_play(state, event.ref)
    log = tuple(replace(old, withdrawn=True) if old is entry else old for old in state.log)
    after = replace(state, board=state.board.removed(entry.laid), log=log)
    return _append(after, event, entry.player, -play.score)


def _standing_play(state: GameState, ref: int) -> tuple[Entry, Play]:
    """The move ``ref`` and its play; GameError when it is no placement or was taken back."""
    entry = state.log[ref - 1] if 1 <= ref <= len(state.log) else None
    if entry is None or entry.play is None:
        raise GameError(f"move {ref} is no placement of this game", ref=ref)
    if entry.withdrawn:
        raise GameError(f"move {ref} was already taken back", ref=ref)
    return entry, entry.play
