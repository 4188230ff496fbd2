"""The tile reader's network, run by onnxruntime."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.errors import ModelError
from vision.geometry import SIZE
from vision.pixels import Pixels
from vision.reading import BLANK, COVERED, EMPTY, BoardReading, TileReader, Turned, turned_by
from vision.rectify import BoardImage
from vision.turn import SURE_TURN

Floats = NDArray[np.float32]

OTHER = "#"
"""The network's class for a tile whose print is no letter it knows; a reading keeps it as lacking probability."""

DOUBT_BELOW = 0.97
"""A square is doubtful below this probability; see the model card for what it costs and saves."""

UPRIGHT = 0.97
"""Probability of lying upright below which a letter is doubtful: another may look like it when turned."""

FOREIGN = 0.1
"""How much rarer prints that no German set has are in play than among the boards trained on, one tile in fifty."""

TURN_FLOOR = np.log(0.02)
"""A single tile's say about the turn of the board is limited: it may lie askew, or be misread."""


MOST_AGREE = 0.7
"""Share of the tiles that must lie the same way up for the turn of the board to be sure: some are laid as for a player
on another side of the table. On real boards without such tiles at least 0.86 agree."""


LOOK_ALIKE = "HINOSXZMW" + OTHER
"""Prints that look like themselves or like another letter in another turn."""

PLACES = np.array([(row, col) for row in range(SIZE) for col in range(SIZE)], np.int64)
"""(225, 2) row and column of each square, row by row."""

ASK_AGAIN = 0.97
"""A square whose probability is lower is looked at again, through a grid shifted a little each way."""

SHIFTS = ((-2, -2), (2, -2), (-2, 2), (2, 2))
"""Pixels of the rectified board, right and down: what a grid 0.08 square off would show."""


def default_model() -> Path:
    """The committed weights."""
    return Path(str(files("models") / "weights" / "tile_reader.onnx"))


def context_file(model: Path) -> Path:
    """The second stage, beside the first."""
    return model.with_stem(model.stem + "_context")


class OnnxReader(TileReader):
    """All squares in one batch: each is described for itself, then all are compared with each other.

    A tile that lies turned among upright ones is read in its own turn and doubted.
    """

    name = "network"

    def __init__(self, model: Path | None = None, threads: int = 0) -> None:
        """`threads`: 0 takes up to four of the machine's cores. `model`: the file of the first stage, the second lies
        beside it. Raises ModelError for a file that is no such model."""
        self.model = model or default_model()
        self.threads = threads or min(4, os.cpu_count() or 1)

    @cached_property
    def _sessions(self) -> tuple[Any, Any]:
        import onnxruntime  # only when the first photo is read

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        sessions = []
        for path in (self.model, context_file(self.model)):
            try:
                sessions.append(onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]))
            except Exception as error:  # onnxruntime has no common error class
                raise ModelError(
                    f"{path}: not a model that can be loaded", hint="Install Brettblick again.", path=path
                ) from error
        return sessions[0], sessions[1]

    @cached_property
    def _known(self) -> tuple[str, ...]:
        """The network's classes, from the model's metadata."""
        classes = self._sessions[0].get_modelmeta().custom_metadata_map.get("classes", "")
        if not {EMPTY, BLANK, COVERED, OTHER} <= set(classes):
            raise ModelError(f"{self.model}: not a tile reader", hint="Install Brettblick again.", path=self.model)
        return tuple(classes)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The characters that a reading tells apart."""
        return tuple(char for char in self._known if char != OTHER)

    def describe(self, crops: Pixels) -> Floats:
        """(n, 48, 48, 3) uint8 BGR crops -> (n, D) features of each square for itself."""
        self._known  # noqa: B018  # refuses a wrong model before it is used
        out: Floats = self._sessions[0].run(["features"], {"crops": np.ascontiguousarray(crops)})[0]
        return out

    def compare(self, features: Floats) -> tuple[Floats, Floats]:
        """(n, D) features of squares in a board's order, mostly all 225 -> log-probabilities of the network's classes
        (n, K + 1), of the turns (n, 4): how many counter-clockwise quarters make the tile upright."""
        seen = {"features": features, "places": PLACES[: len(features)]}
        chars, turns = self._sessions[1].run(["chars", "turns"], seen)
        return chars, turns

    def read(self, board: BoardImage, letters: Collection[str]) -> BoardReading:
        features = self.describe(_listed(board))
        return self._finished(board, features, *self.compare(features), letters)

    def read_turned(self, board: BoardImage, letters: Collection[str]) -> Turned:
        views: dict[int, tuple[BoardImage, Floats, Floats, Floats]] = {}

        def view(quarters: int) -> tuple[BoardImage, Floats, Floats, Floats]:
            if quarters not in views:
                turned = board.turned(quarters) if quarters else board
                features = self.describe(_listed(turned))
                views[quarters] = (turned, features, *self.compare(features))
            return views[quarters]

        def read(quarters: int) -> BoardReading:
            return self._finished(*view(quarters), letters)

        _, _, chars, turns = view(0)
        letter = self._letters(chars)
        telling = _totals(self._letters(chars, LOOK_ALIKE), turns)
        if letter.sum() > 0.5 and np.diff(np.sort(telling))[-1] <= SURE_TURN:
            # The network leans to the turn that it is given, in which most tiles lay that it was trained on. Where few
            # letters are left that look like no other, it is asked from all four sides, so that this cancels out.
            seen = [_seen_back(view(quarters)[3], quarters) for quarters in range(4)]
            turns = _normalised(np.mean(seen, axis=0))
        totals = _totals(letter, turns)
        probs = np.exp(turns)
        agreeing = float((letter * probs[:, totals.argmax()]).sum() / max((letter * probs.max(axis=1)).sum(), 1e-9))
        return turned_by(totals, read, agreeing > MOST_AGREE)

    def read_shifted(
        self,
        board: BoardImage,
        letters: Collection[str],
        squares: Collection[Square],
        shifts: Sequence[tuple[int, int]],
    ) -> tuple[BoardReading, ...]:
        chosen = [square.row * SIZE + square.col for square in squares]
        crops = np.concatenate([_listed(board), *(_listed(board.shifted(*shift))[chosen] for shift in shifts)])
        features = self.describe(crops)
        unshifted, shifted = features[: len(PLACES)], features[len(PLACES) :].reshape(len(shifts), len(chosen), -1)
        readings = []
        for described in shifted:
            seen = unshifted.copy()
            seen[chosen] = described
            readings.append(self._reading(self.compare(seen)[0], letters))
        return tuple(readings)

    def letter_turns(self, crops: Pixels) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        if len(crops) > len(PLACES):
            raise ValueError(f"more crops than a board has squares: {len(crops)}")
        telling, seen = [], []
        for quarters in range(4):  # from all sides, as in read_turned
            chars, turns = self.compare(self.describe(np.rot90(crops, quarters, axes=(1, 2))))
            telling.append(self._letters(chars, LOOK_ALIKE))
            seen.append(np.roll(turns, quarters, axis=1))
        return np.max(telling, axis=0), _normalised(np.mean(seen, axis=0))

    def _letters(self, chars: Floats, but: str = "") -> NDArray[np.float64]:
        """(n,) probability that a square holds a tile with a print, none of these."""
        others = [self._known.index(char) for char in (EMPTY, BLANK, COVERED, *but)]
        return np.asarray(1 - np.exp(chars[:, others].astype(np.float64)).sum(axis=1))

    def _finished(
        self, board: BoardImage, features: Floats, chars: Floats, turns: Floats, letters: Collection[str]
    ) -> BoardReading:
        """Reads single turned tiles in their own turn, looks again where it is unsure, keeps to the tile set."""
        quarters, lettered = turns.argmax(axis=1), self._letters(chars) > 0.5
        odd = np.flatnonzero(lettered & (quarters > 0))
        askew = np.flatnonzero(lettered & (turns[:, 0] < np.log(UPRIGHT)))
        if len(odd):
            crops = _listed(board)
            upright = features.copy()
            upright[odd] = self.describe(np.stack([np.rot90(crops[k], quarters[k]) for k in odd]))
            again = self.compare(upright)[0]
            as_it_lies = turns[odd, :1]
            turned = np.log(np.maximum(-np.expm1(as_it_lies), 1e-6))
            chars = chars.copy()
            chars[odd] = np.logaddexp(chars[odd] + as_it_lies, again[odd] + turned)
        chars = self._second_opinion(board, features, chars, odd)
        return self._reading(chars, letters).suspecting({Square(*divmod(int(k), SIZE)) for k in askew})

    def _reading(self, chars: Floats, letters: Collection[str]) -> BoardReading:
        """From (225, K + 1) log-probabilities of the network's classes."""
        keep = [self._known.index(char) for char in self.classes]
        foreign = np.exp(chars[:, self._known.index(OTHER), None])
        chars = chars - np.log1p((FOREIGN - 1) * foreign)
        return BoardReading(chars[:, keep].reshape(SIZE, SIZE, -1), self.classes, DOUBT_BELOW).restricted(letters)

    def _second_opinion(self, board: BoardImage, features: Floats, chars: Floats, odd: NDArray[np.intp]) -> Floats:
        """The mean probability over a few shifts of the grid, for squares that are not sure."""
        unsure = np.setdiff1d(np.flatnonzero(chars.max(axis=1) < np.log(ASK_AGAIN)), odd)
        if not len(unsure):
            return chars
        opinions = [chars[unsure]]
        for right, down in SHIFTS:
            seen = features.copy()
            seen[unsure] = self.describe(_listed(board.shifted(right, down))[unsure])
            opinions.append(self.compare(seen)[0][unsure])
        chars = chars.copy()
        chars[unsure] = np.logaddexp.reduce(opinions, axis=0) - np.log(len(opinions))
        return chars


def _totals(letter: NDArray[np.float64], turns: Floats) -> NDArray[np.float64]:
    """(4,) log-likelihood of the turns of the board, from (225,) probabilities of letters and (225, 4) of turns."""
    return np.asarray((letter[:, None] * np.maximum(turns, TURN_FLOOR)).sum(axis=0))


def _normalised(turns: Floats) -> Floats:
    out: Floats = turns - np.logaddexp.reduce(turns, axis=1, keepdims=True)
    return out


def _seen_back(turns: Floats, quarters: int) -> Floats:
    """(225, 4) of the board turned by so many quarters, as of the board itself."""
    back = np.rot90(turns.reshape(SIZE, SIZE, 4), -quarters)
    return np.roll(back.reshape(-1, 4), quarters, axis=1)


def _listed(board: BoardImage) -> Pixels:
    """(225, 48, 48, 3) crops, row by row."""
    crops = board.crops()
    return crops.reshape(-1, *crops.shape[2:])
