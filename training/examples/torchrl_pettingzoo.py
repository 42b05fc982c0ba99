"""PPO of TorchRL in self-play on the PettingZoo environment: one policy plays all seats.

    pip install -e ".[eval]" -e ./agents -r training/examples/requirements.txt
    python training/examples/torchrl_pettingzoo.py --steps 100000

TorchRL has the observation of every agent at every step. So each seat has a trajectory of its own, with its own values and
rewards, also when another seat's action ends the game. The policy learns from the steps in which the seat acts (``mask``).
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import MarlGroupMapType
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import ginkgo_env

OBSERVATION = ("agents", "observation")
warnings.filterwarnings("ignore", message="PettingZoo in TorchRL is tested")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000, help="decisions of all seats")
    parser.add_argument("--rollout", type=int, default=1000, help="decisions between updates")
    parser.add_argument("--batch", type=int, default=250, help="decisions in a minibatch")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluate", type=int, default=500, help="games against random play at the end")
    return parser.parse_args(arguments)


class Logarithms(nn.Module):
    """Takes logarithms, as points and tiles reach hundreds."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sign() * x.abs().log1p()


def network(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(Logarithms(), nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, outputs))


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    args = parse(arguments)
    torch.manual_seed(args.seed)
    # Without the wrapper that ends a game after an illegal action: here one would be an error.
    game = ginkgo_env.raw_env(players=args.players, observation="features", reward="outcome")
    env = PettingZooWrapper(game, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, seed=args.seed)
    inputs, actions = game.game.features.size, game.game.actions.size

    policy = network(inputs, actions)
    actor = ProbabilisticActor(
        TensorDictModule(policy, in_keys=[OBSERVATION], out_keys=[("agents", "logits")]),
        in_keys={"logits": ("agents", "logits"), "mask": ("agents", "action_mask")},
        out_keys=[env.action_key],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(network(inputs, 1), in_keys=[OBSERVATION], out_keys=[("agents", "state_value")])
    loss_module = ClipPPOLoss(actor, critic, entropy_coeff=0.005, critic_coeff=0.5, normalize_advantage=True)
    loss_module.set_keys(
        action=env.action_key,
        sample_log_prob=("agents", "action_log_prob"),
        value=("agents", "state_value"),
        advantage=("agents", "advantage"),
        value_target=("agents", "value_target"),
    )
    gae = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    gae.set_keys(
        reward=env.reward_key,
        done=("agents", "done"),
        terminated=("agents", "terminated"),
        value=("agents", "state_value"),
        advantage=("agents", "advantage"),
        value_target=("agents", "value_target"),
    )
    optimizer = torch.optim.Adam(loss_module.parameters(), lr=1e-3)

    sizes = {"frames_per_batch": args.rollout, "total_frames": args.steps}
    collector = Collector(env, actor, auto_register_policy_transforms=False, **sizes)
    decisions, games = 0, 0
    for rollout in collector:
        with torch.no_grad():
            gae(rollout)
        seats = rollout["agents"]  # (steps, players)
        acting = seats[seats["mask"]]  # (steps,): at each step one seat
        for _ in range(4):
            for rows in torch.randperm(len(acting)).split(args.batch):
                losses = loss_module(TensorDict({"agents": acting[rows]}, batch_size=[len(rows)]))
                optimizer.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss_module.parameters(), 0.5)
                optimizer.step()
        decisions, games = decisions + len(acting), games + int(rollout["next", "done"].sum())
        print(f"{decisions} decisions, {games} games, entropy {float(losses['entropy']):.2f}", flush=True)
    collector.shutdown()
    rate = win_rate(policy, args)
    print(f"won {100 * rate:.1f} % of {args.evaluate} games against random play")
    return {"win_rate": rate, "decisions": decisions, "games": games, "policy": policy}


@torch.no_grad()
def win_rate(policy: nn.Module, args: argparse.Namespace) -> float:
    """The share of games that the policy wins or ties against random play; seats rotate."""
    rows = args.evaluate
    options: dict[str, Any] = {"players": args.players, "observation": "features", "seat": "rotating"}
    envs = ginkgo_env.GinkgoVectorEnv(num_envs=rows, autoreset_mode="SameStep", **options)
    observations, infos = envs.reset(seed=10_000_000 + args.seed)  # not the deals of training
    waiting, wins = np.ones(rows, bool), 0
    while waiting.any():
        masks = torch.as_tensor(infos["action_mask"] != 0)
        actions = MaskedCategorical(logits=policy(torch.as_tensor(observations)), mask=masks).sample()
        observations, _, _, _, infos = envs.step(actions.numpy())
        if "final_info" in infos:
            first = waiting & infos["_final_info"]  # one game of each row counts
            wins += int(infos["final_info"]["is_success"][first].sum())
            waiting &= ~first
    return wins / rows


if __name__ == "__main__":
    main()
