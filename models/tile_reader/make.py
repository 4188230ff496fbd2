"""Renders the training crops: python -m models.tile_reader.make --boards 2500 --first-seed 1000 --out runs/crops.npz"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from models.tile_reader.dataset import Crops, real, rendered_many


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--boards", type=int, default=2500)
    parser.add_argument(
        "--first-seed", type=int, default=1000, help="one seed a board; training and test sets must not overlap"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--without", default="", help="nuisance groups left out, comma-separated")
    parser.add_argument("--hard", action="store_true", help="only smeared boards and dimpled tiles")
    parser.add_argument("--photos", type=Path, help="folder of photo sets; those with train: true are added")
    parser.add_argument("--views", type=int, default=6, help="shaken versions of each real photo")
    args = parser.parse_args()
    parts, start = [], time.time()
    without = frozenset(filter(None, args.without.split(",")))
    for k, crops in enumerate(
        rendered_many(range(args.first_seed, args.first_seed + args.boards), args.workers, without, args.hard), 1
    ):
        parts.append(crops)
        if k % 100 == 0:
            print(
                f"{k} boards, {sum(map(len, (p.labels for p in parts)))} crops, {time.time() - start:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    if args.photos:
        parts.append(real(args.photos, args.first_seed, args.views))
        print(f"{len(parts[-1].labels)} crops of real photos", file=sys.stderr)
    Crops.joined(parts).save(args.out)


if __name__ == "__main__":
    main()
