"""Measure how many decisions a second PPO learns from, beside MaskablePPO of sb3-contrib.

Both play Ginkgopolis with the compact features, learn with the same network, batches and numbers of passes, and use one thread.
They take turns in one process; rates are medians by processor time, and count decisions that are learned from.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Annotated

import torch
import typer
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO

from ginkgo_agents.ppo import NetworkSettings
from ginkgo_env.envs.sb3 import GinkgoVecEnv
from ginkgo_env.registry import make_game
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.self_play import SelfPlayTrainer
from ginkgo_training.settings import LookaheadSettings, OpponentSettings, PpoSettings, TrainerSettings

UNITS, PLAYERS = 128, 2
Step = Callable[[], int]
"""Plays a rollout and learns from it; returns the number of its decisions."""


def ginkgo(kind: type[SelfPlayTrainer], settings: TrainerSettings) -> Step:
    """A trainer of this project."""
    trainer = kind(make_game("ginkgopolis", players=PLAYERS), settings, 0, "cpu")

    def step() -> int:
        before = trainer.decisions
        trainer.training_step(1.0)
        return trainer.decisions - before

    return step


def stable_baselines() -> Step:
    """MaskablePPO with random opponents."""
    chosen = PpoSettings()
    env = GinkgoVecEnv("ginkgopolis", num_envs=chosen.games, observation="features", players=PLAYERS)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=chosen.n_steps,
        batch_size=chosen.batch_size,
        n_epochs=chosen.n_epochs,
        policy_kwargs={"net_arch": [UNITS, UNITS]},
        device="cpu",
    )

    def step() -> int:
        model.learn(chosen.n_steps * chosen.games, reset_num_timesteps=False)
        return chosen.n_steps * chosen.games

    return step


def main(rounds: Annotated[int, typer.Option(help="Rollouts of each, after one that does not count.", min=1)] = 7) -> None:
    """Print decisions a second of each."""
    torch.set_num_threads(1)
    ppo = PpoSettings(network=NetworkSettings(hidden=UNITS))
    learners = {
        "ginkgo train ppo, self-play": ginkgo(PpoTrainer, replace(ppo, opponents=OpponentSettings())),
        "ginkgo train ppo, default opponents": ginkgo(PpoTrainer, ppo),
        "ginkgo train lookahead": ginkgo(LookaheadTrainer, LookaheadSettings()),
        "MaskablePPO of sb3-contrib": stable_baselines(),
    }
    rates: dict[str, list[float]] = {name: [] for name in learners}
    for _ in range(rounds + 1):
        for name, step in learners.items():
            start = time.process_time()
            decisions = step()
            rates[name].append(decisions / (time.process_time() - start))
    table = Table("Learner", "Decisions/s", "Against MaskablePPO")
    for name, measured in rates.items():
        rate, other = (median(each[1:]) for each in (measured, rates["MaskablePPO of sb3-contrib"]))
        table.add_row(name, f"{rate:,.0f}", f"{rate / other:.2f}")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
