"""The tables of the measuring, on readings whose errors are known."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from models.tile_reader.outcome import (
    KINDS,
    Outcome,
    Tally,
    commonest,
    confusion_table,
    figures,
    grid_errors,
    kind_of,
    table,
)
from models.tile_reader.reliability import (
    Bin,
    Doubt,
    Squares,
    bins,
    calibration_error,
    diagram,
    doubts,
    reliability_table,
    threshold_table,
    wilson,
)
from models.tile_reader.turned import Count, counted, turned_table
from vision.geometry import Corners
from vision.reading import BoardReading

MakeReading = Callable[..., BoardReading]
SQUARE = Corners.of([(0, 0), (600, 0), (600, 600), (0, 600)])


def board(first: str) -> list[str]:
    return [first.ljust(15, "."), *["." * 15] * 14]


def cells(text: str) -> list[list[str]]:
    """Figures of a table, without head and rule."""
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]]


def test_the_figures_are_those_of_the_definition(make_reading: MakeReading) -> None:
    # Ü read as U silently; the blank missed but doubted; "*" not judged; Ł has no class: any tile is right; the last
    # blank's letter does not count
    first = Outcome.of(
        board("HÜT*?Łe"),
        make_reading(board("HUTX.L?"), {(0, 4): {".": 0.6, "?": 0.4}, (0, 3): {"X": 0.5, "H": 0.5}}),
        SQUARE,
        Corners.of(SQUARE.array + np.array([4, 0])),  # a tenth of a square
        ratio=2.0,
    )
    lost = Outcome.of(board("AB"), None, SQUARE)
    good = Outcome.of(board("AB"), make_reading(board("AB")), SQUARE, SQUARE, ratio=4.0)
    tally = Tally.of([first, lost, good])
    assert (tally.boards, tally.squares, tally.seen, tally.tiles) == (3, 224 + 225 + 225, 224 + 225, 6 + 2 + 2)
    assert (tally.right, tally.tiles_right, tally.exact) == (222 + 225, 4 + 2, 1)
    assert (tally.silent, tally.doubtful) == (1, 1)
    assert tally.row() == (
        "3", "2", "0.050", f"{447 / 674:.5f}", "0.60000", "1", "1", f"{1 / 449:.4f}", "3.00",
    )  # fmt: skip


def test_an_empty_table_and_one_of_several_sets(make_reading: MakeReading) -> None:
    assert Tally().row() == ("0", "0", "-", "0.00000", "0.00000", "0", "0", "0.0000", "-")
    right = Outcome.of(board("AB"), make_reading(board("AB")), SQUARE, SQUARE)
    wrong = Outcome.of(board("AB"), make_reading(board("AC")), SQUARE, SQUARE)
    rows = cells(figures({"one": [right, right], "two": [wrong]}))
    assert [row[0] for row in rows] == ["one", "two", "ALL"]
    assert rows[2][1:] == ["3", "3", "0.000", f"{674 / 675:.5f}", f"{5 / 6:.5f}", "2", "1", "0.0000", "-"]
    assert len(cells(figures({"one": [right]}))) == 1


def test_a_grid_error_is_told_in_squares_of_the_place() -> None:
    assert grid_errors(SQUARE, SQUARE) == (0.0, 0.0)
    assert grid_errors(SQUARE, Corners.of(SQUARE.array + np.array([8, 6]))) == pytest.approx((0.25, 0.25))
    # far squares are smaller: the same pixels are more of a square
    tilted = Corners.of([(150, 0), (450, 0), (600, 600), (0, 600)])
    mean, worst = grid_errors(tilted, Corners.of(tilted.array + np.array([5, 0])))
    assert worst == pytest.approx(5 / 20) and 5 / 40 < mean < 5 / 20


def test_an_empty_board_is_located_any_side_up(make_reading: MakeReading) -> None:
    turned = SQUARE.turned(1)
    assert Outcome.of(board(""), make_reading(board("")), SQUARE, turned).located
    assert Outcome.of(board("***"), make_reading(board("")), SQUARE, turned).located
    assert not Outcome.of(board("A"), make_reading(board("A")), SQUARE, turned).located
    assert not Outcome.of(board("A"), None, SQUARE).located
    far = Corners.of(SQUARE.array + np.array([11, 0]))
    assert not Outcome.of(board("A"), make_reading(board("A")), SQUARE, far).located


def test_confusions_by_kind(make_reading: MakeReading) -> None:
    pairs = {"ÄA": "Ä/A", "AÄ": "Ä/A", "OÖ": "Ö/O", "UÜ": "Ü/U", "QO": "Q/O", "?.": "blank/empty", ".?": "blank/empty",
             ".*": "empty/covered", "*.": "empty/covered", "ÖÄ": "others", "A.": "others", "A*": "others",
             "*A": "others", "?*": "others", "ŁL": "foreign", "#A": "foreign", "Ł.": "others", "A#": "others",
             }  # fmt: skip
    assert {pair: kind_of(*pair) for pair in pairs} == pairs
    truth, said = board("ÄÄÜQO?..ŁŁA"), board("AAUOÖ.?.L.Ä")
    unsure = {(0, 1): {"A": 0.7, "Ä": 0.3}, (0, 7): {"*": 0.8, ".": 0.2}}
    tally = Tally.of([Outcome.of(truth, make_reading(said, unsure))])
    assert tally.by_kind() == {
        "Ä/A": (3, 2), "Ö/O": (1, 1), "Ü/U": (1, 1), "Q/O": (1, 1), "blank/empty": (2, 2), "empty/covered": (1, 0),
        "others": (1, 1), "foreign": (1, 1),
    }  # fmt: skip
    assert tuple(tally.by_kind()) == KINDS
    # an empty square taken for covered shows as empty and doubtful; the foreign letter counts as a tile that was seen
    assert tally.silent == 8 and tally.squares - tally.right == 9


def test_a_print_known_to_be_foreign_is_not_taken_for_a_letter(make_reading: MakeReading) -> None:
    reading = make_reading(board("LLE"))
    log_probs = reading.log_probs.copy()
    log_probs[0, 1:3] += np.log(0.3)  # the rest of the probability is that of another print
    outcome = Outcome.of(board("ŁŁE"), replace(reading, log_probs=log_probs))
    assert outcome.likeliest[0, :3].tolist() == ["L", "#", "#"] and outcome.right[0, :3].all()
    assert outcome.confusions() == [("Ł", "L", True), ("E", "#", False)]


def test_squares_under_a_hand_count_where_something_is_made_up(make_reading: MakeReading) -> None:
    covered = np.zeros((15, 15), bool)
    covered[0, :5] = True
    # right beneath; a tile taken for empty; made up; seen to be covered; empty beneath
    reading = make_reading(board("A.X*."), {(0, 3): {"*": 0.9, "D": 0.1}})
    outcome = Outcome.of(board("ABCD.E"), reading, covered=covered)
    assert sorted(outcome.confusions()) == [("*", ".", True), ("*", "X", True), ("E", ".", True)]
    tally = Tally.of([outcome])
    assert (tally.squares, tally.tiles, tally.right, tally.silent) == (220, 1, 219, 1)
    rows = cells(confusion_table({"set": [outcome]}))
    assert rows == [["set", "0", "0", "0", "0", "0", "1 (1)", "2 (2)", "0"]]


def test_the_commonest_confusions_come_first(make_reading: MakeReading) -> None:
    outcomes = [
        Outcome.of(board("ÜÜB"), make_reading(board("UUB"), {(0, 0): {"U": 0.6, "Ü": 0.4}})),
        Outcome.of(board("ÜÜB"), make_reading(board("ÜUE"))),
    ]
    assert cells(commonest({"a": outcomes[:1], "b": outcomes[1:]}, 1)) == [["Ü>U", "3", "2"]]
    assert cells(commonest({"a": outcomes}, 9)) == [["Ü>U", "3", "2"], ["B>E", "1", "1"]]
    assert cells(commonest({"a": []}, 9)) == []


def test_a_table_is_markdown_that_lines_up() -> None:
    assert table(("set", "n"), [("a", "10"), ("long", "2")]) == (
        "| set  |  n |\n|------|---:|\n| a    | 10 |\n| long |  2 |"
    )


def squares(*groups: tuple[float, int, int]) -> Squares:
    """Of groups (confidence, how many, of which right)."""
    confidence = np.concatenate([np.full(n, p) for p, n, _ in groups])
    right = np.concatenate([np.arange(n) < k for _, n, k in groups])
    return Squares(confidence, right, np.ones(len(right), bool))


def test_bins_and_calibration_error_by_hand() -> None:
    some = squares((0.5, 4, 1), (0.6, 4, 4), (0.9, 10, 9), (0.95, 20, 15), (1.0, 2, 2))
    binned = bins(some, (0.0, 0.5, 0.9, 0.95, 1.0))
    assert [(b.count, b.right) for b in binned] == [
        (0, 0),
        (8, 5),
        (10, 9),
        (22, 17),
    ]  # an edge belongs to the upper bin
    assert math.isnan(binned[0].share) and math.isnan(binned[0].confidence)
    assert [b.confidence for b in binned[1:]] == pytest.approx([0.55, 0.9, (19 + 2) / 22])
    # 8/40 * |5/8 - .55| + 0 + 22/40 * |17/22 - 21/22|
    assert calibration_error(binned) == pytest.approx(0.2 * 0.075 + 4 / 40)
    assert calibration_error([Bin(0, 1, 0, 0, float("nan"))]) == 0


def test_a_calibrated_reader_has_no_calibration_error() -> None:
    assert calibration_error(bins(squares((0.75, 4, 3), (0.9, 10, 9)))) == pytest.approx(0)
    assert calibration_error(bins(squares((0.75, 4, 4)))) == pytest.approx(0.25)


def test_reliability_counts_what_can_be_judged(make_reading: MakeReading) -> None:
    unsure = {(0, 0): {"A": 0.8, "Ä": 0.2}, (0, 1): {"B": 0.8, "E": 0.2}, (0, 4): {".": 0.8, "D": 0.2}}
    outcome = Outcome.of(board("AE*Ł."), make_reading(board("ABCL."), unsure))
    lost = Outcome.of(board("A"), None)
    pooled = Squares.of([outcome, lost])
    assert (len(pooled.right), int(pooled.right.sum())) == (223, 222)  # neither "*" nor the letter without a class
    assert (len(pooled.tiles.right), int(pooled.tiles.right.sum())) == (2, 1)
    rows = cells(reliability_table([outcome, lost]).split("\n\n")[0])
    assert [rows[0][k] for k in (0, 1, 3, 4, 5, 7, 8)] == ["0.7 to 0.8", "3", "0.6667", "1", "2", "0.5000", "1"]
    assert rows[1][:2] == ["0.999 to 1", "220"] and rows[1][5] == "0" and len(rows) == 2
    assert len(Squares.of([lost]).right) == 0


def test_what_a_threshold_of_doubt_costs_and_saves(make_reading: MakeReading) -> None:
    unsure = {(0, 0): {"A": 0.6, "Ä": 0.4}, (0, 1): {"B": 0.85, "E": 0.15}, (0, 2): {"C": 0.97, "G": 0.03}}
    unsure[0, 5] = {"L": 0.85, "I": 0.15}
    reading = make_reading(board("ABCD*L"), unsure).suspecting([(0, 3)])  # type: ignore[list-item]
    outcomes = [Outcome.of(board("AEGD*Ł"), reading), Outcome.of(board("A"), None)]
    assert doubts(outcomes, (0.5, 0.8, 0.9, 0.99)) == [
        Doubt(0.5, 224, 1, 1, 2, 1),  # the suspect is doubted anyway
        Doubt(0.8, 224, 2, 2, 2, 1),
        Doubt(0.9, 224, 4, 3, 1, 0),
        Doubt(0.99, 224, 5, 3, 0, 0),
    ]
    assert cells(threshold_table(outcomes))[0] == ["0.5", f"{1 / 224:.4f}", "1", "2", "1"]


def test_the_threshold_of_the_reading_is_the_default(make_reading: MakeReading) -> None:
    outcome = Outcome.of(board("A"), make_reading(board("A"), {(0, 0): {"A": 0.85, "Ä": 0.15}}))
    assert outcome.doubtful.sum() == 1 and outcome.doubtful_below(0.8).sum() == 0
    assert {(int(r), int(c)) for r, c in np.argwhere(outcome.doubtful)} == set(outcome.reading.doubtful)  # type: ignore


def test_the_interval_of_a_share_is_wilsons() -> None:
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    low, high = wilson(10, 10)
    assert low == pytest.approx(10 / (10 + 1.96**2)) and high == pytest.approx(1)


def test_the_diagram_is_svg_with_a_curve_a_source(make_reading: MakeReading) -> None:
    unsure = {(0, 0): {"A": 0.8, "Ä": 0.2}}
    outcome = Outcome.of(board("A"), make_reading(board("A"), unsure))
    root = ElementTree.fromstring(diagram({"rendered": [outcome], "photos": [outcome, outcome]}))
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}g")) == 2 and len(root.findall(f".//{name}circle")) == 4
    assert "photos (450 squares)" in "".join(root.itertext())
    places = [float(c.get(axis, "")) for c in root.iter(f"{name}circle") for axis in ("cx", "cy")]
    assert all(0 < place < 560 for place in places)


def test_turned_tiles_are_counted_by_letter_and_turn(make_reading: MakeReading) -> None:
    truth, turns = board("AAAAHM?"), np.zeros((15, 15), int)
    turns[0, :7] = (0, 1, 3, 2, 2, 2, 1)
    reading = make_reading(board("AAEBIW?")).suspecting([(0, 1), (0, 2)])  # type: ignore[list-item]
    counts = counted([(Outcome.of(truth, reading), turns)])
    assert {key: count for key, count in counts.items() if count.tiles} == {
        ("other letters", "upright"): Count(1, 1, 0, 0),
        ("other letters", "a quarter"): Count(2, 1, 2, 0),
        ("other letters", "upside down"): Count(1, 0, 0, 1),
        ("H I N O S X Z", "upside down"): Count(1, 0, 0, 1),
        ("M W", "upside down"): Count(1, 0, 0, 1),
    }
    rows = cells(turned_table(counts))
    assert rows[0] == ["other letters", "upright", "1", "1.0000", "0.0000", "0"]
    assert rows[-1] == ["all", "turned", "5", "0.2000", "0.4000", "3"]
