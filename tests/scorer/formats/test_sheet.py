"""The score sheet as a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.errors import NotationError
from scorer.formats import read_sheet, read_tsv, read_written_game, write_sheet
from scorer.notation import MoveText, Notation
from scorer.written import Action, NotationSource, Pragma, WrittenGame, WrittenMove, WrittenWord

GOLDEN = Path(__file__).parent / "golden"
HAUS = MoveText.parse("H5 HAUS", Notation.GERMAN)
GAME = WrittenGame(
    name="",
    players=("Anna", "=Bert"),
    moves=(
        WrittenMove(1, 1, 0, Action.PLACE, 10, (10, 0), HAUS, rack="AHSUZBE", words=(WrittenWord("HAUS", 10),)),
        WrittenMove(2, 1, 1, Action.CHALLENGE_REJECTED, -10, (10, -10), ref=1, note="-10?\nja; leider"),
        WrittenMove(3, 1, 1, Action.EXCHANGE, 0, (10, None), tiles="QX"),
        WrittenMove(4, 1, 0, Action.RACK_SETTLEMENT, -3, (7, None), tiles="ZBE"),
    ),
    notation=Notation.GERMAN,
    notation_source=NotationSource.DECLARED,
    nicks=("anna", "bert"),
    title="Abend am Meer",
    racks=("ZBE", ""),
    incomplete="",
    pragmas=(Pragma("style", "@x"),),
)
GERMAN = (
    "\ufeffTitel;Abend am Meer\r\n"
    "Schreibweise;Zeilen mit Buchstaben\r\n"
    "Kürzel;anna;bert\r\n"
    "Restbänke;ZBE;\r\n"
    "Abgebrochen;\r\n"
    "Sonstiges;style;'@x\r\n"
    "Nr.;Spieler;Zug;Feld;Wort;Wörter;Punkte;Summe Anna;Summe =Bert;Notiz;Bank;Steine;zu Nr.\r\n"
    "1;Anna;gelegt;H5;HAUS;HAUS 10;10;10;0;;AHSUZBE;;\r\n"
    "2;'=Bert;zu Unrecht angezweifelt;;;;-10;10;-10;\"'-10?\nja; leider\";;;1\r\n"
    "3;'=Bert;getauscht;;;;0;10;;;;QX;\r\n"
    "4;Anna;Reststeine;;;;-3;7;;;;ZBE;\r\n"
)


def test_written_in_german() -> None:
    assert write_sheet(GAME) == GERMAN
    assert read_sheet(GERMAN.encode()) == GAME


def test_written_in_english_and_the_other_notation() -> None:
    text = write_sheet(GAME, "en", Notation.INTERNATIONAL)
    assert "Notation;columns lettered\r\n" in text
    assert "No.;Player;Move;Square;Word;Words;Points;Total Anna;Total =Bert;Note;Rack;Tiles;on No.\r\n" in text
    assert "1;Anna;placed;8E;HAUS;HAUS 10;10;10;0;;AHSUZBE;;\r\n" in text
    assert read_sheet(text.encode()).moves == GAME.moves


def test_written_by_hand() -> None:
    game = read_written_game((GOLDEN / "by_hand.csv").read_bytes())
    assert game.players == ("=Anna", "Bert")
    assert game.title == 'Abend "am" Meer; lang'
    assert (game.notation, game.notation_source) == (Notation.GERMAN, NotationSource.ASSUMED)
    assert [(move.number, move.player, move.action, move.points, move.line) for move in game.moves] == [
        (1, 0, Action.PLACE, 14, 4),
        (2, 1, Action.PASS, 0, 6),
        (3, 1, Action.CHALLENGE_UPHELD, -14, 7),
    ]
    assert game.moves[0].note == "-schön;\nund gut"
    assert game.moves[2].ref == 1


@pytest.mark.parametrize("delimiter", ",\t")
def test_other_delimiters_and_no_mark(delimiter: str) -> None:
    text = "Spieler;Zug;Feld;Wort;Punkte;Summe A;Summe B\nA;gelegt;H5;HAUS;10;10;0\n".replace(";", delimiter)
    game = read_written_game(text.encode())
    assert (game.players, game.moves[0].move, game.moves[0].totals) == (("A", "B"), HAUS, (10, 0))


def test_two_players_of_one_name_are_told_apart_by_number() -> None:
    record = b"move\tplayer\taction\tcoord\ttiles\tpoints\tref\ttotal_1\ttotal_2\n1\t2\tpass\t\t\t0\t\t0\t0\n"
    twins = WrittenGame("", ("Anna", "Anna"), read_tsv(record).moves, Notation.GERMAN, NotationSource.GIVEN)
    text = write_sheet(twins)
    assert "\r\n1;2;nichts gelegt;" in text
    assert read_sheet(text.encode()) == twins


def test_what_is_assumed_of_the_notation_stays_so() -> None:
    text = GERMAN.replace("Buchstaben\r", "Buchstaben (angenommen)\r")
    assert read_sheet(text.encode()).notation_source is NotationSource.ASSUMED
    assert read_sheet(text.encode(), notation=Notation.GERMAN).notation_source is NotationSource.GIVEN


HEADER = "Spieler;Zug;Feld;Wort;Wörter;Punkte;Summe A;Summe B;Bank;Steine;zu Nr.;Nr."


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("C;gelegt;H5;HAUS;;10;10;0", "line 2: unknown player 'C'; players: A, B"),
        ("3;gelegt;H5;HAUS;;10;10;0", "line 2: unknown player '3'"),
        ("A;geworfen;H5;HAUS;;10;10;0", "line 2: unknown kind of move 'geworfen'; known: gelegt"),
        ("A;;;;;10;10;0", "line 2: unknown kind of move ''"),
        ("A;gelegt;P5;HAUS;;10;10;0", "line 2: 'P5' is no coordinate"),
        ("A;gelegt;H5;HA-S;;10;10;0", "line 2: .*'-' is no tile"),
        ("A;gelegt;H5;HAUS;HAUS;10;10;0", "line 2: 'HAUS': words stand with their points"),
        ("A;gelegt;H5;HAUS;;zehn;10;0", "line 2: 'zehn' is no whole number"),
        ("A;gelegt;H5;HAUS;;10;x;0", "line 2: 'x' is no whole number"),
        ("A;gelegt;H5;HAUS;;10;10;0;A1", "line 2: 'A1' are no tiles"),
        ("A;getauscht;;;;0;0;0;;A1", "line 2: 'A1' are no tiles"),
        ("A;zu Recht angezweifelt;;;;0;0;0", "line 2: there is no placement to challenge"),
        ("A;zu Recht angezweifelt;;;;0;0;0;;;7", "line 2: move 7 is no placement that still stands"),
        ("A;gepasst;;;;0;0;0;;;;1\nA;gepasst;;;;0;0;0;;;;1", "line 3: there was a move 1 before"),
        ('A;"gelegt', "line 2: no table: unexpected end of data"),
    ],
)
def test_broken_sheets_name_the_line_and_why(line: str, why: str) -> None:
    with pytest.raises(NotationError, match=why) as error:
        read_written_game(f"{HEADER}\n{line}\n".encode())
    assert error.value.code == "bad-file"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Spieler;Punkte;Summe A;Summe B\n", "line 1: no line with the columns of a score sheet"),
        ("Titel;x\nSpieler;Zug;Punkte;Summe A\n", "line 2: 1 columns with totals"),
        (
            "Schreibweise;schräg\nSpieler;Zug;Punkte;Summe A;Summe B\n",
            "line 1: unknown notation 'schräg'; known: Z",
        ),
        ("Restbänke;A;1\nSpieler;Zug;Punkte;Summe A;Summe B\n", "line 1: '1' are no tiles"),
    ],
)
def test_what_is_no_score_sheet(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        read_sheet(text.encode())
