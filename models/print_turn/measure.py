"""How often the print alone tells the right turn: python -m models.print_turn.measure --boards 200 --photos FOLDER

Every board is given upright and as if no tile lay on it; the reader is asked from all four sides alike, so that the
other turns give the same. Photos are read first; only squares that were read as empty are looked at.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from models.print_turn.boards import SILENT, TELLING, TO_THE_EDGES, rendered
from scorer.tiles import GERMAN_102
from vision.geometry import Corners
from vision.onnx_reader import OnnxReader
from vision.photo import load_photo
from vision.print_turn import PRINTED, SURELY_EMPTY, flat_squares, label_evidence
from vision.reading import EMPTY
from vision.rectify import rectify
from vision.turn import Totals, TurnEvidence

KINDS = {TELLING: "labels", SILENT: "no labels", TO_THE_EDGES: "labels towards the edges"}
SIDES = (0, 16, 24, 32, 44, 100)
"""Groups by the side of a square in the photo, pixels."""


def verdict(printed: Totals) -> str:
    """Of a bare board that is given upright."""
    evidence = TurnEvidence((0.0, 0.0, 0.0, 0.0), bare=True, printed=printed)
    return "unsure" if not evidence.sure else "right" if evidence.quarters == 0 else "wrong"


def line(name: str, verdicts: Iterable[str]) -> str:
    """A line of a table: boards; right and sure; unsure; wrong and sure."""
    counts = Counter(verdicts)
    return f"| {name} | {counts.total()} | {counts['right']} | {counts['unsure']} | {counts['wrong']} |"


def boards(seeds: range, reader: OnnxReader) -> list[str]:
    """A line for each kind of rendered board and size of its squares, and one for each board sure and wrong."""
    found, wrong = [], []
    for seed in seeds:
        board = rendered(seed)
        said = verdict(label_evidence(board.squares, reader))
        if board.kind != TELLING and said == "right":
            said = "wrong"  # a board that does not tell must not be sure, even of the turn it has by chance
        found.append((board.kind, board.side, said))
        if said == "wrong":
            wrong.append(f"wrong: seed {seed}, {KINDS[board.kind]}, {board.side:.0f} px")
    return [
        line(f"{name}, {low} to {high} px", [said for k, side, said in found if k == kind and low <= side < high])
        for kind, name in KINDS.items()
        for low, high in pairwise(SIDES)
    ] + wrong


def photos(folder: Path, reader: OnnxReader) -> list[str]:
    """A line for each set, and one for each photo that is sure and wrong."""
    out = []
    for file in sorted(folder.glob("*/truth.jsonl")):
        verdicts, wrong = [], []
        for text in file.read_text(encoding="utf-8").splitlines():
            truth = json.loads(text)
            photo = load_photo(file.parent / truth["file"])
            corners = Corners.of(truth["corners_px"]).scaled(photo.scale)
            reading = reader.read(rectify(photo.pixels, corners), GERMAN_102.letters)
            empty = reading.log_probs[..., reading.index[EMPTY]] > np.log(SURELY_EMPTY)
            verdicts.append(verdict(label_evidence(list(flat_squares(photo.pixels, corners, PRINTED & empty)), reader)))
            if verdicts[-1] == "wrong":
                wrong.append(f"wrong: {file.parent.name}/{truth['file']}")
        out += [line(file.parent.name, verdicts), *wrong]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=0)
    parser.add_argument("--first-seed", type=int, default=560000)
    parser.add_argument("--photos", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader = OnnxReader(threads=1)
    print("| boards | number | right, sure | unsure | wrong, sure |")
    print("\n".join(boards(range(args.first_seed, args.first_seed + args.boards), reader)))
    if args.photos:
        print("\n".join(photos(args.photos, reader)))


if __name__ == "__main__":
    main()
