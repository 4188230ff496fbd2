"""The newest frame of a source: taken in a thread of its own, so that whoever is slower drops frames and never queues
them; a source that fails is opened again, one that shows nothing new or nothing at all is noticed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from assistant.live.sources import Frame, Source
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from vision.pixels import Pixels

RATE, CALM_RATE = 15.0, 5.0
"""Frames a second at most: while something happens, and while nothing does."""

STALLED, FROZEN, BLACK = 3.0, 5.0, 2.0
"""Seconds without a frame, with the very same pixels, with nothing but black, after which it is said."""

PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds before each try to open a lost source again; the last one for all that follow."""

STEADY = 10.0
"""Seconds of frames after which the next loss is the first one again."""

LATE = 0.2
"""Seconds that a frame of a file may be behind its time; later ones are dropped."""

DARKEST = 24
"""Brightness, 0 to 255, above which not even one in a hundred pixels of a black frame is."""

STEP = 8
"""Every so many pixels in a row and column are compared first."""

Trouble = Literal["lost", "stalled", "frozen", "black"]
"""What is wrong with a source: no connection, no frame, the same frame, a black frame."""


class Grabber:
    """The newest frame of a source, and how the source is.

    source: open
    reopen: opens it again after it failed; SourceError when that fails too. None for one that is not opened again
    clock:  seconds that never go back
    pauses: see PAUSES

    A file is played in real time.
    """

    def __init__(
        self,
        source: Source,
        reopen: Callable[[], Source] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        pauses: tuple[float, ...] = PAUSES,
    ) -> None:
        self.name, self.live = source.name, source.live
        self.calm = False
        """Told by who looks: nothing happens, so that fewer frames do."""
        self.dropped = 0
        """Frames that were passed over or replaced before anybody took them."""
        self.ended = False
        """No further frame will come."""
        self.error: BrettblickError | None = None
        """Why the source is lost, or ended."""
        self._source, self._reopen, self._clock, self._pauses = source, reopen, clock, pauses
        self._frame: Frame | None = None
        self._there = threading.Condition()
        self._stop = threading.Event()
        self._arrived, self._due = clock(), float("-inf")
        self._same_since: float | None = None
        self._black_since: float | None = None
        self._last: Pixels | None = None
        self._began: tuple[float, float] | None = None
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def newest(self, timeout: float) -> Frame | None:
        """The newest frame, each once; None when none came for so many seconds, or none will come."""
        with self._there:
            if self._frame is None and not self.ended:
                self._there.wait(timeout)
            frame, self._frame = self._frame, None
            return frame

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the source just now; None for nothing."""
        now = self._clock()
        if self.ended or not self.live:
            return None
        if self.error is not None:
            return "lost"
        if now - self._arrived > STALLED:
            return "stalled"
        if self._black_since is not None and now - self._black_since > BLACK:
            return "black"
        if self._same_since is not None and now - self._same_since > FROZEN:
            return "frozen"
        return None

    def stop(self) -> None:
        """Lets go of the source. Waits a moment only: a source that does not answer ends with the program."""
        self._stop.set()
        self._source.close()
        if self._thread.is_alive():
            self._thread.join(0.2)

    # --- in the thread

    def _run(self) -> None:
        tries = 0
        while not self._stop.is_set():
            began = self._clock()
            try:
                for frame in self._source.frames(self._wanted):
                    self._take(frame)
                    if self._stop.is_set():
                        break
                else:
                    if not self.live or self._reopen is None:
                        break
            except BrettblickError as error:
                self.error = error
                if not self.live or self._reopen is None:
                    break
            self._source.close()
            if self._clock() - began > STEADY:
                tries = 0
            while not self._stop.wait(self._pauses[min(tries, len(self._pauses) - 1)]):
                tries += 1
                try:
                    self._open_again()
                    break
                except BrettblickError as error:
                    self.error = error
        with self._there:
            self.ended = True
            self._there.notify_all()

    def _open_again(self) -> None:
        assert self._reopen is not None
        source = self._reopen()
        if self._stop.is_set():
            source.close()
        self._source, self._arrived = source, self._clock()
        self._same_since = self._black_since = self._last = None

    def _wanted(self, at: float) -> bool:
        """Whether the frame of this time is to be decoded: no more than the rate, of a file when its time comes."""
        now = self._clock()
        if self.live:
            self._arrived = now
        else:
            if self._began is None:
                self._began = now, at
            wait = self._began[0] + at - self._began[1] - now
            if wait > 0:
                self._stop.wait(wait)
            elif wait < -LATE:
                self.dropped += 1
                return False
        step = 1 / (CALM_RATE if self.calm else RATE)
        if at < self._due - step / 4:  # cameras are not punctual
            self.dropped += 1
            return False
        self._due = max(self._due, at - step) + step
        return not self._stop.is_set()

    def _take(self, frame: Frame) -> None:
        now = self._clock()
        with self._there:
            self.dropped += self._frame is not None
            self._frame, self.error, self._arrived = frame, None, now
            self._there.notify_all()
        if self.live:
            self._look(frame.pixels, now)

    def _look(self, pixels: Pixels, now: float) -> None:
        """Notices the same pixels again and again (noise makes every frame of a camera another one), and black ones."""
        import numpy as np

        last, self._last = self._last, pixels
        few, same = pixels[::STEP, ::STEP], False
        if last is not None and last.shape == pixels.shape:
            same = np.array_equal(few, last[::STEP, ::STEP]) and np.array_equal(pixels, last)
        self._same_since = (self._same_since or now) if same else None
        black = np.percentile(few, 99) <= DARKEST
        self._black_since = (self._black_since or now) if black else None
