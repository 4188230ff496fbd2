"""What the page is told of a game: right values, in both languages, and nothing that it may not know."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from assistant.texts import LANGUAGES, Texts
from assistant.web.view import view_of
from scorer.board import Square
from scorer.rules import RULE_SETS
from tests.assistant.table.tables import BEN, EMPTY, Players, lay
from vision.geometry import Corners

HUT = lay(EMPTY, 7, 7, "HUT")
HUTOR = lay(HUT, 7, 9, "TOR", down=True)
DE = Texts("de")


def view(players: Players, texts: Texts = DE, **about: Any) -> dict[str, Any]:
    shown = view_of(players.table, texts, **about)
    json.dumps(shown, allow_nan=False)
    return shown


def test_a_new_game(players: Players) -> None:
    shown = view(players)
    assert (shown["phase"], shown["next_text"], shown["bag"], shown["unseen_total"]) == (
        "playing",
        "Anna ist dran",
        88,
        102,
    )
    assert shown["sheet"] == [] and shown["proposal"] is None and shown["end"] is None
    can = shown["can"]
    assert can["photo"] and can["type"] and can["pass"] and can["exchange"]
    assert can["undo"] is None and can["challenge"] is None and not can["racks"]


def test_a_proposal_names_word_points_and_each_step(players: Players) -> None:
    corners = Corners.of([(100, 100), (900, 100), (900, 700), (100, 700)])
    players.photo(HUT, corners=corners)
    proposal = view(players)["proposal"]
    assert proposal["title"] == "Anna: H8 HUT"
    (move,) = proposal["moves"]
    assert (move["score"], move["words"]) == (8, [{"word": "HUT", "score": 8}])
    assert (
        move["steps"] == ["H8 HUT: H 2, U 1, T 1 = 4, Wort x 2 = 8", "Zusammen: 8 Punkte"] or "8" in move["steps"][-1]
    )
    assert proposal["confirmable"] and proposal["question"] is None
    outlines = {tuple(one["square"]): one for one in proposal["outlines"]}
    assert set(outlines) == {(7, 7), (7, 8), (7, 9)} and {one["kind"] for one in outlines.values()} == {"new"}
    points = np.array([[float(x) for x in pair.split(",")] for pair in outlines[7, 7]["points"].split()])
    side = np.array([800 / 15, 600 / 15])
    assert np.abs(points.mean(axis=0) - (100 + 7.5 * side[0], 100 + 7.5 * side[1])).max() < 1.0


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_one_question_offers_what_can_be_sent_back(players: Players, language: str) -> None:
    players.photo(HUT, {(7, 7): {"H": 0.5, "N": 0.48}})
    proposal = view(players, Texts(language))["proposal"]
    question = proposal["question"]
    assert question["code"] == "which-letter" and question["squares"] == [[7, 7]] and "H8" in question["text"]
    assert not proposal["confirmable"] and question["free"] == "tile"
    assert [one["kind"] for one in proposal["outlines"]] == []  # no corners, no outlines
    assert {tile["name"]: tile["sure"] for tile in proposal["tiles"]} == {"H8": False, "H9": True, "H10": True}
    wanted = next(one["act"] for one in question["options"] if one["label"] == "N")
    players.do(**wanted)
    assert view(players)["proposal"]["title"] == "Anna: H8 NUT"


@pytest.mark.parametrize(
    ("board", "unsure", "code"),
    [
        (None, None, "photo-unreadable"),
        (lay(EMPTY, 7, 7, "A?B"), None, "initials-or-move"),
        (HUT, {(7, 7): {"H": 0.5, "N": 0.48}}, "which-letter"),
        (HUT, {(7, 10): {"E": 0.5, ".": 0.5}}, "tile-or-empty"),
        (lay(EMPTY, 7, 7, "HU?"), None, "blank-letter"),
        (lay(EMPTY, 7, 3, "HUTEROHREN"), None, "begun-before"),
        (EMPTY, None, "nothing-laid"),
    ],
)
def test_every_option_of_a_question_is_taken(players: Players, board: Any, unsure: Any, code: str) -> None:
    players.photo(board, unsure)
    question = view(players)["proposal"]["question"]
    assert question["code"] == code and question["text"] and question["options"]
    for option in question["options"]:
        assert option["label"]
        if players.table.state.pending is None:
            players.photo(board, unsure)
        before = players.table.state.version
        assert players.do(**option["act"]).version == before + 1
        if option["act"]["action"] == "answer":
            after = view(players)["proposal"]["question"]
            assert after is None or after["code"] != code, "it is not asked again"
            players.do("drop")


def test_a_tile_can_be_of_either_of_two_moves(players: Players) -> None:
    players.lay(HUT)
    for number, word in ((0, "TOR"), (1, "RE")):
        players.photo(lay(HUTOR, 9, 9, "RE"))
        question = view(players)["proposal"]["question"]
        assert question["code"] == "which-of-two" and [one["label"] for one in question["options"]] == [
            "Zum ersten Zug",
            "Zum zweiten Zug",
        ]
        players.do(**question["options"][number]["act"])
        proposal = view(players)["proposal"]
        assert proposal["question"] is None
        laid = {tuple(one["square"]): one["tile"] for one in proposal["tiles"]}
        assert laid[(9, 9)] == "R" and any(word in move["text"] for move in proposal["moves"])
        first = players.table.proposal()
        assert first is not None and (Square(9, 9) in first.laid[0][1].placement.squares) == (number == 0)
        players.do("drop")


def test_a_move_against_the_rules_says_what_is_wrong_and_what_to_do(players: Players) -> None:
    players.do("type", move="A1 HUT")
    proposal = view(players)["proposal"]
    assert not proposal["legal"] and not proposal["confirmable"] and proposal["despite"]
    assert [fault["code"] for fault in proposal["faults"]] == ["first-word-off-star"]
    assert "Stern" in proposal["faults"][0]["text"]
    players.do("drop")
    players.lay(HUT)
    players.do("type", move="H8 MUT")
    assert "square-taken" in {
        code for fault in view(players)["proposal"]["faults"] for code in fault["code"].split(",")
    }


def test_the_sheet(players: Players) -> None:
    players.lay(HUT)
    players.photo(HUTOR, {(9, 9): {"R": 0.5, "B": 0.48}})
    players.do("answer", BEN, squares=[[9, 9, "B"]])
    players.do("confirm", BEN, announced=9)
    players.do("exchange", count=2)
    one, two, three = view(players)["sheet"]
    assert (one["name"], one["text"], one["points"], one["totals"], one["who"]) == ("Anna", "H8 HUT", 8, [8, 0], "Anna")
    assert (two["name"], two["announced"], two["computed"], two["who"]) == ("Ben", 9, 12, "Ben")
    assert two["difference"] == "Angesagt 9, berechnet 12"
    assert "J10: erst gelesen R, berichtigt B" in two["notes"]
    assert (three["kind"], three["name"], three["points"]) == ("exchange", "Anna", None)
    assert len(three["time"]) == 5


def test_corrections_stand_with_the_move_they_are_about(players: Players) -> None:
    players.lay(HUT)
    players.do("correct", BEN, ref=1, move="H8 BUT")
    (line,) = view(players)["sheet"]
    assert line["text"] == "H8 BUT" and line["points"] == 10
    assert any("Ben" in note for note in line["notes"])
    assert view(players)["can"]["undo"]


def test_a_correction_that_was_taken_back_is_not_told(players: Players) -> None:
    players.lay(HUT)
    players.do("correct", BEN, ref=1, move="H8 BUT")
    players.do("undo")
    (line,) = view(players)["sheet"]
    assert (line["text"], line["notes"]) == ("H8 HUT", [])


def test_a_correction_marks_later_moves_whose_words_it_changes(players: Players) -> None:
    players.lay(HUT)
    players.lay(HUTOR, BEN)
    players.do("pass")
    players.do("correct", ref=1, move="H8 HUR")
    one, two, three = view(players)["sheet"]
    assert one["faults"] == [] and three["faults"] == []
    assert two["text"] == "10H ROR" and "ROR 6 statt TOR 6" in two["faults"][0]
    players.do("type", BEN, move="8H HE")
    players.do("confirm", BEN)
    assert view(players)["sheet"][3]["faults"] == [], "what came after the correction was laid on the corrected board"
    players.do("correct", ref=1, move="H8 HUT")
    assert view(players)["sheet"][1]["faults"] == [], "it is again what it was"


def test_a_challenge_that_fits_its_move_no_more_is_marked_once(players: Players) -> None:
    players.lay(HUT)
    players.do("challenge", BEN, ref=1, challengers=[1], words=["HUT"])
    players.do("verdict", BEN, word="HUT", valid=True, by="Anna")
    players.do("settle-challenge", BEN)
    players.do("correct", ref=1, move="H8 HUTE")
    line = view(players)["sheet"][1]
    assert line["faults"] and not set(line["faults"]) & set(line["notes"])
    if line["without_effect"]:
        assert all("ändert nichts" in fault for fault in line["faults"]) and line["notes"] == []


def test_an_announcement_that_is_added_later_says_what_was_announced(players: Players) -> None:
    players.lay(HUT)
    players.do("announce", ref=1, points=10)
    (line,) = view(players)["sheet"]
    assert any("HUT" in note and "Ansage jetzt: 10 Punkte" in note for note in line["notes"])


def test_what_can_be_taken_back_is_named_as_the_sheet_names_it(players: Players) -> None:
    players.lay(HUT)
    players.lay(HUTOR)
    assert view(players)["can"]["undo"] == "Ben: 10H TOR"
    players.do("undo")
    assert (view(players)["can"]["undo"], view(players)["can"]["redo"]) == ("Anna: H8 HUT", "Ben: 10H TOR")
    players.do("pass")
    assert view(players)["can"]["undo"] == "Ben passt: 0 Punkte" and view(players)["can"]["redo"] is None


def test_a_challenge_shows_what_follows_before_and_after_the_look_up(players: Players) -> None:
    players.lay(HUT)
    can = view(players)["can"]["challenge"]
    assert (can["words"], can["challengers"]) == (["HUT"], [{"seat": 1, "name": "Ben"}])
    assert can["ms_left"] == 20_000 and "Anna" in can["if_upheld"] and "10 Punkte" in can["if_rejected"]
    players.do("challenge", BEN, ref=1, challengers=[1], words=["HUT"])
    shown = view(players)
    assert shown["challenge"]["undecided"] == ["HUT"] and not shown["challenge"]["bookable"]
    assert shown["can"]["undo"] is None and not shown["can"]["pass"]
    players.do("verdict", word="HUT", valid=False, by="Anna und Ben")
    challenge = view(players)["challenge"]
    assert challenge["bookable"] and any("8" in line for line in challenge["outcomes"])
    players.do("settle-challenge")
    shown = view(players)
    assert any("H8, H9, H10" in said for said in shown["checks"])
    players.now.time += 21_000
    players.lay(lay(EMPTY, 7, 7, "HUTE"), BEN)
    assert view(players)["can"]["challenge"]["name"] == "Ben"
    players.now.time += 21_000
    assert view(players)["can"]["challenge"] is None, "too late"


def test_the_end(players: Players) -> None:
    players.lay(HUT)
    players.do("stop")
    shown = view(players)
    assert shown["phase"] == "over" and shown["can"]["racks"] and not shown["can"]["pass"]
    assert [rack["size"] for rack in shown["end"]["racks"]] == [7, 7]
    players.do("racks", racks=["EEEEEEE", "NNNNNNN"])
    shown = view(players)
    assert shown["phase"] == "settled"
    assert [(line["name"], line["before"], line["deducted"], line["total"]) for line in shown["end"]["lines"]] == [
        ("Anna", 8, 7, 1),
        ("Ben", 0, 7, -7),
    ]
    assert "Anna" in shown["end"]["result"]


def test_nobody_has_won_while_a_rack_is_missing(players: Players) -> None:
    players.lay(HUT)
    players.do("stop")
    players.do("racks", racks=["EEEEEEE", None])
    shown = view(players)
    assert shown["phase"] == "settled" and "Anna" not in shown["end"]["result"]
    assert "Rückgängig" in shown["end"]["result"] and [one["place"] for one in shown["players"]] == [None, None]
    players.do("undo")
    players.do("racks", racks=["EEEEEEE", "NNNNNNN"])
    shown = view(players)
    assert "Gewonnen hat Anna" in shown["end"]["result"] and [one["place"] for one in shown["players"]] == [1, 2]


def test_a_blank_can_be_any_letter_also_where_the_dictionary_proposes_some(sit_down: Callable[..., Players]) -> None:
    players = sit_down(rules=RULE_SETS["familie"], lexicon="deutsch")
    players.do("type", move="H8 H?S")
    players.do("confirm")
    (blank,) = view(players)["open_blanks"]
    letters = [option["label"] for option in blank["options"]]
    assert letters[0] == "I" and sorted(letters) == sorted(players.table.setup.tile_set.letters)
    assert players.do("blank", square=[7, 8], letter="U").state.board.rows[7][7:10] == "HuS"


def test_a_time_for_each_move_shows_the_clock_that_it_needs(sit_down: Callable[..., Players]) -> None:
    assert not view(sit_down(rules=RULE_SETS["familie"]))["clock"]["used"]
    assert view(sit_down(rules=RULE_SETS["familie"].with_settings(move_seconds=60)))["clock"]["used"]


def test_who_drew_the_same_letter_draws_again(sit_down: Callable[..., Players]) -> None:
    players = sit_down(rules=RULE_SETS["familie"], names=("Anna", "Ben", "Cleo"))
    assert view(players)["can"]["draw"] == [0, 1, 2]
    players.do("draw", tiles=[[0, "C"], [1, "A"], [2, "A"]])
    assert view(players)["can"]["draw"] == [1, 2]
    players.do("draw", tiles=[[1, "E"], [2, "B"]])
    shown = view(players)
    assert shown["can"]["draw"] == [] and shown["next"] == 2
    players.lay(HUT)
    players.do("undo")
    assert view(players)["can"]["draw"] == []


def test_who_only_watches_sees_no_proposal_and_may_do_nothing(players: Players) -> None:
    players.lay(HUT)
    players.photo(HUTOR)
    shown = view(players, read_only=True)
    assert shown["proposal"] is None and shown["players"][0]["points"] == 8
    can = shown["can"]
    assert not any(can[name] for name in ("photo", "type", "pass", "exchange", "stop", "racks", "resign"))
    assert can["undo"] is None and can["challenge"] is None and can["close"] is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_every_rule_set_in_both_languages(sit_down: Callable[..., Players], name: str, language: str) -> None:
    players = sit_down(rules=RULE_SETS[name], names=("Anna", "Ben"))
    players.lay(HUT)
    players.photo(HUTOR)
    shown = view(players, Texts(language))
    assert shown["proposal"]["title"] == "Ben: 8J TOR" or "TOR" in shown["proposal"]["title"]
    assert Square(7, 9) not in {tuple(one["square"]) for one in shown["proposal"]["tiles"]}


def test_a_challenge_that_was_taken_back_stays_on_the_sheet(players: Players) -> None:
    players.lay(HUT)
    players.do("challenge", BEN, ref=1, challengers=[1], words=["HUT"])
    players.do("verdict", word="HUT", valid=True, by="Anna")
    players.do("settle-challenge", BEN)
    assert view(players)["can"]["challenge"] is None, "its only word is allowed"
    players.do("undo")
    move, line = view(players)["sheet"]
    assert (line["number"], line["kind"], line["withdrawn"], line["points"]) == (2, "challenge", True, None)
    assert "HUT" in line["text"] and line["totals"] == move["totals"] == [8, 0]
    assert line["notes"][0].startswith("rückgängig gemacht (Anna")
    assert view(players)["can"]["challenge"]["words"] == ["HUT"]


def test_who_sits_out_is_named(sit_down: Callable[..., Players]) -> None:
    players = sit_down(rules=RULE_SETS["turnier"].with_settings(turns_lost=2))
    players.lay(HUT)
    players.do("challenge", BEN, ref=1, challengers=[1], words=["HUT"])
    players.do("verdict", word="HUT", valid=False, by="Anna")
    players.do("settle-challenge")
    assert not any("setzt" in said for said in view(players)["checks"])
    players.do("pass", BEN)
    shown = view(players)
    assert shown["next_text"] == "Ben ist dran" and "Anna setzt diesmal aus." in shown["checks"]


def test_time_over_for_a_move_and_a_last_move_that_is_open(sit_down: Callable[..., Players]) -> None:
    players = sit_down(rules=RULE_SETS["turnier"].with_settings(move_seconds=60, move_timeout="reminder"))
    players.table.press({"do": "start"})
    players.now.time += 61_000
    assert "Die Zeit für den Zug von Anna ist um." in view(players)["checks"]
    assert not view(players)["can"]["timeout"]
    board = HUT
    players.lay(board)
    players.do("stop")
    assert view(players)["end"]["open"] == "", "stopping closes the move"
