"""The analysis of a record or position, decision by decision, by values of actions from playouts.

All actions meet the same worlds and the same random numbers. Values depend on no true state: worlds come from a
:class:`~ginkgo_agents.base.DecisionBatch`, which resamples what its seat cannot know.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.analysis.results import FORMAT as ANALYSIS_FORMAT
from ginkgo_agents.analysis.results import SCORE, WIN, AnalysisError, AnalysisResults, Decision, options_of, value_interval
from ginkgo_agents.base import Agent, DecisionBatch, Keys, actions_of, nth_keys
from ginkgo_agents.evaluation.statistics import win_shares
from ginkgo_agents.lookahead import win_chance
from ginkgo_agents.playouts import Playouts, choose_again
from ginkgo_agents.pretrained import PretrainedSearch
from ginkgo_agents.registry import make_agent
from ginkgo_agents.search import SearchAgent
from ginkgo_env.core.batch import Batch, checked_seed
from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import BatchError, ConfigError, short_repr
from ginkgo_env.core.files import read_some
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.records import Record, replay
from ginkgo_env.records.format import FORMAT as RECORD_FORMAT
from ginkgo_env.records.record import VIEW_FORMAT
from ginkgo_env.registry import position_game

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORLDS, TOP, AHEAD = 32, 5, 3
"""Defaults; ``docs/analysis.md`` says how they were chosen. With one side the default is to play to the end."""

ProgressCallback = Callable[[int, int], None]
"""Called with the number of decisions done and of all decisions."""


class Analysis(AnalysisResults):
    """The analysis of a record or a position.

    Notebooks display it. ``to_dict`` and ``to_json`` give it as plain data, ``plot`` as a picture.

    >>> import ginkgo_env
    >>> from ginkgo_agents import analyze
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city"), 1)
    >>> analysis = analyze(batch.position(0), "random", worlds=4)
    >>> analysis.unit, analysis.decisions[0].best.loss.mean
    ('win', 0.0)
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
        raise ConfigError(f"agent must be a name or an Agent, got {short_repr(agent)}")
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
            raise AnalysisError(f"a position has no steps: step must be None, got {short_repr(step)}")
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


def _turn(game: Game, point: DecisionPoint, seed: int) -> DecisionBatch:
    batch = Batch(game, 1)
    batch.set_states([0], point.state, check=False)
    observation = batch.observe()[0]
    return DecisionBatch(batch, np.zeros(1, np.int64), _keys(seed, _actor(game, point), observation.tobytes()))


def _keys(seed: int, seat: int, observation: bytes) -> Keys:
    """The random key of a decision. It depends on the seed and on what the seat sees; nothing else may change an analysis."""
    secret, salt = seed.to_bytes(8, "little"), seat.to_bytes(8, "little")
    return np.frombuffer(hashlib.blake2b(observation, digest_size=8, key=secret, salt=salt).digest(), np.uint64).copy()


def _decision(evaluator: Evaluator, game: Game, point: DecisionPoint, worlds: int, top: int, seed: int) -> Decision:
    turn, seat = _turn(game, point, seed), _actor(game, point)
    probabilities = evaluator.agent.probabilities(turn)[0]
    ids = top_candidates(evaluator, turn, top, probabilities)
    taken = None if point.taken is None else game.parse_action(point.state, point.taken)
    if taken is not None:  # listed first, so that it wins ties
        ids = np.concatenate([[taken], ids[ids != taken]])
    texts = [game.action_text(point.state, int(action)) for action in ids]
    values, unit = values_of(evaluator, turn, ids, worlds), WIN if game.sides > 1 else SCORE
    options, weights = options_of(ids.tolist(), texts, values, unit), probabilities[ids]
    weights = weights / weights.sum() if weights.any() else np.full(len(ids), 1 / len(ids))
    return Decision(
        *(point.step, game.round_of(point.state), seat, game.decisions[int(turn.kinds[0])]),
        *(int(np.count_nonzero(turn.masks)), value_interval(weights @ values, unit), options),
        next((option for option in options if option.id == taken), None),
    )


def _final_values(source: Source) -> tuple[float, ...] | None:
    """The value of the finished game to each seat; None if it is not finished."""
    if source.game.actor(source.last)[0] >= 0:
        return None
    outcome = source.game.outcome(source.last)
    totals, standings = np.array([outcome.scores]), np.array([outcome.standings])
    return tuple(float(final_values(totals, standings, seat)[0]) for seat in range(source.game.seats))


_MOST_BYTES = 1 << 25
_EXPECTED = "expected a game record (JSON lines) or a position (JSON)"
_NO_SOURCES = {
    VIEW_FORMAT: "a record of what one seat saw cannot be replayed; expected the whole record",
    ANALYSIS_FORMAT: "the source is an analysis; expected the record or position that was analyzed",
    RECORD_FORMAT: "the source is the first line of a record; expected a Record, or its whole text",
}


class DecisionPoint(NamedTuple):
    """A decision to analyse."""

    state: States
    """Before the decision, shape (1,)."""
    step: int | None
    taken: str | None
    """The action taken, in notation."""


class Source(NamedTuple):
    """A checked record or position."""

    game: Game
    names: tuple[str, ...]
    points: tuple[DecisionPoint, ...]
    last: States
    """The last state of a record; a position's own."""
    record: Record | None


def source_of(source: object, game: Game | None = None, files: Mapping[str, str] | None = None) -> Source:
    """Read and check a Record, the plain data of a position, or the path or text of a file of either.

    game : the game to use for a position that does not hold its whole configuration, such as the folder of a board
    files : paths of the game's files that replace those of a source that is read, such as ``board``

    Raises AnalysisError for any other source, RecordError or PositionError for an invalid record or position.
    """
    if isinstance(source, Record):
        return _of_record(source)
    if isinstance(source, Mapping):
        return _of_document(source, game, files or {})
    if isinstance(source, str | os.PathLike):
        return _of_text(_text(source), game, files or {})
    raise AnalysisError(f"source must be a Record, a position, or the path of either, got {short_repr(source)}")


def _text(source: str | os.PathLike[str]) -> str:
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return source
    content = read_some(source, _MOST_BYTES, AnalysisError)
    if len(content) > _MOST_BYTES:
        raise AnalysisError(f"the file is larger than {_MOST_BYTES} bytes; {_EXPECTED}")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise AnalysisError(f"the file is not UTF-8 text; {_EXPECTED}") from None


def _of_text(text: str, game: Game | None, files: Mapping[str, str]) -> Source:
    head = _object(text.lstrip().partition("\n")[0])
    if head is not None and head.get("format") == RECORD_FORMAT:
        return _of_record(Record.read(text, **files))
    whole = head if head is not None and head.get("format") == VIEW_FORMAT else _object(text)
    if whole is None:
        raise AnalysisError(f"the file holds no JSON object; {_EXPECTED}")
    return _of_document(whole, game, files)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _of_document(document: Mapping[str, Any], game: Game | None, files: Mapping[str, str]) -> Source:
    kind = document.get("format")
    if kind in _NO_SOURCES:
        raise AnalysisError(_NO_SOURCES[kind])
    if not isinstance(document.get("game"), str) or not isinstance(document.get("config"), Mapping):
        raise AnalysisError(f"the source names no game; {_EXPECTED}")
    reader = game if game is not None else position_game(document, **files)
    state = reader.from_position(document)
    if reader.actor(state)[0] < 0:
        raise AnalysisError("the game is over in this position")
    return Source(reader, tuple(reader.side_names), (DecisionPoint(state, None, None),), state, None)


def _of_record(record: Record) -> Source:
    """Replay the whole record, which checks it before any analysis."""
    steps = list(replay(record))
    decisions = ((before.state, step) for before, step in pairwise(steps) if step.action is not None)
    points = tuple(DecisionPoint(state, step.number, step.action) for state, step in decisions)
    if not points:
        raise AnalysisError("there is no decision in this record")
    return Source(record.game, tuple(record.names), points, steps[-1].state, record)


_MOST_ROWS = 2048  # games side by side: bounds memory, and the delay of Ctrl-C
_TRIAL_WORLDS = 4  # in which all actions are tried, to choose the candidates
_VALUES, _TRIALS = 0, 1  # salts: the worlds that choose candidates are not those that value them
_ROLLOUT_KEYS = 1 << 20  # numbers of random keys beyond those that a turn uses itself

Ids = NDArray[np.int64]
Values = NDArray[np.float64]


class Evaluator(NamedTuple):
    """The agents that value actions."""

    agent: Agent
    """Chooses the candidates, and evaluates positions."""
    player: Agent
    """Plays on, at all seats."""
    ahead: int
    """The number of own decisions after which the agent evaluates the position; 0 plays the game to its end."""
    playouts: Playouts | None = None
    """Compiled playouts that play on and evaluate, in place of agent and player."""


def values_of(evaluator: Evaluator, turn: DecisionBatch, actions: Ids, worlds: int, salt: int = _VALUES) -> Values:
    """The value (n, worlds) of actions (n,) in each world, for the single row of a turn.

    A value is the probability that the deciding seat wins (a shared first place counts as its share), or the final score in
    games with one side: as estimated by the agent, or exact where the game has ended. More worlds do not change the first ones.
    """
    streams = _streams(turn, worlds, salt)
    if evaluator.playouts is not None:
        tried = np.repeat(actions, worlds)
        won = evaluator.playouts.values(turn, np.zeros(len(tried), np.int64), tried, np.tile(streams, len(actions)))[:, 0]
        return win_chance(won, turn.game.sides).reshape(len(actions), worlds).astype(np.float64)
    start_states = turn.resampled_batch(worlds, salt)
    choose_again(start_states, np.repeat(turn.seats, worlds), evaluator.player, streams)
    each = max(1, _MOST_ROWS // len(actions))
    parts = []
    for start in range(0, worlds, each):
        part = np.arange(start, min(worlds, start + each))
        rollouts = _Rollouts(start_states, part, len(actions), int(turn.seats[0]), streams[part])
        parts.append(rollouts.play(evaluator, np.repeat(actions, len(part))).reshape(len(actions), -1))
    return np.concatenate(parts, axis=1)


def top_candidates(evaluator: Evaluator, turn: DecisionBatch, top: int, probabilities: Values) -> Ids:
    """The most promising legal actions for the single row of a turn, the agent's own choice first.

    These are at most `top`, the likeliest ones. Actions that the agent never plays are ranked by their values in a few further
    worlds; for an agent that does not sample its actions these are all but one.

    probabilities : (A,) with which the agent plays each action
    """
    legal = turn.legal_actions().actions
    probabilities = probabilities[legal]
    if len(legal) > top > np.count_nonzero(probabilities):
        trials = values_of(evaluator, turn, legal, _TRIAL_WORLDS, _TRIALS).mean(axis=1)
    else:
        trials = np.zeros(len(legal))
    return np.asarray(legal[np.lexsort((-trials, -probabilities))[:top]], np.int64)


def final_values(totals: NDArray[Any], standings: NDArray[Any], seat: int) -> Values:
    """The value (n,) of finished games to a seat: its share of the win, or its score as the only side.

    totals, standings : (n, sides)
    """
    if totals.shape[1] == 1:
        return totals[:, seat].astype(np.float64)
    return win_shares(standings)[:, seat]


def _streams(turn: DecisionBatch, worlds: int, salt: int) -> Keys:
    """(worlds,) random keys, from which the random numbers of the players derive."""
    each = np.arange(worlds, dtype=np.uint64) + np.uint64(_ROLLOUT_KEYS * (1 + salt))
    return nth_keys(np.repeat(turn.keys, worlds) ^ nth_keys(each, 1), 1)


class _Rollouts:
    """Games in which each action is taken in each world: row a x worlds + k has action a in world k."""

    def __init__(self, start_states: Batch, worlds: Ids, actions: int, seat: int, streams: Keys) -> None:
        n = actions * len(worlds)
        self.batch, self.seat, self.streams = Batch(start_states.game, n), seat, np.tile(streams, actions)
        self.batch.copy_rows(start_states, np.tile(worlds, actions), np.arange(n))
        self.values, self.own_decisions = np.full(n, np.nan), np.zeros(n, np.int64)

    def play(self, evaluator: Evaluator, first: Ids) -> Values:
        """Take the first actions (rows,) and play on until every row has a value."""
        actions, step = first, 0
        while True:
            self.batch.step(actions)
            step += 1
            ended = np.flatnonzero(np.isnan(self.values) & self.batch.over)
            self.values[ended] = final_values(self.batch.totals[ended], self.batch.standings[ended], self.seat)
            if evaluator.ahead > 0:
                self._evaluate(evaluator.agent, evaluator.ahead, step)
            rows = np.flatnonzero(np.isnan(self.values))
            if not rows.size:
                return self.values
            actions = np.full(self.batch.size, NO_ACTION, np.int64)
            actions[rows] = actions_of(evaluator.player, self._turn(rows, step))

    def _evaluate(self, agent: Agent, ahead: int, step: int) -> None:
        deciding = np.isnan(self.values) & (self.batch.actor == self.seat)
        self.own_decisions += deciding
        rows = np.flatnonzero(deciding & (self.own_decisions >= ahead))
        if rows.size:
            estimates = agent.value(self._turn(rows, step))
            values = np.asarray(np.nan if estimates is None else estimates, np.float64)
            if values.shape != (len(rows),) or np.isnan(values).any():
                raise BatchError(f"{type(agent).__name__}.value must return a number for each of {len(rows)} rows")
            self.values[rows] = values

    def _turn(self, rows: Ids, step: int) -> DecisionBatch:
        return DecisionBatch(self.batch, rows, nth_keys(self.streams[rows], step))
