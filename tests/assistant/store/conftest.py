"""A store in a folder of its own, on each kind of database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.store.store import Store


@pytest.fixture
def store(tmp_path: Path, store_url: str | None) -> Iterator[Store]:
    """An empty store in the folder ``tmp_path / "data"``."""
    store = Store.open(tmp_path / "data", store_url)
    yield store
    store.close()
