"""Hands free: sources of pictures, and the game that goes on by what they show."""
