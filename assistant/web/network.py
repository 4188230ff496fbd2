"""How phones reach this machine: its addresses, the QR code, and a certificate it makes itself."""

from __future__ import annotations

import contextlib
import hashlib
import io
import ipaddress
import socket
import struct
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from assistant.web.secret_file import write_secret

# Addresses


PROBES = ("1.1.1.1", "10.255.255.255", "172.31.255.255", "192.168.255.255")
"""Where a packet would go out to the world, and to each range of private addresses (RFC 1918)."""

SIOCGIFADDR = {"linux": 0x8915, "darwin": 0xC0206921}
"""The system call that asks an interface for its address, where there is one."""

VIRTUAL = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "tun", "tap", "utun", "wg", "tailscale", "zt")
"""How interfaces begin that no phone in the room is on."""


def addresses(probes: Iterable[str] = PROBES) -> tuple[str, ...]:
    """The IPv4 addresses under which other machines may reach this one, the likeliest first; none without a network.

    The way out into the network tells the likeliest one; nothing is sent, and it need not lead into the internet.
    """
    ways, interfaces = [way for probe in probes if (way := _way_to(probe))], _of_interfaces()
    if not ways and not interfaces:  # Windows has no such system call
        with contextlib.suppress(OSError):
            ways = socket.gethostbyname_ex(socket.gethostname())[2]
    return likeliest(ways, interfaces)


def likeliest(ways: Iterable[str], interfaces: Collection[tuple[str, str]]) -> tuple[str, ...]:
    """Usable addresses in order: private ones before public ones, those of virtual interfaces last.

    ways: addresses towards other networks; interfaces: name and address of each
    """
    virtual = {address for name, address in interfaces if name.startswith(VIRTUAL)}
    found = dict.fromkeys((*ways, *(address for _, address in interfaces)))

    def last(address: str) -> tuple[bool, bool]:
        return address in virtual, not ipaddress.ip_address(address).is_private

    return tuple(sorted(filter(_usable, found), key=last))


def _usable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified or parsed.is_multicast)


def _way_to(target: str) -> str | None:
    """This machine's address towards another: connecting a datagram socket looks up the route and sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect((target, 9))
        except OSError:
            return None
        return str(sock.getsockname()[0])


def _of_interfaces() -> list[tuple[str, str]]:
    """Name and IPv4 address of each network interface that has one; needs no route, so it works in any network."""
    request = SIOCGIFADDR.get(sys.platform)
    if request is None:
        return []
    import fcntl

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(sock, request, struct.pack("256s", name.encode()[:15]))
                found.append((name, socket.inet_ntoa(answer[20:24])))
    return found


# QR code


def qr_text(url: str, colours: bool = False) -> str:
    """A QR code (ISO/IEC 18004) for the terminal, two modules a line.

    colours: with escapes for black and white; without them a terminal with a light ground shows it inverted, which not
             every phone reads
    """
    out = io.StringIO()
    _qr(url).terminal(out, compact=True)
    if not colours:
        return out.getvalue()
    return "".join(f"\x1b[97;40m{line}\x1b[0m\n" for line in out.getvalue().splitlines())


def qr_svg(url: str) -> str:
    """The same as an ``<svg>`` element for the page, black on white whatever the page's colours; without styles."""
    return str(_qr(url).svg_inline(scale=4, dark="#000", light="#fff", svgclass=None, lineclass=None, omitsize=True))


def _qr(url: str):  # type: ignore[no-untyped-def]  # segno has no types
    import segno

    return segno.make(url, error="m", micro=False)


# Certificate

DAYS = 397
"""Validity of a certificate: browsers refuse what is valid for longer than 398 days (CA/Browser Forum, SC-31)."""

RENEW_DAYS = 30
"""A certificate with fewer days left is made anew."""


@dataclass(frozen=True)
class Certificate:
    """path: PEM file with the key and the certificate, for nobody else to read; fingerprint: SHA-256, as browsers show
    it, in pairs of capitals with colons between."""

    path: Path
    fingerprint: str
    until: datetime


def certificate(folder: Path, hosts: Iterable[str], now: datetime | None = None) -> Certificate:
    """The certificate of this server, self-made (X.509, EC P-256): kept in the folder's file ``https.pem``, made anew
    when it lacks one of the hosts, is about to expire, or cannot be used.

    hosts: addresses and names beside ``localhost`` and its addresses
    now:   with its time zone
    BrettblickError ``cannot-write``.
    """
    now = now or datetime.now(UTC)
    path, wanted = folder / "https.pem", list(dict.fromkeys(("localhost", "127.0.0.1", "::1", *hosts)))
    kept = _kept(path, wanted, now)
    if kept is None:
        write_secret(path, _made(wanted, now))
        kept = _kept(path, wanted, now)
        assert kept is not None
    return kept


def _kept(path: Path, wanted: Collection[str], now: datetime) -> Certificate | None:
    """The certificate in the file, None when it does not do."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        data = path.read_bytes()
        one, key = x509.load_pem_x509_certificate(data), load_pem_private_key(data, None)
        names = one.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return None
    has = set(names.get_values_for_type(x509.DNSName)) | {str(a) for a in names.get_values_for_type(x509.IPAddress)}
    until = one.not_valid_after_utc
    if not set(wanted) <= has or not one.not_valid_before_utc <= now <= until - timedelta(days=RENEW_DAYS):
        return None
    if key.public_key() != one.public_key():
        return None
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    from cryptography.hazmat.primitives.serialization import Encoding

    digest = hashlib.sha256(one.public_bytes(Encoding.DER)).hexdigest().upper()
    return Certificate(path, ":".join(digest[k : k + 2] for k in range(0, 64, 2)), until)


def _made(hosts: Collection[str], now: datetime) -> bytes:
    """Key and certificate, PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    def general(host: str) -> x509.GeneralName:
        try:
            return x509.IPAddress(ipaddress.ip_address(host))
        except ValueError:
            return x509.DNSName(host)

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Brettblick")])
    one = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may be behind
        .not_valid_after(now + timedelta(days=DAYS - 1))
        .add_extension(x509.SubjectAlternativeName([general(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + one.public_bytes(Encoding.PEM)
