"""Properties that hold for every position and placement."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from scorer.board import STANDARD, Board, Direction, Premium, Square
from scorer.placement import Placement, PlacementFault, check_placement
from scorer.rules import RULE_SETS
from scorer.scoring import WordScore, score_placement
from scorer.tiles import GERMAN_102

TURNIER = RULE_SETS["turnier"]
TILES = st.sampled_from([*GERMAN_102.letters, "a", "ö", "?", "ß", "É"])
SQUARES = st.builds(Square, st.integers(0, 14), st.integers(0, 14))
BOARDS = st.dictionaries(SQUARES, TILES, max_size=60).map(Board.empty().placed)


@st.composite
def lines(draw: st.DrawFn) -> Placement:
    """Tiles in one line, some squares left out."""
    start, direction = draw(SQUARES), draw(st.sampled_from(Direction))
    tiles = draw(st.lists(st.none() | TILES, min_size=1, max_size=9))
    return Placement.of([(start.step(direction, i), tile) for i, tile in enumerate(tiles) if tile is not None])


@st.composite
def fitting(draw: st.DrawFn) -> tuple[Board, Placement]:
    """A board and tiles on the next free squares of a line of it, so that they form words."""
    board, square, direction = draw(BOARDS), draw(SQUARES), draw(st.sampled_from(Direction))
    tiles = {}
    for tile in draw(st.lists(TILES, min_size=1, max_size=7)):
        while board.at(square) is not None:
            square = square.step(direction)
        if square.on_board:
            tiles[square] = tile
        square = square.step(direction)
    return board, Placement.of(tiles)


ANYWHERE = st.dictionaries(st.builds(Square, st.integers(-2, 16), st.integers(-2, 16)), TILES, max_size=9).map(
    Placement.of
)
POSITIONS = fitting() | st.tuples(BOARDS, lines() | ANYWHERE)


def mirrored_board(board: Board) -> Board:
    return Board.parse(["".join(column) for column in zip(*board.rows, strict=True)])


def mirrored_placement(placement: Placement) -> Placement:
    return Placement.of([((col, row), tile) for (row, col), tile in placement.tiles])


HOUSE = TURNIER.with_settings(theme_bonus=5, theme_when="before")


@given(POSITIONS)
def test_transposing_transposes_everything_and_changes_no_score(position: tuple[Board, Placement]) -> None:
    """Why neither score nor fault can tell German from international notation: squares, directions and the order of
    the letters follow, points and faults stay (R5.2 to R5.7)."""
    board, placement = position
    play = score_placement(board, placement, TURNIER, GERMAN_102)
    mirrored = score_placement(mirrored_board(board), mirrored_placement(placement), TURNIER, GERMAN_102)
    assert mirrored.score == play.score
    assert mirrored.faults == play.faults
    if [len(word) for word in play.words] != [1]:  # a single letter has no direction and is across by convention
        assert sorted(mirrored.words, key=str) == sorted(map(mirrored_word, play.words), key=str)
    if len(placement) > 1 and play.words:
        assert mirrored.words[0] == mirrored_word(play.words[0])


def mirrored_word(word: WordScore) -> WordScore:
    letters = tuple(letter._replace(square=Square(letter.square.col, letter.square.row)) for letter in word.letters)
    return replace(word, direction=word.direction.other, letters=letters)


@given(POSITIONS, st.sets(SQUARES, max_size=30), st.booleans())
def test_house_rules_are_transposed_too(
    position: tuple[Board, Placement], worthless: set[Square], with_theme: bool
) -> None:
    """R12.1, R12.3"""
    board, placement = position
    theme = [word.capitals for word in score_placement(board, placement, HOUSE, GERMAN_102).words[:2]] * with_theme
    play = score_placement(board, placement, HOUSE, GERMAN_102, theme_words=theme, worthless=worthless)
    mirrored = score_placement(
        mirrored_board(board),
        mirrored_placement(placement),
        HOUSE,
        GERMAN_102,
        theme_words=theme,
        worthless={Square(col, row) for row, col in worthless},
    )
    assert mirrored.score == play.score


@given(POSITIONS)
def test_no_score_is_negative(position: tuple[Board, Placement]) -> None:
    """R5.1: no tile is worth less than nothing; what forms no word has no points."""
    board, placement = position
    play = score_placement(board, placement, TURNIER, GERMAN_102)
    assert play.score >= 0
    assert play.words or play.score == 0


@given(POSITIONS, st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_changes_nothing(position: tuple[Board, Placement], rng: random.Random) -> None:
    board, placement = position
    tiles = list(placement.tiles)
    rng.shuffle(tiles)
    shuffled = Placement.of(tiles)
    play = score_placement(board, placement, TURNIER, GERMAN_102)
    assert score_placement(board, shuffled, TURNIER, GERMAN_102) == play
    assert check_placement(board, Placement.of(dict(tiles)), TURNIER, GERMAN_102) == play.faults


@given(POSITIONS)
def test_the_score_is_the_sum_of_its_words(position: tuple[Board, Placement]) -> None:
    board, placement = position
    play = score_placement(board, placement, TURNIER, GERMAN_102)
    assert play.faults == check_placement(board, placement, TURNIER, GERMAN_102)
    assert play.score == sum(word.letter_sum * word.multiplier for word in play.words) + play.bingo_bonus
    new = {letter.square for word in play.words for letter in word.letters if letter.new}
    assert new == (set(placement.squares) if play.words else set())


@given(fitting())
def test_words_and_points_are_those_found_square_by_square(position: tuple[Board, Placement]) -> None:
    """R4.6, R5.2 to R5.7, told another way: every line of the board after the move is cut at its empty squares, and
    each piece of two letters and more that holds a new tile is a word that scores."""
    board, placement = position
    play = score_placement(board, placement, TURNIER, GERMAN_102)
    after = board.placed(placement.by_square)
    lines = [[Square(row, col) for col in range(15)] for row in range(15)]
    expected = []
    for line in lines + [list(column) for column in zip(*lines, strict=True)]:
        for has_tile, piece in groupby(line, key=lambda square: after.at(square) is not None):
            squares = list(piece)
            if has_tile and len(squares) > 1 and placement.by_square.keys() & set(squares):
                points, factor = 0, 1
                for square in squares:
                    premium = STANDARD.premium(square) if square in placement.by_square else Premium.NONE
                    points += GERMAN_102.value(after.at(square) or "") * premium.letter_multiplier
                    factor *= premium.word_multiplier
                expected.append(("".join(after.at(square) or "" for square in squares), points * factor))
    if play.words and len(play.words[0]) > 1:
        assert sorted((word.word, word.score) for word in play.words) == sorted(expected)
        assert play.score == sum(points for _, points in expected) + (50 if len(placement) == 7 else 0)
    else:
        assert not play.words or not expected


@given(POSITIONS)
def test_a_gap_is_an_empty_square_between_the_new_tiles(position: tuple[Board, Placement]) -> None:
    """R4.3"""
    board, placement = position
    inside = [square for square in placement.squares if square.on_board]
    gap = False
    if placement.direction is not None and inside:
        square = inside[0]
        while square != inside[-1]:
            square = square.step(placement.direction)
            gap = gap or (board.at(square) is None and square not in placement.by_square)
    assert (PlacementFault.GAP in check_placement(board, placement, TURNIER, GERMAN_102)) == gap


@given(fitting())
def test_every_word_of_a_fitting_placement_is_as_long_as_it_can_be(position: tuple[Board, Placement]) -> None:
    board, placement = position
    for word in score_placement(board, placement, TURNIER, GERMAN_102).words:
        after = board.placed(placement.by_square)
        assert after.at(word.start.step(word.direction, -1)) is None
        assert after.at(word.letters[-1].square.step(word.direction)) is None


@given(fitting())
def test_taking_a_placement_back_gives_the_board_before(position: tuple[Board, Placement]) -> None:
    board, placement = position
    assert board.placed(placement.by_square).removed(placement.squares) == board
