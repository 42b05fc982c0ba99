"""Measurements of agents for ``ginkgo bench`` (entry points ``ginkgo_env.measurements``)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ginkgo_agents.base import DecisionBatch
from ginkgo_agents.registry import as_published, make_agent
from ginkgo_env.cli.bench import Measurement, counted, line, started, timed
from ginkgo_env.core.errors import ConfigError

_GAMES, _ALONE = 64, 8


def lookahead_decisions(game: str, seconds: float) -> Iterator[Measurement]:
    """Yield the time of a decision of the pretrained lookahead agent, in a batch and alone."""
    batch = started(game, _GAMES, {})
    try:
        agent = make_agent(as_published("lookahead"), game)
        agent.check(batch.game)
    except ConfigError:
        return  # none is trained for this game
    rows, keys = np.flatnonzero(~batch.over), np.arange(_GAMES, dtype=np.uint64)

    def one_at_a_time() -> None:
        for row in rows[:_ALONE]:
            agent.act(DecisionBatch(batch, np.array([row]), keys[:1]))

    together = counted(lambda: agent.act(DecisionBatch(batch, rows, keys[rows])), len(rows))
    many, one = timed(seconds, together=together, alone=counted(one_at_a_time, len(rows[:_ALONE]))).values()
    yield line(f"lookahead, {_GAMES} games together", 1e6 / many.cpu, "us a decision")
    yield line("lookahead, one game at a time", 1e6 / one.cpu, "us a decision")


def search_playouts(game: str, seconds: float) -> Iterator[Measurement]:
    """Yield how many playouts the agent ``search`` makes, the choice of candidates included."""
    batch, agent = started(game, _ALONE, {}), make_agent(as_published("search"), game)
    rows = np.flatnonzero(~batch.over)
    turn = DecisionBatch(batch, rows, np.arange(len(rows), dtype=np.uint64))
    playouts = int(turn.search(agent).visits.sum())
    (found,) = timed(seconds, search=counted(lambda: turn.search(agent), playouts)).values()
    yield line("search, playouts to the critic", found.cpu, "playouts/s")
