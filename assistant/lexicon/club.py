"""Word lists a club brings: read from a text file, kept on the user's own disk, opened by name.

The words never leave that disk: games and exports get name, edition and hash (``scorer.lexicon.WordList``).
"""

from __future__ import annotations

import json
import re
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import platformdirs

from assistant.files import write_whole
from assistant.lexicon.trie import Entry, SpelledTrie, content_hash, packed, tiles_of
from scorer.board import SIZE
from scorer.encoding import decoded
from scorer.errors import BrettblickError, NotationError
from scorer.lexicon import Spelled, WordList
from scorer.spelling import Obstacle, laid_as
from scorer.tiles import GERMAN_102

MOST_BYTES = 50_000_000
"""No word list is longer."""

MOST_NO_WORDS = 0.2
"""From this share of lines on that are no words the file is no word list."""

_LONGEST_LINE = 200
"""Characters of a line that are looked at: the word is at its beginning, and a file may have no line ends."""

_COMMENT = ("#", ";", "//")
_COLUMN_END = re.compile(r"[\s;,|]")
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f-\x84\x86-\x9f\ufffd]|\u00c3[^A-Za-z\\s]")
"""Control characters, and umlauts of UTF-8 taken for two characters: one byte that is damaged or cut off is enough."""

_KINDS = (
    (re.compile(rb"\s*%PDF-"), "list-is-pdf"),
    (re.compile(rb"(?i)\s*(?:<\?xml|<!doctype|<html|<head|<body|<!--)"), "list-is-html"),
    (re.compile(rb"PK\x03\x04|\xd0\xcf\x11\xe0|\{\\rtf"), "list-is-office"),
    (re.compile(rb"\x1f\x8b|BZh|7z\xbc\xaf|Rar!|\xfd7zXZ"), "list-is-archive"),
)
"""What people give instead of a text file, by how it begins."""

Progress = Callable[[Iterable[int], int], Iterator[int]]
"""Shows how far along some steps are, given how many there are."""

_CHUNK = 5000
"""Lines of a step."""

_CUT_OFF = 3600
"""Seconds after which no import is still at work."""


@dataclass(frozen=True)
class NotTaken:
    """Lines of one kind that gave no word. examples: number and text of the first few."""

    count: int = 0
    examples: tuple[tuple[int, str], ...] = ()

    def with_line(self, number: int, text: str) -> NotTaken:
        """One more."""
        examples = self.examples if len(self.examples) >= 5 else (*self.examples, (number, text[:40]))
        return NotTaken(self.count + 1, examples)


@dataclass(frozen=True)
class ClubList:
    """A list as it was read.

    lines:      of the file that should hold a word
    duplicates: words that were there already, in whatever spelling
    longer:     words longer than the list decides on, or than the board
    no_words:   what no tiles can lie as
    """

    about: WordList
    entries: tuple[Entry, ...]
    lines: int
    duplicates: NotTaken
    longer: NotTaken
    no_words: NotTaken

    @property
    def without_umlauts(self) -> bool:
        """Whether so many words have no Ä, Ö or Ü that these must be written otherwise: as AE, OE, UE."""
        return len(self.entries) >= 1000 and not any(set(tiles) & set("ÄÖÜ") for tiles, _ in self.entries)


def read_list(
    data: bytes, name: str, edition: str = "", max_length: int | None = None, progress: Progress | None = None
) -> ClubList:
    """The list in a file of one word a line, in UTF-8, UTF-16 or Latin-1, in capitals or small letters.

    ``#``, ``;`` and ``//`` begin comments; what follows the word after a blank, tab, comma, semicolon or bar is left
    out. max_length: letters of the longest words the list is about, None for those of its longest. NotationError for a
    file that is no such list.
    """
    lines, most = _text_of(data).splitlines(), max_length or SIZE
    words: dict[str, str] = {}
    duplicates = longer = no_words = NotTaken()
    counted, sentences = 0, 0
    starts = range(0, len(lines), _CHUNK)
    for start in progress(starts, len(starts)) if progress else starts:
        for number, whole in enumerate(lines[start : start + _CHUNK], start + 1):
            line = whole.strip()[:_LONGEST_LINE]
            if not line or line.startswith(_COMMENT):
                continue
            counted += 1
            word, tiles = line, tiles_of(line)
            if not tiles:  # more than a word, or too long
                columns = _COLUMN_END.split(line.partition("#")[0], maxsplit=5)
                sentences += len(columns) > 4
                word = columns[0].strip('"')
                tiles = tiles_of(word)
            if len(tiles) > most or (not tiles and laid_as(word, GERMAN_102).obstacles == (Obstacle.TOO_LONG,)):
                longer = longer.with_line(number, word)
            elif tiles in words:
                duplicates = duplicates.with_line(number, word)
            elif len(tiles) < 2:
                no_words = no_words.with_line(number, line)
            else:
                words[tiles] = word
    if no_words.count > counted * MOST_NO_WORDS or sentences > counted / 2:
        at, line = no_words.examples[0] if no_words.examples else (1, lines[0][:40])
        raise NotationError("most lines of a word list hold one word", code="list-of-no-words", line=at, text=line)
    if not words:
        raise NotationError("there is no word in this file", code="list-empty")
    entries = tuple((tiles, Spelled(word)) for tiles, word in words.items())
    longest = max_length or max(map(len, words))
    about = WordList(name, edition, content_hash(entries), longest, official=True)
    return ClubList(about, entries, counted, duplicates, longer, no_words)


def _text_of(data: bytes) -> str:
    """The text of a file; NotationError that says what it is instead."""
    for beginning, code in _KINDS:
        if beginning.match(data.removeprefix(b"\xef\xbb\xbf")[:1000]):
            raise NotationError("this is no text file of words", code=code)
    text = unicodedata.normalize("NFC", decoded(data))
    if wrong := _NO_TEXT.search(text):
        raise NotationError(
            "this is no text, or in an encoding unknown here",
            code="list-is-binary",
            line=text.count("\n", 0, wrong.start()) + 1,
        )
    return text


# --- on disk ------------------------------------------------------------------------------------------------------


def folder() -> Path:
    """Where the lists lie, as the user's system keeps such things."""
    return platformdirs.user_data_path("brettblick") / "lexicons"


@dataclass(frozen=True)
class Kept:
    """A list on disk. words: how many it has; file: with its words"""

    about: WordList
    words: int
    file: Path

    def open(self) -> SpelledTrie:
        """Its words; BrettblickError when the file is damaged or gone: a damaged one may still open, and lack words."""
        with suppress(OSError):
            if _content_name(self.file.read_bytes()) not in self.file.suffixes:
                raise BrettblickError(f"{self.file}: damaged", code="bad-lexicon-file", path=self.file)
        return SpelledTrie.open(self.file)


def keep(club_list: ClubList) -> Kept:
    """Puts a list on the disk; one of the same name is replaced, whole or not at all. BrettblickError when the disk
    does not let it."""
    about, data = club_list.about, packed(club_list.entries)
    stem = _stem(about.name)
    file = folder() / f"{stem}{_content_name(data)}.marisa"
    description = about.to_json() | {"words": len(club_list.entries), "file": file.name}
    before = [one.file for one in kept() if _stem(one.about.name) == stem]
    try:
        folder().mkdir(parents=True, exist_ok=True)
        write_whole(file, data)
        write_whole(folder() / f"{stem}.json", json.dumps(description, ensure_ascii=False, indent=1).encode())
    except OSError as error:
        raise BrettblickError(f"{file}: {error}", code="cannot-keep-list", path=folder()) from error
    # Only what was described until now: another import of that name may be putting its words there just now. What
    # an import left that was cut off is older.
    old = time.time() - _CUT_OFF
    for path in folder().glob(f"{stem}.*.*"):
        with suppress(OSError):
            if path != file and (path in before or path.stat().st_mtime < old):
                path.unlink()
    return Kept(about, len(club_list.entries), file)


def kept() -> list[Kept]:
    """All lists on the disk by name; descriptions that are damaged are left out, and where nobody may look there are
    none."""
    found = []
    try:
        paths = sorted(folder().glob("*.json"))
    except OSError:
        return []
    for path in paths:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            words, file = data.pop("words"), data.pop("file")
            found.append(Kept(WordList.from_json(data), int(words), path.with_name(Path(file).name)))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, NotationError):
            continue
    return sorted(found, key=lambda one: one.about.name.casefold())


def forget(one: Kept) -> None:
    """Takes a list off the disk, with all that imports of its name left there; BrettblickError when it may not."""
    stem = _stem(one.about.name)
    try:
        for path in [folder() / f"{stem}.json", *folder().glob(f"{stem}.*.*")]:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise BrettblickError(f"{folder()}: {error}", code="cannot-remove-list", path=folder()) from error


def _stem(name: str) -> str:
    """A file name for a list: readable, and one for each name whatever its characters or case."""
    readable = re.sub(r"\W+", "-", name.casefold()).strip("-")[:40]
    return f"{readable or 'list'}-{sha256(name.casefold().encode()).hexdigest()[:8]}"


def _content_name(data: bytes) -> str:
    """The part of a file's name by which its content is known."""
    return f".{sha256(data).hexdigest()[:12]}"
