"""The running server, open to the network, asked by people who mean no good: what it answers, and that the game beside
is unharmed."""

from __future__ import annotations

import io
import json
import random
import re
import socket
import struct
import sys
import threading
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from assistant.table.actions import ACTIONS
from assistant.web.guard import Guard
from assistant.web.limits import Limits
from bench.served import Flood, Phone, Server, head, memory, raw, request_id

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks from many addresses of the loopback network")

PATIENCE = 60.0
"""Seconds that a slow machine may take."""

STRANGER = {"Via": "1.1 proxy"}
"""Who asks through a proxy is not on this machine."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("hostile") / "data", "--lan") as server:
        yield server
    log = server.log.read_text()
    assert "Traceback" not in log and "ERROR" not in log, log


class Honest:
    """Somebody who plays meanwhile: a game with a move."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.phone = Phone(server.base, who="Anna")
        self.game = self.phone.new_game()
        self.phone.done(self.game, "type", move="H4 FIRNS")
        self.phone.done(self.game, "confirm")
        self.before = self.phone.view(self.game)

    def unharmed(self) -> None:
        """The game is as it was, and goes on."""
        now = self.phone.view(self.game)
        for key in ("version", "events", "board", "sheet", "players", "proposal", "phase", "challenge"):
            assert now[key] == self.before[key], key
        assert self.phone.done(self.game, "pass") == self.before["version"] + 1
        assert self.phone.done(self.game, "undo") == self.before["version"] + 2


@pytest.fixture(scope="module")
def addresses() -> Iterator[str]:
    """Addresses that nobody has asked from: each has limits of its own."""
    return (f"127.0.{k // 250 + 1}.{k % 250 + 1}" for k in range(10_000))


@pytest.fixture
def honest(server: Server) -> Iterator[Honest]:
    honest = Honest(server)
    yield honest
    honest.unharmed()
    honest.phone.http.close()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Honest]:
    """Somebody who plays on a server whose allowances nobody has used: all devices together have one, which some sixty
    uploads or some hundred changes use up on a fast machine."""
    with Server(tmp_path / "data", "--lan") as server:
        honest = Honest(server)
        yield honest
        honest.unharmed()
        honest.phone.http.close()
    log = server.log.read_text()
    assert "Traceback" not in log and "ERROR" not in log, log


@pytest.fixture
def phone(server: Server, addresses: Iterator[str]) -> Iterator[Phone]:
    """Of somebody who has joined and is not to be trusted."""
    with Phone(server.base, address=next(addresses)) as phone:
        yield phone


def refused(answer: httpx.Response, status: int, code: str) -> None:
    assert answer.status_code == status, (answer.status_code, answer.text)
    assert answer.json()["error"] == code and len(answer.json()["message"]) > 10


# --- without the secret -------------------------------------------------------------------------------------------


def cookies(server: Server, honest: Honest, tmp_path: Path) -> dict[str, str]:
    """What somebody might try as a cookie, by why it is wrong."""
    own, guard = honest.phone.cookie, Guard(server.folder, lan=True)
    version, device, issued, signature = own.split(".")
    other = Guard(tmp_path, lan=True)
    return {
        "none": "",
        "another device": ".".join([version, "A" * 16, issued, signature]),
        "another time": ".".join([version, device, str(int(issued) + 1), signature]),
        "another signature": ".".join([version, device, issued, "A" * 43]),
        "no signature": ".".join([version, device, issued]),
        "of another server": other.cookie(device),
        "a spectator's link": guard.spectator_token(honest.game),
        "the code": guard.code,
        "endless": own * 100,
        "SQL": "' OR '1'='1",
    }


def test_without_the_secret(server: Server, honest: Honest, tmp_path: Path, addresses: Iterator[str]) -> None:
    """Nothing of a game is shown and nothing is changed."""
    transport = httpx.HTTPTransport(local_address=next(addresses))
    headers = {**honest.phone.headers, **STRANGER}
    for value in cookies(server, honest, tmp_path).values():
        with httpx.Client(base_url=server.base, transport=transport, headers=headers) as stranger:
            stranger.headers["cookie"] = f"brettblick={value}"
            for path in (f"/api/games/{honest.game}", f"/games/{honest.game}/stream", "/api/games/nonsense"):
                refused(stranger.get(path), 403, "not-joined")
            page = stranger.get(f"/games/{honest.game}", headers={"accept": "text/html"})
            refused_page = page.status_code in (303, 403) or page.text.count("/join")  # sent on, or told to join
            assert refused_page and "FIRNS" not in page.text
            said = {"action": "undo", "version": honest.before["version"], "request": request_id()}
            refused(stranger.post(f"/api/games/{honest.game}/act", json=said), 403, "not-joined")
            refused(
                stranger.post("/api/games", json={"players": ["A", "B"], "request": request_id()}), 403, "not-joined"
            )
            refused(stranger.post(f"/api/games/{honest.game}/photo", content=b"x"), 403, "not-joined")


def test_wrong_codes(server: Server, honest: Honest, addresses: Iterator[str]) -> None:
    """After some wrong codes an address has to wait, with the right one too; another address has not."""
    guard = Guard(server.folder, lan=True)

    def join(client: httpx.Client, code: str) -> httpx.Response:
        return client.get("/join", params={"code": code}, headers={"accept": "text/html", **STRANGER})

    with httpx.Client(base_url=server.base, transport=httpx.HTTPTransport(local_address=next(addresses))) as client:
        for code in ("", "AAAAAAAAAA", guard.code[:-1], guard.code + "A", "' OR 1=1 --", "\ud83d\ude00" * 50):
            answer = join(client, code.encode("utf-16", "surrogatepass").decode("utf-16"))
            assert answer.status_code == 403 and "set-cookie" not in answer.headers
        for code in ("WRONGCODES", guard.code):
            answer = join(client, code)
            assert answer.status_code == 429 and int(answer.headers["retry-after"]) > 0
            assert "set-cookie" not in answer.headers
    with httpx.Client(base_url=server.base, transport=httpx.HTTPTransport(local_address=next(addresses))) as client:
        assert join(client, guard.code_shown.lower()).status_code in (200, 303)
        assert client.get(f"/api/games/{honest.game}", headers=STRANGER).status_code == 200


def test_spectators_only_look(server: Server, honest: Honest, addresses: Iterator[str]) -> None:
    token = Guard(server.folder, lan=True).spectator_token(honest.game)
    with httpx.Client(base_url=server.base, transport=httpx.HTTPTransport(local_address=next(addresses))) as client:
        client.headers.update({**honest.phone.headers, **STRANGER})
        assert "FIRNS" in client.get(f"/zuschauen/{token}").text
        sections = client.get(f"/zuschauen/{token}/sections").json()["sections"]
        assert "FIRNS" in json.dumps(sections) and "data-act" not in json.dumps(sections)
        said = {"action": "undo", "version": honest.before["version"], "request": request_id()}
        for path in (f"/zuschauen/{token}", f"/zuschauen/{token}/act", f"/api/games/{honest.game}/act"):
            for method in ("POST", "PUT", "DELETE", "PATCH"):
                refused(client.request(method, path, json=said), 403, "not-joined")
        game, _, signature = token.partition(".")
        for wrong in (
            game,
            f"{game}.",
            f"{game}.{signature[:-1]}",
            f"{game}.{signature[::-1]}",
            f"x{token}",
            f"{token}x",
        ):
            assert client.get(f"/zuschauen/{wrong}").status_code == 404
            assert client.get(f"/zuschauen/{wrong}/stream").status_code == 404
        for path in (f"/games/{token}", f"/api/games/{token}"):
            refused(client.get(path), 403, "not-joined")


def test_a_new_code_shuts_everybody_out(tmp_path: Path) -> None:
    """What was given out before --new-code is void: cookies, codes, links."""
    folder = tmp_path / "data"
    with Server(folder, "--lan") as server, Phone(server.base) as phone:
        game, cookie = phone.new_game(), phone.cookie
        guard = Guard(folder, lan=True)
        code, link = guard.code, guard.spectator_token(game)
        port = server.port
    with Server(folder, "--lan", "--new-code", port=port) as server:
        with httpx.Client(base_url=server.base, headers={**phone.headers, **STRANGER}) as old:
            old.headers["cookie"] = f"brettblick={cookie}"
            refused(old.get(f"/api/games/{game}"), 403, "not-joined")
            said = {"action": "pass", "version": 0, "request": request_id()}
            refused(old.post(f"/api/games/{game}/act", json=said), 403, "not-joined")
            assert old.get(f"/zuschauen/{link}").status_code == 404
            assert old.get("/join", params={"code": code}).status_code == 403
        with Phone(server.base) as phone:
            assert phone.cookie != cookie and phone.view(game)["version"] == 0
            phone.done(game, "pass")


def test_replayed(honest: Honest, phone: Phone) -> None:
    """A request is taken once; what was recorded does nothing later."""
    game, version, again = honest.game, honest.before["version"], request_id()
    said = {"action": "pass", "version": version, "request": again}
    for _ in range(3):
        answer = phone.post(f"/api/games/{game}/act", json=said)
        assert (answer.status_code, answer.json()) == (200, {"version": version + 1})
    assert phone.done(game, "undo") == version + 2
    answer = phone.post(f"/api/games/{game}/act", json=said)
    assert (answer.status_code, answer.json()) == (200, {"version": version + 2})
    refused(phone.post(f"/api/games/{game}/act", json={**said, "request": request_id()}), 409, "changed-meanwhile")
    honest.before = {**honest.before, "version": version + 2, "events": honest.before["events"] + 2}
    honest.before["sheet"] = honest.phone.view(game)["sheet"]


# --- uploads ------------------------------------------------------------------------------------------------------


def test_five_gigabytes(server: Server, honest: Honest, phone: Phone) -> None:
    """Refused by what is declared before any of it is read, or as soon as it is too much."""
    before = memory(server.pid)
    for path, most in (("photo", 40 << 20), ("rack", 40 << 20), ("act", 256 << 10)):
        path = f"/api/games/{honest.game}/{path}"
        own = {"Cookie": f"brettblick={phone.cookie}", "Content-Type": "multipart/form-data; boundary=x"}
        answer = raw(server.port, head("POST", path, server.port, {**own, "Content-Length": str(5 << 30)}))
        assert answer.startswith(b"HTTP/1.1 413") and b"upload-too-large" in answer
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            connection.sendall(head("POST", path, server.port, {**own, "Transfer-Encoding": "chunked"}))
            connection.sendall(b"3c\r\n--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n\r\n")
            sent, chunk = 0, b"10000\r\n" + bytes(65536) + b"\r\n"
            try:
                while sent < 5 << 30:
                    connection.sendall(chunk)
                    sent += 65536
            except OSError:  # the connection is closed
                pass
        assert sent < most + (16 << 20), f"{path}: {sent} bytes were taken"
    assert memory(server.pid) < before + (60 << 20)
    assert not [*(server.folder / "incoming").iterdir()]


def png(width: int, height: int) -> bytes:
    """A black picture of one bit a pixel, whose rows are made as they are packed."""
    packer, rows = zlib.compressobj(9), bytes((width + 7) // 8 + 1)
    data = b"".join(packer.compress(rows) for _ in range(height)) + packer.flush()

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def jpeg_of(photo: bytes, width: int, height: int) -> bytes:
    """The JPEG with another size in its frame header (ITU-T T.81, B.2.2)."""
    at = photo.index(b"\xff\xc0")
    return photo[: at + 5] + struct.pack(">HH", height, width) + photo[at + 9 :]


def test_bombs(server: Server, honest: Honest, phone: Phone, demo_photos: list[Path]) -> None:
    """Pictures of gigabytes in files of kilobytes: refused by their headers, or in the process that reads photos."""
    photo, before = demo_photos[1].read_bytes(), memory(server.pid)
    game = phone.new_game()
    for bomb in (png(50_000, 50_000), jpeg_of(photo, 65_500, 65_500), jpeg_of(photo, 65_500, 3)):
        assert len(bomb) < 1 << 20
        start = time.monotonic()
        answer = phone.photo(game, bomb)
        assert answer.status_code in (200, 422), answer.text
        if answer.status_code == 200:  # a strip is a picture, with no board in it
            assert not answer.json()["proposal"]["found"]
            phone.done(game, "drop")
        assert time.monotonic() - start < 20
        assert memory(server.pid) < before + (60 << 20)
    assert phone.photo(game, photo).json()["proposal"]["title"].endswith("H6 HÜTTE"), "photos are read as before"


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
HTML = b"<!doctype html><html><body><script>alert(1)</script></body></html>"


def test_what_is_no_photo(honest: Honest, phone: Phone, demo_photos: list[Path]) -> None:
    photo = demo_photos[1].read_bytes()
    game = phone.new_game()
    for data in (
        b"",
        b"x",
        SVG,
        b"\xef\xbb\xbf" + SVG,
        b"<?xml version='1.0'?>" + SVG,
        HTML,
        b"GIF89a" + HTML,
        b"GIF89a/*" + b"A" * 100 + b"*/=1;alert(1)",
        b"\xff\xd8\xff" + HTML,
        b"\x89PNG\r\n\x1a\n" + HTML,
        b"%PDF-1.4\n" + HTML,
        b"PK\x03\x04" + bytes(100),
        b"\x7fELF" + bytes(100),
        b"\0\0\0\x18ftypisom" + bytes(100),
        b"#!/bin/sh\nid",
        photo[:20],
        photo[1:],
        bytes(100_000),
        random.Random(8).randbytes(100_000),
    ):
        answer = phone.photo(game, data, events=0)
        refused(answer, 422, "no-picture")
    view = phone.view(game)
    assert view["version"] == 0 and view["proposal"] is None


def test_half_a_photo(honest: Honest, phone: Phone, demo_photos: list[Path]) -> None:
    """It is refused, or what there is of it is read; never half a board as if it were whole."""
    photo = demo_photos[3].read_bytes()
    game = phone.new_game()
    for share in (0.01, 0.3, 0.6, 0.99):
        answer = phone.photo(game, photo[: int(share * len(photo))])
        assert answer.status_code in (200, 422), answer.text
        if answer.status_code == 200:
            proposal = answer.json()["proposal"]
            assert not proposal["found"] or proposal["advice"] or not proposal["confirmable"], proposal
            phone.done(game, "drop")


def test_a_photo_that_is_a_page_too(server: Server, honest: Honest, phone: Phone, demo_photos: list[Path]) -> None:
    """A JPEG with a page in its comment is a JPEG, and is shown as nothing else."""
    photo = demo_photos[1].read_bytes()
    both = photo[:2] + b"\xff\xfe" + struct.pack(">H", len(HTML) + 2) + HTML + photo[2:]
    game = phone.new_game()
    answer = phone.photo(game, both + HTML, name="page.html")
    assert answer.status_code == 200
    url = answer.json()["proposal"]["photo"]["url"]
    original = phone.get(url, params={"original": "1"})
    shown = phone.get(url)
    assert original.content == both + HTML and HTML not in shown.content
    for found in (original, shown):
        assert found.headers["content-type"] == "image/jpeg" and found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert original.headers["content-disposition"].startswith("attachment")


NAMES = (
    "../../../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "/etc/passwd",
    "C:\\boot.ini",
    "a\0b.jpg",
    "a\r\nX-Evil: 1.jpg",
    "<script>alert(1)</script>.jpg",
    '"><img src=x onerror=alert(1)>',
    "\N{RIGHT-TO-LEFT OVERRIDE}gpj.exe",
    "\U0001f600" * 50,
    "x" * 10_000,
    "'; DROP TABLE games; --",
    "%2e%2e%2f%00",
    ".",
    "..",
    "",
    "con.jpg",
)


def test_names_of_files(server: Server, honest: Honest, phone: Phone) -> None:
    """Whatever a file is called, it is kept under its hash and nowhere else."""
    data = png(300, 200)
    before = {path for path in server.folder.parent.rglob("*") if "photos" not in path.parts}
    game = phone.new_game()
    for number, name in enumerate(NAMES):
        own = data + bytes([number])  # each file is another one
        body = (
            b'--x\r\nContent-Disposition: form-data; name="events"\r\n\r\n0\r\n'
            b'--x\r\nContent-Disposition: form-data; name="request"\r\n\r\n' + request_id().encode() + b"\r\n"
            b'--x\r\nContent-Disposition: form-data; name="photo"; filename="'
            + name.encode("utf-8", "surrogatepass")
            + b'"\r\nContent-Type: image/jpeg\r\n\r\n'
            + own
            + b"\r\n--x--\r\n"
        )
        path = f"/api/games/{game}/photo"
        answer = phone.post(path, content=body, headers={"Content-Type": "multipart/form-data; boundary=x"})
        assert answer.status_code in (200, 400, 422), answer.text
        assert b"X-Evil" not in str(answer.headers).encode()
        if answer.status_code == 200:
            page = phone.get(f"/games/{game}").text
            assert "<script>alert" not in page and "<img src=x" not in page
            phone.done(game, "drop")
    now = {path for path in server.folder.parent.rglob("*") if "photos" not in path.parts}
    assert {path.name for path in now - before if path.parent.name != "pictures"} <= {"pictures", "incoming"}
    names = [path.name for path in (server.folder / "photos").rglob("*") if path.is_file()]
    assert names and all(re.fullmatch(r"[0-9a-f]{64}", name) for name in names)


# --- texts --------------------------------------------------------------------------------------------------------

EVIL = {
    "markup": "<script>alert(1)</script>",
    "attributes": '"><img src=x onerror=alert(1)>',
    "template": "{{ 7 * 7 }}{% raw %}${7*7}",
    "emoji": "Ängie \U0001f9d1\u200d\U0001f680\U0001f600",
    "right to left": "\N{RIGHT-TO-LEFT OVERRIDE}nebeB\N{POP DIRECTIONAL FORMATTING}",
    "Arabic": "\u0628\u0646",
    "combining": "Z\u0335\u0321\u0322\u0327" + "a\u0301" * 10,
    "endless": "A" * 10_000,
    "control": "A\x00\x07\x1b[2J\r\n",
    "no text": "A\ud800",
    "SQL": "'; DROP TABLE games; --",
    "spaces": " \t\u2003\u200b ",
    "nothing": "",
}


@pytest.mark.parametrize("kind", EVIL)
def test_names_of_players(kind: str, server: Server, honest: Honest, phone: Phone) -> None:
    """A name is refused, or shown as it is: as text on every page, in every file."""
    name = EVIL[kind]
    said = json.dumps({"request": request_id(), "players": [name, "Ben"], "rules": "turnier"})
    answer = phone.post("/api/games", content=said, headers={"Content-Type": "application/json"})
    if kind in ("right to left", "endless", "control", "no text", "spaces", "nothing"):
        assert answer.status_code in (400, 422) and answer.json()["message"], answer.text
        return
    assert answer.status_code == 201, answer.text
    game = answer.json()["id"]
    phone.done(game, "type", move="H4 FIRNS")
    phone.done(game, "confirm")
    assert phone.view(game)["players"][0]["name"] == name
    token = Guard(server.folder, lan=True).spectator_token(game)
    pages = [f"/games/{game}{end}" for end in ("", "/scoreboard", "/sections", "/sheet", "/moves/1", "/evidence.html")]
    for path in ["/", f"/zuschauen/{token}", *pages]:
        page = phone.get(path, headers={"accept": "text/html"})
        assert page.status_code == 200, (path, page.text)
        text = "".join(page.json()["sections"].values()) if path.endswith("sections") else page.text
        assert "<script>alert" not in text and "<img src=x" not in text and "49" not in re.findall(r">(49)\$", text)
        assert "'unsafe-inline'" not in page.headers["content-security-policy"].replace("style-src 'unsafe-inline'", "")
    for ending in ("gcg", "csv", "json", "zip"):
        file = phone.get(f"/games/{game}/export.{ending}")
        assert file.status_code == 200 and file.headers["content-disposition"].startswith("attachment")
        assert file.headers["x-content-type-options"] == "nosniff" and "\n" not in str(
            file.headers["content-disposition"]
        )


def test_what_a_phone_goes_by(honest: Honest, server: Server) -> None:
    for name in EVIL.values():
        with httpx.Client(base_url=server.base, headers=honest.phone.headers) as client:
            value = "".join(f"%{byte:02X}" for byte in name.encode("utf-8", "surrogatepass"))
            client.headers["cookie"] = f"brettblick={honest.phone.cookie}; who={value}"
            said = {"action": "announce", "version": honest.before["version"], "request": request_id()}
            view = client.get(f"/api/games/{honest.game}")
            assert view.status_code == 200 and len(view.json()["who"]) <= 40 and view.json()["who"].isprintable()
            refused(client.post(f"/api/games/{honest.game}/act", json={**said, "ref": 99}), 422, "no-such-move")
            page = client.get(f"/games/{honest.game}", headers={"accept": "text/html"})
            assert page.status_code == 200 and "<script>alert" not in page.text and "<img src=x" not in page.text


PATHS = (
    "../../secret",
    "..%2f..%2fsecret",
    "%2e%2e%2f%2e%2e%2fsecret",
    "..%252f..%252fsecret",
    "....//....//secret",
    "..\\..\\secret",
    "%2fetc%2fpasswd",
    "//etc/passwd",
    "file:///etc/passwd",
    "%00",
    "secret%00.jpg",
    "%c0%ae%c0%ae/secret",
    "%ff%fe",
    "'; DROP TABLE games; --".replace(" ", "%20"),
    "9" * 5_000,
    "-1",
    "A" * 8_000,
    "%E2%80%AE",
    "*",
    "CON",
    "{{7*7}}",
)


def test_tricks_in_paths(server: Server, honest: Honest, addresses: Iterator[str]) -> None:
    """In every part of every address: nothing is found, least of all another file."""
    secret, digest = (server.folder / "secret").read_bytes(), "a" * 64
    game = honest.game
    templates = (
        "/{}",
        "/static/{}",
        "/sprache/{}",
        "/zuschauen/{}",
        "/zuschauen/{}/sections",
        "/games/{}",
        "/games/{}/sections",
        "/games/{}/stream",
        "/games/{}/export.zip",
        "/api/games/{}",
        f"/games/{game}/{{}}",
        f"/games/{game}/photos/{{}}",
        f"/games/{game}/crops/{{}}/7-7.jpg",
        f"/games/{game}/crops/{digest}/{{}}.jpg",
        f"/games/{game}/moves/{{}}",
        f"/games/{game}/moves/{{}}/evidence.html",
        f"/games/{game}/export.{{}}",
    )
    for template in templates:
        source = next(addresses)  # each with limits of its own: these are many requests
        with (
            Phone(server.base, address=source) as phone,
            socket.create_connection(("127.0.0.1", server.port), timeout=20, source_address=(source, 0)) as connection,
        ):
            for trick in PATHS:
                path = template.format(trick)
                connection.sendall(head("GET", path, server.port, {"Cookie": f"brettblick={phone.cookie}"}))
                status, body = one_answer(connection)
                assert status in (303, 307, 400, 404, 405), (path, status, body)
                assert secret not in body and b"root:" not in body and b"SQLite" not in body


def one_answer(connection: socket.socket) -> tuple[int, bytes]:
    """The next answer on a connection that stays open."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        assert part, "the connection was closed"
        data += part
    top, _, body = data.partition(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", top.lower())[1])  # type: ignore[index]
    while len(body) < length:
        body += connection.recv(65536)
    return int(top[9:12]), body


# --- what is no request of ours -----------------------------------------------------------------------------------


def anything(rng: random.Random, depth: int = 0) -> Any:
    """A JSON value of any kind, with all that makes trouble."""
    kind = rng.randrange(11 if depth < 3 else 9)
    match kind:
        case 0:
            return rng.choice([None, True, False])
        case 1:
            return rng.choice([0, 1, -1, 2, 7, 14, 15, 225, 226, 10_000, 2**31, 2**53, 2**63, -(2**63), 10**400])
        case 2:
            return rng.choice([0.0, -0.0, 0.5, 1e-320, 1e308, -1.5, 1e16])
        case 3 | 4:
            return rng.choice(
                [*EVIL.values(), "NaN", "H4 FIRNS", "FIRNS", "?", ".", "a", "Ä", "ß", "ẞ", "null", "place"]
            )
        case 5:
            return rng.choice(
                [[7, 7], [7, 7, "A"], [[7, 7, "A"]], [[0, 0], [1, 0], [1, 1], [0, 1]], [], [[]], {}, [None]]
            )
        case 6:
            return [
                [rng.randint(-1, 15), rng.randint(-1, 15), rng.choice("AÄ?.x")] for _ in range(rng.choice([1, 3, 300]))
            ]
        case 7:
            return "".join(
                rng.choice("ABCÄẞ?.123 -/#\u0000\ud800\u202e\U0001f600") for _ in range(rng.choice([1, 5, 50, 250]))
            )
        case 8:
            return rng.choice([["FIRNS"], ["FIRNS"] * 500, ["A", None], [[0, "A"], [1, "B"]], {"a": {"b": [1]}}])
        case 9:
            return [anything(rng, depth + 1) for _ in range(rng.randrange(5))]
        case _:
            return {
                rng.choice(["a", "square", "", "\ud800"]): anything(rng, depth + 1) for _ in range(rng.randrange(4))
            }


RIGHT: dict[str, dict[str, Any]] = {
    "answer": {"squares": [[7, 7, "A"]], "kind": "place", "move": "H4 FIRNS", "confirmed": True, "here": True},
    "corners": {"photo": "a" * 64, "corners": [[0, 0], [1, 0], [1, 1], [0, 1]]},
    "type": {"move": "10H TAG"},
    "drop": {},
    "confirm": {"announced": 24, "agreed": 20, "unanimous": True, "despite": True},
    "pass": {},
    "exchange": {"count": 2, "tiles": "AB"},
    "timeout": {},
    "undo": {},
    "redo": {},
    "correct": {"ref": 1, "move": "H5 FIRN", "pass": False, "exchange": 2, "remove": False, "despite": True},
    "announce": {"ref": 1, "points": 20},
    "agree": {"ref": 1, "points": 20, "unanimous": True},
    "close": {"ref": 1},
    "challenge": {"ref": 1, "challengers": [1], "words": ["FIRNS"]},
    "verdict": {"word": "FIRNS", "valid": True, "by": "Ben", "source": "Duden"},
    "settle-challenge": {},
    "blank": {"square": [7, 7], "letter": "A"},
    "swap-blank": {"player": 0, "square": [7, 7], "tile": "A"},
    "draw": {"tiles": [[0, "A"], [1, "B"]]},
    "resign": {"player": 1},
    "stop": {},
    "racks": {"racks": ["ABCDEFG", None]},
    "clock": {"do": "press", "player": 0, "seconds": 60},
    "rename-device": {"who": "Anna"},
    "nonsense": {},
}
"""What each action takes, with values that are right somewhere."""


def fuzzed(name: str, rng: random.Random) -> dict[str, Any]:
    """Some of what an action takes, one value or two of it anything else."""
    right = RIGHT[name] if rng.random() < 0.9 else {key: one for other in RIGHT.values() for key, one in other.items()}
    data = {key: value for key, value in right.items() if rng.random() < 0.8}
    for key in rng.sample([*data], min(len(data), rng.choice([0, 1, 1, 2]))):
        data[key] = anything(rng)
    return data


def fuzz(game: str, phones: Sequence[Phone], rng: random.Random, rounds: int) -> Counter[int]:
    """So many requests of each action; how many answers there were of each status."""
    found: Counter[int] = Counter()
    for turn, name in enumerate(rng.sample([*RIGHT] * rounds, len(RIGHT) * rounds)):
        phone = phones[turn % len(phones)]
        data = {"action": name, "version": phone.view(game)["version"], "request": request_id(), **fuzzed(name, rng)}
        if rng.random() < 0.1:
            data[rng.choice(["action", "version", "request"])] = anything(rng)
        body = json.dumps(data).encode()
        answer = phone.post(f"/api/games/{game}/act", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (200, 400, 409, 422), (answer.status_code, answer.text, data)
        assert answer.status_code == 200 or answer.json()["message"], (answer.text, data)
        found[answer.status_code] += 1
    return found


def test_every_action_is_tried() -> None:
    assert {*RIGHT} >= {*ACTIONS, "clock"}


def test_any_values_for_any_action(fresh: Honest, addresses: Iterator[str]) -> None:
    """Nothing that is sent breaks anything; the game it is sent to can always be looked at."""
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    rng = random.Random(seed)
    for _ in range(5):
        phones = [Phone(fresh.server.base, address=next(addresses)) for _ in range(5)]
        game = phones[0].new_game(clock_minutes=25)
        phones[0].done(game, "type", move="H4 FIRNS")
        phones[0].done(game, "confirm")
        print(fuzz(game, phones, rng, 2))
        assert phones[0].view(game)["version"] >= 2
        for end in ("", "/sections", "/sheet", "/export.gcg", "/export.json"):
            page = phones[0].get(f"/games/{game}{end}", headers={"accept": "text/html"})
            assert page.status_code == 200, (end, page.text)


AGREED: dict[str, Any] = {
    "players": ["Anna", "Ben"],
    "rules": "turnier",
    "settings": {"challenge_seconds": "30"},
    "tiles": "german",
    "lexicon": "none",
    "first_player": 0,
    "clock_minutes": 25,
}


def test_any_agreement(fresh: Honest, addresses: Iterator[str]) -> None:
    """A game that is made of anything at all can be played; all else is refused in words."""
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    rng, found = random.Random(seed), Counter[int]()
    for number in range(120):
        if number % 20 == 0:
            phone = Phone(fresh.server.base, address=next(addresses))
        data = {"request": request_id(), **{key: value for key, value in AGREED.items() if rng.random() < 0.9}}
        for key in rng.sample([*data], rng.choice([0, 1, 1, 2])):
            data[key] = anything(rng)
        if rng.random() < 0.3:
            data["settings"] = {rng.choice(["challenge_seconds", "bingo", "x", "\ud800"]): anything(rng)}
        answer = phone.post("/api/games", content=json.dumps(data), headers={"Content-Type": "application/json"})
        assert answer.status_code in (201, 400, 422), (answer.status_code, answer.text, data)
        found[answer.status_code] += 1
        if answer.status_code == 201:
            game = answer.json()["id"]
            assert phone.view(game)["version"] == 0
            phone.done(game, "pass")
        else:
            assert answer.json()["message"]
    print(found)


def archive(files: dict[str, bytes]) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return kept.getvalue()


def test_files_that_are_no_games(fresh: Honest, addresses: Iterator[str]) -> None:
    """Archives that unpack to gigabytes or out of their folder, records without end: none of them is a new game."""
    with Phone(fresh.server.base, address=next(addresses)) as phone:
        no_games(fresh, phone)


def no_games(honest: Honest, phone: Phone) -> None:
    right, server = phone.get(f"/games/{honest.game}/export.zip").content, honest.server
    with zipfile.ZipFile(io.BytesIO(right)) as file:
        game = file.read("game.json")
    games = len(re.findall(r"/games/", phone.get("/", headers={"accept": "text/html"}).text))
    secret = (server.folder / "secret").read_bytes()
    for name, data in (
        ("a.zip", right[:-30]),
        ("a.zip", right[:200] + bytes(50) + right[250:]),
        ("a.zip", archive({"game.json": b"{" + b" " * 200_000_000 + b"}"})),
        ("a.zip", archive({"../../secret": b"x" * 32, "game.json": b"{}"})),
        ("a.zip", archive({"game.json": game, "photos/../../secret": b"x" * 32})),
        ("a.zip", archive({"game.json": game, "photos/" + "0" * 64 + ".jpg": b"another photo"})),
        ("a.zip", archive({f"{number}": b"" for number in range(20_000)})),
        ("a.zip", archive({"game.json": game.replace(b'"version"', b'"version": 10000000000000000000000, "v"')})),
        ("a.json", b'{"a":' * 50_000),
        ("a.json", b"{" + b"9" * 250_000),
        ("a.gcg", b"#player1 A A\n#player2 B B\n" + b">A: ABC H4 X +1 1\n" * 10_000),
        ("a.gcg", b"#player1 A A\n" * 2),
        ("a.csv", b"x" * 400_000),
        ("../../secret", HTML),
        ("a\0b.gcg", b"\0" * 1000),
    ):
        answer = phone.post("/api/import", files={"file": (name, data)}, data={"request": request_id()})
        assert answer.status_code in (400, 413, 422), (name, data[:50], answer.status_code, answer.text)
        assert answer.json()["message"]
    assert (server.folder / "secret").read_bytes() == secret
    assert len(re.findall(r"/games/", phone.get("/", headers={"accept": "text/html"}).text)) == games
    taken = phone.post("/api/import", files={"file": ("a.zip", right)}, data={"request": request_id()})
    assert taken.status_code == 201 and phone.view(taken.json()["id"])["sheet"] == honest.before["sheet"]


def test_what_is_no_json(fresh: Honest, addresses: Iterator[str]) -> None:
    game, version, server = fresh.game, fresh.before["version"], fresh.server
    whole = json.dumps({"action": "pass", "version": version, "request": request_id()})
    bodies = (
        b"",
        b"x",
        b"null",
        b"[]",
        b'"pass"',
        b"7",
        whole.encode()[:-1],
        whole.encode() + b"}",
        b"\xff\xfe" + whole.encode(),
        whole.encode("latin-1").replace(b"pass", b"p\xe4ss"),
        whole.replace(str(version), "NaN").encode(),
        whole.replace(str(version), "Infinity").encode(),
        whole.replace(str(version), "1e999").encode(),
        whole.replace(str(version), "9" * 5_000).encode(),
        whole.replace(str(version), "9" * 4_000).encode(),
        whole.replace(str(version), '"1"').encode(),
        whole.replace(str(version), "true").encode(),
        whole.replace("pass", "\\ud800").encode(),
        whole.replace('"pass"', "[" * 100_000 + "]" * 100_000).encode(),
        whole.replace('"pass"', "[" * 900 + "]" * 900).encode(),
        whole.replace("}", ', "x": ' + '{"a":' * 950 + "1" + "}" * 950 + "}").replace("pass", "undo0").encode(),
        b"[" * 200_000,
        b'{"a":' * 40_000,
    )
    for body in bodies:
        phone = Phone(server.base, address=next(addresses))
        for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded", "nonsense"):
            answer = phone.post(f"/api/games/{game}/act", content=body, headers={"Content-Type": kind})
            assert answer.status_code in (400, 422) and answer.json()["message"], (body[:80], answer.text)
        answer = phone.post("/api/games", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422) and answer.json()["message"], (body[:80], answer.text)


def test_what_is_no_form(fresh: Honest, addresses: Iterator[str], demo_photos: list[Path]) -> None:
    """Parts that are missing, twice, too many, of another kind, in words that no machine knows."""
    server = fresh.server
    photo = demo_photos[1].read_bytes()
    start, middle = b"--x\r\nContent-Disposition: form-data; name=", b"\r\n\r\n"
    file = start + b'"photo"; filename="a.jpg"' + middle + photo + b"\r\n"
    request = start + b'"request"' + middle + request_id().encode() + b"\r\n"
    game, end = Phone(server.base).new_game(), b"--x--\r\n"

    def events(text: bytes) -> bytes:
        return start + b'"events"' + middle + text + b"\r\n"

    bodies = (
        b"",
        end,
        file + end,
        file + request + end,
        file + events(b"0") + end,
        events(b"0") + request + end,
        file + file + events(b"0") + request + end,
        file + events(b"-1") + request + end,
        file + events(b"nan") + request + end,
        file + events(b"7" * 5_000) + request + end,
        file + events(b"0") * 50 + request + end,
        file + events(b"\xff") + request + end,
        start + b'"photo"' + middle + b"no file\r\n" + events(b"0") + request + end,
        start + b"photo; filename=" + middle + photo + b"\r\n" + events(b"0") + request,
        (start + b'"a"; filename="a"' + middle + b"x\r\n") * 300 + end,
        b"--x\r\n" + b"X-Header: a\r\n" * 3_000 + b"\r\n" + end,
        b"--x\r\nContent-Disposition: form-data" + middle + b"x\r\n" + end,
        b"--x\r\n\r\n\r\n" + end,
        b"--y--",
        bytes(1000),
    )
    types = (
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "application/json",
        "multipart/form-data; boundary=",
    )
    for number, body in enumerate(bodies):
        phone = Phone(server.base, address=next(addresses))
        for kind in types if number < 2 else types[:1]:
            for path in (f"/api/games/{game}/photo", f"/api/games/{game}/rack", "/api/import")[
                : 3 if number < 2 else 1
            ]:
                answer = phone.post(path, content=body, headers={"Content-Type": kind})
                assert answer.status_code in (400, 409, 422), (number, kind, path, answer.text)
                assert answer.json()["message"]
    phone = Phone(server.base, address=next(addresses))
    for charset in ("undefined", "idna", "punycode", "utf-7", "unicode_escape", "rot13", "zlib", "\xe4", "x" * 1000):
        kind = f"multipart/form-data; boundary=x; charset={charset}"
        body = events(b"\\ud800") + request + start + b'"photo"; filename="a\\ud800.jpg"' + middle + b"x\r\n" + end
        answer = phone.post(f"/api/games/{game}/photo", content=body, headers={"Content-Type": kind.encode("latin-1")})
        assert answer.status_code in (400, 422) and answer.json()["message"], (charset, answer.text)
    assert phone.view(game)["version"] == 0


def test_other_methods(server: Server, honest: Honest, addresses: Iterator[str]) -> None:
    """Only reading and posting; nothing is changed by any of it."""
    act = f"/api/games/{honest.game}/act"
    paths = (
        "/",
        "/join",
        f"/games/{honest.game}",
        f"/api/games/{honest.game}",
        act,
        "/api/games",
        "/static/app.js",
        "/nope",
    )
    body = json.dumps({"action": "undo", "version": honest.before["version"], "request": request_id()}).encode()
    for path in paths:
        phone = Phone(server.base, address=next(addresses))
        own = {"Cookie": f"brettblick={phone.cookie}"}
        for method in (
            "HEAD",
            "PUT",
            "DELETE",
            "PATCH",
            "OPTIONS",
            "TRACE",
            "CONNECT",
            "PROPFIND",
            "BREW",
            "get",
            "X" * 300,
        ):
            length = {"Content-Length": str(len(body)), "Content-Type": "application/json", "Connection": "close"}
            answer = raw(server.port, head(method, path, server.port, {**own, **length}) + body)
            status = int(answer[9:12])
            assert status in ((200, 303, 404, 405) if method == "HEAD" else (400, 403, 404, 405)), (
                method,
                path,
                answer,
            )
            assert method != "TRACE" or phone.cookie.encode() not in answer
    # a stream without a body ends at once
    answer = raw(server.port, head("HEAD", f"/games/{honest.game}/stream", server.port, {**own, "Connection": "close"}))
    assert answer.startswith(b"HTTP/1.1 ") and answer.endswith(b"\r\n\r\n")


def test_requests_within_requests(server: Server, honest: Honest, phone: Phone) -> None:
    """What two machines could understand in two ways is refused, and the connection is closed."""
    port, path = server.port, f"/api/games/{honest.game}/act"
    said = json.dumps({"action": "undo", "version": honest.before["version"], "request": request_id()}).encode()
    own = {"Cookie": f"brettblick={phone.cookie}", "Content-Type": "application/json"}
    inner = head("POST", path, port, {**own, "Content-Length": str(len(said))}) + said
    close = {**own, "Connection": "close"}
    get, post = head("GET", "/", port, close)[:-2], head("POST", "/api/games", port, close)[:-2]
    length = str(len(inner)).encode()
    refusals = (
        post + b"Content-Length: 0\r\nContent-Length: " + length + b"\r\n\r\n" + inner,
        post + b"Content-Length: 0, " + length + b"\r\n\r\n" + inner,
        post + b"Content-Length: +" + length + b"\r\n\r\n" + inner,
        post + b"Content-Length: 0x10\r\n\r\n" + inner,
        post + b"Content-Length: -1\r\n\r\n" + inner,
        post + b"Content-Length : " + length + b"\r\n\r\n" + inner,
        post + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + inner,
        post + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + inner,
        post + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n" + inner,
        post + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\n" + inner,
        get + b"Host: evil.example\r\n\r\n",
        get + b"X: a\0b\r\n\r\n",
        get + b"X: a\rb\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"PRI * HTTP/2.0\r\nConnection: close\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
        b"\0" * 2000,
    )
    for data in refusals:
        answer = raw(port, data)
        assert answer[9:12] in (b"400", b"421", b"431", b"505"), (data[:200], answer[:200])
        assert answer.count(b"HTTP/1.1 ") == 1, "what is within was not taken for a request"
    for data in (
        get + b"X" * 2_000_000 + b": a\r\n\r\n",
        get + b"X: " + b"a" * 2_000_000 + b"\r\n\r\n",
        get + b"X: a\r\n" * 400_000 + b"\r\n",
    ):
        answer = raw(port, data)  # lost where the connection is reset under what is still being sent
        assert answer == b"" or answer[9:12] in (b"400", b"431"), answer[:200]
    # both lengths and chunks: chunks count (RFC 9112, 6.3), and what is within is not run as the honest phone's
    both = post + b"Content-Length: " + length + b"\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    answer = raw(port, both + inner)
    assert answer[9:12] in (b"400", b"422") and answer.count(b"HTTP/1.1 ") == 1, answer


def test_other_sites(server: Server, honest: Honest, phone: Phone) -> None:
    """A page elsewhere, in the browser of somebody who has joined, changes nothing."""
    path = f"/api/games/{honest.game}/act"
    said = {"action": "undo", "version": honest.before["version"], "request": request_id()}
    right = phone.headers
    for wrong in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://127.0.0.1:{server.port + 1}"},
        {"Origin": f"https://127.0.0.1:{server.port}"},
        {"Origin": f"http://localhost:{server.port}"},
        {"Origin": f"http://127.0.0.1:{server.port}.evil.example"},
        {"Origin": f"http://evil.example@127.0.0.1:{server.port}"},
        {"X-Brettblick": "0"},
        {"X-Brettblick": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ):
        refused(phone.http.post(path, json=said, headers={**right, **wrong}), 403, "not-from-page")
    for missing in ("X-Brettblick", "Origin"):
        headers = {name: value for name, value in right.items() if name != missing}
        refused(phone.http.post(path, json=said, headers=headers), 403, "not-from-page")
    form = phone.http.post(path, data={"action": "undo"}, headers={"Origin": "http://evil.example"})
    refused(form, 403, "not-from-page")
    for name in ("access-control-allow-origin", "access-control-allow-credentials"):
        assert name not in phone.get("/", headers={"Origin": "http://evil.example"}).headers


def test_other_names_for_this_machine(server: Server, honest: Honest, phone: Phone) -> None:
    """A name elsewhere that is pointed here ("DNS rebinding"), or another port: refused whatever else is right."""
    port, path = server.port, f"/api/games/{honest.game}"
    hosts = (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1",
        f"127.0.0.1:{port + 1}",
        f"127.0.0.1.evil.example:{port}",
    )
    hosts += (
        f"[::ffff:1.2.3.4]:{port}",
        f"2130706433:{port}",
        f"0x7f.1:{port}",
        f"127.0.0.1:{port}@evil.example",
        "a b",
        "\xe4",
    )
    for host in hosts:
        own = {"Host": host, "Cookie": f"brettblick={phone.cookie}", "Connection": "close"}
        for method in ("GET", "POST"):
            answer = raw(port, head(method, path, port, {**own, "Content-Length": "0" if method == "POST" else ""}))
            assert answer[9:12] in (b"400", b"421") and b"FIRNS" not in answer, (host, answer)
    for name in ("X-Forwarded-Host", "Forwarded", "X-Original-URL", "X-HTTP-Method-Override"):
        answer = phone.get(path, headers={name: "evil.example"})
        assert answer.status_code == 200 and "evil" not in answer.text


def test_a_thousand_requests_a_second(server: Server, honest: Honest, addresses: Iterator[str]) -> None:
    """Of somebody who has joined and asks for what is dear, and of strangers: whoever plays beside it, from another
    phone, is served; from the same machine is served or told when to come back."""
    with Phone(server.base, address="127.0.0.9") as other:
        own = {"Cookie": f"brettblick={other.cookie}"}
        game, port = honest.game, server.port
        requests = [
            head("GET", f"/games/{game}/sections", port, own),
            head("GET", "/", port, {**own, "Accept": "text/html"}),
            head("GET", f"/api/games/{game}", port, STRANGER),
            head("POST", f"/api/games/{game}/act", port, {**own, "Content-Length": "2"}) + b"{}",
            head("GET", "/join?code=AAAAAAAAAA", port, STRANGER),
        ]
        before, statuses = memory(server.pid), []
        with Flood(port, requests, 1000) as flood, Phone(server.base, address=next(addresses)) as phone:
            own_game, start, held_up = phone.new_game(), time.monotonic(), False
            while time.monotonic() < start + 2.5 or not held_up:
                assert time.monotonic() < start + PATIENCE, "the flood was a trickle"
                statuses.append(phone.act(own_game, "pass" if len(statuses) % 2 == 0 else "undo").status_code)
                answer = other.get(f"/api/games/{game}")
                assert answer.status_code == 200 or int(answer.headers["retry-after"]) > 0
                held_up = held_up or answer.status_code == 429
                time.sleep(0.1)
        print(dict(flood.statuses), flood.seconds, len(statuses))
        assert set(statuses) == {200} and len(statuses) >= 2
        assert set(flood.statuses) <= {0, 200, 400, 403, 422, 429} and flood.statuses[429] > 0
        most = Limits().reads.device
        assert flood.statuses[200] <= most.burst + most.per_second * flood.seconds, "however fast the machine is"
        assert memory(server.pid) < before + (40 << 20)


# --- slowly -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def dripping(server: Server) -> Iterator[dict[str, Any]]:
    """From the first test on: connections on which hardly anything comes; when each was closed, and what was said."""
    with Phone(server.base, address="127.0.3.1") as phone:
        game, cookie = phone.new_game(), phone.cookie
    own = {"Cookie": f"brettblick={cookie}", "Content-Type": "application/json", "Content-Length": "1000"}
    kinds = {
        "nothing": b"",
        "head": b"GET / HTTP/1.1\r\n",
        "noise": random.Random(8).randbytes(5000),
        "body": head("POST", f"/api/games/{game}/act", server.port, own) + b"{",
    }
    closed: dict[str, Any] = {kind: [] for kind in kinds}
    begun = time.monotonic()

    def drip(kind: str, address: str) -> None:
        with socket.create_connection(("127.0.0.1", server.port), source_address=(address, 0)) as connection:
            connection.settimeout(0.5)
            data = b""
            try:
                connection.sendall(kinds[kind])
                while time.monotonic() < begun + 60:
                    try:
                        part = connection.recv(65536)
                        data += part
                        if not part:
                            break
                    except TimeoutError:
                        connection.sendall(b"x" if kind in ("head", "body") else b"")
            except OSError:
                pass
            closed[kind].append((time.monotonic() - begun, data))

    threads = [
        threading.Thread(target=drip, args=(kind, f"127.0.3.{number}"), daemon=True)
        for kind in kinds
        for number in range(2, 10)
    ]
    for thread in threads:
        thread.start()
    yield {"closed": closed, "threads": threads}


def test_slow_connections_are_closed(honest: Honest, dripping: dict[str, Any]) -> None:
    """Since the beginning of all these tests, which were served beside them."""
    for thread in dripping["threads"]:
        thread.join(60)
    closed = dripping["closed"]
    assert [len(found) for found in closed.values()] == [8, 8, 8, 8]
    assert all(seconds < 40 for found in closed.values() for seconds, _ in found)
    assert all(b"upload-too-slow" in data and b"408" in data[:15] for _, data in closed["body"])
