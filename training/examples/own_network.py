"""A network of one's own: residual blocks on the compact features, of any depth.

From this folder, training from the command line, playing what comes out, and going on later:

    ginkgo train ppo --players 2 --network own_network:Residual --minutes 10 --out runs/residual
    ginkgo leaderboard --players 2 --agents greedy,random,runs/residual/agent.npz:network=own_network:Residual
    ginkgo train ppo --resume runs/residual --network own_network:Residual --minutes 20

A checkpoint has the name of the class, but opening it never imports anything: so the class is named again. Run as a script,
this file trains for a moment with a network twice as deep, and plays against random agents.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

import ginkgo_env
from ginkgo_agents.ppo import InputKind, Network, NetworkSettings
from ginkgo_env import Game
from ginkgo_training import runs
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.settings import PpoSettings


class Residual(nn.Module):
    """Returns logits (B, actions) and values (B,) of features (B, n)."""

    observation: InputKind = "features"  # or "blocks", the observation, or "both", one after the other
    depth = 3
    mean: Tensor
    scale: Tensor

    def __init__(self, game: Game, width: int = 128) -> None:
        super().__init__()
        for name, array in Network(game, NetworkSettings(self.observation)).scales(seed=0).items():
            self.register_buffer(name, torch.from_numpy(array))  # mean and scale of the inputs in random play
        self.first = nn.Linear(game.features.size, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
            for _ in range(self.depth)
        )
        self.policy, self.value = nn.Linear(width, game.actions.size), nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        h = self.first(((x - self.mean) * self.scale).clamp(-5, 5)).relu()
        for block in self.blocks:
            h = h + block(h)
        return self.policy(h), self.value(h)[:, 0]


class Deep(Residual):
    """The same with six blocks."""

    depth = 6


def main(arguments: Sequence[str] | None = None) -> Path:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path("run"))
    parser.add_argument("--rollouts", type=int, default=5)
    parser.add_argument("--games", type=int, default=256)
    options = parser.parse_args(arguments)
    game = ginkgo_env.make_game("ginkgopolis", players=2)
    trainer = PpoTrainer(game, PpoSettings(network_class="own_network:Deep", games=options.games), seed=0)
    agent = runs.train(trainer, runs.Budget(rollouts=options.rollouts), options.out, against=["random"], games=20)
    print(trainer.about["evaluation"])
    return agent


if __name__ == "__main__":
    main()
