"""Measures the committed reader, as the run-time uses it.

python -m models.tile_reader.evaluate --boards 100            rendered boards, corners a little off
python -m models.tile_reader.evaluate --boards 100 --locate   the grid finder included
python -m models.tile_reader.evaluate --photos FOLDER         photo sets with truth.jsonl, true corners

Columns: squares and tiles read right, boards without any error, wrong squares not marked doubtful, share of squares
marked doubtful.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from models.table.scene import render, sample_params
from models.tile_reader.dataset import shaken
from scorer.tiles import GERMAN_102, TILE_SETS
from vision.geometry import Corners, Homography
from vision.locate import ClassicLocator
from vision.locator import FixedCorners
from vision.observe import observe_photo
from vision.onnx_reader import OnnxReader
from vision.photo import Photo, load_photo
from vision.reading import BoardReading


@dataclass
class Tally:
    """Sums over boards; `located` counts boards whose grid was right to a quarter of a square."""

    boards: int = 0
    located: int = 0
    squares: int = 0
    right: int = 0
    tiles: int = 0
    tiles_right: int = 0
    exact: int = 0
    silent: int = 0
    doubtful: int = 0
    confusions: Counter[str] = field(default_factory=Counter)

    def add(self, truth: list[str], reading: BoardReading | None) -> None:
        self.boards += 1
        doubtful = set(reading.doubtful) if reading else set()
        errors = 0
        for r, row in enumerate(truth):
            for c, want in enumerate(row):
                if want == "*":
                    continue
                self.squares += 1
                self.tiles += want != "."
                if reading is None:
                    errors += 1
                    continue
                got = reading.rows[r][c]
                known = want in ".?" or want in reading.classes
                ok = got == want if known else got != "."
                self.right += ok
                self.tiles_right += ok and want != "."
                self.doubtful += (r, c) in doubtful
                if not ok:
                    errors += 1
                    self.silent += (r, c) not in doubtful
                    self.confusions[f"{want}>{got}"] += 1
        self.exact += errors == 0

    def line(self, name: str) -> str:
        n, t = max(self.squares, 1), max(self.tiles, 1)
        return (
            f"{name:24} boards {self.boards:4} located {self.located:4} squares {self.right / n:.5f} "
            f"tiles {self.tiles_right / t:.5f} exact {self.exact:4} "
            f"silent {self.silent:4} doubtful {self.doubtful / n:.4f}"
        )


def grid_error(truth: Corners, found: Corners) -> float:
    """Largest error over the 16x16 crossings, in squares."""
    a, b = Homography.from_corners(truth), Homography.from_corners(found)
    return float(np.abs(a.to_grid(b.lattice()) - a.to_grid(a.lattice())).max())


def rendered(seeds: range, locate: bool, reader: OnnxReader) -> Tally:
    tally = Tally()
    for seed in seeds:
        rng = np.random.default_rng(seed)
        scene = render(sample_params(rng))
        truth = [
            "".join("*" if hidden else char for char, hidden in zip(*pair, strict=True))
            for pair in zip(scene.board, scene.covered, strict=True)
        ]
        locator = ClassicLocator() if locate else FixedCorners(shaken(scene.corners, rng))
        height, width = scene.pixels.shape[:2]
        seen = observe_photo(Photo(str(seed), scene.pixels, width, height), locator, reader, GERMAN_102)
        tally.add(truth, seen.reading)
        tally.located += seen.corners is not None and (not locate or grid_error(scene.corners, seen.corners) < 0.25)
    return tally


def photo_sets(folder: Path, reader: OnnxReader) -> Iterator[tuple[str, Tally]]:
    for file in sorted(folder.glob("*/truth.jsonl")):
        tally = Tally()
        for line in file.read_text(encoding="utf-8").splitlines():
            truth = json.loads(line)
            locator = FixedCorners(Corners.of(truth["corners_px"]))
            tile_set = TILE_SETS[truth.get("tiles", "german")]
            tally.add(
                truth["board"],
                observe_photo(load_photo(file.parent / truth["file"]), locator, reader, tile_set).reading,
            )
            tally.located += 1
        yield file.parent.name, tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=500_000, help="far from the seeds of training")
    parser.add_argument("--locate", action="store_true")
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--confusions", type=int, default=0, help="also list this many of the commonest confusions")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader = OnnxReader(args.model)
    if args.photos:
        results = list(photo_sets(args.photos, reader))
    else:
        seeds = range(args.first_seed, args.first_seed + args.boards)
        results = [("rendered, located" if args.locate else "rendered", rendered(seeds, args.locate, reader))]
    for name, tally in results:
        print(tally.line(name))
    for pair, count in sum((t.confusions for _, t in results), Counter()).most_common(args.confusions):
        print(f"  {pair}: {count}")


if __name__ == "__main__":
    main()
