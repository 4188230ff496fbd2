"""What is said of a frame of a stream: values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.geometry import Corners
from vision.pixels import Pixels

State = Literal["searching", "dark", "moving", "hand", "settling", "calm"]
"""searching: no board is known; dark: nothing can be seen; moving: something moves over the board, or the camera does;
hand: something lies over the board, even if it is still; settling: calm, but not for long enough; calm."""


@dataclass(frozen=True)
class Place:
    """Where the grid lies in the frames of a camera that stands still; see ``vision.locate_pose.KnownPose``.

    corners:  pixels of the full frame
    size:     width and height of the frame for which they are given, pixels
    lens_k:   bend of the lens (``vision.geometry.Lens``)
    oriented: whether the corners are in reading order and the board is never turned
    """

    corners: Corners
    size: tuple[int, int]
    lens_k: float = 0.0
    oriented: bool = False


@dataclass(frozen=True)
class ViewItem:
    """One thing that makes a camera's view good or bad.

    code:  what (``vision.live.view``)
    value: measured, in the unit of the code
    ideal: from which on (or up to which) it is as good as it gets, in the same unit
    share: 0 useless to 1 ideal
    ok:    whether it is good enough to play with
    """

    code: str
    value: float
    ideal: float
    share: float
    ok: bool


@dataclass(frozen=True)
class ViewAdvice:
    """How good a view is, the worst first."""

    items: tuple[ViewItem, ...]

    @property
    def ok(self) -> bool:
        return all(item.ok for item in self.items)


@dataclass(frozen=True)
class Look:
    """A picture that is to be read now.

    pixels:   (h, w, 3) uint8 BGR, full size: the sharpest calm frames, fused
    time:     of the sharpest, seconds by the source's clock
    calm_for: seconds for which the position has been stable
    pressed:  whether a player said that the move is made
    place:    where the board is; None where it has to be searched for
    reach:    from where something reached over the board before, as seen from its middle: degrees in the picture, 0 to
              the right and 90 down; None where nothing did, or where it is not known
    """

    pixels: Pixels
    time: float
    calm_for: float
    pressed: bool = False
    place: Place | None = None
    reach: float | None = None


@dataclass(frozen=True)
class Sight:
    """What one frame showed.

    time:     seconds by the source's clock
    size:     width and height, pixels
    bumped:   the board was found at another place than before, with this frame
    calm_for: seconds, 0 when it is not calm
    look:     what is to be read now
    advice:   how good the view is; only on the frames on which it was measured
    """

    time: float
    size: tuple[int, int]
    state: State
    place: Place | None = None
    bumped: bool = False
    calm_for: float = 0.0
    look: Look | None = None
    advice: ViewAdvice | None = None
