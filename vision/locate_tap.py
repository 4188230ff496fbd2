"""Corners tapped by hand, snapped to the grid beneath them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations

import numpy as np

from vision.board_net import BoardNet
from vision.geometry import Corners, Homography
from vision.locate_learned import candidate
from vision.locator import BoardLocator, Location
from vision.photo import Photo

REACH = 1.5
"""A snapped corner may lie so many squares from where it was tapped: a fingertip covers about one."""


@dataclass(frozen=True)
class TappedCorners(BoardLocator):
    """Corners tapped roughly, in pixels of the full photo and in reading order: the grid's own corners near them.

    Where no grid is sure there, the tapped ones are used as given, with the warning "corners-not-snapped".
    """

    corners: Corners
    net: BoardNet = field(default_factory=BoardNet)

    def locate(self, photo: Photo) -> Location:
        tapped = self.corners.scaled(photo.scale)
        as_given = Location(tapped, quality=1.0, oriented=True, warnings=("corners-not-snapped",))
        rough = Homography.from_corners(tapped)
        found = candidate(self.net, photo.pixels, rough)
        if found is None or not found.sure:
            return as_given
        corners = found.corners.array
        order = min(permutations(range(4)), key=lambda k: float(np.abs(corners[list(k)] - tapped.array).max()))
        snapped = corners[list(order)]
        if np.linalg.norm(snapped - tapped.array, axis=1).max() > REACH * rough.square_side():
            return as_given
        lens = found.lens if found.lens.k else None
        return Location(Corners.of(snapped), found.quality, oriented=True, lens=lens)
