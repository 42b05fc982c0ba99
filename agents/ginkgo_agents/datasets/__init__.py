"""Data sets of games between agents: ``ginkgo generate``."""
