"""Rendered rows of tiles: the same every time, and where they claim to be."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.table import fonts
from models.table.light import Light, Sensor
from models.table.rack import Rack, render_rack, sample_rack
from scorer.tiles import GERMAN_102

cv2.setNumThreads(1)


@pytest.fixture(scope="module", autouse=True)
def _faces() -> None:
    try:
        fonts.find_faces()
    except fonts.NoFontsError:
        pytest.skip("no typefaces on this machine")


def test_the_same_parameters_give_the_same_pixels() -> None:
    first, again = (render_rack(sample_rack(np.random.default_rng(5))) for _ in range(2))
    assert np.array_equal(first.pixels, again.pixels) and first.corners == again.corners


@pytest.mark.parametrize("seed", range(8))
def test_a_row_is_of_one_set_and_in_the_picture(seed: int) -> None:
    params = sample_rack(np.random.default_rng(seed))
    scene = render_rack(params)
    assert 1 <= len(scene.letters) <= 8
    assert all(count <= GERMAN_102.count(char) for char, count in Counter(scene.letters).items())
    height, width = scene.pixels.shape[:2]
    points = scene.corners.array
    assert (points > 0).all() and (points < (width, height)).all()


def test_the_faces_lie_between_the_corners() -> None:
    """Red tiles without print on a blue rack: what is red is what the corners enclose, but for the rounded corners."""
    base = sample_rack(np.random.default_rng(3), rack=True, count=4, square_px=70.0)
    style = replace(
        base.base.style, body=(220, 20, 20), blank="plain", corner=0.02, bevel=0.0, thickness=0.2, dots=False
    )
    style = replace(style, size=0.95, grain=0.0, gloss=0.0, dimples=(), side_shade=0.0, hand=0)
    plain = replace(
        base.base,
        style=style,
        second=None,
        light=Light(shadow=0.0, contact=0.0, falloff=0.0, vignette=0.0),
        sensor=Sensor(defocus=0.0, shot=0.0, read=0.0, quality=0),
        ground=replace(base.base.ground, kind="plain", colour=(20, 20, 60), second=(20, 20, 60)),
        camera=replace(base.base.camera, distortion=0.0),
    )
    params = replace(
        base,
        base=plain,
        letters="????",
        rack=Rack(colour=(20, 20, 200), lip=0.1, raised=0.0),
        gaps=(0.0,) * 3,
        shifts=((0.0, 0.0),) * 4,
        turns=(0.0,) * 4,
    )
    scene = render_rack(params)
    red = (scene.pixels[..., 2] > 120).astype(np.uint8)
    enclosed = np.zeros_like(red)
    cv2.fillConvexPoly(enclosed, np.round(scene.corners.array).astype(np.int32), 1)
    assert (red & enclosed).sum() / (red | enclosed).sum() > 0.93
