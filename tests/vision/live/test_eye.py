"""The eye on streams made of rendered pictures, with a camera's noise: it looks once after each disturbance, and at
nothing while a hand is over the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from models.table.camera import Camera, View
from models.table.demo import boards, demo_params, framed
from models.table.items import Hand
from models.table.scene import Scene, render
from vision.geometry import GRID, Corners, Homography
from vision.live.eye import Eye
from vision.live.sight import Place, Sight
from vision.locate_learned import LearnedLocator
from vision.locate_pose import moved_by
from vision.locator import BoardLocator, Location
from vision.photo import Photo
from vision.pixels import Pixels

SIZE = (800, 700)
CALM = 1.5
"""Seconds, as of the eyes here."""

CAMERA = Camera(tilt=11, azimuth=75, roll=1.5, distance=30, square_px=36)
HAND, FAR_HAND = (6.5, 7.5), (10.5, 11.0)
"""Where the fingertips of a hand are that comes from the lower right, in squares."""


def camera(roll: float = 1.5, right: float = 0.0) -> Camera:
    seen = replace(CAMERA, roll=roll)
    aspect = demo_params()[0].edition.aspect
    middle = framed(seen, aspect, *SIZE)
    bare = View(replace(seen, margins=(0.0,) * 4), aspect).project(GRID)
    step = right * Homography.from_corners(Corners.of(bare)).square_side() / np.ptp(bare, axis=0).max()
    left, top, far, low = middle.margins
    return replace(middle, margins=(left + step, top, far - step, low))


@lru_cache(maxsize=32)
def scene(turn: int, hand: tuple[float, float] | None = None, seen: Camera | None = None) -> Scene:
    """The demo game's board after a turn, always in the same light."""
    params = demo_params(2)[0]
    hands = (Hand("flat", hand, 55.0, (150, 180, 215), (120, 60, 40), 0.5, 0.6, 1.1, False, 5),) if hand else ()
    return render(replace(params, filling=boards()[turn], camera=seen or camera(), hands=hands))


def board(turn: int, hand: tuple[float, float] | None = None, seen: Camera | None = None) -> Pixels:
    return scene(turn, hand, seen).pixels


@lru_cache(maxsize=1)
def noise() -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return [rng.normal(0, 3, (SIZE[1], SIZE[0], 3)).astype(np.int16) for _ in range(4)]


class Stream:
    """A camera that shows pictures to an eye."""

    def __init__(self, eye: Eye | None = None, rate: float = 5.0) -> None:
        self.eye = eye or Eye(place=place(), calm=CALM)
        self.rate, self.time, self.count = rate, 0.0, 0
        self.sights: list[Sight] = []

    def show(self, picture: Pixels, seconds: float = 0.0) -> list[Sight]:
        """The picture for so long, with noise; at least one frame. Gives what was seen of it."""
        shown = []
        for _ in range(max(1, round(seconds * self.rate))):
            grain = noise()[self.count % 4]
            frame = cv2.add(picture, grain, dtype=cv2.CV_8U) if picture.shape == grain.shape else picture
            shown.append(self.eye.see(frame, self.time))
            self.time += 1 / self.rate
            self.count += 1
        self.sights += shown
        return shown


def looks(sights: list[Sight]) -> list[float]:
    return [sight.time for sight in sights if sight.look is not None]


def states(sights: list[Sight]) -> set[str]:
    return {sight.state for sight in sights}


def place() -> Place:
    return Place(scene(0).corners, SIZE)


def error(found: Place | None, truth: Corners) -> float:
    """Largest error of a corner in squares, whichever comes first."""
    assert found is not None
    wanted = Homography.from_corners(truth).matrix
    return min(moved_by(wanted, Homography.from_corners(found.corners.turned(k)).matrix) for k in range(4))


def test_the_first_look_finds_the_board_and_an_idle_board_is_not_looked_at_again() -> None:
    stream = Stream(Eye(LearnedLocator(), calm=CALM))
    first = stream.show(board(3), 3)
    assert len(looks(first)) == 1 and 1.4 <= looks(first)[0] <= 2.0
    look = next(sight.look for sight in first if sight.look)
    assert error(look.place, scene(3).corners) < 0.1
    assert look.pixels.shape == (SIZE[1], SIZE[0], 3) and not look.pressed and look.calm_for >= 1.4
    idle = stream.show(board(3), 20)
    assert looks(idle) == [] and states(idle) == {"calm"}
    assert idle[-1].calm_for > 20


def test_the_picture_of_a_look_has_less_noise_than_a_frame() -> None:
    stream = Stream()
    look = next(sight.look for sight in stream.show(board(3), 3) if sight.look)
    clean = board(3).astype(float)
    single = np.clip(board(3) + noise()[0], 0, 255)
    assert np.std(look.pixels - clean) < 0.75 * np.std(single - clean)


def test_a_move_is_looked_at_once_when_the_hand_is_gone() -> None:
    stream = Stream()
    stream.show(board(0), 3)
    stream.show(board(0, FAR_HAND))
    hand = stream.show(board(0, HAND), 6) + stream.show(board(1, FAR_HAND), 4)
    assert looks(hand) == []
    assert [sight.state for sight in hand[1:30]] == ["hand"] * 29
    since = stream.time
    after = stream.show(board(1), 6)
    assert len(looks(after)) == 1
    assert 1.4 <= looks(after)[0] - since <= 2.0
    assert after[0].state == "moving" and states(after[2:7]) == {"settling"} and after[-1].state == "calm"


def test_tiles_laid_by_nobody_are_looked_at_as_well() -> None:
    """A source that stalls, or drops frames, may never show the hand."""
    stream = Stream()
    stream.show(board(1), 3)
    assert len(looks(stream.show(board(2), 3))) == 1
    assert len(looks(stream.show(board(1), 3))) == 1


def test_a_hand_that_leaves_for_less_than_the_calm_time_gives_no_look() -> None:
    stream = Stream()
    stream.show(board(0), 3)
    for turn in (0, 1, 2, 3):
        stream.show(board(turn, HAND), 1)
        assert looks(stream.show(board(turn), 1.2)) == []
    assert len(looks(stream.show(board(3), 3))) == 1


def test_what_lies_over_the_board_for_very_long_is_read_all_the_same() -> None:
    stream = Stream(rate=2)
    stream.show(board(2), 3)
    stream.show(board(2, FAR_HAND), 0.5)
    lying = stream.show(board(2, HAND), 60)
    assert len(looks(lying)) == 1 and 29 <= looks(lying)[0] - lying[0].time <= 31
    assert lying[-1].state == "hand"
    assert len(looks(stream.show(board(2), 5))) == 1


def test_a_hand_that_was_there_from_the_start_does_not_block_when_it_goes() -> None:
    stream = Stream()
    stream.show(board(2, HAND), 3)
    assert len(looks(stream.show(board(2), 5))) == 1
    # and is no excuse for the next one
    stream.show(board(2, FAR_HAND))
    assert looks(stream.show(board(2, HAND), 6)) == []


def test_a_press_looks_as_soon_as_nothing_is_over_the_board() -> None:
    stream = Stream(rate=10)
    stream.show(board(0), 3)
    stream.show(board(1, HAND), 2)
    stream.eye.press()
    assert looks(stream.show(board(1, HAND), 2)) == []
    since = stream.time
    after = stream.show(board(1), 3)
    assert len(looks(after)) == 1 and looks(after)[0] - since <= 0.5
    assert next(sight.look for sight in after if sight.look).pressed


def test_a_press_on_a_calm_board_looks_at_once() -> None:
    stream = Stream()
    stream.show(board(1), 4)
    stream.eye.press()
    shown = stream.show(board(1), 3)
    assert looks(shown) == [shown[0].time]
    look = shown[0].look
    assert look is not None and look.pressed and look.place is not None


def test_again_looks_once_more_when_it_has_been_calm_for_longer() -> None:
    stream = Stream()
    [at] = looks(stream.show(board(1), 2))
    stream.eye.again(5.0)
    later = looks(stream.show(board(1), 10))
    assert len(later) == 1 and 4.4 <= later[0] - at <= 5.8


def test_again_is_off_when_something_happens_before() -> None:
    stream = Stream()
    stream.show(board(1), 2)
    stream.eye.again(5.0)
    stream.show(board(1, HAND), 1)
    assert len(looks(stream.show(board(1), 10))) == 1  # that of the disturbance


def lamp(picture: Pixels, gains: tuple[float, float, float]) -> Pixels:
    return np.clip(picture * np.array(gains), 0, 255).astype(np.uint8)


def test_a_lamp_is_at_most_one_disturbance() -> None:
    stream = Stream()
    dim = lamp(board(2), (0.45, 0.45, 0.45))
    stream.show(dim, 3)
    lit = stream.show(lamp(board(2), (0.7, 0.85, 1.0)), 6)
    assert len(looks(lit)) <= 1 and "hand" not in states(lit)
    assert lit[-1].state == "calm"


def test_light_that_drifts_and_shadows_that_pass_are_no_motion() -> None:
    stream = Stream()
    stream.show(board(2), 3)
    across = np.arange(SIZE[0])[None, :, None]
    seen = []
    for step in range(50):
        middle = -300 + 1400 * step / 50
        shade = 1 - 0.4 * np.exp(-(((across - middle) / 150) ** 2))
        seen += stream.show(np.clip(board(2) * shade * (1 - 0.004 * step), 0, 255).astype(np.uint8))
    assert looks(seen) == [] and states(seen) == {"calm"}


def shifted(picture: Pixels, right: float, down: float) -> Pixels:
    matrix = np.array([[1, 0, right], [0, 1, down]], float)
    return cv2.warpAffine(picture, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE)


def test_a_stand_that_wobbles_is_no_motion_and_is_told() -> None:
    stream = Stream(rate=10)
    seen = []
    for k in range(80):
        t = k / 10
        seen += stream.show(shifted(board(2), 2 * np.sin(9 * t), 1.5 * np.sin(5 * t + 1)))
    assert len(looks(seen)) == 1 and states(seen[25:]) == {"calm"}
    steady = {item.code: item for sight in seen if sight.advice for item in sight.advice.items}["steady"]
    assert 0.01 < steady.value < 0.1
    after = stream.show(board(2), 8)
    still = [item.value for sight in after if sight.advice for item in sight.advice.items if item.code == "steady"][-1]
    assert still < steady.value / 2


@pytest.mark.parametrize("right", [0.4, 1.6])
def test_a_bumped_camera_is_found_again_within_two_seconds(right: float) -> None:
    stream = Stream(Eye(LearnedLocator(), place(), CALM))
    stream.show(board(2), 3)
    moved = camera(right=right, roll=2.5)
    stream.show(shifted(board(2), 40, 25))
    rest = stream.time
    after = stream.show(board(2, None, moved), 4)
    bumped = [sight for sight in after if sight.bumped]
    assert len(bumped) == 1 and bumped[0].time - rest <= 2.0
    assert error(after[-1].place, scene(2, None, moved).corners) < 0.1
    assert len(looks(after)) == 1


def test_the_corners_keep_their_order_when_the_camera_is_bumped() -> None:
    first = Place(scene(2).corners.turned(1), SIZE, oriented=True)
    stream = Stream(Eye(LearnedLocator(), first, CALM))
    stream.show(board(2), 2)
    moved = camera(right=0.5)
    found = stream.show(board(2, None, moved), 3)[-1].place
    assert found is not None and found.oriented
    truth = Homography.from_corners(scene(2, None, moved).corners.turned(1)).matrix
    assert moved_by(truth, Homography.from_corners(found.corners).matrix) < 0.1


def table() -> Pixels:
    """The table without a board: a piece of it, enlarged."""
    return cv2.resize(board(2)[5:45, 5:45], SIZE, interpolation=cv2.INTER_CUBIC)


def test_a_board_that_is_carried_away_is_searched_for_and_found_again() -> None:
    stream = Stream(Eye(LearnedLocator(), calm=CALM), rate=4)
    stream.show(board(2), 3)
    gone = stream.show(table(), 5)
    assert looks(gone) == []
    assert gone[-1].state == "searching" and gone[-1].place is None
    back = stream.show(board(3, None, camera(roll=91.5)), 5)
    assert error(back[-1].place, scene(3, None, camera(roll=91.5)).corners) < 0.1
    assert len(looks(back)) == 1 and [sight.bumped for sight in back].count(True) == 1


def test_a_dark_frame_says_so_and_what_comes_after_is_looked_at() -> None:
    stream = Stream()
    stream.show(board(2), 3)
    dark = stream.show(np.full((SIZE[1], SIZE[0], 3), 6, np.uint8), 4)
    assert states(dark) == {"dark"} and looks(dark) == []
    assert len(looks(stream.show(board(3), 4))) == 1


def test_frames_of_another_size_begin_anew() -> None:
    stream = Stream(Eye(LearnedLocator(), calm=CALM))
    stream.show(board(2), 3)
    tall = cv2.copyMakeBorder(board(2), 0, 100, 0, 0, cv2.BORDER_REPLICATE)
    turned = np.ascontiguousarray(np.rot90(tall))
    sights = stream.show(turned, 4)
    assert sights[0].size == (800, 800)
    assert len(looks(sights)) == 1
    points = scene(2).corners.array
    truth = Corners.of(np.stack([points[:, 1], 799 - points[:, 0]], axis=-1))
    assert error(sights[-1].place, truth) < 0.1


def test_a_known_place_serves_frames_of_another_size_of_the_same_shape() -> None:
    class Nowhere(BoardLocator):
        def locate(self, photo: Photo) -> Location:
            return Location(None, reason="no-board")

    half = Place(scene(2).corners.scaled(0.5), (400, 350))
    stream = Stream(Eye(Nowhere(), half, CALM))
    sights = stream.show(board(2), 3)
    assert len(looks(sights)) == 1 and error(sights[-1].place, scene(2).corners) < 0.1
    # another shape tells nothing
    other = Stream(Eye(Nowhere(), replace(half, size=(400, 300)), CALM))
    assert states(other.show(board(2), 3)) == {"searching"}


def test_times_may_be_uneven_have_gaps_and_go_back() -> None:
    stream = Stream()
    steps = iter([0.05, 0.4, 0.1, 0.9, 0.03, 0.3, 0.2] * 10)

    def show(picture: Pixels, seconds: float) -> Iterator[Sight]:
        end = stream.time + seconds
        while stream.time < end:
            yield from stream.show(picture)
            stream.time += next(steps) - 1 / stream.rate

    assert len(looks(list(show(board(0), 4)))) == 1
    stream.time += 60  # the source stalled; the board is as before
    assert looks(list(show(board(0), 3))) == []
    stream.time -= 30
    assert looks(list(show(board(0), 3))) == []
    stream.time += 60
    assert looks(list(show(board(1, HAND), 3))) == []
    assert len(looks(list(show(board(1), 4)))) == 1


def test_two_frames_alike_do_not_vouch_for_a_long_gap() -> None:
    stream = Stream(rate=0.1)
    sights = stream.show(board(0), 40)
    assert [sight.calm_for for sight in sights] == [0.0, 1.0, 2.0, 3.0]


def test_the_same_frames_give_the_same_sights() -> None:
    both = []
    for _ in range(2):
        stream = Stream()
        stream.show(board(0), 2)
        stream.show(board(1, HAND), 1)
        stream.show(board(1), 3)
        both.append(stream.sights)
    for one, other in zip(*both, strict=True):
        assert replace(one, look=None) == replace(other, look=None)
        if one.look is not None:
            assert other.look is not None and np.array_equal(one.look.pixels, other.look.pixels)


def test_advice_comes_about_once_a_second() -> None:
    stream = Stream(rate=10)
    advised = [sight for sight in stream.show(board(2), 6) if sight.advice]
    assert 5 <= len(advised) <= 7
    assert {item.code for item in advised[-1].advice.items} >= {"in-view", "sharp", "steady"}  # type: ignore[union-attr]


def test_a_frame_is_left_as_it_is() -> None:
    eye, frame = Eye(place=place(), calm=CALM), board(2).copy()
    for k in range(12):
        eye.see(frame, k / 5)
    assert np.array_equal(frame, board(2))


def test_a_look_knows_from_where_the_hand_came() -> None:
    stream = Stream()
    (before,) = [sight.look for sight in stream.show(board(2), 3) if sight.look is not None]
    assert before.reach is None
    for hand in (FAR_HAND, HAND, FAR_HAND):
        stream.show(board(2, hand), 0.5)
    (after,) = [sight.look for sight in stream.show(board(3), 3) if sight.look is not None]
    assert after.reach is not None and 10 < after.reach < 80  # from the lower right
    stream.eye.again(0.5)
    (again,) = [sight.look for sight in stream.show(board(3), 1) if sight.look is not None]
    assert again.reach == after.reach
