"""A game as somebody wrote it down: what the record says, neither checked nor computed.

Every reader in ``scorer.formats`` gives this one value and every writer takes it; ``scorer.rescore`` compares it with
the rules. Squares are stored, not their names: a record can be written in either notation, whichever it was read in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from scorer.board import Square
from scorer.errors import NotationError
from scorer.notation import MoveText, Notation


class Action(StrEnum):
    """What a line of a record says happened."""

    PLACE = "place"
    PASS = "pass"
    """A pass, or a pass or an exchange where the record does not tell."""
    EXCHANGE = "exchange"
    CHALLENGE_UPHELD = "challenge-upheld"
    """A move taken back."""
    CHALLENGE_REJECTED = "challenge-rejected"
    """A challenge of allowed words, paid by the challenger: the line's player."""
    CHALLENGE_BONUS = "challenge-bonus"
    """A challenge of allowed words that gives the challenged player points, by English rules."""
    RACK_SETTLEMENT = "rack-settlement"
    TIME_PENALTY = "time-penalty"

    @property
    def is_turn(self) -> bool:
        """Whether the next player is due after it (R3.1)."""
        return self in (Action.PLACE, Action.PASS, Action.EXCHANGE)


CHALLENGES = (Action.CHALLENGE_UPHELD, Action.CHALLENGE_REJECTED)
"""The actions that are about a placement before."""


class NotationSource(StrEnum):
    """How it is known whether rows or columns are lettered. A record itself cannot show it, see scorer.notation."""

    GIVEN = "given"
    """The caller said so."""
    DECLARED = "declared"
    """The file says so, or its format leaves no choice."""
    ASSUMED = "assumed"
    """Neither does: the format's custom was taken. The board may be mirrored; scores and faults are right all the same.
    """


class Settlement(StrEnum):
    """How a record writes what the rest of a rack counts. The difference of two players is the same."""

    GERMAN = "german"
    """A line takes the rest from its owner, another gives it to the finisher (R11.1, R11.2)."""
    INTERNATIONAL = "international"
    """One line gives the finisher twice the rest of the other player, the custom of GCG."""


class WrittenWord(NamedTuple):
    """A word a move formed, with its points as written down."""

    word: str
    points: int


class Pragma(NamedTuple):
    """Something a file says about the game that has no place of its own here: its name and text."""

    name: str
    text: str


@dataclass(frozen=True)
class WrittenMove:
    """One line of a record.

    number: of the move, as the record counts
    line:   of the file, from 1; where it stood is not compared
    player: seat of the player the line names, from 0; for a move taken back the challenger, or in GCG, where the file
            does not say who that was, who had laid it
    points: points as written down; negative where they are taken
    totals: points of each player after the move as written down, None for those the line does not give
    move:   coordinate and word of a placement
    ref:    number of the move a challenge is about
    tiles:  exchanged tiles or their number, or the rest of the rack in a settlement, "" when not given
    rack:   tiles on the player's rack before the move, as far as given, "" when not given
    words:  the words of a placement with their points, () when not given
    note:   what somebody remarked on the move; may have several lines
    certain: whether a pass is surely one, and no exchange; not compared
    """

    number: int
    line: int = field(compare=False)
    player: int
    action: Action
    points: int
    totals: tuple[int | None, ...]
    move: MoveText | None = None
    ref: int | None = None
    tiles: str = ""
    rack: str = ""
    words: tuple[WrittenWord, ...] = ()
    note: str = ""
    certain: bool = field(default=True, compare=False)


@dataclass(frozen=True)
class WrittenGame:
    """A record.

    name:           of the file, for messages
    players:        names by seat, two to four
    notation:       how its coordinates were read
    notation_source: how that is known; not compared
    nicks:          short names by seat, without blanks and each once; () when the format has none
    title, description, lexicon: as the file says, in one line each
    id:             name of the game with the authority that gave it
    tile_set:       what the file says of the tiles; few say it
    racks:          tiles on the racks at the end of the record by seat, "" when not given; () when none is
    incomplete:     None, or that the record stops before the end of the game: the tiles of who is due, as far as given
    pragmas:        what else the file says, in order
    seats_inferred: whether the file names one player in every line, and its totals had to tell two apart; not compared
    """

    name: str
    players: tuple[str, ...]
    moves: tuple[WrittenMove, ...]
    notation: Notation
    notation_source: NotationSource = field(compare=False)
    nicks: tuple[str, ...] = ()
    title: str = ""
    description: str = ""
    lexicon: str = ""
    id: str = ""
    tile_set: str = ""
    racks: tuple[str, ...] = ()
    incomplete: str | None = None
    pragmas: tuple[Pragma, ...] = ()
    seats_inferred: bool = field(default=False, compare=False)


def standing(moves: Iterable[WrittenMove]) -> dict[int, WrittenMove]:
    """The placements that no challenge took back, by their number."""
    places: dict[int, WrittenMove] = {}
    for move in moves:
        if move.action is Action.PLACE:
            places[move.number] = move
        elif move.action is Action.CHALLENGE_UPHELD and move.ref is not None:
            places.pop(move.ref, None)
    return places


def challenged_move(moves: Iterable[WrittenMove], number: int | None = None, player: int | None = None) -> int:
    """The number, if that placement stands; without a number that of the last standing placement of this player, or of
    any. NotationError when there is none."""
    numbers = [place.number for place in standing(moves).values() if player in (None, place.player)]
    if number is not None and number not in numbers:
        raise NotationError(f"move {number} is no placement that still stands", code="not-standing", number=number)
    if not numbers:
        raise NotationError("there is no placement to challenge", code="nothing-to-challenge")
    return numbers[-1] if number is None else number


def refuse_unwritable(moves: Iterable[WrittenMove]) -> None:
    """NotationError for moves that no file can hold: two of one number, a placement without a word, a challenge of no
    placement that stands. No reader gives such moves. Allowed words challenged beside one that is not (R8.7) come
    before the line that takes the move back."""
    numbers: set[int] = set()
    places: dict[int | None, WrittenMove] = {}
    for move in moves:
        if move.number in numbers:
            raise NotationError(f"there are two moves {move.number}", code="number-twice", number=move.number)
        if (move.action is Action.PLACE) != (move.move is not None):
            raise NotationError(
                f"move {move.number}: a placement has a word, and nothing else has",
                code="word-misplaced",
                number=move.number,
            )
        if move.action in CHALLENGES and move.ref not in places:
            raise NotationError(
                f"move {move.number} challenges no placement that stands",
                code="challenges-nothing",
                number=move.number,
            )
        numbers.add(move.number)
        if move.action is Action.PLACE:
            places[move.number] = move
        elif move.action is Action.CHALLENGE_UPHELD:
            del places[move.ref]


def transposed(game: WrittenGame) -> WrittenGame:
    """The record read in the other notation: rows and columns of every placement change places.

    For a file whose notation was assumed wrongly. A record read rightly is written in another notation by its writer.
    """
    other = Notation.INTERNATIONAL if game.notation is Notation.GERMAN else Notation.GERMAN
    return replace(game, notation=other, moves=tuple(map(_transposed, game.moves)))


def _transposed(move: WrittenMove) -> WrittenMove:
    if move.move is None:
        return move
    text = move.move
    return replace(move, move=MoveText(Square(text.start.col, text.start.row), text.direction.other, text.marks))


def is_debit(move: WrittenMove) -> bool:
    """Whether a settlement takes the rest of the player's own rack away."""
    return move.points < 0 or (bool(move.rack) and sorted(move.rack) == sorted(move.tiles))


def with_settlement(game: WrittenGame, custom: Settlement) -> WrittenGame:
    """The record with the settlement of two players' racks in that custom; a note says what the other one gives.

    Only where one player went out and the other's rest is known (R11.2): other records come back as they are, those of
    three and four players too, since twice the rest of all would change who leads by how much.
    """
    settlements = [move for move in game.moves if move.action is Action.RACK_SETTLEMENT]
    debits = [move for move in settlements if is_debit(move)]
    credits = [move for move in settlements if not is_debit(move) and move.points > 0]
    if len(game.players) != 2 or len(credits) != 1 or len(settlements) != len(debits) + 1:
        return game
    (credit,) = credits
    if custom is Settlement.INTERNATIONAL:
        (debit,) = debits if len(debits) == 1 else (None,)
        if debit is None or debit.player == credit.player or debit.points != -credit.points:
            return game
        return _doubled(game, credit, debit)
    if debits or not credit.tiles or credit.points % 2:
        return game
    return _halved(game, credit)


def _doubled(game: WrittenGame, credit: WrittenMove, debit: WrittenMove) -> WrittenGame:
    """The loser keeps the rest and the finisher gets it twice."""
    sheet = _final_totals(game)
    offsets = [0, 0]
    moves = []
    for move in game.moves:
        if move is debit:
            offsets[debit.player] += credit.points
            continue
        if move is credit:
            offsets[credit.player] += credit.points
            move = replace(move, points=2 * credit.points, note=_with_line(move.note, _sheet_says(game, sheet)))
        moves.append(replace(move, totals=_shifted(move.totals, offsets)))
    return replace(game, moves=tuple(moves))


def _halved(game: WrittenGame, credit: WrittenMove) -> WrittenGame:
    """The rest is taken from the loser and given to the finisher once."""
    loser, points = 1 - credit.player, credit.points // 2
    offsets = [0, 0]
    totals: list[int | None] = [None, None]
    moves: list[WrittenMove] = []
    for move in game.moves:
        if move is credit:
            offsets[credit.player] -= points
            move = replace(move, points=points, totals=_shifted(move.totals, offsets))
            moves.append(move)
            offsets[loser] -= points
            after: list[int | None] = [None, None]
            known = totals[loser] if move.totals[loser] is None else move.totals[loser]
            after[loser] = None if known is None else known - points
            after[credit.player] = None if move.totals[loser] is None else move.totals[credit.player]
            number = max(one.number for one in game.moves) + 1
            moves.append(
                WrittenMove(
                    number=number,
                    line=credit.line,
                    player=loser,
                    action=Action.RACK_SETTLEMENT,
                    points=-points,
                    totals=tuple(after),
                    tiles=credit.tiles,
                    rack=credit.tiles,
                )
            )
        else:
            moves.append(replace(move, totals=_shifted(move.totals, offsets)))
        totals = [new if new is not None else old for new, old in zip(move.totals, totals, strict=True)]
    return replace(game, moves=tuple(moves))


def _shifted(totals: Iterable[int | None], offsets: Iterable[int]) -> tuple[int | None, ...]:
    return tuple(None if total is None else total + by for total, by in zip(totals, offsets, strict=True))


def _final_totals(game: WrittenGame) -> list[int | None]:
    """The last total the record gives of each player."""
    totals: list[int | None] = [None] * len(game.players)
    for move in game.moves:
        totals = [new if new is not None else old for new, old in zip(move.totals, totals, strict=True)]
    return totals


def _sheet_says(game: WrittenGame, totals: Iterable[int | None]) -> str:
    sums = ", ".join(f"{name} {'?' if sum_ is None else sum_}" for name, sum_ in zip(game.players, totals, strict=True))
    return f"Twice the rest by international custom; the German sheet ends with {sums}."


def _with_line(note: str, line: str) -> str:
    return f"{note}\n{line}" if note else line
