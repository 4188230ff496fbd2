"""`brettblick calibrate camera` with the camera itself: how good its view is, and what is learnt when it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from assistant.cli import main
from assistant.live.sources import is_stream
from calibration.camera import load_camera
from models.table.camera import Camera
from models.table.demo import boards, demo_params, framed
from models.table.scene import Scene, render
from tests.assistant.live.cameras import noisy
from vision.geometry import Homography
from vision.locate_pose import moved_by
from vision.pixels import Pixels

WIDTH, HEIGHT = 1024, 768

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*args: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([str(arg) for arg in args])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture(scope="module")
def scene() -> Scene:
    params = demo_params(2)[1]
    camera = framed(Camera(12, 70, 2.0, 30, 36), params.edition.aspect, WIDTH, HEIGHT)
    return render(replace(params, filling=boards()[1], camera=camera))


def film(path: Path, picture: Pixels, seconds: float) -> Path:
    height, width = picture.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (width, height))
    for _ in range(round(5 * seconds)):
        writer.write(noisy(picture))
    writer.release()
    return path


def test_a_good_view_is_learnt(run: Run, scene: Scene, tmp_path: Path) -> None:
    out = tmp_path / "tisch.json"
    status, said, _ = run("calibrate", "camera", film(tmp_path / "film.avi", scene.pixels, 20), "--out", out)
    assert status == 0
    assert "Alles gut: Die Kamera steht richtig." in said and f"--camera {out}" in said
    profile = load_camera(out)
    assert profile.name == "tisch" and profile.size == (WIDTH, HEIGHT)
    wanted, found = (Homography.from_corners(corners).matrix for corners in (scene.corners, profile.corners))
    assert moved_by(wanted, found) < 0.1


def test_what_is_wrong_with_a_view_is_said(run: Run, scene: Scene, tmp_path: Path) -> None:
    """A board that is not all in the picture, and so far away that its squares are too small."""
    small = cv2.resize(scene.pixels, (360, 270), interpolation=cv2.INTER_AREA)
    status, said, _ = run("--lang", "en", "calibrate", "camera", film(tmp_path / "small.avi", small, 3))
    assert status == 3
    assert "Squares large enough" in said and "Move the camera closer" in said and "never quite good" in said


def test_photos_need_a_place_for_what_is_learnt(run: Run, scene: Scene, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), scene.pixels)
    status, _, err = run("calibrate", "camera", tmp_path / "a.jpg")
    assert status == 2 and "--out" in err
    status, _, err = run("calibrate", "camera", tmp_path / "a.jpg", "http://127.0.0.1:9/video", "--out", "x.json")
    assert status == 2 and "http://127.0.0.1:9/video" in err


def test_what_is_learnt_from_is_not_overwritten(run: Run, scene: Scene, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), scene.pixels)
    for kind, source in (
        ("camera", film(tmp_path / "film.avi", scene.pixels, 1)),
        ("camera", tmp_path / "a.jpg"),
        ("tiles", tmp_path / "a.jpg"),
    ):
        before = source.read_bytes()
        status, _, err = run("--lang", "en", "calibrate", kind, source, "--out", source)
        assert status == 2 and source.name in err and source.read_bytes() == before


def test_a_camera_that_is_not_there(run: Run, tmp_path: Path) -> None:
    status, out, err = run("calibrate", "camera", tmp_path / "none.mp4")
    assert (status, out) == (3, "") and "none.mp4" in err
    status, _, err = run("calibrate", "camera", tmp_path / "none.mp4", "--out", tmp_path / "no" / "x.json")
    assert status == 2 and "x.json" in err


def test_what_is_a_camera_and_what_a_photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "7").mkdir()
    (tmp_path / "clip.mp4").mkdir()
    assert [is_stream(text) for text in ("0", "/dev/video1", "http://a/b", "rtsp://a", "x.MP4", "y.mov")] == [True] * 6
    photos = ("7", "clip.mp4", "photo.jpg", ".", "12345", "photo", "a/0")
    assert [is_stream(text) for text in photos] == [False] * len(photos)
