"""Tiles: how a set looks, and one tile's top drawn flat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from models.table import fonts
from models.table.fillings import MARKS, OTHER
from models.table.handwriting import can_write, writer, written
from models.table.textures import Colour, bgr, clouds, cut, hsv, luminance, mix, shade, wood

VALUES = {
    "german": dict(
        zip(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ",
            (1, 3, 4, 1, 1, 4, 2, 2, 1, 6, 4, 2, 3, 1, 2, 4, 10, 1, 1, 1, 1, 6, 3, 8, 10, 3, 6, 8, 6),
            strict=True,
        )
    ),
    "english": dict(
        zip(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            (1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10),
            strict=True,
        )
    ),
    "french": dict(
        zip(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            (1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 10, 1, 2, 1, 1, 3, 8, 1, 1, 1, 1, 4, 10, 10, 10, 10),
            strict=True,
        )
    ),
}
"""Digit printed on each tile; a letter that a language lacks gets the German one."""


@dataclass(frozen=True)
class TileStyle:
    """Look of one set of tiles. Lengths are shares of the tile's side unless said otherwise.

    size: side in squares; thickness: in squares
    letter_size: height of a capital; letter_at: shift of its middle from the tile's middle, right and down
    stretch: width of the letters against the face's own
    umlaut: "full" (dots above a full capital) or "small" (capital and dots together as high as a capital, nearly)
    digits: "bottom-right", "top-right", "bottom-left", "none"; values: key of VALUES, or "random"
    ink: 0 to 1, how much the letter covers; worn: share of it rubbed off; engraved: depth of relief, 0 to 1
    grain: contrast of wood grain, 0 none; vary: how much tiles differ in brightness from each other
    bevel: width of the slanted edge; bevel_contrast: how much its sides differ in brightness
    dots: small dots printed near the corners
    blank: "plain", "mark", "face", "scratched" or "back" (a tile laid face down: the recess of its underside)
    dimples: (right, down, radius) of round hollows or bosses that moulding left in the face; negative radius: a boss
    dimple_depth: contrast of their rims
    digit_gap: None, or how far the digit stands from the letter's right side (it may touch: 0 or less) instead of from
    the tile's edge; digit_drop: how far its foot then lies under the letter's; digit_face: "" for the letter's own
    misprint: how far the print wanders and pales from tile to tile, deviation as a share of the side
    hand: 0 for print, else who wrote the letters with a pen (see `handwriting`); hand_share: on how many of the tiles
    """

    face: str
    body: Colour = (236, 226, 200)
    ink_colour: Colour = (25, 25, 25)
    size: float = 0.95
    thickness: float = 0.24
    corner: float = 0.1
    letter_size: float = 0.52
    letter_at: tuple[float, float] = (-0.03, -0.04)
    stretch: float = 1.0
    umlaut: str = "full"
    digits: str = "bottom-right"
    digit_size: float = 0.17
    values: str = "german"
    ink: float = 0.95
    worn: float = 0.0
    engraved: float = 0.0
    grain: float = 0.0
    vary: float = 0.02
    bevel: float = 0.05
    bevel_contrast: float = 0.15
    side_shade: float = 0.75
    dots: bool = False
    blank: str = "plain"
    gloss: float = 0.0
    dimples: tuple[tuple[float, float, float], ...] = ()
    dimple_depth: float = 0.25
    digit_gap: float | None = None
    digit_drop: float = 0.05
    digit_face: str = ""
    misprint: float = 0.0
    hand: int = 0
    hand_share: float = 1.0


def german_style(face: str | None = None) -> TileStyle:
    """Cream plastic with bold geometric capitals, as in a German set; used by the demo."""
    return TileStyle(
        face=face or fonts.preferred_face().name,
        body=(238, 229, 207),
        ink_colour=(28, 27, 26),
        size=0.95,
        thickness=0.24,
        corner=0.12,
        letter_size=0.5,
        letter_at=(-0.02, -0.05),
        digit_size=0.16,
        bevel=0.06,
        bevel_contrast=0.12,
    )


def random_style(rng: np.random.Generator) -> TileStyle:
    """Any set of tiles one may meet, real ones more often than odd ones."""
    material = str(
        rng.choice(
            ["cream", "white", "wood", "dark", "luxury", "black", "yellow", "bluish", "grey", "any"],
            p=[0.3, 0.08, 0.24, 0.07, 0.12, 0.03, 0.04, 0.05, 0.03, 0.04],
        )
    )
    u = rng.uniform
    grain, corner, engraved = 0.0, u(0.04, 0.2), 0.0
    ink: Colour = mix((12, 12, 12), (75, 65, 55), u(0, 1) ** 2)
    if material == "cream":
        body = hsv(u(30, 52), u(0.06, 0.3), u(0.8, 0.97))
    elif material == "white":
        body = hsv(u(0, 360), u(0, 0.06), u(0.86, 0.99))
    elif material == "wood":
        body = hsv(u(16, 44), u(0.15, 0.58), u(0.6, 0.96))
        grain = float(rng.choice([u(0.01, 0.06), u(0.05, 0.13)], p=[0.7, 0.3]))
        corner, engraved = u(0.01, 0.09), u(0, 0.5) * (rng.random() < 0.3)
    elif material == "dark":
        body = hsv(u(-12, 25), u(0.45, 0.85), u(0.22, 0.6))
        grain = u(0.0, 0.12)
        light = rng.random() < 0.65
        ink = hsv(u(30, 55), u(0, 0.4), u(0.8, 1)) if light else (20, 15, 12)
        if not light:
            body = hsv(u(-5, 25), u(0.4, 0.7), u(0.5, 0.72))
    elif material == "luxury":  # deep colours, letters in white, cream or gold
        hue, low, high = [(-8, 0.2, 0.5), (4, 0.35, 0.65), (222, 0.18, 0.5), (150, 0.15, 0.42), (20, 0.15, 0.35)][
            int(rng.choice(5, p=[0.4, 0.2, 0.15, 0.15, 0.1]))
        ]
        body = hsv(hue + rng.normal(0, 7), u(0.55, 0.95), u(low, high))
        white, gold = hsv(u(35, 60), u(0, 0.2), u(0.85, 1)), hsv(u(36, 50), u(0.35, 0.75), u(0.65, 0.95))
        ink = white if rng.random() < 0.7 else gold
        grain = u(0.01, 0.06) if rng.random() < 0.3 else 0.0
    elif material == "black":
        body = hsv(u(0, 360), u(0, 0.4), u(0.06, 0.25))
        ink = hsv(u(30, 55), u(0, 0.5), u(0.8, 1))
    elif material == "yellow":
        body = hsv(u(42, 56), u(0.4, 0.85), u(0.8, 0.98))
    elif material == "bluish":
        body = hsv(u(185, 225), u(0.08, 0.35), u(0.78, 0.97))
    elif material == "grey":
        body = hsv(u(0, 360), u(0, 0.1), u(0.5, 0.8))
    else:
        body = hsv(u(0, 360), u(0.2, 0.9), u(0.3, 0.95))
        ink = (20, 20, 20) if luminance(body) > 110 else (240, 240, 235)
    if material in ("cream", "white", "bluish", "yellow") and rng.random() < 0.12:
        ink = hsv(
            *[
                (u(340, 365), u(0.6, 0.95), u(0.4, 0.75)),
                (u(210, 240), u(0.5, 0.95), u(0.25, 0.6)),
                (u(120, 160), u(0.5, 0.9), u(0.2, 0.45)),
            ][int(rng.integers(3))]
        )
    wooden = material in ("wood", "dark")
    serif = rng.random() < (0.1 if wooden else 0.06)
    face = fonts.choose_face(rng, ("serif",) if serif else ())
    letter_size = float(np.clip(rng.normal(0.52, 0.06), 0.38, 0.68))
    letter_at = (float(rng.normal(-0.025, 0.03)), float(rng.normal(-0.03, 0.03)))
    gap, drop, digit_face, misprint = _random_print(rng, face, wooden)
    dimpled = rng.random() < (0.45 if material == "bluish" else 0.0 if wooden else 0.11)
    return TileStyle(
        face=face.name,
        body=body,
        ink_colour=ink,
        size=float(np.clip(rng.normal(0.95, 0.03), 0.86, 1.0)),
        thickness=float(u(0.17, 0.29)),
        corner=corner,
        letter_size=letter_size,
        letter_at=letter_at,
        stretch=float(np.clip(rng.normal(0.98, 0.08), 0.78, 1.18)),
        umlaut=str(rng.choice(["full", "small"], p=[0.55, 0.45])),
        digits=str(rng.choice(["bottom-right", "top-right", "bottom-left", "none"], p=[0.88, 0.04, 0.02, 0.06])),
        digit_size=float(np.clip(rng.normal(0.19, 0.045) if wooden else rng.normal(0.18, 0.03), 0.11, 0.32)),
        values=str(rng.choice(["german", "english", "french", "random"], p=[0.45, 0.25, 0.1, 0.2])),
        ink=float(u(0.78, 1.0)),
        worn=float(u(0, 0.5) if rng.random() < 0.2 else 0.0),
        engraved=float(engraved if engraved else (u(0.2, 1) if rng.random() < 0.08 else 0)),
        grain=float(grain),
        vary=float(u(0.02, 0.09) if wooden else u(0, 0.03)),
        bevel=float(u(0.02, 0.1)),
        bevel_contrast=float(u(0, 0.35)),
        side_shade=float(u(0.5, 0.92)),
        dots=bool(rng.random() < 0.05),
        blank=str(rng.choice(["plain", "mark", "face", "scratched", "back"], p=[0.68, 0.04, 0.03, 0.15, 0.1])),
        gloss=float(u(0, 1) if rng.random() < 0.4 else 0),
        dimples=random_dimples(rng, letter_size, letter_at) if dimpled else (),
        dimple_depth=float(u(0.12, 0.5)),
        digit_gap=gap,
        digit_drop=drop,
        digit_face=digit_face,
        misprint=misprint,
    )


def handmade_style(rng: np.random.Generator) -> TileStyle:
    """Tiles made at home: plates of wood or card with letters in felt-tip pen, sometimes beside printed ones."""
    u = rng.uniform
    base = typical_style(rng, "american") if rng.random() < 0.7 else random_style(rng)
    light = luminance(base.body) > 105
    pen = [(18, 18, 22), (40, 36, 34), (22, 30, 90), (70, 20, 24)][int(rng.choice(4, p=[0.55, 0.25, 0.13, 0.07]))]
    style = replace(
        base,
        ink_colour=pen if light else (236, 232, 222),
        ink=float(u(0.75, 0.98)),
        letter_size=float(np.clip(rng.normal(0.5, 0.07), 0.34, 0.68)),
        letter_at=(float(rng.normal(-0.03, 0.04)), float(rng.normal(-0.02, 0.04))),
        digit_size=float(u(0.14, 0.28)),
        digits="bottom-right" if rng.random() < 0.75 else "none",
        dimples=(),
    )
    faces = [face for face in fonts.find_faces() if face.kind == "hand"]
    if faces and rng.random() < 0.3:  # somebody with a beautiful hand: as even as type
        return replace(
            style, face=faces[int(rng.integers(len(faces)))].name, digit_face="", misprint=float(u(0.01, 0.04))
        )
    return replace(
        style,
        hand=int(rng.integers(1, 1 << 16)),
        hand_share=1.0 if rng.random() < 0.6 else float(u(0.3, 0.9)),
        misprint=base.misprint if rng.random() < 0.3 else 0.0,
    )


def _random_print(rng: np.random.Generator, face: fonts.Face, wooden: bool) -> tuple[float | None, float, str, float]:
    """Gap, drop and face of the digit, and how badly tiles are printed: worse on wood, where a 1 may touch its I."""
    u = rng.uniform
    gap = float(u(-0.03, 0.12)) if rng.random() < (0.45 if wooden else 0.1) else None
    drop = float(u(-0.03, 0.13))
    family = face.name.rpartition(" ")[0]
    sisters = [f.name for f in fonts.find_faces() if f.name.rpartition(" ")[0] == family and f.weight <= face.weight]
    digit_face = sisters[int(rng.integers(len(sisters)))] if rng.random() < 0.35 else ""
    misprint = float(u(0.005, 0.04)) if rng.random() < (0.5 if wooden else 0.12) else 0.0
    return gap, drop, digit_face, misprint


def random_dimples(
    rng: np.random.Generator, letter_size: float, letter_at: tuple[float, float]
) -> tuple[tuple[float, float, float], ...]:
    """What the pins of a mould leave: in the corners, beside or right under the letter, where it may look like the
    tail of a Q, or anywhere."""
    u = rng.uniform
    radius = float(rng.choice([u(0.04, 0.09), u(0.06, 0.085)]) * rng.choice([1, -1], p=[0.8, 0.2]))
    middle, foot = 0.5 + letter_at[0], 0.5 + letter_at[1] + letter_size / 2
    places: list[tuple[float, float]] = []
    if rng.random() < 0.65:  # a pair near the upper corners, often more near the lower ones
        x, y = u(0.13, 0.3), u(0.11, 0.2)
        shift = rng.normal(0, 0.02)
        places += [(x + shift, y), (1 - x + shift, y)]
        if rng.random() < 0.35:
            places += [(x + shift, 1 - y), (1 - x + shift, 1 - y)]
    if rng.random() < 0.7:  # touches the letter's foot, or nearly
        places.append((middle + rng.choice([u(-0.22, 0.24), u(0.05, 0.22)]), foot + u(-0.06, 0.1)))
    if rng.random() < 0.25:  # beside the letter
        places.append((middle + rng.choice([-1, 1]) * u(0.2, 0.36), foot - u(0.1, 0.4)))
    if not places or rng.random() < 0.15:
        places += [(x, y) for x, y in u(0.1, 0.9, (int(rng.integers(1, 4)), 2))]
    return tuple((float(np.clip(x, 0.08, 0.92)), float(np.clip(y, 0.08, 0.92)), radius) for x, y in places)


_GERMAN = ("Montserrat", "Metropolis", "Figtree", "Poppins", "Red Hat Display", "Raleway", "URW Gothic", "Lato")
_AMERICAN = (
    "Jost",
    "Josefin Sans",
    "League Spartan",
    "Universalis ADF",
    "Gillius ADF",
    "Kumbh Sans",
    "Cabin",
    "Carlito",
)


def typical_style(rng: np.random.Generator, country: str) -> TileStyle:
    """Tiles as they are usually sold there: "german", "american" (wood), "french", anything else cream plastic."""
    u = rng.uniform
    base = random_style(rng)
    wooden = country == "american"
    families = _AMERICAN if wooden else _GERMAN
    low, high = (400, 600) if wooden else (500, 700)
    faces = [f for f in fonts.find_faces() if f.name.rpartition(" ")[0] in families and low <= f.weight <= high]
    faces = faces or [f for f in fonts.find_faces() if f.kind != "hand"] or list(fonts.find_faces())
    shared = replace(
        base,
        face=faces[int(rng.integers(len(faces)))].name,
        ink_colour=mix((14, 14, 14), (60, 48, 38), u(0, 1)),
        letter_size=float(np.clip(rng.normal(0.52, 0.03), 0.44, 0.6)),
        digits="bottom-right",
        digit_size=float(np.clip(rng.normal(0.185, 0.02), 0.13, 0.24)),
        ink=float(u(0.85, 1)),
        worn=base.worn * 0.5,
        engraved=0.0,
        dots=False,
    )
    if wooden:
        return replace(
            shared,
            body=hsv(u(20, 42), u(0.18, 0.55), u(0.66, 0.96)),
            grain=float(rng.choice([u(0.01, 0.06), u(0.05, 0.11)], p=[0.7, 0.3])),
            dimples=(),
            corner=float(u(0.02, 0.08)),
            vary=float(u(0.02, 0.08)),
            values="english",
            letter_size=float(np.clip(rng.normal(0.5, 0.03), 0.42, 0.58)),
            digit_size=float(np.clip(rng.normal(0.19, 0.035), 0.12, 0.3)),
        )
    return replace(
        shared,
        body=hsv(u(34, 50), u(0.06, 0.22), u(0.85, 0.97)),
        grain=0.0,
        corner=float(u(0.06, 0.16)),
        vary=float(u(0, 0.025)),
        values="french" if country == "french" else "german",
        letter_at=(float(rng.normal(-0.035, 0.02)), float(rng.normal(-0.045, 0.02))),
        digit_gap=base.digit_gap if rng.random() < 0.3 else None,
    )


@lru_cache(maxsize=64)
def _outline(side: int, corner: float) -> NDArray[np.float32]:
    """(side, side) distance to the outline of the rounded tile in pixels, positive inside."""
    half = side / 2 - 1.0
    radius = max(corner * side, 0.5)
    axis = np.abs(np.arange(side, dtype=np.float32) + 0.5 - side / 2)
    x, y = np.meshgrid(axis, axis)
    qx, qy = x - (half - radius), y - (half - radius)
    return radius - (np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0)).astype(
        np.float32
    )


@lru_cache(maxsize=2048)
def _glyph(face: str, text: str, height: int, stretch: float) -> tuple[NDArray[np.float32], float]:
    """Mask of a text whose capitals are `height` pixels high, and its baseline's distance from the mask's top."""
    files = fonts.files_for(face, text)
    if files is None:  # a foreign letter that no typeface here holds: print something else that is no letter
        text, files = "7", (fonts.face(face).path,) * 2
    path, measure = files
    scale = 2 if height < 80 else 1  # drawn twice as large, then shrunk: no hinting
    probe = fonts.sized(measure, 200)
    top, bottom = probe.getbbox("H", anchor="ls")[1::2]
    pixels = max(4, round(200 * height * scale / max(1, bottom - top)))
    font = fonts.sized(path, pixels)
    x0, y0, x1, y1 = font.getbbox(text, anchor="ls")
    pad = 2 * scale
    width, tall = x1 - x0 + 2 * pad, y1 - y0 + 2 * pad
    width += width % scale
    tall += tall % scale
    image = Image.new("L", (width, tall), 0)
    ImageDraw.Draw(image).text((pad - x0, pad - y0), text, fill=255, font=font, anchor="ls")
    mask = np.asarray(image, np.float32) / 255
    out = (max(2, round(width / scale * stretch)), tall // scale)
    mask = cv2.resize(mask, out, interpolation=cv2.INTER_AREA)
    return mask, (pad - y0) / scale


def _place(canvas: NDArray[np.float32], mask: NDArray[np.float32], left: float, top: float) -> None:
    """Adds the mask at a sub-pixel place."""
    warp = np.array([[1, 0, left], [0, 1, top]], np.float32)
    size = canvas.shape[1::-1]
    np.maximum(canvas, cv2.warpAffine(mask, warp, size, flags=cv2.INTER_LINEAR), out=canvas)


@lru_cache(maxsize=2048)
def letter_mask(style: TileStyle, letter: str, digit: str, side: int) -> NDArray[np.float32]:
    """(side, side) how much ink lies where, 0 to 1, for a letter with its digit ("" for none)."""
    canvas = np.zeros((side, side), np.float32)
    height = style.letter_size * side
    centre_x, centre_y = side * (0.5 + style.letter_at[0]), side * (0.5 + style.letter_at[1])
    number = None
    if digit and style.digits != "none":
        number = _glyph(style.digit_face or style.face, digit, max(3, round(style.digit_size * side)), 1.0)
    foot = centre_y + height / 2
    half = 0.0
    if letter:
        umlaut = len(letter) == 1 and letter not in fonts.PLAIN  # dots or accents over it
        mask, baseline = _glyph(style.face, letter, max(3, round(height)), style.stretch)
        shrink = 1.0
        if umlaut and style.umlaut == "small":
            shrink = min(1.0, 1.06 * height / max(1.0, baseline - 2))
        room = foot - 0.05 * side
        shrink = min(shrink, room / max(1.0, baseline - 2), (0.9 if len(letter) == 1 else 0.8) * side / mask.shape[1])
        if shrink < 0.995:
            mask = cv2.resize(mask, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            baseline *= shrink
        half = mask.shape[1] / 2
        centre_x = float(np.clip(centre_x, half - 1, side - half + 1)) if 2 * half < side else side / 2
        if number and style.digit_gap is not None:  # room for the digit beside it
            over = centre_x + half + style.digit_gap * side + number[0].shape[1] - 4 - 0.97 * side
            centre_x = max(centre_x - max(over, 0), half - 1)
        _place(canvas, mask, centre_x - half, foot - baseline)
    if number:
        mask, baseline = number
        edge = side * (0.07 + 0.3 * style.corner)
        left = edge if style.digits == "bottom-left" else side - edge - mask.shape[1] + 2
        low = edge + style.digit_size * side if style.digits == "top-right" else side - edge
        if letter and style.digit_gap is not None and style.digits == "bottom-right":
            left = min(centre_x + half - 4 + style.digit_gap * side, side - mask.shape[1] + 1)  # 2 pixels rim each
            low = min(foot + style.digit_drop * side, 0.97 * side)
        _place(canvas, mask, left, low - baseline)
    return canvas


@lru_cache(maxsize=32)
def _body(
    style: TileStyle, side: int, light: tuple[float, float]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Plain face without grain: brightness factor (side, side), relief of the edge, alpha."""
    distance = _outline(side, style.corner)
    alpha = np.clip(distance + 0.5, 0, 1)
    factor = np.ones((side, side), np.float32)
    width = max(style.bevel * side, 0.8)
    edge = np.clip(1 - distance / width, 0, 1) * (distance > -1)
    gy, gx = np.gradient(cv2.GaussianBlur(distance, (0, 0), 0.8))
    slope = -(gx * light[0] + gy * light[1])  # the outline falls away from the inside
    factor += style.bevel_contrast * edge * np.clip(slope, -1, 1)
    factor -= 0.25 * np.clip(1 - distance / 1.2, 0, 1)
    for right, down, radius in style.dimples:
        row, col = np.mgrid[0:side, 0:side].astype(np.float32) + 0.5
        x, y, r = (col - right * side) / side, (row - down * side) / side, abs(radius)
        inside = np.clip((r - np.hypot(x, y)) * side + 0.5, 0, 1)
        # the wall of a hollow that faces the lamp is bright: the far one; of a boss, the near one
        away = np.hypot(x, y) + 1e-6
        facing = (x * light[0] + y * light[1]) / away
        wall = np.exp(-(((away - 0.88 * r) / max(0.2 * r, 0.45 / side)) ** 2))
        relief = np.sign(radius) * style.dimple_depth * wall * facing
        factor -= np.where(relief > 0, relief, 0.45 * relief)  # shade shows more than shine on a bright face
        factor += np.sign(radius) * -0.12 * style.dimple_depth * inside * (x * light[0] + y * light[1]) / r
        factor += 0.05 * style.dimple_depth * inside
    if style.gloss:
        axis = (np.arange(side, dtype=np.float32) + 0.5) / side - 0.5
        factor += 0.06 * style.gloss * (axis[None, :] * light[0] + axis[:, None] * light[1])
    return factor, edge, alpha


def draw_tile(
    style: TileStyle, letter: str, side: int, rng: np.random.Generator, light: tuple[float, float] = (-0.7, -0.7)
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """One tile's top, seen straight: (side, side, 3) BGR 0 to 255 and its alpha 0 to 1.

    letter: a capital, "?" for a blank tile, "#" for any of MARKS
    light: unit vector on the tile towards the lamp, right and down
    """
    factor, _, alpha = _body(style, side, light)
    factor = factor * np.float32(1 + style.vary * rng.standard_normal())
    if style.grain:
        zoom = side / rng.uniform(120, 260)
        grain = cut(wood(int(rng.integers(8))), rng, (side, side), zoom)
        strong = rng.uniform(1, 2) if letter == "?" else 1.0
        factor = factor + strong * style.grain * (grain.T if rng.random() < 0.3 else grain)
    elif rng.random() < 0.3:
        factor = factor + 0.012 * cut(clouds(int(rng.integers(4))), rng, (side, side), side / 300)
    if letter == "?" and style.blank in ("back", "scratched"):
        factor = factor + (_back(side, light) if style.blank == "back" else _scratches(side, rng))
    tint = rng.standard_normal(3).astype(np.float32) * (60 * style.vary)
    face = factor[..., None] * (bgr(style.body) + tint - tint.mean())
    ink = _ink(style, letter, side, rng)
    strength = style.ink
    if ink is not None and style.misprint:
        x, y = rng.normal(0, style.misprint * side, 2)
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.normal(0, 50 * style.misprint)), 1.0)
        turn[:, 2] += x, y
        ink = cv2.warpAffine(ink, turn, (side, side), flags=cv2.INTER_LINEAR)
        strength *= float(np.clip(1 - abs(rng.normal(0, 6 * style.misprint)), 0.45, 1))
    if ink is not None:
        if style.engraved:
            soft = cv2.GaussianBlur(ink, (0, 0), max(0.6, side / 90))
            gy, gx = np.gradient(soft)
            face += (style.engraved * 160 * (gx * light[0] + gy * light[1]))[..., None]
        if style.worn:
            rubbed = np.clip(cut(clouds(int(rng.integers(4))), rng, (side, side), side / 150) * 0.6 - 0.2, 0, 1)
            strength = strength * (1 - style.worn * rubbed)
        cover = (ink * strength)[..., None]
        face = face * (1 - cover) + bgr(style.ink_colour) * cover
    return np.clip(face, 0, 255), alpha


def _ink(style: TileStyle, letter: str, side: int, rng: np.random.Generator) -> NDArray[np.float32] | None:
    if letter == "?":
        if style.blank in ("plain", "back", "scratched") and not style.dots:
            return None
        ink = _face_mask(side) * 0.9 if style.blank == "face" else np.zeros((side, side), np.float32)
        if style.blank == "mark":
            ink = (
                cv2.GaussianBlur(
                    (cut(clouds(int(rng.integers(4))), rng, (side, side), side / 200) > 1.3).astype(np.float32),
                    (0, 0),
                    1,
                )
                * 0.15
            )
    else:
        values = VALUES.get(style.values, {})
        value = values.get(letter, VALUES["german"].get(letter, 0))
        if style.values == "random" or not value:
            value = int(rng.integers(1, 11))
        if letter == OTHER:
            letter = MARKS[int(rng.integers(len(MARKS)))]
            value = value if letter.isalpha() or rng.random() < 0.2 else 0
        digits = str(value or "")
        if style.hand and can_write(letter) and rng.random() < style.hand_share:
            by = writer(style.hand + (rng.random() < 0.1))  # somebody helped
            digits = "" if style.digits == "none" or rng.random() < 0.12 else digits
            at = (0.5 + style.letter_at[0], 0.5 + style.letter_at[1])
            ink = written(letter, digits, by, side, style.letter_size, at, style.digit_size, (0.8, 0.88), rng)
        else:
            ink = letter_mask(style, letter, digits, side)
    if style.dots:
        ink = np.maximum(ink, _dots(side))
    return ink


@lru_cache(maxsize=32)
def _back(side: int, light: tuple[float, float]) -> NDArray[np.float32]:
    """Relief of a tile's underside: a recess with a round mark of the mould."""
    inner = _outline(side, 0.1) - 0.15 * side
    gy, gx = np.gradient(cv2.GaussianBlur(inner, (0, 0), 0.8))
    slope = np.clip(gx * light[0] + gy * light[1], -1, 1)
    relief = 0.22 * np.exp(-((inner / max(0.02 * side, 0.8)) ** 2)) * slope - 0.04 * (inner > 0)
    row, col = np.mgrid[0:side, 0:side].astype(np.float32) + 0.5 - side / 2
    ring = np.exp(-(((np.hypot(row, col) - 0.12 * side) / max(0.02 * side, 0.7)) ** 2))
    return (relief - 0.07 * ring).astype(np.float32)


def _scratches(side: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Fine lines and rubbed spots of long use."""
    canvas = np.zeros((side * 2, side * 2), np.float32)
    for _ in range(int(rng.integers(2, 12))):
        a = rng.uniform(0.05, 0.95, 2) * side * 2
        b = a + rng.normal(0, 0.35 * side, 2)
        level = float(rng.normal(0, 0.16))
        cv2.line(canvas, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), level, 1, cv2.LINE_AA)
    worn = 0.03 * cut(clouds(int(rng.integers(4))), rng, (side, side), side / 150)
    return cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA) + worn


@lru_cache(maxsize=16)
def _dots(side: int) -> NDArray[np.float32]:
    canvas = np.zeros((side * 4, side * 4), np.float32)
    for x, y in ((0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.5, 0.06), (0.06, 0.5)):
        cv2.circle(canvas, (int(x * side * 4), int(y * side * 4)), max(2, int(0.025 * side * 4)), 0.5, -1)
    return cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA)


@lru_cache(maxsize=16)
def _face_mask(side: int) -> NDArray[np.float32]:
    """A smiling face, as some sets print on their blanks."""
    s = side * 4
    canvas = np.zeros((s, s), np.float32)
    line = max(2, s // 28)
    cv2.circle(canvas, (s // 2, s // 2), int(0.3 * s), 1.0, line)
    for x in (0.4, 0.6):
        cv2.circle(canvas, (int(x * s), int(0.43 * s)), int(0.035 * s), 1.0, -1)
    cv2.ellipse(canvas, (s // 2, int(0.52 * s)), (int(0.16 * s), int(0.13 * s)), 0, 15, 165, 1.0, line)
    return cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA)


def side_colour(style: TileStyle) -> Colour:
    """Mean colour of the tile's sides."""
    return shade(style.body, style.side_shade)
