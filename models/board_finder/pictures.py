"""Real pictures without a board, from packages that carry test pictures; nothing is downloaded here.

    for name, pixels in real_pictures(): ...      # pip install "brettblick[measure]"

Absent packages are skipped: check how many came. Stereo twins, drawings, masks and pictures under 100 pixels are left
out, and pictures that a package carries without the right to.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from importlib import metadata

import cv2
import numpy as np

from vision.pixels import Pixels

LEAST_SIDE = 100
"""Shorter side of a picture below which it is not worth looking at, pixels."""

PICTURES = {
    "scikit-image": (
        *("astronaut.png", "brick.png", "camera.png", "cell.png", "chelsea.png", "clock_motion.png", "coffee.png"),
        *("coins.png", "grass.png", "gravel.png", "hubble_deep_field.jpg", "ihc.png", "moon.png"),
        *("motorcycle_left.png", "page.png", "retina.jpg", "rocket.jpg", "text.png"),
    ),
    "scikit-learn": ("china.jpg", "flower.jpg"),
    "matplotlib": ("grace_hopper.jpg",),
    "mahotas": ("luispedro.jpg", "nuclear.png"),
    "foolbox": ("imagenet_*.jpg",),
}
"""File names, or patterns of them, by the package (as pip names it) that carries them."""


def real_pictures() -> Iterator[tuple[str, Pixels]]:
    """(package/file, (h, w, 3) uint8 BGR) of each real picture that the installed packages carry, in fixed order."""
    for package, patterns in PICTURES.items():
        try:
            files = metadata.files(package) or ()
        except metadata.PackageNotFoundError:
            continue
        for pattern in patterns:  # other releases may carry other pictures
            for file in sorted(file for file in files if fnmatch(file.name, pattern) and "tests" not in file.parts):
                pixels = cv2.imread(str(file.locate()), cv2.IMREAD_COLOR)
                if pixels is not None and min(pixels.shape[:2]) >= LEAST_SIDE:
                    yield f"{package}/{file.name}", np.asarray(pixels, np.uint8)
