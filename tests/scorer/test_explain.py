"""Scores, challenges, settlements and every other event as sentences, word for word."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.board import Board, Square
from scorer.challenge import ChallengedWord
from scorer.draw import DrawFaultKind
from scorer.events import (
    BlankNamed,
    BlankSwapped,
    Challenged,
    ChallengeRejected,
    Corrected,
    DrawnForFirst,
    Event,
    EventFault,
    Exchanged,
    MoveTimedOut,
    Noted,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    Redone,
    Refilled,
    Resigned,
    ScoreAgreed,
    Settled,
    Stopped,
    Undone,
    Withdrawn,
)
from scorer.explain import (
    challenge_consequences,
    describe,
    explain,
    explain_entry,
    explain_refusal,
    explain_result,
    explain_settlement,
)
from scorer.game import Game, GameState, Refusal, offer, replay
from scorer.notation import MoveText, Notation
from scorer.placement import Placement, PlacementFault
from scorer.rules import RULE_SETS, RuleSet
from scorer.scoring import score_move
from scorer.settlement import EndReason, GameEnd, result, settle
from scorer.texts import Language, Wording, catalogue
from scorer.tiles import GERMAN_102
from tests.scorer.games import HAUS, OUT, SEE, doubt, lay, state, tiny
from tests.scorer.random_games import random_game

TWO, THREE = ("Anna", "Ben"), ("Anna", "Ben", "Carla")
LANGUAGES: tuple[Language, ...] = ("de", "en")


def sum_of(text: str, *there: tuple[int, int, str], language: Language = "de", **settings: object) -> list[str]:
    """The explained score of a move in German notation, on a board with these tiles."""
    theme = settings.pop("theme_words", ())
    rules = RULE_SETS["turnier"].with_settings(**settings)
    board = Board.empty().placed({Square(row, col): tile for row, col, tile in there})
    move = MoveText.parse(text, Notation.GERMAN)
    return explain(score_move(board, move, rules, GERMAN_102, theme_words=theme), language)  # type: ignore[arg-type]


def last(after: GameState, language: Language = "de") -> list[str]:
    """The last entry explained."""
    return explain_entry(after.log[-1], after.game, language)


def refused(before: GameState, event: Event, language: Language = "de") -> list[str]:
    refusal = offer(before, event)
    assert isinstance(refusal, Refusal)
    return explain_refusal(refusal, before.game, language)


# --- sums ---------------------------------------------------------------------------------------------------------


def test_a_word_with_both_premiums() -> None:
    assert sum_of("H4 FIRNS") == ["H4 FIRNS: F 4 x 2 = 8, I 1, R 1, N 1, S 1 = 12, Wort x 2 = 24", "Zusammen: 24"]
    assert sum_of("H4 FIRNS", language="en") == [
        "H4 FIRNS: F 4 x 2 = 8, I 1, R 1, N 1, S 1 = 12, word x 2 = 24",
        "Total: 24",
    ]


def test_blanks_count_nothing_but_premiums_of_the_word_work() -> None:
    assert sum_of("H4 FIRNs")[0] == "H4 FIRNs: F 4 x 2 = 8, I 1, R 1, N 1, S (Blanko) 0 = 11, Wort x 2 = 22"
    assert sum_of("H4 fIRNS", language="en")[0] == (
        "H4 fIRNS: F (blank) 0 x 2 = 0, I 1, R 1, N 1, S 1 = 4, word x 2 = 8"
    )
    assert sum_of("H5 HAU?") == ["H5 HAU?: H 2, A 1, U 1, ? (Blanko, noch offen) 0 = 4, Wort x 2 = 8", "Zusammen: 8"]
    assert sum_of("H5 HAU?", language="en")[0] == ("H5 HAU?: H 2, A 1, U 1, ? (blank, still open) 0 = 4, word x 2 = 8")


def test_two_word_premiums_are_both_named() -> None:
    assert sum_of("E5 ST.EUNE", (4, 6, "R")) == [
        "E5 STREUNE: S 1, T 1, R 1, E 1, U 1, N 1, E 1 = 7, Wort x 2 x 2 = 28",
        "Zusammen: 28",
    ]
    assert sum_of("A1 ST.EUNEN", (0, 2, "R"), language="en") == [
        "A1 STREUNEN: S 1, T 1, R 1, E 1 x 2 = 2, U 1, N 1, E 1, N 1 = 9, word x 3 x 3 = 81",
        "All 7 tiles laid: + 50",
        "Total: 81 + 50 = 131",
    ]


def test_cross_words_and_the_bonus_for_all_tiles() -> None:
    ohm = ((7, 6, "O"), (7, 7, "H"), (7, 8, "M"))
    assert sum_of("G7 JA", *ohm) == [
        "G7 JA: J 6 x 2 = 12, A 1 = 13",
        "7G JO: J 6 x 2 = 12, O 2 = 14",
        "8G AH: A 1, H 2 = 3",
        "Zusammen: 13 + 14 + 3 = 30",
    ]
    assert sum_of("G9 STREUNE", *ohm) == [
        "G9 STREUNE: S 1 x 2 = 2, T 1, R 1, E 1, U 1 x 2 = 2, N 1, E 1 = 9",
        "9G SM: S 1 x 2 = 2, M 3 = 5",
        "Alle 7 Steine gelegt: + 50",
        "Zusammen: 9 + 5 + 50 = 64",
    ]


def test_international_notation(turnier: RuleSet) -> None:
    play = score_move(Board.empty(), MoveText.parse("8C MYXÖDEM", Notation.INTERNATIONAL), turnier, GERMAN_102)
    assert explain(play, "en", Notation.INTERNATIONAL) == [
        "8C MYXÖDEM: M 3, Y 10 x 2 = 20, X 8, Ö 8, D 1, E 1, M 3 = 44, word x 2 = 88",
        "All 7 tiles laid: + 50",
        "Total: 88 + 50 = 138",
    ]


def test_theme_bonus_after_and_before_multiplying() -> None:
    assert sum_of("H5 HAUS", theme_words=("HAUS",), theme_bonus=5) == [
        "H5 HAUS: H 2, A 1, U 1, S 1 = 5, Wort x 2 = 10",
        "Themenbonus: + 5",
        "Zusammen: 10 + 5 = 15",
    ]
    assert sum_of("H5 HAUS", theme_words=("HAUS",), theme_bonus=5, theme_when="before", language="en") == [
        "H5 HAUS: H 2, A 1, U 1, S 1 = 5, theme + 5 = 10, word x 2 = 20",
        "Total: 20",
    ]


def test_nothing_to_explain() -> None:
    assert sum_of("H4 F..NS") == ["Zusammen: 0"]


HAUS_LINES = ["Anna legt HAUS auf H5 bis H8.", "H5 HAUS: H 2, A 1, U 1, S 1 = 5, Wort x 2 = 10", "Zusammen: 10"]


@pytest.mark.parametrize(
    ("numbers", "correction", "german", "english"),
    [
        ({"announced": 10}, "window", "Angesagt 10: stimmt.", "Announced 10: right."),
        (
            {"announced": 32},
            "window",
            "Angesagt 32, gerechnet 10: es zählen 10.",
            "Announced 32, computed 10: 10 count.",
        ),
        (
            {"announced": 1},
            "never",
            "Angesagt 1, gerechnet 10: es zählt 1, denn hier gilt die Ansage.",
            "Announced 1, computed 10: 1 counts, since here the announcement holds.",
        ),
        (
            {"announced": 32, "agreed": 22},
            "window",
            "Angesagt 32, gerechnet 10, vereinbart 22: es zählen 22.",
            "Announced 32, computed 10, agreed 22: 22 count.",
        ),
        (
            {"agreed": 22},
            "window",
            "Gerechnet 10, vereinbart 22: es zählen 22.",
            "Computed 10, agreed 22: 22 count.",
        ),
    ],
)
def test_announced_computed_and_agreed(numbers: dict[str, int], correction: str, german: str, english: str) -> None:
    after = state(lay(0, "H5 HAUS", **numbers), players=TWO, score_correction=correction)
    assert last(after) == [*HAUS_LINES, german]
    assert last(after, "en")[-1] == english


def test_what_is_open_or_against_the_rules_is_said_with_the_move() -> None:
    assert last(state(lay(0, "H5 HAU?"), players=TWO))[-1] == "Welcher Buchstabe ist das Blanko auf H8?"
    after = state(lay(1, "A1 HAUS"), players=TWO)
    assert last(after)[-2:] == [
        "Gegen die Regeln: Ben ist nicht an der Reihe. Bitte prüfen, ob ein Zug fehlt.",
        "Gegen die Regeln: das erste Wort liegt nicht über dem Stern",
    ]
    assert last(after, "en")[-1] == "Against the rules: the first word does not cover the star"
    blank = lay(0, "H5 HAUs")
    swapped = state(
        blank,
        Passed(1),
        BlankSwapped(0, Square(7, 7), "S"),
        lay(0, "8H .EE"),
        players=TWO,
        blank_reuse="own-turn",
        swapped_tile_counts=False,
    )
    assert last(swapped) == [
        "Anna legt EE auf I8 bis J8.",
        "8H SEE: S 0, E 1, E 1 = 2",
        "Zusammen: 2",
        "S auf H8 kam für ein Blanko und zählt deshalb 0.",
    ]


def test_a_move_taken_back_says_so() -> None:
    after = state(HAUS, SEE, doubt(2, "-SEE", by=(0,)), players=TWO)
    assert explain_entry(after.log[1], after.game)[-1] == "Später zurückgenommen: 0 Punkte statt 3."
    assert explain_entry(after.log[1], after.game, "en")[-1] == "Taken back later: 0 points instead of 3."


# --- challenges ---------------------------------------------------------------------------------------------------

BACK = "Der Zug gilt nicht: Ben nimmt die Steine zurück und bekommt 0 Punkte statt 3."
OVER = "Der Zug von Ben ist damit vorbei."
RANDOM = "Wenn Ben schon nachgezogen hat: ebenso viele Steine verdeckt von der Bank zurück in den Beutel."
STAYS = "Nichts zu beanstanden: Der Zug bleibt liegen und zählt."
FREE = "Die Anzweiflung kostet nichts."
NEXT = "Am Zug bleibt Anna."


@pytest.mark.parametrize(
    ("rules", "upheld", "rejected"),
    [
        ("mattel", [BACK, OVER, RANDOM], [STAYS, FREE, NEXT]),
        ("scrabble-deutschland", [BACK, OVER], [STAYS, "5 Punkte Abzug für Anna.", NEXT]),
        ("turnier", [BACK, OVER], [STAYS, "1 Wort x 10 = 10 Punkte Abzug für Anna.", NEXT]),
        ("familie", [BACK, OVER, RANDOM], [STAYS, FREE, NEXT]),
    ],
)
def test_each_outcome_under_each_rule_set(rules: str, upheld: list[str], rejected: list[str]) -> None:
    head = "Angezweifelt von Anna: SEE, gelegt von Ben."
    after = state(HAUS, SEE, doubt(2, "-SEE", by=(0,)), rules=rules, players=TWO)
    assert last(after) == [head, "SEE: nicht erlaubt", *upheld]
    after = state(HAUS, SEE, doubt(2, "SEE", by=(0,)), rules=rules, players=TWO)
    assert last(after) == [head, "SEE: erlaubt", *rejected]
    after = state(HAUS, SEE, Passed(0), doubt(2, "-SEE", by=(0,)), rules=rules, players=TWO)
    assert last(after)[:3] == [
        head,
        "SEE: nicht erlaubt",
        "Zu spät angezweifelt: Der Zug bleibt liegen und zählt, auch wenn ein Wort nicht erlaubt ist.",
    ]
    assert last(after)[3:] == ([FREE] if after.game.rules.challenge_penalty else [])


def test_challenges_in_english() -> None:
    upheld = state(HAUS, SEE, doubt(2, "-SEE", by=(0,)), rules="mattel", players=TWO)
    assert last(upheld, "en") == [
        "Challenged by Anna: SEE, laid by Ben.",
        "SEE: not allowed",
        "The move does not stand: Ben takes the tiles back and gets 0 points instead of 3.",
        "The turn of Ben is over.",
        "If Ben has drawn already: as many tiles, picked unseen from the rack, go back to the bag.",
    ]
    words = state(HAUS, Passed(1), lay(0, "I7 ES"), doubt(3, "ES", "UE"), players=TWO)
    assert last(words, "en")[-3:] == [
        "Nothing is wrong: the move stays and counts.",
        "2 words x 10 = 20 points off for Ben.",
        "Ben stays to move.",
    ]
    late = state(HAUS, doubt(1, "-HAUS", seconds=20.5), players=TWO)
    assert last(late, "en")[2:] == [
        "Challenged too late, after 20.5 seconds instead of at most 20 seconds: "
        "the move stays and counts, even with a word that is not allowed.",
        "The challenge costs nothing.",
    ]


def test_a_mixed_challenge() -> None:
    by_ben = (HAUS, Passed(1), lay(0, "I7 ES"), doubt(3, "ES", "-UE", "SS"))
    assert last(state(*by_ben, players=TWO)) == [
        "Angezweifelt von Ben: ES, UE und SS, gelegt von Anna.",
        "ES: erlaubt",
        "UE: nicht erlaubt",
        "SS: erlaubt",
        "Der Zug gilt nicht: Anna nimmt die Steine zurück und bekommt 0 Punkte statt 8.",
        "Der Zug von Anna ist damit vorbei.",
        "Ohne Abzug, obwohl erlaubt: ES und SS.",
    ]
    charged = state(*by_ben, players=TWO, mixed_challenge="each-valid")
    assert last(charged)[-1] == "2 Wörter x 10 = 20 Punkte Abzug für Ben."
    assert last(charged, "en")[-1] == "2 words x 10 = 20 points off for Ben."


def test_several_challengers_sources_and_turns_lost() -> None:
    found = doubt(1, "HAUS", by=(2, 1))
    first = state(HAUS, found, rules="scrabble-deutschland", players=THREE)
    assert last(first) == [
        "Angezweifelt von Carla und Ben: HAUS, gelegt von Anna.",
        "HAUS: erlaubt",
        STAYS,
        "5 Punkte Abzug für Carla.",
        "Von mehreren zahlt nur, wer zuerst angezweifelt hat.",
        "Wer an der Reihe ist, bleibt an der Reihe.",
    ]
    each = state(HAUS, found, rules="scrabble-deutschland", players=THREE, joint_challenge="each")
    assert last(each)[3:5] == ["5 Punkte Abzug für Carla.", "5 Punkte Abzug für Ben."]
    unknown = Challenged(1, (1,), (ChallengedWord("HAUS", None, "Duden"),))
    by_hand = Challenged(1, (1,), (ChallengedWord("HAUS", True, "Duden 28", "Anna"),))
    assert last(state(HAUS, by_hand, players=TWO))[1] == "HAUS: erlaubt (Duden 28, sagt Anna)"
    by_table = Challenged(1, (1,), (ChallengedWord("HAUS", True, by="alle"),))
    assert last(state(HAUS, by_table, players=TWO), "en")[1] == "HAUS: allowed (says alle)"
    shown = state(HAUS, unknown, rules="mattel", players=TWO, turns_lost=2, drawn_tiles="drawn")
    assert last(shown)[1:] == [
        "HAUS: nicht gefunden, also nicht erlaubt (Duden)",
        "Der Zug gilt nicht: Anna nimmt die Steine zurück und bekommt 0 Punkte statt 10.",
        "Der Zug von Anna ist damit vorbei, und der nächste fällt auch aus.",
        "Wenn Anna schon nachgezogen hat: genau diese Steine zurück in den Beutel.",
    ]
    anew = state(HAUS, doubt(1, "-HAUS"), players=TWO, turns_lost=0)
    assert last(anew)[-1] == "Anna legt in diesem Zug neu."


def test_what_a_challenge_would_lead_to() -> None:
    play = state(HAUS, Passed(1), lay(0, "I7 ES")).log[-1].play
    assert play is not None

    def lines(rules: str, language: Language = "de", **settings: object) -> list[str]:
        return challenge_consequences(play, 0, 1, TWO, RULE_SETS[rules].with_settings(**settings), language)

    back = "Wenn etwas nicht erlaubt ist: Anna nimmt die Steine zurück und bekommt 0 Punkte. "
    over = "Der Zug von Anna ist damit vorbei."
    stays = "Wenn alles erlaubt ist: Der Zug bleibt liegen und zählt. "
    closed = (
        "Zu spät ist es, sobald die Punkte aufgeschrieben sind oder weitergespielt ist: Dann bleibt der Zug liegen."
    )
    drawn = " Wenn Anna schon nachgezogen hat: ebenso viele Steine verdeckt von der Bank zurück in den Beutel."
    assert lines("mattel") == [
        "Nachgesehen wird: ES, UE und SS.",
        "Anna muss die Wörter im Wörterbuch zeigen.",
        back + over + drawn,
        stays + FREE,
        closed,
    ]
    assert lines("scrabble-deutschland") == [
        "Nachgesehen wird: ES, UE und SS.",
        back + over,
        stays + "5 Punkte Abzug für Ben.",
        "Wenn nur ein Teil erlaubt ist: Die erlaubten Wörter kosten nichts.",
        closed,
    ]
    assert lines("turnier") == [
        "Nachgesehen wird nur, was genannt wird. Zur Wahl: ES, UE und SS.",
        back + over,
        stays + "Je genanntem Wort 10 Punkte Abzug für Ben.",
        "Wenn nur ein Teil erlaubt ist: Die erlaubten Wörter kosten nichts.",
        "Zeit zum Anzweifeln: 20 Sekunden nach der Ansage.",
        closed,
    ]
    assert lines("familie")[1] == "Was nicht zu finden ist, entscheidet der Tisch."
    assert lines("familie")[-1] == "Zu spät ist es, sobald weitergespielt ist: Dann bleibt der Zug liegen."
    settings = {"challenge_scope": "all-words", "mixed_challenge": "each-valid"}
    assert lines("turnier", "en", **settings) == [
        "Looked up: ES, UE and SS.",
        "If anything is not allowed: Anna takes the tiles back and gets 0 points. The turn of Anna is over.",
        "If everything is allowed: the move stays and counts. 3 words x 10 = 30 points off for Ben.",
        "If only some are allowed: 10 points off for Ben for each allowed word all the same.",
        "Time to challenge: 20 seconds after the announcement.",
        "It is too late once the points are written down or the game has gone on: then the move stays.",
    ]


# --- the end ------------------------------------------------------------------------------------------------------


def settled(
    racks: tuple[str | None, ...], end: GameEnd, names: tuple[str, ...], language: Language = "de", **settings: object
) -> list[str]:
    rules = RULE_SETS["turnier"].with_settings(max_players=4, **settings)
    settlement = settle(racks, end, rules, GERMAN_102, bag_emptier=0)
    return explain_settlement(settlement, end, names, rules, GERMAN_102, language)


def test_settlement_of_three_players() -> None:
    racks, end = ("QRY", "", "ÄE?"), GameEnd(EndReason.OUT, 1)
    assert settled(racks, end, THREE) == [
        "Ende: Ben hat alle Steine gelegt, und der Beutel ist leer.",
        "Anna: Rest QRY = 10 + 1 + 10 = 21 Punkte Abzug",
        "Ben: kein Rest, kein Abzug",
        "Carla: Rest ÄE? = 6 + 1 + 0 = 7 Punkte Abzug",
        "Ben hat alle Steine gelegt und bekommt 21 + 7 = 28 Punkte",
    ]
    assert settled(racks, end, THREE, "en") == [
        "The end: Ben has laid all tiles, and the bag is empty.",
        "Anna: rest QRY = 10 + 1 + 10 = 21 points off",
        "Ben: no rest, nothing off",
        "Carla: rest ÄE? = 6 + 1 + 0 = 7 points off",
        "Ben has laid all tiles and gets 21 + 7 = 28 points",
    ]
    assert settled(racks, end, THREE, rest_to="none")[-1] == "Gutgeschrieben werden die Reste niemandem."
    kept = settled(racks, end, THREE, rest_to="bag-emptier", subtract_rest=False)
    assert kept[1] == "Anna: Rest QRY, hier ohne Abzug"
    assert kept[-1] == "Anna hat den letzten Stein gezogen und bekommt 7 Punkte"
    assert settled(("?", ""), end, TWO)[-1] == "Ben hat alle Steine gelegt und bekommt 0 Punkte"


def test_settlement_of_two_players_with_the_result() -> None:
    after = tiny(*OUT, RacksShown(("", None)), players=TWO)
    assert last(after) == [
        "Ende: Anna hat alle Steine gelegt, und der Beutel ist leer.",
        "Anna: kein Rest, kein Abzug",
        "Ben: Rest EE = 1 + 1 = 2 Punkte Abzug",
        "Anna hat alle Steine gelegt und bekommt 2 Punkte",
        "Endstand: Anna 21, Ben 1",
        "Gewonnen hat Anna.",
    ]
    assert last(after, "en")[-2:] == ["Final score: Anna 21, Ben 1", "Anna has won."]


def test_settlement_after_passes_credits_nobody() -> None:
    passes = [Passed(seat % 2) for seat in range(4)]
    after = state(*passes, RacksShown(("AEEEEEE", "EEEEENQ")), players=TWO)
    assert last(after) == [
        "Ende: Alle haben 2-mal hintereinander gepasst.",
        "Anna: Rest AEEEEEE = 1 + 1 + 1 + 1 + 1 + 1 + 1 = 7 Punkte Abzug",
        "Ben: Rest EEEEENQ = 1 + 1 + 1 + 1 + 1 + 1 + 10 = 16 Punkte Abzug",
        "Gutgeschrieben werden die Reste niemandem.",
        "Endstand: Anna -7, Ben -16",
        "Gewonnen hat Anna.",
    ]


def test_a_rest_that_nobody_knows_is_asked_for() -> None:
    assert settled(("QRY", "", None), GameEnd(EndReason.OUT, 1), THREE)[-3:] == [
        "Carla: Rest noch offen. Welche Steine sind auf der Bank von Carla übrig?",
        "Ben hat alle Steine gelegt und bekommt die Reste der anderen. Noch offen: Carla",
        "Das Ergebnis steht erst fest, wenn alle Reste bekannt sind.",
    ]
    english = settled((None, "", None), GameEnd(EndReason.OUT, 1), THREE, "en")
    assert english[-2] == "Ben has laid all tiles and gets the rests of the others. Still open: Anna and Carla"


@pytest.mark.parametrize(
    ("end", "settings", "german", "english"),
    [
        (
            GameEnd(EndReason.PASSES),
            {"end_on_passes": 1},
            "Ende: Alle haben nacheinander gepasst.",
            "The end: all have passed one after another.",
        ),
        (
            GameEnd(EndReason.PASSES),
            {"pass_count": "ever"},
            "Ende: Alle haben 2-mal gepasst.",
            "The end: all have passed 2 times.",
        ),
        (
            GameEnd(EndReason.PASSES),
            {"pass_count": "ever", "end_on_passes": 1},
            "Ende: Alle haben einmal gepasst.",
            "The end: all have passed once.",
        ),
        (
            GameEnd(EndReason.PASSES, certain=False),
            {},
            "Vielleicht ist die Partie zu Ende: Das hängt davon ab, wer gepasst und wer getauscht hat. "
            "Wer hat getauscht?",
            "Perhaps the game is over: that depends on who passed and who exchanged. Who exchanged?",
        ),
        (
            GameEnd(EndReason.SCORELESS),
            {"end_on_scoreless_rounds": 1},
            "Ende: eine ganze Runde ohne ein Wort, das liegen blieb.",
            "The end: a whole round without a word that stayed.",
        ),
        (
            GameEnd(EndReason.SCORELESS),
            {"end_on_scoreless_rounds": 2},
            "Ende: 2 Runden ohne ein Wort, das liegen blieb.",
            "The end: 2 rounds without a word that stayed.",
        ),
        (
            GameEnd(EndReason.EMPTY_BAG),
            {},
            "Ende: Der Beutel ist leer, nachziehen geht nicht mehr.",
            "The end: the bag is empty, no tile can be drawn.",
        ),
        (
            GameEnd(EndReason.GIVEN_UP),
            {},
            "Ende: Höchstens einer ist noch dabei, die anderen haben aufgegeben oder durch Zeit verloren.",
            "The end: at most one is left, the others have resigned or lost by time.",
        ),
        (GameEnd(EndReason.STOPPED), {}, "Ende: so vereinbart.", "The end: as agreed."),
    ],
)
def test_why_a_game_ends(end: GameEnd, settings: dict[str, object], german: str, english: str) -> None:
    assert settled(("E", "E"), end, TWO, **settings)[0] == german
    assert settled(("E", "E"), end, TWO, "en", **settings)[0] == english


def test_who_has_won() -> None:
    def lines(
        totals: tuple[int, ...], before: tuple[int, ...], tie: str, lost: frozenset[int] = frozenset()
    ) -> list[str]:
        rules = RULE_SETS["familie"].with_settings(tie=tie)
        names = THREE[: len(totals)]
        return explain_result(result(totals, before, lost, rules), totals, names, rules, lost)

    assert lines((280, 321), (280, 321), "draw") == ["Endstand: Ben 321, Anna 280", "Gewonnen hat Ben."]
    equal = ["Endstand: Anna 300, Ben 300", "Gleich viele Punkte: Anna und Ben."]
    assert lines((300, 300), (290, 310), "draw") == [*equal, "Das ist unentschieden."]
    assert lines((300, 300), (290, 310), "half-win") == [*equal, "Das ist für jeden ein halber Sieg."]
    assert lines((300, 300, 300), (0, 0, 0), "half-win")[-1] == "Das ist für jeden 1/3 Sieg."
    assert lines((300, 300), (290, 310), "before-settlement") == [
        "Endstand: Ben 300, Anna 300",
        "Gleich viele Punkte: Ben und Anna. Vor dem Abzug der Reste hatte Ben mehr.",
        "Gewonnen hat Ben.",
    ]
    assert lines((300, 300), (300, 300), "before-settlement") == [
        *equal,
        "Vor dem Abzug der Reste war es auch gleich: unentschieden.",
    ]
    assert lines((300, 250), (300, 250), "draw", frozenset({0})) == [
        "Endstand: Ben 250, Anna 300",
        "Aufgegeben oder durch Zeit verloren, deshalb hinter allen anderen: Anna",
        "Gewonnen hat Ben.",
    ]


# --- every event --------------------------------------------------------------------------------------------------

SAMPLES: dict[type, tuple[Event, list[str], list[str]]] = {
    DrawnForFirst: (
        DrawnForFirst(((0, "?"), (1, "Ä"))),
        ["Auslosung: Anna zieht ein Blanko, Ben zieht Ä.", "Es beginnt Anna: Ein Blanko kommt vor A."],
        ["Draw for the first turn: Anna draws a blank, Ben draws Ä.", "Anna starts: a blank comes before A."],
    ),
    Placed: (
        lay(1, "8H .EE"),
        ["Ben legt EE auf I8 bis J8.", "8H SEE: S 1, E 1, E 1 = 3", "Zusammen: 3"],
        ["Ben lays EE on I8 to J8.", "8H SEE: S 1, E 1, E 1 = 3", "Total: 3"],
    ),
    Passed: (Passed(1), ["Ben passt: 0 Punkte."], ["Ben passes: 0 points."]),
    Exchanged: (
        Exchanged(1, 3, "QRS"),
        ["Ben tauscht 3 Steine (QRS): 0 Punkte."],
        ["Ben exchanges 3 tiles (QRS): 0 points."],
    ),
    NothingLaid: (
        NothingLaid(1),
        ["Ben passt oder tauscht: 0 Punkte. Was davon, ist nicht bekannt."],
        ["Ben passes or exchanges: 0 points. Which of them is not known."],
    ),
    MoveTimedOut: (
        MoveTimedOut(1),
        ["Die Zeit für den Zug von Ben ist um.", "Das ist nur eine Erinnerung."],
        ["The time for the move of Ben is over.", "This is only a reminder."],
    ),
    Noted: (
        Noted(1),
        [
            "Die Punkte für den Zug von Anna sind aufgeschrieben.",
            "Der Zug ist damit abgeschlossen und kann nicht mehr angezweifelt werden.",
        ],
        [
            "The points for the move of Anna are written down.",
            "The move is closed by this and can no longer be challenged.",
        ],
    ),
    Refilled: (
        Refilled(1, 4),
        [
            "Anna zieht 4 Steine nach.",
            "Gegen die Regeln: Die Reihenfolge ist anders vereinbart: erst aufschreiben, dann nachziehen.",
        ],
        [
            "Anna draws 4 tiles.",
            "Against the rules: Another order was agreed: first write down, then draw.",
        ],
    ),
    Challenged: (
        doubt(1, "HAUS"),
        [
            "Angezweifelt von Ben: HAUS, gelegt von Anna.",
            "HAUS: erlaubt",
            "Nichts zu beanstanden: Der Zug bleibt liegen und zählt.",
            "1 Wort x 10 = 10 Punkte Abzug für Ben.",
            "Am Zug bleibt Ben.",
        ],
        [
            "Challenged by Ben: HAUS, laid by Anna.",
            "HAUS: allowed",
            "Nothing is wrong: the move stays and counts.",
            "1 word x 10 = 10 points off for Ben.",
            "Ben stays to move.",
        ],
    ),
    Withdrawn: (
        Withdrawn(1, 1),
        [
            "Angezweifelt von Ben: Der Zug von Anna ist zurückgenommen.",
            "Der Zug gilt nicht: Anna nimmt die Steine zurück und bekommt 0 Punkte statt 10.",
            "Der Zug von Anna ist damit vorbei.",
        ],
        [
            "Challenged by Ben: the move of Anna is taken back.",
            "The move does not stand: Anna takes the tiles back and gets 0 points instead of 10.",
            "The turn of Anna is over.",
        ],
    ),
    ChallengeRejected: (
        ChallengeRejected(1, 1),
        [
            "Angezweifelt von Ben: Der Zug von Anna ist erlaubt.",
            "1 Wort x 10 = 10 Punkte Abzug für Ben.",
            "Am Zug bleibt Ben.",
        ],
        [
            "Challenged by Ben: the move of Anna is allowed.",
            "1 word x 10 = 10 points off for Ben.",
            "Ben stays to move.",
        ],
    ),
    ScoreAgreed: (
        ScoreAgreed(1, 1, unanimous=True),
        ["Vereinbart für den Zug von Anna, und alle stimmen zu: 1 Punkt."],
        ["Agreed for the move of Anna, and all consent: 1 point."],
    ),
    BlankNamed: (
        BlankNamed(Square(7, 4), "H"),
        ["Das Blanko auf H5 steht für H."],
        ["The blank on H5 stands for H."],
    ),
    BlankSwapped: (
        BlankSwapped(1, Square(7, 6), "U"),
        [
            "Ben nimmt das Blanko von H7 und legt dafür den Stein U hin.",
            "U zählt dort ab jetzt 1 Punkt.",
            "Danach bleibt Ben am Zug.",
        ],
        [
            "Ben takes the blank from H7 and puts the tile U in its place.",
            "From now on U counts 1 point there.",
            "Ben stays to move.",
        ],
    ),
    Overtime: (
        Overtime(1, 150),
        ["Ben hat die Zeit um 2:30 überzogen.", "3 angefangene Minuten x 10 = 30 Punkte Abzug für Ben."],
        ["Ben was 2:30 over time.", "3 started minutes x 10 = 30 points off for Ben."],
    ),
    Resigned: (
        Resigned(1),
        ["Ben gibt auf.", "Damit ist die Partie zu Ende."],
        ["Ben resigns.", "This ends the game."],
    ),
    Stopped: (
        Stopped(),
        ["Die Partie ist hier zu Ende, so vereinbart."],
        ["The game ends here, as agreed."],
    ),
    RacksShown: (
        RacksShown(("EE", None)),
        [
            "Anna: Rest EE = 1 + 1 = 2 Punkte Abzug",
            "Ben: Rest noch offen. Welche Steine sind auf der Bank von Ben übrig?",
            "Das Ergebnis steht erst fest, wenn alle Reste bekannt sind.",
            "Gegen die Regeln: Die Partie ist noch nicht zu Ende. Abgerechnet wird danach; soll hier Schluss sein, "
            "bitte erst die Partie beenden.",
            "Gegen die Regeln: Die Reste, das Brett und der Steinsatz passen nicht zusammen. "
            "Bitte die Steine auf den Bänken noch einmal ansehen.",
        ],
        [
            "Anna: rest EE = 1 + 1 = 2 points off",
            "Ben: rest still open. Which tiles are left on the rack of Ben?",
            "The result is known once all rests are.",
            "Against the rules: The game is not over yet. Racks are settled afterwards; if it ends here, "
            "end the game first.",
            "Against the rules: The rests, the board and the tile set do not go together. "
            "Look at the tiles on the racks again.",
        ],
    ),
    Settled: (
        Settled(1, -12),
        ["Reste der Bänke, wie aufgeschrieben: 12 Punkte Abzug für Ben."],
        ["Rests of the racks, as recorded: 12 points off for Ben."],
    ),
    Corrected: (
        Corrected(1, Passed(0)),
        ["Eintrag 1 ist berichtigt. Vorher: Anna legt ?Au? auf H5 bis H8. Jetzt: Anna passt: 0 Punkte."],
        ["Entry 1 is corrected. Before: Anna lays ?Au? on H5 to H8. Now: Anna passes: 0 points."],
    ),
}
"""An event of each kind after Anna's HAUS, with its lines."""

AFTER_BLANKS = {BlankNamed: "H5 ?AuS", BlankSwapped: "H5 HAuS", Corrected: "H5 ?Au?"}
"""Those shown after a move with blanks instead."""


def test_a_sample_of_every_kind_of_event() -> None:
    assert set(SAMPLES) | {Undone, Redone} == set(get_args(Event))


@pytest.mark.parametrize("kind", SAMPLES, ids=lambda kind: kind.__name__)
def test_every_event_is_explained(kind: type) -> None:
    event, german, english = SAMPLES[kind]
    before: tuple[Event, ...] = () if kind is DrawnForFirst else (HAUS,)
    if kind in AFTER_BLANKS:
        before = (lay(0, AFTER_BLANKS[kind]),)
    after = state(*before, event, players=TWO, blank_reuse="own-turn")
    assert last(after) == german
    assert last(after, "en") == english


def test_undo_and_redo_are_described() -> None:
    game = state(HAUS, players=TWO).game
    assert describe(Undone(), game) == "Der letzte Eintrag ist zurückgenommen."
    assert describe(Redone(), game, "en") == "The entry taken back counts again."


def test_the_draw() -> None:
    tie = state(DrawnForFirst(((0, "E"), (1, "E"), (2, "F"))), rules="mattel", players=THREE)
    assert last(tie)[1:] == ["Gleiche Buchstaben: Anna und Ben ziehen noch einmal."]
    again = state(
        DrawnForFirst(((0, "E"), (1, "E"), (2, "F"))),
        DrawnForFirst(((0, "Z"), (1, "B"))),
        rules="mattel",
        players=THREE,
    )
    assert last(again) == [
        "Auslosung: Anna zieht Z, Ben zieht B.",
        "Es beginnt Ben: B steht am weitesten vorn.",
        "Reihenfolge: Ben, Carla, Anna.",
    ]
    assert last(again, "en")[1:] == ["Ben starts: B is nearest the front.", "Order: Ben, Carla, Anna."]
    by_draw = state(
        DrawnForFirst(((0, "E"), (1, "A"), (2, "E"))),
        DrawnForFirst(((0, "Z"), (2, "B"))),
        rules="mattel",
        players=THREE,
        seating="by-draw",
    )
    assert last(by_draw)[1:] == ["Es beginnt Ben: A steht am weitesten vorn.", "Reihenfolge: Ben, Carla, Anna."]


def test_overtime_up_to_the_loss_of_the_game() -> None:
    assert last(state(Overtime(0, 1), players=TWO)) == [
        "Anna hat die Zeit um 0:01 überzogen.",
        "1 angefangene Minute x 10 = 10 Punkte Abzug für Anna.",
    ]
    assert last(state(Overtime(0, 300), players=TWO))[1:] == ["5 angefangene Minuten x 10 = 50 Punkte Abzug für Anna."]
    assert last(state(Overtime(0, 301), players=TWO))[1:] == [
        "6 angefangene Minuten x 10 = 60 Punkte Abzug für Anna.",
        "Mehr als 5:00 Minuten: Die Partie ist für Anna verloren.",
    ]
    assert last(state(Overtime(0, 0), players=TWO))[1:] == ["Kein Abzug."]


def test_turns_that_depend_on_the_rules() -> None:
    assert last(state(Exchanged(0), players=TWO)) == ["Anna tauscht: 0 Punkte. Wie viele Steine, ist nicht bekannt."]
    assert last(state(Exchanged(0, 1), players=TWO, exchange_counts_as_pass=True)) == [
        "Anna tauscht 1 Stein: 0 Punkte.",
        "Das zählt als Passen.",
    ]
    assert last(state(Exchanged(0, 2), players=TWO, exchange_uses_turn=False))[1:] == ["Danach bleibt Anna am Zug."]
    assert last(state(MoveTimedOut(0), players=TWO, move_timeout="pass"))[1:] == ["Das zählt als Passen."]
    assert last(state(Resigned(0), players=THREE, rules="familie"))[1:] == [
        "Die Steine bleiben auf der Bank von Anna, die anderen spielen weiter."
    ]


def test_corrections_know_what_was_before() -> None:
    after = state(HAUS, Corrected(1, Passed(0)), Corrected(1, None), players=TWO)
    assert last(after) == ["Eintrag 1 ist gestrichen: Anna passt: 0 Punkte."]
    scattered = Placed(0, Placement.of({Square(7, 7): "A", Square(8, 8): "b", Square(20, 3): "C"}))
    assert describe(scattered, after.game) == "Anna legt A auf H8, b auf I9 und C außerhalb des Bretts."


def test_an_event_without_effect_is_called_so() -> None:
    assert last(state(Noted(7), players=TWO)) == [
        "Die Punkte für den Zug von jemand sind aufgeschrieben.",
        "Das geht nicht und ändert nichts: Diesen Eintrag gibt es nicht, oder es ist kein gelegter Zug. "
        "Bitte den Zug wählen, der gemeint ist.",
    ]


# --- what speaks against an event ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_has_a_text_of_its_own(language: Language) -> None:
    game = Game(TWO, RULE_SETS["turnier"], GERMAN_102, (HAUS,))
    faults = [fault for fault in EventFault if fault]
    texts = [explain_refusal(Refusal(Passed(1), fault, PlacementFault.NONE), game, language) for fault in faults]
    assert all(len(lines) == 1 and lines[0].endswith((".", "?")) for lines in texts)
    assert len({lines[0] for lines in texts}) == len(faults)
    for fault in PlacementFault:
        (line,) = explain_refusal(Refusal(HAUS, EventFault.NONE, fault), game, language)
        assert Wording(language)(f"fault.{fault.codes[0]}") in line
    for kind in DrawFaultKind:
        assert Wording(language)(f"draw-fault.{kind}", player="Ben", tile="A")


def test_refusals_say_what_to_do() -> None:
    before = state(HAUS, players=TWO)
    assert refused(before, lay(0, "8H .EE")) == [
        "Anna ist nicht an der Reihe. Bitte prüfen, ob ein Zug fehlt. An der Reihe ist Ben."
    ]
    assert refused(before, lay(1, "A1 EE"), "en") == [
        "The move cannot be laid so: not connected to tiles on the board."
    ]
    small = tiny(HAUS, players=TWO)
    assert refused(small, Exchanged(1, 1)) == [
        "Zum Tauschen sind zu wenige Steine im Beutel: mindestens 7 Steine, und nie weniger als getauscht werden. "
        "Bleibt: legen oder passen. Im Beutel: 0 Steine."
    ]
    assert refused(before, Corrected(1, Exchanged(1, 2)), "en") == [
        "It is not the turn of Ben. Check whether a move is missing."
    ]
    assert refused(before, Passed(5)) == [
        "Das passt nicht zu den Mitspielenden. In dieser Partie spielen Anna und Ben."
    ]


def test_refusals_of_challenges_and_draws_say_what_is_missing() -> None:
    three = state(HAUS, Passed(1), lay(0, "I7 ES"), rules="mattel", players=TWO)
    assert refused(three, doubt(3, "ES")) == [
        "Es ist noch nicht alles nachgesehen, worauf es ankommt. Bitte sagen, ob die Wörter erlaubt sind. "
        "Noch offen: UE und SS."
    ]
    assert refused(three, doubt(3, "-AS"), "en") == [
        "The move forms no such word. Name only words that it forms. The move forms: ES, UE and SS."
    ]
    assert refused(state(players=TWO), DrawnForFirst(((0, "EA"),))) == [
        "Diese Auslosung zählt nicht. Bitte noch einmal ziehen: jeder, der dran ist, genau einen Stein, "
        "vor dem ersten Zug. Ben hat noch nicht gezogen. Anna hat mehr als einen Stein gezogen."
    ]


def test_racks_that_cannot_be_say_which() -> None:
    over = tiny(*OUT, players=TWO)
    assert refused(over, RacksShown(("", "AES"))) == [
        "Die Reste, das Brett und der Steinsatz passen nicht zusammen. Bitte die Steine auf den Bänken noch einmal "
        "ansehen. Davon hat der Steinsatz nicht so viele: A und S. Ben hat noch 2 Steine, genannt: 3 Steine."
    ]


def test_numbers_and_lists_agree_in_both_languages() -> None:
    assert all(set(entry) == {"de", "en"} for entry in catalogue().values())
    assert Wording("de").listed(["Anna"]) == "Anna"
    assert Wording("en").listed(THREE) == "Anna, Ben and Carla"
    assert [Wording("de").counted("points", count) for count in (0, 1, 2)] == ["0 Punkte", "1 Punkt", "2 Punkte"]


# --- whatever happens ---------------------------------------------------------------------------------------------

SEATS, REFS = st.integers(-1, 4), st.integers(-1, 14)
SQUARES = st.builds(Square, st.integers(-1, 15), st.integers(-1, 15))
TILES = st.sampled_from("AEÄQeß?")
RACK = st.text("AEÄQ?", max_size=4)
WORDS = st.builds(ChallengedWord, st.sampled_from(["HAUS", "ES", "?"]), st.sampled_from([True, False, None]), RACK)
HAPPENINGS = st.one_of(
    st.builds(DrawnForFirst, st.lists(st.tuples(SEATS, TILES), max_size=3).map(tuple)),
    st.builds(
        Placed,
        SEATS,
        st.dictionaries(SQUARES, TILES, max_size=8).map(Placement.of),
        st.none() | st.integers(-5, 50),
        st.none() | st.integers(0, 50),
        st.lists(st.just("ES"), max_size=1).map(tuple),
    ),
    st.builds(Passed, SEATS),
    st.builds(Exchanged, SEATS, st.none() | st.integers(0, 9), RACK),
    st.builds(NothingLaid, SEATS),
    st.builds(MoveTimedOut, SEATS),
    st.builds(Noted, REFS),
    st.builds(Refilled, REFS, st.integers(0, 9), RACK),
    st.builds(
        Challenged,
        REFS,
        st.lists(SEATS, max_size=3).map(tuple),
        st.lists(WORDS, max_size=3).map(tuple),
        st.none() | st.floats(0, 60),
    ),
    st.builds(Withdrawn, REFS, st.none() | SEATS),
    st.builds(ChallengeRejected, SEATS, REFS, st.integers(0, 3)),
    st.builds(ScoreAgreed, REFS, st.integers(0, 50), st.booleans()),
    st.builds(BlankNamed, SQUARES, TILES),
    st.builds(BlankSwapped, SEATS, SQUARES, TILES),
    st.builds(Overtime, SEATS, st.floats(0, 1000)),
    st.builds(Resigned, SEATS),
    st.builds(Stopped),
    st.builds(RacksShown, st.lists(st.none() | RACK, max_size=4).map(tuple)),
    st.builds(Settled, SEATS, st.integers(-50, 50), st.sampled_from(["rack", "time", "challenge-bonus"])),
)
ANY_EVENT = HAPPENINGS | st.builds(Corrected, REFS, st.none() | HAPPENINGS) | st.builds(Undone) | st.builds(Redone)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 100), st.lists(ANY_EVENT, max_size=4), st.sampled_from(Notation))
def test_whatever_is_entered_can_be_explained(seed: int, events: list[Event], notation: Notation) -> None:
    """Games by the rules that go on with anything: no entry without lines, every total is the sum it is said to be."""
    before = random_game(seed)
    game = before.game
    for event in events:
        refusal = offer(replay(game), event)
        for language in LANGUAGES:
            if isinstance(refusal, Refusal):
                lines = explain_refusal(refusal, game, language, notation)
                assert len(lines) == len(refusal.faults.codes) + bool(refusal.placement_faults)
        game = game.with_event(event)
    for entry in replay(game).log:
        for language in LANGUAGES:
            lines = explain_entry(entry, game, language, notation)
            assert lines and all(lines)
        if entry.play:
            total = explain(entry.play)[-1].removeprefix("Zusammen: ")
            parts, _, points = total.rpartition(" = ")
            assert int(points) == entry.play.score == sum(map(int, (parts or points).split(" + ")))


@pytest.mark.parametrize("event", [doubt(3, "SEEHAUS"), ChallengeRejected(1, 3)])
def test_nobody_is_in_turn_after_a_challenge_at_the_end(event: Event) -> None:
    """R10.6, R8.12."""
    over = tiny(*OUT, event, players=TWO)
    assert last(over)[-1] == "1 Wort x 10 = 10 Punkte Abzug für Ben."
    goes_on = tiny(*OUT[:2], Passed(0), lay(1, "8K H"), doubt(4, "SEEH", by=(0,)), players=TWO)
    assert last(goes_on)[-1] == "Am Zug bleibt Anna."


def test_the_one_who_is_left_ends_the_game_whatever_the_number_of_players() -> None:
    game = state(HAUS, Resigned(0), Resigned(2), players=THREE, rules="mattel").game
    first, second = (explain_entry(entry, game)[1] for entry in replay(game).log[1:])
    assert first == "Die Steine bleiben auf der Bank von Anna, die anderen spielen weiter."
    assert second == "Damit ist die Partie zu Ende."


@pytest.mark.parametrize("event", [Corrected(2, None), Corrected(3, None), Overtime(0, float("nan")), Overtime(0, -5)])
def test_what_has_no_effect_can_be_explained(event: Event) -> None:
    """A correction of itself, or of what comes later; a time that is none."""
    after = state(HAUS, event, Passed(1), players=TWO)
    assert explain_entry(after.log[1], after.game)[1].startswith("Das geht nicht und ändert nichts: ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_written_out(language: Language) -> None:
    assert "1234567 " in last(state(HAUS, Settled(0, 1234567)), language)[0]
