"""Decorators that compile kernels.

* :func:`kernel` compiles a function that other kernels call. It is not cached on its own unless :func:`keep` says so.
* :func:`entry` compiles a function that Python calls. Its machine code is written to disk (:mod:`ginkgo_env.core.compile.cache`)
  if a folder can be written; otherwise each process compiles it, unless the package contains it.

Nothing is compiled before an entry is called. With ``NUMBA_DISABLE_JIT=1`` both return the plain Python function, which computes
exactly the same, slowly.

Some methods of Numba are patched to compile faster (:func:`_for_linking_only`), with the version :data:`_SUPPORTED_NUMBA` only.
"""

from __future__ import annotations

import functools
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
import numpy as np
from numba import types
from numba.core import caching, codegen, compiler, event, serialize
from numba.core.compiler_lock import global_compiler_lock

from ginkgo_env.core.compile import cache
from ginkgo_env.core.compile.cache import reachable_kernels
from ginkgo_env.core.compile.progress import CompilationProgress

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = numba.config
_NJIT: Any = numba.njit
_TYPES: Any = types
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


def _patches() -> list[tuple[Any, str, Any]]:
    """Return methods of Numba, and what replaces them while code is compiled that is only linked into other code.

    Those that prepare code to run do nothing; what is written to disk is bitcode. Empty unless Numba has the supported version.
    """
    if tuple(int(part) for part in numba.__version__.split(".")[:2] if part.isdigit()) != _SUPPORTED_NUMBA:
        return []
    library, engine = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    skipped = (library, "_optimize_final_module"), (library, "_finalize_specific"), (engine, "_add_module"), (engine, "set_env")
    bitcode = library, "serialize_using_object_code", library.serialize_using_bitcode
    return [*((owner, name, lambda *_: None) for owner, name in skipped), bitcode]


_PATCHES = _patches()


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
    methods = [(owner, name, getattr(owner, name)) for owner, name, _ in _PATCHES]
    for owner, name, replacement in _PATCHES:
        setattr(owner, name, replacement)
    try:
        yield
    finally:
        for owner, name, method in methods:
            setattr(owner, name, method)


@overload
def kernel(function: F, /) -> F: ...


@overload
def kernel(*, inline: bool = ..., reorder: bool = ...) -> Callable[[F], F]: ...


def kernel(function: Any = None, /, *, inline: bool = False, reorder: bool = False) -> Any:
    """Compile a function that is called by other kernels.

    Called from Python it raises TypeError.

    Numba compiles a function once for each combination of argument types. With ids as int8 fields, members of enums and literals
    these would be dozens of copies of the same code. Arguments are widened to int64 at the call, so that a kernel has one
    signature, which a test checks.

    Parameters
    ----------
    inline : whether to copy the code into each caller, which the compiler otherwise does for short functions only. Use it for
        kernels that run in each step and are called in one place: each array that a call passes on costs stores and loads
    reorder : whether floating-point numbers may be added up in another order, which vector instructions need
    """
    if function is None:
        return functools.partial(kernel, inline=inline, reorder=reorder)
    if JIT_DISABLED:
        function.is_kernel = True
        return function
    options = _OPTIONS | {"forceinline": inline, "fastmath": {"reassoc", "contract"} if reorder else False}
    dispatcher = _NJIT(**options, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
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


def keep(function: Any) -> None:
    """Write the code of a kernel to disk as well.

    The next process that compiles an entry which calls it takes it from there, and compiles only kernels that have changed.
    """
    if _PATCHES and cache.is_jitted(function):
        function._cache = _FaultTolerantCache(function)


def entry(function: F, /) -> F:
    """Compile a function that Python calls, and write its machine code to disk.

    The function may name kernels as globals, as attributes of modules or in its closure. A kernel that calls an entry fails to
    compile, with a TypeError.
    """
    if JIT_DISABLED:
        # Words of the random generator wrap around by design; plain numpy scalars would warn each time.
        return np.errstate(over="ignore")(function)
    dispatcher: Any = _NJIT(**_OPTIONS)(function)
    dispatcher._cache = _FaultTolerantCache(function)

    def refuse(*_: Any) -> Any:  # the entry would be compiled for linking only, and Python could no longer call it
        raise TypeError(f"{function.__name__} is an entry, called from Python only: move what kernels need into a kernel")

    if _PATCHES:
        dispatcher.get_call_template = refuse
    compiled: F = dispatcher
    return compiled


def for_types_of(entry: F, *arguments: Any) -> F:
    """Return an entry for arguments of the types of these ones, without keywords.

    It trusts its arguments: to recognize their types takes longer than a step of a game.
    """
    compiled: F = entry if JIT_DISABLED else entry.compile(tuple(map(numba.typeof, arguments)))  # type: ignore[attr-defined]
    return compiled


def is_entry(value: Any) -> bool:
    """Return whether a value is a compiled entry."""
    return cache.is_jitted(value) and not value.targetoptions.get("no_cpython_wrapper")


def is_cached(entry: Any) -> bool:
    """Return whether machine code of an entry is written to disk, or each process compiles it."""
    return is_entry(entry) and entry._cache.path is not None


def is_compiled(function: Any) -> bool:
    """Return whether code of a function is in memory or on disk; True if compilation is disabled."""
    return not cache.is_jitted(function) or bool(function.signatures) or bool(cached_files(function))


def cached_files(function: Any) -> list[Path]:
    """Return the files of an entry or a kernel, one for each combination of types of arguments."""
    paths = getattr(function._cache, "path", None), getattr(function._cache, "shipped", None)
    return sorted(file for path in paths if path for file in path.parent.glob(f"{path.name}-*.bin"))


@functools.cache
def _warn_once(sentence: str) -> None:
    print(f"ginkgo_env: {sentence}", file=sys.stderr, flush=True)


class _FaultTolerantCache(_CACHING.NullCache):  # type: ignore[misc]
    """The code of an entry or a kernel on disk, with the methods that Numba calls.

    Files that are damaged or cannot be written count as missing.
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        plain = getattr(function, "py_func", function)
        self._name = plain.__name__
        self._stem = re.sub(r"[^\w.]+", "_", f"{plain.__module__}.{plain.__qualname__}")  # shared by all versions

    @functools.cached_property
    def path(self) -> Path | None:
        """The path of the files without the types of arguments; None if none can be written."""
        if (obstacle := cache.obstacle(self._function)) is not None:
            _warn_once(f"{self._name}: machine code is not cached, as {obstacle}")
        return self._path_in(cache.folder())

    @functools.cached_property
    def shipped(self) -> Path | None:
        """The same of machine code in the package; None if there is none for this processor."""
        return self._path_in(cache.shipped_folder(), portable=True)

    def _path_in(self, folder: Path | None, portable: bool = False) -> Path | None:
        if folder is None or cache.obstacle(self._function) is not None:
            return None
        return folder / f"{self._stem}-{cache.digest(self._function, kernel, entry, portable=portable)}"

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled function, or None if it has to be compiled."""
        return self._load(self.path, signature, target) or self._load(self.shipped, signature, target)

    def _load(self, path: Path | None, signature: Any, target: Any) -> Any:
        if path is None:
            return None
        try:
            content = cache.read(Path(f"{path}-{_digest_of(signature)}.bin"))
            if content is None:
                return None
            target.refresh()
            return _COMPILER.CompileResult._rebuild(target, *pickle.loads(content))
        except Exception as error:  # pickle and LLVM may raise almost any exception
            self._warn("machine code on disk is damaged ({}); compiling it again", error)
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write the compiled function if possible."""
        if self.path is None or result.library.has_dynamic_globals:  # addresses in this process
            return
        if not self.path.name.endswith(cache.digest(self._function, kernel, entry, now=True)):
            return  # a global has another value than when the path was made
        ending = f"{_digest_of(signature)}.bin"
        try:
            cache.write(Path(f"{self.path}-{ending}"), _SERIALIZE.dumps(_without_source(result._reduce())))
        except Exception as error:
            self._warn("machine code cannot be written ({})", error)
        cache.keep_latest(self.path.parent.glob(f"{self._stem}-*-{ending}"))

    def _warn(self, sentence: str, error: Exception) -> None:
        _warn_once(sentence.format(f"{self._name}: {type(error).__name__}"))


def _digest_of(signature: Any) -> str:
    return cache.digest_of([str(kind) for kind in signature])


def _without_source(reduced: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a compiled function, as Numba writes it to disk, without its annotated source, a quarter of the file."""
    *before, annotated, reload_init, environments = reduced
    return *before, "" if isinstance(annotated, str) else annotated, reload_init, environments


def is_kernel(value: Any) -> bool:
    """Return whether a value is a kernel, even if compilation is disabled, or an entry."""
    return cache.is_jitted(value) or getattr(value, "is_kernel", False)


progress = CompilationProgress(is_entry, is_cached, lambda entry: reachable_kernels(entry, is_compiled))
"""The report on the compilation that is under way."""
if not JIT_DISABLED:
    _EVENT.register("numba:compile", progress)
