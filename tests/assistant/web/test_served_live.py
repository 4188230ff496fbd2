"""The running server and cameras that watch: from a picture to a move that counts, and people who mean no good."""

from __future__ import annotations

import io
import json
import random
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from assistant.web.guard import Guard
from assistant.web.limits import Limits
from bench.served import Phone, Server, request_id
from tests.assistant.web.watcher import CALM, Watcher

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks from many addresses of the loopback network")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("live") / "data", "--lan") as server:
        yield server
    log = server.log.read_text()
    assert "Traceback" not in log and "ERROR" not in log, log


@pytest.fixture
def phone(server: Server) -> Iterator[Phone]:
    with Phone(server.base, who="Anna") as phone:
        yield phone
        Watcher.end_all(phone)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Server]:
    """A server whose allowances nobody has used: all devices together have one, which other tests may have emptied."""
    with Server(tmp_path / "data", "--lan") as server:
        yield server
    log = server.log.read_text()
    assert "Traceback" not in log and "ERROR" not in log, log


def place_of(truth: dict[str, Any], photo: Path) -> dict[str, Any]:
    height, width = cv2.imread(str(photo)).shape[:2]
    return {"corners": truth["corners_px"], "size": [width, height], "lens_k": 0.0, "oriented": True}


def test_a_move_that_a_camera_sees(phone: Phone, demo_photos: list[Path], demo_truth: list[dict[str, Any]]) -> None:
    """Proposed at once, shown to the pages, booked when it has lain there for two seconds."""
    game = phone.new_game()
    watcher = Watcher(phone, game)
    with phone.stream(game) as stream:
        assert stream.told(20, watching=False)
        known = place_of(demo_truth[0], demo_photos[0])
        assert watcher.look(demo_photos[0].read_bytes(), known)["outcome"]["kind"] == "nothing"
        photo = demo_photos[1].read_bytes()
        answer = watcher.look(photo, place_of(demo_truth[1], demo_photos[1]))
        proposed = answer["outcome"]
        assert (proposed["kind"], proposed["text"]) == ("proposed", "Anna: H6 HÜTTE, 22 Punkte")
        assert (proposed["player"], proposed["points"], proposed["words"]) == ("Anna", 22, ["HÜTTE"])
        assert (answer["press"], answer["again"], answer["stop"], answer["dropped"]) == (False, None, False, False)
        view = phone.view(game)
        assert view["players"][0]["points"] == 0 and view["proposal"]["by"] == "Kamera"
        shown = stream.told(20, state="calm", books_in_ms=2000)
        assert shown and shown["outcome"]["text"] == "Anna: H6 HÜTTE, 22 Punkte" and shown["name"] == "Webcam 0"
        assert shown["corners"] == CALM["corners"]
        assert watcher.frame(photo, step=1.9)["outcome"] is None
        assert watcher.frame(photo, step=0.1)["outcome"]["kind"] == "booked"
        assert [one["points"] for one in phone.view(game)["players"]] == [22, 0]
        assert stream.heard(2, 20)
    assert phone.view(game)["sheet"][0]["who"] == "Kamera"
    newest = phone.get(f"/games/{game}/live/frame.jpg")
    assert newest.content == photo and newest.headers["content-type"] == "image/jpeg"
    assert newest.headers["cache-control"] == "no-store"


def test_who_presses_the_clock_is_heard_by_the_camera(phone: Phone, demo_photos: list[Path]) -> None:
    game = phone.new_game()
    watcher = Watcher(phone, game)
    empty, photo = demo_photos[0].read_bytes(), demo_photos[1].read_bytes()
    refused = phone.post(f"/api/games/{game}/live/press", json={})
    assert (refused.status_code, refused.json()["error"]) == (409, "no-camera")
    assert not watcher.frame(empty)["press"]
    phone.done(game, "clock", do="start")
    assert not watcher.frame(empty)["press"], "starting is no press"
    phone.done(game, "clock", do="press", player=0)
    assert watcher.frame(empty)["press"] and not watcher.frame(empty)["press"], "it is told once"
    assert watcher.look(photo, pressed=True)["outcome"]["kind"] == "booked", "and then nothing has to settle"
    assert phone.view(game)["clock"]["running"] == 1
    assert phone.post(f"/api/games/{game}/live/press", json={}).status_code == 200
    assert watcher.frame(photo)["press"]


def test_two_cameras_on_one_game(phone: Phone, demo_photos: list[Path]) -> None:
    game, picture = phone.new_game(), demo_photos[0].read_bytes()
    one, two = Watcher(phone, game), Watcher(phone, game, "source-two", "Telefon")
    one.frame(picture)
    refused = two.send(picture)
    assert (refused.status_code, refused.json()["error"]) == (409, "already-watched")
    assert "Webcam 0" in refused.json()["message"]
    state = {"source": "source-two", "name": "Telefon", "trouble": "lost"}
    assert phone.post(f"/api/games/{game}/live/state", json=state).status_code == 409
    with phone.stream(game) as stream:
        ended = phone.post(
            f"/api/games/{game}/live/state", json=state | {"source": "source-webcam", "trouble": "ended"}
        )
        assert ended.status_code == 200
        shown = stream.told(20, trouble="ended")
        assert shown and shown["text"] == "Die Kamera ist angehalten."
        two.frame(picture)
        assert stream.told(20, name="Telefon", trouble=None)


def test_the_camera_of_a_page_is_looked_at_here(phone: Phone, demo_photos: list[Path]) -> None:
    """Frames without a sight: the process that reads photos looks for the board and says when to read."""
    game = phone.new_game()
    watcher = Watcher(phone, game, name="Kamera des Telefons")
    small = [cv2.resize(cv2.imread(str(photo)), None, fx=0.6, fy=0.6) for photo in demo_photos[:2]]
    empty, laid = (cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes() for one in small)
    kinds = []
    for picture in [empty] * 16 + [laid] * 40:
        answer = watcher.frame(picture, sight=None, step=0.25)
        kinds += [answer["outcome"]["kind"]] if answer["outcome"] else []
        if "booked" in kinds:
            break
    assert kinds == ["nothing", "proposed", "booked"]
    assert phone.view(game)["players"][0]["points"] == 22
    row = phone.view(game)["sheet"][0]
    assert row["who"] == "Kamera" and phone.get(f"/games/{game}/photos/{row['photo']}").status_code == 200


def test_a_look_without_a_board_leaves_the_game_alone(phone: Phone) -> None:
    game = phone.new_game()
    table = cv2.imencode(".jpg", np.full((600, 800, 3), 90, np.uint8))[1].tobytes()
    answer = Watcher(phone, game).look(table)
    assert answer["outcome"]["kind"] == "unreadable" and answer["again"] and answer["outcome"]["text"]
    assert phone.view(game)["version"] == 0


def test_a_clip_of_a_watched_game(server: Server, phone: Phone, demo_photos: list[Path]) -> None:
    """Kept with its photos, in the archive, gone with the game."""
    game = phone.new_game()
    watcher = Watcher(phone, game)
    small = cv2.resize(cv2.imread(str(demo_photos[0])), (640, 480))
    pictures = [cv2.imencode(".jpg", np.roll(small, 20 * k, axis=1))[1].tobytes() for k in range(4)]
    for picture in pictures:
        watcher.frame(picture)
        time.sleep(0.4)
    kept = phone.post(f"/api/games/{game}/live/keep", json={"request": request_id()})
    assert kept.status_code == 200 and kept.json()["frames"] == 4
    archive = zipfile.ZipFile(io.BytesIO(phone.get(f"/games/{game}/export.zip").content))
    assert sorted(map(archive.read, archive.namelist()[1:])) == sorted(pictures)
    names = [path.name for path in (server.folder / "photos").rglob("*") if path.is_file()]
    assert phone.post(f"/api/games/{game}/delete", json={}).status_code == 200
    left = [path.name for path in (server.folder / "photos").rglob("*") if path.is_file()]
    assert len(names) - len(left) == 4 and phone.get(f"/games/{game}/live/frame.jpg").status_code == 404


# --- people who mean no good ------------------------------------------------------------------------------------


def test_who_has_not_joined_sees_and_sends_nothing(server: Server, phone: Phone, demo_photos: list[Path]) -> None:
    game, picture = phone.new_game(), demo_photos[0].read_bytes()
    Watcher(phone, game).frame(picture)
    token = Guard(server.folder, lan=True).spectator_token(game)
    stranger = {"X-Brettblick": "1", "Origin": server.base, "Via": "1.1 proxy"}
    with httpx.Client(base_url=server.base, headers=stranger) as client:
        for path in (f"/games/{game}/live/frame.jpg", f"/games/{game}/clips/1"):
            assert client.get(path).status_code == 403
        assert client.get(f"/zuschauen/{token}/live/frame.jpg").status_code == 404
        for path in ("frame", "state", "keep", "press"):
            assert client.post(f"/api/games/{game}/live/{path}", json={}).status_code == 403
        with client.stream("GET", f"/zuschauen/{token}/stream") as answer:
            lines = answer.iter_lines()
            told = next(json.loads(line[6:]) for line in lines if line.startswith("data: ") and "watching" in line)
        assert told == {"watching": True, "text": "Kamera sieht zu"}
    # nor does another site's page in the browser of somebody who has
    files = {"frame": ("f.jpg", picture, "image/jpeg")}
    foreign = phone.http.post(f"/api/games/{game}/live/frame", files=files, headers={"Origin": "http://evil.example"})
    assert (foreign.status_code, foreign.json()["error"]) == (403, "not-from-page")


def test_frames_that_are_none(server: Server, phone: Phone, demo_photos: list[Path]) -> None:
    """Each is refused with a reason; the camera goes on, the game is as it was."""
    game, picture = phone.new_game(), demo_photos[0].read_bytes()
    phone.done(game, "type", move="H4 FIRNS")
    phone.done(game, "confirm")
    before = phone.view(game)
    watcher = Watcher(phone, game)
    watcher.frame(picture, step=50)
    path = f"/api/games/{game}/live/frame"
    with Phone(server.base, address="127.0.7.7") as other:  # limits of its own
        for answer in (
            other.post(path),
            other.post(path, content=b"x"),
            other.post(path, content=b"\0" * 1000, headers={"Content-Type": "multipart/form-data; boundary=x"}),
            other.post(path, json={"frame": "x"}),
            other.post(path, data={"frame": "no file", "meta": "{}"}),
            other.post(path, files={"frame": ("f", picture)}),
            other.post(path, files={"frame": ("f", picture), "meta": ("m", b"{}")}),
            other.post(path, files={"frame": ("f", picture), "more": ("m", b"x")}, data={"meta": "{}"}),
            Watcher(other, game).send(b"\xff\xd8\xff<script>alert(1)</script>"),
            Watcher(other, game).send(picture, time=49.0),
            Watcher(other, game).send(picture, time=-1.0),
            Watcher(other, game).send(picture, sight="calm"),
            Watcher(other, game, source="short").send(picture),
        ):
            assert answer.status_code in (400, 422) and answer.json()["message"], answer.text
        for absent in ("nonsense", "../secret", "A" * 200):
            assert other.post(f"/api/games/{absent}/live/frame").status_code == 404
        assert other.post(f"/api/games/{game}/live/state", json={"source": "source-webcam"}).status_code == 422
        wrong = {"source": "source-webcam", "name": "x", "trouble": "<b>bad</b>"}
        assert other.post(f"/api/games/{game}/live/state", json=wrong).status_code == 422
        assert other.post(f"/api/games/{game}/live/keep", json={}).status_code == 422
        # a JPEG by its head whose body is none: nothing to look at, nothing to read
        broken = picture[:600] + random.Random(9).randbytes(5000)
        for sight in (CALM, None):
            answer = Watcher(other, game).send(broken, sight=sight, look=None, time=60.0)
            assert answer.status_code in (200, 422), answer.text
        look = {"time": 61.0, "calm_for": 2.0, "pressed": True, "place": None}
        answer = Watcher(other, game).send(broken, look=look, time=61.0)
        assert answer.status_code in (200, 422) and (answer.status_code == 422 or not answer.json()["press"])
    watcher.frame(picture, step=20)
    now = phone.view(game)
    for key in ("version", "events", "board", "sheet", "players", "proposal"):
        assert now[key] == before[key], key


def test_a_place_that_is_none_is_searched_for(phone: Phone, demo_photos: list[Path]) -> None:
    """Corners somewhere else in the picture, or hardly any: the board is found all the same, or the look is refused."""
    chance = random.Random(5)
    game, photo = phone.new_game(), demo_photos[1].read_bytes()
    watcher = Watcher(phone, game)
    for corners in (
        [[0, 0], [3, 0], [3, 3], [0, 3]],
        [[-40_000, -40_000], [40_000, -40_000], [40_000, 40_000], [-40_000, 40_000]],
        [[chance.uniform(0, 300) + 700 * (k in (1, 2)), chance.uniform(0, 300) + 700 * (k > 1)] for k in range(4)],
    ):
        size = [3000, 3000 * cv2.imread(str(demo_photos[1])).shape[0] // cv2.imread(str(demo_photos[1])).shape[1]]
        look = {"time": watcher.time, "calm_for": 2.0, "pressed": False, "place": {"corners": corners, "size": size}}
        answer = watcher.send(photo, look=look, step=0.1)
        assert answer.status_code in (200, 422), answer.text
        if answer.status_code == 200:
            assert answer.json()["outcome"]["kind"] in ("proposed", "nothing")
    assert phone.view(game)["proposal"]["title"] == "Anna: H6 HÜTTE"


def test_fuzzed_metas(fresh: Server) -> None:
    """Whatever stands in a meta: never a fault of the server."""
    chance = random.Random(20)
    picture = cv2.imencode(".jpg", np.zeros((40, 60, 3), np.uint8))[1].tobytes()
    odd: list[Any] = [
        None,
        True,
        -1,
        0,
        1e308,
        "",
        "calm",
        "\0",
        [],
        {},
        [[1, 2]] * 4,
        {"corners": 1},
        10**30,
        "x" * 2000,
    ]

    def muddled(value: Any) -> Any:
        if chance.random() < 0.15:
            return chance.choice(odd)
        if isinstance(value, dict):
            return {key: muddled(one) for key, one in value.items() if chance.random() > 0.05}
        return [muddled(one) for one in value] if isinstance(value, list) else value

    place = {"corners": CALM["corners"], "size": [60, 40], "lens_k": 0.0, "oriented": False}
    statuses = set()
    with ExitStack() as stack:
        phone = stack.enter_context(Phone(fresh.base, who="Anna"))
        game = phone.new_game()
        others = [stack.enter_context(Phone(fresh.base, address=f"127.0.8.{k}")) for k in range(1, 7)]
        for number in range(120):
            meta = {
                "source": "source-fuzzed",
                "name": "x",
                "time": number,
                "sight": CALM | {"advice": [{"code": "sharp", "value": 1, "ideal": 1, "share": 1, "ok": True}]},
                "look": None if number % 10 else {"time": number, "calm_for": 1, "pressed": False, "place": place},
            }
            files = {"frame": ("f.jpg", picture, "image/jpeg")}
            data = {"meta": json.dumps(muddled(meta))}
            answer = others[number % 6].post(f"/api/games/{game}/live/frame", files=files, data=data)
            statuses.add(answer.status_code)
        assert {200, 422} <= statuses <= {200, 409, 422}
        assert phone.view(game)["version"] == 0


def test_a_flood_of_frames_is_slowed_and_nobody_else(fresh: Server) -> None:
    picture = cv2.imencode(".jpg", np.zeros((40, 60, 3), np.uint8))[1].tobytes()
    own = Limits().frames.device
    with Phone(fresh.base, who="Anna") as phone, Phone(fresh.base, address="127.0.9.9") as flooding:
        game = phone.new_game()
        watcher = Watcher(flooding, game)
        start = time.monotonic()
        statuses = [watcher.send(picture, step=0.0).status_code for _ in range(150)]
        most = own.burst + own.per_second * (time.monotonic() - start)
        assert statuses[: int(own.burst)] == [200] * int(own.burst)
        assert set(statuses) <= {200, 429} and statuses.count(200) <= most, "however fast the machine is"
        huge = flooding.post(f"/api/games/{game}/live/frame", content=bytes(17 << 20))
        assert huge.status_code in (413, 429)
        assert phone.done(game, "pass") == 1
        assert Watcher(phone, phone.new_game()).send(picture).status_code == 200
