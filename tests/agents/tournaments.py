"""Made-up tournaments between agents of known strength, and how often the intervals of ratings hold the truth.

``python tests/agents/tournaments.py`` prints the table of coverage; with ``quick`` fewer rows.

Every game follows Plackett and Luce: strength plus Gumbel noise, the largest sum finishes first. Games of a deal can depend on
each other: a part `share` of the noise is common to a seat in all games of the deal at all tables, or to an agent in all games of
the deal at a table (a Gaussian copula, so that each game on its own is as before).
"""

from __future__ import annotations

import sys
import time
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from ginkgo_agents.evaluation.matches import MatchConfig, MatchResults, lineups
from ginkgo_agents.evaluation.ratings import ELO, Rating, rate


class Setting(NamedTuple):
    """Agents with a gap in Elo points from each to the next; or of random strengths, anew in each tournament."""

    agents: int
    players: int
    games: int
    gap: float = 100.0
    random: bool = False
    luck: str = "none"
    share: float = 0.0
    tournaments: int = 200


class Coverage(NamedTuple):
    """Shares of all intervals, in percent."""

    held: float
    least: float
    most: float
    """The same for the agent with the worst and the best coverage, by place after the reference."""
    below: float
    above: float
    """The truth is below the lower end, or above the upper."""
    width: float
    """The median width of the intervals, in Elo points."""


def play(setting: Setting, true: np.ndarray, tables: list[MatchConfig], rng: np.random.Generator) -> list[MatchResults]:
    """The games of a tournament between agents of these strengths, in log-odds."""
    n, deals = setting.players, -(-setting.games // setting.players)
    of_seats = rng.standard_normal((deals, n))
    played = []
    for table in tables:
        own = true[[ord(name) - ord("a") for name in table.agents]]
        of_agents = rng.standard_normal((deals, n))
        places = np.empty((deals, n, n))
        for rotation in range(n):
            noise = rng.standard_normal((deals, n))
            if setting.luck != "none":
                part = of_agents if setting.luck == "agent" else of_seats[:, (np.arange(n) - rotation) % n]
                noise = np.sqrt(setting.share) * part + np.sqrt(1 - setting.share) * noise
            places[:, rotation] = own - np.log(-np.log(ndtr(noise)))
        standings = places.argsort(axis=2).argsort(axis=2)
        played.append(MatchResults(table, np.arange(deals, dtype=np.uint64), standings, standings))
    return played


def tournaments(setting: Setting, seed: int = 0) -> list[tuple[dict[str, float], list[Rating]]]:
    """The true Elo points of the agents, and their ratings, for each tournament."""
    rng = np.random.default_rng([seed, setting.agents, setting.players, setting.games])
    names = [chr(ord("a") + i) for i in range(setting.agents)]
    tables = [MatchConfig("ginkgopolis", lineup, {"players": setting.players}) for lineup in lineups(names, setting.players)]
    results = []
    for k in range(setting.tournaments):
        true = setting.gap * (rng.normal(0, 1.5, len(names)) if setting.random else np.arange(len(names)))
        ratings = rate(play(setting, true / ELO, tables, rng), names, seed=k)
        results.append((dict(zip(names, true, strict=True)), ratings))
    return results


def coverage(setting: Setting, seed: int = 0) -> Coverage:
    """How often the intervals of the differences to the reference hold the truth."""
    rows = []
    for true, ratings in tournaments(setting, seed):
        others = sorted(rating for rating in ratings if rating.agent != rating.reference)
        rows.append([(true[r.agent] - true[r.reference], r.elo.low, r.elo.high) for r in others])
    truth, low, high = np.moveaxis(np.array(rows), 2, 0)
    below, above = truth < low, truth > high
    held = 1 - (below | above).mean(axis=0)
    shares = (held.mean(), held.min(), held.max(), below.mean(), above.mean())
    return Coverage(*(100 * float(share) for share in shares), float(np.median(high - low)))


LINEUPS = [(2, 2), (5, 2), (5, 3), (5, 4), (5, 5), (2, 3), (2, 5), (3, 5)]
LUCK = [("none", 0.0), ("seat", 0.3), ("agent", 0.1)]


def main() -> None:
    """Print the table."""
    quick = "quick" in sys.argv
    print("agents players games   gap luck        held  (worst best)  below above  width      s")
    for luck, share in LUCK[: 1 if quick else 3]:
        for gap, random in ((100.0, False), (250.0, False), (200.0, True)):
            for agents, players in LINEUPS:
                for games in (6, 24) if quick else (6, 24, 200, 1000):
                    start = time.perf_counter()
                    c = coverage(Setting(agents, players, games, gap, random, luck, share))
                    row = f"{agents:6}{players:8}{games:6}{'~' if random else ' '}{gap:5.0f} {luck:6}{share:4.2f}"
                    row += f"{c.held:8.1f}  ({c.least:5.1f} {c.most:5.1f}){c.below:7.1f}{c.above:6.1f}{c.width:7.0f}"
                    print(f"{row}{time.perf_counter() - start:7.1f}", flush=True)


if __name__ == "__main__":
    main()
