"""What can happen in a game, each thing a frozen value.

Events are numbered from 1 in the order in which they were entered, players from 0 in the order of their seats. ``ref``
is always the number of an earlier event. Events say what was done; what follows from it is the matter of
``scorer.game``. Nothing is ever taken out of a list of events: a challenge, a correction, an undo is one more.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import auto
from typing import Literal

from scorer.board import Square
from scorer.challenge import ChallengedWord
from scorer.faults import Faults
from scorer.placement import Placement

# --- before the first turn ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DrawnForFirst:
    """One round of the draw for the first turn (R2.1): who drew which tile. After a tie another round follows."""

    tiles: tuple[tuple[int, str], ...]


# --- turns --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Placed:
    """A player laid tiles; a turn (R3.3).

    announced:   points the player said, None when nobody noted them
    agreed:      points that count by agreement of all, None: as the rules say (R3.6)
    theme_words: those of its words that belong to the agreed theme, in capitals (R12.3)
    """

    player: int
    placement: Placement
    announced: int | None = None
    agreed: int | None = None
    theme_words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Passed:
    """A player did nothing; a turn (R9.1)."""

    player: int


@dataclass(frozen=True)
class Exchanged:
    """A player exchanged tiles; a turn (R9.5).

    count: number of tiles, None when it is not known; tiles: those given up, "" when not known
    """

    player: int
    count: int | None = None
    tiles: str = ""

    @property
    def size(self) -> int | None:
        """Number of tiles exchanged, None when neither they nor their number are known."""
        return self.count if self.count is not None else len(self.tiles) or None


@dataclass(frozen=True)
class NothingLaid:
    """A pass or an exchange, it is not known which: a photo cannot tell, and some records do not say. A turn."""

    player: int


@dataclass(frozen=True)
class MoveTimedOut:
    """The time for a move was over: a reminder, or a pass, as the table agreed (R12.5)."""

    player: int


# --- after a placement --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Noted:
    """The points of move ``ref`` were written down; closes the move where the rules say so (R3.5, R8.2)."""

    ref: int


@dataclass(frozen=True)
class Refilled:
    """The player of move ``ref`` drew new tiles (R3.3). tiles: which, "" when not known (they seldom are)."""

    ref: int
    count: int
    tiles: str = ""


@dataclass(frozen=True)
class Challenged:
    """The words of move ``ref`` were doubted and looked up; the rules say what follows (R8).

    challengers: who doubted, the first to say so first
    words:       the words looked up with what was found
    seconds:     between the announcement and the challenge, None when not timed
    """

    ref: int
    challengers: tuple[int, ...]
    words: tuple[ChallengedWord, ...]
    seconds: float | None = None


@dataclass(frozen=True)
class Withdrawn:
    """Move ``ref`` was challenged off, as a record says or a photo shows: its tiles and points are taken back (R8.3).
    No turn: the move used it.

    player: the challenger, None when it is not known who it was
    """

    ref: int
    player: int | None = None


@dataclass(frozen=True)
class ChallengeRejected:
    """A challenge of allowed words, as a record says: the challenger pays and stays in turn (R8.5, R8.11, R8.12).

    player: the challenger
    ref:    number of the move that stays
    words:  how many words of it were challenged wrongly
    """

    player: int
    ref: int
    words: int = 1


@dataclass(frozen=True)
class ScoreAgreed:
    """The table settled what move ``ref`` counts (R3.6). unanimous: whether all players agreed."""

    ref: int
    points: int
    unanimous: bool = False


@dataclass(frozen=True)
class BlankNamed:
    """The letter of a blank that was left open, as a capital (R6.2, R6.3)."""

    square: Square
    letter: str


@dataclass(frozen=True)
class BlankSwapped:
    """House rule: a player took a blank from the board and left the real letter, a capital, in its place (R12.1)."""

    player: int
    square: Square
    tile: str


# --- the end ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Overtime:
    """A player's clock ran over by so many seconds in all, once for each player (R13.3, R13.4)."""

    player: int
    seconds: float


@dataclass(frozen=True)
class Resigned:
    """A player gave up. With two players this ends the game; else the others go on and the tiles stay with the one."""

    player: int


@dataclass(frozen=True)
class Stopped:
    """The players agreed to end the game here."""


@dataclass(frozen=True)
class RacksShown:
    """The tiles left on each rack at the end, by seat; None for a rack that nobody noted (R11.1)."""

    racks: tuple[str | None, ...]


@dataclass(frozen=True)
class Settled:
    """Points booked as a record has them; no turn.

    reason: ``rack`` settlement of the rest of the racks (R11.1, R11.2), ``time`` penalty of the clock (R13.3),
            ``challenge-bonus`` for the challenged player in games by English rules
    """

    player: int
    points: int
    reason: Literal["rack", "time", "challenge-bonus"] = "rack"


# --- second thoughts ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Corrected:
    """Event ``ref``, which is no correction itself, was entered wrongly: it is this event instead, or nothing; all that
    came after it is recomputed. Of several corrections of one event the last counts."""

    ref: int
    event: PlainEvent | None


@dataclass(frozen=True)
class Undone:
    """The last event that still counts is taken back."""


@dataclass(frozen=True)
class Redone:
    """The event taken back last counts again; only as long as no other event came between."""


PlainEvent = (
    DrawnForFirst
    | Placed
    | Passed
    | Exchanged
    | NothingLaid
    | MoveTimedOut
    | Noted
    | Refilled
    | Challenged
    | Withdrawn
    | ChallengeRejected
    | ScoreAgreed
    | BlankNamed
    | BlankSwapped
    | Overtime
    | Resigned
    | Stopped
    | RacksShown
    | Settled
)
"""Everything that happens at the table."""

Event = PlainEvent | Corrected | Undone | Redone


class EventFault(Faults):
    """What speaks against an event; faults add up. ``codes`` gives the stable names.

    The faults of a placement itself are those of its play, see ``scorer.placement.PlacementFault``.
    """

    NONE = 0
    NO_SUCH_PLAYER = auto()
    """The game has no such player."""
    NO_SUCH_MOVE = auto()
    """The event refers to no placement, or to no event, of this game."""
    TAKEN_BACK_BEFORE = auto()
    """The move was taken back already."""
    OUT_OF_TURN = auto()
    """Another player is next (R2.4)."""
    PLAYER_IS_OUT = auto()
    """The player resigned or lost by time."""
    GAME_OVER = auto()
    """The game has ended (R10)."""
    MORE_THAN_RACK = auto()
    """More tiles than the player can have on the rack (R4.9)."""
    BAG_TOO_SMALL = auto()
    """The bag holds too few tiles for an exchange (R9.2)."""
    NOTHING_EXCHANGED = auto()
    """An exchange of no tile, which is none by these rules (R9.3)."""
    COUNT_DISAGREES = auto()
    """The number of tiles is not that of the tiles named, or not that of the tiles to draw (R3.3, R9.4)."""
    NOT_IN_SET = auto()
    """A tile that the set does not have, or not so many of beside those on the board (R1.2)."""
    MOVE_CLOSED = auto()
    """The move was closed already (R3.4, R8.2)."""
    WRONG_ORDER = auto()
    """Drawn before noting, or noted before drawing, against what was agreed (R3.5)."""
    BLANK_OPEN = auto()
    """A blank's letter was not named before the move was closed, or before a word with it is looked up (R6.3)."""
    OWN_MOVE = auto()
    """Nobody challenges the own move (R8.9)."""
    MAY_NOT_CHALLENGE = auto()
    """By these rules only the next player challenges; or a challenger is named twice, or none (R8.9)."""
    NO_WORD_NAMED = auto()
    """A challenge has to name its words (R8.8)."""
    WORD_NOT_FORMED = auto()
    """The move forms no such word (R8.8, R12.3)."""
    VERDICT_MISSING = auto()
    """Not all words that decide the challenge were looked up (R8.13)."""
    NO_THEME = auto()
    """Theme words, but no bonus for them was agreed (R12.3)."""
    NOT_AGREED = auto()
    """Another score than the computed one counts only when all agree, as does any once the move is closed (R3.6)."""
    NO_OPEN_BLANK = auto()
    """No blank of unknown letter lies on the square; a letter once named stays (R6.2)."""
    NO_BLANK_LETTER = auto()
    """A blank cannot be this letter: ß, or no letter of the set (R6.1)."""
    NO_BLANK_REUSE = auto()
    """Swapping blanks was not agreed (R12.1)."""
    NOT_THAT_BLANK = auto()
    """No blank that stands for the letter of this tile lies on the square (R12.1)."""
    DRAW_FAULTY = auto()
    """A round of the draw in which somebody is missing, or a tile that cannot be; or after the first turn (R2)."""
    NOT_OVER = auto()
    """Racks are settled at the end of the game (R11)."""
    RACKS_IMPOSSIBLE = auto()
    """The racks shown, the board and the set do not go together (R1.2)."""
    SETTLED_BEFORE = auto()
    """The racks, or the time of this player, were settled already."""
    BAD_CORRECTION = auto()
    """An event can only be replaced by one that happens at the table."""
    NOTHING_TO_UNDO = auto()
    NOTHING_TO_REDO = auto()
    NO_TIME = auto()
    """Less than no seconds, or no number of them."""


IMPOSSIBLE = (
    EventFault.NO_SUCH_PLAYER
    | EventFault.NO_SUCH_MOVE
    | EventFault.TAKEN_BACK_BEFORE
    | EventFault.NO_OPEN_BLANK
    | EventFault.NO_BLANK_LETTER
    | EventFault.NOT_THAT_BLANK
    | EventFault.NO_WORD_NAMED
    | EventFault.VERDICT_MISSING
    | EventFault.BAD_CORRECTION
    | EventFault.NOTHING_TO_UNDO
    | EventFault.NOTHING_TO_REDO
    | EventFault.NO_TIME
)
"""Faults of an event that can have no effect: there is nothing it could be about, or nothing to decide it by."""
