"""Agents from functions that take one decision at a time: the easy way to write an agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.layout import Observation


@dataclass(frozen=True, eq=False)
class Decision:
    """One decision with everything that the deciding seat may know."""

    game: Game
    state: States
    """(1,) state in which everything that the seat cannot know is resampled, so that it differs from call to call."""
    seat: int
    """The deciding seat."""
    legal: NDArray[np.int64]
    """(n,) ids of the legal actions, ascending."""
    observation: Observation
    """The observation of the seat, by the names of blocks; see ``game.observation``."""
    word: int
    """A random number below 2**64."""

    @property
    def kind(self) -> str:
        """The kind of decision, one of ``game.decisions``."""
        return self.game.decisions[int(self.game.kind(self.state)[0])]

    @cached_property
    def texts(self) -> list[str]:
        """The notation of each legal action."""
        return [self.game.action_text(self.state, int(action)) for action in self.legal]

    @cached_property
    def random(self) -> np.random.Generator:
        """A random generator for this decision, which keeps games reproducible."""
        return np.random.default_rng(self.word)


class FunctionAgent(Agent):
    """Plays the actions that a function returns, one decision at a time.

    The function takes a :class:`Decision`, returns the id of a legal action and must keep no memory. Such an agent makes a few
    thousand decisions a second; an agent that decides for many games at once is faster.

    >>> from ginkgo_agents import Decision, FunctionAgent
    >>> @FunctionAgent
    ... def last_one(decision: Decision) -> int:
    ...     return decision.legal[-1]
    """

    def __init__(self, choose: Callable[[Decision], Any]) -> None:
        self.choose = choose
        agent: Any = self
        update_wrapper(agent, choose, updated=())  # name, module and docstring

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        offsets, legal = turn.legal_actions()
        states, observations = turn.resampled_states(1), turn.observations
        actions = []
        for i in range(len(turn)):
            observation = Observation(turn.game.observation, observations[i])
            state, ids = cast(States, states[i : i + 1]), legal[offsets[i] : offsets[i + 1]]
            decision = Decision(turn.game, state, int(turn.seats[i]), ids, observation, int(turn.words[i]))
            actions.append(self.choose(decision))
        return np.asarray(actions)
