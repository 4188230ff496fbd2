"""A board from its lines alone: two pencils of line segments, their vanishing points, and where both are dense.

Needs no outline: finds a board that fills the picture, lies on cloth of its own colour or has a hand over its edge.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate_proposals import clockwise, plausible

BINS = 90
"""Bins of two degrees for the directions of segments."""

LEAST_SEGMENTS = 50
"""A board seen well gives several hundred segments."""

PLACES = 16
"""Places a side of the picture in which directions are counted together."""

CELLS = 32
"""Cells a side of the coarse map in which the dense region is looked for."""


def pencil_proposals(grey: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
    """Quads, (4, 2) pixels, clockwise, whose sides run along the two strongest pairs of pencils; best first."""
    segments = line_segments(grey)
    if len(segments) < LEAST_SEGMENTS:
        return []
    height, width = grey.shape
    quads = []
    for first, second, kept in direction_pairs(segments, grey.shape):
        points = [vanishing_point(segments[kept], angle, grey.shape) for angle in (first, second)]
        for quad in dense_quads(segments[kept], points[0], points[1], grey.shape):
            if plausible(quad, width, height):
                quads.append(clockwise(quad))
    return quads


def line_segments(grey: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(n, 4) x0, y0, x1, y1 of straight edges (LSD, von Gioi et al., IPOL 2012), contrast stretched first."""
    low, high = np.percentile(grey[::4, ::4], (1, 99))
    gain = 255.0 / max(high - low, 12.0)
    stretched = cv2.convertScaleAbs(np.maximum(grey, low) if low > 0 else grey, alpha=gain, beta=-low * gain)
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(stretched)[0]
    if found is None:
        return np.empty((0, 4))
    segments = found.reshape(-1, 4).astype(np.float64)
    length = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    return segments[length > 0.009 * max(grey.shape)]


def _angles(segments: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Direction in degrees, 0 to 180, and length, at most that of a few squares."""
    dx, dy = segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1]
    length = np.hypot(dx, dy)
    return np.degrees(np.arctan2(dy, dx)) % 180.0, np.minimum(length, 3 * np.median(length))


def direction_pairs(
    segments: NDArray[np.float64], shape: tuple[int, ...]
) -> list[tuple[float, float, NDArray[np.bool_]]]:
    """Up to three pairs of directions in degrees, more than 50 apart, that many segments share in the same places.

    With each pair comes which segments lie where both directions are common: stripes of a cloth have one only.
    """
    angle, length = _angles(segments)
    width = 180 / BINS
    histogram = np.bincount((angle / width).astype(int) % BINS, weights=length, minlength=BINS)
    kernel = np.exp(-0.5 * (np.arange(-6, 7) / 2.5) ** 2)
    smooth = np.convolve(np.concatenate([histogram[-6:], histogram, histogram[:6]]), kernel, mode="valid")
    peaks = np.flatnonzero((smooth >= np.roll(smooth, 1)) & (smooth > np.roll(smooth, -1)))
    peaks = peaks[np.argsort(-smooth[peaks], kind="stable")][:7]
    directions = (peaks + 0.5) * width
    middle = (segments[:, :2] + segments[:, 2:]) / 2
    cell = np.floor(middle / (max(shape) / PLACES)).astype(int).clip(0, PLACES - 1)
    place = cell[:, 1] * PLACES + cell[:, 0]
    maps = []
    for direction in directions:
        near = np.abs((angle - direction + 90) % 180 - 90) < 14
        count = np.bincount(place[near], weights=length[near], minlength=PLACES**2).reshape(PLACES, PLACES)
        maps.append(cv2.blur(count, (3, 3)))
    pairs: list[tuple[float, float, float, NDArray[np.bool_]]] = []
    for one in range(len(peaks)):
        for other in range(one + 1, len(peaks)):
            if 50 < abs(directions[one] - directions[other]) < 130:
                both = np.minimum(maps[one], maps[other])
                kept = (both > 0.25 * np.percentile(both, 95)).ravel()[place]
                if kept.sum() >= LEAST_SEGMENTS:
                    pairs.append((float(both.sum()), float(directions[one]), float(directions[other]), kept))
    pairs.sort(key=lambda pair: -pair[0])
    return [pair[1:] for pair in pairs[:3]]


def vanishing_point(segments: NDArray[np.float64], angle: float, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Where the segments of one pencil meet, homogeneous (3,), in pixels; starts from infinity in direction `angle`."""
    size, middle = float(max(shape)), np.array([shape[1], shape[0]]) / 2
    ends = (segments.reshape(-1, 2, 2) - middle) / size
    mid = ends.mean(axis=1)
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1)
    along = along / length[:, None]
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    lines = np.column_stack([normal, -(normal * mid).sum(axis=1)])
    weight = np.minimum(length, 4 * np.median(length))
    point = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0.0])
    for limit in (18.0, 14.0, 10.0, 7.0, 5.0, 3.0, 2.0, 2.0):
        toward = point[None, :2] - point[2] * mid
        toward = toward / (np.linalg.norm(toward, axis=1, keepdims=True) + 1e-12)
        off = np.degrees(np.arcsin(np.clip(np.abs((toward * normal).sum(axis=1)), 0, 1)))
        trust = weight * np.maximum(1 - (off / limit) ** 2, 0) ** 2
        scatter = (lines * trust[:, None]).T @ lines
        scatter[2, 2] += 0.001 * trust.sum()  # far points are the rule
        point = np.linalg.eigh(scatter)[1][:, 0]
    return np.array([point[0] * size + point[2] * middle[0], point[1] * size + point[2] * middle[1], point[2]])


def dense_quads(
    segments: NDArray[np.float64], one: NDArray[np.float64], other: NDArray[np.float64], shape: tuple[int, ...]
) -> list[NDArray[np.float64]]:
    """The region where segments of both pencils are dense, as a quad along the pencils."""
    centre = np.array([shape[1] / 2, shape[0] / 2, 1.0])
    frame = np.column_stack([_scaled(one, centre), _scaled(other, centre), centre])
    if abs(np.linalg.det(frame)) < 1e-6:
        return []
    to_plane = np.linalg.inv(frame)
    ends = np.concatenate([segments.reshape(-1, 2), np.ones((2 * len(segments), 1))], axis=1) @ to_plane.T
    ahead = (ends[:, 2] > 0.25).reshape(-1, 2).all(axis=1)  # not beyond the horizon
    flat = (ends[:, :2] / ends[:, 2:]).reshape(-1, 2, 2)[ahead]
    run = np.abs(flat[:, 1] - flat[:, 0])
    slope = np.minimum(run[:, 0], run[:, 1]) / (run.max(axis=1) + 1e-9)
    straight = slope < np.tan(np.radians(4))
    flat, run = flat[straight], run[straight]
    if len(flat) < 20:
        return []
    low, high = np.percentile(flat.reshape(-1, 2), (1, 99), axis=0)
    step = (high - low).max() / CELLS
    maps = []
    for axis in (0, 1):
        chosen = run[:, axis] > run[:, 1 - axis]
        # three points of each segment carry its length
        points = np.concatenate([flat[chosen].mean(axis=1), flat[chosen][:, 0], flat[chosen][:, 1]])
        cell = np.floor((points - low) / step).astype(int)
        inside = ((cell >= 0) & (cell < CELLS)).all(axis=1)
        length = np.tile(np.minimum(run[chosen, axis], 3 * step), 3)[inside]
        count = np.zeros((CELLS, CELLS), np.float32)
        np.add.at(count, (cell[inside, 1], cell[inside, 0]), length)
        maps.append(cv2.GaussianBlur(count, (0, 0), 1.5))
    both = np.sqrt(maps[0] * maps[1])
    quads = []
    for share in (0.35, 0.15):
        mask = (both > share * np.percentile(both, 97)).astype(np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        if len(stats) < 2:
            continue
        largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
        rows, cols = np.nonzero(labels == largest)
        x0, x1 = np.percentile(cols, (2, 98))
        y0, y1 = np.percentile(rows, (2, 98))
        x1, y1 = x1 + 1, y1 + 1
        box = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]) * step + low
        corners = np.column_stack([box, np.ones(4)]) @ frame.T
        if np.all(corners[:, 2] > 1e-3):
            quads.append(corners[:, :2] / corners[:, 2:])
    return quads


def _scaled(point: NDArray[np.float64], centre: NDArray[np.float64]) -> NDArray[np.float64]:
    """The vanishing point scaled so that one unit at the picture's centre is one pixel, with a steady sign."""
    # derivative of (centre + t point) / (1 + t point_z) at t = 0
    speed = float(np.linalg.norm(point[:2] - point[2] * centre[:2]))
    leading = point[int(np.argmax(np.abs(point[:2])))]
    return (1.0 if leading > 0 else -1.0) * point / max(speed, 1e-9)
