"""Finding the grid with the learned network, then fitting all its lines at full resolution.

Steps: the whole picture on the network's canvas -> rough quads -> a second look at each, flattened, which corrects it
and tells whether it was right -> 16 x 16 lines at full resolution (`vision.locate_refine`) -> self-check of the result.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

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
from vision.geometry import GRID, SIZE, Corners, Homography, Lens, seen_corners
from vision.locate import (
    COARSE,
    CUT_OFF,
    FINE,
    LEAST_SIDE,
    PremiumShares,
    board_part,
    find_grid,
    guesses,
    scaled,
    settle,
    shrink,
    squares_outside,
    to_lab,
)
from vision.locate_proposals import clockwise
from vision.locate_refine import LineOffsets, beside, fit, fit_bent, flat_grid, measure_lines
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

LEAST, SURE, SURE_LATE = 0.4, 0.85, 0.92
"""Quality below which a grid is none, and above which it is beyond doubt: at the first try, and after several."""

BESIDE_TILES = 0.15
"""What a stretch of line counts beside a tile: the tile's edge hides it, and is seen higher up."""

PARTS = frozenset({"looks", "lens", "again", "combs", "classic", "tops"})
"""What can be left out, to measure its worth: second looks, bend of the lens, the lesser weight of lines beside tiles;
and where a grid is not sure: the same again from there, combs of lines, the search without network."""

AGAIN = 3
"""How often it is tried again from a grid that is not sure."""

WINDOWS = (0.3, 0.2, 0.15)
"""How far from their places the lines are looked for in the steps of the fit, squares."""

LENS_GAIN, LENS_MATTERS, LENS_MOST = 0.1, 0.08, 0.1
"""A lens's bend is believed when it explains this share of what the lines leave, moves a crossing by this many squares,
and is no more than this k."""


@dataclass(frozen=True)
class Look:
    """What the network sees in a flattened view.

    grid: where it sees the grid, in pixels of the picture that was looked at
    overlap: of the mask with the voted quad, 0 to 1
    spread: median distance of the cells' votes from one homography, squares
    corner: least of the four corners' heights in the corner map
    """

    grid: Homography
    overlap: float
    spread: float
    corner: float


@dataclass(frozen=True)
class Evidence:
    """What speaks for a fitted grid.

    overlap, spread, corner: of the network's last look at it (`Look`)
    apart: farthest corner of the fitted grid from where the network saw it, squares
    premium, rival: premium share of its colours, and the highest one or two squares off (`vision.locate_grid`)
    on_line, bend: of its lines (`vision.locate_refine.LineOffsets`)
    """

    overlap: float
    spread: float
    corner: float
    apart: float
    premium: float
    rival: float
    on_line: float
    bend: float


@dataclass(frozen=True)
class Candidate:
    """A grid with what speaks for it; matrix: grid units -> straight pixels of the photo as decoded.

    outside: squares whose middle lies outside the picture
    seen: where the network's last look saw the grid, like `matrix`
    late: the best of several tries after the first, which has to be surer: some try looks good by chance
    """

    matrix: Floats
    lens: Lens
    evidence: Evidence
    outside: int
    seen: Homography
    late: bool = False

    @property
    def corners(self) -> Corners:
        """As seen in the photo, in its pixels as decoded."""
        return seen_corners(Homography(self.matrix), self.lens)

    @property
    def sure(self) -> bool:
        """Whether the grid is beyond doubt."""
        return self.quality >= (SURE_LATE if self.late else SURE)

    @property
    def quality(self) -> float:
        """0 to 1, the probability that no crossing is off by more than a quarter of a square."""
        return quality(self.evidence)


def rough_grids(net: BoardNet, picture: Pixels) -> list[Homography]:
    """Grids from one look at a whole picture, best first, in its pixels."""
    small, matrix = letterbox(picture)
    back = np.linalg.inv(matrix)
    out = []
    for rough in quads(net.look(on_canvas(small))):
        points = cv2.perspectiveTransform(rough.corners.array.reshape(-1, 1, 2), back).reshape(4, 2)
        out.append(Homography.from_corners(Corners.of(points.astype(np.float64))))
    return out


def look_again(net: BoardNet, picture: Pixels, grid: Homography) -> Look | None:
    """The network's look at a picture flattened by a grid; None when it sees no board there."""
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
    seen = Homography.from_corners(Corners.of(points.astype(np.float64)))
    return Look(seen, best.overlap, best.spread, _corner_evidence(maps, order))


def candidate(net: BoardNet, pixels: Pixels, rough: Homography, parts: frozenset[str] = PARTS) -> Candidate | None:
    """The exact grid from a rough one; None when the second look sees no board there."""
    part, to_part = board_part(pixels, rough, SURROUNDINGS)
    side = Homography(to_part @ rough.matrix).square_side()
    small, factor = shrink(part, max(64, round(max(part.shape[:2]) * min(1.0, LOOK_SIDE / side))))
    to_small = scaled(factor) @ to_part
    grid = Homography(to_small @ rough.matrix)
    look = look_again(net, small, grid)
    if "looks" in parts:
        for _ in range(LOOKS - 1):
            if look is None or corners_apart(grid, look.grid) < NEAR:
                break
            grid = look.grid
            look = look_again(net, small, grid)
    if look is None:
        return None
    if "looks" in parts:
        grid = look.grid
    height, width = pixels.shape[:2]
    lab, start = to_lab(part), scaled(1 / factor) @ grid.matrix
    bent = Lens.of_picture(0.0, width, height).after(to_part)
    matrix, bent, lines = settle_bent(lab, start, bent, "lens" in parts, "tops" in parts)
    premium, rival = PremiumShares(lab, matrix, bent).here_and_near()
    seen = Homography(scaled(1 / factor) @ look.grid.matrix)
    apart = corners_apart(seen, Homography(matrix))
    evidence = Evidence(look.overlap, look.spread, look.corner, apart, premium, rival, lines.on_line, lines.bend)
    back = np.linalg.inv(to_part)
    outside = squares_outside(back @ matrix, pixels.shape)
    return Candidate(back @ matrix, bent.after(back), evidence, outside, Homography(back @ seen.matrix))


def settle_bent(
    lab: Pixels, start: Floats, lens: Lens, bends: bool = True, tops: bool = True
) -> tuple[Floats, Lens, LineOffsets]:
    """The grid fitted to the lines, the lens's bend where it matters, and the lines as last measured.

    lens: one without bend, for the place of its middle; bends: whether it may have any
    tops: whether lines beside tiles count less
    """
    matrix = settle(lab, start, COARSE, ((WINDOWS[0], False),))
    matrix = settle(lab, matrix, FINE, ((WINDOWS[1], True),))
    window, bent = WINDOWS[2], lens
    lines = measure_lines(flat_grid(lab, matrix, FINE), FINE, window, True)
    if tops:
        tiles = PremiumShares(lab, matrix).tiles()
        for _ in range(2):
            matrix = matrix @ fit(beside(lines, tiles, BESIDE_TILES), window / 2)
            matrix = matrix / matrix[2, 2]
            lines = measure_lines(flat_grid(lab, matrix, FINE), FINE, WINDOWS[1], True)
        lines = beside(lines, tiles, BESIDE_TILES)
    if bends:
        both = fit_bent(lines, window / 2, matrix, lens)
        if both.gain > LENS_GAIN and both.matters > LENS_MATTERS and abs(both.lens.k) < LENS_MOST:
            matrix, bent = matrix @ both.correction, both.lens
            lines = measure_lines(flat_grid(lab, matrix, FINE, bent), FINE, window, True)
    matrix = matrix @ fit(lines, window / 2)
    return matrix / matrix[2, 2], bent, lines


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


EVIDENCE_WEIGHTS = (0.0, 1.522, -7.64, 10.625, -1.367, 0.0, 0.0, -3.08, 0.0, -7.861)
"""What each of `evidence_features` is worth, and a constant: `python -m models.board_finder.quality`."""


def evidence_features(e: Evidence) -> tuple[float, ...]:
    """The evidence on scales on which it adds up: the log-odds for a right grid are about linear in these."""
    return (
        min(e.premium, 0.5),
        min(e.premium - e.rival, 0.3),
        e.rival / max(e.premium, 0.02) if e.premium > e.rival else 1.0,
        min(e.on_line, 0.7),
        float(np.log(e.bend + 0.005)),
        max(e.overlap, 0.8),
        float(np.log(e.spread + 0.03)),
        min(e.apart, 1.5),
        float(np.log(e.corner + 0.05)),
    )


def quality(evidence: Evidence) -> float:
    """0 to 1: logistic regression on what speaks for a grid."""
    score = float(np.dot(EVIDENCE_WEIGHTS[:-1], evidence_features(evidence))) + EVIDENCE_WEIGHTS[-1]
    return float(1 / (1 + np.exp(-np.clip(score, -30, 30))))


def find_board(net: BoardNet, pixels: Pixels, parts: frozenset[str] = PARTS) -> Candidate | None:
    """The best grid in a picture, good or not; None when nothing is like one."""
    best: Candidate | None = None

    def keep(found: Candidate | None, late: bool = True) -> bool:
        nonlocal best
        if found is not None and (best is None or found.quality > best.quality):
            best = replace(found, late=late)
        return best is not None and best.sure

    places = rough_grids(net, pixels)[:PLACES]
    for rough in places:
        if keep(candidate(net, pixels, rough, parts), late=False):
            return best
    if "again" in parts and best is not None:
        grid: Candidate | None = best
        for _ in range(AGAIN):  # seen flat by a better grid than the first rough one, the board is seen better
            if grid is not None:
                grid = candidate(net, pixels, Homography(grid.matrix), parts)
            if keep(grid):
                return best
    if "combs" in parts:
        for rough in places:
            for lines in comb_grids(pixels, rough):
                if keep(candidate(net, pixels, lines, parts)):
                    return best
    if "classic" in parts:
        other = find_grid(pixels)
        if other is not None:
            keep(candidate(net, pixels, Homography(other.matrix), parts))
    return best


def comb_grids(pixels: Pixels, rough: Homography) -> list[Homography]:
    """Grids of 16 lines each way near a rough one, chosen by the premium colours (`vision.locate_grid`), best first."""
    part, to_part = board_part(pixels, rough, SURROUNDINGS)
    back = np.linalg.inv(to_part)
    outer = Homography(to_part @ rough.matrix).to_pixels(GRID + np.sign(GRID - SIZE / 2) * 0.5)
    return [Homography(back @ one.matrix) for one in guesses(to_lab(part), [outer])]


@dataclass(frozen=True)
class LearnedLocator(BoardLocator):
    """Locates the grid by the network and its lines.

    least_quality: a grid below it is not returned; one that is not `sure` comes with the warning "grid-unsure"
    parts: what is used; to measure what each is worth
    """

    net: BoardNet = field(default_factory=BoardNet)
    least_quality: float = LEAST
    parts: frozenset[str] = PARTS

    def locate(self, photo: Photo) -> Location:
        found = find_board(self.net, photo.pixels, self.parts) if min(photo.pixels.shape[:2]) >= LEAST_SIDE else None
        return self._location(found)

    def _location(self, found: Candidate | None) -> Location:
        if found is None:
            return Location(None, reason="no-board")
        quality = found.quality
        if quality < self.least_quality:
            return Location(None, quality, reason="no-board")
        if found.outside > CUT_OFF:
            return Location(None, quality, reason="board-cut-off")
        warnings = [] if found.sure else ["grid-unsure"]
        if found.outside:
            warnings.append("board-cut-off")
        corners = clockwise(found.corners.array)
        return Location(
            Corners.of(corners), quality, warnings=tuple(warnings), lens=found.lens if found.lens.k else None
        )
