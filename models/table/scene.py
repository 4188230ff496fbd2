"""A whole scene: from parameters to a photo with its truth.

    params = sample_params(np.random.default_rng(7))
    scene = render(params)          # scene.pixels, scene.corners, scene.board, scene.covered

Everything random follows from `params` (its seed included): the same parameters give the same pixels on the same
machine. Parameters and scenes can be pickled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table import fonts
from models.table.camera import Camera, View
from models.table.editions import Edition, draw_board, frame_shade, hung, known_edition, random_edition
from models.table.editions import edition as edition_named
from models.table.fillings import EMPTY, Filling, random_filling, with_foreign
from models.table.fonts import LETTERS
from models.table.ground import SPAN, Ground, ground_texture, random_ground
from models.table.items import Easel, Hand, Pod, Thing, draw_hand, draw_thing, random_hand, random_thing
from models.table.light import Light, Sensor, develop, light_map
from models.table.textures import SIDE, bgr, luminance
from models.table.tiles import TileStyle, draw_tile, handmade_style, random_style, side_colour, typical_style
from vision.geometry import GRID, SIZE, Corners

NUISANCES = frozenset(
    {
        *("hands", "glare", "thickness", "shadow", "cast", "blur", "noise", "objects"),
        *("turned", "foreign", "fonts", "editions"),
    }
)
"""Names for `sample_params(without=...)`: hands over the board; shiny spots; height of tiles; shadows of tiles and
shadow edges; colour cast and exposure; blur; noise and JPEG; things lying around; tiles that lie turned, askew or off
their square; prints outside the German set; more than three typefaces; boards other than German and US ones."""

PLAIN_FACES = ("Montserrat 600", "Liberation Sans 700", "Jost 500")
PLAIN_EDITIONS = ("german-green-print", "german-classic", "german-modern", "us-classic-grey", "us-cream")
"""What is left without "fonts" and without "editions"."""


@dataclass(frozen=True)
class SceneParams:
    """All there is to say about a scene.

    shift: deviation of tiles from the middle of their squares, in squares; turn: in degrees
    stray: share of tiles that lie three to six times as badly; turned: share that lies a quarter or half turn round
    second: another set of tiles, mixed in; second_share: how many of the tiles are of it
    askew: share that lies at an odd angle, 20 to 60 degrees; off: share that lies a third of a square off its place
    pushed: tiles out of place in this photo only: (row, col), right and down in squares, turn in degrees
    number: of the photo, where one scene is taken several times: each has its own noise
    """

    seed: int
    edition: Edition
    style: TileStyle
    filling: Filling = EMPTY
    camera: Camera = Camera()  # noqa: RUF009 - frozen
    light: Light = Light()  # noqa: RUF009
    sensor: Sensor = Sensor()  # noqa: RUF009
    ground: Ground = Ground()  # noqa: RUF009
    shift: float = 0.03
    turn: float = 2.0
    stray: float = 0.02
    turned: float = 0.0
    askew: float = 0.0
    off: float = 0.0
    hands: tuple[Hand, ...] = ()
    things: tuple[Thing, ...] = ()
    second: TileStyle | None = None
    second_share: float = 0.0
    pushed: tuple[tuple[tuple[int, int], tuple[float, float, float]], ...] = ()
    number: int = 0


@dataclass(frozen=True)
class Scene:
    """A photo with its truth.

    pixels: (h, w, 3) uint8 BGR; corners: outer corners of the grid in these pixels, reading order
    board: 15 strings, whatever covers it: '.' empty, '?' blank tile, A-Z, Ä, Ö, Ü; any other character is a tile with
    another print (a foreign letter itself, '#' for two letters, a number or a sign; see `fillings`)
    covered: (15, 15) bool, squares hidden by a hand or a thing by more than about a third, or burnt out by a lamp
    turns: (15, 15) int, how many quarter turns counter-clockwise (numpy.rot90 of the picture of the square) make the
    tile upright; 0 for upright ones, blanks and empty squares. A tile at an odd angle counts as the nearest quarter.
    A tile that lies off its square counts for the square that holds its middle.
    """

    pixels: NDArray[np.uint8]
    corners: Corners
    board: tuple[str, ...]
    covered: NDArray[np.bool_]
    params: SceneParams
    turns: NDArray[np.int64]


def sample_params(
    rng: np.random.Generator,
    without: frozenset[str] | set[str] = frozenset(),
    *,
    filling: Filling | None = None,
    edition: Edition | None = None,
    style: TileStyle | None = None,
    square_px: tuple[float, float] | None = None,
    max_tilt: float = 35.0,
) -> SceneParams:
    """Draws a scene as a reader may meet it.

    without: names of NUISANCES to leave out; the rest is drawn as it would be with them
    filling, edition, style: fixed instead of drawn; square_px: range of the square's side in the photo, in pixels
    max_tilt: degrees; nine of ten photos stay below it, few go beyond by half as much again
    """
    unknown = set(without) - NUISANCES
    if unknown:
        raise ValueError(f"unknown nuisances: {', '.join(sorted(unknown))}")
    drawn_edition = random_edition(rng) if rng.random() < 0.5 else known_edition(rng)
    wall, mirror, framed_edition = rng.random() < 0.08, _sample_mirror(rng), hung(rng, drawn_edition)
    if wall:
        drawn_edition = framed_edition
    params = SceneParams(
        seed=int(rng.integers(1 << 31)),
        edition=drawn_edition,
        style=_sample_style(rng, drawn_edition),
        filling=random_filling(rng),
        camera=_sample_camera(rng, square_px, max_tilt),
        light=_sample_light(rng),
        sensor=_sample_sensor(rng),
        ground=random_ground(rng),
        shift=float(abs(rng.normal(0.035, 0.02))),
        turn=float(abs(rng.normal(2.5, 1.5))),
        stray=float(rng.choice([0, 0.03, 0.15], p=[0.45, 0.45, 0.1])),
        turned=float(rng.choice([0, rng.uniform(0.01, 0.08), rng.uniform(0.08, 0.45)], p=[0.85, 0.12, 0.03])),
        askew=float(rng.choice([0, rng.uniform(0.01, 0.06)], p=[0.9, 0.1])),
        off=float(rng.choice([0, rng.uniform(0.01, 0.06)], p=[0.88, 0.12])),
    )
    second, second_share = _sample_style(rng, drawn_edition), float(rng.uniform(0.1, 0.5))
    if rng.random() < 0.08:
        size = float(np.clip(params.style.size + rng.normal(0, 0.015), 0.86, 1.0))
        params = replace(params, second=replace(second, size=size), second_share=second_share)
    if wall or rng.random() < 0.04:
        params = replace(params, light=replace(params.light, mirror=mirror))
    handmade = handmade_style(rng)
    if rng.random() < 0.065:
        params = replace(params, style=handmade)
    if params.style.digits == "none":  # nobody tells a turned N from a Z, an M from a W
        params = replace(params, turned=0.0)
    foreign = with_foreign(rng, params.filling)
    if rng.random() < 0.08 and "foreign" not in without:
        params = replace(params, filling=foreign)
    hands = tuple(random_hand(rng) for _ in range(int(rng.choice(3, p=[0.82, 0.15, 0.03]))))
    things = tuple(random_thing(rng) for _ in range(int(rng.choice(5, p=[0.5, 0.2, 0.15, 0.1, 0.05]))))
    if things:  # show more of what lies around
        wider = tuple(max(m, float(v)) for m, v in zip(params.camera.margins, rng.uniform(0.02, 0.3, 4), strict=True))
        params = replace(params, camera=replace(params.camera, margins=wider))
    params = replace(params, hands=hands, things=things)
    small, tiny = rng.random() < 0.2, float(rng.uniform(11, 18))
    if small and square_px is None and params.style.grain:  # small pictures of wall art
        params = replace(params, camera=replace(params.camera, square_px=tiny))
    sensor = params.sensor
    sensor = replace(sensor, shrink=max(sensor.shrink, min(1.0, 12 / params.camera.square_px)))
    side = params.camera.square_px * sensor.shrink
    most = 0.055 if sensor.defocus < 2.5 or side < 25 else 0.085  # beyond, nobody could read the letters
    coarse = float(np.interp(side, (11, 25), (0.5, 1.0)))  # where pixels are few, they are blur enough
    sensor = replace(
        sensor,
        defocus=min(sensor.defocus, coarse * most * side),
        motion=min(sensor.motion, coarse * 0.14 * side),
    )
    params = replace(
        params,
        sensor=sensor,
        filling=filling or params.filling,
        edition=edition or params.edition,
        style=style or params.style,
    )
    return _without(params, frozenset(without))


def _sample_style(rng: np.random.Generator, look: Edition) -> TileStyle:
    """Often the tiles that come with such a board, often any, sometimes as hard to see on it as can be."""
    country = {"us": "american", "wo": "american", "fr": "french"}.get(look.name[:2], "german")
    style = typical_style(rng, country) if rng.random() < 0.35 else random_style(rng)
    if rng.random() < 0.15:  # of the colour of the board
        ground = (look.plain, *look.premium)[int(rng.choice(5, p=[0.6, 0.1, 0.1, 0.1, 0.1]))]
        near = rng.choice([0.3, 1.0])
        factor, tint = 1 + near * rng.uniform(-0.12, 0.12), near * rng.normal(0, 6, 3)
        body = tuple(int(c) for c in np.clip(np.array(ground) * factor + tint, 0, 255))
        style = replace(style, body=body, ink_colour=(18, 18, 18) if luminance(body) > 105 else (240, 238, 230))
    return style


def _without(params: SceneParams, names: frozenset[str]) -> SceneParams:
    light, sensor = params.light, params.sensor
    if "hands" in names:
        params = replace(params, hands=())
    if "objects" in names:
        params = replace(params, things=())
    if "shadow" in names:
        light = replace(light, shadow=0.0, patches=())
    if "glare" in names:
        light = replace(light, glare=(), mirror=())
    if "cast" in names:
        light = replace(light, gains=(1.0, 1.0, 1.0), exposure=1.0, gamma=1.0, saturation=1.0, fade=(0.0, 0.0, 0.0))
    if "blur" in names:
        sensor = replace(sensor, defocus=0.3, motion=0.0, shrink=1.0)
    if "noise" in names:
        sensor = replace(sensor, shot=0.0, read=0.0, quality=95)
    style, second = params.style, params.second
    if "thickness" in names:
        style, second = replace(style, thickness=0.0), second and replace(second, thickness=0.0)
    if "turned" in names:
        params = replace(params, turned=0.0, askew=0.0, off=0.0)
    if "fonts" in names:
        face = _plain_face(params.seed)
        style = replace(style, face=face, digit_face="", hand=0)
        second = second and replace(second, face=face, digit_face="", hand=0)
    if "editions" in names:
        params = replace(params, edition=_plain_edition(params.seed))
    return replace(params, light=light, sensor=sensor, style=style, second=second)


def _plain_face(seed: int) -> str:
    held = {face.name for face in fonts.find_faces()}
    names = [name for name in PLAIN_FACES if name in held] or [fonts.preferred_face().name]
    return names[seed % len(names)]


def _plain_edition(seed: int) -> Edition:
    return edition_named(PLAIN_EDITIONS[seed % len(PLAIN_EDITIONS)])


def _sample_camera(rng: np.random.Generator, square_px: tuple[float, float] | None, max_tilt: float) -> Camera:
    u = rng.uniform
    tilt = float(
        rng.choice(
            [abs(rng.normal(0, 4)), u(0, max_tilt), u(0.6, 1) * max_tilt, u(1, 1.5) * max_tilt],
            p=[0.35, 0.42, 0.16, 0.07],
        )
    )
    roll = float(
        rng.choice([rng.normal(0, 3), 90 * rng.integers(4) + rng.normal(0, 4), u(0, 360)], p=[0.35, 0.2, 0.45])
    )
    if square_px is None:
        side = float(rng.choice([u(14, 25), u(25, 50), u(50, 60)], p=[0.16, 0.7, 0.14]))
    else:
        side = float(u(*square_px))
    distance = float(rng.choice([u(18, 28), u(28, 45), u(45, 80)], p=[0.4, 0.45, 0.15]))
    margins = np.where(rng.random(4) < 0.6, u(0.015, 0.1, 4), u(0.05, 0.3, 4))
    distortion = float(rng.normal(0, 0.012)) if rng.random() < 0.25 else 0.0
    return Camera(tilt, float(u(0, 360)), roll, distance, side, tuple(float(m) for m in margins), distortion)


def _sample_light(rng: np.random.Generator) -> Light:
    u = rng.uniform
    patches = []
    for _ in range(int(rng.choice([0, 1, 2], p=[0.62, 0.28, 0.1]))):
        kind = str(rng.choice(["edge", "band", "window", "blots"], p=[0.5, 0.2, 0.15, 0.15]))
        softness = float(rng.choice([u(0.05, 0.5), u(0.5, 4)]))
        patches.append((kind, float(u(0, 360)), float(u(-6, 6)), softness, float(u(0.2, 0.75))))
    glare = []
    if rng.random() < 0.22:
        for _ in range(int(rng.integers(1, 4))):
            length = float(u(0.8, 6))
            glare.append(
                (
                    float(u(0, 15)),
                    float(u(0, 15)),
                    length,
                    float(length * u(0.2, 1)),
                    float(u(0, 180)),
                    float(rng.choice([u(0.05, 0.3), u(0.3, 1.0)], p=[0.75, 0.25])),
                )
            )
    warm = rng.normal(0, 0.12) if rng.random() < 0.7 else rng.normal(0, 0.35)
    green = rng.normal(0, 0.05)
    gains = np.clip(np.exp([warm, green, -warm]), 0.35, 2.0)
    gains = gains / gains.mean()
    exposure = float(np.exp(rng.choice([rng.normal(0.1, 0.25), rng.normal(-0.7, 0.5)], p=[0.86, 0.14])))
    hard = rng.random() < 0.12  # low sun or a bare bulb
    return Light(
        azimuth=float(u(0, 360)),
        elevation=float(u(13, 35) if hard else u(25, 80)),
        softness=float(u(0.01, 0.04) if hard else rng.choice([u(0.02, 0.08), u(0.08, 0.4)])),
        shadow=float(u(0.55, 0.85) if hard else u(0.1, 0.65)),
        contact=float(u(0.05, 0.45)),
        falloff=float(abs(rng.normal(0.2, 0.3))),
        lamp_at=(float(rng.normal(0, 8)), float(rng.normal(0, 8))),
        patches=tuple(patches),
        glare=tuple(glare),
        gains=tuple(float(g) for g in gains),
        exposure=float(np.clip(exposure, 0.06, 1.8)),
        gamma=float(np.exp(rng.normal(0, 0.15))),
        saturation=float(np.clip(rng.normal(1, 0.2), 0.3, 1.5)),
        vignette=float(abs(rng.normal(0.08, 0.1))),
        fade=_sample_fade(rng),
    )


def _sample_mirror(rng: np.random.Generator) -> tuple[tuple[float, float, float, float, float, str], ...]:
    """One to three things mirrored by glass; mostly faint."""
    u = rng.uniform
    found = []
    for _ in range(int(rng.integers(1, 4))):
        kind = str(rng.choice(["window", "lamp", "room"], p=[0.35, 0.2, 0.45]))
        strength, size = {
            "window": (u(0.02, 0.2), u(1, 5)),
            "lamp": (u(0.1, 0.8), u(0.3, 1.4)),
            "room": (u(0.02, 0.15), 1.0),
        }[kind]
        found.append((float(u(0, 15)), float(u(0, 15)), float(size), float(u(0, 180)), float(strength), kind))
    return tuple(found)


def _sample_fade(rng: np.random.Generator) -> tuple[float, float, float]:
    """Filters of phone applications and scans of old prints: bluish or reddish blacks, yellow whites."""
    lift, drop = rng.uniform(0, 0.28) * rng.dirichlet((2, 2, 2)) * 2, rng.uniform(0, 0.3, 3) * (0.2, 0.4, 1.0)
    fade = np.where(rng.random(3) < 0.6, lift, -drop)
    shown = rng.random() < 0.08
    return tuple(float(np.clip(f, -0.35, 0.35)) if shown else 0.0 for f in fade)  # type: ignore[return-value]


def _sample_sensor(rng: np.random.Generator) -> Sensor:
    u = rng.uniform
    noisy = rng.random() < 0.3
    crisp = rng.random() < 0.1  # sharpened once too often, as pictures of the web are
    return Sensor(
        defocus=float(rng.choice([u(0.3, 0.8), u(0.7, 1.3), u(1.3, 3)], p=[0.66, 0.27, 0.07])),
        motion=float(u(1, 6) if rng.random() < 0.12 else 0),
        motion_angle=float(u(0, 180)),
        shot=float(u(0.01, 0.05) if noisy else u(0, 0.015)),
        read=float(u(0.003, 0.02) if noisy else u(0, 0.004)),
        smooth=float(u(0.4, 1.2) if rng.random() < 0.4 else 0),
        sharpen=float(u(1.5, 4) if crisp else u(0.2, 1.6) if rng.random() < 0.5 else 0),
        quality=int(rng.choice([rng.integers(35, 70), rng.integers(70, 96)], p=[0.25, 0.75])),
        shrink=float(u(0.5, 0.95) if rng.random() < (0.35 if crisp else 0.12) else 1.0),
    )


@dataclass(frozen=True)
class _Laid:
    """A tile as it lies: middle in grid units, turn in degrees, height of its underside over the board.

    key: what its grain and its print follow from; by its place if None. A tile that is moved keeps it.
    """

    letter: str
    x: float
    y: float
    turn: float
    style: TileStyle
    base: float = 0.0
    key: tuple[int, int] | None = None


def _key(tile: _Laid) -> tuple[int, int]:
    return tile.key or (round(tile.x * 4096) & 0xFFFFF, round(tile.y * 4096) & 0xFFFFF)


def render(params: SceneParams) -> Scene:
    """The photo and its truth."""
    rng = np.random.default_rng(params.seed)
    look = params.edition
    view = View(params.camera, look.aspect)
    tiles = _lay(params, rng)
    picture = _table(params, view)
    _shadows(picture, params, view, tiles)
    _tiles(picture, params, view, tiles)
    covered = _items(picture, params, view)
    field, shine = light_map(params.light, view, params.seed + 1)
    if shine is not None:
        covered |= _burnt_out(shine, params, view)
    if params.camera.distortion:
        picture, field = view.bend(picture), view.bend(field)
        shine = None if shine is None else view.bend(shine)
    pixels = develop(picture, field, shine, params.light, params.sensor, params.seed + 2 + params.number)
    corners = view.project(GRID)
    return Scene(
        pixels,
        Corners.of(view.distort(corners) if params.camera.distortion else corners),
        params.filling,
        covered,
        params,
        _turns(tiles),
    )


def tiles_without_board(params: SceneParams, view: View) -> NDArray[np.uint8]:
    """The filling's tiles, things and hands on the bare ground: surface colours, not developed yet."""
    params = replace(params, edition=replace(params.edition, thickness=0.0, frame=(0.0, 0.0, 0.0, 0.0), edge=0.0))
    tiles = _lay(params, np.random.default_rng(params.seed))
    picture = ground_picture(params.ground, view, 0.0)
    _shadows(picture, params, view, tiles)
    _tiles(picture, params, view, tiles)
    _items(picture, params, view)
    return picture


def _turns(tiles: list[_Laid]) -> NDArray[np.int64]:
    turns = np.zeros((SIZE, SIZE), np.int64)
    for tile in tiles:
        if tile.letter != "?":
            turns[int(tile.y), int(tile.x)] = round(tile.turn / 90) % 4
    return turns


_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def _lay(params: SceneParams, rng: np.random.Generator) -> list[_Laid]:
    laid = []
    aspect = params.edition.aspect
    # drawn for every square, so that a tile stays where it is when others come
    drift = rng.normal(0, 0.5 * params.shift, 2)
    factor = np.where(rng.random((SIZE, SIZE)) < params.stray, rng.uniform(3, 6, (SIZE, SIZE)), 1.0)
    shifts = np.clip(drift + rng.normal(0, params.shift, (SIZE, SIZE, 2)) * factor[..., None], -0.3, 0.3)
    turns = np.clip(rng.normal(0, params.turn, (SIZE, SIZE)) * factor, -14, 14)
    turns = turns + np.where(rng.random((SIZE, SIZE)) < params.turned, 90.0 * rng.integers(1, 4, (SIZE, SIZE)), 0.0)
    askew = rng.random((SIZE, SIZE)) < params.askew
    odd = rng.uniform(20, 60, (SIZE, SIZE)) * rng.choice([-1, 1], (SIZE, SIZE))
    off = rng.random((SIZE, SIZE)) < params.off
    ways, far = rng.permuted(np.tile(np.arange(4), (SIZE, SIZE, 1)), axis=2), rng.uniform(0.3, 0.42, (SIZE, SIZE))
    free = np.pad(np.array([[tile == "." for tile in line] for line in params.filling]), 1, constant_values=True)
    for row, col in np.argwhere(askew | off):
        around = [free[row + 1 + dy, col + 1 + dx] for dx, dy in _WAYS]
        if askew[row, col] and sum(around) >= 2:  # there is room to lie so
            turns[row, col] += odd[row, col]
        if off[row, col] and any(around):
            dx, dy = _WAYS[next(way for way in ways[row, col] if around[way])]
            shifts[row, col] = shifts[row, col] * 0.5 + far[row, col] * np.array([dx, dy])
            shifts[row, col] = np.clip(shifts[row, col], -0.45, 0.45)
    other = rng.random((SIZE, SIZE)) < params.second_share
    out = dict(params.pushed)
    for row, line in enumerate(params.filling):
        for col, letter in enumerate(line):
            if letter != ".":
                dx, dy = shifts[row, col]
                style = params.second if params.second and other[row, col] else params.style
                laid.append(_Laid(letter, col + 0.5 + dx, row + 0.5 + dy / aspect, float(turns[row, col]), style))
    return [_pushed(tile, pushed) if (pushed := out.get((int(tile.y), int(tile.x)))) else tile for tile in laid]


def _pushed(tile: _Laid, by: tuple[float, float, float]) -> _Laid:
    """The same tile, its grain and print too, elsewhere."""
    dx, dy, turn = by
    return replace(tile, x=tile.x + dx, y=tile.y + dy, turn=tile.turn + turn, key=_key(tile))


def ground_picture(ground: Ground, view: View, height: float) -> NDArray[np.uint8]:
    """What the camera sees of the ground, `height` squares above the board's surface (below: negative)."""
    unit = SIDE / SPAN
    angle = np.radians(ground.turn)
    c, s = np.cos(angle) / unit, np.sin(angle) / unit
    centre = SIDE / 2
    to_world = np.array([[c, -s, -c * centre + s * centre], [s, c, -s * centre - c * centre], [0, 0, 1]])
    matrix = view.world_plane(height) @ to_world
    return cv2.warpPerspective(
        ground_texture(ground), matrix, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )


def _table(params: SceneParams, view: View) -> NDArray[np.uint8]:
    """Ground and board."""
    look = params.edition
    picture = ground_picture(params.ground, view, -look.thickness)
    ppu = int(np.clip(round(params.camera.square_px * 1.1), 12, 64))
    board = draw_board(look, ppu, params.seed % 7)
    left, top, right, bottom = board.outline
    outline = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], float)
    upper, lower = view.project(outline), view.project(outline, -look.thickness)
    _board_shadow(picture, params, view, outline)
    if look.thickness > 0.02:
        hull = cv2.convexHull(np.concatenate([upper, lower]).astype(np.float32))
        _fill(picture, hull.reshape(-1, 2), bgr(frame_shade(look)))
    # pixel (x, y) of the board's picture shows grid point ((x + .5) / ppu - left, ...)
    to_grid = np.array([[1 / ppu, 0, 0.5 / ppu - board.left], [0, 1 / ppu, 0.5 / ppu - board.top], [0, 0, 1]])
    matrix = view.plane() @ to_grid
    mask = np.zeros(picture.shape[:2], np.uint8)
    _fill(mask, upper, 255)
    flat = cv2.warpPerspective(board.pixels, matrix, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cv2.copyTo(flat, mask, picture)
    return picture


def _board_shadow(picture: NDArray[np.uint8], params: SceneParams, view: View, outline: NDArray[np.float64]) -> None:
    light = params.light
    depth = 0.25 + 0.5 * light.shadow
    small = np.zeros((picture.shape[0] // 4 + 1, picture.shape[1] // 4 + 1), np.uint8)
    reach = params.edition.thickness / np.tan(np.radians(light.elevation))
    moved = outline - np.array(light.towards) * reach
    both = np.concatenate(
        [view.project(outline, -params.edition.thickness), view.project(moved, -params.edition.thickness)]
    )
    _fill(small, cv2.convexHull(both.astype(np.float32)).reshape(-1, 2) / 4, 255)
    blur = max(0.8, (0.1 + light.softness) * params.camera.square_px / 4)
    small = cv2.GaussianBlur(small, (0, 0), blur)
    full = cv2.resize(small, (small.shape[1] * 4, small.shape[0] * 4), interpolation=cv2.INTER_LINEAR)[
        : picture.shape[0], : picture.shape[1]
    ]
    _darken(picture, full, depth)


def _darken(picture: NDArray[np.uint8], mask: NDArray[np.uint8], depth: float) -> None:
    """picture *= 1 - depth * mask / 255."""
    factor = (255 - mask.astype(np.float32) * depth).astype(np.uint8)
    cv2.multiply(picture, cv2.merge([factor] * 3), picture, 1 / 255)


def _fill(picture: NDArray[np.uint8], polygon: NDArray[np.floating], colour: object) -> None:
    """Anti-aliased filled convex polygon at sub-pixel corners."""
    values = [float(c) for c in np.atleast_1d(colour)]
    points = np.clip(np.round(np.asarray(polygon, np.float64) * 16), -(1 << 20), 1 << 20).astype(np.int32)
    cv2.fillConvexPoly(picture, points, values, cv2.LINE_AA, 4)


def _outlines(aspect: float, tiles: list[_Laid]) -> NDArray[np.float64]:
    """(tiles, 12, 2) grid points round each tile's edge, clockwise; rounded corners by three points each."""
    half = np.array([tile.style.size for tile in tiles]) * min(1.0, aspect) / 2
    radius = np.maximum(np.array([tile.style.corner for tile in tiles]) * 2 * half, 0.01)
    angles = np.radians(np.add.outer([0, 90, 180, 270], [0, 45, 90]))
    middles = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * (half - radius)[:, None, None]
    arcs = radius[:, None, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    x, y = (middles[:, :, None] + arcs).reshape(len(tiles), -1, 2).transpose(2, 0, 1)
    turn = np.radians([tile.turn for tile in tiles])[:, None]
    c, s = np.cos(turn), np.sin(turn)
    turned = np.stack([c * x - s * y, s * x + c * y], axis=-1)
    return turned / (1, aspect) + np.array([(tile.x, tile.y) for tile in tiles])[:, None]


def _shadows(picture: NDArray[np.uint8], params: SceneParams, view: View, tiles: list[_Laid]) -> None:
    """Cast shadows and the dark seam where tiles touch the board; tiles all about as high, none falls on another."""
    light = params.light
    if not tiles:
        return
    ppu = int(np.clip(params.camera.square_px * 0.6, 8, 24))
    rim = 2.0
    side = int((SIZE + 2 * rim) * ppu)
    cast, contact = np.zeros((side, side), np.uint8), np.zeros((side, side), np.uint8)
    slope = -np.array(light.towards) / np.tan(np.radians(light.elevation)) / (1, view.aspect)
    longest = 1.2 / max(np.hypot(*slope), 1e-9)
    for tile, foot in zip(tiles, (_outlines(view.aspect, tiles) + rim) * ppu - 0.5, strict=True):
        _fill(contact, foot, 255)
        if light.shadow and tile.style.thickness:
            reach = slope * min(tile.style.thickness, longest)
            both = np.concatenate([foot, foot + reach * ppu]).astype(np.float32)
            _fill(cast, cv2.convexHull(both).reshape(-1, 2), 255)
    cast = cv2.GaussianBlur(cast, (0, 0), max(0.5, light.softness * ppu))
    contact = cv2.GaussianBlur(contact, (0, 0), max(0.5, 0.07 * ppu))
    keep = (1 - light.shadow * (cast / np.float32(255))) * (1 - light.contact * (contact / np.float32(255)))
    to_grid = np.array([[1 / ppu, 0, 0.5 / ppu - rim], [0, 1 / ppu, 0.5 / ppu - rim], [0, 0, 1]])
    dark = (255 * (1 - keep)).astype(np.uint8)
    flat = cv2.warpPerspective(
        dark, view.plane() @ to_grid, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    _darken(picture, flat, 1.0)


def _tiles(picture: NDArray[np.uint8], params: SceneParams, view: View, tiles: list[_Laid]) -> None:
    """Sides first, from far to near, then tops."""
    light = params.light
    if not tiles:
        return
    order = sorted(tiles, key=lambda t: -((t.x - view.foot[0]) ** 2 + (t.y - view.foot[1]) ** 2))
    _sides(picture, params, view, [tile for tile in order if tile.style.thickness])
    for tile in order:
        style = tile.style
        side = int(np.clip(round(params.camera.square_px * style.size * 1.15), 12, 80))
        rng = np.random.default_rng((params.seed, *_key(tile)))
        angle = np.radians(light.azimuth - tile.turn)
        face, alpha = draw_tile(
            style, tile.letter, side, rng, (round(float(np.cos(angle)), 1), round(float(np.sin(angle)), 1))
        )
        veil = 0.0
        if style.gloss and rng.random() < 0.2 * style.gloss:
            veil = rng.uniform(0, 45) * style.gloss
        _top(picture, view, tile, face + veil, alpha)


def _sides(picture: NDArray[np.uint8], params: SceneParams, view: View, tiles: list[_Laid]) -> None:
    """Side faces of tiles, first the whole block, then each face that can be seen."""
    if not tiles:
        return
    outlines = _outlines(view.aspect, tiles)
    planes = [(tile.base, tile.style.thickness) for tile in tiles]
    low, high = np.empty_like(outlines), np.empty_like(outlines)
    for base, thickness in set(planes):
        at = [i for i, plane in enumerate(planes) if plane == (base, thickness)]
        low[at] = view.project(outlines[at], base)
        high[at] = view.project(outlines[at], base + thickness)
    world = outlines * (1, view.aspect)
    edges = np.roll(world, -1, axis=1) - world
    normals = np.stack([edges[..., 1], -edges[..., 0]], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True) + 1e-9
    seen = (normals * (np.array(view.foot) * (1, view.aspect) - world)).sum(axis=-1) > 0
    brightness = 0.85 + 0.22 * (normals @ np.array(params.light.towards))
    count = outlines.shape[1]
    for t, tile in enumerate(tiles):
        colour = bgr(side_colour(tile.style))
        hull = cv2.convexHull(np.concatenate([low[t], high[t]]).astype(np.float32))
        _fill(picture, hull.reshape(-1, 2), colour * 0.85)
        for i in np.flatnonzero(seen[t]):
            j = (i + 1) % count
            _fill(picture, np.array([low[t, i], low[t, j], high[t, j], high[t, i]]), colour * brightness[t, i])


def _top(
    picture: NDArray[np.uint8],
    view: View,
    tile: _Laid,
    face: NDArray[np.float32],
    alpha: NDArray[np.float32],
) -> None:
    pixels, style = face.shape[0], tile.style
    side = style.size * min(1.0, view.aspect)
    c, s = np.cos(np.radians(tile.turn)), np.sin(np.radians(tile.turn))
    k = side / (pixels - 2)  # the outline lies one pixel inside the face's picture
    middle = (pixels - 1) / 2
    centre = np.array([tile.x - 7.5, (tile.y - 7.5) * view.aspect])
    to_world = np.array(
        [[k * c, -k * s, centre[0] - k * (c - s) * middle], [k * s, k * c, centre[1] - k * (s + c) * middle], [0, 0, 1]]
    )
    matrix = view.world_plane(tile.base + style.thickness) @ to_world
    corners = cv2.perspectiveTransform(
        np.array([[(-1, -1)], [(pixels, -1)], [(pixels, pixels)], [(-1, pixels)]], np.float64), matrix
    )[:, 0]
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, view.size)
    if x0 >= x1 or y0 >= y1:
        return
    matrix = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ matrix
    layer = np.empty((pixels, pixels, 4), np.float32)
    layer[..., :3] = np.clip(face, 0, 255) * alpha[..., None]
    layer[..., 3] = alpha
    layer = cv2.warpPerspective(
        layer, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    part = picture[y0:y1, x0:x1]
    part[:] = (part * (1 - layer[..., 3:]) + layer[..., :3] + 0.5).astype(np.uint8)


def _items(picture: NDArray[np.uint8], params: SceneParams, view: View) -> NDArray[np.bool_]:
    """Things, then hands; which squares they hide."""
    if not params.things and not params.hands:
        return np.zeros((SIZE, SIZE), bool)
    easel = _easel(picture, params, view)
    _things(easel, params, view)
    for hand in params.hands:
        draw_hand(easel, hand)
    return _hidden_squares(easel, params)


def hidden_squares(params: SceneParams, square_px: float = 8.0) -> NDArray[np.bool_]:
    """(15, 15) squares that the things and hands of a scene hide by more than about a third, without the rest of the
    picture: worked out on a small one."""
    view = View(replace(params.camera, square_px=square_px), params.edition.aspect)
    return _items(np.zeros((view.height, view.width, 3), np.uint8), params, view)


def _easel(picture: NDArray[np.uint8], params: SceneParams, view: View) -> Easel:
    light = params.light
    return Easel(picture, view, light.towards, light.elevation, light.softness, 0.75 * light.shadow)


def _things(easel: Easel, params: SceneParams, view: View) -> None:
    ground = -params.edition.thickness
    for thing in params.things:
        if thing.kind == "rack":
            _rack(easel, params, view, thing, ground)
        elif thing.kind == "loose":
            _loose(easel, params, view, thing)
        else:
            draw_thing(easel, thing, ground)


def _hidden_squares(easel: Easel, params: SceneParams) -> NDArray[np.bool_]:
    return _per_square(easel.hidden, easel.view, params.style.thickness / 2) > 0.35 * 255


def _per_square(field: NDArray, view: View, height: float) -> NDArray[np.floating]:
    """(15, 15) mean of a picture's field over each square of the plane `height` above the board."""
    per_square = 8
    to_grid = np.array([[1 / per_square, 0, 0.5 / per_square], [0, 1 / per_square, 0.5 / per_square], [0, 0, 1]])
    side = SIZE * per_square
    flat = cv2.warpPerspective(
        field, view.plane(height) @ to_grid, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    return flat.reshape(SIZE, per_square, SIZE, per_square).mean(axis=(1, 3))


def _burnt_out(shine: NDArray[np.float32], params: SceneParams, view: View) -> NDArray[np.bool_]:
    """Squares where the lamp's reflection alone is white in every colour, so that nothing can be read."""
    level = shine * (params.light.exposure * min(params.light.gains))
    return _per_square((level > 0.97).astype(np.float32), view, params.style.thickness) > 0.6


def _loose(easel: Easel, params: SceneParams, view: View, thing: Thing) -> None:
    """Tiles lying about, some face down."""
    rng = np.random.default_rng(thing.seed)
    outline = _board_outline(params.edition)
    laid = []
    for _ in range(int(rng.integers(1, 9))):
        x, y = np.array(thing.at) + rng.normal(0, 1.8, 2)
        inside = outline[0] - 0.8 < x < outline[2] + 0.8 and outline[1] - 0.8 < y < outline[3] + 0.8
        if -0.9 < x < SIZE + 0.9 and -0.9 < y < SIZE + 0.9:
            continue
        letter = "?" if rng.random() < 0.15 else LETTERS[int(rng.integers(len(LETTERS)))]
        laid.append(
            _Laid(
                letter,
                float(x),
                float(y),
                float(rng.uniform(0, 360)),
                params.style,
                0.0 if inside else -params.edition.thickness,
            )
        )
    if not laid:
        return
    radius = 0.45 * params.style.size
    for base in {tile.base for tile in laid}:
        spots = [(np.array([tile.x, tile.y]) - 7.5) * (1, view.aspect) for tile in laid if tile.base == base]
        easel.cast([Pod(spot, spot + 0.01, radius, radius, base + 0.12) for spot in spots], base)
    _tiles(easel.picture, params, view, laid)


def _board_outline(look: Edition) -> tuple[float, float, float, float]:
    """Left, top, right, bottom edge of a board in grid units."""
    left, top, right, bottom = (side + look.edge for side in look.frame)
    return -left, -top, SIZE + right, SIZE + bottom


def _rack(easel: Easel, params: SceneParams, view: View, thing: Thing, ground: float) -> None:
    """A bar with up to seven tiles leaning in it, their letters towards the player outside."""
    rng = np.random.default_rng(thing.seed)
    at = (np.array(thing.at) - 7.5) * (1, view.aspect)
    angle = np.radians(thing.angle)
    out, along = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    length, breadth = 4.6 * thing.size, 0.65
    corners = np.array(
        [
            at - along * length - out * breadth,
            at + along * length - out * breadth,
            at + along * length + out * breadth,
            at - along * length + out * breadth,
        ]
    )
    pods = [_pod(corners[0], corners[1], breadth, ground + 0.8), _pod(corners[2], corners[3], breadth, ground + 0.4)]
    easel.cast(pods, ground)
    easel.slab(corners, ground + 0.35, thing.colour, ground)
    back = np.array([corners[0], corners[1], corners[1] + out * 0.35, corners[0] + out * 0.35])
    easel.slab(back, ground + 0.9, thing.colour, ground)
    style = params.style
    side = int(np.clip(round(params.camera.square_px * 1.15), 12, 80))
    x = -length + 0.3 + rng.uniform(0, 1.5)
    for _ in range(int(rng.integers(0, 8))):
        if x + style.size > length:
            break
        face, alpha = draw_tile(
            style, "?" if rng.random() < 0.05 else LETTERS[int(rng.integers(len(LETTERS)))], side, rng
        )
        foot, head = at + out * 0.35, at - out * 0.3
        # letters are upright for the player outside: left is +along seen from there
        low_a, low_b = foot - along * x, foot - along * (x + style.size)
        high_a, high_b = head - along * x, head - along * (x + style.size)
        low = cv2.perspectiveTransform(np.array([[low_a], [low_b]]), view.world_plane(ground + 0.4))[:, 0]
        high = cv2.perspectiveTransform(np.array([[high_a], [high_b]]), view.world_plane(ground + 1.15))[:, 0]
        _face_on_quad(easel.picture, face, alpha, np.array([high[0], high[1], low[1], low[0]]))
        x += style.size + rng.uniform(0, 0.1) + (rng.uniform(0, 1) if rng.random() < 0.1 else 0)


def _pod(a: NDArray, b: NDArray, radius: float, height: float) -> Pod:
    return Pod(a, b, radius, radius, height)


def _face_on_quad(
    picture: NDArray[np.uint8], face: NDArray[np.float32], alpha: NDArray[np.float32], quad: NDArray
) -> None:
    """Pastes a tile's face so that its corners, clockwise from the top left, lie at `quad` (pixels)."""
    pixels = face.shape[0]
    e = pixels - 1
    matrix = cv2.getPerspectiveTransform(
        np.array([(0, 0), (e, 0), (e, e), (0, e)], np.float32), quad.astype(np.float32)
    )
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, picture.shape[1::-1])
    if x0 >= x1 or y0 >= y1:
        return
    matrix = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ matrix
    layer = np.dstack([np.clip(face, 0, 255) * alpha[..., None], alpha]).astype(np.float32)
    layer = cv2.warpPerspective(
        layer, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    part = picture[y0:y1, x0:x1]
    part[:] = (part * (1 - layer[..., 3:]) + layer[..., :3] + 0.5).astype(np.uint8)
