"""A camera that stands where it stood: looks at the known place first, and notices when camera or board was moved.

The stored grid is compared with the lines of the photo. Three things have to be told apart:
in place    the lines lie where they are stored, but for what hands, shadows and glare hide
nudged      the lines lie within half a square of it: the grid is fitted to them
elsewhere   no lines there, or lines whose premium colours belong to other squares: a board that moved by exactly one
            square has all its lines in place. The colours tell by how many squares; what is farther is searched for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import GRID, SIZE, Corners, Homography, Lens, seen_corners, straight_grid, warped
from vision.locate import board_part, examine, squares_outside, to_lab
from vision.locate_grid import premium_map
from vision.locate_refine import ON_LINE, LineOffsets, fit, flat_grid, measure_lines
from vision.locator import BoardLocator, Location
from vision.photo import Photo
from vision.pixels import Pixels

STEADY = 0.1
"""A board counts as moved when a corner of the grid lies farther than this from its stored place, squares."""

NEAR = 0.75
"""Beyond this, what is found is another place than the stored one, squares."""

FLAT = 20
"""Pixels a square in the flat picture in which the lines are compared."""

REACH = 3
"""Whole squares that the board may have moved without a new search."""

LEAST_ON_LINE = 0.45
"""Share of stretches of line that must be seen on the grid: 0.65 and more without a hand, a quarter by chance."""

LEAST_LEAD = 0.08
"""By how much the premium share of a grid must exceed that of the grids one square beside it. It is above 0.2 for a
right grid with a hundred tiles on it, below 0.03 for one that is half a square off."""

CLEAR, ALIKE, KEEP = 0.4, 0.05, 0.85
"""The stored grid is kept when at least this share (KEEP) of the stretches of line that are clearly seen (weight above
CLEAR) within ALIKE squares of the fitted grid are within ALIKE squares of the stored one too. On rendered tables it is
0.88 and more for a board in place, 0.8 and less for one that a corner of which moved by a tenth of a square."""

ROUNDS, SAME = 3, 0.03
"""How often a grid that had moved is fitted again from where it was found, and up to which move of a corner, in
squares, it is the same: a fit from half a square away can end with a corner 0.4 squares off, from so near never did."""

SURE_QUALITY, MOST_BEND = 0.75, 0.03
"""Quality at least, and bend of the lines at most in squares, of a grid found at another place than the known one."""

SIZE_TOLERANCE = 0.003
"""Relative difference of aspect ratios below which two pictures are of the same shape: rounding when shrunk."""


@dataclass(frozen=True)
class GridCheck:
    """What speaks for a grid at a place that was known before.

    on_line: share of stretches whose strongest edge within the whole square lies on the line, 0 to 1; of the lines
             across or of those down, whichever is less
    premium: premium share of its colours (`vision.locate_grid`), 0 to 1
    rival:   highest premium share of the grids one square beside it
    """

    on_line: float
    premium: float
    rival: float

    @property
    def sound(self) -> bool:
        return self.on_line >= LEAST_ON_LINE and self.premium - self.rival >= LEAST_LEAD

    @property
    def quality(self) -> float:
        """0 to 1, on the scale of the locators that know no place: 0.75 is sure."""
        lines = np.interp(self.on_line, (0.25, 0.6), (0, 1))
        colours = np.interp(self.premium - self.rival, (0, 2 * LEAST_LEAD), (0, 1))
        return float(np.sqrt(lines * colours))


@dataclass(frozen=True)
class KnownPose(BoardLocator):
    """Locates the board of a fixed camera.

    corners:   stored place of the grid's corners, pixels of the full photo as they are seen in it
    size:      width and height of the full photo that they are given for; another size of the same shape will do
    otherwise: finds the board when it does not lie at the stored place
    lens_k:    bend of the lens (`vision.geometry.Lens`)
    oriented:  the corners are in reading order and the board is never turned. Where it may be (a turntable) the letters
               have to tell, so that this stays False even if the corners were in reading order once.

    Warnings: "board-moved" a corner lies more than STEADY squares from its place, the grid was fitted anew;
    "camera-moved" it lies more than NEAR squares away or the photo has another shape.
    """

    corners: Corners
    size: tuple[int, int]
    otherwise: BoardLocator
    lens_k: float = 0.0
    oriented: bool = False

    def locate(self, photo: Photo) -> Location:
        width, height = self.size
        if abs(photo.width * height / (photo.height * width) - 1) > SIZE_TOLERANCE:
            return self._searched(photo, None)
        stored = self.corners.scaled(photo.width / width * photo.scale)
        found = self._looked_up(photo, stored)
        return found if found is not None else self._searched(photo, stored)

    def _looked_up(self, photo: Photo, stored: Corners) -> Location | None:
        """The board at its stored place or within REACH squares of it; None when it is not there for sure."""
        height, width = photo.pixels.shape[:2]
        lens = Lens.of_picture(self.lens_k, width, height)
        start = straight_grid(stored, lens)
        part, to_part = board_part(photo.pixels, start)
        lab, of_part = to_lab(part), lens.after(to_part)
        found = fit_near(lab, to_part @ start.matrix, of_part)
        if found is None:
            return None
        far = moved_by(to_part @ start.matrix, found[0])
        for _ in range(ROUNDS if far > STEADY else 0):
            again = fit_near(lab, found[0], of_part)
            if again is None or moved_by(found[0], again[0]) < SAME:
                break
            found = again
        matrix, check = np.linalg.inv(to_part) @ found[0], found[1]
        far = moved_by(start.matrix, matrix)
        if squares_outside(matrix, photo.pixels.shape):
            return None  # the other locator knows what to say of a board that is cut off
        if far > NEAR:  # another place than the known one has to stand the whole self-check
            whole = examine(lab, found[0], 0, of_part)
            if whole.quality < SURE_QUALITY or whole.bend > MOST_BEND:
                return None
        corners = seen_corners(Homography(matrix), lens)
        oriented, bent = self.oriented and far <= NEAR, lens if lens.k else None
        return Location(corners, check.quality, oriented=oriented, warnings=_moved(far), lens=bent)

    def _searched(self, photo: Photo, stored: Corners | None) -> Location:
        """What the other locator finds, with the corner first that is nearest to the stored first one."""
        found = self.otherwise.locate(photo)
        if found.corners is None or stored is None:
            return found if found.corners is None else replace(found, warnings=(*found.warnings, "camera-moved"))
        begin = Homography.from_corners(stored).matrix
        turns = [found.corners.turned(quarters) for quarters in range(4)]
        far = [moved_by(begin, Homography.from_corners(corners).matrix) for corners in turns]
        best = int(np.argmin(far))
        if found.oriented:
            return replace(found, warnings=(*found.warnings, *_moved(far[0])))
        oriented = self.oriented and far[best] <= NEAR
        warnings = (*found.warnings, *_moved(far[best]))
        return replace(found, corners=turns[best], oriented=oriented, warnings=warnings)


def _moved(far: float) -> tuple[str, ...]:
    return () if far <= STEADY else ("board-moved",) if far <= NEAR else ("camera-moved",)


def moved_by(before: NDArray[np.float64], after: NDArray[np.float64]) -> float:
    """Largest move of a corner of the grid, in squares; both matrices map grid units to the same picture."""
    return float(np.linalg.norm(Homography(before).to_grid(Homography(after).to_pixels(GRID)) - GRID, axis=1).max())


def fit_near(lab: Pixels, start: NDArray[np.float64], lens: Lens) -> tuple[NDArray[np.float64], GridCheck] | None:
    """The grid at the place where it was, or else near it, fitted to the lines; None when none is sound.

    lab: part of the photo, L*a*b*; start, and the matrix given back: grid units -> straight pixels of it
    """
    lines = measure_lines(flat_grid(lab, start, FLAT, lens), FLAT, 0.25, True)
    correction = fit(lines, 0.125)
    matrix = start if explains(lines, correction) else _fitted(lab, start @ correction, lens, ((0.15, True),))
    check = examine_near(lab, matrix, lens)
    if not check.sound:
        matrix = _fitted(lab, start @ phase(lab, start, lens), lens, ((0.35, False), (0.25, False), (0.15, True)))
        shift = whole_squares(lab, matrix, lens)
        if shift.any():
            matrix = _fitted(lab, matrix @ _shifted(*shift), lens, ((0.35, False), (0.25, False), (0.15, True)))
        check = examine_near(lab, matrix, lens)
    return (matrix, check) if check.sound else None


def explains(lines: LineOffsets, correction: NDArray[np.float64]) -> bool:
    """Whether the grid as it stands goes with the lines almost as well as the corrected one does.

    A correction can always be fitted a little better. It is drawn off the lines by what else has edges along them, the
    sides of tiles above all, while the stored grid is that of many photos: so it stays unless the lines contradict it.
    """
    clear = lines.weight > CLEAR
    right, down = np.meshgrid(np.arange(SIZE + 1.0), np.arange(SIZE) + 0.5, indexing="ij")
    places = np.stack([np.stack([right, down], axis=-1), np.stack([down, right], axis=-1)])
    moved = Homography(correction).to_pixels(places) - places
    moved = np.stack([moved[0, ..., 0], moved[1, ..., 1]])
    as_stored, as_fitted = (np.abs(lines.offset - by)[clear] < ALIKE for by in (0.0, moved))
    return bool(as_stored.sum() >= KEEP * as_fitted.sum())


def _fitted(
    lab: Pixels, matrix: NDArray[np.float64], lens: Lens, steps: Sequence[tuple[float, bool]]
) -> NDArray[np.float64]:
    """`vision.locate.settle`, through a lens."""
    for window, matched in steps:
        matrix = matrix @ fit(measure_lines(flat_grid(lab, matrix, FLAT, lens), FLAT, window, matched), window / 2)
    return matrix / matrix[2, 2]


def examine_near(lab: Pixels, matrix: NDArray[np.float64], lens: Lens) -> GridCheck:
    """Self-check of a grid near its stored place, a cheaper one than `vision.locate.examine`."""
    flat = flat_grid(lab, matrix, FLAT, lens)
    lines = measure_lines(flat, FLAT, 0.5, False)
    on_line = (np.abs(lines.offset) < ON_LINE) & (lines.weight > 0)
    shares = premium_map(_middles(flat, SIZE + 2), (12,))
    premium = float(shares[1, 1])
    shares[1, 1] = -1
    return GridCheck(float(on_line.mean(axis=(1, 2)).min()), premium, float(shares.max()))


def phase(lab: Pixels, matrix: NDArray[np.float64], lens: Lens) -> NDArray[np.float64]:
    """3x3 shift by less than half a square each way, in grid units, that brings the grid onto the lines seen.

    The lines repeat with every square, so that their offsets are angles: their mean direction (Mardia and Jupp,
    Directional Statistics, ch. 2), weighted by how clear they are.
    """
    lines = measure_lines(flat_grid(lab, matrix, FLAT, lens), FLAT, 0.5, False)
    mean = (lines.weight * np.exp(2j * np.pi * lines.offset)).sum(axis=(1, 2))
    return _shifted(*(np.angle(mean) / (2 * np.pi)))


def whole_squares(lab: Pixels, matrix: NDArray[np.float64], lens: Lens) -> NDArray[np.intp]:
    """By how many whole squares right and down, up to REACH, the premium colours want the grid moved."""
    p, count = 8, SIZE + 2 * REACH
    to_grid = np.array([[1 / p, 0, 0.5 / p - REACH], [0, 1 / p, 0.5 / p - REACH], [0, 0, 1]])
    shares = premium_map(_middles(warped(lab, matrix @ to_grid, count * p, lens), count), (10, 15))
    down, right = np.unravel_index(int(shares.argmax()), shares.shape)
    return np.array([right, down]) - REACH


def _shifted(right: float, down: float) -> NDArray[np.float64]:
    return np.array([[1, 0, right], [0, 1, down], [0, 0, 1.0]])


def _middles(flat: Pixels, count: int) -> NDArray[np.float32]:
    """(count, count, 3) mean colour of the middle of each square of a flat picture of count x count squares."""
    p = len(flat) // count
    squares = flat.reshape(count, p, count, p, 3)[:, p // 4 : p - p // 4, :, p // 4 : p - p // 4]
    return squares.astype(np.float32).mean(axis=(1, 3))
