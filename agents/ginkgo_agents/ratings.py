"""Two ratings of agents that met at tables.

*Elo points* come from a Bradley-Terry fit to all pairs of players of all games (``choix``); the order of the games plays
no part. In a game of n players each of the n (n - 1) / 2 pairs counts 1 / (n - 1), a tie half for each. So that nobody is
infinitely better, each two agents get PRIOR games more that they share. Points are 400 / ln 10 times the fitted strengths, 1500
on average. The interval comes from bootstrap samples of the deals of each table.

*OpenSkill* (Plackett-Luce) goes through the games one by one, in an order shuffled by the seed. Where an agent has several seats,
each of them is rated as a player of its own, and the agent gets their mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import choix
import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce, PlackettLuceRating

from ginkgo_agents.arena import Played
from ginkgo_agents.statistics import PERCENT, Interval, resampled_sums

PRIOR = 1.0
ELO = 400 / math.log(10)
AVERAGE = 1500.0
_SAMPLES = 200


class Rating(NamedTuple):
    """How strong an agent is."""

    agent: str
    games: int
    elo: Interval
    mu: float
    sigma: float


def rate(played: Sequence[Played], names: Sequence[str], seed: int) -> list[Rating]:
    """Ratings of all agents with a game among players, the best first. Fewer than two agents: none."""
    met = [p for p in played if p.table.players > 1 and p.deals]
    names = [name for name in names if any(name in p.table.lineup for p in met)]
    if len(names) < 2:
        return []
    elo = rate_elo(met, names, seed)
    skill = rate_openskill(met, names, seed)
    ratings = [
        Rating(name, sum(p.games for p in met if name in p.table.lineup), points, rating.mu, rating.sigma)
        for name, points, rating in zip(names, elo, skill, strict=True)
    ]
    return sorted(ratings, key=lambda rating: -rating.elo.mean)


def pair_wins(played: Played, names: Sequence[str]) -> NDArray[np.float64]:
    """How often each agent was before each other one in each deal: (deals, agents, agents)."""
    lineup = [names.index(name) for name in played.table.lineup]
    wins = np.zeros((played.deals, len(names), len(names)))
    for i, a in enumerate(lineup):
        for j, b in enumerate(lineup):
            if a != b:
                own, other = played.totals[:, :, i], played.totals[:, :, j]
                wins[:, a, b] += ((own > other) + 0.5 * (own == other)).sum(axis=1)
    return wins / (len(lineup) - 1)


def elo_points(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bradley-Terry strengths from wins (agents, agents) in Elo points: (agents,)."""
    prior = PRIOR / 2 * (1 - np.eye(len(wins)))
    strengths = choix.ilsr_pairwise_dense(wins + prior, max_iter=10_000)
    return np.asarray((strengths - strengths.mean()) * ELO + AVERAGE)


def rate_elo(played: Sequence[Played], names: Sequence[str], seed: int) -> list[Interval]:
    """Elo points of each agent with bootstrap intervals over deals."""
    wins = [pair_wins(p, names) for p in played]
    rng = np.random.default_rng(seed)
    points = elo_points(np.sum([w.sum(axis=0) for w in wins], axis=0))
    samples = np.sum([resampled_sums(w, _SAMPLES, rng) for w in wins], axis=0)
    low, high = np.percentile([elo_points(sample) for sample in samples], PERCENT, axis=0)
    return [Interval(*map(float, row)) for row in zip(points, low, high, strict=True)]


def rate_openskill(played: Sequence[Played], names: Sequence[str], seed: int) -> list[PlackettLuceRating]:
    """OpenSkill ratings of the agents after all games, in the order that the seed gives."""
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in names}
    games = [(p.table.lineup, totals) for p in played for totals in p.totals.reshape(p.games, -1)]
    for i in np.random.default_rng(seed).permutation(len(games)):
        lineup, totals = games[i]
        teams = [[model.create_rating([ratings[name].mu, ratings[name].sigma])] for name in lineup]
        after = model.rate(teams, ranks=[float(-total) for total in totals])
        for name in set(lineup):
            seats = [team[0] for team, other in zip(after, lineup, strict=True) if other == name]
            mu, sigma = (sum(getattr(seat, field) for seat in seats) / len(seats) for field in ("mu", "sigma"))
            ratings[name] = model.create_rating([mu, sigma], name=name)
    return [ratings[name] for name in names]
