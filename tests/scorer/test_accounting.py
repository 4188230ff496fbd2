"""Tile accounting: what is unseen, what cannot be, and which racks follow at the end (R1.2, R6.1, R11.1, R11.2)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.accounting import (
    InferredRacks,
    RackFault,
    excess,
    infer_racks,
    is_possible,
    points_of,
    tile_counts,
    unseen,
)
from scorer.board import Board, Square
from scorer.tiles import BLANK, ENGLISH_100, GERMAN_102, GERMAN_119, POLISH_100, TILE_SETS, Letter, TileSet

SMALL = TileSet("small", (Letter("A", 1, 3), Letter("B", 3, 2), Letter("Q", 10, 1)), 2)
"""AAABBQ and two blanks: small enough to see through."""


def board_of(tiles: str) -> Board:
    """A board with these tiles, row by row."""
    return Board.empty().placed({Square(*divmod(place, 15)): char for place, char in enumerate(tiles)})


def all_tiles(tile_set: TileSet) -> str:
    return "".join(kind * tile_set.count(kind) for kind in (*tile_set.letters, BLANK))


# --- unseen and impossible ----------------------------------------------------------------------------------------


def test_everything_is_unseen_before_the_first_turn() -> None:
    """R1.2: 102 tiles."""
    before = unseen(Board.empty(), GERMAN_102)
    assert list(before) == [*GERMAN_102.letters, BLANK]
    assert (sum(before.values()), before["E"], before["Ä"], before[BLANK]) == (102, 15, 1, 2)


def test_what_is_on_the_board_or_on_a_rack_is_seen() -> None:
    """R1.2, R6.1: a blank is a blank whatever it stands for."""
    left = unseen(board_of("MYXÖDEm"), GERMAN_102, ["EEQ?", "AR"])
    assert sum(left.values()) == 102 - 7 - 4 - 2
    assert {"Y", "X", "Ö", "Q", BLANK}.isdisjoint(left)
    assert (left["M"], left["E"], left["D"], left["A"], left["R"]) == (3, 12, 3, 4, 5)


def test_unseen_is_never_negative() -> None:
    assert "Q" not in unseen(board_of("QQQ"), GERMAN_102)
    assert sum(unseen(board_of("QQQ"), GERMAN_102).values()) == 101


@pytest.mark.parametrize(
    ("tiles", "racks", "tile_set", "found"),
    [
        ("QUÄL", [], GERMAN_102, {}),
        ("QQQ", [], GERMAN_102, {"Q": 2}),
        ("QqQ", [], GERMAN_102, {"Q": 1}),
        ("Qqq", [], GERMAN_102, {}),
        ("Qqqq", [], GERMAN_102, {"?": 1}),
        ("?a", ["?B"], GERMAN_102, {"?": 1}),
        ("ÄÖ", ["ÄA", "X"], GERMAN_102, {"Ä": 1}),
        ("É", [], GERMAN_102, {"É": 1}),
        ("é", [], GERMAN_102, {"é": 1}),
        ("ß", [], GERMAN_102, {"ß": 1}),
        ("Ä", ["Ü"], ENGLISH_100, {"Ä": 1, "Ü": 1}),
        ("ŁŁł", [], POLISH_100, {}),
        ("ŁŁŁ", [], POLISH_100, {"Ł": 1}),
        ("CCC", [], GERMAN_102, {"C": 1}),
        ("CCCC", [], GERMAN_119, {}),
        ("ÉQQ???", ["1"], GERMAN_102, {"1": 1, "É": 1, "Q": 1, "?": 1}),
    ],
)
def test_too_many_of_a_kind(tiles: str, racks: list[str], tile_set: TileSet, found: dict[str, int]) -> None:
    """R1.2, R6.1, R7.3, R7.5: three Q, three blanks, a letter no tile has, a blank as ß."""
    assert excess(board_of(tiles), tile_set, racks) == found
    assert list(excess(board_of(tiles), tile_set, racks)) == list(found)
    assert is_possible(board_of(tiles), tile_set, racks) is not bool(found)


@st.composite
def shared_out(draw: st.DrawFn) -> tuple[TileSet, Board, list[str], str]:
    """A set, some of its tiles on a board (blanks with a letter) and on racks, and the rest."""
    tile_set = draw(st.sampled_from(list(TILE_SETS.values())))
    tiles = "".join(draw(st.permutations(all_tiles(tile_set))))
    cuts = sorted(draw(st.lists(st.integers(0, len(tiles)), min_size=4, max_size=4)))
    parts = [tiles[low:high] for low, high in zip([0, *cuts], [*cuts, len(tiles)], strict=True)]
    board = "".join(draw(st.sampled_from(tile_set.letters)).lower() if char == BLANK else char for char in parts[0])
    return tile_set, board_of(board), parts[1:4], parts[4]


@given(shared_out())
def test_board_racks_and_unseen_are_the_set(game: tuple[TileSet, Board, list[str], str]) -> None:
    """R1.2: whatever was drawn, nothing gets lost and nothing is counted twice."""
    tile_set, board, racks, rest = game
    assert is_possible(board, tile_set, racks)
    assert unseen(board, tile_set, racks) == Counter(rest)
    assert tile_counts(board, [*racks, rest]) == Counter(all_tiles(tile_set))


@given(st.text(alphabet="ABQQXabß?É", max_size=30), st.lists(st.text(alphabet="AABQ?É", max_size=9), max_size=4))
def test_what_is_too_many_is_all_that_goes_beyond_the_set(tiles: str, racks: list[str]) -> None:
    """R1.2: for every kind, seen and unseen are the set and what is too many."""
    board = board_of(tiles)
    seen, left, over = tile_counts(board, racks), unseen(board, SMALL, racks), excess(board, SMALL, racks)
    for kind in {*seen, *SMALL.letters, BLANK}:
        assert seen[kind] + left.get(kind, 0) == SMALL.count(kind) + over.get(kind, 0)


# --- racks at the end ---------------------------------------------------------------------------------------------


def test_an_empty_bag_and_one_unknown_rack() -> None:
    """R11.1: the other rack is what is left; blanks count nothing (R6.4)."""
    found = infer_racks(board_of("AAB"), SMALL, ["Q?", None], [2, 3], bag=0)
    assert found == InferredRacks(
        racks=("Q?", "AB?"),
        sizes=((2, 2), (3, 3)),
        points=((10, 10), (4, 4)),
        bag=(0, 0),
        unseen={},
        faults=RackFault.NONE,
    )


def test_the_size_of_the_rack_follows_as_well() -> None:
    """R11.2: the player who went out has none, the bag is empty, and so the other rack follows without its size."""
    found = infer_racks(board_of("AABQ"), SMALL, ["", None], bag=0)
    assert (found.racks, found.sizes[1], found.points[1]) == (("", "AB??"), (4, 4), (4, 4))


def test_the_rack_of_a_real_end() -> None:
    """R11.1: a German game with all but five tiles laid."""
    rack = "ÄÖQX?"
    laid = Counter(all_tiles(GERMAN_102)) - Counter(rack)
    found = infer_racks(board_of("".join(laid.elements())), GERMAN_102, ["", None], [0, 5], bag=0)
    assert found.racks == ("", rack)
    assert found.points == ((0, 0), (6 + 8 + 10 + 8, 6 + 8 + 10 + 8))


@pytest.mark.parametrize(
    ("racks", "sizes", "bag", "known"),
    [
        ([None, None], [0, None], None, ("", None)),
        ([None, None], [0, 3], 0, ("", "BQ?")),
        ([None, None], [None, 3], None, ("", "BQ?")),
        ([None, None], [0, None], 0, ("", "BQ?")),
        ([None, None], [2, 1], 0, (None, None)),
        ([None, None], [None, None], 0, (None, None)),
        ([None, None], [None, None], 3, ("", "")),
        ([None], [None], None, (None,)),
        ([None], [2], 1, (None,)),
        ([None], [None], 1, (None,)),
        (["?", None], [1, None], 0, ("?", "BQ")),
        (["BQ", None, None], [2, 0, 1], None, ("BQ", "", "?")),
        (["BQ", None, None], [2, 0, None], 0, ("BQ", "", "?")),
        (["?QB", None], [None, None], None, ("BQ?", "")),
        (["?Q", None, None], None, None, ("Q?", None, None)),
    ],
)
def test_what_follows_and_what_does_not(
    racks: list[str | None], sizes: list[int | None] | None, bag: int | None, known: tuple[str | None, ...]
) -> None:
    """R11.1: BQ? are unseen; a rack is concluded only when nothing else can be."""
    found = infer_racks(board_of("AAAB?"), SMALL, racks, sizes, bag)
    assert (found.racks, found.faults) == (known, RackFault.NONE)


def test_racks_follow_when_all_unseen_tiles_are_alike() -> None:
    """R11.1: two B are left and each player has one."""
    assert infer_racks(board_of("AAAQ??"), SMALL, [None, None], [1, 1], 0).racks == ("B", "B")
    assert infer_racks(board_of("AAAQ??"), SMALL, [None, None], [1, None], None).racks == ("B", None)


@pytest.mark.parametrize(
    ("racks", "sizes", "bag", "ranges", "points"),
    [
        ([None], [2], None, [(2, 2)], [(3, 13)]),
        ([None], [1], None, [(1, 1)], [(0, 10)]),
        ([None, None], [2, 1], 0, [(2, 2), (1, 1)], [(3, 13), (0, 10)]),
        ([None, None], None, 0, [(0, 3), (0, 3)], [(0, 13), (0, 13)]),
        ([None, None], [1, None], None, [(1, 1), (0, 2)], [(0, 10), (0, 13)]),
        ([None, None], [1, None], 1, [(1, 1), (1, 1)], [(0, 10), (0, 10)]),
        ([None], None, 2, [(1, 1)], [(0, 10)]),
    ],
)
def test_what_an_unknown_rest_can_be_worth(
    racks: list[str | None],
    sizes: list[int | None] | None,
    bag: int | None,
    ranges: list[tuple[int, int]],
    points: list[tuple[int, int]],
) -> None:
    """R11.1: between the cheapest and the dearest of the unseen B 3, Q 10 and blank 0."""
    found = infer_racks(board_of("AAAB?"), SMALL, racks, sizes, bag)
    assert (list(found.sizes), list(found.points)) == (ranges, points)
    assert found.unseen == {"B": 1, "Q": 1, "?": 1}


@pytest.mark.parametrize(
    ("racks", "sizes", "bag", "rack_size", "codes"),
    [
        (["QQ", None], None, None, None, ["impossible-position"]),
        (["Q", None], [2, None], None, None, ["size-differs"]),
        (["Q", None], [0, None], None, None, ["size-differs"]),
        ([None, None], [2, 2], None, None, ["too-few-unseen"]),
        ([None], [None], 4, None, ["too-few-unseen"]),
        ([None, None], [1, 1], 0, None, ["too-many-unseen"]),
        (["", ""], None, 0, None, ["too-many-unseen"]),
        ([None], None, 0, 2, ["too-many-unseen"]),
        (["BQ?", None], None, None, 2, ["rack-too-long"]),
        ([None], [3], 0, 2, ["rack-too-long"]),
        (["BQQ", None], [2, 9], 0, 2, ["impossible-position", "rack-too-long", "size-differs", "too-few-unseen"]),
    ],
)
def test_contradictions_are_said_and_nothing_is_concluded(
    racks: list[str | None],
    sizes: list[int | None] | None,
    bag: int | None,
    rack_size: int | None,
    codes: list[str],
) -> None:
    """R1.2, R1.4: a lost or misread tile at the end is a fault, never a guess."""
    found = infer_racks(board_of("AAAB?"), SMALL, racks, sizes, bag, rack_size)
    assert found.faults.codes == codes
    assert [rack is None for rack in found.racks] == [rack is None for rack in racks]


def test_a_full_rack_is_that_of_the_set() -> None:
    """R1.4: eight unseen tiles fit on one rack of the old German set, not on one of today's."""
    rack = "AEEHNRST"
    for tile_set, fits in ((GERMAN_119, True), (GERMAN_102, False)):
        laid = Counter(all_tiles(tile_set)) - Counter(rack)
        found = infer_racks(board_of("".join(laid.elements())), tile_set, ["", None], bag=0)
        assert (found.racks[1] == rack, found.faults.codes) == (fits, [] if fits else ["too-many-unseen"])


def test_as_many_sizes_as_racks() -> None:
    with pytest.raises(ValueError, match="zip"):
        infer_racks(Board.empty(), SMALL, [None, None], [7])


@given(shared_out(), st.data())
def test_what_is_concluded_is_so(game: tuple[TileSet, Board, list[str], str], data: st.DataObject) -> None:
    """R11.1: whatever is told of a real position, no contradiction is seen and nothing wrong is concluded."""
    tile_set, board, racks, bag = game
    told = data.draw(st.lists(st.booleans(), min_size=7, max_size=7))
    found = infer_racks(
        board,
        tile_set,
        [rack if tell else None for rack, tell in zip(racks, told, strict=False)],
        [len(rack) if tell else None for rack, tell in zip(racks, told[3:], strict=False)],
        len(bag) if told[6] else None,
        rack_size=tile_set.total,
    )
    assert not found.faults
    assert found.bag[0] <= len(bag) <= found.bag[1]
    for truth, rack, (fewest, most), (low, high) in zip(racks, found.racks, found.sizes, found.points, strict=True):
        assert fewest <= len(truth) <= most
        assert low <= points_of(truth, tile_set) <= high
        assert rack is None or Counter(rack) == Counter(truth)
    assert unseen(board, tile_set, [rack for rack in found.racks if rack is not None]) == found.unseen
