"""The learned finder on rendered tables, on pictures without a board, and on corners tapped by hand."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.table.demo import demo_params
from models.table.others import render_other
from models.table.scene import Scene, render, sample_params
from vision.board_net import BoardNet
from vision.geometry import Corners, Homography, Lens
from vision.locate_learned import EVIDENCE_WEIGHTS, SURE, Evidence, LearnedLocator, evidence_features, quality
from vision.locate_tap import TappedCorners
from vision.locator import Location
from vision.photo import Photo

NET = BoardNet(threads=1)
LOCATOR = LearnedLocator(NET)

SOUND = Evidence(0.98, 0.08, 0.8, 0.2, 0.5, 0.1, 0.75, 0.005)


def photo(pixels: np.ndarray, name: str = "photo") -> Photo:
    height, width = pixels.shape[:2]
    return Photo(name, pixels, width, height)


def error(scene: Scene, corners: Corners | None) -> float:
    """Largest distance of a crossing from its true place, squares, whichever side is up."""
    assert corners is not None
    truth = Homography.from_corners(scene.corners)
    lattices = [Homography.from_corners(corners.turned(k)).lattice() for k in range(4)]
    return float(min(np.linalg.norm(one - truth.lattice(), axis=-1).max() for one in lattices) / truth.square_side())


def demo(**camera: object) -> Scene:
    """The demo game's table in mid-game from elsewhere."""
    params = demo_params(3)[7]
    return render(replace(params, camera=replace(params.camera, **camera)))  # type: ignore[arg-type]


VIEWS = {
    "from above": {"tilt": 2.0},
    "turned by 37 degrees": {"roll": 37.0},
    "upside down, tilted": {"roll": 180.0, "tilt": 30.0},
    "flat": {"tilt": 52.0, "azimuth": 20.0, "distance": 40.0},
    "small in the picture": {"square_px": 18.0, "margins": (1.0, 0.6, 0.9, 0.7)},
    "close": {"margins": (0.01, 0.01, 0.01, 0.01)},
}


@pytest.mark.parametrize("view", VIEWS)
def test_the_board_is_found_from_everywhere(view: str) -> None:
    scene = demo(**VIEWS[view])
    found = LOCATOR.locate(photo(scene.pixels))
    assert error(scene, found.corners) < 0.12
    assert found.warnings == () and found.quality > SURE and not found.oriented


@pytest.mark.parametrize("seed", [820_001, 820_002, 820_003, 820_004])
def test_other_boards_in_other_light(seed: int) -> None:
    scene = render(sample_params(np.random.default_rng(seed), square_px=(20, 40)))
    assert error(scene, LOCATOR.locate(photo(scene.pixels)).corners) < 0.25


def test_the_same_photo_gives_the_same_grid() -> None:
    scene = demo()
    assert LOCATOR.locate(photo(scene.pixels)) == LOCATOR.locate(photo(scene.pixels))


def test_corners_are_in_pixels_of_the_photo_as_decoded() -> None:
    scene = demo()
    half = cv2.resize(scene.pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    height, width = scene.pixels.shape[:2]
    found = LOCATOR.locate(Photo("half", half, width, height)).corners
    assert error(scene, found and Corners.of((found.array + 0.5) * 2 - 0.5)) < 0.12


def test_a_board_cut_off_is_said_to_be() -> None:
    scene = demo(margins=(0.1, 0.1, 0.1, 0.1))
    low, high = scene.corners.array.min(axis=0), scene.corners.array.max(axis=0)
    half = scene.pixels[:, : int(low[0] + 0.62 * (high[0] - low[0]))]
    found = LOCATOR.locate(photo(half))
    assert found.corners is None and found.reason in ("board-cut-off", "no-board")
    corner = scene.pixels[:, : int(high[0] - 0.035 * (high[0] - low[0]))]
    found = LOCATOR.locate(photo(np.ascontiguousarray(corner)))
    if found.corners is not None:
        assert "board-cut-off" in found.warnings and error(scene, found.corners) < 0.25
    else:
        assert found.reason == "board-cut-off"


@pytest.mark.parametrize(
    "kind", ["chess", "crossword", "keyboard", "spreadsheet", "floor", "room", "word-game", "tiles"]
)
def test_no_board_is_found_where_there_is_none(kind: str) -> None:
    for seed in (830_001, 830_002):
        found = LOCATOR.locate(photo(render_other(seed, kind)))
        assert found == Location(None, found.quality, "no-board")


@pytest.mark.parametrize("shape", [(1, 1), (3, 900), (40, 40), (700, 20)])
def test_tiny_and_odd_pictures_hold_no_board(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    for pixels in (np.zeros((*shape, 3), np.uint8), rng.integers(0, 256, (*shape, 3)).astype(np.uint8)):
        assert LOCATOR.locate(photo(pixels)).corners is None


def test_a_bent_picture_comes_with_its_lens() -> None:
    scene = demo(distortion=0.07, tilt=5.0)
    found = LOCATOR.locate(photo(scene.pixels))
    height, width = scene.pixels.shape[:2]
    assert found.lens is not None and found.lens.k == pytest.approx(0.07, abs=0.02)
    assert found.lens.middle == pytest.approx(Lens.of_picture(0, width, height).middle)


def test_each_piece_of_evidence_counts() -> None:
    assert len(EVIDENCE_WEIGHTS) == len(evidence_features(SOUND)) + 1
    assert quality(SOUND) > SURE
    for worse in (
        replace(SOUND, premium=0.15, rival=0.14),
        replace(SOUND, apart=1.4, on_line=0.4),
        replace(SOUND, bend=0.06, corner=0.1, on_line=0.5),
    ):
        assert quality(worse) < SURE


@pytest.mark.parametrize("off", [0.0, 0.4, 0.9])
def test_a_rough_tap_snaps_to_the_grid(off: float) -> None:
    scene = demo(roll=90.0)
    side = Homography.from_corners(scene.corners).square_side()
    rng = np.random.default_rng(round(10 * off))
    angles = rng.uniform(0, 2 * np.pi, 4)
    tapped = Corners.of(scene.corners.array + off * side * np.column_stack([np.cos(angles), np.sin(angles)]))
    found = TappedCorners(tapped, NET).locate(photo(scene.pixels))
    assert found.oriented and found.warnings == () and found.corners is not None
    moved = np.linalg.norm(found.corners.array - scene.corners.array, axis=1).max() / side
    assert moved < 0.12  # and in the order in which they were tapped


def test_a_tap_that_is_all_wrong_is_used_as_given_and_said() -> None:
    scene = demo()
    tapped = Corners.of(
        scene.corners.array.mean(axis=0) + (scene.corners.array - scene.corners.array.mean(axis=0)) * 0.5
    )
    found = TappedCorners(tapped, NET).locate(photo(scene.pixels))
    assert found.corners == tapped and found.warnings == ("corners-not-snapped",) and found.oriented
    room = photo(render_other(830_006, "room"))
    corners = Corners.of([(100, 100), (300, 110), (310, 300), (90, 310)])
    assert TappedCorners(corners, NET).locate(room).warnings == ("corners-not-snapped",)


def test_taps_are_in_pixels_of_the_full_photo() -> None:
    scene = demo()
    half = cv2.resize(scene.pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    height, width = scene.pixels.shape[:2]
    found = TappedCorners(scene.corners, NET).locate(Photo("half", half, width, height))
    assert found.corners is not None
    assert np.abs(found.corners.array * 2 - scene.corners.array).max() < 3
