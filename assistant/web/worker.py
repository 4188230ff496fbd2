"""Photos are decoded and read in a process of their own: one that hangs, takes all memory or crashes the decoder costs
that photo and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from scorer.tiles import TileSet
    from vision.geometry import Corners
    from vision.live.sight import Place
    from vision.observe import Observation

P = ParamSpec("P")
T = TypeVar("T")

SECONDS = 30.0
"""Longest time for one job; a photo of 120 megapixels takes six."""

START_SECONDS = 120.0
"""Longest time to start, with all imports and models, on a slow card."""

MEMORY = 3 << 30
"""Bytes of address space: libraries and models take 1.1e9 of it, with a PNG of 120 megapixels 1.7e9. Only a WebP of
that size does not fit."""

SPENT = 512 << 20
"""A process that keeps more bytes of memory than this after a job is replaced; 2e8 are normal."""

WAITING = 8
"""Jobs that may wait beside the one that runs."""

log = logging.getLogger(__name__)


class PhotoWorker:
    """A process that does one job after the other, replaced when it does not come back from one.

    seconds, memory, waiting: limits as above
    """

    def __init__(self, *, seconds: float = SECONDS, memory: int = MEMORY, waiting: int = WAITING) -> None:
        self.seconds, self.memory, self.waiting = seconds, memory, waiting
        self._thread = ThreadPoolExecutor(1, "photo-worker")  # its queue is the line of jobs
        self._lock = threading.Lock()
        self._jobs = 0
        self._closed = False
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def start(self) -> None:
        """Starts the process in the background, so that the first photo need not wait for it."""
        self._thread.submit(self._begin)

    @property
    def pid(self) -> int | None:
        """Of the process, None while there is none."""
        process = self._process
        return process.pid if process else None

    async def observe(
        self,
        path: Path,
        corners: Corners | None,
        tile_set: TileSet,
        tile_profile: Path | None = None,
        known: Place | None = None,
    ) -> Observation:
        """Reads a photo; the observation comes without its pixels.

        corners:      tapped roughly by hand, in pixels of the full photo and in reading order; they snap to the grid
        tile_profile: file of `brettblick calibrate tiles`
        known:        where a camera that stands still has the board; it is looked for there first
        Raises what `run` raises, and a BrettblickError for a profile that cannot be used.
        """
        return await self.run(observe_photo_file, path, corners, tile_set, tile_profile, known)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does another heavy job there: a function that can be imported, with values that can be pickled.

        BrettblickError of the function itself; ``photo-too-hard`` when it ended with any other error, took too long
        or too much memory; ``busy`` when too many are waiting. A job nobody waits for any more is not begun.
        """
        with self._lock:
            if self._closed:
                raise BrettblickError("the photo worker is closed", code="busy")
            if self._jobs > self.waiting:
                raise BrettblickError(f"{self.waiting} jobs are waiting", code="busy")
            self._jobs += 1
        try:
            future: Future[T] = self._thread.submit(self._do, function, args, kwargs)
        except RuntimeError:  # closed meanwhile
            self._done()
            raise BrettblickError("the photo worker is closed", code="busy") from None
        future.add_done_callback(self._done)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Ends the process at once; jobs that run or wait fail."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._end()

    def _done(self, _: object = None) -> None:
        with self._lock:
            self._jobs -= 1

    # In the one thread

    def _begin(self) -> Connection:
        """The pipe to a process that is ready, started if there is none; ModelError when it cannot read photos."""
        if self._pipe is not None and self._process is not None and self._process.is_alive():
            return self._pipe
        self._end()
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self.memory, self.seconds), daemon=True)
        with self._lock:
            if self._closed:
                raise _too_hard("the photo worker is closed")
            process.start()
            self._process, self._pipe = process, ours
        theirs.close()
        try:
            self._answer(START_SECONDS)
        except BrettblickError as error:
            log.error("the photo worker does not start: %s", error)
            self._end()
            raise
        return ours

    def _end(self) -> None:
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process.close()
            if self._pipe is not None:
                self._pipe.close()
            self._process = self._pipe = None

    def _do(self, function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        pipe = self._begin()
        try:
            with contextlib.suppress(BrokenPipeError):  # it died just now: there is no answer then
                pipe.send((function, args, kwargs))
            answer: T = self._answer(self.seconds)
            return answer
        finally:
            if self._process is None and not self._closed:
                with contextlib.suppress(RuntimeError):  # closed meanwhile
                    self.start()  # for the next one

    def _answer(self, seconds: float) -> Any:
        """What the process sends back; BrettblickError ``photo-too-hard`` when it dies or is killed after that time."""
        assert self._process is not None and self._pipe is not None
        timer = threading.Timer(seconds, self._process.kill)
        timer.start()
        try:
            reply = self._pipe.recv()
        except (EOFError, OSError):
            reply = None
        finally:
            timer.cancel()
            timer.join()
        if reply is None:
            self._process.join()
            why = f"the photo worker ended ({self._process.exitcode})"
            log.warning(why)
            self._end()
            raise _too_hard(why)
        good, spent, answer = reply
        if spent:
            self._end()
        if good:
            return answer
        if isinstance(answer, BrettblickError):
            raise answer
        log.error("the photo worker failed:\n%s", answer)
        raise _too_hard("the photo worker failed")


def _too_hard(why: str) -> BrettblickError:
    return BrettblickError(why, code="photo-too-hard", hint="Take another photo, or type the move.")


# In the process


def _work(pipe: Connection, memory: int, seconds: float) -> None:
    """Answers jobs until the server goes away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends this process
    _limit_memory(memory)
    with contextlib.suppress(EOFError, BrokenPipeError):
        _reply(pipe, _warm_up, (), {})
        while True:
            function, args, kwargs = pipe.recv()
            _limit_time(seconds)
            _reply(pipe, function, args, kwargs)


def _reply(pipe: Connection, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Sends whether it went well, whether this process should be replaced, and the result, the BrettblickError or the
    text of another error."""
    answer: object
    try:
        good, answer = True, function(*args, **kwargs)
    except BrettblickError as error:
        good, answer = False, error
    except Exception:
        good, answer = False, traceback.format_exc()
    pipe.send((good, _spent(), answer))


def _spent() -> bool:
    """Whether this process keeps too much memory; False where the system does not say (Linux does)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except OSError:
        return False
    return pages * os.sysconf("SC_PAGE_SIZE") > SPENT


def _limit_memory(most: int) -> None:
    """Where the system has such limits; on others only the time of a job is limited."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time(seconds: float) -> None:
    """Processor time for the next job, on four cores: for one that hangs when the server is not there to end it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + 4 * seconds) + 1, hard))


THREADS = 4
"""The most of any library: each has a stack and memory of its own, which count as address space."""


@cache
def _net() -> Any:
    from vision.board_net import BoardNet

    return BoardNet()


@cache
def _reader(profile: Path | None, changed: int, tile_set: str) -> Any:
    from assistant.engines import make_reader

    return make_reader("network", profile, tile_set)


def own_net() -> Any:
    """The network that finds boards, as this process has loaded it; for other jobs that look for one."""
    return _net()


def own_reader() -> Any:
    """The reader that this process has loaded; for other jobs that read tiles."""
    return _reader(None, 0, "german")  # without a profile it is the same for all sets


def _warm_up() -> None:
    """Imports everything and loads both models by finding no board in a black picture, and reading it all the same."""
    import cv2
    import numpy as np

    from scorer.tiles import GERMAN_102
    from vision.geometry import Corners
    from vision.locate_learned import LearnedLocator
    from vision.locator import FixedCorners
    from vision.observe import observe_photo
    from vision.photo import Photo

    cv2.setNumThreads(min(THREADS, cv2.getNumberOfCPUs()))
    black = Photo("", np.zeros((600, 800, 3), np.uint8), 800, 600)
    LearnedLocator(_net()).locate(black)
    corners = Corners.of([(100, 50), (600, 50), (600, 550), (100, 550)])
    observe_photo(black, FixedCorners(corners), _reader(None, 0, "german"), GERMAN_102)


def observe_photo_file(
    path: Path,
    corners: Corners | None,
    tile_set: TileSet,
    tile_profile: Path | None = None,
    known: Place | None = None,
) -> Observation:
    """See `PhotoWorker.observe`."""
    from assistant.engines import Finder, with_fit
    from vision.locate_learned import LearnedLocator
    from vision.locate_pose import KnownPose
    from vision.observe import observe

    if tile_profile is None:
        reader = _reader(None, 0, "german")  # without a profile it is the same for all sets
    else:
        try:
            changed = tile_profile.stat().st_mtime_ns
        except OSError:
            changed = 0  # loading it says what is wrong
        reader = _reader(tile_profile, changed, tile_set.name)
    finder = Finder({path.name: corners} if corners else {}, refine=True, net=_net())
    locator = finder.locator(path)
    if known is not None and corners is None:
        locator = KnownPose(known.corners, known.size, LearnedLocator(_net()), known.lens_k, known.oriented)
    seen = with_fit(finder.checked(observe(path, locator, reader, tile_set)))
    if seen.error is not None and isinstance(seen.error.__cause__, MemoryError):
        raise _too_hard("the photo takes too much memory")  # it is not damaged
    return replace(seen, photo=None)
