"""The boards on which the print's say is measured."""

from __future__ import annotations

import numpy as np
import pytest

from models.print_turn.boards import SILENT, TELLING, TO_THE_EDGE, in_blocks, random_texts, rendered
from models.print_turn.measure import line, verdict
from vision.print_turn import PIXELS, PRINTED, UNKNOWN


def test_made_up_labels_are_alike_in_form() -> None:
    for seed in range(40):
        texts = random_texts(np.random.default_rng(seed))
        assert len(texts) == 4 and all(texts)
        assert len({text.count("\n") for text in texts}) == 1
        assert random_texts(np.random.default_rng(seed)) == texts


def test_labels_towards_the_edges_are_turned_with_their_edge() -> None:
    bottom, right, top, left = (TO_THE_EDGE[at] for at in ((14, 7), (7, 14), (0, 7), (7, 0)))
    assert (bottom, top) == (0, 2) and {right, left} == {1, 3}


def test_squares_are_named_block_by_block() -> None:
    places = in_blocks(PRINTED)
    assert sorted(places) == [(int(row), int(col)) for row, col in np.argwhere(PRINTED)]
    assert places[:3] == [(0, 0), (0, 3), (1, 1)] and places[-1] == (14, 14)


def test_a_board_gives_its_empty_premium_squares() -> None:
    one, again = rendered(7), rendered(7)
    assert 0 < len(one.squares) <= 60 and {square.shape for square in one.squares} == {(PIXELS, PIXELS, 3)}
    assert all((a == b).all() for a, b in zip(one.squares, again.squares, strict=True))
    assert one.kind == again.kind and one.kind in (TELLING, SILENT)


@pytest.mark.parametrize(
    ("printed", "said"),
    [((0.0, -9.0, -9.0, -9.0), "right"), ((-9.0, -9.0, 0.0, -9.0), "wrong"), (UNKNOWN, "unsure")],
)
def test_the_verdict_on_a_board_given_upright(printed: tuple[float, float, float, float], said: str) -> None:
    assert verdict(printed) == said
    assert line("x", [said, "unsure"]).startswith("| x | 2 |")
