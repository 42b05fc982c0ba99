"""Decorators that compile kernels.

* :func:`kernel` compiles a function that other kernels call. It is not cached on its own.
* :func:`entry` compiles a function that Python calls. Its machine code is written to disk (:mod:`ginkgo_env.core.compile.cache`)
  if a folder can be written; otherwise each process compiles it.

Nothing is compiled before an entry is called. With ``NUMBA_DISABLE_JIT=1`` both return the plain Python function, which computes
exactly the same, slowly.

Some methods of Numba are patched to compile faster (:func:`_for_linking_only`), with the version :data:`_SUPPORTED_NUMBA` only.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, overload

import numba
import numpy as np
from numba import extending, types
from numba.core import caching, codegen, compiler, event, serialize
from numba.core.compiler_lock import global_compiler_lock

from ginkgo_env.core.compile import cache
from ginkgo_env.core.compile.progress import CompilationProgress

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = numba.config
_NJIT: Any = numba.njit
_TYPES: Any = types
_EXTENDING: Any = extending
_CACHING: Any = caching
_COMPILER: Any = compiler
_EVENT: Any = event
_SERIALIZE: Any = serialize

JIT_DISABLED = bool(_CONFIG.DISABLE_JIT)
BOUNDSCHECK = bool(os.environ.get("GINKGO_BOUNDSCHECK"))
_OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": BOUNDSCHECK}
_WORD = 64

_SUPPORTED_NUMBA = (0, 68)
"""The version of Numba whose internals the patches rely on."""


def _patched_methods() -> list[tuple[Any, str]]:
    """Return the methods of Numba that prepare code to run.

    They are skipped for code that is only linked into other code. Empty unless Numba has the supported version.
    """
    if tuple(int(part) for part in numba.__version__.split(".")[:2] if part.isdigit()) != _SUPPORTED_NUMBA:
        return []
    library, engine = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    return [(library, "_optimize_final_module"), (library, "_finalize_specific"), (engine, "_add_module"), (engine, "set_env")]


_PATCHED = _patched_methods()


def _widened(kind: Any) -> Any:
    """Return int64 for types of small integers, literals and members of enums, others as they are."""
    kind = _TYPES.unliteral(kind)
    if isinstance(kind, _TYPES.IntEnumMember) or (isinstance(kind, _TYPES.Integer) and kind.bitwidth < _WORD):
        return _TYPES.int64
    return kind


@contextmanager
def _for_linking_only() -> Iterator[None]:
    """Compile kernels only as far as an entry needs to link them into itself.

    Numba optimizes, assembles and loads each function together with all its callees, and therefore inner functions again at each
    level of calls. That takes half of a cold start, although only entries ever run, and could do harm: a loaded entry takes
    callees that are not inlined from the library that first loaded their names, which would be an unoptimized copy.

    Numba skips the same steps when it compiles ahead of time.
    """
    methods = [(owner, name, getattr(owner, name)) for owner, name in _PATCHED]
    for owner, name, _ in methods:
        setattr(owner, name, lambda *_: None)
    try:
        yield
    finally:
        for owner, name, method in methods:
            setattr(owner, name, method)


def _package_of(module: str) -> str:
    return module.partition(".")[0]


def _read_sources(function: Any) -> None:
    """Compute the digest of a function's sources when it is imported: later they may have been edited."""
    cache.digest(frozenset({_package_of(function.__module__)}))


@overload
def kernel(function: F, /) -> F: ...


@overload
def kernel(*, inline: bool) -> Callable[[F], F]: ...


def kernel(function: Any = None, /, *, inline: bool = False) -> Any:
    """Compile a function that is called by other kernels.

    Called from Python it raises TypeError.

    Numba compiles a function once for each combination of argument types. With ids as int8 fields, members of enums and literals
    these would be dozens of copies of the same code. Arguments are widened to int64 at the call, so that a kernel has one
    signature, which a test checks.

    Parameters
    ----------
    inline : whether to copy the code into each caller, which the compiler otherwise does for short functions only. Use it for
        kernels that run in each step and are called in one place: each array that a call passes on costs stores and loads
    """
    if function is None:
        return functools.partial(kernel, inline=inline)
    if JIT_DISABLED:
        function.is_kernel = True
        return function
    _read_sources(function)
    dispatcher = _NJIT(**_OPTIONS, forceinline=inline, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    resolve = dispatcher.get_call_template

    def resolve_widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        with global_compiler_lock, _for_linking_only():
            return resolve(tuple(_widened(a) for a in args), {name: _widened(a) for name, a in kws.items()})

    def refuse(*_: Any, **__: Any) -> Any:
        raise TypeError(f"{function.__name__} is a kernel, called from compiled code only: call it from an entry")

    dispatcher.get_call_template = resolve_widened
    # Python must never reach machine code that was compiled for linking only: that would kill the process.
    dispatcher._insert, dispatcher._compile_for_args = lambda *_: None, refuse
    return dispatcher


def entry(function: F, /) -> F:
    """Compile a function that Python calls, and write its machine code to disk.

    The function may name kernels as globals, as attributes of modules or in its closure. A kernel that calls an entry fails to
    compile, with a TypeError.
    """
    if JIT_DISABLED:
        # Words of the random generator wrap around by design; plain numpy scalars would warn each time.
        return np.errstate(over="ignore")(function)
    _read_sources(function)
    dispatcher: Any = _NJIT(**_OPTIONS)(function)
    dispatcher._cache = _FaultTolerantCache(function)

    def refuse(*_: Any) -> Any:  # the entry would be compiled for linking only, and Python could no longer call it
        raise TypeError(f"{function.__name__} is an entry, called from Python only: move what kernels need into a kernel")

    if _PATCHED:
        dispatcher.get_call_template = refuse
    compiled: F = dispatcher
    return compiled


def is_entry(function: Any) -> bool:
    """Return whether a value is a compiled entry."""
    return isinstance(getattr(function, "_cache", None), _FaultTolerantCache)


def is_compiled(entry: Any) -> bool:
    """Return whether machine code of an entry is in memory or on disk; True if compilation is disabled."""
    return not is_entry(entry) or bool(entry.signatures) or entry._cache.has_files()


def cache_folder(entry: Any) -> Path | None:
    """Return the folder of an entry's machine code; None if each process compiles it."""
    return entry._cache.folder if is_entry(entry) else None


@functools.cache
def _warn_once(sentence: str) -> None:
    print(f"ginkgo_env: {sentence}", file=sys.stderr, flush=True)


class _FaultTolerantCache(_CACHING.NullCache):  # type: ignore[misc]
    """The machine code of an entry on disk, with the methods that Numba calls.

    Files that are damaged or cannot be written count as missing.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @functools.cached_property
    def folder(self) -> Path | None:
        """The folder of the files; None if none can be written."""
        packages = frozenset(_package_of(module) for module, *_ in self._parts)
        settings = repr((sorted(_OPTIONS.items()), bool(_PATCHED)))
        return cache.folder_for(_package_of(self._function.__module__), packages, settings)

    @functools.cached_property
    def _parts(self) -> list[tuple[Any, ...]]:
        """Names and closures of the function and its kernels, which distinguish it in its sources."""
        functions = [self._function, *(kernel.py_func for kernel in reachable_kernels(self._function))]
        return [
            (function.__module__, function.__qualname__, function.__code__.co_firstlineno, _closure_values(function))
            for function in functions
        ]

    @functools.cached_property
    def _stem(self) -> str:
        name = re.sub(r"[^\w.]+", "_", self._function.__qualname__)
        return f"{name}-{_digest(self._parts)}"

    def has_files(self) -> bool:
        """Return whether there is machine code for arguments of any types."""
        return self.folder is not None and any(self.folder.glob(f"{self._stem}-*.bin"))

    def _path(self, folder: Path, signature: Any) -> Path:
        return folder / f"{self._stem}-{_digest([str(kind) for kind in signature])}.bin"

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled function, or None if it has to be compiled."""
        if self.folder is None:
            return None
        try:
            content = cache.read(self._path(self.folder, signature))
            if content is None:
                return None
            target.refresh()
            return _COMPILER.CompileResult._rebuild(target, *pickle.loads(content))
        except Exception as error:  # pickle and LLVM may raise almost any exception
            self._warn("machine code on disk is damaged ({}); compiling it again", error)
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write the compiled function if possible."""
        if self.folder is None or result.library.has_dynamic_globals:  # addresses in this process
            return
        try:
            cache.write(self._path(self.folder, signature), _SERIALIZE.dumps(result._reduce()))
        except Exception as error:
            self._warn("machine code cannot be written ({})", error)

    def _warn(self, sentence: str, error: Exception) -> None:
        _warn_once(sentence.format(f"{self._function.__name__}: {type(error).__name__}"))


def _digest(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


# --- the kernels that a function calls ---------------------------------------------------------------------------------------


def is_jitted(value: Any) -> bool:
    """Return whether a value is a compiled function."""
    return bool(_EXTENDING.is_jitted(value))


def is_kernel(value: Any) -> bool:
    """Return whether a value is a kernel, even if compilation is disabled, or an entry."""
    return is_jitted(value) or getattr(value, "is_kernel", False)


def _flattened(value: Any) -> Iterator[Any]:
    """Yield the items of a tuple and of the tuples in it, or a value itself."""
    if isinstance(value, tuple):
        for item in value:
            yield from _flattened(item)
    else:
        yield value


def _closure(function: Any) -> list[Any]:
    """Return the values in a function's closure."""
    return [value for cell in function.__closure__ or () for value in _flattened(cell.cell_contents)]


def _closure_values(function: Any) -> list[str]:
    values = (getattr(value, "py_func", value) for value in _closure(function))
    return [getattr(value, "__qualname__", None) or repr(value) for value in values]


def callees(function: Any) -> Iterator[Any]:
    """Yield the kernels that a function names: in its closure, as globals, or as attributes of modules."""
    yield from filter(is_jitted, _closure(function))
    names = function.__code__.co_names
    for name in names:
        value = function.__globals__.get(name)
        if is_jitted(value):
            yield value
        elif isinstance(value, ModuleType):
            yield from filter(is_jitted, map(vars(value).get, names))


def reachable_kernels(function: Any) -> list[Any]:
    """Return all kernels that a function calls, directly or not, each once and in a fixed order."""
    kernels = dict.fromkeys(callees(function))
    ahead = list(kernels)
    while ahead:
        for kernel in callees(ahead.pop().py_func):
            if kernel not in kernels:
                kernels[kernel] = None
                ahead.append(kernel)
    return list(kernels)


if not JIT_DISABLED:
    _EVENT.register(
        "numba:compile", CompilationProgress(is_entry, lambda entry: cache_folder(entry) is not None, reachable_kernels)
    )
