"""Photos that show no plain move, each kind with a known right answer: rendered, and real where there are any."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from assistant.engines import Finder
from assistant.recount import Answer, Difference, Recount, recount
from models.table.camera import Camera
from models.table.demo import demo_params
from models.table.games import Shot, photo, turned_round
from models.table.items import Hand
from models.table.light import Light
from scorer.board import Board, Square
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from vision.board_net import BoardNet
from vision.observe import Observation, observe
from vision.onnx_reader import OnnxReader

READER, FINDER = OnnxReader(threads=1), Finder(net=BoardNet(threads=1))


def lay(board: Board, row: int, col: int, word: str, down: bool = False) -> Board:
    """The board with the letters of a word that do not lie there yet; '?' is a blank."""
    squares = {Square(row + k * down, col + k * (not down)): char for k, char in enumerate(word)}
    return board.placed({s: char for s, char in squares.items() if board.at(s) is None})


def counted(photos: Sequence[Observation], answers: Mapping[int, Answer] | None = None) -> Recount:
    named = [replace(one, name=f"{number:02}.jpg") for number, one in enumerate(photos)]
    return recount(named, ("A", "B"), RULE_SETS["turnier"], GERMAN_102, answers=answers or {}, reader=READER)


def sheet(result: Recount) -> list[str]:
    """What each photo was taken for: "A HUT 8", "B none", "withdrawn", "mid-move"; moves without a photo before it."""
    lines = []
    for entry in result.entries:
        made: list[Any] = [*entry.before, entry] if entry.play is not None else []
        moves = [
            f"{result.players[one.player]} {''.join(char for _, char in one.play.placement.tiles)} {one.play.score}"
            + " taken back" * one.withdrawn
            for one in made
            if one.play is not None and one.player is not None
        ]
        if entry.kind == "unclear":
            lines.append("unclear")
        elif moves:
            lines.append(" + ".join(moves))
        else:
            who = "" if entry.player is None else result.players[entry.player] + " "
            lines.append(who + (entry.why or entry.kind))
    return lines


def asked(result: Recount) -> dict[int, str]:
    """The questions by the number of their photo."""
    return {number: one.question.code for number, one in enumerate(result.entries) if one.question is not None}


def checks(result: Recount) -> dict[str, tuple[int, ...]]:
    """What does not fit together, with the photos that it names."""
    return {check.code: check.photos for check in result.checks}


# --- rendered -----------------------------------------------------------------------------------------------------

EMPTY = Board.empty()
HUETTE = lay(EMPTY, 7, 5, "HÜTTE")
FREUNDEN = lay(HUETTE, 5, 9, "FREUNDEN", down=True)
SONNE = lay(FREUNDEN, 12, 6, "SONNE")
BADEN = lay(SONNE, 10, 7, "BAD?N")
SCHAF = lay(BADEN, 5, 5, "SCHAF", down=True)
FOGEL = lay(FREUNDEN, 5, 9, "FOGEL")
OTHER = lay(lay(lay(EMPTY, 7, 3, "WINDE"), 7, 7, "EIS", down=True), 9, 7, "SPATZ")

PLAIN = ["start", "A HÜTTE 22", "B FRUNDEN 71", "A SONE 8", "B BA?N 12", "A SCAF 22"]
"""The new tiles and points: (2 + 6 + 1 + 1 + 1) x 2 on the star; F 4 x 3, R, E, U, N x 3, D, E, N = 21 and 50 for seven
tiles; S x 2, O 2, N x 2, N, E; (3 + 1 + 1 + 0 + 1) x 2; S 1 x 3, C 4, H 2, A 1, F 4 x 3."""

Pushed = tuple[tuple[tuple[int, int], tuple[float, float, float]], ...]


def hand(tip: tuple[float, float], angle: float) -> Hand:
    """One that reaches for a grid point, from 0 degrees on the right, 90 below."""
    return Hand("pointing", tip, angle, (224, 172, 140), (40, 60, 90), 0.5, 0.6, 1.0, False, 3)


def shot(
    board: Board,
    view: int = 0,
    seconds: float | None = None,
    over: Hand | None = None,
    pushed: Pushed = (),
    quarters: int = 0,
    blur: float = 0.7,
) -> bytes:
    """A small photo of the demo's table, from place number `view`, so many seconds into the game.

    quarters: how far the board was turned on the table; blur: pixels out of focus
    """
    rng = np.random.default_rng(view)
    table = turned_round(demo_params()[0], quarters)
    azimuth = 90.0 + 90 * quarters + float(rng.normal(0, 12))
    scene = replace(
        table,
        filling=board.rows,
        camera=Camera(float(rng.uniform(6, 20)), azimuth, azimuth - 90, 30.0, 40.0 + view % 3),
        light=replace(Light(), azimuth=table.light.azimuth, elevation=table.light.elevation),
        sensor=replace(table.sensor, defocus=blur),
        hands=(over,) if over else (),
        pushed=pushed,
        number=view,
    )
    taken = None if seconds is None else datetime(2026, 1, 4, 15) + timedelta(seconds=seconds)
    return photo(Shot("", "", None, scene, 90, taken=taken))


@dataclass(frozen=True)
class Album:
    """Takes photos and reads them, the same one once; plain: of the game without a disturbance."""

    folder: Path
    known: dict[tuple[Any, ...], Observation]

    def __call__(self, board: Board, view: int = 0, **more: Any) -> Observation:
        key = (board, view, *sorted(more.items()))
        if key not in self.known:
            file = self.folder / "photo.jpg"
            file.write_bytes(shot(board, view, **more))
            self.known[key] = replace(observe(file, FINDER.locator(file), READER, GERMAN_102), photo=None)
        return self.known[key]

    @property
    def plain(self) -> list[Observation]:
        return [self(board, view) for view, board in enumerate([EMPTY, HUETTE, FREUNDEN, SONNE, BADEN, SCHAF])]


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Album:
    return Album(tmp_path_factory.mktemp("rendered"), {})


def test_the_game_without_disturbances(album: Album) -> None:
    result = counted(album.plain)
    assert sheet(result) == PLAIN and asked(result) == {} and result.checks == ()
    assert result.totals == (22 + 8 + 22, 71 + 12) and result.board == SCHAF


def test_initials_before_the_first_move(album: Album) -> None:
    names = album(lay(lay(EMPTY, 3, 5, "AN"), 3, 8, "BE"), 7)
    result = counted([album.plain[0], names, *album.plain[1:3]])
    assert sheet(result) == ["start", "initials", *PLAIN[1:3]] and asked(result) == {}
    assert sheet(counted([names, *album.plain[1:3]])) == ["initials", *PLAIN[1:3]]


@pytest.mark.parametrize("tip, square", [((10.3, 10.6), (12, 8)), ((12.3, 11.0), (12, 10))])
def test_a_hand_over_a_new_tile(album: Album, tip: tuple[float, float], square: tuple[int, int]) -> None:
    """What it hides the next photo shows; if there is none, it is asked about."""
    covered = album(SONNE, 3, over=hand(tip, 90.0))
    assert covered.reading is not None and covered.reading.hidden[square]
    result = counted([*album.plain[:3], covered, album.plain[4]])
    assert sheet(result) == PLAIN[:5] and asked(result) == {}
    assert asked(counted([*album.plain[:3], covered])) == {3: "mid-move-or-move"}
    said = {3: Answer(kind="place")}
    question = counted([*album.plain[:3], covered], said).entries[3].question
    assert question is not None and question.code == "tile-or-empty" and question.squares == (Square(*square),)


def test_a_hand_over_free_squares(album: Album) -> None:
    result = counted([*album.plain[:3], album(SONNE, 3, over=hand((2.0, 10.0), 120.0))])
    assert sheet(result) == PLAIN[:4] and 3 not in asked(result)


def test_a_hand_that_is_laying_the_move(album: Album) -> None:
    part = album(lay(HUETTE, 5, 9, "FREU", down=True), 8, over=hand((9.5, 9.2), 80.0))
    result = counted([*album.plain[:2], part, *album.plain[2:4]])
    assert sheet(result) == [*PLAIN[:2], "mid-move", *PLAIN[2:4]] and asked(result) == {}


def test_a_photo_in_the_middle_of_a_move_some_seconds_before_that_of_the_move(album: Album) -> None:
    boards = [EMPTY, HUETTE, lay(HUETTE, 5, 9, "FREU", down=True), FREUNDEN, SONNE]
    seconds = [0.0, 60.0, 130.0, 137.0, 200.0]
    seen = [album(board, view, seconds=at) for board, view, at in zip(boards, (0, 1, 8, 2, 3), seconds, strict=True)]
    result = counted(seen)
    assert sheet(result) == [*PLAIN[:2], "mid-move", *PLAIN[2:4]] and asked(result) == {}


def test_the_same_file_twice(album: Album) -> None:
    result = counted([*album.plain[:3], album.plain[2], *album.plain[3:]])
    assert sheet(result) == [*PLAIN[:3], "same-photo", *PLAIN[3:]] and asked(result) == {}


def test_another_photo_a_second_later(album: Album) -> None:
    taken = [(EMPTY, 0, 0.0), (HUETTE, 1, 60.0), (FREUNDEN, 2, 137.0), (FREUNDEN, 9, 138.5), (SONNE, 3, 200.0)]
    result = counted([album(board, view, seconds=at) for board, view, at in taken])
    assert sheet(result) == [*PLAIN[:3], "burst", PLAIN[3]] and asked(result) == {}


def test_nothing_new_is_a_turn(album: Album) -> None:
    """The same position from elsewhere, no time known: B's move counts, A passes, and the next moves change hands."""
    result = counted([*album.plain[:3], album(FREUNDEN, 9), *album.plain[3:5]])
    assert sheet(result) == [*PLAIN[:3], "A none", "B SONE 8", "A BA?N 12"] and asked(result) == {}
    assert result.totals == (22 + 12, 71 + 8)


@pytest.mark.parametrize("way", [(0.0, 0.45), (0.0, -0.45), (-0.5, 0.0)])
def test_a_row_of_old_tiles_pushed_out_of_place(album: Album, way: tuple[float, float]) -> None:
    pushed = tuple(((7, col), (*way, 0.0)) for col in range(5, 9))
    result = counted([*album.plain[:2], album(FREUNDEN, 2, pushed=pushed), album.plain[3]])
    assert sheet(result) == PLAIN[:4] and asked(result) == {}
    (nudge,) = result.entries[2].nudges
    assert nudge.squares == tuple(Square(7, col) for col in range(5, 9))


@pytest.mark.parametrize("after", [2, 4])
def test_a_photo_of_another_board(album: Album, after: int) -> None:
    result = counted([*album.plain[:after], album(OTHER, 10), *album.plain[after:]])
    assert sheet(result) == [*PLAIN[:after], "other-board", *PLAIN[after:]] and asked(result) == {}
    assert checks(result) == {"other-boards": (after,)}


def test_a_photo_of_another_board_at_the_end_is_asked_about(album: Album) -> None:
    result = counted([*album.plain[:4], album(OTHER, 10)])
    assert sheet(result) == [*PLAIN[:4], "unclear"] and asked(result) == {4: "other-position"}
    assert result.totals == (22 + 8, 71) and result.board == SONNE
    answered = counted([*album.plain[:4], album(OTHER, 10)], {4: Answer(kind="not-a-move")})
    assert sheet(answered) == [*PLAIN[:4], "other-board"] and asked(answered) == {}


def test_a_move_without_a_photo(album: Album) -> None:
    """HÜTTE was not photographed: FREUNDEN is laid across it, so the order is known, and both count."""
    result = counted([album.plain[0], *album.plain[2:4]])
    assert sheet(result) == ["start", "A HÜTTE 22 + B FRUNDEN 71", "A SONE 8"] and asked(result) == {}


def test_two_moves_in_one_photo_that_may_have_been_made_in_either_order(album: Album) -> None:
    """SONNE and BADEN both hang on FREUNDEN: who made which a person must say."""
    seen = [*album.plain[:3], *album.plain[4:]]
    question = counted(seen).entries[3].question
    assert question is not None and question.code == "which-first"
    assert set(question.squares) == {Square(12, 6), Square(10, 7)}
    result = counted(seen, {3: Answer(first=(Square(12, 6),))})
    assert sheet(result) == [*PLAIN[:3], "A SONE 8 + B BA?N 12", PLAIN[5]] and asked(result) == {}
    result = counted(seen, {3: Answer(first=(Square(10, 7),))})
    assert sheet(result) == [*PLAIN[:3], "A BA?N 12 + B SONE 8", PLAIN[5]] and asked(result) == {}


def test_a_move_that_is_taken_back(album: Album) -> None:
    """FOGEL: (4 + 2 + 2 + 1) + L 2 x 3 = 15 for A, who loses them and has had the turn."""
    result = counted([*album.plain[:3], album(FOGEL, 11), album(FREUNDEN, 9), album.plain[3]])
    assert sheet(result) == [*PLAIN[:3], "A OGEL 15 taken back", "withdrawn", "B SONE 8"] and asked(result) == {}
    assert result.totals == (22, 71 + 8)


def test_a_move_that_is_taken_back_before_the_next_is_laid(album: Album) -> None:
    result = counted([*album.plain[:3], album(FOGEL, 11), *album.plain[3:5]])
    assert sheet(result) == [*PLAIN[:3], "A OGEL 15 taken back", "B SONE 8", "A BA?N 12"] and asked(result) == {}
    assert result.totals == (22 + 12, 71 + 8) and result.board == BADEN


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_board_that_is_turned_on_the_table(album: Album, quarters: int) -> None:
    turned = [album(SONNE, 12, quarters=quarters), album(BADEN, 13, quarters=quarters)]
    result = counted([*album.plain[:3], *turned])
    assert sheet(result) == PLAIN[:5] and asked(result) == {}


def test_an_old_tile_that_is_missing_in_one_photo(album: Album) -> None:
    """The R of FREUNDEN."""
    result = counted([*album.plain[:3], album(SONNE.removed([Square(6, 9)]), 3), album.plain[4]])
    assert sheet(result) == PLAIN[:5] and asked(result) == {} and result.checks == ()
    assert [entry.differences for entry in result.entries[2:]] == [(), (Difference(Square(6, 9), "R", "."),), ()]


def test_two_old_tiles_that_are_missing_are_asked_about(album: Album) -> None:
    """The H and the Ü of HÜTTE: no challenge takes these two alone. Nothing is counted till it is answered."""
    result = counted([*album.plain[:5], album(BADEN.removed([Square(7, 5), Square(7, 6)]), 14)])
    assert sheet(result) == [*PLAIN[:5], "unclear"] and asked(result) == {5: "other-position"}


def test_a_photo_that_cannot_be_read_and_was_taken_again(album: Album) -> None:
    blurred = album(FREUNDEN, 2, blur=16.0)
    assert blurred.reason == "too-blurred"
    result = counted([*album.plain[:2], blurred, *album.plain[2:4]])
    assert sheet(result) == [*PLAIN[:2], "taken-again", *PLAIN[2:4]] and asked(result) == {}


def test_a_last_photo_that_cannot_be_read_is_asked_about(album: Album) -> None:
    result = counted([*album.plain[:2], album(FREUNDEN, 2, blur=16.0)])
    assert asked(result) == {2: "photo-unreadable"} and sheet(result)[2] == "unclear"
    assert result.totals == (22, 0)


def test_a_game_begun_before_the_first_photo(album: Album) -> None:
    """Three moves lie there: how it stood a person must say."""
    result = counted(album.plain[3:])
    assert result.entries[0].kind == "start" and asked(result)[0] == "begun-before"
    answered = counted(album.plain[3:], {0: Answer(totals=(22 + 8, 71), next_player=1)})
    assert sheet(answered) == ["start", *PLAIN[4:]] and asked(answered) == {}
    assert answered.totals == (22 + 8 + 22, 71 + 12)


@pytest.mark.parametrize("order", [(0, 1, 3, 2, 4, 5), (0, 2, 1, 3, 4, 5), (3, 0, 5, 2, 4, 1), (5, 4, 3, 2, 1, 0)])
def test_photos_in_another_order_are_named_in_the_right_one(album: Album, order: tuple[int, ...]) -> None:
    result = counted([album.plain[k] for k in order])
    named = checks(result)["order-doubtful"]
    assert [order[k] for k in named] == [0, 1, 2, 3, 4, 5]


# --- real ---------------------------------------------------------------------------------------------------------

SKIN = (214, 160, 130)


@dataclass(frozen=True)
class RealGame:
    """The first photos of a real game: the empty board, the players' initials A?B, then a photo a move.

    lines: of the sheet as they should be; truth: corners of the grid in pixels by file
    """

    folder: Path
    scratch: Path
    seen: list[Observation]
    lines: list[str]
    corners: dict[str, list[list[float]]]

    def changed(self, number: int, change: Callable[[Image.Image, Callable[..., Any]], Image.Image]) -> Observation:
        """What is read on a changed copy of a photo; the change also gets what turns (row, col) into a pixel."""
        name = Path(self.seen[number].name).name
        q = np.array(self.corners[name])

        def pixel(row: float, col: float) -> tuple[float, float]:
            u, v = col / 15, row / 15
            x, y = (1 - u) * (1 - v) * q[0] + u * (1 - v) * q[1] + u * v * q[2] + (1 - u) * v * q[3]
            return float(x), float(y)

        with Image.open(self.folder / name) as image:
            change(image.convert("RGB"), pixel).save(self.scratch / name, quality=92)
        return replace(observe(self.scratch / name, FINDER.locator(name), READER, GERMAN_102), photo=None)

    def with_hand(self, number: int, *squares: tuple[int, int]) -> Observation:
        """The photo with a forearm that comes from the lower rim and lies over these squares."""

        def change(image: Image.Image, pixel: Callable[..., Any]) -> Image.Image:
            points = [pixel(row + 0.5, col + 0.5) for row, col in squares] + [pixel(16.5, squares[-1][1] + 2.5)]
            width = int(1.4 * (pixel(7, 8)[0] - pixel(7, 7)[0]))
            draw = ImageDraw.Draw(image)
            draw.line(points, SKIN, width, joint="curve")
            for x, y in points:
                draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), SKIN)
            return image

        return self.changed(number, change)


def real_game(folder: Path, scratch: Path, photos: int) -> RealGame:
    game = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    lines = []
    seats, player = game["players"], 0
    for move in game["moves"][:photos]:
        if move["kind"] == "place":
            lines.append(f"{seats[player]} {''.join(tile for *_, tile in sorted(move['tiles']))} {move['score']}")
            player = 1 - player
        else:
            lines.append({"start": "start", "not-a-move": "initials"}[move["kind"]])
    files = [folder / name for name in game["photos"][:photos]]
    seen = [replace(observe(file, FINDER.locator(file), READER, GERMAN_102), photo=None) for file in files]
    truth = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    corners = {one["file"]: one["corners_px"] for one in map(json.loads, truth)}
    return RealGame(folder, scratch, seen, lines, corners)


@pytest.fixture(scope="module")
def game02(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> RealGame:
    """DÜS 16, TOFU 25, DAD 18, LAUB 20, PUKE 24, VITEN 45, ROSEWEN 69, GEEINTE 94."""
    return real_game(shared / "photos" / "german-game02", tmp_path_factory.mktemp("game02"), 10)


@pytest.fixture(scope="module")
def game12(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> RealGame:
    """HUT 8, MESSEN 21, IX 35, HÜT 23, ET 21, GNU 8, DEN 22, AB 23."""
    return real_game(shared / "photos" / "german-game12", tmp_path_factory.mktemp("game12"), 10)


def test_real_photos_with_initials(game02: RealGame, game12: RealGame) -> None:
    for game in (game02, game12):
        result = counted(game.seen)
        assert sheet(result) == game.lines and asked(result) == {} and result.checks == ()


@pytest.mark.parametrize("number", [0, 2, 4, 9])
def test_the_same_real_photo_twice(game02: RealGame, number: int) -> None:
    result = counted([*game02.seen[: number + 1], *game02.seen[number:]])
    assert sheet(result) == [*game02.lines[: number + 1], "same-photo", *game02.lines[number + 1 :]]
    assert asked(result) == {}


@pytest.mark.parametrize("number, first", [(3, "B TOFU 25"), (7, "B VITEN 45"), (8, "A ROSEWEN 69")])
def test_a_real_move_without_a_photo(game02: RealGame, number: int, first: str) -> None:
    """The next move hangs on it, so the order is known."""
    result = counted([*game02.seen[:number], *game02.seen[number + 1 :]])
    lines = game02.lines
    assert sheet(result) == [*lines[:number], f"{first} + {lines[number + 1]}", *lines[number + 2 :]]
    assert asked(result) == {}


def test_a_real_move_without_a_photo_in_either_order(game02: RealGame) -> None:
    """DAD below TOFU and LAUB above DÜS have nothing to do with each other."""
    seen = [*game02.seen[:4], *game02.seen[5:]]
    question = counted(seen).entries[4].question
    assert question is not None and question.code == "which-first"
    result = counted(seen, {4: Answer(first=(Square(10, 8),))})
    assert sheet(result) == [*game02.lines[:4], "A DAD 18 + B LAUB 20", *game02.lines[6:]] and asked(result) == {}


def test_three_real_moves_without_a_photo_are_asked_about(game02: RealGame) -> None:
    """DAD, LAUB and PUKE in one photo: no two moves."""
    result = counted([*game02.seen[:4], *game02.seen[6:]])
    assert 4 in asked(result) and result.entries[4].totals == (16, 25)


def test_real_photos_of_two_games_mixed(game02: RealGame, game12: RealGame) -> None:
    mixed = [*game02.seen[:5]]
    for own, other in zip(game02.seen[5:], game12.seen[4:9], strict=True):
        mixed += [other, own]
    result = counted(mixed)
    wanted = game02.lines[:5]
    for line in game02.lines[5:]:
        wanted += ["other-board", line]
    assert sheet(result) == wanted and asked(result) == {}
    assert checks(result) == {"other-boards": (5, 7, 9, 11, 13)}


def test_a_real_photo_of_another_game_first_or_last(game02: RealGame, game12: RealGame) -> None:
    result = counted([game12.seen[8], *game02.seen[:5]])
    assert sheet(result) == ["other-board", *game02.lines[:5]] and checks(result) == {"other-boards": (0,)}
    result = counted([*game02.seen[:5], game12.seen[8]])
    assert sheet(result) == [*game02.lines[:5], "unclear"] and asked(result) == {5: "other-position"}


@pytest.mark.parametrize("first, totals, turn", [(4, (34, 25), 1), (5, (34, 45), 0), (8, (127, 90), 1)])
def test_a_real_game_begun_before_the_first_photo(
    game02: RealGame, first: int, totals: tuple[int, int], turn: int
) -> None:
    result = counted(game02.seen[first:])
    assert result.entries[0].kind == "start" and asked(result)[0] == "begun-before"
    assert "other-boards" not in checks(result)
    answered = counted(game02.seen[first:], {0: Answer(totals=totals, next_player=turn)})
    assert sheet(answered) == ["start", *game02.lines[first + 1 :]] and asked(answered) == {}
    assert answered.totals == counted(game02.seen).totals


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7])
def test_two_real_photos_changed_over(game02: RealGame, game12: RealGame, number: int) -> None:
    """The photos show no time, but tiles that are gone and back again."""
    for game in (game02, game12):
        order = [*range(10)]
        order[number], order[number + 1] = number + 1, number
        named = checks(counted([game.seen[k] for k in order]))["order-doubtful"]
        assert [order[k] for k in named] == [*range(10)]


def test_the_last_two_real_photos_changed_over_look_like_a_move_taken_back(game02: RealGame) -> None:
    """Nobody can tell: the move is named as taken back."""
    result = counted([*game02.seen[:8], game02.seen[9], game02.seen[8]])
    assert result.entries[8].withdrawn and result.entries[9].kind == "withdrawn"


def test_real_photos_in_no_order(game02: RealGame) -> None:
    for seed in range(3):
        order = [int(k) for k in np.random.default_rng(seed).permutation(10)]
        named = checks(counted([game02.seen[k] for k in order]))["order-doubtful"]
        assert [order[k] for k in named] == [*range(10)]


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_real_photo_from_another_side(game02: RealGame, quarters: int) -> None:
    turned = game02.changed(5, lambda image, pixel: image.rotate(90 * quarters, expand=True))
    result = counted([*game02.seen[:5], turned, *game02.seen[6:]])
    assert sheet(result) == game02.lines and asked(result) == {}


@pytest.mark.parametrize("number, squares", [(6, [(12, 4), (13, 5)]), (6, [(4, 10)]), (3, [(9, 9)])])
def test_a_hand_in_a_real_photo(game02: RealGame, number: int, squares: list[tuple[int, int]]) -> None:
    """Over free squares, over the E of PUKE, over the F of TOFU: the next photo shows what was under it."""
    covered = game02.with_hand(number, *squares)
    assert covered.reading is not None and covered.reading.hidden[squares[0]]
    result = counted([*game02.seen[:number], covered, *game02.seen[number + 1 :]])
    assert sheet(result) == game02.lines and asked(result) == {}


def test_a_hand_over_the_last_real_move_is_asked_about(game02: RealGame) -> None:
    result = counted([*game02.seen[:3], game02.with_hand(3, (9, 9))])
    assert asked(result) == {3: "mid-move-or-move"}


def test_a_real_move_taken_back(game02: RealGame) -> None:
    """DAD lies there and then no more; A, who laid it, has had the turn."""
    again = game02.changed(3, lambda image, pixel: image.rotate(1, expand=True))
    result = counted([*game02.seen[:5], again])
    assert sheet(result) == [*game02.lines[:4], "A DAD 18 taken back", "withdrawn"] and asked(result) == {}
    assert result.totals == (16, 25)


def test_a_real_pass(game02: RealGame) -> None:
    again = game02.changed(4, lambda image, pixel: image.rotate(1, expand=True))
    result = counted([*game02.seen[:5], again, game02.seen[5]])
    assert sheet(result) == [*game02.lines[:5], "B none", "A LAUB 20"] and asked(result) == {}


@pytest.mark.parametrize("radius", [20, 30])
def test_a_real_photo_too_blurred_to_be_read(game02: RealGame, radius: int) -> None:
    blurred = game02.changed(4, lambda image, pixel: image.filter(ImageFilter.GaussianBlur(radius)))
    assert blurred.reason == "too-blurred"
    seen = [*game02.seen[:4], blurred, *game02.seen[4:]]
    result = counted(seen)
    assert asked(result)[4] == "photo-unreadable"  # no time tells that the next one was taken at once
    assert sheet(result)[5:] == game02.lines[4:] and result.totals == counted(game02.seen).totals
    result = counted(seen, {4: Answer(kind="not-a-move")})
    assert sheet(result) == [*game02.lines[:4], "taken-again", *game02.lines[4:]] and asked(result) == {}
    result = counted([*game02.seen[:4], blurred])
    assert sheet(result) == [*game02.lines[:4], "unclear"] and asked(result) == {4: "photo-unreadable"}
