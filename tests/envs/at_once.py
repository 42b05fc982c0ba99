"""Playing games in which all choose at once."""

from __future__ import annotations

from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.registry import OWN_GAMES, game_class

GAMES = [name for name in OWN_GAMES if game_class(name).simultaneous]
GAME = GAMES[0]


def made(players: int = 3, game: str = GAME, **options: Any) -> ginkgo_env.parallel_env:
    return ginkgo_env.parallel_env(game, players=players, **options)


def chosen(infos: dict[str, Any], rng: np.random.Generator) -> dict[str, int]:
    """A random legal action of each agent."""
    return {agent: int(rng.choice(np.flatnonzero(info["action_mask"]))) for agent, info in infos.items()}


def stay(mask: np.ndarray) -> np.ndarray:
    """The mask without ``end``, which comes last, unless there is nothing else."""
    return np.append(mask[:-1], mask[-1] * (mask.sum() == 1))


def parts(seen: Any) -> list[np.ndarray]:
    return list(seen.values()) if isinstance(seen, dict) else [seen]


def same(one: Any, two: Any) -> bool:
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in zip(parts(one), parts(two), strict=True))
