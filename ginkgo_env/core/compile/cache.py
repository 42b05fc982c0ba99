"""Where machine code is kept: in folders whose names carry a digest of exactly what the code is made of.

Numba's own cache notices a change in the file of a cached function but not in the files of the functions that it calls. Stale
machine code of a game engine is the worst of all bugs, so each folder's name carries a digest of

* the *project modules* that the code can be made of: some given ones and all that they import, transitively, by import
  statements outside ``if TYPE_CHECKING:``;
* the data tables of these modules: all files of a folder ``data`` beside a module or beside a package that it is in, except
  Markdown and Python;
* the versions of Python, Numba, llvmlite and numpy, the processor, and the settings of the compiler.

So a change in a module of texts recompiles nothing, a change in one game recompiles nothing of another, and no change in a
kernel or a table is ever missed.

Project modules are all but: the standard library, the packages in :data:`_FOUNDATIONS`, and what an installed package (one in
``site-packages``) imports in turn, unless it is the package of a given module, one of ours, or imports ``ginkgo_env`` itself.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.machinery
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
import platformdirs

_CONFIG: Any = numba.config
_LLVM: Any = llvm

_FOUNDATIONS = frozenset({"numpy", "numba", "llvmlite", "platformdirs"})
_IGNORED = _FOUNDATIONS | sys.stdlib_module_names
_OURS = frozenset({"ginkgo_env", "ginkgo_agents", "ginkgo_training"})
_INSTALLED = frozenset({"site-packages", "dist-packages"})
_NO_DATA = frozenset({".md", ".py", ".pyc"})
_KEPT = 20  # folders of other versions that are left: several checkouts may be in use, and each has up to four for a module


# --- which modules -------------------------------------------------------------------------------------------------------------

_TYPE_CHECKING = re.compile(r"^([ \t]*)if (?:\w+\.)?TYPE_CHECKING:.*\n(?:(?:\1[ \t]+.*)?\n)*", re.MULTILINE)
_IMPORT = re.compile(r"import\b[ \t]*(\((?:[^)#]|#.*)*\)|[^\n;#]+)")
_HEAD = re.compile(r"(?:^|[:;])[ \t]*(?:from[ \t]+([.\w]+)[ \t]*)?$")
_COMMENT = re.compile(r"#.*")


class Source(NamedTuple):
    """A module's file, its digest, and the modules with files that it names in imports."""

    path: str
    digest: bytes
    imports: frozenset[str]


def imported(text: str, package: str) -> frozenset[str]:
    """The names of modules in the import statements of a source, those below ``if TYPE_CHECKING:`` left out.

    package : what relative imports start from. Of ``from a import b`` both ``a`` and ``a.b`` are named: b may be a module.

    Read by regular expressions, which take a tenth of the time of a parser; where they err (the word in a docstring at the start
    of a line), they find too much, and only what exists counts.
    """
    if "TYPE_CHECKING:" in text:
        text = _TYPE_CHECKING.sub("", text)
    if "\\\n" in text:
        text = text.replace("\\\n", " ")
    found = set[str]()
    for match in _IMPORT.finditer(text):
        head = _HEAD.search(text[text.rfind("\n", 0, match.start()) + 1 : match.start()])
        if head is None:
            continue
        names = [name.split() for name in _COMMENT.sub("", match[1]).strip("() \t\n").split(",") if name.strip()]
        if head[1] is None:
            for name, *renamed in names:  # "import a.b" binds a, "import a.b as c" only a.b
                found.update([name] if renamed else accumulate(name.split("."), "{}.{}".format))
            continue
        base = head[1].lstrip(".")
        if level := len(head[1]) - len(base):
            above = package.split(".")[: package.count(".") + 2 - level]
            base = ".".join([*above, base] if base else above)
        found.add(base)
        found.update(f"{base}.{name[0]}" for name in names)
    return frozenset(found)


@functools.cache
def _located(name: str) -> str | None:
    """The file of a module, imported or not; None if there is no such module or it has no file."""
    if name in sys.modules:
        return getattr(sys.modules[name], "__file__", None)
    above, _, _ = name.rpartition(".")
    try:
        if not above:
            spec = importlib.util.find_spec(name)
        else:
            file = _located(above)
            if file is None or not os.path.basename(file).startswith("__init__."):
                return None
            spec = importlib.machinery.PathFinder.find_spec(name, [os.path.dirname(file)])
    except (ImportError, ValueError):
        return None
    return spec.origin if spec is not None and spec.has_location else None


@functools.cache
def _source(name: str) -> Source | None:
    """A module as it is now; None if there is no such module or its file cannot be read."""
    path = _located(name)
    if path is None:
        return None
    try:
        content = Path(path).read_bytes()
    except OSError:
        return None
    package = getattr(sys.modules.get(name), "__package__", None)
    if package is None:
        package = name if os.path.basename(path) == "__init__.py" else name.rpartition(".")[0]
    text = content.decode("utf-8", "replace") if path.endswith(".py") else ""
    found = frozenset(other for other in imported(text, package) if _located(other) is not None)
    return Source(path, hashlib.sha256(content).digest(), found)


def _followed(name: str, source: Source, own: frozenset[str]) -> bool:
    if name.partition(".")[0] in own or _INSTALLED.isdisjoint(source.path.split(os.sep)):
        return True
    return any(other.partition(".")[0] == "ginkgo_env" for other in source.imports)


@functools.cache
def closure(modules: frozenset[str]) -> dict[str, Source] | None:
    """The project modules that code of these modules can be made of, these included; None if one of these has no file."""
    own = _OURS | {name.partition(".")[0] for name in modules}
    found = dict[str, Source]()
    ahead = list(modules)
    while ahead:
        name = ahead.pop()
        if name in found or name.partition(".")[0] in _IGNORED - own:
            continue
        source = _source(name)
        if source is None:
            if name in modules:
                return None
            continue
        found[name] = source
        if _followed(name, source, own):
            ahead.extend(source.imports)
    return found


# --- their digest --------------------------------------------------------------------------------------------------------------


@functools.cache
def _data_in(folder: str) -> bytes:
    """A digest of the files below ``data`` in a folder."""
    digest = hashlib.sha256()
    for path in sorted(Path(folder, "data").rglob("*")):
        if path.suffix not in _NO_DATA and path.is_file():
            digest.update(str(path).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _folders(sources: dict[str, Source]) -> Iterator[str]:
    """The folders that modules and the packages around them are in."""
    for name, source in sources.items():
        depth = name.count(".") + (os.path.basename(source.path) == "__init__.py")
        folder = os.path.dirname(source.path)
        for _ in range(max(1, depth)):
            yield folder
            folder = os.path.dirname(folder)


@functools.cache
def _machine() -> str:
    """What machine code depends on besides sources, and Numba's index with it: versions, processor, its settings."""
    processor = _CONFIG.CPU_NAME or _LLVM.get_host_cpu_name(), _CONFIG.CPU_FEATURES or _features()
    versions = sys.implementation.cache_tag, getattr(sys, "abiflags", ""), numba.__version__, llvmlite.__version__, np.__version__
    return repr((versions, _LLVM.get_process_triple(), processor, _CONFIG.ENABLE_AVX, str(_CONFIG.OPT)))


def _features() -> str:
    try:
        return str(_LLVM.get_host_cpu_features().flatten())
    except RuntimeError:  # not known for this processor; Numba uses none then either
        return ""


def digest(modules: Iterable[str], settings: str = "") -> str | None:
    """A digest of all that machine code made of these modules depends on; None if one of them has no file.

    Paths count too, for Numba looks for a function by the path of its file.
    """
    sources = closure(frozenset(modules))
    if sources is None:
        return None
    whole = hashlib.sha256(f"{_machine()} {settings}".encode())
    for name in sorted(sources):
        whole.update(f"\0{name}\0{sources[name].path}\0".encode() + sources[name].digest)
    for folder in sorted(set(_folders(sources))):
        if os.path.isdir(os.path.join(folder, "data")):
            whole.update(f"\0{folder}\0".encode() + _data_in(folder))
    return whole.hexdigest()[:16]


# --- folders -------------------------------------------------------------------------------------------------------------------


def root() -> Path:
    """The folder of all kept machine code; it may not exist."""
    given = os.environ.get("GINKGO_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else Path(platformdirs.user_cache_dir("ginkgo_env", appauthor=False))


def _usable(folder: Path) -> bool:
    """Whether a folder is there and can be written; marks it as used now."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def forget_old(folder: Path) -> None:
    """Leave only the last used few of the folders that hold machine code of the same module."""
    stem = folder.name.rpartition("-")[0]
    others = [path for path in folder.parent.glob(f"{stem}-*") if path != folder and path.name.rpartition("-")[0] == stem]
    try:
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return  # another process is tidying up
    for path in others[_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


@functools.cache
def folder_for(home: str, modules: frozenset[str], settings: str) -> Path | None:
    """The folder of machine code that belongs to a home module and is made of some modules, ready to be written.

    None if a module has no file or the folder cannot be written.
    """
    needed = modules.difference(closure(frozenset({home})) or ()) | {home}  # what the home imports counts anyway
    if needed != modules:
        return folder_for(home, needed, settings)
    key = digest(modules, settings)
    if key is None:
        return None
    folder = root() / f"kernels-{home}-{key}"
    fresh = not folder.exists()
    if not _usable(folder):
        return None
    if fresh:
        forget_old(folder)
    return folder
