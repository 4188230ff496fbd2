"""Rendered games as the page reads them: python -m bench.steps CACHE [--games 50] [--seed N] [--asked]

Each photo alone, on the position that people have confirmed: what comes before a photo is true, what comes after it is
not known. CACHE: what `python -m bench.games --cache` has rendered and read.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from assistant.lexicon import german
from assistant.recount import RecountEntry, recount_from
from bench.games import FIRST_SEED, complete_game, reader, same_tiles, tiles_of
from models.table.games import RULES, RenderedGame, Shot, Tile
from scorer.board import Square
from scorer.events import NothingLaid, Placed, Withdrawn
from scorer.game import Game, GameState, advance, replay
from scorer.letter_model import prior_of
from scorer.placement import Placement
from scorer.tiles import GERMAN_102
from vision.observe import Observation
from vision.reading import BLANK


@dataclass(frozen=True)
class Step:
    """What the page would have shown of one photo. wrong: in words, "" where it is right; question: code of what it
    asks, None for nothing; where no tile is new the page always asks what that means, which does not count here."""

    name: str
    label: str
    wrong: str
    question: str | None


def steps(game: RenderedGame, seen: Sequence[Observation]) -> list[Step]:
    """Each photo of a game in turn."""
    state, prior = replay(Game(tuple(game.players), RULES, GERMAN_102)), prior_of(german.letter_model(), RULES)
    numbers: dict[str, int] = {}
    ghosts: frozenset[Square] = frozenset()
    out = []
    for shot, one in zip(game.shots, seen, strict=True):
        (entry,) = recount_from(state, [one], prior, reader=reader(), ghosts=ghosts).entries
        question = entry.question.code if entry.question else None
        out.append(Step(f"{game.seed}/{shot.name}", shot.disturbance or "plain", _wrong(shot, entry), question))
        state = _after(state, shot, numbers)
        if one.reading is not None:
            blank = one.reading.showing(BLANK.__eq__)
            ghosts = frozenset(square for square in blank if state.board.at(square) is None)
    return out


def _wrong(shot: Shot, entry: RecountEntry) -> str:
    moves = shot.kind == "place" or (shot.kind == "withdrawn")
    if not moves:  # the page asks what a photo without new tiles means
        return f"tiles {tiles_of(entry.play)}" if entry.kind in ("place", "withdrawn") else ""
    if entry.kind != shot.kind:
        return f"{entry.kind}, not {shot.kind}"
    if not same_tiles(shot.tiles, tiles_of(entry.play)):
        return f"tiles {tiles_of(entry.play)}, not {list(shot.tiles)}"
    before = [tile for one in entry.before for tile in tiles_of(one.play)]
    if not same_tiles(shot.forgotten, before):
        return f"before it {before}, not {list(shot.forgotten)}"
    return ""


def _after(state: GameState, shot: Shot, numbers: dict[str, int]) -> GameState:
    """The game after what really happened."""

    def laid(state: GameState, tiles: Sequence[Tile]) -> GameState:
        placement = Placement.of({Square(row, col): tile for row, col, tile in tiles})
        return advance(state, Placed(state.next_player, placement))

    if shot.takes_back is not None:
        state = advance(state, Withdrawn(numbers[shot.takes_back]))
    if shot.forgotten:
        state = laid(state, shot.forgotten)
    if shot.kind == "place":
        state = laid(state, shot.tiles)
        numbers[shot.name] = len(state.game.events)
    elif shot.kind == "none":
        state = advance(state, NothingLaid(state.next_player))
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--asked", action="store_true", help="also lists what is asked")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    seeds = range(args.seed, args.seed + args.games)
    held = [found for seed in seeds if (found := complete_game(args.cache, seed)) is not None]
    found = [one for game, seen in held for one in steps(game, seen)]
    for one in found:
        if one.wrong or (args.asked and one.question):
            print(f"{one.name} {one.label}: {one.wrong or 'right'}, asks {one.question or 'nothing'}")
    count = max(len(found), 1)
    silent = sum(bool(one.wrong) and one.question is None for one in found)
    asked = sum(one.question is not None for one in found)
    sure = sum(not one.wrong and one.question is None for one in found)
    print(f"{len(found)} photos of {len(held)} games: right without a question {sure} ({100 * sure / count:.2f} %),")
    print(
        f"asked {asked} ({100 * asked / count:.2f} %), wrong without a question {silent} ({100 * silent / count:.2f} %)"
    )


if __name__ == "__main__":
    main()
