"""brettblick rescore: a written game in, every score computed again."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.rules_option import add_rules_arguments, rules_of, title
from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from scorer.rescore import Rescore
    from scorer.rules import RuleSet


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    from scorer.tiles import TILE_SETS

    parser.add_argument("file", metavar="FILE", type=Path, help=texts("help.game"))
    parser.add_argument("--json", action="store_true", help=texts("help.json"))
    add_rules_arguments(parser, texts)
    parser.add_argument("--notation", choices=["german", "international"], help=texts("help.notation"))
    parser.add_argument("--tiles", choices=sorted(TILE_SETS), default="german", help=texts("help.tiles"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from scorer.formats import read_written_game
    from scorer.notation import Notation
    from scorer.rescore import rescore
    from scorer.tiles import TILE_SETS

    rules = rules_of(args, texts)
    try:
        data = args.file.read_bytes()
    except OSError as error:
        raise BrettblickError(f"{args.file}: {error.strerror}", code="missing-file", path=args.file) from error
    notation = Notation(args.notation) if args.notation else None
    result = rescore(read_written_game(data, args.file.name, notation), rules, TILE_SETS[args.tiles])
    if args.json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
    else:
        print_comparison(result, rules, texts)
    return 1 if result.differences else 0


def print_comparison(result: Rescore, rules: RuleSet, texts: Texts) -> None:
    """Recorded beside computed, differing lines marked."""
    from rich.console import Console
    from rich.table import Table

    from scorer.written import Action

    written = result.written
    heading = texts("rescore.title", name=written.name, rules=title(rules, texts))
    table = Table(title=heading, title_justify="left")
    table.add_column(texts("rescore.number"), justify="right")
    table.add_column(texts("sheet.player"))
    table.add_column(texts("rescore.action"))
    table.add_column(texts("sheet.words"))
    for key in ("rescore.recorded", "rescore.computed"):
        table.add_column(texts(key), justify="right")
    for name in written.players:
        table.add_column(name, justify="right")
    for move in result.moves:
        line = move.written
        action = (
            line.move.text(written.notation)
            if line.action is Action.PLACE and line.move
            else texts(f"action.{line.action}")
        )
        notes = "; ".join(texts(f"fault.{code}") for code in move.faults.codes)
        table.add_row(
            str(line.number),
            written.players[line.player],
            action + (f" ({notes})" if notes else ""),
            ", ".join(f"{w.word} {w.score}" for w in move.words),
            str(line.points),
            str(move.computed),
            *map(str, move.totals),
            style="bold red" if move.differs else "",
        )
    console = Console(highlight=False)
    console.print(table)
    key, count = (
        ("rescore.differs", result.differences) if result.differences else ("rescore.agrees", len(result.moves))
    )
    console.print(texts(key, count=count, all=len(result.moves)), style="bold")
