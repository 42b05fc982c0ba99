"""Evaluation of agents: matches, ratings with intervals, leaderboards and their reports."""
