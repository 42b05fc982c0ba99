"""What machine code depends on, as a digest, and the files of machine code, whose names carry it.

Numba's own cache notices a change in the file of a cached function but not in the files of the functions that it calls, and
stale machine code of a game engine is the worst of all bugs. Here the digest of an entry covers what the compiler sees:

* the bytecode of the entry and of all functions that it calls, directly or not: kernels, intrinsics, and what these call;
* the values that they name: constants, arrays, enums, defaults, closures, wherever they were read or computed;
* the versions of Python, Numba, llvmlite and numpy, the processor, and the settings of the compiler.

It does not cover files, so that no edit elsewhere compiles anything, nor do comments and docstrings. An entry that names a value
of a kind that is not known here is compiled in each process.

Each file carries a checksum of its content. A file that is damaged counts as missing.

A wheel may contain machine code for :data:`PORTABLE`, which is loaded where this machine has compiled none.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum, EnumMeta
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba import extending

_CONFIG: Any = numba.config
_LLVM: Any = llvm
_EXTENDING: Any = extending
_IR: Any = ir

_VERSIONED = frozenset({"numpy", "numba", "llvmlite", "builtins"}) | sys.stdlib_module_names
_PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None), type(...)})
_KEPT = 10  # versions of an entry that are not deleted: several checkouts may be in use
_CHECKSUM = hashlib.sha256().digest_size  # bytes at the start of a file
PORTABLE = (
    "x86-64-v3",
    (
        "+64bit,+avx,+avx2,+bmi,+bmi2,+cmov,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,"
        "+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave"
    ),
)
"""The processor and the features for which a package may contain machine code: nearly all x86 processors since 2013."""
SHIPPED = Path(__file__).parents[2] / "machine_code"
"""The folder of that machine code; ``.ci/machine_code.py`` fills it."""


def digest_of(value: Any) -> str:
    """Return a short digest of a value's representation."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


# --- what machine code depends on --------------------------------------------------------------------------------------------


def is_jitted(value: Any) -> bool:
    """Return whether a value is a compiled function."""
    return bool(_EXTENDING.is_jitted(value))


class _Description:
    """One function without those that it calls.

    Attributes
    ----------
    digest : of its code and the values that it names
    callees : the functions that it names, in an order that the digest fixes
    unknown : the first value whose influence on machine code is not known, as text; None if there is none
    """

    def __init__(self, function: Any) -> None:
        self.callees: list[Any] = []
        self.unknown: str | None = None
        self._modules = set[ModuleType]()
        plain = getattr(function, "py_func", None) or getattr(function, "_defn", function)
        self._names = dict.fromkeys(_names_in(plain.__code__))
        values = {name: plain.__globals__[name] for name in self._names if name in plain.__globals__}
        closure = [cell.cell_contents for cell in plain.__closure__ or ()]
        self.digest = digest_of(
            (
                *(type(function).__name__, plain.__module__, plain.__qualname__),
                sorted(getattr(function, "targetoptions", {}).items()),
                self._of_code(plain.__code__, plain.__doc__),
                [self._of(value) for value in (plain.__defaults__, *sorted((plain.__kwdefaults__ or {}).items()), *closure)],
                [(name, self._of(value)) for name, value in values.items()],
            )
        )

    def _of_code(self, code: CodeType, docstring: str | None = None) -> Any:
        """Describe bytecode without the numbers of its lines."""
        constants = [None if i == 0 and const == docstring else self._of(const) for i, const in enumerate(code.co_consts)]
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        arguments = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        return code.co_code, code.co_exceptiontable, constants, names, arguments

    def _of(self, value: Any) -> Any:
        """Describe a value as the compiler freezes it."""
        if type(value) in _PLAIN or isinstance(value, np.dtype):
            return value
        if isinstance(value, EnumMeta):
            return _of_enum(value)
        if isinstance(value, Enum):
            return _of_enum(type(value)), value.name
        if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            return type(value).__name__, value.dtype, value.shape, value.strides, hashlib.sha256(value.tobytes()).digest()
        if isinstance(value, tuple | list):
            return self._of(type(value)), [self._of(item) for item in value]
        if isinstance(value, type) and issubclass(value, tuple):  # which may be a named one
            return value.__qualname__, getattr(value, "_fields", None)
        if isinstance(value, dict):
            return self._of(list(value.items()))
        if isinstance(value, frozenset):
            return sorted(repr(self._of(item)) for item in value)
        if isinstance(value, _IR.Type | _IR.Constant):  # of intrinsics
            return str(value)
        if isinstance(value, CodeType):
            return self._of_code(value)
        if _is_versioned(value):
            return _home(value), value.__name__
        if isinstance(value, ModuleType):
            return self._of_module(value)
        if is_jitted(value) or isinstance(value, FunctionType | _EXTENDING._Intrinsic):
            self.callees.append(value)
            return "function"
        self.unknown = self.unknown or f"{type(value).__module__}.{type(value).__qualname__}"
        return None

    def _of_module(self, module: ModuleType) -> Any:
        """Describe those attributes of a module that the function may read."""
        if module in self._modules:
            return module.__name__
        self._modules.add(module)
        return [(name, self._of(getattr(module, name))) for name in self._names if hasattr(module, name)]


@functools.cache
def _of_enum(enum: Any) -> str:
    members = [(name, repr(member.value)) for name, member in enum.__members__.items()]
    return digest_of(([base.__name__ for base in enum.__mro__], members))


def _names_in(code: CodeType) -> list[str]:
    """Return the names of globals and attributes in bytecode, and in the functions within it."""
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return [*code.co_names, *(name for const in inner for name in _names_in(const))]


def _home(value: Any) -> str:
    """Return the name of the module of a class or function, or of a module itself."""
    return str(value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or type(value).__module__)


def _is_versioned(value: Any) -> bool:
    """Return whether a value is a module, class or function of Python, numpy, Numba or llvmlite, whose versions count."""
    kinds = ModuleType | type | FunctionType | BuiltinFunctionType | np.ufunc
    return isinstance(value, kinds) and _home(value).partition(".")[0] in _VERSIONED


_described = functools.cache(_Description)


def _reachable(
    *functions: Any,
    describe: Callable[[Any], _Description] = _described,
    without: Callable[[Any], bool] = lambda function: False,
) -> dict[Any, _Description]:
    """Return descriptions of functions and all that they call, directly or not, each once and in a fixed order.

    without : returns whether a function is left out, with what it calls
    """
    parts = {function: describe(function) for function in functions}
    ahead = list(functions)
    while ahead:
        for callee in parts[ahead.pop()].callees:
            if callee not in parts and not without(callee):
                parts[callee] = describe(callee)
                ahead.append(callee)
    return parts


def reachable_kernels(function: Any, without: Callable[[Any], bool] = lambda kernel: False) -> list[Any]:
    """Return the kernels that a function calls, directly or not, each once and in a fixed order.

    without : returns whether a kernel is left out, with what it calls
    """
    parts = _reachable(function, without=lambda callee: is_jitted(callee) and without(callee))
    return [each for each in parts if each is not function and is_jitted(each)]


def obstacle(function: Any) -> str | None:
    """Return why machine code cannot be cached, as text; None if it can be."""
    parts = _reachable(function)
    for part in parts.values():
        if part.unknown is not None:
            return f"it depends on a value of type {part.unknown}"
    # Code from several processes is linked together, and functions of one name would be taken for the same.
    names = Counter((kernel.py_func.__module__, kernel.py_func.__qualname__) for kernel in parts if is_jitted(kernel))
    return next((f"several kernels are named {module}.{name}" for (module, name), n in names.items() if n > 1), None)


def digest(*functions: Any, now: bool = False, portable: bool = False) -> str:
    """Return a digest of what functions do: a compiled one and the decorators that compile it.

    It does not cover the types of arguments.

    now : whether to describe the functions as they are now, and not as they were when this process first described them, which
        is how Numba keeps them
    portable : whether for :data:`PORTABLE` in place of the processor of this machine
    """
    parts = _reachable(*functions, describe=_Description if now else _described)
    numbers = {function: i for i, function in enumerate(parts)}
    machine = _machine(PORTABLE if portable else _processor())
    return digest_of((machine, [(part.digest, [numbers[callee] for callee in part.callees]) for part in parts.values()]))


def _machine(processor: tuple[str, str]) -> str:
    """Return the dependencies of machine code besides functions, as text: versions, processor and its settings."""
    versions = sys.implementation.cache_tag, getattr(sys, "abiflags", ""), numba.__version__, llvmlite.__version__, np.__version__
    return repr((versions, _LLVM.get_process_triple(), processor, _CONFIG.ENABLE_AVX, str(_CONFIG.OPT)))


def _processor() -> tuple[str, str]:
    return _CONFIG.CPU_NAME or _LLVM.get_host_cpu_name(), _CONFIG.CPU_FEATURES or _features()


def _features() -> str:
    try:
        return str(_LLVM.get_host_cpu_features().flatten())
    except RuntimeError:  # unknown for this processor; Numba then uses none either
        return ""


# --- files -------------------------------------------------------------------------------------------------------------------


@functools.cache
def folder() -> Path | None:
    """Create the folder of all machine code if necessary; return None if no files can be written in it."""
    given = os.environ.get("GINKGO_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    path = Path(given) if given else Path(platformdirs.user_cache_dir("ginkgo_env", appauthor=False))
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError:
        return None


@functools.cache
def shipped_folder() -> Path | None:
    """Return the folder of portable machine code; None if there is none or this processor cannot run it."""
    runs = set(PORTABLE[1].split(",")) <= set(_features().split(","))
    chosen = _CONFIG.CPU_NAME or _CONFIG.CPU_FEATURES
    return SHIPPED if runs and not chosen and SHIPPED.is_dir() else None


def read(path: Path) -> bytes | None:
    """Return the content of a file that :func:`write` wrote, None if there is none; mark it as used now.

    Raises ValueError if the file is damaged, OSError if it cannot be read.
    """
    try:
        checksum_and_content = path.read_bytes()
    except FileNotFoundError:
        return None
    checksum, content = checksum_and_content[:_CHECKSUM], checksum_and_content[_CHECKSUM:]
    if hashlib.sha256(content).digest() != checksum:
        raise ValueError("wrong checksum")
    with suppress(OSError):
        os.utime(path)
    return content


def write(path: Path, content: bytes) -> None:
    """Write a file with a checksum. Processes that read it meanwhile see all of it or nothing."""
    beside = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        beside.write_bytes(hashlib.sha256(content).digest() + content)
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def keep_latest(versions: Iterable[Path]) -> None:
    """Delete the files of other versions of the same entry, except those used last."""
    with suppress(OSError):  # another process is tidying up
        for path in sorted(versions, key=lambda path: path.stat().st_mtime)[:-_KEPT]:
            path.unlink()
