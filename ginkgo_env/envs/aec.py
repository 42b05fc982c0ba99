"""The games for PettingZoo, in which one agent decides at a time (``AECEnv``).

>>> import ginkgo_env
>>> env = ginkgo_env.env(players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

import copy
from typing import Any, Generic, Literal, Unpack, cast, overload

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ginkgo_env.core.batch import checked_seed
from ginkgo_env.core.checks import flag
from ginkgo_env.core.errors import BatchError, ConfigError, FinishedGameError, short_repr
from ginkgo_env.core.game import Game, Outcome, States
from ginkgo_env.core.mixture import Mixture
from ginkgo_env.core.rewards import Reward, chosen_reward
from ginkgo_env.envs.interface import (
    Action,
    AgentEnv,
    Array,
    AsDict,
    AsVector,
    DictObservation,
    GinkgopolisAgents,
    GoldenCityAgents,
    Integer,
    MyCityAgents,
    Observed,
)
from ginkgo_env.envs.observation_writer import KINDS, ObservationWriter
from ginkgo_env.envs.one_game import OVER, OneGame, Restorable, checked_limit, next_seed
from ginkgo_env.envs.rendering import OFFERED_MODES, PICTURES, checked_render_mode, ignored, rendered
from ginkgo_env.registry import DEFAULT_GAME, completes, game_class, make_game

ILLEGAL_REWARD = -1
_METADATA = {"render_modes": list(OFFERED_MODES), "is_parallelizable": False, "render_fps": 1}  # each environment adds its name

_Rendered = str | NDArray[np.uint8] | None


@overload
def env(
    game: Literal["ginkgopolis"] = ..., *, observation: AsDict = ..., **options: Unpack[GinkgopolisAgents]
) -> AgentEnv[DictObservation]: ...
@overload
def env(
    game: Literal["ginkgopolis"] = ..., *, observation: AsVector, **options: Unpack[GinkgopolisAgents]
) -> AgentEnv[Array]: ...
@overload
def env(
    game: Literal["golden_city"], *, observation: AsDict = ..., **options: Unpack[GoldenCityAgents]
) -> AgentEnv[DictObservation]: ...
@overload
def env(game: Literal["golden_city"], *, observation: AsVector, **options: Unpack[GoldenCityAgents]) -> AgentEnv[Array]: ...
@overload
def env(game: Literal["my_city"], *, observation: AsDict = ..., **options: Unpack[MyCityAgents]) -> AgentEnv[DictObservation]: ...
@overload
def env(game: Literal["my_city"], *, observation: AsVector, **options: Unpack[MyCityAgents]) -> AgentEnv[Array]: ...
@overload
def env(game: type[Game], **options: Any) -> AgentEnv[Any]: ...
@completes()
def env(
    game: str | type[Game] = DEFAULT_GAME,
    *,
    render_mode: str | None = None,
    reward: Reward | None = None,
    observation: str = "dict",
    legal_actions: bool = False,
    max_cycles: int | None = None,
    **config: Any,
) -> AgentEnv[Any]:
    """Make a game for PettingZoo with the usual wrappers; arguments as for :class:`raw_env`.

    An action that the mask forbids ends the game: its agent gets -1, the others 0, and all agents are both terminated and
    truncated (``TerminateIllegalWrapper``). Actions outside the space and calls before ``reset`` are assertion errors.

    >>> env("my_city", players=3)
    env(MyCity(players=3, board='own', buildings='own'))
    """
    options: dict[str, Any] = {"render_mode": render_mode, "reward": reward, "legal_actions": legal_actions, **config}
    bare = raw_env(game_class(game), observation=observation, max_cycles=max_cycles, **options)
    strict = TerminateIllegalWrapper(bare, illegal_reward=ILLEGAL_REWARD)
    return cast(AgentEnv[Any], _OrderEnforcingWrapper(AssertOutOfBoundsWrapper(strict)))


class _OrderEnforcingWrapper(OrderEnforcingWrapper):  # type: ignore[misc]
    def __repr__(self) -> str:
        return f"env({self.unwrapped.game!r})"

    def __str__(self) -> str:
        return str(self.unwrapped)

    def get_state(self) -> tuple[Any, ...]:
        """See ``raw_env.get_state``."""
        return self.unwrapped.get_state(), *({**vars(wrapper), "env": None} for wrapper in self._wrappers())

    def set_state(self, state: tuple[Any, ...]) -> None:
        """See ``raw_env.set_state``."""
        self.unwrapped.set_state(state[0] if isinstance(state, tuple) and state else state)
        for wrapper, values in zip(self._wrappers(), state[1:], strict=True):
            vars(wrapper).update({**values, "env": wrapper.env})

    def _wrappers(self) -> list[Any]:
        return [self, self.env, self.env.env]


class raw_env(Restorable, AgentEnv[Observed], Generic[Observed]):
    """A game as an ``AECEnv`` without wrappers: the fast way to play it through PettingZoo's interface.

    Parameters
    ----------
    game : the game's name, see ``ginkgo_env.GAMES``, or its class
    render_mode : ``"human"`` prints the table after ``reset`` and after each ``step``. The others make ``render`` return it:
        ``"ansi"`` as text in colors, ``"svg"`` as a picture, ``"rgb_array"`` as its pixels, (h, w, 3) uint8
    reward : the reward, see :mod:`ginkgo_env.core.rewards`; None: ``"win"`` or, with one side, ``"score"``. ``"win"`` and
        ``"margin"`` are paid to all agents at the end; ``"score"`` pays every change of an agent's score in the step
        that makes it, also in another agent's step, and is then kept in the agent's cumulative reward until its next
        ``last()``
    observation : ``"dict"``: ``{"observation": (n,) uint8, "action_mask": (A,) int8}``. The other kinds are one vector, with
        the mask in the info only, for wrappers that take no dict: ``"blocks"``: that observation; ``"features"`` and
        ``"both"``: float32, see :mod:`ginkgo_env.envs.observation_writer`
    legal_actions : whether ``infos[agent]["legal_actions"]`` lists the legal actions as text, in the order of their ids; for all
        agents but the current one the list is empty
    max_cycles : the game is truncated after this many decisions for each agent on average; None: it is played to its end
    **config : the game's options, for instance ``players=3`` or ``modules={"events", "prestige"}``

    Arrays are new at each call. The blocks of observation and mask are named in ``env.unwrapped.game.observation`` and
    ``.actions``. The mask is zero for all agents but the current one, and zero for all when the game is over;
    ``infos[agent]["action_mask"]`` equals it. All agents end in the same step: truncated if the game was truncated instead of
    ending by the rules, otherwise terminated.

    An illegal action raises ``IllegalActionError`` and changes nothing.

    ``reset(seed=s)`` starts the game of seed s, as ``Batch.reset(seed=[..., s, ...])`` does in that row. ``reset()`` starts the
    game whose seed follows from the last one's, as a ``Batch`` with autoreset does; the first seed is random. There are no
    reset options: options that are passed are ignored with a warning.

    ``render`` shows the table as the current agent sees it, and never what is hidden from that agent. When the game is over,
    everything is shown.

    A copy (``copy.deepcopy`` or ``pickle``) plays on exactly as the original would. A deep copy shares the game's components and
    observation spaces with it.

    >>> from ginkgo_env import raw_env
    >>> env = raw_env(players=2)
    >>> env.reset(seed=7)
    >>> observation = env.observe(env.agent_selection)
    >>> env.step(int(observation["action_mask"].argmax()))
    """

    metadata: dict[str, Any] = _METADATA
    _changing = (
        *("_one", "_since", "_seed", "_decisions", "agents", "agent_selection", "rewards", "_cumulative_rewards"),
        *("terminations", "truncations", "infos", "_skip_agent_selection"),
    )

    @overload
    def __init__(
        self: raw_env[DictObservation],
        game: Literal["ginkgopolis"] = ...,
        *,
        observation: AsDict = ...,
        **options: Unpack[GinkgopolisAgents],
    ) -> None: ...
    @overload
    def __init__(
        self: raw_env[Array], game: Literal["ginkgopolis"] = ..., *, observation: AsVector, **options: Unpack[GinkgopolisAgents]
    ) -> None: ...
    @overload
    def __init__(
        self: raw_env[DictObservation],
        game: Literal["golden_city"],
        *,
        observation: AsDict = ...,
        **options: Unpack[GoldenCityAgents],
    ) -> None: ...
    @overload
    def __init__(
        self: raw_env[Array], game: Literal["golden_city"], *, observation: AsVector, **options: Unpack[GoldenCityAgents]
    ) -> None: ...
    @overload
    def __init__(
        self: raw_env[DictObservation], game: Literal["my_city"], *, observation: AsDict = ..., **options: Unpack[MyCityAgents]
    ) -> None: ...
    @overload
    def __init__(
        self: raw_env[Array], game: Literal["my_city"], *, observation: AsVector, **options: Unpack[MyCityAgents]
    ) -> None: ...
    @overload
    def __init__(self: raw_env[Any], game: type[Game], **options: Any) -> None: ...
    @completes()
    def __init__(
        self,
        game: str | type[Game] = DEFAULT_GAME,
        *,
        render_mode: str | None = None,
        reward: Reward | None = None,
        observation: str = "dict",
        legal_actions: bool = False,
        max_cycles: int | None = None,
        **config: Any,
    ) -> None:
        self._most, self._decisions = checked_limit(max_cycles, "max_cycles"), 0
        self.render_mode = checked_render_mode(render_mode)
        self._with_actions = flag(legal_actions, "legal_actions", ConfigError)
        made = make_game(game_class(game), **config)
        if isinstance(made, Mixture) and not made.has_equal_seats:
            raise ConfigError("a mixture for PettingZoo takes configurations with the same number of players")
        self._since: bytes | None = None  # the state before the last step, to highlight its changes
        self.reward: Reward = chosen_reward(reward, made.sides)
        self._seed: int | None = None
        self._kind = observation
        self.game, self._n_actions, self._one = made, made.actions.size, OneGame(made, self.reward)
        self._seat = {name: seat for seat, name in enumerate(made.side_names[: made.seats])}
        self.possible_agents = list(self.game.side_names[: self.game.seats])
        self.agents, self.terminations = list[str](), dict[str, bool]()
        self.metadata = {"name": f"{self.game.name}_v{self.game.version}", **self.metadata}
        self.observation_spaces = {agent: ObservationWriter(self.game, observation).space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.game.actions.size) for agent in self.possible_agents}
        self.state_space = _state_space(self.game, observation)

    def __repr__(self) -> str:
        return f"raw_env({self.game!r})"

    # --- PettingZoo --------------------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Box | spaces.Dict:
        """Return the space of an agent, the same object each time."""
        return self.observation_spaces[self.possible_agents[self._seat_of(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent, the same object each time."""
        return self.action_spaces[self.possible_agents[self._seat_of(agent)]]

    def reset(self, seed: Integer | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the game of a seed, or the next game.

        All agents of a game that is over at its start are terminated at once.

        Raises BatchError for an invalid seed, ConfigError for invalid options.
        """
        ignored(self, options)
        self._seed = next_seed(self._seed) if seed is None else checked_seed(seed)
        self._one.reset(self._seed)
        self._since, self._decisions = None, 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.infos = {agent: self._waiting() for agent in self.agents}
        if self._one.rewards is not None:  # over at its start
            self._pay(self._one.rewards)
        self._select()
        if self.render_mode == "human":
            self.render()

    def step(self, action: Action | None) -> None:
        """Play an action for ``agent_selection``, None for a terminated or truncated agent.

        Raises IllegalActionError, and changes nothing, for an illegal action.
        """
        if not self.agents:
            raise FinishedGameError("no game is being played: call reset() first")
        agent, one = self.agent_selection, self._one
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        before = one.saved_states() if self.render_mode in PICTURES else None
        one.step(action)
        self._since = before
        self._cumulative_rewards[agent] = 0.0
        if one.rewards is not None:
            self._pay(one.rewards)
        self.infos[agent] = self._waiting()
        self._decisions += 1
        self._select()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observed:
        """Return the observation of an agent, of the chosen kind; with its action mask for ``"dict"``."""
        one, seat = self._one, self._seat_of(agent)
        if self._kind != "dict":
            return cast(Observed, self._vector(seat))
        vector = one.observe(seat)
        if seat == one.actor and not (self.terminations.get(agent, True) or self.truncations[agent]):
            return cast(Observed, {"observation": vector, "action_mask": one.legal.copy()})
        return cast(Observed, {"observation": vector, "action_mask": np.zeros(self._n_actions, np.int8)})

    def state(self) -> NDArray[Any]:
        """Return the concatenated observations of all agents, (seats * n,), for centralized critics.

        That is more than any single agent may know, but nothing that is hidden from all, such as the order of the stacks.
        """
        return np.concatenate([self._vector(seat) for seat in range(self.game.seats)])

    def render(self) -> _Rendered:
        """Return the table, or print it in mode ``"human"``. Pictures highlight the changes of the last step."""
        return self.render_as(self.render_mode)

    def render_as(self, mode: str | None) -> _Rendered:
        """Return the table in a render mode. Warns if the mode is None."""
        seat = None if self._one.actor == OVER else self._one.actor
        return cast(_Rendered, rendered(self.game, mode, self._one.states, seat, self._since))

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    # --- beyond PettingZoo -------------------------------------------------------------------------------------------------

    def outcome(self) -> Outcome:
        """Return the outcome of the game; if it is not over, as it would be scored now."""
        return self.game.outcome(self._one.states)

    def _snapshot(self) -> tuple[Game, States]:
        """Return the game and the state that ``ginkgo_env.draw`` draws."""
        return self.game, self._one.states

    def __deepcopy__(self, memo: dict[int, Any]) -> raw_env[Observed]:
        """Return an independent copy."""
        for shared in (*self.observation_spaces.values(), self.state_space):
            memo[id(shared)] = shared
        twin = memo[id(self)] = self.__class__.__new__(self.__class__)
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin

    # --- inside ------------------------------------------------------------------------------------------------------------

    def _vector(self, seat: int) -> NDArray[Any]:
        """Return the observation of a seat without its mask, (n,)."""
        if self._kind == "features":
            return self._one.features(seat)
        if self._kind == "both":
            return np.concatenate([self._one.observe(seat), self._one.features(seat)], dtype=np.float32)
        return self._one.observe(seat)

    def _seat_of(self, agent: str) -> int:
        try:
            return self._seat[agent]
        except (KeyError, TypeError):
            raise BatchError(
                f"invalid agent {short_repr(agent)}; expected {self.possible_agents[0]}..{self.possible_agents[-1]}"
            ) from None

    def _waiting(self) -> dict[str, Any]:
        """Return the info of an agent whose turn it is not."""
        info: dict[str, Any] = {"action_mask": np.zeros(self._n_actions, np.int8)}
        return info | {"legal_actions": []} if self._with_actions else info

    def _select(self) -> None:
        """Select the agent that decides next, or the first dead one."""
        actor = self._one.actor
        if actor == OVER:
            self._end(truncated=self._one.truncated)
            return
        if self._most is not None and self._decisions >= self._most * len(self.agents):
            self._end(truncated=True)
            return
        self.agent_selection = agent = self.possible_agents[actor]
        self.infos[agent] = {"action_mask": self._one.legal.copy()}
        if self._with_actions:
            self.infos[agent]["legal_actions"] = self._one.legal_texts()

    def _pay(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()

    def _end(self, *, truncated: bool) -> None:
        ended = self.truncations if truncated else self.terminations
        for agent in self.agents:
            ended[agent] = True
        self.agent_selection = self.agents[0]

    def _deads_step_first(self) -> str:
        """Clear the masks: TerminateIllegalWrapper calls this when it has ended the game."""
        self.infos = {agent: self._waiting() for agent in self.agents}
        return cast(str, super()._deads_step_first())


def _state_space(game: Game, kind: str) -> spaces.Box:
    """Return the space of the concatenated vectors of all seats."""
    vector, *_ = KINDS[kind].values()
    one = vector.space(game)
    dtype: Any = one.dtype
    return spaces.Box(np.tile(one.low, game.seats), np.tile(one.high, game.seats), dtype=dtype)
