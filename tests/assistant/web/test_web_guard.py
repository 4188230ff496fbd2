"""Who gets in: cookies, codes, links, host names, and requests from elsewhere."""

from __future__ import annotations

import asyncio
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from assistant.texts import Texts
from assistant.web.guard import (
    CODE_LENGTH,
    CODE_LETTERS,
    COOKIE_DAYS,
    WRONG_CODES,
    Guard,
    GuardMiddleware,
    SecretError,
    own_names,
)
from scorer.errors import BrettblickError

HERE, PHONE = ("127.0.0.1", 50000), ("192.168.178.34", 50000)
LAN_URL, LOCAL_URL = "http://192.168.178.20:8000", "http://localhost:8000"
PAGE = {"accept": "text/html,*/*"}
FROM_PAGE = {"x-brettblick": "1", "origin": LAN_URL}


class Seen:
    """An application that answers 200 and remembers the last request that got through to it."""

    def __init__(self) -> None:
        self.scope: Scope | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"game"})


def ask(guard: Guard, method: str, url: str, client: tuple[str, int] = PHONE, **options: Any) -> httpx.Response:
    """One request to an application behind the guard; what got through is in `response.extensions`."""
    seen = Seen()

    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(GuardMiddleware(seen, guard), client=client)
        async with httpx.AsyncClient(transport=transport) as session:
            return await session.request(method, url, **options)

    response = asyncio.run(go())
    response.extensions["seen"] = seen.scope
    return response


def state(response: httpx.Response) -> dict[str, Any]:
    scope = response.extensions["seen"]
    assert scope is not None, f"refused: {response.text}"
    out: dict[str, Any] = scope["state"]
    return out


def refused(response: httpx.Response, status: int, code: str) -> None:
    assert response.extensions["seen"] is None
    assert (response.status_code, response.json()["error"]) == (status, code)
    assert response.json()["message"] == Texts("de")(f"error.{code}")


@pytest.fixture
def lan(tmp_path: Path) -> Guard:
    return Guard(tmp_path, lan=True, now=lambda: 1_790_000_000)


@pytest.fixture
def joined(lan: Guard) -> dict[str, str]:
    return {"cookie": f"brettblick={lan.cookie('A' * 16)}"}


# The secret


def test_the_secret_is_made_once_and_for_nobody_else_to_read(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    first = Guard(folder)
    file = folder / "secret"
    assert len(file.read_bytes()) == 32 and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert Guard(folder).code == first.code != Guard(tmp_path / "other").code
    assert os.listdir(folder) == ["secret"]


def test_a_secret_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    code = Guard(tmp_path).code
    (tmp_path / "secret").chmod(0o644)
    assert Guard(tmp_path).code == code
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_a_damaged_secret_is_said_and_kept(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret").write_bytes(content)
    with pytest.raises(SecretError) as caught:
        Guard(tmp_path)
    assert "secret" in Texts("de").error(caught.value) and "löschen" in Texts("de").error(caught.value)
    assert (tmp_path / "secret").read_bytes() == content


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(BrettblickError) as caught:
        Guard(tmp_path / "file")
    assert caught.value.code == "cannot-write"


def test_two_servers_that_start_at_once_have_one_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other: list[Guard] = []
    exists = Path.exists

    def first_another(path: Path) -> bool:
        if path.name == "secret" and not exists(path) and not other:
            monkeypatch.setattr(Path, "exists", exists)
            other.append(Guard(tmp_path))
            return False
        return exists(path)

    monkeypatch.setattr(Path, "exists", first_another)
    assert Guard(tmp_path).code == other[0].code


def test_a_new_secret_locks_everybody_out(lan: Guard, tmp_path: Path) -> None:
    code, cookie, token = lan.code, lan.cookie(lan.new_device()), lan.spectator_token("gameid")
    assert lan.device_of(cookie) and lan.spectated(token) == "gameid"
    lan.renew_secret()
    assert lan.code != code and lan.device_of(cookie) is None and lan.spectated(token) is None
    assert Guard(tmp_path).code == lan.code


# Cookies


def test_a_cookie_is_good_until_it_is_too_old(tmp_path: Path) -> None:
    now = [1_790_000_000.0]
    guard = Guard(tmp_path, now=lambda: now[0])
    device = guard.new_device()
    cookie = guard.cookie(device)
    assert guard.device_of(cookie) == device
    now[0] += COOKIE_DAYS * 86400 - 1
    assert guard.device_of(cookie) == device
    now[0] += 1
    assert guard.device_of(cookie) is None
    now[0] = 0.0  # a machine that woke up in the past
    assert guard.device_of(cookie) == device


def test_a_cookie_that_was_touched_is_none(lan: Guard, tmp_path: Path) -> None:
    cookie = lan.cookie("A" * 16)
    version, device, issued, signature = cookie.split(".")
    assert (version, device, issued) == ("1", "A" * 16, "1790000000")
    for place in range(len(cookie)):
        changed = cookie[:place] + ("B" if cookie[place] != "B" else "C") + cookie[place + 1 :]
        # the last of 43 letters has two bits that say nothing, so that it is compared as text
        assert lan.device_of(changed) is None, place
    for forged in (
        "",
        "1...",
        f"1.{device}.{issued}.",
        f"1.{device}.{int(issued) + 1}.{signature}",
        f"2.{device}.{issued}.{signature}",
        f"1.{'B' * 16}.{issued}.{signature}",
        cookie + "\n",
        cookie.replace("1790000000", "１７９０００００００"),
        Guard(tmp_path / "other", now=lambda: 1_790_000_000).cookie(device),
        lan.spectator_token(f"1.{device}.{issued}"),
        "x" * 100_000,
    ):
        assert lan.device_of(forged) is None, forged[:80]


def test_devices_have_different_names(lan: Guard) -> None:
    names = {lan.new_device() for _ in range(1000)}
    assert len(names) == 1000 and all(re.fullmatch(r"[\w-]{16}", name) for name in names)


def test_the_cookie_is_for_this_server_only(lan: Guard) -> None:
    plain, secure = lan.cookie_header("A" * 16, secure=False), lan.cookie_header("A" * 16, secure=True)
    assert {"HttpOnly", "SameSite=Strict", "Path=/", f"Max-Age={COOKIE_DAYS * 86400}"} <= set(plain.split("; "))
    assert "Domain" not in plain and "Secure" not in plain and secure == plain + "; Secure"


# Codes and links


def scope_of(address: str) -> Scope:
    return {"type": "http", "client": (address, 50000)}


def test_the_code_can_be_typed_by_hand(lan: Guard) -> None:
    code = lan.code
    assert len(code) == CODE_LENGTH == 10 and set(code) <= set(CODE_LETTERS) and not set("01OI") & set(CODE_LETTERS)
    assert len(set(CODE_LETTERS)) == 32 and lan.code_shown == f"{code[:5]}-{code[5:]}"
    for typed in (code, lan.code_shown, code.lower(), f" {' '.join(code)}\n", code.replace("L", "1"), lan.code_shown):
        assert len(lan.join(typed, scope_of("192.168.178.34"))) == 16


def test_wrong_codes_are_slowed_for_whoever_types_them(tmp_path: Path) -> None:
    now = [0.0]
    guard = Guard(tmp_path, lan=True, clock=lambda: now[0])
    wrong = guard.code[:-1] + ("A" if guard.code[-1] != "A" else "B")

    def tried(code: str, address: str = "192.168.178.34") -> tuple[str, object]:
        try:
            guard.join(code, scope_of(address))
        except BrettblickError as error:
            return error.code, error.details.get("seconds")
        return "joined", None

    assert [tried(wrong) for _ in range(int(WRONG_CODES.burst))] == [("wrong-code", None)] * 6
    assert tried(wrong) == ("too-many-requests", 10)
    assert tried(guard.code) == ("too-many-requests", 10), "or guessing would go on unslowed"
    assert tried(guard.code, "192.168.178.35") == ("joined", None)
    assert tried(guard.code, "::ffff:192.168.178.34") == ("too-many-requests", 10), "the same address"
    now[0] += 10
    assert tried(guard.code) == ("joined", None)
    assert tried(wrong) == ("wrong-code", None)


@pytest.mark.parametrize("code", ["", "ä" * 10, "\udcff" * 10, "A" * 100_000, "\0", "OOOOOOOOOO"])
def test_odd_codes_are_wrong(lan: Guard, code: str) -> None:
    with pytest.raises(BrettblickError) as caught:
        lan.join(code, scope_of("192.168.178.34"))
    assert caught.value.code == "wrong-code"


def test_a_spectators_link_is_for_one_game(lan: Guard) -> None:
    token = lan.spectator_token("x0-_aZ9kqwer")
    assert re.fullmatch(r"x0-_aZ9kqwer\.[\w-]{22}", token)
    assert lan.spectated(token) == "x0-_aZ9kqwer"
    signature = token.rpartition(".")[2]
    for other in (
        "",
        ".",
        "x0-_aZ9kqwer",
        f"x0-_aZ9kqweS.{signature}",
        f".{signature}",
        token[:-1],
        token + "\udcff",
        "ä.ö",
    ):
        assert lan.spectated(other) is None


# Hosts


@pytest.mark.parametrize(
    ("host", "good"),
    [
        ("localhost:8000", True),
        ("LOCALHOST:8000", True),
        ("localhost.:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("localhost", False),
        ("localhost:8001", False),
        ("127.0.0.2:8000", False),
        ("192.168.178.20:8000", False),
        ("evil.example:8000", False),
        ("localhost.evil.example:8000", False),
        ("localhost:8000@evil.example", False),
        ("localhost:8000, evil.example", False),
        ("127.0.0.1.nip.io:8000", False),
        ("2130706433:8000", False),
        ("[::ffff:127.0.0.1]:8000", True),
        ("[::1:8000", False),
        ("", False),
        ("localhost:999999", False),
    ],
)
def test_only_this_machines_names_on_this_machine(tmp_path: Path, host: str, good: bool) -> None:
    response = ask(Guard(tmp_path), "GET", LOCAL_URL + "/api/x", HERE, headers={"host": host})
    if good:
        refused(response, 403, "not-joined")  # the host is right; a script opens no page
    else:
        refused(response, 421, "wrong-host")


def test_names_and_addresses_in_the_network(lan: Guard, joined: dict[str, str]) -> None:
    machine = own_names()[0]
    good = ["192.168.178.20", machine, machine.upper(), f"{machine}.local", f"{machine}.fritz.box"]
    bad = ["192.168.178.21", "evil.example", f"{machine}.evil.example", "192.168.178.20.nip.io"]
    for host in good + bad:
        response = ask(lan, "GET", LAN_URL + "/", headers={"host": f"{host}:8000"} | joined)
        assert (response.status_code == 200) == (host in good), host
    assert ask(lan, "GET", LAN_URL + "/", headers={"host": "192.168.178.20"} | joined).status_code == 421
    other = Guard(lan.path.parent, lan=True, names=["Wohnzimmer.example"], now=lambda: 1_790_000_000)
    assert ask(other, "GET", LAN_URL + "/", headers={"host": "wohnzimmer.example:8000"} | joined).status_code == 200


def test_two_hosts_or_none_are_wrong(lan: Guard, joined: dict[str, str]) -> None:
    twice = httpx.Headers([("host", "192.168.178.20:8000"), ("host", "evil.example"), *joined.items()])
    refused(ask(lan, "GET", LAN_URL + "/", headers=twice), 421, "wrong-host")
    scope = {"type": "http", "scheme": "http", "headers": [], "server": ("192.168.178.20", 8000)}
    assert not lan.right_host(scope)


def test_the_standard_ports_need_not_be_said(lan: Guard, joined: dict[str, str]) -> None:
    for url in ("http://192.168.178.20/", "https://192.168.178.20/"):
        assert ask(lan, "GET", url, headers=joined).status_code == 200
    assert ask(lan, "GET", "http://192.168.178.20/", headers={"host": "192.168.178.20:443"} | joined).status_code == 421


def test_ipv6_addresses_in_the_network(lan: Guard, joined: dict[str, str]) -> None:
    url = "http://[fd00::20]:8000/"
    assert ask(lan, "GET", url, ("fd00::34", 1), headers=joined).status_code == 200
    assert ask(lan, "GET", url, ("fd00::34", 1), headers={"host": "[fd00::21]:8000"} | joined).status_code == 421


# On this machine


@pytest.mark.parametrize("client", ["127.0.0.1", "127.0.0.5", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("lan_mode", [False, True])
def test_a_page_opened_on_this_machine_brings_its_cookie(tmp_path: Path, client: str, lan_mode: bool) -> None:
    guard = Guard(tmp_path, lan=lan_mode)
    response = ask(guard, "GET", "http://[::1]:8000/game/x", (client, 1), headers=PAGE)
    device = state(response)["device"]
    assert state(response) == {"device": device, "local": True, "new": True} and len(device) == 16
    cookie = response.cookies["brettblick"]
    assert guard.device_of(cookie) == device
    again = ask(guard, "GET", "http://[::1]:8000/", (client, 1), headers=PAGE | {"cookie": f"brettblick={cookie}"})
    assert state(again) == {"device": device, "local": True, "new": False} and "set-cookie" not in again.headers


def test_no_cookie_for_files_data_and_changes(tmp_path: Path) -> None:
    guard = Guard(tmp_path)
    script = ask(guard, "GET", LOCAL_URL + "/static/page.js", HERE, headers={"accept": "*/*"})
    assert state(script)["device"] is None and "set-cookie" not in script.headers
    refused(ask(guard, "GET", LOCAL_URL + "/api/games", HERE), 403, "not-joined")
    change = {"x-brettblick": "1", "origin": LOCAL_URL, **PAGE}
    refused(ask(guard, "POST", LOCAL_URL + "/api/games", HERE, headers=change), 403, "not-joined")


@pytest.mark.parametrize("name", ["x-forwarded-for", "forwarded", "via", "x-real-ip"])
def test_behind_a_proxy_nobody_is_on_this_machine(tmp_path: Path, name: str) -> None:
    response = ask(Guard(tmp_path), "GET", LOCAL_URL + "/", HERE, headers={name: "127.0.0.1"})
    refused(response, 403, "not-joined")


def test_a_phone_that_says_localhost_gets_no_cookie(lan: Guard, tmp_path: Path) -> None:
    assert_sent_to_join(ask(lan, "GET", LOCAL_URL + "/", PHONE, headers=PAGE), "/join?back=%2F")
    assert ask(Guard(tmp_path), "GET", LOCAL_URL + "/static/page.js", PHONE).status_code == 403


def test_this_machine_by_its_address_in_the_network_is_a_stranger(lan: Guard) -> None:
    assert_sent_to_join(ask(lan, "GET", LAN_URL + "/", ("127.0.0.1", 1), headers=PAGE), "/join?back=%2F")


# In the network


def test_without_a_cookie_nothing_of_a_game_is_shown(lan: Guard) -> None:
    for path in ("/", "/game/x", "/api/game/x", "/zuschauen", "/staticx", "/join/x", "/JOIN", "//join"):
        response = ask(lan, "GET", LAN_URL + path)
        assert (response.status_code, response.extensions["seen"]) == (403, None), path
        page = ask(lan, "GET", LAN_URL + path, headers=PAGE)
        assert_sent_to_join(page, f"/join?back={quote(path, safe='')}")
    for path in ("/join", "/join?code=X", "/static/page.css", "/zuschauen/token"):
        assert state(ask(lan, "GET", LAN_URL + path, headers=PAGE)) == {"device": None, "local": False, "new": False}
    refused(ask(lan, "OPTIONS", LAN_URL + "/static/x"), 403, "not-from-page")


def test_a_joined_device_sees_and_changes(lan: Guard, joined: dict[str, str]) -> None:
    assert state(ask(lan, "GET", LAN_URL + "/api/game/x", headers=joined))["device"] == "A" * 16
    response = ask(lan, "POST", LAN_URL + "/api/game/x", headers=joined | FROM_PAGE)
    assert state(response) == {"device": "A" * 16, "local": False, "new": False}


def test_the_good_one_of_several_cookies_counts(lan: Guard, joined: dict[str, str]) -> None:
    others = f"brettblick=old; x=y; {joined['cookie']}; brettblick="
    assert state(ask(lan, "GET", LAN_URL + "/", headers={"cookie": others}))["device"] == "A" * 16
    flood = "; ".join(["brettblick=1"] * 4000)
    assert ask(lan, "GET", LAN_URL + "/", headers={"cookie": f"{flood}; {joined['cookie']}"}).status_code == 403


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"x-brettblick": None}, "not-from-page"),
        ({"x-brettblick": "0"}, "not-from-page"),
        ({"origin": None}, "not-from-page"),
        ({"origin": "null"}, "not-from-page"),
        ({"origin": "http://evil.example"}, "not-from-page"),
        ({"origin": "http://192.168.178.20:8001"}, "not-from-page"),
        ({"origin": "http://192.168.178.20"}, "not-from-page"),
        ({"origin": "https://192.168.178.20:8000"}, "not-from-page"),
        ({"origin": "http://192.168.178.20:8000.evil.example"}, "not-from-page"),
        ({"sec-fetch-site": "cross-site"}, "not-from-page"),
        ({"sec-fetch-site": "same-site"}, "not-from-page"),
        ({"sec-fetch-site": "none"}, "not-from-page"),
        ({"origin": None, "sec-fetch-site": "cross-site"}, "not-from-page"),
        ({"cookie": None}, "not-joined"),
        ({"cookie": "brettblick=1.AAAAAAAAAAAAAAAA.1790000000." + "A" * 43}, "not-joined"),
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_forged_change_is_refused(
    lan: Guard, joined: dict[str, str], method: str, changed: dict[str, str | None], code: str
) -> None:
    headers = {key: value for key, value in (joined | FROM_PAGE | changed).items() if value is not None}
    refused(ask(lan, method, LAN_URL + "/api/game/x", headers=headers), 403, code)


def test_the_browsers_own_word_is_enough(lan: Guard, joined: dict[str, str]) -> None:
    headers = joined | {"x-brettblick": "1", "sec-fetch-site": "same-origin"}
    assert ask(lan, "POST", LAN_URL + "/api/game/x", headers=headers).status_code == 200
    assert ask(lan, "POST", LAN_URL + "/api/game/x", headers=headers | FROM_PAGE).status_code == 200


def test_a_link_elsewhere_leads_a_device_that_has_joined_to_its_page(lan: Guard, joined: dict[str, str]) -> None:
    """The browser keeps a strict cookie to itself on the way of a link, and sends it where our own page leads."""
    first = ask(lan, "GET", LAN_URL + "/games/x0-_aZ9kqwer", headers=PAGE)
    assert_sent_to_join(first, "/join?back=%2Fgames%2Fx0-_aZ9kqwer")
    second = ask(lan, "GET", LAN_URL + "/join?back=%2Fgames%2Fx0-_aZ9kqwer", headers=PAGE | joined)
    assert (second.status_code, second.headers["location"]) == (303, "/games/x0-_aZ9kqwer")
    assert ask(lan, "GET", LAN_URL + "/games/x0-_aZ9kqwer", headers=PAGE | joined).status_code == 200


@pytest.mark.parametrize(
    "back",
    [
        "",
        "//evil.example/",
        "/\\evil.example",
        "https://evil.example",
        "/x%0d%0aset-cookie:%20a",
        "/join",
        "x",
        "/ä",
        "/x?y",
    ],
)
def test_it_leads_nowhere_else(lan: Guard, joined: dict[str, str], back: str) -> None:
    response = ask(lan, "GET", f"{LAN_URL}/join?back={back}", headers=PAGE | joined)
    assert (response.status_code, response.headers["location"]) == (303, "/")


def test_what_is_in_a_path_is_no_markup(lan: Guard) -> None:
    page = ask(lan, "GET", LAN_URL + '/"><script>alert(1)</script>', headers=PAGE)
    assert "<script" not in page.text and page.text.count('"') == 10


def test_a_link_elsewhere_makes_no_new_device_on_this_machine(tmp_path: Path) -> None:
    guard = Guard(tmp_path)
    elsewhere = PAGE | {"sec-fetch-site": "cross-site"}
    response = ask(guard, "GET", LOCAL_URL + "/games/x", HERE, headers=elsewhere)
    assert_sent_to_join(response, "/join?back=%2Fgames%2Fx")
    ours = ask(
        guard, "GET", LOCAL_URL + "/join?back=%2Fgames%2Fx", HERE, headers=PAGE | {"sec-fetch-site": "same-origin"}
    )
    assert (ours.status_code, ours.headers["location"]) == (303, "/games/x")
    assert guard.device_of(ours.cookies["brettblick"]), "the first one, then"


def assert_sent_to_join(response: httpx.Response, target: str) -> None:
    assert response.status_code == 403 and response.extensions["seen"] is None
    assert f'<meta http-equiv="refresh" content="0;url={target}">' in response.text
    assert f'<a href="{target}">{Texts("de")("error.not-joined")}</a>' in response.text
    assert response.headers["content-type"] == "text/html; charset=utf-8" and "set-cookie" not in response.headers


def test_joining_needs_nothing_but_the_code(lan: Guard) -> None:
    """Also a form without scripts can be sent, whose origin the browser does not say."""
    for headers in (FROM_PAGE, {"origin": "null"}, {}):
        assert state(ask(lan, "POST", LAN_URL + "/join", headers=headers))["device"] is None
    refused(ask(lan, "POST", LAN_URL + "/zuschauen/token", headers=FROM_PAGE), 403, "not-joined")


def test_refusals_are_said_in_the_language_of_the_page(lan: Guard) -> None:
    response = ask(lan, "GET", LAN_URL + "/api/x", headers={"cookie": "lang=en"})
    assert response.json()["message"] == Texts("en")("error.not-joined")
    person = ask(lan, "GET", LAN_URL + "/", headers=PAGE | {"host": "evil.example:8000"})
    assert person.text == Texts("de")("error.wrong-host")
    assert person.headers["content-type"] == "text/plain; charset=utf-8"


def test_there_are_no_websockets(lan: Guard) -> None:
    sent: list[Any] = []

    async def keep(message: Any) -> None:
        sent.append(message)

    async def none() -> Any:
        raise AssertionError

    seen = Seen()
    asyncio.run(GuardMiddleware(seen, lan)({"type": "websocket"}, none, keep))
    assert sent == [{"type": "websocket.close", "code": 1008}] and seen.scope is None


def test_the_life_of_the_server_is_passed_on(lan: Guard) -> None:
    passed: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        passed.append(scope["type"])

    unused: Callable[..., Any] = lambda *_: None  # noqa: E731
    asyncio.run(GuardMiddleware(app, lan)({"type": "lifespan"}, unused, unused))
    assert passed == ["lifespan"]
