"""What a camera that watches a game sends, checked; and what those who look at the game are told of it. Pure.

A frame is a form (multipart) with two fields: the file ``frame``, a JPEG, and the text ``meta``, a JSON object:

    source  a random id of this camera, 8 to 80 characters; a new one each time it is started
    name    for people: "Webcam 0"
    time    seconds by the source's clock; they never go back
    sight   what was seen in it, or null: then the server looks for itself (the page's own camera)
            {"state", "corners": four (x, y) in pixels of this frame or null, "calm_for": seconds, "bumped",
             "advice": [{"code", "value", "ideal", "share", "ok"}, ...] or null}
    look    not null: this very JPEG is to be read now, full size
            {"time", "calm_for", "pressed", "reach": degrees or null,
             "place": {"corners", "size": [width, height], "lens_k", "oriented"} or null}

The answer:

    press    a player has pressed the clock since the last frame: the move is made
    again    after a look: look once more when the position has been calm for so many seconds; or null
    outcome  what became of a look, or of what had been proposed before: {"kind", "why", "text", ...}; or null
    stop     nothing is to be watched any more
    dropped  the frame came while another one was looked at, and was not looked at itself
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from assistant.web.errors import WebError
from vision.geometry import Corners
from vision.live.sight import Place, State, ViewAdvice, ViewItem

LARGEST_SIDE, LEAST_SIDE = 12_000, 32
"""Of a frame, pixels."""

LONGEST_NAME = 60

MOST_ADVICE = 12

LATEST = 1e11
"""Seconds: beyond any clock."""

STATES = get_args(State)

CODE = re.compile(r"[a-z][a-z-]{0,39}")


@dataclass(frozen=True)
class Told:
    """What the camera itself saw in a frame, as `vision.live.sight.Sight` has it; corners in pixels of the frame."""

    state: State
    corners: Corners | None = None
    calm_for: float = 0.0
    bumped: bool = False
    advice: ViewAdvice | None = None


@dataclass(frozen=True)
class ToRead:
    """A picture that is to be read now, as `vision.live.sight.Look` has it."""

    jpeg: bytes
    time: float
    calm_for: float
    pressed: bool
    place: Place | None
    reach: float | None = None


@dataclass(frozen=True)
class Camera:
    """Who sends: a random id, and a name for people."""

    source: str
    name: str


@dataclass(frozen=True)
class Frame:
    """A frame as it came in. told: None where the server has to look for itself; size: width and height, pixels."""

    camera: Camera
    jpeg: bytes
    size: tuple[int, int]
    time: float
    told: Told | None = None
    look: ToRead | None = None


def frame_of(jpeg: bytes, meta: str) -> Frame:
    """The frame of a request. WebError ``no-picture`` for what is no JPEG, ``bad-request`` for a meta that says nothing
    that can be."""
    size = jpeg_size(jpeg)
    if size is None or not all(LEAST_SIDE <= side <= LARGEST_SIDE for side in size):
        raise WebError("a frame is a JPEG", code="no-picture", why="")
    try:
        data = _object(json.loads(meta))
        look = data.get("look")
        told = data.get("sight")
        return Frame(
            camera_of(data),
            jpeg,
            size,
            _seconds(data["time"]),
            None if told is None else _told(_object(told)),
            None if look is None else _look(_object(look), jpeg),
        )
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
        raise WebError(f"no meta of a frame: {error}", code="bad-request") from error


def camera_of(data: Mapping[str, Any]) -> Camera:
    """ValueError or KeyError for none."""
    source, name = data["source"], data["name"]
    if not (isinstance(source, str) and 8 <= len(source) <= 80 and source.isascii() and source.isprintable()):
        raise ValueError("a source has an id of its own")
    if not isinstance(name, str):
        raise ValueError("a source has a name")
    name = "".join(char for char in name[:LONGEST_NAME] if char.isprintable()).strip()
    return Camera(source, name)


def trouble_of(data: Mapping[str, Any]) -> str | None:
    """The code of what is wrong with a camera, None for nothing. WebError for no code."""
    code = data.get("trouble")
    if code is not None and not (isinstance(code, str) and CODE.fullmatch(code)):
        raise WebError("trouble is a code", code="bad-request")
    return code


def _told(data: Mapping[str, Any]) -> Told:
    state = data["state"]
    if state not in STATES:
        raise ValueError("no such state")
    corners, advice = data.get("corners"), data.get("advice")
    return Told(
        state,
        None if corners is None else _corners(corners),
        _seconds(data.get("calm_for", 0.0)),
        _flag(data.get("bumped", False)),
        None if advice is None else _advice(advice),
    )


def _look(data: Mapping[str, Any], jpeg: bytes) -> ToRead:
    place, reach = data.get("place"), data.get("reach")
    return ToRead(
        jpeg,
        _seconds(data["time"]),
        _seconds(data["calm_for"]),
        _flag(data.get("pressed", False)),
        None if place is None else _place(_object(place)),
        None if reach is None else _number(reach) % 360,
    )


def _place(data: Mapping[str, Any]) -> Place:
    width, height = data["size"]
    if not all(type(side) is int and LEAST_SIDE <= side <= LARGEST_SIDE for side in (width, height)):
        raise ValueError("no size of a frame")
    corners = _corners(data["corners"])
    if not _around(corners):
        raise ValueError("the corners go around no board")
    lens_k = _number(data.get("lens_k", 0.0))
    if abs(lens_k) > 1:
        raise ValueError("no lens bends so much")
    return Place(corners, (width, height), lens_k, _flag(data.get("oriented", False)))


def _corners(data: Any) -> Corners:
    points = [[_number(value) for value in point] for point in data]
    if any(abs(value) > 4 * LARGEST_SIDE for point in points for value in point):
        raise ValueError("corners far outside of any frame")
    return Corners.of(points)


def _around(corners: Corners) -> bool:
    """Whether the corners go once around something: each a turn the same way, more than a pixel of area."""
    points = corners.points
    turns = []
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:] + points[:1], points[2:] + points[:2], strict=True):
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return min(turns) > 1 or max(turns) < -1


def _advice(data: Any) -> ViewAdvice:
    if not isinstance(data, list) or len(data) > MOST_ADVICE:
        raise ValueError("no advice, or too much")
    return ViewAdvice(tuple(map(_item, map(_object, data))))


def _item(data: Mapping[str, Any]) -> ViewItem:
    code = data["code"]
    if not (isinstance(code, str) and CODE.fullmatch(code)):
        raise ValueError("no code of an advice")
    share = _number(data["share"])
    return ViewItem(code, _number(data["value"]), _number(data["ideal"]), min(1.0, max(0.0, share)), _flag(data["ok"]))


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("no number")
    return float(value)


def _seconds(value: Any) -> float:
    seconds = _number(value)
    if not 0 <= seconds < LATEST:
        raise ValueError("no time")
    return seconds


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("neither yes nor no")
    return value


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG by its frame header (ITU-T T.81, B.2.2), without decoding it; None for no JPEG."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
            continue
        if marker == 0x01 or 0xD0 <= marker <= 0xD7:  # without a length
            at += 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            if at + 9 > len(data):
                return None
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        if marker in (0xD9, 0xDA) or length < 2:
            return None
        at += 2 + length
    return None


def advice_json(advice: ViewAdvice | None) -> list[dict[str, Any]] | None:
    """As a camera sends it, and as the pages get it."""
    if advice is None:
        return None
    return [
        {"code": one.code, "value": one.value, "ideal": one.ideal, "share": one.share, "ok": one.ok}
        for one in advice.items
    ]
