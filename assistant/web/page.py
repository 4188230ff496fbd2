"""The pages as HTML: pure functions of a view (``assistant.web.view``) and the texts of one language.

A page is a shell and its live sections. ``sections`` renders the same templates as ``shell``, so that a phone replaces
just those that differ. There is no inline script, style or handler in any of them: the server's policy forbids it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assistant.texts import Texts
from assistant.web.offer import Offer
from scorer.board import SIZE
from scorer.errors import BrettblickError
from scorer.tiles import BLANK, TileSet, is_blank, letter_of, tile_set

View = Mapping[str, Any]

SECTIONS = ("players", "now", "proposal", "challenge", "end", "board", "sheet", "unseen", "bar", "big")
"""The live sections; the DOM id of each is its name."""

TURNS = ("place", "pass", "exchange", "nothing", "timeout")
"""Kinds of lines that are somebody's turn."""

_SHOWN = {
    "game": ("players", "now", "proposal", "challenge", "end", "board", "sheet", "unseen", "bar"),
    "spectator": ("players", "now", "challenge", "end", "board", "sheet", "unseen"),
    "scoreboard": ("big",),
}
"""Which of them each page has."""

SCRIPT_TEXTS = (
    "web.changed-meanwhile",
    "web.no-answer",
    "web.uploading",
    "web.reading",
    "web.photo-too-large",
    "web.no-picture",
    "web.announced-less",
    "web.announced-more",
    "web.announced-counts",
    "web.computed-counts",
    "web.missing-tiles",
    "web.all-tiles-there",
    "web.too-many-tiles",
    "web.not-of-the-set",
    "web.no-square",
    "web.not-on-the-board",
    "web.blank-tile",
    "web.lies-there",
    "web.off-the-board",
    "web.square-title",
    "web.doubtful-tiles",
    "web.two-names",
    "web.too-many-players",
    "web.name-twice",
    "web.pick-words",
    "web.pick-challenger",
    "web.corner-n",
    "web.kept",
    "web.camera",
    "web.this-camera",
    "web.counts-in",
    "web.clip-kept",
    "web.clip-look",
    "web.camera-needs-https",
    "web.camera-no-browser",
    "web.camera-refused",
    "web.camera-none",
    "web.camera-busy",
    "web.camera-failed",
    "web.camera-unplugged",
    "web.camera-no-answer",
    "web.camera-game-over",
    "web.space-bar",
    "web.press-a-key",
    "web.learnt-key",
)
"""What the scripts say."""


@dataclass(frozen=True)
class Share:
    """How others come to this game.

    addresses: where phones in the same network open it, with the code in it; empty when bound to this computer only
    qr:        the first of them as SVG of our own making, "" for none
    spectator: address for those who only watch, "" for none
    """

    addresses: tuple[str, ...] = ()
    qr: str = ""
    spectator: str = ""
    spectator_qr: str = ""


@dataclass(frozen=True)
class _Tag:
    """Where a mark's sign stands on a photo: its middle, and the side of the square, pixels."""

    x: float
    y: float
    side: float


def shell(view: View, texts: Texts, *, share: Share | None = None, who: str = "") -> str:
    """The whole page of a game with all its live sections."""
    base = f"/games/{view['id']}"
    return _live_page("game.html.j2", "game", view, texts, base, share=share or Share(), who=view.get("who") or who)


def spectator(view: View, texts: Texts, *, base: str) -> str:
    """Score board, board and sheet to watch. base: path before ``/sections`` and ``/stream``."""
    return _live_page("spectator.html.j2", "spectator", {**view, "read_only": True}, texts, base)


def scoreboard(view: View, texts: Texts, *, base: str | None = None) -> str:
    """Huge digits for a second screen. base: as for ``spectator``, else that of the game."""
    return _live_page("scoreboard.html.j2", "scoreboard", view, texts, base or f"/games/{view['id']}")


def sections(view: View, texts: Texts) -> dict[str, str]:
    """Every live section by its DOM id, as whole elements."""
    template = _environment().get_template("sections.html.j2")
    context = _context(view, texts)
    out = {}
    for name in SECTIONS:
        inner = template.environment.get_template(f"sections/{name}.html.j2").render(context).strip()
        digest = hashlib.sha256(inner.encode()).hexdigest()[:16]
        out[name] = template.render(name=name, inner=Markup(inner), digest=digest, **context)
    return out


def home(
    games: Sequence[Mapping[str, Any]],
    texts: Texts,
    *,
    offer: Offer,
    share: Share | None = None,
    who: str = "",
    message: str = "",
    may_delete: bool = False,
) -> str:
    """The list of games and the form for a new one.

    may_delete: whether whoever asks sits at the machine itself, and may delete games
    games: {"id", "players": names, "points": numbers or None, "phase", "changed": text, "rules": title}
    """
    context = {"games": games, "offer": offer, "share": share or Share(), "who": who, "message": message}
    return _page("home.html.j2", texts, may_delete=may_delete, **context)


def join(texts: Texts, error: str = "") -> str:
    """The page of a phone that has not joined yet: where the code is entered by hand."""
    return _page("join.html.j2", texts, error=error)


def trouble(texts: Texts, text: str) -> str:
    """A page that only says what is wrong and leads back to the list."""
    return _page("trouble.html.j2", texts, text=text)


# --- what the templates get -----------------------------------------------------------------------------------------


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("assistant.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["json"] = _json
    return environment


def _json(value: Any) -> str:
    """JSON for a data attribute; autoescape does the rest."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _page(template: str, texts: Texts, **context: Any) -> str:
    script = {key: texts.pattern(key) for key in SCRIPT_TEXTS}
    return _environment().get_template(template).render({"say": texts, "script_texts": script} | context)


def _live_page(template: str, page: str, view: View, texts: Texts, base: str, **more: Any) -> str:
    rendered = sections(view, texts)
    live = {name: Markup(rendered[name]) for name in _SHOWN[page]}
    return _page(template, texts, live=live, base=base, **(_context(view, texts) | more))


def _context(view: View, texts: Texts) -> dict[str, Any]:
    tiles = _tiles(view)
    names = _Names(view["setup"].get("notation", "german"))
    return {
        "view": view,
        "say": texts,
        "read_only": view["read_only"],
        "names": names,
        "tiles": tiles,
        "squares": _squares(view, tiles, names, texts),
        "rounds": rounds(view["sheet"], len(view["players"])),
        "tag": _tag,
        "frame": _frame,
        "tile_text": lambda tile: tile_text(tile, texts),
        "points": lambda count: _points(count, texts),
        "tile_count": lambda count: texts("count.tiles.one" if count == 1 else "count.tiles.many", count=count),
        "act": lambda action, **fields: {"action": action, **fields},
    }


def _tiles(view: View) -> TileSet:
    try:
        return tile_set(view["setup"]["tiles"])
    except BrettblickError:
        return tile_set("german")


def tile_text(tile: str, texts: Texts) -> str:
    """A tile in words: ``F``, ``Blanko als E``, ``Blankostein``, ``kein Stein``."""
    if tile in ("", "."):
        return texts("candidate.empty")
    if tile == BLANK:
        return texts("candidate.blank")
    return texts("web.blank-as", letter=letter_of(tile)) if is_blank(tile) else tile


def _points(count: int, texts: Texts) -> str:
    return texts("count.points.one" if abs(count) == 1 else "count.points.many", count=count).replace("-", "−")


class _Names:
    """How rows, columns and squares are called in a notation."""

    _LETTERS = "ABCDEFGHIJKLMNO"

    def __init__(self, notation: str) -> None:
        self.german = notation != "international"
        self.rows = tuple(self._LETTERS if self.german else map(str, range(1, SIZE + 1)))
        self.columns = tuple(map(str, range(1, SIZE + 1)) if self.german else self._LETTERS)

    def square(self, row: int, col: int) -> str:
        return f"{self.rows[row]}{self.columns[col]}" if self.german else f"{self.columns[col]}{self.rows[row]}"


@dataclass(frozen=True)
class _Cell:
    """A square of the board as it is shown."""

    row: int
    col: int
    premium: str
    tile: str
    value: int
    last: bool
    label: str


def _squares(view: View, tiles: TileSet, names: _Names, texts: Texts) -> list[list[_Cell]]:
    last = {tuple(square) for square in view["last"]}
    out = []
    for row in range(SIZE):
        cells = []
        for col in range(SIZE):
            tile, premium = view["board"][row][col], view["layout"][row][col]
            if tile == ".":
                what = texts(f"web.premium.{premium}" if premium != "." else "web.plain-square")
            else:
                what = f"{tile_text(tile, texts)}, {_points(tiles.value(tile), texts)}"
            label = texts("web.square", square=names.square(row, col), what=what)
            cells.append(
                _Cell(row, col, premium, "" if tile == "." else tile, tiles.value(tile), (row, col) in last, label)
            )
        out.append(cells)
    return out


def rounds(sheet: Sequence[Mapping[str, Any]], players: int) -> list[Any]:
    """The lines as on a paper pad: rows with one line or None for each player.

    A line stands in the column of everybody whose points it changes, else in that of its player; one of nobody is a row
    of its own, not in a list.
    """
    out: list[Any] = []
    for line in sheet:
        seats = [seat for seat in range(players) if line["changes"][seat]]
        if line["player"] is not None and line["player"] not in seats and (not seats or line["kind"] in TURNS):
            seats = sorted([*seats, line["player"]])
        if not seats:
            out.append(line)
            continue
        if not (out and isinstance(out[-1], list) and all(one is None for one in out[-1][seats[0] :])):
            out.append([None] * players)
        for seat in seats:
            out[-1][seat] = line
    return out


MARGIN = 0.06
"""Of the board's width and height, shown around it on a photo."""


def _frame(proposal: Mapping[str, Any]) -> str:
    """The part of a photo that is shown, as a ``viewBox``: the board, where it was found; squares have to be large
    enough for a finger."""
    width, height = proposal["photo"]["width"], proposal["photo"]["height"]
    if not proposal["corners"]:
        return f"0 0 {width} {height}"
    spans = []
    for values, end in zip(zip(*proposal["corners"], strict=True), (width, height), strict=True):
        margin = MARGIN * (max(values) - min(values))
        spans.append((max(0.0, min(values) - margin), min(float(end), max(values) + margin)))
    (left, right), (top, bottom) = spans
    return f"{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}"


def _tag(points: str) -> _Tag:
    """Where the sign of an outline ("x,y x,y x,y x,y") stands."""
    pairs = [tuple(map(float, pair.split(","))) for pair in points.split()]
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    side = max(max(xs) - min(xs), max(ys) - min(ys))
    return _Tag(round(sum(xs) / len(xs), 1), round(sum(ys) / len(ys), 1), round(side, 1))
