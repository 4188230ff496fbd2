"""Scores with values known from play, worked out by hand or from tournament records."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from scorer.board import STANDARD, Board, BoardLayout, Direction, Square
from scorer.errors import NotationError
from scorer.notation import MoveText, Notation
from scorer.placement import Placement
from scorer.rules import RuleSet
from scorer.scoring import Play, score_move, score_placement
from scorer.tiles import ENGLISH_100, GERMAN_102, GERMAN_119, TileSet

GERMAN, INTERNATIONAL = Notation.GERMAN, Notation.INTERNATIONAL


def board_with(*words: tuple[int, int, str, Direction]) -> Board:
    board = Board.empty()
    for row, col, word, direction in words:
        tiles = {Square(row, col).step(direction, i): char for i, char in enumerate(word)}
        board = board.placed({square: char for square, char in tiles.items() if board.at(square) is None})
    return board


def play(
    move: str,
    rules: RuleSet,
    board: Board | None = None,
    notation: Notation = GERMAN,
    tile_set: TileSet = GERMAN_102,
    theme_words: Collection[str] = (),
    worthless: Collection[Square] = (),
) -> Play:
    return score_move(
        board or Board.empty(),
        MoveText.parse(move, notation),
        rules,
        tile_set,
        theme_words=theme_words,
        worthless=worthless,
    )


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
    """MYXÖDEM with the Y on the double letter square: 138, the 50 points added after the doubling (R5.7, R5.2)."""
    result = play("8C MYXÖDEM", turnier, notation=INTERNATIONAL)
    assert result.placement.by_square[Square(7, 3)] == "Y"
    assert (words(result), result.bingo_bonus, result.score) == ([("MYXÖDEM", 88)], 50, 138)


@pytest.mark.parametrize(
    ("col", "score"),
    [(1, 134), (2, 138), (3, 124), (4, 118), (5, 124), (6, 120), (7, 120)],
)
def test_the_best_german_opening_on_every_column(turnier: RuleSet, col: int, score: int) -> None:
    """R5.2: X, Y or M on the double letter left of the star; none; M, E or D on the one right of it. Down as across."""
    tiles = [(Square(7, col + i), char) for i, char in enumerate("MYXÖDEM")]
    across = score_placement(Board.empty(), Placement.of(tiles), turnier, GERMAN_102)
    down = score_placement(Board.empty(), Placement.of([((c, r), t) for (r, c), t in tiles]), turnier, GERMAN_102)
    assert (across.score, across.legal) == (down.score, down.legal) == (score, True)


def test_no_bonus_for_six_tiles(turnier: RuleSet) -> None:
    assert play("H3 MYXÖDE", turnier).bingo_bonus == 0


def test_no_bonus_for_a_shorter_last_rack(turnier: RuleSet) -> None:
    """R5.8: whoever lays the last three tiles of an empty bag lays no full rack."""
    assert play("H3 ZU....E", turnier, HAUS).bingo_bonus == 0


def test_the_bonus_is_added_after_all_multiplications(turnier: RuleSet) -> None:
    """R5.7: tripled 13 and 50, not (13 + 50) x 3."""
    board = board_with((0, 7, "A", Direction.ACROSS))
    result = play("A8 .LTESTEN", turnier, board)
    assert words(result) == [("ALTESTEN", (1 + 2 + 1 + 1 + 2 * 1 + 1 + 1 + 1) * 3)]
    assert result.score == 30 + 50


def test_the_old_set_has_eight_on_the_rack(turnier: RuleSet) -> None:
    """R5.7 with the 119 tiles: eight tiles are the full rack, seven are not."""
    old = turnier.with_settings(rack_size=GERMAN_119.rack_size)
    eight = play("H4 FREUNDIN", old, tile_set=GERMAN_119)
    assert (words(eight), eight.bingo_bonus, eight.faults.codes) == ([("FREUNDIN", 26)], 50, [])
    seven = play("H4 FREUNDE", old, tile_set=GERMAN_119)
    assert (words(seven), seven.bingo_bonus) == ([("FREUNDE", 24)], 0)


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


def test_a_double_and_a_triple_word(turnier: RuleSet) -> None:
    """R5.4: 2 x 3 in one word, which the standard board does not have, multiplies as well."""
    rows = (*STANDARD.rows[:7], "T..d.T.*...d..T", *STANDARD.rows[8:])
    other_board = turnier.with_settings(layout=BoardLayout(rows))
    assert words(play("H5 HAUS", other_board)) == [("HAUS", 5 * 6)]


def test_a_premium_counts_only_once(turnier: RuleSet) -> None:
    """R5.3: S makes HAUS of HAU on a triple word; the E after it finds the square used up."""
    board = board_with((0, 4, "HAU", Direction.ACROSS))
    plural = play("A5 ...S", turnier, board)
    assert words(plural) == [("HAUS", 5 * 3)]
    after = board.placed(plural.placement.by_square)
    assert words(play("A5 ....E", turnier, after)) == [("HAUSE", 6)]


def test_cross_words_count_the_premium_again(turnier: RuleSet) -> None:
    """R5.6, R4.6: F on a triple letter counts three times in its word and in the cross word."""
    board = board_with((6, 5, "ALT", Direction.ACROSS), (7, 7, "U", Direction.ACROSS))
    result = play("F5 EF", turnier, board)
    assert words(result) == [("EF", 1 + 3 * 4), ("FA", 3 * 4 + 1)]


@pytest.mark.parametrize(
    ("tile", "score"),
    [("E", 2 * (1 + 1) + 2 * (1 + 1)), ("e", 2 * 1 + 2 * 1), ("?", 2 * 1 + 2 * 1)],
)
def test_a_blank_on_a_word_premium_doubles_both_words(turnier: RuleSet, tile: str, score: int) -> None:
    """R5.5: the blank is worth nothing, the words through it count double all the same."""
    board = board_with((4, 3, "D", Direction.ACROSS), (5, 4, "I", Direction.ACROSS))
    assert score_placement(board, Placement.of([((4, 4), tile)]), turnier, GERMAN_102).score == score


def test_a_blank_on_a_letter_premium_is_worth_nothing_in_both_words(turnier: RuleSet) -> None:
    """R5.1: JA above OH with a blank J, on the double letter square."""
    board = board_with((7, 6, "OHM", Direction.ACROSS))
    assert words(play("G7 jA", turnier, board)) == [("jA", 1), ("jO", 2), ("AH", 3)]


def test_an_undeclared_blank_scores_and_is_open(turnier: RuleSet) -> None:
    """R6.3: worth nothing, forms a word with a question mark, and its square is known to ask about."""
    result = play("H4 ?IRn?", turnier)
    assert words(result) == [("?IRn?", 4)]
    assert result.words[0].capitals == "?IRN?"
    assert result.open_blanks == (Square(7, 3), Square(7, 7))
    assert play("H4 fIRNS", turnier).open_blanks == ()


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


CROSSING = board_with((4, 3, "D", Direction.ACROSS), (5, 4, "I", Direction.ACROSS))
"""An E between them, on a double word square, makes DE across and EI down: 4 points each."""


@pytest.mark.parametrize(
    ("unit", "when", "theme", "scores", "bonus"),
    [
        ("word", "after", ["DE", "EI"], [4, 4], 10),
        ("word", "after", ["EI", "HAUS"], [4, 4], 5),
        ("word", "after", [], [4, 4], 0),
        ("turn", "after", ["DE", "EI"], [4, 4], 5),
        ("turn", "after", ["HAUS"], [4, 4], 0),
        ("word", "before", ["DE", "EI"], [14, 14], 0),
        ("word", "before", ["EI"], [4, 14], 0),
        ("turn", "before", ["EI", "DE"], [14, 4], 0),
        ("turn", "before", ["EI"], [4, 14], 0),
    ],
)
@pytest.mark.parametrize("tile", ["E", "e"])
def test_theme_bonus(
    turnier: RuleSet, unit: str, when: str, theme: list[str], scores: list[int], bonus: int, tile: str
) -> None:
    """R12.3: 5 points a word or a turn, after the word premiums or doubled by them; a blank stands for its letter."""
    house = turnier.with_settings(theme_bonus=5, theme_unit=unit, theme_when=when)
    placement = Placement.of([((4, 4), tile)])
    result = score_placement(CROSSING, placement, house, GERMAN_102, theme_words=theme)
    less = 0 if tile == "E" else 2  # the blank is worth a point less, and that is doubled
    assert [word.score for word in result.words] == [score - less for score in scores]
    assert result.theme_bonus == bonus
    assert result.score == sum(scores) - 2 * less + bonus


def test_theme_words_without_a_bonus_change_nothing(turnier: RuleSet) -> None:
    assert play("H4 FIRNS", turnier, theme_words={"FIRNS"}) == play("H4 FIRNS", turnier)


def test_the_theme_bonus_is_no_points_of_letters(turnier: RuleSet) -> None:
    """R12.3: the letters of FIRNS stay 12; 5 more are doubled with them."""
    house = turnier.with_settings(theme_bonus=5, theme_when="before")
    word = play("H4 FIRNS", house, theme_words={"FIRNS"}).words[0]
    assert (word.letter_sum, word.theme_bonus, word.score) == (12, 5, 34)


def test_a_tile_swapped_in_for_a_blank_may_be_worth_nothing(turnier: RuleSet) -> None:
    """R12.1: the H of HAUS was a blank."""
    swapped = play("H5 ....E", turnier, HAUS, worthless={Square(7, 4)})
    assert words(swapped) == [("HAUSE", 4)]
    assert words(play("H5 ....E", turnier, HAUS)) == [("HAUSE", 6)]
    assert [letter.value for letter in swapped.words[0].letters] == [0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("board", "move", "score"),
    [
        (Board.empty(), "H6 ÜBER", (6 + 3 + 1 + 1) * 2),  # R7.3: Ü is one tile
        (board_with((3, 7, "SCHL", Direction.DOWN)), "8D ....IESSEN", (1 + 4 + 2 + 2 + 5 + 2 * 1) * 2),  # R7.4: SS
        (HAUS, "H3 ZU....E", 11),  # R4.7
        (Board.empty(), "H5 FELDE", (4 + 1 + 2 + 1 + 1) * 2),
        (board_with((7, 4, "FELDE", Direction.ACROSS)), "H5 .....S", 10),  # R4.7, R7.1: a form of a word
    ],
)
def test_examples_of_the_rule_texts(turnier: RuleSet, board: Board, move: str, score: int) -> None:
    result = play(move, turnier, board)
    assert (result.score, result.faults.codes) == (score, [])


def test_hyphens_cannot_be_laid(turnier: RuleSet) -> None:
    """R7.2: no tile bears a hyphen or an apostrophe."""
    for word in ("X-BEINE", "GIB'S"):
        with pytest.raises(NotationError):
            MoveText.parse(f"H4 {word}", GERMAN)


def test_text_of_a_play(turnier: RuleSet) -> None:
    result = play("H3 ZUHAUSE", turnier, HAUS)
    assert result.text(GERMAN) == "H3 ZU....E"
    assert result.text(INTERNATIONAL) == "8C ZU....E"
    assert play("H5 HAUS", turnier, HAUS).text(GERMAN) == ""
