"""Agents: the interface, the registry, and agents for any game; each game's own are in a folder of its name."""
