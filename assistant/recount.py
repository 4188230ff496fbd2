"""From the photos of one game, in order, to its score sheet.

Three passes: what each photo was taken for, by all of them (``vision.sequence``); which letter each tile has
(``vision.letters``); the points. Pure: observations in, a value out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assistant.blanks import OpenBlank
from assistant.checks import Check, cross_checks
from assistant.doubts import LEAVES_OPEN, MOST_NAMED, Question, contradicted, denied, differs, doubt_of, play_hinges_on
from scorer.adjudication import Referee
from scorer.board import Board, Square
from scorer.errors import BrettblickError
from scorer.events import Event, NothingLaid, Placed, Withdrawn
from scorer.game import Game, GameState, advance, replay
from scorer.letter_model import Prior
from scorer.lexicon import Verdict, WordList
from scorer.notation import MoveText, Notation
from scorer.placement import Placement, PlacementFault
from scorer.rules import RuleSet
from scorer.scoring import Play, WordScore, score_placement
from scorer.tiles import BLANK, TileSet
from vision.burst import burst_reading, bursts, same_file
from vision.letters import Settled, settle_letters
from vision.nudge import Nudge
from vision.observe import Observation
from vision.reading import EMPTY, TileReader
from vision.sequence import Given, Start, Told, decode
from vision.steps import NO_MOVE, MoveRef, Step, known_move
from vision.turning import TURN_UNSURE
from vision.wording import Candidates

SURE = 0.95
"""Below this probability a question is asked."""

UNDECIDED = 0.6
"""Below this probability of the best explanation the move is left open until the question is answered."""

MISREADINGS = ~PlacementFault.WORD_TOO_SHORT_BY_RULE
"""Faults that a misread photo produces: they are asked about, since a real player rarely lays so."""


class AnswerError(BrettblickError):
    """An answer that cannot be about its photo."""

    code = "bad-answer"


@dataclass(frozen=True)
class Answer:
    """What a person said of a photo, see ``vision.sequence.Given``.

    confirmed:   the entry as proposed is right; of a photo that seems to show another board, that it shows this one
    here:        the photo shows this game, no other board
    totals:      points of the players before the first photo, by seat, where the game had begun by then
    next_player: whose turn it was then
    """

    squares: Mapping[Square, str] = field(default_factory=lambda: MappingProxyType({}))
    kind: str | None = None
    move: MoveText | None = None
    confirmed: bool = False
    first: tuple[Square, ...] = ()
    second: tuple[Square, ...] = ()
    totals: tuple[int, ...] | None = None
    next_player: int | None = None
    here: bool = False

    @property
    def given(self) -> Given:
        """What of it is needed to explain the photos."""
        kind = "start" if self.kind is None and self.totals is not None else self.kind
        return Given(self.squares, kind, self.move, self.first, self.second, self.here)

    @property
    def is_turn(self) -> bool:
        """Whether it says that the photo shows a turn of its own."""
        return self.move is not None or self.kind not in (None, NO_MOVE)

    @property
    def settled(self) -> frozenset[str]:
        """The codes of the questions that it answers whatever the photos say."""
        codes: set[str] = set()
        if self.totals is not None:
            codes.add("begun-before")
        if self.here:
            codes.add("other-position")
        if self.kind is not None or self.move is not None:
            codes |= ABOUT_THE_KIND
        if self.kind == "place" and self.move is None:
            codes.remove("photo-unreadable")  # that there was a move does not say which
        if self.move is not None:
            codes |= {"grid-unsure", TURN_UNSURE}
        return frozenset(codes)


NO_ANSWER = Answer()

REPEATS = ("same-photo", "burst")
"""Why a photo shows no move that repeats the one before."""

ABOUT_THE_KIND = {"pass-or-again", "photo-unreadable", "other-position", "initials-or-move", "mid-move-or-move"}
"""Questions about what a photo shows."""


@dataclass(frozen=True)
class Difference:
    """A tile of an earlier move that the photo clearly shows to be another one, or gone ('.')."""

    square: Square
    recorded: str
    seen: str


@dataclass(frozen=True)
class Revision:
    """What an entry was before later photos were seen.

    kind:    what the photo was taken for then; the same as now when only letters changed
    letters: (square, letter then, letter now) of tiles that were read otherwise by the move's own photo alone
    because: number of the photo that changed what it was taken for, None when only letters changed
    """

    kind: str
    letters: tuple[tuple[Square, str, str], ...]
    because: int | None


@dataclass(frozen=True)
class Before:
    """A move made before the entry's own, of which there is no photo; it counts if that does."""

    player: int
    play: Play
    withdrawn: bool = False


@dataclass(frozen=True)
class RecountEntry:
    """One photo's line of the score sheet; player and totals by seat.

    why:         for what a photo that shows no move was taken (``vision.steps.Step.why``)
    before:      moves that were made before this one since the last photo
    probability: that the photo was taken for the right thing, its letters apart
    candidates:  the tiles of the move's squares, those of `before` too, likeliest first with probabilities
    differences: tiles of earlier moves that are not what they were
    revision:    what later photos have changed, None when nothing
    """

    observation: Observation
    kind: str
    player: int | None
    play: Play | None
    counted: bool
    totals: tuple[int, ...]
    question: Question | None = None
    withdrawn: bool = False
    why: str | None = None
    before: tuple[Before, ...] = ()
    probability: float = 1.0
    candidates: Mapping[Square, Candidates] = field(default_factory=lambda: MappingProxyType({}))
    differences: tuple[Difference, ...] = ()
    revision: Revision | None = None

    @property
    def nudges(self) -> tuple[Nudge, ...]:
        """Tiles that were pushed off their squares on the photo."""
        return self.observation.nudges

    @property
    def faults(self) -> list[str]:
        return self.play.faults.codes if self.play else []


@dataclass(frozen=True)
class Recount:
    """The whole game.

    checks: what does not fit together at its end
    events: what happened by these photos, with whatever stands beside it in the entries
    """

    rules: RuleSet
    tile_set: TileSet
    players: tuple[str, ...]
    entries: tuple[RecountEntry, ...]
    board: Board
    totals: tuple[int, ...] = field(default=())
    checks: tuple[Check, ...] = ()
    events: tuple[Event, ...] = ()


def recount(
    observations: Sequence[Observation],
    players: Sequence[str],
    rules: RuleSet,
    tile_set: TileSet,
    prior: Prior | None = None,
    answers: Mapping[int, Answer] = MappingProxyType({}),
    reader: TileReader | None = None,
) -> Recount:
    """The score sheet of a game; every observation gives one entry. GameError for a bad list of players.

    prior: what has a say about which letter to propose where the photos leave it open, see ``vision.wording``; in a
        game with a closed dictionary it must know no words (``scorer.letter_model.prior_of``)
    answers: by number of the photo
    reader: looks again where tiles seem to be pushed off their squares, see ``vision.nudge``; not recognised if None
    """
    return recount_from(replay(Game(tuple(players), rules, tile_set)), observations, prior, answers, reader)


def recount_from(
    state: GameState,
    observations: Sequence[Observation],
    prior: Prior | None = None,
    answers: Mapping[int, Answer] = MappingProxyType({}),
    reader: TileReader | None = None,
    ghosts: frozenset[Square] = frozenset(),
    empty: frozenset[Square] = frozenset(),
) -> Recount:
    """As ``recount``, of photos that go on with a game of which everything before is known.

    ghosts: squares that look like a blank on earlier photos and are empty
    empty:  squares of which a person has said so of an earlier photo
    """
    rules, tile_set, players = state.game.rules, state.game.tile_set, state.game.players
    moves = _last_moves(state)
    start = Start(state.board, tuple(frozenset(squares) for squares in moves.values()), ghosts, empty)
    repeated, observations = _joined(observations, answers)
    given = {number: answer.given for number, answer in answers.items()}
    for number in sorted(repeated.keys() & given.keys()):
        first = max(k for k in range(number) if k not in repeated)
        of_first = given.get(first, Given())
        given[first] = replace(of_first, squares={**of_first.squares, **given[number].squares})
    told, seen = decode(observations, rules, tile_set, repeated, given, start, reader)
    if any(answer.confirmed for answer in answers.values()):
        given, answers, observations = _confirmed(answers, given, told, len(players), observations, seen)
        told, seen = decode(observations, rules, tile_set, repeated, given, start, reader)
    steps = [one.step for one in told]
    readings = [
        None if step.kind == NO_MOVE else one.reading  # what repeats a photo is in that one's reading already
        for step, one in zip(steps, seen, strict=True)
    ]
    known = {
        (number, square): char
        for number, answer in answers.items()
        for square, char in answer.squares.items()
        if char != EMPTY  # that there is none says nothing of its letter
    }
    for number, answer in answers.items():
        if answer.move is not None:
            known |= {(number, square): char for square, char in steps[number].placement.tiles}
    letters = settle_letters(steps, readings, tile_set, SURE, prior, known, state.board)
    if renamed := _renamed(answers, steps, letters):
        letters = settle_letters(steps, readings, tile_set, SURE, prior, renamed | known, state.board)
    events = {known_move(place): number for place, number in enumerate(moves)}
    for ref, number in events.items():
        tiles = {square: state.board.at(square) or EMPTY for square in moves[number]}
        letters[ref] = Settled(tiles, {}, {}, tiles)
    return _scored(told, letters, seen, answers, state, observations, events)


MOST_TAKEN_BACK = 3
"""Moves before the first photo that it may show as taken back."""


def _last_moves(state: GameState) -> dict[int, tuple[Square, ...]]:
    """The squares of the last moves that lie there whole, by the number of their event, in order."""
    standing = [entry for entry in state.plays if not entry.withdrawn and entry.laid]
    whole = [entry for entry in standing if all(state.board.at(square) is not None for square in entry.laid)]
    return {entry.number: entry.laid for entry in whole[-MOST_TAKEN_BACK:]}


def _joined(
    observations: Sequence[Observation], answers: Mapping[int, Answer]
) -> tuple[dict[int, str], list[Observation]]:
    """Which photos repeat the one before, and why, but for those of which people say that they show a turn of their
    own; the first of such photos with what all of them show."""
    repeated: dict[int, str] = {}
    out = list(observations)
    for first, *others in bursts(observations):
        others = [k for k in others if not answers.get(k, NO_ANSWER).is_turn]
        group = [observations[k] for k in (first, *others)]
        repeated |= {k: "same-photo" if same_file(observations[k], group[0]) else "burst" for k in others}
        if others and (reading := burst_reading(group)) is not None:
            out[first] = replace(out[first], reading=reading)
    return repeated, out


def _confirmed(
    answers: Mapping[int, Answer],
    given: Mapping[int, Given],
    told: Sequence[Told],
    players: int,
    observations: Sequence[Observation],
    seen: Sequence[Observation],
) -> tuple[dict[int, Given], dict[int, Answer], list[Observation]]:
    """What follows from the answers that the proposal is right: what people said, the answers and the photos then.

    players: how many there are; seen: the photos in the turn in which the proposal takes them
    """
    said, out, photos = dict(given), dict(answers), list(observations)
    for number, answer in answers.items():
        if not answer.confirmed:
            continue
        if _begun_before(told[number]):
            said[number] = replace(given[number], kind="start")
            nothing = (0,) * players
            out[number] = replace(answer, confirmed=False, kind="start", totals=nothing, next_player=0)
            continue
        if told[number].step.why == "other-board":  # "it belongs to this game" says nothing of its tiles
            said[number], out[number] = replace(given[number], here=True), replace(answer, confirmed=False, here=True)
            continue
        said[number] = replace(given[number], step=told[number].step)
        if seen[number].turns:
            warnings = tuple(code for code in seen[number].warnings if code != TURN_UNSURE)
            photos[number] = replace(seen[number], reading=seen[number].turns[0], turns=(), warnings=warnings)
    return said, out, photos


def _begun_before(one: Told) -> bool:
    """Whether the question about a photo is how it stood then: its "yes" means that nobody had any points."""
    steps = [one.step, *(step for step, _ in one.alternatives[:1] if one.probability < SURE)]
    return any(step.kind == "start" and step.placement.tiles for step in steps)


def _renamed(
    answers: Mapping[int, Answer], steps: Sequence[Step], letters: Mapping[MoveRef, Settled]
) -> dict[tuple[int, Square], str]:
    """Tiles of earlier moves to which a move that a person named gives another letter."""
    out = {}
    for number, answer in answers.items():
        if answer.move is None:
            continue
        lies = {s: char for ref, one in letters.items() if ref < (number, False) for s, char in one.letters.items()}
        square = answer.move.start
        for mark in answer.move.marks:
            there = lies.get(square)
            old = square not in steps[number].placement.by_square and there is not None and there.isupper()
            if old and mark.tile and mark.tile.isupper() and mark.tile != there:
                out[number, square] = mark.tile
            square = square.step(answer.move.direction)
    return out


# --- the score ----------------------------------------------------------------------------------------------------


def _scored(
    told: Sequence[Told],
    letters: Mapping[MoveRef, Settled],
    observations: Sequence[Observation],
    answers: Mapping[int, Answer],
    state: GameState,
    photos: Sequence[Observation],
    known_moves: Mapping[MoveRef, int],
) -> Recount:
    """The entries with players, points and questions, photo by photo.

    observations, photos: with what people said of single squares, and as they were taken
    known_moves: numbers of the events of moves made before the first photo
    """
    entries: list[RecountEntry] = []
    events_before = len(state.game.events)
    event_of = dict(known_moves)  # move -> number of its event
    late: list[int] = []

    def counted(state: GameState, ref: MoveRef, placement: Placement) -> tuple[GameState, int, Play | None]:
        player = state.next_player
        state = advance(state, Placed(player, placement))
        event_of[ref] = len(state.game.events)
        return state, player, state.log[-1].play

    for number, (one, seen) in enumerate(zip(told, observations, strict=True)):
        step = _lettered(one.step, number, letters)
        answer = answers.get(number, NO_ANSWER)
        question = None
        if not answer.confirmed:
            question = doubt_of(number, told, letters, observations, state.board, SURE, answer.settled)
        if question is not None and question.code == "other-position" and step.why == "other-board":
            question = _once(question, entries)
        kind = step.kind
        if question is not None and (one.probability < UNDECIDED or question.code in LEAVES_OPEN):
            kind = "unclear"
        for ref in step.removed:
            state = _taken_back(state, ref, event_of, letters)
            _mark_withdrawn(entries, ref)
        _refuse_misfit(answer, seen, step_board(state.board, step.before))
        player, play, before = None, None, []
        if answer.totals is not None and answer.next_player is not None:
            _refuse_late(seen, entries)
            state = replace(state, totals=answer.totals, next_player=answer.next_player)
        if kind == "start" and step.placement.tiles:
            state = replace(state, board=step_board(state.board, step.placement))
        elif kind == "none":
            player = state.next_player
            state = advance(state, NothingLaid(player))
        elif kind == "place":
            if state.end is not None and state.end.certain:
                late.append(number)
            if step.before.tiles:
                state, earlier, its_play = counted(state, (number, True), step.before)
                before = [Before(earlier, its_play)] if its_play else []
            state, player, play = counted(state, (number, False), step.placement)
            about_faults = question is None or question.code == "mid-move-or-move"
            if about_faults and not answer.confirmed and play is not None and play.faults & MISREADINGS:
                question = Question("against-the-rules", step.placement.squares, faults=play.faults & MISREADINGS)
            if question is None and not answer.confirmed and (root := _hinges_on(play, entries, state)):
                question = Question("depends", photo=root)
        elif kind == "unclear":
            # The tiles lie there for the moves to come; the points wait for the answer.
            player = state.next_player
            for placement in (step.before, step.placement):
                if placement.tiles:
                    if play is not None:
                        before, player = [Before(player, play)], (player + 1) % len(state.totals)
                    play = score_placement(state.board, placement, state.game.rules, state.game.tile_set)
                    state = replace(state, board=step_board(state.board, placement))
            if step.kind in ("place", "none"):
                state = replace(state, next_player=(player + 1) % len(state.totals))
        if seen.reading is not None and not answer.confirmed:
            squares = contradicted(seen.reading, step.placement, state.board) if answer.is_turn else ()
            if squares := squares or denied(photos[number], answer.squares):
                question = Question("answer-differs", squares[:MOST_NAMED])
        entries.append(
            RecountEntry(
                seen,
                kind,
                player,
                play,
                kind == "place",
                state.totals,
                question,
                why=step.why,
                before=tuple(before),
                probability=one.probability,
                candidates=_candidates(number, letters),
                differences=_differences(state.board, step, seen),
                revision=_revision(number, one, letters),
            )
        )
    game, checks = state.game, cross_checks(told, observations, state, late)
    return Recount(
        game.rules,
        game.tile_set,
        game.players,
        tuple(entries),
        state.board,
        state.totals,
        checks,
        game.events[events_before:],
    )


def _once(question: Question, entries: Sequence[RecountEntry]) -> Question | None:
    """Whether a photo of another board belongs to the game, asked of the first of several such photos: then the others
    wait for that answer, or need none any more."""
    earlier = next((entry for entry in reversed(entries) if entry.why not in REPEATS), None)
    if earlier is None or earlier.why != "other-board":
        return question
    if earlier.question is None:
        return None
    waits = earlier.question.code == "depends"
    return earlier.question if waits else Question("depends", photo=Path(earlier.observation.name).name)


def _hinges_on(play: Play | None, entries: Sequence[RecountEntry], state: GameState) -> str | None:
    """The photo of an earlier open question whose answer may change what this play counts; None when none does."""
    if play is None:
        return None
    for entry in entries:
        asked = entry.question
        if asked is None or asked.code == "depends":
            continue
        unsure = {s: c for s, c in entry.candidates.items() if c[0][1] < SURE}
        if play_hinges_on(play, asked, unsure, state.game.tile_set):
            return Path(entry.observation.name).name
    return None


def _lettered(step: Step, number: int, letters: Mapping[MoveRef, Settled]) -> Step:
    """The step with the letters that all photos agree on."""

    def settled(placement: Placement, before: bool) -> Placement:
        return Placement.of(letters[number, before].letters) if placement.tiles else placement

    return replace(step, placement=settled(step.placement, False), before=settled(step.before, True))


def _refuse_misfit(answer: Answer, seen: Observation, board: Board) -> None:
    """AnswerError for a move that a person named and that cannot be on the board before it."""
    if answer.move is None:
        return
    resolved = answer.move.resolve(board)
    if not resolved.placement.tiles or resolved.faults & (PlacementFault.GAP | PlacementFault.OFF_BOARD):
        name = Path(seen.name).name
        raise AnswerError(
            f"{name}: the move {answer.move.text(Notation.GERMAN)} does not fit what lies there",
            code="answer-misfit",
            photo=name,
            move=answer.move.text(Notation.GERMAN),
        )


def _refuse_late(seen: Observation, before: Sequence[RecountEntry]) -> None:
    """AnswerError for points of a game begun before, told of a photo that comes after counted moves."""
    if any(entry.kind in ("place", "none") for entry in before):
        name = Path(seen.name).name
        raise AnswerError(f"{name}: moves before it are counted", code="answer-begun-late", photo=name)


def step_board(board: Board, placement: Placement) -> Board:
    """The board with the tiles of a placement that can lie there."""
    return board.placed(placement.fitting(board))


def _taken_back(
    state: GameState, ref: MoveRef, event_of: Mapping[MoveRef, int], letters: Mapping[MoveRef, Settled]
) -> GameState:
    if ref in event_of:
        return advance(state, Withdrawn(event_of[ref]))
    gone = [square for square in letters[ref].letters if state.board.at(square) is not None]
    return replace(state, board=state.board.removed(gone))  # laid, but never counted


def _mark_withdrawn(entries: list[RecountEntry], ref: MoveRef) -> None:
    number, before = ref
    if number < 0:  # made before the first photo
        return
    entry = entries[number]
    if before:
        entries[number] = replace(entry, before=tuple(replace(one, withdrawn=True) for one in entry.before))
    else:
        entries[number] = replace(entry, withdrawn=True)


def _candidates(number: int, letters: Mapping[MoveRef, Settled]) -> Mapping[Square, Candidates]:
    return {
        square: ranked
        for before in (True, False)
        if (number, before) in letters
        for square, ranked in letters[number, before].proposed.items()
    }


def _differences(board: Board, step: Step, seen: Observation) -> tuple[Difference, ...]:
    if seen.reading is None or step.kind == NO_MOVE:
        return ()
    old = [(square, tile) for square, tile in board if square not in step.squares]
    return tuple(
        Difference(square, tile, seen.reading.at(square).char)
        for square, tile in old
        if differs(seen.reading, square, tile)
    )


def _revision(number: int, one: Told, letters: Mapping[MoveRef, Settled]) -> Revision | None:
    changed = tuple(
        (square, settled.at_first[square], char)
        for before in (True, False)
        if (settled := letters.get((number, before))) is not None
        for square, char in settled.letters.items()
        if settled.at_first[square] != char
    )
    if one.settled_by is None and not changed:
        return None
    return Revision(one.at_first.kind, changed, one.settled_by)


# --- JSON of the contract -----------------------------------------------------------------------------------------


def open_verdicts(result: Recount, referee: Referee) -> dict[str, Verdict]:
    """What an open dictionary says of the words of the game, in the order in which they were laid; nothing where the
    rules leave it closed until a word is challenged (R7.7), or where there is none."""
    if not result.rules.open_dictionary or not referee.lists:
        return {}
    words = [word.capitals for entry in result.entries if entry.play is not None for word in entry.play.words]
    whole = [word for word in dict.fromkeys(words) if BLANK not in word]
    rulings = referee.beforehand(whole, result.rules)
    return {word: ruling.verdict for word, ruling in zip(whole, rulings, strict=True)}


def as_json(
    result: Recount,
    ask: Any,
    lists: Sequence[WordList] = (),
    verdicts: Mapping[str, Verdict] = MappingProxyType({}),
    blanks: Sequence[OpenBlank] = (),
) -> dict[str, Any]:
    """The contract's object; `ask(entry)` turns an entry's question into a sentence, or gives None. ``verdicts`` are
    those of an open dictionary, by the word in capitals, ``lists`` those it looked in; ``blanks`` those at the end
    whose letter nobody has said."""

    def totals(values: tuple[int, ...]) -> dict[str, int]:
        return dict(zip(result.players, values, strict=True))

    moves = []
    for entry in result.entries:
        move: dict[str, Any] = {
            "photo": entry.observation.name,
            "player": None if entry.player is None else result.players[entry.player],
            "kind": entry.kind,
            "totals": totals(entry.totals),
            "faults": entry.faults,
            "question": ask(entry),
            "probability": round(entry.probability, 4),
        }
        if (question := entry.question) is not None:
            move |= {
                "question_code": question.code,
                "question_squares": [[square.row, square.col] for square in question.squares],
                "question_candidates": [[char, round(probability, 4)] for char, probability in question.candidates],
            }
        if entry.play is not None:
            move |= _play_json(entry.play, verdicts) | {"score": entry.play.score if entry.counted else None}
        if entry.withdrawn:
            move["withdrawn"] = True
        if entry.why:
            move["why"] = entry.why
        if entry.before:
            move["before"] = [
                {"player": result.players[one.player]}
                | _play_json(one.play, verdicts)
                | {"score": one.play.score if entry.counted else None}
                | ({"withdrawn": True} if one.withdrawn else {})
                for one in entry.before
            ]
        if entry.differences:
            move["differences"] = [[d.square.row, d.square.col, d.recorded, d.seen] for d in entry.differences]
        if entry.nudges:
            move["nudged"] = [
                {
                    "squares": [[s.row, s.col] for s in one.squares],
                    "right": round(one.right, 2),
                    "down": round(one.down, 2),
                }
                for one in entry.nudges
            ]
        if entry.revision:
            move["revised"] = _revision_json(entry.revision, result)
        moves.append(move)
    return {
        "rules": result.rules.name,
        "rule_set": result.rules.to_json(),
        "lexicon": [one.to_json() for one in lists],
        "players": list(result.players),
        "moves": moves,
        "totals": totals(result.totals),
        "board": list(result.board.rows),
        "checks": [_check_json(check, result) for check in result.checks],
        "blanks": [
            {"square": list(one.square), "letters": None if one.letters is None else list(one.letters)}
            for one in blanks
        ],
    }


def _play_json(play: Play, verdicts: Mapping[str, Verdict]) -> dict[str, Any]:
    main = play.main_word
    return {
        "row": main.start.row if main else None,
        "col": main.start.col if main else None,
        "direction": str(main.direction) if main else None,
        "word": main.word if main else None,
        "tiles": [[s.row, s.col, char] for s, char in play.placement.tiles],
        "words": [_word_json(word, verdicts.get(word.capitals)) for word in play.words],
    }


def _revision_json(revision: Revision, result: Recount) -> dict[str, Any]:
    because = None if revision.because is None else result.entries[revision.because].observation.name
    letters = [[square.row, square.col, then, now] for square, then, now in revision.letters]
    return {"kind": revision.kind, "letters": letters, "because": because}


def _check_json(check: Check, result: Recount) -> dict[str, Any]:
    return {
        "code": check.code,
        "squares": [[square.row, square.col] for square in check.squares],
        "tiles": dict(check.tiles),
        "photos": [result.entries[number].observation.name for number in check.photos],
    }


def _word_json(word: WordScore, verdict: Verdict | None) -> dict[str, Any]:
    data: dict[str, Any] = {"word": word.word, "score": word.score}
    return data if verdict is None else data | {"answer": verdict.answer.value}
