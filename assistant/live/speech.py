"""Says aloud what the assistant has to say, with what the system has for it."""

from __future__ import annotations

import queue
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Sequence

from scorer.errors import BrettblickError

MOST_WAITING = 2
"""Texts that wait to be said; older ones are news no more."""

LONGEST_SECONDS = 30.0
"""Of one text."""

VOICES = {"de": ("de", "Anna"), "en": ("en-gb", "Daniel")}
"""By language: the code, and the name of a voice that macOS has."""


def program(language: str, which: Callable[[str], str | None] = shutil.which) -> Sequence[str]:
    """The command that says what is written to its standard input. BrettblickError ``no-speech`` when there is none.

    which: finds a program on the path
    """
    code, voice = VOICES.get(language, VOICES["en"])
    for name, *options in (
        ("espeak-ng", "-v", code, "-s", "150", "--stdin"),
        ("espeak", "-v", code, "-s", "150", "--stdin"),
        ("say", "-v", voice, "-f", "-"),
        ("spd-say", "-l", code[:2], "-w", "-e"),
    ):
        if path := which(name):
            return path, *options
    raise BrettblickError("no program that speaks", code="no-speech", hint="Install espeak-ng.")


def spoken(text: str) -> str:
    """The text as it is to be said: words in capitals would be spelled out."""
    return re.sub(r"\b[^\W\d_]{2,}\b", lambda found: found[0].capitalize() if found[0].isupper() else found[0], text)


class Speaker:
    """Says texts one after the other, in a thread of its own. command: see `program`"""

    def __init__(self, command: Sequence[str]) -> None:
        self._command, self._texts = command, queue.Queue[str](MOST_WAITING)
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    def say(self, text: str) -> None:
        """Never waits."""
        while True:
            try:
                self._texts.put_nowait(text)
                return
            except queue.Full:
                try:
                    self._texts.get_nowait()
                except queue.Empty:
                    continue

    def stop(self) -> None:
        """In the middle of a word."""
        self._stopped = True
        if (process := self._process) is not None:
            process.kill()
        self.say("")

    def _run(self) -> None:
        while not self._stopped:
            text = self._texts.get()
            if not text or self._stopped:
                continue
            try:
                process = self._process = subprocess.Popen(
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            except OSError:  # it is gone; what is said is on the screen as well
                return
            try:
                process.communicate(spoken(text).encode(), timeout=LONGEST_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
