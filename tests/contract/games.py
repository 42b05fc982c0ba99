"""Every registered game in the configurations that the contract is held in.

What only a game can say is looked up by name in the folder of its own tests, ``tests/<game>/``: ``invariants.py`` with
``check_invariants(game, state)``; ``flaws.py`` and ``hidden.py``, described in the files of the same names here; ``reader.py``,
described in ``reading.py``; and, if there is more to say, ``cases.py`` with ``VARIANTS``, options with which each configuration
is tested as well, ``QUICK``, what always runs of both, ``COMBINATIONS``, further configurations, and ``THOROUGH``, those of them
from which the longer tests choose; the others belong to the large simulations.
"""

from __future__ import annotations

import importlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from ginkgo_env import make_game
from ginkgo_env.core.game import Game
from ginkgo_env.registry import OWN_GAMES, game_class
from ginkgo_env.testing import Invariant

from ..tiers import by_tier

TESTS = Path(__file__).parents[1]


def own(game: str, file: str, name: str, default: Any) -> Any:
    """What a game's own tests say, if they do."""
    if not (TESTS / game / f"{file}.py").exists():
        return default
    return getattr(importlib.import_module(f"..{game}.{file}", __package__), name, default)


def as_case(name: str, config: dict[str, Any]) -> str:
    """A game and its configuration, as text."""
    return f"{name} {json.dumps(config)}"


def cases(name: str) -> list[str]:
    """A game in all its configurations, each with all variants."""
    variants = own(name, "cases", "VARIANTS", [{}])
    return [as_case(name, {**config, **more}) for config in game_class(name).configurations() for more in variants]


def tiered_cases() -> list[Any]:
    """All games in all configurations; without ``QUICK`` the first of a game is the one that is always run."""
    found = []
    for name in OWN_GAMES:
        quick = [as_case(name, config) for config in own(name, "cases", "QUICK", [])]
        found += by_tier(cases(name), quick or cases(name)[:1])
    return found


def combinations(which: str = "COMBINATIONS") -> list[str]:
    """Further configurations of all games."""
    return [as_case(name, config) for name in OWN_GAMES for config in own(name, "cases", which, [])]


def id_of(case: object) -> str:
    """A short name for a case; all modules together are ``all``."""
    name, _, config = str(case).partition(" ")
    options = game_class(name).option_texts(json.loads(config))
    return "-".join([name, *(f"{key}={text}" for key, text in options.items())])


@cache
def game_of(case: str) -> Game:
    name, _, config = case.partition(" ")
    return make_game(name, **json.loads(config))


def invariant_of(game: Game) -> Invariant:
    """What must be true of every state of a game."""
    found: Invariant = importlib.import_module(f"..{game.name}.invariants", __package__).check_invariants
    return found
