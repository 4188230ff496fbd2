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
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import cv2
import numpy as np

from assistant.doubts import Question
from assistant.engines import Finder
from assistant.lexicon import german
from assistant.recount import Answer, Recount, RecountEntry, recount
from models.table.drawn_game import WordSearch
from models.table.games import RULES, RenderedGame, Shot, Tile, photo, rendered_game
from scorer.board import Square
from scorer.letter_model import prior_of
from scorer.lexicon import Mark
from scorer.tiles import GERMAN_102, is_blank
from vision.board_net import BoardNet
from vision.observe import Observation, observe
from vision.onnx_reader import OnnxReader

MOST_ANSWERS = 40
"""A game with more questions is given up."""

PROBABILITIES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.01)
"""Edges of the classes of the calibration table."""

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
    before = [tiles_of(one.play) for one in entry.before]
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
    probability: that the photo was taken for the right thing; laid_right: whether it was, by which squares got tiles
    """

    seed: int
    photo: str
    label: str
    wrong: tuple[str, ...]
    question: str | None
    follows: bool
    probability: float
    laid_right: bool

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
        out.append(Outcome(game.seed, shot.name, label, wrong, question, follows, entry.probability, laid(shot, entry)))
    return out


@cache
def reader() -> OnnxReader:
    """Looks again at tiles that were pushed off their squares."""
    return OnnxReader(threads=1)


def counted(game: RenderedGame, seen: Sequence[Observation], answers: Mapping[int, Answer]) -> Recount:
    prior = prior_of(german.letter_model(), RULES)
    return recount(seen, game.players, RULES, GERMAN_102, prior, answers, reader())


def true_answer(shot: Shot, entry: RecountEntry, question: Question) -> Answer:
    """What somebody answers who knows what was laid."""
    lies = {Square(row, col): char for row, text in enumerate(shot.board) for col, char in enumerate(text)}
    earlier = {Square(row, col) for row, col, _ in shot.forgotten}
    if question.code == "other-position" and shot.kind != "not-a-move":
        return Answer(here=True)
    if question.code in ("initials-or-move", "mid-move-or-move", "photo-unreadable", "other-position", "begun-before"):
        return Answer(kind=shot.kind)
    if question.code in ("which-first", "which-of-two") and earlier:
        first = [square for square in question.squares if square in earlier]
        return Answer(first=tuple(first), second=tuple(square for square in question.squares if square not in earlier))
    if question.code == "unsure-move" and earlier and not entry.before:
        return Answer(first=tuple(earlier))
    if question.code in ("which-letter", "covered-tile", "tile-or-empty"):
        return Answer({square: lies[square] for square in question.squares})
    if shot.kind == "not-a-move":
        return Answer(kind=shot.kind)
    said = {square for square, _ in entry.play.placement.tiles} if entry.play else set()
    meant = {Square(row, col) for row, col, _ in shot.tiles}
    wrong = {square for square in said | meant if (square in said) != (square in meant)}
    return Answer({square: lies[square] for square in wrong}) if wrong else Answer(confirmed=True)


def answered(game: RenderedGame, seen: Sequence[Observation], result: Recount) -> tuple[Recount, int]:
    """The game when all questions have been answered truly, one after the other; and how many that were."""
    answers: dict[int, Answer] = {}
    for number_of_answers in range(MOST_ANSWERS):
        for number, (shot, entry) in enumerate(zip(game.shots, result.entries, strict=True)):
            if entry.question is not None and entry.question.code != "depends":
                more, known = true_answer(shot, entry, entry.question), answers.get(number)
                if known is not None:
                    more = dataclasses.replace(known, **{k: v for k, v in vars(more).items() if v != vars(Answer())[k]})
                    more = dataclasses.replace(
                        more,
                        squares={**known.squares, **more.squares},
                        first=tuple(dict.fromkeys(known.first + more.first)),
                        second=tuple(dict.fromkeys(known.second + more.second)),
                    )
                if more != known:
                    break
        else:
            return result, number_of_answers
        answers[number] = more
        result = counted(game, seen, answers)
    return result, MOST_ANSWERS


def laid(shot: Shot, entry: RecountEntry) -> bool:
    """Whether the entry has new tiles on the right squares, those of a forgotten move too; of photos of the same
    squares also whether it is a move."""
    plays = [*(one.play for one in entry.before), *([entry.play] if entry.play else [])]
    got = {tuple(square) for play in plays for square in play.placement.squares}
    same_kind = entry.kind == shot.kind or (entry.kind == "unclear" and bool(got))
    return same_kind and got == {(row, col) for row, col, _ in (*shot.tiles, *shot.forgotten)}


def measured(game: RenderedGame, seen: Sequence[Observation]) -> Measured:
    """What became of each photo, before and after the questions were answered."""
    start = time.process_time()
    result = counted(game, seen, {})
    seconds = time.process_time() - start
    yardstick = 0.0
    for one in seen:
        if Path(one.name).exists():
            data = np.fromfile(one.name, np.uint8)
            start = time.process_time()
            cv2.imdecode(data, cv2.IMREAD_COLOR)
            yardstick += time.process_time() - start
    in_the_end, answers = answered(game, seen, result)
    return Measured(
        outcomes(game, result),
        outcomes(game, in_the_end),
        answers,
        in_the_end.totals == game.totals,
        seconds,
        yardstick,
    )


@dataclasses.dataclass(frozen=True)
class Measured:
    """A game: what was found at once, and when all questions had been answered truly; how many answers that took.

    seconds: of CPU that the recount took, all photos together; yardstick: that plain decoding of them takes
    """

    at_once: list[Outcome]
    in_the_end: list[Outcome]
    answers: int
    totals_agree: bool
    seconds: float
    yardstick: float


def report(games: Sequence[Measured]) -> list[str]:
    """The figures, as lines."""
    found = [one for game in games for one in game.at_once]
    last = [one for game in games for one in game.in_the_end]
    seconds = sum(game.seconds for game in games)
    count = max(len(found), 1)

    def share(number: int) -> str:
        return f"{number:5d}  {100 * number / count:6.2f} %"

    lines = [
        f"{'photos':34}{len(found):5d}  of {len(games)} games, {1000 * seconds / count:.1f} ms of recount each: "
        f"{seconds / max(sum(game.yardstick for game in games), 1e-9):.2f} of decoding the photo",
        f"{'right':34}{share(sum(not one.wrong for one in found))}",
        f"{'right without a question':34}{share(sum(not one.wrong and one.question is None for one in found))}",
        f"{'questions':34}{share(sum(one.question is not None for one in found))}",
        f"{'wrong without a question':34}{share(sum(one.silent for one in found))}",
        f"{'  of these, not after another error':34}{share(sum(one.silent and not one.follows for one in found))}",
        f"{'answers until nothing is asked':34}{share(sum(game.answers for game in games))}",
        f"{'still wrong then (silent)':34}{share(sum(bool(one.wrong) for one in last))}",
        f"{'  of these, not after another error':34}{share(sum(bool(one.wrong) and not one.follows for one in last))}",
        f"{'totals agree then':34}{sum(game.totals_agree for game in games):5d}  of {len(games)} games",
        "",
        f"{'':34}{'photos':>7}{'right':>7}{'asked':>7}{'silent':>7}",
    ]
    for label in sorted({one.label for one in found}, key=lambda text: (text != "plain", "after" in text, text)):
        those = [one for one in found if one.label == label]
        right, asked = sum(not one.wrong for one in those), sum(one.question is not None for one in those)
        lines.append(f"{label:34}{len(those):7d}{right:7d}{asked:7d}{sum(one.silent for one in those):7d}")
    codes = Counter(one.question for one in found if one.question)
    lines += ["", *(f"{'asked: ' + code:34}{number:7d}" for code, number in codes.most_common())]
    lines += ["", f"{'probability of what was laid':34}{'photos':>7}{'mean':>9}{'right':>9}"]
    for low, high in pairwise(PROBABILITIES):
        those = [one for one in found if low <= one.probability < high]
        if those:
            mean, right = (
                sum(v) / len(those) for v in zip(*((o.probability, o.laid_right) for o in those), strict=True)
            )
            lines.append(f"{f'{low:g} to {min(high, 1):g}':34}{len(those):7d}{mean:9.4f}{right:9.4f}")
    return lines


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
    games = [measured(*held) for seed in seeds if (held := complete_game(folder, seed)) is not None]
    for game in games:
        shown = [("asked " + one.question, one) for one in game.at_once if args.asked and one.question]
        shown += [("silent", one) for one in game.in_the_end if one.wrong]
        for how, one in shown:
            after = " (after another error)" if one.follows else ""
            print(f"{one.seed}/{one.photo} {one.label}: {how}: {'; '.join(one.wrong) or 'right'}{after}")
    print("\n".join(report(games)))


if __name__ == "__main__":
    main()
