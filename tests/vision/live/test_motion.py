"""Patches of the board, and what counts as a change between two of them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from models.table.demo import boards, demo_params, framed
from models.table.scene import Scene, render
from vision.geometry import SIZE
from vision.live.covering import covering, lies_there, lines_seen
from vision.live.motion import MARGIN, PER_SQUARE, SIDE, Window, compare, shrunk, small_size
from vision.live.sight import Place
from vision.pixels import Pixels

NO_SHIFT = np.zeros(2)


@lru_cache(maxsize=4)
def scene(turn: int) -> Scene:
    params = demo_params(2)[0]
    return render(
        replace(params, filling=boards()[turn], camera=framed(params.camera, params.edition.aspect, 1280, 720))
    )


@lru_cache(maxsize=1)
def window() -> Window:
    return Window(Place(scene(2).corners, (1280, 720)))


def patch(pixels: Pixels, offset: np.ndarray = NO_SHIFT) -> Pixels:
    return window().take(shrunk(pixels), offset)


@pytest.mark.parametrize(
    ("size", "small"), [((1280, 720), (320, 180)), ((1920, 1080), (480, 270)), ((480, 360), (480, 360))]
)
def test_frames_are_halved_until_they_are_small(size: tuple[int, int], small: tuple[int, int]) -> None:
    assert small_size(*size) == small
    assert shrunk(np.zeros((size[1], size[0], 3), np.uint8)).shape == (small[1], small[0], 3)


def test_a_patch_shows_each_square_at_its_place() -> None:
    """The middle of a premium square has its colour there: the four red corners and the blue ones beside the middle."""
    seen = patch(scene(0).pixels).astype(int)
    middles = {
        (row, col): seen[(MARGIN + row) * PER_SQUARE + 4, (MARGIN + col) * PER_SQUARE + 4]
        for row, col in ((0, 0), (0, 14), (14, 0), (14, 14), (6, 6), (8, 8), (6, 8))
    }
    for square in ((0, 0), (0, 14), (14, 0), (14, 14)):
        assert middles[square][2] > middles[square][0] + 25, square
    for square in ((6, 6), (8, 8), (6, 8)):
        assert middles[square][0] > middles[square][2] + 10, square


def test_a_tile_is_a_change_and_its_neighbours_are_none() -> None:
    change = compare(patch(scene(0).pixels), patch(scene(1).pixels), window().valid, 0.5)
    laid = np.array([[char != "." for char in row] for row in boards()[1]])
    inner = slice(MARGIN * PER_SQUARE, (MARGIN + SIZE) * PER_SQUARE)
    shares = change.mask[inner, inner].reshape(SIZE, PER_SQUARE, SIZE, PER_SQUARE).mean(axis=(1, 3))
    assert (shares[laid] > 0.4).all()
    far = cv2.dilate(laid.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
    assert (shares[far] == 0).all()
    assert change.moved()


@pytest.mark.parametrize("gains", [(0.6, 0.6, 0.6), (1.2, 1.0, 0.8), (0.3, 0.4, 0.5)])
def test_another_light_is_no_change(gains: tuple[float, float, float]) -> None:
    lit = np.clip(scene(2).pixels * np.array(gains), 0, 255).astype(np.uint8)
    assert not compare(patch(scene(2).pixels), patch(lit), window().valid, 0.5).moved()


def test_a_small_shift_is_no_change_and_is_measured() -> None:
    matrix = np.array([[1, 0, 1.6], [0, 1, -1.2]])
    moved = cv2.warpAffine(scene(2).pixels, matrix, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    change = compare(patch(scene(2).pixels), patch(moved), window().valid, 0.5)
    assert not change.moved()
    shift = window().jacobian @ change.shift  # pixels of the frame a quarter as large
    assert shift == pytest.approx((0.4, -0.3), abs=0.1)
    followed = compare(patch(scene(2).pixels), patch(moved, shift), window().valid, 0.5)
    assert np.abs(followed.shift).max() < 0.1


def blank() -> np.ndarray:
    return np.zeros((SIDE, SIDE), bool)


def squares(*places: tuple[float, float, float, float]) -> np.ndarray:
    """A mask of rectangles: first and last row, first and last column in squares of the grid."""
    mask = blank()
    for top, bottom, left, right in places:
        low = [round((MARGIN + v) * PER_SQUARE) for v in (top, bottom, left, right)]
        mask[low[0] : low[1], low[2] : low[3]] = True
    return mask


VALID = np.ones((SIDE, SIDE), bool)

TILES = {
    "one tile": squares((7, 8, 7, 8)),
    "a bingo": squares((7, 8, 3, 10)),
    "a column to the edge, with its shadow beyond": squares((8, 15.3, 0, 1)),
    "a corner": squares((0, 1, 14, 15)),
    "two words": squares((7, 8, 3, 10), (9, 14, 5, 6)),
}
THINGS = {
    "an arm": squares((5, 17, 6, 8.5)),
    "a finger": squares((10, 16.5, 6, 6.8)),
    "a hand in the middle": squares((5, 8, 5, 8)),
    "from the side": squares((3, 4.5, -2, 2)),
}


@pytest.mark.parametrize("name", TILES)
def test_tiles_cover_nothing(name: str) -> None:
    assert covering(TILES[name], VALID) == []


@pytest.mark.parametrize("name", THINGS)
def test_what_reaches_over_the_edge_or_is_too_broad_covers_the_board(name: str) -> None:
    [thing] = covering(THINGS[name], VALID)
    assert thing[THINGS[name]].mean() > 0.95


def test_what_lies_beside_the_board_covers_nothing() -> None:
    assert covering(squares((3, 9, -2, -0.1)), VALID) == []


def test_where_the_frame_ends_at_the_grid_a_thing_reaches_its_end() -> None:
    valid = squares((-2, 15.5, -2, 17))
    assert len(covering(squares((9, 15.5, 4, 6)), valid)) == 1
    assert covering(squares((14, 15.25, 3, 10)), valid) == []  # a word along the edge, with its shadow


def test_the_lines_tell_a_hand_from_light() -> None:
    place = Place(scene(2).corners, (1280, 720))
    free = lines_seen(scene(2).pixels, place)
    assert free.shape == (2, SIZE + 1, SIZE) and free.mean() > 0.6
    thing = squares((3, 17, 2, 5))
    assert not lies_there(thing, free, free)
    points = cv2.perspectiveTransform(
        np.array([[[2, 3], [5, 3], [5, 17], [2, 17]]], float),
        cv2.getPerspectiveTransform(
            np.array([[0, 0], [15, 0], [15, 15], [0, 15]], np.float32), scene(2).corners.array.astype(np.float32)
        ),
    )
    arm = cv2.fillPoly(scene(2).pixels.copy(), [points[0].astype(np.int32)], (110, 140, 190))
    hidden = lines_seen(arm, place)
    assert lies_there(thing, free, hidden)
    assert not lies_there(thing, hidden, free)  # it went away
