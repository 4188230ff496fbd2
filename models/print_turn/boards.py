"""Empty premium squares of rendered boards whose print tells which way up they are, or does not.

Half of the boards bear texts that nobody prints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.table import fillings
from models.table.editions import LABELS, Edition, random_edition
from models.table.scene import SceneParams, render, sample_params
from models.tile_reader.dataset import shaken
from vision.geometry import SIZE, Homography
from vision.pixels import Pixels
from vision.print_turn import FINER, PRINTED, flat_squares

TELLING, SILENT, TO_THE_EDGES = 0, 1, 2
"""Kinds of boards: labels all in reading direction; no labels; labels that are upright for whoever sits nearest."""

TO_THE_EDGE = np.array(
    [
        [(2 if row < col else 1) if row + col < SIZE - 1 else (3 if row < col else 0) for col in range(SIZE)]
        for row in range(SIZE)
    ]
)
"""(15, 15) counter-clockwise quarters by which a label is turned that is upright seen from its edge of the board."""

_STARTS, _VOWELS, _ENDS = "BCDFGHJKLMNPRSTVWZ", "AEIOUÄÖÜ", ("", *"LMNRSTKPD", "CH", "TS")


@dataclass(frozen=True)
class Print:
    """squares: of empty premium squares, as `flat_squares` gives them, in reading direction; kind: TELLING, SILENT or
    TO_THE_EDGES; side: of a square in the photo, pixels"""

    squares: tuple[Pixels, ...]
    kind: int
    side: float


def random_texts(rng: np.random.Generator) -> tuple[str, str, str, str]:
    """Four made-up labels alike in form, of one to three lines."""
    lower, numbered = rng.random() < 0.2, rng.random() < 0.25
    lengths = rng.integers(1, 4, int(rng.choice([1, 2, 3], p=[0.15, 0.4, 0.45])))

    def word(syllables: int) -> str:
        parts = [
            rng.choice(list(_STARTS)) + rng.choice(list(_VOWELS)) + rng.choice(_ENDS) for _ in range(max(1, syllables))
        ]
        return "".join(parts).capitalize() if lower else "".join(parts)

    shared = [word(int(n)) for n in lengths]
    out = []
    for factor in "3232":
        lines = [text if rng.random() < 0.4 else word(int(n)) for text, n in zip(shared, lengths, strict=True)]
        if numbered:
            lines[0] = f"{factor}x" if len(lines) > 1 else f"{factor}{lines[0][:1]}"
        out.append("\n".join(lines))
    return tuple(out)  # type: ignore[return-value]


def print_params(rng: np.random.Generator) -> SceneParams:
    """Draws a board with few tiles or none."""
    few = fillings.random_filling(rng, tiles=int(rng.integers(1, 45)))
    filling = fillings.EMPTY if rng.random() < 0.6 else few
    params = sample_params(rng, filling=filling)
    look: Edition = random_edition(rng) if rng.random() < 0.5 else params.edition
    texts, kind, size = random_texts(rng), rng.random(), float(rng.uniform(0.3, 0.75))
    if kind < 0.45:
        look = replace(look, texts=texts, label_size=size)
    elif kind < 0.75:
        look = replace(look, labels=str(rng.choice([key for key in LABELS if key != "none"])))
    else:
        look = replace(look, labels="none")
    return replace(params, edition=look)


def rendered(seed: int) -> Print:
    """The empty premium squares of one board; fixed by the seed."""
    rng = np.random.default_rng(seed)
    params = print_params(rng)
    scene = render(params)
    corners = shaken(scene.corners, rng)
    empty = PRINTED & np.array([[char == "." for char in row] for row in scene.board]) & ~scene.covered
    squares = list(flat_squares(scene.pixels, corners, empty))
    telling = bool(params.edition.texts or LABELS[params.edition.labels][0])
    to_the_edges = telling and rng.random() < 0.15
    if to_the_edges:
        squares = [
            np.rot90(square, TO_THE_EDGE[tuple(at)]) for square, at in zip(squares, in_blocks(empty), strict=True)
        ]
    kind = TO_THE_EDGES if to_the_edges else TELLING if telling else SILENT
    return Print(tuple(map(np.ascontiguousarray, squares)), kind, Homography.from_corners(scene.corners).square_side())


def in_blocks(wanted: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Row and column of the wanted squares in the order of `flat_squares`."""
    count = SIZE // FINER
    places = np.argwhere(wanted)
    order = np.lexsort((places[:, 1], places[:, 0], places[:, 1] // count, places[:, 0] // count))
    return [(int(row), int(col)) for row, col in places[order]]
