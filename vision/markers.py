"""Finding the grid by printed cards with ArUco markers, one at each corner (`calibration.marker_sheet` draws them).

A card lies outside the grid, diagonal to its corner, and touches it with the tip of one of its own corners. The tip
lies on the diagonal of the marker, `QUIET` of the marker's side outside it, so that it follows from the marker alone:
neither the printed size nor the size of a square need be known. Markers: Garrido-Jurado et al., Automatic generation
and detection of highly reliable fiducial markers under occlusion, Pattern Recognition 47, 2014.

Steps: markers (sub-pixel corners) -> tips, each through its marker's own homography -> one camera and one size of
marker for all of them -> the grid's own lines (`vision.locate`), where they agree with the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import GRID, SIZE, Homography
from vision.locate import CUT_OFF, FINE, FittedGrid, board_part, examine, settle, squares_outside, to_lab
from vision.locator import BoardLocator, Location
from vision.photo import Photo
from vision.pixels import Pixels

DICTIONARY = cv2.aruco.DICT_4X4_50
"""The markers: 4 x 4 cells in a black rim one cell wide. Ids 0 to 3: the grid's corners in the order of `GRID`."""

CELLS = 6
"""Cells along a marker's side, the rim included."""

QUIET = 1 / CELLS
"""Width of the white between marker and tip, as a share of the marker's side: one cell, the least a marker needs."""

MARKER = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
"""Corners of an upright marker in units of its side, in the order in which they are found."""

MOST_TURN = 20.0
"""Degrees by which a card may lie askew; beyond, it touches the grid with a wrong corner."""

MOST_MISFIT = 0.06
"""Share of the marker's side by which corners may miss their places (root mean square); lens bend stays below."""

MOST_SNAP = 0.4
"""Squares by which the grid's lines may move a corner; beyond, they are not the lines that the cards lie at."""

STRAIGHT, LEAST_SNAP = 0.02, 0.15
"""Lines with more bend (`SelfCheck.bend`) than the first, or in doubt, may move a corner by the second only: on a full
board they are the edges of the tiles' tops."""

LIFTS = (0.0, 0.2, 0.4, 0.6)
"""Squares by which the farthest corner moves when cards on the table are lifted to the board's surface."""


@dataclass(frozen=True)
class MarkerLocator(BoardLocator):
    """Locates the grid by its four cards; three are enough. The corners are in reading order.

    otherwise: asked when there is no card in the photo at all
    snap: whether the grid's own lines improve what the cards say
    sure_quality, most_bend: lines as good as that (`vision.locate.examine`) are sure by themselves
    least_on_line: lines as good as that are sure where they and the cards agree; else "grid-unsure" is warned of
    """

    otherwise: BoardLocator | None = None
    snap: bool = True
    sure_quality: float = 0.75
    most_bend: float = 0.03
    least_on_line: float = 0.5

    def locate(self, photo: Photo) -> Location:
        markers = find_markers(photo.pixels)
        if not markers and self.otherwise is not None:
            return self.otherwise.locate(photo)
        if len(markers) < 3:
            return Location(None, reason="markers-missing")
        cards = grid_of_markers(markers)
        if cards is None:
            return Location(None, reason="markers-misplaced")
        grid, sure = self._with_lines(photo.pixels, cards)
        if grid.check.outside > CUT_OFF:
            return Location(None, grid.check.quality, reason="board-cut-off")
        warnings = []
        if len(markers) < 4:
            warnings.append("marker-hidden")
        if not sure:
            warnings.append("grid-unsure")
        if grid.check.outside:
            warnings.append("board-cut-off")
        corners = Homography(grid.matrix).corners
        return Location(corners, grid.check.quality, oriented=True, warnings=tuple(warnings))

    def _with_lines(self, pixels: Pixels, cards: NDArray[np.float64]) -> tuple[FittedGrid, bool]:
        """The cards' grid, moved onto the lines where these allow it, and whether it is sure."""
        first: tuple[FittedGrid, bool] | None = None
        for lift in LIFTS if self.snap else LIFTS[:1]:
            grid, moved = self._snapped(pixels, lifted(cards, lift, pixels.shape))
            check = grid.check
            # tops of tiles make a lifted plane too, but with bends: the empty squares do not follow
            most_bend = STRAIGHT if lift else self.most_bend
            by_lines = check.quality >= self.sure_quality and check.bend <= most_bend
            placed = check.on_line >= self.least_on_line and check.half_off <= 1 and check.rival <= check.premium
            if by_lines or (placed and moved <= LEAST_SNAP and lift == 0):
                return grid, True
            first = first or (grid, False)
        assert first is not None
        return first

    def _snapped(self, pixels: Pixels, start: NDArray[np.float64]) -> tuple[FittedGrid, float]:
        """The grid on its lines, or as it was where these do not belong to it; squares by which they move a corner."""
        part, to_part = board_part(pixels, Homography(start))
        lab = to_lab(part)
        before = FittedGrid(start, examine(lab, to_part @ start, squares_outside(start, pixels.shape)))
        fitted = settle(lab, to_part @ start, FINE, ((0.25, False), (0.25, True), (0.15, True)))
        matrix = np.asarray(np.linalg.inv(to_part) @ fitted, np.float64)
        moved = np.linalg.norm(Homography(start).to_grid(Homography(matrix).to_pixels(GRID)) - GRID, axis=1).max()
        if not self.snap:
            return before, float(moved)
        after = FittedGrid(matrix, examine(lab, fitted, squares_outside(matrix, pixels.shape)))
        clear = after.check.bend <= STRAIGHT and after.check.quality >= self.sure_quality
        allowed = MOST_SNAP if clear else LEAST_SNAP
        kept = moved > allowed or after.check.quality < before.check.quality
        return before if kept else after, float(moved)


def find_markers(pixels: Pixels) -> dict[int, NDArray[np.float64]]:
    """The cards' markers in a BGR picture: id -> (4, 2) pixels, top left first as printed, clockwise.

    An id that is seen twice is left out: nobody knows which one is meant.
    """
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.errorCorrectionRate = 0.0  # a card is there or not; patterns of a table must not become one
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    seen = [] if ids is None else [int(one) for one in ids.ravel()]
    found = zip(seen, corners, strict=True)
    return {one: quad.reshape(4, 2).astype(np.float64) for one, quad in found if one < 4 and seen.count(one) == 1}


def tip(corner: int) -> NDArray[np.float64]:
    """(2,) where the card of this corner touches the grid, in units of its marker's side from its top left corner."""
    inner = MARKER[(corner + 2) % 4]
    return np.asarray(0.5 + (inner - 0.5) * (1 + 2 * QUIET), np.float64)


def grid_of_markers(markers: Mapping[int, NDArray[np.float64]]) -> NDArray[np.float64] | None:
    """3x3, grid units to pixels, from three or four markers (`find_markers`); None when cards lie wrongly.

    Unknown are the homography, the marker's side, the height of a square and how each card is turned about its tip:
    13 or 14 numbers for 24 or 32 measured ones, solved by least squares in pixels. A card that lies beside its corner
    is not noticed here.
    """
    seen = sorted(markers)
    tips = {one: Homography(_map(MARKER, markers[one])).to_pixels(tip(one)) for one in seen}
    for one in {0, 1, 2, 3} - set(seen):  # to begin with, as seen from far away
        tips[one] = tips[(one + 1) % 4] + tips[(one + 3) % 4] - tips[(one + 2) % 4]
    quad = np.array([tips[one] for one in range(4)])
    if not _clockwise(quad):
        return None
    measured = np.array([markers[one] for one in seen])
    # numbers near one for the solver: the grid from -1 to 1, pixels likewise
    middle, reach = quad.mean(axis=0), float(np.abs(quad - quad.mean(axis=0)).max())
    to_unit = np.array([[2 / SIZE, 0, -1], [0, 2 / SIZE, -1], [0, 0, 1]])
    start = _map(2 * GRID / SIZE - 1, (quad - middle) / reach)
    sides = np.linalg.norm(np.roll(markers[seen[0]], -1, axis=0) - markers[seen[0]], axis=1)
    across = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    size = 2 * float(sides.mean() / across.mean())
    arms = np.array([MARKER - tip(one) for one in seen])
    roots = np.array([2 * GRID[one] / SIZE - 1 for one in seen])

    def misses(unknown: NDArray[np.float64]) -> NDArray[np.float64]:
        matrix, (side, height), turns = np.append(unknown[:8], 1).reshape(3, 3), unknown[8:10], unknown[10:]
        c, s = np.cos(turns)[:, None], np.sin(turns)[:, None]
        x, y = arms[..., 0], arms[..., 1]
        turned = np.stack([c * x - s * y, (s * x + c * y) / height], axis=-1) * side
        seen_at = Homography(matrix).to_pixels(roots[:, None] + turned)
        return np.asarray(seen_at - (measured - middle) / reach, np.float64).ravel()

    solved = _least_squares(misses, np.concatenate([start.ravel()[:8], [size, 1.0], np.zeros(len(seen))]))
    side, height, turns = solved[8], solved[9], np.degrees(solved[10:])
    from_unit = np.array([[reach, 0, middle[0]], [0, reach, middle[1]], [0, 0, 1]])
    matrix = from_unit @ np.append(solved[:8], 1).reshape(3, 3) @ to_unit
    misfit = float(np.sqrt((misses(solved) ** 2).sum() / (4 * len(seen)))) * reach / float(sides.mean())
    good = misfit < MOST_MISFIT and 0.8 < height < 1.3 and side > 0 and bool(np.all(np.abs(turns) < MOST_TURN))
    return matrix / matrix[2, 2] if good and _clockwise(Homography(matrix).to_pixels(GRID)) else None


def lifted(matrix: NDArray[np.float64], lift: float, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The grid of cards that lie on the table, moved up to a board's surface.

    Planes one above the other look like one plane scaled about the point under the camera. In the picture that point
    is the vanishing point of the plane's normal (Hartley and Zisserman, Multiple View Geometry, 8.6), for pixels and
    squares as wide as high and a photo that was not cropped.

    matrix: 3x3, grid units to pixels; lift: squares by which the farthest corner moves; shape: of the picture
    """
    if not lift:
        return matrix
    height, width = shape[:2]
    side = max(height, width)
    view = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, side]]) @ matrix
    # columns of the view are at right angles in space and as long as one another: two equations for 1 / focal^2
    (a, b), (d, e) = view[0, :2], view[1, :2]
    g, h = view[2, :2]
    known, wanted = np.array([a * b + d * e, a * a + d * d - b * b - e * e]), -np.array([g * h, g * g - h * h])
    inverse = float(known @ wanted / (known @ known)) if known @ known > 0 else 1.0
    focal2 = 1 / np.clip(inverse, 1 / 4.0**2, 1 / 0.6**2)
    line = np.linalg.inv(view)[2]  # the horizon: line[0] x + line[1] y + line[2] = 0
    foot = np.array([focal2 * line[0], focal2 * line[1], line[2]])
    under = np.linalg.inv(view) @ foot
    under = under[:2] / under[2]
    grow = lift / float(np.linalg.norm(GRID - under, axis=1).max())
    # a point of the board hides the point of the table that is farther from the foot
    move = np.array([[1 + grow, 0, -grow * under[0]], [0, 1 + grow, -grow * under[1]], [0, 0, 1]])
    return np.asarray(matrix @ move, np.float64)


def _map(source: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """3x3 homography that takes four points to four others."""
    return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)), np.float64)


def _clockwise(quad: NDArray[np.float64]) -> bool:
    """Whether four points are convex and clockwise as seen (y down)."""
    sides = np.roll(quad, -1, axis=0) - quad
    following = np.roll(sides, -1, axis=0)
    return bool(np.all(sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0] > 0))


def _least_squares(
    misses: Callable[[NDArray[np.float64]], NDArray[np.float64]], start: NDArray[np.float64], rounds: int = 40
) -> NDArray[np.float64]:
    """Minimum of the sum of squares by Levenberg and Marquardt (SIAM J. Appl. Math. 11, 1963), numeric derivatives."""
    at, damping, step = start, 1e-3, 1e-6
    now = misses(at)
    for _ in range(rounds):
        slopes = np.stack([(misses(at + step * unit) - now) / step for unit in np.eye(len(at))], axis=1)
        normal = slopes.T @ slopes
        change = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), slopes.T @ now)
        there = misses(at + change)
        if there @ there < now @ now:
            gained = now @ now - there @ there
            at, now, damping = at + change, there, damping / 5
            if gained < 1e-10 * (now @ now) + 1e-16:
                break
        else:
            damping *= 5
    return at
