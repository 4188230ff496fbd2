"""Which tiles are where: unseen ones, positions that cannot be, racks that can be concluded at the end.

Tiles are counted by kind: the capital of a lettered tile, ``?`` for a blank whatever it stands for. Racks are texts of
tiles in any order; nothing here raises for tiles, what cannot be is said as a value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import auto

from scorer.board import Board
from scorer.faults import Faults
from scorer.tiles import BLANK, TileSet, is_blank


def tile_counts(board: Board, racks: Iterable[str] = ()) -> Counter[str]:
    """How many tiles of each kind lie on the board and on these racks."""
    tiles = [char for _, char in board] + [char for rack in racks for char in rack]
    return Counter(BLANK if is_blank(char) else char for char in tiles)


def unseen(board: Board, tile_set: TileSet, racks: Iterable[str] = ()) -> dict[str, int]:
    """The tiles of the set that are neither on the board nor on the known racks (R1.2): in the bag or on other racks.

    By kind, in alphabetical order, the blank last; only kinds of which there are some. As long as the position is
    possible (see ``excess``), board, known racks and these together are the set.
    """
    seen = tile_counts(board, racks)
    left = {kind: tile_set.count(kind) - seen[kind] for kind in (*tile_set.letters, BLANK)}
    return {kind: count for kind, count in left.items() if count > 0}


def excess(board: Board, tile_set: TileSet, racks: Iterable[str] = ()) -> dict[str, int]:
    """What makes a position impossible with this set: how many tiles there are too many of each kind (R1.2).

    ``Q: 1`` with two Q where the set has one, ``?: 1`` with three blanks, every tile of a letter that the set does not
    have (R7.3, R7.5). Under its lower-case letter: a blank that stands for none of the set's letters, as for ß (R6.1).
    Empty for a possible position. Other letters first, then in alphabetical order, the blank last.
    """
    racks = tuple(racks)
    seen = tile_counts(board, racks)
    known = (*tile_set.letters, BLANK)
    found = {kind: seen[kind] for kind in sorted(set(seen) - set(known))}
    odd = Counter(char for _, char in board if is_blank(char) and char != BLANK and char not in tile_set)
    found |= dict(sorted(odd.items()))
    found |= {kind: seen[kind] - tile_set.count(kind) for kind in known if seen[kind] > tile_set.count(kind)}
    return found


def is_possible(board: Board, tile_set: TileSet, racks: Iterable[str] = ()) -> bool:
    """Whether the set has enough tiles for the position and the racks (R1.2)."""
    return not excess(board, tile_set, racks)


def points_of(tiles: str, tile_set: TileSet) -> int:
    """The value of a rest of a rack (R11.1); a blank counts 0 (R6.4)."""
    return sum(map(tile_set.value, tiles))


# --- racks at the end ---------------------------------------------------------------------------------------------


class RackFault(Faults):
    """Why what is said of racks and bag cannot be; faults add up. ``codes`` gives the stable names."""

    NONE = 0
    IMPOSSIBLE_POSITION = auto()
    """Board and known racks hold more tiles of a kind than the set, see ``excess`` (R1.2)."""
    RACK_TOO_LONG = auto()
    """A rack has more tiles than it holds (R1.4)."""
    SIZE_DIFFERS = auto()
    """A known rack has not the number of tiles it is said to have."""
    TOO_FEW_UNSEEN = auto()
    """Fewer tiles are unseen than the unknown racks and the bag are said to hold."""
    TOO_MANY_UNSEEN = auto()
    """More tiles are unseen than the unknown racks and the bag can hold: one is missing, or a tile was misread."""


@dataclass(frozen=True)
class InferredRacks:
    """What is known of the racks, concluded or told; nothing in it is guessed.

    racks:  the tiles of each player in alphabetical order, the blank last; None when they do not follow
    sizes:  (fewest, most) tiles on each rack
    points: (fewest, most) points the rest of each rack can be worth; equal when they follow, even if the tiles do not
    bag:    (fewest, most) tiles in the bag
    unseen: the tiles that are on the racks still unknown or in the bag, by kind
    faults: contradictions; with any of them only what was told is given, and no tile is concluded
    """

    racks: tuple[str | None, ...]
    sizes: tuple[tuple[int, int], ...]
    points: tuple[tuple[int, int], ...]
    bag: tuple[int, int]
    unseen: Mapping[str, int]
    faults: RackFault


def infer_racks(
    board: Board,
    tile_set: TileSet,
    racks: Sequence[str | None],
    rack_sizes: Sequence[int | None] | None = None,
    bag: int | None = None,
    rack_size: int | None = None,
) -> InferredRacks:
    """What follows about the racks from all tiles that are known, for the settlement (R11.1, R11.2).

    A rack follows when it is empty, when no other place is left for the unseen tiles (an empty bag and one unknown
    rack), or when all unseen tiles are alike.

    racks:      one per player, None where unknown
    rack_sizes: how many tiles each player has left, None where unknown
    bag:        how many tiles are in the bag, None where unknown
    rack_size:  tiles on a full rack by the rules of the game; by default as many as go with the set

    ValueError when there are not as many sizes as racks.
    """
    told = tuple(rack_sizes) if rack_sizes is not None else (None,) * len(racks)
    full = tile_set.rack_size if rack_size is None else rack_size
    known = [rack for rack in racks if rack is not None]
    left = unseen(board, tile_set, known)
    total = sum(left.values())

    faults = RackFault.NONE
    if excess(board, tile_set, known):
        faults |= RackFault.IMPOSSIBLE_POSITION
    ranges: list[tuple[int, int]] = []
    for rack, size in zip(racks, told, strict=True):
        if rack is not None and size is not None and len(rack) != size:
            faults |= RackFault.SIZE_DIFFERS
        exact = len(rack) if rack is not None else size
        if exact is not None and exact > full:
            faults |= RackFault.RACK_TOO_LONG
        ranges.append((0, full) if exact is None else (exact, exact))

    # the unknown racks and the bag share the unseen tiles
    unknown = [player for player, rack in enumerate(racks) if rack is None]
    places = [ranges[player] for player in unknown] + [(0, total) if bag is None else (bag, bag)]
    fewest, most = sum(low for low, _ in places), sum(high for _, high in places)
    if fewest > total:
        faults |= RackFault.TOO_FEW_UNSEEN
    if most < total:
        faults |= RackFault.TOO_MANY_UNSEEN
    if not faults:
        places = [(max(low, total - (most - high)), min(high, total - (fewest - low))) for low, high in places]
    for player, place in zip(unknown, places[:-1], strict=True):
        ranges[player] = place

    concluded = [rack if rack is None else _in_order(Counter(rack), tile_set) for rack in racks]
    points = [(0, 0) if rack is None else (points_of(rack, tile_set),) * 2 for rack in racks]
    for player in unknown:
        low, high = ranges[player]
        cheapest = sorted(tile_set.value(kind) for kind, count in left.items() for _ in range(count))
        points[player] = (sum(cheapest[:low]), sum(cheapest[max(0, total - high) :]))
        if not faults and low == high and (low in (0, total) or len(left) == 1):
            concluded[player] = _in_order(Counter({kind: min(count, low) for kind, count in left.items()}), tile_set)
    still = unseen(board, tile_set, [rack for rack in concluded if rack is not None])
    return InferredRacks(tuple(concluded), tuple(ranges), tuple(points), places[-1], still, faults)


def _in_order(tiles: Counter[str], tile_set: TileSet) -> str:
    """Tiles in alphabetical order, the blank and what the set does not have last."""
    order = {kind: place for place, kind in enumerate(tile_set.letters)}
    return "".join(sorted(tiles.elements(), key=lambda kind: (order.get(kind, len(order)), kind)))
