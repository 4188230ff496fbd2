"""Camera profiles: learnt from views of a fixed camera, written, read back, refused with what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera import CameraProfile, CameraProfileError, CameraView, aspect_and_tilt, learn_camera, load_camera
from calibration.edition import KINDS, BoardEdition
from models.table.camera import Camera, View
from vision.geometry import GRID, Corners, Homography, Lens, seen_corners

CORNERS = Corners(((100.0, 120.0), (1400.0, 100.0), (1420.0, 1380.0), (130.0, 1410.0)))
COLOURS = ((40.0, -20.0, 15.0), (60.0, -8.0, -20.0), None, (55.0, 30.0, 12.5), (45.0, 60.0, 40.0))
PROFILE = CameraProfile(
    "Klubkamera", "2026-03-01", 4, (1500, 1504), 0.0123, CORNERS, True, 0.0214, 1.083, 4.2, BoardEdition(COLOURS)
)


def view(name: str, by: float = 0.0, **change: Any) -> CameraView:
    """A view with all corners moved right by so many pixels; a square has 86."""
    corners = Corners(tuple((x + by, y) for x, y in CORNERS.points))
    one = CameraView(name, (1500, 1504), corners, True, 0.01, BoardEdition(COLOURS))
    return replace(one, **change)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    PROFILE.save(tmp_path / "camera.json")
    assert load_camera(tmp_path / "camera.json") == PROFILE
    assert [path.name for path in tmp_path.iterdir()] == ["camera.json"]


def test_the_file_is_one_line_a_value() -> None:
    lines = PROFILE.to_json().splitlines()
    assert len(lines) == 15
    assert ' "corners": [[100.0, 120.0], [1400.0, 100.0], [1420.0, 1380.0], [130.0, 1410.0]],' in lines
    assert ' "name": "Klubkamera",' in lines and ' "lens": 0.0123,' in lines


numbers = st.floats(-200, 200).map(lambda v: round(v, 1))
colours = st.none() | st.tuples(numbers, numbers, numbers)


@given(
    st.text(max_size=20),
    st.integers(1, 1000),
    st.floats(-0.3, 0.3).map(lambda v: round(v, 5)),
    st.booleans(),
    st.none() | st.floats(0.6, 1.6).map(lambda v: round(v, 4)),
    st.none() | st.floats(0, 80).map(lambda v: round(v, 1)),
    st.tuples(*[colours] * 5),
)
def test_every_profile_survives_the_file(
    name: str, photos: int, lens: float, oriented: bool, aspect: float | None, tilt: float | None, seen: Any
) -> None:
    profile = CameraProfile(
        name, "2026-03-01", photos, (4000, 3000), lens, CORNERS, oriented, 0.05, aspect, tilt, BoardEdition(seen)
    )
    assert CameraProfile.from_json(profile.to_json()) == profile


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"format": "other"}, "not a profile"),
    ({"name": 3}, "name"),
    ({"made": "gestern"}, "made"),
    ({"photos": 0}, "photos"),
    ({"photos": True}, "photos"),
    ({"size": [1500]}, "size"),
    ({"size": [0, 1504]}, "size"),
    ({"lens": "0.1"}, "lens"),
    ({"lens": 3.0}, "lens"),
    ({"corners": [[1, 2]] * 3}, "corners"),
    ({"corners": [[1, 2, 3]] * 4}, "corners"),
    ({"corners": [[1, None]] * 4}, "corners"),
    ({"corners": [[1, float("nan")]] * 4}, "corners"),
    ({"corners": [list(point) for point in CORNERS.points[::-1]]}, "clockwise"),  # would read the board mirrored
    ({"oriented": 1}, "oriented"),
    ({"spread": -1}, "spread"),
    ({"aspect": 9}, "aspect"),
    ({"tilt": 120}, "tilt"),
    ({"colours": []}, "colours"),
    ({"colours": {"none": [1, 2]}}, "colours"),
    ({"colours": {"none": "green"}}, "colours"),
]


@pytest.mark.parametrize(("change", "named"), BROKEN)
def test_a_broken_file_is_refused_with_file_entry_and_what_to_do(
    tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(json.loads(PROFILE.to_json()) | change), encoding="utf-8")
    with pytest.raises(CameraProfileError) as caught:
        load_camera(path)
    assert caught.value.code == "bad-camera-profile"
    assert "broken.json" in caught.value.message and named in caught.value.message
    assert "calibrate camera" in caught.value.hint and named in str(caught.value.details["why"])


@pytest.mark.parametrize("key", [key for key in json.loads(PROFILE.to_json()) if key not in ("format", "version")])
def test_an_entry_that_is_missing_is_named(key: str) -> None:
    content = json.loads(PROFILE.to_json())
    del content[key]
    with pytest.raises(CameraProfileError, match=key):
        CameraProfile.from_json(json.dumps(content))


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "[" * 100_000])
def test_what_is_no_profile_is_refused(text: str) -> None:
    with pytest.raises(CameraProfileError):
        CameraProfile.from_json(text)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    for path, code in ((tmp_path / "bytes.json", "bad-camera-profile"), (tmp_path / "none.json", "missing-file")):
        with pytest.raises(CameraProfileError) as caught:
            load_camera(path)
        assert caught.value.code == code and caught.value.details["path"] == path
    with pytest.raises(CameraProfileError):
        load_camera(tmp_path)
    with pytest.raises(CameraProfileError) as caught:
        PROFILE.save(tmp_path / "no such folder" / "camera.json")
    assert caught.value.code == "cannot-write"


def test_another_version_is_refused_with_both_numbers() -> None:
    with pytest.raises(CameraProfileError) as caught:
        CameraProfile.from_json(json.dumps(json.loads(PROFILE.to_json()) | {"version": 2}))
    assert caught.value.code == "camera-profile-version"
    assert caught.value.details["version"] == 2 and caught.value.details["known"] == 1


def test_the_median_of_the_photos_is_learnt() -> None:
    views = [view("a", -2), view("b", 0), view("c", 9, lens_k=0.03)]
    learnt = learn_camera(views, "Küche")
    assert learnt.corners == CORNERS and learnt.size == (1500, 1504) and learnt.photos == 3 and learnt.oriented
    assert learnt.lens_k == 0.01 and learnt.name == "Küche" and learnt.edition.colours == COLOURS
    assert learnt.spread == pytest.approx(9 / 86.3, abs=0.002)  # 86.3 pixels a square


def test_one_photo_is_enough_and_may_leave_things_open() -> None:
    learnt = learn_camera([view("a", oriented=False, edition=None)], "a")
    assert learnt.corners == CORNERS and not learnt.oriented and learnt.spread == 0
    assert learnt.edition.colours == (None,) * len(KINDS)


def test_a_sure_photo_orients_those_that_are_not() -> None:
    unsure = [view(name, oriented=False, corners=CORNERS.turned(k)) for k, name in enumerate("abcd")]
    learnt = learn_camera([*unsure, view("e", corners=CORNERS.turned(2))], "x")
    assert learnt.oriented and learnt.corners == CORNERS.turned(2)


def test_a_board_that_was_turned_between_the_photos_has_no_fixed_reading_order() -> None:
    assert not learn_camera([view("a"), view("b", corners=CORNERS.turned(1))], "x").oriented


def test_a_camera_that_moved_is_refused_and_the_photos_named() -> None:
    with pytest.raises(CameraProfileError) as caught:
        learn_camera([view("1.jpg"), view("2.jpg", 3), view("3.jpg", 30), view("4.jpg", 31)], "x")
    assert caught.value.code == "camera-photos-differ" and caught.value.details["photos"] == "2.jpg / 3.jpg"
    learn_camera([view("1.jpg"), view("2.jpg", 20)], "x")  # 0.23 square: a loose arm, not a move


def test_photos_of_two_sizes_are_refused_and_named() -> None:
    with pytest.raises(CameraProfileError) as caught:
        learn_camera([view("1.jpg"), view("2.jpg", size=(3000, 3008))], "x")
    assert caught.value.code == "camera-photo-size" and caught.value.details["photo"] == "2.jpg"
    assert caught.value.details["size"] == "3000 x 3008"


@pytest.mark.parametrize("aspect", [1.0, 1.08])
@pytest.mark.parametrize(("tilt", "azimuth"), [(0.0, 90.0), (25.0, 50.0), (35.0, 130.0)])
def test_aspect_and_tilt_follow_from_the_corners(aspect: float, tilt: float, azimuth: float) -> None:
    seen = View(Camera(tilt, azimuth, 7.0, 30.0, 40.0, margins=(0.1,) * 4), aspect)
    # the picture's middle is taken for the lens's axis: a picture cut around it
    corners = seen.project(GRID) - seen.intrinsics[:2, 2] + (600, 500)
    found = aspect_and_tilt(Corners.of(corners), (1201, 1001), 0.0)
    assert found[0] == pytest.approx(aspect, abs=0.012)
    assert found[1] == pytest.approx(tilt, abs=2.5)


def test_a_camera_that_looks_along_the_columns_leaves_the_aspect_open() -> None:
    seen = View(Camera(30.0, 90.0, 0.0, 30.0, 40.0), 1.0)
    corners = seen.project(GRID) - seen.intrinsics[:2, 2] + (600, 500)  # any focal length goes with these corners
    assert aspect_and_tilt(Corners.of(corners), (1201, 1001), 0.0)[0] is None


def test_a_lens_s_bend_is_taken_off_before_the_tilt_is_told() -> None:
    seen = View(Camera(25.0, 50.0, 0.0, 30.0, 40.0), 1.0)
    straight = Corners.of(seen.project(GRID) - seen.intrinsics[:2, 2] + (600, 500))
    bent = seen_corners(Homography.from_corners(straight), Lens.of_picture(0.05, 1201, 1001))
    found = aspect_and_tilt(bent, (1201, 1001), 0.05)
    assert found[0] == pytest.approx(1.0, abs=0.012) and found[1] == pytest.approx(25.0, abs=2.5)
