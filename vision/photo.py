"""Photo files into pixels."""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np
from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from vision.errors import PhotoError
from vision.pixels import Pixels

MAX_PIXELS = 120_000_000
"""Largest photo that is decoded (phones reach 108 megapixels); a guard against decompression bombs."""

WORKING_SIDE = 1000
"""A JPEG is decoded at 1/2, 1/4 or 1/8 size, another picture shrunk, as long as its longer side stays above this many
pixels. A board that fills half of it has 33 pixels a square then; the reader wants 36 and is content with 20."""

LARGER_SIDE = 2000
"""The same for a photo in which the board is small."""


@dataclass(frozen=True)
class Photo:
    """A decoded photo, upright by its EXIF flag.

    pixels: (h, w, 3) uint8, BGR, possibly decoded at reduced size
    width, height: pixels of the photo at full size, upright; all corners given to the outside are in these
    scale: pixels here per pixel of the full photo (1.0, or about 0.5, 0.25, ...)
    taken: when, by the camera's clock, in the time of the place; None when the file does not say
    digest: SHA-256 of the file as it was decoded, hexadecimal; empty when the pixels come from elsewhere
    """

    name: str
    pixels: Pixels
    width: int
    height: int
    taken: datetime | None = None
    digest: str = ""

    @property
    def scale(self) -> float:
        return self.pixels.shape[1] / self.width


def load_photo(path: str | Path, side: int = WORKING_SIDE) -> Photo:
    """Reads and decodes one photo file, its longer side above `side` pixels; PhotoError says what is wrong with it."""
    return decode(photo_bytes(path), str(path), side)


def photo_bytes(path: str | Path) -> bytes:
    """The whole file; PhotoError when it cannot be opened."""
    path = Path(path)
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise PhotoError(f"{path}: no such file", code="missing-file", hint="Check the name.", path=path) from error
    except OSError as error:
        raise PhotoError(f"{path}: cannot be opened ({error.strerror})", path=path, why=error.strerror) from error


def digest(data: bytes) -> str:
    """SHA-256 of a file's bytes, hexadecimal: what `sha256sum` and every other system's own command print, so that
    anybody can check which photo is meant. It takes a millisecond and a half a megabyte; BLAKE2b takes no less."""
    return hashlib.sha256(data).hexdigest()


def decode(data: bytes, name: str = "photo", side: int = WORKING_SIDE) -> Photo:
    """Decodes the bytes of a JPEG, PNG, WebP, ... into an upright Photo; raises PhotoError.

    EXIF orientation: CIPA DC-008 (Exif 2.32), tag 0x0112.
    """
    if not data:
        raise PhotoError(f"{name}: the file is empty", hint="Copy the photo again.", path=name, why="empty file")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd metadata is no matter; our own size limit is lower than Pillow's
            return _decoded(data, name, side)
    except PhotoError:
        raise
    except UnidentifiedImageError as error:
        raise PhotoError(
            f"{name}: not a picture in a known format", hint="Save it as JPEG or PNG.", path=name, why="unknown format"
        ) from error
    except (OSError, SyntaxError, ValueError, OverflowError, Image.DecompressionBombError, MemoryError) as error:
        raise PhotoError(
            f"{name}: damaged picture ({error})",
            hint="Copy the photo again or take another one.",
            path=name,
            why=str(error),
        ) from error


def _decoded(data: bytes, name: str, side: int) -> Photo:
    image = Image.open(io.BytesIO(data))
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise PhotoError(
            f"{name}: {width} x {height} pixels are too many (limit {MAX_PIXELS // 1_000_000} megapixels)",
            code="too-large", hint="Make the photo smaller.", path=name, width=width, height=height,
        )  # fmt: skip
    quarter_turned = image.getexif().get(ExifTags.Base.Orientation, 1) in (5, 6, 7, 8)
    factor = max(width, height) // side
    if factor > 1:
        image.draft("RGB", (max(1, width // factor), max(1, height // factor)))  # JPEG only: decodes fewer coefficients
    small = _shrunk(image, side)
    # both of these copy the picture even where there is nothing to do
    upright = ImageOps.exif_transpose(small) if small.getexif().get(ExifTags.Base.Orientation, 1) != 1 else small
    upright = upright if upright.mode == "RGB" else upright.convert("RGB")
    if quarter_turned:
        width, height = height, width
    pixels = cv2.cvtColor(np.asarray(upright), cv2.COLOR_RGB2BGR)
    return Photo(name, pixels, width, height, _taken(image), digest(data))


TIME = re.compile(r"(\d{4})[:/-](\d\d)[:/-](\d\d)[ T](\d\d):(\d\d):(\d\d)", re.ASCII)
"""As Exif writes it, and as some programs do."""


def taken(data: bytes) -> datetime | None:
    """When the photo in these bytes was taken, as far as that can be told even where it cannot be decoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _taken(Image.open(io.BytesIO(data)))
    except Exception:  # Pillow raises whatever its parsers raise; an unreadable file has no time
        return None


def _taken(image: Image.Image) -> datetime | None:
    """The time of taking, else that of digitizing, with its fraction of a second (Exif 2.32, 4.6.6, tags 0x9003,
    0x9291, 0x9004, 0x9292). The time of the last change (0x0132) is none: editing moves it."""
    try:
        exif = image.getexif().get_ifd(ExifTags.IFD.Exif)
    except Exception:  # as above; metadata must never cost the photo
        return None
    for whole, fraction in (
        (ExifTags.Base.DateTimeOriginal, ExifTags.Base.SubsecTimeOriginal),
        (ExifTags.Base.DateTimeDigitized, ExifTags.Base.SubsecTimeDigitized),
    ):
        found = TIME.match(_text(exif.get(whole)))
        digits = re.match(r"\d+", _text(exif.get(fraction)), re.ASCII)
        try:
            if found:
                year, month, day, hour, minute, second = map(int, found.groups())
                micro = int(digits[0][:6].ljust(6, "0")) if digits else 0
                return datetime(year, month, day, hour, minute, second, micro)
        except ValueError:  # 0000:00:00, where a camera has no clock
            continue
    return None


def _text(value: object) -> str:
    if isinstance(value, bytes):
        value = value.decode("ascii", "replace")
    return value.strip() if isinstance(value, str) else ""


def _shrunk(image: Image.Image, side: int) -> Image.Image:
    """The picture by area with its longer side above `side` still: of a large one no second copy is ever made."""
    factor = max(image.size) // side
    if factor < 2:
        return image
    exif = image.getexif()
    small = (image if image.mode in ("RGB", "RGBA", "L") else image.convert("RGB")).reduce(factor)
    small.info["exif"] = exif.tobytes()
    return small
