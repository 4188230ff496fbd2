"""Pushed tiles: on rendered photos and with a reader that knows where tiles lie."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from models.table.camera import Camera
from models.table.demo import boards, demo_params
from models.table.scene import render
from scorer.board import Board, Square
from scorer.tiles import GERMAN_102
from vision.geometry import Corners
from vision.locator import FixedCorners
from vision.nudge import Nudge, find_nudges, straightened
from vision.observe import Observation, observe_photo
from vision.onnx_reader import OnnxReader
from vision.photo import Photo
from vision.reading import BoardReading, TileReader
from vision.rectify import PIXELS_PER_SQUARE, SIDE, BoardImage
from vision.tesseract_reader import TesseractReader

Make = Callable[..., BoardReading]
Way = tuple[float, float]
READER = OnnxReader()
GAME = [Board(position) for position in boards()]
"""The demo game; photo 4: HÜTTE across from 7,5, FREUNDIN down from 5,9, SONNE across from 12,6, BA?EN from 10,7."""

HUETT = tuple(Square(7, col) for col in range(5, 9))
SONNE = tuple(Square(12, col) for col in range(6, 11))
BLANK_EN = tuple(Square(10, col) for col in range(10, 12))


def seen(
    position: Board, pushed: Mapping[Square, Way], tilt: float = 0.0, grid_off: float = 0.0, square_px: float = 30.0
) -> Observation:
    """A small rendered photo of the position with tiles pushed, right and down in squares."""
    params = demo_params()[4]
    scene = render(
        replace(
            params,
            filling=position.rows,
            camera=Camera(tilt, 100.0, 3.0, 40.0, square_px, (0.08,) * 4),
            sensor=replace(params.sensor, motion=0.0),
            pushed=tuple(((row, col), (*way, 0.0)) for (row, col), way in pushed.items()),
        )
    )
    corners = Corners.of(scene.corners.array + grid_off * square_px)
    height, width = scene.pixels.shape[:2]
    return observe_photo(Photo("", scene.pixels, width, height), FixedCorners(corners), READER, GERMAN_102)


def nudges(photo: Observation, position: Board) -> tuple[Nudge, ...]:
    assert photo.board is not None and photo.reading is not None
    return find_nudges(photo.board, photo.reading, position, READER, GERMAN_102.letters)


@pytest.mark.parametrize(
    ("squares", "way", "tilt"),
    [
        (SONNE[:3], (0.0, 0.45), 0.0),  # across the word, the crossing tile stays
        (SONNE, (0.0, 0.5), 25.0),
        (HUETT, (0.0, -0.45), 0.0),
        (SONNE, (-0.5, 0.0), 25.0),  # along the word
        (BLANK_EN, (0.45, 0.0), 0.0),
        (SONNE[:1], (-0.5, 0.0), 10.0),  # a single tile
        (SONNE, (0.0, 1.0), 0.0),  # a whole square
    ],
)
def test_pushed_tiles_are_found_and_nothing_is_lost(squares: tuple[Square, ...], way: Way, tilt: float) -> None:
    position = GAME[4]
    photo = seen(position, dict.fromkeys(squares, way), tilt)
    assert photo.reading is not None and photo.reading.rows != position.rows  # half tiles are misread
    (nudge,) = nudges(photo, position)
    assert nudge.squares == squares
    assert (nudge.right, nudge.down) == pytest.approx(way, abs=0.2)
    straight = straightened(photo.reading, [nudge], position)
    assert straight.rows == position.rows
    assert not set(squares) & set(straight.doubtful)


def test_a_new_word_elsewhere_stays() -> None:
    """SCHAF is laid while SONNE is pushed."""
    before, after = GAME[4], GAME[7]
    photo = seen(after, dict.fromkeys(SONNE, (0.0, 0.45)))
    found = nudges(photo, before)
    assert [nudge.squares for nudge in found] == [SONNE] and photo.reading is not None
    straight = straightened(photo.reading, found, before)
    assert straight.rows == after.rows


def test_a_new_tile_pushed_with_the_word_is_kept_and_doubtful() -> None:
    """An S is laid behind SONNE, then all are pushed."""
    before, new = GAME[4], Square(12, 11)
    after = before.placed({new: "S"})
    photo = seen(after, dict.fromkeys((*SONNE, new), (0.0, 0.45)))
    found = nudges(photo, before)
    assert photo.reading is not None
    straight = straightened(photo.reading, found, before)
    assert straight.rows == after.rows and new in straight.doubtful


@pytest.mark.parametrize("tilt", [0.0, 30.0])
def test_tiles_taken_back_and_new_ones_are_not_pushed(tilt: float) -> None:
    photo = seen(GAME[6], {}, tilt)
    assert nudges(photo, GAME[5]) == ()  # FOGEL is gone
    assert nudges(photo, GAME[4]) == ()
    assert nudges(photo, GAME[3]) == ()  # BADEN is new


def test_where_all_tiles_seem_pushed_the_grid_is_wrong() -> None:
    assert nudges(seen(GAME[4], {}, grid_off=0.3), GAME[4]) == ()


# --- with a reader that knows where tiles lie ---------------------------------------------------------------------


class Knows(TileReader):
    """Sees a tile where its middle is less than 0.4 squares from the square's, in place or not."""

    name = "knows"

    def __init__(self, make: Make, tiles: Sequence[tuple[str, float, float]]) -> None:
        """`tiles`: letter, row and column, which may be fractions."""
        self.make, self.tiles, self.asked = make, tiles, 0

    def read(self, board: BoardImage, letters: Collection[str]) -> BoardReading:
        return self._through((0, 0))

    def read_shifted(
        self,
        board: BoardImage,
        letters: Collection[str],
        squares: Collection[Square],
        shifts: Sequence[tuple[int, int]],
    ) -> tuple[BoardReading, ...]:
        self.asked += 1
        return tuple(self._through(shift) for shift in shifts)

    def _through(self, shift: tuple[int, int]) -> BoardReading:
        right, down = (pixels / PIXELS_PER_SQUARE for pixels in shift)
        cells = np.full((15, 15), ".")
        for letter, row, col in self.tiles:
            at = round(row - down), round(col - right)
            if all(0 <= k < 15 for k in at) and max(abs(row - down - at[0]), abs(col - right - at[1])) < 0.4:
                cells[at] = letter
        return self.make(["".join(row) for row in cells])


BOARD = BoardImage(np.zeros((SIDE, SIDE, 3), np.uint8), 30.0)


def word(letters: str, row: float, col: float, right: float = 0.0, down: float = 0.0) -> list[tuple[str, float, float]]:
    """A word across, as `Knows` takes it."""
    return [(letter, row + down, col + k + right) for k, letter in enumerate(letters)]


def position(*words: tuple[str, int, int]) -> Board:
    board = Board.empty()
    for letters, row, col in words:
        board = board.placed({Square(row, col + k): letter for k, letter in enumerate(letters)})
    return board


def found(reader: Knows, board: Board) -> list[tuple[str, float, float]]:
    """Letters of the pushed tiles, how far right and down."""
    every = find_nudges(BOARD, reader.read(BOARD, ()), board, reader, GERMAN_102.letters)
    return [("".join(board.at(s) or "" for s in one.squares), one.right, one.down) for one in every]


STILL = [("QUARZ", 2, 2), ("WEG", 12, 8)]
LYING = [*word("QUARZ", 2, 2), *word("WEG", 12, 8)]


def test_no_reader_is_asked_where_all_is_as_it_was(make_reading: Make) -> None:
    reader = Knows(make_reading, [*LYING, *word("NEU", 7, 7)])
    assert found(reader, position(*STILL)) == [] and reader.asked == 0


def test_no_reader_is_asked_about_tiles_under_a_hand(make_reading: Make) -> None:
    board = position(*STILL)
    rows = [row.replace("WEG", "***") for row in board.rows]
    reader = Knows(make_reading, LYING)
    assert find_nudges(BOARD, make_reading(rows), board, reader, GERMAN_102.letters) == () and reader.asked == 0


@pytest.mark.parametrize("letters", ["TISCH", "NENNEN", "ESSEN"])
@pytest.mark.parametrize(
    ("right", "down"), [(0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0)]
)
def test_a_word_is_pushed_as_one_piece(make_reading: Make, letters: str, right: float, down: float) -> None:
    reader = Knows(make_reading, [*LYING, *word(letters, 7, 5, right, down)])
    ((pushed, *way),) = found(reader, position(*STILL, (letters, 7, 5)))
    assert pushed == letters and way == pytest.approx([right, down], abs=0.11)


def test_tiles_taken_away_beside_the_same_letter_are_not_pushed(make_reading: Make) -> None:
    reader = Knows(make_reading, [*LYING, *word("E", 7, 7)])
    assert found(reader, position(*STILL, ("SEE", 7, 5))) == []


def test_a_word_laid_beside_the_place_of_one_taken_back_is_no_push(make_reading: Make) -> None:
    """TAG is taken back and RAT laid a row lower: its A lies below the place of the other A."""
    reader = Knows(make_reading, [*LYING, *word("RAT", 8, 5)])
    assert found(reader, position(*STILL, ("TAG", 7, 5))) == []


def test_tiles_are_not_pushed_onto_one_that_stays(make_reading: Make) -> None:
    """The picture shows a T half on the place of the I that lies there: no tile can."""
    reader = Knows(make_reading, [*LYING, ("T", 7, 5.5), ("I", 7, 6), ("P", 7, 7)])
    assert found(reader, position(*STILL, ("TIP", 7, 5))) == []


def test_one_word_alone_on_the_board_may_be_pushed(make_reading: Make) -> None:
    reader = Knows(make_reading, word("TISCH", 7, 5, down=0.5))
    assert found(reader, position(("TISCH", 7, 5))) == [("TISCH", 0.0, pytest.approx(0.5, abs=0.11))]


def test_a_whole_board_that_seems_pushed_is_none(make_reading: Make) -> None:
    reader = Knows(make_reading, [(letter, row, col + 0.45) for letter, row, col in LYING])
    assert found(reader, position(*STILL)) == []


def test_two_words_pushed_differently_are_two_pushes(make_reading: Make) -> None:
    reader = Knows(make_reading, [*LYING, *word("TISCH", 7, 5, right=0.5), *word("BAU", 10, 1, down=-0.5)])
    assert sorted(letters for letters, _, _ in found(reader, position(*STILL, ("TISCH", 7, 5), ("BAU", 10, 1)))) == [
        "BAU",
        "TISCH",
    ]


def test_a_clear_tile_where_a_pushed_one_reaches_is_kept_and_doubtful(make_reading: Make) -> None:
    """Whatever the push: what is clearly another tile is not taken for the pushed one's half."""
    board, below = position(*STILL, ("TISCH", 7, 5)), Square(8, 6)
    reader = Knows(make_reading, [*LYING, *word("TISCH", 7, 5, down=0.5)])
    rows = list(reader.read(BOARD, ()).rows)
    rows[8] = "......X........"
    reading = make_reading(rows)
    every = find_nudges(BOARD, reading, board, reader, GERMAN_102.letters)
    straight = straightened(reading, every, board)
    assert straight.rows[7][5:10] == "TISCH" and straight.at(below).char == "X" and below in straight.doubtful


def test_half_a_tile_beside_says_nothing(make_reading: Make) -> None:
    """Where the square beyond the pushed tile is not seen to be free, its half tile is no evidence of a new tile."""
    board, beyond = position(("TISCH", 7, 5)), Square(8, 5)
    seen_there = make_reading([*board.rows[:8], ".....L.........", *board.rows[9:]], {(8, 5): {"L": 0.6, ".": 0.4}})
    nudge = Nudge(tuple(Square(7, col) for col in range(5, 10)), 0.0, 0.5, seen_there)
    ghost = make_reading([*["." * 15] * 8, ".....TISCH.....", *["." * 15] * 6])
    straight = straightened(ghost, [nudge], board)
    assert straight.rows[7] == board.rows[7]
    assert np.ptp(straight.likelihoods[beyond]) == pytest.approx(0, abs=1e-3)


def test_a_reader_that_cannot_look_at_single_squares_tells_of_no_push(make_reading: Make) -> None:
    board = position(("TISCH", 7, 5))
    reading = make_reading(["." * 15] * 15)
    assert find_nudges(BOARD, reading, board, TesseractReader(), GERMAN_102.letters) == ()


def test_single_squares_through_a_shifted_grid_are_read_as_the_whole_board_is() -> None:
    """The network's short way agrees with reading the shifted board."""
    photo = seen(GAME[4], dict.fromkeys(SONNE, (0.0, 0.5)))
    assert photo.board is not None
    (one,) = READER.read_shifted(photo.board, GERMAN_102.letters, SONNE, [(0, PIXELS_PER_SQUARE // 2)])
    whole = READER.read(photo.board.shifted(0, PIXELS_PER_SQUARE // 2), GERMAN_102.letters)
    for square in SONNE:
        assert one.at(square).char == whole.at(square).char == GAME[4].at(square)
        assert one.at(square).confidence == pytest.approx(whole.at(square).confidence, abs=0.1)
