"""What somebody at the terminal sees, hears and types while a camera watches."""

from __future__ import annotations

import os
import re
import stat
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.live.keyboard import keys
from assistant.live.screen import Screen
from assistant.live.speech import Speaker, program, spoken
from assistant.texts import Texts
from scorer.errors import BrettblickError
from vision.live.sight import Sight, State

PATIENCE = 60.0


def until(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.01)


def sight(state: State, bumped: bool = False) -> Sight:
    return Sight(1.0, (1280, 720), state, bumped=bumped)


def lines(out: str) -> list[str]:
    """Without the times of day."""
    return [re.sub(r"^\d\d:\d\d:\d\d  ", "", line) for line in out.splitlines()]


def test_what_waits_behind_a_question_is_not_called_one(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(Texts("en"))
    screen.came({"kind": "asked", "why": "which-letter", "text": "Is H4 an I?"})
    screen.came({"kind": "asked", "why": "waiting", "text": "Ben: H4 AN, 2 points – counts later"})
    screen.close()
    said = lines(capsys.readouterr().out)
    assert said[0].startswith("Question: Is H4 an I?") and said[1] == "Ben: H4 AN, 2 points – counts later"


def test_without_a_terminal_each_change_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(Texts("de"))
    screen.begin()
    for state in ("searching", "settling", "moving", "hand", "moving", "settling", "calm", "calm"):
        screen.seen(sight(state))  # type: ignore[arg-type]
    screen.came({"kind": "wait", "text": "Ruhig: Der Zug sieht noch nicht fertig aus."})
    screen.seen(sight("calm"))
    screen.came({"kind": "proposed", "text": "Anna: H4 FIRNS, 24 Punkte"})
    screen.came({"kind": "booked", "text": "Gilt: Anna: H4 FIRNS, 24 Punkte"})
    screen.came({"kind": "asked", "text": "Ist H4 ein I?\x1b[2J"})
    screen.came({"kind": "nothing", "text": "Nichts Neues."})
    screen.seen(sight("calm", bumped=True))
    screen.trouble("stalled", None)
    screen.trouble("lost", BrettblickError("gone", code="stream-lost", address="http://192.168.1.20/video"))
    screen.trouble(None, None)
    screen.refused("server-away", "")
    screen.refused("server-away", "")
    screen.refused("", "")
    screen.ended("source")
    screen.close()
    out = capsys.readouterr().out
    assert "\a" not in out and "\x1b" not in out
    said = lines(out)
    assert said[:9] == [
        "Ich suche das Brett.",
        "Gleich ruhig …",
        "Ruhig.",
        "Ruhig: Der Zug sieht noch nicht fertig aus.",
        "Anna: H4 FIRNS, 24 Punkte",
        "Gilt: Anna: H4 FIRNS, 24 Punkte",
        "Frage: Ist H4 ein I?\\x1b[2J (auf der Seite antworten)",
        "Die Kamera oder das Brett wurde verschoben: wiedergefunden.",
        "Ruhig.",
    ]
    assert said[-1] == "Das Video ist zu Ende."
    assert "Die Kamera ist wieder da." in said and "http://192.168.1.20/video: Es kommt kein Bild mehr." in out
    assert sum("Server antwortet nicht" in line for line in said) == 1 and "Der Server ist wieder da." in said


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind")
def test_keys_of_a_terminal_which_is_left_as_it_was() -> None:
    """In a session of its own, so that the terminal is the one in front."""
    import pty
    import subprocess
    import termios

    # tests that a shell runs in the background inherit that Ctrl-C is ignored
    code = (
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from assistant.live.keyboard import keys\n"
        "with keys(lambda key: print(repr(key), flush=True)) as there:\n"
        "    print(there, flush=True)\n    import time\n    time.sleep(60)\n"
    )
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    process = subprocess.Popen(
        [sys.executable, "-c", "import os, fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n" + code],
        stdin=slave,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=Path(__file__).resolve().parents[3],
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        assert termios.tcgetattr(slave)[3] & termios.ICANON == 0
        os.write(master, b" s")
        assert [process.stdout.readline() for _ in range(2)] == ["' '\n", "'s'\n"]
        os.write(master, b"\x03")
        assert process.wait(PATIENCE) != 0, "Ctrl-C ends it"
        assert termios.tcgetattr(slave) == before
    finally:
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


def test_without_a_terminal_there_are_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        with keys(lambda key: None) as there:
            assert there is False


# Speech


def test_which_program_speaks() -> None:
    assert program("de", {"espeak-ng": "/bin/e", "say": "/bin/s"}.get)[:3] == ("/bin/e", "-v", "de")
    assert program("de", {"say": "/bin/s"}.get) == ("/bin/s", "-v", "Anna", "-f", "-")
    with pytest.raises(BrettblickError) as caught:
        program("de", {}.get)
    assert caught.value.code == "no-speech" and "espeak-ng" in Texts("de").error(caught.value)


def test_words_in_capitals_are_not_spelled() -> None:
    assert spoken("Anna: H4 FIRNS, 24 Punkte. ÜBER É A") == "Anna: H4 Firns, 24 Punkte. Über É A"


@pytest.mark.skipif(sys.platform == "win32", reason="a script as a program")
def test_what_is_said_one_after_the_other(tmp_path: Path) -> None:
    said, script = tmp_path / "said.txt", tmp_path / "speak"
    script.write_text(f"#!/bin/sh\ncat >> '{said}'; echo >> '{said}'\n", encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    speaker = Speaker([str(script)])
    for text in ("Anna: FIRNS, 24 Punkte", "-rf $(touch x); Frage"):
        speaker.say(text)
        until(lambda text=text: said.exists() and said.read_text().endswith(spoken(text) + "\n"))
    speaker.stop()
    assert said.read_text(encoding="utf-8") == "Anna: Firns, 24 Punkte\n-rf $(touch x); Frage\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a script as a program")
def test_a_long_text_is_cut_off_at_the_end(tmp_path: Path) -> None:
    started, script = tmp_path / "started", tmp_path / "speak"
    script.write_text(f"#!/bin/sh\ntouch '{started}'; exec sleep 600\n", encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    speaker = Speaker([str(script)])
    speaker.say("Lang")
    until(started.exists)
    for k in range(20):
        speaker.say(f"neuer {k}")
    speaker.stop()
    until(lambda: not any(thread.name == "speaker" and thread.is_alive() for thread in threading.enumerate()))
