"""The report as one HTML page with everything inside: no scripts, nothing from outside.

Each photo is in it once; where it is seen again, beside the move after it, the page points to it. What is marked on a
photo lies over it as lines, so it stays sharp however far a reader zooms in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.notes import tile_name
from assistant.recount import SURE, Recount, RecountEntry
from assistant.report.evidence import Asked, described, name, opened_photos, roles_of, whole_game
from assistant.report.pictures import Small
from assistant.texts import Texts
from scorer.board import Square
from scorer.tiles import BLANK, is_blank
from vision.steps import NO_MOVE

MARKS = {"lies": "lies", "new": "new", "before": "before", "asked": "doubt", "differs": "doubt", "nudged": "doubt"}
"""How a square is marked on its own photo, by its role; the last of several roles wins."""

LIKELY = 0.6
"""Probability below which a reading is called unsure."""

NAMED = 0.01
"""Other tiles below this probability are not worth a word."""


MOST_OTHERS = 3


@dataclass(frozen=True)
class Mark:
    """Squares on a photo that are marked alike.

    kind: lies, new, before, doubt or soon
    path: their common outline as SVG writes it, pixels; letters inside stay free
    tags: where a sign says that they are doubtful: middle and side of each, pixels
    """

    kind: str
    path: str
    tags: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class Figure:
    """A photo on the page.

    number: of the entry whose photo it is
    own:    the picture itself, else the one of that number is shown again
    """

    number: int
    own: bool
    small: Small
    caption: str
    alt: str
    marks: tuple[Mark, ...]
    kinds: tuple[str, ...]


def page(result: Recount, files: Sequence[Path], texts: Texts, asked: Asked) -> str:
    """The whole page. Photos are decoded one after the other, see ``assistant.report.evidence.evidence``."""
    from jinja2 import Environment, StrictUndefined

    entries, smalls, before = [], [], _photos_before(result.entries)
    for number, opened in enumerate(opened_photos(result, files)):
        entries.append(described(result.entries[number], opened, result, texts, asked))
        shown = {*roles_of(result.entries[number])}
        for later, earlier in enumerate(before):
            if earlier == number:
                shown |= set(_laid(result.entries[later]))
        smalls.append(opened.small(frozenset(shown)))
    game = whole_game(result, entries, texts, asked)
    figures = [_figures(number, before[number], result, smalls, texts) for number in range(len(entries))]
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((package_files(__package__) / "page.html.j2").read_text(encoding="utf-8"))
    return template.render(
        game=game,
        figures=figures,
        say=texts,
        tile_name=lambda char: tile_name(char, texts),
        level=lambda share: level(share, texts),
        how_sure=lambda square: how_sure(square, texts),
        taken=lambda time: taken_text(time, texts),
        one_move=sum(entry.kind not in ("start", NO_MOVE) for entry in result.entries) == 1,
    )


def how_sure(square: Mapping[str, Any], texts: Texts) -> tuple[str, list[str]]:
    """How sure the tile of a square of the evidence is, and what else it may be; "" where nothing is known."""
    shares = {one["tile"]: one["probability"] for one in square["candidates"]}
    tile = BLANK if square["tile"] and is_blank(square["tile"]) else square["tile"]
    others = [
        texts("report.also", tile=tile_name(char, texts), percent=percent(share, texts))
        for char, share in shares.items()
        if char != tile and share >= NAMED
    ]
    return level(shares[tile], texts) if tile in shares else "", others[:MOST_OTHERS]


def level(share: float, texts: Texts) -> str:
    """A probability in a word and as percent."""
    word = "sure" if share >= SURE else "likely" if share >= LIKELY else "open"
    return texts(f"report.level.{word}", percent=percent(share, texts))


def percent(share: float, texts: Texts) -> str:
    """A probability as percent, never 0 or 100: nothing is that sure."""
    if share > 0.999 or share < 0.01:
        key, value = ("report.percent-over", "99.9") if share > 0.5 else ("report.percent-under", "1")
    else:
        key, value = "report.percent", f"{share * 100:.1f}" if share > 0.99 else f"{share * 100:.0f}"
    return texts(key, value=value.replace(".", ",") if texts.language == "de" else value)


def taken_text(time: str, texts: Texts) -> str:
    """When a photo was taken. time: ISO 8601"""
    at = datetime.fromisoformat(time)
    parts = ("year", "month", "day", "hour", "minute", "second")
    return texts("report.taken", **{part: getattr(at, part) for part in parts})


def _photos_before(entries: Sequence[RecountEntry]) -> list[int | None]:
    """For each entry the number of the photo that shows the position before it; None where there is none, or where the
    photo shows no move."""
    out: list[int | None] = []
    last: int | None = None
    for number, entry in enumerate(entries):
        out.append(None if entry.kind == NO_MOVE else last)
        if entry.kind != NO_MOVE and entry.observation.found:
            last = number
    return out


def _laid(entry: RecountEntry) -> list[Square]:
    """The squares that get a tile."""
    return [square for square, roles in roles_of(entry).items() if {"new", "before"} & {*roles}]


def _figures(
    number: int, before: int | None, result: Recount, smalls: Sequence[Small | None], texts: Texts
) -> list[Figure]:
    """The photo before a move, if there is one, and its own."""
    out = []
    entry, own = result.entries[number], smalls[number]
    marks = {square: MARKS[roles[-1]] for square, roles in roles_of(entry).items()}
    if before is not None and (small := smalls[before]) is not None:
        soon = dict.fromkeys(_laid(entry), "soon")
        out.append(_figure(before, False, small, soon, result, "report.earlier", texts))
    if own is not None:
        out.append(_figure(number, True, own, marks, result, "report.own" if out else "report.alone", texts))
    return out


def _figure(
    number: int,
    own: bool,
    small: Small,
    marks: Mapping[Square, str],
    result: Recount,
    caption: str,
    texts: Texts,
) -> Figure:
    photo = Path(result.entries[number].observation.name).name
    kinds = tuple(dict.fromkeys(marks.values()))
    said = [
        texts("report.marked", mark=texts(f"report.mark.{kind}"), squares=_names(s for s in marks if marks[s] == kind))
        for kind in kinds
    ]
    drawn = tuple(
        outline(kind, {s: small.places[s] for s in marks if marks[s] == kind and s in small.places}) for kind in kinds
    )
    alt = texts("report.alt", photo=photo, marks="; ".join(said)).strip()
    return Figure(number, own, small, texts(caption, photo=photo), alt, drawn, kinds)


def _names(squares: Iterable[Square]) -> str:
    return ", ".join(name(square) for square in squares)


def outline(kind: str, places: Mapping[Square, NDArray[np.float64]]) -> Mark:
    """The mark around squares that are marked alike. places: corners (4, 2) of each, pixels, clockwise from the top
    left one. Edges between two of them are left out."""
    path = []
    for square, corners in places.items():
        for (rows, cols), start, end in EDGES:
            if Square(square.row + rows, square.col + cols) not in places:
                (x0, y0), (x1, y1) = corners[start], corners[end]
                path.append(f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}")
    tags = []
    for corners in places.values() if kind == "doubt" else ():
        x, y = map(float, corners.mean(axis=0))
        side = float(np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).mean())
        tags.append((round(x, 1), round(y, 1), round(side, 1)))
    return Mark(kind, "".join(path), tuple(tags))


EDGES = (((-1, 0), 0, 1), ((0, 1), 1, 2), ((1, 0), 2, 3), ((0, -1), 3, 0))
"""Rows and columns to the next square, and the two corners of the edge towards it."""
