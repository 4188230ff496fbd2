"""brettblick calibrate camera: photos of one fixed camera in, a profile of where the board lies out; or the camera
itself, to set it up."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.read import READABLE
from assistant.photos import explain_failure, photo_files, refuse_overwriting, with_progress
from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:  # vision is imported when a photo is read, not for --help
    from calibration.camera import CameraProfile, CameraView
    from vision.observe import Observation

SPOILING = ("grid-unsure", "board-cut-off")
"""Warnings with which a photo is not good enough to learn from."""

NOTICED = 0.1
"""A photo that deviates by more than this many squares is named."""

NOT_SQUARE = 0.015
"""Difference between height and width of a square that is told, as a share."""


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO|SOURCE", help=texts("help.calibrate-camera-source"))
    parser.add_argument("--out", type=Path, metavar="FILE.json", help=texts("help.calibrate-camera-out"))
    parser.add_argument("--tiles", choices=READABLE, default="german", help=texts("help.tiles"))
    parser.add_argument("--name", help=texts("help.profile-name"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.live.sources import is_stream

    streams = [text for text in args.photos if is_stream(text)]
    if streams:
        from assistant.commands.calibrate.live_camera import set_up

        if len(args.photos) > 1:
            raise BrettblickError("one camera, or photos", code="one-camera", source=streams[0])
        return set_up(streams[0], args, texts)
    if args.out is None:
        raise BrettblickError("--out is missing", code="needs-out")
    return _learn_from_photos(args, texts)


def _learn_from_photos(args: argparse.Namespace, texts: Texts) -> int:
    from calibration.camera import CameraProfileError, learn_camera
    from scorer.tiles import TILE_SETS
    from vision.locate_learned import LearnedLocator
    from vision.observe import observe
    from vision.onnx_reader import OnnxReader

    files, locator, reader = photo_files(args.photos), LearnedLocator(), OnnxReader()
    if not args.out.absolute().parent.is_dir():
        raise CameraProfileError(f"{args.out}: no such folder", code="cannot-write", path=args.out)
    refuse_overwriting(args.out, files)
    views = []
    for path in with_progress(files, len(files), texts("progress.read")):
        seen = observe(path, locator, reader, TILE_SETS[args.tiles])
        if seen.reading is None or seen.photo is None:
            print(explain_failure(seen, texts), file=sys.stderr)
        else:
            views.append(view(seen, texts))
    if len(views) < len(files):  # nothing is learnt from a part of what was meant
        return 3
    profile = learn_camera(views, args.name or args.out.stem)
    profile.save(args.out)
    print_learnt(profile, args.out, views, texts)
    return 0


def view(seen: Observation, texts: Texts) -> CameraView:
    """What one photo says of the camera; CameraProfileError when its grid is not sure."""
    from calibration.camera import CameraProfileError, CameraView
    from calibration.edition import BoardEdition

    assert seen.photo is not None and seen.corners is not None and seen.reading is not None
    for code in seen.warnings:
        if code in SPOILING:
            why = texts(f"warning.{code}")
            raise CameraProfileError(f"{seen.name}: {why}", code="lesson-unsure", photo=seen.name, why=why)
    photo = seen.photo
    return CameraView(
        Path(seen.name).name,
        (photo.width, photo.height),
        seen.corners,
        oriented="turn-unsure" not in seen.warnings,
        lens_k=seen.lens_k,
        edition=BoardEdition.seen(photo.pixels, seen.corners.scaled(photo.scale), seen.reading.rows),
    )


def print_learnt(profile: CameraProfile, path: Path, views: list[CameraView], texts: Texts) -> None:
    """What was learnt, for people: where the board lies, how exactly, how the camera looks at it."""
    from calibration.camera import deviations
    from vision.geometry import Homography

    width, height = profile.size
    side = Homography.from_corners(profile.corners).square_side()
    print(texts("camera.learnt", path=path, photos=profile.photos, width=width, height=height))
    names = ("markers.top-left", "markers.top-right", "markers.bottom-right", "markers.bottom-left")
    corners = ", ".join(
        f"{texts(name) if profile.oriented else number} ({x:.0f}, {y:.0f})"
        for number, (name, (x, y)) in enumerate(zip(names, profile.corners.points, strict=True), 1)
    )
    print("  " + texts("camera.corners", corners=corners, side=round(side)))
    if profile.photos > 1:
        print("  " + texts("camera.spread", squares=f"{profile.spread:.2f}", pixels=f"{profile.spread * side:.1f}"))
    for one in views:
        far = min(float(deviations(one.corners.turned(k).array[None], profile.corners)[0]) for k in range(4))
        if far > NOTICED:
            print("  " + texts("camera.deviates", photo=one.name, squares=f"{far:.2f}"))
    print("  " + texts("camera.lens", percent=f"{abs(profile.lens_k) * 100:.1f}"))
    if profile.tilt is not None:
        print("  " + texts("camera.tilt", degrees=round(profile.tilt)))
    if profile.aspect is not None and abs(profile.aspect - 1) > NOT_SQUARE:
        print("  " + texts("camera.aspect", percent=f"{(profile.aspect - 1) * 100:+.1f}"))
    if not profile.oriented:
        print("  " + texts("camera.any-turn"))
    print(texts("camera.use", path=path))
