"""The running server when the disk fails, when it is told to stop, and when it cannot start."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from bench.killed import kept_in
from bench.served import ROOT, Phone, Server, head, request_id
from tests.assistant.web.demo_game import confirmed

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs what only Linux has")

NO_ROOT = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--")
"""Without these even root may not write where the permissions forbid it."""

MOVES = ("H4 FIRNS", "5H INNE", "M1 TAGE", "8A ROTE")


def as_anybody() -> tuple[str, ...]:
    """What a command is begun with so that it obeys permissions."""
    if os.geteuid() != 0:
        return ()
    if not shutil.which("setpriv") or subprocess.run([*NO_ROOT, "true"], capture_output=True).returncode:
        pytest.skip("root may write everywhere here")
    return NO_ROOT


# --- a disk that fails --------------------------------------------------------------------------------------------


@linux
def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path, demo_photos: list[Path]) -> None:
    """A disk in memory of 6 MB, filled to the last byte, again and again."""
    disk = tmp_path / "disk"
    disk.mkdir()
    apart = ["unshare", "-rm", "sh", "-c"]
    mount = f"mount -t tmpfs -o size=6m none {disk}"
    if not shutil.which("unshare") or subprocess.run([*apart, mount], capture_output=True).returncode:
        pytest.skip("no disk in memory can be had here")
    server = Server(disk / "data", prefix=(*apart, f'{mount} && exec "$@"', "sh"), log=tmp_path / "log")
    with server, Phone(server.base) as phone:
        seen = Path(f"/proc/{server.pid}/root{disk}")
        game = phone.new_game()
        assert confirmed(phone, game, demo_photos[1]) == 2
        for number in (2, 3):
            before = phone.view(game)
            fill(seen / "filler")
            photo, again = demo_photos[number].read_bytes(), request_id()
            told(phone.photo(game, photo, request=again), 507, "store-full", "kein Platz mehr")
            told(till_refused(phone), 507, "store-full", "kein Platz mehr")
            for _ in range(200):  # what is free within the file's last pages is still used up
                answer = phone.act(game, "announce", ref=1, points=21)
                if answer.status_code != 200:
                    break
            told(answer, 507, "store-full", "kein Platz mehr")
            assert [line["text"] for line in phone.view(game)["sheet"]] == [line["text"] for line in before["sheet"]]
            kept = kept_in(seen / "data")
            assert len(kept.rows[game]) == phone.view(game)["version"] and len(kept.photos) == number - 1
            (seen / "filler").unlink()
            assert phone.photo(game, photo, request=again).status_code == 200
            phone.done(game, "confirm")
            assert len(phone.view(game)["sheet"]) == number
            assert not [*(seen / "data" / "incoming").iterdir()]
        assert "Traceback" not in server.log.read_text()


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(512))


def till_refused(phone: Phone) -> httpx.Response:
    """The first answer that is none to requests for new games."""
    for _ in range(100):
        data = {"request": request_id(), "players": ["A", "B"]}
        answer = phone.post("/api/games", json=data)
        if answer.status_code != 201:
            break
    return answer


def told(answer: httpx.Response, status: int, code: str, text: str) -> None:
    """The answer is this error, said in words."""
    assert answer.status_code == status, answer.text
    assert answer.json()["error"] == code and text in answer.json()["message"]


@linux
def test_files_that_may_not_grow(tmp_path: Path, demo_photos: list[Path]) -> None:
    """The system refuses to make any file longer than it is: of photos, of uploads, of the database."""
    folder = tmp_path / "data"
    with Server(folder) as server, Phone(server.base) as phone:
        game = phone.new_game()
        version = confirmed(phone, game, demo_photos[1])
        limits = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (10_000, limits[1]))
        photo, again = demo_photos[2].read_bytes(), request_id()
        told(phone.photo(game, photo, request=again), 507, "store-full", "kein Platz mehr")
        answer = phone.act(game, "pass", version, "the same id")
        told(answer, 500, "store-failed", "Alles, was bestätigt war, bleibt erhalten.")
        answer = phone.act(game, "clock", do="start")
        told(answer, 500, "store-failed", "Alles, was bestätigt war, bleibt erhalten.")
        assert phone.view(game)["clock"]["running"] is None, "what is refused is not done"
        assert phone.view(game)["version"] == version and phone.view(game)["proposal"] is None
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)
        for _ in range(2):
            assert phone.photo(game, photo, events=1, request=again).status_code == 200
        phone.done(game, "drop")
        assert phone.act(game, "pass", version + 2, "the same id").status_code == 200
        server.kill()
        assert [kind for kind, _, _ in kept_in(folder).rows[game]] == ["photo", "event", "photo", "dropped", "event"]
        assert "Traceback" not in server.log.read_text()


@linux
def test_a_folder_that_may_only_be_read(tmp_path: Path, demo_photos: list[Path]) -> None:
    folder = tmp_path / "data"
    with Server(folder, prefix=as_anybody()) as server, Phone(server.base) as phone:
        game = phone.new_game()
        version = confirmed(phone, game, demo_photos[1])
        photo, again = demo_photos[2].read_bytes(), request_id()
        for part in (folder / "incoming", folder / "photos" / "new"):
            part.chmod(0o500)
            answer = phone.photo(game, photo, request=again)
            told(answer, 503, "store-read-only", "Hier lässt sich nichts speichern")
            part.chmod(0o700)
            assert phone.view(game)["version"] == version and phone.view(game)["proposal"] is None
        assert phone.photo(game, photo, request=again).status_code == 200
        assert "Traceback" not in server.log.read_text()
    (folder / "incoming" / "left by a crash").write_bytes(b"")
    for part in (folder, folder / "incoming"):
        part.chmod(0o500)
        assert "Hier lässt sich nichts speichern" in does_not_start(folder)
        part.chmod(0o700)
    with Server(folder) as server, Phone(server.base) as phone:
        assert not [*(folder / "incoming").iterdir()]
        phone.done(game, "confirm")
        assert [line["text"] for line in phone.view(game)["sheet"]] == ["H6 HÜTTE", "10F FREUNDIN"]


# --- stopped ------------------------------------------------------------------------------------------------------


def longest_stop(begun: float) -> float:
    """Two seconds; on a machine that has just taken more than one to start it since then, twice as long."""
    return max(2.0, 2 * (time.monotonic() - begun))


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_it_stops_within_two_seconds(number: signal.Signals, tmp_path: Path, demo_photos: list[Path]) -> None:
    """With streams open, a photo that is being read and another on its way; the clock runs."""
    folder, begun = tmp_path / "data", time.monotonic()
    with Server(folder) as server, contextlib.ExitStack() as stack:
        most = longest_stop(begun)
        phone, other = stack.enter_context(Phone(server.base)), stack.enter_context(Phone(server.base))
        game = phone.new_game(clock_minutes=25)
        phone.done(game, "clock", do="start")
        version = confirmed(phone, game, demo_photos[1])
        streams = [stack.enter_context(one.stream(game)) for one in (phone, phone, other)]
        slow = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        length = {"Content-Length": "1000000", "Cookie": f"brettblick={phone.cookie}"}
        slow.sendall(head("POST", f"/api/games/{game}/photo", server.port, length) + b"half of it")
        workers = server.workers
        for pid in workers:  # it is reading, and will for ever
            os.kill(pid, signal.SIGSTOP)
        asked = request_id()
        answers: list[int] = []

        def upload() -> None:
            with contextlib.suppress(httpx.HTTPError):
                answers.append(other.photo(game, demo_photos[2].read_bytes(), 1, asked).status_code)

        uploading = threading.Thread(target=upload)
        uploading.start()
        while not [*(folder / "incoming").glob("*")]:
            assert uploading.is_alive(), answers
            time.sleep(0.01)
        used = phone.view(game)["players"][1]["clock"]["used_ms"]
        status, seconds = server.stop(number)
        print(f"stopped in {seconds:.2f} s")
        assert status == 0 and seconds < most, (status, seconds, most, server.log.read_text())
        assert all(stream.ended.wait(5) for stream in streams)
        uploading.join()
        assert answers == [] or answers[0] >= 400
        assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
        assert "Traceback" not in server.log.read_text()
        server.start()
        view = stack.enter_context(Phone(server.base)).view(game)
        assert view["version"] == version and [line["text"] for line in view["sheet"]] == ["H6 HÜTTE"]
        assert view["clock"]["paused"] and view["players"][1]["clock"]["used_ms"] >= used
        assert Phone(server.base).photo(game, demo_photos[2].read_bytes(), 1, asked).status_code == 200
        server.kill()
    assert len(kept_in(folder).rows[game]) == version + 1


def test_it_stops_as_soon_as_it_has_begun(tmp_path: Path) -> None:
    server, begun = Server(tmp_path / "data"), time.monotonic()
    server.start()
    most = longest_stop(begun)
    status, seconds = server.stop()
    assert status == 0 and seconds < most, (status, seconds, most)
    assert "Traceback" not in server.log.read_text()


# --- not started --------------------------------------------------------------------------------------------------


def does_not_start(folder: Path, *words: str, port: int = 0) -> str:
    """The one line that it says."""
    command = [*as_anybody(), sys.executable, "-m", "assistant", "serve", "--port", str(port), "--data", str(folder)]
    env = {**os.environ, "BRETTBLICK_LANG": "de"}
    done = subprocess.run([*command, *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode not in (0, 1) and done.stdout == "", done
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def test_the_port_is_taken(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        line = does_not_start(tmp_path / "other", port=server.port)
        assert str(server.port) in line and "belegt" in line
        assert not (tmp_path / "other").exists()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Of a server that has run."""
    with Server(tmp_path / "data"):
        pass
    yield tmp_path / "data"


def test_what_it_needs_is_damaged(folder: Path) -> None:
    """Each line names the file; nothing is changed."""
    secret, games = (folder / "secret").read_bytes(), (folder / "games.sqlite3").read_bytes()
    (folder / "secret").write_bytes(b"short")
    assert "secret" in does_not_start(folder) and (folder / "secret").read_bytes() == b"short"
    (folder / "secret").write_bytes(secret)
    (folder / "games.sqlite3").write_bytes(b"no database, but a text that is long enough to be one" * 100)
    assert "beschädigt" in does_not_start(folder)
    (folder / "games.sqlite3").write_bytes(games)
    with contextlib.closing(sqlite3.connect(folder / "games.sqlite3")) as file:
        file.execute("UPDATE brettblick_schema SET version = 999")
        file.commit()
    assert "neueres Brettblick" in does_not_start(folder)


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "file" in does_not_start(tmp_path / "file" / "data")


@pytest.mark.parametrize("url", ["nonsense", "postgresql+psycopg://nobody@127.0.0.1:1/games"])
def test_a_database_that_is_not_there(url: str, tmp_path: Path) -> None:
    assert "Datenbank" in does_not_start(tmp_path / "data", "--database", url)
