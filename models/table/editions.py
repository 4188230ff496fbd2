"""Boards: how an edition looks, and its flat picture.

The flat picture is in grid units times a whole number of pixels per square, so grid lines lie exactly on multiples.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from models.table import fonts
from models.table.textures import Colour, bgr, clouds, cut, hsv, luminance, mix, shade, speckle, wood
from vision.geometry import SIZE

PREMIUMS = (
    "T..l...T...l..T",
    ".D...t...t...D.",
    "..D...l.l...D..",
    "l..D...l...D..l",
    "....D.....D....",
    ".t...t...t...t.",
    "..l...l.l...l..",
    "T..l...D...l..T",
    "..l...l.l...l..",
    ".t...t...t...t.",
    "....D.....D....",
    "l..D...l...D..l",
    "..D...l.l...D..",
    ".D...t...t...D.",
    "T..l...T...l..T",
)
"""T, D: triple and double word; t, l: triple and double letter."""

KINDS = "TDtl"

LABELS: dict[str, tuple[str, str, str, str]] = {
    "none": ("", "", "", ""),
    "german": (
        "DREIFACHER\nWORTWERT",
        "DOPPELTER\nWORTWERT",
        "DREIFACHER\nBUCHSTABEN-\nWERT",
        "DOPPELTER\nBUCHSTABEN-\nWERT",
    ),
    "german-short": ("3x\nWORT", "2x\nWORT", "3x\nBUCHSTABE", "2x\nBUCHSTABE"),
    "english": ("TRIPLE\nWORD\nSCORE", "DOUBLE\nWORD\nSCORE", "TRIPLE\nLETTER\nSCORE", "DOUBLE\nLETTER\nSCORE"),
    "english-two": ("TRIPLE WORD\nSCORE", "DOUBLE WORD\nSCORE", "TRIPLE LETTER\nSCORE", "DOUBLE LETTER\nSCORE"),
    "french": ("MOT\nTRIPLE", "MOT\nDOUBLE", "LETTRE\nTRIPLE", "LETTRE\nDOUBLE"),
    "french-old": ("MOT\nCOMPTE\nTRIPLE", "MOT\nCOMPTE\nDOUBLE", "LETTRE\nCOMPTE\nTRIPLE", "LETTRE\nCOMPTE\nDOUBLE"),
    "polish": (
        "POTRÓJNA\nPREMIA\nSŁOWNA",
        "PODWÓJNA\nPREMIA\nSŁOWNA",
        "POTRÓJNA\nPREMIA\nLITEROWA",
        "PODWÓJNA\nPREMIA\nLITEROWA",
    ),
    "romanian": ("CUVÂNT\nTRIPLU", "CUVÂNT\nDUBLU", "LITERĂ\nTRIPLĂ", "LITERĂ\nDUBLĂ"),
    "times": ("3x", "2x", "3x", "2x"),
    "codes": ("TW", "DW", "TL", "DL"),
    "codes-german": ("3W", "2W", "3B", "2B"),
}
"""Texts on premium squares: triple word, double word, triple letter, double letter."""


@dataclass(frozen=True)
class Edition:
    """Look of one board. Lengths in squares.

    plain, premium: colours of the plain square and of T, D, t, l (see KINDS)
    line, line_width: grid lines, 0 width for none; ridge: height of a raised grid as a contrast 0 to 1
    shape: of premium squares: "square", "teeth" and "points" (both reach into the neighbours), "inset", "circle"
    reach: how far teeth and points reach
    labels: key of LABELS; label_size: height of the text block; label_colour None: dark or light by contrast
    texts: printed instead of those of `labels`, in their order
    star: "none", "star", "burst"; star_colour
    frame: width of the surroundings left, top, right, bottom; frame_colour; edge_colour, edge: outermost rim
    inner_line: width of a line round the grid; wordmark: text on the frame, on which sides ("b", "lt", ...)
    wordmark_tiles: the wordmark's letters stand on tile-like fields
    coordinates: letters and numbers printed along the grid
    seam: "none", "vertical", "horizontal": fold; seam_at: where, in squares; aspect: height of a square / its width
    texture: "none", "speckle", "wood", "cloth", "stains"; texture_strength: contrast
    thickness: of the board over the table; gloss: how shiny, 0 to 1
    cells: what frames each square: "none", "clear" (a grid of clear plastic over the print), "raised" (plates with a
    gap between), "ceramic" (glazed tiles in grout); cell_gap: width of the frame, from the square's side inwards
    cell_contrast: of its edges; cell_vary: how much squares differ in brightness; cell_line: a line inside premiums
    veil: how much the plastic mirrors, 0 to 1; label_ink: how much the labels cover, 0 to 1
    """

    name: str
    plain: Colour
    premium: tuple[Colour, Colour, Colour, Colour]
    line: Colour = (250, 250, 245)
    line_width: float = 0.05
    ridge: float = 0.0
    shape: str = "square"
    reach: float = 0.12
    labels: str = "none"
    label_size: float = 0.5
    label_colour: Colour | None = None
    label_kind: str = "condensed"
    star: str = "star"
    star_colour: Colour = (30, 30, 30)
    frame: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 0.8)
    frame_colour: Colour = (200, 190, 170)
    edge: float = 0.15
    edge_colour: Colour = (120, 30, 30)
    inner_line: float = 0.0
    wordmark: str = "KREUZWORT"
    wordmark_sides: str = "b"
    wordmark_colour: Colour = (40, 30, 30)
    wordmark_tiles: bool = False
    coordinates: bool = False
    seam: str = "none"
    seam_at: float = 7.5
    aspect: float = 1.0
    texture: str = "none"
    texture_strength: float = 0.02
    thickness: float = 0.2
    gloss: float = 0.3
    cells: str = "none"
    cell_gap: float = 0.07
    cell_contrast: float = 0.5
    cell_vary: float = 0.0
    cell_line: bool = False
    veil: float = 0.0
    label_ink: float = 0.9
    texts: tuple[str, str, str, str] | None = None


# fmt: off
EDITIONS: tuple[Edition, ...] = (
    Edition(
        "german-green-print", (42, 104, 52), ((176, 28, 34), (226, 84, 78), (48, 92, 170), (92, 142, 214)),
        line=(22, 45, 26), line_width=0.03, shape="teeth", reach=0.1, star="none", frame=(0.9, 0.9, 0.9, 0.9),
        frame_colour=(42, 104, 52), edge=0.45, edge_colour=(235, 238, 235), wordmark="", thickness=0.03, gloss=0.1,
    ),
    Edition(
        "german-classic", (214, 204, 176), ((208, 56, 50), (233, 160, 150), (52, 110, 160), (150, 192, 214)),
        line=(245, 240, 228), line_width=0.05, shape="teeth", reach=0.11, labels="german", star="star",
        frame=(1.0, 0.9, 1.0, 1.1), frame_colour=(206, 196, 168), edge=0.2, edge_colour=(140, 40, 40),
        wordmark="WORTSPIEL", wordmark_sides="btlr", seam="vertical", texture="speckle", texture_strength=0.02,
    ),
    Edition(
        "german-modern", (224, 219, 203), ((202, 38, 46), (240, 168, 178), (36, 102, 160), (158, 206, 228)),
        line=(255, 255, 252), line_width=0.045, labels="german", star="star",
        frame=(1.1, 1.1, 1.1, 1.6), frame_colour=(28, 88, 66), edge=0.12, edge_colour=(20, 60, 46),
        wordmark="BUCHSTABEN", wordmark_colour=(240, 230, 200), coordinates=True, seam="vertical", gloss=0.5,
    ),
    Edition(
        "german-green-deluxe", (30, 92, 76), ((196, 42, 52), (226, 128, 122), (44, 84, 156), (146, 176, 206)),
        line=(160, 170, 150), line_width=0.07, ridge=0.8, shape="points", reach=0.12, labels="german",
        label_size=0.42, star="burst", star_colour=(236, 210, 200), frame=(1.7, 1.3, 1.3, 1.5),
        frame_colour=(18, 52, 50), edge=0.35, edge_colour=(10, 30, 30), wordmark="WORTSPIEL", wordmark_sides="lb",
        wordmark_colour=(220, 60, 60), thickness=0.7,
    ),
    Edition(
        "us-brown-old", (166, 132, 98), ((216, 52, 62), (226, 130, 132), (34, 112, 150), (128, 164, 184)),
        line=(222, 208, 190), line_width=0.1, shape="teeth", reach=0.12, labels="english", star="star",
        frame=(1.6, 1.0, 1.0, 1.1), frame_colour=(170, 138, 104), edge=0.25, edge_colour=(130, 36, 40),
        wordmark="CROSSWORD", wordmark_sides="btr", wordmark_tiles=True, seam="vertical", texture="speckle",
        texture_strength=0.06,
    ),
    Edition(
        "us-classic-grey", (206, 208, 204), ((214, 66, 92), (238, 178, 192), (30, 122, 158), (172, 214, 226)),
        line=(246, 248, 248), line_width=0.07, labels="english", star="star", frame=(1.7, 1.0, 1.1, 1.0),
        frame_colour=(214, 214, 208), edge=0.18, edge_colour=(110, 28, 34), wordmark="CROSSWORDS",
        wordmark_sides="ltrb", wordmark_tiles=True, seam="vertical", gloss=0.4,
    ),
    Edition(
        "us-cream", (226, 208, 166), ((226, 70, 58), (240, 176, 160), (40, 130, 168), (162, 202, 206)),
        line=(250, 240, 212), line_width=0.06, labels="english", star="star", star_colour=(150, 40, 40),
        frame=(1.7, 1.0, 1.1, 1.0), frame_colour=(232, 216, 176), edge=0.18, edge_colour=(80, 30, 26),
        wordmark="CROSSWORDS", wordmark_sides="ltrb", wordmark_tiles=True, seam="vertical", texture="stains",
        texture_strength=0.03,
    ),
    Edition(
        "us-red-frame", (212, 206, 190), ((206, 40, 74), (224, 152, 186), (18, 96, 168), (112, 186, 206)),
        line=(240, 236, 226), line_width=0.05, labels="english-two", label_size=0.34, star="burst",
        star_colour=(70, 50, 90), frame=(2.9, 0.55, 0.55, 0.55), frame_colour=(204, 26, 40), edge=0.22,
        edge_colour=(28, 20, 22), inner_line=0.1, wordmark="LETTERS", wordmark_sides="l",
        wordmark_colour=(250, 240, 236), seam="vertical",
    ),
    Edition(
        "yellow", (214, 156, 22), ((118, 34, 38), (180, 100, 186), (18, 62, 140), (86, 162, 240)),
        line=(240, 226, 184), line_width=0.03, labels="none", star="none", frame=(1.4, 1.1, 1.4, 1.5),
        frame_colour=(214, 156, 22), edge=0.0, wordmark="LITERE", wordmark_sides="tb", wordmark_colour=(130, 40, 40),
        coordinates=True, seam="vertical", aspect=1.08, texture="dots",
    ),
    Edition(
        "french-dark", (84, 104, 104), ((140, 166, 46), (238, 176, 44), (208, 50, 54), (52, 48, 62)),
        line=(196, 188, 160), line_width=0.03, shape="points", reach=0.2, labels="french", label_size=0.36,
        label_kind="geometric", star="star", star_colour=(230, 230, 220), frame=(0.8, 0.7, 0.8, 1.6),
        frame_colour=(60, 66, 70), edge=0.0, wordmark="L E T T R E S", wordmark_colour=(236, 236, 228),
        seam="horizontal", seam_at=8.0,
    ),
    Edition(
        "french-blue", (38, 74, 116), ((214, 58, 52), (240, 172, 120), (60, 130, 190), (150, 200, 226)),
        line=(214, 220, 226), line_width=0.04, shape="points", reach=0.14, labels="french-old", star="star",
        star_colour=(250, 240, 220), frame=(1.0, 1.0, 1.0, 1.3), frame_colour=(26, 48, 84), edge=0.15,
        edge_colour=(16, 26, 50), wordmark="LE MOT", wordmark_colour=(250, 214, 60), seam="vertical",
    ),
    Edition(
        "polish-green", (20, 128, 104), ((208, 50, 66), (232, 160, 152), (88, 122, 182), (186, 202, 214)),
        line=(170, 186, 178), line_width=0.09, ridge=1.0, shape="points", reach=0.13, labels="polish",
        label_size=0.44, star="burst", star_colour=(240, 90, 80), frame=(1.6, 1.4, 1.4, 2.0),
        frame_colour=(36, 70, 62), edge=0.5, edge_colour=(16, 56, 52), wordmark="KRZYŻÓWKA",
        wordmark_colour=(220, 50, 70), thickness=0.6,
    ),
    Edition(
        "wooden", (226, 202, 158), ((150, 62, 52), (176, 128, 116), (52, 66, 82), (132, 150, 158)), line=(58, 44, 34),
        line_width=0.07, labels="english", star="star", frame=(0.5, 0.5, 0.5, 0.5), frame_colour=(206, 176, 128),
        edge=0.2, edge_colour=(90, 60, 40), wordmark="", texture="wood", texture_strength=0.07, thickness=0.5,
    ),
    Edition(
        "dark-wooden", (122, 84, 56), ((160, 46, 42), (176, 106, 92), (40, 58, 84), (104, 124, 136)),
        line=(44, 28, 20), line_width=0.05, ridge=0.5, shape="circle", labels="english", star="star",
        frame=(0.6, 0.6, 0.6, 0.6), frame_colour=(104, 70, 46), edge=0.25, edge_colour=(60, 38, 26), wordmark="",
        texture="wood", texture_strength=0.12, thickness=0.7,
    ),
    Edition(
        "white", (240, 242, 244), ((204, 52, 48), (238, 150, 140), (44, 116, 190), (140, 200, 226)),
        line=(30, 34, 40), line_width=0.07, labels="english", star="none", frame=(0.5, 0.5, 0.5, 0.5),
        frame_colour=(230, 230, 232), edge=0.1, edge_colour=(30, 30, 30), wordmark="",
    ),
    Edition(
        "white-teal", (236, 234, 228), ((206, 74, 50), (232, 158, 138), (40, 118, 124), (134, 184, 184)),
        line=(60, 60, 62), line_width=0.03, labels="none", star="star", frame=(0.8, 0.8, 0.8, 0.8),
        frame_colour=(206, 44, 40), edge=0.0, wordmark="",
    ),
    Edition(
        "pale", (232, 226, 212), ((236, 186, 180), (242, 212, 206), (186, 206, 222), (214, 226, 232)),
        line=(250, 248, 242), line_width=0.05, labels="german", star="star", star_colour=(160, 150, 140),
        frame=(0.9, 0.9, 0.9, 0.9), frame_colour=(226, 218, 202), edge=0.1, edge_colour=(180, 170, 150),
        wordmark="WORTE", coordinates=True,
    ),
    Edition(
        "travel", (62, 66, 74), ((196, 60, 66), (220, 140, 140), (60, 110, 176), (140, 176, 206)), line=(34, 36, 42),
        line_width=0.1, ridge=0.9, labels="times", label_size=0.4, star="star", star_colour=(230, 230, 230),
        frame=(0.8, 0.8, 0.8, 0.8), frame_colour=(40, 42, 48), edge=0.3, edge_colour=(20, 20, 24), wordmark="",
        seam="vertical", seam_at=7.0, thickness=0.8,
    ),
    Edition(
        "polish-clear", (16, 112, 90), ((222, 62, 78), (238, 142, 136), (36, 104, 168), (172, 186, 206)),
        line_width=0.0, shape="points", reach=0.15, labels="polish", label_size=0.66, label_colour=(70, 30, 40),
        label_kind="humanist", star="burst", star_colour=(240, 90, 80), frame=(1.5, 1.4, 1.4, 1.9),
        frame_colour=(120, 140, 132), edge=0.9, edge_colour=(14, 58, 54), wordmark="KRZYŻÓWKA", coordinates=True,
        wordmark_colour=(220, 50, 70), thickness=0.7, cells="clear", cell_gap=0.05, cell_contrast=0.8, cell_vary=0.03,
        veil=0.35, label_ink=0.75,
    ),
    Edition(
        "white-raised", (236, 240, 244), ((206, 44, 52), (226, 122, 60), (40, 138, 66), (52, 130, 214)),
        line=(14, 16, 20), line_width=0.11, shape="teeth", reach=0.05, labels="english", label_size=0.6,
        label_colour=(238, 244, 250), star="none", frame=(0.2, 0.2, 0.2, 0.2), frame_colour=(20, 22, 26), edge=0.5,
        edge_colour=(232, 234, 238), wordmark="", thickness=0.5, cells="raised", cell_gap=0.055, cell_contrast=0.5,
        cell_vary=0.015, cell_line=True,
    ),
    Edition(
        "ceramic", (232, 230, 224), ((166, 30, 30), (196, 122, 102), (58, 138, 142), (158, 192, 200)),
        line=(176, 152, 124), line_width=0.09, labels="none", star="none", frame=(0.15, 0.15, 0.15, 0.15),
        frame_colour=(176, 152, 124), edge=0.5, edge_colour=(120, 22, 26), wordmark="", thickness=0.9,
        cells="ceramic", cell_gap=0.045, cell_contrast=0.5, cell_vary=0.03,
    ),
)
# fmt: on


def edition(name: str) -> Edition:
    """The edition of this name; KeyError."""
    return {e.name: e for e in EDITIONS}[name]


_OFTEN = {"german-green-print": 3.0, "german-classic": 2.0, "german-modern": 2.5, "polish-clear": 2.0}
_SHARES = np.array([_OFTEN.get(e.name, 1.0) for e in EDITIONS])


def known_edition(rng: np.random.Generator) -> Edition:
    """One of EDITIONS, German ones more often."""
    return EDITIONS[int(rng.choice(len(EDITIONS), p=_SHARES / _SHARES.sum()))]


def random_edition(rng: np.random.Generator) -> Edition:
    """An edition nobody sells: a known one with other colours and print, or one put together from scratch."""
    if rng.random() < 0.45:
        return _varied(rng, known_edition(rng))
    look = _invented(rng)
    printed, framed = rng.random() < 0.13, rng.random() < 0.3
    if printed:
        return _printed(rng, look)
    return _framed(rng, look) if framed else look


def hung(rng: np.random.Generator, look: Edition) -> Edition:
    """The board in a picture frame, as wall art."""
    u = rng.uniform
    brown, black = hsv(u(14, 32), u(0.3, 0.7), u(0.15, 0.6)), hsv(u(0, 360), u(0, 0.2), u(0.03, 0.2))
    white = hsv(40, u(0, 0.1), u(0.85, 1))
    return replace(
        look,
        name=look.name + "*",
        edge=float(u(0.5, 1.5)),
        edge_colour=(brown, black, white)[int(rng.choice(3, p=[0.4, 0.4, 0.2]))],
        thickness=float(u(0.3, 1.2)),
        frame=tuple(float(side * u(0.6, 1.2)) for side in look.frame) if rng.random() < 0.5 else look.frame,
    )


def _printed(rng: np.random.Generator, look: Edition) -> Edition:
    """A print-out: flat colours, thin lines, no words, a white rim; the German ones are green, red and blue."""
    u = rng.uniform
    green = rng.random() < 0.5
    red, blue = u(-12, 10), u(205, 225)
    return replace(
        look,
        name="print-out",
        plain=hsv(u(95, 160), u(0.3, 0.75), u(0.3, 0.7)) if green else look.plain,
        premium=(
            hsv(red, u(0.7, 0.95), u(0.5, 0.85)),
            hsv(red, u(0.3, 0.65), u(0.7, 0.95)),
            hsv(blue, u(0.5, 0.9), u(0.4, 0.75)),
            hsv(blue - 8, u(0.2, 0.55), u(0.65, 0.95)),
        )
        if green or rng.random() < 0.4
        else look.premium,
        line=mix(look.plain, (10, 14, 10), u(0.4, 1)) if rng.random() < 0.75 else (245, 245, 245),
        line_width=float(u(0.008, 0.035)),
        ridge=0.0,
        shape=str(rng.choice(["square", "teeth", "points"], p=[0.5, 0.4, 0.1])),
        labels="none",
        star=str(rng.choice(["none", "star"], p=[0.7, 0.3])),
        frame_colour=(244, 244, 242),
        edge=float(u(0, 0.3)),
        edge_colour=(244, 244, 242),
        wordmark="",
        seam="none" if rng.random() < 0.8 else "horizontal",
        texture="none" if rng.random() < 0.8 else "stains",
        texture_strength=0.02,
        thickness=float(u(0.005, 0.05)),
        aspect=1.0,
    )


def _framed(rng: np.random.Generator, look: Edition) -> Edition:
    """Squares that look like tiles sunk in a frame: clear plastic, plates, glazed tiles."""
    u = rng.uniform
    cells = str(rng.choice(["clear", "raised", "ceramic"], p=[0.5, 0.3, 0.2]))
    look = replace(
        look,
        cells=cells,
        cell_gap=float(u(0.03, 0.09)),
        cell_contrast=float(u(0.2, 1.0)),
        cell_vary=float(u(0, 0.05)),
        cell_line=bool(rng.random() < 0.3),
        veil=float(u(0.1, 0.6) if cells == "clear" else 0.0),
        label_ink=float(u(0.4, 0.95)),
        ridge=0.0,
        thickness=float(u(0.3, 0.9)),
    )
    if cells == "ceramic":
        return replace(look, labels="none", line_width=float(u(0.05, 0.1)), texture="none", shape="square")
    three_lines = ["polish", "english", "german", "french-old"]
    if rng.random() < 0.6:
        look = replace(look, labels=str(rng.choice(three_lines)), label_size=float(u(0.55, 0.75)))
    line_width = 0.0 if cells == "clear" and rng.random() < 0.6 else float(u(0.06, 0.13))
    return replace(look, line_width=line_width)


def _jitter(rng: np.random.Generator, colour: Colour, amount: float) -> Colour:
    return tuple(int(c) for c in np.clip(np.array(colour) + rng.normal(0, amount, 3) + rng.normal(0, amount), 0, 255))  # type: ignore[return-value]


def _varied(rng: np.random.Generator, base: Edition) -> Edition:
    amount = rng.uniform(4, 22)
    return replace(
        base,
        name=base.name + "*",
        plain=_jitter(rng, base.plain, amount),
        premium=tuple(_jitter(rng, c, amount) for c in base.premium),
        line=_jitter(rng, base.line, amount),
        line_width=float(base.line_width * rng.uniform(0.6, 1.5)),
        frame_colour=_jitter(rng, base.frame_colour, amount),
        label_size=float(base.label_size * rng.uniform(0.8, 1.25)),
        labels=str(rng.choice(list(LABELS))) if rng.random() < 0.3 else base.labels,
        aspect=float(np.clip(base.aspect * rng.normal(1, 0.02), 0.95, 1.09)) if rng.random() < 0.3 else base.aspect,
    )


def _invented(rng: np.random.Generator) -> Edition:
    u = rng.uniform
    mood = str(
        rng.choice(
            ["cream", "grey", "green", "dark", "white", "brown", "yellow", "blue", "any"],
            p=[0.22, 0.13, 0.14, 0.12, 0.1, 0.09, 0.05, 0.07, 0.08],
        )
    )
    plain = {
        "cream": lambda: hsv(u(30, 55), u(0.08, 0.35), u(0.75, 0.97)),
        "grey": lambda: hsv(u(0, 360), u(0, 0.08), u(0.55, 0.88)),
        "green": lambda: hsv(u(95, 175), u(0.35, 0.85), u(0.25, 0.65)),
        "dark": lambda: hsv(u(0, 360), u(0, 0.5), u(0.12, 0.4)),
        "white": lambda: hsv(u(0, 360), u(0, 0.05), u(0.88, 1)),
        "brown": lambda: hsv(u(18, 36), u(0.3, 0.6), u(0.4, 0.75)),
        "yellow": lambda: hsv(u(38, 55), u(0.6, 0.9), u(0.75, 0.95)),
        "blue": lambda: hsv(u(190, 240), u(0.2, 0.75), u(0.3, 0.85)),
        "any": lambda: hsv(u(0, 360), u(0.1, 0.9), u(0.3, 0.95)),
    }[mood]()
    scheme = str(rng.choice(["classic", "french", "any", "pale", "wood"], p=[0.56, 0.1, 0.16, 0.12, 0.06]))
    if scheme in ("classic", "pale"):
        premium = [
            hsv(u(-14, 12), u(0.6, 0.95), u(0.55, 0.9)),
            hsv(u(-40, 20), u(0.25, 0.6), u(0.75, 0.98)),
            hsv(u(195, 228), u(0.55, 0.95), u(0.4, 0.8)),
            hsv(u(185, 225), u(0.2, 0.55), u(0.72, 0.98)),
        ]
        if rng.random() < 0.1:
            premium[1], premium[3] = premium[3], premium[1]
    elif scheme == "french":
        premium = [
            hsv(u(60, 100), u(0.5, 0.8), u(0.5, 0.8)),
            hsv(u(36, 50), u(0.6, 0.9), u(0.8, 0.98)),
            hsv(u(-10, 12), u(0.6, 0.9), u(0.6, 0.9)),
            hsv(u(220, 290), u(0.1, 0.4), u(0.15, 0.4)),
        ]
    elif scheme == "any":
        premium = [hsv(u(0, 360), u(0.2, 0.95), u(0.3, 0.98)) for _ in range(4)]
    else:
        premium = [
            mix(plain, hsv(u(-10, 30), u(0.4, 0.8), u(0.3, 0.7)), u(0.4, 0.9)),
            mix(plain, hsv(u(-10, 30), u(0.2, 0.6), u(0.5, 0.9)), u(0.3, 0.8)),
            mix(plain, hsv(u(190, 230), u(0.3, 0.6), u(0.2, 0.5)), u(0.5, 0.9)),
            mix(plain, hsv(u(190, 230), u(0.1, 0.4), u(0.4, 0.8)), u(0.3, 0.8)),
        ]
    if scheme == "pale":
        premium = [mix(c, plain, u(0.45, 0.75)) for c in premium]
    light_lines = rng.random() < 0.6
    line = mix(plain, (252, 250, 244), u(0.4, 1)) if light_lines else mix(plain, (12, 12, 14), u(0.3, 1))
    ridge = float(u(0.4, 1.2)) if rng.random() < 0.22 else 0.0
    frame_colour = plain if rng.random() < 0.35 else hsv(u(0, 360), u(0, 0.9), u(0.1, 0.95))
    frame = np.where(rng.random(4) < 0.12, u(1.5, 3), u(0.15, 1.3, 4))
    labels = str(rng.choice(list(LABELS), p=_label_shares()))
    wooden = mood in ("cream", "brown") and rng.random() < 0.2
    return Edition(
        "random",
        plain,
        tuple(premium),
        line=line,
        line_width=float(rng.choice([u(0.015, 0.05), u(0.05, 0.12)], p=[0.6, 0.4])),
        ridge=ridge,
        shape=str(rng.choice(["square", "teeth", "points", "inset", "circle"], p=[0.4, 0.25, 0.2, 0.09, 0.06])),
        reach=float(u(0.06, 0.2)),
        labels=labels,
        label_size=float(u(0.3, 0.68)),
        label_kind=str(rng.choice(["condensed", "grotesque", "humanist", "geometric", "serif"])),
        label_colour=None if rng.random() < 0.7 else hsv(u(0, 360), u(0, 0.8), u(0, 1)),
        star=str(rng.choice(["none", "star", "burst"], p=[0.25, 0.5, 0.25])),
        star_colour=hsv(u(0, 360), u(0, 0.8), u(0, 1)),
        frame=tuple(float(f) for f in frame),
        frame_colour=frame_colour,
        edge=float(u(0, 0.4)),
        edge_colour=hsv(u(0, 360), u(0, 0.8), u(0.05, 0.9)),
        inner_line=float(u(0.02, 0.15) if rng.random() < 0.3 else 0),
        wordmark=str(rng.choice(["", "WORTE", "KREUZWORT", "LETTERS", "BUCHSTABENSPIEL"])),
        wordmark_sides=str(rng.choice(["b", "l", "tb", "ltrb"])),
        wordmark_colour=hsv(u(0, 360), u(0, 0.9), u(0, 1)),
        wordmark_tiles=bool(rng.random() < 0.25),
        coordinates=bool(rng.random() < 0.25),
        seam=str(rng.choice(["none", "vertical", "horizontal"], p=[0.5, 0.35, 0.15])),
        seam_at=float(rng.choice([7.5, 7.0, 8.0])),
        aspect=float(np.clip(rng.normal(1, 0.025), 0.95, 1.09) if rng.random() < 0.4 else 1.0),
        texture="wood"
        if wooden
        else str(rng.choice(["none", "speckle", "cloth", "stains", "dots"], p=[0.35, 0.25, 0.12, 0.18, 0.1])),
        texture_strength=float(u(0.01, 0.07)),
        thickness=float(u(0.03, 0.8)),
        gloss=float(u(0, 1)),
    )


def _label_shares() -> NDArray[np.float64]:
    wanted = {"none": 4.0, "german": 3.5, "english": 3.0, "french": 1.5, "polish": 1.5}
    shares = np.array([wanted.get(key, 1.0) for key in LABELS])
    return shares / shares.sum()


@dataclass(frozen=True)
class BoardPicture:
    """Flat picture, BGR uint8; pixel (x, y) shows the grid point ((x + .5) / ppu - left, (y + .5) / ppu - top)."""

    pixels: NDArray[np.uint8]
    ppu: int
    left: float
    top: float

    @property
    def outline(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom edge in grid units."""
        height, width = self.pixels.shape[:2]
        return -self.left, -self.top, width / self.ppu - self.left, height / self.ppu - self.top


@lru_cache(maxsize=24)
def draw_board(look: Edition, ppu: int, seed: int = 0) -> BoardPicture:
    """Draws the board at `ppu` pixels per square; `seed` places its grain and stains."""
    rng = np.random.default_rng(seed)
    rims = [round((side + look.edge) * ppu) for side in look.frame]
    left, top, right, bottom = rims
    side = SIZE * ppu
    picture = np.empty((top + side + bottom, left + side + right, 3), np.float32)
    picture[:] = bgr(look.edge_colour)
    rim = round(look.edge * ppu)
    picture[rim : picture.shape[0] - rim, rim : picture.shape[1] - rim] = bgr(look.frame_colour)
    _print_frame(picture, look, ppu, (left, top), rng)
    grid = picture[top : top + side, left : left + side]
    table = np.array(
        [[bgr(look.plain) if k == "." else bgr(look.premium[KINDS.index(k)]) for k in row] for row in PREMIUMS]
    )
    if look.shape in ("inset", "circle"):
        grid[:] = bgr(look.plain)
    else:
        grid[:] = cv2.resize(table, (side, side), interpolation=cv2.INTER_NEAREST)
    over_lines = look.shape in ("teeth", "points")
    if not over_lines:
        _shapes(picture, look, ppu, left, top)
    _texture(grid, look, ppu, rng)
    _lines(grid, look, ppu)
    if look.ridge:
        _ridges(grid, look, ppu)
    if over_lines:
        _shapes(picture, look, ppu, left, top)
    _labels(picture, look, ppu, left, top)
    if look.cells != "none":
        _cells(grid, look, ppu, rng)
    if look.inner_line:
        width = max(1, round(look.inner_line * ppu))
        colour = [float(c) for c in bgr(look.line)]
        cv2.rectangle(
            picture, (left - width, top - width), (left + side + width - 1, top + side + width - 1), colour, width
        )
    if look.seam != "none":
        _seam(picture, look, ppu, left, top)
    return BoardPicture(np.clip(picture + 0.5, 0, 255).astype(np.uint8), ppu, left / ppu, top / ppu)


def _lines(grid: NDArray[np.float32], look: Edition, ppu: int) -> None:
    """Grid lines, exact to a fraction of a pixel, centred on multiples of ppu."""
    if look.line_width <= 0:
        return
    width = max(look.line_width * ppu, 0.6)
    centre = np.arange(grid.shape[0]) + 0.5
    distance = np.abs(centre - np.round(centre / ppu) * ppu)
    profile = np.clip(width / 2 - distance + 0.5, 0, 1).astype(np.float32)
    touched = np.flatnonzero(profile)
    share, colour = profile[touched], bgr(look.line)
    for part in (grid, grid.transpose(1, 0, 2)):
        part[touched] += share[:, None, None] * (colour - part[touched])


def _ridges(grid: NDArray[np.float32], look: Edition, ppu: int) -> None:
    """Light and dark flanks beside the lines, as if they were raised; light from the upper left."""
    side = grid.shape[0]
    width = max(look.line_width * ppu, 1.0)
    centre = np.arange(side) + 0.5
    signed = centre - np.round(centre / ppu) * ppu
    flank = np.exp(-(((np.abs(signed) - width / 2) / (0.5 * width)) ** 2)).astype(np.float32) * np.sign(signed).astype(
        np.float32
    )
    relief = flank[None, :] + flank[:, None]
    grid -= (38 * look.ridge * relief)[..., None]


def _texture(grid: NDArray[np.float32], look: Edition, ppu: int, rng: np.random.Generator) -> None:
    side = grid.shape[0]
    strength = look.texture_strength
    zoom = ppu / 40
    if look.texture == "wood":
        grid *= (1 + strength * cut(wood(int(rng.integers(8))), rng, (side, side), max(zoom, side / 1000)))[..., None]
    elif look.texture == "speckle":
        grid *= (1 + strength * cut(speckle(int(rng.integers(6))), rng, (side, side), max(zoom, side / 1000)))[
            ..., None
        ]
    elif look.texture == "stains":
        grid *= (1 + strength * cut(clouds(int(rng.integers(4))), rng, (side, side), max(zoom, side / 1000)))[..., None]
    elif look.texture in ("cloth", "dots"):
        period = ppu / (12 if look.texture == "cloth" else 7)
        wave = np.cos(np.arange(side, dtype=np.float32) * (2 * np.pi / max(period, 2.5)))
        grid *= (1 + strength * wave[None, :] * wave[:, None])[..., None]


def _paste(
    picture: NDArray[np.float32], mask: NDArray[np.float32], colour: NDArray[np.float32], x: int, y: int
) -> None:
    """Prints `colour` through a mask whose top-left pixel is at (x, y); what hangs over the edge is cut off."""
    height, width = mask.shape
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + width, picture.shape[1]), min(y + height, picture.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = picture[y0:y1, x0:x1]
    cover = mask[y0 - y : y1 - y, x0 - x : x1 - x, None]
    part += cover * (colour - part)


def _shapes(picture: NDArray[np.float32], look: Edition, ppu: int, left: int, top: int) -> None:
    if look.shape == "square":
        return
    stamp, reach = _stamp(look.shape, ppu, look.reach)
    for row, line in enumerate(PREMIUMS):
        for col, kind in enumerate(line):
            if kind != ".":
                _paste(
                    picture,
                    stamp,
                    bgr(look.premium[KINDS.index(kind)]),
                    left + col * ppu - reach,
                    top + row * ppu - reach,
                )


@lru_cache(maxsize=64)
def _stamp(shape: str, ppu: int, reach: float) -> tuple[NDArray[np.float32], int]:
    """Mask of what a premium square prints in and around itself; how many pixels it hangs over."""
    scale = 4
    over = int(np.ceil(reach * ppu)) + 1 if shape in ("teeth", "points") else 0
    size = (ppu + 2 * over) * scale
    canvas = np.zeros((size, size), np.float32)
    a, b, r = over * scale, (over + ppu) * scale, reach * ppu * scale
    if shape == "inset":
        gap = int(0.1 * ppu * scale)
        cv2.rectangle(canvas, (a + gap, a + gap), (b - gap, b - gap), 1.0, -1)
    elif shape == "circle":
        cv2.circle(canvas, (size // 2, size // 2), int(0.42 * ppu * scale), 1.0, -1)
    else:
        count = 4 if shape == "teeth" else 1
        for i in range(count):
            middle = a + (b - a) * (i + 0.5) / count
            half = (b - a) / count * 0.28 if shape == "teeth" else r
            if shape == "teeth":
                corners = [
                    [middle - half, a - r],
                    [middle + half, a - r],
                    [middle + half, a + 1],
                    [middle - half, a + 1],
                ]
            else:
                corners = [[middle - half, a + 1], [middle, a - r], [middle + half, a + 1]]
            points = np.array(corners)
            for _ in range(4):
                cv2.fillPoly(canvas, [np.round(points).astype(np.int32)], 1.0)
                points = np.stack([size - points[:, 1], points[:, 0]], axis=1)
    return cv2.resize(canvas, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA), over


@lru_cache(maxsize=256)
def _text_block(text: str, kind: str, width: int, height: int) -> NDArray[np.float32]:
    """Lines of text, centred, as large as fits into width x height pixels."""
    scale = 3
    path = fonts.label_face(text, (kind, "condensed", "grotesque", "humanist")).path
    lines = text.split("\n")
    probe = fonts.sized(path, 100)
    widest = max(probe.getlength(line) for line in lines)
    pixels = int(max(4, min(100 * width * scale / widest, height * scale / len(lines) / 0.98)))
    font = fonts.sized(path, pixels)
    image = Image.new("L", (width * scale, height * scale), 0)
    draw = ImageDraw.Draw(image)
    step = pixels * 0.98
    y = height * scale / 2 - step * (len(lines) - 1) / 2
    for line in lines:
        draw.text((width * scale / 2, y + pixels * 0.36), line, fill=255, font=font, anchor="ms")
        y += step
    return cv2.resize(np.asarray(image, np.float32) / 255, (width, height), interpolation=cv2.INTER_AREA)


def _labels(picture: NDArray[np.float32], look: Edition, ppu: int, left: int, top: int) -> None:
    texts = look.texts or LABELS[look.labels]
    for row, line in enumerate(PREMIUMS):
        for col, kind in enumerate(line):
            x, y = left + col * ppu, top + row * ppu
            if row == col == SIZE // 2 and look.star != "none":
                _paste(picture, _star(look.star, ppu), bgr(look.star_colour), x, y)
            elif kind != "." and texts[0]:
                ground = look.premium[KINDS.index(kind)]
                colour = look.label_colour or ((238, 236, 230) if luminance(ground) < 105 else (42, 36, 40))
                block = _text_block(
                    texts[KINDS.index(kind)],
                    look.label_kind,
                    max(4, round(0.86 * ppu)),
                    max(4, round(look.label_size * ppu)),
                )
                _paste(
                    picture,
                    look.label_ink * block,
                    bgr(colour),
                    x + (ppu - block.shape[1]) // 2,
                    y + (ppu - block.shape[0]) // 2,
                )


def _cells(grid: NDArray[np.float32], look: Edition, ppu: int, rng: np.random.Generator) -> None:
    """Frames round the squares with edges that shine and throw a shade, as if each square were a tile in a recess."""
    size = (SIZE, SIZE)
    axis = np.abs((np.arange(ppu, dtype=np.float32) + 0.5) / ppu - 0.5)
    radius = float(rng.uniform(0.02, 0.1))
    half = 0.5 - look.cell_gap - radius
    x, y = np.meshgrid(axis, axis)
    qx, qy = x - half, y - half
    inside = radius - np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) - np.minimum(np.maximum(qx, qy), 0)
    angle = rng.uniform(0, 2 * np.pi)
    gy, gx = np.gradient(cv2.GaussianBlur(inside, (0, 0), 0.7) * ppu)
    facing = np.clip(gx * np.cos(angle) + gy * np.sin(angle), -1, 1)
    thin = max(0.022, 0.6 / ppu)
    edge = np.exp(-((inside / thin) ** 2))
    shade_ = np.exp(-np.clip(inside, 0, None) / 0.06) * (inside > 0) * np.clip(facing, -1, 0)
    rim = np.clip(0.5 - inside * ppu, 0, 1)
    if look.cells == "clear":  # the frame is pale, both of its edges shine
        gain = 1 + 0.25 * look.cell_contrast * shade_
        add = 75 * look.cell_contrast * edge * (0.55 + 0.45 * facing)
        rim_share, rim_colour = 0.2 + 0.4 * look.cell_contrast, mix(look.plain, (226, 232, 228), 0.75)
        if look.line_width:
            rim_share, rim_colour = 0.6, look.line
    else:  # plates: bright where they face the lamp
        gain = 1 + 0.28 * look.cell_contrast * edge * facing + 0.12 * look.cell_contrast * shade_
        add = 30 * look.cell_contrast * edge * np.clip(facing, 0, 1)
        rim_share, rim_colour = 0.85, look.line
    cover = np.tile((rim * rim_share).astype(np.float32), size)[..., None]
    grid += cover * (bgr(rim_colour) - grid)
    grid *= np.tile(gain.astype(np.float32), size)[..., None]
    grid += np.tile(add.astype(np.float32), size)[..., None]
    if look.cell_line:
        ring = np.exp(-(((inside - 0.05) / (0.5 * thin)) ** 2)).astype(np.float32)
        premium = np.array([[kind != "." for kind in row] for row in PREMIUMS])
        ring = np.kron(premium, ring).astype(np.float32) * 0.6
        grid += ring[..., None] * (bgr((244, 246, 248)) - grid)
    if look.cell_vary:
        levels = 1 + look.cell_vary * rng.standard_normal(size).astype(np.float32)
        grid *= np.kron(levels, np.ones((ppu, ppu), np.float32))[..., None]
    side = grid.shape[0]
    if look.veil:  # what the plastic mirrors: soft shapes, another in every square
        field = cut(clouds(int(rng.integers(4))), rng, (side, side), side / 400)
        levels = np.kron(rng.normal(0, 0.25, size).astype(np.float32), np.ones((ppu, ppu), np.float32))
        veil = look.veil * np.clip(0.5 + 0.6 * field + levels, 0, 1) * 0.55
        grid += veil[..., None] * (bgr((205, 214, 210)) - grid)
    elif look.cells == "ceramic":  # lamps in the glaze of some
        for row, col in rng.integers(0, SIZE, (int(rng.integers(0, 14)), 2)):
            spot = np.exp(
                -((((axis[None] * 2) / 0.5) ** 2 + ((axis[:, None] * 2) / rng.uniform(0.1, 0.4)) ** 2) ** 1.5)
            )
            part = grid[row * ppu : (row + 1) * ppu, col * ppu : (col + 1) * ppu]
            part += (rng.uniform(20, 120) * spot * (inside > 0))[..., None]


@lru_cache(maxsize=32)
def _star(kind: str, ppu: int) -> NDArray[np.float32]:
    scale = 4
    size = ppu * scale
    canvas = np.zeros((size, size), np.float32)
    tips, inner = (5, 0.4) if kind == "star" else (8, 0.5)
    angles = np.arange(2 * tips) * np.pi / tips - np.pi / 2
    radius = np.where(np.arange(2 * tips) % 2, inner, 1.0) * 0.4 * size
    points = size / 2 + np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    cv2.fillPoly(canvas, [np.round(points).astype(np.int32)], 1.0)
    if kind == "burst":
        cv2.circle(canvas, (size // 2, size // 2), int(0.14 * size), 0.0, -1)
    return cv2.resize(canvas, (ppu, ppu), interpolation=cv2.INTER_AREA)


def _print_frame(
    picture: NDArray[np.float32], look: Edition, ppu: int, origin: tuple[int, int], rng: np.random.Generator
) -> None:
    left, top = origin
    side = SIZE * ppu
    ink = bgr(look.wordmark_colour)
    widths = dict(zip("ltrb", look.frame, strict=True))
    centres = {
        "l": (left - widths["l"] * ppu / 2, top + side / 2),
        "r": (left + side + widths["r"] * ppu / 2, top + side / 2),
        "t": (left + side / 2, top - widths["t"] * ppu / 2),
        "b": (left + side / 2, top + side + widths["b"] * ppu / 2),
    }
    turns = {"l": 1, "t": 2, "r": 3, "b": 0}
    for place in look.wordmark_sides if look.wordmark else "":
        room = widths[place]
        if room < 0.5:
            continue
        x, y = centres[place]
        if look.wordmark_tiles and place == "l":
            _letter_fields(picture, look, ppu, x, y, min(room * 0.62, 0.9))
            continue
        length = min(12.0, len(look.wordmark) * room * (0.8 if place in look.wordmark_sides[:1] else 0.6))
        mask = _text_block(
            " ".join(look.wordmark) if room < 1.6 else look.wordmark,
            "humanist",
            max(4, round(length * ppu)),
            max(4, round(min(room * 0.6, 1.6) * ppu)),
        )
        mask = np.rot90(mask, turns[place])
        _paste(picture, mask, ink, round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2))
    if look.coordinates:
        size = max(4, round(0.34 * ppu))
        colour = (
            ink if luminance(look.frame_colour) > 110 or luminance(look.wordmark_colour) > 110 else bgr((225, 225, 220))
        )
        for i in range(SIZE):
            middle = (i + 0.5) * ppu
            for room, text, x, y in (
                (look.frame[0], "ABCDEFGHIJKLMNO"[i], left - 0.25 * ppu, top + middle),
                (look.frame[1], str(i + 1), left + middle, top - 0.25 * ppu),
            ):
                if room >= 0.45:
                    mask = _text_block(text, "humanist", 2 * size, size)
                    _paste(picture, mask, colour, round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2))
    if look.frame[0] > 1.5 or look.frame[3] > 1.4:  # a panel of small print
        for _ in range(int(rng.integers(1, 3))):
            x, y = (
                (left - (look.frame[0] - 0.4) * ppu, top + rng.uniform(0.05, 0.3) * side)
                if look.frame[0] > 1.5
                else (left + rng.choice([0.02, 0.85, 0.92]) * side, top + side + 0.35 * ppu)
            )
            for i in range(int(rng.integers(3, 9))):
                yy = round(y + i * 0.16 * ppu)
                cv2.line(
                    picture,
                    (round(x), yy),
                    (round(x + rng.uniform(0.5, 1.0) * ppu), yy),
                    [float(c) for c in ink],
                    max(1, round(0.05 * ppu)),
                )


def _letter_fields(picture: NDArray[np.float32], look: Edition, ppu: int, x: float, y: float, size: float) -> None:
    """The wordmark as a column of printed tiles."""
    field = max(4, round(size * ppu))
    gap = max(1, round(0.06 * ppu))
    start = round(y - len(look.wordmark) * (field + gap) / 2)
    for i, letter in enumerate(look.wordmark):
        px, py = round(x - field / 2), start + i * (field + gap)
        _paste(picture, np.ones((field, field), np.float32), bgr((246, 242, 230)), px, py)
        mask = np.rot90(_text_block(letter, "humanist", field, round(field * 0.8)), 0)
        _paste(picture, mask, bgr((30, 28, 30)), px, py + field // 10)


def _seam(picture: NDArray[np.float32], look: Edition, ppu: int, left: int, top: int) -> None:
    vertical = look.seam == "vertical"
    at = (left if vertical else top) + look.seam_at * ppu
    centre = np.arange(picture.shape[1 if vertical else 0], dtype=np.float32) + 0.5
    width = max(0.03 * ppu, 0.5)
    dark = np.clip(width - np.abs(centre - at) + 0.5, 0, 1) * 0.55
    soft = 0.14 * np.exp(-(((centre - at) / (0.16 * ppu)) ** 2)) * np.sign(centre - at)
    factor = (1 - dark - soft).astype(np.float32)
    picture *= factor[None, :, None] if vertical else factor[:, None, None]


def frame_shade(look: Edition) -> Colour:
    """Colour of the board's narrow sides."""
    return shade(look.edge_colour if look.edge > 0.02 else look.frame_colour, 0.6)
