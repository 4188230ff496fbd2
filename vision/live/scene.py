"""What the board looks like when nothing happens, so that what happens can be told."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.live.covering import Mask, covering, lies_there
from vision.live.motion import SIDE, Change, Window, beyond, compare
from vision.live.place import distance
from vision.live.sight import Place
from vision.locate_pose import NEAR
from vision.pixels import Pixels

NEW_SCENE = 0.5
"""Share of the board that must look different for the picture to be another one: no hand covers so much for long."""

ABSORB_AFTER, ABSORB_LEVELS = 3, 20
"""Seconds for which something beside the board must lie still, to so many levels, to belong to the scene."""

MEMORY = 4
"""Calm pictures of the board that are remembered."""

MOST_OFFSET = 8.0
"""Pixels of the shrunk frame that a shaking camera is followed."""

LEARN_CALM, LEARN_NEW = 0.3, 0.8
"""How much of the difference to a new frame the calm picture takes over in a second: after its look, and before."""


@dataclass(frozen=True)
class Memory:
    """What the board looked like when it was calm.

    lines: which of the grid's lines were seen (`vision.live.covering.lines_seen`)
    covered: with a thing on it that would not go
    beside: what lay beside the board is comparable: the camera was not moved since
    """

    patch: Pixels
    lines: Mask
    covered: bool = False
    beside: bool = True


class Scene:
    """The board of one place, as a camera that stands still shows it.

    The *anchor* is the picture of the present calm, in the mean; what differs from it moves. The *memories* are the
    pictures of former calms that were looked at; what differs from all of them in a way that tiles do not is a hand.
    """

    def __init__(self) -> None:
        self._memories: deque[Memory] = deque(maxlen=MEMORY)
        self._place: Place | None = None
        self._noise = 1.0
        self._window: Window | None = None
        self._patch: Pixels | None = None
        self.forget()

    def forget(self) -> None:
        """The picture is of something else from now on."""
        self._memories.clear()

    def lie_at(self, place: Place) -> None:
        """The board lies there from now on; what it looks like is known as before."""
        if self._place is not None and distance(self._place, place) > NEAR:
            self._memories = deque((replace(one, beside=False) for one in self._memories), MEMORY)
        self._place = place
        self._window = Window(place)
        self._anchor: NDArray[np.float32] | None = None
        self._offset = np.zeros(2)
        self._mean_offset = np.zeros(2)
        self._swing = 0.0
        self._second: tuple[float, NDArray[np.int16]] | None = None
        self._still_for = np.zeros((SIDE, SIDE), np.uint8)

    @property
    def window(self) -> Window:
        assert self._window is not None, "lie_at comes first"
        return self._window

    @property
    def patch(self) -> Pixels:
        assert self._patch is not None, "see comes first"
        return self._patch

    @property
    def remembers_covered(self) -> bool:
        """Whether something lay over the board when it was last looked at."""
        return bool(self._memories) and self._memories[-1].covered

    @property
    def drift(self) -> float:
        """Squares by which the picture lies off its place, in the mean of some seconds."""
        return float(np.abs(self.window.squares @ self._mean_offset).max())

    @property
    def shaking(self) -> float:
        """Squares by which the picture swings about its mean place."""
        return self._swing

    def see(self, small: Pixels, step: float, looked: bool) -> bool:
        """Whether something moved over the board since it was calm, or the camera did; then a new calm begins.

        step: seconds since the frame before; looked: the present calm has been looked at
        """
        self._patch = patch = self.window.take(small, self._offset)
        if self._anchor is None:
            self._anchor = patch.astype(np.float32)
            return False
        anchor = self._anchor.astype(np.uint8)
        change = compare(anchor, patch, self.window.valid, self._noise)
        # a shadow that passes has soft edges: when the light is allowed to change over a square, it is no change
        stirred = change.moved()
        if stirred and compare(anchor, patch, self.window.valid, self._noise, fine=True).moved():
            self._anchor = patch.astype(np.float32)
            self._second = None
            return True
        self._follow(change, step)
        rate = np.float32(min(1.0, step * (LEARN_CALM if looked else LEARN_NEW)))
        # what was taken for light must not be motion later, as the last of a hand in the first picture of a new calm
        unlearnt = change.mask & (not stirred or looked)
        self._anchor += np.where(unlearnt[..., None], np.float32(0), rate) * (patch - self._anchor)
        return False

    def _follow(self, change: Change, step: float) -> None:
        """Learns the noise and how the camera shakes from what did not change."""
        self._noise += 0.1 * (min(change.noise, 3 * self._noise + 1) - self._noise)
        shift = self.window.jacobian @ change.shift
        self._offset = np.clip(self._offset + 0.7 * shift, -MOST_OFFSET, MOST_OFFSET)
        rate = min(1.0, step / 2)
        self._mean_offset += rate * (self._offset - self._mean_offset)
        swing = float(np.abs(self.window.squares @ (self._offset - self._mean_offset)).max())
        self._swing += rate * (swing - self._swing)

    def absorb(self, time: float) -> None:
        """What lies still beside the board for some seconds belongs to the scene, so that no tile laid next to it is
        taken for a part of it. To be called while the board is calm and was looked at; works once a second."""
        assert self._anchor is not None
        if self._second is not None and time < self._second[0] + 1.0:
            return
        now = self.patch.astype(np.int16)
        if self._second is not None:
            apart = np.abs(now - self._second[1]).max(axis=-1) > ABSORB_LEVELS
            self._still_for = np.where(apart, 0, np.minimum(self._still_for + 1, ABSORB_AFTER)).astype(np.uint8)
            take = (self._still_for >= ABSORB_AFTER) & (beyond() > 0.25)
            self._anchor[take] = self.patch[take]
            if self._memories:
                self._memories[-1] = replace(self._memories[-1], patch=self._anchor.astype(np.uint8), beside=True)
        self._second = time, now

    def remember(self, lines: Mask, covered: bool) -> None:
        """The present calm was looked at; see `Memory`."""
        assert self._anchor is not None
        if not covered:  # then what differs from it by more than tiles was covered, known or not
            self._memories = deque((one for one in self._memories if not one.covered and not self._things(one)), MEMORY)
        self._memories.append(Memory(self._anchor.astype(np.uint8), lines, covered))

    def differs(self) -> float | None:
        """Share of the board that looks different from what is remembered of it; None when nothing is."""
        shares = [self._since(one).share for one in self._memories]
        return min(shares) if shares else None

    def covered(self, lines: Mask | None, doubt: bool) -> bool:
        """Whether something that is no tile lies over the board, as against all that is remembered of it.

        lines: which of the grid's lines are seen now, where that was measured
        doubt: as in `lies_there`
        """
        for memory in self._memories:
            things = self._things(memory)
            if lines is not None:
                things = [one for one in things if lies_there(one, memory.lines, lines, doubt)]
            if not things:
                return False
        return bool(self._memories)

    def things(self) -> list[Mask]:
        """What seems to lie over the board, as against the last calm picture of it."""
        return self._things(self._memories[-1]) if self._memories else []

    def _things(self, memory: Memory) -> list[Mask]:
        return covering(self._since(memory).mask, self.window.valid, memory.beside)

    def _since(self, memory: Memory) -> Change:
        return compare(memory.patch, self.patch, self.window.valid, self._noise)
