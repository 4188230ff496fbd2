"""Questions and faults as sentences."""

from __future__ import annotations

from assistant.doubts import Question
from assistant.recount import RecountEntry
from assistant.texts import Texts
from scorer.board import Square
from scorer.notation import Notation, format_square
from vision.reading import BLANK, EMPTY


def square_names(squares: tuple[Square, ...]) -> str:
    """German square names: H8, H9, ..."""
    return ", ".join(format_square(square, Notation.GERMAN) for square in squares)


def ask(entry: RecountEntry, texts: Texts) -> str | None:
    """The entry's question as one sentence, None when there is none."""
    return None if entry.question is None else sentence(entry.question, texts)


def sentence(question: Question, texts: Texts) -> str:
    """The question as one sentence."""
    code = question.code
    if code == "other-position" and not question.squares:  # nothing is missing, too much is there
        code = "other-position-nowhere"
    elif code == "which-letter" and len(question.candidates) == 1:
        code = "this-letter"
    return texts(
        f"question.{code}",
        squares=square_names(question.squares),
        first=square_names(question.squares[:1]),
        second=square_names(question.squares[1:2]),
        photo=question.photo or "",
        candidates=_candidates(question, texts),
        faults=", ".join(texts(f"fault.{code}") for code in question.faults.codes),
        reason=texts(f"reason.{question.reason}") if question.reason else "",
    )


def _candidates(question: Question, texts: Texts) -> str:
    return ", ".join(char_name(char, texts) for char, _ in question.candidates)


def char_name(char: str, texts: Texts) -> str:
    """A tile as a word: its letter, "blank", "no tile"."""
    return {EMPTY: texts("candidate.empty"), BLANK: texts("candidate.blank")}.get(char, char)
