"""Corners set by hand: a JSON file {"a.jpg": [[x, y], [x, y], [x, y], [x, y]], ...}, by file name.

Pixels of the full photo after its EXIF rotation; top-left, top-right, bottom-right, bottom-left in reading order.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

from scorer.errors import BrettblickError
from vision.geometry import Corners


class CornersFileError(BrettblickError):
    """A corners file that cannot be used."""

    code = "bad-corners-file"


def load_corners(path: str | Path) -> Mapping[str, Corners]:
    """Reads and validates a corners file; raises CornersFileError naming the entry that is wrong."""
    path = Path(path)

    def refuse(why: str) -> CornersFileError:
        return CornersFileError(
            f"{path}: {why}", path=path, why=why, hint='Expected: {"photo.jpg": [[x, y], ... four corners]}'
        )

    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise refuse(error.strerror or "cannot be opened") from error
    except ValueError as error:
        raise refuse(f"no JSON ({error})") from error
    if not isinstance(entries, dict):
        raise refuse("no JSON object")
    out = {}
    for name, points in entries.items():
        try:
            corners = Corners.of(points)
        except (TypeError, ValueError) as error:
            raise refuse(f"{name}: not four corners [x, y]") from error
        if not convex_clockwise(corners):
            raise refuse(f"{name}: the corners do not go clockwise around a quadrilateral")
        out[name] = corners
    return out


def convex_clockwise(corners: Corners) -> bool:
    """All turns to the right (y points down) and every number finite."""
    points = corners.points
    if not all(math.isfinite(v) for p in points for v in p):
        return False
    for k in range(4):
        (ax, ay), (bx, by), (cx, cy) = points[k], points[(k + 1) % 4], points[(k + 2) % 4]
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) <= 0:
            return False
    return True
