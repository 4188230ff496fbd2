"""Killed at any moment, and many writers at once: nothing confirmed is lost, nothing is there twice."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sqlite3
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from assistant.store.rows import Author, Conflict, NewRow, NoSuchPhoto, StoredGame
from assistant.store.store import Store

ANNA = Author("phone-1", "Anna")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that start at once")
def test_killed_at_any_moment_it_has_all_that_it_confirmed(tmp_path: Path, store_url: str | None) -> None:
    folder, rng, confirmed = tmp_path / "data", random.Random(8), 0
    store = Store.open(folder, store_url)
    game = store.create({}, ANNA, "")
    store.close()
    for _ in range(25):
        before = confirmed
        child, told = forked(lambda tell: write_on(folder, store_url, game, tell))
        numbers = iter(told)
        try:
            confirmed = int(next(numbers))  # so that it has begun
            time.sleep(rng.uniform(0, 0.05))
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        confirmed = max([confirmed, *map(int, whole_lines(numbers))])
        assert confirmed > before
        for path in (folder / "photos").glob("??/*"):
            assert hashlib.sha256(path.read_bytes()).hexdigest() == path.name, "never half a file under its name"
        if store_url is None:
            with closing(sqlite3.connect(folder / "games.sqlite3")) as file:
                assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        store = Store.open(folder, store_url)
        found = store.load(game)
        assert found.head.version in (confirmed, confirmed + 1), "one may be written whose answer was lost"
        check(store, found)
        confirmed = write_next(store, game, confirmed)  # asked again, it is there once
        check(store, store.load(game))
        store.close()
    assert confirmed >= 50
    print(confirmed)


def write_on(folder: Path, url: str | None, game: str, tell: Callable[[str], object]) -> None:
    """What a child does till it is killed: one row after the other, each told once it is confirmed."""
    store = Store.open(folder, url)
    done = store.head(game).version
    while True:
        done = write_next(store, game, done)
        tell(f"{done}\n")


def write_next(store: Store, game: str, done: int) -> int:
    """The number of the next row, with a photo of its own, once it is confirmed."""
    photo = store.put_photo(photo_of(done + 1))
    row = NewRow("photo", {"number": done + 1}, (photo,))
    clock = {"number": done + 1}
    told = store.append(game, [row], expected=done, author=ANNA, request=f"r{done + 1}", clock=clock)
    assert told.head.version == done + 1
    return done + 1


def photo_of(number: int) -> bytes:
    return random.Random(number).randbytes(5_000 + 5_000 * (number % 40))


@cache
def digest_of(number: int) -> str:
    return hashlib.sha256(photo_of(number)).hexdigest()


def check(store: Store, game: StoredGame) -> None:
    """Each row is there once, in order, with its photo whole; and the clock is that of the last row."""
    assert [row.body["number"] for row in game.rows] == [row.number for row in game.rows]
    assert [row.number for row in game.rows] == list(range(1, game.head.version + 1))
    assert game.clock == {"number": game.head.version}
    for row in game.rows:
        assert row.photos == (digest_of(row.number),)
        assert hashlib.sha256(store.photo(row.photos[0]).read_bytes()).hexdigest() == row.photos[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that start at once")
def test_two_processes_share_a_store(tmp_path: Path, store_url: str | None) -> None:
    """They even make it at the same time; each has its rows there once, in its order."""
    folder = tmp_path / "data"

    def work(name: str) -> Callable[[Callable[[str], object]], None]:
        def write(_tell: Callable[[str], object]) -> None:
            store = Store.open(folder, store_url)
            game = store.create({}, ANNA, "the one game")
            for number in range(30):
                add_some_time(store, game, name, number)
            store.close()

        return write

    children = [forked(work(name)) for name in ("one", "two", "three")]
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child, _ in children] == [0, 0, 0]
    store = Store.open(folder, store_url)
    (head,) = store.games()
    found = [(row.body["by"], row.body["n"]) for row in store.load(head.id).rows]
    assert len(found) == 90
    for name in ("one", "two", "three"):
        assert [n for by, n in found if by == name] == list(range(30))
    store.close()


def test_of_many_at_once_one_wins(store: Store) -> None:
    game = store.create({}, ANNA, "")
    barrier = threading.Barrier(8)

    def add(by: int, number: int) -> bool:
        barrier.wait()
        try:
            told = store.append(game, [NewRow("typed", {"by": by})], expected=number, author=ANNA, request=f"{by}")
        except Conflict as refused:
            assert refused.details == {"version": number + 1}
            return False
        assert told.head.version == number + 1 and told.rows[-1].body == {"by": by}
        return True

    winners = []
    with ThreadPoolExecutor(8) as pool:
        for number in range(12):
            won = list(pool.map(add, range(8 * number, 8 * number + 8), [number] * 8))
            assert won.count(True) == 1
            winners.append(8 * number + won.index(True))
    assert [row.body["by"] for row in store.load(game).rows] == winners


def test_the_same_request_at_once_is_done_once(store: Store) -> None:
    game = store.create({}, ANNA, "")
    barrier = threading.Barrier(8)

    def add(number: int) -> StoredGame:
        barrier.wait()
        return store.append(game, [NewRow("typed", {})], expected=number, author=ANNA, request=f"r{number}")

    def make(number: int) -> str:
        barrier.wait()
        return store.create({}, ANNA, f"new {number}")

    with ThreadPoolExecutor(8) as pool:
        for number in range(6):
            assert {told.head.version for told in pool.map(add, [number] * 8)} == {number + 1}
            assert len(set(pool.map(make, [number] * 8))) == 1
    assert len(store.load(game).rows) == 6 and len(store.games()) == 7


def test_no_update_is_lost(store: Store) -> None:
    game = store.create({}, ANNA, "")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda by: [add_some_time(store, game, str(by), n) for n in range(8)], range(8)))
    rows = store.load(game).rows
    assert len(rows) == 64
    for by in range(8):
        assert [row.body["n"] for row in rows if row.body["by"] == str(by)] == list(range(8))


def add_some_time(store: Store, game: str, by: str, n: int) -> None:
    """Adds a row as a phone does: looks, writes, and looks again when another one was faster."""
    while True:
        version = store.head(game).version
        try:
            row = NewRow("typed", {"by": by, "n": n})
            store.append(game, [row], expected=version, author=ANNA, request=f"{by} {n}", clock={"by": by})
        except Conflict:
            continue
        return


def test_a_photo_is_not_deleted_under_a_row(store: Store) -> None:
    """One game that has the photo is deleted while another is about to have it."""
    with ThreadPoolExecutor(2) as pool:
        kept = 0
        for number in range(15):
            photo = store.put_photo(b"photo %d" % number)
            old, new = store.create({}, ANNA, "", [NewRow("photo", {}, (photo,))]), store.create({}, ANNA, "")
            barrier = threading.Barrier(2)

            def remove(old: str = old, barrier: threading.Barrier = barrier) -> None:
                barrier.wait()
                store.delete(old)

            deleting = pool.submit(remove)
            barrier.wait()
            try:
                store.append(new, [NewRow("photo", {}, (photo,))], expected=0, author=ANNA, request="")
            except NoSuchPhoto:
                deleting.result()
                assert store.load(new).rows == ()
            else:
                deleting.result()
                assert store.photo(photo).read_bytes() == b"photo %d" % number
                kept += 1
        assert len(store.games()) == 15 and sum(head.version for head in store.games()) == kept


def test_readers_see_whole_changes_only(store: Store) -> None:
    game = store.create({}, ANNA, "")
    done = threading.Event()

    def read() -> int:
        seen = 0
        while not done.is_set():
            found = store.load(game)
            assert len(found.rows) == found.head.version and found.head.version % 3 == 0
            assert (found.clock or {"rows": 0})["rows"] == found.head.version
            assert found.head.version >= seen
            seen = found.head.version
        return seen

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(3)]
        try:
            for number in range(0, 90, 3):
                rows = [NewRow("typed", {})] * 3
                store.append(game, rows, expected=number, author=ANNA, request="", clock={"rows": number + 3})
        finally:
            done.set()
        assert all(reader.result() <= 90 for reader in readers)


def forked(work: Callable[[Callable[[str], object]], None]) -> tuple[int, Iterator[str]]:
    """A process that does the work, and the lines that it tells."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, lines(reading)
    status = 1
    try:
        os.close(reading)
        work(lambda text: os.write(writing, text.encode()))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def lines(reading: int) -> Iterator[str]:
    with os.fdopen(reading) as file:
        yield from file


def whole_lines(told: Iterator[str]) -> list[str]:
    return [line for line in told if line.endswith("\n")]
