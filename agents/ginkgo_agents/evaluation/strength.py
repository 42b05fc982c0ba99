"""The strength of one agent against others, for ``ginkgo evaluate`` and training logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ginkgo_agents.evaluation.matches import ChunkRunner, MatchConfig, play_match
from ginkgo_agents.evaluation.statistics import student
from ginkgo_env.core.arguments import checked
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game
from ginkgo_env.core.mixture import Mixture

ALONE = "alone"
"""The name of the only result of a game with one side."""


@checked(ConfigError)
def summarize(results: Mapping[str, Any]) -> str:
    """Describe the results of :func:`evaluate` in a few words."""
    if ALONE in results:
        return f"score {_mean(results[ALONE], 'score'):.1f}"
    return ", ".join(f"{100 * _mean(result, 'win'):.0f} % against {name}" for name, result in results.items())


def _mean(result: Any, key: str) -> float:
    try:
        return float(result[key][0])
    except (TypeError, ValueError, LookupError):
        raise ConfigError(f"invalid results {shown(result)}; expected what evaluate returns") from None


@checked(ConfigError)
def evaluate(
    agent: str, game: Game, baselines: Sequence[str], games: int, seed: int, runner: ChunkRunner | None = None
) -> dict[str, Any]:
    """Measure win rates and margins with 95 % intervals over duplicate deals, by baseline.

    The agent has one seat, a baseline all others. In solo games against an automaton, the automaton is the only baseline. In a
    game with one side the only result is named :data:`ALONE`, with a score in place of win rate and margin. A mixture is played
    with each number of seats that it has; the results are means over all deals.

    agent : its name, as in ``ginkgo leaderboard --agents``
    runner : plays the games; by default this process, with one thread
    """
    if game.sides == 1:
        match = MatchConfig(game.name, (agent,), game.config_dict)
        results = play_match(match, max(2, games), seed, runner=runner)
        return {ALONE: {"games": results.games, "score": list(student(results.totals[:, :, 0].mean(axis=1)))}}
    strengths: dict[str, Any] = {}
    parts = game.by_seats() if isinstance(game, Mixture) else [game]
    for baseline in baselines if game.seats > 1 else (game.automaton,):
        matches = [MatchConfig(part.name, (agent, *(baseline,) * (part.seats - 1)), part.config_dict) for part in parts]
        played = [
            play_match(match, max(2, -(-games // (len(parts) * match.rotations))), seed, runner=runner) for match in matches
        ]
        wins, margins = (
            student(np.concatenate([getattr(results, name)[:, :, 0].mean(axis=1) for results in played]))
            for name in ("wins", "margins")
        )
        strengths[baseline] = {"games": sum(results.games for results in played), "win": list(wins), "margin": list(margins)}
    return strengths
