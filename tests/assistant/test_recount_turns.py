"""Photos from any side of the table, also of tiles that look alike from two sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from assistant.recount import Recount, recount
from models.table.camera import Camera
from models.table.editions import edition
from models.table.scene import NUISANCES, Scene, render, sample_params
from models.table.tiles import german_style
from scorer.board import Board, Square
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from vision.locator import BoardLocator, Location
from vision.observe import Observation, observe_photo, tiles_in_any_turn
from vision.onnx_reader import OnnxReader
from vision.photo import Photo
from vision.quality import Finding
from vision.reading import BoardReading
from vision.turn import TurnEvidence

EMPTY = Board.empty()
Make = Callable[..., BoardReading]
HALF_TURN = dict(zip("NOSXZHI.", "NOSXZHI.", strict=True))
QUARTER = dict(zip("NOSXZHI.", "ZOSXNHI.", strict=True))


def lay(board: Board, row: int, col: int, word: str, down: bool = False) -> Board:
    """The board with the letters of a word that do not lie there yet."""
    squares = {Square(row + k * down, col + k * (not down)): char for k, char in enumerate(word)}
    return board.placed({s: char for s, char in squares.items() if board.at(s) is None})


ZINN = lay(EMPTY, 7, 6, "ZINN")
NIXON = lay(ZINN, 7, 8, "NIXON", down=True)
OHR = lay(NIXON, 10, 8, "OHR")
HORST = lay(OHR, 10, 9, "HORST", down=True)


def as_seen(rows: Sequence[str], quarters: int) -> list[str]:
    """What is read of symmetric letters from the corner so many steps clockwise; others look like a U then."""
    table = {0: {}, 2: HALF_TURN}.get(quarters, QUARTER)
    turned = np.rot90(np.array([list(row) for row in rows]), quarters)
    return ["".join(table.get(char, "U") if quarters else char for char in row) for row in turned]


def open_photo(make: Make, board: Board, guess: int, name: str = "photo.jpg") -> Observation:
    """A photo that leaves open which of two opposite sides is up, read from `guess` steps off the right one."""
    turns = tuple(make(as_seen(board.rows, (guess + k) % 4)) for k in range(4))
    tiles = (0.0, -40.0, 0.0, -40.0)
    return Observation(
        name,
        reading=turns[0].suspecting(tiles_in_any_turn(turns[0])),
        warnings=("turn-unsure",),
        evidence=TurnEvidence(tiles),
        turns=turns,
    )


def sure_photo(make: Make, board: Board) -> Observation:
    return Observation("sure.jpg", reading=make(board.rows), evidence=TurnEvidence((0.0, -40.0, -40.0, -40.0)))


def game(seen: Sequence[Observation]) -> Recount:
    return recount(seen, ("Anna", "Ben"), RULE_SETS["turnier"], GERMAN_102)


def asked(result: Recount) -> list[str | None]:
    return [entry.question.code if entry.question else None for entry in result.entries]


@pytest.mark.parametrize("guesses", [(0, 0), (2, 0), (0, 2), (2, 2)])
def test_a_later_photo_tells_the_turn_of_the_first_ones(make_reading: Make, guesses: tuple[int, int]) -> None:
    first, second = guesses
    seen = [open_photo(make_reading, ZINN, first), open_photo(make_reading, NIXON, second)]
    result = game([*seen, sure_photo(make_reading, OHR), sure_photo(make_reading, HORST)])
    assert asked(result) == [None] * 4
    assert [entry.kind for entry in result.entries] == ["place"] * 4
    assert [entry.play.main_word.word for entry in result.entries if entry.play] == ["ZINN", "NIXON", "OHR", "HORST"]
    assert result.board == HORST
    for entry, guess in zip(result.entries, guesses, strict=False):
        assert "turn-unsure" not in entry.observation.warnings
        assert entry.observation.evidence is not None and entry.observation.evidence.quarters == 0
        assert entry.observation.reading is seen[0 if entry is result.entries[0] else 1].turns[guess]


@pytest.mark.parametrize("guess", [0, 2])
def test_the_last_position_tells_the_turn_of_a_photo(make_reading: Make, guess: int) -> None:
    """Where a hand hides what would tell, the tiles of the last position lie in their places in one turn only."""
    mirrored = replace(open_photo(make_reading, NIXON, guess), findings=(Finding("glare", frozenset({Square(0, 1)})),))
    result = game([sure_photo(make_reading, ZINN), mirrored])
    assert asked(result) == [None, None] and result.board == NIXON
    (finding,) = result.entries[1].observation.findings
    assert finding.squares == {Square(14, 13) if guess == 2 else Square(0, 1)}


def test_photos_that_only_tell_that_they_lie_alike_stay_in_doubt(make_reading: Make) -> None:
    result = game([open_photo(make_reading, ZINN, 2), open_photo(make_reading, NIXON, 0)])
    assert asked(result) == ["turn-unsure", "turn-unsure"]
    assert list(result.board.rows) == as_seen(NIXON.rows, 2)  # the second was turned to lie as the first
    for entry in result.entries:
        assert entry.observation.reading is not None and len(entry.observation.reading.doubtful) >= 8


def test_a_position_that_looks_the_same_from_two_sides_leaves_the_doubt(make_reading: Make) -> None:
    same = lay(EMPTY, 7, 5, "NOSON")  # upside down it lies on the same squares
    seen = open_photo(make_reading, lay(same, 8, 7, "OX", down=True), 0)
    assert asked(game([sure_photo(make_reading, same), seen])) == [None, "turn-unsure"]


def test_a_photo_of_another_game_does_not_settle_the_turn(make_reading: Make) -> None:
    other = lay(EMPTY, 3, 3, "TEILER")
    result = game([open_photo(make_reading, ZINN, 0), sure_photo(make_reading, other)])
    assert "turn-unsure" in result.entries[0].observation.warnings and asked(result)[0] is not None


def test_initials_are_judged_by_a_photo_whose_turn_is_known(make_reading: Make) -> None:
    """An unsure photo read upside down does not show the tiles where they lie: they are no initials for that."""
    first = lay(EMPTY, 7, 6, "A?B")
    upside_down = replace(open_photo(make_reading, lay(first, 6, 8, "ABT", down=True), 2), turns=())
    result = game([sure_photo(make_reading, first), upside_down])
    assert result.entries[0].kind == "unclear" and asked(result)[0] == "initials-or-move"


# --- rendered ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FromAnySide(BoardLocator):
    """Knows the grid of a rendered photo, but not which side is up."""

    scene: Scene
    quarters: int

    def locate(self, photo: Photo) -> Location:
        return Location(self.scene.corners.turned(self.quarters), quality=1.0)


def photographed(board: Board, quarters: int, digits: bool, seed: int = 3) -> Observation:
    """A clear photo of a position; the grid is found with another corner as the first."""
    style = german_style()
    params = sample_params(
        np.random.default_rng(seed),
        NUISANCES - {"thickness", "shadow"},
        filling=board.rows,
        edition=edition("german-green-print"),
        style=style if digits else replace(style, digits="none", letter_at=(0.0, 0.0)),
    )
    scene = render(replace(params, camera=Camera(square_px=34), shift=0.02, turn=1.0, stray=0.0))
    height, width = scene.pixels.shape[:2]
    locator = FromAnySide(scene, quarters)
    return observe_photo(Photo(f"{quarters}.jpg", scene.pixels, width, height), locator, READER, GERMAN_102)


READER = OnnxReader()


def test_a_game_of_symmetric_letters_seen_from_all_sides() -> None:
    """Tiles without value digits: ZINN and NIXON do not tell which side is up, the H-O-R after them does."""
    boards = [ZINN, NIXON, OHR, HORST]
    seen = [photographed(board, k, digits=False) for board, k in zip(boards, (2, 1, 3, 0), strict=True)]
    assert "turn-unsure" in seen[0].warnings and "turn-unsure" in seen[1].warnings
    result = game(seen)
    assert result.board == HORST
    assert [entry.play.main_word.word for entry in result.entries if entry.play] == ["ZINN", "NIXON", "OHR", "HORST"]
    assert not {"turn-unsure", "other-position"} & set(asked(result))


def test_a_board_on_a_turntable() -> None:
    """Every photo shows the board a quarter further round."""
    first = lay(EMPTY, 7, 6, "KLEID")
    boards = [first]
    for row, col, word, down in [(7, 8, "ERBE", True), (9, 8, "BAUM", False), (6, 11, "AHM", True)]:
        boards.append(lay(boards[-1], row, col, word, down))
    result = game([photographed(board, k, digits=True) for k, board in enumerate(boards)])
    assert result.board == boards[-1] and asked(result) == [None] * 4
