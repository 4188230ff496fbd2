"""Rendered tables for the board finder, and the file they are kept in.

Finding the grid needs other tables than reading does: flatter views, boards small in the picture or cut off by its
edge, every size of squares; letters need not be legible.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.scene import SceneParams, render, sample_params
from vision.geometry import Corners
from vision.locate import shrink
from vision.photo import load_photo
from vision.pixels import Pixels

LONGEST = 520
"""Longer side of a kept picture, pixels."""


@dataclass(frozen=True)
class Picture:
    """pixels: (h, w, 3) uint8 BGR; corners: (4, 2) outer corners of the grid in these pixels, None without a board."""

    pixels: Pixels
    corners: NDArray[np.float64] | None = None


def finder_params(rng: np.random.Generator) -> SceneParams:
    """Draws a table as the finder may meet it."""
    u = rng.uniform
    params = sample_params(rng, square_px=(11, 26), max_tilt=40)
    camera, sensor = params.camera, params.sensor
    if rng.random() < 0.18:
        camera = replace(camera, tilt=float(u(38, 62)))
    margins = np.array(camera.margins)
    kind = rng.random()
    if kind < 0.3:  # much of the room around
        margins = margins + u(0.0, 0.9, 4) * u(0, 1)
    elif kind < 0.5:  # an edge or a corner of the picture close to the grid, or inside it
        tight = rng.random(4) < 0.4
        margins = np.where(tight, u(-0.07, 0.04, 4), margins)
    camera = replace(camera, margins=tuple(float(m) for m in margins))
    if rng.random() < 0.15:
        sensor = replace(sensor, defocus=float(u(0.06, 0.2) * camera.square_px), motion=0.0)
    return replace(params, camera=camera, sensor=sensor)


def rendered(seed: int) -> Picture:
    """One table."""
    scene = render(finder_params(np.random.default_rng(seed)))
    small, factor = shrink(scene.pixels, LONGEST)
    corners = (scene.corners.array + 0.5) * factor - 0.5
    return Picture(small, corners)


def photos_to_train(folder: Path) -> Iterator[Picture]:
    """The real photos whose licence allows training."""
    for file in sorted(folder.glob("*/truth.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            truth = json.loads(line)
            if truth.get("train"):
                photo = load_photo(file.parent / truth["file"])
                small, factor = shrink(photo.pixels, LONGEST)
                corners = np.array(truth["corners_px"]) * photo.scale
                yield Picture(small, (corners + 0.5) * factor - 0.5)


def rendered_many(seeds: Iterable[int], workers: int) -> Iterator[Picture]:
    """Tables in the order of their seeds."""
    if workers < 2:
        yield from map(rendered, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.imap(rendered, seeds, chunksize=4)


def save(path: Path, pictures: Iterable[Picture]) -> None:
    """Keeps pictures as JPEG in one file."""
    files, corners = [], []
    for picture in pictures:
        files.append(cv2.imencode(".jpg", picture.pixels, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].ravel())
        corners.append(np.full((4, 2), np.nan) if picture.corners is None else picture.corners)
    ends = np.cumsum([len(file) for file in files])
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, jpeg=np.concatenate(files), ends=ends, corners=np.array(corners, np.float32))


def load(path: Path) -> list[Picture]:
    """The pictures of a file made by `save`."""
    with np.load(path) as data:
        jpeg, ends, corners = data["jpeg"], data["ends"], data["corners"].astype(np.float64)
    out = []
    for file, where in zip(np.split(jpeg, ends[:-1]), corners, strict=True):
        pixels = cv2.imdecode(file, cv2.IMREAD_COLOR)
        out.append(Picture(np.asarray(pixels, np.uint8), None if np.isnan(where).any() else where))
    return out


def true_corners(picture: Picture) -> Corners | None:
    """The corners as the run-time writes them."""
    return None if picture.corners is None else Corners.of(picture.corners)
