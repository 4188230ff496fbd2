"""The adaptation on features made by hand: a letter that the reader takes for another, and everything it must leave."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.board import Square
from tests.conftest import CLASSES, MakeReading
from vision.adapt import (
    VARIED,
    AdaptedReader,
    AdaptedReading,
    Examples,
    Prototypes,
    adapted,
    examples,
    learn,
    lettered_squares,
    varied,
)
from vision.pixels import Pixels
from vision.reading import BoardReading, Turned
from vision.rectify import CROP, SIDE, BoardImage
from vision.turn import TurnEvidence

WIDTH = 24
LETTERS = "ABCDEFGHIJKLMNO"


def looks(seed: int = 1) -> dict[str, NDArray[np.float64]]:
    """What the letters of one set look like; Q is much like O."""
    rng = np.random.default_rng(seed)
    out = {letter: rng.normal(0, 1, WIDTH) for letter in LETTERS}
    out["Q"] = out["O"] + rng.normal(0, 0.5, WIDTH)
    return out


def seen(letters: str, seed: int, of: Mapping[str, NDArray[np.float64]] | None = None) -> NDArray[np.float64]:
    """(n, WIDTH) features of tiles, no two quite alike."""
    rng = np.random.default_rng(seed)
    return np.array([(of or looks())[letter] for letter in letters]) + rng.normal(0, 0.15, (len(letters), WIDTH))


def taught(reading: BoardReading, letters: str) -> Examples:
    """The first tiles of row 0 as examples."""
    rng = np.random.default_rng(5)
    features = seen(letters, 2)[:, None] + rng.normal(0, 0.15, (len(letters), 1 + VARIED, WIDTH))
    return Examples(tuple(letters), features, reading.log_probs[0, : len(letters)].astype(float), CLASSES)


def row(letters: str, *others: str) -> list[str]:
    return [letters.ljust(15, "."), *others, *["." * 15] * (14 - len(others))]


@pytest.fixture(scope="module")
def learnt(make_reading: MakeReading) -> Prototypes:
    """From one tile of each letter, of which the reader takes O for Q."""
    reading = make_reading(row(LETTERS), {(0, 14): {"Q": 0.9, "O": 0.1}})
    return learn([taught(reading, LETTERS)])


def squares(count: int) -> list[Square]:
    return [Square(0, col) for col in range(count)]


def test_what_the_reader_took_for_another_letter_is_read_right(learnt: Prototypes, make_reading: MakeReading) -> None:
    reading = make_reading(row("HOFABCDE"), {(0, 1): {"Q": 0.97, "O": 0.03}})
    after = adapted(reading, squares(8), seen("HOFABCDE", 3), learnt)
    assert reading.rows[0].startswith("HQF") and after.rows[0].startswith("HOF")
    assert after.fit.weight == 1 and not after.misfit


def test_what_the_reader_knew_stays_as_it_was(learnt: Prototypes, make_reading: MakeReading) -> None:
    reading = make_reading(row("ABCDEFGHIJKLM"))
    after = adapted(reading, squares(13), seen("ABCDEFGHIJKLM", 4), learnt)
    assert after.rows == reading.rows and after.doubtful == ()
    assert np.abs(after.confidence - reading.confidence).max() < 1e-3


def test_the_profile_says_which_letter_never_whether_there_is_a_tile(
    learnt: Prototypes, make_reading: MakeReading
) -> None:
    unsure = {(0, 0): {"Q": 0.3, "O": 0.1, ".": 0.6}, (0, 1): {"Q": 0.3, "?": 0.7}, (0, 2): {"Q": 0.5, "*": 0.5}}
    reading = make_reading(row("OOOABCDE"), unsure)
    after = adapted(reading, squares(8), seen("OOOABCDE", 6), learnt)
    for char in ".?*":
        k = CLASSES.index(char)
        assert np.allclose(after.log_probs[..., k], reading.log_probs[..., k])
    assert np.allclose(np.exp(after.log_probs).sum(-1), np.exp(reading.log_probs).sum(-1), atol=1e-4)
    assert after.log_prob(Square(0, 0), "O") > after.log_prob(Square(0, 0), "Q")


def test_overruling_a_letter_without_an_example_is_doubted_unless_the_tile_is_very_like_another(
    make_reading: MakeReading,
) -> None:
    lesson = make_reading(row(LETTERS), {(0, 14): {"Q": 0.98, "O": 0.02}})
    learnt = learn([taught(lesson, LETTERS)])  # there is no Q among the examples
    reading = make_reading(row("ABCDEFQQ"), {(0, 6): {"Q": 0.7, "O": 0.3}, (0, 7): {"Q": 0.7, "O": 0.3}})
    between = {**looks(), "Q": looks()["O"] + np.random.default_rng(4).normal(0, 0.8, WIDTH)}
    after = adapted(reading, squares(8), seen("ABCDEFQO", 7, between), learnt)
    assert after.rows[0].startswith("ABCDEFOO")
    assert after.suspects == {Square(0, 6)}


def test_a_letter_that_looks_like_no_prototype_keeps_its_reading(learnt: Prototypes, make_reading: MakeReading) -> None:
    reading = make_reading(row("ABCDEFXY"), {(0, 6): {"X": 0.8, "Y": 0.2}})
    strange = {**looks(), **{letter: np.random.default_rng(9).normal(0, 1, WIDTH) for letter in "XY"}}
    after = adapted(reading, squares(8), seen("ABCDEFXY", 7, strange), learnt)
    assert after.rows == reading.rows
    assert abs(after.confidence[0, 6] - 0.8) < 0.05


def test_tiles_of_another_set_leave_the_profile_unused(learnt: Prototypes, make_reading: MakeReading) -> None:
    reading = make_reading(row("HOFABCDE"), {(0, 1): {"Q": 0.97, "O": 0.03}})
    other = looks(seed=77)
    after = adapted(reading, squares(8), seen("HOFABCDE", 3, other), learnt)
    assert after.misfit and after.fit.tiles == 7
    assert np.allclose(after.log_probs, reading.log_probs, atol=1e-4)


def test_few_tiles_are_no_judge_of_the_profile(learnt: Prototypes, make_reading: MakeReading) -> None:
    reading = make_reading(row("HOF"))
    assert not adapted(reading, squares(3), seen("HOF", 3, looks(seed=77)), learnt).misfit
    nothing = adapted(make_reading(row("")), [], np.zeros((0, WIDTH)), learnt)
    assert nothing.rows == ("." * 15,) * 15 and not nothing.misfit


def test_a_foreign_letter_may_be_one_that_was_learnt(learnt: Prototypes, make_reading: MakeReading) -> None:
    """What the classes lack to 1 is that of a print the reader does not know; here it is badly printed."""
    sure = make_reading(row("ABCDEFGO"))
    lesson = make_reading(row(LETTERS))
    for reading, col in ((sure, 7), (lesson, 14)):
        reading.log_probs[0, col] = np.log(1e-6)
        reading.log_probs[0, col, CLASSES.index("O")] = np.log(0.1)
    after = adapted(sure, squares(8), seen("ABCDEFGO", 8), learn([taught(lesson, LETTERS)]))
    assert after.confidence[0, 7] > 0.8 > 0.1 > sure.confidence[0, 7] - 1e-6


def test_several_photos_are_learnt_together(make_reading: MakeReading) -> None:
    reading = make_reading(row(LETTERS))
    one = taught(reading, LETTERS)
    both = learn([one, Examples((), np.zeros((0, 1 + VARIED, 1)), np.zeros((0, len(CLASSES))), CLASSES), one])
    assert both.letters == tuple(LETTERS) and both.counts == (2,) * len(LETTERS)
    with pytest.raises(ValueError, match="no examples"):
        learn([])


def test_prototypes_that_do_not_go_together_are_refused(learnt: Prototypes, make_reading: MakeReading) -> None:
    bad = (
        {"votes": learnt.votes[:, 1:]}, {"metric": learnt.metric[1:]}, {"vectors": learnt.vectors[1:]},
        {"counts": (1,)}, {"letters": tuple("abcdefghijklmno")}, {"middle": learnt.middle * np.nan},
        {"letters": (), "counts": ()},
    )  # fmt: skip
    for change in bad:
        with pytest.raises(ValueError):
            replace(learnt, **change)
    with pytest.raises(ValueError, match="other classes"):
        adapted(replace(make_reading(row("")), classes=CLASSES[:-1]), [], np.zeros((0, WIDTH)), learnt)


def test_suspect_and_empty_squares_are_left_alone(make_reading: MakeReading) -> None:
    reading = make_reading(row("ABC"), {(0, 5): {".": 0.9, "I": 0.1}}).suspecting([Square(0, 1)])
    assert lettered_squares(reading) == (Square(0, 0), Square(0, 2), Square(0, 5))


def test_a_varied_crop_is_a_crop() -> None:
    crop = np.random.default_rng(1).integers(0, 255, (CROP, CROP, 3)).astype(np.uint8)
    first, again = (varied(crop, np.random.default_rng(2)) for _ in range(2))
    assert first.shape == crop.shape and first.dtype == np.uint8
    assert (first == again).all() and (first != crop).any()


class _Reader:
    """Always the same reading; describes a crop by the colour of its middle."""

    name = "fake"

    def __init__(self, reading: BoardReading) -> None:
        self.reading = reading

    def read(self, board: BoardImage, letters: Collection[str]) -> BoardReading:
        return self.reading

    def read_turned(self, board: BoardImage, letters: Collection[str]) -> Turned:
        return Turned(self.reading, TurnEvidence((-9.0, 0.0, -9.0, -9.0)), lambda quarters: self.reading)

    def describe(self, crops: Pixels) -> NDArray[np.float32]:
        middle = crops[:, CROP // 2, CROP // 2].astype(np.float32)
        return np.concatenate([middle, middle[:, ::-1] ** 2 / 255], axis=1)


def painted(seed: int) -> BoardImage:
    """Squares of one colour each, so that shifted crops show their own."""
    colours = np.random.default_rng(seed).integers(0, 255, (18, 18, 3)).astype(np.uint8)
    return BoardImage(np.repeat(np.repeat(colours, 36, 0), 36, 1)[30 : 30 + SIDE, 30 : 30 + SIDE], 36)


def test_examples_are_the_letters_that_the_reader_knows(make_reading: MakeReading) -> None:
    reading = make_reading(row("ABCDE")).suspecting([Square(0, 3)])
    found = examples(painted(1), reading, row("AŁC?E"), _Reader(reading))
    assert found.letters == ("A", "C", "E")
    assert found.features.shape == (3, 1 + VARIED, 6) and found.log_probs.shape == (3, len(CLASSES))
    with pytest.raises(ValueError):
        learn([examples(painted(1), reading, row(""), _Reader(reading))])


def test_the_adapted_reader_describes_the_board_in_the_turn_it_was_read_in(make_reading: MakeReading) -> None:
    reading = make_reading(row("ABCDEFGH"))
    reader, board = _Reader(reading), painted(2)
    learnt = learn([examples(board.turned(1), reading, reading.rows, reader)])
    assert learnt.letters == tuple("ABCDEFGH")
    turned = AdaptedReader(reader, learnt).read_turned(board, "")
    straight = AdaptedReader(reader, learnt).read(board, "")
    assert turned.quarters == 1 and turned.sure
    assert isinstance(turned.reading, AdaptedReading) and isinstance(straight, AdaptedReading)
    assert turned.reading.fit.nearness > 0.8 > straight.fit.nearness
