"""How one agent does against others: what ``ginkgo evaluate`` prints, and training logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ginkgo_agents.evaluation.matches import Play, Table, play_table
from ginkgo_agents.evaluation.statistics import student
from ginkgo_env.core.game import Game

ALONE = "alone"
"""The name of the only result where a side plays all alone."""


def in_words(results: Mapping[str, Any]) -> str:
    """Results in a few words."""
    if ALONE in results:
        return f"score {results[ALONE]['score'][0]:.1f}"
    return ", ".join(f"{100 * result['win'][0]:.0f} % against {name}" for name, result in results.items())


def evaluate(agent: str, game: Game, baselines: Sequence[str], games: int, seed: int, play: Play | None = None) -> dict[str, Any]:
    """Win rates and margins with 95 % intervals over duplicate deals: one seat for the agent, the others for a baseline.

    agent : as in ``ginkgo leaderboard --agents``. Alone against an automaton there are no baselines. Where a side plays all alone
        the only result is named :data:`ALONE`, and its score takes the place of win rate and margin
    play : what plays; by default this process, with one thread
    """
    found: dict[str, Any] = {}
    if game.sides == 1:
        played = play_table(Table(game.name, (agent,), game.config_dict), max(2, games), seed, play=play)
        return {ALONE: {"games": played.games, "score": list(student(played.totals[:, :, 0].mean(axis=1)))}}
    for baseline in baselines if game.seats > 1 else (game.automaton,):
        table = Table(game.name, (agent, *(baseline,) * (game.seats - 1)), game.config_dict)
        played = play_table(table, max(2, -(-games // table.rotations)), seed, play=play)
        wins, margins = student(played.wins[:, :, 0].mean(axis=1)), student(played.margins[:, :, 0].mean(axis=1))
        found[baseline] = {"games": played.games, "win": list(wins), "margin": list(margins)}
    return found
