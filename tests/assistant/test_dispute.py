"""`brettblick dispute`: what was laid between two photos, or as a word on one, and what it counts."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import main
from assistant.commands.dispute import alternative_lines, notes, print_dispute
from assistant.dispute import (
    LAID,
    MORE_MOVES,
    NOT_THERE,
    NOTHING_NEW,
    OTHER,
    SAME_PHOTO,
    SWAPPED,
    UNREADABLE,
    WITHDRAWN,
    Dispute,
    as_json,
    challenge_lines,
    dispute_of,
    question_sentence,
)
from assistant.dispute_word import NamedWord, dispute_about
from assistant.engines import Finder, make_reader
from assistant.texts import LANGUAGES, Texts
from scorer.board import Board, Direction, Square
from scorer.notation import MoveText, Notation, parse_coordinate
from scorer.placement import PlacementFault
from scorer.rules import RULE_SETS, WordAuthority
from scorer.tiles import GERMAN_102
from vision.observe import Observation, observe
from vision.reading import BoardReading

Make = Callable[..., BoardReading]
Unsure = Mapping[tuple[int, int], Mapping[str, float]]
RULES = RULE_SETS["turnier"]
EMPTY = Board.empty()
ROOT = Path(__file__).resolve().parents[2]
NOON = datetime(2026, 5, 1, 12, 0)


def lay(board: Board, row: int, col: int, word: str, down: bool = False) -> Board:
    """The board with the letters of a word that do not lie there yet."""
    squares = {Square(row + k * down, col + k * (not down)): char for k, char in enumerate(word)}
    return board.placed({s: char for s, char in squares.items() if board.at(s) is None})


HUT = lay(EMPTY, 7, 7, "HUT")  # (H 2, U 1, T 1) x 2 on the star = 8
HUTOR = lay(HUT, 7, 9, "TOR", down=True)  # T 1, O 2, R 1 x 3 on J10 = 6
HUTORE = lay(HUTOR, 9, 9, "RE")  # R 1, E 1 = 2


def photo(make: Make, board: Board, name: str = "a.jpg", unsure: Unsure | None = None, **values: Any) -> Observation:
    return Observation(name, reading=make(board.rows, unsure), **values)


def two(make: Make, before: Board, after: Board, first: Unsure | None = None, second: Unsure | None = None) -> Dispute:
    seen = [photo(make, before, "1.jpg", first), photo(make, after, "2.jpg", second)]
    return dispute_of(seen, RULES, GERMAN_102)


def words(found: Dispute) -> list[tuple[str, int]]:
    return [(word.word, word.score) for move in found.moves for word in move.play.words]


def codes(found: Dispute) -> list[str]:
    return [note.key.removeprefix("dispute.") for note in found.notes]


def asked(found: Dispute) -> str | None:
    return found.question.code if found.question else None


def printed(found: Dispute, capsys: pytest.CaptureFixture[str], language: str = "de") -> str:
    print_dispute(found, Texts(language))
    return " ".join(capsys.readouterr().out.split())


# --- two photos ---------------------------------------------------------------------------------------------------


def test_the_move_between_two_photos(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    found = two(make_reading, HUT, HUTOR)
    assert (found.kind, found.status, asked(found)) == ("place", 0, None)
    assert found.before == HUT and found.after == HUTOR
    assert words(found) == [("TOR", 6)]
    said = printed(found, capsys)
    assert "TOR ab Feld H10, von oben nach unten. Neu: O auf I10, R auf J10. Aufgeschrieben: 10H .OR" in said
    assert "Das zählt 6 Punkte:" in said and "R 1 x 3 = 3" in said and "Regelwerk turnier" in said
    said = printed(found, capsys, "en")
    assert "TOR from square H10, top to bottom. New: O on I10, R on J10." in said and "It counts 6 points:" in said


def test_the_first_move_of_a_game(make_reading: Make) -> None:
    found = two(make_reading, EMPTY, HUT)
    assert (found.status, words(found), codes(found)) == (0, [("HUT", 8)], ["first-move"])


def test_a_bingo_and_a_blank(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    # (K 4 x 2, Ö 8, N 1, E 1, S 1) = 19, x 2 on the star, + 50; the blanks on H6 and H9 count 0
    found = two(make_reading, EMPTY, lay(EMPTY, 7, 3, "KÖ?NE?S"))
    assert found.status == 0 and found.move is not None and found.move.score == 88
    said = printed(found, capsys)
    assert "+ 50" in said and "Auf H6 liegt ein Blanko: 0 Punkte." in said and "Auf H9 liegt ein Blanko" in said


def test_two_moves(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    found = two(make_reading, HUT, HUTORE)
    assert found.kind == "place" and words(found) == [("TOR", 6), ("RE", 2)]
    assert found.after == HUTORE and "zwei Züge" in printed(found, capsys)


def test_more_than_two_moves(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    many = lay(lay(lay(lay(HUTORE, 9, 10, "EISEN", down=True), 13, 10, "NOTEN"), 10, 9, "AI"), 13, 14, "NU", down=True)
    found = two(make_reading, EMPTY, many)
    assert (found.kind, found.status, found.moves) == ("more-moves", 1, ())
    assert f"Neue Steine: {len(many.occupied)}." in printed(found, capsys)


def test_nothing_new(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    found = two(make_reading, HUTOR, HUTOR)
    assert (found.kind, found.status, found.moves) == ("none", 0, ())
    assert "liegt nichts Neues" in printed(found, capsys)


def test_the_same_photo_twice(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    one = photo(make_reading, HUT, digest="ab")
    found = dispute_of([one, one], RULES, GERMAN_102)
    assert (found.kind, found.status) == ("same-photo", 1)
    assert "zweimal dasselbe Foto" in printed(found, capsys)


def test_fewer_tiles_on_the_second_photo_are_a_question(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    found = two(make_reading, HUTOR, HUT)
    assert (found.kind, found.status, asked(found)) == ("swapped", 1, "swapped-or-taken-back")
    assert words(found) == [("TOR", 6)] and found.before == HUT
    said = printed(found, capsys)
    assert "Sind die Fotos vertauscht?" in said and "I10, J10 zurückgenommen?" in said


def test_the_cameras_clock_tells_taken_back_from_swapped(
    make_reading: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    early, late = NOON, NOON + timedelta(minutes=2)
    more, less = photo(make_reading, HUTOR, "1.jpg", taken=early), photo(make_reading, HUT, "2.jpg", taken=late)
    found = dispute_of([more, less], RULES, GERMAN_102)
    assert (found.kind, found.status, words(found)) == ("withdrawn", 0, [("TOR", 6)])
    out = as_json(found, Texts("de"))
    assert out["before"] == list(HUTOR.rows) and out["after"] == list(HUT.rows) and out["challenge"] == []
    assert printed(found, capsys).startswith("Zurückgenommen:")

    found = dispute_of([replace(more, taken=late), replace(less, taken=early)], RULES, GERMAN_102)
    assert (found.kind, found.status, codes(found)) == ("place", 0, ["swapped-by-clock"])
    found = dispute_of([replace(less, taken=late), replace(more, taken=early)], RULES, GERMAN_102)
    assert (found.kind, found.status, codes(found)) == ("place", 0, ["clock"])


@pytest.mark.parametrize("more", [lay(HUT, 7, 10, "E"), lay(HUT, 8, 9, "O")])
def test_a_single_tile_fewer_is_no_pass(make_reading: Make, more: Board) -> None:
    found = two(make_reading, more, HUT)
    assert (found.kind, found.status, asked(found)) == ("swapped", 1, "swapped-or-taken-back")


def test_an_old_tile_that_is_gone_is_asked_about(make_reading: Make) -> None:
    found = two(make_reading, HUTORE, lay(HUTORE.removed([Square(7, 8)]), 8, 10, "H"))
    assert found.status == 1 and found.question is not None
    assert found.question.code in ("tile-gone", "other-position")
    assert found.question.code == "other-position" or Square(7, 8) in found.question.squares
    found = two(make_reading, HUTORE, HUTORE.removed([Square(7, 7), Square(9, 10)]))  # no one move lays H and E
    assert found.status == 1 and asked(found) in ("tile-gone", "other-position")


def test_the_players_names_on_the_first_photo(make_reading: Make) -> None:
    found = two(make_reading, lay(EMPTY, 7, 6, "A?B"), HUT)
    assert (found.kind, found.status, words(found), codes(found)) == ("place", 0, [("HUT", 8)], ["initials"])
    assert found.before == EMPTY


def test_another_board(make_reading: Make) -> None:
    other = lay(lay(EMPTY, 7, 3, "WINDE"), 7, 7, "EIS", down=True)
    found = two(make_reading, HUTORE, other)
    assert (found.kind, found.status, asked(found), found.moves) == ("other-position", 1, "other-position", ())


def test_a_photo_that_cannot_be_read(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    bad = Observation("1.jpg", reason="no-board")
    found = dispute_of([bad, photo(make_reading, HUT, "2.jpg")], RULES, GERMAN_102)
    assert (found.kind, found.status) == ("unreadable", 3)
    assert "brettblick dispute 2.jpg --word WORT" in printed(found, capsys)
    assert as_json(found, Texts("de"))["photos"][0] == {
        "photo": "1.jpg", "found": False, "reason": "no-board", "warnings": [], "advice": []
    }  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "code", "points", "said"),
    [
        (HUT, lay(HUT, 1, 1, "AB"), "not-connected", 8, "berührt keinen Stein"),  # (A 1, B 3) x 2 on B2
        (EMPTY, lay(EMPTY, 1, 2, "HUT"), "first-word-off-star", 4, "über dem Stern auf H8"),
        (HUT, lay(lay(HUT, 8, 7, "E"), 10, 7, "R"), "gap", None, "Lücke: Auf J8 liegt kein Stein."),
        (HUT, lay(lay(HUT, 1, 3, "E"), 3, 1, "A"), "not-in-line", None, "nicht alle in einer Reihe"),
        (lay(EMPTY, 7, 7, "QUE"), lay(lay(EMPTY, 7, 7, "QUE"), 7, 9, "EQU", True), "set-exhausted", 14, "Q: 1 zu viel"),
        # E 1, Q 10, U 1 x 3 on J10
    ],
)  # fmt: skip
def test_what_is_against_the_rules_is_said(
    make_reading: Make,
    capsys: pytest.CaptureFixture[str],
    before: Board,
    after: Board,
    code: str,
    points: int | None,
    said: str,
) -> None:
    found = two(make_reading, before, after)
    assert found.kind == "place" and found.status == 1 and found.move is not None
    assert code in found.move.play.faults.codes and found.move.score == points
    assert challenge_lines(found.move, Texts("de")) == []
    text = printed(found, capsys)
    assert "Dieser Zug geht nicht:" in text and said in text


# --- what is doubtful ---------------------------------------------------------------------------------------------


def test_a_doubtful_new_tile_is_asked_about_with_both_sums(
    make_reading: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    found = two(make_reading, HUT, HUTOR, None, {(9, 9): {"R": 0.7, "B": 0.3}})
    assert (found.status, asked(found)) == (1, "which-letter")
    # TOB: T 1, O 2, B 3 x 3 on J10
    assert [(one.tile, one.move.score) for one in found.alternatives] == [("R", 6), ("B", 12)]
    said = printed(found, capsys)
    assert "J10 ein R: TOR, 6 Punkte" in said and "J10 ein B: TOB, 12 Punkte" in said


def test_a_doubtful_old_tile_of_a_word_is_asked_about_too(make_reading: Make) -> None:
    doubt = {(7, 9): {"T": 0.7, "F": 0.3}}
    found = two(make_reading, HUT, HUTOR, doubt, doubt)
    assert (found.status, asked(found)) == (1, "which-letter")
    assert found.question is not None and found.question.squares == (Square(7, 9),)
    # FOR: F 4, O 2, R 1 x 3; a tile that lay there has no premium
    assert [(one.tile, one.move.score) for one in found.alternatives] == [("T", 6), ("F", 9)]


def test_one_clear_photo_of_an_old_tile_is_enough(make_reading: Make) -> None:
    found = two(make_reading, HUT, HUTOR, None, {(7, 9): {"T": 0.7, "F": 0.3}})
    assert (found.status, asked(found), words(found)) == (0, None, [("TOR", 6)])


def test_an_old_tile_that_is_another_one_on_each_photo_is_asked_about(make_reading: Make) -> None:
    other = {(7, 9): {"F": 0.999, "T": 0.001}}
    found = two(make_reading, HUT, HUTOR, None, other)
    assert found.status == 1 and found.question is not None and found.question.squares == (Square(7, 9),)
    assert sorted(one.move.score or 0 for one in found.alternatives) == [6, 9]


def test_an_old_tile_elsewhere_does_not_matter(make_reading: Make) -> None:
    doubt = {(7, 7): {"H": 0.6, "B": 0.4}}
    found = two(make_reading, HUT, HUTOR, doubt, doubt)
    assert (found.status, asked(found), words(found)) == (0, None, [("TOR", 6)])


def test_letters_of_equal_value_leave_the_points_alone(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    found = two(make_reading, HUT, HUTOR, None, {(9, 9): {"R": 0.7, "S": 0.3}})
    assert found.status == 1 and "Die Punkte bleiben also gleich" in printed(found, capsys)


def test_what_is_covered_at_the_end_of_the_word_is_asked_about(make_reading: Make) -> None:
    hand = {(10, 9): {"*": 1.0}}
    found = two(make_reading, HUT, HUTOR, None, hand)
    assert found.status == 1 and asked(found) in ("mid-move-or-move", "covered-beside")
    found = one(make_reading, HUTOR, named(".OR", "10H"), hand)
    assert (found.status, asked(found)) == (1, "covered-beside")
    assert found.question is not None and found.question.squares == (Square(10, 9),)
    beside = one(make_reading, HUTOR, named(".OR", "10H"), {(12, 9): {"*": 1.0}})  # not next to it
    assert (beside.status, words(beside)) == (0, [("TOR", 6)])


def test_a_single_letter_in_doubt_is_asked_about_plainly(make_reading: Make) -> None:
    # the rest of the probability is that of no letter at all
    reading = make_reading(HUTOR.rows)
    log_probs = reading.log_probs.copy()
    log_probs[9, 9] -= 0.5
    seen = [photo(make_reading, HUT, "1.jpg"), Observation("2.jpg", reading=replace(reading, log_probs=log_probs))]
    found = dispute_of(seen, RULES, GERMAN_102)
    assert (found.status, asked(found)) == (1, "one-letter")
    assert question_sentence(found, Texts("de")) == (
        "Der Stein auf Feld J10 ist nicht ganz deutlich zu sehen. Ist es wirklich: R?"
    )


# --- challenges ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        ("turnier", ["Es entscheidet die Liste des Vereins.", "Zur Wahl: TOR.", "Je genanntem Wort 10 Punkte Abzug"]),
        ("familie", ["am Tisch", "Nachgesehen wird: TOR.", "kostet nichts"]),
    ],
)
def test_what_a_challenge_would_be_about(make_reading: Make, rules: str, lines: Sequence[str]) -> None:
    seen = [photo(make_reading, HUT, "1.jpg"), photo(make_reading, HUTOR, "2.jpg")]
    found = dispute_of(seen, RULE_SETS[rules], GERMAN_102)
    assert found.move is not None
    said = " ".join(challenge_lines(found.move, Texts("de")))
    assert all(line in said for line in lines), said


def test_nothing_is_said_of_whether_the_word_is_allowed(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    """A word that exists and one that does not, of the same letters on plain squares: the same text but for them."""
    texts = []
    for word in ("TOR", "TRO"):
        found = two(make_reading, HUT, lay(HUT, 7, 9, word, down=True))
        assert found.move is not None and found.status == 0
        texts.append([line.replace(word, "*") for line in challenge_lines(found.move, Texts("de"))])
        assert "answer" not in json.dumps(as_json(found, Texts("de")))
    assert texts[0] == texts[1] and any("*" in line for line in texts[0])


# --- one photo and the word ---------------------------------------------------------------------------------------


def named(word: str, at: str | None = None, all_new: bool = False) -> NamedWord:
    place = parse_coordinate(at, Notation.GERMAN) if at else None
    return NamedWord(MoveText.of("A1", word, Notation.GERMAN).marks, place, all_new=all_new)


def one(make: Make, board: Board, word: NamedWord, unsure: Unsure | None = None) -> Dispute:
    return dispute_about(photo(make, board, "2.jpg", unsure), word, RULES, GERMAN_102)


def test_dots_say_which_tiles_lay_there(make_reading: Make) -> None:
    found = one(make_reading, HUTOR, named(".OR", "10H"))
    assert (found.status, words(found), found.before) == (0, [("TOR", 6)], HUT)
    assert one(make_reading, HUTOR, named(".OR")).move == found.move  # the place is found
    assert one(make_reading, HUTOR, named(".OR", "H10")).move == found.move  # also the other way round


def test_without_dots_every_sound_way_is_shown(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    found = one(make_reading, HUTOR, named("TOR", "10H"))
    assert (found.kind, found.status, asked(found)) == ("place", 1, "which-lay-there")
    # T lay there: 6; T and O did: R alone 1 + 2 + 1 x 3 = 6 as well; all new: HUT is formed once more, 6 + 4
    assert {one.move.score for one in found.alternatives} == {6, 10}
    assert found.move is not None and found.move.written == "10H .OR"
    said = printed(found, capsys)
    assert "Schon da: T auf H10 (--word .OR): 6 Punkte" in said and "Alles neu (--all-new): 10 Punkte" in said


def test_all_new_is_an_answer(make_reading: Make) -> None:
    found = one(make_reading, HUTOR, named("TOR", "10H", all_new=True))
    assert (found.status, words(found)) == (0, [("TOR", 6), ("HUT", 4)])


def test_where_all_ways_count_the_same_there_is_no_question(make_reading: Make) -> None:
    # T must have lain there, or HUTE would have been in two; A and O lie on plain squares: A 1, T 1, O 2 in any case
    found = one(make_reading, lay(lay(HUT, 7, 10, "E"), 6, 9, "ATO", down=True), named("ATO", "10G"))
    assert (found.status, asked(found), words(found)) == (0, None, [("ATO", 4)])
    assert codes(found) == ["all-the-same"] and found.move is not None and found.move.written == "10G A.O"


def test_only_one_way_is_possible(make_reading: Make) -> None:
    # without H the star would have been bare: E is new, H 2 + E 1
    board = lay(HUT, 8, 7, "E")
    found = one(make_reading, board, named("HE", "8H"))
    assert (found.status, words(found), codes(found)) == (0, [("HE", 3)], [])
    against = one(make_reading, board, named("H.", "8H"))  # which cannot have been
    assert (against.status, asked(against), codes(against)) == (1, "which-lay-there", ["no-way"])


def test_another_word_lies_there(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    found = one(make_reading, HUTOR, named("HAT", "H8"))
    assert (found.kind, found.status, found.moves) == ("not-there", 1, ())
    said = printed(found, capsys)
    assert "Auf H8 bis H10 liegt HUT, nicht HAT." in said and "H9 U 99%" in said


def test_the_word_lies_elsewhere(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    found = one(make_reading, HUTOR, named("HUT", "B6"))
    said = printed(found, capsys)
    assert found.status == 1 and "Auf B6 bis B8 liegt kein Stein." in said and "HUT liegt auf H8." in said
    assert "passt dort nicht aufs Brett" in printed(one(make_reading, HUTOR, named("HUT", "A14")), capsys)
    assert "nirgends zu sehen" in printed(one(make_reading, HUTOR, named("XYZ")), capsys)


def test_a_letter_that_the_photo_leaves_open_is_asked_about(make_reading: Make) -> None:
    doubt = {(9, 9): {"B": 0.7, "R": 0.3}}
    found = one(make_reading, HUTOR, named(".OR", "10H"), doubt)
    assert (found.status, asked(found)) == (1, "which-letter")
    assert [(one.tile, one.move.score) for one in found.alternatives] == [("R", 6), ("B", 12)]
    agreeing = one(make_reading, HUTOR, named(".OB", "10H"), doubt)  # what is named is what is seen
    assert (agreeing.status, words(agreeing)) == (0, [("TOB", 12)])


def test_a_hand_over_the_word_is_asked_about(make_reading: Make) -> None:
    found = one(make_reading, HUTOR, named(".OR", "10H"), {(9, 9): {"*": 1.0}})
    assert (found.status, asked(found)) == (1, "covered-tile")
    assert found.question is not None and found.question.squares == (Square(9, 9),)


def test_a_hand_over_an_old_tile_is_asked_about(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    hidden = {(7, 9): {"*": 0.9, ".": 0.1}}
    found = one(make_reading, HUTOR.removed([Square(7, 9)]), named(".OR", "10H"), hidden)
    assert (found.status, asked(found), found.doubtful) == (1, "covered-tile", (Square(7, 9),))
    said = printed(found, capsys)
    assert "Blanko: 0 Punkte" not in said and "Ohne den Stein, der nicht zu sehen ist" in said  # nobody knows it
    # two photos: the first one shows it
    both = two(make_reading, HUT, HUTOR, None, {(7, 9): {"*": 1.0}})
    assert words(both) == [("TOR", 6)] and asked(both) in (None, "mid-move-or-move")


def test_a_hand_over_a_new_tile_is_asked_about(make_reading: Make) -> None:
    found = two(make_reading, HUT, HUTORE.removed([Square(9, 10)]), None, {(8, 9): {"*": 1.0}})
    assert (found.status, asked(found)) == (1, "covered-tile")
    assert found.question is not None and found.question.squares == (Square(8, 9),)


def test_a_blank_in_the_word_counts_nothing(make_reading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    found = one(make_reading, lay(HUT, 7, 9, "T?R", down=True), named(".OR", "10H"))
    assert (found.status, words(found)) == (0, [("ToR", 4)])  # T 1, blank 0, R 1 x 3
    assert "Auf I10 liegt ein Blanko als O: 0 Punkte." in printed(found, capsys)


def test_part_of_a_word_is_the_whole_word(make_reading: Make) -> None:
    found = one(make_reading, HUTOR, named("OR", "10I"))
    assert found.move is not None and found.move.play.words[0].word == "TOR"
    assert "score.whole-word" in [note.key for note in found.notes]


def test_a_word_that_no_single_move_can_have_made(make_reading: Make) -> None:
    found = one(make_reading, lay(EMPTY, 1, 2, "HUT"), named("HUT", "B3"))
    assert found.status == 1 and found.move is not None
    assert "first-word-off-star" in found.move.play.faults.codes and "no-way" in codes(found)


def test_the_word_tells_which_way_is_up(make_reading: Make) -> None:
    """A photo whose tiles do not tell its turn: the one in which the word lies there."""
    board = lay(EMPTY, 7, 7, "NO")
    upside = Board(tuple(row[::-1] for row in reversed(board.rows)))
    turns = tuple(make_reading(rows) for rows in (upside.rows, EMPTY.rows, board.rows, EMPTY.rows))
    seen = Observation("2.jpg", reading=turns[0], turns=turns, warnings=("turn-unsure",))
    found = dispute_about(seen, named("NO", "H8", all_new=True), RULES, GERMAN_102)
    assert (found.status, words(found), codes(found)) == (0, [("NO", 6)], ["turned-by-word"])  # (N 1, O 2) x 2


# --- real pictures and the command --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(demo_photos: list[Path]) -> dict[int, Observation]:
    """The photos 1 to 7 by number."""
    reader, finder = make_reader("network"), Finder()
    return {k: observe(demo_photos[k], finder.locator(demo_photos[k]), reader, GERMAN_102) for k in range(1, 8)}


@pytest.mark.parametrize(
    ("number", "move", "points"),
    [
        (2, "10F FR.UNDIN", 71),  # F 4 x 3, R 1, E 1, U 1, N 1 x 3, D 1, I 1, N 1 = 21, all seven tiles + 50
        (3, "M7 SON.E", 8),  # S 1 x 2, O 2, N 1 x 2, N 1, E 1
        (4, "K8 BA.?N", 12),  # (B 3, A 1, D 1, blank 0, N 1) x 2 on K11
        (5, "F10 .OGEL", 15),  # F 4, O 2, G 2, E 1, L 2 x 3 on F14
        (7, "6F SC.AF", 22),  # S 1 x 3, C 4, H 2, A 1, F 4 x 3
    ],
)
def test_the_moves_of_the_demo_game(demo: dict[int, Observation], number: int, move: str, points: int) -> None:
    found = dispute_of([demo[number - 1], demo[number]], RULES, GERMAN_102)
    assert found.kind == "place" and [(one.written, one.score) for one in found.moves] == [(move, points)]
    assert asked(found) in (None, "which-letter", "one-letter")


def test_a_move_of_the_demo_game_taken_back(demo: dict[int, Observation]) -> None:
    found = dispute_of([demo[5], demo[6]], RULES, GERMAN_102)
    assert (found.kind, found.status) == ("swapped", 1)
    assert found.move is not None and (found.move.written, found.move.score) == ("F10 .OGEL", 15)


def test_two_photos_and_nothing_else(
    demo_photos: list[Path], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["dispute", str(demo_photos[2]), str(demo_photos[3]), "--no-report"]) == 0
    said = capsys.readouterr().out
    assert "SONNE ab Feld M7, von links nach rechts" in said and "Das zählt 8 Punkte" in said
    assert not list(tmp_path.iterdir())
    assert main(["dispute", str(demo_photos[2]), str(demo_photos[3]), "--json", "--lang", "en"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert (out["kind"], out["score"], out["legal"], out["question"], out["rules"]) == (
        "place",
        8,
        True,
        None,
        "turnier",
    )
    assert out["moves"][0]["words"] == [{"word": "SONNE", "score": 8}]
    assert out["moves"][0]["tiles"] == [[12, 6, "S"], [12, 7, "O"], [12, 8, "N"], [12, 10, "E"]]
    assert len(out["before"]) == len(out["after"]) == 15 and out["after"][12][6:11] == "SONNE"
    assert out["moves"][0]["steps"][-1] == "Total: 8"
    assert all(out[key] == out["moves"][0][key] for key in ("word", "tiles", "words", "score", "steps", "faults"))
    assert not list(tmp_path.iterdir())


def test_one_photo_and_the_word(demo_photos: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["dispute", str(demo_photos[3]), "--word", "Son.e", "--at", "M7", "--no-report"]
    assert main(argv) == 0
    assert "Das zählt 8 Punkte" in capsys.readouterr().out


def test_the_page_with_the_pictures_overwrites_nothing(
    demo_photos: list[Path], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    argv = ["dispute", str(demo_photos[3]), "--word", "SON.E"]
    (tmp_path / "streitfall.html").write_text("mine", encoding="utf-8")
    assert main(argv) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Alles mit Bildern: streitfall-2.html"
    assert main([*argv, "--lang", "en", "--report", "quarrel.html"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "All of it with pictures: quarrel.html"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["quarrel.html", "streitfall-2.html", "streitfall.html"]
    assert (tmp_path / "streitfall.html").read_text(encoding="utf-8") == "mine"
    assert "M7 SON.E" in (tmp_path / "streitfall-2.html").read_text(encoding="utf-8")
    assert main([*argv, "--report", "nowhere/page.html"]) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_about_the_move_and_not_about_a_game(
    demo_photos: list[Path], tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    texts, pages = Texts(language), {}
    for word, argv in (("two", [str(demo_photos[3])]), ("one", ["--word", "SONNE"])):
        path = tmp_path / f"{word}.html"
        first = demo_photos[2] if word == "two" else demo_photos[3]
        main(["dispute", str(first), *argv, "--report", str(path), "--lang", language])
        printed = " ".join(capsys.readouterr().out.split())
        pages[word] = path.read_text(encoding="utf-8")
        assert f"<h1>{texts('report.title-dispute')}: SONNE</h1>" in pages[word]
        shown = [html.unescape(line) for line in re.findall(r"<(?:li|p|h2)>([^<]*)</", pages[word])]
        assert texts("dispute.laid" if word == "two" else "dispute.read-so") in shown
        said = [line for line in shown if "M11" in line or "--all-new" in line]
        assert said and all(line in printed for line in said)
        assert not any(text in pages[word] for text in (texts("sheet.title", rules="turnier"), texts("sheet.no-rack")))
    assert texts("report.position-before") in pages["two"] and texts("report.position-before") not in pages["one"]
    assert "--word SO..E" in pages["one"] and "--word SO..E" not in pages["two"]
    main(["dispute", *map(str, demo_photos[2:4]), "--report", str(tmp_path / "a.json"), "--lang", language])
    found = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["dispute"]
    assert found["word"] == "SONNE" and found["headline"] == texts("dispute.laid") and not found["alternatives"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("argv", "status"),
    [
        (["{0}"], 2),
        (["{0}", "{1}", "{0}"], 2),
        (["{0}", "{1}", "--word", "HUT"], 2),
        (["{0}", "{1}", "--at", "B6"], 2),
        (["{0}", "--word", "H T"], 2),
        (["{0}", "--word", ""], 2),
        (["{0}", "--word", "..."], 2),
        (["{0}", "--word", "HUT", "--at", "Z99"], 2),
        (["{0}", "{1}", "--rules", "nix"], 2),
        (["{0}", "missing.jpg"], 3),
        (["missing.jpg", "--word", "HUT"], 3),
        (["{0}", "{0}"], 1),
    ],
)
def test_bad_input_ends_in_a_sentence(
    demo_photos: list[Path], capsys: pytest.CaptureFixture[str], argv: list[str], status: int, language: str
) -> None:
    args = [arg.format(*demo_photos) for arg in argv]
    assert main(["dispute", *args, "--no-report", "--lang", language]) == status
    said = capsys.readouterr()
    assert (said.out + said.err).strip() and "Traceback" not in said.err


def test_every_kind_and_every_rule_has_a_text() -> None:
    texts = Texts("de")
    kinds = [UNREADABLE, SAME_PHOTO, NOTHING_NEW, LAID, WITHDRAWN, SWAPPED, OTHER, MORE_MOVES, NOT_THERE]
    assert all(texts.has("dispute.laid" if kind == LAID else f"dispute.{kind}") for kind in kinds)
    assert all(texts.has(f"dispute.authority.{authority}") for authority in WordAuthority)
    assert all(texts.has(f"dispute.word.{way}") and texts.has(f"dispute.other-way-{way}") for way in Direction)
    assert all(texts.has(f"score.fault.{code}") for code in PlacementFault(~0).codes)
    source = "".join(
        (ROOT / "assistant" / name).read_text(encoding="utf-8") for name in ("dispute.py", "dispute_word.py")
    )
    asked = set(re.findall(r'Question\(\s*"([a-z-]+)"', source)) | {"which-letter", "one-letter", "covered-beside"}
    assert len(asked) > 8 and all(texts.has(f"question.{code}") for code in asked)


def test_every_text_of_the_command_works_in_both_languages(
    make_reading: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    doubt = {(9, 9): {"B": 0.7, "R": 0.3}}
    found = [
        two(make_reading, HUT, HUTOR, None, doubt),
        two(make_reading, HUTOR, HUT),
        one(make_reading, HUTOR, named("TOR", "10H")),
        one(make_reading, HUTOR, named("HAT", "H8")),
    ]
    for dispute in found:
        sides = [printed(dispute, capsys, language) for language in LANGUAGES]
        assert sides[0] != sides[1] and all("{" not in side for side in sides)
        assert len(notes(dispute, Texts("de"))) == len(notes(dispute, Texts("en")))
        assert len(alternative_lines(dispute, Texts("de"))) == len(dispute.alternatives) + (
            len({one.move.score for one in dispute.alternatives}) == 1
        )
