"""The profile of one set of tiles: what `vision.adapt` learnt of it, as a file; and how it is made from photos.

The file is JSON: what people want to know (name, date, set, photos, letters) in plain text, the numbers as base64 of
little-endian 32-bit floats. It goes with the weights of the reader that it was made with, named by their SHA-256, and
is refused by any other: the numbers mean nothing there.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.profile_file import write_whole
from scorer.errors import BrettblickError
from vision.adapt import DescribingReader, Examples, Prototypes, examples, learn
from vision.errors import ModelError
from vision.reading import BoardReading
from vision.rectify import BoardImage

FORMAT = "brettblick-tiles"
VERSION = 1

FEWEST_TILES = 8
"""Lettered tiles below which nothing is learnt."""

ARRAYS = ("middle", "metric", "vectors", "votes")


class TileProfileError(BrettblickError):
    """A profile that cannot be used, or photos that none can be made from."""

    code = "bad-tile-profile"


@dataclass(frozen=True)
class TileSetProfile:
    """What was learnt of one set of tiles, and from what.

    name:     as the user calls it
    made:     day, ISO 8601
    tile_set: name of the tile set (`scorer.tiles.TILE_SETS`)
    model:    fingerprint of the reader's weights
    photos:   file names of the photos it was made from
    """

    name: str
    made: str
    tile_set: str
    model: str
    photos: tuple[str, ...]
    prototypes: Prototypes

    def to_json(self) -> str:
        """The text of the file."""
        learnt = self.prototypes
        content = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "made": self.made,
            "tile_set": self.tile_set,
            "model": self.model,
            "photos": self.photos,
            "tiles": dict(zip(learnt.letters, learnt.counts, strict=True)),
            "classes": "".join(learnt.classes),
            **{key: _packed(getattr(learnt, key)) for key in ARRAYS},
        }
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> TileSetProfile:
        """The inverse of `to_json`; TileProfileError says why a text is no profile, or not one of this version."""
        try:
            content = json.loads(text)
        except ValueError as error:
            raise TileProfileError(f"no JSON ({error})", why=f"no JSON ({error})") from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise TileProfileError("not a profile of tiles", why="not a profile of tiles")
        if content.get("version") != VERSION:
            raise TileProfileError(
                f"version {content.get('version')} of the format, this Brettblick knows {VERSION}",
                code="tile-profile-version",
                version=content.get("version"),
                known=VERSION,
            )
        try:
            tiles = {str(letter): int(count) for letter, count in content["tiles"].items()}
            learnt = Prototypes(
                tuple(content["classes"]),
                tuple(tiles),
                tuple(tiles.values()),
                **{key: _unpacked(content[key]) for key in ARRAYS},
            )
            texts = {key: str(content[key]) for key in ("name", "made", "tile_set", "model")}
            return cls(**texts, photos=tuple(map(str, content["photos"])), prototypes=learnt)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            why = f"{type(error).__name__}: {error}"
            raise TileProfileError(why, why=why) from error

    def save(self, path: str | Path) -> None:
        """Writes the file whole or not at all; TileProfileError when it cannot be written."""
        write_whole(path, self.to_json(), TileProfileError)


@dataclass(frozen=True)
class KnownBoard:
    """A photo of which the tiles are known: its flat picture, what the reader says of it, what lies on it (15 rows)."""

    photo: str
    board: BoardImage
    reading: BoardReading
    rows: tuple[str, ...]

    def examples(self, reader: DescribingReader) -> Examples:
        return examples(self.board, self.reading, self.rows, reader)


def learn_profile(boards: Sequence[KnownBoard], reader: DescribingReader, **about: str) -> TileSetProfile:
    """A profile from one photo or more of the same tiles; TileProfileError when they show too few.

    about: name, tile_set and model of the profile
    """
    found = [known.examples(reader) for known in boards]
    count = sum(len(one.letters) for one in found)
    if count < FEWEST_TILES:
        raise TileProfileError(
            f"{count} tiles can be learnt from, at least {FEWEST_TILES} are needed",
            code="too-few-tiles",
            hint="Lay more tiles.",
            count=count,
            needed=FEWEST_TILES,
        )
    return TileSetProfile(
        made=date.today().isoformat(), photos=tuple(known.photo for known in boards), prototypes=learn(found), **about
    )


def load_profile(path: str | Path, model: str, tile_set: str) -> TileSetProfile:
    """Reads and validates a profile for a reader with these weights (`fingerprint`) and a tile set.

    TileProfileError with what to do: the file is none, of another version, of other weights, of another tile set.
    """
    path = Path(path)
    try:
        profile = TileSetProfile.from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TileProfileError(f"{path}: {error.strerror}", code="missing-file", path=path) from error
    except UnicodeDecodeError as error:
        raise TileProfileError(f"{path}: no text", path=path, why="no text") from error
    except TileProfileError as error:
        error.message = f"{path}: {error.message}"
        error.details["path"] = path
        raise
    if profile.model != model:
        raise TileProfileError(
            f"{path}: made with another version of the reading model",
            code="tile-profile-model",
            hint="Make it again: brettblick calibrate tiles.",
            path=path,
        )
    if profile.tile_set != tile_set:
        raise TileProfileError(
            f"{path}: of the tile set {profile.tile_set}, not {tile_set}",
            code="tile-profile-set",
            path=path,
            made=profile.tile_set,
            wanted=tile_set,
        )
    return profile


def fingerprint(model: Path) -> str:
    """SHA-256 of the reader's weights: of the file, and of further stages that lie beside it under its name.

    ModelError when there is none.
    """
    total = hashlib.sha256()
    for path in sorted({model, *model.parent.glob(f"{model.stem}_*{model.suffix}")}):
        try:
            total.update(path.read_bytes())
        except OSError as error:
            raise ModelError(f"{path}: {error.strerror}", hint="Install Brettblick again.", path=path) from error
    return total.hexdigest()


def _packed(array: NDArray[np.float64]) -> dict[str, Any]:
    return {"shape": array.shape, "float32": base64.b64encode(array.astype("<f4").tobytes()).decode("ascii")}


def _unpacked(packed: dict[str, Any]) -> NDArray[np.float64]:
    """The inverse of `_packed`; ValueError for what is none."""
    try:
        data = base64.b64decode(packed["float32"], validate=True)
    except binascii.Error as error:
        raise ValueError(f"no base64 ({error})") from error
    return np.frombuffer(data, "<f4").reshape([int(n) for n in packed["shape"]]).astype(np.float64)
