"""How strong a policy is: duplicate games against a fixed agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginkgo_agents.agents.base import Agent
from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_agents.evaluation.statistics import Interval, student
from ginkgo_env.registry import make_game

_playing: list[Agent] = []  # the arena makes agents by name: this is the one that `learner` names


def learner() -> Agent:
    """The agent that is evaluated."""
    return _playing[-1]


def strength(
    agent: Agent, against: str, game: str, config: Mapping[str, Any], games: int, seed: int, threads: int = 1
) -> Interval:
    """The agent's rate of wins with its 95 % interval (Student's, over deals), a tie counting in part.

    against : the agent at all other seats; ignored where there is one seat. With one side alone it is the mean score
    games : rounded up to whole deals
    """
    made = make_game(game, **config)
    table = MatchConfig(game, (f"{__name__}:{learner.__name__}", *[against] * (made.seats - 1)), config)
    _playing.append(agent)
    try:
        played = play_match(table, -(-games // table.rotations), seed, threads=threads)
    finally:
        _playing.pop()
    values = played.totals if table.sides == 1 else played.wins
    return student(values[:, :, 0].mean(axis=1))
