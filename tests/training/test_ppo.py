"""Training by PPO, with tiny budgets: nothing is said about strength."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("tensorboard")

import torch
import typer
from typer.testing import CliRunner

from ginkgo_agents.agents.base import Agent, Turn
from ginkgo_agents.agents.network import Network, NetworkSettings
from ginkgo_agents.agents.ppo import PpoAgent
from ginkgo_agents.agents.registry import make_agent, register_agent
from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game
from ginkgo_training.devices import chosen_device
from ginkgo_training.evaluation import strength
from ginkgo_training.logs import LOG, read_log
from ginkgo_training.ppo import ppo
from ginkgo_training.ppo_parts import Pool
from ginkgo_training.ppo_run import Budget, PpoRun
from ginkgo_training.ppo_settings import OpponentSettings, PpoSettings

SMALL: dict[str, Any] = {"hidden": 16, "width": 8}
GAME: dict[str, Any] = {"players": 2, "max_rounds": 2, "setup": "introductory"}
TINY = PpoSettings(
    games=8,
    steps=8,
    batch=32,
    network=NetworkSettings("both", **SMALL),
    opponents=OpponentSettings(baseline_share=0.3, past_share=0.4, snapshot_every=2, snapshots=2),
)
APP = typer.Typer()
APP.command()(ppo)


class FirstLegal(Agent):
    def act(self, turn: Turn) -> np.ndarray:
        return turn.masks.argmax(axis=1)


@pytest.fixture(autouse=True)
def first_legal(agents_as_before: None) -> None:
    register_agent("first legal", FirstLegal)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Small networks are slower on several threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def tiny(seed: int = 3) -> PpoRun:
    return PpoRun("ginkgopolis", GAME, TINY, seed)


def bytes_of(run: PpoRun) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in run.checkpoint(training=True).arrays.items()}


@pytest.mark.parametrize("modules", [(), pytest.param(("events", "experts"), marks=pytest.mark.full)], ids=["base", "modules"])
@pytest.mark.parametrize("observation", ["both", "features"])
def test_torch_and_numpy_agree(observation: Any, modules: tuple[str, ...]) -> None:
    game = make_game("ginkgopolis", players=2, modules=modules)
    network = Network(game, NetworkSettings(observation, **SMALL))
    weights = network.first_weights(1) | network.scales(1, steps=40, size=4)
    weights = {name: array + np.float32(0.01) for name, array in weights.items()}
    batch = Batch(game, 9)
    for _ in range(25):
        batch.step(batch.sample())
    x = network.input_of(Turn(batch, np.arange(9), np.zeros(9, np.uint64)))
    ours, values = network.forward(np, weights, x, critic=True)
    tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
    theirs, others = network.forward(torch, tensors, torch.from_numpy(x), critic=True)
    assert ours.shape == (9, game.actions.size) and ours.dtype == np.float32 and np.ptp(ours) > 0.1
    assert np.allclose(ours, theirs.numpy(), rtol=0, atol=1e-4) and np.allclose(values, others.numpy(), rtol=0, atol=1e-4)


def test_a_run_that_was_stopped_and_resumed_equals_an_unbroken_one(tmp_path: Path) -> None:
    unbroken, first, budget = tiny(), tiny(), Budget(rollouts=6)
    start = bytes_of(first)
    unbroken.learn(budget, lambda _: True)
    first.learn(budget, lambda run: run.rollouts < 3)
    first.save(tmp_path)
    again = PpoRun.resume(tmp_path)
    assert bytes_of(again) == bytes_of(first) != start and again.rollouts == 3
    assert PpoAgent(tmp_path / "agent.npz")
    again.learn(budget, lambda _: True)
    assert bytes_of(again) == bytes_of(unbroken) and again.rollouts == 6
    assert again.model.num_timesteps == unbroken.model.num_timesteps == 6 * 64


def test_another_seed_learns_something_else() -> None:
    one, other = tiny(3), tiny(4)
    assert bytes_of(one)["env/batch/_blobs"] != bytes_of(other)["env/batch/_blobs"]
    assert bytes_of(one)["policy/trunk_1"] != bytes_of(other)["policy/trunk_1"]


def test_imitation_learns_what_the_other_does() -> None:
    """To take the first legal action is quickly learned; it is told in the checkpoint."""
    run, seen = tiny(), []
    run.imitate("first legal", 40, seen.append)
    told = run.checkpoint().about["imitation"]
    assert told["games"] == 40 and told["decisions"] > 100 and seen[-1] == 1.0
    twin = tiny()
    twin.imitate("random", 40, seen.append)
    assert told["same_actions"] > 1.3 * twin.about["imitation"]["same_actions"]


def test_opponents_by_their_shares() -> None:
    game = make_game("ginkgopolis", players=3)
    network = Network(game, NetworkSettings("features", **SMALL))
    weights = network.first_weights(0)
    pool = Pool(game, network, OpponentSettings(("random", "william"), 0.5, 0.25, snapshots=2))
    for _ in range(3):
        pool.keep(weights)
    assert {name.split("/")[1] for name in pool.arrays()} == {"0", "1"}
    drawn = [one for rollout in range(300) for one in pool.draw(weights, 7, rollout)]
    assert all(abs(drawn.count(name) / 600 - 0.25) < 0.07 for name in ("random", "william"))
    past = {id(agent) for _, agent in pool._kept}
    assert abs(sum(id(one) in past for one in drawn) / 600 - 0.25) < 0.07
    named = [
        [one if isinstance(one, str) else None for one in pool.draw(weights, 7, rollout)] for rollout in (*range(9), *range(9))
    ]
    assert named[:9] == named[9:] and len({*map(tuple, named)}) > 1  # from the seed and the rollout


def test_devices() -> None:
    assert chosen_device("cpu").type == "cpu" and chosen_device().type in ("cpu", "cuda")
    for wrong in ("moon", "cuda:99"):
        with pytest.raises(ConfigError, match=f"cannot train on '{wrong}'"):
            chosen_device(wrong)


def test_strength_counts_the_learners_wins() -> None:
    rates = [
        strength(make_agent(one), other, "ginkgopolis", GAME, 60, 1)
        for one, other in (("first legal", "random"), ("random", "first legal"))
    ]
    played = play_match(MatchConfig("ginkgopolis", ("first legal", "random"), GAME), 30, 1)
    assert played.wins[:, :, 0].mean() < 0.45  # else the test could not tell them apart
    assert all(one.low < one.mean < one.high for one in rates)
    assert rates[0].mean < 0.45 < 0.55 < rates[1].mean


def test_settings_that_make_no_sense_are_refused() -> None:
    assert PpoSettings.from_dict(TINY.as_dict()) == TINY
    for data in ({"gmaes": 3}, {"games": 0}, {"epochs": 0}, {"network": {"observation": "all"}}, {"network": {"x": 1}}):
        with pytest.raises(ConfigError):
            PpoSettings.from_dict(data)
    with pytest.raises(ConfigError):
        OpponentSettings(baseline_share=0.6, past_share=0.6)
    with pytest.raises(ConfigError):
        Budget(minutes=1, rollouts=1)


def test_the_command_on_another_game(trial_game: str, tmp_path: Path) -> None:
    """Trained, resumed, played; alone as well; and what is wrong is said."""
    (tmp_path / "settings.json").write_text('{"games": 4, "steps": 8, "batch": 16, "network": {"hidden": 8}}')

    def run(*arguments: object) -> Any:
        return CliRunner().invoke(APP, [*map(str, arguments)], env={"COLUMNS": "120"})

    out = tmp_path / "run"
    out.mkdir()
    (out / LOG).write_text("an earlier run\n")
    usual = ("--settings", tmp_path / "settings.json", "--evaluate-games", 10)
    result = run("--game", trial_game, "--out", out, "--rollouts", 2, "--imitate", "random", "--imitate-games", 5, *usual)
    assert result.exit_code == 0, result.output
    assert {"agent.npz", "training.npz"} < {file.name for file in out.iterdir()} and list(out.glob("events.out.tfevents*"))
    assert PpoRun.resume(out).rollouts == 2
    result = run("--resume", out, "--rollouts", 3, "--evaluate-games", 10)
    assert result.exit_code == 0 and PpoRun.resume(out).rollouts == 3, result.output
    kept = PpoRun.resume(out)
    about = kept.about
    assert about["imitation"]["agent"] == "random" and about["results"]
    seen = read_log(out).curves["random"]
    assert seen[-1].decisions == kept.model.num_timesteps and seen[-1].win == about["results"][-1]["mean"]
    alone = run("--game", trial_game, "--set", "players=1", "--out", tmp_path / "alone", "--rollouts", 1, *usual)
    assert alone.exit_code == 0, alone.output
    for wrong in (("--set", "colour=3"), ("--imitate", "nobody"), ("--resume", tmp_path), ("--settings", tmp_path / "none")):
        refused = run("--out", tmp_path / "refused", "--rollouts", 1, *wrong)
        assert refused.exit_code == 2, (wrong, refused.output)


def test_ctrl_c_saves(trial_game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a rollout: it is finished, and then the run can go on."""
    played = PpoRun.rollout

    def rollout(run: PpoRun, budget: Budget) -> None:
        if run.rollouts == 1:
            signal.raise_signal(signal.SIGINT)
        played(run, budget)

    monkeypatch.setattr(PpoRun, "rollout", rollout)
    before = signal.getsignal(signal.SIGINT)
    (tmp_path / "settings.json").write_text('{"games": 4, "steps": 8, "batch": 16}')
    usual = ["--game", trial_game, "--settings", str(tmp_path / "settings.json"), "--out", str(tmp_path)]
    result = CliRunner().invoke(APP, [*usual, "--rollouts", "9"])
    assert result.exit_code == 130, result.output
    assert PpoRun.resume(tmp_path).rollouts == 2 and signal.getsignal(signal.SIGINT) is before


def test_alone_against_an_automaton() -> None:
    """Wins count there too, and there is no opponent to draw."""
    run = PpoRun("ginkgopolis", {"players": 1}, TINY, 1)
    run.learn(Budget(rollouts=1), lambda _: True)
    assert 0 <= run.evaluate("random", 4, 1).mean <= 1
