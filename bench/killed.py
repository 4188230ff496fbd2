"""A game at the table while the server is killed again and again: nothing confirmed may be lost, nothing done twice.

What is on the disk is looked at in a copy right after each kill, before the server can mend anything; then the server
is started again, and the phone repeats the request that was cut short under the same id.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import signal
import sqlite3
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx

from bench.served import Phone, Server, request_id

T = TypeVar("T")

LONGEST_LIFE = 1.5
"""Seconds after which a server is killed at the latest, in a third of its lives."""

MOST_REQUESTS, LONGEST_REQUEST = 8, 0.03
"""In another third it is killed within so many requests, so many seconds after one was sent: few are slow."""

AFTER_WRITING = 0.003
"""In the rest it is killed within so many seconds after something was written to the database: before the answer."""


@dataclass(frozen=True)
class Kept:
    """What a data folder holds.

    rows:     of each game, (kind, body, photos)
    requests: of each game, the version reached by each
    photos:   names of the files of photos, each of which is whole
    """

    rows: Mapping[str, list[tuple[str, Any, tuple[str, ...]]]]
    requests: Mapping[str, dict[str, int]]
    photos: frozenset[str]


def kept_in(folder: Path) -> Kept:
    """Reads a copy of the database, so that what a crash left behind stays as it is. AssertionError for anything that
    is damaged, half or there twice."""
    with tempfile.TemporaryDirectory() as copy:
        for name in ("games.sqlite3", "games.sqlite3-wal"):
            if (folder / name).exists():
                shutil.copy(folder / name, copy)
        with closing(sqlite3.connect(Path(copy) / "games.sqlite3")) as file:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert file.execute("PRAGMA foreign_key_check").fetchall() == []
            versions = dict(file.execute("SELECT id, version FROM games"))
            rows: dict[str, list[tuple[str, Any, tuple[str, ...]]]] = {game: [] for game in versions}
            photos: dict[tuple[str, int], list[str]] = {}
            for game, number, digest in file.execute("SELECT game, number, digest FROM row_photos ORDER BY place"):
                photos.setdefault((game, number), []).append(digest)
            query = "SELECT game, number, kind, body FROM game_rows ORDER BY number"
            for game, number, kind, body in file.execute(query):
                rows[game].append((kind, json.loads(body), tuple(photos.get((game, number), ()))))
                assert len(rows[game]) == number, f"{game}: row {number} is place {len(rows[game])}"
            requests: dict[str, dict[str, int]] = {game: {} for game in versions}
            for game, request, version in file.execute("SELECT game, request, version FROM requests"):
                requests[game][request] = version
    assert {game: len(found) for game, found in rows.items()} == versions
    files = set()
    for path in (folder / "photos").glob("??/*"):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == path.name, "half a photo under its name"
        files.add(path.name)
    for found in rows.values():
        assert {digest for _, _, shown in found for digest in shown} <= files, "a row without its photo"
    return Kept(rows, requests, frozenset(files))


@dataclass
class Report:
    """kills: by what was under way, and whether its change was on the disk ("done"), was not ("lost") or nothing was
    asked for ("between"); starts: seconds that each start took; games: that were played to the end"""

    kills: Counter[tuple[str, str]] = field(default_factory=Counter)
    starts: list[float] = field(default_factory=list)
    requests: int = 0
    games: int = 0

    @property
    def text(self) -> str:
        """What people read of it."""
        lines = [f"{sum(self.kills.values())} kills in {self.requests} requests, {self.games} games to the end"]
        for what, how in (
            ("done", "the change was on the disk, its answer lost"),
            ("lost", "nothing of the change was on the disk"),
            ("between", "no change was under way"),
        ):
            kinds = Counter({name: count for (name, one), count in self.kills.items() if one == what})
            named = ", ".join(f"{name or 'a look'} {count}" for name, count in kinds.most_common())
            lines.append(f"  {sum(kinds.values())}: {how} ({named})")
        starts = sorted(self.starts)
        lines.append(f"  started in {starts[len(starts) // 2]:.1f} s (median), {starts[-1]:.1f} s (longest)")
        return "\n".join(lines)


class Killed:
    """A phone that plays while the server is killed at moments drawn at random.

    kills: how many; photos: of the demo's game, in order
    """

    def __init__(self, server: Server, photos: Sequence[Path], kills: int, seed: int) -> None:
        self.server, self.kills, self.random = server, kills, random.Random(seed)
        self.photos = [photo.read_bytes() for photo in photos]
        self.report = Report()
        self.game = ""
        self.created: dict[str, str] = {}  # request, id
        self.version = 0  # the last one that was confirmed
        self.confirmed: dict[str, int] = {}  # request, version that it reached
        self.known: list[tuple[str, Any, tuple[str, ...]]] = []  # rows that cannot change any more
        self.sent_photos: Counter[str] = Counter()
        self.used = self.used_seen = 0  # ms of both clocks, at the last change or before, and when last looked at
        self.fuse: int | None = None  # requests till the kill is prepared
        self.way = 0  # in which of three
        self.timer: threading.Timer | None = None
        self.workers: list[int] = []
        self.asked: Asked | None = None  # what is under way
        self.phone = self._start()

    # --- lives of the server

    def _start(self) -> Phone:
        start = time.monotonic()
        self.server.start()
        self.report.starts.append(time.monotonic() - start)
        self.timer, self.fuse = None, None
        if self.kills > 0:
            self.way = self.random.randrange(3)
            if self.way == 0:
                self._light(self.random.uniform(0, LONGEST_LIFE))
            else:
                self.fuse = self.random.randrange(MOST_REQUESTS)
        while True:
            try:
                return Phone(self.server.base, who="Anna")
            except httpx.TransportError:
                self._crashed()
                return self.phone

    def _light(self, seconds: float) -> None:
        self.timer = threading.Timer(seconds, self._kill)
        self.timer.daemon = True
        self.timer.start()

    def _kill(self) -> None:
        self.workers = self.server.workers
        assert self.server.process is not None
        self.server.process.kill()

    def _kill_when_written(self) -> None:
        file, more = self.server.folder / "games.sqlite3-wal", self.random.uniform(0, AFTER_WRITING)
        before = file.stat().st_mtime_ns
        while file.stat().st_mtime_ns == before:
            time.sleep(0.0002)
        time.sleep(more)
        self._kill()

    def close(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.phone.http.close()
        self.server.__exit__()

    def _crashed(self) -> None:
        """Looks at what is there after a kill, and starts the server again."""
        asked = self.asked
        assert self.server.process is not None
        self.server.process.wait(20)
        assert self.server.process.returncode == -signal.SIGKILL, self.server.log.read_text()
        self.kills -= 1
        done = self._check(kept_in(self.server.folder), asked)
        what = "between" if asked is None or asked.name == "clock" else "done" if done else "lost"
        self.report.kills[asked.name if asked else "", what] += 1
        self.used_seen = self.used  # what the clock has counted since may be lost
        self._wait_for_workers()
        if hasattr(self, "phone"):
            self.phone.http.close()
        self.phone = self._start()

    def _wait_for_workers(self) -> None:
        until = time.monotonic() + 20
        while (left := [pid for pid in self.workers if Path(f"/proc/{pid}").exists()]) and time.monotonic() < until:
            time.sleep(0.02)
        assert not left, "the photo worker outlives its server"

    def _check(self, kept: Kept, asked: Asked | None) -> bool:
        """Whether the change that was asked for is on the disk; AssertionError when anything confirmed is not, or
        anything else is."""
        games = set(kept.rows)
        made = set(self.created.values())
        if asked is not None and asked.name == "new" and len(games) == len(made) + 1:
            assert made < games
            return True
        assert games == made
        if not self.game:
            return False
        rows, requests = kept.rows[self.game], dict(kept.requests[self.game])
        done = asked is not None and asked.id in requests
        if asked is not None and done:
            assert requests.pop(asked.id) == len(rows) > self.version
        else:
            assert len(rows) == self.version, (asked, self.version, rows[self.version - 1 :], requests, self.confirmed)
        assert requests == self.confirmed, "a confirmed request is missing, or another was made"
        assert rows[: len(self.known)] == self.known, "what was confirmed has changed"
        self.known = rows[: self.version]
        uploads = Counter(photos[0] for kind, _, photos in rows if kind == "photo")
        extra = uploads - self.sent_photos
        assert self.sent_photos <= uploads and sum(extra.values()) == int(done and asked.name == "photo")  # type: ignore[union-attr]
        return done

    # --- what the phone asks

    def _asks(self, what: Callable[[], T], asked: Asked | None) -> T:
        """Asks till there is an answer. asked: the change that is asked for, None for a look."""
        self.asked = asked
        while True:
            if self.fuse == 0:
                self.fuse = None
                if self.way == 1:
                    self._light(self.random.uniform(0, LONGEST_REQUEST))
                else:
                    threading.Thread(target=self._kill_when_written, daemon=True).start()
            elif self.fuse:
                self.fuse -= 1
            self.report.requests += 1
            try:
                return what()
            except httpx.TransportError:
                self._crashed()

    def view(self) -> dict[str, Any]:
        """The game as it is shown: at the version that was confirmed, with a clock that has lost no more than the time
        of the running move."""
        found = self._asks(lambda: self.phone.view(self.game), None)
        assert found["version"] == self.version
        used = sum(player["clock"]["used_ms"] for player in found["players"])
        assert used >= self.used, (used, self.used, found["clock"])
        self.used_seen = used
        return found

    def new(self) -> None:
        """The next game; it has the clock of the tournament rules."""
        asked = Asked("new")
        self.game = ""
        made = self._asks(lambda: self.phone.new_game(request=asked.id, lexicon="deutsch", clock_minutes=25), asked)
        assert made not in self.created.values()
        self.created[asked.id] = self.game = made
        self.version, self.confirmed, self.known, self.sent_photos = 0, {}, [], Counter()
        self.used = self.used_seen = 0

    def act(self, action: str, **data: Any) -> None:
        """An action, repeated under its id till it is confirmed."""
        asked = Asked(action)
        version = self.version
        self._confirmed(asked, lambda: self.phone.act(self.game, action, version, asked.id, **data))

    def photo(self, number: int) -> dict[str, Any]:
        """A photo of the demo, and what it proposes."""
        asked, events, data = Asked("photo"), self.view()["events"], self.photos[number]
        self._confirmed(asked, lambda: self.phone.photo(self.game, data, events, asked.id))
        self.sent_photos[hashlib.sha256(data).hexdigest()] += 1
        found: dict[str, Any] = self.view()["proposal"]
        return found

    def _confirmed(self, asked: Asked, ask: Callable[[], httpx.Response]) -> None:
        answer = self._asks(ask, asked)
        assert answer.status_code == 200, (asked, answer.status_code, answer.text)
        version = answer.json()["version"]
        assert version > self.version
        self.confirmed[asked.id] = self.version = version
        self.used = self.used_seen

    def clock(self, do: str) -> None:
        """What a player does with the clock, where it can be done: a crash pauses it."""
        clock = self.view()["clock"]
        can = {
            "start": clock["running"] is None,
            "resume": clock["paused"],
            "pause": clock["running"] is not None and not clock["paused"],
            "press": clock["running"] is not None and not clock["paused"],
        }
        if can[do]:
            asked = Asked("clock")
            more = {"player": clock["running"]} if do == "press" else {}
            answer = self._asks(lambda: self.phone.act(self.game, "clock", 0, asked.id, do=do, **more), asked)
            assert answer.status_code in (200, 422), answer.text
            self.used = self.used_seen


@dataclass(frozen=True)
class Asked:
    """A change by its kind and the id under which it is repeated."""

    name: str
    id: str = field(default_factory=request_id)


SHEET = (
    ("place", "H6 HÜTTE", 22),
    ("place", "10F FREUNDIN", 71),
    ("place", "M7 SONNE", 8),
    ("place", "K8 BADeN", 12),
    ("place", "F10 FOGEL", 15),
    ("challenge", "Angezweifelt von Ben: FOGEL, gelegt von Anna.", 0),
    ("place", "6F SCHAL", 16),
    ("exchange", "Anna tauscht 2 Steine: 0 Punkte.", None),
    ("place", "F2 PREIS", 16),
    ("place", "2C KÖRPER", 19),
    ("place", "12H ZWANG", 26),
)
"""Kind, text and points of the lines of the game below, before its end."""

TOTALS = [22 + 8 + 19 - 7, 71 + 12 + 16 + 16 + 26 - 10]
"""Of Anna and Ben, with what is left on their racks."""


def play(phone: Killed) -> list[dict[str, Any]]:
    """One whole game with everything that a table does; the lines of its sheet."""
    phone.new()
    phone.clock("start")
    _confirm(phone, 1, announced=22)
    phone.clock("resume")
    _confirm(phone, 2, announced=70, agreed=71)
    phone.act("undo")
    phone.act("redo")
    phone.clock("pause")
    _confirm(phone, 3)
    phone.clock("resume")
    phone.photo(4)
    phone.act("answer", squares=[[10, 10, "e"]])
    phone.act("confirm")
    phone.clock("press")
    _confirm(phone, 5)
    ref = phone.view()["can"]["challenge"]["ref"]
    phone.act("challenge", ref=ref, challengers=[1], words=["FOGEL"])
    phone.act("verdict", word="FOGEL", valid=False, by="Ben", source="Duden")
    phone.act("settle-challenge")
    assert phone.photo(6)["kind"] == "none"
    phone.act("drop")
    _confirm(phone, 7)
    phone.act("exchange", count=3)
    phone.act("pass")
    phone.act("undo")
    _confirm(phone, 9)
    _confirm(phone, 10)
    phone.clock("resume")
    _confirm(phone, 11)
    sheet = phone.view()["sheet"]
    number = {line["text"]: line["number"] for line in sheet}
    phone.act("correct", ref=number["6F SCHAF"], move="6F SCHAL")
    phone.act("correct", ref=number["Anna tauscht 3 Steine: 0 Punkte."], exchange=2)
    phone.act("type", move="10F FREUNDINNEN")
    phone.act("drop")
    phone.act("announce", ref=number["12H ZWANG"], points=26)
    phone.act("stop")
    phone.act("racks", racks=["AEEIIRS", "DLMNNTT"])
    return list(phone.view()["sheet"])


def _confirm(phone: Killed, number: int, **said: Any) -> None:
    found = phone.photo(number)
    assert found["confirmable"], found
    phone.act("confirm", **said)


def killed(folder: Path, photos: Sequence[Path], kills: int, seed: int, say: Callable[[str], object] = print) -> Report:
    """Plays the demo's game over and over till the server was killed so many times, and the last game to its end."""
    phone = Killed(Server(folder), photos, kills, seed)
    try:
        while phone.kills > 0 or not phone.report.games:
            sheet = play(phone)
            lines = tuple((line["kind"], line["text"], line["points"]) for line in sheet)
            assert lines[: len(SHEET)] == SHEET and sheet[-1]["totals"] == TOTALS, lines
            phone.report.games += 1
            say(f"{sum(phone.report.kills.values())} kills, {phone.report.games} games")
        phone._check(kept_in(folder), None)
        log = phone.server.log.read_text()  # a worker that is killed while it starts may leave a traceback there
        assert "ERROR" not in log, log
    finally:
        phone.close()
    return phone.report
