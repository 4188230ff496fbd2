"""A recorded game from its video: the same as live, as fast as the machine reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.files import read_text
from assistant.live.game import SETTLE, LiveGame, Outcome
from assistant.live.reading import as_photo, read_look
from assistant.recount import Recount, RecountEntry
from assistant.store.rows import Author
from assistant.table.session import Table
from scorer.errors import BrettblickError
from scorer.events import Exchanged, MoveTimedOut, Passed, Withdrawn
from scorer.history import standing
from vision.board_net import BoardNet
from vision.live.eye import Eye
from vision.observe import Observation
from vision.reading import TileReader

if TYPE_CHECKING:
    from assistant.live.sources import Source

TOLD = Author("replay", "")
"""Who enters what was said at the table."""


class ToldError(BrettblickError):
    """A file of what was said at the table that cannot be used."""

    code = "bad-told-file"


@dataclass(frozen=True)
class Told:
    """Something that a player did on the page, which no picture shows.

    at:     seconds by the video's clock
    action: as in ``assistant.table.actions``, or "press": the clock
    data:   of the action
    """

    at: float
    action: str
    data: Mapping[str, Any]


def load_told(path: Path) -> tuple[Told, ...]:
    """What was said at the table, in order of time: a JSON list of ``{"at": seconds, "action": name, ...}``; ToldError
    says which entry is wrong."""
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ToldError(f"{path}: no JSON ({error})", path=path, why=f"no JSON ({error})") from error
    if not isinstance(content, list):
        raise ToldError(f"{path}: no list", path=path, why="no list")
    out = []
    for number, one in enumerate(content, 1):
        at, action = (one.get("at"), one.get("action")) if isinstance(one, dict) else (None, None)
        if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at < 1e7 or not isinstance(action, str):
            why = f"entry {number}: a time and an action are expected"
            raise ToldError(f"{path}: {why}", path=path, why=why)
        out.append(Told(float(at), action, {key: one[key] for key in one if key not in ("at", "action")}))
    return tuple(sorted(out, key=lambda one: one.at))


@dataclass(frozen=True)
class Replayed:
    """A video that was read.

    result:  the score sheet; the name of an entry's photo is the time, as in "1:02:03.4"
    times:   of its entries, seconds by the video's clock
    photos:  of its entries, by hash; "" where there is none
    seconds: of video; frames: of it; looks: how often the board was read
    """

    result: Recount
    times: tuple[float, ...]
    photos: tuple[str, ...]
    seconds: float
    frames: int
    looks: int


@dataclass(frozen=True)
class _Line:
    at: float
    entry: RecountEntry
    events: tuple[int, ...]
    photo: str = ""


def replay_video(
    source: Source,
    table: Table,
    eye: Eye,
    reader: TileReader,
    net: BoardNet,
    told: Sequence[Told] = (),
    settle: float = SETTLE,
    progress: Callable[[float], None] = lambda seconds: None,
    heard: Callable[[float, Outcome], None] = lambda seconds, outcome: None,
) -> Replayed:
    """Plays a whole source at a table as the live camera would.

    told:     what was said meanwhile; ToldError for what cannot be
    progress: called with the time of each frame; heard: with what came of each look
    """
    live, said, lines = LiveGame(table, table.keep_photo, settle=settle), list(told), []
    first = last = 0.0
    frames = looks = 0
    for frame in source.frames():
        first = frame.time if not frames else first
        last, frames = frame.time - first, frames + 1
        while said and said[0].at <= last:
            lines += _told(live, eye, said.pop(0))
        sight = eye.see(frame.pixels, last)
        if (look := sight.look) is not None:
            looks += 1
            data = as_photo(look.pixels)
            seen = read_look(data, look.place, reader, table.setup.tile_set, net)
            outcome = live.look(data, seen, last, calm_for=look.calm_for, pressed=look.pressed, reach=look.reach)
            heard(last, outcome)
            if outcome.again is not None:
                eye.again(outcome.again)
        if (booked := live.tick(last, sight.state == "calm")) is not None:
            heard(last, booked)
        progress(last)
    if not frames:
        raise BrettblickError("the source has no frame", code="no-frames", source=source.name)
    for outcome in live.finish(last):
        heard(last, outcome)
    for one in said:
        lines += _told(live, eye, one)
    result, all_lines = _score_sheet(live, table, lines)
    return Replayed(
        result, tuple(one.at for one in all_lines), tuple(one.photo for one in all_lines), last, frames, looks
    )


def _told(live: LiveGame, eye: Eye, one: Told) -> list[_Line]:
    """Does what was said; the lines of the score sheet for turns that no picture shows."""
    if one.action == "press":
        eye.press()
        return []
    table = live.table
    live.close_turn(one.action, one.at)
    before = len(table.state.done)
    request, version = f"told at {one.at:.3f} {before}", table.state.version
    try:
        table.act(one.action, one.data, author=TOLD, request=request, version=version)
    except BrettblickError as error:
        code = "told-unknown" if error.code in ("no-such-action", "bad-action") else "told-refused"
        at = clock_text(one.at)
        raise ToldError(f"{at} {one.action}: {error}", code=code, at=at, action=one.action, why=error) from error
    return [
        _Line(one.at, _turn_without_tiles(table, done.event.player), (done.number,))
        for done in table.state.done[before:]
        if isinstance(done.event, Passed | Exchanged | MoveTimedOut)
    ]


def _turn_without_tiles(table: Table, player: int) -> RecountEntry:
    return RecountEntry(Observation(""), "none", player, None, False, table.state.state.totals)


def _score_sheet(live: LiveGame, table: Table, lines: Sequence[_Line]) -> tuple[Recount, list[_Line]]:
    """What is booked, in the order of the events, and behind it what is still open, as it would count."""
    counts = {number for number, _ in standing([done.event for done in table.state.done])[0]}
    booked = [*lines, *(_Line(turn.at, turn.entry, turn.events, turn.photo) for turn in live.turns)]
    booked = [one for one in booked if counts & set(one.events)]
    booked.sort(key=lambda one: one.events)
    state = table.state.state
    back = {ref for done in table.state.done if isinstance(done.event, Withdrawn) for ref in (done.event.ref,)}
    back |= {entry.number for entry in state.plays if entry.withdrawn}
    booked = [
        replace(one, entry=replace(one.entry, withdrawn=True)) if back & set(one.events) else one for one in booked
    ]
    outlook = live.outlook()
    rest = list(zip(live.open_views(), outlook.entries, strict=True)) if outlook is not None else []
    every = [*booked, *(_Line(at, entry, (), photo) for (at, photo), entry in rest)]
    named = [replace(one, entry=_named(one.entry, clock_text(one.at))) for one in every]
    board, totals = (state.board, state.totals) if outlook is None else (outlook.board, outlook.totals)
    setup = table.setup
    checks = () if outlook is None else outlook.checks
    result = Recount(
        setup.rules, setup.tile_set, setup.players, tuple(one.entry for one in named), board, totals, checks
    )
    return result, named


def _named(entry: RecountEntry, name: str) -> RecountEntry:
    return replace(entry, observation=replace(entry.observation, name=name))


def clock_text(seconds: float) -> str:
    """A time in a video: "2:03.4", "1:02:03.4"."""
    tenths = round(seconds * 10)
    minutes, tenths = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    rest = f"{tenths // 10:02d}.{tenths % 10}"
    return f"{hours}:{minutes:02d}:{rest}" if hours else f"{minutes}:{rest}"
