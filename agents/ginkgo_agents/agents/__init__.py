"""Agents: the interface, the registry, and agents for any game.

Agents for one game are in the folder of its name.
"""
