"""A game as a list of events, and the state that follows from them: ``replay(game)``.

Three ways in: ``offer`` refuses an event that has any fault, with all of them; ``advance`` takes what was done even
against the rules, as a record or a photo shows it, with its faults beside it; ``replay`` does so for a whole game.
Events are numbered from 1 in the order in which they were entered, players from 0 in the order of their seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from types import MappingProxyType
from typing import Any

from scorer.accounting import InferredRacks, excess, infer_racks
from scorer.board import Board, Square
from scorer.challenge import ChallengeResult, Outcome, decide, undecided, unformed
from scorer.clock import overtime_points
from scorer.draw import DrawResult, draw
from scorer.errors import GameError
from scorer.events import (
    IMPOSSIBLE,
    BlankNamed,
    BlankSwapped,
    Challenged,
    ChallengeRejected,
    Corrected,
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
    Redone,
    Refilled,
    Resigned,
    ScoreAgreed,
    Settled,
    Stopped,
    Undone,
    Withdrawn,
)
from scorer.history import counting, standing
from scorer.lexicon import WordList
from scorer.placement import PlacementFault
from scorer.rules import (
    BlankNaming,
    BlankReuse,
    Challengers,
    ChallengeUntil,
    EmptyBag,
    MoveTimeout,
    PassCount,
    RuleSet,
    ScoreCorrection,
    ScoreKeeper,
    TurnOrder,
)
from scorer.scoring import Play, score_placement
from scorer.settlement import EndReason, GameEnd, Result, Settlement, result, settle
from scorer.tiles import BLANK, ESZETT, TileSet, is_blank, letter_of

MIN_PLAYERS, MAX_PLAYERS = 2, 4
"""Players of a game (R1.3)."""


@dataclass(frozen=True)
class Game:
    """A game: who plays, by which rules, with which tiles, and what happened. GameError for fewer than two players,
    more than the rules allow, or two of one name.

    first_player: who has the first turn where no draw was noted (R2.1)
    score_keeper: who writes down the points where one player does, None when nobody was named (R1.5)
    word_lists:   the lists agreed on to look words up in (R7.1), not their words
    """

    players: tuple[str, ...]
    rules: RuleSet
    tile_set: TileSet
    events: tuple[Event, ...] = ()
    first_player: int = 0
    score_keeper: int | None = None
    word_lists: tuple[WordList, ...] = ()

    def __post_init__(self) -> None:
        if not MIN_PLAYERS <= len(self.players) <= self.rules.max_players:
            raise GameError(
                f"a game has {MIN_PLAYERS} to {self.rules.max_players} players by these rules, not {len(self.players)}",
                code="bad-players",
            )
        if len(set(self.players)) != len(self.players):
            raise GameError(f"two players have one name: {', '.join(self.players)}", code="bad-players")
        for player in (self.first_player, self.score_keeper):
            if player is not None and not 0 <= player < len(self.players):
                raise GameError(f"there is no player {player}", code="bad-players")

    def with_event(self, event: Event) -> Game:
        """The game with one more event."""
        return replace(self, events=(*self.events, event))

    @property
    def writers(self) -> tuple[int, ...]:
        """The players who write down the points: the score keeper, or all (R1.5)."""
        if self.rules.score_keeper is ScoreKeeper.ONE and self.score_keeper is not None:
            return (self.score_keeper,)
        return tuple(range(len(self.players)))


@dataclass(frozen=True)
class Entry:
    """One event with its effect.

    number:     of the event, from 1
    player:     whose turn it was, or whose points it is mostly about: of a challenge the challenger, of a withdrawn
                move the player who had laid it; None for events of the whole table
    changes:    what the event adds to or takes from each player
    totals:     points of all players after it
    faults:     what speaks against the event; recorded, not refused
    play:       words and points of a placement, else None
    laid:       squares the placement put a tile on: those of its squares that were free
    drawn:      tiles drawn after it, as far as the rack and the bag allowed
    withdrawn:  whether a later event took this move back
    used_turn:  whether the player's turn was used
    is_pass:    whether the turn counts as a pass, None when it is not known (R10.4)
    challenge, settlement: what followed from a challenge or from the racks at the end
    """

    number: int
    event: Event
    player: int | None
    changes: tuple[int, ...]
    totals: tuple[int, ...]
    faults: EventFault = EventFault.NONE
    play: Play | None = None
    laid: tuple[Square, ...] = ()
    drawn: int = 0
    withdrawn: bool = False
    used_turn: bool = False
    is_pass: bool | None = False
    challenge: ChallengeResult | None = None
    settlement: Settlement | None = None

    @property
    def points(self) -> int:
        """What the event adds to or takes from its player."""
        return 0 if self.player is None else self.changes[self.player]

    @property
    def out_of_turn(self) -> bool:
        """Whether another player was next."""
        return EventFault.OUT_OF_TURN in self.faults

    @property
    def announced(self) -> int | None:
        """Points the player announced for a placement."""
        return self.event.announced if isinstance(self.event, Placed) else None

    @property
    def computed(self) -> int | None:
        """Points of a placement by the rules; with ``announced`` and ``points`` the three numbers of R3.6."""
        return self.play.score if self.play else None

    @property
    def codes(self) -> list[str]:
        """The codes of all faults, of the event and of its placement."""
        return self.faults.codes + (self.play.faults.codes if self.play else [])


@dataclass(frozen=True)
class Refusal:
    """An event that was not taken, with everything that speaks against it."""

    event: Event
    faults: EventFault
    placement_faults: PlacementFault

    @property
    def codes(self) -> list[str]:
        """The codes of all faults."""
        return self.faults.codes + self.placement_faults.codes


@dataclass(frozen=True)
class GameState:
    """What follows from the events of a game.

    board:       the tiles that lie there now
    totals:      points of each player
    next_player: whose turn it is
    order:       the players in the order of their turns (R2.4)
    rack_sizes:  tiles on each rack, when everybody has drawn what is due
    bag:         tiles in the bag then
    log:         every event that counts with its effect, in order
    open_move:   number of the move that can still be challenged, None when there is none (R8.2)
    end:         why the game is over; None while it goes on. Its last move may still be open, see ``is_over``
    lost:        players who resigned or lost by time
    skips:       turns each player still has to sit out (R8.4)
    bag_emptier: who drew the last tile of the bag
    worthless:   squares whose tile counts nothing by house rule (R12.1)
    """

    game: Game
    board: Board
    totals: tuple[int, ...]
    next_player: int
    order: tuple[int, ...]
    rack_sizes: tuple[int, ...]
    bag: int
    log: tuple[Entry, ...] = ()
    open_move: int | None = None
    end: GameEnd | None = None
    lost: frozenset[int] = frozenset()
    skips: tuple[int, ...] = ()
    bag_emptier: int | None = None
    worthless: frozenset[Square] = frozenset()

    @property
    def plays(self) -> tuple[Entry, ...]:
        """The placements with their running totals, those taken back among them."""
        return tuple(entry for entry in self.log if entry.play is not None)

    @property
    def is_over(self) -> bool:
        """Whether the game is surely over and its last move can no longer be challenged (R10.6)."""
        return self.end is not None and self.end.certain and self.open_move is None

    @property
    def open_blanks(self) -> tuple[Square, ...]:
        """Squares with a blank whose letter is not known: "Blanko ungeklärt" (R6.3)."""
        return tuple(square for square, tile in self.board if tile == BLANK)

    @property
    def settlement(self) -> Settlement | None:
        """The settlement of the racks, None before it."""
        return next((entry.settlement for entry in reversed(self.log) if entry.settlement), None)

    @property
    def draw(self) -> DrawResult:
        """The draw for the first turn so far; faulty rounds do not count."""
        return drawn(draw_rounds(self.log), self.game)

    @property
    def result(self) -> Result:
        """Who leads now, and who has won when the game is over."""
        before = self.totals
        for entry in self.log:
            booked = isinstance(entry.event, Settled) and entry.event.reason == "rack"
            if booked or entry.settlement:
                before = tuple(map(int.__sub__, before, entry.changes))
        return result(self.totals, before, self.lost, self.game.rules)

    def entry(self, number: int) -> Entry | None:
        """The effect of event ``number``, None when there is none that counts."""
        return next((entry for entry in reversed(self.log) if entry.number == number), None)


# --- the three ways in --------------------------------------------------------------------------------------------


def replay(game: Game) -> GameState:
    """The state after all events of a game. An event that cannot be is in the log with its faults, without effect."""
    state = _start(game)
    for number, event, faults in counting(game.events, game.tile_set):
        found = faults_of(state, event)
        if isinstance(event, BlankNamed):  # its placement has the letter by now
            found &= ~EventFault.NO_OPEN_BLANK
        state = _apply(state, number, event, faults | found)
    return state


def advance(state: GameState, event: Event) -> GameState:
    """The state after one more event, whatever the rules say to it; its faults are in its entry.

    A placement with faults scores what lies there, and the tiles that have a free square lie there. GameError for an
    event that can have no effect: a player the game does not have, a reference to no standing move.
    """
    faults = faults_of(state, event)
    if faults & IMPOSSIBLE:
        raise _error(event, faults)
    game = state.game.with_event(event)
    if isinstance(event, Corrected | Undone | Redone | BlankNamed | ScoreAgreed):
        return replay(game)
    return _apply(replace(state, game=game), len(game.events), event, faults)


def offer(state: GameState, event: Event) -> GameState | Refusal:
    """The state after one more event, or all that speaks against it; never raises.

    A correction is refused as the event it puts there would have been at its place.
    """
    faults, placement = faults_of(state, event), PlacementFault.NONE
    if not faults & IMPOSSIBLE:
        after = advance(state, event)
        entry = after.entry(event.ref if isinstance(event, Corrected) else len(after.game.events))
        if entry is not None:
            faults |= entry.faults
            placement = entry.play.faults if entry.play else placement
        if not faults and not placement:
            return after
    return Refusal(event, faults, placement)


def _start(game: Game) -> GameState:
    players = len(game.players)
    rack = min(game.rules.rack_size, game.tile_set.total // players)
    return GameState(
        game,
        Board.empty(),
        totals=(0,) * players,
        next_player=game.first_player,
        order=tuple((game.first_player + seat) % players for seat in range(players)),
        rack_sizes=(rack,) * players,
        bag=game.tile_set.total - rack * players,
        skips=(0,) * players,
    )


def _error(event: Event, faults: EventFault) -> GameError:
    """The error of an event without effect, by its first fault."""
    ref = getattr(event, "ref", None)
    if EventFault.NO_SUCH_PLAYER in faults:
        message = f"there is no such player: {event}"
    elif EventFault.TAKEN_BACK_BEFORE in faults:
        message = f"move {ref} was already taken back"
    elif EventFault.NO_SUCH_MOVE in faults:
        message = f"move {ref} is no placement of this game"
    else:
        message = f"{type(event).__name__} cannot be: {', '.join((faults & IMPOSSIBLE).codes)}"
    return GameError(message, code=(faults & IMPOSSIBLE).codes[0], ref=ref)


# --- what speaks against an event ---------------------------------------------------------------------------------


def faults_of(state: GameState, event: Event) -> EventFault:
    """Everything that speaks against an event in this state, but for the faults of a placement; never raises."""
    seats = range(len(state.game.players))
    named = _players_of(event)
    if any(player not in seats for player in named):
        return EventFault.NO_SUCH_PLAYER
    faults = EventFault.NONE
    if any(player in state.lost for player in named) and not isinstance(event, Settled | Overtime):
        faults |= EventFault.PLAYER_IS_OUT
    if isinstance(event, Placed | Passed | Exchanged | NothingLaid | MoveTimedOut | BlankSwapped):
        if event.player != state.next_player and not isinstance(event, BlankSwapped):
            faults |= EventFault.OUT_OF_TURN
        if state.end is not None and state.end.certain:
            faults |= EventFault.GAME_OVER
    if _leaves_blank_open(state, event):
        faults |= EventFault.BLANK_OPEN
    match event:
        case DrawnForFirst(tiles):
            wrong = drawn([*draw_rounds(state.log), dict(tiles)], state.game).faults
            if wrong or len(dict(tiles)) != len(tiles) or any(entry.used_turn for entry in state.log):
                faults |= EventFault.DRAW_FAULTY
        case Placed():
            faults |= _placing_faults(state, event)
        case Exchanged():
            faults |= _exchange_faults(state, event)
        case Noted(ref) | Refilled(ref):
            faults |= _move_fault(state, ref) or _closing_faults(state, event)
        case Challenged():
            faults |= _move_fault(state, event.ref) or _challenge_faults(state, event)
            faults |= EventFault.NONE if event.seconds is None else _time_faults(event.seconds)
        case Withdrawn(ref):
            faults |= _move_fault(state, ref) or _late(state, ref)
        case ChallengeRejected(player, ref, words):
            faults |= _move_fault(state, ref) or _late(state, ref)
            if not faults & IMPOSSIBLE:
                move = _placed(state, ref)
                if move.player == player:
                    faults |= EventFault.OWN_MOVE
                if move.play is not None and not 1 <= words <= len(move.play.words):
                    faults |= EventFault.WORD_NOT_FORMED
        case ScoreAgreed():
            faults |= _move_fault(state, event.ref) or _agreement_faults(state, event)
        case BlankNamed(square, letter):
            if state.board.at(square) != BLANK:
                faults |= EventFault.NO_OPEN_BLANK
            if not _can_be_blank(letter, state.game.tile_set):
                faults |= EventFault.NO_BLANK_LETTER
        case BlankSwapped():
            faults |= _swap_faults(state, event)
        case Overtime(player, seconds):
            faults |= _time_faults(seconds)
            if any(isinstance(entry.event, Overtime) and entry.player == player for entry in state.log):
                faults |= EventFault.SETTLED_BEFORE
        case RacksShown(racks):
            faults |= _rack_faults(state, racks)
        case Settled(_, _, "rack"):
            faults |= EventFault.NONE if state.settlement is None else EventFault.SETTLED_BEFORE
        case Corrected(ref, other):
            if isinstance(dict(standing(state.game.events)[0]).get(ref), Corrected | None):
                faults |= EventFault.NO_SUCH_MOVE
            if isinstance(other, Corrected | Undone | Redone):
                faults |= EventFault.BAD_CORRECTION
            elif other is not None and any(player not in seats for player in _players_of(other)):
                faults |= EventFault.NO_SUCH_PLAYER
        case Undone():
            faults |= EventFault.NONE if standing(state.game.events)[0] else EventFault.NOTHING_TO_UNDO
        case Redone():
            faults |= EventFault.NONE if standing(state.game.events)[1] else EventFault.NOTHING_TO_REDO
        case _:
            pass
    return faults


def _players_of(event: Event) -> tuple[int, ...]:
    """The players an event names."""
    match event:
        case DrawnForFirst(tiles):
            return tuple(player for player, _ in tiles)
        case Challenged(_, challengers):
            return challengers
        case _:
            player = getattr(event, "player", None)
            return () if player is None else (player,)


def _move_fault(state: GameState, ref: int) -> EventFault:
    entry = state.entry(ref)
    if entry is None or entry.play is None:
        return EventFault.NO_SUCH_MOVE
    return EventFault.TAKEN_BACK_BEFORE if entry.withdrawn else EventFault.NONE


def _placed(state: GameState, ref: int) -> Entry:
    """The entry of a standing placement; the caller has seen to that with ``_move_fault``."""
    entry = state.entry(ref)
    assert entry is not None and entry.play is not None
    return entry


def _placing_faults(state: GameState, event: Placed) -> EventFault:
    faults = EventFault.NONE
    rules = state.game.rules
    # more than a full rack is a fault of the placement itself
    if state.rack_sizes[event.player] < len(event.placement) <= rules.rack_size:
        faults |= EventFault.MORE_THAN_RACK
    if event.theme_words and not rules.theme_bonus:
        faults |= EventFault.NO_THEME
    elif event.theme_words and unformed(_score(state, event), event.theme_words):
        faults |= EventFault.WORD_NOT_FORMED
    return faults


def _late(state: GameState, ref: int) -> EventFault:
    return EventFault.NONE if state.open_move == ref else EventFault.MOVE_CLOSED


def _time_faults(seconds: float) -> EventFault:
    return EventFault.NONE if 0 <= seconds < float("inf") else EventFault.NO_TIME


def _leaves_blank_open(state: GameState, event: Event) -> bool:
    """Whether the event closes a move with a blank whose letter should have been named before (R6.2, R6.3)."""
    move = None if state.open_move is None else state.entry(state.open_move)
    if move is None or state.game.rules.blank_naming is BlankNaming.LATER:
        return False
    closes = isinstance(event, Placed) or _closed_by(state, event) is not state
    return closes and any(state.board.at(square) == BLANK for square in move.laid)


def _supply_faults(state: GameState, tiles: str) -> EventFault:
    """Tiles that the set does not have, or not so many of beside those on the board (R1.2)."""
    surplus, tile_set = excess(state.board, state.game.tile_set, [tiles]), state.game.tile_set
    odd = any(tile not in tile_set or (BLANK if is_blank(tile) else tile) in surplus for tile in tiles)
    return EventFault.NOT_IN_SET if odd else EventFault.NONE


def _exchange_faults(state: GameState, event: Exchanged) -> EventFault:
    faults = EventFault.NONE
    rules, size = state.game.rules, event.size
    least = 1 if size is None else size
    if least and (state.bag < rules.exchange_min_bag or least > state.bag):  # of no tile it is a pass (R9.1)
        faults |= EventFault.BAG_TOO_SMALL
    if size == 0 and not rules.exchange_of_none:
        faults |= EventFault.NOTHING_EXCHANGED
    if (size or 0) > state.rack_sizes[event.player]:
        faults |= EventFault.MORE_THAN_RACK
    if least < 0 or (event.tiles and len(event.tiles) != size):
        faults |= EventFault.COUNT_DISAGREES
    return faults | _supply_faults(state, event.tiles)


def _closing_faults(state: GameState, event: Noted | Refilled) -> EventFault:
    faults, rules, entry = EventFault.NONE, state.game.rules, _placed(state, event.ref)
    last = _last_turn(state)
    due = last is not None and last.number == event.ref
    done_before = {type(old.event) for old in state.log if getattr(old.event, "ref", None) == event.ref}
    noted, refilled = Noted in done_before, Refilled in done_before
    if not due or (noted if isinstance(event, Noted) else refilled):
        faults |= EventFault.MOVE_CLOSED
    first = (TurnOrder.DRAW_NOTE, refilled or entry.drawn == 0)  # where there is nothing to draw, noting comes first
    order, done = first if isinstance(event, Noted) else (TurnOrder.NOTE_DRAW, noted)
    if rules.turn_order is order and due and not done:
        faults |= EventFault.WRONG_ORDER
    if isinstance(event, Noted):
        named_late = rules.blank_naming is BlankNaming.LATER
        if not named_late and any(state.board.at(square) == BLANK for square in entry.laid):
            faults |= EventFault.BLANK_OPEN
    else:
        if event.count != entry.drawn or len(event.tiles) not in (0, event.count):
            faults |= EventFault.COUNT_DISAGREES
        faults |= _supply_faults(state, event.tiles)
    return faults


def _challenge_faults(state: GameState, event: Challenged) -> EventFault:
    faults, rules, entry = EventFault.NONE, state.game.rules, _placed(state, event.ref)
    assert entry.play is not None
    if entry.player in event.challengers:
        faults |= EventFault.OWN_MOVE
    if len(set(event.challengers)) != len(event.challengers) or not event.challengers:
        faults |= EventFault.MAY_NOT_CHALLENGE
    if rules.challengers is Challengers.NEXT and any(one != state.next_player for one in event.challengers):
        faults |= EventFault.MAY_NOT_CHALLENGE
    if not in_time(state, event):
        return faults  # the move stays, whatever the words are
    if any(state.board.at(square) == BLANK for word in entry.play.words for square, *_ in word.letters):
        faults |= EventFault.BLANK_OPEN  # what is to be looked up?
    if not event.words:
        faults |= EventFault.NO_WORD_NAMED
    if unformed(entry.play, [word.word for word in event.words]):
        faults |= EventFault.WORD_NOT_FORMED
    if event.words and undecided(entry.play, event.words, rules):
        faults |= EventFault.VERDICT_MISSING
    return faults


def in_time(state: GameState, event: Challenged) -> bool:
    """Whether a challenge comes before the move is closed (R8.2)."""
    limit = state.game.rules.challenge_seconds
    return state.open_move == event.ref and not (limit and event.seconds is not None and event.seconds > limit)


def _agreement_faults(state: GameState, event: ScoreAgreed) -> EventFault:
    entry, correction = _placed(state, event.ref), state.game.rules.score_correction
    closed = correction is ScoreCorrection.NEVER or (
        correction is ScoreCorrection.WINDOW and state.open_move != event.ref
    )
    free = event.points == entry.computed and not closed
    return EventFault.NONE if event.unanimous or free else EventFault.NOT_AGREED


def _can_be_blank(letter: str, tile_set: TileSet) -> bool:
    return letter not in (BLANK, ESZETT) and letter == letter_of(letter) and letter in tile_set


def _swap_faults(state: GameState, event: BlankSwapped) -> EventFault:
    faults, rules = EventFault.NONE, state.game.rules
    there = state.board.at(event.square)
    if there is None or there == BLANK or not is_blank(there) or there.upper() != event.tile:
        return EventFault.NOT_THAT_BLANK
    own_turn = rules.blank_reuse is BlankReuse.OWN_TURN or rules.blank_reuse_uses_turn
    if rules.blank_reuse is BlankReuse.OFF:
        faults |= EventFault.NO_BLANK_REUSE
    elif own_turn and event.player != state.next_player:
        faults |= EventFault.OUT_OF_TURN
    if state.rack_sizes[event.player] == 0:
        faults |= EventFault.MORE_THAN_RACK
    return faults | _supply_faults(state, event.tile)


def _rack_faults(state: GameState, racks: tuple[str | None, ...]) -> EventFault:
    faults = EventFault.NONE
    if len(racks) != len(state.game.players):
        return EventFault.NO_SUCH_PLAYER
    if state.end is None:
        faults |= EventFault.NOT_OVER
    booked = any(isinstance(entry.event, Settled) and entry.event.reason == "rack" for entry in state.log)
    if state.settlement is not None or booked:
        faults |= EventFault.SETTLED_BEFORE
    if any(tile not in state.game.tile_set for rack in racks for tile in rack or ""):
        faults |= EventFault.NOT_IN_SET
    if _inferred(state, racks).faults:
        faults |= EventFault.RACKS_IMPOSSIBLE
    return faults


# --- what follows from an event -----------------------------------------------------------------------------------


def _apply(state: GameState, number: int, event: Event, faults: EventFault) -> GameState:
    """The state after an event; one that cannot be gets its entry and has no effect."""
    if faults & IMPOSSIBLE:
        return _append(state, number, event, faults, None)
    state = _closed_by(state, event)
    match event:
        case Placed():
            state = _place(state, number, event, faults)
        case Passed(player):
            state = _turn(state, number, event, faults, player, is_pass=True)
        case Exchanged(player):
            is_pass = event.size == 0 or state.game.rules.exchange_counts_as_pass
            if state.game.rules.exchange_uses_turn or event.size == 0:
                state = _turn(state, number, event, faults, player, is_pass=is_pass)
            else:
                state = _append(state, number, event, faults, player)
        case NothingLaid(player):
            rules = state.game.rules
            surely = rules.exchange_counts_as_pass or state.bag < max(rules.exchange_min_bag, 1)
            state = _turn(state, number, event, faults, player, is_pass=True if surely else None)
        case MoveTimedOut(player):
            if state.game.rules.move_timeout is MoveTimeout.PASS:
                state = _turn(state, number, event, faults, player, is_pass=True)
            else:
                state = _append(state, number, event, faults, player)
        case Noted(ref):
            state = _append(state, number, event, faults, _placed(state, ref).player)
        case Refilled():
            state = _refill(state, number, event, faults)
        case Challenged():
            state = _challenge(state, number, event, faults)
        case Withdrawn(ref):
            changes, after = _taken_back(state, ref)
            state = _append(after, number, event, faults, _placed(state, ref).player, changes)
        case ChallengeRejected(player, _, words):
            changes = _change(state, player, -state.game.rules.penalty(max(words, 0)))
            state = _append(state, number, event, faults, player, changes)
        case BlankSwapped():
            state = _swap(state, number, event, faults)
        case DrawnForFirst():
            state = _draw(state, number, event, faults)
        case Overtime(player, seconds):
            over = overtime_points(seconds, state.game.rules)
            state = _append(state, number, event, faults, player, _change(state, player, over.points))
            state = _out(state, player) if over.lost else state
        case Resigned(player):
            state = _out(_append(state, number, event, faults, player), player)
        case Stopped():
            state = _append(state, number, event, faults, None)
        case RacksShown(racks):
            settlement = _settlement(state, racks)
            changes = settlement.changes
            state = _append(state, number, event, faults, None, changes, settlement=settlement)
        case Settled(player, points):
            state = _append(state, number, event, faults, player, _change(state, player, points))
        case ScoreAgreed(ref) | Corrected(ref):
            entry = state.entry(ref)
            state = _append(state, number, event, faults, entry.player if entry else None)
        case _:
            state = _append(state, number, event, faults, None)
    if state.end is not None and state.end.certain and not isinstance(event, _Moving):
        return state  # who gives up, stops or is late afterwards ends nothing any more
    end = _end(state)
    return state if end == state.end else replace(state, end=end)


_Moving = Placed | Passed | Exchanged | NothingLaid | MoveTimedOut | BlankSwapped | Refilled | Challenged | Withdrawn
"""The events that can bring a game to its end by a turn, or take such an end back."""


def _closed_by(state: GameState, event: Event) -> GameState:
    """The state with the last move closed, when the event closes it (R3.4, R8.2)."""
    if state.open_move is None or isinstance(event, Placed):  # a placement opens itself instead
        return state
    rules = state.game.rules
    match event:
        case Passed() | Exchanged() | NothingLaid() | RacksShown() | Stopped():
            closes = True
        case MoveTimedOut():
            closes = rules.move_timeout is MoveTimeout.PASS
        case BlankSwapped(player):  # the next player has begun
            closes = player == state.next_player
        case Settled(_, _, reason):
            closes = reason == "rack"
        case Noted(ref):
            closes = ref == state.open_move and rules.challenge_until is not ChallengeUntil.NEXT_TURN
        case Refilled(ref):
            closes = ref == state.open_move and rules.challenge_until is ChallengeUntil.DRAWN
        case _:
            closes = False
    return replace(state, open_move=None) if closes else state


def _change(state: GameState, player: int | None, points: int) -> tuple[int, ...]:
    return tuple(points if seat == player else 0 for seat in range(len(state.totals)))


def _append(
    state: GameState,
    number: int,
    event: Event,
    faults: EventFault,
    player: int | None,
    changes: tuple[int, ...] | None = None,
    then: Mapping[str, Any] = MappingProxyType({}),
    **effect: Any,
) -> GameState:
    """The state with an entry for the event: ``effect`` holds the further fields of the entry, ``then`` those of the
    state (all at once, since a new state for each of them takes time)."""
    if changes is None:
        changes, totals = (0,) * len(state.totals), state.totals
    else:
        totals = tuple(map(int.__add__, state.totals, changes))
    entry = Entry(number, event, player, changes, totals, faults, **effect)
    return replace(state, totals=totals, log=(*state.log, entry), **then)


def _turn(
    state: GameState,
    number: int,
    event: Event,
    faults: EventFault,
    player: int,
    changes: tuple[int, ...] | None = None,
    then: Mapping[str, Any] = MappingProxyType({}),
    **effect: Any,
) -> GameState:
    """As ``_append``, and the next player is due."""
    due, skips = _next_after(state, player)
    then = {**then, "next_player": due, "skips": skips}
    return _append(state, number, event, faults, player, changes, then, used_turn=True, **effect)


def _next_after(state: GameState, player: int) -> tuple[int, tuple[int, ...]]:
    """The player who follows, and the turns still to sit out then; players who are out are left out (R8.4)."""
    order, skips = state.order, list(state.skips)
    place = order.index(player)
    if not state.lost and not any(skips):
        return order[(place + 1) % len(order)], state.skips
    following = [order[(place + step) % len(order)] for step in range(1, len(order) + 1)]
    active = [one for one in following if one not in state.lost] or following
    due = next((one for one in active * (1 + max(skips)) if not _sits_out(skips, one)), active[0])
    return due, tuple(skips)


def _sits_out(skips: list[int], player: int) -> bool:
    """Whether the player has to sit out this turn, which is one less to sit out then."""
    if skips[player] == 0:
        return False
    skips[player] -= 1
    return True


def _score(state: GameState, event: Placed) -> Play:
    game = state.game
    return score_placement(
        state.board,
        event.placement,
        _rules_now(state),
        game.tile_set,
        theme_words=event.theme_words,
        worthless=state.worthless,
    )


def _rules_now(state: GameState) -> RuleSet:
    """The rules; without the long first word once it is waived: everybody had a turn without one (R12.4)."""
    rules = state.game.rules
    if not rules.first_word_waived or rules.min_first_word == 2 or not state.board.is_empty:
        return rules
    had_turns = {entry.player for entry in state.log if entry.used_turn}
    waived = had_turns >= set(range(len(state.totals))) - state.lost
    return replace(rules, min_first_word=2) if waived else rules


def _place(state: GameState, number: int, event: Placed, faults: EventFault) -> GameState:
    player, rules = event.player, state.game.rules
    play = _score(state, event)
    points = play.score
    if event.agreed is not None:
        points = event.agreed
    elif rules.score_correction is ScoreCorrection.NEVER and event.announced is not None:
        points = event.announced
    tiles = event.placement.fitting(state.board)
    left = max(state.rack_sizes[player] - len(tiles), 0)
    drawn = min(rules.rack_size - left, state.bag) if left < rules.rack_size else 0
    sizes = tuple(left + drawn if seat == player else size for seat, size in enumerate(state.rack_sizes))
    then = {
        "board": state.board.placed(tiles),
        "rack_sizes": sizes,
        "bag": state.bag - drawn,
        "bag_emptier": player if drawn and drawn == state.bag else state.bag_emptier,
        "open_move": number,
    }
    changes = _change(state, player, points)
    return _turn(state, number, event, faults, player, changes, then, play=play, laid=tuple(tiles), drawn=drawn)


def _refill(state: GameState, number: int, event: Refilled, faults: EventFault) -> GameState:
    """The tiles were counted as drawn when they were laid; another number is set right here."""
    entry = _placed(state, event.ref)
    player = entry.player
    assert player is not None
    size = state.rack_sizes[player]
    room = state.game.rules.rack_size - size
    more = max(min(event.count - entry.drawn, state.bag, room), -entry.drawn, -size)
    if more:
        bag = state.bag - more
        state = replace(
            state,
            rack_sizes=tuple(size + more if seat == player else old for seat, old in enumerate(state.rack_sizes)),
            bag=bag,
            bag_emptier=None if bag else player,
            log=tuple(replace(old, drawn=old.drawn + more) if old is entry else old for old in state.log),
        )
    return _append(state, number, event, faults, player)


def _challenge(state: GameState, number: int, event: Challenged, faults: EventFault) -> GameState:
    player = event.challengers[0] if event.challengers else None
    if not in_time(state, event):
        late = ChallengeResult(Outcome.TOO_LATE)
        return _append(state, number, event, faults, player, challenge=late)
    found = decide(event.words, event.challengers, state.game.rules)
    changes: tuple[int, ...] = (0,) * len(state.totals)
    if found.outcome is Outcome.UPHELD:
        changes, state = _taken_back(state, event.ref)
    for payer, points in found.penalties:
        changes = tuple(map(int.__add__, changes, _change(state, payer, -points)))
    return _append(state, number, event, faults, player, changes, challenge=found)


def _taken_back(state: GameState, ref: int) -> tuple[tuple[int, ...], GameState]:
    """What taking a move back costs, and the state without its tiles; they are on the rack again (R8.3, R8.10)."""
    entry, rules = _placed(state, ref), state.game.rules
    player = entry.player
    assert player is not None
    again = rules.turns_lost == 0 and _last_turn(state) is entry and player not in state.lost
    taken_back = replace(entry, withdrawn=True, used_turn=entry.used_turn and not again)
    back = state.rack_sizes[player] + len(entry.laid) - entry.drawn
    # what does not fit on the rack any more goes to the bag as well; more than there is cannot
    size = max(min(back, rules.rack_size), 0)
    bag = state.bag + entry.drawn + back - size
    state = replace(
        state,
        board=state.board.removed(square for square in entry.laid if state.board.at(square) is not None),
        log=tuple(taken_back if old is entry else old for old in state.log),
        rack_sizes=tuple(size if seat == player else old for seat, old in enumerate(state.rack_sizes)),
        bag=bag,
        bag_emptier=None if bag else state.bag_emptier,
        open_move=None if state.open_move == ref else state.open_move,
        worthless=state.worthless.difference(entry.laid),
    )
    if again:
        state = replace(state, next_player=player)
    elif rules.turns_lost == 2:
        state = replace(state, skips=tuple(skip + (seat == player) for seat, skip in enumerate(state.skips)))
    return tuple(-change for change in entry.changes), state


def _swap(state: GameState, number: int, event: BlankSwapped, faults: EventFault) -> GameState:
    rules = state.game.rules
    board = state.board.removed([event.square]).placed({event.square: event.tile})
    worthless = state.worthless if rules.swapped_tile_counts else state.worthless | {event.square}
    state = replace(state, board=board, worthless=worthless)
    if rules.blank_reuse_uses_turn:
        return _turn(state, number, event, faults, event.player)
    return _append(state, number, event, faults, event.player)


def _draw(state: GameState, number: int, event: DrawnForFirst, faults: EventFault) -> GameState:
    """The state after a round of the draw."""
    state = _append(state, number, event, faults, None)
    order = state.draw.order
    if order is None or EventFault.DRAW_FAULTY in faults:
        return state
    first = next((player for player in order if player not in state.lost), order[0])
    return replace(state, order=order, next_player=first)


def draw_rounds(log: Iterable[Entry]) -> list[dict[int, str]]:
    """The rounds of the draw that count, each with who drew what."""
    return [
        dict(entry.event.tiles)
        for entry in log
        if isinstance(entry.event, DrawnForFirst) and not entry.faults & (IMPOSSIBLE | EventFault.DRAW_FAULTY)
    ]


def drawn(rounds: Sequence[Mapping[int, str]], game: Game) -> DrawResult:
    """What these rounds of the draw decide by the rules of the game."""
    return draw(rounds, len(game.players), game.tile_set, game.rules.draw_tie, game.rules.seating)


def _out(state: GameState, player: int) -> GameState:
    """The state without the player, who keeps the points. With at most one left, nobody doubts the last move."""
    state = replace(state, lost=state.lost | {player})
    if len(state.lost) >= len(state.totals) - 1:
        state = replace(state, open_move=None)
    if state.next_player != player:
        return state
    due, skips = _next_after(state, player)
    return replace(state, next_player=due, skips=skips)


def _inferred(state: GameState, racks: tuple[str | None, ...]) -> InferredRacks:
    game = state.game
    return infer_racks(state.board, game.tile_set, racks, state.rack_sizes, state.bag, game.rules.rack_size)


def _settlement(state: GameState, racks: tuple[str | None, ...]) -> Settlement:
    """The settlement with all racks that were told or follow from the tiles not seen."""
    game = state.game
    return settle(_inferred(state, racks).racks, state.end, game.rules, game.tile_set, state.bag_emptier)


# --- the end of the game ------------------------------------------------------------------------------------------


def _last_turn(state: GameState) -> Entry | None:
    return next((entry for entry in reversed(state.log) if entry.used_turn), None)


def _end(state: GameState) -> GameEnd | None:
    """Why the game is over by what has happened so far, None while it goes on (R10)."""
    rules, players = state.game.rules, len(state.totals)
    active = [player for player in range(players) if player not in state.lost]
    if state.bag == 0:
        out = [player for player in range(players) if state.rack_sizes[player] == 0]
        if out:
            return GameEnd(EndReason.OUT, out[0])
        if rules.end_on_empty_bag is EmptyBag.BAG:
            return GameEnd(EndReason.EMPTY_BAG)
    if len(active) <= 1:
        return GameEnd(EndReason.GIVEN_UP)
    if any(isinstance(entry.event, Stopped) for entry in state.log):
        return GameEnd(EndReason.STOPPED)
    last = _last_turn(state)
    if last is None or (last.play is not None and not last.withdrawn):
        return None
    return _end_by_passes(state, active) or _end_without_words(state, active)


def _end_by_passes(state: GameState, active: list[int]) -> GameEnd | None:
    """R10.2, R10.4, R10.5: enough passes of everybody who still plays, surely or perhaps."""
    rules = state.game.rules
    if not rules.end_on_passes:
        return None

    def is_pass(entry: Entry) -> bool | None:
        return rules.taken_back_counts_as_pass if entry.withdrawn else entry.is_pass

    turns = [entry for entry in reversed(state.log) if entry.used_turn]
    surely = [entry for entry in turns if is_pass(entry)]
    perhaps = [entry for entry in turns if is_pass(entry) is not False]
    if rules.pass_count is PassCount.RUNNING:
        surely = list(takewhile(is_pass, turns))
        perhaps = list(takewhile(lambda entry: is_pass(entry) is not False, turns))
    if _turns_each(perhaps, active) < rules.end_on_passes:
        return None
    return GameEnd(EndReason.PASSES, certain=_turns_each(surely, active) >= rules.end_on_passes)


def _end_without_words(state: GameState, active: list[int]) -> GameEnd | None:
    """R10.2: as many rounds as agreed in which no word was laid that stayed."""
    rounds = state.game.rules.end_on_scoreless_rounds
    turns = (entry for entry in reversed(state.log) if entry.used_turn)
    scoreless = takewhile(lambda entry: entry.play is None or entry.withdrawn, turns)
    return GameEnd(EndReason.SCORELESS) if rounds and _turns_each(scoreless, active) >= rounds else None


def _turns_each(turns: Iterable[Entry], active: list[int]) -> int:
    """How many of these turns everybody had who still plays: those of a player who is out count for nobody else."""
    counts = Counter(entry.player for entry in turns)
    return min(counts[player] for player in active)
