"""Kernels that call one of several others by a number, as kernels cannot call functions from a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ginkgo_env.core.compile.jit import kernel

Case = Callable[..., Any]


def switch(name: str, home: str, arguments: str, cases: Mapping[Any, Case], other: Case, **more: Mapping[Any, Case]) -> Case:
    """Return a kernel that calls one of several others.

    It has the arguments ``(number, *arguments)`` and returns ``cases[number](*arguments)``, or ``other(*arguments)`` for a
    number without a case.

    Parameters
    ----------
    name, home : names of the kernel and of its module. A process may load machine code that several others compiled, so no two
        kernels may share both names
    arguments : names with commas, as in ``"g, log"``. All cases take the same number of arguments and return the same type
    more : further cases by the name of a global constant of the kernel, which is true unless a variant of the kernel
        (``core.compile.specialize``) sets it to false; then they are not compiled

    The kernel is a series of comparisons, which the compiler turns into one jump. Passing the arguments on as a tuple would be
    shorter here, but counts a reference to each array in each case.
    """
    names: dict[str, Any] = {"__name__": home, "other": other}

    def branches(numbered: Mapping[Any, Case], indent: str) -> list[str]:
        lines = []
        for number, case in numbered.items():
            names[f"case_{int(number)}"] = case
            lines += [f"{indent}if number == {int(number)}:", f"{indent}    return case_{int(number)}({arguments})"]
        return lines

    lines = [f"def {name}(number, {arguments}):", *branches(cases, "    ")]
    for constant, numbered in more.items():
        if not numbered:
            continue
        names[constant] = True
        lines += [f"    if {constant}:", *branches(numbered, "        ")]
    lines.append(f"    return other({arguments})")
    exec("\n".join(lines), names)
    function: Case = names[name]
    return kernel(function)
