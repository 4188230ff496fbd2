"""Rule sets as data. Which text a setting comes from is given by the number of the rules checklist (R...)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from scorer.board import SIZE, STANDARD, BoardLayout
from scorer.errors import RuleError


class PenaltyUnit(StrEnum):
    """What a wrong challenge is charged by (R8.5, R8.6)."""

    CHALLENGE = "challenge"
    WORD = "word"


@dataclass(frozen=True)
class RuleSet:
    """What a table agreed on before the game (R8.14). Take one of RULE_SETS and change it with ``with_settings``.

    name:              name of the set the settings come from
    layout:            the premium squares
    rack_size:         tiles on a full rack, also the most that can be laid in one turn (R1.4, R4.9)
    bingo_bonus:       points for laying a full rack in one turn, added after all multiplications (R5.7, R5.8)
    min_first_word:    letters the first word must have by house rule (R12.4); two are needed in any case (R4.1)
    challenge_penalty: points the challenger pays for a wrong challenge (R8.5, R8.11)
    penalty_unit:      whether the penalty is due once per challenge or for each word challenged wrongly
    """

    name: str
    layout: BoardLayout = STANDARD
    rack_size: int = 7
    bingo_bonus: int = 50
    min_first_word: int = 2
    challenge_penalty: int = 0
    penalty_unit: PenaltyUnit = PenaltyUnit.CHALLENGE

    def __post_init__(self) -> None:
        for name, setting in _SETTINGS.items():
            value = getattr(self, name)
            if not setting.allows(value):
                raise RuleError(
                    f"{name} cannot be {value!r}; allowed: {setting.allowed}", setting=name, allowed=setting.allowed
                )
        object.__setattr__(self, "penalty_unit", PenaltyUnit(self.penalty_unit))

    def with_settings(self, **settings: Any) -> RuleSet:
        """The set with other settings; RuleError that names what is allowed for a wrong name or value."""
        for name in settings:
            if name not in _SETTINGS:
                raise RuleError(
                    f"there is no setting {name!r}; settings: {', '.join(_SETTINGS)}",
                    code="unknown-setting",
                    setting=name,
                    allowed=tuple(_SETTINGS),
                )
        return replace(self, **settings)

    def penalty(self, words: int) -> int:
        """Points the challenger of this many valid words pays, as a positive number."""
        return self.challenge_penalty * (words if self.penalty_unit is PenaltyUnit.WORD else 1)


class _Setting(NamedTuple):
    allows: Callable[[Any], bool]
    allowed: str


def _whole(low: int, high: int) -> _Setting:
    return _Setting(lambda value: type(value) is int and low <= value <= high, f"a whole number from {low} to {high}")


_SETTINGS: Mapping[str, _Setting] = MappingProxyType(
    {
        "layout": _Setting(lambda value: isinstance(value, BoardLayout), "a BoardLayout"),
        "rack_size": _whole(1, SIZE),
        "bingo_bonus": _whole(0, 1000),
        "min_first_word": _whole(2, SIZE),
        "challenge_penalty": _whole(0, 1000),
        "penalty_unit": _Setting(lambda value: value in list(PenaltyUnit), " or ".join(PenaltyUnit)),
    }
)

RULE_SETS: Mapping[str, RuleSet] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            RuleSet("mattel"),
            RuleSet("scrabble-deutschland", challenge_penalty=5),
            RuleSet("turnier", challenge_penalty=10, penalty_unit=PenaltyUnit.WORD),
            RuleSet("familie"),
        )
    }
)
"""The named rule sets by name, as the option ``--rules`` takes them."""


def rule_set(name: str) -> RuleSet:
    """The rule set of that name; RuleError that names those there are."""
    try:
        return RULE_SETS[name]
    except KeyError:
        raise RuleError(
            f"there is no rule set {name!r}; rule sets: {', '.join(RULE_SETS)}",
            code="unknown-rule-set",
            name=name,
            allowed=tuple(RULE_SETS),
        ) from None
