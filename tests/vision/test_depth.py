"""The view of a board from its corners, and reading tiles on the plane of their tops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.table.camera import Camera
from models.table.camera import View as TrueView
from models.table.scene import NUISANCES, Scene, render, sample_params
from scorer.board import Square
from scorer.tiles import GERMAN_102
from vision.adapt import AdaptedReader, AdaptedReading, examples, learn
from vision.depth import TOPS, combined, read_at_depth, view_of
from vision.geometry import GRID, Corners, Homography, Lens, seen_corners
from vision.onnx_reader import DOUBT_BELOW, OnnxReader
from vision.reading import BoardReading, empty_log_probs
from vision.rectify import rectify

READER = OnnxReader()
CLASSES = (".", "?", "*", "E", "F")


def seen_by(camera: Camera, aspect: float) -> tuple[TrueView, Corners, int, int, np.ndarray]:
    """The true view, the grid's corners in a picture around the optical axis, its size, and the shift into it."""
    true = TrueView(camera, aspect)
    axis = true.intrinsics[:2, 2]
    width, height = (
        int(2 * np.ceil(max(place, size - 1 - place)) + 1) for place, size in zip(axis, true.size, strict=True)
    )
    shift = np.array([(width - 1) / 2, (height - 1) / 2]) - axis
    return true, Corners.of(true.project(GRID) + shift), width, height, shift


@pytest.mark.parametrize("aspect", [1.0, 1.08])
@pytest.mark.parametrize("distance", [20.0, 35.0])
@pytest.mark.parametrize("tilt", [15.0, 30.0, 45.0, 60.0])
def test_the_view_is_that_of_the_camera(tilt: float, distance: float, aspect: float) -> None:
    camera = Camera(tilt=tilt, azimuth=65, roll=20, distance=distance)
    true, corners, width, height, shift = seen_by(camera, aspect)
    view = view_of(corners, width, height)
    assert view is not None
    assert view.tilt == pytest.approx(tilt, abs=3)
    assert view.aspect == pytest.approx(aspect, abs=0.04)
    tops = Homography(view.grid).to_grid(true.project(GRID, 0.24) + shift)
    found = Homography(view.grid).to_grid(view.corners(0.24).array)
    assert np.linalg.norm(tops - found, axis=1).max() < 0.03


def test_the_plane_of_the_print_is_the_grid() -> None:
    _, corners, width, height, _ = seen_by(Camera(tilt=40), 1.0)
    view = view_of(corners, width, height)
    assert view is not None
    assert view.corners(0).array == pytest.approx(corners.array)
    assert view.shift(0) == pytest.approx(0, abs=1e-9)


def test_from_far_above_the_tops_lie_over_the_print() -> None:
    _, corners, width, height, _ = seen_by(Camera(tilt=0, distance=80), 1.0)
    view = view_of(corners, width, height)
    assert view is not None
    assert view.tilt < 3 and view.shift(TOPS) < 0.12


def test_no_camera_sees_a_mirrored_grid() -> None:
    _, corners, width, height, _ = seen_by(Camera(tilt=40), 1.0)
    assert view_of(Corners(corners.points[::-1]), width, height) is None


def board(seed: int, tilt: float, thickness: float | None = None, distortion: float = 0.0) -> Scene:
    """A board in good light, without anything that disturbs but its tiles' height."""
    rng = np.random.default_rng(seed)
    params = sample_params(rng, without=NUISANCES - {"thickness"}, square_px=(32, 40))
    if thickness is not None:
        params = replace(params, style=replace(params.style, thickness=thickness))
    return render(replace(params, camera=replace(params.camera, tilt=tilt, distortion=distortion)))


def read_on_both(scene: Scene) -> tuple[BoardReading, BoardReading]:
    """What is read on the print's plane alone, and at depth."""
    first = READER.read(rectify(scene.pixels, scene.corners), GERMAN_102.letters)
    return first, read_at_depth(scene.pixels, scene.corners, READER, GERMAN_102.letters, first)


def wrong(reading: BoardReading, truth: tuple[str, ...]) -> set[Square]:
    return {Square(r, c) for r in range(15) for c in range(15) if reading.rows[r][c] != truth[r][c]}


def test_a_board_seen_from_the_side_is_read_right() -> None:
    scene = board(720009, 50)
    first, reading = read_on_both(scene)
    assert wrong(first, scene.board)
    assert not wrong(reading, scene.board)
    assert len(reading.doubtful) < 0.6 * len(first.doubtful)


def test_of_boards_seen_from_the_side_most_mistakes_and_doubts_go() -> None:
    mistakes, doubts = np.zeros(2), np.zeros(2)
    for seed in range(720001, 720009):
        scene = board(seed, 50)
        readings = read_on_both(scene)
        mistakes += [len(wrong(reading, scene.board)) for reading in readings]
        doubts += [len(reading.doubtful) for reading in readings]
    assert mistakes[1] < 0.4 * mistakes[0]
    assert doubts[1] < 0.4 * doubts[0]


def test_through_a_lens_that_bends_the_tops_are_found_too() -> None:
    scene = board(720003, 50, distortion=0.03)
    height, width = scene.pixels.shape[:2]
    lens = Lens.of_picture(0.03, width, height)
    corners = seen_corners(Homography.from_corners(Corners.of(lens.straighten(scene.corners.array))), lens)
    first = READER.read(rectify(scene.pixels, corners, lens), GERMAN_102.letters)
    reading = read_at_depth(scene.pixels, corners, READER, GERMAN_102.letters, first, lens)
    assert reading is not first
    assert not wrong(reading, scene.board)
    assert len(reading.doubtful) < len(first.doubtful)


@pytest.mark.parametrize("seed", [720003, 720008])
def test_at_60_degrees_nothing_is_wrong_without_a_mark(seed: int) -> None:
    scene = board(seed, 60)
    first, reading = read_on_both(scene)
    assert len(wrong(reading, scene.board)) < 0.3 * len(wrong(first, scene.board))
    assert wrong(reading, scene.board) <= set(reading.doubtful)


def test_tiles_sunk_between_ridges_are_read_on_the_print() -> None:
    scene = board(720003, 50, thickness=0.0)
    first, reading = read_on_both(scene)
    assert reading is first
    assert not wrong(reading, scene.board)


def test_a_reader_adapted_to_the_tiles_reads_at_depth_too() -> None:
    known = board(720001, 10)
    flat = rectify(known.pixels, known.corners)
    plain = READER.read(flat, GERMAN_102.letters)
    reader = AdaptedReader(READER, learn([examples(flat, plain, known.board, READER)]))
    scene = board(720001, 50)
    first = reader.read(rectify(scene.pixels, scene.corners), GERMAN_102.letters)
    reading = read_at_depth(scene.pixels, scene.corners, reader, GERMAN_102.letters, first)
    assert isinstance(reading, AdaptedReading) and not reading.misfit
    assert not wrong(reading, scene.board)


def test_from_above_there_is_no_second_look() -> None:
    scene = board(720008, 5)
    first, reading = read_on_both(scene)
    assert reading is first


def reading_of(squares: dict[Square, dict[str, float]], suspects: frozenset[Square] = frozenset()) -> BoardReading:
    """Elsewhere the board is surely empty."""
    log_probs = empty_log_probs(CLASSES)
    log_probs[..., 0] = 0
    for square, probs in squares.items():
        log_probs[square] = [np.log(probs.get(char, 1e-20)) for char in CLASSES]
    return BoardReading(log_probs, CLASSES, DOUBT_BELOW, suspects)


def test_both_planes_say_whether_and_the_tops_say_which() -> None:
    tile, behind, word = Square(7, 7), Square(6, 7), Square(3, 3)
    ground = reading_of({tile: {".": 0.1, "F": 0.9}, behind: {"E": 0.6, ".": 0.4}, word: {"E": 0.99, ".": 0.01}})
    tops = reading_of({tile: {".": 0.001, "E": 0.999}, behind: {"*": 0.99, "E": 0.01}, word: {"E": 0.999, ".": 0.001}})
    reading = combined(ground, tops)
    assert (reading.at(tile).char, reading.at(behind).char, reading.at(word).char) == ("E", ".", "E")
    odds = np.sqrt(0.6 / 0.4 * 0.01 / 0.99)
    assert reading.at(behind).confidence == pytest.approx(1 / (1 + odds), rel=1e-4)
    assert np.exp(reading.log_probs.astype(float)).sum(axis=-1) == pytest.approx(1, abs=1e-5)


def test_tiles_that_differ_surely_are_doubted() -> None:
    tile, other = Square(7, 7), Square(7, 8)
    ground = reading_of({tile: {"F": 0.9, "E": 0.1}, other: {"F": 0.7, "E": 0.3}})
    tops = reading_of({tile: {"E": 0.9999, "F": 0.0001}, other: {"E": 0.9999, "F": 0.0001}})
    reading = combined(ground, tops)
    assert (reading.at(tile).char, reading.at(other).char) == ("E", "E")
    assert reading.doubtful == (tile,)


def test_a_square_of_which_neither_plane_is_sure_stays_marked() -> None:
    both, one = Square(7, 7), Square(7, 8)
    ground = reading_of({both: {".": 0.9, "?": 0.1}, one: {".": 0.9, "?": 0.1}})
    tops = reading_of({both: {".": 0.9, "?": 0.1}, one: {".": 1.0}})
    assert combined(ground, tops).suspects == {both}


def test_a_mark_counts_on_the_plane_that_is_believed() -> None:
    tile, empty = Square(7, 7), Square(2, 2)
    ground = reading_of({tile: {"E": 0.99, "F": 0.01}}, frozenset({tile}))
    tops = reading_of({tile: {"E": 0.999, "F": 0.001}}, frozenset({empty}))
    assert combined(ground, tops).doubtful == ()
    assert combined(reading_of({tile: {"E": 0.99}}), replace(tops, suspects=frozenset({tile}))).doubtful == (tile,)
