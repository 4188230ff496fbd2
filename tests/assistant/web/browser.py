"""Browsers at the table: the system's Chromium as phones of 390 by 844 pixels, and what goes wrong in them."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
    "locale": "de-DE",
}

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

JPEG_QUALITY = 55
"""Of the pictures of the guide."""

Change = tuple[int, float]
"""A version, and when the answer that made it was there: milliseconds since 1970."""

SECOND = 1000
"""Milliseconds within which another phone shows a change."""

WATCH = """() => {
  window.seen = [];
  const note = () => {
    const last = window.seen.at(-1)?.version ?? -1;
    const version = Number(document.body.dataset.version);
    if (version > last) window.seen.push({ version, at: Date.now(), text: document.querySelector("main").innerText });
  };
  new MutationObserver(note).observe(document.body, { attributes: true, attributeFilter: ["data-version"] });
  note();
}"""
"""Writes down when this page has shown each version, and what stood on it then."""


NAME = "one => (one.labels?.[0] ?? one).innerText.trim().split('\\n')[0].trim()"
"""What a control is called on the screen."""

PICTURES = """() => Promise.all(
  [...document.querySelectorAll("main image, main img, dialog img")].map((one) => {
    const picture = new Image();
    picture.src = one.getAttribute("href") ?? one.src;
    return picture.decode().catch(() => null);
  }),
)"""
"""Waits till all pictures are there."""


@contextmanager
def chromium(*words: str) -> Iterator[Browser]:
    """The system's Chromium without a window, with further words of its command; skips where there is none, or no
    Playwright to drive it."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    as_root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=[*as_root, "--disable-dev-shm-usage", *words])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Trouble:
    """What must not happen in a browser: messages on its console (violations of the page's policy among them), errors
    of scripts, requests that fail or are refused."""

    found: list[str] = field(default_factory=list)

    def listen(self, context: BrowserContext) -> None:
        context.on("console", lambda said: said.type in ("error", "warning") and self.found.append(said.text))
        context.on("weberror", lambda error: self.found.append(str(error.error)))
        context.on("response", lambda got: got.status >= 400 and self.found.append(f"{got.status} {got.url}"))
        # what the page itself breaks off, because it is left or shows something else, has not failed
        context.on("requestfailed", lambda one: "ERR_ABORTED" in (one.failure or "") or self._failed(one))

    def _failed(self, request: Any) -> None:
        self.found.append(f"{request.failure} {request.url}")


class Screen:
    """A page in a browser of its own, and what people do on it.

    name: begins the names of its pictures; folder: for them; trouble: where what goes wrong is written down
    """

    def __init__(
        self, browser: Browser, folder: Path, name: str, trouble: Trouble | None = None, **options: Any
    ) -> None:
        self.context = browser.new_context(**{**PHONE, **options})
        self.context.set_default_timeout(15_000)
        if trouble is not None:
            trouble.listen(self.context)
        self.page: Page = self.context.new_page()
        self.folder, self.name, self.shots = folder, name, 0
        self.scale: Any = "device" if {**PHONE, **options}["is_mobile"] else "css"

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def open(self, address: str) -> Screen:
        answer = self.page.goto(address)
        assert answer is not None and answer.status == 200, (address, answer)
        return self.ready()

    def ready(self) -> Screen:
        """Waits till the page's scripts run, and writes down from now on when it shows which version."""
        self.page.locator("body[data-ready]").wait_for()
        self.page.evaluate(WATCH)
        return self

    # --- what is seen

    def shot(self, name: str, guide: str = "", of: str = "") -> None:
        """Keeps a picture of what is on the screen. Nothing is wider than the screen.

        guide: name of a picture of the guide that shows the same; of: what it is cut to
        """
        self.page.evaluate(PICTURES)
        self.page.wait_for_timeout(200)
        self.shots += 1
        self.page.screenshot(path=self.folder / f"{self.name}-{self.shots:02d}-{name}.png")
        if guide and (folder := os.environ.get("BRETTBLICK_GUIDE")):
            box = self.page.locator(of).bounding_box() if of else None
            path = Path(folder) / f"{guide}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            clip = {"clip": box} if box else {}
            self.page.screenshot(path=path, type="jpeg", quality=JPEG_QUALITY, scale=self.scale, **clip)
        wide = self.page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], f"{name}: the page is {wide[0]} pixels wide on a screen of {wide[1]}"

    def text(self, selector: str) -> str:
        """What stands there, white space as single spaces."""
        return " ".join(self.page.locator(selector).inner_text().split())

    @property
    def points(self) -> list[int]:
        """The totals on top of the page, or the big digits."""
        found = self.page.locator(".players .points, .big .digits").all_inner_texts()
        return [int(text.replace("−", "-")) for text in found]

    def tile(self, row: int, col: int) -> str:
        """The letter that lies on a square of the board, "" for none."""
        cell = self.page.locator(f"td[data-at='{row}-{col}']")
        return cell.inner_text()[0] if "laid" in (cell.get_attribute("class") or "") else ""

    def sees(self, text: str | re.Pattern[str]) -> Locator:
        """Waits till it stands on the page."""
        found = self.page.get_by_text(text).filter(visible=True).first
        found.wait_for()
        return found

    def seen_after(self, version: int, answered: float) -> float:
        """Milliseconds from an answer (milliseconds since 1970) till this page showed its version."""
        self.page.wait_for_function("version => window.seen.at(-1).version >= version", arg=version)
        found = self.page.evaluate("version => window.seen.find(one => one.version >= version).at", version)
        return float(found - answered)

    # --- what is done

    def button(self, name: str, within: str = "body") -> Locator:
        return self.page.locator(within).get_by_role("button", name=name, exact=True).filter(visible=True).first

    def tap(self, name: str, within: str = "body") -> None:
        self.button(name, within).tap()

    def tabs_to(self, name: str) -> None:
        """Presses the tabulator till the control of this name has the focus, and shows that it has."""
        for _ in range(80):
            self.page.keyboard.press("Tab")
            focus = self.page.locator(":focus")
            if focus.count() and name in (focus.get_attribute("aria-label"), focus.evaluate(NAME)):
                assert focus.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
                return
        raise AssertionError(f"the tabulator does not lead to {name}")

    def acts(self, tapped: Locator) -> Change:
        """Taps what changes the game: the version it made, and when the answer was there."""
        with self.page.expect_response(lambda got: got.request.method == "POST") as found:
            tapped.tap()
        return self._answered(found.value)

    def shoots(self, label: str, photo: Path) -> Change:
        """Taps a label of the file input and takes the photo that the camera would give."""
        with self.page.expect_response(lambda got: got.url.endswith("/photo")) as found:
            with self.page.expect_file_chooser() as chooser:
                self.page.locator("#bar label").filter(has_text=re.compile(f"^{label}$")).tap()
            chooser.value.set_files(photo)
        answered = self._answered(found.value)
        self.page.locator("#upload").wait_for(state="hidden")
        return answered

    def _answered(self, response: Any) -> Change:
        assert response.status in (200, 201), (response.status, response.text())
        version = response.json()["version"]
        response.finished()
        timing = response.request.timing
        self.page.wait_for_function("version => Number(document.body.dataset.version) >= version", arg=version)
        return version, timing["startTime"] + timing["responseEnd"]


def all_see(screens: Sequence[Screen], change: Change) -> float:
    """The slowest of these pages shows the change in time; milliseconds it took."""
    slowest = max(screen.seen_after(*change) for screen in screens)
    assert slowest < SECOND, f"version {change[0]} came after {slowest:.0f} ms"
    return slowest
