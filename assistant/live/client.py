"""Tells a server what a camera sees, and hears what becomes of it.

The server may be away for a while: pictures that are to be read wait for it in their order; of the others only the
newest is sent. `assistant.web.live_wire` says what is sent and answered.
"""

from __future__ import annotations

import json
import queue
import threading
import time
import uuid
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from scorer.errors import BrettblickError

if TYPE_CHECKING:
    import httpx

    from vision.live.sight import Look, Place, Sight
    from vision.pixels import Pixels

SIDE = 1280
"""Longer side of a frame that is only shown and kept for thirty seconds, pixels; what is to be read keeps its size."""

SHOWN_QUALITY = 78
"""Of its JPEG."""

MOST_WAITING = 40
"""Pictures to be read that wait for a server which is away; a long game has thirty moves."""

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each new try while the server is away; the last one for all that follow."""

ANSWER_SECONDS = 60.0
"""Longest wait for an answer: a picture is read meanwhile, on a slow machine beside others."""

LAST_SECONDS = 0.8
"""For what is still to be sent at the end; all of it is to take less than two."""

AWAY = frozenset({408, 425, 429, 500, 502, 503, 504, 507})
"""Statuses of a server that will take the same request later."""


class ServerError(BrettblickError):
    """A server that refuses what it is asked.

    said:   its code, "" when it has none; details: its words as ``why``
    status: of HTTP
    """

    code = "server-refused"

    def __init__(self, said: str, words: str, status: int) -> None:
        super().__init__(words, why=words)
        self.said, self.status = said, status


@dataclass(frozen=True)
class Answer:
    """What the server says to a frame.

    press:   a player has pressed the clock
    again:   look once more when the position has been calm for so many seconds
    outcome: what became of a look, or of what was proposed before, with its ``kind`` and ``text``
    stop:    nothing is to be watched any more
    """

    press: bool = False
    again: float | None = None
    outcome: Mapping[str, Any] | None = None
    stop: bool = False


@dataclass(frozen=True)
class Away:
    """The server does not take what it is sent. code: ``server-away``, or the server's own; text: its words."""

    code: str
    text: str = ""


@dataclass(frozen=True)
class Back:
    """The server takes it again."""


News = Answer | Away | Back


class Connection:
    """One server, as a page opened in a browser on this machine sees it.

    base:     ``http://127.0.0.1:8000``
    language: of its words
    trusted:  file with the certificate that an https server shows, PEM; None for one that anybody would trust
    cookies:  that are there already; None to get them by opening the page
    """

    def __init__(
        self,
        base: str,
        language: str = "de",
        trusted: Path | None = None,
        cookies: Mapping[str, str] | None = None,
    ) -> None:
        import ssl

        import httpx

        verify: ssl.SSLContext | bool = True
        if trusted is not None:
            verify = ssl.create_default_context(cafile=str(trusted))
        self.base = base.rstrip("/")
        self._http = httpx.Client(
            base_url=self.base,
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=3.0),
            trust_env=False,
            verify=verify,
            cookies={"lang": language, **(cookies or {})},
            headers={"X-Brettblick": "1", "Origin": self.base},
        )
        self._joined = cookies is not None

    def join(self) -> None:
        """Opens the page: a browser on the server's own machine gets its cookie so."""
        self._http.get("/", headers={"accept": "text/html"}).raise_for_status()
        self._joined = True

    def call(self, method: str, path: str, **content: Any) -> Any:
        """The JSON of an answer. ServerError for one that refuses, httpx.HTTPError when there is none."""
        if not self._joined:
            self.join()
        response = self._http.request(method, path, **content)
        if response.status_code == 403 and _error(response)[0] == "not-joined":  # the secret was renewed
            self.join()
            response = self._http.request(method, path, **content)
        if response.is_success:
            return response.json()
        code, message = _error(response)
        raise ServerError(code, message or f"HTTP {response.status_code}", response.status_code)

    def close(self) -> None:
        self._http.close()


def _error(response: httpx.Response) -> tuple[str, str]:
    """Code and words of a refusal; empty where it has none."""
    try:
        said = response.json()
        return str(said["error"]), str(said["message"])
    except (ValueError, KeyError, TypeError):
        return "", ""


@dataclass
class _Parcel:
    """One request on its way. jpeg: None where it says only how the source is."""

    meta: dict[str, Any]
    jpeg: bytes | None = None


@dataclass
class Reporter:
    """Sends what is seen, in a thread of its own; what comes back is in `news`.

    connection: to the server, used by this thread alone
    game:       its id
    name:       of the camera, for people
    """

    connection: Connection
    game: str
    name: str
    news: queue.SimpleQueue[News] = field(default_factory=queue.SimpleQueue)
    source: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        self._looks: deque[_Parcel] = deque()
        self._frame: tuple[Pixels, Sight] | None = None
        self._state: _Parcel | None = None
        self._work = threading.Condition()
        self._stop = False
        self._busy = self._failing = False
        self._thread = threading.Thread(target=self._run, name="reporter", daemon=True)
        self._path = f"/api/games/{self.game}/live"

    def start(self) -> None:
        self._thread.start()

    def see(self, pixels: Pixels, sight: Sight) -> None:
        """A frame and what was seen in it. What is to be read is never dropped for a newer one."""
        if sight.look is None:
            with self._work:
                self._frame = pixels, sight
                self._work.notify()
            return
        from assistant.live.reading import as_photo

        jpeg = as_photo(sight.look.pixels)
        meta = self._meta(sight.time) | {"sight": _sight(sight, 1.0), "look": _look(sight.look)}
        with self._work:
            self._frame = None  # it is older
            self._looks.append(_Parcel(meta, jpeg))
            while len(self._looks) > MOST_WAITING:
                self._looks.popleft()
            self._work.notify()

    def tell(self, trouble: str | None) -> None:
        """What is wrong with the source; None for nothing."""
        meta = {"source": self.source, "name": self.name, "trouble": trouble}
        with self._work:
            self._state = _Parcel(meta)
            self._frame = None
            self._work.notify()

    @property
    def idle(self) -> bool:
        """Whether all that had to be sent is sent."""
        with self._work:
            return not (self._busy or self._looks or self._state or self._frame)

    @property
    def waiting(self) -> int:
        """Pictures that are still to be read."""
        with self._work:
            return len(self._looks)

    def stop(self) -> None:
        """Sends what is to be read before, as far as the server takes it at once."""
        end = time.monotonic() + LAST_SECONDS
        while self._thread.is_alive() and not (self._failing or self.idle) and time.monotonic() < end:
            time.sleep(0.02)
        with self._work:
            self._stop = True
            self._work.notify()
        if self._thread.is_alive():
            self._thread.join(max(0.1, end - time.monotonic()))
        self.connection.close()

    def _meta(self, at: float) -> dict[str, Any]:
        return {"source": self.source, "name": self.name, "time": at}

    # --- in the thread

    def _run(self) -> None:
        failures = 0
        while (parcel := self._next()) is not None:
            while (fate := self._send(parcel)) != "taken":
                pause, failures = PAUSES[min(failures, len(PAUSES) - 1)], failures + 1
                with self._work:
                    self._failing = True
                    if self._work.wait_for(lambda: self._stop, pause):
                        return
                if fate == "refused" or (parcel.jpeg is not None and parcel.meta["look"] is None):
                    break  # of frames a newer one will do
            else:
                if failures:
                    self.news.put(Back())
                failures, self._failing = 0, False

    def _next(self) -> _Parcel | None:
        """What is to be sent next: what is to be read, how the source is, the newest frame. None at the end."""
        with self._work:
            self._busy = False
            self._work.wait_for(lambda: self._stop or self._looks or self._state or self._frame)
            if self._stop:
                return None
            self._busy = True
            if self._looks:
                return self._looks.popleft()
            if self._state is not None:
                parcel, self._state = self._state, None
                return parcel
            assert self._frame is not None
            (pixels, sight), self._frame = self._frame, None
        from assistant.live.reading import as_photo

        small = shown(pixels)
        scale = small.shape[1] / pixels.shape[1]
        meta = self._meta(sight.time) | {"sight": _sight(sight, scale), "look": None}
        return _Parcel(meta, as_photo(small, SHOWN_QUALITY))

    def _send(self, parcel: _Parcel) -> Literal["taken", "later", "refused"]:
        """Whether the server took it, may take it later, or never will."""
        import httpx

        try:
            if parcel.jpeg is None:
                said = self.connection.call("POST", f"{self._path}/state", json=parcel.meta)
            else:
                files = {"frame": ("frame.jpg", parcel.jpeg, "image/jpeg")}
                data = {"meta": json.dumps(parcel.meta)}
                said = self.connection.call("POST", f"{self._path}/frame", files=files, data=data)
        except httpx.HTTPError as error:
            self.news.put(Away("server-away", str(error)))
            return "later"
        except ServerError as error:
            self.news.put(Away(error.said or error.code, error.message))
            if error.said == "already-watched":  # that camera sees the same: what is old by then would only confuse
                with self._work:
                    self._looks.clear()
            return "later" if error.status in AWAY else "refused"
        if isinstance(said, dict) and parcel.jpeg is not None:
            again, outcome = said.get("again"), said.get("outcome")
            self.news.put(
                Answer(
                    bool(said.get("press")),
                    float(again) if isinstance(again, int | float) else None,
                    outcome if isinstance(outcome, dict) else None,
                    bool(said.get("stop")),
                )
            )
        return "taken"


def shown(pixels: Pixels) -> Pixels:
    """The frame, smaller where it is larger than `SIDE`."""
    import cv2

    scale = SIDE / max(pixels.shape[:2])
    if scale >= 1:
        return pixels
    small: Pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return small


def _sight(sight: Sight, scale: float) -> dict[str, Any]:
    """What was seen; corners in pixels of a picture ``scale`` times as large."""
    place, advice = sight.place, sight.advice
    return {
        "state": sight.state,
        "corners": None if place is None else _points(place, scale),
        "calm_for": sight.calm_for,
        "bumped": sight.bumped,
        "advice": None
        if advice is None
        else [
            {"code": one.code, "value": one.value, "ideal": one.ideal, "share": one.share, "ok": one.ok}
            for one in advice.items
        ],
    }


def _look(look: Look) -> dict[str, Any]:
    place = look.place
    return {
        "time": look.time,
        "calm_for": look.calm_for,
        "pressed": look.pressed,
        "reach": look.reach,
        "place": None
        if place is None
        else {
            "corners": _points(place, 1.0),
            "size": list(place.size),
            "lens_k": place.lens_k,
            "oriented": place.oriented,
        },
    }


def _points(place: Place, scale: float) -> list[list[float]]:
    return [[round(float(value), 2) for value in point] for point in place.corners.scaled(scale).points]
