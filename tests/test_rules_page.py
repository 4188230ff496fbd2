"""docs/rules.md is held to the code: every rule of the checklist has its place and its test."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.rules import RULE_SETS, SETTINGS

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "rules.md"
CHECKLIST = ROOT.parent / "shared" / "rules" / "checklist.md"

RULES = {1: 5, 2: 5, 3: 6, 4: 9, 5: 8, 6: 4, 7: 9, 8: 14, 9: 5, 10: 6, 11: 6, 12: 6, 13: 7}
"""How many rules each section of the checklist has."""


class Row(NamedTuple):
    rule: str
    places: list[str]
    tests: list[str]


def rows() -> Iterator[Row]:
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if re.fullmatch(r"R\d+\.\d+", cells[0]):
            yield Row(cells[0], re.findall(r"`([^`]+)`", cells[2]), re.findall(r"`([^`]+)`", cells[3]))


ROWS = list(rows())


def test_every_rule_has_one_row() -> None:
    wanted = [f"R{section}.{number + 1}" for section, count in RULES.items() for number in range(count)]
    assert [row.rule for row in ROWS] == wanted


@pytest.mark.skipif(not CHECKLIST.exists(), reason="the checklist (../shared/rules) is not here")
def test_the_rules_are_those_of_the_checklist() -> None:
    found = re.findall(r"\bR\d+\.\d+(?= \[)", CHECKLIST.read_text(encoding="utf-8"))
    assert sorted(set(found)) == sorted(row.rule for row in ROWS)


@pytest.mark.skipif(not CHECKLIST.exists(), reason="the checklist (../shared/rules) is not here")
def test_what_the_texts_leave_open_is_a_setting() -> None:
    """Tags [conf] and [seed?]: a setting, unless the point is what counts as the start of the game (R4.8)."""
    open_points = re.findall(r"\b(R\d+\.\d+) \[(?:conf|seed\?)\]", CHECKLIST.read_text(encoding="utf-8"))
    settings = {row.rule: [place for place in row.places if place in SETTINGS] for row in ROWS}
    assert open_points
    assert [rule for rule in open_points if not settings[rule] and rule != "R4.8"] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rule)
def test_what_a_row_names_exists(row: Row) -> None:
    assert row.places
    for place in row.places:
        assert place in SETTINGS or resolves(place), place
    assert row.tests
    for test in row.tests:
        module, name = test.split(".")
        assert f"def {name}(" in (ROOT / "tests" / "scorer" / f"{module}.py").read_text(encoding="utf-8"), test


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_in_the_row_of_each_of_its_rules(name: str) -> None:
    """And so each setting is somewhere on the page."""
    assert SETTINGS[name].rules
    places = {row.rule: row.places for row in ROWS}
    assert any(name in places[rule] for rule in SETTINGS[name].rules)


def test_the_table_of_the_sets_is_what_the_code_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.partition("<!-- sets -->")[2].partition("<!-- /sets -->")[0].strip() == table()


def table() -> str:
    """The named sets, a line a setting."""
    lines = [f"| Setting | {' | '.join(RULE_SETS)} | Rules |", "|---" * (len(RULE_SETS) + 2) + "|"]
    for name, setting in SETTINGS.items():
        values = " | ".join(rules.text_of(name) for rules in RULE_SETS.values())
        lines.append(f"| `{name}` | {values} | {', '.join(setting.rules)} |")
    return "\n".join(lines)


def resolves(place: str) -> bool:
    """Whether a dotted name is a module or something in one."""
    parts = place.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            fields = getattr(found, "__dataclass_fields__", {})
            if not hasattr(found, part) and part not in fields:
                return False
            found = getattr(found, part, None)
        return True
    return False
