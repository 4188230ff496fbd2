"""Things with many alike parts that are no board, drawn flat. Each: (generator, pixels of the longer side) -> Canvas.

Floors, walls and cloths fill the picture; keyboards, sheets of paper and the like lie on a table.
"""

from __future__ import annotations

import numpy as np

from models.table.others.canvas import Canvas, any_colour, ink_on, paper, print_face, wooden, words
from models.table.textures import Colour, hsv, mix, shade


def _varied(colour: Colour, spread: float, rng: np.random.Generator) -> Colour:
    return shade(colour, 1 + spread * float(np.clip(rng.normal(), -3, 3)))


_ROWS = ("^1234567890ß´", "QWERTZUIOPÜ+", "ASDFGHJKLÖÄ#", "<YXCVBNM,.-")


def keyboard(rng: np.random.Generator, pixels: int) -> Canvas:
    """Keys with letters, often with a block of numbers."""
    body = any_colour(rng, 0.2, 0.03, 0.95)
    cap = mix(body, (255, 255, 255) if rng.random() < 0.5 else (0, 0, 0), rng.uniform(0.1, 0.7))
    ink, face = ink_on(cap, rng), print_face(rng)
    block = bool(rng.random() < 0.5)
    canvas = Canvas(19.6 if block else 15.6, 6.6, pixels, body)
    gap, top = rng.uniform(0.06, 0.2), rng.uniform(0.4, 0.9)

    def key(x: float, y: float, width: float, text: str) -> None:
        canvas.rounded(x + gap / 2, y + gap / 2, width - gap, 1 - gap, 0.14, shade(cap, 0.6))
        canvas.rounded(x + gap / 2 + 0.05, y + gap / 2, width - gap - 0.1, 0.92 - gap, 0.14, _varied(cap, 0.02, rng))
        size = 0.3 if len(text) == 1 else 0.16
        canvas.text(x + 0.4 if len(text) == 1 else x + width / 2, y + 0.4, size, text, ink, face)

    for i in range(13):
        key(0.3 + i * 15 / 13, 0.3, 15 / 13, "Esc" if i == 0 else f"F{i}")
    for row, letters in enumerate(_ROWS):
        y = 0.9 + top - 0.4 + row + 0.5
        start = (0, 1.5, 1.8, 1.25)[row]
        if start:
            key(0.3, y, start, ("", "Tab", "Caps", "Shift")[row])
        for i, letter in enumerate(letters):
            key(0.3 + start + i, y, 1, letter)
        end = start + len(letters)
        key(0.3 + end, y, 15 - end, ("Back", "Enter", "Enter", "Shift")[row])
    y, x = 1.4 + top - 0.4 + 4, 0.3
    for width, text in ((1.5, "Strg"), (1.2, "Fn"), (1.3, "Alt"), (6, ""), (1.3, "Alt"), (1.3, "Fn"), (2.4, "Strg")):
        key(x, y, width, text)
        x += width
    if block:
        for row in range(5):
            for col in range(4):
                key(15.4 + col, 1.0 + top - 0.4 + row + 0.4, 1, "/*-+789456123 0."[(row * 4 + col) % 16])
    return canvas


def spreadsheet(rng: np.random.Generator, pixels: int) -> Canvas:
    """A table of numbers, on paper or on a screen."""
    rows, columns = int(rng.integers(10, 34)), int(rng.integers(4, 18))
    wide = rng.uniform(1.2, 4) * (rng.random() < 0.8) or 1.0
    canvas = Canvas(columns * wide + 2, rows + 3, pixels, paper(rng) if rng.random() < 0.7 else (255, 255, 255))
    ink, face = any_colour(rng, 0.3, 0.05, 0.3), print_face(rng)
    head, tint = any_colour(rng, 0.6, 0.6), mix((255, 255, 255), any_colour(rng), 0.15)
    xs = 1 + wide * np.arange(columns + 1)
    canvas.rectangle(1, 1.5, columns * wide, 1, head)
    banded, marks = rng.random() < 0.5, rng.random() < 0.3
    for row in range(1, rows):
        y = 1.5 + row
        if banded and row % 2:
            canvas.rectangle(1, y, columns * wide, 1, tint)
        for col in range(columns):
            if marks and rng.random() < 0.1:
                canvas.rectangle(xs[col], y, wide, 1, any_colour(rng, 0.7, 0.6))
            if rng.random() < 0.75:
                text = (
                    str(int(rng.integers(0, 10 ** int(1 + 2 * wide)))) if rng.random() < 0.8 else words(rng, 1)[0][:4]
                )
                canvas.text(xs[col] + wide / 2, y + 0.5, 0.38, text, ink, face)
    for col in range(columns):
        canvas.text(xs[col] + wide / 2, 2.0, 0.4, chr(65 + col), ink, face)
    line = mix(ink, (255, 255, 255), rng.uniform(0, 0.8))
    canvas.lines(xs, 1.5 + np.arange(rows), rng.uniform(0.03, 0.08), line)
    canvas.text(canvas.width / 2, 0.8, 0.6, " ".join(words(rng, 2)), ink, face)
    return canvas


def calendar(rng: np.random.Generator, pixels: int) -> Canvas:
    """One month large or twelve months small; seven days a week, or a school's timetable."""
    colour = paper(rng)
    ink, face, red = any_colour(rng, 0.4, 0.05, 0.3), print_face(rng), (190, 40, 40)
    year = bool(rng.random() < 0.4)
    canvas = Canvas(26 if year else 8, 34 if year else rng.uniform(8, 11), pixels, colour)
    if not year:
        top = canvas.height - 6.5
        canvas.rectangle(0, 0, 8, top - 1.2, any_colour(rng))
        for day, name in enumerate(("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")):
            canvas.text(1 + day, top - 0.4, 0.25, name, red if day > 4 else ink, face)
        first = int(rng.integers(0, 7))
        for date in range(1, 32):
            col, row = (first + date - 1) % 7, (first + date - 1) // 7
            canvas.text(0.75 + col, top + row + 0.3, 0.25, str(date), red if col > 4 else ink, face)
            if rng.random() < 0.2:
                canvas.line((0.6 + col, top + row + 0.7), (1.4 + col, top + row + 0.7), 0.1, any_colour(rng))
        canvas.lines(0.5 + np.arange(8), top + np.arange(7), 0.03, ink)
        return canvas
    for month in range(12):
        x, y = 1 + month % 3 * 8.2, 3 + month // 3 * 7.8
        canvas.text(x + 3.5, y - 0.6, 0.5, words(rng, 1)[0], red, face)
        first = int(rng.integers(0, 7))
        for date in range(1, 32):
            col, row = (first + date - 1) % 7, (first + date - 1) // 7
            canvas.text(x + col + 0.5, y + row + 0.5, 0.4, str(date), red if col == 6 else ink, face)
    return canvas


def text_page(rng: np.random.Generator, pixels: int) -> Canvas:
    """A page of a book, a newspaper in columns or a letter."""
    colour, face = paper(rng), print_face(rng)
    ink = any_colour(rng, 0.3, 0.02, 0.35)
    canvas = Canvas(21, 29.7 if rng.random() < 0.7 else 16, pixels, colour)
    columns = int(rng.choice([1, 2, 3, 4]))
    size, lead = (s := rng.uniform(0.22, 0.45)), s * rng.uniform(1.8, 2.6)
    canvas.text(10.5, 1.6, rng.uniform(0.5, 1.1), " ".join(words(rng, 3)), ink, face)
    wide = (21 - 2 - (columns - 1)) / columns
    for column in range(columns):
        x0, y = 1 + column * (wide + 1), 3.2
        while y < canvas.height - 1.2:
            if rng.random() < 0.02 and y + 5 < canvas.height:
                canvas.rectangle(x0, y, wide, 4, any_colour(rng))
                y += 5
                continue
            x = x0
            for word in words(rng, 12):
                long = 0.75 * size * len(word)
                if x + long > x0 + wide or rng.random() < 0.02:
                    break
                canvas.text(x + long / 2, y, size, word, ink, face)
                x += long + 0.45 * size
            y += lead
    canvas.texture("paper", rng.uniform(0, 0.05), rng)
    return canvas


def floor(rng: np.random.Generator, pixels: int) -> Canvas:
    """Tiles in joints: square, chequered, in bond, with small inlays or parquet."""
    columns = int(rng.choice([rng.integers(4, 12), rng.integers(12, 26)]))
    canvas = Canvas(columns, columns, pixels, any_colour(rng, 0.15, 0.3))
    colour = [wooden, any_colour, paper][int(rng.integers(3))](rng)
    second = mix(colour, any_colour(rng, 0.6), rng.uniform(0.2, 1))
    kind = str(rng.choice(["plain", "checks", "bond", "inlay", "parquet"]))
    gap, spread = rng.uniform(0.02, 0.1), rng.uniform(0.01, 0.12)
    if kind == "parquet":
        for row in range(columns):
            for col in range(columns):
                for k in range(4):
                    tone = _varied(mix(colour, second, 0.2 * rng.random()), spread, rng)
                    if (row + col) % 2:
                        canvas.rectangle(col + k / 4, row, 0.23, 0.98, tone)
                    else:
                        canvas.rectangle(col, row + k / 4, 0.98, 0.23, tone)
    else:
        for row in range(columns):
            for col in range(-1, columns):
                x = col + (0.5 if kind == "bond" and row % 2 else 0)
                tone = second if kind == "checks" and (row + col) % 2 else colour
                canvas.rectangle(x + gap / 2, row + gap / 2, 1 - gap, 1 - gap, _varied(tone, spread, rng))
        if kind == "inlay":
            for row in range(columns + 1):
                for col in range(columns + 1):
                    r = 0.18
                    canvas.polygon([(col - r, row), (col, row - r), (col + r, row), (col, row + r)], second)
    canvas.texture("clouds", rng.uniform(0.02, 0.12), rng)
    canvas.texture("speckle", rng.uniform(0, 0.05), rng)
    return canvas


def bricks(rng: np.random.Generator, pixels: int) -> Canvas:
    rows = int(rng.integers(8, 26))
    canvas = Canvas(rows, rows, pixels, hsv(rng.uniform(20, 60), rng.uniform(0, 0.2), rng.uniform(0.4, 0.9)))
    colour = hsv(rng.uniform(0, 30), rng.uniform(0.1, 0.75), rng.uniform(0.3, 0.9))
    long, gap = rng.uniform(1.8, 3.5), rng.uniform(0.08, 0.22)
    for row in range(rows):
        x = -long * (0.5 if row % 2 else 1) * rng.uniform(0.9, 1.1)
        while x < rows:
            tone = _varied(mix(colour, any_colour(rng, 0.5, 0.2, 0.7), 0.15 * rng.random()), 0.1, rng)
            corners = np.array([(gap, gap), (long, gap), (long, 1.0), (gap, 1.0)]) + np.array([x, row])
            canvas.polygon(corners + 0.03 * rng.normal(size=(4, 1)), tone)
            x += long
    canvas.texture("speckle", rng.uniform(0.02, 0.12), rng)
    canvas.texture("clouds", rng.uniform(0.02, 0.1), rng)
    return canvas


def windows(rng: np.random.Generator, pixels: int) -> Canvas:
    """The front of a house or office block."""
    columns, rows = int(rng.integers(4, 20)), int(rng.integers(4, 20))
    wide, tall = rng.uniform(0.8, 1.3), rng.uniform(0.8, 1.6)
    wall = any_colour(rng, 0.4, 0.2)
    canvas = Canvas(columns * wide, rows * tall, pixels, wall)
    canvas.texture("clouds", rng.uniform(0.02, 0.1), rng)
    glass = hsv(rng.uniform(180, 240), rng.uniform(0.05, 0.6), rng.uniform(0.1, 0.7))
    border, balcony = rng.uniform(0.04, 0.3), rng.random() < 0.3
    frame = mix(wall, (255, 255, 255) if rng.random() < 0.6 else (20, 20, 20), 0.7)
    for row in range(rows):
        for col in range(columns):
            x, y, w, h = col * wide + border, row * tall + border, wide - 2 * border, tall - 2 * border
            pane = _varied(glass, 0.25, rng)
            if rng.random() < 0.15:
                pane = hsv(45, rng.uniform(0.1, 0.5), rng.uniform(0.7, 1))
            canvas.rectangle(x, y, w, h, pane)
            if rng.random() < 0.4:  # blinds, curtains
                canvas.rectangle(x, y, w, h * rng.uniform(0.1, 0.9), _varied((215, 210, 200), 0.1, rng))
            if border > 0.08:
                canvas.line((x + w / 2, y), (x + w / 2, y + h), 0.04, frame)
                for a, b in (
                    ((x, y), (x + w, y)),
                    ((x, y + h), (x + w, y + h)),
                    ((x, y), (x, y + h)),
                    ((x + w, y), (x + w, y + h)),
                ):
                    canvas.line(a, b, 0.05, frame)
            if balcony:
                canvas.rectangle(x - border * 0.6, y + h * 0.6, w + border * 1.2, h * 0.4, _varied(frame, 0.05, rng))
    return canvas


def bookshelf(rng: np.random.Generator, pixels: int) -> Canvas:
    rows = int(rng.integers(2, 6))
    board = wooden(rng) if rng.random() < 0.6 else paper(rng)
    canvas = Canvas(rows * rng.uniform(0.8, 1.6) * 3, rows * 3, pixels, shade(board, 0.35))
    face = print_face(rng)
    for row in range(rows):
        x, foot = 0.15, row * 3 + 2.85
        while x < canvas.width - 0.2:
            if rng.random() < 0.04:
                x += rng.uniform(0.3, 1.5)
                continue
            thick, tall = rng.uniform(0.12, 0.5), rng.uniform(1.6, 2.6)
            colour = any_colour(rng, 0.9, 0.08)
            lean = rng.uniform(-0.3, 0.3) if rng.random() < 0.06 else 0.0
            canvas.polygon(
                [(x, foot), (x + thick, foot), (x + thick + lean, foot - tall), (x + lean, foot - tall)], colour
            )
            canvas.line((x + thick, foot), (x + thick + lean, foot - tall), 0.04, shade(colour, 0.5))
            if thick > 0.2 and not lean:
                canvas.text(
                    x + thick / 2, foot - tall / 2, thick * 0.4, " ".join(words(rng, 2)), ink_on(colour, rng), face, 1
                )
            x += thick + abs(lean)
        canvas.rectangle(0, foot, canvas.width, 0.15, board)
    for x in (0, canvas.width - 0.15):
        canvas.rectangle(x, 0, 0.15, canvas.height, board)
    canvas.rectangle(0, 0, canvas.width, 0.15, board)
    return canvas


def egg_box(rng: np.random.Generator, pixels: int) -> Canvas:
    """Rows of round hollows or of round things: eggs, muffins, pralines, bottle tops."""
    rows, columns = int(rng.integers(2, 8)), int(rng.integers(3, 10))
    if rng.random() < 0.2:
        rows = columns = int(rng.integers(8, 16))
    body = any_colour(rng, 0.4, 0.2)
    canvas = Canvas(columns + 0.6, rows + 0.6, pixels, body)
    item = hsv(rng.uniform(15, 40), rng.uniform(0.1, 0.6), rng.uniform(0.4, 0.98))
    if rng.random() < 0.3:
        item = any_colour(rng)
    full, radius = rng.uniform(0, 1), rng.uniform(0.32, 0.47)
    angle = rng.uniform(0, 2 * np.pi)
    dx, dy = np.cos(angle), np.sin(angle)
    for row in range(rows):
        for col in range(columns):
            x, y = 0.8 + col, 0.8 + row
            filled = rng.random() < full
            base = _varied(item, 0.08, rng) if filled else shade(body, 0.75)
            canvas.disc(x, y, radius * 1.06, shade(body, 0.5))
            for k in range(5):  # lit from one side; hollows from the other
                t = k / 4 * (1 if filled else -1)
                tone = shade(base, 0.6 + 0.13 * k if filled else 0.55 + 0.1 * k)
                canvas.disc(x + 0.25 * radius * t * dx, y + 0.25 * radius * t * dy, radius * (1 - 0.17 * k), tone)
            if filled and rng.random() < 0.3:
                for px, py in rng.normal(0, radius / 3, (6, 2)):
                    canvas.disc(x + px, y + py, 0.05, shade(base, 0.4))
    return canvas


def cloth(rng: np.random.Generator, pixels: int) -> Canvas:
    """Gingham, tartan or windowpane checks."""
    period = float(rng.uniform(1, 1))
    count = int(rng.integers(5, 30))
    base, warp = any_colour(rng, 0.3, 0.6), any_colour(rng, 0.9, 0.1, 0.8)
    canvas = Canvas(count, count, pixels, base)
    edges = np.sort(rng.uniform(0, period, int(rng.choice([2, 4, 6]))))
    at = np.mod((np.arange(canvas.pixels.shape[0]) + 0.5) / canvas.ppu, period)
    if rng.random() < 0.5:
        band = (at < period / 2).astype(np.float32)
    else:
        band = (np.searchsorted(edges, at) % 2).astype(np.float32)
    weave = rng.uniform(0.35, 0.6)
    canvas.ink(np.outer(band, np.ones_like(band)).astype(np.float32) * np.float32(weave), 0, 0, warp)
    second = warp if rng.random() < 0.6 else any_colour(rng)
    canvas.ink(np.outer(np.ones_like(band), band).astype(np.float32) * np.float32(weave), 0, 0, second)
    canvas.texture("speckle", rng.uniform(0.02, 0.1), rng)
    canvas.texture("clouds", rng.uniform(0.02, 0.15), rng)
    return canvas


def photos(rng: np.random.Generator, pixels: int) -> Canvas:
    """A wall of pictures: coloured blots behind frames, sizes alike or mixed."""
    columns, rows = int(rng.integers(3, 14)), int(rng.integers(3, 12))
    canvas = Canvas(columns, rows, pixels, any_colour(rng, 0.3, 0.3))
    gap, mount = rng.uniform(0.02, 0.2), rng.uniform(0, 0.1)
    alike = rng.random() < 0.6
    rim = any_colour(rng, 0.3, 0.02)
    for row in range(rows):
        for col in range(columns):
            w, h = (1 - gap, 1 - gap) if alike else tuple(rng.uniform(0.5, 1, 2) * (1 - gap))
            x, y = col + (1 - w) / 2, row + (1 - h) / 2
            canvas.rectangle(x, y, w, h, rim)
            x, y, w, h = x + mount / 2, y + mount / 2, w - mount, h - mount
            sky = any_colour(rng, 0.7, 0.2)
            canvas.rectangle(x, y, w, h, sky)
            canvas.rectangle(
                x, y + h * (split := rng.uniform(0.4, 0.8)), w, h * (1 - split), any_colour(rng, 0.8, 0.1, 0.7)
            )
            for _ in range(int(rng.integers(0, 4))):
                r = rng.uniform(0.05, 0.2) * min(w, h)
                canvas.disc(x + rng.uniform(r, w - r), y + rng.uniform(r, h - r), r, any_colour(rng))
    return canvas


def circuit(rng: np.random.Generator, pixels: int) -> Canvas:
    """A circuit board: traces, chips with legs, rows of holes."""
    board = hsv(rng.uniform(90, 230), rng.uniform(0.4, 0.9), rng.uniform(0.15, 0.6))
    canvas = Canvas(20, rng.uniform(10, 20), pixels, board)
    copper = mix(board, (220, 200, 120), rng.uniform(0.2, 0.6))
    for _ in range(int(rng.integers(30, 90))):
        x, y = rng.uniform(0, 20), rng.uniform(0, canvas.height)
        for _ in range(3):
            step = rng.uniform(-4, 4, 2) * ((1, 0), (0, 1), (1, 1))[int(rng.integers(3))]
            canvas.line((x, y), (x + step[0], y + step[1]), 0.1, copper)
            x, y = x + step[0], y + step[1]
        canvas.disc(x, y, 0.18, (200, 190, 140))
    if rng.random() < 0.6:
        for x, y in np.ndindex(18, int(canvas.height) - 2):
            if rng.random() < 0.9:
                canvas.disc(1.5 + x, 1.5 + y, 0.15, (190, 170, 110))
                canvas.disc(1.5 + x, 1.5 + y, 0.08, (30, 30, 30))
    face = print_face(rng)
    for _ in range(int(rng.integers(5, 30))):
        x, y = rng.uniform(1, 18), rng.uniform(1, canvas.height - 2)
        w, h = rng.uniform(0.4, 4), rng.uniform(0.4, 3)
        for k in np.arange(0.2, w - 0.1, 0.4):
            canvas.line((x + k, y - 0.25), (x + k, y + h + 0.25), 0.14, (200, 200, 205))
        canvas.rectangle(x, y, w, h, any_colour(rng, 0.3, 0.03, 0.4))
        canvas.text(x + w / 2, y + h / 2, 0.25, "".join(words(rng, 1))[:4].upper(), (200, 200, 200), face)
    return canvas


def mosaic(rng: np.random.Generator, pixels: int) -> Canvas:
    """Little tiles of a few colours at random or in patches; bathrooms, rugs, pixel pictures."""
    count = int(rng.integers(10, 40))
    palette = [any_colour(rng, rng.uniform(0.2, 0.9)) for _ in range(int(rng.integers(2, 6)))]
    canvas = Canvas(count, count, pixels, any_colour(rng, 0.1, 0.4))
    gap = float(rng.choice([0, rng.uniform(0.05, 0.2)]))
    patches = rng.random() < 0.4
    field = rng.random((count, count))
    if patches:
        coarse = rng.random((count // 4 + 1, count // 4 + 1))
        field = np.kron(coarse, np.ones((4, 4)))[:count, :count] + 0.15 * rng.normal(size=(count, count))
    if rng.random() < 0.3:
        field = (field + field[::-1] + field[:, ::-1] + field.T) / 4
    ranks = np.clip((field - field.min()) / (np.ptp(field) + 1e-9) * len(palette), 0, len(palette) - 0.01).astype(int)
    for row, col in np.ndindex(count, count):
        colour = _varied(palette[ranks[row, col]], 0.05, rng)
        canvas.rectangle(col + gap / 2, row + gap / 2, 1 - gap, 1 - gap, colour)
    canvas.texture("speckle", rng.uniform(0, 0.06), rng)
    return canvas
