"""A game that goes on by what a camera sees: what each look at the board means for it, and when it is booked.

A position counts as a finished move when it is stable and legal, or when a player has pressed the clock. What is sure
is proposed and, when it has lain so for a while, booked. What is doubtful is asked about, and the game goes on behind
the question: later positions wait for its answer, or give it themselves.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from assistant.doubts import Question, differs
from assistant.live.sides import Sides
from assistant.recount import NO_ANSWER, Answer, Recount, RecountEntry
from assistant.store.rows import Author, Conflict
from assistant.table.actions import Refused
from assistant.table.history import Pending, answer_to_json, fold, phase
from assistant.table.proposals import Proposal, fused_photos, proposal_of, recounted
from assistant.table.session import MOST_PHOTOS, Table
from scorer.board import Square
from scorer.errors import BrettblickError
from scorer.events import Placed, Undone, Withdrawn
from scorer.history import standing
from scorer.tiles import is_blank
from vision.burst import differ, other_letters
from vision.observe import Observation
from vision.steps import NO_MOVE

CAMERA = Author("camera", "Kamera")
"""Who enters what the camera sees."""

SETTLE = 2.0
"""Seconds for which a sure move is only proposed. Who hears the points and thinks again takes the tiles up at once; to
challenge a move and look its words up takes longer."""

RETRY = 0.5
"""Seconds until a doubtful position is looked at once more, before anybody is asked."""

RARELY, MOST_TRIES = 3.0, 5
"""Seconds until a position that is asked about is looked at again, in another light perhaps, and how often."""

HIDDEN_RETRY = 2.0
"""Seconds until a doubtful position with something over it is looked at again."""

PATIENCE = 8.0
"""Seconds for which a position that is no move may lie before it is asked about: somebody may still be laying."""

CONTESTED = 15.0
"""Seconds after a move was seen from which on tiles that vanish were challenged off: by then it has been talked about.
Before that it may as well be that the player has thought again."""

CALM_TOLERANCE = 1.5
"""Seconds: the picture of a look is of some moment near the end of its calm."""

MOST_VIEWS = 3
"""Looks at one position that become photos of the turn, those before a proposal and after it each."""

MOST_UNSETTLED = 6
"""Positions that were no finished move which are remembered until there is one: a move is seldom laid in more steps."""

MOST_WAITING = 40
"""Positions behind an open question that are kept; a long game has thirty moves."""

UNFINISHED = frozenset({"against-the-rules", "mid-move-or-move", "initials-or-move", "begun-before", "other-position"})
"""Questions about what may be a move that is still being laid, or none at all."""

GOES_ON = frozenset({"pass", "exchange", "timeout", "resign", "stop"})
"""Actions with which the next player's turn is over, or the game."""

UNCLEAR = "unclear"
"""Kind of an entry of which it is open what it is."""

NO_TURN = ("start", "none", NO_MOVE)
"""Kinds of entries without new tiles that count."""

WHOSE_TURN, CHALLENGED_OR_AGAIN = Question("whose-turn"), Question("challenged-or-again")
"""The hand came from the side of another player, where no clock says whose turn it is; a move is gone that had just
been booked, or that the camera has not seen."""

ONE_OR_TWO = Question("one-move-or-two")
"""More tiles lie there before a proposed move has settled, and all of them may be one move. Its answers: confirm (two),
drop (one)."""

Kind = Literal["nothing", "wait", "proposed", "asked", "booked", "dropped", "unreadable"]

Keep = Callable[[bytes], str]
"""Stores a photo and gives its hash."""


@dataclass(frozen=True)
class Outcome:
    """What came of a look.

    kind:     nothing: the position is the known one; wait: it is no finished move yet; proposed: it will be booked when
              it has settled; asked: somebody has to answer; booked; dropped: what was proposed was taken up again;
              unreadable: the picture shows no board
    again:    look once more when it has been calm for so many seconds longer
    why:      code: of the question, of what speaks against it, or why nothing can be read; "waiting" for a position
              behind an open question
    proposal: what it is about
    behind:   what the position behind an open question was taken for
    """

    kind: Kind
    again: float | None = None
    why: str | None = None
    proposal: Proposal | None = None
    behind: RecountEntry | None = None


@dataclass(frozen=True)
class Turn:
    """What the camera has booked.

    at:     seconds by the camera's clock, of the look that showed it first
    photo:  the one that is shown, by hash
    entry:  what it was taken for
    events: numbers of its events in the game
    """

    at: float
    photo: str
    entry: RecountEntry
    events: tuple[int, ...]


@dataclass(frozen=True)
class _View:
    """One look at a position.

    data: the photo's bytes, stored only when it counts; hasty: what lay there before had not settled; said: what
    somebody has said of it already, before a pass made it the next player's, and who
    """

    digest: str
    data: bytes
    seen: Observation
    at: float
    calm_for: float
    pressed: bool
    reach: float | None
    hasty: bool = False
    said: tuple[Answer, Author] | None = None


class LiveGame:
    """What a camera does in a game. Its methods may be called from any thread; times are seconds of one clock.

    keep:   stores a photo that becomes part of the game
    settle: see SETTLE
    """

    def __init__(self, table: Table, keep: Keep, *, settle: float = SETTLE, author: Author = CAMERA) -> None:
        self.table, self.settle, self.author, self._keep = table, settle, author, keep
        self.turns: list[Turn] = []
        self._lock = threading.RLock()
        self._views: list[_View] = []
        self._unsettled: list[_View] = []
        """Positions that were no finished move, before the one that lies there now."""
        self._in_doubt = False
        self._waiting: list[_View] = []
        self._sure_since: float | None = None
        self._first_seen: float | None = None
        self._shown: tuple[int, _View] | None = None
        self._ignored: Observation | None = None
        self._tries = 0
        self._sides = Sides()
        self._reach: float | None = None
        self._held: Question | None = None
        self._told: tuple[str | None, tuple[Square, ...]] = (None, ())
        self._laying = False
        self._newest_at = self._calm_at = 0.0
        self._noticed = len(table.state.done)

    @property
    def waiting(self) -> int:
        """How many positions wait for an answer."""
        return len(self._waiting)

    @property
    def held(self) -> Question | None:
        """What has to be answered about the turn of a proposal that is sure itself; None where nothing has."""
        return self._held

    @property
    def settles_at(self) -> float | None:
        """When the proposal will be booked, by the camera's clock; None when there is none that is sure."""
        return None if self._sure_since is None else self._sure_since + self.settle

    def look(
        self,
        photo: bytes,
        seen: Observation,
        at: float,
        *,
        calm_for: float,
        pressed: bool = False,
        reach: float | None = None,
    ) -> Outcome:
        """A position that is calm.

        seen:     the photo as it was read
        calm_for: seconds that it has been stable
        pressed:  a player says that the move is made
        reach:    from where something reached over the board before, degrees in the picture; None where that is unknown
        BrettblickError of the store when nothing can be kept.
        """
        with self._lock:
            self._notice()
            if phase(self.table.state.state) == "settled":
                return Outcome("nothing", why="settled")
            if not seen.found:
                return Outcome("unreadable", RETRY, seen.reason)
            if self.table.state.challenge is not None:
                return Outcome("wait", RETRY, "challenge-open")
            digest = hashlib.sha256(photo).hexdigest()
            seen = replace(seen, name=digest, digest=digest, photo=None)
            view = _View(digest, photo, seen, at, calm_for, pressed, reach)
            return self._alone(view) if self._pending is None else self._beside(view)

    def tick(self, at: float, calm: bool = True) -> Outcome | None:
        """Books what was proposed and has settled. To be called often, after a look; None when nothing has happened.

        calm: nothing has moved over the board since the last look; else the next one may show that the tiles of the
              proposal were taken up again, and nothing is booked before that
        """
        with self._lock:
            self._notice()
            self._calm_at = at if calm else self._calm_at
            if self.table.state.challenge is not None or phase(self.table.state.state) == "settled":
                return None
            if self._pending is None:
                return self._next_waiting() if self._waiting else None
            proposal = self._proposal if self._ours else None
            if proposal is not None and self._answered_away(proposal):
                self._act("drop")
                self._notice()
                return None
            if self._held is CHALLENGED_OR_AGAIN and proposal is not None and not proposal.events:
                self._act("drop")  # somebody has undone the move that is gone
                self._forget()
                return None
            if proposal is None or not _sure(proposal) or self._held is not None:
                self._sure_since = None
                return self._asked_next(proposal) if proposal is not None else None
            if self._waiting and self._waiting[0].hasty and self._one_or_two(proposal, self._waiting[0]):
                return self._ask_one_or_two(proposal)
            if self._sure_since is None:  # somebody has answered just now
                self._sure_since = at
            settled = calm and not self._laying and at - self._sure_since >= self.settle
            return self._book(proposal, at) if settled else None

    def close_turn(self, action: str, at: float) -> bool:
        """Books a sure proposal at once when somebody goes on with the game; whether it did. Else a pass would be that
        of the player whose move is just being proposed, and the move would be gone."""
        with self._lock:
            self._notice()
            proposal = self._proposal if self._ours and self.table.state.challenge is None else None
            if action not in GOES_ON or proposal is None or not _sure(proposal) or self._held is not None:
                return False  # of a move that somebody else has laid, a pass is what was missing before it
            return self._book(proposal, at).kind == "booked"

    def asks_before(self, action: str) -> bool:
        """Whether somebody has to say first what has been laid: a pass would be that of the player who has laid it."""
        with self._lock:
            self._notice()
            proposal = self._proposal if self._ours and self._held is None else None
            if action not in GOES_ON or proposal is None or not proposal.laid or _sure(proposal):
                return False
            return _doubt(proposal) not in UNFINISHED

    def finish(self, at: float) -> list[Outcome]:
        """Books what is sure without waiting any longer: nothing more will be seen."""
        out = []
        with self._lock:
            while (found := self.tick(at := at + self.settle)) is not None or (self._waiting and self._pending is None):
                out += [found] if found is not None else []
        return out

    def outlook(self) -> Recount | None:
        """What is not booked yet, as it would count: the turn and what waits behind it; None where there is nothing."""
        with self._lock:
            chain = self._chain()
            result = self._recounted(chain) if chain else None
            if result is None or self._held is None:
                return result
            first, *others = result.entries
            return replace(result, entries=(replace(first, question=first.question or self._held), *others))

    def open_views(self) -> list[tuple[float, str]]:
        """Time and photo of each entry of the outlook."""
        with self._lock:
            pending = self._pending
            known = [d for d in pending.photos if self.table.seen(d) is not None] if pending is not None else []
            at = self._first_seen if self._first_seen is not None else 0.0
            return [*([(at, known[-1])] if known else []), *((view.at, view.digest) for view in self._waiting)]

    # --- a position while nothing is proposed

    def _alone(self, view: _View) -> Outcome:
        if self._ignored is not None and _same(self._ignored, view.seen) and not view.pressed:
            return Outcome("nothing", why="ignored")
        self._ignored = None
        if self._views and not (_one_calm(self._views[-1], view) and _same(self._views[-1].seen, view.seen)):
            if self._in_doubt:
                self._unsettled = [*self._unsettled, self._views[-1]][-MOST_UNSETTLED:]
            self._views = []
        self._views = [*self._views, view][-MOST_VIEWS:]
        photo, together = fused_photos([(one.digest, one.seen) for one in self._views])
        proposal = proposal_of(self.table.state, photo, together, self.table.means)
        outcome = None if _sure(proposal) else self._settled_by(view)
        if outcome is not None:
            return outcome
        outcome = self._judged(view, proposal, together)
        initials = proposal.entry is not None and proposal.entry.why == "initials"
        self._in_doubt = outcome.kind == "wait" or (outcome.kind == "nothing" and initials)
        if outcome.kind == "nothing" and not initials:  # what lay there for a while is gone
            self._unsettled = []
        return outcome

    def _settled_by(self, view: _View) -> Outcome | None:
        """Where this look shows that what lay there before, and was no finished move then, was one: that is proposed,
        and this look waits behind it. Who lays at once gives nobody the time to ask."""
        if not self._unsettled:
            return None
        entries = self._recounted([*(one.seen for one in self._unsettled), view.seen]).entries[:-1]
        first = next((number for number, one in enumerate(entries) if one.kind not in (*NO_TURN, UNCLEAR)), None)
        if first is None or entries[first].kind != "place" or entries[first].before:
            return None
        question = entries[first].question
        if question is not None and question.code in UNFINISHED:
            return None
        before, later, self._unsettled = self._unsettled[first], [*self._unsettled[first + 1 :], view], []
        self._views = [before]
        outcome = self._propose()
        for one in later:
            after = self._beside(one) if self._pending is not None else self._alone(one)
            outcome = replace(outcome, again=after.again) if after.kind in ("nothing", "wait") else after
        return outcome

    def _judged(self, view: _View, proposal: Proposal, together: Observation) -> Outcome:
        """What becomes of a position that was looked at by itself, and of its views together."""
        if view.pressed:
            return self._propose(view.pressed)
        entry, why = proposal.entry, _doubt(proposal)
        if why == "still-there":  # the tiles of a move that was taken back: nobody has taken them away yet
            return Outcome("wait", why=why, proposal=proposal)
        if entry is not None and entry.kind in NO_TURN and why is None:
            if entry.why == "mid-move":
                return Outcome("wait", why=entry.why, proposal=proposal)
            return Outcome("nothing", proposal=proposal)
        if _sure(proposal):
            return self._propose()
        if entry is not None and entry.kind in NO_TURN and why != "begun-before":
            # hardly anything was laid: nobody has to be asked what
            if view.calm_for < PATIENCE:
                return Outcome("wait", RARELY, why, proposal)
            return Outcome("nothing", why=why, proposal=proposal)
        hidden = together.reading is not None and bool(together.reading.hidden.any())
        first_move = why == "initials-or-move" and bool(proposal.laid)  # as it may be: waiting would not tell
        if hidden or (why in UNFINISHED and not first_move) or not proposal.legal_but_for_blanks:
            if view.calm_for < PATIENCE:
                again = PATIENCE - view.calm_for
                return Outcome("wait", min(again, HIDDEN_RETRY) if hidden else again, why, proposal)
            return self._propose()
        if len(self._views) == 1 and view.calm_for < PATIENCE:
            return Outcome("wait", RETRY, why, proposal)
        return self._propose()

    def _propose(self, pressed: bool = False) -> Outcome:
        """The looks at this position become photos of the turn."""
        pending = self._pending
        if pending is not None and self._ours and len(pending.photos) + len(self._views) > MOST_PHOTOS:
            self._act("drop")
            pending = None
        there = set(pending.photos) if pending is not None else set()
        at = self._views[-1].at
        for one in self._views:
            if one.digest in there:
                continue
            self._keep(one.data)
            self.table.observed((one.digest, None), one.seen)
            self.table.add_photo(
                one.digest,
                f"{one.at:.1f} s",
                author=self.author,
                request=uuid.uuid4().hex,
                events=len(self.table.state.done),
            )
            self.table.observed((one.digest, None), one.seen)  # the photos of the turn are new ones now
        said = next((one.said for one in self._views if one.said is not None), None)
        if said is not None:
            with contextlib.suppress(BrettblickError):  # then it stays a question
                self._act("answer", answer_to_json(said[0]), said[1])
        self._first_seen, self._newest_at = self._views[0].at, at
        self._reach = next((one.reach for one in self._views if one.reach is not None), None)
        self._shown = len(self.table.state.done), self._views[-1]
        self._views, self._sure_since = [], None
        proposal = self._proposal
        self._held = None if proposal is None else self._doubtful_turn(proposal)
        self._told = self._asking(proposal)
        if proposal is None or not _sure(proposal):
            return Outcome("asked", RARELY, None if proposal is None else _doubt(proposal), proposal)
        if self._held is not None:
            return self._asked(proposal, self._held)
        self._sure_since = at
        return self._book(proposal, at) if pressed else Outcome("proposed", why=_doubt(proposal), proposal=proposal)

    def _doubtful_turn(self, proposal: Proposal) -> Question | None:
        """What is to be asked of a proposal because a picture cannot tell who did it, or why."""
        back = [event.ref for event in proposal.events if isinstance(event, Withdrawn)]
        seen_at = {number: turn.at for turn in self.turns for number in turn.events}
        now = self._first_seen or 0.0
        if any(ref not in seen_at or now - seen_at[ref] < CONTESTED for ref in back):
            return CHALLENGED_OR_AGAIN  # what was only typed may lie elsewhere
        if self.table.clock()[0].running is not None:
            return None
        if not proposal.laid:  # anybody may take tiles away
            return None
        expected = self.table.state.state.next_player
        return WHOSE_TURN if self._sides.perhaps_another(expected, self._reach) is not None else None

    # --- a position while something is proposed

    def _beside(self, view: _View) -> Outcome:
        proposal, last = self._proposal, self._last_seen()
        if proposal is None or last is None:  # a person is typing a move
            return Outcome("nothing", proposal=proposal)
        self._laying = False
        if self._held is ONE_OR_TWO and len(self._waiting) == 1 and self._one_move(view):  # the player lays on
            self._waiting, self._held, last = [], None, self._turn_seen() or last
        if self._waiting:
            return self._behind(view, proposal)
        if _same(last, view.seen) and self._nothing_more(view, proposal):
            return self._once_more(view, proposal)
        if not self._ours:
            return self._behind(view, proposal)
        if not _stands(proposal, view.seen, self.table):
            if not _sure(proposal) and view.at - (self._first_seen or 0.0) > CONTESTED:
                return self._behind(view, proposal)
            self._act("drop")
            self._forget()
            after = self._alone(view)
            return Outcome("dropped", after.again, after.why) if after.kind in ("nothing", "wait") else after
        if _sure(proposal) and self._held is None:
            return self._laid_on(view, proposal)
        return self._behind(view, proposal)

    def _laid_on(self, view: _View, proposal: Proposal) -> Outcome:
        """More lies there than what is proposed: the next move, or the rest of this one."""
        next_one = self._recounted([*self._chain(), view.seen]).entries[-1]
        why = next_one.question.code if next_one.question is not None else None
        unfinished = next_one.kind == NO_MOVE or why in UNFINISHED
        if unfinished and not view.pressed and view.calm_for < PATIENCE:
            self._laying = True  # of whom these tiles are is known when the move is whole
            return Outcome("wait", PATIENCE - view.calm_for, why or next_one.why, proposal)
        if self._one_or_two(proposal, view, unfinished):
            self._waiting, self._newest_at = [replace(view, hasty=True)], view.at
            return self._ask_one_or_two(proposal)
        booked = self._book(proposal, view.at)
        after = self._alone(view) if booked.kind == "booked" else booked
        return replace(booked, again=after.again) if after.kind in ("nothing", "wait") else after

    def _one_or_two(self, proposal: Proposal, view: _View, unfinished: bool = False) -> bool:
        """Whether the player of a proposal may have laid what else is there, too."""
        if not proposal.laid or self._sides.surely_another(proposal.laid[-1][0], view.reach) is not None:
            return False
        return unfinished or (self._one_move(view) and _stands(proposal, view.seen, self.table))

    def _ask_one_or_two(self, proposal: Proposal) -> Outcome:
        self._held, self._sure_since = ONE_OR_TWO, None
        return self._asked(proposal, ONE_OR_TWO)

    def _asked(self, proposal: Proposal, held: Question) -> Outcome:
        self._told = self._asking(proposal)
        return Outcome("asked", why=held.code, proposal=replace(proposal, question=held))

    def _asked_next(self, proposal: Proposal) -> Outcome | None:
        """The question that an answer has left, or raised; None where nobody has answered what was asked."""
        pending, asking = self._pending, self._asking(proposal)
        if asking == self._told or asking[0] is None or pending is None or pending.typed is not None:
            return None
        if _sure(proposal) and self._held is not None:
            return self._asked(proposal, self._held)
        self._told = asking
        return Outcome("asked", RARELY, asking[0], proposal)

    def _asking(self, proposal: Proposal | None) -> tuple[str | None, tuple[Square, ...]]:
        """What has to be answered now: its code, and squares."""
        if proposal is None or _sure(proposal):
            return (self._held.code if self._held is not None else None), ()
        return _doubt(proposal), proposal.question.squares if proposal.question is not None else ()

    def _one_move(self, view: _View) -> bool:
        """Whether all that was laid since the last move that is booked may be a single one."""
        whole = proposal_of(self.table.state, view.digest, view.seen, self.table.means)
        return len(whole.laid) <= 1 and whole.legal_but_for_blanks

    def _nothing_more(self, view: _View, proposal: Proposal) -> bool:
        """Whether a look by itself shows no other tiles than the proposal: one doubtful tile more is no clear
        difference to the last look, and a move all the same."""
        alone = proposal_of(self.table.state, view.digest, view.seen, self.table.means)

        return not alone.laid or _tiles(alone).keys() <= _tiles(proposal).keys()

    def _once_more(self, view: _View, proposal: Proposal) -> Outcome:
        """Another look at the very position that is proposed: it may show what the last one did not."""
        pending = self._pending
        if not self._ours or pending is None:
            return Outcome("nothing", proposal=proposal)
        if _sure(proposal):
            books = view.pressed and self._held is None
            return self._book(proposal, view.at) if books else Outcome("nothing", proposal=proposal)
        untouched = pending.answer == NO_ANSWER and pending.typed is None
        self._tries += 1
        if not untouched or self._tries > MOST_TRIES or len(pending.photos) > MOST_VIEWS:
            return Outcome("nothing", proposal=proposal)
        known = [(digest, self.table.seen(digest)) for digest in pending.photos]
        both = fused_photos([*((d, seen) for d, seen in known if seen is not None), (view.digest, view.seen)])
        better = proposal_of(self.table.state, *both, self.table.means)
        # who looks often enough sees everything once: a look may confirm what was taken for likely, not replace it
        if not _sure(better) or _tiles(better) != _tiles(proposal):
            return Outcome("nothing", RARELY, proposal=proposal)
        first, self._views = self._first_seen, [view]
        after = self._propose(view.pressed)
        self._first_seen = first
        return after

    def _behind(self, view: _View, proposal: Proposal) -> Outcome:
        """A position behind an open question. What it shows may answer that."""
        result = self._recounted([*self._chain(), view.seen])
        first, last = result.entries[0], result.entries[-1]
        why = last.question.code if last.question is not None else None
        unfinished = last.kind in NO_TURN or why in UNFINISHED
        if unfinished and not view.pressed and view.calm_for < PATIENCE:
            return Outcome("wait", PATIENCE - view.calm_for, why, proposal)
        if last.kind in NO_TURN:
            return Outcome("nothing", why=why, proposal=proposal)
        hasty = self._calm_at - self._newest_at < self.settle
        self._waiting = [*self._waiting, replace(view, hasty=hasty)][-MOST_WAITING:]
        self._newest_at = view.at
        answered = self._ours and self._held is None and first.kind == "place" and first.question is None
        if answered and not first.before and first.play is not None:
            self._answer(first)
            sure = self._proposal
            if sure is not None and _sure(sure) and not (hasty and self._one_or_two(sure, view)):
                return self._book(sure, view.at)
        return Outcome("asked", why="waiting", proposal=proposal, behind=last)

    def _answer(self, entry: RecountEntry) -> None:
        """What a later look shows of the move that is asked about, as its answer."""
        assert entry.play is not None
        squares = {square: tile for square, tile in entry.play.placement.tiles if not is_blank(tile)}
        with contextlib.suppress(BrettblickError):  # then it stays a question
            self._act("answer", answer_to_json(Answer(squares, "place")))

    def _next_waiting(self) -> Outcome | None:
        """The turn before it is decided: the next of those that waited."""
        view, *self._waiting = self._waiting
        self._views = []
        outcome = self._alone(replace(view, calm_for=PATIENCE))
        return None if outcome.kind == "nothing" else outcome

    # --- what is done and known

    def _book(self, proposal: Proposal, at: float) -> Outcome:
        first = len(self.table.state.done) + 1
        try:
            self._act("confirm", {"open_blank": True})
        except Refused as error:
            return Outcome("asked", why=next(iter(error.refusal.codes), None), proposal=proposal)
        except Conflict:  # a person was quicker
            return Outcome("nothing", proposal=proposal)
        if proposal.entry is not None and proposal.photo is not None:
            events = tuple(range(first, len(self.table.state.done) + 1))
            seen_at = at if self._first_seen is None else self._first_seen
            self.turns.append(Turn(seen_at, proposal.photo, _without_pictures(proposal.entry), events))
        if proposal.laid:
            self._sides = self._sides.with_move(proposal.laid[-1][0], self._reach)
        self._forget()
        return Outcome("booked", proposal=proposal)

    def _act(self, name: str, data: Mapping[str, Any] | None = None, author: Author | None = None) -> None:
        version = self.table.state.version
        self.table.act(name, data or {}, author=author or self.author, request=uuid.uuid4().hex, version=version)

    def _notice(self) -> None:
        """What other phones have done since. What a person threw away, or undid, is not proposed again by itself."""
        self.table.refresh()
        events = [one.event for one in self.table.state.done]
        if len(events) > self._noticed and isinstance(events[-1], Undone) and self._pending is None:
            back = {number for number, _ in standing(events)[1]}
            last = next((turn for turn in reversed(self.turns) if back & set(turn.events)), None)
            self._ignored = last.entry.observation if last is not None else None
        self._noticed = len(events)
        if self._shown is None or self._pending is not None:
            return
        done, view = self._shown
        since = [one.event for one in self.table.state.done[done:]]
        laid = any(isinstance(event, Placed) for event in since)
        if not since:
            self._ignored = view.seen
        elif laid or any(isinstance(event, Withdrawn) for event in since):
            self._confirmed(view, done + 1)
        else:  # somebody has passed: the tiles are of the player after that, and what was said of them holds
            self._waiting = [replace(view, pressed=False, said=self._said_before(done)), *self._waiting]
        self._forget()

    def _said_before(self, done: int) -> tuple[Answer, Author] | None:
        """What had been said of the turn's photos when the event after so many was booked, and by whom last."""
        state = self.table.state
        end = state.done[done].row.number
        pending = fold(state.setup, [row for row in self.table.rows if row.number < end]).pending
        answers = [row for row in pending.rows if row.kind == "answer"] if pending is not None else []
        if pending is None or pending.answer == NO_ANSWER or not answers:
            return None
        return pending.answer, answers[-1].author

    def _confirmed(self, view: _View, first: int) -> None:
        """A person has booked what was proposed, as it was or with their answers; first: number of its first event."""
        state = self.table.state
        numbers = tuple(range(first, len(state.done) + 1))
        entry = RecountEntry(view.seen, "withdrawn", None, None, False, state.state.totals)
        for number in numbers:
            booked = state.state.entry(number)
            if booked is not None and isinstance(booked.event, Placed):
                entry = replace(entry, kind="place", player=booked.event.player, play=booked.play, counted=True)
                self._sides = self._sides.with_move(booked.event.player, self._reach, self._held is WHOSE_TURN)
        seen_at = view.at if self._first_seen is None else self._first_seen
        self.turns.append(Turn(seen_at, view.digest, _without_pictures(entry), numbers))

    def _forget(self) -> None:
        self._views, self._sure_since, self._first_seen, self._shown = [], None, None, None
        self._tries, self._reach, self._held, self._laying = 0, None, None, False
        self._told, self._unsettled, self._in_doubt = (None, ()), [], False

    @property
    def _pending(self) -> Pending | None:
        pending = self.table.state.pending
        return pending if pending is not None and (pending.photos or pending.typed) else None

    @property
    def _ours(self) -> bool:
        """Whether the camera took the last photo of the turn."""
        pending = self._pending
        rows = [row for row in pending.rows if row.kind == "photo"] if pending is not None else []
        return bool(rows) and rows[-1].author.device == self.author.device

    @property
    def _proposal(self) -> Proposal | None:
        try:
            return self.table.proposal()
        except BrettblickError:  # what somebody has typed cannot be, or photos were not read again yet
            return None

    def _answered_away(self, proposal: Proposal) -> bool:
        """Whether somebody has said that no tile is there where one seemed to lie, so that nothing is left to book."""
        pending = self._pending
        if pending is None or pending.answer == NO_ANSWER or pending.typed is not None or proposal.events:
            return False
        begun = proposal.question is not None and proposal.question.code == "begun-before"
        return not begun and proposal.entry is not None and proposal.entry.kind in NO_TURN

    def _turn_seen(self) -> Observation | None:
        """What the photos of the turn show together."""
        pending = self._pending
        found = [(d, self.table.seen(d)) for d in pending.photos] if pending is not None else []
        known = [(digest, seen) for digest, seen in found if seen is not None]
        return fused_photos(known)[1] if known else None

    def _last_seen(self) -> Observation | None:
        return self._waiting[-1].seen if self._waiting else self._turn_seen()

    def _chain(self) -> list[Observation]:
        seen = self._turn_seen()
        return [*([seen] if seen is not None else []), *(view.seen for view in self._waiting)]

    def _recounted(self, chain: Sequence[Observation]) -> Recount:
        pending = self._pending
        answers = {0: pending.answer} if pending is not None else {}
        return recounted(self.table.state, chain, self.table.means, answers)


def _without_pictures(entry: RecountEntry) -> RecountEntry:
    """To be kept as long as the game: a flat board is a megabyte."""
    return replace(entry, observation=replace(entry.observation, photo=None, board=None))


def _sure(proposal: Proposal) -> bool:
    """Whether it can be booked without an answer. The letter of a blank can be said later: it changes no points, and it
    holds up nobody who looks at the board."""
    asked = proposal.question is not None and proposal.question.code != "blank-letter"
    return bool(proposal.events) and not asked and proposal.legal_but_for_blanks


def _doubt(proposal: Proposal) -> str | None:
    """Why a proposal is not sure; None also where there is nothing to book."""
    if proposal.question is not None:
        return proposal.question.code
    return (
        None
        if proposal.legal_but_for_blanks
        else next((code for one, _ in proposal.refused for code in one.codes), "refused")
    )


def _tiles(proposal: Proposal) -> dict[Square, str]:
    """The new tiles of all its moves."""
    return {square: tile for _, play in proposal.laid for square, tile in play.placement.tiles}


def _one_calm(one: _View, other: _View) -> bool:
    """Whether nothing moved between two looks: the calm before both began at the same time."""
    return abs((one.at - one.calm_for) - (other.at - other.calm_for)) < CALM_TOLERANCE


def _same(one: Observation, other: Observation) -> bool:
    """Whether both show the same tiles, as far as they show them clearly."""
    if one.reading is None or other.reading is None or differ(one, other):
        return False
    return bool(one.turns or other.turns) or not other_letters(one.reading, other.reading)


def _stands(proposal: Proposal, seen: Observation, table: Table) -> bool:
    """Whether what is proposed is still so on a later look: its tiles lie there, what is gone is not there again."""
    if seen.reading is None:
        return True
    reading, open_letters = seen.reading, proposal.entry.candidates if proposal.entry is not None else {}
    for _, play in proposal.laid:
        for square, tile in play.placement.tiles:
            may_be = {tile, *(char for char, _ in open_letters.get(square, ()))}
            if all(differs(reading, square, char) for char in may_be):
                return False
    gone = [event.ref for event in proposal.events if isinstance(event, Withdrawn)]
    back = [table.state.state.entry(ref) for ref in gone]
    tiles = [(square, table.state.state.board.at(square)) for entry in back if entry for square in entry.laid]
    return not tiles or any(tile is None or differs(reading, square, tile) for square, tile in tiles)
