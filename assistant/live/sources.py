"""Where the frames of the board come from: a webcam, a video file, a folder of pictures, a stream in the network."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from assistant.photos import SUFFIXES, photo_files
from scorer.errors import BrettblickError

if TYPE_CHECKING:  # OpenCV is loaded when a source is opened, not for --help
    from vision.pixels import Pixels

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET; OpenCV looks when the first video is opened
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "3")

HOLD = 5.0
"""Seconds for which a picture of a folder is shown where nothing else is said."""

HELD_RATE = 5.0
"""Frames a second of a picture that is held: enough to see that it stands still."""

LEAST_GAP, LONGEST_GAP = 0.5, 60.0
"""Seconds between two pictures of a folder from and up to which their own times make a film of them; less lies between
files that were copied or unpacked one after the other."""

MJPG = int.from_bytes(b"MJPG", "little")
"""Code of the JPEGs of an AVI file."""

RATE_UNKNOWN = 25.0
"""Frames a second of a video that does not say."""

SIDE = 2000
"""A picture of a folder or stream is decoded smaller as long as its longer side stays above this many pixels."""

Wanted = Callable[[float], bool]
"""Whether the frame of a time is wanted; what is not is passed over without the cost of decoding, where that can be."""


class SourceError(BrettblickError):
    """A source that gives no frames, or none any more."""

    exit_code = 3


@dataclass(frozen=True)
class Frame:
    """pixels: (h, w, 3) uint8 BGR, upright; time: seconds by the source's clock, growing. A live source's clock is that
    of this machine (``time.monotonic``), a file's is its own."""

    pixels: Pixels
    time: float


class Source(Protocol):
    """An open source.

    name: for people
    live: whether it goes on by itself; a file waits
    """

    name: str
    live: bool

    def frames(self, wanted: Wanted | None = None) -> Iterator[Frame]:
        """The frames in order of time, once; ends where a file ends. SourceError when it fails."""

    def close(self) -> None:
        """Lets go of the device, file or connection; also from another thread, and twice."""


VIDEOS = {".mp4", ".m4v", ".mov", ".3gp", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".ts", ".wmv", ".flv", ".ogv"}

ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")

DEVICE = re.compile(r"/dev/video\d+")


def is_stream(text: str) -> bool:
    """Whether a webcam, a video or an address is meant, rather than a photo or a folder of them."""
    if ADDRESS.match(text) or _webcam(text):
        return True
    return Path(text).suffix.lower() in VIDEOS and not Path(text).is_dir()


def _webcam(text: str) -> bool:
    return bool(DEVICE.fullmatch(text) or (re.fullmatch(r"[0-9]{1,4}", text) and not Path(text).exists()))


def open_source(text: str, hold: float | None = None) -> Source:
    """The source that is meant: a webcam's number or device (``0``, ``/dev/video2``), a video file, a folder of
    pictures or one picture, the address of a stream (``http``, ``https``, ``rtsp``).

    hold: seconds for which each picture of a folder is shown; None for the times of the files (of taking, else of
          writing) where they make a film, else `HOLD`
    SourceError says why there is none and what to do.
    """
    if match := ADDRESS.match(text):
        from assistant.live.streams import open_stream

        return open_stream(text, match[1].lower())
    path = Path(text)
    if _webcam(text):
        from assistant.live.webcams import Webcam

        return Webcam(int(re.sub(r"\D", "", text)))
    if path.is_dir():
        return Pictures(text, photo_files([text]), hold)
    if path.suffix.lower() in SUFFIXES and path.is_file():
        return Pictures(text, [path], hold)
    return Video(path)


class Capture:
    """An OpenCV capture that says nothing on standard error, does not wait for ever, and may be closed by another
    thread while a frame is being waited for."""

    def __init__(self, target: str | int, backend: str, **settings: float) -> None:
        """backend: ``FFMPEG``, ``V4L2``, ``ANY``; settings: properties to open it with, named without ``CAP_PROP_``"""
        import cv2

        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        parameters: list[int] = []
        for name, value in settings.items():
            parameters += [getattr(cv2, f"CAP_PROP_{name}"), int(value)]
        self._capture: Any = cv2.VideoCapture(target, getattr(cv2, f"CAP_{backend}"), parameters)
        self._closed, self._busy = False, threading.Lock()

    @property
    def opened(self) -> bool:
        return not self._closed and bool(self._capture.isOpened())

    def grab(self) -> bool:
        """Waits for the next frame; False when there is none, or it was closed meanwhile."""
        with self._busy:
            good = not self._closed and bool(self._capture.grab())
        if self._closed:
            self.close()
        return good and not self._closed

    def retrieve(self) -> Pixels | None:
        """The frame that was grabbed, decoded."""
        with self._busy:
            good, pixels = (False, None) if self._closed else self._capture.retrieve()
        return pixels if good and pixels is not None and pixels.ndim == 3 else None

    def get(self, name: str) -> float:
        """A property by its name without ``CAP_PROP_``."""
        import cv2

        with self._busy:
            return 0.0 if self._closed else float(self._capture.get(getattr(cv2, f"CAP_PROP_{name}")))

    def set(self, name: str, value: float) -> None:
        import cv2

        self._capture.set(getattr(cv2, f"CAP_PROP_{name}"), value)

    def close(self) -> None:
        """Never waits: where a frame is being waited for, who waits lets go of the device."""
        self._closed = True
        if self._busy.acquire(blocking=False):
            try:
                self._capture.release()
            finally:
                self._busy.release()


class Video:
    """A video file. Each frame has the time that the file gives it, so that a rate that varies is no matter; it is
    turned upright as the file's rotation flag says.

    cut_off: seconds of film that the file promised and did not have, known at the end; 0 for a whole file
    """

    live = False

    def __init__(self, path: Path) -> None:
        _refuse_unreadable(path)
        self.name, self.path, self.cut_off = path.name, path, 0.0
        # the absolute path: a name like "concat:..." would be more than a name to FFmpeg
        self._capture = Capture(str(path.absolute()), "FFMPEG", N_THREADS=1)
        self._capture.set("ORIENTATION_AUTO", 1)
        if not self._capture.opened or not self._capture.grab():
            self.close()
            raise _no_video(path)

    def frames(self, wanted: Wanted | None = None) -> Iterator[Frame]:
        rate, frames = self._capture.get("FPS"), self._capture.get("FRAME_COUNT")
        step = 1 / rate if 1 <= rate <= 240 else 1 / RATE_UNKNOWN
        promised = frames / rate if rate > 0 else 0.0
        by_count = wanted is not None and self._decode_late(frames)
        film, time = self._capture, -step
        while True:
            said = film.get("POS_MSEC") / 1000
            # a file without times, or with ones that go back
            time = said if said > time and not by_count else time + step
            if wanted is None or wanted(time):
                pixels = film.retrieve()
                if pixels is not None:
                    yield Frame(pixels, time)
            if not film.grab():
                break
        if self._capture.opened and promised - time > max(1.0, promised / 50):
            self.cut_off = promised - time

    def _decode_late(self, frames: float) -> bool:
        """Has a film of JPEGs read by OpenCV itself: FFmpeg would decode also the frames that nobody wants, most of the
        work while nothing happens. Its frames have a steady rate, and their times are not told well. False where it is
        no such film, or OpenCV sees not all of it."""
        if self.path.suffix.lower() != ".avi" or int(self._capture.get("FOURCC")) != MJPG:
            return False
        other = Capture(str(self.path.absolute()), "OPENCV_MJPEG")
        if not other.opened or other.get("FRAME_COUNT") != frames or not other.grab():
            other.close()
            return False
        self._capture.close()
        self._capture = other
        return True

    def close(self) -> None:
        self._capture.close()


class Pictures:
    """Pictures, each shown for a while, in the order of their names."""

    live = False

    def __init__(self, name: str, files: Sequence[Path], hold: float | None = None) -> None:
        self.name, self.files = Path(name).name or name, files
        times = None if hold is not None else _times(files)
        if times is None:
            times = [k * (HOLD if hold is None else hold) for k in range(len(files))]
        self.starts = [*times, times[-1] + (HOLD if hold is None else hold)]
        """When each begins, and the last one ends, in seconds."""
        self._closed = False

    def frames(self, wanted: Wanted | None = None) -> Iterator[Frame]:
        from vision.photo import load_photo

        for path, (start, end) in zip(self.files, pairwise(self.starts), strict=True):
            pixels = None
            for k in range(max(1, round((end - start) * HELD_RATE))):
                time = start + k / HELD_RATE
                if wanted is None or wanted(time):
                    pixels = load_photo(path, SIDE).pixels if pixels is None else pixels
                    yield Frame(pixels, time)
                if self._closed:
                    return

    def close(self) -> None:
        self._closed = True


def _times(files: Sequence[Path]) -> list[float] | None:
    """Seconds from the first picture to each, None where they make no film: too close, too far apart, unordered."""
    from vision.photo import taken

    try:
        shot = [taken(path.read_bytes()) for path in files]
        stamps = [path.stat().st_mtime for path in files]
    except OSError as error:
        raise SourceError(f"{error.filename}: {error.strerror}", code="no-permission", path=error.filename) from error
    if all(one is not None for one in shot):
        stamps = [one.replace(tzinfo=None).timestamp() for one in shot if one is not None]
    gaps = [after - before for before, after in pairwise(stamps)]
    if not gaps or not all(LEAST_GAP <= gap <= LONGEST_GAP for gap in gaps):
        return None
    return [stamp - stamps[0] for stamp in stamps]


def _refuse_unreadable(path: Path) -> None:
    try:
        if path.exists() and not path.is_file():  # to open a pipe would wait for who writes
            raise SourceError(f"{path}: no file", code="not-a-video", path=path)
        with path.open("rb") as file:
            if not file.read(1):
                raise SourceError(f"{path}: the file is empty", code="video-damaged", path=path)
    except PermissionError as error:
        raise SourceError(f"{path}: {error.strerror}", code="no-permission", path=path) from error
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}", code="missing-file", path=path) from error


KNOWN_BEGINNINGS = (
    (4, b"ftyp"),  # MP4, MOV, 3GP (ISO/IEC 14496-12)
    (4, b"mdat"),
    (4, b"moov"),
    (0, b"RIFF"),  # AVI
    (0, b"\x1aE\xdf\xa3"),  # Matroska, WebM (RFC 8794)
    (0, b"OggS"),
    (0, b"FLV"),
    (0, b"\x30\x26\xb2\x75"),  # WMV
    (0, b"\x00\x00\x01\xba"),  # MPEG
)


def _no_video(path: Path) -> SourceError:
    """Why a file that can be read has no frame: how it begins tells a damaged video from something else."""
    with path.open("rb") as file:
        head = file.read(16)
    if any(head[at : at + len(mark)] == mark for at, mark in KNOWN_BEGINNINGS):
        return SourceError(f"{path}: the video is damaged", code="video-damaged", path=path)
    return SourceError(f"{path}: not a video", code="not-a-video", path=path)
