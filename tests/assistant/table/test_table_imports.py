"""Games from elsewhere: records to go on with, games of the rules core, archives; and files that are none."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from assistant.store.store import Store
from assistant.table.history import TableState, fold, phase
from assistant.table.imports import MOST_BYTES, imported
from assistant.table.setup import Setup
from assistant.texts import Texts
from scorer.errors import BrettblickError
from scorer.events import Placed
from scorer.formats.events import write_game
from scorer.rules import RULE_SETS
from tests.assistant.table.tables import ANNA, EMPTY, Players, lay

GCG = """#character-encoding UTF-8
#player1 anna Anna
#player2 ben Ben
>anna: HUTEROS 8H HUT +8 8
>ben: TORENIS J8 .OR +3 3
"""
"""Columns are lettered, as in all GCG: HUT in row 8 from column H."""

DE = Texts("de")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store")


def take(store: Store, data: bytes, name: str = "game.gcg", **fields: str) -> tuple[TableState, tuple[str, ...]]:
    found = imported(store, io.BytesIO(data), name, {"rules": "turnier", **fields}, ANNA, DE)
    stored = store.load(found.game)
    return fold(Setup.from_json(stored.head.setup), stored.rows), found.notes


def test_a_written_game_goes_on(store: Store) -> None:
    table, notes = take(store, GCG.encode())
    assert table.setup.players == ("Anna", "Ben")
    assert table.state.board == lay(lay(EMPTY, 7, 7, "HUT"), 7, 9, "TOR", down=True)
    assert table.state.totals == (8, 6) and table.state.next_player == 0
    assert [one.event.announced for one in table.done if isinstance(one.event, Placed)] == [8, 3]
    (note,) = [note for note in notes if note.startswith("Zug 2")]
    assert "3 Punkte" in note and "6" in note


def test_rules_and_tiles_are_those_that_were_chosen(store: Store) -> None:
    table, _ = take(store, GCG.encode(), rules="familie", lexicon="deutsch")
    assert table.setup.rules.name == "familie" and table.setup.lexicon == "deutsch"
    table, _ = take(store, GCG.encode(), lexicon="/etc/passwd")
    assert table.setup.lexicon == "none", "never a file that somebody names"
    with pytest.raises(BrettblickError) as error:
        take(store, GCG.encode(), rules="erfunden")
    assert DE.error(error.value)


def test_a_game_of_the_rules_core(store: Store, players: Players) -> None:
    players.lay(lay(EMPTY, 7, 7, "HUT"))
    players.do("pass")
    written = write_game(players.table.state.state.game)
    table, notes = take(store, written.encode(), "game.json")
    assert table.state.totals == (8, 0) and table.state.next_player == 0 and notes == ()
    assert table.setup.rules == RULE_SETS["turnier"]


def test_an_archive_brings_photos_and_evidence(store: Store, players: Players) -> None:
    photo = players.photo(lay(EMPTY, 7, 7, "HUT"))
    players.do("confirm")
    file = io.BytesIO()
    players.store.export(players.game, file)
    table, _ = take(store, file.getvalue(), "anna.zip")
    assert table.state == players.table.state.state
    assert table.done[0].evidence == players.table.state.done[0].evidence
    assert store.photo(photo).read_bytes() == players.store.photo(photo).read_bytes()
    assert phase(table.state) == "playing"


@pytest.mark.parametrize(
    "body",
    [
        {"event": {"kind": "danced"}},
        {"event": {"kind": "passed", "player": 0}, "evidence": {"tiles": [["a"]]}},
        {"event": {"kind": "passed", "player": 0}, "evidence": {"seen": {"corners": [[1]]}}},
        {"event": {"kind": "passed", "player": 0}, "evidence": {"ghosts": [["x", 1]]}},
        {"event": {"kind": "passed", "player": 0}, "evidence": "a photo"},
    ],
)
def test_an_archive_whose_rows_are_no_game_is_refused_whole(
    store: Store, players: Players, body: dict[str, object]
) -> None:
    from assistant.store.rows import NewRow

    rows = [NewRow("event", body)]
    players.store.append(players.game, rows, expected=0, author=ANNA, request="no event")
    file = io.BytesIO()
    players.store.export(players.game, file)
    with pytest.raises(BrettblickError) as error:
        take(store, file.getvalue(), "odd.zip")
    assert DE.error(error.value) and store.games() == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"{",
        b"[]",
        b'{"format": "other"}',
        b"PK\x03\x04 no archive",
        b"\x00\xff\xfe" * 50,
        b"#player1 a A\n#player2 b B\n>c: X 8H X +1 1\n",
        b"x" * (MOST_BYTES + 1),
        json.dumps({"a": [[[[]]]] * 100}).encode(),
        b'{"format":' + b"[" * 5000,
    ],
)
def test_what_is_no_game_is_refused_in_words(store: Store, data: bytes) -> None:
    with pytest.raises(BrettblickError) as error:
        take(store, data, "file")
    for language in ("de", "en"):
        text = Texts(language).error(error.value)
        assert text.endswith((".", "…", ")")) and "Traceback" not in text
    assert store.games() == []


def test_the_same_import_twice_is_one_game(store: Store) -> None:
    one = imported(store, io.BytesIO(GCG.encode()), "g.gcg", {"request": "import 1"}, ANNA, DE)
    two = imported(store, io.BytesIO(GCG.encode()), "g.gcg", {"request": "import 1"}, ANNA, DE)
    assert one.game == two.game and len(store.games()) == 1
