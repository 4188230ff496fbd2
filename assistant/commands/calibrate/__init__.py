"""brettblick calibrate: what is special about one table, one module a kind."""

from __future__ import annotations

import argparse

from assistant.actions import Actions
from assistant.commands.calibrate import camera, markers, tiles
from assistant.texts import Texts

KINDS = (tiles, camera, markers)


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    actions = Actions(parser, "calibrate", texts)
    for module in KINDS:
        name = module.__name__.rpartition(".")[2]
        module.add_arguments(actions.add(name, module.run), texts)


def run(args: argparse.Namespace, texts: Texts) -> int:
    status: int = args.run_action(args, texts)
    return status
