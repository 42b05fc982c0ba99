"""Checks of arguments at the boundaries: each returns the value or raises a typed error.

A boundary is where data is untrusted or machine code runs, which checks no bounds: configurations, files, the command line, HTTP,
and every public method that hands indices, seats, actions, random keys or states to kernels. Such a method calls these functions
in its first lines. Everything else trusts its type hints.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ginkgo_env.core.errors import BatchError, GinkgoError, join_names, short_repr, truncate

Name = TypeVar("Name", bound=str)

_HUGE_GIB = 10**9
_LARGEST = 2**63 - 1  # of int64


def int_or_none(value: Any) -> int | None:
    """Return an integer of any type, 0-d arrays included, as ``int``; None for bools and everything else."""
    if isinstance(value, bool | np.ma.MaskedArray):
        return None
    try:
        return index(value)
    except (TypeError, ValueError, OverflowError, RuntimeError):  # the last one of a torch tensor without data
        return None


def integer(value: Any, low: int, high: int | None, what: str, error: type[GinkgoError] = BatchError) -> int:
    """Return an integer of any type as ``int``. Raises `error` unless low <= value <= high.

    None means no bound.
    """
    number = int_or_none(value)
    if number is None or number < low or (high is not None and number > high):
        expected = f"{low}..{high}" if high is not None else f"an integer >= {low}"
        raise error(f"invalid {what} {short_repr(value)}; expected {expected}")
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


def array_of(values: ArrayLike, what: str) -> NDArray[Any]:
    """Return values as an array, which may be the caller's own.

    Raises BatchError if numpy makes none, or one without the mask of the values.
    """
    if type(values) is np.ndarray:
        return values
    if isinstance(values, np.ma.MaskedArray):
        raise BatchError(f"invalid {what}; expected an array without a mask")
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError, RuntimeError):  # the last one of torch tensors, and of too deep lists
        raise BatchError(f"invalid {what}; expected an array of integers") from None


def integers(values: ArrayLike, n: int, what: str) -> NDArray[np.integer[Any]]:
    """Return integers (n,) of any dtype as an array, which may be the caller's own.

    Raises BatchError for anything else.
    """
    array = array_of(values, what)
    if array.dtype.kind not in "iu":
        raise BatchError(f"invalid {what} of type {truncate(str(array.dtype))}; expected integers")
    if array.shape != (n,):
        raise BatchError(f"invalid {what} of shape {truncate(str(array.shape))}; expected ({n},)")
    return array


def actions(values: ArrayLike, n: int) -> NDArray[np.integer[Any]]:
    """Return actions (n,), legal or not, that fit into int64, perhaps the caller's array.

    Raises BatchError.
    """
    array = integers(values, n, "actions")
    return array if array.dtype.kind == "i" else np.minimum(array, np.uint64(_LARGEST))  # still no action, and not -1


def seats(values: ArrayLike, n: int, low: int, high: int) -> NDArray[np.int64]:
    """Return a copy of seats (n,). Raises BatchError unless low <= seat <= high."""
    array = integers(values, n, "seats")
    if ((array < low) | (array > high)).any():
        raise BatchError(f"invalid seats; expected {low}..{high}")
    return np.array(array, np.int64, order="C")


def indices(values: ArrayLike, size: int, what: str) -> NDArray[np.int64]:
    """Return a copy of the indices (k,) of some of `size` rows, which a boolean array (size,) may select.

    Raises BatchError for anything else.
    """
    array = np.atleast_1d(array_of(values, what))
    if array.dtype == np.bool_ and array.shape == (size,):
        return np.flatnonzero(array)
    if array.dtype.kind not in "iu" and array.size > 0:
        raise BatchError(f"invalid {what}; expected integers or a boolean array over all rows")
    if array.ndim != 1 or ((array < 0) | (array >= size)).any():
        raise BatchError(f"invalid {what}; expected a list of 0..{size - 1}")
    return array.astype(np.int64)


def random_keys(values: NDArray[np.uint64], n: int) -> NDArray[np.uint64]:
    """Return random keys (n,) uint64.

    Raises BatchError for anything else, as no other dtype holds them all.
    """
    if not isinstance(values, np.ndarray) or values.dtype != np.uint64 or values.shape != (n,):
        raise BatchError(f"invalid keys {short_repr(values)}; expected an array of uint64 of shape ({n},)")
    return values


def choice(value: Name, names: Sequence[str], what: str, error: type[GinkgoError] = BatchError) -> Name:
    """Return one of some names. Raises `error` for anything else."""
    if not isinstance(value, str) or value not in names:
        raise error(f"invalid {what} {short_repr(value)}; expected {' or '.join(names)}")
    return value


def is_scalar(value: Any) -> bool:
    """Return whether a value is a scalar, which includes numpy scalars and arrays without axes."""
    return np.isscalar(value) or (isinstance(value, np.ndarray) and value.ndim == 0)


def flag(value: Any, what: str, error: type[GinkgoError] = BatchError) -> bool:
    """Return a bool. Raises `error` for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise error(f"invalid {what} {short_repr(value)}; expected True or False")
    return bool(value)


def difference(given: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    """Describe the first difference between two mappings, types included; an empty text if they are equal."""
    for what, here, there in (("missing", expected, given), ("unknown", given, expected)):
        if names := [name for name in here if name not in there]:
            return f"{what} {join_names(map(short_repr, names))}"
    for name, value in expected.items():
        if type(given[name]) is not type(value) or given[name] != value:
            return f"{name} is {_listed(given[name])}, expected {_listed(value)}"
    return ""


def _listed(value: Any) -> str:
    return f"[{join_names(map(short_repr, value))}]" if isinstance(value, list | tuple) else short_repr(value)
