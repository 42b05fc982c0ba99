"""The one place where kernels are compiled.

The decorators:

* :func:`kernel` -- a function called by other kernels. Not cached on its own.
* :func:`entry` -- a function that Python calls. Its machine code is kept (:mod:`ginkgo_env.core.compile.cache`), where a folder
  can be written; otherwise each process compiles it anew.

With ``NUMBA_DISABLE_JIT=1`` all leave the plain Python function, which then does exactly the same, slowly.

Compiling is faster by some patches of Numba's internals (:func:`_for_linking_only`). They are used with the versions in
:data:`_LOOKED_AT` only; with others the same kernels are compiled without them, which takes about twice as long. That kernels
compute with 64-bit integers (:func:`kernel`) holds for all versions.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any, TypeVar, overload

import numba
import numpy as np
from numba import extending, types
from numba.core import codegen
from numba.core.compiler_lock import global_compiler_lock

from ginkgo_env.core.compile.cache import folder_for

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = numba.config
_NJIT: Any = numba.njit
_TYPES: Any = types
_EXTENDING: Any = extending

JIT_DISABLED = bool(_CONFIG.DISABLE_JIT)
BOUNDSCHECK = bool(os.environ.get("GINKGO_BOUNDSCHECK"))
_OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": BOUNDSCHECK}
_WORD = 64

_LOOKED_AT = ((0, 61), (0, 68))
"""First and last version of Numba whose internals were checked to be as the patches assume."""


def _patched_methods() -> list[tuple[Any, str]]:
    """The methods of Numba that prepare code to run; they are skipped for code that is only linked into other code.

    None for a version that was not looked at.
    """
    version = tuple(int(part) for part in numba.__version__.split(".")[:2] if part.isdigit())
    first, last = _LOOKED_AT
    if not first <= version <= last:
        return []
    library, engine = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    return [(library, "_optimize_final_module"), (library, "_finalize_specific"), (engine, "_add_module"), (engine, "set_env")]


_PATCHED = _patched_methods()


def _widened(kind: Any) -> Any:
    """Small integers, literals and enum members as the 64-bit integers that kernels compute with."""
    kind = _TYPES.unliteral(kind)
    if isinstance(kind, _TYPES.IntEnumMember) or (isinstance(kind, _TYPES.Integer) and kind.bitwidth < _WORD):
        return _TYPES.int64
    return kind


@contextmanager
def _for_linking_only() -> Iterator[None]:
    """Compile kernels only as far as an entry needs them to link them into itself.

    Numba optimizes, assembles and loads each function together with all that it calls, so inner functions again at each level
    of calls: half the time of a cold start, although only entries ever run. It could even do harm: a loaded entry takes what it
    calls and has not inlined from wherever that name was loaded first, which would be an unoptimized copy.

    Numba itself skips the same steps when it compiles ahead of time.
    """
    methods = [(owner, name, getattr(owner, name)) for owner, name in _PATCHED]
    for owner, name, _ in methods:
        setattr(owner, name, lambda *_: None)
    try:
        yield
    finally:
        for owner, name, method in methods:
            setattr(owner, name, method)


@overload
def kernel(function: F, /) -> F: ...


@overload
def kernel(*, inline: bool) -> Callable[[F], F]: ...


def kernel(function: Any = None, /, *, inline: bool = False) -> Any:
    """Compile a function that is called by other kernels.

    Numba compiles a function anew for each combination of argument types; with ids as int8 fields, enum members and
    literals that would be dozens of copies of the same code. All of them are widened at the call, so that a kernel has
    one signature (and a test holds that).

    inline : put its code wherever it is called, which the compiler otherwise does for short functions only. For what runs in each
        step and is called in one place: each array that a call passes on costs stores and loads
    """
    if function is None:
        return functools.partial(kernel, inline=inline)
    if JIT_DISABLED:
        function.is_kernel = True
        return function
    dispatcher = _NJIT(**_OPTIONS, forceinline=inline, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    resolve = dispatcher.get_call_template

    def resolve_widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        with global_compiler_lock, _for_linking_only():
            return resolve(tuple(_widened(a) for a in args), {name: _widened(a) for name, a in kws.items()})

    dispatcher.get_call_template = resolve_widened
    return dispatcher


@overload
def entry(function: F, /) -> F: ...


@overload
def entry(*, of: str) -> Callable[[F], F]: ...


def entry(function: Any = None, /, *, of: str | None = None) -> Any:
    """Compile a function that is called from Python, and keep its machine code.

    of : name of the module that the code belongs to, by default the function's own. A function may be defined elsewhere and get
        kernels by closure or as globals (loops made for each game by one function): the modules of those kernels count as well,
        so that the code is never stale, and with the game's module named here each game's loops lie in a folder of their own.

    Kernels cannot call an entry.
    """
    if function is None:
        return functools.partial(_entry, of=of)
    return _entry(function, of)


def _entry(function: Callable[..., Any], of: str | None) -> Any:
    if JIT_DISABLED:
        # Words of the random generator wrap around by design; plain numpy scalars would warn each time.
        return np.errstate(over="ignore")(function)
    home = of or function.__module__
    settings = repr((sorted(_OPTIONS.items()), bool(_PATCHED), variants_of(function)))
    folder = folder_for(home, frozenset({home, *modules_of(function)}), settings)
    dispatcher = _kept(function, folder) if folder is not None else None
    if dispatcher is None:
        dispatcher, folder = _NJIT(**_OPTIONS)(function), None
    dispatcher.kept_in = folder

    def refuse(*_: Any) -> Any:  # it would be compiled for linking only, and Python could not call it any more
        raise TypeError(f"{function.__name__} is an entry, called from Python only: move what kernels need into a kernel")

    if _PATCHED:
        dispatcher.get_call_template = refuse
    return dispatcher


def kept_in(entry: Any) -> Path | None:
    """The folder of an entry's machine code; None if it is not kept, and so compiled anew in each process."""
    return getattr(entry, "kept_in", None)


def _kept(function: Callable[..., Any], folder: Path) -> Any:
    """The compiled function with its machine code in a folder; None where Numba does not allow that."""
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = str(folder)  # read by Numba when the decorator runs, not later
    try:
        dispatcher = _NJIT(**_OPTIONS, cache=True)(function)
    except RuntimeError:  # of a function without a file
        return None
    finally:
        _CONFIG.CACHE_DIR = before
    if folder not in Path(dispatcher.stats.cache_path).parents:  # Numba has other folders, whose names carry no digest
        return None
    cache: Any = getattr(dispatcher, "_cache", None)
    if closed_over(function):
        if getattr(cache, "_py_func", None) is not function:
            return None
        cache._py_func = _with_names(function)
    if cache is not None:
        dispatcher._cache = _Forgiving(cache, function.__name__)
    return dispatcher


class _Forgiving:
    """Numba's cache of an entry, which does without files that are damaged or cannot be read or written."""

    def __init__(self, cache: Any, name: str) -> None:
        self._cache, self._name = cache, name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._cache, attribute)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function, or None if it has to be compiled."""
        try:
            return self._cache.load_overload(signature, target)
        except Exception as error:  # pickle and LLVM raise almost anything
            _warn_once(f"kept machine code is damaged ({self._name}: {type(error).__name__}); compiling it again")
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep the compiled function if possible."""
        try:
            self._cache.save_overload(signature, data)
        except Exception:
            try:
                self._cache.flush()  # the index may be what is damaged: begin a new one
                self._cache.save_overload(signature, data)
            except Exception as error:
                _warn_once(f"machine code cannot be kept ({self._name}: {type(error).__name__})")


@functools.cache
def _warn_once(sentence: str) -> None:
    print(f"ginkgo_env: {sentence}", file=sys.stderr, flush=True)


# --- which kernels a function is made of -------------------------------------------------------------------------------------


def is_jitted(value: Any) -> bool:
    """Whether a value is a compiled function."""
    return bool(_EXTENDING.is_jitted(value))


def is_kernel(value: Any) -> bool:
    """Whether a value is a kernel (or an entry), also without compilation."""
    return is_jitted(value) or getattr(value, "is_kernel", False)


def closed_over(function: Any) -> list[Any]:
    """The kernels in a function's closure, those in tuples included."""

    def kernels(value: Any) -> Iterator[Any]:
        if isinstance(value, tuple):
            for item in value:
                yield from kernels(item)
        elif is_jitted(value):
            yield value

    return [found for cell in function.__closure__ or () for found in kernels(cell.cell_contents)]


def called(function: Any) -> Iterator[Any]:
    """The kernels that a function names, as closed over, as globals or as attributes of modules."""
    yield from closed_over(function)
    names = function.__code__.co_names
    for name in names:
        value = function.__globals__.get(name)
        if is_jitted(value):
            yield value
        elif isinstance(value, ModuleType):
            yield from filter(is_jitted, map(vars(value).get, names))


def modules_of(function: Any) -> set[str]:
    """The names of the modules that a function and the kernels that it names come from, and what these close over.

    What the kernels import counts by itself: this finds those that were handed to the function from elsewhere.
    """
    found = {function.__module__}
    ahead = list(called(function))
    while ahead:
        kernel = ahead.pop().py_func
        found.add(kernel.__module__)
        ahead.extend(closed_over(kernel))
    return found


def variants_of(function: Any) -> list[str]:
    """The values of constants that a function, and the kernels that it names, were made with (``core.compile.specialize``)."""
    made = [function, *(kernel.py_func for kernel in called(function))]
    return sorted({repr(one.variant) for one in made if hasattr(one, "variant")})


def _with_names(function: Any) -> FunctionType:
    """A stand-in for a function that closes over kernels, to make the key of Numba's index from.

    Numba's key has the pickled closure in it. That of a compiled function holds a random number, so that no process ever finds
    what another one has kept. A kernel's name says enough: the folder is another one after any change in its module.
    """

    def named(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(named(item) for item in value)
        if not is_jitted(value):
            return value
        inner = value.py_func
        closure = tuple(named(cell.cell_contents) for cell in inner.__closure__ or ())
        return (inner.__module__, inner.__qualname__, inner.__code__.co_firstlineno, closure)

    cells = tuple(CellType(named(cell.cell_contents)) for cell in function.__closure__)
    return FunctionType(function.__code__, {}, function.__name__, None, cells)
