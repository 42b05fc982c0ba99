"""Types of the environments, for type checkers.

They cover observations, options, and the methods of PettingZoo, which has no types that checkers read. None of this is needed at
run time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypedDict, TypeVar

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ginkgo_env.core.rewards import Reward
from ginkgo_env.envs.learner import IllegalAction, SeatChoice
from ginkgo_env.envs.rendering import RenderMode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gymnasium import spaces

    from ginkgo_env.core.game import Game, Outcome
    from ginkgo_env.games.ginkgopolis.config import GinkgopolisOptions
    from ginkgo_env.games.golden_city.config import GoldenCityOptions
    from ginkgo_env.games.my_city.config import MyCityOptions

Observed = TypeVar("Observed")
"""The type of observations."""
Integer = int | np.integer[Any]
Action = Integer
Array: TypeAlias = NDArray[Any]
AsDict: TypeAlias = Literal["dict"]
AsVector: TypeAlias = Literal["blocks", "features", "both"]


class DictObservation(TypedDict):
    """An observation of the kind ``"dict"``."""

    observation: NDArray[Any]
    """(n,), of the game's dtype."""
    action_mask: NDArray[np.int8]
    """(A,), 1 = legal."""


class EnvOptions(TypedDict, total=False):
    """The options of all environments."""

    mixture: str | Sequence[Mapping[str, Any]]
    reward: Reward | None
    render_mode: RenderMode | None


class AgentOptions(EnvOptions, total=False):
    """The options of environments for several agents."""

    legal_actions: bool
    max_cycles: int | None


class LearnerOptions(EnvOptions, total=False):
    """The options of environments for one learner."""

    opponents: Any
    seat: SeatChoice
    illegal_action: IllegalAction


class VectorOptions(LearnerOptions, total=False):
    """The options of environments for one learner in many games."""

    num_envs: int
    autoreset_mode: AutoresetMode | Literal["NextStep", "SameStep", "Disabled"]
    copy: bool
    threads: int
    max_episode_steps: int | None


if TYPE_CHECKING:  # with the options of one game

    class GinkgopolisAgents(GinkgopolisOptions, AgentOptions, total=False): ...

    class GinkgopolisLearner(GinkgopolisOptions, LearnerOptions, total=False): ...

    class GinkgopolisVector(GinkgopolisOptions, VectorOptions, total=False): ...

    class GoldenCityAgents(GoldenCityOptions, AgentOptions, total=False): ...

    class GoldenCityLearner(GoldenCityOptions, LearnerOptions, total=False): ...

    class GoldenCityVector(GoldenCityOptions, VectorOptions, total=False): ...

    class MyCityAgents(MyCityOptions, AgentOptions, total=False): ...

    class MyCityLearner(MyCityOptions, LearnerOptions, total=False): ...

    class MyCityVector(MyCityOptions, VectorOptions, total=False): ...

else:  # a game loads nothing of another
    GinkgopolisAgents = GoldenCityAgents = MyCityAgents = AgentOptions
    GinkgopolisLearner = GoldenCityLearner = MyCityLearner = LearnerOptions
    GinkgopolisVector = GoldenCityVector = MyCityVector = VectorOptions


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

        def reset(self, seed: Integer | None = None, options: dict[str, Any] | None = None) -> None: ...
        def step(self, action: Action | None) -> None: ...
        def last(self, observe: bool = True) -> tuple[Observed, float, bool, bool, dict[str, Any]]: ...
        def observe(self, agent: str) -> Observed: ...
        def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]: ...
        def observation_space(self, agent: str) -> spaces.Box | spaces.Dict: ...
        def action_space(self, agent: str) -> spaces.Discrete: ...
        def state(self) -> NDArray[Any]: ...
        def outcome(self) -> Outcome: ...
