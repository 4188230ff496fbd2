"""Rows of tiles at the end of a game: rendered, on racks and on tables, and read."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.table import fonts
from models.table.camera import Camera
from models.table.editions import edition
from models.table.ground import Ground
from models.table.light import Light, Sensor
from models.table.rack import Rack, RackParams, RackScene, render_rack, sample_rack
from models.table.scene import SceneParams
from models.table.tiles import german_style
from scorer.tiles import GERMAN_102
from vision.errors import PhotoError
from vision.geometry import Corners
from vision.onnx_reader import OnnxReader
from vision.photo import Photo
from vision.rack import RackReading, _with_counts, along, read_rack

cv2.setNumThreads(1)

RACK = Rack(colour=(30, 90, 55), lip=0.05)


@pytest.fixture(scope="module", autouse=True)
def _faces() -> None:
    try:
        fonts.find_faces()
    except fonts.NoFontsError:
        pytest.skip("no typefaces on this machine")


@pytest.fixture(scope="module")
def reader() -> OnnxReader:
    return OnnxReader(threads=2)


def row(
    letters: str,
    rack: Rack | None = None,
    gap: float = 0.01,
    tilt: float = 15.0,
    roll: float = 4.0,
    digits: bool = True,
) -> RackScene:
    """These tiles as a player might photograph them: German plastic tiles, from a little to the side."""
    style = german_style() if digits else replace(german_style(), digits="none")
    base = SceneParams(
        seed=11,
        edition=replace(edition("white"), aspect=1.0, thickness=0.0),
        style=style,
        camera=Camera(tilt=15, azimuth=70, roll=4, distance=16, square_px=45),
        light=Light(),
        sensor=Sensor(),
        ground=Ground("cloth", (60, 70, 120), (90, 90, 150), seed=2),
    )
    n = len(letters)
    return render_rack(RackParams(base, letters, rack, (0.01,) * (n - 1), ((0.0, 0.0),) * n, (0.0,) * n))


def photo_of(scene: RackScene) -> Photo:
    height, width = scene.pixels.shape[:2]
    return Photo("rack.jpg", scene.pixels, width, height)


def read(reader: OnnxReader, scene: RackScene, count: int | None = None, **more: object) -> RackReading:
    return read_rack(photo_of(scene), scene.corners, reader, GERMAN_102, count, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("letters", ["ENRSTAI", "QÄHMWÜ?", "J", "XZ", "GKÖPVUBF"])
@pytest.mark.parametrize("rack", [RACK, None], ids=["rack", "table"])
def test_tiles_are_read(reader: OnnxReader, letters: str, rack: Rack | None) -> None:
    found = read(reader, row(letters, rack), len(letters))
    assert found.letters == letters
    assert [letters[place] for place in found.doubtful] in ([], ["?"])
    assert (found.turned, found.count_given) == (0, True)
    assert all(tile.candidates[0] == (tile.char, tile.confidence) for tile in found.tiles)


def test_the_row_may_be_tapped_from_the_other_side(reader: OnnxReader) -> None:
    scene = row("ENGLMAR", RACK)
    upside_down = replace(scene, corners=scene.corners.turned(2))
    found = read(reader, upside_down, 7)
    assert (found.letters, found.turned, found.turn_sure) == ("ENGLMAR", 2, True)
    assert found.corners.array == pytest.approx(scene.corners.array, abs=1e-3)


@pytest.mark.parametrize("order", [(1, 2, 3, 0), (3, 0, 1, 2), (0, 3, 2, 1), (1, 0, 3, 2)])
def test_the_corners_may_come_in_any_order(reader: OnnxReader, order: tuple[int, ...]) -> None:
    scene = row("RATEN")
    tapped = replace(scene, corners=Corners.of(scene.corners.array[list(order)]))
    found = read(reader, tapped, 5)
    assert (found.letters, found.turn_sure) == ("RATEN", True)
    assert found.corners.array == pytest.approx(scene.corners.array, abs=1e-3)


def test_letters_that_are_the_same_upside_down_leave_the_turn_open_and_no_doubt(reader: OnnxReader) -> None:
    found = read(reader, row("OHO", digits=False), 3)
    assert (found.letters, found.turn_sure, found.doubtful) == ("OHO", False, ())


@pytest.mark.parametrize("letters", ["D", "AUTO", "SCHNEE", "GEBÄUDEN"])
def test_the_number_of_tiles_may_be_unknown(reader: OnnxReader, letters: str) -> None:
    found = read(reader, row(letters, RACK))
    assert (found.letters, found.count_given, found.count_sure) == (letters, False, True)


def test_tiles_lie_apart(reader: OnnxReader) -> None:
    scene = row("WINTER")
    loose = render_rack(replace(scene.params, gaps=(0.3, 0.0, 0.25, 0.05, 0.2)))
    assert read(reader, loose, 6).letters == "WINTER"


def test_taps_beside_the_corners_are_no_other_letters(reader: OnnxReader) -> None:
    """A tenth of a tile off, which makes the far end look nearer: seven tiles are found where they lie."""
    scene = row("KLAUTES", RACK)
    side = float(np.linalg.norm(scene.corners.array[1] - scene.corners.array[0])) / 7
    off = np.array([(0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.0, 0.1)]) * side
    found = read(reader, replace(scene, corners=Corners.of(scene.corners.array + off)), 7)
    assert found.letters == "KLAUTES"


def test_a_photo_decoded_at_half_size_has_corners_at_full_size(reader: OnnxReader) -> None:
    scene = row("PFERD")
    height, width = scene.pixels.shape[:2]
    photo = Photo("rack.jpg", scene.pixels, 2 * width, 2 * height)
    found = read_rack(photo, scene.corners.scaled(2), reader, GERMAN_102, 5)
    assert found.letters == "PFERD"
    assert found.corners.array == pytest.approx(2 * scene.corners.array, abs=1e-3)


def test_more_tiles_of_a_kind_than_there_can_be_are_doubtful(reader: OnnxReader) -> None:
    """The set has one Q and one Y; none of the two Q is taken for another letter."""
    found = read(reader, row("QEQY"), 4)
    assert (found.letters, found.doubtful) == ("QEQY", (0, 2))
    seen_on_the_board = read(reader, row("QEY"), 3, left={"Q": 0, "E": 3, "Y": 1})
    assert (seen_on_the_board.letters, seen_on_the_board.doubtful) == ("QEY", (0,))


def test_what_cannot_be_read_is_doubtful(reader: OnnxReader) -> None:
    scene = row("ENTE")
    smeared = replace(scene, pixels=cv2.GaussianBlur(scene.pixels, (0, 0), 14))
    assert len(read(reader, smeared, 4).doubtful) == 4


@pytest.mark.parametrize("seed", range(30, 42))
def test_no_tile_is_surely_another_one(reader: OnnxReader, seed: int) -> None:
    """Racks and rows as they come: any light, blur and tiles. What is wrong is doubtful."""
    params = sample_rack(np.random.default_rng(seed))
    scene = render_rack(params)
    found = read(reader, scene, len(scene.letters))
    backwards = found.turned == 2
    truth = scene.letters[::-1] if backwards else scene.letters
    wrong = {place for place, char in enumerate(found.letters) if char != truth[place]}
    assert wrong <= set(found.doubtful)


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (100, 0), (50, 10), (0, 100)],
        [(0, 0), (10, 0), (20, 0), (30, 0)],
        [(5, 5), (5, 5), (5, 5), (5, 5)],
        [(0, 0), (float("nan"), 0), (100, 20), (0, 20)],
    ],
)
def test_corners_that_enclose_no_row(reader: OnnxReader, points: list[tuple[float, float]]) -> None:
    photo = Photo("x", np.zeros((100, 200, 3), np.uint8), 200, 100)
    with pytest.raises(PhotoError) as error:
        read_rack(photo, Corners.of(points), reader, GERMAN_102, 3)
    assert error.value.code == "bad-row" and error.value.hint


@pytest.mark.parametrize("count", [0, 9])
def test_a_row_has_one_to_eight_tiles(reader: OnnxReader, count: int) -> None:
    scene = row("AB")
    with pytest.raises(ValueError, match="8"):
        read(reader, scene, count)


def test_perspectives_along_a_row_add_up() -> None:
    shares = np.linspace(0, 1, 9)
    assert along(along(shares, 0.3), -0.5) == pytest.approx(along(shares, -0.2))
    assert along(np.array([0.0, 0.5, 1.0]), np.log(3)) == pytest.approx([0, 0.25, 1])


def test_how_many_tiles_there_can_be_weighs_the_candidates() -> None:
    """One sure Q, one tile that is Q or O: with one Q in the set it is hardly the second one."""
    probs = np.array([[0.98, 0.0], [0.6, 0.38]])
    weighed = _with_counts(probs, ("Q", "O"), GERMAN_102, None)
    # both Q: 0.98 * 0.6 * 0.05; Q and O: 0.98 * 0.38
    assert weighed[1] == pytest.approx([0.98 * 0.03 / 0.41, 0.98 * 0.38 / 0.41])
    assert weighed[0] == pytest.approx([0.98, 0.0])
    assert (_with_counts(probs, ("E", "O"), GERMAN_102, None) == probs).all()


def test_kinds_that_cannot_be_there_give_way_to_others() -> None:
    """All Q lie on the board: the tile is the O, unless the board was misread (once in twenty)."""
    weighed = _with_counts(np.array([[0.6, 0.3]]), ("Q", "O"), GERMAN_102, {"O": 2})
    assert weighed == pytest.approx(np.array([[0.9 * 0.03 / 0.33, 0.9 * 0.3 / 0.33]]))


def test_a_blur_of_many_scarce_kinds_is_weighed_at_once() -> None:
    """Eight tiles that may each be any of sixteen kinds with one tile each: nothing is learned, and no time is lost."""
    chars = tuple("CÄJÖPQÜVXYKZWFBG")
    probs = np.full((8, 16), 1 / 16)
    assert _with_counts(probs, chars, GERMAN_102, dict.fromkeys(chars, 1)) == pytest.approx(probs)
    crowded = np.full((8, 5), 0.2)
    assert _with_counts(crowded, tuple("QXYJC"), GERMAN_102, dict.fromkeys("QXYJC", 1)).sum(axis=1) == pytest.approx(1)
