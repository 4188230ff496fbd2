"""A whole game on phones, and what else only a browser shows: the system's Chromium, the real server, rendered photos.

Each step is kept as a picture in the folder that BRETTBLICK_SCREENSHOTS names, else in pytest's own. The pictures of
the guide are made again by

    BRETTBLICK_GUIDE=docs/bilder python -m pytest tests/assistant/web/test_browser_game.py -k whole_game
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from assistant.web.guard import Guard
from assistant.web.network import addresses
from bench.served import Phone, Server
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
from tests.assistant.web.browser import Change, Screen, Trouble, all_see, chromium

ANNA, BEN = 0, 1
DESK = {"viewport": {"width": 1280, "height": 900}, "is_mobile": False, "has_touch": False}
NAMES = ("Anna", "Ben")
RACKS = ("AEEIIRS", "DLMNNTT")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as one:
        yield one


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
    screen.shot("new-game", guide="neues-spiel")
    screen.tap("Spiel beginnen")
    page.wait_for_url("**/games/*")
    screen.ready()
    return "/games/" + page.url.rpartition("/")[2]


def joined(screen: Screen, server: Server, host: Screen) -> Screen:
    """A phone that scanned the code on the host's screen; where this machine has no network, under 127.0.0.1."""
    addresses = host.page.locator("#share-title ~ .card .addresses code").all_inner_texts()
    code = Guard(server.folder, lan=True).code
    address = addresses[0] if addresses else f"{server.base}/join?code={code}"
    assert address.endswith(f"/join?code={code}")
    screen.page.goto(address)
    screen.sees("Neues Spiel")
    return screen.ready()


@dataclass
class Party:
    """Two phones, all screens of the game, and the score by the rules core alone.

    slowest: milliseconds until a change was on all the other screens, at most
    """

    anna: Screen
    ben: Screen
    screens: tuple[Screen, ...]
    score: Score = field(default_factory=Score)
    slowest: float = 0.0

    def changed(self, by: Screen, change: Change) -> None:
        """All the others have seen it within a second, and all show the totals of the rules core."""
        self.slowest = max(self.slowest, all_see([one for one in self.screens if one is not by], change))
        for one in self.screens:
            assert one.points == list(self.score.state.totals), one.name

    def photo(self, by: Screen, photo: Path) -> None:
        self.changed(by, by.shoots("Zug fertig – Foto", photo))

    def taps(self, by: Screen, name: str, within: str = "body") -> None:
        """A button that changes the game."""
        self.changed(by, by.acts(by.button(name, within)))

    def confirms(self, by: Screen, move: str, announced: int | None = None) -> None:
        """What is proposed is this move and counts what the rules core says."""
        points = self.score.lay(move, announced)
        assert move in by.text("#proposal-title") and by.page.locator("#proposal .legal").count() == 1
        self.taps(by, f"Stimmt · {points} Punkte")
        assert by.page.locator("#proposal").is_hidden()


def sit_down(browser: Any, server: Server, shots: Path, trouble: Trouble) -> Party:
    """A new game on Anna's phone; Ben's joins; somebody watches by the link; the computer shows the big digits."""
    host = Screen(browser, shots, "host", trouble, viewport={"width": 1280, "height": 800}, is_mobile=False)
    host.open(f"{server.base}/")
    host.shot("start")
    anna = joined(Screen(browser, shots, "anna", trouble), server, host)
    path = new_game(anna)
    ben = joined(Screen(browser, shots, "ben", trouble), server, host)
    ben.page.get_by_role("link", name=re.compile("^Anna 0 Ben 0 ")).first.tap()
    ben.page.wait_for_url(f"**{path}")
    ben.ready()
    link = f"/zuschauen/{Guard(server.folder, lan=True).spectator_token(path.rpartition('/')[2])}"
    anna.tap("Mitspielen und Zuschauen")
    anna.shot("share")
    if addresses():
        assert link in anna.text("#dialog")
    anna.tap("Schließen")
    watching = Screen(browser, shots, "watching", trouble).open(server.base + link)
    host.open(f"{server.base}{path}/scoreboard")
    return Party(anna, ben, (anna, ben, watching, host))


def challenged(party: Party, word: str, valid: bool, outcome: str) -> None:
    """Ben doubts a word of Anna's. What follows is shown before he does, and before it is booked."""
    anna, ben = party.anna, party.ben
    ben.tap("Anzweifeln", "#bar")
    said = ben.text("#dialog")
    assert "Je genanntem Wort 10 Punkte Abzug für Ben." in said and "Anna nimmt die Steine zurück" in said
    ben.page.locator("#dialog").get_by_text(word, exact=True).tap()
    ben.shot(f"doubts-{word}", guide="anzweifeln" if not valid else "", of="#dialog")
    party.taps(ben, "Anzweifeln und nachschlagen", "#dialog")
    for one in (anna, ben):
        assert one.button("Erst über das Wort entscheiden", "#bar").is_disabled()
    anna.shot("challenged")
    ben.page.get_by_label("Wer hat entschieden?").fill("Ben")
    ben.page.get_by_label("Nachgeschlagen in").fill("Duden")
    party.taps(ben, "erlaubt" if valid else "nicht erlaubt", "#challenge")
    assert outcome in anna.text("#challenge") and "(Duden, sagt Ben)" in anna.text("#challenge")
    ben.shot("decided")
    party.score.challenge(BEN, word, valid)
    party.taps(anna, "Anzweiflung verbuchen")


def test_a_whole_game(browser: Any, server: Server, shots: Path, trouble: Trouble, demo_photos: list[Path]) -> None:
    """Ten photos and everything that happens at a table in between; after each step every screen has it within a
    second, with the totals of the rules core."""
    party = sit_down(browser, server, shots, trouble)
    anna, ben, score = party.anna, party.ben, party.score
    _, _, watching, host = party.screens
    anna.shot("begun")
    party.taps(anna, "Uhr starten")
    assert anna.page.locator(".player.turn .clock.running").is_visible()

    # Anna lays a plain move. The photo presses the clock; nothing counts yet, and who watches sees no proposal
    party.photo(anna, demo_photos[1])
    assert anna.points == [0, 0] and anna.text("#proposal-title") == "Anna: H6 HÜTTE"
    assert anna.page.locator("#proposal .outline.new").count() == 5
    assert ben.page.locator(".player:not(.turn) .clock.running").is_visible()
    assert watching.page.locator("#proposal").count() == 0 and "HÜTTE" not in watching.text("body")
    anna.shot("proposal", guide="vorschlag")
    ben.shot("proposal-of-anna")
    party.confirms(anna, "H6 HÜTTE")
    anna.shot("confirmed")

    # Ben lays all seven tiles and says a score that is one too low: by these rules the computed one counts
    party.photo(ben, demo_photos[2])
    ben.page.get_by_label("Angesagt").fill("70")
    assert ben.text("#announced-what") == "Angesagt 70, gerechnet 71: 1 zu wenig. Es zählt die Rechnung."
    ben.shot("announced")
    party.confirms(ben, "10F FREUNDIN", announced=70)
    assert score.state.totals == (22, 71)
    assert anna.page.locator(".pad .flag").count() == 1
    host.shot("after-two")

    # Anna corrects a square of the photo, which is a slip, and corrects it back in the list of the tiles
    party.photo(anna, demo_photos[3])
    anna.page.locator("#proposal .outline.new").first.tap()
    anna.shot("square")
    party.taps(anna, "M", "#dialog .keys")
    assert anna.text("#proposal-title") == "Anna: M7 MONNE"
    anna.shot("corrected")
    anna.button("M7: M", "#proposal .read-tiles").tap()
    party.taps(anna, "S", "#dialog .keys")
    party.confirms(anna, "M7 SONNE")
    challenged(party, "SONNE", True, "1 Wort x 10 = 10 Punkte Abzug für Ben.")
    assert score.state.totals == (30, 61)
    ben.shot("rejected")

    # Ben lays a blank: which letter it is, no camera sees
    party.photo(ben, demo_photos[4])
    assert ben.button("Erst die Frage beantworten", "#bar").is_disabled()
    assert ben.text("#question-text") == "Welcher Buchstabe ist das Blanko auf K11?"
    ben.shot("question", guide="frage")
    party.taps(ben, "E", "#proposal .question")
    ben.shot("answered")
    party.confirms(ben, "K8 BADeN")

    # Anna's word is none. The photo after it shows that the tiles are gone
    party.photo(anna, demo_photos[5])
    party.confirms(anna, "F10 FOGEL")
    assert anna.tile(5, 13) == "L"
    challenged(party, "FOGEL", False, "Anna nimmt die Steine zurück und bekommt 0 Punkte statt 15.")
    assert score.state.totals == (30, 73) and anna.tile(5, 13) == ""
    assert "Anna nimmt die Steine von F11, F12, F13, F14 zurück." in ben.text("#now")
    anna.shot("take-back")
    party.photo(anna, demo_photos[6])
    assert "Die Steine von F11, F12, F13, F14 sind weg, das Foto zeigt es." in ben.text("#now")
    anna.shot("gone")
    party.taps(anna, "Nur ein Foto, kein Zug")

    party.photo(ben, demo_photos[7])
    party.confirms(ben, "6F SCHAF")

    # Anna exchanges, Ben passes, takes it back and brings it back
    anna.tap("Tauschen", "#bar")
    anna.tap("Einer mehr", "#dialog")
    anna.tap("Einer mehr", "#dialog")
    anna.shot("exchange")
    score.book(Exchanged(ANNA, 3))
    party.taps(anna, "Getauscht", "#dialog")
    ben.tap("Passen", "#bar")
    ben.shot("pass")
    score.book(Passed(BEN))
    party.taps(ben, "Ja, gepasst", "#dialog")
    ben.tap("Rückgängig: Ben passt: 0 Punkte")
    ben.shot("undo")
    score.book(Undone())
    party.taps(ben, "Ja, zurücknehmen", "#dialog")
    assert anna.text(".next-line").startswith("Ben ist dran")
    ben.tap("Wiederherstellen: Ben passt: 0 Punkte")
    score.book(Redone())
    party.taps(ben, "Ja, wiederherstellen", "#dialog")
    assert anna.text(".next-line").startswith("Anna ist dran")

    # three more, the last of which is taken back on one phone and brought back on the other
    party.photo(anna, demo_photos[9])
    party.confirms(anna, "F2 PREIS")
    party.photo(ben, demo_photos[10])
    party.confirms(ben, "2C KÖRPER")
    party.photo(anna, demo_photos[11])
    party.confirms(anna, "12H ZWANG")
    anna.tap("Rückgängig: Anna: 12H ZWANG")
    score.book(Undone())
    party.taps(anna, "Ja, zurücknehmen", "#dialog")
    assert watching.tile(7, 11) == ""
    ben.tap("Wiederherstellen: Anna: 12H ZWANG")
    score.book(Redone())
    party.taps(ben, "Ja, wiederherstellen", "#dialog")
    assert watching.tile(7, 11) == "Z"
    anna.shot("late")
    host.shot("late", guide="tafel")
    watching.shot("late")

    # the end
    anna.tap("Mehr", "#bar")
    anna.shot("more")
    anna.tap("Partie beenden", "#dialog")
    anna.shot("stop")
    score.book(Stopped())
    party.taps(anna, "Ja, beenden", "#dialog")
    for player, rack in zip(NAMES, RACKS, strict=True):
        anna.page.get_by_role("textbox", name=player, exact=True).fill(rack)
    anna.shot("racks")
    score.book(RacksShown(RACKS))
    party.taps(anna, "Abrechnen", "#bar")
    assert score.state.totals == (30 + 16 + 26 - 7, 73 + 22 + 19 - 10)
    lines = anna.page.locator(".settlement tbody tr").all_inner_texts()
    assert [" ".join(line.split()) for line in lines] == ["Anna 72 AEEIIRS −7 0 65", "Ben 114 DLMNNTT −10 0 104"]
    assert "Gewonnen hat Ben." in watching.text("#end")
    anna.shot("settled", guide="abrechnung")
    host.shot("settled")
    watching.shot("settled")

    dispute_and_sheet(ben)
    for one in party.screens:
        one.context.close()
    print(f"a change was on all other screens within {party.slowest:.0f} ms")


def dispute_and_sheet(ben: Screen) -> None:
    """The evidence of a move, and the sheet to print, from the game's page."""
    ben.page.locator(".pad .line", has_text="BADeN").tap()
    ben.shot("line")
    ben.page.get_by_role("link", name="Nachsehen: Fotos und Rechnung").tap()
    ben.page.wait_for_url("**/moves/*")
    ben.sees("K8 BADeN")
    assert "Duden" not in ben.text("main") and "Blanko" in ben.text("main")
    ben.shot("dispute", guide="streit")
    ben.page.go_back()
    ben.ready()
    ben.page.get_by_role("link", name="Punktezettel drucken").first.tap()
    ben.page.wait_for_url("**/sheet")
    assert "FREUNDIN" in ben.text("main") and "104" in ben.text("main")
    ben.shot("sheet")


# --- beside a game ------------------------------------------------------------------------------------------------


@pytest.fixture
def game(server: Server) -> str:
    """A new game without a clock; its path."""
    with Phone(server.base) as phone:
        return f"/games/{phone.new_game(clock_minutes=0)}"


def test_a_move_by_the_keyboard_alone(browser: Any, server: Server, shots: Path, trouble: Trouble, game: str) -> None:
    with Screen(browser, shots, "keys", trouble, **DESK) as screen:
        keys = screen.open(server.base + game).page.keyboard
        screen.tabs_to("Tippen")
        keys.press("Enter")
        screen.tabs_to("Anfang")
        keys.type("8H")  # its number first: downwards
        screen.tabs_to("Wort")
        keys.type("hut")
        screen.shot("typed")
        assert screen.text("[data-written]") == "8H HUT"
        keys.press("Enter")
        screen.sees("Anna: 8H HUT")
        screen.tabs_to("Stimmt · 8 Punkte")
        keys.press("Space")
        screen.page.wait_for_function("() => document.querySelector('.points').innerText === '8'")
        assert screen.points == [8, 0] and [screen.tile(row, 7) for row in (7, 8, 9)] == ["H", "U", "T"]
        # on the board the arrow keys go from square to square
        screen.page.locator("td[data-at='7-7']").focus()
        for key in ("ArrowDown", "ArrowLeft", "Enter"):
            keys.press(key)
        assert screen.page.get_by_label("Anfang").input_value() == "I7"
        keys.press("Escape")
        assert screen.page.locator("#dialog").is_hidden()
        assert screen.page.evaluate("document.activeElement.dataset.at") == "8-6"


def test_a_proposal_is_there_again_after_a_reload(
    browser: Any, server: Server, shots: Path, trouble: Trouble, game: str, demo_photos: list[Path]
) -> None:
    """In the dark and in English; the corners of the board are set by hand."""
    with Screen(browser, shots, "dark", trouble, color_scheme="dark") as screen:
        screen.open(server.base + game)
        screen.shoots("Zug fertig – Foto", demo_photos[1])
        screen.page.reload()
        screen.ready()
        assert screen.text("#proposal-title") == "Anna: H6 HÜTTE"
        screen.shot("proposal")
        screen.tap("Mitspielen und Zuschauen")
        with screen.page.expect_navigation():
            screen.page.get_by_role("link", name="English").tap()
        screen.ready()
        assert screen.page.locator("html").get_attribute("lang") == "en"
        assert screen.button("That is right · 22 points").is_visible()
        screen.shot("english")
        screen.tap("Show the corners")
        corner = screen.page.get_by_role("button", name="Corner 1")
        corner.focus()
        corner.press("ArrowRight")
        screen.shot("corners")
        screen.acts(screen.button("Read with these", "#dialog"))
        assert screen.text("#proposal-title") == "Anna: H6 HÜTTE"
        screen.acts(screen.button("That is right · 22 points"))
        assert screen.points == [22, 0]
        screen.shot("board")


def test_without_a_connection_it_says_so_and_comes_back(browser: Any, server: Server, shots: Path, game: str) -> None:
    with Screen(browser, shots, "offline") as screen, Phone(server.base) as other:
        screen.open(server.base + game)
        screen.context.set_offline(True)
        screen.sees("Keine Verbindung.")
        screen.tap("Passen", "#bar")
        screen.tap("Ja, gepasst", "#dialog")
        screen.sees("Keine Antwort vom Brettblick-Rechner.")
        screen.shot("offline")
        other.done(game.rpartition("/")[2], "type", move="H8 HUT")
        other.done(game.rpartition("/")[2], "confirm")
        assert screen.points == [0, 0]
        screen.context.set_offline(False)
        screen.page.locator("#offline").wait_for(state="hidden")
        screen.page.wait_for_function("() => document.querySelector('.points').innerText === '8'")
        assert screen.points == [8, 0]
        screen.tap("Schließen")
        assert screen.text(".next-line").startswith("Ben ist dran")
        screen.shot("back")


def test_a_phone_joins_by_a_typed_code(browser: Any, server: Server, shots: Path, game: str) -> None:
    found = addresses()
    if not found:
        pytest.skip("this machine has no network to be reached by")
    base = server.base.replace("127.0.0.1", found[0])
    with Screen(browser, shots, "joining") as screen:
        screen.page.goto(base + game)
        screen.sees("Dieses Telefon ist noch nicht dabei")
        assert screen.page.locator("#board").count() == 0
        screen.shot("join")
        screen.page.get_by_label("Code").fill("AAAAA-BBBBB")
        screen.tap("Mitspielen")
        screen.sees("Der Code stimmt nicht.")
        screen.shot("wrong")
        screen.page.get_by_label("Code").fill(Guard(server.folder, lan=True).code_shown.lower())
        screen.tap("Mitspielen")
        screen.sees("Neues Spiel")
        screen.page.goto(base + game)
        assert screen.points == [0, 0]
