"""What is written overwrites nothing that people named, and no link, pipe or device."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.answers import photo_key, read_answers, understood, write_answers
from assistant.cli import main
from assistant.files import write_whole
from assistant.lexicon import club
from assistant.photos import overlay_files, photo_files, refuse_overwriting
from assistant.texts import LANGUAGES, Texts
from scorer.errors import BrettblickError
from scorer.notation import Notation
from scorer.tiles import GERMAN_102
from vision.errors import PhotoError
from vision.overlay import save

NO_PHOTO = b"no photo"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two files named as photos, and another one of the first name in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "abend").mkdir()
    for name in ("01.jpg", "02.jpg", "abend/01.jpg"):
        (tmp_path / name).write_bytes(NO_PHOTO)
    return tmp_path


def test_hidden_files_of_a_folder_are_no_photos(folder: Path) -> None:
    for name in (".01.jpg", "._02.jpg", "notes.txt", "03.PNG"):
        (folder / name).write_bytes(NO_PHOTO)
    (folder / "04.jpg").mkdir()
    assert [path.name for path in photo_files([str(folder)])] == ["01.jpg", "02.jpg", "03.PNG"]
    assert photo_files([str(folder / ".01.jpg")]) == [folder / ".01.jpg"]  # whoever names it means it


def test_pictures_of_photos_of_one_name_have_files_of_their_own() -> None:
    photos = [Path("a/01.jpg"), Path("b/01.png"), Path("c/01.JPG"), Path("A/01-2.jpg"), Path("02.jpg")]
    names = [path.name for path in overlay_files(Path("drawn"), photos)]
    assert names == ["01.jpg", "01-2.jpg", "01-3.jpg", "01-2-2.jpg", "02.jpg"]


@pytest.mark.parametrize("command", ["read", "recount"])
def test_pictures_overwrite_no_photo(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "01.jpg", "02.jpg", "--overlay", "abend/.."]) == 2
    assert "01.jpg" in capsys.readouterr().err and (folder / "01.jpg").read_bytes() == NO_PHOTO


@pytest.mark.parametrize(
    "argv",
    [
        ["recount", "01.jpg", "02.jpg", "--report", "abend/../02.jpg"],
        ["recount", "abend", "01.jpg", "--report", "abend/01.jpg"],
        ["recount", "01.jpg", "--answers", "a.json", "--report", "a.json"],
        ["dispute", "01.jpg", "02.jpg", "--report", "01.jpg"],
    ],
)
def test_a_report_overwrites_nothing_that_was_named(
    argv: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.json").write_text("{}", encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert not out and "überschrieben" in err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_link_to_a_photo_is_the_photo(folder: Path) -> None:
    (folder / "link.html").symlink_to("01.jpg")
    with pytest.raises(BrettblickError) as caught:
        refuse_overwriting(folder / "link.html", [folder / "01.jpg"])
    assert caught.value.code == "would-overwrite"
    assert all("link.html" in Texts(language).error(caught.value) for language in LANGUAGES)
    refuse_overwriting(folder / "new.html", [folder / "01.jpg"])


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "report.html").write_bytes(b"old")
    (folder / "link.html").symlink_to("report.html")
    write_whole(folder / "link.html", b"new")
    assert (folder / "link.html").is_symlink() and (folder / "report.html").read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes of a name")
def test_a_pipe_gets_the_bytes_and_stays(folder: Path) -> None:
    pipe, heard = folder / "pipe", []
    os.mkfifo(pipe)
    listener = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    listener.start()
    write_whole(pipe, b"page")
    listener.join(10)
    assert heard == [b"page"] and pipe.is_fifo() and not list(folder.glob("*.new"))


def test_a_picture_of_a_photo_whose_name_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "drawn" / os.fsdecode(b"Caf\xe9.jpg")
    save(path, np.full((20, 30, 3), 200, np.uint8))
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None and picture.shape == (20, 30, 3)
    with pytest.raises(PhotoError) as caught:
        save(path / "a.jpg", np.zeros((2, 2, 3), np.uint8))
    assert caught.value.code == "cannot-write"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no rights of this kind")
def test_where_nobody_may_look_there_are_no_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    (data / "brettblick" / "lexicons").mkdir(parents=True)
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    root = os.geteuid() == 0  # who may look everywhere
    data.chmod(0)
    if root:
        os.seteuid(65534)
    try:
        found = club.kept()
    finally:
        if root:
            os.seteuid(0)
        data.chmod(0o700)
    assert found == []


def test_answers_of_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    names = [os.fsdecode(b"Caf\xe9.jpg"), "02.jpg"]
    written = {photo_key(0, names): {"H8": "E"}}
    write_answers(tmp_path / "a.json", written)
    assert read_answers(tmp_path / "a.json") == written
    assert set(understood(written, names, ("A", "B"), GERMAN_102, Notation.GERMAN)) == {0}


def test_an_answer_about_a_photo_that_was_named_twice_is_about_the_first() -> None:
    names = ["a/01.jpg", "a/01.jpg", "b/01.jpg"]
    said = {photo_key(k, names): "ok" for k in range(3)}
    assert set(understood(said, names, ("A", "B"), GERMAN_102, Notation.GERMAN)) == {0, 2}


@pytest.mark.parametrize("players", ["Anna,", ",Ben", "Anna,,Ben", " , "])
def test_every_player_has_a_name(players: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recount", "01.jpg", "--rules", "familie", "--players", players]) == 2
    assert "--players" in capsys.readouterr().err
