"""Files of machine code, in folders whose names carry a digest of its sources.

Numba's own cache notices a change in the file of a cached function but not in the files of the functions that it calls, and
stale machine code of a game engine is the worst of all bugs. Here a folder's name carries one digest of

* the packages of all kernels that the code is compiled from, and of ``ginkgo_env``: their Python files, and the files in their
  folders named ``data``, except Markdown;
* likewise the packages that these import, except the standard library and packages installed in ``site-packages``;
* the versions of Python, Numba, llvmlite and numpy, the processor, and the settings of the compiler.

Each file carries a checksum of its content. A file that is damaged counts as missing.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
import platformdirs

_CONFIG: Any = numba.config
_LLVM: Any = llvm

_OWN = frozenset({"ginkgo_env", "ginkgo_agents", "ginkgo_table", "ginkgo_training"})
_NEVER_FOLLOWED = frozenset({"numpy", "numba", "llvmlite", "platformdirs"}) | sys.stdlib_module_names | _OWN
_INSTALLED = frozenset({"site-packages", "dist-packages"})
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))", re.MULTILINE)
_KEPT = 10  # folders of other versions of a package that are not deleted: several checkouts may be in use
_CHECKSUM = hashlib.sha256().digest_size  # bytes at the start of a file


# --- sources -----------------------------------------------------------------------------------------------------------------


@functools.cache
def _places(package: str) -> list[Path]:
    """Return the folders of a top-level package, or the file of a module; empty if there is none."""
    module = sys.modules.get(package)
    try:
        spec = importlib.util.find_spec(package) if module is None else None
    except (ImportError, ValueError):
        return []
    folders = getattr(module, "__path__", None) or (spec and spec.submodule_search_locations)
    file = getattr(module, "__file__", None) or (spec and spec.has_location and spec.origin)
    return [Path(folder) for folder in folders] if folders else [Path(file)] if file else []


def _files(place: Path) -> Iterator[Path]:
    """Yield the files of a package or module that its machine code may depend on."""
    if place.is_file():
        yield place
        below = place.with_name("data").rglob("*")
    else:
        below = (path for path in place.rglob("*") if path.suffix == ".py" or "data" in path.relative_to(place).parts[:-1])
    yield from sorted(path for path in below if path.suffix not in (".md", ".pyc") and path.is_file())


@functools.cache
def _sources(package: str) -> tuple[str, frozenset[str]] | None:
    """Return a digest of a package's files and the packages that it imports.

    None if it has no files or one of them cannot be read.
    """
    digest, imported = hashlib.sha256(), set[str]()
    files = [(place, path) for place in _places(package) for path in _files(place)]
    for place, path in files:
        try:
            content = path.read_bytes()
        except OSError:
            return None
        digest.update(f"{path.relative_to(place.parent)} {len(content)} ".encode() + content)
        if package not in _OWN and path.suffix == ".py":
            for source, names in _IMPORT.findall(content):
                imported.update(re.split(r"\W", name.strip())[0] for name in (source or names).decode().split(","))
    return (digest.hexdigest(), frozenset(imported)) if files else None


def _followed(package: str) -> bool:
    """Return whether a package that another one imports counts as a source of its machine code."""
    if package in _NEVER_FOLLOWED:
        return False
    return any(_INSTALLED.isdisjoint(place.parts) for place in _places(package))


@functools.cache
def digest(packages: frozenset[str], settings: str = "") -> str | None:
    """Return a digest of everything that machine code of some packages depends on.

    None if one of the packages has no file.
    """
    digests = dict[str, str]()
    ahead = {"ginkgo_env", *packages}
    while ahead:
        package = ahead.pop()
        sources = _sources(package)
        if sources is not None:
            digests[package] = sources[0]
            ahead.update(name for name in sources[1] - digests.keys() if _followed(name))
        elif package in packages:
            return None
    return hashlib.sha256(repr((_machine(), settings, sorted(digests.items()))).encode()).hexdigest()[:16]


def _machine() -> str:
    """Return the dependencies of machine code besides sources, as text: versions, processor and its settings."""
    processor = _CONFIG.CPU_NAME or _LLVM.get_host_cpu_name(), _CONFIG.CPU_FEATURES or _features()
    versions = sys.implementation.cache_tag, getattr(sys, "abiflags", ""), numba.__version__, llvmlite.__version__, np.__version__
    return repr((versions, _LLVM.get_process_triple(), processor, _CONFIG.ENABLE_AVX, str(_CONFIG.OPT)))


def _features() -> str:
    try:
        return str(_LLVM.get_host_cpu_features().flatten())
    except RuntimeError:  # unknown for this processor; Numba then uses none either
        return ""


# --- folders -----------------------------------------------------------------------------------------------------------------


def root() -> Path:
    """Return the folder of all machine code; it may not exist."""
    given = os.environ.get("GINKGO_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else Path(platformdirs.user_cache_dir("ginkgo_env", appauthor=False))


def _usable(folder: Path) -> bool:
    """Create a folder if necessary and mark it as used now; return whether files can be written in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def forget_old(folder: Path) -> None:
    """Delete the folders of other versions of the same package, except those used last."""
    stem = folder.name.rpartition("-")[0]
    others = [path for path in folder.parent.glob(f"{stem}-*") if path != folder and path.name.rpartition("-")[0] == stem]
    try:
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return  # another process is tidying up
    for path in others[_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


@functools.cache
def folder_for(package: str, packages: frozenset[str], settings: str) -> Path | None:
    """Return the folder, ready to be written, for the machine code of a package.

    packages : names of all packages with kernels that the code is compiled from
    settings : of the compiler

    Returns None if a package has no file or the folder cannot be written.
    """
    key = digest(packages, settings)
    if key is None:
        return None
    folder = root() / f"kernels-{package}-{key}"
    is_new = not folder.exists()
    if not _usable(folder):
        return None
    if is_new:
        forget_old(folder)
    return folder


# --- files -------------------------------------------------------------------------------------------------------------------


def read(path: Path) -> bytes | None:
    """Return the content of a file that :func:`write` wrote; None if there is no such file.

    Raises ValueError if the file is damaged, OSError if it cannot be read.
    """
    try:
        checksum_and_content = path.read_bytes()
    except FileNotFoundError:
        return None
    checksum, content = checksum_and_content[:_CHECKSUM], checksum_and_content[_CHECKSUM:]
    if hashlib.sha256(content).digest() != checksum:
        raise ValueError("wrong checksum")
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
