"""The analysis of a record or position, decision by decision."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ginkgo_agents.agents.base import Agent, Turn, Words
from ginkgo_agents.agents.pretrained import PretrainedSearch
from ginkgo_agents.agents.registry import make_agent
from ginkgo_agents.agents.search import SearchAgent
from ginkgo_agents.analysis.results import SCORE, WIN, AnalysisError, AnalysisResults, Decision, options_of
from ginkgo_agents.analysis.sources import DecisionPoint, Source, source_of
from ginkgo_agents.analysis.values import Evaluator, final_values, top_candidates, values_of
from ginkgo_env.core.batch import Batch, checked_seed
from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORLDS, TOP, AHEAD = 32, 5, 3
"""Defaults; ``docs/analysis.md`` says how they were chosen. With one side the default is to play to the end."""

ProgressCallback = Callable[[int, int], None]
"""Called with the number of decisions done and of all decisions."""


class Analysis(AnalysisResults):
    """The analysis of a record or a position.

    Notebooks display it. ``to_dict`` and ``to_json`` give it as plain data, ``plot`` as a picture.
    """

    def plot(self) -> Figure:
        """Draw the course of the values along a record, or the values of a single decision."""
        from ginkgo_agents.analysis.picture import figure_of

        return figure_of(self)

    def _repr_html_(self) -> str:
        from ginkgo_agents.analysis.text import html_of

        return html_of(self)


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
    files: Mapping[str, str] | None = None,
    progress: ProgressCallback | None = None,
) -> Analysis:
    """Estimate what the best actions of each decision are worth, and what the action taken lost.

    source : a :class:`~ginkgo_env.Record`, a position as plain data (``batch.position(row)``), the path of either, or its text
    agent : the agent that values actions and plays on at all seats, or its name as in ``ginkgo leaderboard --agents``
    seat : for a record, analyse only the decisions of this seat; for a position, the seat that decides
    worlds : number of resampled worlds for each decision, at least 2
    top : the largest number of actions of a decision to value; the action taken is always included
    ahead : the number of own decisions after this one at which the agent evaluates the position; 0 plays every world to its end,
        as always with agents that do not evaluate positions. None: 3, or 0 in games with one side
    seed : random seed of the worlds: the same seed gives the same numbers
    step : for a record, analyse only the decision of this step
    game : the game to use for a position that does not hold its whole configuration (such as the folder of a board)
    files : paths of the game's files that replace those in a record or position that is read, such as ``{"board": path}``
    progress : called with the number of decisions done and of all decisions

    After Ctrl-C it returns the finished decisions, with ``complete`` false; if there are none, it raises KeyboardInterrupt.

    Raises AnalysisError or another GinkgoError, before any work, if the source cannot be analyzed.

    >>> import ginkgo_env
    >>> from ginkgo_agents import analyze
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), 1)
    >>> analysis = analyze(batch.position(0), "random", worlds=4)
    >>> analysis.decisions[0].best.loss.mean
    0.0
    """
    src = source_of(source, game, files)
    counts = {"worlds": integer(worlds, 2, None, "worlds"), "top": integer(top, 1, None, "top"), "seed": checked_seed(seed)}
    if ahead is None:
        ahead = AHEAD if src.game.sides > 1 else 0
    points = _chosen_points(src, seat, step)
    evaluator = _evaluator(agent, src.game, integer(ahead, 0, None, "ahead"), points[0])
    decisions = list[Decision]()
    complete = True
    try:
        for point in points:
            decisions.append(_decision(evaluator, src.game, point, **counts))
            if progress is not None:
                progress(len(decisions), len(points))
    except KeyboardInterrupt:
        if not decisions:
            raise
        complete = False
    name = agent if isinstance(agent, str) else type(agent).__name__
    record, end = None, None
    if src.record is not None:
        record = {"seed": src.record.header["seed"], "steps": len(src.points), "result": src.record.result}
        end = _final_values(src)
    return Analysis(
        *(src.game, src.names, tuple(decisions), name, counts["worlds"], evaluator.ahead, counts["top"], counts["seed"]),
        *(record, end, complete),
    )


def _evaluator(agent: str | Agent, game: Game, ahead: int, first: DecisionPoint) -> Evaluator:
    """Check the agent, and return it with its variant that plays on."""
    if not isinstance(agent, str | Agent):
        raise ConfigError(f"agent must be a name or an Agent, got {shown(agent)}")
    valuing = make_agent(agent, game.name) if isinstance(agent, str) else agent
    valuing.check(game)
    player = valuing.fast_variant()
    has_value = ahead > 0 and valuing.value(_turn(game, first, 0)) is not None
    ahead = ahead if has_value else 0
    if isinstance(valuing, SearchAgent | PretrainedSearch) and game.sides > 1:  # values of playouts are bounded, scores are not
        return Evaluator(valuing, player, ahead, valuing.playouts(game, ahead))
    return Evaluator(valuing, player, ahead)


# --- which decisions ---------------------------------------------------------------------------------------------------------


def _chosen_points(source: Source, seat: int | None, step: int | None) -> tuple[DecisionPoint, ...]:
    """The decisions to analyse. Raises AnalysisError if there are none."""
    game, points = source.game, source.points
    seat = None if seat is None else integer(seat, 0, game.seats - 1, "seat", AnalysisError)
    if step is not None:
        if source.record is None:
            raise AnalysisError(f"a position has no steps: step must be None, got {shown(step)}")
        points = (points[integer(step, 1, len(points), "step", AnalysisError) - 1],)
    if seat is None:
        return points
    own = tuple(point for point in points if _actor(game, point) == seat)
    if own:
        return own
    if source.record is not None and step is None:
        raise AnalysisError(f"{source.names[seat]} (seat {seat}) makes no decision in this record")
    actor = _actor(game, points[0])
    raise AnalysisError(f"{source.names[seat]} (seat {seat}) does not decide here: {source.names[actor]} (seat {actor}) does")


def _actor(game: Game, point: DecisionPoint) -> int:
    return int(game.actor(point.state)[0])


# --- one decision ------------------------------------------------------------------------------------------------------------


def _turn(game: Game, point: DecisionPoint, seed: int) -> Turn:
    batch = Batch(game, 1)
    batch.set_states([0], point.state, check=False)
    observation = batch.observe()[0]
    return Turn(batch, np.zeros(1, np.int64), _words(seed, _actor(game, point), observation.tobytes()))


def _words(seed: int, seat: int, observation: bytes) -> Words:
    """The random word of a decision. It depends on the seed and on what the seat sees; nothing else may change an analysis."""
    key, salt = seed.to_bytes(8, "little"), seat.to_bytes(8, "little")
    return np.frombuffer(hashlib.blake2b(observation, digest_size=8, key=key, salt=salt).digest(), np.uint64).copy()


def _decision(evaluator: Evaluator, game: Game, point: DecisionPoint, worlds: int, top: int, seed: int) -> Decision:
    turn, seat = _turn(game, point, seed), _actor(game, point)
    ids = top_candidates(evaluator, turn, top)
    taken = None if point.taken is None else game.parse_action(point.state, point.taken)
    if taken is not None:  # listed first, so that it wins ties
        ids = np.concatenate([[taken], ids[ids != taken]])
    texts = [game.action_text(point.state, int(action)) for action in ids]
    values = values_of(evaluator, turn, ids, worlds)
    options = options_of(ids.tolist(), texts, values, WIN if game.sides > 1 else SCORE)
    return Decision(
        *(point.step, game.round_of(point.state), seat, game.decisions[int(turn.kinds[0])]),
        *(int(np.count_nonzero(turn.masks)), options, next((option for option in options if option.id == taken), None)),
    )


def _final_values(source: Source) -> tuple[float, ...] | None:
    """The value of the finished game to each seat; None if it is not finished."""
    if source.game.actor(source.last)[0] >= 0:
        return None
    outcome = source.game.outcome(source.last)
    totals, standings = np.array([outcome.scores]), np.array([outcome.standings])
    return tuple(float(final_values(totals, standings, seat)[0]) for seat in range(source.game.seats))
