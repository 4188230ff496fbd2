"""What there is about an event: its reading, its sum, who said what when; whatever happened to it later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.store.rows import NewRow
from assistant.table.history import fold
from assistant.table.session import Table
from assistant.texts import LANGUAGES, Texts
from assistant.web.dispute import Dispute, Disputes
from scorer.board import Square
from scorer.rules import RULE_SETS
from tests.assistant.table.tables import ANNA, BEN, EMPTY, Players, lay
from vision.geometry import Corners

HUT = lay(EMPTY, 7, 7, "HUT")
HUTOR = lay(HUT, 7, 9, "TOR", down=True)
CORNERS = Corners.of([(100, 100), (900, 100), (900, 700), (100, 700)])
DE = Texts("de")


def disputes(players: Players, texts: Texts = DE) -> Disputes:
    return Disputes(players.table.state, players.table.rows, texts)


def look(players: Players, number: int, texts: Texts = DE) -> Dispute:
    found = disputes(players, texts).of(number)
    assert found is not None
    return found


def said(dispute: Dispute) -> list[str]:
    return [line.text for line in dispute.history]


def test_a_move_as_it_was_read(players: Players) -> None:
    before = players.photo(HUT, corners=CORNERS)
    players.do("confirm")
    after = players.photo(HUTOR, {(8, 9): {"O": 0.9, "Q": 0.08}}, corners=CORNERS)
    players.do("confirm", BEN, announced=4)
    found = look(players, 2)
    assert (found.headline, found.points, found.void) == ("Ben: TOR (10H)", 6, False)
    assert (found.earlier, found.later, found.of, found.kind) == (1, None, 2, "place")
    assert found.before and found.after and (found.before.digest, found.after.digest) == (before, after)
    assert found.after.marks == {"new": (Square(8, 9), Square(9, 9))}
    assert found.before.marks == {"soon": (Square(8, 9), Square(9, 9))}
    assert found.after.seen and found.after.seen.corners == CORNERS and found.after.seen.size == (1000, 800)
    first, second = found.tiles
    assert (first.name, first.char, second.name, second.char) == ("I10", "O", "J10", "R")
    assert first.others and "Q" in first.others[0] and "%" in first.sure and not first.notes
    assert found.read == ("Zuerst gelesen: I10 O, J10 R", "Nichts berichtigt: Verbucht ist, was gelesen wurde.")
    assert found.words == (("TOR", 6),) and found.steps[0].startswith("10H TOR: T 1, O ")
    assert found.counted and (found.counted.announced, found.counted.computed, found.counted.counts) == (4, 6, 6)
    assert "Angesagt 4, gerechnet 6" in found.remarks[0]
    assert found.totals == (("Anna", 8), ("Ben", 6))
    assert [(line.who, line.text) for line in found.history] == [
        ("Anna", "Foto aufgenommen (p.jpg)"),
        ("Ben", "Verbucht: Ben legt OR auf I10 bis J10."),
    ]
    facts = dict(found.facts)
    assert facts["Prüfsumme des Fotos (SHA-256)"] == after and facts["Lesemodell"] == "fingerprint"
    assert look(players, 1).before is None


def test_a_corrected_tile_is_named_with_what_the_photo_said(players: Players) -> None:
    players.photo(HUT)
    players.do("answer", BEN, squares=[[7, 8, "A"]])
    players.do("confirm")
    found = look(players, 1)
    assert found.headline == "Anna: HAT (H8)"
    tile = found.tiles[1]
    assert (tile.name, tile.char, tile.notes) == ("H9", "A", ("H9: erst gelesen U, berichtigt A",)) and tile.unsure
    assert any("U" in other for other in tile.others)  # what the photo shows, not what was said
    assert found.read == ("Zuerst gelesen: H8 H, H9 U, H10 T", "H9: erst gelesen U, berichtigt A")
    assert found.after and found.after.marks == {"new": (Square(7, 7), Square(7, 9)), "doubt": (Square(7, 8),)}
    assert [(line.who, line.text) for line in found.history][1] == ("Ben", "Gesagt: H9 A")


def test_a_move_that_is_corrected_later(players: Players) -> None:
    players.lay(HUT)
    players.do("correct", BEN, ref=1, move="H8 HAT")
    found = look(players, 1)
    assert (found.headline, found.points) == ("Anna: HAT (H8)", 8)
    (notice,) = found.notices
    assert "später berichtigt" in notice and "Anna legt HUT auf H8 bis H10" in notice
    assert found.tiles[1].notes == ("H9: verbucht als U, später geändert in A",)
    assert found.history[-1].who == "Ben" and found.history[-1].number == 2
    correction = look(players, 2)
    assert correction.ref == 1 and "Eintrag 1 ist berichtigt" in correction.headline and correction.points is None
    assert disputes(players).numbers == (1,)


def test_a_score_that_is_announced_later_is_no_other_move(players: Players) -> None:
    players.lay(HUT)
    players.do("announce", ref=1, points=9)
    found = look(players, 1)
    assert found.notices == () and found.counted and found.counted.announced == 9
    players.do("agree", ref=1, points=7, unanimous=True)
    found = look(players, 1)
    assert found.counted and (found.counted.agreed, found.counted.counts) == (7, 7)
    assert "Vereinbart für den Zug von Anna, und alle stimmen zu: 7 Punkte." in said(found)


def test_what_is_undone_says_so_and_who_did_it(players: Players) -> None:
    players.lay(HUT)
    players.do("undo", BEN)
    found = look(players, 1)
    assert found.void and found.headline == "Anna: HUT (H8)" and found.points == 8 and found.totals == ()
    assert found.notices == ("Dieser Eintrag ist rückgängig gemacht. Er zählt nicht.",)
    assert found.counted and found.counted.counts == 0
    assert said(found)[-1] == "Rückgängig gemacht: Anna legt HUT auf H8 bis H10." and found.history[-1].who == "Ben"
    players.do("redo")
    found = look(players, 1)
    assert not found.void and found.notices == () and found.totals == (("Anna", 8), ("Ben", 0))
    assert said(found)[-1].startswith("Wiederhergestellt: Anna legt HUT")
    assert look(players, 3).ref == 1
    players.do("correct", ref=1, remove=True)
    found = look(players, 1)
    assert found.void and found.notices == ("Dieser Eintrag ist später gestrichen worden. Er zählt nicht.",)


def test_a_challenge_with_its_verdicts_and_who_gave_them(sit_down: Callable[..., Players]) -> None:
    players = sit_down(lexicon="deutsch")
    players.lay(HUT)
    players.do("challenge", BEN, ref=1, challengers=[1], words=["HUT"])
    assert look(players, 1).notices == ("Dieser Zug ist angezweifelt. Entschieden ist noch nichts.",)
    (doubt,) = look(players, 1).doubts
    assert doubt.number is None and "Ben zweifelt an: HUT" in doubt.lines[0] and "HUT" in doubt.looked_up[0]
    players.do("verdict", word="HUT", valid=True, by="Clara", source="Duden, 29. Auflage")
    players.do("settle-challenge")
    found = look(players, 1)
    assert found.notices == () and found.counted and found.counted.counts == 8
    (doubt,) = found.doubts
    assert doubt.number == 2 and any("HUT: erlaubt (Duden, 29. Auflage, sagt Clara)" in line for line in doubt.lines)
    assert any("10 Punkte Abzug für Ben" in line for line in doubt.lines) and "HUT" in doubt.looked_up[0]
    assert "Ben zweifelt an: HUT" in said(found)
    event = look(players, 2)
    assert event.ref == 1 and event.points == -10 and event.doubts[0].looked_up == doubt.looked_up
    assert "Ben zweifelt an: HUT" in said(event)


def test_what_people_decide_about_a_word_is_told_with_the_book(players: Players) -> None:
    players.lay(lay(EMPTY, 7, 7, "QZX"))
    players.do("challenge", BEN, ref=1, challengers=[1], words=["QZX"])
    players.do("verdict", word="QZX", valid=False, by="Clara", source="Duden, 29. Auflage")
    players.do("settle-challenge")
    found = look(players, 1)
    assert found.void and found.points == 42 and found.counted and found.counted.counts == 0
    assert "Entschieden: QZX ist nicht erlaubt (Clara, Duden, 29. Auflage)" in said(found)
    assert any("Duden, 29. Auflage" in line and "Clara" in line for line in found.doubts[0].lines)


def test_moves_that_were_confirmed_from_one_photo(players: Players) -> None:
    players.photo(HUTOR)
    players.do("answer", kind="place")
    players.do("answer", first=[[7, 9]])
    proposal = players.table.proposal()
    assert proposal is not None and len(proposal.events) == 2 and proposal.question is None
    players.do("confirm")
    first, second = look(players, 1), look(players, 2)
    assert first.after and second.after and first.after.digest == second.after.digest
    one, other = set(first.after.marks["new"]), set(second.after.marks["new"])
    assert one | other == {*HUTOR_SQUARES} and not one & other
    assert set(first.after.marks["before"]) == other and set(second.after.marks["before"]) == one
    assert {tile.square for tile in first.tiles} == one and all("%" in tile.sure for tile in first.tiles)
    assert said(first)[0] == "Foto aufgenommen (p.jpg)"


HUTOR_SQUARES = [Square(7, 7), Square(7, 8), Square(7, 9), Square(8, 9), Square(9, 9)]


def test_tiles_taken_back_in_a_photo(players: Players) -> None:
    players.lay(HUT)
    players.lay(HUTOR, BEN)
    players.photo(HUT)
    players.do("confirm")
    found = look(players, 3)
    assert found.kind == "withdrawn" and found.ref == 2 and found.points == -6
    squares = (Square(8, 9), Square(9, 9))
    assert found.after and found.after.marks == {"gone": squares}
    assert found.before and found.before.marks == {"taken": squares}
    taken = look(players, 2)
    assert taken.void and taken.doubts[0].number == 3


def test_events_without_a_photo(players: Players) -> None:
    players.do("type", move="H8 HUT")
    players.do("confirm")
    players.do("pass", BEN)
    players.do("exchange", count=3)
    typed, passed, exchanged = (look(players, number) for number in (1, 2, 3))
    assert typed.after is None and typed.steps and typed.read == ()
    assert said(typed)[0] == "Zug eingegeben: H8 HUT" and "Gelesen mit" in dict(typed.facts)
    assert passed.headline == "Ben passt: 0 Punkte." and passed.points is None and passed.after is None
    assert "3" in exchanged.headline and (exchanged.earlier, exchanged.later) == (2, None)
    assert disputes(players).of(0) is None and disputes(players).of(4) is None


def test_a_blank_that_gets_its_letter_later(sit_down: Callable[..., Players]) -> None:
    players = sit_down(rules=RULE_SETS["familie"].with_settings(blank_naming="later"))
    players.do("type", move="H8 H?T")
    players.do("confirm")
    assert look(players, 1).tiles[1].char == "?"
    players.do("blank", BEN, square=[7, 8], letter="U")
    found = look(players, 1)
    assert found.tiles[1].char == "u" and found.tiles[1].notes == () and found.notices == ()
    assert said(found)[-1] == "Das Blanko auf H9 steht für U." and look(players, 2).ref == 1


def test_rules_lists_and_program_are_named(sit_down: Callable[..., Players]) -> None:
    players = sit_down(rules=RULE_SETS["turnier"].with_settings(bingo_bonus=40), lexicon="deutsch")
    basis = disputes(players).basis()
    assert (basis.rules, basis.usual) == ("Turnier", "Turnier")
    assert basis.settings == (("Bonus für die ganze Bank", "40 Punkte", "50 Punkte"),)
    assert basis.lists[0][0].startswith("Brettblick Deutsch") and len(basis.lists[0][1]) == 64
    assert basis.zone == ""  # nothing has happened
    players.do("pass")
    assert disputes(players).basis().zone.startswith("UTC")


@pytest.mark.parametrize(
    "evidence",
    [
        {"photo": "ab" * 32, "tiles": "many"},
        {"photo": "ab" * 32, "tiles": [[7, 7, "H"]]},
        {"photo": "ab" * 32, "tiles": [[99, 7, "H", []]]},
        {"photo": "ab" * 32, "at_first": {"tiles": [1]}},
        {"photo": "ab" * 32, "seen": {"corners": [[1, 2]]}},
        {"photo": 5, "seen": 5, "differences": [5]},
        {"photo": "ab" * 32, "probability": "very"},
    ],
)
def test_evidence_from_elsewhere_may_be_anything(players: Players, evidence: dict[str, Any]) -> None:
    players.lay(HUT)
    rows = list(players.table.rows)
    body = {**rows[-1].body, "evidence": evidence}
    rows[-1] = replace(rows[-1], body=body)
    table = fold(players.table.setup, rows)
    found = Disputes(table, rows, DE).of(1)
    assert found is not None and found.points == 8 and found.steps
    assert any("beschädigt" in text for text in found.notices) and found.after is None


def test_an_unknown_warning_from_elsewhere_is_left_out(players: Players) -> None:
    players.lay(HUT)
    rows = list(players.table.rows)
    kept = rows[-1].body["evidence"]
    seen = {**kept["seen"], "warnings": ["dark", "haunted"]}
    rows[-1] = replace(rows[-1], body={**rows[-1].body, "evidence": {**kept, "seen": seen}})
    found = Disputes(fold(players.table.setup, rows), rows, DE).of(1)
    assert found is not None and found.read[-1] and not any("haunted" in line for line in found.read)
    assert len(found.read) == 3


def test_rows_that_are_newer_than_the_state_are_not_told(players: Players) -> None:
    players.lay(HUT)
    state = players.table.state
    players.do("undo")
    found = Disputes(state, players.table.rows, DE).of(1)
    assert found is not None and found.notices == () and len(found.history) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_said_in_both_languages(sit_down: Callable[..., Players], language: str) -> None:
    players = sit_down(lexicon="deutsch")
    players.photo(HUT)
    players.photo(None)
    digest = players.photo(HUT, {(7, 8): {"U": 0.4, "O": 0.35}})
    players.do("answer", squares=[[7, 8, "U"]], kind="place")
    players.do("corners", photo=digest, corners=[[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]])
    players.table.observed(players.table.unread()[0], players.table.seen(digest) or _seen(players, digest))
    players.do("confirm", despite=False)
    players.do("challenge", BEN, ref=1, challengers=[1], words=["HUT"])
    players.do("verdict", word="HUT", valid=True, by="Clara")
    players.do("settle-challenge")
    players.do("undo")
    players.do("redo")
    players.do("stop")
    players.do("racks", racks=["ABENDRO", "TISCHEN"])
    for number in range(1, len(players.table.state.done) + 1):
        found = look(players, number, Texts(language))
        assert found.headline and found.history and all(line.at and line.who for line in found.history)
    other = "Foto" if language == "en" else "Photo"
    assert not any(other in text for text in said(look(players, 1, Texts(language))))


def _seen(players: Players, digest: str) -> Any:
    from vision.observe import Observation

    return Observation(digest, reading=players.make(HUT.rows), size=(1000, 800))


def test_an_archive_of_another_store_looks_the_same(players: Players, tmp_path: Path) -> None:
    players.photo(HUT)
    players.do("confirm", announced=9)
    with (tmp_path / "game.zip").open("wb+") as file:
        players.store.export(players.game, file)
        file.seek(0)
        copy = Table(players.store, players.store.import_(file), players.engines)
    assert Disputes(copy.state, copy.rows, DE).of(1) == look(players, 1)


def test_authors_without_a_name_go_by_their_phone(players: Players) -> None:
    version = players.table.state.version
    players.store.append(
        players.game, [NewRow("dropped", {})], expected=version, author=replace(ANNA, who=""), request="request x"
    )
    players.table.refresh()
    players.lay(HUT)
    assert look(players, 1).history[0].who == "Telefon phon"
