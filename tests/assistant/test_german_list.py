"""The built-in list: what is in it, that it is what its sources make, and how it is packed."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.lexicon import build, german
from assistant.lexicon.trie import SpelledTrie, content_hash, packed
from scorer.errors import BrettblickError
from scorer.letter_model import LetterModel
from scorer.lexicon import DOUBTS, Mark, Reason, Spelled
from scorer.spelling import laid_as
from scorer.tiles import GERMAN_102

HEADERS = {
    "two_letters": "spellings\treason\n",
    "additions": "spellings\treason\n",
    "spelling": "new\told\told_today\tnew_before\treason\n",
    "old_only": "spellings\treason\n",
    "regions": "regions\tspellings\treason\n",
    "doubtful": "spellings\tkind\treason\n",
}


def spellings(tiles: str) -> list[str]:
    return [one.spelling for one in german.words().spelled(tiles)]


def entry(spelling: str) -> Spelled:
    return next(one for one in german.words().spelled(build.tiles_of(spelling)) if one.spelling == spelling)


# --- the list that is shipped -------------------------------------------------------------------------------------


def test_the_shipped_files_are_those_their_provenance_names() -> None:
    made = german.provenance()
    assert hashlib.sha256(german.FILE.read_bytes()).hexdigest() == made["file_sha256"]
    entries = [*german.words().entries()]
    assert content_hash(entries) == made["content_sha256"]
    assert (len(entries), len({tiles for tiles, _ in entries})) == (made["spellings"], made["words"])
    for name, sha256 in made["sources"].items():
        assert hashlib.sha256((build.SOURCES / name).read_bytes()).hexdigest() == sha256, f"{name}: build the list anew"
    assert {f"{name}.tsv" for name in HEADERS} == set(made["sources"])
    assert german.FILE.stat().st_size < 3_000_000
    assert LetterModel(german.LETTERS.read_bytes()).words_by_length[2] >= 76


def test_the_list_is_what_its_sources_make_bit_by_bit(capsys: pytest.CaptureFixture[str]) -> None:
    if not build.BASE.is_file():
        pytest.skip(f"{build.BASE} is missing: Debian's package tanglet-data has it")
    if hashlib.sha256(build.base_text(build.BASE)).hexdigest() != german.provenance()["base"]["sha256"]:
        pytest.skip(f"{build.BASE} is of another edition than the one the list was built from")
    assert main(["lexicon", "build"]) == 0, capsys.readouterr().out
    assert german.about().sha256 in capsys.readouterr().out


def test_every_entry_is_laid_as_its_tiles_say() -> None:
    entries = random.Random(6).sample([*german.words().entries()], 20_000)
    for tiles, one in entries:
        laid = laid_as(one.spelling, GERMAN_102)
        assert (laid.tiles, laid.obstacles) == (tiles, ())
        assert 2 <= len(tiles) <= 15
        assert not (one.marks & Mark.OLD and one.marks & Mark.NEW)


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        ("AAL", ["Aal", "aal"]), ("QI", ["Qi"]), ("STRASSE", ["Straße"]), ("MASSE", ["Masse", "Maße"]),
        ("CAFE", ["Café"]), ("LEX", ["Lex"]), ("TÜR", ["Tür"]), ("ZON", ["zon"]), ("AALAEHNLICH", []),
        ("AALÄHNLICH", ["aalähnlich"]), ("XQZW", []), ("MAEDCHEN", []), ("A", []),
    ],
)  # fmt: skip
def test_known_words(tiles: str, expected: list[str]) -> None:
    assert spellings(tiles) == expected
    assert german.words().has(tiles) is bool(expected)


def test_what_the_hand_kept_files_say_is_in_the_list() -> None:
    for name in ("two_letters", "additions"):
        for row in build._rows(build.SOURCES / f"{name}.tsv"):
            assert len(row["reason"]) > 3, row.number
            for spelling in row.spellings:
                assert not entry(spelling).marks & Mark.OLD, spelling
                assert (len(build.tiles_of(spelling)) == 2) is (name == "two_letters"), spelling
    for row in build._rows(build.SOURCES / "old_only.tsv"):
        assert all(entry(spelling).marks & Mark.OLD for spelling in row.spellings)
    for row in build._rows(build.SOURCES / "doubtful.tsv"):
        assert all(entry(spelling).doubt == Reason(row["kind"]) for spelling in row.spellings)
    for row in build._rows(build.SOURCES / "regions.tsv"):
        marks = {"at": Mark.AUSTRIA, "ch": Mark.SWITZERLAND, "at,ch": Mark.AUSTRIA | Mark.SWITZERLAND}[row["regions"]]
        assert all(entry(spelling).marks & (Mark.AUSTRIA | Mark.SWITZERLAND) == marks for spelling in row.spellings)


@pytest.mark.parametrize("name", ["two_letters", "additions", "old_only", "regions", "doubtful"])
def test_no_spelling_stands_twice_in_a_hand_kept_file(name: str) -> None:
    found = [spelling for row in build._rows(build.SOURCES / f"{name}.tsv") for spelling in row.spellings]
    assert len(found) == len(set(found)) >= 76


@pytest.mark.parametrize(
    ("new", "old", "new_only", "old_only"),
    [
        ("Stängel", "Stengel", True, True),
        ("Schifffahrt", "Schiffahrt", True, True),
        ("nummerieren", "numerieren", True, True),
        ("platzieren", "plazieren", True, True),
        ("Gämse", "Gemse", True, True),
        ("Rohheit", "Roheit", True, True),
        ("Delfin", "Delphin", True, False),
    ],
)
def test_old_and_new_spelling(new: str, old: str, new_only: bool, old_only: bool) -> None:
    assert (entry(new).marks & Mark.NEW == Mark.NEW) is new_only
    assert (entry(old).marks & Mark.OLD == Mark.OLD) is old_only


@pytest.mark.parametrize(
    "word",
    ["Fluss", "Flussstrecke", "grau", "Frau", "brauen", "trauen", "Trauer", "Sauerstoffflasche", "Mutter", "Tipper"],
)
def test_what_the_reform_did_not_touch_is_right_in_both(word: str) -> None:
    assert not any(one.marks & (Mark.OLD | Mark.NEW) for one in german.words().spelled(build.tiles_of(word)))


# --- packing ------------------------------------------------------------------------------------------------------

ENTRIES = [
    ("AAL", Spelled("Aal")),
    ("AAL", Spelled("aal")),
    ("AAL", Spelled("AAL")),
    ("STRASSE", Spelled("Straße", Mark.NEW | Mark.AUSTRIA)),
    ("CAFE", Spelled("café", Mark.OLD)),
    ("PKW", Spelled("PKW", doubt=Reason.ABBREVIATION)),
    ("PKW", Spelled("Pkw", Mark.SWITZERLAND, Reason.ABBREVIATION)),
    ("ÄHRE", Spelled("Ähre")),
    ("ÖÄÜ", Spelled("öäü", Mark.OLD)),
    ("IL", Spelled("iL")),
    *[("WORT", Spelled("Wort", doubt=doubt)) for doubt in DOUBTS],
    *[("MARKE", Spelled("marke", Mark(marks))) for marks in range(16)],
]


def test_packed_entries_come_out_as_they_went_in(tmp_path: Path) -> None:
    path = tmp_path / "x.marisa"
    path.write_bytes(packed(ENTRIES))
    trie = SpelledTrie.open(path)
    assert sorted(trie.entries()) == sorted(ENTRIES)
    assert content_hash(trie.entries()) == content_hash(ENTRIES)
    assert [one.spelling for one in trie.spelled("AAL")] == ["AAL", "Aal", "aal"]
    assert trie.spelled("AA") == () and not trie.has("AA") and not trie.has("")


def test_the_order_of_entries_changes_neither_file_nor_hash() -> None:
    shuffled = random.Random(6).sample(ENTRIES, len(ENTRIES))
    assert packed(shuffled) == packed(ENTRIES)
    assert content_hash(shuffled) == content_hash(ENTRIES)
    assert content_hash(ENTRIES[1:]) != content_hash(ENTRIES)


@pytest.mark.parametrize("data", [b"", b"nonsense", bytes(1000)])
def test_a_damaged_file_is_said_to_be(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.marisa"
    path.write_bytes(data)
    with pytest.raises(BrettblickError) as caught:
        SpelledTrie.open(path)
    assert caught.value.code == "bad-lexicon-file"


# --- building -----------------------------------------------------------------------------------------------------


def built(tmp_path: Path, base: str, **sources: str) -> dict[str, dict[str, Spelled]]:
    (tmp_path / "base").write_text(base, encoding="utf-8")
    for name, header in HEADERS.items():
        (tmp_path / f"{name}.tsv").write_text(header + sources.get(name, ""), encoding="utf-8")
    (tmp_path / "x.marisa").write_bytes(build.build(tmp_path / "base", tmp_path).words)
    out: dict[str, dict[str, Spelled]] = {}
    for tiles, one in SpelledTrie.open(tmp_path / "x.marisa").entries():
        out.setdefault(tiles, {})[one.spelling] = one
    return out


def test_a_key_alone_is_a_word_in_small_letters_and_else_the_spellings_count(tmp_path: Path) -> None:
    found = built(tmp_path, "AAL aal Aal\nAALARTIG\nAASFRAESSIG aasfräßig\nAB ab\nCAFE Café\nX\n")
    assert {tiles: [*here] for tiles, here in found.items()} == {
        "AAL": ["Aal", "aal"], "AALARTIG": ["aalartig"], "AASFRÄSSIG": ["aasfräßig"], "CAFE": ["Café"],
    }  # fmt: skip


def test_fifteen_tiles_are_the_most(tmp_path: Path) -> None:
    found = built(tmp_path, f"{'A' * 15}\n{'B' * 16}\n{'C' * 14}SS {'c' * 14}ß\n{'D' * 13}SS {'d' * 13}ß\n")
    assert [*found] == ["A" * 15, "D" * 13 + "SS"]


def test_the_hand_kept_files_add_and_mark(tmp_path: Path) -> None:
    found = built(
        tmp_path,
        "AUDI Audi\nODER oder Oder\nSTAENGEL Stängel stängel\nAUFWAENDIG aufwändig\nAUFWENDIG aufwendig\nTIP Tip\n"
        "TIPP Tipp\nKAFFEEERSATZ Kaffeeersatz\n",
        two_letters="Qi\tlife force\n",
        additions="# comment\n\nLex,lex\tlaw\n",
        doubtful="Audi\tbrand\tcar maker\nOder\tplace\triver\n",
        spelling="[Ss]tängel\tStengel\tgone\tonly\tx\naufwänd\taufwend\tstays\tonly\tx\nTipp\tTip\tgone\tonly\tx\n"
        "eee\t\tgone\tonly\tapart before\n",
        old_only="wieviel,Wieviel\twie viel\n",
        regions="at,ch\tObers,Lex\tcream\n",
    )
    assert {one.marks for one in found["WIEVIEL"].values()} == {Mark.OLD} and len(found["WIEVIEL"]) == 2
    assert found["QI"] == {"Qi": Spelled("Qi")}
    both = Mark.AUSTRIA | Mark.SWITZERLAND
    assert found["LEX"] == {"Lex": Spelled("Lex", both), "lex": Spelled("lex")}
    assert found["OBERS"] == {"Obers": Spelled("Obers", both)}
    assert found["AUDI"] == {"Audi": Spelled("Audi", doubt=Reason.BRAND)}
    assert found["ODER"] == {"Oder": Spelled("Oder", doubt=Reason.PLACE), "oder": Spelled("oder")}
    assert found["STÄNGEL"]["Stängel"].marks == found["STÄNGEL"]["stängel"].marks == Mark.NEW
    assert {one.marks for one in found["STENGEL"].values()} == {Mark.OLD}
    assert found["AUFWÄNDIG"]["aufwändig"].marks == Mark.NEW
    assert found["AUFWENDIG"]["aufwendig"].marks == Mark.NONE
    assert (found["TIPP"]["Tipp"].marks, found["TIP"]["Tip"].marks) == (Mark.NEW, Mark.OLD)
    assert found["KAFFEEERSATZ"]["Kaffeeersatz"].marks == Mark.NEW


@pytest.mark.parametrize(
    ("sources", "line", "why"),
    [
        ({"doubtful": "Audi\tbrand\tx\n"}, 2, "Audi"),
        ({"doubtful": "Aal\tfish\tx\n"}, 2, "fish"),
        ({"additions": "# c\nE-Mail\tx\n"}, 3, "E-Mail"),
        ({"additions": "Lex\n"}, 2, "columns"),
        ({"additions": "Lex\tx\ty\n"}, 2, "columns"),
    ],
)
def test_a_wrong_line_of_a_hand_kept_file_is_named(
    sources: dict[str, str], line: int, why: str, tmp_path: Path
) -> None:
    with pytest.raises(BrettblickError) as caught:
        built(tmp_path, "AAL Aal\n", **sources)
    assert caught.value.code == "bad-lexicon-source"
    assert caught.value.details["line"] == line and why in str(caught.value.details["why"])
