"""Quadrilaterals in a small picture that may be the board, its frame or its grid: the cheap first guess.

A proposal only has to give the two vanishing points of the grid and, roughly, where it ends; position and pitch of the
lines inside are found afterwards (`vision.locate_grid`).
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

MIN_AREA = 0.03
"""Smallest share of the picture that a board covers: a sixth of each side."""


def proposals(bgr: NDArray[np.uint8], lab: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
    """Distinct quads, (4, 2) pixels, clockwise from the corner nearest the picture's top-left, in the order found."""
    height, width = lab.shape[:2]
    kept: list[NDArray[np.float64]] = []
    near = 0.012 * max(width, height)

    def keep(quad: NDArray[np.float64] | None) -> None:
        if quad is None or not plausible(quad, width, height):
            return
        quad = clockwise(quad)
        if all(np.abs(quad - other).max() > near for other in kept):
            kept.append(quad)

    for mask in masks(bgr, lab):
        for hull in _hulls(mask):
            keep(_approximated(hull))
            keep(_longest_edges(hull))
    keep(np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], np.float64))
    return kept


def masks(bgr: NDArray[np.uint8], lab: NDArray[np.uint8]) -> Iterator[MatLike]:
    """Binary pictures in which a board may be one blob: global and local thresholds on each channel, closed edges."""
    size = max(lab.shape[:2])
    kernel = np.ones((5, 5), np.uint8)
    high, low = bgr.max(axis=2), bgr.min(axis=2)
    channels = [np.ascontiguousarray(lab[..., k]) for k in range(3)] + [cv2.subtract(high, low)]
    for channel in channels:
        smooth = cv2.GaussianBlur(channel, (0, 0), size / 250)
        _, mask = cv2.threshold(smooth, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        yield cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
        yield cv2.morphologyEx(cv2.bitwise_not(mask), cv2.MORPH_CLOSE, kernel)
    grey = channels[0]
    block = int(size / 16) | 1
    for sign in (cv2.THRESH_BINARY_INV, cv2.THRESH_BINARY):
        yield cv2.morphologyEx(
            cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, sign, block, 7), cv2.MORPH_CLOSE, kernel
        )
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.2)
    for level in (1.0, 0.4):
        middle = max(20.0, float(np.median(smooth)) * level)
        edges = cv2.Canny(smooth, 0.4 * middle, 0.9 * middle)
        yield cv2.dilate(edges, kernel)
        yield cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((13, 13), np.uint8))


def _hulls(mask: MatLike) -> Iterator[MatLike]:
    """Convex hulls of the largest blobs."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    least = MIN_AREA * mask.size
    hulls = [cv2.convexHull(contour) for contour in contours if len(contour) > 3]
    areas = np.array([cv2.contourArea(hull) for hull in hulls])
    for number in np.argsort(-areas, kind="stable")[:4]:
        if areas[number] >= least:
            yield hulls[number]


def _approximated(hull: MatLike) -> NDArray[np.float64] | None:
    length = cv2.arcLength(hull, True)
    for share in (0.01, 0.02, 0.03, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) == 4:
            return corners[:, 0].astype(np.float64)
        if len(corners) < 4:
            return None
    return None


def _longest_edges(hull: MatLike) -> NDArray[np.float64] | None:
    """The quad of the four longest hull edges: survives a hand or a shadow over a corner."""
    corners = cv2.approxPolyDP(hull, 0.008 * cv2.arcLength(hull, True), True)[:, 0].astype(np.float64)
    if len(corners) < 4:
        return None
    ends = np.roll(corners, -1, axis=0)
    longest = np.sort(np.argsort(-np.linalg.norm(ends - corners, axis=1), kind="stable")[:4])
    lines = np.cross(_homogeneous(corners[longest]), _homogeneous(ends[longest]))
    meets = np.cross(lines, np.roll(lines, -1, axis=0))
    if np.any(np.abs(meets[:, 2]) < 1e-9):
        return None
    return meets[:, :2] / meets[:, 2:]


def _homogeneous(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([points, np.ones(len(points))])


def clockwise(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners clockwise (as seen, y down), starting with the one nearest the picture's top-left corner."""
    around = quad - quad.mean(axis=0)
    quad = quad[np.argsort(np.arctan2(around[:, 1], around[:, 0]), kind="stable")]
    return np.roll(quad, -int(np.argmin(quad.sum(axis=1))), axis=0)


def plausible(quad: NDArray[np.float64], width: int, height: int, reach: float = 0.3) -> bool:
    """Convex, of board-like size and sides, and not much outside the picture."""
    size = np.array([width, height])
    if np.any(quad < -reach * size) or np.any(quad > (1 + reach) * size):
        return False
    sides = np.roll(quad, -1, axis=0) - quad
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if not (np.all(turns > 0) or np.all(turns < 0)):
        return False
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < 0.35 * lengths.max():
        return False
    return bool(cv2.contourArea(quad.astype(np.float32)) >= MIN_AREA * width * height)
