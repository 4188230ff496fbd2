"""Games from elsewhere: records to go on with or to check, games of the rules core, archives of this program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO

from assistant.lexicon import naming
from assistant.rules_option import in_words
from assistant.store.rows import Author, NewRow, StoredGame
from assistant.store.store import Store
from assistant.table import evidence
from assistant.table.history import fold
from assistant.table.session import MOST_ROWS
from assistant.table.setup import Setup, SetupError, agreed
from assistant.texts import Texts
from scorer.errors import BrettblickError, RuleError
from scorer.formats import read_written_game
from scorer.formats.events import event_to_json, read_game
from scorer.game import Game
from scorer.notation import Notation
from scorer.resume import resumed
from scorer.rules import rule_set
from scorer.tiles import tile_set

MOST_BYTES = 300_000
"""Of a written game: the longest of the real ones has 15,000."""

MOST_EVENTS = 1000
"""Events of a game that is taken in; the longest real one has 80."""

ZIP = b"PK\x03\x04"


class GameFileError(BrettblickError):
    """A file that is no game that can be taken in."""

    code = "bad-import"


@dataclass(frozen=True)
class Imported:
    """game: id of the new one; notes: what people should know of it, in sentences"""

    game: str
    notes: tuple[str, ...] = ()


def imported(
    store: Store, file: BinaryIO, name: str, fields: Mapping[str, str], author: Author, texts: Texts
) -> Imported:
    """Takes a file in as a new game.

    name:   of the file
    fields: rules, tiles, lexicon and notation (german, international) of a written game, which does not say them;
            request: an id of this import alone

    StoreError for a bad archive, NotationError or GameError for a record that cannot be read, GameFileError.
    """
    head = file.read(4)
    file.seek(0)
    if head == ZIP:
        return Imported(store.import_(file, _check))
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise GameFileError(f"more than {MOST_BYTES} bytes", code="import-too-large")
    if data.lstrip()[:1] == b"{":
        game = read_game(data)
        notes: tuple[str, ...] = ()
        setup = Setup(game.players, game.rules, game.tile_set, _lexicon(fields), game.first_player, game.score_keeper)
    else:
        game, setup, notes = _written(data, name, fields, texts)
    if len(game.events) > MOST_EVENTS:
        raise GameFileError(f"more than {MOST_EVENTS} events", code="import-too-large")
    rows = [NewRow("event", {"event": event_to_json(event)}) for event in game.events]
    return Imported(store.create(setup.to_json(), author, fields.get("request", ""), rows), notes)


def _check(stored: StoredGame) -> None:
    """SetupError for an archive whose rows are no game, or rest on what is no evidence; GameFileError for a game that
    is too long to be played on."""
    if len(stored.rows) > MOST_ROWS:
        raise GameFileError(f"more than {MOST_ROWS} rows", code="import-too-large")
    for done in fold(Setup.from_json(stored.head.setup), stored.rows).done:
        try:
            if done.evidence is not None:
                evidence.check(done.evidence)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            why = f"evidence of row {done.row.number}"
            raise SetupError(f"the {why} cannot be read: {error}", why=why) from error


def _written(data: bytes, name: str, fields: Mapping[str, str], texts: Texts) -> tuple[Game, Setup, tuple[str, ...]]:
    try:
        rules = rule_set(fields.get("rules") or "turnier")
        tiles = tile_set(fields.get("tiles") or "german")
        rules = rules.with_settings(rack_size=tiles.rack_size)
    except RuleError as error:
        raise in_words(error, texts) from error
    notation = Notation(fields["notation"]) if fields.get("notation") in [*Notation] else None
    written = read_written_game(data, name, notation)
    if len(written.moves) > MOST_EVENTS:  # before anything is counted: that takes the square of it
        raise GameFileError(f"more than {MOST_EVENTS} moves", code="import-too-large")
    found = resumed(written, rules, tiles)
    game = found.game
    setup = agreed(game.players, rules, tiles, _lexicon(fields), game.first_player, game.score_keeper)
    notes = [texts(f"resume.{note}") for note in found.notes]
    for one in found.differences:
        key = "resume.points-differ" if one.what == "points" else "resume.total-differs"
        player = game.players[one.player]
        notes.append(texts(key, number=one.number, player=player, recorded=one.recorded, computed=one.computed))
    return game, setup, tuple(notes)


def _lexicon(fields: Mapping[str, str]) -> str:
    """A list by its name, never a file that somebody names."""
    wanted = fields.get("lexicon") or "none"
    return wanted if wanted in naming.names() else "none"
