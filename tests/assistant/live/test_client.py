"""What is told to a server: all that is to be read, in its order, of the rest the newest; whatever the server does."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from assistant.live import client as client_module
from assistant.live.client import Answer, Away, Back, Connection, Reporter, ServerError
from assistant.web.live_wire import Frame, frame_of
from tests.assistant.live.cameras import number_of, picture
from vision.geometry import Corners
from vision.live.sight import Look, Place, Sight, ViewAdvice, ViewItem

PATIENCE = 60.0


class TakingServer:
    """Takes frames as the real one does, and remembers them.

    refuse: (status, code) in place of an answer; asked: requests so far; answers: cleared while it only listens
    """

    def __init__(self, port: int = 0) -> None:
        self.frames: list[Frame] = []
        self.states: list[Any] = []
        self.opened = 0
        self.answer: dict[str, Any] = {"press": False, "again": None, "outcome": None, "stop": False}
        self.refuse: tuple[int, str] | None = None
        self.slow = 0.0
        self.asked = 0
        self.answers = threading.Event()
        self.answers.set()
        self.closed = False
        taking = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                taking.opened += 1
                self._say(200, "page", "Set-Cookie: brettblick=7; Path=/")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if taking.closed:  # a connection that was open
                    self.close_connection = True
                    return None
                own = self.headers["X-Brettblick"] == "1" and self.headers["Origin"] == taking.base
                cookies = self.headers["Cookie"] or ""
                if not own or "brettblick=7" not in cookies or "lang=en" not in cookies:
                    return self._say(403, json.dumps({"error": "not-joined", "message": "Join first."}))
                taking.asked += 1
                time.sleep(taking.slow)
                taking.answers.wait(PATIENCE)
                if taking.refuse is not None:
                    status, code = taking.refuse
                    return self._say(status, json.dumps({"error": code, "message": f"Words of {code}."}))
                if self.path == "/api/games/g1/live/state":
                    taking.states.append(json.loads(body)["trouble"])
                    return self._say(200, "{}")
                assert self.path == "/api/games/g1/live/frame"
                head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
                parts = {
                    one.get_param("name", header="content-disposition"): one.get_payload(decode=True)
                    for one in BytesParser().parsebytes(head + body).get_payload()
                }
                taking.frames.append(frame_of(parts["frame"], parts["meta"].decode()))
                self._say(200, json.dumps(taking.answer))

            def _say(self, status: int, text: str, *more: str) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(text.encode())))
                for line in more:
                    self.send_header(*line.split(": "))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = self._server.server_address[1]
        self.base = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self) -> None:
        self.closed = True
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[TakingServer]:
    one = TakingServer()
    yield one
    one.close()


@pytest.fixture
def reporter(server: TakingServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reporter]:
    monkeypatch.setattr(client_module, "PAUSES", (0.02, 0.05))
    one = Reporter(Connection(server.base, "en"), "g1", "Webcam 0")
    one.start()
    yield one
    one.stop()


def until(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.01)


PLACE = Place(Corners.of([(200, 100), (1000, 100), (1000, 900), (200, 900)]), (1920, 1080), 0.01, True)
ADVICE = ViewAdvice((ViewItem("sharp", 0.04, 0.03, 0.8, True),))


def sight(at: float, **about: Any) -> Sight:
    return Sight(at, (1920, 1080), "calm", PLACE, calm_for=1.7, **about)


def look(at: float, number: int, pressed: bool = False) -> Sight:
    return sight(at, look=Look(picture(number, 1920, 1080), at - 0.2, 1.7, pressed, PLACE))


def news_of(reporter: Reporter) -> list[Any]:
    out = []
    while not reporter.news.empty():
        out.append(reporter.news.get())
    return out


def test_a_frame_is_shown_smaller_with_the_board_where_it_is(reporter: Reporter, server: TakingServer) -> None:
    reporter.see(picture(5, 1920, 1080), replace(sight(3.5, advice=ADVICE), bumped=True))
    until(lambda: len(server.frames) == 1)
    (frame,) = server.frames
    assert frame.size == (1280, 720) and frame.time == 3.5 and frame.look is None
    assert frame.camera.name == "Webcam 0" and frame.camera.source == reporter.source
    assert frame.told is not None and frame.told.corners is not None
    assert frame.told.corners.array == pytest.approx(PLACE.corners.array * 2 / 3, abs=0.01)
    assert (frame.told.state, frame.told.calm_for, frame.told.bumped) == ("calm", 1.7, True)
    assert frame.told.advice == ADVICE
    assert server.opened == 1, "the page is opened for its cookie once"


def test_what_is_to_be_read_keeps_its_size(reporter: Reporter, server: TakingServer) -> None:
    reporter.see(picture(0, 1920, 1080), look(4.0, 9, pressed=True))
    until(lambda: len(server.frames) == 1)
    (frame,) = server.frames
    assert frame.size == (1920, 1080) and frame.look is not None
    assert (frame.look.time, frame.look.calm_for, frame.look.pressed) == (3.8, 1.7, True)
    assert frame.look.place == PLACE
    assert number_of(decoded(frame.jpeg)) == 9, "the look's own picture, not the frame"


def decoded(jpeg: bytes) -> Any:
    import cv2
    import numpy as np

    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def test_what_the_server_answers(reporter: Reporter, server: TakingServer) -> None:
    server.answer = {"press": True, "again": 0.7, "outcome": {"kind": "wait", "text": "Wait"}, "stop": True, "x": 1}
    reporter.see(picture(0), sight(1.0))
    until(lambda: not reporter.news.empty())
    assert news_of(reporter) == [Answer(True, 0.7, {"kind": "wait", "text": "Wait"}, True)]


def test_of_the_frames_only_the_newest_is_sent(reporter: Reporter, server: TakingServer) -> None:
    server.answers.clear()
    reporter.see(picture(0), sight(0.0))
    until(lambda: server.asked == 1)
    for k in range(1, 30):
        reporter.see(picture(k), sight(k / 10))
    server.answers.set()
    until(lambda: reporter.idle)
    assert [frame.time for frame in server.frames] == [0.0, 2.9]


def test_nothing_that_is_to_be_read_is_lost_while_the_server_is_away(reporter: Reporter, server: TakingServer) -> None:
    reporter.see(picture(0), sight(0.0))
    until(lambda: len(server.frames) == 1)
    server.close()
    for k in (1, 2, 3):
        reporter.see(picture(0), look(float(k), k))
        reporter.see(picture(0), sight(k + 0.5))
    until(lambda: any(isinstance(one, Away) and one.code == "server-away" for one in news_of(reporter)))
    again = TakingServer(server.port)
    try:
        until(lambda: len(again.frames) >= 4)
        assert [frame.time for frame in again.frames[:4]] == [1.0, 2.0, 3.0, 3.5]
        assert [frame.look is not None for frame in again.frames[:4]] == [True, True, True, False]
        assert Back() in news_of(reporter)
    finally:
        reporter.stop()
        again.close()


@pytest.mark.parametrize(
    ("refuse", "kept"),
    [
        ((503, "busy"), True),
        ((429, "too-many-requests"), True),
        ((400, "bad-request"), False),
        ((409, "already-watched"), False),
        ((404, "no-such-game"), False),
    ],
)
def test_what_a_server_refuses(refuse: tuple[int, str], kept: bool, reporter: Reporter, server: TakingServer) -> None:
    server.refuse = refuse
    reporter.see(picture(0), look(1.0, 1))
    until(lambda: not reporter.news.empty())
    assert news_of(reporter)[0] == Away(refuse[1], f"Words of {refuse[1]}.")
    server.refuse = None
    reporter.see(picture(0), sight(2.0))
    until(lambda: bool(server.frames) and server.frames[-1].time == 2.0)
    assert [frame.time for frame in server.frames] == ([1.0, 2.0] if kept else [2.0])


def test_a_device_that_is_not_known_any_more_joins_again(server: TakingServer) -> None:
    connection = Connection(server.base, "en", cookies={"brettblick": "old"})
    assert connection.call("POST", "/api/games/g1/live/state", json={"trouble": "lost"}) == {}
    assert server.opened == 1 and server.states == ["lost"]
    server.refuse = (409, "changed-meanwhile")
    with pytest.raises(ServerError) as caught:
        connection.call("POST", "/api/games/g1/live/state", json={"trouble": None})
    assert (caught.value.said, caught.value.status, caught.value.message) == (
        "changed-meanwhile",
        409,
        "Words of changed-meanwhile.",
    )
    connection.close()


def test_how_the_source_is(reporter: Reporter, server: TakingServer) -> None:
    reporter.tell("frozen")
    until(lambda: server.states == ["frozen"])
    reporter.tell(None)
    until(lambda: server.states == ["frozen", None])


def test_what_is_to_be_read_is_sent_before_the_end(server: TakingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LAST_SECONDS", PATIENCE)
    server.slow = 0.1
    one = Reporter(Connection(server.base, "en"), "g1", "Webcam 0")
    one.start()
    one.see(picture(0), look(1.0, 1))
    one.stop()
    assert [frame.time for frame in server.frames] == [1.0]


def test_a_server_that_is_not_there_does_not_hold_up_the_end(server: TakingServer) -> None:
    server.close()
    one = Reporter(Connection(server.base, "en"), "g1", "Webcam 0")
    one.start()
    one.see(picture(0), look(1.0, 1))
    until(lambda: not one.news.empty())
    one.stop()
    with pytest.raises((httpx.HTTPError, RuntimeError)):
        one.connection.call("GET", "/")
