"""How long a photo takes, as a ratio to decoding it, in one run on one thread: python -m bench.photo [PHOTO ...]

Without photos it renders a few tables, enlarged to 12 megapixels as a phone would take them.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from scorer.tiles import GERMAN_102
from vision.board_net import BoardNet
from vision.locate_learned import LearnedLocator
from vision.locate_pose import KnownPose
from vision.locator import BoardLocator
from vision.observe import observe
from vision.onnx_reader import OnnxReader


def rendered_photos(folder: Path, count: int) -> list[Path]:
    from models.table.scene import render, sample_params

    out = []
    for seed in range(count):
        pixels = render(sample_params(np.random.default_rng(seed))).pixels
        factor = (12e6 / (pixels.shape[0] * pixels.shape[1])) ** 0.5
        out.append(folder / f"{seed}.jpg")
        cv2.imwrite(str(out[-1]), cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader, locator = OnnxReader(threads=1), LearnedLocator(BoardNet(threads=1))
    with tempfile.TemporaryDirectory() as folder:
        photos = args.photos or rendered_photos(Path(folder), 6)
        observe(photos[0], locator, reader, GERMAN_102)  # loads the models
        stages: dict[str, dict[str, list[float]]] = {"found": {}, "known pose": {}}
        ratios: dict[str, list[float]] = {kind: [] for kind in stages}
        for path in photos:
            seen = observe(path, locator, reader, GERMAN_102)
            ways: dict[str, BoardLocator] = {"found": locator}
            if seen.photo is not None and seen.corners is not None:
                size = seen.photo.width, seen.photo.height
                ways["known pose"] = KnownPose(seen.corners, size, locator)
            best: dict[str, float] = {}
            plain = float("inf")
            for _ in range(args.runs):
                start = time.perf_counter()
                cv2.imread(str(path))
                plain = min(plain, time.perf_counter() - start)
                for kind, way in ways.items():
                    seconds = observe(path, way, reader, GERMAN_102).seconds
                    best[kind] = min(best.get(kind, float("inf")), sum(seconds.values()))
                    for stage, value in seconds.items():
                        stages[kind].setdefault(stage, []).append(value)
            for kind, value in best.items():
                ratios[kind].append(value / plain)
    for kind in stages:
        for stage, values in stages[kind].items():
            print(f"{kind:11} {stage:10} {1000 * statistics.median(values):7.1f} ms")
        print(f"{kind}: all stages over a plain decode: median {statistics.median(ratios[kind]):.2f}, "
              f"worst {max(ratios[kind]):.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
