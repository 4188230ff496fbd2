"""brettblick serve: the page for the phones at the table."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import logging
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from assistant.web.page import Share
    from assistant.web.site import Site

GRACE = 0.5
"""Seconds that running requests have to end when the server stops; all of it is to take less than two."""

BACKLOG = 128
"""Connections that may wait to be taken."""


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("--port", type=_port, default=8000, metavar="N", help=texts("help.serve-port"))
    parser.add_argument("--lan", action="store_true", help=texts("help.serve-lan"))
    parser.add_argument("--https", action="store_true", help=texts("help.serve-https"))
    parser.add_argument("--data", type=Path, metavar="DIR", help=texts("help.serve-data"))
    parser.add_argument("--database", metavar="URL", help=texts("help.serve-database"))
    parser.add_argument("--new-code", action="store_true", help=texts("help.serve-new-code"))


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value < 65536:
        raise ValueError
    return value


def run(args: argparse.Namespace, texts: Texts) -> int:
    from platformdirs import user_data_path

    folder = (args.data or user_data_path("brettblick") / "table").absolute()
    listening = _listening("0.0.0.0" if args.lan else "127.0.0.1", args.port)
    with contextlib.closing(listening):
        _serve(args, texts, folder, listening)
    return 0


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens on the port, so that who asks from now on gets an answer once the server runs;
    BrettblickError when it is taken or not allowed."""
    # the protocol is named because only then asyncio sends small answers at once (TCP_NODELAY)
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        code = "port-not-allowed" if error.errno in (errno.EACCES, errno.EPERM) else "port-taken"
        raise BrettblickError(f"port {port}: {error.strerror}", code=code, port=port) from error
    return sock


def _serve(args: argparse.Namespace, texts: Texts, folder: Path, listening: socket.socket) -> None:
    import uvicorn

    from assistant.engines import make_reader
    from assistant.store.store import Store
    from assistant.table.session import Engines, Tables
    from assistant.web.app import make_app
    from assistant.web.guard import Guard
    from assistant.web.network import addresses, certificate
    from assistant.web.protocol import CarefulProtocol
    from assistant.web.site import Site
    from assistant.web.worker import PhotoWorker
    from calibration.tiles import fingerprint
    from vision.onnx_reader import default_model

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    port = listening.getsockname()[1]
    scheme = "https" if args.https else "http"
    with contextlib.closing(Store.open(folder, args.database)) as store:
        guard = Guard(folder, lan=args.lan)
        if args.new_code:
            guard.renew_secret()
        hosts = list(addresses()) if args.lan else []
        made = certificate(folder, [*hosts, *guard.names]) if args.https else None
        tables = Tables(store, Engines(make_reader("network"), fingerprint(default_model())))
        worker = PhotoWorker()
        site = Site(folder, store, tables, worker, guard)
        tempfile.tempdir = str(site.incoming)  # uploads: the system's own folder may be in memory, and small
        site.share = lambda game: _share(site, scheme, port, game)
        config = uvicorn.Config(
            make_app(site),
            http=CarefulProtocol,
            ws="none",
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE,  # type: ignore[arg-type]  # it waits for fractions as well
            timeout_keep_alive=30,
            lifespan="on",
            ssl_certfile=made.path if made else None,
            ssl_keyfile=made.path if made else None,
        )
        ready = partial(_say, site, texts, scheme, port, folder, made.fingerprint if made else "")
        asyncio.run(_until_stopped(uvicorn.Server(config), site, listening, ready))
        print(texts("serve.stopped"), flush=True)


async def _until_stopped(server: object, site: Site, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serves until SIGTERM or Ctrl-C; the streams to the phones end first, so that nothing has to be waited for.

    ready: called as soon as the server can be stopped in this way
    """
    import uvicorn

    assert isinstance(server, uvicorn.Server)

    def stop() -> None:
        if not server.started:  # it would go without cleaning up
            loop.call_later(0.05, stop)
            return
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # that a request is cut off now is no error
        site.hub.close()
        server.should_exit = True

    @contextlib.contextmanager
    def ours() -> Iterator[None]:
        yield

    server.capture_signals = ours  # type: ignore[method-assign]
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop)
        except RuntimeError:  # Windows has none in its loop
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
    ready()
    await server.serve(sockets=[listening])


def _share(site: Site, scheme: str, port: int, game: str | None) -> Share:
    """How others come to a game, or to the list of games; nothing when only this machine may ask."""
    from assistant.web.network import addresses, qr_svg
    from assistant.web.page import Share

    if not site.guard.lan:
        return Share()
    bases = [f"{scheme}://{address}:{port}" for address in addresses()]
    joins = tuple(f"{base}/join?code={site.guard.code}" for base in bases)
    watch = f"{bases[0]}/zuschauen/{site.guard.spectator_token(game)}" if bases and game else ""
    return Share(joins, qr_svg(joins[0]) if joins else "", watch, qr_svg(watch) if watch else "")


def _say(site: Site, texts: Texts, scheme: str, port: int, folder: Path, fingerprint: str) -> None:
    """Where the page is, and how the phones come to it."""
    from assistant.web.network import qr_text

    print(texts("serve.here", url=f"{scheme}://127.0.0.1:{port}/"), flush=True)
    if site.guard.lan:
        joins = site.share(None).addresses
        if joins:
            print(texts("serve.phones", url=joins[0].partition("/join")[0], code=site.guard.code_shown))
            print(qr_text(joins[0], colours=sys.stdout.isatty()))
        else:
            print(texts("serve.no-network"))
    if fingerprint:
        print(texts("serve.certificate", fingerprint=fingerprint))
    print(texts("serve.data", folder=folder))
    print(texts("serve.stop"), flush=True)
