"""A whole game on phones: the system's Chromium, the real server, photos of the demo's game.

Each step is kept as a picture in the folder that BRETTBLICK_SCREENSHOTS names, else in pytest's own. The pictures of the
guide (``docs/bilder``) are made again by

    BRETTBLICK_GUIDE=docs/bilder python -m pytest tests/assistant/web/test_browser_game.py -k guide
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from assistant.web.guard import Guard
from bench.served import Server
from scorer.events import (
    Challenged,
    ChallengedWord,
    Event,
    Exchanged,
    Passed,
    Placed,
    RacksShown,
    Redone,
    Stopped,
    Undone,
)
from scorer.game import Game, GameState, Refusal, offer, replay
from scorer.notation import MoveText, Notation
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from tests.assistant.web.browser import WATCH, Screen, Trouble, all_see, chromium

ANNA, BEN = 0, 1
NAMES = ("Anna", "Ben")
RACKS = ("AEEIIRS", "DLMNNTT")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("table") / "data", "--lan") as one:
        yield one


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the pictures of the steps are kept."""
    named = os.environ.get("BRETTBLICK_SCREENSHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def trouble() -> Iterator[Trouble]:
    """Nothing may go wrong in the browsers of a test."""
    one = Trouble()
    yield one
    assert one.found == []


class Score:
    """The same game counted by the rules core alone."""

    def __init__(self) -> None:
        rules = RULE_SETS["turnier"].with_settings(clock_seconds=25 * 60)
        self.state: GameState = replay(Game(NAMES, rules, GERMAN_102))

    def book(self, event: Event) -> None:
        """An event that the rules take."""
        found = offer(self.state, event)
        assert not isinstance(found, Refusal), found
        self.state = found

    def lay(self, move: str, announced: int | None = None) -> int:
        """Points of a move of the player whose turn it is."""
        resolved = MoveText.parse(move, Notation.GERMAN).resolve(self.state.board)
        assert not resolved.faults
        self.book(Placed(self.state.next_player, resolved.placement, announced))
        computed = self.state.log[-1].computed
        assert computed is not None
        return computed

    def challenge(self, challenger: int, word: str, valid: bool) -> None:
        ref = self.state.open_move
        assert ref is not None
        self.book(Challenged(ref, (challenger,), (ChallengedWord(word, valid, "Ben", "Duden"),), 1.0))


def new_game(screen: Screen, *, minutes: str = "25") -> str:
    """A game of Anna and Ben by tournament rules, by the form; its path."""
    page = screen.page
    page.get_by_role("textbox", name="Spieler 1").fill(NAMES[ANNA])
    page.get_by_role("textbox", name="Spieler 2").fill(NAMES[BEN])
    page.locator("#new-game").get_by_text("Turnier", exact=True).tap()
    assert page.get_by_label("Minuten je Spieler").input_value() == "30"  # as these rules have it
    page.get_by_label("Minuten je Spieler").fill(minutes)
    screen.shot("new-game")
    screen.tap("Spiel beginnen")
    page.wait_for_url("**/games/*")
    page.evaluate(WATCH)
    return "/games/" + page.url.rpartition("/")[2]


def joined(screen: Screen, server: Server, host: Screen) -> Screen:
    """A phone that scanned the code on the host's screen; where this machine has no network, under 127.0.0.1."""
    addresses = host.page.locator("#share-title ~ .card .addresses code").all_inner_texts()
    code = Guard(server.folder, lan=True).code
    address = addresses[0] if addresses else f"{server.base}/join?code={code}"
    assert address.endswith(f"/join?code={code}")
    screen.page.goto(address)
    screen.sees("Neues Spiel")
    return screen


@dataclass
class Party:
    """Two phones, somebody who watches, the big digits on a second screen, and the score by the rules core alone.

    slowest: milliseconds until a change was on all the other screens, at most
    """

    anna: Screen
    ben: Screen
    others: tuple[Screen, ...]
    score: Score = field(default_factory=Score)
    slowest: float = 0.0

    def changed(self, by: Screen, change: tuple[int, float]) -> None:
        """All have seen it within a second and show these totals."""
        everybody = (self.anna, self.ben, *self.others)
        self.slowest = max(self.slowest, all_see([one for one in everybody if one is not by], change))
        for one in everybody:
            assert one.points == list(self.score.state.totals), one.name

    def photo(self, by: Screen, photo: Path, label: str = "Zug fertig – Foto") -> None:
        self.changed(by, by.shoots(label, photo))

    def taps(self, by: Screen, name: str, within: str = "body") -> None:
        """A button that changes the game."""
        self.changed(by, by.acts(by.button(name, within)))

    def confirms(self, by: Screen, move: str, announced: int | None = None) -> None:
        """What is proposed is this move and counts what the rules core says."""
        points = self.score.lay(move, announced)
        assert move in by.text("#proposal-title") and by.page.locator("#proposal .legal").count() == 1
        self.taps(by, f"Stimmt · {points} Punkte")
        assert by.page.locator("#proposal").is_hidden()


def test_game(browser: Any, server: Server, shots: Path, trouble: Trouble, demo_photos: list[Path]) -> None:
    """Ten photos, everything that happens at a table in between; after each step the totals of all screens are those
    of the rules core."""
    host = Screen(browser, shots, "host", trouble, viewport={"width": 1280, "height": 800}, is_mobile=False)
    host.open(f"{server.base}/")
    host.shot("start")
    anna = joined(Screen(browser, shots, "anna", trouble), server, host)
    path = new_game(anna)
    ben = joined(Screen(browser, shots, "ben", trouble), server, host)
    ben.tap_link("Anna 0 Ben 0")
    ben.page.wait_for_url(f"**{path}")
    ben.page.evaluate(WATCH)
    watching = Screen(browser, shots, "watching", trouble)
    watching.open(f"{server.base}/zuschauen/{Guard(server.folder, lan=True).spectator_token(path.split('/')[-1])}")
    host.open(f"{server.base}{path}/scoreboard")
    party = Party(anna, ben, (watching, host))
    score = party.score

    anna.shot("begun")
    party.taps(anna, "Uhr starten")
    assert anna.page.locator(".player.turn .clock.running").is_visible()

    # 1. Anna: a plain move. The photo presses the clock.
    party.photo(anna, demo_photos[1])
    assert "H6 HÜTTE" in anna.text("#proposal-title") and anna.text(".score").startswith("22")
    assert anna.page.locator("#proposal .outline.new").count() == 5
    assert ben.page.locator(".player.turn .clock.running").count() == 0
    assert ben.page.locator(".player .clock.running").count() == 1
    assert not watching.page.locator("#proposal").count() and anna.points == [0, 0]
    anna.shot("proposal")
    ben.shot("proposal-of-anna")
    party.confirms(anna, "H6 HÜTTE")
    anna.shot("confirmed")

    # 2. Ben: all seven tiles, and an announced score that is one too low: by these rules it counts all the same
    party.photo(ben, demo_photos[2])
    ben.page.get_by_label("Angesagt").fill("70")
    said = ben.text("#announced-what")
    assert said.startswith("Angesagt 70, gerechnet 71: 1 zu wenig."), said
    ben.page.get_by_label("Angesagt").scroll_into_view_if_needed()
    ben.shot("announced")
    party.confirms(ben, "10F FREUNDIN", announced=70)
    print(score.state.totals, said)
    watching.shot("after-two")
    host.shot("after-two")

    # 3. Anna: a letter is corrected, which was a slip, and corrected back
    party.photo(anna, demo_photos[3])
    before = anna.text("#proposal-title")
    assert "M7 SONNE" in before
    anna.page.locator("#proposal .outline.new").first.tap()
    anna.shot("square")
    party.taps(anna, "M", "#dialog .keys")
    assert anna.text("#proposal-title") != before
    anna.shot("corrected")
    anna.button("M7: M", "#proposal .read-tiles").tap()
    party.taps(anna, "S", "#dialog .keys")
    assert anna.text("#proposal-title") == before
    party.confirms(anna, "M7 SONNE")

    # ... which Ben doubts: what follows is shown before he does, and before it is booked
    ben.tap("Anzweifeln", "#bar")
    ben.shot("challenge")
    print(ben.text("#dialog"))
    ben.page.locator("#dialog").get_by_text("SONNE", exact=True).tap()
    party.taps(ben, "Anzweifeln und nachschlagen", "#dialog")
    anna.shot("challenged")
    print(anna.text("#challenge"))
    assert anna.button("Erst über das Wort entscheiden", "#bar").is_disabled()
    anna.page.get_by_label("Nachgeschlagen in").fill("Duden")
    party.taps(anna, "erlaubt", "#challenge")
    anna.shot("verdict-allowed")
    print(anna.text("#challenge"))
    score.challenge(BEN, "SONNE", True)
    party.taps(ben, "Anzweiflung verbuchen")
    ben.shot("rejected")

    # 4. Ben: a blank. Which letter it is, no camera sees
    party.photo(ben, demo_photos[4])
    assert ben.button("Erst die Frage beantworten", "#bar").is_disabled()
    ben.shot("question")
    print(ben.text("#proposal"))
    party.taps(ben, "E", "#proposal .question")
    ben.shot("blank")
    party.confirms(ben, "K8 BADeN")

    # 5. Anna: no word. Ben's challenge is upheld, and the next photo shows that the tiles are gone
    party.photo(anna, demo_photos[5])
    party.confirms(anna, "F10 FOGEL")
    ben.tap("Anzweifeln", "#bar")
    ben.page.locator("#dialog").get_by_text("FOGEL", exact=True).tap()
    party.taps(ben, "Anzweifeln und nachschlagen", "#dialog")
    ben.page.get_by_label("Wer hat entschieden?").fill("Ben")
    ben.page.get_by_label("Nachgeschlagen in").fill("Duden")
    party.taps(ben, "nicht erlaubt", "#challenge")
    anna.shot("verdict-forbidden")
    print(anna.text("#challenge"))
    score.challenge(BEN, "FOGEL", False)
    party.taps(anna, "Anzweiflung verbuchen")
    anna.shot("take-back")
    print(anna.text("#now"))
    party.photo(anna, demo_photos[6])
    anna.shot("gone")
    print(anna.text("#now"), anna.text("#proposal"))
    party.taps(anna, "Nur ein Foto, kein Zug")

    # 6. Ben
    party.photo(ben, demo_photos[7])
    party.confirms(ben, "6F SCHAF")

    # Anna exchanges, Ben passes, takes it back and passes again
    anna.tap("Tauschen", "#bar")
    anna.button("Einer mehr", "#dialog").tap()
    anna.button("Einer mehr", "#dialog").tap()
    anna.shot("exchange")
    score.book(Exchanged(ANNA, 3))
    party.taps(anna, "Getauscht", "#dialog")
    ben.tap("Passen", "#bar")
    ben.shot("pass")
    score.book(Passed(BEN))
    party.taps(ben, "Ja, gepasst", "#dialog")
    ben.page.get_by_role("button", name=re.compile("^Rückgängig")).tap()
    ben.shot("undo")
    score.book(Undone())
    party.taps(ben, "Ja, zurücknehmen", "#dialog")
    assert "Ben" in anna.text(".next-line")
    ben.page.get_by_role("button", name=re.compile("^Wiederherstellen")).tap()
    score.book(Redone())
    party.taps(ben, "Ja, wiederherstellen", "#dialog")

    # 7. to 9.: the last one is taken back and put back
    party.photo(anna, demo_photos[9])
    party.confirms(anna, "F2 PREIS")
    party.photo(ben, demo_photos[10])
    party.confirms(ben, "2C KÖRPER")
    party.photo(anna, demo_photos[11])
    party.confirms(anna, "12H ZWANG")
    anna.page.get_by_role("button", name=re.compile("^Rückgängig")).tap()
    score.book(Undone())
    party.taps(anna, "Ja, zurücknehmen", "#dialog")
    anna.page.get_by_role("button", name=re.compile("^Wiederherstellen")).tap()
    score.book(Redone())
    party.taps(anna, "Ja, wiederherstellen", "#dialog")
    anna.shot("undo-and-redo")
    host.shot("late")
    watching.shot("late")

    # the end
    anna.tap("Mehr", "#bar")
    anna.shot("more")
    anna.tap("Partie beenden", "#dialog")
    anna.shot("stop")
    score.book(Stopped())
    party.taps(anna, "Ja, beenden", "#dialog")
    anna.shot("over")
    for player, rack in zip(NAMES, RACKS, strict=True):
        anna.page.get_by_role("textbox", name=player, exact=True).fill(rack)
    anna.shot("racks")
    score.book(RacksShown(RACKS))
    party.taps(anna, "Abrechnen", "#bar")
    anna.shot("settled")
    ben.shot("settled")
    host.shot("settled")
    watching.shot("settled")
    print(anna.text("#end"))
    print(party.slowest)
