"""What the tests in a browser share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.served import Server
from tests.assistant.web.browser import Trouble


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("table") / "data", "--lan") as one:
        yield one


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the pictures of the steps are kept."""
    named = os.environ.get("BRETTBLICK_SCREENSHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def trouble() -> Iterator[Trouble]:
    """Nothing may go wrong in the browsers of a test."""
    one = Trouble()
    yield one
    assert one.found == []
