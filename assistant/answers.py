"""What people answered about the photos of a game, in a JSON file by file name.

    {"03.jpg": {"H8": "Ü"},                    the tile on a square; ".": none, "?": a blank, "ü": a blank as Ü
     "05.jpg": {"kind": "not-a-move"},         what the photo shows: place, none, withdrawn, start, not-a-move
     "07.jpg": {"move": "H4 FIRNS"},           the move that was laid
     "09.jpg": "ok",                           the entry is right as proposed; {"ok": true} beside other answers
     "11.jpg": {"first": "H8"},                of two moves, that with the tile on H8 was made first
     "12.jpg": {"first": "H8", "second": ["J9", "K9"]},     several squares make it exact
     "12.jpg": {"this-game": true},            the photo shows this game, no other board
     "01.jpg": {"points": {"Anna": 30, "Ben": 25}, "next": "Ben"}}     how it stood when the first photo was taken

Squares are named as in the questions, the row by its letter; moves in the notation asked for.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from assistant.files import read_text, write_whole
from assistant.recount import Answer, AnswerError, Recount, recount
from scorer.board import EMPTY, Square
from scorer.errors import BrettblickError, NotationError, json_error
from scorer.letter_model import Prior
from scorer.notation import MoveText, Notation, is_coordinate, parse_coordinate
from scorer.rules import RuleSet
from scorer.tiles import TileSet, is_tile
from vision.learning import relearnt
from vision.observe import Observation
from vision.reading import TileReader

Written = Mapping[str, Any]
"""Answers as they stand in the file: what was said by the name of the photo."""

KINDS = ("place", "none", "withdrawn", "not-a-move", "start")

KEYS = ("kind", "move", "ok", "first", "second", "this-game", "points", "next")


class AnswersFileError(BrettblickError):
    """A file of answers that cannot be used; ``why`` is the error of the entry."""

    code = "bad-answers-file"


def read_answers(path: Path) -> Written:
    """The answers of a file as they stand there; AnswersFileError where it is no JSON object, with the line."""
    text = read_text(path)
    try:
        written = json.loads(text, object_pairs_hook=_each_key_once)
    except AnswerError as error:
        raise _unusable(path, error) from error
    except (ValueError, RecursionError) as error:
        raise _unusable(path, json_error(error)) from error
    if not isinstance(written, dict):
        raise _unusable(path, AnswerError("no JSON object", code="answers-no-object"))
    return written


def load_answers(
    path: Path, names: Sequence[str], players: Sequence[str], tile_set: TileSet, notation: Notation
) -> Written:
    """The answers of a file, each understood (see `understood`); AnswersFileError for one that is not."""
    written = read_answers(path)
    try:
        understood(written, names, players, tile_set, notation)
    except AnswerError as error:
        raise _unusable(path, error) from error
    return written


def _unusable(path: Path, why: BrettblickError) -> AnswersFileError:
    return AnswersFileError(f"{path}: {why.message}", path=path, why=why)


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON would silently take the last of two answers."""
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise AnswerError(f"{key} is there twice", code="answer-twice", text=key)
        out[key] = value
    return out


def write_answers(path: Path, written: Written) -> None:
    """Writes the file, a photo a line; BrettblickError where it cannot be written."""
    try:
        # names of files that are no text have characters that UTF-8 has not; so written they are escapes of JSON
        write_whole(path, as_text(written).encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise BrettblickError(f"{path}: {error.strerror}", code="cannot-write", path=path) from error


def as_text(written: Written) -> str:
    """The text of the file."""
    lines = [f" {json.dumps(k, ensure_ascii=False)}: {json.dumps(v, ensure_ascii=False)}" for k, v in written.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def photo_key(number: int, names: Sequence[str]) -> str:
    """The name by which an answer calls a photo: that of its file, with the folder where two have the same."""
    files = [PurePath(name).name for name in names]
    return files[number] if files.count(files[number]) == 1 else names[number]


def understood(
    written: Written, names: Sequence[str], players: Sequence[str], tile_set: TileSet, notation: Notation
) -> dict[int, Answer]:
    """The answers by number of the photo; AnswerError that names the photo and what is wrong with its answer.

    names: of all photos, in order
    """
    out: dict[int, Answer] = {}
    for name, said in written.items():
        number = _number(name, names)
        if number in out:
            raise AnswerError(f"{name} is there twice", code="answer-twice", text=name)
        try:
            out[number] = _answer(said, players, tile_set, notation)
        except BrettblickError as error:
            raise AnswerError(f"{name}: {error.message}", code="answer-about", photo=name, why=error) from error
    return out


def _number(name: str, names: Sequence[str]) -> int:
    # a file named twice is one photo, whose later entries only repeat the first
    found = [k for k, one in enumerate(names) if name == one][:1] or [
        k for k, one in enumerate(names) if PurePath(name).name == name == PurePath(one).name
    ]
    if len(found) != 1:
        code = "answer-which-photo" if found else "answer-no-photo"
        raise AnswerError(f"{name}: {len(found)} of the photos are called so", code=code, photo=name)
    return found[0]


def _answer(said: object, players: Sequence[str], tile_set: TileSet, notation: Notation) -> Answer:
    if said == "ok":
        return Answer(confirmed=True)
    if not isinstance(said, dict):
        raise AnswerError(f"{said!r} is no answer", code="answer-form", text=str(said))
    squares: dict[Square, str] = {}
    for key, value in said.items():
        if key in KEYS:
            continue
        if not is_coordinate(key):
            raise AnswerError(f"{key!r} says nothing", code="answer-key", text=key, keys=", ".join(KEYS))
        square = _square(key)
        if square in squares:
            raise AnswerError(f"{key} is there twice", code="answer-twice", text=key)
        squares[square] = _tile(value, tile_set)
    kind = said.get("kind")
    if kind is not None and kind not in KINDS:
        raise AnswerError(f"{kind!r} is no kind", code="answer-kind", text=str(kind), kinds=", ".join(KINDS))
    move = _move(said["move"], tile_set, notation) if "move" in said else None
    if move is not None and kind not in (None, "place"):
        raise AnswerError("a move and another kind", code="answer-contradiction", kind=kind)
    totals, next_player = _standing(said, players)
    if totals is not None and (move is not None or kind not in (None, "start")):
        raise AnswerError("points of a game begun before and another kind", code="answer-begun")
    for flag in ("ok", "this-game"):
        if said.get(flag, True) is not True:
            raise AnswerError(f"{flag} can only be true", code="answer-flag", text=flag)
    return Answer(
        squares,
        kind,
        move,
        confirmed="ok" in said,
        first=_squares(said.get("first", [])),
        second=_squares(said.get("second", [])),
        here="this-game" in said,
        totals=totals,
        next_player=next_player,
    )


def _squares(names: object) -> tuple[Square, ...]:
    """One square, or a list of them."""
    return tuple(_square(name) for name in (names if isinstance(names, list) else [names]))


def _square(name: object) -> Square:
    if not isinstance(name, str) or not is_coordinate(name):
        raise NotationError(f"{name!r} is no square", code="answer-square", text=str(name))
    return parse_coordinate(name, Notation.GERMAN).square


def _tile(value: object, tile_set: TileSet) -> str:
    char = unicodedata.normalize("NFC", value) if isinstance(value, str) else value
    if char == EMPTY:
        return EMPTY
    if not isinstance(char, str) or not is_tile(char):
        raise AnswerError(f"{value!r} is no tile", code="answer-tile", text=str(value))
    return _in_set(char, tile_set)


def _in_set(char: str, tile_set: TileSet) -> str:
    if char not in tile_set:
        raise AnswerError(f"{char!r} is not in the set", code="answer-not-in-set", text=char, tiles=tile_set.name)
    return char


def _move(text: object, tile_set: TileSet, notation: Notation) -> MoveText:
    move = MoveText.parse(text if isinstance(text, str) else str(text), notation)
    for mark in move.marks:
        if mark.tile is not None:
            _in_set(mark.tile, tile_set)
    return move


def _standing(said: Mapping[str, Any], players: Sequence[str]) -> tuple[tuple[int, ...] | None, int | None]:
    """Points by seat and whose turn it was, None where nothing is said of it."""
    if "points" not in said and "next" not in said:
        return None, None
    points, following = said.get("points"), str(said.get("next"))
    if not isinstance(points, dict) or set(points) != set(players) or following not in players:
        raise AnswerError("not the points of all players", code="answer-points", players=", ".join(players))
    totals = tuple(points[name] for name in players)
    if not all(type(value) is int and abs(value) < 10_000 for value in totals):
        raise AnswerError("points that are no numbers", code="answer-points", players=", ".join(players))
    return totals, list(players).index(following)


@dataclass(frozen=True)
class ReadGame:
    """The photos of a game as they were read, to be counted with whatever people say of them.

    reader: that has read them; it learns from answers about letters
    prior:  see ``assistant.recount.recount``
    """

    observations: Sequence[Observation]
    players: tuple[str, ...]
    rules: RuleSet
    tile_set: TileSet
    reader: TileReader
    prior: Prior | None = None
    notation: Notation = Notation.GERMAN

    @property
    def names(self) -> list[str]:
        return [seen.name for seen in self.observations]

    def recounted(self, written: Written) -> Recount:
        """The score sheet with these answers; AnswerError for one that says nothing, or that cannot be.

        Letters that people named teach the reader how this set's tiles look, which may settle others.
        """
        answers = understood(written, self.names, self.players, self.tile_set, self.notation)
        result = self._counted(self.observations, answers)
        letters = {(k, square): char for k, answer in answers.items() for square, char in answer.squares.items()}
        for number, answer in answers.items():
            play = result.entries[number].play
            if answer.move is not None and play is not None:
                letters |= {(number, square): char for square, char in play.placement.tiles}
        learnt = relearnt(self.observations, letters, self.reader, self.tile_set) if letters else self.observations
        same = all(one is other for one, other in zip(learnt, self.observations, strict=True))
        return result if same else self._counted(learnt, answers)

    def _counted(self, observations: Sequence[Observation], answers: Mapping[int, Answer]) -> Recount:
        return recount(observations, self.players, self.rules, self.tile_set, self.prior, answers, self.reader)
