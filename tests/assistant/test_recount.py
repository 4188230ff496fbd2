"""Whole games from readings: every kind of entry, the order of the players, the points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.commands.recount import print_sheet
from assistant.questions import ask
from assistant.recount import Recount, as_json, recount
from assistant.texts import Texts
from scorer.accounting import unseen
from scorer.board import Board, Direction, Square
from scorer.errors import BrettblickError
from scorer.events import NothingLaid, Passed, Placed, Withdrawn
from scorer.formats import read_written_game
from scorer.game import Game, advance, replay
from scorer.rescore import rescore
from scorer.rules import RULE_SETS, RuleSet
from scorer.tiles import GERMAN_102
from scorer.written import Action
from vision.observe import Observation
from vision.reading import BoardReading

EMPTY = Board.empty()
Make = Callable[..., BoardReading]


def lay(board: Board, row: int, col: int, word: str, down: bool = False) -> Board:
    """The board with the letters of a word that do not lie there yet."""
    squares = {Square(row + k * down, col + k * (not down)): char for k, char in enumerate(word)}
    return board.placed({s: char for s, char in squares.items() if board.at(s) is None})


HUT = lay(EMPTY, 7, 7, "HUT")
HUTOR = lay(HUT, 7, 9, "TOR", down=True)
HUTORE = lay(HUTOR, 9, 9, "RE")


def game(make: Make, boards: Sequence[Board | None], unsure: Mapping[int, Mapping] | None = None) -> Recount:
    seen = [
        Observation(f"{k:02}.jpg", reason="no-board")
        if board is None
        else Observation(f"{k:02}.jpg", reading=make(board.rows, (unsure or {}).get(k)))
        for k, board in enumerate(boards)
    ]
    return recount(seen, ("Anna", "Ben"), RULE_SETS["turnier"], GERMAN_102)


def kinds(result: Recount) -> list[str]:
    return [entry.kind for entry in result.entries]


def test_moves_in_turn_with_points_and_totals(make_reading: Make) -> None:
    result = game(make_reading, [EMPTY, HUT, HUTOR, HUTORE])
    assert kinds(result) == ["start", "place", "place", "place"]
    assert [entry.player for entry in result.entries] == [None, 0, 1, 0]
    # HUT on the star: (2+1+1) x 2 = 8; TOR down from T: 1 + 2 + 1 x 3 (triple letter J10) = 6; RE across: 1 + 1 = 2
    assert [entry.play.score for entry in result.entries if entry.play] == [8, 6, 2]
    assert result.totals == (10, 6)
    assert all(entry.question is None for entry in result.entries)
    assert result.board == HUTORE


def test_the_game_may_begin_without_a_photo_of_the_empty_board(make_reading: Make) -> None:
    assert kinds(game(make_reading, [HUT, HUTOR])) == ["place", "place"]


def test_nothing_new_is_a_turn(make_reading: Make) -> None:
    result = game(make_reading, [EMPTY, HUT, HUT, HUTOR])
    assert kinds(result) == ["start", "place", "none", "place"]
    assert [entry.player for entry in result.entries] == [None, 0, 1, 0]
    assert result.totals == (8 + 6, 0)


def test_a_move_taken_back_costs_its_points_and_no_turn(make_reading: Make) -> None:
    other = lay(HUT, 7, 7, "HERD", down=True)
    result = game(make_reading, [EMPTY, HUT, HUTOR, HUT, other])
    assert kinds(result) == ["start", "place", "place", "withdrawn", "place"]
    assert [entry.withdrawn for entry in result.entries] == [False, False, True, False, False]
    assert [entry.totals for entry in result.entries[1:4]] == [(8, 0), (8, 6), (8, 0)]
    assert result.entries[4].player == 0
    assert result.board == other


def test_taken_back_and_the_next_move_in_one_photo(make_reading: Make) -> None:
    other = lay(HUT, 7, 9, "TAL", down=True)
    result = game(make_reading, [EMPTY, HUT, HUTOR, other])
    assert kinds(result) == ["start", "place", "place", "place"]
    assert result.entries[2].withdrawn and result.entries[3].player == 0
    assert result.totals[1] == 0 and result.board == other


@pytest.mark.parametrize("names", ["A?B", "A?S", "Z?K"])
def test_initials_before_the_first_move_are_no_move(make_reading: Make, names: str) -> None:
    result = game(make_reading, [EMPTY, lay(EMPTY, 7, 6, names), HUT, HUTOR])
    assert kinds(result) == ["start", "not-a-move", "place", "place"]
    assert result.entries[2].player == 0 and result.totals == (8, 6)


def test_a_first_word_with_a_blank_that_stays_is_a_move(make_reading: Make) -> None:
    first = lay(EMPTY, 7, 6, "A?B")
    result = game(make_reading, [EMPTY, first, lay(first, 7, 8, "BOR", down=True)])
    assert kinds(result) == ["start", "place", "place"]


def test_initials_as_the_last_photo_are_asked_about(make_reading: Make) -> None:
    result = game(make_reading, [EMPTY, lay(EMPTY, 7, 6, "A?B")])
    assert kinds(result) == ["start", "unclear"]
    assert result.entries[1].question is not None and result.entries[1].question.code == "initials-or-move"
    assert result.totals == (0, 0)


def test_a_doubtful_letter_is_asked_about(make_reading: Make) -> None:
    result = game(make_reading, [EMPTY, HUT], {1: {(7, 8): {"U": 0.6, "Ü": 0.4}}})
    question = result.entries[1].question
    assert question is not None and question.code == "which-letter" and question.squares == (Square(7, 8),)
    assert [char for char, _ in question.candidates[:2]] == ["U", "Ü"]


@pytest.mark.parametrize(
    ("others", "sentence"),
    [({"Ü": 0.4}, "Welcher Buchstabe liegt auf Feld H9: U, Ü?"), ({}, "Liegt auf Feld H9 wirklich U?")],
)
def test_a_single_candidate_is_asked_about_as_such(make_reading: Make, others: dict[str, float], sentence: str) -> None:
    """What is missing to certainty may be the print of no letter at all, here on each of the photos."""
    doubt = {k: {(7, 8): {"U": 0.6} | others} | {(14, 14): {".": 1.0}} for k in (1, 2)}
    seen = [
        Observation(f"{k}.jpg", reading=make_reading(b.rows, doubt.get(k))) for k, b in enumerate([EMPTY, HUT, HUT])
    ]
    if not others:
        lacking = [replace(one, reading=with_foreign(one.reading, Square(7, 8), 0.4)) for one in seen[1:]]
        seen = [seen[0], *lacking]
    entry = recount(seen, ("Anna", "Ben"), RULE_SETS["turnier"], GERMAN_102).entries[1]
    assert ask(entry, Texts("de")) == sentence


def with_foreign(reading: BoardReading | None, square: Square, share: float) -> BoardReading:
    """The reading with a part of a square's probability on a print that no class stands for."""
    assert reading is not None
    log_probs = reading.log_probs.copy()
    log_probs[square] += np.log(1 - share)
    return replace(reading, log_probs=log_probs)


def test_later_photos_answer_a_doubtful_letter(make_reading: Make) -> None:
    doubt = {1: {(7, 8): {"Ü": 0.6, "U": 0.4}}}
    result = game(make_reading, [EMPTY, HUT, HUTOR, HUTORE], doubt)
    assert all(entry.question is None for entry in result.entries)
    assert result.entries[1].play is not None and result.entries[1].play.main_word.word == "HUT"
    assert result.totals == (10, 6)


def test_the_same_doubt_on_every_photo_stays_a_doubt(make_reading: Make) -> None:
    """An O with a dimple looks like a Q on each of them."""
    doubt = {k: {(7, 8): {"Ü": 0.85, "U": 0.15}} for k in range(1, 4)}
    result = game(make_reading, [EMPTY, HUT, HUTOR, HUTORE], doubt)
    question = result.entries[1].question
    assert question is not None and question.squares == (Square(7, 8),)
    assert [char for char, _ in question.candidates[:2]] == ["Ü", "U"]


def test_a_tile_that_may_be_there_is_asked_about(make_reading: Make) -> None:
    tor = lay(HUT, 7, 9, "TO", down=True)
    result = game(make_reading, [EMPTY, HUT, tor], {2: {(9, 9): {".": 0.12, "R": 0.88}}})
    question = result.entries[2].question
    assert question is not None and question.code == "tile-or-empty" and question.squares == (Square(9, 9),)
    assert result.entries[2].kind == "unclear"
    assert result.totals == (8, 0)  # it counts nothing until it is answered


def test_an_unreadable_photo_is_an_entry_with_a_question(make_reading: Make) -> None:
    result = game(make_reading, [EMPTY, None, HUT])
    assert kinds(result) == ["start", "unclear", "place"]
    assert result.entries[1].question is not None and result.entries[1].question.reason == "no-board"


@pytest.mark.parametrize("warning", ["grid-unsure", "turn-unsure"])
def test_a_grid_or_a_side_that_is_not_sure_is_asked_about(make_reading: Make, warning: str) -> None:
    seen = [Observation(f"{k}.jpg", reading=make_reading(board.rows)) for k, board in enumerate([EMPTY, HUT])]
    seen[0] = replace(seen[0], warnings=("turn-unsure",))  # an empty board never tells, and need not
    seen[1] = replace(seen[1], warnings=(warning,))
    result = recount(seen, ("Anna", "Ben"), RULE_SETS["turnier"], GERMAN_102)
    assert kinds(result) == ["start", "place"] and result.totals == (8, 0)
    assert result.entries[1].question is not None and result.entries[1].question.code == warning
    assert result.entries[0].question is None


def test_tiles_that_break_a_rule_are_reported_and_asked_about(make_reading: Make) -> None:
    far = lay(HUT, 1, 1, "AB")
    result = game(make_reading, [EMPTY, HUT, far])
    entry = result.entries[2]
    assert entry.kind == "place" and entry.faults == ["not-connected"]
    assert entry.question is not None and entry.question.code == "against-the-rules"


def test_a_photo_of_another_game_is_no_pass(make_reading: Make) -> None:
    other = lay(lay(EMPTY, 7, 3, "WINDE"), 7, 7, "EIS", down=True)
    result = game(make_reading, [EMPTY, HUT, HUTOR, HUTORE, other, EMPTY, HUTORE])
    assert kinds(result) == ["start", "place", "place", "place", "not-a-move", "not-a-move", "none"]
    assert [entry.why for entry in result.entries[4:6]] == ["other-board"] * 2
    assert not any(entry.question for entry in result.entries)  # the last photo shows that the game went on
    assert result.board == HUTORE


def test_a_photo_of_another_game_has_no_say_about_the_letters(make_reading: Make) -> None:
    other = lay(EMPTY, 7, 7, "TAL")
    doubt = {2: {(8, 9): {"O": 0.9, "A": 0.1}}}
    other = lay(lay(other, 7, 9, "LAMM", down=True), 10, 9, "MUSIK")
    result = game(make_reading, [EMPTY, HUT, HUTOR, other], doubt)
    assert kinds(result) == ["start", "place", "place", "unclear"]
    assert result.board == HUTOR


def test_more_of_a_letter_than_there_is_is_asked_about(make_reading: Make) -> None:
    first = lay(EMPTY, 7, 7, "QUE")
    result = game(make_reading, [EMPTY, first, lay(first, 7, 9, "EQU", down=True)])
    assert result.entries[2].faults == ["set-exhausted"]
    assert result.entries[2].question is not None and result.entries[2].question.code == "against-the-rules"


def test_the_json_is_the_contracts(make_reading: Make) -> None:
    out = as_json(game(make_reading, [EMPTY, HUT, HUTOR, HUT]), lambda entry: None)
    assert out["players"] == ["Anna", "Ben"] and out["rules"] == "turnier"
    assert RuleSet.from_json(out["rule_set"]) == RULE_SETS["turnier"]  # R8.14: whole
    assert out["totals"] == {"Anna": 8, "Ben": 0}
    assert out["moves"][1] == {
        "photo": "01.jpg", "player": "Anna", "kind": "place", "row": 7, "col": 7, "direction": "across", "word": "HUT",
        "tiles": [[7, 7, "H"], [7, 8, "U"], [7, 9, "T"]], "words": [{"word": "HUT", "score": 8}], "score": 8,
        "totals": {"Anna": 8, "Ben": 0}, "faults": [], "question": None, "probability": 1.0,
    }  # fmt: skip
    assert out["moves"][2]["withdrawn"] is True and out["moves"][3]["kind"] == "withdrawn"
    assert out["board"] == list(HUT.rows)


@pytest.mark.parametrize("players", [("A",), ("A", "A"), tuple("ABCDE")])
def test_a_bad_list_of_players_is_refused(make_reading: Make, players: tuple[str, ...]) -> None:
    with pytest.raises(BrettblickError) as caught:
        recount([], players, RULE_SETS["turnier"], GERMAN_102)
    assert caught.value.code == "bad-players"


def test_a_move_after_a_player_went_out_is_named(make_reading: Make, shared: Path) -> None:
    """Tournament games end when one player lays the last tiles; one more tile on the board does not fit to that."""
    late = []
    for file in sorted((shared / "games").glob("*.tsv")):
        result = rescore(read_written_game(file.read_bytes(), file.name), RULE_SETS["turnier"], GERMAN_102)
        boards, state = [EMPTY], replay(Game(("A", "B"), RULE_SETS["turnier"], GERMAN_102))
        for event in result.state.game.events:
            if isinstance(event, Placed | Passed | NothingLaid | Withdrawn):
                state = advance(state, replace(event, player=0))
                boards.append(state.board)
            else:
                state = advance(state, event)
        free = next(s for s, _ in state.board if (t := s.step(Direction.DOWN)).on_board and state.board.at(t) is None)
        (tile, *_) = unseen(state.board, GERMAN_102)
        boards.append(state.board.placed({free.step(Direction.DOWN): tile}))
        checks = [check for check in game(make_reading, boards).checks if check.code == "after-the-end"]
        late += [check.photos == (len(boards) - 1,) for check in checks]
    assert late and all(late)


def test_the_records_of_real_tournament_games_come_out_of_their_boards(make_reading: Make, shared: Path) -> None:
    """Every position of the written games, read perfectly: the same moves and points, challenges included."""
    for file in sorted((shared / "games").glob("*.tsv")):
        written = read_written_game(file.read_bytes(), file.name)
        result = rescore(written, RULE_SETS["turnier"], GERMAN_102)
        boards, wanted = [EMPTY], ["start"]
        state = replay(Game(("A", "B"), RULE_SETS["turnier"], GERMAN_102))
        for event in result.state.game.events:
            if isinstance(event, Placed | Passed | NothingLaid | Withdrawn):
                state = advance(state, replace(event, player=0))
                boards.append(state.board)
                wanted.append({Placed: "place", Withdrawn: "withdrawn"}.get(type(event), "none"))
            else:
                state = advance(state, event)  # no photo shows a rejected challenge or a settlement
        recounted = game(make_reading, boards)
        assert kinds(recounted) == wanted, file.name
        scores = [entry.play.score for entry in recounted.entries if entry.play]
        assert scores == [m.computed for m in result.moves if m.written.action is Action.PLACE], file.name
        asked = {entry.question.code for entry in recounted.entries if entry.question}
        assert asked == ({"pass-or-again"} if wanted[1] == "none" else set()), file.name


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_word_of_the_score_sheet_is_cut_off(
    make_reading: Make, language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    print_sheet(game(make_reading, [EMPTY, HUT, HUTOR, HUT, HUTOR, HUTORE]), Texts(language))
    sheet = capsys.readouterr().out
    assert "TOR" in sheet and "…" not in sheet
