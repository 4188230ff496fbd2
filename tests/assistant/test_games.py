"""Whole games from photos to the score sheet: the rendered demo game, and real tournament games where there are any."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.commands.recount import recount_photos
from assistant.recount import Recount, as_json
from assistant.texts import Texts
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102

SHEET = [
    ("HÜTTE", 22),  # (2 + 6 + 1 + 1 + 1) x 2 on the star
    ("FREUNDIN", 71),  # F 4 x 3, R, E, U, N x 3, D, I, N = 21, and 50 for seven tiles
    ("SONNE", 8),  # S x 2, O 2, N x 2, N, E
    ("BAD?N", 12),  # (3 + 1 + 1 + 0 + 1) x 2: the blank lies on the double word
    ("FOGEL", 15),  # 4 + 2 + 2 + 1 + L 2 x 3; taken back
    ("SCHAF", 22),  # S 1 x 3, C 4, H 2, A 1, F 4 x 3
    ("PREIS", 16),  # P 4 x 3, R, E, I, S
    ("KÖRPER", 19),  # 4 + 8 + 1 + 4 + 1 + 1
    ("ZWANG", 26),  # (Z 3 x 2 + 3 + 1 + 1 + 2) x 2
]
"""The demo game's words and points, added up by hand."""


def recounted(files: list[Path], players: list[str]) -> tuple[Recount, list[dict[str, Any]]]:
    result = recount_photos(files, players, RULE_SETS["turnier"], GERMAN_102, "network", Texts("de"), False)
    return result, as_json(result, lambda entry: entry.question.code if entry.question else None)["moves"]


def test_the_demo_game_is_recounted_right(demo_photos: list[Path], demo_truth: list[dict[str, Any]]) -> None:
    result, moves = recounted(demo_photos, ["Anna", "Bernd"])
    for move, truth in zip(moves, demo_truth, strict=True):
        assert Path(move["photo"]).name == truth["photo"]
        assert move["kind"] == truth["kind"], move
        assert move["player"] == truth["player"] or truth["kind"] in ("start", "withdrawn")
        wanted = [[r, c, "?" if tile.islower() else tile] for r, c, tile in truth["tiles"]]
        assert move.get("tiles", []) == sorted(wanted), move
    assert [(move["word"], move["score"]) for move in moves if move["kind"] == "place"] == SHEET
    assert moves[5]["withdrawn"] is True and [m["kind"] for m in moves].count("withdrawn") == 1
    assert result.totals == (22 + 8 + 19, 71 + 12 + 22 + 16 + 26)
    assert all(move["question"] is None for move in moves)


@pytest.mark.parametrize("name", ["german-game02", "german-game12"])
def test_a_real_tournament_game_is_recounted(shared: Path, name: str) -> None:
    folder = shared / "photos" / name
    game = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    result, moves = recounted([folder / photo for photo in game["photos"]], game["players"])
    wrong = []
    for got, want in zip(moves, game["moves"], strict=True):
        tiles = want.get("tiles", [])
        if (
            got["kind"] != want["kind"]
            or got.get("tiles", []) != sorted(tiles)
            or got.get("score") != want.get("score")
        ):
            wrong.append((want["photo"], got["question"]))
    assert not [photo for photo, question in wrong if question is None], "silent errors"
    assert len(wrong) <= 1
    if not wrong:
        assert dict(zip(result.players, result.totals, strict=True)) == game["totals"]
