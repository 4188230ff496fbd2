"""Whole games as photos from a phone, with the score sheet that a reader should make of them.

    words = WordSearch(["QUAL", "QUALEN", ...])
    game = rendered_game(3, words)                      # or rendered_game(3, words, disturbed=True)
    for shot in game.shots:
        jpeg = photo(shot)                              # the file; shot.kind, shot.player, shot.tiles, shot.score

Board, tiles, table and lamp are those of one game; each photo is taken from another place, from any side of the table.
In a disturbed game about every third photo has something in it that is no plain move, see DISTURBANCES.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import cv2
import numpy as np
from PIL import ExifTags, Image

from models.table.camera import Camera
from models.table.drawn_game import DrawnGame, Turn, WordSearch, draw_game
from models.table.editions import EDITIONS
from models.table.fillings import EMPTY, Filling
from models.table.items import Hand, random_hand
from models.table.light import Light, Sensor
from models.table.scene import SceneParams, hidden_squares, render, sample_params
from models.table.tiles import TileStyle, random_style, typical_style
from scorer.board import SIZE, Board
from scorer.placement import Placement, check_placement
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102, is_blank

PLAYERS = ("Anna", "Bernd")
RULES = RULE_SETS["turnier"]

DISTURBANCES = (
    *("initials", "hand", "mid-move", "same-photo", "again", "nudged", "other-board"),
    *("forgotten", "withdrawn-placed", "turned", "missing", "unreadable"),
)
"""What may be in a photo of a disturbed game:

initials: tiles that name the players, laid before the first move and taken away again
hand: a hand or a sleeve over one to eight squares, more than half of the new tiles in sight
mid-move: only a part of the move's tiles lie; the photo of the whole move follows some seconds later
same-photo: the same file a second time; again: another photo of the same position, a second or two later
nudged: three or more tiles in a row are pushed out of place; before the next photo they are put right
other-board: a photo of another game
forgotten: there was a move before this one that nobody photographed
withdrawn-placed: the last move was taken back before this one was laid, without a photo in between
turned: somebody turned the board on the table, it stays so
missing: a tile of an earlier move does not lie on the board, in this photo only
unreadable: far too blurred, or half of the board outside; a better photo of the same position follows
"""

SHARE = 0.4
"""Chance that something is wrong with the photo of a move, where something can be: about every third photo then."""

SQUARE_PX = (24.0, 60.0)
MAX_TILT = 40.0
MOST_HIDDEN = 8
"""Squares that a hand hides at most."""

Tile = tuple[int, int, str]
Square = tuple[int, int]


@dataclass(frozen=True)
class Shot:
    """One photo and what the assistant should make of it.

    name: of the file; kind: as in the command-line contract; player: seat, None where it is nobody's turn
    tiles: the new ones, (row, col, tile), a lower-case letter is a blank; score: of the move
    scene: what is to be rendered, its filling is what lies there, '?' for a blank; quality: of the JPEG
    taken: written into the file; None where the file has no time
    disturbance: one of DISTURBANCES
    forgotten: tiles of the move before this one that has no photo, forgotten_score its score; either_order: the
    rules would also allow the two moves in the other order, so that only their words or a person can tell
    taken_back: the move's tiles are gone in a later photo; takes_back: name of the photo of the move that is gone here
    """

    name: str
    kind: str
    player: int | None
    scene: SceneParams
    quality: int
    tiles: tuple[Tile, ...] = ()
    score: int | None = None
    taken: datetime | None = None
    disturbance: str | None = None
    forgotten: tuple[Tile, ...] = ()
    forgotten_score: int | None = None
    either_order: bool = False
    taken_back: bool = False
    takes_back: str | None = None

    @property
    def board(self) -> Filling:
        """What really lies there when the photo is taken, '?' for a blank."""
        return self.scene.filling


@dataclass(frozen=True)
class RenderedGame:
    """A game with its photos.

    totals: points of the moves by seat; board: the final position, a lower-case letter is a blank
    """

    seed: int
    disturbed: bool
    shots: tuple[Shot, ...]
    drawn: DrawnGame
    totals: tuple[int, ...]
    board: Filling
    players: tuple[str, ...] = PLAYERS


def rendered_game(seed: int, words: WordSearch, disturbed: bool = False) -> RenderedGame:
    """The game of this seed; plain and disturbed it is the same game on the same board, with other photos."""
    drawn = draw_game(np.random.default_rng((seed, 1)), words, int(np.random.default_rng((seed, 2)).integers(21, 27)))
    look = sample_look(np.random.default_rng((seed, 3)))
    album = _Album(look, np.random.default_rng((seed, 4, disturbed)), disturbed)
    if disturbed:
        other = np.random.default_rng((seed, 5))
        table = look if other.random() < 0.3 else sample_look(other)  # a club has many of the same
        album.strangers = table, draw_game(other, words, 16)
    album.fill(drawn)
    return RenderedGame(seed, disturbed, tuple(album.shots), drawn, drawn.totals, album.board.rows)


def photo(shot: Shot) -> bytes:
    """The file: JPEG, with the time in which it was taken where the shot has one."""
    image = Image.fromarray(cv2.cvtColor(render(shot.scene).pixels, cv2.COLOR_BGR2RGB))
    exif = Image.Exif()
    if shot.taken is not None:
        times = exif.get_ifd(ExifTags.IFD.Exif)
        times[ExifTags.Base.DateTimeOriginal] = shot.taken.strftime("%Y:%m:%d %H:%M:%S")
        times[ExifTags.Base.SubsecTimeOriginal] = f"{shot.taken.microsecond // 1000:03d}"
    file = io.BytesIO()
    image.save(file, "JPEG", quality=shot.quality, exif=exif)
    return file.getvalue()


# --- what a game looks like ---------------------------------------------------------------------------------------


def sample_look(rng: np.random.Generator) -> SceneParams:
    """Board, tiles, table and light of one game: German and American boards, tiles as a German family has them."""
    known = [look for look in EDITIONS if look.name.startswith(("german", "us"))]
    shares = np.array([2.0 if look.name.startswith("german") else 1.0 for look in known])
    edition = known[int(rng.choice(len(known), p=shares / shares.sum()))]
    look = sample_params(
        rng, {"hands", "foreign", "turned"}, filling=EMPTY, edition=edition, style=_family_style(rng, edition.name)
    )
    light = look.light
    light = replace(
        light,
        elevation=max(light.elevation, 20.0),
        exposure=float(np.clip(light.exposure, 0.55, 1.35)),
        glare=(),
        mirror=(),
        fade=(0.0, 0.0, 0.0),
        saturation=float(np.clip(light.saturation, 0.6, 1.4)),
        vignette=min(light.vignette, 0.25),
    )
    return replace(
        look,
        light=light,
        shift=min(look.shift, 0.06),
        turn=min(look.turn, 4.5),
        stray=min(look.stray, 0.03),
        second=None,
        second_share=0.0,
        # what stands high hides squares from one side
        things=tuple(thing for thing in look.things if thing.kind not in ("cup", "book", "cable")),
    )


def _family_style(rng: np.random.Generator, edition: str) -> TileStyle:
    """Mostly the tiles that come with a German set, often wooden ones, now and then any set sold in shops."""
    kind = rng.random()
    if kind < 0.55:
        return typical_style(rng, "german")
    if kind < 0.75 or (edition.startswith("us") and kind < 0.85):
        return replace(typical_style(rng, "american"), values="german")
    style = random_style(rng)
    return replace(style, values="german", blank="plain" if style.blank == "face" else style.blank)


def _camera(rng: np.random.Generator) -> Camera:
    """A phone held over the table from any side, mostly by somebody who sits at one of the four."""
    u = rng.uniform
    azimuth = float(90 * rng.integers(4) + rng.normal(0, 12) if rng.random() < 0.65 else u(0, 360))
    tilt = float(rng.choice([u(0, 8), u(8, 30), u(30, MAX_TILT)], p=[0.2, 0.65, 0.15]))
    sideways = 90 * rng.integers(4) if rng.random() < 0.1 else 0  # a phone that mistakes its own turn
    margins = np.where(rng.random(4) < 0.7, u(0.03, 0.14, 4), u(0.1, 0.3, 4))
    return Camera(
        tilt=tilt,
        azimuth=azimuth % 360,
        roll=float(azimuth - 90 + rng.normal(0, 5) + sideways),
        distance=float(u(22, 45)),
        square_px=float(u(*SQUARE_PX)),
        margins=tuple(float(margin) for margin in margins),
    )


def _sensor(rng: np.random.Generator, square_px: float) -> Sensor:
    """Mild blur and noise."""
    u = rng.uniform
    return Sensor(
        defocus=float(u(0.3, max(0.6, 0.03 * square_px))),
        motion=float(u(0.5, 0.06 * square_px) if rng.random() < 0.2 else 0.0),
        motion_angle=float(u(0, 180)),
        shot=float(u(0.0, 0.02)),
        read=float(u(0.0, 0.006)),
        smooth=float(u(0.4, 1.0) if rng.random() < 0.4 else 0.0),
        sharpen=float(u(0.2, 1.2) if rng.random() < 0.5 else 0.0),
        quality=0,
    )


def _drifted(rng: np.random.Generator, light: Light) -> Light:
    """The same lamp a little later, in a phone that exposes by itself; now and then a faint shine on the board."""
    glare = ()
    if rng.random() < 0.15:
        length = float(rng.uniform(1, 5))
        spot = (*rng.uniform(0, SIZE, 2), length, length * rng.uniform(0.3, 1), rng.uniform(0, 180))
        glare = ((*(float(v) for v in spot), float(rng.uniform(0.03, 0.2))),)
    return replace(
        light,
        azimuth=float(light.azimuth + rng.normal(0, 1.5)),
        exposure=float(np.clip(light.exposure * np.exp(rng.normal(0, 0.06)), 0.5, 1.4)),
        gains=tuple(float(gain * np.exp(rng.normal(0, 0.02))) for gain in light.gains),
        glare=glare,
    )


def turned_round(scene: SceneParams, quarters: int) -> SceneParams:
    """The table as it lies to the board after the board was turned on it by so many quarters: everything but the
    board and its tiles goes the other way."""
    degrees = 90.0 * (quarters % 4)
    light = scene.light

    def turned(x: float, y: float) -> tuple[float, float]:
        for _ in range(quarters % 4):
            x, y = -y, x
        return x, y

    things = []
    for thing in scene.things:
        x, y = turned(thing.at[0] - SIZE / 2, thing.at[1] - SIZE / 2)
        things.append(replace(thing, at=(x + SIZE / 2, y + SIZE / 2), angle=thing.angle + degrees))
    return replace(
        scene,
        light=replace(
            light,
            azimuth=light.azimuth + degrees,
            lamp_at=turned(*light.lamp_at),
            patches=tuple((kind, angle + degrees, *rest) for kind, angle, *rest in light.patches),
        ),
        ground=replace(scene.ground, turn=scene.ground.turn + degrees),
        things=tuple(things),
    )


# --- the photos of a game -----------------------------------------------------------------------------------------


@dataclass
class _Album:
    """Takes the photos of a game, in order.

    strangers: another game and its look, for a photo of another board
    board: what lies there now; quarters: how far the board was turned on the table so far
    used: how often each disturbance came; now: what the camera's clock says
    gone: name of the photo of a move that was taken back without a photo of it yet
    forgotten: a move that nobody photographed, and what lay there before it
    """

    look: SceneParams
    rng: np.random.Generator
    disturbed: bool
    strangers: tuple[SceneParams, DrawnGame] | None = None
    shots: list[Shot] = field(default_factory=list)
    board: Board = field(default_factory=Board.empty)
    quarters: int = 0
    used: Counter[str] = field(default_factory=Counter)
    now: datetime = datetime(2026, 1, 4, 15, 0)
    gone: str | None = None
    forgotten: tuple[Turn, Board] | None = None

    def fill(self, drawn: DrawnGame) -> None:
        rng = self.rng
        self.now += timedelta(days=int(rng.integers(300)), seconds=float(rng.uniform(0, 9000)))
        if rng.random() < 0.7:
            self._take("start")
        if self.disturbed and rng.random() < 0.5:
            self._wait(60, 200)
            self._take("not-a-move", filling=_with(EMPTY, _initials(rng)), disturbance="initials")
        turns = list(drawn.turns)
        while turns:
            turn, following = turns.pop(0), turns[0] if turns else None
            self._wait(30, 180)
            if turn.play is None:
                self._take("none", turn.player)
            elif turn.challenged:
                self._challenged(turn, following)
            else:
                self._move(turn, following)

    def _wait(self, least: float, most: float) -> None:
        self.now += timedelta(milliseconds=int(1000 * self.rng.uniform(least, most)))

    def _challenged(self, turn: Turn, following: Turn | None) -> None:
        before = self.board
        taken = self._lay(turn)
        self.shots[-1] = replace(taken, taken_back=True)
        self.board = before
        unseen = self.disturbed and following is not None and following.play is not None and not following.challenged
        if not (unseen and self.rng.random() < 0.6):
            self._wait(15, 60)
            self._take("withdrawn", takes_back=taken.name)
            return
        self.gone = taken.name

    def _move(self, turn: Turn, following: Turn | None) -> None:
        """The photo of a move, with what may be wrong with it."""
        rng, gone, self.gone = self.rng, self.gone, None
        if gone is not None:
            self._lay(turn, disturbance="withdrawn-placed", takes_back=gone)
            return
        assert turn.play is not None
        after = self.board.placed(dict(turn.play.placement.tiles))
        kind = self._drawn_disturbance(following, after)
        if kind == "forgotten":
            self.forgotten, self.board = (turn, self.board), after
            return
        if self.forgotten is not None:
            self._after_forgotten(turn)
            return
        if kind in ("hand", "nudged", "missing", "turned"):
            if kind == "turned":
                self.quarters += int(rng.integers(1, 4))
            self._lay(turn, disturbance=kind)
            return
        if kind == "mid-move":
            self._part_of(turn)
        elif kind == "unreadable":
            self._lay(turn, spoiled=True)
            return
        taken = self._lay(turn)
        if kind == "same-photo":
            copy = replace(taken, name=self._name(), kind="not-a-move", disturbance=kind)
            self.shots.append(replace(copy, player=None, tiles=(), score=None))
        elif kind == "again":
            self._wait(1, 2)
            camera = _nearly(rng, taken.scene.camera)
            self._take("not-a-move", camera=camera, light=taken.scene.light, disturbance=kind)
        elif kind == "other-board":
            self._wait(5, 25)
            self._other_board()

    def _drawn_disturbance(self, following: Turn | None, after: Board) -> str | None:
        """One that is possible here, seldom one that this game has had."""
        rng = self.rng
        happens, chances = rng.random() < SHARE, rng.random(len(DISTURBANCES))
        if not self.disturbed or not happens or self.forgotten is not None:
            return None
        plain_next = following is not None and following.play is not None and not following.challenged
        can = {
            "hand": True,
            "mid-move": len(after.occupied) - len(self.board.occupied) >= 2,
            "same-photo": True,
            "again": True,
            "nudged": bool(_pushable(after)),
            "other-board": len(self.board.occupied) >= 8,
            "forgotten": plain_next,
            "turned": True,
            "missing": bool(self._old_tiles()) and len(self.board.occupied) >= 8,
            "unreadable": True,
        }
        kinds = [(self.used[kind] - chance, kind) for kind, chance in zip(DISTURBANCES, chances, strict=True)]
        kind = min(one for one in kinds if can.get(one[1]))[1]
        self.used[kind] += 1
        return kind

    def _lay(self, turn: Turn, disturbance: str | None = None, spoiled: bool = False, **more: Any) -> Shot:
        """Lays the tiles of a turn and takes the photo of it; first one that nobody can read, if `spoiled`."""
        assert turn.play is not None
        placement = turn.play.placement
        before = self.board
        self.board = self.board.placed(dict(placement.tiles))
        new = [(row, col) for (row, col), _ in placement.tiles]
        if spoiled:
            self._unreadable()
            self._wait(4, 10)
        changes: dict[str, Any] = {}
        if disturbance == "nudged":
            changes["pushed"] = _pushed(self.rng, self.board)
        elif disturbance == "missing":
            old = self._old_tiles(before)
            gone = old[int(self.rng.integers(len(old)))]
            changes["filling"] = _with(_filling(self.board), {gone: "."})
        return self._take(
            "place", turn.player, _tiles(placement), turn.play.score, disturbance=disturbance,
            hand_near=new if disturbance == "hand" else None, **changes, **more,
        )  # fmt: skip

    def _after_forgotten(self, turn: Turn) -> None:
        assert self.forgotten is not None and turn.play is not None
        (first, before), self.forgotten = self.forgotten, None
        assert first.play is not None
        own, earlier = turn.play.placement, first.play.placement
        reordered = not check_placement(before, own, RULES, GERMAN_102) and not check_placement(
            before.placed(dict(own.tiles)), earlier, RULES, GERMAN_102
        )
        self._lay(
            turn, "forgotten", forgotten=_tiles(earlier), forgotten_score=first.play.score, either_order=reordered
        )

    def _part_of(self, turn: Turn) -> None:
        """A photo in which only some of the tiles lie, the hand mostly not far."""
        assert turn.play is not None
        rng, tiles = self.rng, list(turn.play.placement.tiles)
        order = range(len(tiles)) if rng.random() < 0.7 else rng.permutation(len(tiles))
        part = [tiles[k] for k in order][: int(rng.integers(1, len(tiles)))]
        near = [(row, col) for (row, col), _ in part] if rng.random() < 0.7 else None
        filling = _filling(self.board.placed(dict(part)))
        self._take("not-a-move", filling=filling, hand_near=near, disturbance="mid-move")
        self._wait(3, 9)

    def _unreadable(self) -> None:
        rng, camera = self.rng, _camera(self.rng)
        sensor = _sensor(rng, camera.square_px)
        if rng.random() < 0.5:
            blur = float(rng.uniform(0.28, 0.45) * camera.square_px)
            sensor = replace(sensor, defocus=blur, motion=float(rng.uniform(0, 0.8) * camera.square_px))
        else:
            side = int(rng.integers(4))
            cut = [-float(rng.uniform(0.2, 0.45)) if k == side else float(rng.uniform(0.03, 0.2)) for k in range(4)]
            camera = replace(camera, margins=tuple(cut))
        self._take("not-a-move", camera=camera, sensor=sensor, disturbance="unreadable")

    def _other_board(self) -> None:
        assert self.strangers is not None
        look, game = self.strangers
        board = Board.empty()
        for turn in game.turns[: int(self.rng.integers(6, max(7, 1 + len(game.turns))))]:
            if turn.play is not None and not turn.challenged:
                board = board.placed(dict(turn.play.placement.tiles))
        self._take("not-a-move", look=look, filling=_filling(board), disturbance="other-board")

    def _old_tiles(self, board: Board | None = None) -> list[Square]:
        """Tiles of which one may be missing: not one that was laid alone, it would look like a move taken back."""
        alone = {shot.tiles[0][:2] for shot in self.shots if len(shot.tiles) == 1}
        alone |= {shot.forgotten[0][:2] for shot in self.shots if len(shot.forgotten) == 1}
        return sorted((row, col) for row, col in (board or self.board).occupied if (row, col) not in alone)

    def _name(self) -> str:
        return f"{len(self.shots):02d}.jpg"

    def _take(
        self,
        kind: str,
        player: int | None = None,
        tiles: tuple[Tile, ...] = (),
        score: int | None = None,
        *,
        look: SceneParams | None = None,
        filling: Filling | None = None,
        camera: Camera | None = None,
        light: Light | None = None,
        sensor: Sensor | None = None,
        hand_near: Sequence[Square] | None = None,
        pushed: tuple[tuple[Square, tuple[float, float, float]], ...] = (),
        **more: Any,
    ) -> Shot:
        rng = self.rng
        table = turned_round(look or self.look, self.quarters)
        camera = camera or _camera(rng)
        scene = replace(
            table,
            filling=filling or _filling(self.board),
            camera=camera,
            light=light or _drifted(rng, table.light),
            sensor=sensor or _sensor(rng, camera.square_px),
            pushed=pushed,
            number=len(self.shots),
        )
        # what would hide squares from here lies elsewhere
        things = tuple(thing for thing in scene.things if not hidden_squares(replace(scene, things=(thing,))).any())
        scene = replace(scene, things=things)
        if hand_near is not None:
            scene = replace(scene, hands=_hand(rng, scene, hand_near))
        shot = Shot(
            self._name(), kind, player, scene, int(rng.integers(72, 95)), tiles, score,
            self.now if self.disturbed else None, **more,
        )  # fmt: skip
        self.shots.append(shot)
        return shot


def _tiles(placement: Placement) -> tuple[Tile, ...]:
    return tuple((row, col, tile) for (row, col), tile in placement.tiles)


def _filling(board: Board) -> Filling:
    return tuple("".join("?" if char != "." and is_blank(char) else char for char in row) for row in board.rows)


def _with(filling: Filling, tiles: dict[Square, str]) -> Filling:
    cells = [list(row) for row in filling]
    for (row, col), tile in tiles.items():
        cells[row][col] = tile
    return tuple("".join(row) for row in cells)


def _initials(rng: np.random.Generator) -> dict[Square, str]:
    """Two to five tiles: one or two letters for each player, a blank or a gap between them."""
    first, second = ([str(rng.choice(list("ABCDEFGHIJKLMNOPRSTUVW"))) for _ in range(rng.integers(1, 3))] for _ in "12")
    between = "?" if rng.random() < 0.5 else "."
    row = 7 if rng.random() < 0.5 else int(rng.integers(3, 12))
    line = [*first, between, *second]
    start = int(rng.integers(4, 7))
    return {(row, start + k): tile for k, tile in enumerate(line) if tile != "."}


def _nearly(rng: np.random.Generator, camera: Camera) -> Camera:
    """The place of a hand that has kept still, or nearly."""
    return replace(
        camera,
        tilt=max(0.0, camera.tilt + float(rng.normal(0, 1.5))),
        azimuth=camera.azimuth + float(rng.normal(0, 2)),
        roll=camera.roll + float(rng.normal(0, 2)),
        distance=camera.distance * float(np.exp(rng.normal(0, 0.02))),
        square_px=camera.square_px * float(np.exp(rng.normal(0, 0.02))),
        margins=tuple(max(0.01, margin + float(rng.normal(0, 0.01))) for margin in camera.margins),
    )


def _hand(rng: np.random.Generator, scene: SceneParams, near: Sequence[Square]) -> tuple[Hand, ...]:
    """A hand that hides one to MOST_HIDDEN squares, rather near these, and less than half of them."""
    middle = np.array(near, float).mean(axis=0)[::-1] + 0.5
    for attempt in range(80):
        hand = random_hand(rng)
        angle = np.radians(hand.angle)
        arm = np.array([np.cos(angle), np.sin(angle)])
        target = middle if attempt < 50 else rng.uniform(0, SIZE, 2)
        # the fingertips as far from there as it takes to hide few squares: each attempt draws another distance
        tip = target + arm * rng.uniform(-1, 7) + rng.normal(0, 0.7, 2)
        hand = replace(hand, tip=(float(tip[0]), float(tip[1])))
        hidden = hidden_squares(replace(scene, hands=(hand,)))
        if 0 < hidden.sum() <= MOST_HIDDEN and sum(hidden[square] for square in near) * 2 < len(near):
            return (hand,)
    return ()


def _pushable(board: Board) -> list[tuple[tuple[Square, ...], Square]]:
    """Rows of three or more tiles and a way, (down, right), in which they can be pushed together without meeting
    another tile or the board's rim."""
    found = []
    for across in (True, False):
        for line, text in enumerate(board.rows if across else board.columns):
            for start in range(SIZE):
                for end in range(start + 3, SIZE + 1):
                    if "." in text[start:end]:
                        break
                    piece = tuple((line, k) if across else (k, line) for k in range(start, end))
                    for way in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                        into = {(row + way[0], col + way[1]) for row, col in piece} - set(piece)
                        if all(0 <= r < SIZE and 0 <= c < SIZE and board.rows[r][c] == "." for r, c in into):
                            found.append((piece, way))
    return found


def _pushed(rng: np.random.Generator, board: Board) -> tuple[tuple[Square, tuple[float, float, float]], ...]:
    choices = _pushable(board)
    piece, (down, right) = choices[int(rng.integers(len(choices)))]
    far = float(rng.uniform(0.3, 0.5))
    return tuple((square, (right * far, down * far, 0.0)) for square in piece)
