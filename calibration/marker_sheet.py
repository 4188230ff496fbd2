"""The page with the four cards by which `vision.markers` finds a board: drawn, and saved as PDF at true size."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scorer.board import STANDARD, Premium, Square
from scorer.errors import BrettblickError
from vision.geometry import SIZE
from vision.markers import CELLS, DICTIONARY, QUIET
from vision.pixels import Pixels

PAGE = (210.0, 297.0)
"""A4, millimetres."""

SMALLEST, LARGEST = 20.0, 45.0
"""Sides of a marker that make sense, millimetres: from smaller ones a phone above the table does not see the cells,
larger ones do not fit beside a board."""

USUAL = 30.0
"""Side of a marker that is seen from afar and lies well on the frame of most boards, millimetres."""

LABEL = 8.0
"""Width of the strip with the card's number and name, on the sides away from the grid; millimetres."""

BETWEEN = 8.0
"""Millimetres between two cards of the page."""

MARGIN, SKETCH = 15.0, 50.0
"""White at the page's sides and width of the small board, millimetres."""

TOP = 36.0
"""Upper edge of the first card on the page, millimetres."""

BLACK, GREY, RED = (0, 0, 0), (110, 110, 110), (200, 30, 30)
BOARD, FRAME = (226, 218, 196), (60, 110, 84)
PREMIUM = {
    Premium.TRIPLE_WORD: (205, 70, 66),
    Premium.DOUBLE_WORD: (238, 176, 172),
    Premium.TRIPLE_LETTER: (66, 120, 172),
    Premium.DOUBLE_LETTER: (172, 208, 228),
}
"""RGB of the small board."""


Point = Sequence[float] | NDArray[np.float64]


class MarkerSheetError(BrettblickError):
    """A page that cannot be drawn or written as asked."""

    code = "bad-marker-size"


@dataclass(frozen=True)
class SheetTexts:
    """What the page says in one language.

    title: one line; steps: what to do, one line each; corners: names of the board's corners in the order of the cards
    tip: what the red tip is for; ruler: what the line of 100 mm is for
    """

    title: str
    steps: tuple[str, ...]
    corners: tuple[str, str, str, str]
    ruler: str


@dataclass(frozen=True)
class CardPlace:
    """Where a card is on the page; millimetres from the page's top left corner.

    number: 0 to 3, the marker's id and the grid's corner
    left, top, side: of the card; marker: left, top and side of its marker; tip: the corner to lay at the grid's
    """

    number: int
    left: float
    top: float
    side: float
    marker: tuple[float, float, float]
    tip: tuple[float, float]


def card_places(marker_mm: float = USUAL) -> tuple[CardPlace, ...]:
    """The four cards, laid out as they lie round a board: tips towards the middle."""
    quiet = marker_mm * QUIET
    side = marker_mm + 2 * quiet + LABEL
    left, top = PAGE[0] / 2 - BETWEEN / 2 - side, TOP
    found = []
    for number in range(4):
        right, low = number in (1, 2), number in (2, 3)
        x, y = left + right * (side + BETWEEN), top + low * (side + BETWEEN)
        marker = x + quiet + (not right) * LABEL, y + quiet + (not low) * LABEL, marker_mm
        found.append(CardPlace(number, x, y, side, marker, (x + (not right) * side, y + (not low) * side)))
    return tuple(found)


def draw_sheet(texts: Sequence[SheetTexts], marker_mm: float = USUAL, dpi: int = 300) -> Image.Image:
    """The page, A4 upright, in the given languages, the first one larger.

    marker_mm: side of a marker (the black square); dpi: pixels per inch
    Raises MarkerSheetError for a size outside SMALLEST to LARGEST.
    """
    if not SMALLEST <= marker_mm <= LARGEST:
        raise MarkerSheetError(
            f"markers of {marker_mm:g} mm are not from {SMALLEST:g} to {LARGEST:g} mm",
            size=f"{marker_mm:g}", least=f"{SMALLEST:g}", most=f"{LARGEST:g}",
        )  # fmt: skip
    pen = _Pen(dpi)
    for k, one in enumerate(texts):
        pen.text(MARGIN, 20 + 8 * k, one.title, 5.6 - 1.8 * k, 700 - 300 * k, BLACK if k == 0 else GREY)
    places = card_places(marker_mm)
    for place in places:
        _card(pen, place, [one.corners[place.number] for one in texts])
    y = places[3].top + places[3].side + 9
    _sketch(pen, MARGIN, y, SKETCH)
    left, line = MARGIN + SKETCH + 8, y + 3.5
    for k, one in enumerate(texts):
        colour = GREY if k else BLACK
        for number, step in enumerate(one.steps, 1):
            pen.text(left, line, f"{number}.", 3.5, 700, colour)
            for part in pen.wrapped(step, PAGE[0] - MARGIN - left - 5.5, 3.5):
                pen.text(left + 5.5, line, part, 3.5, 400, colour)
                line += 4.5
            line += 0.5
        line += 2.0
    _ruler(pen, max(line, y + SKETCH) + 6, [one.ruler for one in texts])
    return Image.fromarray(pen.page)


def save_pdf(sheet: Image.Image, path: str | Path, dpi: int = 300) -> None:
    """Writes the page at true size, whole or not at all; MarkerSheetError when it cannot be written."""
    path = Path(path)
    part = path.with_name(path.name + ".part")
    try:
        sheet.save(part, "PDF", resolution=float(dpi), quality=95)
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise MarkerSheetError(f"{path}: {error.strerror or error}", code="cannot-write", path=path) from error


class _Pen:
    """Draws on a white page in millimetres; RGB colours."""

    SHIFT = 4

    def __init__(self, dpi: int) -> None:
        self.scale = dpi / 25.4
        width, height = (round(side * self.scale) for side in PAGE)
        self.page: Pixels = np.full((height, width, 3), 255, np.uint8)

    def pixel(self, mm: float) -> int:
        """The pixel edge nearest to a length."""
        return round(mm * self.scale)

    def box(self, x: float, y: float, width: float, height: float, colour: tuple[int, int, int]) -> None:
        self.page[self.pixel(y) : self.pixel(y + height), self.pixel(x) : self.pixel(x + width)] = colour

    def _fixed(self, points: Sequence[Point]) -> NDArray[np.int32]:
        pixels = np.array(points, np.float64) * self.scale - 0.5
        return np.asarray(np.round(pixels * (1 << self.SHIFT)), np.int32)

    def shape(self, points: Sequence[Point], colour: tuple[int, int, int]) -> None:
        cv2.fillPoly(self.page, [self._fixed(points)], colour, cv2.LINE_AA, self.SHIFT)

    def line(self, a: Point, b: Point, width: float, colour: tuple[int, int, int]) -> None:
        wide = max(1, self.pixel(width))
        cv2.polylines(self.page, [self._fixed([a, b])], False, colour, wide, cv2.LINE_AA, self.SHIFT)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        weight: int = 400,
        colour: tuple[int, int, int] = BLACK,
        anchor: str = "left",
    ) -> None:
        """y: of the base line; size: of the type; anchor: left, middle, right."""
        if anchor != "left":
            wide = self.width(text, size, weight)
            x -= wide if anchor == "right" else wide / 2
        place, height = (self.pixel(x), self.pixel(y)), max(4, self.pixel(size))
        cv2.putText(self.page, text, place, colour, cv2.FontFace("sans"), height, weight)

    def width(self, text: str, size: float, weight: int = 400) -> float:
        """Millimetres that a text takes."""
        height = max(4, self.pixel(size))
        box = cv2.getTextSize((1 << 14, 1 << 14), text, (0, 0), cv2.FontFace("sans"), height, weight)
        return float(box[2]) / self.scale

    def wrapped(self, text: str, width: float, size: float) -> list[str]:
        """The text in lines of at most this width."""
        lines: list[str] = []
        for word in text.split(" "):
            if lines and self.width(f"{lines[-1]} {word}", size) <= width:
                lines[-1] += " " + word
            else:
                lines.append(word)
        return lines


def _card(pen: _Pen, place: CardPlace, names: Sequence[str]) -> None:
    x, y, side = place.marker
    cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), place.number, CELLS)
    cell = side / CELLS
    for row, col in np.argwhere(cells == 0):
        pen.box(x + col * cell, y + row * cell, cell, cell, BLACK)
    right, low = place.number in (1, 2), place.number in (2, 3)
    inwards = np.array([-1.0 if right else 1.0, -1.0 if low else 1.0])
    tip = np.array(place.tip)
    # the tip and the arrow that points at it; away from the marker, which needs white all round
    leg = side * QUIET * 0.42
    pen.shape([tip, tip - (leg * inwards[0], 0), tip - (0, leg * inwards[1])], RED)
    outer = tip - inwards * place.side
    along, across = inwards / np.sqrt(2), np.array([-inwards[1], inwards[0]]) / np.sqrt(2)
    start, end = outer + inwards * 2.0, outer + inwards * (LABEL - 0.6)
    neck = end - along * 2.8
    pen.line(start, neck, 1.1, RED)
    pen.shape([end, neck + across * 1.9, neck - across * 1.9], RED)
    base = place.top + (place.side - LABEL / 2 + 1.2 if low else LABEL / 2 + 1.2)
    inner, anchor = (place.left + place.side - LABEL - 1.5, "right") if right else (place.left + LABEL + 1.5, "left")
    pen.text(inner, base, f"{place.number + 1}", 5.0, 700, BLACK, anchor)
    far = inner + (-5.5 if right else 5.5)
    room = place.side - LABEL - 9
    for k, name in enumerate(names):
        line = base - 1.9 + 3.2 * k if len(names) > 1 else base
        pen.text(far, line, name, min(2.7, room / 9), 400, GREY if k else BLACK, anchor)
    _cut_line(pen, place)


def _cut_line(pen: _Pen, place: CardPlace) -> None:
    """A hair line on the card's edge."""
    a, b, c, d = place.left, place.top, place.left + place.side, place.top + place.side
    for start, end in (((a, b), (c, b)), ((c, b), (c, d)), ((c, d), (a, d)), ((a, d), (a, b))):
        pen.line(start, end, 0.1, GREY)


def _sketch(pen: _Pen, x: float, y: float, width: float) -> None:
    """A small board with the cards where they belong."""
    card, frame = width * 0.15, width * 0.07
    cell = (width - 2 * card) / SIZE
    left, top, side = x + card, y + card, cell * SIZE
    pen.box(left - frame, top - frame, side + 2 * frame, side + 2 * frame, FRAME)
    pen.box(left, top, side, side, BOARD)
    for row in range(SIZE):
        for col in range(SIZE):
            if colour := PREMIUM.get(STANDARD.premium(Square(row, col))):
                pen.box(left + col * cell, top + row * cell, cell, cell, colour)
    for k in range(SIZE + 1):
        pen.line((left + k * cell, top), (left + k * cell, top + side), 0.1, (255, 255, 255))
        pen.line((left, top + k * cell), (left + side, top + k * cell), 0.1, (255, 255, 255))
    for number, (right, low) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        cx, cy = x + right * (side + card), y + low * (side + card)
        pen.box(cx, cy, card, card, GREY)
        pen.box(cx + 0.15, cy + 0.15, card - 0.3, card - 0.3, (255, 255, 255))
        tip = np.array([cx + (not right) * card, cy + (not low) * card])
        leg = card * 0.34
        pen.shape([tip, tip - (leg * (-1 if right else 1), 0), tip - (0, leg * (-1 if low else 1))], RED)
        pen.text(cx + card / 2, cy + card / 2 + 1.3, f"{number + 1}", card * 0.62, 700, BLACK, "middle")


def _ruler(pen: _Pen, y: float, lines: Sequence[str]) -> None:
    x = MARGIN
    pen.line((x, y), (x + 100, y), 0.25, BLACK)
    for mm in range(0, 101, 10):
        long = 2.6 if mm % 50 == 0 else 1.5
        pen.line((x + mm, y - long), (x + mm, y), 0.25, BLACK)
    pen.text(x + 102, y, "100 mm", 3.0, 700)
    for k, line in enumerate(lines):
        pen.text(x, y + 5 + 4.4 * k, line, 2.8, 400, GREY)
