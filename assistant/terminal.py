"""What several commands print alike on the terminal."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table


def item(mark: str, content: RenderableType, indent: int = 0) -> Table:
    """A line with a mark before it; what wraps stays behind the mark."""
    row = Table.grid(padding=(0, 1, 0, indent))
    row.add_row(mark, content)
    return row
