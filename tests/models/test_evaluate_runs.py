"""Measuring and ablation from end to end, with a reader that knows the truth and trainings that are not done."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.table.scene import NUISANCES, Scene, render, sample_params
from models.tile_reader import ablate, evaluate
from models.tile_reader.samples import UNCOUNTED, photo_sets, photos, read, rendered
from scorer.tiles import GERMAN_102
from vision.geometry import Corners
from vision.reading import BoardReading, TileReader
from vision.rectify import BoardImage

MakeReading = Callable[..., BoardReading]
SEED = 500_003


class Says(TileReader):
    """Reads the same from whatever it is given."""

    name = "says"

    def __init__(self, reading: BoardReading) -> None:
        self.reading = reading

    def read(self, board: BoardImage, letters: Collection[str]) -> BoardReading:
        return self.reading


@pytest.fixture(scope="module")
def scene() -> Scene:
    return render(sample_params(np.random.default_rng(SEED), without=frozenset({"foreign", "turned", "hands"})))


@pytest.fixture
def folder(tmp_path: Path, scene: Scene) -> Path:
    """Two sets of one photo each."""
    for name in ("night", "day"):
        (tmp_path / name).mkdir()
        cv2.imwrite(str(tmp_path / name / "a.png"), scene.pixels)
        truth = {"file": "a.png", "corners_px": scene.corners.points, "board": scene.board}
        (tmp_path / name / "truth.jsonl").write_text(json.dumps(truth, ensure_ascii=False), encoding="utf-8")
    return tmp_path


def test_a_rendered_board_is_read_with_corners_a_little_off(make_reading: MakeReading) -> None:
    (sample,) = rendered([SEED])
    assert sample.given != sample.corners and sample.covered is not None and sample.turns is not None
    outcome = read(sample, Says(make_reading(["." * 15] * 15)))
    assert outcome.error is not None and 0 < outcome.error[0] < 0.3
    assert outcome.ratio is None and not outcome.right[outcome.tile].any() and outcome.tile.any()


def test_letters_in_any_number_are_not_doubted_for_it(make_reading: MakeReading) -> None:
    said = Says(make_reading(["Q" * 15] * 15))
    counted, uncounted = (next(rendered([SEED], tile_set)) for tile_set in (GERMAN_102, UNCOUNTED))
    assert read(counted, said).doubtful.all() and not read(uncounted, said).doubtful.any()


def test_photos_are_read_with_true_corners(folder: Path, scene: Scene, make_reading: MakeReading) -> None:
    files = photo_sets(folder)
    assert list(files) == ["day", "night"] and list(photo_sets(folder, ["night"])) == ["night"]
    (sample,) = photos(files["day"])
    assert sample.given == sample.corners == Corners.of(scene.corners.points)
    outcome = read(sample, Says(make_reading(scene.board)))
    assert outcome.error == (0.0, 0.0) and outcome.ratio is not None and outcome.ratio > 0
    (untimed,) = photos(files["day"], timed=False)
    assert read(untimed, Says(make_reading(scene.board))).ratio is None


def test_the_command_prints_every_table(
    folder: Path, scene: Scene, make_reading: MakeReading, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    reader = Says(make_reading(["." * 15] * 15))
    monkeypatch.setattr(evaluate, "OnnxReader", lambda model: reader)
    drawn = folder / "drawn.svg"
    words = f"--boards 1 --photos {folder} --set day --stress {folder} --confusions 3 --reliability --thresholds"
    evaluate.main([*words.split(), "--turned", "1", "--diagram", str(drawn)])
    out = capsys.readouterr().out
    tiles = sum(char != "." for row in scene.board for char in row)
    (line,) = [line for line in out.splitlines() if line.startswith("| day ") and "1.00000" not in line][:1]
    assert f"{1 - tiles / 225:.5f}" in line
    assert sum(line.startswith("| ALL ") for line in out.splitlines()) == 2  # the stress folder's figures, confusions
    for expected in (
        "| rendered",
        "| night",
        "| taken for",
        "| confidence",
        "| doubt below",
        "| all",
        "calibration error",
    ):
        assert expected in out
    assert all(f"{name} (" in drawn.read_text(encoding="utf-8") for name in ("rendered", "photos", "stress"))
    with pytest.raises(SystemExit):
        evaluate.main(["--photos", str(folder), "--set", "none"])


SETTINGS = ablate.Settings(boards=5, epochs=1, batch=192, first_seed=70, calibration=2, measured=1, photos=False)


def test_trainings_differ_only_in_what_is_left_out() -> None:
    runs = ablate.runs(SETTINGS)
    assert runs[0] == ablate.Run("nothing", "", 70) and runs[1] == ablate.Run("nothing, other boards", "", 77)
    assert {run.without for run in runs[2:]} == NUISANCES and {run.first_seed for run in runs[2:]} == {70}


def test_a_training_goes_by_the_commands_of_making_and_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def run(command: list[str], **_: Any) -> None:
        calls.append(" ".join(command[2:]).replace(str(tmp_path), "OUT"))
        Path(command[command.index("--out") + 1]).touch()

    monkeypatch.setattr(subprocess, "run", run)
    model = ablate.train(ablate.Run("hands", "hands", 70), SETTINGS, tmp_path)
    assert calls == [
        "models.tile_reader.make --boards 5 --first-seed 70 --without hands --out OUT/hands.npz",
        "models.tile_reader.make --boards 2 --first-seed 75 --without hands --out OUT/hands-test.npz",
        "models.tile_reader.train --crops OUT/hands.npz --test OUT/hands-test.npz --epochs 1 --batch 192 --threads 1 "
        "--out OUT/hands.onnx",
    ]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["hands.log", "hands.onnx"] and model.exists()


def test_a_training_that_fails_says_where_to_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(command: list[str], **_: Any) -> None:
        raise subprocess.CalledProcessError(1, command[:3])

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(SystemExit) as stopped:
        ablate.main(["--out", str(tmp_path), "--measured", "1", "--only", "hands"])
    assert stopped.value.code == 1 and str(tmp_path) in capsys.readouterr().err
    assert not (tmp_path / "results.json").exists()


def test_a_finished_training_is_not_done_again(
    tmp_path: Path, make_reading: MakeReading, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = []

    def train(run: ablate.Run, settings: ablate.Settings, folder: Path) -> Path:
        if run.name == "glare" and "hands" not in done:
            raise KeyboardInterrupt
        done.append(run.name)
        return folder / run.name

    monkeypatch.setattr(ablate, "train", train)
    monkeypatch.setattr(ablate, "OnnxReader", lambda model: Says(make_reading(["." * 15] * 15)))
    words = f"--out {tmp_path} --boards 5 --epochs 1 --measured 1 --only nothing --only hands --only glare".split()
    with pytest.raises(KeyboardInterrupt):
        ablate.main(words)
    assert done == ["nothing"]
    done.append("hands")  # glare may now go on
    ablate.main(words)
    assert done == ["nothing", "hands", "glare", "hands"]
    ablate.main(words)
    assert len(done) == 4
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].count("rendered:") == 4 and [line.split()[1] for line in lines[2:5]] == [
        "nothing",
        "glare",
        "hands",
    ]
    with pytest.raises(SystemExit):
        ablate.main([*words, "--epochs", "2"])
