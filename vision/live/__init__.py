"""A stream of pictures of the board: when a move is finished and worth reading; reading itself is the packages above."""
