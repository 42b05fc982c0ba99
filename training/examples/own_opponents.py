"""Opponents of one's own: an agent of this module, agents by name, and snapshots of the policy.

In three of ten games one of the seats goes to one of three agents, twice as often to greedy; in two of ten to the policy as it
was; else the policy learns from both seats. Those that win often are drawn more. From this folder:

    python own_opponents.py --out runs/first
    ginkgo train ppo --players 2 --settings own_opponents.json --minutes 10 --out runs/tough
    ginkgo train ppo --resume runs/tough --settings own_opponents.json --minutes 20

A checkpoint has the names of the agents, but opening it never imports anything: so the settings are given again. Run as a script,
this file writes the settings, trains for a moment, and prints how often the policy finished above each.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ginkgo_env
from ginkgo_agents import Agent, DecisionBatch
from ginkgo_training import runs
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.settings import PpoSettings, settings_of


class LastAction(Agent):
    """Takes the last legal action of each decision."""

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        return np.asarray(turn.masks.shape[1] - 1 - turn.masks[:, ::-1].argmax(axis=1))


OPPONENTS: dict[str, Any] = {
    "baselines": ["greedy", "random", "own_opponents:LastAction"],  # and files: "runs/first/agent.npz"
    "weights": [2, 1, 1],
    "priority": 1,
    "baseline_share": 0.3,
    "past_share": 0.2,
    "snapshot_every": 2,
}


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path("run"))
    parser.add_argument("--rollouts", type=int, default=5)
    parser.add_argument("--games", type=int, default=256)
    options = parser.parse_args(arguments)
    Path("own_opponents.json").write_text(json.dumps({"opponents": OPPONENTS}, indent=2), encoding="utf-8")
    settings = settings_of(PpoSettings, {"opponents": OPPONENTS, "games": options.games})
    trainer = PpoTrainer(ginkgo_env.make_game("ginkgopolis", players=2), settings, seed=0)
    runs.train(trainer, runs.Budget(rollouts=options.rollouts), options.out, against=["random"], games=20)
    rates = {name: round(float(trainer.pool.rates[player]), 2) for player, name in trainer.pool.names.items()}
    print(rates)
    return rates


if __name__ == "__main__":
    main()
