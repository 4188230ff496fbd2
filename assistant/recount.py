"""From the photos of one game, in order, to its score sheet.

Three passes: follow the position from photo to photo; let all photos in which a tile lies say which letter it is;
score the moves. Pure: observations in, a value out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from scorer.adjudication import Referee
from scorer.board import Board, Square
from scorer.events import NothingLaid, Placed, Withdrawn
from scorer.game import Game, GameState, advance, replay
from scorer.letter_model import Prior
from scorer.lexicon import Verdict, WordList
from scorer.placement import Placement, PlacementFault
from scorer.rules import RuleSet
from scorer.scoring import Play, WordScore, score_placement
from scorer.tiles import TileSet
from vision.changes import Doubt, PlacementHypothesis, deciding, explain
from vision.observe import Observation, tiles_in_any_turn
from vision.reading import BLANK, COVERED, EMPTY, MISREAD, BoardReading
from vision.turn import Totals, as_totals, turned_squares
from vision.wording import weighed_by_words

SURE = 0.95
"""Below this probability a question is asked."""

UNDECIDED = 0.6
"""Below this probability of the best explanation the move is left open until the question is answered."""

MISREADINGS = ~PlacementFault.WORD_TOO_SHORT_BY_RULE
"""Faults that a misread photo produces: they are asked about, since a real player rarely lays so."""

GEOMETRY = MISREADINGS & ~PlacementFault.SET_EXHAUSTED
"""Those of them that come from where the tiles lie."""

CLEARLY_NOT = float(np.log(0.05))
OTHER_POSITION = 0.25
"""From this share of old tiles on that the photo does not show, it is not of this game, or of another side of it."""

NO_TILES = Placement(())

TURN_UNSURE = "turn-unsure"
"""Warning of a photo that does not tell which side of the board is up."""

LOOK_AHEAD = 4
"""Photos after the move that have a say about its letters, each with half the weight of the move's own."""


@dataclass(frozen=True)
class Question:
    """The one thing to ask about a photo.

    code: key of the text; squares: what it is about; candidates: possible answers with their probability
    """

    code: str
    squares: tuple[Square, ...] = ()
    candidates: tuple[tuple[str, float], ...] = ()
    faults: PlacementFault = PlacementFault.NONE
    reason: str | None = None


@dataclass(frozen=True)
class Step:
    """What one photo adds to the position.

    kind: as in the contract; removed: numbers of the steps whose tiles are gone
    """

    kind: str
    placement: Placement = NO_TILES
    removed: tuple[int, ...] = ()
    question: Question | None = None


@dataclass(frozen=True)
class RecountEntry:
    """One photo's line of the score sheet; player and totals by seat."""

    observation: Observation
    kind: str
    player: int | None
    play: Play | None
    counted: bool
    totals: tuple[int, ...]
    question: Question | None = None
    withdrawn: bool = False

    @property
    def faults(self) -> list[str]:
        return self.play.faults.codes if self.play else []


@dataclass(frozen=True)
class Recount:
    """The whole game."""

    rules: RuleSet
    tile_set: TileSet
    players: tuple[str, ...]
    entries: tuple[RecountEntry, ...]
    board: Board
    totals: tuple[int, ...] = field(default=())


def recount(
    observations: Sequence[Observation],
    players: Sequence[str],
    rules: RuleSet,
    tile_set: TileSet,
    prior: Prior | None = None,
) -> Recount:
    """The score sheet of a game; every observation gives one entry. GameError for a bad list of players.

    prior: what has a say about which letter to propose where the photos leave it open, see ``vision.wording``; in a
        game with a closed dictionary it must know no words (``scorer.letter_model.prior_of``)
    """
    state = replay(Game(tuple(players), rules, tile_set))
    steps, observations = track(observations, rules, tile_set)
    return _scored(settle_letters(steps, observations, prior), observations, state)


# --- first pass: the position from photo to photo -----------------------------------------------------------------


def track(
    observations: Sequence[Observation], rules: RuleSet, tile_set: TileSet
) -> tuple[list[Step], list[Observation]]:
    """What each photo adds, from its own reading and the position so far; and the photos in the turn they were taken
    in, as far as the position tells where their own tiles do not."""
    steps: list[Step] = []
    observations = list(observations)
    position = Board.empty()
    live: list[int] = []  # steps whose tiles lie on the board
    grounded = True  # whether the position's turn is known
    for number, seen in enumerate(observations):
        if seen.turns:
            seen = observations[number] = settled_turn(seen, position, grounded, observations[number + 1 :])
        if seen.reading is None:
            steps.append(Step("unclear", question=Question("photo-unreadable", reason=seen.reason)))
            continue
        removable = [frozenset(steps[k].placement.squares) for k in live[-2:]]
        hypotheses = explain(position, removable, seen.reading, rules, tile_set)
        best = hypotheses[0]
        missing = differing(position.removed(best.removed) if best.removed else position, seen.reading)
        if len(missing) >= max(2, len(position.occupied) * OTHER_POSITION):
            steps.append(Step("unclear", question=Question("other-position", missing[:6])))
            continue
        removed = tuple(k for k in live if best.removed and set(steps[k].placement.squares) <= best.removed)
        step = _step(number, best, hypotheses, removed, first=not live)
        if step.kind == "place" and not live and looks_like_initials(best):
            later = next((o.reading for o in observations[number + 1 :] if _turn_known(o) or _is_bare(o)), None)
            if later is None:
                step = replace(step, kind="unclear", question=Question("initials-or-move", best.placement.squares))
            elif _gone(best.placement, later):
                step = Step("not-a-move")
        if step.question is None and "grid-unsure" in seen.warnings:
            step = replace(step, question=Question("grid-unsure", step.placement.squares))
        elif step.question is None and TURN_UNSURE in seen.warnings and step.placement.tiles:
            step = replace(step, question=Question(TURN_UNSURE, step.placement.squares))
        steps.append(step)
        if step.kind in ("place", "withdrawn", "unclear"):
            base = position.removed(best.removed) if best.removed else position
            position = base.placed(step.placement.fitting(base))
            live = [k for k in live if k not in removed]
            if step.placement.tiles:
                live.append(number)
            grounded = _turn_known(seen) or (grounded and not step.placement.tiles)
    return steps, observations


def settled_turn(seen: Observation, position: Board, grounded: bool, later: Sequence[Observation]) -> Observation:
    """A photo whose own tiles do not tell its turn, in the one in which it goes best with the photos around it.

    The tiles of the last position lie there still in the right turn. Where they look the same in another turn, or
    there are none yet, the next photo that is sure of its own turn must show this one's tiles. Where that decides, the
    photo is as good as any other; else the doubt stays. It also stays where the position comes from a photo in doubt
    itself (not `grounded`): then both lie the same way, but nobody knows which.
    """
    assert seen.evidence is not None
    in_place = as_totals(np.array([reading.likelihood(position) for reading in seen.turns]))
    evidence = replace(seen.evidence, position=in_place)
    sure = evidence.sure and grounded
    if not sure and (following := next((o.reading for o in later if _turn_known(o)), None)) is not None:
        after = _still_there(seen.turns, following)
        sure = replace(seen.evidence, position=after).sure
        evidence = replace(evidence, position=as_totals(np.add(in_place, after)))
        sure = evidence.sure and (sure or grounded)
    quarters = evidence.quarters
    seen = replace(
        seen,
        reading=seen.turns[quarters],
        board=None if seen.board is None else seen.board.turned(quarters),
        corners=None if seen.corners is None else seen.corners.turned(quarters),
        findings=tuple(replace(one, squares=turned_squares(one.squares, quarters)) for one in seen.findings),
        turns=(*seen.turns[quarters:], *seen.turns[:quarters]),
        evidence=evidence.seen_from(quarters),
    )
    if not sure:
        return replace(seen, reading=seen.turns[0].suspecting(tiles_in_any_turn(seen.turns[0])))
    return replace(seen, turns=(), warnings=tuple(code for code in seen.warnings if code != TURN_UNSURE))


def _still_there(turns: Sequence[BoardReading], following: BoardReading) -> Totals:
    """How well each reading's tiles go with a later photo's reading. A turn in which fewer tiles are seen must not win
    by silence: each one missing counts as one that is not there."""
    tiles = [[(s, r.rows[s.row][s.col]) for s in r.showing(lambda char: char != EMPTY)] for r in turns]
    most = max(map(len, tiles))
    return as_totals(np.array([following.likelihood(t) + (most - len(t)) * np.log(MISREAD) for t in tiles]))


def _is_bare(seen: Observation) -> bool:
    return seen.evidence is not None and seen.evidence.bare


def _turn_known(seen: Observation) -> bool:
    return seen.reading is not None and not seen.turns and not {TURN_UNSURE, "grid-unsure"} & set(seen.warnings)


def _step(
    number: int,
    best: PlacementHypothesis,
    hypotheses: Sequence[PlacementHypothesis],
    removed: tuple[int, ...],
    first: bool,
) -> Step:
    squares = set(best.placement.squares)
    sure = sum(h.probability for h in hypotheses if h.removed == best.removed and set(h.placement.squares) == squares)
    question = None
    if sure < SURE:
        doubt = deciding([h for h in hypotheses if set(h.placement.squares) != squares or h is best])
        question = _asked(doubt) if doubt else Question("unsure-move", best.placement.squares)
    if not squares:
        kind = "withdrawn" if best.removed else "start" if number == 0 and first else "none"
        return Step("unclear" if sure < UNDECIDED else kind, removed=removed, question=question)
    return Step("unclear" if sure < UNDECIDED else "place", best.placement, removed, question)


def differing(position: Board, reading: BoardReading) -> tuple[Square, ...]:
    """Squares on which the photo shows something else than the tile that should lie there, clearly and uncovered."""
    return tuple(
        square
        for square, tile in position
        if reading.log_prob(square, tile) < CLEARLY_NOT and reading.log_prob(square, COVERED) < CLEARLY_NOT
    )


def looks_like_initials(best: PlacementHypothesis) -> bool:
    """Tiles laid before the first move to name the players: letters held apart by a blank or a gap."""
    tiles = [char for _, char in best.placement.tiles]
    if len(tiles) > 5:
        return False
    return bool(best.faults & GEOMETRY) or (BLANK in tiles[1:-1] and tiles[0] != BLANK and tiles[-1] != BLANK)


def _gone(placement: Placement, later: BoardReading) -> bool:
    """Whether most of these tiles lie no longer there in a later photo."""
    still = sum(later.rows[square.row][square.col] == char for square, char in placement.tiles)
    return still < len(placement) / 2


def _asked(doubt: Doubt) -> Question:
    code = "tile-or-empty" if any(char == EMPTY for char, _ in doubt.candidates) else "which-letter"
    return Question(code, (doubt.square,), doubt.candidates)


# --- second pass: what all photos say about each letter -----------------------------------------------------------


def settle_letters(
    steps: Sequence[Step], observations: Sequence[Observation], prior: Prior | None = None
) -> list[Step]:
    """Each tile's letter by its own photo and the following ones in which it lies; asks where doubt remains.

    A prior weighs letters that are open then by the words they form: the likeliest is taken, and the first of the
    candidates in the question, which is asked all the same. It has no say about moves that were taken back, which are
    the ones whose words do not exist.
    """
    gone_at = {k: number for number, step in enumerate(steps) for k in step.removed}
    foreign = {number for number, step in enumerate(steps) if step.question and step.question.code == "other-position"}
    out: list[Step] = []
    position = Board.empty()  # "?" where a letter is not sure
    for number, step in enumerate(steps):
        lying = [k for k in range(number, gone_at.get(number, len(steps))) if k not in foreign]
        readings = [reading for k in lying if (reading := observations[k].reading) is not None][: 1 + LOOK_AHEAD]
        position = position.removed(
            {square for k in step.removed for square in out[k].placement.squares} & position.occupied
        )
        if not step.placement.tiles or not readings:
            out.append(step)
            continue
        seen = {square: fused(readings, square) for square in step.placement.squares}
        letters_only = step.question is None or step.question.code == "which-letter"
        open_to_words = prior if letters_only and number not in gone_at else None
        candidates = weighed_by_words(position, seen, open_to_words, SURE) if open_to_words else seen
        letters = {square: ranked[0][0] for square, ranked in candidates.items()}
        question, least = step.question, SURE
        for square, ranked in candidates.items():
            if letters_only and seen[square][0][1] < least:
                least = seen[square][0][1]
                question = Question("which-letter", (square,), ranked[:3])
        if question is step.question and question is not None and question.code == "which-letter":
            question = None  # later photos have answered it
        step = replace(step, placement=Placement.of(letters), question=question)
        out.append(step)
        if step.kind in ("place", "unclear"):
            known = {square: char if seen[square][0][1] >= SURE else BLANK for square, char in letters.items()}
            position = position.placed(Placement.of(known).fitting(position))
    return out


def fused(readings: Sequence[BoardReading], square: Square) -> tuple[tuple[str, float], ...]:
    """The tile on a square by several photos, likeliest first; a tile is taken for granted.

    Together they are never surer than the surest of them alone: what makes a tile look like another one is mostly on
    all photos of it, and five equal doubts are not a certainty.
    """
    total = np.zeros(len(readings[0].classes))
    for number, reading in enumerate(readings):
        total += reading.likelihoods[square] * (1.0 if number == 0 else 0.5)
    for char in (EMPTY, COVERED):
        total[readings[0].index[char]] = -np.inf
    together = np.exp(total - np.logaddexp.reduce(total))
    alone = np.exp(np.max([reading.log_probs[square] for reading in readings], axis=0))
    probabilities = np.minimum(together, alone)
    order = np.argsort(-probabilities)
    return tuple((readings[0].classes[k], float(probabilities[k])) for k in order if probabilities[k] >= 1e-3)


# --- third pass: the score ----------------------------------------------------------------------------------------


def _scored(steps: Sequence[Step], observations: Sequence[Observation], state: GameState) -> Recount:
    rules, tile_set = state.game.rules, state.game.tile_set
    entries: list[RecountEntry] = []
    event_of: dict[int, int] = {}  # step -> number of its event
    for number, (step, seen) in enumerate(zip(steps, observations, strict=True)):
        for ref in step.removed:
            if ref in event_of:
                state = advance(state, Withdrawn(event_of[ref]))
            else:  # laid, but never counted
                state = replace(state, board=state.board.removed(_lying(state.board, steps[ref].placement)))
            entries[ref] = replace(entries[ref], withdrawn=True)
        player, play, counted = None, None, False
        if step.kind == "none":
            player = state.next_player
            state = advance(state, NothingLaid(player))
        elif step.kind == "place":
            player, counted = state.next_player, True
            state = advance(state, Placed(player, step.placement))
            event_of[number] = len(state.log)
            play = state.log[-1].play
            if step.question is None and play is not None and play.faults & MISREADINGS:
                question = Question("against-the-rules", step.placement.squares, faults=play.faults & MISREADINGS)
                step = replace(step, question=question)
        elif step.kind == "unclear":
            # The tiles lie there for the moves to come; the points wait for the answer.
            player = state.next_player
            if step.placement.tiles:
                play = score_placement(state.board, step.placement, rules, tile_set)
                state = replace(state, board=state.board.placed(step.placement.fitting(state.board)))
            state = replace(state, next_player=(player + 1) % len(state.totals))
        entries.append(RecountEntry(seen, step.kind, player, play, counted, state.totals, step.question))
    return Recount(rules, tile_set, state.game.players, tuple(entries), state.board, state.totals)


def _lying(board: Board, placement: Placement) -> list[Square]:
    return [square for square in placement.squares if board.at(square) is not None]


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
) -> dict[str, Any]:
    """The contract's object; `ask(entry)` turns an entry's question into a sentence, or gives None. ``verdicts`` are
    those of an open dictionary, by the word in capitals, ``lists`` those it looked in."""

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
        }
        if entry.play is not None:
            play = entry.play
            main = play.main_word
            move |= {
                "row": main.start.row if main else None,
                "col": main.start.col if main else None,
                "direction": str(main.direction) if main else None,
                "word": main.word if main else None,
                "tiles": [[s.row, s.col, char] for s, char in play.placement.tiles],
                "words": [_word_json(word, verdicts.get(word.capitals)) for word in play.words],
                "score": play.score if entry.counted else None,
            }
        if entry.withdrawn:
            move["withdrawn"] = True
        moves.append(move)
    return {
        "rules": result.rules.name,
        "rule_set": result.rules.to_json(),
        "lexicon": [one.to_json() for one in lists],
        "players": list(result.players),
        "moves": moves,
        "totals": totals(result.totals),
        "board": list(result.board.rows),
    }


def _word_json(word: WordScore, verdict: Verdict | None) -> dict[str, Any]:
    data: dict[str, Any] = {"word": word.word, "score": word.score}
    return data if verdict is None else data | {"answer": verdict.answer.value}
