"""The games in the registries of Gymnasium, and of PettingZoo since its version 1.27.

>>> import gymnasium, pettingzoo
>>> import ginkgo_env.envs
>>> env = gymnasium.make("ginkgo_env/Ginkgopolis-v0", players=3)
>>> env = gymnasium.make("ginkgo_env/GinkgopolisText-v0", players=3)
>>> env = pettingzoo.make("aec", "ginkgo_env/ginkgopolis-v0", players=3)
>>> env = pettingzoo.make("parallel", "ginkgo_env/my_city-v0", players=3)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

NAMESPACE = "ginkgo_env"


def pettingzoo_id(game: str) -> str:
    """Return the id of a game in its current version, such as ``ginkgo_env/ginkgopolis-v0``."""
    from ginkgo_env.registry import game_class

    version = game_class(game).version
    return f"{NAMESPACE}/{game}-v{version}"


def gymnasium_ids(game: str) -> dict[str, dict[str, Any]]:
    """Return the ids of a game, such as ``ginkgo_env/Ginkgopolis-v0``, with the options of each."""
    from ginkgo_env.registry import game_class

    cls = game_class(game)
    title = re.sub(r"^The\b|\W+", "", cls.title)
    every = {"": {}, **cls.environments}
    return {f"{NAMESPACE}/{title}{suffix}-v{cls.version}": {"game": game, **options} for suffix, options in every.items()}


def text_id(identifier: str) -> str:
    """Return the id of the text environment beside another, such as ``ginkgo_env/GinkgopolisText-v0``."""
    return identifier.replace("-v", "Text-v")


def register_pettingzoo() -> None:
    """Register all games that are not registered yet; simultaneous ones as ``"parallel"`` as well.

    Does nothing before PettingZoo 1.27.
    """
    import pettingzoo

    from ginkgo_env.registry import game_class, playable_games

    if not hasattr(pettingzoo, "register"):
        return
    for game in playable_games():
        identifier = pettingzoo_id(game)
        if identifier not in pettingzoo.aec_registry:
            pettingzoo.register("aec", identifier, "ginkgo_env.envs.aec:env", kwargs={"game": game})
        if game_class(game).simultaneous and identifier not in pettingzoo.parallel_registry:
            pettingzoo.register("parallel", identifier, "ginkgo_env.envs.parallel:parallel_env", kwargs={"game": game})


def register_gymnasium() -> None:
    """Register all games that are not registered yet, for one seat with opponents, also as text."""
    import gymnasium

    from ginkgo_env.registry import playable_games

    for game in playable_games():
        for identifier, options in gymnasium_ids(game).items():
            if identifier not in gymnasium.registry:
                gymnasium.register(
                    identifier,
                    entry_point="ginkgo_env.envs.gym:GinkgoEnv",
                    vector_entry_point="ginkgo_env.envs.vector:GinkgoVectorEnv",
                    kwargs=options,
                )
                gymnasium.register(text_id(identifier), entry_point="ginkgo_env.envs.text:text_env", kwargs=options)


# --- calls of functions when another package is imported (what PEP 369 called post-import hooks) -----------------------------


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
