"""One picture out of several of the same, with less noise."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.live.sight import Place
from vision.pixels import Pixels

Part = tuple[slice, slice]

MOST_SHIFT = 4.0
"""Pixels by which a frame may be shifted to be averaged."""

NO_SHIFT = 0.1
"""Pixels of a shift that is not worth interpolating."""

AGREE = 14
"""Levels within which frames agree, blurred over a few pixels; where they do not, the sharpest alone counts."""

WINDOW = 512
"""Side in pixels of the part by which frames are aligned."""


def board_part(place: Place | None, pixels: Pixels) -> Part:
    """The rectangle of a frame that the board lies in; all of it when the place is not known."""
    height, width = pixels.shape[:2]
    if place is None:
        return np.s_[0:height, 0:width]
    points = place.corners.array
    x0, y0 = np.clip(np.floor(points.min(axis=0)).astype(int), 0, (width - 2, height - 2))
    x1, y1 = np.clip(np.ceil(points.max(axis=0)).astype(int) + 1, (x0 + 2, y0 + 2), (width, height))
    return np.s_[int(y0) : int(y1), int(x0) : int(x1)]


def sharpness(pixels: Pixels, part: Part) -> float:
    """How much detail a part of a frame shows: mean absolute Laplacian of its green channel, levels. Comparable between
    frames of the same camera in the same light only."""
    green = np.ascontiguousarray(pixels[part][..., 1])
    return float(np.abs(cv2.Laplacian(green, cv2.CV_16S)).mean())


def fused(frames: Sequence[Pixels], part: Part) -> Pixels:
    """The mean of frames of the same size, the first being the sharpest: where they agree with it, once shifted on it.

    part: by which they are aligned (phase correlation, to a tenth of a pixel)
    """
    best = frames[0]
    if len(frames) == 1:
        return best
    total, count = best.astype(np.float32), 1
    for frame in frames[1:]:
        shift = _shift(best, frame, part)
        if np.abs(shift).max() > MOST_SHIFT:
            continue
        if np.abs(shift).max() > NO_SHIFT:
            matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
            flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
            frame = cv2.warpAffine(frame, matrix, frame.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
        apart = cv2.blur(cv2.absdiff(best, frame), (5, 5)).max(axis=-1) > AGREE
        apart = cv2.dilate(apart.astype(np.uint8), np.ones((9, 9), np.uint8))
        same = best.copy()
        cv2.copyTo(frame, 1 - apart, same)
        cv2.accumulate(same, total)
        count += 1
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / count), np.uint8)


def _shift(one: Pixels, other: Pixels, part: Part) -> tuple[float, float]:
    """By how many pixels (right, down) the second frame's board lies further than the first one's."""
    first, second = (_middle(frame[part][..., 1]).astype(np.float32) for frame in (one, other))
    (x, y), _ = cv2.phaseCorrelate(first, second, cv2.createHanningWindow(first.shape[1::-1], cv2.CV_32F))
    return float(x), float(y)


def _middle(plane: Pixels) -> Pixels:
    height, width = plane.shape
    top, left = max(0, (height - WINDOW) // 2), max(0, (width - WINDOW) // 2)
    return plane[top : top + WINDOW, left : left + WINDOW]
