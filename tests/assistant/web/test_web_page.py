"""Every page and section from sample views: escaped, well-formed, nothing inline; payloads and texts as agreed."""

from __future__ import annotations

import json
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import assistant.web.page as page_module
from assistant.texts import LANGUAGES, Texts
from assistant.web.offer import offer
from assistant.web.page import (
    SCRIPT_TEXTS,
    SECTIONS,
    Share,
    home,
    join,
    rounds,
    scoreboard,
    sections,
    shell,
    spectator,
    trouble,
)
from scorer.rules import RULE_SETS, SETTINGS
from tests.assistant.web import sample_views
from tests.assistant.web.sample_views import ALL, HOSTILE

ROOT = Path(__file__).resolve().parents[3]
WEB = ROOT / "assistant" / "web"
TEMPLATES = [path for path in sorted((WEB / "templates").rglob("*.j2")) if path.parent.name != "papers"]
SCRIPTS = sorted((WEB / "static").glob("*.js"))
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

QR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 3"><path d="M0 0h1v1H0z"/></svg>'
SHARE = Share(("http://192.168.1.5:8000/join?code=abc",), QR, "http://192.168.1.5:8000/zuschauen/tok", QR)
GAMES = [
    {
        "id": "a1",
        "players": ["Anna", HOSTILE],
        "points": [38, 17],
        "phase": "over",
        "changed": "heute",
        "rules": "mattel",
    },
    {"id": "b2", "players": ["Anna", "Ben"], "points": None, "phase": None, "changed": HOSTILE, "rules": HOSTILE},
]


class Page(HTMLParser):
    """What a page is made of; an element that is not closed where it should be is an error."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {tag} {attrs}"
        self.elements.append((tag, dict(attrs)))
        if "id" in dict(attrs) and "template" not in self._open:
            self.ids.append(str(dict(attrs)["id"]))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1] == tag, f"</{tag}> where {self._open[-3:]} are open"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, name: str) -> list[str]:
        """The values of an attribute, wherever it is."""
        return [str(attributes[name]) for _, attributes in self.elements if name in attributes]


def pages(language: str) -> dict[str, str]:
    """Every page there is, by what it shows."""
    texts = Texts(language)
    out = {f"shell {name}": shell(make(), texts, share=SHARE) for name, make in ALL.items()}
    out |= {f"spectator {name}": spectator(make(), texts, base="/zuschauen/tok") for name, make in ALL.items()}
    out |= {f"scoreboard {name}": scoreboard(make(), texts) for name, make in ALL.items()}
    some = offer(texts, [("deutsch", "Brettblick Deutsch"), (HOSTILE, HOSTILE)])
    out["home"] = home(GAMES, texts, offer=some, share=SHARE, who=HOSTILE, message=HOSTILE)
    out["home empty"] = home([], texts, offer=some)
    out["join"] = join(texts)
    out["join error"] = join(texts, HOSTILE)
    out["trouble"] = trouble(texts, HOSTILE)
    return out


PAGES = {language: pages(language) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES["de"])
def test_a_page_is_well_formed_and_has_nothing_inline(name: str, language: str) -> None:
    html = PAGES[language][name]
    page = Page(html)
    assert page.elements[0] == ("html", {"lang": language})
    assert len(set(page.ids)) == len(page.ids)
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    assert scripts == [{"type": "module", "src": "/static/app.js"}]
    for tag, attributes in page.elements:
        assert tag not in ("style", "iframe", "object", "embed")
        assert not [one for one in attributes if one == "style" or one.startswith("on")], (tag, attributes)
        for where in ("src", "href", "action"):
            address = attributes.get(where) or "/"
            assert address.startswith(("/", "#")) or address == SHARE.spectator, (tag, address)


@pytest.mark.parametrize("name", PAGES["de"])
def test_what_people_choose_is_text_and_nothing_else(name: str) -> None:
    html = PAGES["de"][name]
    assert HOSTILE not in html and "<script>alert" not in html
    assert "{{7*7}}" in HOSTILE and "49👩" not in html
    if "hostile" in name:
        page = Page(html)
        assert any(HOSTILE in text for text in page.text)
        assert {tag for tag, _ in page.elements} <= {tag for tag, _ in Page(PAGES["de"]["shell clocked"]).elements} | {
            *("article", "dd", "dl", "dt", "figcaption", "figure", "g", "circle", "image", "polygon", "text", "output")
        }


def test_names_stand_in_attributes_too() -> None:
    html = PAGES["de"]["shell hostile"]
    assert f'title="{escape(HOSTILE, quote=True).replace("&#x27;", "&#39;").replace("&quot;", "&#34;")}"' in html
    assert HOSTILE in Page(html).all("title")


@pytest.mark.parametrize("name", [name for name in PAGES["de"] if name.startswith("shell")])
def test_every_payload_is_an_action(name: str) -> None:
    page = Page(PAGES["de"][name])
    payloads = [json.loads(value) for value in page.all("data-act")]
    assert payloads and all(isinstance(one["action"], str) for one in payloads)
    for where in (
        "data-square",
        "data-corners",
        "data-set",
        "data-texts",
        "data-position",
        "data-rows",
        "data-columns",
    ):
        for value in page.all(where):
            json.loads(value)
    opened = set(page.all("data-open"))
    templates = {attributes.get("id") for tag, attributes in page.elements if tag == "template"}
    closed = {
        attributes["data-open"]
        for tag, attributes in page.elements
        if "disabled" in attributes and "data-open" in attributes
    }
    assert opened - closed <= templates


@pytest.mark.parametrize("name", ["question", "faulty", "challenged", "clocked"])
def test_every_option_of_the_view_is_a_button(name: str) -> None:
    view = ALL[name]()
    wanted: list[Any] = []
    for where in ([view["proposal"]["question"]] if view["proposal"] else []) + view["open_blanks"]:
        wanted += [option["act"] for option in where["options"]]
    for tile in view["proposal"]["tiles"] if view["proposal"] else []:
        wanted += [option["act"] for option in tile["options"]]
    given = [json.loads(value) for value in Page(shell(view, Texts())).all("data-act")]
    assert all(act in given for act in wanted)
    if view["challenge"]:
        assert {"action": "verdict", "word": "SÄ"} in given and {"action": "verdict", "word": "SPÄT"} not in given


def test_what_the_table_said_of_a_word_can_be_said_anew_until_it_is_booked() -> None:
    view = ALL["challenged"]()
    view["challenge"]["words"][1] |= {"allowed": False}
    view["challenge"] |= {"undecided": [], "bookable": True}
    given = [json.loads(value) for value in Page(sections(view, Texts())["challenge"]).all("data-act")]
    assert given == [{"action": "verdict", "word": "SÄ"}], "what the list decides stays"


def test_what_can_be_done_follows_the_view() -> None:
    def actions(name: str) -> set[str]:
        return {json.loads(value)["action"] for value in Page(PAGES["de"][f"shell {name}"]).all("data-act")}

    assert {"type", "pass", "exchange", "challenge", "close", "undo", "resign", "stop"} <= actions("playing")
    assert "confirm" not in actions("playing") and "confirm" in actions("proposal") and "drop" in actions("proposal")
    assert "confirm" not in actions("question") and "confirm" not in actions("faulty")
    assert "settle-challenge" in actions("decided") and "challenge" not in actions("decided")
    assert {"clock", "timeout", "blank", "swap-blank"} <= actions("clocked") and "clock" not in actions("playing")
    assert "racks" in actions("over") and "racks" not in actions("settled")
    assert "draw" in actions("fresh") and "draw" not in actions("playing")


def test_a_question_keeps_everybody_from_confirming() -> None:
    texts = Texts()
    bar = Page(sections(ALL["question"](), texts)["bar"])
    assert "".join(bar.text).split()[:4] == texts("web.answer-first").split()
    assert bar.elements[2][0] == "button" and "disabled" in bar.elements[2][1]
    bar = Page(sections(ALL["challenged"](), texts)["bar"])
    assert bar.elements[2][0] == "button" and "disabled" in bar.elements[2][1]
    bar = Page(sections(ALL["proposal"](), texts)["bar"])
    assert bar.elements[2][1]["form"] == "confirm" and "disabled" not in bar.elements[2][1]


@pytest.mark.parametrize(
    ("name", "part"),
    # the board of 900 pixels with 54 around it, the photo ends at the bottom before that; without a board all of it
    [("proposal", "46.0 26.0 1008.0 1008.0"), ("not_found", "0 0 1100 1080"), ("edge", "46.0 26.0 1008.0 974.0")],
)
def test_a_photo_is_shown_as_far_as_the_board_goes(name: str, part: str) -> None:
    view = ALL["proposal" if name == "edge" else name]()
    if name == "edge":
        view["proposal"]["photo"]["height"] = 1000
    (shown,) = (one for one in Page(sections(view, Texts())["proposal"]).all("viewbox") if one != "0 0 24 24")
    assert shown == part


def test_without_a_board_the_ways_on_are_corners_a_typed_move_and_another_photo() -> None:
    parts = sections(ALL["not_found"](), Texts())
    card, bar = Page(parts["proposal"]), Page(parts["bar"])
    assert "question" not in card.all("class") and "Mehr Licht hilft." in card.text
    assert card.all("data-open") == ["t-corners", "t-answer-move"]
    assert bar.elements[2][0] == "label" and bar.elements[2][1]["for"] == "photo"


@pytest.mark.parametrize("page", ["spectator", "scoreboard"])
@pytest.mark.parametrize("name", list(ALL))
def test_who_only_watches_can_change_nothing(page: str, name: str) -> None:
    elements = Page(PAGES["de"][f"{page} {name}"]).elements
    assert not [one for one in elements if {"data-act", "data-board", "data-api"} & {*one[1]}]
    assert not [one for one in elements if one[0] in ("form", "input", "select")]


def test_sections_are_those_of_the_page_and_say_when_they_differ() -> None:
    view, texts = ALL["playing"](), Texts()
    first = sections(view, texts)
    assert tuple(first) == SECTIONS
    html = shell(view, texts)
    assert all(first[name] in html for name in SECTIONS if name != "big")
    assert first["big"] in scoreboard(view, texts)
    later = sections(view | {"version": 13, "checks": ["Neu"]}, texts)
    hashes = [{name: Page(one[name]).all("data-hash") for name in SECTIONS} for one in (first, later)]
    assert [name for name in SECTIONS if hashes[0][name] != hashes[1][name]] == ["now"]
    assert all(Page(html).all("data-version") == ["13"] for html in later.values())
    assert (
        Page(first["proposal"]).elements[0][1]["hidden"] is None and "hidden" not in Page(first["bar"]).elements[0][1]
    )


def test_the_board_names_its_squares() -> None:
    labels = Page(sections(ALL["playing"](), Texts())["board"]).all("aria-label")
    for label in (
        "H4: F, 4 Punkte",
        "J8: Blanko als P, 0 Punkte",
        "A1: leer, dreifacher Wortwert",
        "O15: leer, dreifacher Wortwert",
    ):
        assert label in labels
    assert len([label for label in labels if label.startswith(tuple("ABCDEFGHIJKLMNO"))]) == 225
    labels = Page(sections(ALL["fresh"](), Texts("en"))["board"]).all("aria-label")
    assert "H8: empty, star, double word" in labels and "A2: empty" in labels
    view = ALL["playing"]()
    view["setup"]["notation"] = "international"
    labels = Page(sections(view, Texts())["board"]).all("aria-label")
    assert "D8: F, 4 Punkte" in labels and "H10: Blanko als P, 0 Punkte" in labels


def test_the_last_move_and_blanks_look_different() -> None:
    board = {
        one[1]["data-at"]: str(one[1]["class"])
        for one in Page(sections(ALL["playing"](), Texts())["board"]).elements
        if "data-at" in one[1]
    }
    assert board["9-7"].split() == ["laid", "blank", "last"]
    assert board["7-3"].split() == ["laid"] and board["0-0"] == "pwT" and board["0-1"] == ""


def line(player: int | None, changes: list[int], kind: str = "place") -> dict[str, Any]:
    return {"player": player, "changes": changes, "kind": kind}


def test_the_sheet_is_a_pad_with_a_column_for_everybody() -> None:
    anna, ben, passed = line(0, [24, 0]), line(1, [0, 12]), line(0, [0, 0], "pass")
    assert rounds([anna, ben, passed], 2) == [[anna, ben], [passed, None]]
    back = line(0, [0, 0])  # Anna again: a turn was lost
    assert rounds([anna, back, ben], 2) == [[anna, None], [back, ben]]
    wrong = line(1, [0, -10], "challenge")
    assert rounds([anna, wrong, ben], 2) == [[anna, wrong], [None, ben]]
    settled, stopped = line(None, [9, -9], "settled"), line(None, [0, 0], "stopped")
    assert rounds([anna, stopped, settled], 2) == [[anna, None], stopped, [settled, settled]]
    charged = line(0, [0, -10, 0], "challenge")  # booked for one, paid by another
    assert rounds([charged], 3) == [[None, charged, None]]


def test_points_of_a_line_are_those_of_its_column() -> None:
    view = ALL["settled"]()
    view["sheet"].append(
        view["sheet"][-1]
        | {
            "number": 6,
            "player": None,
            "name": "",
            "kind": "settled",
            "text": "Abrechnung",
            "changes": [9, -9],
            "totals": [47, 8],
            "points": None,
            "words": [],
        }
    )
    text = " ".join("".join(Page(sections(view, Texts())["sheet"]).text).split())
    assert "Abrechnung947" in text and "Abrechnung−98" in text


def test_scripts_ask_for_texts_that_the_page_gives_them() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    assert set(re.findall(r'"(web\.[a-z-]+)"', source)) == set(SCRIPT_TEXTS)
    given = json.loads(Page(PAGES["en"]["home"]).all("data-texts")[0])
    assert set(given) == set(SCRIPT_TEXTS)
    assert given["web.square-title"] == "Square {square}"


def test_scripts_write_no_markup_of_their_own() -> None:
    for path in SCRIPTS:
        source = path.read_text(encoding="utf-8")
        assert not re.search(
            r"outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://(?!www\.w3\.org)", source
        ), path
        assert ("innerHTML" in source) == (path.name == "live.js")  # what the server has rendered and escaped


def test_templates_have_nothing_inline() -> None:
    assert len(TEMPLATES) > 15
    for path in TEMPLATES:
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"\sstyle=|\son[a-z]+=|<style|javascript:|https?://", source), path
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", source)), path
        for safe in re.findall(r"\{\{([^}]*)\|\s*safe", source):
            assert re.fullmatch(r"\s*('[a-z -]+(=\"true\")?'|share\.(spectator_)?qr)\s*", safe), (path, safe)


def test_every_icon_is_there() -> None:
    icons = set(re.findall(r'<symbol id="(i-[a-z]+)"', (WEB / "templates" / "icons.svg").read_text(encoding="utf-8")))
    used = {
        value.partition("#")[2]
        for html in PAGES["de"].values()
        for value in Page(html).all("href")
        if value.startswith("#i-")
    }
    assert used and used <= icons


def test_static_files_the_pages_name_are_there() -> None:
    for html in PAGES["de"].values():
        for value in [*Page(html).all("href"), *Page(html).all("src")]:
            if value.startswith("/static/"):
                assert (WEB / "static" / value.removeprefix("/static/").partition("#")[0]).is_file(), value


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_offers_every_setting_as_the_rules_read_it(language: str) -> None:
    made = offer(Texts(language), [("deutsch", "Deutsch")])
    settings = [setting for _, group in made.sections for setting in group]
    assert {one.name for one in settings} == set(SETTINGS) - {"layout", "rack_size", "clock_seconds"}
    assert made.rules[0].name == "familie" and {one.name for one in made.rules} == set(RULE_SETS)
    for rules in RULE_SETS.values():
        assert rules.with_texts(f"{one.name}={one.defaults[rules.name]}" for one in settings) == rules
    for one in settings:
        if one.kind == "number":
            assert all(one.low <= int(default) <= one.high for default in one.defaults.values())
        else:
            allowed = {value for value, _ in one.values}
            assert allowed and all({*default.split(",")} <= allowed for default in one.defaults.values())
    assert dict(made.lexicons)["none"] == Texts(language)("web.no-lexicon")
    assert made.tiles[0][0] == "german" and "102" in made.tiles[0][1]


def test_the_sample_views_are_fresh_every_time() -> None:
    one = sample_views.playing()
    one["players"][0]["name"] = "anders"
    one["board"][0] = "A" * 15
    assert sample_views.playing()["players"][0]["name"] == "Anna" and sample_views.playing()["board"][0] == "." * 15


def test_a_text_with_placeholders_goes_to_the_scripts_as_it_is() -> None:
    assert Texts("de").pattern("web.square-title") == "Feld {square}"
    assert (
        page_module.tile_text("e", Texts()) == "Blanko als E" and page_module.tile_text("?", Texts()) == "Blankostein"
    )
    assert page_module.tile_text(".", Texts()) == "kein Stein" and page_module.tile_text("Ä", Texts("en")) == "Ä"
