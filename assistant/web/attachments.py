"""Names of files that are taken along: made from names that people typed, safe in headers and on every system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import quote

LONGEST = 120
"""Bytes of a file's name without its ending; most systems take 255."""

GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS"})

UNSAFE = re.compile(r"[^\w]+")
"""What is no letter, figure or underscore: no system gives these a meaning of their own."""


def file_stem(parts: Sequence[str]) -> str:
    """The parts as a file's name without an ending, in the letters they were written in: ``Änne-Ben-2026-11-30``."""
    words = (UNSAFE.sub("-", unicodedata.normalize("NFC", part)).strip("-_") for part in parts)
    stem = "-".join(word for word in words if word)
    return stem.encode()[:LONGEST].decode(errors="ignore").strip("-") or "brettblick"


def ascii_stem(stem: str) -> str:
    """The same in ASCII alone: ``Aenne-Ben-2026-11-30``; letters that have no such form are left out."""
    plain = unicodedata.normalize("NFKD", stem.translate(GERMAN)).encode("ascii", "ignore").decode()
    return re.sub(r"-+", "-", UNSAFE.sub("-", plain)).strip("-_") or "brettblick"


def disposition(stem: str, ending: str) -> str:
    """``Content-Disposition`` of a file to be kept (RFC 6266); its name as RFC 8187 has it too where it is no ASCII."""
    plain = ascii_stem(stem)
    header = f'attachment; filename="{plain}.{ending}"'
    return header if plain == stem else f"{header}; filename*=UTF-8''{quote(f'{stem}.{ending}', safe='')}"
