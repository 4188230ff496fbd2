"""From a photo file to a reading, on rendered photos whose truth is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scorer.board import Square
from scorer.tiles import GERMAN_102
from vision.geometry import Corners, Homography
from vision.locate import ClassicLocator
from vision.locator import FixedCorners
from vision.observe import Observation, observe
from vision.onnx_reader import OnnxReader
from vision.overlay import DOUBT_COLOUR, NEW_COLOUR, draw_observation
from vision.rectify import BoardImage, rectify

READER = OnnxReader()


def grid_error(truth: Corners, found: Corners) -> float:
    """Largest error over the crossings, in squares."""
    a, b = Homography.from_corners(truth), Homography.from_corners(found)
    return float(np.linalg.norm(a.to_grid(b.lattice()) - a.to_grid(a.lattice()), axis=-1).max())


def wrong_squares(seen: Observation, board: list[str]) -> list[Square]:
    assert seen.reading is not None
    return [Square(r, c) for r in range(15) for c in range(15) if seen.reading.rows[r][c] != board[r][c]]


@pytest.mark.parametrize("number", [2, 5, 7, 11])
def test_a_photo_is_located_turned_and_read(
    demo_photos: list[Path], demo_truth: list[dict[str, Any]], number: int
) -> None:
    seen = observe(demo_photos[number], ClassicLocator(), READER, GERMAN_102)
    truth = demo_truth[number]
    assert seen.found and seen.corners is not None and seen.reading is not None
    assert grid_error(Corners.of(truth["corners_px"]), seen.corners) < 0.15
    assert set(wrong_squares(seen, truth["board"])) <= set(seen.reading.doubtful)
    assert len(wrong_squares(seen, truth["board"])) <= 1
    assert set(seen.seconds) == {"decode", "locate", "rectify", "read"} and min(seen.seconds.values()) >= 0


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_the_photo_may_be_taken_from_any_side_of_the_table(
    demo_photos: list[Path], demo_truth: list[dict[str, Any]], tmp_path: Path, quarters: int
) -> None:
    pixels = np.rot90(cv2.imread(str(demo_photos[11])), quarters)
    cv2.imwrite(str(tmp_path / "turned.png"), pixels)
    seen = observe(tmp_path / "turned.png", ClassicLocator(), READER, GERMAN_102)
    assert seen.found and "turn-unsure" not in seen.warnings
    assert len(wrong_squares(seen, demo_truth[11]["board"])) <= 1
    assert seen.corners is not None
    x, y = seen.corners.points[0]  # the reading top-left has wandered around the picture
    height, width = pixels.shape[:2]
    assert (x < width / 2, y < height / 2) == {1: (True, False), 2: (False, False), 3: (False, True)}[quarters]


def test_corners_given_by_hand_are_used_as_given(demo_photos: list[Path], demo_truth: list[dict[str, Any]]) -> None:
    corners = Corners.of(demo_truth[11]["corners_px"])
    seen = observe(demo_photos[11], FixedCorners(corners), READER, GERMAN_102)
    assert seen.corners is not None and seen.corners.array == pytest.approx(corners.array)
    assert len(wrong_squares(seen, demo_truth[11]["board"])) <= 1


def test_a_single_tile_upside_down_is_never_silently_wrong(
    demo_photos: list[Path], demo_truth: list[dict[str, Any]]
) -> None:
    corners = Corners.of(demo_truth[11]["corners_px"])
    board = rectify(cv2.imread(str(demo_photos[11])), corners)
    turned = BoardImage(board.pixels.copy(), board.square_side)
    row, col, _ = demo_truth[11]["tiles"][1]
    y, x = 6 + 36 * row, 6 + 36 * col
    turned.pixels[y : y + 36, x : x + 36] = np.rot90(board.pixels[y : y + 36, x : x + 36], 2)
    reading = READER.read_turned(turned, GERMAN_102.letters).reading
    right = reading.rows[row][col] == demo_truth[11]["board"][row][col]
    assert right or Square(row, col) in reading.doubtful


def test_tiles_laid_for_different_sides_leave_the_turn_open(
    demo_photos: list[Path], demo_truth: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Half of the tiles upside down, each on its square: no letter may be silently wrong, whichever turn is taken."""
    board = demo_truth[11]["board"]
    pixels = cv2.imread(str(demo_photos[11]))
    homography = Homography.from_corners(Corners.of(demo_truth[11]["corners_px"]))
    tiles = [(r, c) for r in range(15) for c in range(15) if board[r][c].isalpha()]
    for r, c in tiles[::2]:
        here = homography.to_pixels(np.add([(0, 0), (1, 0), (1, 1), (0, 1)], (c, r))).astype(np.float32)
        over = cv2.warpPerspective(
            pixels, cv2.getPerspectiveTransform(here, np.roll(here, 2, axis=0)), pixels.shape[1::-1]
        )
        mask = cv2.fillConvexPoly(np.zeros(pixels.shape[:2], np.uint8), here.round().astype(np.int32), 1)
        pixels = np.where(mask[..., None] > 0, over, pixels)
    cv2.imwrite(str(tmp_path / "mixed.png"), pixels)
    seen = observe(tmp_path / "mixed.png", ClassicLocator(), READER, GERMAN_102)
    assert seen.reading is not None and "turn-unsure" in seen.warnings
    assert set(wrong_squares(seen, board)) <= set(seen.reading.doubtful)


def test_an_empty_board_does_not_tell_which_way_up_it_is(demo_photos: list[Path]) -> None:
    seen = observe(demo_photos[0], ClassicLocator(), READER, GERMAN_102)
    assert seen.reading is not None and all(set(row) == {"."} for row in seen.reading.rows)
    assert "turn-unsure" in seen.warnings


def test_the_overlay_shows_grid_new_tiles_and_doubts(demo_photos: list[Path], demo_truth: list[dict[str, Any]]) -> None:
    corners = Corners.of(demo_truth[11]["corners_px"])
    seen = observe(demo_photos[11], FixedCorners(corners), READER, GERMAN_102)
    assert seen.reading is not None and seen.photo is not None
    doubted = Observation(**{**vars(seen), "reading": seen.reading.suspecting({Square(0, 14)})})
    new = [Square(row, col) for row, col, _ in demo_truth[11]["tiles"]]
    plain, drawn = draw_observation(seen), draw_observation(doubted, new)
    assert drawn.shape == seen.photo.pixels.shape and (drawn != seen.photo.pixels).any()

    def near(square: Square, colour: tuple[int, int, int], picture: np.ndarray) -> bool:
        x, y = Homography.from_corners(corners).to_pixels(np.array([square.col + 0.5, square.row]))
        patch = picture[int(y) - 6 : int(y) + 10, int(x) - 3 : int(x) + 4].astype(int)
        return bool((np.abs(patch - colour).max(axis=-1) < 30).any())

    assert all(near(square, NEW_COLOUR, drawn) and not near(square, NEW_COLOUR, plain) for square in new)
    assert near(Square(0, 14), DOUBT_COLOUR, drawn) and not near(Square(0, 14), DOUBT_COLOUR, plain)
