"""What a person should know of a photo or a game, as sentences: one place for the score sheet and the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from assistant.advice import square_range
from assistant.blanks import OpenBlank
from assistant.checks import Check
from assistant.questions import square_names
from assistant.recount import Difference, Recount, RecountEntry, Revision
from assistant.scored_move import surplus_text
from assistant.texts import Texts
from scorer.board import Square
from scorer.notation import Notation
from scorer.scoring import Play
from scorer.tiles import is_blank, letter_of
from vision.nudge import Nudge
from vision.reading import BLANK, COVERED, EMPTY
from vision.steps import NO_MOVE

HALF, WHOLE = 0.35, 0.75
"""Squares from which on tiles are said to have slipped by half a square, and by a whole one."""


def photo_name(entry: RecountEntry) -> str:
    """The name of the photo's file, without its folder."""
    return Path(entry.observation.name).name


def tile_name(char: str, texts: Texts) -> str:
    """What a tile is called: H, blank (E), blank, no tile, or covered."""
    if char in (EMPTY, COVERED):
        return texts("candidate.empty" if char == EMPTY else "candidate.covered")
    if not is_blank(char):
        return char
    return texts("candidate.blank") + (f" ({letter_of(char)})" if char != BLANK else "")


def move_text(play: Play) -> str:
    """A move as German players write it; its tiles square by square where they form no word."""
    laid = (f"{tile} {square_names((square,))}" for square, tile in play.placement.tiles)
    return play.text(Notation.GERMAN) or ", ".join(laid)


def words_text(play: Play) -> str:
    """The words of a move with their points: "HUT 8, TOR 6 + 50"."""
    words = ", ".join(f"{word.word} {word.score}" for word in play.words)
    return f"{words} + {play.bingo_bonus}" if play.bingo_bonus else words


def what_it_is(entry: RecountEntry, texts: Texts) -> str:
    """The move of an entry; of a photo without one, what it shows."""
    if entry.why and entry.kind == NO_MOVE:
        return texts(f"why.{entry.why}")
    if entry.kind == "start" and entry.candidates:
        return texts("sheet.begun")
    return move_text(entry.play) if entry.play and entry.play.words else texts(f"sheet.{entry.kind}")


def remarks(entry: RecountEntry, texts: Texts) -> list[str]:
    """What is to be said of a move in a word: taken back, against the rules, open."""
    out = [texts("sheet.taken-back")] if entry.withdrawn else []
    out += [texts(f"fault.{code}") for code in entry.faults]
    if entry.kind == "unclear" and entry.play and entry.play.words:
        out.append(texts("sheet.unclear"))
    return out


def notes_of(entry: RecountEntry, result: Recount, texts: Texts) -> list[str]:
    """A sentence for everything noteworthy about one photo, its question and the quality of the photo apart."""
    return [
        *revision_texts(entry, result, texts),
        *(difference_text(one, texts) for one in entry.differences),
        *(nudge_text(one, texts) for one in entry.nudges),
    ]


def difference_text(one: Difference, texts: Texts) -> str:
    """Of an old tile that is not what it was: "Feld H8: im Protokoll E, im Foto F."."""
    names = {key: tile_name(char, texts) for key, char in (("recorded", one.recorded), ("seen", one.seen))}
    return texts("note.differs", square=square_names((one.square,)), **names)


def nudge_text(one: Nudge, texts: Texts) -> str:
    """Of tiles that slipped: which, how far, where to."""
    shift = one.right or one.down
    far = "whole" if abs(shift) >= WHOLE else "half" if abs(shift) >= HALF else "little"
    way = ("right" if shift > 0 else "left") if one.right else ("down" if shift > 0 else "up")
    squares = square_range(one.squares, texts)
    return texts("note.nudged", squares=squares, far=texts(f"note.far.{far}"), way=texts(f"note.way.{way}"))


def revision_texts(entry: RecountEntry, result: Recount, texts: Texts) -> list[str]:
    """What later photos changed, and which."""
    found: Revision | None = entry.revision
    if found is None:
        return []
    out = []
    if found.because is not None and entry.kind != "unclear":  # else the question says what is open
        photo = photo_name(result.entries[found.because])
        if found.kind == entry.kind:
            out.append(texts("revision.squares" if entry.kind == "place" else "revision.other", photo=photo))
        else:
            out.append(texts("revision.kind", photo=photo, then=texts(f"revision.was.{found.kind}")))
    return out + [
        texts("revision.letter", square=square_names((square,)), then=tile_name(then, texts), now=tile_name(now, texts))
        for square, then, now in found.letters
    ]


def check_text(check: Check, result: Recount, texts: Texts) -> str:
    """Of one thing that does not fit together in the whole game."""
    return texts(
        f"check.{check.code}",
        squares=square_names(check.squares),
        surplus=surplus_text(check.tiles, texts),
        photos=photo_names(check.photos, result),
    )


def blank_text(blank: OpenBlank, texts: Texts) -> str:
    """Of a blank whose letter nobody has said: what it may be, where that may be said."""
    square = square_names((blank.square,))
    if not blank.letters:
        return texts("note.blank-open", square=square)
    return texts("note.blank-letters", square=square, letters=", ".join(blank.letters))


def photo_names(numbers: Iterable[int], result: Recount) -> str:
    """The names of photos by their numbers."""
    return ", ".join(photo_name(result.entries[number]) for number in numbers)


def asked_squares(entry: RecountEntry) -> tuple[Square, ...]:
    """The squares that a person must look at to answer an entry's question; how many points there were before the
    first photo no square tells."""
    return entry.question.squares if entry.question and entry.question.code != "begun-before" else ()


def totals_before(entry: RecountEntry) -> Sequence[tuple[int, ...]]:
    """The totals after each of the moves without a photo, in the order of `entry.before`; they count if the entry's own
    does."""
    if not entry.counted:
        return [entry.totals] * len(entry.before)
    out: list[tuple[int, ...]] = []
    totals, later = entry.totals, [(entry.player, entry.play)]
    for one in reversed(entry.before):
        for player, play in later:
            if play is not None:
                totals = tuple(t - play.score * (seat == player) for seat, t in enumerate(totals))
        later = [(one.player, one.play)]
        out.append(totals)
    return out[::-1]
