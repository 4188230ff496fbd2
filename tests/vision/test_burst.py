"""Which photos show one position, their order by the clock, and one reading of several."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from scorer.board import Square
from tests.conftest import CLASSES, MakeReading
from vision.burst import burst_reading, bursts, by_tiles, by_time, clocked, fused
from vision.observe import Observation, tiles_in_any_turn
from vision.photo import taken
from vision.reading import BoardReading
from vision.turn import TurnEvidence

START = datetime(2025, 12, 24, 20, 0, 0)

GAME = ("", "HUT", "HUTE", "HUTEN")
"""The first row after each move."""


def board(row: str) -> list[str]:
    return [row.ljust(15, "."), *["." * 15] * 14]


MakePhoto = Callable[..., Observation]


@pytest.fixture
def photo(make_reading: MakeReading) -> MakePhoto:
    def make(
        row: str | None, seconds: float | None = None, digest: str = "", unsure: Mapping | None = None
    ) -> Observation:
        """A photo of a board with this first row, taken so many seconds after the start; None: unreadable."""
        return Observation(
            row or "bare",
            reading=None if row is None else make_reading(board(row), unsure),
            taken=None if seconds is None else START + timedelta(seconds=seconds),
            digest=digest,
        )

    return make


def test_photos_taken_within_three_seconds_are_of_one_position(photo: MakePhoto) -> None:
    times = (("", 0), ("HUT", 40), ("HUT", 42.5), ("HUT", 45.4), ("HUTE", 80), ("HUTE", 84))
    game = [photo(row, seconds) for row, seconds in times]
    assert bursts(game) == ((0,), (1, 2, 3), (4,), (5,))


def test_a_photo_that_could_not_be_read_is_of_the_burst_it_was_taken_in(photo: MakePhoto) -> None:
    assert bursts([photo("", 0), photo("HUT", 40), photo(None, 41), photo("HUT", 43)]) == ((0,), (1, 2, 3))


def test_what_clearly_shows_another_tile_is_of_no_burst(photo: MakePhoto) -> None:
    game = [photo("", 0), photo("HUT", 40), photo("HUT", 41), photo("HUTE", 43), photo("HUTE", 44)]
    assert bursts(game) == ((0,), (1, 2), (3, 4))
    doubtful = {(0, 3): {"E": 0.6, ".": 0.4}}
    assert bursts([*game[:3], photo("HUTE", 43, unsure=doubtful)]) == ((0,), (1, 2, 3))
    hidden = {(0, 3): {"*": 0.9, ".": 0.1}}
    assert bursts([*game[:2], photo("HUT", 42, unsure=hidden), photo("HUTE", 44)]) == ((0,), (1, 2), (3,))


def test_another_letter_is_a_misreading_not_a_move(photo: MakePhoto) -> None:
    assert bursts([photo("", 0), photo("HUT", 40), photo("HOT", 41)]) == ((0,), (1, 2))
    assert bursts([photo("HUT", 0), photo("HUT?", 2)]) == ((0, 1),)  # a reflex is soon taken for a blank


def test_the_same_file_twice_is_one_photo_whatever_the_clock_says(photo: MakePhoto) -> None:
    assert bursts([photo("HUT", digest="a"), photo("HUT", digest="a"), photo("HUT", digest="b")]) == ((0, 1), (2,))
    assert bursts([photo("HUT"), photo("HUT")]) == ((0,), (1,))
    assert bursts([photo("HUT", 0, "a"), photo("HUTE", 60, "b"), photo("HUT", 0, "a")]) == ((0,), (1,), (2,))
    assert bursts([]) == ()


def test_times_of_copying_are_not_those_of_a_game(photo: MakePhoto) -> None:
    copied = [photo(row, k * 0.1) for k, row in enumerate((*GAME, GAME[-1]))]  # the last move is a pass
    assert not clocked(copied) and bursts(copied) == ((0,), (1,), (2,), (3,), (4,))
    slowly = [photo(row, 2 * k) for k, row in enumerate((*GAME, GAME[-1]))]
    assert not clocked(slowly) and bursts(slowly) == ((0,), (1,), (2,), (3,), (4,))
    backwards = [photo("", 50), photo("HUT", 40), photo("HUT", 41)]
    assert not clocked(backwards) and bursts(backwards) == ((0,), (1,), (2,))
    assert clocked([photo(row, 30 * k) for k, row in enumerate(GAME)])
    assert clocked([photo("HUT", 0), photo("HUT", 0), photo("HUT", 0.4)])
    assert clocked([photo("HUT"), photo("HUTE")]) and clocked([])


def test_photos_in_the_order_of_the_clock(photo: MakePhoto) -> None:
    game = [photo(row, 30 * k) for k, row in enumerate(GAME)]
    assert by_time(game) is None
    assert by_time([game[2], game[0], game[3], game[1]]) == (1, 3, 0, 2)
    assert by_time([game[1], game[0], photo("HUTEN")]) is None  # one without a time
    assert by_time([photo(row, k) for k, row in enumerate(GAME[::-1])][::-1]) is None  # saved within seconds
    # saved minutes apart, last photo first: by this clock the tiles would vanish
    assert by_time([photo(row, 60 * k) for k, row in enumerate(GAME[::-1])][::-1]) is None


def test_photos_in_the_order_of_their_tiles(photo: MakePhoto) -> None:
    rows = ("", "HU", "HUTEN", "HUTENAB", "HUTENABER")
    game = [photo(row) for row in rows]
    assert by_tiles(game) is None and by_tiles([]) is None
    assert by_tiles([game[k] for k in (0, 2, 1, 3, 4)]) == (0, 2, 1, 3, 4)
    assert by_tiles([game[k] for k in (2, 4, 0, 1, 3)]) == (2, 3, 0, 4, 1)
    assert by_tiles(game[::-1]) == (4, 3, 2, 1, 0)
    assert by_tiles([game[0], game[1], photo(None), game[3], game[2], game[4]]) == (0, 1, 2, 4, 3, 5)
    names = photo("..M?L")
    assert by_tiles([game[0], names, *game[1:]]) is None
    assert by_tiles([game[0], names, *(game[k] for k in (2, 1, 3, 4))]) == (0, 1, 3, 2, 4, 5)


def test_tiles_that_tell_no_other_order(photo: MakePhoto) -> None:
    taken_back = [photo(row) for row in ("", "HU", "HUTEN", "HU", "HUDE", "HUDEL")]
    assert by_tiles(taken_back) is None
    assert by_tiles(taken_back[:4]) is None  # or the last two changed over: nobody can tell
    other = photo("....GRAS")
    assert by_tiles([photo(""), photo("HU"), photo("HUTEN"), other, photo("HUTENAB"), photo("HUTENABER")]) is None
    rows = ("", "HUTEN", "HU", "HUTENAB")
    assert by_tiles([photo(row, 60 * k) for k, row in enumerate(rows)]) is None  # the clock says that it was so
    hidden = {(0, 3): {"*": 0.9, ".": 0.1}, (0, 4): {"*": 0.9, ".": 0.1}}
    assert by_tiles([photo("HU"), photo("HUTEN"), photo("HUT", unsure=hidden), photo("HUTENAB")]) is None


def at(reading: BoardReading, col: int) -> tuple[str, float]:
    return reading.rows[0][col], float(reading.confidence[0, col])


def test_what_a_hand_hides_in_one_photo_another_shows(make_reading: MakeReading) -> None:
    over_hut = {(0, col): {"*": 0.99, ".": 0.01} for col in range(3)}
    over_end = {(0, col): {"*": 0.99, ".": 0.01} for col in (2, 3)}
    one, other = make_reading(board("HUTE"), over_hut), make_reading(board("HUTE"), over_end)
    both = fused([one, other])
    assert both.rows[0].startswith("HU") and both.rows[0][3] == "E"
    assert both.doubtful == (Square(0, 2),)  # hidden in both
    assert both.log_prob(Square(0, 2), "*") == pytest.approx(np.log(0.99), abs=0.001)
    assert np.exp(both.log_probs).sum(axis=-1) == pytest.approx(np.ones((15, 15)), abs=1e-3)


def test_a_clear_photo_settles_an_open_one_and_no_more(make_reading: MakeReading) -> None:
    clear = make_reading(board("HUT"), {(0, 0): {"H": 0.96, "N": 0.04}})
    unclear = make_reading(board("HUT"), {(0, 0): {"H": 0.4, "N": 0.6}})
    for pair in ([clear, unclear], [unclear, clear]):
        char, sure = at(fused(pair), 0)
        assert char == "H" and 0.9 < sure < 0.96


def test_equal_doubts_are_no_certainty(make_reading: MakeReading) -> None:
    doubt = make_reading(board("QUE"), {(0, 0): {"Q": 0.7, "O": 0.3}})
    char, sure = at(fused([doubt] * 5), 0)
    assert char == "Q" and sure == pytest.approx(0.7, abs=0.001)
    assert fused([doubt] * 5).doubtful == (Square(0, 0),)


@pytest.mark.parametrize("other", [{"F": 0.99}, {".": 0.99}, {"F": 0.85, "E": 0.15}])
def test_photos_that_contradict_each_other_leave_a_doubt(make_reading: MakeReading, other: dict[str, float]) -> None:
    one, two = make_reading(board("HUTE")), make_reading(board("HUTE"), {(0, 3): other})
    for readings in ([one, two], [one, two, one], [two, one, one]):
        assert fused(readings).doubtful == (Square(0, 3),)


def test_a_suspicion_goes_when_another_photo_shows_the_same_without(make_reading: MakeReading) -> None:
    glare = make_reading(board("HUT")).suspecting([Square(0, 1)])
    clear = make_reading(board("HUT"))
    unsure = make_reading(board("HUT"), {(0, 1): {"U": 0.8, "O": 0.2}})
    assert fused([glare, clear]).doubtful == ()
    assert fused([glare, unsure]).doubtful == (Square(0, 1),)
    assert fused([glare, glare]).doubtful == (Square(0, 1),)


def test_a_foreign_print_stays_one(make_reading: MakeReading) -> None:
    """What the classes lack to 1 is a print that none of them stands for."""
    one = make_reading(board("HUT"))
    one.log_probs[0, 0] = np.log(0.002)  # the classes add up to a twentieth
    both = fused([one, one])
    assert np.exp(both.log_probs[0, 0]).sum() < 0.2 and Square(0, 0) in both.doubtful


def test_one_reading_is_itself_and_others_must_go_together(make_reading: MakeReading) -> None:
    one = make_reading(board("HUT"))
    assert fused([one]) is one
    with pytest.raises(ValueError, match="no readings"):
        fused([])
    with pytest.raises(ValueError, match="classes"):
        fused([one, BoardReading(one.log_probs[..., :-1], CLASSES[:-1], 0.9)])


def test_a_photo_in_doubt_about_its_turn_has_a_say_only_where_it_agrees(
    photo: MakePhoto, make_reading: MakeReading
) -> None:
    sure = photo("HUT", 0, unsure={(0, 1): {"U": 0.8, "O": 0.2}})

    def in_doubt(row: str) -> Observation:
        reading = make_reading(board(row))
        turns = tuple(
            BoardReading(np.ascontiguousarray(np.rot90(reading.log_probs, k)), CLASSES, 0.9) for k in range(4)
        )
        return Observation(
            "turned", reading=reading.suspecting(tiles_in_any_turn(reading)), warnings=("turn-unsure",),
            evidence=TurnEvidence((0.0, -1.0, -1.0, -1.0)), turns=turns,
        )  # fmt: skip

    agreeing, other = burst_reading([sure, in_doubt("HUT")]), burst_reading([in_doubt("NIX"), sure])
    assert agreeing is not None and agreeing.doubtful == ()
    assert other is sure.reading
    alone = in_doubt("HUT")
    assert burst_reading([alone]) is alone.reading
    assert burst_reading([photo(None)]) is None and burst_reading([]) is None
    shifted = Observation("shifted", reading=make_reading(board("HUTE")), warnings=("grid-unsure",))
    assert burst_reading([shifted, sure]) is sure.reading


def test_the_photos_of_a_real_game_are_put_in_order(shared: Path, make_reading: MakeReading) -> None:
    """By their camera's clock; the boards are the true ones."""
    folder = shared / "photos" / "romanian-game1"
    lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()[:8]
    game = [
        Observation(
            truth["file"], reading=make_reading(truth["board"]), taken=taken((folder / truth["file"]).read_bytes())
        )
        for truth in map(json.loads, lines)
    ]
    assert by_time(game) is None and bursts(game) == tuple((k,) for k in range(8))
    mixed = [game[k] for k in (3, 7, 0, 5, 1, 6, 2, 4)]
    assert by_time(mixed) == (2, 4, 6, 0, 7, 3, 5, 1)
