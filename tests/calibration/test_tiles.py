"""Profiles of tile sets as files: written whole, read back, and refused where they mean nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from calibration.tiles import KnownBoard, TileProfileError, TileSetProfile, fingerprint, learn_profile, load_profile
from tests.conftest import CLASSES, MakeReading
from vision.adapt import Prototypes
from vision.errors import ModelError
from vision.rectify import CROP, SIDE, BoardImage


@pytest.fixture(scope="module")
def profile() -> TileSetProfile:
    rng = np.random.default_rng(1)
    learnt = Prototypes(
        CLASSES, ("A", "Ä", "Q"), (3, 1, 1), rng.normal(0, 1, 6), rng.normal(0, 1, (6, 6)), rng.normal(0, 1, (3, 6)),
        rng.normal(0, 1, (3, 30)),
    )  # fmt: skip
    return TileSetProfile("Omas Steine", "2026-11-30", "german", "abc", ("1.jpg", "2.jpg"), learnt)


def test_a_profile_is_read_back_as_it_was_written(profile: TileSetProfile, tmp_path: Path) -> None:
    profile.save(tmp_path / "tiles.json")
    again = load_profile(tmp_path / "tiles.json", "abc", "german")
    assert again.to_json() == profile.to_json()
    assert (again.name, again.made, again.photos) == ("Omas Steine", "2026-11-30", ("1.jpg", "2.jpg"))
    assert again.prototypes.letters == ("A", "Ä", "Q") and again.prototypes.counts == (3, 1, 1)
    assert np.allclose(again.prototypes.votes, profile.prototypes.votes, atol=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == ["tiles.json"]


def test_people_can_read_what_a_profile_is(profile: TileSetProfile) -> None:
    content = json.loads(profile.to_json())
    assert content["name"] == "Omas Steine" and content["version"] == 1 and content["model"] == "abc"
    assert content["tiles"] == {"A": 3, "Ä": 1, "Q": 1}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"version": 2}, "tile-profile-version"), ({"model": "other"}, "tile-profile-model"),
        ({"tile_set": "english"}, "tile-profile-set"), ({"format": "x"}, "bad-tile-profile"),
        ({"votes": None}, "bad-tile-profile"), ({"photos": 3}, "bad-tile-profile"), ({"tiles": {}}, "bad-tile-profile"),
        ({"tiles": {"A": "x"}}, "bad-tile-profile"), ({"tiles": [1]}, "bad-tile-profile"),
        ({"classes": "AB"}, "bad-tile-profile"), ({"middle": {"shape": [6], "float32": "=!"}}, "bad-tile-profile"),
        ({"middle": {"shape": [6], "float32": "AAAA"}}, "bad-tile-profile"),
    ],
)  # fmt: skip
def test_a_profile_that_means_nothing_here_is_refused(
    profile: TileSetProfile, tmp_path: Path, change: dict[str, object], code: str
) -> None:
    path = tmp_path / "tiles.json"
    path.write_text(json.dumps({**json.loads(profile.to_json()), **change}), encoding="utf-8")
    with pytest.raises(TileProfileError) as caught:
        load_profile(path, "abc", "german")
    assert caught.value.code == code
    assert caught.value.details["path"] == path and "tiles.json" in caught.value.message


@pytest.mark.parametrize(
    "content", [b"", b"no json", b"[]", b"null", bytes(range(256)), b'{"format": "brettblick-tiles"}']
)
def test_a_file_that_is_no_profile_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tiles.json").write_bytes(content)
    with pytest.raises(TileProfileError):
        load_profile(tmp_path / "tiles.json", "abc", "german")
    with pytest.raises(TileProfileError) as caught:
        load_profile(tmp_path / "none.json", "abc", "german")
    assert caught.value.code == "missing-file"


def test_a_profile_is_written_whole_or_not_at_all(
    profile: TileSetProfile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tiles.json"
    path.write_text("the old one")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(TileProfileError) as caught:
        profile.save(path)
    assert caught.value.code == "cannot-write"
    assert path.read_text() == "the old one" and len(list(tmp_path.iterdir())) == 1
    with pytest.raises(TileProfileError):
        profile.save(path / "below a file.json")


def test_the_fingerprint_is_of_all_stages_of_the_model(tmp_path: Path) -> None:
    model = tmp_path / "reader.onnx"
    model.write_bytes(b"weights")
    alone = fingerprint(model)
    (tmp_path / "reader_context.onnx").write_bytes(b"more")
    (tmp_path / "other.onnx").write_bytes(b"no matter")
    both = fingerprint(model)
    assert len({alone, both}) == 2 and both == fingerprint(model)
    with pytest.raises(ModelError):
        fingerprint(tmp_path / "none.onnx")


class _Grey:
    """A reader to which all crops look alike."""

    name = "fake"

    def describe(self, crops: np.ndarray) -> np.ndarray:
        assert crops.shape[1:] == (CROP, CROP, 3)
        return np.ones((len(crops), 5), np.float32)


def test_too_few_tiles_are_refused(make_reading: MakeReading) -> None:
    picture = BoardImage(np.zeros((SIDE, SIDE, 3), np.uint8), 36)
    about = {"name": "x", "tile_set": "german", "model": "abc"}
    rows = ("ABCDEFGHIJ?????",) + ("." * 15,) * 14
    known = KnownBoard("1.jpg", picture, make_reading(rows), rows)
    made = learn_profile([known], _Grey(), **about)  # type: ignore[arg-type]
    assert made.photos == ("1.jpg",) and sum(made.prototypes.counts) == 10
    few = KnownBoard("2.jpg", picture, make_reading(rows), ("ABCDEFG???.....", *rows[1:]))
    with pytest.raises(TileProfileError) as caught:
        learn_profile([few], _Grey(), **about)  # type: ignore[arg-type]
    assert caught.value.details == {"count": 7, "needed": 8}
