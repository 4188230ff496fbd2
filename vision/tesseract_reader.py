"""Tesseract as a second, replaceable reading engine.

Slow (seconds a board) and blind to what is no letter: it cannot tell a blank tile from an empty square and says
so by doubting both. It stands beside the network to check it, and for letters the network was not trained on.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection

import cv2
import numpy as np

from scorer.board import Square
from vision.errors import EngineMissing
from vision.onnx_reader import DOUBT_BELOW
from vision.pixels import Pixels
from vision.reading import BLANK, COVERED, EMPTY, BoardReading, TileReader, empty_log_probs
from vision.rectify import CROP, MARGIN, PIXELS_PER_SQUARE, BoardImage

INK_HEIGHT = (0.38, 0.85)
"""Height of a tile's letter in squares; the print of premium squares is smaller, a whole tile larger."""


class TesseractReader(TileReader):
    """One call of Tesseract for all squares that hold a glyph of a letter's size (page of single characters)."""

    name = "tesseract"

    def __init__(self, language: str = "deu") -> None:
        self.language = language

    def read(self, board: BoardImage, letters: Collection[str]) -> BoardReading:
        import pytesseract

        if shutil.which("tesseract") is None:
            raise EngineMissing(
                "Tesseract is not installed", hint="apt-get install tesseract-ocr tesseract-ocr-deu", engine="tesseract"
            )
        classes = (EMPTY, BLANK, COVERED, *sorted(letters))
        out = empty_log_probs(classes)
        allowed = "".join(sorted(letters))
        crops = board.crops()
        for square in (Square(r, c) for r in range(15) for c in range(15)):
            glyph = letter_shape(crops[square])
            if glyph is None:  # nothing of a letter's size: empty, or a blank tile: Tesseract cannot say
                out[square][0], out[square][1] = np.log(0.8), np.log(0.19)
                continue
            data = pytesseract.image_to_data(
                glyph, lang=self.language, config=f"--psm 10 -c tessedit_char_whitelist={allowed}",
                output_type=pytesseract.Output.DICT,
            )  # fmt: skip
            found = [
                (t.strip(), float(c)) for t, c in zip(data["text"], data["conf"], strict=True) if t.strip() in classes
            ]
            if not found:
                out[square][:] = np.log(0.3 / len(letters))
                out[square][0], out[square][1] = np.log(0.4), np.log(0.3)
                continue
            char, percent = max(found, key=lambda pair: pair[1])
            sure = float(np.clip(percent / 100, 0.3, 0.98))
            out[square][:] = np.log((1 - sure) / len(classes))
            out[square][classes.index(char)] = np.log(sure)
        out -= np.logaddexp.reduce(out, axis=-1, keepdims=True)
        return BoardReading(out, classes, DOUBT_BELOW)


def letter_shape(crop: Pixels) -> Pixels | None:
    """Black letter on white, twice enlarged with a margin, from a crop; None when there is no glyph of that size.

    Otsu's threshold on the inner square; of both polarities the one whose glyph does not touch the edge. Blobs above
    the glyph (the dots of Ä, Ö, Ü) belong to it, the value digit at its lower right does not.
    """
    grey = cv2.cvtColor(np.ascontiguousarray(crop[MARGIN:-MARGIN, MARGIN:-MARGIN]), cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    side = 3 * PIXELS_PER_SQUARE
    for polarity in (cv2.THRESH_BINARY_INV, cv2.THRESH_BINARY):
        _, binary = cv2.threshold(grey, 0, 255, polarity | cv2.THRESH_OTSU)
        inside = grey[binary > 0]
        if len(inside) == 0 or abs(float(inside.mean()) - float(grey[binary == 0].mean())) < 25:
            continue
        count, marked, stats, _ = cv2.connectedComponentsWithStats(binary)
        best = None
        for k in range(1, count):
            x, y, w, h, area = stats[k]
            touches = x == 0 or y == 0 or x + w == side or y + h == side
            if (
                not touches
                and INK_HEIGHT[0] * side < h < INK_HEIGHT[1] * side
                and area > 0.02 * side * side
                and (best is None or h > stats[best][3])
            ):
                best = k
        if best is None:
            continue
        x, y, w, h, _ = stats[best]
        keep = marked == best
        for k in range(1, count):
            cx, cy = stats[k][0] + stats[k][2] / 2, stats[k][1] + stats[k][3]
            if k != best and x - 2 <= cx <= x + w + 2 and y - 0.3 * h < cy <= y + 2 and stats[k][4] > 20:
                keep |= marked == k
        shape = np.where(keep, 0, 255).astype(np.uint8)
        ys, xs = np.nonzero(keep)
        return cv2.copyMakeBorder(
            shape[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], *(CROP // 2,) * 4, cv2.BORDER_CONSTANT, value=255
        )
    return None
