"""What was kept of a camera as a strip of single frames, for files that have no script to play it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TypeVar

from assistant.store.rows import Row
from assistant.web.live import MOST_CLIPS
from assistant.web.live_wire import LONGEST_NAME
from assistant.web.view import clip_frames

T = TypeVar("T")

MOST_STILLS = 120
"""Frames of a clip that are shown. What this program keeps has at most 90, an archive from elsewhere any number."""

PRINTED_STILLS = 12
"""Frames of a clip on paper: one page, each large enough to make out the tiles."""

STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600)
"""Seconds between the places of a strip to which one can jump."""

MOST_JUMPS = 7
"""Such places beside the beginning."""


@dataclass(frozen=True)
class Still:
    """A frame, and those after it that are the same byte by byte.

    digest:  SHA-256 of the original
    number:  of the first in the clip, from 1; count: how many are the same
    at, until: seconds of the first and the last of them since the clip's first
    printed: whether it is one of those on paper
    """

    digest: str
    number: int
    count: int
    at: float
    until: float
    printed: bool = False


@dataclass(frozen=True)
class Strip:
    """A clip as it is shown.

    number:  of its row; time: of day when it was kept; who: kept it, "" for nobody known; camera: its name, "" for none
    seconds: from the first frame to the last; frames: in the clip
    thinned: whether not all that differ are among the stills; doubled: whether one of these stands for several
    jumps:   seconds and the number of the still that was to be seen then
    """

    number: int
    time: str
    who: str
    camera: str
    seconds: float
    frames: int
    stills: tuple[Still, ...]
    thinned: bool
    doubled: bool
    jumps: tuple[tuple[int, int], ...]


def strip_of(row: Row) -> Strip | None:
    """The strip of a row ``clip``; None where it says nothing that can be."""
    frames = sorted(clip_frames(row), key=lambda frame: frame[1])  # those from elsewhere may be in any order
    if row.kind != "clip" or not frames:
        return None
    first = frames[0][1]
    runs = [list(same) for _, same in groupby(enumerate(frames, 1), lambda frame: frame[1][0])]
    stills = [
        Still(digest, number, len(run), at - first, run[-1][1][1] - first)
        for run in evenly(runs, MOST_STILLS)
        for number, (digest, at) in run[:1]
    ]
    printed = {still.number for still in evenly(stills, PRINTED_STILLS)}
    camera, seconds = row.body.get("camera"), frames[-1][1] - first
    return Strip(
        row.number,
        f"{row.at.astimezone():%H:%M:%S}",
        row.author.who,
        camera[:LONGEST_NAME] if isinstance(camera, str) else "",
        seconds,
        len(frames),
        tuple(Still(s.digest, s.number, s.count, s.at, s.until, s.number in printed) for s in stills),
        len(runs) > len(stills),
        any(still.count > 1 for still in stills),
        _jumps(stills, seconds),
    )


def strips_of(rows: Iterable[Row]) -> tuple[list[Strip], int]:
    """The strips of clips, the first 20 of them, and how many clips there are beyond."""
    good = (row for row in rows if row.kind == "clip" and clip_frames(row))
    strips = [strip for row in islice(good, MOST_CLIPS) if (strip := strip_of(row))]
    return strips, sum(1 for _ in good)


def evenly(all_: Sequence[T], most: int) -> list[T]:
    """At most so many of them, evenly chosen, the first and the last among them. most: 2 or more"""
    if len(all_) <= most:
        return list(all_)
    return [all_[round(step * (len(all_) - 1) / (most - 1))] for step in range(most)]


def _jumps(stills: Sequence[Still], seconds: float) -> tuple[tuple[int, int], ...]:
    """None in a strip of which one screen shows much."""
    if len(stills) <= MOST_JUMPS:
        return ()
    step = next((step for step in STEPS if seconds <= step * MOST_JUMPS), STEPS[-1])
    jumps: dict[int, int] = {}  # second by the still, each once
    for second in range(0, int(seconds) + 1, step):
        jumps.setdefault(max(still.number for still in stills if still.at <= second), second)
    return tuple((second, number) for number, second in jumps.items()) if len(jumps) > 1 else ()
