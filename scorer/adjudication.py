"""From a challenge to a decision: the only way from a game to what a lexicon says.

Before a word is challenged nobody learns whether it is allowed, unless the dictionary is open (R7.7, R12.2). So a game
has no lexicon but a ``Referee``, which answers a challenge that the rules allow, about words the move forms, and
nothing else. What a verdict then means is the matter of the rules agreed on: no list decides that was not chosen to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scorer.board import SIZE
from scorer.challenge import ChallengedWord, meant
from scorer.errors import GameError, RuleError
from scorer.events import IMPOSSIBLE, Challenged, EventFault
from scorer.game import GameState, faults_of, in_time
from scorer.lexicon import Answer, Decision, Lexicon, Reason, Verdict, WordList
from scorer.rules import RuleSet, WordAuthority
from scorer.spelling import laid_as


class Resort(StrEnum):
    """Who decides about a word."""

    LEXICON = "lexicon"
    """The verdict does; nothing is left to ask."""
    BY_HAND = "by-hand"
    """Somebody looks it up in the dictionary agreed on."""
    TABLE = "table"
    """The players say."""


@dataclass(frozen=True)
class Ruling:
    """What a verdict means by the rules of the table.

    allowed: None as long as somebody has to decide
    resort:  who decides
    """

    verdict: Verdict
    allowed: bool | None
    resort: Resort

    def as_looked_up(self) -> ChallengedWord:
        """For the event of the challenge, where the verdict decides; GameError where somebody has to decide: by some
        rules a word without a decision counts as not allowed (R8.13)."""
        if self.resort is not Resort.LEXICON:
            raise GameError(
                f"somebody has to decide about {self.verdict.tiles}", code="word-undecided", word=self.verdict.tiles
            )
        source = self.verdict.source.title if self.verdict.source else ""
        return ChallengedWord(self.verdict.tiles, self.allowed, source, self.verdict.by)

    def as_decided(self, allowed: bool, by: str, source: str = "") -> ChallengedWord:
        """For the event of the challenge, after somebody decided.

        by: who; source: the dictionary they looked in, "" where the table decided. GameError when nothing was left to
        decide, or nobody is named.
        """
        if self.resort is Resort.LEXICON:
            raise GameError(f"{self.verdict.tiles} is decided", code="word-decided", word=self.verdict.tiles)
        if not by.strip():
            raise GameError(f"who decided about {self.verdict.tiles}?", code="nobody-decided", word=self.verdict.tiles)
        return ChallengedWord(self.verdict.tiles, allowed, source, by)


def rule_on(verdict: Verdict, rules: RuleSet) -> Ruling:
    """What a verdict decides by these rules (R7.1, R7.8).

    Impossible words are decided everywhere. Else the official list of a club decides on words up to its length, and
    where lists come before the book any list that has the word; all others are evidence for those who decide.
    """
    if verdict.answer is Answer.NOT_LAYABLE:
        return Ruling(verdict, False, Resort.LEXICON)
    authority, valid = rules.word_authority, verdict.answer is Answer.VALID
    if authority is WordAuthority.TABLE:
        remembered = valid or Reason.TABLE_REFUSED in verdict.reasons
        if verdict.by and remembered:
            return Ruling(verdict, valid, Resort.LEXICON)
        return Ruling(verdict, None, Resort.TABLE)
    within = len(verdict.tiles) <= (rules.list_max_length or SIZE) and Reason.BEYOND_LIST not in verdict.reasons
    if verdict.source is not None and within:
        if authority is WordAuthority.CLUB_LIST and verdict.source.official:
            return Ruling(verdict, valid, Resort.LEXICON)
        if authority is WordAuthority.LIST_THEN_BOOK and valid:
            return Ruling(verdict, True, Resort.LEXICON)
    return Ruling(verdict, None, Resort.BY_HAND)


class Referee:
    """Keeps a lexicon closed: it is opened by a challenge, or by rules that leave it open."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.__lexicon = lexicon

    @property
    def lists(self) -> tuple[WordList, ...]:
        """The lists it will look in, for the game to keep."""
        return self.__lexicon.lists

    def on_challenge(
        self, state: GameState, ref: int, challengers: Sequence[int], words: Iterable[str], seconds: float | None = None
    ) -> tuple[Ruling, ...]:
        """The rulings on words of move ``ref`` that these players challenge now, in any spelling, in their order.

        seconds: between the announcement and the challenge, None when not timed. GameError when by the rules nobody may
        challenge so, or it comes too late to decide anything: nothing was looked up then.
        """
        looked_up = tuple(ChallengedWord(laid_as(word, state.game.tile_set).tiles, None) for word in words)
        challenge = Challenged(ref, tuple(challengers), looked_up, seconds)
        faults = faults_of(state, challenge) & ~EventFault.VERDICT_MISSING
        if not faults and not in_time(state, challenge):
            faults = EventFault.MOVE_CLOSED
        if faults:
            raise GameError(
                f"nobody may challenge so: {', '.join(faults.codes)}",
                code="no-challenge",
                faults=", ".join(faults.codes),
            )
        entry = state.entry(ref)
        assert entry is not None and entry.play is not None  # else there were faults
        named = meant(entry.play, [word.word for word in looked_up])
        return tuple(self.__rule(word, state.game.rules) for word in named)

    def beforehand(self, words: Iterable[str], rules: RuleSet) -> tuple[Ruling, ...]:
        """The rulings on words that nobody challenged, where the dictionary is open (R12.2); else RuleError."""
        if not rules.open_dictionary:
            raise RuleError(
                f"the rules {rules.name} leave the dictionary closed until a word is challenged",
                code="dictionary-closed",
                name=rules.name,
            )
        return tuple(self.__rule(word, rules) for word in words)

    def __rule(self, word: str, rules: RuleSet) -> Ruling:
        return rule_on(self.__lexicon.look_up(word), rules)


def decisions(state: GameState) -> dict[str, Decision]:
    """What people decided about words in a game, the last word counts: for ``TableDecides`` to remember (R7.1)."""
    return {
        word.word: Decision(word.valid, word.by)
        for entry in state.log
        if isinstance(entry.event, Challenged) and not entry.faults & IMPOSSIBLE  # else it had no effect
        for word in entry.event.words
        if word.by and word.valid is not None
    }
