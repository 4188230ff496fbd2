"""The tables as they are now; `migrations.py` makes them and brings older ones here."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, ForeignKeyConstraint, Index, Integer, MetaData, Table, Text

metadata = MetaData()

version = Table("brettblick_schema", metadata, Column("version", Integer, nullable=False))
"""One row. Who locks it keeps others from what needs all games to stand still."""

games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("created", Text, nullable=False),  # times: `written.time_text`
    Column("changed", Text, nullable=False),
    Column("setup", Text, nullable=False),  # JSON
    Column("version", Integer, nullable=False),
    Column("clock", Text),  # JSON
    Column("create_request", Text, unique=True),
)

rows = Table(
    "game_rows",
    metadata,
    Column("game", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("device", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON
)

row_photos = Table(
    "row_photos",
    metadata,
    Column("game", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),  # from 0, in the order the row names them
    Column("digest", Text, nullable=False),
    ForeignKeyConstraint(["game", "number"], ["game_rows.game", "game_rows.number"], ondelete="CASCADE"),
    Index("row_photos_digest", "digest"),
)

requests = Table(
    "requests",
    metadata,
    Column("game", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("request", Text, primary_key=True),
    Column("version", Integer, nullable=False),  # of the game once it was done
)

doomed_photos = Table("doomed_photos", metadata, Column("digest", Text, primary_key=True))
"""Photos of deleted games, until their files are deleted too: a crash in between must not leave them behind."""
