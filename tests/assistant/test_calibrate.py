"""`brettblick calibrate tiles` and what it is for: from a rendered photo of laid tiles to a profile that is used."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from assistant.cli import main
from models.table.demo import demo_params
from models.table.scene import render

GERMAN = ("AÄBCDEFGHIJKLMN", "OÖPQRSTUÜVWXYZ?")
Run = Callable[..., tuple[int, str, str]]


def photo(folder: Path, name: str, rows: Sequence[str]) -> Path:
    """A photo of the demo game's table with other tiles on the board."""
    filling = tuple(row.ljust(15, ".") for row in rows) + ("." * 15,) * (15 - len(rows))
    scene = render(replace(demo_params(3)[2], filling=filling))
    cv2.imwrite(str(folder / name), scene.pixels)
    return folder / name


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tiles")


@pytest.fixture(scope="module")
def laid(folder: Path) -> Path:
    return photo(folder, "laid.jpg", GERMAN)


@pytest.fixture(scope="module")
def profile(folder: Path, laid: Path) -> Path:
    assert main(["calibrate", "tiles", str(laid), "--out", str(folder / "mine.json"), "--name", "Omas Steine"]) == 0
    return folder / "mine.json"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*args: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([str(arg) for arg in args])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_a_laid_set_becomes_a_profile(profile: Path) -> None:
    content = json.loads(profile.read_text(encoding="utf-8"))
    assert content["name"] == "Omas Steine" and content["tile_set"] == "german" and content["photos"] == ["laid.jpg"]
    assert "".join(sorted(content["tiles"])) == "".join(sorted("".join(GERMAN).replace("?", "")))


def test_what_was_learnt_is_said_in_both_languages(run: Run, laid: Path, tmp_path: Path) -> None:
    status, german, _ = run("calibrate", "tiles", laid, "--out", tmp_path / "a.json")
    assert status == 0 and "29 Steine gelernt, 29 verschiedene Buchstaben" in german and "--tile-profile" in german
    english = run("--lang", "en", "calibrate", "tiles", laid, "--out", tmp_path / "b.json")[1]
    assert "29 tiles learnt, 29 different letters" in english
    first, second = (json.loads((tmp_path / f"{name}.json").read_text()) for name in "ab")
    assert {**first, "name": ""} == {**second, "name": ""}


def test_a_photo_of_the_same_set_is_read_with_the_profile_as_without(
    run: Run, profile: Path, demo_photos: list[Path]
) -> None:
    plain = json.loads(run("read", demo_photos[-1], "--json")[1])
    status, out, err = run("read", demo_photos[-1], "--json", "--tile-profile", profile)
    adapted = json.loads(out)
    assert status == 0 and err == "" and adapted["board"] == plain["board"] and adapted["warnings"] == plain["warnings"]
    assert {tuple(square) for square in adapted["doubtful"]} <= {tuple(square) for square in plain["doubtful"]}


def test_a_game_is_counted_with_the_profile(run: Run, profile: Path, demo_photos: list[Path]) -> None:
    status, out, err = run("recount", *demo_photos[:3], "--json", "--tile-profile", profile)
    said = [line for line in err.splitlines() if not line.startswith("Lese Fotos ")]  # progress, on a slow machine
    assert status == 0 and said == [] and json.loads(out)["totals"] == {"A": 22, "B": 71}


def test_a_profile_of_other_tiles_is_not_used_and_that_is_said(
    run: Run, profile: Path, demo_photos: list[Path], tmp_path: Path
) -> None:
    """Prototypes that point another way are those of other tiles."""
    content = json.loads(profile.read_text(encoding="utf-8"))
    letters = list(content["tiles"])
    content["tiles"] = dict.fromkeys(letters[1:] + letters[:1], 1)
    (tmp_path / "other.json").write_text(json.dumps(content), encoding="utf-8")
    plain, adapted = (
        json.loads(run("read", demo_photos[-1], "--json", *extra)[1])
        for extra in ([], ["--tile-profile", tmp_path / "other.json"])
    )
    assert adapted["warnings"] == ["profile-misfit"] and adapted["board"] == plain["board"]
    assert "Profil passt nicht" in run("read", demo_photos[-1], "--tile-profile", tmp_path / "other.json")[1].replace(
        "\n", " "
    )
    status, _, err = run("recount", *demo_photos[-2:], "--tile-profile", tmp_path / "other.json")
    assert status == 0 and "Auf 2 von 2 Fotos" in err


def test_a_confirmed_game_teaches_as_well(
    run: Run, demo_photos: list[Path], demo_truth: list[dict[str, object]], tmp_path: Path
) -> None:
    truth, out = tmp_path / "truth.json", tmp_path / "game.json"
    lines = [json.dumps({"photo": one["photo"], "board": one["board"]}) for one in demo_truth[-2:]]
    truth.write_text("\n".join(lines), encoding="utf-8")
    status, said, _ = run("calibrate", "tiles", *demo_photos[-2:], "--truth", truth, "--out", out)
    assert status == 0 and "Ohne Beispiel" in said
    content = json.loads(out.read_text(encoding="utf-8"))
    board = "".join(map(str, demo_truth[-1]["board"]))  # type: ignore[call-overload]
    assert content["photos"] == ["10.jpg", "11.jpg"] and set(content["tiles"]) == set(board) - {".", "?"}
    assert run("calibrate", "tiles", demo_photos[3], "--truth", truth, "--out", out)[0] == 2
    truth.write_text("\n".join(map(str, demo_truth[-1]["board"])), encoding="utf-8")  # type: ignore[call-overload]
    status, _, err = run("calibrate", "tiles", demo_photos[3], "--truth", truth, "--out", out)
    assert status == 2 and "03.jpg" in err


def test_an_order_of_ones_own(run: Run, folder: Path, tmp_path: Path) -> None:
    letters = "ENSIRATDHU"
    some = photo(folder, "some.jpg", (letters,))
    assert run("calibrate", "tiles", some, "--order", letters.lower(), "--out", tmp_path / "x.json")[0] == 0
    assert list(json.loads((tmp_path / "x.json").read_text())["tiles"]) == sorted(letters)
    for order in ("ABC", "ÄÖÜ1"):
        status, out, err = run("calibrate", "tiles", some, "--order", order, "--out", tmp_path / "y.json")
        assert status == 2 and out == "" and len(err.splitlines()) == 1
    assert not (tmp_path / "y.json").exists()


def test_a_missing_tile_is_noticed_and_nothing_is_written(
    run: Run, folder: Path, profile: Path, tmp_path: Path
) -> None:
    shifted = photo(folder, "shifted.jpg", ("AÄBCDFGHIJKLMNO", "ÖPQRSTUÜVWXYZ?"))
    before = shutil.copy(profile, tmp_path / "old.json").read_bytes()
    status, out, err = run("calibrate", "tiles", shifted, "--out", tmp_path / "old.json")
    assert status == 2 and out == "" and "shifted.jpg" in err and "A6" in err and len(err.splitlines()) == 1
    assert (tmp_path / "old.json").read_bytes() == before and len(list(tmp_path.iterdir())) == 1


def test_a_photo_without_a_board_ends_it(run: Run, laid: Path, tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("not a picture")
    for name in ("text.jpg", "none.jpg"):
        status, out, err = run("calibrate", "tiles", laid, tmp_path / name, "--out", tmp_path / "x.json")
        assert status == 3 and out == "" and name in err
    assert not (tmp_path / "x.json").exists()


def test_a_place_that_cannot_be_written_to_is_named_at_once(run: Run, tmp_path: Path) -> None:
    status, _, err = run("calibrate", "tiles", tmp_path / "none.jpg", "--out", tmp_path / "no" / "x.json")
    assert status == 2 and "x.json" in err


@pytest.mark.parametrize("extra", [["--tiles", "english"], ["--reader", "tesseract"]])
def test_a_profile_for_something_else_is_refused(run: Run, profile: Path, laid: Path, extra: list[str]) -> None:
    for command in ("read", "recount"):
        status, out, err = run(command, laid, "--tile-profile", profile, *extra)
        assert status == 2 and out == "" and len(err.splitlines()) == 1


def test_a_damaged_profile_is_refused(run: Run, profile: Path, laid: Path, tmp_path: Path) -> None:
    (tmp_path / "half.json").write_text(profile.read_text(encoding="utf-8")[:500], encoding="utf-8")
    for name in ("half.json", "none.json"):
        status, out, err = run("read", laid, "--tile-profile", tmp_path / name)
        assert status == 2 and out == "" and name in err


def test_the_help_tells_how_to_lay_the_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    for language, words in (("de", "Alphabet"), ("en", "alphabetical")):
        with pytest.raises(SystemExit):
            main(["--lang", language, "calibrate", "tiles", "--help"])
        assert words in capsys.readouterr().out
