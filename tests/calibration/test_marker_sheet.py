"""The page of cards: true sizes on paper, every card whole, every marker found."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from calibration.marker_sheet import (
    LARGEST,
    PAGE,
    SMALLEST,
    MarkerSheetError,
    SheetTexts,
    card_places,
    draw_sheet,
    save_pdf,
)
from vision.markers import QUIET, find_markers, tip

WORDS = SheetTexts(
    "Karten für die Ecken",
    ("Ausschneiden und an die Ecken der Felder legen, mit der roten Spitze nach innen.",) * 4,
    ("oben links", "oben rechts", "unten rechts", "unten links"),
    "Diese Linie ist 100 mm lang.",
)


def shown(size: float, dpi: int = 150) -> np.ndarray:
    return np.asarray(draw_sheet([WORDS, WORDS], size, dpi))[..., ::-1].copy()


@pytest.mark.parametrize("size", [SMALLEST, 30.0, LARGEST])
def test_every_marker_is_where_and_as_large_as_asked(size: float) -> None:
    found = find_markers(shown(size))
    assert sorted(found) == [0, 1, 2, 3]
    for place in card_places(size):
        corners = (found[place.number] + 0.5) * 25.4 / 150  # millimetres on paper
        left, top, side = place.marker
        assert side == size
        wanted = np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)])
        assert np.abs(corners - wanted).max() < 0.2
        assert np.allclose(np.array([left, top]) + side * tip(place.number), place.tip)


@pytest.mark.parametrize("size", [SMALLEST, LARGEST])
def test_cards_lie_apart_on_the_page_and_nothing_is_cut_off(size: float) -> None:
    places = card_places(size)
    for one in places:
        assert one.left > 10 and one.left + one.side < PAGE[0] - 10
        assert all(
            abs(one.left - two.left) >= one.side + 5 or abs(one.top - two.top) >= one.side + 5
            for two in places
            if two is not one
        )
    page = shown(size)
    rim = round(8 / 25.4 * 150)  # printers leave some millimetres white
    inside = np.zeros(page.shape[:2], bool)
    inside[rim:-rim, rim:-rim] = True
    assert (page[~inside] == 255).all()


def test_the_marker_stands_in_white_one_cell_wide() -> None:
    page = shown(30.0)
    for place in card_places(30.0):
        left, top, side = place.marker
        x, y, s, q = (round(v * 150 / 25.4) for v in (left, top, side, side * QUIET * 0.5))
        ring = np.zeros(page.shape[:2], bool)
        ring[y - q : y + s + q, x - q : x + s + q] = True
        ring[y - 1 : y + s + 2, x - 1 : x + s + 2] = False
        assert (page[ring] == 255).all()


def test_the_tip_is_red_and_the_card_ends_there() -> None:
    page = shown(30.0)
    for place in card_places(30.0):
        middle = np.array([place.left, place.top]) + place.side / 2
        inside = np.array(place.tip) + np.sign(middle - place.tip) * 0.6
        outside = np.array(place.tip) - np.sign(middle - place.tip) * 0.6
        blue, green, red = page[tuple((inside * 150 / 25.4).astype(int)[::-1])]
        assert red > 150 and green < 90 and blue < 90
        assert (page[tuple((outside * 150 / 25.4).astype(int)[::-1])] == 255).all()


def test_the_pdf_has_a4_pages_and_true_sizes(tmp_path: Path) -> None:
    path = tmp_path / "markers.pdf"
    save_pdf(draw_sheet([WORDS], 30.0, 200), path, 200)
    content = path.read_bytes()
    assert content.startswith(b"%PDF") and content.count(b"/Type /Page\n") == 1
    box = [float(v) for v in re.search(rb"/MediaBox \[([^\]]*)\]", content)[1].split()]  # type: ignore[index]
    width, height = box[2] - box[0], box[3] - box[1]
    assert width == pytest.approx(595.28, abs=0.5) and height == pytest.approx(841.89, abs=0.5)
    start = content.index(b"\xff\xd8\xff")
    held = cv2.imdecode(np.frombuffer(content[start:], np.uint8), cv2.IMREAD_COLOR)
    millimetres = width / 72 * 25.4 / held.shape[1]  # of a pixel of the picture, as wide as the page
    for corners in find_markers(held).values():
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) * millimetres
        assert np.abs(sides - 30).max() < 0.2
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("size", [0.0, -30.0, 19.9, 45.1, float("nan"), float("inf")])
def test_sizes_that_make_no_sense_are_refused(size: float) -> None:
    with pytest.raises(MarkerSheetError) as refused:
        draw_sheet([WORDS], size)
    assert refused.value.code == "bad-marker-size"


def test_a_page_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(MarkerSheetError) as refused:
        save_pdf(Image.new("RGB", (83, 117)), tmp_path / "nowhere" / "markers.pdf")
    assert refused.value.code == "cannot-write"
