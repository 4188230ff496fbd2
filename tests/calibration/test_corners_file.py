"""Corners set by hand: read as they are, refused with the entry that is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.corners_file import CornersFileError, load_corners

GOOD = [[10, 20], [110.5, 22], [112, 121], [8, 119]]


def write(folder: Path, content: str) -> Path:
    (folder / "corners.json").write_text(content, encoding="utf-8")
    return folder / "corners.json"


def test_corners_are_used_as_given(tmp_path: Path) -> None:
    corners = load_corners(write(tmp_path, json.dumps({"ä.jpg": GOOD, "b.jpg": GOOD})))
    assert set(corners) == {"ä.jpg", "b.jpg"}
    assert corners["b.jpg"].points == ((10, 20), (110.5, 22), (112, 121), (8, 119))


def test_corners_of_a_board_upside_down_are_fine(tmp_path: Path) -> None:
    turned = GOOD[2:] + GOOD[:2]
    assert load_corners(write(tmp_path, json.dumps({"a.jpg": turned})))["a.jpg"].points[0] == (112, 121)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{", "JSON"),
        ("[1]", "object"),
        ('{"a.jpg": 1}', "a.jpg"),
        ('{"a.jpg": [[1,2],[3,4]]}', "a.jpg"),
        ('{"a.jpg": [["x",2],[3,4],[5,6],[7,8]]}', "a.jpg"),
        (json.dumps({"a.jpg": GOOD[::-1]}), "clockwise"),  # counter-clockwise: would read the board mirrored
        (json.dumps({"a.jpg": [GOOD[0], GOOD[2], GOOD[1], GOOD[3]]}), "clockwise"),  # crossed over
        (json.dumps({"a.jpg": [[1, 1]] * 4}), "clockwise"),
        ('{"a.jpg": [[NaN,2],[3,4],[5,6],[7,8]]}', "clockwise"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(tmp_path: Path, content: str, named: str) -> None:
    with pytest.raises(CornersFileError) as caught:
        load_corners(write(tmp_path, content))
    assert named in caught.value.message


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CornersFileError):
        load_corners(tmp_path / "none.json")
