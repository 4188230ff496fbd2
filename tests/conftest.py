"""Shared fixtures: readings made from a board, and the folder of real photos and games where it exists."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.table.fonts import FAMILIES_VARIABLE
from vision.reading import BoardReading

os.environ.setdefault(FAMILIES_VARIABLE, "Lato,Open Sans")
"""Rendered tables look the same on every machine: with the two families that the set-up installs, whatever else is
there. What is asserted of a picture must not depend on the typefaces of a machine."""

for _name in ("BRETTBLICK_LANG", "PYTHONIOENCODING", "COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
    os.environ.pop(_name, None)  # what people read is German and for no terminal, whoever runs the tests
for _name in ("http_proxy", "https_proxy", "all_proxy"):
    for _written in (_name, _name.upper()):
        os.environ.pop(_written, None)  # nobody stands between a test and its server

ROOT = Path(__file__).resolve().parent.parent
CLASSES = (".", "?", "*", *"AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ")

MakeReading = Callable[..., BoardReading]


@pytest.fixture(scope="session", autouse=True)
def nobodys_lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whoever runs the tests may keep word lists; they are not there (Linux), and stay as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("home") / "data"))
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real photos and games beside the repository; they are not ours to ship."""
    folder = ROOT.parent / "shared"
    if not (folder / "photos").is_dir():
        pytest.skip("the folder of real photos and games is not here: ../shared")
    return folder


@pytest.fixture(scope="session")
def make_reading() -> MakeReading:
    """(rows, {(row, col): {char: probability}}) -> a reading that is sure of the rows but for the given squares."""

    def make(rows: Sequence[str], unsure: Mapping[tuple[int, int], Mapping[str, float]] | None = None) -> BoardReading:
        probs = np.full((15, 15, len(CLASSES)), 1e-6)
        for r, row in enumerate(rows):
            for c, char in enumerate(row):
                given = (unsure or {}).get((r, c), {"?" if char.islower() else char: 1.0})
                for letter, probability in given.items():
                    probs[r, c, CLASSES.index(letter)] += probability
        probs /= probs.sum(axis=-1, keepdims=True)
        return BoardReading(np.log(probs).astype(np.float32), CLASSES, doubt_below=0.9)

    return make


@pytest.fixture(scope="session")
def demo_photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The twelve photos of the demo game, rendered once; truth.json lies beside them."""
    from models.table.demo import render_demo

    return render_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session")
def demo_truth(demo_photos: list[Path]) -> list[dict[str, Any]]:
    """What each demo photo shows: kind, tiles, corners_px, board."""
    return json.loads((demo_photos[0].parent / "truth.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The address of a PostgreSQL server on which the tests may make databases: the one that
    BRETTBLICK_TEST_POSTGRESQL names, else one of their own that is thrown away, reached by a socket only."""
    if given := os.environ.get("BRETTBLICK_TEST_POSTGRESQL"):
        yield given
        return
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'brettblick[postgresql]'")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    initdb = debian[-1] if debian else Path(shutil.which("initdb") or "")
    if not initdb.is_file():
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    as_postgres: dict[str, Any] = {}
    folder = Path(tempfile.mkdtemp(prefix="brettblick-"))  # short: the name of a socket has at most 107 bytes
    if os.geteuid() == 0:  # whom PostgreSQL refuses
        as_postgres = {"user": "postgres", "group": "postgres", "extra_groups": []}
        shutil.chown(folder, "postgres")

    def run(program: str, *words: str) -> None:
        done = subprocess.run(
            [str(initdb.resolve().with_name(program)), "-D", str(folder / "data"), *words],
            **as_postgres,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    try:
        run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync")
        options = f"-k {folder} -c listen_addresses= -c fsync=off -c shared_buffers=16MB"
        run("pg_ctl", "start", "-w", "-l", str(folder / "log"), "-o", options)
        try:
            yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
        finally:
            run("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgresql_url(postgresql_server: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database, for `assistant.store.store.Store.open`; skips where none can be."""
    from sqlalchemy import create_engine, make_url

    name = f"brettblick_test_{secrets.token_hex(4)}"
    server = create_engine(postgresql_server, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    yield make_url(postgresql_server).set(database=name).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    server.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> str | None:
    """The address of an empty store's database, once for each kind: None for SQLite, a file in the store's folder."""
    return None if request.param == "sqlite" else request.getfixturevalue("postgresql_url")
