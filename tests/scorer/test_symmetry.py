"""Properties that hold for every position and placement."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from scorer import GERMAN_102, RULE_SETS, Board, Direction, Placement, Square, check_placement, score_placement

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


@given(POSITIONS)
def test_a_mirrored_board_gives_the_same_score_and_faults(position: tuple[Board, Placement]) -> None:
    """Why neither score nor fault can tell German from international notation."""
    board, placement = position
    play = score_placement(board, placement, TURNIER, GERMAN_102)
    mirrored = score_placement(mirrored_board(board), mirrored_placement(placement), TURNIER, GERMAN_102)
    assert mirrored.score == play.score
    assert mirrored.faults == play.faults
    assert sorted(word.word for word in mirrored.words) == sorted(word.word for word in play.words)


@given(POSITIONS, st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_changes_nothing(position: tuple[Board, Placement], rng: random.Random) -> None:
    board, placement = position
    tiles = list(placement.tiles)
    rng.shuffle(tiles)
    assert score_placement(board, Placement.of(tiles), TURNIER, GERMAN_102) == score_placement(
        board, placement, TURNIER, GERMAN_102
    )


@given(POSITIONS)
def test_the_score_is_the_sum_of_its_words(position: tuple[Board, Placement]) -> None:
    board, placement = position
    play = score_placement(board, placement, TURNIER, GERMAN_102)
    assert play.faults == check_placement(board, placement, TURNIER, GERMAN_102)
    assert play.score == sum(word.letter_sum * word.multiplier for word in play.words) + play.bingo_bonus
    new = {letter.square for word in play.words for letter in word.letters if letter.new}
    assert new == (set(placement.squares) if play.words else set())


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
