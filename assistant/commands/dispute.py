"""brettblick dispute: a quarrel about a move; two photos, or one and the word: what was laid and what it counts."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.read import add_reading_arguments
from assistant.photos import explain_failure, photo_files, refuse_overwriting, with_progress
from assistant.rules_option import add_rules_arguments, rules_of, title
from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from rich.console import Console

    from assistant.dispute import Dispute
    from assistant.dispute_word import NamedWord
    from assistant.report import Quarrel
    from assistant.scored_move import ScoredMove
    from scorer.board import Square
    from scorer.tiles import TileSet
    from vision.observe import Observation


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help=texts("help.dispute-photos"))
    parser.add_argument("--word", metavar="BRUT", help=texts("help.dispute-word"))
    parser.add_argument("--at", metavar="B6", help=texts("help.dispute-at"))
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--across", action="store_true", help=texts("help.dispute-across"))
    way.add_argument("--down", action="store_true", help=texts("help.dispute-down"))
    parser.add_argument("--all-new", action="store_true", help=texts("help.dispute-all-new"))
    parser.add_argument("--json", action="store_true", help=texts("help.json"))
    parser.add_argument("--report", type=Path, metavar="FILE.html", help=texts("help.dispute-report"))
    parser.add_argument("--no-report", action="store_true", help=texts("help.dispute-no-report"))
    add_rules_arguments(parser, texts)
    add_reading_arguments(parser, texts)


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.dispute import as_json, dispute_of
    from assistant.dispute_word import dispute_about
    from assistant.lexicon.german import letter_model
    from scorer.letter_model import prior_of
    from scorer.tiles import GERMAN_102, TILE_SETS

    files, word = photo_files(args.photos), _named_word(args)
    if len(files) > 2 or (len(files) == 2) == (word is not None):
        code = "dispute-word-and-two" if len(files) == 2 else "dispute-one-photo" if len(files) == 1 else "dispute-many"
        raise BrettblickError("two photos, or one and the word", code=code, count=len(files), photo=files[0])
    if args.report:
        from assistant.report import refuse_unwritable

        refuse_unwritable(args.report)  # before the work, not after it
        refuse_overwriting(args.report, files)
    rules, tile_set = rules_of(args, texts), TILE_SETS[args.tiles]
    seen = _observed(files, args, tile_set, texts)
    if word is None:
        german = tile_set.letters == GERMAN_102.letters
        found = dispute_of(seen, rules, tile_set, prior_of(letter_model(), rules) if german else None)
    else:
        found = dispute_about(seen[0], word, rules, tile_set)
    report = _report(found, args, texts)
    if args.json:
        data = as_json(found, texts) | ({"report": str(report)} if report else {})
        print(json.dumps(data, ensure_ascii=False, indent=1))
    else:
        print_dispute(found, texts)
        if report:
            print()
            print(texts("dispute.report", path=report))
    return found.status


def _named_word(args: argparse.Namespace) -> NamedWord | None:
    """The word and its place as they were named; NotationError when they are none."""
    from assistant.dispute_word import NamedWord
    from scorer.board import Direction
    from scorer.notation import Coordinate, MoveText, Notation, parse_coordinate

    if args.word is None:
        if args.at or args.across or args.down or args.all_new:
            raise BrettblickError("a place without a word", code="dispute-no-word")
        return None
    # as people write it: which tiles are blanks the photo shows
    marks = MoveText.of("A1", args.word.strip().upper(), Notation.GERMAN).marks
    at, way = None, Direction.DOWN if args.down else Direction.ACROSS if args.across else None
    if args.at:
        start, direction = parse_coordinate(args.at.strip(), Notation.GERMAN)
        at = Coordinate(start, way or direction)
    return NamedWord(marks, at, way, args.all_new)


def _observed(files: list[Path], args: argparse.Namespace, tile_set: TileSet, texts: Texts) -> list[Observation]:
    """The photos, read; why one cannot be read goes to standard error."""
    from assistant.engines import Finder, make_reader, with_fit
    from vision.observe import observe

    finder = Finder.of(args.corners, args.refine_corners, args.camera, args.markers)
    reader = make_reader(args.reader, args.tile_profile, tile_set.name)
    seen = []
    for path in with_progress(files, len(files), texts("progress.read")):
        seen.append(with_fit(finder.checked(observe(path, finder.locator(path), reader, tile_set))))
        if not seen[-1].found:
            print(explain_failure(seen[-1], texts), file=sys.stderr)
    return seen


# --- the report ---------------------------------------------------------------------------------------------------


def _report(found: Dispute, args: argparse.Namespace, texts: Texts) -> Path | None:
    """Writes the page with the pictures, beside the user without ``--report``; its path, None where there is none.

    A page that nobody asked for and that cannot be written is no reason to say nothing of the photos.
    """
    if found.result is None or args.no_report or (args.json and not args.report):
        return None
    from assistant.report import Asked, write_report

    path = args.report or next(_free_names(Path(texts("dispute.report-name"))))
    files = [Path(entry.observation.name) for entry in found.result.entries]
    try:
        write_report(found.result, files, path, texts, Asked(quarrel=_quarrel(found, texts)))
    except BrettblickError as error:
        if args.report:
            raise
        print(texts.error(error), file=sys.stderr)
        return None
    return Path(path)


def _quarrel(found: Dispute, texts: Texts) -> Quarrel:
    """What the page says at its top: the same as is printed, but for the sums, which stand beside the pictures."""
    from assistant.dispute import challenge_lines, fault_sentences
    from assistant.report import Quarrel

    said = []
    for move in found.moves:
        said.append(move_sentence(move, texts, found.doubtful))
        if faults := fault_sentences(move, texts):
            said += [texts("dispute.illegal"), *faults]
        elif move.play.words:
            said.append(points_sentence(found, move, texts).rstrip(":") + ".")
    main = found.move.play.main_word if found.move else None
    ruled = found.move if found.kind != "withdrawn" else None
    return Quarrel(
        main.word if main else "",
        headline(found, texts),
        [*said, *notes(found, texts)],
        alternative_lines(found, texts),
        challenge_lines(ruled, texts) if ruled else [],
    )


def _free_names(path: Path) -> Iterator[Path]:
    """The name, or the same with a number, of files that are not there yet."""
    names = (path if k == 1 else path.with_name(f"{path.stem}-{k}{path.suffix}") for k in count(1))
    return (name for name in names if not name.exists())


# --- for people ---------------------------------------------------------------------------------------------------


def print_dispute(found: Dispute, texts: Texts) -> None:
    """What was laid and what it counts; then what else to know, what a challenge comes to, and what is open."""
    from rich.text import Text

    from assistant.commands.score import board_text
    from assistant.dispute import challenge_lines, question_sentence
    from assistant.terminal import Console, item
    from scorer.rules import RULE_SETS

    console = Console()
    console.print(Text(headline(found, texts), style="bold"))
    for move in found.moves:
        _print_move(found, move, texts, console)
    for note in notes(found, texts):
        console.print(item("-", Text(note)))
    if found.move is not None:
        console.print(board_text(found.move))
        brackets = "dispute.gone-tiles" if found.kind == "withdrawn" else "score.new-tiles"
        console.print(Text(texts(brackets), style="dim"))
    if question := question_sentence(found, texts):
        console.print(Text("\n" + texts("dispute.question", question=question), style="bold"))
        for line in alternative_lines(found, texts):
            console.print(item(" ", Text(line)))
    lines = challenge_lines(found.move, texts) if found.move is not None and found.kind != "withdrawn" else []
    if lines:
        console.print(Text("\n" + texts("dispute.challenge"), style="bold"))
        for line in lines:
            console.print(item("-", Text(line)))
        closed = "closed" if not found.rules.open_dictionary else "open"
        console.print(Text(texts(f"dispute.look-up.{closed}"), style="dim"))
    if found.moves:
        others = ", ".join(name for name in RULE_SETS if name != found.rules.name)
        rules = texts("dispute.rules", name=title(found.rules, texts), others=others)
        console.print(Text("\n" + rules, style="dim"))


def headline(found: Dispute, texts: Texts) -> str:
    """What the photos show, in one sentence."""
    if found.kind == "place":
        if len(found.moves) > 1:
            return texts("dispute.two-moves")
        return texts("dispute.read-so" if found.question else "dispute.laid")
    return texts(f"dispute.{found.kind}")


def _print_move(found: Dispute, move: ScoredMove, texts: Texts, console: Console) -> None:
    from rich.text import Text

    from assistant.dispute import fault_sentences
    from assistant.terminal import item

    console.print(Text(move_sentence(move, texts, found.doubtful)))
    faults, steps = fault_sentences(move, texts), move.steps(texts)
    if faults:
        console.print(Text(texts("dispute.illegal"), style="bold"))
        for sentence in faults:
            console.print(item("-", Text(sentence)))
        console.print(Text(texts("score.as-it-lies" if steps else "score.no-word")))
    elif steps:
        console.print(Text(points_sentence(found, move, texts), style="bold"))
    for step in steps:
        console.print(item(" ", Text(step)))


def move_sentence(move: ScoredMove, texts: Texts, doubtful: Collection[Square] = ()) -> str:
    """The word, where it lies and which of its tiles are new; what looks like a blank in doubt is not called one."""
    from scorer.tiles import BLANK

    blank = texts("candidate.blank")
    tiles = ", ".join(
        texts("dispute.tile", tile=blank if char == BLANK and square not in doubtful else char, square=_name(square))
        for square, char in move.play.placement.tiles
    )
    main = move.play.main_word
    if main is None:
        return texts("dispute.tiles", tiles=tiles)
    return texts(
        f"dispute.word.{main.direction}", word=main.word, square=_name(main.start), move=move.written, tiles=tiles
    )


def points_sentence(found: Dispute, move: ScoredMove, texts: Texts) -> str:
    """What the move counts; where something is open, what it counts as it was read."""
    covered = found.question is not None and found.question.code == "covered-tile"
    way = "counted" if found.kind == "withdrawn" else "counts-if" if found.question else "counts-is"
    way = "counts-without" if covered else way
    return texts(f"dispute.{way}-{'one' if move.score == 1 else 'many'}", points=move.score)


def notes(found: Dispute, texts: Texts) -> list[str]:
    """Everything else a person should know, a sentence each."""
    from assistant.advice import advice
    from assistant.dispute import blank_notes

    lines = [note.text(texts) for note in found.notes]
    if found.kind == "unreadable" and found.observations[-1].found:
        lines.append(texts("dispute.without-it", photo=found.observations[-1].name))
    lines += blank_notes(found, texts)
    for move in found.moves:
        if not found.doubtful:  # else it is what is read wrong there
            lines += [text for code, text in move.warnings(texts).items() if code == "impossible-position"]
    if found.question is not None or found.status:
        lines += [f"{Path(seen.name).name}: {tip}" for seen in found.observations for tip in advice(seen, texts)]
    return list(dict.fromkeys(lines))


def alternative_lines(found: Dispute, texts: Texts) -> list[str]:
    """What the move counts under each answer."""
    from scorer.tiles import BLANK

    lines = []
    for one in found.alternatives:
        points = texts("count.points.one" if one.move.score == 1 else "count.points.many", count=one.move.score or 0)
        if one.square is not None:
            tile = texts("candidate.blank") if one.tile == BLANK else one.tile
            words = ", ".join(word.word for word in one.move.play.words)
            lines.append(texts("dispute.if-tile", square=_name(one.square), tile=tile, words=words, points=points))
            continue
        main = one.move.play.main_word
        old = [letter for letter in main.letters if not letter.new] if main else []
        names = ", ".join(texts("dispute.tile", tile=letter.tile, square=_name(letter.square)) for letter in old)
        key = "dispute.if-lay" if old else "dispute.if-all-new"
        lines.append(texts(key, tiles=names, word=one.move.written.split()[-1], points=points))
    if len({one.move.score for one in found.alternatives}) == 1:
        lines.append(texts("dispute.same-points"))
    return lines


def _name(square: Square) -> str:
    from scorer.notation import Notation, format_square

    return format_square(square, Notation.GERMAN)
