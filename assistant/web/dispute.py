"""What there is about one event of a game, for people who doubt it: what the photo shows, how it was read, how it is
counted, and who said what when. Pure: from the rows of a game and the state that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assistant.advice import all_warnings
from assistant.notes import difference_text, move_text, tile_name
from assistant.questions import square_names
from assistant.recount import SURE, Difference
from assistant.report.evidence import installed_version
from assistant.report.page import how_sure, taken_text
from assistant.rules_texts import value_text
from assistant.store.rows import Json, Row
from assistant.table.evidence import corrected_tiles, observation_of
from assistant.table.history import ENDS_TURN, Done, TableState, answer_from_json
from assistant.texts import Texts
from assistant.web.view import KINDS
from scorer.board import Square
from scorer.events import (
    BlankNamed,
    Challenged,
    ChallengeRejected,
    Corrected,
    Placed,
    Redone,
    Undone,
    Withdrawn,
)
from scorer.explain import describe, explain, explain_entry, explain_faults, explain_score
from scorer.game import Entry, replay
from scorer.history import standing
from scorer.notation import Notation
from scorer.rules import RULE_SETS, RuleSet, differing_settings
from scorer.scoring import Play
from scorer.texts import Language
from scorer.tiles import BLANK
from vision.observe import Observation

OF_TURN = frozenset({"photo", "corners", "answer", "typed", "dropped"})
"""Kinds of rows that are about the turn that is being laid."""

OF_CHALLENGE = frozenset({"challenge", "verdict"})

USUAL = "mattel"
"""The rule set with which one of another name is compared."""

NOT_KEPT = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)
"""What reading evidence raises that this program did not write: an archive may hold anything."""

Ranked = Sequence[tuple[str, float]]
"""Tiles with probabilities, likeliest first."""


# --- what was kept of a photo -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kept:
    """What an event rests on, as it was kept with it (``assistant.table.evidence``).

    photo, before: hashes of its photo and of the one before it
    seen:          where the board is in its photo
    tiles:         tiles as they were confirmed, each with what it was read as
    first:         what the photo alone proposed; None where that was not kept
    changed:       (square, first, confirmed) of tiles that people changed
    asked:         whether a question had to be answered
    """

    photo: str | None = None
    before: str | None = None
    seen: Observation | None = None
    tiles: Mapping[Square, tuple[str, Ranked]] = field(default_factory=lambda: MappingProxyType({}))
    first: Mapping[Square, str] | None = None
    first_ranked: Mapping[Square, Ranked] = field(default_factory=lambda: MappingProxyType({}))
    changed: tuple[tuple[Square, str, str], ...] = ()
    asked: bool = False
    differences: tuple[Difference, ...] = ()
    probability: float | None = None
    taken: str | None = None
    model: str = ""
    program: str = ""

    @classmethod
    def of(cls, evidence: Json) -> Kept:
        """Raises one of `NOT_KEPT` for evidence that is damaged."""
        seen, first = evidence.get("seen"), evidence.get("at_first")
        photo = _digest(evidence.get("photo"))
        return cls(
            photo,
            _digest(evidence.get("before")),
            observation_of(evidence, Path(photo or "")) if photo else None,
            {_square(row, col): (str(tile), _ranked(ranked)) for row, col, tile, ranked in evidence.get("tiles", ())},
            None if first is None else {_square(row, col): str(tile) for row, col, tile in first.get("tiles", ())},
            {} if first is None else {_square(*one[:2]): _ranked(one[2]) for one in first.get("candidates", ())},
            tuple(corrected_tiles(evidence)),
            bool(first and first.get("question")),
            tuple(Difference(_square(*one[:2]), str(one[2]), str(one[3])) for one in evidence.get("differences", ())),
            None if evidence.get("probability") is None else float(evidence["probability"]),
            str(seen["taken"]) if seen and seen.get("taken") else None,
            str(evidence.get("model") or ""),
            str(evidence.get("program") or ""),
        )


def _digest(value: Any) -> str | None:
    return None if value is None else str(value)


def _square(row: Any, col: Any) -> Square:
    square = Square(int(row), int(col))
    if not square.on_board:
        raise ValueError("no square of the board")
    return square


def _ranked(data: Any) -> Ranked:
    return tuple((str(tile), float(share)) for tile, share in data)


# --- what is shown ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Photo:
    """A photo with what is marked on it.

    marks: squares by kind of mark: new, before, doubt, soon, gone
    """

    digest: str
    seen: Observation | None
    caption: str
    alt: str
    marks: Mapping[str, tuple[Square, ...]]

    @property
    def squares(self) -> frozenset[Square]:
        """All that are marked."""
        return frozenset(square for squares in self.marks.values() for square in squares)


@dataclass(frozen=True)
class Tile:
    """A square of the move from near by.

    char:   the tile as it counts now, or as it was booked where that counts no more; None for none
    sure:   how sure its reading was, "" where no photo was read
    others: what it may have been instead
    notes:  what people changed
    """

    square: Square
    name: str
    char: str | None
    sure: str
    others: tuple[str, ...]
    notes: tuple[str, ...]
    unsure: bool


@dataclass(frozen=True)
class Line:
    """Something that somebody did. number: of another event, to look at it; photo: hash of the one it is about."""

    at: str
    who: str
    text: str
    number: int | None = None
    photo: str | None = None


@dataclass(frozen=True)
class Doubt:
    """A challenge of the move. lines: who doubted what, the verdicts and what followed; looked_up: what the word list
    said; number: of its event, None while it is open."""

    lines: tuple[str, ...]
    looked_up: tuple[str, ...]
    number: int | None


@dataclass(frozen=True)
class Counted:
    """Three numbers of a score (R3.6) and what follows: announced, computed, agreed, counts; None: not known."""

    announced: int | None
    computed: int | None
    agreed: int | None
    counts: int


@dataclass(frozen=True)
class Basis:
    """What a game rests on. rules, lists: names with what there is to say of each; zone: of all times."""

    rules: str
    settings: tuple[tuple[str, str, str], ...]
    usual: str
    lists: tuple[tuple[str, str], ...]
    lexicon: str
    program: str
    zone: str


@dataclass(frozen=True)
class Dispute:
    """All there is about one event.

    number, of: of the event, and how many there are
    headline:   who did what, in short
    points:     what it adds to the player's total, None for what has no points
    void:       whether it counts no more
    notices:    what has to be said first: taken back, corrected, open
    lines:      what happened, for what is no placement
    before, after: the photos; None where there is none
    read:       what the program proposed at first, and what people changed
    earlier, later: numbers of the next things that happened
    ref:        number of the event that this one is about
    """

    number: int
    of: int
    kind: str
    headline: str
    points: int | None
    void: bool
    notices: tuple[str, ...]
    lines: tuple[str, ...]
    before: Photo | None
    after: Photo | None
    tiles: tuple[Tile, ...]
    read: tuple[str, ...]
    words: tuple[tuple[str, int], ...]
    steps: tuple[str, ...]
    counted: Counted | None
    remarks: tuple[str, ...]
    faults: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    totals: tuple[tuple[str, int], ...]
    history: tuple[Line, ...]
    facts: tuple[tuple[str, str], ...]
    earlier: int | None
    later: int | None
    ref: int | None


class Disputes:
    """Looks into the events of a game.

    rows: those of the state, and perhaps more
    """

    def __init__(self, table: TableState, rows: Sequence[Row], texts: Texts) -> None:
        self.table, self.state, self.texts = table, table.state, texts
        self.rows = tuple(rows[: table.version])
        self.game, self.setup = table.state.game, table.setup
        self.names, self.notation = table.setup.players, table.setup.notation
        self.language: Language = "de" if texts.language == "de" else "en"

    # --- the game

    @property
    def numbers(self) -> tuple[int, ...]:
        """The events that are worth a look of their own; the others are told with the one they are about."""
        return tuple(done.number for done in self.table.done if isinstance(done.event, tuple(KINDS)))

    def basis(self) -> Basis:
        """What all events have in common."""
        rules, texts = self.setup.rules, self.texts
        usual = usual_rules(rules)
        lists = tuple((one.title, one.sha256) for one in self.setup.word_lists)
        if rules.open_dictionary:
            lexicon = texts("paper.open-dictionary")
        else:
            lexicon = texts("paper.closed-dictionary" if lists else "report.no-lists")
        return Basis(
            rules_name(rules, texts),
            tuple(_setting(rules, usual, name, texts) for name in differing_settings(rules, usual)),
            rules_name(usual, texts),
            lists,
            lexicon,
            installed_version(),
            f"UTC{self.rows[-1].at.astimezone().isoformat()[-6:]}" if self.rows else "",
        )

    @cached_property
    def _undone(self) -> Mapping[int, int]:
        """Which event each undo took back, and each redo put back."""
        done: list[int] = []
        undone: list[int] = []
        out = {}
        for one in self.table.done:
            if isinstance(one.event, Undone | Redone):
                taken, given = (done, undone) if isinstance(one.event, Undone) else (undone, done)
                if taken:
                    out[one.number] = taken[-1]
                    given.append(taken.pop())
            else:
                done.append(one.number)
                undone.clear()
        return out

    @cached_property
    def _standing(self) -> frozenset[int]:
        return frozenset(number for number, _ in standing(self.game.events)[0])

    @cached_property
    def _about(self) -> Mapping[int, int]:
        """The event that each event is about, of those that are about one."""
        out = dict(self._undone)
        for done in self.table.done:
            ref = getattr(done.event, "ref", None)
            if isinstance(done.event, BlankNamed):
                ref = self._blank(done.number, done.event.square)
            if ref is not None and ref < done.number:
                out[done.number] = ref
        return out

    def _blank(self, before: int, square: Square) -> int | None:
        """The move that left a blank open on a square."""
        for done in reversed(self.table.done[: before - 1]):
            event = done.event.event if isinstance(done.event, Corrected) else done.event
            if isinstance(event, Placed) and event.placement.by_square.get(square) == BLANK:
                return done.event.ref if isinstance(done.event, Corrected) else done.number
        return None

    def _later(self, number: int) -> list[Done]:
        """The events that are about this one, or about one that is."""
        concerned, out = {number}, []
        for done in self.table.done[number:]:
            if self._about.get(done.number) in concerned:
                concerned.add(done.number)
                out.append(done)
        return out

    # --- one event

    def of(self, number: int) -> Dispute | None:
        """All about the event of that number, None when there is none."""
        done = self.table.event(number)
        if done is None:
            return None
        entry = self.state.entry(number)
        entry_then = None
        if entry is None:  # it counts no more: as it counted then
            entry_then = replay(replace(self.game, events=self.game.events[:number])).entry(number)
        shown = entry or entry_then
        void = shown is not None and (entry is None or entry.withdrawn)
        play = shown.play if shown else None
        kept, damaged = self._kept(number)
        own, others = self._squares(done, shown)
        before, after = self._photos(number, kept, own, others)
        lines: Sequence[str] = ()
        if play is None:
            told = None if shown is None else explain_entry(shown, self.game, self.language, self.notation)
            lines = told or (self._described(done),)
            lines = lines[lines[0] == self._headline(done, shown) :]
        numbers = self.numbers
        return Dispute(
            number,
            len(self.table.done),
            KINDS.get(type(shown.event if shown else done.event), "other"),
            self._headline(done, shown),
            shown.points if shown and (play or any(shown.changes)) else None,
            void,
            tuple(self._notices(done, entry, damaged)),
            tuple(lines),
            before,
            after,
            tuple(self._tile(square, kept, play) for square in own) if play or kept.tiles else (),
            tuple(self._read(kept, own)),
            () if play is None else tuple((word.word, word.score) for word in play.words),
            () if play is None else tuple(explain(play, self.language, self.notation)),
            None if shown is None or play is None else self._counted(shown, void),
            () if shown is None or play is None else tuple(explain_score(shown, self.setup.rules, self.language)),
            () if shown is None else tuple(explain_faults(shown, self.game, self.language, self.notation)),
            tuple(self._doubts(number)) if play is not None else self._own_doubt(done),
            tuple(zip(self.names, entry.totals, strict=True)) if entry else (),
            tuple(self._history(done)),
            tuple(self._facts(kept)),
            max((one for one in numbers if one < number), default=None),
            min((one for one in numbers if one > number), default=None),
            self._about.get(number),
        )

    def _described(self, done: Done) -> str:
        if done.number in self._undone:
            return self._undone_text(done)
        return describe(done.event, self.game, self.language, self.notation, done.number)

    def _undone_text(self, done: Done) -> str:
        what = self.table.event(self._undone[done.number])
        assert what is not None
        key = "paper.undone" if isinstance(done.event, Undone) else "paper.redone"
        return self.texts(key, what=self._described(what))

    def _headline(self, done: Done, entry: Entry | None) -> str:
        if entry is not None and entry.play is not None and entry.player is not None:
            return f"{self.names[entry.player]}: {_move(entry.play, self.notation)}"
        if entry is None:
            return self._described(done)
        return describe(entry.event, self.game, self.language, self.notation, done.number)

    def _notices(self, done: Done, entry: Entry | None, damaged: bool) -> Iterable[str]:
        texts, number = self.texts, done.number
        if number not in self._standing and not isinstance(done.event, Undone | Redone):
            yield texts("paper.is-undone")
        elif entry is None and not isinstance(done.event, Undone | Redone | Corrected):
            yield texts("paper.is-cancelled")
        elif self._moved(done):
            yield texts("paper.is-corrected", before=self._described(done))
        if entry is not None and entry.withdrawn:
            yield texts("report.withdrawn")
        if self.table.challenge is not None and self.table.challenge.ref == number:
            yield texts("paper.is-challenged")
        if damaged:
            yield texts("paper.damaged")

    def _moved(self, done: Done) -> bool:
        """Whether something else was put in the place of the event; a score announced later is nothing else."""
        for one in reversed(self.table.done[done.number :]):
            now = one.event
            if isinstance(now, Corrected) and now.ref == done.number and one.number in self._standing:
                if isinstance(now.event, Placed) and isinstance(done.event, Placed):
                    return now.event.placement != done.event.placement
                return True
        return False

    def _counted(self, entry: Entry, void: bool) -> Counted:
        agreed = entry.event.agreed if isinstance(entry.event, Placed) else None
        return Counted(entry.announced, entry.computed, agreed, 0 if void else entry.points)

    # --- pictures

    def _together(self, number: int) -> tuple[Done, ...]:
        """The moves that were confirmed together with this one, from one photo, in order; it is one of them."""
        done = self.table.done
        last = number
        while last < len(done) and done[last - 1].evidence is None and _same_time(done[last - 1], done[last]):
            last += 1
        if done[last - 1].evidence is None:
            return (done[number - 1],)
        first = last
        while first > 1 and done[first - 2].evidence is None and _same_time(done[first - 2], done[first - 1]):
            first -= 1
        return done[first - 1 : last] if first <= number else (done[number - 1],)

    def _kept(self, number: int) -> tuple[Kept, bool]:
        """What the event rests on, and whether that is damaged."""
        evidence = self._together(number)[-1].evidence
        if evidence is None:
            return Kept(), False
        try:
            return Kept.of(evidence), False
        except NOT_KEPT:
            return Kept(), True

    def _squares(self, done: Done, entry: Entry | None) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
        """The squares of the event, as it was booked and as it counts, and those of moves confirmed with it."""
        if isinstance(done.event, Withdrawn):
            ref = self.state.entry(done.event.ref)
            return (ref.laid if ref else ()), ()
        placed = [done.event, entry.event if entry else None]
        own = {square for event in placed if isinstance(event, Placed) for square in event.placement.squares}
        with_it = [one.event for one in self._together(done.number) if one.number != done.number]
        others = {square for event in with_it if isinstance(event, Placed) for square in event.placement.squares}
        if own:
            kept, _ = self._kept(done.number)
            own |= {*kept.tiles, *(kept.first or {})} - others
        on_board = [sorted(square for square in some if square.on_board) for some in (own, others - own)]
        return tuple(on_board[0]), tuple(on_board[1])

    def _photos(
        self, number: int, kept: Kept, own: Sequence[Square], others: Sequence[Square]
    ) -> tuple[Photo | None, Photo | None]:
        after = before = None
        withdrawn = isinstance(self.table.done[number - 1].event, Withdrawn)
        if kept.photo is not None:
            doubt = {square for square, _, _ in kept.changed} & set(own) | {one.square for one in kept.differences}
            new = tuple(square for square in own if square not in doubt)
            marks = {"gone" if withdrawn else "new": new, "before": tuple(others), "doubt": tuple(sorted(doubt))}
            after = self._photo(kept.photo, kept.seen, marks, "paper.after")
        if kept.before is not None and kept.before != kept.photo:
            marks = {"taken" if withdrawn else "soon": (*own, *others)}
            before = self._photo(kept.before, self._seen(kept.before, number), marks, "paper.before")
        return before, after

    def _seen(self, digest: str, number: int) -> Observation | None:
        """Where the board is in the photo of an earlier event."""
        for done in reversed(self.table.done[: number - 1]):
            if done.evidence and done.evidence.get("photo") == digest:
                try:
                    return Kept.of(done.evidence).seen
                except NOT_KEPT:
                    return None
        return None

    def _photo(
        self, digest: str, seen: Observation | None, marks: Mapping[str, tuple[Square, ...]], caption: str
    ) -> Photo:
        marks = {kind: squares for kind, squares in marks.items() if squares}
        said = [
            self.texts("report.marked", mark=self.texts(f"paper.mark.{kind}"), squares=square_names(squares))
            for kind, squares in marks.items()
        ]
        text = self.texts(caption)
        return Photo(digest, seen, text, f"{text}. {'; '.join(said)}".strip(), marks)

    # --- tiles

    def _tile(self, square: Square, kept: Kept, play: Play | None) -> Tile:
        now = play.placement.by_square.get(square) if play else None
        confirmed, ranked = kept.tiles.get(square, (None, ()))
        ranked = kept.first_ranked.get(square) or ranked  # before anybody said what it is
        char = now if play else confirmed
        notes = [self._changed(*one) for one in kept.changed if one[0] == square]
        if play and kept.tiles and (confirmed or ".") != (now or ".") and not _named(confirmed, now):
            notes.append(self._changed(square, confirmed or ".", now or ".", "paper.tile-later"))
        said = {"tile": char, "candidates": [{"tile": tile, "probability": share} for tile, share in ranked]}
        sure, others = how_sure(said, self.texts)
        unsure = bool(notes) or bool(ranked and ranked[0][1] < SURE)
        return Tile(square, square_names((square,)), char, sure, tuple(others), tuple(notes), unsure)

    def _changed(self, square: Square, then: str, now: str, key: str = "web.tile-corrected") -> str:
        names = {"then": tile_name(then, self.texts), "now": tile_name(now, self.texts)}
        return self.texts(key, square=square_names((square,)), **names)

    def _read(self, kept: Kept, own: Sequence[Square]) -> Iterable[str]:
        """What the program proposed at first, and what people changed."""
        texts = self.texts
        if kept.photo is None:
            return
        if kept.first is not None:
            first = {square: tile for square, tile in kept.first.items() if square in own}
            if first:
                tiles = ", ".join(f"{square_names((square,))} {tile_name(t, texts)}" for square, t in first.items())
                yield texts("paper.first-tiles", tiles=tiles)
            elif kept.tiles:
                yield texts("paper.first-nothing")
            if kept.asked:
                yield texts("paper.first-asked")
        changed = [one for one in kept.changed if one[0] in own]
        for one in changed:
            yield self._changed(*one)
        if kept.first is not None and kept.tiles and not changed:
            yield texts("paper.nothing-corrected")
        for difference in kept.differences:
            yield difference_text(difference, texts)
        if kept.seen is not None and kept.seen.warnings:
            known = tuple(code for code in kept.seen.warnings if texts.has(f"warning.{code}"))
            yield from all_warnings(replace(kept.seen, warnings=known), texts)

    def _facts(self, kept: Kept) -> Iterable[tuple[str, str]]:
        """What the reading of the photo rests on."""
        texts = self.texts
        if kept.photo is not None:
            yield texts("paper.fact.photo"), kept.photo
            if kept.taken and (taken := _taken(kept.taken, texts)):
                yield texts("paper.fact.taken"), taken
        if kept.before is not None and kept.before != kept.photo:
            yield texts("paper.fact.before"), kept.before
        if kept.model and kept.photo is not None:
            yield texts("paper.fact.model"), kept.model
        if kept.program:
            yield texts("paper.fact.program"), f"Brettblick {kept.program}"

    # --- challenges

    def _doubts(self, number: int) -> Iterable[Doubt]:
        """The challenges of a move, the open one last."""
        for done in self.table.done[number:]:
            if self._about.get(done.number) == number and isinstance(
                done.event, Challenged | Withdrawn | ChallengeRejected
            ):
                yield from self._doubt(done)
        if self.table.challenge is not None and self.table.challenge.ref == number:
            row = self.table.challenge.row
            who = ", ".join(self.names[seat] for seat in self.table.challenge.challengers if seat < len(self.names))
            words = ", ".join(word.word for word in self.table.challenge.words)
            line = self.texts("paper.open-challenge", who=who, words=words)
            yield Doubt((line,), tuple(self._looked_up(row)), None)

    def _own_doubt(self, done: Done) -> tuple[Doubt, ...]:
        """What was looked up for a challenge; its other lines are those of the event itself."""
        row = self._challenge_row(done)
        looked_up = tuple(self._looked_up(row)) if row else ()
        return (Doubt((), looked_up, done.number),) if looked_up else ()

    def _doubt(self, done: Done) -> Iterable[Doubt]:
        entry = self.state.entry(done.number)
        if entry is not None:
            row = self._challenge_row(done)
            lines = explain_entry(entry, self.game, self.language, self.notation)
            yield Doubt(tuple(lines), tuple(self._looked_up(row)) if row else (), done.number)

    def _challenge_row(self, done: Done) -> Row | None:
        """Where the words of a challenge were looked up; None for one that came without, as from a file."""
        if not isinstance(done.event, Challenged):
            return None
        for row in reversed(self.rows[: done.row.number - 1]):
            if row.kind == "event" and row.body.get("event", {}).get("kind") == "challenged":
                return None
            if row.kind == "challenge":
                return row if row.body.get("ref") == done.event.ref else None
        return None

    def _looked_up(self, row: Row) -> Iterable[str]:
        try:
            for word in row.body["words"]:
                yield str(word["found"]["text"][self.language])
        except NOT_KEPT:
            yield self.texts("paper.damaged")

    # --- who did what when

    def _history(self, done: Done) -> Iterable[Line]:
        for row in self._leading(done):
            yield from self._said(row)
        yield self._signed(done.row, self.texts("paper.booked", what=self._described(done)))
        later = [(one.row, one) for one in self._later(done.number)]
        rows: list[tuple[Row, Done | None]] = [*later]
        challenged = {done.number, *(one.number for _, one in later)}
        concerned = False
        for row in self.rows[done.row.number :]:
            if row.kind == "challenge":
                concerned = row.body.get("ref") in challenged
            if row.kind in OF_CHALLENGE and concerned:
                rows.append((row, None))
        for row, event in sorted(rows, key=lambda one: one[0].number):
            if event is None:
                yield from self._said(row)
            else:
                yield self._signed(row, self._described(event), number=event.number)

    def _leading(self, done: Done) -> Sequence[Row]:
        """What was said before the event was booked: photos and answers of its turn, or the words of a challenge."""
        kinds = OF_TURN if isinstance(done.event, ENDS_TURN) else frozenset()
        kinds = OF_CHALLENGE if isinstance(done.event, Challenged) else kinds
        together = self._together(done.number)
        rows: list[Row] = []
        for row in reversed(self.rows[: together[0].row.number - 1]):
            if row.kind == "event" and (kinds is OF_CHALLENGE or self._ends_turn(row)):
                break
            if row.kind in kinds:
                rows.append(row)
        return rows[::-1]

    def _ends_turn(self, row: Row) -> bool:
        done = self._by_row.get(row.number)
        return done is not None and isinstance(done.event, ENDS_TURN)

    @cached_property
    def _by_row(self) -> Mapping[int, Done]:
        return {done.row.number: done for done in self.table.done}

    def _signed(self, row: Row, text: str, *, number: int | None = None, photo: str | None = None) -> Line:
        local = row.at.astimezone()
        who = row.author.who or self.texts("web.phone", device=row.author.device[:4])
        return Line(f"{local:%d.%m.%Y, %H:%M:%S}", who, text, number, photo)

    def _said(self, row: Row) -> Iterable[Line]:
        """What a row says that is no event."""
        texts, body = self.texts, row.body
        try:
            match row.kind:
                case "photo":
                    key = "paper.said.photo" if body.get("name") else "paper.said.photo-unnamed"
                    yield self._signed(row, texts(key, name=body.get("name", "")), photo=str(body["digest"]))
                case "corners":
                    yield self._signed(row, texts("paper.said.corners"))
                case "answer":
                    yield self._signed(row, texts("paper.said.answer", what="; ".join(self._answer(body))))
                case "typed":
                    yield self._signed(row, texts("paper.said.typed", move=body["move"]))
                case "dropped":
                    yield self._signed(row, texts("paper.said.dropped"))
                case "challenge":
                    who = ", ".join(self.names[seat] for seat in body["challengers"])
                    words = ", ".join(str(one["word"]) for one in body["words"])
                    yield self._signed(row, texts("paper.said.challenge", who=who, words=words))
                case "verdict":
                    answer = texts("web.allowed" if body["valid"] else "web.not-allowed")
                    by = ", ".join(filter(None, (str(body["by"]), str(body["source"]))))
                    yield self._signed(row, texts("paper.said.verdict", word=body["word"], answer=answer, by=by))
        except NOT_KEPT:
            yield self._signed(row, texts("paper.damaged"))

    def _answer(self, body: Json) -> Iterable[str]:
        texts, answer = self.texts, answer_from_json(body)
        for square, tile in answer.squares.items():
            yield f"{square_names((square,))} {tile_name(tile, texts)}"
        if answer.kind is not None:
            yield texts(f"paper.answer.{answer.kind}")
        if answer.move is not None:
            yield answer.move.text(self.notation)
        for key, squares in (("first", answer.first), ("second", answer.second)):
            if squares:
                yield texts(f"paper.answer.{key}", squares=square_names(squares))
        if answer.confirmed:
            yield texts("paper.answer.confirmed")
        if answer.here:
            yield texts("paper.answer.here")


def rules_name(rules: RuleSet, texts: Texts) -> str:
    """What a rule set is called, whatever was changed of it."""
    key = f"web.ruleset.{rules.name}"
    return texts(key) if texts.has(key) else rules.name


def usual_rules(rules: RuleSet) -> RuleSet:
    """The set of the same name as it is without changes; for another name the one of the makers."""
    return RULE_SETS.get(rules.name, RULE_SETS[USUAL])


def _move(play: Play, notation: Notation) -> str:
    """The main word and where it stands: ``FREUNDIN (10F)``; tiles square by square where there is none."""
    text = play.text(notation)
    return f"{play.words[0].word} ({text.partition(' ')[0]})" if text and play.words else move_text(play)


def _setting(rules: RuleSet, usual: RuleSet, name: str, texts: Texts) -> tuple[str, str, str]:
    """What a setting is called, what it says here and what it usually says."""
    return texts(f"setting.{name}"), value_text(rules, name, texts), value_text(usual, name, texts)


def _same_time(one: Done, other: Done) -> bool:
    """Whether both were booked at once as moves from one photo."""
    moves = isinstance(one.event, Placed) and isinstance(other.event, Placed)
    return moves and one.row.at == other.row.at and one.row.author == other.row.author


def _named(then: str | None, now: str | None) -> bool:
    """Whether an open blank got its letter."""
    return then == BLANK and now is not None and now != now.upper()


def _taken(time: str, texts: Texts) -> str:
    try:
        return taken_text(time, texts)
    except ValueError:
        return ""
