"""Typefaces that can be printed on a tile.

Only faces named in FAMILIES are used, a hand-kept list: files of a system hold symbols, scripts and jokes as well.
Where they come from is written in FONTS.md beside this file. A face is used only if it holds every letter of a
German set and the digits.
"""

from __future__ import annotations

import os
import re
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import ImageFont

from scorer.errors import BrettblickError

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"
PLAIN = LETTERS[:26] + "&!+@=%#$→×★♥♦♣☺ÆØÐÞŁΓΔΘΛΞΠΣΦΨΩЖЯШЩЦЧЮЭИФБДЛПЪЫĄĘȘȚŞÇŒ€0123456789"
"""Prints without anything over the capital's height."""
NEEDED = LETTERS + "0123456789"
FOLDERS_VARIABLE = "BRETTBLICK_FONTS"
"""Environment variable with more folders to look in, separated like PATH."""
FAMILIES_VARIABLE = "BRETTBLICK_FAMILIES"
"""Environment variable with the only families to draw with, separated by commas: the same pictures on every machine
that has them, whatever else is installed."""

_WEIGHTS = {
    "thin": 100,
    "extralight": 200,
    "light": 300,
    "book": 400,
    "regular": 400,
    "roman": 400,
    "sans": 400,
    "r": 400,
    "": 400,
    "medium": 500,
    "demi": 600,
    "semibold": 600,
    "demibold": 600,
    "bold": 700,
    "rb": 700,
    "b": 700,
    "extrabold": 800,
    "heavy": 800,
    "black": 900,
}
_STYLE = r"(?:[-_]?(Light|Book|Regular|Roman|Medium|Demi|SemiBold|Semibold|DemiBold|Bold|ExtraBold|Heavy))?"
_WEB = r"-latin-(\d00)-normal"


class NoFontsError(BrettblickError):
    """No usable typeface on this machine, or one that was asked for by name is not there."""

    code = "no-fonts"


@dataclass(frozen=True)
class Face:
    """One file: a family at one weight.

    kind: geometric, grotesque, humanist, rounded, condensed, serif or hand (drawn by hand; only on request)
    weight: 100 (thin) to 900 (black), 400 is regular
    share: how often it should be drawn, relative to the others
    """

    name: str
    kind: str
    weight: int
    path: str
    share: float


# family, kind, share, file stem (group 1: weight)
FAMILIES: tuple[tuple[str, str, float, str], ...] = (
    ("Montserrat", "geometric", 4.0, r"(?:montserrat" + _WEB + r"|Montserrat" + _STYLE + r")"),
    ("Metropolis", "geometric", 2.0, r"metropolis" + _WEB),
    ("Jost", "geometric", 2.5, r"jost" + _WEB),
    ("League Spartan", "geometric", 0.8, r"(?:league-spartan" + _WEB + r"|LeagueSpartan" + _STYLE + r")"),
    ("Figtree", "geometric", 1.0, r"figtree" + _WEB),
    ("Raleway", "geometric", 1.0, r"raleway" + _WEB),
    ("Poppins", "geometric", 1.0, r"poppins" + _WEB),
    ("Outfit", "geometric", 0.8, r"outfit" + _WEB),
    ("Urbanist", "geometric", 0.8, r"urbanist" + _WEB),
    ("Josefin Sans", "geometric", 1.5, r"josefin-sans" + _WEB),
    ("Didact Gothic", "geometric", 0.7, r"didact-gothic" + _WEB),
    ("Questrial", "geometric", 0.7, r"questrial" + _WEB),
    ("Kumbh Sans", "geometric", 0.7, r"kumbh-sans" + _WEB),
    ("Red Hat Display", "geometric", 0.7, r"red-hat-display" + _WEB),
    ("DM Sans", "geometric", 1.0, r"dm-sans" + _WEB),
    ("URW Gothic", "geometric", 1.5, r"URWGothic" + _STYLE),
    ("TeX Gyre Adventor", "geometric", 0.7, r"texgyreadventor" + r"-?(regular|bold)"),
    ("Universalis ADF", "geometric", 1.2, r"UniversalisADFStd" + _STYLE),
    ("Universalis ADF Condensed", "condensed", 0.8, r"UniversalisADFStd-(Bold)?Cond"),
    ("Manrope", "geometric", 0.8, r"Manrope" + _STYLE),
    ("Sora", "geometric", 0.5, r"Sora" + _STYLE),
    ("Work Sans", "grotesque", 1.0, r"work-sans" + _WEB),
    ("Inter", "grotesque", 1.0, r"Inter" + _STYLE),
    ("Roboto", "grotesque", 1.0, r"Roboto" + _STYLE),
    ("Liberation Sans", "grotesque", 1.0, r"LiberationSans" + _STYLE),
    ("Nimbus Sans", "grotesque", 1.0, r"NimbusSans" + _STYLE),
    ("TeX Gyre Heros", "grotesque", 0.4, r"texgyreheros" + r"-?(regular|bold)"),
    ("FreeSans", "grotesque", 0.3, r"FreeSans" + _STYLE),
    ("Karla", "grotesque", 0.5, r"Karla" + _STYLE),
    ("Switzera ADF", "grotesque", 0.5, r"SwitzeraADF" + _STYLE),
    ("Go", "grotesque", 0.4, r"Go" + _STYLE),
    ("M PLUS 1", "grotesque", 0.4, r"Mplus1" + _STYLE),
    ("OSP DIN", "grotesque", 0.5, r"OSP-DIN()"),
    ("National Park", "grotesque", 0.3, r"NationalPark" + _STYLE),
    ("Lato", "humanist", 1.5, r"Lato" + _STYLE),
    ("Open Sans", "humanist", 1.0, r"OpenSans" + _STYLE),
    ("Fira Sans", "humanist", 0.8, r"fira-sans" + _WEB),
    ("Carlito", "humanist", 0.8, r"Carlito" + _STYLE),
    ("Cabin", "humanist", 0.9, r"Cabin" + _STYLE),
    ("Cantarell", "humanist", 0.5, r"Cantarell" + _STYLE),
    ("Clear Sans", "humanist", 0.7, r"ClearSans" + _STYLE),
    ("Gillius ADF", "humanist", 1.2, r"GilliusADF" + _STYLE),
    ("Gillius ADF Condensed", "condensed", 0.7, r"GilliusADF-(Bold)?Cond"),
    ("Libris ADF", "humanist", 0.3, r"LibrisADFStd" + _STYLE),
    ("Oxygen", "humanist", 0.4, r"Oxygen-Sans" + _STYLE),
    ("B612", "humanist", 0.3, r"B612" + _STYLE),
    ("Allerta", "humanist", 0.3, r"allerta_(medium)"),
    ("Junction", "humanist", 0.4, r"Junction()"),
    ("PT Sans", "humanist", 0.5, r"PTS(55|75)F"),
    ("DejaVu Sans", "humanist", 1.0, r"DejaVuSans" + _STYLE),
    ("Noto Sans", "humanist", 0.7, r"NotoSans" + _STYLE),
    ("Andika", "humanist", 0.3, r"Andika" + _STYLE),
    ("Tuffy", "humanist", 0.4, r"Tuffy(?:_(Bold))?"),
    ("Linux Biolinum", "humanist", 0.3, r"LinBiolinum_(R|RB)"),
    ("Nunito", "rounded", 1.0, r"nunito" + _WEB),
    ("Quicksand", "rounded", 0.6, r"Quicksand" + _STYLE),
    ("Comfortaa", "rounded", 0.2, r"Comfortaa" + _STYLE),
    ("Dosis", "rounded", 0.4, r"Dosis" + _STYLE),
    ("Averia Sans", "rounded", 0.2, r"AveriaSansGWF" + _STYLE),
    ("Archivo Narrow", "condensed", 0.9, r"archivo-narrow" + _WEB),
    ("Barlow Semi Condensed", "condensed", 1.0, r"barlow-semi-condensed" + _WEB),
    ("Nimbus Sans Narrow", "condensed", 0.6, r"NimbusSansNarrow" + _STYLE),
    ("Roboto Condensed", "condensed", 0.5, r"RobotoCondensed" + _STYLE),
    ("DejaVu Sans Condensed", "condensed", 0.5, r"DejaVuSansCondensed" + _STYLE),
    ("Yanone Kaffeesatz", "condensed", 0.2, r"YanoneKaffeesatz" + _STYLE),
    ("DejaVu Serif", "serif", 0.3, r"DejaVuSerif" + _STYLE),
    ("Roboto Slab", "serif", 0.3, r"RobotoSlab" + _STYLE),
    ("Caladea", "serif", 0.2, r"Caladea" + _STYLE),
    ("Vollkorn", "serif", 0.2, r"Vollkorn" + _STYLE),
    ("Liberation Serif", "serif", 0.2, r"LiberationSerif" + _STYLE),
    ("Noto Serif", "serif", 0.2, r"NotoSerif" + _STYLE),
    ("URW Bookman", "serif", 0.2, r"URWBookman" + _STYLE),
    ("C059", "serif", 0.2, r"C059" + _STYLE),
    ("EB Garamond", "serif", 0.1, r"EBGaramond12" + _STYLE),
    ("Quattrocento", "serif", 0.2, r"Quattrocento" + _STYLE),
    ("Linux Libertine", "serif", 0.1, r"LinLibertine_(R|RB)"),
    ("Architects Daughter", "hand", 1.0, r"architects-daughter" + _WEB),
    ("Balsamiq Sans", "hand", 1.0, r"balsamiq-sans" + _WEB),
    ("Caveat Brush", "hand", 1.0, r"caveat-brush" + _WEB),
    ("Covered By Your Grace", "hand", 1.0, r"covered-by-your-grace" + _WEB),
    ("Delius", "hand", 1.0, r"delius" + _WEB),
    ("Gochi Hand", "hand", 1.0, r"gochi-hand" + _WEB),
    ("Gloria Hallelujah", "hand", 1.0, r"gloria-hallelujah" + _WEB),
    ("Handlee", "hand", 1.0, r"handlee" + _WEB),
    ("Indie Flower", "hand", 1.0, r"indie-flower" + _WEB),
    ("Kalam", "hand", 1.0, r"kalam" + _WEB),
    ("Neucha", "hand", 1.0, r"neucha" + _WEB),
    ("Patrick Hand", "hand", 1.0, r"patrick-hand" + _WEB),
    ("Playpen Sans", "hand", 1.0, r"playpen-sans" + _WEB),
    ("Short Stack", "hand", 1.0, r"short-stack" + _WEB),
)
LIGHTEST, BOLDEST = 300, 800
PREFERRED = (
    "Montserrat 600",
    "Metropolis 600",
    "Lato 700",
    "URW Gothic 600",
    "Open Sans 600",
    "DejaVu Sans 700",
    "Liberation Sans 700",
)
"""For the demo game, best first: close to the print of German tiles."""


def font_folders() -> tuple[Path, ...]:
    """Folders that are searched, with their subfolders."""
    home = Path.home()
    extra = [Path(part) for part in os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep) if part]
    return (
        *extra,
        home / ".fonts",
        home / ".local/share/fonts",
        Path("/usr/local/share/fonts"),
        Path("/usr/share/fonts"),
        Path("/usr/share/texmf/fonts"),
    )


def find_faces(folders: tuple[Path, ...] | None = None) -> tuple[Face, ...]:
    """All usable faces, in the order of FAMILIES, lightest first; raises NoFontsError when there is none."""
    only = tuple(part.strip() for part in os.environ.get(FAMILIES_VARIABLE, "").split(",") if part.strip())
    return _find_faces(font_folders() if folders is None else tuple(folders), only)


@lru_cache(maxsize=8)
def _find_faces(folders: tuple[Path, ...], only: tuple[str, ...]) -> tuple[Face, ...]:
    stems: dict[str, str] = {}
    for folder in folders:
        for base, _, names in os.walk(folder, followlinks=True):
            for name in sorted(names):
                stem, dot, ending = name.rpartition(".")
                if dot and ending.lower() in ("ttf", "otf", "woff"):
                    stems.setdefault(stem, os.path.join(base, name))
    faces = []
    for family, kind, share, pattern in FAMILIES:
        if only and family not in only:
            continue
        found: dict[int, str] = {}
        for stem, path in sorted(stems.items()):
            match = re.fullmatch(pattern, stem)
            if match:
                weight = _weight(next((g for g in match.groups() if g), ""))
                if LIGHTEST <= weight <= BOLDEST and weight not in found and _covers(path, NEEDED):
                    found[weight] = path
        prior = {weight: 1.0 if 400 <= weight <= 700 else 0.5 for weight in found}
        for weight in sorted(found):
            part = share * prior[weight] / sum(prior.values())
            faces.append(Face(f"{family} {weight}", kind, weight, found[weight], part))
    if not faces:
        raise NoFontsError(
            "no typeface for the tiles was found on this machine",
            hint="Install one, on Debian: apt-get install fonts-lato fonts-open-sans fonts-dejavu-core.",
        )
    return tuple(faces)


def _weight(word: str) -> int:
    if word.isdigit():
        return {55: 400, 75: 700}.get(int(word), int(word))
    return _WEIGHTS[word.lower()]


@lru_cache(maxsize=4096)
def _covers(path: str, text: str) -> bool:
    try:
        held = _held(path)
    except ImportError:
        return _covers_by_rendering(path, text)
    return all(ord(letter) in held for letter in text)


@lru_cache(maxsize=1024)
def _held(path: str) -> frozenset[int]:
    """Code points that a file holds, none if it cannot be read; ImportError without fontTools."""
    from fontTools.ttLib import TTFont

    try:
        with TTFont(path, lazy=True, fontNumber=0) as font:
            return frozenset(font.getBestCmap() or {})
    except Exception:
        return frozenset()


def _covers_by_rendering(path: str, text: str) -> bool:
    """A letter the file lacks is drawn as the same box as a code point that no font holds."""
    try:
        font = ImageFont.truetype(path, 32)
        missing = bytes(font.getmask("\U0010fffe"))
        return all(bytes(font.getmask(letter)) not in (missing, b"") for letter in set(text))
    except OSError:
        return False


@lru_cache(maxsize=1024)
def face(name: str) -> Face:
    """The face of this name ("Montserrat 600"); raises NoFontsError."""
    for candidate in find_faces():
        if candidate.name == name:
            return candidate
    raise NoFontsError(
        f"the typeface {name} is not on this machine", hint="models/table/FONTS.md says where it comes from."
    )


@lru_cache(maxsize=4096)
def files_for(name: str, text: str) -> tuple[str, str] | None:
    """Files to print `text` with in the face of this name: the one that holds the text, and the one whose capitals say
    how large. A web font is split by alphabets, so the first may be a sister file; else another face, as close in
    kind and weight as there is; None if no face holds the text."""
    wanted = face(name)
    if _covers(wanted.path, text):
        return wanted.path, wanted.path
    for part in ("latin-ext", "cyrillic", "greek"):
        sister = wanted.path.replace("-latin-", f"-{part}-")
        if sister != wanted.path and os.path.exists(sister) and _covers(sister, text):
            return sister, wanted.path
    others = [other for other in find_faces() if other.kind != "hand" and _covers(other.path, text)]
    others.sort(
        key=lambda other: ((other.kind == "serif") != (wanted.kind == "serif"), abs(other.weight - wanted.weight))
    )
    if not others:
        return None
    other = others[zlib.crc32(name.encode()) % min(8, len(others))]  # not the same one for all
    return other.path, other.path


def preferred_face() -> Face:
    """The best face there is for German tiles: first of PREFERRED, else any sans-serif between 500 and 700."""
    faces = find_faces()
    by_name = {candidate.name: candidate for candidate in faces}
    for name in PREFERRED:
        if name in by_name:
            return by_name[name]
    fitting = [f for f in faces if f.kind not in ("serif", "hand") and 500 <= f.weight <= 700]
    return (fitting or faces)[0]


def label_face(text: str, kinds: tuple[str, ...] = ("condensed", "grotesque", "humanist", "geometric")) -> Face:
    """A face for print on the board that holds every letter of `text` (Polish and Romanian letters too)."""
    faces = find_faces()
    for kind in kinds:
        for candidate in faces:
            if candidate.kind == kind and candidate.weight >= 600 and _covers(candidate.path, text.replace("\n", "")):
                return candidate
    return faces[0]


def choose_face(rng: np.random.Generator, kinds: tuple[str, ...] = ()) -> Face:
    """One face at random by its share; `kinds` limits the choice, without it no hand-drawn ones."""
    faces = [f for f in find_faces() if (f.kind in kinds if kinds else f.kind != "hand")] or list(find_faces())
    shares = np.array([f.share for f in faces])
    return faces[int(rng.choice(len(faces), p=shares / shares.sum()))]


@lru_cache(maxsize=192)  # each holds a file open
def sized(path: str, pixels: int) -> ImageFont.FreeTypeFont:
    """The typeface opened at this size (pixels per em)."""
    return ImageFont.truetype(path, pixels, layout_engine=ImageFont.Layout.BASIC)


if __name__ == "__main__":
    for found in find_faces():
        print(f"{found.kind:10} {found.weight} {found.share:.2f}  {found.name}  {found.path}")
