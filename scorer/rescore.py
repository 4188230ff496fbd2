"""Scores a written game again and says where the record and the rules disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.errors import GameError
from scorer.events import (
    ChallengeRejected,
    Event,
    Exchanged,
    NothingLaid,
    Passed,
    Placed,
    Settled,
    Withdrawn,
)
from scorer.game import Entry, Game, GameState, advance, replay
from scorer.placement import PlacementFault
from scorer.rules import PenaltyUnit, RuleSet
from scorer.scoring import WordScore
from scorer.tiles import TileSet
from scorer.written import Action, WrittenGame, WrittenMove, is_debit


@dataclass(frozen=True)
class RescoredMove:
    """A line of the record beside what the rules give.

    computed:     points by the rules; a settlement that gives no racks and a time penalty are taken as recorded
    totals:       points of all players after the move by the rules
    words:        of a placement, the main word first
    faults:       what the rules hold against a placement, or its text claims and is not so
    points_differ: whether the recorded points are wrong
    wrong_totals: the players whose recorded total is wrong for a reason that first shows in this line: a wrong total
                  that later lines carry along is named once
    """

    written: WrittenMove
    computed: int
    totals: tuple[int, ...]
    words: tuple[WordScore, ...]
    faults: PlacementFault
    points_differ: bool
    wrong_totals: tuple[int, ...]

    @property
    def totals_differ(self) -> bool:
        """Whether a recorded total is wrong for a reason that first shows in this line."""
        return bool(self.wrong_totals)

    @property
    def differs(self) -> bool:
        return self.points_differ or self.totals_differ

    def to_json(self) -> dict[str, Any]:
        """The move as the command ``rescore`` gives it; players count from 1."""
        return {
            "move": self.written.number,
            "line": self.written.line,
            "player": self.written.player + 1,
            "action": str(self.written.action),
            "recorded": self.written.points,
            "computed": self.computed,
            "totals": list(self.totals),
            "recorded_totals": list(self.written.totals),
            "words": [{"word": word.word, "score": word.score} for word in self.words],
            "faults": self.faults.codes,
            "differs": self.differs,
            "why": ["points"] * self.points_differ + ["totals"] * self.totals_differ,
        }


@dataclass(frozen=True)
class Rescore:
    """A written game scored again; ``state`` is the game as the rules have it."""

    written: WrittenGame
    moves: tuple[RescoredMove, ...]
    state: GameState

    @property
    def differences(self) -> int:
        """Number of moves that differ."""
        return sum(move.differs for move in self.moves)

    def to_json(self) -> dict[str, Any]:
        """The result as the command ``rescore`` gives it."""
        return {
            "players": list(self.written.players),
            "rules": self.state.game.rules.name,
            "rule_set": self.state.game.rules.to_json(),
            "tiles": self.state.game.tile_set.name,
            "notation": str(self.written.notation),
            "notation_source": str(self.written.notation_source),
            "seats_inferred": self.written.seats_inferred,
            "moves": [move.to_json() for move in self.moves],
            "board": list(self.state.board.rows),
            "differences": self.differences,
        }


def rescore(written: WrittenGame, rules: RuleSet, tile_set: TileSet) -> Rescore:
    """The record of a game beside the scores by these rules and tiles.

    Only scores and totals make a difference; a fault of a placement is given with its move. GameError for a challenge
    of no standing move, which the readers do not let through.
    """
    state = replay(_empty_game(written, rules, tile_set))
    factor = _rest_factor(written)
    recorded: dict[int, int] = {}
    event_numbers: dict[int, int] = {}
    book = _Bookkeeping(state.totals, state.totals)
    moves = []
    for move in written.moves:
        event, text_faults = _event(move, state, event_numbers, factor)
        state = advance(state, event)
        entry = state.log[-1]
        event_numbers[move.number] = entry.number
        recorded[move.number] = move.points
        book, wrong_totals = book.after(move, entry)
        moves.append(
            RescoredMove(
                written=move,
                computed=entry.points,
                totals=entry.totals,
                words=entry.play.words if entry.play else (),
                faults=text_faults | (entry.play.faults if entry.play else PlacementFault.NONE),
                points_differ=move.points not in (entry.points, *_taken_back(move, recorded)),
                wrong_totals=wrong_totals,
            )
        )
    return Rescore(written, tuple(moves), state)


def _empty_game(written: WrittenGame, rules: RuleSet, tile_set: TileSet) -> Game:
    """The game before its first event. It was played, so its number of players is right whatever the rules say."""
    count = len(written.players)
    names = written.players if len(set(written.players)) == count else tuple(str(seat + 1) for seat in range(count))
    first_player = next((move.player for move in written.moves if move.action.is_turn), 0)
    rules = rules.with_settings(max_players=max(rules.max_players, count))
    return Game(names, rules, tile_set, first_player=first_player)


def _event(
    move: WrittenMove, state: GameState, event_numbers: dict[int, int], factor: int
) -> tuple[Event, PlacementFault]:
    """The event a line of the record stands for, and what its text claims of the board and is not so."""
    player, none = move.player, PlacementFault.NONE
    match move.action:
        case Action.PLACE:
            if move.move is None:
                raise GameError(
                    f"move {move.number} is a placement without a word", code="word-misplaced", number=move.number
                )
            placement, faults = move.move.resolve(state.board)
            return Placed(player, placement), faults
        case Action.PASS:
            return (Passed(player) if move.certain else NothingLaid(player)), none
        case Action.EXCHANGE:
            return _exchanged(player, move.tiles), none
        case Action.CHALLENGE_UPHELD:
            ref = _reference(move, event_numbers)
            return Withdrawn(ref, player if player != state.log[ref - 1].player else None), none
        case Action.CHALLENGE_REJECTED:
            ref = _reference(move, event_numbers)
            return ChallengeRejected(player, ref, _challenged_words(move, state, ref)), none
        case Action.CHALLENGE_BONUS:
            return Settled(player, move.points, "challenge-bonus"), none
        case Action.TIME_PENALTY:
            return Settled(player, move.points, "time"), none
        case Action.RACK_SETTLEMENT:
            return Settled(player, _settlement(move, state.game.tile_set, factor)), none


def _reference(move: WrittenMove, event_numbers: dict[int, int]) -> int:
    """Number of the event a challenge is about."""
    if move.ref not in event_numbers:
        raise GameError(
            f"move {move.number} challenges move {move.ref}, which there is not",
            code="challenges-nothing",
            number=move.number,
            ref=move.ref,
        )
    return event_numbers[move.ref]


def _taken_back(move: WrittenMove, recorded: dict[int, int]) -> list[int]:
    """What a withdrawal may take by the record: the points it gave the move, be they wrong."""
    return [-recorded[move.ref]] if move.action is Action.CHALLENGE_UPHELD and move.ref is not None else []


def _exchanged(player: int, tiles: str) -> Exchanged:
    """An exchange of tiles that the record names, or of which it gives the number, or neither."""
    return Exchanged(player, int(tiles)) if tiles.isdecimal() else Exchanged(player, tiles=tiles)


def _challenged_words(move: WrittenMove, state: GameState, ref: int) -> int:
    """How many words were challenged wrongly: records do not say it, so as many as the recorded points allow (R8.5)."""
    rules, play = state.game.rules, state.log[ref - 1].play
    if rules.penalty_unit is PenaltyUnit.WORD and rules.challenge_penalty and play is not None:
        count, rest = divmod(-move.points, rules.challenge_penalty)
        if rest == 0 and 1 <= count <= len(play.words):
            return count
    return 1


def _settlement(move: WrittenMove, tile_set: TileSet, factor: int) -> int:
    """Points of a settlement from the rest of the rack it names; the recorded points when it names none."""
    if not move.tiles:
        return move.points
    rest = sum(map(tile_set.value, move.tiles))
    return -rest if is_debit(move) else factor * rest


def _rest_factor(written: WrittenGame) -> int:
    """How often the finisher is credited the rest of the others: once where the others pay it (R11.1, R11.2), twice
    where, by the custom of GCG, the finisher's line stands for both."""
    settlements = [move for move in written.moves if move.action is Action.RACK_SETTLEMENT]
    return 1 if any(map(is_debit, settlements)) else 2


@dataclass(frozen=True)
class _Bookkeeping:
    """The totals a record may go on from without a new mistake, beside those by the rules.

    carried: the totals recorded last; sums: the recorded points added up
    """

    carried: tuple[int, ...]
    sums: tuple[int, ...]

    def after(self, move: WrittenMove, entry: Entry) -> tuple[_Bookkeeping, tuple[int, ...]]:
        """The books after a move, and the players whose total, as it records it, fits neither them nor the rules."""
        change = [move.points if seat == entry.player else 0 for seat in range(len(self.sums))]
        carried = tuple(map(sum, zip(self.carried, change, strict=True)))
        sums = tuple(map(sum, zip(self.sums, change, strict=True)))
        allowed = zip(carried, sums, entry.totals, strict=True)
        wrong = tuple(
            seat
            for seat, (total, right) in enumerate(zip(move.totals, allowed, strict=True))
            if total is not None and total not in right
        )
        recorded = tuple(
            total if total is not None else before for total, before in zip(move.totals, carried, strict=True)
        )
        return _Bookkeeping(recorded, sums), wrong
