"""Which board it is: the same one in another light, another one in the same light."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest

from calibration.edition import KINDS, BoardEdition, edition_difference, edition_differs
from models.table.camera import Camera
from models.table.demo import boards, demo_params, framed
from models.table.editions import edition
from models.table.light import Light
from models.table.scene import render

LAMP = Light(gains=(1.35, 1.0, 0.62), exposure=0.7, falloff=0.4, lamp_at=(-5, -4))
DAY = Light(gains=(0.95, 1.0, 1.05), exposure=1.1)


@lru_cache(maxsize=16)
def seen(name: str, light: Light, turn: int = 0) -> BoardEdition:
    camera = framed(Camera(8, 80, 0, 30, 24), edition(name).aspect, 480, 440)
    shown = render(replace(demo_params()[0], edition=edition(name), light=light, camera=camera, filling=boards()[turn]))
    return BoardEdition.seen(shown.pixels, shown.corners, shown.board)


@pytest.mark.parametrize("name", ["german-modern", "german-classic", "us-cream"])
def test_the_same_board_by_day_and_lamp_with_other_tiles_is_the_same(name: str) -> None:
    assert not edition_differs(seen(name, DAY), seen(name, LAMP, 11))
    assert not edition_differs(seen(name, LAMP, 11), seen(name, DAY))


@pytest.mark.parametrize("other", ["german-green-print", "polish-green", "dark-wooden"])
def test_another_board_is_noticed_in_the_same_light_and_in_another(other: str) -> None:
    assert edition_differs(seen("german-modern", DAY), seen(other, DAY))
    assert edition_differs(seen("german-modern", DAY), seen(other, LAMP))


def test_colours_are_those_of_the_empty_squares() -> None:
    """Tiles on the board do not change them: their squares are left out."""
    one = seen("german-modern", DAY)
    assert all(colour is not None and 0 < colour[0] < 100 for colour in one.colours)
    other = seen("german-modern", DAY, 11)
    for colour, with_tiles in zip(one.colours, other.colours, strict=True):
        assert colour is not None and with_tiles is not None
        assert all(abs(a - b) < 4 for a, b in zip(colour, with_tiles, strict=True))


def test_nothing_is_said_where_too_little_is_seen() -> None:
    little = BoardEdition(((50.0, 0.0, 0.0), (60.0, 10.0, 0.0), (40.0, 0.0, -30.0), None, None))
    assert edition_difference(little, seen("german-modern", DAY)) is None
    assert not edition_differs(little, seen("german-modern", DAY))
    assert BoardEdition.of_several([]).colours == (None,) * len(KINDS)


def test_several_photos_give_the_median_of_each_kind() -> None:
    a, b, c = (BoardEdition(((float(v), 0.0, 0.0), None, *[(1.0, 2.0, 3.0)] * 3)) for v in (10, 12, 50))
    assert BoardEdition.of_several([a, b, c]).colours == ((12.0, 0.0, 0.0), None, *[(1.0, 2.0, 3.0)] * 3)
