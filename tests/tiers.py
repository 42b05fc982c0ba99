"""Tests that run always, and those of the longer runs.

A test without a mark runs always; all of them together take three minutes on two cores, half of them to compile the kernels. What
takes longer is marked ``full``, and ``exhaustive`` if it takes longer than a run of all tests may (``pyproject.toml`` says what
runs when). Most long tests are short ones held in many configurations: :func:`by_tier` marks all but a few of those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def by_tier(cases: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Values for ``parametrize``: those that are in ``quick`` run always, the others are marked ``full``."""
    found = list(cases)
    if found and not any(case in quick for case in found):
        raise ValueError(f"none of {len(found)} cases would always be run")
    return [case if case in quick else pytest.param(case, marks=pytest.mark.full) for case in found]


def tier(item: pytest.Item) -> str:
    """``exhaustive``, ``full`` or ``always``."""
    return next((name for name in ("exhaustive", "full") if item.get_closest_marker(name)), "always")
