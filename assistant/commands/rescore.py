"""brettblick rescore: a written game in, every score computed again."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.files import read_bytes
from assistant.rules_option import add_rules_arguments, rules_of, title
from assistant.texts import Texts
from scorer.errors import NotationError

if TYPE_CHECKING:
    from scorer.notation import Notation
    from scorer.rescore import Rescore
    from scorer.rules import RuleSet
    from scorer.written import WrittenGame

MOST_ENTRIES = 1000
"""Entries of the longest game anybody could play: it has hardly more than a hundred tiles."""


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    from scorer.tiles import TILE_SETS

    parser.add_argument("file", metavar="FILE", type=Path, help=texts("help.game"))
    parser.add_argument("--json", action="store_true", help=texts("help.json"))
    add_rules_arguments(parser, texts)
    parser.add_argument("--notation", choices=["german", "international"], help=texts("help.notation"))
    parser.add_argument("--tiles", choices=sorted(TILE_SETS), default="german", help=texts("help.tiles"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from scorer.notation import Notation
    from scorer.rescore import rescore
    from scorer.tiles import TILE_SETS

    rules = rules_of(args, texts)
    game = read_game(args.file, Notation(args.notation) if args.notation else None)
    result = rescore(game, rules, TILE_SETS[args.tiles])
    if args.json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
    else:
        print_comparison(result, rules, texts)
    return 1 if result.differences else 0


def read_game(path: Path, notation: Notation | None) -> WrittenGame:
    """The written game in a file; BrettblickError that names the file, the line and why when it is none."""
    from scorer.formats import read_written_game

    data = read_bytes(path)
    if not data.strip():
        raise NotationError(f"{path}: the file is empty", code="empty-file", path=path)
    try:
        game = read_written_game(data, path.name, notation)
    except NotationError as error:
        raise NotationError(
            f"{path}: {error.message}", code="bad-game-file", hint=error.hint, path=path, reason=error
        ) from error
    if len(game.moves) > MOST_ENTRIES:
        line, count = game.moves[MOST_ENTRIES].line, MOST_ENTRIES + 1
        raise NotationError(
            f"{path}: line {line} is entry {count}", code="too-many-entries", path=path, line=line, count=count
        )
    return game


def print_comparison(result: Rescore, rules: RuleSet, texts: Texts) -> None:
    """Recorded beside computed, differing lines with a star; below, what differs in them."""
    from rich.table import Table
    from rich.text import Text

    from assistant.terminal import Console, item
    from scorer.written import Action

    written = result.written
    heading = texts("rescore.title", name=written.name, rules=title(rules, texts))
    table = Table(title=heading, title_justify="left")
    table.add_column(texts("rescore.number"), justify="right")
    table.add_column(texts("sheet.player"))
    table.add_column(texts("rescore.action"), overflow="fold")
    table.add_column(texts("sheet.words"), overflow="fold")
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
            f"* {line.number}" if move.differs else str(line.number),
            written.players[line.player],
            action + (f" ({notes})" if notes else ""),
            ", ".join(f"{w.word} {w.score}" for w in move.words),
            str(line.points),
            str(move.computed),
            *map(str, move.totals),
            style="bold red" if move.differs else "",
        )
    console = Console()
    console.print(table)
    key, count = (
        ("rescore.differs", result.differences) if result.differences else ("rescore.agrees", len(result.moves))
    )
    console.print(texts(key, count=count, all=len(result.moves)), style="bold")
    for sentence in differences(result, texts):
        console.print(item("*", Text(sentence)))
    if written.seats_inferred:
        console.print(texts("rescore.seats-inferred"))


def differences(result: Rescore, texts: Texts) -> Iterator[str]:
    """A sentence for each number of the record that is not the computed one, where the difference first shows."""
    players = result.written.players
    for move in result.moves:
        line = move.written
        if move.points_differ:
            yield texts(
                "rescore.points-differ",
                number=line.number,
                player=players[line.player],
                recorded=line.points,
                computed=move.computed,
            )
        if move.totals_differ:
            for player, recorded, computed in zip(players, line.totals, move.totals, strict=True):
                if recorded not in (None, computed):
                    yield texts(
                        "rescore.totals-differ",
                        number=line.number,
                        player=player,
                        recorded=recorded,
                        computed=computed,
                    )
