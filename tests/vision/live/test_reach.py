"""From where a hand came."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Corners
from vision.live.motion import COUNT, MARGIN, PER_SQUARE, SIDE
from vision.live.reach import Reach
from vision.live.sight import Place

UPRIGHT = Place(Corners.of([(100, 50), (700, 50), (700, 650), (100, 650)]), (800, 700))
ON_ITS_SIDE = Place(Corners.of([(700, 50), (700, 650), (100, 650), (100, 50)]), (800, 700))
"""The same board in the picture, its first row at the right."""

EVERYWHERE = np.ones((SIDE, SIDE), bool)


def arm(side: str, at: float = 7.5) -> np.ndarray:
    """A thing two squares wide that reaches from this side of the patch to the board's middle."""
    mask = np.zeros((SIDE, SIDE), bool)
    middle, half = round((at + MARGIN) * PER_SQUARE), COUNT * PER_SQUARE // 2
    mask[half:, middle - PER_SQUARE : middle + PER_SQUARE] = True
    return np.rot90(mask, {"bottom": 0, "right": 1, "top": 2, "left": 3}[side])


def reached(*frames: list[np.ndarray], place: Place = UPRIGHT) -> float | None:
    reach = Reach()
    for things in frames:
        reach.add(things, EVERYWHERE, place)
    return reach.degrees


@pytest.mark.parametrize(("side", "degrees"), [("bottom", 90), ("right", 0), ("top", -90), ("left", 180)])
def test_the_direction_is_that_of_the_part_beyond_the_edge(side: str, degrees: float) -> None:
    found = reached([arm(side)], [arm(side)])
    assert found is not None
    assert np.cos(np.radians(found - degrees)) == pytest.approx(1.0, abs=1e-3)


def test_the_direction_is_that_in_the_picture_however_the_board_lies() -> None:
    found = reached([arm("bottom")], [arm("bottom")], place=ON_ITS_SIDE)
    assert found is not None and np.cos(np.radians(found - 180)) == pytest.approx(1.0, abs=1e-3)


def test_an_arm_at_a_corner_comes_from_between_the_sides() -> None:
    found = reached([arm("bottom", 13.0)], [arm("bottom", 13.0)])
    assert found is not None and 45 < found < 75


def test_one_frame_is_not_enough_and_tiles_reach_over_no_edge() -> None:
    tiles = np.zeros((SIDE, SIDE), bool)
    tiles[60:68, 60:90] = True
    assert reached([arm("top")]) is None
    assert reached([tiles], [tiles], [tiles]) is None
    assert reached([], []) is None


def test_hands_from_both_sides_have_no_direction() -> None:
    assert reached([arm("top")], [arm("bottom")], [arm("top")], [arm("bottom")]) is None
    assert reached([arm("left")], [arm("bottom")], [arm("left")], [arm("bottom")]) is None
