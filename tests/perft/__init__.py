"""Counts of the game tree."""
