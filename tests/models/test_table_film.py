"""Films: the truth of each frame agrees with the picture, and the game comes out as it was given."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from models.table import film, fonts
from models.table.__main__ import main
from models.table.fillings import EMPTY
from vision.geometry import SIZE
from vision.rectify import rectify

cv2.setNumThreads(1)


@pytest.fixture(scope="module", autouse=True)
def _faces():
    try:
        fonts.find_faces()
    except fonts.NoFontsError:
        pytest.skip("no typefaces on this machine")


def small_film(seed: int, moves: int = 2, **changes) -> film.FilmParams:
    rng = np.random.default_rng(seed)
    params = film.sample_film(rng, film.random_game(rng, moves), size=(192, 144))
    return replace(params, **changes)


def tiles_in(board) -> int:
    return sum(tile != "." for row in board for tile in row)


def test_random_games_grow_by_moves_in_a_line():
    taken_back = 0
    for seed in range(15):
        game = film.random_game(np.random.default_rng(seed), 6)
        assert game[0] == EMPTY and len(game) == 7
        for before, after in pairwise(game):
            new = [(r, c) for r in range(SIZE) for c in range(SIZE) if before[r][c] != after[r][c]]
            taken_back += tiles_in(after) < tiles_in(before)
            assert 1 <= len(new) <= 7
            assert len({r for r, _ in new}) == 1 or len({c for _, c in new}) == 1
    assert taken_back > 2


@pytest.mark.parametrize("seed", range(2))
def test_a_film_plays_the_game(seed):
    params = small_film(seed, 2, rearrange=1.0, badly=0.5)
    seen = list(film.frames(params))
    assert [frame.move for frame in seen] == sorted(frame.move for frame in seen) and seen[-1].move == 2
    calm = [frame for frame in seen if frame.calm]
    assert {frame.move for frame in calm} == {0, 1, 2}
    assert all(frame.board == params.boards[frame.move] and not frame.hand for frame in calm)
    assert any(frame.hand and frame.covered.any() for frame in seen)
    changes = [
        sum(a != b for rows in zip(x.board, y.board, strict=True) for a, b in zip(*rows, strict=True))
        for x, y in pairwise(seen)
    ]
    assert max(changes) == 1, "one tile after the other"
    assert all(frame.hand for frame, change in zip(seen[1:], changes, strict=True) if change)
    assert len({frame.pixels.shape for frame in seen}) == 1 and seen[0].pixels.shape == (144, 192, 3)


def test_same_parameters_same_film():
    params = small_film(5, 1)
    first, second = list(film.frames(params)), list(film.frames(params))
    assert len(first) == len(second)
    assert all(
        np.array_equal(a.pixels, b.pixels) and a.corners == b.corners for a, b in zip(first, second, strict=True)
    )


def test_corners_follow_a_bumped_camera():
    """Seen through its own corners, the board looks the same before and after the bump."""
    params = small_film(2, 2, bump=1.0, point=0.0, shade=0.0, flicker=0.0, shaky=0.0)
    params = replace(params, scene=replace(params.scene, light=replace(params.scene.light, glare=(), mirror=())))
    calm = [frame for frame in film.frames(params) if frame.calm and frame.move == 0]
    moved = np.abs(calm[-1].corners.array - calm[0].corners.array).max()
    assert moved > 0.3
    a, b = (rectify(frame.pixels, frame.corners).pixels.astype(float) for frame in (calm[0], calm[-1]))
    assert np.abs(a - b)[40:-40, 40:-40].mean() < 8


def test_a_tile_keeps_its_face_when_it_is_moved():
    params = small_film(1, 1)
    player = film._Player(params)
    square, other = (7, 7), (8, 7)
    a, b = (player._laid(place, "A", film.STRAIGHT, square) for place in (square, other))
    assert film._key(a) == film._key(b) and (a.x, a.y) != (b.x, b.y)


def test_command_writes_a_film_and_its_truth(tmp_path, capsys):
    path = tmp_path / "game.avi"
    assert main(["film", "--out", str(path), "--moves", "1", "--game", "--size", "320x240", "--seed", "3"]) == 0
    lines = [json.loads(line) for line in path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()]
    reel = cv2.VideoCapture(str(path))
    count = 0
    while reel.read()[0]:
        count += 1
    assert count == len(lines) and lines[-1]["move"] == 1 and "HÜTTE" in lines[-1]["board"][7]
    assert str(path) in capsys.readouterr().out
    assert main(["film", "--out", str(tmp_path / "no" / "where.avi")]) == 2
