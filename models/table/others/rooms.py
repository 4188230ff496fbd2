"""A room seen at eye height: floor, walls, ceiling, boxes of furniture, doors, windows, pictures, a rug."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.ground import Ground, ground_texture
from models.table.others.canvas import any_colour, paper, wooden
from models.table.others.surfaces import bookshelf, bricks, cloth, floor, mosaic, photos
from models.table.textures import SIDE, Colour, bgr, clouds, cut, hsv, mix, shade


class _Eye:
    """A camera in the room. World in metres: x right, y into the picture, z up."""

    def __init__(self, width: int, height: int, rng: np.random.Generator) -> None:
        self.size = (width, height)
        focal = max(width, height) * rng.uniform(0.6, 1.1)
        yaw, pitch, roll = np.radians([rng.normal(0, 14), rng.normal(-8, 8), rng.normal(0, 2.5)])
        turn = cv2.Rodrigues(np.array([0, 0, yaw]))[0] @ cv2.Rodrigues(np.array([pitch, 0, 0]))[0]
        axes = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])  # right, down, forward of a level camera
        self.rotation = cv2.Rodrigues(np.array([0, 0, roll]))[0] @ axes @ turn.T
        self.matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
        self.at = np.array([rng.uniform(-0.8, 0.8), -rng.uniform(0.3, 2.5), rng.uniform(1.0, 1.8)])

    def seen(self, corners: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 2) pixels of a polygon in the world, cut off at a plane in front of the camera; may be empty."""
        points = (corners - self.at) @ self.rotation.T
        near, kept = 0.05, []
        for a, b in zip(points, np.roll(points, -1, axis=0), strict=True):
            if a[2] > near:
                kept.append(a)
            if (a[2] > near) != (b[2] > near):
                kept.append(a + (b - a) * (near - a[2]) / (b[2] - a[2]))
        if len(kept) < 3:
            return np.empty((0, 2))
        flat = np.array(kept) @ self.matrix.T
        return flat[:, :2] / flat[:, 2:]

    def onto(self, corners: NDArray[np.float64], width: int, height: int) -> NDArray[np.float64]:
        """3x3, pixels of a picture with these four corners (top left first, clockwise) to pixels here."""
        right, down = (corners[1] - corners[0]) / width, (corners[3] - corners[0]) / height
        world = np.stack([right, down, corners[0] - self.at], axis=1)
        return self.matrix @ self.rotation @ world


class _Painter:
    def __init__(self, eye: _Eye, colour: Colour) -> None:
        self.eye = eye
        self.pixels = np.empty((eye.size[1], eye.size[0], 3), np.uint8)
        self.pixels[:] = bgr(colour).astype(np.uint8)

    def _polygon(self, picture: NDArray[np.uint8], points: NDArray[np.float64], colour: list[float]) -> None:
        fixed = np.clip(np.round(points * 16), -(1 << 22), 1 << 22).astype(np.int32)
        cv2.fillPoly(picture, [fixed], colour, cv2.LINE_AA, 4)

    def flat(self, corners: object, colour: Colour) -> None:
        points = self.eye.seen(np.asarray(corners, float))
        if len(points):
            self._polygon(self.pixels, points, bgr(colour).tolist())

    def picture(self, corners: object, pixels: NDArray[np.uint8], light: float = 1.0) -> None:
        quad = np.asarray(corners, float)
        points = self.eye.seen(quad)
        if not len(points):
            return
        mask = np.zeros(self.pixels.shape[:2], np.uint8)
        self._polygon(mask, points, [255])
        matrix = self.eye.onto(quad, pixels.shape[1], pixels.shape[0])
        shown = cv2.warpPerspective(pixels, matrix, self.eye.size, borderMode=cv2.BORDER_REFLECT_101)
        cv2.copyTo(cv2.convertScaleAbs(shown, alpha=light), mask, self.pixels)


def _upright(x0: float, x1: float, y0: float, y1: float, z0: float, z1: float) -> NDArray[np.float64]:
    return np.array([(x0, y0, z1), (x1, y1, z1), (x1, y1, z0), (x0, y0, z0)])


def _level(x0: float, x1: float, y0: float, y1: float, z: float) -> NDArray[np.float64]:
    return np.array([(x0, y1, z), (x1, y1, z), (x1, y0, z), (x0, y0, z)])


def room(rng: np.random.Generator, width: int, height: int) -> NDArray[np.uint8]:
    """(height, width, 3) surface colours."""
    u = rng.uniform
    eye = _Eye(width, height, rng)
    painter = _Painter(eye, paper(rng))
    half, deep, high = u(1.6, 3.2), u(2.5, 5.5), u(2.3, 3.2)
    wall = mix(paper(rng), any_colour(rng, 0.5, 0.4), u(0, 0.7))
    back = wall if rng.random() < 0.7 else any_colour(rng, 0.5, 0.3)
    painter.flat(_level(-half, half, -4, deep, high), mix(wall, (255, 255, 255), 0.6))
    ground = Ground("wood", wooden(rng), shade(wooden(rng), 0.6), int(rng.integers(1 << 30)))
    boards = floor(rng, 384).pixels if rng.random() < 0.4 else ground_texture(ground)[: SIDE // 2, : SIDE // 2]
    painter.picture(_level(-half, half, -4, deep, 0), np.ascontiguousarray(boards), u(0.6, 1.0))
    for side, light in ((-half, u(0.7, 1.0)), (half, u(0.7, 1.0))):
        painter.flat(_upright(side, side, -4, deep, 0, high), shade(wall, light))
    painter.flat(_upright(-half, half, deep, deep, 0, high), back)
    if rng.random() < 0.25:
        covering = bricks if rng.random() < 0.5 else mosaic
        painter.picture(_upright(-half, half, deep, deep, 0, high), covering(rng, 300).pixels, u(0.7, 1))
    for corners in ((-half, half, deep, deep), (-half, -half, -4, deep), (half, half, -4, deep)):
        painter.flat(_upright(*corners, 0, 0.1), mix(wall, (255, 255, 255), 0.5))
    if rng.random() < 0.5:
        x, y, w, d = u(-1, 0.5), u(0.8, deep - 1.5), u(0.8, 2), u(0.8, 2)
        rug = cloth if rng.random() < 0.6 else mosaic
        painter.picture(_level(x, x + w, y, y + d, 0.01), rug(rng, 300).pixels, u(0.6, 1))
    for _ in range(int(rng.integers(1, 5))):
        _on_wall(painter, rng, half, deep, high, wall)
    boxes = []
    for _ in range(int(rng.integers(2, 9))):
        x, y = u(-half, half - 0.5), u(1.2, deep - 0.4) if rng.random() < 0.5 else deep - u(0.4, 0.7)
        boxes.append((y, x, u(0.3, 1.6), u(0.3, 0.8), u(0.35, 2.0)))
    for y, x, w, d, h in sorted(boxes, reverse=True):
        _box(painter, rng, x, min(x + w, half), y, min(y + d, deep), h)
    shape = painter.pixels.shape[:2]
    uneven = 1 + 0.05 * cut(clouds(int(rng.integers(4))), rng, shape, max(shape) / 300)
    return cv2.multiply(painter.pixels, cv2.merge([uneven.astype(np.float32)] * 3), dtype=cv2.CV_8U)


def _on_wall(painter: _Painter, rng: np.random.Generator, half: float, deep: float, high: float, wall: Colour) -> None:
    """A window, a door, a shelf of books or pictures on one of the three walls."""
    u = rng.uniform
    kind = str(rng.choice(["window", "door", "books", "photos"]))
    w = {"window": u(0.7, 1.8), "door": 0.9, "books": u(0.8, 2), "photos": u(0.5, 2)}[kind]
    z0, z1 = {"window": (0.9, 2.1), "door": (0, 2.0), "books": (0, u(1, 2.2)), "photos": (1.1, u(1.6, high - 0.2))}[
        kind
    ]
    way = int(rng.integers(3))
    if way == 0:
        x = u(-half, half - w)
        at = (x, x + w, deep - 0.01, deep - 0.01)
    else:
        y, side = u(0.5, deep - w), (-half + 0.01, half - 0.01)[way - 1]
        at = (side, side, y, y + w) if way == 1 else (side, side, y + w, y)
    quad = _upright(*at, z0, z1)
    if kind == "books":
        painter.picture(quad, bookshelf(rng, 400).pixels, u(0.6, 1))
    elif kind == "photos":
        painter.picture(quad, photos(rng, 300).pixels, u(0.6, 1))
    elif kind == "door":
        painter.flat(quad, shade(wooden(rng) if rng.random() < 0.5 else wall, u(0.7, 1.1)))
    else:
        painter.flat(quad, (250, 250, 248))
        panes = int(rng.integers(1, 4))
        sky = hsv(u(190, 220), u(0.05, 0.4), u(0.85, 1))
        for i in range(panes):
            a, b = (i + 0.08) / panes, (i + 0.92) / panes
            left, right = quad[0] * (1 - a) + quad[1] * a, quad[0] * (1 - b) + quad[1] * b
            painter.flat(_upright(left[0], right[0], left[1], right[1], z0 + 0.08, z1 - 0.08), sky)
            painter.flat(
                _upright(left[0], right[0], left[1], right[1], z0 + 0.08, z0 + 0.4), hsv(110, 0.3, u(0.3, 0.6))
            )


def _box(painter: _Painter, rng: np.random.Generator, x0: float, x1: float, y0: float, y1: float, h: float) -> None:
    """Cupboard, bed, table or crate: front, the side that can be seen, and the top."""
    colour = wooden(rng) if rng.random() < 0.6 else any_colour(rng)
    eye = painter.eye.at
    legs = h < 0.9 and rng.random() < 0.5
    foot = h - 0.08 if legs else 0.0
    if legs:
        for x in (x0, x1 - 0.05):
            for y in (y1 - 0.05, y0):
                painter.flat(_upright(x, x + 0.05, y, y, 0, h), shade(colour, 0.5))
    if eye[0] < x0:
        painter.flat(_upright(x0, x0, y1, y0, foot, h), shade(colour, 0.7))
    elif eye[0] > x1:
        painter.flat(_upright(x1, x1, y0, y1, foot, h), shade(colour, 0.6))
    painter.flat(_upright(x0, x1, y0, y0, foot, h), shade(colour, 0.85))
    if not legs and rng.random() < 0.6:  # drawers or doors
        columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 5))
        for i, j in np.ndindex(columns, rows):
            a, b = x0 + (x1 - x0) * (i + 0.04) / columns, x0 + (x1 - x0) * (i + 0.96) / columns
            painter.flat(_upright(a, b, y0, y0, h * (j + 0.05) / rows, h * (j + 0.95) / rows), shade(colour, 0.95))
    if eye[2] > h:
        painter.flat(_level(x0, x1, y0, y1, h), colour)
        for _ in range(int(rng.integers(0, 4))):
            x, y, size = rng.uniform(x0, x1), rng.uniform(y0, y1), rng.uniform(0.05, 0.25)
            thing = any_colour(rng)
            painter.flat(_upright(x, x + size, y, y, h, h + size * rng.uniform(0.3, 1.5)), thing)
