"""What the network tells apart; free of the training framework, so that data and evaluation do without it."""

OTHER = "#"
"""A tile whose print is no letter of the German set: a foreign letter, a number, a sign."""

CLASSES = (".", "?", "*", OTHER, *"AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ")
"""Empty, blank tile, covered, another letter, and the letters of the German set; the order of the network's outputs."""
