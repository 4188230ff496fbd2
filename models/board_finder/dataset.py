"""Training samples of the board finder: canvases drawn anew from kept pictures, and what the maps should say."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board_finder.scenes import Picture
from vision.board_net import CANVAS, CELLS, FLAT_SIDE, INNER, STRIDE, on_canvas
from vision.geometry import GRID, SIZE, Corners, Homography
from vision.pixels import Pixels

Floats = NDArray[np.float64]

OUTSIDE = 1.15
"""Folded places are learnt a little beyond the grid's edge too (1.0)."""

SPREAD = 1.1
"""Standard deviation of a corner's bump in the corner map, cells."""


def targets(corners: Floats | None) -> NDArray[np.float32]:
    """(5, CELLS, CELLS): mask, far, near, corner bumps, and where far and near count; corners in canvas pixels."""
    out = np.zeros((5, CELLS, CELLS), np.float32)
    if corners is None:
        return out
    rows, cols = np.mgrid[0:CELLS, 0:CELLS]
    pixels = np.stack([cols, rows], axis=-1) * STRIDE + (STRIDE - 1) / 2
    inverse = Homography.from_corners(Corners.of(corners)).inverse
    depth = pixels @ inverse[2, :2] + inverse[2, 2]
    middle = corners.mean(axis=0)
    ahead = depth * (middle @ inverse[2, :2] + inverse[2, 2]) > 0
    uv = np.abs((pixels @ inverse[:2, :2].T + inverse[:2, 2]) / np.where(ahead, depth, 1)[..., None] * 2 / SIZE - 1)
    far, near = uv.max(axis=-1), uv.min(axis=-1)
    out[0] = ahead & (far < 1)
    out[4] = ahead & (far < OUTSIDE)
    out[1], out[2] = np.where(out[4] > 0, far, 0), np.where(out[4] > 0, near, 0)
    cells = (corners - (STRIDE - 1) / 2) / STRIDE
    for x, y in cells:
        out[3] = np.maximum(out[3], np.exp(-0.5 * ((cols - x) ** 2 + (rows - y) ** 2) / SPREAD**2))
    return out


def applied(matrix: Floats, points: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix).reshape(-1, 2), np.float64)


class Samples:
    """Draws samples; deterministic for a generator."""

    def __init__(self, tables: Sequence[Picture], others: Sequence[Picture]) -> None:
        self.tables, self.others = tables, others

    def draw(self, rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """One canvas (3, CANVAS, CANVAS) and its targets (5, CELLS, CELLS)."""
        with_board = rng.random() < (0.86 if self.others else 1.0)
        pool = self.tables if with_board else self.others
        picture = pool[int(rng.integers(len(pool)))]
        corners = picture.corners
        if corners is not None and rng.random() < 0.4:
            canvas, matrix = self._flat(picture, corners, rng)
        elif rng.random() < 0.5:
            canvas, matrix = self._framed(picture, rng)
        else:
            canvas, matrix = self._thrown(picture, rng)
        where = None if corners is None else applied(matrix, corners)
        if where is not None and rng.random() < 0.5:
            canvas = np.ascontiguousarray(canvas[:, ::-1])
            where = np.array([canvas.shape[1] - 1, 0]) + where * (-1, 1)
        offset = (CANVAS - np.array(canvas.shape[1::-1])) // 2
        quarters = int(rng.integers(4))
        x = np.rot90(on_canvas(disturbed(canvas, rng)), quarters, (1, 2))
        if where is not None:
            where = where + offset
            for _ in range(quarters):  # rot90 counter-clockwise: (x, y) -> (y, n - 1 - x)
                where = np.column_stack([where[:, 1], CANVAS - 1 - where[:, 0]])
        return np.ascontiguousarray(x), targets(where)

    def _framed(self, picture: Picture, rng: np.random.Generator) -> tuple[Pixels, Floats]:
        """The whole picture, or a part of it, as a photo."""
        height, width = picture.pixels.shape[:2]
        low, high = np.zeros(2), np.array([width, height], float)
        if rng.random() < 0.6:
            crop = rng.uniform(0, 0.22, (2, 2)) * rng.integers(0, 2, (2, 2)) * (width, height)
            low, high = low + crop[0], high - crop[1]
        size = high - low
        factor = INNER / size.max()
        out = tuple(int(v) for v in np.maximum(np.round(size * factor), 8))
        matrix = np.array([[factor, 0, -low[0] * factor], [0, factor, -low[1] * factor], [0, 0, 1]])
        return _warped(picture.pixels, matrix, (out[0], out[1]), cv2.BORDER_REPLICATE), matrix

    def _thrown(self, picture: Picture, rng: np.random.Generator) -> tuple[Pixels, Floats]:
        """The picture turned, tilted and scaled at random, on something else."""
        height, width = picture.pixels.shape[:2]
        frame = np.array([INNER, INNER], float)
        frame[int(rng.integers(2))] *= rng.uniform(0.55, 1)
        middle = np.array([width, height]) / 2 if picture.corners is None else picture.corners.mean(axis=0)
        extent = max(width, height) / 2
        if picture.corners is not None:
            extent = float(np.linalg.norm(picture.corners - middle, axis=1).max())
        share = float(rng.choice([rng.uniform(0.22, 0.5), rng.uniform(0.45, 1.05)], p=[0.4, 0.6]))
        scale = share * frame.min() / 2 / extent
        angle = rng.uniform(0, 2 * np.pi)
        c, s = scale * np.cos(angle), scale * np.sin(angle)
        free = np.maximum(frame / 2 - 0.8 * scale * extent, 0.05 * frame)
        goal = frame / 2 + rng.uniform(-1, 1, 2) * free
        matrix = np.array([[c, -s, goal[0]], [s, c, goal[1]], [0, 0, 1]]) @ np.array(
            [[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]]
        )
        square = np.array([(0, 0), (frame[0], 0), frame, (0, frame[1])], np.float32)
        moved = square + (rng.normal(0, 0.05, (4, 2)) * frame).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(square, moved.astype(np.float32)).astype(np.float64) @ matrix
        size = int(frame[0]), int(frame[1])
        canvas = self._ground(size, rng)
        over = _warped(picture.pixels, matrix, size, cv2.BORDER_CONSTANT)
        white = np.full(picture.pixels.shape[:2], 255, np.uint8)
        mask = cv2.warpPerspective(white, matrix, size, flags=cv2.INTER_LINEAR)
        np.copyto(canvas, over, where=(mask > 127)[..., None])
        return canvas, matrix

    def _ground(self, size: tuple[int, int], rng: np.random.Generator) -> Pixels:
        kind = rng.random()
        if kind < 0.5 and self.others:
            other = self.others[int(rng.integers(len(self.others)))].pixels
            return np.asarray(cv2.resize(other, size, interpolation=cv2.INTER_AREA), np.uint8)
        colour = rng.integers(0, 256, 3)
        noise = rng.normal(0, rng.uniform(0, 25), (size[1] // 4 + 1, size[0] // 4 + 1, 3))
        return cv2.resize(np.clip(colour + noise, 0, 255).astype(np.uint8), size, interpolation=cv2.INTER_CUBIC)

    def _flat(self, picture: Picture, corners: Floats, rng: np.random.Generator) -> tuple[Pixels, Floats]:
        """The second look: the board seen straight through corners that are a little or much too wrong."""
        wrong = float(rng.choice([0.08, 0.3, 1.0], p=[0.3, 0.45, 0.25]))
        shift = rng.normal(0, wrong, (1, 2)) + rng.normal(0, 0.7 * wrong, (4, 2))
        if rng.random() < 0.15:  # by a whole square, or a frame taken for the grid
            shift = shift + rng.integers(-2, 3, (1, 2)) + np.sign(GRID - SIZE / 2) * rng.uniform(-1.2, 1.5)
        taken = Homography.from_corners(Corners.of(corners)).to_pixels(GRID + shift)
        low = (CANVAS - FLAT_SIDE) / 2 - 0.5
        place = low + GRID * FLAT_SIDE / SIZE
        matrix = cv2.getPerspectiveTransform(taken.astype(np.float32), place.astype(np.float32)).astype(np.float64)
        return _warped(picture.pixels, matrix, (CANVAS, CANVAS), cv2.BORDER_REPLICATE), matrix


def _warped(pixels: Pixels, matrix: Floats, size: tuple[int, int], border: int) -> Pixels:
    """Warped, shrunk by area first where it gets much smaller."""
    height, width = pixels.shape[:2]
    centre = np.array([[(width / 2, height / 2)], [(width / 2 + 8, height / 2)], [(width / 2, height / 2 + 8)]])
    a, b, c = cv2.perspectiveTransform(centre, matrix)[:, 0]
    scale = float(np.sqrt(abs(np.linalg.det(np.stack([b - a, c - a])))) / 8)
    if scale < 0.7:
        factor = max(scale * 1.3, 0.02)
        small = max(1, round(width * factor)), max(1, round(height * factor))
        pixels = np.asarray(cv2.resize(pixels, small, interpolation=cv2.INTER_AREA), np.uint8)
        fx, fy = small[0] / width, small[1] / height
        matrix = matrix @ np.linalg.inv(np.array([[fx, 0, 0.5 * fx - 0.5], [0, fy, 0.5 * fy - 0.5], [0, 0, 1]]))
    return np.asarray(cv2.warpPerspective(pixels, matrix, size, flags=cv2.INTER_LINEAR, borderMode=border), np.uint8)


def disturbed(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """Other light, colour, softness and noise."""
    u = rng.uniform
    out = pixels.astype(np.float32)
    if rng.random() < 0.5:
        out *= np.float32(np.exp(rng.normal(0, 0.25, 3)) * np.exp(rng.normal(0, 0.35)))
    if rng.random() < 0.3:  # light that falls off
        ramp = np.linspace(1, u(0.25, 1), out.shape[1], dtype=np.float32)[None, :, None]
        out *= ramp if rng.random() < 0.5 else ramp[:, ::-1]
    if rng.random() < 0.2:
        grey = out.mean(axis=2, keepdims=True)
        out = grey + (out - grey) * np.float32(u(0.0, 1.6))
    if rng.random() < 0.2:
        out = 255 * np.power(np.clip(out, 0, 255) / 255, np.float32(np.exp(rng.normal(0, 0.4))))
    if rng.random() < 0.25:
        out = cv2.GaussianBlur(out, (0, 0), u(0.4, 2.2))
    if rng.random() < 0.25:
        out += rng.normal(0, u(2, 22), out.shape).astype(np.float32)
    if rng.random() < 0.15:  # something over a part
        height, width = out.shape[:2]
        axes = int(u(0.05, 0.3) * width), int(u(0.05, 0.25) * height)
        centre = int(u(0, width)), int(u(0, height))
        cv2.ellipse(out, centre, axes, u(0, 180), 0, 360, tuple(float(v) for v in u(0, 255, 3)), -1)
    return np.clip(out, 0, 255).astype(np.uint8)
