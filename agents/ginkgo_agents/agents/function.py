"""An agent from a function that takes one decision at a time: the easy way to write one."""

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
    """One decision, as the seat that takes it may know it."""

    game: Game
    state: States
    """(1,): a state in which everything that the seat cannot know has been dealt anew, so it differs from call to call."""
    seat: int
    """The seat that decides."""
    legal: NDArray[np.int64]
    """(n,) ids of the legal actions, ascending."""
    observation: Observation
    """What the seat sees, by the names of blocks; see ``game.observation``."""
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
        """Random numbers for this decision: with these games are reproducible."""
        return np.random.default_rng(self.word)


class FunctionAgent(Agent):
    """Plays what a function says, called for each decision by itself.

    Slower than an agent that decides for many games at once: some thousands of decisions a second. The function returns the id of
    an action and must keep no memory.

    >>> from ginkgo_agents import Decision, FunctionAgent
    >>> @FunctionAgent
    ... def last_one(decision: Decision) -> int:
    ...     return decision.legal[-1]
    """

    def __init__(self, choose: Callable[[Decision], Any]) -> None:
        self.choose = choose
        wrapped: Any = self  # takes over name, module and docstring
        update_wrapper(wrapped, choose, updated=())

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """A legal action for each row of the turn."""
        offsets, legal = turn.legal_actions()
        states, seen = turn.resampled_states(1), turn.observations
        chosen = []
        for i in range(len(turn)):
            mine = legal[offsets[i] : offsets[i + 1]]
            observation = Observation(turn.game.observation, seen[i])
            state = cast(States, states[i : i + 1])
            decision = Decision(turn.game, state, int(turn.seats[i]), mine, observation, int(turn.words[i]))
            chosen.append(self.choose(decision))
        return np.asarray(chosen)
