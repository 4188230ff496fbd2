"""`brettblick rules`, and the options --rules and --rule of every command that counts points."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import assistant.texts as texts_module
from assistant.cli import main
from assistant.rules_texts import SECTIONS, allowed_text, choices, value_text
from assistant.texts import LANGUAGES, Texts
from scorer.rules import RULE_SETS, SETTINGS, RuleConflict, RuleSet, read_rule_set

CATALOGUE = texts_module._catalogue()
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """One command: status, standard output, standard error."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*args: object) -> tuple[int, str, str]:
        status = main([str(arg) for arg in args])
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


# --- the texts ----------------------------------------------------------------------------------------------------


def test_every_setting_value_conflict_and_set_has_a_text() -> None:
    wanted = {f"setting.{name}" for name in SETTINGS} | {f"setting.{name}.about" for name in SETTINGS}
    wanted |= {f"value.{name}.{value}" for name in SETTINGS for value in choices(name)}
    wanted |= {f"conflict.{code}" for code in RuleConflict} | {f"ruleset.{name}" for name in RULE_SETS}
    wanted |= {f"section.{name}" for name in SECTIONS}
    assert wanted - set(CATALOGUE) == set()


def test_no_text_is_about_a_setting_or_a_value_that_does_not_exist() -> None:
    for key in CATALOGUE:
        area, _, rest = key.partition(".")
        name, _, value = rest.partition(".")
        if area in ("setting", "section") or (area == "value" and name not in ("yes", "no")):
            assert name in SETTINGS, key
        if area == "value" and name in SETTINGS and choices(name):
            assert value in choices(name) or (value == "none" and SETTINGS[name].allowed.endswith("none")), key
        if area == "conflict":
            assert rest in list(RuleConflict), key


def test_the_kinds_of_settings_are_told_apart() -> None:
    assert SETTINGS["max_players"].bounds == (2, 4) and SETTINGS["open_dictionary"].bounds is None
    assert choices("tie") == ("draw", "half-win", "before-settlement") and choices("regions") == ("de", "at", "ch")
    assert choices("bingo_bonus") == choices("open_dictionary") == choices("layout") == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_can_be_said_in_words(language: str) -> None:
    texts, usual = Texts(language), RULE_SETS["mattel"]
    for name in SETTINGS:
        written: list[object] = [*choices(name), *(SETTINGS[name].bounds or ())]
        for rules in (*RULE_SETS.values(), *(usual.with_texts([f"{name}={value}"]) for value in written)):
            said = value_text(rules, name, texts)
            assert said and "{" not in said and "=" not in said
        assert "{" not in allowed_text(name, texts)


@pytest.mark.parametrize(
    ("assignment", "de", "en"),
    [
        ("challenge_penalty=10", "10 Punkte", "10 points"),
        ("challenge_penalty=1", "1 Punkt", "1 point"),
        ("challenge_penalty=0", "nichts", "nothing"),
        ("clock_seconds=1500", "25 min", "25 min"),
        ("challenge_seconds=20", "20 s", "20 s"),
        ("banned_words=none", "nichts ist ausgeschlossen", "nothing is excluded"),
        ("regions=de,at", "Deutschland, Österreich", "Germany, Austria"),
        ("open_dictionary=ja", "ja", "yes"),
        ("end_on_passes=3", "wenn alle 3-mal passen", "when all pass 3 times"),
        ("layout=standard", "das übliche mit 61 Prämienfeldern", "the usual one with 61 premium squares"),
        ("layout=" + "/".join([*["." * 15] * 14, "*" + "." * 14]), "ein eigenes", "one of its own"),
    ],
)
def test_some_values_in_words(assignment: str, de: str, en: str) -> None:
    rules = RULE_SETS["mattel"].with_texts([assignment])
    name = assignment.partition("=")[0]
    assert (value_text(rules, name, Texts("de")), value_text(rules, name, Texts("en"))) == (de, en)


# --- show ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "player"), [("de", "Spieler höchstens: 2 (mattel: 4)"),
                                                  ("en", "Most players: 2 (mattel: 4)")])  # fmt: skip
def test_show_explains_every_setting(run: Run, language: str, player: str) -> None:
    status, out, err = run("--lang", language, "rules", "show", "turnier")
    texts = Texts(language)
    assert status == 0 and err == "" and max(map(len, out.splitlines())) <= 80
    assert f"* {player}" in out and "[challenge_penalty=10]" in out
    said = " ".join(out.split())
    for name in SETTINGS:
        assert f"{texts(f'setting.{name}')}: " in said and texts(f"setting.{name}.about") in said
        assert f"[{name}={RULE_SETS['turnier'].text_of(name)}]" in said
    assert all(texts(f"section.{name}") in out.splitlines() for name in SECTIONS)


def test_show_marks_exactly_what_differs_from_mattel(run: Run) -> None:
    assert "*" not in run("rules", "show", "mattel")[1].rsplit("\n* ", 1)[0]
    changed = run("rules", "show", "mattel", "--rule", "tie=half-win")[1]
    assert next(line for line in changed.splitlines() if line.startswith("* ")).startswith("* Gleichstand: ")
    assert "Regelwerk mattel, geändert: tie=half-win" in changed


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_show_writes_is_a_rule_set(run: Run, tmp_path: Path, name: str) -> None:
    status, out, _ = run("rules", "show", name, "--rule", "bingo_bonus=35", "--json")
    assert status == 0 and read_rule_set(out) == RULE_SETS[name].with_settings(bingo_bonus=35)
    (tmp_path / "club.json").write_text(out, encoding="utf-16")
    assert run("rules", "show", tmp_path / "club.json", "--json")[1] == out


# --- compare ------------------------------------------------------------------------------------------------------


def test_compare_shows_what_differs(run: Run) -> None:
    status, out, _ = run("rules", "compare", "mattel", "familie", "--json")
    different = {one["setting"]: (one["a"], one["b"]) for one in json.loads(out)["differences"]}
    assert status == 0 and different["end_on_passes"] == (2, 1) and different["open_dictionary"] == (False, True)
    assert set(different) == {
        "score_correction", "blank_naming", "word_authority", "spelling", "open_dictionary", "challenge_until", "proof",
        "end_on_passes",
    }  # fmt: skip
    people = run("rules", "compare", "mattel", "familie")[1]
    assert "wenn alle einmal passen" in people and "Ende durch Passen" in people and "bingo_bonus" not in people
    assert f"8 von {len(SETTINGS)}" in people and max(map(len, people.splitlines())) <= 80


def test_compare_of_the_same(run: Run) -> None:
    status, out, _ = run("--lang", "en", "rules", "compare", "turnier", "turnier")
    assert status == 0 and out == "Both rule sets have the same settings.\n"


# --- check --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_named_sets_fit_together(run: Run, name: str) -> None:
    assert run("rules", "check", name)[0] == 0
    assert json.loads(run("rules", "check", name, "--json")[1]) == {"rules": name, "conflicts": []}


@pytest.mark.parametrize(
    ("assignments", "code"),
    [
        (["end_on_passes=0"], "no-end-without-moves"),
        (["end_on_empty_bag=bag"], "rest-without-owner"),
        (["subtract_rest=no"], "credit-without-debit"),
        (["challenge_until=drawn", "turn_order=note-draw"], "late-before-drawing"),
        (["open_dictionary=yes", "challenge_penalty=5"], "penalty-at-open-dictionary"),
        (["move_timeout=pass"], "limit-without-clock"),
        (["theme_unit=turn"], "theme-without-bonus"),
        (["min_first_word=8"], "unreachable-first-word"),
        (["bingo_bonus=0"], "bingo-without-points"),
    ],
)
def test_every_conflict_is_named(run: Run, assignments: list[str], code: str) -> None:
    options = [word for assignment in assignments for word in ("--rule", assignment)]
    for language in LANGUAGES:
        status, out, _ = run("--lang", language, "rules", "check", "mattel", "--json", *options)
        text = CATALOGUE[f"conflict.{code}"][language]
        assert status == 1 and json.loads(out)["conflicts"] == [{"code": code, "text": text}]
        status, out, _ = run("--lang", language, "rules", "check", "mattel", *options)
        assert status == 1 and text in " ".join(out.split())


# --- the options --------------------------------------------------------------------------------------------------

WRONG = [
    (["--rules", "wm"], ["wm", "mattel", "scrabble-deutschland", "turnier", "familie"]),
    (["--rule", "end_on_passes=often"], ["end_on_passes", "often", "0", "20"]),
    (["--rule", "tie=lucky"], ["tie", "lucky", "draw", "half-win", "before-settlement"]),
    (["--rule", "regions=fr"], ["regions", "fr", "de, at, ch", "none"]),
    (["--rule", "subtract_rest=maybe"], ["subtract_rest", "maybe"]),
    (["--rule", "layout=round"], ["layout", "round", "standard", "15"]),
    (["--rule", "end_on_pass=1"], ["end_on_pass", "end_on_passes"]),
    (["--rule", "qwerty=1"], ["qwerty", *SETTINGS]),
    (["--rule", "tie"], ["tie", "end_on_passes=1"]),
    (["--rules", "none.json"], ["none.json"]),
]


@pytest.mark.parametrize(("options", "words"), WRONG)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_rule_is_refused_with_what_is_allowed(
    run: Run, options: list[str], words: list[str], language: str
) -> None:
    for command in (["score", "--move", "H4 FIRNS"], ["rescore", "none.gcg"], ["recount", "none.jpg"]):
        status, out, err = run("--lang", language, *command, *options)
        assert status == 2 and out == "" and len(err.splitlines()) == 1
        assert all(word in err for word in words), err
        assert ("Fehler: " if language == "de" else "Error: ") in err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", []),
        ("[1, 2]", []),
        ('{"tie": "draw"}', []),
        ('{"name": "x", "tie": "lucky"}', ["tie", "half-win"]),
        ('{"name": "x", "bingo": 1}', ["bingo", "bingo_bonus"]),
        ('{"name": "x", "rack_size": "7"}', ["rack_size", "1", "15"]),
        ("[" * 5000, []),
        ('{"name": "x", "tie": "draw", "bingo_bonus": 40, "bingo_bonus": 50}', ["bingo_bonus"]),
        ('{"name": "x", "regions": {"de": true}}', ["regions", "de, at, ch"]),
        ('{"name": ""}', ["80"]),
        ('{"name": "a\\u001b[31m"}', ["80"]),
        ('{"name": "\\ud800"}', ["80"]),
        ('{"name": "' + "x" * 81 + '"}', ["80"]),
        ('{"name": "' + "x" * 300_000 + '"}', ["250"]),
    ],
)
def test_a_file_that_is_no_rule_set_is_refused_by_name(
    run: Run, tmp_path: Path, content: str, words: list[str]
) -> None:
    (tmp_path / "club.json").write_text(content)
    for command in (["score", "--move", "H4 FIRNS", "--rules"], ["rules", "check"], ["rules", "compare", "mattel"]):
        status, out, err = run(*command, tmp_path / "club.json")
        assert status == 2 and out == "" and len(err.splitlines()) == 1 and "club.json" in err
        assert all(word in err for word in words), err


GAME = "move\tplayer\taction\tcoord\ttiles\tpoints\tref\ttotal_1\ttotal_2\n1\t1\tplace\tH3\tMYXÖDEM\t102\t\t102\t0\n"
"""(3 + 10 x 2 + 8 + 8 + 1 + 1 + 3 = 44) x 2 + 50 = 138 by the usual rules; with 14 for the whole rack 102."""


def test_rescore_takes_a_set_a_file_and_single_rules(run: Run, tmp_path: Path) -> None:
    game, club = tmp_path / "game.tsv", tmp_path / "club.json"
    game.write_text(GAME, encoding="utf-8")
    club.write_text(json.dumps(RuleSet("club", bingo_bonus=14).to_json()), encoding="utf-8")
    assert json.loads(run("rescore", game, "--json", "--rules", "familie")[1])["moves"][0]["computed"] == 138
    assert run("rescore", game, "--rule", "bingo_bonus=14")[0] == 0
    status, out, _ = run("rescore", game, "--rules", club)
    assert status == 0 and "club" in out
    status, out, _ = run("rescore", game, "--rules", club, "--rule", "bingo-bonus=15")
    assert status == 1 and "103" in out


def test_the_score_sheet_names_the_rules_and_what_was_changed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.tsv").write_text(GAME, encoding="utf-8")
    out = run("rescore", tmp_path / "game.tsv", "--rule", "bingo_bonus=14")[1]
    assert "turnier, geändert: bingo_bonus=14" in " ".join(out.split())


def test_three_players_need_rules_for_three(run: Run, tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_text("no picture")
    status, out, err = run("recount", tmp_path / "1.jpg", "--players", "Anna,Ben,Cleo")
    assert status == 2 and out == "" and "--rules familie" in err
    status, out, _ = run("recount", tmp_path / "1.jpg", "--players", "Anna,Ben,Cleo", "--rules", "familie", "--json")
    assert status == 3 and json.loads(out)["rules"] == "familie" and len(json.loads(out)["players"]) == 3
    assert run("recount", tmp_path / "1.jpg", "--players", "Anna,Ben,Cleo", "--rule", "max_players=4")[0] == 3


def test_help_of_each_kind_is_there_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("show", "compare", "check"):
        said = []
        for language in LANGUAGES:
            with pytest.raises(SystemExit) as ended:
                main(["--lang", language, "rules", kind, "--help"])
            assert ended.value.code == 0
            said.append(capsys.readouterr().out)
        assert said[0] != said[1] and all("scrabble-deutschland" in text for text in said)
