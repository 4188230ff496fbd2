"""Playing hands-free in the system's Chromium: a rendered film is what the phone's camera sees.

Pictures of the steps: BRETTBLICK_SCREENSHOTS; those of the guide are made again by

    BRETTBLICK_GUIDE=docs/bilder python -m pytest tests/assistant/web/test_browser_live.py -k camera_of_a_phone
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant.web.guard import Guard
from bench.served import Phone, Server
from tests.assistant.web.browser import Screen, Trouble, chromium
from tests.assistant.web.watcher import Watcher

DESK = {"viewport": {"width": 1280, "height": 900}, "is_mobile": False, "has_touch": False}

RATE = 30
"""Frames a second of a film that Chromium shows as its camera (MJPEG has no rate of its own)."""

NAMED = """() => {
  const get = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await get(wanted);
    Object.defineProperty(stream.getVideoTracks()[0], "label", { value: "Kamera hinten" });
    return stream;
  };
}"""
"""The camera is called as on a phone, not after the file of the film."""

SAYS = """() => {
  window.spoken = [];
  window.beeps = 0;
  speechSynthesis.speak = (words) => window.spoken.push(`${words.lang} ${words.text}`);
}"""
"""Notes what is spoken: a machine without loudspeakers has no voices."""

NOTES = """() => {
  window.noted = [];
  const note = () => {
    const by = document.querySelector("#proposal .by")?.innerText;
    if (by && document.body.innerText.includes("Anna: H6 HÜTTE, 22 Punkte – zählt in")) window.noted.push(by);
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Notes who proposed the move while it is said when it counts: that is two seconds, which a slow machine may miss."""

TIMES = """() => {
  const time = document.querySelector("[data-clip-time]");
  window.times = [];
  new MutationObserver(() => window.times.push(parseFloat(time.innerText))).observe(time, { childList: true });
}"""
"""Notes which moments of a clip are shown."""


def film(photos: list[Path], path: Path) -> Path:
    """A board on which a word is laid: empty, a sleeve over it, and the word."""
    empty, laid = (cv2.imread(str(photo)) for photo in photos)

    def frame(photo: np.ndarray) -> np.ndarray:
        width = round(photo.shape[1] * 720 / photo.shape[0])
        small = cv2.resize(photo, (width, 720), interpolation=cv2.INTER_AREA)
        side = (1280 - width) // 2
        return cv2.copyMakeBorder(small, 0, 0, side, 1280 - width - side, cv2.BORDER_REPLICATE)

    one, two = frame(empty), frame(laid)
    sleeves = []
    for step in range(12):
        part = one.copy() if step < 6 else two.copy()
        top = 720 - 60 * min(step + 1, 12 - step)
        cv2.rectangle(part, (600, top), (760, 720), (60, 70, 120), -1)
        sleeves.append((part, 3))
    with path.open("wb") as out:
        for picture, count in [(one, 4 * RATE), *sleeves, (two, 40 * RATE)]:
            data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()
            for _ in range(count):
                out.write(data)
    return path


@pytest.fixture(scope="module")
def browser(demo_photos: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path = film(demo_photos[:2], tmp_path_factory.mktemp("film") / "camera.mjpeg")
    camera = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={path}")
    with chromium(*camera) as one:
        yield one


def hands(screen: Screen) -> None:
    """Opens the sheet about playing hands-free."""
    screen.tap("Mehr", "#bar")
    screen.tap("Freihändig spielen", "#dialog")


def test_the_camera_of_a_phone(
    browser: Any, server: Server, shots: Path, trouble: Trouble, demo_photos: list[Path]
) -> None:
    """It watches; the move is proposed and booked, and another phone shows and says it; the last seconds are kept."""
    with Phone(server.base) as phone:
        game = phone.new_game()
    path = f"/games/{game}"
    link = f"/zuschauen/{Guard(server.folder, lan=True).spectator_token(game)}"
    with (
        Screen(browser, shots, "camera", trouble, viewport={"width": 360, "height": 780}) as own,
        Screen(browser, shots, "beside", trouble, viewport={"width": 360, "height": 780}, color_scheme="dark") as other,
        Screen(browser, shots, "looking-on", trouble) as watching,
    ):
        own.context.grant_permissions(["camera"], origin=server.base)
        watching.open(server.base + link)
        other.open(server.base + path).page.evaluate(SAYS)
        other.page.evaluate(NOTES)
        assert other.page.locator("#camera").is_hidden()
        hands(other)
        other.page.get_by_label("Ansagen").check()
        other.tap("Schließen")
        own.open(server.base + path).page.evaluate(NAMED)
        hands(own)
        own.shot("hands", guide="freihaendig", of="#dialog")
        own.tap("Kamera dieses Geräts benutzen", "#dialog")

        # both phones show what it sees
        other.page.locator("#camera").wait_for()
        other.page.locator("[data-camera-picture] summary").tap()
        other.page.locator("[data-camera-image]").wait_for()
        assert other.text("[data-camera-name]") == "Kamera hinten"
        other.page.locator(".camera-view polygon[points*=',']").wait_for(state="attached")
        other.page.locator(".camera-advice meter").first.wait_for()
        own.page.locator("[data-camera-video]").wait_for()
        assert own.page.locator("[data-camera-image]").is_hidden(), "the phone itself needs not get its picture back"
        other.shot("seen")
        own.shot("seen", guide="kamera")
        assert watching.sees("Kamera sieht zu") and watching.page.locator("img, video").count() == 0

        # the move
        other.page.wait_for_function("() => window.noted.length")
        other.shot("proposed")
        assert set(other.page.evaluate("window.noted")) == {"Vorgeschlagen von: Kamera"}
        for one in (own, other, watching):
            one.page.wait_for_function("() => document.querySelector('.points').innerText === '22'")
            assert one.points == [22, 0] and one.tile(7, 5) == "H"
        assert other.page.evaluate("window.spoken")[-1] == "de-DE Anna: Hütte, 22 Punkte"
        assert other.page.evaluate("window.spoken").count("de-DE Anna: Hütte, 22 Punkte") == 1

        # the last seconds are kept, and can be looked at
        other.tap("Streit! 30 s aufheben")
        other.sees("Sekunden sind aufgehoben.")
        other.shot("kept")
        other.page.get_by_role("link", name="Ansehen").tap()
        other.page.wait_for_url("**/clips/*")
        frames = other.page.locator("[data-frames]").evaluate("one => JSON.parse(one.dataset.frames).length")
        assert frames >= 3
        last = other.page.get_by_label("Bild der Aufnahme")
        last.fill(str(frames - 1))
        other.page.wait_for_function("n => document.querySelector('.clip img').src.endsWith(n)", arg=_last(other))
        other.page.wait_for_function("() => document.querySelector('.clip img').naturalWidth === 1280")
        other.page.evaluate(TIMES)
        other.tap("▶ Abspielen")
        other.page.wait_for_function("() => window.times.length > 1")
        times = other.page.evaluate("window.times")
        assert times == sorted(times) and times[0] == 0, "from the beginning"
        other.shot("clip", guide="aufnahme")
        other.tap("❚❚ Anhalten")
        other.page.go_back()
        other.ready()
        assert other.page.locator(".clips a").count() == 1

        # it ends when its page is left
        own.page.goto(server.base + "/")
        other.sees("Die Kamera ist angehalten.")


def _last(screen: Screen) -> str:
    address: str = screen.page.locator("[data-frames]").evaluate("one => JSON.parse(one.dataset.frames).at(-1)[0]")
    return address


def test_the_clock_is_pressed_by_keys(browser: Any, server: Server, shots: Path, trouble: Trouble) -> None:
    """By the space bar, by a key that was learnt, by a gamepad; not while somebody types or a dialog is open."""
    with Phone(server.base) as phone, Screen(browser, shots, "keys", trouble, **DESK) as screen:
        game = phone.new_game()
        phone.done(game, "clock", do="start")
        page = screen.open(f"{server.base}/games/{game}").page

        def runs(player: int) -> None:
            page.locator(f".player:nth-child({player + 1}) .clock.running").wait_for()
            assert phone.view(game)["clock"]["running"] == player

        runs(0)
        page.keyboard.press("Space")
        runs(1)
        page.wait_for_timeout(700)  # a press that bounces is one
        screen.button("Tippen", "#bar").click()
        page.get_by_role("textbox", name="Wort").focus()
        page.keyboard.type("A B")
        page.keyboard.press("Escape")
        runs(1)
        hands_at_a_desk(screen)
        screen.button("Taste lernen", "#dialog").click()
        page.keyboard.press("b")
        screen.sees("Gelernt: b")
        page.get_by_label("Leertaste").uncheck()
        screen.shot("learnt")
        page.keyboard.press("b")
        screen.button("Schließen").click()
        runs(1)
        page.keyboard.press("b")  # the focus is on what opened the sheet: that is no field
        runs(0)
        page.evaluate("document.activeElement.blur()")
        page.wait_for_timeout(700)
        page.keyboard.press("Space")
        page.wait_for_timeout(300)
        runs(0)
        page.reload()  # this device remembers
        screen.ready()
        page.keyboard.press("b")
        runs(1)
        page.evaluate("""() => {
          window.pad = { index: 0, buttons: [{ pressed: false }, { pressed: false }] };
          navigator.getGamepads = () => [window.pad, null];
          window.dispatchEvent(new Event("gamepadconnected"));
          setTimeout(() => (window.pad.buttons[1] = { pressed: true }), 700);
        }""")
        runs(0)


def hands_at_a_desk(screen: Screen) -> None:
    screen.button("Mehr", "#bar").click()
    screen.button("Freihändig spielen", "#dialog").click()


FAILS = """name => {
  navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", name); };
}"""

HEARS = """() => {
  const create = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.beeps += 1;
    return create.call(this);
  };
}"""
"""Counts the tones."""


def test_what_is_asked_is_heard(
    browser: Any, server: Server, shots: Path, trouble: Trouble, demo_photos: list[Path]
) -> None:
    """Spoken and with a tone while a camera watches. A move is made without a clock by a button."""
    with Phone(server.base) as phone, Screen(browser, shots, "asked", trouble) as screen:
        game = phone.new_game(clock_minutes=0)
        for move in ("H6 HÜTTE", "10F FREUNDIN", "M7 SONNE"):
            phone.done(game, "type", move=move)
            phone.done(game, "confirm")
        page = screen.open(f"{server.base}/games/{game}").page
        page.evaluate(SAYS)
        page.evaluate(HEARS)
        hands(screen)
        page.get_by_label("Ansagen").check()
        screen.tap("Schließen")
        watcher = Watcher(phone, game)
        picture = demo_photos[3].read_bytes()
        assert not watcher.frame(picture)["press"]
        with page.expect_response("**/live/press"):
            screen.tap("Fertig, jetzt lesen")
        assert watcher.frame(picture)["press"]
        phone.photo(game, demo_photos[4].read_bytes())
        screen.sees("Welcher Buchstabe ist das Blanko auf K11?")
        page.wait_for_function("() => window.beeps > 0")
        assert page.evaluate("window.spoken")[-1] == "de-DE Welcher Buchstabe ist das Blanko auf K11?"
        assert page.evaluate("window.beeps") == 2
        phone.done(game, "answer", squares=[[10, 10, "e"]])
        screen.sees("Ben: K8 BADeN")
        page.wait_for_function("() => window.spoken.at(-1).includes('Baden')")
        assert page.evaluate("window.spoken")[-1] == "de-DE Ben: Baden, 12 Punkte"


def test_who_laid_out_of_turn_is_asked_about_on_the_page(
    browser: Any, server: Server, shots: Path, trouble: Trouble, demo_photos: list[Path]
) -> None:
    """The demo game without its pass being told: Anna reaches from below, Ben from above, and he lays twice."""
    with Phone(server.base) as phone, Screen(browser, shots, "whose-turn", trouble) as screen:
        game = phone.new_game(clock_minutes=0)
        screen.open(f"{server.base}/games/{game}")
        watcher = Watcher(phone, game)
        watcher.look(demo_photos[0].read_bytes())
        for number, reach in ((1, 90.0), (2, -90.0), (3, 92.0), (4, -88.0), (5, 85.0), (6, None), (7, -95.0)):
            picture = demo_photos[number].read_bytes()
            watcher.frame(picture, step=30.0)
            assert watcher.look(picture, reach=reach)["outcome"]["kind"] == "proposed"
            watcher.frame(picture, step=5.0)
        after = demo_photos[9].read_bytes()
        answer = watcher.look(after, reach=-90.0)
        assert (answer["outcome"]["kind"], answer["outcome"]["why"]) == ("asked", "whose-turn")
        screen.sees("Die Hand kam von der Seite des anderen Spielers")
        screen.shot("asked")
        screen.tap("Anna hat gepasst oder getauscht")
        screen.shot("passed")
        watcher.frame(after, step=1.0)
        watcher.frame(after, step=5.0)
        screen.sees("Ben: F2 PREIS")
        assert phone.view(game)["events"] == 9  # six moves, one taken back, the pass, and Ben's move


def test_a_second_camera_is_told_that_there_is_one(browser: Any, server: Server, shots: Path, demo_photos: Any) -> None:
    with Phone(server.base) as phone, Screen(browser, shots, "second") as screen:
        game = phone.new_game()
        watcher = Watcher(phone, game)
        screen.context.grant_permissions(["camera"], origin=server.base)
        screen.open(f"{server.base}/games/{game}")
        picture = demo_photos[0].read_bytes()
        watcher.frame(picture)
        hands(screen)
        watcher.frame(picture)  # a camera that says nothing for ten seconds makes room
        screen.tap("Kamera dieses Geräts benutzen", "#dialog")
        screen.sees("Diese Partie wird schon von einer Kamera beobachtet: Webcam 0.")
        screen.page.locator("[data-camera-video]").wait_for(state="hidden")
        assert screen.text("[data-camera-name]") == "Webcam 0"
        watcher.frame(picture)


REFUSALS = {
    "NotAllowedError": "Der Browser darf die Kamera nicht benutzen.",
    "NotReadableError": "Die Kamera wird gerade von einem anderen Programm benutzt.",
    "NotFoundError": "Dieses Gerät hat keine Kamera",
    "TypeError": "Die Kamera geht nicht auf.",
}
"""What browsers throw (Media Capture and Streams, 10.2), and what stands on the page then."""


def test_a_camera_that_does_not_open_and_one_that_goes(
    browser: Any, server: Server, shots: Path, trouble: Trouble
) -> None:
    with Phone(server.base) as phone, Screen(browser, shots, "refused", trouble) as screen:
        game = phone.new_game()
        screen.context.grant_permissions(["camera"], origin=server.base)
        page = screen.open(f"{server.base}/games/{game}").page
        page.evaluate("() => { window.get = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices); }")
        hands(screen)
        for name, text in REFUSALS.items():
            page.evaluate(FAILS, name)
            screen.tap("Kamera dieses Geräts benutzen", "#dialog")
            screen.sees(text)
        screen.shot("refused")
        # one that is pulled out
        page.evaluate("""() => {
          navigator.mediaDevices.getUserMedia = async (wanted) => (window.stream = await window.get(wanted));
        }""")
        screen.tap("Kamera dieses Geräts benutzen", "#dialog")
        page.locator("#camera").wait_for()
        page.wait_for_function("() => document.querySelector('[data-camera-state]').textContent")
        page.evaluate("window.stream.getVideoTracks()[0].dispatchEvent(new Event('ended'))")
        screen.sees("Die Kamera ist weg: abgezogen")
        screen.sees("Die Kamera ist angehalten.")
        assert page.evaluate("window.stream.getVideoTracks()[0].readyState") == "ended"
        assert phone.view(game)["version"] == 0


def test_a_picture_that_comes_after_the_end_does_not_bring_the_camera_back(
    browser: Any, server: Server, shots: Path, trouble: Trouble
) -> None:
    with Phone(server.base) as phone, Screen(browser, shots, "late", trouble) as screen:
        game = phone.new_game()
        screen.context.grant_permissions(["camera"], origin=server.base)
        page = screen.open(f"{server.base}/games/{game}").page
        hands(screen)
        screen.tap("Kamera dieses Geräts benutzen", "#dialog")
        page.locator("#camera").wait_for()
        page.wait_for_function("() => document.querySelector('[data-camera-state]').textContent")
        held: list[Any] = []
        page.route("**/live/frame", lambda route: held.append(route))
        while not held:
            page.wait_for_timeout(20)
        with page.expect_response("**/live/state"):
            hands(screen)
            screen.tap("Kamera anhalten", "#dialog")
        with page.expect_response("**/live/state"):
            held[0].continue_()
        screen.sees("Die Kamera ist angehalten.")
        page.wait_for_timeout(1000)
        assert screen.text("[data-camera-state]") == "Die Kamera ist angehalten."
        assert len(held) == 1


def test_without_https_it_says_what_to_do(browser: Any, server: Server, shots: Path) -> None:
    from assistant.web.network import addresses

    found = addresses()
    if not found:
        pytest.skip("this machine has no network to be reached by")
    with Phone(server.base) as phone, Screen(browser, shots, "plain") as screen:
        game = phone.new_game()
        base = server.base.replace("127.0.0.1", found[0])
        screen.page.goto(f"{base}/join?code={Guard(server.folder, lan=True).code}")
        screen.page.goto(f"{base}/games/{game}")
        screen.ready()
        hands(screen)
        assert screen.button("Kamera dieses Geräts benutzen", "#dialog").is_disabled()
        assert "--https" in screen.text("[data-camera-cannot]")
        screen.shot("plain")
