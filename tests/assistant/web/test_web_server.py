"""The middlewares as they are put together, in a real server: what a socket sees."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assistant.web.guard import Guard

LINUX = sys.platform == "linux"

PATIENT, HASTY = 60.0, 1.0
"""Seconds that a server waits for a head or a form: more than a slow machine takes for what these tests send, or
so few that a test can wait for their end."""

SERVER = """
import asyncio, socket, sys
from pathlib import Path
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
from assistant.web import protocol
from assistant.web.guard import Guard, GuardMiddleware
from assistant.web.headers import Headers
from assistant.web.limits import AtOnce, BodyLimit, Limits, RateLimit, kind_of

async def count(request):
    size = 0
    async for part in request.stream():
        size += len(part)
    return PlainTextResponse(str(size))

async def ignore(request):
    return PlainTextResponse("no interest")

async def events(request):
    async def ticks():
        while True:
            yield b"data: tick\\n\\n"
            await asyncio.sleep(0.02)
    return StreamingResponse(ticks(), media_type="text/event-stream")

app = Starlette(
    routes=[
        Route("/", ignore), Route("/x/stream", events), Route("/x/photo", count, methods=["POST"]),
        Route("/x/form", count, methods=["POST"]), Route("/x/ignored/photo", ignore, methods=["POST"]),
    ],
    middleware=[
        Middleware(Headers),
        Middleware(GuardMiddleware, guard=Guard(Path(sys.argv[1]))),
        Middleware(RateLimit, limits=Limits(streams_at_once=AtOnce(2, 2, 2))),
        Middleware(BodyLimit, seconds=lambda scope: 60.0 if kind_of(scope) == "upload" else float(sys.argv[3])),
    ],
)
protocol.HEAD_SECONDS = float(sys.argv[3])
protocol.CONNECTIONS_EACH = 20
sock = socket.create_server((sys.argv[2], 0), family=socket.AF_INET6 if ":" in sys.argv[2] else socket.AF_INET)
print(sock.getsockname()[1], flush=True)
config = uvicorn.Config(
    app, http=protocol.CarefulProtocol, ws="none", proxy_headers=False, server_header=False, log_config=None
)
uvicorn.Server(config).run(sockets=[sock])
"""


@dataclass(frozen=True)
class Server:
    """A running server, and a device that has joined it."""

    pid: int
    host: str
    port: int
    cookie: str

    @property
    def name(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def open(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=10)

    def head(self, method: str, path: str, *more: str) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.name}", f"Cookie: {self.cookie}"]
        if method != "GET":
            lines += ["X-Brettblick: 1", f"Origin: http://{self.name}"]
        return "\r\n".join([*lines, *more, "", ""]).encode()

    @property
    def megabytes(self) -> float:
        """Memory that its process has had at most."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


@contextlib.contextmanager
def serving(folder: Path, host: str = "127.0.0.1", seconds: float = PATIENT) -> Iterator[Server]:
    guard = Guard(folder)
    command = [sys.executable, "-c", SERVER, str(folder), host, str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            yield Server(process.pid, host, port, f"brettblick={guard.cookie('A' * 16)}")
        finally:
            process.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("data")) as server:
        yield server


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that soon has enough of whoever is slow."""
    with serving(tmp_path_factory.mktemp("hasty"), seconds=HASTY) as server:
        yield server


def answer(sock: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the next response; 0 when the connection was closed without one."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = sock.recv(65536)
        if not part:
            return 0, {}, data
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    while len(body) < int(headers.get("content-length", 0)):
        body += sock.recv(65536)
    return int(lines[0].split()[1]), headers, body


def send_on_and_on(sock: socket.socket, part: bytes, most: int) -> int:
    """How many bytes could be sent before the other side closed the connection."""
    sent = 0
    try:
        while sent < most:
            sock.sendall(part)
            sent += len(part)
    except OSError:
        pass
    return sent


def closed(sock: socket.socket) -> bool:
    """Whether the other side closes the connection, within the socket's patience, and says no more than a line."""
    try:
        return len(sock.recv(100)) < 100 and sock.recv(1) == b""
    except ConnectionError:
        return True


MEGABYTE = b"x" * (1 << 20)


@pytest.mark.parametrize(
    ("path", "cookie", "status"),
    [("/x/photo", True, 413), ("/x/form", True, 413), ("/x/ignored/photo", True, 413), ("/x/photo", False, 403)],
)
def test_an_upload_of_five_gigabytes_is_cut_off(server: Server, path: str, cookie: bool, status: int) -> None:
    before = server.megabytes if LINUX else 0
    head = server.head("POST", path, f"Content-Length: {5 << 30}")
    with server.open() as sock:
        sock.sendall(head if cookie else head.replace(b"brettblick=1", b"brettblick=0"))
        assert answer(sock)[0] == status
        assert send_on_and_on(sock, MEGABYTE, 5 << 30) < 40 << 20
    assert not LINUX or server.megabytes < before + 20


def test_an_upload_without_an_end_is_cut_off(server: Server) -> None:
    before = server.megabytes if LINUX else 0
    with server.open() as sock:
        sock.sendall(server.head("POST", "/x/photo", "Transfer-Encoding: chunked"))
        sent = send_on_and_on(sock, b"100000\r\n" + MEGABYTE + b"\r\n", 5 << 30)
    assert 40 << 20 < sent < 80 << 20
    assert not LINUX or server.megabytes < before + 20


def test_a_large_photo_arrives_and_the_connection_stays(server: Server) -> None:
    with server.open() as sock:
        for _ in range(2):
            sock.sendall(server.head("POST", "/x/photo", f"Content-Length: {20 << 20}") + MEGABYTE * 20)
            status, headers, body = answer(sock)
            assert (status, body, headers.get("connection")) == (200, str(20 << 20).encode(), None)


def test_a_photo_nobody_reads_is_not_read(server: Server) -> None:
    with server.open() as sock:
        sock.sendall(server.head("POST", "/x/ignored/photo", f"Content-Length: {30 << 20}"))
        status, headers, body = answer(sock)
        assert (status, headers["connection"], body) == (200, "close", b"no interest")
        assert closed(sock)


def test_a_slightly_too_long_form_is_told_why(server: Server) -> None:
    """The answer must not be lost with the rest of the body, which is sent before anything is read."""
    for _ in range(5):
        with server.open() as sock:
            sock.sendall(server.head("POST", "/x/form", "Content-Length: 900000") + b"x" * 900_000)
            status, headers, body = answer(sock)
            assert (status, headers["connection"]) == (413, "close")
            assert json.loads(body)["error"] == "upload-too-large"
            assert closed(sock)


def test_a_client_that_asks_first_is_told_at_once(server: Server) -> None:
    with server.open() as sock:
        sock.sendall(server.head("POST", "/x/photo", f"Content-Length: {5 << 30}", "Expect: 100-continue"))
        assert answer(sock)[0] == 413
    with server.open() as sock:
        sock.sendall(server.head("POST", "/x/photo", "Content-Length: 3", "Expect: 100-continue"))
        assert answer(sock)[0] == 100
        sock.sendall(b"abc")
        assert answer(sock)[0] == 200


def test_a_body_that_drips_is_cut_off(hasty: Server) -> None:
    with hasty.open() as sock:
        sock.sendall(hasty.head("POST", "/x/form", "Content-Length: 1000"))
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 1000:
                sock.sendall(b"x")
                sent += 1
                time.sleep(0.01)
        assert sent < 1000


def test_a_body_that_stops_is_told_why(hasty: Server) -> None:
    with hasty.open() as sock:
        sock.sendall(hasty.head("POST", "/x/form", "Content-Length: 1000") + b"x")
        status, _, body = answer(sock)
        assert (status, json.loads(body)["error"]) == (408, "upload-too-slow")
        assert closed(sock)


def test_a_head_that_drips_is_cut_off(hasty: Server) -> None:
    with hasty.open() as second:
        second.sendall(hasty.head("GET", "/"))
        assert answer(second)[0] == 200
        drips_in_vain(hasty, second)


def drips_in_vain(server: Server, second: socket.socket) -> None:
    """On two new connections, and on this one that has been answered."""
    with server.open() as silent, server.open() as slow:
        for sock in (slow, second):
            sock.sendall(b"GET / HT")
        for sock in (silent, slow, second):
            sent = 0
            if sock is not silent:
                with contextlib.suppress(OSError):
                    while sent < 1000:
                        sock.sendall(b"T")
                        sent += 1
                        time.sleep(0.01)
            assert closed(sock) and sent < 1000


def test_an_endless_head_is_refused(server: Server) -> None:
    with server.open() as sock:
        assert send_on_and_on(sock, b"GET /" + b"x" * (1 << 16), 5 << 30) < 40 << 20


def test_too_many_connections_of_one_address(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        socks = [stack.enter_context(server.open()) for _ in range(40)]
        answered = 0
        for sock in socks:
            with contextlib.suppress(OSError):
                sock.sendall(server.head("GET", "/"))
                answered += answer(sock)[0] == 200
        assert 15 <= answered <= 20
    for _ in range(100):  # as soon as they are closed
        with server.open() as sock, contextlib.suppress(OSError):
            sock.sendall(server.head("GET", "/"))
            if answer(sock)[0] == 200:
                return
    raise AssertionError("no connection any more")


def test_streams_are_limited_and_their_places_free_again(server: Server) -> None:
    def stream() -> tuple[int, socket.socket]:
        sock = server.open()
        sock.sendall(server.head("GET", "/x/stream"))
        return answer(sock)[0], sock

    (one, first), (two, second), (three, third) = stream(), stream(), stream()
    assert (one, two, three) == (200, 200, 429)
    with first, second, third:
        third.sendall(server.head("GET", "/"))
        assert answer(third)[0] == 200, "the page itself is still there"
    status = 429
    for _ in range(200):
        status, sock = stream()
        sock.close()
        if status == 200:
            break
        time.sleep(0.01)
    assert status == 200


@pytest.mark.parametrize(
    "request_",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a browser that wants https
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST /x/form HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
    ],
)
def test_what_is_no_request(server: Server, request_: bytes) -> None:
    with server.open() as sock:
        sock.sendall(request_)
        assert answer(sock)[0] == 400
        assert closed(sock)


def test_headers_are_on_refusals_too_and_name_no_server(server: Server) -> None:
    with server.open() as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        status, headers, _ = answer(sock)
    assert status == 421 and "server" not in headers
    assert headers["x-content-type-options"] == "nosniff" and "default-src 'self'" in headers["content-security-policy"]


def test_on_ipv6(tmp_path: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 here")
    with serving(tmp_path, "::1") as server, server.open() as sock:
        page = server.head("GET", "/", "Accept: text/html").replace(server.cookie.encode(), b"x=y")
        sock.sendall(page)
        status, headers, _ = answer(sock)
        assert status == 200 and headers["set-cookie"].startswith("brettblick=1.")
