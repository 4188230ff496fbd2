"""Decoding: EXIF turns and times, reduced size, and everything a file can have wrong with it."""

from __future__ import annotations

import hashlib
import io
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from scorer.tiles import GERMAN_102
from vision.errors import PhotoError
from vision.locator import BoardLocator, Location
from vision.observe import observe
from vision.onnx_reader import OnnxReader
from vision.photo import MAX_PIXELS, WORKING_SIDE, Photo, decode, load_photo, taken


def jpeg(width: int, height: int, orientation: int | None = None, **options: object) -> bytes:
    """A picture whose stored top-left quarter is red, the rest blue."""
    pixels = np.full((height, width, 3), (0, 0, 255), np.uint8)
    pixels[: height // 2, : width // 2] = (255, 0, 0)
    out, exif = io.BytesIO(), Image.Exif()
    if orientation:
        exif[0x0112] = orientation
    Image.fromarray(pixels).save(out, "JPEG", quality=95, exif=exif, **options)
    return out.getvalue()


# orientation -> where the stored top-left quarter is seen: (top?, left?), and whether the sides swap (Exif 2.32, 4.6.4)
SEEN = {1: (True, True, False), 2: (True, False, False), 3: (False, False, False), 4: (False, True, False),
        5: (True, True, True), 6: (True, False, True), 7: (False, False, True), 8: (False, True, True)}  # fmt: skip


@pytest.mark.parametrize("orientation", sorted(SEEN))
def test_exif_orientation_is_applied(orientation: int) -> None:
    top, left, swapped = SEEN[orientation]
    photo = decode(jpeg(80, 40, orientation))
    assert (photo.width, photo.height) == ((40, 80) if swapped else (80, 40))
    assert photo.pixels.shape == (photo.height, photo.width, 3)
    y = photo.height // 4 if top else photo.height * 3 // 4
    x = photo.width // 4 if left else photo.width * 3 // 4
    blue, _, red = photo.pixels[y, x]
    assert red > 200 > 60 > blue


def test_a_large_jpeg_is_decoded_smaller_and_keeps_its_full_size_in_mind() -> None:
    photo = decode(jpeg(3 * WORKING_SIDE, WORKING_SIDE, 6))
    assert (photo.width, photo.height) == (WORKING_SIDE, 3 * WORKING_SIDE)
    assert max(photo.pixels.shape[:2]) >= WORKING_SIDE
    assert photo.scale == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("size", [(60_000, 3), (2, 40_000)])
def test_a_strip_is_a_picture_too(size: tuple[int, int]) -> None:
    """However thin it is, it does not vanish where the picture is made smaller."""
    photo = decode(jpeg(*size))
    assert (photo.width, photo.height) == size and min(photo.pixels.shape[:2]) == 1


@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize("mode", ["RGB", "L", "P"])
def test_a_large_picture_of_another_kind_is_shrunk_and_upright(orientation: int, mode: str) -> None:
    image = Image.new("RGB", (4100, 500), (200, 200, 200))
    image.paste((10, 10, 10), (0, 0, 2050, 500))  # dark left half
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    buffer = io.BytesIO()
    image.convert(mode).save(buffer, "PNG", exif=exif.tobytes())
    photo = decode(buffer.getvalue(), side=2000)
    full, small = ((4100, 500), (250, 2050)) if orientation == 1 else ((500, 4100), (2050, 250))
    assert (photo.width, photo.height) == full and photo.pixels.shape == (*small, 3)
    assert photo.scale == 0.5
    first, last = photo.pixels[5, 5], photo.pixels[-5, -5]
    assert first.max() < 30 and last.min() > 170  # turned clockwise, the left half comes to the top


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "CMYK"])
def test_pictures_of_other_modes_become_colour(mode: str) -> None:
    out = io.BytesIO()
    Image.new(mode, (30, 20)).save(out, "TIFF" if mode == "CMYK" else "PNG")
    assert decode(out.getvalue()).pixels.shape == (20, 30, 3)


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("progressive", [False, True])
def test_a_truncated_jpeg_is_refused(keep: float, progressive: bool) -> None:
    rng = np.random.default_rng(0)
    out = io.BytesIO()
    Image.fromarray(rng.integers(0, 255, (200, 300, 3), np.uint8)).save(out, "JPEG", progressive=progressive)
    data = out.getvalue()
    with pytest.raises(PhotoError) as caught:
        decode(data[: int(len(data) * keep)], "cut.jpg")
    assert caught.value.code == "unreadable-file"
    assert "cut.jpg" in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"", b"hello, this is a text file\n" * 50, b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n" + b"\0" * 40]
)
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(PhotoError) as caught:
        decode(data)
    assert caught.value.code == "unreadable-file" and caught.value.exit_code == 3


def test_a_decompression_bomb_is_refused_before_it_is_unpacked() -> None:
    side = int(MAX_PIXELS**0.5) + 100
    out = io.BytesIO()
    Image.new("1", (side, side)).save(out, "PNG")
    assert len(out.getvalue()) < 100_000
    with pytest.raises(PhotoError) as caught:
        decode(out.getvalue())
    assert caught.value.code == "too-large"


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PhotoError) as caught:
        load_photo(tmp_path / "nothing.jpg")
    assert caught.value.code == "missing-file"
    with pytest.raises(PhotoError):
        load_photo(tmp_path)


@pytest.mark.parametrize("seed", range(40))
def test_random_damage_gives_a_photo_or_one_clear_error(seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = bytearray(jpeg(64, 48, 6))
    for place in rng.integers(0, len(data), 6):
        data[place] = rng.integers(0, 256)
    try:
        photo = decode(bytes(data))
    except PhotoError as error:
        assert error.message
    else:
        assert photo.pixels.dtype == np.uint8 and photo.pixels.ndim == 3


ORIGINAL, DIGITIZED = ExifTags.Base.DateTimeOriginal, ExifTags.Base.DateTimeDigitized
FRACTION, CHANGED = ExifTags.Base.SubsecTimeOriginal, ExifTags.Base.DateTime
NOON = datetime(2025, 12, 24, 12, 30, 5)


def timed(tags: dict[int, object], changed: str | None = None, form: str = "JPEG", width: int = 40) -> bytes:
    """A picture with these tags in its Exif part; `changed` is the time of the last change, which lies elsewhere."""
    out, exif = io.BytesIO(), Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif).update(tags)
    if changed:
        exif[CHANGED] = changed
    Image.new("RGB", (width, 30), (90, 120, 30)).save(out, form, exif=exif.tobytes())
    return out.getvalue()


@pytest.mark.parametrize(
    ("tags", "when"),
    [
        ({ORIGINAL: "2025:12:24 12:30:05"}, NOON),
        ({ORIGINAL: "2025:12:24 12:30:05", FRACTION: "24"}, NOON.replace(microsecond=240_000)),
        ({ORIGINAL: "2025:12:24 12:30:05", FRACTION: "007"}, NOON.replace(microsecond=7_000)),
        ({ORIGINAL: "2025:12:24 12:30:05", FRACTION: "123456789"}, NOON.replace(microsecond=123_456)),
        ({ORIGINAL: "2025:12:24 12:30:05", FRACTION: "  x "}, NOON),
        ({ORIGINAL: "2025:12:24 12:30:05", ExifTags.Base.OffsetTimeOriginal: "+09:00"}, NOON),
        ({DIGITIZED: "2025:12:24 12:30:05", ExifTags.Base.SubsecTimeDigitized: "5", FRACTION: "9"},
         NOON.replace(microsecond=500_000)),
        ({ORIGINAL: "2025:12:24 12:30:05", DIGITIZED: "2026:01:01 00:00:00"}, NOON),
        ({ORIGINAL: "0000:00:00 00:00:00", DIGITIZED: "2025:12:24 12:30:05"}, NOON),
        ({ORIGINAL: "2025-12-24T12:30:05+01:00"}, NOON),
        ({ORIGINAL: b"2025:12:24 12:30:05\0"}, NOON),
        ({ORIGINAL: "    :  :     :  :  "}, None),
        ({ORIGINAL: "2025:02:30 12:30:05"}, None),
        ({ORIGINAL: "2025:12:24 24:30:05"}, None),
        ({ORIGINAL: "24.12.2025 12:30"}, None),
        ({ORIGINAL: ""}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_when_a_photo_was_taken(tags: dict[int, object], when: datetime | None) -> None:
    data = timed(tags, changed="2030:01:01 00:00:00")
    assert decode(data).taken == when
    assert taken(data) == when


@pytest.mark.parametrize(("form", "width"), [("PNG", 40), ("WEBP", 40), ("PNG", 2 * WORKING_SIDE), ("TIFF", 40)])
def test_the_time_is_found_in_other_formats_and_in_pictures_that_are_shrunk(form: str, width: int) -> None:
    assert decode(timed({ORIGINAL: "2025:12:24 12:30:05"}, form=form, width=width)).taken == NOON


def test_a_broken_exif_part_costs_the_time_not_the_photo() -> None:
    data = timed({ORIGINAL: "2025:12:24 12:30:05"})
    at = data.index(b"Exif\0\0") + 6
    for length in (2, 6, 20, 40):  # header, first directory, the pointer to the second, the second
        broken = data[: at + length] + b"\xff" * 12 + data[at + length + 12 :]
        photo = decode(broken)
        assert photo.taken in (None, NOON) and (photo.width, photo.height) == (40, 30)


class _Nowhere(BoardLocator):
    def locate(self, photo: Photo) -> Location:
        return Location(None, reason="no-board")


def test_time_and_digest_stay_with_the_observation_found_or_not(tmp_path: Path) -> None:
    data = timed({ORIGINAL: "2025:12:24 12:30:05"}, width=1000)
    # a hash anybody can look up: of three bytes that are no picture (FIPS 180-2, appendix B.1)
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    files = {"whole.jpg": data, "cut.jpg": data[:-30], "abc.jpg": b"abc", "empty.jpg": b""}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    seen = {name: observe(tmp_path / name, _Nowhere(), OnnxReader(), GERMAN_102) for name in (*files, "none.jpg")}
    assert [one.reason for one in seen.values()] == ["no-board", *["unreadable-file"] * 3, "missing-file"]
    assert [one.taken for one in seen.values()] == [NOON, NOON, None, None, None]
    assert seen["abc.jpg"].digest == abc
    assert all(seen[name].digest == hashlib.sha256(content).hexdigest() for name, content in files.items())
    assert seen["none.jpg"].digest == ""
