"""Procedural surfaces: fields of noise and wood, made once a process and cut at random places afterwards."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255. (Pictures are BGR; `bgr` turns a colour round.)"""

SIDE = 1024


def bgr(colour: Colour | NDArray) -> NDArray[np.float32]:
    """Colour as float BGR, for arithmetic with pictures."""
    return np.array(colour, np.float32)[::-1]


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """`share` of b in a."""
    return tuple(round(x * (1 - share) + y * share) for x, y in zip(a, b, strict=True))


def shade(colour: Colour, factor: float) -> Colour:
    """Lighter (factor > 1) or darker."""
    return tuple(int(np.clip(round(x * factor), 0, 255)) for x in colour)


def luminance(colour: Colour) -> float:
    """0 (black) to 255 (white)."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """Colour from hue in degrees, saturation and value 0 to 1."""
    pixel = np.array([[[hue % 360 / 2, saturation * 255, value * 255]]]).clip(0, 255).astype(np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return int(r), int(g), int(b)


def _layer(rng: np.random.Generator, rows: int, columns: int, side: int = SIDE) -> NDArray[np.float32]:
    return cv2.resize(rng.standard_normal((rows, columns), np.float32), (side, side), interpolation=cv2.INTER_CUBIC)


def _normal(field: NDArray[np.float32]) -> NDArray[np.float32]:
    return ((field - field.mean()) / field.std()).astype(np.float32)


@lru_cache(maxsize=8)
def clouds(number: int) -> NDArray[np.float32]:
    """(SIDE, SIDE) soft irregular field, mean 0, deviation 1; `number` picks one of several."""
    rng = np.random.default_rng(1000 + number)
    field = sum(_layer(rng, n, n) / n**0.8 for n in (3, 6, 12, 25, 50, 100))
    return _normal(np.asarray(field))


@lru_cache(maxsize=8)
def speckle(number: int) -> NDArray[np.float32]:
    """(SIDE, SIDE) fine grain, mean 0, deviation 1."""
    rng = np.random.default_rng(2000 + number)
    field = rng.standard_normal((SIDE, SIDE), np.float32)
    return _normal(cv2.GaussianBlur(field, (0, 0), 0.6 + 0.7 * (number % 3)) + 0.15 * _layer(rng, 200, 200))


@lru_cache(maxsize=8)
def wood(number: int) -> NDArray[np.float32]:
    """(SIDE, SIDE) grain running along x, mean 0, deviation 1."""
    rng = np.random.default_rng(3000 + number)
    streaks = 1.2 * _layer(rng, 40, 3) + _layer(rng, 130, 6) + 0.6 * _layer(rng, 400, 20) + 0.3 * _layer(rng, 700, 60)
    bend = 12 * _layer(rng, 3, 2) + 2 * _layer(rng, 6, 5)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    rings = np.sin((y + 5 * bend) * 2 * np.pi / (40 + 14 * (number % 4)))
    field = cv2.remap(streaks + 0.9 * rings, x, y + bend, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    pores = cv2.GaussianBlur(
        (rng.random((SIDE, SIDE), np.float32) > 0.993).astype(np.float32), (0, 0), sigmaX=6, sigmaY=0.6
    )
    return _normal(_normal(field) - 2.0 * pores / pores.max())


def cut(
    field: NDArray[np.float32], rng: np.random.Generator, shape: tuple[int, int], zoom: float = 1.0
) -> NDArray[np.float32]:
    """A part of a field at a random place, mirrored at random; `zoom` times as large. Wraps by mirroring if it must."""
    height, width = shape
    rows = min(max(2, round(height / zoom)), SIDE)
    columns = min(max(2, round(width / zoom)), SIDE)
    top, left = int(rng.integers(0, SIDE - rows + 1)), int(rng.integers(0, SIDE - columns + 1))
    part = field[top : top + rows, left : left + columns]
    flips = rng.integers(0, 2, 2)
    part = part[:: -1 if flips[0] else 1, :: -1 if flips[1] else 1]
    if part.shape != (height, width):
        part = cv2.resize(np.ascontiguousarray(part), (width, height), interpolation=cv2.INTER_LINEAR)
    return part
