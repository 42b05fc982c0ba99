"""Calls of functions when another package is imported (what PEP 369 called post-import hooks)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def when_imported(module: str, call: Callable[[], object]) -> None:
    """Call a function as soon as a top-level module is imported, at once if it is imported already."""
    if module in sys.modules:
        call()
    else:
        sys.meta_path.insert(0, _Finder(module, call))


class _Finder:
    """First entry of ``sys.meta_path``: leaves the search for one module to the other finders and wraps the loader."""

    def __init__(self, module: str, call: Callable[[], object]) -> None:
        self._module, self._call = module, call

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of the module with a loader that calls the function; None for other modules."""
        if name != self._module:
            return None
        following = sys.meta_path[sys.meta_path.index(self) + 1 :]
        spec = next((spec for finder in following if (spec := finder.find_spec(name, path, target)) is not None), None)
        if spec is not None and spec.loader is not None:
            loader: Any = _Loader(spec.loader, self._loaded)
            spec.loader = loader
        return spec

    def _loaded(self) -> None:  # not earlier: code may ask for a spec without importing the module
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            self._call()


class _Loader:
    """Runs a module with its own loader, then calls the function."""

    def __init__(self, loader: Any, call: Callable[[], object]) -> None:
        self._loader, self._call = loader, call

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Create the module as its own loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module back its own loader, run it, and call the function."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._call()
