"""Clips that were kept with "Streit!" in the files that are handed on: film strips without a script."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant.store.rows import Author, Row
from assistant.table.session import Engines
from assistant.web.film_strip import MOST_STILLS, PRINTED_STILLS, evenly, strip_of, strips_of
from assistant.web.headers import REPORT_POLICY
from assistant.web.live import MOST_CLIPS
from assistant.web.paper_pictures import STILL_SIDE, clip_still
from assistant.web.site import Site
from tests.assistant.table.tables import ANNA
from tests.assistant.web.browser import chromium
from tests.assistant.web.test_web_papers import Browser, Game, Tags, addresses, joined, new_game, site_in
from vision.onnx_reader import OnnxReader

Frames = Sequence[tuple[str, float]]


def jpeg(shade: int, width: int = 160, height: int = 120) -> bytes:
    """A picture of one colour, each shade another."""
    colour = (shade, 255 - shade, shade // 2)
    picture = np.full((height, width, 3), colour, np.uint8)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site_in(tmp_path_factory.mktemp("clips"), Engines(OnnxReader())) as found:
        yield found


@pytest.fixture(scope="module")
def client(site: Site) -> Browser:
    return joined(site)


@pytest.fixture
def game(client: Browser, site: Site) -> Game:
    return new_game(client, site, players=["Anna", "Ben"])


def keep(game: Game, kept: Frames, author: Author = ANNA, **about: Any) -> int:
    """The number of the row of a clip of these frames. about: what is in it instead"""
    digests = tuple(dict.fromkeys(digest for digest, _ in kept))
    body = {"at": "2026-11-30T20:00:00Z", "camera": "Webcam 0", "frames": [list(one) for one in kept]}
    body.update(about)
    table = game.site.tables.table(game.id)
    return table.keep_clip(body, digests, author=author, request=game.client.request)


def put(game: Game, *shades: int) -> list[str]:
    return [game.site.store.put_photo(jpeg(shade)) for shade in shades]


def shown(page: str) -> list[np.ndarray]:
    """The pictures of a file, decoded."""
    uris = [one for one in addresses(page) if one.startswith("data:image/jpeg;base64,")]
    raw = [np.frombuffer(base64.b64decode(one.partition(",")[2]), np.uint8) for one in uris]
    return [cv2.imdecode(one, cv2.IMREAD_COLOR) for one in raw]


def shades(page: str) -> list[int]:
    """Which pictures of `jpeg` a file shows, in order."""
    return [int(round(float(picture[..., 0].mean()), -1)) for picture in shown(page)]


def words(page: str) -> str:
    """The text of a file, white space as single spaces."""
    return " ".join(Tags(re.sub("<br>|</t[hd]>", " ", page)).text.split())


def strips(page: str) -> list[str]:
    return re.findall(r'<section class="clip-strip" id="clip-(\d+)">', page)


# --- where a clip stands ------------------------------------------------------------------------------------------


def test_a_clip_is_in_the_file_of_its_move_and_once_in_that_of_the_game(game: Game) -> None:
    """Between two events it is about the one before and the one after; the game has it with the first."""
    for number in range(4):
        game.act("exchange", count=1)
        if number == 1:
            between = keep(game, [*zip(put(game, 20, 60, 100), (0, 0.33, 0.67), strict=True)])
    last = keep(game, [*zip(put(game, 140, 180), (0, 0.5), strict=True)])
    files = {number: game.get(f"moves/{number}/evidence.html").text for number in (1, 2, 3, 4)}
    assert {number: strips(page) for number, page in files.items()} == {
        1: [],
        2: [str(between)],
        3: [str(between)],
        4: [str(last)],
    }
    assert shades(files[2]) == shades(files[3]) == [20, 60, 100]
    assert shades(files[4]) == [140, 180] and shades(files[1]) == []
    whole = game.get("evidence.html").text
    assert strips(whole) == [str(between), str(last)] and shades(whole) == [20, 60, 100, 140, 180]
    places = [whole.index(mark) for mark in ('id="e2"', f'id="clip-{between}"', 'id="e3"', 'id="e4"')]
    assert places == sorted(places) and whole.index('id="e4"') < whole.index(f'id="clip-{last}"')
    contents = whole[: whole.index('id="e1"')]
    assert re.findall(r'href="#(e\d|clip-\d+)"', contents) == [
        "e1", "e2", f"clip-{between}", "e3", "e4", f"clip-{last}",
    ]  # fmt: skip
    assert not list((game.site.folder / "incoming").iterdir())


def test_a_clip_beside_no_event_is_at_the_end(game: Game) -> None:
    number = keep(game, [*zip(put(game, 30, 70), (0, 1.0), strict=True)])
    page = game.get("evidence.html").text
    assert strips(page) == [str(number)] and shades(page) == [30, 70]
    assert "<h2>Aufgehobene Aufnahmen</h2>" in page and page.index("<h2>Aufgehobene") < page.index('class="clip-strip"')


# --- what a strip shows -------------------------------------------------------------------------------------------


def test_a_strip_says_what_it_is_and_which_frame_is_which(game: Game) -> None:
    digests = put(game, 20, 60, 100)
    keep(game, [*zip(digests, (0, 12.34, 29.7), strict=True)])
    game.act("exchange", count=1)
    page = game.get("moves/1/evidence.html").text
    text = words(page)
    kept = game.site.tables.table(game.id).rows[0].at.astimezone()
    assert f"Aufnahme von {kept:%H:%M:%S} · 30 s, 3 Bilder, aufgehoben von {ANNA.who}, Kamera: Webcam 0" in text
    for at, one, digest in zip(("0,0 s", "12,3 s", "29,7 s"), (1, 2, 3), digests, strict=True):
        assert f"{at} Bild {one} von 3 {digest[:16]}…" in text
        assert f"{one} {at} {digest}" in text, "the whole checksum is in the list"
    assert "verkleinert" in text and "Ganze Partie mit Fotos (zum Sichern)" in text and "SHA-256" in text
    tags = Tags(page).tags
    assert [attrs for tag, attrs in tags if tag == "details"] == [{}, {"class": "no-print"}], "closed at first"
    (film,) = [attrs for tag, attrs in tags if attrs.get("class") == "film"]
    assert film == {"class": "film", "tabindex": "0", "aria-label": f"Bilder der Aufnahme von {kept:%H:%M:%S}"}
    pictures = [attrs for tag, attrs in tags if tag == "img"]
    assert [one["alt"] for one in pictures] == [
        "Bild 1, 0,0 s nach dem ersten",
        "Bild 2, 12,3 s nach dem ersten",
        "Bild 3, 29,7 s nach dem ersten",
    ]
    english = Tags(game.get("moves/1/evidence.html", cookie="lang=en").text).text
    assert "12.3 s" in english and "Picture 2 of 3" in english and "kept by" in english


def test_pictures_are_those_frames_made_smaller(game: Game, demo_photos: list[Path]) -> None:
    frames = [cv2.resize(cv2.imread(str(path)), (1280, 720)) for path in demo_photos[1:4]]
    digests = [game.site.store.put_photo(cv2.imencode(".jpg", one)[1].tobytes()) for one in frames]
    small = jpeg(90, 64, 400)
    digests.append(game.site.store.put_photo(small))
    keep(game, [(digest, float(k)) for k, digest in enumerate(digests)])
    page = game.get("evidence.html").text
    *pictures, tall = shown(page)
    for picture, frame in zip(pictures, frames, strict=True):
        assert picture.shape == (360, STILL_SIDE, 3)
        original = cv2.resize(frame, (640, 360), interpolation=cv2.INTER_AREA).astype(float)
        others = [cv2.resize(one, (640, 360), interpolation=cv2.INTER_AREA) for one in frames if one is not frame]
        assert np.abs(picture - original).mean() < 5
        assert all(np.abs(picture - one.astype(float)).mean() > np.abs(picture - original).mean() for one in others)
    assert tall.shape == (400, 64, 3), "nothing is made larger"
    sizes = [(attrs["width"], attrs["height"]) for tag, attrs in Tags(page).tags if tag == "img"]
    assert sizes == [("640", "360")] * 3 + [("64", "400")]


def test_frames_that_are_the_same_are_there_once(game: Game) -> None:
    one, two = put(game, 50, 110)
    keep(game, [(one, 0), (one, 0.4), (one, 3.2), (two, 3.5), (one, 4.0)])
    page = game.get("evidence.html").text
    assert shades(page) == [50, 110, 50], "only those that follow each other"
    text = words(page)
    assert "0,0 s Bild 1 von 5 unverändert bis 3,2 s (3 gleiche Bilder)" in text
    assert text.count("unverändert bis") == 1 and "stehen nur einmal da" in text


def test_a_frame_that_is_gone_or_changed_is_told(game: Game) -> None:
    """Or that is no picture: the others are shown all the same."""
    first, gone, changed = put(game, 21, 91, 131)
    none = game.site.store.put_photo(b"no picture at all")
    last = put(game, 171)[0]
    keep(game, [(digest, float(k)) for k, digest in enumerate([first, gone, changed, none, last])])
    game.site.store.photo(gone).unlink()
    game.site.store.photo(changed).write_bytes(jpeg(200))
    page = game.get("evidence.html").text
    assert shades(page) == [20, 170] and Tags(page).text.count("Dieses Foto ist nicht mehr da") == 3
    assert all(digest[:16] in page for digest in (gone, changed, none))
    path = game.site.store.photo(changed)
    assert clip_still(path, changed) is None
    assert clip_still(path, hashlib.sha256(path.read_bytes()).hexdigest()) is not None


def test_a_damaged_row_shows_nothing_and_breaks_nothing(game: Game) -> None:
    good = put(game, 40)[0]
    bodies: list[Any] = [7, None, {}, [[good]], [[good, "soon"]], [["f" * 64, 0]], [[good, -1]], [], [[good, 1e300]]]
    for said in bodies:
        keep(game, [(good, 0.0)], frames=said)
    number = keep(game, [(good, 0.0)], camera={"name": "<b>"})
    game.act("exchange", count=1)
    for path in ("evidence.html", "moves/1/evidence.html"):
        page = game.get(path).text
        assert strips(page) == [str(number)] and shades(page) == [40]
        assert "Kamera:" not in page and "· ein Bild, aufgehoben von" in words(page)


def test_names_are_never_markup(game: Game) -> None:
    author = Author(ANNA.device, '<i>Eve</i>"><script>x()</script>')
    keep(
        game, [(put(game, 80)[0], 0.0)], author=author, camera='</summary><img src="https://evil.example/x">' + "x" * 99
    )
    page = game.get("evidence.html").text
    found = Tags(page)
    assert "<i>Eve</i>" in found.text and "</summary><img src=" in found.text and "x" * 60 not in found.text
    assert not [tag for tag, _ in found.tags if tag in ("i", "script")]
    assert len([tag for tag, _ in found.tags if tag == "img"]) == 1


def test_a_file_with_clips_needs_nothing_but_itself(game: Game) -> None:
    game.act("exchange", count=1)
    keep(game, [(digest, k / 3) for k, digest in enumerate(put(game, *range(10, 250, 12)))])
    for path in ("moves/1/evidence.html", "evidence.html"):
        answer = game.get(path)
        page = answer.text
        assert answer.headers["content-security-policy"] == REPORT_POLICY
        assert int(answer.headers["content-length"]) == len(answer.content)
        found = Tags(page)
        policy = next(attrs["content"] for _, attrs in found.tags if "http-equiv" in attrs)
        assert policy == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
        assert not [one for one in addresses(page) if not one.startswith(("data:image/jpeg;base64,", "#"))]
        assert not [tag for tag, _ in found.tags if tag in ("script", "link", "iframe", "form", "base", "video")]
        assert not [1 for _, attrs in found.tags for name in attrs if name.startswith("on") or name == "style"]
        ids = [attrs["id"] for _, attrs in found.tags if "id" in attrs]
        assert {one[1:] for one in addresses(page) if one.startswith("#")} <= set(ids) and len(ids) == len(set(ids))


# --- archives from elsewhere --------------------------------------------------------------------------------------


def row(frames: Frames, number: int = 1, **body: Any) -> Row:
    digests = tuple(dict.fromkeys(digest for digest, _ in frames))
    at = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
    return Row(number, at, ANNA, "clip", {"frames": [list(one) for one in frames], **body}, digests)


def name(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def test_of_many_frames_some_are_shown_evenly_chosen() -> None:
    strip = strip_of(row([(name(k), k * 0.1) for k in range(10_000)]))
    assert strip is not None and strip.thinned and not strip.doubled and strip.frames == 10_000
    numbers = [still.number for still in strip.stills]
    assert len(numbers) == MOST_STILLS and (numbers[0], numbers[-1]) == (1, 10_000)
    steps = np.diff(numbers)
    assert steps.min() >= 84 and steps.max() <= 85  # 9999 / 119
    assert sum(still.printed for still in strip.stills) == PRINTED_STILLS
    assert {number for _, number in strip.jumps} <= set(numbers)
    same = strip_of(row([(name(1), k * 0.1) for k in range(10_000)]))
    assert same is not None and len(same.stills) == 1 and same.stills[0].count == 10_000 and not same.thinned


def test_what_is_kept_here_is_shown_whole_and_twelve_are_printed() -> None:
    strip = strip_of(row([(name(k), round(k / 3, 2)) for k in range(90)]))
    assert strip is not None and not strip.thinned and len(strip.stills) == 90
    printed = [still.number for still in strip.stills if still.printed]
    assert printed == [1, 9, 17, 25, 33, 41, 50, 58, 66, 74, 82, 90]
    assert strip.jumps == ((0, 1), (5, 16), (10, 31), (15, 46), (20, 61), (25, 76))


def test_frames_in_any_order_and_with_any_beginning() -> None:
    strip = strip_of(row([(name(2), 7.5), (name(1), 5.0), (name(3), 9.0)]))
    assert strip is not None and [(s.digest, s.at) for s in strip.stills] == [
        (name(1), 0.0),
        (name(2), 2.5),
        (name(3), 4.0),
    ]
    assert strip.seconds == 4.0 and strip.jumps == ()
    short = strip_of(row([(name(k), k / 100) for k in range(30)]))
    assert short is not None and short.jumps == (), "there is nowhere to go but to the beginning"
    assert strip_of(row([(name(1), float("nan"))])) is None and strip_of(row([(name(1), float("inf"))])) is None


def test_evenly() -> None:
    assert evenly(range(3), 5) == [0, 1, 2] and evenly(range(5), 5) == [0, 1, 2, 3, 4]
    assert evenly(range(101), 5) == [0, 25, 50, 75, 100] and evenly([], 2) == []


def test_of_many_clips_twenty_are_shown_and_the_rest_is_told(game: Game) -> None:
    digest = put(game, 120)[0]
    for _ in range(MOST_CLIPS + 3):
        keep(game, [(digest, 0.0)])
    found, more = strips_of(game.site.tables.table(game.id).rows)
    assert [strip.number for strip in found] == list(range(1, MOST_CLIPS + 1)) and more == 3
    page = game.get("evidence.html").text
    assert len(strips(page)) == MOST_CLIPS and "3 weitere Aufnahmen sind nur in der gesicherten Partie" in page


# --- in a browser -------------------------------------------------------------------------------------------------


IN_THE_MIDDLE = """() => {
  const film = document.querySelector(".film"), box = film.getBoundingClientRect(), middle = box.left + box.width / 2;
  const number = [...film.children].findIndex((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left <= middle && middle <= right;
  });
  return number + 1;
}"""
"""Number of the picture in the middle of the strip."""

AT_REST = """() => new Promise((done) => {
  const film = document.querySelector(".film");
  let last = NaN, same = 0;
  const look = () => {
    same = film.scrollLeft === last ? same + 1 : 0;
    last = film.scrollLeft;
    same >= 12 ? done() : requestAnimationFrame(look);
  };
  look();
})"""
"""Waits till the strip does not move any more: a key pressed before would move it from where it is."""


def arrives(page: Any, number: int) -> None:
    """Waits till this picture is in the middle and stays there."""
    page.wait_for_function(f"number => ({IN_THE_MIDDLE})() === number", arg=number)
    page.evaluate(AT_REST)
    assert page.evaluate(IN_THE_MIDDLE) == number


@pytest.mark.parametrize("viewport", [{"width": 390, "height": 844}, {"width": 1280, "height": 800}])
def test_a_strip_is_stepped_through_by_keys_and_fits_the_screen(
    game: Game, tmp_path: Path, viewport: dict[str, int]
) -> None:
    pictures = [jpeg(5 + 2 * k, 1280, 720) for k in range(90)]
    digests = [game.site.store.put_photo(picture) for picture in pictures]
    keep(game, [(digest, round(k / 3, 2)) for k, digest in enumerate(digests)])
    file = tmp_path / "evidence.html"
    file.write_bytes(game.get("evidence.html").content)
    with chromium() as browser:
        page = browser.new_page(viewport=viewport)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(file.as_uri())
        film = page.locator(".film")
        assert film.is_hidden()
        page.locator(".clip-strip > details > summary").click()
        assert film.is_visible() and page.evaluate(IN_THE_MIDDLE) == 1
        film.focus()
        for key, number in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
            page.keyboard.press(key)
            arrives(page, number)
        page.get_by_role("link", name="15", exact=True).click()
        arrives(page, 46)
        page.keyboard.press("ArrowRight")
        arrives(page, 47)
        wide = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
        assert page.locator(".film img").nth(46).evaluate("one => one.decode().then(() => one.naturalWidth)") == 640
        assert said == []


def test_on_paper_twelve_of_them_are_printed_though_it_is_closed(game: Game, tmp_path: Path) -> None:
    keep(game, [(game.site.store.put_photo(jpeg(5 + 2 * k)), round(k / 3, 2)) for k in range(90)])
    file = tmp_path / "evidence.html"
    file.write_bytes(game.get("evidence.html").content)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 718, "height": 1000})
        page.goto(file.as_uri())
        if not page.evaluate("CSS.supports('selector(::details-content)')"):
            pytest.skip("this Chromium is too old to print what is closed")
        page.emulate_media(media="print")
        seen = page.locator(".film li").evaluate_all("all => all.map(one => one.getBoundingClientRect().height > 40)")
        assert [k for k, one in enumerate(seen, 1) if one] == [1, 9, 17, 25, 33, 41, 50, 58, 66, 74, 82, 90]
        loaded = page.locator(".film .printed img").evaluate_all("all => all.map(one => one.complete)")
        assert loaded == [True] * PRINTED_STILLS
        assert page.get_by_text("Gedruckt sind 12 der 90 Bilder").is_visible()
        assert page.locator(".jumps").is_hidden() and page.locator(".sums").is_hidden()
