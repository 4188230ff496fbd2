"""brettblick calibrate camera with a camera: shows live how good its view is, then learns where the board lies."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.photos import explain_failure, refuse_overwriting
from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from assistant.live.grabber import Grabber
    from calibration.camera import CameraView
    from vision.live.sight import Sight, ViewAdvice, ViewItem
    from vision.pixels import Pixels

GOOD_SECONDS = 2.0
"""For which everything has to be good, without a break."""

FRAMES = 3
"""Frames from which the profile is learnt."""

FRAME_STEP = GOOD_SECONDS / FRAMES
"""Seconds between them."""

BAR = 20
"""Characters of the bar that shows how far from ideal."""


def set_up(text: str, args: argparse.Namespace, texts: Texts) -> int:
    """Shows the view of a camera until all of it has been good for two seconds, or somebody stops it; then writes the
    profile if it is wanted. The status: 3 where nothing could be learnt, or a video ended before all was good."""
    from assistant.live.grabber import Grabber
    from assistant.live.sources import open_source
    from assistant.live.webcams import quiet
    from calibration.camera import CameraProfileError

    if args.out and not args.out.absolute().parent.is_dir():
        raise CameraProfileError(f"{args.out}: no such folder", code="cannot-write", path=args.out)
    if args.out:
        refuse_overwriting(args.out, [Path(text)])
    source = open_source(text)
    grabber = Grabber(source, (lambda: open_source(text)) if source.live else None)
    with contextlib.ExitStack() as stack:
        if not args.debug:
            stack.enter_context(quiet())
        shown = stack.enter_context(_shown(texts))
        stop = stack.enter_context(_stopped())
        grabber.start()
        stack.callback(grabber.stop)
        good, frames = watch(grabber, shown, stop)
    if grabber.error is not None and grabber.ended:
        raise grabber.error
    print(texts("view.good" if good else "view.stopped" if stop.is_set() else "view.not-good"), flush=True)
    if not (good or stop.is_set()):
        return 3
    if args.out is None:
        return 0
    if not frames:
        print(texts("view.nothing-learnt"), file=sys.stderr)
        return 3
    return _learn(frames, grabber.name, args, texts)


def watch(grabber: Grabber, shown: Shown, stop: threading.Event) -> tuple[bool, list[Pixels]]:
    """Whether the view became good, and the last frames with nothing over the board; ends when it is good, when told
    to, and with the source."""
    from vision.live.eye import Eye

    eye, frames = Eye(calm=FRAME_STEP), deque[tuple[float, "Pixels"]](maxlen=FRAMES)
    since: float | None = None
    advice: ViewAdvice | None = None
    while not stop.is_set():
        frame = grabber.newest(0.25)
        if frame is None:
            if grabber.ended:
                break
            if trouble := grabber.trouble:
                shown.trouble(trouble, grabber.error)
                since = None
            continue
        sight = eye.see(frame.pixels, frame.time)
        advice = sight.advice or advice
        free = sight.place is not None and sight.state in ("settling", "calm")
        if sight.bumped or not free:
            frames.clear()
        if free and (not frames or frame.time - frames[-1][0] >= FRAME_STEP):
            frames.append((frame.time, frame.pixels))
        if not (free and advice is not None and advice.ok):
            since = None
        elif since is None:
            since = frame.time
        shown.view(sight, advice)
        if since is not None and frame.time - since >= GOOD_SECONDS:
            return True, [pixels for _, pixels in frames]
    return False, [pixels for _, pixels in frames]


def _learn(frames: Sequence[Pixels], name: str, args: argparse.Namespace, texts: Texts) -> int:
    from assistant.commands.calibrate.camera import print_learnt, view
    from calibration.camera import learn_camera
    from scorer.tiles import TILE_SETS
    from vision.locate_learned import LearnedLocator
    from vision.observe import observe_photo
    from vision.onnx_reader import OnnxReader
    from vision.photo import Photo

    locator, reader = LearnedLocator(), OnnxReader()
    views: list[CameraView] = []
    for number, pixels in enumerate(frames, 1):
        height, width = pixels.shape[:2]
        seen = observe_photo(Photo(f"{name} {number}", pixels, width, height), locator, reader, TILE_SETS[args.tiles])
        if seen.reading is None or seen.photo is None:
            print(explain_failure(seen, texts), file=sys.stderr)
            return 3
        views.append(view(seen, texts))
    profile = learn_camera(views, args.name or args.out.stem)
    profile.save(args.out)
    print_learnt(profile, args.out, views, texts)
    print(texts("view.use", path=args.out))
    return 0


@contextlib.contextmanager
def _stopped() -> Iterator[threading.Event]:
    """Set by Ctrl-C, which is how somebody says that it is good enough."""
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _shown(texts: Texts) -> Iterator[Shown]:
    if not sys.stdout.isatty():
        yield Shown(texts)
        return
    from rich.live import Live

    from assistant.terminal import Console

    with Live(console=Console(), refresh_per_second=4) as live:
        yield Drawn(texts, live.update)


class Shown:
    """Says how the view is where nobody watches: a line whenever something else is wrong."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._said: object = None

    def view(self, sight: Sight, advice: ViewAdvice | None) -> None:
        """Of a frame, with what was measured last."""
        bad = [one for one in advice.items if not one.ok] if advice is not None else []
        lines = [f"{self._name(one)} {one.share:.0%}: {self._advice(one)}" for one in bad]
        self._say(" ".join(lines) or self._state(sight), [one.code for one in bad] or self._state(sight))

    def trouble(self, code: str, error: BrettblickError | None) -> None:
        """Of the source."""
        self._say(self._texts.error(error) if error else self._texts(f"live.trouble.{code}"), code)

    def _name(self, one: ViewItem) -> str:
        return self._texts(f"view.{one.code}")

    def _advice(self, one: ViewItem) -> str:
        return "" if one.ok else self._texts(f"view.{one.code}.advice")

    def _state(self, sight: Sight) -> str:
        return self._texts("view.fine" if sight.state in ("settling", "calm") else f"live.state.{sight.state}")

    def _say(self, line: str, about: object) -> None:
        if about != self._said:
            print(line, flush=True)
            self._said = about


class Drawn(Shown):
    """Draws it: each thing with a bar that shows how far from ideal it is."""

    def __init__(self, texts: Texts, draw: Callable[[RenderableType], None]) -> None:
        super().__init__(texts)
        self._draw = draw

    def view(self, sight: Sight, advice: ViewAdvice | None) -> None:
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 1))
        for one in advice.items if advice is not None else ():
            full = round(BAR * one.share)
            bar = Text("█" * full + "·" * (BAR - full), style="green" if one.ok else "red")
            table.add_row("✓" if one.ok else "✗", self._name(one), bar, self._advice(one))
        table.add_row("", self._state(sight))
        self._draw(table)

    def _say(self, line: str, about: object) -> None:
        self._draw(line)
