"""Papers through the whole page: a game with real photos, its evidence as pages and files, its exports."""

from __future__ import annotations

import asyncio
import html as entities
import io
import itertools
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from starlette.applications import Starlette

from assistant.engines import make_reader
from assistant.store.store import Store
from assistant.table.session import Engines, Tables
from assistant.web.app import make_app
from assistant.web.attachments import ascii_stem, disposition, file_stem
from assistant.web.guard import Guard
from assistant.web.headers import REPORT_POLICY
from assistant.web.site import Site
from assistant.web.worker import PhotoWorker
from scorer.formats import read_written_game
from scorer.formats.events import read_game
from scorer.game import replay
from scorer.resume import resumed
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102

URL = "http://localhost:8000"
PLAYERS = ["<b>Änne</b> \"&' \\/", "Ben 🦊 =1+1"]
PAGE = {"accept": "text/html"}


class Browser:
    """A browser on this machine that asks the application, and keeps its cookies."""

    def __init__(self, app: Starlette) -> None:
        self.app, self.cookies, self.count = app, httpx.Cookies(), itertools.count()

    def ask(self, *paths: str, method: str = "GET", headers: Mapping[str, str] = PAGE, **about: Any) -> Any:
        """The answers to these paths, which are asked for all at once; of one path its answer."""

        async def answers() -> list[httpx.Response]:
            transport = httpx.ASGITransport(self.app, client=("127.0.0.1", 50000))
            async with httpx.AsyncClient(transport=transport, base_url=URL, cookies=self.cookies) as session:
                asked = [session.request(method, path, headers=dict(headers), **about) for path in paths]
                found = await asyncio.gather(*asked)
                self.cookies.update(session.cookies)
                return found

        found = asyncio.run(answers())
        return found if len(found) > 1 else found[0]

    def post(self, path: str, **about: Any) -> Any:
        """An answer to what the page sends."""
        return self.ask(path, method="POST", headers={"x-brettblick": "1", "origin": URL}, **about)

    @property
    def request(self) -> str:
        """An id for a request."""
        return f"request {next(self.count)}"


@dataclass
class Game:
    """A game that was played through the page."""

    client: Browser
    site: Site
    id: str

    @property
    def base(self) -> str:
        return f"/games/{self.id}"

    def get(self, path: str, status: int = 200, **headers: str) -> Any:
        answer = self.client.ask(f"{self.base}/{path}", headers=PAGE | headers)
        assert answer.status_code == status, (path, answer.status_code, answer.text[:300])
        return answer

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.ask(f"/api{self.base}").json()
        return found

    def act(self, action: str, **data: Any) -> None:
        version = self.view()["version"]
        body = {"action": action, "version": version, "request": self.client.request, **data}
        answer = self.client.post(f"/api{self.base}/act", json=body)
        assert answer.status_code == 200, (action, answer.text)

    def photo(self, path: Path) -> dict[str, Any]:
        files = {"photo": (path.name, path.read_bytes(), "image/jpeg")}
        data = {"events": str(self.view()["events"]), "request": self.client.request}
        answer = self.client.post(f"/api{self.base}/photo", files=files, data=data)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = self.view()["proposal"]
        return found


@contextmanager
def site_in(folder: Path, engines: Engines) -> Iterator[Site]:
    """A site of its own, closed in the end."""
    store = Store.open(folder)
    found = Site(folder, store, Tables(store, engines), PhotoWorker(), Guard(folder))
    yield found
    found.worker.close()
    store.close()


def joined(site: Site) -> Browser:
    found = Browser(make_app(site))
    found.ask("/")  # for the cookie
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site_in(tmp_path_factory.mktemp("papers"), Engines(make_reader("network"), "feedbeef")) as found:
        yield found


@pytest.fixture(scope="module")
def client(site: Site) -> Browser:
    return joined(site)


def new_game(client: Browser, site: Site, **about: Any) -> Game:
    body = {"request": client.request, "players": PLAYERS, "rules": "turnier"} | about
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return Game(client, site, answer.json()["id"])


@pytest.fixture(scope="module")
def played(client: Browser, site: Site, demo_photos: list[Path]) -> Game:
    """Two moves from photos, one with a tile put right and undone later; typed moves with a challenge each way; a
    settlement."""
    game = new_game(client, site, lexicon="deutsch", settings={"bingo_bonus": "40"})
    game.photo(demo_photos[1])
    game.act("answer", squares=[[7, 9, "F"]])
    game.act("confirm", announced=30)
    game.act("correct", ref=1, move="H6 HÜTTE")
    proposal = game.photo(demo_photos[2])
    assert proposal["score"] == 61
    game.act("confirm")
    for move, allowed in (("M7 SON.E", True), ("F10 .OGEL", False)):
        game.act("type", move=move)
        game.act("confirm")
        (line,) = [one for one in game.view()["sheet"] if one["kind"] == "place"][-1:]
        (challenger,) = game.view()["can"]["challenge"]["challengers"]
        word = line["words"][0]["word"]
        game.act("challenge", ref=line["number"], challengers=[challenger["seat"]], words=[word])
        game.act("verdict", word=word, valid=allowed, by="<i>Clara</i>", source="Duden (29)")
        game.act("settle-challenge")
    game.act("exchange", count=2)
    game.act("stop")
    unseen = [one["tile"] for one in game.view()["unseen"] for _ in range(one["count"])]
    sizes = [player["rack"] for player in game.view()["players"]]
    game.act("racks", racks=["".join(unseen[: sizes[0]]), "".join(unseen[-sizes[1] :])])
    assert game.view()["phase"] == "settled"
    return game


class Tags(HTMLParser):
    """All tags of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def addresses(page: str) -> list[str]:
    """Whatever a browser would fetch or go to."""
    fetched = ("src", "href", "srcset", "action", "poster", "data", "xlink:href")
    return [value or "" for _, attrs in Tags(page).tags for name, value in attrs.items() if name in fetched]


# --- the page of a move -------------------------------------------------------------------------------------------


def test_a_move_with_its_photos_tiles_and_sum(played: Game) -> None:
    page = played.get("moves/3").text
    found = Tags(page)
    assert "Ben 🦊 =1+1: FREUNDIN (10F)" in found.text and "61 Punkte" in found.text
    assert "10F FREUNDIN: F 4 x 3 = 12, R 1, E 1, U 1, N 1 x 3 = 3, D 1, I 1, N 1 = 21" in found.text
    assert "F10" in found.text and "sicher, " in found.text and "feedbeef" in found.text
    assert "Bonus für die ganze Bank: 40 Punkte (dort: 50 Punkte)" in found.text
    assert re.search(r"Brettblick Deutsch \(.*\).*SHA-256\): [0-9a-f]{64}", found.text, re.DOTALL)
    paths = [attrs for tag, attrs in found.tags if tag == "path" and "mark" in (attrs["class"] or "")]
    assert [attrs["class"] for attrs in paths] == ["mark soon", "mark new"]
    for address in [one for one in addresses(page) if "/crops/" in one or "/photos/" in one]:
        assert played.client.ask(address).status_code == 200
    assert len([one for one in addresses(page) if "/crops/" in one]) == 7
    assert f"{played.base}/moves/1" in addresses(page) and f"{played.base}/moves/4" in addresses(page)


def test_outlines_lie_on_the_tiles(played: Game, demo_truth: list[dict[str, Any]]) -> None:
    page = played.get("moves/3").text
    path = next(attrs["d"] for tag, attrs in Tags(page).tags if tag == "path" and attrs["class"] == "mark new")
    points = np.array([[float(x) for x in pair] for pair in re.findall(r"([\d.]+) ([\d.]+)", path or "")], np.float32)
    grid = np.array([(0, 0), (15, 0), (15, 15), (0, 15)], np.float32)
    to_grid = cv2.getPerspectiveTransform(np.array(demo_truth[2]["corners_px"], np.float32), grid)
    at = cv2.perspectiveTransform(points[None], to_grid)[0]
    assert np.abs(at - np.round(at)).max() < 0.25  # tiles stand a little above the board
    cols, rows = np.round(at).T
    assert set(cols) == {9, 10} and rows.min() == 5 and rows.max() == 13


def test_a_tile_put_right_and_the_move_changed_later(played: Game) -> None:
    text = Tags(played.get("moves/1").text).text
    assert "H10: erst gelesen E, berichtigt F" in text and "Gesagt: H10 F" in text
    assert "H10: verbucht als F, später geändert in E" in text
    assert "später berichtigt" in text and "Angesagt" in text and "22 Punkte" in text
    assert "<b>Änne</b> \"&' \\/ legt HÜTTF auf H6 bis H10." in text
    assert "Eintrag 2" in text


def test_names_are_never_markup(played: Game) -> None:
    for path in ("moves/1", "moves/4", "moves/5", "sheet", "evidence.html", "moves/1/evidence.html"):
        page = played.get(path).text
        found = Tags(page)
        assert "<b>Änne</b>" not in page and "<i>Clara" not in page and "Änne" in found.text
        assert not [tag for tag, _ in found.tags if tag in ("b", "i") and path != "evidence.html"]
        assert not [1 for _, attrs in found.tags for name in attrs if name.startswith("on") or name == "style"]


def test_challenges_with_who_decided_by_which_book(played: Game) -> None:
    kept = Tags(played.get("moves/4").text).text
    assert "SONNE: erlaubt (Duden (29), sagt <i>Clara</i>)" in kept and "10 Punkte Abzug" in kept
    assert "Entschieden: SONNE ist erlaubt (<i>Clara</i>, Duden (29))" in kept
    taken = played.get("moves/6").text
    text = Tags(taken).text
    assert "FOGEL: nicht erlaubt" in text and "<s>15 Punkte</s>" in taken and "Seine Punkte zählen nicht" in text
    event = played.get("moves/7").text
    assert f"{played.base}/moves/6" in addresses(event) and "gehört zu Eintrag 6" in Tags(event).text


def test_every_event_has_a_page_and_a_file(played: Game) -> None:
    count = played.view()["events"]
    assert count >= 10
    for number in range(1, count + 1):
        assert f"Eintrag {number} von {count}" in Tags(played.get(f"moves/{number}").text).text
    typed = played.get("moves/4").text
    assert "Zu diesem Zug gibt es kein Foto" in Tags(typed).text and '<figure class="after">' not in typed
    assert '<figure class="before">' in typed  # the last one before it
    for number in (0, count + 1):
        played.get(f"moves/{number}", 404)
    played.get("moves/x", 404)


def test_the_earlier_photo_is_laid_over_the_later_one(played: Game, demo_truth: list[dict[str, Any]]) -> None:
    page = played.get("moves/3").text
    (over,) = [attrs["data-over"] for _, attrs in Tags(page).tags if "data-over" in attrs]
    assert over == f"{played.base}/moves/3/before.jpg"
    answer = played.client.ask(over)
    assert answer.headers["content-type"] == "image/jpeg"
    laid = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    after = cv2.imdecode(np.frombuffer(played.client.ask(_photo_of(page, "after")).content, np.uint8), cv2.IMREAD_COLOR)
    assert laid.shape == after.shape
    corners = np.array(demo_truth[2]["corners_px"], np.float32)
    flat = [cv2.warpPerspective(one, _to_flat(corners), (600, 600)).astype(float) for one in (laid, after)]
    difference = np.abs(flat[0] - flat[1]).mean(axis=-1).reshape(15, 40, 15, 40).mean(axis=(1, 3))
    new = {(row, 9) for row in (5, 6, 8, 9, 10, 11, 12)}
    others = [
        difference[row, col] for row in range(15) for col in range(15) if (row, col) not in new and col not in (8, 10)
    ]
    assert np.median(others) < 12 and min(difference[square] for square in new) > 2 * np.median(others)
    played.get("moves/1/before.jpg", 404)
    assert not [1 for _, attrs in Tags(played.get("moves/1").text).tags if "data-over" in attrs]


def _photo_of(page: str, kind: str) -> str:
    part = page.partition(f'<figure class="{kind}">')[2]
    found = re.search(r'<image[^>]* href="([^"]+)"', part)
    assert found is not None
    return entities.unescape(found[1])


def _to_flat(corners: np.ndarray) -> np.ndarray:
    flat = np.array([(0, 0), (600, 0), (600, 600), (0, 600)], np.float32)
    return cv2.getPerspectiveTransform(corners, flat)


# --- files to hand on ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["moves/3/evidence.html", "moves/4/evidence.html", "evidence.html"])
def test_a_file_to_hand_on_needs_nothing_but_itself(played: Game, path: str) -> None:
    answer = played.get(path)
    assert answer.headers["content-security-policy"] == REPORT_POLICY
    assert answer.headers["content-disposition"].startswith('attachment; filename="b-Aenne-b-Ben-1-1-20')
    page = answer.text
    found = Tags(page)
    outside = [one for one in addresses(page) if not one.startswith(("data:image/jpeg;base64,", "#"))]
    assert outside == [] and not [tag for tag, _ in found.tags if tag in ("script", "link", "iframe", "form", "base")]
    assert "http" not in page.replace("http-equiv", "").replace("https://jfly.uni-koeln.de/color/", "")
    assert "url(" not in page and "@import" not in page
    targets = {one[1:] for one in addresses(page) if one.startswith("#")}
    assert targets <= {attrs["id"] for _, attrs in found.tags if "id" in attrs}
    assert "Brettblick" in found.text and "SHA-256" in found.text


def test_the_pictures_of_a_file_are_the_photos(played: Game, demo_photos: list[Path]) -> None:
    page = played.get("moves/3/evidence.html").text
    pictures = [_decoded(one) for one in addresses(page) if one.startswith("data:")]
    photos, crops = pictures[:2], pictures[2:]
    assert [one.shape for one in photos] == [(960, 1280, 3)] * 2 and [one.shape for one in crops] == [(128, 128, 3)] * 7
    for picture, photo in zip(photos, demo_photos[1:3], strict=True):
        original = cv2.resize(cv2.imread(str(photo)), (1280, 960), interpolation=cv2.INTER_AREA)
        assert np.abs(picture.astype(float) - original).mean() < 4
    assert "Vorher" in page and "Nachher" in page and 'type="range"' not in page


def test_a_whole_game_has_each_photo_once_and_every_move(played: Game) -> None:
    answer = played.get("evidence.html")
    page = answer.text
    assert int(answer.headers["content-length"]) == len(answer.content)
    large = [one for one in addresses(page) if one.startswith("data:") and _decoded(one).shape[0] > 200]
    assert len(large) == 2 and page.count("<use href=") == 3  # before FREUNDIN, and before both typed moves
    text = Tags(page).text
    for move in ("HÜTTE (H6)", "FREUNDIN (10F)", "SONNE (M7)", "FOGEL (F10)"):
        assert move in text
    assert not list((played.site.folder / "incoming").iterdir())


def _decoded(uri: str) -> np.ndarray:
    import base64

    data = np.frombuffer(base64.b64decode(uri.partition(",")[2]), np.uint8)
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def test_a_photo_that_is_gone_or_changed_is_told(client: Browser, site: Site, demo_photos: list[Path]) -> None:
    game = new_game(client, site, players=["Anna", "Ben"])
    game.photo(demo_photos[1])
    game.act("confirm")
    digest = game.view()["sheet"][0]["photo"]
    path = site.store.photo(digest)
    kept = path.read_bytes()
    try:
        path.write_bytes(kept[:-2000] + b"\0" * 2000)
        changed = Tags(game.get("moves/1/evidence.html").text).text
        assert "Dieses Foto ist nicht mehr da" in changed and "22 Punkte" in changed
        path.unlink()
        for name in ("moves/1", "moves/1/evidence.html", "evidence.html"):
            assert "Dieses Foto ist nicht mehr da" in Tags(game.get(name).text).text
    finally:
        path.write_bytes(kept)


# --- the score sheet ----------------------------------------------------------------------------------------------


def test_the_sheet_of_the_game(played: Game) -> None:
    found = Tags(played.get("sheet").text)
    totals = [player["points"] for player in played.view()["players"]]
    for part in ("HÜTTE", "FREUNDIN", "SONNE", "FOGEL", "getauscht (2)", "eigener Rest", "Endstand", "Unterschrift"):
        assert part in found.text
    assert all(str(total).replace("-", "−") in found.text for total in totals)
    assert "Turnier; Bonus für die ganze Bank: 40 Punkte" in found.text
    assert [attrs for tag, attrs in found.tags if tag == "button" and "data-print" in attrs]


# --- files for other programs -------------------------------------------------------------------------------------


def test_gcg_has_the_totals_and_can_be_gone_on_with(played: Game) -> None:
    answer = played.get("export.gcg")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    text = answer.content.decode("utf-8")
    assert "#character-encoding UTF-8" in text and " J6 FREUNDIN" not in text and " J6 FR.UNDIN +61" in text
    rules = RULE_SETS["turnier"].with_settings(bingo_bonus=40)
    again = resumed(read_written_game(answer.content, "game.gcg"), rules, GERMAN_102)
    assert list(replay(again.game).totals) == [player["points"] for player in played.view()["players"]]
    assert not again.differences


def test_csv_in_the_language_of_the_phone(played: Game) -> None:
    german = played.get("export.csv").content.decode("utf-8")
    assert german.startswith("\ufeff") and "Spieler" in german and "10F" in german and "\r\n" in german
    english = played.get("export.csv", cookie="lang=en").content.decode("utf-8")
    assert "Player" in english and "Spieler" not in english
    rules = RULE_SETS["turnier"].with_settings(bingo_bonus=40)
    again = resumed(read_written_game(german.encode(), "game.csv"), rules, GERMAN_102)
    assert list(replay(again.game).totals) == [player["points"] for player in played.view()["players"]]


def test_json_is_the_game_itself_and_can_be_taken_in(played: Game) -> None:
    data = played.get("export.json").content
    assert json.loads(data)["format"] == "brettblick-game"
    state = played.site.tables.table(played.id).state.state
    assert read_game(data) == state.game
    answer = played.client.post(
        "/api/import",
        files={"file": ("game.json", data, "application/json")},
        data={"request": played.client.request},
    )
    assert answer.status_code == 201, answer.text
    assert played.site.tables.table(answer.json()["id"]).state.state.totals == state.totals


def test_the_archive_has_all_photos_and_can_be_taken_in(played: Game) -> None:
    answer = played.get("export.zip")
    assert answer.headers["content-type"] == "application/zip"
    names = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
    assert "game.json" in names and len([name for name in names if name.startswith("photos/")]) == 2
    copy = played.site.store.import_(io.BytesIO(answer.content))
    found = Game(played.client, played.site, copy)
    assert Tags(found.get("moves/3").text).text.count("FREUNDIN") >= 2
    assert not list((played.site.folder / "incoming").iterdir())


def test_other_endings_there_are_none(played: Game) -> None:
    for kind in ("exe", "html", "", "gcg.exe"):
        played.get(f"export.{kind}", 404)


# --- names of files -----------------------------------------------------------------------------------------------


def test_names_of_files_are_safe_and_kept_as_far_as_they_can_be() -> None:
    stem = file_stem(["Änne Größe", "Đorđe 🦊", "2026-11-30"])
    assert stem == "Änne-Größe-Đorđe-2026-11-30" and ascii_stem(stem) == "Aenne-Groesse-ore-2026-11-30"
    assert file_stem(['../../etc/"passwd"\r\nX: y']) == "etc-passwd-X-y"
    assert file_stem(["🦊", "..."]) == "brettblick" and ascii_stem("漢字") == "brettblick"
    assert len(file_stem(["ü" * 400]).encode()) <= 120
    header = disposition("Änne-2026", "gcg")
    assert header == "attachment; filename=\"Aenne-2026.gcg\"; filename*=UTF-8''%C3%84nne-2026.gcg"
    assert disposition("Anna-2026", "zip") == 'attachment; filename="Anna-2026.zip"'
    header.encode("ascii")


def test_a_name_in_a_header_can_be_read_back(played: Game) -> None:
    header = played.get("export.gcg").headers["content-disposition"]
    assert re.fullmatch(
        r'attachment; filename="b-Aenne-b-Ben-1-1-\d{4}-\d\d-\d\d\.gcg"; '
        r"filename\*=UTF-8''b-%C3%84nne-b-Ben-1-1-\d{4}-\d\d-\d\d\.gcg",
        header,
    )


# --- games that are not finished, and strangers -------------------------------------------------------------------


def test_a_game_without_events(client: Browser, site: Site) -> None:
    game = new_game(client, site, players=["Anna", "Ben"])
    assert "Es ist noch kein Zug verbucht" in Tags(game.get("sheet").text).text
    assert "Es ist noch kein Zug verbucht" in Tags(game.get("evidence.html").text).text
    game.get("moves/1", 404)
    for kind in ("gcg", "csv", "json", "zip"):
        assert game.get(f"export.{kind}").content
    assert read_game(game.get("export.json").content).events == ()


def test_an_open_challenge_is_told_everywhere(client: Browser, site: Site) -> None:
    game = new_game(client, site, players=["Anna", "Ben"])
    game.act("type", move="H8 QZX")
    game.act("confirm")
    game.act("challenge", ref=1, challengers=[1], words=["QZX"])
    assert "Entschieden ist noch nichts" in Tags(game.get("moves/1").text).text
    for path in ("sheet", "evidence.html"):
        assert "Angezweifelt und noch nicht entschieden: QZX." in Tags(game.get(path).text).text
    for kind in ("gcg", "csv", "json", "zip"):
        game.get(f"export.{kind}")


def test_english_pages_are_english(played: Game) -> None:
    for path in ("moves/3", "sheet", "evidence.html"):
        page = played.get(path, cookie="lang=en").text
        assert '<html lang="en">' in page and "Punkte" not in Tags(page).text


def test_nothing_for_strangers_and_spectators(played: Game) -> None:
    stranger = Browser(played.client.app)
    token = played.site.guard.spectator_token(played.id)
    nobody = {"accept": "*/*"}  # who opens a page on this machine has joined
    assert stranger.ask(f"/zuschauen/{token}", headers=nobody).status_code == 200
    for path in ("sheet", "moves/1", "moves/1/evidence.html", "evidence.html", "export.zip", "moves/3/before.jpg"):
        assert stranger.ask(f"{played.base}/{path}", headers=nobody).status_code == 403
        assert stranger.ask(f"/zuschauen/{token}/{path}", headers=nobody).status_code == 404


def test_a_game_that_is_not_there(client: Browser) -> None:
    for path in ("sheet", "moves/1", "evidence.html", "export.gcg", "export.zip"):
        assert client.ask(f"/games/nothing/{path}").status_code == 404


def test_photos_are_cut_one_after_the_other_while_others_are_served(played: Game) -> None:
    """Two whole games at once and a page between them: nobody is refused."""

    paths = ["evidence.html", "evidence.html", "moves/3", "sheet"]
    answers = played.client.ask(*(f"{played.base}/{path}" for path in paths))
    assert [answer.status_code for answer in answers] == [200] * 4
