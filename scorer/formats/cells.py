"""What stands in the cells of tables, whatever parts them."""

from __future__ import annotations

from scorer.errors import NotationError
from scorer.formats.text import is_tile_count
from scorer.tiles import is_rack
from scorer.written import Action


def rack_of(text: str) -> str:
    """The tiles of a rack, "" when not given; NotationError when they are none."""
    if text and not is_rack(text):
        raise NotationError(f"{text!r} are no tiles", code="no-tiles", text=text)
    return text


def moved_tiles(action: Action, text: str) -> str:
    """The exchanged tiles or their number, or the rest of a rack; "" for other actions and when not given.
    NotationError when they are none."""
    if action is Action.EXCHANGE and is_tile_count(text):
        return text
    return rack_of(text) if action in (Action.EXCHANGE, Action.RACK_SETTLEMENT) else ""
