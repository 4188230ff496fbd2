"""Films of whole games as the hands-free camera reads them: python -m bench.films FILM.mp4 ... [--jobs 2] [--list]

FILM: what `python -m models.table film --whole` has rendered; its truth lies beside it (.json). Turns without tiles are
told to the game when they are over, and questions answered, as somebody at the table would on the page (with --untold
only when the camera asks whose turn it was). For each move:
how long after the hand has left it was proposed or asked about (before that, where a hand lay still beside the finished
move, is in time too); what was booked and is not so; proposals of what is no move.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import cv2

from assistant.engines import make_reader
from assistant.live.game import CAMERA, Outcome
from assistant.live.offline import TOLD, Replayed, Told, clock_text, replay_video
from assistant.live.sources import open_source
from assistant.store.store import Store
from assistant.table.session import Engines, Table
from assistant.table.setup import agreed
from scorer.errors import BrettblickError
from scorer.events import Withdrawn
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102, is_blank
from vision.board_net import BoardNet
from vision.live.eye import CALM, Eye
from vision.locate_learned import LearnedLocator

IN_TIME = 3.0
"""Seconds after the hand has left within which a move has to be found."""


@dataclass
class Found:
    """What came of one film.

    delays: seconds, None for a move that was not found; silent: what was booked wrongly without a question; false:
    proposals of what is no move
    """

    name: str
    moves: int = 0
    delays: list[float | None] = field(default_factory=list)
    sure: int = 0
    asked: int = 0
    silent: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    totals_right: bool = False
    seconds: float = 0.0
    took: float = 0.0


def measured(film: Path, calm: float, untold: bool = False) -> Found:
    """One film from beginning to end.

    calm: seconds, as of the Eye; untold: nobody says that a turn passed without tiles before it is asked
    """
    cv2.setNumThreads(1)
    truth = json.loads(film.with_suffix(".json").read_text(encoding="utf-8"))
    moves = [move for move in truth["moves"] if move["kind"] in ("place", "withdrawn")]
    passed = [number for number, move in enumerate(truth["moves"]) if move["kind"] == "none"]
    told = [] if untold else [Told(_next_start(truth["moves"], one), "pass", {"open_blank": True}) for one in passed]
    heard: list[tuple[float, Outcome]] = []
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder))
        setup = agreed(truth["players"], RULE_SETS["turnier"], GERMAN_102, "none")
        game = store.create(setup.to_json(), CAMERA, "a game of a film")
        reader, net = make_reader("network"), BoardNet()
        table = Table(store, game, Engines(reader), lambda: 0)
        source, eye = open_source(str(film)), Eye(LearnedLocator(net), calm=calm)

        def hear(at: float, outcome: Outcome) -> None:
            heard.append((at, outcome))
            if outcome.kind == "asked" and outcome.behind is None:
                _answered(table, truth["moves"], at, outcome)

        result = replay_video(source, table, eye, reader, net, told, heard=hear)
        source.close()
        store.close()
    found = Found(film.stem, len(moves), seconds=result.seconds, took=time.perf_counter() - started)
    _delays(found, moves, heard)
    _booked(found, truth, result, () if not untold else ("none",))
    return found


def _answered(table: Table, moves: Sequence[dict[str, Any]], at: float, outcome: Outcome) -> None:
    """What somebody at the table who knows answers to a question; nothing about what is no move."""
    done = [one for one in moves if one["left_s"] is not None and one["start_s"] <= at]
    if not done or outcome.proposal is None or outcome.proposal.question is None:
        return
    tiles, question = _tiles(done[-1]), outcome.proposal.question
    action: str = "confirm"
    data: dict[str, Any] = {}
    there = {(square.row, square.col) for square, _ in table.state.state.board}
    new = done[-1]["kind"] != "place" or not tiles.keys() <= there  # else nothing has happened since the last move
    if question.code == "whose-turn" and outcome.proposal.laid[-1][0] != done[-1]["player"]:
        action, data = "pass", {"open_blank": True}
    if question.squares:
        board = done[-1]["board"]
        squares = [[s.row, s.col, tiles.get((s.row, s.col), board[s.row][s.col])] for s in question.squares]
        action, data = "answer", {"squares": squares} | ({"kind": "place"} if new and tiles else {})
    elif not new:
        action = "drop"
    with contextlib.suppress(BrettblickError):
        request, version = f"answer of {question.code} at {at:.3f}", table.state.version
        table.act(action, data, author=TOLD, request=request, version=version)
        again = table.proposal()
        if again is not None and again.question is not None and again.question.code == "answer-differs":  # it is so
            table.act(
                "answer", {"confirmed": True}, author=TOLD, request=f"{request} again", version=table.state.version
            )


def _next_start(moves: Sequence[dict[str, Any]], number: int) -> float:
    """When the move after this turn begins, seconds; the end of time for the last one."""
    return next((one["start_s"] for one in moves[number + 1 :] if one["start_s"] is not None), 1e6)


def _tiles(move: dict[str, Any]) -> dict[tuple[int, int], str]:
    return {(row, col): _print(tile) for row, col, tile in move["tiles"]}


def _print(tile: str) -> str:
    return "?" if is_blank(tile) else tile


def _shown(outcome: Outcome) -> dict[tuple[int, int], str] | None:
    """The tiles of what is proposed or asked about; empty for a move that is taken back, None for neither."""
    if outcome.behind is not None:
        if outcome.behind.kind == "withdrawn":
            return {}
        play = outcome.behind.play
        return None if play is None else {(s.row, s.col): _print(tile) for s, tile in play.placement.tiles}
    proposal = outcome.proposal
    if proposal is None:
        return None
    if any(isinstance(event, Withdrawn) for event in proposal.events) and not proposal.laid:
        return {}
    if not proposal.laid:
        return None
    return {(s.row, s.col): _print(tile) for s, tile in proposal.laid[-1][1].placement.tiles}


def _about(one: Outcome, shown: dict[tuple[int, int], str] | None, wanted: dict[tuple[int, int], str]) -> bool:
    """Whether a question is about this move: its squares, but for those that are asked about."""
    question = one.proposal.question if one.proposal is not None else None
    asked = {(square.row, square.col) for square in question.squares} if question is not None else set()
    return shown is not None and bool(wanted) and shown.keys() - asked == wanted.keys() - asked


def _delays(found: Found, moves: Sequence[dict[str, Any]], heard: Sequence[tuple[float, Outcome]]) -> None:
    ends = [move["start_s"] for move in moves[1:]] + [float("inf")]
    told = [
        (at, one) for at, one in heard if one.kind in ("proposed", "asked") or (one.kind == "booked" and one.proposal)
    ]
    matched: set[int] = set()
    for move, end in zip(moves, ends, strict=True):
        wanted = _tiles(move) if move["kind"] == "place" else {}
        first = None
        for number, (at, one) in enumerate(told):
            if at < move["start_s"] or at > end + IN_TIME:
                continue
            shown = _shown(one)
            right = shown == wanted or (one.kind == "asked" and _about(one, shown, wanted))
            if right and first is None:
                first = at - move["left_s"]
                found.sure += one.kind != "asked"
                found.asked += one.kind == "asked"
                if one.kind == "asked" and one.why != "waiting":
                    found.notes.append(f"{clock_text(at)} asks {one.why} about {move['words']}")
            if right:
                matched.add(number)
        found.delays.append(first)
        if first is None or first > IN_TIME:
            late = "never" if first is None else f"{first:.1f} s"
            found.notes.append(f"{clock_text(move['left_s'])} {move['kind']} {move['words']} found {late}")
    for number, (at, one) in enumerate(told):
        if number not in matched and one.kind != "booked" and one.why != "waiting":
            found.false.append(f"{clock_text(at)} {one.kind} {one.why} {_shown(one)}")


def _booked(found: Found, truth: dict[str, Any], result: Replayed, without: Sequence[str]) -> None:
    """What was booked against what was played; without: kinds that are not on the camera's score sheet"""
    played = [move for move in truth["moves"] if move["kind"] not in without]
    wanted = [(move["kind"], _tiles(move) if move["kind"] == "place" else {}) for move in played]
    got: list[tuple[str, dict[tuple[int, int], str]]] = []
    asks = []
    for entry, at in zip(result.result.entries, result.times, strict=True):
        for one in entry.before:
            got.append(("place", {(s.row, s.col): _print(t) for s, t in one.play.placement.tiles}))
            asks.append((at, entry.question))
        tiles = entry.play.placement.tiles if entry.play is not None else ()
        got.append((entry.kind, {(s.row, s.col): _print(t) for s, t in tiles}))
        asks.append((at, entry.question))
    for number, (want, have) in enumerate(zip(wanted, got, strict=False)):
        if want != have:
            at, question = asks[number]
            text = f"{clock_text(at)} booked {have} not {want}"
            if question is None:
                found.silent.append(text)
            else:
                found.notes.append(f"{text}, asks {question.code}")
            break  # what follows is counted from a wrong position
    else:
        if len(wanted) != len(got):
            found.silent.append(f"{len(got)} turns, not {len(wanted)}")
    found.totals_right = list(result.result.totals) == truth["totals"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("films", nargs="+", type=Path)
    parser.add_argument("--calm", type=float, default=CALM, help=f"seconds of calm until a look (default {CALM:g})")
    parser.add_argument("--untold", action="store_true", help="passes are told only when the camera asks")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="also lists what was asked and what came late")
    args = parser.parse_args()
    everything: list[Found] = []
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        for one in pool.imap(partial(measured, calm=args.calm, untold=args.untold), args.films):
            everything.append(one)
            in_time = sum(delay is not None and delay <= IN_TIME for delay in one.delays)
            print(
                f"{one.name}: {in_time} of {one.moves} moves in time, {one.sure} sure, {one.asked} asked, "
                f"{len(one.silent)} silent, {len(one.false)} false, totals {'right' if one.totals_right else 'WRONG'}, "
                f"{one.seconds:.0f} s of film in {one.took:.0f} s",
                flush=True,
            )
            for line in one.silent:
                print(f"  silent: {line}")
            for line in one.false:
                print(f"  false: {line}")
            for line in one.notes if args.list else ():
                print(f"  {line}")
    delays = sorted(delay for one in everything for delay in one.delays if delay is not None)
    moves = sum(one.moves for one in everything)
    in_time, false = sum(delay <= IN_TIME for delay in delays), [len(one.false) for one in everything]
    print(
        f"{len(everything)} films, {moves} moves: {in_time} ({100 * in_time / max(moves, 1):.1f} %) found within "
        f"{IN_TIME:g} s (median {delays[len(delays) // 2] if delays else 0:.1f} s), "
        f"asked {sum(one.asked for one in everything)}, silent {sum(len(one.silent) for one in everything)}, "
        f"false {sum(false)} (most in one film {max(false, default=0)}), "
        f"totals right in {sum(one.totals_right for one in everything)}"
    )


if __name__ == "__main__":
    main()
