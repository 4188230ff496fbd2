"""A flat picture on a table, on a wall or as a floor, or a room, seen and lit like the boards are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.camera import Camera, View
from models.table.items import Easel, Pod, Thing, draw_hand, draw_thing, random_thing
from models.table.light import Light, develop, light_map
from models.table.others import boards, surfaces
from models.table.others.canvas import Canvas, any_colour, wooden
from models.table.others.rooms import room
from models.table.scene import SceneParams, ground_picture, sample_params, tiles_without_board
from models.table.textures import shade
from vision.geometry import GRID, SIZE

Draw = Callable[[np.random.Generator, int], Canvas]


@dataclass(frozen=True)
class _Kind:
    """draw: the flat picture, None where the photo is made otherwise
    lies: it lies on a table; without, it covers the whole picture. thickness: the most it may have, in squares
    pieces: what stands on it, "" for nothing
    """

    draw: Draw | None = None
    lies: bool = True
    thickness: float = 0.05
    pieces: str = ""


def _go(rng: np.random.Generator, pixels: int) -> Canvas:
    return boards.go(rng, pixels, int(rng.choice([18, 12, 8])))


_KINDS = {
    "chess": _Kind(partial(boards.checkers, squares=8), thickness=1.0, pieces="chess"),
    "draughts": _Kind(partial(boards.checkers, squares=10), thickness=1.0, pieces="draughts"),
    "go": _Kind(_go, thickness=1.5, pieces="stones"),
    "gomoku": _Kind(boards.gomoku, thickness=0.3),
    "word-game": _Kind(boards.word_game, thickness=0.4),
    "sudoku": _Kind(boards.sudoku),
    "crossword": _Kind(boards.crossword),
    "ludo": _Kind(boards.ludo, thickness=0.3, pieces="pawns"),
    "morris": _Kind(boards.morris, thickness=0.3, pieces="pawns"),
    "backgammon": _Kind(boards.backgammon, thickness=0.8, pieces="discs"),
    "keyboard": _Kind(surfaces.keyboard, thickness=0.8),
    "spreadsheet": _Kind(surfaces.spreadsheet),
    "calendar": _Kind(surfaces.calendar),
    "text-page": _Kind(surfaces.text_page, thickness=0.3),
    "egg-box": _Kind(surfaces.egg_box, thickness=1.5),
    "circuit": _Kind(surfaces.circuit, thickness=0.2),
    "floor": _Kind(surfaces.floor, lies=False),
    "bricks": _Kind(surfaces.bricks, lies=False),
    "windows": _Kind(surfaces.windows, lies=False),
    "bookshelf": _Kind(surfaces.bookshelf, lies=False),
    "cloth": _Kind(surfaces.cloth, lies=False),
    "photos": _Kind(surfaces.photos, lies=False),
    "mosaic": _Kind(surfaces.mosaic, lies=False),
    "room": _Kind(),
    "table": _Kind(),
    "tiles": _Kind(),
}

KINDS = tuple(_KINDS)
"""What can be drawn. "word-game": 15 x 15 squares with premiums on other places than the standard ones; "gomoku": a
bare 15 x 15 grid; "table": things but no board; "tiles": letter tiles, racks and things but no board."""


def render_other(seed: int, kind: str | None = None, side: int = 640) -> NDArray[np.uint8]:
    """(h, w, 3) BGR photo without a board, the longer side `side` pixels; the same for the same arguments.

    kind: one of KINDS, drawn by the seed if None; raises ValueError for any other.
    """
    rng = np.random.default_rng((seed, 8))
    drawn = KINDS[int(rng.integers(len(KINDS)))]
    name = drawn if kind is None else kind
    if name not in _KINDS:
        raise ValueError(f"unknown kind {name!r}; known: {', '.join(KINDS)}")
    what = _KINDS[name]
    shorter = round(side / float(rng.choice([4 / 3, 16 / 9, 3 / 2, 1.0], p=[0.6, 0.25, 0.1, 0.05])))
    width, height = (side, shorter) if rng.random() < 0.5 else (shorter, side)
    share = float(rng.choice([rng.uniform(0.4, 0.95), rng.uniform(0.9, 1.4)], p=[0.75, 0.25]))
    square = share * min(width, height) / SIZE
    params = sample_params(rng, square_px=(square, square), max_tilt=40)
    camera = _aimed(params.camera, width, height, rng)
    params = replace(params, camera=camera, sensor=replace(params.sensor, shrink=max(params.sensor.shrink, 0.6)))
    view = View(camera)
    if name == "room":
        picture = room(rng, *view.size)
    elif name == "tiles":
        picture = tiles_without_board(_with_tiles(params, rng), view)
    elif what.draw is None:
        things = tuple(_moved(random_thing(rng), rng) for _ in range(int(rng.integers(1, 7))))
        picture = ground_picture(params.ground, view, 0.0)
        _finish(picture, view, replace(params, things=things), 0.0)
    else:
        pixels = int(np.clip(1.15 * square * SIZE, 120, 900))
        flat = what.draw(rng, pixels if what.lies else int(1.3 * max(width, height)))
        picture = _lying(flat, what, params, view, rng) if what.lies else _covering(flat, view, rng)
        _finish(picture, view, params, 0.0 if not what.lies else -0.02)
    field, shine = light_map(params.light, view, params.seed + 1)
    if camera.distortion:
        picture, field = view.bend(picture), view.bend(field)
        shine = None if shine is None else view.bend(shine)
    photo = develop(picture, field, shine, params.light, params.sensor, params.seed + 2)
    return photo if photo.shape[:2] == (height, width) else cv2.resize(photo, (width, height))


def _aimed(camera: Camera, width: int, height: int, rng: np.random.Generator) -> Camera:
    """Margins for a picture of this size, the middle of the grid not quite in its middle."""
    bare = View(replace(camera, margins=(0.0, 0.0, 0.0, 0.0)))
    corners = bare.project(GRID)
    across, down = corners.max(axis=0) - corners.min(axis=0)
    span = max(across, down)
    free = np.array([width - across, height - down]) - 1e-6
    first = free * np.clip(0.5 + rng.normal(0, 0.15, 2), 0, 1)
    second = free - first
    margins = np.array([*first, *second]) / span
    return replace(camera, margins=tuple(float(m) for m in margins))


def _to_world(flat: Canvas, width: float, height: float) -> NDArray[np.float64]:
    """3x3, pixels of a flat picture to the world, its middle in the origin."""
    rows, columns = flat.pixels.shape[:2]
    kx, ky = width / columns, height / rows
    return np.array([[kx, 0, (0.5 * kx) - width / 2], [0, ky, (0.5 * ky) - height / 2], [0, 0, 1]])


def _covering(flat: Canvas, view: View, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A floor or wall: as large as the picture shows, mirrored at its ends."""
    reach = max(view.size) / view.camera.square_px * rng.uniform(0.9, 1.6)
    scale = reach / max(flat.width, flat.height)
    matrix = view.world_plane() @ _to_world(flat, flat.width * scale, flat.height * scale)
    return cv2.warpPerspective(flat.pixels, matrix, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def _lying(flat: Canvas, what: _Kind, params: SceneParams, view: View, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The flat thing on the ground, as long as a board is, its pieces on it."""
    thickness = float(what.thickness * rng.uniform(0.2, 1))
    picture = ground_picture(params.ground, view, -thickness)
    scale = SIZE / max(flat.width, flat.height)
    half = np.array([flat.width, flat.height]) * scale / 2
    outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    light = params.light
    easel = Easel(picture, view, light.towards, light.elevation, light.softness, 0.25 + 0.6 * light.shadow)
    _shadow(picture, view, outline, thickness, params.light)
    hull = cv2.convexHull(
        np.concatenate([easel.project(outline, 0.0), easel.project(outline, -thickness)]).astype(np.float32)
    )
    mean = flat.pixels.reshape(-1, 3).mean(axis=0)
    cv2.fillConvexPoly(picture, np.round(hull * 16).astype(np.int32), (0.6 * mean).tolist(), cv2.LINE_AA, 4)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(easel.project(outline, 0.0) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    matrix = view.world_plane() @ _to_world(flat, *(2 * half))
    seen = cv2.warpPerspective(flat.pixels, matrix, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cv2.copyTo(seen, mask, picture)
    if what.pieces and rng.random() < 0.8:
        _pieces(easel, what.pieces, flat, scale, rng)
    return picture


def _shadow(
    picture: NDArray[np.uint8], view: View, outline: NDArray[np.float64], thickness: float, light: Light
) -> None:
    """What a slab (`outline` in the world, its top in the plane 0) takes from the light on the ground under it."""
    moved = outline - np.array(light.towards) * thickness / np.tan(np.radians(light.elevation))
    both = np.concatenate([outline, moved, outline * 1.005])[:, None].astype(np.float64)
    seen = cv2.perspectiveTransform(both, view.world_plane(-thickness))
    small = np.zeros((picture.shape[0] // 4 + 1, picture.shape[1] // 4 + 1), np.uint8)
    hull = cv2.convexHull((seen / 4).astype(np.float32))
    cv2.fillConvexPoly(small, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    small = cv2.GaussianBlur(small, (0, 0), max(0.6, (0.1 + light.softness) * view.camera.square_px / 4))
    dark = cv2.resize(small, (small.shape[1] * 4, small.shape[0] * 4))[: picture.shape[0], : picture.shape[1]]
    factor = (255 - dark * np.float32(0.25 + 0.5 * light.shadow)).astype(np.uint8)
    cv2.multiply(picture, cv2.merge([factor] * 3), picture, 1 / 255)


_FIGURE = ((0.2, 0.75), (0.4, 0.5), (0.7, 0.4), (0.9, 0.6), (1.0, 0.3))
"""Height and width of a chessman or pawn, as shares of its own."""


def _pieces(easel: Easel, kind: str, flat: Canvas, scale: float, rng: np.random.Generator) -> None:
    """Men on their places; `scale`: squares of the world per unit of the flat picture."""
    size = np.array([flat.width, flat.height])
    colours = [wooden(rng), shade(wooden(rng), 0.4)] if rng.random() < 0.6 else [any_colour(rng), any_colour(rng)]
    if kind == "stones":  # of glass or slate and shell
        colours = [(28, 28, 30), (238, 236, 228)]
    if kind in ("chess", "draughts"):
        count = 8 if kind == "chess" else 10
        frame = (size[0] - count) / 2
        places = frame + 0.5 + np.argwhere(rng.random((count, count)) < rng.uniform(0.05, 0.45))
        radius, height = 0.36, 0.2 if kind == "draughts" else 0.0
    elif kind == "stones":
        lines = round(size[0] - 1.7) + 1  # see `boards.go`: a margin of 0.62 to 1.08 on each side
        margin = (size[0] - lines + 1) / 2
        places = (margin + np.argwhere(rng.random((lines, lines)) < rng.uniform(0.02, 0.4))) * (1, 1.03)
        radius, height = 0.46, 0.3
    else:
        places = rng.uniform(0.08, 0.92, (int(rng.integers(3, 16)), 2)) * size
        radius, height = 0.35, 0.25
    for x, y in places:
        colour = colours[int(rng.integers(2))]
        at = (np.array([x, y]) + 0.04 * rng.normal(size=2) - size / 2) * scale
        r = radius * scale * 0.95
        pods = [Pod(at, at + 0.01, r, r, 0.1), Pod(at, at + 0.01, r, r, max(0.15, height * scale))]
        if height == 0.0 or kind == "pawns":
            tall = scale * rng.uniform(0.8, 1.7)
            pods = [Pod(at, at + 0.01, r, r, 0.1)]
            pods += [Pod(at, at + 0.01, r * width, r * width, tall * at_height) for at_height, width in _FIGURE]
        easel.cast(pods)
        easel.paint(pods, colour, rng, rough=0.02, roundness=0.45)


def _moved(thing: Thing, rng: np.random.Generator) -> Thing:
    x, y = rng.uniform(0, SIZE, 2)
    return replace(thing, at=(float(x), float(y)))


def _with_tiles(params: SceneParams, rng: np.random.Generator) -> SceneParams:
    """Words laid without a board, or tiles scattered about; racks beside them."""
    params = replace(params, shift=float(rng.uniform(0.03, 0.12)), turn=float(rng.uniform(2, 6)))
    if rng.random() < 0.35:
        params = replace(params, shift=0.25, askew=0.8, off=0.4, turned=0.6)
    things = [random_thing(rng) for _ in range(int(rng.integers(1, 4)))]
    racks = [replace(_moved(t, rng), kind="rack") if rng.random() < 0.5 else replace(t, kind="loose") for t in things]
    return replace(params, things=tuple(racks))


def _finish(picture: NDArray[np.uint8], view: View, params: SceneParams, ground: float) -> None:
    """Things and hands over it."""
    light = params.light
    easel = Easel(picture, view, light.towards, light.elevation, light.softness, 0.75 * light.shadow)
    for thing in params.things:
        if thing.kind not in ("rack", "loose"):
            draw_thing(easel, thing, ground)
    for hand in params.hands:
        draw_hand(easel, hand)
