"""Develops the pictures of a film: what does not change between two frames is not developed again.

    room = Darkroom(light, sensor, view, seed)
    plate = room.plate(picture)                    # surface colours to a noise-free photo; dear
    room.redo(plate, picture, (x0, y0, x1, y1))    # the same where the picture has changed
    pixels = room.printed(plate, seed, brightness) # sensor noise and tone; cheap

As `light.develop`, with two differences nobody sees: noise is added to the photo's levels, its deviation that of the
linear light's noise there; and a change of brightness from frame to frame comes after the white point.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.camera import View
from models.table.light import _LINEAR, Light, Sensor, _lens, light_map

UNIT = 64
"""Steps of a plate per level of 8 bits."""

NOISE_UNIT = 16
"""Steps of the kept noise per standard deviation."""

ROOM = 256
"""The kept noise is so many pixels wider and higher than the picture: each frame takes another part."""

STRIP = 24
"""Rows worked on at once: what is being worked on then stays in the processor's cache."""

Box = tuple[int, int, int, int]


@dataclass
class Plate:
    """levels: (h, w, 3) int16, 255 * UNIT is white; grain: (h, w, 3) int16, deviation of the noise there, in
    UNIT / NOISE_UNIT steps"""

    levels: NDArray[np.int16]
    grain: NDArray[np.int16]

    def copy(self) -> Plate:
        return Plate(self.levels.copy(), self.grain.copy())


class Darkroom:
    """For one light, sensor and place of the camera.

    seed: of the light's patches, as for `light_map`; noise: kept noise of another Darkroom with the same sensor
    """

    def __init__(
        self, light: Light, sensor: Sensor, view: View, seed: int, noise: NDArray[np.int16] | None = None
    ) -> None:
        if sensor.shrink < 0.99 or sensor.quality:
            raise ValueError("films are neither shrunk nor JPEG files")
        self.light, self.sensor = light, sensor
        field, shine = light_map(light, view, seed)
        gains = [gain * light.exposure for gain in light.gains[::-1]]
        self.gain = cv2.merge([field * np.float32(gain) for gain in gains])
        self.shine, self.glare = shine, None if shine is None else cv2.merge([shine * np.float32(g) for g in gains])
        self.pad = int(3 * max(sensor.defocus, sensor.motion)) + 6
        grey = np.array([[0.114, 0.587, 0.299]] * 3)
        self.saturate = np.eye(3) * light.saturation + grey * (1 - light.saturation)
        self.noise = _kept_noise(view.size, sensor, self.saturate) if noise is None else noise
        self.grains = self._grains()
        curve = (np.arange(256)[:, None] / 255) ** light.gamma
        fade = np.array(light.fade[::-1])
        curve = curve * (1 - np.abs(fade)) + np.maximum(fade, 0)
        self.tone = (255 * curve + 0.5).astype(np.uint8)[:, None]
        self.toned = light.gamma != 1.0 or any(light.fade)

    def _grains(self) -> NDArray[np.int16]:
        """(256, 1) deviation of the noise by level: that of the linear light, through its square root."""
        level = np.arange(256)[:, None] / 255
        linear = np.sqrt(self.sensor.shot**2 * level**2 + self.sensor.read**2)
        drawn = np.random.default_rng(0).standard_normal(400)
        levels = 255 * np.sqrt(np.maximum(level**2 + linear * drawn, 0)).std(axis=1)
        return np.round(np.minimum(levels * UNIT / NOISE_UNIT, 128)).astype(np.int16)[:, None]

    def plate(self, picture: NDArray[np.uint8]) -> Plate:
        height, width = picture.shape[:2]
        made = Plate(np.empty(picture.shape, np.int16), np.empty(picture.shape, np.int16))
        self.redo(made, picture, (0, 0, width, height))
        return made

    def redo(self, plate: Plate, picture: NDArray[np.uint8], box: Box) -> None:
        """Develops a part of the picture again; left, top, right, bottom of what has changed in it."""
        height, width = picture.shape[:2]
        x0, y0, x1, y1 = (max(0, box[0]), max(0, box[1]), min(width, box[2]), min(height, box[3]))
        if x1 <= x0 or y1 <= y0:
            return
        # what has changed spreads by the blur, and needs what is around it
        x0, y0, x1, y1 = (
            max(0, x0 - self.pad), max(0, y0 - self.pad), min(width, x1 + self.pad), min(height, y1 + self.pad)
        )  # fmt: skip
        left, top, right, bottom = (
            max(0, x0 - self.pad), max(0, y0 - self.pad), min(width, x1 + self.pad), min(height, y1 + self.pad)
        )  # fmt: skip
        part = np.s_[top:bottom, left:right]
        light, sensor = self.light, self.sensor
        photo = cv2.LUT(picture[part], _LINEAR)
        cv2.multiply(photo, self.gain[part], photo)
        if self.glare is not None:
            cv2.add(photo, self.glare[part], photo)
        photo = _lens(photo, sensor)
        np.minimum(photo, np.float32(1), out=photo)
        cv2.sqrt(photo, photo)
        if light.saturation != 1.0:
            photo = cv2.transform(photo, self.saturate)
        if sensor.sharpen:
            soft = cv2.GaussianBlur(photo, (0, 0), 1.2)
            photo = cv2.addWeighted(photo, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
        inner = photo[y0 - top : y1 - top, x0 - left : x1 - left]
        np.clip(inner, 0, 1, out=inner)
        np.multiply(inner, np.float32(255 * UNIT), out=plate.levels[y0:y1, x0:x1], casting="unsafe")
        plate.grain[y0:y1, x0:x1] = cv2.LUT(cv2.convertScaleAbs(inner, alpha=255), self.grains)

    def printed(
        self, plate: Plate, seed: int, brightness: float = 1.0, shade: NDArray[np.float32] | None = None
    ) -> NDArray[np.uint8]:
        """(h, w, 3) uint8 BGR: the plate with noise of its own and its tone.

        brightness: factor of the light; shade: (h, w) another one, for a shadow
        """
        height, width = plate.levels.shape[:2]
        top, left = np.random.default_rng(seed).integers(0, ROOM, 2)
        alpha = float(np.sqrt(brightness)) / UNIT
        pixels = np.empty(plate.levels.shape, np.uint8)
        noisy = bool(self.sensor.shot or self.sensor.read)
        buffer = np.empty((STRIP, width, 3), np.int16)
        for y in range(0, height, STRIP):
            rows = np.s_[y : min(y + STRIP, height)]
            levels, out = plate.levels[rows], pixels[rows]
            strip = buffer[: len(levels)]
            if shade is not None:
                root = cv2.convertScaleAbs(np.sqrt(shade[rows]), alpha=255).astype(np.int16)
                levels = cv2.multiply(levels, cv2.merge([root] * 3), scale=1 / 255)
            if noisy:
                noise = self.noise[top + y : top + y + len(levels), left : left + width]
                np.multiply(noise, plate.grain[rows], out=strip)
                np.add(strip, levels, out=strip)
                levels = strip
            cv2.convertScaleAbs(levels, out, alpha)  # what is below black turns into noise above it
            if self.toned:
                cv2.LUT(out, self.tone, out)
        return pixels


def _kept_noise(size: tuple[int, int], sensor: Sensor, saturate: NDArray[np.float64]) -> NDArray[np.int16]:
    """Noise as a photo has it after smoothing, colour and sharpening, in NOISE_UNIT steps."""
    width, height = size
    noise = np.random.default_rng(4000).standard_normal((height + ROOM, width + ROOM, 3), np.float32)
    if sensor.smooth:
        noise = cv2.GaussianBlur(noise, (0, 0), sensor.smooth) * np.float32(1 + 2 * sensor.smooth)
    noise = cv2.transform(noise, saturate)
    if sensor.sharpen:
        noise = cv2.addWeighted(noise, 1 + sensor.sharpen, cv2.GaussianBlur(noise, (0, 0), 1.2), -sensor.sharpen, 0)
    return np.clip(np.round(noise * NOISE_UNIT), -127, 127).astype(np.int16)
