"""How likely a word is by its letters: a weak prior for whoever reads letters off tiles and cannot tell U from Ü.

The letter model knows how often letters follow each other in German and no word at all, so it may be asked in every
game. ``WordPrior`` knows words as well and gets them from a ``Referee``, who keeps the dictionary closed where the
rules do (R7.7, R12.2): nothing shown there can depend on whether a word is in a list.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import product
from typing import Protocol

from scorer.adjudication import Referee
from scorer.board import SIZE
from scorer.errors import BrettblickError, RuleError
from scorer.lexicon import Answer
from scorer.rules import RuleSet
from scorer.tiles import GERMAN_102

LETTERS = "".join(sorted(GERMAN_102.letters))
ANY = "?"
"""Stands for any letter in a pattern, as a blank does whose letter is not known."""

_EDGE = 0  # the number of both word start and word end; letters are numbered from 1
_SYMBOLS = len(LETTERS) + 1
_NUMBER: Mapping[str, int] = {letter: number for number, letter in enumerate(LETTERS, start=1)}
_LETTER_NUMBERS = range(1, _SYMBOLS)
_ROWS = _SYMBOLS * _SYMBOLS
_Context = tuple[int, ...]

_STEP = 1 / 16
"""Natural logarithms are stored as whole multiples of this: 256 of them reach down to a probability of 1e-7."""

_COUNTS = struct.Struct(f"<{SIZE + 1}I")
TABLE_BYTES = _ROWS * _SYMBOLS + _COUNTS.size
"""Size of a table: a byte a transition, then how many words of each length it was learned from."""

IMPOSSIBLE = -1e3
"""Log-probability of a pattern with a letter that the model does not know; finite, so that sums of it stay numbers."""

SHARE = 0.75
"""How much of what people lay is in a list, when it is to be weighed against words that are not: most, not all."""

MOST_BLANKS = 2
"""Unknown letters up to which a pattern is looked up in a list: the set has no more blanks."""


class Prior(Protocol):
    """What says how likely a word is before anybody looks at the tiles."""

    def log_probability(self, pattern: str) -> float:
        """Natural logarithm of the probability that a word of this length is this one.

        pattern: capitals as laid, ``?`` for any letter: then that of any word the pattern fits.
        """


class LetterModel:
    """P(letter | the two letters before it), with word start and word end.

    Probabilities are among words of the same length: over all letter sequences of one length they sum to one.
    Trigrams smoothed with bigrams, letters and, last, no preference at all, by the method of Witten and Bell (1991).
    """

    def __init__(self, table: bytes) -> None:
        """table: as ``learn`` makes it; BrettblickError for anything else."""
        if len(table) != TABLE_BYTES:
            raise BrettblickError(
                f"a letter table has {TABLE_BYTES} bytes, not {len(table)}", code="no-letter-table", size=len(table)
            )
        self.words_by_length: tuple[int, ...] = _COUNTS.unpack(table[-_COUNTS.size :])
        self._table = table

    # Worked out when first asked for: in most games no letter is open, and nobody asks.

    @cached_property
    def _probabilities(self) -> list[float]:
        of_byte = [math.exp(-byte * _STEP) for byte in range(256)]
        out: list[float] = []
        for start in range(0, _ROWS * _SYMBOLS, _SYMBOLS):
            row = [of_byte[byte] for byte in self._table[start : start + _SYMBOLS]]
            total = sum(row)
            out += [value / total for value in row]
        return out

    @cached_property
    def _logs(self) -> list[float]:
        return [math.log(value) for value in self._probabilities]

    @cached_property
    def _log_length(self) -> list[float]:
        """Log-probability of a word's length, by length."""
        logs, forward = [0.0], {0: 1.0}
        for _ in range(SIZE):
            forward = self._after(forward, _LETTER_NUMBERS)
            logs.append(self._log_ending(forward))
        return logs

    def log_probability(self, pattern: str) -> float:
        """See ``Prior``; ValueError for a pattern longer than a row of the board, or without letters."""
        if not 1 <= len(pattern) <= SIZE:
            raise ValueError(f"no word has {len(pattern)} letters: {pattern!r}")
        if ANY in pattern:
            return self._log_joint(pattern) - self._log_length[len(pattern)]
        logs, number = self._logs, _NUMBER
        total = -self._log_length[len(pattern)]
        context = 0
        try:
            for letter in pattern:
                here = context * _SYMBOLS + number[letter]
                total += logs[here]
                context = here % _ROWS
        except KeyError:
            return IMPOSSIBLE
        return total + logs[context * _SYMBOLS + _EDGE]

    def _log_joint(self, pattern: str) -> float:
        """Log-probability among words of all lengths, by the forward algorithm."""
        forward = {0: 1.0}
        for letter in pattern:
            number = _NUMBER.get(letter)
            if number is None and letter != ANY:
                return IMPOSSIBLE
            forward = self._after(forward, _LETTER_NUMBERS if number is None else (number,))
        return self._log_ending(forward)

    def _after(self, forward: Mapping[int, float], numbers: Iterable[int]) -> dict[int, float]:
        """The probabilities of the last two letters, after one of these more."""
        after: dict[int, float] = {}
        for context, probability in forward.items():
            for number in numbers:
                here = context * _SYMBOLS + number
                after[here % _ROWS] = after.get(here % _ROWS, 0.0) + probability * self._probabilities[here]
        return after

    def _log_ending(self, forward: Mapping[int, float]) -> float:
        return math.log(sum(p * self._probabilities[context * _SYMBOLS + _EDGE] for context, p in forward.items()))


class WordPrior:
    """A letter model that knows, of the words of a list, that they are words: for games with an open dictionary.

    P(word) = (1 - share) * P(letters) + share * [the list has it] / words of that length in the list
    """

    def __init__(self, letters: LetterModel, referee: Referee, rules: RuleSet, share: float = SHARE) -> None:
        """RuleError where the rules leave the dictionary closed until a word is challenged."""
        referee.beforehand((), rules)
        self.letters = letters
        self._referee, self._rules, self._share = referee, rules, share
        # Few patterns come in a move, each of them often; those with unknown letters take long.
        self.log_probability = lru_cache(maxsize=4096)(self._log_probability)

    def _log_probability(self, pattern: str) -> float:
        by_letters = self.letters.log_probability(pattern)
        words = self.letters.words_by_length[len(pattern)]
        if not words or pattern.count(ANY) > MOST_BLANKS:
            return by_letters
        found = sum(map(self._has, _fillings(pattern)))
        if not found:
            return by_letters + math.log(1 - self._share)
        return math.log((1 - self._share) * math.exp(by_letters) + self._share * found / words)

    def _has(self, word: str) -> bool:
        (ruling,) = self._referee.beforehand((word,), self._rules)
        return ruling.verdict.answer in (Answer.VALID, Answer.DOUBTFUL)  # doubtful words are laid as well


def prior_of(letters: LetterModel, rules: RuleSet, referee: Referee | None = None) -> Prior:
    """The prior that the rules allow: with the words of a list only where the dictionary is open."""
    if referee is None or not referee.lists:
        return letters
    try:
        return WordPrior(letters, referee, rules)
    except RuleError:
        return letters


def learn(words: Iterable[str]) -> bytes:
    """The table of a ``LetterModel`` from words as they are laid (A-Z, Ä, Ö, Ü), in any order; others are left out.

    The same words give the same bytes everywhere.
    """
    trigrams: Counter[_Context] = Counter()
    lengths = [0] * (SIZE + 1)
    for word in words:
        numbers = [_NUMBER.get(letter, _EDGE) for letter in word]
        if not 1 <= len(word) <= SIZE or _EDGE in numbers:
            continue
        lengths[len(word)] += 1
        padded = [_EDGE, _EDGE, *numbers, _EDGE]
        trigrams.update(zip(padded, padded[1:], padded[2:], strict=False))
    by_letter = _smoothed(_counted(trigrams, 0), lambda context: [1 / _SYMBOLS] * _SYMBOLS)
    by_pair = _smoothed(_counted(trigrams, 1), lambda context: by_letter[()])
    by_two = _smoothed(_counted(trigrams, 2), lambda context: by_pair[context[1:]])
    table = bytearray()
    for first in range(_SYMBOLS):
        for second in range(_SYMBOLS):
            row = by_two.get((first, second)) or by_pair.get((second,)) or by_letter[()]
            # Rounded before it is cut to steps: the last digit of a logarithm differs between machines.
            table += bytes(min(255, round(round(-math.log(value), 6) / _STEP)) for value in row)
    return bytes(table) + _COUNTS.pack(*lengths)


def _counted(trigrams: Mapping[_Context, int], known: int) -> dict[_Context, list[int]]:
    """How often each symbol follows the last ``known`` ones before it."""
    counts: dict[_Context, list[int]] = {(): [0] * _SYMBOLS} if known == 0 else {}
    for trigram, count in trigrams.items():
        counts.setdefault(trigram[2 - known : 2], [0] * _SYMBOLS)[trigram[2]] += count
    return counts


def _smoothed(
    counts: Mapping[_Context, list[int]], shorter: Callable[[_Context], list[float]]
) -> dict[_Context, list[float]]:
    """Probabilities mixed with those that a shorter context gives, the more the more kinds of symbols follow."""
    out = {}
    for context, row in counts.items():
        kinds = max(1, sum(count > 0 for count in row))
        total = sum(row) + kinds
        out[context] = [(count + kinds * p) / total for count, p in zip(row, shorter(context), strict=True)]
    return out


def _fillings(pattern: str) -> Iterator[str]:
    """The words a pattern can stand for."""
    parts = pattern.split(ANY)
    for letters in product(LETTERS, repeat=len(parts) - 1):
        yield parts[0] + "".join(letter + part for letter, part in zip(letters, parts[1:], strict=True))
