"""A kernel that calls one of several others by a number: kernels cannot call functions out of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ginkgo_env.core.compile.jit import kernel

Case = Callable[..., Any]


def switch(name: str, home: str, arguments: str, cases: Mapping[Any, Case], other: Case, **more: Mapping[Any, Case]) -> Case:
    """A kernel ``f(number, *arguments)`` that returns ``cases[number](*arguments)``, or ``other(*arguments)`` for another number.

    name, home : of the kernel, and of the module that it stands in. Machine code of several processes meets in one by such names,
        so no two kernels may share both
    arguments : names with commas, as in ``"g, log"``; all cases take as many, and return the same type
    more : further cases by the name of a global constant of the kernel, true unless a variant of it
        (``core.compile.specialize``) says otherwise; without it they are not compiled

    The kernel is written as a ladder of comparisons, of which the compiler makes one jump. Passing the arguments on as a tuple
    would be shorter here, but costs counted references to each array at each case.
    """
    names: dict[str, Any] = {"__name__": home, "other": other}

    def rungs(numbered: Mapping[Any, Case], indent: str) -> list[str]:
        lines = []
        for number, case in numbered.items():
            names[f"case_{int(number)}"] = case
            lines += [f"{indent}if number == {int(number)}:", f"{indent}    return case_{int(number)}({arguments})"]
        return lines

    lines = [f"def {name}(number, {arguments}):", *rungs(cases, "    ")]
    for constant, numbered in more.items():
        if not numbered:
            continue
        names[constant] = True
        lines += [f"    if {constant}:", *rungs(numbered, "        ")]
    lines.append(f"    return other({arguments})")
    exec("\n".join(lines), names)
    function: Case = names[name]
    return kernel(function)
