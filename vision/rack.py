"""The tiles left on a rack, read from a photo in which somebody tapped the corners of their row.

The reader reads boards, so the row is laid on the squares of one: seven copies of it, each taken a little differently,
in every other row of a flat picture that has the colour of what lies around the tiles. Two such pictures are read:

1. every seventh of a tile along the row, to find where the tiles lie. A fingertip is less exact than the row is high,
   so the corners hardly tell how fast the tiles become smaller towards the far end, and tiles may lie apart.
2. each tile in its place, a little shifted, smaller and larger: what all seven copies say together counts, so that a
   letter is sure only if it does not hang on how exactly its tile was cut out.

Measured with `models.table.rack` (400 rows, seeds 700000 to 700399: any tiles, racks whose ledge hides their feet, rows
laid apart, views up to 50 degrees, blur, dark rooms), corners off by 0.05 tiles (0.1 tiles) each way, the number of
tiles told: of 1,773 tiles 97.6 % (97.0 %) right, 13.6 % (19.6 %) doubtful, none wrong without a doubt. Tapped from the
other side: 96.6 %, 14.0 %, none; the wrong side taken for sure in 2 rows of 400. Number not told: wrong in 4 rows of
400, sure of it in none of them. Rows cut out of real photos of boards (356 words of three letters and more, 0.05 tiles
off): of 1,624 tiles 99.1 % right, 9.7 % doubtful, one wrong without a doubt (an I read as L on wall art). About 0.4 s a
row on one core, 0.9 s where the number has to be found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.tiles import TileSet
from vision.errors import PhotoError
from vision.geometry import SIZE, Corners
from vision.photo import Photo
from vision.pixels import Pixels
from vision.reading import BLANK, COVERED, EMPTY, TileReader
from vision.rectify import CROP, MARGIN, PIXELS_PER_SQUARE, SIDE, BoardImage

Floats = NDArray[np.float64]

MOST_TILES = 8
"""Tiles of a row at most."""

DOUBT_BELOW = 0.95
"""A tile is doubtful below this probability."""

COPY_ROWS = np.arange(1, SIZE, 2)
"""Rows of the flat board that bear a copy; between them lies half a square of surroundings for each."""

VARIANTS = (
    (0.0, 0.0, 1.0),
    (0.08, 0.0, 1.0),
    (-0.08, 0.0, 1.0),
    (0.0, 0.08, 1.0),
    (0.0, -0.08, 1.0),
    (0.0, 0.0, 0.93),
    (0.0, 0.0, 1.07),
)
"""How a tile is cut out: shift right and down, in tiles, and size."""

STEPS = len(COPY_ROWS)
"""Places a tile at which the row is looked at to find the tiles."""

WINDOW = 2
"""A tile shows one letter that many steps to either side of its middle; a place between two tiles does not."""

FLOOR = 0.05
"""Least probability of a letter at one step: a blurred tile is no gap."""

MAYBE_BLANK = 0.3
"""How much of "no tile" counts as "a blank" when the tiles are looked for: with no board around they look alike."""

WEIGHT = 6.0
"""Of the mean log-probability at a tile's place against how evenly the tiles lie."""

UNEVEN, ENDS = 0.12, 0.2
"""Spread of the distance between neighbours, and of the outer tiles from the tapped ends, in tiles."""

TAPPED, TRUE = 0.2, 0.15
"""Spread of what tapping adds to the perspective along the row, and of that perspective itself: natural logarithm of
how much larger the tiles seem at one end."""

PERSPECTIVES = tuple(np.round(np.arange(-0.6, 0.61, 0.1), 2))
"""Corrections of it that are tried."""

FAR = 0.15
"""A correction beyond which the row is looked at again with it."""

TURN_SURE = float(np.log(20))
"""A row is surely the right way up when that is this much likelier than upside down."""

TILE_FLOOR = float(np.log(0.02))
"""A single tile's say about it is limited: it may stand on its head."""

ALIKE = "HINOSXZ"
"""Letters that are the same upside down."""

SPENT = 0.05
"""Weight of one tile more than there can be: the board, or another tile of the row, may be misread."""

MOST_SCARCE = 4
"""Kinds of which more may be seen than there can be, weighed together at most; in a blurred row there may be many."""

PROPORTION = (0.07, 0.3)
"""Natural logarithm of a row's proportion over its number of tiles, mean and spread: gaps, a ledge that hides the feet
of the tiles, and a view from above or below make rows seem longer."""

PROPORTIONS = (-0.4, 0.8)
"""Range of it in which numbers of tiles are tried."""

FOCAL = 0.8
"""Focal length taken for granted, in diagonals of the picture; in a photo from in front it hardly matters."""

LEAST_AREA = 64.0
"""Square pixels of the smallest row."""

COUNT_SURE = 0.5
"""A number of tiles is sure when its log-likelihood a tile leads by this."""


@dataclass(frozen=True)
class RackTile:
    """One tile.

    char:       a capital, or "?" for a blank
    confidence: probability that it is right
    candidates: all characters down to a probability of 1 in 1000, best first
    doubtful:   whether a person should look at it
    """

    char: str
    confidence: float
    candidates: tuple[tuple[str, float], ...]
    doubtful: bool


@dataclass(frozen=True)
class RackReading:
    """A row of tiles.

    tiles:      from left to right as the letters stand
    corners:    of the row as it was read, in pixels of the full photo: another one than the given may be the first
    turned:     quarters that the row was turned against the given corners; 0: as given
    turn_sure:  whether it is known which side is up; if not, tiles that would be others upside down are doubtful
    count_given, count_sure: whether the number of tiles was told, and whether it is sure; if not, all are doubtful
    """

    tiles: tuple[RackTile, ...]
    corners: Corners
    turned: int
    turn_sure: bool
    count_given: bool
    count_sure: bool

    @property
    def letters(self) -> str:
        """The tiles in one text, as the rules core takes a rack."""
        return "".join(tile.char for tile in self.tiles)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Places of the tiles that a person should look at, from 0."""
        return tuple(place for place, tile in enumerate(self.tiles) if tile.doubtful)


def read_rack(
    photo: Photo,
    corners: Corners,
    reader: TileReader,
    tile_set: TileSet,
    count: int | None = None,
    left: Mapping[str, int] | None = None,
) -> RackReading:
    """Reads the row of tiles between four corners.

    corners: of the row of tiles, in pixels of the full photo: top left, top right, bottom right, bottom left as the
             letters stand. Where they were tapped in another order, or from the other side, that is found out.
    count:   of the tiles, 1 to MOST_TILES; None: as the row's proportion and its letters tell
    left:    how many tiles of each kind can be there, as `scorer.accounting.unseen` says; None: the whole set

    PhotoError when the corners enclose no row; ValueError for another number of tiles.
    """
    if count is not None and not 1 <= count <= MOST_TILES:
        raise ValueError(f"1 to {MOST_TILES} tiles, not {count}")
    tapped = _in_order(corners.scaled(photo.scale))
    proportion = _proportion(tapped, photo.pixels.shape)
    on_end = count != 1 and proportion < (0.7 if count is None else 1.0)
    if on_end:  # a long edge is the upper one
        tapped, proportion = tapped.turned(1), 1 / proportion
    row, count_sure = _found(
        photo.pixels, tapped, reader, tile_set, _counts(proportion) if count is None else {count: 0.0}
    )
    seen = _seen(row, reader, tile_set)

    def turned(quarters: int) -> _Seen:
        there = _found(photo.pixels, tapped.turned(quarters), reader, tile_set, {row.count: 0.0})[0]
        return _seen(there, reader, tile_set)

    turns = {quarters: seen.turns[quarters] for quarters in ((0, 1, 2, 3) if row.count == 1 else (0, 2))}
    turn = max(turns, key=lambda quarters: turns[quarters])
    turn = turn if turns[turn] - turns[0] > TURN_SURE else 0
    seen = turned(turn) if turn else seen
    close = [quarters for quarters in turns if quarters != turn and turns[turn] - turns[quarters] < TURN_SURE]
    ambiguous = np.full(row.count, not count_sure)
    for quarters in close:
        ambiguous |= seen.best != turned(quarters).best[::-1]
    probs = _with_counts(seen.probs, seen.chars, tile_set, left)
    return RackReading(
        tiles=_tiles(probs, seen, ambiguous, tile_set, left),
        corners=tapped.turned(turn).scaled(1 / photo.scale),
        turned=(int(on_end) + turn) % 4,
        turn_sure=not close,
        count_given=count is not None,
        count_sure=count_sure,
    )


# --- where the tiles lie ------------------------------------------------------------------------------------------


def _in_order(corners: Corners) -> Corners:
    """The corners clockwise, the first one first; PhotoError when they are not those of a convex figure."""
    points = corners.array.astype(np.float32)
    hull = cv2.convexHull(points, clockwise=False, returnPoints=False).ravel()  # y points down: seen, it is clockwise
    if len(hull) != 4 or not np.isfinite(points).all() or cv2.contourArea(points[hull]) < LEAST_AREA:
        raise PhotoError(
            "these corners enclose no row of tiles",
            code="bad-row",
            hint="Tap the four corners of the row of tiles again.",
        )
    clockwise = np.roll(hull, -int(np.flatnonzero(hull == 0)[0]))
    return Corners.of(corners.array[clockwise])


def _proportion(corners: Corners, shape: tuple[int, ...]) -> float:
    """How many times as wide as high a rectangle is that a camera sees so (Zhang and He 2007, section 3)."""
    height, width = shape[:2]
    focal = FOCAL * float(np.hypot(height, width))
    to_lens = np.array([[1 / focal, 0, -(width - 1) / 2 / focal], [0, 1 / focal, -(height - 1) / 2 / focal], [0, 0, 1]])
    right, down, _ = (to_lens @ _unit_row(corners)).T
    return float(np.linalg.norm(right) / np.linalg.norm(down))


def _counts(proportion: float) -> dict[int, float]:
    """Numbers of tiles that a row of this proportion may have, with the logarithm of their likelihood."""
    mean, spread = PROPORTION
    long = {count: float(np.log(proportion / count)) for count in range(1, MOST_TILES + 1)}
    nearest = min(long, key=lambda count: abs(long[count]))
    return {
        count: -(((by - mean) / spread) ** 2) / 2
        for count, by in long.items()
        if PROPORTIONS[0] < by < PROPORTIONS[1] or count == nearest
    }


def _unit_row(corners: Corners) -> Floats:
    """3x3, places in the row, 0 to 1 right and down, to pixels."""
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(unit, corners.array.astype(np.float32)), np.float64)


def along(share: NDArray[np.floating] | float, perspective: float) -> Floats:
    """Shares 0 to 1 of a row seen with another perspective along it: the one projective map that keeps both ends.

    perspective: natural logarithm of how much larger things seem at the left end than at the right one, against before;
    those of two maps one after the other add up
    """
    share = np.asarray(share, np.float64)
    return np.asarray(share / (share + (1 - share) * np.exp(perspective)))


@dataclass(frozen=True)
class _Row:
    """A row of tiles in a picture.

    matrix:      3x3, places in the row, 0 to 1, to pixels, by the tapped corners
    count:       of the tiles
    perspective: correction of the corners' perspective along the row, see `along`
    places, widths: (count,) left edge and width of each tile, in tiles along the corrected row
    """

    pixels: Pixels
    matrix: Floats
    count: int
    perspective: float
    places: Floats
    widths: Floats

    @classmethod
    def of(cls, pixels: Pixels, corners: Corners, count: int, perspective: float) -> _Row:
        """Tiles side by side. As `vision.rectify.rectify`: a fine picture is first shrunk by area."""
        matrix = _unit_row(corners)
        edges = np.linalg.norm(np.roll(corners.array, -1, axis=0) - corners.array, axis=1)
        side = max(edges[0], edges[2]) / count
        if side > 1.6 * PIXELS_PER_SQUARE:
            factor = 1.2 * PIXELS_PER_SQUARE / side
            pixels = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
            shift = 0.5 * factor - 0.5
            matrix = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]]) @ matrix
        return cls(pixels, matrix, count, perspective, np.arange(count, dtype=float), np.ones(count))

    @property
    def tapped_perspective(self) -> float:
        """What the corners say: logarithm of how much larger things seem at the left end than at the right one."""
        left, right = (float(self.matrix[2] @ (end, 0.5, 1)) for end in (0, 1))
        return float(np.log(right / left))

    def cut(self, left: float, top: float, width: float, height: float, size: tuple[int, int]) -> Pixels:
        """A part of the row in tiles, as a picture of so many pixels (width, height)."""
        start, end = left / self.count, (left + width) / self.count
        if self.perspective and start > -0.5 and end < 1.5:  # farther out the map may lead beyond the horizon
            start, end = along(np.array([start, end]), self.perspective)
        x, y = (end - start) / size[0], height / size[1]
        matrix = self.matrix @ np.array([[x, 0, start + x / 2], [0, y, top + y / 2], [0, 0, 1]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpPerspective(self.pixels, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


Box = tuple[float, float, float, float]
"""Left, top, width, height of a part of the row, in tiles."""


def _board(row: _Row, copies: Sequence[Sequence[Box]]) -> tuple[BoardImage, NDArray[np.intp]]:
    """Copies of the row on a flat board, one in each of COPY_ROWS, with the columns in which the boxes lie."""
    square, half = PIXELS_PER_SQUARE, PIXELS_PER_SQUARE // 2
    around = [row.cut(-0.5, top, row.count + 1, 0.4, (100, 20)).reshape(-1, 3) for top in (-0.6, 1.2)]
    picture = np.empty((SIDE, SIDE, 3), np.uint8)
    picture[:] = np.median(np.concatenate(around), axis=0)
    first = (SIZE - len(copies[0])) // 2
    for board_row, boxes in zip(COPY_ROWS, copies, strict=True):
        y = MARGIN + board_row * square
        for place, (left, top, width, height) in enumerate(boxes):
            x = MARGIN + (first + place) * square
            before, after = half * (place == 0), half * (place == len(boxes) - 1)
            picture[y - half : y + square + half, x - before : x + square + after] = row.cut(
                left - width * before / square,
                top - height / 2,
                width * (square + before + after) / square,
                2 * height,
                (square + before + after, 2 * square),
            )
    return BoardImage(picture, float(square)), first + np.arange(len(copies[0]))


def _found(
    pixels: Pixels, corners: Corners, reader: TileReader, tile_set: TileSet, counts: Mapping[int, float]
) -> tuple[_Row, bool]:
    """The row with its tiles where they lie, and whether their number is sure.

    counts: the numbers of tiles that are possible, with the logarithm of their likelihood
    """
    rows = {count: _aligned(pixels, corners, reader, tile_set, count) for count in counts}
    scores = {count: score / count + counts[count] for count, (_, score) in rows.items()}
    best = max(scores, key=lambda count: scores[count])
    sure = all(scores[best] - score > COUNT_SURE for count, score in scores.items() if count != best)
    return rows[best][0], sure


def _aligned(pixels: Pixels, corners: Corners, reader: TileReader, tile_set: TileSet, count: int) -> tuple[_Row, float]:
    """The row with so many tiles where they lie, and the log-likelihood of that."""
    row = _Row.of(pixels, corners, count, 0.0)
    tapped = row.tapped_perspective
    row = replace(row, perspective=tapped * TAPPED**2 / (TAPPED**2 + TRUE**2) if count > 1 else 0.0)
    correction, score = 0.0, 0.0
    for _ in range(2):
        row = replace(row, perspective=row.perspective + correction)
        places, correction, score = _fit(_shown(row, reader, tile_set), row, tapped)
        if abs(correction) < FAR:
            break
    edges = count * along(np.linspace(0, 1, count + 1), correction)
    widths = np.diff(edges)
    return replace(row, places=places + (1 - widths) / 2, widths=widths), score


def _shown(row: _Row, reader: TileReader, tile_set: TileSet) -> Floats:
    """(STEPS * (count + 2),) how well each place along the row shows one tile: log-probability, a step apart, the first
    one tile before the row."""
    copies = [[(place - 1 + step / STEPS, 0.0, 1.0, 1.0) for place in range(row.count + 2)] for step in range(STEPS)]
    board, columns = _board(row, copies)
    reading = reader.read(board, tile_set.letters)
    probs = np.exp(reading.log_probs[np.ix_(COPY_ROWS, columns)].astype(np.float64))
    probs = probs.transpose(1, 0, 2).reshape(STEPS * len(columns), -1)
    empty, covered, blank = (reading.index[char] for char in (EMPTY, COVERED, BLANK))
    probs[:, blank] += MAYBE_BLANK * probs[:, empty]
    probs[:, [empty, covered]] = 0
    padded = np.pad(np.log(np.maximum(probs, FLOOR)), ((WINDOW, WINDOW), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * WINDOW + 1, axis=0)
    return np.asarray(windows.mean(axis=-1).max(axis=-1))


def _fit(shown: Floats, row: _Row, tapped: float) -> tuple[Floats, float, float]:
    """Where the tiles lie best: their left edges in tiles, the correction of the perspective, the log-likelihood.

    For each perspective the likeliest chain of places (Viterbi), one for each tile: neighbours lie about as far apart
    as this perspective says, the outer ones about at the ends.
    """
    count, at = row.count, np.arange(len(shown)) / STEPS - 1
    score, apart = WEIGHT * shown, at[None] - at[:, None]
    best: tuple[Floats, float, float] = (np.arange(count, dtype=float), 0.0, -np.inf)
    for correction in PERSPECTIVES if count > 1 else (0.0,):
        even = count * along((np.arange(count) + 0.5) / count, correction) - 0.5
        total = score - ((at - even[0]) / ENDS) ** 2 / 2
        before = []
        for step in np.diff(even):
            ways = total[:, None] - ((apart - step) / UNEVEN) ** 2 / 2
            before.append(ways.argmax(axis=0))
            total = ways.max(axis=0) + score
        if count > 1:
            total = total - ((at - even[-1]) / ENDS) ** 2 / 2
        perspective = row.perspective + correction
        prior = -((perspective / TAPPED) ** 2) / 2 - ((tapped - perspective) / TRUE) ** 2 / 2
        chain = [int(total.argmax())]
        likelihood = float(total[chain[0]] + prior)
        if likelihood > best[2]:
            for way in reversed(before):
                chain.append(int(way[chain[-1]]))
            best = (at[chain[::-1]], float(correction), likelihood)
    return best


# --- what they are ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Seen:
    """What the copies of a row say together.

    probs: (count, len(chars)) probabilities of the tiles; what they lack to 1 is no tile, or an unknown print
    odd:   (count,) tiles that do not surely lie the way up in which they were read, or bear no letter of the set
    turns: (4,) log-likelihood of the turns of the row, counted as in TurnEvidence
    """

    chars: tuple[str, ...]
    probs: Floats
    odd: NDArray[np.bool_]
    turns: Floats

    @property
    def best(self) -> NDArray[np.str_]:
        """(count,) the likeliest characters."""
        return np.array(self.chars)[self.probs.argmax(axis=1)]


def _seen(row: _Row, reader: TileReader, tile_set: TileSet) -> _Seen:
    """Reads the tiles in their places, each in all VARIANTS."""
    copies = [
        [
            (left + width * (right + (1 - size) / 2), down + (1 - size) / 2, width * size, size)
            for left, width in zip(row.places, row.widths, strict=True)
        ]
        for right, down, size in VARIANTS
    ]
    board, columns = _board(row, copies)
    reading = reader.read(board, tile_set.letters)
    squares = np.ix_(COPY_ROWS, columns)
    tiles = [k for k, char in enumerate(reading.classes) if char not in (EMPTY, COVERED)]
    suspects = np.zeros((SIZE, SIZE), bool)
    for square in reading.suspects:
        suspects[square] = True
    return _Seen(
        chars=tuple(reading.classes[k] for k in tiles),
        probs=np.exp(reading.log_probs[squares].astype(np.float64)).mean(axis=0)[:, tiles],
        odd=suspects[squares].mean(axis=0) > 0.5,
        turns=_turns(board, squares, reader, tile_set),
    )


def _turns(board: BoardImage, squares: tuple[NDArray[Any], ...], reader: TileReader, tile_set: TileSet) -> Floats:
    """(4,) log-likelihood of the turns of the copies on these squares, for one copy.

    A reader of boards leans to the turn that it is given, and seven copies would make it sure of that: so single tiles
    are looked at, from all sides.
    """
    said = reader.letter_turns(board.crops()[squares].reshape(-1, CROP, CROP, 3))
    if said is None:
        total = np.array(reader.read_turned(board, tile_set.letters).evidence.tiles)
    else:
        telling, turns = said
        total = (telling[:, None] * np.maximum(turns, TILE_FLOOR)).sum(axis=0)
    return np.asarray(total / len(COPY_ROWS), np.float64)


def _limit(char: str, tile_set: TileSet, left: Mapping[str, int] | None) -> int:
    """How many tiles of a kind there can be."""
    return tile_set.count(char) if left is None else left.get(char, 0)


def _with_counts(probs: Floats, chars: Sequence[str], tile_set: TileSet, left: Mapping[str, int] | None) -> Floats:
    """The probabilities of each tile, given how many of each kind there can be: a tile more has a weight of SPENT.

    Kinds count of which more are expected (the sum of their probabilities) than there can be. That a tile is one
    remains as likely as it was.
    """
    limits = np.array([_limit(char, tile_set, left) for char in chars])
    given = probs.sum(axis=1)
    probs = probs * np.where(limits == 0, SPENT, 1.0)  # no tile of such a kind can be: whatever the others are
    probs *= (given / np.maximum(probs.sum(axis=1), 1e-12))[:, None]
    excess = np.where(limits > 0, probs.sum(axis=0) - limits, 0.0)
    scarce = [int(k) for k in np.argsort(-excess)[:MOST_SCARCE] if excess[k] > 0]
    if not scarce:
        return probs
    others = given - probs[:, scarce].sum(axis=1)

    @cache
    def rest(tile: int, used: tuple[int, ...], but: int) -> float:
        """Weight of all that the tiles from this one on can be but tile `but`, so many of the scarce kinds before."""
        if tile == len(probs):
            return float(SPENT ** sum(max(n - limits[k], 0) for n, k in zip(used, scarce, strict=True)))
        if tile == but:
            return rest(tile + 1, used, but)
        total = others[tile] * rest(tile + 1, used, but)
        for place, k in enumerate(scarce):
            if probs[tile, k] > 1e-3:
                total += probs[tile, k] * rest(tile + 1, _one_more(used, place), but)
        return float(total)

    weighed = probs.copy()
    for tile in range(len(probs)):
        none = (0,) * len(scarce)
        weighed[tile] *= rest(0, none, tile)
        for place, k in enumerate(scarce):
            weighed[tile, k] = probs[tile, k] * rest(0, _one_more(none, place), tile)
        weighed[tile] *= given[tile] / max(weighed[tile].sum(), 1e-12)
    return weighed


def _one_more(used: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*used[:place], used[place] + 1, *used[place + 1 :])


def _tiles(
    probs: Floats, seen: _Seen, ambiguous: NDArray[np.bool_], tile_set: TileSet, left: Mapping[str, int] | None
) -> tuple[RackTile, ...]:
    """The tiles with their doubts; of a kind of which there are more than can be, all are doubtful."""
    best = [seen.chars[k] for k in probs.argmax(axis=1)]
    tiles = []
    for place, char in enumerate(best):
        order = [k for k in np.argsort(-probs[place]) if probs[place, k] >= 1e-3]
        confidence = float(probs[place].max())
        odd = bool(seen.odd[place]) and char not in ALIKE
        excess = best.count(char) > _limit(char, tile_set, left)
        tiles.append(
            RackTile(
                char,
                confidence,
                tuple((seen.chars[k], float(probs[place, k])) for k in order),
                confidence < DOUBT_BELOW or odd or excess or bool(ambiguous[place]),
            )
        )
    return tuple(tiles)
