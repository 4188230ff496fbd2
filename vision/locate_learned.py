"""Finding the grid with the learned network, then fitting all its lines at full resolution.

Steps: the whole picture on the network's canvas -> rough quads -> a second look at each, flattened, which corrects it
and tells whether it was right -> 16 x 16 lines at full resolution (`vision.locate_refine`) -> self-check of the result.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_net import (
    CANVAS,
    FLAT_SIDE,
    BoardNet,
    Maps,
    flat_view,
    letterbox,
    on_canvas,
    quads,
)
from vision.geometry import GRID, SIZE, Corners, Homography, Lens
from vision.locate import (
    CUT_OFF,
    FINE,
    SURE,
    ClassicLocator,
    SelfCheck,
    board_part,
    examine,
    guesses,
    scaled,
    settle,
    shrink,
    squares_outside,
    to_lab,
)
from vision.locate_proposals import clockwise
from vision.locate_refine import fit, fit_bent, flat_grid, measure_lines
from vision.locator import BoardLocator, Location
from vision.photo import Photo
from vision.pixels import Pixels

Floats = NDArray[np.float64]

LOOK_SIDE = 16
"""Pixels a square at most in the picture from which the flat view is taken: the view has 12.8."""

SURROUNDINGS = 3.0
"""Squares around the grid that a second look may need."""

LOOKS = 3
"""Second looks at most: each corrects the grid of the one before while that was far off."""

NEAR = 0.6
"""A look that moves no corner by more than this, in squares, was near enough."""

PLACES = 2
"""Rough grids at most that are looked at closely."""

PARTS = frozenset({"looks", "lens", "combs"})
"""What can be left out, to measure its worth: second looks, the lens's bend, combs of lines where the first fit fails."""

STEPS = ((0.3, False), (0.2, True), (0.15, True))
"""Steps of the fit: window in squares, matched or not, see `measure_lines`."""

LENS_GAIN, LENS_MATTERS, LENS_MOST = 0.05, 0.03, 0.1
"""A lens's bend is believed when it explains this share of what the lines leave, moves a crossing by this many squares,
and is no more than this k."""


@dataclass(frozen=True)
class Look:
    """What the network's look at a flattened grid says of it.

    overlap: of the mask with the voted quad, 0 to 1
    spread: median distance of the cells' votes from one homography, squares
    corner: least of the four corners' heights in the corner map
    """

    overlap: float
    spread: float
    corner: float


@dataclass(frozen=True)
class Candidate:
    """A grid with all that speaks for it; matrix: grid units -> straight pixels of the photo as decoded.

    apart: farthest corner of the fitted grid from where the network saw it, squares
    """

    matrix: Floats
    lens: Lens
    look: Look
    check: SelfCheck
    apart: float

    @property
    def quality(self) -> float:
        """0 to 1, the probability that no crossing is off by more than a quarter of a square."""
        return self.check.quality


def rough_grids(net: BoardNet, picture: Pixels) -> list[Homography]:
    """Grids from one look at a whole picture, best first, in its pixels."""
    small, matrix = letterbox(picture)
    back = np.linalg.inv(matrix)
    out = []
    for rough in quads(net.look(on_canvas(small))):
        points = cv2.perspectiveTransform(rough.corners.array.reshape(-1, 1, 2), back).reshape(4, 2)
        out.append(Homography.from_corners(Corners.of(points.astype(np.float64))))
    return out


def look_again(net: BoardNet, picture: Pixels, grid: Homography) -> tuple[Homography, Look] | None:
    """The network's view of a grid seen flat: the grid corrected, and what the look says; None when it sees none."""
    flat, to_picture = flat_view(picture, grid)
    maps = net.look(on_canvas(flat))
    found = quads(maps)
    if not found:
        return None
    best = found[0]
    low = (CANVAS - FLAT_SIDE) / 2 - 0.5
    place = low + GRID * FLAT_SIDE / SIZE
    corners = clockwise(best.corners.array)
    order = min((np.roll(corners, k, axis=0) for k in range(4)), key=lambda c: float(np.abs(c - place).max()))
    points = cv2.perspectiveTransform(order.reshape(-1, 1, 2), to_picture).reshape(4, 2)
    return Homography.from_corners(Corners.of(points.astype(np.float64))), Look(
        best.overlap, best.spread, _corner_evidence(maps, order)
    )


def candidate(net: BoardNet, pixels: Pixels, rough: Homography, parts: frozenset[str] = PARTS) -> Candidate | None:
    """The exact grid from a rough one; None when the second look sees no board there."""
    part, to_part = board_part(pixels, rough, SURROUNDINGS)
    side = Homography(to_part @ rough.matrix).square_side()
    small, factor = shrink(part, max(64, round(max(part.shape[:2]) * min(1.0, LOOK_SIDE / side))))
    to_small = scaled(factor) @ to_part
    grid, look = Homography(to_small @ rough.matrix), None
    for _ in range(LOOKS):
        seen = look_again(net, small, grid)
        if seen is None:
            return None
        moved = corners_apart(grid, seen[0])
        grid, look = seen if "looks" in parts else (grid, seen[1])
        if "looks" not in parts or moved < NEAR:
            break
    assert look is not None
    height, width = pixels.shape[:2]
    lab, start = to_lab(part), scaled(1 / factor) @ grid.matrix
    straight = Lens.of_picture(0.0, width, height).after(to_part)
    matrix, lens = settle_bent(lab, start, straight) if "lens" in parts else (settle(lab, start, FINE, STEPS), straight)
    back = np.linalg.inv(to_part)
    outside = squares_outside(back @ matrix, pixels.shape)
    check = examine(lab, matrix, outside, lens)
    apart = corners_apart(Homography(start), Homography(matrix))
    return Candidate(back @ matrix, lens.after(back), look, check, apart)


def settle_bent(lab: Pixels, start: Floats, lens: Lens) -> tuple[Floats, Lens]:
    """The grid fitted to the lines, and the lens's bend where it matters; `lens`: one without bend, for the place."""
    matrix = settle(lab, start, FINE, STEPS[:-1])
    window, bent = STEPS[-1][0], lens
    for _ in range(2):
        lines = measure_lines(flat_grid(lab, matrix, FINE, bent), FINE, window, True)
        both = fit_bent(lines, window / 2, matrix, bent)
        if bent.k == 0 and (both.gain < LENS_GAIN or both.matters < LENS_MATTERS or abs(both.lens.k) > LENS_MOST):
            matrix = matrix @ fit(lines, window / 2)
            return matrix / matrix[2, 2], lens
        matrix, bent = matrix @ both.correction, both.lens
    return matrix / matrix[2, 2], bent


def corners_apart(one: Homography, other: Homography) -> float:
    """Largest distance of a corner of one grid from the nearest one of the other, in the first one's squares."""
    a, b = one.corners.array, other.corners.array
    distance = np.linalg.norm(a[:, None] - b[None], axis=2).min(axis=1).max()
    return float(distance / one.square_side())


def _corner_evidence(maps: Maps, corners: Floats) -> float:
    """The least of the corner map's heights within a square of each corner."""
    cells = (corners - 1.5) / 4
    heights = []
    for x, y in cells:
        x0, y0 = round(float(x)), round(float(y))
        part = maps.corner[max(y0 - 2, 0) : y0 + 3, max(x0 - 2, 0) : x0 + 3]
        heights.append(float(part.max()) if part.size else 0.0)
    return min(heights)


def find_board(net: BoardNet, pixels: Pixels, parts: frozenset[str] = PARTS) -> Candidate | None:
    """The best grid in a picture, good or not; None when nothing is like one."""
    best: Candidate | None = None

    def keep(found: Candidate | None) -> bool:
        nonlocal best
        if found is not None and (best is None or found.quality > best.quality):
            best = found
        return best is not None and best.quality > SURE

    places = rough_grids(net, pixels)[:PLACES]
    for rough in places:
        if keep(candidate(net, pixels, rough, parts)):
            return best
    if "combs" in parts:
        for rough in places:
            for lines in comb_grids(pixels, rough):
                if keep(candidate(net, pixels, lines, parts)):
                    return best
    return best


def comb_grids(pixels: Pixels, rough: Homography) -> list[Homography]:
    """Grids of 16 lines each way near a rough one, chosen by the premium colours (`vision.locate_grid`), best first."""
    part, to_part = board_part(pixels, rough, SURROUNDINGS)
    back = np.linalg.inv(to_part)
    outer = Homography(to_part @ rough.matrix).to_pixels(GRID + np.sign(GRID - SIZE / 2) * 0.5)
    return [Homography(back @ one.matrix) for one in guesses(to_lab(part), [outer])]


@dataclass(frozen=True)
class LearnedLocator(BoardLocator):
    """Locates the grid by the network and its lines; asks `otherwise` where that comes to nothing sure.

    least_quality: a grid below it is not returned
    sure_quality: a grid below it is returned with the warning "grid-unsure"
    parts: what is used; to measure what each is worth
    """

    net: BoardNet = field(default_factory=BoardNet)
    otherwise: ClassicLocator | None = field(default_factory=ClassicLocator)
    least_quality: float = 0.4
    sure_quality: float = 0.75
    parts: frozenset[str] = PARTS

    def locate(self, photo: Photo) -> Location:
        found = find_board(self.net, photo.pixels, self.parts)
        here = self._location(found)
        if self.otherwise is None or (found is not None and found.quality >= self.sure_quality):
            return here
        there = self.otherwise.locate(photo)
        return there if there.quality > here.quality else here

    def _location(self, found: Candidate | None) -> Location:
        if found is None:
            return Location(None, reason="no-board")
        quality = found.quality
        if quality < self.least_quality:
            return Location(None, quality, reason="no-board")
        if found.check.outside > CUT_OFF:
            return Location(None, quality, reason="board-cut-off")
        warnings = ["grid-unsure"] if quality < self.sure_quality else []
        if found.check.outside:
            warnings.append("board-cut-off")
        corners = clockwise(found.lens.bend(Homography(found.matrix).to_pixels(GRID)))
        return Location(
            Corners.of(corners), quality, warnings=tuple(warnings), lens=found.lens if found.lens.k else None
        )
