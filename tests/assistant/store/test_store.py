"""What the store promises of games, rows and photos, on SQLite and on PostgreSQL."""

from __future__ import annotations

import hashlib
import re
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect

from assistant.store.rows import Author, Conflict, NewRow, NoSuchGame, NoSuchPhoto, Row, StoreError
from assistant.store.schema import metadata
from assistant.store.store import Store

ANNA = Author("phone-1", "Änne „🙂“ O'Neill <b>")
BEN = Author("phone-2")
SETUP = {"players": ["Änne", "Ben"], "rules": "familie", "clock": None}


def test_a_game_is_read_as_it_was_written(store: Store, tmp_path: Path, store_url: str | None) -> None:
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    photo, other = store.put_photo(b"\xff\xd8\xff one"), store.put_photo(b"another")
    game = store.create(SETUP, ANNA, "create", [NewRow("event", {"event": {"kind": "start"}, "big": 2**53})])
    body = {"move": "H8 ÄRGER", "sum": [1, 2.5, -3, None, True], "ß": {"\u2028\0": "\ud800"}}
    told = store.append(
        game,
        [NewRow("photo", body, (photo, other, photo)), NewRow("dropped", {})],
        expected=1,
        author=BEN,
        request="q",
        clock={"left": [1500, 1499.5]},
    )
    store.close()
    again = Store.open(tmp_path / "data", store_url)
    found = again.load(game)
    assert found == told
    assert found.head.id == game and found.head.version == 3 and found.head.setup == SETUP
    assert found.clock == {"left": [1500, 1499.5]}
    first, second, third = found.rows
    assert first == Row(1, found.head.created, ANNA, "event", {"event": {"kind": "start"}, "big": 2**53})
    assert second == Row(2, found.head.changed, BEN, "photo", body, (photo, other, photo))
    assert third == Row(3, found.head.changed, BEN, "dropped", {})
    assert before <= first.at <= third.at <= datetime.now(UTC) and first.at.utcoffset() == timedelta(0)
    assert third.at.microsecond % 1000 == 0
    assert again.head(game) == found.head and again.games() == [found.head]
    again.close()


def test_ids_fit_into_an_address_and_cannot_be_guessed(store: Store) -> None:
    ids = {store.create(SETUP, ANNA, "") for _ in range(20)}
    assert len(ids) == 20
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{12}", one) for one in ids)


def test_games_come_with_the_last_change_first(store: Store) -> None:
    first, second, third = (store.create(SETUP, ANNA, "") for _ in range(3))
    store.append(first, [NewRow("typed", {})], expected=0, author=ANNA, request="")
    heads = store.games()
    assert [store.games(most) for most in (0, 1, 99)] == [[], heads[:1], heads]
    assert {head.id for head in heads} == {first, second, third}
    assert [head.changed for head in heads] == sorted((head.changed for head in heads), reverse=True)
    assert store.head(first).changed >= store.head(third).changed


def test_a_change_made_on_an_older_state_is_refused(store: Store) -> None:
    game = store.create(SETUP, ANNA, "")
    store.append(game, [NewRow("typed", {"move": "H8 ER"})], expected=0, author=ANNA, request="a")
    before = store.load(game)
    for expected in (0, 2, -1):
        with pytest.raises(Conflict) as refused:
            store.append(game, [NewRow("typed", {})], expected=expected, author=BEN, request="b", clock={"t": 1})
        assert refused.value.code == "changed-meanwhile" and refused.value.details == {"version": 1}
    assert store.load(game) == before
    told = store.append(game, [NewRow("typed", {})], expected=1, author=BEN, request="b")
    assert told.head.version == 2, "a request that was refused was not done, so it can be made again"


def test_a_request_is_done_once(store: Store) -> None:
    game, other = store.create(SETUP, ANNA, "new"), store.create(SETUP, ANNA, "new-2")
    assert store.create(SETUP, ANNA, "new") == game
    assert store.create({"players": []}, BEN, "new", [NewRow("typed", {})]) == game
    assert {head.id for head in store.games()} == {game, other}
    assert store.load(game).rows == ()

    once = store.append(game, [NewRow("typed", {"n": 1})], expected=0, author=ANNA, request="r")
    assert store.append(game, [NewRow("typed", {"n": 1})], expected=0, author=ANNA, request="r") == once
    later = store.append(game, [NewRow("typed", {"n": 2})], expected=1, author=BEN, request="s", clock={"t": 1})
    assert store.append(game, [NewRow("typed", {"n": 1})], expected=0, author=ANNA, request="r", clock={}) == later
    assert [row.body for row in later.rows] == [{"n": 1}, {"n": 2}]
    told = store.append(other, [NewRow("typed", {})], expected=0, author=ANNA, request="r")
    assert told.head.version == 1, "requests of other games are others"
    for expected in (2, 3):
        store.append(game, [NewRow("typed", {})], expected=expected, author=ANNA, request="")
    assert store.head(game).version == 4, "the empty request is none"


def test_the_clock_is_kept_without_a_new_version(store: Store) -> None:
    game = store.create(SETUP, ANNA, "")
    before = store.load(game)
    assert before.clock is None
    store.keep_clock(game, {"running": "Änne", "left": 12.25})
    assert store.load(game).clock == {"running": "Änne", "left": 12.25}
    assert store.head(game) == before.head
    told = store.append(game, [], expected=0, author=ANNA, request="pause", clock={"running": None})
    assert told.clock == {"running": None} and told.head.version == 0
    told = store.append(game, [NewRow("typed", {})], expected=0, author=ANNA, request="")
    assert told.clock == {"running": None}, "a change without a clock leaves it"


def test_what_is_not_there_is_named(store: Store) -> None:
    for what in (
        lambda: store.head("nix"),
        lambda: store.load("nix"),
        lambda: store.keep_clock("nix", {}),
        lambda: store.delete("nix"),
        lambda: store.append("nix", [], expected=0, author=ANNA, request="r"),
    ):
        with pytest.raises(NoSuchGame) as refused:
            what()
        assert refused.value.code == "no-such-game" and refused.value.details == {"game": "nix"}
    for game in ("", "a\0b", "nix" * 5000, "' OR 1=1 --", "\N{RIGHT-TO-LEFT OVERRIDE}"):
        with pytest.raises(NoSuchGame):
            store.load(game)
    for digest in ("", "ab" * 32, "AB" * 32, "../../etc/passwd", "0" * 63 + "/", "0" * 64 + "\n", "０" * 64, "new"):
        with pytest.raises(NoSuchPhoto) as missing:
            store.photo(digest)
        assert missing.value.code == "no-such-photo"


def test_a_photo_is_kept_once_and_whole(store: Store, tmp_path: Path) -> None:
    data = bytes(range(256)) * 100
    digest = store.put_photo(data)
    assert digest == hashlib.sha256(data).hexdigest()
    assert store.photo(digest) == tmp_path / "data" / "photos" / digest[:2] / digest
    inode = store.photo(digest).stat().st_ino
    assert store.put_photo(data) == digest
    assert store.photo(digest).stat().st_ino == inode and store.photo(digest).read_bytes() == data
    store.photo(digest).write_bytes(b"half")
    store.put_photo(data)
    assert store.photo(digest).read_bytes() == data, "a damaged file is written anew"
    assert files(tmp_path / "data" / "photos") == [store.photo(digest)]
    for bad in (b"", bytes(64_000_001)):
        with pytest.raises(StoreError) as refused:
            store.put_photo(bad)
        assert refused.value.code == "photo-not-keepable"


def test_a_row_about_a_photo_that_is_not_there_is_refused(store: Store) -> None:
    there, missing = store.put_photo(b"there"), hashlib.sha256(b"missing").hexdigest()
    game = store.create(SETUP, ANNA, "")
    rows = [NewRow("photo", {}, (there,)), NewRow("photo", {}, (there, missing))]
    with pytest.raises(NoSuchPhoto):
        store.append(game, rows, expected=0, author=ANNA, request="r", clock={"t": 1})
    with pytest.raises(NoSuchPhoto):
        store.create(SETUP, ANNA, "c", rows)
    with pytest.raises(NoSuchPhoto):
        store.append(game, [NewRow("photo", {}, ("../../../games.sqlite3",))], expected=0, author=ANNA, request="r")
    assert store.load(game).rows == () and store.load(game).clock is None and len(store.games()) == 1
    store.put_photo(b"missing")
    assert store.append(game, rows, expected=0, author=ANNA, request="r").rows[1].photos == (there, missing)


@pytest.mark.parametrize(
    ("kind", "body", "who", "request_id"),
    [
        ("typed", {"x": float("nan")}, "", ""),
        ("typed", {"x": [2**53 + 1]}, "", ""),
        ("typed", {"x": "y" * 1_000_001}, "", ""),
        ("", {}, "", ""),
        ("k" * 201, {}, "", ""),
        ("typed", {}, "w" * 201, ""),
        ("typed", {}, "nul\0", ""),
        ("typed", {}, "half a character \ud83d", ""),
        ("typed", {}, "", "r" * 201),
    ],
)
def test_what_could_not_be_read_again_is_refused(
    store: Store, kind: str, body: dict[str, object], who: str, request_id: str
) -> None:
    game = store.create(SETUP, ANNA, "")
    row, author = NewRow(kind, body), Author("phone", who)
    with pytest.raises(StoreError) as refused:
        store.append(game, [NewRow("typed", {}), row], expected=0, author=author, request=request_id)
    assert refused.value.code == "not-keepable"
    with pytest.raises(StoreError):
        store.create(SETUP, author, request_id, [row])
    assert store.load(game).rows == () and len(store.games()) == 1


def test_a_deleted_game_takes_its_photos_along(store: Store, tmp_path: Path) -> None:
    own, both = store.put_photo(b"own"), store.put_photo(b"both")
    game = store.create(SETUP, ANNA, "first", [NewRow("photo", {}, (own, both)), NewRow("photo", {}, (own,))])
    other = store.create(SETUP, ANNA, "second", [NewRow("photo", {}, (both,))])
    store.append(game, [NewRow("typed", {})], expected=2, author=ANNA, request="r", clock={"t": 1})
    kept = store.load(other)
    store.delete(game)
    assert [head.id for head in store.games()] == [other] and store.load(other) == kept
    assert files(tmp_path / "data" / "photos") == [store.photo(both)]
    with pytest.raises(NoSuchPhoto):
        store.photo(own)
    again = store.create(SETUP, ANNA, "first")
    assert again != game and store.load(again).rows == ()
    store.delete(other)
    assert files(tmp_path / "data" / "photos") == []


def test_photos_are_deleted_later_when_a_crash_came_in_between(
    store: Store, tmp_path: Path, store_url: str | None
) -> None:
    gone, kept = store.put_photo(b"gone"), store.put_photo(b"kept")
    game = store.create(SETUP, ANNA, "", [NewRow("photo", {}, (gone, kept))])
    folder = store.photo(gone).parent
    folder.rename(tmp_path / "aside")
    folder.write_text("where the folder was: its files cannot be deleted")
    with pytest.raises(StoreError):
        store.delete(game)
    assert store.games() == [], "the game is gone all the same"
    folder.unlink()
    (tmp_path / "aside").rename(folder)
    assert store.photo(gone).read_bytes() == b"gone"
    other = store.create(SETUP, ANNA, "", [NewRow("photo", {}, (kept,))])
    store.close()
    again = Store.open(tmp_path / "data", store_url)
    assert files(tmp_path / "data" / "photos") == [again.photo(kept)]
    assert again.load(other).rows[0].photos == (kept,)
    again.close()


def test_the_tables_are_those_that_the_code_knows(store: Store, tmp_path: Path, store_url: str | None) -> None:
    engine = create_engine(store_url or f"sqlite:///{tmp_path / 'data' / 'games.sqlite3'}")
    found = inspect(engine)
    assert set(found.get_table_names()) == set(metadata.tables)
    for name, table in metadata.tables.items():
        columns = {column["name"]: column["nullable"] for column in found.get_columns(name)}
        assert columns == {column.name: column.nullable for column in table.columns}, name
        keys = found.get_pk_constraint(name)["constrained_columns"]
        assert keys == [column.name for column in table.primary_key], name
        links = {(tuple(key["constrained_columns"]), key["referred_table"]) for key in found.get_foreign_keys(name)}
        assert links == {(tuple(key.column_keys), key.referred_table.name) for key in table.foreign_key_constraints}
        assert {index["name"] for index in found.get_indexes(name) if not index["unique"]} == {
            index.name for index in table.indexes
        }
    engine.dispose()


def test_the_folder_is_for_this_user_only(tmp_path: Path) -> None:
    Store.open(tmp_path / "a" / "b").close()
    for folder in (tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "photos"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_sqlite_keeps_what_it_confirmed_through_a_power_cut(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    with store._reading() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    store.close()
    assert files(tmp_path) == [tmp_path / "games.sqlite3"], "closed, it is a single file that can be copied"


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
