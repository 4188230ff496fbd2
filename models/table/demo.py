"""A short German game as photos on a table: for the demo, for tests, and to try the assistant without a board.

Two players, twelve photos, one after each turn. Among them are the empty board, a bingo, a blank on a premium
square, words with umlauts, a pass, and a misspelt word that is challenged and taken back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.table.camera import Camera, View
from models.table.editions import edition
from models.table.fillings import EMPTY, Filling
from models.table.ground import Ground
from models.table.items import Thing
from models.table.light import Light, Sensor
from models.table.scene import SceneParams, render
from models.table.tiles import german_style

PLAYERS = ("Anna", "Bernd")
SIZE_PX = (1600, 1200)
"""Width and height of the photos."""


@dataclass(frozen=True)
class Turn:
    """One photo and what the assistant should make of it.

    kind: start, place, withdrawn or none, as in the command-line contract; player: None where nobody's turn it is
    word: the main word; at: row and column of its first square; across or down
    tiles: what is new, (row, col, tile), a lower-case letter is a blank
    """

    photo: str
    kind: str
    player: str | None = None
    word: str = ""
    at: tuple[int, int] | None = None
    across: bool = True
    tiles: tuple[tuple[int, int, str], ...] = ()


def _place(photo: str, player: str, word: str, row: int, col: int, across: bool, new: str) -> Turn:
    """`new` has a dot for every letter that lies there already."""
    squares = [(row, col + i) if across else (row + i, col) for i in range(len(word))]
    tiles = tuple((r, c, letter) for (r, c), letter in zip(squares, new, strict=True) if letter != ".")
    return Turn(photo, "place", player, word, (row, col), across, tiles)


_A, _B = PLAYERS
TURNS: tuple[Turn, ...] = (
    Turn("00.jpg", "start"),
    _place("01.jpg", _A, "HÜTTE", 7, 5, True, "HÜTTE"),
    _place("02.jpg", _B, "FREUNDIN", 5, 9, False, "FR.UNDIN"),  # all seven tiles
    _place("03.jpg", _A, "SONNE", 12, 6, True, "SON.E"),
    _place("04.jpg", _B, "BADEN", 10, 7, True, "BA.eN"),  # the blank lies on a double word square
    _place("05.jpg", _A, "FOGEL", 5, 9, True, ".OGEL"),  # no word: challenged
    Turn("06.jpg", "withdrawn"),
    _place("07.jpg", _B, "SCHAF", 5, 5, False, "SC.AF"),
    Turn("08.jpg", "none", _A),
    _place("09.jpg", _B, "PREIS", 5, 1, True, "PREI."),
    _place("10.jpg", _A, "KÖRPER", 2, 1, False, "KÖR.ER"),
    _place("11.jpg", _B, "ZWANG", 7, 11, False, "ZWA.G"),
)
INVALID = frozenset({"FOGEL"})
"""Words of the game that no German list holds."""


def boards(blanks_known: bool = False) -> list[Filling]:
    """The position on each photo: a blank is '?', or its lower-case letter if `blanks_known`."""
    cells = [list(row) for row in EMPTY]
    last: tuple[tuple[int, int, str], ...] = ()
    positions = []
    for turn in TURNS:
        if turn.kind == "withdrawn":
            for row, col, _ in last:
                cells[row][col] = "."
        for row, col, tile in turn.tiles:
            cells[row][col] = tile if blanks_known or tile.isupper() else "?"
        last = turn.tiles or last
        positions.append(tuple("".join(row) for row in cells))
    return positions


def demo_params(seed: int = 1) -> list[SceneParams]:
    """The scenes of the twelve photos: same board, table and lamp, each held in the hand a little differently."""
    rng = np.random.default_rng(seed)
    look = edition("german-modern")
    things = (
        Thing("rack", (6.4, 17.9), 90.0, 1.0, (92, 58, 36), int(rng.integers(1 << 30))),
        Thing("rack", (8.6, -2.4), 270.0, 1.0, (92, 58, 36), int(rng.integers(1 << 30))),
        Thing("sheet", (21.6, 9.0), 4.0, 0.85, (246, 244, 236), int(rng.integers(1 << 30))),
        Thing("pen", (20.6, 3.4), 64.0, 0.9, (38, 60, 130), int(rng.integers(1 << 30))),
        Thing("bag", (-5.6, 3.0), 0.0, 0.8, (52, 96, 70), int(rng.integers(1 << 30))),
    )
    ground = Ground("wood", (166, 116, 76), (96, 60, 36), seed=seed + 5, turn=2.0)
    base = SceneParams(
        seed=seed,
        edition=look,
        style=german_style(),
        ground=ground,
        shift=0.025,
        turn=1.6,
        stray=0.02,
        things=things,
    )
    scenes = []
    for number, position in enumerate(boards()):
        camera = Camera(
            tilt=float(rng.uniform(8, 24)),
            azimuth=float(90 + rng.normal(0, 18)),
            roll=float(rng.normal(0, 3)),
            distance=float(rng.uniform(27, 33)),
            square_px=float(rng.uniform(53, 58)),
        )
        light = Light(
            azimuth=-125 + float(rng.normal(0, 4)),
            elevation=48,
            softness=0.12,
            shadow=0.45,
            contact=0.35,
            falloff=0.22,
            lamp_at=(-6, -7),
            patches=(("edge", 25.0, 9.0, 3.0, 0.25),),
            gains=(1.06, 1.0, 0.92),
            exposure=float(np.exp(rng.normal(0.12, 0.06))),
            saturation=1.05,
        )
        sensor = Sensor(defocus=0.7, shot=0.012, read=0.003, smooth=0.5, sharpen=0.5, quality=0)
        scenes.append(
            replace(
                base,
                # tiles that lie stay as they lie: the seed of the game is the seed of every photo
                seed=seed,
                filling=position,
                camera=framed(camera, look.aspect, *SIZE_PX),
                light=light,
                sensor=replace(sensor, motion=0.0 if number % 4 else 1.2),
            )
        )
    return scenes


def framed(camera: Camera, aspect: float, width: int, height: int) -> Camera:
    """The camera with margins that make a picture of this size, the grid in its middle."""
    bare = View(replace(camera, margins=(0.0, 0.0, 0.0, 0.0)), aspect)
    corners = bare.project(np.array([(0, 0), (15, 0), (15, 15), (0, 15)], float))
    across, down = corners.max(axis=0) - corners.min(axis=0)
    span = max(across, down)
    side, over = (width - across - 1e-6) / 2 / span, (height - down - 1e-6) / 2 / span
    return replace(camera, margins=(side, over, side, over))


def render_demo(folder: str | Path, seed: int = 1) -> list[Path]:
    """Writes the photos (JPEG) and `truth.json` into the folder, which is made; gives the photos in order."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files, truth = [], []
    for turn, params in zip(TURNS, demo_params(seed), strict=True):
        scene = render(params)
        path = folder / turn.photo
        path.write_bytes(cv2.imencode(".jpg", scene.pixels, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
        files.append(path)
        truth.append(
            {
                "photo": turn.photo,
                "kind": turn.kind,
                "player": turn.player,
                "word": turn.word,
                "tiles": [list(tile) for tile in turn.tiles],
                "corners_px": [[round(x, 2), round(y, 2)] for x, y in scene.corners.points],
                "board": list(scene.board),
            }
        )
    (folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return files
