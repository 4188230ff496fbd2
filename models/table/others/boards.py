"""Boards of other games and puzzles on paper, drawn flat. Each: (generator, pixels of the longer side) -> Canvas."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.table.others.canvas import Canvas, any_colour, ink_on, paper, print_face, wooden
from models.table.textures import Colour, hsv, luminance, mix, shade
from vision.geometry import SIZE
from vision.locate_grid import premium_classes

LETTERS = "ENSIRATDHULCGMOBWFKZÄÖÜPVJYXQ"


def _two_tones(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Light and dark squares."""
    if rng.random() < 0.6:
        light = hsv(rng.uniform(25, 45), rng.uniform(0.1, 0.45), rng.uniform(0.75, 0.95))
        return light, hsv(rng.uniform(12, 30), rng.uniform(0.3, 0.8), rng.uniform(0.15, 0.5))
    light = any_colour(rng, 0.3, 0.75)
    return light, mix(any_colour(rng, 0.9, 0.1, 0.6), (0, 0, 0), 0.1)


def checkers(rng: np.random.Generator, pixels: int, squares: int) -> Canvas:
    """A chequered board with frame and, often, coordinates."""
    light, dark = _two_tones(rng)
    frame = float(rng.choice([rng.uniform(0.1, 0.3), rng.uniform(0.4, 1.0)]))
    canvas = Canvas(squares + 2 * frame, squares + 2 * frame, pixels, light if rng.random() < 0.3 else wooden(rng))
    texture = str(rng.choice(["wood", "clouds", "speckle"]))
    canvas.texture(texture, rng.uniform(0.0, 0.12), rng)
    if rng.random() < 0.5:
        canvas.rectangle(frame - 0.06, frame - 0.06, squares + 0.12, squares + 0.12, shade(dark, 0.7))
    canvas.rectangle(frame, frame, squares, squares, light)
    for row in range(squares):
        for col in range(1 - row % 2, squares, 2):
            canvas.rectangle(frame + col, frame + row, 1, 1, shade(dark, 1 + 0.05 * rng.normal()))
    if frame > 0.35 and rng.random() < 0.75:
        face, ink = print_face(rng), ink_on(wooden(rng), rng)
        for i in range(squares):
            for edge in (frame / 2, canvas.width - frame / 2):
                canvas.text(frame + i + 0.5, edge, 0.35 * min(1, frame), "ABCDEFGHIJKL"[i], ink, face)
                canvas.text(edge, frame + i + 0.5, 0.35 * min(1, frame), str(squares - i), ink, face)
    if rng.random() < 0.5:
        canvas.texture(texture, rng.uniform(0.0, 0.08), rng)
    return canvas


def go(rng: np.random.Generator, pixels: int, squares: int) -> Canvas:
    """Lines with star points; stones, if any, are laid by the photo."""
    margin = rng.uniform(0.62, 1.08)
    colour = wooden(rng) if rng.random() < 0.85 else any_colour(rng)
    colour = mix(colour, (225, 180, 110), 0.5)
    canvas = Canvas(squares + 2 * margin, (squares + 2 * margin) * 1.03, pixels, colour)
    canvas.texture("wood", rng.uniform(0.02, 0.1), rng)
    ink = any_colour(rng, 0.4, 0.02, 0.25)
    xs = margin + np.arange(squares + 1)
    canvas.lines(xs, xs * 1.03, rng.uniform(0.03, 0.08), ink)
    points = (3, squares // 2, squares - 3) if squares > 10 else (2, squares // 2, squares - 2)
    for x in points:
        for y in points:
            canvas.disc(margin + x, (margin + y) * 1.03, 0.12, ink)
    return canvas


def gomoku(rng: np.random.Generator, pixels: int) -> Canvas:
    """A bare 15 x 15 grid: paper, wood or colour, sometimes with noughts and crosses."""
    margin = float(rng.uniform(0.05, 1.2))
    colour = [paper, wooden, any_colour][int(rng.integers(3))](rng)
    canvas = Canvas(SIZE + 2 * margin, SIZE + 2 * margin, pixels, colour)
    canvas.texture(str(rng.choice(["paper", "wood", "clouds"])), rng.uniform(0.0, 0.08), rng)
    ink = any_colour(rng, 0.8, 0.05, 0.9) if rng.random() < 0.3 else ink_on(colour, rng)
    lines = margin + np.arange(SIZE + 1)
    canvas.lines(lines, lines, rng.uniform(0.02, 0.12), ink)
    if rng.random() < 0.5:
        a, b = any_colour(rng, 0.9, 0.05, 0.6), any_colour(rng, 0.9, 0.05, 0.6)
        spread = rng.uniform(1, 5)
        for x, y in np.round(rng.normal(7, spread, (int(rng.integers(5, 70)), 2))):
            if not (0 <= x < SIZE and 0 <= y < SIZE):
                continue
            cx, cy = margin + x + 0.5, margin + y + 0.5
            if rng.random() < 0.5:
                canvas.ring(cx, cy, 0.3, 0.1, a)
            else:
                canvas.line((cx - 0.28, cy - 0.28), (cx + 0.28, cy + 0.28), 0.1, b)
                canvas.line((cx + 0.28, cy - 0.28), (cx - 0.28, cy + 0.28), 0.1, b)
    return canvas


def sudoku(rng: np.random.Generator, pixels: int) -> Canvas:
    side = 9 if rng.random() < 0.85 else 16
    block = int(np.sqrt(side))
    pages = int(rng.choice([1, 2, 3], p=[0.55, 0.35, 0.1]))
    margin = rng.uniform(0.3, 2)
    colour = paper(rng)
    wide = pages * side + (pages + 1) * margin
    canvas = Canvas(wide, (wide if pages > 1 else side + 2 * margin) + rng.uniform(0, 3), pixels, colour)
    ink, face, other = any_colour(rng, 0.6, 0.02, 0.3), print_face(rng), any_colour(rng, 0.9, 0.1, 0.6)
    tinted = rng.random() < 0.3
    for down in range(max(1, pages if pages > 1 else 1)):
        for across in range(pages):
            x0, y0 = margin + across * (side + margin), margin + down * (side + margin)
            if tinted:
                for i in range(block * block):
                    if (i // block + i) % 2:
                        at = (x0 + i % block * block, y0 + i // block * block)
                        canvas.rectangle(*at, block, block, mix(colour, (150, 160, 190), 0.4))
            canvas.lines(x0 + np.arange(side + 1), y0 + np.arange(side + 1), 0.03, ink)
            bold = np.arange(0, side + 1, block)
            canvas.lines(x0 + bold, y0 + bold, 0.1, ink)
            for _ in range(int(side * side * rng.uniform(0.25, 0.8))):
                col, row = rng.integers(0, side, 2)
                tone = ink if rng.random() < 0.7 else other
                canvas.text(x0 + col + 0.5, y0 + row + 0.5, 0.5, str(1 + (col * 3 + row * 7) % side), tone, face)
    canvas.texture("paper", rng.uniform(0, 0.05), rng)
    return canvas


def crossword(rng: np.random.Generator, pixels: int) -> Canvas:
    """11 to 21 squares: black squares, clue squares with small print (the Swedish way) or bars."""
    columns = int(rng.integers(11, 22))
    rows = columns if rng.random() < 0.7 else int(rng.integers(11, 22))
    margin = float(rng.uniform(0.2, 2))
    colour, ink, face = paper(rng), any_colour(rng, 0.5, 0.02, 0.3), print_face(rng)
    text = float(rng.uniform(0, 6) * (rng.random() < 0.5))
    canvas = Canvas(columns + 2 * margin, rows + 2 * margin + text, pixels, colour)
    swedish = rng.random() < 0.45
    share = rng.uniform(0.1, 0.3)
    black = rng.random((rows, columns)) < share
    if rng.random() < 0.7:
        black = black & black[::-1, ::-1] | (black & (rng.random((rows, columns)) < 0.3))
    if rng.random() < 0.3:  # every second square of every second line
        black |= (np.add.outer(np.arange(rows) % 2, np.zeros(columns)) * (np.arange(columns) % 2)) > 0
    clue = mix(colour, any_colour(rng, 0.6, 0.5), 0.5)
    dark = ink if rng.random() < 0.8 else any_colour(rng, 0.9, 0.1, 0.5)
    filled = float(rng.choice([0, rng.uniform(0.1, 1)]))
    pen = any_colour(rng, 0.9, 0.05, 0.5)
    number = 0
    for row in range(rows):
        for col in range(columns):
            x, y = margin + col, margin + row
            if black[row, col]:
                canvas.rectangle(x, y, 1, 1, clue if swedish else dark)
                if swedish:
                    for k in range(int(rng.integers(1, 4))):
                        canvas.line(
                            (x + 0.12, y + 0.25 + 0.22 * k), (x + rng.uniform(0.5, 0.9), y + 0.25 + 0.22 * k), 0.08, ink
                        )
                continue
            starts = (col == 0 or black[row, col - 1]) or (row == 0 or black[row - 1, col])
            if starts and not swedish:
                number += 1
                canvas.text(x + 0.22, y + 0.2, 0.2, str(number), ink, face)
            if rng.random() < filled:
                canvas.text(x + 0.5, y + 0.55, 0.5, LETTERS[int(rng.integers(len(LETTERS)))], pen, face)
    canvas.lines(margin + np.arange(columns + 1), margin + np.arange(rows + 1), rng.uniform(0.03, 0.08), ink)
    y = rows + 1.3 * margin
    while y < canvas.height - 0.6:
        for x in np.arange(margin, columns, columns / 3):
            canvas.line((x, y), (x + columns / 3 * rng.uniform(0.5, 0.9), y), 0.18, mix(colour, ink, 0.6))
        y += 0.5
    canvas.texture("paper", rng.uniform(0, 0.06), rng)
    return canvas


def ludo(rng: np.random.Generator, pixels: int) -> Canvas:
    """A cross of fields between four coloured homes: fields are squares (15 x 15 of them) or discs (11 x 11)."""
    colours = [mix(c, any_colour(rng), 0.15) for c in ((200, 40, 40), (40, 90, 190), (240, 200, 40), (40, 150, 70))]
    ground = [paper(rng), hsv(45, 0.4, 0.95), any_colour(rng, 0.3, 0.6)][int(rng.integers(3))]
    ink = any_colour(rng, 0.3, 0.02, 0.3)
    if rng.random() < 0.5:
        canvas = Canvas(15.6, 15.6, pixels, ground)
        for (x, y), colour in zip(((0, 0), (9, 0), (9, 9), (0, 9)), colours, strict=True):
            canvas.rectangle(x + 0.3, y + 0.3, 6, 6, colour)
            canvas.rectangle(x + 1.3, y + 1.3, 4, 4, ground)
            for dx, dy in ((2.2, 2.2), (4.4, 2.2), (2.2, 4.4), (4.4, 4.4)):
                canvas.disc(x + dx, y + dy, 0.6, colour)
        for i in range(1, 6):
            for (x, y), colour in zip(((i, 7), (7, i), (14 - i, 7), (7, 14 - i)), colours, strict=True):
                canvas.rectangle(x + 0.3, y + 0.3, 1, 1, colour)
        long, short = 0.3 + np.arange(16), 0.3 + np.arange(6, 10)
        canvas.lines(long, short, 0.05, ink)
        canvas.lines(short, long, 0.05, ink)
        middle = [(6.3, 6.3), (9.3, 6.3), (9.3, 9.3), (6.3, 9.3)]
        for i, colour in enumerate(colours):
            canvas.polygon([middle[i], middle[(i + 1) % 4], (7.8, 7.8)], colour)
        return canvas
    canvas = Canvas(12, 12, pixels, ground)
    canvas.rectangle(0.15, 0.15, 11.7, 11.7, ink)
    canvas.rectangle(0.22, 0.22, 11.56, 11.56, ground)
    cells = {(i, j) for i in range(11) for j in range(11) if 4 <= i <= 6 or 4 <= j <= 6} - {(5, 5)}
    for i, j in cells:
        tone = (255, 255, 250)
        if i == 5 and j not in (0, 10):
            tone = colours[0 if j < 5 else 2]
        elif j == 5 and i not in (0, 10):
            tone = colours[1 if i < 5 else 3]
        canvas.disc(i + 1, j + 1, 0.4, ink)
        canvas.disc(i + 1, j + 1, 0.35, tone)
    for (x, y), colour in zip(((1, 1), (10, 1), (10, 10), (1, 10)), colours, strict=True):
        for dx in (0, 1):
            for dy in (0, 1):
                cx, cy = x + (dx if x == 1 else -dx) + (0 if x == 1 else 1), y + (dy if y == 1 else -dy + 1)
                canvas.disc(cx, cy, 0.4, ink)
                canvas.disc(cx, cy, 0.35, colour)
    return canvas


def morris(rng: np.random.Generator, pixels: int) -> Canvas:
    """Nine men's morris: three squares one in the other."""
    colour = wooden(rng) if rng.random() < 0.6 else paper(rng)
    canvas = Canvas(8, 8, pixels, colour)
    canvas.texture("wood", rng.uniform(0, 0.1), rng)
    ink, width = ink_on(colour, rng), rng.uniform(0.05, 0.15)
    for r in (1, 2, 3):
        canvas.lines([4 - r, 4 + r], [4 - r, 4 + r], width, ink)
        for x, y in ((-r, -r), (0, -r), (r, -r), (-r, 0), (r, 0), (-r, r), (0, r), (r, r)):
            canvas.disc(4 + x, 4 + y, 0.16, ink)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        canvas.line((4 + dx, 4 + dy), (4 + 3 * dx, 4 + 3 * dy), width, ink)
    return canvas


def backgammon(rng: np.random.Generator, pixels: int) -> Canvas:
    field, frame = any_colour(rng, 0.6, 0.2), wooden(rng)
    a, b = _two_tones(rng)
    canvas = Canvas(14.6, 12, pixels, frame)
    canvas.texture("wood", 0.06, rng)
    for x0 in (0.6, 7.8):
        canvas.rectangle(x0, 0.6, 6.2, 10.8, field)
        for i in range(6):
            x = x0 + 0.1 + i
            canvas.polygon([(x, 0.6), (x + 1, 0.6), (x + 0.5, 5.2)], a if i % 2 else b)
            canvas.polygon([(x, 11.4), (x + 1, 11.4), (x + 0.5, 6.8)], b if i % 2 else a)
    return canvas


def other_layout(rng: np.random.Generator) -> NDArray[np.intp]:
    """(15, 15) classes of a word game that never was: 0 plain, 1 to 4 premiums, as symmetric as such boards are.

    Drawn anew until it is clearly not the standard one (`likeness` below 0.3; turning or mirroring changes nothing, the
    standard layout looks the same then).
    """
    standard = premium_classes()
    while True:
        quarter = np.zeros((8, 8), np.intp)
        share = rng.uniform(0.12, 0.38)
        step = int(rng.integers(2, 6))
        phase, slope = rng.integers(0, step), int(rng.choice([-1, 1, 2]))
        row, col = np.indices(quarter.shape)
        order = rng.permutation(4) + 1
        pattern = (row + slope * col + phase) % step == 0 if rng.random() < 0.5 else rng.random((8, 8)) < share
        classes = (
            order[((row + col) // int(rng.integers(1, 4))) % 4] if rng.random() < 0.5 else rng.integers(1, 5, (8, 8))
        )
        quarter = np.where(pattern & (rng.random((8, 8)) < rng.uniform(0.6, 1)), classes, 0)
        if rng.random() < 0.8:
            quarter = np.where(row >= col, quarter, quarter.T)
        half = np.concatenate([quarter, quarter[:-1][::-1]])
        layout = np.concatenate([half, half[:, :-1][:, ::-1]], axis=1)
        if 20 <= (layout > 0).sum() <= 120 and likeness(layout, standard) < 0.3:
            return layout


def likeness(layout: NDArray[np.intp], standard: NDArray[np.intp]) -> float:
    """Share of premium squares, of either layout, that are premium in both (intersection over union)."""
    both, either = (layout > 0) & (standard > 0), (layout > 0) | (standard > 0)
    return float(both.sum() / max(1, either.sum()))


def word_game(rng: np.random.Generator, pixels: int) -> Canvas:
    """15 x 15 squares with premiums on other places than the standard ones, often with tiles on them."""
    layout = other_layout(rng)
    frame = float(rng.uniform(0.05, 1.5))
    plain = any_colour(rng, 0.5, 0.3)
    colours = [plain, *(any_colour(rng, 0.9, 0.2) for _ in range(4))]
    if rng.random() < 0.6:  # the colours such games are sold in
        base = ((200, 50, 50), (240, 170, 170), (40, 90, 180), (150, 200, 230), (230, 140, 50), (90, 160, 80))
        colours[1:] = [mix(base[i], any_colour(rng), 0.15) for i in rng.permutation(6)[:4]]
    canvas = Canvas(SIZE + 2 * frame, SIZE + 2 * frame, pixels, any_colour(rng, 0.7))
    gap = float(rng.choice([0, rng.uniform(0.03, 0.12)]))
    face = print_face(rng)
    labels = [["", "TW", "DW", "TL", "DL"], ["", "3W", "2W", "3L", "2L"], [""] * 5, ["", "x3", "x2", "+5", "+2"]]
    texts = labels[int(rng.integers(4))]
    canvas.rectangle(frame, frame, SIZE, SIZE, shade(plain, rng.uniform(0.6, 1.2)))
    for row, col in np.ndindex(SIZE, SIZE):
        colour, x, y = colours[layout[row, col]], frame + col, frame + row
        canvas.rounded(x + gap / 2, y + gap / 2, 1 - gap, 1 - gap, gap * 1.5, colour)
        if texts[layout[row, col]]:
            ink: Colour = (30, 30, 30) if luminance(colour) > 120 else (245, 245, 240)
            canvas.text(x + 0.5, y + 0.5, 0.3, texts[layout[row, col]], ink, face)
    if gap == 0:
        lines = frame + np.arange(SIZE + 1)
        canvas.lines(lines, lines, rng.uniform(0.02, 0.08), any_colour(rng, 0.2, 0.1))
    if rng.random() < 0.4:
        x, y = frame + 7.5, frame + 7.5
        canvas.text(x, y, 0.6, "*", (20, 20, 20), face)
    tile = hsv(rng.uniform(30, 50), rng.uniform(0.05, 0.5), rng.uniform(0.75, 1))
    for row, col in _words_laid(rng) if rng.random() < 0.7 else ():
        x, y = frame + col, frame + row
        canvas.rounded(x + 0.07, y + 0.1, 0.9, 0.9, 0.12, shade(tile, 0.6))
        canvas.rounded(x + 0.04, y + 0.03, 0.91, 0.91, 0.12, tile)
        letter = LETTERS[int(rng.integers(len(LETTERS)) * rng.random())]
        canvas.text(x + 0.46, y + 0.48, 0.5, letter, (25, 25, 25), face)
        canvas.text(x + 0.8, y + 0.8, 0.17, str(int(rng.integers(1, 9))), (25, 25, 25), face)
    canvas.texture("clouds", rng.uniform(0, 0.04), rng)
    return canvas


def _words_laid(rng: np.random.Generator) -> set[tuple[int, int]]:
    """Squares of crossing words."""
    cells = {(7, c) for c in range(5, 10)}
    for _ in range(int(rng.integers(1, 20))):
        row, col = sorted(cells)[int(rng.integers(len(cells)))]
        length, back = int(rng.integers(3, 8)), int(rng.integers(0, 6))
        down = bool(rng.random() < 0.5)
        for k in range(-back, length - back):
            r, c = (row + k, col) if down else (row, col + k)
            if 0 <= r < SIZE and 0 <= c < SIZE:
                cells.add((r, c))
    return cells
