"""Which tile lies where: random boards for training.

They look like crosswords but mean nothing: every letter is about equally likely, so that a reader learns Q, X, Y,
Ä, Ö, Ü as well as E and cannot lean on words.

Text form: 15 strings of 15 characters. '.' is an empty square, '?' a blank tile, A-Z, Ä, Ö, Ü are the German letters.
Every other character is a tile with another print: a foreign letter stands for itself (Ł, Ñ, Ж), and OTHER ('#')
stands for what is no single letter (two letters, a number, a sign), drawn from MARKS when the tile is printed.
"""

from __future__ import annotations

import numpy as np

from models.table.editions import PREMIUMS
from models.table.fonts import LETTERS
from vision.geometry import SIZE

Filling = tuple[str, ...]
EMPTY: Filling = ("." * SIZE,) * SIZE


OTHER = "#"
"""A tile whose print is no single letter."""

FOREIGN: dict[str, str] = {
    "polish": "ĄĆĘŁŃÓŚŹŻ",
    "romanian": "ĂÂÎȘȚ",
    "czech": "ČŘŠŽĚŮĎŤŇÝÁÉÍ",
    "hungarian": "ÁÉÍÓŐÚŰ" + 3 * OTHER,
    "spanish": "ÑÑ" + 3 * OTHER,
    "scandinavian": "ÅÆØ",
    "french": "ÉÈÇÊŒ",
    "portuguese": "ÃÕÇ",
    "turkish": "ĞİŞÇ",
    "icelandic": "ÐÞÆÁÝ",
    "greek": "ΓΔΘΛΞΠΣΦΨΩ",
    "cyrillic": "ЖЯШЩЦЧЮЭИЙФБДЛПЪЫ",
    "signs": OTHER,
}
"""Prints outside the German set by where they are used; none that looks just like a Latin capital."""

MARKS = (
    *("CH", "LL", "RR", "SZ", "GY", "CS", "NY", "LY", "ZS", "TY", "QU", "DŽ", "NJ", "LJ", "IJ"),
    *("2", "3", "4", "5", "6", "7", "8", "9", "10", "17", "20", "25", "41", "50", "86", "99"),
    *("&", "&", "♥", "♥", "!", "★", "+", "@", "€", "$", "#", "%", "=", "♦", "♣", "→", "☺", "×"),
)
"""What OTHER may print; no lone 0 or 1, which nobody tells from O or I."""


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


def with_foreign(rng: np.random.Generator, filling: Filling, share: float | None = None) -> Filling:
    """Some tiles (`share` of them, 5 to 40 % if None) get a print outside the German set, mostly of one language."""
    if share is None:
        share = float(rng.uniform(0.05, 0.4))
    names = list(FOREIGN)
    shares = np.array(
        [{"polish": 2.0, "romanian": 1.5, "signs": 1.5, "icelandic": 0.4}.get(name, 1.0) for name in names]
    )
    letters = FOREIGN[str(rng.choice(names, p=shares / shares.sum()))]
    if rng.random() < 0.3:  # of all the world
        letters = "".join(FOREIGN.values())
    bag = _Bag(rng, letters)
    return tuple(
        "".join(bag.draw() if tile not in ".?" and rng.random() < share else tile for tile in row) for row in filling
    )


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
