"""One sentence of advice for everything found on a photo, in both languages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.advice import advice, all_warnings, places, square_range
from assistant.cli import main
from assistant.commands.recount import print_sheet
from assistant.recount import recount
from assistant.texts import LANGUAGES, Texts
from scorer.board import Square
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from tests.conftest import MakeReading
from vision.observe import Observation
from vision.quality import CODES, Finding

LAMP = frozenset(Square(row, col) for row in (7, 8, 9) for col in (7, 8, 9)) | {Square(10, 8)}
BARE = ("." * 15,) * 15


def seen_with(*findings: Finding, more: tuple[str, ...] = ()) -> Observation:
    return Observation("a.jpg", findings=findings, warnings=(*more, *(one.code for one in findings)))


def test_a_place_is_named_as_german_players_name_squares() -> None:
    assert square_range(LAMP, Texts("de")) == "H8 bis K10"
    assert square_range(LAMP, Texts("en")) == "H8 to K10"
    assert square_range([Square(0, 14)], Texts("de")) == "A15"


def test_the_lamp_is_named_with_its_place() -> None:
    said = advice(seen_with(Finding("glare", LAMP)), Texts("de"))
    assert said == ["Die Lampe spiegelt auf Feld H8 bis K10: bitte Lampe oder Kamera etwas zur Seite rücken."]


def test_of_several_places_the_largest_is_named() -> None:
    (said,) = advice(seen_with(Finding("covered", LAMP | {Square(0, 0)})), Texts("de"))
    assert "H8 bis K10 und an weiteren Stellen" in said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_every_code_has_one_sentence_with_and_without_a_place(code: str, language: str) -> None:
    texts = Texts(language)
    for finding in (Finding(code), Finding(code, LAMP)):
        (said,) = advice(seen_with(finding), texts)
        assert said.endswith(".") and said.count(". ") == 0 and "{" not in said
    assert all(texts.has(f"reason.{reason}") for reason in ("too-dark", "too-blurred"))


def test_advice_is_about_the_photo_warnings_are_about_everything() -> None:
    seen = seen_with(Finding("dark"), more=("turn-unsure",))
    texts = Texts("de")
    assert advice(seen, texts) == [texts("warning.dark")]
    assert all_warnings(seen, texts) == [texts("warning.turn-unsure"), texts("warning.dark")]


def test_places_are_zero_based_rows_and_columns() -> None:
    seen = seen_with(Finding("dark"), Finding("glare", frozenset({Square(7, 9), Square(7, 8)})))
    assert places(seen) == {"glare": [[7, 8], [7, 9]]}


def test_the_score_sheet_gives_a_tip_only_with_a_question(
    make_reading: MakeReading, capsys: pytest.CaptureFixture[str]
) -> None:
    word = (*BARE[:7], "......HUT......", *BARE[8:])
    lamp = {"findings": (Finding("glare", LAMP),), "warnings": ("glare",)}
    unsure = make_reading(word, {(7, 7): {"U": 0.6, "Ü": 0.4}})
    sure = make_reading(word)
    for reading, asked in ((unsure, True), (sure, False)):
        game = [Observation("0.jpg", reading=make_reading(BARE)), Observation("1.jpg", reading=reading, **lamp)]
        result = recount(game, ("A", "B"), RULE_SETS["turnier"], GERMAN_102)
        print_sheet(result, Texts("de"))
        out = " ".join(capsys.readouterr().out.split())
        assert ("Tipp: Die Lampe spiegelt auf Feld H8 bis K10:" in out) == asked


def test_read_writes_advice_places_and_a_picture_of_every_photo(
    demo_photos: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dark = (cv2.imread(str(demo_photos[11])) * 0.25).astype(np.uint8)
    cv2.imwrite(str(tmp_path / "dim.png"), dark)
    cv2.imwrite(str(tmp_path / "black.png"), np.full((300, 400, 3), 9, np.uint8))
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    names = [str(tmp_path / name) for name in ("dim.png", "black.png", "broken.jpg")]
    status = main(["read", *names, "--json", "--overlay", str(tmp_path / "drawn")])
    out, err = capsys.readouterr()
    dim, black, broken = map(json.loads, out.splitlines())
    texts = Texts("de")
    assert status == 3 and dim["found"] and dim["warnings"][-1] == "dark"
    assert dim["advice"] == [texts("warning.dark")] and dim["places"] == {}
    assert black["reason"] == "too-dark" and texts("reason.too-dark") in err
    assert black["advice"] == [] and broken["reason"] == "unreadable-file"
    drawn = {path.name: cv2.imread(str(path)).shape for path in (tmp_path / "drawn").iterdir()}
    assert set(drawn) == {"dim.jpg", "black.jpg"}
    assert drawn["black.jpg"][0] > 300 and drawn["dim.jpg"][0] > dark.shape[0]  # words below


def test_an_observation_keeps_its_findings_without_its_picture() -> None:
    seen = replace(seen_with(Finding("glare", LAMP)), photo=None)
    assert places(seen)["glare"][0] == [7, 7]
