"""brettblick recount: the photos of a whole game in, the score sheet out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from assistant.commands.check import verdict_text
from assistant.commands.read import add_reading_arguments
from assistant.photos import explain_failure, overlay_files, photo_files, refuse_overwriting, with_progress
from assistant.rules_option import add_rules_arguments, rules_of, title
from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from assistant.answers import ReadGame, Written
    from assistant.blanks import OpenBlank
    from assistant.engines import Finder
    from assistant.recount import Recount
    from scorer.adjudication import Referee
    from scorer.lexicon import Verdict, WordList
    from scorer.notation import Notation
    from scorer.rules import RuleSet
    from scorer.tiles import TileSet


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help=texts("help.photos"))
    parser.add_argument("--json", action="store_true", help=texts("help.json"))
    add_rules_arguments(parser, texts)
    parser.add_argument("--players", default="A,B", metavar="A,B", help=texts("help.players"))
    parser.add_argument("--lexicon", metavar="NAME|FILE|none", default="none", help=texts("help.recount-lexicon"))
    add_reading_arguments(parser, texts)
    parser.add_argument("--answers", metavar="FILE.json", type=Path, help=texts("help.answers"))
    parser.add_argument("--ask", action="store_true", help=texts("help.ask"))
    notations = ("german", "international")
    parser.add_argument("--notation", choices=notations, default="german", help=texts("help.answers-notation"))
    parser.add_argument("--overlay", metavar="DIR", type=Path, help=texts("help.overlay"))
    parser.add_argument("--report", metavar="FILE", type=Path, help=texts("help.report"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.answers import load_answers
    from assistant.blanks import open_blanks
    from assistant.engines import Finder
    from assistant.lexicon.naming import lexicon_named
    from assistant.questions import ask
    from assistant.recount import as_json, open_verdicts
    from scorer.adjudication import Referee
    from scorer.notation import Notation
    from scorer.tiles import TILE_SETS

    if args.ask and not (sys.stdin and sys.stdin.isatty()):
        raise BrettblickError("--ask without a terminal", code="no-terminal")
    rules, tile_set, notation = rules_of(args, texts), TILE_SETS[args.tiles], Notation(args.notation)
    files, players = photo_files(args.photos), [name.strip() for name in args.players.split(",")]
    _refuse_unwritable(args, files)
    answers: Written = {}
    if args.answers and (args.answers.exists() or not args.ask):
        answers = load_answers(args.answers, list(map(str, files)), players, tile_set, notation)
    referee = Referee(lexicon_named(args.lexicon, rules, tile_set))
    game = read_game(
        files,
        players,
        rules,
        tile_set,
        args.reader,
        texts,
        keep_pictures=bool(args.overlay),
        tile_profile=args.tile_profile,
        finder=Finder.of(args.corners, args.refine_corners, args.camera, args.markers),
        referee=referee,
        notation=notation,
    )
    result = game.recounted(answers)
    if args.ask:
        result = _asked(game, result, answers, args.answers, texts)
    verdicts = open_verdicts(result, referee)
    blanks = open_blanks(result.board, rules, TILE_SETS[args.tiles], referee)
    if args.overlay:
        write_overlays(result, args.overlay, texts)
    if args.json:
        data = as_json(result, lambda entry: ask(entry, texts), referee.lists, verdicts, blanks)
        print(json.dumps(data, ensure_ascii=False, indent=1))
    else:
        print_sheet(result, texts, referee.lists, verdicts, blanks)
    if args.report:
        report(result, files, args.report, texts, args.reader, referee.lists, verdicts)
        print(texts("report.written", path=args.report), file=sys.stderr if args.json else sys.stdout)
    return 0 if all(entry.observation.found for entry in result.entries) else 3


def _refuse_unwritable(args: argparse.Namespace, files: Sequence[Path]) -> None:
    """BrettblickError where something cannot be written, or would overwrite what was named: before the work, not after
    it."""
    from assistant.report import refuse_unwritable

    named = [path for path in (*files, args.answers, args.tile_profile, args.camera) if path is not None]
    if args.report:
        refuse_unwritable(args.report)
        refuse_overwriting(args.report, named)
        if args.answers and args.report.absolute() == args.answers.absolute():
            raise BrettblickError("one file for the report and the answers", code="would-overwrite", path=args.report)
    if args.answers and args.ask:
        refuse_unwritable(args.answers)
    if args.overlay:
        overlay_files(args.overlay, files)


def recount_photos(
    files: list[Path],
    players: list[str],
    rules: RuleSet,
    tile_set: TileSet,
    reader_name: str,
    texts: Texts,
    keep_pictures: bool,
    tile_profile: Path | None = None,
    finder: Finder | None = None,
    referee: Referee | None = None,
) -> Recount:
    """Reads the photos, with progress, and counts the game: see `read_game`."""
    game = read_game(files, players, rules, tile_set, reader_name, texts, keep_pictures, tile_profile, finder, referee)
    return game.recounted({})


def _asked(game: ReadGame, result: Recount, answers: Written, path: Path | None, texts: Texts) -> Recount:
    """The score sheet after the open questions were asked on the terminal; the answers are kept in a file if there is
    one, else shown."""
    from assistant.answers import as_text, write_answers
    from assistant.asking import Interview, Stopped

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    def hear(prompt: str) -> str:
        print(prompt, end="", file=sys.stderr, flush=True)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            line = ""
        if not line:
            say("")
            raise Stopped
        return line

    def keep(written: Written) -> None:
        if path is not None:
            write_answers(path, written)

    result, written = Interview(game.recounted, texts, say, hear, keep, game.notation).run(result, answers)
    if written is not answers:
        say("")
        say(texts("ask.kept", path=path) if path else texts("ask.to-keep") + "\n" + as_text(written))
    return result


def read_game(
    files: list[Path],
    players: list[str],
    rules: RuleSet,
    tile_set: TileSet,
    reader_name: str,
    texts: Texts,
    keep_pictures: bool,
    tile_profile: Path | None = None,
    finder: Finder | None = None,
    referee: Referee | None = None,
    notation: Notation | None = None,
) -> ReadGame:
    """Reads the photos of a game, with progress.

    keep_pictures: for overlays; a long game's pictures take hundreds of megabytes
    tile_profile: file of `brettblick calibrate tiles`
    finder: how the board is found; on its own if None
    referee: has the word lists that may have a say about letters the photos leave open; none if None
    notation: of moves in answers, German if None
    """
    from assistant.answers import ReadGame
    from assistant.engines import Finder, make_reader, with_fit
    from assistant.lexicon.german import letter_model
    from scorer.errors import GameError
    from scorer.game import Game
    from scorer.letter_model import prior_of
    from scorer.notation import Notation
    from scorer.tiles import GERMAN_102
    from vision.observe import observe

    names = tuple(name.strip() for name in players)
    Game(names, rules, tile_set)  # refuses a bad list of players before the photos are read
    if not all(names):
        raise GameError("a player without a name", code="bad-players")
    reader, finder = make_reader(reader_name, tile_profile, tile_set.name), finder or Finder()
    observations = []
    for path in with_progress(files, len(files), texts("progress.read")):
        seen = with_fit(finder.checked(observe(path, finder.locator(path), reader, tile_set)))
        if not seen.found:
            print(explain_failure(seen, texts), file=sys.stderr)
        observations.append(seen if keep_pictures else replace(seen, photo=None))
    if misfits := sum("profile-misfit" in seen.warnings for seen in observations):
        print(texts("recount.profile-misfit", count=misfits, all=len(observations)), file=sys.stderr)
    german = tile_set.letters == GERMAN_102.letters
    prior = prior_of(letter_model(), rules, referee) if german else None
    return ReadGame(observations, names, rules, tile_set, reader, prior, notation or Notation.GERMAN)


def write_overlays(result: Recount, folder: Path, texts: Texts) -> list[Path]:
    """One picture a photo with everything found drawn on it; of a photo without a board, why there is none."""
    from assistant.advice import overlay
    from vision.overlay import save

    out = []
    paths = overlay_files(folder, [Path(entry.observation.name) for entry in result.entries])
    for entry, path in zip(result.entries, paths, strict=True):
        if entry.observation.photo is not None:
            save(path, overlay(entry.observation, texts, entry.play.placement.squares if entry.play else ()))
            out.append(path)
    return out


def report(
    result: Recount,
    files: Sequence[Path],
    path: Path,
    texts: Texts,
    reader_name: str = "network",
    lists: Sequence[WordList] = (),
    verdicts: Mapping[str, Verdict] = MappingProxyType({}),
) -> None:
    """Writes the report, with progress; the photos are decoded again, one after the other."""
    from assistant.report import Asked, write_report
    from calibration.tiles import fingerprint
    from vision.onnx_reader import default_model

    print(texts("progress.report"), file=sys.stderr, flush=True)
    model = fingerprint(default_model()) if reader_name == "network" else ""
    write_report(result, files, path, texts, Asked(lists, verdicts, model))


def print_sheet(
    result: Recount,
    texts: Texts,
    lists: Sequence[WordList] = (),
    verdicts: Mapping[str, Verdict] = MappingProxyType({}),
    blanks: Sequence[OpenBlank] = (),
    to_answer: str | None = None,
) -> None:
    """The score sheet for people, with the open questions below it; where the dictionary is open, also what its lists
    do not simply allow.

    to_answer: how to answer the questions; None for how ``recount`` takes answers
    """
    from rich.table import Table
    from rich.text import Text

    from assistant.advice import advice
    from assistant.notes import (
        blank_text,
        check_text,
        move_text,
        notes_of,
        photo_name,
        remarks,
        totals_before,
        what_it_is,
        words_text,
    )
    from assistant.questions import ask
    from assistant.terminal import Console

    table = Table(title=texts("sheet.title", rules=title(result.rules, texts)), title_justify="left")
    for key in ("photo", "player", "move", "words", "points"):
        table.add_column(texts(f"sheet.{key}"), justify="right" if key == "points" else "left", overflow="fold")
    for name in result.players:
        table.add_column(name, justify="right", overflow="fold")
    questions, notes = [], []
    for entry in result.entries:
        play, question, photo = entry.play, ask(entry, texts), photo_name(entry)
        if question:
            questions.append(f"{photo}: {question}")
            questions += [f"  {texts('sheet.tip', advice=tip)}" for tip in advice(entry.observation, texts)]
        notes += [f"{photo}: {note}" for note in notes_of(entry, result, texts)]
        for earlier, totals in zip(entry.before, totals_before(entry), strict=True):
            said = [texts("sheet.no-photo")] + [texts("sheet.taken-back")] * earlier.withdrawn
            table.add_row(
                "-",
                result.players[earlier.player],
                Text(f"{move_text(earlier.play)} ({'; '.join(said)})"),
                words_text(earlier.play),
                str(earlier.play.score) if entry.counted else "?",
                *map(str, totals),
            )
        move, said = what_it_is(entry, texts), remarks(entry, texts)
        table.add_row(
            photo,
            "" if entry.player is None else result.players[entry.player],
            Text(move + (f" ({'; '.join(said)})" if said else ""), style="dim" if play is None else ""),
            words_text(play) if play else "",
            ("?" if not entry.counted else str(play.score)) if play else "",
            *map(str, entry.totals),
        )
    notes += [check_text(check, result, texts) for check in result.checks]
    notes += [blank_text(blank, texts) for blank in blanks]
    table.add_section()
    table.add_row(texts("sheet.final"), "", "", "", "", *map(str, result.totals), style="bold")
    console = Console()
    console.print(table)
    console.print(texts("sheet.no-rack"), style="dim")
    if questions:
        console.print(texts("sheet.questions") + ":", style="bold")
        for line in questions:
            console.print(f"  {line}")
        console.print(to_answer or texts("ask.how"), style="dim")
    if notes:
        console.print(texts("sheet.notes") + ":", style="bold")
        for line in notes:
            console.print(f"  {line}")
    if lists and not result.rules.open_dictionary:
        console.print(texts("sheet.closed-dictionary"), style="dim")
    elif verdicts:
        asked = ", ".join(one.title for one in lists)
        doubted = [verdict_text(one, texts) for one in verdicts.values() if one.answer != "valid"]
        words_of = (word.capitals for entry in result.entries if entry.play for word in entry.play.words)
        found = "all-words-found" if all(word in verdicts for word in words_of) else "whole-words-found"
        console.print(texts(f"sheet.{'words-to-discuss' if doubted else found}", lists=asked), style="bold")
        for line in doubted:
            console.print(f"  {line}")
