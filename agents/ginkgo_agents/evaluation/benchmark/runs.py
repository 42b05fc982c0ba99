"""A run of the benchmark: an agent on tasks, their games and scores.

From the folder of a run an interrupted one continues.

Against each opponent the mean over deals is normalized: 0 is random's frozen result, 100 the reference's. The score is the mean
over the panel. All opponents are met on the same deals, so its interval is over deals, each with its mean over the panel. Points
and margins are over the deals of which no game was lost by an error of the agent's own.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial, reduce
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

import ginkgo_env
from ginkgo_agents.evaluation.benchmark.tasks import Budget, Task, agents_in, budget_text, training_sets
from ginkgo_agents.evaluation.files import RUN, TASKS, read_json
from ginkgo_agents.evaluation.matches import (
    LostGame,
    MatchConfig,
    MatchResults,
    ProgressCallback,
    Spent,
    chunks_of,
    count_lost,
    local_runner,
)
from ginkgo_agents.evaluation.statistics import Interval, mean_rate, plain_interval, student
from ginkgo_agents.process import PREFIX
from ginkgo_agents.registry import as_published, identities_of, make_agent
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.files import atomic_write, write_file
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert
from ginkgo_env.datasets.metadata import arrow, parquet
from ginkgo_env.registry import game_class, make_game

FORMAT, VERSION = "ginkgo-benchmark", 1

Rates = NDArray[np.float64]


class Cell(NamedTuple):
    """A part of a task: an opponent and a configuration."""

    task: Task
    opponent: str
    config: Mapping[str, Any]

    def match(self, agent: str) -> MatchConfig:
        """The match, with the agent at its first position and its opponents at the others."""
        others = [as_published(name) for name in agents_in(self.opponent)]
        seats = make_game(game_class(self.task.game), **self.config).seats
        return MatchConfig(self.task.game, (agent, *others * ((seats - 1) // len(others))), self.config)

    @property
    def seed(self) -> int:
        """The seed of its deals, which differ between configurations and are the same against all opponents."""
        return self.task.seed + self.task.configurations.index(dict(self.config))

    def deals(self, quick: bool) -> int:
        """Number of deals."""
        return self.task.quick_deals if quick else self.task.deals


def cells_of(task: Task) -> Iterator[Cell]:
    """The parts of a task, opponent by opponent."""
    return (Cell(task, opponent, config) for opponent in task.panel for config in task.configurations)


def play_cell(
    cell: Cell, agent: str, deals: int, threads: int = 1, progress: ProgressCallback | None = None
) -> tuple[MatchResults, float]:
    """Play a cell; return its results, and the processor time of the agent's decisions in seconds.

    The time includes that of child processes that have ended.
    """
    match, children = cell.match(agent), _seconds_of_children()
    chunks = chunks_of(match, deals, cell.seed, record=deals * match.rotations)
    results = reduce(MatchResults.concatenate, local_runner(threads)(chunks, progress))
    own = 0.0 if agent.startswith(PREFIX) else results.spent[agent].seconds  # for a process, only its own time
    return results, own + _seconds_of_children() - children


def _seconds_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def values_of(results: MatchResults, metric: str) -> Rates:
    """The metric of the agent at the first position: its mean over the games of each deal, (deals,)."""
    values = results.wins if metric == "wins" else results.totals
    return np.asarray(values[:, :, 0].mean(axis=1), np.float64)


Columns = dict[str, list[Any]]
COLUMNS = {
    "task": "id of the task",
    "opponent": "the member of the panel",
    "configuration": "number of the configuration in the task, from 0",
    "deal": "number of the deal, from 0",
    "seed": "seed of the game",
    "rotation": "number of the rotation of the deal, from 0: the agent's seat is minus this, modulo the number of seats",
    "win": "share in the win, 0 to 1",
    "score": "points of the agent",
    "margin": "its points minus the mean of the others'; null if there are none",
    "lost": "why a process lost the game before its end; null otherwise",
    "value": "what the metric of the task counts",
    "normalized": "the same where 0 is random's frozen result against the opponent, and 100 the reference's",
    "actions": "all actions of the game in their order, of all seats",
}
"""The columns and their meanings."""


def games_of(cell: Cell, results: MatchResults) -> Columns:
    """The games of a cell."""
    task, n = cell.task, results.totals.shape[1]
    lost = {(game.seed, game.rotation): game.why for game in results.lost if game.position == 0}
    seeds = [int(seed) for seed in results.seeds]
    pairs = [(deal, rotation) for deal in range(len(seeds)) for rotation in range(n)]
    why = [lost.get((seeds[deal], rotation)) for deal, rotation in pairs]
    win, score = results.wins[:, :, 0].ravel(), results.totals[:, :, 0].ravel()
    margin = results.margins[:, :, 0].ravel().tolist() if results.match.sides > 1 else [None] * len(pairs)
    values = np.asarray(win if task.metric == "wins" else score, np.float64)
    frozen = task.frozen[cell.opponent]
    if task.metric == "score":  # a lost game scores no better than random's result
        values = np.where([one is not None for one in why], np.minimum(values, frozen.random.mean), values)
    return {
        "task": [task.id] * len(pairs),
        "opponent": [cell.opponent] * len(pairs),
        "configuration": [task.configurations.index(dict(cell.config))] * len(pairs),
        "deal": [deal for deal, _ in pairs],
        "seed": [seeds[deal] for deal, _ in pairs],
        "rotation": [rotation for _, rotation in pairs],
        "win": win.tolist(),
        "score": score.tolist(),
        "margin": margin,
        "lost": why,
        "value": values.tolist(),
        "normalized": normalized(task, cell.opponent, values).tolist(),
        "actions": [[*game.actions] for game in results.recorded],
    }


def normalized(task: Task, opponent: str, values: Any) -> NDArray[np.float64]:
    """Values against an opponent, where 0 is random's frozen result and 100 the reference's."""
    zero, full = task.frozen[opponent].random.mean, task.frozen[opponent].reference.mean
    return np.asarray(100 * (np.asarray(values, np.float64) - zero) / (full - zero))


def joined(parts: list[Columns]) -> Columns:
    """Games of several parts, one after the other."""
    return {name: [value for part in parts for value in part[name]] for name in COLUMNS}


def games_schema() -> Any:
    """The columns in Parquet. Raises MissingPackageError if pyarrow is not installed."""
    pa = arrow()
    types = dict.fromkeys(("task", "opponent", "lost"), pa.string()) | {"seed": pa.uint64()}
    types |= dict.fromkeys(("configuration", "deal", "rotation"), pa.int32())
    types |= {"score": pa.int64(), "actions": pa.list_(pa.int32())}
    return pa.schema([pa.field(name, types.get(name, pa.float64()), metadata={"meaning": COLUMNS[name]}) for name in COLUMNS])


def write_parquet(games: Columns, path: Path) -> None:
    """Write games as Parquet. Raises MissingPackageError if pyarrow is not installed."""
    writer, table = parquet(), arrow().table(games, schema=games_schema())
    with atomic_write(path) as temporary:
        writer.write_table(table, temporary, compression="zstd")


Row = dict[str, Any]
_plain = partial(plain_interval, digits=4)


def scored(task: Task, games: Columns) -> Row:
    """Score and raw numbers of a task, from all its games."""
    by_opponent = {name: _deals(games, name, "value") for name in task.panel}
    zeros = {name: normalized(task, name, values) for name, values in by_opponent.items()}
    ends = [float(np.mean([normalized(task, name, end) for name in task.panel])) for end in (0, 1)]
    joint = np.mean(list(zeros.values()), axis=0)
    return {
        "task": task.id,
        "configurations": task.configurations,
        "seed": task.seed,
        "score": (score := _plain(_interval(task, joint, ends[0], ends[1], len(games["task"])))),
        "ceiling": (top := ceiling(task)),
        "percent": top and {name: end and round(100 * end / top, 2) for name, end in score.items()},
        "games": len(games["task"]),
        "lost": {why: games["lost"].count(why) for why in sorted({why for why in games["lost"] if why})},
        "panel": [_against(task, name, games, by_opponent[name], zeros[name]) for name in task.panel],
    }


def with_gaps(rows: Sequence[Row]) -> list[Row]:
    """Return the rows, with a ``gap`` where the training set of a task is among them.

    It is by how much the score is higher on the training set. The deals of both are independent, so the ends combine those of
    the two scores (Newcombe 1998).
    """
    scores = {row["task"]: Interval(**row["score"]) for row in rows if "score" in row}
    pairs = {
        task: (scores[other.id], scores[task]) for task, other in training_sets().items() if {task, other.id} <= scores.keys()
    }
    return [row | ({"gap": _plain(_gap(*pairs[row["task"]]))} if row["task"] in pairs else {}) for row in rows]


def _gap(one: Interval, other: Interval) -> Interval:
    mean = one.mean - other.mean
    low, high = math.hypot(one.mean - one.low, other.high - other.mean), math.hypot(one.high - one.mean, other.mean - other.low)
    return Interval(mean, mean - low, mean + high)


def ceiling(task: Task) -> float | None:
    """The score of winning every game; None where points count."""
    return round(float(np.mean([normalized(task, name, 1) for name in task.panel])), 2) if task.metric == "wins" else None


def anchor_error(task: Task) -> float:
    """The standard error of the frozen result that counts as 100, in points of the score."""
    errors = [100 * own.reference.error / (own.reference.mean - own.random.mean) for own in task.frozen.values()]
    return math.hypot(*errors) / len(errors)


def _against(task: Task, opponent: str, games: Columns, values: Rates, normal: Rates) -> Row:
    frozen, own = task.frozen[opponent], [name == opponent for name in games["opponent"]]
    low, high = (float(normalized(task, opponent, end)) for end in (0, 1))
    alone = next(margin for margin, mine in zip(games["margin"], own, strict=True) if mine) is None
    lost = _deals(games, opponent, "lost")
    return {
        "opponent": opponent,
        "deals": len(values),
        "games": sum(own),
        "played_out": int((lost == 0).sum()),
        "normalized": _plain(_interval(task, normal, low, high, sum(own))),
        "win": None if alone else _plain(mean_rate(_deals(games, opponent, "win"), games=sum(own))),
        "points": _plain(student(_deals(games, opponent, "score")[lost == 0])),
        "margin": None if alone else _plain(student(_deals(games, opponent, "margin")[lost == 0])),
        "random": frozen.random.mean,
        "reference": frozen.reference.mean,
    }


def _deals(games: Columns, opponent: str, column: str) -> Rates:
    """The means over the games of each deal, (deals of all configurations,), in one order for all opponents."""
    means = dict[tuple[int, int], list[float]]()
    for name, *key, value in zip(*(games[one] for one in ("opponent", "configuration", "deal", column)), strict=True):
        if name == opponent:
            means.setdefault(tuple(key), []).append(value is not None if column == "lost" else value)
    return np.array([np.mean(means[key]) for key in sorted(means)])


def _interval(task: Task, values: Rates, low: float, high: float, games: int) -> Interval:
    return student(values) if task.metric == "score" else mean_rate(values, low, high, games)


Progress = Callable[[Task, int], None]
"""Called with a task and the number of its games that have just ended."""


@dataclass(frozen=True)
class Run:
    """The settings on which a result depends, apart from the task.

    agent : its name
    budget, declared : its budget, and whether that is only declared
    quick : whether to play the first deals only
    """

    agent: str
    budget: Budget | None = None
    declared: bool = True
    quick: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that must be the same for all results in a folder."""
        return {"format": FORMAT, "version": VERSION, **asdict(self), "ginkgo_env": ginkgo_env.__version__}

    def identities(self, task: Task) -> dict[str, list[dict[str, Any]]]:
        """What the agent and the opponents of a task are."""
        names = dict.fromkeys(name for cell in cells_of(task) for name in cell.match(self.agent).agents)
        return {name: identities_of(name, task.games()) for name in names}


class _TaskResult(StrictStruct):
    """The contents of the file of a task."""

    identities: dict[str, list[dict[str, Any]]]
    games: dict[str, list[Any]]
    decisions: int
    seconds: float
    messages: list[str]
    timed_playouts: int


def prepare_folder(run: Run, folder: Path) -> None:
    """Make the folder of a run, or check that a folder has the same run.

    Raises ConfigError if the folder holds another run or other files.
    """
    path = folder / RUN
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ConfigError(f"cannot write into {short_repr(str(folder))}: it holds other files")
        (folder / TASKS).mkdir()
        write_file(path, json.dumps(run.settings, indent=1) + "\n")
    there, own = read_json(path), run.settings
    names = [name for name in own if not isinstance(there, dict) or there.get(name) != own[name]]
    if names:
        raise ConfigError(
            f"{short_repr(str(folder))} holds another run, which differs in {', '.join(names)}; give another folder"
        )


def reason_not_to_play(run: Run, task: Task) -> str | None:
    """Why the agent cannot play a task; None if it can."""
    try:
        agent = make_agent(run.agent, task.game)
        for game in task.games():
            agent.check(game)
    except ConfigError as error:
        return str(error)
    return None


def play_tasks(
    run: Run, tasks: Sequence[Task], folder: Path | None = None, threads: int = 1, progress: Progress | None = None
) -> Iterator[tuple[Row, Columns | None]]:
    """Play tasks one after the other; yield the row of each in a report, and its games.

    The games of a task that the agent cannot play are None.

    folder : the folder of the run; tasks that are finished there are not played again, see :func:`prepare_folder`
    """
    paths = {task.id: folder and folder / TASKS / f"{task.id.replace('/', '--')}.json" for task in tasks}
    finished = {task.id: _finished(path, run, task) for task in tasks if (path := paths[task.id]) and path.exists()}
    for task in tasks:
        head = {"task": task.id, "game": f"{task.game}-v{game_class(task.game).version}", "metric": task.metric}
        head |= {"budget": budget_text(run.budget), "track": task.track(run.budget)}
        if unable := reason_not_to_play(run, task):
            yield head | {"unable": unable}, None
            continue
        played = finished.get(task.id) or _play(run, task, threads, progress)
        if (path := paths[task.id]) and task.id not in finished:
            write_file(path, json.dumps(msgspec.structs.asdict(played)) + "\n")
        cost = {"decisions": played.decisions, "seconds": round(played.seconds, 3), "messages": played.messages}
        cost |= {"timed_playouts": played.timed_playouts} if played.timed_playouts else {}
        yield head | scored(task, played.games) | cost | {"identities": played.identities}, played.games


def games_in(run: Run, task: Task) -> int:
    """Number of games of a task."""
    return sum(cell.deals(run.quick) * cell.match(run.agent).rotations for cell in cells_of(task))


def _finished(path: Path, run: Run, task: Task) -> _TaskResult:
    """Read the file of a task. Raises ConfigError if other agents of the same names have played it."""
    try:
        played = convert(read_json(path), _TaskResult)
    except JsonError as error:
        raise ConfigError(f"{short_repr(path.name)}: {error}") from None
    if list(played.games) != list(COLUMNS):
        raise ConfigError(f"{short_repr(path.name)} has other columns than expected")
    own = run.identities(task)
    if changed := [name for name in own if played.identities.get(name) != own[name]]:
        raise ConfigError(
            f"{short_repr(str(path.parent.parent))} has results of another {short_repr(changed[0])}; give another folder"
        )
    return played


def _play(run: Run, task: Task, threads: int, progress: Progress | None) -> _TaskResult:
    parts, seconds, total, lost = list[Columns](), 0.0, Spent(0, 0.0), list[LostGame]()
    for cell in cells_of(task):
        each = None if progress is None else lambda _, n, show=progress: show(task, n)
        results, more = play_cell(cell, run.agent, cell.deals(run.quick), threads, each)
        parts.append(games_of(cell, results))
        seconds, total = seconds + more, total.plus(results.spent[run.agent])
        lost += results.lost
    messages: list[str] = count_lost(lost)["messages"]
    return _TaskResult(run.identities(task), joined(parts), total.decisions, seconds, messages, total.timed_playouts)
