"""How tiles are read that lie a quarter or half turn round among upright ones, on rendered boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.tile_reader.outcome import LETTERS, Outcome, table
from models.tile_reader.samples import UNCOUNTED, read, rendered
from vision.reading import TileReader

SHARE = 0.2
"""Share of the tiles that are turned."""

HOW = ("upright", "a quarter", "upside down", "a quarter")
"""By the quarters that make a tile upright again."""

LOOK_ALIKE = "HINOSXZ"
"""Letters that look the same, or like one another, in another turn."""

GROUPS = {"other letters": LETTERS - {*LOOK_ALIKE, *"MW"}, "H I N O S X Z": {*LOOK_ALIKE}, "M W": {*"MW"}}


@dataclass
class Count:
    """Tiles; those read right, marked or not; those marked doubtful; those wrong without a mark."""

    tiles: int = 0
    right: int = 0
    doubtful: int = 0
    silent: int = 0


Counts = dict[tuple[str, str], Count]


def measured(seeds: range, reader: TileReader) -> Counts:
    """Boards with everything that may disturb, a fifth of the tiles turned, letters in any number."""
    samples = rendered(seeds, UNCOUNTED, lambda params: replace(params, turned=SHARE, askew=0.0))
    return counted((read(sample, reader), sample.turns) for sample in samples if sample.turns is not None)


def counted(boards: Iterable[tuple[Outcome, NDArray[np.integer]]]) -> Counts:
    """By group of letters and turn; `turns`: (15, 15) counter-clockwise quarters that make the tile upright."""
    out = {(group, how): Count() for group in GROUPS for how in dict.fromkeys(HOW)}
    group_of = {char: group for group, chars in GROUPS.items() for char in chars}
    for outcome, turns in boards:
        for row, col in map(tuple, np.argwhere(outcome.tile)):
            group = group_of.get(str(outcome.want[row, col]))
            if group is None:
                continue  # a blank looks the same in every turn
            count = out[group, HOW[int(turns[row, col]) % 4]]
            count.tiles += 1
            count.right += bool(outcome.right[row, col])
            count.doubtful += bool(outcome.doubtful[row, col])
            count.silent += bool(outcome.silent[row, col])
    return out


def turned_table(counts: Counts) -> str:
    """A line for each group of letters in each turn, and one for all turned tiles."""
    lines = dict(counts)
    total: Counter[str] = Counter()
    for (_, how), count in counts.items():
        if how != HOW[0]:
            total.update(vars(count))
    lines["all", "turned"] = Count(**total)
    return table(
        ("letters", "lying", "tiles", "right", "doubtful", "silent"),
        [
            (group, how, str(c.tiles), _share(c.right, c.tiles), _share(c.doubtful, c.tiles), str(c.silent))
            for (group, how), c in lines.items()
        ],
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.4f}" if whole else "-"
