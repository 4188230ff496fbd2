"""brettblick watch: a camera that watches the table, and the page that shows what it sees."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.read import READABLE
from assistant.commands.replay import add_live_arguments
from assistant.commands.serve import add_serving_arguments, host_of, options_of
from assistant.photos import refuse_overwriting
from assistant.rules_option import DEFAULT, add_rules_arguments, rules_of
from assistant.texts import Texts, one_line
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    import socket

    from assistant.live.client import Connection
    from assistant.live.screen import Screen
    from assistant.live.sources import Source
    from assistant.live.watching import Watcher
    from assistant.store.store import Store
    from assistant.web.serving import Options, Running
    from vision.live.sight import Place

NEW = "new"
"""In place of a game's id."""

LOOKED_THROUGH = 100
"""Games, those that changed last, among which the one to go on with is looked for."""

ENDING = 1.1
"""Seconds that the camera's part has to end; the server needs some as well, and both less than two."""


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("source", metavar="SOURCE", help=texts("help.watch-source"))
    parser.add_argument("--game", metavar=f"ID|{NEW}", help=texts("help.watch-game"))
    parser.add_argument("--players", metavar="A,B", help=texts("help.watch-players"))
    add_rules_arguments(parser, texts)
    parser.add_argument("--tiles", choices=READABLE, default="german", help=texts("help.tiles"))
    parser.add_argument("--lexicon", metavar="NAME|FILE|none", help=texts("help.watch-lexicon"))
    parser.add_argument("--camera", type=Path, metavar="FILE.json", help=texts("help.camera"))
    add_live_arguments(parser, texts)
    parser.add_argument("--say", action="store_true", help=texts("help.watch-say"))
    parser.add_argument("--timelapse", type=Path, metavar="FILE.webm", help=texts("help.watch-timelapse"))
    parser.add_argument("--until-end", action="store_true", help=texts("help.watch-until-end"))
    add_serving_arguments(parser, texts)


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.live.screen import Screen
    from assistant.live.sources import Video, open_source
    from assistant.live.speech import Speaker, program
    from assistant.live.watching import Timelapse
    from assistant.live.webcams import quiet
    from assistant.report import refuse_unwritable
    from assistant.web.serving import listening

    place, options = _place(args.camera), replace(options_of(args), settle=args.settle)
    if args.timelapse:
        refuse_unwritable(args.timelapse)
        refuse_overwriting(args.timelapse, [Path(args.source)])
    timelapse = Timelapse(args.timelapse) if args.timelapse else None
    speech = program(texts.language) if args.say else None
    with contextlib.ExitStack() as stack:
        source = open_source(args.source)
        stack.callback(source.close)
        sock = None
        try:
            sock = stack.enter_context(contextlib.closing(listening(host_of(options), args.port)))
        except BrettblickError as error:
            if error.code != "port-taken":
                raise
            taken = error
        game, made, about = _game(args, texts, options)
        server = None
        if sock is None:
            server = _server_of(options, args.port, game, texts.language)
            if server is None:
                if made:
                    _delete(options, game)
                raise taken
        if not args.debug:
            stack.enter_context(quiet())
        screen = Screen(texts, Speaker(speech) if speech else None)
        stack.callback(screen.close)
        print(texts("watch.game-new" if made else "watch.game", players=about), flush=True)
        if not made and (unused := _only_for_new(args)):
            print(texts("watch.only-new", options=", ".join(unused)), file=sys.stderr)
        watch = Watch(args, texts, source, place, game, screen, timelapse)
        if sock is not None:
            watch.with_server(options, sock)
        else:
            assert server is not None
            watch.beside(server)
        if isinstance(source, Video) and source.cut_off:
            print(texts("watch.cut-off", path=source.name, seconds=round(source.cut_off)), file=sys.stderr)
    if watch.error is not None:
        raise watch.error
    return 0


def _place(path: Path | None) -> Place | None:
    """Where a camera's profile says that the board is: people turn it, so the reading order is not taken from there."""
    if path is None:
        return None
    from calibration.camera import load_camera
    from vision.live.sight import Place

    profile = load_camera(path)
    return Place(profile.corners, profile.size, profile.lens_k, oriented=False)


# --- which game, and who serves it --------------------------------------------------------------------------------


def _game(args: argparse.Namespace, texts: Texts, options: Options) -> tuple[str, bool, str]:
    """The id of the game to watch, whether it is a new one, and who plays it."""
    from assistant.lexicon.naming import BUILT_IN
    from assistant.live.game import CAMERA
    from assistant.store.store import Store
    from assistant.table.setup import Setup, agreed
    from scorer.tiles import TILE_SETS

    with contextlib.closing(Store.open(options.folder, options.database)) as store:
        if args.game not in (None, NEW):
            return args.game, False, ", ".join(Setup.from_json(store.head(args.game).setup).players)
        if args.game is None and args.players is None and (found := _unfinished(store)):
            return found
        names = (args.players or texts("watch.players")).split(",")
        setup = agreed(names, rules_of(args, texts), TILE_SETS[args.tiles], args.lexicon or BUILT_IN)
        return store.create(setup.to_json(), CAMERA, uuid.uuid4().hex), True, ", ".join(setup.players)


def _only_for_new(args: argparse.Namespace) -> list[str]:
    """The options given that say how a new game is to be: one that goes on keeps what it began with."""
    given = {
        "--players": args.players,
        "--rules": args.rules != DEFAULT,
        "--rule": args.rule,
        "--tiles": args.tiles != "german",
        "--lexicon": args.lexicon,
    }
    return [name for name, there in given.items() if there]


def _unfinished(store: Store) -> tuple[str, bool, str] | None:
    """The game that changed last and is not over yet."""
    from assistant.table.history import fold, phase
    from assistant.table.setup import Setup

    for head in store.games(LOOKED_THROUGH):
        with contextlib.suppress(BrettblickError):  # one that cannot be read any more is none to go on with
            setup = Setup.from_json(head.setup)
            if phase(fold(setup, store.load(head.id).rows).state) == "playing":
                return head.id, False, ", ".join(setup.players)
    return None


def _delete(options: Options, game: str) -> None:
    from assistant.store.store import Store

    with contextlib.closing(Store.open(options.folder, options.database)) as store:
        store.delete(game)


def _server_of(options: Options, port: int, game: str, language: str) -> Connection | None:
    """The Brettblick server that listens on the port, if it is one that has this very game: it knows who is signed with
    the secret of the same folder."""
    import httpx

    from assistant.live.client import Connection
    from assistant.web.guard import COOKIE, Guard

    guard = Guard(options.folder)
    cookie = {COOKIE: guard.cookie(guard.new_device())}
    kept = options.folder / "https.pem"
    for base, trusted in ((f"http://127.0.0.1:{port}", None), (f"https://127.0.0.1:{port}", kept)):
        if trusted is not None and not trusted.exists():
            continue
        connection = Connection(base, language, trusted, cookie)
        try:
            if connection.call("GET", f"/api/games/{game}")["id"] == game:
                return connection
        except (BrettblickError, httpx.HTTPError, OSError, ValueError, KeyError, TypeError):
            pass
        connection.close()
    return None


# --- the camera's part --------------------------------------------------------------------------------------------


class Watch:
    """Watches one game, beside a server in this process or another one. error: why it ended, if it should not have"""

    def __init__(
        self,
        args: argparse.Namespace,
        texts: Texts,
        source: Source,
        place: Place | None,
        game: str,
        screen: Screen,
        timelapse: Any,
    ) -> None:
        self._args, self._texts, self._source, self._place = args, texts, source, place
        self._game, self._screen, self._timelapse = game, screen, timelapse
        self._watcher: Watcher | None = None
        self._stopped = threading.Event()
        self._ended = threading.Event()
        self.error: BaseException | None = None

    def with_server(self, options: Options, sock: socket.socket) -> None:
        """Serves the page too, until it is stopped; with ``--until-end`` until nothing more is to be watched."""
        from assistant.live.client import Connection
        from assistant.web.serving import serve

        thread: threading.Thread | None = None

        def begun(running: Running) -> None:
            nonlocal thread
            connection = Connection(running.url, self._texts.language, running.trusted)
            thread = threading.Thread(target=self._run, args=(connection, running), name="watch", daemon=True)
            thread.start()

        def ending() -> None:
            self.stop()
            self._ended.wait(ENDING)

        serve(options, self._texts, sock, begun, ending)
        if thread is not None:
            self.stop()
            thread.join(0.1)
        self._screen.close()
        print(self._texts("serve.stopped"), flush=True)

    def beside(self, connection: Connection) -> None:
        """Watches for a server that runs already, until nothing more is to be watched."""
        self._screen.line(self._texts("watch.beside", url=f"{connection.base}/games/{self._game}"))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.stop())
        thread = threading.Thread(target=self._run, args=(connection, None), name="watch", daemon=True)
        thread.start()
        while thread.is_alive() and not self._stopped.is_set():
            thread.join(0.2)
        thread.join(ENDING)
        self._screen.close()
        print(self._texts("watch.stopped"), flush=True)

    def stop(self) -> None:
        self._stopped.set()
        if self._watcher is not None:
            self._watcher.stop()

    def _run(self, connection: Connection, running: Running | None) -> None:
        """The camera's part from the beginning to the end."""
        try:
            self._watch(connection, running)
        except BaseException as error:
            self.error = error
        finally:
            self._ended.set()
        if self.error is not None and not isinstance(self.error, BrettblickError):
            self._screen.line(repr(self.error))
        if running is not None and (self._args.until_end or self.error is not None):
            running.stop()

    def _watch(self, connection: Connection, running: Running | None) -> None:
        from assistant.live.client import Reporter
        from assistant.live.grabber import Grabber
        from assistant.live.keyboard import keys
        from assistant.live.sources import open_source
        from assistant.live.watching import Watcher
        from vision.live.eye import Eye

        source, texts = self._source, self._texts
        grabber = Grabber(source, (lambda: open_source(self._args.source)) if source.live else None)
        reporter = Reporter(connection, self._game, source.name)
        eye = Eye(place=self._place, calm=self._args.calm)
        self._watcher = Watcher(grabber, eye, reporter, self._screen, self._timelapse)
        if self._stopped.is_set():
            return
        if running is not None:
            self._screen.line(texts("watch.page", url=f"{running.url}games/{self._game}"))
        hand = Hand(connection, self._game, self._watcher, self._screen, texts)
        with keys(hand.key) as there:
            if there:
                self._screen.line(texts("watch.keys"))
            self._screen.begin()
            self._watcher.run()
        self.error = self._watcher.error
        if running is not None and not self._stopped.is_set() and not self._args.until_end and self.error is None:
            self._screen.line(texts("watch.goes-on"))


class Hand:
    """What the keys of the terminal do."""

    def __init__(self, connection: Connection, game: str, watcher: Watcher, screen: Screen, texts: Texts) -> None:
        self._connection, self._game, self._watcher = connection, game, watcher
        self._screen, self._texts = screen, texts

    def key(self, key: str) -> None:
        """Space or Enter: the move is made; s: keep what was seen."""
        if key in " \r\n":
            self._press()
        elif key in "sS":
            self._keep()

    def _press(self) -> None:
        """The clock of the page, where it runs, else only the eye. The server tells the eye of a clock."""
        import httpx

        said = {"action": "clock", "do": "press", "request": uuid.uuid4().hex}
        try:
            self._connection.call("POST", f"/api/games/{self._game}/act", json=said)
        except (BrettblickError, httpx.HTTPError):
            self._watcher.press()
        self._screen.line(self._texts("watch.pressed"))

    def _keep(self) -> None:
        import httpx

        try:
            self._connection.call("POST", f"/api/games/{self._game}/live/keep", json={"request": uuid.uuid4().hex})
            self._screen.line(self._texts("watch.kept"))
        except BrettblickError as error:
            self._screen.line(one_line(error.message))
        except httpx.HTTPError:
            self._screen.line(self._texts("watch.server-away"))
