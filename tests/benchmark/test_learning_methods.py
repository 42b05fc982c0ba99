"""The protocol for learning methods: reserved seeds, tracks, and what a checkpoint says about its training."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from ginkgo_agents.checkpoints import read_checkpoint, write_checkpoint
from ginkgo_agents.datasets import GenerationJob
from ginkgo_agents.evaluation.benchmark.reports import markdown, report_of
from ginkgo_agents.evaluation.benchmark.runs import Run, cells_of
from ginkgo_agents.evaluation.benchmark.tasks import (
    TrainedOn,
    Training,
    all_tasks,
    is_reserved,
    learning_protocol,
    tasks_file,
    training_in,
    training_of,
    unreserved,
)
from ginkgo_agents.evaluation.matches import deal_seeds
from ginkgo_env.cli.app import app
from ginkgo_env.core.batch import game_seeds
from ginkgo_env.core.errors import ConfigError

FIRST, END = learning_protocol().reserved_seeds
MODELS = Path(__file__).parents[2] / "agents" / "ginkgo_agents" / "models"
KNOWN = Training(
    trained_on=TrainedOn(game="my_city-v0", config={"players": 2}, opponents=["random"], teachers=["builder"]),
    training_decisions=1_000_001,
    training_seed=3,
)
STARTED = msgspec.to_builtins(
    Training(trained_on=TrainedOn(game="my_city-v0", config={}, start=KNOWN), training_decisions=None, training_seed=2**70)
)
ABOUT: dict[str, Any] = msgspec.to_builtins(KNOWN)


def test_the_protocol() -> None:
    own = learning_protocol()
    assert own.tracks == [10**6, 10**7, 10**8] and own.training_seeds >= 5 and all(rule.endswith(".") for rule in own.rules)
    assert [is_reserved(seed) for seed in (FIRST - 1, FIRST, END - 1, END)] == [False, True, True, False]
    assert unreserved(FIRST - 1) == FIRST - 1


@pytest.mark.parametrize("name", all_tasks())
def test_the_seeds_of_all_tasks_are_reserved(name: str) -> None:
    assert all(is_reserved(cell.seed) for cell in cells_of(all_tasks()[name]))


def test_a_batch_has_no_deal_of_a_task_even_with_the_seed_of_a_task() -> None:
    """Its games are spawned in another stream, and so are those that follow them."""
    cells = {(cell.seed, cell.match("random").seats): cell.task.deals for task in all_tasks().values() for cell in cells_of(task)}
    deals = [seed for (own, seats), n in cells.items() for seed in deal_seeds(own, seats, n).tolist()]
    spawned = {seed for own, _ in cells for seed in game_seeds(own, 4096).tolist()}
    assert len(set(deals)) == len(deals) > 3000 and spawned.isdisjoint(deals)


def test_generation_refuses_reserved_seeds() -> None:
    with pytest.raises(ConfigError, match=f"the seed {FIRST} is reserved: {FIRST} to {END - 1} are for tasks"):
        GenerationJob("my_city", ("random",), seed=FIRST)
    assert not is_reserved(GenerationJob("my_city", ("random",)).seed)
    result = CliRunner().invoke(app, ["generate", "folder", "--game", "my_city", "--agents", "random", "--seed", str(END - 1)])
    assert result.exit_code == 2 and "is reserved" in result.output


def test_tracks_cover_training_decisions() -> None:
    tracks = [Training(training_decisions=n).track for n in (0, 10**6, 10**6 + 1, 10**8, 10**8 + 1, None)]
    assert tracks == ["1000000 decisions", "1000000 decisions", "10000000 decisions", "100000000 decisions", "open", "open"]


@pytest.mark.parametrize("wrong", [{"training_decisions": -1}, {"training_seed": "3"}, {"trained_on": ["my_city"]}])
def test_data_that_are_malformed_say_nothing(wrong: dict[str, Any]) -> None:
    assert training_in(ABOUT) == KNOWN
    assert training_in(ABOUT | wrong) == training_in({}) == Training()


def test_a_report_tells_how_its_agent_was_trained(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    shipped = MODELS / "my_city_2p.npz"
    path = write_checkpoint(tmp_path / "agent.npz", replace(read_checkpoint(shipped), about=ABOUT))
    report, old, named = (report_of(Run(str(name)), [], True) for name in (f"{path}:worlds=1", shipped, "builder"))
    assert report["agent"].items() >= (ABOUT | {"training_track": "10000000 decisions"}).items()
    for other in (old, named):
        assert [other["agent"][name] for name in ABOUT] == [None] * 3 and other["agent"]["training_track"] == "open"
        assert "trained on" not in markdown(other)
    config = '"config": {"players": 2}, "opponents": ["random"], "teachers": ["builder"]'
    trained = f'trained on {{"game": "my_city-v0", {config}}}: 1000001 decisions, seed 3; track 10000000 decisions'
    assert trained in markdown(report)
    schema = json.loads(Path(str(tasks_file())).with_name("schema.json").read_text())
    write_checkpoint(path, replace(read_checkpoint(shipped), about=STARTED))
    for one in (report, old, named, report_of(Run(str(path)), [], True)):
        jsonschema.validate(one, schema)
    assert training_of(str(path)).trained_on.start == KNOWN and training_of("lookahead") == Training()  # type: ignore[union-attr]
