"""A kernel that calls one of several others by a number: kernels cannot call functions out of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ginkgo_env.core.jit import kernel


def switch(cases: Mapping[Any, Callable[..., Any]], other: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel ``f(number, *args)`` that returns ``cases[number](*args)``, or ``other(*args)`` for a number without a case.

    All cases take the same arguments and return the same type. The compiler makes one jump of the comparisons.
    """
    chosen = other
    for number, case in reversed(list(cases.items())):
        chosen = _link(int(number), case, chosen, last=chosen is other)
    return chosen


def _link(number: int, case: Callable[..., Any], rest: Callable[..., Any], *, last: bool) -> Callable[..., Any]:
    if last:

        @kernel
        def link(n: int, *args: Any) -> Any:
            return case(*args) if n == number else rest(*args)

    else:

        @kernel
        def link(n: int, *args: Any) -> Any:
            return case(*args) if n == number else rest(n, *args)

    return link
