"""brettblick demo: renders a short game as photos, recounts it, and shows what was read."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.texts import Texts

if TYPE_CHECKING:
    from assistant.recount import RecountEntry
    from models.table.demo import Turn


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("--out", type=Path, default=Path("demo"), help=texts("help.out"))
    parser.add_argument("--seed", type=int, default=1, help=texts("help.seed"))
    parser.add_argument("--json", action="store_true", help=texts("help.json"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.commands.recount import print_sheet, recount_photos, report, write_overlays
    from assistant.questions import ask
    from assistant.recount import as_json
    from models.table import demo
    from scorer.rules import RULE_SETS
    from scorer.tiles import GERMAN_102

    print(texts("progress.render"), file=sys.stderr, flush=True)
    files = demo.render_demo(args.out / "photos", args.seed)
    result = recount_photos(files, list(demo.PLAYERS), RULE_SETS["turnier"], GERMAN_102, "network", texts, True)
    overlays = write_overlays(result, args.out / "overlays", texts)
    page = args.out / "report.html"
    report(result, files, page, texts)
    if args.json:
        print(json.dumps(as_json(result, lambda entry: ask(entry, texts)), ensure_ascii=False, indent=1))
        return 0
    print_sheet(result, texts)
    right = sum(same_entry(entry, turn) for entry, turn in zip(result.entries, demo.TURNS, strict=True))
    print()
    print(texts("demo.rendered", count=len(files), folder=args.out / "photos"))
    print(texts("demo.overlays", folder=overlays[0].parent))
    print(texts("report.written", path=page))
    print(texts("demo.truth", right=right, all=len(files)))
    return 0


def same_entry(entry: RecountEntry, turn: Turn) -> bool:
    """Whether an entry says what was rendered: kind, squares and letters (a blank's letter is not in the photo)."""
    tiles = {(s.row, s.col): char for s, char in entry.play.placement.tiles} if entry.play else {}
    wanted = {(row, col): "?" if char.islower() else char for row, col, char in turn.tiles}
    return entry.kind == turn.kind and tiles == wanted
