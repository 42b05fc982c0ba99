"""Speed of random play through PettingZoo's interface, in decisions per second.

An environment with wrappers spends most of its time in the wrappers. :func:`measure_empty` measures how much: the same
spaces and wrappers around an empty environment. Numbers are comparable only within one run on one machine.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ginkgo_env.envs.aec import ILLEGAL_REWARD, env, raw_env
from ginkgo_env.registry import DEFAULT_GAME

SECONDS = 2.0
_TURNS = 40
_EMPTY_STEPS = 100


class EmptyEnv(AECEnv):  # type: ignore[misc]
    """The agents of a game take turns and do nothing, all actions being legal; ends after 100 steps."""

    metadata: dict[str, Any] = {"name": "empty_v0", "render_modes": []}  # noqa: RUF012 -- as everywhere in PettingZoo

    def __init__(self, like: raw_env) -> None:
        self.possible_agents = like.possible_agents
        self._like = like
        vector = np.zeros(like.game.observation.size, like.game.observation_dtype)
        self._observation = {"observation": vector, "action_mask": np.ones(like.game.actions.size, np.int8)}

    def observation_space(self, agent: str) -> Any:
        """That of the game."""
        return self._like.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        """That of the game."""
        return self._like.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start counting."""
        self._steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """The same each time."""
        return self._observation

    def step(self, action: Any) -> None:
        """Let the next agent decide."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._steps += 1
        if self._steps == _EMPTY_STEPS:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[self._steps % len(self.agents)]


def play_at_random(environment: AECEnv, rng: random.Random) -> int:
    """Play one game with uniform legal actions; returns the number of decisions."""
    uniform, last, step = rng.random, environment.last, environment.step
    decisions = 0
    for _ in environment.agent_iter():
        observation, _, termination, truncation, _ = last()
        if termination or truncation:
            step(None)
            continue
        legal = observation["action_mask"].nonzero()[0]
        step(legal[int(uniform() * legal.size)])
        decisions += 1
    return decisions


def decisions_per_second(environments: Mapping[str, AECEnv], seconds: float = SECONDS, seed: int = 0) -> dict[str, float]:
    """The speeds of random play by name, resets included.

    The environments take turns, so that disturbances of the machine affect all alike. Each result is the best turn, in seconds of
    processor time of this process: what the code can do on one core, whatever else the machine is doing.
    """
    rng = random.Random(seed)
    for environment in environments.values():
        environment.reset(seed=seed)
        play_at_random(environment, rng)
    best = dict.fromkeys(environments, 0.0)
    for _ in range(_TURNS):
        for name, environment in environments.items():
            best[name] = max(best[name], _turn(environment, seconds / _TURNS, rng))
    return best


def _turn(environment: AECEnv, seconds: float, rng: random.Random) -> float:
    decisions, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        environment.reset()
        decisions += play_at_random(environment, rng)
    return decisions / elapsed


def empty_env(game: str = DEFAULT_GAME, **options: Any) -> AECEnv:
    """An environment that does nothing, with the spaces of a game and the wrappers of ``env``."""
    bare = TerminateIllegalWrapper(EmptyEnv(raw_env(game, **options)), illegal_reward=ILLEGAL_REWARD)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(bare))


def measure_raw(game: str = DEFAULT_GAME, *, seconds: float = SECONDS, **options: Any) -> float:
    """Decisions a second of ``raw_env(game, **options)``."""
    return decisions_per_second({"it": raw_env(game, **options)}, seconds)["it"]


def measure_wrapped(game: str = DEFAULT_GAME, *, seconds: float = SECONDS, **options: Any) -> float:
    """Decisions a second of ``env(game, **options)``."""
    return decisions_per_second({"it": env(game, **options)}, seconds)["it"]


def measure_empty(game: str = DEFAULT_GAME, *, seconds: float = SECONDS, **options: Any) -> float:
    """Decisions a second of ``empty_env(game, **options)``."""
    return decisions_per_second({"it": empty_env(game, **options)}, seconds)["it"]


def measure_all(game: str = DEFAULT_GAME, *, seconds: float = SECONDS, **options: Any) -> dict[str, float]:
    """Decisions a second of all three, by name: ``raw_env``, ``env`` and ``empty``."""
    makers = {"raw_env": raw_env, "env": env, "empty": empty_env}
    return decisions_per_second({name: make(game, **options) for name, make in makers.items()}, seconds)
