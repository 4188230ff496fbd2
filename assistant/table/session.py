"""A game at the table while it is played: its state, its clock, the photos of the turn, and the way to the store.

Several phones act at once. Every change says which version of the game its phone had seen, and only one on the present
version is taken; the store decides, in one transaction.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from assistant.store.rows import Author, Conflict, NewRow, Row, StoredGame
from assistant.store.store import Store
from assistant.table import clockwork
from assistant.table.actions import ActionError, Given, perform
from assistant.table.history import Shares, TableState, fold, phase
from assistant.table.proposals import Means, Proposal, first_proposal, propose
from assistant.table.setup import Setup
from scorer.adjudication import Referee
from scorer.clock import MS_PER_SECOND, Clock
from scorer.errors import BrettblickError
from scorer.letter_model import Prior, prior_of
from scorer.rules import WordAuthority
from scorer.tiles import GERMAN_102
from vision.observe import Observation
from vision.reading import TileReader

PhotoKey = tuple[str, Shares | None]
"""A photo by its hash, and the corners set by hand in it, None where there are none."""

MOST_PHOTOS = 12
"""Photos of one turn; more are a mistake."""


MOST_ROWS = 2000
"""Rows of one game; a long one has three hundred. To count a game takes the square of its length."""

MOST_PRESSES = 100
"""Requests to the clock that are remembered, so that one that a phone repeats is done once."""


class PhotosUnread(BrettblickError):
    """The photos of the turn were not read yet, as after a restart; details: none. The caller reads them."""

    code = "photos-unread"


@dataclass(frozen=True)
class Engines:
    """What reads tiles. model: fingerprint of its weights, "" for another reader."""

    reader: TileReader
    model: str = ""


def monotonic() -> int:
    """Milliseconds from anywhere."""
    return time.monotonic_ns() // 1_000_000


class Table:
    """One game. Its methods may be called from any thread.

    now: gives milliseconds, from the same origin at each call
    """

    def __init__(self, store: Store, game: str, engines: Engines, now: Callable[[], int] = monotonic) -> None:
        self.id, self._store, self._engines, self._now = game, store, engines, now
        self._lock = threading.RLock()
        self._seen: dict[PhotoKey, Observation] = {}
        self._proposed: tuple[int, Proposal | None] | None = None
        self._pressed: deque[str] = deque(maxlen=MOST_PRESSES)
        stored = store.load(game)
        self.setup = Setup.from_json(stored.head.setup)
        self._referee: Referee | None = None
        self._prior: Prior | None = None
        self._take(stored)
        self._clock = Clock.for_players(len(self.setup.players), self.setup.rules)
        if stored.clock is not None:
            self._clock = Clock.from_json(stored.clock, self.setup.rules).rebased(now())
            if self._clock.running is not None and not self._clock.paused:
                self._clock = self._clock.pause(now())  # nobody knows how long the machine was off

    # --- what there is

    @property
    def state(self) -> TableState:
        """The game as it is now."""
        return self._state

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._rows

    def clock(self) -> tuple[Clock, int]:
        """The clock, and now in its time."""
        return self._clock, self._now()

    @property
    def clock_runs(self) -> bool:
        """Whether time passes for somebody, or for a challenge."""
        clock = self._clock
        return not clock.paused and (clock.running is not None or clock.announced is not None)

    @property
    def means(self) -> Means:
        """What proposals and challenges are decided with."""
        with self._lock:
            if self._referee is None or self.setup.rules.word_authority is WordAuthority.TABLE:
                try:
                    self._referee = self.setup.referee(self._state.state)
                except BrettblickError:  # the game goes on all the same; see `lists_differ`
                    self._referee = self.setup.without_lists()
            if self._prior is None and self.setup.tile_set.letters == GERMAN_102.letters:
                from assistant.lexicon.german import letter_model

                self._prior = prior_of(letter_model(), self.setup.rules, self._referee)
            return Means(self._referee, self._engines.reader, self._prior)

    @property
    def lists_differ(self) -> bool:
        """Whether the word lists are no longer those that were agreed on: gone, or of another edition."""
        return self.means.referee.lists != self.setup.word_lists

    def refresh(self) -> bool:
        """Looks whether another process has changed the game; whether it had."""
        with self._lock:
            if self._store.head(self.id).version == self._state.version:
                return False
            self._take(self._store.load(self.id))
            return True

    def unread(self) -> list[PhotoKey]:
        """Photos of the turn that have to be read before there is a proposal."""
        with self._lock:
            return [key for key in self._keys(self._state) if key not in self._seen]

    def observed(self, key: PhotoKey, seen: Observation) -> None:
        """Keeps what a photo shows, as long as it is of the turn."""
        with self._lock:
            self._seen[key] = seen
            self._proposed = None

    def keep_photo(self, data: bytes) -> str:
        """Stores a photo, of this game or not yet, and gives its hash."""
        return self._store.put_photo(data)

    def seen(self, digest: str) -> Observation | None:
        """What a photo of the turn shows; None when it was not read."""
        with self._lock:
            keys = [key for key in self._keys(self._state) if key[0] == digest]
            return self._seen.get(keys[0]) if keys else None

    def size(self, digest: str) -> tuple[int, int] | None:
        """Width and height of a photo of the turn, as far as it was read."""
        with self._lock:
            return next((seen.size for (one, _), seen in self._seen.items() if one == digest and seen.size), None)

    def proposal(self) -> Proposal | None:
        """The proposal of the turn, None when there is none. PhotosUnread when photos have to be read first."""
        with self._lock:
            if self._proposed is None or self._proposed[0] != self._state.version:
                self._proposed = self._state.version, self._propose(self._state)
            return self._proposed[1]

    # --- what is done

    def act(self, name: str, data: Mapping[str, Any], *, author: Author, request: str, version: int) -> TableState:
        """Does an action (``assistant.table.actions``) and gives the game after it.

        version: the one that the phone has seen; Conflict for another one. request: an id of this action alone; done
        once, it is not done again. Errors as ``perform`` raises them; nothing was changed then.
        """
        with self._lock:
            self.refresh()
            if self._store.has_taken(self.id, request):
                self.refresh()  # another process may have taken it just now
                return self._state
            if not self.is_present(version):
                raise Conflict(f"the game has version {self._state.version}", version=self._state.version)
            rows = perform(self._state, name, data, self._given())
            after = fold(self.setup, (*self._rows, *self._preview(rows, author)))
            if name in ("answer", "type"):
                self._propose(after)  # what says nothing that can be is refused here
            clock = clockwork.after_change(self._clock, self._state, after, self._now())
            return self._append(rows, author, request, clock)

    def add_photo(self, digest: str, name: str, *, author: Author, request: str, events: int) -> TableState:
        """A photo of the turn; it is in the store already.

        events: how many events the phone has seen; Conflict when there are more or fewer by now. ActionError while a
        challenge is open, or for too many photos of one turn.
        """
        with self._lock:
            self.refresh()
            if self._store.has_taken(self.id, request):
                self.refresh()  # another process may have taken it just now
                return self._state
            if events != len(self._state.done):
                raise Conflict(f"the game has {len(self._state.done)} events", version=self._state.version)
            if self._state.challenge is not None:
                raise ActionError("a challenge has to be decided first", code="challenge-open")
            if phase(self._state.state) == "settled":
                raise ActionError("the game is settled", code="game-settled")
            pending = self._state.pending
            if pending is not None and digest in pending.photos:  # the very same file says nothing new
                return self._state
            if pending is not None and len(pending.photos) >= MOST_PHOTOS:
                raise ActionError("too many photos of one turn", code="too-many-photos", most=MOST_PHOTOS)
            rows = [NewRow("photo", {"digest": digest, "name": name}, (digest,))]
            after = fold(self.setup, (*self._rows, *self._preview(rows, author)))
            return self._append(rows, author, request, clockwork.after_photo(self._clock, after, self._now()))

    def is_present(self, version: int) -> bool:
        """Whether the game is as it was in that version: what was kept of a camera since changes nothing of it."""
        with self._lock:
            return 0 <= version <= self._state.version and all(row.kind == "clip" for row in self._rows[version:])

    def keep_clip(self, body: Mapping[str, Any], photos: tuple[str, ...], *, author: Author, request: str) -> int:
        """Keeps what a camera saw (a row ``clip``), whatever else happens in the game; the number of its row. The
        photos are in the store already."""
        with self._lock:
            for tries in range(5):
                self.refresh()
                try:
                    self._append([NewRow("clip", body, photos)], author, request, self._clock)
                    break
                except Conflict:  # another process was quicker; it is about nothing that a change could void
                    if tries == 4:
                        raise
            return max(row.number for row in self._rows if row.kind == "clip")

    def press(self, data: Mapping[str, Any], request: str = "") -> Clock:
        """What a player does with the clock; ClockError or ActionError for what cannot be.

        request: an id of this press alone; done once, it is not done again, until the program ends: then it is paused
        """
        with self._lock:
            if request and request in self._pressed:
                return self._clock
            clock = clockwork.pressed(self._clock, self._state.state, data, self._now())
            self._store.keep_clock(self.id, clock.to_json())  # first: what could not be kept is not done
            self._clock = clock
            self._pressed.append(request)
            return clock

    def keep_clock(self) -> None:
        """Keeps the clock as it is now, so that a crash loses no more than what came after."""
        with self._lock:
            self._store.keep_clock(self.id, self._clock.count(self._now()).to_json())

    # --- inside

    def _given(self) -> Given:
        clock, now = self._clock, self._now()
        announced = clock.count(now).announced
        limited = self.setup.rules.clock_seconds
        players = range(len(self.setup.players))
        return Given(
            self.means,
            self.proposal,
            lambda: first_proposal(self._state, self._known(self._state), self.means),
            None if announced is None else announced / MS_PER_SECOND,
            tuple(clock.overtime(player, now) / MS_PER_SECOND for player in players) if limited else (),
            clock.move_timeout(now) is not None,
            self._engines.model,
        )

    def _append(self, rows: Sequence[NewRow], author: Author, request: str, clock: Clock) -> TableState:
        if self._state.version + len(rows) > MOST_ROWS:
            raise ActionError(f"more than {MOST_ROWS} rows", code="game-too-long", most=MOST_ROWS)
        kept = clock.count(self._now())
        stored = self._store.append(
            self.id, rows, expected=self._state.version, author=author, request=request, clock=kept.to_json()
        )
        self._clock = kept
        self._take(stored)
        return self._state

    def _preview(self, rows: Sequence[NewRow], author: Author) -> list[Row]:
        at, first = datetime.now(UTC), self._state.version + 1
        return [Row(number, at, author, row.kind, row.body, row.photos) for number, row in enumerate(rows, first)]

    def _take(self, stored: StoredGame) -> None:
        self._rows = stored.rows
        self._state = fold(self.setup, stored.rows)
        pending = set(self._state.pending.photos) if self._state.pending else set()
        self._seen = {key: seen for key, seen in self._seen.items() if key[0] in pending}
        self._proposed = None

    @staticmethod
    def _keys(state: TableState) -> list[PhotoKey]:
        pending = state.pending
        return [] if pending is None else [(digest, pending.corners.get(digest)) for digest in pending.photos]

    def _known(self, state: TableState) -> dict[str, Observation]:
        keys = self._keys(state)
        if any(key not in self._seen for key in keys):
            raise PhotosUnread("the photos of this turn were not read yet")
        return {key[0]: self._seen[key] for key in keys}

    def _propose(self, state: TableState) -> Proposal | None:
        return propose(state, self._known(state), self.means)


class Tables:
    """The games that are being played, the one used last kept longest.

    most: games that are kept in memory at once; those whose clock runs are kept beyond that
    """

    def __init__(self, store: Store, engines: Engines, most: int = 16, now: Callable[[], int] = monotonic) -> None:
        self.store, self._engines, self._most, self._now = store, engines, most, now
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Table] = OrderedDict()

    def table(self, game: str) -> Table:
        """The game of this id; NoSuchGame."""
        with self._lock:
            table = self._open.get(game)
            if table is None:
                table = self._open[game] = Table(self.store, game, self._engines, self._now)
                resting = (key for key, one in self._open.items() if key != game and not one.clock_runs)
                for key in [*resting][: max(0, len(self._open) - self._most)]:
                    del self._open[key]
            self._open.move_to_end(game)
            return table

    def forget(self, game: str) -> None:
        """No longer keeps a game in memory, as one that is deleted."""
        with self._lock:
            self._open.pop(game, None)

    def keep_clocks(self) -> None:
        """Keeps all clocks that run."""
        with self._lock:
            tables = list(self._open.values())
        for table in tables:
            if table.clock_runs:
                table.keep_clock()
