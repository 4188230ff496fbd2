"""A quarrel about a word on a single photo: which of its tiles were new, and what the move counts.

The photo shows the board after the move, the word is named. What lay there before is not known, unless it is said with
dots; then every set of its tiles that could have been laid in one legal move is considered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod

from assistant.dispute import (
    LAID,
    NOT_THERE,
    NOTATION,
    UNREADABLE,
    Alternative,
    Dispute,
    Doubt,
    Note,
    letter_doubts,
    scored,
    with_doubts,
)
from assistant.doubts import Question
from assistant.recount import Recount, RecountEntry
from scorer.board import EMPTY, SQUARES, Board, Direction, Square
from scorer.errors import NotationError
from scorer.notation import Coordinate, Mark, format_coordinate, format_square
from scorer.placement import Placement, PlacementFault
from scorer.rules import RuleSet
from scorer.scoring import Play, score_placement
from scorer.tiles import BLANK, TileSet, is_blank
from vision.observe import Observation
from vision.reading import BoardReading
from vision.turning import TURN_UNSURE
from vision.wording import FAIR, Candidates

SUPPLY = PlacementFault.NOT_IN_SET | PlacementFault.SET_EXHAUSTED | PlacementFault.BLANK_AS_ESZETT
"""Faults that do not depend on which tiles of a word are new."""

MOST_SHOWN = 5
"""Ways to see the move that are shown, the likeliest for each number of points."""

OLD_ALONE, OLD_INSIDE, OLD_END_OF_TWO, OLD_END = 0.02, 0.97, 0.06, 0.5
"""How often a tile of a main word lay there before: one that no other word crosses, one inside a crossing word, one at
the end of a crossing word of two letters, and of a longer one. In seven tournament games (170 moves, without the first
ones) it was 9 of 484, 63 of 64, 4 of 64 and 50 of 97."""

MOST_SURE = 0.99
"""Nothing that is read is said to be surer."""

LEAST_SHARE = 1e-5
"""Ways that are less likely than the likeliest by this are left out."""


@dataclass(frozen=True)
class NamedWord:
    """The word that was named. at: where it starts, None: wherever it lies; way: its direction, None: either;
    all_new: none of its tiles lay there."""

    marks: tuple[Mark, ...]
    at: Coordinate | None = None
    way: Direction | None = None
    all_new: bool = False

    @property
    def dotted(self) -> bool:
        """Whether it is said which tiles lay there before."""
        return self.all_new or any(mark.lies for mark in self.marks)

    @property
    def text(self) -> str:
        return "".join(mark.tile or EMPTY for mark in self.marks)


def dispute_about(seen: Observation, word: NamedWord, rules: RuleSet, tile_set: TileSet) -> Dispute:
    """What the word counts that lies on the photo, as far as the photo and what was said tell. NotationError for a word
    of dots alone."""
    if not word.all_new and all(mark.lies for mark in word.marks):
        raise NotationError(f"{word.text!r}: no tile is new", code="dispute-only-dots", text=word.text)
    basis = Dispute("", rules, tile_set, (seen,))
    if seen.reading is None:
        return replace(basis, kind=UNREADABLE)
    seen, turned = _turned_by(seen, word)
    basis = replace(basis, observations=(seen,))
    assert seen.reading is not None
    places = _places(seen.reading, word)
    if len(places) != 1:
        return _not_found(basis, word, places)
    notes = [Note("dispute.turned-by-word", {"word": word.text})] if turned else []
    if word.at is not None and places[0] != word.at:
        notes.append(Note(f"dispute.other-way-{places[0].direction}", {"word": word.text}))
    return _counted(basis, seen, places[0], word, notes)


def _turned_by(seen: Observation, word: NamedWord) -> tuple[Observation, bool]:
    """A photo that does not tell its turn, in the only one in which the word lies where it is said to lie; and whether
    there is one."""
    fitting = [k for k, turn in enumerate(seen.turns) if word.at is not None and _lies(turn, word.marks, word.at)]
    if len(fitting) != 1:
        return seen, False
    quarters = fitting[0]
    return replace(
        seen,
        reading=seen.turns[quarters],
        board=None if seen.board is None else seen.board.turned(quarters),
        corners=None if seen.corners is None else seen.corners.turned(quarters),
        turns=(),
        findings=seen.findings if quarters == 0 else (),
        warnings=tuple(code for code in seen.warnings if code != TURN_UNSURE),
    ), True


# --- where it lies ------------------------------------------------------------------------------------------------


def _places(reading: BoardReading, word: NamedWord) -> list[Coordinate]:
    """Where the word lies: where it is said to, if it does, or from there the other way; else every place."""
    if word.at is None:
        return [at for at in _anywhere(reading, word.marks) if word.way in (None, at.direction)]
    if _lies(reading, word.marks, word.at):
        return [word.at]
    other = Coordinate(word.at.square, word.at.direction.other)
    clear = _lies(reading, word.marks, other) and not _guessed(reading, word.marks, other)
    return [other] if clear and word.way is None else []


def _anywhere(reading: BoardReading, marks: Sequence[Mark]) -> list[Coordinate]:
    """Every place where the marks lie as a word of its own; where there is none, those where they are part of one."""
    every = (Coordinate(square, way) for row in SQUARES for square in row for way in Direction)
    found = [at for at in every if _lies(reading, marks, at)]
    board = Board(reading.rows)
    whole = [at for at in found if len(_run(board, at, len(marks))) == len(marks)]
    return whole or found


def _lies(reading: BoardReading, marks: Sequence[Mark], at: Coordinate) -> bool:
    """Whether the photo can be of these tiles at this place."""
    return all(_fits(reading, square, mark) for square, mark in _squares(marks, at))


def _squares(marks: Sequence[Mark], at: Coordinate) -> Iterator[tuple[Square, Mark]]:
    for k, mark in enumerate(marks):
        yield at.square.step(at.direction, k), mark


def _fits(reading: BoardReading, square: Square, mark: Mark) -> bool:
    """Whether a tile as named may lie there: it is seen there, or is a fair candidate, or nothing is seen at all."""
    if not square.on_board:
        return False
    if reading.hidden[square]:
        return True
    shown = reading.rows[square.row][square.col]
    if mark.tile is None:
        return shown != EMPTY
    if is_blank(mark.tile):
        return shown == BLANK or _share(reading, square, BLANK) >= FAIR
    return shown in (mark.tile, BLANK) or _share(reading, square, mark.tile) >= FAIR


def _share(reading: BoardReading, square: Square, char: str) -> float:
    return dict(reading.at(square).candidates).get(char, 0.0)


def _run(board: Board, at: Coordinate, length: int) -> tuple[Square, ...]:
    last = at.square.step(at.direction, length - 1)
    return board.run(at.square, last, at.direction)


def _not_found(basis: Dispute, word: NamedWord, places: Sequence[Coordinate]) -> Dispute:
    """What lies at the place instead, and where else the word lies."""
    reading = basis.observations[0].reading
    assert reading is not None
    notes = []
    if word.at is None:
        at = ", ".join(format_coordinate(place, NOTATION) for place in places)
        notes.append(Note("dispute.several" if places else "dispute.nowhere", {"word": word.text, "places": at}))
    else:
        squares = [square for square, _ in _squares(word.marks, word.at) if square.on_board]
        there = "".join(reading.rows[square.row][square.col] for square in squares)
        values = {
            "first": format_square(squares[0], NOTATION),
            "last": format_square(squares[-1], NOTATION),
            "there": there.replace(EMPTY, "·"),
            "word": word.text,
        }
        if len(squares) < len(word.marks):
            notes.append(Note("dispute.no-room", values | {"room": len(squares), "count": len(word.marks)}))
        elif not there.strip(EMPTY):
            notes.append(Note("dispute.nothing-there", values))
        else:
            notes.append(Note("dispute.other-there", values))
            unlike = [square for square, mark in _squares(word.marks, word.at) if not _fits(reading, square, mark)]
            shares = [
                f"{format_square(square, NOTATION)} {reading.rows[square.row][square.col].replace(EMPTY, '·')} "
                f"{min(reading.confidence[square], MOST_SURE):.0%}"
                for square in unlike
            ]
            notes.append(Note("dispute.seen-there", {"squares": ", ".join(shares)}))
        clear = [place for place in _anywhere(reading, word.marks) if not _guessed(reading, word.marks, place)]
        if clear:
            at = ", ".join(format_coordinate(place, NOTATION) for place in clear)
            notes.append(Note("dispute.lies-at", {"word": word.text, "places": at}))
    result = _result(basis, None, Board(reading.rows))
    return replace(basis, kind=NOT_THERE, before=Board(reading.rows), notes=tuple(notes), result=result)


def _guessed(reading: BoardReading, marks: Sequence[Mark], at: Coordinate) -> bool:
    """Whether a letter of it is only possible there, not seen."""
    return any(
        reading.hidden[square]
        or (mark.tile is not None and reading.rows[square.row][square.col] not in (mark.tile.upper(), BLANK))
        for square, mark in _squares(marks, at)
    )


# --- which tiles were new -----------------------------------------------------------------------------------------


def _counted(basis: Dispute, seen: Observation, at: Coordinate, word: NamedWord, notes: list[Note]) -> Dispute:
    reading, rules, tile_set = seen.reading, basis.rules, basis.tile_set
    assert reading is not None
    said = {square: mark.tile for square, mark in _squares(word.marks, at) if mark.tile is not None}
    board = _as_named(Board(reading.rows), reading, said)
    # a tile that is said to lie under a hand
    board = board.placed({s: BLANK for s, _ in _squares(word.marks, at) if board.at(s) is None})
    run = _run(board, at, len(word.marks))
    if len(run) > len(word.marks):
        whole = "".join(board.at(square) or "" for square in run)
        text = f"{format_coordinate(Coordinate(run[0], at.direction), NOTATION)} {whole}"
        notes.append(Note("score.whole-word", {"move": text}))
    asked: Question | None = None
    ranked = _ways(board, at, run, word, rules, tile_set)
    plays = [scored(board.removed(way.new), way.play, rules, tile_set) for way in ranked]
    if not ranked[0].sound:
        notes.append(Note("dispute.no-way"))
        asked = Question("which-lay-there", run)
    move = plays[0]
    found = replace(basis, kind=LAID, before=move.board, moves=(move,), probability=ranked[0].share)
    found = replace(found, result=_result(found, move.play, move.board))
    assert found.result is not None

    alternatives: tuple[Alternative, ...] = ()
    likeliest = {one.score: (one, way.share) for one, way in zip(reversed(plays), reversed(ranked), strict=True)}
    if len(likeliest) > 1:
        asked = Question("which-lay-there", run)
        shown = sorted(likeliest.values(), key=lambda pair: -pair[1])[:MOST_SHOWN]
        alternatives = tuple(Alternative(one, probability=share) for one, share in shown)
    elif len(plays) > 1:
        notes.append(Note("dispute.all-the-same"))
    if TURN_UNSURE in seen.warnings or "grid-unsure" in seen.warnings:
        code = TURN_UNSURE if TURN_UNSURE in seen.warnings else "grid-unsure"
        asked, alternatives = Question(code, run), ()
    doubts = [
        doubt
        for doubt in letter_doubts(found.moves, lambda square: [reading])
        if not _confirmed(doubt, said.get(doubt.square))
    ]
    doubts = [_named_first(doubt, reading, said.get(doubt.square)) for doubt in doubts]
    found = with_doubts(found, doubts, asked, notes, found.result)
    return replace(found, alternatives=alternatives) if alternatives else found


def _as_named(board: Board, reading: BoardReading, said: dict[Square, str]) -> Board:
    """The position with the letters that were named: of blanks, and of tiles that are not clear."""
    for square, tile in said.items():
        shown = board.at(square)
        if shown is not None:
            board = board.removed([square])
        # a blank is seen, the letter it stands for is said
        blank = is_blank(tile) or (shown == BLANK and not reading.hidden[square])
        board = board.placed({square: (tile if tile == BLANK else tile.lower()) if blank else tile})
    return board


def _confirmed(doubt: Doubt, said: str | None) -> bool:
    """Whether a tile that is not quite clear is what was said, so that the two agree."""
    if said is None or doubt.hidden or not doubt.candidates:
        return False
    shown = doubt.candidates[0][0]
    return shown == (BLANK if is_blank(said) else said) and doubt.sureness > 0


def _named_first(doubt: Doubt, reading: BoardReading, said: str | None) -> Doubt:
    """The doubt with the letter that was named first, and the letter that is seen."""
    if said is None or doubt.hidden:
        return doubt
    char = BLANK if is_blank(said) else said
    others: Candidates = tuple(pair for pair in doubt.candidates if pair[0] != char)
    return replace(doubt, candidates=((char, _share(reading, doubt.square, char)), *others))


@dataclass(frozen=True)
class _Way:
    """One way in which the word can have been laid: the new tiles, the play they make, its share among all ways, and
    whether it can have been so."""

    new: frozenset[Square]
    play: Play
    share: float = 1.0
    sound: bool = True


def _ways(
    board: Board, at: Coordinate, run: Sequence[Square], word: NamedWord, rules: RuleSet, tile_set: TileSet
) -> list[_Way]:
    """Every way in which the word can have been laid, the likeliest first; where there is none, the one that is said
    or lies nearest, with its faults.

    Which tiles were new is known where it was said with dots. Else each tile speaks for itself (naive Bayes) with the
    shares above: a tile that no other word crosses was new, since else it would have hung on nothing but its
    neighbours in the word; one in the middle of a crossing word lay there, since else that word would have been two.
    """
    if word.dotted:
        named = [square for square, mark in _squares(word.marks, at) if not mark.lies]
        new = frozenset(run if word.all_new else named)
        play = _play(board, new, rules, tile_set)
        return [_Way(new, play, sound=not play.faults & ~SUPPLY and _sound(board, new, rules))]
    old = {square: _old(board, square, at.direction.other) for square in run}
    found = []
    for count in range(1, min(len(run), rules.rack_size) + 1):
        for chosen in combinations(run, count):
            new = frozenset(chosen)
            if _sound(board, new, rules) and not (play := _play(board, new, rules, tile_set)).faults & ~SUPPLY:
                share = prod(1 - old[square] if square in new else old[square] for square in run)
                found.append(_Way(new, play, share))
    if not found:
        new = frozenset(square for square in run if old[square] == OLD_ALONE) or frozenset(run)
        return [_Way(new, _play(board, new, rules, tile_set), sound=False)]
    found.sort(key=lambda way: -way.share)
    found = [way for way in found if way.share > LEAST_SHARE * found[0].share]
    total = sum(way.share for way in found)
    return [replace(way, share=way.share / total) for way in found]


def _old(board: Board, square: Square, across: Direction) -> float:
    """How usual it is that the tile of a word on this square lay there before."""
    crossing = board.run(square, square, across)
    if len(crossing) == 1:
        return OLD_ALONE
    if square not in (crossing[0], crossing[-1]):
        return OLD_INSIDE
    return OLD_END_OF_TWO if len(crossing) == 2 else OLD_END


def _play(board: Board, new: frozenset[Square], rules: RuleSet, tile_set: TileSet) -> Play:
    tiles = {square: board.at(square) or BLANK for square in new}
    return score_placement(board.removed(new), Placement.of(tiles), rules, tile_set)


def _sound(board: Board, new: frozenset[Square], rules: RuleSet) -> bool:
    """Whether the position before can have been: its tiles cover the star and hang together as they do now."""
    before = board.removed(new)
    if len(before.occupied) < 2:
        return before.is_empty  # the first word had two letters
    return before.at(rules.layout.star) is not None and _groups(before) <= _groups(board)


def _groups(board: Board) -> int:
    """How many groups of tiles there are that do not touch each other."""
    left, groups = set(board.occupied), 0
    while left:
        groups += 1
        reached = [left.pop()]
        while reached:
            for square in reached.pop().neighbours:
                if square in left:
                    left.remove(square)
                    reached.append(square)
    return groups


def _result(found: Dispute, play: Play | None, before: Board) -> Recount:
    """The one photo as a game, for its report."""
    board = before.placed(play.placement.fitting(before)) if play else before
    totals = (play.score if play else 0, 0)
    kind = "place" if play else "unclear"
    share = found.probability
    entry = RecountEntry(found.observations[0], kind, 0, play, play is not None, totals, probability=share)
    return Recount(found.rules, found.tile_set, ("A", "B"), (entry,), board, entry.totals)
