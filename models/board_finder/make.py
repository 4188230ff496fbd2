"""Renders the finder's tables: python -m models.board_finder.make --boards 5000 --first-seed 1000 --out runs/tables.npz

--others N: pictures without a board instead; --photos FOLDER: the real photos that may be trained on instead.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2

from models.board_finder.scenes import Picture, photos_to_train, rendered_many, save


def counted(pictures: Iterable[Picture]) -> Iterator[Picture]:
    """The same pictures, telling on standard error how many there were."""
    start = time.time()
    for number, picture in enumerate(pictures, 1):
        yield picture
        if number % 200 == 0:
            print(f"{number} pictures, {time.time() - start:.0f} s", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--boards", type=int, default=5000)
    parser.add_argument("--others", type=int, default=0)
    parser.add_argument("--photos", type=Path, help="folder of photo sets; those with train: true are taken")
    parser.add_argument("--first-seed", type=int, default=1000, help="one seed a picture; no overlap with test seeds")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.photos:
        save(args.out, photos_to_train(args.photos))
    elif args.others:
        from models.table.others import render_other

        seeds = range(args.first_seed, args.first_seed + args.others)
        save(args.out, counted(Picture(render_other(seed, side=480)) for seed in seeds))
    else:
        seeds = range(args.first_seed, args.first_seed + args.boards)
        save(args.out, counted(rendered_many(seeds, args.workers)))


if __name__ == "__main__":
    main()
