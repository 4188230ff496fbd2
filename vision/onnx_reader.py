"""The tile reader's network, run by onnxruntime."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.errors import ModelError
from vision.pixels import Pixels
from vision.reading import BLANK, COVERED, EMPTY, BoardReading, TileReader, Turned, turned_by
from vision.rectify import BoardImage

DOUBT_BELOW = 0.9
"""A square is doubtful below this probability; see the model card for what it costs and saves."""

TURN_FLOOR = np.log(0.02)
"""A single tile's say about the turn of the board is limited: it may lie askew, or be misread."""


MOST_AGREE = 0.7
"""Share of the tiles that must lie the same way up for the turn of the board to be sure: some are laid as for a player
on another side of the table. On real boards without such tiles at least 0.86 agree."""


def default_model() -> Path:
    """The committed weights."""
    return Path(str(files("models") / "weights" / "tile_reader.onnx"))


class OnnxReader(TileReader):
    """All squares in one batch; a tile that lies turned among upright ones is read in its own turn and doubted."""

    name = "network"

    def __init__(self, model: Path | None = None, threads: int = 0) -> None:
        """`threads`: 0 takes up to four of the machine's cores. Raises ModelError for a file that is no such model."""
        self.model = model or default_model()
        self.threads = threads or min(4, os.cpu_count() or 1)

    @cached_property
    def _session(self):  # type: ignore[no-untyped-def]  # onnxruntime is imported when the first photo is read
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            return onnxruntime.InferenceSession(str(self.model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has no common error class
            raise ModelError(
                f"{self.model}: not a model that can be loaded", hint="Install Brettblick again.", path=self.model
            ) from error

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The characters the network tells apart, from the model's metadata."""
        classes = self._session.get_modelmeta().custom_metadata_map.get("classes", "")
        if not {EMPTY, BLANK, COVERED} <= set(classes):
            raise ModelError(f"{self.model}: not a tile reader", hint="Install Brettblick again.", path=self.model)
        return tuple(classes)

    def _run(self, crops: Pixels) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(n, 48, 48, 3) -> log-probabilities of the characters (n, K) and of the turns (n, 4)."""
        self.classes  # noqa: B018  # refuses a wrong model before it is used
        return tuple(self._session.run(["chars", "turns"], {"crops": np.ascontiguousarray(crops)}))  # type: ignore[return-value]

    def read(self, board: BoardImage, letters: Collection[str]) -> BoardReading:
        crops = _listed(board)
        return self._finished(crops, *self._run(crops), letters)

    def read_turned(self, board: BoardImage, letters: Collection[str]) -> Turned:
        crops = _listed(board)
        chars, turns = self._run(crops)
        letter = self._letters(chars)
        totals = (letter[:, None] * np.maximum(turns, TURN_FLOOR)).sum(axis=0)
        agreeing = float((letter * np.exp(turns[:, totals.argmax()])).sum() / max(letter.sum(), 1e-9))

        def read(quarters: int) -> BoardReading:
            return (
                self.read(board.turned(quarters), letters) if quarters else self._finished(crops, chars, turns, letters)
            )

        turned = turned_by(totals, read)
        return replace(turned, sure=turned.sure and agreeing > MOST_AGREE)

    def _letters(self, chars: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n,) probability that a square holds a lettered tile."""
        others = [self.classes.index(char) for char in (EMPTY, BLANK, COVERED)]
        return 1 - np.exp(chars[:, others]).sum(axis=1)

    def _finished(
        self, crops: Pixels, chars: NDArray[np.float32], turns: NDArray[np.float32], letters: Collection[str]
    ) -> BoardReading:
        """Reads single turned tiles once more, in their own turn; keeps to the letters of the tile set."""
        letter = self._letters(chars)
        quarters = turns.argmax(axis=1)
        odd = np.flatnonzero((letter > 0.5) & (quarters > 0) & (turns.max(axis=1) > np.log(0.8)))
        if len(odd):
            upright = np.stack([np.rot90(crops[k], quarters[k]) for k in odd])
            chars = chars.copy()
            chars[odd] = self._run(upright)[0]
        reading = BoardReading(chars.reshape(15, 15, -1), self.classes, DOUBT_BELOW)
        return reading.restricted(letters).suspecting({Square(int(k) // 15, int(k) % 15) for k in odd})


def _listed(board: BoardImage) -> Pixels:
    """(225, 48, 48, 3) crops, row by row."""
    crops = board.crops()
    return crops.reshape(-1, *crops.shape[2:])
