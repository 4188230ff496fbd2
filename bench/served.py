"""The page's server as a process of its own, and phones that ask it: for the bench and for the tests of the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

ROOT = Path(__file__).resolve().parent.parent

START_SECONDS = 60.0
"""Longest wait for the server's address."""


class Server:
    """``brettblick serve`` on a port of its own, which stays the same when it is started again.

    words:  further words of the command
    prefix: what runs it, such as ``("setpriv", "--bounding-set=-all")``
    log:    file for what it says on standard error, else one beside the folder
    """

    def __init__(
        self, folder: Path, *words: str, prefix: Sequence[str] = (), port: int = 0, log: Path | None = None
    ) -> None:
        self.folder, self.words, self.prefix, self.port = folder, words, prefix, port
        self.log = log or folder.with_name(f"{folder.name}-{secrets.token_hex(3)}.log")
        self.process: subprocess.Popen[str] | None = None
        self.said: list[str] = []

    def start(self) -> None:
        """Returns once the address is printed; what is printed after it is left in the pipe."""
        command = [*self.prefix, sys.executable, "-m", "assistant", "serve", "--port", str(self.port)]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--data", str(self.folder), *self.words],
                cwd=ROOT,
                env={**os.environ, "BRETTBLICK_LANG": "de"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        timer = threading.Timer(START_SECONDS, self.process.kill)
        timer.start()
        try:
            assert self.process.stdout is not None
            first = self.process.stdout.readline()
        finally:
            timer.cancel()
        found = re.search(r"(https?)://127\.0\.0\.1:(\d+)/", first)
        if not found:
            raise AssertionError(f"the server does not start: {self.process.wait()} {first}{self.log.read_text()}")
        self.port = int(found[2])
        self.base = f"{found[1]}://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def workers(self) -> list[int]:
        """Process ids of what reads photos, one or none (Linux)."""
        found = []
        for kept in Path(f"/proc/{self.pid}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += [int(pid) for pid in kept.read_text().split()]
        return [pid for pid in found if b"spawn_main" in _command(pid)]

    def kill(self) -> None:
        """As a power cut ends it."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def stop(self, number: int = signal.SIGTERM, seconds: float = 30.0) -> tuple[int, float]:
        """Exit status and seconds till it had ended; it is killed when it does not end in time."""
        assert self.process is not None
        start = time.monotonic()
        self.process.send_signal(number)
        try:
            self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.kill()
        return self.process.returncode, time.monotonic() - start

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop()


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def request_id() -> str:
    """As the page makes them."""
    return secrets.token_hex(16)


class Phone:
    """A browser that has opened the page; it says what the page's scripts say.

    address: from which it asks (Linux has all of 127.0.0.0/8), else the system's choice
    """

    def __init__(self, base: str, *, address: str | None = None, who: str = "", join: str | None = None) -> None:
        transport = httpx.HTTPTransport(local_address=address, verify=False)
        self.http = httpx.Client(base_url=base, transport=transport, timeout=60.0)
        self.headers = {"X-Brettblick": "1", "Origin": base}
        if who:
            self.http.cookies.set("who", who)
        self.http.get(join or "/", headers={"accept": "text/html"}).close()

    def __enter__(self) -> Phone:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    @property
    def cookie(self) -> str:
        """The one it was given when it joined."""
        return self.http.cookies.get("brettblick", "")

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.http.get(path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.http.post(path, headers={**self.headers, **more.pop("headers", {})}, **more)

    def new_game(self, players: Sequence[str] = ("Anna", "Ben"), request: str = "", **more: Any) -> str:
        data = {"request": request or request_id(), "players": list(players), "rules": "turnier", **more}
        answer = self.post("/api/games", json=data)
        assert answer.status_code == 201, (answer.status_code, answer.text)
        return str(answer.json()["id"])

    def view(self, game: str) -> dict[str, Any]:
        answer = self.get(f"/api/games/{game}")
        assert answer.status_code == 200, (answer.status_code, answer.text)
        found: dict[str, Any] = answer.json()
        return found

    def act(self, game: str, action: str, version: int | None = None, request: str = "", **data: Any) -> httpx.Response:
        """version: that of now where none is given"""
        version = self.view(game)["version"] if version is None else version
        said = {"action": action, "version": version, "request": request or request_id(), **data}
        return self.post(f"/api/games/{game}/act", json=said)

    def done(self, game: str, action: str, **data: Any) -> int:
        """The version after an action that must be taken."""
        answer = self.act(game, action, **data)
        assert answer.status_code == 200, (action, data, answer.status_code, answer.text)
        return int(answer.json()["version"])

    def photo(
        self, game: str, photo: bytes, events: int | None = None, request: str = "", name: str = "turn.jpg"
    ) -> httpx.Response:
        events = self.view(game)["events"] if events is None else events
        return self.post(
            f"/api/games/{game}/photo",
            files={"photo": (name, photo, "image/jpeg")},
            data={"events": str(events), "request": request or request_id()},
        )

    @contextmanager
    def stream(self, game: str) -> Iterator[Stream]:
        """What the phone is told of the game, once the first news have come."""
        with self.http.stream("GET", f"/games/{game}/stream", timeout=httpx.Timeout(60.0)) as answer:
            assert answer.status_code == 200, answer.status_code
            stream = Stream(answer)
            assert stream.heard(0, 20.0)
            yield stream


class Stream:
    """Server-sent events of a game as they come in.

    versions: with the time of each (``time.monotonic``)
    lives:    what was told of its camera
    """

    def __init__(self, answer: httpx.Response) -> None:
        self.versions: list[tuple[float, int]] = []
        self.lives: list[dict[str, Any]] = []
        self.ended = threading.Event()
        self._news = threading.Condition()
        threading.Thread(target=self._listen, args=(answer,), daemon=True).start()

    def _listen(self, answer: httpx.Response) -> None:
        try:
            for line in answer.iter_lines():
                if line.startswith("data:"):
                    said = json.loads(line[5:])
                    with self._news:
                        if "version" in said:
                            self.versions.append((time.monotonic(), said["version"]))
                        else:
                            self.lives.append(said)
                        self._news.notify_all()
        except (httpx.HTTPError, httpx.StreamError, RuntimeError, OSError, ValueError):
            pass  # it went away, or we did
        self.ended.set()

    def told(self, seconds: float, **wanted: Any) -> dict[str, Any] | None:
        """What was told of the camera first that has all these values, None when nothing was in that time."""

        def found() -> dict[str, Any] | None:
            return next((one for one in self.lives if wanted.items() <= one.items()), None)

        with self._news:
            self._news.wait_for(lambda: found() is not None, seconds)
            return found()

    def heard(self, version: int, seconds: float) -> float | None:
        """When this version or a later one was told, None when it was not in that time."""

        def found() -> float | None:
            return next((at for at, one in self.versions if one >= version), None)

        with self._news:
            self._news.wait_for(lambda: found() is not None, seconds)
            return found()


class Flood:
    """Requests at a steady rate from another address of this machine, by a process of its own, while it is entered.

    rate: a second; requests: the bytes of each, in turn
    statuses: of the answers, 0 for a connection that was closed without one; seconds: how long it took
    """

    def __init__(self, port: int, requests: Sequence[bytes], rate: int, address: str = "127.0.0.9") -> None:
        self.statuses: Counter[int] = Counter()
        self.seconds = 0.0
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_flood, args=(theirs, port, requests, rate, address), daemon=True)

    def __enter__(self) -> Flood:
        self._process.start()
        self._ours.recv()
        self._begun = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self._ours.send(None)
        self.statuses = self._ours.recv()
        self.seconds = time.monotonic() - self._begun
        self._process.join()


FLOODING = 50
"""Connections of a flood, each with its share; who is behind sends at once."""


def _flood(pipe: Connection, port: int, requests: Sequence[bytes], rate: int, address: str) -> None:
    statuses: Counter[int] = Counter()
    begun, sent = time.monotonic(), 0

    async def connection() -> None:
        nonlocal sent
        reader: asyncio.StreamReader | None = None
        while not pipe.poll():
            due, sent = begun + sent / rate, sent + 1
            if (early := due - time.monotonic()) > 0:
                await asyncio.sleep(early)
            try:
                if reader is None:
                    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
                writer.write(requests[sent % len(requests)])
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                statuses[int(head[9:12])] += 1
                await reader.readexactly(int(head.partition(b"content-length: ")[2].split()[0]))
                if b"connection: close" in head:
                    writer.close()
                    reader = None
            except (OSError, asyncio.IncompleteReadError, IndexError, ValueError):
                statuses[0] += 1
                reader = None

    async def go() -> None:
        pipe.send(None)
        await asyncio.gather(*[connection() for _ in range(FLOODING)])

    asyncio.run(go())
    pipe.send(statuses)


def memory(pid: int) -> int:
    """Bytes of memory that a process has (RSS); Linux."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def raw(port: int, data: bytes, *, seconds: float = 20.0, most: int = 1 << 20) -> bytes:
    """What the server answers to bytes sent just so, till it closes the connection or says nothing for that long."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        answer = b""
        with contextlib.suppress(OSError):  # it has heard enough, and says why
            connection.sendall(data)
        with contextlib.suppress(OSError):
            while len(answer) < most and (part := connection.recv(65536)):
                answer += part
    return answer


def head(method: str, path: str, port: int, headers: Mapping[str, str] | None = None) -> bytes:
    """The head of a request with the headers of the page's scripts, and others or other values of them; "" leaves one
    out."""
    own = {"Host": f"127.0.0.1:{port}", "X-Brettblick": "1", "Origin": f"http://127.0.0.1:{port}", **(headers or {})}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in own.items() if value)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
