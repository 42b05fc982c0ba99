"""Agents: the interface, the registry, and agents for any game.

Agents for a single game are in the module or folder named after it.
"""
