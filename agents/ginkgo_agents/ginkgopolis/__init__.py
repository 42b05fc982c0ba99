"""Agents that know Ginkgopolis."""
