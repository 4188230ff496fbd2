"""The grid finder on boards drawn here, on pictures without a board, and on real photos where they are at hand."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.board import STANDARD, Premium, Square
from vision.geometry import GRID, SIZE, Corners, Homography
from vision.locate import ClassicLocator, examine, find_grid
from vision.photo import Photo, load_photo

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
"""Real photos with known corners; they are no part of the project and may be absent."""

CELL = 48
"""Pixels a square of the flat drawing."""

GREEN = {
    Premium.NONE: (60, 120, 40),
    Premium.DOUBLE_LETTER: (200, 150, 90),
    Premium.TRIPLE_LETTER: (170, 70, 10),
    Premium.DOUBLE_WORD: (110, 110, 220),
    Premium.TRIPLE_WORD: (30, 20, 200),
}
BEIGE = {
    Premium.NONE: (165, 195, 210),
    Premium.DOUBLE_LETTER: (215, 190, 140),
    Premium.TRIPLE_LETTER: (160, 110, 40),
    Premium.DOUBLE_WORD: (170, 160, 225),
    Premium.TRIPLE_WORD: (60, 60, 210),
}
DARK = {
    Premium.NONE: (70, 60, 55),
    Premium.DOUBLE_LETTER: (120, 90, 50),
    Premium.TRIPLE_LETTER: (100, 50, 20),
    Premium.DOUBLE_WORD: (40, 150, 190),
    Premium.TRIPLE_WORD: (40, 40, 130),
}


@dataclass(frozen=True)
class Table:
    """What is drawn: a board on a table, seen by a camera; BGR colours.

    line, line_width: colour of the grid lines and their width in squares
    frame: colour and width in squares of the board's margin
    tiles: how many tiles lie on it; cloth: whether the table has checks
    tall: how much taller than wide a square is; tilt, turn: degrees; share: of the picture's side that the grid takes
    """

    colours: dict[Premium, tuple[int, int, int]]
    line: tuple[int, int, int] = (30, 40, 25)
    line_width: float = 0.05
    frame: tuple[tuple[int, int, int], float] = ((50, 100, 40), 0.8)
    tiles: int = 30
    cloth: bool = False
    tall: float = 1.0
    tilt: float = 0.0
    turn: float = 0.0
    share: float = 0.7
    light: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    seed: int = 1


def flat_board(table: Table) -> NDArray[np.uint8]:
    """The board from straight above, frame included."""
    rng = np.random.default_rng(table.seed)
    frame_colour, frame_width = table.frame
    margin = round(frame_width * CELL)
    board = np.full((SIZE * CELL, SIZE * CELL, 3), 0, np.uint8)
    for row in range(SIZE):
        for col in range(SIZE):
            colour = table.colours[STANDARD.premium(Square(row, col))]
            board[row * CELL : (row + 1) * CELL, col * CELL : (col + 1) * CELL] = colour
    board = cv2.copyMakeBorder(board, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=frame_colour)
    half = max(1, round(table.line_width * CELL / 2))
    for k in range(SIZE + 1):
        at, end = margin + k * CELL, margin + SIZE * CELL
        cv2.rectangle(board, (at - half, margin), (at + half - 1, end), table.line, -1)
        cv2.rectangle(board, (margin, at - half), (end, at + half - 1), table.line, -1)
    for square in rng.permutation(SIZE * SIZE)[: table.tiles]:
        row, col = divmod(int(square), SIZE)
        x, y = (margin + k * CELL + 3 + int(rng.integers(-2, 3)) for k in (col, row))
        cv2.rectangle(board, (x, y), (x + CELL - 7, y + CELL - 7), (190, 220, 230), -1)
        letter = "ENSRTAIU"[int(rng.integers(8))]
        cv2.putText(board, letter, (x + 9, y + 32), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 3, cv2.LINE_AA)
    return board


def photograph(table: Table, side: int = 1000) -> tuple[Photo, Corners]:
    """A picture of the table and where the corners of the grid truly are in it."""
    rng = np.random.default_rng(table.seed + 100)
    board = flat_board(table)
    height, width = board.shape[:2]
    focal, tilt, turn = 1.3 * side, np.radians(table.tilt), np.radians(table.turn)
    turned = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    tilted = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    distance = focal * SIZE / (table.share * side)
    camera = np.array([[focal, 0, side * (0.5 + table.shift[0])], [0, focal, side * (0.5 + table.shift[1])], [0, 0, 1]])
    away = tilted @ turned
    grid = np.array([[1, 0, -SIZE / 2], [0, table.tall, -table.tall * SIZE / 2], [0, 0, 1.0]])
    plane = np.column_stack([away[:, 0], away[:, 1], [0, 0, distance]])
    matrix = camera @ plane @ grid  # grid units -> pixels
    margin = round(table.frame[1] * CELL)
    # centre of pixel k of the drawing lies at (k + .5 - margin) / CELL
    to_grid = np.array([[1 / CELL, 0, (0.5 - margin) / CELL], [0, 1 / CELL, (0.5 - margin) / CELL], [0, 0, 1]])
    ground = np.full((side, side, 3), (120, 150, 175), np.float32)
    if table.cloth:
        y, x = np.mgrid[0:side, 0:side]
        checks = ((x + y) // 29 % 2) + ((x - y) // 29 % 2)
        ground = np.float32((70, 60, 190)) + checks[..., None] * np.float32((80, 85, 30))
    picture = cv2.warpPerspective(board, matrix @ to_grid, (side, side), flags=cv2.INTER_AREA)
    covered = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix @ to_grid, (side, side))
    picture = np.where(covered[..., None] > 127, picture, ground)
    picture = cv2.GaussianBlur(picture * table.light + rng.normal(0, 4, picture.shape), (0, 0), 0.8)
    pixels = np.clip(picture, 0, 255).astype(np.uint8)
    return Photo("drawn", pixels, side, side), Homography(matrix).corners


def error(found: Corners, truth: Corners) -> float:
    """Largest distance of the 256 crossings in squares, whichever corner comes first."""
    true_lattice = Homography.from_corners(truth).lattice()
    side = Homography.from_corners(truth).square_side()
    turns = (Homography.from_corners(found.turned(k)).lattice() for k in range(4))
    return min(float(np.linalg.norm(lattice - true_lattice, axis=-1).max()) for lattice in turns) / side


PLAIN = Table(GREEN)
TABLES = {
    "green": PLAIN,
    "empty": replace(PLAIN, tiles=0),
    "full": replace(PLAIN, tiles=100),
    "turned": replace(PLAIN, turn=28, share=0.6),
    "upside-down-on-cloth": replace(PLAIN, turn=183, cloth=True),
    "tilted": replace(PLAIN, tilt=30, turn=12, share=0.6),
    "dark-photo": replace(PLAIN, light=0.2),
    "small": replace(PLAIN, share=0.3),
    "fills-the-picture": replace(PLAIN, share=0.97, turn=1, frame=((50, 100, 40), 0.1)),
    "white-lines": Table(BEIGE, line=(235, 240, 240), line_width=0.14, frame=((40, 30, 170), 1.6), turn=-9),
    "tall-squares": Table(BEIGE, line=(90, 120, 130), tall=1.08, share=0.65, tilt=10),
    "dark-edition": Table(DARK, line=(120, 110, 100), frame=((25, 25, 25), 2.2), share=0.55, turn=-40),
}


@pytest.mark.parametrize("name", TABLES)
def test_finds_drawn_boards_to_a_tenth_of_a_square(name: str) -> None:
    photo, truth = photograph(TABLES[name])
    location = ClassicLocator().locate(photo)
    assert location.reason is None
    assert location.corners is not None
    assert not location.oriented
    assert error(location.corners, truth) < 0.1
    assert location.quality > 0.7


def test_corners_run_clockwise_from_the_one_nearest_the_top_left() -> None:
    photo, _ = photograph(replace(PLAIN, turn=200, share=0.6))
    corners = ClassicLocator().locate(photo).corners
    assert corners is not None
    points = corners.array
    assert points.sum(axis=1).argmin() == 0
    following = np.roll(points, -1, axis=0)
    assert (points[:, 0] * following[:, 1] - points[:, 1] * following[:, 0]).sum() > 0  # clockwise as seen, y down


def test_is_deterministic() -> None:
    photo, _ = photograph(replace(PLAIN, tilt=15, cloth=True))
    assert ClassicLocator().locate(photo) == ClassicLocator().locate(photo)


def test_does_not_change_the_photo() -> None:
    photo, _ = photograph(PLAIN)
    before = photo.pixels.copy()
    ClassicLocator().locate(photo)
    assert np.array_equal(photo.pixels, before)


def test_shrunken_decoding_gives_corners_in_decoded_pixels() -> None:
    photo, truth = photograph(PLAIN)
    half = Photo("half", cv2.resize(photo.pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), 1000, 1000)
    location = ClassicLocator().locate(half)
    assert location.corners is not None
    assert error(location.corners, truth.scaled(half.scale)) < 0.1


def grid_of(colours: NDArray[np.uint8], cell: int = 50) -> NDArray[np.uint8]:
    """Squares of these colours with dark lines between them, on a grey ground."""
    picture = np.kron(colours, np.ones((cell, cell, 1), np.uint8))
    for k in range(0, len(picture), cell):
        picture[k : k + 2] = picture[:, k : k + 2] = 20
    return cv2.copyMakeBorder(picture, 90, 90, 90, 90, cv2.BORDER_CONSTANT, value=(140, 140, 150))


def without_board(kind: str) -> NDArray[np.uint8]:
    rng = np.random.default_rng(3)
    if kind == "grey":
        return np.full((600, 800, 3), 128, np.uint8)
    if kind == "noise":
        return rng.integers(0, 256, (600, 800, 3), dtype=np.uint8)
    if kind == "tiny":
        return rng.integers(0, 256, (40, 60, 3), dtype=np.uint8)
    if kind == "chess":
        return grid_of(
            np.where(np.indices((8, 8)).sum(axis=0)[..., None] % 2, (60, 90, 120), (200, 220, 230)).astype(np.uint8), 90
        )
    if kind == "checks":
        return grid_of(
            np.where(np.indices((15, 15)).sum(axis=0)[..., None] % 2, (60, 60, 180), (230, 230, 230)).astype(np.uint8)
        )
    if kind == "empty-grid":
        return grid_of(np.full((15, 15, 3), (60, 120, 40), np.uint8))
    if kind == "crossword":
        white = np.full((15, 15, 3), 240, np.uint8)
        white[rng.random((15, 15)) < 0.2] = 10
        return grid_of(white)
    if kind == "shuffled-board":  # all the colours of a board, in the wrong places
        board = np.array([GREEN[STANDARD.premium(Square(k // SIZE, k % SIZE))] for k in range(SIZE * SIZE)], np.uint8)
        return grid_of(board[rng.permutation(SIZE * SIZE)].reshape(SIZE, SIZE, 3))
    page = np.full((900, 700, 3), 245, np.uint8)
    for y in range(60, 860, 28):
        words = "".join(chr(97 + int(k)) if k < 26 else " " for k in rng.integers(0, 31, 45))
        cv2.putText(page, words, (50, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1)
    return page


@pytest.mark.parametrize(
    "kind", ["grey", "noise", "tiny", "chess", "checks", "empty-grid", "crossword", "shuffled-board", "page"]
)
def test_finds_nothing_where_there_is_no_board(kind: str) -> None:
    pixels = without_board(kind)
    location = ClassicLocator().locate(Photo(kind, pixels, pixels.shape[1], pixels.shape[0]))
    assert location.corners is None
    assert location.reason == "no-board"
    assert location.quality < 0.4


@pytest.mark.parametrize("shift", [0.15, 0.22, 0.3, 0.45])
def test_cut_off_board_is_never_a_wrong_grid(shift: float) -> None:
    photo, truth = photograph(replace(PLAIN, shift=(shift, 0.02), share=0.8))
    location = ClassicLocator().locate(photo)
    if location.corners is None:
        assert location.reason in ("board-cut-off", "no-board")
    else:
        assert error(location.corners, truth) < 0.25
        assert "board-cut-off" in location.warnings


def test_a_board_with_some_columns_outside_is_called_cut_off() -> None:
    photo, _ = photograph(replace(PLAIN, shift=(0.2, 0), share=0.8))
    assert ClassicLocator().locate(photo).reason == "board-cut-off"


@pytest.mark.parametrize("move", [(1, 0), (0, -1), (0.5, 0), (0, 0.5), (0.5, 0.5), (-1, 1)])
def test_self_check_refuses_a_shifted_grid(move: tuple[float, float]) -> None:
    photo, truth = photograph(PLAIN)
    lab = cv2.cvtColor(photo.pixels, cv2.COLOR_BGR2LAB)
    right = Homography.from_corners(truth)
    shifted = Homography.from_corners(Corners.of(right.to_pixels(GRID + np.array(move))))
    assert examine(lab, right.matrix, 0).quality > 0.9
    assert examine(lab, shifted.matrix, 0).quality < 0.1


@pytest.mark.parametrize("name", ["german-game02", "german-game12", "german-pose"])
def test_real_photos(name: str) -> None:
    truths = PHOTOS / name / "truth.jsonl"
    if not truths.exists():
        pytest.skip("the real photos are not at hand")
    lines = [json.loads(line) for line in truths.read_text(encoding="utf-8").splitlines() if line.strip()]
    for truth in lines[:: max(1, len(lines) // 5)]:
        photo = load_photo(PHOTOS / name / truth["file"])
        location = ClassicLocator().locate(photo)
        assert location.corners is not None, truth["file"]
        assert error(location.corners, Corners.of(truth["corners_px"]).scaled(photo.scale)) < 0.15, truth["file"]


def test_find_grid_tells_what_speaks_for_it() -> None:
    photo, _ = photograph(PLAIN)
    grid = find_grid(photo.pixels)
    assert grid is not None
    assert grid.check.premium > 0.5 > 0.3 > grid.check.rival
    assert grid.check.on_line > 0.8
    assert grid.check.outside == 0
