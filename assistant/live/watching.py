"""Watches one game: frames from a source to the eye, what it sees to the server, what comes back to whoever listens."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any, Protocol

from assistant.live.client import Answer, Away, Back, Reporter
from assistant.live.grabber import Grabber
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from assistant.live.sources import Frame
    from vision.live.eye import Eye
    from vision.live.sight import Sight
    from vision.pixels import Pixels

SHOWN_EVERY, SHOWN_CALM = 0.25, 0.5
"""Seconds between two frames that are sent to be shown: while something happens, and while nothing does."""

STILL_TROUBLE = 5.0
"""Seconds after which the server is told once more that a source is not well."""

LAST_LOOK = 8.0
"""Seconds for which the last frame of a file is shown: its last move becomes calm, is proposed and booked."""

LAST_STEP = 0.2

LAST_ANSWERS = 60.0
"""Seconds that the last pictures of a file have to be read."""

OVER = {"game-settled": "settled", "no-such-game": "gone"}
"""What the server says of a game that there is nothing more to watch in, and why that is so."""


class Listener(Protocol):
    """Whom the watcher tells what happens; called in its thread."""

    def seen(self, sight: Sight) -> None:
        """Of each frame."""

    def came(self, outcome: Mapping[str, Any]) -> None:
        """Of a look, or of what was proposed before; with ``kind`` and ``text``."""

    def trouble(self, code: str | None, error: BrettblickError | None) -> None:
        """The source, or the server, is not well: why; or it is again: None."""

    def refused(self, code: str, text: str) -> None:
        """The server does not take what it is sent: its words."""

    def ended(self, why: str) -> None:
        """Nothing more is watched: ``source`` came to its end, ``settled`` the game did, ``gone`` it was deleted."""


class Watcher:
    """One source, one eye, one game. error: why it ended, when it should not have"""

    def __init__(
        self, grabber: Grabber, eye: Eye, reporter: Reporter, listener: Listener, timelapse: Timelapse | None = None
    ) -> None:
        self._grabber, self._eye, self._reporter, self._listener = grabber, eye, reporter, listener
        self._timelapse = timelapse
        self._stop, self._pressed = threading.Event(), threading.Event()
        self._next_shown = float("-inf")
        self._trouble: str | None = None
        self._told_at = 0.0
        self._over = ""
        self.error: BrettblickError | None = None

    def press(self) -> None:
        """A player says that the move is made; from any thread."""
        self._pressed.set()

    def stop(self) -> None:
        """From any thread."""
        self._stop.set()

    def run(self) -> None:
        """Watches until it is stopped, or nothing more is to be watched."""
        self._grabber.start()
        self._reporter.start()
        last: Frame | None = None
        try:
            while not self._stop.is_set() and not self._over:
                self._hear()
                well = self._check()
                frame = self._grabber.newest(0.25)
                if frame is not None and well:
                    last = frame
                    self._see(frame.pixels, frame.time)
                elif frame is None and self._grabber.ended:
                    self._finish(last)
                    break
        finally:
            self._grabber.stop()
            self._reporter.stop()
            if self._timelapse is not None:
                self._timelapse.close()
        if self._over:
            self._listener.ended(self._over)

    def _see(self, pixels: Pixels, at: float) -> None:
        if self._pressed.is_set():
            self._pressed.clear()
            self._eye.press()
        sight = self._eye.see(pixels, at)
        calm = sight.state == "calm"
        self._grabber.calm = calm
        self._listener.seen(sight)
        if sight.look is not None or at >= self._next_shown:
            self._next_shown = at + (SHOWN_CALM if calm else SHOWN_EVERY)
            self._reporter.see(pixels, sight)
        if self._timelapse is not None:
            self._timelapse.add(pixels, at)

    def _hear(self) -> None:
        """What the server has said since."""
        while True:
            try:
                news = self._reporter.news.get_nowait()
            except Empty:
                return
            if isinstance(news, Answer):
                if news.press:
                    self._eye.press()
                if news.again is not None:
                    self._eye.again(news.again)
                if news.outcome is not None:
                    self._listener.came(news.outcome)
                self._over = self._over or ("settled" if news.stop else "")
            elif isinstance(news, Away):
                self._over = self._over or OVER.get(news.code, "")
                self._listener.refused(news.code, news.text)
            elif isinstance(news, Back):
                self._listener.refused("", "")

    def _check(self) -> bool:
        """Whether the source is well; tells when that changes."""
        trouble, now = self._grabber.trouble, time.monotonic()
        if trouble != self._trouble:
            self._trouble, self._told_at = trouble, now
            self._listener.trouble(trouble, self._grabber.error)
            self._reporter.tell(trouble)
        elif trouble is not None and now - self._told_at > STILL_TROUBLE:
            self._told_at = now
            self._reporter.tell(trouble)
        return trouble is None

    def _finish(self, last: Frame | None) -> None:
        """A file is at its end: what lies there then counts as lying there for a while."""
        if self._grabber.live or self._grabber.error is not None:
            self.error = self._grabber.error
            self._reporter.tell("ended")
            return
        steps = round(LAST_LOOK / LAST_STEP) if last is not None else 0
        for step in range(1, steps + 1):
            if self._stop.wait(LAST_STEP) or self._over:
                return
            assert last is not None
            self._hear()
            self._see(last.pixels, last.time + step * LAST_STEP)
        self._deliver()
        self._reporter.tell("ended")
        self._deliver()
        self._listener.ended("source")

    def _deliver(self) -> None:
        """Waits until all is sent and answered."""
        end = time.monotonic() + LAST_ANSWERS
        while not self._reporter.idle and time.monotonic() < end and not self._stop.wait(0.05):
            self._hear()
        self._hear()


TIMELAPSE_WIDTH, TIMELAPSE_STEP, TIMELAPSE_RATE = 640, 3.0, 12.0
"""Pixels; seconds between two frames that are kept; frames a second when it is played."""

KINDS = {".webm": "VP80", ".mp4": "mp4v", ".avi": "MJPG", ".mkv": "mp4v"}
"""What is written, by the ending of the file's name; browsers play the first only."""


class Timelapse:
    """A small film with a frame every few seconds. BrettblickError for a file that cannot be written."""

    def __init__(self, path: Path) -> None:
        self.path, self._writer, self._next = path, None, float("-inf")  # type: Path, Any, float
        self._size = (0, 0)
        if path.suffix.lower() not in KINDS:
            known = ", ".join(KINDS)
            raise BrettblickError(f"{path}: not one of {known}", code="timelapse-kind", path=path, known=known)

    def add(self, pixels: Pixels, at: float) -> None:
        """A frame; most are passed over."""
        if at < self._next:
            return
        import cv2

        self._next = at + TIMELAPSE_STEP
        if self._writer is None:
            height, width = pixels.shape[:2]
            wide = min(TIMELAPSE_WIDTH, width)
            self._size = wide // 2 * 2, round(height * wide / width) // 2 * 2  # video coders want even sides
            kind = cv2.VideoWriter.fourcc(*KINDS[self.path.suffix.lower()])
            self._writer = cv2.VideoWriter(str(self.path.absolute()), cv2.CAP_FFMPEG, kind, TIMELAPSE_RATE, self._size)
            if not self._writer.isOpened():
                raise BrettblickError(f"{self.path}: cannot be written", code="cannot-write", path=self.path)
        self._writer.write(cv2.resize(pixels, self._size, interpolation=cv2.INTER_AREA))

    def close(self) -> None:
        if self._writer is not None:
            self._writer.release()
