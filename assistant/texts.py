"""The one catalogue of what players see, in German and English: `texts.toml` beside this file, and the scorer's."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import scorer.texts
from scorer.errors import BrettblickError
from scorer.texts import Catalogue

LANGUAGES = ("de", "en")


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

    def has(self, key: str) -> bool:
        return key in _catalogue()

    def error(self, error: BrettblickError) -> str:
        """One line: what happened and what to do now. English details of deeper layers are kept when untranslated."""
        key = f"error.{error.code}"
        if not self.has(key):
            return f"{error.message}. {error.hint}".removesuffix(". ")
        return self(key, message=error.message, hint=error.hint, **error.details)


def default_language() -> str:
    """BRETTBLICK_LANG, else German: the tables of this game are German first."""
    wanted = os.environ.get("BRETTBLICK_LANG", "de")[:2].lower()
    return wanted if wanted in LANGUAGES else "de"
