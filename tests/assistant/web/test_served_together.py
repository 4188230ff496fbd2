"""Several phones at once on the running server, and two servers on one folder: one wins, the others are told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench.served import Phone, Server, request_id
from tests.assistant.web.demo_game import confirmed

Ask = Callable[[], httpx.Response]


@dataclass(frozen=True)
class Served:
    """One server or two on one folder, and a phone at each place of the table."""

    servers: Sequence[Server]
    phones: Sequence[Phone]

    @property
    def folder(self) -> Path:
        return self.servers[0].folder


def served(folder: Path, servers: int, phones: int, *words: str) -> Iterator[Served]:
    running = [Server(folder, *words) for _ in range(servers)]
    try:
        for server in running:
            server.start()
        joined = [Phone(running[k % servers].base, who=f"phone {k}") for k in range(phones)]
        yield Served(running, joined)
        for phone in joined:
            phone.http.close()
    finally:
        for server in running:
            server.__exit__()
    for server in running:
        assert "Traceback" not in server.log.read_text()


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Served]:
    """One for each test: phones that write as fast as they can use up what a server allows, on a fast machine."""
    yield from served(tmp_path / "data", 1, 4)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Served]:
    yield from served(tmp_path / "data", 2, 4)


@pytest.fixture
def two_on_postgresql(tmp_path: Path, postgresql_url: str) -> Iterator[Served]:
    yield from served(tmp_path / "data", 2, 4, "--database", postgresql_url)


def at_once(*asks: Ask) -> list[tuple[httpx.Response, float]]:
    """The answers, and when they came."""
    barrier = threading.Barrier(len(asks))

    def ask(one: Ask) -> tuple[httpx.Response, float]:
        barrier.wait()
        return one(), time.monotonic()

    with ThreadPoolExecutor(len(asks)) as pool:
        return list(pool.map(ask, asks))


def one_wins(answers: Sequence[tuple[httpx.Response, float]]) -> int:
    """Which of them; the others are told that the game has changed."""
    statuses = [answer.status_code for answer, _ in answers]
    assert sorted(statuses) == [200] + [409] * (len(answers) - 1), [answer.text for answer, _ in answers]
    for answer, _ in answers:
        if answer.status_code == 409:
            assert answer.json()["error"] == "changed-meanwhile"
            assert answer.json()["message"].startswith("Inzwischen hat ein anderes Telefon etwas geändert.")
    return statuses.index(200)


def placed(phone: Phone) -> str:
    """A game in which one move is confirmed."""
    game = phone.new_game()
    phone.done(game, "type", move="H4 FIRNS")
    phone.done(game, "confirm")
    return game


def lines(phone: Phone, game: str) -> list[tuple[str, Any]]:
    return [(line["text"], line["points"]) for line in phone.view(game)["sheet"]]


@pytest.mark.parametrize("where", ["one", "two"])
def test_one_wins_and_all_hear_of_it(where: str, request: pytest.FixtureRequest) -> None:
    """Confirm, pass, correct, undo and redo on the same version, in every mixture. Phones at the same server hear of it
    within a second; another server looks every second."""
    there: Served = request.getfixturevalue(where)
    first, second = there.phones[:2]
    same = len(there.servers) == 1
    game = placed(first)
    first_line = ("H4 FIRNS", 24)
    assert lines(first, game) == [first_line]

    def race(*asked: tuple[str, dict[str, Any]]) -> str:
        """The name of the action that won; everybody sees the same after it."""
        before = first.view(game)
        version = before["version"]
        with first.stream(game) as one, second.stream(game) as other:
            phones = [first, second]
            asks = [partial(phones[k % 2].act, game, name, version, **data) for k, (name, data) in enumerate(asked)]
            answers = at_once(*asks)
            won = one_wins(answers)
            answer, at = answers[won]
            assert answer.json()["version"] == version + 1
            for k, stream in enumerate((one, other)):
                told = stream.heard(version + 1, 5)
                assert told is not None and told - at <= (1 if same or k == won % 2 else 3)
        views = [phone.view(game) for phone in (first, second)]
        assert views[0]["version"] == views[1]["version"] == version + 1
        assert views[0]["sheet"] == views[1]["sheet"]
        return asked[won][0]

    assert race(("pass", {}), ("pass", {})) == "pass"
    assert lines(first, game) == [first_line, ("Ben passt: 0 Punkte.", None)]
    won = race(("undo", {}), ("correct", {"ref": 1, "move": "H5 FIRN"}))
    expected = [first_line] if won == "undo" else [("H5 FIRN", 14), ("Ben passt: 0 Punkte.", None)]
    assert lines(first, game) == expected
    while same and lines(first, game):
        race(("undo", {}), ("undo", {}))
    while first.view(game)["can"]["redo"]:
        race(("redo", {}), ("redo", {}), ("redo", {}))
    passed = [first_line, ("Ben passt: 0 Punkte.", None)]
    assert lines(first, game) == (passed if won == "undo" else expected)
    first.done(game, "type", move="8H SINN" if won == "undo" else "8H NEST")
    assert race(("confirm", {}), ("confirm", {})) == "confirm"
    assert len(lines(second, game)) == 3
    first.done(game, "type", move="10H TAG")
    won = race(("drop", {}), ("pass", {}))
    assert len(lines(second, game)) == 3 + (won == "pass")


@pytest.mark.parametrize("where", ["one", "two"])
def test_the_same_request_twice_at_once_is_done_once(where: str, request: pytest.FixtureRequest) -> None:
    there: Served = request.getfixturevalue(where)
    first, second = there.phones[:2]
    for _ in range(4):
        again = request_id()
        data = {"request": again, "players": ["Anna", "Ben"]}
        made = at_once(*[partial(phone.post, "/api/games", json=data) for phone in (first, second)] * 2)
        (game,) = {answer.json()["id"] for answer, _ in made}
        again = request_id()
        answers = at_once(*[partial(phone.act, game, "pass", 0, again) for phone in (first, second)] * 2)
        assert [(answer.status_code, answer.json()) for answer, _ in answers] == [(200, {"version": 1})] * 4
        assert lines(first, game) == lines(second, game) == [("Anna passt: 0 Punkte.", None)]


@pytest.mark.parametrize("where", ["one", "two", "two_on_postgresql"])
def test_no_update_is_lost(where: str, request: pytest.FixtureRequest) -> None:
    """Four phones write as fast as they can, each looking again when another was faster: all of it is there once."""
    there: Served = request.getfixturevalue(where)
    game = placed(there.phones[0])
    events = there.phones[0].view(game)["events"]

    def write(number: int) -> int:
        phone, refused = there.phones[number], 0
        for k in range(8):
            while (answer := phone.act(game, "announce", ref=1, points=100 * number + k)).status_code != 200:
                assert answer.status_code == 409, answer.text
                refused += 1
        return refused

    with ThreadPoolExecutor(4) as pool:
        refused = sum(pool.map(write, range(4)))
    assert refused > 0, "they were not at once"
    assert [phone.view(game)["events"] for phone in there.phones] == [events + 32] * 4
    kept = json.loads(there.phones[0].get(f"/games/{game}/export.json").content)
    said = [event["event"]["announced"] for event in kept["events"][-32:]]
    assert sorted(said) == sorted(100 * number + k for number in range(4) for k in range(8))
    for number in range(4):
        assert [points for points in said if points // 100 == number] == [100 * number + k for k in range(8)]


def test_two_photos_at_once_and_a_photo_of_what_is_past(one: Served, demo_photos: list[Path]) -> None:
    """Two phones photograph the same turn: both count for it. One who has not seen the last move is told."""
    first, second = one.phones[:2]
    game = first.new_game()
    photos = [demo_photos[1].read_bytes(), demo_photos[1].read_bytes() + b"\0"]  # not the same file
    answers = at_once(partial(first.photo, game, photos[0], 0), partial(second.photo, game, photos[1], 0))
    assert [answer.status_code for answer, _ in answers] == [200, 200]
    proposal = first.view(game)["proposal"]
    assert proposal["photos"] == 2 and proposal["title"].endswith("H6 HÜTTE") and proposal["confirmable"]
    version = first.view(game)["version"]
    one_wins(at_once(*[partial(phone.act, game, "confirm", version) for phone in (first, second)]))
    late = second.photo(game, photos[0], 0)
    assert late.status_code == 409 and late.json()["error"] == "changed-meanwhile"
    assert lines(first, game) == [("H6 HÜTTE", 22)] and first.view(game)["proposal"] is None
    assert confirmed(second, game, demo_photos[2]) == version + 3


def test_both_press_the_clock(one: Served) -> None:
    """For the same player, at the same moment: it is pressed once. A repeated request is done once, too."""
    first, second = one.phones[:2]
    game = first.new_game(clock_minutes=25)
    first.done(game, "clock", do="start")
    for number in range(6):
        running = first.view(game)["clock"]["running"]
        asks = [partial(phone.act, game, "clock", 0, do="press", player=running) for phone in (first, second)]
        assert [answer.status_code for answer, _ in at_once(*asks)] == [200, 200]
        assert first.view(game)["clock"]["running"] == 1 - running
        again = request_id()
        for phone in (first, second, first):
            answer = phone.act(game, "clock", 0, again, do="add", player=0, seconds=60)
            assert answer.status_code == 200
        left = second.view(game)["players"][0]["clock"]["remaining_ms"]
        assert 24 * 60_000 < left - 60_000 * (number + 1) <= 25 * 60_000
