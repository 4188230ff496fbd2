"""The draw for the first turn (R2.1-R2.5): who starts, in which order, who draws again, and what is no draw."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.draw import DrawFault, DrawFaultKind, DrawResult, draw
from scorer.rules import DrawTie, Seating
from scorer.tiles import ENGLISH_100, GERMAN_102, POLISH_100, TileSet

TIED, ALL = DrawTie.TIED, DrawTie.ALL
CLOCKWISE, BY_DRAW = Seating.CLOCKWISE, Seating.BY_DRAW


def drawn(
    *rounds: str,
    tie: DrawTie = TIED,
    seating: Seating = CLOCKWISE,
    tile_set: TileSet = GERMAN_102,
) -> DrawResult:
    """The draw from rounds of one character per player, a space for one who does not draw."""
    tiles = [{player: char for player, char in enumerate(text) if char != " "} for text in rounds]
    return draw(tiles, max(map(len, rounds)), tile_set, tie, seating)


@pytest.mark.parametrize(
    ("letters", "tile_set", "order"),
    [
        ("BA", GERMAN_102, (1, 0)),
        ("XQE", GERMAN_102, (2, 0, 1)),
        ("A?", GERMAN_102, (1, 0)),
        ("ÄBA", GERMAN_102, (2, 0, 1)),
        ("BÄZ", GERMAN_102, (1, 2, 0)),
        ("PÖO", GERMAN_102, (2, 0, 1)),
        ("PÖZ", GERMAN_102, (1, 2, 0)),
        ("VÜZ", GERMAN_102, (1, 2, 0)),
        ("ÜUV", GERMAN_102, (1, 2, 0)),
        ("MŁN", POLISH_100, (1, 2, 0)),
        ("ŻŹ", POLISH_100, (1, 0)),
    ],
)
def test_the_letter_nearest_the_front_starts(letters: str, tile_set: TileSet, order: tuple[int, ...]) -> None:
    """R2.1, R2.2: the blank before A, Ä after A, Ö after O, Ü after U; the others follow clockwise (R2.4)."""
    assert drawn(letters, tile_set=tile_set) == DrawResult(order, ())


@pytest.mark.parametrize(("seating", "order"), [(CLOCKWISE, (2, 3, 0, 1)), (BY_DRAW, (2, 0, 3, 1))])
def test_seats_stay_or_follow_the_letters(seating: Seating, order: tuple[int, ...]) -> None:
    """R2.4: clockwise from the first player, or re-seated in the order of the letters."""
    assert drawn("EZ?N", seating=seating).order == order


def test_nobody_has_drawn_yet() -> None:
    assert draw([], 3, GERMAN_102, TIED, CLOCKWISE) == DrawResult(None, (0, 1, 2))


@pytest.mark.parametrize(
    ("tie", "rounds", "order", "again"),
    [
        (TIED, ["EEN"], None, (0, 1)),
        (TIED, ["NEE"], None, (1, 2)),
        (TIED, ["??A"], None, (0, 1)),
        (TIED, ["EEN", "TS "], (1, 2, 0), ()),
        (TIED, ["EEN", "SS "], None, (0, 1)),
        (TIED, ["EEN", "SS ", "AB "], (0, 1, 2), ()),
        (TIED, ["EEEN", "AAZ "], None, (0, 1)),
        (TIED, ["EEEN", "AAZ ", "TU  "], (0, 1, 2, 3), ()),
        (ALL, ["EEN"], None, (0, 1, 2)),
        (ALL, ["EEN", "TSA"], (2, 0, 1), ()),
        (ALL, ["EEN", "TAA"], None, (0, 1, 2)),
        (TIED, ["NNE"], (2, 0, 1), ()),
        (ALL, ["NNE"], (2, 0, 1), ()),
    ],
)
def test_the_first_letter_drawn_twice(
    tie: DrawTie, rounds: list[str], order: tuple[int, ...] | None, again: tuple[int, ...]
) -> None:
    """R2.5: those who are equal draw again, or all; equal letters further back settle nothing and need not."""
    assert drawn(*rounds, tie=tie) == DrawResult(order, again)


@pytest.mark.parametrize(
    ("tie", "rounds", "order", "again"),
    [
        (TIED, ["NNE"], None, (0, 1)),
        (TIED, ["NNE", "ZA "], (2, 1, 0), ()),
        (TIED, ["EENN"], None, (0, 1, 2, 3)),
        (TIED, ["EENN", "ZYBA"], (1, 0, 3, 2), ()),
        (TIED, ["EENN", "ZYAA"], None, (2, 3)),
        (TIED, ["EENN", "ZYAA", "  BA"], (1, 0, 3, 2), ()),
        (ALL, ["NNE"], None, (0, 1)),
        (ALL, ["NNE", "AZ "], (2, 0, 1), ()),
        (ALL, ["EENN"], None, (0, 1, 2, 3)),
        (ALL, ["EENN", "ZYBA"], (3, 2, 1, 0), ()),
    ],
)
def test_by_letter_every_place_is_settled(
    tie: DrawTie, rounds: list[str], order: tuple[int, ...] | None, again: tuple[int, ...]
) -> None:
    """R2.4, R2.5: equal letters further back are drawn again among themselves; who is ahead stays ahead."""
    assert drawn(*rounds, tie=tie, seating=BY_DRAW) == DrawResult(order, again)


K = DrawFaultKind


@pytest.mark.parametrize(
    ("rounds", "order", "again", "faults"),
    [
        ([{0: "A"}], None, (0, 1, 2), [DrawFault(K.PLAYER_MISSING, 0, 1), DrawFault(K.PLAYER_MISSING, 0, 2)]),
        ([{0: "A", 1: "", 2: "B"}], None, (0, 1, 2), [DrawFault(K.PLAYER_MISSING, 0, 1)]),
        ([{0: "A", 1: "B", 2: "C", 3: "D"}], None, (0, 1, 2), [DrawFault(K.UNKNOWN_PLAYER, 0, 3, "D")]),
        ([{0: "A", 1: "A", 2: "C"}, {0: "E", 1: "F", 2: "G"}], None, (0, 1), [DrawFault(K.NOT_TO_DRAW, 1, 2, "G")]),
        ([{0: "A", 1: "A", 2: "C"}, {0: "E"}], None, (0, 1), [DrawFault(K.PLAYER_MISSING, 1, 1)]),
        ([{0: "AE", 1: "B", 2: "C"}], None, (0, 1, 2), [DrawFault(K.DRAWN_TWICE, 0, 0, "AE")]),
        ([{0: "A", 1: "É", 2: "C"}], None, (0, 1, 2), [DrawFault(K.NO_TILE_OF_SET, 0, 1, "É")]),
        (
            [{0: "a", 1: "ß", 2: "1"}],
            None,
            (0, 1, 2),
            [DrawFault(K.NO_TILE_OF_SET, 0, player, char) for player, char in enumerate("aß1")],
        ),
        ([{0: "Q", 1: "Q", 2: "A"}], None, (0, 1, 2), [DrawFault(K.SET_EXHAUSTED, 0, tile="Q")]),
        ([{0: "?", 1: "?", 2: "?"}], None, (0, 1, 2), [DrawFault(K.SET_EXHAUSTED, 0, tile="?")]),
        ([{0: "C", 1: "B", 2: "A"}, {0: "A"}], (2, 0, 1), (), [DrawFault(K.ALREADY_DECIDED, 1)]),
        (
            [{0: "QQ", 3: "x"}],
            None,
            (0, 1, 2),
            [
                DrawFault(K.PLAYER_MISSING, 0, 1),
                DrawFault(K.PLAYER_MISSING, 0, 2),
                DrawFault(K.DRAWN_TWICE, 0, 0, "QQ"),
                DrawFault(K.UNKNOWN_PLAYER, 0, 3, "x"),
                DrawFault(K.NO_TILE_OF_SET, 0, 3, "x"),
                DrawFault(K.SET_EXHAUSTED, 0, tile="Q"),
            ],
        ),
    ],
)  # fmt: skip
def test_what_is_no_draw(
    rounds: list[dict[int, str]],
    order: tuple[int, ...] | None,
    again: tuple[int, ...],
    faults: list[DrawFault],
) -> None:
    """R2.1, R1.2: all faults of the round at once; the round settles nothing and the same players are to draw."""
    result = draw(rounds, 3, GERMAN_102, TIED, CLOCKWISE)
    assert result == DrawResult(order, again, tuple(faults))
    assert result.codes == [str(kind) for kind in K if kind in {fault.kind for fault in faults}]


def test_a_letter_of_another_set_or_a_missing_blank_is_no_tile() -> None:
    assert drawn("ÄB", tile_set=ENGLISH_100).codes == ["no-tile-of-set"]
    assert drawn("?B", tile_set=replace(ENGLISH_100, blanks=0)).codes == ["no-tile-of-set"]


def test_nothing_after_a_faulty_round_counts() -> None:
    assert draw([{0: "A"}, {0: "A", 1: "B"}], 2, GERMAN_102, TIED, CLOCKWISE) == DrawResult(
        None, (0, 1), (DrawFault(K.PLAYER_MISSING, 0, 1),)
    )


TILES = ("?", *GERMAN_102.letters)


@given(st.data(), st.integers(2, 4), st.sampled_from(DrawTie), st.sampled_from(Seating))
def test_a_draw_played_to_its_end(data: st.DataObject, players: int, tie: DrawTie, seating: Seating) -> None:
    """R2.1-R2.5: exactly those named draw, until there is an order of all players that starts with the first letter."""
    bag = st.permutations([tile for tile in TILES for _ in range(GERMAN_102.count(tile))])
    rounds: list[dict[int, str]] = []
    result = draw(rounds, players, GERMAN_102, tie, seating)
    while result.again and len(rounds) < 20:
        rounds.append(dict(zip(result.again, data.draw(bag), strict=False)))
        result = draw(rounds, players, GERMAN_102, tie, seating)
        assert not result.faults
        assert (result.order is None) == bool(result.again)
    if result.order is None:
        return
    assert sorted(result.order) == list(range(players))
    letters = {player: TILES.index(tile) for player, tile in rounds[-1].items()}
    if seating is CLOCKWISE:
        assert [(player - result.order[0]) % players for player in result.order] == list(range(players))
        assert letters[result.order[0]] == min(letters.values())
    elif len(rounds) == 1:
        places = [letters[player] for player in result.order]
        assert places == sorted(set(places))
