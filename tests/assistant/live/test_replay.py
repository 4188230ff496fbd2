"""A game from its frames is the game from its photos."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant.engines import make_reader
from assistant.live.game import CAMERA
from assistant.live.offline import Replayed, Told, ToldError, clock_text, load_told, replay_video
from assistant.live.sources import Frame
from assistant.recount import Recount, recount
from assistant.store.store import Store
from assistant.table.session import Engines, Table
from assistant.table.setup import agreed
from bench.stream import stream
from scorer.errors import BrettblickError
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from vision.board_net import BoardNet
from vision.live.eye import Eye
from vision.locate_learned import LearnedLocator
from vision.observe import observe

SHARED = Path(__file__).parents[4] / "shared" / "photos"
SIZE, RATE, HOLD = (1280, 720), 5.0, 5.0


@dataclass
class Frames:
    """A source of frames that are made as they are needed."""

    photos: Sequence[Path]
    name: str = "frames"
    live: bool = False

    def frames(self, wanted: object = None) -> Iterator[Frame]:
        for number, pixels in enumerate(stream(self.photos, SIZE, RATE, HOLD)):
            yield Frame(pixels, number / RATE)

    def close(self) -> None:
        pass


def replayed(photos: Sequence[Path], folder: Path, players: Sequence[str], told: Sequence[Told] = ()) -> Replayed:
    store = Store.open(folder)
    try:
        setup = agreed(players, RULE_SETS["turnier"], GERMAN_102, "none")
        game = store.create(setup.to_json(), CAMERA, "a game from frames")
        reader, net = make_reader("network"), BoardNet()
        table = Table(store, game, Engines(reader), lambda: 0)
        return replay_video(Frames(photos), table, Eye(LearnedLocator(net)), reader, net, told)
    finally:
        store.close()


def counted(photos: Sequence[Path], players: Sequence[str]) -> Recount:
    reader, locator = make_reader("network"), LearnedLocator()
    seen = [observe(path, locator, reader, GERMAN_102) for path in photos]
    return recount(seen, players, RULE_SETS["turnier"], GERMAN_102, reader=reader)


def moves(result: Recount) -> list[tuple[Any, ...]]:
    """What counts: kind, player, tiles, points."""
    return [
        (one.kind, one.player, one.play and one.play.placement.tiles, one.play and one.play.score, one.withdrawn)
        for one in result.entries
        if one.kind in ("place", "none", "withdrawn")
    ]


def test_the_demo_game_as_a_stream_is_the_demo_game(demo_photos: list[Path], tmp_path: Path) -> None:
    photos = demo_photos[:6]
    whole, live = counted(photos, ("Anna", "Ben")), replayed(photos, tmp_path, ("Anna", "Ben"))
    assert moves(live.result) == moves(whole)
    assert live.result.totals == whole.totals and live.result.board == whole.board
    assert [entry.question for entry in live.result.entries] == [None] * len(live.result.entries)
    assert len(live.times) == len(live.photos) == len(live.result.entries) and all(live.photos)
    # each is found while its photo is held
    first = {round(at // HOLD) for at in live.times}
    assert first == set(range(len(photos) - len(live.times), len(photos)))


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the real photos beside the repository")
def test_a_real_game_as_a_stream_is_the_same_as_its_photos(tmp_path: Path) -> None:
    folder = SHARED / "german-game12"
    truth = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    photos = [folder / name for name in truth["photos"]][:12]  # two before the first move, ten moves
    live = replayed(photos, tmp_path, truth["players"])
    assert moves(live.result) == moves(counted(photos, truth["players"]))


def test_what_was_said_at_the_table_has_its_place_in_the_game(demo_photos: list[Path], tmp_path: Path) -> None:
    photos = demo_photos[:3]
    live = replayed(photos, tmp_path, ("Anna", "Ben"), [Told(2 * HOLD - 0.5, "pass", {})])
    kinds = [(entry.kind, entry.player) for entry in live.result.entries]
    assert kinds == [("place", 0), ("none", 1), ("place", 0)]
    assert live.result.entries[1].observation.name == "0:09.5"  # before the move had settled
    with pytest.raises(BrettblickError) as refused:
        replayed(photos[:1], tmp_path, ("Anna", "Ben"), [Told(1.0, "juggle", {})])
    assert refused.value.code == "told-unknown" and refused.value.details["at"] == "0:01.0"
    with pytest.raises(ToldError) as refused:
        replayed(photos[:1], tmp_path / "other", ("Anna", "Ben"), [Told(1.0, "undo", {})])
    assert refused.value.code == "told-refused", "there is nothing to undo"


def test_a_source_without_a_frame_is_told(tmp_path: Path) -> None:
    with pytest.raises(BrettblickError) as nothing:
        replayed([], tmp_path, ("Anna", "Ben"))
    assert nothing.value.code == "no-frames"


@pytest.mark.parametrize(
    "content",
    ["", "{", "{}", "[1]", '[{"at": -1, "action": "pass"}]', '[{"at": true, "action": "pass"}]', '[{"at": 1}]'],
)
def test_an_odd_file_of_what_was_said_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "told.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ToldError):
        load_told(file)


def test_what_was_said_is_put_in_order_of_time(tmp_path: Path) -> None:
    file = tmp_path / "told.json"
    file.write_text('[{"at": 9, "action": "pass"}, {"at": 1.5, "action": "exchange", "count": 2}]', encoding="utf-8")
    assert load_told(file) == (Told(1.5, "exchange", {"count": 2}), Told(9.0, "pass", {}))


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00.0"), (59.96, "1:00.0"), (62.34, "1:02.3"), (3723.4, "1:02:03.4")]
)
def test_times_of_a_video_are_written_as_people_read_them(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "assistant", "--lang", "en", "replay", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_command_writes_the_contracts_json_the_pictures_and_keeps_the_game(
    demo_photos: list[Path], tmp_path: Path
) -> None:
    video, pictures, data = tmp_path / "game.avi", tmp_path / "pictures", tmp_path / "data"
    film_of(video, list(stream(demo_photos[:3], SIZE, RATE, HOLD)))
    run = command(video, "--json", "--players", "Anna,Ben", "--photos", pictures, "--keep", "--data", data)
    assert run.returncode == 0, run.stderr
    out, truth = json.loads(run.stdout), counted(demo_photos[:3], ("Anna", "Ben"))
    assert out["totals"] == dict(zip(("Anna", "Ben"), truth.totals, strict=True))
    assert [move["kind"] for move in out["moves"]] == ["place", "place"]
    assert [move["seconds"] for move in out["moves"]] == sorted(move["seconds"] for move in out["moves"])
    assert len(list(pictures.glob("*.jpg"))) == 2
    store = Store.open(data)
    try:
        (head,) = store.games(10)
        assert len([row for row in store.load(head.id).rows if row.kind == "event"]) == 2
    finally:
        store.close()


def film_of(path: Path, frames: Sequence[Any]) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    for frame in frames:
        writer.write(frame)
    writer.release()
    return path


def test_each_replay_that_is_kept_is_a_game_of_its_own(demo_photos: list[Path], tmp_path: Path) -> None:
    """Also of a video of the same name: cameras call every video the same."""
    video = film_of(tmp_path / "IMG_0001.avi", list(stream(demo_photos[:2], SIZE, RATE, HOLD)))
    sheets = [command(video, "--json", "--keep", "--data", tmp_path / "data") for _ in range(2)]
    assert [run.returncode for run in sheets] == [0, 0], sheets[1].stderr
    first, second = (json.loads(run.stdout) for run in sheets)
    assert first == second and len(first["moves"]) == 1
    with contextlib.closing(Store.open(tmp_path / "data")) as store:
        assert [len([row for row in store.load(head.id).rows if row.kind == "event"]) for head in store.games()] == [
            1,
            1,
        ]


def test_half_a_game_is_not_kept(demo_photos: list[Path], tmp_path: Path) -> None:
    video, told = film_of(tmp_path / "a.avi", list(stream(demo_photos[:1], SIZE, RATE, 1.0))), tmp_path / "told.json"
    told.write_text('[{"at": 0.5, "action": "pass"}, {"at": 0.8, "action": "juggle"}]', encoding="utf-8")
    run = command(video, "--told", told, "--keep", "--data", tmp_path / "data")
    assert run.returncode == 2 and run.stdout == "" and "0:00.8" in run.stderr and "juggle" in run.stderr
    assert "reload" not in run.stderr, "there is no page"
    with contextlib.closing(Store.open(tmp_path / "data")) as store:
        assert store.games() == []


def test_what_is_missing_in_a_video_is_told(tmp_path: Path) -> None:
    whole = film_of(tmp_path / "whole.avi", [np.full((720, 1280, 3), 90, np.uint8)] * 60)
    part = tmp_path / "part.avi"
    part.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    for video, cut_off in ((whole, False), (part, True)):
        run = command(video)
        assert run.returncode == 0 and ("the video is incomplete" in run.stderr) is cut_off
        assert "nothing was read" in run.stderr, "no board in it"


def test_a_question_says_how_it_is_answered_here(demo_photos: list[Path], tmp_path: Path) -> None:
    """``replay`` has neither --ask nor --answers."""
    several_moves = [demo_photos[0], demo_photos[5]]
    run = command(film_of(tmp_path / "a.avi", list(stream(several_moves, SIZE, RATE, 12.0))))
    assert run.returncode == 0 and "Open questions" in run.stdout
    assert "--keep" in run.stdout and "--answers" not in run.stdout


def test_no_video_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "notes.mp4").write_text("no video", encoding="utf-8")
    for name in ("missing.mp4", "notes.mp4", ".", "a" * 300 + ".mp4"):
        run = command(tmp_path / name)
        assert run.returncode != 0 and run.stdout == ""
        assert len(run.stderr.strip().splitlines()) == 1 and "Traceback" not in run.stderr
