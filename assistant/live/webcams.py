"""A webcam at this machine, and why it gives no picture."""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from assistant.live.sources import Capture, Frame, SourceError, Wanted

WIDTH, HEIGHT, RATE = 1920, 1080, 15
"""What is asked for; the camera gives what it has that is nearest."""

FIRST_TRIES = 5
"""Many cameras fail with the first frames after they were switched on."""

DEVICES, PROCESSES, LABELS = Path("/dev"), Path("/proc"), Path("/sys/class/video4linux")


class Webcam:
    """A webcam by its number; SourceError tells apart: not there, not allowed, used by another program, no picture."""

    live = True

    def __init__(self, number: int) -> None:
        linux = sys.platform == "linux"
        device = DEVICES / f"video{number}"
        if linux:
            refuse_device(device)
        self.name = (linux and label(device)) or f"Webcam {number}"
        self._capture = Capture(number, "V4L2" if linux else "ANY")
        if self._capture.opened:
            self._set_up()
        if not self._capture.opened or not any(self._capture.grab() for _ in range(FIRST_TRIES)):
            self.close()
            raise why_no_picture(number, device) if linux else _no_picture(str(number))

    def _set_up(self) -> None:
        import cv2

        # as JPEG a USB 2 camera can send this size at this rate; uncompressed it would manage five frames a second
        self._capture.set("FOURCC", cv2.VideoWriter.fourcc(*"MJPG"))
        for key, value in (("FRAME_WIDTH", WIDTH), ("FRAME_HEIGHT", HEIGHT), ("FPS", RATE), ("BUFFERSIZE", 1)):
            self._capture.set(key, value)

    def frames(self, wanted: Wanted | None = None) -> Iterator[Frame]:
        while True:
            now = time.monotonic()
            if wanted is None or wanted(now):  # a frame is decoded only when it is taken
                pixels = self._capture.retrieve()
                if pixels is not None:
                    yield Frame(pixels, now)
            if not self._capture.grab():
                raise SourceError(f"{self.name}: gone", code="camera-gone", camera=self.name)

    def close(self) -> None:
        self._capture.close()


def refuse_device(device: Path) -> None:
    """SourceError when there is no such camera, or this user may not use it."""
    if not device.exists():
        there = ", ".join(f"{one.name[5:]} ({label(one) or one})" for one in cameras(device.parent))
        code = "no-such-camera" if there else "no-cameras"
        raise SourceError(f"{device}: no such camera", code=code, camera=device, there=there)
    if not os.access(device, os.R_OK | os.W_OK):
        try:
            user = getpass.getuser()
        except (KeyError, OSError):
            user = "$USER"
        raise SourceError(f"{device}: not allowed", code="camera-not-allowed", camera=device, user=user)


def cameras(folder: Path = DEVICES) -> list[Path]:
    """The devices of cameras at this machine (Linux), by number."""
    found = [path for path in folder.glob("video*") if re.fullmatch(r"video\d+", path.name)]
    return sorted(found, key=lambda path: int(path.name[5:]))


def label(device: Path, labels: Path | None = None) -> str:
    """What the camera calls itself, "" when it does not say."""
    try:
        return ((labels or LABELS) / device.name / "name").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def users_of(device: Path, processes: Path | None = None) -> list[str]:
    """The programs that have the device open, with their process ids, as far as this user may see them (Linux)."""
    target, found = os.path.realpath(device), []
    for process in sorted((processes or PROCESSES).glob("[0-9]*"), key=lambda path: (len(path.name), path.name)):
        if process.name == str(os.getpid()):
            continue
        try:
            if any(os.path.realpath(link) == target for link in (process / "fd").iterdir()):
                found.append(f"{(process / 'comm').read_text(errors='replace').strip()} ({process.name})")
        except OSError:  # it ended meanwhile, or is another user's
            continue
    return found


def why_no_picture(number: int, device: Path, processes: Path | None = None) -> SourceError:
    """Why a camera that is there and allowed gives no picture."""
    if programs := users_of(device, processes):
        said = ", ".join(programs)
        return SourceError(f"{device}: used by {said}", code="camera-in-use", camera=device, program=said)
    return _no_picture(str(number))


def _no_picture(camera: str) -> SourceError:
    return SourceError(f"camera {camera}: no picture", code="camera-no-picture", camera=camera)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing that libraries write to standard error is seen: JPEG decoders complain of every second frame of some
    webcams, and of damaged films. What Python writes there is."""
    sys.stderr.flush()
    before, python = os.dup(2), sys.stderr
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    ours = sys.stderr = os.fdopen(os.dup(before), "w", buffering=1, encoding=python.encoding, errors="backslashreplace")
    try:
        yield
    finally:
        sys.stderr = python
        ours.close()
        os.dup2(before, 2)
        os.close(before)
