"""Errors of the vision layer."""

from __future__ import annotations

from scorer.errors import BrettblickError


class PhotoError(BrettblickError):
    """A file that cannot be decoded into a photo."""

    code = "unreadable-file"
    exit_code = 3


class ModelError(BrettblickError):
    """Weights that are missing or not what they should be."""

    code = "bad-model"


class EngineMissing(BrettblickError):
    """A reading engine that is not installed on this machine."""

    code = "engine-missing"
