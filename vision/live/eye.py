"""The eye: watches the frames of a camera that stands still, and says when the position on the board is worth reading.

    eye = Eye()
    for frame in source.frames():
        sight = eye.see(frame.pixels, frame.time)
        if sight.look is not None:
            ...                             # read sight.look.pixels at sight.look.place

It knows nothing of tiles and words. It looks once after every disturbance, when nothing has moved over the board for a
while and nothing lies over it that is no tile; what changed, and whether the move is finished, is for others to tell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.live.covering import Mask, lines_seen
from vision.live.fuse import board_part, fused, sharpness
from vision.live.motion import brightest, shrunk
from vision.live.place import checked, distance, fitting, searched
from vision.live.reach import Reach
from vision.live.scene import NEW_SCENE, Scene
from vision.live.sight import Look, Place, Sight, State, ViewAdvice
from vision.live.view import assess_view
from vision.locate_learned import LearnedLocator
from vision.locate_pose import STEADY
from vision.locator import BoardLocator
from vision.pixels import Pixels

CALM = 2.0
"""Seconds for which nothing must move over the board. Players who lay in several goes are away for less, mostly; with
1.5 four rendered games had three positions read that were no moves, with 2.0 one."""

REST = 0.4
"""Seconds of calm after which the board's place is checked: a bumped camera has come to rest."""

PRESSED_CALM = 0.3
"""Seconds of calm after which a position is looked at that a player says is finished."""

MOST_STEP = 1.0
"""Seconds of calm that two frames alike can vouch for, however far apart they are."""

SEARCH_EVERY, SEARCH_RARELY = 0.7, 4.0
"""Seconds between searches for the board: at first after something moved, and in the end when nothing does."""

QUICK = frozenset({"looks", "lens", "tops"})
"""Parts of the learned locator for most searches. They find nearly every board in 0.1 seconds and see in a hundredth
that there is none; all parts take up to a second for that."""

THOROUGH_EVERY = 4
"""Of so many searches in a picture that stands still, one uses all parts."""

CHECK_EVERY, CHECK_CREEP = 10.0, 2.0
"""Seconds after which the place is checked while nothing happens (a stand may sag), and while the picture creeps."""

CREPT = 0.12
"""Squares that the picture may drift before the place is checked at once."""

LOST = 2.0
"""Seconds for which the board must not be found, with another picture at its place, until its place is forgotten."""

STUBBORN = 30.0
"""Seconds after which what lies over the board and does not move is read all the same; it may be there to stay."""

DOUBTFUL = 6.0
"""Seconds after which what may be a thing with its shadow, but hides few lines of the grid, is taken for light."""

KEPT = 3
"""Full frames of which a look's picture is made."""

COLLECT = 0.8
"""Seconds before a look from which on frames are kept for it."""

ALIKE = 0.8
"""Share of the sharpest frame's detail that another one must have to be averaged with it."""

DARK = 40
"""Grey level of the brightest 1 % of a frame below which nothing can be seen (as `vision.quality.TOO_DARK`)."""

STIR, STIRRED = 25, 0.02
"""Levels of a pixel, and share of such pixels, from which on a frame without a known board counts as changed."""

LINES_EVERY = 0.7
"""Seconds after which it is looked again whether a thing that lies still hides lines of the grid."""

REACH_EVERY = 0.2
"""Seconds between two looks at where a hand comes from."""

ADVISE_EVERY = 1.0
"""Seconds between measurements of the view."""


@dataclass(frozen=True)
class _Kept:
    """A frame kept for a look."""

    pixels: Pixels
    time: float
    sharpness: float


class Eye:
    """Sees the frames of one camera in order of their time, at any rate.

    locator: finds a board of which no place is known; None: `vision.locate_learned.LearnedLocator`
    place: where the board is, if known (a camera's profile); for frames of its size or of the same shape
    calm: seconds for which nothing must move over the board until it is looked at

    Keeps a few full frames at most; the same frames give the same sights.
    """

    def __init__(self, locator: BoardLocator | None = None, place: Place | None = None, calm: float = CALM) -> None:
        self._locator = locator
        self._calm = calm
        self._known = place
        self._size: tuple[int, int] | None = None
        self._time = 0.0
        self._scene = Scene()
        self._pressed = False
        self._again: float | None = None
        """Seconds of calm at which to look again."""
        self._disturbed = True
        """Whether something happened since the last look."""
        self._reach, self._next_reach = Reach(), -np.inf
        self._calm_for = 0.0
        self._kept: list[_Kept] = []
        self._place: Place | None = None
        self._last: Place | None = None
        """Where the board was last, for the order of its corners."""
        self._seen = False
        """Whether the board was found since the disturbance, with its lines where its place says."""
        self._gone = False
        """Whether it was not, and another picture is there."""
        self._tiny: NDArray[np.int16] | None = None
        """The frame before, very small, while no board is known."""
        self._next_search, self._search_pause, self._searches = 0.0, SEARCH_EVERY, 0
        self._last_check = self._next_try = self._next_lines = -np.inf
        self._lines: Mask | None = None
        """Which lines of the grid are seen since the disturbance, where that mattered."""
        self._next_advice = 0.0

    def press(self) -> None:
        """A player says that the move is made: look as soon as nothing is over the board."""
        self._pressed = True

    def again(self, seconds: float) -> None:
        """Look once more when the position has been calm for so much longer, if nothing disturbs it before."""
        self._again = self._calm_for + seconds

    def see(self, pixels: Pixels, time: float) -> Sight:
        """What a frame shows; pixels: (h, w, 3) uint8 BGR, not changed and not kept but as a copy.

        time: seconds by the source's clock; a frame that is older than the one before counts as taken at its time
        """
        size = (int(pixels.shape[1]), int(pixels.shape[0]))
        if size != self._size:
            self._begin(size, time)
        step = float(np.clip(time - self._time, 0.0, MOST_STEP))
        self._time = max(time, self._time)
        small = shrunk(pixels)
        if np.percentile(brightest(np.ascontiguousarray(small[::4, ::4])), 99) < DARK:
            self._disturb()
            return Sight(time, size, "dark", self._place)
        bumped = self._find(pixels, small) if self._place is None else False
        state: State = "searching"
        look = None
        if self._place is not None:
            moving = self._scene.see(small, step, not self._disturbed)
            if moving:
                self._disturb()
            else:
                self._calm_for += step
                bumped = self._checked_place(pixels, small) or bumped
            if self._place is not None:
                state = "moving" if moving else self._state(pixels)
                self._watch_reach(state)
                if state in ("settling", "calm") or self._calm_for >= STUBBORN:
                    look = self._look(pixels, state)
                    state = "calm" if state == "settling" and not self._disturbed else state
        if state == "calm":
            self._scene.absorb(self._time)
        advice = None if state == "moving" else self._advice(pixels)
        return Sight(time, size, state, self._place, bumped, self._calm_for, look, advice)

    def _begin(self, size: tuple[int, int], time: float) -> None:
        """Forgets everything: frames of another size may be of anything."""
        known = fitting(self._known, size) if self._known is not None and self._size is None else None
        self._size, self._time = size, time
        self._scene = Scene()
        self._place = self._last = self._tiny = None
        self._next_search, self._search_pause, self._searches = time, SEARCH_EVERY, 0
        self._last_check = -np.inf
        self._next_advice = time
        self._disturb()
        if known is not None:
            self._lay(known)

    def _disturb(self) -> None:
        """Something happened: the position has to be looked at anew."""
        if not self._disturbed:
            self._reach = Reach()
        self._disturbed = True
        self._calm_for = 0.0
        self._again, self._kept = None, []
        self._seen = self._gone = False
        self._next_try = self._next_lines = -np.inf
        self._lines = None

    def _lay(self, place: Place) -> None:
        """The board lies there from now on."""
        self._place = self._last = place
        self._scene.lie_at(place)

    # Where the board is

    def _find(self, pixels: Pixels, small: Pixels) -> bool:
        """Searches for a board of which no place is known, when it is time to; True when it was found elsewhere than
        before."""
        tiny = small[::4, ::4].astype(np.int16)
        stirred = self._tiny is None or float((np.abs(tiny - self._tiny).max(axis=-1) > STIR).mean()) > STIRRED
        self._tiny = tiny
        if stirred:
            self._search_pause, self._searches = SEARCH_EVERY, 0
            self._next_search = min(self._next_search, self._time + SEARCH_EVERY)
        if self._time < self._next_search:
            return False
        self._next_search = self._time + self._search_pause
        self._search_pause = min(2 * self._search_pause, SEARCH_RARELY)
        self._searches += 1
        before = self._last
        found = searched(pixels, before, self._finder(self._searches % THOROUGH_EVERY == 0))
        if found is None:
            return False
        self._scene.forget()
        self._lay(found)
        self._disturb()
        self._seen, self._last_check = True, self._time
        return before is not None and distance(before, found) > STEADY

    def _checked_place(self, pixels: Pixels, small: Pixels) -> bool:
        """Checks the place when it is time to; True when the board is elsewhere now."""
        if self._calm_for < REST:
            return False
        if self._disturbed:
            due = not self._seen and self._time >= self._next_try
        else:
            pause = CHECK_CREEP if self._scene.drift > CREPT else CHECK_EVERY
            due = self._time >= self._last_check + pause
        return due and self._check(pixels, small)

    def _check(self, pixels: Pixels, small: Pixels) -> bool:
        """Looks where the board is now that nothing moves; True when it is elsewhere."""
        assert self._place is not None
        self._last_check, self._next_try = self._time, self._time + SEARCH_EVERY
        before, differs = self._place, self._scene.differs()
        found = checked(pixels, before)
        if found is None and (differs is None or differs > NEW_SCENE / 2):
            found = searched(pixels, before, self._finder(self._calm_for > LOST / 2))
        if found is None:
            self._gone = differs is None or differs > NEW_SCENE
            if self._gone and self._calm_for >= LOST:
                self._place = None
                self._disturb()
                self._next_search, self._search_pause, self._searches = self._time + SEARCH_EVERY, SEARCH_EVERY, 0
            return False
        self._seen, self._gone = True, False
        moved = found is not before
        if moved or self._scene.drift > CREPT:
            calm_for = self._calm_for
            if moved and not self._disturbed:
                self._disturb()
                self._seen = True
            self._lay(found)
            self._lines = None
            self._scene.see(small, 0.0, False)
            self._calm_for = calm_for
        return moved

    def _finder(self, thorough: bool) -> BoardLocator:
        """What searches for the board; thorough: with all that it can do, which may take a second."""
        if self._locator is None:
            self._locator = LearnedLocator()
        if thorough or not isinstance(self._locator, LearnedLocator):
            return self._locator
        return replace(self._locator, parts=self._locator.parts & QUICK)

    # When to look

    def _watch_reach(self, state: State) -> None:
        """Notices from where something reaches over the board, some times a second."""
        if state not in ("moving", "hand") or self._time < self._next_reach:
            return
        assert self._place is not None
        self._next_reach = self._time + REACH_EVERY
        self._reach.add(self._scene.things(), self._scene.window.valid, self._place)

    def _state(self, pixels: Pixels) -> State:
        """What a frame is in which nothing moves."""
        if not self._disturbed:
            return "hand" if self._scene.remembers_covered else "calm"
        doubt = self._calm_for < DOUBTFUL
        if not self._scene.covered(self._lines, doubt):
            return "settling"
        assert self._place is not None
        if self._calm_for >= REST and self._time >= self._next_lines:
            # what seems to be a hand may be light, or the place where one lay: the grid's own lines tell
            self._next_lines = self._time + LINES_EVERY
            self._lines = lines_seen(pixels, self._place)
            return "hand" if self._scene.covered(self._lines, doubt) else "settling"
        return "hand"

    def _look(self, pixels: Pixels, state: State) -> Look | None:
        """The picture to be read, when it is time to; until then the sharpest frames are kept for it."""
        if self._pressed:
            due = PRESSED_CALM
        elif self._disturbed:
            due = STUBBORN if state == "hand" else self._calm
        elif self._again is not None:
            due = self._again
        else:
            return None
        if self._gone:
            return None
        if self._calm_for >= due - COLLECT:
            self._keep(pixels)
        if self._calm_for < due:
            return None
        if self._disturbed:
            assert self._place is not None
            self._scene.remember(lines_seen(pixels, self._place), covered=state == "hand")
        best = [one for one in self._kept if one.sharpness >= ALIKE * self._kept[0].sharpness]
        picture = fused([one.pixels for one in best], board_part(self._place, pixels))
        look = Look(picture, best[0].time, self._calm_for, self._pressed, self._place, self._reach.degrees)
        self._disturbed, self._pressed, self._again, self._kept = False, False, None, []
        return look

    def _keep(self, pixels: Pixels) -> None:
        """Keeps a frame if it is one of the sharpest, sharpest first."""
        one = sharpness(pixels, board_part(self._place, pixels))
        if len(self._kept) < KEPT or one > self._kept[-1].sharpness:
            self._kept = self._kept[: KEPT - 1]
            self._kept.append(_Kept(pixels.copy(), self._time, one))
            self._kept.sort(key=lambda kept: -kept.sharpness)

    def _advice(self, pixels: Pixels) -> ViewAdvice | None:
        if self._time < self._next_advice:
            return None
        self._next_advice = self._time + ADVISE_EVERY
        return assess_view(pixels, self._place, self._scene.shaking if self._place is not None else None)
