"""The analysis of a record or position, decision by decision."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ginkgo_agents.agents.base import Agent, Turn, Words
from ginkgo_agents.agents.registry import make_agent
from ginkgo_agents.analysis.results import SCORE, WIN, Analysis, AnalysisError, Decision, Option, options_of
from ginkgo_agents.analysis.sources import Moment, Source, source_of
from ginkgo_agents.analysis.values import Judge, final_values, top_candidates, values_of
from ginkgo_env.core.batch import Batch, checked_seed
from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game

WORLDS, TOP, AHEAD = 32, 5, 3
"""Defaults; ``docs/analysis.md`` says how they were chosen. Where a side plays alone the default is to play to the end."""

Tick = Callable[[int, int], None]
"""Called with the numbers of decisions done and of all."""


def analyze(
    source: object,
    agent: str | Agent = "lookahead",
    seat: int | None = None,
    *,
    worlds: int = WORLDS,
    top: int = TOP,
    ahead: int | None = None,
    seed: int = 0,
    step: int | None = None,
    game: Game | None = None,
    progress: Tick | None = None,
) -> Analysis:
    """What the best actions of each decision are worth, and what the action taken lost.

    source : a :class:`~ginkgo_env.Record`, a position as plain data (``batch.position(row)``), the path of either, or its text
    agent : who values actions and plays on at all seats: a name as in ``ginkgo leaderboard --agents``, or an agent
    seat : of a record only the decisions of this seat; of a position the seat that decides
    worlds : resampled worlds for each decision, at least 2
    top : the most actions of a decision that are valued; the one taken always is
    ahead : at which own decision after this one the agent judges the position; 0: every world is played to its end, as it always
        is with an agent that does not judge positions. None: 3, or 0 where a side plays alone
    seed : of the worlds: the same seed gives the same numbers
    step : of a record only the decision of this step
    game : what reads a position, if that does not tell all of its configuration (the folder of a board)
    progress : called with the numbers of decisions done and of all

    After Ctrl-C the decisions done are returned, with ``complete`` false; KeyboardInterrupt is raised if there are none.

    Raises AnalysisError or another GinkgoError, before any work, for what cannot be analysed.

    >>> import ginkgo_env
    >>> from ginkgo_agents import analyze
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), 1)
    >>> found = analyze(batch.position(0), "random", worlds=4)
    >>> found.decisions[0].best.loss.mean
    0.0
    """
    found = source_of(source, game)
    counts = {"worlds": integer(worlds, 2, None, "worlds"), "top": integer(top, 1, None, "top"), "seed": checked_seed(seed)}
    ahead = _default_ahead(found.game) if ahead is None else integer(ahead, 0, None, "ahead")
    moments = _chosen(found, seat, step)
    judge = _judge(agent, found.game, ahead, moments[0])
    decisions = list[Decision]()
    complete = True
    try:
        for moment in moments:
            decisions.append(_decision(judge, found.game, moment, **counts))
            if progress is not None:
                progress(len(decisions), len(moments))
    except KeyboardInterrupt:
        if not decisions:
            raise
        complete = False
    name = agent if isinstance(agent, str) else type(agent).__name__
    record, end = (None, None) if found.record is None else (_about(found), _end(found))
    return Analysis(
        *(found.game, found.names, tuple(decisions), name, counts["worlds"], judge.ahead, counts["top"], counts["seed"]),
        *(record, end, complete),
    )


def _default_ahead(game: Game) -> int:
    return AHEAD if game.sides > 1 else 0


def _judge(agent: str | Agent, game: Game, ahead: int, first: Moment) -> Judge:
    """The agent, checked, and whoever plays on for it."""
    if not isinstance(agent, str | Agent):
        raise ConfigError(f"invalid agent {shown(agent)}; expected a name or an agent")
    found = make_agent(agent, game.name) if isinstance(agent, str) else agent
    found.check(game)
    player = found.hasty()
    judges = ahead > 0 and found.outlook(_turn(game, first, 0)) is not None
    return Judge(found, player, ahead if judges else 0)


# --- which decisions ---------------------------------------------------------------------------------------------------------


def _chosen(source: Source, seat: int | None, step: int | None) -> tuple[Moment, ...]:
    """The decisions that are asked for. Raises AnalysisError if there are none."""
    game, moments = source.game, source.moments
    seat = None if seat is None else integer(seat, 0, game.seats - 1, "seat", AnalysisError)
    if step is not None:
        moments = _at_step(source, step)
    if seat is None:
        return moments
    own = tuple(moment for moment in moments if _actor(game, moment) == seat)
    if own:
        return own
    if source.record is not None and step is None:
        raise AnalysisError(f"{source.names[seat]} (seat {seat}) decides nothing in this record")
    actor = _actor(game, moments[0])
    raise AnalysisError(f"{source.names[seat]} (seat {seat}) does not decide here: {source.names[actor]} (seat {actor}) does")


def _at_step(source: Source, step: int) -> tuple[Moment, ...]:
    if source.record is None:
        raise AnalysisError("a position has no steps: leave out the step")
    last = len(source.moments)
    return (source.moments[integer(step, 1, last, "step", AnalysisError) - 1],)


def _actor(game: Game, moment: Moment) -> int:
    return int(game.actor(moment.state)[0])


# --- one decision ------------------------------------------------------------------------------------------------------------


def _turn(game: Game, moment: Moment, seed: int) -> Turn:
    batch = Batch(game, 1)
    batch.set_states([0], moment.state)
    seen = batch.observe()[0]
    return Turn(batch, np.zeros(1, np.int64), _words(seed, _actor(game, moment), seen.tobytes()))


def _words(seed: int, seat: int, seen: bytes) -> Words:
    """The random word of a decision: of the seed and of what the seat sees, for nothing else may change an analysis."""
    digest = hashlib.blake2b(seen, digest_size=8, key=seed.to_bytes(8, "little"), salt=seat.to_bytes(8, "little")).digest()
    return np.frombuffer(digest, np.uint64).copy()


def _decision(judge: Judge, game: Game, moment: Moment, worlds: int, top: int, seed: int) -> Decision:
    turn, seat = _turn(game, moment, seed), _actor(game, moment)
    ids = top_candidates(judge, turn, top)
    taken = None if moment.taken is None else game.parse_action(moment.state, moment.taken)
    if taken is not None:  # first: among equals it is the best
        ids = np.concatenate([[taken], ids[ids != taken]])
    texts = [game.action_text(moment.state, int(action)) for action in ids]
    values = values_of(judge, turn, ids, worlds)
    options = options_of(ids.tolist(), texts, values, WIN if game.sides > 1 else SCORE)
    return Decision(
        *(moment.step, game.round_of(moment.state), seat, game.decisions[int(turn.kinds[0])]),
        *(int(np.count_nonzero(turn.masks)), options, _with_id(options, taken)),
    )


def _with_id(options: Iterable[Option], action: int | None) -> Option | None:
    return next((option for option in options if option.id == action), None)


# --- the record --------------------------------------------------------------------------------------------------------------


def _about(source: Source) -> dict[str, Any]:
    record = source.record
    assert record is not None
    return {"seed": record.header["seed"], "steps": len(source.moments), "result": record.result}


def _end(source: Source) -> tuple[float, ...] | None:
    """What the finished game was worth to each seat."""
    if source.game.actor(source.last)[0] >= 0:
        return None
    outcome = source.game.outcome(source.last)
    totals, standings = np.array([outcome.scores]), np.array([outcome.standings])
    return tuple(float(final_values(totals, standings, seat)[0]) for seat in range(source.game.seats))
