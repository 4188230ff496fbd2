"""Random racks and random compounds, to measure what a lexicon accepts by chance: python -m bench.lexicon_samples

Writes random_racks.txt and random_compounds.txt beside the samples chosen by hand, the same bytes each time; the nouns
of the compounds are those in compound_parts.txt there. Some racks and compounds are real words: that is part of what is
measured, and a rate is read against that of another list on the same file.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path

from scorer.board import SIZE
from scorer.spelling import laid_as
from scorer.tiles import GERMAN_102

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "assistant" / "lexicon_samples"
HOW_MANY = 1000
SEED = 6
JOINTS = ("", "s", "n")

RACKS_HEAD = f"""\
# {HOW_MANY} racks, each once: 2 to 7 letters (all lengths equally likely) drawn without replacement from the 100
# lettered tiles of the German set, seed {SEED}. Some are words by chance. Written by: python -m bench.lexicon_samples
"""
COMPOUNDS_HEAD = f"""\
# {HOW_MANY} compounds, each once: two different nouns of compound_parts.txt joined by nothing, s or n (equally likely),
# at most {SIZE} tiles, seed {SEED}. Some are words by chance. Written by: python -m bench.lexicon_samples
"""


def below(rng: random.Random, end: int) -> int:
    """A whole number from 0 to end - 1, from random() alone, whose values no version of Python changes."""
    return int(rng.random() * end)


def rack(rng: random.Random) -> str:
    """2 to 7 letters drawn as from the bag."""
    bag = [letter for letter in GERMAN_102.letters for _ in range(GERMAN_102.count(letter))]
    return "".join(bag.pop(below(rng, len(bag))) for _ in range(2 + below(rng, 6)))


def compound(rng: random.Random, parts: list[str]) -> str:
    """Two different nouns in one: Regenschirm, as a text has it."""
    rest = list(parts)
    first = rest.pop(below(rng, len(rest)))
    joint = JOINTS[below(rng, len(JOINTS))]
    return first + joint + rest[below(rng, len(rest))].lower()


def collect(draw: Callable[[random.Random], str]) -> str:
    """The lines of a file: words drawn until there are enough that differ and fit on the board, sorted as laid."""
    rng = random.Random(SEED)
    words: dict[str, str] = {}
    while len(words) < HOW_MANY:
        word = draw(rng)
        laid = laid_as(word, GERMAN_102)
        if not laid.obstacles:
            words.setdefault(laid.tiles, word)
    return "".join(f"{words[tiles]}\n" for tiles in sorted(words))


def main() -> None:
    """Writes both files."""
    parser = argparse.ArgumentParser(description="Write the random samples of the lexicon's measurement again.")
    parser.add_argument(
        "folder", nargs="?", type=Path, default=FOLDER, help="where to write them (default: the samples)"
    )
    folder = parser.parse_args().folder
    lines = (FOLDER / "compound_parts.txt").read_text(encoding="utf-8").splitlines()
    parts = [line for line in lines if not line.startswith("#")]
    for name, text in (
        ("random_racks.txt", RACKS_HEAD + collect(rack)),
        ("random_compounds.txt", COMPOUNDS_HEAD + collect(lambda rng: compound(rng, parts))),
    ):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
