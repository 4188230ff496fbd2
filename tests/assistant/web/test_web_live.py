"""What a camera sends, who may send, and what is kept of it: without a server and without reading a photo."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from assistant.live.game import Outcome
from assistant.store.store import Store
from assistant.table.actions import ActionError
from assistant.table.session import Engines, Tables
from assistant.texts import LANGUAGES, Texts
from assistant.web import live
from assistant.web.app import make_app
from assistant.web.errors import WebError
from assistant.web.guard import Guard
from assistant.web.live import Lives, keep_clip, tell_live
from assistant.web.live_view import live_json, outcome_json, trouble_text, watching_json
from assistant.web.live_wire import Camera, Frame, Told, camera_of, frame_of, jpeg_size
from assistant.web.site import Site
from assistant.web.worker import PhotoWorker
from tests.assistant.table.tables import ANNA, EMPTY, Players, lay
from vision.geometry import Corners
from vision.live.sight import Place, ViewAdvice, ViewItem
from vision.live.view import CODES
from vision.onnx_reader import OnnxReader

WEBCAM, PHONE = Camera("source-webcam", "Webcam 0"), Camera("source-phone", "Telefon")
SQUARE = [[10, 10], [90, 10], [90, 90], [10, 90]]


def jpeg(width: int = 128, height: int = 96, grey: int = 128) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))[1].tobytes()


def meta(**about: Any) -> dict[str, Any]:
    return {"source": "source-webcam", "name": "Webcam 0", "time": 1.5, "sight": None, "look": None} | about


def look(**about: Any) -> dict[str, Any]:
    place = {"corners": SQUARE, "size": [128, 96], "lens_k": 0.01, "oriented": True}
    return {"time": 1.2, "calm_for": 2.0, "pressed": False, "place": place} | about


# --- the wire -----------------------------------------------------------------------------------------------------


def test_a_frame_as_a_camera_sends_it() -> None:
    item = {"code": "sharp", "value": 0.04, "ideal": 0.03, "share": 0.8, "ok": True}
    sight = {"state": "calm", "corners": SQUARE, "calm_for": 2.0, "bumped": True, "advice": [item]}
    picture = jpeg()
    frame = frame_of(picture, json.dumps(meta(sight=sight, look=look())))
    assert (frame.camera, frame.time, frame.size, frame.jpeg) == (WEBCAM, 1.5, (128, 96), picture)
    corners = Corners.of(SQUARE)
    assert frame.told == Told("calm", corners, 2.0, True, ViewAdvice((ViewItem("sharp", 0.04, 0.03, 0.8, True),)))
    assert frame.look is not None and frame.look.place == Place(corners, (128, 96), 0.01, True)
    assert (frame.look.time, frame.look.calm_for, frame.look.pressed) == (1.2, 2.0, False)
    own = frame_of(picture, json.dumps(meta()))
    assert own.told is None and own.look is None


WRONG_META = [
    "",
    "null",
    "[]",
    "{",
    "[" * 50_000,
    '{"source": "source-webcam", "name": "x", "time": NaN}',
    '{"source": "source-webcam", "name": "x", "time": Infinity}',
    *(
        json.dumps(one)
        for one in (
            {},
            meta(source="x"),
            meta(source=None),
            meta(source="source\n-webcam"),
            meta(source="s" * 81),
            meta(name=7),
            meta(time=None),
            meta(time=True),
            meta(time="1"),
            meta(time=-1),
            meta(time=1e300),
            meta(time=10**400),
            meta(sight=[]),
            meta(sight={}),
            meta(sight={"state": "asleep"}),
            meta(sight={"state": ["calm"]}),
            meta(sight={"state": "calm", "corners": SQUARE[:3]}),
            meta(sight={"state": "calm", "corners": [[1, 2, 3]] * 4}),
            meta(sight={"state": "calm", "corners": [[1e30, 2]] * 4}),
            meta(sight={"state": "calm", "corners": "none"}),
            meta(sight={"state": "calm", "corners": 5}),
            meta(sight={"state": "calm", "bumped": 1}),
            meta(sight={"state": "calm", "calm_for": -1}),
            meta(sight={"state": "calm", "advice": [{"code": "<b>", "value": 1, "ideal": 1, "share": 1, "ok": True}]}),
            meta(sight={"state": "calm", "advice": [{"code": "sharp"}]}),
            meta(sight={"state": "calm", "advice": ["sharp"] * 1000}),
            meta(look=True),
            meta(look={}),
            meta(look=look(pressed="yes")),
            meta(look=look(calm_for=None)),
            meta(look=look(place={"corners": SQUARE, "size": [0, 0]})),
            meta(look=look(place={"corners": SQUARE, "size": [128.5, 96]})),
            meta(look=look(place={"corners": SQUARE, "size": [10**9, 96]})),
            meta(look=look(place={"corners": SQUARE, "size": "ab"})),
            meta(look=look(place={"corners": SQUARE, "size": [128, 96], "lens_k": 50})),
            meta(look=look(place={"corners": [[5, 5]] * 4, "size": [128, 96]})),
            meta(look=look(place={"corners": [SQUARE[k] for k in (0, 2, 1, 3)], "size": [128, 96]})),
        )
    ),
]


@pytest.mark.parametrize("text", WRONG_META)
def test_a_meta_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(WebError) as found:
        frame_of(jpeg(), text)
    assert found.value.code == "bad-request"


@pytest.mark.parametrize(
    "data",
    [b"", b"x", b"\xff\xd8", b"\xff\xd8\xff", jpeg()[:20], jpeg()[1:], b"\x89PNG\r\n\x1a\n" + bytes(50), jpeg(16, 16)],
)
def test_what_is_no_jpeg_is_refused(data: bytes) -> None:
    with pytest.raises(WebError) as found:
        frame_of(data, json.dumps(meta()))
    assert found.value.code == "no-picture"


def test_the_size_of_a_jpeg_by_its_head_alone() -> None:
    whole = jpeg(333, 222)
    progressive = cv2.imencode(".jpg", np.zeros((50, 70, 3), np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    assert jpeg_size(whole) == (333, 222) and jpeg_size(progressive) == (70, 50)
    comment = whole[:2] + b"\xff\xfe\x00\x06abcd" + b"\xff" + whole[2:]  # and a fill byte
    assert jpeg_size(comment) == (333, 222)
    head = next(end for end in range(len(whole)) if jpeg_size(whole[:end]))
    assert head < 400 and all(jpeg_size(whole[:end]) is None for end in range(head))


def test_what_a_camera_is_called_holds_nothing_that_nobody_sees() -> None:
    assert camera_of(meta(name=" Kamera\u202e\n\x00 1\ud800 ")).name == "Kamera 1"
    assert len(camera_of(meta(name="x" * 100)).name) == 60


# --- who may send, what is kept ----------------------------------------------------------------------------------


class Now:
    """Seconds that only the test moves on."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def lives(players: Players) -> Lives:
    return Lives(players.store.put_photo, Now())


def frame(camera: Camera, at: float, picture: bytes = b"jpeg") -> Frame:
    return Frame(camera, picture, (1280, 720), at)


def test_one_camera_watches_a_game_at_a_time(players: Players, lives: Lives) -> None:
    first = lives.claim(players.table, WEBCAM)
    first.take(frame(WEBCAM, 1.0), lives.clock())
    lives.clock.time += 9
    with pytest.raises(WebError) as found:
        lives.claim(players.table, PHONE)
    assert found.value.code == "already-watched" and "Webcam 0" in Texts("de").error(found.value)
    lives.clock.time += 2  # it has said nothing for more than ten seconds
    second = lives.claim(players.table, PHONE)
    assert second.camera == PHONE and second.time == 0 and second.game is not first.game
    assert list(second.ring) == list(first.ring), "what was seen can still be kept"
    with pytest.raises(WebError):
        lives.claim(players.table, WEBCAM)


def test_a_camera_that_has_ended_makes_room_at_once(players: Players, lives: Lives) -> None:
    lives.claim(players.table, WEBCAM).trouble = "ended"
    assert lives.claim(players.table, PHONE).camera == PHONE


def test_a_settled_game_is_not_watched(players: Players, lives: Lives) -> None:
    players.lay(lay(EMPTY, 7, 3, "FIRNS"))
    players.do("stop")
    players.do("racks", racks=["AEEIIRS", "DLMNNTT"])
    with pytest.raises(ActionError) as found:
        lives.claim(players.table, WEBCAM)
    assert found.value.code == "game-settled" and lives.of(players.game) is None


def test_no_more_cameras_than_there_is_room_for(sit_down: Callable[..., Players]) -> None:
    tables = [sit_down().table for _ in range(live.MOST_CAMERAS + 1)]
    lives = Lives(lambda photo: "", Now())
    for table in tables[:-1]:
        lives.claim(table, WEBCAM).take(frame(WEBCAM, 1.0), lives.clock())
        lives.clock.time += 0.1
    with pytest.raises(WebError) as found:
        lives.claim(tables[-1], WEBCAM)
    assert found.value.code == "too-many-cameras"
    lives.clock.time += live.SILENT
    lives.claim(tables[-1], WEBCAM).take(frame(WEBCAM, 1.0), lives.clock())
    assert lives.of(tables[0].id) is None and lives.of(tables[1].id) is not None
    for table in tables[1:-1]:
        lives.claim(table, WEBCAM).take(frame(WEBCAM, 2.0), lives.clock())
    with pytest.raises(WebError):
        lives.claim(tables[0], WEBCAM)
    lives.claim(tables[5], WEBCAM).trouble = "ended"  # that one makes room at once
    lives.claim(tables[0], WEBCAM)
    assert lives.of(tables[5].id) is None


def test_the_ring_holds_thirty_seconds_and_no_more_than_fits(players: Players, lives: Lives) -> None:
    one = lives.claim(players.table, WEBCAM)
    for number in range(600):  # a minute at ten a second
        lives.clock.time += 0.1
        one.take(frame(WEBCAM, number / 10, b"%d" % number), lives.clock())
    times = [at for at, _ in one.ring]
    assert len(times) <= live.RING_FRAMES and times[-1] - times[0] == pytest.approx(30, abs=0.5)
    assert min(np.diff(times)) >= live.RING_STEP - 1e-6 and one.newest == b"599"
    for number in range(40):
        lives.clock.time += 1
        one.take(frame(WEBCAM, 100 + number, bytes(4 << 20)), lives.clock())
    assert sum(len(data) for _, data in one.ring) <= live.RING_BYTES and len(one.ring) == 6


def test_what_a_silent_camera_saw_is_thrown_away_after_a_while(players: Players, lives: Lives) -> None:
    lives.claim(players.table, WEBCAM).take(frame(WEBCAM, 1.0), lives.clock())
    assert lives.tidy() == []
    lives.clock.time += live.SILENT + 0.1
    assert lives.tidy() == [players.game], "its pages are told once"
    assert lives.tidy() == [] and lives.of(players.game) is not None
    lives.clock.time += live.FORGOTTEN
    lives.tidy()
    assert lives.of(players.game) is None


# --- what people read --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_and_every_view_has_words(language: str, players: Players, lives: Lives) -> None:
    texts = Texts(language)
    one = lives.claim(players.table, WEBCAM)
    one.take(frame(WEBCAM, 1.0), lives.clock())
    said = set()
    for state in ("searching", "dark", "moving", "hand", "settling", "calm"):
        one.told = Told(state)
        said.add(live_json(one, players.table, texts, lives.clock())["text"])
    assert len(said) == 6
    one.advice = ViewAdvice(tuple(ViewItem(code, 1.0, 2.0, 0.357, False) for code in CODES))
    shown = live_json(one, players.table, texts, lives.clock())
    assert len({item["name"] for item in shown["advice"]}) == len({item["text"] for item in shown["advice"]}) == 7
    assert {item["percent"] for item in shown["advice"]} == {35} and all(item["text"] for item in shown["advice"])
    for trouble in ("lost", "frozen", "black", "ended"):
        assert trouble_text(trouble, texts) != texts("live.trouble.other", code=trouble)
    assert "odd-code" in trouble_text("odd-code", texts)


def test_who_looks_on_learns_that_a_camera_watches_and_nothing_else(players: Players, lives: Lives) -> None:
    texts, now = Texts("de"), lives.clock
    assert watching_json(None, texts, now()) == {"watching": False, "text": ""}
    one = lives.claim(players.table, WEBCAM)
    one.take(frame(WEBCAM, 1.0), now())
    assert watching_json(one, texts, now()) == {"watching": True, "text": "Kamera sieht zu"}
    now.time += live.SILENT + 1
    assert not watching_json(one, texts, now())["watching"]
    shown = live_json(one, players.table, texts, now())
    assert shown["trouble"] == "silent" and shown["text"].startswith("Die Kamera sendet nichts mehr.")


def test_an_outcome_is_said_with_player_move_and_points(players: Players) -> None:
    players.photo(lay(EMPTY, 7, 3, "FIRNS"))
    outcome = Outcome("proposed", proposal=players.table.proposal())
    said = outcome_json(outcome, players.table, Texts("de"))
    assert said is not None and said["text"] == "Anna: H4 FIRNS, 24 Punkte"
    assert (said["player"], said["move"], said["words"], said["points"]) == ("Anna", "H4 FIRNS", ["FIRNS"], 24)
    booked = outcome_json(Outcome("booked", proposal=players.table.proposal()), players.table, Texts("en"))
    assert booked is not None and booked["text"] == "Counts: Anna: H4 FIRNS, 24 points"
    assert outcome_json(None, players.table, Texts("de")) is None


# --- clips --------------------------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    store, worker = Store.open(tmp_path / "site"), PhotoWorker()
    made = Site(tmp_path / "site", store, Tables(store, Engines(OnnxReader())), worker, Guard(tmp_path / "site"))
    made.lives.clock = Now()
    yield made
    worker.close()
    store.close()


class Browser:
    """A browser on this machine."""

    def __init__(self, site: Site) -> None:
        self.app, self.cookies = make_app(site), httpx.Cookies()
        assert self.ask("GET", "/", headers={"accept": "text/html"}).status_code == 200

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        async def go() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=("127.0.0.1", 50_000))
            base = "http://127.0.0.1:8000"
            async with httpx.AsyncClient(transport=transport, base_url=base, cookies=self.cookies) as session:
                response = await session.request(method, path, **options)
                self.cookies = session.cookies
                return response

        return asyncio.run(go())

    def post(self, path: str, **options: Any) -> httpx.Response:
        headers = {"x-brettblick": "1", "origin": "http://127.0.0.1:8000"}
        return self.ask("POST", path, headers=headers, **options)

    def new_game(self) -> str:
        about = {"request": "new game", "players": ["Anna", "Ben"], "rules": "turnier", "lexicon": "none"}
        return str(self.post("/api/games", json=about).json()["id"])


def watched(site: Site, game: str, frames: int) -> list[bytes]:
    """A camera that has sent so many different frames, one a second."""
    table = site.tables.table(game)
    one = site.lives.claim(table, WEBCAM)
    pictures = [jpeg(grey=10 + number) for number in range(frames)]
    for number, picture in enumerate(pictures):
        site.lives.clock.time += 1.0
        one.take(frame(WEBCAM, float(number), picture), site.lives.clock())
    return pictures


def test_a_clip_is_kept_shown_exported_taken_in_and_deleted(site: Site, tmp_path: Path) -> None:
    browser = Browser(site)
    game = browser.new_game()
    keep = {"request": "keep this clip"}
    nothing = browser.post(f"/api/games/{game}/live/keep", json=keep)
    assert (nothing.status_code, nothing.json()["error"]) == (409, "nothing-to-keep")
    pictures = watched(site, game, 5)
    answer = browser.post(f"/api/games/{game}/live/keep", json=keep)
    assert answer.status_code == 200
    clip = answer.json()
    assert (clip["number"], clip["frames"], clip["seconds"], clip["version"]) == (1, 5, 4, 1)
    again = browser.post(f"/api/games/{game}/live/keep", json=keep)
    assert again.json() == clip, "the same request keeps nothing twice"

    # its page shows the frames, as they came
    page = browser.ask("GET", clip["url"], headers={"accept": "text/html"})
    assert page.status_code == 200 and page.text.count("?original=1") == 6  # five, and the first as a picture
    digests = [digest for digest, _ in site.tables.table(game).rows[0].body["frames"]]
    for digest, picture in zip(digests, pictures, strict=True):
        assert browser.ask("GET", f"/games/{game}/photos/{digest}?original=1").content == picture
    sections = browser.ask("GET", f"/games/{game}/sections").json()["sections"]
    assert clip["url"] in sections["sheet"]
    for wrong in ("2", "0", "x", "-1", "1" * 50):
        assert browser.ask("GET", f"/games/{game}/clips/{wrong}").status_code == 404

    # it goes on, and the archive has it
    assert browser.post(
        f"/api/games/{game}/act", json={"action": "pass", "version": 1, "request": "pass now"}
    ).is_success
    move = browser.ask("GET", f"/games/{game}/moves/1", headers={"accept": "text/html"})
    assert clip["url"] in move.text, "what was kept before the move is beside it"
    archive = browser.ask("GET", f"/games/{game}/export.zip").content
    browser.post(f"/api/games/{game}/delete", json={})
    kept = [path for path in (tmp_path / "site" / "photos").rglob("*") if path.is_file()]
    assert kept == [] and site.lives.of(game) is None
    taken = browser.post("/api/import", files={"file": ("game.zip", archive)})
    assert taken.status_code == 201, taken.text
    other = taken.json()["id"]
    row = site.tables.table(other).rows[0]
    assert row.kind == "clip" and [one for one, _ in row.body["frames"]] == digests
    assert browser.ask("GET", f"/games/{other}/clips/1", headers={"accept": "text/html"}).text.count("original=1") == 6
    assert browser.ask("GET", f"/games/{other}/photos/{digests[2]}?original=1").content == pictures[2]


def test_not_without_end(site: Site) -> None:
    browser = Browser(site)
    game = browser.new_game()
    watched(site, game, 2)
    for number in range(live.MOST_CLIPS):
        assert browser.post(f"/api/games/{game}/live/keep", json={"request": f"clip {number:04}"}).status_code == 200
    last = browser.post(f"/api/games/{game}/live/keep", json={"request": "one clip more"})
    assert (last.status_code, last.json()["error"]) == (422, "too-many-clips")


def test_a_row_of_a_clip_that_says_nothing_is_not_shown(site: Site) -> None:
    browser = Browser(site)
    game = browser.new_game()
    digest = site.store.put_photo(jpeg())
    table = site.tables.table(game)
    for number, body in enumerate(
        (
            {},
            {"frames": 7},
            {"frames": [[digest]]},
            {"frames": [[digest, "soon"]]},
            {"frames": [["f" * 64, 0]]},
            {"frames": [[digest, -1]]},
            {"frames": []},
        )
    ):
        table.keep_clip(body, (digest,), author=ANNA, request=f"clip {number}")
    assert browser.ask("GET", f"/games/{game}/sections").status_code == 200
    view = browser.ask("GET", f"/api/games/{game}").json()
    assert view["clips"] == [] and view["version"] == 7
    assert browser.ask("GET", f"/games/{game}/clips/1").status_code == 404


def test_the_pages_are_told_of_changes_at_once_and_of_pictures_now_and_then(site: Site) -> None:
    table = site.tables.table(Browser(site).new_game())
    one = site.lives.claim(table, WEBCAM)
    told = []
    for step, state in ((0, "calm"), (0.1, "calm"), (0.1, "calm"), (0.05, "hand"), (0.1, "hand"), (0.4, "hand")):
        site.lives.clock.time += step
        one.told = Told(state)
        tell_live(site, table, one)
        told.append(one.shown_at == site.lives.clock.time)
    assert told == [True, False, False, True, False, True]


def test_a_page_hears_what_is_new_and_nothing_else(site: Site) -> None:
    async def heard() -> list[list[str]]:
        listener = site.hub.listen("game")
        out = [list(await anext(listener))]
        for topics in (["live"], ["version"], ["live", "version", "live"]):
            for topic in topics:
                site.hub.changed("game", topic)
            out.append(list(await anext(listener)))
        site.hub.changed("another game")
        await listener.aclose()
        return out

    assert asyncio.run(heard()) == [["version", "live"], ["live"], ["version"], ["version", "live"]]
    assert site.hub.watched == []


def test_keep_clip_without_a_camera(site: Site) -> None:
    browser = Browser(site)
    table = site.tables.table(browser.new_game())
    with pytest.raises(WebError) as found:
        asyncio.run(keep_clip(site, table, ANNA, "keep nothing"))
    assert found.value.code == "nothing-to-keep"


def test_news_stay_as_long_as_they_are_news(players: Players, lives: Lives) -> None:
    """A look that shows nothing new takes nothing off the page; who decides does."""
    texts, now = Texts("de"), lives.clock
    one = lives.claim(players.table, WEBCAM)
    one.take(frame(WEBCAM, 1.0), now())

    def shown() -> str | None:
        news = live_json(one, players.table, texts, now())["outcome"]
        return news and news["text"]

    assert shown() is None
    players.photo(lay(EMPTY, 7, 3, "FIRNS"), {(7, 4): {"I": 0.5, "J": 0.5}})
    one.news = one.outcome = Outcome("asked", why="which-letter", proposal=players.table.proposal())
    question = shown()
    assert question and "H5" in question
    one.outcome = Outcome("nothing")
    assert shown() == question
    players.do("answer", squares=[[7, 4, "I"]])
    assert shown() is None, "nothing is open, and it is not booked by itself"
    players.do("confirm")
    one.news, one.news_at = Outcome("booked", proposal=one.news.proposal), now()
    assert shown() == "Gilt: Anna: H4 FIRNS, 24 Punkte"
    now.time += 7.9
    assert shown()
    now.time += 0.2
    assert shown() is None
