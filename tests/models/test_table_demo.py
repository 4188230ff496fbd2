"""The demo game obeys the rules, and its photos show it."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from models.table import fonts
from models.table.__main__ import main
from models.table.demo import INVALID, SIZE_PX, TURNS, boards, demo_params, render_demo
from models.table.scene import render
from scorer.board import Board
from scorer.placement import Placement, PlacementFault, check_placement
from scorer.rules import RULE_SETS
from scorer.scoring import score_placement
from scorer.tiles import GERMAN_102
from vision.geometry import Homography

WORDS = {"HÜTTE", "FREUNDIN", "SONNE", "BADEN", "SCHAF", "PREIS", "KÖRPER", "ZWANG"}
"""Checked by hand: each is a common German word."""


@pytest.fixture(autouse=True)
def _faces():
    try:
        fonts.find_faces()
    except fonts.NoFontsError:
        pytest.skip("no typefaces on this machine")


def test_every_move_is_legal_and_makes_no_word_but_its_own():
    rules = RULE_SETS["turnier"]
    before = Board.empty()
    for turn, after in zip(TURNS, boards(blanks_known=True), strict=True):
        if turn.kind == "place":
            placement = Placement.of([((row, col), tile) for row, col, tile in turn.tiles])
            assert check_placement(before, placement, rules, GERMAN_102) == PlacementFault.NONE
            words = [word.word.upper() for word in score_placement(before, placement, rules, GERMAN_102).words]
            assert words == [turn.word]
            assert turn.word in WORDS | INVALID
        before = Board.parse(after)


def test_the_game_holds_what_a_demo_must_show():
    kinds = [turn.kind for turn in TURNS]
    assert kinds[0] == "start" and kinds.count("none") == 1 and kinds.count("withdrawn") == 1
    assert max(len(turn.tiles) for turn in TURNS) == 7
    assert sum("?" in row for row in boards()[-1]) == 1
    assert {"Ö", "Ü"} <= set("".join(boards()[-1]))
    back = kinds.index("withdrawn")
    assert boards()[back] == boards()[back - 2]


def test_a_tile_stays_where_it_lies():
    """Between two photos with the same camera, only squares with new tiles change."""
    first, second = demo_params()[1:3]
    second = type(second)(**{**second.__dict__, "camera": first.camera, "light": first.light, "sensor": first.sensor})
    a, b = render(first), render(second)
    grid = np.array([(5, 7), (9, 7), (9, 8), (5, 8)], np.float32)  # the first four letters of the first word
    x0, y0 = Homography.from_corners(a.corners).to_pixels(grid).min(axis=0).astype(int) + 8
    part = np.s_[y0 : y0 + 30, x0 : x0 + 130]
    difference = np.abs(a.pixels[part].astype(int) - b.pixels[part])
    assert difference.mean() < 2


def test_photos_and_truth(tmp_path):
    files = render_demo(tmp_path / "game", seed=2)
    assert [path.name for path in files] == [turn.photo for turn in TURNS]
    picture = cv2.imread(str(files[-1]))
    assert picture.shape == (SIZE_PX[1], SIZE_PX[0], 3)
    truth = json.loads((tmp_path / "game" / "truth.json").read_text(encoding="utf-8"))
    assert [tuple(entry["board"]) for entry in truth] == boards()


def test_command_writes_a_scene_and_its_truth(tmp_path, capsys):
    assert main(["--seed", "7", "--out", str(tmp_path / "scene.jpg"), "--without", "hands,objects"]) == 0
    truth = json.loads((tmp_path / "scene.json").read_text(encoding="utf-8"))
    assert truth["file"] == "scene.jpg" and len(truth["board"]) == 15 and truth["covered"] == []
    assert cv2.imread(str(tmp_path / "scene.jpg")) is not None
    assert main(["--sheet", "3", "--out", str(tmp_path / "sheet.png")]) == 0
    assert main(["--without", "fog", "--out", str(tmp_path / "x.jpg")]) == 2
    assert "fog" in capsys.readouterr().err
