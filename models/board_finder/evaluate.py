"""Measures the board finder, as the run-time uses it.

python -m models.board_finder.evaluate --boards 500       rendered tables over the whole range, by tilt, size, tiles ...
python -m models.board_finder.evaluate --others 200       rendered pictures without a board, and the installed real ones
python -m models.board_finder.evaluate --photos FOLDER    photo sets with truth.jsonl

Several can be asked for at once. --stages tells the grid's error after each step; --parts repeats it with each part of
the finder left out; --classic: without network. A grid counts as located when no crossing is off by more than a quarter
of a square, whichever side is up.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from models.board_finder.pictures import real_pictures
from models.table.fillings import random_filling
from models.table.others import render_other
from models.table.scene import Scene, SceneParams, render, sample_params
from models.tile_reader.outcome import LOCATED, grid_errors
from models.tile_reader.samples import photo_sets, photos
from vision.board_net import BoardNet
from vision.geometry import Corners
from vision.locate import ClassicLocator
from vision.locate_learned import PARTS, LearnedLocator, candidate, rough_grids
from vision.locate_proposals import clockwise
from vision.locator import BoardLocator, Location
from vision.photo import Photo
from vision.pixels import Pixels

FIRST_SEED = 500_000
"""Far from the seeds of training."""

Groups = Callable[[Scene], dict[str, str]]


@dataclass(frozen=True)
class Found:
    """What became of one picture.

    error: mean and largest error of the grid found, squares; None where none was found or there is no board
    said: "sure", "unsure" or the reason why there is none
    groups: which group of each kind the picture belongs to
    """

    name: str
    error: tuple[float, float] | None
    said: str
    groups: dict[str, str]

    @property
    def located(self) -> bool:
        return self.error is not None and self.error[1] < LOCATED

    @property
    def silent(self) -> bool:
        """A grid reported without a doubt that is none, or not the right one."""
        return self.said == "sure" and not self.located


def found_by(locator: BoardLocator, name: str, photo: Photo, truth: Corners | None, groups: dict[str, str]) -> Found:
    """Looks for the board in one photo; truth: in pixels of the photo as decoded."""
    location: Location = locator.locate(photo)
    if location.corners is None:
        return Found(name, None, str(location.reason), groups)
    said = "unsure" if "grid-unsure" in location.warnings else "sure"
    if truth is None:
        return Found(name, None, said, groups)
    found = location.corners
    return Found(name, min((grid_errors(truth, found.turned(k)) for k in range(4)), key=lambda e: e[1]), said, groups)


def as_photo(name: str, pixels: Pixels) -> Photo:
    height, width = pixels.shape[:2]
    return Photo(name, pixels, width, height)


def whole_range(seed: int) -> SceneParams:
    """A table anywhere in the range: tilt 0 to 60 degrees, squares of 14 to 60 pixels, 0 to 100 tiles."""
    rng = np.random.default_rng(seed)
    filling = random_filling(rng, tiles=int(rng.integers(0, 101)))
    params = sample_params(rng, filling=filling)
    side = float(np.exp(rng.uniform(np.log(14), np.log(60))))
    camera = replace(params.camera, tilt=float(rng.uniform(0, 60)), square_px=side)
    share = side / params.camera.square_px
    sensor = params.sensor
    sensor = replace(
        sensor, defocus=sensor.defocus * min(1.0, share), motion=sensor.motion * min(1.0, share), shrink=1.0
    )
    return replace(params, camera=camera, sensor=sensor)


def _bin(value: float, edges: Sequence[float], unit: str) -> str:
    for low, high in pairwise(edges):
        if value < high or high == edges[-1]:
            return f"{low:g} to {high:g}{unit}"
    raise AssertionError


def groups_of(scene: Scene) -> dict[str, str]:
    """By what a rendered table is counted."""
    camera, tiles = scene.params.camera, sum(char != "." for row in scene.board for char in row)
    hidden = int(scene.covered.sum())
    return {
        "tilt": _bin(camera.tilt, (0, 15, 30, 45, 60), " degrees"),
        "square": _bin(camera.square_px, (14, 20, 30, 45, 60), " px"),
        "tiles": "none" if tiles == 0 else _bin(tiles, (1, 11, 51, 101), ""),
        "hidden": "none" if hidden == 0 else _bin(hidden, (1, 21, 226), " squares"),
    }


def on_tables(locator: BoardLocator, seeds: Iterable[int]) -> Iterator[Found]:
    for seed in seeds:
        scene = render(whole_range(seed))
        yield found_by(locator, str(seed), as_photo(str(seed), scene.pixels), scene.corners, groups_of(scene))


def on_others(locator: BoardLocator, seeds: Iterable[int]) -> Iterator[Found]:
    """Rendered pictures without a board, then all real ones."""
    for seed in seeds:
        yield found_by(locator, str(seed), as_photo(str(seed), render_other(seed)), None, {"kind": "rendered"})
    for name, pixels in real_pictures():
        yield found_by(locator, name, as_photo(name, pixels), None, {"kind": "real"})


def on_photos(locator: BoardLocator, folder: Path) -> Iterator[Found]:
    for name, file in photo_sets(folder).items():
        for sample in photos(file, timed=False):
            truth = sample.corners.scaled(sample.photo.scale)
            yield found_by(locator, Path(sample.photo.name).name, sample.photo, truth, {"set": name})


def stages(net: BoardNet, pixels: Pixels, truth: Corners) -> tuple[float, float, float] | None:
    """Largest error of the first grid after the first look, after the second looks, and after the fit, squares."""

    def error(found: Corners) -> float:
        corners = Corners.of(clockwise(found.array))
        return min(grid_errors(truth, corners.turned(k))[1] for k in range(4))

    rough = rough_grids(net, pixels)
    fitted = candidate(net, pixels, rough[0]) if rough else None
    return None if fitted is None else (error(rough[0].corners), error(fitted.seen.corners), error(fitted.corners))


def stage_table(errors: Sequence[tuple[float, float, float]]) -> str:
    """Markdown: a line a stage."""
    lines = ["| after | median of the largest errors | below 0.25 | below 0.1 |", "|---|---|---|---|"]
    for name, some in zip(("first look", "second looks", "lattice fit"), np.array(errors).T, strict=True):
        near = [f"{(some < limit).mean():.1%}" for limit in (LOCATED, 0.1)]
        lines.append(f"| {name} | {np.median(some):.3f} | {near[0]} | {near[1]} |")
    return "\n".join(lines)


def table(results: Sequence[Found]) -> str:
    """Markdown: a line a group, and all of them."""
    lines = ["| | pictures | located | grid error | wrong, sure | wrong, doubted | not found |", "|---|" + "---|" * 6]
    for kind in {} if not results else results[0].groups:
        names = sorted({one.groups[kind] for one in results}, key=_natural)
        lines += [_row(f"{kind}: {name}", [one for one in results if one.groups[kind] == name]) for name in names]
    return "\n".join([*lines, _row("**all**", results)])


def _natural(name: str) -> tuple[float, str]:
    first = name.split()[0]
    return (float(first) if first.replace(".", "").isdigit() else -1.0), name


def _row(name: str, some: Sequence[Found]) -> str:
    errors = [one.error[0] for one in some if one.error is not None]
    middle = f"{statistics.median(errors):.3f}" if errors else ""
    located, silent = sum(one.located for one in some), sum(one.silent for one in some)
    doubted = sum(one.said == "unsure" and not one.located for one in some)
    missing = sum(one.said not in ("sure", "unsure") for one in some)
    return f"| {name} | {len(some)} | {located} | {middle} | {silent} | {doubted} | {missing} |"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=0)
    parser.add_argument("--others", type=int, default=0)
    parser.add_argument("--photos", type=Path, metavar="FOLDER")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED, help=f"default {FIRST_SEED:,}: not trained on")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--parts", action="store_true", help="also with each part left out")
    parser.add_argument("--classic", action="store_true", help="lines and colours only, no network")
    parser.add_argument("--stages", action="store_true", help="only the grid's error after each step, of the first try")
    parser.add_argument("--worst", action="store_true", help="name the pictures that went wrong")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    net = BoardNet(args.model, threads=1)
    locators: dict[str, BoardLocator] = {"everything": LearnedLocator(net)}
    if args.classic:
        locators = {"classic": ClassicLocator()}
    elif args.parts:
        locators |= {f"without {part}": LearnedLocator(net, parts=PARTS - {part}) for part in sorted(PARTS)}
        locators |= {"classic alone": ClassicLocator()}
    seeds = range(args.first_seed, args.first_seed + 1_000_000)
    if args.stages:
        scenes = (render(whole_range(seed)) for seed in seeds[: args.boards])
        known = [stages(net, scene.pixels, scene.corners) for scene in scenes]
        for file in photo_sets(args.photos).values() if args.photos else ():
            known += [stages(net, s.photo.pixels, s.corners.scaled(s.photo.scale)) for s in photos(file, timed=False)]
        print(stage_table([one for one in known if one is not None]))
        return
    for name, locator in locators.items():
        for what, results in (
            ("rendered tables", list(on_tables(locator, seeds[: args.boards]))),
            ("pictures without a board", list(on_others(locator, seeds[: args.others])) if args.others else []),
            ("photos", list(on_photos(locator, args.photos)) if args.photos else []),
        ):
            if results:
                print(f"{what}, {name}\n\n{table(results)}", end="\n\n", flush=True)
            if args.worst:
                for one in results:
                    right = one.located or (what.startswith("pictures") and one.said not in ("sure", "unsure"))
                    if not right:
                        print(f"  {one.name}: {one.said}, error {one.error} {one.groups}")


if __name__ == "__main__":
    main()
