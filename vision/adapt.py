"""Adapting the reader to one set of tiles from a few photos of which the letters are known.

What is learnt is small and only about letters; whether there is a tile, a blank or a hand stays the reader's business.

- A prototype of each letter: the mean of what its tiles look like to the network (Snell, Swersky, Zemel 2017), measured
  in a space in which the tiles of one letter scatter evenly in all directions. The scatter comes from each tile's crop
  shifted, turned, blurred and lit a little differently: one tile of a letter is enough.
- Votes: what being near a prototype adds to the log-odds of each letter. They are fitted to what the reader gets wrong
  on the examples (multinomial logistic regression on top of the reader's own log-probabilities), with a prior at zero:
  where the reader was right and sure there is nothing to learn and nothing changes. Far from all prototypes the votes
  fade.
- How well a photo fits: how near to their prototypes the tiles lie that are sure anyway. Of another set they lie
  further away; then the prototypes are not used.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.pixels import Pixels
from vision.reading import BLANK, COVERED, EMPTY, BoardReading, TileReader, Turned
from vision.rectify import CROP, BoardImage

Floats = NDArray[np.float64]

VARIED = 24
"""Altered copies of each example's crop."""

SHRINK = 0.2
"""Share of an even scatter that is mixed into the measured one (as Ledoit and Wolf 2004, with a fixed share)."""

NEARNESS = 4.0
"""How fast a prototype's votes fade with the distance from it: exp(NEARNESS * (cosine - 1))."""

PRIOR = 0.005
"""Weight of the prior that holds the votes at zero; one example weighs one."""

STEPS = 200
"""Steps of the fit; it is convex, and further steps change no vote by a hundredth."""

MOST_SURE = 7.0
"""What the reader's log-odds against a letter count at most while the votes are learnt (natural logarithm)."""

LIMIT = 8.0
"""Most that the votes may add to a letter's log-odds or take away."""

LEAST_LETTER = 0.05
"""Probability of any letter below which a square is left alone."""

SURE = 0.9
"""Probability from which a tile has a say about whether the profile fits."""

FEWEST = 4
"""Tiles without which nothing is said about whether the profile fits: it is taken for granted then."""

FITTING = (0.55, 0.65)
"""Median nearness (cosine) of the sure tiles to their prototypes: up to the one the profile is not used, from the other
on it is used in full. Measured on real boards: the own set 0.51 to 0.97, most above 0.75; another 0.32 to 0.67."""


ALIKE = 0.7
"""Cosine with its prototype from which a tile passes for that letter without a doubt although the reader took it for a
letter of which there was no example. On boards known well, letters as like as O and Q, Ö and O, A and Ä stay below."""


@dataclass(frozen=True)
class Examples:
    """Tiles whose letters are known.

    letters:   (n,) characters, capital letters
    features:  (n, 1 + VARIED, D) of the crop and of its altered copies
    log_probs: (n, K) what the reader said, without the profile; `classes` are the K characters
    """

    letters: tuple[str, ...]
    features: Floats
    log_probs: Floats
    classes: tuple[str, ...]


@dataclass(frozen=True)
class Prototypes:
    """What was learnt of one set of tiles; P letters, D features.

    classes: the K characters of the reader that it was learnt with
    letters: the P letters that have a prototype, in the order of the classes
    counts:  (P,) tiles that each was made from
    middle:  (D,) features of an average tile, taken off before everything else
    metric:  (D, D) brings the features to the space in which tiles of one letter scatter evenly
    vectors: (P, D) the prototypes there, of length one
    votes:   (P, L + 1) natural logarithms for the L letters among the classes and, last, for a foreign letter
    """

    classes: tuple[str, ...]
    letters: tuple[str, ...]
    counts: tuple[int, ...]
    middle: Floats
    metric: Floats
    vectors: Floats
    votes: Floats

    def __post_init__(self) -> None:
        """ValueError when the shapes do not go together or a number is not finite."""
        known, count, width = len(_lettered(self.classes)), len(self.letters), len(self.middle)
        shapes = {"metric": (width, width), "vectors": (count, width), "votes": (count, known + 1)}
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name}: shape {getattr(self, name).shape}, expected {shape}")
        if len(self.counts) != count or not count or not width:
            raise ValueError("no letters, or not one count for each")
        if not set(self.letters) <= {self.classes[k] for k in _lettered(self.classes)}:
            raise ValueError("a letter that the reader does not know")
        if not all(np.isfinite(getattr(self, f.name)).all() for f in fields(self) if f.name in {*shapes, "middle"}):
            raise ValueError("a number that is not finite")

    def near(self, features: Floats) -> Floats:
        """(n, D) features -> (n, P) cosines with the prototypes."""
        return _unit((features - self.middle) @ self.metric) @ self.vectors.T

    def likeness(self, features: Floats) -> Floats:
        """(n, D) features -> (n, L + 1) cosines in the order of the votes, -1 for letters without a prototype."""
        known = [self.classes[k] for k in _lettered(self.classes)]
        out = np.full((len(features), len(known) + 1), -1.0)
        out[:, [known.index(letter) for letter in self.letters]] = self.near(features)
        return out

    def corrections(self, features: Floats) -> Floats:
        """(n, D) features -> (n, L + 1) what the votes add to the log-odds."""
        return np.clip(_fading(self.near(features)) @ self.votes, -LIMIT, LIMIT)


@dataclass(frozen=True)
class Fit:
    """How well the tiles of a photo go with the prototypes.

    nearness: median cosine of the sure tiles with the prototypes of their letters; 1 when there are too few
    tiles:    how many had a say
    """

    nearness: float
    tiles: int

    @property
    def weight(self) -> float:
        """Share of the votes that is used, 0 to 1."""
        if self.tiles < FEWEST:
            return 1.0
        low, high = FITTING
        return float(np.clip((self.nearness - low) / (high - low), 0, 1))


@dataclass(frozen=True)
class AdaptedReading(BoardReading):
    """A reading with the votes of a profile, and how well the profile fitted."""

    fit: Fit = Fit(1.0, 0)

    @property
    def misfit(self) -> bool:
        """Whether the profile is of other tiles than these, so that it was not used."""
        return self.fit.weight == 0


class DescribingReader(Protocol):
    """A reader that can also say what single crops look like to it."""

    name: str

    def read(self, board: BoardImage, letters: Collection[str]) -> BoardReading:
        """As TileReader.read."""

    def read_turned(self, board: BoardImage, letters: Collection[str]) -> Turned:
        """As TileReader.read_turned."""

    def letter_turns(self, crops: Pixels) -> tuple[NDArray[np.floating], NDArray[np.floating]] | None:
        """As TileReader.letter_turns."""

    def read_shifted(
        self,
        board: BoardImage,
        letters: Collection[str],
        squares: Collection[Square],
        shifts: Sequence[tuple[int, int]],
    ) -> tuple[BoardReading, ...] | None:
        """As TileReader.read_shifted."""

    def describe(self, crops: Pixels) -> NDArray[np.float32]:
        """(n, 48, 48, 3) uint8 BGR crops -> (n, D) features, each crop for itself."""


class AdaptedReader(TileReader):
    """A reader with the prototypes of one set of tiles laid over it."""

    def __init__(self, reader: DescribingReader, prototypes: Prototypes) -> None:
        self.reader, self.prototypes, self.name = reader, prototypes, reader.name

    def read(self, board: BoardImage, letters: Collection[str]) -> BoardReading:
        return self._adapted(board, self.reader.read(board, letters))

    def read_turned(self, board: BoardImage, letters: Collection[str]) -> Turned:
        turned = self.reader.read_turned(board, letters)

        def again(quarters: int) -> BoardReading:
            return self._adapted(board.turned(quarters), turned.again(quarters))

        return Turned(self._adapted(board.turned(turned.quarters), turned.reading), turned.evidence, again)

    def letter_turns(self, crops: Pixels) -> tuple[NDArray[np.floating], NDArray[np.floating]] | None:
        return self.reader.letter_turns(crops)

    def read_shifted(
        self,
        board: BoardImage,
        letters: Collection[str],
        squares: Collection[Square],
        shifts: Sequence[tuple[int, int]],
    ) -> tuple[BoardReading, ...] | None:
        """Without the profile: it was learnt from tiles that lie in their squares."""
        return self.reader.read_shifted(board, letters, squares, shifts)

    def _adapted(self, board: BoardImage, reading: BoardReading) -> BoardReading:
        squares = lettered_squares(reading)
        crops = board.crops()
        found = np.array([crops[square] for square in squares]).reshape(-1, CROP, CROP, 3)
        features = self.reader.describe(found) if squares else np.zeros((0, len(self.prototypes.middle)))
        return adapted(reading, squares, np.asarray(features, np.float64), self.prototypes)


def lettered_squares(reading: BoardReading) -> tuple[Square, ...]:
    """Squares that may hold a letter and lie upright: those that a profile can say something about."""
    letters = np.exp(reading.log_probs[..., _lettered(reading.classes)].astype(np.float64)).sum(axis=-1)
    found = (Square(int(row), int(col)) for row, col in np.argwhere(letters > LEAST_LETTER))
    return tuple(square for square in found if square not in reading.suspects)


def adapted(
    reading: BoardReading, squares: Sequence[Square], features: Floats, prototypes: Prototypes
) -> AdaptedReading:
    """The reading with the votes of the prototypes on these squares; `features` are theirs, (n, D).

    The probability that there is a tile with a print does not change, only how it is shared among the letters. Where
    the reader saw a letter without a prototype and is overruled the square becomes suspect, unless the tile is very
    like the prototype it goes to.
    """
    if reading.classes != prototypes.classes:
        raise ValueError("the prototypes were learnt with a reader of other classes")
    rows, cols = np.array(squares, int).reshape(-1, 2).T
    before = _letter_log_probs(reading.log_probs[rows, cols], reading.classes)
    likeness = prototypes.likeness(features)
    fit = fitting(before, likeness)
    after = before + fit.weight * prototypes.corrections(features)
    after += np.logaddexp.reduce(before, axis=1, keepdims=True) - np.logaddexp.reduce(after, axis=1, keepdims=True)
    suspects = {
        square
        for square, was, now, like in zip(squares, before.argmax(axis=1), after.argmax(axis=1), likeness, strict=True)
        if was != now and like[was] == -1 and like[now] < ALIKE
    }
    log_probs = reading.log_probs.copy()
    log_probs[rows[:, None], cols[:, None], _lettered(reading.classes)] = np.maximum(after[:, :-1], -60)
    return AdaptedReading(log_probs, reading.classes, reading.doubt_below, reading.suspects | suspects, fit)


def fitting(before: Floats, likeness: Floats) -> Fit:
    """How near the sure tiles lie to their prototypes.

    before:   (n, L + 1) log-probabilities without the profile
    likeness: (n, L + 1) cosines with the prototypes, -1 where there is none (`Prototypes.likeness`)
    """
    best = before.argmax(axis=1, keepdims=True)
    sure, like = (np.take_along_axis(values, best, axis=1)[:, 0] for values in (before, likeness))
    found = like[(sure > np.log(SURE)) & (like > -1)]
    return Fit(float(np.median(found)) if len(found) >= FEWEST else 1.0, len(found))


def examples(board: BoardImage, reading: BoardReading, rows: Sequence[str], reader: DescribingReader) -> Examples:
    """The lettered tiles of a board whose letters are known (`rows`, as `BoardReading.rows`) as examples.

    Left out: letters the reader has no class for, and squares that the reading suspects, such as turned tiles.
    """
    squares = [
        Square(r, c)
        for r, row in enumerate(rows)
        for c, char in enumerate(row)
        if char in reading.index and char.isalpha() and (r, c) not in reading.suspects
    ]
    crops, rng = board.crops(), np.random.default_rng(0)
    seen = [copy for s in squares for copy in (crops[s], *(varied(crops[s], rng) for _ in range(VARIED)))]
    features = reader.describe(np.array(seen)) if seen else np.zeros((0, 1))
    return Examples(
        tuple(rows[square.row][square.col] for square in squares),
        np.asarray(features, np.float64).reshape(len(squares), 1 + VARIED, -1),
        np.array([reading.log_probs[square] for square in squares], np.float64).reshape(len(squares), -1),
        reading.classes,
    )


def varied(crop: Pixels, rng: np.random.Generator) -> Pixels:
    """The crop as the same tile might look lying a little differently, in a little different light."""
    middle = (CROP - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), rng.normal(0, 3), np.exp(rng.normal(0, 0.03)))
    matrix[:, 2] = matrix[:, 2] + rng.normal(0, 1.7, 2)
    moved: Pixels = cv2.warpAffine(
        np.ascontiguousarray(crop), matrix, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    if rng.random() < 0.5:
        moved = cv2.GaussianBlur(moved, (0, 0), rng.uniform(0.3, 1.2))
    gains = np.exp(rng.normal(0, 0.15) + rng.normal(0, 0.04, 3))
    return np.clip(moved * gains + rng.normal(0, 6), 0, 255).astype(np.uint8)


def learn(found: Sequence[Examples]) -> Prototypes:
    """Prototypes and votes from the examples of one photo or more; ValueError without any example."""
    if not any(one.letters for one in found):
        raise ValueError("no examples")
    found = [one for one in found if one.letters]
    classes = found[0].classes
    columns = _lettered(classes)
    index = {classes[k]: n for n, k in enumerate(columns)}
    labels = np.array([index[letter] for one in found for letter in one.letters])
    features = np.concatenate([one.features for one in found])
    said = _letter_log_probs(np.concatenate([one.log_probs for one in found]), classes)
    kinds, counts = np.unique(labels, return_counts=True)
    means = np.array([features[labels == kind].mean(axis=(0, 1)) for kind in kinds])
    middle = means.mean(axis=0)
    metric = _evening(features - means[np.searchsorted(kinds, labels)][:, None])
    units = _unit((features - middle) @ metric)
    vectors = _unit(np.array([units[labels == kind].mean(axis=(0, 1)) for kind in kinds]))
    votes = _votes(_fading(units @ vectors.T), said, labels)
    letters = tuple(classes[columns[kind]] for kind in kinds)
    return Prototypes(classes, letters, tuple(map(int, counts)), middle, metric, vectors, votes)


def _votes(closeness: Floats, said: Floats, labels: NDArray[np.intp]) -> Floats:
    """(P, L + 1) votes by accelerated gradient steps (Beck and Teboulle 2009) on the penalised log-loss.

    closeness: (n, copies, P); said: (n, L + 1) log-probabilities of letters and a foreign letter; labels: (n,)
    """
    copies = closeness.shape[1]
    weight = np.float32(1 / copies)
    near = closeness.reshape(-1, closeness.shape[2]).astype(np.float32)
    said = said - np.logaddexp.reduce(said, axis=1, keepdims=True)
    offsets = np.repeat(np.maximum(said, -MOST_SURE), copies, axis=0).astype(np.float32)
    wanted = np.repeat(np.eye(said.shape[1], dtype=np.float32)[labels], copies, axis=0)
    steepest = np.float32(0.5 * weight * np.linalg.eigvalsh(near.T @ near)[-1] + PRIOR)
    votes = ahead = np.zeros((near.shape[1], said.shape[1]), np.float32)
    momentum = 1.0
    for _ in range(STEPS):
        odds = offsets + near @ ahead
        probs = np.exp(odds - odds.max(axis=1, keepdims=True))
        probs /= probs.sum(axis=1, keepdims=True)
        step = ahead - (weight * (near.T @ (probs - wanted)) + np.float32(PRIOR) * ahead) / steepest
        faster = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        votes, ahead, momentum = step, step + np.float32((momentum - 1) / faster) * (step - votes), faster
    return votes.astype(np.float64)


def _evening(scatter: Floats) -> Floats:
    """(..., D) differences from the mean of their letter -> (D, D) symmetric map that makes their scatter even."""
    flat = scatter.reshape(-1, scatter.shape[-1])
    covariance = flat.T @ flat / len(flat)
    even = np.trace(covariance) / len(covariance)
    values, axes = np.linalg.eigh((1 - SHRINK) * covariance + SHRINK * even * np.eye(len(covariance)))
    return np.asarray((axes / np.sqrt(np.maximum(values, 1e-12))) @ axes.T)


def _lettered(classes: Sequence[str]) -> list[int]:
    """Positions of the letters among the classes."""
    return [k for k, char in enumerate(classes) if char not in (EMPTY, BLANK, COVERED)]


def _letter_log_probs(log_probs: NDArray[np.floating], classes: Sequence[str]) -> Floats:
    """(n, K) -> (n, L + 1): the letters and, last, what all classes lack to 1, a foreign letter."""
    probs = np.exp(log_probs.astype(np.float64))
    foreign = np.maximum(1 - probs.sum(axis=-1, keepdims=True), 1e-6)
    return np.concatenate([log_probs[:, _lettered(classes)].astype(np.float64), np.log(foreign)], axis=1)


def _fading(cosines: Floats) -> Floats:
    return np.exp(NEARNESS * (cosines - 1))


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12))
