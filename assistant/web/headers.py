"""Headers that tell the browser how little the page needs, so that nothing else can be done with it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.web.errors import header, with_headers

PAGE_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Content-Security-Policy (level 3) of the page: its own files only, nothing written into the page itself."""

PHOTO_POLICY = "sandbox; default-src 'none'"
"""Of photos: opened on its own, one can do nothing, whatever is hidden in it."""

REPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Of reports, which are one file with their styles and pictures in it, and no scripts."""

HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "permissions-policy": "camera=(self), microphone=(), geolocation=(), display-capture=(), usb=(), payment=()",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}
"""What every response has that does not say otherwise."""

SECURE_ONLY = "cross-origin-opener-policy"
"""Browsers ignore it, and complain, where the page came by plain http from another machine (HTML standard, 7.1.3)."""


class Headers:
    """ASGI middleware: `HEADERS` on every response, where it has none of the name itself."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str] = HEADERS) -> None:
        self.app = app
        self.headers = [(key.encode(), value.encode()) for key, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {key.lower() for key, _ in message.get("headers", ())}
                if not _trustworthy(scope):
                    own.add(SECURE_ONLY.encode())
                message = with_headers(message, [(key, value) for key, value in self.headers if key not in own])
            await send(message)

        await self.app(scope, receive, answer)


def _trustworthy(scope: Scope) -> bool:
    """Whether the page is asked for by https or on this very machine (Secure Contexts, 3.1)."""
    host = header(scope, b"host") or ""
    return scope["scheme"] == "https" or bool(re.match(r"(localhost|127\.[\d.]+|\[::1\])(:|$)", host))


def image_type(head: bytes) -> str | None:
    """Media type of a picture by its first 16 bytes, None for what is no photo (SVG is none: it can hold scripts).

    By the WHATWG's MIME sniffing standard, 6.1; HEIF by ISO/IEC 23008-12, TIFF by its specification.
    """
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if head.startswith(b"BM"):
        return "image/bmp"
    if head.startswith((b"II*\0", b"MM\0*")):
        return "image/tiff"
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        if brand in (b"avif", b"avis"):
            return "image/avif"
        if brand in (b"heic", b"heix", b"hevc", b"hevx", b"mif1", b"msf1"):
            return "image/heic"
    return None


def photo_headers(head: bytes) -> dict[str, str]:
    """Headers of a stored photo, whose name is the hash of its bytes: what it is by those, not by what anybody said.

    head: its first 16 bytes or more
    """
    kind = image_type(head)
    return {
        "content-type": kind or "application/octet-stream",
        "content-disposition": "inline" if kind else "attachment",
        "content-security-policy": PHOTO_POLICY,
        "cache-control": "private, max-age=31536000, immutable",
    }
