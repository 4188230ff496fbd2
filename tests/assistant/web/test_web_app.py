"""The routes that need no photo: who may do what, what a person reads when something is not done."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from assistant.store.store import Store
from assistant.table.session import Engines, Tables
from assistant.web.app import make_app
from assistant.web.guard import Guard
from assistant.web.site import Site
from assistant.web.worker import PhotoWorker
from vision.onnx_reader import OnnxReader

HERE = "http://127.0.0.1:8000"
LAN = "http://192.168.7.5:8000"
PAGE = {"accept": "text/html"}
GCG = b"#player1 anna Anna\n#player2 ben Ben\n>anna: HUTEROS 8H HUT +8 8\n"


class Browser:
    """A browser that keeps its cookies, on this machine or on a phone."""

    def __init__(self, app: Any, base: str = HERE) -> None:
        self.app, self.base, self.cookies = app, base, httpx.Cookies()
        self.client = ("127.0.0.1" if base == HERE else "192.168.7.9", 50_000)

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        async def go() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=self.client)
            async with httpx.AsyncClient(transport=transport, base_url=self.base, cookies=self.cookies) as session:
                response = await session.request(method, path, **options)
                self.cookies = session.cookies
                return response

        return asyncio.run(go())

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=PAGE | headers)

    def data(self, path: str) -> httpx.Response:
        return self.ask("GET", path, headers={"accept": "application/json"})

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.ask("POST", path, headers={"x-brettblick": "1", "origin": self.base}, **options)

    def new_game(self, **about: Any) -> httpx.Response:
        body = {"request": "request 1", "players": ["Anna", "Ben"], "rules": "turnier", "lexicon": "none"}
        return self.post("/api/games", json=body | about)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    store, worker = Store.open(tmp_path), PhotoWorker()
    guard = Guard(tmp_path, lan=True)
    yield Site(tmp_path, store, Tables(store, Engines(OnnxReader())), worker, guard)
    worker.close()
    store.close()


@pytest.fixture
def here(site: Site) -> Browser:
    """The browser of the machine itself."""
    browser = Browser(make_app(site))
    assert browser.get("/").status_code == 200
    return browser


@pytest.fixture
def phone(site: Site, here: Browser) -> Browser:
    """A phone that has joined."""
    browser = Browser(here.app, LAN)
    assert browser.get(f"/join?code={site.guard.code}").status_code == 303
    return browser


def test_a_game_from_the_form_to_the_table(here: Browser, phone: Browser) -> None:
    game = here.new_game(settings={"challenge_penalty": "5"}, clock_minutes=20, first_player=1).json()["id"]
    view = phone.data(f"/api/games/{game}").json()
    assert view["setup"]["rules"] == {"name": "turnier", "title": "Turnier, 1 geändert"}
    assert (view["next_text"], view["clock"]["limit_s"]) == ("Ben ist dran", 1200)
    for path in ("", "/scoreboard", "/sheet"):
        assert "Anna" in phone.get(f"/games/{game}{path}").text
    assert "Anna" in here.get("/").text
    sections = phone.data(f"/games/{game}/sections").json()
    assert sections["version"] == 0 and "Ben ist dran" in sections["sections"]["now"]


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"players": ["Anna"]}, "bad-players"),
        ({"players": ["Anna", "Anna"]}, "bad-players"),
        ({"players": ["Anna", " "]}, "bad-players"),
        ({"players": ["Anna", "\u202egnilpmeT"]}, "bad-players"),
        ({"players": ["Anna", "\u200d"]}, "bad-players"),
        ({"players": ["Anna", "x" * 41]}, "bad-players"),
        ({"players": "Anna, Ben"}, "bad-request"),
        ({"rules": "erfunden"}, "unknown-rule-set"),
        ({"settings": {"challenge_penalty": "viel"}}, "bad-setting"),
        ({"settings": {"chalenge_penalty": "5"}}, "similar-setting"),
        ({"settings": ["challenge_penalty"]}, "bad-request"),
        ({"clock_minutes": 1e9}, "bad-clock-minutes"),
        ({"clock_minutes": "lang"}, "bad-clock-minutes"),
        ({"lexicon": "/etc/passwd"}, "unknown-lexicon"),
        ({"first_player": 2}, "bad-players"),
        ({"request": "x"}, "bad-request"),
    ],
)
def test_a_game_that_cannot_be_is_refused_in_words(here: Browser, about: dict[str, Any], code: str) -> None:
    answer = here.new_game(**about)
    assert answer.status_code == 422
    said = answer.json()
    assert said["error"] == code and said["message"].count(" ") >= 3 and "--" not in said["message"], said
    assert "game-link" not in here.get("/").text


def test_emoji_are_names_too(here: Browser) -> None:
    names = ["👩‍👩‍👧 Öztürk", "<b>Ben</b>"]
    game = here.new_game(players=names).json()["id"]
    assert here.data(f"/api/games/{game}").json()["setup"]["players"] == names
    page = here.get(f"/games/{game}").text
    assert names[0] in page and "&lt;b&gt;Ben&lt;/b&gt;" in page and "<b>Ben" not in page


def test_only_the_machine_itself_deletes_games(here: Browser, phone: Browser) -> None:
    game = here.new_game().json()["id"]
    assert f"/api/games/{game}/delete" in here.get("/").text
    assert "/delete" not in phone.get("/").text
    refused = phone.post(f"/api/games/{game}/delete", json={})
    assert (refused.status_code, refused.json()["error"]) == (403, "only-here")
    assert phone.data(f"/api/games/{game}").status_code == 200
    assert here.post(f"/api/games/{game}/delete", json={}).status_code == 200
    gone = phone.data(f"/api/games/{game}")
    assert (gone.status_code, gone.json()["error"]) == (404, "no-such-game")
    assert "game-link" not in here.get("/").text


def test_a_stranger_sees_nothing_and_does_nothing(site: Site, here: Browser) -> None:
    game = here.new_game().json()["id"]
    stranger = Browser(here.app, LAN)
    for path in (f"/api/games/{game}", f"/games/{game}/sections", f"/games/{game}/export.gcg"):
        answer = stranger.data(path)
        assert (answer.status_code, answer.json()["error"]) == (403, "not-joined"), path
    assert stranger.post(f"/api/games/{game}/act", json={"action": "pass", "version": 0}).status_code == 403
    assert stranger.get("/join?code=WRONGWRONG").status_code == 403
    assert here.data(f"/api/games/{game}").json()["version"] == 0


def test_a_link_to_watch_shows_the_game_and_changes_nothing(site: Site, here: Browser) -> None:
    game = here.new_game().json()["id"]
    watcher = Browser(here.app, LAN)
    base = f"/zuschauen/{site.guard.spectator_token(game)}"
    assert "Anna" in watcher.get(base).text
    assert watcher.data(f"{base}/sections").status_code == 200
    assert watcher.data(f"/api/games/{game}").status_code == 403
    assert watcher.post(f"{base}/sections", json={}).status_code == 403
    assert watcher.get(f"{base}x").status_code == 404


def test_what_was_not_understood_changes_nothing(here: Browser) -> None:
    game = here.new_game().json()["id"]
    for body in ({}, {"action": "pass"}, {"action": "dance", "version": 0}, {"action": 5, "version": 0}, []):
        answer = here.post(f"/api/games/{game}/act", json=body)
        assert answer.status_code == 422 and answer.json()["message"], body
    assert here.post(f"/api/games/{game}/act", content=b"\xff").status_code == 422
    late = here.post(f"/api/games/{game}/act", json={"action": "pass", "version": 7, "request": "request 2"})
    assert (late.status_code, late.json()["error"]) == (409, "changed-meanwhile")
    assert here.data(f"/api/games/{game}").json()["version"] == 0
    refused = here.post(f"/api/games/{game}/act", json={"action": "undo", "version": 0, "request": "request 3"})
    assert refused.status_code == 422 and refused.json()["faults"][0]["code"] == "nothing-to-undo"
    assert refused.json()["message"] == "Es gibt nichts zurückzunehmen."


def test_a_record_is_taken_in_and_goes_on(here: Browser) -> None:
    fields = {"request": "request 5", "rules": "turnier", "tiles": "german"}
    answer = here.post("/api/import", files={"file": ("../../g.gcg", GCG)}, data=fields)
    assert answer.status_code == 201
    view = here.data(f"/api/games/{answer.json()['id']}").json()
    assert view["players"][0]["points"] == 8 and view["next_text"] == "Ben ist dran"
    refused = here.post("/api/import", files={"file": ("g.gcg", b"no game")}, data=fields | {"request": "request 6"})
    assert refused.status_code == 422 and refused.json()["message"]
    assert here.post("/api/import", data=fields).status_code == 422


def test_each_phone_has_its_language(here: Browser) -> None:
    assert 'lang="de"' in here.get("/").text
    assert here.get("/sprache/en?back=//elsewhere").headers["location"] == "/"
    assert 'lang="en"' in here.get("/").text
    assert here.get("/sprache/xx").status_code == 404


def test_pages_that_are_not_there_say_so(here: Browser) -> None:
    for path in ("/nothing", "/games/nothing", "/games/../secret", "/static/../secret", "/static/nothing.js"):
        answer = here.get(path)
        assert answer.status_code == 404 and "Traceback" not in answer.text, path
    assert here.ask("PUT", "/", headers={"x-brettblick": "1", "origin": HERE}).status_code == 405
    style = here.get("/static/page.css")
    assert (style.status_code, style.headers["cache-control"]) == (200, "no-cache")
    assert here.get("/").headers["cache-control"] == "no-store"
