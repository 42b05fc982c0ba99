"""The file of tasks: what the benchmark promises stands in it, is sound, and does not change after a release."""

from __future__ import annotations

import hashlib
import json
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from ginkgo_agents import make_agent
from ginkgo_agents.evaluation.benchmark.tasks import (
    ALONE,
    Task,
    agents_in,
    all_tasks,
    budget_of,
    is_reserved,
    known_budget,
    tasks_file,
    tasks_like,
    training_sets,
)
from ginkgo_agents.evaluation.statistics import interval_text
from ginkgo_agents.registry import agent_names
from ginkgo_env import ConfigError, make_game
from ginkgo_env.registry import game_class

RELEASED = json.loads((Path(__file__).parent / "released.json").read_text())
SPLIT = Path(__file__).parents[2] / "ginkgo_env" / "games" / "ginkgopolis" / "data" / "held_out_modules.json"
MODULES = ("new_buildings", "prestige", "green_spaces", "events", "keep_card", "experts")
NAMES = [
    "ginkgopolis/solo-standard",
    "ginkgopolis/solo-advanced",
    "ginkgopolis/duel",
    "ginkgopolis/table-3",
    "ginkgopolis/table-4",
    "ginkgopolis/table-5",
    "ginkgopolis/duel-all-modules",
    "ginkgopolis/table-3-all-modules",
    "golden_city/duel",
    "golden_city/table-3",
    "golden_city/table-4",
    "my_city/solo",
    "my_city/duel",
    "my_city/table-3",
    "my_city/table-4",
    "ginkgopolis/held-out-modules",
    "ginkgopolis/held-out-players",
    "my_city/held-out-boards",
    "my_city/solo-held-out-boards",
    "golden_city/held-out-boards",
    "ginkgopolis/held-out-new-buildings",
    "ginkgopolis/held-out-prestige",
    "ginkgopolis/held-out-green-spaces",
    "ginkgopolis/held-out-events",
    "ginkgopolis/held-out-keep-card",
    "ginkgopolis/held-out-experts",
    "ginkgopolis/table-3-mixed",
    "golden_city/table-3-mixed",
    "ginkgopolis/duel-search",
]
SCRIPTED = {"william", "greedy", "builder"}
TRAINED = {"ppo", "lookahead"}
HELD_OUT = {"held_out_lookahead", "held_out_ppo"}


def digest(task: Task) -> str:
    return hashlib.sha256(json.dumps(msgspec.to_builtins(task), sort_keys=True).encode()).hexdigest()


def test_released_tasks_do_not_change() -> None:
    """A change is a new version with a new id; its digest is added to released.json."""
    assert {name: digest(task) for name, task in all_tasks().items()} == RELEASED


def test_all_tasks_are_there() -> None:
    assert sorted({task.name for task in all_tasks().values()}) == sorted(NAMES)
    assert all(task.version >= 1 and task.name.startswith(f"{task.game}/") for task in all_tasks().values())


@pytest.mark.parametrize("name", all_tasks())
def test_tasks_are_sound(name: str) -> None:
    """Panels can play, seeds differ, and 0 and 100 are far apart and well known."""
    task = all_tasks()[name]
    assert set(task.frozen) == set(task.panel)
    for game in (*task.games(), *(training_sets()[name].games() if task.train else ())):
        assert game.sides > 1 or (task.panel, task.metric) == ([ALONE], "score")
        members = [agents_in(member) for member in task.panel if game.seats > 1]
        for agent in (task.reference, "random", *chain.from_iterable(members)):
            make_agent(agent, task.game).check(game)
        assert all(len(agents) in (1, game.seats - 1) for agents in members)
    assert 0 < task.quick_deals < task.deals
    for frozen in task.frozen.values():
        distance = frozen.reference.mean - frozen.random.mean
        assert distance > (10 if task.metric == "score" else 0.15)
        assert frozen.random.error < 0.1 * distance and frozen.reference.error < 0.1 * distance
        assert all(known.deals >= 80 or known.error == 0 for known in (frozen.random, frozen.reference))


def test_panels_have_scripted_trained_and_held_out_agents() -> None:
    assert all_tasks()["ginkgopolis/duel-search-v1"].panel == ["search", "best_response"]
    for task in all_tasks().values():
        agents = {name for member in task.panel for name in agents_in(member)}
        if next(task.games()).seats > 1 and "search" not in agents:
            assert SCRIPTED & agents and TRAINED & agents and agents >= HELD_OUT


def test_deals_differ() -> None:
    """Those of all configurations of all tasks and training sets, which depend on the seed and the number of seats."""
    tasks = [*all_tasks().values(), *training_sets().values()]
    deals = [(task.seed + k, game.seats) for task in tasks for k, game in enumerate(task.games())]
    assert len({*deals}) == len(deals) and all(is_reserved(seed) for seed, _ in deals)


def test_no_name_of_an_agent_separates_agents() -> None:
    assert not any(len(agents_in(name)) > 1 for name in agent_names())


@pytest.mark.parametrize("module", MODULES)
def test_each_module_is_held_out(module: str) -> None:
    task = all_tasks()[f"ginkgopolis/held-out-{module.replace('_', '-')}-v1"]
    with_module, without = ([frozenset(config["modules"]) for config in configs] for configs in (task.configurations, task.train))
    assert all(module in modules for modules in with_module) and not any(module in modules for modules in without)
    assert len({*with_module}) == len(with_module) == 32 and len({*without} - {frozenset()}) == len(without) == 31
    make_game(task.game, mixture=[*task.train, *task.configurations])


def test_training_sets() -> None:
    """They have the configurations to train on, other deals, and the scale of their task; they are no tasks of their own."""
    sets = training_sets()
    assert {*sets} == {name for name, task in all_tasks().items() if task.train}
    for name, other in sets.items():
        task = all_tasks()[name]
        assert (other.configurations, other.train, other.frozen) == (task.train, [], task.frozen)
        assert other.id not in all_tasks()
    pattern = "ginkgopolis/held-out-players"
    assert [task.id for task in tasks_like(pattern, training=True)] == [f"{pattern}-v1", f"{pattern}-train-v1"]
    assert [task.id for task in tasks_like("my_city/solo", training=True)] == ["my_city/solo-v1"]


def test_generalization() -> None:
    """Nothing that is scored is trained on."""
    split = json.loads(SPLIT.read_text())
    modules, players = (all_tasks()[f"ginkgopolis/held-out-{what}-v1"] for what in ("modules", "players"))
    assert [config["modules"] for config in modules.train] == split["training"]
    assert [config["modules"] for config in modules.configurations] == split["held_out"]
    assert [config["players"] for config in players.train] == [2, 3]
    assert [config["players"] for config in players.configurations] == [4, 5]
    for task in (modules, players):  # one game draws any of them, so all have one layout
        make_game(task.game, mixture=[*task.train, *task.configurations])


@pytest.mark.parametrize("name", ["my_city/held-out-boards", "my_city/solo-held-out-boards", "golden_city/held-out-boards"])
def test_boards_that_are_held_out(name: str) -> None:
    task = all_tasks()[f"{name}-v1"]
    mixtures = game_class(task.game).mixtures()
    players = {"players": task.train[0]["players"]}
    assert task.train == [players | one for one in mixtures["training_boards"]]
    assert task.configurations == [players | one for one in mixtures["held_out_boards"]]
    others = {other.seed + k for other in all_tasks().values() for k in range(len(other.configurations)) if other != task}
    assert not others & set(range(task.seed, task.seed + len(task.configurations)))


def test_patterns() -> None:
    assert len(tasks_like()) == len(NAMES)
    assert [task.id for task in tasks_like("my_city/duel-v1")] == ["my_city/duel-v1"]
    several = tasks_like("my_city/duel", "my_city/*-v1", "golden_city/duel")
    assert {task.game for task in several} == {"golden_city", "my_city"}
    assert [task.id for task in several] == [name for name in all_tasks() if name in {task.id for task in several}]
    for patterns in (["chess/duel"], ["my_city/duel", "chess/duel"]):
        with pytest.raises(ConfigError, match="no task matches 'chess/duel'"):
            tasks_like(*patterns)


def test_budgets_and_tracks(tmp_path: Path) -> None:
    task = all_tasks()["ginkgopolis/duel-v1"]
    budgets = {
        "random": "reactive",
        "ppo": "reactive",
        "best_response": "reactive",
        "lookahead": 8,
        "lookahead:worlds=16": 16,
        "search": 256,
        "greedy": 8,
    }
    assert {name: known_budget(name) for name in budgets} == budgets
    assert known_budget("search:milliseconds=5") is known_budget("process:bot") is known_budget("module:Class") is None
    assert [task.track(budget) for budget in ("reactive", 8, 256, 257, None)] == [
        "reactive", "256 simulations", "256 simulations", "open", "open",
    ]  # fmt: skip
    assert budget_of("process:bot", "reactive") == ("reactive", True)
    assert budget_of("search:simulations=64", "64") == (64, False)
    with pytest.raises(ConfigError, match="invalid budget 8; that of 'search' is known: 256 simulations"):
        budget_of("search", "8")
    with pytest.raises(ConfigError, match="expected reactive or a number of simulations"):
        budget_of("process:bot", "many")


def test_the_file_is_package_data() -> None:
    assert tasks_file().is_file()


def test_intervals_have_no_negative_zero() -> None:
    assert interval_text((-0.2, -3.4, 1.5), digits=0) == "0 [-3,2]"
