"""A run of the benchmark: an agent on tasks, with a folder from which an interrupted run continues."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import ginkgo_env
from ginkgo_agents.agents.registry import identities_of, make_agent
from ginkgo_agents.evaluation.benchmark.cells import cells_of, play_cell
from ginkgo_agents.evaluation.benchmark.games import COLUMNS, Columns, games_of, joined
from ginkgo_agents.evaluation.benchmark.scores import Row, scored
from ginkgo_agents.evaluation.benchmark.tasks import Budget, Task, budget_text
from ginkgo_agents.evaluation.files import RUN, TASKS, read_json
from ginkgo_agents.evaluation.matches import LostGame, count_lost
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.files import written
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert
from ginkgo_env.registry import game_class

FORMAT, VERSION = "ginkgo-benchmark", 1

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


def prepare_folder(run: Run, folder: Path) -> None:
    """Make the folder of a run, or check that a folder has the same run.

    Raises ConfigError if the folder holds another run or other files.
    """
    path = folder / RUN
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ConfigError(f"cannot write into {shown(str(folder))}: it holds other files")
        (folder / TASKS).mkdir()
        with written(path) as beside:
            beside.write_text(json.dumps(run.settings, indent=1) + "\n", "utf-8")
    there, own = read_json(path), run.settings
    names = [name for name in own if not isinstance(there, dict) or there.get(name) != own[name]]
    if names:
        raise ConfigError(f"{shown(str(folder))} holds another run, which differs in {', '.join(names)}; give another folder")


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
            with written(path) as beside:
                beside.write_text(json.dumps({name: getattr(played, name) for name in played.__struct_fields__}) + "\n", "utf-8")
        cost = {"decisions": played.decisions, "seconds": round(played.seconds, 3), "messages": played.messages}
        yield head | scored(task, played.games) | cost | {"identities": played.identities}, played.games


def games_in(run: Run, task: Task) -> int:
    """Number of games of a task."""
    return sum(cell.deals(run.quick) * cell.match(run.agent).rotations for cell in cells_of(task))


def _finished(path: Path, run: Run, task: Task) -> _TaskResult:
    """Read the file of a task. Raises ConfigError if other agents of the same names have played it."""
    try:
        played = convert(read_json(path), _TaskResult)
    except JsonError as error:
        raise ConfigError(f"{shown(path.name)}: {error}") from None
    if list(played.games) != list(COLUMNS):
        raise ConfigError(f"{shown(path.name)} has other columns than expected")
    own = run.identities(task)
    if changed := [name for name in own if played.identities.get(name) != own[name]]:
        raise ConfigError(f"{shown(str(path.parent.parent))} has results of another {shown(changed[0])}; give another folder")
    return played


def _play(run: Run, task: Task, threads: int, progress: Progress | None) -> _TaskResult:
    parts, decisions, seconds, lost = list[Columns](), 0, 0.0, list[LostGame]()
    for cell in cells_of(task):
        each = None if progress is None else lambda _, n, show=progress: show(task, n)
        results, spent = play_cell(cell, run.agent, cell.deals(run.quick), threads, each)
        parts.append(games_of(cell, results))
        decisions, seconds = decisions + results.spent[run.agent].decisions, seconds + spent
        lost += results.lost
    return _TaskResult(run.identities(task), joined(parts), decisions, seconds, count_lost(lost)["messages"])
