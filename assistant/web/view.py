"""A game as one object for the page, all sentences in the language of the phone.

Squares are [row, column] from 0; times are milliseconds; points of photos are pixels of the full upright photo.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assistant.advice import advice
from assistant.blanks import open_blanks
from assistant.doubts import Question
from assistant.notes import difference_text, move_text, nudge_text, tile_name, what_it_is, words_text
from assistant.photos import explain_failure
from assistant.questions import sentence, square_names
from assistant.recount import SURE
from assistant.report.page import level, percent
from assistant.report.pictures import places_in
from assistant.store.rows import Row
from assistant.table.actions import challenged, open_words
from assistant.table.evidence import corrected_tiles
from assistant.table.history import Done, OpenChallenge, TableState, found_allowed, phase
from assistant.table.proposals import Proposal
from assistant.table.session import Table
from assistant.texts import Texts
from scorer.accounting import infer_racks, unseen
from scorer.board import STANDARD, Square
from scorer.challenge import words_of
from scorer.clock import Clock, format_time
from scorer.events import (
    IMPOSSIBLE,
    BlankNamed,
    BlankSwapped,
    Challenged,
    ChallengeRejected,
    Corrected,
    DrawnForFirst,
    EventFault,
    Exchanged,
    MoveTimedOut,
    Noted,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    Refilled,
    Resigned,
    ScoreAgreed,
    Settled,
    Stopped,
    Undone,
    Withdrawn,
)
from scorer.explain import (
    challenge_consequences,
    describe,
    explain,
    explain_challenge,
    explain_end,
    explain_entry,
    explain_faults,
    explain_refusal,
    explain_result,
    explain_score,
    explain_settlement,
)
from scorer.game import Entry, Game, GameState, Refusal, advance, faults_of, replay
from scorer.history import standing
from scorer.notation import Coordinate, Notation, format_coordinate, format_square
from scorer.rules import (
    RULE_SETS,
    BlankReuse,
    Challengers,
    ChallengeScope,
    ChallengeUntil,
    MoveTimeout,
    Proof,
    RuleSet,
    ScoreCorrection,
    differing_settings,
)
from scorer.scoring import Play
from scorer.texts import Language
from scorer.tiles import BLANK, is_blank, letter_of
from vision.reading import EMPTY
from vision.steps import NO_MOVE

Json = dict[str, Any]

KINDS: Mapping[type, str] = {
    Placed: "place",
    Passed: "pass",
    Exchanged: "exchange",
    NothingLaid: "nothing",
    MoveTimedOut: "timeout",
    Withdrawn: "withdrawn",
    Challenged: "challenge",
    ChallengeRejected: "challenge",
    BlankSwapped: "blank",
    Overtime: "overtime",
    RacksShown: "racks",
    Settled: "settled",
    DrawnForFirst: "draw",
    Resigned: "resigned",
    Stopped: "stopped",
}
"""Kinds of the lines of the sheet, by event; events that are not here are notes to the line they are about."""

NOTES = (Noted, Refilled, ScoreAgreed, BlankNamed, Corrected)

LIKELY = 0.01
"""Probability below which another letter is not proposed."""


def view_of(table: Table, texts: Texts, *, who: str = "", read_only: bool = False) -> Json:
    """The whole game. The photos of the turn must have been read (``Table.unread``)."""
    return _View(table, texts, read_only).whole(who)


def proposal_said(table: Table, proposal: Proposal, texts: Texts) -> Json:
    """A proposal in few words, to be spoken or shown beside a picture: player, move, points, what is asked."""
    view = _View(table, texts, read_only=False)
    laid = proposal.laid[-1] if proposal.laid else None
    asked = table.state.pending is not None and proposal.question is not None
    question = view._question(proposal, proposal.question) if asked and proposal.question is not None else None
    return {
        "title": view._title(proposal),
        "player": None if laid is None else view.names[laid[0]],
        "move": None if laid is None else view._move_text(laid[1]),
        "words": [] if laid is None else [word.word for word in laid[1].words],
        "points": sum(play.score for _, play in proposal.laid) if laid else None,
        "question": None if question is None else question["text"],
        "fault": next((fault["text"] for fault in view._faults(proposal)), None),
    }


def clips_json(table: Table) -> list[Json]:
    """What was kept of cameras, the newest first."""
    return [_clip(table, row) for row in reversed(table.rows) if row.kind == "clip" and clip_frames(row)]


def _clip(table: Table, row: Row) -> Json:
    local = row.at.astimezone()
    frames = clip_frames(row)
    return {
        "number": row.number,
        "url": f"/games/{table.id}/clips/{row.number}",
        "time": f"{local:%H:%M:%S}",
        "who": row.author.who,
        "seconds": round(frames[-1][1]),
        "frames": len(frames),
    }


def clip_frames(row: Row) -> list[tuple[str, float]]:
    """The frames of a row ``clip``: hash and seconds since the first; none where the row says nothing that can be."""
    try:
        frames = [(str(digest), float(seconds)) for digest, seconds in row.body["frames"]]
    except (KeyError, TypeError, ValueError, OverflowError):
        return []
    good = all(0 <= seconds <= LONGEST_CLIP for _, seconds in frames) and {one for one, _ in frames} <= set(row.photos)
    return frames if good else []


LONGEST_CLIP = 3600.0
"""Seconds; those that this program keeps have thirty."""


class _View:
    def __init__(self, table: Table, texts: Texts, read_only: bool) -> None:
        self.table, self.texts, self.read_only = table, texts, read_only
        self.now: TableState = table.state
        self.state: GameState = self.now.state
        self.setup = self.now.setup
        self.names = self.setup.players
        self.language: Language = "de" if texts.language == "de" else "en"
        self.notation = self.setup.notation
        self.clock, self.at = table.clock()

    def whole(self, who: str) -> Json:
        state, rules = self.state, self.setup.rules
        settled = phase(state) == "settled"
        over = state.end is not None and state.end.certain
        proposal = None if self.read_only else self.table.proposal()
        known = [entry.event.racks for entry in state.log if isinstance(entry.event, RacksShown)]
        left = unseen(state.board, self.setup.tile_set, [rack for racks in known for rack in racks if rack])
        return {
            "id": self.table.id,
            "version": self.now.version,
            "events": len(self.now.done),
            "language": self.language,
            "read_only": self.read_only,
            "who": who,
            "setup": {
                "players": list(self.names),
                "rules": {"name": rules.name, "title": rules_title(rules, self.texts)},
                "tiles": self.setup.tile_set.name,
                "lexicon": ", ".join(one.title for one in self.setup.word_lists),
                "open_dictionary": rules.open_dictionary,
                "rack_size": rules.rack_size,
                "notation": self.notation.value,
                "announced_counts": rules.score_correction is ScoreCorrection.NEVER,
            },
            "phase": phase(state),
            "players": [self._player(seat) for seat in range(len(self.names))],
            "next": state.next_player,
            "next_text": self.texts("web.next-player", player=self.names[state.next_player]),
            "clock": self.clock_view(),
            "bag": state.bag,
            "board": list(state.board.rows),
            "layout": list(STANDARD.rows),
            "last": [list(square) for square in self._last_squares()],
            "open_blanks": [] if proposal else self._open_blanks(),
            "unseen": [
                {"tile": tile, "count": count, "value": self.setup.tile_set.value(tile)} for tile, count in left.items()
            ],
            "unseen_total": sum(left.values()),
            "sheet": self._sheet(),
            "proposal": None if proposal is None else self._proposal(proposal),
            "challenge": None if self.now.challenge is None else self._challenge(self.now.challenge),
            "can": self._can(settled, over),
            "checks": self._checks(proposal),
            "end": self._end(settled),
            "clips": [] if self.read_only else clips_json(self.table),
        }

    # --- players and clock

    def _player(self, seat: int) -> Json:
        state, settlement = self.state, self.state.settlement
        remaining = self.clock.remaining(seat, self.at)
        used = self.clock.used_time(seat, self.at)
        penalty = self.clock.penalty(seat, self.at)
        return {
            "seat": seat,
            "name": self.names[seat],
            "points": state.totals[seat],
            "next": seat == state.next_player and state.end is None,
            "out": seat in state.lost,
            "rack": state.rack_sizes[seat],
            "place": state.result.places[seat] if settlement is None or settlement.complete else None,
            "clock": {
                "text": format_time(used if remaining is None else remaining),
                "remaining_ms": remaining,
                "used_ms": used,
                "overtime_ms": self.clock.overtime(seat, self.at),
                "penalty": penalty.points,
            },
        }

    def clock_view(self) -> Json:
        clock, rules = self.clock, self.setup.rules
        started = clock.running is not None or any(clock.count(self.at).used)
        late = clock.challenge_late(self.at)
        return {
            "used": bool(rules.clock_seconds or rules.move_seconds or started),
            "limit_s": rules.clock_seconds,
            "running": clock.running,
            "paused": clock.paused,
            "challenge_left_ms": None if late else clock.challenge_left(self.at),
            "challenge_limit_s": rules.challenge_seconds,
            "move_left_ms": clock.move_left(self.at),
            "players": [
                {"remaining_ms": clock.remaining(seat, self.at), "used_ms": clock.used_time(seat, self.at)}
                for seat in range(len(self.names))
            ],
        }

    # --- board

    def _last_squares(self) -> tuple[Square, ...]:
        last = next((entry for entry in reversed(self.state.log) if entry.used_turn), None)
        return last.laid if last is not None and last.play is not None and not last.withdrawn else ()

    def _open_blanks(self) -> list[Json]:
        referee = self.table.means.referee if self.state.open_blanks else None
        return [
            {
                "square": list(one.square),
                "name": self._name(one.square),
                "options": [
                    {"label": letter, "act": {"action": "blank", "square": list(one.square), "letter": letter}}
                    for letter in self._letters(one.letters or ())
                ],
            }
            for one in open_blanks(self.state.board, self.setup.rules, self.setup.tile_set, referee)
        ]

    def _letters(self, likely: Iterable[str]) -> list[str]:
        """All letters a blank can stand for, those that make a word first: who lays it says what it is."""
        return list(dict.fromkeys([*likely, *self.setup.tile_set.letters]))

    def _name(self, square: Square) -> str:
        return format_square(square, Notation.GERMAN)

    # --- sheet

    def _sheet(self) -> list[Json]:
        lines: dict[int, Json] = {}
        for entry in self.state.log:
            if isinstance(entry.event, NOTES):
                ref = getattr(entry.event, "ref", None) or self._blank_ref(entry)
                if ref in lines:
                    lines[ref]["notes"].append(self._note(entry))
                    continue
            lines[entry.number] = self._line(entry)
        for changed, text in self._changed_by_corrections().items():
            lines[changed]["faults"].append(text)
        lines |= {done.number: self._undone(done, lines) for done in self._undone_challenges()}
        return [lines[number] for number in sorted(lines) if lines[number]["kind"] != "other" or lines[number]["text"]]

    def _undone_challenges(self) -> list[Done]:
        """Challenges that were booked and taken back: whoever asks later should see that there was one."""
        counts = dict(standing(self.state.game.events)[0])
        return [one for one in self.now.done if isinstance(one.event, Challenged) and one.number not in counts]

    def _undone(self, done: Done, lines: Mapping[int, Json]) -> Json:
        before = [lines[number]["totals"] for number in sorted(lines) if number < done.number]
        assert isinstance(done.event, Challenged)
        text = describe(done.event, self.state.game, self.language, self.notation, done.number)
        back = next((one for one in self.now.done[done.number :] if isinstance(one.event, Undone)), None)
        notes = [self._signed(self.texts("web.undone"), back.row)] if back else []
        return {
            "number": done.number,
            "player": done.event.challengers[0] if done.event.challengers else None,
            "name": self.names[done.event.challengers[0]] if done.event.challengers else "",
            "kind": "challenge",
            "text": text,
            "words": [],
            "points": None,
            "changes": [0] * len(self.names),
            "announced": None,
            "computed": None,
            "difference": None,
            "totals": before[-1] if before else [0] * len(self.names),
            "withdrawn": True,
            "without_effect": True,
            "faults": [],
            "steps": [],
            "photo": None,
            **self._who(done.row),
            "notes": notes,
        }

    def _changed_by_corrections(self) -> dict[int, str]:
        """What corrections of earlier moves made of moves that were booked before them, by number: where the same tiles
        give other words or points than before, somebody has to look."""
        said: dict[int, str] = {}
        compared: set[int] = set()
        events = self.state.game.events
        for number, event in standing(events)[0]:
            if not isinstance(event, Corrected):
                continue
            was = replay(replace(self.state.game, events=events[: number - 1]))
            for entry in self.state.plays:
                old = was.entry(entry.number) if event.ref < entry.number < number else None
                if entry.play is None or old is None or old.play is None or entry.number in compared:
                    continue
                compared.add(entry.number)
                before, now = words_text(old.play), words_text(entry.play)
                if before != now and old.play.placement == entry.play.placement:
                    said[entry.number] = self.texts("web.changed-by-correction", before=before, now=now)
        return said

    def _blank_ref(self, entry: Entry) -> int | None:
        if not isinstance(entry.event, BlankNamed):
            return None
        square = entry.event.square
        return next((one.number for one in reversed(self.state.log) if square in one.laid), None)

    def _line(self, entry: Entry) -> Json:
        done = self.now.event(entry.number)
        assert done is not None
        event, play = entry.event, entry.play
        by_player = entry.player if isinstance(event, Placed | Passed | Exchanged | NothingLaid) else None
        seat = entry.player if by_player is None else by_player
        faults = explain_faults(entry, self.state.game, self.language, self.notation)
        if play is not None:
            text, notes = self._move_text(play), explain_score(entry, self.setup.rules, self.language)
        else:
            text, *notes = explain_entry(entry, self.state.game, self.language, self.notation)
            notes = [note for note in notes if note not in faults]
        if entry.faults & IMPOSSIBLE:  # the notes say that, and that it changes nothing
            faults, notes = notes, []
        if evidence := done.evidence:
            notes += [self._tile_change(*one) for one in corrected_tiles(evidence)]
        announced, computed = entry.announced, entry.computed
        differs = announced is not None and computed is not None and announced != computed
        return {
            "number": entry.number,
            "player": seat,
            "name": "" if seat is None else self.names[seat],
            "kind": KINDS.get(type(event), "other"),
            "text": text,
            "words": [] if play is None else self._words(play),
            "points": None if not any(entry.changes) and play is None else entry.points,
            "changes": list(entry.changes),
            "announced": announced,
            "computed": computed,
            "difference": self.texts("web.difference", announced=announced, computed=computed) if differs else None,
            "totals": list(entry.totals),
            "withdrawn": entry.withdrawn,
            "without_effect": bool(entry.faults & IMPOSSIBLE),
            "faults": faults,
            "steps": [] if play is None else explain(play, self.language, self.notation),
            "photo": (done.evidence or {}).get("photo"),
            **self._who(done.row),
            "notes": notes,
        }

    def _who(self, row: Row) -> Json:
        local = row.at.astimezone()
        return {
            "who": row.author.who or self.texts("web.phone", device=row.author.device[:4]),
            "at": row.at.isoformat(),
            "time": f"{local:%H:%M}",
        }

    def _note(self, entry: Entry) -> str:
        done = self.now.event(entry.number)
        assert done is not None
        if isinstance(entry.event, Corrected):
            return self._correction(done)
        said = describe(entry.event, self.state.game, self.language, self.notation, entry.number)
        return self._signed(said, done.row)

    def _correction(self, done: Done) -> str:
        said = describe(done.event, self.state.game, self.language, self.notation, done.number)
        return self._signed(said, done.row)

    def _signed(self, said: str, row: Row) -> str:
        who = self._who(row)
        return f"{said} ({who['who']}, {who['time']})"

    def _tile_change(self, square: Square, then: str, now: str) -> str:
        names = {"then": tile_name(then, self.texts), "now": tile_name(now, self.texts)}
        return self.texts("web.tile-corrected", square=self._name(square), **names)

    def _move_text(self, play: Play) -> str:
        main = play.main_word
        if main is None:
            return move_text(play)
        return f"{format_coordinate(Coordinate(main.start, main.direction), self.notation)} {main.word}"

    @staticmethod
    def _words(play: Play) -> list[Json]:
        return [{"word": word.word, "score": word.score} for word in play.words]

    # --- the proposal

    def _proposal(self, one: Proposal) -> Json:
        entry, seen, texts = one.entry, one.seen, self.texts
        pending = self.now.pending
        assert pending is not None
        shown = seen or (self.table.seen(one.photo) if one.photo else None)
        new = {square: tile for _, play in one.laid for square, tile in play.placement.tiles}
        doubtful = set(one.question.squares) if one.question else set()
        if entry is not None:
            doubtful |= {square for square in new if not self._is_sure(one, square)}
        question = None if one.question is None else self._question(one, one.question)
        if question is None and not one.events:
            question = self._nothing_laid(one)
        reason = None
        if shown is not None and not shown.found and one.question is not None:
            reason = explain_failure(shown, texts) if shown.error else texts(f"reason.{shown.reason}")
        notes = [] if entry is None else [difference_text(one, texts) for one in entry.differences]
        notes += [] if entry is None else [nudge_text(nudge, texts) for nudge in entry.nudges]
        total = sum(play.score for _, play in one.laid)
        return {
            "source": "typed" if entry is None else "photo",
            "photo": None if one.photo is None else self._photo(one.photo),
            "photos": len(pending.photos),
            "by": next((row.author.who for row in reversed(pending.rows) if row.kind in ("photo", "typed")), ""),
            "found": shown is None or shown.found,
            "reason": reason,
            "advice": [] if shown is None else list(advice(shown, texts)),
            "outlines": [] if shown is None else self._outlines(one, new, doubtful),
            "corners": None if shown is None or shown.corners is None else [list(p) for p in shown.corners.points],
            "kind": one.kind,
            "player": one.laid[-1][0] if one.laid else self.state.next_player,
            "title": self._title(one),
            "moves": [
                self._move(player, play, one, last=k == len(one.laid) - 1) for k, (player, play) in enumerate(one.laid)
            ],
            "tiles": [self._tile(one, square, tile) for square, tile in new.items()],
            "score": total if one.laid else None,
            "legal": one.legal,
            "faults": self._faults(one),
            "question": question,
            "notes": notes,
            "confirmable": bool(one.events) and one.question is None and one.legal,
            "despite": bool(one.events) and one.question is None and not one.legal and one.possible,
            "confirm_text": texts("web.confirm-withdrawn" if one.kind == "withdrawn" else "web.confirm"),
        }

    def _photo(self, digest: str) -> Json:
        width, height = self.table.size(digest) or (4, 3)
        return {"id": digest, "url": f"/games/{self.table.id}/photos/{digest}", "width": width, "height": height}

    def _title(self, one: Proposal) -> str:
        if one.laid and one.laid[-1][1].words:
            player, play = one.laid[-1]
            return self.texts("web.proposed", player=self.names[player], move=self._move_text(play), points=play.score)
        if one.entry is not None:
            return what_it_is(one.entry, self.texts)
        return self.texts("web.typed-nothing")

    def _move(self, player: int, play: Play, one: Proposal, last: bool) -> Json:
        return {
            "player": player,
            "name": self.names[player],
            "text": self._move_text(play),
            "words": self._words(play),
            "score": play.score,
            "bingo": play.bingo_bonus,
            "steps": explain(play, self.language, self.notation),
            "faults": [{"code": code, "text": self.texts(f"fault.{code}")} for code in play.faults.codes],
        }

    def _faults(self, one: Proposal) -> list[Json]:
        """What speaks against it: what is wrong and what to do."""
        return [fault for refusal, game in one.refused for fault in faults_json(refusal, game, self.texts)]

    def _tile(self, one: Proposal, square: Square, tile: str) -> Json:
        ranked = () if one.entry is None else one.entry.candidates.get(square, ())
        sure = self._is_sure(one, square)
        known = dict(ranked)
        share = known.get(BLANK if is_blank(tile) else tile)
        others = [char for char, probability in ranked if probability >= LIKELY]
        return {
            "square": list(square),
            "name": self._name(square),
            "tile": tile,
            "title": tile_name(tile, self.texts),
            "sure": sure,
            "level": level(share, self.texts) if share is not None else "",
            "candidates": [[char, percent(probability, self.texts)] for char, probability in ranked[:4]],
            "crop": self._crop(one.photo, square) if one.seen is not None else None,
            "options": [self._tile_option(square, char) for char in others[:4]],
        }

    def _is_sure(self, one: Proposal, square: Square) -> bool:
        ranked = () if one.entry is None else one.entry.candidates.get(square, ())
        return not ranked or ranked[0][1] >= SURE

    def _crop(self, photo: str | None, square: Square) -> str | None:
        return None if photo is None else f"/games/{self.table.id}/crops/{photo}/{square.row}-{square.col}.jpg"

    def _outlines(self, one: Proposal, new: Mapping[Square, str], doubtful: set[Square]) -> list[Json]:
        kinds: dict[Square, str] = {}
        for number, (_, play) in enumerate(one.laid):
            kind = "new" if number == len(one.laid) - 1 else "before"
            kinds |= dict.fromkeys(play.placement.squares, kind)
        kinds |= {d.square: "differs" for d in (one.entry.differences if one.entry else ())}
        kinds |= dict.fromkeys(doubtful, "doubt")
        seen = one.seen
        if seen is None:
            return []
        return [
            {
                "square": list(square),
                "name": self._name(square),
                "kind": kinds[square],
                "points": " ".join(f"{x:.1f},{y:.1f}" for x, y in corners),
                "tile": new.get(square) or self.state.board.at(square) or EMPTY,
            }
            for square, corners in places_in(seen, kinds).items()
        ]

    # --- questions

    def _question(self, one: Proposal, question: Question) -> Json:
        crops = [self._crop(one.photo, square) for square in question.squares[:1]] if one.seen is not None else []
        return {
            "code": question.code,
            "text": self._asked(question),
            "squares": [list(square) for square in question.squares],
            "crop": next(iter(crops), None),
            "options": self._options(question),
            "free": FREE.get(question.code),
        }

    def _asked(self, question: Question) -> str:
        """The question; with words of its own where the page knows more of the game than a folder of photos does."""
        own = f"web.question.{question.code}"
        return self.texts(own) if self.texts.has(own) else sentence(question, self.texts)

    def _options(self, question: Question) -> list[Json]:
        texts, squares = self.texts, question.squares
        match question.code:
            case "which-letter" | "this-letter" | "covered-tile" | "tile-or-empty":
                return [self._tile_option(squares[0], char) for char, _ in question.candidates]
            case "blank-letter":
                letters = self._letters(letter_of(char) for char, _ in question.candidates)
                return [self._tile_option(squares[0], letter.lower(), letter) for letter in letters]
            case "which-first":
                names = [(square, texts("web.option.first", square=self._name(square))) for square in squares]
                return [_option(name, action="answer", first=[list(square)]) for square, name in names]
            case "which-of-two":
                return [
                    _option(texts(f"web.option.{which}-of-two"), action="answer", **{which: [list(squares[0])]})
                    for which in ("first", "second")
                ]
            case "initials-or-move" | "mid-move-or-move" | "begun-before" | "still-there":
                as_move = _option(texts("web.option.is-move"), action="answer", kind="place")
                return [as_move, _option(texts(f"web.option.{question.code}"), action="drop")]
            case "other-position":
                return [
                    _option(texts("web.option.this-game"), action="answer", here=True),
                    _option(texts("web.option.drop"), action="drop"),
                ]
            case "pass-or-again":
                return self._nothing_options()
            case "photo-unreadable" | "which-move":
                return [_option(texts("web.option.drop"), action="drop")]
            case _:
                return [
                    _option(texts("web.option.as-marked"), action="answer", confirmed=True),
                    _option(texts("web.option.drop"), action="drop"),
                ]

    def _tile_option(self, square: Square, tile: str, label: str = "") -> Json:
        return _option(label or tile_name(tile, self.texts), action="answer", squares=[[*square, tile]])

    def _nothing_laid(self, one: Proposal) -> Json:
        """What to do with a photo that shows no move."""
        texts, kind = self.texts, one.kind
        options = self._nothing_options() if kind in ("none", "start") else []
        if kind == NO_MOVE:
            options = [_option(texts("web.option.drop"), action="drop")]
            if one.entry is not None and one.entry.why not in ("same-photo", "burst"):
                options.append(_option(texts("web.option.is-move"), action="answer", kind="place"))
        text = texts("web.nothing-new" if kind in ("none", "start") else "web.no-move")
        return {"code": "nothing-laid", "text": text, "squares": [], "crop": None, "options": options, "free": None}

    def _nothing_options(self) -> list[Json]:
        player = self.names[self.state.next_player]
        return [
            _option(self.texts("web.option.only-a-photo"), action="drop"),
            _option(self.texts("web.option.pass", player=player), action="pass"),
        ]

    # --- challenge

    def _challenge(self, one: OpenChallenge) -> Json:
        entry = self.state.entry(one.ref)
        assert entry is not None and entry.player is not None
        waiting = open_words(self.now)
        decided = not waiting and not faults_of(self.state, challenged(self.now))
        if decided:
            after = advance(self.state, challenged(self.now))
            over = after.end is not None and after.end.certain
            outcomes = explain_challenge(
                after.log[-1], entry.player, self.names, self.setup.rules, self.language, over=over
            )
        else:
            outcomes = self._consequences(entry, one.challengers[0])
        return {
            "ref": one.ref,
            "name": self.names[entry.player],
            "challengers": [self.names[seat] for seat in one.challengers],
            "words": [
                {
                    "word": word.word,
                    "allowed": word.allowed,
                    "resort": word.found.get("decides"),
                    "text": word.found["text"][self.language],
                    "by": word.by,
                    "source": word.source,
                }
                for word in one.words
            ],
            "undecided": [word.word for word in one.words if word.allowed is None],
            "outcomes": outcomes,
            "bookable": decided,
        }

    def _consequences(self, entry: Entry, challenger: int) -> list[str]:
        assert entry.play is not None and entry.player is not None
        return challenge_consequences(entry.play, entry.player, challenger, self.names, self.setup.rules, self.language)

    def _can_challenge(self) -> Json | None:
        state, rules = self.state, self.setup.rules
        entry = state.entry(state.open_move) if state.open_move is not None else None
        if entry is None or entry.play is None or entry.player is None or self.clock.challenge_late(self.at):
            return None
        others = [seat for seat in range(len(self.names)) if seat != entry.player and seat not in state.lost]
        if rules.challengers is Challengers.NEXT:
            others = [seat for seat in others if seat == state.next_player]
        allowed = found_allowed(state, entry.number)
        words = [word for word in words_of(entry.play) if word not in allowed]
        if allowed and rules.challenge_scope is ChallengeScope.ALL_WORDS:
            return None
        if not others or not words or any(BLANK in word for word in words):
            return None
        lines = self._consequences(entry, others[0])
        first = 1 + (rules.proof is not Proof.LOOK_UP)
        return {
            "ref": entry.number,
            "name": self.names[entry.player],
            "words": list(words),
            "all_words": rules.challenge_scope is ChallengeScope.ALL_WORDS,
            "challengers": [{"seat": seat, "name": self.names[seat]} for seat in others],
            "ms_left": self.clock.challenge_left(self.at),
            "if_upheld": lines[first],
            "if_rejected": lines[first + 1],
            "also": [*lines[:first], *lines[first + 2 :]],
        }

    # --- what may be done

    def _can(self, settled: bool, over: bool) -> Json:
        state, rules, game = self.state, self.setup.rules, self.state.game
        free = self.now.challenge is None and not self.read_only
        plays = free and not over and not settled
        done, undone = standing(game.events)
        exchange = Exchanged(state.next_player, 1)
        closes = rules.challenge_until is not ChallengeUntil.NEXT_TURN and state.open_move is not None
        return {
            "photo": free and not settled,
            "type": plays,
            "pass": plays,
            "exchange": plays and not faults_of(state, exchange) & ~EventFault.BLANK_OPEN,
            "exchange_min": 0 if rules.exchange_of_none else 1,
            "exchange_max": min(rules.rack_size, state.rack_sizes[state.next_player], state.bag),
            "undo": self._event_text(done[-1]) if free and done else None,
            "redo": self._event_text(undone[-1]) if free and undone else None,
            "close": {"ref": state.open_move, "text": self.texts("web.close-move")} if free and closes else None,
            "challenge": self._can_challenge() if free else None,
            "swap_blank": self._swappable() if plays else [],
            "timeout": bool(
                plays and rules.move_timeout is MoveTimeout.PASS and self.clock.move_timeout(self.at) is not None
            ),
            "stop": plays and any(entry.used_turn for entry in state.log),
            "racks": free and state.end is not None and not settled,
            "resign": plays,
            "draw": list(state.draw.again) if plays and not any(entry.used_turn for entry in state.log) else [],
        }

    def _event_text(self, numbered: tuple[int, Any]) -> str:
        number, event = numbered
        entry = self.state.entry(number) or (advance(self.state, event).log[-1] if isinstance(event, Placed) else None)
        if entry is not None and entry.play is not None:
            return self.texts("web.proposed", player=self.names[entry.player or 0], move=self._move_text(entry.play))
        return describe(event, self.state.game, self.language, self.notation, number).removesuffix(".")

    def _swappable(self) -> list[Json]:
        if self.setup.rules.blank_reuse is BlankReuse.OFF:
            return []
        return [
            {"square": list(square), "name": self._name(square), "tile": letter_of(tile)}
            for square, tile in self.state.board
            if is_blank(tile) and tile != BLANK
        ]

    def _checks(self, proposal: Proposal | None) -> list[str]:
        last = next((entry for entry in reversed(self.state.log) if entry.play is not None), None)
        after = [entry for entry in self.state.log if last is not None and entry.number > last.number]
        said = [self.texts("web.lists-differ")] if not self.read_only and self.table.lists_differ else []
        said += [self.texts("web.sits-out", player=self.names[seat]) for seat in self._sitting_out()]
        over = self.clock.move_timeout(self.at) if self.state.end is None else None
        if over is MoveTimeout.REMINDER:
            said.append(self.texts("web.move-time-over", player=self.names[self.state.next_player]))
        taken_back = last is not None and last.withdrawn and not any(entry.used_turn for entry in after)
        if not taken_back or last is None:
            return said
        squares = square_names(last.laid)
        if proposal is not None and proposal.seen is not None and proposal.seen.found and not proposal.laid:
            return [*said, self.texts("web.taken-back-seen", squares=squares)]
        return [*said, self.texts("web.take-back", player=self.names[last.player or 0], squares=squares)]

    def _sitting_out(self) -> list[int]:
        """Players whose turn was skipped just now (R8.4)."""
        state = self.state
        last = next((entry for entry in reversed(state.log) if entry.used_turn), None)
        if last is None or last.player is None or state.end is not None:
            return []
        order = [seat for seat in state.order if seat not in state.lost]
        if last.player not in order or state.next_player not in order:
            return []
        place = order.index(last.player)
        following = [*order[place + 1 :], *order[: place + 1]]
        skipped = following[: following.index(state.next_player)]
        return skipped if not last.withdrawn or last.player != state.next_player else []

    # --- the end

    def _end(self, settled: bool) -> Json | None:
        state, rules, tiles = self.state, self.setup.rules, self.setup.tile_set
        if state.end is None and not settled:
            return None
        players = range(len(self.names))
        inferred = infer_racks(
            state.board, tiles, [None] * len(self.names), state.rack_sizes, state.bag, rules.rack_size
        )
        settlement = state.settlement
        before = state.totals
        lines = []
        if settlement is not None:
            booked = next(entry for entry in reversed(state.log) if entry.settlement is settlement)
            before = tuple(map(int.__sub__, booked.totals, booked.changes))
            for line in settlement.lines:
                lines.append(
                    {
                        "name": self.names[line.player],
                        "before": before[line.player],
                        "rest": line.rest,
                        "deducted": line.deducted,
                        "credited": line.credited,
                        "total": booked.totals[line.player],
                    }
                )
        known = settlement is None or settlement.complete
        outcome = explain_result(state.result, state.totals, self.names, rules, state.lost, self.language)
        texts = [] if state.end is None else [explain_end(state.end, self.names, rules, self.language)]
        if settlement is not None:
            texts = explain_settlement(settlement, state.end, self.names, rules, tiles, self.language)
        return {
            "text": texts[0] if texts else "",
            "certain": state.end is not None and state.end.certain,
            "racks": [
                {
                    "seat": seat,
                    "name": self.names[seat],
                    "size": state.rack_sizes[seat],
                    "tiles": inferred.racks[seat],
                }
                for seat in players
            ],
            "overtime": self._overtime(),
            "open": self.texts("web.last-move-open") if not settled and self._can_challenge() else "",
            "lines": lines,
            "explained": texts[1:],
            "result": ("\n".join(outcome) if known else self.texts("web.result-open")) if settled else "",
            "places": list(state.result.places),
        }

    def _overtime(self) -> list[str]:
        """What the clock costs, of those of whom it is not booked yet."""
        booked = {entry.event.player for entry in self.state.log if isinstance(entry.event, Overtime)}
        out = []
        for seat, name in enumerate(self.names):
            over = self.clock.overtime(seat, self.at)
            if over and seat not in booked:
                points = self.clock.penalty(seat, self.at).points
                out.append(self.texts("web.overtime", player=name, time=format_time(over), points=points))
        return out


FREE = {
    "which-letter": "tile",
    "this-letter": "tile",
    "covered-tile": "tile",
    "tile-or-empty": "tile",
    "photo-unreadable": "move",
    "which-move": "move",
    "unsure-move": "move",
    "against-the-rules": "move",
    "other-position": None,
}
"""What can be said freely in answer to a question: any tile, or the move as text."""


def faults_json(refusal: Refusal, game: Game, texts: Texts) -> list[Json]:
    """All that speaks against an event, with what to do; one entry for all faults of a placement together."""
    language: Language = "de" if texts.language == "de" else "en"
    codes = [*refusal.faults.codes, *[",".join(refusal.placement_faults.codes)] * bool(refusal.placement_faults)]
    lines = explain_refusal(refusal, game, language)
    return [{"code": code, "text": text} for code, text in zip(codes, lines, strict=True)]


ELSEWHERE = ("clock_seconds", "rack_size")
"""Settings that go with the clock's own field and with the tile set."""


def rules_title(rules: RuleSet, texts: Texts) -> str:
    """What a rule set is called on the page, and whether the table has changed something in it."""
    key = f"web.ruleset.{rules.name}"
    called = texts(key) if texts.has(key) else rules.name
    if rules.name not in RULE_SETS:
        return called
    changed = [name for name in differing_settings(rules, RULE_SETS[rules.name]) if name not in ELSEWHERE]
    return texts("web.rules-changed", title=called, count=len(changed)) if changed else called


def _option(label: str, **act: Any) -> Json:
    return {"label": label, "act": act}


def clock_json(clock: Clock, at: int) -> Json:
    """What a phone needs to go on counting by itself."""
    players: Iterable[int] = range(len(clock.used))
    return {
        "running": clock.running,
        "paused": clock.paused,
        "challenge_left_ms": clock.challenge_left(at),
        "move_left_ms": clock.move_left(at),
        "players": [{"remaining_ms": clock.remaining(p, at), "used_ms": clock.used_time(p, at)} for p in players],
    }
