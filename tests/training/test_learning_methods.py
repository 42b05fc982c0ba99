"""Trainers and the protocol of the benchmark: reserved seeds, and what checkpoints say about their training."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

from ginkgo_agents.checkpoints import write_checkpoint
from ginkgo_agents.evaluation.benchmark.tasks import TrainedOn, Training, is_reserved, learning_protocol, training_of
from ginkgo_agents.policy import PolicySettings
from ginkgo_agents.ppo import NetworkSettings
from ginkgo_env.cli.app import app
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game
from ginkgo_training import command, imitation, runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import LookaheadSettings, OpponentSettings, PpoSettings, SearchSettings
from ginkgo_training.trainer import AGENT, CHECKPOINT, Trainer

RESERVED = learning_protocol().reserved_seeds[0]
CONFIG: dict[str, Any] = {"players": 2}
GAME = make_game("my_city", **CONFIG)
SIZES: dict[str, Any] = {"games": 4, "n_steps": 6, "batch_size": 8}
MET = OpponentSettings(baselines=("random",), baseline_share=0.5)


def ppo(seed: int = 1, **settings: Any) -> Trainer:
    return PpoTrainer(GAME, PpoSettings(**SIZES, network=NetworkSettings(hidden=8), **settings), seed, "cpu")


def search(seed: int = 1, **settings: Any) -> Trainer:
    nets = PolicySettings(hidden=8, critic_hidden=8)
    sizes = SIZES | {"simulations": 4, "horizon": 1, "warm_up": 8, "window": 2}
    return SearchTrainer(GAME, SearchSettings(**sizes, network=nets, **settings), seed, "cpu")


def train(trainer: Trainer, folder: Path, rollouts: int = 1) -> Training:
    return training_of(str(runs.train(trainer, runs.Budget(rollouts=rollouts), folder, against=["random"], games=2)))


def test_reserved_seeds_are_refused(tmp_path: Path) -> None:
    """By trainers, on the command line, in imitation, and in checkpoints to resume from."""
    for make in (ppo, search, lambda seed: LookaheadTrainer(GAME, LookaheadSettings(**SIZES, worlds=1), seed, "cpu")):
        with pytest.raises(ConfigError, match=f"the seed {RESERVED} is reserved"):
            make(RESERVED)
    for kind in ("ppo", "lookahead", "search"):
        arguments = ["--game", "my_city", "--seed", str(RESERVED), "--out", str(tmp_path / "run")]
        result = CliRunner().invoke(app, ["train", kind, *arguments])
        assert result.exit_code == 2 and "is reserved" in result.output and not (tmp_path / "run").exists()
    with pytest.raises(ConfigError, match=f"the seed {RESERVED} is reserved"):
        train(ppo(RESERVED - imitation._DEALS, imitate="random", imitate_games=2), tmp_path / "imitating")
    saved = ppo().checkpoint(training=True)
    write_checkpoint(tmp_path / CHECKPOINT, replace(saved, about={**saved.about, "seed": RESERVED}))
    with pytest.raises(ConfigError, match=f"the seed {RESERVED} is reserved"):
        runs.train(ppo(), None, tmp_path, resume=True)


def test_seeds_by_default_are_not_reserved() -> None:
    *_, seed = command._new_run("ppo", None, None, None, None, {}, None)
    assert not any(map(is_reserved, (seed, imitation._DEALS + seed, runs._EVALUATION_SEED)))


def test_what_was_trained_on(tmp_path: Path) -> None:
    """Opponents that are met and teachers are named; what is learned from counts, also from imitation, also after resuming."""
    made = ppo(imitate="builder", imitate_games=2, opponents=MET)
    known = train(made, tmp_path / "run")
    on = TrainedOn(game="my_city-v0", config=GAME.config_dict, opponents=["random"], teachers=["builder"])
    assert known == Training(trained_on=on, training_decisions=made.decisions, training_seed=1)
    assert made.about["imitation"]["decisions"] < made.decisions < made.about["imitation"]["decisions"] + 4 * 6
    again = ppo(imitate="builder", imitate_games=2, opponents=MET)
    runs.train(again, runs.Budget(rollouts=2), tmp_path / "run", resume=True)
    assert training_of(str(tmp_path / "run" / AGENT)) == Training(
        trained_on=on, training_decisions=again.decisions, training_seed=1
    )
    assert again.decisions > made.decisions
    assert ppo(opponents=OpponentSettings(baselines=("random",))).training().trained_on == TrainedOn(
        game="my_city-v0", config=GAME.config_dict
    )


def test_a_start_counts(tmp_path: Path) -> None:
    first = train(search(teacher="builder"), tmp_path / "first")
    assert first.training_decisions == 4 * 6
    second = train(search(2, start=str(tmp_path / "first" / AGENT), opponents=MET), tmp_path / "second", rollouts=2)
    on = TrainedOn(game="my_city-v0", config=GAME.config_dict, opponents=["random"], start=first)
    assert second.trained_on == on and second.training_seed == 2
    own = runs.read_training_checkpoint(tmp_path / "second").about["decisions"]
    assert second.training_decisions == 4 * 6 + own > 4 * 6
    unknown = write_checkpoint(tmp_path / "unknown.npz", replace(search().checkpoint(), about={}))
    on = TrainedOn(game="my_city-v0", config=GAME.config_dict, start=Training())
    assert train(search(3, start=str(unknown)), tmp_path / "third") == Training(trained_on=on, training_seed=3)
