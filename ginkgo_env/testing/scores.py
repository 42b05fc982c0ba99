"""Promises about scores, winners and rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import RewardName
from ginkgo_env.testing.play import fresh, play, require

_CLOSE = 1e-5


def check_scores(game: Game, *, seed: int = 0, rows: int = 6) -> None:
    """Scores by source, outcome, breakdown, totals and standings agree, in every state and at the end."""
    batch = fresh(game, rows, seed)
    for step in play(batch):
        if step % 16 == 0 or batch.over.all():
            _require_scores(game, batch, step)
    require((batch.scores().sum(axis=2) == batch.totals).all(), "the totals of finished games are not their scores")
    for row in range(rows):
        outcome = game.outcome(batch.state(row))
        standings = batch.standings[row]
        require(outcome.standings == tuple(standings.tolist()), f"row {row}: outcome and batch have different standings")
        best = tuple(np.flatnonzero(standings == standings.max()).tolist())
        require(outcome.ending is not None and outcome.winners == best, f"row {row}: a winner does not rank highest")


def _require_scores(game: Game, batch: Batch, step: int) -> None:
    scores = batch.scores()
    require(scores.shape == (batch.size, game.sides, len(game.sources)), "scores do not have the shape (sides, sources)")
    for row in range(batch.size):
        outcome = game.outcome(batch.state(row))
        where = f"step {step}, row {row}"
        require(outcome.scores == tuple(scores[row].sum(axis=1).tolist()), f"{where}: outcome and scores differ")
        require((outcome.ending is None) == (batch.actor[row] >= 0), f"{where}: ending and actor disagree on whether it is over")
        require(bool(outcome.winners) == bool(batch.over[row]), f"{where}: winners and over disagree on whether it is over")
        require(len(outcome.breakdown) == game.sides, f"{where}: the breakdown does not have every side")
        for side, parts in enumerate(outcome.breakdown):
            require(_sum(parts) == outcome.scores[side], f"{where}: side {side}'s breakdown does not add up")


def _sum(parts: Any) -> int:
    """The sum of a breakdown without its total."""
    if isinstance(parts, dict):
        return sum(_sum(value) for name, value in parts.items() if name != "total")
    if isinstance(parts, list | tuple):
        return sum(_sum(value) for value in parts)
    return int(parts)


def check_rewards(game: Game, *, seed: int = 0, rows: int = 4) -> None:
    """``win`` and ``margin`` pay higher ranks more, at the end; ``score`` adds up to the score.

    With a single side there is only ``score``.
    """
    names: tuple[RewardName, ...] = ("win", "margin", "score") if game.sides > 1 else ("score",)
    require(Batch(game, 1).reward == names[0], f"the default reward is not {names[0]!r}")
    for name in names:
        batch = fresh(game, rows, seed, reward=name)
        start = batch.scores().sum(axis=2)
        total = np.zeros((rows, game.seats))
        for step in play(batch):
            if step:
                require(name == "score" or not batch.rewards[~batch.done].any(), f"{name}: a reward is paid before the end")
                total += batch.rewards
        gained = (batch.totals - start)[:, : game.seats]
        require(name != "score" or (total == gained).all(), "score: rewards do not add up to the score")
        if game.seats == game.sides:
            require(name == "score" or np.allclose(total.sum(axis=1), 0, atol=_CLOSE), f"{name}: rewards are not zero-sum")
        judged: dict[str, NDArray[Any]] = {"win": batch.standings, "margin": batch.totals}
        if name in judged:
            order = np.argsort(judged[name][:, : game.seats], axis=1)
            sorted_pay = np.take_along_axis(total, order, axis=1)
            require((np.diff(sorted_pay, axis=1) >= -_CLOSE).all(), f"{name}: a lower rank is paid more")
