"""brettblick calibrate tiles: photos of the user's own tiles in, a profile that adapts the reader to them out."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.read import READABLE
from assistant.photos import explain_failure, photo_files, refuse_overwriting, with_progress
from assistant.texts import Texts

if TYPE_CHECKING:  # vision is imported when a photo is read, not for --help
    from calibration.tile_layout import Misread, TileOrder
    from calibration.tiles import KnownBoard, TileSetProfile
    from scorer.tiles import TileSet
    from vision.observe import Observation
    from vision.onnx_reader import OnnxReader

SPOILING = ("turn-unsure", "board-cut-off")
"""Warnings with which a photo is not good enough to learn from."""


@dataclass(frozen=True)
class Lesson:
    """One photo to learn from, and which of its tiles the reader takes for others so far."""

    known: KnownBoard
    misread: tuple[Misread, ...]


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help=texts("help.photos"))
    parser.add_argument("--out", required=True, type=Path, metavar="FILE.json", help=texts("help.profile-out"))
    known = parser.add_mutually_exclusive_group()
    known.add_argument("--order", metavar="ABC...", help=texts("help.order"))
    known.add_argument("--truth", type=Path, metavar="FILE", help=texts("help.truth"))
    parser.add_argument("--tiles", choices=READABLE, default="german", help=texts("help.tiles"))
    parser.add_argument("--name", help=texts("help.profile-name"))
    parser.add_argument("--corners", metavar="FILE.json", help=texts("help.corners"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.engines import Finder
    from calibration.tile_layout import TileOrder, load_boards
    from calibration.tiles import TileProfileError, fingerprint, learn_profile
    from scorer.tiles import TILE_SETS
    from vision.observe import observe
    from vision.onnx_reader import OnnxReader

    files, tile_set, reader = photo_files(args.photos), TILE_SETS[args.tiles], OnnxReader()
    if not args.out.absolute().parent.is_dir():
        raise TileProfileError(f"{args.out}: no such folder", code="cannot-write", path=args.out)
    refuse_overwriting(args.out, files)
    finder = Finder.of(args.corners)
    boards = load_boards(args.truth, files) if args.truth else {}
    order = TileOrder.parse(args.order, tile_set) if args.order else TileOrder.of_set(tile_set)
    lessons = []
    for path in with_progress(files, len(files), texts("progress.read")):
        seen = observe(path, finder.locator(path), reader, tile_set)
        if seen.reading is None:
            print(explain_failure(seen, texts), file=sys.stderr)
        else:
            lessons.append(lesson(seen, boards.get(path), order, reader, tile_set, texts))
    if len(lessons) < len(files):  # nothing is learnt from a part of what was meant
        return 3
    about = {"name": args.name or args.out.stem, "tile_set": tile_set.name, "model": fingerprint(reader.model)}
    profile = learn_profile([one.known for one in lessons], reader, **about)
    profile.save(args.out)
    print_learnt(profile, args.out, lessons, reader, tile_set, texts)
    return 0


def lesson(
    seen: Observation,
    rows: tuple[str, ...] | None,
    order: TileOrder,
    reader: OnnxReader,
    tile_set: TileSet,
    texts: Texts,
) -> Lesson:
    """What can be learnt from a photo that was read: of these rows, or of tiles laid in this order.

    LayoutError when it cannot show them, or is not good enough to learn from.
    """
    from calibration.tile_layout import LayoutError, check
    from calibration.tiles import KnownBoard
    from vision.rectify import rectify

    assert seen.photo is not None and seen.corners is not None and seen.reading is not None
    for code in seen.warnings:
        why = texts(f"warning.{code}")
        if code in SPOILING:
            raise LayoutError(f"{seen.name}: {why}", code="lesson-unsure", photo=seen.name, why=why)
        print(f"{seen.name}: {why}", file=sys.stderr)
    laid = rows is None
    rows = rows or order.rows(seen.reading)
    misread = check(rows, seen.reading, seen.name, laid)
    board = rectify(seen.photo.pixels, seen.corners.scaled(seen.photo.scale))
    # the reader's word alone, before counting puts a doubt on anything
    return Lesson(KnownBoard(Path(seen.name).name, board, reader.read(board, tile_set.letters), rows), misread)


def print_learnt(
    profile: TileSetProfile,
    path: Path,
    lessons: list[Lesson],
    reader: OnnxReader,
    tile_set: TileSet,
    texts: Texts,
) -> None:
    """What was learnt, for people: what is read right now, what is not, what there was no tile of."""
    from scorer.notation import Notation, format_square
    from vision.adapt import AdaptedReader

    learnt = profile.prototypes
    print(texts("calibrate.learnt", path=path, tiles=sum(learnt.counts), letters=len(learnt.letters)))
    adapted = AdaptedReader(reader, learnt)
    for one in lessons:
        now = adapted.read(one.known.board, tile_set.letters) if one.misread else None
        for square, tile, read in one.misread:
            right = now is not None and now.rows[square.row][square.col] == tile
            key = "calibrate.right-now" if right else "calibrate.still-wrong"
            name = format_square(square, Notation.GERMAN)
            print("  " + texts(key, photo=one.known.photo, square=name, tile=tile, read=read))
    if not any(one.misread for one in lessons):
        print(texts("calibrate.all-right"))
    if missing := [letter for letter in tile_set.letters if letter not in learnt.letters]:
        print(texts("calibrate.without", letters=", ".join(missing)))
    print(texts("calibrate.use", path=path))
