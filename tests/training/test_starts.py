"""Runs that start from a checkpoint, and runs of several seeds."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint, write_checkpoint
from ginkgo_agents.policy import PolicySettings
from ginkgo_agents.ppo import CRITIC, POLICY, NetworkSettings
from ginkgo_agents.pretrained import Model, manifest, pretrained
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.strict_json import convert
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import LookaheadSettings, PpoSettings, SearchSettings
from ginkgo_training.trainer import AGENT, CHECKPOINT, Trainer

SIZES: dict[str, Any] = {"games": 8, "n_steps": 6, "batch_size": 16}
KINDS = ["ppo", "lookahead", "search"]


def trainer(kind: str, seed: int = 1, players: int = 2, hidden: int = 8, **settings: Any) -> Trainer:
    game, sizes = make_game("my_city", players=players), SIZES | settings
    if kind == "ppo":
        return PpoTrainer(game, PpoSettings(**sizes, network=NetworkSettings(hidden=hidden)), seed, "cpu")
    if kind == "lookahead":
        return LookaheadTrainer(game, LookaheadSettings(**sizes, worlds=1, hidden=hidden), seed, "cpu")
    nets = PolicySettings(hidden=hidden, critic_hidden=8)
    return SearchTrainer(game, SearchSettings(**sizes, simulations=4, horizon=1, warm_up=8, window=2, network=nets), seed, "cpu")


@pytest.fixture(params=KINDS)
def saved(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Checkpoint, Path]:
    """A kind of trainer, an agent of it, and the file of the agent."""
    one = trainer(request.param)
    one.training_step(1.0)
    return request.param, one.checkpoint(), write_checkpoint(tmp_path / AGENT, one.checkpoint())


def weights_of(checkpoint: Checkpoint) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in checkpoint.arrays.items()}


def test_a_run_starts_with_the_weights_of_a_checkpoint(saved: tuple[str, Checkpoint, Path], tmp_path: Path) -> None:
    """What it learns from then on is learned from there; resuming does not need the file again."""
    kind, checkpoint, path = saved
    second = trainer(kind, seed=5, start=str(path))
    second.start()
    assert weights_of(second.checkpoint()) == weights_of(checkpoint) != weights_of(trainer(kind, seed=5).checkpoint())
    folder = tmp_path / "run"
    third = trainer(kind, seed=5, start=str(path))
    runs.train(third, runs.Budget(rollouts=1), folder, against=["random"], games=2)
    second.training_step(1.0)
    assert weights_of(read_checkpoint(folder / AGENT)) == weights_of(second.checkpoint()) != weights_of(checkpoint)
    path.unlink()
    runs.train(trainer(kind, seed=5, start=str(path)), runs.Budget(rollouts=2), folder, resume=True)


def test_a_training_checkpoint_of_ppo_has_the_critic_as_well(tmp_path: Path) -> None:
    one = trainer("ppo")
    one.training_step(1.0)
    path = write_checkpoint(tmp_path / CHECKPOINT, one.checkpoint(training=True))
    second = trainer("ppo", seed=5, start=str(path))
    second.start()
    own, other = one.checkpoint(training=True).arrays, second.checkpoint(training=True).arrays
    names = [name for name in own if name.startswith("policy/")]
    assert any("critic" in name or "value" in name for name in names)
    assert all(np.array_equal(own[name], other[name]) for name in names)


def test_an_agent_without_a_critic_starts_with_a_random_one(tmp_path: Path) -> None:
    one = trainer("ppo")
    one.training_step(1.0)
    second = trainer("ppo", seed=5, start=str(write_checkpoint(tmp_path / AGENT, one.checkpoint())))
    before = second.checkpoint(training=True).arrays
    second.start()
    own, other = one.checkpoint(training=True).arrays, second.checkpoint(training=True).arrays
    for name in (name for name in own if name.startswith(POLICY)):
        assert np.array_equal(other[name], (before if name.startswith(POLICY + CRITIC) else own)[name])


@pytest.mark.parametrize("model", [model for model in manifest().agents if model.critic], ids=lambda model: model.critic)
def test_a_shipped_policy_starts_with_its_critic(model: Model) -> None:
    """Its identity is that of the policy alone."""
    players = model.configurations["players"]
    modules = {"modules": "all"} if model.configurations.get("modules") else {}
    game = make_game(model.game, players=players, **modules, **({"level": "advanced"} if players == 1 else {}))
    start = f"ppo:version={model.version}"
    network = convert(dict(pretrained(model.roles["policy"]).settings), NetworkSettings)
    one = PpoTrainer(game, PpoSettings(games=2, n_steps=2, start=start, network=network), 1)
    one.start()
    files = pretrained(model.roles["policy"]).arrays | pretrained(model.critic).arrays
    arrays = one.checkpoint(training=True).arrays
    assert files.keys() == {name for name in arrays if name.startswith(POLICY)}
    assert all(np.array_equal(arrays[name], array) for name, array in files.items())
    assert model.critic not in make_agent(start).identity(game)["networks"]


def test_a_game_without_a_pretrained_policy_is_refused() -> None:
    with pytest.raises(ConfigError, match="agent 'ppo' does not play my_city"):
        trainer("ppo", start="ppo").start()


def test_other_games_and_networks_are_refused(saved: tuple[str, Checkpoint, Path], tmp_path: Path) -> None:
    kind, checkpoint, path = saved
    other = next(name for name in KINDS if name != kind)
    missing = Checkpoint(*list(vars(checkpoint).values())[:6], {})
    damaged = write_checkpoint(tmp_path / "damaged.npz", missing)
    refused: list[tuple[Trainer, str]] = [
        (trainer(other, start=str(path)), f"setting start: expected a checkpoint with kind .*, got {checkpoint.kind}"),
        (trainer(kind, players=3, start=str(path)), 'configuration .*"players": 2}; expected .*"players": 3}'),
        (trainer(kind, hidden=9, start=str(path)), "setting start: expected a checkpoint with networks .*9.*, got .*8"),
        (trainer(kind, start=str(damaged)), "expected an array .* of finite"),
        (trainer(kind, start=str(tmp_path / "none.npz")), "none.npz"),
    ]
    for one, message in refused:
        with pytest.raises(ConfigError, match=message):
            runs.train(one, runs.Budget(rollouts=1), tmp_path / "run")
        assert not (tmp_path / "run").exists()


SMALL = ["train", "ppo", "--game", "my_city", "--players", "2", "--evaluate-games", "2", "--against", "random"]
SMALL += [f"--settings={name}={value}" for name, value in {**SIZES, "network.hidden": 8}.items()]
GINKGO = [sys.executable, "-c", "from ginkgo_env.cli import main; main()"]


@pytest.mark.full
def test_each_seed_trains_what_it_trains_alone(tmp_path: Path) -> None:
    several = [*SMALL, "--rollouts", "2", "--out", str(tmp_path / "run"), "--seed", "4", "--seeds", "2", "--workers", "2"]
    done = subprocess.run([*GINKGO, *several], capture_output=True, text=True, check=True)
    assert "run-seed4: 100 %" in done.stderr and "run-seed5: the agent is" in done.stderr
    folders = [tmp_path / f"run-seed{seed}" for seed in (4, 5)]
    assert done.stdout == f"next: ginkgo train curves {tmp_path / 'run'}-seed*\n"
    subprocess.run([*GINKGO, *SMALL, "--rollouts", "2", "--out", str(tmp_path / "alone"), "--seed", "5"], check=True)
    alone, first, second = (weights_of(read_checkpoint(path / AGENT)) for path in (tmp_path / "alone", *folders))
    assert alone == second != first
    again = subprocess.run([*GINKGO, *several], capture_output=True, text=True, check=False)
    assert again.returncode and f"2 of 2 runs failed: {folders[0]}, {folders[1]}" in again.stderr


def test_seeds_and_ray(tmp_path: Path) -> None:
    command = [*GINKGO, "train", "lookahead", "--seeds", "2", "--ray", "--out", str(tmp_path / "run")]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "--seeds and --ray exclude each other" in refused.stderr


@pytest.mark.full
def test_an_interrupt_saves_all_runs(tmp_path: Path) -> None:
    """Two seeds play and a third waits; both are saved, and go on with --resume."""
    several = [*SMALL, "--rollouts", "100000", "--out", str(tmp_path / "run"), "--seeds", "3", "--workers", "2"]
    process = subprocess.Popen([*GINKGO, *several], stderr=subprocess.PIPE, text=True)
    begun = [tmp_path / f"run-seed{seed}" / CHECKPOINT for seed in (0, 1)]
    while not all(path.exists() for path in begun):
        assert process.poll() is None
        time.sleep(0.1)
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    errors = process.communicate()[1]
    assert process.returncode == 128 + signal.SIGTERM
    assert f"interrupted: continue with ginkgo train ppo --resume {tmp_path / 'run'} --seeds 3" in errors
    assert not (tmp_path / "run-seed2").exists()
    rollouts = [int(read_checkpoint(path).about["rollouts"]) for path in begun]
    assert min(rollouts) > 0
    more = [*GINKGO, "train", "ppo", "--resume", str(tmp_path / "run"), "--seeds", "2", "--rollouts", str(max(rollouts) + 1)]
    subprocess.run(more, check=True, capture_output=True)
    assert {int(read_checkpoint(path).about["rollouts"]) for path in begun} == {max(rollouts) + 1}
