"""Values as they are written down: JSON and times, with limits that make sure that what is kept can be read again."""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from typing import Any

from assistant.store.rows import Author, Json, NewRow

LONGEST_BODY = 1_000_000
"""Characters of the JSON text of one row, of a setup, of a clock."""

LONGEST_NAME = 200
"""Characters of a device, of a person, of a request, of a kind of row."""

MOST_PHOTOS = 100
"""Photos that one row is about."""

LARGEST_NUMBER = 2**53
"""Whole numbers beyond are changed by a browser without a word, so they are refused."""

DIGEST = re.compile(r"[0-9a-f]{64}")
"""SHA-256, the name of a photo."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def now() -> datetime:
    """UTC, whole milliseconds."""
    at = datetime.now(UTC)
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def time_text(at: datetime) -> str:
    """ISO 8601, such as 2026-05-01T18:30:00.250Z: sorts as it passes."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_time(text: object) -> datetime:
    """ValueError for anything but what ``time_text`` writes."""
    if not isinstance(text, str) or not _TIME.fullmatch(text):
        raise ValueError(f"no time: {text!r:.60}")
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def json_text(value: Json) -> str:
    """The JSON text of an object; ValueError when it is too long or could not be read again the same."""
    text = json.dumps(dict(value), separators=(",", ":"), allow_nan=False)
    if len(text) > LONGEST_BODY:
        raise ValueError(f"{len(text)} characters of JSON, more than {LONGEST_BODY}")
    read_json(text)
    return text


def read_json(text: str | bytes) -> dict[str, Any]:
    """The object that a JSON text is. ValueError for anything else, and for what programs read differently: a key that
    is there twice, numbers that are none or too large."""
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=_whole, parse_float=_real, parse_constant=_no_number
        )
    except RecursionError as error:
        raise ValueError("JSON too deep") from error
    return read_object(value)


def read_object(value: object) -> dict[str, Any]:
    """The value, if it is a JSON object; ValueError else."""
    if not isinstance(value, dict):
        raise ValueError(f"no JSON object but {type(value).__name__}")
    return value


def check_name(text: object, *, empty: bool = True) -> str:
    """The text, if every database can keep it and it is not too long; ValueError else."""
    if not isinstance(text, str) or len(text) > LONGEST_NAME or not (text or empty):
        raise ValueError(f"no name: {text!r:.60}")
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError(f"characters that do not exist: {text!r:.60}")
    return text


def check_author(author: Author) -> None:
    """ValueError when it cannot be kept."""
    check_name(author.device)
    check_name(author.who)


def check_row(row: NewRow) -> str:
    """The JSON text of its body; ValueError when the row cannot be kept."""
    check_name(row.kind, empty=False)
    if len(row.photos) > MOST_PHOTOS:
        raise ValueError(f"{len(row.photos)} photos in one row, more than {MOST_PHOTOS}")
    return json_text(row.body)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that is there twice")
    return found


def _whole(text: str) -> int:
    if len(text) > 20 or abs(number := int(text)) > LARGEST_NUMBER:
        raise ValueError(f"number too large: {text:.30}")
    return number


def _real(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"number too large: {text:.30}")
    return number


def _no_number(text: str) -> float:
    raise ValueError(f"not a number: {text}")
