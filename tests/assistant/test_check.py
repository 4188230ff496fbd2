"""brettblick check and lexicon: the contract's answers, and what people read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.lexicon import german
from assistant.lexicon.naming import lexicon_named
from scorer.lexicon import Answer, Reason
from scorer.rules import RULE_SETS

Lines = list[dict[str, object]]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def checked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Lines]:
    status = main(["check", *words, "--json"])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    status, (found,) = checked(capsys, "QI")
    assert status == 0
    assert {key: found[key] for key in ("word", "answer", "found", "reason")} == {
        "word": "QI", "answer": "valid", "found": ["Qi"], "reason": None,
    }  # fmt: skip
    assert (found["list"], found["edition"]) == (german.about().name, german.about().edition)


def test_a_line_a_word_in_the_order_given_and_one_that_is_not_valid_makes_the_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, lines = checked(capsys, "Aal", "straße", "E-Mail", "Xqzw", "Audi", "STRAßE", "Donaudampfschiff")
    assert status == 1
    assert [(line["word"], line["answer"], line["reason"]) for line in lines] == [
        ("Aal", "valid", None), ("straße", "valid", None), ("E-Mail", "not-layable", "hyphen"),
        ("Xqzw", "unknown", None), ("Audi", "doubtful", "brand"), ("STRAßE", "not-layable", "blank-as-eszett"),
        ("Donaudampfschiff", "not-layable", "too-long"),
    ]  # fmt: skip
    assert (lines[0]["found"], lines[1]["found"], lines[1]["tiles"]) == (["Aal", "aal"], ["Straße"], "STRASSE")
    assert lines[2]["list"] is None and lines[3]["list"] == german.about().name


@pytest.mark.parametrize(
    ("options", "word", "answer", "reason", "allowed", "decides"),
    [
        ([], "AAL", "valid", None, None, "by-hand"),
        (["--rules", "scrabble-deutschland"], "AAL", "valid", None, True, "lexicon"),
        (["--rules", "familie"], "AAL", "valid", None, None, "table"),
        (["--rules", "mattel"], "AAL", "valid", None, None, "by-hand"),
        (["--lexicon", "tisch"], "AAL", "unknown", "table-decides", None, "by-hand"),
        (["--lexicon", "tisch", "--rules", "familie"], "AAL", "unknown", "table-decides", None, "table"),
        (["--lexicon", "none"], "AAL", "unknown", "no-lexicon", None, "by-hand"),
        (["--lexicon", "none+deutsch"], "AAL", "valid", None, None, "by-hand"),
        ([], "SCHIFFAHRT", "unknown", "old-spelling", None, "by-hand"),
        (["--rule", "spelling=old"], "SCHIFFAHRT", "valid", None, None, "by-hand"),
        (["--rule", "spelling=old"], "SCHIFFFAHRT", "unknown", "new-spelling", None, "by-hand"),
        (["--rules", "mattel"], "SCHIFFAHRT", "doubtful", "old-spelling-headword", None, "by-hand"),
        (["--rule", "spelling=both"], "SCHIFFFAHRT", "valid", None, None, "by-hand"),
        ([], "JÄNNER", "valid", None, None, "by-hand"),
        (["--rule", "regions=de"], "JÄNNER", "unknown", "other-region", None, "by-hand"),
        (["--rule", "regions=de,ch"], "JÄNNER", "unknown", "other-region", None, "by-hand"),
        (["--rule", "regions=at"], "JÄNNER", "valid", None, None, "by-hand"),
        (["--rule", "banned_words=none"], "AUDI", "valid", None, None, "by-hand"),
    ],
)
def test_the_rules_say_what_counts_and_who_decides(
    options: list[str],
    word: str,
    answer: str,
    reason: str | None,
    allowed: bool | None,
    decides: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, (found,) = checked(capsys, word, *options)
    assert (found["answer"], found["reason"]) == (answer, reason)
    assert (found["allowed"], found["decides"]) == (allowed, decides)
    assert status == (0 if answer == "valid" else 1)


def test_a_file_is_a_list_too(own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_folder / "Vereinsliste.txt"
    path.write_bytes("AAL\r\nÄHRE\r\n".encode("latin-1"))
    status, (found,) = checked(capsys, "Ähre", "--lexicon", str(path))
    assert (status, found["answer"], found["list"], found["allowed"]) == (0, "valid", "Vereinsliste", True)
    status, (found,) = checked(capsys, "QI", "--lexicon", str(path))
    assert (status, found["answer"], found["allowed"]) == (1, "unknown", False)
    status, (found,) = checked(capsys, "QI", "--lexicon", f"{path}+deutsch")
    assert (found["answer"], found["list"]) == ("unknown", "Vereinsliste")  # by club rules the club's list decides


def test_by_club_rules_the_clubs_list_has_the_say_wherever_it_is_named(own_folder: Path) -> None:
    path = own_folder / "Vereinsliste.txt"
    path.write_text("AAL\n", encoding="utf-8")
    for rules, answer in (("turnier", Answer.UNKNOWN), ("familie", Answer.VALID)):
        verdict = lexicon_named(f"deutsch+{path}", RULE_SETS[rules]).look_up("QI")
        assert verdict.answer is answer
        assert verdict.source is not None and verdict.source.official is (rules == "turnier")


def test_what_a_terminal_would_obey_is_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "\x1b[2JAAL\nQI"]) == 1
    assert capsys.readouterr().out.startswith(r"\x1b[2JAAL\nQI: ")


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (["check", "AAL", "--lexicon", "gibtsnicht"], "„gibtsnicht“"),
        (["check", "AAL", "--lexicon", "deutsch+gibtsnicht"], "„gibtsnicht“"),
        (["check", "AAL", "--lexicon", ""], "„“"),
        (["check", "AAL", "--lexicon", "."], "„.“"),
        (["check", "AAL", "--lexicon", "x" * 5000], "xxx"),
        (["check", "AAL", "--lexicon", "x" * 5000 + "+deutsch"], "xxx"),
        (["check", "AAL", "--rules", "gibtsnicht"], "gibtsnicht"),
        (["check", "AAL", "--rules", "x" * 5000], "xxx"),
        (["score", "--move", "H4 AAL", "--board", "x" * 5000], "xxx"),
        (["lexicon", "info", "gibtsnicht"], "gibtsnicht"),
        (["lexicon", "remove", "gibtsnicht"], "gibtsnicht"),
        (["lexicon", "import", "gibtsnicht.txt", "--name", "X"], "gibtsnicht.txt"),
        (["lexicon", "import", ".", "--name", "X"], "Ordner"),
        (["lexicon", "build", "--from", "gibtsnicht"], "tanglet-data"),
    ],
)
def test_wrong_usage_is_said_in_one_line(argv: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == "" and part in err.splitlines()[-1] and err.splitlines()[-1].startswith("Fehler: ")
    assert main(["--lang", "en", *argv]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("Error: ")


@pytest.mark.parametrize("argv", [["check"], ["check", "--json"], ["lexicon"], ["lexicon", "import", "x.txt"]])
def test_missing_words_end_with_two(argv: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(argv)
    assert caught.value.code == 2


def test_people_read_the_answer_the_source_and_who_decides(capsys: pytest.CaptureFixture[str]) -> None:
    title = german.about().title
    assert main(["check", "Straße", "Xqzw", "geht's", "Audi"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert f"Straße: gültig – {title}: „Straße“." in out
    assert f"Xqzw: nicht bekannt – {title}." in out
    assert "geht's: lässt sich nicht legen. Wörter mit Apostroph sind nicht erlaubt (R7.2)." in out
    assert "Audi: zweifelhaft" in out and "Marke" in out
    assert "Nur für angezweifelte Wörter" in out and "Liste des Vereins" in out
    assert main(["--lang", "en", "check", "Aal", "--rules", "familie"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"Aal: valid – {title}: “Aal, aal”." in out and "the table decides" in out
    assert "For challenged words only" not in out


def test_every_answer_reason_and_authority_has_words() -> None:
    from assistant.texts import LANGUAGES, Texts
    from scorer.rules import WordAuthority

    for language in LANGUAGES:
        texts = Texts(language)
        for answer in Answer:
            assert "AAL" in texts(f"check.{answer}", word="AAL")
        for reason in Reason:
            assert texts(f"check.reason.{reason}", tiles="AAL")
        for authority in WordAuthority:
            assert texts(f"check.authority.{authority}", rules="turnier")


def test_the_lists_there_are(own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_folder / "liste.txt"
    path.write_text("AAL\nQI\n")
    assert main(["lexicon", "import", str(path), "--name", "SDeV", "--edition", "2026", "--max-length", "9"]) == 0
    capsys.readouterr()
    assert main(["lexicon", "list", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (lines[0]["name"], lines[0]["words"]) == (german.about().name, german.provenance()["words"])
    assert (lines[1]["name"], lines[1]["words"], lines[1]["max_length"], lines[1]["official"]) == ("SDeV", 2, 9, True)
    assert main(["lexicon", "list"]) == 0
    out = capsys.readouterr().out
    assert "SDeV (2026)" in out and "2-9" in out and "eingebaut" in out
    assert main(["lexicon", "info", "SDeV", "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert (info["words_by_length"], info["sha256"]) == ({"2": 1, "3": 1}, lines[1]["sha256"])


def test_what_is_known_of_the_built_in_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "info"]) == 0
    out = capsys.readouterr().out
    assert german.about().title in out and german.about().sha256 in out and "CC0" in out
    assert main(["lexicon", "info", "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info["words"] == german.provenance()["words"] == sum(info["words_by_length"].values())


def test_the_second_opinion_only_makes_unknown_words_doubtful() -> None:
    second = german.second_list()
    if second is None:
        pytest.skip(f"{german.SECOND} is not installed")
    lexicon = lexicon_named("deutsch", RULE_SETS["turnier"])
    verdict = lexicon.look_up("München")
    assert (verdict.answer, verdict.source, verdict.reasons) == (Answer.DOUBTFUL, second, (Reason.SECOND_LIST,))
    assert lexicon.look_up("AAL").source == german.about()
    assert lexicon.look_up("Xqzw").answer is Answer.UNKNOWN
    assert lexicon.lists == (german.about(), second)
    assert german.second_has("STRASSE") and not german.second_has("XQZW")
