"""The sum in words."""

from __future__ import annotations

from scorer import GERMAN_102, Board, MoveText, Notation, RuleSet, Square, explain, score_move


def test_german(turnier: RuleSet) -> None:
    play = score_move(Board.empty(), MoveText.parse("H4 FIRNs", Notation.GERMAN), turnier, GERMAN_102)
    assert explain(play) == ["H4 FIRNs: F 4 x 2 = 8, I 1, R 1, N 1, s 0 = 11, Wort x 2 = 22", "Zusammen: 22"]


def test_english_with_bonus(turnier: RuleSet) -> None:
    play = score_move(Board.empty(), MoveText.parse("8C MYXÖDEM", Notation.INTERNATIONAL), turnier, GERMAN_102)
    assert explain(play, "en", Notation.INTERNATIONAL) == [
        "8C MYXÖDEM: M 3, Y 10 x 2 = 20, X 8, Ö 8, D 1, E 1, M 3 = 44, word x 2 = 88",
        "All 7 tiles laid: + 50",
        "Total: 138",
    ]


def test_cross_words_have_their_own_line(turnier: RuleSet) -> None:
    board = Board.empty().placed({Square(7, 6 + i): char for i, char in enumerate("OHM")})
    play = score_move(board, MoveText.parse("G7 JA", Notation.GERMAN), turnier, GERMAN_102)
    assert explain(play) == [
        "G7 JA: J 6 x 2 = 12, A 1 = 13",
        "7G JO: J 6 x 2 = 12, O 2 = 14",
        "8G AH: A 1, H 2 = 3",
        "Zusammen: 30",
    ]


def test_nothing_to_explain(turnier: RuleSet) -> None:
    play = score_move(Board.empty(), MoveText.parse("H4 F..NS", Notation.GERMAN), turnier, GERMAN_102)
    assert explain(play) == ["Zusammen: 0"]
