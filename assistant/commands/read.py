"""brettblick read: photos in, readings out; one JSON line or one board a photo."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.photos import explain_failure, overlay_files, photo_files, with_progress
from assistant.texts import Texts

if TYPE_CHECKING:
    from vision.observe import Observation

READABLE = ("german", "german-119", "english")
"""The tile sets that photos can be read with: the network knows all their letters. One that it does not know, as Ł,
would at best be doubted wherever it lies."""


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help=texts("help.photos"))
    parser.add_argument("--json", action="store_true", help=texts("help.json"))
    add_reading_arguments(parser, texts)
    parser.add_argument("--overlay", metavar="DIR", type=Path, help=texts("help.overlay"))


def add_reading_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    """What every command that reads photos can be told."""
    parser.add_argument("--tiles", choices=READABLE, default="german", help=texts("help.tiles"))
    parser.add_argument("--reader", choices=("network", "tesseract"), default="network", help=texts("help.reader"))
    parser.add_argument("--tile-profile", type=Path, metavar="FILE.json", help=texts("help.tile-profile"))
    parser.add_argument("--corners", metavar="FILE.json", help=texts("help.corners"))
    parser.add_argument("--refine-corners", action="store_true", help=texts("help.refine-corners"))
    parser.add_argument("--camera", type=Path, metavar="FILE.json", help=texts("help.camera"))
    parser.add_argument("--markers", action="store_true", help=texts("help.markers"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.advice import overlay
    from assistant.engines import Finder, make_reader, with_fit
    from scorer.tiles import TILE_SETS
    from vision.observe import observe
    from vision.overlay import save

    files = photo_files(args.photos)
    finder = Finder.of(args.corners, args.refine_corners, args.camera, args.markers)
    reader = make_reader(args.reader, args.tile_profile, args.tiles)
    tile_set = TILE_SETS[args.tiles]
    drawn = dict(zip(files, overlay_files(args.overlay, files), strict=True)) if args.overlay else {}
    missing = 0
    for path in with_progress(files, len(files), texts("progress.read")):
        seen = with_fit(finder.checked(observe(path, finder.locator(path), reader, tile_set)))
        missing += not seen.found
        if not seen.found:
            print(explain_failure(seen, texts), file=sys.stderr)
        if args.overlay and seen.photo is not None:
            save(drawn[path], overlay(seen, texts))
        if args.json:
            print(json.dumps(as_json(seen, texts), ensure_ascii=False), flush=True)
        elif seen.found:
            print_board(seen, texts)
    return 3 if missing else 0


def as_json(seen: Observation, texts: Texts) -> dict[str, Any]:
    """One line of the contract, and what to do about a photo that is hard to read."""
    from assistant.advice import advice, places

    reading = seen.reading
    return {
        "photo": seen.name,
        "found": seen.found,
        "reason": seen.reason,
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in seen.corners.points] if seen.corners else None,
        "board": list(reading.rows) if reading else None,
        "confidence": [[round(float(p), 4) for p in row] for row in reading.confidence] if reading else None,
        "doubtful": [[s.row, s.col] for s in reading.doubtful] if reading else [],
        "seconds": {stage: round(seconds, 5) for stage, seconds in seen.seconds.items()},
        "warnings": list(seen.warnings),
        "advice": advice(seen, texts),
        "places": places(seen),
    }


def print_board(seen: Observation, texts: Texts) -> None:
    """The board for people: German square names, doubtful squares in reverse."""
    from rich.text import Text

    from assistant.advice import all_warnings
    from assistant.terminal import Console
    from scorer.notation import Notation, format_square

    assert seen.reading is not None
    doubtful = set(seen.reading.doubtful)
    out = Text(f"{seen.name}\n")
    out.append("    " + " ".join(f"{c + 1:2}" for c in range(15)) + "\n", style="dim")
    for r, row in enumerate(seen.reading.rows):
        out.append(f"  {chr(65 + r)} ", style="dim")
        for c, char in enumerate(row):
            style = "reverse" if (r, c) in doubtful else "bold" if char != "." else "dim"
            out.append(" ")
            out.append(f" {char if char != '.' else '·'}", style=style)
        out.append("\n")
    if doubtful:
        names = ", ".join(format_square(square, Notation.GERMAN) for square in seen.reading.doubtful)
        out.append(texts("read.doubtful", squares=names) + "\n")
    for sentence in all_warnings(seen, texts):
        out.append(sentence + "\n")
    Console().print(out)
