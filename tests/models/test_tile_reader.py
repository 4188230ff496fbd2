"""Training data, measuring, and the committed weights."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.table.scene import render, sample_params
from models.tile_reader.classes import CLASSES
from models.tile_reader.dataset import EMPTY_PER_BOARD, Crops, board_crops, real, rendered, shaken
from models.tile_reader.evaluate import Tally, grid_error
from vision.geometry import Corners
from vision.onnx_reader import OnnxReader, default_model
from vision.reading import BoardReading

SQUARE = Corners.of([(0, 0), (600, 0), (600, 600), (0, 600)])
BOARD = [".......", "Z?Ü*ŁqA"]
ROWS = [row.ljust(15, ".") for row in BOARD] + ["." * 15] * 13


def test_every_tile_of_a_board_is_labelled() -> None:
    pixels = np.zeros((600, 600, 3), np.uint8)
    for col, blue in enumerate(range(20, 160, 20)):
        pixels[40:80, col * 40 : col * 40 + 40] = (blue, 0, 0)
    covered = np.zeros((15, 15), bool)
    covered[1, 0] = True  # the Z
    crops = board_crops(pixels, SQUARE, ROWS, covered, np.random.default_rng(0), 0)
    labels = [CLASSES[k] for k in crops.labels]
    # Ł has no class and "*" is not to be judged; a blank of known letter is a blank
    assert labels[:5] == ["*", "?", "Ü", "?", "A"]
    assert labels[5:] == ["."] * EMPTY_PER_BOARD
    assert [round(float(c[18:30, 18:30, 0].mean()) / 20) for c in crops.crops[:5]] == [1, 2, 3, 6, 7]


def test_a_rendered_board_gives_the_same_crops_each_time() -> None:
    one, two = rendered(77), rendered(77)
    assert (one.crops == two.crops).all() and (one.labels == two.labels).all()
    assert one.crops.shape[1:] == (48, 48, 3) and len(one.labels) > EMPTY_PER_BOARD / 2


def test_corners_are_shaken_as_a_grid_finder_errs() -> None:
    rng = np.random.default_rng(5)
    errors = [grid_error(SQUARE, shaken(SQUARE, rng)) for _ in range(300)]
    assert 0.04 < float(np.median(errors)) < 0.15 and max(errors) < 0.6


def test_only_photos_that_allow_it_are_used_for_training(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    cv2.imwrite(str(tmp_path / "set" / "a.png"), np.zeros((600, 600, 3), np.uint8))
    truth = {"file": "a.png", "corners_px": SQUARE.points, "board": ROWS}
    file = tmp_path / "set" / "truth.jsonl"
    file.write_text(json.dumps({**truth, "train": False}) + "\n" + json.dumps(truth))
    assert len(real(tmp_path, 0, 3).labels) == 0
    file.write_text(json.dumps({**truth, "train": True}))
    crops = real(tmp_path, 0, 3)
    assert len(crops.labels) == 3 * (5 + EMPTY_PER_BOARD) and set(crops.source) == {1}
    assert len(Crops.joined([crops, crops]).labels) == 2 * len(crops.labels)


def test_the_tally_counts_as_it_says(make_reading: Callable[..., BoardReading]) -> None:
    truth = ["HÜT*?Ł.........", *["." * 15] * 14]
    seen = ["HUTX.L.........", *["." * 15] * 14]
    tally = Tally()
    tally.add(truth, make_reading(seen, {(0, 4): {".": 0.6, "?": 0.4}}))
    # Ü read as U without doubt; the blank missed but doubted; "*" not judged; Ł has no class: any tile is right
    assert (tally.squares, tally.right, tally.tiles, tally.tiles_right) == (224, 222, 5, 3)
    assert (tally.silent, tally.doubtful, tally.exact) == (1, 1, 0)
    assert tally.confusions == {"Ü>U": 1, "?>.": 1}
    tally.add(truth, None)
    assert (tally.boards, tally.squares, tally.right) == (2, 448, 222)


def test_the_committed_weights_are_what_their_card_says() -> None:
    reader = OnnxReader()
    assert reader.classes == CLASSES
    assert default_model().stat().st_size < 3_000_000
    assert default_model().name in (default_model().parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_committed_weights_read_rendered_boards() -> None:
    reader, tally = OnnxReader(), Tally()
    for seed in range(900_000, 900_006):
        rng = np.random.default_rng(seed)
        scene = render(
            sample_params(rng, square_px=(36, 50), max_tilt=15, without=frozenset({"hands", "glare", "cast", "blur"}))
        )
        board = board_crops(scene.pixels, scene.corners, scene.board, scene.covered, rng, 0)
        chars, _ = reader._run(board.crops)
        tally.squares += len(board.labels)
        tally.right += int((chars.argmax(axis=1) == board.labels).sum())
    assert tally.right / tally.squares > 0.97


def test_training_learns_exports_and_calibrates(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is needed for training only")
    from models.tile_reader.network import TileNet
    from models.tile_reader.train import augmented, export, fit_temperature, losses, turned

    torch.manual_seed(0)
    rng = torch.Generator().manual_seed(0)
    crops = rendered(78)
    labels = torch.from_numpy(crops.labels)
    batch = torch.from_numpy(crops.crops).flip(-1).permute(0, 3, 1, 2).float() / 255
    quarters = torch.randint(0, 4, (len(labels),), generator=rng)
    back = torch.stack([torch.rot90(c, int(k), (1, 2)) for c, k in zip(turned(batch, quarters), quarters, strict=True)])
    assert torch.equal(back, batch)
    net = TileNet()
    optimiser = torch.optim.Adam(net.parameters(), 3e-3)
    first = last = 0.0
    for step in range(12):
        char_loss, turn_loss = losses(net, augmented(turned(batch, quarters), rng), labels, quarters)
        optimiser.zero_grad()
        (char_loss + turn_loss).backward()
        optimiser.step()
        first, last = (float(char_loss), last) if step == 0 else (first, float(char_loss))
    assert last < 0.8 * first
    export(net, 1.5, tmp_path / "net.onnx")
    reader = OnnxReader(tmp_path / "net.onnx")
    chars, turns = reader._run(crops.crops)
    net.eval()
    with torch.inference_mode():
        expected = (net(batch)[0] / 1.5).log_softmax(-1).numpy()
    assert chars == pytest.approx(expected, abs=1e-3)
    assert np.exp(turns).sum(axis=1) == pytest.approx(np.ones(len(turns)), abs=1e-4)
    logits = torch.randn(4000, 8, generator=rng) * 2
    truth = torch.distributions.Categorical(logits=logits / 2.0).sample()
    assert fit_temperature(logits, truth) == pytest.approx(2.0, abs=0.25)
