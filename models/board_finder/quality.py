"""Fits the quality figure of `vision.locate_learned`: how likely a grid is right, from what speaks for it.

python -m models.board_finder.quality --boards 900 --others 500 --first-seed 300000

Candidates, right and wrong, are collected on rendered tables (where they also start from places that are off by whole
and half squares) and on pictures without a board; logistic regression says what each piece of evidence is worth. Prints
the constants to put there, and how well they tell right from wrong on a fifth that was kept out.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board_finder.evaluate import whole_range
from models.board_finder.scenes import finder_params
from models.table.others import render_other
from models.table.scene import render
from models.tile_reader.outcome import LOCATED, grid_error
from vision.board_net import BoardNet
from vision.geometry import GRID, Corners, Homography
from vision.locate_learned import Candidate, Evidence, candidate, comb_grids, evidence_features, rough_grids
from vision.locate_proposals import clockwise
from vision.pixels import Pixels


@dataclass(frozen=True)
class Judged:
    """A candidate's evidence, its largest error in squares, None where there is no board, and the picture's seed."""

    evidence: Evidence
    error: float | None
    seed: int

    @property
    def right(self) -> bool:
        return self.error is not None and self.error < LOCATED


def candidates(net: BoardNet, pixels: Pixels, rng: np.random.Generator) -> Iterator[Candidate]:
    """What the finder would look at, and grids fitted from places that are off."""
    for rough in rough_grids(net, pixels)[:2]:
        first = candidate(net, pixels, rough)
        if first is None:
            continue
        yield first
        shift = rng.choice([-1.0, -0.5, 0.5, 1.0]) * np.eye(2)[int(rng.integers(2))]
        wrong = Homography(first.matrix).to_pixels(GRID + shift)
        moved = candidate(net, pixels, Homography.from_corners(Corners.of(wrong)), frozenset({"lens"}))
        if moved is not None:
            yield moved
        for lines in comb_grids(pixels, rough)[:1]:
            combed = candidate(net, pixels, lines, frozenset({"lens"}))
            if combed is not None:
                yield combed


def judged(net: BoardNet, boards: Sequence[int], others: Sequence[int]) -> Iterator[Judged]:
    for number, seed in enumerate(boards):
        rng = np.random.default_rng(seed)
        scene = render(finder_params(rng) if number % 2 else whole_range(seed))
        for one in candidates(net, scene.pixels, rng):
            corners = Corners.of(clockwise(one.corners.array))
            error = min(grid_error(scene.corners, corners.turned(k)) for k in range(4))
            yield Judged(one.evidence, error, seed)
        if number % 100 == 99:
            print(f"{number + 1} boards", file=sys.stderr, flush=True)
    for seed in others:
        for one in candidates(net, render_other(seed, side=int(500 + seed % 700)), np.random.default_rng(seed)):
            yield Judged(one.evidence, None, seed)


def logistic(x: NDArray[np.float64], y: NDArray[np.float64], ridge: float = 1.0) -> NDArray[np.float64]:
    """Weights, the constant last, by Newton's method (iteratively re-weighted least squares)."""
    x = np.column_stack([x, np.ones(len(x))])
    weights = np.zeros(x.shape[1])
    penalty = ridge * np.diag([1.0] * (x.shape[1] - 1) + [0.0])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + penalty
        weights = weights - np.linalg.solve(hessian, x.T @ (p - y) + penalty @ weights)
    return weights


def signed_logistic(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `logistic`; evidence that would count the wrong way round (by chance, beside better evidence) is left out."""
    kept = np.ones(x.shape[1], bool)
    while True:
        weights = np.zeros(x.shape[1] + 1)
        weights[np.append(kept, True)] = logistic(x[:, kept], y)
        wrong = weights[:-1] * SPEAKS_FOR < 0
        if not wrong.any():
            return weights
        kept[int(np.argmax(np.where(wrong, np.abs(weights[:-1]), -1)))] = False


SPEAKS_FOR = np.array([1, 1, -1, 1, -1, 1, -1, -1, 1])
"""Whether more of each of `evidence_features` speaks for a grid or against it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=900)
    parser.add_argument("--others", type=int, default=500)
    parser.add_argument("--first-seed", type=int, default=300_000)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--keep", type=Path, help="file for the collected candidates; read instead if it is there")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.keep and args.keep.exists():
        collected: list[Judged] = pickle.loads(args.keep.read_bytes())
    else:
        net = BoardNet(args.model, threads=1)
        first = args.first_seed
        collected = list(judged(net, range(first, first + args.boards), range(first, first + args.others)))
        if args.keep:
            args.keep.write_bytes(pickle.dumps(collected))
    x = np.array([evidence_features(one.evidence) for one in collected])
    y = np.array([float(one.right) for one in collected])
    test = np.array([one.seed % 5 == 0 for one in collected])
    scale = x[~test].std(axis=0)
    weights = signed_logistic(x[~test] / scale, y[~test])
    score = np.column_stack([x / scale, np.ones(len(x))]) @ weights
    print(f"{len(y)} candidates, {int(y.sum())} right")
    print("EVIDENCE_WEIGHTS =", tuple(round(float(w), 3) for w in np.append(weights[:-1] / scale, weights[-1])))
    for name, some in (("fitted", ~test), ("kept out", test)):
        p = 1 / (1 + np.exp(-score[some]))
        for least in (0.3, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99):
            over = p >= least
            wrong, missed = int((over & (y[some] == 0)).sum()), int((~over & (y[some] == 1)).sum())
            print(f"{name} at {least}: {int(over.sum())} over, {wrong} of them wrong; {missed} right ones below")


if __name__ == "__main__":
    main()
