"""The grid by printed cards: cut out of the drawn page, laid beside rendered boards."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.marker_sheet import CardPlace, SheetTexts, card_places, draw_sheet
from models.table.camera import Camera, View
from models.table.editions import edition
from models.table.scene import Scene, SceneParams, render
from models.table.tiles import german_style
from vision.geometry import GRID, SIZE, Corners, Homography
from vision.locator import BoardLocator, FixedCorners, Location
from vision.markers import MarkerLocator, find_markers, grid_of_markers, lifted, tip
from vision.photo import Photo

cv2.setNumThreads(1)

DPI, SQUARE = 150, 19.0
"""Of the page that the cards are cut from; side of a square in millimetres, as the cards see it."""

LINES = ("QUERFLÖTEN.BACH", "ANTIK.ERNTE.WEG", "HUT.OFEN.ZAHN.E", "GRASHALM.TORTEN")
FULL_BOARD = tuple(LINES[row // 2 % 4] if row % 2 else "." * SIZE for row in range(SIZE))
EMPTY_BOARD = ("." * SIZE,) * SIZE


def page() -> tuple[NDArray[np.uint8], tuple[CardPlace, ...]]:
    words = SheetTexts(
        "Karten", ("Ausschneiden.",), ("oben links", "oben rechts", "unten rechts", "unten links"), "100"
    )
    return np.asarray(draw_sheet([words], dpi=DPI)), card_places()


PAGE, PLACES = page()


@dataclass(frozen=True)
class Laid:
    """How the cards lie.

    cards: which ones; askew: turned about their tips, degrees; at: at which corner of the grid
    height: above the board, squares; beside: of the third card from its corner, squares
    """

    cards: tuple[int, ...] = (0, 1, 2, 3)
    askew: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    height: float = 0.0
    at: tuple[int, int, int, int] = (0, 1, 2, 3)
    beside: tuple[float, float] = (0.0, 0.0)


@cache
def board(filling: tuple[str, ...] = EMPTY_BOARD, frame: float = 0.9, thickness: float = 0.2, **camera: float) -> Scene:
    """A German board, seen with room for the cards around it."""
    look = replace(edition("german-classic"), frame=(frame,) * 4, thickness=thickness)
    view = Camera(**{"square_px": 30.0, "distance": 35.0, "margins": (0.3, 0.34, 0.32, 0.3), **camera})  # type: ignore
    return render(SceneParams(seed=4, edition=look, style=german_style(), filling=filling, camera=view))


def photo(scene: Scene, laid: Laid = Laid(), covered: Collection[int] = ()) -> Photo:
    """The scene with cards laid on it; the covered ones have a patch over their marker."""
    view, pixels = View(scene.params.camera, scene.params.edition.aspect), scene.pixels.copy()
    scale = 25.4 / DPI / SQUARE  # squares per pixel of the page
    for card, corner in zip(range(4), laid.at, strict=True):
        place = PLACES[card]
        if card not in laid.cards:
            continue
        left, top, right, bottom = (
            round(v * DPI / 25.4) for v in (place.left, place.top, place.left + place.side, place.top + place.side)
        )
        cut = PAGE[top:bottom, left:right, ::-1].copy()
        if card in covered:
            cut[len(cut) // 4 : len(cut) // 2, :] = (90, 120, 160)
        angle = np.radians(laid.askew[card])
        turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        touching = np.array(place.tip) * DPI / 25.4 - (left, top)
        corner_at = GRID[corner] + (laid.beside if card == 2 else (0.0, 0.0))
        shift = corner_at - turn @ (touching - 0.5)  # the centre of pixel (0, 0) lies half a pixel inside the card
        to_grid = np.vstack([np.column_stack([turn, shift]), (0, 0, 1)])
        matrix, size = view.plane(laid.height) @ to_grid, view.size
        mask = cv2.warpPerspective(np.full(cut.shape[:2], 255, np.uint8), matrix, size, flags=cv2.INTER_LINEAR)
        small = cv2.GaussianBlur(cut, (0, 0), 1.5)  # one pixel of the photo is some of the page
        cv2.copyTo(
            cv2.warpPerspective(small, matrix, size, flags=cv2.INTER_LINEAR), (mask > 127).astype(np.uint8), pixels
        )
    return Photo("board.png", pixels, pixels.shape[1], pixels.shape[0])


def error(corners: Corners | None, scene: Scene) -> float:
    """Largest error of a grid corner, in squares; reading order counts."""
    assert corners is not None
    return float(np.linalg.norm(Homography.from_corners(scene.corners).to_grid(corners.array) - GRID, axis=1).max())


@pytest.mark.parametrize(
    ("filling", "camera"),
    [
        (EMPTY_BOARD, {}),
        (EMPTY_BOARD, {"roll": 90.0}),
        (EMPTY_BOARD, {"roll": 180.0}),
        (FULL_BOARD, {"roll": 37.0}),
        (FULL_BOARD, {"roll": 200.0, "tilt": 12.0, "azimuth": 200.0}),
        (EMPTY_BOARD, {"roll": 300.0, "tilt": 30.0, "azimuth": 60.0}),
        (EMPTY_BOARD, {"tilt": 48.0, "azimuth": 100.0}),
    ],
)
def test_four_cards_tell_where_and_which_way_up(filling: tuple[str, ...], camera: dict[str, float]) -> None:
    scene = board(filling, **camera)
    found = MarkerLocator().locate(photo(scene, Laid(askew=(2.0, -3.0, 1.0, 4.0))))
    assert error(found.corners, scene) < 0.1
    assert found.oriented and found.reason is None and found.warnings == ()


@pytest.mark.parametrize("tilt", [0.0, 20.0, 45.0])
def test_the_cards_alone_are_nearly_as_good(tilt: float) -> None:
    scene = board(FULL_BOARD, roll=140.0, tilt=tilt, azimuth=300.0)
    found = MarkerLocator(snap=False).locate(photo(scene, Laid(askew=(-4.0, 3.0, 0.0, 2.0))))
    assert error(found.corners, scene) < 0.06


@pytest.mark.parametrize("hidden", range(4))
def test_three_cards_are_enough(hidden: int) -> None:
    scene = board(roll=250.0, tilt=30.0, azimuth=20.0)
    found = MarkerLocator().locate(photo(scene, covered=[hidden]))
    assert error(found.corners, scene) < 0.1
    assert found.oriented and found.warnings == ("marker-hidden",)


def test_two_cards_are_not_enough() -> None:
    scene = board()
    found = MarkerLocator(otherwise=FixedCorners(scene.corners)).locate(photo(scene, covered=[0, 2]))
    assert found == Location(None, reason="markers-missing")


def test_without_any_card_the_other_locator_is_asked() -> None:
    scene = board()
    plain = photo(scene, Laid(cards=()))
    other: BoardLocator = FixedCorners(scene.corners)
    assert MarkerLocator(other).locate(plain) == other.locate(plain)
    assert MarkerLocator().locate(plain) == Location(None, reason="markers-missing")


@pytest.mark.parametrize("thickness", [0.2, 0.5])
def test_cards_on_the_table_beside_a_board_without_a_frame(thickness: float) -> None:
    scene = board(frame=0.0, thickness=thickness, roll=70.0, tilt=30.0, azimuth=140.0)
    table = photo(scene, Laid(height=-thickness))
    alone, snapped = MarkerLocator(snap=False).locate(table), MarkerLocator().locate(table)
    assert error(alone.corners, scene) > 0.15 and alone.warnings == ("grid-unsure",)
    assert error(snapped.corners, scene) < 0.1 and snapped.warnings == ()


def test_lifting_undoes_the_height_of_a_board() -> None:
    view = View(Camera(tilt=35.0, azimuth=30.0, roll=20.0, margins=(0.3, 0.3, 0.3, 0.3)))
    high, low = view.project(GRID), Homography(view.plane(-0.5))
    moved = np.linalg.norm(low.to_grid(high) - GRID, axis=1)
    # the middle of this picture is not quite the lens's, so some of the half square's shift may be left
    centred = np.array([(view.width - 1) / 2, (view.height - 1) / 2])
    off = view.intrinsics[:2, 2] - centred
    shift = np.array([[1, 0, -off[0]], [0, 1, -off[1]], [0, 0, 1]])  # a photo that was not cropped
    up = Homography(np.linalg.inv(shift) @ lifted(shift @ low.matrix, float(moved.max()), (view.height, view.width)))
    assert moved.max() > 0.3
    assert np.abs(up.to_grid(high) - GRID).max() < 0.01


def test_cards_on_wrong_corners_are_refused() -> None:
    scene = board()
    swapped = photo(scene, Laid(at=(1, 0, 2, 3)))
    assert len(find_markers(swapped.pixels)) == 4
    assert MarkerLocator().locate(swapped).reason == "markers-misplaced"
    askew = photo(scene, Laid(askew=(0.0, 90.0, 0.0, 0.0)))
    assert MarkerLocator().locate(askew).reason == "markers-misplaced"


@pytest.mark.parametrize("beside", [(0.3, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, -1.0)])
def test_a_card_beside_its_corner_is_never_silently_believed(beside: tuple[float, float]) -> None:
    scene = board(FULL_BOARD, tilt=15.0)
    wrong = photo(scene, Laid(beside=beside))
    assert len(find_markers(wrong.pixels)) == 4
    found = MarkerLocator().locate(wrong)
    assert found.corners is None or error(found.corners, scene) < 0.1 or "grid-unsure" in found.warnings


def test_a_card_seen_twice_counts_as_hidden() -> None:
    scene = board()
    twice = photo(scene)
    quad = find_markers(twice.pixels)[1]
    (left, top), (right, bottom) = quad.min(axis=0).astype(int) - 8, quad.max(axis=0).astype(int) + 9
    middle = scene.pixels.shape[1] // 2
    twice.pixels[top:bottom, middle : middle + right - left] = twice.pixels[top:bottom, left:right].copy()
    assert sorted(find_markers(twice.pixels)) == [0, 2, 3]
    assert MarkerLocator().locate(twice).warnings == ("marker-hidden",)


def test_the_grid_of_exact_corners_is_exact() -> None:
    view = View(Camera(tilt=40.0, azimuth=70.0, roll=130.0), aspect=1.08)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    side = np.array([1.6, 1.6 / 1.08])
    markers = {k: view.project(GRID[k] + (square - tip(k)) * side) for k in range(4)}
    four, three = grid_of_markers(markers), grid_of_markers({k: markers[k] for k in (0, 1, 3)})
    assert four is not None and three is not None
    for matrix in (four, three):
        assert np.abs(Homography(matrix).to_grid(view.project(GRID)) - GRID).max() < 1e-3
