"""What the reader is measured on: rendered boards and photos with truth; and reading one of them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.scene import SceneParams, render, sample_params
from models.tile_reader.dataset import shaken
from models.tile_reader.outcome import Outcome
from scorer.tiles import GERMAN_102, TILE_SETS, TileSet
from vision.geometry import SIZE, Corners
from vision.locate_learned import LearnedLocator
from vision.locator import FixedCorners
from vision.observe import observe_photo
from vision.photo import Photo, load_photo
from vision.reading import TileReader

UNCOUNTED = replace(
    GERMAN_102, name="uncounted", tiles=tuple(replace(tile, count=SIZE * SIZE) for tile in GERMAN_102.tiles),
    blanks=SIZE * SIZE,
)  # fmt: skip
"""German letters in any number. Rendered boards hold all letters equally often, so that by the counts of a real set
about one square in ten is doubted, which hides what the reader itself is sure of."""


LOCATOR = LearnedLocator()
"""The grid finder as the run-time uses it; its network is loaded once."""


@dataclass(frozen=True)
class Sample:
    """A decoded photo with its truth.

    truth, covered: as in Outcome; turns: quarters that make each tile upright, where known
    corners: the true ones, given: those to read with; in pixels of the full photo
    seconds: what decoding took, plain: what a plain decoding of the file takes; None for what never was a file
    """

    photo: Photo
    truth: tuple[str, ...]
    corners: Corners
    given: Corners
    tile_set: TileSet = GERMAN_102
    covered: NDArray[np.bool_] | None = None
    turns: NDArray[np.integer] | None = None
    seconds: float = 0.0
    plain: float | None = None


def read(sample: Sample, reader: TileReader, locate: bool = False) -> Outcome:
    """Reads as the run-time does; `locate`: with the grid finder instead of the given corners."""
    locator = LOCATOR if locate else FixedCorners(sample.given)
    seen = observe_photo(sample.photo, locator, reader, sample.tile_set)
    ratio = (sample.seconds + sum(seen.seconds.values())) / sample.plain if sample.plain and seen.found else None
    return Outcome.of(sample.truth, seen.reading, sample.corners, seen.corners, ratio, sample.covered)


def read_all(samples: Iterable[Sample], reader: TileReader, locate: bool = False) -> list[Outcome]:
    """One outcome a sample; no more than one photo is held at a time when the samples are made as they are read."""
    return [read(sample, reader, locate) for sample in samples]


def rendered(
    seeds: Iterable[int], tile_set: TileSet = GERMAN_102, change: Callable[[SceneParams], SceneParams] = lambda p: p
) -> Iterator[Sample]:
    """Boards with everything that may disturb, corners a little off, as a grid finder's are."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        scene = render(change(sample_params(rng)))
        height, width = scene.pixels.shape[:2]
        yield Sample(
            Photo(str(seed), scene.pixels, width, height),
            scene.board,
            scene.corners,
            shaken(scene.corners, rng),
            tile_set,
            covered=scene.covered,
            turns=scene.turns,
        )


def photo_sets(folder: Path, names: Iterable[str] = ()) -> dict[str, Path]:
    """The truth files of the sets in a folder; `names`: only these."""
    wanted = set(names)
    files = {file.parent.name: file for file in sorted(folder.glob("*/truth.jsonl"))}
    return {name: file for name, file in files.items() if not wanted or name in wanted}


def photos(file: Path, timed: bool = True) -> Iterator[Sample]:
    """The photos of one set, read with their true corners; not `timed`: without what a plain decoding takes."""
    for line in file.read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        path, corners = file.parent / truth["file"], Corners.of(truth["corners_px"])
        start = time.perf_counter()
        photo = load_photo(path)
        seconds = time.perf_counter() - start
        yield Sample(
            photo,
            tuple(truth["board"]),
            corners,
            corners,
            TILE_SETS[truth.get("tiles", "german")],
            seconds=seconds,
            plain=decoding_seconds(path) if timed else None,
        )


def best_seconds(work: Callable[[], object], runs: int = 3) -> float:
    """The shortest of some runs."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def decoding_seconds(path: Path, runs: int = 3) -> float:
    """What a plain decoding of the file by OpenCV takes."""
    return best_seconds(lambda: cv2.imread(str(path)), runs)
