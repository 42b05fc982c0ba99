"""Uniform and builder play against the recorded figures of M15, within sampling error.

``python -m tests.my_city.test_figures`` prints the tables of docs/trust.md.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.games.my_city.constants import Source

from ..rules.my_city.positions import PLAYERS, game_of
from .playing import as_builder

GAMES = 4000
RECORDED_GAMES = 1000  # behind the recorded figures
SOURCES = tuple(source.name.lower() for source in Source if source != Source.PASSES)  # passes are counted
STYLES = ("uniform", "builder")
Figures = dict[str, float]

MEANS = ("decisions", "rounds", "legal actions", "score", "deviation", "built", "passes", "forced ends", "gold given")
KNOWN: dict[tuple[str, int], Figures] = {
    (style, players): dict(zip(MEANS, figures, strict=True))
    for style, players, *figures in (
        ("uniform", 1, 12, 12, 22, -32, 20, 10, 0.8, 0.03, 0.05),
        ("uniform", 2, 24, 16, 22, -32, 20, 10, 0.9, 0.03, 0.10),
        ("uniform", 3, 36, 18, 22, -32, 20, 10, 0.9, 0.03, 0.15),
        ("uniform", 4, 47, 19, 22, -32, 20, 10, 0.9, 0.03, 0.18),
        ("builder", 1, 23, 24, 16, -3, 7, 19, 4.0, 0.52, 0.28),
        ("builder", 2, 47, 24, 16, -3, 7, 19, 3.9, 0.55, 0.47),
        ("builder", 3, 70, 25, 16, -3, 7, 19, 3.9, 0.55, 0.61),
        ("builder", 4, 93, 25, 16, -3, 7, 19, 3.9, 0.55, 0.71),
    )
}
QUANTILES = {"score, 10 %": 0.1, "score, 50 %": 0.5, "score, 90 %": 0.9}
KNOWN["uniform", 1] |= dict(zip(QUANTILES, (-62, -29, -8), strict=True))
KNOWN["builder", 1] |= dict(zip(QUANTILES, (-12, -3, 6), strict=True))
KNOWN["uniform", 1] |= dict(zip(SOURCES, (10, 0.2, 7.2, -7.1, 1.7, 1.7, 1.7, 0.5, 0.0, -47.3), strict=True))
KNOWN["builder", 1] |= dict(zip(SOURCES, (10, 0.8, 2.5, -2.4, 2.8, 2.7, 2.8, 1.7, 0.1, -20.0), strict=True))
SHARES = ("forced ends", "gold given")


def digit(name: str) -> float:
    """By how much a figure may be off because it was rounded; quantiles of whole numbers by a whole one."""
    return 0.005 if name in SHARES else 0.05 if name in (*SOURCES, "passes") else 1 if name in QUANTILES else 0.5


@cache
def games(style: str, players: int) -> tuple[Batch, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Games played to their ends, and for each its decisions, legal actions in all of them, and ends by choice."""
    batch, random = Batch(game_of(players), GAMES), np.random.default_rng(2026)
    batch.reset(seed=2026)
    decisions, legal, chosen = (np.zeros(GAMES, np.int64) for _ in range(3))
    end = batch.mask.shape[1] - 1
    while not batch.over.all():
        decisions += ~batch.over
        legal += batch.mask.sum(axis=1, dtype=np.int64)
        actions = batch.sample() if style == "uniform" else as_builder(batch, random)
        chosen += actions == end
        batch.step(actions)
    return batch, decisions, legal, chosen


@cache
def measured(style: str, players: int) -> dict[str, tuple[float, float]]:
    """Each figure with its standard error over games."""
    batch, decisions, legal, chosen = games(style, players)
    states, points = batch.states, batch.scores().astype(float)
    totals = points.sum(axis=2)
    ended = (states["ended"][:, :players] > 0).sum(axis=1)
    ratio = legal.sum() / decisions.sum()
    squares = ((totals - totals.mean()) ** 2).mean(axis=1)
    deviation = float(squares.mean() ** 0.5)
    values = {
        "decisions": decisions,
        "rounds": states["rounds"],
        "legal actions": ratio + (legal - ratio * decisions) / decisions.mean(),
        "score": totals.mean(axis=1),
        "deviation": deviation + (squares - squares.mean()) / (2 * deviation),
        "built": (states["at"][:, :players] >= 0).sum(axis=2).mean(axis=1),
        "passes": -points[:, :, Source.PASSES].mean(axis=1),
        "forced ends": (ended - chosen) / players,
        "gold given": states["gold_round"] > 0,
    }
    found = {name: (float(np.mean(each)), float(np.std(each) / GAMES**0.5)) for name, each in values.items()}
    for name, share in QUANTILES.items():
        error = (share * (1 - share) / GAMES) ** 0.5
        below, at, above = np.quantile(totals, (share - error, share, share + error))
        found[name] = float(at), float(above - below) / 2
    for name in SOURCES:
        each = points[:, :, Source[name.upper()]].mean(axis=1)
        found[name] = float(each.mean()), float(each.std() / GAMES**0.5)
    return found


@pytest.mark.full
@pytest.mark.parametrize(("style", "players"), KNOWN)
def test_play_meets_the_known_figures(style: str, players: int) -> None:
    ours = measured(style, players)
    for name, recorded in KNOWN[style, players].items():
        mine, error = ours[name]
        allowed = 3.5 * error * (1 + GAMES / RECORDED_GAMES) ** 0.5 + digit(name)
        assert abs(mine - recorded) <= allowed, f"{name}: {mine:.2f} here, {recorded} recorded, at most {allowed:.2f} apart"


def main() -> None:
    """Print the tables."""
    for style in STYLES:
        print(
            f"| {style} play | "
            + " | ".join(f"{n} player{'s' * (n > 1)}: here (standard error) | recorded" for n in PLAYERS)
            + " |"
        )
        print("|---" * (1 + 2 * len(PLAYERS)) + "|")
        for name in measured(style, 1):
            cells = ["{:.2f} ({:.2f})".format(*measured(style, n)[name]) + f" | {KNOWN[style, n].get(name, '')}" for n in PLAYERS]
            print(f"| {name} | " + " | ".join(cells) + " |")
        print()


if __name__ == "__main__":
    main()
