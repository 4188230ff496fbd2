"""The one error class of the project; every layer derives its own from it."""

from __future__ import annotations


class BrettblickError(Exception):
    """Something a person has to know about, with what to do now.

    code:      stable, machine-readable, kebab-case; also the key of the translated text
    hint:      one sentence that says what to do now, "" when the message says it all
    exit_code: status a command ends with when nothing catches the error
    details:   values that the translated text is filled with; an error among them is said in the same language
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


class BoardError(BrettblickError):
    """A change of the board that cannot be: a tile on a taken square, a tile taken from an empty one."""

    code = "bad-board"


class RuleError(BrettblickError):
    """A rule set or setting that does not exist, or a value it cannot have."""

    code = "bad-setting"


class GameError(BrettblickError):
    """An event that cannot belong to its game: an unknown player, a reference to no move."""

    code = "bad-event"


def line_error(number: int, reason: BrettblickError) -> NotationError:
    """The error of a file's line: ``details`` has the ``line`` and the ``reason``, with its own code and values."""
    return NotationError(f"line {number}: {reason.message}", code="bad-file", line=number, reason=reason)


def json_error(error: Exception, before: str = "") -> NotationError:
    """What ``json.loads`` says of a text that is no JSON, as the error of its line; ``before`` starts the message."""
    reason = NotationError(f"{before}{error}", code="no-json", column=getattr(error, "colno", 1))
    return NotationError(reason.message, code="bad-file", line=getattr(error, "lineno", 1), reason=reason)
