"""Training data, measuring, and the committed weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.table.scene import render, sample_params
from models.tile_reader.classes import CLASSES, OTHER
from models.tile_reader.dataset import EMPTY_PER_BOARD, Crops, board_crops, label, real, rendered, shaken
from models.tile_reader.outcome import Outcome, Tally, grid_error
from scorer.tiles import GERMAN_102
from vision.geometry import Corners
from vision.onnx_reader import PLACES, OnnxReader, context_file, default_model
from vision.rectify import rectify

LETTERS = GERMAN_102.letters

SQUARE = Corners.of([(0, 0), (600, 0), (600, 600), (0, 600)])
BOARD = [".......", "Z?Ü*ŁqA"]
ROWS = [row.ljust(15, ".") for row in BOARD] + ["." * 15] * 13


def test_every_tile_of_a_board_is_labelled() -> None:
    pixels = np.zeros((600, 600, 3), np.uint8)
    for col, blue in enumerate(range(20, 160, 20)):
        pixels[40:80, col * 40 : col * 40 + 40] = (blue, 0, 0)
    covered = np.zeros((15, 15), bool)
    covered[1, 0] = True  # the Z
    turns = np.zeros((15, 15), int)
    turns[1, 2] = 3  # the Ü
    crops = board_crops(pixels, SQUARE, ROWS, np.random.default_rng(0), 0, covered, turns)
    labels = [CLASSES[k] for k in crops.labels]
    # Ł is another letter and "*" is not to be judged; a blank of known letter is a blank
    assert labels[:6] == ["*", "?", "Ü", OTHER, "?", "A"]
    assert labels[6:] == ["."] * EMPTY_PER_BOARD
    assert crops.quarters.tolist() == [0, 0, 3] + [0] * (len(labels) - 3)
    assert crops.places[:6].tolist() == [[1, 0], [1, 1], [1, 2], [1, 4], [1, 5], [1, 6]]
    assert [round(float(c[18:30, 18:30, 0].mean()) / 20) for c in crops.crops[:6]] == [1, 2, 3, 5, 6, 7]


@pytest.mark.parametrize(
    ("char", "class_"), [(".", "."), ("?", "?"), ("Ä", "Ä"), ("ä", "?"), ("Ł", OTHER), ("7", OTHER)]
)
def test_what_a_character_of_a_board_is_to_the_network(char: str, class_: str) -> None:
    assert CLASSES[label(char)] == class_


def test_joined_crops_keep_their_boards_apart(tmp_path: Path) -> None:
    one, two = rendered(77), rendered(78)
    both = Crops.joined([one, Crops.joined([two, one])])
    assert np.bincount(both.boards).tolist() == [len(one.labels), len(two.labels), len(one.labels)]
    both.save(tmp_path / "runs" / "crops.npz")
    again = Crops.load(tmp_path / "runs" / "crops.npz")
    assert (again.crops == both.crops).all() and (again.places == both.places).all()


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
    assert len(crops.labels) == 3 * (6 + EMPTY_PER_BOARD) and set(crops.source) == {1}


def test_the_committed_weights_are_what_their_card_says() -> None:
    reader = OnnxReader()
    assert reader.classes == tuple(char for char in CLASSES if char != OTHER)
    files = default_model(), context_file(default_model())
    assert sum(file.stat().st_size for file in files) < 3_000_000
    card = (default_model().parents[1] / "README.md").read_text(encoding="utf-8")
    assert all(file.name in card for file in files)


def test_the_committed_weights_read_rendered_boards() -> None:
    reader, tally = OnnxReader(), Tally()
    for seed in range(900_000, 900_006):
        scene = render(
            sample_params(
                np.random.default_rng(seed),
                square_px=(36, 50),
                max_tilt=15,
                without=frozenset({"hands", "glare", "cast", "blur", "turned", "foreign"}),
            )
        )
        tally.include(Outcome.of(scene.board, reader.read(rectify(scene.pixels, scene.corners), LETTERS)))
    assert tally.right / tally.squares > 0.99


def _boards() -> Any:
    from models.tile_reader.train import Boards

    return Boards(Crops.joined([rendered(78), rendered(79)]))


def test_a_turned_board_is_turned_wholly_and_can_be_turned_back() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is needed for training only")
    from models.tile_reader.train import turned

    batch = next(_boards().whole(2))
    for seed in range(12):
        out = turned(batch, np.random.default_rng(seed))
        back = [torch.rot90(c, int(k), (0, 1)) for c, k in zip(out.crops, out.quarters - batch.quarters, strict=True)]
        assert torch.equal(torch.stack(back), batch.crops)
        for before, now, quarters in zip(
            batch.places.split(batch.sizes), out.places.split(batch.sizes), out.quarters.split(batch.sizes), strict=True
        ):
            common = int(quarters.mode().values)  # the turn of the board, but where single tiles are turned too
            grid = np.zeros((15, 15), int)
            grid[tuple(before.T)] = np.arange(1, len(before) + 1)
            seen = np.zeros((15, 15), int)
            seen[tuple(now.T)] = np.arange(1, len(before) + 1)
            assert any((np.rot90(seen, k) == grid).all() for k in range(4)), common


def test_training_learns_exports_and_calibrates(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is needed for training only")
    from models.tile_reader import train
    from models.tile_reader.network import TileNet

    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    boards, net, augment = _boards(), TileNet(), train.Augment(0)
    optimiser = torch.optim.Adam(net.parameters(), 3e-3)
    losses = []
    for batch in boards.sampled(96, 12, rng):
        chars, _, _ = train.logits(net, augment(batch, rng), batch)
        losses.append(train.character_loss(chars, batch.labels, batch.quarters))
        optimiser.zero_grad()
        losses[-1].backward()
        optimiser.step()
    assert float(losses[-1]) < 0.8 * float(losses[0])
    path = tmp_path / "net.onnx"
    train.export(net, 1.5, path)
    scene = render(sample_params(np.random.default_rng(80), without=frozenset({"turned"})))
    crops = np.ascontiguousarray(rectify(scene.pixels, scene.corners).crops().reshape(225, 48, 48, 3))
    reader = OnnxReader(path)
    features = reader.describe(crops)
    chars, turns = reader.compare(features)
    net.eval()
    whole = train.Batch(torch.from_numpy(crops), torch.zeros(225), torch.zeros(225), torch.from_numpy(PLACES), [225])
    with torch.inference_mode():
        expected = train.logits(net, whole.crops.flip(-1).permute(0, 3, 1, 2).float() / 255, whole)[0]
    assert chars == pytest.approx((expected / 1.5).log_softmax(-1).numpy(), abs=2e-3)
    assert np.exp(turns).sum(axis=1) == pytest.approx(np.ones(225), abs=1e-4)
    size = path.stat().st_size
    train.quantise(path, crops)
    assert path.stat().st_size < 0.4 * size  # a byte for four
    close = np.corrcoef(OnnxReader(path).describe(crops).ravel(), features.ravel())[0, 1]
    assert close > 0.98


def test_the_temperature_of_known_logits_is_found() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is needed for training only")
    from models.tile_reader.train import fit_temperature

    torch.manual_seed(0)
    logits = torch.randn(4000, 8) * 2
    truth = torch.distributions.Categorical(logits=logits / 2.0).sample()
    assert fit_temperature(logits, truth) == pytest.approx(2.0, abs=0.25)
