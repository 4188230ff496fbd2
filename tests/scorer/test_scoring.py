"""Scores with values known from play, worked out by hand or from tournament records."""

from __future__ import annotations

import pytest

from scorer import (
    ENGLISH_100,
    GERMAN_102,
    Board,
    Direction,
    MoveText,
    Notation,
    Placement,
    Play,
    RuleSet,
    Square,
    score_move,
    score_placement,
)

GERMAN, INTERNATIONAL = Notation.GERMAN, Notation.INTERNATIONAL


def board_with(*words: tuple[int, int, str, Direction]) -> Board:
    board = Board.empty()
    for row, col, word, direction in words:
        tiles = {Square(row, col).step(direction, i): char for i, char in enumerate(word)}
        board = board.placed({square: char for square, char in tiles.items() if board.at(square) is None})
    return board


def play(move: str, rules: RuleSet, board: Board | None = None, notation: Notation = GERMAN) -> Play:
    return score_move(board or Board.empty(), MoveText.parse(move, notation), rules, GERMAN_102)


def words(play: Play) -> list[tuple[str, int]]:
    return [(word.word, word.score) for word in play.words]


HAUS = board_with((7, 4, "HAUS", Direction.ACROSS))


@pytest.mark.parametrize(
    ("move", "score"),
    [
        ("H4 FIRNS", 24),
        ("H4 fIRNS", 8),  # a blank on a double letter square is worth nothing (R5.1)
        ("H4 FIRNs", 22),  # a blank on the star: the word counts double all the same (R5.5)
        ("H4 ?IRNS", 8),
        ("8D FIRNS", 24),
        ("H8 FIRNS", 18),  # S on the double letter square
        ("H7 HÖR", 22),
        ("H7 QI", 22),
        ("H8 HUT", 8),
    ],
)
def test_openings(turnier: RuleSet, move: str, score: int) -> None:
    result = play(move, turnier)
    assert result.score == score
    assert result.legal


def test_the_best_german_opening(turnier: RuleSet) -> None:
    """MYXÖDEM with the Y on the double letter square: 138, the 50 points added after the doubling (R5.7)."""
    result = play("8C MYXÖDEM", turnier, notation=INTERNATIONAL)
    assert result.placement.by_square[Square(7, 3)] == "Y"
    assert (words(result), result.bingo_bonus, result.score) == ([("MYXÖDEM", 88)], 50, 138)


def test_no_bonus_for_six_tiles(turnier: RuleSet) -> None:
    assert play("H3 MYXÖDE", turnier).bingo_bonus == 0


def test_the_bonus_is_a_setting(turnier: RuleSet) -> None:
    assert play("H3 MYXÖDEM", turnier.with_settings(bingo_bonus=0)).score == 88
    six = turnier.with_settings(rack_size=6, bingo_bonus=35)
    assert play("H4 MYXÖDE", six).bingo_bonus == 35


def test_two_double_words(turnier: RuleSet) -> None:
    """GELINDES through both double words of a row: 10 x 4 + 50 (R5.4)."""
    board = board_with((4, 11, "SEE", Direction.DOWN))
    assert words(play("E5 GELINDE.", turnier, board)) == [("GELINDES", 40)]
    assert play("E5 GELINDE.", turnier, board).score == 90


def test_two_triple_words(turnier: RuleSet) -> None:
    """SCHULDEN with the U on the board, L on a double letter square: 15 x 9 + 50 (R5.4)."""
    board = board_with((0, 10, "UM", Direction.DOWN))
    assert play("A8 SCH.LDEN", turnier, board).score == 15 * 9 + 50


def test_three_triple_words(turnier: RuleSet) -> None:
    """A word over the whole edge: 25 x 27 + 50 (R5.4)."""
    board = board_with((0, 2, "ADTBI", Direction.ACROSS), (0, 9, "IOT", Direction.ACROSS))
    result = play("A1 ST.....BL...HEK", turnier, board)
    assert words(result) == [("STADTBIBLIOTHEK", 675)]
    assert result.score == 725
    assert result.words[0].multiplier == 27


def test_extension_at_both_ends(turnier: RuleSet) -> None:
    """HAUS to ZUHAUSE: one word, the star no longer counts (R4.7, R5.3)."""
    result = play("H3 ZU....E", turnier, HAUS)
    assert words(result) == [("ZUHAUSE", 3 + 2 * 1 + 5 + 1)]
    assert (result.start, result.direction) == (Square(7, 2), Direction.ACROSS)


def test_a_premium_works_in_both_directions(turnier: RuleSet) -> None:
    """JA above OH: J on a double letter square counts double in JA and in JO (R5.6)."""
    board = board_with((7, 6, "OHM", Direction.ACROSS))
    result = play("G7 JA", turnier, board)
    assert words(result) == [("JA", 13), ("JO", 14), ("AH", 3)]
    assert result.score == 30


def test_a_word_premium_works_in_both_directions(turnier: RuleSet) -> None:
    """E on a double word square, DE across and EI down."""
    board = board_with((4, 3, "D", Direction.ACROSS), (5, 4, "I", Direction.ACROSS))
    result = score_placement(board, Placement.of([((4, 4), "E")]), turnier, GERMAN_102)
    assert words(result) == [("DE", 4), ("EI", 4)]


def test_a_blank_that_lies_there_is_worth_nothing_ever_after(turnier: RuleSet) -> None:
    board = board_with((7, 4, "hAUS", Direction.ACROSS))
    assert words(play("H5 ....E", turnier, board)) == [("hAUSE", 4)]


def test_the_longer_word_of_a_single_tile_is_the_main_word(turnier: RuleSet) -> None:
    board = board_with((7, 4, "HAUS", Direction.ACROSS), (7, 8, "E", Direction.ACROSS))
    board = board.removed([Square(7, 8)]).placed({Square(8, 8): "I", Square(9, 8): "S"})
    result = score_placement(board, Placement.of([((7, 8), "E")]), turnier, GERMAN_102)
    assert [word.word for word in result.words] == ["HAUSE", "EIS"]
    longer = board.placed({Square(10, 8): "E", Square(11, 8): "N"})
    result = score_placement(longer, Placement.of([((7, 8), "E")]), turnier, GERMAN_102)
    assert [word.word for word in result.words] == ["HAUSE", "EISEN"]
    longest = longer.placed({Square(12, 8): "D"})
    result = score_placement(longest, Placement.of([((7, 8), "E")]), turnier, GERMAN_102)
    assert [word.word for word in result.words] == ["EISEND", "HAUSE"]
    assert result.direction is Direction.DOWN


def test_a_single_first_tile_is_a_word_of_one_letter(turnier: RuleSet) -> None:
    result = play("H8 I", turnier)
    assert words(result) == [("I", 2)]
    assert result.direction is Direction.ACROSS
    assert result.faults.codes == ["first-word-too-short"]


@pytest.mark.parametrize(
    ("move", "score", "codes"),
    [
        ("A1 EI", 6, ["not-connected"]),
        ("H5 ....ARRÉS", 9, ["not-in-set"]),
        ("H5 ....ß", 5, ["blank-as-eszett"]),
    ],
)
def test_what_lies_there_is_scored_in_spite_of_faults(
    turnier: RuleSet, move: str, score: int, codes: list[str]
) -> None:
    result = play(move, turnier, HAUS)
    assert (result.score, result.faults.codes) == (score, codes)


@pytest.mark.parametrize(
    ("move", "code"),
    [("H3 Z.....E", "gap"), ("H5 HAUT", "square-taken"), ("H5 HAUS", "no-tile-laid"), ("H5 ....TUERENDE", "off-board")],
)
def test_without_a_word_there_is_no_score(turnier: RuleSet, move: str, code: str) -> None:
    result = play(move, turnier, HAUS)
    assert (result.score, result.words, result.start) == (0, (), None)
    assert code in result.faults.codes


def test_a_written_tile_that_does_not_lie_there_is_a_fault_of_the_move(turnier: RuleSet) -> None:
    """Above HAUS the text claims a tile in front of EIN: what is laid scores, the claim is a fault."""
    result = play("G4 .EIN", turnier, HAUS)
    assert result.faults.codes == ["gap"]
    assert result.words[0].word == "EIN"


def test_every_step_is_kept(turnier: RuleSet) -> None:
    word = play("H4 FIRNS", turnier).words[0]
    assert [letter.score for letter in word.letters] == [8, 1, 1, 1, 1]
    assert (word.letter_sum, word.multiplier, word.score) == (12, 2, 24)
    assert word.letters[0].square == Square(7, 3)


def test_english_tiles(turnier: RuleSet) -> None:
    move = MoveText.parse("8F QUIZ", INTERNATIONAL)
    assert score_move(Board.empty(), move, turnier, ENGLISH_100).score == 44


def test_text_of_a_play(turnier: RuleSet) -> None:
    result = play("H3 ZUHAUSE", turnier, HAUS)
    assert result.text(GERMAN) == "H3 ZU....E"
    assert result.text(INTERNATIONAL) == "8C ZU....E"
    assert play("H5 HAUS", turnier, HAUS).text(GERMAN) == ""
