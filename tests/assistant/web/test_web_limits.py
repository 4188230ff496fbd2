"""What is too long, too slow, too often and too much at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.texts import Texts
from assistant.web.limits import (
    FORM_BYTES,
    PHOTO_BYTES,
    Allowance,
    AtOnce,
    BodyLimit,
    Buckets,
    Limits,
    Rate,
    RateLimit,
    address_of,
    kind_of,
)


def scope_of(method: str = "GET", path: str = "/", address: str | None = "192.168.178.34", **more: Any) -> Scope:
    client = None if address is None else (address, 50000)
    return {"type": "http", "method": method, "path": path, "headers": [], "client": client, **more}


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/", "read"),
        ("HEAD", "/game/x", "read"),
        ("GET", "/game/x/photo", "read"),
        ("GET", "/game/x/stream", "stream"),
        ("HEAD", "/game/x/stream", "read"),
        ("POST", "/game/x/stream", "change"),
        ("POST", "/game/x/photo", "upload"),
        ("POST", "/game/x/photo/", "upload"),
        ("PUT", "/game/x/photo", "upload"),
        ("POST", "/game/x/photo/corners", "change"),
        ("POST", "/game/x/live/frame", "frame"),
        ("GET", "/game/x/live/frame", "read"),
        ("POST", "/game/x/live/keep", "change"),
        ("DELETE", "/game/x", "change"),
        ("BREW", "/coffee", "change"),
    ],
)
def test_what_a_request_is(method: str, path: str, kind: str) -> None:
    assert kind_of(scope_of(method, path)) == kind


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("192.168.178.34", "192.168.178.34"),
        ("::ffff:192.168.178.34", "192.168.178.34"),
        ("::1", "::1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "?"),
        (None, "?"),
    ],
)
def test_by_which_address_a_client_is_limited(address: str | None, same: str) -> None:
    assert address_of(scope_of(address=address)) == same


# Bodies


async def all_of_it(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


async def none_of_it(request: Request) -> PlainTextResponse:
    return PlainTextResponse("no interest")


APP = Starlette(routes=[Route("/{end}", all_of_it, methods=["POST"]), Route("/{end}", none_of_it)])


class Client:
    """The other side of one request: parts of a body that are counted as they are taken, None for a wait without end;
    and what came back."""

    def __init__(self, *parts: bytes | None, endless: bytes = b"") -> None:
        self.parts, self.endless, self.taken, self.sent = list(parts), endless, 0, list[Message]()

    async def receive(self) -> Message:
        if not self.parts and not self.endless:
            return {"type": "http.disconnect"}
        part = self.parts.pop(0) if self.parts else self.endless
        if part is None:
            await asyncio.sleep(3600)
            raise AssertionError
        self.taken += len(part)
        return {"type": "http.request", "body": part, "more_body": bool(self.parts or self.endless)}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        out: int = self.sent[0]["status"]
        return out

    @property
    def headers(self) -> dict[str, str]:
        return {key.decode(): value.decode() for key, value in self.sent[0]["headers"]}

    @property
    def body(self) -> bytes:
        assert [one["type"] for one in self.sent[1:]] == ["http.response.body"] * (len(self.sent) - 1)
        assert [one.get("more_body", False) for one in self.sent[1:]] == [True] * (len(self.sent) - 2) + [False]
        return b"".join(one.get("body", b"") for one in self.sent[1:])

    def ask(self, app: ASGIApp, path: str = "/form", method: str = "POST", length: int | None = None) -> None:
        framing = (b"transfer-encoding", b"chunked") if length is None else (b"content-length", str(length).encode())
        scope = scope_of(method, path, http_version="1.1", scheme="http", query_string=b"", root_path="")
        scope["headers"] = [] if length == 0 else [framing]
        asyncio.run(app(scope, self.receive, self.send))


@pytest.mark.parametrize(("path", "most"), [("/form", 256 * 1024), ("/photo", 40 * 1024 * 1024)])
def test_a_body_may_be_so_long(path: str, most: int) -> None:
    for length in (most, None):
        client = Client(b"x" * (most - 5), b"12345")
        client.ask(BodyLimit(APP), path, length=length)
        assert (client.status, client.body) == (200, str(most).encode())
        assert "connection" not in client.headers


@pytest.mark.parametrize("length", [FORM_BYTES + 1, 5 << 30, 10**30])
def test_a_body_that_says_it_is_too_long_is_not_read(length: int) -> None:
    reached: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope)

    client = Client(endless=b"x" * 65536)
    client.ask(BodyLimit(app), length=length)
    assert (client.status, client.headers["connection"], reached) == (413, "close", [])
    assert json.loads(client.body) == {
        "error": "upload-too-large",
        "message": Texts("de")("error.upload-too-large", limit="256 kB"),
    }
    assert client.headers["content-length"] == str(len(client.body))
    assert client.taken <= 2 << 20, "no more than what was under way anyhow"


def test_a_body_that_says_nothing_is_counted() -> None:
    client = Client(endless=b"x" * 65536)
    client.ask(BodyLimit(APP), "/photo")
    assert (client.status, client.headers["connection"]) == (413, "close")
    assert "40 MB" in json.loads(client.body)["message"]
    assert client.taken <= PHOTO_BYTES + 65536 + (2 << 20)


def test_a_body_longer_than_it_says_is_counted() -> None:
    client = Client(endless=b"x" * 65536)
    client.ask(BodyLimit(APP), length=1000)
    assert client.status == 413


@pytest.mark.parametrize("length", [b"-1", b"1e3", b"", b"\xb2", b"12, 12", b"1" * 5000])
def test_a_length_that_is_none_is_refused(length: bytes) -> None:
    client = Client(b"x")
    scope = scope_of("POST", "/form") | {"headers": [(b"content-length", length)]}
    asyncio.run(BodyLimit(APP)(scope, client.receive, client.send))
    assert client.status == 413


def test_a_body_that_drips_is_cut_off() -> None:
    client = Client(b"x", None)
    client.ask(BodyLimit(APP, seconds=lambda scope: 0.05), length=2)
    assert (client.status, client.headers["connection"]) == (408, "close")
    assert json.loads(client.body)["error"] == "upload-too-slow"


def test_the_time_is_for_the_whole_body() -> None:
    class Dripping(Client):
        async def receive(self) -> Message:
            await asyncio.sleep(0.02)
            return await super().receive()

    client = Dripping(endless=b"x")
    client.ask(BodyLimit(APP, seconds=lambda scope: 0.1))
    assert client.status == 408 and client.taken < 10


def test_photos_may_take_longer() -> None:
    limit = BodyLimit(APP)
    assert [limit.seconds(scope_of("POST", path)) for path in ("/x/photo", "/import", "/x")] == [120, 600, 20]
    assert [limit.limit(scope_of("POST", path)) >> 10 for path in ("/x/photo", "/import", "/x")] == [40960, 524288, 256]


def test_an_answer_before_the_body_was_read_closes_the_connection() -> None:
    late = Client(endless=b"x" * 1000)
    late.ask(BodyLimit(none_of_it_app()), length=100_000)
    assert (late.status, late.headers["connection"], late.taken) == (200, "close", 0)
    for method in ("GET", "POST"):
        empty = Client(b"")
        empty.ask(BodyLimit(none_of_it_app()), method=method, length=0)
        assert (empty.status, "connection" in empty.headers) == (200, False)


def none_of_it_app() -> ASGIApp:
    return Starlette(routes=[Route("/{end}", none_of_it, methods=["GET", "POST"])])


def test_an_answer_that_has_begun_ends_when_the_body_gets_too_long() -> None:
    async def eager(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (message := await receive())["type"] == "http.request":
            await send({"type": "http.response.body", "body": message["body"], "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    client = Client(endless=b"x" * 65536)
    client.ask(BodyLimit(eager))
    assert client.status == 200 and client.taken == FORM_BYTES + 65536
    assert all(one.get("more_body", True) for one in client.sent), "left unfinished: the server closes the connection"


def test_an_error_of_the_application_is_not_hidden() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Client(b"x").ask(BodyLimit(broken), length=1)


def test_what_comes_after_the_body_has_no_limit_of_time() -> None:
    async def waits(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["more_body"] is False
        assert (await receive())["type"] == "http.disconnect"
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    class Late(Client):
        async def receive(self) -> Message:
            if not self.parts:
                await asyncio.sleep(0.1)
            return await super().receive()

    client = Late(b"x")
    client.ask(BodyLimit(waits, seconds=lambda scope: 0.05), length=1)
    assert client.status == 200


# Buckets


def test_a_bucket_fills_again() -> None:
    now = [100.0]
    buckets, rate = Buckets(lambda: now[0]), [("a", Rate(3, 0.5))]
    assert [buckets.take(rate) for _ in range(5)] == [0, 0, 0, 2, 2], "what is refused costs nothing"
    now[0] += 1.5
    assert buckets.take(rate) == 0.5
    now[0] += 0.5
    assert [buckets.take(rate) for _ in range(2)] == [0, 2]
    now[0] += 1e6
    assert [buckets.take(rate) for _ in range(4)] == [0, 0, 0, 2], "never fuller than full"
    assert buckets.take([("b", Rate(3, 0.5))]) == 0


def test_several_buckets_give_all_or_none() -> None:
    buckets = Buckets(lambda: 0.0)
    scarce, plenty = ("scarce", Rate(1, 0.1)), ("plenty", Rate(2, 1))
    assert buckets.take([scarce, plenty]) == 0
    assert buckets.take([scarce, plenty]) == 10
    assert [buckets.take([plenty]) for _ in range(2)] == [0, 1], "the refused one took no token here"


def test_many_addresses_take_bounded_memory() -> None:
    now = [0.0]
    buckets = Buckets(lambda: now[0], most=100)
    every = ("all", Rate(1e6, 1))
    for k in range(10_000):
        now[0] += 0.001
        buckets.take([(f"address {k}", Rate(5, 1)), every])
    assert len(buckets) == 100
    assert buckets.wait([("all", Rate(1e6, 1))]) == 0 and buckets._kept["all"][0] < 1e6 - 9_000, (
        "in use, so never forgotten"
    )


# Rates

HARD = Allowance(Rate(1000, 1000), Rate(1000, 1000), Rate(1000, 1000))
FREE = AtOnce(1000, 1000, 1000)


class Table:
    """Several devices and strangers before one application that answers 200, and a clock."""

    def __init__(self, limits: Limits) -> None:
        self.now = 0.0
        self.running = RateLimit(PlainTextResponse("ok"), limits, clock=lambda: self.now)

    def ask(self, device: str | None, address: str, path: str = "/", method: str = "GET", new: bool = False) -> Client:
        client = Client(b"")
        scope = scope_of(method, path, address, state={"device": device, "new": new})
        asyncio.run(self.running(scope, client.receive, client.send))
        return client

    def passes(self, count: int, *args: Any, **options: Any) -> int:
        """How many of so many requests at the same moment are let through."""
        return sum(self.ask(*args, **options).status == 200 for _ in range(count))


def test_too_many_requests_are_told_when_to_come_back() -> None:
    table = Table(Limits(reads=Allowance(Rate(3, 0.25), Rate(9, 9), Rate(9, 9))))
    assert table.passes(3, "anna", "10.0.0.1") == 3
    refusal = table.ask("anna", "10.0.0.1")
    assert (refusal.status, refusal.headers["retry-after"]) == (429, "4")
    text = Texts("de")("error.too-many-requests", seconds=4)
    assert json.loads(refusal.body) == {"error": "too-many-requests", "message": text}
    table.now += 4
    assert table.passes(5, "anna", "10.0.0.1") == 1


def test_devices_addresses_and_all_together_are_counted() -> None:
    table = Table(Limits(reads=Allowance(Rate(4, 1), Rate(6, 1), Rate(9, 1))))
    assert table.passes(9, "anna", "10.0.0.1") == 4
    assert table.passes(9, "ben", "10.0.0.1") == 2, "the address has six"
    assert table.passes(9, "cleo", "10.0.0.2") == 3, "all have nine"
    assert table.passes(9, "dora", "10.0.0.3") == 0
    assert table.passes(20, None, "10.0.0.1") == 6, "strangers have their own"
    assert table.passes(20, None, "10.0.0.2") == 3


def test_a_stranger_takes_nothing_from_those_who_play() -> None:
    table = Table(Limits())
    let_through = sum(table.passes(10, None, f"10.0.{k}.1") for k in range(250))
    assert let_through == Limits().reads.all.burst == 1000
    assert table.passes(1, None, "10.9.9.9") == 0
    assert table.passes(100, "anna", "10.0.0.1") == 100


def test_devices_made_in_masses_are_strangers() -> None:
    table = Table(Limits(reads=Allowance(Rate(100, 1), Rate(5, 1), Rate(9, 1))))
    assert sum(table.passes(1, f"device {k}", "127.0.0.1", new=True) for k in range(50)) == 5
    assert table.passes(1, "anna", "127.0.0.1") == 1


def test_six_phones_behind_one_address_open_the_page_together() -> None:
    table = Table(Limits())
    for device in "abcdef":
        assert table.passes(40, device, "192.168.178.34") == 40
        assert table.passes(5, device, "192.168.178.34", "/game/x/move", "POST") == 5
        assert table.passes(3, device, "192.168.178.34", "/game/x/photo", "POST") == 3
        assert table.passes(30, None, "192.168.178.34", "/static/page.js") == 30
    table.now += 60  # and an evening goes on: a photo and three changes a minute each
    for _ in range(120):
        for device in "abcdef":
            assert table.passes(1, device, "192.168.178.34", "/game/x/photo", "POST") == 1
            assert table.passes(3, device, "192.168.178.34", "/game/x/move", "POST") == 3
        table.now += 10


def test_changes_and_uploads_have_less_than_reading() -> None:
    table = Table(Limits())
    assert table.passes(300, "anna", "10.0.0.1") == 200
    assert table.passes(300, "ben", "10.0.0.2", "/x/move", "POST") == 60
    assert table.passes(300, "cleo", "10.0.0.3", "/x/photo", "POST") == 20
    assert table.passes(300, "cleo", "10.0.0.3", "/x/move", "POST") == 40, "an upload is a change too"
    assert table.passes(300, "cleo", "10.0.0.3") == 140


def test_a_flood_of_frames_takes_nothing_from_other_cameras() -> None:
    table, frame = Table(Limits()), ("/api/games/x/live/frame", "POST")
    assert table.passes(150, "anna", "127.0.9.9", *frame) == 40
    assert table.passes(10, "ben", "127.0.9.9", *frame) == 10, "behind the same address"
    assert table.passes(1, "anna", "127.0.9.9", "/x/move", "POST") == 1
    for _ in range(600):  # for a minute on: a hundred frames a second, and another camera's ten
        table.now += 0.1
        table.passes(10, "anna", "127.0.9.9", *frame)
        assert table.passes(1, "ben", "127.0.9.10", *frame) == 1
    table.now += 1
    assert table.passes(150, "anna", "127.0.9.9", *frame) == 12


def test_a_thousand_requests_a_second() -> None:
    table = Table(Limits())
    for _ in range(3000):
        table.ask(None, "127.0.0.1")
        table.now += 0.001
    assert table.passes(1, "anna", "127.0.0.1", "/x/move", "POST") == 1
    table.now += 1
    assert table.passes(200, None, "127.0.0.1") == 100


# At once


def at_once(limits: Limits, wanted: list[tuple[str | None, str, str]], kind: str) -> list[int]:
    """Statuses of requests that all run at the same time, (device, address, path) each; and then all end."""
    ended = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await ended.wait()
        await send({"type": "http.response.body"})
        if scope["path"] == "/broken":
            raise ZeroDivisionError

    limit = RateLimit(app, limits)

    async def one(device: str | None, address: str, path: str) -> Client:
        client = Client(b"")
        method = "POST" if kind == "upload" else "GET"
        await limit(scope_of(method, path, address, state={"device": device}), client.receive, client.send)
        return client

    async def go() -> list[int]:
        tasks = [asyncio.create_task(one(*want)) for want in wanted]
        for _ in range(5):
            await asyncio.sleep(0)
        ended.set()
        clients = await asyncio.gather(*tasks)
        assert not limit.running, "all slots are free again"
        for client in clients:
            if client.status == 429:
                assert json.loads(client.body)["error"] == "too-many-at-once" and client.headers["retry-after"] == "5"
        return [client.status for client in clients]

    return asyncio.run(go())


def test_streams_at_once() -> None:
    limits = Limits(streams_at_once=AtOnce(2, 3, 4))
    one = "/game/x/stream"
    statuses = at_once(limits, [("anna", "10.0.0.1", one)] * 3 + [("ben", "10.0.0.1", one)] * 2, "stream")
    assert statuses == [200, 200, 429, 200, 429]
    others = [(None, "10.0.0.1", one)] * 4 + [
        ("anna", "10.0.0.1", one),
        (None, "10.0.0.2", one),
        (None, "10.0.0.3", one),
    ]
    assert at_once(limits, others, "stream") == [200, 200, 200, 429, 200, 200, 429]


def test_streams_do_not_hinder_reading() -> None:
    limits = Limits(streams_at_once=AtOnce(2, 2, 2), requests_at_once=AtOnce(1, 1, 1))
    wanted = [("anna", "10.0.0.1", "/stream")] * 2 + [("anna", "10.0.0.1", "/")] * 2
    assert at_once(limits, wanted, "stream") == [200, 200, 200, 429]


def test_uploads_at_once() -> None:
    wanted = [(device, "10.0.0.1", "/x/photo") for device in "abcdef" for _ in range(4)]
    statuses = at_once(Limits(), wanted, "upload")
    assert statuses == [200, 200, 200, 429] * 4 + [429] * 8


def test_a_slot_is_free_after_an_error_too() -> None:
    limit = RateLimit(broken, Limits(requests_at_once=AtOnce(1, 1, 1)))
    for _ in range(3):
        client = Client(b"")
        with pytest.raises(ZeroDivisionError):
            asyncio.run(limit(scope_of(), client.receive, client.send))
    assert not limit.running


async def broken(scope: Scope, receive: Receive, send: Send) -> None:
    raise ZeroDivisionError


def test_all_together_over_http() -> None:
    """As they are put together, asked by a client that sends a body without its length."""
    app = RateLimit(BodyLimit(APP), Limits(uploads=Allowance(Rate(2, 0.1), Rate(2, 0.1), Rate(2, 0.1))))

    async def body(size: int) -> AsyncIterator[bytes]:
        for _ in range(size):
            yield b"x" * (1 << 20)

    async def go() -> list[tuple[int, str]]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as session:
            answers = [await session.post("/photo", content=body(size)) for size in (40, 41, 1)]
        return [(answer.status_code, answer.text[:26]) for answer in answers]

    assert asyncio.run(go()) == [
        (200, str(40 << 20)),
        (413, '{"error": "upload-too-larg'),
        (429, '{"error": "too-many-reques'),
    ]


def test_other_than_requests_are_passed_on() -> None:
    passed: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        passed.append(scope["type"])

    unused: Callable[..., Any] = lambda *_: None  # noqa: E731
    for middleware in (RateLimit(app), BodyLimit(app)):
        asyncio.run(middleware({"type": "lifespan"}, unused, unused))
    assert passed == ["lifespan"] * 2
