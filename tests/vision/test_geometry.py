"""Homographies and rectification put the grid where it belongs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import Corners, Homography
from vision.rectify import CROP, MARGIN, PIXELS_PER_SQUARE, SIDE, rectify

TILTED = Corners.of([(210.5, 130.0), (905.0, 180.2), (960.7, 870.0), (120.0, 800.4)])


def checkerboard(corners: Corners, scale: float = 1.0) -> np.ndarray:
    """A photo of a board whose squares have colours by row and column: red = 10 x col, green = 10 x row."""
    source = np.zeros((15 * 40, 15 * 40, 3), np.uint8)
    for r in range(15):
        for c in range(15):
            source[r * 40 : r * 40 + 40, c * 40 : c * 40 + 40] = (90, 10 * r + 20, 10 * c + 20)
    to_photo = Homography.from_corners(corners.scaled(scale)).matrix @ np.diag([1 / 40, 1 / 40, 1])
    # a source pixel's centre lies half a pixel inside it
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    size = (int(1100 * scale), int(1000 * scale))
    return cv2.warpPerspective(source, np.linalg.inv(half) @ to_photo @ half, size, flags=cv2.INTER_LINEAR)


def test_corners_map_exactly_and_back() -> None:
    homography = Homography.from_corners(TILTED)
    assert homography.corners.array == pytest.approx(TILTED.array, abs=1e-3)
    grid = np.random.default_rng(0).uniform(0, 15, (50, 2))
    assert homography.to_grid(homography.to_pixels(grid)) == pytest.approx(grid, abs=1e-9)
    assert homography.lattice()[0, 15] == pytest.approx(TILTED.array[1], abs=1e-3)
    assert homography.lattice()[15, 0] == pytest.approx(TILTED.array[3], abs=1e-3)


def test_square_side_is_in_pixels() -> None:
    assert Homography.from_corners(Corners.of([(0, 0), (300, 0), (300, 300), (0, 300)])).square_side() == pytest.approx(
        20
    )


def test_corners_must_be_four_points() -> None:
    with pytest.raises(ValueError, match="four"):
        Corners.of([(0, 0), (1, 0), (1, 1)])


@pytest.mark.parametrize("scale", [0.4, 1.0, 3.0])
def test_every_square_is_cut_out_at_its_place(scale: float) -> None:
    board = rectify(checkerboard(TILTED, scale), TILTED.scaled(scale))
    assert board.pixels.shape == (SIDE, SIDE, 3)
    crops = board.crops()
    assert crops.shape == (15, 15, CROP, CROP, 3)
    for r in range(15):
        for c in range(15):
            middle = crops[r, c, MARGIN + 6 : -MARGIN - 6, MARGIN + 6 : -MARGIN - 6].reshape(-1, 3).mean(axis=0)
            assert middle == pytest.approx((90, 10 * r + 20, 10 * c + 20), abs=3)


def test_the_grid_line_lies_on_the_edge_of_the_square() -> None:
    crop = rectify(checkerboard(TILTED), TILTED).crops()[7, 7].astype(float)
    steps = np.abs(np.diff(crop[CROP // 2, :, 2]))  # red changes from column 7 to 8 at the right edge
    assert abs(int(steps[CROP // 2 :].argmax()) + CROP // 2 + 1 - (MARGIN + PIXELS_PER_SQUARE)) <= 1


@pytest.mark.parametrize("quarters", range(4))
def test_turning_the_picture_is_turning_the_corners(quarters: int) -> None:
    photo = checkerboard(TILTED)
    turned = rectify(photo, TILTED).turned(quarters).pixels.astype(int)
    assert np.abs(turned - rectify(photo, TILTED.turned(quarters)).pixels).mean() < 1


def test_a_board_that_leaves_the_picture_is_still_rectified() -> None:
    shifted = Corners.of(TILTED.array - (300, 300))
    photo = checkerboard(TILTED)
    assert rectify(photo, shifted).pixels.shape == (SIDE, SIDE, 3)
    assert rectify(photo, Corners.of(TILTED.array + 5000)).pixels.shape == (SIDE, SIDE, 3)


def test_a_shifted_board_is_what_a_shifted_grid_shows() -> None:
    photo = checkerboard(TILTED)
    grid = Homography.from_corners(TILTED)
    right, down = 5 / PIXELS_PER_SQUARE, -4 / PIXELS_PER_SQUARE
    moved = grid.to_pixels(np.array([(x + right, y + down) for x, y in ((0, 0), (15, 0), (15, 15), (0, 15))]))
    inner = np.s_[20:-20, 20:-20]
    shifted = rectify(photo, TILTED).shifted(5, -4).pixels[inner].astype(int)
    expected = rectify(photo, Corners.of(moved)).pixels[inner]
    assert np.abs(shifted - expected).mean() < 0.3 * np.abs(shifted - rectify(photo, TILTED).pixels[inner]).mean()
