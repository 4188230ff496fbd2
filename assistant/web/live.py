"""Cameras that watch games: one a game, its newest frames, and the way from a look at the board to the game.

A frame comes from a program that has looked at it itself (``brettblick watch``), or from the page's own camera; then
the process that reads photos looks (``vision.live``), one frame at a time, and frames that come meanwhile are dropped.
What comes of a look is the matter of ``assistant.live.game``.

Everything here but `eye_sees` runs in the server's loop.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from assistant.live.game import SETTLE, Keep, LiveGame, Outcome
from assistant.store.rows import Author
from assistant.store.written import time_text
from assistant.table.actions import ActionError
from assistant.table.history import phase
from assistant.table.session import Table
from assistant.web.errors import WebError
from assistant.web.live_wire import Camera, Frame, Told, ToRead, trouble_of
from vision.live.sight import Sight, ViewAdvice

if TYPE_CHECKING:
    from assistant.web.site import Site

RING_SECONDS, RING_FRAMES, RING_BYTES = 30.0, 90, 24 << 20
"""How much of what a camera saw is there to be kept by "Streit!": a row of the store is about 100 photos at most."""

RING_STEP = RING_SECONDS / RING_FRAMES
"""Seconds between two of its frames, at least."""

SILENT = 10.0
"""Seconds without a frame after which a camera counts as gone: another one may take over."""

FORGOTTEN = 600.0
"""Seconds after which what a silent camera saw is thrown away."""

MOST_CAMERAS = 8
"""Games that are watched at once by one server."""

MOST_CLIPS = 20
"""Of a game."""

TELL_STEP = 0.3
"""Seconds between two messages to the pages while nothing changes but the picture."""

PASSING = frozenset({"nothing", "wait"})
"""Outcomes of looks that nobody has to be told of."""

ENDED = "ended"
"""Trouble of a camera that somebody has stopped."""

EYES = 4
"""Games of page cameras whose state is kept in the process that looks."""

SIDE = 1280
"""A frame of a page's camera is decoded so that its longer side is this or more, pixels; most are of just this size."""

LOOK_AGAIN = 2.0
"""Seconds after which a look that failed is tried again."""


@dataclass
class Live:
    """The camera of a game.

    game:     what it does in it
    at:       when the newest frame came (``time.monotonic``)
    time:     of that frame, seconds by the source
    number:   of frames so far
    ring:     (when, JPEG), the oldest first
    told:     what was seen last
    advice:   how good the view is, as far as that was measured
    trouble:  what its program says is wrong with it
    pressed:  a player has pressed the clock since the last frame
    again:    for the next answer: look again when it has been calm for so many seconds
    outcome:  of the last look; news: the last one that people want to know of, and when it came
    looking:  our own eye looks at a frame; reading: a picture is being read
    """

    camera: Camera
    game: LiveGame
    at: float
    time: float = 0.0
    number: int = 0
    size: tuple[int, int] = (0, 0)
    ring: deque[tuple[float, bytes]] = field(default_factory=deque)
    newest: bytes = b""
    told: Told | None = None
    advice: ViewAdvice | None = None
    trouble: str | None = None
    pressed: bool = False
    again: float | None = None
    outcome: Outcome | None = None
    news: Outcome | None = None
    news_at: float = 0.0
    looking: bool = False
    reading: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    shown: Any = None
    shown_at: float = 0.0

    def take(self, frame: Frame, now: float) -> None:
        """A frame that came just now."""
        self.at, self.time, self.size, self.newest = now, frame.time, frame.size, frame.jpeg
        self.number, self.trouble = self.number + 1, None
        ring = self.ring
        if not ring or now - ring[-1][0] >= RING_STEP:
            ring.append((now, frame.jpeg))
        while len(ring) > RING_FRAMES or now - ring[0][0] > RING_SECONDS or sum(map(_size, ring)) > RING_BYTES:
            ring.popleft()

    def silent(self, now: float) -> bool:
        """Whether it has sent nothing for a while."""
        return now - self.at > SILENT

    @property
    def books_in(self) -> float | None:
        """Seconds until what is proposed is booked; None when nothing is."""
        at = self.game.settles_at
        return None if at is None else max(0.0, at - self.time)


def _size(one: tuple[float, bytes]) -> int:
    return len(one[1])


class Lives:
    """The cameras of all games.

    keep:   stores a photo
    clock:  seconds that never go back
    settle: for which a sure move is only proposed, seconds
    """

    def __init__(self, keep: Keep, clock: Callable[[], float] = time.monotonic, settle: float = SETTLE) -> None:
        self._keep, self.clock, self.settle = keep, clock, settle
        self._kept: dict[str, Live] = {}

    def __iter__(self) -> Iterator[tuple[str, Live]]:
        return iter(list(self._kept.items()))

    def of(self, game: str) -> Live | None:
        """The camera that watches a game, or did a while ago; None for none."""
        return self._kept.get(game)

    def claim(self, table: Table, camera: Camera) -> Live:
        """The state of this game's camera, for the one that sends just now. WebError ``already-watched`` while another
        one sends, ``too-many-cameras``; ActionError for a game that is settled."""
        if phase(table.state.state) == "settled":
            raise ActionError("the game is settled", code="game-settled")
        now, live = self.clock(), self._kept.get(table.id)
        if live is not None and live.camera.source != camera.source:
            if not live.silent(now) and live.trouble is None:
                raise WebError("another camera watches", code="already-watched", name=live.camera.name)
            # another clock: what the game was told of times by the last one means nothing any more
            live = self._kept[table.id] = Live(
                camera, self._game(table), now, 0.0, live.number, live.size, live.ring, live.newest
            )
        if live is None:
            self._make_room(now)
            live = self._kept[table.id] = Live(camera, self._game(table), now)
        if live.game.table is not table:  # it was not used for so long that it was loaded anew
            live.game = self._game(table)
        return live

    def _game(self, table: Table) -> LiveGame:
        return LiveGame(table, self._keep, settle=self.settle)

    def _make_room(self, now: float) -> None:
        if len(self._kept) < MOST_CAMERAS:
            return
        game, oldest = min(self._kept.items(), key=lambda one: (one[1].trouble != ENDED, one[1].at))
        if oldest.trouble != ENDED and not oldest.silent(now):
            raise WebError(f"{MOST_CAMERAS} cameras already", code="too-many-cameras", most=MOST_CAMERAS)
        del self._kept[game]

    def press(self, game: str) -> None:
        """A player has pressed the clock."""
        if live := self._kept.get(game):
            live.pressed = True

    def forget(self, game: str) -> None:
        """Nothing of a camera is kept any longer."""
        self._kept.pop(game, None)

    def tidy(self) -> list[str]:
        """Throws away what is old; the games whose camera fell silent since the last call."""
        now, out = self.clock(), []
        for game, live in self:
            if now - live.at > FORGOTTEN:
                del self._kept[game]
            if live.silent(now) and live.shown_at <= live.at + SILENT:
                live.shown_at = now
                out.append(game)
        return out


# --- a frame ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """What a camera is told, see ``live_wire``."""

    press: bool = False
    again: float | None = None
    outcome: Outcome | None = None
    stop: bool = False
    dropped: bool = False


async def take_frame(site: Site, table: Table, frame: Frame) -> Answer:
    """Does all that a frame makes necessary. Errors as `Lives.claim` and the reading raise them; WebError for a time
    that goes back."""
    live = site.lives.claim(table, frame.camera)
    if frame.time < live.time:
        raise WebError("the time of a frame goes back", code="bad-request")
    live.take(frame, site.lives.clock())
    if frame.told is not None:
        look = frame.look
        _seen(site, table, live, frame.told)
    elif live.looking:
        return Answer(dropped=True)
    else:
        look = await _page_eye(site, table, live, frame)
    outcome = await _look(site, table, live, look) if look is not None else await _tick(site, table, live)
    stop = phase(table.state.state) == "settled"
    if frame.told is None:  # our own eye is told with the next frame
        return Answer(outcome=outcome, stop=stop)
    press, again = live.pressed, live.again
    live.pressed, live.again = False, None
    return Answer(press, again, outcome, stop)


def _seen(site: Site, table: Table, live: Live, told: Told) -> None:
    live.told, live.advice = told, told.advice or live.advice
    tell_live(site, table, live)


async def _page_eye(site: Site, table: Table, live: Live, frame: Frame) -> ToRead | None:
    """Looks at a frame of a page's camera; what is to be read now."""
    live.looking = True
    pressed, again = live.pressed, live.again
    live.pressed, live.again = False, None
    key = f"{table.id} {frame.camera.source}"
    try:
        told, look = await site.worker.run(eye_sees, key, frame.jpeg, frame.time, pressed, again)
    except BaseException:
        live.pressed, live.again = live.pressed or pressed, again
        raise
    finally:
        live.looking = False
    _seen(site, table, live, told)
    return look


async def _look(site: Site, table: Table, live: Live, look: ToRead) -> Outcome:
    """Reads a picture and tells the game what it shows."""
    async with live.lock:
        live.reading = True
        tell_live(site, table, live)
        before = table.state.version
        incoming = site.incoming / secrets.token_hex(16)
        try:
            await asyncio.to_thread(incoming.write_bytes, look.jpeg)
            seen = await site.worker.observe(incoming, None, table.setup.tile_set, known=look.place)
            await site.ready(table)
            outcome = await asyncio.to_thread(
                live.game.look,
                look.jpeg,
                seen,
                look.time,
                calm_for=look.calm_for,
                pressed=look.pressed,
                reach=look.reach,
            )
        except BaseException:
            live.again = LOOK_AGAIN
            raise
        finally:
            live.reading = False
            incoming.unlink(missing_ok=True)
        live.again = outcome.again
        return _came(site, table, live, outcome, before)


async def _tick(site: Site, table: Table, live: Live) -> Outcome | None:
    """Books what was proposed and has settled."""
    if live.lock.locked():  # a look is under way, which says more
        return None
    async with live.lock:
        before = table.state.version
        await site.ready(table)
        calm = live.told is not None and live.told.state == "calm"
        outcome = await asyncio.to_thread(live.game.tick, live.time, calm)
        if outcome is not None:
            _came(site, table, live, outcome, before)
        return outcome


def _came(site: Site, table: Table, live: Live, outcome: Outcome, before: int) -> Outcome:
    live.outcome = outcome
    if outcome.kind not in PASSING:
        live.news, live.news_at = outcome, site.lives.clock()
    if table.state.version != before:
        site.tell(table)
    tell_live(site, table, live)
    return outcome


def set_trouble(site: Site, table: Table, camera: Camera, data: dict[str, Any]) -> None:
    """What a camera's program says of its source. Errors as `Lives.claim`; WebError for no code."""
    code = trouble_of(data)
    live = site.lives.claim(table, camera)
    live.trouble, live.at = code, site.lives.clock()
    tell_live(site, table, live)


def tell_live(site: Site, table: Table, live: Live) -> None:
    """Tells the pages what the camera sees: at once what has changed, a few times a second a new picture."""
    now = site.lives.clock()
    told, outcome = live.told, live.outcome
    shown = (
        live.camera,
        told and (told.state, told.bumped),
        live.trouble,
        live.reading,
        outcome and (outcome.kind, outcome.why),
        live.news_at,
        table.state.version,
    )
    if shown != live.shown or now - live.shown_at >= TELL_STEP:
        live.shown, live.shown_at = shown, now
        site.hub.changed(table.id, "live")


# --- what is kept -------------------------------------------------------------------------------------------------


async def keep_clip(site: Site, table: Table, author: Author, request: str) -> int:
    """Keeps the last 30 seconds with the game; the number of the row. WebError ``nothing-to-keep``; ActionError for too
    many of a game."""
    live = site.lives.of(table.id)
    ring = list(live.ring) if live is not None else []
    if site.store.has_taken(table.id, request):
        return max((row.number for row in table.rows if row.kind == "clip"), default=0)
    if live is None or not ring:
        raise WebError("no camera has seen anything", code="nothing-to-keep")
    if sum(row.kind == "clip" for row in table.rows) >= MOST_CLIPS:
        raise ActionError("too many clips", code="too-many-clips", most=MOST_CLIPS)
    ended = datetime.now(UTC) - timedelta(seconds=site.lives.clock() - ring[-1][0])
    name = live.camera.name
    row = await asyncio.to_thread(_kept, site, table, ring, ended, name, author, request)
    site.tell(table)
    return row


def _kept(
    site: Site,
    table: Table,
    ring: Sequence[tuple[float, bytes]],
    ended: datetime,
    name: str,
    author: Author,
    request: str,
) -> int:
    first = ring[0][0]
    frames = [(site.store.put_photo(jpeg), round(at - first, 2)) for at, jpeg in ring]
    body = {"at": time_text(ended), "seconds": frames[-1][1], "camera": name, "frames": [list(one) for one in frames]}
    return table.keep_clip(body, tuple(dict.fromkeys(digest for digest, _ in frames)), author=author, request=request)


# --- in the process that looks ------------------------------------------------------------------------------------

_eyes: OrderedDict[str, Any] = OrderedDict()


def eye_sees(key: str, jpeg: bytes, at: float, pressed: bool, again: float | None) -> tuple[Told, ToRead | None]:
    """What a frame of a page's camera shows to an eye that has seen the ones before, and what is to be read now. A job
    for the process that reads photos; PhotoError for what cannot be decoded.

    key: of the camera and its game; pressed, again: what the eye is told before (``vision.live.eye``)
    """
    from assistant.live.reading import as_photo
    from assistant.web.worker import own_net
    from vision.live.eye import Eye
    from vision.locate_learned import LearnedLocator
    from vision.photo import decode

    photo = decode(jpeg, side=SIDE)
    eye = _eyes.pop(key, None) or Eye(LearnedLocator(own_net()))
    if pressed:
        eye.press()
    if again is not None:
        eye.again(again)
    sight: Sight = eye.see(photo.pixels, at)  # an eye that raises is not kept: the next frame begins anew
    _eyes[key] = eye
    while len(_eyes) > EYES:
        _eyes.popitem(last=False)
    corners = None if sight.place is None else sight.place.corners.scaled(1 / photo.scale)
    told = Told(sight.state, corners, sight.calm_for, sight.bumped, sight.advice)
    look = sight.look
    if look is None:
        return told, None
    return told, ToRead(as_photo(look.pixels), look.time, look.calm_for, look.pressed, look.place, look.reach)
