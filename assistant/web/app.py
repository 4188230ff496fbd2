"""The page's routes: thin; what they do is the matter of ``assistant.table`` and ``assistant.store``."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
from collections.abc import AsyncIterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from assistant.lexicon import club, german, naming
from assistant.photos import explain_failure
from assistant.rules_option import in_words
from assistant.store.faults import told
from assistant.store.rows import Author, StoreError
from assistant.table.actions import ActionError, Refused
from assistant.table.imports import imported
from assistant.table.session import Table
from assistant.table.setup import Setup, agreed
from assistant.texts import LANGUAGES, Texts
from assistant.web import page, papers
from assistant.web.errors import LANGUAGE_COOKIE, WebError, headers_of, language_of, status_of, wants_page
from assistant.web.guard import COOKIE_DAYS, JOIN, GuardMiddleware
from assistant.web.headers import Headers, image_type, photo_headers
from assistant.web.limits import BodyLimit, Limits, RateLimit
from assistant.web.live import keep_clip, set_trouble, take_frame
from assistant.web.live_view import answer_json, live_json, watching_json
from assistant.web.live_wire import camera_of, frame_of
from assistant.web.offer import offer
from assistant.web.racks import rack_answer
from assistant.web.site import Site
from assistant.web.view import clips_json, faults_json, rules_title, view_of
from scorer.board import SIZE, Square
from scorer.errors import BrettblickError, NotationError, RuleError
from scorer.rules import rule_set
from scorer.tiles import tile_set

log = logging.getLogger(__name__)

WHO_COOKIE = "who"
"""What a phone goes by, percent-encoded; only for what people read."""

LONGEST_WHO = 40

MINUTES = 600
"""Longest time for a game, minutes."""


class _Asked:
    """What a request asks, with what the guard found out about it."""

    def __init__(self, request: Request) -> None:
        from urllib.parse import unquote

        self.request = request
        self.site: Site = request.app.state.site
        self.texts = Texts(language_of(request.scope))
        self.device: str | None = request.scope["state"].get("device")
        self.local: bool = request.scope["state"].get("local", False)
        who = unquote(request.cookies.get(WHO_COOKIE, ""))[:LONGEST_WHO]
        self.who = "".join(char for char in who if char.isprintable()).strip()

    @property
    def author(self) -> Author:
        return Author(self.device or "", self.who)

    async def table(self) -> Table:
        return await self.site.table(self.request.path_params["game"])

    async def view(self, table: Table, read_only: bool = False) -> dict[str, Any]:
        if not read_only:
            await self.site.ready(table)
        return await asyncio.to_thread(view_of, table, self.texts, who=self.who, read_only=read_only)

    async def json(self) -> dict[str, Any]:
        """What the phone sends. WebError for what is no object of JSON, and for values that JSON does not have: texts
        that are none (half of a surrogate pair), numbers without end."""
        try:
            data = json.loads(await self.request.body())
            json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError) as error:
            raise WebError("no JSON", code="bad-request") from error
        if not isinstance(data, dict):
            raise WebError("no JSON object", code="bad-request")
        return data


@contextlib.asynccontextmanager
async def _form(request: Request, files: int, fields: int) -> AsyncIterator[FormData]:
    """The form that a request is, of at most so many files and fields. HTTPException or WebError for what is none."""
    try:
        form = await request.form(max_files=files, max_fields=fields)
    except UnicodeError as error:  # it names an encoding that Python has and nobody can read
        raise WebError("no form", code="bad-request") from error
    try:
        yield form
    finally:
        await form.close()


# --- pages --------------------------------------------------------------------------------------------------------


async def home(request: Request) -> Response:
    asked = _Asked(request)
    games = await asyncio.to_thread(_listed, asked.site, asked.texts)
    lexicons = await asyncio.to_thread(_lexicons)
    html = page.home(
        games,
        asked.texts,
        offer=offer(asked.texts, lexicons),
        share=asked.site.share(None),
        who=asked.who,
        may_delete=asked.local,
    )
    return HTMLResponse(html)


LISTED = 100
"""Games in the list, those that changed last."""


def _listed(site: Site, texts: Texts) -> list[dict[str, Any]]:
    """The games to go on with; one that cannot be opened any more says so when somebody tries."""
    out = []
    for head in site.store.games(LISTED):
        changed = head.changed.astimezone()
        try:
            one = site.summary(head)
        except BrettblickError as error:
            log.warning("game %s cannot be listed: %s", head.id, error)
            continue
        out.append(
            {
                "id": head.id,
                "players": list(one.players),
                "points": list(one.points),
                "phase": one.phase,
                "changed": texts("web.changed-at", date=f"{changed:%d.%m.%Y}", time=f"{changed:%H:%M}"),
                "rules": rules_title(one.rules, texts),
            }
        )
    return out


def _lexicons() -> list[tuple[str, str]]:
    """Name and title of the word lists there are."""
    kept = [(one.about.name, one.about.title) for one in club.kept()]
    return [(naming.BUILT_IN, german.about().title), *kept]


async def join(request: Request) -> Response:
    """A phone joins by the code: in the address of the QR code, or typed in."""
    asked = _Asked(request)
    code = request.query_params.get("code")
    if request.method == "POST":
        async with _form(request, 0, 2) as form:
            code = str(form.get("code", ""))
    if code is None:
        return HTMLResponse(page.join(asked.texts))
    try:
        device = asked.site.guard.join(code, request.scope)
    except WebError as error:
        html = page.join(asked.texts, asked.texts.error(error))
        return HTMLResponse(html, status_of(error), headers_of(error))
    response = RedirectResponse("/", 303)
    response.headers.append("set-cookie", asked.site.guard.cookie_header(device, request.url.scheme == "https"))
    return response


async def language(request: Request) -> Response:
    """Another language for this phone, and back to where it was."""
    wanted = request.path_params["language"]
    if wanted not in LANGUAGES:
        raise HTTPException(404)
    back = request.query_params.get("back", "/")
    if not back.startswith("/") or back.startswith("//") or "\\" in back:
        back = "/"
    response = RedirectResponse(back, 303)
    response.set_cookie(LANGUAGE_COOKIE, wanted, max_age=COOKIE_DAYS * 86400, samesite="strict")
    return response


async def game(request: Request) -> Response:
    asked = _Asked(request)
    table = await asked.table()
    view = await asked.view(table)
    return HTMLResponse(page.shell(view, asked.texts, share=asked.site.share(table.id), who=asked.who))


async def scoreboard(request: Request) -> Response:
    asked = _Asked(request)
    table = await asked.table()
    return HTMLResponse(page.scoreboard(await asked.view(table, read_only=True), asked.texts))


async def sections(request: Request) -> Response:
    asked = _Asked(request)
    return await _sections(asked, await asked.table(), read_only=False)


async def _sections(asked: _Asked, table: Table, read_only: bool) -> Response:
    view = await asked.view(table, read_only)
    html = await asyncio.to_thread(page.sections, view, asked.texts)
    if read_only:
        html.pop("bar")  # of those who play
    return JSONResponse({"version": view["version"], "clock": view["clock"], "sections": html})


async def stream(request: Request) -> Response:
    asked = _Asked(request)
    return _stream(asked, await asked.table(), read_only=False)


def _stream(asked: _Asked, table: Table, read_only: bool) -> Response:
    """Server-sent events (HTML standard, 9.2): the version after each change, and what a camera sees."""
    headers = {"x-accel-buffering": "no"}
    if asked.request.method == "HEAD":
        return Response(media_type="text/event-stream", headers=headers)

    async def told() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        shown: dict[str, Any] | None = None
        async for news in asked.site.hub.listen(table.id):
            if "version" in news:
                data = {"version": table.state.version, "clock": view_clock(table)}
                yield f"event: version\ndata: {json.dumps(data)}\n\n"
            if news:
                live = await asyncio.to_thread(_live, asked, table, read_only)
                if live != shown:
                    shown = live
                    yield f"event: live\ndata: {json.dumps(live)}\n\n"
            else:
                yield ": still here\n\n"

    return StreamingResponse(told(), media_type="text/event-stream", headers=headers)


def _live(asked: _Asked, table: Table, read_only: bool) -> dict[str, Any]:
    """What a page shows of the camera that watches the game."""
    lives = asked.site.lives
    live, now = lives.of(table.id), lives.clock()
    return watching_json(live, asked.texts, now) if read_only else live_json(live, table, asked.texts, now)


def view_clock(table: Table) -> dict[str, Any]:
    """What a phone needs to go on counting by itself."""
    from assistant.web.view import clock_json

    return clock_json(*table.clock())


# --- for those who only watch -------------------------------------------------------------------------------------


async def _spectated(request: Request) -> tuple[_Asked, Table, str]:
    asked, token = _Asked(request), request.path_params["token"]
    found = asked.site.guard.spectated(token)
    if found is None:
        raise HTTPException(404)
    return asked, await asked.site.table(found), f"/zuschauen/{token}"


async def spectate(request: Request) -> Response:
    asked, table, base = await _spectated(request)
    return HTMLResponse(page.spectator(await asked.view(table, read_only=True), asked.texts, base=base))


async def spectate_sections(request: Request) -> Response:
    asked, table, _ = await _spectated(request)
    return await _sections(asked, table, read_only=True)


async def spectate_stream(request: Request) -> Response:
    asked, table, _ = await _spectated(request)
    return _stream(asked, table, read_only=True)


# --- data ---------------------------------------------------------------------------------------------------------


async def view(request: Request) -> Response:
    asked = _Asked(request)
    return JSONResponse(await asked.view(await asked.table()))


async def new_game(request: Request) -> Response:
    """A new game by what the table agrees on."""
    asked = _Asked(request)
    data = await asked.json()
    setup = await asyncio.to_thread(_agreed, data, asked.texts)
    made = await asyncio.to_thread(
        asked.site.store.create, setup.to_json(), asked.author, _request_id(data.get("request"))
    )
    return JSONResponse({"id": made}, 201)


def _agreed(data: Mapping[str, Any], texts: Texts) -> Setup:
    try:
        rules = rule_set(str(data.get("rules", "turnier")))
        tiles = tile_set(str(data.get("tiles", "german")))
        rules = rules.with_settings(rack_size=tiles.rack_size)
        settings = data.get("settings") or {}
        if not isinstance(settings, dict):
            raise WebError("settings is an object", code="bad-request")
        rules = rules.with_texts(f"{name}={value}" for name, value in settings.items())
        minutes = data.get("clock_minutes")
        if minutes is not None:
            if type(minutes) not in (int, float) or not 0 <= minutes <= MINUTES:
                raise WebError("a clock of so many minutes", code="bad-clock-minutes", most=MINUTES)
            rules = rules.with_settings(clock_seconds=round(minutes * 60))
    except RuleError as error:
        raise in_words(error, texts) from error
    players = data.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise WebError("players are names", code="bad-request")
    first = data.get("first_player", 0)
    if type(first) is not int:
        raise WebError("the first player is a number", code="bad-request")
    lexicon = str(data.get("lexicon", naming.BUILT_IN))
    if lexicon not in [name for name, _ in _lexicons()] + ["none"]:  # never a file that somebody names
        raise WebError(f"no lexicon {lexicon[:40]}", code="unknown-lexicon", name=lexicon[:40], allowed=naming.BUILT_IN)
    return agreed(players, rules, tiles, lexicon, first)


async def delete_game(request: Request) -> Response:
    """Deletes a game with its photos. Only at the machine itself: no phone at the table can destroy evidence."""
    asked = _Asked(request)
    if not asked.local:
        raise WebError("only at the machine itself", code="only-here")
    found = request.path_params["game"]
    await asyncio.to_thread(asked.site.store.delete, found)
    asked.site.forget(found)
    return JSONResponse({"deleted": found})


async def import_game(request: Request) -> Response:
    """A game that was written down elsewhere, or an archive of this program."""
    asked = _Asked(request)
    async with _form(request, 1, 20) as form:
        upload = form.get("file")
        if not isinstance(upload, UploadFile):
            raise WebError("no file", code="bad-request")
        fields = {key: value for key, value in form.items() if isinstance(value, str)}
        result = await asyncio.to_thread(
            imported, asked.site.store, upload.file, upload.filename or "", fields, asked.author, asked.texts
        )
    return JSONResponse({"id": result.game, "notes": list(result.notes)}, 201)


async def act(request: Request) -> Response:
    asked = _Asked(request)
    table, data = await asked.table(), await asked.json()
    name = data.get("action")
    if not isinstance(name, str):
        raise ActionError("no action", code="no-such-action", name="")
    request_id = _request_id(data.get("request"))
    if name == "clock":
        await asyncio.to_thread(table.press, data, request_id)
        if data.get("do") == "press":
            asked.site.lives.press(table.id)
    else:
        version = data.get("version")
        if type(version) is not int:
            raise WebError("the version that was seen", code="bad-request")
        await asked.site.ready(table)
        if await _turn_closed(asked.site, table, name, version):
            version = table.state.version
        await asyncio.to_thread(table.act, name, data, author=asked.author, request=request_id, version=version)
    asked.site.tell(table)
    return JSONResponse({"version": table.state.version})


async def _turn_closed(site: Site, table: Table, action: str, version: int) -> bool:
    """Whether a move that the camera proposes was booked, because somebody goes on with the game as they see it.
    ActionError when the camera has to be answered before."""
    live = site.lives.of(table.id)
    if live is None or not table.is_present(version):
        return False
    if await asyncio.to_thread(live.game.asks_before, action):
        raise ActionError("the camera's question comes first", code="question-open")
    return await asyncio.to_thread(live.game.close_turn, action, live.time)


async def photo(request: Request) -> Response:
    """A photo of the turn: read first, so that one that is none is refused, then kept, then part of the game."""
    asked = _Asked(request)
    table = await asked.table()
    async with _form(request, 1, 5) as form:
        upload, events = form.get("photo"), form.get("events")
        if not isinstance(upload, UploadFile) or not isinstance(events, str) or not events.isdecimal():
            raise WebError("a photo and the number of events", code="bad-request")
        data, name = await upload.read(), Path(upload.filename or "").name[:80]
        request_id = _request_id(form.get("request"))
    seen = await _observed(asked, table, data)
    if seen.error is not None:
        text = explain_failure(seen, asked.texts)
        raise WebError(f"no photo: {seen.error}", code="no-picture", why=seen.error, text=text)
    digest = await asyncio.to_thread(asked.site.store.put_photo, data)
    table.observed((digest, None), seen)
    clean = "".join(char for char in name if char.isprintable())
    await asyncio.to_thread(
        table.add_photo, digest, clean, author=asked.author, request=request_id, events=int(events[:9])
    )
    table.observed((digest, None), seen)
    asked.site.tell(table)
    shown = await asked.view(table)
    return JSONResponse({"version": shown["version"], "proposal": shown["proposal"]})


async def _observed(asked: _Asked, table: Table, data: bytes) -> Any:
    if image_type(data[:16]) is None:
        raise WebError("no picture by its first bytes", code="no-picture", why="")
    incoming = asked.site.incoming / secrets.token_hex(16)
    try:
        await asyncio.to_thread(incoming.write_bytes, data)
        return await asked.site.observe(incoming, table.setup.tile_set)
    finally:
        incoming.unlink(missing_ok=True)


async def rack(request: Request) -> Response:
    """A photo of the tiles that somebody has left: read, not kept."""
    asked = _Asked(request)
    table = await asked.table()
    async with _form(request, 1, 5) as form:
        upload = form.get("photo")
        if not isinstance(upload, UploadFile):
            raise WebError("no photo", code="bad-request")
        data = await upload.read()
        fields = {key: value for key, value in form.items() if isinstance(value, str)}
    if image_type(data[:16]) is None:
        raise WebError("no picture by its first bytes", code="no-picture", why="")
    incoming = asked.site.incoming / secrets.token_hex(16)
    try:
        await asyncio.to_thread(incoming.write_bytes, data)
        answer = await rack_answer(asked.site.worker, incoming, fields, table, asked.texts)
    finally:
        incoming.unlink(missing_ok=True)
    return JSONResponse(answer)


def _request_id(value: object) -> str:
    if not isinstance(value, str) or not 8 <= len(value) <= 80 or not value.isascii() or not value.isprintable():
        raise WebError("a request has an id of its own", code="bad-request")
    return value


# --- a camera that watches ----------------------------------------------------------------------------------------


async def live_frame(request: Request) -> Response:
    """A frame of a camera (``live_wire`` says what it is), and what came of it."""
    asked = _Asked(request)
    table = await asked.table()
    async with _form(request, 1, 1) as form:
        upload, meta = form.get("frame"), form.get("meta")
        if not isinstance(upload, UploadFile) or not isinstance(meta, str):
            raise WebError("a frame and its meta", code="bad-request")
        frame = frame_of(await upload.read(), meta)
    answer = await take_frame(asked.site, table, frame)
    return JSONResponse(answer_json(answer, table, asked.texts))


async def live_state(request: Request) -> Response:
    """What the program of a camera says of its source: lost, frozen, ended, or well again."""
    asked = _Asked(request)
    table, data = await asked.table(), await asked.json()
    try:
        camera = camera_of(data)
    except (KeyError, ValueError) as error:
        raise WebError(f"no camera: {error}", code="bad-request") from error
    set_trouble(asked.site, table, camera, data)
    return JSONResponse({})


async def live_press(request: Request) -> Response:
    """A player says that the move is made, at a table whose clock does not run."""
    asked = _Asked(request)
    table = await asked.table()
    if asked.site.lives.of(table.id) is None:
        raise WebError("no camera watches", code="no-camera")
    asked.site.lives.press(table.id)
    return JSONResponse({})


async def live_keep(request: Request) -> Response:
    """Keeps the last 30 seconds of what a camera saw with the game."""
    asked = _Asked(request)
    table, data = await asked.table(), await asked.json()
    number = await keep_clip(asked.site, table, asked.author, _request_id(data.get("request")))
    found = next(one for one in clips_json(table) if one["number"] == number)
    return JSONResponse(found | {"version": table.state.version})


async def live_picture(request: Request) -> Response:
    """The newest frame."""
    asked = _Asked(request)
    live = asked.site.lives.of((await asked.table()).id)
    if live is None or not live.newest:
        raise HTTPException(404)
    return Response(live.newest, headers=photo_headers(live.newest[:16]) | {"cache-control": "no-store"})


# --- pictures -----------------------------------------------------------------------------------------------------


async def shown_photo(request: Request) -> Response:
    asked = _Asked(request)
    table, digest = await asked.table(), request.path_params["digest"]
    if not any(digest in row.photos for row in table.rows):
        raise BrettblickError("no photo of this game", code="no-such-photo", photo=digest[:80])
    if request.query_params.get("original"):
        path = await asyncio.to_thread(asked.site.store.photo, digest)
    else:
        path = await asked.site.display(digest)
    with path.open("rb") as file:
        headers = photo_headers(file.read(16))
    if request.query_params.get("original"):
        headers["content-disposition"] = f'attachment; filename="{digest[:12]}"'
    return FileResponse(path, headers=headers)


async def crop(request: Request) -> Response:
    asked = _Asked(request)
    table, params = await asked.table(), request.path_params
    row, _, col = params["square"].partition("-")
    if not all(number.isdecimal() and len(number) <= 2 and int(number) < SIZE for number in (row, col)):
        raise HTTPException(404)
    await asked.site.ready(table)
    path = await asked.site.crop(table, params["digest"], Square(int(row), int(col)))
    # a photo of the turn may be understood in another way later
    return FileResponse(path, headers={"content-type": "image/jpeg", "cache-control": "private, max-age=60"})


# --- all together -------------------------------------------------------------------------------------------------


class _Static(StaticFiles):
    """The page's own files: kept by the browser, which asks each time whether they are still the same."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers.setdefault("cache-control", "no-cache")
        return response


USUAL = Limits()


def make_app(site: Site, limits: Limits = USUAL) -> ASGIApp:
    """The page of a site; its worker is started and its games are looked after while it runs."""
    one = "/games/{game}"
    watch = "/zuschauen/{token}"
    routes = [
        Route("/", home),
        Route(JOIN, join, methods=["GET", "POST"]),
        Route("/sprache/{language}", language),
        Route(one, game),
        Route(f"{one}/sections", sections),
        Route(f"{one}/stream", stream),
        Route(f"{one}/scoreboard", scoreboard),
        Route(f"{one}/live/frame.jpg", live_picture),
        Route(f"{one}/photos/{{digest}}", shown_photo),
        Route(f"{one}/crops/{{digest}}/{{square}}.jpg", crop),
        *papers.routes(),
        Route(watch, spectate),
        Route(f"{watch}/sections", spectate_sections),
        Route(f"{watch}/stream", spectate_stream),
        Route("/api/games", new_game, methods=["POST"]),
        Route("/api/import", import_game, methods=["POST"]),
        Route("/api/games/{game}", view),
        Route("/api/games/{game}/act", act, methods=["POST"]),
        Route("/api/games/{game}/delete", delete_game, methods=["POST"]),
        Route("/api/games/{game}/photo", photo, methods=["POST"]),
        Route("/api/games/{game}/rack", rack, methods=["POST"]),
        Route("/api/games/{game}/live/frame", live_frame, methods=["POST"]),
        Route("/api/games/{game}/live/state", live_state, methods=["POST"]),
        Route("/api/games/{game}/live/press", live_press, methods=["POST"]),
        Route("/api/games/{game}/live/keep", live_keep, methods=["POST"]),
        Mount("/static", _Static(directory=Path(str(files("assistant.web") / "static")))),
    ]

    @contextlib.asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        site.worker.start()
        tasks = [asyncio.create_task(site.keep_clocks()), asyncio.create_task(site.look_around())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.to_thread(site.worker.close)
            with contextlib.suppress(BrettblickError):
                await asyncio.to_thread(site.tables.keep_clocks)

    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(GuardMiddleware, guard=site.guard),
            Middleware(RateLimit, limits=limits),
            Middleware(BodyLimit),
        ],
        exception_handlers={
            BrettblickError: _refused,
            HTTPException: _http_error,
            ClientDisconnect: _gone,
            OSError: _disk_failed,
            Exception: _broken,
        },
        lifespan=running,
    )
    app.state.site = site
    return Headers(app)  # outermost, so that even what a mistake of ours answers has them


async def _refused(request: Request, error: Exception) -> Response:
    """What a person reads when something was not done."""
    assert isinstance(error, BrettblickError)
    texts = Texts(language_of(request.scope))
    status = status_of(error)
    # where the command line's advice names an option, the page has its own
    own = f"web.error.{error.code}"
    data: dict[str, Any] = {"error": error.code, "message": texts(own) if texts.has(own) else texts.error(error)}
    if isinstance(error, Refused):
        data["faults"] = faults_json(error.refusal, error.game, texts)
        data["message"] = "\n".join(fault["text"] for fault in data["faults"])
    if status == 400 and (request.method == "POST" or isinstance(error, NotationError)):
        status = 422
    if wants_page(request.scope):
        return HTMLResponse(page.trouble(texts, data["message"]), status, headers_of(error))
    return JSONResponse(data, status, headers_of(error))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    texts = Texts(language_of(request.scope))
    message = texts("web.not-here") if error.status_code == 404 else texts("web.not-so")
    if wants_page(request.scope):
        return HTMLResponse(page.trouble(texts, message), error.status_code)
    return JSONResponse({"error": f"http-{error.status_code}", "message": message}, error.status_code)


async def _gone(request: Request, error: Exception) -> Response:
    """The phone went away in the middle of a request; nobody reads this."""
    return Response(status_code=400)


async def _disk_failed(request: Request, error: Exception) -> Response:
    """Where uploads and pictures are kept, as the store says it of itself."""
    try:
        with told(str(request.app.state.site.folder)):
            raise error
    except StoreError as known:
        log.warning("%s %s failed: %s", request.method, request.url.path, known)
        return await _refused(request, known)


async def _broken(request: Request, error: Exception) -> Response:
    """A mistake of ours: written to the log; nothing of the game is lost."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    texts = Texts(language_of(request.scope))
    return JSONResponse({"error": "internal", "message": texts("web.broken")}, 500)
