"""Everything an evaluation rests on, as one object for JSON, from which the page is made too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assistant.advice import all_warnings
from assistant.commands.check import verdict_text
from assistant.notes import (
    asked_squares,
    check_text,
    difference_text,
    move_text,
    notes_of,
    photo_name,
    remarks,
    revision_texts,
    totals_before,
    what_it_is,
)
from assistant.photos import explain_failure
from assistant.questions import ask
from assistant.recount import Recount, RecountEntry
from assistant.report.pictures import Opened, open_again
from assistant.rules_option import title
from assistant.texts import Texts
from scorer.board import Square
from scorer.explain import Language, explain
from scorer.lexicon import Verdict, WordList
from scorer.notation import Notation, format_square
from scorer.scoring import Play, WordScore
from vision.observe import Observation
from vision.steps import NO_MOVE
from vision.turning import TURN_UNSURE, is_bare

FORMAT, VERSION = "brettblick-evidence", 1


@dataclass(frozen=True)
class Quarrel:
    """What is said of a quarrel about one move, in sentences.

    word:         the word, "" where there is none
    headline:     what the photos show
    said:         the moves and what they count, and what else to know
    alternatives: what the move counts under each answer to the open question
    challenge:    what a challenge comes to
    """

    word: str
    headline: str
    said: Sequence[str] = ()
    alternatives: Sequence[str] = ()
    challenge: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "word": self.word,
            "headline": self.headline,
            "said": list(self.said),
            "alternatives": list(self.alternatives),
            "challenge": list(self.challenge),
        }


@dataclass(frozen=True)
class Asked:
    """What was asked beside the photos.

    lists:    word lists that had a say
    verdicts: what an open dictionary says of the words, by the word in capitals
    model:    fingerprint of the reader's weights (`calibration.tiles.fingerprint`), "" for another reader
    quarrel:  None where it is a game
    """

    lists: Sequence[WordList] = ()
    verdicts: Mapping[str, Verdict] = field(default_factory=lambda: MappingProxyType({}))
    model: str = ""
    quarrel: Quarrel | None = None


def evidence(result: Recount, files: Sequence[Path], texts: Texts, asked: Asked = Asked()) -> dict[str, Any]:
    """The whole evidence of an evaluation, all of it fit for JSON; sentences in the language of the texts.

    files: the photos, in the order of the entries; one after the other is decoded again. For one that is gone or was
        changed since, the crops are cut from the flat board that was kept of it.
    """
    entries = [
        described(entry, opened, result, texts, asked)
        for entry, opened in zip(result.entries, opened_photos(result, files), strict=True)
    ]
    return whole_game(result, entries, texts, asked)


def opened_photos(result: Recount, files: Sequence[Path]) -> Iterator[Opened]:
    """The photos of the entries, decoded one at a time."""
    if len(files) != len(result.entries):
        raise ValueError(f"{len(files)} photos of {len(result.entries)} entries")
    for file, entry in zip(files, result.entries, strict=True):
        yield open_again(file, entry.observation)


def whole_game(result: Recount, entries: Sequence[Mapping[str, Any]], texts: Texts, asked: Asked) -> dict[str, Any]:
    """The evidence of a game from that of its entries."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "brettblick": installed_version(),
        "model": asked.model or None,
        "language": texts.language,
        "rules": {"name": result.rules.name, "title": title(result.rules, texts), "settings": result.rules.to_json()},
        "tiles": result.tile_set.name,
        "lexicon": [one.to_json() for one in asked.lists],
        "dispute": None if asked.quarrel is None else asked.quarrel.to_json(),
        "players": list(result.players),
        "entries": list(entries),
        "totals": _totals(result, result.totals),
        "board": list(result.board.rows),
        "checks": [
            {
                "code": check.code,
                "squares": [name(square) for square in check.squares],
                "tiles": dict(check.tiles),
                "photos": [photo_name(result.entries[number]) for number in check.photos],
                "text": check_text(check, result, texts),
            }
            for check in result.checks
        ],
    }


def described(entry: RecountEntry, opened: Opened, result: Recount, texts: Texts, asked: Asked) -> dict[str, Any]:
    """The evidence of one photo."""
    seen, play = entry.observation, entry.play
    return {
        "photo": photo_name(entry),
        "sha256": seen.digest or None,
        "taken": None if seen.taken is None else seen.taken.isoformat(),
        "corners": None if seen.corners is None else [[round(x, 2), round(y, 2)] for x, y in seen.corners.points],
        "picture": None if opened.pixels is None else "board" if opened.photo is None else "photo",
        "failure": None if seen.found else explain_failure(seen, texts),
        "kind": entry.kind,
        "why": entry.why,
        "what": what_it_is(entry, texts),
        "remarks": remarks(entry, texts),
        "player": None if entry.player is None else result.players[entry.player],
        "play": None if play is None else _play(play, texts, asked),
        "counted": entry.counted,
        "withdrawn": entry.withdrawn,
        "before": [
            {"player": result.players[one.player], "play": _play(one.play, texts, asked), "withdrawn": one.withdrawn}
            | {"totals": _totals(result, totals)}
            for one, totals in zip(entry.before, totals_before(entry), strict=True)
        ],
        "totals": _totals(result, entry.totals),
        "probability": round(entry.probability, 4),
        "squares": [_square(square, roles, entry, opened) for square, roles in roles_of(entry).items()],
        "question": ask(entry, texts),
        "differences": [
            {
                "square": name(one.square),
                "recorded": one.recorded,
                "seen": one.seen,
                "text": difference_text(one, texts),
            }
            for one in entry.differences
        ],
        "revision": _revision(entry, result, texts),
        "warnings": all_warnings(_relevant(seen), texts),
        "notes": notes_of(entry, result, texts),
    }


def _relevant(seen: Observation) -> Observation:
    """Without the warning that an empty board always has: nothing on it tells which side is up, nor needs to."""
    if not is_bare(seen):
        return seen
    return replace(seen, warnings=tuple(code for code in seen.warnings if code != TURN_UNSURE))


def roles_of(entry: RecountEntry) -> dict[Square, tuple[str, ...]]:
    """What each noteworthy square of a photo is: lies (since before the first photo), before (laid without a photo),
    new, asked, differs, nudged; each kind row by row."""
    begun = entry.kind == "start"
    kinds = {
        "lies": sorted(entry.candidates) if begun else [],
        "before": [square for one in entry.before for square in one.play.placement.squares],
        "new": entry.play.placement.squares if entry.play else (),
        "asked": asked_squares(entry),
        "differs": [one.square for one in entry.differences],
        "nudged": [square for one in entry.nudges for square in one.squares],
    }
    if entry.kind != NO_MOVE and not begun:  # the squares of a move that waits for its answer are only here
        kinds["new"] = sorted({*kinds["new"], *entry.candidates} - {*kinds["before"]})
    out: dict[Square, tuple[str, ...]] = {}
    for kind, squares in kinds.items():
        for square in sorted(squares):
            out[square] = (*out.get(square, ()), kind)
    return out


def name(square: Square) -> str:
    """The German name of a square."""
    return format_square(square, Notation.GERMAN)


def installed_version() -> str:
    """The version of Brettblick, "" where it runs without being installed."""
    try:
        return version("brettblick")
    except PackageNotFoundError:
        return ""


def _square(square: Square, roles: Sequence[str], entry: RecountEntry, opened: Opened) -> dict[str, Any]:
    reading = entry.observation.reading
    laid = [one.play.placement for one in entry.before] + ([entry.play.placement] if entry.play else [])
    tile = next((placement.by_square[square] for placement in laid if square in placement.by_square), None)
    candidates = entry.candidates.get(square) or (reading.at(square).candidates if reading else ())
    return {
        "square": name(square),
        "row": square.row,
        "col": square.col,
        "roles": list(roles),
        "tile": tile or (candidates[0][0] if candidates else None),
        "candidates": [{"tile": char, "probability": round(share, 4)} for char, share in candidates],
        "crop": opened.crop(square),
    }


def _play(play: Play, texts: Texts, asked: Asked) -> dict[str, Any]:
    language: Language = "de" if texts.language == "de" else "en"
    main = play.main_word
    return {
        "move": move_text(play),
        "row": main.start.row if main else None,
        "col": main.start.col if main else None,
        "direction": str(main.direction) if main else None,
        "tiles": [[square.row, square.col, tile] for square, tile in play.placement.tiles],
        "words": [_word(word, texts, asked) for word in play.words],
        "bingo": play.bingo_bonus,
        "score": play.score if play.words else None,
        "steps": explain(play, language) if play.words else [],
        "faults": [{"code": code, "text": texts(f"fault.{code}")} for code in play.faults.codes],
    }


def _word(word: WordScore, texts: Texts, asked: Asked) -> dict[str, Any]:
    verdict = asked.verdicts.get(word.capitals)
    data: dict[str, Any] = {"word": word.word, "score": word.score}
    return data if verdict is None else data | {"answer": verdict.answer.value, "text": verdict_text(verdict, texts)}


def _revision(entry: RecountEntry, result: Recount, texts: Texts) -> dict[str, Any] | None:
    if entry.revision is None:
        return None
    because = entry.revision.because
    return {
        "kind": entry.revision.kind,
        "because": None if because is None else photo_name(result.entries[because]),
        "letters": [{"square": name(square), "then": then, "now": now} for square, then, now in entry.revision.letters],
        "texts": revision_texts(entry, result, texts),
    }


def _totals(result: Recount, totals: Sequence[int]) -> dict[str, int]:
    return dict(zip(result.players, totals, strict=True))
