"""A club's own list: what files are taken, what is said of them, and that its words stay where they are (R7.8)."""

from __future__ import annotations

import codecs
import io
import json
import os
import random
import zipfile
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.files import write_whole
from assistant.lexicon import club
from assistant.lexicon.german import words
from assistant.lexicon.naming import lexicon_named
from scorer.errors import BrettblickError, NotationError
from scorer.lexicon import Answer, Reason, WordList
from scorer.rules import RULE_SETS

TURNIER = RULE_SETS["turnier"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The lists of these tests lie in a folder of their own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def read(text: str, max_length: int = 9, encoding: str = "utf-8") -> club.ClubList:
    return club.read_list(text.encode(encoding), "Probe", "1", max_length)


def taken(found: club.ClubList) -> dict[str, str]:
    return {tiles: one.spelling for tiles, one in found.entries}


def test_one_word_a_line_in_any_case_with_comments_and_a_second_column() -> None:
    found = read(
        "# Liste des Vereins\n\nAAL\n  qi \nStraße\nÄhre # wie Aehre\nCafé;Gaststätte\nhm\tInterjektion\n"
        'nö | ugs.\n; auch ein Kommentar\n// noch einer\n"öd"\nXYLOL,chem.\n'
    )
    assert taken(found) == {
        "AAL": "AAL", "QI": "qi", "STRASSE": "Straße", "ÄHRE": "Ähre", "CAFE": "Café", "HM": "hm", "NÖ": "nö",
        "ÖD": "öd", "XYLOL": "XYLOL",
    }  # fmt: skip
    assert (found.lines, found.duplicates.count, found.longer.count, found.no_words.count) == (9, 0, 0, 0)


def test_what_is_left_out_is_counted_with_its_lines() -> None:
    found = read("AAL\nAal\naal\nQI\nAALFANGREUSE\nE-Mail\nHAUS\nSEE\nBERG\nX\nTAL\nWALD\nFELD\nWEG\n")
    assert found.duplicates == club.NotTaken(2, ((2, "Aal"), (3, "aal")))
    assert found.longer == club.NotTaken(1, ((5, "AALFANGREUSE"),))
    assert found.no_words == club.NotTaken(2, ((6, "E-Mail"), (10, "X")))
    assert len(found.entries) == 9


def test_of_many_lines_left_out_the_first_few_are_named() -> None:
    found = read("AAL\n" * 1000 + "QI\n")
    assert found.duplicates.count == 999 and [number for number, _ in found.duplicates.examples] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("encoding", "mark", "end"),
    [
        ("utf-8", b"", "\n"), ("utf-8", codecs.BOM_UTF8, "\r\n"), ("latin-1", b"", "\n"), ("latin-1", b"", "\r\n"),
        ("utf-16-le", codecs.BOM_UTF16_LE, "\r\n"), ("utf-8", b"", "\r"),
    ],
)  # fmt: skip
def test_whatever_the_encoding_it_is_the_same_list(encoding: str, mark: bytes, end: str) -> None:
    plain = read("ÄHRE\nÖL\nÜBEL\nSTRASSE\n")
    data = mark + end.join(["Ähre", "öl", "ÜBEL", "Strasse", ""]).encode(encoding)
    assert club.read_list(data, "Probe", "1", 9).entries != plain.entries  # the spellings are others
    data = mark + end.join(["ÄHRE", "ÖL", "ÜBEL", "STRASSE", ""]).encode(encoding)
    assert club.read_list(data, "Probe", "1", 9) == plain


def test_a_list_as_long_as_the_tournaments_one_in_latin_1_and_utf_8() -> None:
    """184,243 lines, as many as the list of tournaments has; drawn from the built-in one."""
    pool = sorted({tiles for tiles, _ in words().entries() if len(tiles) <= 9})
    lines = random.Random(6).sample(pool, 184_243)
    latin = club.read_list("\n".join(lines).encode("latin-1"), "SDeV", "2026", 9)
    utf_8 = club.read_list(codecs.BOM_UTF8 + "\r\n".join(lines).encode(), "SDeV", "2026", 9)
    assert latin == utf_8
    assert (latin.lines, len(latin.entries), latin.duplicates.count) == (184_243, 184_243, 0)
    assert {tiles for tiles, _ in latin.entries} == set(lines)
    assert any("Ä" in tiles for tiles in lines) and latin.about.max_length == 9


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    return out.getvalue()


PAGE = "<!DOCTYPE html>\n<html><head><title>Liste</title></head><body><p>AAL</p></body></html>\n"
PROSE = "Das ist ein Brief an den Verein.\nEr handelt von der neuen Liste und davon, wie sie aussieht.\nViele Grüße\n"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (PAGE.encode(), "list-is-html"),
        (codecs.BOM_UTF8 + b"\r\n " + PAGE.encode(), "list-is-html"),
        (b"<?xml version='1.0'?><svg/>", "list-is-html"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "list-is-pdf"),
        (zipped(), "list-is-office"),
        (b"{\\rtf1\\ansi AAL}", "list-is-office"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "list-is-office"),
        (b"\x1f\x8b\x08\x00" + bytes(20), "list-is-archive"),
        (b"AAL\nQI\n\x00\x01\x02", "list-is-binary"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "list-is-binary"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "list-is-binary"),
        ("AAL\nÄHRE\nÖL\n".encode("cp437"), "list-is-binary"),
        ("AAL\nQI\n".encode("utf-16-le"), "list-is-binary"),
        ("aal\nqi\nhaus\nsee\nberg\nweg\nähre\nö".encode()[:-1], "list-is-binary"),  # cut off within a letter
        ("aal\nqi\nhaus\nsee\nberg\nweg\nähre\n".encode().decode("latin-1").encode(), "list-is-binary"),
        ("AAL\nQI\nHAUS\nSEE\nBERG\nWEG\nÜBEL\n".encode().decode("cp1252").encode(), "list-is-binary"),
        (PROSE.encode(), "list-of-no-words"),
        (b"<p>AAL</p>\n<p>QI</p>\n", "list-of-no-words"),
        (b"1;AAL\n2;QI\n", "list-of-no-words"),
        (json.dumps({"words": ["AAL", "QI"]}, indent=1).encode(), "list-of-no-words"),
        (b"AALFANGREUSE\n", "list-empty"),
        (b"# nur ein Kommentar\n", "list-empty"),
        (b"", "list-empty"),
        (bytes(range(256)) * 10, "list-is-binary"),
    ],
)
def test_what_is_no_list_is_refused_with_what_to_do(data: bytes, code: str, own_folder: Path) -> None:
    with pytest.raises(NotationError) as caught:
        club.read_list(data, "Probe", "1", 9)
    assert caught.value.code == code
    path = own_folder / "liste.txt"
    path.write_bytes(data)
    for lang in ("de", "en"):
        assert main(["--lang", lang, "lexicon", "import", str(path), "--name", "Probe", "--max-length", "9"]) == 2
    assert club.kept() == []


def test_random_bytes_are_a_list_or_refused_never_more() -> None:
    random.seed(6)
    for _ in range(300):
        data = random.choice([b"", b"AAL\n", b"\xef\xbb\xbf", b"\xff\xfe"]) + random.randbytes(random.randint(0, 40))
        try:
            found = club.read_list(data, "Probe")
        except NotationError as error:
            assert error.code
        else:
            assert found.entries


def test_words_that_are_too_long_for_the_board_make_no_list_suspect() -> None:
    found = read("\n".join(["AAL", "HAUS", "SEE", "Donaudampfschiff", "Donaudampfschiffe", "Rindfleischetikettierung"]))
    assert (len(found.entries), found.longer.count, found.no_words.count) == (3, 3, 0)


def test_a_file_without_line_ends_is_refused_without_a_look_at_all_of_it() -> None:
    for text in ("A" * 3_000_000, "É" * 3_000_000, "1" * 3_000_000):
        with pytest.raises(NotationError):
            read(text)


def test_without_a_limit_the_longest_word_is_it() -> None:
    """A list of short words says nothing of long ones, so nobody is refused one by it."""
    assert club.read_list(b"AAL\nQI\nHAUS\n", "Probe").about.max_length == 4
    assert club.read_list(b"AAL\nQI\n", "Probe", max_length=9).about.max_length == 9


def test_many_words_without_an_umlaut_are_told_of(own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pool = dict.fromkeys(tiles for tiles, _ in words().entries() if len(tiles) == 6)
    plain = [tiles for tiles in pool if not set(tiles) & set("ÄÖÜ")][:1000]
    for lines, told in ((plain, True), (plain[:999], False), ([*plain, "ÄHRE"], False)):
        (own_folder / "liste.txt").write_text("\n".join(lines), encoding="utf-8")
        assert main(["lexicon", "import", str(own_folder / "liste.txt"), "--name", "X"]) == 0
        assert ("AE, OE, UE" in capsys.readouterr().err) is told


# --- kept on disk -------------------------------------------------------------------------------------------------


def test_a_list_is_kept_found_replaced_and_removed(own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_folder / "liste.txt"
    path.write_bytes("AAL\nÄHRE\nAAL\nUNENDLICHKEIT\n".encode("latin-1"))
    command = ["lexicon", "import", str(path), "--name", "SDeV 2026", "--edition", "Mai", "--max-length", "9"]
    assert main([*command, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["name"], made["edition"]) == ("SDeV 2026", "Mai")
    assert (made["words"], made["duplicates"], made["longer"]) == (2, 1, 1)
    lexicon = lexicon_named("sdev 2026", TURNIER)
    verdict = lexicon.look_up("Ähre")
    assert verdict.answer is Answer.VALID
    assert verdict.source == WordList("SDeV 2026", "Mai", made["sha256"], 9, official=True)
    assert lexicon.look_up("QI").answer is Answer.UNKNOWN
    assert lexicon.look_up("UNENDLICHKEIT").reasons == (Reason.BEYOND_LIST,)

    path.write_text("AAL\nQI\n")
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "Wörter: 2." in out and "Ersetzt: SDeV 2026 (Mai)" in out
    assert lexicon_named("SDeV 2026", TURNIER).look_up("QI").answer is Answer.VALID
    assert len(list(club.folder().iterdir())) == 2  # the old words are gone

    assert main(["lexicon", "remove", "SDEV 2026"]) == 0
    assert club.kept() == [] and list(club.folder().iterdir()) == []
    assert main(["lexicon", "remove", "SDeV 2026"]) == 2


def test_by_club_rules_the_list_that_was_imported_is_asked(
    own_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def asked(word: str, *options: str) -> tuple[str, str, bool | None]:
        main(["check", word, "--json", *options])
        found = json.loads(capsys.readouterr().out)
        return found["answer"], found["list"], found["allowed"]

    built_in = "Brettblick Deutsch"
    assert asked("QI") == ("valid", built_in, None)
    club.keep(club.read_list(b"AAL\nHAUS\n", "SDeV"))
    assert asked("AAL") == ("valid", "SDeV", True)
    assert asked("QI") == ("unknown", "SDeV", False)
    assert asked("STRASSE") == ("valid", built_in, None)  # longer than the list's words: by hand, with a hint
    assert asked("QI", "--rules", "familie") == ("valid", built_in, None)
    assert asked("QI", "--lexicon", "deutsch") == ("valid", built_in, None)
    club.keep(club.read_list(b"AAL\n", "Andere"))
    assert asked("QI") == ("valid", built_in, None)  # which of the two?


def test_an_import_says_what_it_left_out(own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_folder / "liste.txt"
    path.write_text("AAL\nAal\nHAUS\nSEE\nBERG\nUNENDLICHKEIT\nE-Mail\nTAL\nWALD\nWEG\n", encoding="utf-8")
    assert main(["lexicon", "import", str(path), "--name", "X", "--max-length", "9"]) == 0
    out = capsys.readouterr().out
    for part in ("Wörter: 7.", "Doppelt: 1 (Zeile 2: Aal)", "Zeile 6: UNENDLICHKEIT", "Zeile 7: E-Mail"):
        assert part in out
    assert main(["--lang", "en", "lexicon", "import", str(path), "--name", "X", "--max-length", "9"]) == 0
    assert "Twice: 1 (line 2: Aal)" in capsys.readouterr().out


def test_without_an_edition_it_is_the_day_of_the_file(own_folder: Path) -> None:
    path = own_folder / "liste.txt"
    path.write_text("AAL\nQI\n")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert main(["lexicon", "import", str(path), "--name", "X"]) == 0
    assert club.kept()[0].about.edition == "2001-09-09"


def test_an_edition_stays_in_one_line(own_folder: Path) -> None:
    path = own_folder / "liste.txt"
    path.write_text("AAL\nQI\n")
    assert main(["lexicon", "import", str(path), "--name", "X", "--edition", " Mai\n2026\x1b[2J"]) == 0
    assert club.kept()[0].about.edition == r"Mai 2026\x1b[2J"


def test_a_file_of_no_day_there_is_has_no_edition(own_folder: Path) -> None:
    path = own_folder / "liste.txt"
    path.write_text("AAL\nQI\n")
    for seconds in (300_000_000_000, -99_999_999_999):
        os.utime(path, (seconds, seconds))
        assert main(["lexicon", "import", str(path), "--name", "X"]) == 0
        assert main(["check", "AAL", "--lexicon", str(path)]) == 0


@pytest.mark.parametrize("name", ["", "  ", "deutsch", "Tisch", "NONE", "A+B", "x" * 81, "a\x1b[2J"])
def test_names_by_which_nothing_could_be_called_are_refused(name: str, own_folder: Path) -> None:
    path = own_folder / "liste.txt"
    path.write_text("AAL\nQI\n")
    assert main(["lexicon", "import", str(path), "--name", name]) == 2
    assert club.kept() == []


def test_names_that_differ_only_in_signs_are_two_lists(own_folder: Path) -> None:
    for name, text in (("Liste 1/2", "AAL\n"), ("Liste 1-2", "QI\n"), ("../../x", "XY\n")):
        club.keep(club.read_list(text.encode(), name))
    assert [one.about.name for one in club.kept()] == ["../../x", "Liste 1-2", "Liste 1/2"]
    assert all(path.parent == club.folder() for path in own_folder.rglob("*.marisa"))
    assert lexicon_named("Liste 1/2", TURNIER).look_up("AAL").answer is Answer.VALID


def test_a_name_is_the_same_however_it_is_typed(own_folder: Path) -> None:
    path = own_folder / "liste.txt"
    path.write_text("AAL\n")
    assert main(["lexicon", "import", str(path), "--name", " Ko\u0308ln  2026"]) == 0
    assert [one.about.name for one in club.kept()] == ["Köln 2026"]
    for name in ("Köln 2026", "KÖLN  2026 ", "ko\u0308ln 2026"):
        assert lexicon_named(name, TURNIER).look_up("AAL").answer is Answer.VALID
    assert lexicon_named(" Deutsch ", TURNIER).look_up("QI").answer is Answer.VALID


def test_a_damaged_list_is_said_to_be_and_others_still_work(own_folder: Path) -> None:
    kept = club.keep(club.read_list(b"AAL\n", "Eins"))
    club.keep(club.read_list(b"QI\n", "Zwei"))
    kept.file.write_bytes(b"nonsense")
    with pytest.raises(BrettblickError) as caught:
        lexicon_named("Eins", TURNIER)
    assert caught.value.code == "bad-lexicon-file"
    kept.file.unlink()
    assert main(["check", "AAL", "--lexicon", "Eins"]) == 2
    assert main(["check", "QI", "--lexicon", "Zwei"]) == 0
    (club.folder() / "broken.json").write_text("{")
    (club.folder() / "list.json").write_text("[1]")
    assert [one.about.name for one in club.kept()] == ["Eins", "Zwei"]
    assert main(["lexicon", "list"]) == 0


def test_a_list_with_one_bit_changed_is_said_to_be_damaged() -> None:
    kept = club.keep(club.read_list(b"AAL\nQI\nHAUS\n", "Eins"))
    data = kept.file.read_bytes()
    for place in range(0, len(data), 97):
        kept.file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(BrettblickError) as caught:
            kept.open()
        assert caught.value.code == "bad-lexicon-file"
    kept.file.write_bytes(data)
    assert kept.open().has("AAL")


def test_an_import_leaves_the_words_of_another_that_is_still_at_work() -> None:
    first = club.keep(club.read_list(b"AAL\n", "Eins"))
    stem = first.file.name.partition(".")[0]
    fresh, cut_off = (club.folder() / f"{stem}.{part}" for part in ("0123.marisa", "4567.marisa.99.new"))
    fresh.write_bytes(b"words")
    cut_off.write_bytes(b"half the wor")
    os.utime(cut_off, (1_000_000_000, 1_000_000_000))
    second = club.keep(club.read_list(b"QI\n", "eins"))
    assert fresh.exists() and not cut_off.exists() and not first.file.exists()
    club.forget(second)
    assert list(club.folder().iterdir()) == []


def test_where_nothing_can_be_written_it_is_said(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_folder / "liste.txt"
    path.write_text("AAL\nQI\n")
    monkeypatch.setenv("XDG_DATA_HOME", str(path))
    assert main(["lexicon", "import", str(path), "--name", "X"]) == 2
    assert "speichern" in capsys.readouterr().err
    assert main(["lexicon", "list"]) == 0
    assert main(["check", "QI"]) == 0


def test_what_could_not_be_written_whole_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "liste.json"
    folder.mkdir()  # no file can take its place
    with pytest.raises(OSError):
        write_whole(folder, b"{}")
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be replaced there")
def test_who_has_a_list_open_still_reads_it_when_it_is_replaced() -> None:
    kept = club.keep(club.read_list(b"AAL\nQI\n", "Eins"))
    words = kept.open()
    write_whole(kept.file, b"")
    assert words.has("AAL") and not words.has("XY")


def test_the_words_are_in_no_output_but_the_examples(own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_folder / "liste.txt"
    path.write_text("AAL\nQI\nXYLOPHON\n")
    for command in (
        ["lexicon", "import", str(path), "--name", "SDeV"], ["lexicon", "list"], ["lexicon", "info", "SDeV"],
        ["lexicon", "info", "SDeV", "--json"], ["lexicon", "list", "--json"],
    ):  # fmt: skip
        assert main(command) == 0
        assert "XYLOPHON" not in capsys.readouterr().out
