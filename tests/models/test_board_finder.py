"""How the board finder is trained and measured: its samples, its targets, its tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.board_finder.dataset import Samples, targets
from models.board_finder.evaluate import Found, found_by, groups_of, table, whole_range
from models.board_finder.quality import SPEAKS_FOR, logistic, signed_logistic
from models.board_finder.scenes import LONGEST, Picture, load, rendered, save
from models.table.scene import render
from vision.board_net import CANVAS, CELLS, STRIDE, Maps, quads
from vision.geometry import Corners, Homography
from vision.locator import BoardLocator, FixedCorners, Location
from vision.photo import Photo


@pytest.fixture(scope="module")
def tables() -> list[Picture]:
    return [rendered(seed) for seed in range(800_000, 800_006)]


def test_tables_are_kept_and_found_again(tables: list[Picture], tmp_path: Path) -> None:
    other = Picture(np.full((90, 120, 3), 77, np.uint8))
    save(tmp_path / "kept.npz", [*tables, other])
    again = load(tmp_path / "kept.npz")
    assert len(again) == 7 and again[-1].corners is None
    for one, two in zip(tables, again, strict=False):
        assert one.pixels.shape == two.pixels.shape and max(one.pixels.shape[:2]) <= LONGEST
        assert np.abs(one.pixels.astype(int) - two.pixels).mean() < 4  # JPEG
        assert one.corners is not None and two.corners == pytest.approx(one.corners, abs=0.01)


def test_targets_of_a_straight_grid() -> None:
    low, high = 59.5, 179.5  # from between cells 14 and 15 to between 44 and 45
    out = targets(np.array([(low, low), (high, low), (high, high), (low, high)]))
    assert out.shape == (5, CELLS, CELLS)
    assert out[0].sum() == 30 * 30 and out[0, 15:45, 15:45].all()
    middle, edge = out[1:3, 30, 30], out[1:3, 30, 15]
    assert middle == pytest.approx([1 / 30, 1 / 30], abs=1e-6)
    assert edge == pytest.approx([29 / 30, 1 / 30], abs=1e-6)
    assert out[3].max() > 0.7 and out[3, 30, 30] < 1e-6
    assert targets(None).sum() == 0


def test_targets_are_what_quads_read(tables: list[Picture]) -> None:
    samples, rng = Samples(tables, []), np.random.default_rng(4)
    whole = 0
    for _ in range(40):
        canvas, want = samples.draw(rng)
        assert canvas.shape == (3, CANVAS, CANVAS) and np.isfinite(canvas).all()
        if want[0].sum() < 60:
            continue
        found = quads(Maps(want[0], want[1], want[2], want[3]))[0]
        rows, cols = np.nonzero(want[0])
        pixels = np.column_stack([cols, rows]) * STRIDE + (STRIDE - 1) / 2
        away = np.abs(Homography.from_corners(found.corners).to_grid(pixels) / 7.5 - 1)
        assert np.abs(away.max(axis=1) - want[1][rows, cols]).max() < 0.02
        whole += 1
    assert whole > 30


def test_the_whole_range_is_what_it_says() -> None:
    drawn = [whole_range(seed) for seed in range(40)]
    assert all(0 <= p.camera.tilt <= 60 and 14 <= p.camera.square_px <= 60 for p in drawn)
    assert max(p.camera.tilt for p in drawn) > 50 and min(p.camera.square_px for p in drawn) < 18
    assert drawn[3] == whole_range(3)


class Nowhere(BoardLocator):
    """Finds nothing, or what it is told."""

    def __init__(self, location: Location) -> None:
        self.location = location

    def locate(self, photo: Photo) -> Location:
        return self.location


def test_what_became_of_a_picture() -> None:
    scene = render(replace(whole_range(1), hands=()))
    height, width = scene.pixels.shape[:2]
    photo, groups = Photo("a", scene.pixels, width, height), groups_of(scene)
    right = found_by(FixedCorners(scene.corners.turned(2)), "a", photo, scene.corners, groups)
    assert right.located and right.said == "sure" and not right.silent
    side = Homography.from_corners(scene.corners).square_side()
    off = Location(Corners.of(scene.corners.array + 0.6 * side), 1.0)
    wrong = found_by(Nowhere(off), "b", photo, scene.corners, groups)
    assert wrong.silent and not wrong.located
    doubted = found_by(Nowhere(replace(off, warnings=("grid-unsure",))), "c", photo, scene.corners, groups)
    missing = found_by(Nowhere(Location(None, reason="no-board")), "d", photo, scene.corners, groups)
    false = found_by(Nowhere(off), "e", photo, None, {})
    assert not doubted.silent and missing.said == "no-board" and false.silent
    last = table([right, wrong, doubted, missing]).splitlines()[-1]
    assert [cell.strip() for cell in last.split("|")][2:4] == ["4", "1"]
    assert [cell.strip() for cell in last.split("|")][5:8] == ["1", "1", "1"]


def test_groups_are_in_natural_order() -> None:
    some = [Found(str(k), None, "no-board", {"size": f"{k} to {k + 5} px"}) for k in (10, 5, 0)]
    names = [line.split("|")[1].strip() for line in table(some).splitlines()[2:-1]]
    assert names == ["size: 0 to 5 px", "size: 5 to 10 px", "size: 10 to 15 px"]


def test_logistic_regression_finds_the_weights() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(0, 1, (20_000, 2))
    chance = 1 / (1 + np.exp(-(x @ [2.0, -1.0] + 0.5)))
    weights = logistic(x, (rng.random(20_000) < chance).astype(float))
    assert weights == pytest.approx([2.0, -1.0, 0.5], abs=0.1)


def test_evidence_never_counts_the_wrong_way_round() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(0, 1, (4000, len(SPEAKS_FOR))) * SPEAKS_FOR
    x[:, 1] = -x[:, 0]  # would count against a grid
    right = x @ SPEAKS_FOR - 2 * x[:, 1] + rng.normal(0, 1, 4000) > 0
    weights = signed_logistic(x, right.astype(float))
    assert (weights[:-1] * SPEAKS_FOR >= 0).all() and weights[1] == 0 and weights[0] > 0.5


def test_training_learns_and_the_export_says_the_same(tables: list[Picture], tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from models.board_finder.export import export
    from models.board_finder.network import FinderNet
    from models.board_finder.train import batch, loss_of
    from vision.board_net import BoardNet

    torch.manual_seed(0)
    torch.set_num_threads(1)
    net = FinderNet((4, 6, 8, 8, 8))
    optimiser = torch.optim.AdamW(net.parameters(), 4e-3)
    x, want = batch(Samples(tables, []), np.random.default_rng(1))
    losses = []
    for _ in range(12):
        loss = loss_of(net(x), want)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.6 * losses[0]
    export(net, tmp_path / "net.onnx", tables, integers=False)
    with torch.no_grad():
        mask = torch.sigmoid(net.eval()(x[:1])[0, 0]).numpy()
    assert BoardNet(tmp_path / "net.onnx", 1).look(x[0].numpy()).mask == pytest.approx(mask, abs=1e-4)
