"""Configurations that tests of whole games go through, and the few of them that are always run.

The contract suite finds ``VARIANTS``, ``QUICK``, ``COMBINATIONS`` and ``THOROUGH`` here by name, as it does in the folder of
every other game.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis

from ..tiers import by_tier

Config = dict[str, Any]

VARIANTS: list[Config] = [{}, {"strict": True}, {"max_rounds": 3}]
"""Options with which each of the game's configurations is tested as well."""

QUICK: list[Config] = [
    {"players": 1, "level": "standard"},
    {"players": 1, "level": "advanced", "strict": True},
    {"players": 2, "setup": "draft"},
    {"players": 3, "setup": "introductory", "strict": True},
    {"players": 5, "setup": "draft", "max_rounds": 3},
    {"players": 3, "modules": MODULE_NAMES, "hand_size": 5},
]
"""A few of these: each number of players' own ways, each setup and level, all modules."""

CONFIGURATIONS = by_tier(Ginkgopolis.configurations(), QUICK)
"""The game's own list, for ``parametrize``."""

COMBINATIONS: list[Config] = [config for config in Ginkgopolis.module_combinations() if config["modules"]]
"""Every set of modules with 2 to 5 players."""

THOROUGH: list[Config] = [
    config
    for config in COMBINATIONS
    if (config["players"] + sum(1 + MODULE_NAMES.index(name) for name in config["modules"])) % 4 == 0
]
"""Every set of modules with one number of players: with each number any two modules come up together, apart and both left out."""

_COVERING = {2: ("011101", "100010"), 3: ("011010", "100101"), 4: ("000001", "111110"), 5: ("001011", "110100")}

COVERING: list[Config] = [
    {"players": players, "modules": tuple(name for name, bit in zip(MODULE_NAMES, bits, strict=True) if bit == "1")}
    for players, rows in _COVERING.items()
    for bits in rows
]
"""A few of these in which any two modules come up together, apart and both left out, and each is in and out with each number of
players (``test_cases.py``)."""


def pairs(config: Config) -> set[tuple[object, ...]]:
    """What a configuration covers: two modules each in or out, or a number of players with a module in or out."""
    held = [(name, name in config["modules"]) for name in MODULE_NAMES]
    return {(a, b) for a, b in product(held, held) if a[0] < b[0]} | {(config["players"], a) for a in held}
