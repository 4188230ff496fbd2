"""The demo's photos played through the page's own requests."""

from __future__ import annotations

from pathlib import Path

from bench.served import Phone


def confirmed(phone: Phone, game: str, photo: Path) -> int:
    """The version after what a photo proposes is confirmed."""
    answer = phone.photo(game, photo.read_bytes())
    assert answer.status_code == 200 and answer.json()["proposal"]["confirmable"], answer.text
    return phone.done(game, "confirm")
