"""A program that watches a game, for tests of the server and of its pages."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import httpx

from bench.served import Phone

CALM = {"state": "calm", "corners": [[100, 90], [900, 95], [890, 880], [110, 870]], "calm_for": 2.0, "bumped": False}
"""What it sees."""


class Watcher:
    """A program that watches a game, as ``brettblick watch`` does.

    opened: those of this test, which have to end: a server takes eight cameras at once
    """

    opened: ClassVar[list[Watcher]] = []

    def __init__(self, phone: Phone, game: str, source: str = "source-webcam", name: str = "Webcam 0") -> None:
        self.phone, self.game, self.source, self.name = phone, game, source, name
        self.time = 0.0
        self.opened.append(self)

    def send(
        self, picture: bytes, sight: Any = CALM, look: Any = None, step: float = 1.0, **about: Any
    ) -> httpx.Response:
        self.time += step
        meta = {"source": self.source, "name": self.name, "time": self.time, "sight": sight, "look": look} | about
        files = {"frame": ("frame.jpg", picture, "image/jpeg")}
        return self.phone.post(f"/api/games/{self.game}/live/frame", files=files, data={"meta": json.dumps(meta)})

    def frame(self, picture: bytes, **about: Any) -> dict[str, Any]:
        answer = self.send(picture, **about)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def look(
        self, picture: bytes, place: Any = None, pressed: bool = False, reach: float | None = None
    ) -> dict[str, Any]:
        """The answer to a frame that is to be read."""
        look = {"time": self.time + 1, "calm_for": 0.4 if pressed else 2.0, "pressed": pressed, "place": place}
        look["reach"] = reach
        return self.frame(picture, look=look)

    @classmethod
    def end_all(cls, phone: Phone) -> None:
        """All cameras say that they have ended."""
        for one in cls.opened:
            state = {"source": one.source, "name": one.name, "trouble": "ended"}
            phone.post(f"/api/games/{one.game}/live/state", json=state)
        cls.opened.clear()
