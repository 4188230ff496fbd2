"""A game at the table: what is kept of it, what may be done, what a photo proposes; no web and no database."""
