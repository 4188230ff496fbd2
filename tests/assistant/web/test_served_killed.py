"""The running server is killed at random moments of a game: see ``bench.killed``, which looks at everything after each
kill and at the score sheet in the end."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from bench.killed import killed

KILLS = 5


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the server's processes as Linux shows them")
def test_killed_at_any_moment_it_has_all_that_it_confirmed(tmp_path: Path, demo_photos: list[Path]) -> None:
    """``python -m bench.table kills`` does it more often."""
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    report = killed(tmp_path / "data", demo_photos, KILLS, seed)
    print(report.text)
    assert sum(report.kills.values()) == KILLS and report.games >= 1
