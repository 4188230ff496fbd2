"""What makes a photo hard to read: on rendered boards whose parameters tell the truth."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from models.table.editions import edition
from models.table.items import Thing, random_hand
from models.table.light import Light
from models.table.scene import NUISANCES, Scene, SceneParams, render, sample_params
from scorer.board import Square
from scorer.tiles import GERMAN_102
from vision import quality
from vision.geometry import Corners, Homography
from vision.locator import BoardLocator, FixedCorners, Location
from vision.observe import Observation, observe_photo
from vision.onnx_reader import OnnxReader
from vision.overlay import COVERED_COLOUR, GLARE_COLOUR, GRID_COLOUR, STRIP_COLOUR, draw_observation
from vision.photo import Photo
from vision.quality import CODES, Finding
from vision.rectify import BoardImage, rectify

READER = OnnxReader()
BARE = ("." * 15,) * 15
GAME = (
    *BARE[:5],
    "...........A...",
    "...........B...",
    "...FRÜHLING....",
    ".......E...N...",
    ".......S...D...",
    ".......ERNTE...",
    ".......N...N...",
    *BARE[:3],
)


def params(look: str = "german-classic", filling: tuple[str, ...] = GAME, seed: int = 7) -> SceneParams:
    """A sharp, well lit board seen from above, squares of about 30 pixels, without anything in the way."""
    drawn = sample_params(
        np.random.default_rng(seed), NUISANCES - {"editions", "fonts"}, filling=filling, edition=edition(look),
        square_px=(29, 31), max_tilt=10,
    )  # fmt: skip
    return replace(drawn, light=Light())


@cache
def scene(look: str = "german-classic", filling: tuple[str, ...] = GAME) -> Scene:
    return render(params(look, filling))


def flat(shown: Scene) -> BoardImage:
    return rectify(shown.pixels, shown.corners)


def observed(shown: Scene, pixels: np.ndarray | None = None) -> Observation:
    picture = shown.pixels if pixels is None else pixels
    photo = Photo("scene", picture, picture.shape[1], picture.shape[0])
    return observe_photo(photo, FixedCorners(shown.corners), READER, GERMAN_102)


def with_lamp(look: str, at: tuple[float, float], strength: float, seed: int = 7) -> Scene:
    """A lamp mirrored at a grid point (x, y), about three squares wide."""
    plain = params(look, seed=seed)
    return render(replace(plain, light=replace(plain.light, glare=((*at, 2.2, 1.6, 0.0, strength),))))


def squares_of(seen: Observation, code: str) -> frozenset[Square]:
    return next((one.squares for one in seen.findings if one.code == code), frozenset())


@pytest.mark.parametrize("filling", [GAME, BARE], ids=["game", "bare"])
@pytest.mark.parametrize("look", ["german-classic", "us-cream", "white", "wooden", "german-green-print"])
def test_nothing_is_found_on_a_good_photo(look: str, filling: tuple[str, ...]) -> None:
    assert observed(scene(look, filling)).findings == ()


@pytest.mark.parametrize("filling", [GAME, BARE], ids=["game", "bare"])
def test_blur_grows_with_defocus_and_is_told_in_squares(filling: tuple[str, ...]) -> None:
    plain = scene("german-classic", filling).pixels
    corners = scene("german-classic", filling).corners
    side = Homography.from_corners(corners).square_side()
    ladder = [0.02, 0.04, 0.06, 0.08, 0.1]
    found = [quality.blur(rectify(cv2.GaussianBlur(plain, (0, 0), s * side), corners)) for s in ladder]
    assert found == sorted(found)
    assert found[2:] == pytest.approx(ladder[2:], abs=0.02)
    assert found[0] < quality.BLURRED < found[3]


@pytest.mark.parametrize("angle", [0, 45, 90, 150])
def test_a_moved_camera_is_noticed_whatever_its_direction(angle: int) -> None:
    still = params()
    moved = replace(still.sensor, motion=0.3 * still.camera.square_px, motion_angle=float(angle))
    assert "blurred" in quality.board_faults(flat(render(replace(still, sensor=moved))))


def test_noise_neither_makes_a_blurred_photo_sharp_nor_a_sharp_one_blurred() -> None:
    rng = np.random.default_rng(3)
    corners, sharp = scene().corners, scene().pixels
    soft = cv2.GaussianBlur(sharp, (0, 0), 3)
    for picture, wanted in ((sharp, ()), (soft, ("blurred",))):
        noisy = np.clip(picture + rng.normal(0, 12, picture.shape), 0, 255).astype(np.uint8)
        assert quality.board_faults(rectify(noisy, corners)) == wanted


def test_a_small_board_is_far_away_and_not_blurred() -> None:
    factor = 10 / 30
    small = cv2.resize(scene().pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    assert quality.board_faults(rectify(small, scene().corners.scaled(factor))) == ("few-pixels",)


def test_a_dark_board_is_dark_whatever_its_colours() -> None:
    for look in ("german-classic", "wooden"):
        pixels, corners = scene(look).pixels, scene(look).corners
        assert quality.board_faults(rectify((pixels * 0.2).astype(np.uint8), corners)) == ("dark",)


@pytest.mark.parametrize("at", [(4.5, 3.5), (11.0, 11.0), (6.0, 7.5)])
@pytest.mark.parametrize("look", ["german-classic", "wooden", "german-green-print"])
def test_a_lamp_is_named_where_it_mirrors(look: str, at: tuple[float, float]) -> None:
    found = squares_of(observed(with_lamp(look, at, 0.8, seed=10)), "glare")
    assert Square(int(at[1]), int(at[0])) in found
    assert all(abs(s.col + 0.5 - at[0]) < 3 and abs(s.row + 0.5 - at[1]) < 2.5 for s in found)


def test_a_faint_reflection_is_not_worth_a_word() -> None:
    assert observed(with_lamp("german-classic", (6.0, 7.5), 0.08)).findings == ()


def test_sun_on_half_of_the_board_is_no_lamp() -> None:
    plain = params()
    edge = replace(plain, light=replace(plain.light, exposure=1.2, patches=(("edge", 20.0, 0.0, 0.2, 0.6),)))
    assert squares_of(observed(render(edge)), "glare") == frozenset()


def test_where_nothing_can_be_seen_the_reading_is_doubted() -> None:
    seen = observed(with_lamp("wooden", (11.0, 3.0), 1.6))
    assert seen.reading is not None
    white = quality.burnt_out(flat(with_lamp("wooden", (11.0, 3.0), 1.6)), squares_of(seen, "glare"))
    assert {Square(2, 10), Square(3, 11)} <= white <= set(seen.reading.doubtful)


@pytest.mark.parametrize("exposure", [1.0, 1.4])
@pytest.mark.parametrize("what", ["sheet", "hand"])
@pytest.mark.parametrize("look", ["german-classic", "wooden"])
def test_what_lies_over_the_board_covers_it_and_does_not_mirror(look: str, what: str, exposure: float) -> None:
    plain = params(look)
    plain = replace(plain, light=replace(plain.light, exposure=exposure))
    sheet = Thing("sheet", (12.5, 1.5), 20.0, 1.0, (245, 244, 240), 3)
    hand = replace(random_hand(np.random.default_rng(5)), pose="flat", tip=(9.0, 5.0), angle=0.0, sleeve=0.6)
    shown = render(replace(plain, things=(sheet,)) if what == "sheet" else replace(plain, hands=(hand,)))
    seen = observed(shown)
    truth = {Square(int(row), int(col)) for row, col in np.argwhere(shown.covered)}
    assert squares_of(seen, "glare") == frozenset() and len(truth) > 20
    hidden = squares_of(seen, "covered")
    assert len(hidden & truth) >= 0.95 * len(truth) and len(hidden) <= 1.15 * len(truth)


def test_a_board_that_runs_out_of_the_picture_says_where() -> None:
    corners = Corners.of([(-20, 30), (280, 30), (280, 330), (-20, 330)])  # squares of 20 pixels, the first column out
    assert quality.outside(corners, (400, 400)) == {Square(row, 0) for row in range(15)}
    assert quality.outside(corners, (300, 400)) >= {Square(14, 7)}
    assert quality.outside(Corners.of([(0, 0), (300, 0), (300, 300), (0, 300)]), (300, 300)) == frozenset()


def test_the_largest_of_several_patches() -> None:
    corner, middle = {Square(0, 0)}, {Square(7, 7), Square(8, 8), Square(8, 9)}
    assert quality.largest_patch(corner | middle) == middle
    assert quality.largest_patch(()) == frozenset()


class Nowhere(BoardLocator):
    """Finds no board."""

    def locate(self, photo: Photo) -> Location:
        return Location(None, reason="no-board")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda picture: picture, "no-board"),
        (lambda picture: (picture * 0.1).astype(np.uint8), "too-dark"),
        (lambda picture: cv2.GaussianBlur(picture, (0, 0), 9), "too-blurred"),
        (lambda picture: np.full_like(picture, 128), "no-board"),
    ],
    ids=["sharp", "dark", "blurred", "wall"],
)
def test_a_photo_without_a_board_says_whether_it_is_the_photo(change, reason: str) -> None:  # type: ignore[no-untyped-def]
    pixels = change(scene().pixels)
    seen = observe_photo(Photo("p", pixels, pixels.shape[1], pixels.shape[0]), Nowhere(), READER, GERMAN_102)
    assert (seen.found, seen.reason) == (False, reason)


def test_codes_are_warnings_too_and_in_order() -> None:
    shown = with_lamp("german-classic", (6.0, 7.5), 0.8)
    seen = observed(shown, cv2.GaussianBlur(shown.pixels, (0, 0), 2.6))
    codes = tuple(one.code for one in seen.findings)
    assert set(codes) >= {"blurred", "glare"} and codes == tuple(code for code in CODES if code in codes)
    assert seen.warnings == codes


def test_the_overlay_shows_what_is_in_the_way_and_explains_its_colours() -> None:
    seen = observed(scene())
    seen = replace(
        seen,
        findings=(
            Finding("glare", frozenset({Square(2, 2), Square(2, 3)})),
            Finding("covered", frozenset({Square(12, 12)})),
        ),
    )
    grid = Homography.from_corners(scene().corners)
    words = {"grid": "Gitter", "glare": "spiegelt", "covered": "verdeckt", "new": "neu", "first": "A1", "up": "oben"}
    drawn = draw_observation(seen, words=words)
    height = scene().pixels.shape[0]

    def shows(x: float, y: float, colour: tuple[int, int, int]) -> bool:
        px, py = grid.to_pixels(np.array([x, y])).astype(int)
        patch = drawn[py - 2 : py + 3, px - 2 : px + 3].astype(int)
        return bool((np.abs(patch - colour).max(axis=-1) < 40).any())

    assert shows(2.5, 2.5, GLARE_COLOUR) and shows(2.0, 2.3, GLARE_COLOUR)  # a line of the hatch, the outline
    assert shows(12.5, 12.5, COVERED_COLOUR) and not shows(5.5, 2.5, GLARE_COLOUR)
    assert shows(3.0, 2.8, GRID_COLOUR)  # no outline between two squares of one patch
    strip = drawn[height:].reshape(-1, 3)
    assert (strip[0] == STRIP_COLOUR).all()
    for colour, there in ((GRID_COLOUR, True), (GLARE_COLOUR, True), (COVERED_COLOUR, True), ((60, 200, 60), False)):
        assert bool((strip == colour).all(axis=-1).sum() > 50) == there


def test_the_overlay_of_a_photo_without_a_board_carries_the_reason() -> None:
    pixels = np.full((200, 300, 3), 90, np.uint8)
    seen = Observation("p", reason="no-board", photo=Photo("p", pixels, 300, 200))
    drawn = draw_observation(seen, caption="Kein Brett gefunden. Bitte das ganze Brett von oben fotografieren.")
    assert (drawn[:200] == pixels).all()
    strip = drawn[200:]
    assert strip.shape[1] == 300 and (strip > 200).any() and (strip[:, -2:] == STRIP_COLOUR).all()  # wrapped, not cut
    assert draw_observation(seen).shape == pixels.shape


@pytest.mark.parametrize("shape", [(1, 1), (1, 400), (400, 2)])
def test_a_picture_of_hardly_any_pixels_is_not_blurred(shape: tuple[int, int]) -> None:
    assert quality.edge_blur(np.full(shape, 120, np.uint8)) == 0
    assert quality.poor_photo(Photo("", np.full((*shape, 3), 120, np.uint8), shape[1], shape[0])) is None
