"""Before a word is challenged nobody learns whether it is allowed, unless the dictionary is open (R7.7, R12.2).

What has no lexicon can give nothing away; what has one must write the same whichever words it holds.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.cli import COMMANDS, build_parser, main
from assistant.texts import Texts
from assistant.web.view import view_of
from scorer.rules import RULE_SETS
from tests.assistant.table.tables import EMPTY, Players, lay
from vision.reading import BoardReading

ROOT = Path(__file__).resolve().parents[2]

LOOK_UP = {"check", "lexicon"}
"""Commands that are the look-up itself, of words somebody names, not of a game."""

SEALED = {"recount", "replay", "serve", "watch"}
"""Commands that take a game and a lexicon: it is behind a referee, and the tests below compare what they show."""

WITHOUT = {"read", "dispute", "rescore", "score", "rules", "calibrate", "demo", "doctor"}
"""Commands that know no words."""

OPENS = {"scorer/lexicon.py", "scorer/adjudication.py", "assistant/commands/check.py"}
"""The only places that ask a lexicon: lexicons one another, the referee, and the look-up itself."""


def modules() -> list[Path]:
    return [path for layer in ("scorer", "vision", "calibration", "assistant") for path in (ROOT / layer).rglob("*.py")]


def test_every_command_is_one_of_these() -> None:
    names = {module.__name__.rpartition(".")[2] for module in COMMANDS}
    assert names == LOOK_UP | SEALED | WITHOUT, "a new command: can it give away whether a word is allowed?"


def test_nothing_else_asks_a_lexicon() -> None:
    asking = {
        str(path.relative_to(ROOT))
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("look_up", "judge", "_Referee__lexicon")
    }
    assert asking == OPENS


def test_who_has_a_lexicon_without_a_referee() -> None:
    """Whoever opens a word list by name hands it to a referee at once, the look-up apart."""
    for path in modules():
        code = path.read_text(encoding="utf-8")
        calls = [
            node
            for node in ast.walk(ast.parse(code))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "lexicon_named"
        ]
        name = str(path.relative_to(ROOT))
        if calls and name not in ("assistant/commands/check.py", "assistant/lexicon/naming.py"):
            sealed = r"Referee\((Union\(before, )?lexicon_named\("
            assert len(re.findall(sealed, code)) == len(calls), name


@pytest.mark.parametrize("name", sorted(WITHOUT))
def test_commands_without_words_have_no_option_for_them(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build_parser(Texts("de")).parse_args([name, "--help"])
    assert "--lexicon" not in capsys.readouterr().out


@pytest.mark.parametrize("argv", [["score", "--move", "H4 XQZW"], ["rescore", "{game}"]])
def test_counting_points_opens_no_word_list(argv: list[str], tmp_path: Path) -> None:
    game = tmp_path / "game.gcg"
    game.write_text("#player1 a A\n#player2 b B\n>a: XQZW 8D XQZW +70 70\n>b: HAUS - +0 0\n", encoding="utf-8")
    code = (
        "import sys\nfrom assistant.cli import main\n"
        f"main({[arg.format(game=game) for arg in argv]!r})\n"
        "print(sorted(name for name in sys.modules if 'lexicon' in name and name.startswith('assistant.lexicon')))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert out.splitlines()[-1] == "[]"


def list_of(folder: Path, *words: str) -> str:
    """A list of this name, edition and number of words, whatever they are."""
    folder.mkdir()
    path = folder / "Liste.txt"
    path.write_text("\n".join(words), encoding="utf-8")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    return str(path)


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_a_game_looks_the_same_whichever_words_there_are(
    rules: str, demo_photos: list[Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    photos = list(map(str, demo_photos[:5]))

    def written(*options: str) -> str:
        assert main(["recount", *photos, "--rules", rules, *options]) == 0
        captured = capfd.readouterr()
        assert all(line.startswith("Lese Fotos") for line in captured.err.splitlines())  # how far along it is
        return captured.out

    plain = json.loads(written("--json"))
    words = sorted({word["word"].upper() for move in plain["moves"] for word in move.get("words", ())})
    words = [word for word in words if "?" not in word]
    assert len(words) >= 3
    all_of_them = list_of(tmp_path / "all", *words)
    none_of_them = list_of(tmp_path / "none", *(f"XY{letter}" for letter in "ABCDEFGH"[: len(words)]))

    for options in ([], ["--json"]):
        one, other = (written("--lexicon", path, *options) for path in (all_of_them, none_of_them))
        if options:
            read = [json.loads(text) for text in (one, other)]
            hashes = [data.pop("lexicon")[0].pop("sha256") for data in read]
            assert hashes[0] != hashes[1]
            same = read[0] == read[1]
            assert same is not RULE_SETS[rules].open_dictionary
            if same:
                assert {**read[0], "lexicon": []} == plain
            else:
                words_of = [[word for move in data["moves"] for word in move.get("words", ())] for data in read]
                answers = [{word["answer"] for word in words if "answer" in word} for words in words_of]
                assert answers == [{"valid"}, {"unknown"}]
        else:
            assert (one == other) is not RULE_SETS[rules].open_dictionary


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_a_table_looks_the_same_whichever_words_there_are(
    rules: str, tmp_path: Path, make_reading: Callable[..., BoardReading]
) -> None:
    """With a letter in doubt and a blank without a name: what is proposed for them must tell nothing either."""
    hut = lay(EMPTY, 7, 7, "HUT")
    words = ("HUT", "TOR", "TOB", "TORE")
    shown = []
    for name, listed in (("all", words), ("none", ("XYA", "XYB", "XYC", "XYD"))):
        players = Players(tmp_path / f"table {name}", make_reading, RULE_SETS[rules], list_of(tmp_path / name, *listed))
        views = []
        players.lay(hut)
        views.append(view_of(players.table, Texts("de")))
        players.photo(lay(hut, 7, 9, "TOR?", down=True), {(9, 9): {"R": 0.5, "B": 0.48}})
        views.append(view_of(players.table, Texts("de")))
        players.do("answer", squares=[[9, 9, "R"]])
        views.append(view_of(players.table, Texts("de")))
        if not views[-1]["proposal"]["confirmable"]:
            players.do("answer", squares=[[10, 9, "e"]])
        players.do("confirm")
        views.append(view_of(players.table, Texts("de")))
        text = json.dumps(views, ensure_ascii=False, sort_keys=True)
        shown.append(re.sub(r'"(id|at|time)": "[^"]*"|/(games|photos|crops)/[^/"]*', "", text))
        players.store.close()
    if RULE_SETS[rules].open_dictionary:
        assert shown[0] != shown[1], "an open dictionary proposes what makes words"
    else:
        assert shown[0] == shown[1]
