"""Which tile lies where: random boards for training.

They look like crosswords but mean nothing: every letter is about equally likely, so that a reader learns Q, X, Y,
Ä, Ö, Ü as well as E and cannot lean on words. Text form: 15 strings, '.' empty, '?' blank tile, a capital a letter.
"""

from __future__ import annotations

import numpy as np

from models.table.editions import PREMIUMS
from models.table.fonts import LETTERS
from vision.geometry import SIZE

Filling = tuple[str, ...]
EMPTY: Filling = ("." * SIZE,) * SIZE


class _Bag:
    """Deals letters so that each comes up equally often, in random order."""

    def __init__(self, rng: np.random.Generator, letters: str) -> None:
        self._rng, self._letters, self._left = rng, letters, []

    def draw(self) -> str:
        if not self._left:
            self._left = [self._letters[i] for i in self._rng.permutation(len(self._letters))]
        return self._left.pop()


def random_filling(
    rng: np.random.Generator, tiles: int | None = None, blanks: int | None = None, letters: str = LETTERS
) -> Filling:
    """Crossword-like runs in both directions, some dense, some isolated tiles.

    tiles: how many in all (drawn from 20 to 110, sometimes fewer, if None); blanks: how many of them are blank
    (0 to 6 if None), laid on premium squares about half of the time.
    """
    if tiles is None:
        tiles = int(rng.choice([rng.integers(0, 20), rng.integers(20, 60), rng.integers(60, 111)], p=[0.1, 0.5, 0.4]))
    if blanks is None:
        blanks = int(rng.choice(7, p=[0.15, 0.15, 0.2, 0.2, 0.15, 0.1, 0.05]))
    bag = _Bag(rng, letters)
    cells = np.full((SIZE, SIZE), ".", dtype="<U1")
    laid = 0
    isolated = int(rng.binomial(tiles, rng.choice([0.0, 0.1, 0.5], p=[0.5, 0.35, 0.15])))
    tries = 0
    while laid < tiles - isolated and tries < 400:
        tries += 1
        length = int(rng.choice([2, 3, 4, 5, 6, 7, 8], p=[0.1, 0.18, 0.22, 0.2, 0.14, 0.1, 0.06]))
        across = bool(rng.integers(2))
        occupied = np.argwhere(cells != ".")
        if len(occupied) and rng.random() < 0.9:  # through a tile that lies there
            row, col = occupied[rng.integers(len(occupied))]
            shift = int(rng.integers(length))
            row, col = (row, col - shift) if across else (row - shift, col)
        else:
            row, col = rng.integers(0, SIZE, 2)
        run = [(row, col + i) if across else (row + i, col) for i in range(length)]
        for r, c in run:
            if 0 <= r < SIZE and 0 <= c < SIZE and cells[r, c] == "." and laid < tiles - isolated:
                cells[r, c] = bag.draw()
                laid += 1
    for _ in range(isolated):
        free = np.argwhere(cells == ".")
        if len(free):
            cells[tuple(free[rng.integers(len(free))])] = bag.draw()
    _lay_blanks(rng, cells, blanks)
    return tuple("".join(row) for row in cells)


def _lay_blanks(rng: np.random.Generator, cells: np.ndarray, blanks: int) -> None:
    """Turns tiles into blanks; now and then lays one where no tile was, on a premium square if there is one free."""
    premium = np.array([[letter != "." for letter in row] for row in PREMIUMS])
    for _ in range(blanks):
        occupied = cells != "."
        wanted = premium if rng.random() < 0.5 else ~premium
        pool = np.argwhere(occupied & wanted & (cells != "?"))
        if not len(pool) or rng.random() < 0.25:
            beside = np.zeros_like(occupied)
            beside[1:] |= occupied[:-1]
            beside[:-1] |= occupied[1:]
            beside[:, 1:] |= occupied[:, :-1]
            beside[:, :-1] |= occupied[:, 1:]
            pool = np.argwhere(~occupied & wanted & beside)
        if len(pool):
            cells[tuple(pool[rng.integers(len(pool))])] = "?"
