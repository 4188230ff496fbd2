"""Whole rendered games through `recount`: python -m bench.games [--games 50] [--disturbed] [--jobs 1] [--cache DIR]

Renders and reads each photo once and keeps what was seen in the cache, so that measuring again after a change of the
decoding takes seconds: `--measure` takes what the cache has, complete games only. After a change of what reads photos,
`--read-again` reads the kept files anew; a changed game is rendered and read again of itself.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import os
import pickle
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import cv2

from assistant.engines import Finder
from assistant.lexicon import german
from assistant.recount import Recount, RecountEntry, recount
from models.table.drawn_game import WordSearch
from models.table.games import RULES, RenderedGame, Shot, Tile, photo, rendered_game
from scorer.letter_model import prior_of
from scorer.lexicon import Mark
from scorer.tiles import GERMAN_102, is_blank
from vision.board_net import BoardNet
from vision.observe import Observation, observe
from vision.onnx_reader import OnnxReader

FIRST_SEED = 700_000
"""Training draws from seeds below 500 000."""


@cache
def words() -> WordSearch:
    """The plain words of the built-in list."""
    listed = german.words()
    plain = (
        tiles
        for tiles in listed.trie
        if any(one.doubt is None and one.marks == Mark.NONE for one in listed.spelled(tiles))
    )
    return WordSearch(plain)


# --- the cache ----------------------------------------------------------------------------------------------------


def fill(folder: Path, seed: int, disturbed: bool, read_again: bool = False) -> str:
    """Renders and reads what the cache lacks of a game; gives a line about it."""
    cv2.setNumThreads(1)
    start = time.perf_counter()
    game = rendered_game(seed, words(), disturbed)
    place = folder / str(seed)
    place.mkdir(parents=True, exist_ok=True)
    (place / "game.pickle").write_bytes(pickle.dumps(game))
    reader, finder = OnnxReader(threads=1), Finder(net=BoardNet(threads=1))
    made = 0
    for shot in game.shots:
        file, mark = place / shot.name, hashlib.sha256(repr(shot.scene).encode()).hexdigest()
        kept = place / f"{file.stem}.seen"
        fresh = file.exists() and (place / f"{file.stem}.mark").exists()
        if not (fresh and (place / f"{file.stem}.mark").read_text() == mark + repr(shot.taken)):
            file.write_bytes(photo(shot))
            (place / f"{file.stem}.mark").write_text(mark + repr(shot.taken))
            fresh = False
        if not fresh or read_again or _kept(kept) is None:
            seen = observe(file, finder.locator(file), reader, GERMAN_102)
            kept.write_bytes(zlib.compress(pickle.dumps(dataclasses.replace(seen, photo=None)), 1))
            made += 1
    seconds = time.perf_counter() - start
    return f"{seed}: {len(game.shots)} photos, {made} of them read now, {seconds:.0f} s"


def _kept(file: Path) -> Observation | None:
    """What was seen; None where there is nothing, or something of another version."""
    try:
        seen = pickle.loads(zlib.decompress(file.read_bytes()))
    except (OSError, zlib.error, pickle.UnpicklingError, AttributeError, ImportError, TypeError, EOFError):
        return None
    return seen if isinstance(seen, Observation) else None


def complete_game(folder: Path, seed: int) -> tuple[RenderedGame, list[Observation]] | None:
    """A game of the cache and what was seen on its photos; None while something is missing."""
    place = folder / str(seed)
    try:
        game = pickle.loads((place / "game.pickle").read_bytes())
    except (OSError, pickle.UnpicklingError, AttributeError, ImportError, TypeError, EOFError):
        return None
    seen = [_kept(place / f"{Path(shot.name).stem}.seen") for shot in game.shots]
    return (game, [one for one in seen if one is not None]) if all(seen) else None


# --- the comparison -----------------------------------------------------------------------------------------------


def moves_before(entry: RecountEntry) -> tuple[Any, ...]:
    """The moves made before this photo that have none of their own; each has a player and a play."""
    return tuple(getattr(entry, "before", ()))


def same_tiles(want: Iterable[Tile], got: Iterable[Tile]) -> bool:
    """Squares and letters; of a blank the letter does not matter, which no photo shows."""

    def plain(tiles: Iterable[Tile]) -> dict[tuple[int, int], str]:
        return {(row, col): "?" if is_blank(tile) else tile for row, col, tile in tiles}

    return plain(want) == plain(got)


def tiles_of(play: Any) -> list[Tile]:
    return [] if play is None else [(square.row, square.col, tile) for square, tile in play.placement.tiles]


def differences(shot: Shot, entry: RecountEntry, by_name: dict[str, RecountEntry]) -> list[str]:
    """In what an entry is not what it should be, in words; [] when all is right."""
    found = []
    if entry.kind != shot.kind:
        found.append(f"kind {entry.kind}, not {shot.kind}")
    if entry.player != shot.player:
        found.append(f"player {entry.player}, not {shot.player}")
    if shot.kind == "place" and not same_tiles(shot.tiles, tiles_of(entry.play)):
        found.append(f"tiles {_shown(tiles_of(entry.play))}, not {_shown(shot.tiles)}")
    elif shot.kind == "place" and (entry.play is None or not entry.counted or entry.play.score != shot.score):
        found.append(f"score {entry.play.score if entry.play and entry.counted else None}, not {shot.score}")
    before = [tiles_of(one.play) for one in moves_before(entry)]
    wanted = [list(shot.forgotten)] if shot.forgotten else []
    if len(before) != len(wanted) or not all(map(same_tiles, wanted, before)):
        found.append(f"before it {[_shown(one) for one in before]}, not {[_shown(one) for one in wanted]}")
    if shot.takes_back is not None and not by_name[shot.takes_back].withdrawn:
        found.append(f"{shot.takes_back} not withdrawn")
    if entry.withdrawn and not shot.taken_back:
        found.append("withdrawn")
    return found


def _shown(tiles: Sequence[Tile]) -> str:
    return " ".join(f"{chr(ord('A') + row)}{col + 1}={tile}" for row, col, tile in tiles) or "none"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of one photo.

    label: its disturbance, or "after ..." that of the photo before it, or "plain"
    wrong: see `differences`; question: code of what is asked, None for nothing
    follows: an earlier photo of this game was wrong already, and here nothing but player or score is, which may come
    from that
    """

    seed: int
    photo: str
    label: str
    wrong: tuple[str, ...]
    question: str | None
    follows: bool

    @property
    def silent(self) -> bool:
        return bool(self.wrong) and self.question is None


def outcomes(game: RenderedGame, result: Recount) -> list[Outcome]:
    by_name = {shot.name: entry for shot, entry in zip(game.shots, result.entries, strict=True)}
    out: list[Outcome] = []
    last: str | None = None
    for shot in game.shots:
        entry = by_name[shot.name]
        label = shot.disturbance or (f"after {last}" if last else "plain")
        label += ", either order" if shot.either_order else ""
        last = shot.disturbance
        wrong = tuple(differences(shot, entry, by_name))
        question = entry.question.code if entry.question else None
        only_follows = all(text.startswith(("player", "score")) for text in wrong)
        follows = bool(wrong) and only_follows and any(one.wrong for one in out)
        out.append(Outcome(game.seed, shot.name, label, wrong, question, follows))
    return out


def measured(game: RenderedGame, seen: Sequence[Observation]) -> tuple[list[Outcome], bool, float]:
    """What became of each photo, whether the totals agree, and the seconds it took."""
    start = time.perf_counter()
    result = recount(seen, game.players, RULES, GERMAN_102, prior_of(german.letter_model(), RULES))
    seconds = time.perf_counter() - start
    return outcomes(game, result), result.totals == game.totals, seconds


def report(found: Sequence[Outcome], totals_agree: Sequence[bool], seconds: float) -> list[str]:
    """The figures, as lines."""
    count = max(len(found), 1)

    def share(number: int) -> str:
        return f"{number:5d}  {100 * number / count:6.2f} %"

    lines = [
        f"{'photos':34}{len(found):5d}  of {len(totals_agree)} games, {1000 * seconds / count:.1f} ms of recount each",
        f"{'right':34}{share(sum(not one.wrong for one in found))}",
        f"{'right without a question':34}{share(sum(not one.wrong and one.question is None for one in found))}",
        f"{'questions':34}{share(sum(one.question is not None for one in found))}",
        f"{'wrong without a question (silent)':34}{share(sum(one.silent for one in found))}",
        f"{'  of these, not after another error':34}{share(sum(one.silent and not one.follows for one in found))}",
        f"{'totals agree':34}{sum(totals_agree):5d}  of {len(totals_agree)} games",
        "",
        f"{'':34}{'photos':>7}{'right':>7}{'asked':>7}{'silent':>7}",
    ]
    for label in sorted({one.label for one in found}, key=lambda text: (text != "plain", "after" in text, text)):
        those = [one for one in found if one.label == label]
        right, asked = sum(not one.wrong for one in those), sum(one.question is not None for one in those)
        lines.append(f"{label:34}{len(those):7d}{right:7d}{asked:7d}{sum(one.silent for one in those):7d}")
    codes = Counter(one.question for one in found if one.question)
    return [*lines, "", *(f"{'asked: ' + code:34}{number:7d}" for code, number in codes.most_common())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="how many (default 50)")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help=f"of the first game (default {FIRST_SEED})")
    parser.add_argument("--disturbed", action="store_true", help="with disturbances")
    parser.add_argument("--cache", type=Path, help="folder for photos and what was seen on them")
    parser.add_argument("--jobs", type=int, default=1, help="games rendered and read side by side (default 1)")
    parser.add_argument("--measure", action="store_true", help="only what the cache has, nothing is rendered or read")
    parser.add_argument("--read-again", action="store_true", help="reads the kept photos anew")
    parser.add_argument("--asked", action="store_true", help="also lists what is wrong or right with a question")
    args = parser.parse_args()
    folder = args.cache or Path(gettempdir()) / "rendered_games" / ("disturbed" if args.disturbed else "plain")
    seeds = range(args.seed, args.seed + args.games)
    cv2.setNumThreads(1)
    if not args.measure:
        os.environ["OMP_NUM_THREADS"] = "1"  # of the processes to come
        with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
            tasks = [pool.submit(fill, folder, seed, args.disturbed, args.read_again) for seed in seeds]
            for task in tasks:
                print(task.result(), flush=True)
    found: list[Outcome] = []
    agree, seconds = [], 0.0
    for seed in seeds:
        held = complete_game(folder, seed)
        if held is None:
            continue
        of_game, totals, took = measured(*held)
        found += of_game
        agree.append(totals)
        seconds += took
    for one in found:
        if one.silent or (args.asked and (one.wrong or one.question)):
            how = "silent" if one.silent else f"asked {one.question}"
            after = " (after another error)" if one.follows else ""
            print(f"{one.seed}/{one.photo} {one.label}: {how}: {'; '.join(one.wrong) or 'right'}{after}")
    print("\n".join(report(found, agree, seconds)))


if __name__ == "__main__":
    main()
