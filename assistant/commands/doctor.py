"""brettblick doctor: is everything there that Brettblick needs, and what is missing."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assistant.texts import Texts
from scorer.errors import BrettblickError

LIBRARIES = (
    "brettblick",
    "numpy",
    "opencv-python",
    "onnxruntime",
    "pillow",
    "pytesseract",
    "rich",
    "marisa-trie",
    "platformdirs",
)


@dataclass(frozen=True)
class Finding:
    """One line of the report. needed: whether the main work fails without it."""

    name: str
    good: bool
    detail: str
    needed: bool = True


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("--json", action="store_true", help=texts("help.json"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    findings = examine(texts)
    good = all(f.good for f in findings if f.needed)
    if args.json:
        print(json.dumps([vars(f) for f in findings], ensure_ascii=False, indent=1))
        return 0 if good else 1
    from rich.table import Table
    from rich.text import Text

    from assistant.terminal import Console

    table = Table(show_header=False, box=None)
    for f in findings:
        mark = Text("✓", "green") if f.good else Text("✗", "red") if f.needed else Text("–", "yellow")
        table.add_row(mark, f.name, f.detail)
    console = Console()
    console.print(table)
    console.print(texts("doctor.good" if good else "doctor.bad"), style="bold")
    return 0 if good else 1


def examine(texts: Texts) -> list[Finding]:
    """All findings; never raises: what fails is a finding."""
    from importlib import metadata

    findings = [Finding("Python", True, platform.python_version())]
    findings += [_checked(name, lambda name=name: metadata.version(name)) for name in LIBRARIES]  # type: ignore[misc]
    findings.append(_checked("OpenCV", _opencv))
    findings.append(_checked(texts("doctor.model"), _model))
    findings.append(_checked(texts("doctor.words"), lambda: _words(texts)))
    findings.append(_checked(texts("doctor.second-opinion"), lambda: _second_opinion(texts), needed=False))
    findings.append(_checked("Tesseract", lambda: _tesseract(texts), needed=False))
    findings.append(_checked(texts("doctor.fonts"), _fonts, needed=False))
    cameras = sorted(str(path) for path in Path("/dev").glob("video*"))
    findings.append(
        Finding(texts("doctor.cameras"), bool(cameras), ", ".join(cameras) or texts("doctor.no-camera"), needed=False)
    )
    return findings


def _checked(name: str, examine_it: Callable[[], str], needed: bool = True) -> Finding:
    try:
        return Finding(name, True, examine_it(), needed)
    except BrettblickError as error:
        return Finding(name, False, f"{error.message}. {error.hint}", needed)
    except Exception as error:  # whatever a broken library throws is what we report
        return Finding(name, False, f"{type(error).__name__}: {error}", needed)


def _opencv() -> str:
    import cv2  # fails here when a system library (libGL) is missing

    return f"{cv2.__version__}, {cv2.getNumThreads()} threads"


def _model() -> str:
    from vision.onnx_reader import OnnxReader

    reader = OnnxReader()
    classes = len(reader.classes)
    return f"{reader.model.name}, {reader.model.stat().st_size / 1e6:.1f} MB, {classes} classes"


def _words(texts: Texts) -> str:
    from hashlib import sha256

    from assistant.lexicon import club, german

    if sha256(german.FILE.read_bytes()).hexdigest() != german.provenance()["file_sha256"]:
        raise BrettblickError(f"{german.FILE}: damaged", code="bad-lexicon-file", path=german.FILE)
    lists = [german.about(), *(one.about for one in club.kept())]
    return f"{', '.join(one.title for one in lists)}; {texts.number(german.provenance()['words'])}"


def _second_opinion(texts: Texts) -> str:
    from assistant.lexicon import german

    second = german.second_list()
    if second is None:
        hint = f"pip install {german.SECOND}"
        raise BrettblickError(texts("doctor.no-second-opinion", hint=hint), code="engine-missing")
    return second.title


def _tesseract(texts: Texts) -> str:
    import pytesseract

    try:
        version, languages = pytesseract.get_tesseract_version(), pytesseract.get_languages()
    except pytesseract.TesseractNotFoundError:
        languages = []
    if "deu" not in languages:
        hint = "apt-get install tesseract-ocr tesseract-ocr-deu"
        raise BrettblickError(texts("doctor.tesseract-missing", hint=hint), code="engine-missing")
    return f"{version}, {', '.join(languages)}"


def _fonts() -> str:
    from models.table.fonts import find_faces

    faces = find_faces()
    families = sorted({face.name.rpartition(" ")[0] for face in faces})
    return f"{len(faces)}: {', '.join(families[:6])}{' ...' if len(families) > 6 else ''}"
