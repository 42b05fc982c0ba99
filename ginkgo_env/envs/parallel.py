"""Games with simultaneous choices as PettingZoo's ``ParallelEnv``.

>>> import ginkgo_env
>>> env = ginkgo_env.parallel_env("my_city", players=3)
>>> observations, infos = env.reset(seed=7)
>>> while env.agents:
...     actions = {agent: env.action_space(agent).sample(infos[agent]["action_mask"]) for agent in env.agents}
...     observations, rewards, terminations, truncations, infos = env.step(actions)
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Generic, Literal, Unpack, cast, overload

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from ginkgo_env.core.checks import flag, int_or_none
from ginkgo_env.core.errors import BatchError, ConfigError, FinishedGameError, IllegalActionError, short_repr
from ginkgo_env.core.game import Game, Outcome, States
from ginkgo_env.core.rewards import Reward
from ginkgo_env.envs.aec import ILLEGAL_REWARD, raw_env
from ginkgo_env.envs.interface import Action, Array, AsDict, AsVector, DictObservation, Integer, MyCityAgents, Observed
from ginkgo_env.envs.one_game import OVER, Restorable, checked_limit
from ginkgo_env.registry import completes, game_class

_Infos = dict[str, dict[str, Any]]


class parallel_env(Restorable, ParallelEnv, Generic[Observed]):  # type: ignore[misc]
    """A game as a ``ParallelEnv``: a step is a round, in which agents do not see each other's choices.

    Parameters
    ----------
    game : the name of a game whose players choose at once (``Game.simultaneous``); any other raises ConfigError
    render_mode, reward, observation, legal_actions, **config : as for :class:`~ginkgo_env.envs.aec.raw_env`
    max_cycles : the game is truncated after this many rounds; None: it is played to its end

    It plays the AEC environment a round at a time: the same choices give the same games, and observations and masks are those
    that an agent gets there in the same round. Arrays are new at each call. ``infos[agent]`` holds the ``action_mask``.

    All agents stay until the game is over, and end in the same step; then ``agents`` is empty, and the masks are zero. An agent
    without a choice, because it is out or has a single legal action, has one action in its mask, ``game.idle_action``, which is
    ignored.

    A step pays the rewards of its round: for ``"score"`` the changes of the scores; other rewards are paid only at the end.

    An action that the mask forbids ends the game, and no action of its round is played: its agent gets -1, the others 0, and
    all agents are both terminated and truncated, as never otherwise. Actions outside the space, and missing ones, are errors and
    change nothing.

    Seeds are those of the AEC environment: ``reset(seed=s)`` starts the game of seed s, ``reset()`` the one that follows from
    the last seed. There are no reset options: options that are passed are ignored with a warning.

    ``render`` shows the table as the first agent that chooses in the round sees it; when the game is over, everything is
    visible.

    A copy (``copy.deepcopy`` or ``pickle``) plays on exactly as the original would.

    >>> parallel_env("my_city", players=3).possible_agents
    ['player_0', 'player_1', 'player_2']
    """

    @overload
    def __init__(
        self: parallel_env[DictObservation],
        game: Literal["my_city"],
        *,
        observation: AsDict = ...,
        **options: Unpack[MyCityAgents],
    ) -> None: ...
    @overload
    def __init__(
        self: parallel_env[Array], game: Literal["my_city"], *, observation: AsVector, **options: Unpack[MyCityAgents]
    ) -> None: ...
    @overload
    def __init__(self: parallel_env[Any], game: type[Game], **options: Any) -> None: ...
    @completes()
    def __init__(
        self,
        game: str | type[Game],
        *,
        render_mode: str | None = None,
        reward: Reward | None = None,
        observation: str = "dict",
        legal_actions: bool = False,
        max_cycles: int | None = None,
        **config: Any,
    ) -> None:
        self._most, self._rounds = checked_limit(max_cycles, "max_cycles"), 0
        kind = game_class(game)
        if not kind.simultaneous:
            instead = f"ginkgo_env.env({kind.name!r})"
            raise ConfigError(f"the players of {kind.title} do not choose simultaneously; play it with {instead}")
        self._with_actions = flag(legal_actions, "legal_actions", ConfigError)
        options: dict[str, Any] = {"render_mode": render_mode, "reward": reward, "observation": observation, **config}
        self._aec: raw_env[Observed] = raw_env(kind, **options)
        self._aec.render_mode = None if render_mode == "human" else render_mode  # else it would print after each choice
        self.render_mode, self.agents = render_mode, list[str]()
        self.possible_agents: list[str] = self._aec.possible_agents
        self.metadata: dict[str, Any] = {**self._aec.metadata, "is_parallelizable": True}
        self.observation_spaces, self.action_spaces = self._aec.observation_spaces, self._aec.action_spaces
        self.state_space = self._aec.state_space
        self._asked, self._masks, self._texts = list[str](), dict[str, NDArray[np.int8]](), dict[str, list[str]]()

    _changing = ("_aec", "agents", "_rounds", "_asked", "_masks", "_texts")

    def __repr__(self) -> str:
        return f"parallel_env({self.game!r})"

    # --- PettingZoo --------------------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Box | spaces.Dict:
        """Return the space of an agent, the same object each time."""
        return self._aec.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent, the same object each time."""
        return self._aec.action_space(agent)

    def reset(self, seed: Integer | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Observed], _Infos]:
        """Start the game of a seed, or the next game. If it is over at its start, ``agents`` is empty.

        Raises BatchError for an invalid seed, ConfigError for invalid options.
        """
        self._aec.reset(seed=seed, options=options)
        self.agents, self._rounds = [] if self._aec._one.actor == OVER else self.possible_agents[:], 0
        self._ask()
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Action]
    ) -> tuple[dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], _Infos]:
        """Play a round, with an action of every agent.

        Raises BatchError unless each agent has an action, IllegalActionError for an action outside the space.
        """
        chosen = self._checked(actions)
        illegal = [agent for agent, action in chosen.items() if not self._masks[agent][action]]
        if illegal:
            rewards = {agent: float(ILLEGAL_REWARD) if agent in illegal else 0.0 for agent in self.agents}
            terminations = truncations = dict.fromkeys(self.agents, True)
        else:
            rewards = dict.fromkeys(self.agents, 0.0)
            for agent in self._asked:
                self._aec.step(chosen[agent])
                rewards = {name: paid + self._aec.rewards[name] for name, paid in rewards.items()}
            terminations, truncations = self._aec.terminations, self._aec.truncations
        self._rounds += 1
        if illegal or self._aec._one.actor == OVER:
            self.agents = []
        elif self._rounds == self._most:
            truncations, self.agents = dict.fromkeys(self.agents, True), []
        self._ask()
        return self._observations(), rewards, dict(terminations), dict(truncations), self._infos()

    def state(self) -> NDArray[Any]:
        """Return the concatenated observations of all agents, (seats * n,)."""
        return self._aec.state()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table, or print it in mode ``"human"``. Pictures highlight the changes of the last round."""
        return self._aec.render_as(self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    # --- beyond PettingZoo -------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:  # type: ignore[override]
        """The game that is played, in its configuration."""
        return self._aec.game

    def outcome(self) -> Outcome:
        """Return the outcome of the game; if it is not over, as it would be scored now."""
        return self._aec.outcome()

    def _snapshot(self) -> tuple[Game, States]:
        """Return the game and the state that ``ginkgo_env.draw`` draws."""
        return self._aec._snapshot()

    # --- inside ------------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Begin a round: find the agents that choose and their masks, on a copy that is played ahead."""
        if self.render_mode == "human":
            self.render()
        waiting = np.zeros(self.game.actions.size, np.int8)
        self._asked, self._masks, self._texts = [], dict.fromkeys(self.possible_agents, waiting), {}
        if not self.agents:
            return
        waiting[self.game.idle_action], ahead = 1, copy.copy(self._aec._one)
        ahead.reward = "win"  # a function would be called twice
        number = self.game.round_of(ahead.states)
        while ahead.actor != OVER and self.game.round_of(ahead.states) == number:
            agent = self.possible_agents[ahead.actor]
            self._asked.append(agent)
            self._masks[agent] = ahead.legal.copy()
            self._texts[agent] = ahead.legal_texts() if self._with_actions else []
            ahead.step(int(ahead.legal.argmax()))

    def _checked(self, actions: Mapping[str, Any]) -> dict[str, int]:
        """Return the actions as numbers within the space."""
        if not self.agents:
            raise FinishedGameError("no game is being played: call reset() first")
        if not isinstance(actions, Mapping) or actions.keys() != set(self.agents):
            raise BatchError(f"invalid actions {short_repr(actions)}; expected an action for each of {', '.join(self.agents)}")
        numbers, last = {agent: int_or_none(actions[agent]) for agent in self.agents}, self.game.actions.size - 1
        for agent, number in numbers.items():
            if number is None or not 0 <= number <= last:
                raise IllegalActionError(f"invalid action {short_repr(actions[agent])} for {agent}; expected 0..{last}")
        return cast(dict[str, int], numbers)

    def _observations(self) -> dict[str, Observed]:
        observations = {agent: self._aec.observe(agent) for agent in self.possible_agents}
        for agent, seen in observations.items():
            if isinstance(seen, dict):
                cast(dict[str, Any], seen)["action_mask"] = self._masks[agent].copy()
        return observations

    def _infos(self) -> _Infos:
        infos: _Infos = {agent: {"action_mask": mask.copy()} for agent, mask in self._masks.items()}
        for agent, info in infos.items() if self._with_actions else ():
            info["legal_actions"] = self._texts.get(agent, []).copy()
        return infos
