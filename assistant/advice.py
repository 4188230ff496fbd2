"""What to do about a photo that is hard to read: one sentence for each thing found."""

from __future__ import annotations

from collections.abc import Collection

from assistant.texts import Texts
from scorer.board import Square
from scorer.notation import Notation, format_square
from vision.observe import Observation
from vision.overlay import LEGEND, draw_observation
from vision.pixels import Pixels
from vision.quality import CODES, largest_patch


def advice(seen: Observation, texts: Texts) -> list[str]:
    """One sentence a warning, with the place where there is one; none for warnings that are not about the photo."""
    places = {finding.code: finding.squares for finding in seen.findings}
    return [_sentence(code, places.get(code, ()), texts) for code in seen.warnings if code in CODES]


def all_warnings(seen: Observation, texts: Texts) -> list[str]:
    """One sentence a warning, whatever it is about, in the order of the warnings."""
    places = {finding.code: finding.squares for finding in seen.findings}
    return [_sentence(code, places.get(code, ()), texts) for code in seen.warnings]


def places(seen: Observation) -> dict[str, list[list[int]]]:
    """Code -> [row, col] of the squares concerned, for findings that have a place."""
    return {one.code: [[s.row, s.col] for s in sorted(one.squares)] for one in seen.findings if one.squares}


def overlay(seen: Observation, texts: Texts, new: Collection[Square] = ()) -> Pixels:
    """The photo with everything found drawn on it and explained; of a photo without a board, why there is none."""
    if not seen.found:
        return draw_observation(seen, caption=texts(f"reason.{seen.reason}"))
    words = {key: texts(f"overlay.{key}") for key in (*LEGEND, "up")}
    return draw_observation(seen, new, words | {"first": square_range([Square(0, 0)], texts)})


def square_range(squares: Collection[Square], texts: Texts) -> str:
    """The squares from the first row and column to the last, by their German names: "H8 bis K10", or "H8" for one."""
    rows, cols = {square.row for square in squares}, {square.col for square in squares}
    first = format_square(Square(min(rows), min(cols)), Notation.GERMAN)
    last = format_square(Square(max(rows), max(cols)), Notation.GERMAN)
    return first if first == last else texts("squares.range", first=first, last=last)


def _sentence(code: str, squares: Collection[Square], texts: Texts) -> str:
    """Of several separate places the largest is named."""
    if not squares or not texts.has(f"warning.{code}-at"):
        return texts(f"warning.{code}")
    patch = largest_patch(squares)
    named = square_range(patch, texts)
    return texts(
        f"warning.{code}-at", squares=named if len(patch) == len(squares) else texts("squares.more", squares=named)
    )
