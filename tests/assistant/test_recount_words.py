"""What a prior of words does to a whole game, and that it gives nothing away where the dictionary is closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from assistant.commands.recount import print_sheet
from assistant.recount import Recount, open_verdicts, recount
from assistant.texts import Texts
from scorer.adjudication import Referee
from scorer.board import Board, Square
from scorer.letter_model import LetterModel, Prior, learn, prior_of
from scorer.lexicon import Listed, WordList, words_in
from scorer.rules import RULE_SETS, RuleSet
from scorer.tiles import GERMAN_102
from vision.observe import Observation
from vision.reading import BoardReading

Make = Callable[..., BoardReading]
Unsure = Mapping[int, Mapping[tuple[int, int], Mapping[str, float]]]

CLOSED = RULE_SETS["turnier"]
OPEN = next(rules for rules in RULE_SETS.values() if rules.open_dictionary)
EMPTY = Board.empty()
FUR = EMPTY.placed({Square(7, 7): "F", Square(7, 8): "U", Square(7, 9): "R"})
FURORE = FUR.placed({Square(7, 10): "O", Square(7, 11): "R", Square(7, 12): "E"})


def prior(rules: RuleSet, *words: str) -> Prior:
    """Of a model that knows little of German, and of a list with these words."""
    model = LetterModel(learn(["RUF", "GUT", "MUT", "TÜR", "GÜTE", "OHR", "QUER", "BEUGEN"]))
    return prior_of(model, rules, Referee(Listed(WordList("Probe"), words_in(words), rules)))


def game(make: Make, boards: list[Board], unsure: Unsure, rules: RuleSet, prior: Prior | None) -> Recount:
    seen = [
        Observation(f"{k:02}.jpg", reading=make(board.rows, unsure.get(k))) for k, board in enumerate([EMPTY, *boards])
    ]
    return recount(seen, ("Anna", "Ben"), rules, GERMAN_102, prior)


def word(result: Recount, entry: int = 1) -> str:
    play = result.entries[entry].play
    assert play is not None and play.main_word is not None
    return play.main_word.word


@pytest.mark.parametrize("known", ["FUR", "FÜR"])
def test_the_word_is_proposed_and_still_asked_about(make_reading: Make, known: str) -> None:
    doubt = {1: {(7, 8): {"U": 0.5, "Ü": 0.5}}}
    result = game(make_reading, [FUR], doubt, OPEN, prior(OPEN, known))
    assert word(result) == known
    question = result.entries[1].question
    assert question is not None and question.code == "which-letter" and question.squares == (Square(7, 8),)
    assert [char for char, _ in question.candidates] == [known[1], "ÜU"[known[1] == "Ü"]]


@pytest.mark.parametrize("known", ["FÖR", "FÜR"])
def test_words_take_no_question_away(make_reading: Make, known: str) -> None:
    """A reader that is wrong about one letter finds words that agree with it."""
    doubt = {1: {(7, 8): {"Ü": 0.9, "Ö": 0.1}}}
    result = game(make_reading, [FUR], doubt, OPEN, prior(OPEN, known))
    question = result.entries[1].question
    assert word(result) == "FÜR"  # the picture says so by more than words may say
    assert question is not None and question.code == "which-letter" and question.squares == (Square(7, 8),)


def test_a_clear_picture_of_an_invalid_word_stays(make_reading: Make) -> None:
    result = game(make_reading, [FUR], {1: {(7, 8): {"U": 0.99, "Ü": 0.01}}}, OPEN, prior(OPEN, "FÜR"))
    assert word(result) == "FUR" and result.entries[1].question is None


def test_a_move_that_was_taken_back_is_read_as_it_was_laid(make_reading: Make) -> None:
    """It was challenged because its word is none; the list would turn it into one."""
    more = FUR.placed({Square(8, 9): "O", Square(9, 9): "T"})
    doubt = {2: {(8, 9): {"O": 0.6, "Ö": 0.4}}}
    laid = prior(OPEN, "FUR", "RÖT")
    stays = game(make_reading, [FUR, more], doubt, OPEN, laid)
    assert word(stays, 2) == "RÖT"
    taken_back = game(make_reading, [FUR, more, FUR], doubt, OPEN, laid)
    assert taken_back.entries[2].withdrawn and word(taken_back, 2) == "ROT"
    assert taken_back.entries[2].question is not None


def test_a_letter_of_an_earlier_move_in_doubt_is_no_evidence_for_the_next_one(make_reading: Make) -> None:
    """FÜRÖRE is the word here. The picture of the first move says rather FUR, which is none the less no reason against
    FÜRÖRE, as it is not sure."""
    either = {"U": 0.6, "Ü": 0.4}
    doubt = {1: {(7, 8): either}, 2: {(7, 8): either, (7, 10): {"O": 0.5, "Ö": 0.5}}}
    result = game(make_reading, [FUR, FURORE], doubt, OPEN, prior(OPEN, "FÜRÖRE"))
    assert word(result, 2)[3:] == "ÖRE"


@pytest.mark.parametrize(
    ("letter", "second_move", "listed", "said"),
    [
        ("U", False, ["FUR"], "Alle Wörter stehen in der Liste (Probe)."),
        ("?", False, ["FUR"], None),  # nothing could be looked up
        ("?", True, ["OR", "RO"], "Alle Wörter ohne offenen Blanko stehen in der Liste (Probe)."),
        ("?", True, ["OR"], "RO: nicht bekannt – Probe."),
    ],
)
def test_the_sheet_says_of_no_word_that_it_is_listed_that_was_not_looked_up(
    make_reading: Make,
    capsys: pytest.CaptureFixture[str],
    letter: str,
    second_move: bool,
    listed: list[str],
    said: str | None,
) -> None:
    boards = [FUR.removed([Square(7, 8)]).placed({Square(7, 8): letter})]
    if second_move:
        boards.append(boards[0].placed({Square(8, 9): "O", Square(8, 10): "R"}))
    referee = Referee(Listed(WordList("Probe"), words_in(listed), OPEN))
    result = game(make_reading, boards, {}, OPEN, None)
    print_sheet(result, Texts("de"), referee.lists, open_verdicts(result, referee))
    out = " ".join(capsys.readouterr().out.split())
    assert ("in der Liste" in out) is (said is not None and said.startswith("Alle"))
    assert said is None or said in out


@pytest.mark.parametrize(
    "rules", [rules for rules in RULE_SETS.values() if not rules.open_dictionary], ids=lambda rules: rules.name
)
def test_with_a_closed_dictionary_nothing_depends_on_the_list(make_reading: Make, rules: RuleSet) -> None:
    doubts: list[Unsure] = [{1: {(7, 8): {"U": p, "Ü": 1 - p}}} for p in (0.1, 0.5, 0.9)]
    for doubt in doubts:
        one, other = (game(make_reading, [FUR, FURORE], doubt, rules, prior(rules, w)) for w in ("FUR", "FÜR"))
        shown = [(e.play, e.question, e.totals, e.kind) for e in one.entries]
        assert shown == [(e.play, e.question, e.totals, e.kind) for e in other.entries]
        assert one.board == other.board


def test_with_a_closed_dictionary_the_letters_alone_may_order_the_answers(make_reading: Make) -> None:
    doubt = {1: {(7, 8): {"Q": 0.87, "U": 0.13}}}  # six U for one Q make it 0.53 to 0.47
    assert word(game(make_reading, [FUR], doubt, CLOSED, None)) == "FQR"
    assert word(game(make_reading, [FUR], doubt, CLOSED, prior(CLOSED, "FQR"))) == "FUR"
