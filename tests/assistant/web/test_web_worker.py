"""Photos read in a process of their own: what it reads, and what it survives."""

from __future__ import annotations

import asyncio
import io
import os
import resource
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from assistant.web.worker import MEMORY, SECONDS, PhotoWorker
from calibration.corners_file import load_corners
from models.table.demo import boards, demo_params
from models.table.scene import Scene, render
from scorer.errors import BrettblickError
from scorer.tiles import GERMAN_102
from vision.geometry import Corners
from vision.observe import Observation

LINUX = sys.platform == "linux"

PATIENCE = 60.0
"""Seconds that a slow machine may take for what happens at once."""


@pytest.fixture(scope="module")
def worker() -> Iterator[PhotoWorker]:
    worker = PhotoWorker()
    worker.start()
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def scene() -> Scene:
    """The last position of the demo's game."""
    return render(replace(demo_params()[-1], filling=boards()[-1]))


@pytest.fixture(scope="module")
def photo(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos") / "ab12.jpg"
    cv2.imwrite(str(path), scene.pixels)
    return path


def observed(worker: PhotoWorker, path: Path, corners: Corners | None = None, **options: Any) -> Observation:
    return asyncio.run(worker.observe(path, corners, GERMAN_102, **options))


def done(worker: PhotoWorker, function: Callable[..., Any], *args: Any) -> Any:
    """The result of a job, or the code of its error."""
    try:
        return asyncio.run(worker.run(function, *args))
    except BrettblickError as error:
        return error.code


# Reading


def test_a_photo_is_read_without_its_pixels_coming_back(worker: PhotoWorker, scene: Scene, photo: Path) -> None:
    seen = observed(worker, photo)
    assert seen.reading is not None and seen.reading.rows == boards()[-1]
    assert seen.corners is not None and np.abs(seen.corners.array - scene.corners.array).max() < 3
    assert seen.photo is None and seen.board is not None and seen.name == str(photo)


def test_corners_tapped_by_hand_snap_to_the_grid(worker: PhotoWorker, scene: Scene, photo: Path) -> None:
    tapped = Corners.of(scene.corners.array + np.array([[15, -12], [-14, 10], [12, 14], [-10, -15]]))
    seen = observed(worker, photo, tapped)
    assert seen.reading is not None and seen.reading.rows == boards()[-1]
    assert seen.corners is not None and np.abs(seen.corners.array - scene.corners.array).max() < 3
    assert "corners-not-snapped" not in seen.warnings
    turned = observed(worker, photo, tapped.turned(1))
    assert turned.reading is not None and turned.reading.rows != boards()[-1], "as tapped, the side that is up too"


def test_a_profile_that_cannot_be_used_is_said(worker: PhotoWorker, photo: Path, tmp_path: Path) -> None:
    (tmp_path / "tiles.json").write_text("{}")
    for name, code in (("tiles.json", "bad-tile-profile"), ("none.json", "missing-file")):
        with pytest.raises(BrettblickError) as caught:
            observed(worker, photo, tile_profile=tmp_path / name)
        assert caught.value.code == code


# What is no photo


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def png(width: int, height: int, *chunks: bytes) -> bytes:
    head = chunk(b"IHDR", width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IEND", b"")


GREY = Image.fromarray(np.full((300, 400, 3), 120, np.uint8))
SCRIPT = b"<html><body><script>alert(document.cookie)</script></body></html>"
ZEROS = zlib.compress(bytes(64 << 20), 9)

NO_PHOTOS = {
    "empty": (b"", "unreadable-file"),
    "text": (b"hello", "unreadable-file"),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "unreadable-file"),
    "html": (SCRIPT, "unreadable-file"),
    "zip": (b"PK\x03\x04" + bytes(100), "unreadable-file"),
    "postscript": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n", "unreadable-file"),
    "half a jpeg": (saved(GREY, "JPEG")[:600], "unreadable-file"),
    "jpeg with a page inside": (saved(GREY, "JPEG", comment=SCRIPT) + SCRIPT, "no-board"),
    "page before a jpeg": (SCRIPT + saved(GREY, "JPEG"), "unreadable-file"),
    "png that says it is vast": (png(1 << 30, 1 << 30, chunk(b"IDAT", ZEROS)), "unreadable-file"),
    "png with too much text": (png(10, 10, chunk(b"zTXt", b"k\0\0" + ZEROS), chunk(b"IDAT", ZEROS)), "unreadable-file"),
    "bomb": (saved(Image.new("1", (14_000, 14_000)), "PNG"), "unreadable-file"),
    "small bomb": (saved(Image.new("1", (12_000, 12_000)), "PNG"), "too-large"),
    "large but no bomb": (saved(Image.new("L", (10_900, 10_900), 120), "PNG"), "no-board"),
    "one pixel": (saved(Image.new("RGB", (1, 1), "grey"), "PNG"), "no-board"),
    "a line": (saved(Image.new("RGB", (60_000, 1), "grey"), "PNG"), "no-board"),
    "animation": (saved(GREY, "GIF", save_all=True, append_images=[GREY] * 20), "no-board"),
}


@pytest.mark.parametrize("name", NO_PHOTOS)
def test_what_is_no_photo_is_refused_with_a_reason(worker: PhotoWorker, tmp_path: Path, name: str) -> None:
    data, reason = NO_PHOTOS[name]
    path = tmp_path / "ab12.jpg"
    path.write_bytes(data)
    before = worker.pid
    seen = observed(worker, path)
    assert (seen.found, seen.reason) == (False, reason), seen.error
    assert (seen.error is not None) == (reason != "no-board")
    assert worker.pid == before is not None, "it lives on"


# What it survives


def test_an_error_of_ours_arrives_whole(worker: PhotoWorker) -> None:
    with pytest.raises(BrettblickError) as caught:
        asyncio.run(worker.run(load_corners, Path("none.json")))
    error = caught.value
    assert error.code == "bad-corners-file" and error.details["path"] == Path("none.json") and error.hint


def test_any_other_error_costs_only_that_photo(worker: PhotoWorker, caplog: pytest.LogCaptureFixture) -> None:
    before = done(worker, os.getpid)
    assert done(worker, int, "no number") == "photo-too-hard"
    assert "ValueError: invalid literal" in caplog.text, "for whoever runs the server"
    assert done(worker, os.getpid) == before == worker.pid != os.getpid()


@pytest.mark.skipif(not LINUX, reason="memory is limited on Linux only")
def test_too_much_memory_is_refused(worker: PhotoWorker) -> None:
    before = done(worker, os.getpid)
    assert done(worker, bytearray, MEMORY) == "photo-too-hard"
    assert done(worker, os.getpid) == before
    assert done(worker, resource.getrlimit, resource.RLIMIT_AS) == (MEMORY, MEMORY)
    assert done(worker, resource.getrlimit, resource.RLIMIT_CORE) == (0, 0)
    assert 80 < done(worker, resource.getrlimit, resource.RLIMIT_CPU)[0] < 300, "it ends without us too"


@pytest.mark.skipif(not LINUX, reason="only Linux says how much memory a process has")
def test_a_process_that_keeps_memory_is_replaced(worker: PhotoWorker) -> None:
    before = done(worker, os.getpid)
    assert done(worker, exec, "import builtins; builtins.kept = b'x' * (600 << 20)") is None
    assert done(worker, os.getpid) not in (before, "photo-too-hard")


@pytest.mark.parametrize(
    ("function", "args"),
    [(os.abort, ()), (sys.exit, (0,))],
)
def test_a_crash_costs_only_that_photo(
    worker: PhotoWorker, function: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    before = done(worker, os.getpid)
    assert done(worker, function, *args) == "photo-too-hard"
    after = done(worker, os.getpid)
    assert isinstance(after, int) and after != before


def test_a_process_killed_between_two_photos_is_replaced(worker: PhotoWorker, photo: Path) -> None:
    before = done(worker, os.getpid)
    os.kill(before, signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE
    while (results := done(worker, os.getpid)) == "photo-too-hard" and time.monotonic() < deadline:
        pass  # it was still dying
    assert isinstance(results, int) and results != before
    assert observed(worker, photo).found


def test_a_process_killed_in_the_middle_is_replaced(worker: PhotoWorker, photo: Path) -> None:
    before = done(worker, os.getpid)

    async def go() -> str:
        job = asyncio.create_task(worker.run(time.sleep, 60))
        waiting = asyncio.create_task(worker.run(os.getpid))
        await asyncio.sleep(0.05)
        os.kill(before, signal.SIGKILL)
        with pytest.raises(BrettblickError) as caught:
            await job
        assert isinstance(await waiting, int), "the next one is done by the next process"
        return caught.value.code

    assert asyncio.run(go()) == "photo-too-hard"
    assert observed(worker, photo).found


def test_a_job_that_hangs_is_ended() -> None:
    worker = PhotoWorker()
    try:
        before = done(worker, os.getpid)
        worker.seconds = 0.3  # for this job alone: a busy machine may take as long for the others
        assert done(worker, pow, 3, 10**10) == "photo-too-hard"
        worker.seconds = SECONDS
        after = done(worker, os.getpid)
        assert isinstance(after, int) and after != before
        with pytest.raises(ProcessLookupError):
            os.kill(before, 0)
    finally:
        worker.close()


# Waiting


def test_only_so_many_wait() -> None:
    worker = PhotoWorker(waiting=2)

    async def go() -> list[str]:
        jobs = [asyncio.create_task(worker.run(time.sleep, 60)) for _ in range(5)]
        await asyncio.wait(jobs[3:])
        worker.close()
        results = await asyncio.gather(*jobs, return_exceptions=True)
        return [result.code if isinstance(result, BrettblickError) else type(result).__name__ for result in results]

    codes = asyncio.run(go())
    assert codes[3:] == ["busy", "busy"]
    assert codes[0] == "photo-too-hard" and not {"NoneType", "busy"} & set(codes[:3])


def test_what_nobody_waits_for_is_not_begun(worker: PhotoWorker, tmp_path: Path) -> None:
    mark, given_up_is = tmp_path / "mark", tmp_path / "given up"
    till_then = f"import pathlib, time\nwhile not pathlib.Path({str(given_up_is)!r}).exists(): time.sleep(0.01)"

    async def go() -> None:
        first = asyncio.create_task(worker.run(exec, till_then))
        given_up = asyncio.create_task(worker.run(mark.touch))
        await asyncio.sleep(0.05)
        given_up.cancel()
        given_up_is.touch()
        await first
        await worker.run(os.getpid)

    asyncio.run(go())
    assert not mark.exists()


@pytest.mark.skipif(not LINUX, reason="looks into /proc")
def test_it_has_nothing_of_the_server_open_and_is_closed_at_once(tmp_path: Path) -> None:
    worker = PhotoWorker()
    with (tmp_path / "secret").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        pid = done(worker, os.getpid)
        opened = [os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()]
    assert opened and not [name for name in opened if str(tmp_path) in name]

    async def go() -> None:
        job = asyncio.create_task(worker.run(time.sleep, 60))
        await asyncio.sleep(0.05)
        worker.close()
        with pytest.raises(BrettblickError):
            await job

    asyncio.run(go())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert done(worker, os.getpid) == "busy" and worker.pid is None
    worker.close()


@pytest.mark.skipif(not LINUX, reason="looks into /proc")
def test_it_ends_with_a_server_that_is_killed() -> None:
    code = (
        "import asyncio, os, time\n"
        "from assistant.web.worker import PhotoWorker\n"
        "if __name__ == '__main__':\n"
        "    worker = PhotoWorker()\n"
        "    print(asyncio.run(worker.run(os.getpid)), flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        server.kill()
    deadline = time.monotonic() + PATIENCE
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(pid)


def alive(pid: int) -> bool:
    """Whether it runs; one that ended and that nobody asked about does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
