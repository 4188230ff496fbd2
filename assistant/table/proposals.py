"""What the photos of a turn, or a typed move, propose. Nothing of it counts before somebody confirms it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from assistant.blanks import open_blanks
from assistant.doubts import MOST_NAMED, Question
from assistant.recount import Answer, Recount, RecountEntry, recount_from
from assistant.table.history import Pending, TableState, joined
from scorer.adjudication import Referee
from scorer.board import Square
from scorer.events import IMPOSSIBLE, Event, EventFault, Placed
from scorer.game import Game, GameState, Refusal, advance, offer
from scorer.letter_model import Prior
from scorer.notation import MoveText
from scorer.placement import Placement, PlacementFault
from scorer.rules import BlankNaming
from scorer.scoring import Play
from scorer.tiles import is_blank
from vision.burst import burst_reading, differ
from vision.observe import Observation
from vision.reading import EMPTY, TileReader
from vision.turning import turn_known

NOWHERE = PlacementFault.SQUARE_TAKEN | PlacementFault.OFF_BOARD | PlacementFault.NO_TILE_LAID
"""Faults of a placement that cannot lie on the board like this, whatever the table agrees on."""


def can_be(refusal: Refusal) -> bool:
    """Whether what the rules refuse can count all the same, when everybody agrees to it. A game that is over goes on by
    taking back what ended it."""
    return not (refusal.faults & (IMPOSSIBLE | EventFault.GAME_OVER) or refusal.placement_faults & NOWHERE)


@dataclass(frozen=True)
class Means:
    """What a proposal is made with, beside the game itself; see ``assistant.recount.recount``."""

    referee: Referee
    reader: TileReader | None = None
    prior: Prior | None = None


@dataclass(frozen=True)
class Proposal:
    """What is proposed.

    photo:      the photo that is shown, by hash; None for a move that was only typed
    seen:       what it shows, together with the other photos of the turn
    entry:      what it was taken for; None for a move that was only typed
    events:     what is booked when somebody confirms; nothing where there is nothing to confirm
    laid:       the moves in it: who, and what they count
    question:   what has to be answered before
    refused:    what speaks against the events, with the game to which each was offered
    """

    photo: str | None
    seen: Observation | None
    entry: RecountEntry | None
    events: tuple[Event, ...]
    laid: tuple[tuple[int, Play], ...]
    question: Question | None = None
    refused: tuple[tuple[Refusal, Game], ...] = ()

    @property
    def legal(self) -> bool:
        return not self.refused

    @property
    def legal_but_for_blanks(self) -> bool:
        """Whether nothing speaks against it but that the letter of a blank of the move before is not said (R6.3)."""
        return all(one.faults == EventFault.BLANK_OPEN and not one.placement_faults for one, _ in self.refused)

    @property
    def possible(self) -> bool:
        """Whether it can be booked at all, when everybody agrees to it."""
        return all(can_be(refusal) for refusal, _ in self.refused)

    @property
    def kind(self) -> str:
        """As in the command-line contract."""
        return "place" if self.entry is None else self.entry.kind


def propose(table: TableState, seen: Mapping[str, Observation], means: Means) -> Proposal | None:
    """The proposal of the turn that is being laid, None when nobody has begun one.

    seen: the photos of the turn as they were read. NotationError or AnswerError for a typed move that cannot be.
    """
    pending = table.pending
    if pending is None or not (pending.photos or pending.typed):
        return None
    answer = pending.answer
    if pending.typed is not None:
        move = MoveText.parse(pending.typed, table.setup.notation)
        if not any(seen[one].found for one in pending.photos):
            return _typed(table, move, means, pending)
        answer = joined(joined(answer, _said(table, move, pending.since)), pending.since)
    photo, together = fused_photos([(digest, seen[digest]) for digest in pending.photos])
    result = recounted(table, [together], means, {0: answer})
    return _of_photo(table, photo, result, answer, means)


def proposal_of(table: TableState, photo: str, seen: Observation, means: Means) -> Proposal:
    """What a photo would propose if it were the only one of a turn; photo: by hash."""
    return _of_photo(table, photo, recounted(table, [seen], means), Answer(), means)


def first_proposal(table: TableState, seen: Mapping[str, Observation], means: Means) -> Recount | None:
    """What the photos alone proposed, without what people said; None where there are none."""
    if table.pending is None or not table.pending.photos:
        return None
    _, together = fused_photos([(digest, seen[digest]) for digest in table.pending.photos])
    return recounted(replace(table, said_empty=table.empty_before), [together], means)


def recounted(
    table: TableState, photos: Sequence[Observation], means: Means, answers: Mapping[int, Answer] = MappingProxyType({})
) -> Recount:
    """What photos that go on with the game were taken for, by all that is known of its board; answers: by photo."""
    ghosts, empty = ghosts_of(table), table.said_empty
    return recount_from(table.state, photos, means.prior, answers, means.reader, ghosts, empty)


def fused_photos(photos: Sequence[tuple[str, Observation]]) -> tuple[str, Observation]:
    """The photo of a turn to show, and what it shows together with those before it that show the same tiles.

    People take another photo when one is no good: the last counts. Of photos that agree one that is sure of its turn is
    shown.
    """
    last = photos[-1]
    if not last[1].found:
        return last
    agreeing = [one for one in photos if one[1].found and not differ(one[1], last[1])]
    shown = next((one for one in reversed(agreeing) if turn_known(one[1])), last)
    reading = burst_reading([seen for _, seen in agreeing])
    return shown[0], replace(shown[1], reading=reading) if len(agreeing) > 1 and reading is not None else shown[1]


def ghosts_of(table: TableState) -> frozenset[Square]:
    """Squares that looked like a blank on the last confirmed photo and are empty."""
    evidence = (one.evidence for one in reversed(table.done))
    last = next((one for one in evidence if one and one.get("photo")), None)
    squares = {Square(int(row), int(col)) for row, col in last.get("ghosts", ())} if last else set()
    return frozenset(square for square in squares if table.state.board.at(square) is None)


def _said(table: TableState, move: MoveText, since: Answer) -> Answer:
    """A typed move for a photo; its tiles one by one when people said something else of some of them since."""
    if not since.squares:
        return Answer(move=move, kind="place")
    return Answer(dict(move.resolve(table.state.board).placement.tiles), kind="place")


def _typed(table: TableState, move: MoveText, means: Means, pending: Pending) -> Proposal:
    resolved = move.resolve(table.state.board)
    tiles = {**resolved.placement.by_square, **pending.since.squares}
    placement = Placement.of({square: tile for square, tile in tiles.items() if tile != EMPTY})
    event = Placed(table.state.next_player, placement)
    photo = pending.photos[-1] if pending.photos else None
    proposal = _checked(table.state, Proposal(photo, None, None, (event,), ()))
    if resolved.faults:  # what the text claims of the board and is not so
        claims = Refusal(event, EventFault.NONE, resolved.faults)
        others = [one for one in proposal.refused if one[0].faults]
        proposal = replace(proposal, refused=(*others, (claims, table.state.game)))
    return replace(proposal, question=_open_blank(table, proposal, means))


def _of_photo(table: TableState, photo: str, result: Recount, answer: Answer, means: Means) -> Proposal:
    (entry,) = result.entries
    events = result.events if entry.kind in ("place", "withdrawn") else ()
    proposal = _checked(table.state, Proposal(photo, entry.observation, entry, events, (), entry.question))
    if not events and entry.play is not None and entry.player is not None:  # what it would count
        proposal = replace(proposal, laid=(*((b.player, b.play) for b in entry.before), (entry.player, entry.play)))
    question = proposal.question
    unsaid = answer.kind is None and not answer.confirmed
    if question is None and unsaid and (still := _still_there(table.state, proposal)):
        question = Question("still-there", still[:MOST_NAMED])
    return replace(proposal, question=question or _open_blank(table, proposal, means))


def _checked(state: GameState, proposal: Proposal) -> Proposal:
    """The proposal with what its events count and what speaks against them."""
    laid: list[tuple[int, Play]] = []
    refused: list[tuple[Refusal, Game]] = []
    for event in proposal.events:
        found = offer(state, event)
        if isinstance(found, Refusal):
            refused.append((found, state.game))
        state = advance(state, event)
        play = state.log[-1].play
        if isinstance(event, Placed) and play is not None:
            laid.append((event.player, play))
    return replace(proposal, laid=tuple(laid), refused=tuple(refused))


def _still_there(state: GameState, proposal: Proposal) -> tuple[Square, ...]:
    """Squares of a move that was just taken back, when the photo shows exactly its tiles: nobody took them away."""
    last = next((entry for entry in reversed(state.log) if entry.play is not None), None)
    if last is None or not last.withdrawn or len(proposal.laid) != 1:
        return ()
    assert last.play is not None
    laid, before = proposal.laid[0][1].placement, last.play.placement.by_square
    same = set(laid.squares) == set(last.laid) and all(
        tile == before.get(square) or (is_blank(tile) and is_blank(before.get(square, EMPTY)))
        for square, tile in laid.tiles
    )
    return laid.squares if same else ()


def _open_blank(table: TableState, proposal: Proposal, means: Means) -> Question | None:
    """Asks for the letter of a new blank where it has to be said before the move is closed (R6.2, R6.3)."""
    rules = table.setup.rules
    if rules.blank_naming is BlankNaming.LATER or not proposal.events:
        return None
    state = table.state
    for event in proposal.events:
        state = advance(state, event)
    new = {square for event in proposal.events if isinstance(event, Placed) for square in event.placement.squares}
    for blank in open_blanks(state.board, rules, table.setup.tile_set, means.referee):
        if blank.square in new:
            letters = blank.letters or ()
            return Question("blank-letter", (blank.square,), tuple((letter.lower(), 0.0) for letter in letters))
    return None
