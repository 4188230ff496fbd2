"""brettblick score: one move on a position; legal or not, and the sum step by step."""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.files import read_text
from assistant.rules_option import add_rules_arguments, rules_of, title
from assistant.texts import Texts
from scorer.errors import NotationError

if TYPE_CHECKING:
    from rich.text import Text

    from assistant.scored_move import ScoredMove
    from scorer.board import Board


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    from scorer.tiles import TILE_SETS

    parser.add_argument("--move", required=True, metavar='"H4 FIRNS"', help=texts("help.move"))
    parser.add_argument("--board", type=Path, metavar="FILE", help=texts("help.board"))
    parser.add_argument(
        "--notation", choices=("german", "international"), default="german", help=texts("help.move-notation")
    )
    add_rules_arguments(parser, texts)
    parser.add_argument("--tiles", choices=sorted(TILE_SETS), default="german", help=texts("help.tiles"))
    parser.add_argument("--json", action="store_true", help=texts("help.json"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.scored_move import ScoredMove
    from scorer.board import Board
    from scorer.notation import MoveText, Notation
    from scorer.tiles import TILE_SETS

    rules, notation = rules_of(args, texts), Notation(args.notation)
    move = MoveText.parse(args.move, notation)
    board = read_board(args.board) if args.board else Board.empty()
    scored = ScoredMove.of(board, move, rules, TILE_SETS[args.tiles], notation)
    for sentence in scored.warnings(texts).values():
        print(sentence, file=sys.stderr)
    if args.json:
        print(json.dumps(scored.to_json(texts), ensure_ascii=False, indent=1))
    else:
        print_move(scored, texts)
    return 0 if scored.play.legal else 1


def read_board(path: Path) -> Board:
    """The position in a file of 15 lines; NotationError that names the line and the square when it is none."""
    from scorer.board import Board

    lines = [unicodedata.normalize("NFC", line.strip()) for line in read_text(path).strip().splitlines()]
    try:
        return Board.parse(lines)
    except NotationError as error:
        raise NotationError(error.message, code="bad-board-file", hint=error.hint, path=path, reason=error) from error


def print_move(scored: ScoredMove, texts: Texts) -> None:
    """The move for people: points or faults first, then the sum, then the board with the new tiles in brackets."""
    from rich.text import Text

    from assistant.terminal import Console, item

    console = Console()
    faults, steps = scored.faults(texts), scored.steps(texts)
    if not faults:
        key = "score.one-point" if scored.score == 1 else "score.points"
        console.print(Text(texts(key, move=scored.written, points=scored.score), style="bold"))
    else:
        console.print(Text(texts("score.illegal", move=scored.written), style="bold"))
        for sentence in faults:
            console.print(item("-", Text(sentence)))
        console.print(Text(texts("score.as-it-lies" if steps else "score.no-word")))
    for step in steps:
        console.print(item(" ", Text(step)))
    console.print(board_text(scored))
    console.print(Text(f"{texts('score.new-tiles')}; {texts('rules.title', name=title(scored.rules, texts))}", "dim"))


def board_text(scored: ScoredMove) -> Text:
    """The board after the move, named as the notation names its squares; the new tiles in brackets."""
    from rich.text import Text

    from scorer.board import EMPTY, SIZE
    from scorer.notation import Notation

    letters, numbers = [chr(ord("A") + i) for i in range(SIZE)], [str(i + 1) for i in range(SIZE)]
    rows, columns = (letters, numbers) if scored.notation is Notation.GERMAN else (numbers, letters)
    new = scored.play.placement.fitting(scored.board)
    out = Text("\n    " + "".join(f"{name:>2} " for name in columns) + "\n", style="dim")
    for row, line in enumerate(scored.board.placed(new).rows):
        out.append(f"{rows[row]:>3} ", style="dim")
        for col, tile in enumerate(line):
            if (row, col) in new:
                out.append(f"[{tile}]", style="bold")
            else:
                out.append(" · " if tile == EMPTY else f" {tile} ")
        out.append("\n")
    return out
