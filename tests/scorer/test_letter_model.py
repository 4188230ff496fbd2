"""The letter model, and the prior that knows words too: probabilities, unknown letters, and what stays closed."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest

from scorer.adjudication import Referee
from scorer.errors import BrettblickError, RuleError
from scorer.letter_model import IMPOSSIBLE, LETTERS, SHARE, TABLE_BYTES, LetterModel, WordPrior, learn, prior_of
from scorer.lexicon import Listed, NoLexicon, Reason, Spelled, WordList, words_in
from scorer.rules import RULE_SETS, RuleSet

WORDS = ["HUT", "HUTE", "HÜTE", "HÜTTE", "GUT", "MUT", "MÜTTER", "BLÜTE", "GÜTE", "TUT", "NUT", "QUER", "AN", "IN"]
TURNIER = RULE_SETS["turnier"]
OPEN = next(rules for rules in RULE_SETS.values() if rules.open_dictionary)


@pytest.fixture(scope="module")
def model() -> LetterModel:
    return LetterModel(learn(WORDS))


def referee(*words: str) -> Referee:
    return Referee(Listed(WordList("Probe"), words_in(words), OPEN))


@pytest.mark.parametrize("length", [1, 2, 3])
def test_probabilities_sum_to_one_over_all_words_of_a_length(model: LetterModel, length: int) -> None:
    total = sum(math.exp(model.log_probability("".join(word))) for word in product(LETTERS, repeat=length))
    assert total == pytest.approx(1)


@pytest.mark.parametrize("length", [1, 4, 15])
def test_any_word_of_a_length_is_certain(model: LetterModel, length: int) -> None:
    assert model.log_probability("?" * length) == pytest.approx(0)


@pytest.mark.parametrize("pattern", ["H?TE", "?UT", "HU?", "?", "M?T?ER"])
def test_an_unknown_letter_is_the_sum_over_all_letters(model: LetterModel, pattern: str) -> None:
    words = [pattern]
    while "?" in words[0]:
        words = [word.replace("?", letter, 1) for word in words for letter in LETTERS]
    total = sum(math.exp(model.log_probability(word)) for word in words)
    assert math.exp(model.log_probability(pattern)) == pytest.approx(total)


def test_letters_that_follow_each_other_often_are_likelier(model: LetterModel) -> None:
    assert model.log_probability("WUT") > model.log_probability("WQT") + 2
    assert model.log_probability("QUT") > model.log_probability("QTU") + 2


def test_one_word_learned_gives_the_probabilities_of_witten_and_bell() -> None:
    """AA is three symbols of two kinds: A, A and the end. After A come one A and one end; after start and A comes A,
    after AA the end. What follows B was never seen: there single letters decide."""
    model = LetterModel(learn(["AA"]))
    a, b, end = (2 + 2 / 30) / 5, (2 / 30) / 5, (1 + 2 / 30) / 5
    after_a_come_a, b_, end_ = (1 + 2 * a) / 4, 2 * b / 4, (1 + 2 * end) / 4
    wanted = math.log((1 + after_a_come_a) / 2 * (1 + end_) / 2) - math.log(b_ / 2 * end)
    # four probabilities, each stored to 1/16 and made to sum to one with its neighbours
    assert model.log_probability("AA") - model.log_probability("AB") == pytest.approx(wanted, abs=0.25)


def test_the_table_has_a_fixed_size_and_does_not_depend_on_the_order_of_the_words() -> None:
    table = learn(WORDS)
    assert len(table) == TABLE_BYTES < 40_000
    assert table == learn(reversed(WORDS)) != learn(WORDS[1:])


def test_words_that_cannot_be_laid_are_left_out() -> None:
    assert learn([*WORDS, "NAÏV", "E-MAIL", "", "A" * 16]) == learn(WORDS)


def test_the_model_knows_how_many_words_of_a_length_it_learned_from(model: LetterModel) -> None:
    assert model.words_by_length == (0, 0, 2, 5, 4, 2, 1, *[0] * 9)


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(BrettblickError, match="bytes, not 3"):
        LetterModel(b"abc")


@pytest.mark.parametrize("pattern", ["", "A" * 16])
def test_a_pattern_has_to_fit_on_the_board(model: LetterModel, pattern: str) -> None:
    with pytest.raises(ValueError, match="no word has"):
        model.log_probability(pattern)


@pytest.mark.parametrize("pattern", ["NIÑO", "?IÑO"])
def test_a_letter_that_is_not_german_is_as_good_as_impossible(model: LetterModel, pattern: str) -> None:
    assert model.log_probability(pattern) < IMPOSSIBLE / 2


def test_words_of_the_list_get_their_share(model: LetterModel) -> None:
    prior = WordPrior(model, referee("HUT", "MUT"), OPEN)
    by_letters = math.exp(model.log_probability("HUT"))
    # the model learned five words of three letters
    assert math.exp(prior.log_probability("HUT")) == pytest.approx((1 - SHARE) * by_letters + SHARE / 5)
    assert math.exp(prior.log_probability("WUT")) == pytest.approx((1 - SHARE) * math.exp(model.log_probability("WUT")))


def test_an_unknown_letter_counts_all_words_of_the_list_that_fit(model: LetterModel) -> None:
    prior = WordPrior(model, referee("HUT", "MUT", "MAI"), OPEN)
    total = sum(math.exp(prior.log_probability(f"{letter}UT")) for letter in LETTERS)
    assert math.exp(prior.log_probability("?UT")) == pytest.approx(total)
    by_letters = math.exp(model.log_probability("M??"))
    assert math.exp(prior.log_probability("M??")) == pytest.approx((1 - SHARE) * by_letters + SHARE * 2 / 5)


def test_doubtful_words_are_laid_as_well(model: LetterModel) -> None:
    spelled = {"AAL": (Spelled("AAL", doubt=Reason.PLACE),)}
    lexicon = Listed(WordList("Probe"), lambda tiles: spelled.get(tiles, ()), OPEN)
    with_word, without = (WordPrior(model, Referee(one), OPEN) for one in (lexicon, NoLexicon()))
    assert with_word.log_probability("AAL") > without.log_probability("AAL") + 3


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_words_are_known_only_where_the_dictionary_is_open(model: LetterModel, rules: RuleSet) -> None:
    prior = prior_of(model, rules, referee("HUT"))
    assert isinstance(prior, WordPrior) == rules.open_dictionary


def test_a_prior_of_words_cannot_be_made_where_the_dictionary_is_closed(model: LetterModel) -> None:
    with pytest.raises(RuleError, match="closed until a word is challenged"):
        WordPrior(model, referee("HUT"), replace(TURNIER, open_dictionary=False))


def test_without_a_list_letters_are_all_there_is(model: LetterModel) -> None:
    assert prior_of(model, OPEN) is model
    assert prior_of(model, OPEN, Referee(NoLexicon())) is model


def test_more_unknown_letters_than_blanks_are_left_to_the_letter_model(model: LetterModel) -> None:
    prior = WordPrior(model, referee("MUT"), OPEN)
    assert prior.log_probability("???") == model.log_probability("???")
    assert prior.log_probability("M??") > model.log_probability("M??") + math.log(1 - SHARE)
