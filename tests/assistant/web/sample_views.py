"""Views of a game as the page gets them, written by hand after the agreed shape; one for each state of the page."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from scorer.board import STANDARD

SHA = "ab" * 32
HOSTILE = '<script>alert("x")</script>\'"&{{7*7}}👩‍👩‍👧‍👦 ' + "W" * 60

_BOARD = [
    "...............",
    "...............",
    "...............",
    "...............",
    "...............",
    "...............",
    "....K..........",
    "...FIRNS.......",
    "....N.A........",
    "....D.SpÄT.....",
    "......S........",
    "...............",
    "...............",
    "...............",
    "...............",
]


def _player(seat: int, name: str, points: int, following: bool) -> dict[str, Any]:
    clock = {"text": "24:59", "remaining_ms": 1_499_000, "used_ms": 1000, "overtime_ms": 0, "penalty": 0}
    return {
        "seat": seat,
        "name": name,
        "points": points,
        "next": following,
        "out": False,
        "rack": 7,
        "place": seat + 1,
        "clock": clock,
    }


def _line(
    number: int, player: int | None, text: str, points: int | None, totals: list[int], **more: Any
) -> dict[str, Any]:
    word = text.split()[-1].upper()
    line = {
        "number": number,
        "player": player,
        "name": None if player is None else ("Anna", "Ben", "", "")[player],
        "kind": "place",
        "text": text,
        "words": [{"word": word, "score": points}],
        "points": points,
        "changes": [points or 0 if seat == player else 0 for seat in range(len(totals))],
        "announced": None,
        "computed": points,
        "difference": None,
        "totals": totals,
        "withdrawn": False,
        "without_effect": False,
        "faults": [],
        "steps": [f"{text}: F 4 x 2 = 8, I 1, R 1, N 1, S 1 = 12, Wort x 2 = {points}", f"Zusammen: {points}"],
        "photo": SHA,
        "who": "Annas Telefon",
        "at": "2026-11-30T19:42:00Z",
        "time": "19:42",
        "notes": [],
    }
    return line | more


def playing() -> dict[str, Any]:
    """Two players, five moves, nothing open."""
    sheet = [
        _line(1, 0, "H4 FIRNS", 24, [24, 0], announced=23, difference="Angesagt 23, gerechnet 24: Es zählt 24."),
        _line(2, 1, "5G KIND", 12, [24, 12]),
        _line(3, 0, "gepasst", 0, [24, 12], kind="pass", words=[], steps=[], computed=None),
        _line(4, 1, "7H NASS", 5, [24, 17]),
        _line(5, 0, "J7 SpÄT", 14, [38, 17], notes=["Blanko auf J8 steht für P."]),
    ]
    return {
        "id": "Abc_123-xyz",
        "version": 12,
        "events": 5,
        "language": "de",
        "read_only": False,
        "who": "Anna",
        "setup": {
            "players": ["Anna", "Ben"],
            "rules": {"name": "turnier", "title": "turnier"},
            "tiles": "german",
            "lexicon": "Brettblick Deutsch (2026-11)",
            "open_dictionary": False,
            "rack_size": 7,
            "notation": "german",
            "announced_counts": False,
        },
        "phase": "playing",
        "players": [_player(0, "Anna", 38, False), _player(1, "Ben", 17, True)],
        "next": 1,
        "next_text": "Ben ist dran",
        "clock": {
            "used": False,
            "limit_s": 0,
            "running": None,
            "paused": False,
            "challenge_left_ms": None,
            "challenge_limit_s": 0,
            "move_left_ms": None,
        },
        "bag": 74,
        "board": list(_BOARD),
        "layout": list(STANDARD.rows),
        "last": [[9, 7], [9, 8], [9, 9]],
        "open_blanks": [],
        "unseen": [
            {"tile": "A", "count": 4, "value": 1},
            {"tile": "Ä", "count": 0, "value": 6},
            {"tile": "E", "count": 15, "value": 1},
            {"tile": "Q", "count": 1, "value": 10},
            {"tile": "?", "count": 1, "value": 0},
        ],
        "unseen_total": 88,
        "sheet": sheet,
        "proposal": None,
        "challenge": None,
        "can": {
            "photo": True,
            "type": True,
            "pass": True,
            "exchange": True,
            "exchange_min": 1,
            "exchange_max": 7,
            "undo": "Anna J7 SpÄT",
            "redo": None,
            "close": {"ref": 5, "text": "Zug von Anna ist gültig"},
            "challenge": {
                "ref": 5,
                "name": "Anna",
                "words": ["SPÄT", "SÄ"],
                "all_words": False,
                "challengers": [{"seat": 1, "name": "Ben"}],
                "ms_left": None,
                "if_upheld": "Anna nimmt die Steine zurück, der Zug zählt 0.",
                "if_rejected": "Ben verliert 10 Punkte für jedes Wort, das gilt.",
                "also": ["Nachgeschlagen wird in der Liste des Vereins."],
            },
            "swap_blank": [],
            "timeout": False,
            "stop": True,
            "racks": False,
            "resign": True,
            "draw": [],
        },
        "checks": [],
        "clips": [
            {"number": 9, "url": "/games/g1/clips/9", "time": "20:14:05", "who": "Anna", "seconds": 30, "frames": 90}
        ],
        "end": None,
    }


def _outline(row: int, col: int, name: str, kind: str, tile: str) -> dict[str, Any]:
    x, y = 100 + col * 60, 80 + row * 60
    corners = f"{x},{y} {x + 60},{y + 2} {x + 58},{y + 61} {x - 1},{y + 60}"
    return {"square": [row, col], "name": name, "kind": kind, "points": corners, "tile": tile}


def _read(row: int, col: int, name: str, tile: str, sure: bool = True) -> dict[str, Any]:
    options = [
        {"label": label, "act": {"action": "answer", "squares": [[row, col, one]]}}
        for label, one in (("O", "O"), ("Q", "Q"), ("D", "D"))
    ]
    return {
        "square": [row, col],
        "name": name,
        "tile": tile,
        "sure": sure,
        "level": "sicher, über 99,9 %" if sure else "unsicher, 58 %",
        "candidates": [["O", 58], ["Q", 40], ["D", 1]],
        "crop": f"/games/Abc_123-xyz/crops/{SHA}/{row}-{col}.jpg",
        "options": [] if sure else options,
    }


def proposal() -> dict[str, Any]:
    """A photo that was read without a question."""
    view = playing()
    view["proposal"] = {
        "source": "photo",
        "photo": {"id": SHA, "url": f"/games/Abc_123-xyz/photos/{SHA}", "width": 1100, "height": 1080},
        "photos": 1,
        "by": "Kamera",
        "found": True,
        "reason": None,
        "advice": [],
        "outlines": [
            _outline(10, 7, "K8", "new", "O"),
            _outline(10, 8, "K9", "new", "?"),
            _outline(10, 9, "K10", "new", "e"),
        ],
        "corners": [[100, 80], [1000, 80], [1000, 980], [100, 980]],
        "kind": "place",
        "player": 1,
        "title": "Ben: K7 SO?e",
        "moves": [
            {
                "player": 1,
                "name": "Ben",
                "text": "K7 SO?e",
                "words": [{"word": "SO?E", "score": 9}, {"word": "TE", "score": 1}],
                "score": 10,
                "steps": ["K7 SO?e: S 1, O 2, Blanko 0, Blanko 0 = 3, Wort x 3 = 9", "TE 1", "Zusammen: 10"],
                "faults": [],
            }
        ],
        "tiles": [_read(10, 7, "K8", "O"), _read(10, 8, "K9", "?"), _read(10, 9, "K10", "e")],
        "score": 10,
        "legal": True,
        "faults": [],
        "despite": False,
        "question": None,
        "notes": ["Das Foto ist etwas unscharf."],
        "confirmable": True,
        "confirm_text": "Stimmt",
    }
    return view


def question() -> dict[str, Any]:
    """One square is doubtful."""
    view = proposal()
    p = view["proposal"]
    p["tiles"][0] = _read(10, 7, "K8", "O", sure=False)
    p["outlines"][0]["kind"] = "doubt"
    p["outlines"].append(_outline(7, 6, "H7", "differs", "M"))
    p["outlines"].append(_outline(6, 4, "G5", "before", "K"))
    p["confirmable"] = False
    p["question"] = {
        "code": "which-letter",
        "text": "Welcher Buchstabe liegt auf Feld K8: O oder Q?",
        "squares": [[10, 7]],
        "crop": f"/games/Abc_123-xyz/crops/{SHA}/10-7.jpg",
        "options": [
            {"label": "O", "act": {"action": "answer", "squares": [[10, 7, "O"]]}},
            {"label": "Q", "act": {"action": "answer", "squares": [[10, 7, "Q"]]}},
        ],
        "free": "tile",
    }
    return view


def despite() -> dict[str, Any]:
    """A move against the rules that counts only when all agree."""
    view = proposal()
    p = view["proposal"]
    p |= {"legal": False, "confirmable": False, "despite": True}
    p["moves"][0]["faults"] = [{"code": "gap", "text": "Lücke"}]
    p["faults"] = [{"code": "gap", "text": "Zwischen den neuen Steinen ist eine Lücke. Bitte nachsehen."}]
    return view


def faulty() -> dict[str, Any]:
    """A move against the rules, and a question that only a typed move answers."""
    view = question()
    p = view["proposal"]
    p["legal"] = False
    p["moves"][0]["faults"] = [{"code": "gap", "text": "Zwischen den neuen Steinen ist eine Lücke."}]
    p["question"] |= {
        "code": "which-move",
        "text": "Welcher Zug wurde gelegt?",
        "squares": [],
        "crop": None,
        "options": [{"label": "Gepasst", "act": {"action": "answer", "kind": "none"}}],
        "free": "move",
    }
    return view


def not_found() -> dict[str, Any]:
    """A photo without a board."""
    view = proposal()
    view["proposal"] |= {
        "found": False,
        "reason": "Auf dem Foto ist kein ganzes Brett zu sehen.",
        "question": {
            "code": "photo-unreadable",
            "text": "Dieses Foto ist nicht lesbar. Was wurde gelegt?",
            "squares": [],
            "crop": None,
            "options": [{"label": "Foto verwerfen", "act": {"action": "drop"}}],
            "free": "move",
        },
        "advice": ["Das ganze Brett von oben aufnehmen.", "Mehr Licht hilft."],
        "outlines": [],
        "corners": None,
        "kind": "unclear",
        "player": None,
        "title": "",
        "moves": [],
        "tiles": [],
        "score": None,
        "legal": False,
        "notes": [],
        "confirmable": False,
        "confirm_text": "",
    }
    return view


def typed() -> dict[str, Any]:
    """A move that was typed: no photo."""
    view = proposal()
    view["proposal"] |= {"source": "typed", "photo": None, "outlines": [], "corners": None, "photos": 0, "notes": []}
    view["proposal"]["tiles"] = [one | {"crop": None} for one in view["proposal"]["tiles"]]
    return view


def challenged() -> dict[str, Any]:
    """A challenge with one word that the table has to decide."""
    view = playing()
    view["challenge"] = {
        "ref": 5,
        "name": "Anna",
        "challengers": ["Ben"],
        "words": [
            {"word": "SPÄT", "allowed": True, "resort": "lexicon", "text": "Steht in Brettblick Deutsch (2026-11)."},
            {
                "word": "SÄ",
                "allowed": None,
                "resort": "by-hand",
                "text": "Nicht in der Liste. Bitte nachschlagen.",
            },
        ],
        "undecided": ["SÄ"],
        "outcomes": ["Wenn SÄ nicht gilt: Anna nimmt die Steine zurück."],
        "bookable": False,
    }
    view["can"] |= {"photo": False, "type": False, "pass": False, "exchange": False, "challenge": None, "close": None}
    return view


def decided() -> dict[str, Any]:
    """The same challenge when every word is decided."""
    view = challenged()
    view["challenge"]["words"][1] |= {"allowed": False, "text": "Nicht erlaubt: Anna und Ben, Duden, 29. Auflage."}
    view["challenge"] |= {
        "undecided": [],
        "outcomes": ["Annas Zug zählt 0 statt 14.", "Ben ist dran."],
        "bookable": True,
    }
    return view


def clocked() -> dict[str, Any]:
    """With a clock: one player over the time, a challenge window, a blank without a letter."""
    view = playing()
    view["clock"] |= {"used": True, "limit_s": 1500, "running": 1, "challenge_left_ms": 14_000, "challenge_limit_s": 20}
    view["players"][0]["clock"] |= {"text": "−0:42", "remaining_ms": 0, "overtime_ms": 42_000, "penalty": -10}
    view["can"]["challenge"]["ms_left"] = 14_000
    view["can"]["challenge"]["all_words"] = True
    view["can"]["swap_blank"] = [{"square": [9, 7], "tile": "P"}]
    view["can"]["timeout"] = True
    view["clock"]["move_left_ms"] = 0
    view["open_blanks"] = [
        {
            "square": [9, 7],
            "name": "J8",
            "options": [
                {"label": letter, "act": {"action": "blank", "square": [9, 7], "letter": letter}} for letter in "APÄ"
            ],
        }
    ]
    view["checks"] = ["Die zurückgenommenen Steine liegen noch auf H4, H5."]
    return view


def over() -> dict[str, Any]:
    """The game has ended, the racks are not entered."""
    view = playing()
    view |= {"phase": "over", "bag": 0}
    view["can"] |= {"photo": False, "type": False, "pass": False, "exchange": False, "racks": True, "stop": False}
    view["end"] = {
        "text": "Der Beutel ist leer und Anna hat alle Steine gelegt.",
        "certain": False,
        "racks": [
            {"seat": 0, "name": "Anna", "size": 0, "tiles": ""},
            {"seat": 1, "name": "Ben", "size": 3, "tiles": None},
        ],
        "open": "",
        "overtime": ["Ben: 42 s über der Zeit, 10 Punkte Abzug."],
        "lines": [],
        "explained": [],
        "result": "",
        "places": [],
    }
    return view


def settled() -> dict[str, Any]:
    """Everything is settled."""
    view = over()
    view["phase"] = "settled"
    view["can"] |= {"racks": False, "challenge": None, "close": None}
    view["end"] |= {
        "certain": True,
        "lines": [
            {"name": "Anna", "before": 38, "rest": "", "deducted": 0, "credited": 9, "total": 47},
            {"name": "Ben", "before": 17, "rest": "EÖ?", "deducted": 9, "credited": 0, "total": 8},
        ],
        "explained": ["Ben: Rest E 1, Ö 8, Blanko 0 = 9 Abzug", "Anna: + 9 für den Rest von Ben"],
        "result": "Anna gewinnt.\nAnna 47, Ben 8",
        "places": [1, 2],
    }
    return view


def fresh() -> dict[str, Any]:
    """A game nobody has moved in."""
    view = playing()
    view |= {"version": 0, "events": 0, "board": ["." * 15] * 15, "last": [], "sheet": [], "bag": 88}
    view["players"] = [_player(0, "Anna", 0, True), _player(1, "Ben", 0, False)]
    view |= {"next": 0, "next_text": "Anna ist dran"}
    view["can"] |= {"undo": None, "close": None, "challenge": None, "stop": False, "draw": [0, 1]}
    return view


def four() -> dict[str, Any]:
    """Four players, one of them out; names of all lengths."""
    view = proposal()
    names = ["Oma Hildegard", "Maximilian-Alexander von und zu Hohenstein", "Jo", "Zoë"]
    view["players"] = [_player(seat, name, 100 + seat * 37, seat == 1) for seat, name in enumerate(names)]
    view["players"][2]["out"] = True
    view["sheet"] = [
        _line(
            number + 1,
            number % 4,
            f"H{number + 1} WORTSTAMM",
            10 + number,
            [100, 101, 102, 103],
            name=names[number % 4],
        )
        for number in range(9)
    ] + [
        _line(10, None, "Partie beendet", None, [100, 101, 102, 103], kind="stopped", words=[], steps=[], computed=None)
    ]
    view["sheet"][3]["withdrawn"] = True
    view["sheet"][4] |= {
        "kind": "challenge",
        "text": "zu Unrecht angezweifelt",
        "points": -10,
        "changes": [-10, 0, 0, 0],
    }
    view["sheet"][5]["faults"] = ["Das Wort hängt an keinem anderen."]
    view["setup"]["players"] = names
    return view


def hostile() -> dict[str, Any]:
    """Every name and text that people can choose is markup."""

    def poisoned(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            if key == "clock" or ("label" in value and len(value["label"]) == 1):
                return value
            return {name: poisoned(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [poisoned(one, key) for one in value]
        chosen = {"name", "who", "text", "title", "label", "next_text", "reason", "advice", "notes", "checks", "word"}
        chosen |= {"challengers", "players", "difference", "faults", "steps", "undo", "confirm_text", "level", "by"}
        return HOSTILE if isinstance(value, str) and key in chosen else value

    view = poisoned(deepcopy(clocked() | {"proposal": faulty()["proposal"], "end": over()["end"]}))
    for line, good in zip(view["sheet"], playing()["sheet"], strict=True):
        line["name"], line["kind"] = HOSTILE, good["kind"]
    view["setup"]["rules"]["name"] = "turnier"
    view["challenge"] = poisoned(challenged()["challenge"])
    view["challenge"]["undecided"] = [HOSTILE]
    return view


def watched() -> dict[str, Any]:
    """What a spectator gets."""
    return clocked() | {"read_only": True, "who": ""}


ALL = {
    one.__name__: one
    for one in (
        playing,
        proposal,
        question,
        despite,
        faulty,
        not_found,
        typed,
        challenged,
        decided,
        clocked,
        over,
        settled,
        fresh,
        four,
        hostile,
        watched,
    )
}
