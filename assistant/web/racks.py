"""The tiles that somebody has left, read from a photo of the row; a proposal for the field, nothing is kept of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.table.history import Shares
from assistant.table.session import Table
from assistant.texts import Texts
from assistant.web.errors import WebError
from assistant.web.worker import PhotoWorker
from scorer.accounting import unseen
from scorer.tiles import TileSet

if TYPE_CHECKING:
    from vision.rack import RackReading


async def rack_answer(
    worker: PhotoWorker, photo: Path, fields: Mapping[str, str], table: Table, texts: Texts
) -> dict[str, Any]:
    """What the page shows of a photo: tiles, the places of those to look at, and what else to say.

    fields: corners, four points of the row as shares of width and height in JSON; count, how many tiles there are
    PhotoError for a photo or corners that show no row, WebError for fields that cannot be.
    """
    state, tile_set = table.state.state, table.setup.tile_set
    left = unseen(state.board, tile_set)
    corners, count = _corners(fields.get("corners", "")), _count(fields.get("count", ""))
    reading = await worker.run(read_rack_file, photo, corners, count, tile_set, left)
    said = []
    if not reading.turn_sure:
        said.append(texts("web.rack-turn"))
    if not reading.count_sure:
        said.append(texts("web.rack-count", count=len(reading.tiles)))
    return {"tiles": reading.letters, "doubtful": list(reading.doubtful), "texts": said}


def read_rack_file(
    photo: Path, corners: Shares, count: int | None, tile_set: TileSet, left: Mapping[str, int]
) -> RackReading:
    """The job for the process that reads photos; see ``vision.rack.read_rack``."""
    from assistant.web.worker import own_reader
    from vision.geometry import Corners
    from vision.photo import LARGER_SIDE, decode, photo_bytes
    from vision.rack import read_rack

    picture = decode(photo_bytes(photo), str(photo), LARGER_SIDE)
    points = Corners.of([(x * picture.width, y * picture.height) for x, y in corners])
    return read_rack(picture, points, own_reader(), tile_set, count, left)


def _corners(text: str) -> Shares:
    wrong = WebError("corners are four points of the photo", code="bad-rack-corners")
    try:
        points = tuple((float(x), float(y)) for x, y in json.loads(text))
    except (ValueError, TypeError, RecursionError) as error:
        raise wrong from error
    if len(points) != 4 or not all(math.isfinite(value) and -0.5 <= value <= 1.5 for one in points for value in one):
        raise wrong
    return points


def _count(text: str) -> int | None:
    """How many tiles there are; None for none that a rack holds: then the photo tells."""
    from vision.rack import MOST_TILES

    return int(text) if text.isdecimal() and text.isascii() and 1 <= int(text[:3]) <= MOST_TILES else None
