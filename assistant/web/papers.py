"""What is printed, shared or taken along: the score sheet, the evidence of a move, the files of other programs."""

from __future__ import annotations

from starlette.routing import Route


def routes() -> list[Route]:
    return []
