"""Agents that play the games, and how they are compared."""
