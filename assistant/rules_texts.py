"""Rule sets in plain words: what each setting means and what its value says, from the one catalogue."""

from __future__ import annotations

from enum import StrEnum
from typing import get_args, get_type_hints

from assistant.texts import Texts
from scorer.rules import SETTINGS, RuleSet

SECTIONS = (
    "layout",
    "min_first_word",
    "word_authority",
    "challenge_until",
    "exchange_min_bag",
    "end_on_passes",
    "blank_reuse",
    "clock_seconds",
)
"""The setting each section begins with, in the order of SETTINGS."""

_KINDS = get_type_hints(RuleSet)


def choices(name: str) -> tuple[str, ...]:
    """The values of a setting that is one or some of a few, none for any other."""
    kind = (get_args(_KINDS[name]) or (_KINDS[name],))[0]
    return tuple(kind) if issubclass(kind, StrEnum) else ()


def value_text(rules: RuleSet, name: str, texts: Texts) -> str:
    """What a setting of these rules says: ``10 Punkte``, ``nur, wer zuerst angezweifelt hat``."""
    value = getattr(rules, name)
    if isinstance(value, bool):
        return texts("value.yes" if value else "value.no")
    if isinstance(value, int):
        key = f"value.{name}.{value}"
        time = f"{value} s" if value % 60 else f"{value // 60} min"
        return texts(key) if texts.has(key) else texts(f"value.{name}.n", n=value, time=time)
    if isinstance(value, tuple):
        return ", ".join(texts(f"value.{name}.{one}") for one in value or ("none",))
    written = rules.text_of(name)
    key = f"value.{name}.{written}"
    return texts(key if texts.has(key) else f"value.{name}.other")


def allowed_text(name: str, texts: Texts) -> str:
    """What a setting can be, as it is written behind ``--rule NAME=``."""
    if (found := SETTINGS[name].bounds) is not None:
        return texts("allowed.number", low=found[0], high=found[1])
    if _KINDS[name] is bool:
        return texts("allowed.switch")
    if values := choices(name):
        return texts("allowed.one" if isinstance(_KINDS[name], type) else "allowed.some", values=", ".join(values))
    return texts("allowed.layout")
