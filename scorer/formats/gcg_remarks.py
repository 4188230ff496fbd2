"""What German rules need and GCG has no words for: lines our writer adds to notes, which our reader takes out again.

Other programs show them as part of a note. Each starts with a mark; a note of a person that happens to start with it is
written with a backslash before it. The lines stand behind the first event when they are about the whole game, behind
their event when they are about one, except that of a rejected challenge, which stands before its event: programs that
do not know that kind of line then take it for more of the note, instead of refusing the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MARK = "[record] "
_ESCAPED = re.compile(r"\\+\[record\] ")
_ESCAPABLE = re.compile(r"\\*\[record\] ")

_COLUMNS_ARE_LETTERED = "columns are lettered"
_WHO_IS_LETTERED_ASSUMED = "whether rows or columns are lettered was assumed"
_EXCHANGE_OF_UNKNOWN_SIZE = "exchange, number of tiles not recorded"
_PLAYERS = "a game of {count}; many programs read games of two only"
_RACKS = "rack not recorded, known tiles only: "
_BLANKS = "letter of a blank not recorded: "
_ALL = "all moves"
_CHALLENGED_BY = "challenged by "
_TAKES_BACK = "takes back move "
_REJECTED = "challenge rejected, the challenger pays"

_NUMBERS = r"(all moves|moves [0-9]{1,6}(?:-[0-9]{1,6})?(?: [0-9]{1,6}(?:-[0-9]{1,6})?)*)"
_PATTERN = re.compile(
    rf"(?P<columns>{_COLUMNS_ARE_LETTERED})"
    rf"|(?P<assumed>{_WHO_IS_LETTERED_ASSUMED})"
    rf"|(?P<exchange>{_EXCHANGE_OF_UNKNOWN_SIZE})"
    r"|(?P<players>a game of [34]; many programs read games of two only)"
    rf"|{_RACKS}(?P<racks>{_NUMBERS})"
    rf"|{_BLANKS}(?P<blanks>{_NUMBERS})"
    rf"|{_CHALLENGED_BY}(?P<by>\S+)"
    rf"|{_TAKES_BACK}(?P<takes_back>[0-9]{{1,6}})"
    rf"|(?P<rejected>{_REJECTED})(?:: move (?P<stands>[0-9]{{1,6}}) stands)?",
    re.ASCII,
)


@dataclass
class Remarks:
    """What the added lines of a file say, gathered line by line.

    columns_lettered: the columns are lettered, it is not only assumed
    assumed:          it is only assumed, whatever the file declares
    no_rack:          first and last numbers of the events whose rack was not recorded
    """

    columns_lettered: bool = False
    assumed: bool = False
    no_rack: tuple[tuple[int, float], ...] = ()

    def has_rack(self, number: int) -> bool:
        """Whether the rack that an event shows was recorded."""
        return not any(first <= number <= last for first, last in self.no_rack)


@dataclass
class EventRemarks:
    """What the added lines say of one event.

    exchange:   an exchange, though it looks like a pass
    by:         nick of the challenger of a move taken back
    takes_back: number of the move taken back, when it is not the last one
    rejected:   a challenge that was rejected; stands: number of the move it was about, when it is not the last one
    """

    exchange: bool = False
    by: str = ""
    takes_back: int | None = None
    rejected: bool = False
    stands: int | None = None


def take_remark(line: str, game: Remarks, event: EventRemarks, following: EventRemarks) -> bool:
    """Whether a line of a note is one of the added ones; if so, what it says is noted in the other arguments."""
    match = _PATTERN.fullmatch(line[len(_MARK) :]) if line.startswith(_MARK) else None
    if match is None:
        return False
    if match["columns"]:
        game.columns_lettered = True
    elif match["assumed"]:
        game.assumed = True
    elif match["racks"]:
        game.no_rack = _runs(match["racks"])
    elif match["exchange"]:
        event.exchange = True
    elif match["by"]:
        event.by = match["by"]
    elif match["takes_back"]:
        event.takes_back = int(match["takes_back"])
    elif match["rejected"]:
        following.rejected = True
        following.stands = int(match["stands"]) if match["stands"] else None
    return True


def _runs(text: str) -> tuple[tuple[int, float], ...]:
    """First and last numbers of ``moves 1-5 7 9-12``."""
    if text == _ALL:
        return ((1, math.inf),)
    pairs = (part.partition("-") for part in text.split()[1:])
    return tuple((int(first), int(last or first)) for first, _, last in pairs)


def escaped(line: str) -> str:
    """A line of a person's note, so written that it is never taken for an added one."""
    return f"\\{line}" if _ESCAPABLE.match(line) else line


def unescaped(line: str) -> str:
    """The inverse of ``escaped``."""
    return line[1:] if _ESCAPED.match(line) else line


def columns_are_lettered() -> str:
    return _MARK + _COLUMNS_ARE_LETTERED


def who_is_lettered_assumed() -> str:
    return _MARK + _WHO_IS_LETTERED_ASSUMED


def players(count: int) -> str:
    return _MARK + _PLAYERS.format(count=count)


def exchange_of_unknown_size() -> str:
    return _MARK + _EXCHANGE_OF_UNKNOWN_SIZE


def racks_unknown(numbers: Sequence[int], every: bool) -> str:
    """every: whether no rack of the file was recorded"""
    return _MARK + _RACKS + (_ALL if every else _listed(numbers))


def blanks_unknown(numbers: Sequence[int]) -> str:
    return _MARK + _BLANKS + _listed(numbers)


def challenged_by(nick: str) -> str:
    return _MARK + _CHALLENGED_BY + nick


def takes_back(number: int) -> str:
    return _MARK + _TAKES_BACK + str(number)


def challenge_rejected(stands: int | None) -> str:
    return _MARK + _REJECTED + ("" if stands is None else f": move {stands} stands")


def _listed(numbers: Iterable[int]) -> str:
    """``moves 1-5 7 9-12``"""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return "moves " + " ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
