"""What one answer teaches: pictures of real looks (rendered) that the reader is made to be unsure of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from models.table.scene import NUISANCES, render, sample_params
from scorer.board import Square
from scorer.tiles import GERMAN_102
from vision.adapt import AdaptedReader, examples, learn
from vision.learning import relearnt
from vision.observe import Observation
from vision.onnx_reader import OnnxReader
from vision.quality import Finding
from vision.reading import BoardReading
from vision.rectify import BoardImage, rectify
from vision.tesseract_reader import TesseractReader

READER = OnnxReader()

FIRST = ["ABDEFGHILMNO...", "...............", "AEINRSTU......."]
THEN = [*FIRST, "...............", "OCKOH..Q......."]
"""The first row's O is asked about; the later photo has two more of them, and a Q."""

ASKED, NEW, AGAIN, Q = Square(0, 11), Square(4, 0), Square(4, 3), Square(4, 7)
FOR_Q = {"Q": 0.75, "O": 0.25}


def full(rows: list[str]) -> tuple[str, ...]:
    return (*rows, *["." * 15] * (15 - len(rows)))


@pytest.fixture(scope="module")
def pictures() -> dict[int, BoardImage]:
    """The flat boards by how many rows are laid."""
    params = sample_params(np.random.default_rng(3), without=NUISANCES)
    scenes = {len(rows): render(replace(params, filling=full(rows))) for rows in (FIRST, THEN)}
    return {count: rectify(scene.pixels, scene.corners) for count, scene in scenes.items()}


def read(rows: list[str], unsure: Mapping[Square, Mapping[str, float]]) -> BoardReading:
    """Sure of the rows but for the given squares; of the reader's classes."""
    classes = READER.classes
    probs = np.full((15, 15, len(classes)), 1e-6)
    for r, row in enumerate(full(rows)):
        for c, char in enumerate(row):
            for letter, probability in unsure.get(Square(r, c), {char: 1.0}).items():
                probs[r, c, classes.index(letter)] += probability
    return BoardReading(np.log(probs / probs.sum(axis=-1, keepdims=True)).astype(np.float32), classes, 0.97)


@pytest.fixture
def game(pictures: dict[int, BoardImage]) -> list[Observation]:
    """Two photos of the first position and one of the second; every O looks rather like a Q to the reader."""
    first = read(FIRST, {ASKED: FOR_Q})
    then = read(THEN, {ASKED: FOR_Q, NEW: FOR_Q, AGAIN: FOR_Q, Q: FOR_Q})
    shots = [(FIRST, first), (FIRST, first), (THEN, then)]
    return [Observation(str(k), reading=one, board=pictures[len(rows)]) for k, (rows, one) in enumerate(shots)]


def reading(seen: Observation) -> BoardReading:
    assert seen.reading is not None
    return seen.reading


def test_the_other_tiles_of_an_answered_letter_are_read_right(game: list[Observation]) -> None:
    before, after = reading(game[2]), reading(relearnt(game, {(0, ASKED): "O"}, READER, GERMAN_102)[2])
    assert [before.at(square).char for square in (NEW, AGAIN, Q)] == ["Q", "Q", "Q"]
    assert [after.at(square).char for square in (NEW, AGAIN)] == ["O", "O"]
    assert after.at(Q).char == "Q" or Q in after.doubtful


def test_only_the_shares_of_doubtful_letters_change(game: list[Observation]) -> None:
    tile_or_not = {Square(4, 1): {"C": 0.5, ".": 0.3, "?": 0.1, "*": 0.1}}
    game[2] = replace(game[2], reading=read(THEN, {NEW: FOR_Q, **tile_or_not}))
    before, after = reading(game[2]), reading(relearnt(game, {(0, ASKED): "O"}, READER, GERMAN_102)[2])
    for char in ".?*":
        k = READER.classes.index(char)
        assert np.allclose(before.log_probs[..., k], after.log_probs[..., k])
    sure = [s for s in before.showing(str.isalpha) if s not in before.doubtful]
    assert len(sure) == 24 and after.at(NEW).char == "O"
    assert all((before.log_probs[s] == after.log_probs[s]).all() and s not in after.doubtful for s in sure)


def test_what_was_sure_and_looks_like_a_corrected_tile_becomes_doubtful(game: list[Observation]) -> None:
    """The reader is sure that an O is a Q; a player says of the other one that it is an O."""
    wrong = {ASKED: {"Q": 0.98, "O": 0.02}, NEW: {"Q": 0.98, "O": 0.02}, Q: FOR_Q}
    game[0] = replace(game[0], reading=read(FIRST, {ASKED: wrong[ASKED]}))
    game[2] = replace(game[2], reading=read(THEN, wrong))
    after = reading(relearnt(game, {(0, ASKED): "O"}, READER, GERMAN_102)[2])
    assert NEW in after.doubtful


def test_too_many_of_a_letter_are_weighed_again_and_a_lamp_over_one_is_not_forgotten(game: list[Observation]) -> None:
    """The German set has one Q; of four all are suspect until they are read as O. One is burnt out by a lamp."""
    burnt = game[2].board
    assert burnt is not None
    pixels = burnt.pixels.copy()
    top, left = 6 + 36 * AGAIN.row, 6 + 36 * AGAIN.col
    pixels[top : top + 36, left : left + 36] = 255
    four = dict.fromkeys((ASKED, NEW, AGAIN, Q), FOR_Q)
    suspected = read(THEN, four).suspecting(four)
    lamp = Finding("glare", frozenset({AGAIN}))
    game[2] = replace(game[2], reading=suspected, board=replace(burnt, pixels=pixels), findings=(lamp,))
    after = reading(relearnt(game, {(0, ASKED): "O"}, READER, GERMAN_102)[2])
    assert after.at(NEW).char == "O" and NEW not in after.suspects
    assert AGAIN in after.suspects
    assert (after.log_probs[AGAIN] == suspected.log_probs[AGAIN]).all()


def test_photos_that_cannot_be_learnt_from_stay_as_they_are(game: list[Observation]) -> None:
    changes = (
        {"lifted": True}, {"board": None}, {"warnings": ("grid-unsure",)}, {"warnings": ("turn-unsure",)},
        {"turns": (reading(game[2]),) * 4}, {"reading": None, "reason": "no-board"}, {"reading": read(THEN, {})},
    )  # fmt: skip
    changed = [replace(game[2], **change) for change in changes]
    after = relearnt([*game, *changed], {(0, ASKED): "O"}, READER, GERMAN_102)
    assert after[2] is not game[2]
    assert all(one is same for one, same in zip(after[3:], changed, strict=True))
    assert relearnt([replace(game[0], lifted=True), *game[1:]], {(0, ASKED): "O"}, READER, GERMAN_102)[2] is game[2]


def test_nothing_is_learnt_without_a_letter_nor_by_a_reader_that_knows_the_set_or_cannot_learn(
    game: list[Observation],
) -> None:
    same = tuple(game)
    for answers in ({}, {(0, ASKED): "."}, {(0, ASKED): "?"}, {(0, ASKED): "e"}, {(0, ASKED): "Ł"}):
        assert relearnt(game, answers, READER, GERMAN_102) == same
    assert relearnt(game, {(0, Square(1, 1)): "O"}, READER, GERMAN_102) == same  # nothing is seen there
    assert relearnt(game, {(0, ASKED): "O"}, TesseractReader(), GERMAN_102) == same
    board = game[0].board
    assert board is not None
    known = learn([examples(board, reading(game[0]), full(FIRST), READER)])
    assert relearnt(game, {(0, ASKED): "O"}, AdaptedReader(READER, known), GERMAN_102) == same
    assert relearnt([], {}, READER, GERMAN_102) == ()
