"""Data sets of play."""
