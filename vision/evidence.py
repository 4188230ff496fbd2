"""What the photo as a whole says about single squares.

A blank tile and an empty square look alike to a reader that sees one square at a time. The other tiles of the same
photo and the empty squares of the same premium, under the same light, tell them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.board import STANDARD, Square
from scorer.tiles import TileSet
from vision.geometry import SIZE
from vision.reading import BLANK, COVERED, EMPTY, BoardReading
from vision.rectify import CROP, BoardImage

SURE = 0.98
"""Probability from which a square serves as an example of its kind."""

NEIGHBOURS = 4
"""Nearest examples that a square is compared with: light drifts over a board."""

FEWEST = 2
"""Examples of a kind without which nothing is concluded."""

FLOOR = (4.0, 2.0, 2.0)
"""Least spread of a kind's colours, in L, a, b of 8-bit CIELAB."""

PREMIUMS = np.array([list(row.replace("*", "D")) for row in STANDARD.rows])
"""(15, 15) what is printed where: squares of one symbol look alike; the star is taken for the double word it is."""

LIMIT = 4.0
"""Most that colour may add to the log-odds of blank against empty."""

ONE_SET = 2
"""Kinds of tile that may be in excess by misreading; with more, the tiles are not of one set."""

LOG_NO_TILES = float(np.log(0.02))
"""A blank on a board without any letter is not impossible, but nobody lays one."""


@dataclass(frozen=True)
class _Kind:
    """Examples of one kind of square: where they lie (n, 2) and their colours (n, 3)."""

    places: NDArray[np.float64]
    colours: NDArray[np.float64]

    def predicted(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """(m, 3) colours expected at (m, 2) places: of the nearest examples, nearer ones more, never the place's."""
        distances = np.linalg.norm(places[:, None] - self.places[None], axis=2)
        distances[distances == 0] = np.inf
        nearest = np.argsort(distances, axis=1, kind="stable")[:, :NEIGHBOURS]
        weights = 1 / (1 + np.take_along_axis(distances, nearest, axis=1))
        return np.asarray((self.colours[nearest] * weights[..., None]).sum(axis=1) / weights.sum(axis=1)[:, None])

    @cached_property
    def spread(self) -> NDArray[np.float64]:
        """Typical error of that expectation, a robust standard deviation for each channel."""
        errors = np.abs(self.colours - self.predicted(self.places))
        return np.maximum(1.48 * np.median(errors, axis=0), FLOOR)


def settle_blanks(board: BoardImage, reading: BoardReading) -> BoardReading:
    """The reading with the odds of blank against empty corrected by the photo's own colours."""
    blank, empty = reading.index[BLANK], reading.index[EMPTY]
    probs = np.exp(reading.log_probs.astype(np.float64))
    letter = np.array([char.isalpha() for char in reading.classes])
    colours = face_colours(board)
    tiles = _examples(probs[..., letter].sum(axis=-1) > SURE, colours)
    candidates = np.argwhere((probs[..., blank] > 1e-4) & (probs[..., blank] + probs[..., empty] > 0.3))
    around = {
        symbol: _examples((symbol == PREMIUMS) & (probs[..., empty] > SURE), colours)
        for symbol in {PREMIUMS[row, col] for row, col in candidates}
    }
    log_probs = reading.log_probs.astype(np.float64)
    total = np.logaddexp.reduce(log_probs, axis=-1)
    for row, col in candidates:
        print_here = around[PREMIUMS[row, col]]
        if tiles is None:
            log_probs[row, col, blank] += LOG_NO_TILES
        elif print_here is not None:
            log_probs[row, col, blank] += _log_odds(tiles, print_here, (row, col), colours[row, col])
        log_probs[row, col] += total[row, col] - np.logaddexp.reduce(log_probs[row, col])
    return replace(reading, log_probs=log_probs.astype(np.float32))


def doubt_excess(reading: BoardReading, tile_set: TileSet) -> BoardReading:
    """The reading with doubt on the tiles of a kind of which more are read than the set holds.

    One more than the excess is doubted, the least sure: of two Q where the set has one, either may be the wrong one.
    Where many kinds are in excess the tiles are of several sets, as on wall art, and counting says nothing.
    """
    suspects: list[frozenset[Square]] = []
    for char in reading.classes:
        if char in (EMPTY, COVERED):
            continue
        found = sorted(reading.showing(char.__eq__), key=lambda square: reading.log_prob(square, char))
        excess = len(found) - tile_set.count(char)
        if excess > 0:
            suspects.append(frozenset(found[: excess + 1]))
    return reading.suspecting(frozenset().union(*suspects)) if len(suspects) <= ONE_SET else reading


def face_colours(board: BoardImage) -> NDArray[np.float64]:
    """(15, 15, 3) median colour of each square's inner part, CIELAB: the face of a tile, not its letter."""
    lab = cv2.cvtColor(board.pixels, cv2.COLOR_BGR2LAB)
    inner = BoardImage(lab, board.square_side).crops()[:, :, CROP // 4 : -CROP // 4, CROP // 4 : -CROP // 4]
    return np.median(inner.reshape(SIZE, SIZE, -1, 3), axis=2).astype(np.float64)


def _examples(mask: NDArray[np.bool_], colours: NDArray[np.float64]) -> _Kind | None:
    places = np.argwhere(mask)
    return _Kind(places.astype(float), colours[mask]) if len(places) >= FEWEST else None


def _log_odds(tiles: _Kind, around: _Kind, place: tuple[int, int], colour: NDArray[np.float64]) -> float:
    """Log-likelihood ratio of the colour: Gaussian about what tiles, and about what empty squares, would show here."""
    total = 0.0
    for kind, sign in ((tiles, 1.0), (around, -1.0)):
        spread = kind.spread
        total += sign * float(
            (-0.5 * ((colour - kind.predicted(np.array([place], float))[0]) / spread) ** 2 - np.log(spread)).sum()
        )
    return float(np.clip(total, -LIMIT, LIMIT))
