"""How words are laid in tiles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.spelling import Obstacle, laid_as
from scorer.tiles import ENGLISH_100, GERMAN_102, TILE_SETS, TileSet


@pytest.mark.parametrize(
    ("word", "tiles"),
    [
        ("schließen", "SCHLIESSEN"),  # R7.4: ß is always SS
        ("STRAẞE", "STRASSE"),
        ("über", "ÜBER"),  # R7.3: own tiles
        ("u\u0308ber", "ÜBER"),
        ("Café", "CAFE"),  # R7.5: accents are dropped
        ("Garçon", "GARCON"),
        ("Œuvre", "OEUVRE"),
        ("Señor", "SENOR"),
        ("Ǖ", "Ü"),
        ("  haus ", "HAUS"),
        ("ﬁnden", "FINDEN"),
    ],
)
def test_words_in_german_tiles(word: str, tiles: str) -> None:
    """R7.3, R7.4, R7.5."""
    assert (laid_as(word, GERMAN_102).tiles, laid_as(word, GERMAN_102).obstacles) == (tiles, ())


@pytest.mark.parametrize(
    ("word", "obstacles"),
    [
        ("X-Beine", (Obstacle.HYPHEN,)),  # R7.2
        ("geht’s", (Obstacle.APOSTROPHE,)),
        ("z.B.", (Obstacle.NO_TILE,)),
        ("A4", (Obstacle.NO_TILE,)),
        ("мир", (Obstacle.NO_TILE,)),
        ("", (Obstacle.EMPTY,)),
        ("-", (Obstacle.HYPHEN, Obstacle.EMPTY)),
        ("Donaudampfschifffahrt", (Obstacle.TOO_LONG,)),
        ("Eiweißmangelnöte", (Obstacle.TOO_LONG,)),  # sixteen letters, ß counts as two
    ],
)
def test_words_that_cannot_be_laid(word: str, obstacles: tuple[Obstacle, ...]) -> None:
    """R7.2; no word is longer than the board."""
    assert laid_as(word, GERMAN_102).obstacles == obstacles


def test_umlauts_are_letters_only_where_they_are_tiles() -> None:
    assert laid_as("über", ENGLISH_100).tiles == "UBER"
    assert laid_as("łza", TILE_SETS["polish"]).tiles == "ŁZA"
    assert laid_as("łza", GERMAN_102).tiles == "LZA"


@given(st.text(max_size=20), st.sampled_from([*TILE_SETS.values()]))
def test_what_can_be_laid_is_made_of_tiles_and_stays_itself(word: str, tile_set: TileSet) -> None:
    found = laid_as(word, tile_set)
    if not found.obstacles:
        assert 1 <= len(found.tiles) <= 15
        assert set(found.tiles) <= set(tile_set.letters)
        assert laid_as(found.tiles, tile_set) == found
        assert laid_as(found.tiles.lower(), tile_set) == found
