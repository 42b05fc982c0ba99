"""Made-up tournaments between agents of known strength, and how often intervals hold the truth.

``python tests/agents/tournaments.py`` prints the table of coverage; with ``quick`` fewer rows.

Every game follows Plackett and Luce: strength and Gumbel noise, who has more is before who has less. Games of a deal can depend
on each other: the noise has a part `share` that a seat keeps in all games of the deal at all tables, or that an agent keeps in
all games of the deal at a table (a Gaussian copula, so that each game on its own is as before).
"""

from __future__ import annotations

import sys
import time
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from ginkgo_agents.evaluation.bradley_terry import Differences, design, differences
from ginkgo_agents.evaluation.matches import lineups
from ginkgo_agents.evaluation.ratings import ELO, reference_of


class Setting(NamedTuple):
    """Agents with a gap in Elo points from each to the next; or of random strengths, anew in each tournament."""

    agents: int
    players: int
    games: int
    gap: float = 100.0
    random: bool = False
    luck: str = "none"
    share: float = 0.0
    tournaments: int = 500


class Coverage(NamedTuple):
    """Shares of all intervals, in percent."""

    held: float
    least: float
    most: float
    """The same for the agent with the worst and the best coverage, by place after the reference."""
    below: float
    above: float
    """The truth is below the lower end, or above the upper."""
    open: float
    """One end is infinite."""


def strengths(setting: Setting, rng: np.random.Generator) -> np.ndarray:
    """In log-odds: (tournaments, agents)."""
    shape = (setting.tournaments, setting.agents)
    return (
        setting.gap / ELO * (rng.normal(0, 1.5, shape) if setting.random else np.tile(np.arange(setting.agents), (shape[0], 1)))
    )


def play(setting: Setting, true: np.ndarray, places: list[list[int]], rng: np.random.Generator) -> np.ndarray:
    """Wins by deal: (tournaments, deals, agents, agents)."""
    n, deals = setting.players, -(-setting.games // setting.players)
    size = (setting.tournaments, deals)
    of_seats = rng.standard_normal((*size, n))
    wins = np.zeros((*size, setting.agents, setting.agents))
    for lineup in map(np.array, places):
        of_agents = rng.standard_normal((*size, n))
        for rotation in range(n):
            noise = rng.standard_normal((*size, n))
            if setting.luck != "none":
                part = of_agents if setting.luck == "agent" else of_seats[..., (np.arange(n) - rotation) % n]
                noise = np.sqrt(setting.share) * part + np.sqrt(1 - setting.share) * noise
            place = true[:, None, lineup] - np.log(-np.log(ndtr(noise)))
            for i, a in enumerate(lineup):
                for j, b in enumerate(lineup):
                    if a != b:
                        wins[..., a, b] += (place[..., i] > place[..., j]) / (n - 1)
    return wins


def tournaments(setting: Setting, seed: int = 0) -> tuple[np.ndarray, np.ndarray, Differences]:
    """True strengths, the references, and what was found."""
    rng = np.random.default_rng([seed, setting.agents, setting.players, setting.games])
    names = [chr(97 + i) for i in range(setting.agents)]
    places = [[names.index(name) for name in lineup] for lineup in lineups(names, setting.players)]
    true = strengths(setting, rng)
    wins = play(setting, true, places, rng)
    games = wins.shape[1] * setting.players
    reference = np.array([reference_of(w.sum(axis=0), [games] * setting.agents) for w in wins])
    compared = design([(lineup, games) for lineup in places], setting.agents)
    return true, reference, differences(wins, compared, reference)


def coverage(setting: Setting, seed: int = 0) -> Coverage:
    """How often the intervals of the differences to the reference hold the truth."""
    true, reference, found = tournaments(setting, seed)
    rows = np.arange(len(true))
    others = np.array([[a for a in range(setting.agents) if a != r] for r in reference])
    truth, low, high = (np.take_along_axis(x, others, 1) for x in (true - true[rows, reference][:, None], found.low, found.high))
    below, above = truth < low, truth > high
    held = 1 - (below | above).mean(axis=0)
    numbers = (held.mean(), held.min(), held.max(), below.mean(), above.mean(), (np.isinf(low) | np.isinf(high)).mean())
    return Coverage(*(100 * float(number) for number in numbers))


LINEUPS = [(2, 2), (5, 2), (5, 3), (5, 4), (5, 5), (2, 3), (2, 5), (3, 5)]
LUCK = [("none", 0.0), ("seat", 0.3), ("agent", 0.1)]


def main() -> None:
    """Print the table."""
    quick = "quick" in sys.argv
    print("agents players games   gap luck        held  (worst best)  below above  open      s")
    for luck, share in LUCK[: 1 if quick else 3]:
        for gap, random in ((100.0, False), (250.0, False), (200.0, True)):
            for agents, players in LINEUPS:
                for games in (6, 24) if quick else (6, 24, 200, 1000):
                    start = time.perf_counter()
                    c = coverage(Setting(agents, players, games, gap, random, luck, share))
                    row = f"{agents:6}{players:8}{games:6}{'~' if random else ' '}{gap:5.0f} {luck:6}{share:4.2f}"
                    row += f"{c.held:8.1f}  ({c.least:5.1f} {c.most:5.1f}){c.below:7.1f}{c.above:6.1f}{c.open:6.1f}"
                    print(f"{row}{time.perf_counter() - start:7.1f}", flush=True)


if __name__ == "__main__":
    main()
