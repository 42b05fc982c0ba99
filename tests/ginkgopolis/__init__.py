"""Ginkgopolis apart from its rules (``tests/rules/ginkgopolis``): data, text, positions and what a seat may know."""
