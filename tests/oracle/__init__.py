"""Slow second implementations of the rules, one folder a game, each written from the rules' text alone."""
