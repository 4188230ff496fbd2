"""How much a client may send, how often it may ask, and how much at once."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.web.errors import WebError, has_body, header, refuse, with_headers

Kind = Literal["read", "change", "upload", "frame", "stream"]
"""What a request is. read: a page, a file, data; change: of a game; upload: of a photo; frame: of a camera that
watches; stream: of events."""

PHOTO_BYTES, FRAME_BYTES, FORM_BYTES = 40 << 20, 16 << 20, 256 << 10
"""Most bytes of an upload, of a camera's frame and of any other request's body."""

ARCHIVE_BYTES, ARCHIVE_SECONDS = 512 << 20, 600.0
"""Of an archive: a long game has a hundred photos of some megabytes."""

PHOTO_SECONDS, FORM_SECONDS = 120.0, 20.0
"""Longest wait for all of a body: 40 MB take a minute over a poor wireless network."""


def kind_of(scope: Scope) -> Kind:
    """By the method and the end of the path: ``photo``, ``rack`` and ``import`` take uploads, ``frame`` frames,
    ``stream`` streams."""
    end = _end(scope)
    if scope["method"] in ("GET", "HEAD", "OPTIONS"):
        return "stream" if end == "stream" and scope["method"] == "GET" else "read"
    if end == "frame":
        return "frame"
    return "upload" if end in ("photo", "rack", "import") else "change"


def most_bytes(scope: Scope) -> int:
    """Of a request's body: an archive of a whole game is larger than a photo."""
    kind = kind_of(scope)
    if kind == "frame":
        return FRAME_BYTES
    if kind != "upload":
        return FORM_BYTES
    return ARCHIVE_BYTES if _end(scope) == "import" else PHOTO_BYTES


def most_seconds(scope: Scope) -> float:
    """For a request's body to come in."""
    if kind_of(scope) != "upload":
        return FORM_SECONDS
    return ARCHIVE_SECONDS if _end(scope) == "import" else PHOTO_SECONDS


def _end(scope: Scope) -> str:
    path: str = scope["path"]
    return path.rstrip("/").rpartition("/")[2]


def address_of(scope: Scope) -> str:
    """The client's address as one that is limited: an IPv4 address however it is written, the first half of an IPv6
    one, of which every machine has more than can be counted (RFC 4291, 2.5.4)."""
    client = scope.get("client")
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0]) if client else None
    except ValueError:
        address = None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        if address.is_loopback:
            return str(address)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address) if address else "?"


class BodyLimit:
    """ASGI middleware: a body that is too long or takes too long is refused, and its connection closed.

    By its declared length before any of it is read; else as soon as it is too long. The application then sees the
    client go away (``http.disconnect``), and what it still sends is dropped. An answer that comes before the body was
    read closes the connection too, or the server would read and throw away all of it.

    limit:   most bytes of a request's body
    seconds: longest wait for it, in all
    """

    def __init__(
        self,
        app: ASGIApp,
        limit: Callable[[Scope], int] = most_bytes,
        seconds: Callable[[Scope], float] = most_seconds,
    ) -> None:
        self.app, self.limit, self.seconds = app, limit, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most, left = self.limit(scope), self.seconds(scope)
        too_large = WebError(f"body of more than {most} bytes", code="upload-too-large", limit=_size(most))
        declared = header(scope, b"content-length")
        if declared is not None and not (re.fullmatch(r"\d{1,18}", declared, re.ASCII) and int(declared) <= most):
            await refuse(too_large, scope, receive, send)
            return
        size, complete, started, refused = 0, not has_body(scope), False, False

        async def refuse_now(error: WebError, linger: bool) -> Message:
            nonlocal refused
            refused = True
            if not started:
                await refuse(error, scope, receive, send, more=not complete, linger=linger)
            return {"type": "http.disconnect"}

        async def counted() -> Message:
            nonlocal size, complete, left
            if refused:
                return {"type": "http.disconnect"}
            if complete:
                return await receive()
            before = time.monotonic()
            try:
                async with asyncio.timeout(left):
                    message = await receive()
            except TimeoutError:
                return await refuse_now(WebError("the body came too slowly", code="upload-too-slow"), linger=False)
            left -= time.monotonic() - before
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                complete = not message.get("more_body", False)
                if size > most:
                    return await refuse_now(too_large, linger=True)
            return message

        async def answer(message: Message) -> None:
            nonlocal started
            if refused:
                return
            if message["type"] == "http.response.start":
                started = True
                if not complete:
                    message = with_headers(message, [(b"connection", b"close")])
            await send(message)

        try:
            await self.app(scope, counted, answer)
        except Exception:
            if not refused:  # else it is only that the client went away
                raise


def _size(count: int) -> str:
    return f"{count >> 20} MB" if count >= 1 << 20 else f"{count >> 10} kB"


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second in the long run."""

    burst: float
    per_second: float


class Buckets:
    """Token buckets by key (RFC 2697's single rate, one color), the least used forgotten when there are too many.

    clock: seconds that never go back
    most:  buckets that are kept; who is forgotten begins with a full one
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = 8192) -> None:
        self._clock, self._most = clock, most
        self._kept: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def take(self, wanted: Sequence[tuple[str, Rate]]) -> float:
        """Takes a token of each of these buckets and gives 0.0; or none, and the seconds until each has one."""
        if wait := self.wait(wanted):
            return wait
        now = self._clock()
        for key, rate in wanted:
            self._kept[key] = (self._tokens(key, rate, now) - 1, now)
            self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return 0.0

    def wait(self, wanted: Sequence[tuple[str, Rate]]) -> float:
        """Seconds until each of these buckets has a token, 0.0 when they have; takes none."""
        now = self._clock()
        return max(0.0, *((1 - self._tokens(key, rate, now)) / rate.per_second for key, rate in wanted))

    def _tokens(self, key: str, rate: Rate, now: float) -> float:
        have, then = self._kept.get(key, (rate.burst, now))
        return min(rate.burst, have + (now - then) * rate.per_second)


def too_many(wait: float) -> WebError:
    seconds = max(1, math.ceil(wait))
    return WebError(f"too many requests, wait {seconds} s", code="too-many-requests", seconds=seconds)


@dataclass(frozen=True)
class Allowance:
    """What one device that has joined may do, all behind one address, and all together.

    The last two are counted for devices that have joined and for strangers apart, so that no stranger takes anything
    from those who play.
    """

    device: Rate
    address: Rate
    all: Rate


@dataclass(frozen=True)
class AtOnce:
    """How many requests may run at a time: of one device, behind one address, and in all (counted as above)."""

    device: int
    address: int
    all: int


@dataclass(frozen=True)
class Limits:
    """Six phones behind one address, opening the page together, stay far below; a page is some thirty requests.

    reads:   all requests count here
    changes: uploads count here too
    frames:  of cameras that watch, four to ten a second
    requests_at_once: a browser has six connections to a server; what a phone asks beyond would make others wait
    """

    reads: Allowance = Allowance(Rate(200, 40), Rate(500, 100), Rate(1000, 200))
    changes: Allowance = Allowance(Rate(60, 10), Rate(180, 30), Rate(300, 60))
    uploads: Allowance = Allowance(Rate(20, 0.5), Rate(40, 1.5), Rate(60, 3))
    frames: Allowance = Allowance(Rate(40, 12), Rate(80, 40), Rate(120, 60))
    requests_at_once: AtOnce = AtOnce(12, 60, 200)
    uploads_at_once: AtOnce = AtOnce(3, 12, 16)
    frames_at_once: AtOnce = AtOnce(2, 8, 12)
    streams_at_once: AtOnce = AtOnce(8, 30, 100)


class RateLimit:
    """ASGI middleware: refuses what is too much with 429 and ``Retry-After``.

    Stands inside `guard.GuardMiddleware`, which says which device asks (``scope["state"]["device"]``).

    kind:  what a request is
    clock: seconds that never go back
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits = Limits(),
        kind: Callable[[Scope], Kind] = kind_of,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app, self.limits, self.kind = app, limits, kind
        self.buckets = Buckets(clock)
        self.running: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        kind, limits = self.kind(scope), self.limits
        allowances = {"read": limits.reads}
        if kind in ("change", "upload"):
            allowances["change"] = limits.changes
        if kind == "upload":
            allowances["upload"] = limits.uploads
        if kind == "frame":
            allowances["frame"] = limits.frames
        places = _places(scope)
        wanted = [
            (f"{name} {place}", getattr(allowance, level))
            for name, allowance in allowances.items()
            for level, place in places.items()
        ]
        if wait := self.buckets.take(wanted):
            await refuse(too_many(wait), scope, receive, send)
            return
        own = {"upload": limits.uploads_at_once, "frame": limits.frames_at_once, "stream": limits.streams_at_once}
        most = own.get(kind, limits.requests_at_once)
        name = kind if kind in own else "request"
        slots = {f"{name} {place}": getattr(most, level) for level, place in places.items()}
        if any(self.running[slot] >= count for slot, count in slots.items()):
            await refuse(WebError(f"too many {name}s at once", code="too-many-at-once"), scope, receive, send)
            return
        self.running.update(slots.keys())
        try:
            await self.app(scope, receive, send)
        finally:
            for slot in slots:
                self.running[slot] -= 1
                if not self.running[slot]:
                    del self.running[slot]


def _places(scope: Scope) -> dict[str, str]:
    """Under which keys a request counts, by level; a stranger's, or one that makes a new device, not as a device's."""
    state = scope.get("state", {})
    device = None if state.get("new") else state.get("device")
    group = "stranger" if device is None else "joined"
    places = {"address": f"{group} {address_of(scope)}", "all": group}
    return places if device is None else {"device": f"device {device}", **places}
