"""Types of the environments, for type checkers.

They cover observations, options, and the methods of PettingZoo, which has no types that checkers read. None of this is needed at
run time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ginkgo_env.core.rewards import Reward
from ginkgo_env.envs.learner import IllegalAction, SeatChoice
from ginkgo_env.registry import GameOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gymnasium import spaces

    from ginkgo_env.core.game import Game, Outcome

Observed = TypeVar("Observed")
"""The type of observations."""
Action = int | np.integer[Any]


class DictObservation(TypedDict):
    """An observation of the kind ``"dict"``."""

    observation: NDArray[Any]
    """(n,), of the game's dtype."""
    action_mask: NDArray[np.int8]
    """(A,), 1 = legal."""


class ConfigOptions(GameOptions, total=False):
    """The options of games, as environments take them."""

    mixture: str | Sequence[Mapping[str, Any]]


class AgentOptions(ConfigOptions, total=False):
    """The options of environments for several agents."""

    render_mode: str | None
    reward: Reward | None
    legal_actions: bool


class LearnerOptions(ConfigOptions, total=False):
    """The options of environments for one learner."""

    opponents: Any
    seat: SeatChoice
    reward: Reward | None
    illegal_action: IllegalAction
    render_mode: str | None


class VectorOptions(LearnerOptions, total=False):
    """The options of environments for one learner in many games."""

    num_envs: int
    autoreset_mode: AutoresetMode | str
    copy: bool
    threads: int


class AgentEnv(AECEnv, Generic[Observed]):  # type: ignore[misc]
    """An ``AECEnv`` of this package."""

    if TYPE_CHECKING:
        agents: list[str]
        possible_agents: list[str]
        agent_selection: str
        rewards: dict[str, float]
        terminations: dict[str, bool]
        truncations: dict[str, bool]
        infos: dict[str, dict[str, Any]]
        game: Game

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None: ...
        def step(self, action: Action | None) -> None: ...
        def last(self, observe: bool = True) -> tuple[Observed, float, bool, bool, dict[str, Any]]: ...
        def observe(self, agent: str) -> Observed: ...
        def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]: ...
        def observation_space(self, agent: str) -> spaces.Box | spaces.Dict: ...
        def action_space(self, agent: str) -> spaces.Discrete: ...
        def state(self) -> NDArray[Any]: ...
        def outcome(self) -> Outcome: ...
