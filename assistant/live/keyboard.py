"""Single keys of the terminal: a foot switch types one as well. The terminal is always left as it was."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def keys(pressed: Callable[[str], None]) -> Iterator[bool]:
    """Tells each key that is pressed, in a thread; whether there is a terminal in front of which somebody sits.

    Ctrl-C stays what it is.
    """
    if not (sys.stdin and sys.stdin.isatty()):
        yield False
        return
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield from _windows(pressed)
        return
    fd = sys.stdin.fileno()
    if os.tcgetpgrp(fd) != os.getpgrp():  # in the background: reading would stop the program
        yield False
        return
    before, stop = termios.tcgetattr(fd), threading.Event()

    def read() -> None:
        while not stop.is_set():
            if not select.select([fd], [], [], 0.1)[0]:
                continue
            try:
                typed = os.read(fd, 64)
            except OSError:
                return
            if not typed:  # the terminal is gone
                return
            for char in typed.decode("utf-8", "replace"):
                pressed(char)

    thread = threading.Thread(target=read, name="keys", daemon=True)
    tty.setcbreak(fd)
    try:
        thread.start()
        yield True
    finally:
        stop.set()
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
        thread.join(0.5)


def _windows(pressed: Callable[[str], None]) -> Iterator[bool]:
    import msvcrt

    stop = threading.Event()

    def read() -> None:
        while not stop.wait(0.05):
            while msvcrt.kbhit():  # type: ignore[attr-defined]
                pressed(msvcrt.getwch())  # type: ignore[attr-defined]

    thread = threading.Thread(target=read, name="keys", daemon=True)
    thread.start()
    try:
        yield True
    finally:
        stop.set()
        thread.join(0.5)
