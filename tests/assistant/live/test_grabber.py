"""The newest frame of a source that is slow, fails, stalls, freezes or goes black."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.live import grabber as grabber_module
from assistant.live.grabber import Grabber
from assistant.live.sources import Frame, SourceError, open_source
from tests.assistant.live.cameras import NetworkCamera, camera, number_of, write_video

PATIENCE = 60.0
"""Seconds that a slow machine may take for what happens at once."""


def until(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def watching(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Grabber]]:
    """Grabbers of sources by their names, with less patience than usual."""
    for name, value in (("STALLED", 0.4), ("FROZEN", 0.5), ("BLACK", 0.3)):
        monkeypatch.setattr(grabber_module, name, value)
    started = []

    def watch(text: str) -> Grabber:
        one = Grabber(open_source(text), lambda: open_source(text), pauses=(0.05, 0.1))
        one.start()
        started.append(one)
        return one

    yield watch
    for one in started:
        one.stop()


def test_only_the_newest_frame_is_kept(watching: Callable[[str], Grabber]) -> None:
    with camera(rate=100) as one:
        grabber = watching(one.url)
        until(lambda: one.sent > 30 and grabber.dropped > 5)
        first = grabber.newest(PATIENCE)
        assert first is not None and first.pixels.shape == (240, 320, 3)
        dropped = grabber.dropped
        second = grabber.newest(PATIENCE)
        assert second is not None and second.time > first.time and dropped > 5
        until(lambda: grabber.trouble is None)
        assert grabber.error is None


def test_fewer_frames_while_nothing_happens(watching: Callable[[str], Grabber]) -> None:
    """At most so many a second by the frames' own times, however fast the machine is."""
    with camera(rate=60) as one:
        grabber = watching(one.url)
        for calm, most in ((False, grabber_module.RATE), (True, grabber_module.CALM_RATE)):
            grabber.calm = calm
            grabber.newest(PATIENCE)
            grabber.newest(PATIENCE)
            times = [frame.time for _ in range(8) if (frame := grabber.newest(PATIENCE))]
            assert len(times) == 8
            assert (times[-1] - times[0]) * most > 7 - 1.5


def test_a_camera_that_is_pulled_out_and_put_back(watching: Callable[[str], Grabber]) -> None:
    one = NetworkCamera(rate=60)
    grabber = watching(one.url)
    assert grabber.newest(PATIENCE) is not None
    one.close()
    until(lambda: grabber.trouble == "lost")
    assert isinstance(grabber.error, SourceError) and not grabber.ended
    until(lambda: grabber.error is not None and grabber.error.code == "stream-no-answer")
    while grabber.newest(0.01) is not None:
        pass
    again = NetworkCamera(port=one.port, rate=60)
    try:
        until(lambda: grabber.newest(0.1) is not None)
        until(lambda: grabber.trouble is None)
        assert grabber.error is None
    finally:
        again.close()


@pytest.mark.parametrize(("mode", "trouble"), [("silent", "stalled"), ("frozen", "frozen"), ("black", "black")])
def test_a_camera_that_goes_on_without_a_picture(mode: str, trouble: str, watching: Callable[[str], Grabber]) -> None:
    with camera(rate=40) as one:
        grabber = watching(one.url)
        assert grabber.newest(PATIENCE) is not None
        until(lambda: grabber.trouble is None)
        one.mode = mode
        until(lambda: grabber.trouble == trouble)
        one.mode = "moving"
        until(lambda: grabber.trouble is None)
        until(lambda: grabber.newest(0.1) is not None)


def test_a_file_is_played_in_real_time_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grabber_module, "LATE", PATIENCE)
    path = write_video(tmp_path / "film.mp4", 12, rate=10.0)
    grabber = Grabber(open_source(str(path)))
    began = time.monotonic()
    grabber.start()
    seen: list[Frame] = []
    until(lambda: bool((frame := grabber.newest(0.1)) and seen.append(frame)) or grabber.ended)
    while not grabber.ended or len(seen) == 0:
        if frame := grabber.newest(0.1):
            seen.append(frame)
    assert time.monotonic() - began > 1.05, "not faster than it was filmed"
    assert [frame.time for frame in seen] == sorted(frame.time for frame in seen)
    assert number_of(seen[-1].pixels) == 11 and grabber.trouble is None and grabber.error is None
    assert grabber.newest(0.1) is None
    grabber.stop()


def test_frames_of_a_file_that_come_too_late_are_dropped(tmp_path: Path) -> None:
    path = write_video(tmp_path / "film.mp4", 30, rate=10.0)
    now = [0.0]
    grabber = Grabber(open_source(str(path)), clock=lambda: now[0])
    assert grabber._wanted(0.0)
    now[0] = 2.0
    assert [grabber._wanted(time) for time in (0.1, 1.0, 1.7)] == [False, False, False] and grabber.dropped == 3
    assert grabber._wanted(1.9)
    grabber.stop()


def test_it_stops_while_a_source_says_nothing() -> None:
    with camera() as one:
        grabber = Grabber(open_source(one.url))
        grabber.start()
        one.mode = "silent"
        grabber.newest(0.2)
        grabber.stop()
        until(lambda: not grabber._thread.is_alive())
