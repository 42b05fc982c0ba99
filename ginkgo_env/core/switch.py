"""A kernel that calls one of several others by a number: kernels cannot call functions out of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ginkgo_env.core.jit import kernel


def switch(arguments: str, cases: Mapping[Any, Callable[..., Any]], other: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel ``f(number, *arguments)`` that returns ``cases[number](*arguments)``, or ``other(*arguments)`` for another number.

    arguments : names with commas, as in ``"g, log"``; all cases take as many, and return the same type

    The kernel is written as a ladder of comparisons, of which the compiler makes one jump. Passing the arguments on as a tuple
    would be shorter here, but costs counted references to each array at each case.
    """
    lines = [f"def chosen(number, {arguments}):"]
    names: dict[str, Any] = {"other": other}
    for number, case in cases.items():
        names[f"case_{int(number)}"] = case
        lines += [f"    if number == {int(number)}:", f"        return case_{int(number)}({arguments})"]
    lines.append(f"    return other({arguments})")
    exec("\n".join(lines), names)
    return kernel(names["chosen"])
