"""What ``--lexicon`` names: built-in, a club's list by name, a file, the table, several with ``+``, or none."""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from datetime import date
from pathlib import Path

from assistant.files import read_bytes
from assistant.lexicon import club
from assistant.lexicon.german import german
from scorer.errors import BrettblickError, NotationError
from scorer.lexicon import Lexicon, Listed, NoLexicon, TableDecides, Union
from scorer.rules import RuleSet, WordAuthority
from scorer.tiles import GERMAN_102, TileSet

BUILT_IN = "deutsch"
_BUILT_IN = {BUILT_IN, "german"}
_TABLE = {"tisch", "table"}
_NONE = {"none", "keine"}
RESERVED = _BUILT_IN | _TABLE | _NONE


def lexicon_named(text: str, rules: RuleSet, tile_set: TileSet = GERMAN_102) -> Lexicon:
    """The lexicon of that name, by what the rules agree on; BrettblickError that names those there are.

    A club's list goes before a file of the same name; ``A+B`` asks A, then B, but where the
    club's list decides that one first.
    """
    whole = find(text)
    if whole is None and "+" in text and not _is_file(text):
        parts = [lexicon_named(part.strip(), rules, tile_set) for part in text.split("+")]
        if rules.word_authority is WordAuthority.CLUB_LIST:  # the club's own list has the say wherever it is named
            parts.sort(key=lambda part: not any(one.official for one in part.lists))
        return Union(*parts)
    name = tidy(text).casefold()
    if name in _NONE:
        return NoLexicon(tile_set)
    if name in _TABLE:
        return TableDecides(tile_set=tile_set)
    if tile_set.letters != GERMAN_102.letters:
        raise BrettblickError(
            f"there are no word lists for the tiles {tile_set.name}", code="no-lexicon-for-tiles", tiles=tile_set.name
        )
    if is_built_in(name):
        return german(rules, tile_set)
    if whole is not None:
        return Listed(whole.about, whole.open().spelled, rules, tile_set)
    if _is_file(text):
        return of_file(Path(text), rules, tile_set)
    raise BrettblickError(
        f"there is no word list {text!r}", code="unknown-lexicon", name=text, allowed=", ".join(names())
    )


def usual(rules: RuleSet) -> str:
    """What is asked when nobody names a lexicon: where the club's list decides the one that was imported, if it is the
    only one, and the built-in list for longer words; else the built-in list alone."""
    lists = club.kept() if rules.word_authority is WordAuthority.CLUB_LIST else []
    return f"{lists[0].about.name}+{BUILT_IN}" if len(lists) == 1 else BUILT_IN


def of_file(path: Path, rules: RuleSet, tile_set: TileSet = GERMAN_102) -> Lexicon:
    """The list in a text file, without keeping it; BrettblickError that says why it is none."""
    found = read_file(path, path.stem)
    spelled = {tiles: (one,) for tiles, one in found.entries}
    return Listed(found.about, lambda tiles: spelled.get(tiles, ()), rules, tile_set)


def read_file(
    path: Path, name: str, edition: str = "", max_length: int | None = None, progress: club.Progress | None = None
) -> club.ClubList:
    """The list in a text file; its edition is the day the file is of, if none is given. BrettblickError that names the
    file and says why it is none."""
    data = read_bytes(path, most=club.MOST_BYTES)
    if not edition:
        with suppress(OSError, ValueError, OverflowError):  # the standard input; a clock that was never set
            edition = date.fromtimestamp(path.stat().st_mtime).isoformat()
    try:
        return club.read_list(data, name, edition, max_length, progress)
    except NotationError as error:
        raise BrettblickError(f"{path}: {error.message}", code="bad-list-file", path=path, reason=error) from error


def tidy(name: str) -> str:
    """A name as lists keep it: no blanks at its ends nor several in a row, umlauts as one character."""
    return unicodedata.normalize("NFC", " ".join(name.split()))


def check_name(name: str) -> None:
    """BrettblickError for a name by which no list could be called."""
    if not name or len(name) > 80 or not name.isprintable() or "+" in name or name.casefold() in RESERVED:
        raise BrettblickError(f"no list can be called {name!r}", code="bad-list-name", name=name)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except PermissionError:
        return True  # whoever reads it is told so
    except OSError:  # too long for a name
        return False


def names() -> list[str]:
    """What can be named, files apart."""
    return [BUILT_IN, *(one.about.name for one in club.kept()), "tisch", "none"]


def kept_as(name: str) -> club.Kept:
    """The club list of that name, whatever its capitals; BrettblickError when there is none."""
    found = find(name)
    if found is None:
        lists = ", ".join(one.about.name for one in club.kept()) or "-"
        raise BrettblickError(f"there is no club list {name!r}", code="unknown-lexicon", name=name, allowed=lists)
    return found


def is_built_in(name: str) -> bool:
    """Whether this names the built-in list."""
    return tidy(name).casefold() in _BUILT_IN


def find(name: str) -> club.Kept | None:
    """The club list of that name, whatever its capitals; None when there is none."""
    wanted = tidy(name).casefold()
    return next((one for one in club.kept() if one.about.name.casefold() == wanted), None)
