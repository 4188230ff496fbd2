"""Games as files: nothing is lost on the way, and a file that is not whole or means harm is refused."""

from __future__ import annotations

import hashlib
import io
import json
import random
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.store.rows import Author, NewRow, NoSuchGame, StoredGame, StoreError
from assistant.store.store import Store
from scorer.errors import GameError

JPEG, PNG, OTHER = b"\xff\xd8\xff\xe0 a photo", b"\x89PNG\r\n\x1a\n a picture", b"RIFF1234WEBP a photo"

Edit = Callable[[dict[str, Any]], object]


def filled(store: Store) -> str:
    """The id of a game in the store, with three photos."""
    anna, ben = Author("phone-1", "Änne 🙂"), Author("phone-2", "Ben")
    one, two, three = (store.put_photo(data) for data in (JPEG, PNG, OTHER))
    game = store.create({"players": ["Änne 🙂", "Ben"]}, anna, "new", [NewRow("event", {"event": {"nr": 1}})])
    rows = [NewRow("photo", {"name": "<b>.jpg", "odd": "\ud83d"}, (two, one, two)), NewRow("photo", {}, (three,))]
    store.append(game, rows, expected=1, author=ben, request="r", clock={"left": [12.5, 0]})
    return game


def exported(store: Store, game: str) -> bytes:
    out = io.BytesIO()
    store.export(game, out)
    return out.getvalue()


@pytest.fixture
def archive(tmp_path: Path) -> bytes:
    store = Store.open(tmp_path / "source")
    data = exported(store, filled(store))
    store.close()
    return data


def without_id(game: StoredGame) -> tuple[object, ...]:
    head = game.head
    return head.created, head.changed, head.setup, head.version, game.rows, game.clock


def test_a_game_comes_back_as_it_went(store: Store, tmp_path: Path) -> None:
    game = filled(store)
    before, archive = store.load(game), exported(store, game)
    new = store.import_(io.BytesIO(archive))
    assert new != game and without_id(store.load(new)) == without_id(before)
    assert store.load(game) == before

    other = Store.open(tmp_path / "elsewhere")
    moved = other.import_(io.BytesIO(archive))
    assert without_id(other.load(moved)) == without_id(before)
    assert [other.photo(digest).read_bytes() for digest in before.rows[1].photos] == [PNG, JPEG, PNG]
    told = other.append(moved, [NewRow("typed", {})], expected=3, author=Author("x"), request="r")
    assert told.head.version == 4, "requests stay with the game they were for"
    assert exported(other, other.import_(io.BytesIO(archive))) == archive
    other.close()


def test_an_archive_can_be_read_without_brettblick(archive: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        names = {hashlib.sha256(data).hexdigest(): end for data, end in ((JPEG, "jpg"), (PNG, "png"), (OTHER, "webp"))}
        assert set(file.namelist()) == {"game.json", *(f"photos/{digest}.{end}" for digest, end in names.items())}
        content = json.loads(file.read("game.json"))
    assert (content["format"], content["version"]) == ("brettblick-table", 1)
    assert content["setup"]["players"] == ["Änne 🙂", "Ben"]
    assert [(row["number"], row["who"], row["kind"]) for row in content["rows"]] == [
        (1, "Änne 🙂", "event"),
        (2, "Ben", "photo"),
        (3, "Ben", "photo"),
    ]


def test_a_game_without_photos_or_rows(store: Store) -> None:
    game = store.create({}, Author(""), "")
    new = store.import_(io.BytesIO(exported(store, game)))
    assert without_id(store.load(new)) == without_id(store.load(game))
    with pytest.raises(NoSuchGame):
        store.export("nix", io.BytesIO())


def test_the_games_own_check_comes_before_anything_is_written(archive: bytes, tmp_path: Path) -> None:
    other, seen = Store.open(tmp_path / "elsewhere"), []

    def refuse(game: StoredGame) -> None:
        seen.append(game)
        raise GameError("it cannot be")

    with pytest.raises(GameError):
        other.import_(io.BytesIO(archive), refuse)
    assert len(seen[0].rows) == 3 and seen[0].head.version == 3
    assert nothing_in(other, tmp_path / "elsewhere")
    game = other.import_(io.BytesIO(archive), seen.append)
    assert other.load(game) == seen[1]
    other.close()


def test_a_packing_tools_folders_and_compression_do_no_harm(store: Store) -> None:
    game = filled(store)
    packed = {"photos/": b"", **members(exported(store, game))}
    data = zipped(packed, zipfile.ZIP_DEFLATED)
    assert without_id(store.load(store.import_(io.BytesIO(data)))) == without_id(store.load(game))


@pytest.mark.parametrize(
    "edit",
    [
        lambda game: game.update(format="brettblick-tiles"),
        lambda game: game.update(version="1"),
        lambda game: game.update(version=True),
        lambda game: game.pop("version"),
        lambda game: game.pop("clock"),
        lambda game: game.update(extra=1),
        lambda game: game.update(clock=[]),
        lambda game: game.update(setup=None),
        lambda game: game.update(setup={"x": "y" * 1_000_001}),
        lambda game: game.update(created="2026-05-01T12:00:00Z"),
        lambda game: game.update(created="2026-02-30T12:00:00.000Z"),
        lambda game: game.update(changed=1e9),
        lambda game: game.update(rows={}),
        lambda game: game.update(rows=[{}] * 100_001),
        lambda game: game["rows"].reverse(),
        lambda game: game["rows"].pop(0),
        lambda game: game["rows"].insert(1, game["rows"][0]),
        lambda game: game["rows"][0].update(number=True),
        lambda game: game["rows"][0].update(number=1.0),
        lambda game: game["rows"][0].update(number=2**40),
        lambda game: game["rows"][0].update(at="2026-05-01T12:00:00.000+02:00"),
        lambda game: game["rows"][0].update(at=None),
        lambda game: game["rows"][0].update(kind=""),
        lambda game: game["rows"][0].update(kind=["event"]),
        lambda game: game["rows"][0].update(device=None),
        lambda game: game["rows"][0].update(who="x" * 201),
        lambda game: game["rows"][0].update(body=[1]),
        lambda game: game["rows"][0].update(body={"x": 2**53 + 1}),
        lambda game: game["rows"][0].update(body={"x": "y" * 1_000_001}),
        lambda game: game["rows"][0].pop("body"),
        lambda game: game["rows"][0].update(body={}, more=1),
        lambda game: game["rows"].__setitem__(0, None),
        lambda game: game["rows"][1].update(photos="abc"),
        lambda game: game["rows"][1].update(photos=[1]),
        lambda game: game["rows"][1].update(photos=["../../../etc/passwd"]),
        lambda game: game["rows"][1].update(photos=["a" * 64]),
        lambda game: game["rows"][1].update(photos=game["rows"][1]["photos"] * 40),
        lambda game: game["rows"][2].update(photos=[]),
    ],
)
def test_a_game_that_cannot_be_is_refused(edit: Edit, archive: bytes, tmp_path: Path) -> None:
    packed = members(archive)
    content = json.loads(packed["game.json"])
    edit(content)
    refused(zipped(packed | {"game.json": json.dumps(content).encode()}), tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"\xff\xfe",
        b'{"format": "brettblick-table", "format": "brettblick-table"}',
        b"[" * 100_000,
        b'{"x":' * 100_000,
        b'{"x": NaN}',
        b'{"x": -Infinity}',
        b'{"x": 1e999}',
        b'{"x": ' + b"9" * 100_000 + b"}",
    ],
)
def test_json_that_is_none_or_means_harm_is_refused(text: bytes, archive: bytes, tmp_path: Path) -> None:
    refused(zipped(members(archive) | {"game.json": text}), tmp_path)


def test_a_later_version_is_named_as_such(archive: bytes, tmp_path: Path) -> None:
    packed = members(archive)
    content = json.loads(packed["game.json"]) | {"version": 2, "new": {}}
    refused(zipped(packed | {"game.json": json.dumps(content).encode()}), tmp_path, code="archive-newer")


def test_photos_must_be_those_that_the_rows_name(archive: bytes, tmp_path: Path) -> None:
    packed = members(archive)
    first, second = [name for name in packed if name.startswith("photos/")][:2]
    extra = hashlib.sha256(b"extra").hexdigest()
    for changed in (
        packed | {first: packed[second]},
        packed | {first: b""},
        packed | {f"photos/{extra}.jpg": b"extra"},
        {name: data for name, data in packed.items() if name != first},
        {name: data for name, data in packed.items() if name != "game.json"},
    ):
        refused(zipped(changed), tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "../{digest}.jpg",
        "/etc/{digest}.jpg",
        "photos/../{digest}.jpg",
        "photos\\{digest}.jpg",
        "photos/{digest}.jpg/..",
        "photos/{digest}",
        "photos/{digest}.jpg\0.png",
        "photos/{digest}.html.js",
        "PHOTOS/{digest}.jpg",
        "game.json/",
        "photos/x/",
        "readme.txt",
    ],
)
def test_names_that_are_not_ours_are_refused(name: str, archive: bytes, tmp_path: Path) -> None:
    packed = members(archive)
    digest = hashlib.sha256(JPEG).hexdigest()
    added = zipped(packed | {name.format(digest=digest): JPEG})
    renamed = zipped({(name.format(digest=digest) if digest in old else old): data for old, data in packed.items()})
    refused(added, tmp_path)
    refused(renamed, tmp_path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_are_there_twice_are_refused(archive: bytes, tmp_path: Path) -> None:
    packed = members(archive)
    for name in packed:
        out = io.BytesIO(archive)
        with zipfile.ZipFile(out, "a") as file:
            file.writestr(name, packed[name])
        refused(out.getvalue(), tmp_path)
    digest = hashlib.sha256(JPEG).hexdigest()
    refused(zipped(packed | {f"photos/{digest}.png": JPEG}), tmp_path)


def test_no_zip_and_cut_zips_are_refused(archive: bytes, tmp_path: Path) -> None:
    for data in (b"", b"PK", JPEG, b"PK\x05\x06", b"\0" * 100_000, archive + b"x" * 70_000):
        refused(data, tmp_path)
    for length in range(1, len(archive), 97):
        refused(archive[:length], tmp_path)


def test_a_flipped_bit_is_refused_or_harmless(archive: bytes, tmp_path: Path) -> None:
    """Some bits of a zip mean nothing to who reads it (dates, attributes); then the game is the same."""
    target, rng, same = Store.open(tmp_path / "elsewhere"), random.Random(8), 0
    first = target.import_(io.BytesIO(archive))
    before = without_id(target.load(first))
    target.delete(first)
    for _ in range(400):
        data = bytearray(archive)
        for _ in range(rng.choice((1, 1, 3))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path = tmp_path / "changed.zip"
        path.write_bytes(data)
        try:
            with path.open("rb") as file:
                new = target.import_(file)
        except StoreError as error:
            assert error.code in ("bad-archive", "archive-newer"), error
        else:
            same += 1
            assert without_id(target.load(new)) == before
    assert 0 < same < 200 and len(target.games()) == same
    target.close()


def test_bombs_are_refused_before_they_go_off(archive: bytes, tmp_path: Path) -> None:
    packed = members(archive)
    zeros = bytes(30_000_000)
    digest = hashlib.sha256(zeros).hexdigest()
    content = json.loads(packed["game.json"])
    content["rows"][1]["photos"].append(digest)
    grown = packed | {"game.json": json.dumps(content).encode(), f"photos/{digest}.bin": zeros}
    long_game = packed | {"game.json": b" " * 32_000_001}
    many = packed | {f"photos/{number:064x}.jpg": b"x" for number in range(10_001)}
    flood = packed | {f"photos/{number:064x}.jpg": b"" for number in range(20_000)}
    for data in (zipped(grown, zipfile.ZIP_DEFLATED), zipped(long_game, zipfile.ZIP_DEFLATED), zipped(many)):
        refused(data, tmp_path)
    data = zipped(flood)
    tracemalloc.start()
    refused(data, tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 4_000_000, "the list of files is not even read"
    tracemalloc.stop()

    lying = bytearray(zipped(packed | {"game.json": zeros}, zipfile.ZIP_DEFLATED))  # says to have 1000 bytes
    for at, offset in ((lying.index(b"PK\x03\x04"), 22), (lying.index(b"PK\x01\x02"), 24)):
        assert struct.unpack_from("<I", lying, at + offset)[0] == len(zeros)
        struct.pack_into("<I", lying, at + offset, 1000)
    tracemalloc.start()
    refused(bytes(lying), tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 4_000_000, "nor is more unpacked than it says to be"
    tracemalloc.stop()


def test_encryption_and_odd_compression_are_refused(archive: bytes, tmp_path: Path) -> None:
    packed = members(archive)
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        refused(zipped(packed, method), tmp_path)
    locked = bytearray(archive)
    for at, offset in ((locked.index(b"PK\x03\x04"), 6), (locked.index(b"PK\x01\x02"), 8)):
        locked[at + offset] |= 1
    refused(bytes(locked), tmp_path)
    big = io.BytesIO()
    with zipfile.ZipFile(big, "w") as file:
        for number in range(65_536):
            file.writestr(zipfile.ZipInfo(f"{number}"), b"")
    refused(big.getvalue(), tmp_path)


def test_a_photo_that_was_damaged_is_not_exported(store: Store) -> None:
    game = filled(store)
    store.photo(hashlib.sha256(PNG).hexdigest()).write_bytes(PNG[:-1])
    with pytest.raises(StoreError) as damaged:
        store.export(game, io.BytesIO())
    assert damaged.value.code == "photo-damaged"


def test_a_game_too_large_for_an_archive_is_told_so(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    game = store.create({}, Author(""), "", [NewRow("typed", {"x": "y" * 990_000})] * 33)
    with pytest.raises(StoreError) as large:
        store.export(game, io.BytesIO())
    assert large.value.code == "archive-too-large"
    store.close()


def members(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return {name: file.read(name) for name in file.namelist()}


def zipped(packed: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, data in packed.items():
            info = zipfile.ZipInfo("x")
            info.filename = info.orig_filename = name  # as it is: the constructor tames it
            info.compress_type = method
            file.writestr(info, data)
    return out.getvalue()


def refused(data: bytes, tmp_path: Path, code: str = "bad-archive") -> None:
    """The file is refused with this code, and nothing of it is left."""
    store = Store.open(tmp_path / "target")
    with pytest.raises(StoreError) as error:
        store.import_(io.BytesIO(data))
    assert error.value.code == code
    assert code != "bad-archive" or error.value.details["why"]
    assert nothing_in(store, tmp_path / "target")
    store.close()


def nothing_in(store: Store, folder: Path) -> bool:
    return store.games() == [] and not [path for path in (folder / "photos").rglob("*") if path.is_file()]
