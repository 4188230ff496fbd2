"""From the network's maps to quads: maps made from known corners, whole and damaged."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board_net import CANVAS, CELLS, INNER, STRIDE, BoardNet, Maps, flat_view, letterbox, on_canvas, quads
from vision.errors import ModelError
from vision.geometry import GRID, SIZE, Corners, Homography

QUADS = {
    "straight": [(60, 50), (200, 50), (200, 190), (60, 190)],
    "turned": [(128, 30), (220, 128), (128, 226), (36, 128)],
    "tilted": [(80, 90), (170, 85), (230, 190), (20, 200)],
    "over the edge": [(-15, 60), (150, 40), (170, 210), (5, 220)],
    "small": [(100, 100), (150, 104), (146, 152), (98, 148)],
}


def maps_of(corners: list[tuple[float, float]]) -> Maps:
    """Perfect maps of a grid with these corners on the canvas."""
    rows, cols = np.mgrid[0:CELLS, 0:CELLS]
    pixels = np.stack([cols, rows], axis=-1) * STRIDE + (STRIDE - 1) / 2
    grid = Homography.from_corners(Corners.of(corners)).to_grid(pixels)
    distance = np.abs(grid / (SIZE / 2) - 1)
    far, near = distance.max(axis=-1), distance.min(axis=-1)
    corner = np.zeros((CELLS, CELLS))
    for x, y in (np.array(corners) - (STRIDE - 1) / 2) / STRIDE:
        corner = np.maximum(corner, np.exp(-0.5 * ((cols - x) ** 2 + (rows - y) ** 2)))
    mask = (far < 1).astype(float)
    return Maps(*(plane.astype(np.float32) for plane in (mask, far, near, corner)))


def error(found: Corners, corners: list[tuple[float, float]]) -> float:
    """Largest distance of a corner from the nearest true one, squares."""
    truth = Corners.of(corners)
    distance = np.linalg.norm(found.array[:, None] - truth.array[None], axis=2).min(axis=1)
    return float(distance.max() / Homography.from_corners(truth).square_side())


@pytest.mark.parametrize("name", QUADS)
def test_perfect_maps_give_the_exact_quad(name: str) -> None:
    best = quads(maps_of(QUADS[name]))[0]
    assert error(best.corners, QUADS[name]) < 0.02
    assert best.spread < 0.02 and best.overlap > 0.8


@pytest.mark.parametrize("name", ["straight", "turned", "tilted"])
def test_a_hidden_corner_and_noise_are_outvoted(name: str) -> None:
    maps, rng = maps_of(QUADS[name]), np.random.default_rng(1)
    x, y = (int(v) // STRIDE for v in QUADS[name][2])
    for plane in (maps.mask, maps.corner):
        plane[max(y - 9, 0) : y + 9, max(x - 9, 0) : x + 9] = 0
    for plane in (maps.far, maps.near):
        plane += rng.normal(0, 0.05, plane.shape).astype(np.float32)
        plane[rng.random(plane.shape) < 0.1] = 0.5
    assert error(quads(maps)[0].corners, QUADS[name]) < 0.35


def test_two_boards_give_two_quads() -> None:
    one, two = (
        maps_of([(20, 20), (110, 20), (110, 110), (20, 110)]),
        maps_of([(140, 130), (240, 130), (240, 230), (140, 230)]),
    )
    second = two.mask > 0
    both = Maps(*(np.where(second, b, a) for a, b in zip(vars(one).values(), vars(two).values(), strict=True)))
    both.corner[:] = np.maximum(one.corner, two.corner)
    found = quads(both)
    assert len(found) == 2
    assert {int(np.mean(quad.corners.array)) // 64 for quad in found} == {1, 2}


def test_nothing_on_the_canvas_gives_nothing() -> None:
    blank = np.zeros((CELLS, CELLS), np.float32)
    assert quads(Maps(blank, blank, blank, blank)) == []
    speck = blank.copy()
    speck[3:6, 3:6] = 1
    assert quads(Maps(speck, blank, blank, blank)) == []


def test_nonsense_maps_give_no_error() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        planes = [cv2.GaussianBlur(rng.random((CELLS, CELLS)).astype(np.float32), (0, 0), 3) for _ in range(4)]
        stretched = [(p - p.min()) / (p.max() - p.min()) for p in planes]
        for quad in quads(Maps(*stretched)):
            assert np.isfinite(quad.corners.array).all()


@pytest.mark.parametrize("shape", [(300, 400), (1200, 500), (97, 101), (224, 224)])
def test_the_letterbox_keeps_places(shape: tuple[int, int]) -> None:
    height, width = shape
    picture = np.full((height, width, 3), 40, np.uint8)
    y, x = int(0.6 * height), int(0.3 * width)
    picture[y - 20 : y + 20, x - 20 : x + 20] = 250
    small, matrix = letterbox(picture)
    assert max(small.shape[:2]) == INNER
    canvas = on_canvas(small)
    assert canvas.shape == (3, CANVAS, CANVAS)
    bright = np.argwhere(canvas[0] > 0.5 * canvas[0].max()).mean(axis=0)[::-1]
    assert cv2.perspectiveTransform(np.array([[(x - 0.5, y - 0.5)]]), matrix)[0, 0] == pytest.approx(bright, abs=0.6)


def test_light_and_contrast_do_not_matter() -> None:
    rng = np.random.default_rng(0)
    picture = rng.integers(60, 200, (200, 200, 3)).astype(np.float32)
    bright, dim = (on_canvas((picture * gain).astype(np.uint8)) for gain in (1.2, 0.6))
    assert np.abs(bright - dim).mean() < 0.1


def test_a_flat_view_shows_the_grid_in_its_place() -> None:
    corners = Corners.of([(80, 90), (370, 60), (420, 400), (40, 380)])
    picture = np.zeros((480, 480, 3), np.uint8)
    cv2.fillConvexPoly(picture, corners.array.astype(np.int32), (255, 255, 255))
    flat, to_picture = flat_view(picture, Homography.from_corners(corners))
    inside = np.argwhere(flat[..., 0] > 128)
    assert inside.min(axis=0) == pytest.approx((32, 32), abs=1) and inside.max(axis=0) == pytest.approx(
        (223, 223), abs=1
    )
    place = 31.5 + GRID * 192 / SIZE
    assert cv2.perspectiveTransform(place[None], to_picture)[0] == pytest.approx(corners.array, abs=0.01)


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "finder.onnx"
    wrong.write_bytes(b"no network")
    with pytest.raises(ModelError, match=r"finder\.onnx"):
        BoardNet(wrong).look(np.zeros((3, CANVAS, CANVAS), np.float32))
    with pytest.raises(ModelError):
        BoardNet(tmp_path / "absent.onnx").look(np.zeros((3, CANVAS, CANVAS), np.float32))
