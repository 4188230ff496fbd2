"""What a challenge comes to: pure, from the words looked up and the rules agreed on (R8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scorer.rules import ChallengeScope, JointChallenge, MixedChallenge, Proof, RuleSet
from scorer.scoring import Play
from scorer.tiles import BLANK


@dataclass(frozen=True)
class ChallengedWord:
    """A word that was looked up.

    word:   in capitals
    valid:  whether it is allowed; None when it was not found, which decides nothing by itself
    source: where it was looked up, "" when nobody said
    by:     who looked it up by hand, or decided, "" when a list did or nobody said
    """

    word: str
    valid: bool | None
    source: str = ""
    by: str = ""


class Outcome(StrEnum):
    """How a challenge ends."""

    UPHELD = "upheld"
    """A word is not allowed: the tiles are taken back (R8.3)."""
    REJECTED = "rejected"
    """All words are allowed: the move stays and the challenger pays (R8.5)."""
    TOO_LATE = "too-late"
    """The move was closed: it stays, allowed or not (R8.2)."""


@dataclass(frozen=True)
class ChallengeResult:
    """What follows from a challenge.

    invalid, valid: the words by what was found
    penalties:      players who pay, with their points as positive numbers (R8.11)
    """

    outcome: Outcome
    invalid: tuple[str, ...] = ()
    valid: tuple[str, ...] = ()
    penalties: tuple[tuple[int, int], ...] = ()


def words_of(play: Play) -> tuple[str, ...]:
    """The words of a play in capitals, as a challenge names them; an open blank stays ``?``."""
    return tuple(word.capitals for word in play.words)


def unformed(play: Play, words: Sequence[str]) -> tuple[str, ...]:
    """Those of the words that the play does not form, or not as often."""
    pairs = _pairs(words_of(play), words)
    return tuple(word for index, word in enumerate(words) if index not in pairs.values())


def meant(play: Play, words: Sequence[str]) -> tuple[str, ...]:
    """The words of the play that these name, in their order: ``HA?S`` is ``HAUS`` once the blank is named. Words that
    the play does not form are left out."""
    pairs, formed = _pairs(words_of(play), words), words_of(play)
    return tuple(formed[place] for place in sorted(pairs, key=pairs.__getitem__))


def undecided(play: Play, words: Sequence[ChallengedWord], rules: RuleSet) -> tuple[str, ...]:
    """The words that still have to be looked up before the challenge is decided (R8.8, R8.13).

    One word that is not allowed decides it. Where the player has to show the word, one that was not found is not
    allowed; else somebody has to say.
    """
    verdicts = [_verdict(word, rules) for word in words]
    if False in verdicts:
        return ()
    if rules.challenge_scope is ChallengeScope.ALL_WORDS:
        found = [word.word for word, verdict in zip(words, verdicts, strict=True) if verdict is not None]
        pairs = _pairs(words_of(play), found)
        return tuple(word for index, word in enumerate(words_of(play)) if index not in pairs)
    return tuple(word.word for word, verdict in zip(words, verdicts, strict=True) if verdict is None)


def decide(words: Sequence[ChallengedWord], challengers: Sequence[int], rules: RuleSet) -> ChallengeResult:
    """The result of a challenge in time, all words of which are decided.

    Words challenged wrongly cost the challenger the penalty once or for each word (R8.5, R8.6), beside a word that is
    not allowed only where that was agreed (R8.7); of several challengers the first pays, or each (R8.9).
    """
    invalid = tuple(word.word for word in words if _verdict(word, rules) is False)
    valid = tuple(word.word for word in words if _verdict(word, rules))
    if invalid and rules.mixed_challenge is MixedChallenge.NONE:
        return ChallengeResult(Outcome.UPHELD, invalid, valid)
    points = rules.penalty(len(valid)) if valid else 0
    payers = challengers if rules.joint_challenge is JointChallenge.EACH else challengers[:1]
    penalties = tuple((player, points) for player in payers) if points else ()
    return ChallengeResult(Outcome.UPHELD if invalid else Outcome.REJECTED, invalid, valid, penalties)


def _pairs(formed: Sequence[str], challenged: Sequence[str]) -> dict[int, int]:
    """Which challenged word is which word of the play, both by their place. One that was challenged while a blank was
    open, ``HA?S``, stays that word when the blank is named later."""
    pairs: dict[int, int] = {}
    for alike in (str.__eq__, _matches):
        for place, word in enumerate(challenged):
            if place in pairs.values():
                continue
            found = next((one for one, known in enumerate(formed) if one not in pairs and alike(word, known)), None)
            if found is not None:
                pairs[found] = place
    return pairs


def _matches(pattern: str, word: str) -> bool:
    return len(pattern) == len(word) and all(a in (b, BLANK) for a, b in zip(pattern, word, strict=True))


def _verdict(word: ChallengedWord, rules: RuleSet) -> bool | None:
    return False if word.valid is None and rules.proof is Proof.PLAYER else word.valid
