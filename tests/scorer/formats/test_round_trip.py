"""Whatever game is written, reading it again gives the same game, as far as the format can hold it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.board import SIZE, Board, Direction, Square
from scorer.errors import NotationError
from scorer.formats import (
    CgpPosition,
    read_cgp,
    read_gcg,
    read_sheet,
    read_tsv,
    read_written_game,
    write_cgp,
    write_gcg,
    write_sheet,
    write_tsv,
)
from scorer.formats.text import clean_line, clean_text
from scorer.notation import Mark, MoveText, Notation
from scorer.written import Action, NotationSource, Pragma, WrittenGame, WrittenMove, WrittenWord, standing, transposed

GOLDEN = sorted((Path(__file__).parent / "golden").iterdir())
SHARED = Path(__file__).resolve().parents[3].parent / "shared"
LENT = [*sorted((SHARED / "gcg").rglob("*.gcg")), *sorted((SHARED / "games").glob("*.tsv"))]
GAMES = [*LENT, *(path for path in GOLDEN if path.suffix in (".gcg", ".tsv"))]

CHARACTERS = "ABeÄöüßé =+-@'\";,:#>|\\\t\n()[]._0①\u0308\u2028\x00\ud800＝"
AWKWARD = ["Anna Maria", "=1+1", "@x", "'=x", "'n Guter", "a;b", 'sagt "ja"', "-5", "+", "2", "Spieler", "[record]",
           "[record] challenged by a", "\\[record] takes back move 1", "#note", ">a: X - +0 0", "#- x"]  # fmt: skip
TEXTS = st.text(CHARACTERS, max_size=12) | st.sampled_from(AWKWARD)
LINES = TEXTS.map(clean_line)
NOTES = st.lists(TEXTS, max_size=4).map("\n".join).map(clean_text)
NAMES = LINES.filter(bool)
NICKS = st.text("aBäö_.-?#>1", min_size=1, max_size=5)
RACKS = st.text("ABEÄÖÜXäq?", max_size=7)
POINTS = st.integers(-150, 1800)
TOTALS = st.none() | st.integers(-300, 900)
TILES = st.sampled_from([*"ABEÄÜXYÑäzß?"])
MARKS = st.just(Mark(None, lies=True)) | st.builds(Mark, TILES, st.booleans())
MOVES = st.builds(
    MoveText,
    st.builds(Square, st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)),
    st.sampled_from(Direction),
    st.lists(MARKS, min_size=1, max_size=9).map(tuple),
)
WORDS = st.lists(st.builds(WrittenWord, st.text("ABÄq?", min_size=1, max_size=5), POINTS), max_size=3).map(tuple)


@st.composite
def games(draw: st.DrawFn) -> WrittenGame:
    """A game with everything a record may say; the notes and names as awkward as can be."""
    names = tuple(draw(st.lists(NAMES, min_size=2, max_size=4)))
    seats = st.integers(0, len(names) - 1)
    number = 0
    moves: list[WrittenMove] = []
    for _ in range(draw(st.integers(0, 7))):
        number += draw(st.sampled_from([1, 1, 1, 3]))
        places = list(standing(moves))
        challenges = (Action.CHALLENGE_UPHELD, Action.CHALLENGE_REJECTED)
        action = draw(st.sampled_from([one for one in Action if places or one not in challenges]))
        move = WrittenMove(
            number=number,
            line=1,
            player=draw(seats),
            action=action,
            points=draw(POINTS),
            totals=tuple(draw(TOTALS) for _ in names),
            rack=draw(RACKS),
            note=draw(NOTES),
        )
        if action is Action.PLACE:
            move = replace(move, move=draw(MOVES), words=draw(WORDS))
        elif action in challenges:
            move = replace(move, ref=draw(st.sampled_from(places)))
        elif action is Action.CHALLENGE_BONUS:
            move = replace(move, points=abs(move.points))
        elif action is Action.EXCHANGE:
            move = replace(move, tiles=draw(RACKS | st.sampled_from(["1", "7"])))
        elif action is Action.RACK_SETTLEMENT:
            move = replace(move, tiles=draw(RACKS))
        moves.append(move)
    racks = tuple(draw(RACKS) for _ in names)
    return WrittenGame(
        name="spiel",
        players=names,
        moves=tuple(moves),
        notation=draw(st.sampled_from(Notation)),
        notation_source=draw(st.sampled_from(NotationSource)),
        nicks=tuple(draw(st.lists(NICKS, min_size=len(names), max_size=len(names), unique=True))),
        title=draw(LINES),
        description=draw(LINES),
        lexicon=draw(LINES),
        id=draw(LINES),
        tile_set=draw(LINES),
        racks=racks if any(racks) else (),
        incomplete=draw(st.none() | RACKS),
        pragmas=draw(pragmas()),
    )


@st.composite
def pragmas(draw: st.DrawFn) -> tuple[Pragma, ...]:
    """Other things a file may say; never two notes in a row, which are one."""
    drawn = draw(st.lists(st.tuples(st.sampled_from(["style", "Game-Board", "", "note"]), NOTES), max_size=3))
    made: list[Pragma] = []
    for name, text in drawn:
        if name != "note":
            made.append(Pragma(name, clean_line(text)))
        elif text and not (made and made[-1].name == "note"):
            made.append(Pragma(name, text))
    return tuple(made)


def in_gcg(game: WrittenGame) -> WrittenGame:
    """What GCG can hold of a game: moves counted from 1, the total of the line's player, no points of single words."""
    new = {move.number: number for number, move in enumerate(game.moves, start=1)}
    owner = {move.number: move.player for move in game.moves}
    moves = []
    for move in game.moves:
        seat = owner[move.ref] if move.action is Action.CHALLENGE_UPHELD and move.ref else move.player
        moves.append(
            replace(
                move,
                number=new[move.number],
                ref=new[move.ref] if move.ref else None,
                totals=tuple(total if other == seat else None for other, total in enumerate(move.totals)),
                words=(),
            )
        )
    return replace(game, moves=tuple(moves))


def in_tsv(game: WrittenGame) -> WrittenGame:
    """What the tab-separated record can hold of a game."""
    moves = []
    for move in game.moves:
        text = move.move
        if text is not None:
            text = replace(text, marks=tuple(Mark(None, True) if mark.lies else mark for mark in text.marks))
        moves.append(replace(move, move=text, rack="", words=(), note=""))
    names = tuple(str(seat + 1) for seat in range(len(game.players)))
    return WrittenGame(game.name, names, tuple(moves), Notation.GERMAN, NotationSource.DECLARED)


@given(games())
def test_gcg(game: WrittenGame) -> None:
    again = read_gcg(write_gcg(game, game.notation).encode(), "spiel")
    assert again == in_gcg(game)
    if game.moves:  # without one there is no note to say it in, and no coordinate it matters to
        assert (again.notation_source is NotationSource.ASSUMED) == (game.notation_source is NotationSource.ASSUMED)


@given(games())
def test_gcg_in_the_other_notation_is_the_same_game(game: WrittenGame) -> None:
    other = Notation.GERMAN if game.notation is Notation.INTERNATIONAL else Notation.INTERNATIONAL
    again = read_gcg(write_gcg(game, other).encode(), "spiel")
    assert again == replace(in_gcg(game), notation=other)


@given(games())
def test_nicks_are_made_from_names(game: WrittenGame) -> None:
    again = read_gcg(write_gcg(replace(game, nicks=())).encode(), "spiel")
    assert again.players == game.players
    assert len(set(again.nicks)) == len(game.players)
    assert not any(char.isspace() or char == ":" for nick in again.nicks for char in nick)


@given(games())
def test_tsv(game: WrittenGame) -> None:
    assert read_tsv(write_tsv(game).encode(), "spiel") == in_tsv(game)


@given(games(), st.sampled_from(["de", "en"]), st.sampled_from(Notation))
def test_score_sheet(game: WrittenGame, language: str, notation: Notation) -> None:
    again = read_sheet(write_sheet(game, language, notation).encode(), "spiel")  # type: ignore[arg-type]
    assert again == replace(game, notation=notation)
    assert (again.notation_source is NotationSource.ASSUMED) == (game.notation_source is NotationSource.ASSUMED)


@given(games())
def test_no_cell_of_a_score_sheet_is_a_formula(game: WrittenGame) -> None:
    for row in csv.reader(write_sheet(game).removeprefix("\ufeff").splitlines(keepends=True), delimiter=";"):
        for cell in row:
            assert not cell.startswith(tuple("=@＝＋－＠\t\r")), cell
            assert not cell.startswith(("+", "-")) or cell[1:].isdecimal(), cell


@given(games())
def test_the_content_tells_the_format(game: WrittenGame) -> None:
    assume(game.moves)
    assert read_written_game(write_gcg(game, game.notation).encode(), "spiel") == in_gcg(game)
    assert read_written_game(write_tsv(game).encode(), "spiel") == in_tsv(game)
    assert read_written_game(write_sheet(game).encode(), "spiel") == game


@given(games())
def test_a_game_read_in_the_wrong_notation_is_turned_over(game: WrittenGame) -> None:
    text = write_tsv(game).encode()
    wrong = read_tsv(text, "spiel", Notation.INTERNATIONAL)
    assert transposed(wrong) == read_tsv(text, "spiel")
    assert transposed(transposed(game)) == game


BOARDS = st.lists(st.text(".....ABÄÜßxü", min_size=SIZE, max_size=SIZE), min_size=SIZE, max_size=SIZE).map(Board.parse)


@st.composite
def positions(draw: st.DrawFn) -> CgpPosition:
    count = draw(st.integers(2, 4))
    return CgpPosition(
        board=draw(BOARDS),
        racks=tuple(draw(RACKS) for _ in range(count)),
        scores=tuple(draw(st.integers(-300, 900)) for _ in range(count)),
        scoreless_turns=draw(st.integers(0, 6)),
        opcodes=tuple(draw(st.lists(LINES.map(lambda text: text.replace(";", "")).map(clean_line).filter(bool)))),
    )


@given(positions())
def test_cgp(position: CgpPosition) -> None:
    assert read_cgp(write_cgp(position).encode()) == position


def written_again(game: WrittenGame, path: Path) -> WrittenGame:
    if path.suffix == ".tsv":
        return read_tsv(write_tsv(game).encode(), path.name)
    return read_gcg(write_gcg(game, game.notation).encode(), path.name)


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.name)
def test_files_written_again_give_the_same_game(path: Path) -> None:
    game = read_written_game(path.read_bytes(), path.name)
    assert written_again(game, path) == game
    assert read_sheet(write_sheet(game).encode(), path.name) == game


@pytest.mark.parametrize("path", sorted((SHARED / "games").glob("*.tsv")), ids=lambda path: path.name)
def test_tournament_records_become_gcg_without_a_loss_but_names_and_other_totals(path: Path) -> None:
    game = read_tsv(path.read_bytes(), path.name)
    again = read_gcg(write_gcg(game).encode(), path.name)
    assert again.moves == in_gcg(game).moves
    assert write_tsv(game).encode() == path.read_bytes()


WRITERS = {
    read_gcg: lambda game: write_gcg(game, game.notation),
    read_tsv: write_tsv,
    read_sheet: write_sheet,
}


SLIPS = st.binary(max_size=2) | st.sampled_from([*map(str.encode, '\n#>\t;"- ('), b"#note "])


@given(
    st.sampled_from([path for path in GOLDEN if path.suffix != ".cgp"]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), SLIPS), max_size=4),
)
def test_files_with_slips_are_games_or_one_clear_error(path: Path, slips: list[tuple[float, int, bytes]]) -> None:
    data = path.read_bytes()
    for where, length, instead in slips:
        at = int(where * len(data))
        data = data[:at] + instead + data[at + length :]
    for read, write in WRITERS.items():
        try:
            game = read(data, "spiel")
        except NotationError as error:
            assert error.details["line"] >= 1  # type: ignore[operator]
        else:
            assert read(write(game).encode(), "spiel") == game  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("read", [read_sheet, read_cgp])
@given(data=st.binary(max_size=200))
def test_any_bytes_give_a_value_or_one_clear_error(read: Callable[[bytes], object], data: bytes) -> None:
    try:
        read(data)
    except NotationError as error:
        assert error.details["line"] >= 1  # type: ignore[operator]
