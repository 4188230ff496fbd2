"""Which side of the board is up by the labels on its empty premium squares ("DREIFACHER WORTWERT", "2x", ...).

The letters of the labels are cut out and shown to the tile reader as if each were a tile: which way up a letter stands
is what it knows. They are small, so they are taken from the photo itself, three times as fine as tiles are read. Boards
without labels give no letters; labels that face the nearest edge give letters that contradict each other; letters too
small in the photo run together and are no letters. All three leave the turn open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import SIZE, Corners, Homography, Lens, seen_corners, straight_grid
from vision.locate_grid import premium_classes
from vision.pixels import Pixels
from vision.reading import EMPTY, TileReader, Turned
from vision.rectify import CROP, MARGIN, PIXELS_PER_SQUARE, rectify
from vision.turn import Totals, as_totals

PRINTED = premium_classes() > 0
PRINTED[SIZE // 2, SIZE // 2] = False
"""(15, 15) the squares that may bear a label; the one in the middle bears a star or a sign."""

FINER = 3
"""How much finer than for tiles the board is rectified; as many blocks of squares each way."""

PIXELS = FINER * PIXELS_PER_SQUARE
"""Side of a square as its label is looked at."""

BORDER = 0.05
"""Rim of a square that is cut off, with the grid's lines."""

LETTER = (0.07, 0.3)
"""Longer side of a label's letter, in squares."""

SLENDER = 0.45
"""Least ratio of a letter's sides: an I or a line says nothing."""

INK = (0.2, 0.9)
"""Share of a letter's bounding box that is ink."""

FAINT = 12
"""Least difference in grey between print and ground."""

SHOWN = 19
"""Longer side of a letter as it is shown to the reader, in pixels of a crop: a tile's letters are about as large."""

MOST_LETTERS = 64
"""Letters that are looked at, chosen evenly: more cost time and tell nothing new, since labels repeat."""

FEWEST_LETTERS = 12.0
"""Letters (sum of probabilities) without which nothing is said."""

LETTERS_EACH = 3
"""Letters that a label must have on average: words that run together are one piece each, or two."""

LEAST_LETTERS = 0.3
"""Share of what was cut out that must be letters (mean probability): else it is a pattern, stains, or digits."""

MOST_AGREE = 0.85
"""Share of the letters that must stand the same way up. On real boards with labels 0.97 to 1.00 do."""

ACROSS = 0.15
"""How clearly lines must run from left to right (`across`), the median over the squares: letters that run together may
look like one that lies on its side. On most real boards with labels it is 0.2 to 0.6."""

LETTER_FLOOR = float(np.log(0.1))
"""A single letter's say is limited: letters of one label, and one label on many squares, err together."""

BOARD_FLOOR = float(np.log(1e-4))
"""Least log-probability of a turn."""

SURELY_EMPTY = 0.9
"""Probability from which a square counts as empty."""


def with_print(
    turned: Turned, pixels: Pixels, corners: Corners, reader: TileReader, lens: Lens | None = None
) -> Turned:
    """What the board's print adds where the tiles do not tell.

    pixels, corners, lens: as the board was rectified from that was given to `read_turned`
    """
    reading = turned.reading
    empty = reading.log_probs[..., reading.index[EMPTY]] > np.log(SURELY_EMPTY)
    squares = list(flat_squares(pixels, corners.turned(turned.quarters), PRINTED & empty, lens))
    printed = np.roll(label_evidence(squares, reader), turned.quarters)  # counted from the given corner again
    return turned.weighed(replace(turned.evidence, printed=as_totals(printed)))


def label_evidence(squares: Sequence[Pixels], reader: TileReader) -> Totals:
    """Log-probabilities of the turns of a board by its empty premium squares, (PIXELS, PIXELS, 3) uint8 BGR each:
    turn k means that k counter-clockwise quarters make the labels upright. All alike when they do not tell."""
    labels = {number: found for number, square in enumerate(squares) if (found := label_letters(square))}
    letters = [letter for found in labels.values() for letter in found]
    if len(letters) < max(FEWEST_LETTERS, LETTERS_EACH * len(labels)):
        return UNKNOWN
    chosen = np.linspace(0, len(letters) - 1, min(len(letters), MOST_LETTERS)).astype(int)
    said = reader.letter_turns(np.array([letters[k] for k in chosen]))
    if said is None:
        return UNKNOWN
    printed = together(*said)
    lines = float(np.median([across(ink_of(squares[number])[1]) for number in labels]))
    return printed if (lines if int(np.argmax(printed)) % 2 == 0 else -lines) > ACROSS else UNKNOWN


UNKNOWN: Totals = as_totals(np.full(4, -np.log(4)))
"""The print does not tell."""


def together(telling: NDArray[np.floating], turns: NDArray[np.floating]) -> Totals:
    """From (n,) probabilities that a print is a letter that tells and (n, 4) log-probabilities of its turns."""
    total = (telling[:, None] * np.maximum(turns, LETTER_FLOOR)).sum(axis=0)
    agreeing = float((telling * np.exp(turns[:, total.argmax()])).sum() / max(telling.sum(), 1e-9))
    if telling.sum() < FEWEST_LETTERS or telling.mean() < LEAST_LETTERS or agreeing < MOST_AGREE:
        return UNKNOWN
    total = np.maximum(total - np.logaddexp.reduce(total), BOARD_FLOOR)
    return as_totals(total - np.logaddexp.reduce(total))


def flat_squares(
    pixels: Pixels, corners: Corners, wanted: NDArray[np.bool_], lens: Lens | None = None
) -> Iterator[Pixels]:
    """(PIXELS, PIXELS, 3) pictures of the wanted squares, (15, 15), block by block."""
    grid, count = straight_grid(corners, lens), SIZE // FINER
    for top in range(0, SIZE, count):
        for left in range(0, SIZE, count):
            places = np.argwhere(wanted[top : top + count, left : left + count])
            if not len(places):
                continue
            block = Homography(grid.matrix @ np.array([[1 / FINER, 0, left], [0, 1 / FINER, top], [0, 0, 1]]))
            found = rectify(pixels, block.corners if lens is None else seen_corners(block, lens), lens).pixels
            for row, col in MARGIN + PIXELS * places:
                yield found[row : row + PIXELS, col : col + PIXELS]


def ink_of(square: Pixels) -> tuple[Pixels, NDArray[np.uint8]]:
    """A square without its rim, (n, n, 3), and where it is printed, (n, n) 0 or 1: what differs from the ground in the
    direction of the stronger contrast (Otsu's threshold)."""
    rim = round(BORDER * PIXELS)
    inner = square[rim:-rim, rim:-rim]
    grey = cv2.cvtColor(inner, cv2.COLOR_BGR2GRAY).astype(np.int16)
    contrast = grey - np.int16(np.median(grey))
    darker = -np.percentile(contrast, 2) > np.percentile(contrast, 98)
    contrast = np.clip(-contrast if darker else contrast, 0, 255).astype(np.uint8)
    threshold, _ = cv2.threshold(contrast, 0, 255, cv2.THRESH_OTSU)
    return inner, (contrast > max(threshold, FAINT)).astype(np.uint8)


def across(ink: NDArray[np.uint8]) -> float:
    """Whether print runs in lines from left to right: 1 if only rows differ in how much ink they hold, -1 if only
    columns do."""
    rows, columns = (float(ink.mean(axis=axis).var()) for axis in (1, 0))
    return (rows - columns) / max(rows + columns, 1e-9)


def label_letters(square: Pixels) -> list[Pixels]:
    """The letters of a square's label as (CROP, CROP, 3) crops of tiles, each alone on the square's ground: connected
    pieces of ink of a letter's size that do not touch the rim."""
    inner, ink = ink_of(square)
    _, marked, stats, _ = cv2.connectedComponentsWithStats(ink)
    ground = np.median(inner.reshape(-1, 3), axis=0)
    side, out = inner.shape[0], []
    for k, (x, y, width, height, area) in enumerate(stats[1:], 1):
        longer = max(width, height)
        inside = x > 0 and y > 0 and x + width < side and y + height < side
        shaped = min(width, height) > SLENDER * longer and INK[0] < area / (width * height) < INK[1]
        if not (inside and shaped and LETTER[0] * PIXELS < longer < LETTER[1] * PIXELS):
            continue
        own = cv2.dilate((marked == k).astype(np.uint8), np.ones((5, 5), np.uint8))
        alone = np.where(own[..., None] > 0, inner, ground).astype(np.uint8)
        zoom = SHOWN / longer
        middle = CROP / 2 - zoom * np.array([x + width / 2, y + height / 2])
        matrix = np.array([[zoom, 0, middle[0]], [0, zoom, middle[1]]])
        out.append(cv2.warpAffine(alone, matrix, (CROP, CROP), borderValue=[float(value) for value in ground]))
    return out
