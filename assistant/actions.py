"""Commands that can do several things: ``rules show``, ``lexicon import``, ``calibrate tiles``."""

from __future__ import annotations

import argparse

from assistant.texts import LANGUAGES, Texts


class Actions:
    """What one command can do; each has its help texts ``help.COMMAND-ACTION`` and ``help.COMMAND-ACTION-how``."""

    def __init__(self, parser: argparse.ArgumentParser, command: str, texts: Texts) -> None:
        self._actions = parser.add_subparsers(dest="action", required=True, metavar="WHAT")
        self._command, self._texts = command, texts

    def add(self, name: str, run: object) -> argparse.ArgumentParser:
        """The parser of one action, to be given its arguments; ``run`` stands in ``run_action``."""
        about = f"help.{self._command}-{name}"
        sub = self._actions.add_parser(name, help=self._texts(about), description=self._texts(f"{about}-how"))
        sub.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=self._texts("help.lang"))
        sub.set_defaults(run_action=run)
        return sub
