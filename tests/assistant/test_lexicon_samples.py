"""The samples that measure which wrong words a lexicon accepts: complete, layable, and the random ones reproducible."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scorer.spelling import laid_as
from scorer.tiles import GERMAN_102

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent / "lexicon_samples"
AT_LEAST = {
    "abbreviations": 250,
    "also_words": 200,
    "brands": 250,
    "compound_parts": 100,
    "english": 250,
    "names": 300,
    "places": 300,
    "random_compounds": 1000,
    "random_racks": 1000,
    "typos": 250,
    "umlauts_written_out": 200,
}


def words(name: str) -> list[str]:
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# "), f"{name}: no comment that says what it is"
    return [line for line in lines if not line.startswith("#")]


def laid(name: str) -> list[str]:
    return [laid_as(word, GERMAN_102).tiles for word in words(name)]


def test_every_sample_is_known() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(AT_LEAST)


@pytest.mark.parametrize("name", AT_LEAST)
def test_a_sample_has_enough_words_that_can_be_laid_each_once_in_order(name: str) -> None:
    obstacles = {word: laid_as(word, GERMAN_102).obstacles for word in words(name)}
    assert {word: why for word, why in obstacles.items() if why} == {}
    tiles = laid(name)
    assert len(tiles) >= AT_LEAST[name]
    assert tiles == sorted(set(tiles))
    assert min(map(len, tiles)) >= 2


@pytest.mark.parametrize(
    "name", ["abbreviations", "brands", "english", "names", "places", "typos", "umlauts_written_out"]
)
def test_no_wrong_word_is_one_of_the_also_words(name: str) -> None:
    assert set(laid(name)) & set(laid("also_words")) == set()


def test_racks_are_drawn_from_one_set() -> None:
    for rack in words("random_racks"):
        assert 2 <= len(rack) <= 7
        assert all(rack.count(letter) <= GERMAN_102.count(letter) for letter in rack), rack


def test_the_random_samples_are_what_the_generator_writes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "bench.lexicon_samples", tmp_path], cwd=ROOT, check=True)
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(written) == {"random_racks.txt", "random_compounds.txt"}
    assert written == {name: (FOLDER / name).read_bytes() for name in written}
