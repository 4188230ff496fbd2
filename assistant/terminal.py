"""What several commands print alike on the terminal."""

from __future__ import annotations

import rich.console
from rich.table import Table


class Console(rich.console.Console):
    """Standard output for people: texts as they are, also those with numbers and brackets (names of files, players)."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False)

    def on_broken_pipe(self) -> None:
        """A reader that goes away (``| head``) is dealt with in one place, the command line."""
        raise BrokenPipeError


def item(mark: str, content: rich.console.RenderableType, indent: int = 0) -> Table:
    """A line with a mark before it; what wraps stays behind the mark."""
    row = Table.grid(padding=(0, 1, 0, indent))
    row.add_row(mark, content)
    return row
