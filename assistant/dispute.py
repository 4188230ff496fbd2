"""A quarrel about one move: from two photos, or one and the word named, to what was laid and what it counts.

Pure: observations in, a value out. What the two photos show is decided as in a whole game (``assistant.recount``), with
the position on the first one taken as given. Beyond that every tile of the words counts here, the old ones too: no
other photo of the game can settle them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assistant.advice import advice
from assistant.doubts import CLEARLY, MOST_NAMED, NO_CLUE, Question
from assistant.questions import ask
from assistant.recount import SURE, Answer, Recount, RecountEntry, recount
from assistant.scored_move import ScoredMove
from assistant.texts import Texts
from scorer.board import SQUARES, Board, Direction, Square
from scorer.explain import Language, challenge_consequences
from scorer.letter_model import Prior
from scorer.notation import Mark, MoveText, Notation, format_square
from scorer.placement import Placement
from scorer.rules import RuleSet
from scorer.scoring import Play, score_placement
from scorer.tiles import BLANK, TileSet, is_blank
from vision.letters import fused
from vision.observe import Observation
from vision.reading import EMPTY, BoardReading
from vision.sequence import NEAR_HAND
from vision.steps import NO_MOVE
from vision.wording import Candidates

NOTATION = Notation.GERMAN
PLAYERS = ("A", "B")

WORTH_NAMING = 0.01
"""Another letter is named as a possible one from this probability on."""

AS_IT_STOOD = Answer(kind="start", totals=(0,) * len(PLAYERS), next_player=0)
"""What lies on the first photo lay there before; what it counted is not asked."""

LETTER_QUESTIONS = ("which-letter", "covered-tile")

UNREADABLE, SAME_PHOTO, NOTHING_NEW, LAID = "unreadable", "same-photo", "none", "place"
WITHDRAWN, SWAPPED, OTHER, MORE_MOVES = "withdrawn", "swapped", "other-position", "more-moves"
NOT_THERE = "not-there"


@dataclass(frozen=True)
class Alternative:
    """Another way to see the move, and what it would count. square, tile: which tile is another one then; None and ""
    where the same tiles lie there, but others of them are new."""

    move: ScoredMove
    square: Square | None = None
    tile: str = ""
    probability: float = 0.0


@dataclass(frozen=True)
class Note:
    """Something a person should know: key of its text with the values it names."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, texts: Texts) -> str:
        return texts(self.key, **self.values)


@dataclass(frozen=True)
class Dispute:
    """What the photos say.

    kind:         place (a move, or two), none (nothing new), withdrawn (tiles taken back), swapped (the second photo
                  shows less than the first), same-photo, other-position, more-moves, not-there (another word than the
                  one named), unreadable
    observations: in the order in which they were named
    before:       the position before the moves, None where there is none
    moves:        in order; the quarrel is about the last one. With kind withdrawn or swapped the move that is gone
    question:     the one thing to ask, None where all is clear
    alternatives: what the move would count under the other answers
    notes:        what else a person should know
    doubtful:     squares of the words whose tile no photo shows for sure
    probability:  that the photos were taken for the right thing, letters apart
    result:       the same as a game of these photos, for pictures and reports
    """

    kind: str
    rules: RuleSet
    tile_set: TileSet
    observations: tuple[Observation, ...]
    before: Board | None = None
    moves: tuple[ScoredMove, ...] = ()
    question: Question | None = None
    alternatives: tuple[Alternative, ...] = ()
    notes: tuple[Note, ...] = ()
    doubtful: tuple[Square, ...] = ()
    probability: float = 1.0
    result: Recount | None = None

    @property
    def move(self) -> ScoredMove | None:
        return self.moves[-1] if self.moves else None

    @property
    def after(self) -> Board | None:
        """The position on the later photo."""
        if self.before is None or self.move is None:
            return self.before
        return self.move.board.placed(self.move.play.placement.fitting(self.move.board))

    @property
    def status(self) -> int:
        """Exit status: 0 answered, 1 against the rules or something is open, 3 a photo cannot be read."""
        if self.kind == UNREADABLE:
            return 3
        settled = self.kind in (LAID, NOTHING_NEW, WITHDRAWN) and self.question is None
        return 0 if settled and all(move.play.legal for move in self.moves) else 1


# --- two photos ---------------------------------------------------------------------------------------------------


def dispute_of(
    observations: Sequence[Observation], rules: RuleSet, tile_set: TileSet, prior: Prior | None = None
) -> Dispute:
    """What was laid between two photos; ``prior`` as in ``assistant.recount``."""
    first, second = observations
    basis = Dispute("", rules, tile_set, (first, second))
    if not (first.found and second.found):
        return replace(basis, kind=UNREADABLE)
    if first.digest and first.digest == second.digest:
        return replace(basis, kind=SAME_PHOTO)

    def counted(one: Observation, other: Observation, answer: Answer | None = None) -> Recount:
        answers = {0: AS_IT_STOOD} | ({1: answer} if answer else {})
        return recount([one, other], PLAYERS, rules, tile_set, prior, answers)

    def whole(one: Observation, other: Observation) -> Recount:
        """That the second photo shows the whole move was said when it was named, unless a hand may hide some of it."""
        found = counted(one, other)
        asked = found.entries[1].question
        if asked is None or asked.code != "mid-move-or-move" or _hand_near(other, asked.squares):
            return found
        forced = counted(one, other, Answer(kind="place"))
        return forced if _is_move(forced) else found

    result = whole(first, second)
    start, entry = result.entries
    if _is_move(result):
        return _laid(replace(basis, probability=entry.probability), result, entry.question)
    one, other = start.observation, entry.observation  # in the turn that the tiles of the other tell
    nothing_new = entry.kind == "none" or (entry.question is None and entry.why == "burst")
    if not nothing_new or _bare(one, other):
        if (gone := _gone(basis, whole(second, first))) is not None:
            return gone
        if (first_move := _after_initials(basis, recount([one, other], PLAYERS, rules, tile_set, prior))) is not None:
            return first_move
    missing = _missing(one, other)
    basis = replace(basis, probability=entry.probability)
    if nothing_new:
        asked = _of_first(entry.question, start) or _tile_gone(result)
        if asked is not None and asked.code in ("depends", "answer-differs"):
            asked = Question("nothing-new")
        notes = tuple(_differing(entry))
        shown = asking(result, asked)
        return replace(basis, kind=NOTHING_NEW, before=result.board, question=asked, notes=notes, result=shown)
    other_position = start.withdrawn or (entry.question is not None and entry.question.code == "other-position")
    if not (missing and other_position):
        forced = counted(first, second, Answer(kind="place", confirmed=True))
        if _is_move(forced):
            laid = _laid(basis, forced, _asked(entry))
            new = sum(len(move.play.placement) for move in laid.moves)
            if all(move.play.words for move in laid.moves) or new <= rules.rack_size:
                return laid
        note = Note("dispute.more-moves-count", {"count": len(_tiles(other) - _tiles(one)), "photo": second.name})
        return replace(basis, kind=MORE_MOVES, notes=(note,), result=asking(result, None))
    question = Question("other-position", tuple(sorted(missing))[:MOST_NAMED])
    return replace(basis, kind=OTHER, question=question, result=asking(result, question))


def _hand_near(seen: Observation, squares: Sequence[Square]) -> bool:
    assert seen.reading is not None
    covered = seen.reading.hidden
    return any(
        covered[
            max(s.row - NEAR_HAND, 0) : s.row + NEAR_HAND + 1, max(s.col - NEAR_HAND, 0) : s.col + NEAR_HAND + 1
        ].any()
        for s in squares
    )


def _is_move(result: Recount) -> bool:
    start, entry = result.entries
    return entry.kind == "place" and entry.play is not None and bool(entry.play.placement.tiles) and not start.withdrawn


def _asked(entry: RecountEntry) -> Question:
    """The question of an entry that was not taken for a move at first."""
    if entry.question is None or entry.question.code == "other-position":
        return Question("unsure-move")
    return entry.question


def _laid(basis: Dispute, result: Recount, asked: Question | None) -> Dispute:
    """The moves of the second entry, with everything that is open about them."""
    start, entry = result.entries
    assert entry.play is not None
    asked = _of_first(asked, start)
    plays = [one.play for one in entry.before] + [entry.play]
    new = {square for play in plays for square in play.placement.squares}
    board = before = result.board.removed(new & result.board.occupied)
    moves = []
    for play in plays:
        moves.append(scored(board, play, basis.rules, basis.tile_set))
        board = board.placed(play.placement.fitting(board))
    readings = [one.observation.reading for one in (start, entry)]
    both = [reading for reading in readings if reading is not None]
    doubts = letter_doubts(moves, lambda square: both[-1:] if square in new else both)
    if asked is not None and asked.code == "depends":
        asked = None if doubts else Question("unsure-move")  # the letters that it hangs on are asked about
    if asked is not None and asked.code == "answer-differs":  # the answers are those of this module
        asked = Question("unsure-move")
    if asked is not None and asked.code == "unsure-move":
        firsts = tuple(move.play.placement.squares[0] for move in moves)
        squares = tuple(sorted(new))[:MOST_NAMED]
        asked = Question("two-moves", firsts) if len(moves) > 1 else Question("unsure-move", squares)
    notes = [*_differing(entry)]
    if before.is_empty:
        notes.append(Note("dispute.first-move"))
    if _earlier(basis.observations[1], basis.observations[0]):
        notes.append(Note("dispute.clock"))
    return with_doubts(replace(basis, kind=LAID, before=before, moves=tuple(moves)), doubts, asked, notes, result)


def _of_first(asked: Question | None, start: RecountEntry) -> Question | None:
    """What is to be asked where the move hangs on what lies on the first photo; its letters are asked about anyway."""
    if asked is None or asked.code != "depends":
        return asked
    if start.question is not None and start.question.code not in LETTER_QUESTIONS:
        return start.question
    reading = start.observation.reading
    assert reading is not None
    no_tile = np.exp(reading.log_probs[..., reading.index[EMPTY]])
    row, col = np.unravel_index(np.abs(no_tile - 0.5).argmin(), no_tile.shape)
    open_ = 1 - SURE < no_tile[row, col] < SURE
    return Question("tile-before", (Square(int(row), int(col)),)) if open_ else asked


def _gone(basis: Dispute, swapped: Recount) -> Dispute | None:
    """The first photo shows one legal move more than the second: the photos are swapped, or the tiles were taken back.
    Only the cameras' clock can tell."""
    entry = swapped.entries[1]
    if not _is_move(swapped) or entry.faults or entry.before or entry.probability < SURE:
        return None
    laid = _laid(replace(basis, probability=entry.probability), swapped, entry.question)
    notes = tuple(note for note in laid.notes if note.key != "dispute.clock")
    first, second = basis.observations
    if _earlier(first, second):
        return replace(laid, kind=WITHDRAWN, notes=notes)
    if _earlier(second, first):
        return replace(laid, notes=(Note("dispute.swapped-by-clock"), *notes))
    if laid.question is not None and laid.question.squares:
        notes = (*notes, _unclear(laid.question.squares))
    squares = entry.play.placement.squares if entry.play else ()
    question = Question("swapped-or-taken-back", squares[:MOST_NAMED])
    return replace(laid, kind=SWAPPED, question=question, notes=notes, result=asking(swapped, question))


def _earlier(one: Observation, other: Observation) -> bool:
    return one.taken is not None and other.taken is not None and one.taken < other.taken


def _tiles(seen: Observation) -> frozenset[Square]:
    return seen.reading.showing(lambda char: char != EMPTY) if seen.reading else frozenset()


def _bare(first: Observation, second: Observation) -> bool:
    """Whether the second photo shows no tile somewhere, clearly or not, where the first one shows one."""
    assert second.reading is not None
    return any(
        second.reading.rows[square.row][square.col] == EMPTY and not second.reading.hidden[square]
        for square in _tiles(first)
    )


def _missing(first: Observation, second: Observation) -> frozenset[Square]:
    """Squares of tiles on the first photo that the second clearly does not show."""
    assert first.reading is not None and second.reading is not None
    one, other = first.reading, second.reading
    return frozenset(
        square
        for square in _tiles(first)
        if one.confidence[square] > CLEARLY
        and other.confidence[square] > CLEARLY
        and not other.hidden[square]
        and other.rows[square.row][square.col] != one.rows[square.row][square.col]
    )


def _tile_gone(result: Recount) -> Question | None:
    """About tiles that lie there on the first of two photos and not on the second, though it is the same board."""
    if len(result.entries) < 2 or result.entries[0].kind == NO_MOVE:
        return None
    first, second = (entry.observation for entry in result.entries)
    assert second.reading is not None
    gone = [square for square in _missing(first, second) if second.reading.rows[square.row][square.col] == EMPTY]
    return Question("tile-gone", tuple(sorted(gone))[:MOST_NAMED]) if gone else None


def _after_initials(basis: Dispute, result: Recount) -> Dispute | None:
    """The first move, where the first photo shows the letters that were laid to name the players."""
    start, entry = result.entries
    named = start.why == "initials" and BLANK in {tile for _, tile in _tiles_of(start.observation)}
    if not named or not _is_move(result) or start.question is not None or start.probability < SURE:
        return None
    found = _laid(replace(basis, probability=entry.probability), result, entry.question)
    kept = tuple(note for note in found.notes if note.key != "dispute.first-move")
    return replace(found, notes=(Note("dispute.initials"), *kept))


def _tiles_of(seen: Observation) -> Iterable[tuple[Square, str]]:
    return Board(seen.reading.rows) if seen.reading else ()


def _differing(entry: RecountEntry) -> Iterable[Note]:
    for one in entry.differences:
        if one.seen != EMPTY:
            square = format_square(one.square, NOTATION)
            yield Note("dispute.differs", {"square": square, "before": one.recorded, "after": one.seen})
        else:
            yield Note("dispute.missing", {"square": format_square(one.square, NOTATION), "before": one.recorded})


# --- what is open -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Doubt:
    """A tile of the words that is not sure. hidden: in all photos; candidates: likeliest first"""

    square: Square
    sureness: float
    candidates: Candidates
    hidden: bool = False


def letter_doubts(moves: Sequence[ScoredMove], readings_of: Callable[[Square], list[BoardReading]]) -> list[Doubt]:
    """The tiles of all words that no photo shows for sure, the least sure first.

    readings_of: gives the readings of the tile on a square, those of all photos in which it lies
    """
    found = []
    for square in sorted({letter.square for move in moves for word in move.play.words for letter in word.letters}):
        readings = readings_of(square)
        visible = [reading for reading in readings if not reading.hidden[square]]
        if not visible:
            found.append(Doubt(square, 0.0, (), hidden=True))
            continue
        ranked = fused(visible, square)
        alone = [fused([reading], square) for reading in visible]
        sure = [one[0][0] for one in alone if one and one[0][1] >= SURE]
        if len(set(sure)) > 1:  # surely one tile on the one photo, surely another on the other
            found.append(Doubt(square, 0.0, tuple((char, 1 / len(set(sure))) for char in dict.fromkeys(sure))))
        elif not ranked or ranked[0][1] < NO_CLUE:
            found.append(Doubt(square, 0.0, (), hidden=True))
        elif ranked[0][1] < SURE or all(square in reading.suspects for reading in visible):
            named = tuple(pair for k, pair in enumerate(ranked[:3]) if k == 0 or pair[1] >= WORTH_NAMING)
            found.append(Doubt(square, min(ranked[0][1], SURE), named))
    return sorted(found, key=lambda doubt: doubt.sureness)


def with_doubts(
    found: Dispute, doubts: Sequence[Doubt], asked: Question | None, notes: Sequence[Note], result: Recount
) -> Dispute:
    """The dispute with its one question, the other answers' points, and the rest of the doubts as notes.

    asked: what is open about the move as a whole, which comes first; a question about a letter is found anew here
    """
    later = [*LETTER_QUESTIONS, "against-the-rules"]
    if any(doubt.hidden for doubt in doubts):
        later.append("mid-move-or-move")  # which tile is under the hand settles more
    structural = asked if asked and asked.code not in later else None
    question, rest = structural, list(doubts)
    alternatives: tuple[Alternative, ...] = ()
    if question is None and rest:
        doubt = rest.pop(0)
        question = _letter_question(doubt)
        alternatives = _other_letters(found, doubt)
    if question is None:
        question = _tile_gone(result)
    if question is None:
        covered = covered_beside(found.moves, [entry.observation.reading for entry in result.entries])
        question = Question("covered-beside", covered) if covered else asked
    if rest:
        notes = [*notes, _unclear([doubt.square for doubt in rest])]
    shown = asking(result, question, found.probability)
    doubtful = tuple(sorted(doubt.square for doubt in doubts))
    found = replace(found, question=question, alternatives=alternatives, notes=tuple(notes), result=shown)
    return replace(found, doubtful=doubtful)


def _unclear(squares: Iterable[Square]) -> Note:
    return Note("dispute.also-doubtful", {"squares": ", ".join(format_square(one, NOTATION) for one in squares)})


def asking(result: Recount, question: Question | None, probability: float | None = None) -> Recount:
    """The same game with this one question, to its last photo, and that one's probability."""
    *others, entry = (replace(one, question=None) for one in result.entries)
    probability = entry.probability if probability is None else probability
    return replace(result, entries=(*others, replace(entry, question=question, probability=probability)))


def _letter_question(doubt: Doubt) -> Question:
    if doubt.hidden:
        return Question("covered-tile", (doubt.square,))
    code = "which-letter" if len(doubt.candidates) > 1 else "one-letter"
    return Question(code, (doubt.square,), doubt.candidates)


def _other_letters(found: Dispute, doubt: Doubt) -> tuple[Alternative, ...]:
    """The move with each possible letter on the square in doubt; nothing where there is only one."""
    if found.move is None or len(doubt.candidates) < 2:
        return ()
    return tuple(
        Alternative(with_tile(found.move, doubt.square, char), doubt.square, char, share)
        for char, share in doubt.candidates
    )


def with_tile(move: ScoredMove, square: Square, char: str) -> ScoredMove:
    """The move with another tile on a square, old or new."""
    board, tiles = move.board, dict(move.play.placement.tiles)
    if square in tiles:
        tiles[square] = char
    elif board.at(square) is not None:
        board = board.removed([square]).placed({square: char})
    play = score_placement(board, Placement.of(tiles), move.rules, move.tile_set)
    return scored(board, play, move.rules, move.tile_set)


def covered_beside(moves: Sequence[ScoredMove], readings: Sequence[BoardReading | None]) -> tuple[Square, ...]:
    """Free squares at the ends of the words that are covered, so that a word may be longer than it looks. Across the
    line of the move only where every photo hides them: what an earlier one shows as free is free still."""
    seen = [reading for reading in readings if reading is not None]
    found = set()
    for move in moves:
        board = move.board.placed(move.play.placement.fitting(move.board))
        borders: list[tuple[Square, bool]] = []
        for k, word in enumerate(move.play.words):
            ends = word.start.step(word.direction, -1), word.letters[-1].square.step(word.direction)
            borders += [(square, k == 0) for square in ends]
            if k == 0:
                sides = [s.step(word.direction.other, way) for s in move.play.placement.squares for way in (-1, 1)]
                borders += [(square, False) for square in sides]
        for square, in_line in borders:
            if square.on_board and board.at(square) is None:
                last, *earlier = reversed(seen)
                hidden = last.hidden[square] and (in_line or all(reading.hidden[square] for reading in earlier))
                if hidden:
                    found.add(square)
    return tuple(sorted(found))


def scored(board: Board, play: Play, rules: RuleSet, tile_set: TileSet) -> ScoredMove:
    """A play that was seen, as a written move on its board."""
    return ScoredMove(board, _written(play), play, rules, tile_set, NOTATION)


def _written(play: Play) -> MoveText:
    """The move that a play is; tiles in no line are written one after another from the first on."""
    if play.words:
        word = play.words[0]
        marks = tuple(Mark(one.tile, False) if one.new else Mark(None, True) for one in word.letters)
        return MoveText(word.start, word.direction, marks)
    placement = play.placement
    direction = placement.direction or Direction.ACROSS
    if not placement.in_line:
        return MoveText(placement.squares[0], direction, tuple(Mark(tile, False) for _, tile in placement.tiles))
    found, square = [], placement.squares[0]
    while square <= placement.squares[-1]:
        tile = placement.by_square.get(square)
        found.append(Mark(tile, tile is None))
        square = square.step(direction)
    return MoveText(placement.squares[0], direction, tuple(found))


# --- sentences and JSON -------------------------------------------------------------------------------------------


def challenge_lines(move: ScoredMove, texts: Texts) -> list[str]:
    """What a challenge of the move would be about, who decides, and what it costs; nothing about whether its words are
    allowed (R7.7). Nothing for a move that the rules forbid anyway."""
    if not move.play.legal:
        return []
    language: Language = "de" if texts.language == "de" else "en"
    lines = challenge_consequences(move.play, 0, 1, PLAYERS, move.rules, language)
    return [texts(f"dispute.authority.{move.rules.word_authority}"), *lines]


def fault_sentences(move: ScoredMove, texts: Texts) -> list[str]:
    """What the rules hold against a move that was seen: no word of a written one."""
    gap = "dispute.gap" if not move.play.words else ""
    found = move.faults(texts)
    if gap and "gap" in move.play.faults.codes:
        free = [s for row in SQUARES for s in row if _in_gap(move, s)]
        names = ", ".join(format_square(square, NOTATION) for square in free)
        at = move.play.faults.codes.index("gap")
        found[at : at + 1] = [texts(gap, squares=names)]
    return found


def _in_gap(move: ScoredMove, square: Square) -> bool:
    squares = move.play.placement.squares
    first, last = squares[0], squares[-1]
    inside = first.row <= square.row <= last.row and first.col <= square.col <= last.col
    return inside and square not in squares and move.board.at(square) is None


def blank_notes(found: Dispute, texts: Texts) -> list[str]:
    """Blanks in the words, which count 0; whoever laid one says which letter it is. Nothing of tiles in doubt."""
    letters = (one for move in found.moves for word in move.play.words for one in word.letters)
    blanks = {one.square: one.tile for one in letters if is_blank(one.tile) and one.square not in found.doubtful}
    return [
        texts(
            "dispute.blank" if tile == BLANK else "dispute.blank-named",
            square=format_square(square, NOTATION),
            letter=tile.upper(),
        )
        for square, tile in sorted(blanks.items())
    ]


def question_sentence(found: Dispute, texts: Texts) -> str | None:
    """The one question, None where there is none."""
    if found.question is None or found.result is None:
        return None
    return ask(replace(found.result.entries[-1], question=found.question), texts)


def as_json(found: Dispute, texts: Texts) -> dict[str, Any]:
    """What the command writes with ``--json``: all moves, the last one's values also at the top.

    ``before`` and ``after`` are the positions on the two photos as they were named, for kind swapped the other way.
    """
    move, boards = found.move, [found.before, found.after]
    if found.kind == WITHDRAWN:
        boards.reverse()
    moves = [_move_json(one, texts) for one in found.moves]
    before, after = (list(board.rows) if board is not None else None for board in boards)
    return {
        "kind": found.kind,
        "photos": [
            {
                "photo": seen.name,
                "found": seen.found,
                "reason": seen.reason,
                "warnings": list(seen.warnings),
                "advice": advice(seen, texts) if seen.found else [],
            }
            for seen in found.observations
        ],
        "rules": found.rules.name,
        "rule_set": found.rules.to_json(),
        "before": before,
        "after": after,
        "moves": moves,
        **{key: moves[-1][key] if moves else None for key in ("word", "tiles", "words", "score", "steps", "faults")},
        "legal": all(one.play.legal for one in found.moves) if found.moves else None,
        "question": question_sentence(found, texts),
        "question_code": found.question.code if found.question else None,
        "doubtful": [[square.row, square.col] for square in found.doubtful],
        "alternatives": [_alternative_json(one) for one in found.alternatives],
        "notes": [note.text(texts) for note in found.notes],
        "challenge": challenge_lines(move, texts) if move and found.kind != WITHDRAWN else [],
        "probability": round(found.probability, 4),
    }


def _move_json(move: ScoredMove, texts: Texts) -> dict[str, Any]:
    main = move.play.main_word
    return {
        "row": main.start.row if main else None,
        "col": main.start.col if main else None,
        "direction": str(main.direction) if main else None,
        "word": main.word if main else None,
        **move.to_json(texts),
        "messages": fault_sentences(move, texts),
        "steps": move.steps(texts),
    }


def _alternative_json(one: Alternative) -> dict[str, Any]:
    return {
        "move": one.move.written,
        "words": [{"word": word.word, "score": word.score} for word in one.move.play.words],
        "score": one.move.score,
        "square": list(one.square) if one.square else None,
        "tile": one.tile or None,
        "probability": round(one.probability, 4),
    }
