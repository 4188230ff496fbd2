"""The bend of lenses: in points, in pictures, and found from the lines of a board."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.table.scene import Scene, render, sample_params
from vision.geometry import SIZE, Corners, Homography, Lens, seen_corners, straight_grid, warped
from vision.locate import to_lab
from vision.locate_learned import settle_bent
from vision.rectify import CROP, MARGIN, PIXELS_PER_SQUARE, rectify

NUISANCES = frozenset({"hands", "glare", "blur", "noise", "objects", "shadow", "editions"})


def table(k: float, seed: int = 3) -> Scene:
    """A clean table through a lens of that bend."""
    params = sample_params(np.random.default_rng(seed), without=NUISANCES, square_px=(30, 34), max_tilt=25)
    return render(replace(params, camera=replace(params.camera, distortion=k)))


def true_lens(scene: Scene) -> Lens:
    height, width = scene.pixels.shape[:2]
    return Lens.of_picture(scene.params.camera.distortion, width, height)


def test_a_corner_of_the_picture_moves_by_k() -> None:
    lens = Lens.of_picture(0.1, 401, 301)
    corner, middle = np.array([400.0, 300.0]), np.array([200.0, 150.0])
    radius = np.hypot(401, 301) / 2
    expected = middle + (corner - middle) * (1 + 0.1 * np.sum((corner - middle) ** 2) / radius**2)
    assert lens.straighten(corner) == pytest.approx(expected)
    assert lens.straighten(middle) == pytest.approx(middle)


@pytest.mark.parametrize("k", [-0.1, -0.02, 0.0, 0.03, 0.1])
def test_bend_undoes_straighten(k: float) -> None:
    lens = Lens.of_picture(k, 1000, 700)
    points = np.random.default_rng(0).uniform((0, 0), (1000, 700), (200, 2))
    assert np.abs(lens.straighten(lens.bend(points)) - points).max() < 1e-5


def test_a_scaled_cut_out_keeps_the_lens() -> None:
    lens = Lens.of_picture(0.04, 1200, 900)
    matrix = np.array([[0.5, 0, -30.0], [0, 0.5, 12.0], [0, 0, 1]])
    points = np.array([(100.0, 80.0), (1100.0, 850.0), (600.0, 20.0)])

    def moved(p: np.ndarray) -> np.ndarray:
        return cv2.perspectiveTransform(p[None], matrix)[0]

    assert lens.after(matrix).bend(moved(points)) == pytest.approx(moved(lens.bend(points)))


def test_a_picture_warped_through_a_lens_shows_the_bent_places() -> None:
    lens = Lens.of_picture(0.05, 640, 480)
    x, y = np.meshgrid(np.arange(640, dtype=np.float32), np.arange(480, dtype=np.float32))
    picture = np.dstack([x / 4, y / 4, 0 * x]).astype(np.float32)
    matrix = np.array([[1.6, 0.1, 60.0], [-0.05, 1.3, 50.0], [1e-4, 2e-4, 1.0]])
    flat = warped(picture, matrix, 200, lens)
    for at in [(10, 10), (100, 50), (190, 180)]:
        wanted = lens.bend(cv2.perspectiveTransform(np.array([[at]], np.float64), matrix)[0])[0]
        assert flat[at[1], at[0], :2] * 4 == pytest.approx(wanted, abs=0.2)


@pytest.mark.parametrize("k", [-0.06, 0.065, 0.08])
def test_the_lines_of_a_board_tell_the_bend(k: float) -> None:
    scene = table(k)
    lens = true_lens(scene)
    start = Homography.from_corners(scene.corners).matrix
    height, width = scene.pixels.shape[:2]
    matrix, found, _ = settle_bent(to_lab(scene.pixels), start, Lens.of_picture(0.0, width, height))
    assert found.k == pytest.approx(k, abs=0.015)
    truth = lens.bend(Homography.from_corners(Corners.of(lens.straighten(scene.corners.array))).lattice())
    side = Homography.from_corners(scene.corners).square_side()
    assert np.linalg.norm(found.bend(Homography(matrix).lattice()) - truth, axis=-1).max() < 0.08 * side


def test_the_seen_corners_are_those_of_the_nearest_homography() -> None:
    scene = table(0.06)
    lens = true_lens(scene)
    straight = Homography.from_corners(Corners.of(lens.straighten(scene.corners.array)))
    seen, crossings = seen_corners(straight, lens), lens.bend(straight.lattice())

    def off(corners: Corners) -> float:
        return float(np.square(Homography.from_corners(corners).lattice() - crossings).sum())

    rng = np.random.default_rng(0)
    assert off(seen) < off(scene.corners)
    assert all(off(seen) <= off(Corners.of(seen.array + rng.normal(0, 0.5, (4, 2)))) for _ in range(20))
    side = straight.square_side()
    assert np.abs(straight_grid(seen, lens).lattice() - straight.lattice()).max() < 0.01 * side
    assert seen_corners(straight, Lens.of_picture(0.0, 10, 10)) == straight.corners
    assert straight_grid(seen, None).corners.array == pytest.approx(seen.array)


def test_a_lens_without_bend_is_given_none() -> None:
    scene = table(0.0)
    height, width = scene.pixels.shape[:2]
    start = Homography.from_corners(scene.corners).matrix
    assert settle_bent(to_lab(scene.pixels), start, Lens.of_picture(0.0, width, height))[1].k == 0


def test_rectified_through_the_lens_the_squares_lie_where_they_should() -> None:
    scene = table(0.08, seed=5)
    lens = true_lens(scene)
    straight = Homography.from_corners(Corners.of(lens.straighten(scene.corners.array)))
    dotted = scene.pixels.copy()
    for row in range(1, SIZE, 3):
        for col in range(1, SIZE, 3):
            x, y = lens.bend(straight.to_pixels(np.array([col + 0.5, row + 0.5])))
            cv2.circle(dotted, (round(float(x) * 16), round(float(y) * 16)), 48, (255, 0, 255), -1, cv2.LINE_AA, 4)
    board = rectify(dotted, seen_corners(straight, lens), lens)
    purple = (board.pixels.astype(int) * (1, -1, 1)).sum(axis=2) > 330
    count, _, _, middles = cv2.connectedComponentsWithStats(purple.astype(np.uint8))
    assert count == 26
    places = (middles[1:] - MARGIN + 0.5) / PIXELS_PER_SQUARE
    assert np.abs(places - np.floor(places) - 0.5).max() < 0.06
    assert board.crops().shape == (SIZE, SIZE, CROP, CROP, 3)
