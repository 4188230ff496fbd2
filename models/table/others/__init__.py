"""Photos without a board: other games and puzzles, things with many alike parts, rooms, tables.

    picture = render_other(7)                    # any kind
    picture = render_other(7, "chess", side=400)

canvas    flat pictures to draw on
boards    other games and puzzles on paper
surfaces  keyboards, sheets, floors, walls, cloths
rooms     a room at eye height
photo     from flat pictures to photos
"""

from models.table.others.photo import KINDS, render_other

__all__ = ["KINDS", "render_other"]
