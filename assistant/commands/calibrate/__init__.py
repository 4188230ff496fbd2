"""brettblick calibrate: what is special about one table, one module a kind."""

from __future__ import annotations

import argparse

from assistant.commands.calibrate import camera, markers, tiles
from assistant.texts import LANGUAGES, Texts

KINDS = (tiles, camera, markers)


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="WHAT")
    for module in KINDS:
        name = module.__name__.rpartition(".")[2]
        about = f"help.calibrate-{name}"
        sub = kinds.add_parser(name, help=texts(about), description=texts(about + "-how"))
        sub.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=texts("help.lang"))
        module.add_arguments(sub, texts)
        sub.set_defaults(run_kind=module.run)


def run(args: argparse.Namespace, texts: Texts) -> int:
    status: int = args.run_kind(args, texts)
    return status
