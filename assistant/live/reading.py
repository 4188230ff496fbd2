"""A look at the board, read: as the bytes that are kept of it, and with the board looked for where it lay."""

from __future__ import annotations

from dataclasses import replace

import cv2

from scorer.tiles import TileSet
from vision.board_net import BoardNet
from vision.live.sight import Place
from vision.locate_learned import LearnedLocator
from vision.locate_pose import KnownPose
from vision.locator import BoardLocator
from vision.observe import Observation, observe_bytes
from vision.pixels import Pixels
from vision.reading import TileReader

READ_QUALITY = 95
"""Of the JPEG of a picture that is read, and kept with the move."""


def as_photo(pixels: Pixels, quality: int = READ_QUALITY) -> bytes:
    """A frame as the file that is sent or kept of it, JPEG."""
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def locator_of(place: Place | None, net: BoardNet) -> BoardLocator:
    """Looks at the known place first, where there is one."""
    search = LearnedLocator(net)
    if place is None:
        return search
    return KnownPose(place.corners, place.size, search, place.lens_k, place.oriented)


def read_look(data: bytes, place: Place | None, reader: TileReader, tile_set: TileSet, net: BoardNet) -> Observation:
    """What a look shows, without its pixels; never raises for a bad picture."""
    return replace(observe_bytes(data, "look", locator_of(place, net), reader, tile_set), photo=None)
