"""The printed score sheet: rounds, running totals, penalties and settlement as people would write them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from assistant.store.rows import Author, Row
from assistant.table.history import TableState, fold
from assistant.table.setup import Setup
from assistant.texts import LANGUAGES, Texts
from assistant.web.paper_pages import sheet_page
from assistant.web.sheet import Cell, Sheet, sheet_of
from scorer.events import (
    BlankNamed,
    Challenged,
    Corrected,
    DrawnForFirst,
    Event,
    Exchanged,
    MoveTimedOut,
    Overtime,
    Passed,
    RacksShown,
    Resigned,
    ScoreAgreed,
    Settled,
    Stopped,
    Undone,
    Withdrawn,
)
from scorer.formats.events import event_to_json
from scorer.rules import RULE_SETS, RuleSet
from scorer.tiles import GERMAN_102, TileSet
from tests.scorer.games import HAUS, OUT, SEE, SEEHAUS, THREE_WORDS, TINY, doubt, lay

START = datetime(2026, 11, 30, 19, 0, tzinfo=UTC)
TURNIER, FAMILIE = RULE_SETS["turnier"], RULE_SETS["familie"]
SMALL = TURNIER.with_settings(rack_size=4, bingo_bonus=0)
DE = Texts("de")


def table(
    *events: Event,
    rules: RuleSet = TURNIER,
    players: tuple[str, ...] = ("Anna", "Ben"),
    tile_set: TileSet = GERMAN_102,
    first_player: int = 0,
    more: Sequence[Row] = (),
) -> tuple[TableState, list[Row]]:
    setup = Setup(players, rules, tile_set, first_player=first_player)
    bodies = [{"event": event_to_json(event)} for event in events]
    rows = [
        Row(number, START + timedelta(minutes=number), Author("phone", "Anna"), "event", body)
        for number, body in enumerate(bodies, start=1)
    ]
    rows += more
    return fold(setup, rows), rows


def sheet(*events: Event, texts: Texts = DE, **about: object) -> Sheet:
    state, rows = table(*events, **about)  # type: ignore[arg-type]
    found = sheet_of(state, rows, texts, START)
    assert found.totals == tuple(state.state.totals[player] for player in state.state.order)
    return found


def written(one: Sheet) -> list[tuple[object, ...]]:
    """(number of the round, then for each player (what, points, total), None where nothing stands)."""
    return [
        (row.number, *(None if cell is None else (cell.main, cell.points, cell.total) for cell in row.cells))
        for row in one.rows
    ]


def closing(one: Sheet) -> dict[str, tuple[object, ...]]:
    return {line.label: line.cells for line in one.closing}


def test_rounds_with_running_totals_and_the_settlement() -> None:
    found = sheet(*OUT, RacksShown(("", "EE")), rules=SMALL, tile_set=TINY)
    assert written(found) == [
        (1, ("HAUS", 10, 10), ("SEE", 3, 3)),
        (2, ("SEEHAUS", 9, 19), None),
    ]
    assert closing(found)["eigener Rest"] == ((0, 19), (-2, 1))
    assert closing(found)["Reste der anderen"] == ((2, 21), (0, 1))
    assert found.final and found.totals == (21, 1) and found.places == (1, 2) and found.notices == ()
    assert found.result[0].startswith("Ende: Anna hat alle Steine gelegt")
    assert found.result[-1] == "Gewonnen hat Anna."


def test_a_word_with_its_place_its_cross_words_and_the_bonus() -> None:
    found = sheet(HAUS, THREE_WORDS)
    first, second = (row.cells[seat] for row, seat in ((found.rows[0], 0), (found.rows[0], 1)))
    assert first == Cell("HAUS", "H5", points=10, total=10)
    assert second is not None and (second.at, second.main, second.others) == ("I7", "ES", ("UE", "SS"))
    bingo = sheet(lay(0, "H4 FREUNDe")).rows[0].cells[0]
    assert bingo is not None and (bingo.main, bingo.bonus) == ("FREUNDe", 50)


def test_an_upheld_challenge_is_struck_out_in_its_own_line() -> None:
    found = sheet(HAUS, doubt(1, "-HAUS"), Passed(1))
    cell = found.rows[0].cells[0]
    assert cell is not None and (cell.struck, cell.points, cell.total, cell.marks) == (10, 0, 0, (1,))
    assert found.footnotes == ("Anna, HAUS: Angezweifelt und zurückgenommen, nicht erlaubt: HAUS.",)
    by_photo = sheet(HAUS, Withdrawn(1))
    cell = by_photo.rows[0].cells[0]
    assert cell is not None and (cell.struck, cell.points, cell.total) == (10, 0, 0)
    assert "zurückgenommen" in by_photo.footnotes[0]


def test_a_move_taken_back_after_others_has_a_line_of_its_own() -> None:
    found = sheet(HAUS, SEE, lay(0, "G10 RE"), Withdrawn(1))
    names = [row[1] for row in written(found)]
    assert names[0] == ("HAUS", 10, 10)
    assert names[-1] is not None and names[-1][0] == "HAUS zurückgenommen" and names[-1][1] == -10
    assert names[-1][2] == found.totals[0]


def test_a_penalty_stands_where_it_came() -> None:
    """The second player doubts before the own move: the penalty is above it, and all totals can be added up."""
    found = sheet(HAUS, doubt(1, "HAUS"), SEE, doubt(3, "SEE", by=(0,)), Passed(0))
    assert written(found) == [
        (None, None, ("Anzweifeln", -10, -10)),
        (1, ("HAUS", 10, 10), ("SEE", 3, -7)),
        (None, ("Anzweifeln", -10, 0), None),
        (2, ("gepasst", 0, 0), None),
    ]


def test_turns_without_tiles() -> None:
    found = sheet(Passed(0), Exchanged(1, 3), Exchanged(0), MoveTimedOut(1), rules=FAMILIE)
    mains = [cell[0] for row in written(found) for cell in row[1:] if isinstance(cell, tuple)]
    assert mains[:3] == ["gepasst", "getauscht (3)", "getauscht"]


def test_columns_are_in_the_order_of_the_turns() -> None:
    players = ("Anna", "Ben", "Clara", "Dora")
    found = sheet(
        DrawnForFirst(((0, "M"), (1, "Z"), (2, "B"), (3, "K"))),
        lay(2, "H5 HAUS"),
        Passed(3),
        Passed(0),
        Passed(1),
        Passed(2),
        rules=FAMILIE,
        players=players,
    )
    assert found.players == ("Clara", "Dora", "Anna", "Ben")
    assert [row.number for row in found.rows] == [1, 2] and all(found.rows[0].cells)
    assert found.rows[1].cells[1:] == (None, None, None)
    assert dict(found.facts)["Auslosung"].startswith("Auslosung: Anna zieht M")


def test_time_is_taken_off_before_the_racks() -> None:
    rules = SMALL.with_settings(clock_seconds=1500)
    found = sheet(*OUT, Overtime(1, 61.0), RacksShown(("", "EE")), rules=rules, tile_set=TINY)
    assert [line.label for line in found.closing] == ["Zeitstrafe", "eigener Rest", "Reste der anderen"]
    assert found.closing[0].cells == (None, (-20, -17))
    assert found.closing[1].cells == ((0, 19), (-2, -19))
    assert dict(found.facts)["Bedenkzeit"] == "25 Minuten je Spieler"


def test_a_settlement_as_a_record_has_it() -> None:
    found = sheet(*OUT, Settled(1, -2), Settled(0, 2), Settled(1, -10, "time"), rules=SMALL, tile_set=TINY)
    assert [line.label for line in found.closing] == ["eigener Rest", "Reste der anderen", "Zeitstrafe"]
    assert [line.cells for line in found.closing] == [(None, (-2, 1)), ((2, 21), None), (None, (-10, -9))]
    assert found.final


def test_a_rest_that_nobody_knows() -> None:
    found = sheet(
        HAUS, Passed(1), Passed(2), Stopped(), RacksShown(("", None, None)), rules=FAMILIE, players=("A", "B", "C")
    )
    assert not found.final and found.places == ()
    assert closing(found)["eigener Rest"] == ((0, 10), (None, 0), (None, 0))
    assert found.notices == ("Das Ergebnis steht erst fest, wenn alle Reste bekannt sind.",)


def test_what_differs_has_a_footnote() -> None:
    announced = lay(0, "H5 HAUS", announced=12)
    found = sheet(announced, SEE, ScoreAgreed(2, 4, unanimous=True))
    assert [cell.marks for cell in found.rows[0].cells if cell] == [(1,), (2,)]
    assert "Angesagt 12, gerechnet 10" in found.footnotes[0] and "vereinbart 4" in found.footnotes[1]
    wrong = sheet(lay(0, "A1 HAUS"))
    assert "Gegen die Regeln" in wrong.footnotes[0]
    corrected = sheet(HAUS, Corrected(1, lay(0, "H5 MAUS")))
    assert corrected.rows[0].cells[0] is not None and corrected.rows[0].cells[0].main == "MAUS"
    assert corrected.footnotes == ("Anna, MAUS: Später berichtigt.",)
    assert sheet(HAUS, Corrected(1, lay(0, "H5 HAUS", announced=10))).footnotes == ()


def test_second_thoughts_leave_no_trace_where_nothing_changed() -> None:
    assert written(sheet(HAUS, Passed(1), Undone(), SEE)) == [(1, ("HAUS", 10, 10), ("SEE", 3, 3))]
    named = sheet(lay(0, "H5 H?US"), BlankNamed(HAUS.placement.squares[1], "A"), rules=FAMILIE)
    assert named.rows[0].cells[0] is not None and named.rows[0].cells[0].main == "HaUS"


def test_who_gives_up_and_an_end_that_was_agreed() -> None:
    found = sheet(HAUS, Resigned(1))
    assert written(found)[0] == (None, None, ("aufgegeben", None, None)) and found.rows[1].number == 1
    assert sheet(HAUS, SEE, Stopped()).notices == ("Die Partie ist zu Ende, die Reste sind noch nicht abgerechnet.",)


def test_a_game_without_moves_and_one_that_goes_on() -> None:
    assert sheet().notices == ("Es ist noch kein Zug verbucht.", "Die Partie läuft noch. Das ist der Stand von jetzt.")
    assert [line.label for line in sheet().closing] == ["Zeitstrafe", "eigener Rest", "Reste der anderen"]
    assert sheet(HAUS).notices == ("Die Partie läuft noch. Das ist der Stand von jetzt.",)
    assert [line.label for line in sheet(HAUS, rules=FAMILIE).closing] == ["eigener Rest", "Reste der anderen"]


def test_an_open_challenge_and_a_turn_that_is_being_laid_are_told() -> None:
    found = {"text": {"de": "HAUS: ...", "en": "HAUS: ..."}}
    word = {"word": "HAUS", "allowed": None, "found": found, "by": "", "source": ""}
    body = {"ref": 1, "challengers": [1], "seconds": None, "words": [word]}
    at = START + timedelta(minutes=9)
    challenge = Row(2, at, Author("phone"), "challenge", body)
    assert "Angezweifelt und noch nicht entschieden: HAUS." in sheet(HAUS, more=[challenge]).notices
    typed = Row(2, at, Author("phone"), "typed", {"move": "8H .EE"})
    assert any("gerade gelegt" in text for text in sheet(HAUS, more=[typed]).notices)


def test_the_day_and_the_hours() -> None:
    local = START.astimezone()
    dates = dict(sheet(HAUS, SEE).facts)["Datum"]
    assert dates == f"{local:%d.%m.%Y}, {local:%H:%M} bis {local + timedelta(minutes=2):%H:%M} Uhr"
    late = Row(2, START + timedelta(days=2), Author("phone"), "dropped", {})
    assert dict(sheet(HAUS, more=[late]).facts)["Datum"].endswith(f"{local + timedelta(days=2):%d.%m.%Y}")


def test_rules_are_called_as_on_the_page() -> None:
    rules = TURNIER.with_settings(bingo_bonus=40, clock_seconds=600)
    facts = dict(sheet(HAUS, rules=rules).facts)
    assert facts["Regeln"] == "Turnier; Bonus für die ganze Bank: 40 Punkte"
    assert facts["Bedenkzeit"] == "10 Minuten je Spieler" and facts["Wortliste"] == "keine: ihr entscheidet"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_whole_game(language: str) -> None:
    texts = Texts(language)
    players = ('<i>Änne</i> & "Co"', "Ben 🦊")
    found = sheet(*OUT, RacksShown(("", "EE")), rules=SMALL, tile_set=TINY, players=players, texts=texts)
    html = sheet_page(found, texts, base="/games/abc", version="1.2")
    assert "&lt;i&gt;Änne&lt;/i&gt; &amp; &#34;Co&#34;" in html and "<i>" not in html and "Ben 🦊" in html
    for part in ("SEEHAUS", ">−2<", ">+2<", ">21<", "Brettblick 1.2", 'href="/games/abc"'):
        assert part in html
    assert html.count('class="signature"') == 2 and "style=" not in html and "onclick" not in html
    assert 'class="empty"' not in html
    going_on = sheet_page(sheet(HAUS, texts=texts), texts, base="/games/abc", version="")
    assert going_on.count('class="empty"') == 13  # room to write on


def test_every_total_follows_from_the_one_above() -> None:
    """Points added down a column give its totals, challenges and settlement among them."""
    players = ("Anna", "Ben", "Clara")
    found = sheet(
        HAUS,
        doubt(1, "HAUS", by=(2,)),
        SEE,
        doubt(3, "-SEE", by=(0,)),
        lay(2, "I7 ES"),
        Exchanged(0, 2),
        doubt(5, "ES", by=(1,)),
        Passed(1),
        Stopped(),
        RacksShown(("ABCDEFG", "HIJKLMN", "OPQRSTU")),
        rules=FAMILIE.with_settings(challenge_penalty=5, challenge_until="next-turn"),
        players=players,
    )
    for column in range(3):
        total = 0
        for row in found.rows:
            cell = row.cells[column]
            if cell is not None and cell.total is not None:
                total += cell.points or 0
                assert cell.total == total
        for line in found.closing:
            one = line.cells[column]
            if one is not None:
                total += one[0] or 0
                assert one[1] == total
        assert found.totals[column] == total


def test_challenges_without_a_move_or_too_late_write_nothing() -> None:
    late = doubt(1, "-HAUS", by=(1,), seconds=999.0)
    found = sheet(HAUS, late, rules=TURNIER.with_settings(challenge_seconds=20))
    assert written(found) == [(1, ("HAUS", 10, 10), None)]
    assert isinstance(late, Challenged)


def test_who_moves_twice_in_a_row_starts_a_new_line() -> None:
    found = sheet(HAUS, SEEHAUS, SEE)
    assert [row.number for row in found.rows] == [1, 2]
    assert found.footnotes
