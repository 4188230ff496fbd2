"""Rule sets as data: everything a table agrees on before the game (R8.14), each setting with its name.

Numbers (R...) are those of the rules checklist; ``docs/rules.md`` says where each of them is found. A setting exists
wherever the rule texts leave a choice, contradict each other or are silent; its default is that of ``mattel`` where the
makers' rules say something, else what most tables do. ``RULE_SETS`` holds the named sets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from scorer.board import SIZE, STANDARD, BoardLayout
from scorer.errors import BrettblickError, RuleError, json_error

# --- what a setting can be ----------------------------------------------------------------------------------------


class ScoreKeeper(StrEnum):
    """Who writes down the points (R1.5)."""

    ONE = "one"
    EACH = "each"


class Seating(StrEnum):
    """In which order the players take turns after the draw (R2.4)."""

    CLOCKWISE = "clockwise"
    """From the player with the first letter clockwise; everybody keeps the seat."""
    BY_DRAW = "by-draw"
    """In the order of the letters drawn."""


class DrawTie(StrEnum):
    """Who draws again when two have drawn the first letter (R2.5)."""

    TIED = "tied"
    ALL = "all"


class TurnOrder(StrEnum):
    """What comes first after the points were announced (R3.5)."""

    NOTE_DRAW = "note-draw"
    DRAW_NOTE = "draw-note"
    ANY = "any"


class ScoreCorrection(StrEnum):
    """What happens to a score that was announced wrongly (R3.6)."""

    ALWAYS = "always"
    """The computed score counts, whenever the mistake is found."""
    WINDOW = "window"
    """The computed score counts; once the move is closed, another one only when all agree to it."""
    NEVER = "never"
    """What was announced counts, unless all agree to another score."""


class BlankNaming(StrEnum):
    """Until when the player says which letter a blank is (R6.2, R6.3)."""

    ANNOUNCED = "announced"
    """Aloud, before the move is closed."""
    WRITTEN = "written"
    """Written down as well, before the move is closed; the rules core asks for the letter as for an announced one."""
    LATER = "later"
    """Whenever somebody asks."""


class WordAuthority(StrEnum):
    """What decides whether a word is allowed (R7.1)."""

    DICTIONARY = "dictionary"
    """The printed dictionary agreed on; a list is an aid."""
    LIST_THEN_BOOK = "list-then-book"
    """The word list, and for what it does not have the dictionary by hand."""
    CLUB_LIST = "club-list"
    """The official list a club has."""
    TABLE = "table"
    """The players: the word has to make sense."""


class BannedWord(StrEnum):
    """Kinds of words that are not allowed (R7.2, R7.9)."""

    NAME = "name"
    ABBREVIATION = "abbreviation"
    AFFIX = "affix"
    HYPHEN = "hyphen"
    DISCRIMINATING = "discriminating"


class Spelling(StrEnum):
    """German spelling before or after the reform of 1996 (R7.6)."""

    NEW = "new"
    OLD = "old"
    BOTH = "both"
    HEADWORD = "headword"
    """The new one, and the old one where the dictionary in use has it as a headword."""


class Region(StrEnum):
    """Whose German counts (R7.1, R13.7)."""

    GERMANY = "de"
    AUSTRIA = "at"
    SWITZERLAND = "ch"


class ChallengeUntil(StrEnum):
    """What closes a move, so that a challenge comes too late (R8.2)."""

    NOTED = "noted"
    """The points are written down, or the next player has moved."""
    DRAWN = "drawn"
    """New tiles are drawn, or the points written down, or the next player has moved."""
    NEXT_TURN = "next-turn"
    """The next player has moved: laid, passed, exchanged, or taken a blank from the board (R12.1)."""


class PenaltyUnit(StrEnum):
    """What a wrong challenge is charged by (R8.5, R8.6)."""

    CHALLENGE = "challenge"
    WORD = "word"


class MixedChallenge(StrEnum):
    """What allowed words cost that were challenged together with one that is not (R8.7)."""

    NONE = "none"
    EACH_VALID = "each-valid"


class ChallengeScope(StrEnum):
    """Which words a challenge is about (R8.8)."""

    NAMED = "named"
    """Those the challenger names; a wrong word that nobody named stays."""
    ALL_WORDS = "all-words"
    """All words of the move."""


class Challengers(StrEnum):
    """Who may challenge (R8.9)."""

    ANY = "any"
    NEXT = "next"


class JointChallenge(StrEnum):
    """Who pays when several players have challenged wrongly together (R8.9)."""

    FIRST = "first"
    EACH = "each"


class DrawnTiles(StrEnum):
    """Which tiles go back to the bag when the player had drawn before the challenge (R8.10)."""

    RANDOM = "random"
    """As many of the rack as were drawn, picked unseen."""
    DRAWN = "drawn"
    """Those that were drawn, where they are known apart."""


class Proof(StrEnum):
    """Who shows that a challenged word exists (R8.13)."""

    LOOK_UP = "look-up"
    """It is looked up."""
    PLAYER = "player"
    """The player who laid it finds it, or it is not allowed."""
    TABLE = "table"
    """The table decides on what the list does not have."""


class PassCount(StrEnum):
    """Which passes end the game (R10.2)."""

    RUNNING = "running"
    """Only those of all players one after another: any move in between begins anew."""
    EVER = "ever"
    """All passes of a player so far."""


class EmptyBag(StrEnum):
    """How an empty bag ends the game (R10.1, R10.3)."""

    RACK_OUT = "rack-out"
    """When a player has laid all tiles as well."""
    BAG = "bag"
    """At once: as soon as no tile can be drawn."""


class RestTo(StrEnum):
    """Who is credited with the tiles left on the racks of the others (R11.2, R11.3)."""

    FINISHER = "finisher"
    """The player who laid all tiles."""
    BAG_EMPTIER = "bag-emptier"
    """The player who drew the last tile."""
    NONE = "none"


class Tie(StrEnum):
    """What a tie is (R11.6, R13.6)."""

    DRAW = "draw"
    HALF_WIN = "half-win"
    BEFORE_SETTLEMENT = "before-settlement"
    """The points before the racks were settled decide; if they are equal too, it is a draw."""


class BlankReuse(StrEnum):
    """House rule: the real letter may be swapped for a blank on the board (R12.1)."""

    OFF = "off"
    OWN_TURN = "own-turn"
    """In the own turn, before laying."""
    ANY_TIME = "any-time"


class ThemeUnit(StrEnum):
    """What the theme bonus is given for (R12.3)."""

    WORD = "word"
    TURN = "turn"


class ThemeWhen(StrEnum):
    """Whether word premiums multiply the theme bonus (R12.3)."""

    AFTER = "after"
    BEFORE = "before"


class MoveTimeout(StrEnum):
    """What happens when the time for a move is over (R12.5)."""

    REMINDER = "reminder"
    PASS = "pass"


_LONGEST_NAME = 80
"""Characters of the name of a rule set."""

# --- the rule set -------------------------------------------------------------------------------------------------

USUAL_BANS = (BannedWord.NAME, BannedWord.ABBREVIATION, BannedWord.AFFIX, BannedWord.HYPHEN)


@dataclass(frozen=True)
class RuleSet:
    """What a table agreed on before the game (R8.14). Take one of RULE_SETS and change it with ``with_settings``.

    Times are seconds. ``SETTINGS`` says for each setting what it may be and which rules it is about. RuleError for a
    value that is not allowed.
    """

    name: str
    """Of the set the settings come from."""

    # the table
    layout: BoardLayout = STANDARD
    """The premium squares (R1.1)."""
    max_players: int = 4
    """The most players of a game (R1.3, R13.1); two are the fewest."""
    rack_size: int = 7
    """Tiles on a full rack, also the most that can be laid in one turn (R1.4, R4.9)."""
    score_keeper: ScoreKeeper = ScoreKeeper.ONE
    draw_tie: DrawTie = DrawTie.TIED
    seating: Seating = Seating.CLOCKWISE

    # laying and counting
    min_first_word: int = 2
    """Letters the first word must have by house rule (R12.4); two are needed in any case (R4.1)."""
    first_word_waived: bool = False
    """Whether a first word of two letters will do once every player had a turn without laying one (R12.4)."""
    bingo_bonus: int = 50
    """Points for laying a full rack in one turn, added after all multiplications (R5.7, R5.8)."""
    turn_order: TurnOrder = TurnOrder.ANY
    score_correction: ScoreCorrection = ScoreCorrection.WINDOW
    blank_naming: BlankNaming = BlankNaming.ANNOUNCED

    # words
    word_authority: WordAuthority = WordAuthority.DICTIONARY
    banned_words: tuple[BannedWord, ...] = USUAL_BANS
    spelling: Spelling = Spelling.NEW
    regions: tuple[Region, ...] = tuple(Region)
    list_max_length: int = 0
    """Letters of the longest word the word list decides on; longer ones are looked up by hand. 0: no limit (R7.8)."""
    open_dictionary: bool = False
    """House rule: words may be looked up before they are laid (R7.7, R12.2)."""

    # challenges
    challenge_until: ChallengeUntil = ChallengeUntil.NOTED
    challenge_seconds: int = 0
    """Seconds after the announcement in which a challenge is in time; 0: no such limit (R8.2)."""
    challenge_scope: ChallengeScope = ChallengeScope.ALL_WORDS
    challengers: Challengers = Challengers.ANY
    joint_challenge: JointChallenge = JointChallenge.FIRST
    proof: Proof = Proof.LOOK_UP
    turns_lost: int = 1
    """Turns a player loses who laid a word that is not allowed: 1 the one it was laid in, 2 the next one too, 0 none:
    the tiles are taken back and laid anew (R8.3, R8.4)."""
    challenge_penalty: int = 0
    """Points the challenger pays for a wrong challenge (R8.5, R8.11)."""
    penalty_unit: PenaltyUnit = PenaltyUnit.CHALLENGE
    mixed_challenge: MixedChallenge = MixedChallenge.NONE
    drawn_tiles: DrawnTiles = DrawnTiles.RANDOM

    # exchanging
    exchange_min_bag: int = 7
    """Tiles that must be in the bag for an exchange (R9.2)."""
    exchange_of_none: bool = False
    """Whether an exchange of no tile is one; it is a pass in any case (R9.3)."""
    exchange_uses_turn: bool = True
    """House rule, when false: after an exchange the player may still move (R9.5)."""

    # the end
    end_on_passes: int = 2
    """Passes of every player that end the game; 0: passes do not (R10.2)."""
    pass_count: PassCount = PassCount.RUNNING
    exchange_counts_as_pass: bool = False
    """Whether an exchange goes on with a chain of passes, else it breaks it (R3.2, R10.4)."""
    taken_back_counts_as_pass: bool = False
    """Whether a play that was challenged off goes on with a chain of passes, else it breaks it (R10.5)."""
    end_on_scoreless_rounds: int = 0
    """Rounds without a word that stays which end the game; 0: they do not (R10.2)."""
    end_on_empty_bag: EmptyBag = EmptyBag.RACK_OUT
    subtract_rest: bool = True
    """Whether everybody loses the value of the tiles left (R11.1)."""
    rest_to: RestTo = RestTo.FINISHER
    tie: Tie = Tie.DRAW

    # house rules
    blank_reuse: BlankReuse = BlankReuse.OFF
    blank_reuse_uses_turn: bool = False
    swapped_tile_counts: bool = True
    """Whether later words count the value of the real letter that was swapped in (R12.1)."""
    theme_bonus: int = 0
    """Points for words of an agreed theme (R12.3)."""
    theme_unit: ThemeUnit = ThemeUnit.WORD
    theme_when: ThemeWhen = ThemeWhen.AFTER
    move_seconds: int = 0
    """Time for a single move; 0: none (R12.5)."""
    move_timeout: MoveTimeout = MoveTimeout.REMINDER

    # the clock
    clock_seconds: int = 0
    """Time of each player for the whole game; 0: no clock (R13.2)."""
    overtime_penalty: int = 10
    """Points for every started minute over time (R13.3)."""
    overtime_limit: int = 300
    """Seconds over time after which the game is lost; 0: no limit (R13.4)."""

    def __post_init__(self) -> None:
        for name, setting in SETTINGS.items():
            try:
                object.__setattr__(self, name, setting.checked(getattr(self, name)))
            except ValueError:
                raise RuleError(
                    f"{name} cannot be {getattr(self, name)!r}; allowed: {setting.allowed}",
                    setting=name,
                    value=getattr(self, name),
                    allowed=setting.allowed,
                ) from None

    def with_settings(self, /, **settings: Any) -> RuleSet:
        """The set with other settings, as values or in their text form; RuleError that names what is allowed for a
        wrong name or value."""
        for name in settings:
            if name not in SETTINGS:
                raise RuleError(
                    f"there is no setting {name!r}; settings: {', '.join(SETTINGS)}",
                    code="unknown-setting",
                    setting=name,
                    allowed=", ".join(SETTINGS),
                )
        return replace(self, **settings)

    def with_texts(self, assignments: Iterable[str]) -> RuleSet:
        """The set with settings given as ``name=value``; RuleError that names what is allowed for anything else."""
        settings: dict[str, Any] = {}
        for text in assignments:
            name, equals, value = text.partition("=")
            name = name.strip().replace("-", "_")
            if not equals:
                raise RuleError(f"{text!r} is no setting", code="no-assignment", text=text, hint="Write name=value.")
            # a wrong name is named by with_settings
            settings[name] = SETTINGS[name].read(value.strip()) if name in SETTINGS else value
        return self.with_settings(**settings)

    def penalty(self, words: int) -> int:
        """Points the challenger of this many valid words pays, as a positive number."""
        return self.challenge_penalty * (words if self.penalty_unit is PenaltyUnit.WORD else 1)

    def text_of(self, name: str) -> str:
        """The text form of a setting, which ``with_texts`` reads."""
        return SETTINGS[name].write(getattr(self, name))

    def to_json(self) -> dict[str, Any]:
        """The whole set as JSON values; ``from_json`` is the inverse."""
        return {"name": self.name} | {name: SETTINGS[name].plain(getattr(self, name)) for name in SETTINGS}

    @classmethod
    def from_json(cls, data: Any) -> RuleSet:
        """The set ``to_json`` wrote. A setting that is missing keeps its default: it did not exist when the game was
        written. RuleError for anything that is no rule set."""
        name = data.get("name") if isinstance(data, dict) else None
        if not isinstance(name, str):
            message = "a rule set is an object with a name and settings"
            raise _bad_rule_set(message, RuleError(message, code="no-rule-set"))
        if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
            message = f"the name of a rule set is one line of at most {_LONGEST_NAME} characters"
            raise _bad_rule_set(message, RuleError(message, code="rule-set-name", most=_LONGEST_NAME))
        return cls(name).with_settings(**{key: value for key, value in data.items() if key != "name"})


# --- the settings -------------------------------------------------------------------------------------------------


class Setting(NamedTuple):
    """What one setting may be.

    checked: the value itself, from its JSON or Python form; ValueError when it is not allowed
    read:    what a text given by a person stands for; a text that is nothing is given back and refused by ``checked``
    write:   the text of a value
    plain:   the JSON form of a value
    allowed: what a person may write, in words
    rules:   numbers of the rules checklist
    bounds:  the least and the greatest value of a number, None for any other setting
    """

    checked: Callable[[Any], Any]
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    plain: Callable[[Any], Any]
    allowed: str
    rules: tuple[str, ...]
    bounds: tuple[int, int] | None = None


def _whole(low: int, high: int, *rules: str) -> Setting:
    def checked(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError
        return value

    def read(text: str) -> int | str:
        return int(text) if text.isdecimal() and len(text) < 7 else text

    return Setting(checked, read, str, int, f"a whole number from {low} to {high}", rules, (low, high))


_YES_NO = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False, "ja": True, "nein": False}


def _switch(*rules: str) -> Setting:
    def checked(value: Any) -> bool:
        if type(value) is not bool:
            raise ValueError
        return value

    def read(text: str) -> bool | str:
        return _YES_NO.get(text.lower(), text)

    return Setting(checked, read, lambda value: "yes" if value else "no", bool, "yes or no", rules)


def _one_of(kind: type[StrEnum], *rules: str) -> Setting:
    return Setting(kind, str, str, str, " or ".join(kind), rules)


def _some_of(kind: type[StrEnum], *rules: str) -> Setting:
    def checked(value: Any) -> tuple[StrEnum, ...]:
        if not isinstance(value, (list, tuple)):
            raise ValueError
        chosen = {kind(one) for one in value}
        return tuple(one for one in kind if one in chosen)

    def read(text: str) -> list[str]:
        return [] if text == "none" else [part.strip() for part in text.split(",")]

    return Setting(
        checked,
        read,
        lambda value: ",".join(value) or "none",
        lambda value: list(map(str, value)),
        f"some of {', '.join(kind)} with commas between, or none",
        rules,
    )


def _layout(*rules: str) -> Setting:
    def checked(value: Any) -> BoardLayout:
        if isinstance(value, BoardLayout):
            return value
        if isinstance(value, (list, tuple)) and all(isinstance(row, str) for row in value):
            return BoardLayout(tuple(value))
        raise ValueError

    def read(text: str) -> Any:
        return STANDARD if text == "standard" else text.split("/")

    def write(layout: BoardLayout) -> str:
        return "standard" if layout == STANDARD else "/".join(layout.rows)

    allowed = "standard, or 15 rows of 15 squares with / between: . d t D T and one *"
    return Setting(checked, read, write, lambda layout: list(layout.rows), allowed, rules)


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        "layout": _layout("R1.1"),
        "max_players": _whole(2, 4, "R1.3", "R13.1"),
        "rack_size": _whole(1, SIZE, "R1.4", "R4.9"),
        "score_keeper": _one_of(ScoreKeeper, "R1.5"),
        "draw_tie": _one_of(DrawTie, "R2.5"),
        "seating": _one_of(Seating, "R2.4"),
        "min_first_word": _whole(2, SIZE, "R4.1", "R12.4"),
        "first_word_waived": _switch("R12.4"),
        "bingo_bonus": _whole(0, 1000, "R5.7", "R5.8"),
        "turn_order": _one_of(TurnOrder, "R3.5"),
        "score_correction": _one_of(ScoreCorrection, "R3.6"),
        "blank_naming": _one_of(BlankNaming, "R6.2", "R6.3"),
        "word_authority": _one_of(WordAuthority, "R7.1"),
        "banned_words": _some_of(BannedWord, "R7.2", "R7.9"),
        "spelling": _one_of(Spelling, "R7.6"),
        "regions": _some_of(Region, "R7.1", "R13.7"),
        "list_max_length": _whole(0, SIZE, "R7.8"),
        "open_dictionary": _switch("R7.7", "R12.2"),
        "challenge_until": _one_of(ChallengeUntil, "R8.2", "R3.5"),
        "challenge_seconds": _whole(0, 3600, "R8.2"),
        "challenge_scope": _one_of(ChallengeScope, "R8.8"),
        "challengers": _one_of(Challengers, "R8.9"),
        "joint_challenge": _one_of(JointChallenge, "R8.9"),
        "proof": _one_of(Proof, "R8.13"),
        "turns_lost": _whole(0, 2, "R8.3", "R8.4"),
        "challenge_penalty": _whole(0, 1000, "R8.5", "R12.6", "R13.5"),
        "penalty_unit": _one_of(PenaltyUnit, "R8.5", "R8.6"),
        "mixed_challenge": _one_of(MixedChallenge, "R8.7"),
        "drawn_tiles": _one_of(DrawnTiles, "R8.10"),
        "exchange_min_bag": _whole(0, 200, "R9.2"),
        "exchange_of_none": _switch("R9.3", "R3.2"),
        "exchange_uses_turn": _switch("R9.5"),
        "end_on_passes": _whole(0, 20, "R10.2"),
        "pass_count": _one_of(PassCount, "R10.2"),
        "exchange_counts_as_pass": _switch("R3.2", "R10.4"),
        "taken_back_counts_as_pass": _switch("R10.5"),
        "end_on_scoreless_rounds": _whole(0, 20, "R10.2"),
        "end_on_empty_bag": _one_of(EmptyBag, "R10.1", "R10.3"),
        "subtract_rest": _switch("R11.1", "R11.3"),
        "rest_to": _one_of(RestTo, "R11.2", "R11.3"),
        "tie": _one_of(Tie, "R11.6", "R13.6"),
        "blank_reuse": _one_of(BlankReuse, "R12.1"),
        "blank_reuse_uses_turn": _switch("R12.1"),
        "swapped_tile_counts": _switch("R12.1"),
        "theme_bonus": _whole(0, 1000, "R12.3"),
        "theme_unit": _one_of(ThemeUnit, "R12.3"),
        "theme_when": _one_of(ThemeWhen, "R12.3"),
        "move_seconds": _whole(0, 86400, "R12.5"),
        "move_timeout": _one_of(MoveTimeout, "R12.5"),
        "clock_seconds": _whole(0, 86400, "R13.2"),
        "overtime_penalty": _whole(0, 1000, "R13.3"),
        "overtime_limit": _whole(0, 86400, "R13.4"),
    }
)
"""Every setting by its name, in the order in which people see them."""

assert set(SETTINGS) == {field.name for field in fields(RuleSet)} - {"name"}

RULE_SETS: Mapping[str, RuleSet] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            RuleSet("mattel", proof=Proof.PLAYER, spelling=Spelling.HEADWORD),
            RuleSet(
                "scrabble-deutschland",
                word_authority=WordAuthority.LIST_THEN_BOOK,
                turn_order=TurnOrder.NOTE_DRAW,
                challenge_penalty=5,
            ),
            RuleSet(
                "turnier",
                max_players=2,
                score_keeper=ScoreKeeper.EACH,
                word_authority=WordAuthority.CLUB_LIST,
                list_max_length=9,
                turn_order=TurnOrder.NOTE_DRAW,
                blank_naming=BlankNaming.WRITTEN,
                challenge_seconds=20,
                challenge_scope=ChallengeScope.NAMED,
                challenge_penalty=10,
                penalty_unit=PenaltyUnit.WORD,
                clock_seconds=1800,
                tie=Tie.HALF_WIN,
            ),
            RuleSet(
                "familie",
                word_authority=WordAuthority.TABLE,
                open_dictionary=True,
                blank_naming=BlankNaming.LATER,
                score_correction=ScoreCorrection.ALWAYS,
                challenge_until=ChallengeUntil.NEXT_TURN,
                proof=Proof.TABLE,
                end_on_passes=1,
            ),
        )
    }
)
"""The named rule sets by name, as the option ``--rules`` takes them (reasons: docs/rules.md)."""


def rule_set(name: str) -> RuleSet:
    """The rule set of that name; RuleError that names those there are."""
    try:
        return RULE_SETS[name]
    except KeyError:
        raise RuleError(
            f"there is no rule set {name!r}; rule sets: {', '.join(RULE_SETS)}",
            code="unknown-rule-set",
            name=name,
            allowed=", ".join(RULE_SETS),
        ) from None


def read_rule_set(text: str) -> RuleSet:
    """The rule set a JSON text holds, as a club keeps its own; RuleError for anything else, also for a setting that
    comes twice."""
    try:
        return RuleSet.from_json(json.loads(text, object_pairs_hook=_each_once))
    except (ValueError, RecursionError) as error:
        raise _bad_rule_set(f"this is no rule set: {error}", json_error(error)) from error


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        reason = RuleError(f"{twice!r} comes twice", code="setting-twice", setting=twice)
        raise _bad_rule_set(f"this is no rule set: {reason.message}", reason)
    return found


def _bad_rule_set(message: str, reason: BrettblickError) -> RuleError:
    return RuleError(message, code="bad-rule-set", reason=reason)


# --- comparing and checking ---------------------------------------------------------------------------------------


def differing_settings(one: RuleSet, other: RuleSet) -> tuple[str, ...]:
    """Names of the settings in which two sets differ, in the order of SETTINGS."""
    return tuple(name for name in SETTINGS if getattr(one, name) != getattr(other, name))


class RuleConflict(StrEnum):
    """Settings that contradict each other or leave a game without an end; a set with them works all the same."""

    NO_END_WITHOUT_MOVES = "no-end-without-moves"
    """Neither passes nor scoreless rounds end the game: players who cannot lay play for ever."""
    REST_WITHOUT_OWNER = "rest-without-owner"
    """The game ends with the bag, when nobody has laid all tiles, and the rest is for who did."""
    CREDIT_WITHOUT_DEBIT = "credit-without-debit"
    """The finisher is credited with what nobody loses."""
    LATE_BEFORE_DRAWING = "late-before-drawing"
    """Drawing closes the move, but it comes after the points are written down, which close it already."""
    PENALTY_AT_OPEN_DICTIONARY = "penalty-at-open-dictionary"
    """Everybody may look words up before they are laid, and a challenge costs points."""
    LIMIT_WITHOUT_CLOCK = "limit-without-clock"
    """A move that runs out is a pass, but moves have no time."""
    THEME_WITHOUT_BONUS = "theme-without-bonus"
    """How theme words count was changed, but they bring nothing."""
    UNREACHABLE_FIRST_WORD = "unreachable-first-word"
    """The first word needs more letters than a rack has."""
    BINGO_WITHOUT_POINTS = "bingo-without-points"
    """Laying the whole rack brings nothing: one of the texts leaves the bonus out, all others have it."""


def conflicts(rules: RuleSet) -> tuple[RuleConflict, ...]:
    """What in a rule set contradicts itself or surely is a slip."""
    found = {
        RuleConflict.NO_END_WITHOUT_MOVES: not rules.end_on_passes and not rules.end_on_scoreless_rounds,
        RuleConflict.REST_WITHOUT_OWNER: rules.end_on_empty_bag is EmptyBag.BAG and rules.rest_to is RestTo.FINISHER,
        RuleConflict.CREDIT_WITHOUT_DEBIT: not rules.subtract_rest and rules.rest_to is not RestTo.NONE,
        RuleConflict.LATE_BEFORE_DRAWING: rules.challenge_until is ChallengeUntil.DRAWN
        and rules.turn_order is TurnOrder.NOTE_DRAW,
        RuleConflict.PENALTY_AT_OPEN_DICTIONARY: rules.open_dictionary and rules.challenge_penalty > 0,
        RuleConflict.LIMIT_WITHOUT_CLOCK: rules.move_timeout is MoveTimeout.PASS and not rules.move_seconds,
        RuleConflict.THEME_WITHOUT_BONUS: not rules.theme_bonus
        and (rules.theme_unit, rules.theme_when) != (ThemeUnit.WORD, ThemeWhen.AFTER),
        RuleConflict.UNREACHABLE_FIRST_WORD: rules.min_first_word > rules.rack_size,
        RuleConflict.BINGO_WITHOUT_POINTS: not rules.bingo_bonus,
    }
    return tuple(conflict for conflict, is_so in found.items() if is_so)
