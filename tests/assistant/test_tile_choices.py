"""Which tile sets the commands take: photos only those the network can read, written games all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.commands.read import READABLE
from scorer.tiles import TILE_SETS
from vision.onnx_reader import OnnxReader


def test_the_network_knows_every_letter_of_a_readable_set() -> None:
    known = set(OnnxReader().classes)
    assert {"german", "german-119", "english"} <= set(READABLE)
    assert all(set(TILE_SETS[name].letters) <= known for name in READABLE)
    assert not set(TILE_SETS["polish"].letters) <= known


@pytest.mark.parametrize(
    "command",
    [["read"], ["recount"], ["calibrate", "tiles", "--out", "x.json"], ["calibrate", "camera", "--out", "x.json"]],
)
def test_photos_are_not_read_with_a_set_of_foreign_letters(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main([*command, "photo.jpg", "--tiles", "polish"])
    said = capsys.readouterr()
    assert end.value.code == 2 and said.out == "" and "german-119" in said.err and "polish" in said.err


def test_a_polish_game_is_scored_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ł on the double letter of D8 counts 6, with A 1, W 1, K 2, Ą 5 and the star: 30."""
    game = tmp_path / "game.gcg"
    game.write_text("#character-encoding UTF-8\n#player1 A A\n#player2 B B\n>A: ŁAWKĄ 8D ŁAWKĄ +30 30\n", "utf-8")
    assert main(["rescore", str(game), "--tiles", "polish", "--json"]) == 0
    (move,) = json.loads(capsys.readouterr().out)["moves"]
    assert move["computed"] == 30 and move["faults"] == []
    assert main(["rescore", str(game), "--json"]) == 1
    (move,) = json.loads(capsys.readouterr().out)["moves"]
    assert move["faults"] == ["not-in-set"]
