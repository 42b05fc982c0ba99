"""A reward of one's own: the place among all sides, from 1 for the first to -1 for the last.

With more than two players it says more than ``win``, for which all who lose are alike. From this folder:

    ginkgo train ppo --players 3 --reward own_reward:places --minutes 10 --out runs/places
    ginkgo evaluate runs/places/agent.npz --against greedy
    ginkgo train ppo --resume runs/places --reward own_reward:places --minutes 20
    ginkgo train lookahead --players 3 --reward own_reward:places --minutes 10 --out runs/ahead
    ginkgo evaluate runs/ahead/agent.npz:reward=own_reward:places --against greedy

A checkpoint has the name of the function, but opening it never imports anything: so the function is named again. Environments
take the function itself or its name. Run as a script, this file plays a few games at random and prints what they paid.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import ginkgo_env


def places(end: ginkgo_env.Transition) -> NDArray[np.float64]:
    """Rewards (n, sides) of n games that ended.

    end : its ``after.totals`` are the scores (n, sides); ``after.standings`` rank the sides, with ties broken already
    """
    standings = end.after.standings
    above = (standings[:, None, :] > standings[:, :, None]).sum(axis=2)
    equal = (standings[:, None, :] == standings[:, :, None]).sum(axis=2) - 1
    return np.asarray(1 - 2 * (above + equal / 2) / (standings.shape[1] - 1))


def main(games: int = 4) -> NDArray[np.float32]:
    game = ginkgo_env.make_game("ginkgopolis", players=3)
    batch = ginkgo_env.Batch(game, games, reward="own_reward:places")
    batch.reset(seed=0)
    paid = np.zeros((games, game.seats), np.float32)
    while not batch.over.all():
        batch.step(batch.sample())
        paid += batch.rewards
    for points, rewards in zip(batch.totals, paid, strict=True):
        print(points, rewards)
    return paid


if __name__ == "__main__":
    main()
