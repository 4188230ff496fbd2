"""What the terminal shows of a camera that watches a game."""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assistant.texts import Texts, one_line
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from assistant.live.speech import Speaker
    from vision.live.sight import Sight

TOLD = frozenset({"proposed", "booked", "asked", "dropped", "unreadable"})
"""Outcomes that are told; others only change what the status line says."""

BUSY = frozenset({"moving", "hand", "settling"})
"""States that take turns many times a second while somebody lays tiles: one line in a file."""


class Screen:
    """The terminal: what happens, line by line, and below it a line that says what is seen. Where nobody watches, one
    line for each change. A question rings the bell."""

    def __init__(self, texts: Texts, speaker: Speaker | None = None) -> None:
        self._texts, self._speaker = texts, speaker
        self._live = sys.stdout.isatty()
        self._lock = threading.Lock()
        self._status = ""
        self._state, self._why, self._kind = "", "", ""
        self._refused = ""
        self._proposed = ""

    def begin(self) -> None:
        """Before the first frame."""
        self._show(self._texts("live.state.searching"))

    # as a Listener of the watcher

    def seen(self, sight: Sight) -> None:
        if sight.state != self._state:
            self._state = sight.state
            if sight.state != "calm":
                self._why = ""
        if sight.bumped:
            self.line(self._texts("watch.bumped"))
        if self._live or sight.state not in BUSY or self._kind not in BUSY:
            self._kind = sight.state
            self._show(self._why or self._texts(f"live.state.{sight.state}"))

    def came(self, outcome: Mapping[str, Any]) -> None:
        kind, text = str(outcome.get("kind")), one_line(str(outcome.get("text") or ""))
        if kind not in TOLD:
            self._why = text if kind == "wait" else ""
            return
        self._why = ""
        if kind == "asked" and outcome.get("why") != "waiting":  # what waits behind a question is none itself
            self.line(self._texts("watch.question", question=text), bell=True)
        else:
            self.line(text)
        if kind != "booked" or text != self._proposed:
            self._say(text)
        self._proposed = text if kind == "proposed" else ""

    def trouble(self, code: str | None, error: BrettblickError | None) -> None:
        if code is None:
            self.line(self._texts("watch.source-back"))
            return
        what = self._texts(f"live.trouble.{code}")
        self.line(self._texts.error(error) if code == "lost" and error else what, bell=True)
        if self._live:
            self._show(what)
        self._kind = code

    def refused(self, code: str, text: str) -> None:
        if code == self._refused:
            return
        self._refused = code
        if not code:
            self.line(self._texts("watch.server-back"))
        else:
            self.line(self._texts("watch.server-away") if code == "server-away" else one_line(text))

    def ended(self, why: str) -> None:
        self.line(self._texts(f"watch.ended-{why}"))

    # lines

    def line(self, text: str, bell: bool = False) -> None:
        """A line that stays."""
        with self._lock:
            self._write(f"{self._clear}{time.strftime('%H:%M:%S')}  {text}\n{self._status if self._live else ''}")
            if bell and self._live:
                self._write("\a")

    def _show(self, status: str) -> None:
        """What the line at the bottom says."""
        with self._lock:
            if not self._live:
                if status != self._status:
                    self._write(f"{time.strftime('%H:%M:%S')}  {status}\n")
                self._status = status
                return
            fitting = status[: max(10, shutil.get_terminal_size().columns - 1)]
            if fitting != self._status:
                self._write(self._clear + fitting)
                self._status = fitting

    @property
    def _clear(self) -> str:
        return "\r\x1b[K" if self._live else ""

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody reads it any more; the game goes on
            print(text, end="", flush=True)

    def _say(self, text: str) -> None:
        if self._speaker is not None and text:
            self._speaker.say(text)

    def close(self) -> None:
        """Takes the status line away."""
        with self._lock:
            if self._live and self._status:
                self._write(self._clear)
            self._status = ""
        if self._speaker is not None:
            self._speaker.stop()
