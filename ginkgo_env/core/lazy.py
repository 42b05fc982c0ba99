"""What waits until it is needed, so that ``ginkgo --help`` need not wait for Numba.

Public names of a package that are imported when first used, and functions that are called when another package is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def names_from(package: str, modules: Mapping[str, Iterable[str]]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package, whose modules (paths inside it) give it their names.

    >>> __getattr__, __dir__ = names_from(__name__, {"core.batch": ("Batch",)})
    """
    homes = {name: f"{package}.{module}" for module, names in modules.items() for name in names}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = vars(sys.modules[package])[name] = getattr(import_module(homes[name]), name)
        return found

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return get, listed


def when_imported(module: str, call: Callable[[], object]) -> None:
    """Call a function now if a top-level module is imported, otherwise as soon as it is."""
    if module in sys.modules:
        call()
    else:
        sys.meta_path.insert(0, _Waiting(module, call))


class _Waiting(MetaPathFinder):
    """Asked first where a module is: finds it as the others do, and has the function called when its code has run."""

    def __init__(self, module: str, call: Callable[[], object]) -> None:
        self._module, self._call = module, call

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module's spec, if it is the one awaited."""
        if name != self._module:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is None or spec.loader is None:
            sys.meta_path.insert(0, self)
            return spec
        spec.loader = _Calling(spec.loader, self._call)
        return spec


class _Calling(Loader):
    """Stands in for a module's loader until the module's code has run, and then calls the function."""

    def __init__(self, loader: Loader, call: Callable[[], object]) -> None:
        self._loader, self._call = loader, call

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """As the loader does, which takes its place again; then call."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._call()
