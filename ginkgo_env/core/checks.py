"""Checks of arguments: each returns the value in the right type or raises a typed error."""

from __future__ import annotations

import os
from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import BatchError, GinkgoError, shown, some

_HUGE_GIB = 10**9


def whole(value: Any) -> int | None:
    """Return an integer of any type, 0-d arrays included, as ``int``; None for bools and everything else."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except (TypeError, ValueError, OverflowError):
        return None


def integer(value: Any, low: int, high: int | None, what: str, error: type[GinkgoError] = BatchError) -> int:
    """Return an integer of any type as ``int``. Raises `error` unless low <= value <= high.

    None means no bound.
    """
    number = whole(value)
    if number is None or number < low or (high is not None and number > high):
        expected = f"{low}..{high}" if high is not None else f"an integer >= {low}"
        raise error(f"invalid {what} {shown(value)}; expected {expected}")
    return number


def check_memory(needed: int, argument: str, thing: str, error: type[GinkgoError] = BatchError) -> None:
    """Raise `error` if something takes more bytes than this machine has.

    Systems that overcommit memory would grant them, and end the process later.

    argument : the argument that asks for it, and its value
    """
    if needed > _memory():
        raise error(f"invalid {argument}: such {thing} takes {memory_text(needed)} of memory")


def memory_text(needed: int) -> str:
    """Return a number of bytes as text, rounded up."""
    gib = -(-needed // 2**30)
    return f"{gib:,} GiB" if gib < _HUGE_GIB else f"more than {_HUGE_GIB:,} GiB"


def _memory() -> int:
    """Return the bytes of memory of this machine; a huge number if unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**63


def shaped(array: NDArray[Any], shape: tuple[int | None, ...], what: str, error: type[GinkgoError] = BatchError) -> NDArray[Any]:
    """Return an array. Raises `error` unless it has this shape, where None is any length."""
    if array.ndim != len(shape) or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True)):
        expected = ", ".join("n" if n is None else str(n) for n in shape)
        raise error(f"invalid {what} of shape {array.shape}; expected ({expected}{',' * (len(shape) == 1)})")
    return array


def is_scalar(value: Any) -> bool:
    """Return whether a value is a scalar, which includes numpy scalars and arrays without axes."""
    return np.isscalar(value) or (isinstance(value, np.ndarray) and value.ndim == 0)


def flag(value: Any, what: str, error: type[GinkgoError] = BatchError) -> bool:
    """Return a bool. Raises `error` for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise error(f"invalid {what} {shown(value)}; expected True or False")
    return bool(value)


def difference(given: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    """Describe the first difference between two mappings, types included; an empty text if they are equal."""
    for what, here, there in (("missing", expected, given), ("unknown", given, expected)):
        if names := [name for name in here if name not in there]:
            return f"{what} {some(map(shown, names))}"
    for name, value in expected.items():
        if type(given[name]) is not type(value) or given[name] != value:
            return f"{name} is {_listed(given[name])}, expected {_listed(value)}"
    return ""


def _listed(value: Any) -> str:
    return f"[{some(map(shown, value))}]" if isinstance(value, list | tuple) else shown(value)
