"""The strength of one agent against others, for ``ginkgo evaluate`` and training logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ginkgo_agents.evaluation.matches import ChunkRunner, Integers, MatchConfig, MatchResults, count_lost, play_match
from ginkgo_agents.evaluation.options import label_of, names_in
from ginkgo_agents.evaluation.statistics import Interval, mean_rate, plain_interval, student
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.mixture import Mixture
from ginkgo_env.registry import game_class

ALONE = "alone"
"""The name of the only result of a game with one side."""
AGENT = np.array([0])
"""The position of the agent in the matches of :func:`play_against`."""


def opponents_of(text: str | None, game: Game) -> list[str]:
    """The agents in a comma-separated text.

    Raises ConfigError if one of them cannot play the game, and for any opponent but the automaton in a game for one player.
    """
    names = names_in(text)
    if game.seats == 1 and names and names != [game.automaton]:
        opponent = f"has the opponent {game.automaton} alone" if game.sides > 1 else "has no opponent"
        raise ConfigError(f"against: {game.name} for one player {opponent}, got {', '.join(names)}")
    for name in names if game.seats > 1 else ():
        make_agent(name, game.name).check(game)
    return names


def summarize(results: Mapping[str, Any]) -> str:
    """Describe the results of :func:`evaluate` in a few words."""
    if ALONE in results:
        return f"score {results[ALONE]['score'][0]:.1f}"
    return ", ".join(f"{100 * result['win'][0]:.0f} % against {name}" for name, result in results.items())


def play_against(
    agent: str, game: Game, baselines: Sequence[str], games: int, seed: int, runner: ChunkRunner | None = None
) -> dict[str, list[MatchResults]]:
    """Play an agent in one seat against each baseline in all others; return the matches by label.

    In games for one player the automaton is the only opponent, or :data:`ALONE` if there is none. A mixture is played with each
    number of seats that it has.

    agent : its name, as in ``ginkgo leaderboard --agents``
    runner : plays the games; by default this process, with one thread
    """
    parts = game.by_seats() if isinstance(game, Mixture) else [game]
    played: dict[str, list[MatchResults]] = {}
    for baseline in baselines if game.seats > 1 else (game.automaton,):
        matches = [MatchConfig(part.name, (agent, *(baseline,) * (part.seats - 1)), _chosen_options(part)) for part in parts]
        name = baseline if game.seats > 1 else label_of(baseline, game.name, alone=True) if game.sides > 1 else ALONE
        played[name] = [
            play_match(match, max(2, -(-games // (len(parts) * match.rotations))), seed, runner=runner) for match in matches
        ]
    return played


def _chosen_options(game: Game) -> dict[str, Any]:
    """The options of a game that differ from their defaults, with the number of players."""
    defaults = game_class(game.name)().config_dict
    return {key: value for key, value in game.config_dict.items() if key == "players" or value != defaults.get(key)}


def numbers_of(played: Sequence[MatchResults], positions: Integers) -> dict[str, Any]:
    """The numbers of an agent at some positions of matches, with intervals over deals.

    Score and margin are over the ``played_out`` deals, of which no game was lost; without another side there is only a score.
    """
    means = [results.means(positions) for results in played]
    values = {name: np.concatenate([part[name] for part in means]) for name in means[0]}
    games = sum(results.games for results in played)
    numbers: dict[str, Any] = {"deals": len(values["score"]), "games": games}
    numbers["played_out"] = int(np.isfinite(values["score"]).sum())
    for name, all_of_them in values.items():
        one = all_of_them[np.isfinite(all_of_them)]
        numbers[name] = mean_rate(one, games=games) if name == "win" else student(one)
    return numbers | count_lost(game for results in played for game in results.lost if game.position in positions)


def evaluate(
    agent: str, game: Game, baselines: Sequence[str], games: int, seed: int, runner: ChunkRunner | None = None
) -> dict[str, Any]:
    """Measure win rates and margins with 95 % intervals over duplicate deals, by opponent.

    In a game with one side the only result is named :data:`ALONE`, with a score in place of win rate and margin.
    """
    played = play_against(agent, game, baselines, games, seed, runner)
    return {
        name: {key: [*plain_interval(v).values()] if isinstance(v, Interval) else v for key, v in numbers_of(own, AGENT).items()}
        for name, own in played.items()
    }
