"""The built-in German list from its sources: Debian's tanglet-data and the hand-kept files in ``sources``.

The base list writes a line a key (capitals, umlauts as AE, OE, UE, ß as SS), then the spellings it stands for; a key
alone is a word in small letters. Every spelling becomes an entry. What the hand-kept files add or mark: words of two
letters, words that are missing, the spelling before 1996, words of one region, spellings that are doubtful.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from assistant.files import read_text
from assistant.lexicon import german
from assistant.lexicon.trie import Entry, content_hash, packed, tiles_of
from scorer.board import SIZE
from scorer.errors import BrettblickError
from scorer.letter_model import learn
from scorer.lexicon import DOUBTS, Mark, Reason, Spelled

EDITION = "2026-11"
"""Of the built-in list: a new one whenever what is in it changes."""

SOURCES = Path(__file__).parent / "sources"
BASE = Path("/usr/share/tanglet/gamedata/de/words")
"""Where Debian's package tanglet-data puts the base list."""

_REGIONS = {"at": Mark.AUSTRIA, "ch": Mark.SWITZERLAND}


@dataclass
class _Words:
    """The list while it is built: tiles -> spelling -> entry."""

    by_tiles: dict[str, dict[str, Spelled]] = field(default_factory=dict)

    def add(self, spelling: str, marks: Mark = Mark.NONE) -> None:
        """One spelling, as it is if it is there already."""
        tiles = tiles_of(spelling)
        if 2 <= len(tiles) <= SIZE:
            self.by_tiles.setdefault(tiles, {}).setdefault(spelling, Spelled(spelling, marks))

    def mark(self, spelling: str, marks: Mark) -> None:
        """Adds marks to a spelling that is there."""
        here = self.by_tiles[tiles_of(spelling)]
        here[spelling] = here[spelling]._replace(marks=here[spelling].marks | marks)

    def doubt(self, spelling: str, doubt: Reason) -> None:
        """Makes a spelling that is there doubtful."""
        here = self.by_tiles[tiles_of(spelling)]
        here[spelling] = here[spelling]._replace(doubt=doubt)

    def has(self, spelling: str) -> bool:
        return spelling in self.by_tiles.get(tiles_of(spelling), {})

    def spellings(self) -> list[str]:
        return [spelling for here in self.by_tiles.values() for spelling in here]

    def entries(self) -> list[Entry]:
        return [(tiles, one) for tiles, here in self.by_tiles.items() for one in here.values()]


@dataclass(frozen=True)
class Built:
    """The built list: the words, the letter model learned from them, and where they come from."""

    words: bytes
    letters: bytes
    provenance: dict[str, Any]

    def files(self) -> dict[Path, bytes]:
        """What is shipped."""
        provenance = json.dumps(self.provenance, ensure_ascii=False, indent=1) + "\n"
        return {german.FILE: self.words, german.LETTERS: self.letters, german.PROVENANCE: provenance.encode()}


def build(base: Path = BASE, sources: Path = SOURCES) -> Built:
    """The built-in list; BrettblickError when a source is missing or a line of one says what cannot be."""
    text = base_text(base)
    words = _Words()
    try:
        for spelling in base_spellings(text.decode()):
            words.add(spelling)
    except UnicodeDecodeError as error:
        raise BrettblickError(f"{base}: {error}", code="no-base-list", path=base) from error
    for name in ("two_letters", "additions"):
        for row in _rows(sources / f"{name}.tsv"):
            for spelling in row.spellings:
                words.add(spelling)
    _old_spelling(words, [*_rows(sources / "spelling.tsv")])
    for row in _rows(sources / "old_only.tsv"):
        for spelling in row.spellings:
            words.add(spelling)
            words.mark(spelling, Mark.OLD)
    for row in _rows(sources / "regions.tsv"):
        marks = Mark(sum(_REGIONS[region] for region in row["regions"].split(",")))
        for spelling in row.spellings:
            words.add(spelling)
            words.mark(spelling, marks)
    for row in _rows(sources / "doubtful.tsv"):
        for spelling in row.spellings:
            if row["kind"] not in DOUBTS or not words.has(spelling):
                raise row.error(f"{spelling} is not in the list, or {row['kind']} is no kind of doubt")
            words.doubt(spelling, Reason(row["kind"]))
    entries = words.entries()
    data = packed(entries)
    return Built(
        data,
        learn(tiles for tiles, here in words.by_tiles.items() if any(one.doubt is None for one in here.values())),
        {
            "name": "Brettblick Deutsch",
            "edition": EDITION,
            "content_sha256": content_hash(entries),
            "file_sha256": hashlib.sha256(data).hexdigest(),
            "words": len(words.by_tiles),
            "spellings": len(entries),
            "base": {
                "list": "https://github.com/enz/german-wordlist",
                "package": "tanglet-data, Debian",
                "sha256": hashlib.sha256(text).hexdigest(),
                "licence": "CC0-1.0",
            },
            "sources": {
                path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(sources.glob("*.tsv"))
            },
            "packed_with": f"marisa-trie {version('marisa-trie')}",
        },
    )


def base_text(path: Path) -> bytes:
    """The base list, unpacked where it is packed; BrettblickError when there is none."""
    try:
        raw = path.read_bytes()
        return gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    except (OSError, EOFError, zlib.error) as error:
        raise BrettblickError(f"{path}: {error}", code="no-base-list", path=path) from error


def base_spellings(text: str) -> Iterator[str]:
    """The spellings of three letters and more in the base list."""
    for line in text.splitlines():
        key, *spellings = line.split()
        for spelling in spellings or [key.lower()]:
            if len(tiles_of(spelling)) >= 3:
                yield spelling


class _Row(dict[str, str]):
    """A line of a hand-kept file, by its columns; path and number tell where it stands."""

    path: Path
    number: int

    @property
    def spellings(self) -> list[str]:
        """All of the column ``spellings``; BrettblickError for one that no tiles can lie as."""
        found = [one.strip() for one in self["spellings"].split(",")]
        for spelling in found:
            if not 2 <= len(tiles_of(spelling)) <= SIZE:
                raise self.error(f"{spelling!r} cannot be laid")
        return found

    def error(self, why: str) -> BrettblickError:
        return BrettblickError(
            f"{self.path.name}, line {self.number}: {why}",
            code="bad-lexicon-source",
            path=self.path.name,
            line=self.number,
            why=why,
        )


def _rows(path: Path) -> Iterator[_Row]:
    lines = read_text(path).splitlines()
    kept = [(number, line) for number, line in enumerate(lines, start=1) if line.strip() and not line.startswith("#")]
    reader = csv.DictReader((line for _, line in kept), delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
    for values, (number, _) in zip(reader, kept[1:], strict=True):
        row = _Row(values)
        row.path, row.number = path, number
        if None in row or None in row.values():
            raise row.error("not as many columns as the first line names")
        yield row


def _old_spelling(words: _Words, rows: Iterable[_Row]) -> None:
    """Marks what was spelled otherwise before 1996 and adds how (R7.6).

    What two rules say of one word adds up: its old spelling is the one with all of them.
    """
    rules = [(re.compile(row["new"]), row) for row in rows]
    lines = "\n".join(sorted(words.spellings()))
    for new in sorted({word for _, row in rules for word in _lines_with(row["new"], lines)}):
        old, gone = new, False
        for pattern, row in rules:
            if not pattern.search(old):
                continue
            if row["new_before"] == "only":
                words.mark(new, Mark.NEW)
            if row["old"]:
                old = pattern.sub(row["old"], old)
                gone |= row["old_today"] == "gone"
        if old == new:
            continue
        if not words.has(old):
            words.add(old, Mark.OLD if gone else Mark.NONE)
        elif gone:
            words.mark(old, Mark.OLD)


def _lines_with(pattern: str, lines: str) -> Iterator[str]:
    """The lines that may match: one search in all of them is much faster than one in each."""
    for match in re.finditer(pattern, lines, re.MULTILINE):
        end = lines.find("\n", match.end())
        yield from lines[lines.rfind("\n", 0, match.start()) + 1 : None if end < 0 else end].split("\n")
