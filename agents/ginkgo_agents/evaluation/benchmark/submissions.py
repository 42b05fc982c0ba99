"""Submissions to the leaderboard: a statement and runs, whose figures follow from their games.

A submission is a folder with ``statement.json``, and with ``benchmark.json`` and ``games.parquet`` of a run. In place of these
two files, a learning method has a folder with both for each training run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from ginkgo_agents.evaluation.benchmark.reports import GAMES, REPORT, Report
from ginkgo_agents.evaluation.benchmark.runs import (
    COLUMNS,
    FORMAT,
    Cell,
    Columns,
    Row,
    cells_of,
    games_of,
    games_schema,
    joined,
    scored,
    with_gaps,
)
from ginkgo_agents.evaluation.benchmark.tasks import Task, scored_tasks
from ginkgo_agents.evaluation.files import read_json
from ginkgo_agents.evaluation.matches import LostGame, MatchResults, RecordedGame, by_position, deal_seeds, put_last
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, IllegalActionError, short_repr
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert
from ginkgo_env.datasets.metadata import parquet

STATEMENT = "statement.json"
_AT_ONCE = 4096  # games replayed side by side
_Text = Annotated[str, Meta(min_length=1, max_length=500)]


class Statement(StrictStruct):
    """What the authors of a submission say of it.

    name : how the leaderboard calls the agent or method
    kind : what it is
    authors : who made it
    decides : a sentence on how it decides and, if it learned, how
    hardware : what the results were made on
    published : where code, weights or prompts are; empty if nowhere
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    kind: Literal["agent", "learning method", "bot", "language model"]
    authors: _Text
    decides: _Text
    hardware: _Text
    published: Annotated[str, Meta(max_length=500)]


class Submission(NamedTuple):
    """The statement, and the report of each run by the name of its folder, ``.`` if there is one run."""

    statement: Statement
    reports: Mapping[str, Report]


def read_submission(folder: Path) -> Submission:
    """Read a submission without its games. Raises ConfigError if it is incomplete or malformed."""
    try:
        statement = convert(read_json(folder / STATEMENT), Statement)
    except JsonError as error:
        raise ConfigError(f"{STATEMENT}: {error}") from None
    paths = sorted(folder.glob(f"*/{REPORT}")) or [folder / REPORT]
    reports = {path.parent.relative_to(folder).as_posix(): read_json(path) for path in paths}
    for name, report in reports.items():
        if not isinstance(report, dict) or report.get("format") != FORMAT:
            raise ConfigError(f"{short_repr(f'{name}/{REPORT}')} is not a report of ginkgo benchmark")
    return Submission(statement, reports)


def verified(folder: Path) -> Iterator[tuple[str, Row]]:
    """Replay all games of a submission; yield each run and task whose figures follow from them.

    Names, budgets, identities, training and processor time are not checked, as they do not follow from the games.

    Raises
    ------
    ConfigError
        For an incomplete or malformed submission, and for the first figure that differs.
    """
    for name, report in read_submission(folder).reports.items():
        games = _read_games(folder / name / GAMES)
        try:
            scores = [row for row in report["tasks"] if "score" in row]
            quick, agent, ids = bool(report["quick"]), str(report["agent"]["name"]), [str(row["task"]) for row in scores]
        except (KeyError, TypeError):
            raise ConfigError(f"{short_repr(f'{name}/{REPORT}')} is not a report of ginkgo benchmark") from None
        if unknown := [one for one in ids if one not in scored_tasks()] or sorted({*games["task"]} - {*ids}):
            raise ConfigError(f"{name}: unknown or missing task {short_repr(unknown[0])}")
        rows = list[Row]()
        for row in scores:
            task = scored_tasks()[row["task"]]
            own = [k for k, one in enumerate(games["task"]) if one == task.id]
            found, decisions = replayed(task, agent, quick, {column: [games[column][k] for k in own] for column in COLUMNS})
            rows.append(figures := scored(task, found) | {"metric": task.metric, "decisions": decisions})
            if differing := [figure for figure, value in figures.items() if row.get(figure) != value]:
                raise ConfigError(
                    f"{name}, {task.id}: the games give {short_repr(figures[differing[0]])} as {differing[0]}, "
                    f"the report has {short_repr(row.get(differing[0]))}"
                )
            yield name, row
        if wrong := [row["task"] for row, own in zip(scores, with_gaps(rows), strict=True) if row.get("gap") != own.get("gap")]:
            raise ConfigError(f"{name}, {wrong[0]}: the games give another gap than the report has")


def replayed(task: Task, agent: str, quick: bool, games: Columns) -> tuple[Columns, int]:
    """Replay the games of a task; return their columns, and the number of the agent's decisions.

    Raises ConfigError if games are missing, are others than those of the task, or end otherwise than they say.
    """
    parts, start, decisions = list[Columns](), 0, 0
    for cell in cells_of(task):
        n = cell.deals(quick) * cell.match(agent).rotations
        given = {column: games[column][start : start + n] for column in COLUMNS}
        results, counted = _replayed_cell(cell, agent, cell.deals(quick), given)
        parts.append(games_of(cell, results))
        start, decisions = start + n, decisions + counted
    found = joined(parts)
    for column in COLUMNS:
        if found[column] != games[column]:
            pairs = enumerate(zip(found[column], games[column], strict=False))
            k = next((k for k, (one, other) in pairs if one != other), min(len(found[column]), len(games[column])))
            raise ConfigError(f"{task.id}, game {k}: {column} is not what the seeds of the task and the actions give")
    return found, decisions


def _replayed_cell(cell: Cell, agent: str, deals: int, given: Columns) -> tuple[MatchResults, int]:
    match, n = cell.match(agent), len(given["actions"])
    if n < deals * match.rotations:
        raise ConfigError(f"{cell.task.id}: {deals * match.rotations - n} games against {cell.opponent} are missing")
    seeds, rotations = deal_seeds(cell.seed, match.seats, deals), np.tile(np.arange(match.rotations), deals)
    totals, standings = np.empty((2, n, match.sides), np.int64)
    decisions = 0
    own = np.array([name == agent for name in match.agents])[(rotations[:, None] + np.arange(match.seats)) % match.seats]
    for start in range(0, n, _AT_ONCE):
        part = slice(start, min(start + _AT_ONCE, n))
        batch = Batch(match.game_object, part.stop - part.start)
        batch.reset(np.repeat(seeds, match.rotations)[part])
        decisions += _play(batch, given["actions"][part], own[part], f"{cell.task.id} against {cell.opponent}")
        totals[part], standings[part] = batch.totals, batch.standings
        batch.close()
    lost = [(k, why) for k, why in enumerate(given["lost"]) if why is not None]
    for k, _ in lost:
        put_last(standings, k, -rotations[k] % match.rotations)
    of_deals = [by_position(values.reshape(deals, match.rotations, -1), match.seats) for values in (totals, standings)]
    games = [LostGame(int(seeds[k // match.rotations]), int(rotations[k]), 0, why, "") for k, why in lost]
    recorded = [RecordedGame(match.game, {}, 0, match.agents, tuple(actions)) for actions in given["actions"]]
    return MatchResults(match, seeds, of_deals[0], of_deals[1], recorded=recorded, lost=games), decisions


def _play(batch: Batch, games: list[list[int]], own: NDArray[np.bool_], where: str) -> int:
    """Play the actions of each row to the end of all games; return the number of decisions of some seats.

    own : (rows, seats) whether the decisions of a seat count
    """
    lengths, decisions = np.array([len(actions) for actions in games]), 0
    actions = np.full((batch.size, int(lengths.max(initial=0)) + 1), NO_ACTION, np.int64)
    for row, played in enumerate(games):
        actions[row, : len(played)] = played
    for step in range(actions.shape[1] - 1):
        running = np.flatnonzero(~batch.over)
        decisions += int(np.count_nonzero(own[running, batch.actor[running]]))
        try:
            batch.step(actions[:, step])
        except IllegalActionError as error:
            raise ConfigError(f"{where}: {error}") from None
        if (early := batch.over & (lengths > step + 1)).any() or (~batch.over & (lengths == step + 1)).any():
            wrong = "goes on after its end" if early.any() else "does not reach its end"
            raise ConfigError(f"{where}: a game {wrong} by its actions")
    return decisions


def _read_games(path: Path) -> Columns:
    """Read a file that :func:`~ginkgo_agents.evaluation.benchmark.runs.write_parquet` wrote."""
    try:
        table = parquet().read_table(path).cast(games_schema())
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {short_repr(str(path))}: {' '.join(str(error).split())}") from None
    actions = table["actions"].combine_chunks()
    if actions.null_count or actions.flatten().null_count:
        raise ConfigError(f"{short_repr(str(path))} has games without actions")
    return dict[str, list[Any]](table.to_pydict())
