"""Short films of a game: what a camera over the table sees while hands lay tiles.

    film = sample_film(np.random.default_rng(3), random_game(np.random.default_rng(3), 4))
    for frame in frames(film):      # frame.pixels, frame.corners, frame.board, frame.calm, ...

The camera stands still, unless it is bumped; a bump is a turn of the camera, so the whole picture moves by one
homography and the corners with it. What lies on the board is drawn once, kept until a tile is laid or taken, and then
drawn and developed again only there (`darkroom`); hands are drawn once for each pose (`sprites`). About 10 ms of
computing for a frame of 1280 x 720 in which nothing moves, 30 ms for one with a hand, 6 ms more when the camera shakes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.camera import Camera, View
from models.table.darkroom import Darkroom, Plate
from models.table.demo import boards as demo_boards
from models.table.demo import framed
from models.table.drawn_game import WordSearch
from models.table.fillings import EMPTY, Filling
from models.table.fonts import LETTERS
from models.table.items import Paw, Thing, draw_hand, draw_paw, random_hand
from models.table.light import Light
from models.table.scene import (
    SceneParams,
    _burnt_out,
    _easel,
    _hidden_squares,
    _key,
    _Laid,
    _lay,
    _outlines,
    _per_square,
    _shadows,
    _table,
    _things,
    _tiles,
    sample_params,
)
from models.table.sprites import Sprite, drawn, place, shadow
from models.table.tiles import typical_style
from vision.geometry import GRID, SIZE, Corners

Square = tuple[int, int]
Lie = tuple[float, float, float]
"""How much worse than in the end a tile lies: right and down in squares, turn in degrees."""

STRAIGHT: Lie = (0.0, 0.0, 0.0)

OVER = 0.03
"""Share of a square that must be hidden for a hand to be over the board."""


@dataclass(frozen=True)
class FilmParams:
    """All there is to say about a film.

    scene: table, light, camera and how tiles lie; its filling is not used, its hands are the players' (two)
    boards: what lies there at the start and after each move; tiles may also go (a move taken back)
    rate: frames a second; pause: seconds of calm between moves, at least and at most
    rearrange: chance for a move that tiles are laid wrongly first; badly: that a tile is laid badly, then straightened
    point: chance that a hand points at the board without a change; shade: chance of a shadow that passes
    flicker: how far the light wanders within seconds; drift: how far within a minute and a half
    bump: chance that the camera is bumped between moves; shaky: deviation of a camera held by hand, in pixels
    shutter: share of the time between frames that it is open; auto: how much of a change of the picture's brightness,
    by a hand or a lamp, the camera's exposure makes good within a second, 0 to 1
    paw: the cat's, of films in which one comes
    """

    seed: int
    scene: SceneParams
    boards: tuple[Filling, ...]
    size: tuple[int, int] = (1280, 720)
    rate: float = 10.0
    pause: tuple[float, float] = (0.6, 2.0)
    rearrange: float = 0.25
    badly: float = 0.15
    point: float = 0.2
    shade: float = 0.3
    flicker: float = 0.05
    drift: float = 0.0
    bump: float = 0.2
    shaky: float = 0.0
    shutter: float = 0.25
    auto: float = 0.0
    paw: Paw = Paw()  # noqa: RUF009 - frozen


@dataclass(frozen=True)
class Frame:
    """One picture of the film with its truth.

    pixels: (h, w, 3) uint8 BGR; corners: outer corners of the grid in these pixels, reading order
    board: what lies there now, whatever covers it; a tile held in the hand does not lie there
    covered: (15, 15) bool, squares hidden by more than about a third
    hand: something moves over the board's squares; calm: nothing does, the camera stands still (but for its shaking in
    the hand) and the position is complete (the light may change, a shadow may pass)
    move: how many of the film's moves are complete: `boards[move]` is the position that counts
    in_sight: a hand or paw is in the picture, over the board or not; what: what happens, "" for nothing of note
    """

    pixels: NDArray[np.uint8]
    corners: Corners
    board: Filling
    covered: NDArray[np.bool_]
    hand: bool
    calm: bool
    move: int
    time: float
    in_sight: bool = False
    what: str = ""


def random_game(rng: np.random.Generator, moves: int, taken_back: float = 0.12) -> tuple[Filling, ...]:
    """An empty board and positions after each move: runs of one to seven new tiles; some moves are taken back."""
    cells = np.full((SIZE, SIZE), ".", dtype="<U1")
    positions = [EMPTY]
    back: NDArray | None = None
    for _ in range(moves):
        if back is not None and rng.random() < taken_back:
            cells, back = back, None
        else:
            back = cells.copy()
            _random_move(rng, cells)
        positions.append(tuple("".join(row) for row in cells))
    return tuple(positions)


def _random_move(rng: np.random.Generator, cells: NDArray) -> None:
    while True:
        lying = np.argwhere(cells != ".")
        row, col = lying[rng.integers(len(lying))] if len(lying) else (SIZE // 2, SIZE // 2)
        across = bool(rng.integers(2))
        count = int(rng.choice([1, 2, 3, 4, 5, 6, 7], p=[0.06, 0.16, 0.24, 0.22, 0.16, 0.09, 0.07]))
        count = max(2, count) if not len(lying) else count
        line = cells[row] if across else cells[:, col]
        free = np.flatnonzero(line == ".")
        at = int(col if across else row)
        start = at - int(rng.integers(0, count + 1))
        chosen = [k for k in free if k >= start][:count]
        if len(chosen) < count or (len(lying) and not min(chosen) - 1 <= at <= max(chosen) + 1):
            continue
        for k in chosen:
            line[k] = "?" if rng.random() < 0.03 else LETTERS[int(rng.integers(len(LETTERS)))]
        return


def sample_film(
    rng: np.random.Generator,
    boards: tuple[Filling, ...] | list[Filling],
    *,
    size: tuple[int, int] = (1280, 720),
    rate: float = 10.0,
    without: frozenset[str] | set[str] = frozenset(),
    look: SceneParams | None = None,
    fill: tuple[float, float] = (0.74, 0.93),
) -> FilmParams:
    """A film as a phone on a stand may take it: the whole board in the picture, readable, any light.

    without: NUISANCES of the still scene to leave out; look: board, tiles, table and light instead of any
    fill: share of the picture that the board fills in its tighter direction, at least and at most
    """
    base = look or sample_params(rng, without, filling=EMPTY)
    u = rng.uniform
    if look is None and rng.random() < 0.5:
        base = replace(base, style=typical_style(rng, "german"), second=None)
    camera = _fitting(rng, base.edition.aspect, size, fill)
    light = replace(
        base.light,
        exposure=float(np.clip(base.light.exposure, 0.5, 1.3)),
        glare=base.light.glare if rng.random() < 0.4 else (),
    )
    sensor = replace(
        base.sensor,
        defocus=float(np.clip(base.sensor.defocus, 0.3, 0.04 * camera.square_px)),
        motion=0.0,
        shrink=1.0,
        quality=0,
        smooth=max(base.sensor.smooth, 0.5),
    )
    hands = []
    for player in range(2):
        hand = replace(random_hand(rng), pose="pinching", height=float(u(0.9, 1.6)))
        hands.append(replace(hand, angle=float((90, 270)[player] + rng.normal(0, 12)), sleeve=float(u(0, 0.9))))
    things = tuple(thing for thing in base.things if not _over_board(thing.at))
    scene = replace(
        base, camera=camera, light=light, sensor=sensor, hands=tuple(hands), things=things, askew=0.0, off=0.0
    )
    return FilmParams(
        seed=int(rng.integers(1 << 31)),
        scene=scene,
        boards=tuple(boards),
        size=size,
        rate=rate,
        flicker=float(u(0, 0.08)),
        shaky=float(u(0.3, 2.0) if rng.random() < 0.25 else 0.0),
        shutter=float(u(0.05, 0.45)),
    )


def _over_board(at: tuple[float, float]) -> bool:
    return all(-2 < v < SIZE + 2 for v in at)


def _fitting(rng: np.random.Generator, aspect: float, size: tuple[int, int], fill: tuple[float, float]) -> Camera:
    """A camera that shows the whole grid in a picture of this size, seen from any side, mostly not slanting much."""
    tilt = float(rng.choice([rng.uniform(0, 12), rng.uniform(12, 35)]))
    roll = float(rng.choice([rng.normal(0, 4), 90 * rng.integers(4) + rng.normal(0, 5)], p=[0.7, 0.3]))
    camera = Camera(tilt, float(90 + rng.normal(0, 40)), roll, float(rng.uniform(24, 45)), 40.0)
    share = rng.uniform(*fill)
    for _ in range(3):
        view = View(replace(camera, margins=(0.0, 0.0, 0.0, 0.0)), aspect)
        across, down = view.size
        camera = replace(camera, square_px=camera.square_px * share * min(size[0] / across, size[1] / down))
    return framed(camera, aspect, *size)


# What happens in a film is a list of steps, each a frame long.


@dataclass
class _Step:
    """One frame: what changes before it, where the hand is, and what it carries.

    put, take: a square that is laid or cleared; lie: how badly; straighten: a square whose tile is put right
    reach: the hand or paw over the table; held: square whose tile is in the hand
    done: the position is complete from here on; jolt: turn of the camera in degrees about its three axes, from here on
    things, light: what lies around and what light there is from here on; what: name of what happens, for the truth
    """

    put: Square | None = None
    take: Square | None = None
    lie: Lie | None = None
    straighten: Square | None = None
    reach: _Reach | None = None
    held: Square | None = None
    done: bool = False
    jolt: tuple[float, float, float] | None = None
    things: tuple[Thing, ...] | None = None
    light: Light | None = None
    what: str = ""


SHORT = {"pinching": 1.0, "pointing": 0.6}
"""How far the fingertips of a drawn hand stay behind its tip, in these poses, for a hand of size 1."""

CAT = -1
"""Who reaches over the table when it is no player."""


@dataclass
class _Reach:
    """who: a player or CAT; at: grid point of the tip; lift: squares above the usual height"""

    who: int
    at: NDArray[np.float64]
    pose: str = "pinching"
    lift: float = 0.0


class _Script:
    """Writes the steps of a film."""

    def __init__(self, params: FilmParams) -> None:
        self.params = params
        self.rng = np.random.default_rng((params.seed, 1))
        self.steps: list[_Step] = []
        self.at: NDArray[np.float64] | None = None
        self.player = 0

    def write(self) -> list[_Step]:
        params, rng = self.params, self.rng
        self._calm()
        for number, (before, after) in enumerate(zip(params.boards[:-1], params.boards[1:], strict=True)):
            self.player = number % 2
            if rng.random() < params.point:
                self._point()
            if rng.random() < params.bump:
                self._bump()
            self._move(before, after)
            self._leave()
            self.steps.append(_Step(done=True))
            self._calm()
        return self.steps

    def _home(self) -> NDArray[np.float64]:
        """Where the player's hand rests: beyond the frame, about over the rack."""
        angle = np.radians(self.params.scene.hands[self.player].angle)
        away = 13.5 * np.array([np.cos(angle), np.sin(angle)])
        return np.array([7.5, 7.5]) + away * self.rng.uniform(0.95, 1.15) + self.rng.normal(0, 0.8, 2)

    def _calm(self) -> None:
        low, high = self.params.pause
        for _ in range(max(2, round(self.rng.uniform(low, high) * self.params.rate))):
            self.steps.append(_Step())

    def _go(self, target: NDArray[np.float64], pose: str = "pinching", held: Square | None = None) -> None:
        """Frames of a hand on its way: it starts and stops gently."""
        start = self.at if self.at is not None else self._home()
        distance = float(np.hypot(*(target - start)))
        count = max(1, round(distance / self.rng.uniform(14, 30) * self.params.rate))
        bow = self.rng.normal(0, 0.06) * distance * np.array([-(target - start)[1], (target - start)[0]])
        bow = bow / max(distance, 1e-6)
        for i in range(1, count + 1):
            t = i / count
            t = t * t * (3 - 2 * t)
            at = start + (target - start) * t + bow * np.sin(np.pi * t) + self.rng.normal(0, 0.05, 2)
            lift = 0.8 * np.sin(np.pi * t)
            self.steps.append(_Step(reach=_Reach(self.player, at, pose, lift), held=held))
        self.at = target

    def _stay(self, count: int, pose: str = "pinching", **changes: object) -> None:
        for i in range(count):
            at = self.at + self.rng.normal(0, 0.06, 2)
            step = _Step(reach=_Reach(self.player, at, pose, -0.5))
            if i == 0:
                for name, value in changes.items():
                    setattr(step, name, value)
            self.steps.append(step)

    def _leave(self) -> None:
        self._go(self._home(), str(self.rng.choice(["pinching", "flat", "fist"], p=[0.6, 0.3, 0.1])))
        self.at = None

    def _fingers(self, square: Square) -> NDArray[np.float64]:
        """Where the fingertips are when they hold a tile over this square: a little beyond its middle."""
        angle = np.radians(self.params.scene.hands[self.player].angle)
        return np.array([square[1] + 0.5, square[0] + 0.5]) - 0.25 * np.array([np.cos(angle), np.sin(angle)])

    def _lay(self, square: Square, place: Square, fresh: bool) -> None:
        """Brings the tile that belongs on `square` and lays it on `place`; from the rack if it is not in the hand."""
        rng = self.rng
        if fresh and self.at is not None:
            self._go(self._home())
        self._go(self._fingers(place), held=square)
        lie = None
        if rng.random() < self.params.badly:
            lie = (float(rng.normal(0, 0.12)), float(rng.normal(0, 0.12)), float(rng.normal(0, 9)))
        self._stay(int(rng.integers(1, 4)), put=place, lie=lie)
        if lie and rng.random() < 0.8:
            self._stay(int(rng.integers(1, 3)), "pointing", straighten=place)

    def _move(self, before: Filling, after: Filling) -> None:
        rng = self.rng
        squares = [(row, col) for row in range(SIZE) for col in range(SIZE)]
        gone = [(r, c) for r, c in squares if before[r][c] != "." and after[r][c] != before[r][c]]
        new = [(r, c) for r, c in squares if after[r][c] != "." and after[r][c] != before[r][c]]
        if rng.random() < 0.2:
            new = [new[i] for i in rng.permutation(len(new))]
        handful = rng.random() < 0.5  # a few tiles at a time in the hand
        for i, square in enumerate(gone):
            self._go(self._fingers(square))
            self._stay(1, take=square)
            if not handful or i % 3 == 2:
                self._go(self._home())
        wrong = self._wrong_places(before, new) if rng.random() < self.params.rearrange else {}
        for i, square in enumerate(new):
            self._lay(square, wrong.get(square, square), fresh=not handful or i % 3 == 0)
        if not wrong:
            return
        self._stay(int(rng.integers(2, 8)), "pointing")
        if rng.random() < 0.5:  # looks at it from afar
            self._leave()
            for _ in range(int(rng.integers(3, 12))):
                self.steps.append(_Step())
        while wrong:
            square = next(square for square in wrong if square not in wrong.values())  # free already
            place = wrong.pop(square)
            self._go(self._fingers(place))
            self._stay(1, take=place)
            self._go(self._fingers(square), held=square)
            self._stay(int(rng.integers(1, 3)), put=square)

    def _wrong_places(self, before: Filling, new: list[Square]) -> dict[Square, Square]:
        """The new tiles, each one square further, where there is room for all of them."""
        ways = [(0, 1), (1, 0), (0, -1), (-1, 0)]
        for way in self.rng.permutation(4):
            moved = [(r + ways[way][0], c + ways[way][1]) for r, c in new]
            if all(0 <= r < SIZE and 0 <= c < SIZE and before[r][c] == "." for r, c in moved):
                return dict(zip(new, moved, strict=True))
        return {}

    def _point(self) -> None:
        """Counts letters with a finger, or only hovers."""
        rng = self.rng
        for _ in range(int(rng.integers(1, 4))):
            self._go(rng.uniform(2, 13, 2), "pointing")
            self._stay(int(rng.integers(1, 8)), "pointing")
        self._leave()
        for _ in range(int(rng.integers(2, 8))):
            self.steps.append(_Step())

    def _bump(self) -> None:
        """The camera swings and comes to rest a little elsewhere."""
        rng = self.rng
        rest = rng.normal(0, 0.5, 3)
        for i in range(int(rng.integers(3, 7))):
            self.steps.append(_Step(jolt=tuple(rest + rng.normal(0, 0.9, 3) * 0.6**i)))
        self.steps.append(_Step(jolt=tuple(rest)))
        for _ in range(int(rng.integers(3, 8))):
            self.steps.append(_Step())


def frames(params: FilmParams) -> Iterator[Frame]:
    """The film, frame by frame; the same parameters give the same pixels."""
    player = _Player(params)
    for number, step in enumerate(_Script(params).write()):
        yield player.play(number, step)


Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""


class _Player:
    """Knows what lies on the board and how the camera stands while the steps are played.

    picture, plate: table, board, tiles and things, and the photo of it without noise; kept until something changes.
    canvas, print: the same with what is over it now; they differ only within `dirty`.
    """

    def __init__(self, params: FilmParams, seconds: float | None = None) -> None:
        self.params = params
        self.scene = params.scene
        self.upright = View(self.scene.camera, self.scene.edition.aspect)
        self.view = self.upright
        # what lies on a square: the letter, how badly it lies, and the square that its tile belongs to
        self.cells: dict[Square, tuple[str, Lie, Square]] = {
            (row, col): (letter, STRAIGHT, (row, col))
            for row, line in enumerate(params.boards[0])
            for col, letter in enumerate(line)
            if letter != "."
        }
        # how a tile lies on each square
        everywhere = replace(self.scene, filling=("A" * SIZE,) * SIZE)
        laid = _lay(everywhere, np.random.default_rng(self.scene.seed))
        self.places = {divmod(k, SIZE): tile for k, tile in enumerate(laid)}
        self.held: tuple[str, Square] = ("?", (0, 0))
        self.last_hand: NDArray[np.float64] | None = None
        self.move = 0
        self.pose = (0.0, 0.0, 0.0)
        self.rng = np.random.default_rng((params.seed, 2))
        self.drift = self.rng.uniform(0, 2 * np.pi, 6)
        self.shades = _shades(params, self.rng, 5.5 * len(params.boards) if seconds is None else seconds)
        self.sprites: dict[object, Sprite] = {}
        self.room: Darkroom | None = None
        self.dirty: Box | None = None
        self.usual, self.exposed = 0.0, 1.0
        self._draw_all()

    def play(self, number: int, step: _Step) -> Frame:
        still = not self._change(step)
        over, in_sight, covered, plate = False, False, self.covered, self.plate
        if step.reach is not None:
            hidden = self._over(step, number)
            plate = self.print
            squares = _per_square(hidden, self.view, self.scene.style.thickness / 2) / 255
            over, in_sight = bool((squares > OVER).any()), bool(hidden.any())
            covered = covered | (squares > 0.35)
        self.last_hand = None if step.reach is None else step.reach.at
        pixels, corners = self._photo(plate, number)
        if step.done:
            self.move += 1
        board = self._board()
        calm = still and not over and board == self.params.boards[self.move]
        return Frame(
            pixels, corners, board, covered, over, calm, self.move, number / self.params.rate, in_sight, step.what
        )

    def _board(self) -> Filling:
        lines = [["."] * SIZE for _ in range(SIZE)]
        for (row, col), (letter, _, _) in self.cells.items():
            lines[row][col] = letter
        return tuple("".join(line) for line in lines)

    def _change(self, step: _Step) -> bool:
        """Draws what changes before this frame; whether the position or the camera does."""
        changed = [square for square in (step.take, step.put, step.straighten) if square is not None]
        if step.take is not None:
            del self.cells[step.take]
        if step.put is not None:
            letter, home = self.held
            self.cells[step.put] = (letter, step.lie or STRAIGHT, home)
        if step.straighten is not None:
            letter, _, home = self.cells[step.straighten]
            self.cells[step.straighten] = (letter, STRAIGHT, home)
        if step.held is not None:
            row, col = step.held
            self.held = self.params.boards[self.move + 1][row][col], step.held
        jolted = step.jolt is not None and not np.allclose(step.jolt, self.pose)
        if step.things is not None:
            self.scene = replace(self.scene, things=step.things)
        if step.light is not None:
            self.scene = replace(self.scene, light=step.light)
            self.sprites.clear()
        if jolted:
            self.pose = step.jolt
            self.view = turned_view(self.upright, np.array(self.pose))
        if jolted or step.light is not None or step.things is not None:
            self._draw_all()
        elif changed:
            self._draw_near(changed)
        return bool(changed) or jolted

    def _laid(self, square: Square, letter: str, lie: Lie, home: Square) -> _Laid:
        """The tile that belongs to `home`, lying on `square`."""
        dx, dy, turn = lie
        at, own = self.places[square], self.places[home]
        return replace(at, letter=letter, style=own.style, x=at.x + dx, y=at.y + dy, turn=at.turn + turn, key=_key(own))

    def _lying(self) -> list[_Laid]:
        return [self._laid(square, *lying) for square, lying in sorted(self.cells.items())]

    def _draw_all(self) -> None:
        scene, view = self.scene, self.view
        noise = self.room.noise if self.room else None
        self.room = Darkroom(scene.light, scene.sensor, view, scene.seed + 1, noise)
        self.table = _table(scene, view)
        self.picture = self.table.copy()
        tiles = self._lying()
        _shadows(self.picture, scene, view, tiles)
        _tiles(self.picture, scene, view, tiles)
        easel = _easel(self.picture, scene, view)
        _things(easel, scene, view)
        self.covered = _hidden_squares(easel, scene)
        self.things_over = bool(_per_square(easel.hidden, view, scene.style.thickness / 2).any())
        if not self.things_over:  # beside the board it is the same whether they or the tiles are drawn first
            _things(_easel(self.table, scene, view), scene, view)
        if self.room.shine is not None:
            self.covered |= _burnt_out(self.room.shine, scene, view)
        self.plate = self.room.plate(self.picture)
        self.canvas, self.print, self.dirty = self.picture.copy(), self.plate.copy(), None

    def _draw_near(self, squares: list[Square]) -> None:
        """Draws again what is near squares whose tile was laid, taken or moved."""
        if self.things_over:
            self._draw_all()
            return
        scene, view = self.scene, self.view
        tiles = self._lying()
        for row, col in squares:
            room = 1.6  # for a tile that lies badly, and its shadow
            around = np.array([(col - room, row - room), (col + 1 + room, row - room)])
            around = np.concatenate([around, around + np.array([0, 1 + 2 * room])])
            points = np.concatenate([view.project(around), view.project(around, 2 * scene.style.thickness)])
            box = _clipped((*np.floor(points.min(axis=0)), *np.ceil(points.max(axis=0))), view.size)
            x0, y0, x1, y1 = box
            near = [tile for tile in tiles if abs(tile.x - col - 0.5) < 4.5 and abs(tile.y - row - 0.5) < 4.5]
            fresh = self.table.copy()
            _shadows(fresh, scene, view, tiles)
            _tiles(fresh, scene, view, near)
            self.picture[y0:y1, x0:x1] = fresh[y0:y1, x0:x1]
            self.room.redo(self.plate, self.picture, box)
            self._restore(box)

    def _restore(self, box: Box) -> None:
        """What is over the table is taken from the canvas; `box` has changed on the table."""
        pad = 2 * self.room.pad
        for part in (self.dirty, box):
            if part is not None:
                x0, y0, x1, y1 = _clipped((part[0] - pad, part[1] - pad, part[2] + pad, part[3] + pad), self.view.size)
                self.canvas[y0:y1, x0:x1] = self.picture[y0:y1, x0:x1]
                self.print.levels[y0:y1, x0:x1] = self.plate.levels[y0:y1, x0:x1]
                self.print.grain[y0:y1, x0:x1] = self.plate.grain[y0:y1, x0:x1]
        self.dirty = None

    def _sprite(self, who: int, pose: str, angle: float) -> tuple[Sprite, float]:
        """Drawn once for each pose and about each direction of the light; and its height over the board."""
        scene, steps = self.scene, 24
        turn = round(angle / 360 * steps) % steps
        unit = round(self.upright.camera.square_px)
        if (key := (who, pose, turn)) not in self.sprites:
            back = -2 * np.pi * turn / steps
            c, s = np.cos(back), np.sin(back)
            x, y = scene.light.towards
            towards = (float(c * x - s * y), float(s * x + c * y))
            if who == CAT:
                paw = replace(self.params.paw, tip=(7.5, 7.5), angle=0.0)
                self.sprites[key] = drawn(lambda easel: draw_paw(easel, paw), unit, towards)
            else:
                hand = replace(scene.hands[who], pose=pose, tip=(7.5, 7.5), angle=0.0)
                self.sprites[key] = drawn(lambda easel: draw_hand(easel, hand, cast=False), unit, towards)
        return self.sprites[key], (self.params.paw if who == CAT else scene.hands[who]).height

    def _over(self, step: _Step, number: int) -> NDArray[np.uint8]:
        """Draws the hand or paw and what it holds on the canvas; gives the mask of what is hidden."""
        scene, view, reach = self.scene, self.view, step.reach
        at = reach.at
        base = self.params.paw.angle if reach.who == CAT else scene.hands[reach.who].angle
        shoulder = np.array([7.5, 7.5]) + 30 * np.array([np.cos(np.radians(base)), np.sin(np.radians(base))])
        towards = shoulder - at
        angle = float(np.degrees(np.arctan2(towards[1], towards[0])))
        sprite, height = self._sprite(reach.who, reach.pose, angle)
        height = max(0.35, height + reach.lift)
        kernel = self._smear(at, height)
        pad = 0 if kernel is None else len(kernel) + 2
        tip = at
        if reach.who != CAT:  # the fingertips are to be where the tile is
            tip = at - SHORT.get(reach.pose, 0.0) * scene.hands[reach.who].size * towards / np.hypot(*towards)
        placed = place(sprite, (float(tip[0]), float(tip[1])), angle, height, view, pad)
        light = scene.light
        slope = np.clip(-np.array(light.towards) / np.tan(np.radians(light.elevation)) * height, -5, 5)
        blur = min((0.15 + light.softness * height * 2) * scene.camera.square_px, 240)
        left_light, left, top = shadow(sprite, placed, height, view, slope, blur, 0.75 * light.shadow)
        boxes = [placed.box, (left, top, left + left_light.shape[1], top + left_light.shape[0])]
        carried = None
        if step.held is not None:
            tile = self._laid(step.held, self.held[0], STRAIGHT, step.held)
            spot = at + 0.25 * towards / np.hypot(*towards)
            turn = tile.turn + float(np.random.default_rng((self.params.seed, number)).normal(0, 6))
            carried = replace(tile, x=float(spot[0]), y=float(spot[1]), turn=turn, base=max(0.1, height - 0.5))
            edge = _outlines(view.aspect, [carried])[0]
            top_edge = view.project(edge, carried.base)
            points = np.concatenate([top_edge, view.project(edge, carried.base + 2 * carried.style.thickness)])
            boxes.append(_clipped((*(points.min(axis=0) - 2), *(points.max(axis=0) + 3)), view.size))
        self._restore((0, 0, 0, 0))
        canvas = self.canvas
        if left_light.size:
            _, _, right, bottom = boxes[1]
            part = canvas[top:bottom, left:right]
            cv2.multiply(part, cv2.merge([left_light] * 3), part, 1 / 255)
        hidden = np.zeros(canvas.shape[:2], np.uint8)
        if carried is not None:
            _tiles(canvas, scene, view, [carried])
            cv2.fillConvexPoly(hidden, np.round(top_edge).astype(np.int32), 255)
        if placed.layer.size:
            layer = placed.layer
            if kernel is not None and min(layer.shape[:2]) > 1:  # at half the resolution, which nobody sees
                half = cv2.resize(layer, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
                half = cv2.filter2D(half, -1, kernel, borderType=cv2.BORDER_CONSTANT)
                layer = cv2.resize(half, layer.shape[1::-1], interpolation=cv2.INTER_LINEAR)
            x0, y0, x1, y1 = placed.box
            part, cover = canvas[y0:y1, x0:x1], layer[..., 3]
            cv2.multiply(part, cv2.merge([cv2.bitwise_not(cover)] * 3), part, 1 / 255)
            cv2.add(part, layer[..., :3], part)
            np.maximum(hidden[y0:y1, x0:x1], cover, out=hidden[y0:y1, x0:x1])
        boxes = [box for box in boxes if box[2] > box[0] and box[3] > box[1]]
        if boxes:
            each = np.array(boxes)
            self.dirty = (*(int(v) for v in each[:, :2].min(axis=0)), *(int(v) for v in each[:, 2:].max(axis=0)))
            self.room.redo(self.print, canvas, self.dirty)
        return hidden

    def _smear(self, at: NDArray[np.float64], height: float) -> NDArray[np.float32] | None:
        """Kernel that smears the hand along its way, for half the resolution; None where that is not to be seen.

        The shutter is open for a part of the time between two frames.
        """
        if self.last_hand is None:
            return None
        a, b = self.view.project(np.stack([self.last_hand, at]), height)
        length = min(float(np.hypot(*(b - a))) * self.params.shutter, 120.0) / 2
        if length < 1:
            return None
        size = int(length) // 2 * 2 + 3
        kernel = np.zeros((size, size), np.float32)
        half = (b - a) / np.hypot(*(b - a)) * (length / 2)
        ends = [tuple(np.round((size // 2 + sign * half) * 16).astype(int).tolist()) for sign in (-1, 1)]
        cv2.line(kernel, *ends, 1.0, 1, cv2.LINE_AA, 4)
        return kernel / kernel.sum()

    def _photo(self, plate: Plate, number: int) -> tuple[NDArray[np.uint8], Corners]:
        time = number / self.params.rate
        corners = self.view.project(GRID)
        brightness, shade = self._light(time)
        brightness *= self._exposure(plate)
        if self.params.shaky:
            degrees = np.degrees(self.params.shaky / self.view.focal)
            waves = np.sin(2 * np.pi * time * np.array([0.7, 0.9, 0.4]) + self.drift[:3])
            waves = waves + 0.5 * np.sin(2 * np.pi * time * np.array([2.1, 1.7, 1.3]) + self.drift[3:])
            matrix = _turned(self.view, degrees * waves)
            levels = plate.levels.view(np.uint16)  # never negative, and warped in half the time
            levels = cv2.warpPerspective(
                levels, matrix, self.view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
            plate = Plate(levels.view(np.int16), plate.grain)
            corners = cv2.perspectiveTransform(corners.reshape(-1, 1, 2), matrix)[:, 0]
        return self.room.printed(plate, self.scene.seed + 2 + number, brightness, shade), Corners.of(corners)

    def _exposure(self, plate: Plate) -> float:
        """Factor by which the camera exposes longer than at the start."""
        if self.params.auto:
            level = float(plate.levels[::16, ::16].mean())
            self.usual = self.usual or level
            wanted = (self.usual / max(level, 1.0)) ** (2 * self.params.auto)
            self.exposed += (wanted - self.exposed) * (1 - np.exp(-1 / (0.4 * self.params.rate)))
        return self.exposed

    def _light(self, time: float) -> tuple[float, NDArray[np.float32] | None]:
        """Factor of the light at this moment, which wanders a little, and of a shadow that passes."""
        waver = 1 + self.params.flicker * np.sin(2 * np.pi * np.array([0.13, 0.05]) * time + self.drift[:2]).sum()
        waver += self.params.drift * np.sin(2 * np.pi * time / 90 + self.drift[2])
        field = None
        for start, seconds, angle, depth, breadth in self.shades:
            t = (time - start) / seconds
            if 0 < t < 1:
                width, height = self.view.size
                y, x = np.mgrid[0 : height // 16 + 1, 0 : width // 16 + 1].astype(np.float32) * 16
                along = (x - width / 2) * np.cos(angle) + (y - height / 2) * np.sin(angle)
                middle = (2 * t - 1) * (0.6 * np.hypot(width, height) + 2 * breadth)
                shade = (1 - depth * np.exp(-(((along - middle) / breadth) ** 4))).astype(np.float32)
                full = cv2.resize(shade, (width, height), interpolation=cv2.INTER_LINEAR)
                field = full if field is None else field * full
        return float(waver), field


def _clipped(box: tuple[float, float, float, float], size: tuple[int, int]) -> Box:
    x0, y0, x1, y1 = (int(v) for v in box)
    return max(0, x0), max(0, y0), min(size[0], x1), min(size[1], y1)


def turned_view(view: View, degrees: NDArray[np.float64]) -> View:
    """The view of a camera that has turned by these angles about its own axes (right, down, forward)."""
    turned = copy(view)
    turned.rotation = cv2.Rodrigues(np.radians(np.asarray(degrees, np.float64)))[0] @ view.rotation
    return turned


def _shades(
    params: FilmParams, rng: np.random.Generator, until: float
) -> list[tuple[float, float, float, float, float]]:
    """Shadows that pass until this time: start, seconds, direction, depth, breadth in pixels."""
    shades, time = [], 0.0
    while (time := time + float(rng.uniform(2, 9))) < until:
        if rng.random() < params.shade:
            breadth = float(rng.uniform(0.08, 0.4) * params.size[0])
            seconds, depth = float(rng.uniform(1, 5)), float(rng.uniform(0.1, 0.55))
            shades.append((time, seconds, float(rng.uniform(0, 2 * np.pi)), depth, breadth))
    return shades


def _turned(view: View, degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    """How the picture moves when the camera turns by these angles about its own axes (right, down, forward)."""
    intrinsics = view.intrinsics
    turn = cv2.Rodrigues(np.radians(np.asarray(degrees, np.float64)))[0]
    return intrinsics @ turn @ np.linalg.inv(intrinsics)


def truth(frame: Frame, number: int) -> dict[str, object]:
    """The frame's truth as plain data, for a line of JSON."""
    return {
        "frame": number,
        "time_s": round(frame.time, 3),
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in frame.corners.points],
        "board": list(frame.board),
        "covered": [[int(r), int(c)] for r, c in np.argwhere(frame.covered)],
        "hand": frame.hand,
        "calm": frame.calm,
        "move": frame.move,
    }


def write_film(params: FilmParams, path: Path) -> int:
    """Writes the film (.mp4 or .avi) and beside it its truth (.jsonl, a line a frame); gives the number of frames."""
    code = cv2.VideoWriter.fourcc(*("MJPG" if path.suffix.lower() == ".avi" else "mp4v"))
    writer = cv2.VideoWriter(str(path), code, params.rate, params.size)
    if not writer.isOpened():
        raise OSError(f"cannot write a film to {path}")
    count = 0
    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as lines:
        for count, frame in enumerate(frames(params), 1):
            writer.write(frame.pixels)
            lines.write(json.dumps(truth(frame, count - 1), ensure_ascii=False) + "\n")
    writer.release()
    return count


def main(arguments: list[str]) -> int:
    """Writes a film of a game with its truth."""
    parser = argparse.ArgumentParser(prog="python -m models.table film", description=main.__doc__)
    parser.add_argument("--out", type=Path, default=Path("film.mp4"), help=".mp4 or .avi (default film.mp4)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--moves", type=int, help="how many moves (default 3; of a whole game all of them)")
    parser.add_argument("--game", action="store_true", help="the demo game instead of a random one")
    parser.add_argument("--whole", action="store_true", help="a whole legal game, with all that happens at a table")
    parser.add_argument("--words", type=Path, help="with --whole: file of words in capitals, one a line")
    parser.add_argument("--size", default="1280x720", help="width and height in pixels (default 1280x720)")
    parser.add_argument("--rate", type=float, default=10.0, help="frames a second (default 10)")
    options = parser.parse_args(arguments)
    width, height = (int(part) for part in options.size.split("x"))
    if options.whole:
        from models.table import whole_film  # which is made of films

        if options.words is None:
            parser.error("--whole needs --words FILE, the words that the players know")
        words = WordSearch(options.words.read_text(encoding="utf-8").split())
        whole = whole_film.whole_film(options.seed, words, turns=options.moves, size=(width, height), rate=options.rate)
        count = whole_film.write_whole_film(whole, options.out)
    else:
        rng, moves = np.random.default_rng(options.seed), 3 if options.moves is None else options.moves
        boards = demo_boards()[: moves + 1] if options.game else random_game(rng, moves)
        params = sample_film(rng, boards, size=(width, height), rate=options.rate)
        count = write_film(params, options.out)
    print(f"{options.out}: {count} frames")
    print(options.out.with_suffix(".jsonl"))
    if options.whole:
        print(options.out.with_suffix(".json"))
    return 0
