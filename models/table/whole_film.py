"""Films of whole legal games, with all that happens at a table and the truth about each move.

    words = WordSearch(["QUAL", "QUALEN", ...])
    film = whole_film(3, words)                          # film.moves, film.totals, film.params
    for frame in whole_frames(film): ...                 # film.Frame; frame.move: how many of film.moves are complete
    write_whole_film(film, Path("game.mp4"))             # and game.jsonl (frames), game.json (moves)

Players think, lay tiles one by one, put them right, lay them elsewhere and take them back, point at squares, rest an
arm on the board, put a bag or a phone beside it. A cat reaches in, the camera is bumped, the lamp is switched.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.camera import View
from models.table.drawn_game import DrawnGame, WordSearch, draw_game
from models.table.fillings import EMPTY, Filling
from models.table.film import (
    CAT,
    FilmParams,
    Frame,
    _Player,
    _Reach,
    _Script,
    _Step,
    sample_film,
    truth,
    turned_view,
)
from models.table.games import PLAYERS, Tile, _filling, _tiles, sample_look
from models.table.items import Thing, random_paw, random_thing
from models.table.light import Light, Sensor
from models.table.scene import hidden_squares
from scorer.board import Board
from vision.geometry import SIZE

TURNS = (21, 26)
"""Turns of a game, at least and at most."""

FILL = (0.66, 0.88)
"""Share of the picture that the board fills: a camera that is bumped needs room."""


@dataclass(frozen=True)
class Move:
    """What a finder should find, in order.

    kind: "place", "withdrawn" (the tiles of the move before are taken back after a challenge) or "none"
    player: whose turn it is; of a withdrawn one who had laid it
    tiles: laid or taken back, (row, col, letter), a lower-case letter is a blank; words: those it makes; score: of them
    board: what lies there after it, '?' for a blank
    """

    kind: str
    player: int
    tiles: tuple[Tile, ...]
    words: tuple[str, ...]
    score: int | None
    board: Filling


@dataclass(frozen=True)
class WholeFilm:
    """params: how it looks and what lies there; moves: `params.boards[k + 1]` lies there after moves[k]
    totals: points of the moves by seat, without those taken back
    calm: seconds after each move in which nothing reaches over the board, at least and at most
    """

    seed: int
    params: FilmParams
    moves: tuple[Move, ...]
    totals: tuple[int, ...]
    calm: tuple[float, float] = (4.0, 7.0)


def whole_film(
    seed: int,
    words: WordSearch,
    *,
    turns: int | None = None,
    size: tuple[int, int] = (1280, 720),
    rate: float = 10.0,
) -> WholeFilm:
    """The film of this seed; the same seed, words and turns give the same pixels.

    turns: as many instead of 21 to 26
    """
    count = turns or int(np.random.default_rng((seed, 2)).integers(TURNS[0], TURNS[1] + 1))
    game = draw_game(np.random.default_rng((seed, 1)), words, count)
    rng = np.random.default_rng((seed, 3))
    look = sample_look(rng)
    u = rng.uniform
    sensor = Sensor(
        defocus=float(u(0.3, 1.1)),
        shot=float(u(0.004, 0.02)),
        read=float(u(0.001, 0.006)),
        smooth=float(u(0.5, 1.0)),
        sharpen=float(u(0.2, 1.0) if rng.random() < 0.5 else 0.0),
        quality=0,
    )
    params = sample_film(rng, (EMPTY,), size=size, rate=rate, look=replace(look, sensor=sensor), fill=FILL)
    scene = replace(params.scene, light=replace(params.scene.light, glare=(), mirror=()))
    # what lies around hides no square
    things = tuple(
        thing for thing in scene.things if not hidden_squares(replace(scene, hands=(), things=(thing,))).any()
    )
    params = replace(
        params,
        scene=replace(scene, things=things),
        flicker=float(u(0, 0.05)),
        drift=float(u(0, 0.2)),
        shade=0.15,
        auto=float(u(0, 0.6) if rng.random() < 0.7 else 0.0),
        shaky=float(u(0.3, 1.2) if rng.random() < 0.25 else 0.0),
        rearrange=0.2,
        paw=random_paw(rng),
    )
    moves = _moves(game)
    boards = (EMPTY, *(move.board for move in moves))
    return WholeFilm(seed, replace(params, boards=boards), moves, game.totals)


def _moves(game: DrawnGame) -> tuple[Move, ...]:
    board, moves = Board.empty(), []
    for turn in game.turns:
        if turn.play is None:
            moves.append(Move("none", turn.player, (), (), None, _filling(board)))
            continue
        laid = board.placed(dict(turn.play.placement.tiles))
        tiles, words = _tiles(turn.play.placement), tuple(word.capitals for word in turn.play.words)
        moves.append(Move("place", turn.player, tiles, words, turn.play.score, _filling(laid)))
        if turn.challenged:
            moves.append(Move("withdrawn", turn.player, tiles, (), None, _filling(board)))
        else:
            board = laid
    return tuple(moves)


class _WholeScript(_Script):
    """The steps of a whole game: moves, and between them what else happens."""

    def __init__(self, film: WholeFilm) -> None:
        super().__init__(replace(film.params, pause=film.calm))
        self.film = film
        self.rest: NDArray[np.float64] = np.zeros(3)
        self.light: Light = film.params.scene.light
        self.things = film.params.scene.things
        self.view = View(film.params.scene.camera, film.params.scene.edition.aspect)

    def write(self) -> list[_Step]:
        rng, moves = self.rng, self.film.moves
        between = self._between()
        self._calm()
        for number, move in enumerate(moves):
            self.player = move.player
            for what in between[number]:
                self._named(what, getattr(self, f"_{what}"))
                self._idle(1.5, 4.0)
            before, after = self.params.boards[number : number + 2]
            start = len(self.steps)
            if move.kind == "none":
                self._idle(2.0, 5.0)
            else:
                if move.kind == "place" and rng.random() < 0.1:
                    self._named("false-start", lambda b=before, a=after: self._false_start(b, a))
                self._named("takes" if move.kind == "withdrawn" else "lays", lambda b=before, a=after: self._move(b, a))
                if rng.random() < 0.12:
                    self._named("lingers", self._linger)
                self._named("leaves", self._leave)
                if number in self.knocked:
                    self._knock(start)
            self.steps.append(_Step(done=True))
            self._calm()
        return self.steps

    def _named(self, what: str, happen) -> None:
        start = len(self.steps)
        happen()
        for step in self.steps[start:]:
            step.what = step.what or what

    def _between(self) -> list[list[str]]:
        """What happens before each move: about a cat, two bumps, one lamp a game; pointing and resting more often."""
        rng, count = self.rng, len(self.film.moves)
        share = min(1.0, count / 20)  # short films have less

        def times(*counts: int) -> int:
            return int(np.ceil(rng.choice(counts) * share - 1e-9))

        happens: list[list[str]] = [[] for _ in range(count)]
        for what, often in (
            ("cat", times(1, 1, 1, 2)), ("bump", times(1, 2, 2)), ("lamp", times(1, 1, 2)),
            ("thing", times(0, 1, 1, 2)), ("points", times(2, 3, 4)), ("rests", times(2, 3)), ("away", times(1, 2)),
        ):  # fmt: skip
            for _ in range(often):
                happens[int(rng.integers(count))].append(what)
        for place in happens:
            place[:] = [place[i] for i in rng.permutation(len(place))]
        laid = [number for number, move in enumerate(self.film.moves) if move.kind == "place"]
        self.knocked = {laid[int(rng.integers(len(laid)))]} if rng.random() < 0.5 * share and laid else set()
        return happens

    def _idle(self, least: float, most: float) -> None:
        for _ in range(max(1, round(self.rng.uniform(least, most) * self.params.rate))):
            self.steps.append(_Step())

    def _hold(self, seconds: float, pose: str, who: int | None = None, lift: float = -0.7, tremor: float = 0.0) -> None:
        """A hand that keeps still, or nearly."""
        for _ in range(max(1, round(seconds * self.params.rate))):
            at = self.at + (self.rng.normal(0, tremor, 2) if tremor else 0.0)
            self.steps.append(_Step(reach=_Reach(self.player if who is None else who, at, pose, lift)))

    def _false_start(self, before: Filling, after: Filling) -> None:
        """Lays some of the tiles elsewhere, looks at them, takes them all back."""
        rng = self.rng
        new = [(r, c) for r in range(SIZE) for c in range(SIZE) if before[r][c] != after[r][c]]
        for _ in range(60):
            count = int(rng.integers(1, len(new) + 1))
            row, col = int(rng.integers(1, 14)), int(rng.integers(1, 14))
            line = [(row, k) for k in range(col, SIZE)] if rng.random() < 0.5 else [(k, col) for k in range(row, SIZE)]
            places = [(r, c) for r, c in line if before[r][c] == "."][:count]
            if len(places) == count and not set(places) & set(new):
                break
        else:
            return
        for i, (square, place) in enumerate(zip(new, places, strict=False)):
            self._lay(square, place, fresh=i % 3 == 0)
        if rng.random() < 0.6:
            self._leave()
            self._idle(0.3, 1.2)
        else:
            self._stay(int(rng.integers(3, 12)), "pointing")
        for place in places:
            self._go(self._fingers(place))
            self._stay(1, take=place)
        self._leave()
        self._idle(0.5, 2.0)

    def _linger(self) -> None:
        """The hand does not leave at once: it rests beside what it has laid."""
        self._go(self.at + self.rng.normal(0, 2, 2), str(self.rng.choice(["flat", "fist"])))
        self._hold(float(self.rng.uniform(1, 4)), self.steps[-1].reach.pose, tremor=float(self.rng.choice([0.0, 0.02])))

    def _points(self) -> None:
        """Counts squares with a finger."""
        rng = self.rng
        at, step = rng.uniform(2, 13, 2), rng.choice([-1, 1]) * np.eye(2)[int(rng.integers(2))]
        for _ in range(int(rng.integers(1, 7))):
            self._go(np.clip(at, 0.5, 14.5), "pointing")
            self._stay(int(rng.integers(1, 5)), "pointing")
            at = at + step
        self._leave()

    def _rests(self) -> None:
        """A hand or forearm lies over the board for some seconds."""
        rng = self.rng
        if rng.random() < 0.4:  # of the one who waits
            self.player = 1 - self.player
        angle = np.radians(self.params.scene.hands[self.player].angle)
        out, aside = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        # from across the whole board to fingers over its edge
        self._go(np.array([7.5, 7.5]) + rng.uniform(-4, 6.5) * out + rng.normal(0, 3.5) * aside, "flat")
        self._hold(float(rng.uniform(2, 7)), "flat", tremor=float(rng.choice([0.0, 0.015, 0.05])))
        self._leave()
        self.player = 1 - self.player if self.player != self._whose() else self.player

    def _whose(self) -> int:
        return self.film.moves[sum(step.done for step in self.steps)].player

    def _away(self) -> None:
        """Hands that are busy beside the board: at the rack, at the score sheet."""
        rng = self.rng
        for _ in range(int(rng.integers(1, 4))):
            angle = np.radians(self.params.scene.hands[self.player].angle)
            out, aside = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
            self._go(np.array([7.5, 7.5]) + rng.uniform(9.3, 11) * out + rng.normal(0, 3) * aside)
            self._stay(int(rng.integers(2, 9)))
        self._leave()

    def _cat(self) -> None:
        """A paw reaches in, pats, perhaps rests, goes."""
        rng, rate = self.rng, self.params.rate
        angle = np.radians(self.params.paw.angle)
        out = np.array([np.cos(angle), np.sin(angle)])
        outside = np.array([7.5, 7.5]) + 24 * out
        at = outside
        target = rng.uniform(2.5, 12.5, 2)

        def go(to: NDArray[np.float64], speed: float, lift: float = 0.3) -> None:
            nonlocal at
            count = max(1, round(float(np.hypot(*(to - at))) / speed * rate))
            for i in range(1, count + 1):
                t = i / count
                here = at + (to - at) * t * t * (3 - 2 * t)
                self.steps.append(_Step(reach=_Reach(CAT, here, "paw", lift * np.sin(np.pi * t))))
            at = to

        go(target + 2 * out, rng.uniform(10, 25))
        for _ in range(int(rng.integers(2, 6))):
            if rng.random() < 0.35:
                for _ in range(int(rng.uniform(0.3, 2.5) * rate)):
                    self.steps.append(_Step(reach=_Reach(CAT, at, "paw", 0.0)))
            go(target + rng.normal(0, 0.8, 2), rng.uniform(8, 30), 0.8)
            go(at + out * rng.uniform(0.5, 2.5), rng.uniform(8, 20), 0.5)
        go(outside, rng.uniform(12, 25))

    def _thing(self) -> None:
        """A hand puts a bag, a phone or a sheet beside the board, or takes the last one away."""
        rng, scene = self.rng, self.params.scene
        if len(self.things) > len(scene.things) and rng.random() < 0.6:
            thing, things = self.things[-1], self.things[:-1]
        else:
            found = self._place_beside()
            if found is None:
                return
            thing, things = found, (*self.things, found)
        self._go(np.array(thing.at), "flat")
        self._stay(int(rng.integers(2, 6)), "flat", things=things)
        self.things = things
        self._leave()

    def _place_beside(self) -> Thing | None:
        rng, scene = self.rng, self.params.scene
        width, height = self.view.size
        for _ in range(120):
            thing = random_thing(rng)
            kind = str(rng.choice(["bag", "phone", "sheet", "pen"], p=[0.35, 0.35, 0.15, 0.15]))
            side, out, along = int(rng.integers(4)), float(rng.uniform(3.5, 9)), float(rng.uniform(0, 15))
            at = [(SIZE + out, along), (along, SIZE + out), (-out, along), (along, -out)][side]
            thing = replace(thing, kind=kind, at=at)
            x, y = self.view.project(np.array(at))
            if not (0.02 * width < x < 0.98 * width and 0.02 * height < y < 0.98 * height):
                continue
            if not hidden_squares(replace(scene, hands=(), things=(thing,))).any():
                return thing
        return None

    def _bump(self) -> None:
        """The camera swings and comes to rest elsewhere, the whole board still in the picture."""
        rng = self.rng
        turned = self._elsewhere()
        delta = turned - self.rest
        size = max(0.3, float(np.hypot(*delta[:2])))
        for i in range(int(rng.integers(3, 7))):
            self.steps.append(_Step(jolt=tuple(turned + rng.normal(0, 0.5, 3) * size * 0.55**i)))
        self.steps.append(_Step(jolt=tuple(turned)))
        self.rest = turned
        self._idle(2.5, 4.0)

    def _knock(self, start: int) -> None:
        """Somebody knocks the stand while the hand lays tiles."""
        at = int(self.rng.integers(start, max(start + 1, len(self.steps) - 6)))
        turned = self._elsewhere()
        for i, step in enumerate(self.steps[at : at + 4]):
            step.jolt = tuple(turned + self.rng.normal(0, 0.4, 3) * 0.5**i)
            step.what = "knock"
        self.steps[min(at + 4, len(self.steps) - 1)].jolt = tuple(turned)
        self.rest = turned

    def _elsewhere(self) -> NDArray[np.float64]:
        """Angles of a camera at rest that shows the board by 0.3 to 4 squares elsewhere than now."""
        rng, camera = self.rng, self.view.camera
        width, height = self.view.size
        frame = np.array([(-0.6, -0.6), (15.6, -0.6), (15.6, 15.6), (-0.6, 15.6)])
        for attempt in range(200):
            most = float(np.interp(attempt, (0, 200), (4, 0.4)))
            far = np.degrees(np.exp(rng.uniform(np.log(0.3), np.log(most))) / camera.distance)
            way = rng.uniform(0, 2 * np.pi)
            turned = self.rest + np.array([far * np.cos(way), far * np.sin(way), rng.normal(0, 0.25 * far)])
            points = turned_view(self.view, turned).project(frame)
            if np.all(points > 0) and np.all(points < (width, height)):
                return turned
        return self.rest + rng.normal(0, 0.1, 3)

    def _lamp(self) -> None:
        """A lamp is switched off or on: a step, from which the camera's exposure recovers in about a second."""
        rng, usual = self.rng, self.params.scene.light
        if self.light is usual:
            dim = float(rng.uniform(0.45, 0.8))
            warm = float(rng.normal(0, 0.12))
            gains = np.array(usual.gains) * np.exp([-warm, 0, warm])
            new = replace(
                usual,
                azimuth=float(usual.azimuth + rng.uniform(40, 180)),
                elevation=float(rng.uniform(30, 75)),
                softness=float(rng.uniform(0.1, 0.4)),
                shadow=float(usual.shadow * rng.uniform(0.4, 1.2)),
                falloff=float(rng.uniform(0, 0.5)),
                lamp_at=tuple(float(v) for v in rng.normal(0, 7, 2)),
                gains=tuple(float(g) for g in gains / gains.mean()),
                exposure=max(0.5, usual.exposure * float(rng.uniform(0.8, 1.0))),
            )
            factor = dim
        else:
            new, factor = usual, 1 / float(rng.uniform(0.5, 0.8))
        frames = max(2, round(rng.uniform(0.6, 1.6) * self.params.rate))
        for i in range(frames + 1):
            level = factor ** (1 - i / frames)
            self.steps.append(_Step(light=replace(new, exposure=new.exposure * level)))
        self.steps[-1].light = new
        self.light = new


def whole_frames(film: WholeFilm) -> Iterator[Frame]:
    """The film, frame by frame."""
    script = _WholeScript(film)
    steps = script.write()
    player = _Player(replace(film.params, pause=film.calm), len(steps) / film.params.rate)
    for number, step in enumerate(steps):
        yield player.play(number, step)


def sheet(film: WholeFilm, lines: list[dict[str, object]]) -> dict[str, object]:
    """What is to be found in the film, as plain data; `lines`: the truth of its frames.

    For each move: start, the first frame in which something reaches over the board for it; left, the first from which
    on nothing is over the board's squares and the position is complete (seconds to a finding count from here); gone,
    the first in which no hand is in the picture; until, the first in which something is over the board again or the
    camera moves. None for a move without tiles. Frames and seconds of each.
    """
    rate = film.params.rate
    done = [next(k for k, line in enumerate(lines) if line["move"] > number) for number in range(len(film.moves))]
    moves = []
    for number, move in enumerate(film.moves):
        entry: dict[str, object] = {
            "number": number,
            "kind": move.kind,
            "player": move.player,
            "tiles": [list(tile) for tile in move.tiles],
            "words": list(move.words),
            "score": move.score,
            "board": list(move.board),
        }
        marks: dict[str, int | None] = dict.fromkeys(("start", "left", "gone", "until"))
        if move.kind != "none":
            first = done[number - 1] if number else 0
            left = done[number]
            while left > first and not _disturbed(lines, left - 1) and lines[left - 1]["board"] == list(move.board):
                left -= 1
            gone = left
            while lines[gone]["in_sight"]:
                gone += 1
            names = ("false-start", "lays", "takes", "knock")
            start = next(k for k in range(first, left) if lines[k]["what"] in names and lines[k]["hand"])
            until = next((k for k in range(done[number] + 1, len(lines)) if _disturbed(lines, k)), len(lines))
            marks = {"start": start, "left": left, "gone": gone, "until": until}
        for name, frame in marks.items():
            entry[f"{name}_frame"] = frame
            entry[f"{name}_s"] = None if frame is None else round(frame / rate, 3)
        moves.append(entry)
    events: list[dict[str, object]] = []
    for k, line in enumerate(lines):
        what = line["what"]
        if what and (not events or events[-1]["what"] != what or events[-1]["to_frame"] != k - 1):
            events.append({"what": what, "from_frame": k, "to_frame": k})
        elif what:
            events[-1]["to_frame"] = k
    for event in events:
        event["from_s"], event["to_s"] = round(event["from_frame"] / rate, 3), round(event["to_frame"] / rate, 3)
    scene = film.params.scene
    return {
        "seed": film.seed,
        "players": list(PLAYERS),
        "size": list(film.params.size),
        "rate": rate,
        "frames": len(lines),
        "totals": list(film.totals),
        "edition": scene.edition.name,
        "square_px": round(scene.camera.square_px, 1),
        "tilt": round(scene.camera.tilt, 1),
        "shaky_px": round(film.params.shaky, 2),
        "moves": moves,
        "events": events,
    }


def _disturbed(lines: list[dict[str, object]], k: int) -> bool:
    return bool(lines[k]["hand"] or lines[k]["what"] in ("bump", "knock"))


def write_whole_film(film: WholeFilm, path: Path) -> int:
    """Writes the film (.mp4 or .avi) and beside it the truth of its frames (.jsonl, a line each) and of its moves
    (.json, written last); gives the number of frames."""
    code = cv2.VideoWriter.fourcc(*("MJPG" if path.suffix.lower() == ".avi" else "mp4v"))
    writer = cv2.VideoWriter(str(path), code, film.params.rate, film.params.size)
    if not writer.isOpened():
        raise OSError(f"cannot write a film to {path}")
    lines = []
    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as file:
        for frame in whole_frames(film):
            writer.write(frame.pixels)
            lines.append({**truth(frame, len(lines)), "in_sight": frame.in_sight, "what": frame.what})
            file.write(json.dumps(lines[-1], ensure_ascii=False) + "\n")
    writer.release()
    path.with_suffix(".json").write_text(json.dumps(sheet(film, lines), ensure_ascii=False, indent=1) + "\n", "utf-8")
    return len(lines)
