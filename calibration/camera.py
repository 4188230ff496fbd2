"""The profile of a fixed camera: where the board lies in its photos, as a file people can read; how it is learnt.

The file is JSON with one line a value. Corners are pixels of the full upright photo, as they are seen in it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.corners_file import convex_clockwise
from calibration.edition import KINDS, BoardEdition
from calibration.profile_file import write_whole
from scorer.errors import BrettblickError
from vision.geometry import Corners, Homography, Lens, straight_grid

FORMAT = "brettblick-camera"
VERSION = 1

MOVED = 0.25
"""Two photos a corner of which lies farther apart than this, in squares, are of a camera that moved."""

MOST_BEND = 0.5
"""Largest lens coefficient that a profile may hold; a fish-eye has a third of it."""

FOCAL_LENGTHS = np.geomspace(0.55, 3.5, 60)
"""Focal lengths that a photo may have, in longer sides of it: wide angle of a phone to short telephoto."""

RIGHT_ANGLE = 0.006
"""Cosine of the angle between columns and rows up to which a focal length is believed: corners are a little off."""

CERTAIN_ASPECT, CERTAIN_TILT = 0.02, 4.0
"""An aspect, a tilt in degrees, is told when all believed focal lengths agree on it to this."""


class CameraProfileError(BrettblickError):
    """A profile that cannot be used, or photos that none can be made from."""

    code = "bad-camera-profile"


@dataclass(frozen=True)
class CameraView:
    """One photo of the fixed camera.

    size:     width and height of the full upright photo, pixels
    corners:  of the grid, pixels of the full photo; in reading order if `oriented`, else clockwise from any
    lens_k:   bend of the lens (`vision.geometry.Lens`)
    edition:  the board's colours, if they could be seen
    """

    name: str
    size: tuple[int, int]
    corners: Corners
    oriented: bool
    lens_k: float = 0.0
    edition: BoardEdition | None = None


@dataclass(frozen=True)
class CameraProfile:
    """What is known of a fixed camera and the board under it.

    made:     day, ISO 8601
    photos:   how many it was learnt from
    size:     width and height of the full upright photo, pixels
    lens_k:   bend of the lens (`vision.geometry.Lens`)
    corners:  of the grid, pixels of the full photo as seen
    oriented: whether the corners are in reading order
    spread:   largest distance of a photo's corner from `corners`, squares
    aspect:   height of a square over its width, tilt: degrees of the line of sight off the vertical; None where the
              corners leave it open
    """

    name: str
    made: str
    photos: int
    size: tuple[int, int]
    lens_k: float
    corners: Corners
    oriented: bool
    spread: float
    aspect: float | None
    tilt: float | None
    edition: BoardEdition

    def to_json(self) -> str:
        """The text of the file."""
        names = [kind.name.lower().replace("_", "-") for kind in KINDS]
        colours = {n: c and [round(v, 1) for v in c] for n, c in zip(names, self.edition.colours, strict=True)}
        content = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "made": self.made,
            "photos": self.photos,
            "size": self.size,
            "lens": round(self.lens_k, 5),
            "corners": [[round(v, 2) for v in point] for point in self.corners.points],
            "oriented": self.oriented,
            "spread": round(self.spread, 4),
            "aspect": self.aspect and round(self.aspect, 4),
            "tilt": None if self.tilt is None else round(self.tilt, 1),
            "colours": colours,
        }
        lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in content.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> CameraProfile:
        """The inverse of `to_json`; CameraProfileError says which entry is wrong and how."""
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _refused(f"no JSON ({error})") from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise _refused("not a profile of a camera")
        if content.get("version") != VERSION:
            raise CameraProfileError(
                f"version {content.get('version')} of the format, this Brettblick knows {VERSION}",
                code="camera-profile-version",
                hint="Make it again: brettblick calibrate camera.",
                version=content.get("version"),
                known=VERSION,
            )
        field = _Fields(content)
        size = field.numbers("size", 2, 1, 100_000)
        corners = [field.numbers("corners", 2, -1e6, 1e6, point) for point in field.items("corners", 4)]
        if not convex_clockwise(Corners.of(corners)):
            raise _refused("corners: they do not go clockwise around a quadrilateral")
        colours = field.table("colours")
        known = [kind.name.lower().replace("_", "-") for kind in KINDS]
        shown = [
            field.numbers("colours", 3, -200, 200, colours[n]) if colours.get(n) is not None else None for n in known
        ]
        return cls(
            name=field.text("name"),
            made=field.day("made"),
            photos=int(field.number("photos", 1, 1_000_000)),
            size=(round(size[0]), round(size[1])),
            lens_k=field.number("lens", -MOST_BEND, MOST_BEND),
            corners=Corners.of(corners),
            oriented=field.flag("oriented"),
            spread=field.number("spread", 0, 15),
            aspect=field.optional("aspect", 0.5, 2),
            tilt=field.optional("tilt", 0, 90),
            edition=BoardEdition(tuple(None if c is None else (c[0], c[1], c[2]) for c in shown)),
        )

    def save(self, path: str | Path) -> None:
        """Writes the file whole or not at all; CameraProfileError when it cannot be written."""
        write_whole(path, self.to_json(), CameraProfileError)


def load_camera(path: str | Path) -> CameraProfile:
    """Reads and validates a profile; CameraProfileError names the file, the entry that is wrong, and what to do."""
    path = Path(path)
    try:
        return CameraProfile.from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CameraProfileError(f"{path}: no such file", code="missing-file", path=path) from error
    except OSError as error:
        raise CameraProfileError(f"{path}: {error.strerror}", path=path, why=error.strerror) from error
    except UnicodeDecodeError as error:
        raise CameraProfileError(f"{path}: no text", path=path, why="no text") from error
    except CameraProfileError as error:
        error.message = f"{path}: {error.message}"
        error.details["path"] = path
        raise


def learn_camera(views: Sequence[CameraView], name: str) -> CameraProfile:
    """A profile from one photo or more of a camera that did not move.

    CameraProfileError: "camera-photo-size" photos of different sizes, "camera-photos-differ" the grid does not lie at
    the same place on all; both name the photos.
    """
    first = views[0]
    for view in views:
        if view.size != first.size:
            raise CameraProfileError(
                f"{view.name} has {_by(view.size)} pixels, {first.name} {_by(first.size)}",
                code="camera-photo-size",
                hint="Use photos of one camera in one position only.",
                photo=view.name,
                size=_by(view.size),
                other=first.name,
                other_size=_by(first.size),
            )
    begin = next((view for view in views if view.oriented), first)
    turned = [_turned_like(view.corners, begin.corners) for view in views]
    # a board that was turned between the photos tells no reading order
    oriented = begin.oriented and all(
        quarters == 0 for view, (_, quarters) in zip(views, turned, strict=True) if view.oriented
    )
    every = np.array([corners.array for corners, _ in turned])
    corners = Corners.of(np.median(every, axis=0))
    side = Homography.from_corners(corners).square_side()
    apart = float(np.linalg.norm(every[:, None] - every[None], axis=3).max()) / side
    if apart > MOVED:
        raise _differ(views, every, apart)
    lens_k = float(np.median([view.lens_k for view in views]))
    aspect, tilt = aspect_and_tilt(corners, first.size, lens_k)
    return CameraProfile(
        name=name,
        made=date.today().isoformat(),
        photos=len(views),
        size=first.size,
        lens_k=lens_k,
        corners=corners,
        oriented=oriented,
        spread=float(deviations(every, corners).max()),
        aspect=aspect,
        tilt=tilt,
        edition=BoardEdition.of_several([view.edition for view in views if view.edition is not None]),
    )


def deviations(every: NDArray[np.float64], corners: Corners) -> NDArray[np.float64]:
    """(n,) largest distance of each photo's corners (n, 4, 2) from these, in squares."""
    side = Homography.from_corners(corners).square_side()
    return np.asarray(np.linalg.norm(every - corners.array, axis=2).max(axis=1) / side)


def aspect_and_tilt(corners: Corners, size: tuple[int, int], lens_k: float) -> tuple[float | None, float | None]:
    """Height of a square over its width, and the tilt in degrees, as far as the corners tell them.

    For a camera with square pixels and its axis in the picture's middle. Columns and rows of the board are at right
    angles, which ties the focal length to the homography (Zhang 2000, eq. 3); where the camera looks along columns or
    rows, or straight down, it stays open, and so may what follows from it.
    """
    width, height = size
    lens = Lens.of_picture(lens_k, width, height)
    to_middle = np.array([[1, 0, -lens.middle[0]], [0, 1, -lens.middle[1]], [0, 0, max(size)]])
    columns, rows = (to_middle @ straight_grid(corners, lens).matrix)[:, :2].T
    found: list[tuple[float, float]] = []
    for focal in FOCAL_LENGTHS:
        right, down = columns / (focal, focal, 1), rows / (focal, focal, 1)
        long, high = np.linalg.norm(right), np.linalg.norm(down)
        if abs(right @ down) <= RIGHT_ANGLE * long * high:
            normal = np.cross(right, down) / np.linalg.norm(np.cross(right, down))
            found.append((float(high / long), math.degrees(math.acos(min(1.0, abs(float(normal[2])))))))
    if not found:
        return None, None
    every = np.array(found)
    (aspect, tilt), (aspect_range, tilt_range) = np.median(every, axis=0), np.ptp(every, axis=0)
    return (
        float(aspect) if aspect_range <= CERTAIN_ASPECT else None,
        float(tilt) if tilt_range <= CERTAIN_TILT else None,
    )


def _turned_like(corners: Corners, wanted: Corners) -> tuple[Corners, int]:
    """The corners from the one on that makes them most like these, and by how many steps they were turned for it."""
    apart = [float(np.linalg.norm(corners.turned(q).array - wanted.array, axis=1).max()) for q in range(4)]
    quarters = int(np.argmin(apart))
    return corners.turned(quarters), quarters


def _differ(views: Sequence[CameraView], every: NDArray[np.float64], apart: float) -> CameraProfileError:
    """Which photos do not go together: those between which the grid jumps."""
    side = Homography.from_corners(Corners.of(every[0])).square_side()
    steps = [float(np.linalg.norm(b - a, axis=1).max()) / side for a, b in pairwise(every)]
    jumps = [k for k, step in enumerate(steps) if step > MOVED] or [int(np.argmax(steps))]
    between = ", ".join(f"{views[k].name} / {views[k + 1].name}" for k in jumps)
    return CameraProfileError(
        f"the grid does not lie at the same place on all photos (up to {apart:.1f} squares off): between {between}",
        code="camera-photos-differ",
        hint="Use photos from before or after the move only.",
        squares=f"{apart:.1f}",
        photos=between,
    )


def _by(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"


def _refused(why: str) -> CameraProfileError:
    return CameraProfileError(why, hint="Make it again: brettblick calibrate camera.", why=why)


@dataclass(frozen=True)
class _Fields:
    """The entries of a file, each checked; CameraProfileError names the one that is wrong."""

    content: dict[str, Any]

    def _get(self, key: str) -> Any:
        if key not in self.content:
            raise _refused(f"{key} is missing")
        return self.content[key]

    def number(self, key: str, least: float, most: float, value: Any = None) -> float:
        value = self._get(key) if value is None else value
        # a bool is an int to Python; NaN fails the comparison
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise _refused(f"{key}: a number from {least:g} to {most:g} is expected")
        return float(value)

    def optional(self, key: str, least: float, most: float) -> float | None:
        return None if self._get(key) is None else self.number(key, least, most)

    def items(self, key: str, count: int, value: Any = None) -> list[Any]:
        value = self._get(key) if value is None else value
        if not isinstance(value, list) or len(value) != count or any(item is None for item in value):
            raise _refused(f"{key}: a list of {count} is expected")
        return value

    def numbers(self, key: str, count: int, least: float, most: float, value: Any = None) -> list[float]:
        return [self.number(key, least, most, item) for item in self.items(key, count, value)]

    def table(self, key: str) -> dict[str, Any]:
        value = self._get(key)
        if not isinstance(value, dict):
            raise _refused(f"{key}: a table of names and colours is expected")
        return value

    def text(self, key: str) -> str:
        value = self._get(key)
        if not isinstance(value, str):
            raise _refused(f"{key}: a text is expected")
        return value

    def day(self, key: str) -> str:
        try:
            return date.fromisoformat(self.text(key)).isoformat()
        except ValueError as error:
            raise _refused(f"{key}: a day like 2026-01-31 is expected") from error

    def flag(self, key: str) -> bool:
        value = self._get(key)
        if not isinstance(value, bool):
            raise _refused(f"{key}: true or false is expected")
        return value
