"""`brettblick calibrate markers`: a page for the printer, and what to do with it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cli import main
from vision.markers import find_markers


@pytest.mark.parametrize("size", [20, 45])
def test_a_page_is_written_and_explained(size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "markers.pdf"
    assert main(["calibrate", "markers", "--out", str(path), "--size", str(size)]) == 0
    said = capsys.readouterr().out
    assert str(path) in said and "ausschneiden" in said and "--markers" in said
    content = path.read_bytes()
    page = cv2.imdecode(np.frombuffer(content[content.index(b"\xff\xd8\xff") :], np.uint8), cv2.IMREAD_COLOR)
    found = find_markers(page)
    assert sorted(found) == [0, 1, 2, 3]
    rim = round(page.shape[1] * 8 / 210)  # printers leave some millimetres white
    assert page[:rim].min() > 240 and page[-rim:].min() > 240 and page[:, -rim:].min() > 240
    assert np.linalg.norm(found[0][1] - found[0][0]) * 210 / page.shape[1] == pytest.approx(size, abs=0.2)


@pytest.mark.parametrize("size", ["5", "200", "nan"])
def test_odd_sizes_are_refused(size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "markers", "--out", str(tmp_path / "m.pdf"), "--size", size]) == 2
    assert "20 bis 45 mm" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nowhere" / "m.pdf"
    assert main(["--lang", "en", "calibrate", "markers", "--out", str(path)]) == 2
    assert "cannot be written" in capsys.readouterr().err
