"""How good a view is: on rendered tables from good to unusable."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from models.table.camera import Camera
from models.table.demo import boards, demo_params, framed
from models.table.scene import Scene, render
from vision.geometry import Corners
from vision.live.sight import Place, ViewAdvice, ViewItem
from vision.live.view import CODES, assess_view

SIZE = (1280, 960)


@lru_cache(maxsize=8)
def scene(tilt: float = 8.0, square: float = 50.0) -> Scene:
    params = demo_params(2)[0]
    seen = framed(Camera(tilt=tilt, azimuth=75, roll=1.5, distance=30, square_px=square), params.edition.aspect, *SIZE)
    return render(replace(params, filling=boards()[4], camera=seen))


def items(advice: ViewAdvice) -> dict[str, ViewItem]:
    return {item.code: item for item in advice.items}


def test_a_good_view_has_nothing_to_mend() -> None:
    one = scene()
    advice = assess_view(one.pixels, Place(one.corners, SIZE), shaking=0.01)
    assert advice.ok and set(items(advice)) == set(CODES)
    assert all(item.share > 0.75 for item in advice.items), advice
    assert items(advice)["square-pixels"].value == pytest.approx(50, rel=0.12)
    assert items(advice)["tilt"].value > 0.75


def test_corners_will_do_for_a_place() -> None:
    one = scene()
    assert assess_view(one.pixels, one.corners) == assess_view(one.pixels, Place(one.corners, SIZE))
    assert "steady" not in items(assess_view(one.pixels, one.corners))


def only_bad(advice: ViewAdvice) -> set[str]:
    return {item.code for item in advice.items if not item.ok}


def test_what_is_bad_comes_first_and_alone() -> None:
    one = scene()
    dark = (one.pixels * 0.12).astype(np.uint8)
    blurred = cv2.GaussianBlur(one.pixels, (0, 0), 5)
    burnt = cv2.fillPoly(one.pixels.copy(), [one.corners.array[[0, 1, 2]].astype(np.int32)], (255, 255, 255))
    for pixels, code in ((dark, "bright"), (blurred, "sharp"), (burnt, "burnt-out")):
        advice = assess_view(pixels, one.corners, shaking=0.0)
        assert only_bad(advice) == {code}
        assert advice.items[0].code == code and not advice.ok
    assert only_bad(assess_view(one.pixels, one.corners, shaking=0.6)) == {"steady"}


def test_a_board_that_is_far_away_has_small_squares() -> None:
    one = scene()
    small = cv2.resize(one.pixels, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    advice = assess_view(small, one.corners.scaled(0.3))
    assert "square-pixels" in only_bad(advice)
    assert items(advice)["square-pixels"].value == pytest.approx(15, rel=0.12)


def test_a_board_that_is_cut_off_is_not_in_view() -> None:
    one = scene()
    points = one.corners.array
    left = int(points[:, 0].min()) + 60  # more than a square is missing
    cut = np.ascontiguousarray(one.pixels[:, left:])
    advice = assess_view(cut, Corners.of(points - (left, 0)))
    assert advice.items[0].code == "in-view"
    assert advice.items[0].value == pytest.approx(-1.2, abs=0.25) and advice.items[0].share == 0
    # with the corner just inside it is in view, but without room
    left = int(points[:, 0].min()) - 10
    tight = items(assess_view(np.ascontiguousarray(one.pixels[:, left:]), Corners.of(points - (left, 0))))["in-view"]
    assert tight.ok and 0.1 < tight.value < 0.3 and 0 < tight.share < 1


def test_a_slanted_view_is_told_by_degrees() -> None:
    values = [items(assess_view(scene(tilt, 30.0).pixels, scene(tilt, 30.0).corners))["tilt"] for tilt in (5, 35, 62)]
    assert values[0].value > values[1].value > values[2].value
    assert [item.ok for item in values] == [True, True, False]
    assert values[0].share == 1


def test_without_a_board_only_the_light_is_told() -> None:
    advice = assess_view(scene().pixels, None)
    assert not advice.ok and set(items(advice)) == {"in-view", "bright"}
    assert not items(advice)["in-view"].ok and items(advice)["bright"].ok
    assert only_bad(assess_view(np.full((480, 640, 3), 20, np.uint8), None)) == {"in-view", "bright"}
