"""`brettblick watch`, as a process: what a camera sees becomes the game that the page shows, whatever is pulled out."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from assistant.cli import main
from assistant.live.client import Connection
from assistant.store.store import Store
from assistant.table.history import fold
from assistant.table.setup import Setup
from bench.served import Server
from models.table.camera import Camera
from models.table.demo import boards, demo_params, framed
from models.table.scene import render
from tests.assistant.live.cameras import NetworkCamera, noisy
from vision.pixels import Pixels

ROOT = Path(__file__).resolve().parents[3]

WIDTH, HEIGHT = 960, 720

PATIENCE = 300.0
"""Seconds at most; everything here happens within a few."""


@pytest.fixture(scope="module")
def scenes() -> list[Pixels]:
    """The board before the first move, after it (HÜTTE) and after the second (FREUNDIN); the camera stands still."""
    out = []
    for turn in (0, 1, 2):
        params = demo_params(2)[turn]
        camera = framed(Camera(12, 70, 2.0, 30, 36), params.edition.aspect, WIDTH, HEIGHT)
        out.append(render(replace(params, filling=boards()[turn], camera=camera)).pixels)
    return out


class Watching:
    """The command in a process of its own; said: what it has printed so far."""

    def __init__(self, *words: str | Path) -> None:
        self.said = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assistant", "watch", *map(str, words)],
            cwd=ROOT,
            env={**os.environ, "BRETTBLICK_LANG": "en", "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line

    def until(self, wanted: str, after: int = 0) -> int:
        """Where in what it says this comes next."""
        end = time.monotonic() + PATIENCE
        while (at := self.said.find(wanted, after)) < 0:
            assert time.monotonic() < end and self.process.poll() is None, f"no {wanted!r} in:\n{self.said}"
            time.sleep(0.05)
        return at + len(wanted)

    def end(self, number: int | None = None) -> int:
        """The exit status; number: of a signal that ends it."""
        if number is not None:
            self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self._thread.join(PATIENCE)
        return status


@contextlib.contextmanager
def watching(*words: str | Path) -> Iterator[Watching]:
    one = Watching(*words)
    try:
        yield one
    finally:
        one.process.kill()
        one.process.wait()


def games(folder: Path) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Of each game its players and their points."""
    with contextlib.closing(Store.open(folder)) as store:
        kept = [(Setup.from_json(head.setup), store.load(head.id).rows) for head in store.games()]
        return [(setup.players, fold(setup, rows).state.totals) for setup, rows in kept]


def test_a_film_becomes_the_game_that_the_page_shows(scenes: list[Pixels], tmp_path: Path) -> None:
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 5, (WIDTH, HEIGHT))
    for scene in scenes[:2]:
        for _ in range(15):
            film.write(noisy(scene))
    film.release()
    words = ["--calm", "0.6", "--settle", "1", "--players", "Anna,Bernd", "--until-end", "--port", "0", "--https"]
    words += ["--timelapse", str(tmp_path / "lapse.avi")]
    with watching(tmp_path / "film.avi", *words, "--data", tmp_path / "data") as watch:
        assert watch.end() == 0, watch.said
    assert "Counts: Anna: " in watch.said and "HÜTTE" in watch.said and "The video has ended." in watch.said
    assert "https://127.0.0.1" in watch.said and "Traceback" not in watch.said
    assert games(tmp_path / "data") == [(("Anna", "Bernd"), (22, 0))], "HÜTTE: 11 points on a double word square"
    lapse = cv2.VideoCapture(str(tmp_path / "lapse.avi"))
    assert (lapse.get(cv2.CAP_PROP_FRAME_WIDTH), lapse.get(cv2.CAP_PROP_FRAME_HEIGHT)) == (640, 480)
    assert 2 <= lapse.get(cv2.CAP_PROP_FRAME_COUNT) <= 6


def test_server_and_camera_go_and_come_back(scenes: list[Pixels], tmp_path: Path) -> None:
    """The server that runs already is used; it is killed while a move is laid, and hears of it when it is back. Then
    the camera is pulled out and put back."""
    camera = NetworkCamera(rate=10)
    camera.mode, camera.scene = "scene", scenes[0]
    try:
        with (
            Server(tmp_path / "data") as server,
            watching(
                camera.url, "--data", tmp_path / "data", "--port", str(server.port), "--calm", "0.6", "--players", "A,B"
            ) as watch,
        ):
            watch.until("running here already")
            at = watch.until("Calm.")
            camera.scene = scenes[1]
            at = watch.until("Counts: A: ", at)
            server.kill()
            at = watch.until("The server does not answer.", at)
            camera.scene = scenes[2]
            at = watch.until("Calm.", at)
            server.start()
            at = watch.until("The server is back.", at)
            at = watch.until("Counts: B: ", at)
            camera.close()
            watch.until("no picture comes any more", at)
            camera = NetworkCamera(camera.port, rate=10)
            camera.mode, camera.scene = "scene", scenes[2]
            watch.until("The camera is back.", at)
            assert watch.end(signal.SIGTERM) == 0, watch.said
            assert server.process is not None and server.process.poll() is None, "the server goes on"
    finally:
        camera.close()
    assert "Traceback" not in watch.said and watch.said.rstrip().endswith("No longer watching.")
    assert games(tmp_path / "data") == [(("A", "B"), (22, 71))], "FREUNDIN: 21 points, and 50 for all seven tiles"


def test_a_game_that_goes_on_keeps_its_rules_and_ends_when_it_is_deleted(scenes: list[Pixels], tmp_path: Path) -> None:
    camera = NetworkCamera(rate=10)
    camera.mode, camera.scene = "scene", scenes[0]
    words: list[str | Path] = [camera.url, "--data", tmp_path / "data", "--port", "0", "--until-end"]
    try:
        with watching(*words, "--players", "A,B") as first:
            first.until("Calm.")
            assert first.end(signal.SIGTERM) == 0 and "only for new games" not in first.said
        with watching(*words, "--rules", "familie", "--lexicon", "none") as watch:
            watch.until("--rules, --lexicon: only for new games")
            watch.until("Calm.")
            found = re.search(r"(http://[0-9.:]+)/games/(\S+)", watch.said)
            assert found is not None, watch.said
            connection = Connection(found[1])
            connection.call("POST", f"/api/games/{found[2]}/delete")
            connection.close()
            watch.until("The game is deleted: nothing more is watched.")
            assert watch.end() == 0, watch.said
    finally:
        camera.close()
    assert games(tmp_path / "data") == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("missing.mp4", "missing.mp4: no such file"),
        ("http://127.0.0.1:{port}/video", "nobody answers there"),
        ("text.mp4", "this is no video"),
    ],
)
def test_a_source_that_is_not_there(source: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.mp4").write_text("Hallo " * 100, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    source = source.format(port=free) if "://" in source else str(tmp_path / source)
    assert main(["--lang", "en", "watch", source, "--data", str(tmp_path / "data"), "--port", "0"]) == 3
    captured = capsys.readouterr()
    assert said in captured.err and captured.err.count("\n") == 1 and captured.out == ""
    assert not (tmp_path / "data").exists(), "no game was begun"


def test_another_program_on_the_port(scenes: list[Pixels], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not taken for Brettblick, and leaves no empty game behind."""
    cv2.imwrite(str(tmp_path / "a.png"), scenes[0])
    other = NetworkCamera()
    try:
        words = [str(tmp_path / "a.png"), "--data", str(tmp_path / "data"), "--port", str(other.port)]
        assert main(["--lang", "en", "watch", *words]) == 2
    finally:
        other.close()
    assert f"Port {other.port} is taken" in capsys.readouterr().err
    assert games(tmp_path / "data") == []
