"""Papers as HTML: the evidence of an event as a page and as a file to hand on, and the score sheet. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assistant.notes import tile_name
from assistant.report.page import Mark, outline
from assistant.report.pictures import places_in
from assistant.texts import Texts
from assistant.web.dispute import Basis, Dispute, Photo
from assistant.web.film_strip import Still, Strip
from assistant.web.sheet import Sheet
from scorer.board import Square

EMPTY_ROWS = 14
"""Lines of a sheet that has not so many rounds yet: the rest is there to write on."""


@dataclass(frozen=True)
class Picture:
    """Where a photo comes from.

    source:   its address, or all of it as a data URI; "" when there is none any more
    size:     width and height where the photo's own are not known
    crops:    the same of its squares
    original: address of the file as it was taken, "" for none
    """

    source: str
    size: tuple[int, int] = (0, 0)
    crops: Mapping[Square, str] = field(default_factory=lambda: MappingProxyType({}))
    original: str = ""


GONE = Picture("")
"""A photo that is not there any more."""

AGAIN = Picture("#")
"""A photo that is in the file already."""


@dataclass(frozen=True)
class _Figure:
    """A photo as it is drawn.

    width, height: of the coordinates of its marks; 0 where nothing can be marked
    id:            by which it is shown again, "" for none; again: whether it is that
    """

    photo: Photo
    source: str
    original: str
    width: int
    height: int
    marks: tuple[Mark, ...]
    id: str = ""
    again: bool = False


def move_page(
    dispute: Dispute,
    basis: Basis,
    pictures: Mapping[str, Picture],
    texts: Texts,
    *,
    base: str,
    over: str,
    clips: Sequence[Mapping[str, Any]] = (),
) -> str:
    """The page of an event.

    pictures: by the hash of the photo
    base:     path of the game
    over:     address of the photo before as it looks from where the one after was taken, "" for none
    clips:    kept of a camera beside it, see ``assistant.web.view.clips_json``
    """
    links = {"base": base, "link": f"{base}/moves", "photos": f"{base}/photos", "over": over}
    shown = _shown(dispute, pictures, seen=None)
    return _render("move.html.j2", texts, d=dispute, b=basis, clips=clips, **links, **shown)


def clip_page(clip: Mapping[str, Any], frames: Sequence[tuple[str, float]], texts: Texts, *, base: str) -> str:
    """What was kept of a camera. frames: the address of each and its seconds"""
    return _render("clip.html.j2", texts, clip=clip, frames=frames, base=base)


def sheet_page(sheet: Sheet, texts: Texts, *, base: str, version: str) -> str:
    """The score sheet."""
    empty = max(0, EMPTY_ROWS - len(sheet.rows)) if not sheet.final else 0
    return _render("sheet.html.j2", texts, sheet=sheet, base=base, version=version, empty_rows=empty)


def file_head(
    title: str,
    basis: Basis,
    texts: Texts,
    players: Sequence[str],
    date: str,
    *,
    contents: Sequence[Dispute] | None = None,
    standing: Iterable[tuple[str, int]] = (),
    notices: Sequence[str] = (),
    clips: Mapping[int, Sequence[Strip]] = MappingProxyType({}),
) -> str:
    """What stands before the events of a file to hand on; its parts put together are the file.

    contents: the events of a whole game, None for a file of one event; standing: the players with their points
    clips:    that follow an event, by its number
    """
    return _render(
        "file_head.html.j2",
        texts,
        title=title,
        style=_style(),
        b=basis,
        players=players,
        date=date,
        contents=contents,
        standing=list(standing),
        notices=notices,
        clips=clips,
    )


def file_event(dispute: Dispute, pictures: Mapping[str, Picture], texts: Texts, seen: set[str]) -> str:
    """An event of a file to hand on.

    seen: the photos that are in the file already, to which this one's are added
    """
    return _render("file_event.html.j2", texts, d=dispute, **_shown(dispute, pictures, seen=seen))


def file_clip_head(strip: Strip, texts: Texts) -> str:
    """What stands before the frames of a clip in a file to hand on; each frame and the foot are to follow."""
    printed = sum(still.printed for still in strip.stills)
    return _render("file_clip_head.html.j2", texts, s=strip, printed=printed)


def file_clip_still(strip: Strip, still: Still, picture: Picture, texts: Texts) -> str:
    """A frame of a clip in a file to hand on."""
    return _render("file_clip_still.html.j2", texts, s=strip, still=still, picture=picture)


def file_clip_foot(strip: Strip, texts: Texts) -> str:
    """What stands after the frames of a clip in a file to hand on."""
    return _render("file_clip_foot.html.j2", texts, s=strip)


def file_other_clips(texts: Texts) -> str:
    """What stands before the clips that are beside no event."""
    return _render("file_other_clips.html.j2", texts)


def file_more_clips(count: int, texts: Texts) -> str:
    """That there are so many clips beyond those in the file."""
    return _render("file_more_clips.html.j2", texts, count=count)


def file_foot(basis: Basis, texts: Texts) -> str:
    """What stands at the end of a file to hand on."""
    return _render("file_foot.html.j2", texts, b=basis)


def _shown(dispute: Dispute, pictures: Mapping[str, Picture], seen: set[str] | None) -> dict[str, Any]:
    """The figures and crops of an event. seen: None where every photo is fetched by its address."""
    before, after = (_figure(photo, pictures, seen) for photo in (dispute.before, dispute.after))
    crops = pictures.get(dispute.after.digest, GONE).crops if dispute.after else {}
    return {"before": before, "after": after, "crops": {tile.square: crops.get(tile.square) for tile in dispute.tiles}}


def _figure(photo: Photo | None, pictures: Mapping[str, Picture], seen: set[str] | None) -> _Figure | None:
    if photo is None:
        return None
    picture = pictures.get(photo.digest, GONE)
    width, height = (photo.seen.size if photo.seen else None) or picture.size
    marks = tuple(_marks(photo)) if width and picture.source else ()
    name, again = "", False
    if seen is not None and width and picture.source:
        name, again = f"photo-{photo.digest[:16]}", photo.digest in seen
        seen.add(photo.digest)
    return _Figure(photo, picture.source, picture.original, width, height, marks, name, again)


def _marks(photo: Photo) -> Iterator[Mark]:
    if photo.seen is None:
        return
    try:
        places = places_in(photo.seen, photo.squares)
    except (cv2.error, ValueError, ArithmeticError, np.linalg.LinAlgError):  # corners that are none, from elsewhere
        return
    for kind, squares in photo.marks.items():
        at = {square: places[square] for square in squares if square in places}
        if all(np.isfinite(corners).all() for corners in at.values()):
            yield outline(kind, at)


def _in_seconds(seconds: float, texts: Texts) -> str:
    value = f"{seconds:.1f}"
    return texts("paper.seconds", value=value.replace(".", ",") if texts.language == "de" else value)


@cache
def _style() -> Markup:
    """Our own style sheet, which stands in the file as it is."""
    return Markup((files("assistant.web") / "static" / "paper.css").read_text(encoding="utf-8"))


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("assistant.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _render(template: str, texts: Texts, **context: Any) -> str:
    context |= {
        "say": texts,
        "tile_name": lambda char: tile_name(char, texts),
        "points": lambda count: texts(
            "count.points.one" if abs(count) == 1 else "count.points.many", count=count
        ).replace("-", "−"),
        "in_seconds": lambda seconds: _in_seconds(seconds, texts),
    }
    return _environment().get_template(f"papers/{template}").render({"link": "", "over": "", "photos": ""} | context)
