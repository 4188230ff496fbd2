"""A flat picture to draw on, measured in units of one's choice: what lies on the table or covers a wall."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from models.table import fonts
from models.table.textures import Colour, bgr, clouds, cut, hsv, luminance, mix, speckle, wood


class Canvas:
    """width, height in units; the longer side is `pixels` long. Points are (x, y) in units from the top left corner."""

    def __init__(self, width: float, height: float, pixels: int, colour: Colour) -> None:
        self.width, self.height = width, height
        self.ppu = pixels / max(width, height)
        shape = (max(8, round(height * self.ppu)), max(8, round(width * self.ppu)), 3)
        self.pixels = np.empty(shape, np.uint8)
        self.pixels[:] = bgr(colour).astype(np.uint8)

    def _fixed(self, points: object) -> NDArray[np.int32]:
        return np.round((np.asarray(points, np.float64) * self.ppu - 0.5) * 16).astype(np.int32)

    def polygon(self, points: Sequence[tuple[float, float]] | NDArray, colour: Colour) -> None:
        cv2.fillPoly(self.pixels, [self._fixed(points)], bgr(colour).tolist(), cv2.LINE_AA, 4)

    def rectangle(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        self.polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], colour)

    def rounded(self, x: float, y: float, width: float, height: float, radius: float, colour: Colour) -> None:
        """A rectangle with round corners."""
        r = min(radius, width / 2, height / 2)
        angles = np.radians(np.arange(0, 91, 22.5))
        arc = r * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        turns = [np.array([[c, s], [-s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
        middles = ((x + width - r, y + height - r), (x + r, y + height - r), (x + r, y + r), (x + width - r, y + r))
        self.polygon(np.concatenate([arc @ t + m for t, m in zip(turns, middles, strict=True)]), colour)

    def line(self, a: tuple[float, float], b: tuple[float, float], width: float, colour: Colour) -> None:
        """Thinner than a pixel: paler instead."""
        along = np.subtract(b, a)
        length = float(np.hypot(*along))
        if length == 0:
            return
        half = np.array([-along[1], along[0]]) / length * width / 2
        if width * self.ppu >= 1.5:
            self.polygon(np.array([a + half, b + half, b - half, a - half]), colour)
            return
        share = min(1.0, width * self.ppu)
        x, y = np.clip((np.add(a, b) / 2 * self.ppu).astype(int), 0, np.array(self.pixels.shape[1::-1]) - 1)
        blue, green, red = (int(c) for c in self.pixels[y, x])
        blend = bgr(mix((red, green, blue), colour, share)).tolist()
        cv2.line(self.pixels, self._fixed(a).tolist(), self._fixed(b).tolist(), blend, 1, cv2.LINE_AA, 4)

    def lines(self, xs: Sequence[float] | NDArray, ys: Sequence[float] | NDArray, width: float, colour: Colour) -> None:
        """A lattice: every x from the first to the last y and the other way round; each line one share of ink."""
        ink = np.zeros(self.pixels.shape[:2], np.float32)
        for at, (first, last), axis in ((xs, (ys[0], ys[-1]), 1), (ys, (xs[0], xs[-1]), 0)):
            length = self.pixels.shape[axis]
            place = np.arange(length) + 0.5
            near = np.abs(place[:, None] - np.asarray(at, float) * self.ppu).min(axis=1)
            wide = np.clip(max(width * self.ppu, 1.0) / 2 + 0.5 - near, 0, 1) * min(1.0, width * self.ppu)
            other = np.arange(self.pixels.shape[1 - axis]) + 0.5
            inside = (other > first * self.ppu - 0.5) & (other < last * self.ppu + 0.5)
            both = np.outer(inside, wide) if axis == 1 else np.outer(wide, inside)
            np.maximum(ink, both, out=ink)
        self.ink(ink, 0, 0, colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        cv2.circle(
            self.pixels,
            self._fixed((x, y)).tolist(),
            max(1, round(radius * self.ppu * 16)),
            bgr(colour).tolist(),
            -1,
            cv2.LINE_AA,
            4,
        )

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour) -> None:
        cv2.circle(
            self.pixels,
            self._fixed((x, y)).tolist(),
            max(1, round(radius * self.ppu * 16)),
            bgr(colour).tolist(),
            max(1, round(width * self.ppu)),
            cv2.LINE_AA,
            4,
        )

    def text(self, x: float, y: float, size: float, text: str, colour: Colour, face: str, turn: int = 0) -> float:
        """Middle at (x, y), capitals `size` high, `turn` quarters counter-clockwise; returns its width in units."""
        height = round(size * self.ppu)
        if height < 2 or not text.strip():
            return 0.6 * size * len(text)
        mask = np.rot90(_text(face, text, height), turn)
        top, left = round(y * self.ppu - mask.shape[0] / 2), round(x * self.ppu - mask.shape[1] / 2)
        self.ink(mask, left, top, colour)
        return mask.shape[turn % 2 == 0] / self.ppu

    def ink(self, mask: NDArray[np.float32], left: int, top: int, colour: Colour) -> None:
        """Covers by a mask of shares whose top left pixel comes at (left, top)."""
        rows, columns = self.pixels.shape[:2]
        x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + mask.shape[1], columns), min(top + mask.shape[0], rows)
        if x0 < x1 and y0 < y1:
            part = self.pixels[y0:y1, x0:x1]
            share = mask[y0 - top : y1 - top, x0 - left : x1 - left, None]
            part[:] = (part + share * (bgr(colour) - part) + 0.5).astype(np.uint8)

    def texture(self, kind: str, strength: float, rng: np.random.Generator) -> None:
        """Uneven brightness: "wood", "clouds", "speckle", "paper"."""
        shape = self.pixels.shape[:2]
        zoom = max(shape) / 700
        if kind == "wood":
            field = cut(wood(int(rng.integers(8))), rng, shape, zoom)
        elif kind == "speckle":
            field = cut(speckle(int(rng.integers(6))), rng, shape, max(0.6, zoom))
        else:
            field = cut(clouds(int(rng.integers(4))), rng, shape, zoom)
            if kind == "paper":
                field = 0.6 * field + 0.4 * cut(speckle(int(rng.integers(6))), rng, shape, max(0.6, zoom))
        factor = np.clip(1 + strength * field, 0, 3)
        self.pixels = cv2.multiply(self.pixels, cv2.merge([factor.astype(np.float32)] * 3), dtype=cv2.CV_8U)


@lru_cache(maxsize=1024)
def _text(path: str, text: str, height: int) -> NDArray[np.float32]:
    """Mask of a text whose capitals are `height` pixels high."""
    probe = fonts.sized(path, 100)
    top, bottom = probe.getbbox("H", anchor="ls")[1::2]
    font = fonts.sized(path, max(3, round(100 * height / max(1, bottom - top))))
    x0, y0, x1, y1 = font.getbbox(text, anchor="ls")
    image = Image.new("L", (max(2, int(x1 - x0) + 2), max(2, int(y1 - y0) + 2)), 0)
    ImageDraw.Draw(image).text((1 - x0, 1 - y0), text, fill=255, font=font, anchor="ls")
    return np.asarray(image, np.float32) / 255


def print_face(rng: np.random.Generator) -> str:
    """The file of a typeface for print."""
    return fonts.choose_face(rng).path


def any_colour(rng: np.random.Generator, saturation: float = 0.8, dark: float = 0.1, light: float = 0.97) -> Colour:
    return hsv(rng.uniform(0, 360), rng.uniform(0, saturation), rng.uniform(dark, light))


def ink_on(colour: Colour, rng: np.random.Generator) -> Colour:
    """Something dark on light colours, light on dark ones."""
    return any_colour(rng, 0.5, 0.02, 0.25) if luminance(colour) > 110 else any_colour(rng, 0.2, 0.85, 1.0)


def paper(rng: np.random.Generator) -> Colour:
    """White, newsprint or cream."""
    return hsv(rng.uniform(25, 60), rng.uniform(0, 0.18), rng.uniform(0.82, 1.0))


def wooden(rng: np.random.Generator) -> Colour:
    return hsv(rng.uniform(14, 38), rng.uniform(0.25, 0.7), rng.uniform(0.25, 0.88))


_TEXT = (
    "der die das und ist nicht ein eine auf mit haus spiel wasser garten fenster abend wenn dann aber auch noch heute "
    "gestern morgen straße zeitung rechnung betrag summe woche monat jahr nummer name ort datum menge preis brot milch"
)


def words(rng: np.random.Generator, count: int) -> list[str]:
    known = _TEXT.split()
    picked = [known[i] for i in rng.integers(0, len(known), count)]
    return [word.capitalize() if rng.random() < 0.3 else word for word in picked]
