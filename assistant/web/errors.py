"""Errors on the way between a phone and the server: their HTTP status, their JSON, and how a request is refused."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterable

from starlette.types import Message, Receive, Scope, Send

from assistant.texts import LANGUAGES, Texts, default_language
from scorer.errors import BrettblickError

STATUS = {
    "already-watched": 409,
    "busy": 503,
    "changed-meanwhile": 409,
    "no-camera": 409,
    "no-such-game": 404,
    "no-such-photo": 404,
    "not-from-page": 403,
    "not-joined": 403,
    "nothing-to-keep": 409,
    "only-here": 403,
    "photo-damaged": 500,
    "photo-too-hard": 422,
    "store-busy": 503,
    "store-damaged": 500,
    "store-failed": 500,
    "store-full": 507,
    "store-read-only": 503,
    "store-unreachable": 503,
    "too-many-at-once": 429,
    "too-many-cameras": 503,
    "too-many-requests": 429,
    "upload-too-large": 413,
    "upload-too-slow": 408,
    "wrong-code": 403,
    "wrong-host": 421,
}
"""HTTP status by code; every other error is 400, the sender's."""

RETRY_AFTER = {"busy": 3, "store-busy": 3, "too-many-at-once": 5}
"""Seconds after which another try makes sense; ``too-many-requests`` says it itself (detail ``seconds``)."""

LANGUAGE_COOKIE = "lang"


class WebError(BrettblickError):
    """A request that is refused before anything of a game is touched."""

    code = "bad-request"


def header(scope: Scope, name: bytes) -> str | None:
    """The first header of that name (lower case), None when there is none."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None


def cookies(scope: Scope, name: str) -> list[str]:
    """The values of the cookies of that name: a browser may send several, from other ports and paths of the host."""
    values = []
    for key, value in scope["headers"]:
        if key == b"cookie":
            for part in value.decode("latin-1").split(";"):
                own, _, text = part.strip().partition("=")
                if own == name:
                    values.append(text)
    return values


def language_of(scope: Scope) -> str:
    """The language that the page was switched to (cookie), else the server's."""
    return next((value for value in cookies(scope, LANGUAGE_COOKIE) if value in LANGUAGES), default_language())


def wants_page(scope: Scope) -> bool:
    """Whether somebody opens a page, rather than a script asking for data."""
    return scope["method"] in ("GET", "HEAD") and "text/html" in (header(scope, b"accept") or "")


def status_of(error: BrettblickError) -> int:
    return STATUS.get(error.code, 400)


def headers_of(error: BrettblickError) -> dict[str, str]:
    """``Retry-After``, where it makes sense to try again."""
    said = error.details.get("seconds") if error.code == "too-many-requests" else RETRY_AFTER.get(error.code)
    return {} if said is None else {"retry-after": str(said)}


def as_json(error: BrettblickError, texts: Texts) -> dict[str, str]:
    """What a script of the page gets: the stable code, and the text for the person in front of it."""
    return {"error": error.code, "message": texts.error(error)}


def has_body(scope: Scope) -> bool:
    """Whether the request says that a body follows (RFC 9112, 6.3)."""
    return header(scope, b"transfer-encoding") is not None or header(scope, b"content-length") not in (None, "0")


LINGER_SECONDS, LINGER_BYTES = 1.0, 2 << 20
"""How long, and how much of, the body of a refused request is still taken and thrown away. A connection closed on
arriving bytes is reset, and the answer may be lost with it: a phone would show "no connection" in place of the reason.
The same as nginx's lingering_close, but short: an upload of gigabytes is cut off."""


async def refuse(
    error: BrettblickError,
    scope: Scope,
    receive: Receive,
    send: Send,
    *,
    more: bool | None = None,
    linger: bool = True,
) -> None:
    """Answers with the error and closes the connection if some of the body is still to come.

    more:   whether it is; None to believe the headers, where nothing was received yet
    linger: whether to take a little of it first (`LINGER_SECONDS`)
    """
    texts = Texts(language_of(scope))
    if wants_page(scope):
        kind, body = b"text/plain; charset=utf-8", texts.error(error).encode()
    else:
        kind, body = b"application/json", json.dumps(as_json(error, texts), ensure_ascii=False).encode()
    more = has_body(scope) if more is None else more
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    headers += [(key.encode(), value.encode()) for key, value in headers_of(error).items()]
    if more:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status_of(error), "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": more})
    if more:
        if linger:
            await _take_a_little(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _take_a_little(receive: Receive) -> None:
    taken = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while taken < LINGER_BYTES:
                message = await receive()
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
                taken += len(message.get("body", b""))


def with_headers(message: Message, headers: Iterable[tuple[bytes, bytes]]) -> Message:
    """The start of a response with these headers too."""
    return {**message, "headers": [*message.get("headers", ()), *headers]}
