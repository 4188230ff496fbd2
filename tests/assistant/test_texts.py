"""One catalogue, both languages, every code that can turn up."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

import assistant.texts as texts_module
from assistant.texts import LANGUAGES, Texts, default_language
from scorer.clock import ClockError
from scorer.errors import BrettblickError, GameError
from scorer.events import IMPOSSIBLE
from scorer.placement import PlacementFault
from vision.quality import CODES

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = texts_module._catalogue()


def test_every_text_is_there_in_both_languages_with_the_same_values() -> None:
    for key, entry in CATALOGUE.items():
        assert set(entry) == set(LANGUAGES), key
        fields = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in entry.values()]
        assert fields[0] == fields[1], key


def test_a_key_is_in_one_of_the_two_files() -> None:
    entry = {"de": "ja", "en": "yes"}
    assert texts_module._merged({"a.b": entry}, {"a.c": entry}) == {"a.b": entry, "a.c": entry}
    with pytest.raises(ValueError, match=r"a\.b"):
        texts_module._merged({"a.b": entry}, {"a.b": entry})
    assert Texts("en")("count.points.many", count=2) == "2 points"


def test_every_key_used_in_the_code_is_in_the_catalogue() -> None:
    used = set()
    for path in (ROOT / "assistant").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "texts" and node.args:
                used |= {n.value for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant) and "." in str(n.value)}
    keys = {key for key in used if re.fullmatch(r"[a-z-]+\.[a-z-]+", str(key))}
    assert len(keys) > 20
    assert keys <= set(CATALOGUE)


def test_every_fault_and_every_kind_of_entry_has_a_text() -> None:
    for code in PlacementFault(~0).codes:
        assert f"fault.{code}" in CATALOGUE
    for kind in ("start", "place", "none", "withdrawn", "not-a-move", "unclear"):
        assert f"sheet.{kind}" in CATALOGUE


def test_every_code_of_the_vision_layer_has_a_text() -> None:
    reasons, warnings = set(), set()
    for path in (ROOT / "vision").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        reasons |= set(re.findall(r'reason="([a-z-]+)"', source)) | set(re.findall(r'code="([a-z-]+)", hint', source))
        warnings |= set(re.findall(r'warnings?[^\n]*?(?:append\(|\[|\(|\+= \()"([a-z]+-?[a-z-]*)"', source))
    warnings.discard("ignore")  # Python's own warnings
    warnings |= set(CODES)
    reasons |= {"too-dark", "too-blurred"}  # of vision.quality.poor_photo
    assert {"no-board", "board-cut-off"} <= reasons and {"grid-unsure", "turn-unsure", "dark", "blurred"} <= warnings
    assert {f"warning.{code}" for code in warnings} <= set(CATALOGUE)
    assert {code for code in reasons if f"reason.{code}" not in CATALOGUE and f"error.{code}" not in CATALOGUE} == set()
    asked = {
        code
        for name in ("recount.py", "doubts.py", "table/proposals.py")
        for code in re.findall(r'Question\(\s*"([a-z-]+)"', (ROOT / "assistant" / name).read_text(encoding="utf-8"))
    }
    assert len(asked) >= 5 and {f"question.{code}" for code in asked} <= set(CATALOGUE)


def test_every_code_of_an_error_has_a_text() -> None:
    """Of all layers, wherever an error is raised or its class made; ``Question`` and the like have other keys."""
    found: dict[str, str] = {}
    for layer in ("scorer", "vision", "calibration", "assistant"):
        for path in (ROOT / layer).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and _is_error(node.func):
                    named = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
                    found |= {one.value: path.name for value in named for one in ast.walk(value) if _is_code(one)}
                elif isinstance(node, ast.ClassDef):
                    for line in node.body:
                        if (
                            isinstance(line, ast.Assign)
                            and ast.unparse(line.targets[0]) == "code"
                            and _is_code(line.value)
                        ):
                            found[line.value.value] = path.name
    del found["error"]  # of the base class, which says its own words
    assert len(found) > 100
    assert {code: name for code, name in found.items() if f"error.{code}" not in CATALOGUE} == {}


def _is_error(function: ast.expr) -> bool:
    name = ast.unparse(function).rpartition(".")[2]
    return name.endswith("Error") or name in ("Conflict", "NoSuchGame", "NoSuchPhoto", "PhotosUnread")


def _is_code(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_of_games_and_clocks_have_a_text(language: str) -> None:
    texts = Texts(language)
    clock = (ROOT / "scorer" / "clock.py").read_text(encoding="utf-8")
    codes = {ClockError.code, *re.findall(r'code="([a-z-]+)"', clock)}
    assert len(codes) == 10
    for code in codes:
        text = texts.error(ClockError("no clock can show this", code=code, players=5, most=4, time="-1", player=7))
        assert text.endswith(".") and (code == "bad-clock") == ("no clock can show this" in text)
    for code in [GameError.code, "unknown-version", *IMPOSSIBLE.codes]:
        text = texts.error(GameError("it cannot be", code=code, ref=3))
        assert text.endswith(".") and (code == "bad-event") == ("it cannot be" in text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_says_what_happened(language: str) -> None:
    error = BrettblickError("x.jpg: no such file", code="missing-file", path="x.jpg")
    assert "x.jpg" in Texts(language).error(error)


def test_an_error_without_a_text_keeps_its_own_words() -> None:
    assert Texts("de").error(BrettblickError("the bag is torn", hint="Sew it.")) == "the bag is torn. Sew it."


def test_german_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRETTBLICK_LANG", raising=False)
    assert default_language() == "de"
    monkeypatch.setenv("BRETTBLICK_LANG", "en_GB.UTF-8")
    assert default_language() == "en"
