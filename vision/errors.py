"""Errors of the vision layer."""

from __future__ import annotations

from scorer.errors import BrettblickError


class PhotoError(BrettblickError):
    """A file that cannot be decoded into a photo."""

    code = "unreadable-file"
    exit_code = 3
