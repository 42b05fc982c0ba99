"""The tasks of the benchmark, the protocol for learning methods, and the budgets of agents.

Tasks and protocol are data in ``tasks.json``. A released task never changes: another version is another id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from ginkgo_agents.base import WORLDS
from ginkgo_agents.checkpoints import read_checkpoint
from ginkgo_agents.evaluation.options import label_of
from ginkgo_agents.registry import path_of, plain_name
from ginkgo_agents.search import SIMULATIONS
from ginkgo_env.core.errors import ConfigError, join_names, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse
from ginkgo_env.registry import game_class, make_game

FORMAT, VERSION = "ginkgo-benchmark-tasks", 1
ALONE = "alone"
"""The only member of the panel in games with one side."""
_MIXED = " + "
_Count = Annotated[int, Meta(ge=0)]
Budget = int | Literal["reactive"]
"""What a decision may cost: ``reactive``, one forward pass at most, or a number of simulations."""


class Known(StrictStruct):
    """A frozen result: the mean over deals, its standard error, and the number of deals."""

    mean: float
    error: float
    deals: int


class Frozen(StrictStruct):
    """The results that count as 0 and as 100 against one opponent."""

    random: Known
    reference: Known


class Task(StrictStruct):
    """A task.

    name, version : together the id, such as ``ginkgopolis/duel-v1``
    title : a sentence
    game, configurations : the game, and options of each configuration that is scored; all count alike
    train : configurations to train on, if others are scored; else empty
    panel : the opponents; each takes all seats but the agent's. Agents joined by `` + `` take one of these seats each, in this
        order. In solo games it names the automaton, or is ``alone``
    metric : what counts: ``wins``, the share in the win, or ``score``
    seed : seed of deals and of random choices in the first configuration; each further configuration has the next seed. The
        configurations to train on have seeds of their own, twice as far from the first reserved seed
    deals, quick_deals : number of deals of each configuration against each opponent, and with ``--quick`` the first of these
    budgets : tracks in which results are compared: ``"reactive"``, or a number of simulations
    reference : the agent whose frozen result counts as 100
    frozen : for each opponent, the results that count as 0 and as 100

    >>> task = all_tasks()["my_city/duel-v1"]
    >>> task.metric, task.panel[0], task.track("reactive")
    ('wins', 'builder', 'reactive')
    """

    name: str
    version: int
    title: str
    game: str
    configurations: list[dict[str, Any]]
    train: list[dict[str, Any]]
    panel: list[str]
    metric: Literal["wins", "score"]
    seed: int
    deals: int
    quick_deals: int
    budgets: list[Budget]
    reference: str
    frozen: dict[str, Frozen]

    @property
    def id(self) -> str:
        """Name and version."""
        return f"{self.name}-v{self.version}"

    def games(self) -> Iterator[Game]:
        """The game in each configuration."""
        return (make_game(game_class(self.game), **config) for config in self.configurations)

    def label_of(self, opponent: str) -> str:
        """A member of the panel as reports show it."""
        alone = next(self.games()).seats == 1
        return _MIXED.join(label_of(name, self.game, alone=alone) for name in agents_in(opponent))

    def track(self, budget: Budget | None) -> str:
        """The track of an agent: the smallest budget that covers its own; else ``open``."""
        own = _size(budget)
        fitting = [one for one in sorted(self.budgets, key=_size) if own <= _size(one)]
        return budget_text(fitting[0]) if fitting else "open"


def agents_in(opponent: str) -> list[str]:
    """The agents of a member of a panel.

    >>> agents_in("greedy + lookahead")
    ['greedy', 'lookahead']
    """
    return opponent.split(_MIXED)


class LearningProtocol(StrictStruct):
    """How results of learning methods are made, so that they compare.

    tracks : the largest number of training decisions in each track; the track ``open`` has no limit
    training_seeds : the least number of training runs, each with a seed of its own, over which a method is reported
    reserved_seeds : the first seed that is reserved for tasks, and the first one after these
    rules : sentences: what counts as a training decision, and what is reported
    """

    tracks: list[int]
    training_seeds: int
    reserved_seeds: tuple[int, int]
    rules: list[str]


class _File(StrictStruct):
    format: str
    version: int
    learning_methods: LearningProtocol
    tasks: list[Task]


def _size(budget: Budget | None) -> float:
    return float("inf") if budget is None else 0.0 if budget == "reactive" else float(budget)


def budget_text(budget: Budget | None) -> str:
    """A budget in words."""
    if budget is None:
        return "unknown"
    return budget if isinstance(budget, str) else f"{budget} simulations"


def tasks_file() -> Any:
    """The file of tasks: a path, or its equivalent in a zipped package."""
    return files(__package__).joinpath("tasks.json")


@cache
def _file() -> _File:
    file = convert(parse(tasks_file().read_text("utf-8")), _File)
    if (file.format, file.version) != (FORMAT, VERSION):
        raise ConfigError(f"invalid tasks.json of format {short_repr(file.format)} {file.version}; expected {FORMAT} {VERSION}")
    return file


def all_tasks() -> Mapping[str, Task]:
    """All tasks by id, in the order of the file."""
    return {task.id: task for task in _file().tasks}


def learning_protocol() -> LearningProtocol:
    """The protocol for learning methods."""
    return _file().learning_methods


@cache
def training_sets() -> Mapping[str, Task]:
    """By the id of each task that has configurations to train on: these as a task, on the same scale.

    >>> [task.id for task in training_sets().values()][:2]
    ['ginkgopolis/held-out-players-train-v1', 'ginkgopolis/held-out-modules-train-v1']
    """
    first, _ = learning_protocol().reserved_seeds
    return {
        task.id: replace(task, name=f"{task.name}-train", configurations=task.train, train=[], seed=2 * task.seed - first)
        for task in all_tasks().values()
        if task.train
    }


def is_training_set(task: str) -> bool:
    """Whether a task, by its id, is the training set of another."""
    return any(task == one.id for one in training_sets().values())


@cache
def scored_tasks() -> Mapping[str, Task]:
    """All tasks and training sets by id: those of which a report may have results."""
    return {**all_tasks(), **{task.id: task for task in training_sets().values()}}


def tasks_like(*patterns: str, training: bool = False) -> list[Task]:
    """The tasks whose name or id matches one of the patterns with ``*`` and ``?``, by default all.

    training : whether the training set of a task, if there is one, follows it

    Raises ConfigError if a pattern matches none.

    >>> [task.id for task in tasks_like("my_city/table-*", "my_city/solo")]
    ['my_city/solo-v1', 'my_city/table-3-v1', 'my_city/table-4-v1']
    """
    found = set[str]()
    for pattern in patterns or ["*"]:
        matches = {task.id for task in all_tasks().values() if fnmatchcase(task.name, pattern) or fnmatchcase(task.id, pattern)}
        if not matches:
            raise ConfigError(f"no task matches {short_repr(pattern)}; tasks: {join_names(all_tasks())}")
        found |= matches
    sets = training_sets() if training else {}
    return [one for task in all_tasks().values() if task.id in found for one in (task, sets.get(task.id)) if one is not None]


_REACTIVE = ("random", "william", "builder", "ppo", "held_out_ppo", "best_response")
_WORLDS = ("greedy", "lookahead", "held_out_lookahead")
_SEARCH = "search"


def read_budget(text: str) -> Budget:
    """Read a budget: ``reactive`` or a number of simulations. Raises ConfigError for any other text."""
    if text == "reactive":
        return "reactive"
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise ConfigError(f"invalid budget {short_repr(text)}; expected reactive or a number of simulations")
    return int(text)


def known_budget(name: str) -> Budget | None:
    """The budget of an agent of the package, or of a checkpoint of a kind of the package; else None.

    A playout of ``search`` is a simulation, and so is a resampled world in which ``lookahead`` or ``greedy`` tries each action.
    """
    plain, options = plain_name(name)
    path = path_of(name)
    kind = read_checkpoint(path).kind if path is not None else plain
    if kind in _REACTIVE:
        return "reactive"
    if kind in _WORLDS:
        return int(options.get("worlds", WORLDS))
    if kind == _SEARCH and not options.get("milliseconds"):
        return int(options.get("simulations", SIMULATIONS)) or "reactive"
    return None


def budget_of(name: str, declared: str | None = None) -> tuple[Budget | None, bool]:
    """The budget of an agent, and whether it is only declared.

    Raises ConfigError if ``declared`` differs from the known budget of the agent.
    """
    known, given = known_budget(name), None if declared is None else read_budget(declared)
    if known is not None and given not in (None, known):
        raise ConfigError(f"invalid budget {declared}; that of {short_repr(name)} is known: {budget_text(known)}")
    return (known, False) if known is not None else (given, True)


def is_reserved(seed: int) -> bool:
    """Whether a seed lies in the range that is kept for present and future tasks of the benchmark.

    Deals are spawned from a seed and the number of seats (``evaluation.matches.deal_seeds``): the deals of a task from the task's
    seed. Trainers, ``ginkgo generate`` and imitation take no reserved seed, so none of them is told to play the deals of a task.

    The range holds seeds from which games are spawned, not the 64-bit seeds of the games themselves. A batch or an environment
    that is reset with a seed spawns its games in another stream, so not even a reserved seed gives it the deals of a task there.
    That a game with a spawned seed is by chance one of the some 7,000 deals of the tasks is not excluded, but has a probability
    of about 4e-16 for each game, 4e-8 in 100 million games, and is not checked. Nor is checked what a program does with seeds of
    its own: it can spawn or name the deals of a task, and batches and environments play them.

    >>> is_reserved(20261101), is_reserved(0)
    (True, False)
    """
    first, end = learning_protocol().reserved_seeds
    return first <= seed < end


def unreserved(seed: int) -> int:
    """Return a seed to train with. Raises ConfigError if it is reserved."""
    if is_reserved(seed):
        first, end = learning_protocol().reserved_seeds
        raise ConfigError(f"the seed {seed} is reserved: {first} to {end - 1} are for tasks of ginkgo benchmark, not training")
    return seed


class TrainedOn(StrictStruct, kw_only=True):
    """What an agent was trained on.

    game, config : name and version of the game, and its options
    opponents : the other agents in its games, besides itself and its past
    teachers : the agents whose decisions it learned
    data_set : name or digest of the data set that it learned from; empty: none
    start : what is known about the training of the checkpoint with whose weights it started; None: there was none
    """

    game: str
    config: dict[str, Any]
    opponents: list[str] = field(default_factory=list)
    teachers: list[str] = field(default_factory=list)
    data_set: str = ""
    start: Training | None = None


class Training(StrictStruct, kw_only=True):
    """What is known about the training of an agent; None: not known.

    training_decisions : number of training decisions, as the protocol counts them, those of a start included
    """

    trained_on: TrainedOn | None = None
    training_decisions: _Count | None = None
    training_seed: _Count | None = None

    @property
    def track(self) -> str:
        """The smallest track for its training decisions; ``open`` if there is none, or if unknown."""
        fitting = [size for size in sorted(learning_protocol().tracks) if _size(self.training_decisions) <= size]
        return f"{fitting[0]} decisions" if fitting else "open"


def training_in(about: Any) -> Training:
    """What the data about a checkpoint say about its training; nothing where they are malformed."""
    try:
        return convert({name: about.get(name) for name in Training.__struct_fields__}, Training)
    except (AttributeError, JsonError, RecursionError):
        return Training()


def training_of(agent: str) -> Training:
    """What the checkpoint of an agent says about its training. Raises ConfigError if it is damaged."""
    path = path_of(agent)
    return Training() if path is None else training_in(read_checkpoint(path).about)
