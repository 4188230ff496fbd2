"""The reading engines behind one interface."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.table.editions import EDITIONS
from models.table.fillings import Filling, random_filling
from models.table.scene import NUISANCES, Scene, render, sample_params
from models.table.tiles import german_style
from scorer.board import Square
from scorer.tiles import GERMAN_102
from vision.errors import EngineMissing, ModelError
from vision.geometry import Corners
from vision.onnx_reader import OnnxReader
from vision.rectify import BoardImage, rectify
from vision.tesseract_reader import TesseractReader, letter_shape

LETTERS = GERMAN_102.letters


@pytest.fixture(scope="module")
def board(demo_photos: list[Path], demo_truth: list[dict[str, Any]]) -> BoardImage:
    return rectify(cv2.imread(str(demo_photos[11])), Corners.of(demo_truth[11]["corners_px"]))


def test_the_network_reads_the_letters_of_the_tile_set_only(board: BoardImage) -> None:
    reading = OnnxReader().read(board, "ABC")
    assert {char for row in reading.rows for char in row} <= set(".?ABC")
    assert len(reading.doubtful) > 20  # the picture is full of other letters


@pytest.mark.parametrize("quarters", range(4))
def test_the_turn_of_the_board_is_found(board: BoardImage, demo_truth: list[dict[str, Any]], quarters: int) -> None:
    turned = OnnxReader().read_turned(board.turned(quarters), LETTERS)
    assert turned.sure and (turned.quarters + quarters) % 4 == 0
    assert sum(a != b for a, b in zip("".join(turned.reading.rows), "".join(demo_truth[11]["board"]), strict=True)) <= 1


def test_threads_do_not_change_the_reading(board: BoardImage) -> None:
    one, two = (OnnxReader(threads=n).read(board, LETTERS) for n in (1, 2))
    assert one.rows == two.rows and one.log_probs == pytest.approx(two.log_probs, abs=1e-3)


@pytest.mark.parametrize("content", [None, b"", b"not a model"])
def test_a_missing_or_damaged_model_is_named(tmp_path: Path, board: BoardImage, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "tile_reader.onnx").write_bytes(content)
    with pytest.raises(ModelError):
        OnnxReader(tmp_path / "tile_reader.onnx").read(board, LETTERS)


def test_glyphs_are_found_on_tiles_and_not_on_empty_squares(
    board: BoardImage, demo_truth: list[dict[str, Any]]
) -> None:
    crops = board.crops()
    rows = demo_truth[11]["board"]
    found = {(r, c) for r in range(15) for c in range(15) if letter_shape(crops[r, c]) is not None}
    letters = {(r, c) for r in range(15) for c in range(15) if rows[r][c].isalpha()}
    assert len(letters & found) >= 0.9 * len(letters)
    assert len(found - letters) <= 8


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
def test_tesseract_reads_most_letters_and_doubts_the_rest(board: BoardImage, demo_truth: list[dict[str, Any]]) -> None:
    reading = TesseractReader().read(board, LETTERS)
    letters = [(r, c, ch) for r, row in enumerate(demo_truth[11]["board"]) for c, ch in enumerate(row) if ch.isalpha()]
    right = sum(reading.rows[r][c] == char for r, c, char in letters)
    assert right >= 0.6 * len(letters)
    assert reading.classes[:3] == (".", "?", "*")


def test_without_tesseract_the_engine_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, board: BoardImage
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineMissing) as caught:
        TesseractReader().read(board, LETTERS)
    assert "apt-get install tesseract-ocr" in caught.value.hint


def _clear_board(filling: Filling, turned: float, seed: int) -> tuple[Scene, BoardImage]:
    """A rendered board in good light, seen from above."""
    without = NUISANCES - {"thickness", "shadow", "fonts", "editions"}
    params = sample_params(
        np.random.default_rng(seed),
        without=without,
        filling=filling,
        edition=EDITIONS[0],
        square_px=(36, 44),
        max_tilt=10,
    )
    scene = render(replace(params, style=german_style(), camera=replace(params.camera, roll=0.0), turned=turned))
    return scene, rectify(scene.pixels, scene.corners)


@pytest.mark.parametrize("seed", range(3))
def test_turned_tiles_among_upright_ones_are_doubted_and_mostly_right(seed: int) -> None:
    scene, board = _clear_board(random_filling(np.random.default_rng(seed), 80, 0), 0.2, seed)
    reading = OnnxReader().read(board, LETTERS)
    turned = [(r, c) for r, c in np.argwhere(scene.turns) if scene.board[r][c].isalpha()]
    right = [reading.rows[r][c] == scene.board[r][c] for r, c in turned]
    doubted = [Square(int(r), int(c)) in reading.doubtful for r, c in turned]
    assert len(turned) > 8
    assert all(r or d for r, d in zip(right, doubted, strict=True))
    assert sum(right) > 0.85 * len(turned) and sum(doubted) > 0.85 * len(turned)
    upright = [Square(r, c) for r in range(15) for c in range(15) if scene.turns[r, c] == 0]
    assert all(reading.rows[s.row][s.col] == scene.board[s.row][s.col] or s in reading.doubtful for s in upright)


def test_foreign_prints_are_tiles_and_never_sure() -> None:
    rows = ["." * 15] * 6 + [".ŁÑЖØЯΩÞЮ......", "." * 15, "..HAUS..KATZE.."] + ["." * 15] * 6
    _, board = _clear_board(tuple(rows), 0.0, 5)
    reading = OnnxReader().read(board, LETTERS)
    foreign = [Square(6, c) for c in range(1, 9)]
    assert all(reading.rows[s.row][s.col] != "." for s in foreign)
    assert sum(s in reading.doubtful for s in foreign) >= 7
    assert reading.rows[8] == rows[8] and not {s for s in reading.doubtful if s.row == 8}
    assert len(set(reading.doubtful) - set(foreign)) <= 2
