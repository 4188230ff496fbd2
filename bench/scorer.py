"""How fast the rules core checks, scores, replays and reads: python -m bench.scorer

It plays games of its own with legal placements of random letters (words are no matter of the rules core) and times
what follows from them on one core, each row the best of several runs without garbage collection. The yardstick is
plain Python of fixed work, timed in the same run: ratios to it travel from machine to machine, times do not.
"""

from __future__ import annotations

import argparse
import random
import statistics
import timeit
from collections.abc import Callable, Iterator

from scorer.board import Board, Direction, Square
from scorer.events import Placed
from scorer.formats import read_written_game
from scorer.game import Game, replay
from scorer.notation import MoveText, Notation
from scorer.placement import Placement, check_placement
from scorer.rescore import rescore
from scorer.rules import RULE_SETS
from scorer.scoring import Play, score_move, score_placement
from scorer.tiles import GERMAN_102

TURNIER = RULE_SETS["turnier"]
MOVES = 30
"""Moves of a game: what 102 tiles last for with 3.4 tiles a move, the mean of tournament games."""
SEEDS = range(5)
TEXT = "".join(GERMAN_102.letters) * 34


def yardstick() -> dict[str, int]:
    """Counts the 986 letters of a text one by one in a dict."""
    counts: dict[str, int] = {}
    for letter in TEXT:
        counts[letter] = counts.get(letter, 0) + 1
    return counts


def legal_plays(board: Board, tiles: str, rng: random.Random, tries: int) -> Iterator[Play]:
    """Legal plays of these tiles in this order, on lines picked at random."""
    for _ in range(tries):
        square, direction = Square(rng.randrange(15), rng.randrange(15)), rng.choice(list(Direction))
        laid = {}
        for tile in tiles:
            while board.at(square) is not None:
                square = square.step(direction)
            laid[square] = tile
            square = square.step(direction)
        play = score_placement(board, Placement.of(laid), TURNIER, GERMAN_102)
        if play.legal:
            yield play


def play_out(seed: int) -> list[tuple[Board, Play]]:
    """A game: each play with the board before it. Of some legal plays the one that forms the fewest words is taken, or
    the board would clot as no game of real words does."""
    rng = random.Random(seed)
    bag = [tile.letter for tile in GERMAN_102.tiles for _ in range(tile.count)] + ["e", "n"]
    rng.shuffle(bag)
    board = Board.empty()
    game: list[tuple[Board, Play]] = []
    while len(game) < MOVES:
        count = min(rng.choice([2, 3, 3, 4, 5]), len(bag) - (MOVES - len(game)) + 1)
        plays = legal_plays(board, "".join(bag[:count]), rng, tries=400 if game else 4000)
        play = min(plays, key=lambda play: len(play.words), default=None)
        if play is None:
            rng.shuffle(bag)
            continue
        game.append((board, play))
        board = board.placed(play.placement.by_square)
        del bag[:count]
    return game


def long_plays(games: list[list[tuple[Board, Play]]]) -> list[tuple[Board, Play]]:
    """Legal plays of five to seven tiles with one cross word or two on the boards in the middle of the games."""
    rng = random.Random(0)
    found = []
    for game in games:
        for board, _ in game[8:20]:
            tiles = "".join(rng.choices("ERNSTLICHÄUGD", k=rng.randint(5, 7)))
            plays = [play for play in legal_plays(board, tiles, rng, tries=200) if len(play.words) in (2, 3)]
            found += [(board, play) for play in plays[:4]]
    return found


def gcg(game: list[tuple[Board, Play]]) -> bytes:
    """The record of a game, two players in turn."""
    lines, totals = ["#character-encoding UTF-8", "#player1 A A", "#player2 B B"], [0, 0]
    for number, (_, play) in enumerate(game):
        totals[number % 2] += play.score
        move = play.text(Notation.INTERNATIONAL)
        lines.append(f">{'AB'[number % 2]}: {move} +{play.score} {totals[number % 2]}")
    return "\n".join(lines).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15, help="of each row; the best counts")
    args = parser.parse_args()

    played = [play_out(seed) for seed in SEEDS]
    positions = long_plays(played)
    pairs = [(board, play.placement) for board, play in positions]
    moves = [(board, MoveText.parse(play.text(Notation.GERMAN), Notation.GERMAN)) for board, play in positions]
    games = [
        Game(("A", "B"), TURNIER, GERMAN_102, tuple(Placed(n % 2, play.placement) for n, (_, play) in enumerate(game)))
        for game in played
    ]
    files = [gcg(game) for game in played]
    written = [read_written_game(data) for data in files]

    def seconds(work: Callable[[], object], count: int = 1) -> float:
        return min(timeit.repeat(work, number=1, repeat=args.runs)) / count

    unit = seconds(yardstick)
    rows = [
        ("yardstick: counting 986 letters in a dict", unit),
        (
            "placement checked and scored",
            seconds(lambda: [score_placement(b, p, TURNIER, GERMAN_102).score for b, p in pairs], len(pairs)),
        ),
        (
            "placement checked only",
            seconds(lambda: [check_placement(b, p, TURNIER, GERMAN_102) for b, p in pairs], len(pairs)),
        ),
        (
            "written move resolved, checked and scored",
            seconds(lambda: [score_move(b, m, TURNIER, GERMAN_102).score for b, m in moves], len(moves)),
        ),
        (f"game of {MOVES} moves replayed", seconds(lambda: [replay(game) for game in games], len(games))),
        ("GCG of that game read", seconds(lambda: [read_written_game(data) for data in files], len(files))),
        ("read game scored again", seconds(lambda: [rescore(w, TURNIER, GERMAN_102) for w in written], len(written))),
    ]
    print(f"{'':44}{'ms each':>10}{'a second':>12}{'yardsticks':>12}")
    for name, each in rows:
        print(f"{name:44}{1000 * each:10.4f}{1 / each:12,.0f}{each / unit:12.2f}")
    tiles = statistics.mean(len(play.placement) for _, play in positions)
    words = statistics.mean(len(play.words) for _, play in positions)
    print(f"{len(positions)} placements in the middle of games: {tiles:.1f} tiles and {words:.1f} words on average")


if __name__ == "__main__":
    main()
