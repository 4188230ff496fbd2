"""brettblick calibrate markers: a page to print, with four cards by which the board is found in any light."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.texts import LANGUAGES, Texts

if TYPE_CHECKING:  # drawing is imported when the page is drawn, not for --help
    from calibration.marker_sheet import SheetTexts


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("--out", required=True, type=Path, metavar="FILE.pdf", help=texts("help.markers-out"))
    parser.add_argument("--size", type=float, metavar="MM", help=texts("help.markers-size"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from calibration.marker_sheet import USUAL, draw_sheet, save_pdf

    own_first = sorted(LANGUAGES, key=lambda language: language != texts.language)
    size = USUAL if args.size is None else args.size
    page = draw_sheet([sheet_texts(Texts(language)) for language in own_first], size)
    save_pdf(page, args.out)
    print(texts("markers.written", path=args.out))
    for number, step in enumerate(steps(texts), 1):
        print(f"  {number}. {step}")
    return 0


def sheet_texts(texts: Texts) -> SheetTexts:
    """What the page says in the language of these texts."""
    from calibration.marker_sheet import SheetTexts

    corners = (
        texts("markers.top-left"),
        texts("markers.top-right"),
        texts("markers.bottom-right"),
        texts("markers.bottom-left"),
    )
    return SheetTexts(texts("markers.title"), steps(texts), corners, texts("markers.ruler"))


def steps(texts: Texts) -> tuple[str, ...]:
    """What to do with the page."""
    return texts("markers.print"), texts("markers.lay"), texts("markers.number"), texts("markers.photo")
