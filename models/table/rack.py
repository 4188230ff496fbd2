"""The tiles left on a rack at the end of a game, as a player photographs them: on a rack, or in a row on the table.

    scene = render_rack(sample_rack(np.random.default_rng(7)))     # scene.pixels, scene.corners, scene.letters

The plane of the board stands for what the tiles lean on: the slope of a rack, or the table. Light, lens, sensor, ground
and looks of the tiles are those of `scene`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.table.camera import MIDDLE, Camera, View
from models.table.items import Easel
from models.table.light import develop, light_map
from models.table.scene import SceneParams, _Laid, _shadows, _tiles, ground_picture, sample_params
from models.table.textures import Colour, hsv
from scorer.tiles import GERMAN_102
from vision.geometry import SIZE, Corners

MOST = 8
"""Tiles of a row; more than seven lie on a rack only by house rules."""


@dataclass(frozen=True)
class Rack:
    """What holds the tiles. Lengths in squares.

    colour: of the rack; beyond: how far it reaches beyond the row, left and right
    back: how far under the upper edge of the tiles its slope ends (negative: above); depth: of the whole rack
    lip: how much of the tiles the ledge in front hides; raised: how far it stands out over their faces
    """

    colour: Colour = (150, 100, 60)
    beyond: tuple[float, float] = (1.0, 3.0)
    back: float = 0.3
    depth: float = 0.9
    lip: float = 0.05
    raised: float = 0.1


@dataclass(frozen=True)
class RackParams:
    """A row of tiles in a picture.

    base: light, sensor, ground and tiles; its board and filling are not drawn
    letters: from left to right, "?" for a blank tile; rack: None for a row on the table
    gaps: after each tile but the last, in squares; shifts: (n, 2) and turns: (n,) of the tiles, in squares and degrees
    """

    base: SceneParams
    letters: str
    rack: Rack | None
    gaps: tuple[float, ...]
    shifts: tuple[tuple[float, float], ...]
    turns: tuple[float, ...]


@dataclass(frozen=True)
class RackScene:
    """A photo with its truth.

    pixels: (h, w, 3) uint8 BGR; letters: as they stand, from left to right
    corners: of the row's visible faces, top left, top right, bottom right, bottom left as the letters stand
    """

    pixels: NDArray[np.uint8]
    corners: Corners
    letters: str
    params: RackParams


def sample_rack(
    rng: np.random.Generator, *, rack: bool | None = None, count: int | None = None, square_px: float | None = None
) -> RackParams:
    """Draws a row of tiles as players photograph it.

    rack: whether the tiles stand on a rack, None: three of five do; count: of the tiles, None: 1 to 8
    square_px: side of a square in the photo, None: 18 to 70 pixels
    The letters are drawn from a German set. Taken from the other side, one in four rows is upside down in the picture.
    """
    u = rng.uniform
    base = sample_params(rng, {"hands", "objects", "foreign", "turned"})
    on_rack = rng.random() < 0.6 if rack is None else rack
    n = int(rng.integers(1, MOST + 1)) if count is None else count
    bag = [kind for kind in (*GERMAN_102.letters, "?") for _ in range(GERMAN_102.count(kind))]
    letters = "".join(rng.permuted(bag)[:n])
    loose = rng.random() < 0.25
    wide = u(0.0, 0.25, n - 1) if loose else np.abs(rng.normal(0, 0.02, n - 1))
    lean = float(rng.choice([abs(rng.normal(0, 8)), u(0, 35), u(35, 50)], p=[0.4, 0.5, 0.1]))
    roll = float(rng.choice([0, 180], p=[0.75, 0.25]) + rng.normal(0, 8))
    side = float(rng.choice([u(18, 30), u(30, 70)], p=[0.2, 0.8])) if square_px is None else square_px
    camera = Camera(
        tilt=lean,
        azimuth=float(rng.choice([90 + rng.normal(0, 25), u(0, 360)], p=[0.7, 0.3])),
        roll=roll,
        distance=float(u(10, 30)),
        square_px=side,
        distortion=base.camera.distortion,
    )
    sensor = replace(
        base.sensor,
        defocus=min(base.sensor.defocus, 0.06 * side),
        motion=min(base.sensor.motion, 0.12 * side),
        shrink=max(base.sensor.shrink, min(1.0, 14 / side)),
    )
    base = replace(base, camera=camera, sensor=sensor, edition=replace(base.edition, aspect=1.0, thickness=0.0))
    unruly = 0.3 if on_rack else 1.0
    return RackParams(
        base,
        letters,
        _sample_holder(rng) if on_rack else None,
        tuple(float(gap) for gap in wide),
        tuple((float(x), float(y)) for x, y in rng.normal(0, (0.0, 0.03 * unruly), (n, 2))),
        tuple(float(turn) for turn in rng.normal(0, 2.5 * unruly, n)),
    )


def _sample_holder(rng: np.random.Generator) -> Rack:
    """A wooden rack, or one of plastic: green most often."""
    u = rng.uniform
    kind = str(rng.choice(["wood", "green", "other"], p=[0.6, 0.25, 0.15]))
    colour = {
        "wood": hsv(u(15, 40), u(0.25, 0.75), u(0.25, 0.9)),
        "green": hsv(u(110, 165), u(0.4, 0.9), u(0.15, 0.55)),
        "other": hsv(u(0, 360), u(0, 0.8), u(0.1, 0.95)),
    }[kind]
    lip = float(rng.choice([0.0, u(0, 0.08), u(0.08, 0.14)], p=[0.3, 0.5, 0.2]))
    return Rack(
        colour=colour,
        beyond=(float(u(0.1, 4)), float(u(0.1, 4))),
        back=float(u(-0.3, 0.6)),
        depth=float(u(0.4, 1.2)),
        lip=lip,
        raised=float(u(0.02, 0.3)),
    )


def render_rack(params: RackParams) -> RackScene:
    """The photo and its truth; the same parameters give the same pixels."""
    base = params.base
    tiles = _row(params)
    left = tiles[0].x - base.style.size / 2
    right = tiles[-1].x + base.style.size / 2
    top, bottom = MIDDLE - base.style.size / 2, MIDDLE + base.style.size / 2
    if params.rack:
        bottom -= params.rack.lip
    faces = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    view = _framed(base, faces)
    base = replace(base, camera=view.camera)
    ground = -params.rack.depth if params.rack else 0.0
    picture = ground_picture(base.ground, view, ground)
    easel = Easel(
        picture, view, base.light.towards, base.light.elevation, base.light.softness, 0.75 * base.light.shadow
    )
    if params.rack:
        held = params.rack
        low, high = left - held.beyond[0], right + held.beyond[1]
        easel.slab(_box(low, top + held.back, high, bottom + 0.4), 0.0, held.colour, ground)
        _shadows(picture, base, view, tiles)
        _tiles(picture, base, view, tiles)
        easel.slab(_box(low, bottom, high, bottom + 0.45), base.style.thickness + held.raised, held.colour, 0.0)
    else:
        _shadows(picture, base, view, tiles)
        _tiles(picture, base, view, tiles)
    field, shine = light_map(base.light, view, base.seed + 1)
    corners = view.project(faces, base.style.thickness)
    if base.camera.distortion:
        picture, field = view.bend(picture), view.bend(field)
        shine = None if shine is None else view.bend(shine)
        corners = view.distort(corners)
    pixels = develop(picture, field, shine, base.light, base.sensor, base.seed + 2 + base.number)
    return RackScene(pixels, Corners.of(corners), params.letters, params)


def _row(params: RackParams) -> list[_Laid]:
    """The tiles side by side, in the middle of the plane."""
    size, n = params.base.style.size, len(params.letters)
    starts = np.concatenate([[0.0], np.cumsum(size + np.array(params.gaps))])
    starts += MIDDLE - (starts[-1] + size) / 2
    second = params.base.second
    mixed = np.random.default_rng(params.base.seed + 5).random(n) < params.base.second_share
    return [
        _Laid(
            letter,
            float(start + size / 2 + dx),
            float(MIDDLE + dy),
            turn,
            replace(second, size=size, thickness=params.base.style.thickness)
            if second and other
            else params.base.style,
        )
        for letter, start, (dx, dy), turn, other in zip(
            params.letters, starts, params.shifts, params.turns, mixed, strict=True
        )
    ]


def _framed(base: SceneParams, faces: NDArray[np.float64]) -> View:
    """The camera with its picture cut to the row and some of its surroundings."""
    rng = np.random.default_rng(base.seed + 4)
    whole = View(replace(base.camera, margins=(0.0, 0.0, 0.0, 0.0)))
    grid = whole.project(np.array([(0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE)], float))
    seen = whole.project(faces)
    span = float((grid.max(axis=0) - grid.min(axis=0)).max())
    around = rng.uniform(0.6, 2.5, (2, 2)) * base.camera.square_px
    low, high = seen.min(axis=0) - around[0], seen.max(axis=0) + around[1]
    margins = np.concatenate([grid.min(axis=0) - low, high - grid.max(axis=0)]) / span
    return View(replace(base.camera, margins=tuple(float(m) for m in margins)))


def _box(left: float, top: float, right: float, bottom: float) -> NDArray[np.float64]:
    """(4, 2) world points of an upright rectangle given in grid units."""
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) - MIDDLE
