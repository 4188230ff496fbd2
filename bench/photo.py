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
from vision.locate import ClassicLocator
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
    reader = OnnxReader(threads=1)
    with tempfile.TemporaryDirectory() as folder:
        photos = args.photos or rendered_photos(Path(folder), 6)
        observe(photos[0], ClassicLocator(), reader, GERMAN_102)  # loads the model
        stages: dict[str, list[float]] = {}
        ratios = []
        for path in photos:
            plain, whole = [], []
            for _ in range(args.runs):
                start = time.perf_counter()
                cv2.imread(str(path))
                plain.append(time.perf_counter() - start)
                seconds = observe(path, ClassicLocator(), reader, GERMAN_102).seconds
                whole.append(sum(seconds.values()))
                for stage, value in seconds.items():
                    stages.setdefault(stage, []).append(value)
            ratios.append(min(whole) / min(plain))
    for stage, values in stages.items():
        print(f"{stage:10} {1000 * statistics.median(values):7.1f} ms")
    print(f"all stages over a plain decode: median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")


if __name__ == "__main__":
    main()
