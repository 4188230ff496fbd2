"""Our reader beside Tesseract on the same squares and beside decoding the photo: python -m bench.reader [PHOTO ...]

Without photos it renders a few tables, enlarged to 12 megapixels as a phone would take them. One thread each; the
ratios are of times taken in one run. Times are for orientation: ratios travel from machine to machine, they do not.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

os.environ["OMP_THREAD_LIMIT"] = "1"  # Tesseract's threads; its process inherits it

import cv2

from bench.photo import rendered_photos
from models.tile_reader.samples import best_seconds, decoding_seconds
from scorer.tiles import GERMAN_102
from vision.locate_learned import LearnedLocator
from vision.onnx_reader import OnnxReader
from vision.photo import load_photo
from vision.rectify import CROP, rectify
from vision.tesseract_reader import TesseractReader, letter_shape


@dataclass(frozen=True)
class Timing:
    """Seconds for one photo.

    decode: a plain cv2.imread of the file; network: both its stages on the 225 crops; reader: all of OnnxReader.read;
    tesseract: all of TesseractReader.read
    asked: squares that hold a glyph of a letter's size, which alone Tesseract is asked about
    same: share of the squares of which both engines say the same
    """

    decode: float
    network: float
    reader: float
    tesseract: float
    asked: int
    same: float


def timed(path: Path, reader: OnnxReader, runs: int) -> Timing | None:
    """None where no board is found. The board is turned as the network says it lies, for both engines alike."""
    photo, letters = load_photo(path), GERMAN_102.letters
    corners = LearnedLocator().locate(photo).corners
    if corners is None:
        return None
    board = rectify(photo.pixels, corners)
    board = board.turned(reader.read_turned(board, letters).quarters)
    start = time.perf_counter()
    other = TesseractReader().read(board, letters)
    tesseract = time.perf_counter() - start
    crops = board.crops().reshape(-1, CROP, CROP, 3)
    pairs = zip("".join(reader.read(board, letters).rows), "".join(other.rows), strict=True)
    return Timing(
        decode=decoding_seconds(path, runs),
        network=best_seconds(lambda: reader.compare(reader.describe(crops)), runs),
        reader=best_seconds(lambda: reader.read(board, letters), runs),
        tesseract=tesseract,
        asked=sum(letter_shape(crop) is not None for crop in crops),
        same=statistics.mean(ours == theirs for ours, theirs in pairs),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=7, help="of decoding and of the network; Tesseract runs once")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader = OnnxReader(threads=1)
    with tempfile.TemporaryDirectory() as folder:
        photos = args.photos or rendered_photos(Path(folder), 4)
        found = [timing for path in photos if (timing := timed(path, reader, args.runs))]
    if not found:
        parser.error("no photo with a board")
    for name in ("decode", "network", "reader", "tesseract"):
        print(f"{name:10} {1000 * statistics.median(getattr(timing, name) for timing in found):9.1f} ms")
    for what, above, below in (
        ("Tesseract over our reader, all 225 squares", "tesseract", "reader"),
        ("network alone over decoding the photo", "network", "decode"),
        ("our reader over decoding the photo", "reader", "decode"),
    ):
        ratios = [getattr(timing, above) / getattr(timing, below) for timing in found]
        print(f"{what}: median {statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}")
    print(
        f"{len(found)} of {len(photos)} photos with a board; Tesseract was asked about "
        f"{statistics.median(timing.asked for timing in found):.0f} of 225 squares, the others hold no glyph of a "
        f"letter's size; both say the same of {statistics.mean(timing.same for timing in found):.1%} of the squares"
    )


if __name__ == "__main__":
    main()
