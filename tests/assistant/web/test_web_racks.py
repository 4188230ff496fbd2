"""The tiles left on a rack, from the photo of a phone to the field of the page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.texts import Texts
from assistant.web.errors import WebError
from assistant.web.racks import rack_answer
from assistant.web.worker import PhotoWorker
from models.table import fonts
from models.table.rack import render_rack, sample_rack
from scorer.errors import BrettblickError
from tests.assistant.table.tables import Players

DE = Texts("de")


@pytest.fixture(scope="module")
def worker() -> Iterator[PhotoWorker]:
    try:
        fonts.find_faces()
    except fonts.NoFontsError:
        pytest.skip("no typefaces on this machine")
    there = PhotoWorker()
    there.start()
    yield there
    there.close()


def rack(folder: Path) -> tuple[Path, str, str]:
    """A photo of a rack, the corners of its row as the page sends them, and its tiles."""
    scene = render_rack(sample_rack(np.random.default_rng(4)))
    path = folder / "rack.png"
    cv2.imwrite(str(path), scene.pixels)
    height, width = scene.pixels.shape[:2]
    corners = [[x / width, y / height] for x, y in scene.corners.points]
    return path, json.dumps(corners), scene.letters


def test_a_photo_fills_the_field(worker: PhotoWorker, players: Players, tmp_path: Path) -> None:
    path, corners, letters = rack(tmp_path)
    fields = {"corners": corners, "count": str(len(letters))}
    answer = asyncio.run(rack_answer(worker, path, fields, players.table, DE))
    wrong = [place for place, tile in enumerate(letters) if answer["tiles"][place] != tile]
    assert len(answer["tiles"]) == len(letters) and set(wrong) <= set(answer["doubtful"]), (answer, letters)
    assert len(wrong) <= 1


@pytest.mark.parametrize(
    "corners", ["", "[]", "[[0,0],[1,1],[0,1]]", '[["a",0]]', "[[0,0],[1,0],[1,NaN],[0,1]]", "[" * 5000]
)
def test_corners_that_are_none(worker: PhotoWorker, players: Players, tmp_path: Path, corners: str) -> None:
    with pytest.raises(WebError) as error:
        asyncio.run(rack_answer(worker, tmp_path / "x", {"corners": corners, "count": "7"}, players.table, DE))
    assert error.value.code == "bad-rack-corners" and DE.error(error.value)


def test_corners_in_one_point_enclose_no_row(worker: PhotoWorker, players: Players, tmp_path: Path) -> None:
    path, _, _ = rack(tmp_path)
    fields = {"corners": json.dumps([[0.5, 0.5]] * 4), "count": "7"}
    with pytest.raises(BrettblickError) as error:
        asyncio.run(rack_answer(worker, path, fields, players.table, DE))
    assert DE.error(error.value).count(" ") > 3
