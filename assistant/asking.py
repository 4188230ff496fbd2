"""The open questions of a game, asked one after the other; the terminal, a test or another surface hears and says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from assistant.answers import Written, photo_key
from assistant.doubts import Question
from assistant.questions import ask, char_name, square_names
from assistant.recount import Recount, RecountEntry
from assistant.texts import Texts
from scorer.board import EMPTY
from scorer.errors import BrettblickError
from scorer.notation import Notation
from scorer.tiles import BLANK, is_tile

Said = dict[str, Any]
"""What an answer adds to the file about its photo."""

ABOUT_A_SQUARE = ("which-letter", "covered-tile", "tile-or-empty")
YES = ("unsure-move", "against-the-rules", "grid-unsure", "turn-unsure", "answer-differs")


class Stopped(Exception):
    """Nobody wants to answer any more."""


@dataclass(frozen=True)
class Choice:
    """One numbered answer; said is None where more must be asked."""

    text: str
    said: Said | None


@dataclass(frozen=True)
class Interview:
    """Asks for what a game leaves open.

    recounted: the score sheet with the answers given; a BrettblickError says why one of them cannot be
    say, hear: one line to the person, and one line back; hear raises Stopped when there is none
    keep:      takes the answers after each one
    """

    recounted: Callable[[Written], Recount]
    texts: Texts
    say: Callable[[str], None]
    hear: Callable[[str], str]
    keep: Callable[[Written], None]
    notation: Notation = Notation.GERMAN

    def run(self, result: Recount, written: Written) -> tuple[Recount, Written]:
        """The score sheet after all that could be answered, and all answers; no question is asked twice."""
        asked: set[tuple[int, Question]] = set()
        while (found := _next(result, asked)) is not None:
            number, question = found
            try:
                said = self._said(result, number, question)
            except Stopped:
                break
            if said is None:
                asked.add(found)
                continue
            names = [entry.observation.name for entry in result.entries]
            key = photo_key(number, names)
            more = {**written, key: merged(written.get(key, {}), said)}
            try:
                result = self.recounted(more)
            except BrettblickError as error:
                self.say(self.texts.error(error))
                continue
            written = more
            asked.add(found)
            self.keep(written)
        return result, written

    def _said(self, result: Recount, number: int, question: Question) -> Said | None:
        """One answer; None where the person skips the question."""
        entry, choices = result.entries[number], self.choices(result, result.entries[number], question)
        self.say("")
        self.say(f"{PurePath(entry.observation.name).name}: {ask(entry, self.texts)}")
        for place, choice in enumerate(choices, 1):
            self.say(f"  {place}  {choice.text}")
        while True:
            heard = self.hear(self.texts(f"ask.{_form(question)}")).strip()
            if not heard:
                return None
            if heard.isdecimal() and 1 <= int(heard) <= len(choices):
                choice = choices[int(heard) - 1]
                return self._standing(result.players) if choice.said is None else choice.said
            said = self._free(heard, question)
            if said is not None:
                return said
            self.say(self.texts("ask.not-understood", heard=heard))

    def _free(self, heard: str, question: Question) -> Said | None:
        """An answer in the person's own words: a tile, or a move."""
        if question.code in ABOUT_A_SQUARE:
            if heard not in (EMPTY, BLANK) and not is_tile(heard):
                return None
            square = square_names(question.squares[:1])
            if not heard.islower():
                return {square: heard}
            # who types "e" mostly means the tile E; only blanks are written so
            capital, blank = heard.upper(), self.texts("ask.blank-as", letter=heard.upper())
            self.say(f"  1  {capital}")
            self.say(f"  2  {blank}")
            which = self.hear(self.texts("ask.number")).strip()
            return {"1": {square: capital}, "2": {square: heard}}.get(which)
        return {"move": heard} if len(heard.split()) == 2 else None

    def _standing(self, players: Sequence[str]) -> Said:
        """How it stood when the first photo was taken."""
        points = {}
        for name in players:
            while name not in points:
                heard = self.hear(self.texts("ask.points", player=name)).strip()
                if heard.removeprefix("-").isdecimal():
                    points[name] = int(heard)
                else:
                    self.say(self.texts("ask.not-understood", heard=heard))
        for place, name in enumerate(players, 1):
            self.say(f"  {place}  {name}")
        while True:
            heard = self.hear(self.texts("ask.next")).strip()
            if heard in players:
                return {"points": points, "next": heard}
            if heard.isdecimal() and 1 <= int(heard) <= len(players):
                return {"points": points, "next": players[int(heard) - 1]}
            self.say(self.texts("ask.not-understood", heard=heard))

    def choices(self, result: Recount, entry: RecountEntry, question: Question) -> list[Choice]:
        """The numbered answers to a question."""
        texts = self.texts

        def kind(kind: str, text: str) -> Choice:
            return Choice(texts(f"ask.{text}"), {"kind": kind})

        code = question.code
        if code in ABOUT_A_SQUARE:
            square = square_names(question.squares[:1])
            return [Choice(char_name(char, texts), {square: char}) for char, _ in question.candidates]
        if code in YES:
            yes = Choice(texts("ask.yes"), self.as_proposed(entry))
            return [yes, kind("not-a-move", "mid-move")] if code == "against-the-rules" else [yes]
        if code == "which-first":
            return [Choice(square_names((square,)), {"first": square_names((square,))}) for square in question.squares]
        if code == "which-of-two":
            square = square_names(question.squares)
            return [Choice(texts(f"ask.{which}-move-of-two"), {which: square}) for which in ("first", "second")]
        if code == "initials-or-move":
            return [kind("not-a-move", "names"), kind("place", "first-move")]
        if code == "mid-move-or-move":
            return [kind("place", "whole-move"), kind("not-a-move", "mid-move")]
        if code == "other-position":
            return [Choice(texts("ask.this-game"), {"this-game": True}), kind("not-a-move", "other-board")]
        if code == "begun-before":
            first = result.players[0]
            fresh = {"points": dict.fromkeys(result.players, 0), "next": first}
            return [
                Choice(texts("ask.points-follow"), None),
                Choice(texts("ask.no-points", player=first), fresh),
                kind("place", "first-move"),
            ]
        return [kind("none", "passed"), kind("not-a-move", "no-move")]  # pass-or-again, photo-unreadable, which-move

    def as_proposed(self, entry: RecountEntry) -> Said:
        """That an entry is right, with what it says: another answer may change what is proposed."""
        if entry.play is None:
            return {"ok": True}
        if entry.play.words and not entry.before and not entry.play.faults:
            return {"move": entry.play.text(self.notation), "ok": True}
        tiles = [pair for play in (*(one.play for one in entry.before), entry.play) for pair in play.placement.tiles]
        return {square_names((square,)): char for square, char in tiles} | {"ok": True}


def _next(result: Recount, asked: set[tuple[int, Question]]) -> tuple[int, Question] | None:
    """The first open question that was not asked yet; one that depends on another photo's is none of its own."""
    for number, entry in enumerate(result.entries):
        question = entry.question
        if question is not None and question.code != "depends":
            known = any(n == number and q.code == question.code and q.squares == question.squares for n, q in asked)
            if not known:
                return number, question
    return None


def _form(question: Question) -> str:
    """In which form it can be answered."""
    if question.code in ABOUT_A_SQUARE:
        return "tile"
    if question.code in ("which-first", "which-of-two", "other-position", "begun-before"):
        return "number"
    return "number-or-move"


def merged(before: object, said: Said) -> Said:
    """An answer with another one added; what a photo shows is said anew."""
    old: Said = {"ok": True} if before == "ok" else dict(before) if isinstance(before, dict) else {}
    if "kind" in said or "move" in said:
        old = {key: value for key, value in old.items() if key not in ("kind", "move", "points", "next")}
    both: Said = {
        key: [*_listed(old[key]), *_listed(said[key])] for key in ("first", "second") if key in old and key in said
    }
    return {**old, **said, **both}


def _listed(squares: object) -> list[object]:
    return squares if isinstance(squares, list) else [squares]
