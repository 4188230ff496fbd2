"""Pictures without a board: rendered ones and real ones."""

from __future__ import annotations

import numpy as np
import pytest

from models.board_finder.pictures import PICTURES, real_pictures
from models.table.others import KINDS, render_other
from models.table.others.boards import likeness, other_layout
from vision.locate_grid import premium_classes

SYMMETRIES = [(turn, flip) for turn in range(4) for flip in (False, True)]


def seen(layout: np.ndarray, turn: int, flip: bool) -> np.ndarray:
    turned = np.rot90(layout, turn)
    return turned[:, ::-1] if flip else turned


def test_the_same_seed_gives_the_same_picture() -> None:
    first, again, other = (render_other(seed, "chess", side=200) for seed in (3, 3, 4))
    assert (first == again).all()
    assert first.shape != other.shape or (first != other).any()


@pytest.mark.parametrize("side", [240, 400])
def test_pictures_are_as_large_as_asked_and_of_both_orientations(side: int) -> None:
    shapes = [render_other(seed, "gomoku", side).shape for seed in range(6)]
    assert {max(shape[:2]) for shape in shapes} == {side}
    assert all(shape[2] == 3 and min(shape[:2]) >= side * 9 // 16 for shape in shapes)
    assert {shape[0] > shape[1] for shape in shapes} == {True, False}


def test_every_kind_draws_something_of_its_own() -> None:
    pictures = {kind: render_other(11, kind, 160) for kind in KINDS}
    assert len({picture.shape for picture in pictures.values()}) == 1  # one camera
    assert all(picture.dtype == np.uint8 and picture.std() > 4 for picture in pictures.values())
    for i, one in enumerate(KINDS):
        for other in KINDS[:i]:
            difference = np.abs(pictures[one].astype(int) - pictures[other])
            assert (difference > 8).mean() > 0.02, (one, other)


def test_all_kinds_come_by_themselves() -> None:
    drawn = [KINDS[int(np.random.default_rng((seed, 8)).integers(len(KINDS)))] for seed in range(300)]
    assert set(drawn) == set(KINDS)
    seed = drawn.index("cloth")
    assert (render_other(seed, side=160) == render_other(seed, "cloth", side=160)).all()


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(ValueError, match="unknown kind 'scrabble'"):
        render_other(1, "scrabble")


def test_likeness_counts_premiums_in_common() -> None:
    standard = premium_classes()
    assert likeness(standard, standard) == 1
    assert likeness(np.zeros_like(standard), standard) == 0
    one = np.zeros_like(standard)
    one[0, 0] = 2
    assert likeness(one, standard) == pytest.approx(1 / 61)  # of the 61 premium squares, the middle one included


def test_no_layout_is_the_standard_one_or_near_it() -> None:
    standard = premium_classes()
    rng = np.random.default_rng(5)
    layouts = [other_layout(rng) for _ in range(200)]
    for layout in layouts:
        assert layout.shape == standard.shape and set(np.unique(layout)) <= set(range(5))
        for turn, flip in SYMMETRIES:
            assert likeness(seen(layout, turn, flip), standard) < 0.3
            same = (seen(layout, turn, flip) == standard) & (standard > 0)
            assert same.sum() < 30  # of 61
    assert len({layout.tobytes() for layout in layouts}) == 200


def test_real_pictures_are_real_and_distinct() -> None:
    pictures = list(real_pictures())
    if not pictures:
        pytest.skip("none of the packages with test pictures is installed")
    names = [name for name, _ in pictures]
    assert len(set(names)) == len(names)
    assert {name.partition("/")[0] for name in names} <= set(PICTURES)
    for name, pixels in pictures:
        assert pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3, name
        assert min(pixels.shape[:2]) >= 100, name
        assert len(np.unique(pixels)) > 16, f"{name} is a mask or a drawing"
    assert len({pixels.tobytes() for _, pixels in pictures}) == len(pictures)


def test_all_packages_together_carry_thirty_real_pictures() -> None:
    found = [name.partition("/")[0] for name, _ in real_pictures()]
    if set(found) != set(PICTURES):
        pytest.skip("not all packages with test pictures are installed")
    assert len(found) >= 30
