"""Which reader a file goes to, and what any bytes at all may do: give a game or one clear error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorer.errors import BrettblickError, NotationError
from scorer.formats import read_gcg, read_tsv, read_written_game
from scorer.rescore import rescore
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from scorer.written import Action, WrittenGame

TSV_HEADER = "move\tplayer\taction\tcoord\ttiles\tpoints\tref\ttotal_1\ttotal_2\n"
COORDINATES = st.sampled_from(["H4", "8H", "H8", "8d", "A1", "O15", "15O", "P1", "Q16", "0A"])
WORDS = st.text("ABEQÄäen?_.()ß1", max_size=9) | st.just("HAUS")
NUMBERS = st.integers(-200, 200).map(str) | st.sampled_from(["", "+5", "+-6", "x", "9" * 5000, "²", "٣"])
REFS = st.integers(0, 9).map(str) | st.just("")
TSV_LINES = st.tuples(
    st.integers(0, 9).map(str), st.sampled_from("0123"), st.sampled_from([*Action, "lay"]), COORDINATES | st.just(""),
    WORDS, NUMBERS, REFS, NUMBERS, NUMBERS,
).map("\t".join)  # fmt: skip
GCG_LINES = st.one_of(
    st.tuples(
        st.sampled_from([">a:", ">b:", ">c:", ">", "#note", "#player1", "#player2 b", ""]),
        WORDS,
        COORDINATES | st.sampled_from(["-", "--", "-AB", "-3", "-²", "(challenge)", "(time)", "(AB)", "()", "("]),
        WORDS | st.just(""),
        NUMBERS,
        NUMBERS,
    ).map(" ".join),
    st.sampled_from(["#orientation lettered-rows", "#orientation", "#character-encoding latin1", "#note", "", "\r"]),
)
TSV_TEXTS = st.lists(TSV_LINES, max_size=8).map(lambda lines: TSV_HEADER + "\n".join(lines))
GCG_TEXTS = st.lists(GCG_LINES, max_size=8).map("\n".join)


@pytest.mark.parametrize(
    ("data", "moves"),
    [
        (f"{TSV_HEADER}1\t1\tpass\t\t\t0\t\t0\t0\n".encode(), 1),
        (f"\n{TSV_HEADER}".encode(), 0),
        (b">x: AB - +0 0\n>y: AB - +0 0\n", 2),
        (b"\n\n#title Abend\n", 0),
    ],
)
def test_the_content_decides(data: bytes, moves: int) -> None:
    game = read_written_game(data, "spiel.txt")
    assert game.name == "spiel.txt"
    assert len(game.moves) == moves


@pytest.mark.parametrize(("data", "line"), [(b"", 1), (b"\n\n", 1), (b"\nhello\n", 2), (b"\x00\xff\xfe", 1)])
def test_what_is_no_game(data: bytes, line: int) -> None:
    with pytest.raises(NotationError) as error:
        read_written_game(data)
    assert error.value.details["line"] == line


@pytest.mark.parametrize("read", [read_written_game, read_gcg, read_tsv])
@given(data=st.binary(max_size=200))
@example(data=b"#character-encoding \xff\n")
@example(data=b"#character-encoding " + b"x" * 2000)
def test_any_bytes_give_a_game_or_one_clear_error(read: Callable[[bytes], WrittenGame], data: bytes) -> None:
    try:
        game = read(data)
    except NotationError as error:
        assert error.details["line"] >= 1  # type: ignore[operator]
    else:
        assert 2 <= len(game.players) <= 4


@given(TSV_TEXTS | GCG_TEXTS, st.sampled_from([*RULE_SETS.values()]))
def test_nearly_right_files_are_read_and_scored_or_refused(text: str, rules: object) -> None:
    try:
        game = read_written_game(text.encode())
    except BrettblickError as error:
        assert isinstance(error, NotationError)
        assert error.details["line"] >= 1  # type: ignore[operator]
        return
    result = rescore(game, rules, GERMAN_102)  # type: ignore[arg-type]
    assert len(result.moves) == len(game.moves)
    assert 0 <= result.differences <= len(game.moves)
