"""What every response tells the browser, and what a photo is."""

from __future__ import annotations

import asyncio
import io

import httpx
import numpy as np
import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from assistant.web.headers import HEADERS, Headers, image_type, photo_headers

PICTURE = Image.fromarray(np.zeros((8, 8, 3), np.uint8))


def picture(kind: str) -> bytes:
    out = io.BytesIO()
    PICTURE.save(out, kind)
    return out.getvalue()


async def page(request: object) -> Response:
    return HTMLResponse("<p>")


async def photo(request: object) -> Response:
    data = picture("PNG")
    return Response(data, headers=photo_headers(data))


async def broken(request: object) -> Response:
    raise ZeroDivisionError


async def static(request: object) -> Response:
    return PlainTextResponse("x", headers={"Cache-Control": "no-cache"})


APP = Starlette(
    routes=[Route("/page", page), Route("/photo", photo), Route("/broken", broken), Route("/static", static)]
)


def headers_of(path: str, base: str = "http://localhost") -> httpx.Headers:
    async def go() -> httpx.Headers:
        transport = httpx.ASGITransport(Headers(APP), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=base) as session:
            return (await session.get(path)).headers

    return asyncio.run(go())


@pytest.mark.parametrize("path", ["/page", "/nowhere", "/broken"])
def test_every_response_is_strict(path: str) -> None:
    headers = headers_of(path)
    assert {key: headers[key] for key in HEADERS} == HEADERS
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy == {
        "default-src": "'self'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' blob: data:",
        "media-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert headers["permissions-policy"].startswith("camera=(self), microphone=()")
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("base", "has"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000", True),
        ("https://192.168.1.7:8000", True),
        ("http://192.168.1.7:8000", False),
        ("http://192.168.1.7", False),
    ],
)
def test_what_browsers_ignore_on_plain_http_is_not_sent(base: str, has: bool) -> None:
    """They would complain on the console of every phone in the network."""
    missing = {key for key in HEADERS if key not in headers_of("/page", base)}
    assert missing == (set() if has else {"cross-origin-opener-policy"})


def test_what_a_response_says_itself_stays() -> None:
    headers = headers_of("/static")
    assert headers.get_list("cache-control") == ["no-cache"]
    assert headers["x-content-type-options"] == "nosniff"


def test_a_photo_can_do_nothing() -> None:
    headers = headers_of("/photo")
    assert headers.get_list("content-security-policy") == ["sandbox; default-src 'none'"]
    assert headers["content-type"] == "image/png" and headers["content-disposition"] == "inline"
    assert headers["cache-control"] == "private, max-age=31536000, immutable"
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF"])
def test_a_photo_is_what_its_bytes_are(kind: str) -> None:
    data = picture(kind)
    assert image_type(data[:16]) == f"image/{kind.lower()}"
    assert Image.open(io.BytesIO(data)).get_format_mimetype() == image_type(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<?xml version='1.0'?><svg/>",
        b"<!doctype html><script>alert(1)</script>",
        b"GIF88a",
        b"RIFF\0\0\0\0WAVE",
        b"%PDF-1.7",
        b"\xff\xd8",
        b"\0\0\0\x18ftypmp42",
        b" \xff\xd8\xff",
    ],
)
def test_what_is_no_photo_is_not_shown(data: bytes) -> None:
    assert image_type(data) is None
    headers = photo_headers(data)
    assert headers["content-type"] == "application/octet-stream" and headers["content-disposition"] == "attachment"


def test_a_page_behind_a_photos_head_is_a_photo() -> None:
    polyglot = picture("JPEG")[:20] + b"<html><script>alert(1)</script>"
    assert photo_headers(polyglot)["content-type"] == "image/jpeg"


def test_iphones_photos() -> None:
    assert image_type(b"\0\0\0\x24ftypheic\0\0\0\0mif1heic") == "image/heic"
