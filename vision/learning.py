"""What a person's answer about one tile teaches about the other tiles of the same game.

The answered tile is an example of its letter in this set, in this light; tiles that were read surely in several photos
are examples of theirs and show how much the tiles of one letter differ. From them `vision.adapt` learns, and the
doubtful letters of all photos are weighed again, on the flat boards that stay with the observations.

An answer must not silence a doubt wrongly, so little is changed: only how the probability of a print is shared among
the letters, never whether there is a tile; a letter that was sure stays as it is, or becomes doubtful where what was
learnt speaks for another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from scorer.board import Square
from scorer.tiles import TileSet
from vision.adapt import Examples, Prototypes, adapted, examples, learn, lettered_squares
from vision.evidence import doubt_excess
from vision.geometry import SIZE
from vision.observe import Observation
from vision.onnx_reader import OnnxReader
from vision.quality import burnt_out
from vision.reading import BLANK, COVERED, EMPTY, BoardReading, TileReader
from vision.rectify import BoardImage

SURE = 0.98
"""Probability from which a tile serves as an example of the letter it was read as."""

PHOTOS = 2
"""Photos in which it must be read so, and in none as another letter."""

EXAMPLES = 2
"""Such tiles of a letter that are learnt from; more cost time and say little new."""

Answers = Mapping[tuple[int, Square], str]


def relearnt(
    observations: Sequence[Observation], answers: Answers, reader: TileReader, tile_set: TileSet
) -> tuple[Observation, ...]:
    """The observations of one game with the doubtful letters weighed again by what the answers teach.

    answers: (number of the photo, square in the turn of its reading) -> the character that a person says lies there;
        only printed letters teach something. The answered squares themselves are for the caller to settle.
    reader: that has read the photos. One that cannot describe tiles (Tesseract), or that has a profile of the set
        already, learns nothing here: the observations come back as they are. So do photos that have no doubtful
        letter, and those of which the flat board is no good picture of the tiles (`Observation.lifted`), or whose turn
        or grid is in doubt.
    """
    if not isinstance(reader, OnnxReader):
        return tuple(observations)
    game = _Game(observations, reader, tile_set)
    learnt = game.prototypes(answers) if any(map(game.open_letters, range(len(observations)))) else None
    if learnt is None:
        return tuple(observations)
    return tuple(game.weighed(number, learnt) for number in range(len(observations)))


class _Game:
    """The photos of one game that can be learnt from, and what is worked out of them once."""

    def __init__(self, observations: Sequence[Observation], reader: OnnxReader, tile_set: TileSet) -> None:
        self.observations, self.reader, self.tile_set = observations, reader, tile_set
        self._apart: dict[int, frozenset[Square]] = {}

    def usable(self, number: int) -> tuple[BoardImage, BoardReading] | None:
        """Flat board and reading of a photo that shows its tiles upright and in their squares."""
        seen = self.observations[number]
        if seen.board is None or seen.reading is None or seen.lifted or seen.turns:
            return None
        return None if {"turn-unsure", "grid-unsure"} & {*seen.warnings} else (seen.board, seen.reading)

    def suspects_apart(self, number: int) -> frozenset[Square]:
        """The suspects of a photo but for those that there are only too many of: these may be learnt from and weighed
        again, tiles that lie askew or under a lamp may not."""
        if number in self._apart:
            return self._apart[number]
        board, reading = self.usable(number) or _no_photo(number)
        excess = self._excess(reading)
        apart = reading.suspects - excess
        if excess:
            glare = (one.squares for one in self.observations[number].findings if one.code == "glare")
            apart |= self.reader.read(board, self.tile_set.letters).suspects | burnt_out(board, chain(*glare))
        self._apart[number] = apart
        return apart

    def _excess(self, reading: BoardReading) -> frozenset[Square]:
        return doubt_excess(replace(reading, suspects=frozenset()), self.tile_set).suspects

    def open_letters(self, number: int) -> tuple[Square, ...]:
        """Doubtful squares of a photo that may hold a letter and are suspect for no more than their number, as far as
        can be told without another reading."""
        usable = self.usable(number)
        if usable is None:
            return ()
        _, reading = usable
        doubtful = set(reading.doubtful)
        squares = lettered_squares(replace(reading, suspects=reading.suspects - self._excess(reading)))
        return tuple(square for square in squares if square in doubtful)

    def prototypes(self, answers: Answers) -> Prototypes | None:
        """What the answers and the sure tiles teach; None where no answer does."""
        answered: dict[int, dict[Square, str]] = {}
        for (number, square), char in answers.items():
            if self._shows(number, square, char) and square not in self.suspects_apart(number):
                answered.setdefault(number, {})[square] = char
        if not answered:
            return None
        found = [self._examples(number, tiles) for number, tiles in answered.items()]
        for number, tiles in self._sure({square for _, square in answers}).items():
            found.append(self._examples(number, tiles))
        return learn(found)

    def _shows(self, number: int, square: Square, char: str) -> bool:
        """Whether a photo may show this printed letter on this square: not where a hand lies over it."""
        usable = self.usable(number)
        if usable is None or not char.isupper() or char not in usable[1].index:
            return False
        reading = usable[1]
        no_print = [reading.index[other] for other in (EMPTY, BLANK, COVERED)]
        return bool(np.exp(reading.log_probs[square][no_print].astype(np.float64)).sum() < 0.5)

    def _sure(self, answered: set[Square]) -> dict[int, dict[Square, str]]:
        """Tiles read surely in several photos, by the first of them."""
        read: dict[Square, list[tuple[int, str]]] = {}
        for number in range(len(self.observations)):
            usable = self.usable(number)
            if usable is None:
                continue
            _, reading = usable
            doubtful = set(reading.doubtful)
            for square in reading.showing(str.isalpha) - answered:
                if square not in doubtful and reading.confidence[square] >= SURE:
                    read.setdefault(square, []).append((number, reading.rows[square.row][square.col]))
        out: dict[int, dict[Square, str]] = {}
        count: dict[str, int] = {}
        for square, seen in sorted(read.items()):
            number, letter = seen[0]
            if len(seen) >= PHOTOS and {char for _, char in seen} == {letter} and count.get(letter, 0) < EXAMPLES:
                count[letter] = count.get(letter, 0) + 1
                out.setdefault(number, {})[square] = letter
        return out

    def _examples(self, number: int, tiles: Mapping[Square, str]) -> Examples:
        board, reading = self.usable(number) or _no_photo(number)
        rows = np.full((SIZE, SIZE), ".")
        for square, char in tiles.items():
            rows[square] = char
        return examples(board, replace(reading, suspects=frozenset()), ["".join(row) for row in rows], self.reader)

    def weighed(self, number: int, learnt: Prototypes) -> Observation:
        """One photo with its doubtful letters weighed again."""
        seen, usable = self.observations[number], self.usable(number)
        if usable is None or not self.open_letters(number):
            return seen
        board, reading = usable
        doubtful = set(reading.doubtful)
        open_ = replace(reading, suspects=self.suspects_apart(number))
        squares = lettered_squares(open_)
        if not doubtful & set(squares):
            return seen
        crops = board.crops()
        features = np.asarray(self.reader.describe(np.array([crops[square] for square in squares])), np.float64)
        after = adapted(open_, squares, features, learnt)
        log_probs = reading.log_probs.copy()
        for square in squares:
            if square in doubtful:
                log_probs[square] = after.log_probs[square]
            elif after.rows[square.row][square.col] != reading.rows[square.row][square.col]:
                log_probs[square] = np.logaddexp(reading.log_probs[square], after.log_probs[square]) - np.log(2)
        again = replace(reading, log_probs=log_probs, suspects=after.suspects)
        return replace(seen, reading=doubt_excess(again, self.tile_set))


def _no_photo(number: int) -> tuple[BoardImage, BoardReading]:
    raise ValueError(f"photo {number} cannot be learnt from")
