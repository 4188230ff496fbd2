"""The board finder's network and what its maps say: from a picture to a rough quad, by onnxruntime.

The premium layout looks the same in all eight turns and mirrorings, so no picture tells which corner is which, and a
network asked for it would average. Asked for is what all eight have in common: for each point of the board how far it
is from the middle lines, the larger and the smaller of the two distances ("folded" coordinates), beside a mask of the
grid and a map of corners. Any quad about right says how to unfold; then every point of the board votes on the
homography.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.geometry import SIZE, Corners, Homography, warped
from vision.pixels import Pixels

CANVAS = 256
"""Side of the network's input, pixels."""

INNER = 224
"""Longer side of the photo within it: corners a little outside the photo still lie on the canvas."""

STRIDE = 4
"""Canvas pixels a cell of the maps."""

CELLS = CANVAS // STRIDE

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Maps:
    """What the network says of each of CELLS x CELLS cells.

    mask: probability that the cell lies on the 15x15 grid, hidden or not
    far, near: the larger and the smaller distance from the grid's middle lines, 1 at the grid's edge
    corner: probability of a corner there
    """

    mask: NDArray[np.float32]
    far: NDArray[np.float32]
    near: NDArray[np.float32]
    corner: NDArray[np.float32]


@dataclass(frozen=True)
class Rough:
    """A quad from one look.

    corners: canvas pixels, clockwise as seen
    overlap: of the quad and the mask, intersection over union, 0 to 1
    spread: median distance of the cells' votes from the homography, squares
    """

    corners: Corners
    overlap: float
    spread: float


def letterbox(picture: Pixels) -> tuple[Pixels, Floats]:
    """The whole picture on a canvas, INNER pixels on its longer side, and the 3x3 map from its pixels to the canvas."""
    height, width = picture.shape[:2]
    factor = INNER / max(height, width)
    size = max(1, round(width * factor)), max(1, round(height * factor))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
    left, top = (CANVAS - size[0]) // 2, (CANVAS - size[1]) // 2
    fx, fy = size[0] / width, size[1] / height
    matrix = np.array([[fx, 0, 0.5 * fx - 0.5 + left], [0, fy, 0.5 * fy - 0.5 + top], [0, 0, 1]])
    return np.asarray(small, np.uint8), matrix


def on_canvas(small: Pixels) -> NDArray[np.float32]:
    """(3, CANVAS, CANVAS): a picture of at most that size in the middle, of even light and contrast; 0 around it."""
    height, width = small.shape[:2]
    left, top = (CANVAS - width) // 2, (CANVAS - height) // 2
    values = small.astype(np.float32)
    values -= values.mean(axis=(0, 1))
    values /= values.std() + 6.0
    out = np.zeros((3, CANVAS, CANVAS), np.float32)
    out[:, top : top + height, left : left + width] = values.transpose(2, 0, 1)
    return out


class BoardNet:
    """The network; loaded when the first picture is looked at. Raises ModelError for a file that is no such model."""

    def __init__(self, model: Path | None = None, threads: int = 0) -> None:
        """`threads`: 0 takes what onnxruntime thinks best, at most two."""
        self.model = model or Path(str(files("models") / "weights" / "board_finder.onnx"))
        self.threads = threads or 2

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # only when the first photo is looked at

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(str(self.model), options, providers=["CPUExecutionProvider"])
            session.get_inputs()[0].shape.index(CANVAS)
        except Exception as error:  # onnxruntime has no common error class
            raise ModelError(
                f"{self.model}: not a board finder", hint="Install Brettblick again.", path=self.model
            ) from error
        return session

    def look(self, canvas: NDArray[np.float32]) -> Maps:
        """(3, CANVAS, CANVAS) made by `on_canvas` -> the maps."""
        return as_maps(self._session.run(None, {"canvas": canvas[None]})[0][0])


def as_maps(raw: NDArray[np.float32]) -> Maps:
    """The network's four planes (4, CELLS, CELLS): logit of the mask, far, near, logit of the corners."""
    return Maps(_sigmoid(raw[0]), raw[1], raw[2], _sigmoid(raw[3]))


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


FEWEST = 30
"""Cells of a mask below which there is no board."""


def quads(maps: Maps) -> list[Rough]:
    """The quads that the maps speak for, best first; empty when there is no board."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((maps.mask > 0.5).astype(np.uint8), connectivity=8)
    found = []
    for label in sorted(range(1, count), key=lambda k: -int(stats[k, cv2.CC_STAT_AREA]))[:3]:
        if stats[label, cv2.CC_STAT_AREA] < FEWEST:
            break
        blob = labels == label
        best: Rough | None = None
        for quad in first_quads(maps, blob):
            one = voted(maps, blob, quad)
            if one is not None and (best is None or one.overlap - one.spread > best.overlap - best.spread):
                best = one
            if best is not None and best.overlap > 0.9 and best.spread < 0.3:
                break
        if best is not None:
            found.append(best)
    return sorted(found, key=lambda one: one.spread - one.overlap)


def first_quads(maps: Maps, blob: NDArray[np.bool_]) -> Iterator[Floats]:
    """Quads to start from, (4, 2) in cells, clockwise: of the clearest corners, and about the blob."""
    seen = peaks(maps.corner)
    best: tuple[float, Floats] | None = None
    for four in combinations(seen, 4):
        quad = _clockwise(np.array(four))
        if cv2.isContourConvex(quad.astype(np.float32)):
            score = _overlap(quad, blob)
            if best is None or score > best[0]:
                best = score, quad
    if best is not None and best[0] > 0.5:
        yield best[1]
    contours, _ = cv2.findContours(blob.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=len))
    for share in (0.03, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, True), True)
        if len(corners) == 4:
            yield _clockwise(corners[:, 0].astype(np.float64))
            break
    yield _clockwise(cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64))


def peaks(corner: NDArray[np.float32], count: int = 7) -> list[Floats]:
    """The highest local maxima of the corner map, (x, y) in cells, to a part of a cell."""
    smooth = cv2.GaussianBlur(corner, (0, 0), 0.7)
    top = (smooth >= cv2.dilate(smooth, np.ones((5, 5), np.uint8))) & (smooth > 0.03)
    places = sorted(np.argwhere(top), key=lambda p: -float(smooth[p[0], p[1]]))[:count]
    out = []
    for y, x in places:
        y0, x0 = max(y - 2, 0), max(x - 2, 0)
        part = corner[y0 : y + 3, x0 : x + 3].astype(np.float64) ** 2 + 1e-9
        rows, cols = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
        out.append(np.array([(part * cols).sum(), (part * rows).sum()]) / part.sum())
    return out


def voted(maps: Maps, blob: NDArray[np.bool_], quad: Floats) -> Rough | None:
    """The homography that the cells of the blob vote for, starting from a quad (cells); None when it comes to nothing.

    Each cell tells its folded place; the present homography tells which of the eight unfoldings is meant. Weighted
    least squares with Tukey's biweight, on the projective map from cells to the grid.
    """
    rows, cols = np.nonzero(blob)
    xy = np.column_stack([cols, rows]) / (CELLS / 2) - 1.0
    far, near = maps.far[blob].astype(np.float64), maps.near[blob].astype(np.float64)
    mask = maps.mask[blob].astype(np.float64)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    g = cv2.getPerspectiveTransform((quad / (CELLS / 2) - 1.0).astype(np.float32), square).astype(np.float64)
    plane = np.column_stack([xy, np.ones(len(xy))])
    spread = 1.0
    for step in range(8):
        w = xy @ g[2, :2] + g[2, 2]
        if w.min() * w.max() <= 0:
            return None
        uv = (xy @ g[:2, :2].T + g[:2, 2]) / w[:, None]
        size, sign = np.abs(uv), np.where(uv < 0, -1.0, 1.0)
        larger = size[:, 0] >= size[:, 1]
        target = np.where(np.column_stack([larger, ~larger]), far[:, None], near[:, None]) * sign
        miss = np.linalg.norm(target - uv, axis=1)
        spread = float(np.median(miss))
        limit = max(3.5 * spread, 0.06 if step < 4 else 0.04)
        weight = mask * np.maximum(1 - (miss / limit) ** 2, 0) ** 2 / w**2
        normal, right = np.zeros((8, 8)), np.zeros(8)
        for axis, own in ((0, slice(0, 3)), (1, slice(3, 6))):
            rows = np.concatenate([plane, -target[:, axis, None] * xy], axis=1)
            weighted = rows * weight[:, None]
            square_part, line = weighted.T @ rows, weighted.T @ target[:, axis]
            at = np.r_[own, 6:8]
            normal[np.ix_(at, at)] += square_part
            right[at] += line
        solution = np.linalg.solve(normal + 1e-9 * np.eye(8), right)
        g = np.append(solution, 1.0).reshape(3, 3)
    try:
        back = np.linalg.inv(g)
    except np.linalg.LinAlgError:
        return None
    ends = np.column_stack([square.astype(np.float64), np.ones(4)]) @ back.T
    if ends[:, 2].min() * ends[:, 2].max() <= 0:
        return None
    corners = (ends[:, :2] / ends[:, 2:] + 1.0) * (CELLS / 2)
    if np.abs(corners).max() > 4 * CELLS or not cv2.isContourConvex(corners.astype(np.float32)):
        return None
    corners = _clockwise(corners)
    pixels = (corners + 0.5) * STRIDE - 0.5
    return Rough(Corners.of(pixels), _overlap(corners, blob), spread * SIZE / 2)


def _clockwise(quad: Floats) -> Floats:
    around = quad - quad.mean(axis=0)
    return quad[np.argsort(np.arctan2(around[:, 1], around[:, 0]), kind="stable")]


def _overlap(quad: Floats, blob: NDArray[np.bool_]) -> float:
    """Intersection over union of a quad in cells with a blob, on the canvas."""
    drawn = np.zeros(blob.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.round(np.clip(quad, -2000, 2000) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    inside = drawn > 0
    return float((inside & blob).sum() / max((inside | blob).sum(), 1))


FLAT_SIDE = 192
"""Side of the board in the flat view, canvas pixels: 12.8 a square, 2.5 squares of surroundings."""


def flat_view(picture: Pixels, homography: Homography) -> tuple[Pixels, Floats]:
    """The board of a rough grid seen straight on a whole canvas, and the 3x3 map from canvas to picture pixels."""
    side, low = FLAT_SIDE / SIZE, (CANVAS - FLAT_SIDE) / 2 - 0.5
    to_grid = np.array([[1 / side, 0, -low / side], [0, 1 / side, -low / side], [0, 0, 1]])
    matrix = homography.matrix @ to_grid
    return warped(picture, matrix, CANVAS), matrix
