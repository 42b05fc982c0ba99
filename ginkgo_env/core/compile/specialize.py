"""Kernels of a part of a game that is known before it is compiled: without an expansion, say.

A kernel reads a global constant, ``if EXPANSION:``, and :func:`variant` copies it, and all that it calls, with another value.
The compiler never sees the branch that is not taken: what a configuration does not need costs it neither time nor compilation.
Kernels that do not depend on the constant are shared.
"""

from __future__ import annotations

import dis
from types import FunctionType
from typing import Any, TypeVar

from ginkgo_env.core.compile.jit import is_kernel, kernel

T = TypeVar("T")

_copies: dict[tuple[Any, tuple[tuple[str, Any], ...]], Any] = {}


def variant(function: T, **constants: Any) -> T:
    """A copy of a kernel, or of a function that becomes an entry, with other values of global constants.

    The kernels that it calls are copied likewise. Where neither it nor they name any of the constants with another value, the
    function itself is returned. The same call gives the same copy.
    """
    key = (function, tuple(sorted(constants.items())))
    if key not in _copies:
        _copies[key] = _copy(function, constants)
    copy: T = _copies[key]
    return copy


def made() -> list[Any]:
    """All copies made so far in this process."""
    return list(_copies.values())


def _copy(function: Any, constants: dict[str, Any]) -> Any:
    plain: Any = getattr(function, "py_func", function)
    loaded = {step.argval for step in dis.get_instructions(plain.__code__) if step.opname == "LOAD_GLOBAL"}
    names = {name: value for name, value in plain.__globals__.items() if name in loaded}
    changed = {name: constants[name] for name, value in names.items() if name in constants and constants[name] != value}
    for name, value in names.items():
        if name not in constants and is_kernel(value):
            copy = variant(value, **constants)
            if copy is not value:
                changed[name] = copy
    if not changed:
        return function
    # Machine code of several processes meets in one by module and qualified name: those of variants must differ.
    return with_globals(function, changed, "".join(f"_{name}_{value}" for name, value in sorted(constants.items())))


def with_globals(function: Any, changed: dict[str, Any], mark: str) -> Any:
    """A copy of a function or kernel with other values of some globals; the mark is added to its qualified name."""
    plain: Any = getattr(function, "py_func", function)
    copy = FunctionType(plain.__code__, {**plain.__globals__, **changed}, plain.__name__, plain.__defaults__, plain.__closure__)
    copy.__module__, copy.__qualname__, copy.__doc__ = plain.__module__, plain.__qualname__ + mark, plain.__doc__
    copy.__dict__.update(plain.__dict__)
    if not is_kernel(function):
        return copy
    inline = getattr(function, "targetoptions", {}).get("forceinline", False)
    return kernel(inline=inline)(copy)
