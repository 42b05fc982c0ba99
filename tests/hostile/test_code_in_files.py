"""Files that name code: reading them, playing them and going on with them imports nothing that they name."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from typer.testing import CliRunner

from ginkgo_agents.checkpoints import Checkpoint, write_checkpoint
from ginkgo_agents.datasets import GenerationJob
from ginkgo_agents.registry import make_agent
from ginkgo_env.cli.app import app
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.imports import code_in
from ginkgo_env.datasets.metadata import DataError, DatasetInfo
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import LookaheadSettings, PpoSettings, SearchSettings
from ginkgo_training.trainer import CHECKPOINT, Trainer

SIZES: dict[str, Any] = {"games": 4, "n_steps": 4, "batch_size": 16}
pytestmark = pytest.mark.usefixtures("trial_game")


@pytest.fixture(autouse=True)
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module on the path that must not be imported."""
    folder = tmp_path / "evil_code"
    folder.mkdir()
    (folder / "evil.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(folder))


def trainer(kind: str) -> Trainer:
    game = make_game("three_cards")
    if kind == "search":
        return SearchTrainer(game, SearchSettings(**SIZES, warm_up=4), 1)
    return PpoTrainer(game, PpoSettings(**SIZES), 1) if kind == "ppo" else LookaheadTrainer(game, LookaheadSettings(**SIZES), 1)


def changed(data: Any, path: tuple[str, ...], value: Any) -> Any:
    return value if not path else {**data, path[0]: changed(data[path[0]], path[1:], value)}


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("ppo", ("training", "reward"), "evil:reward"),
        ("ppo", ("training", "network_class"), "evil:Net"),
        ("ppo", ("training", "imitate"), "evil:agent"),
        ("ppo", ("training", "imitate"), "a.npz:network=evil:Net"),
        ("ppo", ("training", "opponents", "baselines"), ["random", "evil:agent:depth=3"]),
        ("lookahead", ("training", "reward"), "evil:reward"),
        ("search", ("training", "reward"), "evil:reward"),
        ("search", ("training", "teacher"), "evil:agent"),
        ("search", ("training", "start"), "evil:agent"),
        ("lookahead", ("run", "against"), ["random", "evil:agent"]),
        ("ppo", ("run", "against"), ["evil.inner:agent"]),
    ],
)
def test_training_checkpoints(kind: str, path: tuple[str, ...], value: Any, tmp_path: Path) -> None:
    folder, one = tmp_path / "run", trainer(kind)
    runs.train(one, runs.Budget(rollouts=1), folder, games=2)
    checkpoint = runs.read_training_checkpoint(folder)
    bad = replace(checkpoint, about=changed(checkpoint.about, path, value))
    write_checkpoint(folder / CHECKPOINT, bad)
    result = CliRunner().invoke(app, ["train", kind, "--resume", str(folder), "--rollouts", "2"], env={"COLUMNS": "250"})
    assert result.exit_code == 2 and "is not imported because a file names it; pass it again" in result.output, result.output
    if path[0] == "run":
        with pytest.raises(ConfigError, match=r"'evil.*pass it again: --against"):
            runs.train(trainer(kind), runs.Budget(rollouts=2), folder, resume=True)
    assert "evil" not in sys.modules


def test_agents(tmp_path: Path) -> None:
    one = trainer("ppo").checkpoint()
    for kind, settings in (
        ("torch", {"network": "evil:Net", "observation": "features"}),
        ("evil:agent", {}),
        ("torch", {"network": "evil:Net", "observation": "evil:input"}),
    ):
        path = write_checkpoint(tmp_path / "agent.npz", replace(one, kind=kind, settings=settings))
        with pytest.raises(ConfigError):
            make_agent(str(path), "three_cards").check(make_game("three_cards"))
    assert isinstance(one, Checkpoint) and "evil" not in sys.modules


def test_data_sets() -> None:
    """They store the name of their reward, and compute it again: it is one of the four."""
    text = GenerationJob("my_city", ("random",), {"players": 2}, reward="win").info.dumps()
    assert '"win"' in text
    with pytest.raises(DataError):
        DatasetInfo.loads(text.replace('"win"', '"evil:reward"'), "this file")
    assert "evil" not in sys.modules


def test_what_looks_like_code() -> None:
    found = {
        "a": ["lookahead:worlds=16", "x.npz:network=own_net:Deep:sample=true"],
        "b": ({"c": "my.own:reward"}, 3, "m:A:depth=3"),
    }
    assert [*code_in(found)] == ["own_net:Deep", "my.own:reward", "m:A"]
    for harmless in ("greedy", "runs/a.npz", "lookahead:prior=false", "C:/runs/a.npz", "ppo:sample=true", "16:9", "", "a: b"):
        assert not [*code_in(harmless)], harmless
