"""`python -m models.table`: look at what the virtual table makes."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

from models.table import film
from models.table.demo import render_demo
from models.table.editions import EDITIONS, edition
from models.table.scene import NUISANCES, Scene, render, sample_params
from scorer.errors import BrettblickError

SHEET_SIDE = 420


def _truth(scene: Scene, name: str) -> dict[str, object]:
    return {
        "file": name,
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in scene.corners.points],
        "board": list(scene.board),
        "covered": [[int(r), int(c)] for r, c in np.argwhere(scene.covered)],
        "turns": [[int(r), int(c), int(scene.turns[r, c])] for r, c in np.argwhere(scene.turns)],
        "edition": scene.params.edition.name,
    }


def _sheet(scenes: list[Scene]) -> np.ndarray:
    cells = []
    for scene in scenes:
        factor = SHEET_SIDE / max(scene.pixels.shape[:2])
        small = cv2.resize(scene.pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        cell = np.zeros((SHEET_SIDE, SHEET_SIDE, 3), np.uint8)
        cell[: small.shape[0], : small.shape[1]] = small[:SHEET_SIDE, :SHEET_SIDE]
        cells.append(cell)
    columns = int(np.ceil(np.sqrt(len(cells) * 1.5)))
    cells += [np.zeros_like(cells[0])] * (-len(cells) % columns)
    return np.vstack([np.hstack(cells[i : i + columns]) for i in range(0, len(cells), columns)])


def main(arguments: list[str] | None = None) -> int:
    """Writes a scene with its truth, a contact sheet of scenes, or the demo game; `film --help` for films."""
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(prog="python -m models.table", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=0, help="which scene (default 0)")
    parser.add_argument("--out", type=Path, default=Path("scene.jpg"), help="picture to write (default scene.jpg)")
    parser.add_argument("--sheet", type=int, metavar="N", help="a contact sheet of N scenes, from the seed on")
    parser.add_argument("--demo", type=Path, metavar="FOLDER", help="write the photos of the demo game instead")
    parser.add_argument("--edition", choices=[e.name for e in EDITIONS], help="this board instead of any")
    parser.add_argument("--without", default="", metavar="A,B", help=f"leave out, of {', '.join(sorted(NUISANCES))}")
    try:
        if arguments[:1] == ["film"]:
            return film.main(arguments[1:])
        options = parser.parse_args(arguments)
        if options.demo:
            for path in render_demo(options.demo, options.seed):
                print(path)
            return 0
        without = frozenset(name for name in options.without.split(",") if name)
        look = edition(options.edition) if options.edition else None
        scenes = [
            render(sample_params(np.random.default_rng(seed), without, edition=look))
            for seed in range(options.seed, options.seed + (options.sheet or 1))
        ]
        picture = _sheet(scenes) if options.sheet else scenes[0].pixels
        data = cv2.imencode(options.out.suffix or ".jpg", picture)[1]
        options.out.write_bytes(data.tobytes())
        print(options.out)
        if not options.sheet:
            beside = options.out.with_suffix(".json")
            beside.write_text(json.dumps(_truth(scenes[0], options.out.name), ensure_ascii=False, indent=1) + "\n")
            print(beside)
        return 0
    except BrettblickError as error:
        print(f"{error.message}. {error.hint}", file=sys.stderr)
        return error.exit_code
    except (ValueError, OSError, cv2.error) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
