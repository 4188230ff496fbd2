"""Photos of a game played as a stream: python -m bench.stream PHOTO... --out FILE.avi [--hold 5] [--fade 0.4]

Each photo is held for so many seconds and faded into the next one, with noise that changes from frame to frame, as a
camera would see a table at which moves appear by themselves.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.photo import load_photo
from vision.pixels import Pixels

NOISE = 3.0
"""Deviation of the noise, in grey levels."""


def stream(
    photos: Sequence[Path],
    size: tuple[int, int],
    rate: float = 10.0,
    hold: float = 5.0,
    fade: float = 0.4,
    seed: int = 0,
) -> Iterator[Pixels]:
    """The frames. size: width and height; photos of another shape get black margins."""
    rng = np.random.default_rng(seed)
    pictures = [_fitted(load_photo(path, 4000).pixels, size) for path in photos]
    tile = rng.normal(0, NOISE, (size[1] + 64, size[0] + 64, 3)).astype(np.float32)

    def noisy(picture: np.ndarray) -> Pixels:
        x, y = rng.integers(0, 64, 2)  # as good as new noise, at a tenth of the time
        return np.clip(picture + tile[y : y + size[1], x : x + size[0]], 0, 255).astype(np.uint8)

    held, faded = round((hold - fade) * rate), max(1, round(fade * rate))
    for number, picture in enumerate(pictures):
        if number:
            for k in range(1, faded + 1):
                share = k / (faded + 1)
                yield noisy(pictures[number - 1] * (1 - share) + picture * share)
        for _ in range(held):
            yield noisy(picture)


def _fitted(pixels: Pixels, size: tuple[int, int]) -> np.ndarray:
    height, width = pixels.shape[:2]
    factor = min(size[0] / width, size[1] / height)
    small = cv2.resize(pixels, (round(width * factor), round(height * factor)), interpolation=cv2.INTER_AREA)
    out = np.zeros((size[1], size[0], 3), np.float32)
    top, left = (size[1] - small.shape[0]) // 2, (size[0] - small.shape[1]) // 2
    out[top : top + small.shape[0], left : left + small.shape[1]] = small
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--hold", type=float, default=5.0)
    parser.add_argument("--fade", type=float, default=0.4)
    parser.add_argument("--rate", type=float, default=10.0)
    parser.add_argument("--size", default="1280x720")
    args = parser.parse_args()
    width, height = map(int, args.size.split("x"))
    writer = cv2.VideoWriter(str(args.out), cv2.VideoWriter.fourcc(*"MJPG"), args.rate, (width, height))
    for frame in stream(args.photos, (width, height), args.rate, args.hold, args.fade):
        writer.write(frame)
    writer.release()


if __name__ == "__main__":
    main()
