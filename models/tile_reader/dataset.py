"""Crops of single squares with their labels, from rendered tables and from real photos that allow training.

Every crop goes the way of the run-time: through `vision.rectify` with corners that are a little wrong, as the
grid finder's are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.scene import render, sample_params
from models.tile_reader.classes import CLASSES
from vision.geometry import Corners, Homography
from vision.photo import load_photo
from vision.rectify import CROP, rectify

INDEX = {char: k for k, char in enumerate(CLASSES)}
EMPTY_PER_BOARD = 40
"""Empty squares taken from one board; there are many more of them than of any letter."""


@dataclass(frozen=True)
class Crops:
    """crops: (n, 48, 48, 3) uint8 BGR; labels: (n,) index into CLASSES; source: (n,) 0 rendered, 1 real photo."""

    crops: NDArray[np.uint8]
    labels: NDArray[np.int64]
    source: NDArray[np.uint8]

    @staticmethod
    def joined(parts: list[Crops]) -> Crops:
        return Crops(*(np.concatenate([getattr(p, f) for p in parts]) for f in ("crops", "labels", "source")))


def shaken(corners: Corners, rng: np.random.Generator) -> Corners:
    """Corners as an imperfect grid finder gives them: usually within 0.1 square, at times worse."""
    side = Homography.from_corners(corners).square_side()
    sigma = side * rng.choice([0.02, 0.05, 0.09], p=[0.4, 0.45, 0.15])
    common = rng.normal(0, sigma * 0.7, (1, 2))
    return Corners.of(corners.array + common + rng.normal(0, sigma, (4, 2)))


def board_crops(
    pixels: NDArray[np.uint8],
    corners: Corners,
    board: tuple[str, ...] | list[str],
    covered: NDArray[np.bool_] | None,
    rng: np.random.Generator,
    source: int,
) -> Crops:
    """All tiles of one board, its covered squares, and a sample of its empty ones."""
    crops = rectify(pixels, shaken(corners, rng)).crops()
    rows, cols, labels = [], [], []
    empty = []
    for r, row in enumerate(board):
        for c, char in enumerate(row):
            if covered is not None and covered[r, c]:
                char = "*"
            elif char == "*" or char.upper() not in INDEX:
                continue  # truth "do not judge", or a letter that no class stands for
            if char == ".":
                empty.append((r, c))
                continue
            rows.append(r)
            cols.append(c)
            labels.append(INDEX["?" if char.islower() else char])
    for k in rng.permutation(len(empty))[:EMPTY_PER_BOARD]:
        rows.append(empty[k][0])
        cols.append(empty[k][1])
        labels.append(INDEX["."])
    return Crops(
        np.ascontiguousarray(crops[rows, cols]), np.array(labels, np.int64), np.full(len(labels), source, np.uint8)
    )


def rendered(seed: int, without: frozenset[str] = frozenset()) -> Crops:
    """One rendered photo's crops; fixed by the seed."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    scene = render(sample_params(rng, without=without))
    return board_crops(scene.pixels, scene.corners, scene.board, scene.covered, rng, 0)


def _rendered_task(task: tuple[int, frozenset[str]]) -> Crops:
    return rendered(*task)


def rendered_many(seeds: range, workers: int, without: frozenset[str] = frozenset()) -> Iterator[Crops]:
    """Crops of many rendered photos, in the order of the seeds."""
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(_rendered_task, [(seed, without) for seed in seeds], chunksize=4)


def real(folder: Path, seed: int, views: int) -> Crops:
    """Crops of the photos under `folder` whose truth says `train: true`, each in `views` shaken versions."""
    rng = np.random.default_rng(seed)
    parts = []
    for file in sorted(folder.glob("*/truth.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            truth = json.loads(line)
            if not truth.get("train"):
                continue
            photo = load_photo(file.parent / truth["file"])
            corners = Corners.of(truth["corners_px"]).scaled(photo.scale)
            parts += [board_crops(photo.pixels, corners, truth["board"], None, rng, 1) for _ in range(views)]
    if not parts:
        return Crops(np.empty((0, CROP, CROP, 3), np.uint8), np.empty(0, np.int64), np.empty(0, np.uint8))
    return Crops.joined(parts)
