"""A stream of pictures of the board: when a move is finished and worth reading. Reading is the matter of the rest."""
