"""What a confirmed event rests on, kept with it for a dispute: photo, reading with confidence, what people said.

The photo itself is in the store under its hash; the crops are cut from it again when somebody asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistant.recount import Recount
from assistant.report.evidence import installed_version
from assistant.store.rows import Json
from assistant.table.history import TableState
from assistant.table.proposals import Proposal
from scorer.board import Square
from scorer.tiles import is_blank
from vision.geometry import Corners
from vision.observe import Observation
from vision.reading import BLANK
from vision.wording import Candidates

MOST_CANDIDATES = 4


def of_proposal(table: TableState, proposal: Proposal, at_first: Recount | None, model: str) -> dict[str, Any]:
    """What a proposal that is being confirmed rests on, as JSON values.

    at_first: what the photos alone had proposed
    model: fingerprint of the reader's weights
    """
    pending = table.pending
    assert pending is not None
    data: dict[str, Any] = {
        "photo": proposal.photo,
        "photos": list(pending.photos),
        "before": table.last_photo,
        "typed": pending.typed,
        "said": [
            {"at": row.at.isoformat(), "device": row.author.device, "who": row.author.who, "kind": row.kind}
            | {"body": dict(row.body)}
            for row in pending.rows
        ],
        "model": model,
        "program": installed_version(),
    }
    seen, entry = proposal.seen, proposal.entry
    if seen is None or entry is None:
        return data
    new = {square for _, play in proposal.laid for square in play.placement.squares}
    data |= {
        "seen": _seen(seen),
        "probability": round(entry.probability, 4),
        "tiles": [
            [*square, tile, _candidates(entry.candidates.get(square, ()))]
            for _, play in proposal.laid
            for square, tile in play.placement.tiles
        ],
        "differences": [[*one.square, one.recorded, one.seen] for one in entry.differences],
        "ghosts": [list(square) for square in _ghosts(seen, table, new)],
    }
    if at_first is not None:
        first = at_first.entries[0]
        plays = [*(one.play for one in first.before), *([first.play] if first.play is not None else [])]
        tiles = [one for play in plays for one in play.placement.tiles]
        data["at_first"] = {
            "kind": first.kind,
            "question": first.question.code if first.question else None,
            "tiles": [[*square, tile] for square, tile in tiles],
            "candidates": [[*square, _candidates(ranked)] for square, ranked in first.candidates.items()],
        }
    return data


def corrected_tiles(evidence: Json) -> list[tuple[Square, str, str]]:
    """(square, as it was read at first, as it was confirmed) of the tiles that people changed; '.' for none. A letter
    given to a blank is no change, nor is it that a photo was not taken for a move at first."""
    at_first = evidence.get("at_first", {})
    read = {Square(row, col): ranked[0][0] for row, col, ranked in at_first.get("candidates", ()) if ranked}
    first = {Square(row, col): tile for row, col, tile in at_first.get("tiles", ())}
    last = {Square(row, col): tile for row, col, tile, _ in evidence.get("tiles", ())}
    first |= {square: read[square] for square in last if square in read and square not in first}
    return [
        (square, first.get(square, "."), last.get(square, "."))
        for square in sorted(first.keys() | last.keys())
        if _kind(first.get(square, ".")) != _kind(last.get(square, "."))
    ]


def check(evidence: Json) -> None:
    """ValueError, KeyError or TypeError for evidence that this module did not write."""
    corrected_tiles(evidence)
    observation_of(evidence, Path("check"))
    for square in evidence.get("ghosts", ()):
        Square(*map(int, square))
    for said in evidence.get("said", ()):
        dict(said["body"])


def observation_of(evidence: Json, path: Path) -> Observation | None:
    """As much of the observation as is needed to cut crops from the photo again; None for evidence without one."""
    seen = evidence.get("seen")
    if not isinstance(seen, Mapping):
        return None
    corners = seen.get("corners")
    return Observation(
        str(path),
        corners=None if corners is None else Corners.of([(float(x), float(y)) for x, y in corners]),
        lens_k=float(seen.get("lens_k", 0.0)),
        lifted=bool(seen.get("lifted", False)),
        digest=str(evidence.get("photo") or ""),
        size=_size(seen.get("size")),
        warnings=tuple(map(str, seen.get("warnings", ()))),
    )


def _seen(seen: Observation) -> dict[str, Any]:
    return {
        "corners": None if seen.corners is None else [[round(x, 2), round(y, 2)] for x, y in seen.corners.points],
        "lens_k": seen.lens_k,
        "lifted": seen.lifted,
        "size": seen.size,
        "warnings": list(seen.warnings),
        "taken": None if seen.taken is None else seen.taken.isoformat(),
        "rows": None if seen.reading is None else list(seen.reading.rows),
        "doubtful": [] if seen.reading is None else [list(square) for square in sorted(seen.reading.doubtful)],
    }


def _ghosts(seen: Observation, table: TableState, new: set[Square]) -> list[Square]:
    if seen.reading is None:
        return []
    blank = seen.reading.showing(BLANK.__eq__)
    return sorted(square for square in blank if table.state.board.at(square) is None and square not in new)


def _candidates(ranked: Candidates) -> list[list[Any]]:
    return [[tile, round(share, 4)] for tile, share in ranked[:MOST_CANDIDATES]]


def _kind(tile: str) -> str:
    return BLANK if is_blank(tile) else tile


def _size(value: Any) -> tuple[int, int] | None:
    return None if value is None else (int(value[0]), int(value[1]))
