"""What lexicons say of words: answer, list, spellings and reasons (R7)."""

from __future__ import annotations

import json

import pytest

from scorer.errors import NotationError
from scorer.lexicon import (
    Answer,
    Decision,
    Lexicon,
    Listed,
    Mark,
    NoLexicon,
    Reason,
    SecondOpinion,
    Spelled,
    TableDecides,
    Union,
    WordList,
    words_in,
)
from scorer.rules import RULE_SETS, RuleSet
from scorer.tiles import ENGLISH_100, GERMAN_102

TURNIER = RULE_SETS["turnier"]
ABOUT = WordList("Probe", "1", "ab" * 32)
WORDS = {
    "AAL": (Spelled("Aal"), Spelled("aal")),
    "QI": (Spelled("Qi"),),
    "STRASSE": (Spelled("Straße"),),
    "MASSE": (Spelled("Masse"), Spelled("Maße")),
    "ASS": (Spelled("aß"),),
    "CAFE": (Spelled("Café"),),
    "AUDI": (Spelled("Audi", doubt=Reason.BRAND),),
    "PKW": (Spelled("Pkw", doubt=Reason.ABBREVIATION),),
    "ODER": (Spelled("Oder", doubt=Reason.PLACE), Spelled("oder")),
    "DUS": (Spelled("Dus", doubt=Reason.CONTESTED),),
    "SLUR": (Spelled("Slur", doubt=Reason.DISCRIMINATING),),
    "STENGEL": (Spelled("Stengel", Mark.OLD),),
    "STÄNGEL": (Spelled("Stängel", Mark.NEW),),
    "JÄNNER": (Spelled("Jänner", Mark.AUSTRIA),),
    "VELO": (Spelled("Velo", Mark.SWITZERLAND),),
    "OBERS": (Spelled("Obers", Mark.AUSTRIA | Mark.SWITZERLAND),),
}


def spelled(tiles: str) -> tuple[Spelled, ...]:
    return WORDS.get(tiles, ())


def probe(rules: RuleSet = TURNIER) -> Lexicon:
    return Listed(ABOUT, spelled, rules)


def answer(lexicon: Lexicon, word: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    verdict = lexicon.look_up(word)
    assert verdict.word == word
    return verdict.answer.value, verdict.found, tuple(reason.value for reason in verdict.reasons)


@pytest.mark.parametrize(
    ("word", "tiles", "found"),
    [
        ("AAL", "AAL", ("Aal", "aal")),
        ("aal", "AAL", ("Aal", "aal")),
        ("Qi", "QI", ("Qi",)),
        (" QI ", "QI", ("Qi",)),
        ("Straße", "STRASSE", ("Straße",)),
        ("STRASSE", "STRASSE", ("Straße",)),
        ("STRAẞE", "STRASSE", ("Straße",)),
        ("maße", "MASSE", ("Masse", "Maße")),
        ("Aß", "ASS", ("aß",)),  # begins a sentence; no word of two squares is meant
        ("café", "CAFE", ("Café",)),
        ("cafe\u0301", "CAFE", ("Café",)),
        ("sTÄNGEl", "STÄNGEL", ("Stängel",)),
        ("STA\u0308NGEL", "STÄNGEL", ("Stängel",)),
        ("oder", "ODER", ("oder",)),
        ("ODER", "ODER", ("oder",)),
    ],
)
def test_a_word_in_any_spelling_is_found_as_the_list_spells_it(word: str, tiles: str, found: tuple[str, ...]) -> None:
    verdict = probe().look_up(word)
    assert (verdict.answer, verdict.tiles, verdict.found) == (Answer.VALID, tiles, found)
    assert (verdict.source, verdict.reasons) == (ABOUT, ())


@pytest.mark.parametrize(
    ("word", "reasons"),
    [
        ("E-Mail", ("hyphen",)),
        ("geht's", ("apostrophe",)),
        ("geht’s", ("apostrophe",)),
        ("Qi3", ("no-tile",)),
        ("z.B.", ("no-tile",)),
        ("Ωmega", ("no-tile",)),
        ("STRAßE", ("blank-as-eszett",)),
        ("Donaudampfschiff", ("too-long",)),
        ("", ("empty",)),
        ("-", ("hyphen", "empty")),
        ("H?US", ("no-tile",)),
    ],
)
def test_what_no_tiles_can_lie_as_is_no_matter_of_a_list(word: str, reasons: tuple[str, ...]) -> None:
    for lexicon in (probe(), NoLexicon(), TableDecides(), Union(probe(), NoLexicon())):
        assert answer(lexicon, word) == ("not-layable", (), reasons)
        assert lexicon.look_up(word).source is None


def test_fifteen_letters_can_be_laid_and_sixteen_cannot() -> None:
    assert answer(probe(), "A" * 15)[0] == "unknown"
    assert answer(probe(), "A" * 16) == ("not-layable", (), ("too-long",))
    assert answer(probe(), "ß" * 8) == ("not-layable", (), ("too-long",))  # sixteen S


@pytest.mark.parametrize(
    ("setting", "word", "expected"),
    [
        ({}, "AUDI", ("doubtful", ("Audi",), ("brand",))),
        ({}, "PKW", ("doubtful", ("Pkw",), ("abbreviation",))),
        ({"banned_words": []}, "DUS", ("doubtful", ("Dus",), ("contested",))),
        ({}, "SLUR", ("valid", ("Slur",), ())),
        ({"banned_words": ["name", "discriminating"]}, "SLUR", ("doubtful", ("Slur",), ("discriminating",))),
        ({"banned_words": ["name"]}, "PKW", ("valid", ("Pkw",), ())),
        ({"banned_words": []}, "AUDI", ("valid", ("Audi",), ())),
        ({"banned_words": []}, "ODER", ("valid", ("Oder", "oder"), ())),
        ({}, "STENGEL", ("unknown", ("Stengel",), ("old-spelling",))),
        ({}, "STÄNGEL", ("valid", ("Stängel",), ())),
        ({"spelling": "old"}, "STENGEL", ("valid", ("Stengel",), ())),
        ({"spelling": "old"}, "STÄNGEL", ("unknown", ("Stängel",), ("new-spelling",))),
        ({"spelling": "both"}, "STENGEL", ("valid", ("Stengel",), ())),
        ({"spelling": "both"}, "STÄNGEL", ("valid", ("Stängel",), ())),
        ({"spelling": "headword"}, "STENGEL", ("doubtful", ("Stengel",), ("old-spelling-headword",))),
        ({"spelling": "headword"}, "STÄNGEL", ("valid", ("Stängel",), ())),
        ({}, "JÄNNER", ("valid", ("Jänner",), ())),
        ({"regions": ["de"]}, "JÄNNER", ("unknown", ("Jänner",), ("other-region",))),
        ({"regions": ["de", "ch"]}, "JÄNNER", ("unknown", ("Jänner",), ("other-region",))),
        ({"regions": ["at"]}, "JÄNNER", ("valid", ("Jänner",), ())),
        ({"regions": ["de", "ch"]}, "VELO", ("valid", ("Velo",), ())),
        ({"regions": ["ch"]}, "OBERS", ("valid", ("Obers",), ())),
        ({"regions": ["at"]}, "OBERS", ("valid", ("Obers",), ())),
        ({"regions": ["de"]}, "OBERS", ("unknown", ("Obers",), ("other-region",))),
        ({"regions": []}, "QI", ("valid", ("Qi",), ())),
    ],
)
def test_what_the_table_agreed_on_decides(
    setting: dict[str, object], word: str, expected: tuple[str, tuple[str, ...], tuple[str, ...]]
) -> None:
    assert answer(probe(TURNIER.with_settings(**setting)), word) == expected


def club(words: str, max_length: int = 9) -> Lexicon:
    return Listed(WordList("SDeV", "2026", "", max_length, official=True), words_in(words.split()), TURNIER)


def test_a_club_list_says_nothing_of_words_longer_than_its_own() -> None:
    lexicon = club("AAL QI")
    assert answer(lexicon, "Qi") == ("valid", ("QI",), ())
    assert answer(lexicon, "Xy") == ("unknown", (), ())
    assert answer(lexicon, "ABCDEFGHI") == ("unknown", (), ())
    assert answer(lexicon, "ABCDEFGHIJ") == ("unknown", (), ("longer-than-list",))


def test_in_a_union_the_first_that_has_the_word_answers() -> None:
    other = Listed(WordList("Andere"), words_in(["QI", "AUDI", "XY"]), TURNIER)
    both = Union(probe(), other)
    assert both.look_up("QI").source == ABOUT
    assert both.look_up("XY").source == WordList("Andere")
    assert (both.look_up("AUDI").answer, both.look_up("AUDI").source) == (Answer.VALID, WordList("Andere"))
    assert (both.look_up("PKW").answer, both.look_up("PKW").source) == (Answer.DOUBTFUL, ABOUT)
    assert (both.look_up("XYZ").answer, both.look_up("XYZ").source) == (Answer.UNKNOWN, ABOUT)
    assert both.lists == (ABOUT, WordList("Andere"))
    assert Union(probe(), probe()).lists == (ABOUT,)


def test_no_other_list_overrules_an_official_one_within_its_length() -> None:
    both = Union(club("AAL", max_length=4), probe())
    verdict = both.look_up("QI")
    assert (verdict.answer, verdict.source and verdict.source.name) == (Answer.UNKNOWN, "SDeV")
    verdict = both.look_up("Straße")
    assert (verdict.answer, verdict.source) == (Answer.VALID, ABOUT)
    assert answer(both, "STENGELN") == ("unknown", (), ("longer-than-list",))


def test_no_list_overrules_what_the_table_decided() -> None:
    both = Union(TableDecides({"AAL": Decision(False, "alle"), "XY": Decision(True, "Anna")}), probe())
    assert answer(both, "AAL") == ("unknown", (), ("table-refused",))
    assert (both.look_up("XY").answer, both.look_up("XY").by) == (Answer.VALID, "Anna")
    assert both.look_up("QI").source == ABOUT


def test_the_second_opinion_makes_unknown_words_doubtful_and_nothing_else() -> None:
    second = WordList("Zweite", "7")
    lexicon = SecondOpinion(probe(), second, lambda tiles: tiles in {"PETER", "QI", "AUDI", "STENGEL", "ABCDEFGHIJ"})
    verdict = lexicon.look_up("Peter")
    assert (verdict.answer, verdict.source, verdict.reasons) == (Answer.DOUBTFUL, second, (Reason.SECOND_LIST,))
    for word in ("QI", "AUDI", "STENGEL", "XY", "E-Mail"):
        assert lexicon.look_up(word) == probe().look_up(word)
    assert lexicon.lists == (ABOUT, second)
    beside_club = SecondOpinion(club("AAL"), second, lambda tiles: True)
    assert answer(beside_club, "PETER") == ("unknown", (), ())  # an official list has the last word
    assert answer(beside_club, "ABCDEFGHIJ") == ("doubtful", (), ("only-second-list", "longer-than-list"))


def test_the_table_decides_and_is_remembered() -> None:
    table = TableDecides({"XY": Decision(True, "Anna und Ben"), "ZZZ": Decision(False, "alle")})
    assert answer(table, "AAL") == ("unknown", (), ("table-decides",))
    assert (table.look_up("xy").answer, table.look_up("xy").by) == (Answer.VALID, "Anna und Ben")
    assert (answer(table, "ZZZ"), table.look_up("ZZZ").by) == (("unknown", (), ("table-refused",)), "alle")
    assert table.lists == ()


def test_without_a_lexicon_nothing_is_known() -> None:
    assert answer(NoLexicon(), "AAL") == ("unknown", (), ("no-lexicon",))
    assert NoLexicon().lists == ()


def test_words_are_laid_in_the_tiles_of_the_table() -> None:
    english = Listed(WordList("E"), words_in(["UBER"]), TURNIER, ENGLISH_100)
    assert answer(english, "über")[0] == "valid"
    assert answer(Listed(WordList("D"), words_in(["UBER"]), TURNIER, GERMAN_102), "über")[0] == "unknown"


def test_what_a_game_keeps_of_a_list_survives_json() -> None:
    for about in (ABOUT, WordList("SDeV", "2026", "0" * 64, 9, official=True), WordList("x")):
        assert WordList.from_json(json.loads(json.dumps(about.to_json()))) == about
    assert (ABOUT.title, WordList("x").title) == ("Probe (1)", "x")


@pytest.mark.parametrize(
    "data",
    [
        None, [], "SDeV", {}, {"name": ""}, {"name": 3}, {"name": "x", "edition": None}, {"name": "x", "words": 3},
        {"name": "x", "sha256": "xyz"}, {"name": "x", "max_length": 1}, {"name": "x", "max_length": 16},
        {"name": "x", "max_length": True}, {"name": "x", "official": 1},
    ],
)  # fmt: skip
def test_what_names_no_list_is_refused(data: object) -> None:
    with pytest.raises(NotationError) as caught:
        WordList.from_json(data)
    assert caught.value.code == "no-word-list"


def test_a_union_of_nothing_is_a_mistake() -> None:
    with pytest.raises(ValueError):
        Union()
