"""Snapshots: the state of the environments of a learner as arrays, to be stored and restored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import ConfigError, GinkgoError
from ginkgo_env.core.running_games import SeedsAndActions, replay
from ginkgo_env.envs.learner import Learner

_GAMES, _DECISIONS = "games/", "decisions"
_LEARNER = ("seats", "over", "rewards", "terminated", "truncated", "illegal", "_words")


def snapshot(learner: Learner) -> dict[str, NDArray[Any]]:
    """Return copies of the arrays that change while ``learner`` plays.

    Games are stored as seeds and actions. Opponents are not included, as they keep no memory. Raises ConfigError unless a
    ``RunningGames`` was made for ``learner.batch`` before its games began.
    """
    games = learner.batch.running_games
    if games is None:
        raise ConfigError("a snapshot requires the actions of the games: make RunningGames(learner.batch) before they begin")
    arrays = {_GAMES + name: array for name, array in games.of(learner.batch)._asdict().items()}
    return arrays | {name: array.copy() for name, array in _arrays(learner).items()} | {_DECISIONS: np.array(learner.decisions)}


def restore(learner: Learner, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Set the state of ``learner`` to a snapshot of a learner with the same game, options and size.

    The games are replayed. Raises ConfigError if the arrays do not fit; some games may have changed then.
    """
    expected = _arrays(learner) | {_DECISIONS: np.array(learner.decisions)}
    wrong = [name for name, own in expected.items() if name not in arrays or not _is_like(arrays[name], own)]
    wrong += [_GAMES + name for name in SeedsAndActions._fields if _GAMES + name not in arrays]
    if wrong:
        raise ConfigError(f"invalid snapshot; it does not fit these environments in {', '.join(wrong)}")
    games, seats = SeedsAndActions(*(arrays[_GAMES + name] for name in SeedsAndActions._fields)), arrays["learner/seats"]
    try:
        replay(learner.batch, games)
    except GinkgoError as error:
        raise ConfigError(f"invalid snapshot; it does not fit these environments: {error}") from None
    if not ((learner.batch.actor == seats) | (arrays["learner/over"] & (seats >= 0) & (seats < learner.game.seats))).all():
        raise ConfigError("invalid snapshot; expected games that wait for the learner or are over")
    for name, own in _arrays(learner).items():
        own[:] = arrays[name]
    learner._seeds[:], learner.decisions = games.seeds, int(arrays[_DECISIONS])
    if learner.reward == "score":
        learner._scores[:] = learner._scores_of(learner._every)


def _arrays(learner: Learner) -> dict[str, NDArray[Any]]:
    return {f"learner/{name.lstrip('_')}": getattr(learner, name) for name in _LEARNER}


def _is_like(array: NDArray[Any], own: NDArray[Any]) -> bool:
    return (array.shape, array.dtype) == (own.shape, own.dtype)
