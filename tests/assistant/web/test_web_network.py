"""How phones reach this machine: addresses, QR code, certificate."""

from __future__ import annotations

import hashlib
import ipaddress
import re
import socket
import ssl
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np
import pytest
from cryptography import x509

from assistant.web.network import addresses, certificate, likeliest, qr_svg, qr_text
from scorer.errors import BrettblickError

URL = "http://192.168.178.20:8000/join?code=ABCDEFGHJK"
NOW = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)


def test_the_addresses_are_this_machines_own() -> None:
    found = addresses()
    assert len(set(found)) == len(found)
    for address in found:
        parsed = ipaddress.ip_address(address)
        assert parsed.version == 4 and not parsed.is_loopback and not parsed.is_link_local
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.bind((address, 0))  # an address of another machine cannot be bound


def test_addresses_without_any_route() -> None:
    """In a network that leads nowhere the interfaces still know their addresses."""
    assert set(addresses()) == set(addresses(probes=()))


def test_the_likeliest_address_comes_first() -> None:
    interfaces = [("lo", "127.0.0.1"), ("docker0", "172.17.0.1"), ("eth0", "8.8.8.8"), ("wlan0", "192.168.178.20"),
                  ("usb0", "169.254.3.4"), ("eth1", "10.0.0.5"), ("wlan1", "0.0.0.0")]  # fmt: skip
    found = likeliest(["8.8.8.8", "10.0.0.5", "10.0.0.5"], interfaces)
    assert found == ("10.0.0.5", "192.168.178.20", "8.8.8.8", "172.17.0.1")
    assert likeliest([], []) == ()


def decoded(modules: np.ndarray) -> str:
    """What a phone's camera reads from a QR code, one pixel a module, dark ones 0."""
    picture = np.kron(modules, np.ones((8, 8), np.uint8))
    text, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
    return str(text)


def test_the_code_on_the_terminal_can_be_scanned() -> None:
    lines = qr_text(URL).splitlines()
    assert qr_text(URL, colours=True).splitlines() == [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    assert {len(line) for line in lines} == {len(lines[0])} and len(lines[0]) <= 60
    upper = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}
    modules = np.array([[upper[char][half] for char in line] for line in lines for half in (0, 1)], np.uint8)
    assert decoded(modules) == URL


def test_the_code_on_the_page_can_be_scanned_and_has_no_styles() -> None:
    svg = qr_svg(URL)
    assert svg.startswith("<svg ") and svg.endswith("</svg>") and "style" not in svg and "class" not in svg
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1]) // 4  # type: ignore[index]
    modules = np.full((side, side), 255, np.uint8)
    x, y = 0.0, 0.0
    path = re.search(r'stroke="#000" d="([^"]+)"', svg)[1]  # type: ignore[index]
    for kind, numbers in re.findall(r"([Mmh])([-\d. ]+)", path):
        values = [float(number) for number in numbers.split()]
        if kind == "h":
            modules[int(y), int(x) : int(x + values[0])] = 0
            x += values[0]
        else:
            x, y = (values[0], values[1]) if kind == "M" else (x + values[0], y + values[1])
    assert decoded(modules) == URL


# Certificate


def test_a_certificate_is_made_for_the_hosts_and_kept(tmp_path: Path) -> None:
    first = certificate(tmp_path / "new", ["192.168.178.20", "fd00::20", "laptop.local"], NOW)
    assert stat.S_IMODE(first.path.stat().st_mode) == 0o600
    one = x509.load_pem_x509_certificate(first.path.read_bytes())
    names = one.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost", "laptop.local"]
    assert [str(one) for one in names.get_values_for_type(x509.IPAddress)] == [
        "127.0.0.1", "::1", "192.168.178.20", "fd00::20",
    ]  # fmt: skip
    assert one.not_valid_after_utc - one.not_valid_before_utc == timedelta(days=397)
    assert re.fullmatch(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", first.fingerprint)
    later = NOW + timedelta(days=300)
    assert certificate(tmp_path / "new", ["192.168.178.20"], later) == first, "fewer hosts and a later day do"
    assert [file.name for file in first.path.parent.iterdir()] == ["https.pem"]


@pytest.mark.parametrize("days", [-2, 367, 500])
def test_a_certificate_is_made_anew_before_it_expires(tmp_path: Path, days: int) -> None:
    first = certificate(tmp_path, [], NOW)
    second = certificate(tmp_path, [], NOW + timedelta(days=days))
    assert second.fingerprint != first.fingerprint
    assert certificate(tmp_path, [], NOW + timedelta(days=days)) == second


def test_a_certificate_is_made_anew_for_a_new_address(tmp_path: Path) -> None:
    first = certificate(tmp_path, ["192.168.178.20"], NOW)
    assert certificate(tmp_path, ["192.168.178.21"], NOW).fingerprint != first.fingerprint


def test_a_damaged_certificate_is_made_anew(tmp_path: Path) -> None:
    first, other = certificate(tmp_path, [], NOW), certificate(tmp_path / "other", [], NOW)
    whole, key, end = first.path.read_bytes(), b"-----BEGIN CERTIFICATE-----", b"-----END PRIVATE KEY-----\n"
    swapped = other.path.read_bytes().partition(end)[0] + end + whole.partition(end)[2]
    for damaged in (b"", b"rubbish", whole[:-40], whole.partition(key)[0], whole.partition(end)[2], swapped):
        first.path.write_bytes(damaged)
        made = certificate(tmp_path, [], NOW)
        assert made.fingerprint != first.fingerprint
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(made.path)


def test_a_certificate_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    first = certificate(tmp_path, [], NOW)
    first.path.chmod(0o644)
    assert certificate(tmp_path, [], NOW) == first
    assert stat.S_IMODE(first.path.stat().st_mode) == 0o600


def test_where_nothing_can_be_written_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(BrettblickError) as caught:
        certificate(tmp_path / "file", [], NOW)
    assert caught.value.code == "cannot-write"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "laptop.local"])
def test_a_browser_that_trusts_the_certificate_is_content(tmp_path: Path, host: str) -> None:
    """A real TLS handshake, with the certificate as the only root, the name checked and the fingerprint compared."""
    made = certificate(tmp_path, ["laptop.local"])
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(made.path)
    ours, theirs = socket.socketpair()

    def serve() -> None:
        with server.wrap_socket(theirs, server_side=True) as connection:
            connection.sendall(b"hello")

    thread = threading.Thread(target=serve)
    thread.start()
    client = ssl.create_default_context(cadata=made.path.read_text().partition("-----END PRIVATE KEY-----\n")[2])
    with client.wrap_socket(ours, server_hostname=host) as connection:
        assert connection.recv(5) == b"hello"
        der = connection.getpeercert(binary_form=True)
    thread.join()
    assert der is not None
    assert made.fingerprint.replace(":", "").lower() == hashlib.sha256(der).hexdigest()
