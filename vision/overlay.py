"""Pictures of what was found, for people: the grid, the letters read, new tiles, doubtful squares, what is in the way.

Words come from the caller: this layer knows no language.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.errors import PhotoError
from vision.geometry import Homography
from vision.observe import Observation
from vision.pixels import Pixels
from vision.reading import EMPTY

Colour = tuple[int, int, int]

GRID_COLOUR = (255, 200, 0)
LETTER_COLOUR = (40, 40, 230)
NEW_COLOUR = (60, 200, 60)
DOUBT_COLOUR = (0, 140, 255)
GLARE_COLOUR = (0, 230, 255)
COVERED_COLOUR = (220, 60, 220)
STRIP_COLOUR = (40, 40, 40)
"""BGR: light blue grid, red letters, green frames of new tiles, orange doubtful squares, yellow hatches where a lamp
mirrors, pink ones where something covers the board; dark grey strips with words."""

LEGEND = {
    "grid": GRID_COLOUR,
    "doubtful": DOUBT_COLOUR,
    "new": NEW_COLOUR,
    "glare": GLARE_COLOUR,
    "covered": COVERED_COLOUR,
}
"""What the strip under a picture explains, by the keys under which the caller gives the words."""


def draw_observation(
    seen: Observation,
    new: Collection[Square] = (),
    words: Mapping[str, str] | None = None,
    caption: str | None = None,
) -> Pixels:
    """The photo with everything found drawn on it; as large as the photo was decoded, with a strip of words below.

    words: for the keys of LEGEND, and "first" for the name of the top-left square, "up" for the way up
    caption: a sentence instead of the legend, for a photo without a board
    Without words and caption there is no strip.
    """
    if seen.photo is None:
        raise ValueError("an observation without a photo cannot be drawn")
    words = words or {}
    canvas = seen.photo.pixels.copy()
    present = {"grid"} if seen.found else set()
    if seen.corners is not None and seen.reading is not None:
        homography = Homography.from_corners(seen.corners.scaled(seen.photo.scale))
        marked = {one.code: one.squares for one in seen.findings if one.code in LEGEND}
        marked |= {"doubtful": frozenset(seen.reading.doubtful), "new": frozenset(new)}
        present |= {key for key, squares in marked.items() if squares}
        _draw_board(canvas, homography, seen.reading.rows, marked)
        if {"first", "up"} <= set(words):
            _mark_top_left(canvas, homography, words["first"], words["up"])
    entries: list[tuple[str, Colour | None]] = [
        (words[key], LEGEND[key]) for key in LEGEND if key in words and key in present
    ]
    if caption is not None:
        entries = [(caption, None)]
    return np.vstack([canvas, _strip(canvas.shape[1], entries)]) if entries else canvas


def save(path: Path, picture: Pixels) -> None:
    """Writes a picture as JPEG, making its folder; raises PhotoError when that is not possible."""
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    try:  # not by OpenCV, which a name that is no text brings down
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(jpeg.tobytes())
    except OSError as error:
        code, hint = "cannot-write", "Choose another folder."
        raise PhotoError(f"{path}: cannot be written", code=code, hint=hint, path=path) from error


def _draw_board(
    canvas: Pixels, homography: Homography, rows: tuple[str, ...], marked: Mapping[str, frozenset[Square]]
) -> None:
    side = homography.square_side()
    thin, thick = max(1, round(side / 40)), max(2, round(side / 14))
    for key, rising in (("glare", True), ("covered", False)):
        _hatch(canvas, homography, marked.get(key, frozenset()), LEGEND[key], thin, rising)
    lattice = homography.lattice()
    for k in range(16):
        for line in (lattice[k], lattice[:, k]):
            width = thick if k in (0, 15) else thin
            cv2.polylines(canvas, [_fixed(line)], False, GRID_COLOUR, width, cv2.LINE_AA, _SHIFT)
    for key in ("glare", "covered"):
        _outline(canvas, homography, marked.get(key, frozenset()), LEGEND[key], thick)
    for square in marked["doubtful"]:
        _frame(canvas, homography, square, DOUBT_COLOUR, thick, 0.06)
    for square in marked["new"]:
        _frame(canvas, homography, square, NEW_COLOUR, thick, 0.0)
    for r, row in enumerate(rows):
        for c, char in enumerate(row):
            if char != EMPTY:
                x, y = homography.to_pixels(np.array([c + 0.04, r + 0.36]))
                _write(canvas, char, (x, y), LETTER_COLOUR, max(8, round(side * 0.36)))


def _mark_top_left(canvas: Pixels, homography: Homography, first: str, up: str) -> None:
    """The name of the reading top-left square, and an arrow that points up: left of the board, or on it."""
    side = homography.square_side()
    height, width = canvas.shape[:2]
    foot, head = homography.to_pixels(np.array([(-0.35, 2.9), (-0.35, 1.4)]))
    if not (min(*foot, *head) >= side * 0.3 and max(foot[0], head[0]) < width and max(foot[1], head[1]) < height):
        foot, head = homography.to_pixels(np.array([(0.18, 2.9), (0.18, 1.4)]))
    thick = max(2, round(side / 12))
    (x0, y0), (x1, y1) = foot.astype(int).tolist(), head.astype(int).tolist()
    for colour, weight in ((STRIP_COLOUR, thick + 2), (GRID_COLOUR, thick)):
        cv2.arrowedLine(canvas, (x0, y0), (x1, y1), colour, weight, cv2.LINE_AA, 0, 0.35)
    size = max(9, round(side * 0.42))
    name = homography.to_pixels(np.array([0.08, 0.55]))
    _write(canvas, first, name, GRID_COLOUR, size, STRIP_COLOUR)
    _write(canvas, up, foot + (head - foot) * -0.25 + (-size * 0.6, size * 0.6), GRID_COLOUR, size, STRIP_COLOUR)


def _strip(width: int, entries: list[tuple[str, Colour | None]]) -> Pixels:
    """A dark strip as wide as the picture with the words, each behind a patch of its colour; wrapped where needed."""
    size = int(np.clip(width / 42, 11, 44))
    space = size // 2
    items: list[tuple[str, Colour | None, int]] = []
    for text, colour in entries:
        pieces = text.split(" ") if colour is None else [text]
        items += [(piece, colour, _text_width(piece, size)) for piece in pieces]
    lines: list[list[tuple[str, Colour | None, int]]] = [[]]
    x = space
    for item in items:
        needed = item[2] + (size + space if item[1] else 0)
        if lines[-1] and x + needed > width - space:
            lines.append([])
            x = space
        lines[-1].append(item)
        x += needed + (2 * space if item[1] else size // 3)
    high = round(size * 1.6)
    strip: Pixels = np.full((high * len(lines) + space, width, 3), STRIP_COLOUR, np.uint8)
    for number, line in enumerate(lines):
        x, base = space, round(high * number + size * 1.35)
        for text, colour, wide in line:
            if colour:
                cv2.rectangle(strip, (x, base - round(size * 0.8)), (x + size, base), colour, -1)
                x += size + space
            _write(strip, text, (x, base), (240, 240, 240), size)
            x += wide + (2 * space if colour else size // 3)
    return strip


def _text_width(text: str, size: int) -> int:
    (_, _, width, _) = cv2.getTextSize((0, 0), text, (0, 0), cv2.FontFace("sans"), size, 700)
    return int(width)


def _write(
    canvas: Pixels,
    text: str,
    at: tuple[float, float] | NDArray[np.float64],
    colour: Colour,
    size: int,
    shadow: Colour | None = None,
) -> None:
    x, y = int(at[0]), int(at[1])
    font = cv2.FontFace("sans")
    if shadow:
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            cv2.putText(canvas, text, (x + dx, y + dy), shadow, font, size, 700)
    cv2.putText(canvas, text, (x, y), colour, font, size, 700)


_SHIFT = 4  # fractional bits of OpenCV's fixed-point coordinates


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(points * (1 << _SHIFT)).astype(np.int32)


def _frame(canvas: Pixels, homography: Homography, square: Square, colour: Colour, width: int, inset: float) -> None:
    low, high = inset, 1 - inset
    outline = np.add([(low, low), (high, low), (high, high), (low, high)], (square.col, square.row))
    cv2.polylines(canvas, [_fixed(homography.to_pixels(outline))], True, colour, width, cv2.LINE_AA, _SHIFT)


def _hatch(
    canvas: Pixels, homography: Homography, squares: Collection[Square], colour: Colour, width: int, rising: bool
) -> None:
    """Slanting lines a third of a square apart that run on from square to square."""
    ends = np.array(
        [(0, 1 / 3, 1 / 3, 0), (0, 2 / 3, 2 / 3, 0), (0, 1, 1, 0), (1 / 3, 1, 1, 1 / 3), (2 / 3, 1, 1, 2 / 3)]
    )
    for square in squares:
        for line in ends.reshape(-1, 2, 2):
            slant = line if rising else np.stack([1 - line[:, 0], line[:, 1]], axis=1)
            points = homography.to_pixels(np.add(slant, (square.col, square.row)))
            cv2.polylines(canvas, [_fixed(points)], False, colour, width, cv2.LINE_AA, _SHIFT)


def _outline(canvas: Pixels, homography: Homography, squares: Collection[Square], colour: Colour, width: int) -> None:
    """The edges of the squares that none of them shares with another."""
    inside = set(squares)
    for r, c in inside:
        for (dr, dc), edge in _EDGES.items():
            if (r + dr, c + dc) not in inside:
                points = homography.to_pixels(np.add(edge, (c, r)).astype(np.float64))
                cv2.polylines(canvas, [_fixed(points)], False, colour, width, cv2.LINE_AA, _SHIFT)


_EDGES = {(-1, 0): [(0, 0), (1, 0)], (1, 0): [(0, 1), (1, 1)], (0, -1): [(0, 0), (0, 1)], (0, 1): [(1, 0), (1, 1)]}
