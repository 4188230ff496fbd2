"""The whole way of one photo: decode, locate, rectify, read."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from scorer.board import Square
from scorer.tiles import TileSet
from vision.depth import read_at_depth
from vision.errors import PhotoError
from vision.evidence import doubt_excess, settle_blanks
from vision.geometry import SIZE, Corners, Homography
from vision.locator import BoardLocator
from vision.nudge import Nudge
from vision.photo import LARGER_SIDE, Photo, decode, digest, photo_bytes, taken
from vision.print_turn import with_print
from vision.quality import Finding, assess, burnt_out, poor_photo
from vision.reading import EMPTY, BoardReading, TileReader
from vision.rectify import BoardImage, rectify
from vision.turn import TurnEvidence, turned_squares


@dataclass(frozen=True)
class Observation:
    """What one photo shows.

    name: the photo as it was named by the caller
    reason: stable code why there is no reading (None when there is one)
    corners: of the grid in reading order, pixels of the full upright photo
    seconds: time of each stage; the stages do not overlap
    warnings: stable codes
    findings: what makes the photo hard to read, and where; their codes are among the warnings
    error: what stood in the way of decoding, for a message to people
    evidence: what is known of the side that is up, counted from `corners`; None when the locator knew
    turns: the readings in the four turns counted from `corners`, only where tiles lie and the turn is not sure
    lens_k: bend of the lens (`vision.geometry.Lens`), 0 where it does not matter
    nudges: tiles that were pushed off their squares, where the position they lay in is known (`vision.nudge`)
    board: the flat board in the turn of `reading`, from which crops are cut; about a megabyte
    taken: when, by the camera's clock (`vision.photo.Photo`); None when the file does not say
    digest: SHA-256 of the file, hexadecimal; also of one that is no photo, empty when it could not be read at all
    lifted: whether the tiles were read on the plane of their tops (`vision.depth`), where `board` does not show them
    size: width and height of the full upright photo, pixels; None where it could not be decoded
    """

    name: str
    reason: str | None = None
    corners: Corners | None = None
    reading: BoardReading | None = None
    photo: Photo | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    error: PhotoError | None = None
    evidence: TurnEvidence | None = None
    turns: tuple[BoardReading, ...] = ()
    lens_k: float = 0.0
    board: BoardImage | None = None
    nudges: tuple[Nudge, ...] = ()
    taken: datetime | None = None
    digest: str = ""
    lifted: bool = False
    size: tuple[int, int] | None = None

    @property
    def found(self) -> bool:
        return self.reading is not None


class _Stopwatch:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._last
        self._last = now

    def include(self, seconds: Mapping[str, float]) -> None:
        """Adds stages that another watch has timed since the last lap."""
        for stage, value in seconds.items():
            self.seconds[stage] = self.seconds.get(stage, 0.0) + value
        self._last = time.perf_counter()


def observe(path: str | Path, locator: BoardLocator, reader: TileReader, tile_set: TileSet) -> Observation:
    """Reads one photo file; never raises for a bad photo: the Observation says what is wrong."""
    watch = _Stopwatch()
    try:
        data = photo_bytes(path)
    except PhotoError as error:
        watch.lap("decode")
        return Observation(str(path), reason=error.code, error=error, seconds=watch.seconds)
    watch.lap("decode")
    seen = observe_bytes(data, str(path), locator, reader, tile_set)
    watch.include(seen.seconds)
    return replace(seen, seconds=watch.seconds)


def observe_bytes(data: bytes, name: str, locator: BoardLocator, reader: TileReader, tile_set: TileSet) -> Observation:
    """Reads a photo from the bytes of its file, as ``observe``."""
    watch = _Stopwatch()
    try:
        photo = decode(data, name)
    except PhotoError as error:
        watch.lap("decode")
        seen = Observation(name, reason=error.code, error=error, seconds=watch.seconds)
        return replace(seen, taken=taken(data), digest=digest(data))
    watch.lap("decode")
    seen = observe_photo(photo, locator, reader, tile_set)
    if photo.scale < ENOUGH_SCALE and not _large_enough(seen):
        larger = decode(data, name, LARGER_SIDE)
        watch.lap("decode")
        watch.include(seen.seconds)
        seen = observe_photo(larger, locator, reader, tile_set)
    watch.include(seen.seconds)
    return replace(seen, name=name, seconds=watch.seconds)


ENOUGH_SCALE = 0.75
"""A photo decoded at more than this share of its size is not decoded larger."""

ENOUGH_PIXELS = 22
"""Side of a square below which a photo is decoded larger if it can be; letters are read without loss down to 20."""


def _large_enough(seen: Observation) -> bool:
    if seen.corners is None or seen.photo is None:
        return False
    return Homography.from_corners(seen.corners.scaled(seen.photo.scale)).square_side() >= ENOUGH_PIXELS


def observe_photo(photo: Photo, locator: BoardLocator, reader: TileReader, tile_set: TileSet) -> Observation:
    """Reads one decoded photo."""
    watch = _Stopwatch()
    location = locator.locate(photo)
    watch.lap("locate")
    warnings = location.warnings
    found = location.corners is not None
    # a grid found in a blur shows an empty board, whatever lies there
    poor = poor_photo(photo) if location.reason == "no-board" or (found and "grid-unsure" in warnings) else None
    if location.corners is None or poor:
        reason = poor or location.reason
        return Observation(
            photo.name,
            reason,
            photo=photo,
            seconds=watch.seconds,
            warnings=warnings,
            taken=photo.taken,
            digest=photo.digest,
            size=(photo.width, photo.height),
        )
    corners = location.corners
    board = rectify(photo.pixels, corners, location.lens)
    watch.lap("rectify")

    def settled(board: BoardImage, reading: BoardReading) -> BoardReading:
        reading = doubt_excess(settle_blanks(board, reading), tile_set)
        everywhere = reading.showing(lambda char: "grid-unsure" in warnings)
        return reading.suspecting(everywhere)

    def at_depth(reading: BoardReading, quarters: int = 0) -> BoardReading:
        turned = corners.turned(quarters)
        return read_at_depth(photo.pixels, turned, reader, tile_set.letters, reading, location.lens)

    evidence: TurnEvidence | None = None
    turns: tuple[BoardReading, ...] = ()
    if location.oriented:
        on_print = reader.read(board, tile_set.letters)
        reading = at_depth(on_print)
        lifted = reading is not on_print
    else:
        turned = reader.read_turned(board, tile_set.letters)
        if not turned.sure:
            turned = with_print(turned, photo.pixels, corners, reader, location.lens)
        on_print, corners, board = turned.reading, corners.turned(turned.quarters), board.turned(turned.quarters)
        reading = at_depth(on_print)
        lifted = reading is not on_print
        evidence = turned.evidence.seen_from(turned.quarters)
        if not turned.sure:
            warnings += ("turn-unsure",)
            if not evidence.bare:
                readings = enumerate(turned.in_all_turns())
                turns = tuple(settled(board.turned(k), at_depth(r, k)) for k, r in readings)
            reading = reading.suspecting(tiles_in_any_turn(reading))
    reading = settled(board, reading)
    findings = assess(board, reading, corners, photo.pixels.shape)
    burnt = burnt_out(board, (s for one in findings if one.code == "glare" for s in one.squares))
    reading = reading.suspecting(burnt)
    turns = tuple(one.suspecting(turned_squares(burnt, k)) for k, one in enumerate(turns))
    warnings += tuple(one.code for one in findings if one.code not in warnings)
    watch.lap("read")
    return Observation(
        photo.name,
        corners=corners.scaled(1 / photo.scale),
        reading=reading,
        photo=photo,
        seconds=watch.seconds,
        warnings=warnings,
        findings=findings,
        evidence=evidence,
        lens_k=location.lens.k if location.lens else 0.0,
        turns=turns,
        board=board,
        taken=photo.taken,
        digest=photo.digest,
        lifted=lifted,
        size=(photo.width, photo.height),
    )


def tiles_in_any_turn(reading: BoardReading) -> frozenset[Square]:
    """Squares that hold a tile if one or another side of the board is up: none of them is sure while that is not."""
    tiles = np.zeros((SIZE, SIZE), bool)
    for square in reading.showing(lambda char: char != EMPTY):
        tiles[square] = True
    anywhere = np.logical_or.reduce([np.rot90(tiles, quarters) for quarters in range(4)])
    return frozenset(Square(int(row), int(col)) for row, col in np.argwhere(anywhere))
