"""brettblick serve: the page for the phones at the table."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.texts import Texts

if TYPE_CHECKING:
    from assistant.web.serving import Options


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    add_serving_arguments(parser, texts)
    parser.add_argument("--new-code", action="store_true", help=texts("help.serve-new-code"))


def add_serving_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    """Where to serve, to whom, and where the games are; for every command that serves."""
    parser.add_argument("--port", type=_port, default=8000, metavar="N", help=texts("help.serve-port"))
    parser.add_argument("--lan", action="store_true", help=texts("help.serve-lan"))
    parser.add_argument("--https", action="store_true", help=texts("help.serve-https"))
    parser.add_argument("--data", type=Path, metavar="DIR", help=texts("help.serve-data"))
    parser.add_argument("--database", metavar="URL", help=texts("help.serve-database"))


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value < 65536:
        raise ValueError
    return value


def options_of(args: argparse.Namespace) -> Options:
    """What the arguments say."""
    from platformdirs import user_data_path

    from assistant.web.serving import Options

    folder = (args.data or user_data_path("brettblick") / "table").absolute()
    return Options(folder, args.database, args.lan, args.https)


def host_of(options: Options) -> str:
    """The address to listen on."""
    return "0.0.0.0" if options.lan else "127.0.0.1"


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.web.serving import listening, serve

    options = replace(options_of(args), new_code=args.new_code)
    with contextlib.closing(listening(host_of(options), args.port)) as sock:
        serve(options, texts, sock)
    print(texts("serve.stopped"), flush=True)
    return 0
