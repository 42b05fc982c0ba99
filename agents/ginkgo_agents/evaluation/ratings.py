"""Two ratings of agents that met at tables.

*Elo points* are differences to one agent, the *reference*: 400 / ln 10 times the log-odds of ranking above it in a game of both,
from a fit to all pairs of players of all games, in any order (:mod:`ginkgo_agents.evaluation.bradley_terry`). Intervals hold the
true difference in 95 % of all tournaments; the unit is the deal. An agent that never lost to the reference, nor to one that lost
to it, and so on, has no finite estimate, and an interval with a lower end only. The opposite case has an upper end only; agents
that cannot be compared have neither. The reference is one of the largest group without such gaps, of these one with most games,
of these the first by name.

*OpenSkill* (Plackett-Luce) goes through the games one by one, in an order shuffled by the seed. Where an agent has several seats,
each seat is rated as a separate player, and the agent gets their mean.

Neither depends on the order of tables, of seats in a lineup, or of names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce, PlackettLuceRating

from ginkgo_agents.evaluation.bradley_terry import design, differences, reachable
from ginkgo_agents.evaluation.matches import Played
from ginkgo_agents.evaluation.statistics import Interval

ELO = 400 / math.log(10)


class Rating(NamedTuple):
    """How strong an agent is."""

    agent: str
    games: int
    reference: str
    """The agent that the Elo points compare it with."""
    elo: Interval
    """Elo points minus the reference's. An end may be infinite; then so is the mean, or nan if both ends are."""
    mu: float
    sigma: float


def rate(played: Sequence[Played], names: Sequence[str], seed: int) -> list[Rating]:
    """Ratings of all agents with a game among players, the best first; empty for fewer than two agents."""
    met = sorted((p for p in played if p.table.seats > 1 and p.deals), key=lambda p: repr(p.table))
    names = sorted(name for name in names if any(name in p.table.lineup for p in met))
    if len(names) < 2:
        return []
    games = [sum(p.games for p in met if name in p.table.lineup) for name in names]
    reference, elo = rate_elo(met, names, games)
    skill = rate_openskill(met, names, seed)
    ratings = [
        Rating(name, n, names[reference], points, rating.mu, rating.sigma)
        for name, n, points, rating in zip(names, games, elo, skill, strict=True)
    ]
    return sorted(ratings, key=_best_first)


def _best_first(rating: Rating) -> tuple[float, ...]:
    mean, low, high = rating.elo
    return (1.0,) if math.isnan(mean) else (0.0, -mean, -low, -high)


def pair_wins(played: Played, names: Sequence[str]) -> NDArray[np.float64]:
    """How often each agent ranked above each other agent in each deal: (deals, agents, agents). A tie is half a win.

    In a game of n players each of the n (n - 1) / 2 pairs counts 1 / (n - 1).
    """
    lineup = [names.index(name) for name in played.table.lineup]
    wins = np.zeros((played.deals, len(names), len(names)))
    for i, a in enumerate(lineup):
        for j, b in enumerate(lineup):
            if a != b:
                own, other = played.standings[:, :, i], played.standings[:, :, j]
                wins[:, a, b] += ((own > other) + 0.5 * (own == other)).sum(axis=1)
    return wins / (len(lineup) - 1)


def wins_by_deal(played: Sequence[Played], names: Sequence[str]) -> NDArray[np.float64]:
    """The same for several tables, (deals, agents, agents): those with as many players play the same deals."""
    seeds, rows = np.unique(np.concatenate([p.seeds for p in played]), return_inverse=True)
    wins = np.zeros((len(seeds), len(names), len(names)))
    starts = np.cumsum([0, *(p.deals for p in played)])
    for p, start in zip(played, starts, strict=False):
        np.add.at(wins, rows[start : start + p.deals], pair_wins(p, names))
    return wins


def reference_of(wins: NDArray[np.float64], games: Sequence[int]) -> int:
    """The reference, by wins (agents, agents): of the largest connected group the agent with most games, then the first."""
    chains = reachable(wins)
    group = (chains & chains.T).sum(axis=1)
    return min(range(len(games)), key=lambda a: (-group[a], -games[a], a))


def rate_elo(played: Sequence[Played], names: Sequence[str], games: Sequence[int]) -> tuple[int, list[Interval]]:
    """The reference, and Elo points of each agent minus the reference's."""
    wins = wins_by_deal(played, names)
    reference = reference_of(wins.sum(axis=0), games)
    compared = design([([names.index(name) for name in p.table.lineup], p.games) for p in played], len(names))
    found = differences(wins[None], compared, np.array([reference]))
    rows = ELO * np.concatenate(found).T
    return reference, [Interval(*map(float, row)) for row in rows]


def rate_openskill(played: Sequence[Played], names: Sequence[str], seed: int) -> list[PlackettLuceRating]:
    """OpenSkill ratings of the agents after all games, in the order that the seed gives."""
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in names}
    games = sorted(game for p in played for game in _by_seat(p))
    for i in np.random.default_rng(seed).permutation(len(games)):
        lineup, _, _, standings = games[i]
        teams = [[model.create_rating([ratings[name].mu, ratings[name].sigma])] for name in lineup]
        after = model.rate(teams, ranks=[float(-standing) for standing in standings])
        for name in set(lineup):
            seats = [team[0] for team, other in zip(after, lineup, strict=True) if other == name]
            mu, sigma = (sum(getattr(seat, field) for seat in seats) / len(seats) for field in ("mu", "sigma"))
            ratings[name] = model.create_rating([mu, sigma], name=name)
    return [ratings[name] for name in names]


def _by_seat(played: Played) -> list[tuple[tuple[str, ...], str, int, tuple[int, ...]]]:
    """Who sat where, the table's options, the seed and the standings of each game, by seat."""
    table, n = played.table, played.table.seats
    games = []
    for rotation in range(played.standings.shape[1]):
        lineup = tuple(table.lineup[(seat + rotation) % n] for seat in range(n))
        standings = np.roll(played.standings[:, rotation, :n], -rotation, axis=1).tolist()
        games += [
            (lineup, repr(table.config), seed, tuple(row)) for seed, row in zip(played.seeds.tolist(), standings, strict=True)
        ]
    return games
