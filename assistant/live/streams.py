"""A stream in the network: what camera apps of phones and network cameras send.

MJPEG (``multipart/x-mixed-replace``) and single JPEGs are taken apart here, so that frames nobody wants are never
decoded and an answer that is no picture is explained; every other kind, and RTSP, is FFmpeg's.
"""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import time
from collections.abc import Iterator
from email.message import Message
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from assistant.live.sources import SIDE, Capture, Frame, Source, SourceError, Wanted

if TYPE_CHECKING:
    import httpx

SCHEMES = ("http", "https", "rtsp", "rtsps")

OPEN_SECONDS, READ_SECONDS = 8.0, 5.0
"""How long an answer, and the next frame, is waited for."""

MOST_BYTES, LONGEST_HEAD = 30_000_000, 100_000
"""No frame, and nothing before one, is longer: a stream without end that is none."""

SNAPSHOT_SECONDS = 0.2
"""A camera that gives one picture an answer is asked this often."""


def open_stream(url: str, scheme: str) -> Source:
    """The stream at an address; SourceError says why there is none."""
    if scheme not in SCHEMES:
        raise SourceError(f"{scheme}: not a known kind of address", code="stream-scheme", scheme=scheme)
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise SourceError(f"{shown(url)}: {error}", code="stream-bad-address", address=shown(url)) from error
    if not host:
        raise SourceError(f"{shown(url)}: no machine in the address", code="stream-bad-address", address=shown(url))
    return HttpStream.open(url) if scheme.startswith("http") else FfmpegStream(url)


def shown(url: str) -> str:
    """The address without name and password."""
    return re.sub(r"//[^/?#]*@", "//", url)


class HttpStream:
    """JPEGs by HTTP: many in one answer (MJPEG), or one an answer."""

    live = True

    def __init__(self, url: str, client: httpx.Client, response: httpx.Response) -> None:
        self.url, self.name, self._client, self._response = url, shown(url), client, response
        self._closed = False
        kind = Message()
        kind["content-type"] = response.headers.get("content-type", "")
        self.kind = kind.get_content_type() if response.headers.get("content-type") else ""
        self._boundary = str(kind.get_param("boundary") or "")

    @staticmethod
    def open(url: str) -> Source:
        """Asks the address and looks at what it sends."""
        import httpx

        client = httpx.Client(
            timeout=httpx.Timeout(OPEN_SECONDS, read=READ_SECONDS), follow_redirects=True, trust_env=False
        )
        response = None
        try:
            response = _asked(client, url)
            stream = HttpStream(url, client, response)
            if stream.kind in ("multipart/x-mixed-replace", "multipart/mixed") or stream.kind == "image/jpeg":
                return stream
            if stream.kind in ("text/html", "application/xhtml+xml"):
                raise SourceError(f"{shown(url)}: a page", code="stream-is-a-page", address=shown(url))
            length = response.headers.get("content-length")
            stream.close()
            return FfmpegStream(url, live=length is None)
        except BaseException:
            if response is not None:
                response.close()
            client.close()
            raise

    def frames(self, wanted: Wanted | None = None) -> Iterator[Frame]:
        from vision.errors import PhotoError
        from vision.photo import decode

        for data in self._snapshots() if self.kind == "image/jpeg" else self._parts():
            now = time.monotonic()
            if wanted is None or wanted(now):
                try:
                    yield Frame(decode(data, self.name, SIDE).pixels, now)
                except PhotoError:  # one that was damaged on its way; a stream of nothing else counts as stalled
                    continue

    def _snapshots(self) -> Iterator[bytes]:
        response = self._response
        while True:
            asked = time.monotonic()
            yield self._body(response)
            time.sleep(max(0.0, asked + SNAPSHOT_SECONDS - time.monotonic()))
            if self._closed:
                return
            response = _asked(self._client, self.url)

    def _body(self, response: httpx.Response) -> bytes:
        data = bytearray()
        for part in self._bytes(response):
            data += part
            if len(data) > MOST_BYTES:
                raise self._no_video()
        response.close()
        return bytes(data)

    def _parts(self) -> Iterator[bytes]:
        """The bodies of the parts (RFC 2046, 5.1.1). Cameras write the boundary with and without its dashes, and not
        all of them tell a part's length."""
        incoming, data = self._bytes(self._response), bytearray()
        mark = b"--" + self._boundary.strip("-").encode("latin-1", "replace")

        def until(mark: bytes, most: int) -> int:
            """Where the mark is, once it has come."""
            looked = 0
            while (at := data.find(mark, looked)) < 0:
                if len(data) > most:
                    raise self._no_video()
                looked = max(0, len(data) - len(mark))
                more()
            return at

        def more() -> None:
            part = next(incoming, None)
            if part is None:
                raise self._lost("the answer ended")
            data.extend(part)

        while True:
            end = until(b"\r\n\r\n", LONGEST_HEAD)
            length = _length(bytes(data[:end]))
            del data[: end + 4]
            if length is None:
                length = until(mark, MOST_BYTES)
            while len(data) < length:
                more()
            body = bytes(data[:length])
            del data[:length]
            yield body

    def _bytes(self, response: httpx.Response) -> Iterator[bytes]:
        """The answer's bytes as they come; SourceError when they do not any more."""
        import httpx

        try:
            yield from response.iter_bytes()
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise self._lost(str(error) or type(error).__name__) from error

    def _lost(self, why: str) -> SourceError:
        return SourceError(f"{self.name}: {why}", code="stream-lost", address=self.name)

    def _no_video(self) -> SourceError:
        return SourceError(f"{self.name}: no pictures", code="stream-no-video", address=self.name)

    def close(self) -> None:
        self._closed = True
        with contextlib.suppress(Exception):  # a read in another thread ends by it
            self._response.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(Exception):  # httpx does not like to be closed from another thread
            self._response.close()
            self._client.close()


def _length(head: bytes) -> int | None:
    """The length that a part's header tells, None when it tells none that can be."""
    for line in head.splitlines():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
            return length if 0 < length <= MOST_BYTES else None
    return None


def _asked(client: httpx.Client, url: str) -> httpx.Response:
    """The answer of an address, its body still to come; SourceError for one that is no good."""
    import httpx

    address, parts = shown(url), urlsplit(url)
    name, secret = parts.username, parts.password
    try:
        response = client.send(client.build_request("GET", url), stream=True)
        if response.status_code == 401 and name and "digest" in response.headers.get("www-authenticate", "").lower():
            response.close()
            auth = httpx.DigestAuth(name, secret or "")
            response = client.send(client.build_request("GET", url), stream=True, auth=auth)
    except httpx.ConnectError as error:
        if _about_certificate(error):
            raise SourceError(f"{address}: {error}", code="stream-certificate", address=address) from error
        raise SourceError(f"{address}: {error}", code="stream-no-answer", address=address) from error
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.TooManyRedirects, UnicodeError) as error:
        raise SourceError(f"{address}: {error}", code="stream-bad-address", address=address) from error
    except (httpx.HTTPError, OSError) as error:
        raise SourceError(f"{address}: {error}", code="stream-no-answer", address=address) from error
    if response.status_code != 200:
        response.close()
        raise status_error(address, response.status_code)
    return response


def _about_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError) or "CERTIFICATE_VERIFY" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def status_error(address: str, status: int) -> SourceError:
    """What a status that is no success means (RFC 9110, RFC 2326)."""
    code = {401: "stream-not-allowed", 403: "stream-not-allowed", 404: "stream-not-found"}.get(status, "stream-status")
    return SourceError(f"{address}: status {status}", code=code, address=address, status=status)


class FfmpegStream:
    """A stream that FFmpeg reads: RTSP, or a video by HTTP.

    live: whether it goes on without end; a film on a server does not
    """

    def __init__(self, url: str, live: bool = True) -> None:
        self.name, self.live = shown(url), live
        self._capture = Capture(
            url,
            "FFMPEG",
            OPEN_TIMEOUT_MSEC=OPEN_SECONDS * 1000,
            READ_TIMEOUT_MSEC=READ_SECONDS * 1000,
            N_THREADS=1,  # more would each hold back a frame
        )
        if not self._capture.opened or not self._capture.grab():
            self.close()
            raise why_no_stream(url)

    def frames(self, wanted: Wanted | None = None) -> Iterator[Frame]:
        last = -1.0
        while True:
            now = time.monotonic() if self.live else self._capture.get("POS_MSEC") / 1000
            if now > last and (wanted is None or wanted(now)):
                pixels = self._capture.retrieve()
                if pixels is not None:
                    last = now
                    yield Frame(pixels, now)
            if not self._capture.grab():
                if not self.live:
                    return
                raise SourceError(f"{self.name}: lost", code="stream-lost", address=self.name)

    def close(self) -> None:
        self._capture.close()


def why_no_stream(url: str) -> SourceError:
    """Why FFmpeg got no picture from an address: it does not say, so the server is asked."""
    address, parts = shown(url), urlsplit(url)
    secure = parts.scheme in ("rtsps", "https")
    port = parts.port or {"rtsp": 554, "rtsps": 322, "http": 80, "https": 443}[parts.scheme]
    try:
        with socket.create_connection((parts.hostname or "", port), timeout=READ_SECONDS) as sock:
            if parts.scheme != "rtsp":
                return SourceError(f"{address}: no video", code="stream-no-video", address=address)
            sock.sendall(f"DESCRIBE {address} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode())
            words = sock.recv(4096).decode("latin-1").split()
    except (OSError, UnicodeError) as error:
        return SourceError(f"{address}: {error}", code="stream-no-answer", address=address)
    if len(words) > 1 and words[0].startswith("RTSP/") and words[1].isdigit() and words[1] != "200" and not secure:
        return status_error(address, int(words[1]))
    return SourceError(f"{address}: no video", code="stream-no-video", address=address)
