"""Rules core of German Scrabble: tiles, board, placement, scoring, games and their written records.

Standard library only; imports no other package of the project.
"""
