"""What is printed, shared or taken along: the evidence of a move, the score sheet, the files of other programs."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import math
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Concatenate, ParamSpec

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from assistant.report.evidence import installed_version
from assistant.store.faults import told
from assistant.store.rows import NoSuchPhoto
from assistant.table.session import Table
from assistant.texts import Texts
from assistant.web import paper_pages
from assistant.web.attachments import disposition, file_stem
from assistant.web.dispute import Basis, Dispute, Disputes, Photo
from assistant.web.errors import language_of
from assistant.web.film_strip import Strip, strips_of
from assistant.web.headers import REPORT_POLICY
from assistant.web.paper_pages import AGAIN, GONE, Picture
from assistant.web.paper_pictures import Cut, clip_still, laid_over, shared_photo
from assistant.web.sheet import Sheet, sheet_of
from assistant.web.site import Site
from assistant.web.view import clip_frames, clips_json
from scorer.board import Square
from scorer.errors import BrettblickError
from scorer.formats import write_gcg, write_sheet
from scorer.formats.events import write_game
from scorer.game import GameState
from scorer.notation import Notation
from scorer.records import written_game
from scorer.texts import Language
from vision.observe import Observation

P = ParamSpec("P")

log = logging.getLogger(__name__)


def routes() -> list[Route]:
    one = "/games/{game}"
    return [
        Route(f"{one}/moves/{{number}}", move),
        Route(f"{one}/moves/{{number}}/before.jpg", before),
        Route(f"{one}/moves/{{number}}/evidence.html", move_evidence),
        Route(f"{one}/evidence.html", game_evidence),
        Route(f"{one}/clips/{{number}}", clip),
        Route(f"{one}/sheet", sheet),
        Route(f"{one}/export.{{kind}}", export),
    ]


class _Asked:
    """The game that a request asks for, as it is now."""

    def __init__(self, request: Request, table: Table) -> None:
        self.request, self.table = request, table
        self.site: Site = request.app.state.site
        self.texts = Texts(language_of(request.scope))
        self.base = f"/games/{table.id}"
        self.state = table.state  # before the rows: of those there may be more, never fewer
        self.disputes = Disputes(self.state, table.rows, self.texts)

    @classmethod
    async def of(cls, request: Request) -> _Asked:
        """NoSuchGame when there is none."""
        table = await request.app.state.site.table(request.path_params["game"])
        await asyncio.to_thread(table.refresh)
        return cls(request, table)

    async def dispute(self) -> Dispute:
        """The event that is asked for; 404 when there is none."""
        number = self.request.path_params["number"]
        if not (number.isdecimal() and len(number) <= 6):
            raise HTTPException(404)
        found = await asyncio.to_thread(self.disputes.of, int(number))
        if found is None:
            raise HTTPException(404)
        return found

    @property
    def players(self) -> tuple[str, ...]:
        return self.state.setup.players

    async def sheet(self) -> Sheet:
        def made() -> Sheet:
            created = self.site.store.head(self.table.id).created
            return sheet_of(self.state, self.disputes.rows, self.texts, created)

        return await asyncio.to_thread(made)

    async def date(self) -> str:
        """The day on which the game was made, as a file's name has it."""
        head = await asyncio.to_thread(self.site.store.head, self.table.id)
        return f"{head.created.astimezone():%Y-%m-%d}"

    async def attachment(self, ending: str, *more: str) -> dict[str, str]:
        """Headers of a file to be kept, named after the players and the day."""
        stem = file_stem([*self.players, await self.date(), *more])
        return {"content-disposition": disposition(stem, ending)}


# --- the evidence of a move ---------------------------------------------------------------------------------------


async def move(request: Request) -> Response:
    asked = await _Asked.of(request)
    dispute = await asked.dispute()
    pictures = {
        photo.digest: await _linked(asked, photo, dispute) for photo in (dispute.before, dispute.after) if photo
    }
    over = ""
    if _comparable(dispute) and all(picture is not GONE for picture in pictures.values()):
        over = f"{asked.base}/moves/{dispute.number}/before.jpg"
    basis = await asyncio.to_thread(asked.disputes.basis)
    clips = _clips_beside(asked, dispute.number)
    html = paper_pages.move_page(dispute, basis, pictures, asked.texts, base=asked.base, over=over, clips=clips)
    return HTMLResponse(html)


def _clips_beside(asked: _Asked, number: int) -> list[dict[str, Any]]:
    """What was kept of a camera beside an event."""
    return [one for one in clips_json(asked.table) if _is_beside(asked, one["number"], number)]


def _is_beside(asked: _Asked, row: int, number: int) -> bool:
    """Whether a row stands between the events before and after one: that is what it is about."""
    done = asked.state.done
    first = done[number - 2].row.number if number >= 2 else 0
    last = done[number].row.number if number < len(done) else math.inf
    return first < row < last


async def clip(request: Request) -> Response:
    """What was kept of a camera, picture by picture."""
    asked = await _Asked.of(request)
    found = next((one for one in clips_json(asked.table) if str(one["number"]) == request.path_params["number"]), None)
    if found is None:
        raise HTTPException(404)
    row = next(row for row in asked.table.rows if row.number == found["number"])
    frames = [(f"{asked.base}/photos/{digest}?original=1", seconds) for digest, seconds in clip_frames(row)]
    return HTMLResponse(paper_pages.clip_page(found, frames, asked.texts, base=asked.base))


def _comparable(dispute: Dispute) -> bool:
    """Whether one photo can be laid over the other."""
    photos = (dispute.before, dispute.after)
    return all(photo and photo.seen and photo.seen.corners and photo.seen.size for photo in photos)


async def _linked(asked: _Asked, photo: Photo, dispute: Dispute) -> Picture:
    """A photo by its address."""
    try:
        await asyncio.to_thread(asked.site.store.photo, photo.digest)
    except NoSuchPhoto:
        return GONE
    base, digest = asked.base, photo.digest
    crops = {}
    if photo.seen is not None and photo.seen.corners is not None:
        squares = [tile.square for tile in dispute.tiles]
        crops = {one: f"{base}/crops/{digest}/{one.row}-{one.col}.jpg" for one in squares}
    source = f"{base}/photos/{digest}"
    return Picture(source, crops=crops, original=f"{source}?original=1")


async def before(request: Request) -> Response:
    """The photo before a move as it looks from where the one after was taken; made when it is first asked for."""
    asked = await _Asked.of(request)
    dispute = await asked.dispute()
    earlier, later = dispute.before, dispute.after
    if not _comparable(dispute) or earlier is None or later is None or not (earlier.seen and later.seen):
        raise HTTPException(404)
    site = asked.site
    path = await asyncio.to_thread(site.store.photo, earlier.digest)
    copy = site.folder / "pictures" / f"{earlier.digest}-{_view(earlier.seen)}-{_view(later.seen)}.jpg"
    if not copy.exists():
        await site.worker.run(laid_over, path, earlier.seen, later.seen, copy)
    return FileResponse(copy, headers={"content-type": "image/jpeg", "cache-control": "private, max-age=60"})


def _view(seen: Observation) -> str:
    """A name for where the board is in a photo."""
    place = json.dumps([seen.corners and seen.corners.points, seen.lens_k, seen.lifted, seen.size])
    return hashlib.sha256(place.encode()).hexdigest()[:12]


async def move_evidence(request: Request) -> Response:
    """The same as one file to hand on."""
    asked = await _Asked.of(request)
    dispute = await asked.dispute()
    file = _EvidenceFile(asked, [dispute], whole=False)
    headers = await _report_headers(asked, f"{dispute.number:02}")
    return await _written(request, "text/html; charset=utf-8", headers, file.write)


async def game_evidence(request: Request) -> Response:
    """All events of a game as one file."""
    asked = await _Asked.of(request)
    disputes = await asyncio.to_thread(lambda: [asked.disputes.of(number) for number in asked.disputes.numbers])
    file = _EvidenceFile(asked, [one for one in disputes if one is not None], whole=True)
    return await _written(request, "text/html; charset=utf-8", await _report_headers(asked), file.write)


class _EvidenceFile:
    """A file with events of a game and the clips beside them, each once; what is in memory at a time is the pictures of
    one event, or one frame of a clip.

    whole: whether these are all events; then the clips beside none of them stand at the end
    """

    def __init__(self, asked: _Asked, disputes: Sequence[Dispute], *, whole: bool) -> None:
        self.asked, self.disputes, self.whole = asked, disputes, whole

    async def write(self, out: BinaryIO) -> None:
        asked, texts = self.asked, self.asked.texts
        basis = await asyncio.to_thread(asked.disputes.basis)
        beside, others, more = await asyncio.to_thread(self._clips)

        async def put(html: str) -> None:
            await asyncio.to_thread(out.write, html.encode())

        await put(await self._head(basis, beside))
        seen: set[str] = set()
        for dispute in self.disputes:
            pictures = await _embedded(asked, dispute, seen)
            await put(await asyncio.to_thread(paper_pages.file_event, dispute, pictures, texts, seen))
            for strip in beside.get(dispute.number, ()):
                await self._put_clip(strip, put)
        if others:
            await put(paper_pages.file_other_clips(texts))
        for strip in others:
            await self._put_clip(strip, put)
        if more:
            await put(paper_pages.file_more_clips(more, texts))
        await put(paper_pages.file_foot(basis, texts))

    async def _head(self, basis: Basis, clips: Mapping[int, Sequence[Strip]]) -> str:
        asked, texts = self.asked, self.asked.texts
        date = await _shown_date(asked)
        if not self.whole:
            return paper_pages.file_head(self.disputes[0].headline, basis, texts, asked.players, date)
        sheet = await asked.sheet()
        return paper_pages.file_head(
            texts("paper.game-title"),
            basis,
            texts,
            asked.players,
            date,
            contents=self.disputes,
            standing=zip(asked.players, asked.state.state.totals, strict=True),
            notices=sheet.notices,
            clips=clips,
        )

    def _clips(self) -> tuple[dict[int, list[Strip]], list[Strip], int]:
        """The clips by the number of the first event that they are beside, those beside none, and how many there are
        beyond."""
        asked, numbers = self.asked, [dispute.number for dispute in self.disputes]

        def first(row: int) -> int | None:
            return next((number for number in numbers if _is_beside(asked, row, number)), None)

        rows = [row for row in asked.disputes.rows if row.kind == "clip"]
        strips, more = strips_of(row for row in rows if self.whole or first(row.number) is not None)
        beside: dict[int, list[Strip]] = {}
        others: list[Strip] = []
        for strip in strips:
            number = first(strip.number)
            (others if number is None else beside.setdefault(number, [])).append(strip)
        return beside, others, more

    async def _put_clip(self, strip: Strip, put: Callable[[str], Awaitable[None]]) -> None:
        texts = self.asked.texts
        await put(paper_pages.file_clip_head(strip, texts))
        for still in strip.stills:
            cut = await _made(self.asked.site, still.digest, clip_still, still.digest)
            picture = GONE if cut is None else Picture(cut.source, (cut.width, cut.height))
            await put(paper_pages.file_clip_still(strip, still, picture, texts))
        await put(paper_pages.file_clip_foot(strip, texts))


async def _embedded(asked: _Asked, dispute: Dispute, seen: Container[str] = ()) -> dict[str, Picture]:
    """The photos of an event with everything in them. seen: those that are in the file already."""
    pictures = {}
    for photo in (dispute.before, dispute.after):
        if photo is not None:
            near = frozenset(tile.square for tile in dispute.tiles) if photo is dispute.after else frozenset()
            needed = near or photo.digest not in seen
            pictures[photo.digest] = await _cut(asked.site, photo, near) if needed else AGAIN
    return pictures


async def _cut(site: Site, photo: Photo, near: frozenset[Square]) -> Picture:
    """A photo and crops of it as data URIs; GONE when it is not there any more, or was changed."""
    seen = photo.seen or Observation(photo.digest, digest=photo.digest)
    cut = await _made(site, photo.digest, shared_photo, seen, near)
    return GONE if cut is None else Picture(cut.source, (cut.width, cut.height), cut.crops)


async def _made(
    site: Site, digest: str, function: Callable[Concatenate[Path, P], Cut | None], *args: P.args, **kwargs: P.kwargs
) -> Cut | None:
    """What a job makes of a photo that is kept; None when it is not there any more, was changed, or is none."""
    try:
        path = await asyncio.to_thread(site.store.photo, digest)
        return await site.worker.run(function, path, *args, **kwargs)
    except BrettblickError as error:
        if error.code == "busy":
            raise
        log.warning("photo %s cannot be shown: %s", digest[:12], error)
        return None


async def _shown_date(asked: _Asked) -> str:
    head = await asyncio.to_thread(asked.site.store.head, asked.table.id)
    return f"{head.created.astimezone():%d.%m.%Y}"


async def _report_headers(asked: _Asked, *more: str) -> dict[str, str]:
    return {"content-security-policy": REPORT_POLICY} | await asked.attachment("html", *more)


# --- the score sheet ----------------------------------------------------------------------------------------------


async def sheet(request: Request) -> Response:
    asked = await _Asked.of(request)
    found = await asked.sheet()
    return HTMLResponse(paper_pages.sheet_page(found, asked.texts, base=asked.base, version=installed_version()))


# --- files for other programs -------------------------------------------------------------------------------------


def _gcg(state: GameState, language: Language, notation: Notation) -> str:
    return write_gcg(written_game(state, Notation.INTERNATIONAL, language=language))


def _csv(state: GameState, language: Language, notation: Notation) -> str:
    return write_sheet(written_game(state, notation, language=language), language)


def _json(state: GameState, language: Language, notation: Notation) -> str:
    return write_game(state.game)


WRITERS: Mapping[str, tuple[str, Callable[[GameState, Language, Notation], str]]] = {
    "gcg": ("text/plain; charset=utf-8", _gcg),
    "csv": ("text/csv; charset=utf-8", _csv),
    "json": ("application/json", _json),
}
"""Media type and writer of each kind of file."""


async def export(request: Request) -> Response:
    """The game as a file; the archive with its photos too."""
    kind = request.path_params["kind"]
    if kind != "zip" and kind not in WRITERS:
        raise HTTPException(404)
    asked = await _Asked.of(request)
    headers = await asked.attachment(kind)
    if kind == "zip":

        async def archive(out: BinaryIO) -> None:
            await asyncio.to_thread(asked.site.store.export, asked.table.id, out)

        return await _written(request, "application/zip", headers, archive)
    media, writer = WRITERS[kind]
    language: Language = "de" if asked.texts.language == "de" else "en"
    text = await asyncio.to_thread(writer, asked.state.state, language, asked.state.setup.notation)
    return Response(text.encode(), media_type=media, headers=headers)


# --- large files --------------------------------------------------------------------------------------------------

PIECE = 1 << 18
"""Bytes of a large file that are read and sent at a time."""


async def _written(
    request: Request, media: str, headers: Mapping[str, str], write: Callable[[BinaryIO], Awaitable[None]]
) -> Response:
    """A file that is written to the disk whole before any of it is sent; one after the other, since each is much work.
    Nothing of it is left, whatever happens. StoreError when the disk is full."""
    site: Site = request.app.state.site
    folder = site.folder / "incoming"
    async with _one_at_a_time(request.app):
        with told(str(folder)):
            file = await asyncio.to_thread(lambda: tempfile.TemporaryFile(dir=folder))  # noqa: SIM115, sent after this
            try:
                await write(file)
                size = file.tell()
                file.seek(0)
            except BaseException:
                file.close()
                raise

    async def pieces() -> AsyncIterator[bytes]:
        with file:
            while piece := await asyncio.to_thread(file.read, PIECE):
                yield piece

    headers = {**headers, "content-length": str(size)}
    return StreamingResponse(pieces(), media_type=media, headers=headers)


def _one_at_a_time(app: Starlette) -> asyncio.Lock:
    if not hasattr(app.state, "writing_files"):
        app.state.writing_files = asyncio.Lock()
    lock: asyncio.Lock = app.state.writing_files
    return lock
