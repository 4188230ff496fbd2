"""The sum of a play in words, for the page and the terminal."""

from __future__ import annotations

from typing import Literal

from scorer.notation import Coordinate, Notation, format_coordinate
from scorer.scoring import LetterScore, Play, WordScore

Language = Literal["de", "en"]

_TEXTS: dict[Language, dict[str, str]] = {
    "de": {"word": "Wort", "bingo": "Alle {count} Steine gelegt: + {points}", "total": "Zusammen: {points}"},
    "en": {"word": "word", "bingo": "All {count} tiles laid: + {points}", "total": "Total: {points}"},
}


def explain(play: Play, language: Language = "de", notation: Notation = Notation.GERMAN) -> list[str]:
    """The steps of the sum, a line for each word, one for the bonus if there is one, and one for the total."""
    texts = _TEXTS[language]
    lines = [_word_line(word, texts["word"], notation) for word in play.words]
    if play.bingo_bonus:
        lines.append(texts["bingo"].format(count=len(play.placement), points=play.bingo_bonus))
    return [*lines, texts["total"].format(points=play.score)]


def _word_line(word: WordScore, label: str, notation: Notation) -> str:
    """``H4 FIRNS: F 4 x 2 = 8, I 1, R 1, N 1, S 1 = 12, Wort x 2 = 24``"""
    coordinate = format_coordinate(Coordinate(word.start, word.direction), notation)
    letters = ", ".join(map(_letter_text, word.letters))
    line = f"{coordinate} {word.word}: {letters} = {word.letter_sum}"
    return f"{line}, {label} x {word.multiplier} = {word.score}" if word.multiplier > 1 else line


def _letter_text(letter: LetterScore) -> str:
    times = letter.premium.letter_multiplier
    text = f"{letter.tile} {letter.value}"
    return f"{text} x {times} = {letter.score}" if times > 1 else text
