"""When disk or database fail: a clear message, nothing lost, and on it goes once there is room again."""

from __future__ import annotations

import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, event, make_url, text

from assistant.store.migrations import MIGRATIONS, migrate
from assistant.store.rows import Author, NewRow, StoreError
from assistant.store.store import Store
from assistant.texts import LANGUAGES, Texts

ROOT = Path(__file__).resolve().parents[3]
ANNA = Author("phone-1", "Anna")
NOBODY = 65534


def fails(code: str, what: Callable[[], object]) -> None:
    """It raises a StoreError of this code, which is said in both languages."""
    with pytest.raises(StoreError) as failed:
        what()
    assert failed.value.code == code, failed.value
    german, english = (Texts(language).error(failed.value) for language in ("de", "en"))
    assert german != english and german[-1] in '.:)"' and "{" not in german + english


def add(store: Store, game: str, size: int = 10) -> None:
    done = store.head(game).version
    row = NewRow("typed", {"n": done + 1, "fill": "x" * size})
    store.append(game, [row], expected=done, author=ANNA, request=f"r{done + 1}")


def numbers(store: Store, game: str) -> list[int]:
    return [row.body["n"] for row in store.load(game).rows]


FULL_DISK = """
    import sys
    from pathlib import Path
    from assistant.store.rows import Author, NewRow, StoreError
    from assistant.store.store import Store

    disk, anna, done = Path(sys.argv[1]), Author("phone-1"), 0

    def add():
        global done
        row = NewRow("photo", {"n": done + 1, "fill": "x" * 3000}, (photo,))
        store.append(game, [row], expected=done, author=anna, request=f"r{done + 1}", clock={"n": done + 1})
        done += 1

    def add_till_full():
        try:
            while True:
                add()
        except StoreError as error:
            assert error.code == "store-full", error

    def fill():
        with (disk / "filler").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(512))
            except OSError:
                pass

    def whole():
        found = store.load(game)
        assert [row.body["n"] for row in found.rows] == list(range(1, done + 1)), (len(found.rows), done)
        assert done == 0 or found.clock == {"n": done}
        assert store.photo(photo).read_bytes() == bytes(5000)
        assert sorted(path.name for path in (disk / "data" / "photos").glob("*/*")) == [photo]
        return True

    store = Store.open(disk / "data")
    photo, game = store.put_photo(bytes(5000)), store.create({}, anna, "")
    for _ in range(3):
        add()
        fill()
        add_till_full()
        assert whole()
        try:
            store.put_photo(bytes(400_000))
            raise AssertionError("there is no room")
        except StoreError as error:
            assert error.code == "store-full", error
        assert whole()
        (disk / "filler").unlink()
        store.close()
        store = Store.open(disk / "data")
        add()
        assert whole()
    add_till_full()
    assert done > 20 and whole()
    store.close()
    print("ok", done)
"""


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    """On a disk in memory of 1 MB, which this system may or may not let us have."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=1m none {disk}"
    apart = ["unshare", "-rm", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*apart, mount], capture_output=True).returncode:
        pytest.skip("no disk in memory can be had here")
    script = tmp_path / "full.py"
    script.write_text(textwrap.dedent(FULL_DISK), encoding="utf-8")
    command = f"{mount} && exec {sys.executable} {script} {disk}"
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*apart, command], cwd=ROOT, capture_output=True, text=True, env=own)
    assert done.returncode == 0 and done.stdout.startswith("ok"), done.stderr


def test_a_database_that_may_not_grow(tmp_path: Path) -> None:
    """SQLite's own answer to a full disk, by its limit of pages."""
    store = Store.open(tmp_path)
    game, limit = store.create({}, ANNA, ""), [60]

    @event.listens_for(store._engine, "begin")
    def _limit(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {limit[0]}")

    with pytest.raises(StoreError) as full:
        for _ in range(200):
            add(store, game, 2000)
    assert full.value.code == "store-full"
    done = numbers(store, game)
    assert len(done) > 10 and done == list(range(1, len(done) + 1))
    fails("store-full", lambda: store.create({"x": "y" * 500_000}, ANNA, ""))
    assert len(store.games()) == 1 and numbers(store, game) == done
    limit[0] = 1000
    add(store, game, 2000)
    assert numbers(store, game) == [*done, len(done) + 1]
    store.close()


@contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """No file can grow beyond so many bytes (Python ignores the signal that would end the process)."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_no_room_for_a_photo(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    photo = store.put_photo(b"small")
    with files_at_most(10_000):
        fails("store-full", lambda: store.put_photo(bytes(50_000)))
        assert store.put_photo(b"small") == photo and store.photo(photo).read_bytes() == b"small"
        other = store.put_photo(b"also small")
    assert {path.name for path in (tmp_path / "photos").glob("*/*")} == {photo, other}
    assert store.photo(store.put_photo(bytes(50_000))).read_bytes() == bytes(50_000)
    store.close()


def test_the_disk_refuses_to_write_the_database(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    game = store.create({}, ANNA, "")
    for _ in range(10):
        add(store, game)
    with files_at_most((tmp_path / "games.sqlite3-wal").stat().st_size):
        fails("store-failed", lambda: add(store, game, 100_000))
        fails("store-failed", lambda: store.delete(game))
        assert numbers(store, game) == list(range(1, 11))
    add(store, game, 100_000)
    assert numbers(store, game) == list(range(1, 12))
    store.close()


@pytest.fixture
def ordinary_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder of an ordinary user, as whom the test runs: root may write everywhere."""
    # what lies where an ordinary user may not read it, if Python is root's own, is imported before
    store = Store.open(tmp_path / "before")
    add(store, store.create({}, ANNA, ""))
    assert Texts("de").has("error.store-read-only")
    store.close()
    folder = Path(tempfile.mkdtemp(prefix="brettblick-"))
    root = os.geteuid() == 0
    if root:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        shutil.rmtree(folder, ignore_errors=True)


def test_a_folder_that_may_only_be_read(ordinary_folder: Path) -> None:
    ordinary_folder.chmod(0o500)
    fails("store-read-only", lambda: Store.open(ordinary_folder / "data"))
    ordinary_folder.chmod(0o700)
    folder = ordinary_folder / "data"
    store = Store.open(folder)
    photo, game = store.put_photo(b"photo"), store.create({}, ANNA, "")
    add(store, game)
    store.close()
    for part in (folder, folder / "photos" / "new"):
        part.chmod(0o500)
        fails("store-read-only", lambda: Store.open(folder))
        part.chmod(0o700)
    (folder / "games.sqlite3").chmod(0o400)
    fails("store-read-only", lambda: Store.open(folder))
    (folder / "games.sqlite3").chmod(0o600)

    store = Store.open(folder)
    (folder / "photos" / "new").chmod(0o500)
    fails("store-read-only", lambda: store.put_photo(b"another"))
    assert store.photo(photo).read_bytes() == b"photo" and numbers(store, game) == [1]
    (folder / "photos" / "new").chmod(0o700)
    store.put_photo(b"another")
    add(store, game)
    assert numbers(store, game) == [1, 2]
    store.close()


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    fails("store-failed", lambda: Store.open(tmp_path / "file"))
    fails("store-failed", lambda: Store.open(tmp_path / "file" / "data"))
    (tmp_path / "data" / "games.sqlite3").mkdir(parents=True)
    fails("store-read-only", lambda: Store.open(tmp_path / "data"))


def test_a_damaged_file_is_told_and_left_alone(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    game = store.create({}, ANNA, "")
    for _ in range(40):
        add(store, game, 2000)
    store.close()
    file = tmp_path / "games.sqlite3"
    good = file.read_bytes()
    middle = len(good) // 2
    for bad in (b"not a database" * 1000, good[:middle], good[:middle] + bytes(5000) + good[middle + 5000 :]):
        file.write_bytes(bad)
        fails("store-damaged", lambda: Store.open(tmp_path))
        assert file.read_bytes()[100:] == bad[100:], "what is left of it is not touched"
    file.write_bytes(good)
    store = Store.open(tmp_path)
    assert numbers(store, game) == list(range(1, 41))
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE game_rows SET body = '{' WHERE number = 2",
        "UPDATE game_rows SET body = '[]' WHERE number = 2",
        "UPDATE game_rows SET at = 'yesterday' WHERE number = 2",
        "DELETE FROM game_rows WHERE number = 2",
        "DELETE FROM game_rows WHERE number = 3",
        "UPDATE games SET version = 4",
        "UPDATE games SET clock = 'x'",
        "UPDATE games SET setup = 'x'",
    ],
)
def test_rows_that_cannot_be_are_told(damage: str, store: Store) -> None:
    game = store.create({}, ANNA, "")
    for _ in range(3):
        add(store, game)
    with store._writing() as connection:
        connection.execute(text(damage))
    fails("store-damaged", lambda: store.load(game))


def test_an_older_layout_is_brought_up_to_date(store: Store, tmp_path: Path, store_url: str | None) -> None:
    """With a second step of the tests' own, till there is a real one: games stay, and it is all or nothing."""
    game = store.create({"players": ["A", "B"]}, ANNA, "")
    add(store, game)
    before = store.load(game)
    store.close()
    engine = create_engine(store_url or f"sqlite:///{tmp_path / 'data' / 'games.sqlite3'}")

    def title(connection: Connection) -> None:
        connection.execute(text("ALTER TABLE games ADD COLUMN title TEXT NOT NULL DEFAULT ''"))
        connection.execute(text("UPDATE games SET title = 'old ' || setup"))

    def broken(connection: Connection) -> None:
        connection.execute(text("DELETE FROM games"))
        connection.execute(text("DELETE FROM no_such_table"))

    if store_url is None:  # the driver's own transactions leave out changes of tables
        event.listen(engine, "connect", lambda raw, _: setattr(raw, "isolation_level", None))
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    with pytest.raises(Exception, match="no_such_table"), engine.begin() as connection:
        migrate(connection, [*MIGRATIONS, title, broken])
    store = Store.open(tmp_path / "data", store_url)
    assert store.load(game) == before, "what was begun is undone"
    store.close()
    for _ in range(2):  # the second time there is nothing to do
        with engine.begin() as connection:
            migrate(connection, [*MIGRATIONS, title])
            assert connection.execute(text("SELECT version FROM brettblick_schema")).scalars().all() == [2]
            assert connection.execute(text("SELECT title FROM games")).scalars().all() == ['old {"players":["A","B"]}']
    fails("store-newer", lambda: Store.open(tmp_path / "data", store_url))
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM game_rows")).scalar() == 1
    engine.dispose()


def test_another_program_holds_the_file(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    game = store.create({}, ANNA, "")
    event.listen(store._engine, "begin", lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout = 50"))
    with closing(sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)) as other:
        with store._reading():  # the patience of this connection is short from now on
            pass
        other.execute("BEGIN IMMEDIATE")
        fails("store-busy", lambda: add(store, game))
        assert numbers(store, game) == [], "readers do not wait"
        other.execute("ROLLBACK")
    add(store, game)
    assert numbers(store, game) == [1]
    store.close()


def test_a_server_that_is_gone(postgresql_url: str, postgresql_server: str, tmp_path: Path) -> None:
    store = Store.open(tmp_path, postgresql_url)
    game = store.create({}, ANNA, "")
    add(store, game)
    name = make_url(postgresql_url).database
    server = create_engine(postgresql_server, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        end = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
        assert connection.execute(end, {"name": name}).all()
        add(store, game)  # connects again by itself
        connection.execute(text(f"ALTER DATABASE {name} CONNECTION LIMIT 0"))
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        connection.execute(end, {"name": name})
        for _ in range(2):
            fails("store-unreachable", lambda: add(store, game))
            fails("store-unreachable", lambda: store.games())
        connection.execute(text(f"ALTER DATABASE {name} CONNECTION LIMIT -1 ALLOW_CONNECTIONS true"))
        add(store, game)
        assert numbers(store, game) == [1, 2, 3]
        connection.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
        connection.execute(end, {"name": name})
        fails("store-read-only", lambda: add(store, game))
        assert numbers(store, game) == [1, 2, 3]
    server.dispose()
    store.close()


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("postgresql+psycopg://anna:secret@/games?host={tmp}", "store-unreachable"),
        ("postgresql+psycopg://anna:secret@localhost:1/games", "store-unreachable"),
        ("mysql://anna:secret@localhost/games", "store-bad-url"),
        ("postgresql+pg8000://anna:secret@localhost/games", "store-no-driver"),
        ("postgresql+nix://anna:secret@localhost/games", "store-bad-url"),
        ("sqlite://", "store-bad-url"),
        ("sqlite:///:memory:", "store-bad-url"),
        ("anna:secret", "store-bad-url"),
        ("postgresql://anna:secret@localhost:port/games", "store-bad-url"),
    ],
)
def test_an_address_without_a_database(url: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as failed:
        Store.open(tmp_path, url.format(tmp=tmp_path))
    assert failed.value.code == code, failed.value
    for language in LANGUAGES:
        assert "secret" not in Texts(language).error(failed.value) + failed.value.message


def test_sqlite_may_lie_elsewhere(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'other # ?.db'}"
    for _ in range(2):
        store = Store.open(tmp_path / "data", url)
        game = store.create({}, ANNA, "once")
        store.close()
    assert len(game) == 12 and not (tmp_path / "data" / "games.sqlite3").exists()


def test_every_code_of_the_store_has_a_text() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "assistant" / "store").glob("*.py"))
    found = re.findall(r'code(?: = |=)"([a-z-]+)"|"(store-[a-z-]+)"', source)
    codes = {code for pair in found for code in pair if code}
    assert len(codes) >= 15 and {"store-full", "bad-archive", "changed-meanwhile", "no-such-photo"} <= codes
    assert [code for code in sorted(codes) if not Texts().has(f"error.{code}")] == []
