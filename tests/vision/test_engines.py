"""The reading engines behind one interface."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import cv2
import pytest

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
