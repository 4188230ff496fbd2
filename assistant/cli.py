"""The command line: one subcommand a module in `assistant.commands`; heavy imports happen only when a command runs."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
import traceback
from collections.abc import Sequence

from assistant.commands import (
    calibrate,
    check,
    demo,
    dispute,
    doctor,
    lexicon,
    read,
    recount,
    replay,
    rescore,
    rules,
    score,
    serve,
    watch,
)
from assistant.texts import LANGUAGES, Texts, default_language, one_line
from scorer.errors import BrettblickError

COMMANDS = (
    read, recount, dispute, serve, watch, replay, rescore, score, check, lexicon, rules, calibrate, demo, doctor,
)  # fmt: skip

NAMED_WRONGLY = {errno.ENAMETOOLONG: "missing-file", errno.EACCES: "no-permission"}
"""What the system says to a name already when it is asked whether there is such a file."""


def build_parser(texts: Texts) -> argparse.ArgumentParser:
    """The whole command line; its help texts come from the catalogue."""
    parser = argparse.ArgumentParser(prog="brettblick", description=texts("help.about"))
    parser.add_argument("--lang", choices=LANGUAGES, default=texts.language, help=texts("help.lang"))
    parser.add_argument("--debug", action="store_true", help=texts("help.debug"))
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in COMMANDS:
        name = module.__name__.rpartition(".")[2]
        about = texts(f"help.{name}")
        sub = commands.add_parser(name, help=about, description=about)
        # --lang may also stand behind the command; without it the value from before the command stays
        sub.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=texts("help.lang"))
        module.add_arguments(sub, texts)
        sub.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit status. No command ends in a traceback unless --debug asks for it."""
    _let_output_be()
    args = build_parser(Texts(_language_of(sys.argv[1:] if argv is None else argv))).parse_args(argv)
    texts = Texts(args.lang)
    if getattr(args, "json", False):
        _let_output_be("utf-8")
    try:
        status: int = args.run(args, texts)
        if sys.stdout is not None:
            sys.stdout.flush()  # what goes wrong with it shows here, not when the interpreter ends
        return status
    except BrettblickError as error:
        print(texts("error", text=texts.error(error)), file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output went away (`| head`)
        _drop_output()
        return 141
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            _drop_output()
            print(texts("error", text=texts("error.no-space")), file=sys.stderr)
            return 2
        if args.debug:
            traceback.print_exc()
        if isinstance(error, OSError) and error.filename and error.errno in NAMED_WRONGLY:
            said = texts(f"error.{NAMED_WRONGLY[error.errno]}", path=one_line(str(error.filename)))
            print(texts("error", text=said), file=sys.stderr)
            return 2
        print(texts("error.internal", kind=type(error).__name__, why=error), file=sys.stderr)
        return 70


def _let_output_be(encoding: str | None = None) -> None:
    """Standard output in this encoding, None for the terminal's; what it does not have is written as an escape.

    JSON is UTF-8 wherever it goes. A file's name that is no text comes out as an escape of JSON (``\\udcff``).
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def _drop_output() -> None:
    """Nobody can take what is still to be written; without this the interpreter would say so once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _language_of(argv: Sequence[str]) -> str:
    """The language must be known before the parser is built, for its own help texts."""
    early = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    early.add_argument("--lang", default=default_language())
    try:
        wanted = early.parse_known_args(argv)[0].lang
    except argparse.ArgumentError:  # the real parser says what is wrong
        return default_language()
    return wanted if wanted in LANGUAGES else default_language()


if __name__ == "__main__":
    sys.exit(main())
