"""Checks of arguments of public functions: the value in the right type, or a typed error."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np

from ginkgo_env.core.errors import BatchError, GinkgoError, shown, some


def whole(value: Any) -> int | None:
    """An integer of any type, 0-d arrays included, as Python's ``int``; None for bools and for everything else."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except (TypeError, ValueError, OverflowError):
        return None


def integer(value: Any, low: int, high: int | None, what: str, error: type[GinkgoError] = BatchError) -> int:
    """An integer low <= value <= high (None: no upper bound) of any type. Raises `error` otherwise."""
    number = whole(value)
    if number is None or number < low or (high is not None and number > high):
        expected = f"{low}..{high}" if high is not None else f"an integer >= {low}"
        raise error(f"invalid {what} {shown(value)}; expected {expected}")
    return number


def is_scalar(value: Any) -> bool:
    """Whether a value is a number rather than an array or a sequence: also a numpy scalar or an array without axes."""
    return np.isscalar(value) or (isinstance(value, np.ndarray) and value.ndim == 0)


def flag(value: Any, what: str, error: type[GinkgoError] = BatchError) -> bool:
    """A truth value. Raises `error` otherwise."""
    if not isinstance(value, bool | np.bool_):
        raise error(f"invalid {what} {shown(value)}; expected True or False")
    return bool(value)


def difference(given: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """The first way in which one mapping differs from another, in a few words; nothing if they are equal, types included."""
    for what, here, there in (("missing", wanted, given), ("unknown", given, wanted)):
        if names := [name for name in here if name not in there]:
            return f"{what} {some(map(shown, names))}"
    for name, value in wanted.items():
        if type(given[name]) is not type(value) or given[name] != value:
            return f"{name} is {_told(given[name])}, expected {_told(value)}"
    return ""


def _told(value: Any) -> str:
    return f"[{some(map(shown, value))}]" if isinstance(value, list | tuple) else shown(value)
