"""Which way up by the labels on the empty premium squares."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from models.print_turn.boards import TO_THE_EDGE, in_blocks
from models.table.camera import Camera
from models.table.editions import edition
from models.table.fillings import EMPTY, Filling
from models.table.scene import NUISANCES, Scene, render, sample_params
from scorer.tiles import GERMAN_102
from vision.onnx_reader import PLACES, OnnxReader
from vision.print_turn import (
    ACROSS,
    BOARD_FLOOR,
    PIXELS,
    PRINTED,
    UNKNOWN,
    across,
    flat_squares,
    ink_of,
    label_evidence,
    label_letters,
    together,
    with_print,
)
from vision.rectify import CROP, rectify
from vision.tesseract_reader import TesseractReader
from vision.turn import Totals, TurnEvidence

READER = OnnxReader()
UPRIGHT, UPSIDE_DOWN = np.log([0.97, 0.01, 0.01, 0.01]), np.log([0.01, 0.01, 0.97, 0.01])
LABELLED = ("german-classic", "german-modern", "us-cream", "polish-clear")


@cache
def scene(name: str, px: float = 70, filling: Filling = EMPTY) -> Scene:
    """A clear photo of a board from above."""
    params = sample_params(np.random.default_rng(1), NUISANCES - {"editions"}, filling=filling, edition=edition(name))
    return render(replace(params, camera=Camera(square_px=px)))


@cache
def squares(name: str, px: float = 70) -> tuple[np.ndarray, ...]:
    return tuple(flat_squares(scene(name, px).pixels, scene(name, px).corners, PRINTED))


def bare(printed: Totals) -> TurnEvidence:
    return TurnEvidence((0.0, 0.0, 0.0, 0.0), bare=True, printed=printed)


def test_the_sixty_premium_squares_but_the_star() -> None:
    assert PRINTED.sum() == 60 and not PRINTED[7, 7]
    assert (np.rot90(PRINTED) == PRINTED).all()


def test_flat_squares_show_what_the_rectified_board_shows() -> None:
    board = rectify(scene("german-modern").pixels, scene("german-modern").corners)
    for (row, col), square in zip(in_blocks(PRINTED), squares("german-modern"), strict=True):
        small = cv2.resize(square, (36, 36), interpolation=cv2.INTER_AREA).astype(int)
        crop = board.crops()[row, col]
        shifts = [(dy, dx) for dy in range(-3, 4) for dx in range(-3, 4)]
        dy, dx = min(
            shifts, key=lambda s: float(np.abs(small - crop[6 + s[0] : 42 + s[0], 6 + s[1] : 42 + s[1]]).mean())
        )
        assert square.shape == (PIXELS, PIXELS, 3)
        assert abs(dy) <= 1 and abs(dx) <= 1


def test_the_letters_of_a_label_are_cut_out() -> None:
    """2x WORT, drawn by hand: six letters, each alone and of one height."""
    square = np.full((PIXELS, PIXELS, 3), (60, 60, 200), np.uint8)
    cv2.putText(square, "2x", (40, 45), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (250, 250, 250), 2)
    cv2.putText(square, "W O R T", (12, 80), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (250, 250, 250), 2)
    letters = label_letters(square)
    assert len(letters) == 6
    for letter in letters:
        assert letter.shape == (CROP, CROP, 3)
        ink = np.argwhere(letter.min(axis=2) > 150)
        assert 16 <= np.ptp(ink, axis=0).max() <= 22 and np.abs(ink.mean(axis=0) - CROP / 2).max() < 4
    assert label_letters(np.full_like(square, 90)) == []


@pytest.mark.parametrize("name", LABELLED)
def test_labels_tell_which_way_up_a_board_is(name: str) -> None:
    evidence = bare(label_evidence(squares(name), READER))
    assert evidence.sure and evidence.quarters == 0
    upside_down = [np.rot90(square, 2).copy() for square in squares(name)]
    assert bare(label_evidence(upside_down, READER)).quarters == 2


@pytest.mark.parametrize("name", ["german-green-print", "yellow", "white-teal", "ceramic"])
def test_boards_without_labels_do_not_tell(name: str) -> None:
    assert label_evidence(squares(name), READER) == UNKNOWN


@pytest.mark.parametrize("name", LABELLED)
def test_labels_too_small_to_read_are_never_sure_of_a_wrong_turn(name: str) -> None:
    evidence = bare(label_evidence(squares(name, 15), READER))
    assert evidence.quarters == 0 or not evidence.sure


def test_labels_that_face_the_nearest_edge_do_not_tell() -> None:
    turned = [
        np.rot90(square, TO_THE_EDGE[at]).copy()
        for at, square in zip(in_blocks(PRINTED), squares("german-modern"), strict=True)
    ]
    assert label_evidence(turned, READER) == UNKNOWN


def test_words_run_together_are_not_letters_lying_on_their_side() -> None:
    """The lines of the labels tell that what looks like letters from the side is none."""
    assert np.median([across(ink_of(square)[1]) for square in squares("us-cream")]) > ACROSS
    square = np.full((PIXELS, PIXELS, 3), 200, np.uint8)
    square[30:45, 15:95] = square[60:75, 15:95] = 20
    assert across(ink_of(square)[1]) > 0.5 and across(ink_of(np.rot90(square).copy())[1]) < -0.5


def test_few_letters_say_nothing() -> None:
    assert label_evidence([], READER) == UNKNOWN
    assert label_evidence(squares("us-cream")[:1], READER) == UNKNOWN
    assert together(np.full(11, 1.0), np.tile(UPRIGHT, (11, 1))) == UNKNOWN
    # a pattern of which now and then one piece looks like a letter
    assert together(np.full(60, 0.25), np.tile(UPRIGHT, (60, 1))) == UNKNOWN


def test_letters_that_agree_tell_up_to_a_limit() -> None:
    printed = together(np.ones(20), np.tile(UPSIDE_DOWN, (20, 1)))
    assert np.argmax(printed) == 2 and np.exp(printed).sum() == pytest.approx(1)
    assert printed[0] == pytest.approx(BOARD_FLOOR, abs=1e-3)


def test_letters_that_contradict_each_other_say_nothing() -> None:
    assert together(np.ones(40), np.concatenate([np.tile(UPRIGHT, (30, 1)), np.tile(UPSIDE_DOWN, (10, 1))])) == UNKNOWN


@pytest.mark.parametrize("quarters", range(4))
def test_an_empty_board_is_turned_by_its_print(quarters: int) -> None:
    photo = scene("german-classic")
    corners = photo.corners.turned(quarters)
    turned = READER.read_turned(rectify(photo.pixels, corners), GERMAN_102.letters)
    assert turned.evidence.bare and not turned.sure
    told = with_print(turned, photo.pixels, corners, READER)
    assert told.sure and (told.quarters + quarters) % 4 == 0


def test_a_reader_that_cannot_say_leaves_the_turn_open() -> None:
    assert label_evidence(squares("us-cream"), TesseractReader()) == UNKNOWN


def test_the_reader_says_how_letters_stand_from_all_sides_alike() -> None:
    letters = np.array([letter for square in squares("us-cream")[:4] for letter in label_letters(square)])
    telling, turns = READER.letter_turns(letters)
    assert telling.shape == (len(letters),) and turns.shape == (len(letters), 4)
    assert np.exp(turns).sum(axis=1) == pytest.approx(1, abs=1e-5)
    again, turned = READER.letter_turns(np.rot90(letters, 1, axes=(1, 2)))
    assert turned == pytest.approx(np.roll(turns, -1, axis=1), abs=1e-3) and again == pytest.approx(telling, abs=1e-3)
    with pytest.raises(ValueError, match="more crops"):
        READER.letter_turns(np.zeros((len(PLACES) + 1, CROP, CROP, 3), np.uint8))
