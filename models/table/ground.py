"""What the board lies on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.textures import SIDE, Colour, bgr, clouds, hsv, mix, speckle, wood

SPAN = 44.0
"""Squares that the ground picture covers; beyond, it is mirrored."""

KINDS = ("wood", "cloth", "pattern", "carpet", "tiles", "plain", "marble")


@dataclass(frozen=True)
class Ground:
    """kind: one of KINDS; colours: main and second; seed: places the details; turn: degrees against the board."""

    kind: str = "wood"
    colour: Colour = (150, 105, 70)
    second: Colour = (90, 60, 40)
    seed: int = 0
    turn: float = 0.0


def random_ground(rng: np.random.Generator) -> Ground:
    u = rng.uniform
    kind = str(rng.choice(KINDS, p=[0.34, 0.16, 0.12, 0.12, 0.07, 0.12, 0.07]))
    if kind == "wood":
        colour = hsv(u(14, 38), u(0.15, 0.7), u(0.2, 0.9))
        second = mix(colour, (20, 12, 8), u(0.2, 0.6))
    else:
        colour, second = hsv(u(0, 360), u(0, 0.6), u(0.1, 0.97)), hsv(u(0, 360), u(0, 0.9), u(0.05, 0.98))
        if kind in ("carpet", "marble", "tiles"):
            colour = hsv(u(0, 60), u(0, 0.35), u(0.25, 0.95))
            second = mix(colour, second, u(0.1, 0.4))
    return Ground(kind, colour, second, int(rng.integers(1 << 30)), float(rng.choice([rng.normal(0, 4), u(0, 360)])))


@lru_cache(maxsize=6)
def ground_texture(ground: Ground) -> NDArray[np.uint8]:
    """(SIDE, SIDE, 3) BGR, SPAN squares wide."""
    rng = np.random.default_rng(ground.seed)
    unit = SIDE / SPAN
    a, b = bgr(ground.colour), bgr(ground.second)
    if ground.kind == "wood":
        share = 0.35 + 0.22 * wood(int(rng.integers(8)))
        planks = np.zeros((SIDE, SIDE), np.float32)
        width = rng.uniform(5, 14) * unit
        y = rng.uniform(0, width)
        while y < SIDE and rng.random() < 0.97:
            planks[int(y) :] += rng.normal(0, 0.12)
            planks[int(y) : int(y) + 2] += 0.5
            if width > 40 * unit:
                break
            y += width
        share = share + planks - planks.mean() * 0.7
    elif ground.kind == "cloth":
        period = rng.uniform(3, 7)
        wave = np.sin(np.arange(SIDE, dtype=np.float32) * 2 * np.pi / period)
        share = 0.08 * (wave[None] + wave[:, None]) + 0.10 * clouds(int(rng.integers(4))) + 0.05 * speckle(0)
    elif ground.kind == "pattern":
        share = _pattern(rng, unit) + 0.03 * clouds(1)
    elif ground.kind == "carpet":
        share = 0.4 + 0.22 * speckle(int(rng.integers(6))) + 0.08 * clouds(int(rng.integers(4)))
    elif ground.kind == "tiles":
        period = rng.uniform(8, 18) * unit
        at = np.minimum(np.arange(SIDE) % period, period - np.arange(SIDE) % period)
        joint = np.clip(0.16 * unit - at, 0, 1).astype(np.float32)
        share = 0.2 + 0.08 * clouds(int(rng.integers(4))) + 0.9 * np.maximum(joint[None], joint[:, None])
    elif ground.kind == "marble":
        share = 1.2 * np.exp(-np.abs(clouds(int(rng.integers(4)))) * 5) + 0.15 * clouds(int(rng.integers(4)))
    else:
        share = 0.04 * clouds(int(rng.integers(4))) + 0.01 * speckle(0)
    steps = (np.arange(256, dtype=np.float32)[:, None] / 150 - 0.5) * (b - a) + a
    table = np.clip(steps, 0, 255).astype(np.uint8)[:, None]
    index = np.clip(share * np.float32(150) + np.float32(75), 0, 255).astype(np.uint8)
    return cv2.LUT(cv2.merge([index] * 3), table)


def _pattern(rng: np.random.Generator, unit: float) -> NDArray[np.float32]:
    canvas = np.zeros((SIDE, SIDE), np.float32)
    kind = int(rng.integers(4))
    if kind == 0:  # checks
        period = rng.uniform(1, 6) * unit
        bars = ((np.arange(SIDE) % period) < period / 2).astype(np.float32)
        return 0.5 * (bars[None] + bars[:, None])
    if kind == 1:  # stripes
        period = rng.uniform(0.8, 5) * unit
        return np.tile(((np.arange(SIDE) % period) < period * rng.uniform(0.2, 0.7)).astype(np.float32), (SIDE, 1))
    for _ in range(int(rng.integers(15, 90))):  # blots or flowers
        x, y = rng.uniform(0, SIDE, 2)
        size = rng.uniform(0.5, 5) * unit
        level = float(rng.uniform(0.4, 1.0))
        if kind == 2:
            cv2.ellipse(canvas, ((x, y), (size * 2, size * rng.uniform(1, 2)), float(rng.uniform(0, 180))), level, -1)
        else:
            for petal in range(5):
                angle = petal * 2 * np.pi / 5
                cv2.circle(
                    canvas,
                    (int(x + 0.35 * size * np.cos(angle)), int(y + 0.35 * size * np.sin(angle))),
                    max(1, int(0.25 * size)),
                    level,
                    -1,
                )
            cv2.circle(canvas, (int(x), int(y)), max(1, int(0.15 * size)), 0.2, -1)
    return canvas
