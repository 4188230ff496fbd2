"""What the rules core says to players, in German and English (``texts.toml`` beside this file).

The rest of the program adds its own texts to these: a key is in one of the two files only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

Language = Literal["de", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

Catalogue = dict[str, dict[str, str]]
"""The text of each key in each language."""


@cache
def catalogue() -> Catalogue:
    """The texts of the rules core."""
    return tomllib.loads((files("scorer") / "texts.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Wording:
    """The texts of the rules core in one language; call it with a key and the values its text names."""

    language: Language

    def __call__(self, key: str, **values: object) -> str:
        return catalogue()[key][self.language].format(**values)

    def counted(self, what: str, count: float) -> str:
        """A number with its noun: "1 Punkt", "2 Punkte". Texts take both as one value, so that they always agree."""
        text = str(count) if isinstance(count, int) else f"{count:g}"
        return self(f"count.{what}.{'one' if count == 1 else 'many'}", count=text)

    def listed(self, parts: Iterable[str]) -> str:
        """Parts as they are said in a row: "Anna, Ben und Carla"."""
        *before, last = parts
        return self("list.and", before=", ".join(before), last=last) if before else last
