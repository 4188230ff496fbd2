"""The command line as its users meet it: a process of its own, real files, exit statuses, no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def brettblick(*args: object, **env: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "assistant", *map(str, args)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, **env},
    )
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files that hold no readable board."""
    folder = tmp_path_factory.mktemp("bad")
    (folder / "text.jpg").write_text("not a picture\n" * 100)
    (folder / "empty.jpg").write_bytes(b"")
    rng = np.random.default_rng(1)
    grass = cv2.GaussianBlur(rng.integers(0, 255, (700, 900, 3)).astype(np.uint8), (0, 0), 6)
    cv2.imwrite(str(folder / "no-board.jpg"), grass)
    whole = cv2.imencode(".jpg", rng.integers(0, 255, (600, 800, 3)).astype(np.uint8))[1].tobytes()
    (folder / "truncated.jpg").write_bytes(whole[: len(whole) // 2])
    (folder / "nothing").mkdir()
    return folder


@pytest.mark.parametrize(
    ("name", "reason"),
    [("text.jpg", "unreadable-file"), ("empty.jpg", "unreadable-file"), ("truncated.jpg", "unreadable-file"),
     ("missing.jpg", "missing-file"), ("no-board.jpg", "no-board")],
)  # fmt: skip
def test_a_photo_without_a_reading_gives_a_line_a_reason_and_status_3(bad: Path, name: str, reason: str) -> None:
    done = brettblick("read", bad / name, "--json")
    assert done.returncode == 3
    out = json.loads(done.stdout)
    assert out["photo"] == str(bad / name)
    assert out["found"] is False and out["board"] is None and out["reason"] == reason
    assert len(done.stderr.splitlines()) == 1 and name in done.stderr


def test_every_photo_gives_its_line_in_the_order_given(bad: Path) -> None:
    names = ["text.jpg", "no-board.jpg", "missing.jpg"]
    done = brettblick("read", *(bad / name for name in names), "--json")
    assert [Path(json.loads(line)["photo"]).name for line in done.stdout.splitlines()] == names
    assert done.returncode == 3


def test_an_empty_folder_is_refused_in_one_line(bad: Path) -> None:
    for command in ("read", "recount"):
        done = brettblick(command, bad / "nothing")
        assert done.returncode == 2 and done.stdout == ""
        assert len(done.stderr.splitlines()) == 1 and "nothing" in done.stderr


def test_recount_gives_an_entry_for_each_unreadable_photo(bad: Path) -> None:
    done = brettblick("recount", bad / "text.jpg", bad / "no-board.jpg", "--json")
    out = json.loads(done.stdout)
    assert [move["kind"] for move in out["moves"]] == ["unclear", "unclear"]
    assert all(move["question"] for move in out["moves"])
    assert out["totals"] == {"A": 0, "B": 0}
    assert done.returncode == 3


@pytest.mark.parametrize("players", ["A", "A,A", "A,B,C,D,E"])
def test_a_bad_list_of_players_is_refused_before_reading(bad: Path, players: str) -> None:
    done = brettblick("recount", bad / "text.jpg", "--players", players)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "content", ["no json", "[]", '{"text.jpg": [[1, 2]]}', '{"text.jpg": [[0,0],[0,9],[9,9],[9,0]]}', '{"text.jpg": 5}']
)
def test_a_bad_corners_file_is_refused(bad: Path, tmp_path: Path, content: str) -> None:
    corners = tmp_path / "corners.json"
    corners.write_text(content)
    done = brettblick("read", bad / "no-board.jpg", "--corners", corners)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and "corners.json" in done.stderr


def test_a_missing_corners_file_is_refused(bad: Path) -> None:
    assert brettblick("read", bad / "no-board.jpg", "--corners", bad / "none.json").returncode == 2


def test_wrong_usage_has_status_2() -> None:
    for args in ([], ["read"], ["fly"], ["recount", "x.jpg", "--rules", "nonsense"]):
        assert brettblick(*args).returncode == 2


GAME = "move\tplayer\taction\tcoord\ttiles\tpoints\tref\ttotal_1\ttotal_2\n" + "\n".join(
    [
        "1\t1\tplace\tH8\tHUT\t8\t\t8\t0",  # (2+1+1) x 2
        "2\t2\tplace\t10H\t.OR\t6\t\t8\t6",  # T 1, O 2, R 1 x 3
        "3\t1\tpass\t\t\t0\t\t8\t6",
    ]
)  # fmt: skip


def test_a_written_game_that_agrees_has_status_0(tmp_path: Path) -> None:
    (tmp_path / "game.tsv").write_text(GAME, encoding="utf-8")
    done = brettblick("rescore", tmp_path / "game.tsv", "--json")
    out = json.loads(done.stdout)
    assert done.returncode == 0 and out["differences"] == 0
    assert [move["computed"] for move in out["moves"]] == [8, 6, 0]
    assert out["moves"][1]["words"] == [{"word": "TOR", "score": 6}]
    assert brettblick("rescore", tmp_path / "game.tsv").returncode == 0


def test_one_altered_point_is_named_with_status_1(tmp_path: Path) -> None:
    (tmp_path / "game.tsv").write_text(GAME.replace(".OR\t6", ".OR\t7"), encoding="utf-8")
    done = brettblick("rescore", tmp_path / "game.tsv", "--json")
    out = json.loads(done.stdout)
    assert done.returncode == 1 and out["differences"] == 1
    (different,) = [move for move in out["moves"] if move["recorded"] != move["computed"]]
    assert (different["move"], different["recorded"], different["computed"]) == (2, 7, 6)
    people = brettblick("rescore", tmp_path / "game.tsv")
    assert people.returncode == 1 and "1 von 3" in people.stdout


@pytest.mark.parametrize("content", [b"", b"hello\n", bytes(range(256)), GAME.replace("H8", "Z99").encode()])
def test_a_written_game_that_cannot_be_read_has_status_2_and_a_line_number(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.gcg").write_bytes(content)
    done = brettblick("rescore", tmp_path / "odd.gcg", "--lang", "en")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert brettblick("rescore", tmp_path / "no-such.gcg").returncode == 2


def test_a_file_that_is_no_game_says_what_it_is(tmp_path: Path) -> None:
    entry = "{0}\t1\tpass\t\t\t0\t\t0\t0\n"
    (tmp_path / "passes.tsv").write_text(GAME.split("\n")[0] + "\n" + "".join(map(entry.format, range(1, 1102))))
    (tmp_path / "one-line.gcg").write_text(">a: 8H " + "A" * 300_000 + " +1 1")
    (tmp_path / "empty.gcg").write_text(" \n")
    (tmp_path / "folder.gcg").mkdir()
    (tmp_path / "slip.tsv").write_text(GAME.replace("10H", "16H"))
    for name, words in [
        ("passes.tsv", ["1002", "1001"]),  # after the header
        ("one-line.gcg", ["250"]),
        ("empty.gcg", []),
        ("folder.gcg", ["folder"]),
        ("slip.tsv", ["line 3", "16H"]),
    ]:
        done = brettblick("rescore", tmp_path / name, "--lang", "en", "--json")
        assert done.returncode == 2 and done.stdout == "" and len(done.stderr.splitlines()) == 1
        assert all(word in done.stderr for word in [name, *words]), done.stderr


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a system without an endless file")
def test_an_endless_file_is_refused() -> None:
    for command in (["rescore"], ["rules", "show"], ["score", "--move", "H4 FIRNS", "--board"]):
        done = brettblick(*command, "/dev/zero")
        assert done.returncode == 2 and "250" in done.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="who may read everything")
def test_a_file_that_may_not_be_read_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "game.tsv").write_text(GAME)
    (tmp_path / "game.tsv").chmod(0)
    done = brettblick("rescore", tmp_path / "game.tsv", "--lang", "en")
    assert done.returncode == 2 and "permissions" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (".OR\t6", ".OR\t7", "* Nr. 2, 2: Notiert sind 7 Punkte, richtig 6."),
        ("8\t6\n3", "9\t6\n3", "* Nr. 2, Stand von 1: Notiert ist 9, richtig 8."),
    ],
)
def test_what_differs_is_said_without_colours_too(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert GAME.count(old) == 1
    (tmp_path / "game.tsv").write_text(GAME.replace(old, new))
    out = brettblick("rescore", tmp_path / "game.tsv").stdout
    assert said in out and "\x1b" not in out
    assert [line for line in out.splitlines() if line.startswith("*")] == [said]
    assert sum("* 2" in line for line in out.splitlines()) == 1


def test_names_with_brackets_are_names(tmp_path: Path) -> None:
    game = "#player1 a An[/x]na\n#player2 b B[red]ob\n>a: 8H AB +8 8\n"
    (tmp_path / "of[b]us.gcg").write_text(game)
    done = brettblick("rescore", tmp_path / "of[b]us.gcg")
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("An[/x]na", "B[red]ob", "of[b]us.gcg"))


def test_all_real_games_rescore_without_a_difference(shared: Path) -> None:
    games = sorted((shared / "games").glob("*.tsv"))
    assert games
    for game in games:
        done = brettblick("rescore", game, "--json")
        assert done.returncode == 0 and json.loads(done.stdout)["differences"] == 0, game.name


def test_help_is_there_in_both_languages_for_every_command() -> None:
    for command in ("read", "recount", "rescore", "score", "rules", "calibrate", "demo", "doctor"):
        german, english = brettblick(command, "--help"), brettblick("--lang", "en", command, "--help")
        assert german.returncode == english.returncode == 0
        assert german.stdout != english.stdout


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in ("read", "recount", "rescore", "score", "rules", "calibrate", "demo", "doctor"):
        assert f"brettblick {command}" in readme or f"./run {command}" in readme


def test_doctor_reports_what_is_there() -> None:
    done = brettblick("doctor", "--json")
    findings = {finding["name"]: finding for finding in json.loads(done.stdout)}
    assert done.returncode == 0
    assert findings["numpy"]["detail"] == np.__version__ and findings["OpenCV"]["good"]


def test_doctor_says_that_tesseract_is_missing_and_goes_on(tmp_path: Path) -> None:
    done = brettblick("doctor", "--json", PATH=str(tmp_path))
    findings = {finding["name"]: finding for finding in json.loads(done.stdout)}
    assert done.returncode == 0
    assert not findings["Tesseract"]["good"] and "apt-get" in findings["Tesseract"]["detail"]


LONG_AND_SHORT = [["score", "--move", "H4 FIRNS", "--json"], ["score", "--move", "H4 FIRNS"], ["rules", "show"],
                  ["rules", "show", "--json"], ["rules", "check"]]  # fmt: skip
"""Commands whose output fits into a buffer, and others."""


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("command", LONG_AND_SHORT)
def test_a_reader_that_goes_away_is_no_error_worth_a_word(command: list[str]) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [sys.executable, "-m", "assistant", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=env
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without a full disk at hand")
@pytest.mark.parametrize("command", LONG_AND_SHORT)
def test_a_full_disk_is_said_in_one_line(command: list[str]) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "assistant", *command], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, env=env
        )
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and b"Platz" in done.stderr


def test_a_closed_standard_input_is_an_empty_file() -> None:
    command = f"{sys.executable} -m assistant score --move 'H4 FIRNS' --board - <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, encoding="utf-8", cwd=ROOT)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_json_is_utf_8_and_people_read_escapes_where_the_terminal_has_no_umlauts() -> None:
    move = ["score", "--move", "H4 MÖPSE"]
    done = brettblick(*move, "--json", PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and json.loads(done.stdout)["words"] == [{"word": "MÖPSE", "score": 40}]
    done = brettblick(*move, PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and "H4 M\\xd6PSE: 40 Punkte" in done.stdout
    assert brettblick("--help", PYTHONIOENCODING="ascii").returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="names of files that are no text")
def test_the_name_of_a_file_that_is_no_text_stays_valid_json(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jpg")
    done = brettblick("read", name, "--json")
    assert done.returncode == 3 and json.loads(done.stdout)["photo"] == name
