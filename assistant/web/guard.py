"""Who may see and change games: a secret of this server, and what is signed with it.

- A **device** is a browser that has joined, by the code in the QR code; or one on this very machine, by opening the
  page. It keeps a signed cookie. There are no users and no passwords.
- A **spectator** has a link to one game and no cookie.
- A **host** that is none of this server's own names is refused: a page elsewhere could else point its name at this
  server and talk to it from the browser of somebody who has joined ("DNS rebinding").
- A **change** comes from the page itself (against forged requests from other sites, "CSRF").
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import ipaddress
import re
import secrets
import socket
import stat
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import parse_qs, urlencode

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.texts import Texts
from assistant.web.errors import WebError, cookies, header, language_of, refuse, wants_page, with_headers
from assistant.web.limits import Buckets, Rate, address_of, too_many
from assistant.web.secret_file import write_secret
from scorer.errors import BrettblickError

SECRET_BYTES = 32

COOKIE = "brettblick"

COOKIE_DAYS = 180
"""How long a device stays joined."""

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of the code to join with: no O and 0, no I and 1 beside L."""

CODE_LENGTH = 10
"""50 bits: at a hundred tries a second, of a thousand clients who are slowed, 180,000 years for half of them."""

WRONG_CODES = Rate(6, 0.1)
"""Wrong codes of one address: a few slips of the finger, then one in ten seconds."""

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

NETWORK_SUFFIXES = ("local", "fritz.box", "lan", "home", "home.arpa", "localdomain")
"""What home networks put behind a machine's name: mDNS (RFC 6762), common routers, RFC 8375."""

FORWARDED = (b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip", b"via")
"""Headers of a proxy: behind one everybody in the world seems to be on this machine."""

JOIN = "/join"
PUBLIC = ("/static/", "/zuschauen/")
"""What may be seen without a cookie, beside the page to join: the page's own files, and games whose link one has."""


class SecretError(BrettblickError):
    """The file of the secret is there and cannot be used."""

    code = "bad-secret-file"


class Guard:
    """The secret, and all that is derived from it.

    folder: of the data; the secret is in its file ``secret``, made when it is not there. BrettblickError
            (``cannot-write``, ``bad-secret-file``) when that fails.
    lan:    whether others than this machine may ask
    names:  further host names that the server is asked by
    now:    seconds since 1970
    clock:  seconds that never go back
    """

    def __init__(
        self,
        folder: Path,
        *,
        lan: bool = False,
        names: Iterable[str] = (),
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path, self.lan, self._now = folder / "secret", lan, now
        self.names = frozenset(name.lower() for name in (*names, *own_names())) if lan else frozenset()
        self._wrong = Buckets(clock)
        self._secret = self._read() if self.path.exists() else self._made()

    def _made(self) -> bytes:
        write_secret(self.path, secrets.token_bytes(SECRET_BYTES), replace=False)
        return self._read()

    def _read(self) -> bytes:
        try:
            if stat.S_IMODE(self.path.stat().st_mode) & 0o077:
                self.path.chmod(0o600)
            with self.path.open("rb") as file:
                secret = file.read(SECRET_BYTES + 1)
        except OSError as error:
            raise SecretError(f"{self.path}: {error.strerror}", path=self.path) from error
        if len(secret) != SECRET_BYTES:
            raise SecretError(f"{self.path}: not {SECRET_BYTES} bytes", path=self.path)
        return secret

    def renew_secret(self) -> None:
        """A new secret: every device has to join again, all links and codes given out are void."""
        write_secret(self.path, secrets.token_bytes(SECRET_BYTES))
        self._secret = self._read()

    def _mac(self, purpose: str, text: str) -> bytes:
        """HMAC-SHA256 (RFC 2104) under a key of its own for each purpose, so that no code is ever a cookie."""
        key = hmac.digest(self._secret, purpose.encode(), hashlib.sha256)
        return hmac.digest(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256)

    # Devices

    def new_device(self) -> str:
        """A name for a browser that has joined just now."""
        return secrets.token_urlsafe(12)

    def cookie(self, device: str) -> str:
        """The value of the device's cookie: version, device, time of issue and signature."""
        signed = f"1.{device}.{int(self._now())}"
        return f"{signed}.{_text(self._mac('cookie', signed))}"

    def cookie_header(self, device: str, secure: bool) -> str:
        """``Set-Cookie`` for a device. secure: whether the page came by https, and the cookie goes back only so."""
        parts = [f"{COOKIE}={self.cookie(device)}", "Path=/", f"Max-Age={COOKIE_DAYS * 86400}", "HttpOnly"]
        return "; ".join([*parts, "SameSite=Strict", *["Secure"] * secure])

    def device_of(self, cookie: str) -> str | None:
        """The device of a cookie's value; None when it is not signed with this secret, or too old.

        One from the future is good: a machine without a battery for its clock can wake up in the past.
        """
        found = re.fullmatch(r"(1\.([\w-]{16})\.(\d{1,12}))\.([\w-]{43})", cookie, re.ASCII)
        if not found:
            return None
        signed, device, issued, signature = found.groups()
        if not hmac.compare_digest(_text(self._mac("cookie", signed)), signature):
            return None
        return device if self._now() - int(issued) < COOKIE_DAYS * 86400 else None

    # Codes and links

    @property
    def code(self) -> str:
        """What has to be known to join: in the QR code, and short enough to type."""
        number = int.from_bytes(self._mac("join", ""), "big")
        return "".join(CODE_LETTERS[number >> 5 * k & 31] for k in range(CODE_LENGTH))

    @property
    def code_shown(self) -> str:
        """The code as people read it out: in two halves."""
        return f"{self.code[: CODE_LENGTH // 2]}-{self.code[CODE_LENGTH // 2 :]}"

    def join(self, code: str, scope: Scope) -> str:
        """The name of a new device, for whoever knows the code; small letters, spaces and hyphens do not matter.

        WebError ``wrong-code``; ``too-many-requests`` after some, for the right code too: who is slowed must not be
        able to go on guessing.
        """
        wanted = [(address_of(scope), WRONG_CODES)]
        if wait := self._wrong.wait(wanted):
            raise too_many(wait)
        typed = re.sub(r"[\s–-]", "", code[:100]).upper().replace("I", "L").replace("1", "L")
        if not hmac.compare_digest(typed.encode("utf-8", "surrogatepass"), self.code.encode()):
            self._wrong.take(wanted)
            raise WebError("this is not the code", code="wrong-code")
        return self.new_device()

    def spectator_token(self, game: str) -> str:
        """What stands in a spectator's link: the game, signed."""
        return f"{game}.{_text(self._mac('spectator', game)[:16])}"

    def spectated(self, token: str) -> str | None:
        """The game of a spectator's token, None when it is none of this server's."""
        game = token.rpartition(".")[0]
        same = hmac.compare_digest(
            token.encode("utf-8", "surrogatepass"), self.spectator_token(game).encode("utf-8", "surrogatepass")
        )
        return game if game and same else None

    # Requests

    def right_host(self, scope: Scope) -> bool:
        """Whether the request asks for this server by one of its own names, and for its own port.

        An address is right when the connection came in on it, so that it may change while the server runs. That is
        safe: another site's page can point its own name here, but is never opened under an address that is not its own.
        """
        hosts = [value.decode("latin-1") for key, value in scope["headers"] if key == b"host"]
        named = _host_and_port(hosts[0], scope["scheme"]) if len(hosts) == 1 else None
        server = scope.get("server")
        if named is None or not server:
            return False
        name, port = named
        if port != (server[1] or _default_port(scope["scheme"])):
            return False
        if name in LOOPBACK_NAMES:
            return True
        return self.lan and (name in self.names or _address(name) == _address(server[0]) is not None)

    def from_this_machine(self, scope: Scope) -> bool:
        """Whether a browser on this machine asks, by a name that means this machine, and no proxy stands between."""
        client, named = scope.get("client"), _host_and_port(header(scope, b"host") or "", scope["scheme"])
        address = _address(client[0]) if client else None
        proxied = any(key in FORWARDED for key, _ in scope["headers"])
        return bool(address and address.is_loopback and named and named[0] in LOOPBACK_NAMES and not proxied)

    def from_page(self, scope: Scope) -> bool:
        """Whether a request was made by this server's own page: it has the header that no form and no other site can
        send unasked (Fetch standard, 3.2), and the browser says where it comes from."""
        origin, site = header(scope, b"origin"), header(scope, b"sec-fetch-site")
        if header(scope, b"x-brettblick") != "1" or site not in (None, "same-origin") or (origin, site) == (None, None):
            return False
        if origin is None:
            return True
        scheme, _, rest = origin.partition("://")
        named = _host_and_port(rest, scheme)
        own = _host_and_port(header(scope, b"host") or "", scope["scheme"])
        return named is not None and scheme == scope["scheme"] and named == own


class GuardMiddleware:
    """ASGI middleware: lets through what `Guard` allows, with ``scope["state"]["device"]`` (None for spectators and
    whoever is still to join), ``["local"]`` (on this machine) and ``["new"]`` (the device gets its cookie just now).

    Everything needs a device but `PUBLIC` paths and `JOIN`; a person without one is sent there, and from there back if
    there is one after all: a browser keeps the cookie to itself when a link elsewhere, or the scanner of a QR code,
    opens the page (``SameSite=Strict``), and sends it with what our own page opens next. What changes something must
    come from the page; joining need not, as the code is proof enough. WebSockets are refused: there are none.
    """

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        guard, path = self.guard, scope["path"]
        if not guard.right_host(scope):
            await refuse(WebError("asked for another host", code="wrong-host"), scope, receive, send)
            return
        local = guard.from_this_machine(scope)
        if not (guard.lan or local):
            await refuse(WebError("not on this machine", code="not-joined"), scope, receive, send)
            return
        device = next(filter(None, map(guard.device_of, cookies(scope, COOKIE)[:4])), None)
        # from a link elsewhere the cookie may only be held back: the page that leads to JOIN finds out
        new = device is None and local and wants_page(scope) and not _from_elsewhere(scope)
        if new:
            device = guard.new_device()
            send = _with_cookie(send, guard, device, scope["scheme"])
        safe = scope["method"] in ("GET", "HEAD")
        if not safe and path != JOIN and not guard.from_page(scope):
            await refuse(WebError("not from the page", code="not-from-page"), scope, receive, send)
            return
        if device is None and path != JOIN and not (safe and path.startswith(PUBLIC)):
            if wants_page(scope):
                await _send_to_join(scope, send)
            else:
                await refuse(WebError("has not joined", code="not-joined"), scope, receive, send)
            return
        if device is not None and safe and path == JOIN:
            await _send_back(scope, send)
            return
        scope.setdefault("state", {}).update(device=device, local=local, new=new)
        await self.app(scope, receive, send)


def _from_elsewhere(scope: Scope) -> bool:
    """Whether the browser says that a page of another site led here; over http it says so on this machine only."""
    return header(scope, b"sec-fetch-site") in ("cross-site", "same-site")


def _with_cookie(send: Send, guard: Guard, device: str, scheme: str) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            value = guard.cookie_header(device, scheme == "https")
            message = with_headers(message, [(b"set-cookie", value.encode())])
        await send(message)

    return answer


BACK = "back"
"""Of `JOIN`: the path to go to for a device that has joined."""


async def _send_to_join(scope: Scope, send: Send) -> None:
    """A page that leads to `JOIN` at once. A redirect would not do: to the browser it still were the link elsewhere."""
    texts, wanted = Texts(language_of(scope)), scope["path"]
    target = f"{JOIN}?{urlencode({BACK: wanted}, errors='replace')}"
    text = html.escape(texts.error(WebError("has not joined", code="not-joined")))
    body = (
        f'<!doctype html><html lang="{texts.language}"><meta charset="utf-8"><title>Brettblick</title>'
        f'<meta http-equiv="refresh" content="0;url={html.escape(target)}"><a href="{html.escape(target)}">{text}</a>'
    ).encode()
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _send_back(scope: Scope, send: Send) -> None:
    wanted = parse_qs(scope["query_string"].decode("latin-1")).get(BACK, ["/"])[0]
    path = wanted if re.fullmatch(r"/(?![/\\])[\w./-]*", wanted, re.ASCII) and wanted != JOIN else "/"
    headers = [(b"location", path.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def own_names() -> list[str]:
    """The names by which others in the house may ask for this machine."""
    name = socket.gethostname().partition(".")[0]
    return [name, *(f"{name}.{suffix}" for suffix in NETWORK_SUFFIXES)] if name else []


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _default_port(scheme: str) -> int:
    return 443 if scheme == "https" else 80


def _host_and_port(text: str, scheme: str) -> tuple[str, int] | None:
    """``Host`` as it is compared: small letters, an IPv6 address without brackets, with the port that it means."""
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?", text, re.ASCII)
    if not found:
        return None
    name = (found[1] or found[2]).lower().removesuffix(".")
    address = _address(name)
    return str(address) if address else name, int(found[3] or _default_port(scheme))


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address a text is, None for another; IPv4 also where it is written as IPv6."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, ipaddress.IPv6Address) else address
