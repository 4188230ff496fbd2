"""Real games lent to the project; they lie beside the repository and are not part of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scorer.errors import NotationError
from scorer.formats import read_written_game
from scorer.rescore import Rescore, rescore
from scorer.rules import rule_set
from scorer.tiles import TILE_SETS
from scorer.written import Action

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
README = Path(__file__).resolve().parents[2] / "README.md"
RECORDS = sorted((SHARED / "games").glob("*.tsv"))
GCGS = sorted((SHARED / "gcg").rglob("*.gcg"))
pytestmark = pytest.mark.skipif(not RECORDS, reason="the lent games (../shared) are not here")

KNOWN_ERRORS = {
    "german/game01.gcg": [(25, 32, 22)],
    "liwords/game_07.gcg": [(15, 115, 113)],
    "quackle/broken.gcg": [(7, 0, -45)],
}
"""Moves that people wrote down wrongly: number, recorded points, right points."""

TILES = {"macondo/polish_endgame.gcg": "polish", "german/": "german", "": "english"}
"""The tile set of a file, by the beginning of its name."""

ONE_NICK_FOR_BOTH_PLAYERS = {"quackle/consonant_heaviness_tendency.gcg"}
"""Every line names the second player; the totals are those of two who take turns, and tell who it was."""


def scored(data: bytes, name: str = "german/") -> Rescore:
    tiles = next(tiles for start, tiles in TILES.items() if name.startswith(start))
    return rescore(read_written_game(data), rule_set("turnier"), TILE_SETS[tiles])


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_tournament_records_have_no_differences(path: Path) -> None:
    result = scored(path.read_bytes())
    assert [move.to_json() for move in result.moves if move.differs or move.faults] == []
    assert result.moves


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_one_altered_point_names_its_move(path: Path) -> None:
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    for index, line in enumerate(lines):
        cells = line.split("\t")
        cells[5] = str(int(cells[5]) + 1)
        altered = "\n".join([header, *lines[:index], "\t".join(cells), *lines[index + 1 :]])
        assert [move.written.number for move in scored(altered.encode()).moves if move.differs] == [int(cells[0])]


@pytest.mark.parametrize("path", GCGS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_gcg_files_differ_where_people_erred(path: Path) -> None:
    name = f"{path.parent.name}/{path.name}"
    result = scored(path.read_bytes(), name)
    wrong = [(m.written.number, m.written.points, m.computed) for m in result.moves if m.points_differ]
    assert wrong == KNOWN_ERRORS.get(name, [])
    assert [move.faults.codes for move in result.moves if move.faults] == []
    assert [move.written.number for move in result.moves if move.totals_differ] == []
    assert result.written.seats_inferred == (name in ONE_NICK_FOR_BOTH_PLAYERS)


def test_the_count_of_plays_in_the_readme() -> None:
    """Plays, equal and different ones, by kind of file, as README.md has them."""
    counts: dict[str, list[int]] = {}
    for path in [*RECORDS, *GCGS]:
        name = f"{path.parent.name}/{path.name}" if path.suffix == ".gcg" else "german/"
        result = scored(path.read_bytes(), name)
        tiles = result.state.game.tile_set.name.capitalize()
        kind = "German tournament records (TSV)" if path.suffix == ".tsv" else f"{tiles} GCG"
        plays = [move for move in result.moves if move.written.action is Action.PLACE]
        equal = sum(not move.points_differ for move in plays)
        row = (1, len(plays), equal, len(plays) - equal)
        counts[kind] = list(map(sum, zip(counts.get(kind, [0] * 4), row, strict=True)))
    counts["**all**"] = list(map(sum, zip(*counts.values(), strict=True)))
    readme = README.read_text(encoding="utf-8")
    for kind, row in counts.items():
        assert f"| {kind} | {' | '.join(map(str, row))} |" in readme


@pytest.mark.parametrize("path", [*RECORDS, *GCGS], ids=lambda path: path.name)
def test_cut_off_files_are_games_or_one_clear_error(path: Path) -> None:
    data = path.read_bytes()
    for end in range(0, len(data), 97):
        try:
            game = read_written_game(data[:end])
        except NotationError as error:
            assert "line" in error.details
        else:
            assert len(game.moves) <= data.count(b"\n") + 1


@pytest.mark.parametrize("name", sorted(ONE_NICK_FOR_BOTH_PLAYERS))
def test_one_slip_does_not_hide_whose_move_it_is(name: str) -> None:
    """Each number of the file changed by one: named at its move, or at the two moves that a wrong total touches."""
    lines = (SHARED / "gcg" / name).read_text(encoding="utf-8").splitlines()
    for index, line in enumerate(lines):
        numbers = list(re.finditer(r"(?<=\s)\+?\d+(?=\s|$)", line)) if line.startswith(">") else []
        for number in numbers:
            changed = f"{line[: number.start()]}{int(number[0]) + 1}{line[number.end() :]}"
            result = scored("\n".join([*lines[:index], changed, *lines[index + 1 :]]).encode(), name)
            assert [move.written.line for move in result.moves if move.differs] == [index + 1], changed
