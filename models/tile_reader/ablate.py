"""What each nuisance of the rendered tables is worth: a short training without it, measured on tables with everything.

python -m models.tile_reader.ablate --out runs/ablation --photos FOLDER

All trainings see boards of the same seeds but for what is left out; "nothing, other boards" is one with everything
again on other boards, and tells how much two such trainings differ anyway. One that is finished is not done again.
Needs `pip install -e .[train]`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from models.table.scene import NUISANCES
from models.tile_reader.evaluate import FIRST_SEED
from models.tile_reader.outcome import COLUMNS, Tally, table
from models.tile_reader.samples import UNCOUNTED, Sample, photo_sets, photos, read_all, rendered
from vision.onnx_reader import OnnxReader

SHOWN = ("squares", "tiles", "silent", "doubtful")


@dataclass(frozen=True)
class Run:
    """One training: its name, what is left out, and the seed of its first board."""

    name: str
    without: str
    first_seed: int


@dataclass(frozen=True)
class Settings:
    """What all trainings have in common; one folder holds trainings of the same settings only."""

    boards: int
    epochs: int
    batch: int
    first_seed: int
    calibration: int
    measured: int
    photos: bool


def runs(settings: Settings) -> list[Run]:
    """With everything, twice; then without each nuisance."""
    first = settings.first_seed
    return [
        Run("nothing", "", first),
        Run("nothing, other boards", "", first + settings.boards + settings.calibration),
        *(Run(name, name, first) for name in sorted(NUISANCES)),
    ]


def train(run: Run, settings: Settings, folder: Path) -> Path:
    """Renders, trains, exports; the log lies beside the model. The boards for calibration lack the same nuisance."""
    stem = run.name.replace(", ", "-").replace(" ", "-")
    crops, test, model = (folder / f"{stem}{end}" for end in (".npz", "-test.npz", ".onnx"))
    without = ["--without", run.without] if run.without else []
    with (folder / f"{stem}.log").open("w", encoding="utf-8") as log:

        def call(module: str, *args: object) -> None:
            command = [sys.executable, "-m", f"models.tile_reader.{module}", *map(str, args)]
            subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=True)

        for out, first, boards in (
            (crops, run.first_seed, settings.boards),
            (test, run.first_seed + settings.boards, settings.calibration),
        ):
            call("make", "--boards", boards, "--first-seed", first, *without, "--out", out)
        # one thread: threads on cores that do other work as well wait for each other most of the time
        steps = ("--epochs", settings.epochs, "--batch", settings.batch, "--threads", 1)
        call("train", "--crops", crops, "--test", test, *steps, "--out", model)
    crops.unlink()
    test.unlink()
    return model


def figures(model: Path, sources: dict[str, list[Sample]]) -> dict[str, dict[str, str]]:
    """The figures of COLUMNS for each source."""
    reader = OnnxReader(model)
    return {
        source: dict(zip(COLUMNS, Tally.of(read_all(samples, reader)).row(), strict=True))
        for source, samples in sources.items()
    }


def ablation_table(results: dict[str, dict[str, dict[str, str]]]) -> str:
    """A line for each training, of the sources beside each other."""
    sources = list(next(iter(results.values())))
    head = ("left out", *(f"{source}: {column}" for source in sources for column in SHOWN))
    return table(
        head,
        [
            (name, *(result[source][column] for source in sources for column in SHOWN))
            for name, result in results.items()
        ],
    )


def finished(folder: Path, settings: Settings) -> dict[str, dict[str, dict[str, str]]]:
    """Results of trainings that are done; raises ValueError for a folder of other settings."""
    file = folder / "results.json"
    if not file.exists():
        return {}
    content = json.loads(file.read_text(encoding="utf-8"))
    if content["settings"] != vars(settings):
        raise ValueError(f"{folder} holds trainings with other settings: {content['settings']}")
    return dict(content["results"])


def keep(folder: Path, settings: Settings, results: dict[str, dict[str, dict[str, str]]]) -> None:
    text = json.dumps({"settings": vars(settings), "results": results}, indent=1, ensure_ascii=False)
    (folder / "results.json").write_text(text + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder of models, logs and results")
    parser.add_argument("--photos", type=Path, metavar="FOLDER", help="photo sets to measure on as well, true corners")
    parser.add_argument("--boards", type=int, default=250, help="rendered for one training")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=192, help="squares a step; small, for many steps on few boards")
    parser.add_argument("--first-seed", type=int, default=700_000)
    parser.add_argument("--calibration", type=int, default=30, help="further boards to fit the temperature on")
    parser.add_argument("--measured", type=int, default=60, help="boards with everything to measure on")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only these trainings")
    args = parser.parse_args(argv)
    settings = Settings(
        args.boards, args.epochs, args.batch, args.first_seed, args.calibration, args.measured, bool(args.photos)
    )
    args.out.mkdir(parents=True, exist_ok=True)
    try:
        results = finished(args.out, settings)
    except ValueError as error:
        parser.error(str(error))
    cv2.setNumThreads(1)
    planned = [run for run in runs(settings) if not args.only or run.name in args.only]
    missing = [run for run in planned if run.name not in results]
    sources: dict[str, list[Sample]] = {}
    if missing:  # decoded and rendered once for all trainings
        sources["rendered"] = list(rendered(range(FIRST_SEED, FIRST_SEED + settings.measured), UNCOUNTED))
        if args.photos:
            files = photo_sets(args.photos).values()
            sources["photos"] = [sample for file in files for sample in photos(file, timed=False)]
    for run in missing:
        try:
            model = train(run, settings, args.out)
        except subprocess.CalledProcessError as error:
            parser.exit(1, f"{run.name}: {error}; see its log in {args.out}\n")
        results[run.name] = figures(model, sources)
        keep(args.out, settings, results)
        print(f"{run.name}: {results[run.name]}", file=sys.stderr, flush=True)
    print(ablation_table({run.name: results[run.name] for run in planned}))


if __name__ == "__main__":
    main()
