"""Speed of random play with one learner and random opponents: steps of learners per second, and decisions of all seats.

All play at random by the masks that they get. They take turns, so that disturbances of the machine affect all alike; each
result is the median of its turns, in seconds of processor time of this process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.masks import sample_many
from ginkgo_env.envs.gym import GinkgoEnv
from ginkgo_env.envs.vector import GinkgoVectorEnv
from ginkgo_env.registry import DEFAULT_GAME, make_game

SECONDS = 2.0
_TURNS = 9
_SYNCED = 16  # environments in the SyncVectorEnv: its speed hardly depends on how many
_SPREAD = 60  # steps after which the games stand at different points


class Speed(NamedTuple):
    """What was done in a second."""

    steps: float
    """Of learners."""
    decisions: float
    """Of learners and their opponents."""


class _Play:
    """Steps of one environment; ``decisions`` counts what all seats have decided so far."""

    def __init__(
        self, size: int, masks: NDArray[np.int8], step: Callable[[Any], NDArray[np.int8]], decided: Callable[[], int]
    ) -> None:
        self.size, self._masks, self._step, self.decided = size, masks, step, decided
        self._words, self._actions = np.arange(size, dtype=np.uint64), np.empty(size, np.int64)
        for _ in range(_SPREAD):
            self()

    def __call__(self) -> None:
        sample_many(0, self.size, self._masks, self._words, self._actions)
        self._masks = self._step(self._actions)

    def turn(self, seconds: float) -> Speed:
        """Play for some time."""
        steps, decided, start = 0, self.decided(), time.process_time()
        while (elapsed := time.process_time() - start) < seconds:
            self()
            steps += self.size
        return Speed(steps / elapsed, (self.decided() - decided) / elapsed)


def _batch(game: str, size: int, **options: Any) -> _Play:
    """The batch itself with mask and observation: each decision counts as a step."""
    batch = Batch(make_game(game, **options), size, autoreset=True)
    out, steps = batch.observe(), [0]

    def step(actions: NDArray[np.int64]) -> NDArray[np.int8]:
        batch.step(actions, check=False)
        batch.observe(out=out)
        steps[0] += size
        return batch.mask

    return _Play(size, batch.mask, step, lambda: steps[0])


def _vector(game: str, size: int, copy: bool = True, **options: Any) -> _Play:
    envs = GinkgoVectorEnv(game, num_envs=size, autoreset_mode=AutoresetMode.SAME_STEP, copy=copy, **options)
    masks = envs.reset(seed=0)[1]["action_mask"]
    return _Play(size, masks, lambda actions: envs.step(actions)[4]["action_mask"], lambda: envs.learner.decisions)


def _sync(game: str, size: int, **options: Any) -> _Play:
    envs = SyncVectorEnv([lambda: GinkgoEnv(game, **options)] * _SYNCED, autoreset_mode=AutoresetMode.SAME_STEP)
    masks = envs.reset(seed=0)[1]["action_mask"]
    learners = [env.unwrapped.learner for env in envs.envs]  # type: ignore[attr-defined]
    decided = lambda: sum(learner.decisions for learner in learners)  # noqa: E731
    return _Play(_SYNCED, masks, lambda actions: envs.step(actions)[4]["action_mask"], decided)


def _single(game: str, size: int, **options: Any) -> _Play:
    env = GinkgoEnv(game, **options)
    info = env.reset(seed=0)[1]

    def step(actions: NDArray[np.int64]) -> NDArray[np.int8]:
        _, _, terminated, truncated, info = env.step(actions[0])
        if terminated or truncated:
            _, info = env.reset()
        mask: NDArray[np.int8] = info["action_mask"][None]
        return mask

    return _Play(1, info["action_mask"][None], step, lambda: env.learner.decisions)


def _sb3(game: str, size: int, **options: Any) -> _Play:
    from ginkgo_env.envs.sb3 import GinkgoVecEnv

    envs = GinkgoVecEnv(game, num_envs=size, **options)
    envs.reset()

    def step(actions: NDArray[np.int64]) -> NDArray[np.int8]:
        envs.step(actions)
        masks: NDArray[np.int8] = envs.env_method("action_masks")
        return masks

    return _Play(size, envs.action_masks(), step, lambda: envs.learner.decisions)


def measure_learners(game: str = DEFAULT_GAME, *, size: int = 1024, seconds: float = SECONDS, **options: Any) -> dict[str, Speed]:
    """The speeds by name, of ``size`` games where there are several.

    ``batch``: the batch itself with mask and observation; ``env``: ``GinkgoEnv``; ``sync``: Gymnasium's ``SyncVectorEnv`` of 16
    of them; ``vector``: ``GinkgoVectorEnv``, ``reused`` with ``copy=False``; ``sb3``: ``GinkgoVecEnv``, if Stable-Baselines3 is
    installed.
    """
    makers: dict[str, Callable[..., _Play]] = {"batch": _batch, "env": _single, "sync": _sync, "vector": _vector}
    makers["reused"] = lambda game, size, **options: _vector(game, size, copy=False, **options)
    if find_spec("stable_baselines3") is not None:
        makers["sb3"] = _sb3
    plays = {name: make(game, size, **options) for name, make in makers.items()}
    turns: dict[str, list[Speed]] = {name: [] for name in plays}
    for _ in range(_TURNS):
        for name, play in plays.items():
            turns[name].append(play.turn(seconds / _TURNS))
    return {name: Speed(*(median(values) for values in zip(*speeds, strict=True))) for name, speeds in turns.items()}
