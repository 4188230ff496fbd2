"""What the network tells apart; free of the training framework, so that data and evaluation do without it."""

CLASSES = (".", "?", "*", *"AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ")
"""Empty, blank tile, covered, and the letters of the German set; the order of the network's outputs."""
