"""Runs the server of the page until it is stopped: for ``brettblick serve``, and beside a camera for ``watch``."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    import uvicorn

    from assistant.web.page import Share
    from assistant.web.site import Site

GRACE = 0.5
"""Seconds that running requests have to end when the server stops; all of it is to take less than two."""

BACKLOG = 128
"""Connections that may wait to be taken."""


@dataclass(frozen=True)
class Options:
    """How to serve.

    folder:   of the data
    database: its address, None for a file in the folder
    lan:      whether phones may join; https: by a certificate made here
    new_code: whether all codes and links given out so far are void
    settle:   seconds for which what a camera sees is only proposed, None for the usual
    """

    folder: Path
    database: str | None = None
    lan: bool = False
    https: bool = False
    new_code: bool = False
    settle: float | None = None


@dataclass(frozen=True)
class Running:
    """A server that has begun. url: of its page on this machine; trusted: file of the certificate that it made; stop:
    may be called from any thread."""

    url: str
    trusted: Path | None
    stop: Callable[[], None]


def listening(host: str, port: int) -> socket.socket:
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


def serve(
    options: Options,
    texts: Texts,
    sock: socket.socket,
    begun: Callable[[Running], None] = lambda running: None,
    ending: Callable[[], None] = lambda: None,
) -> None:
    """Serves on the socket until SIGTERM, Ctrl-C or ``Running.stop``. Says where the page is, and how phones join.

    begun:  called as soon as the server can be stopped; requests are answered a moment later
    ending: called in another thread when it is to stop, while requests are still answered
    """
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
    port, folder = sock.getsockname()[1], options.folder
    scheme = "https" if options.https else "http"
    with contextlib.closing(Store.open(folder, options.database)) as store:
        guard = Guard(folder, lan=options.lan)
        if options.new_code:
            guard.renew_secret()
        hosts = list(addresses()) if options.lan else []
        made = certificate(folder, [*hosts, *guard.names]) if options.https else None
        tables = Tables(store, Engines(make_reader("network"), fingerprint(default_model())))
        worker = PhotoWorker()
        site = Site(folder, store, tables, worker, guard)
        tempfile.tempdir = str(site.incoming)  # uploads: the system's own folder may be in memory, and small
        if options.settle is not None:
            site.lives.settle = options.settle
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

        def ready(stop: Callable[[], None]) -> None:
            url = f"{scheme}://127.0.0.1:{port}/"
            _say(site, texts, url, folder, made.fingerprint if made else "")
            begun(Running(url, made.path if made else None, stop))

        asyncio.run(_until_stopped(uvicorn.Server(config), site, sock, ready, ending))


async def _until_stopped(
    server: uvicorn.Server,
    site: Site,
    sock: socket.socket,
    ready: Callable[[Callable[[], None]], None],
    ending: Callable[[], None],
) -> None:
    """Serves until SIGTERM or Ctrl-C; the streams to the phones end first, so that nothing has to be waited for.

    ready: called, with what stops it from any thread, as soon as the server can be stopped in this way
    """
    last: asyncio.Future[None] | None = None

    def stop() -> None:
        nonlocal last
        if not server.started:  # it would go without cleaning up
            loop.call_later(0.05, stop)
        elif last is None:
            last = loop.run_in_executor(None, ending)
            last.add_done_callback(lambda _: now())

    def now() -> None:
        for name in ("uvicorn.error", "assistant.web.worker"):  # that a request is cut off now is no error
            logging.getLogger(name).setLevel(logging.CRITICAL)
        site.hub.close()
        server.should_exit = True

    @contextlib.contextmanager
    def ours() -> Iterator[None]:
        yield

    server.capture_signals = ours  # type: ignore[method-assign]
    loop = asyncio.get_running_loop()
    stop_from_anywhere = partial(_in_loop, loop, stop)
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop)
        except RuntimeError:  # Windows has none in its loop
            signal.signal(number, lambda *_: stop_from_anywhere())
    ready(stop_from_anywhere)
    await server.serve(sockets=[sock])


def _in_loop(loop: asyncio.AbstractEventLoop, job: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # it has ended already
        loop.call_soon_threadsafe(job)


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


def _say(site: Site, texts: Texts, url: str, folder: Path, fingerprint: str) -> None:
    """Where the page is, and how the phones come to it."""
    from assistant.web.network import qr_text

    print(texts("serve.here", url=url), flush=True)
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
