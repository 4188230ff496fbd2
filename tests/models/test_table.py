"""The virtual table: exact where it claims to be, and the same every time."""

from __future__ import annotations

import multiprocessing
import pickle
from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.table import fonts
from models.table.camera import Camera, View
from models.table.demo import framed
from models.table.editions import EDITIONS, PREMIUMS, Edition, draw_board, edition, random_edition
from models.table.fillings import EMPTY, FOREIGN, MARKS, OTHER, random_filling, with_foreign
from models.table.ground import Ground
from models.table.handwriting import can_write, writer, written
from models.table.items import Hand, Thing
from models.table.light import Light, Sensor
from models.table.scene import (
    NUISANCES,
    PLAIN_EDITIONS,
    PLAIN_FACES,
    SceneParams,
    _lay,
    _outlines,
    render,
    sample_params,
)
from models.table.tiles import TileStyle, draw_tile, german_style
from vision.geometry import GRID, SIZE, Corners
from vision.rectify import MARGIN, PIXELS_PER_SQUARE, rectify

cv2.setNumThreads(1)

CLEAN_LIGHT = Light(falloff=0, vignette=0, shadow=0, contact=0)
CLEAN_SENSOR = Sensor(defocus=0, shot=0, read=0, quality=0)


@pytest.fixture(scope="module", autouse=True)
def _faces():
    try:
        fonts.find_faces()
    except fonts.NoFontsError:
        pytest.skip("no typefaces on this machine")


def clean(**changes) -> SceneParams:
    """A plain scene without any nuisance."""
    base = SceneParams(
        seed=3,
        edition=replace(edition("white"), labels="none"),
        style=german_style(),
        camera=Camera(tilt=25, azimuth=70, roll=12, square_px=40),
        light=CLEAN_LIGHT,
        sensor=CLEAN_SENSOR,
        ground=Ground("plain"),
        shift=0.0,
        turn=0.0,
        stray=0.0,
    )
    return replace(base, **changes)


def with_tile(row: int, col: int, letter: str = "?") -> tuple[str, ...]:
    lines = [list(line) for line in EMPTY]
    lines[row][col] = letter
    return tuple("".join(line) for line in lines)


def test_same_seed_same_pixels():
    first, second = (render(sample_params(np.random.default_rng(11))) for _ in range(2))
    assert np.array_equal(first.pixels, second.pixels)
    assert first.corners == second.corners
    other = render(sample_params(np.random.default_rng(12)))
    assert other.board != first.board


def test_parameters_survive_a_worker():
    params = sample_params(np.random.default_rng(5), square_px=(15, 16))
    assert pickle.loads(pickle.dumps(params)) == params
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        scene = pool.apply(render, (params,))
    assert np.array_equal(scene.pixels, render(params).pixels)


CAMERAS = (Camera(square_px=36), Camera(30, 200, 77, 25, 48), Camera(12, 300, 181, 40, 30))


@pytest.mark.parametrize("camera", CAMERAS)
def test_corners_are_exact(camera):
    """With the true corners, the printed lines fall on multiples of a square."""
    plain = edition("white").plain
    scene = render(clean(camera=camera, edition=replace(edition("white"), premium=(plain,) * 4, labels="none")))
    flat = cv2.cvtColor(rectify(scene.pixels, scene.corners).pixels, cv2.COLOR_BGR2GRAY).astype(float)
    off = []
    for k in range(1, SIZE):
        at = MARGIN + k * PIXELS_PER_SQUARE
        for profile in (flat, flat.T):
            rows = MARGIN + np.array([3.5, 6.5, 10.5]) * PIXELS_PER_SQUARE
            for row in rows.astype(int):
                dark = 255 - profile[row - 3 : row + 3, at - 6 : at + 6].mean(axis=0)
                dark = np.clip(dark - dark.min() - 0.3 * np.ptp(dark), 0, None)
                centre = (dark * (np.arange(at - 6, at + 6) + 0.5)).sum() / dark.sum()
                off.append(centre - at)
    assert abs(np.mean(off)) < 0.05 and np.max(np.abs(off)) < 0.3
    assert np.all(np.array(scene.corners.points) > 0)


def test_distorted_corners_are_where_the_picture_shows_them():
    """A dot painted on the corner of the undistorted picture is found at the corner that is given."""
    view = View(Camera(15, 30, 20, 30, 40, distortion=0.03))
    picture = np.zeros((view.height, view.width, 3), np.uint8)
    for x, y in view.project(GRID):
        cv2.circle(picture, (round(x), round(y)), 3, (255, 255, 255), -1)
    bent = view.bend(picture)[..., 0]
    for (x, y), (ux, uy) in zip(view.distort(view.project(GRID)), view.project(GRID), strict=True):
        assert bent[round(y), round(x)] > 128
        assert np.hypot(x - ux, y - uy) > 3


def test_picture_of_wanted_size():
    camera = framed(Camera(20, 80, 5, 30, 50), 1.05, 1600, 1200)
    assert View(camera, 1.05).size == (1600, 1200)


@pytest.mark.parametrize("filling_seed", range(3))
def test_truth_agrees_with_the_picture(filling_seed):
    """Squares with a tile differ from the same board without tiles; the others do not."""
    filling = random_filling(np.random.default_rng(filling_seed), tiles=50)
    params = clean(
        filling=filling, style=replace(german_style(), body=(200, 40, 40), thickness=0.0), edition=edition("white-teal")
    )
    scene, bare = render(params), render(replace(params, filling=EMPTY))
    assert scene.board == filling and scene.corners == bare.corners
    pair = [rectify(s.pixels, scene.corners).crops()[..., 16:32, 16:32, :].astype(float) for s in (scene, bare)]
    changed = np.abs(pair[0] - pair[1]).mean(axis=(2, 3, 4)) > 10
    assert np.array_equal(changed, np.array([[c != "." for c in row] for row in filling]))


@pytest.mark.parametrize("azimuth", [0, 90, 215])
def test_thickness_moves_tops_away_from_the_camera(azimuth):
    """A tile's top lies further from the point under the camera than its foot, by height / distance to the camera."""
    camera = Camera(tilt=25, azimuth=azimuth, roll=0, distance=30, square_px=40)
    style = replace(german_style(), body=(255, 0, 0), thickness=0.28, side_shade=0.0, bevel_contrast=0.0)
    grey = replace(edition("white"), premium=((200, 200, 200),) * 4, labels="none", edge_colour=(90, 90, 90))
    params = clean(camera=camera, style=style, filling=with_tile(4, 10), edition=grey)
    scene = render(params)
    view = View(camera)
    flat = rectify(scene.pixels, scene.corners).pixels.astype(float)
    red = np.clip(flat[..., 2] - flat[..., :2].max(axis=-1) - 90, 0, None)
    y, x = np.mgrid[0 : red.shape[0], 0 : red.shape[1]] + 0.5
    top = (np.array([(red * x).sum(), (red * y).sum()]) / red.sum() - MARGIN) / PIXELS_PER_SQUARE
    foot = np.array([10.5, 4.5])
    away = foot - np.array(view.foot)
    expected = away * 0.28 / (-view.position[2] - 0.28)
    assert np.linalg.norm(expected) > 0.05
    assert np.allclose(top - foot, expected, atol=0.04)


def test_outlines_and_tops_are_the_same_place():
    params = clean(filling=with_tile(2, 3), shift=0.1, turn=8)
    tiles = _lay(params, np.random.default_rng(1))
    outline = _outlines(1.0, tiles)[0]
    assert np.allclose(outline.mean(axis=0), (tiles[0].x, tiles[0].y))
    assert np.allclose(np.abs(outline - outline.mean(axis=0)).max(), params.style.size / 2, atol=0.09)


def test_fillings_hold_every_letter_about_equally_often():
    counts = dict.fromkeys(fonts.LETTERS + "?", 0)
    on_premium = 0
    for seed in range(150):
        filling = random_filling(np.random.default_rng(seed))
        assert len(filling) == SIZE and all(len(row) == SIZE for row in filling)
        for row, premiums in zip(filling, PREMIUMS, strict=True):
            for letter, premium in zip(row, premiums, strict=True):
                if letter != ".":
                    counts[letter] += 1
                    on_premium += letter == "?" and premium != "."
    blanks = counts.pop("?")
    assert max(counts.values()) < 1.25 * min(counts.values())
    assert 0.3 < on_premium / blanks < 0.7


@pytest.mark.parametrize("look", [e.name for e in EDITIONS])
def test_every_edition_can_be_drawn(look):
    board = draw_board(edition(look), 20)
    left, top, right, bottom = board.outline
    assert left < 0 and top < 0 and right > SIZE and bottom > SIZE
    centre = board.pixels[round((0.5 - top) * 20), round((0.85 - left) * 20)]
    assert np.abs(centre.astype(float) - np.array(edition(look).plain)[::-1]).max() > 8, (
        "a triple word square is not plain"
    )


def test_random_editions_differ():
    looks = {random_edition(np.random.default_rng(seed)) for seed in range(40)}
    assert len(looks) == 40
    assert len({look.shape for look in looks}) >= 4 and len({look.labels for look in looks}) >= 6
    assert all(0.95 <= look.aspect <= 1.09 for look in looks)


def test_letters_differ_on_tiles():
    """Each letter of the set gives another picture, umlauts too, and a blank has no ink."""
    style = german_style()
    faces = {letter: draw_tile(style, letter, 36, np.random.default_rng(0))[0] for letter in fonts.LETTERS + "?"}
    for a in faces:
        for b in faces:
            if a < b:
                assert np.abs(faces[a] - faces[b]).max() > 60, (a, b)
    assert faces["?"][8:28, 8:28].min() > 180


def test_a_hand_covers_squares():
    hand = Hand("flat", (7.5, 7.5), 90.0, (220, 170, 140), (30, 40, 90), 0.5, 1.0, 1.0, False, 1)
    scene = render(clean(hands=(hand,), camera=Camera(square_px=20)))
    assert scene.covered[7:12, 6:9].any() and scene.covered[14, 7] and not scene.covered[0].any()
    sheet = Thing("sheet", (17.0, 7.5), 0.0, 1.0, (250, 250, 250), 2)
    assert render(clean(things=(sheet,), camera=Camera(square_px=20))).covered[7, 14]
    assert not render(clean()).covered.any()


@pytest.mark.parametrize("name", sorted(NUISANCES))
def test_nuisances_can_be_left_out(name):
    """Leaving one out changes nothing else of what is drawn."""
    for seed in range(6):
        full, less = (sample_params(np.random.default_rng(seed), without=names) for names in (frozenset(), {name}))
        assert (full.camera, full.ground, full.seed) == (less.camera, less.ground, less.seed)
        assert full.edition == less.edition or name == "editions"
        assert full.filling == less.filling or name == "foreign"
        assert less.style.thickness == 0 or name != "thickness"
        assert less.hands == () or name != "hands"
        assert less.turned == less.askew == less.off == 0 or name != "turned"
        assert less.style.face in (*PLAIN_FACES, fonts.preferred_face().name) or name != "fonts"
        assert less.edition.name in PLAIN_EDITIONS or name != "editions"
        assert set("".join(less.filling)) <= set(".?" + fonts.LETTERS) or name != "foreign"


def test_unknown_nuisance_is_refused():
    with pytest.raises(ValueError, match="fog"):
        sample_params(np.random.default_rng(0), without={"fog"})


def test_no_fonts_is_a_clear_error(tmp_path):
    with pytest.raises(fonts.NoFontsError) as caught:
        fonts.find_faces((tmp_path,))
    assert caught.value.code == "no-fonts" and "apt-get install" in caught.value.hint
    with pytest.raises(fonts.NoFontsError, match="Nirgendwo 400"):
        fonts.face("Nirgendwo 400")


def test_coverage_by_rendering_agrees_with_fonttools():
    pytest.importorskip("fontTools")
    for face in fonts.find_faces()[:: max(1, len(fonts.find_faces()) // 8)]:
        assert fonts._covers_by_rendering(face.path, fonts.NEEDED)
        assert not fonts._covers_by_rendering(face.path, "\U0001f0a1")


def test_missing_face_of_a_style_is_a_clear_error():
    with pytest.raises(fonts.NoFontsError):
        render(clean(style=TileStyle(face="Nirgendwo 400"), filling=with_tile(7, 7, "A")))


def test_edition_is_plain_data():
    assert isinstance(hash(edition("yellow")), int)
    assert isinstance(edition("yellow"), Edition) and edition("yellow").aspect > 1.05
    assert isinstance(render(clean()).corners, Corners)


def test_turns_make_tiles_upright():
    """Turned back as the truth says, every crop looks like the same letter upright."""
    filling = random_filling(np.random.default_rng(4), tiles=60, blanks=0)
    params = clean(filling=filling, camera=Camera(square_px=40), style=replace(german_style(), thickness=0.0))
    upright = render(params)
    assert not upright.turns.any()
    turned = render(replace(params, turned=0.5))
    assert set(np.unique(turned.turns)) == {0, 1, 2, 3}
    straight, crops = (rectify(s.pixels, s.corners).crops().astype(float) for s in (upright, turned))
    for row, col in np.argwhere(turned.turns):
        letter = slice(12, 36)
        errors = [np.abs(np.rot90(crops[row, col], k) - straight[row, col])[letter, letter].mean() for k in range(4)]
        assert errors[turned.turns[row, col]] <= min(errors) + 1.5, (row, col, filling[row][col])


def test_blanks_have_no_turn_and_tiles_keep_their_square():
    filling = tuple("?.A.B.C.D.E.F.G" if row % 2 == 0 else "." * SIZE for row in range(SIZE))
    params = clean(filling=filling, camera=Camera(square_px=16), turned=0.5, askew=0.5, off=0.9)
    scene = render(params)
    assert not scene.turns[:, 0].any() and not scene.turns[1].any() and scene.turns.any()
    tiles = _lay(params, np.random.default_rng(params.seed))
    places = [(int(tile.y), int(tile.x)) for tile in tiles]
    assert places == [(r, c) for r in range(SIZE) for c in range(SIZE) if filling[r][c] != "."]
    away = [max(abs(tile.x % 1 - 0.5), abs(tile.y % 1 - 0.5)) for tile in tiles]
    assert 0.25 < np.median(away) < 0.46
    assert sum(abs((tile.turn + 45) % 90 - 45) > 10 for tile in tiles) > 10


def test_foreign_prints_are_single_characters_outside_the_german_set():
    filling = random_filling(np.random.default_rng(1), tiles=80)
    for seed in range(20):
        foreign = with_foreign(np.random.default_rng(seed), filling, 0.5)
        changed = [(a, b) for rows in zip(filling, foreign, strict=True) for a, b in zip(*rows, strict=True) if a != b]
        assert 15 < len(changed) < 65
        assert all(a not in ".?" and b in "".join(FOREIGN.values()) for a, b in changed)
    assert all(len(row) == SIZE for row in foreign)
    assert not set("".join(FOREIGN.values())) & set(fonts.NEEDED + ".?*") and OTHER not in fonts.LETTERS


def test_every_foreign_print_is_drawn_and_differs_from_a_blank():
    style = german_style()
    blank = draw_tile(style, "?", 36, np.random.default_rng(0))[0]
    for letter in sorted(set("".join(FOREIGN.values()))):
        assert np.abs(draw_tile(style, letter, 36, np.random.default_rng(0))[0] - blank).max() > 60, letter
    for mark in MARKS:
        files = fonts.files_for(style.face, mark)
        assert files is None or all(file.endswith(("ttf", "otf", "woff")) for file in files)


def test_two_sets_of_tiles_can_lie_mixed():
    filling = random_filling(np.random.default_rng(2), tiles=60, blanks=0)
    red, blue = (replace(german_style(), body=body, thickness=0.0) for body in ((200, 30, 30), (30, 30, 200)))
    scene = render(clean(filling=filling, style=red, second=blue, second_share=0.4))
    tiles = np.array([[tile != "." for tile in row] for row in filling])
    colours = rectify(scene.pixels, scene.corners).crops()[tiles][:, 12:36, 12:36].mean(axis=(1, 2))
    reddish = colours[:, 2] > colours[:, 0] + 40
    assert np.all(np.abs(colours[:, 2] - colours[:, 0]) > 40) and 0.4 < reddish.mean() < 0.8


@pytest.mark.parametrize("cells", ["clear", "raised", "ceramic"])
def test_framed_squares_keep_their_place(cells):
    """Frames run along the grid: the middles of plain squares keep their colour, their rims do not."""
    look = replace(edition("german-modern"), cells=cells, cell_contrast=1.0, labels="none", texture="none")
    board, bare = draw_board(look, 30), draw_board(replace(look, cells="none"), 30)
    assert board.pixels.shape == bare.pixels.shape
    x, y = round((board.left + 8) * 30), round((board.top + 1) * 30)
    off = np.abs(board.pixels[y : y + 30, x : x + 30].astype(int) - bare.pixels[y : y + 30, x : x + 30]).max(axis=-1)
    assert off[8:22, 8:22].mean() < 6 < off[:4].mean()


def test_everybody_can_write_the_alphabet():
    """Every letter and digit leaves ink inside the tile, and letters of one writer differ."""
    for seed in range(1, 8):
        masks = {}
        for letter in fonts.NEEDED:
            rng = np.random.default_rng(seed)
            masks[letter] = written(letter, "10", writer(seed), 48, 0.5, (0.48, 0.46), 0.2, (0.8, 0.88), rng)
            assert masks[letter].sum() > 30 and masks[letter][[0, -1]].max() < 0.5, letter
        for a in fonts.LETTERS:
            for b in fonts.LETTERS:
                assert a >= b or np.abs(masks[a] - masks[b]).sum() > 10, (a, b)
    assert can_write("ŁŚȘČŐ") and not can_write("Ж")


def test_hand_drawn_faces_only_on_request():
    assert all(fonts.choose_face(np.random.default_rng(seed)).kind != "hand" for seed in range(200))
    assert fonts.preferred_face().kind != "hand"


def test_squares_burnt_out_by_a_lamp_count_as_covered():
    lamp = (7.5, 7.5, 3.0, 3.0, 0.0, 4.0)
    scene = render(clean(light=replace(CLEAN_LIGHT, glare=(lamp,)), camera=Camera(square_px=16)))
    assert scene.covered[7, 7] and not scene.covered[0].any()
    faint = replace(CLEAN_LIGHT, glare=((*lamp[:5], 0.3),), mirror=((7.5, 7.5, 3.0, 20.0, 0.2, "window"),))
    assert not render(clean(light=faint, camera=Camera(square_px=16))).covered.any()
