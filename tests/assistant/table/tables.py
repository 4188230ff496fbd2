"""A table for tests: a real store, readings made from boards in place of photos, a clock that the test turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from assistant.store.rows import Author
from assistant.store.store import Store
from assistant.table.history import TableState
from assistant.table.session import Engines, Table
from assistant.table.setup import agreed
from scorer.board import Board, Square
from scorer.rules import RULE_SETS, RuleSet
from scorer.tiles import GERMAN_102, TileSet
from vision.observe import Observation
from vision.onnx_reader import OnnxReader
from vision.reading import BoardReading

Make = Callable[..., BoardReading]

ANNA, BEN = Author("phone-anna", "Anna"), Author("phone-ben", "Ben")

EMPTY = Board.empty()


def lay(board: Board, row: int, col: int, word: str, down: bool = False) -> Board:
    """The board with the letters of a word that do not lie there yet."""
    squares = {Square(row + k * down, col + k * (not down)): char for k, char in enumerate(word)}
    return board.placed({s: char for s, char in squares.items() if board.at(s) is None})


class Clockface:
    """Milliseconds that only the test moves on."""

    def __init__(self) -> None:
        self.time = 1_000_000

    def __call__(self) -> int:
        return self.time


class Players:
    """Plays at one table, as the phones do."""

    def __init__(
        self,
        folder: Path,
        make: Make,
        rules: RuleSet = RULE_SETS["turnier"],
        lexicon: str = "none",
        names: Sequence[str] = ("Anna", "Ben"),
        url: str | None = None,
        tiles: TileSet = GERMAN_102,
    ) -> None:
        self.make, self.now, self._numbers = make, Clockface(), count(1)
        self.store = Store.open(folder, url)
        setup = agreed(names, rules, tiles, lexicon)
        self.game = self.store.create(setup.to_json(), ANNA, "new game 1")
        self.engines = Engines(OnnxReader(), "fingerprint")
        self.table = Table(self.store, self.game, self.engines, self.now)

    def again(self) -> None:
        """The server starts anew."""
        self.table = Table(self.store, self.game, self.engines, self.now)

    def request(self) -> str:
        return f"request {next(self._numbers)}"

    def do(self, action: str, author: Author = ANNA, **data: Any) -> TableState:
        version = self.table.state.version
        return self.table.act(action, data, author=author, request=self.request(), version=version)

    def photo(
        self, board: Board | None, unsure: Mapping[tuple[int, int], Mapping[str, float]] | None = None, **about: Any
    ) -> str:
        """A photo of this board, None for one that shows none; its hash."""
        digest = self.store.put_photo(f"photo {next(self._numbers)}".encode())
        events = len(self.table.state.done)
        self.table.add_photo(digest, "p.jpg", author=ANNA, request=self.request(), events=events)
        if board is None:
            seen = Observation(digest, reason="no-board", size=(1000, 800))
        else:
            seen = Observation(digest, reading=self.make(board.rows, unsure), size=(1000, 800))
        self.table.observed((digest, None), replace(seen, **about))
        return digest

    def lay(self, board: Board, author: Author = ANNA) -> TableState:
        """A photo of a move that is confirmed as it is proposed."""
        self.photo(board)
        return self.do("confirm", author)
