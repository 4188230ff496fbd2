"""Whether a word is allowed, who says so, and why: lexicons answer with a Verdict, never with a bare yes or no.

A lexicon knows words, not who may ask: in a game verdicts are given through ``scorer.adjudication`` alone.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag, StrEnum
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Any, NamedTuple

from scorer.board import SIZE
from scorer.errors import NotationError
from scorer.rules import BannedWord, Region, RuleSet, Spelling
from scorer.spelling import Obstacle, laid_as, letters_alone
from scorer.tiles import ESZETT, GERMAN_102, TileSet


class Answer(StrEnum):
    """What a lexicon says of a word."""

    VALID = "valid"
    """It has the word, as the table agreed to spell."""
    UNKNOWN = "unknown"
    """It does not have it; what follows is the matter of the rules agreed on."""
    DOUBTFUL = "doubtful"
    """Something speaks for the word and something against it; the reasons say what."""
    NOT_LAYABLE = "not-layable"
    """No tiles can lie like this, whatever a dictionary says."""


class Reason(StrEnum):
    """Why an answer is not ``valid``."""

    EMPTY = "empty"
    HYPHEN = "hyphen"
    APOSTROPHE = "apostrophe"
    NO_TILE = "no-tile"
    TOO_LONG = "too-long"
    BLANK_AS_ESZETT = "blank-as-eszett"
    """A blank stands for ß (R6.1)."""

    NAME = "name"
    PLACE = "place"
    BRAND = "brand"
    ABBREVIATION = "abbreviation"
    DISCRIMINATING = "discriminating"
    CONTESTED = "contested"
    """Dictionaries, lists or tournaments disagree about it, or it is a slip of the list."""
    SECOND_LIST = "only-second-list"
    """Only a list that is no authority has it."""
    HEADWORD = "old-spelling-headword"
    """Spelled as before 1996: allowed where the dictionary in use has it as a headword (R7.6)."""

    OLD_SPELLING = "old-spelling"
    NEW_SPELLING = "new-spelling"
    OTHER_REGION = "other-region"
    """Used only where the table did not agree to play by (R13.7)."""
    BEYOND_LIST = "longer-than-list"
    """Longer than the words of the list: look it up by hand (R7.8)."""
    TABLE_DECIDES = "table-decides"
    TABLE_REFUSED = "table-refused"
    """The table did not allow it before."""
    NO_LEXICON = "no-lexicon"


_OF_OBSTACLE: Mapping[Obstacle, Reason] = {obstacle: Reason(obstacle.value) for obstacle in Obstacle}

DOUBTS: Mapping[Reason, BannedWord | None] = MappingProxyType(
    {
        Reason.NAME: BannedWord.NAME,
        Reason.PLACE: BannedWord.NAME,
        Reason.BRAND: BannedWord.NAME,
        Reason.ABBREVIATION: BannedWord.ABBREVIATION,
        Reason.DISCRIMINATING: BannedWord.DISCRIMINATING,
        Reason.CONTESTED: None,
    }
)
"""What can be doubtful about a spelling, and by which setting of the rules it is; None: by all rules (R7.2, R7.9)."""


@dataclass(frozen=True)
class WordList:
    """Which list answers: what a game and its exports keep of it; never its words.

    name, edition: as its makers call it
    sha256:        of its content, "" for a table that decides
    max_length:    letters of its longest words; it says nothing of longer ones (R7.8)
    official:      whether it is the list the club plays by: what it does not have is not allowed
    """

    name: str
    edition: str = ""
    sha256: str = ""
    max_length: int = SIZE
    official: bool = False

    @property
    def title(self) -> str:
        """Name and edition in one line."""
        return f"{self.name} ({self.edition})" if self.edition else self.name

    def to_json(self) -> dict[str, Any]:
        """As ``from_json`` takes it."""
        return {
            "name": self.name,
            "edition": self.edition,
            "sha256": self.sha256,
            "max_length": self.max_length,
            "official": self.official,
        }

    @classmethod
    def from_json(cls, data: Any) -> WordList:
        """The list a JSON object names; NotationError for anything else."""
        try:
            found = cls(**data)
        except TypeError:
            found = None
        if found is None or not (
            all(type(text) is str for text in (found.name, found.edition, found.sha256))
            and re.fullmatch("(?:[0-9a-f]{64})?", found.sha256)
            and type(found.max_length) is int
            and 2 <= found.max_length <= SIZE
            and type(found.official) is bool
            and found.name.strip()
        ):
            raise NotationError(f"{data!r} names no word list", code="no-word-list", value=repr(data))
        return found


class Mark(IntFlag):
    """Where and since when a spelling is right; none: everywhere, before and after 1996."""

    NONE = 0
    OLD = 1
    """Before the reform of 1996 only (R7.6)."""
    NEW = 2
    """Since the reform of 1996 only (R7.6)."""
    AUSTRIA = 4
    SWITZERLAND = 8
    """Used only there; with both marks in these two countries (R13.7)."""


_EVERYWHERE, _VALID = Mark.NONE, Answer.VALID
_FOREIGN = Mark.AUSTRIA | Mark.SWITZERLAND
_REGIONS = {Region.AUSTRIA: Mark.AUSTRIA, Region.SWITZERLAND: Mark.SWITZERLAND}


class Spelled(NamedTuple):
    """One spelling that a list has for some tiles: for AAL these are "Aal" and "aal".

    doubt: why it is doubtful as it stands, one of DOUBTS; None for most
    """

    spelling: str
    marks: Mark = Mark.NONE
    doubt: Reason | None = None


class Verdict(NamedTuple):
    """What a lexicon says of a word.

    word:    as it was asked
    tiles:   as it would be laid, in capitals; of no use where it cannot be
    source:  the list that answers; None where none was needed or there is none
    found:   the spellings that count for the answer, as the list has them
    reasons: why it is not simply valid, the weightiest first
    by:      who decided, where people did before
    """

    word: str
    tiles: str
    answer: Answer
    source: WordList | None = None
    found: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    by: str = ""


class Lexicon(ABC):
    """What knows about words.

    tile_set: how words are laid: with Ä, Ö, Ü as letters or without
    """

    def __init__(self, tile_set: TileSet = GERMAN_102) -> None:
        self.tile_set = tile_set
        self._letters_alone = letters_alone(tile_set)

    @property
    @abstractmethod
    def lists(self) -> tuple[WordList, ...]:
        """The lists behind it, as a game keeps them; () for none."""

    @abstractmethod
    def judge(self, word: str, tiles: str) -> Verdict:
        """The verdict on a word that can be laid with these tiles."""

    def look_up(self, word: str) -> Verdict:
        """The verdict on a word in any spelling: "Straße", "straße", "STRASSE" (R7.2 to R7.5).

        A word as records write it, in capitals with small letters for blanks, is taken as well: KÖlNErS; there a small
        ß among capitals is a blank as ß, which no blank can be (R6.1).
        """
        if self._letters_alone(word):
            return self.judge(word, word.upper())
        laid = laid_as(word, self.tile_set)
        reasons = [_OF_OBSTACLE[obstacle] for obstacle in laid.obstacles]
        if ESZETT in word and len(word) > 2 and word.replace(ESZETT, "").isupper():
            reasons.insert(0, Reason.BLANK_AS_ESZETT)
        if reasons:
            return Verdict(word, laid.tiles, Answer.NOT_LAYABLE, reasons=tuple(reasons))
        return self.judge(word, laid.tiles)


class Listed(Lexicon):
    """The words of one list, by what the table agreed on: spelling, regions, what is excluded.

    spelled: the spellings the list has for some tiles, () for none
    """

    def __init__(
        self,
        about: WordList,
        spelled: Callable[[str], Sequence[Spelled]],
        rules: RuleSet,
        tile_set: TileSet = GERMAN_102,
    ) -> None:
        super().__init__(tile_set)
        self.about = about
        self._spelled = spelled
        self._max_length = about.max_length
        self._banned = frozenset(doubt for doubt, kind in DOUBTS.items() if kind in (None, *rules.banned_words))
        self._spelling = rules.spelling
        self._abroad = reduce(or_, (_REGIONS[one] for one in rules.regions if one in _REGIONS), Mark.NONE)

    @property
    def lists(self) -> tuple[WordList, ...]:
        return (self.about,)

    def judge(self, word: str, tiles: str) -> Verdict:
        if len(tiles) > self._max_length:
            return Verdict(word, tiles, Answer.UNKNOWN, self.about, (), (Reason.BEYOND_LIST,))
        spelled = self._spelled(tiles)
        if not spelled:
            return Verdict(word, tiles, Answer.UNKNOWN, self.about)
        if len(spelled) == 1:  # nearly all words, so in no more steps than need be
            spelling, marks, doubt = spelled[0]
            if marks is _EVERYWHERE and doubt is None:
                return Verdict(word, tiles, _VALID, self.about, (spelling,))
        valid: list[str] = []
        doubted: list[str] = []
        refused: list[str] = []
        reasons: dict[Answer, list[Reason]] = {Answer.DOUBTFUL: [], Answer.UNKNOWN: []}
        for one in spelled:
            answer, reason = self._of(one)
            if reason is None:
                valid.append(one.spelling)
            else:
                (doubted if answer is Answer.DOUBTFUL else refused).append(one.spelling)
                reasons[answer].append(reason)
        if valid:
            return Verdict(word, tiles, Answer.VALID, self.about, tuple(valid))
        answer, found = (Answer.DOUBTFUL, doubted) if doubted else (Answer.UNKNOWN, refused)
        return Verdict(word, tiles, answer, self.about, tuple(found), tuple(dict.fromkeys(reasons[answer])))

    def _of(self, one: Spelled) -> tuple[Answer, Reason | None]:
        """What one spelling amounts to by the agreement."""
        if one.marks & Mark.OLD and self._spelling is Spelling.NEW:
            return Answer.UNKNOWN, Reason.OLD_SPELLING
        if one.marks & Mark.NEW and self._spelling is Spelling.OLD:
            return Answer.UNKNOWN, Reason.NEW_SPELLING
        if one.marks & _FOREIGN and not one.marks & self._abroad:
            return Answer.UNKNOWN, Reason.OTHER_REGION
        if one.doubt in self._banned:
            return Answer.DOUBTFUL, one.doubt
        if one.marks & Mark.OLD and self._spelling is Spelling.HEADWORD:
            return Answer.DOUBTFUL, Reason.HEADWORD
        return Answer.VALID, None


class Union(Lexicon):
    """Several lexicons in the order in which they are asked: the first that has the word answers; else the first that
    doubts it; else the first of all. An official list that is asked has the last word on words of its length, and what
    people decided before stands."""

    def __init__(self, *parts: Lexicon) -> None:
        if not parts:
            raise ValueError("a union needs a lexicon")
        super().__init__(parts[0].tile_set)
        self.parts = parts

    @property
    def lists(self) -> tuple[WordList, ...]:
        return tuple(dict.fromkeys(one for part in self.parts for one in part.lists))

    def judge(self, word: str, tiles: str) -> Verdict:
        verdicts = []
        for part in self.parts:
            verdict = part.judge(word, tiles)
            if verdict.answer is Answer.VALID or verdict.by or _decided_officially(verdict):
                return verdict
            verdicts.append(verdict)
        return next((one for one in verdicts if one.answer is Answer.DOUBTFUL), verdicts[0])


def _decided_officially(verdict: Verdict) -> bool:
    return verdict.source is not None and verdict.source.official and Reason.BEYOND_LIST not in verdict.reasons


class SecondOpinion(Lexicon):
    """A lexicon with a list beside it that is no authority: what only that one has is doubtful, never valid.

    What the lexicon itself excludes, a region or a spelling that was not agreed on, stays unknown.
    """

    def __init__(self, first: Lexicon, about: WordList, has: Callable[[str], bool]) -> None:
        super().__init__(first.tile_set)
        self.first = first
        self.about = about
        self._has = has

    @property
    def lists(self) -> tuple[WordList, ...]:
        return (*self.first.lists, self.about)

    def judge(self, word: str, tiles: str) -> Verdict:
        verdict = self.first.judge(word, tiles)
        silent = verdict.answer is Answer.UNKNOWN and set(verdict.reasons) <= {Reason.BEYOND_LIST}
        if silent and not _decided_officially(verdict) and len(tiles) <= self.about.max_length and self._has(tiles):
            reasons = (Reason.SECOND_LIST, *verdict.reasons)
            return Verdict(word, tiles, Answer.DOUBTFUL, self.about, (), reasons)
        return verdict


@dataclass(frozen=True)
class Decision:
    """What a table decided about a word. by: who, as people would say it."""

    allowed: bool
    by: str = ""


class TableDecides(Lexicon):
    """No list: the players say whether a word makes sense (R7.1); what they said before is remembered.

    decided: by tiles
    """

    def __init__(self, decided: Mapping[str, Decision] = MappingProxyType({}), tile_set: TileSet = GERMAN_102) -> None:
        super().__init__(tile_set)
        self.decided = decided

    @property
    def lists(self) -> tuple[WordList, ...]:
        return ()

    def judge(self, word: str, tiles: str) -> Verdict:
        decision = self.decided.get(tiles)
        if decision is None:
            return Verdict(word, tiles, Answer.UNKNOWN, reasons=(Reason.TABLE_DECIDES,))
        if decision.allowed:
            return Verdict(word, tiles, Answer.VALID, by=decision.by)
        return Verdict(word, tiles, Answer.UNKNOWN, reasons=(Reason.TABLE_REFUSED,), by=decision.by)


class NoLexicon(Lexicon):
    """Nothing is looked up: every word that can be laid is unknown."""

    @property
    def lists(self) -> tuple[WordList, ...]:
        return ()

    def judge(self, word: str, tiles: str) -> Verdict:
        return Verdict(word, tiles, Answer.UNKNOWN, reasons=(Reason.NO_LEXICON,))


def words_in(words: Iterable[str]) -> Callable[[str], Sequence[Spelled]]:
    """The spellings of words that are given as they are laid, for ``Listed``: a small list, one kept in memory."""
    known = frozenset(words)
    return lambda tiles: (Spelled(tiles),) if tiles in known else ()
