"""brettblick replay: the video of a whole game in, the score sheet out."""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import sys
import tempfile
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.read import READABLE
from assistant.photos import refuse_overwriting
from assistant.rules_option import add_rules_arguments, rules_of
from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from assistant.live.game import Outcome
    from assistant.live.offline import Replayed
    from assistant.store.store import Store
    from assistant.table.session import Table


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("video", metavar="VIDEO", help=texts("help.replay-video"))
    parser.add_argument("--json", action="store_true", help=texts("help.json"))
    add_rules_arguments(parser, texts)
    parser.add_argument("--players", default="A,B", metavar="A,B", help=texts("help.players"))
    parser.add_argument("--tiles", choices=READABLE, default="german", help=texts("help.tiles"))
    parser.add_argument("--lexicon", metavar="NAME|FILE|none", default="none", help=texts("help.recount-lexicon"))
    parser.add_argument("--camera", type=Path, metavar="FILE.json", help=texts("help.camera"))
    parser.add_argument("--told", type=Path, metavar="FILE.json", help=texts("help.told"))
    add_live_arguments(parser, texts)
    parser.add_argument("--photos", type=Path, metavar="DIR", help=texts("help.replay-photos"))
    parser.add_argument("--keep", action="store_true", help=texts("help.replay-keep"))
    parser.add_argument("--data", type=Path, metavar="DIR", help=texts("help.serve-data"))


def add_live_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    """How long a position has to rest, for every command that watches."""
    parser.add_argument("--calm", type=_seconds, default=2.0, metavar="S", help=texts("help.calm"))
    parser.add_argument("--settle", type=_seconds, default=2.0, metavar="S", help=texts("help.settle"))


def _seconds(text: str) -> float:
    value = float(text)
    if not 0.3 <= value <= 60:
        raise ValueError
    return value


def run(args: argparse.Namespace, texts: Texts) -> int:
    from platformdirs import user_data_path

    from assistant.engines import make_reader
    from assistant.live.offline import TOLD, load_told, replay_video
    from assistant.live.sources import Video, open_source
    from assistant.questions import ask
    from assistant.recount import as_json, open_verdicts
    from assistant.store.store import Store
    from assistant.table.session import Engines, Table
    from assistant.table.setup import agreed
    from calibration.camera import load_camera
    from calibration.tiles import fingerprint
    from scorer.tiles import TILE_SETS
    from vision.board_net import BoardNet
    from vision.live.eye import Eye
    from vision.live.sight import Place
    from vision.locate_learned import LearnedLocator
    from vision.onnx_reader import default_model

    rules, tile_set = rules_of(args, texts), TILE_SETS[args.tiles]
    setup = agreed(args.players.split(","), rules, tile_set, args.lexicon)
    told = load_told(args.told) if args.told else ()
    place = None
    if args.camera:
        profile = load_camera(args.camera)
        place = Place(profile.corners, profile.size, profile.lens_k, oriented=False)
    if args.photos:
        refuse_overwriting(args.photos, [Path(args.video)])
    with contextlib.ExitStack() as stack:
        source = open_source(args.video)
        stack.callback(source.close)
        if args.keep:
            folder = args.data or user_data_path("brettblick") / "table"
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(contextlib.closing(Store.open(folder.absolute())))
        game = store.create(setup.to_json(), TOLD, uuid.uuid4().hex)
        reader, net = make_reader("network"), BoardNet()
        table = Table(store, game, Engines(reader, fingerprint(default_model())), lambda: 0)
        eye = Eye(LearnedLocator(net), place, args.calm)

        def heard(at: float, outcome: Outcome) -> None:
            if line := outcome_line(at, outcome, table, texts):
                print(line, file=sys.stderr, flush=True)

        try:
            replayed = replay_video(source, table, eye, reader, net, told, args.settle, heard=heard)
        except BaseException:
            store.delete(game)  # half a game is not what was to be kept
            raise
        result, referee = replayed.result, table.means.referee
        if args.photos:
            _write_photos(replayed, store, args.photos)
        if args.json:
            data = as_json(result, lambda entry: ask(entry, texts), referee.lists, open_verdicts(result, referee))
            for move, at in zip(data["moves"], replayed.times, strict=True):
                move["seconds"] = round(at, 2)
            print(json.dumps(data, ensure_ascii=False, indent=1))
        else:
            from assistant.blanks import open_blanks
            from assistant.commands.recount import print_sheet

            blanks = open_blanks(result.board, rules, tile_set, referee)
            to_answer = texts("replay.answer" if args.keep else "replay.answer-keep")
            print_sheet(result, texts, referee.lists, open_verdicts(result, referee), blanks, to_answer)
        if isinstance(source, Video) and source.cut_off:
            print(texts("watch.cut-off", path=source.name, seconds=round(source.cut_off)), file=sys.stderr)
        if not replayed.looks:
            print(texts("replay.no-look", path=source.name), file=sys.stderr)
        if args.keep:
            print(texts("replay.kept", folder=folder), file=sys.stderr)
    return 0


def outcome_line(at: float, outcome: Outcome, table: Table, texts: Texts) -> str | None:
    """What came of a look, as one line; None where nothing is to be told."""
    from assistant.live.offline import clock_text
    from assistant.live.telling import told_of

    said = told_of(outcome, table, texts)
    return None if said is None else f"{clock_text(at)}  {said}"


def _write_photos(replayed: Replayed, store: Store, folder: Path) -> None:
    """The calm picture of each turn, named by its time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for entry, digest in zip(replayed.result.entries, replayed.photos, strict=True):
            if digest:
                name = entry.observation.name.replace(":", "-")
                shutil.copyfile(store.photo(digest), folder / f"{name}.jpg")
    except OSError as error:
        raise BrettblickError(f"{folder}: {error.strerror}", code="cannot-write", path=folder) from error
