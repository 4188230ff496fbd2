"""What each photo of a game was taken for, by all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

import pytest

from scorer.board import Board, Square
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from vision.observe import Observation
from vision.reading import BoardReading
from vision.sequence import Given, Start, Told, decode

Make = Callable[..., BoardReading]
Unsure = Mapping[int, Mapping[tuple[int, int], Mapping[str, float]]]

EMPTY = Board.empty()
HAND = {"*": 1.0}
NOON = datetime(2026, 11, 30, 12)


def lay(board: Board, row: int, col: int, word: str, down: bool = False) -> Board:
    """The board with the letters of a word that do not lie there yet."""
    squares = {Square(row + k * down, col + k * (not down)): char for k, char in enumerate(word)}
    return board.placed({s: char for s, char in squares.items() if board.at(s) is None})


HUT = lay(EMPTY, 7, 7, "HUT")
TO = lay(HUT, 7, 9, "TO", down=True)
TOR = lay(HUT, 7, 9, "TOR", down=True)
RE = lay(TOR, 9, 9, "RE")
REH = lay(RE, 9, 9, "REH")


def told(
    make: Make, boards: Sequence[Board | None], unsure: Unsure | None = None, seconds: Sequence[int] = ()
) -> tuple[Told, ...]:
    seen = [
        Observation(
            f"{k}.jpg",
            reason="no-board" if board is None else None,
            reading=None if board is None else make(board.rows, (unsure or {}).get(k)),
            taken=NOON + timedelta(seconds=seconds[k]) if seconds else None,
        )
        for k, board in enumerate(boards)
    ]
    return decode(seen, RULE_SETS["turnier"], GERMAN_102)[0]


PHANTOM = Square(8, 9)
HALF = {(8, 9): {"O": 0.6, ".": 0.4}}
"""What looks half like a tile, below the T of HUT."""


def told_empty(make: Make, boards: Sequence[Board], unsure: Unsure) -> tuple[Told, ...]:
    """As ``told``, and of photo 2 a person says that no tile lies on PHANTOM."""
    seen = [Observation(f"{k}.jpg", reading=make(board.rows, unsure.get(k))) for k, board in enumerate(boards)]
    return decode(seen, RULE_SETS["turnier"], GERMAN_102, given={2: Given({PHANTOM: "."})})[0]


def test_what_was_said_to_be_empty_is_not_doubted_again(make_reading: Make) -> None:
    boards, hof = [EMPTY, HUT, HUT], lay(HUT, 7, 7, "HOF", down=True)
    assert told(make_reading, [*boards, HUT], {2: HALF, 3: HALF})[3].probability < 0.9
    found = told_empty(make_reading, [*boards, HUT, hof], {2: HALF, 3: HALF, 4: HALF})
    assert kinds(found)[2:] == ["none", "none", "place"] and laid(found[4]) == "OF"
    assert all(one.probability > 0.95 for one in found[2:])


def test_a_tile_that_is_laid_where_somebody_said_there_was_none(make_reading: Make) -> None:
    found = told_empty(make_reading, [EMPTY, HUT, HUT, TO], {2: HALF})
    assert kinds(found)[3] == "place" and laid(found[3]) == "O" and found[3].probability > 0.9


def kinds(found: Sequence[Told]) -> list[str]:
    return [one.step.why or one.step.kind for one in found]


def laid(one: Told) -> str:
    return "".join(char for _, char in one.step.placement.tiles)


def test_a_later_photo_settles_what_a_hand_left_open(make_reading: Make) -> None:
    hidden = {2: {(8, 9): HAND, (9, 9): HAND}}
    found = told(make_reading, [EMPTY, HUT, TOR, lay(TOR, 7, 7, "HERD", down=True)], hidden)
    assert kinds(found) == ["start", "place", "place", "place"]
    assert found[2].step.placement.squares == (Square(8, 9), Square(9, 9)) and found[2].probability > 0.95
    assert laid(found[3]) == "ERD"
    assert found[2].at_first.kind == "none" and found[2].settled_by == 3


def test_as_the_last_photo_it_stays_open(make_reading: Make) -> None:
    found = told(make_reading, [EMPTY, HUT, TOR], {2: {(8, 9): HAND, (9, 9): HAND}})
    assert found[2].step.kind == "none" and found[2].settled_by is None


def test_a_tile_unseen_once_is_not_taken_back(make_reading: Make) -> None:
    """Tile E alone was the last move: as long as no other photo shows it, it looks taken back."""
    herd = lay(RE, 7, 7, "HERD", down=True)
    unseen = {4: {(9, 10): {".": 1.0}}}
    found = told(make_reading, [EMPTY, HUT, TOR, RE, herd, lay(herd, 10, 7, "DU")], unseen)
    assert kinds(found) == ["start", "place", "place", "place", "place", "place"]
    assert laid(found[4]) == "ERD" and not found[4].step.removed and laid(found[5]) == "U"
    assert found[4].at_first.removed and found[4].settled_by == 5


@pytest.mark.parametrize(
    ("unsure", "seconds", "expected"),
    [
        ({2: {(8, 10): HAND, (9, 10): HAND}}, (), "mid-move"),  # a hand beside the O
        ({}, (0, 60, 120, 125, 180), "mid-move"),  # five seconds before the whole move
        ({}, (0, 60, 120, 180, 240), "place"),
        ({}, (), "place"),  # nothing tells it from a move that the next one lengthens
    ],
)
def test_a_photo_in_the_middle_of_a_move_is_told_by_its_signs(
    make_reading: Make, unsure: Unsure, seconds: Sequence[int], expected: str
) -> None:
    found = told(make_reading, [EMPTY, HUT, TO, TOR, RE], unsure, seconds)
    assert kinds(found) == ["start", "place", expected, "place", "place"]
    assert laid(found[3]) == ("OR" if expected == "mid-move" else "R")


def test_tiles_apart_that_the_next_photo_joins_were_no_move_yet(make_reading: Make) -> None:
    apart = HUT.placed({Square(9, 9): "R"})
    found = told(make_reading, [EMPTY, HUT, apart, TOR])
    assert kinds(found) == ["start", "place", "mid-move", "place"] and laid(found[3]) == "OR"


def test_tiles_apart_that_stay_are_a_move_against_the_rules(make_reading: Make) -> None:
    apart = HUT.placed({Square(9, 9): "R"})
    found = told(make_reading, [EMPTY, HUT, apart, lay(apart, 7, 7, "HERD", down=True)])
    assert kinds(found) == ["start", "place", "place", "place"]
    assert found[2].step.faults.codes == ["not-connected"] and laid(found[3]) == "ERD"


def test_a_photo_that_cannot_be_read_is_what_the_next_one_says(make_reading: Make) -> None:
    again = told(make_reading, [EMPTY, HUT, None, TOR], seconds=(0, 60, 120, 126))
    assert kinds(again) == ["start", "place", "taken-again", "place"] and again[2].probability > 0.95
    hidden = told(make_reading, [EMPTY, HUT, None, RE, REH], seconds=(0, 60, 120, 200, 260))
    assert kinds(hidden) == ["start", "place", "place", "place", "place"]
    # which of them the R belongs to nobody saw
    assert {*hidden[2].step.placement.squares, *hidden[3].step.placement.squares} == RE.occupied - HUT.occupied


def test_a_game_that_had_begun(make_reading: Make) -> None:
    found = told(make_reading, [RE, REH])
    assert kinds(found) == ["start", "place"] and laid(found[1]) == "H"
    assert found[0].step.squares == RE.occupied


def test_two_games_mixed(make_reading: Make) -> None:
    other = lay(lay(EMPTY, 7, 4, "WINDE"), 7, 7, "DAMPF", down=True)
    more = lay(other, 11, 7, "FALSCH")
    found = told(make_reading, [EMPTY, HUT, other, TOR, more, RE])
    assert kinds(found) == ["start", "place", "other-board", "place", "other-board", "place"]
    assert [laid(found[k]) for k in (1, 3, 5)] == ["HUT", "OR", "E"]


def test_many_new_tiles_beside_all_the_old_ones_are_no_other_board(make_reading: Make) -> None:
    many = lay(lay(lay(RE, 9, 9, "REHE"), 9, 12, "EULEN", down=True), 13, 9, "BUHN")
    found = told(make_reading, [EMPTY, HUT, TOR, many])
    assert found[3].step.kind == "place" and found[3].step.faults


def test_initials_do_not_stay(make_reading: Make) -> None:
    names = lay(EMPTY, 7, 6, "A?B")
    gone = told(make_reading, [EMPTY, names, HUT])
    assert kinds(gone) == ["start", "initials", "place"]
    stay = told(make_reading, [EMPTY, names, lay(names, 7, 8, "BOR", down=True)])
    assert kinds(stay) == ["start", "place", "place"]


def test_the_probabilities_of_what_a_photo_may_be_add_up(make_reading: Make) -> None:
    found = told(make_reading, [EMPTY, HUT, TOR], {2: {(9, 9): {".": 0.5, "R": 0.5}}})
    assert found[2].by_itself + sum(p for _, p in found[2].alternatives) == pytest.approx(1)
    assert found[2].probability == pytest.approx(found[2].by_itself, abs=1e-3)


def test_a_game_may_go_on_from_a_known_position(make_reading: Make) -> None:
    seen = [Observation("1.jpg", reading=make_reading(TOR.rows))]
    found, _ = decode(seen, RULE_SETS["turnier"], GERMAN_102, start=Start(HUT))
    assert kinds(found) == ["place"] and laid(found[0]) == "OR"


def test_a_second_photo_of_the_same_position_is_no_sign_of_a_move_being_laid(make_reading: Make) -> None:
    boards, seconds = [EMPTY, HUT, TO, TO, TOR], (0, 60, 120, 122, 180)
    seen = [
        Observation(f"{k}.jpg", reading=make_reading(board.rows), taken=NOON + timedelta(seconds=seconds[k]))
        for k, board in enumerate(boards)
    ]
    found, _ = decode(seen, RULE_SETS["turnier"], GERMAN_102, repeated={3: "burst"})
    assert kinds(found) == ["start", "place", "place", "burst", "place"] and found[2].probability > 0.99
