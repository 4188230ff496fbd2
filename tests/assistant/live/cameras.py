"""Cameras for tests: an MJPEG camera in the network, and video files with what cameras write into them."""

from __future__ import annotations

import base64
import contextlib
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np

from vision.pixels import Pixels


def picture(number: int, width: int = 320, height: int = 240) -> Pixels:
    """A picture that tells its number by its brightness, with noise as every camera has it."""
    noise = np.random.default_rng(number).integers(-5, 6, (height, width, 3))
    return np.clip(40 + 10 * (number % 20) + noise, 0, 255).astype(np.uint8)


def noisy(pixels: Pixels) -> Pixels:
    """As a camera sees it: no two frames alike."""
    noise = np.random.default_rng().integers(-3, 4, pixels.shape, np.int16)
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


def number_of(pixels: Pixels) -> int:
    """The number of such a picture, modulo 20."""
    return round((float(pixels.mean()) - 40) / 10)


def jpeg(pixels: Pixels) -> bytes:
    return cv2.imencode(".jpg", pixels)[1].tobytes()


class NetworkCamera:
    """What a camera app does.

    mode: ``moving``, ``frozen``, ``black``, ``silent`` (answers, sends nothing more), ``scene`` (what it is pointed at)
    """

    def __init__(self, port: int = 0, lengths: bool = True, password: str = "", rate: float = 30.0) -> None:
        self.mode, self.lengths, self.rate = "moving", lengths, rate
        self.sent = 0
        self.scene: Pixels = picture(0)
        self._going, camera = True, self
        wanted = "Basic " + base64.b64encode(password.encode()).decode()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if password and self.headers.get("Authorization") != wanted:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                    self.end_headers()
                elif self.path == "/video":
                    self.send_response(200)
                    self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=--cut")
                    self.end_headers()
                    with contextlib.suppress(OSError):
                        camera._send(self)
                elif self.path == "/shot.jpg":
                    data = jpeg(picture(camera.sent))
                    camera.sent += 1
                    self.send_response(200)
                    self.send_header("Content-Type", "image/jpeg")
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                elif self.path == "/":
                    self.send_response(200)
                    self.send_header("Content-Type", "text/html; charset=utf-8")
                    self.end_headers()
                    self.wfile.write(b"<h1>Camera</h1>")
                elif self.path == "/nonsense":
                    self.send_response(200)
                    self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
                    self.end_headers()
                    with contextlib.suppress(OSError):
                        for _ in range(40):
                            self.wfile.write(b"x" * (1 << 20))
                else:
                    self.send_error(int(self.path.strip("/") or 404) if self.path.strip("/").isdigit() else 404)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def _send(self, handler: BaseHTTPRequestHandler) -> None:
        still = picture(7)
        while self._going:
            if self.mode != "silent":
                pixels = {"frozen": still, "black": picture(0) // 20, "scene": self.scene}.get(self.mode)
                data = jpeg(picture(self.sent) if pixels is None else noisy(pixels) if self.mode == "scene" else pixels)
                length = f"Content-Length: {len(data)}\r\n" if self.lengths else ""
                handler.wfile.write(f"--cut\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + data + b"\r\n")
                self.sent += 1
            time.sleep(1 / self.rate)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"

    def close(self) -> None:
        self._going = False
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def camera(**options: object) -> Iterator[NetworkCamera]:
    one = NetworkCamera(**options)  # type: ignore[arg-type]
    try:
        yield one
    finally:
        one.close()


def write_video(
    path: Path, frames: int, rate: float = 10.0, kind: str = "mp4v", width: int = 320, height: int = 240
) -> Path:
    """A video of `picture` 0, 1, ..."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*kind), rate, (width, height))
    assert writer.isOpened()
    for k in range(frames):
        writer.write(picture(k, width, height))
    writer.release()
    return path


def turned(path: Path, out: Path) -> Path:
    """The MP4 with the flag that it was filmed with a phone on its side: to be turned a quarter clockwise (ISO/IEC
    14496-12, 8.3.2: the matrix of the track's header)."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 4 + 20 + 8 + 8
    data[at : at + 36] = struct.pack(">9i", 0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30)
    out.write_bytes(data)
    return out


def uneven(path: Path, out: Path, seconds: Sequence[float]) -> Path:
    """The MP4 with each frame shown for so many seconds (8.6.1.2: the times of the samples)."""
    data = path.read_bytes().replace(b"edts", b"free")  # the edit list, which cuts it to its old length
    start = data.index(b"mdhd") + 4
    scale = struct.unpack(">I", data[start + 12 : start + 16])[0]
    entries = b"".join(struct.pack(">II", 1, round(one * scale)) for one in seconds)
    body = b"stts" + struct.pack(">II", 0, len(seconds)) + entries
    out.write_bytes(_with_box(data, [b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stts"], body))
    return out


def _with_box(data: bytes, names: Sequence[bytes], body: bytes) -> bytes:
    """The boxes with the one at this path replaced."""
    out, at = b"", 0
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at : at + 8])
        inside = data[at + 8 : at + size]
        if name == names[0]:
            content = name + _with_box(inside, names[1:], body) if len(names) > 1 else body
            out += struct.pack(">I", len(content) + 4) + content
        else:
            out += data[at : at + size]
        at += size
    return out
