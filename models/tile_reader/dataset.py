"""Crops of single squares with their labels, from rendered tables and from real photos that allow training.

Every crop goes the way of the run-time: through `vision.rectify` with corners that are a little wrong, as the
grid finder's are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.scene import SceneParams, render, sample_params
from models.table.tiles import random_dimples
from models.tile_reader.classes import CLASSES, OTHER
from vision.geometry import SIZE, Corners, Homography
from vision.photo import load_photo
from vision.rectify import CROP, rectify

INDEX = {char: k for k, char in enumerate(CLASSES)}
EMPTY_PER_BOARD = 60
"""Empty squares taken from one board; there are many more of them than of any letter."""


@dataclass(frozen=True)
class Crops:
    """Squares of many boards.

    crops:    (n, 48, 48, 3) uint8 BGR
    labels:   (n,) index into CLASSES
    quarters: (n,) counter-clockwise quarter turns that would make the tile upright
    places:   (n, 2) row and column
    boards:   (n,) which board a square is of: 0, 1, ... in order, the squares of one board beside each other
    source:   (n,) 0 rendered, 1 real photo
    """

    crops: NDArray[np.uint8]
    labels: NDArray[np.int64]
    quarters: NDArray[np.uint8]
    places: NDArray[np.uint8]
    boards: NDArray[np.int64]
    source: NDArray[np.uint8]

    @staticmethod
    def joined(parts: Sequence[Crops]) -> Crops:
        """All in one, the boards numbered on."""
        counts = [int(p.boards.max()) + 1 if len(p.boards) else 0 for p in parts]
        offsets = np.cumsum([0, *counts[:-1]])
        parts = [replace(p, boards=p.boards + offset) for p, offset in zip(parts, offsets, strict=True)]
        return Crops(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Crops)))

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, **{f.name: getattr(self, f.name) for f in fields(self)})

    @staticmethod
    def load(path: Path) -> Crops:
        with np.load(path) as data:
            return Crops(*(data[f.name] for f in fields(Crops)))


NONE = Crops(
    np.empty((0, CROP, CROP, 3), np.uint8),
    np.empty(0, np.int64),
    np.empty(0, np.uint8),
    np.empty((0, 2), np.uint8),
    np.empty(0, np.int64),
    np.empty(0, np.uint8),
)


def label(char: str) -> int:
    """Class of a character of a board: '.', '?', a letter (lower case: a blank), anything else another letter."""
    return INDEX["?" if char.islower() else char if char in INDEX else OTHER]


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
    rng: np.random.Generator,
    source: int,
    covered: NDArray[np.bool_] | None = None,
    turns: NDArray[np.integer] | None = None,
) -> Crops:
    """All tiles of one board, its covered squares, and a sample of its empty ones; "*" in the board is left out."""
    crops = rectify(pixels, shaken(corners, rng)).crops()
    chars = np.array([list(row) for row in board])
    hidden = np.zeros((SIZE, SIZE), bool) if covered is None else covered
    judged = hidden | (chars != "*")
    empty = (chars == ".") & ~hidden
    sample = rng.permutation(np.argwhere(empty))[:EMPTY_PER_BOARD]
    places = np.concatenate([np.argwhere(judged & ~empty), sample])
    labels = [INDEX["*"] if hidden[r, c] else label(chars[r, c]) for r, c in places]
    rows, cols = places.T
    n = len(places)
    return Crops(
        np.ascontiguousarray(crops[rows, cols]),
        np.array(labels, np.int64),
        (np.zeros(n, np.uint8) if turns is None else turns[rows, cols].astype(np.uint8)),
        places.astype(np.uint8),
        np.zeros(n, np.int64),
        np.full(n, source, np.uint8),
    )


def harder(params: SceneParams, rng: np.random.Generator) -> SceneParams:
    """The scene as one of two kinds that a first training found hardest: smeared by up to a third of a square, or with
    moulded tiles whose dimples touch the letters."""
    if rng.random() < 0.5:
        side = params.camera.square_px * params.sensor.shrink
        length = float(rng.uniform(0.12, 0.3)) * side
        return replace(params, sensor=replace(params.sensor, motion=length, defocus=min(params.sensor.defocus, 0.8)))
    style = params.style
    return replace(params, style=replace(style, dimples=random_dimples(rng, style.letter_size, style.letter_at)))


def rendered(seed: int, without: frozenset[str] = frozenset(), hard: bool = False) -> Crops:
    """One rendered photo's crops; fixed by the seed."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    params = sample_params(rng, without=without)
    scene = render(harder(params, rng) if hard else params)
    return board_crops(scene.pixels, scene.corners, scene.board, rng, 0, scene.covered, scene.turns)


def _rendered_task(task: tuple[int, frozenset[str], bool]) -> Crops:
    return rendered(*task)


def rendered_many(
    seeds: range, workers: int, without: frozenset[str] = frozenset(), hard: bool = False
) -> Iterator[Crops]:
    """Crops of many rendered photos, in the order of the seeds."""
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(_rendered_task, [(seed, without, hard) for seed in seeds], chunksize=4)


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
            parts += [board_crops(photo.pixels, corners, truth["board"], rng, 1) for _ in range(views)]
    return Crops.joined(parts) if parts else NONE
