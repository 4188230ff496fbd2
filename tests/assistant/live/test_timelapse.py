"""The time-lapse of a watched game."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.live.watching import KINDS, TIMELAPSE_STEP, Timelapse
from scorer.errors import BrettblickError


@pytest.mark.parametrize("ending", KINDS)
def test_a_picture_every_three_seconds_in_each_kind_of_file(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"lapse{ending}"
    lapse = Timelapse(path)
    for tenth in range(300):  # thirty seconds, ever lighter
        lapse.add(np.full((361, 1001, 3), tenth // 2, np.uint8), 100 + tenth / 10)
    lapse.close()
    film, means = cv2.VideoCapture(str(path)), []
    while (found := film.read())[0]:
        assert found[1].shape == (230, 640, 3)
        means.append(float(found[1].mean()))
    assert len(means) == 30 / TIMELAPSE_STEP
    assert np.allclose(means, [15 * k for k in range(10)], atol=4)


def test_a_time_lapse_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(BrettblickError) as error:
        Timelapse(tmp_path / "lapse.gif")
    assert error.value.code == "timelapse-kind"
    lapse = Timelapse(tmp_path / "no such folder" / "lapse.webm")
    with pytest.raises(BrettblickError) as error:
        lapse.add(np.zeros((72, 128, 3), np.uint8), 0.0)
    assert error.value.code == "cannot-write"
