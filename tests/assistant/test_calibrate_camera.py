"""`brettblick calibrate camera`: rendered photos of a fixed camera in, a profile that finds the board out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from assistant.cli import main
from calibration.camera import load_camera
from models.table.camera import Camera
from models.table.demo import boards, demo_params, framed
from models.table.scene import render
from vision.geometry import Corners, Homography
from vision.locate_pose import moved_by

SIZE_PX = (800, 700)
Run = Callable[..., tuple[int, str, str]]


def photo(folder: Path, turn: int, tilt: float = 9.0) -> tuple[Path, Corners]:
    params = demo_params(2)[turn]
    camera = framed(Camera(tilt, 70, 2.0, 30, 36), params.edition.aspect, *SIZE_PX)
    scene = render(replace(params, filling=boards()[turn], camera=camera))
    path = folder / f"{turn:02}-{tilt:g}.png"
    cv2.imwrite(str(path), scene.pixels)
    return path, scene.corners


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], Corners]:
    folder = tmp_path_factory.mktemp("camera")
    taken = [photo(folder, turn) for turn in (0, 3, 7)]
    return [path for path, _ in taken], taken[0][1]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*args: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([str(arg) for arg in args])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_a_fixed_camera_is_learnt_and_said_in_german(
    run: Run, photos: tuple[list[Path], Corners], tmp_path: Path
) -> None:
    status, out, _ = run("calibrate", "camera", *photos[0], "--out", tmp_path / "küche.json")
    assert status == 0
    assert "Kamera gelernt aus 3 Fotos zu 800 x 700 Pixeln" in out and "oben links" in out and "--camera" in out
    profile = load_camera(tmp_path / "küche.json")
    assert profile.name == "küche" and profile.size == SIZE_PX and profile.oriented and profile.spread < 0.1
    wanted = Homography.from_corners(photos[1]).matrix
    assert moved_by(wanted, Homography.from_corners(profile.corners).matrix) < 0.1  # in reading order, too
    assert profile.edition.colours[0] is not None


def test_an_empty_board_tells_no_reading_order_and_that_is_said(
    run: Run, photos: tuple[list[Path], Corners], tmp_path: Path
) -> None:
    out = tmp_path / "x.json"
    status, said, _ = run("--lang", "en", "calibrate", "camera", photos[0][0], "--out", out, "--name", "Club")
    assert status == 0 and load_camera(out).name == "Club"
    assert load_camera(out).oriented != ("the letters tell it on every photo" in said)


def test_photos_from_before_and_after_a_bump_are_refused_and_named(
    run: Run, photos: tuple[list[Path], Corners], tmp_path: Path
) -> None:
    moved, _ = photo(tmp_path, 8, 16.0)
    status, out, err = run("calibrate", "camera", *photos[0], moved, "--out", tmp_path / "x.json")
    assert status == 2 and out == "" and f"{photos[0][-1].name} / {moved.name}" in err
    assert not (tmp_path / "x.json").exists()


def test_nothing_is_learnt_when_a_photo_shows_no_board(
    run: Run, photos: tuple[list[Path], Corners], tmp_path: Path
) -> None:
    (tmp_path / "no.jpg").write_bytes(b"no picture")
    status, _, err = run("calibrate", "camera", photos[0][1], tmp_path / "no.jpg", "--out", tmp_path / "x.json")
    assert status == 3 and "no.jpg" in err and not (tmp_path / "x.json").exists()
    status, _, err = run("calibrate", "camera", photos[0][1], "--out", tmp_path / "none" / "x.json")
    assert status == 2 and "x.json" in err
