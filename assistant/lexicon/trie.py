"""Spellings packed in one file: a marisa-trie from tiles to spellings, read where it lies on the disk.

A value is one byte, then the spelling where it does not follow from the tiles. Bits 0 to 3 of it are the ``Mark``,
bits 4 to 6 the doubt (its number in DOUBTS from 1; 7: the spelling is the tiles, in capitals), bit 7 says that the
spelling begins with a capital.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import marisa_trie

from scorer.errors import BrettblickError
from scorer.lexicon import DOUBTS, Mark, Reason, Spelled
from scorer.spelling import laid_as, letters_alone
from scorer.tiles import GERMAN_102

_DOUBTS: tuple[Reason | None, ...] = (None, *DOUBTS)
_AS_TILES, _CAPITAL = 7, 0x80

Entry = tuple[str, Spelled]
"""Tiles, and one spelling they have."""


_letters_alone = letters_alone(GERMAN_102)


def tiles_of(word: str) -> str:
    """How a word of a German list is laid; "" when it cannot be."""
    if _letters_alone(word):
        return word.upper()
    laid = laid_as(word, GERMAN_102)
    return "" if laid.obstacles else laid.tiles


@dataclass(frozen=True)
class SpelledTrie:
    """A packed list, opened."""

    trie: marisa_trie.BytesTrie

    @classmethod
    def open(cls, path: Path) -> SpelledTrie:
        """The list in a file that ``packed`` made; BrettblickError when it is missing or damaged."""
        try:
            return cls(marisa_trie.BytesTrie().mmap(str(path)))
        except (OSError, RuntimeError) as error:
            raise BrettblickError(f"{path}: {error}", code="bad-lexicon-file", path=path) from error

    def spelled(self, tiles: str) -> tuple[Spelled, ...]:
        """The spellings of these tiles, capitalised ones first; () for none."""
        values = self.trie.get(tiles)
        if values is None:
            return ()
        if len(values) == 1:
            return (_unpacked(tiles, values[0]),)
        return tuple(sorted((_unpacked(tiles, value) for value in values), key=lambda one: one.spelling))

    def has(self, tiles: str) -> bool:
        """Whether the list has any spelling of these tiles."""
        return tiles in self.trie

    def entries(self) -> Iterable[Entry]:
        """All of the list in the order of ``content_hash``."""
        return sorted(
            ((tiles, _unpacked(tiles, value)) for tiles, value in self.trie.iteritems()),
            key=lambda entry: (entry[0], entry[1].spelling),
        )


def packed(entries: Iterable[Entry]) -> bytes:
    """The file that holds these entries, the same bytes for the same entries whatever their order."""
    pairs = sorted((tiles, _packed(tiles, one)) for tiles, one in entries)
    # of the ways to pack one that is a little larger than the smallest and looked up a seventh faster
    return marisa_trie.BytesTrie(pairs, num_tries=2, cache_size=marisa_trie.HUGE_CACHE).tobytes()


def content_hash(entries: Iterable[Entry]) -> str:
    """SHA-256 of what is in a list, however it is packed: a line an entry, sorted."""
    lines = sorted(f"{tiles}\t{one.spelling}\t{int(one.marks)}\t{one.doubt or ''}\n" for tiles, one in entries)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _packed(tiles: str, one: Spelled) -> bytes:
    doubt, capital, rest = _DOUBTS.index(one.doubt), 0, ""
    if one.spelling == tiles and one.doubt is None:
        doubt = _AS_TILES
    elif one.spelling == tiles.capitalize():
        capital = _CAPITAL
    elif one.spelling != tiles.lower():
        rest = one.spelling
    return bytes([one.marks | doubt << 4 | capital]) + rest.encode()


def _unpacked(tiles: str, value: bytes) -> Spelled:
    marks, doubt, spelled = _FIRST[value[0]]
    return Spelled(value[1:].decode() if len(value) > 1 else spelled(tiles), marks, doubt)


def _first(byte: int) -> tuple[Mark, Reason | None, Callable[[str], str]]:
    """What the first byte of a value says: marks, doubt, and how the spelling follows from the tiles."""
    doubt = byte >> 4 & 7
    if byte & _CAPITAL:
        spelled: Callable[[str], str] = str.capitalize
    else:
        spelled = str if doubt == _AS_TILES else str.lower
    return Mark(byte & 15), _DOUBTS[doubt] if doubt < len(_DOUBTS) else None, spelled


_FIRST = [_first(byte) for byte in range(256)]
