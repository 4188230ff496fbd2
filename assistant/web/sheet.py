"""The score sheet of a game as on a paper pad: for each player words, points and running total, round by round, and the
settlement under it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from assistant.notes import move_text
from assistant.rules_texts import value_text
from assistant.store.rows import Row
from assistant.table.history import TableState
from assistant.texts import Texts
from assistant.web.dispute import rules_name, usual_rules
from scorer.challenge import Outcome
from scorer.events import (
    IMPOSSIBLE,
    BlankSwapped,
    Challenged,
    ChallengeRejected,
    Corrected,
    DrawnForFirst,
    Exchanged,
    MoveTimedOut,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    Resigned,
    Settled,
    Stopped,
    Withdrawn,
)
from scorer.explain import describe, explain_end, explain_entry, explain_faults, explain_result, explain_score
from scorer.game import Entry
from scorer.history import standing
from scorer.rules import differing_settings
from scorer.scoring import Play
from scorer.texts import Language


@dataclass(frozen=True)
class Cell:
    """What is written for one player in one line.

    main:   the word, or what was done instead
    at:     its first square, "" where no word was laid
    others: the words formed with it
    bonus:  points for a whole rack
    points: what the line adds; None where nothing is written
    struck: points of a move that was taken back
    total:  of the player after it
    marks:  numbers of its footnotes
    """

    main: str
    at: str = ""
    others: tuple[str, ...] = ()
    bonus: int = 0
    points: int | None = None
    struck: int | None = None
    total: int | None = None
    marks: tuple[int, ...] = ()


@dataclass(frozen=True)
class SheetRow:
    """A line over all players, a cell or none for each column. number: of the round; None for what is no turn."""

    number: int | None
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Closing:
    """A line of the settlement. cells: (points or None where they are not known, total after it), None for nothing."""

    label: str
    cells: tuple[tuple[int | None, int] | None, ...]


@dataclass(frozen=True)
class Sheet:
    """The whole sheet; players and all cells in the order of the turns.

    notices:   what is not finished
    footnotes: to the lines that are marked, numbered from 1
    totals:    as they stand; final: whether they are the end
    places:    of the players, empty while nobody has won
    facts:     what stands in the head
    """

    players: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    closing: tuple[Closing, ...]
    totals: tuple[int, ...]
    final: bool
    places: tuple[int, ...]
    result: tuple[str, ...]
    notices: tuple[str, ...]
    footnotes: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]


def sheet_of(table: TableState, rows: Sequence[Row], texts: Texts, created: datetime) -> Sheet:
    """The sheet of a game as it is now. rows: of the game; created: when it was made."""
    return _Sheet(table, rows, texts, created).whole()


@dataclass
class _Round:
    """A round with what stands above and below it for single players."""

    turn: list[Cell | None]
    above: list[tuple[int, Cell]] = field(default_factory=list)
    below: list[tuple[int, Cell]] = field(default_factory=list)


class _Sheet:
    def __init__(self, table: TableState, rows: Sequence[Row], texts: Texts, created: datetime) -> None:
        self.table, self.state, self.rows, self.texts, self.created = table, table.state, rows, texts, created
        self.names, self.order = table.setup.players, table.state.order
        self.column = {player: place for place, player in enumerate(self.order)}
        self.language: Language = "de" if texts.language == "de" else "en"
        self.notation = table.setup.notation
        self.rounds: list[_Round] = []
        self.closing: dict[str, list[list[tuple[int | None, int] | None]]] = {"rest": [], "others": [], "time": []}
        self.footnotes: list[str] = []
        self.drawn: list[str] = []

    def whole(self) -> Sheet:
        state, texts = self.state, self.texts
        for entry in state.log:
            if not entry.faults & IMPOSSIBLE:
                self._write(entry)
        booked = any(isinstance(entry.event, Settled) and entry.event.reason == "rack" for entry in state.log)
        settlement = state.settlement
        final = booked or (settlement is not None and settlement.complete)
        result: list[str] = []
        if state.end is not None and (final or state.end.certain):
            result.append(explain_end(state.end, self.names, self.table.setup.rules, self.language))
        if final:
            outcome = state.result
            result += explain_result(
                outcome, state.totals, self.names, self.table.setup.rules, state.lost, self.language
            )
        return Sheet(
            tuple(self.names[player] for player in self.order),
            tuple(self._lines()),
            tuple(self._closing_lines(settlement is not None or booked)),
            tuple(state.totals[player] for player in self.order),
            final,
            tuple(state.result.places[player] for player in self.order) if final else (),
            tuple(result),
            tuple(self._notices(final, texts)),
            tuple(self.footnotes),
            tuple(self._facts()),
        )

    # --- lines

    def _write(self, entry: Entry) -> None:
        event, player, texts = entry.event, entry.player, self.texts
        match event:
            case Placed():
                self._placed(entry)
            case Passed():
                self._turn(entry, texts("paper.passed"))
            case NothingLaid():
                self._turn(entry, texts("paper.nothing-laid"))
            case Exchanged():
                size = event.size
                self._turn(entry, texts("paper.exchanged" if size is None else "paper.exchanged-n", count=size))
            case MoveTimedOut():
                self._turn(entry, texts("paper.timed-out"))
            case BlankSwapped():
                if entry.used_turn:
                    self._turn(entry, texts("paper.swapped", tile=event.tile))
                elif player is not None:
                    self._extra(player, Cell(texts("paper.swapped", tile=event.tile)))
            case Withdrawn() | Challenged() | ChallengeRejected():
                self._challenge(entry)
            case Resigned() if player is not None:
                self._extra(player, Cell(texts("paper.resigned")))
            case Stopped():
                pass  # the end says it
            case DrawnForFirst():
                self.drawn += explain_entry(entry, self.state.game, self.language, self.notation)
            case Overtime():
                self._close(entry, "time")
            case Settled(_, _, "time"):
                self._close(entry, "time")
            case Settled(_, _, "challenge-bonus") if player is not None:
                cell = Cell(texts("paper.challenge-bonus"), points=entry.points, total=entry.totals[player])
                self._extra(player, cell)
            case Settled():
                self._close(entry, "rest" if entry.points < 0 else "others")
            case RacksShown():
                self._settle(entry)
            case _:
                pass

    def _placed(self, entry: Entry) -> None:
        play, player = entry.play, entry.player
        assert play is not None and player is not None
        marks = self._marks(entry)
        text = play.text(self.notation)
        words = play.words
        main, others = words[0].word if words else move_text(play), tuple(word.word for word in words[1:])
        at = text.partition(" ")[0] if text and words else ""
        points: int | None = entry.points
        struck, total = None, entry.totals[player]
        if entry.withdrawn:
            struck, points = entry.points, 0
            if self._taken_back_at_once(entry):
                total -= entry.points
            else:
                points = entry.points
        self._cell(player, Cell(main, at, others, play.bingo_bonus, points, struck, total, marks))

    def _taken_back_at_once(self, entry: Entry) -> bool:
        """Whether nothing was written for the player between a move and its withdrawal: it is struck out in its own
        line then. Else the withdrawal has a line of its own."""
        assert entry.player is not None
        for later in self.state.log:
            if later.number > entry.number and not later.faults & IMPOSSIBLE:
                if getattr(later.event, "ref", None) == entry.number and later.changes[entry.player]:
                    return True
                if later.changes[entry.player] or (later.player == entry.player and later.used_turn):
                    return False
        return True

    def _turn(self, entry: Entry, text: str) -> None:
        if entry.player is not None and entry.used_turn:
            total = entry.totals[entry.player]
            self._cell(entry.player, Cell(text, points=0, total=total, marks=self._marks(entry)))

    def _challenge(self, entry: Entry) -> None:
        """What a challenge changes, beside the points of a move that is struck out in its own line."""
        texts, event = self.texts, entry.event
        ref = getattr(event, "ref", None)
        move = None if ref is None else self.state.entry(ref)
        upheld = isinstance(event, Withdrawn) or (
            entry.challenge is not None and entry.challenge.outcome is Outcome.UPHELD
        )
        for player in self.order:
            change = entry.changes[player]
            back = -move.points if upheld and move is not None and move.player == player else 0
            total = entry.totals[player]
            if back and move is not None and not self._taken_back_at_once(move):
                text = texts("paper.taken-back", word=_word(move.play))
                self._extra(player, Cell(text, points=back, total=total - (change - back)))
            if change - back:
                self._extra(player, Cell(texts("paper.challenge"), points=change - back, total=total))

    def _marks(self, entry: Entry) -> tuple[int, ...]:
        """Numbers of the footnotes of a line, which are written down with them."""
        said = []
        if entry.play is not None:
            if entry.announced not in (None, entry.points) or entry.computed != entry.points:
                said += explain_score(entry, self.table.setup.rules, self.language)
            if entry.withdrawn:
                said.append(self._why_withdrawn(entry))
        said += explain_faults(entry, self.state.game, self.language, self.notation)
        corrected = [
            event
            for _, event in standing(self.state.game.events)[0]
            if isinstance(event, Corrected) and event.ref == entry.number
        ]
        if corrected and not self._only_announced(entry.number, corrected[-1]):
            said.append(self.texts("paper.footnote-corrected"))
        if not said:
            return ()
        name = self.names[entry.player] if entry.player is not None else ""
        word = _word(entry.play)
        self.footnotes.append(f"{name}{', ' if word else ''}{word}: {' '.join(said)}")
        return (len(self.footnotes),)

    def _only_announced(self, number: int, corrected: Corrected) -> bool:
        done = self.table.event(number)
        booked, now = done.event if done else None, corrected.event
        return isinstance(booked, Placed) and isinstance(now, Placed) and booked.placement == now.placement

    def _why_withdrawn(self, entry: Entry) -> str:
        """The sentence on the challenge that took a move back."""
        for later in self.state.log:
            if later.number > entry.number and getattr(later.event, "ref", None) == entry.number:
                if isinstance(later.event, Challenged):
                    invalid = later.challenge.invalid if later.challenge else ()
                    return self.texts("paper.footnote-challenged", words=", ".join(invalid))
                if isinstance(later.event, Withdrawn):
                    return describe(later.event, self.state.game, self.language, self.notation, later.number)
        return self.texts("sheet.taken-back")

    def _cell(self, player: int, cell: Cell) -> None:
        """Writes a turn into the round that is being played, or the next one."""
        at = self.column[player]
        if not self.rounds or any(one is not None for one in self.rounds[-1].turn[at:]):
            self.rounds.append(_Round([None] * len(self.order)))
        self.rounds[-1].turn[at] = cell

    def _extra(self, player: int, cell: Cell) -> None:
        """Writes what is no turn under the player's last line."""
        if not self.rounds:
            self.rounds.append(_Round([None] * len(self.order)))
        last = self.rounds[-1]
        (last.below if last.turn[self.column[player]] is not None else last.above).append((self.column[player], cell))

    def _lines(self) -> Iterable[SheetRow]:
        for number, one in enumerate(self.rounds, start=1):
            yield from self._packed(one.above)
            if any(cell is not None for cell in one.turn):
                yield SheetRow(number, tuple(one.turn))
            yield from self._packed(one.below)

    def _packed(self, cells: Sequence[tuple[int, Cell]]) -> Iterable[SheetRow]:
        """In as few lines as there are for one player."""
        lines: list[list[Cell | None]] = []
        for at, cell in cells:
            line = next((one for one in lines if one[at] is None), None)
            if line is None:
                line = [None] * len(self.order)
                lines.append(line)
            line[at] = cell
        return [SheetRow(None, tuple(line)) for line in lines]

    # --- the end

    def _settle(self, entry: Entry) -> None:
        assert entry.settlement is not None
        for line in entry.settlement.lines:
            before = entry.totals[line.player] - entry.changes[line.player]
            after = before - (line.deducted or 0)
            self._closed(line.player, "rest", None if line.deducted is None else -line.deducted, after)
            self._closed(line.player, "others", line.credited, after + (line.credited or 0))

    def _close(self, entry: Entry, kind: str) -> None:
        if entry.player is not None:
            self._closed(entry.player, kind, entry.points, entry.totals[entry.player])

    def _closed(self, player: int, kind: str, points: int | None, total: int) -> None:
        at, lines = self.column[player], self.closing[kind]
        line = next((one for one in lines if one[at] is None), None)
        if line is None:
            line = [None] * len(self.order)
            lines.append(line)
        line[at] = (points, total)

    def _closing_lines(self, settled: bool) -> Iterable[Closing]:
        """The lines of the settlement; empty ones to be filled in by hand as long as there is none."""
        empty: tuple[tuple[int | None, int] | None, ...] = (None,) * len(self.order)
        first = ("time",) if self._time_first() else ()
        for kind in (*first, "rest", "others", *(() if first else ("time",))):
            lines: list[Sequence[tuple[int | None, int] | None]] = [*self.closing[kind]]
            if not lines and (kind != "time" or (self.table.setup.rules.clock_seconds and not settled)):
                lines = [empty]
            for line in lines:
                yield Closing(self.texts(f"paper.closing.{kind}"), tuple(line))

    def _time_first(self) -> bool:
        """Whether the time was booked before the racks, as this program does it."""
        for entry in self.state.log:
            match entry.event:
                case Overtime() | Settled(_, _, "time"):
                    return True
                case RacksShown() | Settled(_, _, "rack"):
                    return False
        return True

    def _notices(self, final: bool, texts: Texts) -> Iterable[str]:
        state = self.state
        if not any(entry.used_turn for entry in state.log):
            yield texts("paper.no-moves")
        if self.table.challenge is not None:
            words = ", ".join(one.word for one in self.table.challenge.words)
            yield texts("paper.challenge-open", words=words)
        if self.table.pending is not None:
            yield texts("paper.turn-open")
        if final:
            return
        if state.settlement is not None:
            yield texts("settlement.incomplete")
        elif state.end is None:
            yield texts("paper.unfinished")
        else:
            yield texts("paper.unsettled" if state.end.certain else "end.maybe")

    # --- the head

    def _facts(self) -> Iterable[tuple[str, str]]:
        texts, setup = self.texts, self.table.setup
        first, last = self.created.astimezone(), self.rows[-1].at.astimezone() if self.rows else None
        date = f"{first:%d.%m.%Y}"
        if last is not None and last.date() == first.date() and f"{first:%H:%M}" != f"{last:%H:%M}":
            date = texts("paper.date-times", date=date, first=f"{first:%H:%M}", last=f"{last:%H:%M}")
        elif last is not None and last.date() != first.date():
            date = texts("paper.dates", first=date, last=f"{last:%d.%m.%Y}")
        yield texts("paper.fact.date"), date
        changed = [
            f"{texts(f'setting.{name}')}: {value_text(setup.rules, name, texts)}"
            for name in differing_settings(setup.rules, usual_rules(setup.rules))
            if name != "clock_seconds"  # which has a line of its own
        ]
        yield texts("paper.fact.rules"), "; ".join([rules_name(setup.rules, texts), *changed])
        lists = ", ".join(one.title for one in setup.word_lists)
        yield texts("paper.fact.lexicon"), lists or texts("web.no-lexicon")
        if setup.rules.clock_seconds:
            yield texts("paper.fact.clock"), texts("paper.minutes", minutes=f"{setup.rules.clock_seconds / 60:g}")
        if self.drawn:
            yield texts("paper.fact.draw"), " ".join(self.drawn)


def _word(play: Play | None) -> str:
    return play.words[0].word if play is not None and play.words else ""
