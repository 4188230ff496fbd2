"""Why a file cannot be read, as people are told: each reason has a text in both languages, with its values."""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import assistant.texts as texts_module
from assistant.cli import main
from assistant.texts import LANGUAGES, Texts
from scorer.accounting import RackFault
from scorer.board import Board, Square
from scorer.errors import BoardError, BrettblickError, NotationError, RuleError
from scorer.formats import CgpPosition, read_cgp, read_gcg, read_sheet, read_tsv, read_written_game
from scorer.formats.events import read_game
from scorer.notation import Coordinate, Direction, MoveText, Notation, format_coordinate
from scorer.placement import Placement
from scorer.rules import read_rule_set
from scorer.tiles import read_tile_set, tile_set

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = texts_module._catalogue()
GOLDEN = sorted((ROOT / "tests" / "scorer" / "formats" / "golden").iterdir())

ERRORS = {"BrettblickError", "NotationError", "BoardError", "RuleError", "GameError", "ClockError"}
READERS = (
    "formats",
    "encoding.py",
    "written.py",
    "notation.py",
    "board.py",
    "errors.py",
    "tiles.py",
    "rules.py",
    "placement.py",
)
"""Where the errors of texts and files come from."""


class Call:
    """One place in the sources that makes an error.

    where: file and line
    error: the name of its class
    whole: whether all its values are named, none come as ``**values``
    names: the values its text can be filled with
    codes: the codes it can have, as far as they are written there
    """

    def __init__(self, path: Path, node: ast.Call, error: str) -> None:
        self.where = f"{path.relative_to(ROOT)}:{node.lineno}"
        self.error = error
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        self.whole = None not in given
        self.names = {str(name) for name in given} - {"code"} | {"message", "hint"}
        self.has_code = "code" in given
        self.codes = set(_texts_of(given["code"])) if self.has_code else set()


def _texts_of(value: ast.expr) -> Iterator[str]:
    """The texts an expression can be: one, or one of two by a condition."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from _texts_of(body)
            yield from _texts_of(other)


def calls(*parts: str) -> list[Call]:
    found = []
    for part in parts:
        at = ROOT / "scorer" / part
        for path in sorted(at.rglob("*.py")) if at.is_dir() else [at]:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                    found.append(Call(path, node, node.func.id))
    return found


def placeholders(code: str) -> set[str]:
    texts = CATALOGUE[f"error.{code}"].values()
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_error_of_the_rules_core_has_a_code_with_a_text_whose_values_it_gives() -> None:
    found = calls("")
    assert len(found) > 90
    for call in found:
        assert call.whole, f"{call.where}: values that cannot be seen here"
        assert call.has_code or call.error not in ("NotationError", "BoardError"), f"{call.where}: no code"
        assert call.codes or not call.has_code or call.error == "GameError", f"{call.where}: a code made elsewhere"
        for code in call.codes:
            assert f"error.{code}" in CATALOGUE, f"{call.where}: {code} has no text"
            assert placeholders(code) <= call.names, f"{call.where}: values of {code}"


def chain(error: object) -> Iterator[BrettblickError]:
    """An error, its reason, the reason of that."""
    while isinstance(error, BrettblickError):
        yield error
        error = error.details.get("reason")


def said(error: BrettblickError) -> None:
    """Each part of the error is in the catalogue, filled, in one line, and no English message is left in it."""
    for one in chain(error):
        assert f"error.{one.code}" in CATALOGUE, one.code
    for language in LANGUAGES:
        assert Texts(language).error(error).isprintable()
    assert not any(one.message in Texts("de").error(error) for one in chain(error))


TSV = "move\tplayer\taction\tcoord\ttiles\tpoints\tref\ttotal_1\ttotal_2\n"
HEAD = "#player1 anna Anna\n#player2 bert Bert\n"
SHEET = "Spieler;Zug;Feld;Wort;Wörter;Punkte;Summe A;Summe B;Bank;Steine;zu Nr.;Nr.\n"
EMPTY = "15/15/15/15/15/15/15"
CGP = f"{EMPTY}/3FIRNS7/{EMPTY} AEINRST/ 24/0 0\n"
GAME = '{"format": "brettblick-game", "version": 1, "players": ["A", "B"], "rules": {"name": "x"}, "tiles": {}'
SET = '{"name": "x", "blanks": 2, "tiles": [{"letter": "A", "value": 1, "count": 2}]}'


def tsv(line: str) -> Callable[[], object]:
    return lambda: read_tsv((TSV + line.replace(" ", "\t")).encode())


def gcg(line: str, head: str = HEAD) -> Callable[[], object]:
    return lambda: read_gcg((head + line).encode())


def sheet(line: str, head: str = SHEET) -> Callable[[], object]:
    return lambda: read_sheet((head + line).encode())


def cgp(old: str = "", new: str = "") -> Callable[[], object]:
    assert old in CGP
    return lambda: read_cgp(CGP.replace(old, new, 1).encode())


def event(text: str) -> Callable[[], object]:
    return lambda: read_game(f'{GAME}, "events": [{text}]}}')


def tiles(old: str, new: str) -> Callable[[], object]:
    assert old in SET
    return lambda: read_tile_set(SET.replace(old, new, 1))


BROKEN: list[tuple[str, Callable[[], object]]] = [
    # any file
    ("no-format", lambda: read_written_game(b"hello\n")),
    ("empty-game", lambda: read_written_game(b"\xef\xbb\xbf\n")),
    ("wrong-encoding", lambda: read_gcg(b"#character-encoding UTF-8\n#note \xdc\n")),
    ("wrong-encoding", lambda: read_gcg(b"\xff\xfe\x00\xd8\x00")),
    ("unknown-encoding", lambda: read_gcg(b"#character-encoding klingon\n")),
    # coordinates, words, numbers
    ("bad-move", lambda: MoveText.parse("H4", Notation.GERMAN)),
    ("bad-coordinate", tsv("1 1 place P4 AB 3  3 0")),
    ("bad-coordinate", tsv("1 1 place H16 AB 3  3 0")),
    ("bad-move-char", tsv("1 1 place H4 A/B 3  3 0")),
    ("bad-word", tsv("1 1 place H4 A(B 3  3 0")),
    ("no-word", tsv("1 1 place H4  3  3 0")),
    ("bad-number", tsv("1 1 pass   x  0 0")),
    ("number-missing", tsv("1 1 pass     0 0")),
    ("off-board", lambda: format_coordinate(Coordinate(Square(15, 0), Direction.ACROSS), Notation.GERMAN)),
    # tab-separated record
    ("no-tsv-header", lambda: read_written_game(b"move\tplayer\n")),
    ("column-count", tsv("1 1 pass")),
    ("unknown-kind", tsv("1 1 lay   0  0 0")),
    ("number-twice", tsv("1 1 pass   0  0 0\n1 2 pass   0  0 0")),
    ("no-such-seat", tsv("1 3 pass   0  0 0")),
    ("no-tiles", tsv("1 1 exchange  1A 0  0 0")),
    ("not-standing", tsv("1 1 challenge-upheld   0 7 0 0")),
    # GCG
    ("no-event", gcg("HAUS")),
    ("event-start", gcg(">anna HAUS 8E HAUS +10 10")),
    ("unknown-orientation", gcg("#orientation diagonal")),
    ("nick-twice", gcg("#player3 anna Anna")),
    ("no-such-name", gcg(">x: HAUS 8E HAUS +10 10")),
    ("no-such-name", gcg(">anna: A 8H AB +8 8\n>anna: A -- -8 0\n#note [record] challenged by x")),
    ("too-many-players", gcg("".join(f">{nick}: A - +0 0\n" for nick in "abcde"), head="")),
    ("player-line", gcg("#player3")),
    ("player-order", gcg("#player2 carl Carl")),
    ("no-action", gcg(">anna: HAUS")),
    ("no-points", gcg(">anna: HAUS 8E HAUS")),
    ("no-word", gcg(">anna: HAUS 8E")),
    ("unknown-action", gcg(">anna: HAUS 8P HAUS +10 10")),
    ("whose-turn", gcg(">a: HAUS 8G HAUS +14 14\n>a: E H8 .E +2 3", head="#player1 a A\n#player2 a B\n")),
    ("nothing-to-challenge", gcg(">anna: HAUS -- -10 0")),
    # score sheet
    ("no-sheet-header", lambda: read_sheet(b"Spieler;Punkte;Summe A;Summe B\n")),
    ("no-table", sheet('A;"gelegt')),
    ("total-columns", sheet("", head="Spieler;Zug;Punkte;Summe A\n")),
    ("unknown-notation", sheet("", head=f"Schreibweise;schräg\n{SHEET}")),
    ("number-twice", sheet("A;gepasst;;;;0;0;0;;;;1\nA;gepasst;;;;0;0;0;;;;1")),
    ("unknown-kind-word", sheet("A;geworfen;H5;HAUS;;10;10;0")),
    ("no-such-name", sheet("C;gelegt;H5;HAUS;;10;10;0")),
    ("no-tiles", sheet("A;gelegt;H5;HAUS;;10;10;0;A1")),
    ("nothing-to-challenge", sheet("A;zu Recht angezweifelt;;;;0;0;0")),
    ("not-standing", sheet("A;zu Recht angezweifelt;;;;0;0;0;;;7")),
    ("word-without-points", sheet("A;gelegt;H5;HAUS;HAUS;10;10;0")),
    # CGP
    ("empty-position", lambda: read_cgp(b"\n")),
    ("one-line-position", cgp("\n", f"\n{CGP}")),
    ("position-fields", cgp(" 24/0 0")),
    ("row-count", cgp("15/15/", "15/")),
    ("row-length", cgp("3FIRNS7", "3FIRNS8")),
    ("two-letter-tile", cgp("3FIRNS7", "14[CH]")),
    ("no-tile", cgp("3FIRNS7", "3FI-RNS6")),
    ("rack-count", cgp("AEINRST/", "AEINRST")),
    ("score-count", cgp("24/0", "24")),
    ("turn-count", cgp("24/0 0", "24/0 -1")),
    ("no-tiles", cgp("AEINRST", "A1")),
    ("blank-without-letter", cgp("3FIRNS7", "7?7")),
    ("bad-opcode", lambda: CgpPosition(Board.empty(), ("", ""), (0, 0), opcodes=("lex a; ld b",))),
    # a game as JSON
    ("no-json", lambda: read_game("{")),
    ("no-saved-game", lambda: read_game("{}")),
    ("unknown-version", lambda: read_game(GAME.replace("1", "2") + "}")),
    ("no-game-lists", lambda: read_game(GAME + "}")),
    ("no-seat-numbers", lambda: read_game(GAME + ', "events": [], "first_player": "A"}')),
    ("no-word-list", lambda: read_game(GAME + ', "events": [], "word_lists": {}}')),
    ("no-word-list", lambda: read_game(GAME + ', "events": [], "word_lists": [{"name": "x", "max_length": 99}]}')),
    ("unknown-event", event('{"kind": "flown"}')),
    ("unknown-field", event('{"kind": "passed", "player": 0, "why": "tired"}')),
    ("field-missing", event('{"kind": "passed"}')),
    ("bad-field", event('{"kind": "passed", "player": "Anna"}')),
    ("nested-correction", event('{"kind": "corrected", "ref": 1, "event": {"kind": "corrected", "ref": 1}}')),
    # rule sets and tile sets
    ("no-rule-set", lambda: read_rule_set("[]")),
    ("rule-set-name", lambda: read_rule_set('{"name": ""}')),
    ("setting-twice", lambda: read_rule_set('{"name": "x", "name": "x"}')),
    ("no-json", lambda: read_rule_set("{")),
    ("unknown-tile-set", lambda: tile_set("klingon")),
    ("no-json", tiles("{", "")),
    ("bad-letter", tiles('"A"', '"ß"')),
    ("number-out-of-range", tiles('"count": 2', '"count": 0')),
    ("set-without-name", tiles('"x"', '""')),
    ("set-without-letters", tiles('[{"letter": "A", "value": 1, "count": 2}]', "[]")),
    ("letter-twice", tiles("[", '[{"letter": "A", "value": 1, "count": 2}, ')),
    ("no-tile-list", tiles('[{"letter": "A", "value": 1, "count": 2}]', "{}")),
    ("no-object", tiles('[{"letter": "A", "value": 1, "count": 2}]', "[1]")),
    ("keys-missing", tiles(', "count": 2', "")),
    ("keys-unknown", tiles('"count": 2', '"count": 2, "joker": 1')),
    # boards
    ("board-lines", lambda: Board.parse(["." * 15])),
    ("board-line", lambda: Board.parse(["." * 14] * 15)),
    ("board-square", lambda: Board.parse(["1" * 15] * 15)),
    ("bad-board", lambda: Board.empty().placed({Square(0, 0): "1"})),
    ("off-board", lambda: Board.empty().placed({Square(15, 0): "A"})),
    ("square-taken", lambda: Placement.of([((0, 0), "A"), ((0, 0), "B")])),
    ("no-tile-there", lambda: Board.empty().removed([Square(0, 0)])),
]


@pytest.mark.parametrize(("code", "read"), BROKEN, ids=[code for code, _ in BROKEN])
def test_each_reason_is_said_in_both_languages(code: str, read: Callable[[], object]) -> None:
    with pytest.raises((NotationError, BoardError, RuleError)) as caught:
        read()
    assert [*chain(caught.value)][-1].code == code
    said(caught.value)


def test_no_reason_of_the_sources_is_missing_above() -> None:
    """Those that wrap another one apart, and those of settings and of writing, which have tests of their own."""
    wrapping = {"bad-file", "bad-entry", "bad-tile-set", "bad-rule-set"}
    settings = {"unknown-setting", "no-assignment", "unknown-rule-set"}
    writing = {"challenges-nothing", "word-misplaced"}
    codes = {code for call in calls(*READERS) for code in call.codes}
    assert codes - wrapping - settings - writing == {code for code, _ in BROKEN}


SLIPS = st.binary(max_size=2) | st.sampled_from([*map(str.encode, '\n#>\t;"- ('), b"#note "])


@given(st.sampled_from(GOLDEN), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), SLIPS), min_size=1, max_size=4))
@example(GOLDEN[0], [(0.0, 0, b"\x1b[2J{0}{line}\n")])
def test_whatever_is_wrong_in_a_file_is_said_in_both_languages(
    path: Path, slips: list[tuple[float, int, bytes]]
) -> None:
    data = path.read_bytes()
    for where, length, instead in slips:
        at = int(where * len(data))
        data = data[:at] + instead + data[at + length :]
    for read in (read_written_game, read_gcg, read_tsv, read_sheet, read_cgp):
        try:
            read(data)
        except NotationError as error:
            assert error.code == "bad-file" and isinstance(error.details["reason"], BrettblickError)
            said(error)


def test_the_words_of_a_score_sheet_are_named_in_the_language_of_the_player() -> None:
    for key, kind in (("unknown-kind-word", "csv.action."), ("unknown-notation", "csv.notation.")):
        for language in LANGUAGES:
            words = [texts[language] for word, texts in CATALOGUE.items() if word.startswith(kind)]
            assert CATALOGUE[f"error.{key}"][language].endswith(f" {', '.join(words)}.")


def test_what_cannot_be_of_racks_has_a_text() -> None:
    assert {f"rack-fault.{code}" for code in RackFault(~0).codes} <= set(CATALOGUE)


# --- as people meet it ---------------------------------------------------------------------------------------------


def rescored(path: Path, capsys: pytest.CaptureFixture[str], language: str) -> tuple[int, str, str]:
    status = main(["rescore", str(path), "--lang", language])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    ("content", "german", "english"),
    [
        (
            f"{HEAD}>x: HAUS 8E HAUS +10 10\n",
            "Zeile 3: Den Spieler „x“ gibt es in dieser Partie nicht. Es spielen: anna, bert.",
            "line 3: There is no player “x” in this game. Players: anna, bert.",
        ),
        (
            f"{HEAD}>anna HAUS 8E HAUS +10 10\n",
            "Zeile 3: Am Anfang fehlt der Spieler mit einem Doppelpunkt. "
            "Ein Zug sieht so aus: >anna: AHSUEEN 8H HAUS +14 14",
            "line 3: The player with a colon is missing at the start. "
            "A move looks like this: >anna: AHSUEEN 8H HAUS +14 14",
        ),
        (
            f"{HEAD}>anna: HAUS 8E HAUS +10 1O\n",
            "Zeile 3: „1O“ ist keine ganze Zahl. Erwartet wird eine Zahl wie 24, +24 oder -6.",
            "line 3: “1O” is no whole number. A number like 24, +24 or -6 is expected.",
        ),
        (
            f"{HEAD}>anna: HAUS 8P HAUS +10 10\n",
            "Zeile 3: „8P“ ist weder eine Koordinate noch ein Tausch, Passen oder eine Abrechnung. "
            "Erwartet wird zum Beispiel 8H, -ABC, - oder (ABC).",
            "line 3: “8P” is neither a coordinate nor an exchange, a pass or a settlement. "
            "Expected: 8H, -ABC, - or (ABC), for example.",
        ),
        (
            f"{HEAD}\n>anna: HAUS -- -10 0\n",
            "Zeile 4: Vor dieser Zeile liegt kein Zug, den jemand anzweifeln kann. "
            "Bitte prüfen, welcher Zug gemeint ist.",
            "line 4: Before this line there is no move that anybody can challenge. Check which move is meant.",
        ),
        (
            f"{HEAD}#orientation diagonal\n",
            "Zeile 3: „diagonal“ hinter #orientation ist nicht bekannt. Möglich: lettered-rows, lettered-columns.",
            "line 3: “diagonal” after #orientation is not known. Possible: lettered-rows, lettered-columns.",
        ),
        (
            f"{TSV}1\t1\tplace\tZ9\tHAUS\t10\t\t10\t0\n",
            "Zeile 2: „Z9“ ist keine Koordinate. Eine Koordinate ist ein Buchstabe von A bis O "
            "und eine Zahl von 1 bis 15, zum Beispiel H4 oder 5G.",
            "line 2: “Z9” is no coordinate. A coordinate is a letter from A to O "
            "and a number from 1 to 15, H4 or 5G for example.",
        ),
        (
            f"{TSV}1\t1\tpass\t\t\t0\n",
            "Zeile 2: Spalten in dieser Zeile: 6. Es müssen 9 sein, durch Tabulatoren getrennt.",
            "line 2: Columns in this line: 6. There must be 9, separated by tabs.",
        ),
        (
            f"{TSV}1\t1\tpass\t\t\t0\t\t0\t0\n2\t3\tpass\t\t\t0\t\t0\t0\n",
            "Zeile 3: Einen Spieler 3 gibt es nicht. Möglich: 1 bis 2.",
            "line 3: There is no player 3. Possible: 1 to 2.",
        ),
        (
            f"{SHEET}A;geworfen;H5;HAUS;;10;10;0\n",
            "Zeile 2: „geworfen“ sagt nicht, was geschehen ist. Möglich: gelegt, nichts gelegt, getauscht, zu Recht "
            "angezweifelt, zu Unrecht angezweifelt, Bonus nach Anzweifeln, Reststeine, Zeitstrafe.",
            "line 2: “geworfen” does not say what happened. Possible: placed, nothing laid, exchanged, challenged "
            "rightly, challenged wrongly, bonus after a challenge, rest of the racks, time penalty.",
        ),
        (
            f"{SHEET}A;gelegt;H5;HAUS;HAUS 10;10;10;0\nB;gelegt;G5;;;3;10;3\n",
            "Zeile 3: Das Wort fehlt. Zu einer Koordinate gehört ein Wort, zum Beispiel H4 FIRNS.",
            "line 3: The word is missing. A coordinate goes with a word, H4 FIRNS for example.",
        ),
        (
            f'{SHEET}A;"gelegt\n',
            'Zeile 2: Ab hier ist die Tabelle nicht zu lesen, meist wegen eines Anführungszeichens (") ohne '
            "Gegenstück. Bitte die Anführungszeichen prüfen.",
            'line 2: From here on the table cannot be read, mostly because of a quotation mark (") without its '
            "partner. Check the quotation marks.",
        ),
        (
            "hello\n",
            "Zeile 1: Das ist weder eine GCG-Datei noch eine Tabelle mit Tabulatoren noch ein Punktezettel (CSV). "
            "Bitte prüfen, ob es die richtige Datei ist.",
            "line 1: This is neither a GCG file nor a tab-separated record nor a score sheet (CSV). "
            "Check whether it is the right file.",
        ),
    ],
)
def test_a_broken_file_is_explained_in_the_language_of_the_player(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, german: str, english: str
) -> None:
    path = tmp_path / "partie.txt"
    path.write_text(content, encoding="utf-8")
    assert rescored(path, capsys, "de") == (2, "", f"Fehler: {path}: {german}\n")
    assert rescored(path, capsys, "en") == (2, "", f"Error: {path}: {english}\n")


def test_a_broken_rule_set_is_explained_in_the_language_of_the_player(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "unsere.json"
    path.write_text('{"name": "wir",\n "bingo_bonus" 50}', encoding="utf-8")
    assert main(["rules", "check", str(path)]) == 2
    assert capsys.readouterr().err == (
        f"Fehler: {path}: Das ist kein Regelwerk. Zeile 2: Ab Zeichen 16 ist das kein JSON. Bitte Klammern, Kommas und "
        "Anführungszeichen prüfen. Ein richtiges schreibt zum Beispiel: brettblick rules show familie --json > "
        "unsere.json\n"
    )


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Die Datei nennt in jeder Zeile denselben Spieler; wer am Zug war, ist aus den Summen geschlossen."),
        ("en", "The file names one player in every line; whose turn it was is concluded from the totals."),
    ],
)
def test_seats_that_were_concluded_are_said_to_be(
    capsys: pytest.CaptureFixture[str], language: str, sentence: str
) -> None:
    by_name = {path.name: path for path in GOLDEN}
    assert sentence in " ".join(rescored(by_name["one_nick.gcg"], capsys, language)[1].split())
    assert sentence not in " ".join(rescored(by_name["latin1_crlf.gcg"], capsys, language)[1].split())
