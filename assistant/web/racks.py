"""The tiles that somebody has left, read from a photo of the row."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistant.table.setup import Setup
from assistant.texts import Texts
from assistant.web.worker import PhotoWorker


async def rack_answer(
    worker: PhotoWorker, photo: Path, fields: Mapping[str, str], setup: Setup, texts: Texts
) -> dict[str, Any]:
    raise NotImplementedError
