"""Tiles that were pushed off their squares, by a sleeve or a knock: where they lie, and what the photo then says.

A row of tiles pushed by half a square shows half tiles on old and on free squares: the old tiles seem gone and new ones
seem to lie beside them. The position before the photo is known, so it is asked where its letters are now: an old tile
that is not seen as it should be is looked for through grids shifted along both axes. The reader bears a tile that lies
a third of a square off; its letter is seen over a whole range of shifts, and the middle of that range is where the tile
lies. Other tiles tell where tiles in their squares seem to lie, for a grid that is off and for tops of tiles that seem
shifted in a view from the side. Tiles are blocks: none is taken to be pushed onto one that stayed.

Tiles that were pushed little and read well all the same are no matter, and no reader is asked about them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from scorer.board import Board, Direction, Square
from scorer.tiles import is_blank
from vision.reading import BLANK, COVERED, EMPTY, MISREAD, BoardReading, TileReader
from vision.rectify import PIXELS_PER_SQUARE, BoardImage

Floats = NDArray[np.float64]

SEEN = 0.8
"""Probability of its own letter below which an old tile is looked for. One that reads better makes no ghost beside."""

HIDDEN = 0.5
"""Probability of being covered from which a square is not expected to show its tile."""

STEPS = np.arange(-4, 5) / 4
"""Shifts along each axis at which a tile is looked for, in squares; the last ones are the next squares."""

REACH = (0.3, 0.55)
"""Squares off its place up to which a tile is read as if it lay there, and from which it is not read at all."""

CLEAR = 0.9
"""Probability that a letter must reach at some shift to be found again."""

LIKELY = 0.7
"""Probability from which a tile of another letter's push is taken to have been pushed too."""

LEAST, LEAST_ALONE, MOST = 0.2, 0.3, 1.1
"""Squares by which tiles are pushed, at least (a single one, by itself) and at most: less is how tiles lie."""

NEXT = 0.75
"""Squares from which on a tile lies on the next square."""

ALIKE = 0.2
"""Squares by which tiles of one push may seem pushed differently."""

FEWEST, REFERENCES = 3, 12
"""Tiles from which it is known where tiles in their squares seem to lie: at least, and at most looked at elsewhere."""

BAD_PHOTO = 30
"""More old tiles than this, not seen as they should be, were not pushed: the photo is bad."""

RACK = 7
"""Most new tiles that may have been pushed along with old ones."""

GRID_MOVED = 0.6
"""Share of all tiles that are not pushed all alike: then the grid is wrong."""


@dataclass(frozen=True)
class Nudge:
    """Tiles of the position that were pushed together.

    squares: where the position has them, in order
    right, down: how far they were pushed, in squares in reading orientation; one of them is 0
    seen: the board through a grid pushed along with them; holds for these squares and the free ones around them
    """

    squares: tuple[Square, ...]
    right: float
    down: float
    seen: BoardReading = field(repr=False, compare=False)

    @property
    def way(self) -> tuple[int, int]:
        """Rows and columns from a pushed tile's square to the one that it reaches onto."""
        return int(np.sign(self.down)), int(np.sign(self.right))


def find_nudges(
    board: BoardImage, reading: BoardReading, position: Board, reader: TileReader, letters: Collection[str]
) -> tuple[Nudge, ...]:
    """The pushed tiles of a photo; none, and no reader asked, where all old tiles are seen or hidden by a hand.

    board: the flat photo in the turn of `reading`, as it is read there; position: what lies there, as far as known
    reader: looks at single squares through shifted grids (a reader that cannot tells of no push); letters: those that
    can occur
    """
    lost = _lost(reading, position)
    if not any(_lettered(position, square) for square in lost) or len(lost) > BAD_PHOTO:
        return ()
    near = _mates(lost, reading, position)
    others = sorted(_known(reading, position) - near - reading.suspects)
    elsewhere = frozenset(others[:: max(1, len(others) // REFERENCES)][:REFERENCES])
    readings = reader.read_shifted(board, letters, sorted(near | elsewhere), _SHIFTS)
    if readings is None:
        return ()
    nudges = []
    places = _Places(reading, position, lost, near, elsewhere, readings)
    for squares, axis, pushed in _pushes(places):
        shift = places.expected.copy()
        shift[axis] += pushed
        right, down = (round(float(v) * PIXELS_PER_SQUARE) for v in shift)
        around = _around(squares, position)
        for seen in reader.read_shifted(board, letters, sorted(squares | around), [(right, down)]) or ():
            nudges.append(Nudge(tuple(sorted(squares)), pushed * (1 - axis), pushed * axis, seen))
    return tuple(nudges)


def straightened(reading: BoardReading, nudges: Collection[Nudge], position: Board) -> BoardReading:
    """The reading as if the pushed tiles lay in their squares, as far as that is seen.

    A pushed tile's square shows what is seen where the tile lies now. A free square onto which one reaches says nothing
    but that no tile lies there, if that is seen beside the pushed tile. A free square beside pushed tiles on which a
    tile is seen that was pushed with them, a new one, shows that tile and is doubtful.
    """
    log_probs = reading.log_probs.copy()
    suspects = set(reading.suspects)
    nothing = np.full(len(reading.classes), -60.0, np.float32)
    nothing[reading.index[COVERED]] = 0.0
    for nudge in nudges:
        new = _pushed_along(nudge, reading, position)
        for square in (*nudge.squares, *new):
            log_probs[square] = nudge.seen.log_probs[square]
            suspects.discard(square)
        suspects |= new
        for square in nudge.squares:
            if nudge.seen.log_prob(square, position.at(square) or EMPTY) < np.log(0.5):
                log_probs[square] = nothing
        for square in _reached((*nudge.squares, *new), nudge, position) - new:
            char = _tile(reading, square)
            if char not in {None, *_own(nudge, square, position)} and reading.confidence[square] > CLEAR:
                suspects.add(square)  # another tile, clearly there: never lost
                continue
            bare = nudge.seen.log_prob(square, EMPTY) > np.log(CLEAR)
            log_probs[square] = nudge.seen.log_probs[square] if bare else nothing
            suspects.discard(square)
            if not bare and char not in {None, *_own(nudge, square, position)}:
                suspects.add(square)
    return replace(reading, log_probs=log_probs, suspects=frozenset(suspects))


# --- what is missing ----------------------------------------------------------------------------------------------


def _lost(reading: BoardReading, position: Board) -> frozenset[Square]:
    """Old tiles that are not seen as they should be, though nothing covers them."""
    return frozenset(
        square
        for square in _known(reading, position)
        if reading.log_prob(square, position.at(square) or EMPTY) < np.log(SEEN)
        and reading.log_probs[square][reading.index[COVERED]] < np.log(HIDDEN)
    )


def _known(reading: BoardReading, position: Board) -> frozenset[Square]:
    """The old tiles of which a reader can say whether it sees them."""
    return frozenset(square for square, char in position if _class(char) in reading.index)


def _mates(squares: Collection[Square], reading: BoardReading, position: Board) -> frozenset[Square]:
    """The tiles of all words through these."""
    words = (position.run(square, square, way) for square in squares for way in Direction)
    return _known(reading, position).intersection(chain.from_iterable(words))


def _class(char: str) -> str:
    return BLANK if is_blank(char) else char


def _lettered(position: Board, square: Square) -> bool:
    char = position.at(square)
    return char is not None and not is_blank(char)


def _tile(reading: BoardReading, square: Square) -> str | None:
    """The tile that is likely seen on a square, if any."""
    seen = reading.log_probs[square]
    char = reading.classes[int(seen.argmax())]
    return None if char in (EMPTY, COVERED) else char


def _reached(squares: Iterable[Square], nudge: Nudge, position: Board) -> set[Square]:
    """The free squares onto which pushed tiles reach."""
    rows, cols = nudge.way
    next_ones = (Square(square.row + rows, square.col + cols) for square in squares)
    return {square for square in next_ones if square.on_board and position.at(square) is None}


def _own(nudge: Nudge, square: Square, position: Board) -> set[str]:
    """What the pushed tile before a reached square shows on it."""
    rows, cols = nudge.way
    char = position.at(Square(square.row - rows, square.col - cols))
    return set() if char is None else {_class(char)}


def _pushed_along(nudge: Nudge, reading: BoardReading, position: Board) -> set[Square]:
    """Free squares beside pushed tiles whose new tile was pushed with them.

    It is seen clearly through the pushed grid and not through the other one, on this or on the next square. Blanks are
    left out: a part of an empty square may look like one.
    """
    around, open_ = _around(nudge.squares, position), set(nudge.squares)
    found: set[Square] = set()
    while open_:
        for square in around.intersection(open_.pop().neighbours) - found:
            char = _tile(nudge.seen, square)
            if char is None or char == BLANK or nudge.seen.log_prob(square, char) < np.log(CLEAR):
                continue
            if _tile(reading, square) is not None and reading.confidence[square] > CLEAR:
                continue
            rows, cols = nudge.way
            to = Square(square.row + rows, square.col + cols)
            if position.at(to) is not None and (to not in nudge.squares or position.at(to) == char):
                continue  # a tile that stayed is in the way, or the next pushed tile is seen
            clear = max(nudge.seen.log_prob(square, char), np.log(CLEAR))
            if to.on_board and position.at(to) is None and reading.log_prob(to, char) >= clear:
                continue
            found.add(square)
            open_.add(square)
    return found


def _around(squares: Collection[Square], position: Board) -> frozenset[Square]:
    """The free squares up to a rack's length from pushed tiles along their rows and columns."""
    found = set()
    for square in squares:
        for way in Direction:
            for sign in (-1, 1):
                for count in range(1, RACK + 1):
                    at = square.step(way, sign * count)
                    if not at.on_board or position.at(at) is not None:
                        break
                    found.add(at)
    return frozenset(found)


# --- where the tiles lie ------------------------------------------------------------------------------------------


class _Places:
    """Where old tiles lie: the probability of each one's own letter over shifts of the grid along both axes.

    lost: tiles that are looked for; near: those and the others of their words; elsewhere: some others that are seen
    expected: (2,) squares right and down by which tiles in their squares seem shifted
    """

    def __init__(
        self,
        reading: BoardReading,
        position: Board,
        lost: frozenset[Square],
        near: frozenset[Square],
        elsewhere: frozenset[Square],
        readings: Sequence[BoardReading],
    ) -> None:
        """`readings`: of the tiles near and elsewhere, one for each of _SHIFTS."""
        self.reading, self.position, self.lost, self.near, self.elsewhere = reading, position, lost, near, elsewhere
        self._profiles = {s: self._profile(s, readings) for s in self.seen}
        self._lies = {s: np.array([self._fitted(s, axis) for axis in (0, 1)]) for s in self.seen}
        self.expected = np.zeros(2)
        self.expect(self.still(self.near))

    def _profile(self, square: Square, readings: Sequence[BoardReading]) -> Floats:
        """(2, 9) probability of the tile's letter along both axes; at the ends what is read on the next squares."""
        char = self.position.at(square) or EMPTY
        inner = np.exp([one.log_prob(square, char) for one in readings]).reshape(2, -1)
        out = np.zeros((2, len(STEPS)))
        out[:, 1:-1] = inner
        for axis, way in enumerate(Direction):
            for end in (-1, 1):
                to = square.step(way, end)
                out[axis, 0 if end < 0 else -1] = np.exp(self.reading.log_prob(to, char)) if to.on_board else 0.0
        return out

    def _fitted(self, square: Square, axis: int) -> float:
        """Squares along an axis at which a tile would be seen like this: least squares over what a tile shows.

        Towards a tile of the same letter on the next square the look goes half a square far.
        """
        profile, twin = self._profiles[square][axis], self.twin(square, axis)
        looked = np.abs(STEPS) <= (0.5 if twin else 1.0)
        if twin and profile[looked].max() <= CLEAR:
            return 0.0
        places = _LIES[np.abs(_LIES) <= NEXT] if twin else _LIES
        errors = (_shown(places)[:, looked] - profile[looked]) ** 2
        found = float(places[errors.sum(axis=1).argmin()])
        return float(np.sign(found)) if abs(found) > NEXT else found

    def twin(self, square: Square, axis: int) -> bool:
        """Whether a tile of the same letter belongs on the square before or behind."""
        char = self.position.at(square)
        sides = (square.step(tuple(Direction)[axis], step) for step in (-1, 1))
        return any(self.position.at(side) == char for side in sides)

    def expect(self, still: Collection[Square]) -> None:
        """Takes these tiles for such that lie in their squares; too few of them tell nothing."""
        lie = [self._lies[s] for s in still]
        self.expected = np.median(lie, axis=0) if len(lie) >= FEWEST else np.zeros(2)

    @property
    def seen(self) -> frozenset[Square]:
        """The tiles looked at."""
        return self.near | self.elsewhere

    def still(self, pushed: Collection[Square]) -> frozenset[Square]:
        """The tiles that are seen as they should be, but for these."""
        rest = self.seen - self.lost - frozenset(pushed)
        return frozenset(s for s in rest if _lettered(self.position, s) and self._profiles[s].max() > CLEAR)

    def pushed(self, square: Square, axis: int) -> float:
        """Squares by which a tile lies off its place along an axis, as far as its profile tells."""
        lies = float(self._lies[square][axis])
        return lies if abs(lies) > NEXT else lies - float(self.expected[axis])

    def at(self, square: Square, axis: int, pushed: float) -> float:
        """Probability of a tile's letter where it would lie if pushed so far along an axis."""
        looked = pushed if abs(pushed) > NEXT else pushed + self.expected[axis]
        return float(np.interp(looked, STEPS, self._profiles[square][axis]))


_SHIFTS = tuple(
    (round(float(step) * PIXELS_PER_SQUARE) * (1 - axis), round(float(step) * PIXELS_PER_SQUARE) * axis)
    for axis in (0, 1)
    for step in STEPS[1:-1]
)
"""Pixels right and down at which tiles are looked for, along one axis, then along the other."""

_LIES = np.arange(-24, 25) / 20
"""Places of a tile along an axis that are weighed."""


def _shown(places: Floats) -> Floats:
    """(n, 9) what a sure reader says of a letter at all steps when its tile lies at these places."""
    return np.clip((REACH[1] - np.abs(STEPS - places[:, None])) / (REACH[1] - REACH[0]), 0, 1)


# --- what was pushed ----------------------------------------------------------------------------------------------


_Group = tuple[frozenset[Square], int, float]
"""Tiles pushed together, along which axis (0: right) and by how many squares."""


def _pushes(places: _Places) -> list[_Group]:
    groups = _groups(places)
    if groups:
        places.expect(places.still(_all_pushed(places, groups)))
        groups = _groups(places)
    pushed = _all_pushed(places, groups)
    if len(places.still(pushed)) < FEWEST and len(pushed) > GRID_MOVED * len(places.seen) and not _in_line(pushed):
        return []
    return groups


def _all_pushed(places: _Places, groups: Collection[_Group]) -> frozenset[Square]:
    """The tiles of these groups and all others that seem pushed like one of them, wherever they lie.

    Where these are most tiles it is the grid that is off, and only the tiles of the groups are given.
    """
    members = frozenset[Square]().union(*(squares for squares, _, _ in groups))
    alike = {s for s in places.seen for _, axis, shift in groups if abs(places.pushed(s, axis) - shift) <= ALIKE / 2}
    return members | alike if len(alike | members) <= GRID_MOVED * len(places.seen) else members


def _groups(places: _Places) -> list[_Group]:
    movers: dict[tuple[int, int], dict[Square, float]] = {}
    for square in sorted(places.lost):
        best = _moved(places, square)
        if best is not None:
            axis, pushed = best
            movers.setdefault((axis, int(np.sign(pushed))), {})[square] = pushed
    found = []
    for (axis, sign), kind in movers.items():
        shift = float(np.median(list(kind.values())))
        others = {s for other, some in movers.items() if other != (axis, sign) for s in some}
        joined = {s for s in places.near - others if s in kind or _joins(places, s, axis, sign, shift)}
        for group in _connected(joined):
            one = _as_one(places, group, kind, axis, sign)
            if one is not None:
                found.append(one)
    return found


def _moved(places: _Places, square: Square) -> tuple[int, float] | None:
    """Axis and squares by which a lost tile was pushed, where that is clear."""
    if not _lettered(places.position, square):
        return None
    found: list[tuple[float, int, float]] = []
    for axis, way in enumerate(Direction):
        pushed = places.pushed(square, axis)
        seen = places.at(square, axis, pushed)
        to = square.step(way, int(np.sign(pushed)))
        other = places.position.at(to) == places.position.at(square) and to not in places.lost
        behind = places.at(square, axis, -pushed)  # two tiles with its letter, either may be it
        if LEAST <= abs(pushed) <= MOST and seen > CLEAR and behind < LIKELY and not other:
            found.append((seen, axis, pushed))
    return max(found)[1:] if found else None


def _joins(places: _Places, square: Square, axis: int, sign: int, shift: float) -> bool:
    """Whether a tile beside pushed ones may have been pushed with them."""
    pushed = places.pushed(square, axis)
    if square in places.lost and abs(pushed - shift) <= ALIKE:
        return True
    if square in places.lost or places.twin(square, axis) or not _lettered(places.position, square):
        return places.at(square, axis, shift) > LIKELY
    return sign * pushed > 0.6 * abs(shift)


def _as_one(
    places: _Places, group: frozenset[Square], kind: Mapping[Square, float], axis: int, sign: int
) -> _Group | None:
    """The tiles of a connected group that were pushed by the same amount, unless too few of them are found again."""
    if not group & kind.keys():
        return None
    shift = float(np.median([kind[s] for s in group & kind.keys()]))
    squares = {s for s in group if s not in kind or abs(kind[s] - shift) <= ALIKE or places.at(s, axis, shift) > CLEAR}
    way = tuple(Direction)[axis]
    while True:
        onto = {s: s.step(way, sign) for s in squares}
        stuck = {s for s, to in onto.items() if to not in squares | places.lost and places.position.at(to) is not None}
        if not stuck:
            break
        squares -= stuck
    clear = squares & kind.keys()
    if not clear or (len(clear) == 1 and abs(shift) < LEAST_ALONE):
        return None
    squares |= _between(places, squares)
    gone = {s for s in places.lost if places.reading.log_prob(s, places.position.at(s) or EMPTY) < np.log(0.5)}
    while abs(shift) < NEXT and (following := {s.step(way, sign) for s in squares} & gone - squares):
        squares |= following  # where a pushed tile lies no other can have stayed
    missing = [s for s in (gone & _beside(squares)) - squares if _lettered(places.position, s)]
    # a single letter may also be found on the next square because another tile with it was laid there
    if len(missing) > len(clear) or (missing and len(clear) == 1 and abs(shift) > NEXT):
        return None
    return frozenset(squares), axis, sign * _common(places, squares, axis, sign)


def _common(places: _Places, squares: Collection[Square], axis: int, sign: int) -> float:
    """Squares by which all these were pushed: the mean, weighed by how likely a push makes what is seen of them."""
    pushes = np.arange(LEAST, 1.01, 0.05)
    telling = [s for s in squares if _lettered(places.position, s)]
    seen = np.array([[places.at(s, axis, sign * float(pushed)) for pushed in pushes] for s in telling])
    logs = np.log(np.maximum(seen, MISREAD)).sum(axis=0)
    likely = np.exp(logs - logs.max())
    common = float((likely * pushes).sum() / likely.sum())
    return 1.0 if common > NEXT else common


def _beside(squares: Collection[Square]) -> set[Square]:
    return {n for s in squares for n in s.neighbours}


def _between(places: _Places, squares: Collection[Square]) -> set[Square]:
    """Lost tiles between pushed ones of the same word: a word is pushed as one piece."""
    found = set()
    for square in places.lost - frozenset(squares):
        for way in Direction:
            word = places.position.run(square, square, way)
            at = word.index(square)
            if {*word[:at]} & {*squares} and {*word[at:]} & {*squares}:
                found.add(square)
    return found


def _in_line(squares: Collection[Square]) -> bool:
    return len({s.row for s in squares}) == 1 or len({s.col for s in squares}) == 1


def _connected(squares: Collection[Square]) -> list[frozenset[Square]]:
    """Groups of squares that touch by their sides."""
    left, groups = set(squares), []
    while left:
        group, open_ = set[Square](), [min(left)]
        while open_:
            square = open_.pop()
            if square in left:
                left.remove(square)
                group.add(square)
                open_ += square.neighbours
        groups.append(frozenset(group))
    return groups
