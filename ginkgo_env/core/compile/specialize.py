"""Copies of kernels with other values of some globals.

* :func:`specialize` is for a configuration that is known before compilation, such as the base game. A kernel reads a global
  constant, ``if EXPANSION:``, and its copy has another value. The compiler never sees the branch that is not taken, so that a
  configuration pays nothing for what it does not use, neither in time nor in compilation.
* :func:`substitute` also gives values to placeholders, so that kernels that are written once call those of any game.
* :func:`interpreted` is for Python code that asks what a kernel knows, so that a rule is written once.

Kernels that do not depend on these globals are shared.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar

from ginkgo_env.core.compile.jit import is_kernel, kernel

T = TypeVar("T")

_copies: dict[tuple[Any, ...], Any] = {}


class Placeholder:
    """Stands for a kernel or a constant in kernels until :func:`substitute` gives the value of a game."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *_: Any) -> Any:
        """Raise TypeError: nothing has been substituted."""
        raise TypeError(f"{self.name} stands for a game's kernel: bind the loop with game.kernels.bind first")


def specialize(function: T, **constants: Any) -> T:
    """Return a copy of a kernel with other values of global constants.

    The function is a kernel, or one that becomes an entry. The kernels that it calls are copied likewise. If neither the function
    nor these name a constant whose value differs, the function itself is returned. The same arguments give the same copy.
    """
    ordered = dict(sorted(constants.items()))
    return substitute(function, ordered, "".join(f"_{name}_{value}" for name, value in ordered.items()))


def substitute(function: T, values: Mapping[Any, Any], mark: str) -> T:
    """Return a copy of a kernel with other values of globals, as :func:`specialize` does.

    values : by the name of a global, or by the placeholder that it is
    mark : added to the qualified names of copies. A process may load machine code that several others compiled: functions of one
        name would be taken for the same
    """
    key = (function, mark, *values.items())
    if key not in _copies:
        changed = changed_globals(function, values, mark)
        _copies[key] = with_globals(function, changed, mark) if changed else function
    copy: T = _copies[key]
    return copy


def interpreted(function: Callable[..., T]) -> Callable[..., T]:
    """Return a copy of a kernel that Python runs, as well as the kernels that it calls.

    It takes records, and also a ``PlainRecord``, whose fields are numbers and lists. Of intrinsics it may use ``popcount``.
    """
    plain: Any = getattr(function, "py_func", function)
    called = {name: interpreted(value) for name, value in _globals_of(plain).items() if is_kernel(value)}
    copy: Callable[..., T] = with_globals(plain, {"popcount": lambda word: int(word).bit_count(), **called}, "_interpreted")
    return copy


def specialized_copies() -> list[Any]:
    """Return all copies made so far in this process."""
    return list(_copies.values())


def changed_globals(function: Any, values: Mapping[Any, Any], mark: str) -> dict[str, Any]:
    """Return the globals of a function that a copy by :func:`substitute` has other values of, by name."""
    changed = {}
    for name, value in _globals_of(getattr(function, "py_func", function)).items():
        key = value if isinstance(value, Placeholder) else name
        new = values[key] if key in values else substitute(value, values, mark) if is_kernel(value) else value
        if new is not value:
            changed[name] = new
    return changed


def _globals_of(plain: Any) -> dict[str, Any]:
    """Return the globals that a function reads, by name."""
    loaded = {step.argval for step in dis.get_instructions(plain.__code__) if step.opname == "LOAD_GLOBAL"}
    return {name: value for name, value in plain.__globals__.items() if name in loaded}


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
