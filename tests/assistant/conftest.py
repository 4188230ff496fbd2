"""Tables for the tests of the session and of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.assistant.table.tables import Players
from vision.reading import BoardReading


@pytest.fixture
def sit_down(tmp_path: Path, make_reading: Callable[..., BoardReading]) -> Iterator[Callable[..., Players]]:
    """Players at a new table; further arguments as of `Players`."""
    there: list[Players] = []

    def sit(**about: Any) -> Players:
        there.append(Players(tmp_path / f"table{len(there)}", make_reading, **about))
        return there[-1]

    yield sit
    for players in there:
        players.store.close()


@pytest.fixture
def players(sit_down: Callable[..., Players]) -> Players:
    """Anna and Ben, tournament rules."""
    return sit_down()
