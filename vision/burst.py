"""Several photos of one position: which photos are that, and one reading of them.

A player who is not sure of a photo takes another one at once. What a hand hides in the one the other shows, and a lamp
that burns out a square moves with the phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.observe import Observation
from vision.reading import BLANK, COVERED, EMPTY, MISREAD, BoardReading

BURST_SECONDS = 3.0
"""Photos taken no further apart show one position. Pressing the button again takes a second or two; a move takes more:
even in a game laid only to be photographed no two photos of different positions were less than nine seconds apart."""

CLEARLY = 0.95
"""Probability from which a photo shows clearly whether there is a tile, against another one."""

RATHER = 0.8
"""Probability from which one photo's contradiction makes a square suspect. On 58 rendered bursts of three, 0.95 left 5
squares silently wrong and 0.8 left 4, for 18 more doubts."""

SHARE = 0.5
"""What each photo beside the surest one counts. The photos are not independent: what makes a tile look like another one
is mostly on all of them. Of 0.15 to 1 it gives the best likelihoods and the fewest wrong squares on rendered bursts."""


def bursts(observations: Sequence[Observation]) -> tuple[tuple[int, ...], ...]:
    """The numbers of the photos in groups that show one position each; every photo is in one group, most are alone.

    A photo belongs to the one before it when it is the same file, or was taken within BURST_SECONDS and shows no tile
    where that showed none, nor the other way round. Letters do not count: nobody swaps tiles in three seconds, so one
    of the two is misread. Times are used only where they are those of a game (`clocked`).
    """
    by_clock = clocked(observations)
    groups: list[list[int]] = []
    for number, seen in enumerate(observations):
        before = observations[number - 1] if number else None
        joins = before is not None and (
            same_file(before, seen)
            or (by_clock and _close(before, seen) and not any(differ(observations[k], seen) for k in groups[-1]))
        )
        if joins:
            groups[-1].append(number)
        else:
            groups.append([number])
    return tuple(map(tuple, groups))


def clocked(observations: Sequence[Observation]) -> bool:
    """Whether the times of the photos are those of a game, in this order.

    They are not where they go backwards, nor where photos that clearly differ are as close as no two moves are: most
    of those that are close, or any where all are of the same second. Such times are of copying or saving.
    """
    timed = [pair for pair in pairwise(observations) if pair[0].taken and pair[1].taken]
    if any(_seconds(before, after) < 0 for before, after in timed):
        return False
    close = [pair for pair in timed if _close(*pair) and not same_file(*pair)]
    differing = sum(differ(*pair) for pair in close)
    one_second = len({seen.taken.replace(microsecond=0) for seen in observations if seen.taken}) == 1
    return not (one_second and differing) and differing <= len(close) / 2


def seconds_between(observations: Sequence[Observation]) -> tuple[float | None, ...]:
    """Seconds since the photo before, for each photo; None where that is not known, nowhere where the times are not
    those of a game (`clocked`)."""
    if not clocked(observations):
        return (None,) * len(observations)
    known = [pair[0].taken is not None and pair[1].taken is not None for pair in pairwise(observations)]
    gaps = [_seconds(*pair) if yes else None for pair, yes in zip(pairwise(observations), known, strict=True)]
    return (None, *gaps)[: len(observations)]


def by_time(observations: Sequence[Observation]) -> tuple[int, ...] | None:
    """The numbers of the photos in the order in which they were taken; None where that is the given order or is not
    known: a photo says no time, the times are not those of a game, or more tiles would vanish from photo to photo."""
    if not all(seen.taken for seen in observations):
        return None
    order = tuple(sorted(range(len(observations)), key=lambda k: (observations[k].taken, k)))
    ordered = [observations[k] for k in order]
    if order == tuple(range(len(order))) or not clocked(ordered) or _vanished(ordered) > _vanished(observations):
        return None
    return order


def by_tiles(observations: Sequence[Observation]) -> tuple[int, ...] | None:
    """The numbers of the photos in the order that their tiles speak for; None where that is the given order, where the
    photos say that they were taken in the given one, or where the tiles tell nothing.

    Tiles that vanish and lie there again speak for another order: that of how many tiles there are, if none vanish in
    it; else with those photos changed over with the next one after which none vanish there. Tiles that vanish once were
    taken back. Those that name the players are not looked at.
    """
    if all(seen.taken for seen in observations) and clocked(observations):
        return None
    known = [seen.reading if not seen.turns else None for seen in observations]
    counts: list[int] = []
    for reading in known:
        printed = _tile_or_none(reading, CLEARLY, BLANK)[0].sum() if reading is not None else (counts or [0])[-1]
        counts.append(int(printed))
    order = sorted(range(len(counts)), key=lambda k: (counts[k], k))

    def lost(before: int, after: int) -> int:
        return len(_gone(a, b)) if (a := known[before]) is not None and (b := known[after]) is not None else 0

    def grows(before: int, after: int) -> bool:
        a, b = known[before], known[after]
        return not lost(before, after) and (a is None or b is None or not other_letters(a, b))

    readable = [k for k in order if known[k] is not None]
    names = {k for k, after in pairwise(readable) if counts[k] <= MOST_INITIALS and not grows(k, after)}
    kept = [k for k in readable if k not in names]
    given = sorted(kept)
    back = [pair for pair in pairwise(given) if lost(*pair) > 1]
    if all(grows(*pair) for pair in pairwise(kept)):
        again = any(
            min(counts[k], counts[pair[0]]) - counts[pair[1]] > 1 for pair in back for k in given if k > pair[1]
        )
        return tuple(order) if again or len(back) > 1 else None
    order = list(range(len(counts)))
    for first, before, after, last in zip(given, given[1:], given[2:], given[3:], strict=False):
        if (before, after) in back and grows(first, after) and grows(after, before) and grows(before, last):
            order[before], order[after] = after, before
    return tuple(order) if order != list(range(len(counts))) else None


MOST_INITIALS = 5
"""Tiles that name the players, at most."""


def burst_reading(observations: Sequence[Observation]) -> BoardReading | None:
    """One reading of the photos of one position, in the turn of those that are sure of it; None where none was read.

    A photo in doubt about its turn or its grid has a say only where there is no better one, or, of the turn, where
    what it shows in the turn it was read in is what a better one shows.
    """
    read = [seen for seen in observations if seen.reading is not None]
    readings = [seen.reading for seen in read if seen.reading and not {"turn-unsure", "grid-unsure"} & {*seen.warnings}]
    if not readings:
        return read[0].reading if read else None
    # these are suspect only for their turn, and that the others know
    turned = [seen.turns[0] for seen in read if seen.turns and "grid-unsure" not in seen.warnings]
    return fused([*readings, *(reading for reading in turned if reading.rows == readings[0].rows)])


def fused(readings: Sequence[BoardReading]) -> BoardReading:
    """One reading of several of the same position, in the same turn; ValueError for none or for different classes.

    For each square the surest photo counts in full, each other one by SHARE; a photo in which the square is covered
    says nothing of it, and it stays covered only where it is in all of them. No square is surer than in the surest
    photo alone: five equal doubts are not a certainty. It is suspect where a photo shows something else than all
    together, sure enough, and where one suspects it, unless another shows without doubt what all together say.
    """
    if not readings:
        raise ValueError("no readings")
    first = readings[0]
    if any(reading.classes != first.classes for reading in readings):
        raise ValueError("readings of different classes")
    if len(readings) == 1:
        return first
    covered = first.index[COVERED]
    probs = np.exp(np.stack([reading.log_probs for reading in readings]).astype(np.float64))
    foreign = np.maximum(1 - probs.sum(axis=-1, keepdims=True), 1e-9)
    probs = np.concatenate([probs, foreign], axis=-1)  # (n, 15, 15, K + 1)
    hidden = probs[..., covered, None].copy()
    probs[..., covered] = 0
    # a photo says as much of a square as it sees of it; its misreadings go to all classes alike
    said = np.log((1 - MISREAD) * probs / np.maximum(1 - hidden, 1e-9) + MISREAD / len(first.classes)) * (1 - hidden)
    said[..., covered] = -np.inf
    surest = probs.max(axis=-1).argmax(axis=0)[None, ..., None]
    weights = np.full((*probs.shape[:3], 1), SHARE)
    np.put_along_axis(weights, surest, 1.0, axis=0)
    total = (said * weights).sum(axis=0)
    together = np.exp(total - np.logaddexp.reduce(total, axis=-1, keepdims=True))
    least_hidden = hidden.min(axis=0)
    best = together.argmax(axis=-1)[..., None]
    alone = np.take_along_axis(probs.max(axis=0), best, axis=-1) / np.maximum(1 - least_hidden, 1e-9)
    top = np.take_along_axis(together, best, axis=-1)
    np.put_along_axis(together, best, 0.0, axis=-1)
    limited = np.minimum(top, alone)
    together *= (1 - limited) / np.maximum(together.sum(axis=-1, keepdims=True), 1e-300)
    np.put_along_axis(together, best, limited, axis=-1)
    together *= 1 - least_hidden
    together[..., covered] = least_hidden[..., 0]
    log_probs = np.log(np.maximum(together[..., :-1], 1e-26)).astype(np.float32)
    out = BoardReading(log_probs, first.classes, max(reading.doubt_below for reading in readings))
    shown = {
        square
        for reading in readings
        for square in frozenset().union(*(one.suspects for one in readings)) - reading.suspects
        if reading.confidence[square] >= reading.doubt_below
        and reading.rows[square.row][square.col] == out.rows[square.row][square.col]
    }
    suspects = frozenset().union(*(reading.suspects for reading in readings)) - shown
    return out.suspecting(suspects | _disputed(readings, out))


def _disputed(readings: Sequence[BoardReading], out: BoardReading) -> frozenset[Square]:
    """Squares on which a photo shows, sure enough, something else than all together: another print, or a tile and
    none."""
    against = [
        (reading.confidence >= RATHER) & (np.array([*map(list, reading.rows)]) != np.array([*map(list, out.rows)]))
        for reading in readings
    ]
    tile, none = (np.any(kind, axis=0) for kind in zip(*(_tile_or_none(one, RATHER) for one in readings), strict=True))
    return _squares(np.any(against, axis=0) | tile & none)


def _tile_or_none(
    reading: BoardReading, least: float, besides: str = ""
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(15, 15) where there is a tile and where there is none, with that probability at least; a tile of whatever print,
    `besides` these classes."""
    probs = np.exp(reading.log_probs.astype(np.float64))
    no_tile = probs[..., [reading.index[char] for char in (EMPTY, COVERED, *besides)]].sum(axis=-1)
    return 1 - no_tile >= least, probs[..., reading.index[EMPTY]] >= least


def _squares(mask: NDArray[np.bool_]) -> frozenset[Square]:
    return frozenset(Square(int(row), int(col)) for row, col in np.argwhere(mask))


def same_file(one: Observation, other: Observation) -> bool:
    """Whether both are of one file, byte by byte."""
    return bool(one.digest) and one.digest == other.digest


def _seconds(before: Observation, after: Observation) -> float:
    assert before.taken and after.taken
    return (after.taken - before.taken).total_seconds()


def _close(before: Observation, after: Observation) -> bool:
    return bool(before.taken and after.taken) and abs(_seconds(before, after)) <= BURST_SECONDS


def differ(one: Observation, other: Observation) -> bool:
    """Whether one of two photos clearly shows a tile where the other clearly shows none, whichever turns they are in;
    False where one shows nothing."""
    pairs = [(a, b) for a in _readings(one) for b in _readings(other)]
    return bool(pairs) and all(_gone(a, b) or _gone(b, a) for a, b in pairs)


def _readings(seen: Observation) -> Iterable[BoardReading]:
    if seen.reading is None:
        return ()
    return seen.turns or (seen.reading,)


def _gone(before: BoardReading, after: BoardReading) -> frozenset[Square]:
    """Squares with a printed tile in one reading and no tile in the other, clear and unsuspected in both. Of blanks
    nothing is said: that is what photos of one position contradict each other in, and no move is of blanks alone."""
    printed, none = _tile_or_none(before, CLEARLY, BLANK)[0], _tile_or_none(after, CLEARLY)[1]
    return _squares(printed & none) - before.suspects - after.suspects


def other_letters(before: BoardReading, after: BoardReading) -> frozenset[Square]:
    """Squares with another letter in each reading, clear and unsuspected in both."""
    letters = [np.array([*map(list, reading.rows)]) for reading in (before, after)]
    printed = [_tile_or_none(one, CLEARLY, BLANK)[0] & (one.confidence >= CLEARLY) for one in (before, after)]
    return _squares(printed[0] & printed[1] & (letters[0] != letters[1])) - before.suspects - after.suspects


def _vanished(observations: Sequence[Observation]) -> int:
    """Tiles that are there in a photo and not in the next one, over all that are sure of their turn."""
    known = [seen.reading for seen in observations if seen.reading is not None and not seen.turns]
    return sum(len(_gone(before, after)) for before, after in pairwise(known))
