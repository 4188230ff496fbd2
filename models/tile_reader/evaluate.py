"""Measures the committed reader, as the run-time uses it.

python -m models.tile_reader.evaluate --boards 100            rendered boards, corners a little off
python -m models.tile_reader.evaluate --boards 100 --locate   the grid finder included
python -m models.tile_reader.evaluate --photos FOLDER         photo sets with truth.jsonl, true corners
python -m models.tile_reader.evaluate --stress FOLDER         the same for a folder of changed photos, a kind a line
python -m models.tile_reader.evaluate --turned                rendered boards with turned tiles among upright ones

Several of these can be asked for at once. `Tally.row` tells what the columns are. Further tables, of what was measured:
--confusions N, --reliability, --thresholds; --diagram FILE draws the reliability.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2

from models.tile_reader.outcome import Outcome, commonest, confusion_table, figures
from models.tile_reader.reliability import diagram, reliability_table, threshold_table
from models.tile_reader.samples import UNCOUNTED, photo_sets, photos, read_all, rendered
from models.tile_reader.turned import measured, turned_table
from scorer.tiles import GERMAN_102
from vision.onnx_reader import OnnxReader

FIRST_SEED = 500_000
"""Far from the seeds of training."""


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, help="rendered boards (100 where nothing else is asked for)")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED, help=f"default {FIRST_SEED:,}: not trained on")
    parser.add_argument(
        "--uncounted",
        action="store_true",
        help="no doubt about rendered letters for their number: see samples.UNCOUNTED",
    )
    parser.add_argument("--photos", type=Path, metavar="FOLDER")
    parser.add_argument("--set", action="append", default=[], metavar="NAME", help="only these sets of the photos")
    parser.add_argument("--stress", type=Path, metavar="FOLDER")
    parser.add_argument("--turned", type=int, nargs="?", const=100, metavar="N", help="so many rendered boards (100)")
    parser.add_argument("--locate", action="store_true", help="find the grid instead of taking the true corners")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--confusions", type=int, metavar="N", help="confusions by kind, and the N commonest")
    parser.add_argument("--reliability", action="store_true", help="share right by confidence")
    parser.add_argument("--thresholds", action="store_true", help="what other thresholds of doubt would cost and save")
    parser.add_argument("--diagram", type=Path, metavar="FILE.svg", help="reliability, drawn")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    reader = OnnxReader(args.model)
    boards = args.boards or (0 if args.photos or args.stress or args.turned else 100)
    sources: dict[str, dict[str, list[Outcome]]] = {}
    if boards:
        seeds = range(args.first_seed, args.first_seed + boards)
        tile_set = UNCOUNTED if args.uncounted else GERMAN_102
        sources["rendered"] = {"rendered": read_all(rendered(seeds, tile_set), reader, args.locate)}
    for source, folder, names in (("photos", args.photos, args.set), ("stress", args.stress, ())):
        if folder:
            files = photo_sets(folder, names)
            if not files:
                parser.error(f"no photos with a truth file: {folder}")
            sources[source] = {name: read_all(photos(file), reader, args.locate) for name, file in files.items()}
    for sets in sources.values():
        print(figures(sets), end="\n\n")
        if args.confusions is not None:
            print(confusion_table(sets), end="\n\n")
            print(commonest(sets, args.confusions), end="\n\n")
    pooled = {name: [outcome for outcomes in sets.values() for outcome in outcomes] for name, sets in sources.items()}
    for name, outcomes in pooled.items():
        if args.reliability:
            print(f"{name}\n\n{reliability_table(outcomes)}", end="\n\n")
        if args.thresholds:
            print(f"{name}\n\n{threshold_table(outcomes)}", end="\n\n")
    if args.diagram:
        args.diagram.write_text(diagram(pooled), encoding="utf-8")
    if args.turned:
        print(turned_table(measured(range(args.first_seed, args.first_seed + args.turned), reader)))


if __name__ == "__main__":
    main()
