"""What the built-in list knows, wrongly accepts and costs: python -m bench.lexicon [--speed]

Accuracy: words left standing in the tournament games of ``../shared`` (where that folder is), and the samples of
``tests/assistant/lexicon_samples``, which were written without a look at the list. Costs: time to open, memory and
look-up beside a plain set of the same words, in one run; ratios travel from machine to machine, times do not.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import textwrap
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assistant.lexicon import german
from scorer.adjudication import Referee
from scorer.events import Placed, Withdrawn
from scorer.formats import read_written_game
from scorer.letter_model import prior_of
from scorer.lexicon import Answer, Lexicon, Listed, SecondOpinion
from scorer.rescore import rescore
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "tests" / "assistant" / "lexicon_samples"
SHARED = ROOT.parent / "shared"
TURNIER = RULE_SETS["turnier"]

TOURNAMENT = (56, 212)
"""Different words of two letters, and of more, that stayed on the board in the games of ``../shared``."""

WRONG = ("names", "places", "brands", "abbreviations", "english", "umlauts_written_out", "typos")
"""Samples of words that are not allowed; ``also_words`` holds names that are words as well."""


def first_list() -> Listed:
    """The built-in list alone."""
    return Listed(german.about(), german.words().spelled, TURNIER)


def sample(name: str) -> list[str]:
    """The words of a sample."""
    lines = (SAMPLES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def answers(lexicon: Lexicon, words: list[str]) -> dict[Answer, list[str]]:
    """The words by what the lexicon says of them."""
    out: dict[Answer, list[str]] = {answer: [] for answer in Answer}
    for word in words:
        out[lexicon.look_up(word).answer].append(word)
    return out


@dataclass(frozen=True)
class GameWords:
    """Words of tournament games, in capitals.

    standing:       those that stayed on the board
    challenged_off: those of each move that was taken back: one at least is not allowed
    """

    standing: frozenset[str]
    challenged_off: tuple[tuple[str, ...], ...]


def game_words(folder: Path = SHARED) -> GameWords:
    """All words formed in the German games there, but for those with a blank whose letter no record gives."""
    standing: set[str] = set()
    off: list[tuple[str, ...]] = []
    for path in [*sorted((folder / "games").glob("*.tsv")), *sorted((folder / "gcg" / "german").glob("*.gcg"))]:
        log = rescore(read_written_game(path.read_bytes(), path.name), TURNIER, GERMAN_102).state.log
        gone = {entry.event.ref for entry in log if isinstance(entry.event, Withdrawn)}
        for entry in log:
            if isinstance(entry.event, Placed) and entry.play is not None:
                here = tuple(word.capitals for word in entry.play.words)
                if entry.number in gone:
                    off.append(here)
                else:
                    standing |= {word for word in here if "?" not in word}
    return GameWords(frozenset(standing), tuple(off))


def accuracy() -> None:
    """Prints recall on real games and what of the samples is accepted."""
    lexicons: dict[str, Lexicon] = {"built-in list": first_list()}
    if second := german.second_list():
        lexicons["with second opinion"] = SecondOpinion(first_list(), second, german.second_has)
    for name, lexicon in lexicons.items():
        print(f"\n{name}: {', '.join(one.title for one in lexicon.lists)}")
        print(f"{'sample':24}{'words':>7}{'valid':>9}{'doubtful':>10}{'unknown':>9}   accepted")
        if SHARED.is_dir():
            found = game_words()
            for title, words in (
                ("games: 2 letters", [word for word in found.standing if len(word) == 2]),
                ("games: 3 and more", [word for word in found.standing if len(word) > 2]),
            ):
                _row(title, answers(lexicon, sorted(words)), missed=True)
            for move in found.challenged_off:
                refused = [word for word in move if lexicon.look_up(word).answer is not Answer.VALID]
                print(f"challenged off: {', '.join(move)}; not accepted: {', '.join(refused) or 'none'}")
        for title in ("also_words", *WRONG, "random_racks", "random_compounds"):
            _row(title, answers(lexicon, sample(title)), missed=title == "also_words")


def _row(title: str, by_answer: dict[Answer, list[str]], missed: bool) -> None:
    """missed: whether to name the words that are not accepted, else those that are"""
    total = sum(map(len, by_answer.values()))
    share = [100 * len(by_answer[answer]) / total for answer in (Answer.VALID, Answer.DOUBTFUL, Answer.UNKNOWN)]
    shown = [word for answer in Answer if (answer is not Answer.VALID) is missed for word in by_answer[answer]]
    line = f"{title:24}{total:7}{share[0]:8.1f}%{share[1]:9.1f}%{share[2]:8.1f}%   "
    print(line + ("missed: " if missed else "") + textwrap.shorten(", ".join(shown) or "-", 300, placeholder=" ..."))


# --- costs --------------------------------------------------------------------------------------------------------

_MEMORY = """
from pathlib import Path
def used():
    for line in Path('/proc/self/status').read_text().splitlines():
        if line.startswith('VmRSS'):
            return int(line.split()[1]) / 1024
import random, time
{setup}
before = used()
start = time.perf_counter()
{load}
seconds = time.perf_counter() - start
{touch}
print(seconds * 1000, used() - before)
"""


def costs(runs: int) -> None:
    """Prints how long opening and looking up take, and how much memory: list, verdict, letter model, plain set."""
    words = sorted({tiles for tiles, _ in german.words().entries()})
    asked = random.Random(6).sample(words, 20_000)
    wrong = sample("random_racks") * 20
    plain = frozenset(words)
    lexicon = first_list()

    def micros(work: Callable[[str], object], of: list[str]) -> float:
        return min(timeit.repeat(lambda: [work(word) for word in of], number=1, repeat=runs)) / len(of) * 1e6

    unit = micros(plain.__contains__, asked)
    print(f"\n{'look-up (20,000 of the words, in random order)':52}{'microseconds':>14}{'sets':>8}")
    for name, work, of in (
        ("plain set: is it there", plain.__contains__, asked),
        ("trie: is it there", german.words().has, asked),
        ("verdict with list and spelling", lexicon.look_up, asked),
        ("verdict on what is mostly no word (random racks)", lexicon.look_up, wrong),
        ("verdict on a word in small letters", lexicon.look_up, [word.lower() for word in asked]),
    ):
        each = micros(work, of)
        print(f"{name:52}{each:14.2f}{each / unit:8.1f}")
    letters = german.letter_model()
    letters.log_probability("?")  # what it works out once
    words_too = prior_of(letters, RULE_SETS["familie"], Referee(first_list()))
    patterns = [f"{word[:2]}?{word[3:]}" for word in asked if len(word) > 2][:300]
    for name, prior, of in (
        ("prior: letters alone", letters, asked[:5000]),
        ("prior: letters and words, each word for the first time", words_too, asked[:3000]),
        ("prior: letters and words, one letter open", words_too, patterns),
    ):
        start = time.perf_counter()
        for word in of:
            prior.log_probability(word)
        each = (time.perf_counter() - start) / len(of) * 1e6
        print(f"{name:52}{each:14.2f}{each / unit:8.1f}")
    print(f"\n{'opening':52}{'milliseconds':>14}{'MB':>8}")
    touch = "random.seed(6)\nfor word in random.sample(asked, 20000): has(word)"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words.txt"
        path.write_text("\n".join(words), encoding="utf-8")
        read = f"asked = Path({str(path)!r}).read_text(encoding='utf-8').split()"
        for name, setup, load in (
            (
                "trie: opened where it lies, then 20,000 look-ups",
                f"import marisa_trie\n{read}",
                f"trie = marisa_trie.BytesTrie().mmap({str(german.FILE)!r})\nhas = trie.__contains__",
            ),
            ("plain set: read from text", read, f"has = frozenset({read.partition(' = ')[2]}).__contains__"),
        ):
            code = _MEMORY.format(setup=setup, load=load, touch=touch)
            outputs = [subprocess.check_output([sys.executable, "-c", code], text=True).split() for _ in range(3)]
            print(f"{name:52}{min(float(ms) for ms, _ in outputs):14.1f}{min(float(mb) for _, mb in outputs):8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", action="store_true", help="the costs alone")
    parser.add_argument("--runs", type=int, default=7, help="of each row; the best counts")
    args = parser.parse_args()
    if not args.speed:
        accuracy()
    costs(args.runs)


if __name__ == "__main__":
    main()
