"""The report of the demo game: as JSON, and as a page with everything inside."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant.cli import main
from assistant.engines import Finder, make_reader
from assistant.recount import Answer, Recount, recount
from assistant.report import Asked, evidence, refuse_unwritable, write_report
from assistant.report.page import level, percent
from assistant.texts import LANGUAGES, Texts
from calibration.tiles import fingerprint
from models.table.demo import TURNS
from scorer.board import Board, Square
from scorer.errors import BrettblickError
from scorer.lexicon import WordList
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from vision.observe import Observation, observe
from vision.onnx_reader import default_model
from vision.photo import digest
from vision.reading import BoardReading

ANNA = '<b>Anna</b> & "Co"'
"""A player whose name would be markup if it were not escaped."""

VOID = {"meta", "img", "image", "use", "path", "rect", "circle", "br"}
Make = Callable[..., BoardReading]


@pytest.fixture(scope="module")
def seen(demo_photos: list[Path]) -> list[Observation]:
    reader, finder = make_reader("network"), Finder()
    return [replace(observe(path, finder.locator(path), reader, GERMAN_102), photo=None) for path in demo_photos]


@pytest.fixture(scope="module")
def result(seen: list[Observation]) -> Recount:
    return recount(seen, (ANNA, "Bernd"), RULE_SETS["turnier"], GERMAN_102)


@pytest.fixture(scope="module")
def found(result: Recount, demo_photos: list[Path]) -> dict[str, Any]:
    lists = [WordList("SDeV", "2026", "a" * 64)]
    return json.loads(json.dumps(evidence(result, demo_photos, Texts("de"), Asked(lists, model="f" * 64))))


@pytest.fixture(scope="module", params=LANGUAGES)
def page(request: pytest.FixtureRequest, result: Recount, demo_photos: list[Path], tmp_path_factory: Any) -> Page:
    path = tmp_path_factory.mktemp("report") / "partie.html"
    write_report(result, demo_photos, path, Texts(request.param))
    return Page.of(path.read_text(encoding="utf-8"), request.param)


@dataclass
class Page(HTMLParser):
    """A page taken apart; fails where a tag is not closed in order."""

    source: str
    language: str
    open: list[str] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, source: str, language: str) -> Page:
        page = cls(source, language)
        HTMLParser.__init__(page, convert_charrefs=True)
        page.feed(source)
        page.close()
        assert page.open == []
        return page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def every(self, tag: str) -> Iterator[dict[str, str]]:
        return (attributes for name, attributes in self.tags if name == tag)


def decoded(uri: str) -> np.ndarray:
    head, _, data = uri.partition(",")
    assert head == "data:image/jpeg;base64"
    return cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)


# --- JSON ---------------------------------------------------------------------------------------------------------


def test_the_evidence_names_what_it_rests_on(found: dict[str, Any]) -> None:
    assert found["rules"]["name"] == "turnier" and found["rules"]["settings"]["bingo_bonus"] == 50
    assert found["players"] == [ANNA, "Bernd"] and found["model"] == "f" * 64
    assert found["lexicon"][0]["name"] == "SDeV" and found["lexicon"][0]["edition"] == "2026"
    assert len(found["entries"]) == 12 and found["checks"] == []


def test_every_entry_names_its_photo(found: dict[str, Any], demo_photos: list[Path], demo_truth: list[Any]) -> None:
    for entry, path, truth in zip(found["entries"], demo_photos, demo_truth, strict=True):
        assert entry["photo"] == path.name and entry["sha256"] == digest(path.read_bytes())
        assert entry["kind"] == truth["kind"] and entry["picture"] == "photo"
        assert np.abs(np.array(entry["corners"]) - truth["corners_px"]).max() < 12  # a fifth of a square


def test_a_bingo_with_its_sum_and_its_squares(found: dict[str, Any]) -> None:
    entry = found["entries"][2]
    play = entry["play"]
    assert (play["move"], play["score"], play["bingo"]) == ("10F FR.UNDIN", 71, 50)
    assert play["steps"] == [
        "10F FREUNDIN: F 4 x 3 = 12, R 1, E 1, U 1, N 1 x 3 = 3, D 1, I 1, N 1 = 21",
        "Alle 7 Steine gelegt: + 50",
        "Zusammen: 21 + 50 = 71",
    ]
    assert entry["totals"] == {ANNA: 22, "Bernd": 71} and entry["counted"]
    assert [one["square"] for one in entry["squares"]] == ["F10", "G10", "I10", "J10", "K10", "L10", "M10"]
    for one, letter in zip(entry["squares"], "FRUNDIN", strict=True):
        assert one["tile"] == letter == one["candidates"][0]["tile"] and one["roles"] == ["new"]
        assert 0.9 < one["candidates"][0]["probability"] <= 1


def test_a_blank_and_a_move_taken_back(found: dict[str, Any]) -> None:
    blank = next(one for one in found["entries"][4]["squares"] if one["tile"] == "?")
    assert blank["square"] == "K11" and blank["candidates"][0]["tile"] == "?"
    assert found["entries"][5]["withdrawn"] and found["entries"][5]["remarks"] == ["zurückgenommen"]
    assert found["entries"][6]["what"] == "Steine zurückgenommen" and found["entries"][6]["play"] is None


def test_a_crop_shows_its_square(found: dict[str, Any], demo_photos: list[Path], result: Recount) -> None:
    """The tile's letter is what the reader sees in the crop, cut down to its own measure."""
    reader = make_reader("network")
    for entry, kept in zip(found["entries"][1:4], result.entries[1:4], strict=True):
        board = kept.observation.board
        assert board is not None
        pixels = board.pixels.copy()
        for one in entry["squares"]:
            crop = decoded(one["crop"])
            assert crop.shape == (128, 128, 3)
            top, left = one["row"] * 36, one["col"] * 36
            pixels[top : top + 48, left : left + 48] = cv2.resize(crop, (48, 48), interpolation=cv2.INTER_AREA)
        reading = reader.read(replace(board, pixels=pixels), GERMAN_102.letters)
        assert all(reading.at(Square(one["row"], one["col"])).char == one["tile"] for one in entry["squares"])


def test_a_photo_that_is_gone_or_changed_gives_way_to_the_board_that_was_kept(
    result: Recount, demo_photos: list[Path], tmp_path: Path
) -> None:
    files = list(demo_photos)
    files[1] = tmp_path / "fort.jpg"
    files[2] = demo_photos[3]  # another photo under its name
    entries = evidence(result, files, Texts("de"))["entries"]
    assert [entry["picture"] for entry in entries[:4]] == ["photo", "board", "board", "photo"]
    assert all(decoded(one["crop"]).shape == (128, 128, 3) for entry in entries[1:3] for one in entry["squares"])
    lost = replace(result.entries[1].observation, board=None)
    nothing = replace(result, entries=(replace(result.entries[1], observation=lost),))
    (entry,) = evidence(nothing, [tmp_path / "fort.jpg"], Texts("de"))["entries"]
    assert entry["picture"] is None and {one["crop"] for one in entry["squares"]} == {None}
    write_report(nothing, [tmp_path / "fort.jpg"], tmp_path / "a.html", Texts("de"))
    assert "Von diesem Foto gibt es kein Bild." in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_a_json_report_is_the_evidence(result: Recount, demo_photos: list[Path], tmp_path: Path) -> None:
    small = replace(result, entries=result.entries[:2])
    write_report(small, demo_photos[:2], tmp_path / "partie.JSON", Texts("en"))
    written = json.loads((tmp_path / "partie.JSON").read_text(encoding="utf-8"))
    assert written == evidence(small, demo_photos[:2], Texts("en"))
    assert written["entries"][0]["what"] == "empty board"


# --- the page -----------------------------------------------------------------------------------------------------


def test_every_move_is_on_the_page_with_its_words_and_points(page: Page, result: Recount) -> None:
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page.source.partition("<tbody>")[2].partition("</tbody>")[0], re.DOTALL)
    assert len(rows) == 12
    played = [(turn, entry.play) for turn, entry in zip(TURNS, result.entries, strict=True) if entry.play]
    assert len(played) == 9
    for turn, play in played:
        number = TURNS.index(turn)
        assert f'href="#move-{number}"' in rows[number]
        assert f"{play.words[0].word} {play.words[0].score}" in rows[number] and f">{play.score}</td>" in rows[number]
        assert f'id="move-{number}"' in page.source
    assert page.text.count("21 + 50 = 71") == 1
    assert ("Zusammen: 22" if page.language == "de" else "Total: 22") in page.text


def test_nothing_comes_from_outside(page: Page) -> None:
    names = {name for _, attributes in page.tags for name in attributes}
    assert not names & {"srcset", "action", "poster", "data"} and not any(name.startswith("on") for name in names)
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "iframe", "object", "embed", "base"})
    for tag, attributes in page.tags:
        for name in {"src", "href", "xlink:href"} & {*attributes}:
            inside = "data:image/jpeg;base64," if tag in ("img", "image") else "#"
            assert attributes[name].startswith(inside)
    style = page.source.partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style and "@import" not in style and "://" not in page.source


def test_pictures_decode_and_have_words(page: Page, demo_photos: list[Path]) -> None:
    photos = list(page.every("image"))
    assert [one["id"] for one in photos] == [f"photo-{number}" for number in range(12)]
    for one in photos:
        picture = decoded(one["href"])
        assert picture.shape == (int(one["height"]), int(one["width"]), 3) == (960, 1280, 3)
    crops = list(page.every("img"))
    assert len(crops) == sum(len(turn.tiles) for turn in TURNS)
    assert all(decoded(one["src"]).shape == (128, 128, 3) and one["alt"] for one in crops)
    drawings = [one for one in page.every("svg") if one.get("class") == "photo"]
    assert all(one["role"] == "img" and one["aria-label"] for one in drawings)
    again = [one["href"] for one in page.every("use")]
    assert again == [f"#photo-{number - 1}" for number in range(1, 12)]  # the photo before each
    assert len(page.source) < 12e6 / 2  # a game of 25 photos has twice as many


def test_new_squares_are_marked_where_they_are(page: Page, demo_truth: list[dict[str, Any]]) -> None:
    """The outline of HÜTTE lies around its five squares on the photo made smaller."""
    drawing = page.source.partition('<image id="photo-1"')[2].partition("</svg>")[0]
    path = re.search(r'<path class="new" d="([^"]*)"', drawing)
    assert path is not None
    points = np.array(re.findall(r"([\d.]+) ([\d.]+)", path[1]), float)
    corners = np.array(demo_truth[1]["corners_px"], np.float32) * 1280 / 1600
    grid = np.array([(0, 0), (15, 0), (15, 15), (0, 15)], np.float32)
    squares = cv2.perspectiveTransform(points[None], cv2.getPerspectiveTransform(corners, grid).astype(float))[0]
    assert np.abs(squares.min(axis=0) - (5, 7)).max() < 0.25 and np.abs(squares.max(axis=0) - (10, 8)).max() < 0.25
    assert len(points) == 24  # twelve edges: none between two of its tiles


def test_names_are_escaped(page: Page) -> None:
    assert "<b>Anna" not in page.source and ANNA in page.text
    assert "&lt;b&gt;Anna&lt;/b&gt; &amp; &#34;Co&#34;" in page.source


def test_the_page_is_in_one_language(page: Page) -> None:
    said = {"de": ("Auswertung einer Partie", "neu gelegt"), "en": ("Evaluation of a game", "newly laid")}
    other = "en" if page.language == "de" else "de"
    assert all(text in page.text for text in said[page.language])
    assert not any(text in page.text for text in said[other])
    assert next(page.every("html"))["lang"] == page.language


EMPTY = Board.empty()
HUT = EMPTY.placed({Square(7, 7): "H", Square(7, 8): "U", Square(7, 9): "T"})


def test_a_doubt_is_asked_and_marked_in_words(make_reading: Make, tmp_path: Path) -> None:
    """Without any photo: what is left is said all the same."""
    boards = [EMPTY, HUT]
    unsure = {1: {(7, 9): {"T": 0.7, "I": 0.3}}}
    seen = [
        Observation(f"<{k}>.jpg", reading=make_reading(board.rows, unsure.get(k))) for k, board in enumerate(boards)
    ]
    game = recount(seen, ("Anna", "Ben"), RULE_SETS["turnier"], GERMAN_102)
    files = [tmp_path / seen_one.name for seen_one in seen]
    entries = evidence(game, files, Texts("de"))["entries"]
    assert entries[1]["question"] == "Welcher Buchstabe liegt auf Feld H10: T, I?"
    assert ["new", "asked"] in [one["roles"] for one in entries[1]["squares"]]
    write_report(game, files, tmp_path / "partie.html", Texts("de"))
    page = Page.of((tmp_path / "partie.html").read_text(encoding="utf-8"), "de")
    assert entries[1]["question"] in page.text and "<1>.jpg" in page.text
    assert page.source.count('<li class="unsure">') == 1
    first, second = (one["probability"] for one in entries[1]["squares"][2]["candidates"][:2])
    assert 0.6 < first < 0.75 and 0.25 < second < 0.35
    assert f"wahrscheinlich, {first * 100:.0f} %" in page.text
    assert f"vielleicht auch I, {second * 100:.0f} %" in page.text


def test_what_lay_there_before_the_first_photo_is_not_called_new(make_reading: Make, tmp_path: Path) -> None:
    later = HUT.placed({Square(8, 9): "O", Square(9, 9): "R"})
    seen = [Observation(f"{k}.jpg", reading=make_reading(board.rows)) for k, board in enumerate([HUT, later])]
    game = recount(seen, ("Anna", "Ben"), RULE_SETS["turnier"], GERMAN_102, answers={0: Answer(kind="start")})
    files = [tmp_path / "0.jpg", tmp_path / "1.jpg"]
    first, second = evidence(game, files, Texts("de"))["entries"]
    assert [(one["square"], one["roles"]) for one in first["squares"]] == [(f"H{k}", ["lies"]) for k in (8, 9, 10)]
    assert [(one["square"], one["roles"]) for one in second["squares"]] == [("I10", ["new"]), ("J10", ["new"])]
    write_report(game, files, tmp_path / "zug.html", Texts("de"))
    page = Page.of((tmp_path / "zug.html").read_text(encoding="utf-8"), "de")
    assert "Alle gelesenen Steine aus der Nähe (3)" in page.text and "Auswertung eines Zugs" in page.text


@pytest.mark.parametrize(
    ("share", "german", "english"),
    [
        (1.0, "über 99,9\u00a0%", "over 99.9%"),
        (0.9951, "99,5\u00a0%", "99.5%"),
        (0.87, "87\u00a0%", "87%"),
        (0.004, "unter 1\u00a0%", "under 1%"),
    ],
)
def test_nothing_is_said_to_be_quite_sure(share: float, german: str, english: str) -> None:
    assert (percent(share, Texts("de")), percent(share, Texts("en"))) == (german, english)


def test_a_probability_in_words() -> None:
    said = [level(share, Texts("de")) for share in (0.97, 0.8, 0.4)]
    assert said == ["sicher, 97\u00a0%", "wahrscheinlich, 80\u00a0%", "unsicher, 40\u00a0%"]


# --- the file -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("where", "code"), [("", "is-a-folder"), ("fort/a.html", "missing-folder")])
def test_a_report_that_cannot_be_written_is_refused_at_once(tmp_path: Path, where: str, code: str) -> None:
    with pytest.raises(BrettblickError) as caught:
        refuse_unwritable(tmp_path / where)
    assert caught.value.code == code and all(Texts(one).error(caught.value).endswith(".") for one in LANGUAGES)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "datei").write_text("x", encoding="utf-8")
    with pytest.raises(BrettblickError) as caught:
        refuse_unwritable(tmp_path / "datei" / "a.html")
    assert caught.value.code == "cannot-write"


def test_the_command_writes_the_report_beside_its_other_output(
    demo_photos: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "partie.html"
    status = main(["recount", *map(str, demo_photos[:2]), "--players", "Anna,Ben", "--json", "--report", str(path)])
    out, err = capsys.readouterr()
    assert status == 0 and json.loads(out)["totals"] == {"Anna": 22, "Ben": 0} and str(path) in err
    page = Page.of(path.read_text(encoding="utf-8"), "de")
    assert fingerprint(default_model()) in page.text and "Ohne Wortliste" in page.text


def test_the_command_says_at_once_where_it_cannot_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["recount", str(tmp_path / "fort.jpg"), "--report", str(tmp_path / "weg" / "a.html")])
    out, err = capsys.readouterr()
    assert status == 2 and out == "" and "weg: Diesen Ordner gibt es nicht" in err
    assert len(err.splitlines()) == 1  # no word of the photo, which is not there either


def test_a_list_that_must_stay_closed_is_not_said_to_have_been_asked(
    result: Recount, demo_photos: list[Path], tmp_path: Path
) -> None:
    asked = Asked([WordList("SDeV", "2026", "a" * 64)])
    pages = {}
    for name in ("turnier", "familie"):
        write_report(replace(result, rules=RULE_SETS[name]), demo_photos, tmp_path / name, Texts("de"), asked)
        pages[name] = (tmp_path / name).read_text(encoding="utf-8")
    assert "Wortlisten: SDeV" in pages["familie"] and "SDeV" not in pages["turnier"]
    assert Texts("de")("sheet.closed-dictionary") in pages["turnier"]
