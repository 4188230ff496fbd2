"""Capitals and digits drawn by hand with a felt-tip pen, as on tiles that somebody made at home.

A letter is a few strokes on a field one unit high (y down, the foot at 1) and as wide as its points say. "l" joins its
points straight, "c" by a smooth curve. Where people write differently there are several variants; a writer keeps to
one of them, mostly.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

Stroke = tuple[bool, NDArray[np.float64]]
"""Smooth or straight, and its points."""

_BOWL = "c .05,.02 .42,.0 .6,.22 .46,.48 .06,.53"
_RING = "c .4,.02 .14,.1 .02,.5 .14,.9 .37,1 .6,.9 .72,.5 .6,.1 .34,.01"
_LOOP = "c .3,.03 .08,.25 .03,.6 .22,.97 .5,.95 .7,.6 .64,.2 .4,.0 .25,.06"

LETTERS: dict[str, tuple[str, ...]] = {
    "A": (
        "l 0,1 .38,0 .78,1; l .14,.66 .64,.66",
        "l .36,0 0,1; l .38,0 .75,1; l .08,.6 .7,.58",
        "c 0,1 .12,.3 .38,0 .66,.3 .76,1; l .05,.62 .72,.6",
        "l 0,1 .4,0 .76,1; c .7,.68 .4,.6 .1,.7",
    ),
    "B": (
        "l .05,0 .05,1; c .05,.02 .45,.0 .57,.22 .42,.45 .07,.48; c .07,.48 .52,.48 .66,.74 .48,.98 .05,.99",
        "l .05,1 .05,0; c .05,0 .5,.02 .52,.3 .15,.46; c .15,.46 .64,.5 .62,.86 .3,1 .03,.98",
        "l .0,.02 .12,1; c .0,.04 .5,-.05 .55,.2 .4,.42 .1,.5; c .1,.5 .5,.45 .62,.7 .5,.95 .12,1",
    ),
    "C": ("c .66,.16 .42,0 .14,.1 .02,.5 .14,.9 .42,1 .68,.85", "c .6,.06 .3,.04 .05,.35 .04,.7 .25,.98 .66,.92"),
    "D": ("l .05,0 .05,1; c .05,.01 .48,.08 .7,.47 .5,.9 .05,.99", "l .1,.05 .08,.95; c .0,.02 .4,0 .68,.3 .6,.8 .0,1"),
    "E": (
        "l .56,0 .05,0 .05,1 .6,1; l .05,.5 .48,.5",
        "l .05,0 .05,1; l .05,0 .58,0; l .05,.48 .45,.46; l .05,1 .6,.98",
        "c .6,.1 .3,0 .08,.2 .28,.47; c .28,.47 .02,.62 .1,.93 .38,1 .62,.88",
        "l .02,.0 .08,.98 .58,.94; l .02,.02 .52,.04; l .04,.5 .5,.44",
    ),
    "F": (
        "l .58,0 .05,0 .05,1; l .05,.48 .45,.46",
        "l .05,0 .05,1; l 0,.02 .6,0; l .05,.46 .46,.45",
        "l .1,.02 .06,1; c .02,.04 .3,.06 .56,.0; l .06,.42 .5,.4",
    ),
    "G": (
        "c .66,.16 .42,0 .12,.12 .02,.5 .14,.9 .44,1 .64,.88; l .66,.92 .66,.56 .42,.56",
        "c .62,.14 .4,0 .1,.2 .03,.6 .2,.97 .5,.98 .68,.72 .68,.55; l .38,.56 .74,.56",
        "c .6,.1 .3,0 .04,.35 .06,.8 .36,1 .62,.8 .64,.56; l .64,.5 .4,.54",
        "c .64,.14 .36,0 .08,.18 .03,.62 .22,.98 .56,.94 .66,.62; l .4,.6 .68,.58 .68,1",
    ),
    "H": ("l .05,0 .05,1; l .65,0 .65,1; l .05,.5 .65,.5", "l .02,.02 .1,1; l .6,0 .66,1; l .06,.54 .64,.46"),
    "I": ("l .1,0 .1,1", "l .25,0 .25,1; l .05,0 .45,0; l .05,1 .45,1", "l .12,.0 .1,1"),
    "J": (
        "c .5,0 .5,.6 .44,.92 .22,1 .02,.82",
        "c .5,0 .5,.7 .4,.98 .15,.98 .02,.8; l .24,0 .74,0",
        "l .5,0 .48,.7; c .48,.7 .42,.98 .18,1 .0,.86",
    ),
    "K": (
        "l .05,0 .05,1; l .6,0 .08,.55; l .2,.42 .64,1",
        "l .05,0 .05,1; l .6,.02 .08,.5 .64,1",
        "l .08,0 .05,1; c .58,.02 .3,.4 .08,.52; c .08,.52 .4,.6 .66,1",
    ),
    "L": ("l .05,0 .05,1 .56,1", "l .08,0 .04,1; l .04,1 .58,.96", "c .1,0 .06,.5 .05,.94 .2,.99 .58,.94"),
    "M": (
        "l 0,1 .08,0 .42,.7 .76,0 .84,1",
        "l .05,1 .05,0 .42,.62 .8,0 .8,1",
        "l .05,0 .05,1; l .05,0 .42,.6 .78,0; l .78,0 .8,1",
        "c .0,1 .1,.1 .2,.05 .42,.7; c .42,.7 .62,.0 .72,.1 .84,1",
    ),
    "N": ("l .05,1 .05,0 .65,1 .65,0", "l .05,0 .05,1; l .05,0 .65,1; l .65,0 .65,1", "l 0,1 .08,0 .6,.98 .68,0"),
    "O": (_RING, _LOOP, "c .5,.06 .2,.0 .02,.4 .08,.85 .4,1 .7,.75 .68,.3 .4,.02"),
    "P": (
        "l .05,0 .05,1; " + _BOWL,
        "l .05,1 .05,0; c .05,0 .5,-.04 .6,.2 .5,.46 .08,.5",
        "l .1,.04 .05,1; c .0,.06 .4,-.06 .62,.16 .5,.44 .1,.54",
    ),
    "Q": (
        _RING + "; l .44,.7 .8,1.06",
        _LOOP + "; c .35,.84 .5,.78 .64,1.0 .88,1.02",
        _RING + "; l .5,.78 .72,1.02",
        _LOOP + "; l .52,.66 .7,1.12",
    ),
    "R": (
        "l .05,0 .05,1; " + _BOWL + "; l .3,.54 .66,1",
        "l .05,1 .05,0; c .05,0 .5,-.04 .58,.22 .46,.46 .1,.5; l .1,.5 .64,1",
        "l .1,.02 .05,1; c .0,.05 .42,-.05 .6,.18 .45,.45 .16,.52; c .16,.52 .4,.6 .68,1",
    ),
    "S": (
        "c .6,.14 .35,0 .1,.12 .1,.34 .5,.56 .6,.8 .36,1 .03,.86",
        "c .56,.08 .2,.02 .06,.26 .3,.48 .56,.7 .4,.98 .0,.94",
    ),
    "T": ("l .36,0 .36,1; l 0,0 .72,0", "l 0,.03 .7,0; l .36,.02 .34,1", "l .36,.04 .38,1; c .0,.08 .3,.0 .74,.04"),
    "U": (
        "c .05,0 .05,.6 .12,.9 .35,1 .58,.9 .66,.6 .66,0",
        "c .05,0 .04,.6 .15,.95 .4,.98 .62,.7 .64,0; l .64,0 .67,1",
        "c .02,0 .1,.7 .25,.98 .5,.95 .62,.6 .64,0",
    ),
    "V": ("l 0,0 .36,1 .72,0", "l 0,.02 .34,1; l .7,0 .34,1", "c 0,0 .2,.7 .34,.98; c .34,.98 .5,.5 .7,0"),
    "W": (
        "l 0,0 .22,1 .46,.3 .7,1 .92,0",
        "c 0,0 .06,.7 .22,.98 .4,.75 .46,.3; c .46,.3 .52,.75 .7,.98 .86,.65 .9,0",
        "l 0,0 .2,1 .45,.05 .7,1 .9,0",
    ),
    "X": ("l 0,0 .66,1; l .64,0 0,1", "l .05,.0 .6,1; c .66,0 .4,.4 .0,1"),
    "Y": (
        "l 0,0 .34,.5; l .68,0 .34,.5 .34,1",
        "l 0,0 .36,.52; l .7,0 .2,1",
        "c .02,0 .1,.4 .3,.52 .5,.45 .64,0; l .64,0 .45,1",
    ),
    "Z": (
        "l .02,0 .64,0 0,1 .66,1",
        "l .02,0 .64,0 0,1 .66,1; l .12,.52 .54,.5",
        "c .02,.06 .3,.0 .6,.04; l .6,.04 .02,.98; c .02,.98 .3,.92 .66,1",
    ),
    "0": (_RING,),
    "1": ("l .08,.2 .28,0 .28,1", "l .2,0 .2,1", "l .18,0 .2,1"),
    "2": ("c .05,.2 .28,0 .52,.2 .42,.55 .05,1; l .05,1 .6,1", "c .04,.16 .3,-.02 .56,.2 .4,.6 .0,.96 .25,.9 .6,1"),
    "3": (
        "c .05,.12 .35,0 .55,.22 .25,.46; c .25,.46 .6,.55 .55,.85 .3,1 .02,.86",
        "l .05,0 .55,0 .25,.4; c .25,.4 .6,.5 .5,.9 .25,1 .0,.88",
    ),
    "4": ("l .45,1 .45,0 0,.68 .62,.68", "l .08,0 .05,.52 .56,.52; l .45,.1 .42,1"),
    "5": ("l .55,0 .1,0 .08,.42; c .08,.42 .45,.36 .6,.65 .4,.98 .03,.9",),
    "6": ("c .5,.02 .15,.3 .05,.7 .3,1 .55,.75 .3,.5 .08,.68",),
    "7": ("l .02,0 .58,0 .2,1", "l .02,0 .58,0 .2,1; l .12,.5 .52,.48"),
    "8": (
        "c .5,.15 .3,0 .08,.2 .3,.45 .55,.75 .3,1 .05,.78 .3,.45 .52,.2 .45,.1",
        "c .3,.0 .08,.22 .3,.46 .5,.22 .3,0; c .3,.46 .02,.75 .3,1 .58,.75 .3,.46",
    ),
    "9": (
        "c .5,.25 .28,.48 .06,.28 .25,.02 .5,.2 .48,.6 .35,1",
        "c .48,.1 .2,.0 .05,.25 .25,.48 .5,.3 .5,.1; l .5,.1 .46,1",
    ),
}
_MARKS: dict[str, str] = {
    "\u0301": "l .0,-.12 .16,-.34",
    "\u0300": "l .16,-.12 0,-.34",
    "\u0302": "l -.08,-.12 .08,-.32 .24,-.12",
    "\u030c": "l -.08,-.32 .08,-.12 .24,-.32",
    "\u0303": "c -.1,-.14 .0,-.26 .14,-.14 .26,-.26",
    "\u030a": "c .08,-.34 .0,-.22 .1,-.1 .2,-.22 .08,-.34",
    "\u0306": "c -.08,-.3 .08,-.12 .24,-.3",
    "\u0307": "l .08,-.2 .09,-.2",
    "\u030b": "l -.04,-.12 .06,-.32; l .14,-.12 .24,-.32",
    "\u0327": "c .06,1.02 .16,1.12 .02,1.24",
    "\u0326": "l .1,1.1 .02,1.26",
    "\u0328": "c .3,1 .2,1.14 .34,1.2",
}
_DOTS = ("l 0,-.2 .01,-.19; l .3,-.2 .31,-.19", "l .02,-.3 .0,-.12; l .3,-.3 .28,-.12", "l -.05,-.18 .35,-.2")
"""Dots of Ä, Ö, Ü: points, short strokes, or one bar."""
_CROSSED = {"Ł": ("L", "l -.12,.62 .32,.38"), "Ø": ("O", "l .0,1.06 .72,-.06"), "Ð": ("D", "l -.12,.5 .3,.5")}


@lru_cache(maxsize=512)
def _parse(text: str) -> tuple[Stroke, ...]:
    strokes = []
    for part in text.split(";"):
        kind, *points = part.split()
        strokes.append((kind == "c", np.array([[float(v) for v in p.split(",")] for p in points])))
    return tuple(strokes)


@dataclass(frozen=True)
class Writer:
    """Somebody with a pen. seed: his letter forms; slant: to the right, per height; width: of his letters, 1 as drawn
    pen: width of the line as a share of the letter's height; shaky: deviation of points, as a share of the height
    """

    seed: int
    slant: float
    width: float
    pen: float
    shaky: float


@lru_cache(maxsize=256)
def writer(seed: int) -> Writer:
    rng = np.random.default_rng(seed)
    return Writer(
        seed,
        float(rng.normal(0.03, 0.09)),
        float(np.clip(rng.normal(1.0, 0.14), 0.7, 1.35)),
        float(np.clip(rng.normal(0.13, 0.035), 0.06, 0.24)),
        float(rng.uniform(0.008, 0.035)),
    )


def can_write(text: str) -> bool:
    """Whether there are strokes for all of the text."""
    return all(_strokes(char, writer(0), np.random.default_rng(0)) for char in text)


def _strokes(char: str, by: Writer, rng: np.random.Generator) -> list[Stroke]:
    """One character in one of its variants, () when there are none; marks over and under it included."""
    base, *marks = unicodedata.normalize("NFD", char)
    extra = ""
    if char in _CROSSED:
        base, extra = _CROSSED[char]
    if base not in LETTERS or any(mark != "\u0308" and mark not in _MARKS for mark in marks):
        return []
    forms = LETTERS[base]
    form = by.seed * 31 + ord(base) * 7 if rng.random() < 0.8 else int(rng.integers(1 << 20))
    strokes = list(_parse(forms[form % len(forms)]))
    middle = max(points[:, 0].max() for _, points in strokes) / 2
    for mark in marks:
        if mark == "\u0308":
            added, at = _DOTS[(0, 1, 0, 1, 0, 1, 2)[by.seed % 7]], middle - 0.15
        else:
            added, at = _MARKS[mark], middle - 0.08
        strokes += [(smooth, points + np.array([at, 0.0])) for smooth, points in _parse(added)]
    if extra:
        strokes += _parse(extra)
    return strokes


def _path(smooth: bool, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points along a stroke, close together; Catmull-Rom where it is smooth."""
    if len(points) < 3 or not smooth:
        t = np.linspace(0, 1, 6)[:, None]
        return np.concatenate([a + (b - a) * t for a, b in pairwise(points)])
    padded = np.concatenate([[2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]])
    t = np.linspace(0, 1, 8)[:, None]
    parts = []
    for p0, p1, p2, p3 in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        parts.append(
            0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3)
        )
    return np.concatenate(parts)


def _draw(
    canvas: NDArray[np.float32],
    text: str,
    by: Writer,
    height: float,
    middle_x: float,
    foot: float,
    room: float,
    pen: float,
    rng: np.random.Generator,
) -> None:
    """Text on the canvas: capitals `height` pixels high, standing on `foot`, at most `room` wide and under the top."""
    slant, width = by.slant + rng.normal(0, 0.04), by.width * np.exp(rng.normal(0, 0.07))
    tilt = rng.normal(0, 0.04)
    paths, left = [], 0.0
    for char in text:
        strokes = _strokes(char, by, rng)
        wide = max((points[:, 0].max() for _, points in strokes), default=0.5)
        for smooth, points in strokes:
            shaken = points + rng.normal(0, by.shaky, points.shape)
            path = _path(smooth, shaken)
            path += by.shaky * 0.4 * np.sin(path[:, ::-1] * rng.uniform(6, 14) + rng.uniform(0, 6))
            path = path * (width, 1)
            paths.append(
                np.stack([path[:, 0] + left + slant * (1 - path[:, 1]), path[:, 1] + tilt * path[:, 0]], axis=1)
            )
        left += (wide + 0.25) * width
    if not paths:
        return
    low = np.concatenate(paths).min(axis=0)
    high = np.concatenate(paths).max(axis=0)
    inner = canvas.shape[0] - pen - 2  # pixels between the upper and the lower edge
    size = min(height, room / max(high[0] - low[0], 0.2), inner / max(high[1] - low[1], 0.2))
    foot = float(np.clip(foot, 1 + pen / 2 + (1 - low[1]) * size, canvas.shape[0] - 1 - pen / 2 - (high[1] - 1) * size))
    scale = 4
    offset = np.array([middle_x - size * (low[0] + high[0]) / 2, foot - size])
    line = max(1, round(pen * scale))
    field = np.zeros((canvas.shape[0] * scale, canvas.shape[1] * scale), np.float32)
    for path in paths:
        points = np.round((path * size + offset) * scale * 4).astype(np.int32)
        cv2.polylines(field, [points], False, float(rng.uniform(0.86, 1.0)), line, cv2.LINE_8, 2)
    np.maximum(canvas, cv2.resize(field, canvas.shape[::-1], interpolation=cv2.INTER_AREA), out=canvas)


def written(
    text: str,
    digits: str,
    by: Writer,
    side: int,
    size: float,
    at: tuple[float, float],
    digit_size: float,
    digit_at: tuple[float, float],
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """(side, side) how much ink lies where, 0 to 1.

    size, digit_size: heights; at: middle of the letter; digit_at: middle and foot of the digits, from the upper left;
    all as shares of the side
    """
    canvas = np.zeros((side, side), np.float32)
    height = size * side * np.exp(rng.normal(0, 0.08))
    pen = by.pen * size * side * np.exp(rng.normal(0, 0.12))
    x, y = (np.array(at) + rng.normal(0, 0.025, 2)) * side
    _draw(canvas, text, by, height, x, min(y + height / 2, 0.94 * side), 0.86 * side, pen, rng)
    if digits:
        x, foot = (np.array(digit_at) + rng.normal(0, 0.025, 2)) * side
        small = digit_size * side * np.exp(rng.normal(0, 0.12))
        _draw(canvas, digits, by, small, x, min(foot, 0.97 * side), 0.4 * side, pen * rng.uniform(0.6, 0.95), rng)
    return canvas
