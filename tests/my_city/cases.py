"""Configurations that the contract suite always runs; it finds ``QUICK`` here by name."""

from __future__ import annotations

from typing import Any

QUICK: list[dict[str, Any]] = [{"players": 3}]
"""All numbers of players share one set of kernels, so one is enough here; tests of rules play with all."""
