"""Intervals of differences in strength between agents, from games of two or more players.

The model is Bradley and Terry's (1952): agent a is before b with chance 1 / (1 + exp(x_b - x_a)). A game of n players counts as
its pairs (a composite likelihood). That is consistent if games follow Plackett and Luce, whose model is this one for each pair.

The interval of a difference holds all values that a *score test* does not reject (Rao 1948; for one pair it is Wilson's interval
of a rate, 1927). The other agents are refitted for each value, so no prior is needed, nor a finite estimate: an agent that
never lost gets a lower end and an open upper end, since the largest values are never rejected. Each end errs in 2.5 % of the
cases, so a lower end alone is a bound of 97.5 %. Which ends are open depends on wins alone (Ford 1957): x_a - x_b has an upper
end if a chain of wins leads from b to a, a lower end if one leads from a to b.

Variances take into account that the pairs of a game are not independent (exact under Plackett and Luce), and that games of a deal
may not be: they are multiplied by a *dispersion*, the mean square of the deals' scores over what independent games would give.
Few deals say little about it, so it is pulled towards that of all agents and this towards 1, by PRIOR deals each, and the test is
a t-test with as many degrees of freedom as there are (a moderated variance, Smyth 2004). That suits dispersions near 1; random,
greedy and William at Ginkgopolis have 0.8 to 1.2. With 2, and fewer than 20 deals, intervals are too short.

Arrays: T tournaments of the same tables, K deals, A agents. Everything is worked out for all T at once, so that coverage can be
measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit

PRIOR = 16.0
_SHARED = 0.5  # differences to one agent are dependent: this share of their degrees of freedom is new
_HALVINGS = 36
_MOST_STEPS = 2000

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Design(NamedTuple):
    """Numbers of comparisons between agents in all games; in a game of n players each counts 1 / (n - 1)."""

    pairs: Floats
    """(A, A) squared weights of the pairs of seats."""
    triples: Floats
    """(A, A, A) squared weights of three seats, the first compared with both others."""


class Differences(NamedTuple):
    """Strengths minus that of the reference, in log-odds; 0 for the reference itself. Each is (T, A)."""

    mean: Floats
    """The maximum of the likelihood: infinite for an agent that never lost, nan for one that cannot be compared at all."""
    low: Floats
    high: Floats


def design(tables: Sequence[tuple[Sequence[int], int]], agents: int) -> Design:
    """The comparisons of tables, each an agent for each seat and a number of games."""
    pairs, triples = np.zeros((agents,) * 2), np.zeros((agents,) * 3)
    for lineup, games in tables:
        weight = games / (len(lineup) - 1) ** 2
        for a in lineup:
            others = [(j, b) for j, b in enumerate(lineup) if b != a]
            for j, b in others:
                pairs[a, b] += weight
                for k, c in others:
                    triples[a, b, c] += weight * (j != k)
    return Design(pairs, triples)


def reachable(wins: Floats) -> Bools:
    """Which agents a chain of wins (..., A, A) leads to: [..., a, b] if a beat b, or beat one that beat b, and so on."""
    found = (wins > 0) | np.eye(wins.shape[-1], dtype=bool)
    for _ in range(wins.shape[-1].bit_length()):
        found = (found.astype(float) @ found) > 0
    return np.asarray(found)


def differences(wins: Floats, compared: Design, reference: Ints) -> Differences:
    """Strengths relative to a reference (T,), from wins (T, K, A, A) by deal; a tie is half a win."""
    tournaments, _, agents, _ = wins.shape
    others = np.array([[a for a in range(agents) if a != r] for r in reference]).reshape(tournaments, agents - 1)
    total = wins.sum(axis=1)
    chains = reachable(total)
    spread, freedom = dispersion(wins, compared, reference, others)
    critical = np.sqrt(spread) * stats.t.ppf(0.975, freedom)
    each = (np.repeat(np.arange(tournaments), agents - 1), others.ravel())
    arguments = (total[each[0]], chains[each[0]], compared, reference[each[0]], each[1])
    result = Differences(best_fit(total, chains, reference), np.zeros((tournaments, agents)), np.zeros((tournaments, agents)))
    result.low[each] = _end(*arguments, critical.ravel())
    result.high[each] = -_end(total[each[0]], chains[each[0]], compared, each[1], reference[each[0]], critical.ravel())
    return result


def best_fit(total: Floats, chains: Bools, reference: Ints) -> Floats:
    """Maximum likelihood strengths (T, A) minus the reference's; infinite or nan where there is no finite maximum."""
    rows = np.arange(len(total))
    above, below = chains[rows, :, reference], chains[rows, reference]  # beat the reference, was beaten by it
    strengths = _fit(_among(total, above & below), np.zeros(above.shape), above & below & ~_only(reference, above.shape))
    infinite = np.where(above == below, np.nan, np.where(above, np.inf, -np.inf))
    return np.where(above & below, strengths, infinite)


def dispersion(wins: Floats, compared: Design, reference: Ints, others: Ints) -> tuple[Floats, Floats]:
    """How much more the scores of deals vary than those of independent games, and degrees of freedom: each (T, A - 1).

    Measured at a fit with half a win more for everybody against everybody, which is finite whatever the results were.
    """
    tournaments, deals, agents, _ = wins.shape
    total = wins.sum(axis=1) + 0.5 * (1 - np.eye(agents))
    fixed = _only(reference, (tournaments, agents))
    strengths = _fit(total, np.zeros((tournaments, agents)), ~fixed)
    chances = _chances(strengths)
    scores = _scores(wins, chances[:, None])
    ratio, freedom = np.ones(others.shape), np.zeros(others.shape)
    for i, agent in enumerate(others.T if deals > 1 else []):
        along = _direction(_information(total, chances), ~fixed & ~_only(agent, fixed.shape), agent)
        expected = _variance(compared, strengths, along)
        found = np.square((scores @ along[:, :, None])[..., 0]).sum(axis=1)
        ratio[:, i] = found / expected * deals / (deals - 1)
        freedom[:, i] = (deals - 1) / (1 + deals / (2 * expected))  # rare events say less: an excess kurtosis of deals / expected
    known = _SHARED * freedom.sum(axis=1, keepdims=True)
    pooled = (PRIOR + _SHARED * (freedom * ratio).sum(axis=1, keepdims=True)) / (PRIOR + known)
    return (PRIOR * pooled + freedom * ratio) / (PRIOR + freedom), PRIOR + freedom


def _end(total: Floats, chains: Bools, compared: Design, reference: Ints, agent: Ints, critical: Floats) -> Floats:
    """The lower end of the agent's strength minus the reference's, in each row (P,): where the score test just rejects.

    Agents that are infinitely better or worse than these two, whatever their difference, say nothing about it and are left out.
    """
    rows = np.arange(len(total))
    closed = chains[rows, agent, reference]
    kept = (chains[rows, agent] | chains[rows, reference]) & (chains[rows, :, agent] | chains[rows, :, reference])
    total = _among(total, kept)
    free = kept & ~_only(agent, kept.shape) & ~_only(reference, kept.shape)
    bound = (total.shape[-1] - 1) * (np.log(total.sum(axis=(-1, -2)).max(initial=1.0)) + 4)
    low, high = np.full(len(rows), -bound), np.full(len(rows), bound)
    strengths = np.zeros(kept.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        strengths[rows, agent] = middle
        strengths = _fit(total, strengths, free)
        chances = _chances(strengths)
        along = _direction(_information(total, chances), free, agent)
        score = _scores(total, chances)[rows, agent]
        rejected = score > critical * np.sqrt(_variance(compared, strengths, along * kept, kept))
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle)
    return np.where(closed, (low + high) / 2, -np.inf)


# --- the model -------------------------------------------------------------------------------------------------------------


def _chances(strengths: Floats) -> Floats:
    """(..., A, A): how likely each is before each other."""
    return np.asarray(expit(strengths[..., :, None] - strengths[..., None, :]))


def _scores(wins: Floats, chances: Floats) -> Floats:
    """Derivatives of the log-likelihood (..., A): wins less expected wins, without cancellation where chances are near 1."""
    return np.asarray((wins * _turned(chances) - _turned(wins) * chances).sum(axis=-1))


def _information(wins: Floats, chances: Floats) -> Floats:
    """Second derivatives, negative: (..., A, A)."""
    weights = (wins + _turned(wins)) * chances * _turned(chances)
    return np.asarray(np.eye(wins.shape[-1]) * weights.sum(axis=-1, keepdims=True) - weights)


def _variance(compared: Design, strengths: Floats, along: Floats, kept: Bools | None = None) -> Floats:
    """The variance of the scores in a direction (..., A) if all games are independent, from comparisons among those kept."""
    chances = _chances(strengths)
    odds = np.exp(strengths[..., None, :] - strengths[..., :, None])
    steps = along[..., :, None] - along[..., None, :]
    if kept is not None:
        steps = _among(steps, kept)
    first = 1 / (1 + odds[..., :, None] + odds[..., None, :])  # before both others
    together = (first - chances[..., :, None] * chances[..., None, :]) * compared.triples
    alone = (compared.pairs * chances * _turned(chances) * steps**2).sum(axis=(-1, -2)) / 2
    return np.asarray(alone + np.einsum("...abc,...ab,...ac->...", together, steps, steps))


def _fit(wins: Floats, strengths: Floats, free: Bools) -> Floats:
    """The most likely strengths (P, A) of those that are free, the others as given: Newton's method, its steps shorter than 1."""
    for _ in range(_MOST_STEPS):
        chances = _chances(strengths)
        scores = (_scores(wins, chances) * free)[..., None]
        step = np.linalg.solve(_held(_information(wins, chances), free), scores)[..., 0]
        size = np.abs(step).max(axis=-1, keepdims=True, initial=0.0)
        strengths = strengths + step / (1 + size)
        if size.max(initial=0.0) < 1e-9:
            break
    return strengths


def _direction(information: Floats, free: Bools, agent: Ints) -> Floats:
    """How the free agents (P, A) move along when an agent (P,) moves by 1 and the rest stay."""
    rows = np.arange(len(agent))
    along = -np.linalg.solve(_held(information, free), (information[rows, :, agent] * free)[..., None])[..., 0]
    along[rows, agent] = 1.0
    return np.asarray(along)


def _held(information: Floats, free: Bools) -> Floats:
    """Information about the free agents, and units for those that are held."""
    return np.where(free[..., :, None] & free[..., None, :], information, np.eye(information.shape[-1]))


def _among(values: Floats, kept: Bools) -> Floats:
    return values * (kept[..., :, None] & kept[..., None, :])


def _only(agent: Ints, shape: tuple[int, ...]) -> Bools:
    return np.asarray(np.arange(shape[-1]) == agent[:, None])


def _turned(values: Floats) -> Floats:
    return np.swapaxes(values, -1, -2)
