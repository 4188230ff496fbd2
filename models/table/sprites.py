"""Hands and paws drawn once, then laid over the table at any place: what a film needs to be drawn fast.

    sprite = drawn(lambda easel: draw_hand(easel, hand), square_px=38, towards=(0.5, -0.9))
    placed = place(sprite, tip=(7.0, 7.5), angle=80.0, height=1.2, view=view)

A sprite is drawn as if seen from straight above, its tip at the middle of the board and its arm towards the right.
Where it is laid, a plane at its height is projected; that the hand itself is a square or two thick is not seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.camera import MIDDLE, View
from models.table.items import Easel

LEFT, RIGHT, HALF = 2.5, 34.0, 6.5
"""Squares that a sprite's picture shows beyond the tip, towards the arm, and to both sides."""


@dataclass(frozen=True)
class Sprite:
    """layer: (h, w, 4) uint8, BGR times cover, and the cover; outline: (n, 2) convex hull of the cover in its pixels
    square_px: pixels per square
    """

    layer: NDArray[np.uint8]
    outline: NDArray[np.float64]
    square_px: float


@dataclass(frozen=True)
class Placed:
    """A sprite in a picture. left, top: where `layer` (h, w, 4) lies; an empty layer where it is outside.

    to_world: 3x3, pixels of the sprite to the world plane
    """

    layer: NDArray[np.uint8]
    left: int
    top: int
    to_world: NDArray[np.float64]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in pixels of the picture."""
        height, width = self.layer.shape[:2]
        return self.left, self.top, self.left + width, self.top + height


def drawn(draw: Callable[[Easel], None], square_px: float, towards: tuple[float, float]) -> Sprite:
    """What `draw` draws without shadow, its tip at grid (7.5, 7.5) and its arm towards the right (angle 0).

    towards: unit vector to the lamp, as seen by the sprite
    """
    size = (round((LEFT + RIGHT) * square_px), round(2 * HALF * square_px))
    flat = np.array([[square_px, 0, LEFT * square_px], [0, square_px, HALF * square_px], [0, 0, 1]])
    view = SimpleNamespace(
        camera=SimpleNamespace(square_px=square_px), aspect=1.0, size=size, world_plane=lambda height: flat
    )
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    easel = Easel(picture, cast(View, view), towards, 60.0, 0.1, 0.0)
    draw(easel)
    hull = cv2.convexHull(cv2.findNonZero(easel.hidden))[:, 0].astype(np.float64)
    return Sprite(np.dstack([picture, easel.hidden]), hull, square_px)


def place(sprite: Sprite, tip: tuple[float, float], angle: float, height: float, view: View, pad: int = 0) -> Placed:
    """The sprite with its tip at a grid point, its arm towards `angle` degrees, so many squares over the board.

    pad: pixels of room around it in its layer
    """
    unit = sprite.square_px
    c, s = np.cos(np.radians(angle)) / unit, np.sin(np.radians(angle)) / unit
    middle = (np.array(tip) - MIDDLE) * (1, view.aspect)
    back = np.array([[1, 0, -LEFT * unit], [0, 1, -HALF * unit], [0, 0, 1]])
    to_world = np.array([[c, -s, middle[0]], [s, c, middle[1]], [0, 0, 1]]) @ back
    matrix = view.world_plane(height) @ to_world
    box = _box(cv2.perspectiveTransform(sprite.outline.reshape(-1, 1, 2), matrix)[:, 0], view.size, pad)
    return Placed(_warped(sprite.layer, matrix, box), box[0], box[1], to_world)


def shadow(
    sprite: Sprite,
    placed: Placed,
    height: float,
    view: View,
    shift: NDArray[np.float64],
    blur: float,
    depth: float,
) -> tuple[NDArray[np.uint8], int, int]:
    """What the sprite's shadow leaves of the light: ((h, w) uint8, 255 all; left; top).

    shift: where the shadow falls, from the sprite, in world units; blur: its softness in pixels; depth: 0 to 1
    """
    reduce = 4
    moved = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]])
    matrix = view.world_plane(0.0) @ moved @ placed.to_world
    outline = cv2.perspectiveTransform(sprite.outline.reshape(-1, 1, 2), matrix)[:, 0]
    left, top, right, bottom = _box(outline, view.size, int(3 * blur) + 4)
    left, top = left // reduce * reduce, top // reduce * reduce
    if right <= left or bottom <= top:
        return np.zeros((0, 0), np.uint8), left, top
    small = np.array([[1 / reduce, 0, 0.5 / reduce - 0.5], [0, 1 / reduce, 0.5 / reduce - 0.5], [0, 0, 1]])
    margin = int(3 * blur / reduce) + 2  # what lies outside the picture darkens it too
    size = (-(-(right - left) // reduce), -(-(bottom - top) // reduce))
    box = (
        left // reduce - margin,
        top // reduce - margin,
        left // reduce + size[0] + margin,
        top // reduce + size[1] + margin,
    )
    cover = _warped(sprite.layer[..., 3], small @ matrix, box)
    cover = cv2.GaussianBlur(cover, (0, 0), max(0.7, blur / reduce))[
        margin : margin + size[1], margin : margin + size[0]
    ]
    full = cv2.resize(cover, (size[0] * reduce, size[1] * reduce), interpolation=cv2.INTER_LINEAR)
    full = full[: bottom - top, : right - left]
    return cv2.convertScaleAbs(full, alpha=-depth, beta=255), left, top


def _box(points: NDArray[np.float64], size: tuple[int, int], pad: int) -> tuple[int, int, int, int]:
    left, top = np.clip(np.floor(points.min(axis=0)).astype(int) - 1 - pad, 0, size)
    right, bottom = np.clip(np.ceil(points.max(axis=0)).astype(int) + 2 + pad, 0, size)
    return int(left), int(top), int(right), int(bottom)


def _warped(layer: NDArray[np.uint8], matrix: NDArray[np.float64], box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    left, top, right, bottom = box
    if right <= left or bottom <= top:
        return np.zeros((0, 0, *layer.shape[2:]), np.uint8)
    here = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ matrix
    return cv2.warpPerspective(layer, here, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
