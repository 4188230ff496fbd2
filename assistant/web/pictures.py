"""Pictures for the page, made in the process that reads photos: every function here is a job for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2

from assistant.report.pictures import CROP_QUALITY, PHOTO_QUALITY, open_again
from scorer.board import Square
from vision.observe import Observation
from vision.photo import decode, photo_bytes
from vision.pixels import Pixels

LONG_SIDE = 1600
"""Longer side of a photo on the page, pixels."""


def display_copy(photo: Path, copy: Path) -> None:
    """Writes a smaller copy of a photo, upright; PhotoError where it cannot be decoded."""
    pixels = decode(photo_bytes(photo), str(photo), LONG_SIDE).pixels
    height, width = pixels.shape[:2]
    factor = LONG_SIDE / max(width, height)
    if factor < 1:
        pixels = cv2.resize(pixels, (round(width * factor), round(height * factor)), interpolation=cv2.INTER_AREA)
    write_jpeg(pixels, copy, PHOTO_QUALITY)


def cut_crops(photo: Path, seen: Observation, where: Mapping[Square, Path]) -> None:
    """Writes a crop of each square; none of squares that are not in the picture. PhotoError where the photo cannot be
    decoded."""
    opened = open_again(photo, replace(seen, digest=""))
    for square, path in where.items():
        pixels = opened.crop_pixels(square)
        if pixels is not None:
            write_jpeg(pixels, path, CROP_QUALITY)


def write_jpeg(pixels: Pixels, path: Path, quality: int) -> None:
    """Whole or not at all: somebody may ask for it meanwhile."""
    jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    temporary.write_bytes(jpeg)
    temporary.replace(path)
