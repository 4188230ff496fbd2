"""The one error class of the project; every layer derives its own from it."""

from __future__ import annotations


class BrettblickError(Exception):
    """Something a person has to know about, with what to do now.

    code:      stable, machine-readable, kebab-case; also the key of the translated text
    hint:      one sentence that says what to do now, "" when the message says it all
    exit_code: status a command ends with when nothing catches the error
    details:   values that the translated text is filled with
    """

    code = "error"
    exit_code = 2

    def __init__(self, message: str, *, code: str | None = None, hint: str = "", **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.hint = hint
        self.details = details


class NotationError(BrettblickError):
    """A text (coordinate, move, board, written game) that does not say what it should."""

    code = "bad-notation"
