"""Agents that know My City."""
