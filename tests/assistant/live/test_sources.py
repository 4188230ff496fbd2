"""Sources of frames: what they give, and what is said when they give nothing."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

import cv2
import pytest

from assistant.live import webcams
from assistant.live.sources import HELD_RATE, HOLD, SourceError, Video, open_source
from assistant.live.streams import shown
from assistant.texts import LANGUAGES, Texts
from tests.assistant.live.cameras import camera, number_of, picture, turned, uneven, write_video

LINUX = sys.platform == "linux"


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_video(tmp_path_factory.mktemp("film") / "film.mp4", 12)


def refused(text: str | Path) -> SourceError:
    with pytest.raises(SourceError) as caught:
        open_source(str(text))
    for language in LANGUAGES:
        assert Texts(language).has(f"error.{caught.value.code}")
        assert "\n" not in Texts(language).error(caught.value)
    assert caught.value.exit_code != 0
    return caught.value


# Files


def test_a_video_has_all_its_frames_with_their_times(film: Path) -> None:
    source = open_source(str(film))
    frames = list(source.frames())
    source.close()
    source.close()
    assert (source.name, source.live) == ("film.mp4", False)
    assert [number_of(frame.pixels) for frame in frames] == list(range(12))
    assert [frame.time for frame in frames] == pytest.approx([k / 10 for k in range(12)], abs=1e-6)


def test_only_what_is_wanted_is_given(film: Path) -> None:
    frames = list(open_source(str(film)).frames(lambda time: time > 0.85))
    assert [number_of(frame.pixels) for frame in frames] == [9, 10, 11]


def test_of_a_film_of_jpegs_too_only_what_is_wanted_is_given(tmp_path: Path) -> None:
    path, asked = write_video(tmp_path / "film.avi", 12, kind="MJPG"), []

    def wanted(time: float) -> bool:
        asked.append(time)
        return len(asked) % 4 == 0

    frames = list(open_source(str(path)).frames(wanted))
    assert asked == pytest.approx([k / 10 for k in range(12)], abs=1e-6)
    assert [(number_of(frame.pixels), round(frame.time, 6)) for frame in frames] == [(3, 0.3), (7, 0.7), (11, 1.1)]
    part = tmp_path / "part.avi"
    part.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    some = list(open_source(str(part)).frames(lambda time: True))
    whole = [number_of(frame.pixels) for frame in some][:-1]  # the last one was cut through
    assert whole == list(range(len(whole))) and 5 <= len(whole) <= 8


def test_a_video_with_an_uneven_rate(film: Path, tmp_path: Path) -> None:
    """As phones film: the times are those of the file, not a count of frames."""
    seconds = [0.05, 0.3, 0.02, 1.5, 0.1, 0.1, 0.7, 0.04, 0.04, 0.04, 0.5, 0.2]
    frames = list(open_source(str(uneven(film, tmp_path / "uneven.mp4", seconds))).frames())
    assert [number_of(frame.pixels) for frame in frames] == list(range(12))
    assert [frame.time for frame in frames] == pytest.approx([sum(seconds[:k]) for k in range(12)], abs=2e-3)


def test_a_video_is_turned_upright(tmp_path: Path) -> None:
    """The flag says: a quarter clockwise. The mark in the top left corner comes to the top right one."""
    pixels = picture(3)
    pixels[:60, :80] = 255
    path = tmp_path / "flat.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (320, 240))
    for _ in range(3):
        writer.write(pixels)
    writer.release()
    (first, *_) = open_source(str(turned(path, tmp_path / "turned.mp4"))).frames()
    assert first.pixels.shape == (320, 240, 3)
    assert first.pixels[20:60, 200:].mean() > 240 and first.pixels[20:60, :40].mean() < 100


@pytest.mark.parametrize("kind", ["film.avi MJPG", "film.mkv mp4v", "film.webm VP80"])
def test_other_kinds_of_video(kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name, code = kind.split()
    path = write_video(tmp_path / name, 6, kind=code)
    capfd.readouterr()
    frames = list(open_source(str(path)).frames())
    assert [number_of(frame.pixels) for frame in frames] == list(range(6))
    assert frames[-1].time == pytest.approx(0.5, abs=2e-3)
    assert capfd.readouterr() == ("", "")


def test_a_video_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole = write_video(tmp_path / "whole.avi", 100, kind="MJPG")
    (tmp_path / "part.avi").write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    capfd.readouterr()
    part = open_source(str(tmp_path / "part.avi"))
    assert isinstance(part, Video)
    count = len(list(part.frames()))
    assert 40 < count < 60 and part.cut_off == pytest.approx(10 - count / 10, abs=0.3)
    full = open_source(str(whole))
    assert isinstance(full, Video) and len(list(full.frames())) == 100 and full.cut_off == 0
    assert capfd.readouterr() == ("", "")


def test_what_is_no_video(film: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.mp4").write_text("Hallo " * 1000, encoding="utf-8")
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "part.mp4").write_bytes(film.read_bytes()[:-1000])
    (tmp_path / "folder").mkdir()
    assert refused(tmp_path / "text.mp4").code == "not-a-video"
    assert refused(tmp_path / "empty.mp4").code == "video-damaged"
    assert refused(tmp_path / "part.mp4").code == "video-damaged"
    assert refused(tmp_path / "missing.mp4").code == "missing-file"
    assert refused("concat:a.mp4|b.mp4").code == "missing-file"
    if LINUX:
        os.mkfifo(tmp_path / "pipe.mp4")
        assert refused(tmp_path / "pipe.mp4").code == "not-a-video", "nobody writes into it"
    with pytest.raises(Exception, match="no photos") as caught:
        open_source(str(tmp_path / "folder"))
    assert getattr(caught.value, "code", "") == "empty-folder"
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder into which other users may look."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def code_as_nobody(text: str) -> str:
    """The code with which a source is refused to a user without rights, whoever runs the tests (Linux)."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresuid(65534, 65534, 65534)
            open_source(text)
        except SourceError as error:
            os.write(writing, error.code.encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)  # not one of another test
    with os.fdopen(reading) as said:
        return said.read()


@pytest.mark.skipif(not LINUX, reason="Linux only")
def test_a_video_that_may_not_be_read(film: Path, open_folder: Path) -> None:
    path = Path(shutil.copy(film, open_folder / "film.mp4"))
    path.chmod(0)
    assert code_as_nobody(str(path)) == "no-permission"


# Folders


def written(folder: Path, name: str, number: int) -> Path:
    path = folder / name
    cv2.imwrite(str(path), picture(number))
    return path


def test_a_folder_of_pictures_each_held(tmp_path: Path) -> None:
    for name, number in (("b.png", 2), ("a.png", 1), ("c.jpg", 3)):
        os.utime(written(tmp_path, name, number), (5e8, 5e8))
    source = open_source(str(tmp_path), hold=2.0)
    frames = list(source.frames())
    assert not source.live
    assert [number_of(frame.pixels) for frame in frames] == [1] * 10 + [2] * 10 + [3] * 10
    assert [frame.time for frame in frames] == pytest.approx([k / HELD_RATE for k in range(30)])
    assert len(list(open_source(str(tmp_path)).frames())) == 3 * HOLD * HELD_RATE, "their own times make no film"


def test_files_that_were_copied_one_after_the_other_make_no_film(tmp_path: Path) -> None:
    for k, at in enumerate((0, 0.004, 0.21)):
        os.utime(written(tmp_path, f"{k}.png", k), (5e8 + at, 5e8 + at))
    assert len(list(open_source(str(tmp_path)).frames())) == 3 * HOLD * HELD_RATE


def test_a_folder_of_pictures_with_times(tmp_path: Path) -> None:
    for k, at in enumerate((0, 1, 3)):
        os.utime(written(tmp_path, f"{k}.png", k), (5e8 + at, 5e8 + at))
    frames = list(open_source(str(tmp_path)).frames())
    numbers = [number_of(frame.pixels) for frame in frames]
    assert [frames[numbers.index(k)].time for k in range(3)] == [0, 1, 3]


def test_one_picture(tmp_path: Path) -> None:
    frames = list(open_source(str(written(tmp_path, "a.png", 4)), hold=1.0).frames())
    assert [number_of(frame.pixels) for frame in frames] == [4] * 5


# Webcams


@pytest.mark.skipif(not LINUX, reason="Linux only")
def test_cameras_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webcams, "DEVICES", tmp_path)
    assert refused("0").code == "no-cameras"
    for name in ("video2", "video10", "videoX", "vcs"):
        (tmp_path / name).touch()
    error = refused("/dev/video7")
    assert error.code == "no-such-camera"
    assert error.details["there"] == f"2 ({tmp_path}/video2), 10 ({tmp_path}/video10)"


@pytest.mark.skipif(not LINUX, reason="Linux only")
def test_a_camera_without_permission(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the devices are for who is not in the group video."""
    monkeypatch.setattr(webcams, "DEVICES", open_folder)
    (open_folder / "video0").touch(0)
    assert code_as_nobody("0") == "camera-not-allowed"
    error = SourceError("no", code="camera-not-allowed", camera="/dev/video0", user="anna")
    assert "sudo usermod -aG video anna" in Texts("de").error(error)


@pytest.mark.skipif(not LINUX, reason="Linux only")
def test_a_camera_that_another_program_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other program is a real process that has the device open."""
    monkeypatch.setattr(webcams, "DEVICES", tmp_path)
    device = tmp_path / "video0"
    device.touch()
    assert refused("0").code == "camera-no-picture", "no V4L2 device; nobody else has it"
    code = "import sys; file = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    other = subprocess.Popen(
        [sys.executable, "-c", code, device], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout is not None and other.stdout.readline() == "open\n"
        error = refused("0")
        assert error.code == "camera-in-use"
        assert f"({other.pid})" in str(error.details["program"]) and "python" in str(error.details["program"])
    finally:
        other.communicate()
    assert webcams.users_of(device) == []


# Streams


@pytest.mark.parametrize("lengths", [True, False])
def test_an_mjpeg_stream(lengths: bool) -> None:
    with camera(lengths=lengths, rate=200) as one:
        source = open_source(one.url)
        frames = list(islice(source.frames(), 10))
        source.close()
    assert source.live and source.name == one.url
    first = number_of(frames[0].pixels)
    assert [number_of(frame.pixels) for frame in frames] == [(first + k) % 20 for k in range(10)]
    times = [frame.time for frame in frames]
    assert times == sorted(times) and abs(times[-1] - time.monotonic()) < 60


def test_frames_of_a_stream_that_nobody_wants_are_passed_over() -> None:
    with camera(rate=200) as one:
        source = open_source(one.url)
        asked = []
        frames = source.frames(lambda at: asked.append(at) or len(asked) % 5 == 0)  # type: ignore[func-returns-value]
        numbers = [number_of(frame.pixels) for frame in islice(frames, 3)]
        source.close()
    assert [(b - a) % 20 for a, b in pairwise(numbers)] == [5, 5]


def test_a_camera_that_gives_one_picture_an_answer() -> None:
    with camera() as one:
        source = open_source(one.url.replace("video", "shot.jpg"))
        assert [number_of(frame.pixels) for frame in islice(source.frames(), 3)] == [0, 1, 2]
        source.close()


def test_name_and_password() -> None:
    with camera(password="anna:geheim", rate=200) as one:
        error = refused(one.url)
        assert error.code == "stream-not-allowed"
        source = open_source(one.url.replace("//", "//anna:geheim@"))
        assert next(iter(source.frames())).pixels.shape == (240, 320, 3)
        assert source.name == one.url, "the password is not shown"
        source.close()
        assert refused(one.url.replace("//", "//anna:falsch@")).message.count("falsch") == 0


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/", "stream-is-a-page"),
        ("/nix", "stream-not-found"),
        ("/403", "stream-not-allowed"),
        ("/500", "stream-status"),
    ],
)
def test_addresses_that_answer_something_else(path: str, code: str) -> None:
    with camera() as one:
        assert refused(one.url.replace("/video", path)).code == code


def test_a_stream_of_nonsense_is_cut_off() -> None:
    with camera() as one:
        source = open_source(one.url.replace("video", "nonsense"))
        with pytest.raises(SourceError) as caught:
            list(source.frames())
        assert caught.value.code == "stream-no-video"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_an_address_without_anybody(scheme: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert refused(f"{scheme}://127.0.0.1:{free_port()}/video").code == "stream-no-answer"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"RTSP/1.0 404 Not Found\r\nCSeq: 1\r\n\r\n", "stream-not-found"),
        (b"RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\n\r\n", "stream-not-allowed"),
        (b"SSH-2.0-OpenSSH\r\n", "stream-no-video"),
    ],
)
def test_what_an_rtsp_server_may_say(answer: bytes, code: str, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    sock, _ = server.accept()
                except OSError:
                    return
                with sock:
                    sock.recv(4096)
                    sock.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        assert refused(f"rtsp://127.0.0.1:{server.getsockname()[1]}/live").code == code
        server.shutdown(socket.SHUT_RDWR)
    assert capfd.readouterr() == ("", "")


def test_addresses_that_are_none() -> None:
    assert refused("ftp://192.168.1.20/video").code == "stream-scheme"
    assert refused("concat://a").code == "stream-scheme"
    assert refused("file:///etc/passwd").code == "stream-scheme"
    assert refused("http://").code == "stream-bad-address"
    assert refused("http://[::").code == "stream-bad-address"
    assert refused("http://name:secret@host:99999/").message.count("secret") == 0
    assert shown("http://name:secret@host/video?x=1") == "http://host/video?x=1"


def test_a_source_closed_by_another_thread_ends() -> None:
    with camera() as one:
        source = open_source(one.url)
        one.mode = "silent"
        threading.Timer(0.3, source.close).start()
        with pytest.raises(SourceError) as caught:
            list(source.frames())
        assert caught.value.code == "stream-lost"


def test_two_readers_of_one_camera() -> None:
    with camera(rate=100) as one:
        first, second = open_source(one.url), open_source(one.url)
        assert len(list(islice(first.frames(), 3))) == len(list(islice(second.frames(), 3))) == 3
        first.close()
        second.close()
