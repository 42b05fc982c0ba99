"""Hostile input: whatever comes from outside is refused, or can be used."""
