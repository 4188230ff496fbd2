"""The page's server as it is at the table, under load: python -m bench.table kills|soak|uploads|flood

    kills [N]            a game of the demo's photos through the API; the server is killed N times (200) at random
    soak [GAMES]         so many games (200) of 30 moves, some of them by photos: latency and memory by every 20 games
                         ("machine" is the same work each time, by this program: how busy the machine is)
    uploads [PHOTO ...]  how long it takes till a photo is answered, beside decoding and reading it in this program
    flood [SECONDS]      a thousand requests a second from another address of this machine while somebody plays

All but ``uploads`` need Linux.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.notes import move_text
from assistant.web.worker import observe_photo_file
from bench.games import words
from bench.killed import killed
from bench.served import Flood, Phone, Server, head, memory, request_id
from models.table.demo import demo_params, render_demo
from models.table.drawn_game import DrawnGame, draw_game
from models.table.scene import render
from scorer.board import Board
from scorer.tiles import GERMAN_102

MOVES = 30
EVERY = 20
"""Games by which the soak reports."""

PHOTO_GAMES, PHOTO_MOVES = 5, 4
"""Of every fifth game the first four moves are photographed."""

PHONES = 12
"""Phones of the soak, each behind an address of its own: it is about the server, not about its limits."""


# --- many games ---------------------------------------------------------------------------------------------------


class Timed:
    """A phone whose requests are timed, by what they ask; it waits as long as it is told to, outside the times."""

    def __init__(self, phone: Phone, times: Mapping[str, list[float]]) -> None:
        self.phone, self.times = phone, times
        self.waited = 0.0

    def ask(self, what: str, method: str, path: str, **data: Any) -> dict[str, Any]:
        while True:
            start = time.perf_counter()
            answer = self.phone.post(path, **data) if method == "POST" else self.phone.get(path, **data)
            taken = time.perf_counter() - start
            if answer.status_code != 429:
                break
            self.waited += int(answer.headers["retry-after"])
            time.sleep(int(answer.headers["retry-after"]))
        assert answer.status_code in (200, 201), (what, data, answer.status_code, answer.text)
        self.times[what].append(taken)
        found: dict[str, Any] = answer.json() if "json" in answer.headers["content-type"] else {}
        return found

    def act(self, game: str, version: int, action: str, **data: Any) -> int:
        """The version after an action, and the page as it is drawn anew, as every phone asks for it."""
        said = {"action": action, "version": version, "request": request_id(), **data}
        found = self.ask(action, "POST", f"/api/games/{game}/act", json=said)
        self.ask("page", "GET", f"/games/{game}/sections")
        return int(found["version"])


def play(phone: Timed, game: str, drawn: DrawnGame, photos: Mapping[int, bytes]) -> int:
    """Plays a game that was drawn: each move is typed, or proposed by its photo, and confirmed; how many photos were
    confirmed as they were proposed."""
    version = phone.act(game, 0, "clock", do="start")
    read = 0
    for number, turn in enumerate(drawn.turns):
        if turn.play is None:
            version = phone.act(game, version, "pass")
            continue
        proposed = None
        if number in photos:
            view = phone.ask("view", "GET", f"/api/games/{game}")
            data = {"events": str(view["events"]), "request": request_id()}
            found = phone.ask("photo", "POST", f"/api/games/{game}/photo", files={"photo": photos[number]}, data=data)
            phone.ask("page", "GET", f"/games/{game}/sections")
            version, proposed = found["version"], found["proposal"]
        laid = {tuple(one["square"]): one["tile"] for one in proposed["tiles"]} if proposed else {}
        if proposed and proposed["confirmable"] and laid == {(*at,): tile for at, tile in turn.play.placement.tiles}:
            read += 1
        else:
            if proposed:
                version = phone.act(game, version, "drop")
            version = phone.act(game, version, "type", move=move_text(turn.play))
        version = phone.act(game, version, "confirm")
        if turn.challenged:
            can = phone.ask("view", "GET", f"/api/games/{game}")["can"]["challenge"]
            said = {"ref": can["ref"], "challengers": [1 - turn.player], "words": can["words"][:1]}
            version = phone.act(game, version, "challenge", **said)
            for word in phone.ask("view", "GET", f"/api/games/{game}")["challenge"]["undecided"]:
                version = phone.act(game, version, "verdict", word=word, valid=False, by="Duden")
            version = phone.act(game, version, "settle-challenge")
    view = phone.ask("view", "GET", f"/api/games/{game}")
    assert view["sheet"][-1]["totals"] == [*drawn.totals], (view["sheet"][-1], drawn.totals)
    if view["can"]["stop"]:  # a clock that runs would keep the game in memory
        phone.act(game, version, "stop")
    return read


def photographed(drawn: DrawnGame, count: int) -> dict[int, bytes]:
    """Photos of the first moves on the demo's table, by the number of the turn."""
    board, photos = Board.empty(), {}
    for number, turn in enumerate(drawn.turns[:count]):
        if turn.play is None or turn.challenged:
            break
        board = board.placed(dict(turn.play.placement.tiles))
        filling = tuple("".join("?" if char.islower() else char for char in row) for row in board.rows)
        pixels = render(replace(demo_params()[number], filling=filling)).pixels
        photos[number] = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    return photos


def soak(games: int, folder: Path) -> None:
    with Server(folder / "data") as server:
        times: defaultdict[str, list[float]] = defaultdict(list)
        phones = [Timed(Phone(server.base, address=f"127.0.1.{k + 1}"), times) for k in range(PHONES)]
        kinds = ("type", "confirm", "page", "photo", "list", "machine")
        print("games  moves  " + "  ".join(f"{kind:>13}" for kind in kinds) + "  server  worker  files  database")
        print(" " * 14 + "  ".join("median    p95" for _ in kinds) + "  MB      MB      open   MB    (times: ms)")
        moves = sent = read = 0
        start = time.monotonic()
        for number in range(games):
            phone = phones[number % PHONES]
            drawn = draw_game(np.random.default_rng(800_000 + number), words(), turns=MOVES)
            photos = photographed(drawn, PHOTO_MOVES) if number % PHOTO_GAMES == 0 else {}
            game = phone.phone.new_game(lexicon="deutsch", clock_minutes=25)
            with phone.phone.stream(game) as stream:  # the other player's phone
                read += play(phone, game, drawn, photos)
                version = phone.ask("view", "GET", f"/api/games/{game}")["version"]
                assert stream.heard(version, 10) is not None
            moves, sent = moves + len(drawn.turns), sent + len(photos)
            phone.ask("list", "GET", "/", headers={"accept": "text/html"})
            times["machine"] += [_yardstick() for _ in range(5)]
            if (number + 1) % EVERY == 0 or number + 1 == games:
                _report(number + 1, moves, kinds, times, server)
                times.clear()
        took, waited = time.monotonic() - start, sum(phone.waited for phone in phones)
        print(f"{games} games, {moves} moves in {took:.0f} s, {waited:.0f} s of them waiting as told")
        print(f"{sent} photos, {read} of them confirmed as they were proposed, the other moves typed")
        log = server.log.read_text()
        assert "Traceback" not in log and "ERROR" not in log, log
        status, seconds = server.stop()
        print(f"stopped with status {status} in {seconds:.1f} s")


def _yardstick() -> float:
    """Seconds for the same work each time: how busy the machine is with other things."""
    start = time.perf_counter()
    Counter("a fixed text of letters " * 4000)
    return time.perf_counter() - start


def _report(games: int, moves: int, kinds: Sequence[str], times: Mapping[str, list[float]], server: Server) -> None:
    def both(kind: str) -> str:
        found = sorted(times.get(kind, ()))
        if not found:
            return " " * 12 + "-"
        return f"{1000 * statistics.median(found):6.1f} {1000 * found[int(0.95 * (len(found) - 1))]:6.1f}"

    worker = max((memory(pid) for pid in server.workers), default=0)
    files = len([*Path(f"/proc/{server.pid}/fd").iterdir()])
    database = sum(path.stat().st_size for path in server.folder.glob("games.sqlite3*"))
    figures = f"{memory(server.pid) / 1e6:6.0f}  {worker / 1e6:6.0f}  {files:5}  {database / 1e6:8.1f}"
    print(f"{games:5}  {moves:5}  " + "  ".join(map(both, kinds)) + f"  {figures}", flush=True)


# --- photos -------------------------------------------------------------------------------------------------------

UPLOADS = 3
"""Times that each photo is sent."""


def uploads(photos: Sequence[Path], folder: Path) -> None:
    """Each photo in a game of its own, so that all its tiles are new; without any, the demo's, in their game."""
    demo = not photos
    photos = photos or render_demo(folder / "demo")
    print(f"{'photo':32}       pixels    MB  decode    read  answer  allowed  share  (ms; the best of {UPLOADS})")
    late, shares = 0, []
    with Server(folder / "data") as server, Phone(server.base) as phone:
        game = phone.new_game(lexicon="deutsch")
        _sent(phone, game, photos[0], 0)  # the process that reads photos has started by then
        phone.done(game, "drop")
        for path in photos:
            decode, size = _decode_time(path)
            read = min(_read_time(path) for _ in range(UPLOADS))
            answers, proposal = [], None
            if not demo:
                game = phone.new_game(lexicon="deutsch")
            for _ in range(UPLOADS):
                seconds, proposal = _sent(phone, game, path, phone.view(game)["events"])
                answers.append(seconds)
                phone.done(game, "drop")
            if demo:
                _sent(phone, game, path, phone.view(game)["events"])
                _go_on(phone, game)
            allowed = 0.5 + 2 * decode
            late += min(answers) > allowed
            shares.append(min(answers) / allowed)
            what = f"{proposal['kind'] or proposal['reason']}, {len(proposal['tiles'])} tiles" if proposal else ""
            name, megabytes = "/".join(path.parts[-2:])[-32:], path.stat().st_size / 1e6
            times = "  ".join(f"{1000 * one:6.0f}" for one in (decode, read, min(answers), allowed))
            print(
                f"{name:32}  {size[0]:4} x {size[1]:4}  {megabytes:4.1f}  {times}   {shares[-1]:4.2f}  {what}",
                flush=True,
            )
    print(f"{len(photos)} photos, {late} later than 0.5 s + 2 x decoding; median share {statistics.median(shares):.2f}")


def _sent(phone: Phone, game: str, photo: Path, events: int) -> tuple[float, dict[str, Any] | None]:
    """Seconds from the first byte sent to the last one of the answer; the proposal in it."""
    data = photo.read_bytes()
    while True:
        start = time.perf_counter()
        answer = phone.photo(game, data, events)
        taken = time.perf_counter() - start
        if answer.status_code != 429:
            break
        time.sleep(int(answer.headers["retry-after"]))
    assert answer.status_code == 200, answer.text
    proposal: dict[str, Any] | None = answer.json()["proposal"]
    return taken, proposal


def _decode_time(path: Path) -> tuple[float, tuple[int, int]]:
    """Seconds of plain decoding, one thread, the best of three; width and height."""
    cv2.setNumThreads(1)
    best = float("inf")
    for _ in range(UPLOADS):
        start = time.perf_counter()
        pixels = cv2.imread(str(path))
        best = min(best, time.perf_counter() - start)
    return best, (pixels.shape[1], pixels.shape[0])


def _read_time(path: Path) -> float:
    """Seconds of finding and reading the board in this process, by the function that the server uses."""
    start = time.perf_counter()
    observe_photo_file(path, None, GERMAN_102)
    return time.perf_counter() - start


def _go_on(phone: Phone, game: str) -> None:
    """Confirms what is proposed in the demo's game, or throws the photo away."""
    proposal = phone.view(game)["proposal"]
    if proposal["question"] and proposal["question"]["code"] == "blank-letter":
        phone.done(game, "answer", squares=[[*proposal["question"]["squares"][0], "e"]])
        proposal = phone.view(game)["proposal"]
    phone.done(game, "confirm" if proposal["confirmable"] else "drop")


# --- a flood ------------------------------------------------------------------------------------------------------


def flood(seconds: float, folder: Path) -> None:
    with Server(folder / "data", "--lan") as server, Phone(server.base, address="127.0.0.8") as phone:
        game = phone.new_game()
        phone.done(game, "type", move="H4 FIRNS")
        phone.done(game, "confirm")
        with Phone(server.base, address="127.0.0.9") as other:
            own, strange = {"Cookie": f"brettblick={other.cookie}"}, {"Via": "1.1 proxy"}
        requests = [
            head("GET", f"/games/{game}/sections", server.port, own),
            head("GET", "/", server.port, {**own, "Accept": "text/html"}),
            head("GET", f"/api/games/{game}", server.port, strange),
            head("POST", f"/api/games/{game}/act", server.port, {**own, "Content-Length": "2"}) + b"{}",
            head("GET", "/join?code=AAAAAAAAAA", server.port, strange),
        ]
        before, begun = memory(server.pid), time.monotonic()
        honest: Counter[int] = Counter()
        latencies = []
        with Flood(server.port, requests, 1000) as flooded:
            while time.monotonic() < begun + seconds:
                start = time.perf_counter()
                honest[phone.act(game, "announce", ref=1, points=sum(honest.values())).status_code] += 1
                latencies.append(time.perf_counter() - start)
                time.sleep(0.2)
        after = memory(server.pid)
        rate = sum(flooded.statuses.values()) / flooded.seconds
        print(f"flood: {rate:.0f} answers a second, by status {dict(sorted(flooded.statuses.items()))}")
        median, most = 1000 * statistics.median(latencies), 1000 * max(latencies)
        print(f"the honest phone, look and change: {dict(honest)}, {median:.0f} ms (median), {most:.0f} ms (most)")
        print(f"memory of the server: {before / 1e6:.0f} MB before, {after / 1e6:.0f} MB after")
        time.sleep(1)
        start = time.perf_counter()
        assert phone.view(game)["sheet"][0]["text"] == "H4 FIRNS" and phone.done(game, "pass")
        print(f"afterwards: look and change {1000 * (time.perf_counter() - start):.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("kills", "soak", "uploads", "flood"))
    parser.add_argument("more", nargs="*")
    parser.add_argument("--seed", type=int, help="of the kills")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brettblick-") as made:
        folder = Path(made)
        match args.what:
            case "kills":
                seed = random.randrange(1 << 30) if args.seed is None else args.seed
                print(f"seed {seed}", flush=True)
                photos = render_demo(folder / "demo")
                start = time.monotonic()
                report = killed(folder / "data", photos, int(args.more[0]) if args.more else 200, seed)
                print(report.text, f"{time.monotonic() - start:.0f} s", sep="\n")
            case "soak":
                soak(int(args.more[0]) if args.more else 200, folder)
            case "uploads":
                uploads([Path(one) for one in args.more], folder)
            case "flood":
                flood(float(args.more[0]) if args.more else 10, folder)


if __name__ == "__main__":
    main()
