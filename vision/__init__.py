"""From photo to reading: decode, locate the grid, rectify, read the squares, find what is new.

Knows letters and squares, no points. Imports `scorer`, never `assistant`.
"""
