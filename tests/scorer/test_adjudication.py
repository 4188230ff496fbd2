"""From a verdict to a decision, and that nobody learns a word's validity before it is challenged (R7.1, R7.7, R7.8)."""

from __future__ import annotations

import pytest

from scorer.adjudication import Referee, Resort, Ruling, decisions, rule_on
from scorer.board import Square
from scorer.challenge import ChallengedWord
from scorer.errors import GameError, RuleError
from scorer.events import BlankNamed, Challenged, Corrected, Noted, Placed, Undone
from scorer.formats import write_gcg
from scorer.formats.events import read_game, write_game
from scorer.game import Game, GameState, advance, offer, replay
from scorer.lexicon import Decision, Lexicon, Listed, NoLexicon, TableDecides, Union, Verdict, WordList, words_in
from scorer.notation import Notation
from scorer.placement import Placement
from scorer.records import written_game
from scorer.rules import RULE_SETS, RuleSet
from scorer.tiles import GERMAN_102
from tests.scorer.games import HAUS, SEE, THREE_WORDS, rules_of, state

WORDS = words_in(["HAUS", "SEE", "UNENDLICHKEIT"])
LIST = WordList("Liste", "7")
CLUB = WordList("SDeV", "2026", "", 9, official=True)


class Watched(Listed):
    """A list that remembers what it was asked."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(CLUB, WORDS, rules)
        self.asked: list[str] = []

    def look_up(self, word: str) -> Verdict:
        self.asked.append(word)
        return super().look_up(word)


def ruling(lexicon: Lexicon, word: str, rules: RuleSet) -> tuple[bool | None, str]:
    found = rule_on(lexicon.look_up(word), rules)
    return found.allowed, found.resort.value


@pytest.mark.parametrize(
    ("rules", "official", "word", "expected"),
    [
        # a club's own list decides on words of its length, where it was agreed on
        ("turnier", True, "HAUS", (True, "lexicon")),
        ("turnier", True, "HAUX", (False, "lexicon")),
        ("turnier", True, "UNENDLICHKEIT", (None, "by-hand")),
        ("turnier", True, "UNENDLICHKEI", (None, "by-hand")),
        # any other list is evidence
        ("turnier", False, "HAUS", (None, "by-hand")),
        ("turnier", False, "HAUX", (None, "by-hand")),
        # the list, then the book
        ("scrabble-deutschland", False, "HAUS", (True, "lexicon")),
        ("scrabble-deutschland", False, "UNENDLICHKEIT", (True, "lexicon")),
        ("scrabble-deutschland", False, "HAUX", (None, "by-hand")),
        ("scrabble-deutschland", True, "HAUX", (None, "by-hand")),
        # the printed dictionary
        ("mattel", True, "HAUS", (None, "by-hand")),
        ("mattel", False, "HAUX", (None, "by-hand")),
        # the table
        ("familie", True, "HAUS", (None, "table")),
        ("familie", False, "HAUX", (None, "table")),
        # what no tiles can lie as is decided everywhere
        ("turnier", True, "HAUS-", (False, "lexicon")),
        ("familie", True, "HAUS-", (False, "lexicon")),
        ("mattel", False, "HAUSß", (False, "lexicon")),
    ],
)
def test_who_decides_is_what_the_table_agreed_on(
    rules: str, official: bool, word: str, expected: tuple[bool | None, str]
) -> None:
    about = WordList("SDeV", max_length=15, official=official)
    assert ruling(Listed(about, WORDS, RULE_SETS[rules]), word, RULE_SETS[rules]) == expected


def test_a_list_decides_only_up_to_the_length_agreed_on() -> None:
    rules = rules_of("scrabble-deutschland", list_max_length=4)
    lexicon = Listed(LIST, words_in(["HAUS", "HÄUSER"]), rules)
    assert ruling(lexicon, "HAUS", rules) == (True, "lexicon")
    assert ruling(lexicon, "HÄUSER", rules) == (None, "by-hand")


def test_beside_a_club_list_no_other_list_decides_by_club_rules() -> None:
    rules = RULE_SETS["turnier"]
    both = Union(Listed(CLUB, words_in(["SEE"]), rules), Listed(LIST, WORDS, rules))
    assert ruling(both, "HAUS", rules) == (False, "lexicon")
    assert ruling(both, "UNENDLICHKEIT", rules) == (None, "by-hand")
    assert rule_on(both.look_up("UNENDLICHKEIT"), rules).verdict.source == LIST


def test_what_was_looked_up_says_where_and_what_is_decided_by_hand_says_by_whom() -> None:
    rules = RULE_SETS["turnier"]
    lexicon = Listed(CLUB, WORDS, rules)
    listed = rule_on(lexicon.look_up("Haus"), rules)
    assert listed.as_looked_up() == ChallengedWord("HAUS", True, "SDeV (2026)")
    with pytest.raises(GameError) as caught:
        listed.as_decided(False, "Anna")
    assert caught.value.code == "word-decided"
    by_hand = rule_on(lexicon.look_up("UNENDLICHKEIT"), rules)
    with pytest.raises(GameError) as caught:
        by_hand.as_looked_up()
    assert caught.value.code == "word-undecided"
    with pytest.raises(GameError) as caught:
        by_hand.as_decided(True, " ")
    assert caught.value.code == "nobody-decided"
    assert by_hand.as_decided(True, "Anna", "Duden 28") == ChallengedWord("UNENDLICHKEIT", True, "Duden 28", "Anna")


# --- the seal -----------------------------------------------------------------------------------------------------


def played(*more: object, rules: str = "turnier", **settings: object) -> GameState:
    return state(HAUS, SEE, *more, rules=rules, **settings)  # type: ignore[arg-type]


def asked(
    game: GameState, ref: int, *words: str, by: tuple[int, ...] = (0,), seconds: float | None = None
) -> list[str]:
    """What a challenge gives; that a refused one looks nothing up."""
    lexicon = Watched(game.game.rules)
    try:
        rulings = Referee(lexicon).on_challenge(game, ref, by, words, seconds)
    except GameError as error:
        assert error.code == "no-challenge"
        assert lexicon.asked == []
        return [str(error.details["faults"])]
    assert lexicon.asked == list(words)
    return [f"{one.verdict.tiles} {one.allowed}" for one in rulings]


def test_a_challenge_opens_the_lexicon_for_the_words_it_names() -> None:
    assert asked(played(), 2, "SEE") == ["SEE True"]
    assert asked(state(HAUS, THREE_WORDS), 2, "ES", "UE") == ["ES False", "UE False"]


def test_a_challenge_names_its_words_in_any_spelling() -> None:
    rulings = Referee(Listed(CLUB, WORDS, RULE_SETS["turnier"])).on_challenge(played(), 2, (0,), ["See"])
    assert [one.as_looked_up() for one in rulings] == [ChallengedWord("SEE", True, "SDeV (2026)")]


def test_a_word_challenged_while_its_blank_was_open_is_the_word_it_became() -> None:
    laid = Placed(0, Placement.of({Square(7, 6 + number): tile for number, tile in enumerate("HA?S")}))
    game = state(laid, rules="scrabble-deutschland")
    lexicon = Watched(game.game.rules)
    with pytest.raises(GameError):
        Referee(lexicon).on_challenge(game, 1, (1,), ["HA?S"])
    game = state(laid, BlankNamed(Square(7, 8), "U"), rules="scrabble-deutschland")
    (found,) = Referee(lexicon).on_challenge(game, 1, (1,), ["HA?S"])
    assert (found.allowed, found.as_looked_up().word) == (True, "HAUS")
    assert lexicon.asked == ["HAUS"]


@pytest.mark.parametrize(
    ("ref", "words", "by", "seconds", "fault"),
    [
        (2, ("HAUX",), (0,), None, "word-not-formed"),
        (2, ("SEE", "SEE"), (0,), None, "word-not-formed"),
        (2, (), (0,), None, "no-word-named"),
        (2, ("SEE",), (1,), None, "own-move"),
        (2, ("SEE",), (), None, "may-not-challenge"),
        (2, ("SEE",), (7,), None, "no-such-player"),
        (7, ("SEE",), (0,), None, "no-such-move"),
        (1, ("HAUS",), (1,), None, "move-closed"),
        (2, ("SEE",), (0,), 21.0, "move-closed"),
    ],
)
def test_without_a_challenge_that_the_rules_allow_nothing_is_looked_up(
    ref: int, words: tuple[str, ...], by: tuple[int, ...], seconds: float | None, fault: str
) -> None:
    (faults,) = asked(played(), ref, *words, by=by, seconds=seconds)
    assert fault in faults.split(", ")


def test_a_closed_move_stays_sealed() -> None:
    assert asked(played(Noted(2)), 2, "SEE") == ["move-closed"]


def test_the_rulings_make_the_event_of_the_challenge() -> None:
    game = played()
    (found,) = Referee(Listed(CLUB, WORDS, game.game.rules)).on_challenge(game, 2, (0,), ["SEE"])
    after = offer(game, Challenged(2, (0,), (found.as_looked_up(),)))
    assert isinstance(after, GameState)
    assert (after.totals, after.next_player) == ((0, 3), 0)  # ten points for a wrong challenge


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_beforehand_the_lexicon_is_open_only_where_the_rules_say_so(name: str) -> None:
    rules = RULE_SETS[name]
    lexicon = Watched(rules)
    if rules.open_dictionary:
        assert [one.verdict.tiles for one in Referee(lexicon).beforehand(["HAUS"], rules)] == ["HAUS"]
    else:
        with pytest.raises(RuleError) as caught:
            Referee(lexicon).beforehand(["HAUS"], rules)
        assert caught.value.code == "dictionary-closed"
        assert lexicon.asked == []


def test_a_referee_does_not_hand_out_its_lexicon() -> None:
    lexicon = Watched(RULE_SETS["turnier"])
    referee = Referee(lexicon)
    assert not any(getattr(referee, name) is lexicon for name in dir(referee) if not name.startswith("_"))
    assert referee.lists == (CLUB,)
    assert "HAUS" not in repr(referee)


# --- the table remembers ------------------------------------------------------------------------------------------


def test_what_the_table_decided_is_remembered_for_the_evening() -> None:
    game = played(rules="familie")
    (open_,) = Referee(TableDecides()).on_challenge(game, 2, (0,), ["SEE"])
    assert (open_.allowed, open_.resort) == (None, Resort.TABLE)
    game = advance(game, Challenged(2, (0,), (open_.as_decided(False, "Anna und Ben"),)))
    assert game.board.at(HAUS.placement.squares[0]) == "H" and game.totals[1] == 0
    memory = decisions(game)
    (known,) = Referee(TableDecides(memory)).on_challenge(played(rules="familie"), 2, (0,), ["SEE"])
    assert (known.allowed, known.resort, known.verdict.by) == (False, Resort.LEXICON, "Anna und Ben")
    assert known.as_looked_up() == ChallengedWord("SEE", False, "", "Anna und Ben")


def test_what_a_list_decided_is_no_decision_of_the_table() -> None:
    game = played(Challenged(2, (0,), (ChallengedWord("SEE", True, "SDeV"),)))
    assert decisions(game) == {}


def test_the_last_decision_that_counts_is_remembered() -> None:
    def challenge(allowed: bool, by: str, ref: int = 2, player: int = 0) -> Challenged:
        return Challenged(ref, (player,), (ChallengedWord("SEE", allowed, "", by),))

    yes, no = challenge(True, "Anna"), challenge(False, "Ben")
    assert decisions(played(yes, rules="familie")) == {"SEE": Decision(True, "Anna")}
    assert decisions(played(yes, Undone(), rules="familie")) == {}
    assert decisions(played(yes, Corrected(3, no), rules="familie")) == {"SEE": Decision(False, "Ben")}
    for impossible in (challenge(False, "Ben", ref=9), challenge(False, "Ben", player=7)):
        game = state(HAUS, SEE, yes, impossible, rules="familie")
        assert decisions(game) == {"SEE": Decision(True, "Anna")}


def test_a_game_keeps_the_lists_and_none_of_their_words() -> None:
    referee = Referee(Listed(CLUB, WORDS, RULE_SETS["turnier"]))
    game = Game(("A", "B"), RULE_SETS["turnier"], GERMAN_102, (HAUS,), word_lists=referee.lists)
    text = write_game(game)
    assert read_game(text) == game
    assert '"SDeV"' in text and "UNENDLICHKEIT" not in text
    assert "#lexicon SDeV (2026)\n" in write_gcg(written_game(replay(game), Notation.INTERNATIONAL))
    assert replay(game).totals == (10, 0)
    assert Referee(NoLexicon()).lists == ()


def test_a_ruling_is_a_value() -> None:
    verdict = Listed(CLUB, WORDS, RULE_SETS["turnier"]).look_up("HAUS")
    assert rule_on(verdict, RULE_SETS["turnier"]) == Ruling(verdict, True, Resort.LEXICON)
