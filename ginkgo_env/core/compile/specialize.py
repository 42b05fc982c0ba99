"""Copies of kernels for a configuration that is known before compilation, such as the base game.

A kernel reads a global constant, ``if EXPANSION:``, and :func:`specialize` copies it, and all kernels that it calls, with
another value. The compiler never sees the branch that is not taken, so that a configuration pays nothing for what it does not
use, neither in time nor in compilation. Kernels that do not depend on the constant are shared.
"""

from __future__ import annotations

import dis
from types import FunctionType
from typing import Any, TypeVar

from ginkgo_env.core.compile.jit import is_kernel, kernel

T = TypeVar("T")

_copies: dict[tuple[Any, tuple[tuple[str, Any], ...]], Any] = {}


def specialize(function: T, **constants: Any) -> T:
    """Return a copy of a kernel with other values of global constants.

    The function is a kernel, or one that becomes an entry. The kernels that it calls are copied likewise. If neither the function
    nor these name a constant whose value differs, the function itself is returned. The same arguments give the same copy.
    """
    key = (function, tuple(sorted(constants.items())))
    if key not in _copies:
        _copies[key] = _copy(function, constants)
    copy: T = _copies[key]
    return copy


def specialized_copies() -> list[Any]:
    """Return all copies made so far in this process."""
    return list(_copies.values())


def _copy(function: Any, constants: dict[str, Any]) -> Any:
    plain: Any = getattr(function, "py_func", function)
    loaded = {step.argval for step in dis.get_instructions(plain.__code__) if step.opname == "LOAD_GLOBAL"}
    names = {name: value for name, value in plain.__globals__.items() if name in loaded}
    changed = {name: constants[name] for name, value in names.items() if name in constants and constants[name] != value}
    for name, value in names.items():
        if name not in constants and is_kernel(value):
            copy = specialize(value, **constants)
            if copy is not value:
                changed[name] = copy
    if not changed:
        return function
    # A process may load machine code that several others compiled: functions of one name would be taken for the same.
    return with_globals(function, changed, "".join(f"_{name}_{value}" for name, value in sorted(constants.items())))


def with_globals(function: Any, changed: dict[str, Any], mark: str) -> Any:
    """Return a copy of a function or kernel with other values of some globals.

    mark : added to its qualified name
    """
    plain: Any = getattr(function, "py_func", function)
    copy = FunctionType(plain.__code__, {**plain.__globals__, **changed}, plain.__name__, plain.__defaults__, plain.__closure__)
    copy.__module__, copy.__qualname__, copy.__doc__ = plain.__module__, plain.__qualname__ + mark, plain.__doc__
    copy.__dict__.update(plain.__dict__)
    if not is_kernel(function):
        return copy
    inline = getattr(function, "targetoptions", {}).get("forceinline", False)
    return kernel(inline=inline)(copy)
