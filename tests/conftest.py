"""Shared fixtures: readings made from a board, and the folder of real photos and games where it exists."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.table.fonts import FAMILIES_VARIABLE
from vision.reading import BoardReading

os.environ.setdefault(FAMILIES_VARIABLE, "Lato,Open Sans")
"""Rendered tables look the same on every machine: with the two families that the set-up installs, whatever else is
there. What is asserted of a picture must not depend on the typefaces of a machine."""

ROOT = Path(__file__).resolve().parent.parent
CLASSES = (".", "?", "*", *"AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ")

MakeReading = Callable[..., BoardReading]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real photos and games beside the repository; they are not ours to ship."""
    folder = ROOT.parent / "shared"
    if not (folder / "photos").is_dir():
        pytest.skip("the folder of real photos and games is not here: ../shared")
    return folder


@pytest.fixture(scope="session")
def make_reading() -> MakeReading:
    """(rows, {(row, col): {char: probability}}) -> a reading that is sure of the rows but for the given squares."""

    def make(rows: Sequence[str], unsure: Mapping[tuple[int, int], Mapping[str, float]] | None = None) -> BoardReading:
        probs = np.full((15, 15, len(CLASSES)), 1e-6)
        for r, row in enumerate(rows):
            for c, char in enumerate(row):
                given = (unsure or {}).get((r, c), {"?" if char.islower() else char: 1.0})
                for letter, probability in given.items():
                    probs[r, c, CLASSES.index(letter)] += probability
        probs /= probs.sum(axis=-1, keepdims=True)
        return BoardReading(np.log(probs).astype(np.float32), CLASSES, doubt_below=0.9)

    return make


@pytest.fixture(scope="session")
def demo_photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The twelve photos of the demo game, rendered once; truth.json lies beside them."""
    from models.table.demo import render_demo

    return render_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session")
def demo_truth(demo_photos: list[Path]) -> list[dict[str, Any]]:
    """What each demo photo shows: kind, tiles, corners_px, board."""
    return json.loads((demo_photos[0].parent / "truth.json").read_text(encoding="utf-8"))
