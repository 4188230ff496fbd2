"""The photos of one game, in order: which moves were made, decided by all of them together.

Every photo has several explanations (``vision.changes``), and what it is taken for decides what the next one has to
explain. So several histories of the game are kept side by side, each as likely as all photos under it times what is
usual; a later photo may make another one the best, and thereby settle an earlier doubt. This is a beam search through
a hidden Markov model (Rabiner 1989, section III.B) whose states are positions; what the histories that are left say of
one photo are the probabilities of its explanations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from scorer.board import SQUARES, Board, Square
from scorer.notation import MoveText
from scorer.placement import NOTHING, Placement, PlacementFault
from scorer.rules import RuleSet
from scorer.tiles import TileSet
from vision.burst import seconds_between
from vision.changes import GEOMETRY, LOG_NEW, PlacementHypothesis, explain, fault_cost
from vision.letters import Memory
from vision.nudge import find_nudges, straightened
from vision.observe import Observation
from vision.reading import BLANK, EMPTY, BoardReading, TileReader
from vision.steps import LAID_BEFORE, NO_MOVE, MoveRef, Step, known_move
from vision.turning import settled_turn, turn_known

MOST_HISTORIES = 12
FORGET = 10.0
"""A history that is this much less likely than the best (natural logarithm) is given up."""

LOG_NOTHING = -1.5
"""A pass or an exchange is rarer than a move."""

LOG_EMPTY_AGAIN = -1.4
"""The empty board photographed once more, against a first turn without a tile: of the seven written German games one
begins so."""

LOG_NOT_SHOWN = -1.0
"""Mostly a photo is taken when tiles were taken back, before the next move is laid."""

LOG_EXTENDS = {False: -4.5, True: -7.0}
"""A move seldom lengthens the last one in its own line (6 of 1418 moves of written games); if it does, that photo may
have been taken in mid-move. By whether the last one was against the rules: then it hardly lay there to stay."""

LOG_INITIALS = {True: -0.5, False: -6.0}
"""Tiles laid to name the players, by whether they look like it: letters apart from each other, off the star."""

LOG_AGAIN = -3.0
LOG_STAYING = -6.0
"""Players' initials are laid once, and do not stay when the first move is laid."""

LOG_MID_MOVE = {"hand": -1.5, "quick": -4.0, "fault": -5.0}
"""A photo in the middle of a move, by its signs: a hand at the new tiles, another photo within QUICK seconds, tiles
that are no legal move. Without any of them nobody can tell it from a move."""

LOG_REARRANGED = -3.0
"""The tiles of a photo in mid-move are mostly part of the move."""

QUICK, SLOW = 9.0, 25.0
LOG_QUICK = -2.5
LOG_SLOW = -2.0
"""A turn that ends within QUICK seconds after another; a photo in mid-move, or one that could not be read, SLOW seconds
before the next."""

LOG_BEGUN = {False: -6.0, True: -2.0}
"""A game that had begun before the first photo, by whether there are tiles in more than one line, or more than a rack
holds; what is more than that is no news then."""

NO_ONE_MOVE = PlacementFault.NOT_IN_LINE | PlacementFault.TOO_MANY_TILES

LOG_FOREIGN = -25.0
"""A photo of another board: it is free to show anything, so it must be far from what is usual here."""

LOG_ALIKE = -3.0
"""Another board shows a certain tile on a certain square by chance."""

LOG_UNREADABLE = {"again": -0.3, "move": -1.8, "nothing": -4.0}
"""What a photo that cannot be read stands for: it was taken again, it shows a move, or a pass."""

SECOND_LOOK = 0.25
"""How much counts of the second photo of what may be a blank; of the third and later ones nothing does."""

NEAR_HAND = 2
"""Squares between what covers the board and a new tile, at most, for a hand to be laying it."""


@dataclass(frozen=True)
class Told:
    """What one photo was taken for.

    step:         the likeliest, by all photos
    probability:  of `step`, whatever its letters
    by_itself:    the same, given that all photos before were taken for the right thing
    alternatives: what else it may be, given that, likeliest first with probabilities
    at_first:     what it was taken for before any later photo was seen
    settled_by:   the photo that changed it to `step`, None where it was so from the first
    in_order:     probability that of two moves without a photo between them each is as `step` says
    other_order:  the likeliest other way to share out the tiles among the two, None when there is none
    """

    step: Step
    probability: float
    by_itself: float
    alternatives: tuple[tuple[Step, float], ...]
    at_first: Step
    settled_by: int | None
    in_order: float = 1.0
    other_order: Step | None = None


@dataclass(frozen=True)
class Given:
    """What a person said of a photo.

    squares: what lies on single squares ('.': nothing)
    kind:    what the photo shows, as in the contract
    move:    the move that it shows, read on the position before it
    first:   squares of the move that was made first, where the photo shows two
    second:  squares of the move that was made after it
    here:    the photo shows this game, no other board
    step:    what it was taken for is right, whatever the letters
    """

    squares: Mapping[Square, str] = field(default_factory=lambda: MappingProxyType({}))
    kind: str | None = None
    move: MoveText | None = None
    first: tuple[Square, ...] = ()
    second: tuple[Square, ...] = ()
    here: bool = False
    step: Step | None = None

    @property
    def settles_kind(self) -> bool:
        """Whether it says what the photo shows."""
        return self.kind is not None or self.move is not None

    def laid(self, position: Board) -> Placement:
        """The new tiles of the move on the position before it, as far as they are on the board."""
        if self.move is None:
            return NOTHING
        return Placement(tuple(pair for pair in self.move.resolve(position).placement.tiles if pair[0].on_board))

    def allows(self, step: Step, position: Board) -> bool:
        """Whether an explanation agrees with it; position: without the tiles that are gone by then."""
        if self.step is not None and not step.same_but_letters(self.step):
            return False
        if self.kind is not None and step.kind != self.kind:
            return False
        if self.here and step.why == "other-board":
            return False
        if not (set(self.first) <= set(step.before.squares) and set(self.second) <= set(step.placement.squares)):
            return False
        if self.move is not None:
            before = position.placed(step.before.fitting(position))
            if step.kind != "place" or step.placement.squares != self.laid(before).squares:
                return False
        return step.kind == NO_MOVE or all(
            (char == EMPTY) == (position.at(square) is None and step.tile(square) == EMPTY)
            for square, char in self.squares.items()
        )


@dataclass(frozen=True)
class Start:
    """What is known before the first photo.

    board:  what lies there
    moves:  squares of the last moves, in order: they may be taken back
    ghosts: squares that look like a blank on earlier photos and are empty
    empty:  squares of which a person has said so of an earlier photo
    """

    board: Board = field(default_factory=Board.empty)
    moves: tuple[frozenset[Square], ...] = ()
    ghosts: frozenset[Square] = frozenset()
    empty: frozenset[Square] = frozenset()


NEW_GAME = Start()


@dataclass(frozen=True)
class History:
    """One way the game may have gone so far.

    steps:    one a photo
    position: what lies there now
    live:     the moves whose tiles lie there, in order
    weight:   natural logarithm of how well it explains all photos, times how usual it is
    memory:   what the photos said of the letters that lie there
    grounded: whether it is known which side of the board is up
    ghosts:   squares that looked like a blank and were taken to be empty all the same, with what counts of the next
              photo on which they do
    loose:    tiles of the last photo that showed players' initials, or a move that was still being laid
    """

    steps: tuple[Step, ...]
    position: Board
    live: tuple[tuple[MoveRef, frozenset[Square]], ...]
    weight: float
    memory: Memory
    grounded: bool = True
    ghosts: Mapping[Square, float] = field(default_factory=lambda: MappingProxyType({}))
    loose: Placement = NOTHING


@dataclass(frozen=True)
class _Photo:
    """A photo and what is needed to explain it.

    following: reading of the next one that can be read
    gap:       seconds since the last photo that repeats none before it, None if not known
    quick:     the next such photo was taken within QUICK seconds
    """

    number: int
    seen: Observation
    following: BoardReading | None
    given: Given | None
    gap: float | None
    quick: bool


def decode(
    observations: Sequence[Observation],
    rules: RuleSet,
    tile_set: TileSet,
    repeated: Mapping[int, str] = MappingProxyType({}),
    given: Mapping[int, Given] = MappingProxyType({}),
    start: Start = NEW_GAME,
    reader: TileReader | None = None,
) -> tuple[tuple[Told, ...], list[Observation]]:
    """What each photo was taken for; and the photos in the turn they were taken in, as far as the position tells where
    their own tiles do not.

    repeated: photos that repeat the one before, and why (same-photo, burst)
    given:    what people said of single photos
    start:    what is known before the first photo
    reader:   looks again at photos on which tiles seem to be pushed off their squares; such are not recognised if None
    """
    seen = list(observations)
    beam = [_begin(start)]
    best: list[tuple[Step, ...]] = []
    empty = start.empty
    shown = [k for k in range(len(seen)) if k not in repeated]
    gaps = dict(zip(shown, seconds_between([seen[k] for k in shown]), strict=True))
    for number in range(len(seen)):
        if number in repeated:
            beam = [replace(h, steps=(*h.steps, Step(NO_MOVE, why=repeated[number]))) for h in beam]
        else:
            if seen[number].turns:
                later = [o for k, o in enumerate(seen[number + 1 :], number + 1) if k not in repeated]
                seen[number] = _turned(seen[number], beam[0], later, given.get(number))
            if reader is not None:
                seen[number] = _straight(seen[number], beam[0].position, reader, tile_set)
            said = given.get(number)
            if (reading := seen[number].reading) is not None:
                if again := {square for square in empty if beam[0].position.at(square) is None}:
                    reading = reading.expecting_empty(again)
                if said is not None:
                    reading = reading.pinned(said.squares)
                seen[number] = replace(seen[number], reading=reading)
            if said is not None:
                empty = (empty - said.squares.keys()) | {s for s, char in said.squares.items() if char == EMPTY}
            following = next(
                (o.reading for k, o in enumerate(seen[number + 1 :], number + 1) if k not in repeated and o.reading),
                None,
            )
            next_gap = next((gaps[k] for k in shown if k > number), None)
            quick = next_gap is not None and next_gap < QUICK
            photo = _Photo(number, seen[number], following, said, gaps[number], quick)
            beam = _after(beam, photo, _Explainer(photo, rules, tile_set))
        best.append(beam[0].steps)
    return tuple(_told(number, beam, best) for number in range(len(seen))), seen


def _turned(seen: Observation, best: History, later: Sequence[Observation], given: Given | None) -> Observation:
    """A photo whose own tiles do not tell its turn, in the likeliest one; what a person said lies there tells it as
    well as the tiles of the last position do."""
    if given is None:
        return settled_turn(seen, best.position, best.grounded, later)
    told = {square: char for square, char in given.squares.items() if char != EMPTY}
    told |= given.laid(best.position).by_square
    position = best.position.placed({s: char for s, char in told.items() if best.position.at(s) is None})
    return settled_turn(seen, position, best.grounded or given.move is not None, later)


def _straight(seen: Observation, position: Board, reader: TileReader, tile_set: TileSet) -> Observation:
    """The photo with tiles that were pushed off their squares read where they belong."""
    if seen.reading is None or seen.board is None or not turn_known(seen):
        return seen
    nudges = find_nudges(seen.board, seen.reading, position, reader, tile_set.letters)
    if not nudges:
        return seen
    return replace(seen, reading=straightened(seen.reading, nudges, position), nudges=nudges)


def _begin(start: Start) -> History:
    moves = [(known_move(place), squares) for place, squares in enumerate(start.moves)]
    rest = start.board.occupied - frozenset().union(*start.moves)
    live = (*([(LAID_BEFORE, rest)] if rest else []), *moves)
    ghosts = dict.fromkeys(start.ghosts, SECOND_LOOK)
    return History((), start.board, live, 0.0, Memory.of(start.board), ghosts=ghosts)


def _told(number: int, beam: Sequence[History], best: Sequence[tuple[Step, ...]]) -> Told:
    weights = np.exp(np.array([h.weight for h in beam]) - beam[0].weight)
    step, earlier = beam[0].steps[number], beam[0].steps[:number]
    same_now = np.array([h.steps[number].same_but_letters(step) for h in beam])
    same_before = np.array([all(map(Step.same_but_letters, h.steps[:number], earlier)) for h in beam])
    probability = weights[same_now].sum() / weights.sum()
    ranked: list[tuple[Step, float]] = []
    for k in map(int, np.flatnonzero(same_before)):
        other, weight = beam[k].steps[number], weights[k] / weights[same_before].sum()
        for place, (known, share) in enumerate(ranked):
            if other.same_but_letters(known):
                ranked[place] = known, share + float(weight)
                break
        else:
            ranked.append((other, float(weight)))
    (_, by_itself), *others = ranked  # the best history's step stands first
    others.sort(key=lambda pair: -pair[1])
    at_first = best[number][number]
    settled_by = None
    for k in range(len(best) - 1, number, -1):
        if not best[k - 1][number].same_but_letters(step):
            settled_by = k
            break
    same_order = np.array([h.steps[number].before.squares == step.before.squares for h in beam])
    in_order = float(weights[same_now & same_order].sum() / weights[same_now].sum())
    other_order = next((beam[int(k)].steps[number] for k in np.flatnonzero(same_now & ~same_order)), None)
    return Told(step, float(probability), by_itself, tuple(others), at_first, settled_by, in_order, other_order)


# --- one photo more -----------------------------------------------------------------------------------------------


_Guess = tuple[Step, float]
"""What a photo may be taken for, with the natural logarithm of its weight."""


def _after(beam: Sequence[History], photo: _Photo, explained: _Explainer) -> list[History]:
    """The likeliest histories with one photo more, the best first."""
    found = []
    for history in beam:
        explained.far = FORGET + history.weight - beam[0].weight
        found += [(history, step, history.weight + weight) for step, weight in _allowed(history, photo, explained)]
    found.sort(key=lambda entry: -entry[2])
    best = found[0][2]
    return [_continued(*entry, photo) for entry in found[:MOST_HISTORIES] if entry[2] > best - FORGET]


def _allowed(history: History, photo: _Photo, explained: _Explainer) -> list[_Guess]:
    """Everything the photo may be taken for that people's answers allow; at least one."""
    found = _unreadable(history, explained) if photo.seen.reading is None else _seen(history, photo, explained)
    found = [(step, weight + _log_in_time(history, step, photo.gap)) for step, weight in found]
    given = photo.given
    if given is None:
        return found
    for said in (given, replace(given, squares={})):
        allowed = [(step, weight) for step, weight in found if said.allows(step, _without(history, step))]
        if allowed:
            break
    if not allowed and given.settles_kind:
        return [_as_told(history, given, photo.seen.reading, min(weight for _, weight in found))]
    if given.kind == NO_MOVE:  # for what else it was taken does not matter then
        allowed = [(max(allowed, key=lambda guess: guess[1])[0], float(np.logaddexp.reduce([w for _, w in allowed])))]
    return [(_lettered(step, history, given), weight) for step, weight in allowed or found]


def _log_in_time(history: History, step: Step, gap: float | None) -> float:
    """How usual it is that what the photos before show was followed by this after so many seconds."""
    before = next((one for one in reversed(history.steps) if one.why not in ("same-photo", "burst")), None)
    if gap is None or before is None:
        return 0.0
    turns = ("place", "none")
    if gap < QUICK and before.kind in turns and step.kind in turns:
        return LOG_QUICK
    return LOG_SLOW if gap > SLOW and before.why in ("mid-move", "taken-again") else 0.0


def _without(history: History, step: Step) -> Board:
    """The position without the tiles that are gone."""
    gone = {square for ref, squares in history.live if ref in step.removed for square in squares}
    return history.position.removed(gone) if gone else history.position


def _lettered(step: Step, history: History, given: Given) -> Step:
    """The step with the letters of the move that a person named."""
    if given.move is None:
        return step
    position = _without(history, step)
    return replace(step, placement=given.laid(position.placed(step.before.fitting(position))))


def _as_told(history: History, given: Given, reading: BoardReading | None, unlikely: float) -> _Guess:
    """What a person says the photo shows where its picture proposes nothing like it; `unlikely`: its weight where there
    is no picture."""
    if given.move is None:
        last = history.live[-1][0] if history.live and history.live[-1][0] != LAID_BEFORE else None
        if given.kind == "start" and reading is not None and not history.live:  # after photos of an empty board
            lying = {s: reading.rows[s.row][s.col] for s in reading.showing(lambda char: char != EMPTY)}
            return Step("start", Placement.of(lying)), unlikely
        removed = (last,) if given.kind == "withdrawn" and last else ()
        return Step(given.kind or NO_MOVE, removed=removed), unlikely
    step = Step("place", given.laid(history.position))
    if reading is None:
        return step, unlikely
    after = history.position.placed(step.placement.fitting(history.position))
    squares = [(square, after.at(square) or EMPTY) for row in SQUARES for square in row]
    return step, reading.likelihood(squares) + LOG_NEW * len(step.placement)


class _Explainer:
    """The explanations of one photo on the positions that the histories lead to; most lead to the same ones.

    far: how much less likely than the best an explanation may be; asked for the best history of a position first
    """

    def __init__(self, photo: _Photo, rules: RuleSet, tile_set: TileSet) -> None:
        self._photo, self._rules, self._tile_set = photo, rules, tile_set
        self.far = FORGET
        self._known: dict[tuple[object, ...], list[PlacementHypothesis]] = {}

    def __call__(self, history: History, reading: BoardReading, back: int) -> list[PlacementHypothesis]:
        """One hypothesis a set of squares; `back`: how many of the last moves may have been taken back."""
        last = history.live[: -1 - back : -1]
        # what lay there before the first photo is no move that could be taken back, unless it is known as one
        removable = [
            squares
            for ref, squares in last
            if ref != LAID_BEFORE and (ref[0] < 0 or history.steps[ref[0]].kind != "start")
        ]
        key = (history.position, frozenset(history.ghosts.items()), *removable)
        if key not in self._known:
            self._known[key] = _by_squares(
                explain(
                    history.position,
                    removable,
                    reading,
                    self._rules,
                    self._tile_set,
                    memory=history.memory.expected,
                    guide=None if reading is self._photo.following else self._photo.following,
                    ghosts=history.ghosts,
                    far=self.far,
                )
            )
        return self._known[key]

    def log_begun(self, hypothesis: PlacementHypothesis) -> float:
        """How usual it is that all these tiles lay there before the first photo."""
        more = len(hypothesis.placement) + len(hypothesis.before) - self._rules.rack_size
        return LOG_BEGUN[bool(hypothesis.faults & NO_ONE_MOVE)] - LOG_NEW * max(more, 0)

    def is_rack(self, placement: Placement) -> bool:
        """Whether these may be tiles of one rack."""
        return len(placement) <= self._rules.rack_size

    @property
    def following(self) -> BoardReading | None:
        return self._photo.following


def _seen(history: History, photo: _Photo, explained: _Explainer) -> list[_Guess]:
    reading = photo.seen.reading
    assert reading is not None
    first = not history.live and all(step.kind == NO_MOVE for step in history.steps)
    out: list[_Guess] = []
    loose: list[tuple[float, PlacementHypothesis]] = []
    for hypothesis in explained(history, reading, 2):
        removed = tuple(ref for ref, squares in history.live if hypothesis.removed and squares <= hypothesis.removed)
        step = Step(_kind(hypothesis, first), hypothesis.placement, hypothesis.before, removed, hypothesis.faults)
        weight = hypothesis.weight
        if step.kind == "none":
            weight += LOG_NOTHING
            if history.position.is_empty:  # a turn without a tile, or the empty board once more
                out.append((Step(NO_MOVE, why="taken-again"), weight + LOG_EMPTY_AGAIN))
        if step.kind == "place" and removed:
            weight += LOG_NOT_SHOWN
        if not removed and not step.before.tiles and _extends(history, step.placement):
            weight += LOG_EXTENDS[bool(history.steps[history.live[-1][0][0]].faults & GEOMETRY)]
        if step.kind == "place" and history.loose.tiles:
            weight += _log_after_loose(history, step)
        out.append((step, weight))
        if step.placement.tiles and not step.before.tiles and not removed:
            bare = hypothesis.weight - fault_cost(hypothesis.faults)
            if explained.is_rack(step.placement):
                loose.append((bare, hypothesis))
            if first:
                out.append((Step("start", hypothesis.placement), bare + explained.log_begun(hypothesis)))
        elif first and step.before.tiles:
            everything = Placement((*step.before.tiles, *step.placement.tiles))
            out.append((Step("start", everything), weight + explained.log_begun(hypothesis)))
    for why in ("mid-move",) if history.live else ("mid-move", "initials"):
        weights = [weight + _log_loose(history, one, photo, why) for weight, one in loose]
        if max(weights, default=-np.inf) > -np.inf:
            likeliest = loose[int(np.argmax(weights))][1].placement
            out.append((Step(NO_MOVE, why=why, loose=likeliest), float(np.logaddexp.reduce(weights))))
    anything = float(reading.likelihoods.max(axis=-1).sum())
    alike = sum(reading.rows[square.row][square.col] == tile for square, tile in history.position)
    out.append((Step(NO_MOVE, why="other-board"), anything + LOG_FOREIGN + LOG_ALIKE * alike))
    return out


def _kind(hypothesis: PlacementHypothesis, first: bool) -> str:
    if hypothesis.placement.tiles:
        return "place"
    if hypothesis.removed:
        return "withdrawn"
    return "start" if first else "none"


def _log_after_loose(history: History, step: Step) -> float:
    """How usual a move is after a photo in mid-move, or after the players' initials."""
    loose = history.loose
    if next(one.why for one in reversed(history.steps) if one.loose.tiles) == "mid-move":
        # tiles of the move that lay there in mid-move are no news
        part_of_it = len(step.squares.intersection(loose.squares))
        return -LOG_NEW * part_of_it if 2 * part_of_it > len(loose) else LOG_REARRANGED
    staying = sum(char in (step.tile(square), BLANK) for square, char in loose.tiles)
    return LOG_STAYING if 2 * staying > len(loose) else 0.0


def _by_squares(hypotheses: Sequence[PlacementHypothesis]) -> list[PlacementHypothesis]:
    """One a set of squares, with its likeliest letters and the weight of all."""
    found: dict[tuple[object, ...], list[PlacementHypothesis]] = {}
    for h in hypotheses:
        found.setdefault((h.removed, h.before.squares, h.placement.squares), []).append(h)
    return [replace(same[0], weight=float(np.logaddexp.reduce([h.weight for h in same]))) for same in found.values()]


def _log_loose(history: History, hypothesis: PlacementHypothesis, photo: _Photo, why: str) -> float:
    """How usual it is that tiles lie there that are no move yet, or none at all."""
    if why == "initials":
        again = any(one.why == why for one in history.steps)
        return LOG_INITIALS[looks_like_initials(hypothesis)] + (LOG_AGAIN if again else 0.0)
    assert photo.seen.reading is not None
    rows, cols = np.nonzero(photo.seen.reading.hidden)
    hand = any(
        np.any(np.maximum(abs(rows - square.row), abs(cols - square.col)) <= NEAR_HAND)
        for square in hypothesis.placement.squares
    )
    fault = bool(hypothesis.faults & GEOMETRY)
    signs = {"hand": hand, "quick": photo.quick, "fault": fault}
    return max((LOG_MID_MOVE[sign] for sign, there in signs.items() if there), default=-np.inf)


def looks_like_initials(hypothesis: PlacementHypothesis) -> bool:
    """Tiles laid before the first move to name the players: letters held apart by a blank or a gap."""
    tiles = [char for _, char in hypothesis.placement.tiles]
    if len(tiles) > 5:
        return False
    return bool(hypothesis.faults & GEOMETRY) or (BLANK in tiles[1:-1] and tiles[0] != BLANK and tiles[-1] != BLANK)


def _extends(history: History, placement: Placement) -> bool:
    """Whether the tiles lengthen the last move in its own line."""
    if not history.live or not placement.tiles or history.live[-1][0][0] < 0:
        return False
    last = history.live[-1][1]
    together = Placement.of(dict.fromkeys((*last, *placement.squares), BLANK))
    if len(last) > 7 or not together.in_line or together.direction is None:
        return False
    board = history.position.placed(placement.fitting(history.position))
    run = board.run(together.squares[0], together.squares[0], together.direction)
    return together.squares[-1] in run


def _unreadable(history: History, explained: _Explainer) -> list[_Guess]:
    """What a photo that cannot be read stands for, with the moves that the next photo shows beside its own."""
    out = [
        (Step(NO_MOVE, why="taken-again"), LOG_UNREADABLE["again"]),
        (Step("none"), LOG_UNREADABLE["nothing"]),
    ]
    if explained.following is None:
        return out
    for hypothesis in explained(history, explained.following, 1):
        before = hypothesis.before if hypothesis.before.tiles else hypothesis.placement
        if before.tiles and not hypothesis.removed and not hypothesis.faults and len(out) < MOST_HISTORIES:
            out.append((Step("place", before), LOG_UNREADABLE["move"] + LOG_NEW * len(before)))
    return out


def _continued(history: History, step: Step, total: float, photo: _Photo) -> History:
    """The history after a step; of a photo that shows no move nothing stays."""
    reading, steps = photo.seen.reading, (*history.steps, step)
    if step.kind == NO_MOVE:
        loose = step.loose if step.loose.tiles else history.loose
        return replace(history, steps=steps, weight=total, loose=loose)
    gone = {square for ref, squares in history.live if ref in step.removed for square in squares}
    live = [(ref, squares) for ref, squares in history.live if ref not in step.removed]
    position = history.position.removed(gone) if gone else history.position
    memory = history.memory.without(gone)
    if reading is not None:
        memory = memory.with_photo(reading, position.occupied)
    for placement, before in ((step.before, True), (step.placement, False)):
        if placement.tiles:
            position = position.placed(placement.fitting(position))
            live.append(((photo.number, before), frozenset(placement.squares)))
            if reading is not None:
                memory = memory.with_photo(reading, placement.squares)
    if photo.given is not None:
        known = {**photo.given.squares, **(step.placement.by_square if photo.given.move is not None else {})}
        memory = memory.knowing({s: char for s, char in known.items() if char != EMPTY and position.at(s) is not None})
    grounded = turn_known(photo.seen) or (history.grounded and not step.placement.tiles)
    ghosts = dict(history.ghosts)
    if reading is not None:
        for square in reading.showing(BLANK.__eq__):
            if position.at(square) is None:
                ghosts[square] = 0.0 if square in ghosts else SECOND_LOOK
    return History(steps, memory.lettered(position), tuple(live), total, memory, grounded, ghosts)
