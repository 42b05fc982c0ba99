"""The one place where kernels are compiled and where their machine code is kept.

Numba's own cache notices a change in the file of a cached function but not in the files of the functions that it calls.
Stale machine code of a game engine is the worst of all bugs, so the cache folder's name carries a digest of *all* kernel
sources and data tables: after any change the folder is another one.

The decorators:

* :func:`kernel` -- a function that other kernels call. Not cached by itself.
* :func:`kernel_with` -- the same, only for records with a certain part.
* :func:`entry` -- a function that Python calls. Cached, when a folder can be written; otherwise compiled anew in each process.

With ``NUMBA_DISABLE_JIT=1`` all leave the plain Python function, which then does exactly the same, slowly.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba import types
from numba.core import codegen
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import overload

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = numba.config
_NJIT: Any = numba.njit
_TYPES: Any = types
_OVERLOAD: Any = overload

JIT_DISABLED = bool(_CONFIG.DISABLE_JIT)
BOUNDSCHECK = bool(os.environ.get("GINKGO_BOUNDSCHECK"))
_OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": BOUNDSCHECK}
_PACKAGE = Path(__file__).resolve().parent.parent
_SOURCE_FOLDERS = ("core", "games")
_KEPT_CACHES = 3
_WORD = 64


def source_digest(package: Path = _PACKAGE) -> str:
    """A digest of everything that machine code of kernels depends on: sources, data tables and Numba's version."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {BOUNDSCHECK}".encode())
    for folder in _SOURCE_FOLDERS:
        for path in sorted((package / folder).rglob("*")):
            if path.suffix in {".py", ".csv"}:
                digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _forget_old_caches(root: Path, keep: Path) -> None:
    """Leave the newest few caches: several checkouts may be in use at once, hundreds of old ones are not."""
    others = [path for path in root.glob("kernels-*") if path != keep]
    try:
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return  # another process is tidying up
    for path in others[_KEPT_CACHES:]:
        shutil.rmtree(path, ignore_errors=True)


def _find_cache() -> Path | None:
    if JIT_DISABLED:
        return None
    given = os.environ.get("GINKGO_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    root = Path(given) if given else Path(platformdirs.user_cache_dir("ginkgo_env", appauthor=False))
    folder = root / f"kernels-{source_digest()}"
    fresh = not folder.exists()
    if not _writable(folder):
        return None
    if fresh:
        _forget_old_caches(root, keep=folder)
    return folder


CACHE: Path | None = _find_cache()
"""Folder of compiled kernels, or None where none can be written (then every process compiles for itself)."""


def _widened(kind: Any) -> Any:
    """Small integers, literals and enum members as the 64-bit integers that kernels compute with."""
    kind = _TYPES.unliteral(kind)
    if isinstance(kind, _TYPES.IntEnumMember) or (isinstance(kind, _TYPES.Integer) and kind.bitwidth < _WORD):
        return _TYPES.int64
    return kind


def _skipped() -> list[tuple[Any, tuple[str, ...]]]:
    """Classes of Numba and those of their methods that only code needs that runs by itself; none where Numba looks different."""
    skipped = {"JITCodeLibrary": ("_optimize_final_module", "_finalize_specific"), "JITCPUCodegen": ("_add_module", "set_env")}
    found: list[tuple[Any, tuple[str, ...]]] = [(getattr(codegen, owner, None), names) for owner, names in skipped.items()]
    return found if all(hasattr(owner, name) for owner, names in found for name in names) else []


@contextmanager
def _for_linking_only() -> Iterator[None]:
    """Compile no further than what an entry links into itself: optimizer and assembler will run over the whole of that.

    Numba optimizes, assembles and loads every function with all that it calls, so the innermost ones again at each level: half
    the time of a cold start, for code that never runs by itself. And it would be in the way: what a loaded entry calls without
    having inlined it is taken from wherever that name was loaded first, here from an unoptimized copy.

    Of Numba's inside: these are the steps that it leaves out itself when it compiles ahead of time.
    """
    methods = [(owner, name, getattr(owner, name)) for owner, names in _skipped() for name in names]
    for owner, name, _ in methods:
        setattr(owner, name, lambda *_: None)
    try:
        yield
    finally:
        for owner, name, method in methods:
            setattr(owner, name, method)


def kernel(function: F) -> F:
    """Compile a function that is called by other kernels.

    Numba compiles a function anew for each combination of argument types; with ids as int8 fields, enum members and
    literals that would be dozens of copies of the same code. All of them are widened at the call, so that a kernel has
    one signature (and a test holds that).
    """
    if JIT_DISABLED:
        return function
    dispatcher = _NJIT(**_OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    resolve = dispatcher.get_call_template

    def resolve_widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        with global_compiler_lock, _for_linking_only():
            return resolve(tuple(_widened(a) for a in args), {name: _widened(a) for name, a in kws.items()})

    dispatcher.get_call_template = resolve_widened
    return cast(F, dispatcher)


def kernel_with(field: str) -> Callable[[F], F]:
    """Compile a :func:`kernel` only for records (its first argument) in which a field has a length.

    For other records it is a function that does nothing and returns 0: what their games never call costs them no compilation.
    """

    def compile_with(function: F) -> F:
        if JIT_DISABLED:
            return function
        compiled: Any = kernel(function)

        def absent(*args: Any) -> int:
            return 0

        def present(*args: Any) -> Any:
            return compiled(*args)

        @functools.wraps(function)
        def called(*args: Any) -> Any:
            raise TypeError(f"{function.__name__} is called by kernels only")

        def choose(*args: Any) -> Any:
            return present if args[0].fields[field].type.shape[0] > 0 else absent

        _OVERLOAD(called, jit_options={**_OPTIONS, "no_cpython_wrapper": True})(choose)
        called.compiled = compiled  # type: ignore[attr-defined]
        return cast(F, called)

    return compile_with


def entry(function: F) -> F:
    """Compile a function that is called from Python, and keep its machine code in :data:`CACHE`."""
    if JIT_DISABLED:
        # Words of the random generator wrap around by design; plain numpy scalars would warn each time.
        return np.errstate(over="ignore")(function)
    before = _CONFIG.CACHE_DIR
    if CACHE is not None:
        _CONFIG.CACHE_DIR = str(CACHE)  # read by Numba when the decorator runs, not later
    try:
        dispatcher = _NJIT(**_OPTIONS, cache=CACHE is not None)(function)
    finally:
        _CONFIG.CACHE_DIR = before

    def refuse(*_: Any) -> Any:  # it would be compiled for linking only, and Python could not call it any more
        raise TypeError(f"{function.__name__} is an entry, called from Python only: make what kernels need of it a kernel")

    dispatcher.get_call_template = refuse
    return cast(F, dispatcher)


@functools.cache
def _marker(name: str) -> Path | None:
    return None if CACHE is None else CACHE / f"{name.replace(' ', '-')}.compiled"


_told: set[str] = set()  # games whose kernels this process has compiled


@contextmanager
def announced(name: str, seconds: int) -> Iterator[bool]:
    """Say on stderr that kernels are being compiled, if they are: once for each machine and version of the sources.

    Tells the block whether they are, so that it can use all of them now.
    """
    marker = _marker(name)
    if JIT_DISABLED or name in _told or (marker is not None and marker.exists()):
        yield False
        return
    _told.add(name)
    often = "once" if marker is not None else "in each process, as no cache folder can be written"
    print(f"ginkgo_env: compiling the rules of {name} ({often}, about {seconds} s) ...", file=sys.stderr, flush=True)
    start = time.perf_counter()
    yield True
    print(f"ginkgo_env: compiled in {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    if marker is not None:
        marker.touch()
