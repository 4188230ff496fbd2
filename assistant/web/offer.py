"""What the form for a new game offers: rule sets, their settings in plain words, tile sets, word lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import get_args, get_type_hints

from assistant.rules_texts import SECTIONS, choices
from assistant.texts import Texts
from scorer.rules import RULE_SETS, SETTINGS, RuleSet
from scorer.tiles import TILE_SETS

LEFT_OUT = ("layout", "rack_size", "clock_seconds")
"""Settings that go with the board, the tile set and the clock's own field."""

FIRST = ("familie", "turnier", "scrabble-deutschland", "mattel")
"""The order in which rule sets are offered."""


@dataclass(frozen=True)
class Setting:
    """A setting as a field of the form.

    kind:     number (low to high), one or some of the values
    values:   (as the rules write it, in words)
    defaults: what each rule set says, as the rules write it
    """

    name: str
    title: str
    about: str
    kind: str
    values: tuple[tuple[str, str], ...]
    low: int
    high: int
    defaults: Mapping[str, str]


@dataclass(frozen=True)
class Rules:
    """A rule set to choose. minutes: of its clock, 0 for none."""

    name: str
    title: str
    about: str
    minutes: int


@dataclass(frozen=True)
class Offer:
    """All a new game can be made of. lexicons, tiles: (name, title)."""

    rules: tuple[Rules, ...]
    sections: tuple[tuple[str, tuple[Setting, ...]], ...]
    tiles: tuple[tuple[str, str], ...]
    lexicons: tuple[tuple[str, str], ...]


def offer(texts: Texts, lexicons: Sequence[tuple[str, str]]) -> Offer:
    """The offer in the texts' language. lexicons: name and title of the word lists there are."""
    sections: list[tuple[str, list[Setting]]] = []
    for name in SETTINGS:
        if name in SECTIONS:
            sections.append((texts(f"section.{name}"), []))
        if name not in LEFT_OUT:
            sections[-1][1].append(_setting(name, texts))
    return Offer(
        rules=tuple(_rules(name, texts) for name in sorted(RULE_SETS, key=_place)),
        sections=tuple((title, tuple(settings)) for title, settings in sections if settings),
        tiles=tuple((name, _tiles_title(name, texts)) for name in sorted(TILE_SETS, key=_tiles_place)),
        lexicons=(*lexicons, ("none", texts("web.no-lexicon"))),
    )


def _place(name: str) -> tuple[int, str]:
    return (FIRST.index(name) if name in FIRST else len(FIRST), name)


def _tiles_place(name: str) -> tuple[bool, bool, str]:
    return (name != "german", not name.startswith("german"), name)


def _tiles_title(name: str, texts: Texts) -> str:
    key = f"web.tiles.{name}"
    return texts(key, count=TILE_SETS[name].total) if texts.has(key) else name


def _rules(name: str, texts: Texts) -> Rules:
    rules = RULE_SETS[name]
    title = texts(f"web.ruleset.{name}") if texts.has(f"web.ruleset.{name}") else name
    about = texts(f"ruleset.{name}").removeprefix(f"{title}: ")
    return Rules(name, title, about[:1].upper() + about[1:], rules.clock_seconds // 60)


@cache
def _kinds() -> dict[str, object]:
    return get_type_hints(RuleSet)


def _setting(name: str, texts: Texts) -> Setting:
    bounds = SETTINGS[name].bounds
    values: tuple[tuple[str, str], ...] = ()
    kind = "one"
    if bounds is not None:
        kind = "number"
    elif _kinds()[name] is bool:
        values = (("yes", texts("value.yes")), ("no", texts("value.no")))
    else:
        kind = "some" if get_args(_kinds()[name]) else "one"
        values = tuple((str(value), texts(f"value.{name}.{value}")) for value in choices(name))
    low, high = bounds or (0, 0)
    defaults = {rules: RULE_SETS[rules].text_of(name) for rules in RULE_SETS}
    title, about = texts(f"setting.{name}"), texts(f"setting.{name}.about")
    return Setting(name, title, about, kind, values, low, high, defaults)
