"""What to ask about a photo: at most one question, the one whose answer settles most."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

from scorer.board import SQUARES, Board, Square
from scorer.placement import Placement, PlacementFault
from scorer.scoring import Play
from scorer.tiles import TileSet
from vision.letters import Settled
from vision.observe import Observation
from vision.reading import EMPTY, BoardReading
from vision.sequence import Told
from vision.steps import NO_MOVE, MoveRef, Step
from vision.turning import TURN_UNSURE, is_bare, turn_known
from vision.wording import Candidates

CLEARLY_NOT = log(0.05)
CLEARLY = 0.9
"""A tile of an earlier move is reported as another one where the photo gives its own letter less than the first and
another character more than the second."""

SURELY = 0.99
"""An answer about a square is doubted where the photo shows the contrary with more than this."""

OTHER_POSITION = 0.25
"""From this share of old tiles on that the photo does not show, it is not of this game, or of another side of it."""

FEWEST_MISSING = 2
"""So many old tiles at least; as many that clearly do not lie there any more are always asked about."""

MOST_NAMED = 6
"""Squares named in one question."""

SERIOUS = 0.15
"""Probability from which another letter of an earlier move is named as a doubt of the later scores that it changes."""

NO_CLUE = 0.2
"""A tile whose likeliest letter is less likely is not seen at all."""

LEAVES_OPEN = frozenset({"photo-unreadable", "other-position", "initials-or-move", "which-move"})
"""Questions that leave it open whether anything was laid: nothing counts until they are answered."""


@dataclass(frozen=True)
class Question:
    """The one thing to ask about a photo.

    code: key of the text; squares: what it is about; candidates: possible answers with their probability
    faults, reason: for the codes that name them; photo: name of another photo, whose question must be answered first
    """

    code: str
    squares: tuple[Square, ...] = ()
    candidates: tuple[tuple[str, float], ...] = ()
    faults: PlacementFault = PlacementFault.NONE
    reason: str | None = None
    photo: str | None = None


def doubt_of(
    number: int,
    told: Sequence[Told],
    letters: Mapping[MoveRef, Settled],
    observations: Sequence[Observation],
    board: Board,
    sure: float,
    settled: Collection[str] = (),
) -> Question | None:
    """The question about a photo, None when nothing is in doubt.

    told, letters, observations: of all photos; board: before this one
    sure:    probability below which a question is asked
    settled: codes of questions that people have answered
    """
    found = _doubts(number, told, letters, observations, board, sure)
    return next((question for question in found if question.code not in settled), None)


def _doubts(
    number: int,
    told: Sequence[Told],
    letters: Mapping[MoveRef, Settled],
    observations: Sequence[Observation],
    board: Board,
    sure: float,
) -> Iterator[Question]:
    """All doubts about a photo, the one whose answer settles most first."""
    one, seen = told[number], observations[number]
    step = one.step
    if step.why in ("same-photo", "burst"):
        return
    if step.kind == "start" and step.placement.tiles:
        yield Question("begun-before", step.placement.squares[:MOST_NAMED])
    if one.probability < sure:
        root = min(range(number + 1), key=lambda k: told[k].by_itself)
        if root != number:
            yield Question("depends", photo=Path(observations[root].name).name)
        else:
            yield _structural(one, letters, seen, board)
    if step.before.tiles and one.in_order < sure and one.other_order is not None:
        yield _order(step, one.other_order)
    if step.kind == "place" and not step.placement.tiles:
        yield Question("which-move")
    gone = {square for ref in step.removed for square in letters[ref].letters}
    staying = board.removed(gone & board.occupied)
    if seen.reading is None:
        if not _goes_on(number, told):
            yield Question("photo-unreadable", reason=seen.reason)
    elif step.why == "other-board":
        if not _goes_on(number, told):
            yield Question("other-position", _missing(board, seen.reading)[:MOST_NAMED])
    elif step.kind == NO_MOVE:
        # that tiles are gone says only a photo that is sure of its turn
        if step.why == "initials" and not any(turn_known(o) or is_bare(o) for o in observations[number + 1 :]):
            yield Question("initials-or-move", tuple(sorted(_tiles(seen.reading)))[:MOST_NAMED])
    else:
        missing = _missing(staying, seen.reading)
        lying = seen.reading.rows
        bare = [s for s in missing if lying[s.row][s.col] == EMPTY and differs(seen.reading, s, staying.at(s) or "")]
        if len(bare) >= FEWEST_MISSING or len(missing) >= max(FEWEST_MISSING, len(staying.occupied) * OTHER_POSITION):
            yield Question("other-position", missing[:MOST_NAMED])
    if (asked := _letter(number, letters, sure)) is not None:
        yield asked
    if step.kind == NO_MOVE or seen.reading is None:
        return
    seen_again = step.placement.tiles and _seen_again(number, told, letters, observations)
    if "grid-unsure" in seen.warnings and not seen_again:
        yield Question("grid-unsure", step.placement.squares)
    if TURN_UNSURE in seen.warnings and step.placement.tiles:
        yield Question(TURN_UNSURE, step.placement.squares)


def play_hinges_on(play: Play, asked: Question, unsure: Mapping[Square, Candidates], tile_set: TileSet) -> bool:
    """Whether what a play counts depends on the answer to an earlier question.

    unsure: the letters that were open then; those of the same value change no score
    """
    inside = {letter.square for word in play.words for letter in word.letters} - set(play.placement.squares)
    for square in inside & set(unsure):
        values = {tile_set.value(char) for char, probability in unsure[square][:3] if probability >= SERIOUS}
        if len(values) > 1:
            return True
    if asked.code in ("which-letter", "covered-tile"):
        return False
    beside = {
        square
        for word in play.words
        for square in (word.start.step(word.direction, -1), word.start.step(word.direction, len(word)))
    }
    return not (inside | beside).isdisjoint(asked.squares)


def differs(reading: BoardReading, square: Square, tile: str) -> bool:
    """Whether a photo clearly shows something else than this tile, uncovered."""
    return _not_there(reading, square, tile) and reading.confidence[square] > CLEARLY and square not in reading.suspects


def contradicted(reading: BoardReading, laid: Placement, board: Board) -> tuple[Square, ...]:
    """Squares on which a photo clearly shows that it was not so: new tiles where it shows none, or the other way round.

    board: with the new tiles
    """
    clear = [
        square
        for row in SQUARES
        for square in row
        if reading.confidence[square] > CLEARLY and not reading.hidden[square] and square not in reading.suspects
    ]
    shown = _tiles(reading)
    return tuple(
        square
        for square in clear
        if (square in laid.by_square and square not in shown) or (board.at(square) is None and square in shown)
    )


def denied(photo: Observation, said: Mapping[Square, str]) -> tuple[Square, ...]:
    """Squares on which a person says that a tile lies where the photo surely shows none, or the other way round, as by
    a slip in the name of a square."""
    reading = photo.reading
    if reading is None or photo.turns or photo.nudges:  # what it shows where is not sure
        return ()
    shown = _tiles(reading)
    return tuple(
        square
        for square, char in said.items()
        if (char == EMPTY) == (square in shown)
        and reading.confidence[square] > SURELY
        and not reading.hidden[square]
        and square not in reading.suspects
    )


def _not_there(reading: BoardReading, square: Square, tile: str) -> bool:
    return not reading.hidden[square] and reading.log_prob(square, tile) < CLEARLY_NOT


def _tiles(reading: BoardReading) -> frozenset[Square]:
    return reading.showing(lambda char: char != EMPTY)


def _missing(position: Board, reading: BoardReading) -> tuple[Square, ...]:
    """Squares on which the photo does not show the tile that should lie there."""
    return tuple(square for square, tile in position if _not_there(reading, square, tile))


def _goes_on(number: int, told: Sequence[Told]) -> bool:
    """Whether a later photo shows this game again."""
    repeats = ("same-photo", "burst")  # of a photo that was looked at itself
    return any(one.step.why not in ("other-board", "taken-again", *repeats) for one in told[number + 1 :])


def _structural(one: Told, letters: Mapping[MoveRef, Settled], seen: Observation, board: Board) -> Question:
    """What to ask where it is open which tiles are new, or whether they are a move."""
    step = one.step
    other = one.alternatives[0][0] if one.alternatives else step
    whys = {step.why, other.why}
    tiles = step.squares | other.squares or {*step.loose.squares, *other.loose.squares}
    squares = tuple(sorted(tiles))[:MOST_NAMED]
    if seen.reading is None:
        return Question("photo-unreadable", reason=seen.reason)
    if "taken-again" in whys:
        return Question("pass-or-again")
    if "other-board" in whys:
        return Question("other-position", _missing(board, seen.reading)[:MOST_NAMED])
    if "initials" in whys:
        return Question("initials-or-move", squares)
    if "mid-move" in whys:
        return Question("mid-move-or-move", squares)
    if "start" in (step.kind, other.kind) and squares:
        return Question("begun-before", squares)
    return _deciding(one, letters, board) or Question("unsure-move", squares)


def _order(step: Step, other: Step) -> Question:
    """Which of two moves came first, or to which of them a tile belongs that may be of either."""
    if set(step.before.squares) <= set(other.placement.squares):
        return Question("which-first", (step.before.squares[0], step.placement.squares[0]))
    either = sorted(set(step.before.squares) ^ set(other.before.squares))
    return Question("which-of-two", tuple(either[:1]))


def _deciding(one: Told, letters: Mapping[MoveRef, Settled], board: Board) -> Question | None:
    """The square whose answer tells the explanations apart best: that of the greatest entropy."""
    ranked = [(one.step, one.by_itself), *one.alternatives]

    def lies(step: Step, square: Square) -> str:
        gone = any(square in letters[ref].letters for ref in step.removed if ref in letters)
        laid = step.tile(square)
        return laid if laid != EMPTY or gone else board.at(square) or EMPTY

    first_two = ranked[:2]
    changed = {square for step, _ in first_two for square in step.squares}
    changed |= {s for step, _ in first_two for ref in step.removed if ref in letters for s in letters[ref].letters}
    changed = {square for square in changed if len({lies(step, square) for step, _ in first_two}) > 1}
    best: tuple[float, Question] | None = None
    for square in sorted(changed):
        shares: dict[str, float] = {}
        for step, share in ranked:
            shares[lies(step, square)] = shares.get(lies(step, square), 0.0) + share
        ranked_chars = sorted(shares.items(), key=lambda pair: -pair[1])[:3]
        candidates = tuple((char, share) for char, share in ranked_chars if share >= 0.01)
        entropy = -sum(share * log(share) for _, share in candidates)
        if len(candidates) > 1 and (best is None or entropy > best[0]):
            code = "tile-or-empty" if any(char == EMPTY for char, _ in candidates) else "which-letter"
            best = entropy, Question(code, (square,), candidates)
    return best[1] if best else None


def _letter(number: int, letters: Mapping[MoveRef, Settled], sure: float) -> Question | None:
    """About the least sure letter of the new tiles."""
    least, asked = sure, None
    for before in (True, False):
        if (settled := letters.get((number, before))) is None:
            continue
        for square, ranked in settled.candidates.items():
            if square in settled.torn:
                both = (ranked[0], (settled.at_first[square], 1 - ranked[0][1]))
                least, asked = 0.0, Question("which-letter", (square,), both)
            elif ranked[0][1] < least:
                hidden = ranked[0][1] < NO_CLUE
                code, candidates = ("covered-tile", ()) if hidden else ("which-letter", settled.proposed[square][:3])
                least, asked = ranked[0][1], Question(code, (square,), candidates)
    return asked


def _seen_again(
    number: int, told: Sequence[Told], letters: Mapping[MoveRef, Settled], observations: Sequence[Observation]
) -> bool:
    """Whether a later photo, whose own grid and turn are sure, shows the same new tiles still lying there."""
    tiles = letters[number, False].letters if (number, False) in letters else {}
    for later, one in zip(observations[number + 1 :], told[number + 1 :], strict=True):
        if (number, False) in one.step.removed:
            return False
        if one.step.kind != NO_MOVE and turn_known(later) and later.reading is not None:
            return all(not _not_there(later.reading, square, tile) for square, tile in tiles.items())
    return False
