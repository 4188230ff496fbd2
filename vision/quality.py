"""What makes a photo hard to read, in stable codes and with the squares concerned: for one sentence of advice each.

A false alarm annoys, so every measure is relative to the photo itself: blur to the size of a square, a lamp's
reflection to what the same kind of square shows elsewhere on the board.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.evidence import PREMIUMS
from vision.geometry import SIZE, Corners, Homography
from vision.photo import Photo
from vision.pixels import Pixels
from vision.reading import BLANK, COVERED, EMPTY, BoardReading
from vision.rectify import PIXELS_PER_SQUARE, BoardImage

CODES = ("few-pixels", "dark", "blurred", "glare", "covered", "board-cut-off")
"""All codes of findings, in the order in which they are given."""

FEW_PIXELS = 12
"""Side of a square in photo pixels below which letters are no longer told apart surely."""

DARK = 70
"""Grey level of the brightest 2 % of a board below which it is dark."""

BLURRED = 0.05
"""Blur in squares (sigma) from which on letters are lost; sharp photos have 0.03 at most."""

SLOPE_TO_SIGMA = 1 / np.sqrt(2 * np.pi)
"""Sigma of a step blurred by a Gaussian is its height over its steepest slope times this."""

VEIL = 0.35
"""Light of a reflection, as a share of white, from which on a square counts as mirrored."""

VEIL_AROUND = 0.25
"""The same for the median of a square and its neighbours: lamps are not cut to squares."""

VEIL_SURE = 0.12
"""The same for a square around a reflection, of those whose dark print tells surely."""

VEIL_FADING = 0.08
"""Least mean over such squares in and around a reflection."""

BRIGHT_ROOM = 0.3
"""How much brighter than its kind a square must be whose print tells nothing, as a share of white."""

MOST_GAIN = 1.7
"""Most that a colour channel is made brighter to turn the colour of the light to white."""

BURNT = 250
"""Least level of all three channels of a pixel that shows nothing any more."""


@dataclass(frozen=True)
class Finding:
    """One thing that makes a photo hard to read.

    code: one of CODES; squares: where, empty when it is true of the whole board
    """

    code: str
    squares: frozenset[Square] = frozenset()


def assess(board: BoardImage, reading: BoardReading, corners: Corners, shape: tuple[int, ...]) -> tuple[Finding, ...]:
    """Everything found on a board that was read, in the order of CODES.

    corners: of the same turn as `board` and `reading`, in pixels of a picture of this shape
    """
    mirrored = glare(board, reading)
    hidden = frozenset(_squares(_probability(reading, COVERED) > 0.5)) - mirrored
    found = [
        *(Finding(code) for code in board_faults(board)),
        Finding("glare", mirrored),
        Finding("covered", hidden),
        Finding("board-cut-off", outside(corners, shape)),
    ]
    return tuple(one for one in found if one.squares or one.code in CODES[:3])


def board_faults(board: BoardImage) -> tuple[str, ...]:
    """Those of "few-pixels", "dark", "blurred" that a board shows, whatever lies on it."""
    grey = cv2.cvtColor(board.pixels, cv2.COLOR_BGR2GRAY)
    faults = {
        "few-pixels": board.square_side < FEW_PIXELS,
        "dark": np.percentile(grey[::2, ::2], 98) < DARK,
        "blurred": blur(board) > BLURRED,
    }
    return tuple(code for code, true in faults.items() if true)


def blur(board: BoardImage) -> float:
    """Blur of a board in squares (sigma of a Gaussian) beyond what its few pixels cause; 0 when nothing tells."""
    sigma = edge_blur(cv2.cvtColor(board.pixels, cv2.COLOR_BGR2GRAY)) / PIXELS_PER_SQUARE
    return float(np.sqrt(max(sigma**2 - (0.5 / board.square_side) ** 2, 0)))


def edge_blur(grey: Pixels) -> float:
    """Blur in pixels (sigma) of the sharper edges of a picture, of the worse direction; 0 without enough edges.

    A step of height h blurred by a Gaussian has the steepest slope h / (sigma sqrt(2 pi)); a thin line gives a little
    less. A moved camera blurs one direction only, so both are measured and the worse one counts. Height and slope are
    taken at the same edge: neither the light nor the edition matters, and noise is no edge.
    """
    worst = 0.0
    if min(grey.shape) < 3:  # no slope over two pixels
        return worst
    contrast = float(np.subtract(*np.percentile(grey[::2, ::2], (98, 2))))
    window = np.ones((1, 15), np.uint8)
    for picture in (grey, np.ascontiguousarray(grey.T)):
        lines = cv2.blur(picture, (1, 5))
        height = cv2.subtract(cv2.dilate(lines, window), cv2.erode(lines, window))[:, 1:-1]
        rise = cv2.absdiff(lines[:, 2:], lines[:, :-2])  # over two pixels
        edge = (rise >= cv2.dilate(rise, window)) & (height > max(0.35 * contrast, 8))
        if np.count_nonzero(edge) >= 50:
            worst = max(worst, float(np.percentile(2.0 * height[edge] / rise[edge], 25)))
    return worst * float(SLOPE_TO_SIGMA)


def glare(board: BoardImage, reading: BoardReading) -> frozenset[Square]:
    """Squares on which a lamp mirrors so strongly that print and letters are washed out.

    Light and shadow multiply what a square shows, a reflection adds to it. With r the ratio of the darkest to the
    brightest that squares of a kind show elsewhere (ink to face, line to ground), and d, b what this one shows, all in
    linear light (gamma 2), the added light is s = (d - r b) / (1 - r). The darkest colour channel is taken for d, as
    in the dark channel of He et al. 2009, the brightest for b, so that coloured squares tell as well as inked ones.
    Kinds that are white all over tell nothing; their bright squares count when the others around agree.
    """
    dark, bright = _extremes(board)
    kinds = _kinds(reading)
    light, telling = np.full((SIZE, SIZE), np.nan), np.zeros((SIZE, SIZE), bool)
    for kind in set(kinds.ravel()) - {BLANK, COVERED}:
        here = kinds == kind
        ratios = dark[here] / np.maximum(bright[here], 0.004)
        usual, low = np.median(ratios), np.percentile(ratios, 10)
        if len(ratios) < 4 or usual > 0.6 or usual - low > 0.15:
            continue
        light[here] = (dark[here] - usual * bright[here]) / (1 - usual)
        telling |= here & (usual < 0.2)
    for symbol in set(PREMIUMS.ravel()):
        printed = (symbol == PREMIUMS) & (kinds == symbol)
        ground = np.median(dark[printed]) if np.count_nonzero(printed) >= 4 else 0.2
        white = (symbol == PREMIUMS) & np.isnan(light) & (dark >= max(0.5, ground + BRIGHT_ROOM))
        light[white] = dark[white] - ground
    padded = np.pad(light, 1, constant_values=np.nan)
    around = np.lib.stride_tricks.sliding_window_view(padded, (3, 3)).reshape(SIZE, SIZE, 9)
    around = np.concatenate([around, light[..., None]], axis=-1)
    known = ~np.isnan(light)
    core = np.zeros((SIZE, SIZE), bool)
    core[known] = (light[known] >= VEIL) & (np.nanmedian(around[known], axis=-1) >= VEIL_AROUND)
    found: list[Square] = []
    for patch in _patches(core):
        near = cv2.dilate(patch.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool) & telling
        size, values = np.count_nonzero(patch), light[near]
        # a lamp is not cut to one kind of square; where it is large, there may be no other
        wide = size >= 6 or (size >= 2 and len(set(kinds[near][values >= VEIL_SURE])) >= 2)
        # a sheet of paper is as white, but ends at its edge: the squares around it show nothing of it
        if wide and len(values) >= 2 and values.mean() >= VEIL_FADING and (values >= 0.05).mean() >= 0.5:
            found += _squares(patch)
    return frozenset(found)


def burnt_out(board: BoardImage, squares: Iterable[Square]) -> frozenset[Square]:
    """Those of the squares that are white all over: nothing is to be seen there, no tile and no empty square either."""
    inner = board.crops()[:, :, 8:-8:2, 8:-8:2].min(axis=-1)
    white = (inner >= BURNT).mean(axis=(2, 3)) > 0.95
    return frozenset(square for square in squares if white[square])


def outside(corners: Corners, shape: tuple[int, ...]) -> frozenset[Square]:
    """Squares whose middle lies outside a picture of this shape."""
    row, col = np.mgrid[0:SIZE, 0:SIZE] + 0.5
    middles = Homography.from_corners(corners).to_pixels(np.stack([col, row], axis=-1))
    inside = (middles >= 0).all(axis=-1) & (middles <= (shape[1] - 1, shape[0] - 1)).all(axis=-1)
    return frozenset(_squares(~inside))


def largest_patch(squares: Iterable[Square]) -> frozenset[Square]:
    """The largest group of squares that touch each other; empty for none."""
    mask = np.zeros((SIZE, SIZE), bool)
    for square in squares:
        mask[square] = True
    return frozenset(_squares(max(_patches(mask), key=np.count_nonzero, default=mask)))


def poor_photo(photo: Photo) -> str | None:
    """Why no board may have been found in a photo: "too-dark", "too-blurred", or None when it is not the photo."""
    height, width = photo.pixels.shape[:2]
    factor = min(1.0, 400 / max(height, width))
    size = max(1, round(width * factor)), max(1, round(height * factor))
    grey = cv2.cvtColor(cv2.resize(photo.pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    if np.percentile(grey, 99) < TOO_DARK:
        return "too-dark"
    return "too-blurred" if edge_blur(grey) > TOO_BLURRED else None


TOO_DARK = 40
"""Grey level of the brightest 1 % of a whole photo below which nothing can be found in it."""

TOO_BLURRED = 3.0
"""Blur (sigma) of a whole photo shrunk to 400 pixels: an eighth of a square of a board that fills the picture."""


_LINEAR = ((np.arange(256) / 255) ** 2).astype(np.float32)


def _extremes(board: BoardImage) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(15, 15) darkest and brightest 5 % of each square and its edges, darkest and brightest channel; linear light."""
    small = cv2.resize(board.pixels[4:-4, 4:-4], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    whites = np.percentile(small[::2, ::2].reshape(-1, 3), 98, axis=0)
    gains = np.clip(whites.max() / np.maximum(whites, 1), 1, MOST_GAIN)  # lamp light has little blue, mirrored or not
    levels = np.clip(np.arange(256)[:, None] * gains, 0, 255).astype(np.uint8)
    small = cv2.LUT(small, np.ascontiguousarray(levels[None]))
    step = PIXELS_PER_SQUARE // 2

    def windows(channel: Pixels) -> Pixels:
        view = np.lib.stride_tricks.sliding_window_view(channel, (step + 2, step + 2))[::step, ::step]
        return view.reshape(SIZE, SIZE, -1)

    low, high = windows(small.min(axis=-1)), windows(small.max(axis=-1))
    few = low.shape[-1] // 20
    return (
        _LINEAR[np.partition(low, few, axis=-1)[..., few]],
        _LINEAR[np.partition(high, -few - 1, axis=-1)[..., -few - 1]],
    )


def _kinds(reading: BoardReading) -> NDArray[np.str_]:
    """(15, 15) what each square should look like: COVERED, BLANK, "A" for any letter, else its premium's symbol."""
    chars = np.array([list(row) for row in reading.rows])
    kinds = np.where(chars == EMPTY, PREMIUMS, np.where(chars == BLANK, BLANK, "A"))
    return np.where(_probability(reading, COVERED) > 0.3, COVERED, kinds)


def _probability(reading: BoardReading, char: str) -> NDArray[np.float64]:
    return np.exp(reading.log_probs[..., reading.index[char]].astype(np.float64))


def _squares(mask: NDArray[np.bool_] | np.bool_) -> list[Square]:
    return [Square(int(row), int(col)) for row, col in np.argwhere(mask)]


def _patches(mask: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """(15, 15) masks of the groups of squares that touch each other, corners included."""
    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    return [labels == k for k in range(1, count)]
