"""What watching costs while nothing happens, and whether its memory stays flat: python -m bench.live [--hours 3]

Of each size a rendered table is filmed for some seconds, with noise as a camera has it, and kept as MJPEG (what webcams
send) and as MPEG-4 (nearest to the H.264 of phones that OpenCV's own wheels can write). CPU is the process's own time
on one thread, as a share of one core at so many frames a second; decoding and the eye are told apart. Shares depend on
the machine.

The memory is that of the whole process in a session of so many hours, simulated as fast as it goes: every minute a hand
comes and goes, every quarter of an hour the camera is bumped.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.table.demo import boards, demo_params, framed
from models.table.items import Hand
from models.table.scene import SceneParams, render
from vision.board_net import BoardNet
from vision.live.eye import Eye
from vision.locate_learned import LearnedLocator
from vision.pixels import Pixels

SIZES = ((1280, 720), (1920, 1080))
CODECS = (("MJPEG", ".avi", "MJPG"), ("MPEG-4", ".mp4", "mp4v"))
SECONDS = 20


def table(size: tuple[int, int]) -> SceneParams:
    """The demo game's board in the middle of the game, as large as fits."""
    params = demo_params(2)[0]
    camera = replace(params.camera, square_px=size[1] / 19)
    return replace(params, filling=boards()[8], camera=framed(camera, params.edition.aspect, *size))


def still(size: tuple[int, int], count: int = 12) -> list[Pixels]:
    """Frames of a calm table, each with noise of its own."""
    pixels = render(table(size)).pixels
    rng = np.random.default_rng(1)
    return [cv2.add(pixels, rng.normal(0, 3, pixels.shape).astype(np.int16), dtype=cv2.CV_8U) for _ in range(count)]


def filmed(frames: list[Pixels], path: Path, code: str, rate: float) -> bool:
    """Writes SECONDS of these frames; False where this OpenCV cannot."""
    height, width = frames[0].shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), rate, (width, height))
    if not writer.isOpened():
        return False
    for number in range(round(SECONDS * rate)):
        writer.write(frames[number % len(frames)])
    writer.release()
    return True


def spent(path: Path, rate: float) -> tuple[float, float]:
    """CPU seconds a frame of decoding and of the eye, when the board has been found and looked at."""
    film, eye = cv2.VideoCapture(str(path)), Eye(LearnedLocator(BoardNet(threads=1)))
    decoding = seeing = 0.0
    number = counted = 0
    while True:
        start = time.process_time()
        got, pixels = film.read()
        middle = time.process_time()
        if not got:
            return decoding / counted, seeing / counted
        sight = eye.see(pixels, number / rate)
        end = time.process_time()
        number += 1
        if number > 4 * rate:
            assert sight.state == "calm" and sight.look is None, "the table is not calm"
            decoding, seeing, counted = decoding + middle - start, seeing + end - middle, counted + 1


def costs(rates: tuple[float, ...]) -> None:
    print("share of one core while nothing happens\n")
    print("size        film     frames/s   decoding      eye   together")
    for size in SIZES:
        frames = still(size)
        with tempfile.TemporaryDirectory() as folder:
            for name, suffix, code in CODECS:
                for rate in rates:
                    path = Path(folder) / f"{name}-{rate:g}{suffix}"
                    if not filmed(frames, path, code, rate):
                        print(f"{size[0]} x {size[1]:<5}{name:<9}cannot be written by this OpenCV")
                        break
                    decoding, seeing = (seconds * rate for seconds in spent(path, rate))
                    shares = f"{decoding:9.1%}{seeing:10.1%}{decoding + seeing:10.1%}"
                    print(f"{size[0]} x {size[1]:<5}{name:<9}{rate:8g}  {shares}", flush=True)


def memory(hours: float, rate: float) -> None:
    """Prints the memory of the process every quarter of a simulated hour."""
    size = SIZES[0]
    free = still(size, 4)
    hand = Hand("flat", (6.5, 7.5), 55.0, (150, 180, 215), (120, 60, 40), 0.5, 0.6, 1.1, False, 5)
    free.append(render(replace(table(size), hands=(hand,))).pixels)
    bumped = [np.roll(frame, (9, 23), axis=(0, 1)) for frame in free]
    eye = Eye(LearnedLocator(BoardNet(threads=1)))
    looks = bumps = 0
    print(f"\nmemory in a session of {hours:g} hours, {rate:g} frames a second at {size[0]} x {size[1]}\n")
    for number in range(round(hours * 3600 * rate) + 1):
        at = number / rate
        quarter, second = int(at // 900), at % 60
        frames = bumped if quarter % 2 else free
        sight = eye.see(frames[4 if 20 <= second < 26 else number % 4], at)
        looks += sight.look is not None
        bumps += sight.bumped
        if number % round(900 * rate) == 0:
            print(f"{at / 3600:5.2f} h {resident():7.1f} MB   looks {looks:4d}   bumps {bumps}", flush=True)
    print(f"most   {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:7.1f} MB")


def resident() -> float:
    """Memory that the process holds now, MB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=3.0, help="length of the session (default 3; 0: none)")
    parser.add_argument("--rate", type=float, default=4.0, help="frames a second of the session (default 4)")
    parser.add_argument("--rates", type=float, nargs="+", default=[10.0, 15.0], help="frames a second of the films")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    costs(tuple(options.rates))
    if options.hours:
        memory(options.hours, options.rate)


if __name__ == "__main__":
    main()
