"""Agents that know The Golden City."""
