"""Light on the scene, lens and sensor: from surface colours to the pixels of a photo."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.camera import View
from models.table.textures import clouds, cut

COARSE = 4
"""Light changes slowly: it is worked out at 1/COARSE of the resolution."""


@dataclass(frozen=True)
class Light:
    """azimuth: degrees on the board towards the lamp, 0 right, 90 down; elevation: degrees over the board
    softness: blur of the tiles' shadows, in squares; shadow: their depth, contact: depth of the dark seam under tiles
    falloff: loss of light across the board, lamp_at: where it is brightest, in squares from the middle
    patches: shadow edges and sunny spots, each (kind, angle in degrees, offset in squares, softness in squares, depth);
    kind "edge", "band", "window", "blots"
    glare: shiny spots, each (x, y in grid units, length, width in squares, angle in degrees, strength)
    mirror: what a pane of glass over the board mirrors, each (x, y in grid units, size in squares, angle, strength,
    kind), kind "window", "lamp" (a flash with its halo), "room" (soft shapes over all)
    gains: red, green, blue; exposure; gamma over 1 darkens the middle tones; saturation; vignette: loss in the corners
    fade: red, green, blue: how far an old-photo filter lifts black (positive) or lowers white (negative), 0 to 0.4
    """

    azimuth: float = -120.0
    elevation: float = 55.0
    softness: float = 0.08
    shadow: float = 0.35
    contact: float = 0.4
    falloff: float = 0.15
    lamp_at: tuple[float, float] = (-4.0, -4.0)
    patches: tuple[tuple[str, float, float, float, float], ...] = ()
    glare: tuple[tuple[float, float, float, float, float, float], ...] = ()
    mirror: tuple[tuple[float, float, float, float, float, str], ...] = ()
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 1.0
    gamma: float = 1.0
    saturation: float = 1.0
    vignette: float = 0.1
    fade: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def towards(self) -> tuple[float, float]:
        """Unit vector on the board towards the lamp, right and down."""
        angle = np.radians(self.azimuth)
        return float(np.cos(angle)), float(np.sin(angle))


@dataclass(frozen=True)
class Sensor:
    """defocus: blur in pixels (sigma); motion: length of the blur in pixels, motion_angle: degrees
    shot, read: noise that grows with the light, and constant noise, as shares of white; smooth: its blur in pixels
    sharpen: strength of the phone's edge sharpening; quality: of the JPEG, 0 none
    shrink: the photo is taken this much smaller, then enlarged again (low resolution)
    """

    defocus: float = 0.6
    motion: float = 0.0
    motion_angle: float = 0.0
    shot: float = 0.01
    read: float = 0.004
    smooth: float = 0.0
    sharpen: float = 0.0
    quality: int = 90
    shrink: float = 1.0


def light_map(light: Light, view: View, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
    """(h, w) brightness and glare, at full resolution; glare None when there is none."""
    width, height = view.size
    small = (max(2, -(-width // COARSE)), max(2, -(-height // COARSE)))
    y, x = np.mgrid[0 : small[1], 0 : small[0]].astype(np.float32)
    px, py = (x + 0.5) * (width / small[0]) - 0.5, (y + 0.5) * (height / small[1]) - 0.5
    inverse = np.linalg.inv(view.plane())
    depth = inverse[2, 0] * px + inverse[2, 1] * py + inverse[2, 2]
    depth = np.where(np.abs(depth) < 1e-6, 1e-6, depth)
    col = np.clip((inverse[0, 0] * px + inverse[0, 1] * py + inverse[0, 2]) / depth, -60, 75) - 7.5
    row = np.clip((inverse[1, 0] * px + inverse[1, 1] * py + inverse[1, 2]) / depth, -60, 75) - 7.5
    distance2 = (col - light.lamp_at[0]) ** 2 + (row - light.lamp_at[1]) ** 2
    field = 1 / (1 + light.falloff * distance2 / 150)
    rng = np.random.default_rng(seed)
    for patch in light.patches:
        field = field * _patch(patch, col, row, rng)
    rx, ry = (px - width / 2) / (width / 2), (py - height / 2) / (height / 2)
    field = field * (1 - light.vignette * np.clip((rx**2 + ry**2) / 2, 0, 1) ** 1.5)
    full = cv2.resize(field.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    if not light.glare and not light.mirror:
        return full, None
    shine = np.zeros_like(px)
    for at_x, at_y, length, breadth, angle, strength in light.glare:
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        dx, dy = col + 7.5 - at_x, row + 7.5 - at_y
        a, b = (c * dx + s * dy) / length, (-s * dx + c * dy) / breadth
        shine += strength * np.exp(-((a**2 + b**2) ** 1.5))
    for mirrored in light.mirror:
        shine += _mirrored(mirrored, col + 7.5, row + 7.5, rng)
    return full, cv2.resize(shine.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)


def _mirrored(
    mirrored: tuple[float, float, float, float, float, str], col: NDArray, row: NDArray, rng: np.random.Generator
) -> NDArray:
    """Light that the glass adds."""
    at_x, at_y, size, angle, strength, kind = mirrored
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    along, across = c * (col - at_x) + s * (row - at_y), -s * (col - at_x) + c * (row - at_y)
    if kind == "lamp":
        distance = np.hypot(along, across) / size
        return strength * (1.5 * np.exp(-((distance / 0.35) ** 4)) + 0.35 * np.exp(-distance))
    if kind == "window":
        soft, bar = rng.uniform(0.1, 0.8), rng.uniform(0.05, 0.3)
        tall = size * rng.uniform(0.6, 1.8)
        lean = along + rng.uniform(-0.4, 0.4) * across
        lit = np.clip(0.5 + np.minimum(size - np.abs(lean), tall - np.abs(across)) / soft, 0, 1)
        bars = np.minimum(np.abs(lean), np.abs(across - rng.uniform(-0.5, 0.5) * tall)) - bar
        return strength * lit * np.clip(0.6 + bars / soft, 0.3, 1)
    field = cut(clouds(int(rng.integers(4))), rng, col.shape, rng.uniform(0.2, 0.8))
    edge = np.clip(0.5 + along / rng.uniform(0.3, 4), 0, 1)  # a door or a curtain
    return strength * np.clip(0.3 + 0.5 * field, 0, None) * (0.3 + 0.7 * edge)


def _patch(
    patch: tuple[str, float, float, float, float], col: NDArray, row: NDArray, rng: np.random.Generator
) -> NDArray:
    kind, angle, offset, softness, depth = patch
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    along, across = c * col + s * row, -s * col + c * row

    def step(value: NDArray) -> NDArray:
        return np.clip(0.5 + value / max(softness, 0.05), 0, 1)

    if kind == "edge":
        bend = 0.3 * np.sin(across * rng.uniform(0.1, 0.5) + rng.uniform(0, 6))
        mask = step(along - offset + bend)
    elif kind == "band":
        half = rng.uniform(0.6, 4)
        mask = step(half - np.abs(along - offset))
    elif kind == "window":
        half, tall = rng.uniform(2.5, 6), rng.uniform(2.5, 8)
        lit = np.minimum(step(half - np.abs(along - offset)), step(tall - np.abs(across - rng.uniform(-5, 5))))
        lit = np.minimum(lit, np.maximum(step(np.abs(along - offset) - 0.25), 0.2))
        mask = 1 - lit
    else:
        field = cut(clouds(int(rng.integers(4))), rng, col.shape, rng.uniform(0.4, 1.2))
        mask = step((field - 0.2) * 1.5)
    return 1 - depth * mask


def develop(
    picture: NDArray[np.uint8],
    field: NDArray[np.float32],
    shine: NDArray[np.float32] | None,
    light: Light,
    sensor: Sensor,
    seed: int,
) -> NDArray[np.uint8]:
    """Surface colours under the light, through lens and sensor, to a photo. Light adds up linearly (gamma 2)."""
    linear = cv2.multiply(cv2.LUT(picture, _LINEAR), cv2.merge([field] * 3))
    if shine is not None:
        cv2.add(linear, cv2.merge([shine] * 3), linear)
    height, width = field.shape
    if sensor.shrink < 0.99:
        linear = cv2.resize(linear, None, fx=sensor.shrink, fy=sensor.shrink, interpolation=cv2.INTER_AREA)
    linear = _lens(linear, sensor)
    linear = cv2.multiply(linear, (*(g * light.exposure for g in light.gains[::-1]), 0))
    if sensor.shot or sensor.read:
        noise = _noise(linear.shape[:2], seed)
        if sensor.smooth:
            noise = cv2.GaussianBlur(noise, (0, 0), sensor.smooth) * np.float32(1 + 2 * sensor.smooth)
        level = np.maximum(linear, 0)
        level *= np.float32(sensor.shot**2)
        level += np.float32(sensor.read**2)
        cv2.sqrt(level, level)
        level *= noise
        linear += level
    np.clip(linear, 0, 1, out=linear)
    photo = cv2.sqrt(linear)
    if light.saturation != 1.0:
        grey = np.array([[0.114, 0.587, 0.299]] * 3)
        photo = cv2.transform(photo, np.eye(3) * light.saturation + grey * (1 - light.saturation))
    if sensor.sharpen:
        photo = cv2.addWeighted(photo, 1 + sensor.sharpen, cv2.GaussianBlur(photo, (0, 0), 1.2), -sensor.sharpen, 0)
    out = cv2.convertScaleAbs(np.maximum(photo, 0, out=photo), alpha=255)
    if light.gamma != 1.0 or any(light.fade):
        curve = (np.arange(256)[:, None] / 255) ** light.gamma
        fade = np.array(light.fade[::-1])
        curve = curve * (1 - np.abs(fade)) + np.maximum(fade, 0)
        out = cv2.LUT(out, (255 * curve + 0.5).astype(np.uint8)[:, None])
    if sensor.quality:
        out = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, sensor.quality])[1], cv2.IMREAD_COLOR)
    if out.shape[:2] != (height, width):
        out = cv2.resize(out, (width, height), interpolation=cv2.INTER_CUBIC)
    return out


_LINEAR = ((np.arange(256, dtype=np.float32) / 255) ** 2).astype(np.float32)


@lru_cache(maxsize=1)
def _noise_pool() -> NDArray[np.float32]:
    return np.random.default_rng(4000).standard_normal((1200, 1200, 3), np.float32)


def _noise(shape: tuple[int, int], seed: int) -> NDArray[np.float32]:
    """(h, w, 3) standard normal noise, cut from a pool at a place that the seed says."""
    pool = _noise_pool()
    top, left = np.random.default_rng(seed).integers(0, 1200, 2)
    rows, columns = (np.arange(shape[0]) + top) % 1200, (np.arange(shape[1]) + left) % 1200
    return np.take(np.take(pool, rows, axis=0), columns, axis=1)


def _lens(linear: NDArray[np.float32], sensor: Sensor) -> NDArray[np.float32]:
    if sensor.defocus > 0.25:
        linear = cv2.GaussianBlur(linear, (0, 0), sensor.defocus)
    if sensor.motion > 0.7:
        size = int(np.ceil(sensor.motion)) // 2 * 2 + 3
        kernel = np.zeros((size * 4, size * 4), np.float32)
        middle = size * 2
        d = (
            np.array([np.cos(np.radians(sensor.motion_angle)), np.sin(np.radians(sensor.motion_angle))])
            * sensor.motion
            * 2
        )
        a, b = middle - d, middle + d
        cv2.line(kernel, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 1.0, 4)
        kernel = cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA)
        linear = cv2.filter2D(linear, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT)
    return linear
