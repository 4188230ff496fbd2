"""Hands and things over and around the board.

Everything is made of "pods": a stretch of the world between two points with a radius at each end, drawn as nested
outlines from dark to light, which looks round. Lengths in squares (19 mm on a real board).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from models.table.camera import View
from models.table.textures import Colour, bgr, clouds, cut, hsv, luminance, mix, speckle
from vision.geometry import SIZE

POSES = ("flat", "pointing", "pinching", "fist")
THINGS = ("pen", "sheet", "bag", "cup", "phone", "cable", "book", "rack", "loose")
"""`rack` and `loose` hold tiles and are laid by the scene; the others are drawn here."""


@dataclass(frozen=True)
class Hand:
    """tip: grid point the hand reaches for; angle: degrees, where the arm comes from; sleeve: share of the arm in cloth
    height: over the board, in squares; size: 1 for a hand 9 squares long; mirror: left hand
    """

    pose: str
    tip: tuple[float, float]
    angle: float
    skin: Colour
    cloth: Colour
    sleeve: float
    height: float
    size: float
    mirror: bool
    seed: int


@dataclass(frozen=True)
class Paw:
    """A cat's foreleg. tip: grid point of its toes; angle: degrees, where the leg comes from

    fur, second: colours; coat: "plain", "tabby" (stripes across in the second colour), "patched" (blots of it); sock:
    length of the white end in squares, 0 none; height: over the board, in squares; size: 1 for a paw 1.8 squares wide
    """

    tip: tuple[float, float] = (7.5, 7.5)
    angle: float = 0.0
    fur: Colour = (190, 130, 75)
    second: Colour = (110, 65, 35)
    coat: str = "tabby"
    sock: float = 0.0
    height: float = 0.6
    size: float = 1.0
    seed: int = 0


@dataclass(frozen=True)
class Thing:
    """kind: one of THINGS; at: grid point of its middle; angle: degrees; size: 1 for usual; colour"""

    kind: str
    at: tuple[float, float]
    angle: float
    size: float
    colour: Colour
    seed: int


def random_hand(rng: np.random.Generator) -> Hand:
    """A hand that reaches over the board, or only over its rim."""
    u = rng.uniform
    angle = float(u(0, 360))
    direction = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    over_rim = np.clip(7.5 + direction * 12, 0.5, 14.5) + rng.normal(0, 0.8, 2)
    tip = u(1, 14, 2) if rng.random() < 0.6 else over_rim
    tone = u(0, 1)
    skin = hsv(
        u(10, 24),
        float(np.interp(tone, (0, 0.6, 1), (0.22, 0.5, 0.6))) * u(0.85, 1.15),
        float(np.interp(tone, (0, 0.6, 1), (0.95, 0.75, 0.3))),
    )
    return Hand(
        pose=str(rng.choice(POSES, p=[0.25, 0.35, 0.3, 0.1])),
        tip=(float(tip[0]), float(tip[1])),
        angle=angle,
        skin=skin,
        cloth=hsv(u(0, 360), u(0, 0.8), u(0.08, 0.95)),
        sleeve=float(u(0.2, 0.95) if rng.random() < 0.7 else 0.0),
        height=float(u(0.3, 2.5)),
        size=float(u(0.8, 1.15)),
        mirror=bool(rng.random() < 0.5),
        seed=int(rng.integers(1 << 30)),
    )


def random_thing(rng: np.random.Generator) -> Thing:
    """A thing beside the board, often reaching over its rim, seldom in the middle of it."""
    u = rng.uniform
    kind = str(rng.choice(THINGS, p=[0.14, 0.1, 0.08, 0.07, 0.06, 0.06, 0.06, 0.21, 0.22]))
    side = int(rng.integers(4))
    out = float(rng.choice([u(-0.5, 1.5), u(1.5, 4)], p=[0.35, 0.65]))
    if kind in ("rack", "loose"):
        out = float(u(1.9, 3.5))
    along = float(u(0.5, 14.5))
    at = [(SIZE + out, along), (along, SIZE + out), (-out, along), (along, -out)][side]
    if kind in ("pen", "cable") and rng.random() < 0.35:
        at = (float(u(1, 14)), float(u(1, 14)))
    angle = float(side * 90 + rng.normal(0, 6)) if kind == "rack" else float(u(0, 360))
    colour = hsv(u(0, 360), u(0, 0.9), u(0.05, 0.98))
    if kind == "rack":
        colour = hsv(u(15, 35), u(0.3, 0.7), u(0.25, 0.8)) if rng.random() < 0.6 else colour
    elif kind == "sheet":
        colour = hsv(u(30, 60), u(0, 0.12), u(0.85, 1))
    return Thing(kind, (float(at[0]), float(at[1])), angle, float(u(0.75, 1.25)), colour, int(rng.integers(1 << 30)))


class Pod:
    """From a to b (world, squares), radii there, height of its middle over the board."""

    def __init__(self, a: NDArray, b: NDArray, ra: float, rb: float, height: float) -> None:
        self.a, self.b, self.ra, self.rb, self.height = np.asarray(a, float), np.asarray(b, float), ra, rb, height

    def outline(self, shrink: float = 1.0, shift: tuple[float, float] | NDArray = (0.0, 0.0)) -> NDArray[np.float32]:
        angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=1) * shrink
        points = np.concatenate([self.a + self.ra * ring, self.b + self.rb * ring]) + shift
        return cv2.convexHull(points.astype(np.float32))[:, 0]


class Easel:
    """Where items are drawn: the picture so far, and a mask of what they hide."""

    def __init__(
        self,
        picture: NDArray[np.uint8],
        view: View,
        towards: tuple[float, float],
        elevation: float,
        softness: float,
        depth: float,
    ) -> None:
        self.picture, self.view = picture, view
        self.towards = np.array(towards)
        self.slope = 1 / np.tan(np.radians(elevation))
        self.softness, self.depth = softness, depth
        self.hidden = np.zeros(picture.shape[:2], np.uint8)

    def project(self, world: NDArray, height: float) -> NDArray[np.float64]:
        flat = np.asarray(world, np.float64).reshape(-1, 1, 2)
        return cv2.perspectiveTransform(flat, self.view.world_plane(height))[:, 0]

    def cast(self, pods: list[Pod], ground: float = 0.0) -> None:
        """Soft shadow of pods on the plane `ground` over the board."""
        if self.depth <= 0:
            return
        small = np.zeros((self.picture.shape[0] // 4 + 1, self.picture.shape[1] // 4 + 1), np.uint8)
        lift = 0.0
        for pod in pods:
            shift = -self.towards * self.slope * max(pod.height - ground, 0.05)
            outline = pod.outline(1.0, np.clip(shift, -5, 5))
            _fill(small, (self.project(outline, ground) + 0.5) / 4 - 0.5, 255)
            lift = max(lift, pod.height - ground)
        blur = (0.15 + self.softness * lift * 2) * self.view.camera.square_px / 4
        small = cv2.GaussianBlur(small, (0, 0), max(0.7, min(blur, 60)))
        full = cv2.resize(small, (small.shape[1] * 4, small.shape[0] * 4))[
            : self.picture.shape[0], : self.picture.shape[1]
        ]
        factor = (255 - full.astype(np.float32) * self.depth).astype(np.uint8)
        cv2.multiply(self.picture, cv2.merge([factor] * 3), self.picture, 1 / 255)

    def paint(
        self, pods: list[Pod], colour: Colour, rng: np.random.Generator, *, rough: float = 0.05, roundness: float = 0.45
    ) -> None:
        """Draws pods in one colour, round and lit from the lamp's side; later pods lie over earlier ones."""
        base = bgr(colour)
        height, width = self.picture.shape[:2]
        outlines = np.concatenate([self.project(pod.outline(), pod.height) for pod in pods])
        x0, y0 = np.clip(np.floor(outlines.min(axis=0)).astype(int) - 3, 0, (width, height))
        x1, y1 = np.clip(np.ceil(outlines.max(axis=0)).astype(int) + 3, 0, (width, height))
        if x1 - x0 < 3 or y1 - y0 < 3:
            return
        layer = np.zeros((y1 - y0, x1 - x0, 3), np.uint8)
        mask = np.zeros(layer.shape[:2], np.uint8)
        steps = 7
        for pod in pods:
            middle_radius = (pod.ra + pod.rb) / 2
            for i in range(steps):
                t = i / (steps - 1)
                outline = pod.outline(1 - 0.85 * t, self.towards * middle_radius * 0.3 * t)
                points = self.project(outline, pod.height) - (x0, y0)
                _fill(layer, points, base * (1 - roundness * (1 - t) ** 1.7))
            _fill(mask, self.project(pod.outline(), pod.height) - (x0, y0), 255)
        layer = cv2.GaussianBlur(layer, (0, 0), max(0.6, 0.12 * self.view.camera.square_px))
        texture = 1 + rough * cut(clouds(int(rng.integers(4))), rng, mask.shape, self.view.camera.square_px / 25)
        texture += (
            0.4 * rough * cut(speckle(int(rng.integers(6))), rng, mask.shape, max(1.0, self.view.camera.square_px / 25))
        )
        cover = mask.astype(np.float32)[..., None] / 255
        part = self.picture[y0:y1, x0:x1]
        shaded = np.clip(layer * texture[..., None], 0, 255)
        part[:] = (part * (1 - cover) + shaded * cover).astype(np.uint8)
        np.maximum(self.hidden[y0:y1, x0:x1], mask, out=self.hidden[y0:y1, x0:x1])

    def slab(
        self, corners: NDArray, height: float, colour: Colour, ground: float, print_: NDArray[np.float32] | None = None
    ) -> None:
        """A flat thing with straight sides: top at `height`, foot at `ground`; `print_` multiplies its top."""
        low, high = self.project(corners, ground), self.project(corners, height)
        hull = cv2.convexHull(np.concatenate([low, high]).astype(np.float32))[:, 0]
        _fill(self.picture, hull, bgr(colour) * 0.6)
        _fill(self.hidden, hull, 255)
        if print_ is None:
            _fill(self.picture, high, bgr(colour))
            return
        top = np.clip(print_[..., None] * bgr(colour), 0, 255).astype(np.uint8)
        h, w = print_.shape
        matrix = cv2.getPerspectiveTransform(
            np.array([(0, 0), (w - 1, 0), (w - 1, h - 1), (0, h - 1)], np.float32), high.astype(np.float32)
        )
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        _fill(mask, high, 255)
        cv2.copyTo(
            cv2.warpPerspective(top, matrix, self.view.size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE),
            mask,
            self.picture,
        )


def _fill(picture: NDArray[np.uint8], polygon: NDArray, colour: object) -> None:
    values = [float(c) for c in np.atleast_1d(colour)]
    points = np.clip(np.round(np.asarray(polygon, np.float64) * 16), -(1 << 20), 1 << 20).astype(np.int32)
    cv2.fillConvexPoly(picture, points, values, cv2.LINE_AA, 4)


def draw_hand(easel: Easel, hand: Hand, *, cast: bool = True) -> None:
    """cast: with its shadow"""
    rng = np.random.default_rng(hand.seed)
    skin, sleeve, nails = _hand_pods(hand, easel.view.aspect, rng)
    if cast:
        easel.cast(skin + sleeve)
    easel.paint(skin, hand.skin, rng, rough=0.035, roundness=0.5)
    if nails:
        easel.paint(nails, mix(hand.skin, (255, 225, 215), 0.45), rng, rough=0.01, roundness=0.15)
    if sleeve:
        easel.paint(sleeve, hand.cloth, rng, rough=0.12, roundness=0.55)


COATS = (
    ((205, 140, 80), (150, 85, 40)),
    ((125, 118, 108), (60, 55, 50)),
    ((130, 105, 80), (55, 42, 32)),
    ((38, 36, 37), (70, 60, 55)),
    ((236, 232, 224), (90, 85, 82)),
    ((236, 230, 220), (190, 125, 70)),
    ((120, 124, 132), (95, 98, 106)),
)
"""Fur and second colour: orange, grey and brown tabby, black, white with grey or orange, blue."""


def random_paw(rng: np.random.Generator) -> Paw:
    """Of any cat, from any side."""
    fur, second = COATS[int(rng.integers(len(COATS)))]
    return Paw(
        angle=float(rng.uniform(0, 360)),
        fur=fur,
        second=second,
        coat=str(rng.choice(["plain", "tabby", "patched"], p=[0.25, 0.5, 0.25])),
        sock=float(rng.uniform(0.8, 4.5) if rng.random() < 0.4 else 0.0),
        height=float(rng.uniform(0.5, 1.0)),
        size=float(rng.uniform(0.85, 1.2)),
        seed=int(rng.integers(1 << 30)),
    )


def draw_paw(easel: Easel, paw: Paw) -> None:
    """Without its shadow. Toes, paw, leg, shoulder; fur that lies along the leg and frays at the edge."""
    rng = np.random.default_rng(paw.seed)
    s = paw.size
    away = np.radians(paw.angle)
    along, across = np.array([np.cos(away), np.sin(away)]), np.array([-np.sin(away), np.cos(away)])
    tip = (np.array(paw.tip) - 7.5) * (1, easel.view.aspect)

    def pod(a: tuple[float, float], b: tuple[float, float], ra: float, rb: float) -> Pod:
        (ax, ay), (bx, by) = a, b
        ends = [tip + s * (x * along + y * across) for x, y in ((ax, ay), (bx, by))]
        return Pod(ends[0], ends[1], ra * s, rb * s, paw.height)

    bend = rng.uniform(-1.2, 1.2)
    leg = [
        pod((12, bend), (40, 1.5 * bend), 2.6, 5.0),
        pod((6.5, 0.5 * bend), (12, bend), 1.35, 2.5),
        pod((2.2, 0), (6.5, 0.5 * bend), 0.85, 1.3),
        pod((1.0, 0), (2.4, 0), 0.88, 0.86),
    ]
    toes = [pod((0.42 + abs(y) * 0.25, y), (1.0, y * 0.8), 0.42, 0.4) for y in (-0.66, -0.22, 0.22, 0.66)]
    before = easel.hidden.copy()
    under = easel.picture.copy()
    easel.hidden[:] = 0
    easel.paint(leg, paw.fur, rng, rough=0.04, roundness=0.6)
    easel.paint(toes, paw.fur, rng, rough=0.04, roundness=0.5)
    cover, picture = easel.hidden.copy(), easel.picture
    ys, xs = np.nonzero(cover)
    if not len(xs):
        easel.hidden[:] = before
        return
    box = np.s_[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    unit = easel.view.camera.square_px
    # place of each pixel along and across the leg, in squares; taken from the plane that the paw is in
    inverse = np.linalg.inv(easel.view.world_plane(paw.height))
    gy, gx = np.mgrid[box].astype(np.float32)
    world = cv2.perspectiveTransform(np.stack([gx, gy], axis=-1).reshape(-1, 1, 2), inverse).reshape(*gx.shape, 2)
    x, y = ((world - tip) @ along / s).astype(np.float32), ((world - tip) @ across / s).astype(np.float32)
    soft = cut(clouds(int(rng.integers(4))), rng, x.shape, unit / 30)
    share = np.zeros_like(x)
    if paw.coat == "tabby":
        waves = np.sin(2 * np.pi * (x + 0.35 * soft + 0.25 * y**2) / rng.uniform(1.1, 2.0) + rng.uniform(0, 6))
        share = np.clip(0.5 + 1.6 * (waves - 0.35), 0, 1) * np.clip((x - 1.2) / 1.5, 0, 1)
    elif paw.coat == "patched":
        share = np.clip(0.5 + 4 * (cut(clouds(int(rng.integers(4))), rng, x.shape, unit / 12) - 0.3), 0, 1)
    ratio = (bgr(paw.second) + 8) / (bgr(paw.fur) + 8)
    shaded = picture[box] * (1 + share[..., None] * (ratio - 1))
    if paw.sock:
        white = np.clip(0.5 + (paw.sock - x + 0.25 * soft) * 3, 0, 1)[..., None]
        shaded = shaded * (1 + white * ((bgr((238, 234, 228)) + 8) / (bgr(paw.fur) + 8) - 1))
    # fur: streaks along the leg, dark lines between the toes
    hairs = cv2.remap(
        speckle(int(rng.integers(6))), (x * 14 + 4 * soft) % 1023, (y * 70 + 9 * soft) % 1023, cv2.INTER_LINEAR
    )
    shaded = shaded * (1 + 0.11 * hairs + 0.05 * soft)[..., None]
    for line in (-0.44, 0.0, 0.44):
        gap = np.exp(-(((y - line * (1 - 0.1 * x)) / 0.06) ** 2)) * np.clip((1.15 - x) / 0.4, 0, 1)
        shaded = shaded * (1 - 0.5 * gap)[..., None]
    # the edge frays
    frayed = cv2.GaussianBlur(cover[box].astype(np.float32), (0, 0), max(0.8, 0.07 * unit)) / 255
    alpha = np.clip(0.5 + (frayed - 0.5 + 0.11 * hairs) * 3, 0, 1) * (cover[box] > 0)
    picture[box] = np.clip(under[box] * (1 - alpha[..., None]) + shaded * alpha[..., None], 0, 255).astype(np.uint8)
    easel.hidden[:] = before
    np.maximum(easel.hidden[box], (alpha * 255).astype(np.uint8), out=easel.hidden[box])


def _hand_pods(hand: Hand, aspect: float, rng: np.random.Generator) -> tuple[list[Pod], list[Pod], list[Pod]]:
    """Skin, sleeve and nails. Built pointing along +x with the tip of the middle or index finger at 0, then turned."""
    s = hand.size
    finger, reach = 0.47 * s, {"flat": 8.6, "pointing": 9.0, "pinching": 8.2, "fist": 5.6}[hand.pose] * s
    knuckles = reach - 4.4 * s if hand.pose != "fist" else reach - 1.2 * s
    palm_len = 4.2 * s
    wrist = knuckles - palm_len
    parts: list[tuple[tuple[float, float], tuple[float, float], float, float]] = []
    nails: list[tuple[tuple[float, float], tuple[float, float], float, float]] = []
    parts.append(((wrist - 19, 0.3), (wrist, 0), 2.3 * s, 1.55 * s))
    parts.append(((wrist, 0), (knuckles - 0.9 * s, 0.0), 1.6 * s, 2.05 * s))
    lengths = np.array([3.9, 4.4, 4.1, 3.2]) * s
    offsets = np.array([-1.55, -0.52, 0.5, 1.45]) * s
    spread = rng.uniform(0.02, 0.16)
    bend = {
        "flat": np.ones(4),
        "pointing": np.array([1, 0.4, 0.33, 0.32]),
        "pinching": np.array([0.85, 0.8, 0.55, 0.45]),
        "fist": np.full(4, 0.3),
    }[hand.pose]
    for i in range(4):
        start = np.array([knuckles - 0.5 * s, offsets[i]])
        angle = (i - 1.3) * spread + rng.normal(0, 0.03)
        if hand.pose == "pinching" and i == 0:
            angle += 0.12
        length = lengths[i] * bend[i]
        middle = start + 0.5 * length * np.array([np.cos(angle), np.sin(angle)])
        angle += rng.normal(0, 0.05)
        end = middle + 0.5 * length * np.array([np.cos(angle), np.sin(angle)])
        parts.append((tuple(start), tuple(middle), finger * 1.12, finger))
        parts.append((tuple(middle), tuple(end), finger, finger * 0.8))
        if bend[i] > 0.7:
            direction = (end - middle) / np.linalg.norm(end - middle)
            nails.append(
                (tuple(end - 0.05 * direction), tuple(end + 0.3 * s * direction), finger * 0.42, finger * 0.36)
            )
    base = np.array([wrist + 1.2 * s, -1.5 * s])
    opening = {"flat": 0.75, "pointing": 0.3, "pinching": 0.25, "fist": 0.2}[hand.pose] + rng.normal(0, 0.08)
    middle = base + 2.4 * s * np.array([np.cos(-opening), np.sin(-opening)])
    opening -= {"flat": 0.2, "pointing": 0.3, "pinching": 0.5, "fist": 0.6}[hand.pose]
    end = middle + 2.2 * s * np.array([np.cos(-opening), np.sin(-opening)])
    parts.insert(2, (tuple(base), tuple(middle), 0.85 * s, 0.6 * s))
    parts.insert(3, (tuple(middle), tuple(end), 0.58 * s, 0.46 * s))
    cuff = wrist - (1 - hand.sleeve) * 14 * s + 0.5
    cloth = [((cuff - 19, 0.3), (cuff, 0), 3.1 * s, 2.2 * s)] if hand.sleeve else []
    away = np.radians(hand.angle + 180)  # the hand points away from where the arm comes from
    c, sn = np.cos(away), np.sin(away)
    turn = np.array([[c, sn], [-sn, c]])
    tip = (np.array(hand.tip) - 7.5) * (1, aspect)
    flip = np.array([1, -1 if hand.mirror else 1])

    def pods(items: list, lift: float) -> list[Pod]:
        return [
            Pod(
                (np.array(a) - (reach, 0)) * flip @ turn + tip,
                (np.array(b) - (reach, 0)) * flip @ turn + tip,
                ra,
                rb,
                hand.height + lift,
            )
            for a, b, ra, rb in items
        ]

    return pods(parts, 0.0), pods(cloth, 0.3), pods(nails, 0.05)


def _box(at: NDArray, angle: float, length: float, breadth: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    flat = np.array([(-length, -breadth), (length, -breadth), (length, breadth), (-length, breadth)]) / 2
    return flat @ np.array([[c, s], [-s, c]]) + at


def draw_thing(easel: Easel, thing: Thing, ground: float) -> None:
    """Everything but tiles; `ground`: height of what it stands on."""
    rng = np.random.default_rng(thing.seed)
    at = (np.array(thing.at) - 7.5) * (1, easel.view.aspect)
    s = thing.size
    along = np.array([np.cos(np.radians(thing.angle)), np.sin(np.radians(thing.angle))])
    on_board = np.all(np.abs(at) < 8.6)
    ground = 0.25 if on_board else ground
    if thing.kind == "pen":
        a, b = at - along * 3.6 * s, at + along * 3.6 * s
        body, tip = (
            Pod(a, b, 0.24 * s, 0.24 * s, ground + 0.25),
            Pod(b, b + along * 0.7 * s, 0.22 * s, 0.05, ground + 0.2),
        )
        easel.cast([body], ground)
        easel.paint([tip], (60, 60, 60), rng)
        easel.paint(
            [body, Pod(a, a + along * 1.2, 0.25 * s, 0.25 * s, ground + 0.25)], thing.colour, rng, roundness=0.6
        )
    elif thing.kind == "cable":
        points = [
            at + along * t + np.array([-along[1], along[0]]) * 1.2 * np.sin(0.5 * t + thing.seed)
            for t in np.linspace(-9, 9, 22)
        ]
        pods = [Pod(p, q, 0.13 * s, 0.13 * s, ground + 0.15) for p, q in pairwise(points)]
        easel.cast(pods, ground)
        easel.paint(pods, mix(thing.colour, (20, 20, 20), 0.7), rng, roundness=0.5)
    elif thing.kind == "bag":
        angles = np.linspace(0, 2 * np.pi, 7, endpoint=False) + rng.uniform(0, 1)
        rim = at + 1.3 * s * np.stack([np.cos(angles), np.sin(angles)], axis=1) * rng.uniform(0.7, 1.2, (7, 1))
        pods = [Pod(at, p, 2.2 * s, rng.uniform(1.3, 1.8) * s, ground + 0.8) for p in rim]
        tie = at + along * 2.6 * s
        neck = Pod(at + along * 1.2 * s, tie, 1.7 * s, 0.75 * s, ground + 0.8)
        sides = np.array([-along[1], along[0]])
        mouth = [
            Pod(tie, tie + along * 1.1 * s + sides * k * s, 0.55 * s, 0.5 * s, ground + 0.7)
            for k in (-0.8, 0.8, -0.3, 0.3)
        ]
        easel.cast([*pods, neck, *mouth], ground)
        easel.paint([*mouth, *pods, neck], thing.colour, rng, rough=0.16, roundness=0.35)
        cord = [Pod(tie - sides * 0.75 * s, tie + sides * 0.75 * s, 0.12 * s, 0.12 * s, ground + 0.9)]
        cord += [Pod(tie, tie + along * 1.6 * s + sides * k * s, 0.1 * s, 0.1 * s, ground + 0.9) for k in (1.3, 1.7)]
        easel.paint(cord, mix(thing.colour, (240, 230, 200), 0.7), rng, roundness=0.4)
    elif thing.kind == "cup":
        pods = [Pod(at, at + 0.01, 2.0 * s, 2.0 * s, ground + 3)]
        handle = Pod(at + along * 1.8 * s, at + along * 2.9 * s, 0.35 * s, 0.3 * s, ground + 2)
        easel.cast([*pods, handle], ground)
        foot = [Pod(at, at + 0.01, 1.8 * s, 1.8 * s, ground + 0.1 + h) for h in np.linspace(0, 2.8, 8)]
        easel.paint([*foot, handle], thing.colour, rng, rough=0.01, roundness=0.3)
        easel.paint(pods, thing.colour, rng, rough=0.01, roundness=0.1)
        easel.paint(
            [Pod(at, at + 0.01, 1.75 * s, 1.75 * s, ground + 2.9)],
            hsv(rng.uniform(15, 35), 0.7, rng.uniform(0.1, 0.5)),
            rng,
            rough=0.02,
            roundness=0.3,
        )
    elif thing.kind == "sheet":
        size = (int(rng.uniform(5, 10) * 16), int(rng.uniform(7, 14) * 16))
        page = np.ones(size, np.float32)
        for y in range(12, size[0] - 8, int(rng.integers(10, 22))):
            x = 10
            while x < size[1] - 16 and rng.random() < 0.93:
                step = int(rng.integers(4, 26))
                cv2.line(
                    page,
                    (x, y + int(rng.integers(-2, 3))),
                    (min(x + step, size[1] - 10), y + int(rng.integers(-2, 3))),
                    float(rng.uniform(0.25, 0.6)),
                    1,
                    cv2.LINE_AA,
                )
                x += step + int(rng.integers(3, 9))
        corners = _box(at, thing.angle, size[1] / 16 * s, size[0] / 16 * s)
        easel.slab(corners, ground + 0.03, thing.colour, ground, page)
    elif thing.kind in ("phone", "book"):
        length, breadth, thick = (7.6, 3.8, 0.4) if thing.kind == "phone" else (11, 7.5, 1.2)
        corners = _box(at, thing.angle, length * s, breadth * s)
        pods = [
            Pod(corners[0], corners[2], 0.1, 0.1, ground + thick),
            Pod(corners[1], corners[3], 0.1, 0.1, ground + thick),
        ]
        easel.cast(
            [
                Pod(
                    (corners[0] + corners[3]) / 2,
                    (corners[1] + corners[2]) / 2,
                    breadth * s / 2,
                    breadth * s / 2,
                    ground + thick,
                ),
                *pods,
            ],
            ground,
        )
        cover = np.ones((40, 80), np.float32)
        if thing.kind == "phone":
            cover[3:-3, 5:-5] = rng.uniform(0.2, 3)
        else:
            cover += 0.04 * cut(clouds(1), rng, cover.shape, 0.3)
            cv2.rectangle(cover, (10, 8), (60, 18), float(0.5 if luminance(thing.colour) > 100 else 2.0), -1)
        easel.slab(corners, ground + thick, thing.colour, ground, cover)
