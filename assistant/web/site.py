"""Everything the page is made of, in one place: the games, what reads photos, who is told of changes."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from assistant.store.faults import told
from assistant.store.rows import GameHead, StoreError
from assistant.store.store import Store
from assistant.table import evidence
from assistant.table.history import TableState, fold, phase
from assistant.table.session import PhotoKey, Table, Tables
from assistant.table.setup import Setup
from assistant.web.guard import Guard
from assistant.web.live import Lives
from assistant.web.page import Share
from assistant.web.pictures import cut_crops, display_copy
from assistant.web.worker import PhotoWorker
from scorer.board import Square
from scorer.errors import BrettblickError
from scorer.rules import RuleSet
from scorer.tiles import TileSet
from vision.geometry import Corners
from vision.observe import Observation

log = logging.getLogger(__name__)

T = TypeVar("T")

HEARTBEAT = 15.0
"""Seconds without news after which a stream says that it is still there."""

CLOCK_KEPT = 5.0
"""Seconds between two writings of running clocks: so much of a move's time a crash may cost."""

LOOK = 1.0
"""Seconds between two looks for changes by other processes, while somebody watches."""


Topic = Literal["version", "live"]
"""What is new of a game: the game itself, or what its camera sees."""

TOPICS: tuple[Topic, ...] = get_args(Topic)


class Hub:
    """Tells all open pages of a game that it has changed."""

    def __init__(self) -> None:
        self._news: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._told: Counter[tuple[str, Topic]] = Counter()
        self._watched: Counter[str] = Counter()
        self._closed = False

    def changed(self, game: str, topic: Topic = "version") -> None:
        """Wakes everybody who listens; to be called in the loop."""
        if game in self._watched:
            self._told[game, topic] += 1
        self._news.pop(game, asyncio.Event()).set()

    def close(self) -> None:
        """Ends all streams."""
        self._closed = True
        for game in list(self._news):
            self.changed(game)

    @property
    def watched(self) -> list[str]:
        """Games that somebody listens to."""
        return list(self._watched)

    async def listen(self, game: str) -> AsyncIterator[Collection[Topic]]:
        """What is new: everything at once, then what has changed, nothing when nothing has for a while; ends when the
        server stops."""
        self._watched[game] += 1
        try:
            news: list[Topic] = list(TOPICS)
            while not self._closed:
                event = self._news[game]
                heard = {topic: self._told[game, topic] for topic in TOPICS}
                yield news
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(HEARTBEAT):
                        await event.wait()
                news = [topic for topic in TOPICS if self._told[game, topic] != heard[topic]]
        finally:
            self._watched[game] -= 1
            if not self._watched[game]:
                del self._watched[game]
                for topic in TOPICS:
                    del self._told[game, topic]


@dataclass(frozen=True)
class Summary:
    """A game in the list of games. phase: playing, over (the racks are not settled yet) or settled."""

    version: int
    players: tuple[str, ...]
    points: tuple[int, ...]
    rules: RuleSet
    phase: str


@dataclass
class Site:
    """One running server.

    folder: of the data; what is in its folders ``incoming`` and ``pictures`` can be made again
    share:  how others come to a game, by its id; without an id to the list of games
    """

    folder: Path
    store: Store
    tables: Tables
    worker: PhotoWorker
    guard: Guard
    share: Callable[[str | None], Share] = lambda game: Share()
    hub: Hub = field(default_factory=Hub)
    lives: Lives = field(init=False)
    _under_way: dict[Any, asyncio.Future[Any]] = field(default_factory=dict)
    _told: dict[str, int] = field(default_factory=dict)
    _summaries: dict[str, Summary] = field(default_factory=dict)
    _rules: dict[RuleSet, RuleSet] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lives = Lives(self.store.put_photo)
        with told(str(self.folder)):
            for folder in (self.incoming, self.pictures):
                folder.mkdir(mode=0o700, exist_ok=True)
            for left in self.incoming.iterdir():  # of uploads that a crash cut short
                left.unlink(missing_ok=True)

    @property
    def incoming(self) -> Path:
        """Where uploads lie until they are read."""
        return self.folder / "incoming"

    @property
    def pictures(self) -> Path:
        """Copies and crops of photos."""
        return self.folder / "pictures"

    async def table(self, game: str) -> Table:
        """The game as it is now, whoever has changed it; NoSuchGame when there is none."""
        table = await asyncio.to_thread(self.tables.table, game)
        with contextlib.suppress(StoreError):  # it can still be looked at
            if await asyncio.to_thread(table.refresh):
                self.tell(table)
        return table

    def tell(self, table: Table) -> None:
        """Tells all who look at a game that it has changed; to be called in the loop."""
        self._told[table.id] = table.state.version
        self.hub.changed(table.id)

    def summary(self, head: GameHead) -> Summary:
        """How a game stands. SetupError for one that cannot be read."""
        known = self._summaries.get(head.id)
        if known is None or known.version != head.version:
            stored = self.store.load(head.id)
            table = fold(Setup.from_json(stored.head.setup), stored.rows)
            setup, state = table.setup, table.state
            rules = self._rules.setdefault(setup.rules, setup.rules)  # most games have the same
            known = Summary(table.version, setup.players, state.totals, rules, phase(state))
            self._summaries[head.id] = known
        return known

    def forget(self, game: str) -> None:
        """After a game was deleted."""
        self.tables.forget(game)
        self.lives.forget(game)
        self._summaries.pop(game, None)
        self.hub.changed(game)

    # --- photos

    async def ready(self, table: Table) -> None:
        """Reads the photos of the turn that were not read yet, as after a restart."""
        for key in table.unread():
            seen = await self._once(("read", table.id, key), lambda key=key: self._read(table, key))  # type: ignore[misc]
            table.observed(key, seen)

    async def observe(self, path: Path, tile_set: TileSet, corners: Corners | None = None) -> Observation:
        return await self.worker.observe(path, corners, tile_set)

    async def _read(self, table: Table, key: PhotoKey) -> Observation:
        digest, shares = key
        path = await asyncio.to_thread(self.store.photo, digest)
        corners = None
        if shares is not None:
            size = table.size(digest) or (await self.observe(path, table.setup.tile_set)).size
            if size is None:
                raise BrettblickError("the photo cannot be decoded any more", code="no-such-photo", photo=digest)
            corners = Corners.of([(x * size[0], y * size[1]) for x, y in shares])
        seen = await self.observe(path, table.setup.tile_set, corners)
        return replace(seen, name=digest)

    async def display(self, digest: str) -> Path:
        """A smaller copy of a photo, made when it is first asked for. NoSuchPhoto."""
        path = await asyncio.to_thread(self.store.photo, digest)
        copy = self.pictures / f"{digest}.jpg"
        if not copy.exists():
            await self._once(("copy", digest), lambda: self.worker.run(display_copy, path, copy))
        return copy

    async def crop(self, table: Table, digest: str, square: Square) -> Path:
        """One square of a photo of this game. All that may be asked for of it are cut at once. NoSuchPhoto."""
        state = table.state
        seen, squares = self._shown(table, state, digest)
        if seen is None or seen.corners is None:
            raise BrettblickError(f"no board in photo {digest[:80]}", code="no-such-photo", photo=digest[:80])
        path = await asyncio.to_thread(self.store.photo, digest)
        place = json.dumps([seen.corners.points, seen.lens_k, seen.lifted])
        stem = f"{digest}-{hashlib.sha256(place.encode()).hexdigest()[:12]}"
        wanted = self.pictures / f"{stem}-{square.row}-{square.col}.jpg"
        if not wanted.exists():
            small = replace(seen, photo=None, board=None, reading=None, turns=(), evidence=None)
            where = {one: self.pictures / f"{stem}-{one.row}-{one.col}.jpg" for one in {square, *squares}}
            await self._once(("crops", stem, square), lambda: self.worker.run(cut_crops, path, small, where))
        if not wanted.exists():
            raise BrettblickError(f"no crop of photo {digest[:80]}", code="no-such-photo", photo=digest[:80])
        return wanted

    def _shown(self, table: Table, state: TableState, digest: str) -> tuple[Observation | None, Iterable[Square]]:
        """Where the board is in a photo of the game, and which squares are of interest; None for another photo."""
        if state.pending is not None and digest in state.pending.photos:
            proposal = table.proposal()
            if proposal is not None and proposal.photo == digest and proposal.seen is not None:
                asked = proposal.question.squares if proposal.question else ()
                new = [square for _, play in proposal.laid for square in play.placement.squares]
                return proposal.seen, [*new, *asked]
            return table.seen(digest), ()
        for done in reversed(state.done):
            if done.evidence and done.evidence.get("photo") == digest:
                tiles = done.evidence.get("tiles", ())
                squares = [Square(int(row), int(col)) for row, col, *_ in tiles]
                return evidence.observation_of(done.evidence, Path(digest)), squares
        return None, ()

    async def _once(self, key: Any, job: Callable[[], Awaitable[T]]) -> T:
        """The same job is done once for all who ask for it at the same time."""
        running = self._under_way.get(key)
        if running is None:
            running = self._under_way[key] = asyncio.ensure_future(job())
            running.add_done_callback(lambda _: self._under_way.pop(key, None))
        result: T = await asyncio.shield(running)
        return result

    # --- in the background

    async def keep_clocks(self) -> None:
        """Writes running clocks down now and then, until it is cancelled."""
        while True:
            await asyncio.sleep(CLOCK_KEPT)
            try:
                await asyncio.to_thread(self.tables.keep_clocks)
            except BrettblickError as error:  # the next change tells the players
                log.warning("clocks were not kept: %s", error)

    async def look_around(self) -> None:
        """Notices what other processes change in games that somebody watches, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK)
            for game in self.lives.tidy():
                self.hub.changed(game, "live")
            watched = self.hub.watched
            self._told = {game: version for game, version in self._told.items() if game in watched}
            for game in watched:
                with contextlib.suppress(BrettblickError):
                    table = await self.table(game)
                    if self._told.get(game) != table.state.version:
                        self.tell(table)  # whoever came too late with a change of their own has seen it first
