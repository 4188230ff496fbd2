"""Everything noteworthy about a game as sentences, on the score sheet too."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pytest

from assistant.checks import Check
from assistant.commands.recount import print_sheet
from assistant.notes import check_text, notes_of, nudge_text, revision_texts, tile_name, totals_before, what_it_is
from assistant.recount import Recount, RecountEntry, Revision, as_json, recount
from assistant.report import write_report
from assistant.texts import LANGUAGES, Texts
from scorer.board import Board, Square
from scorer.notation import Notation
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from vision.nudge import Nudge
from vision.observe import Observation
from vision.reading import BoardReading
from vision.steps import Step

EMPTY = Board.empty()
Make = Callable[..., BoardReading]
DE, EN = Texts("de"), Texts("en")
ROOT = Path(__file__).resolve().parents[2]


def lay(board: Board, row: int, col: int, word: str, down: bool = False) -> Board:
    """The board with the letters of a word that do not lie there yet."""
    squares = {Square(row + k * down, col + k * (not down)): char for k, char in enumerate(word)}
    return board.placed({s: char for s, char in squares.items() if board.at(s) is None})


HUT = lay(EMPTY, 7, 7, "HUT")
HUTOR = lay(HUT, 7, 9, "TOR", down=True)
HUTORE = lay(HUTOR, 9, 9, "RE")


def photos(
    make: Make, boards: Sequence[Board | None], unsure: Mapping[int, Mapping] | None = None
) -> list[Observation]:
    return [
        Observation(f"partie/{k:02}.jpg", reason="no-board")
        if board is None
        else Observation(f"partie/{k:02}.jpg", reading=make(board.rows, (unsure or {}).get(k)))
        for k, board in enumerate(boards)
    ]


def counted(seen: Sequence[Observation]) -> Recount:
    return recount(seen, ("Anna", "Ben"), RULE_SETS["turnier"], GERMAN_102)


def game(make: Make, boards: Sequence[Board | None], unsure: Mapping[int, Mapping] | None = None) -> Recount:
    return counted(photos(make, boards, unsure))


def sheet(result: Recount, texts: Texts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "160")
    print_sheet(result, texts)
    return capsys.readouterr().out


# --- what a photo shows -------------------------------------------------------------------------------------------


def test_initials_are_named(make_reading: Make) -> None:
    result = game(make_reading, [EMPTY, lay(EMPTY, 7, 6, "A?B"), HUT, HUTOR])
    assert what_it_is(result.entries[1], DE) == "kein Zug: die Namen der Spieler"
    assert what_it_is(result.entries[1], EN) == "not a move: the players' names"


def test_the_same_photo_twice_is_named(make_reading: Make) -> None:
    seen = [replace(one, digest=str(k)) for k, one in enumerate(photos(make_reading, [EMPTY, HUT, HUT, HUTOR]))]
    seen[2] = replace(seen[2], digest=seen[1].digest)
    assert what_it_is(counted(seen).entries[2], DE) == "kein Zug: dasselbe Foto noch einmal"


def test_a_burst_is_named(make_reading: Make) -> None:
    seen = photos(make_reading, [EMPTY, HUT, HUT, HUTOR])
    seen = [replace(one, digest=str(k), taken=datetime(2026, 5, 1, 20, k, 0)) for k, one in enumerate(seen)]
    seen[2] = replace(seen[2], taken=datetime(2026, 5, 1, 20, 1, 2))
    assert what_it_is(counted(seen).entries[2], DE) == "kein Zug: noch ein Foto derselben Stellung"


def test_a_move_being_laid_is_named(make_reading: Make) -> None:
    half = lay(HUT, 8, 11, "S")  # no neighbour: it cannot be a move yet
    hand = {2: {(r, c): {"*": 1.0} for r in range(7, 11) for c in range(11, 14) if (r, c) != (8, 11)}}
    result = game(make_reading, [EMPTY, HUT, half, HUTOR, HUTORE], hand)
    assert what_it_is(result.entries[2], DE) == "kein Zug: mitten im Legen aufgenommen"


def test_another_board_is_named_and_listed(make_reading: Make) -> None:
    other = lay(lay(EMPTY, 7, 3, "WINDE"), 7, 7, "EIS", down=True)
    result = game(make_reading, [EMPTY, HUT, HUTOR, HUTORE, other, HUTORE])
    assert what_it_is(result.entries[4], DE) == "kein Zug: passt nicht zu dieser Partie"
    (check,) = result.checks
    text = "Diese Fotos passen nicht zur Partie (ein anderes Brett?) und zählen nicht mit: 04.jpg."
    assert check_text(check, result, DE) == text
    text = "These photos do not fit the game (another board?) and do not count: 04.jpg."
    assert check_text(check, result, EN) == text


def test_a_photo_taken_again_is_named(make_reading: Make) -> None:
    entry = game(make_reading, [EMPTY, HUT, None, HUT, HUTOR]).entries[2]
    named = replace(entry, kind="not-a-move", why="taken-again", question=None)
    assert what_it_is(named, DE) == "kein Zug: nicht lesbar, danach neu aufgenommen"
    assert what_it_is(replace(named, kind="unclear"), DE) == "offen"  # while that is asked it is not said


def test_a_game_begun_before_the_first_photo_is_no_empty_board(make_reading: Make) -> None:
    begun = lay(lay(HUTORE, 7, 7, "HAND", down=True), 10, 7, "DAME")
    result = game(make_reading, [begun, lay(begun, 10, 10, "ELF", down=True)])
    assert result.entries[0].kind == "start" and what_it_is(result.entries[0], DE) == "die Partie ist schon im Gange"
    assert what_it_is(game(make_reading, [EMPTY, HUT]).entries[0], DE) == "leeres Brett"


def test_every_reason_why_a_photo_is_no_move_has_a_text() -> None:
    listed = re.search(r"why:\s+for what a photo.*?taken: (.*?);", Step.__doc__ or "", re.DOTALL)
    assert listed is not None
    whys = re.findall(r"[a-z-]{5,}", listed[1])
    source = "".join((ROOT / p).read_text(encoding="utf-8") for p in ("vision/sequence.py", "assistant/recount.py"))
    assert len(whys) == 6 and all(f'"{why}"' in source for why in whys)
    found = {language: [Texts(language)(f"why.{why}") for why in whys] for language in LANGUAGES}
    assert all(len(set(texts)) == 6 for texts in found.values())


# --- moves without a photo ----------------------------------------------------------------------------------------


def test_a_move_without_a_photo_has_its_own_row(
    make_reading: Make, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    taler = lay(HUT, 7, 9, "TALER", down=True)
    result = game(make_reading, [EMPTY, HUT, lay(taler, 9, 7, "SOLE"), lay(taler, 9, 7, "SOLE")])
    assert result.entries[2].player == 0 and len(result.entries[2].before) == 1
    lines = sheet(result, DE, capsys, monkeypatch).splitlines()
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if "10H" in line or "J8 SO" in line]
    # TALER 1 + 1 + 2 x 3 + 1 + 1 = 10 by Ben, then SOLE 1 + 2 + 2 + 1 = 6 by Anna, who had HUT 8
    assert rows == [
        ["-", "Ben", "10H .ALER (ohne Foto)", "TALER 10", "10", "8", "10"],
        ["02.jpg", "Anna", "J8 SO.E", "SOLE 6", "6", "14", "10"],
    ]
    assert totals_before(result.entries[2]) == [(8, 10)]


def test_moves_that_wait_for_an_answer_are_both_shown_and_count_nothing(
    make_reading: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    four = lay(HUTOR, 7, 7, "HERD", down=True)
    six = lay(lay(four, 10, 7, "DAS"), 9, 9, "REH")
    other = {(7, 7): ("N", "H"), (7, 8): ("O", "U"), (9, 9): ("N", "R")}  # NOT, where HUT lay; one letter of TOR
    unsure = {square: {seen: 0.96, true: 0.04} for square, (seen, true) in other.items()}
    seen = photos(make_reading, [EMPTY, HUT, HUTOR, four, six, lay(six, 10, 7, "DAST")], {4: unsure})
    result = counted(seen)
    entry = result.entries[4]
    assert (entry.kind, entry.counted, entry.player) == ("unclear", False, 0)
    assert [(one.player, one.play.text(Notation.GERMAN)) for one in entry.before] == [(1, "K8 .AS")]
    assert entry.play is not None and entry.play.text(Notation.GERMAN) == "J10 .EH"
    assert totals_before(entry) == [entry.totals] == [(13, 6)]  # HUT 8, HERD 5; TOR 6
    assert result.entries[5].player == 1
    lines = sheet(result, DE, capsys, monkeypatch).splitlines()
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]] for line in lines if "ohne Foto" in line or "04.jpg" in line
    ]
    assert [row[4:] for row in rows if len(row) > 4] == [["?", "13", "6"], ["?", "13", "6"]]
    move = as_json(result, lambda entry: None)["moves"][4]
    assert move["score"] is None and [one["score"] for one in move["before"]] == [None]
    page = tmp_path / "a.html"
    write_report(result, [Path(one.name) for one in seen], page, DE)
    assert page.read_text(encoding="utf-8").count(DE("report.sum-if")) == 2


# --- notes --------------------------------------------------------------------------------------------------------


def test_an_old_tile_that_is_another_one_now(make_reading: Make) -> None:
    other = EMPTY.placed({**dict(HUTORE), Square(7, 8): "O"})
    result = game(make_reading, [EMPTY, HUT, HUTOR, HUTORE, other])
    assert notes_of(result.entries[4], result, DE) == ["Feld H9: im Protokoll U, im Foto O."]
    assert notes_of(result.entries[4], result, EN) == ["Square H9: U in the record, O in the photo."]
    assert not any(notes_of(entry, result, DE) for entry in result.entries[:4])
    (check,) = result.checks
    text = "Auf dem letzten Foto liegt auf H9 etwas anderes als im Protokoll. Bitte dort nachsehen."
    assert check_text(check, result, DE) == text


def test_tiles_have_names() -> None:
    assert [tile_name(char, DE) for char in ".?eH"] == ["kein Stein", "Blankostein", "Blankostein (E)", "H"]


def test_a_letter_that_later_photos_settled(make_reading: Make) -> None:
    result = game(make_reading, [EMPTY, HUT, HUTOR, HUTORE], {1: {(7, 8): {"Ü": 0.6, "U": 0.4}}})
    assert notes_of(result.entries[1], result, DE) == [
        "Feld H9: U. Auf diesem Foto allein sah es nach Ü aus; alle Fotos zusammen haben es geklärt."
    ]


def test_a_photo_that_a_later_one_explained(make_reading: Make) -> None:
    result = game(make_reading, [EMPTY, HUT, lay(HUT, 1, 1, "AB"), HUTOR, HUTORE])
    assert what_it_is(result.entries[2], DE) == "kein Zug: mitten im Legen aufgenommen"
    assert notes_of(result.entries[2], result, DE) == [
        "Erst 03.jpg hat das entschieden; vorher sah es nach einem Zug aus."
    ]


@pytest.mark.parametrize("kind", ["place", "none", "withdrawn", "start", "not-a-move"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_a_photo_was_taken_for_at_first_is_said(make_reading: Make, kind: str, language: str) -> None:
    result = game(make_reading, [EMPTY, HUT, HUTOR])
    changed = replace(result.entries[1], revision=Revision(kind, (), 2))
    (text,) = revision_texts(changed, result, Texts(language))
    assert "02.jpg" in text


@dataclass(frozen=True)
class Nudged(RecountEntry):
    """An entry as it will be."""

    nudges: tuple[Nudge, ...] = ()


@pytest.mark.parametrize(
    ("right", "down", "text"),
    [
        (0.3, 0.0, "Die Steine auf H5 bis H8 sind verrutscht, etwas nach rechts. Bitte gerade rücken."),
        (
            -0.5,
            0.0,
            "Die Steine auf H5 bis H8 sind verrutscht, um etwa ein halbes Feld nach links. Bitte gerade rücken.",
        ),
        (0.0, 1.0, "Die Steine auf H5 bis H8 sind verrutscht, um etwa ein Feld nach unten. Bitte gerade rücken."),
        (0.0, -0.3, "Die Steine auf H5 bis H8 sind verrutscht, etwas nach oben. Bitte gerade rücken."),
    ],
)
def test_tiles_that_slipped(make_reading: Make, right: float, down: float, text: str) -> None:
    nudge = Nudge(tuple(Square(7, col) for col in range(4, 8)), right, down, make_reading(EMPTY.rows))
    result = game(make_reading, [EMPTY, HUT])
    entry = Nudged(**(vars(result.entries[1]) | {"nudges": (nudge,)}))
    assert notes_of(entry, result, DE) == [text]
    assert nudge_text(nudge, EN).startswith("The tiles on H5 to H8 have slipped ")


# --- the whole game -----------------------------------------------------------------------------------------------


def test_too_many_tiles_of_a_kind(make_reading: Make) -> None:
    first = lay(EMPTY, 7, 7, "QUE")
    result = game(make_reading, [EMPTY, first, lay(first, 7, 9, "EQU", down=True)])
    found = [check_text(check, result, DE) for check in result.checks if check.code == "too-many-tiles"]
    assert found == ["So viele Steine hat der Satz nicht (Q: 1 zu viel). Irgendwo ist ein Stein falsch gelesen."]


def test_photos_in_another_order_are_listed_in_the_right_one(
    make_reading: Make, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = [EMPTY, HUT, HUTORE, HUTOR]
    minutes = [0, 1, 3, 2]
    seen = [
        replace(one, taken=datetime(2026, 5, 1, 20, minute))
        for one, minute in zip(photos(make_reading, boards), minutes, strict=True)
    ]
    printed = sheet(counted(seen), DE, capsys, monkeypatch)
    text = "Die Fotos wurden in einer anderen Reihenfolge aufgenommen: 00.jpg, 01.jpg, 03.jpg, 02.jpg."
    assert "Hinweise:" in printed and text in printed


def test_every_check_has_a_text(make_reading: Make) -> None:
    codes = set(re.findall(r'Check\("([a-z-]+)"', (ROOT / "assistant/checks.py").read_text(encoding="utf-8")))
    codes |= set(re.findall(r"([a-z]+-[a-z-]+) \(", (Check.__doc__ or "")))
    assert len(codes) == 6
    result = game(make_reading, [EMPTY, HUT])
    for code in codes:
        said = {check_text(Check(code, (Square(7, 7),), {"Q": 1}, (1,)), result, Texts(one)) for one in LANGUAGES}
        assert len(said) == 2


def test_every_question_has_a_text_in_both_languages() -> None:
    source = "".join((ROOT / "assistant" / name).read_text(encoding="utf-8") for name in ("recount.py", "doubts.py"))
    codes = set(re.findall(r'Question\(\s*"([a-z-]+)"', source)) | {"covered-tile", "which-letter", "tile-or-empty"}
    values = dict.fromkeys(("squares", "first", "second", "photo", "candidates", "faults", "reason"), "H8")
    assert len(codes) > 8
    for code in codes:
        said = {Texts(language)(f"question.{code}", **values) for language in LANGUAGES}
        assert len(said) == 2


def test_nothing_is_noted_of_a_game_without_trouble(
    make_reading: Make, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Hinweise" not in sheet(game(make_reading, [EMPTY, HUT, HUTOR]), DE, capsys, monkeypatch)
