"""Ginkgopolis (Xavier Georges, Pearl Games 2012): the base game for 1 to 5 players. Rules: ``docs/rules/ginkgopolis.md``."""
