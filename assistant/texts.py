"""The one catalogue of what players see, in German and English: `texts.toml` beside this file, and the scorer's."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePath

import scorer.texts
from scorer.errors import BrettblickError
from scorer.texts import LANGUAGES, Catalogue


@cache
def _catalogue() -> Catalogue:
    own = tomllib.loads((files("assistant") / "texts.toml").read_text(encoding="utf-8"))
    return _merged(scorer.texts.catalogue(), own)


def _merged(one: Catalogue, other: Catalogue) -> Catalogue:
    """Both as one; ValueError for a key that is in both."""
    if twice := sorted(set(one) & set(other)):
        raise ValueError(f"texts that are there twice: {', '.join(twice)}")
    return one | other


@dataclass(frozen=True)
class Texts:
    """The catalogue in one language; call it with a key and the values its text names."""

    language: str = "de"

    def __call__(self, key: str, **values: object) -> str:
        return _catalogue()[key][self.language].format(**values)

    def pattern(self, key: str) -> str:
        """The text with its placeholders as they stand, for a script that fills them in."""
        return _catalogue()[key][self.language]

    def number(self, value: int) -> str:
        """A whole number with its thousands parted as the language does: 590.995 or 590,995."""
        return f"{value:,}".replace(",", "." if self.language == "de" else ",")

    def has(self, key: str) -> bool:
        return key in _catalogue()

    def error(self, error: BrettblickError) -> str:
        """One line: what happened and what to do now. A detail that is an error itself is said in the same language;
        English ones of deeper layers are kept when untranslated."""
        key = f"error.{error.code}"
        if not self.has(key):
            return one_line(f"{error.message}. {error.hint}".removesuffix(". "))
        details = {name: self._detail(value) for name, value in error.details.items()}
        return self(key, **{"message": one_line(error.message), "hint": error.hint} | details)

    def _detail(self, value: object) -> object:
        if isinstance(value, BrettblickError):
            return self.error(value)
        return one_line(str(value)) if isinstance(value, (str, PurePath)) else value


_LONGEST = 1000
"""Characters of a value in an error: lists of all settings stay whole, a file given as one word does not."""


def one_line(text: str) -> str:
    """The text with escapes for what a terminal does not show, or obeys; cut when it is endless."""
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def default_language() -> str:
    """BRETTBLICK_LANG, else German: the tables of this game are German first."""
    wanted = os.environ.get("BRETTBLICK_LANG", "de")[:2].lower()
    return wanted if wanted in LANGUAGES else "de"
