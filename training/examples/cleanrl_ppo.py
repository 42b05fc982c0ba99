"""PPO with action masks in one file of plain torch, on the native Gymnasium vector environment.

    python training/examples/cleanrl_ppo.py --steps 1000000

One policy learns both seats of two players against random opponents, in the style of CleanRL: the algorithm is in this one file,
which imports only numpy, torch and Gymnasium. Masks come from ``infos["action_mask"]``. Needs ``torch``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

ENV = "ginkgo_env:ginkgo_env/Ginkgopolis-v0"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions of the learner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=64, help="games side by side")
    parser.add_argument("--rollout", type=int, default=64, help="decisions in each game between updates")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--evaluate", type=int, default=500, help="games against the opponents at the end")
    parser.add_argument("--rate", type=float, default=1e-3, help="initial learning rate; it falls to 0")
    return parser.parse_args(arguments)


def make(args: argparse.Namespace, games: int) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
    """Make environments that start the next game in the step that ends one (``SameStep``).

    So every row of a rollout is a decision.
    """
    return gymnasium.make_vec(
        ENV,
        num_envs=games,
        players=args.players,
        opponents=args.opponents,
        seat="rotating",
        observation="features",
        reward="outcome",
        illegal_action="raise",  # an illegal action would end the run
        autoreset_mode="SameStep",
    )


class Network(nn.Module):
    """The policy and the value of an observation."""

    def __init__(self, inputs: int, actions: int, hidden: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.actor, self.critic = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        small = observations.sign() * observations.abs().log1p()  # counts of points and tiles reach hundreds
        hidden = self.body(small)
        logits = self.actor(hidden).masked_fill(~masks, -torch.inf)  # a mask is never all zero, so never all -inf
        return Masked(logits=logits), self.critic(hidden).squeeze(-1)


class Masked(Categorical):
    """A categorical distribution in which some probabilities are 0."""

    def entropy(self) -> torch.Tensor:
        """The entropy in nats; an illegal action adds 0, not 0 x -inf."""
        return -(self.probs * self.logits.clamp(min=-1e9)).sum(-1)


def advantages(rewards: torch.Tensor, values: torch.Tensor, ends: torch.Tensor, following: torch.Tensor) -> torch.Tensor:
    """Compute generalized advantages (T, N) with discount 1 and lambda 0.95.

    following : (N,) the values after the last step
    """
    result, running = torch.zeros_like(rewards), torch.zeros_like(following)
    for t in reversed(range(len(rewards))):
        running = rewards[t] + ~ends[t] * (following + 0.95 * running) - values[t]
        result[t], following = running, values[t]
    return result


def learn(network: Network, optimizer: torch.optim.Optimizer, batch: dict[str, torch.Tensor]) -> None:
    """Make four passes over a rollout, whose entries are (T * N, ...), in minibatches of 1024."""
    size = len(batch["actions"])
    for _ in range(4):
        for rows in torch.randperm(size).split(min(1024, size)):
            policy, values = network(batch["observations"][rows], batch["masks"][rows])
            ratio = (policy.log_prob(batch["actions"][rows]) - batch["logs"][rows]).exp()
            gain = batch["advantages"][rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            actor = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
            critic = (values - batch["returns"][rows]).square().mean()
            loss = actor + 0.5 * critic - 0.005 * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


@torch.no_grad()
def win_rate(network: Network, args: argparse.Namespace) -> float:
    """The share of games that the policy wins or ties, drawing actions by its probabilities."""
    envs = make(args, args.evaluate)
    observations, infos = envs.reset(seed=10_000_000 + args.seed)  # not the deals of training
    waiting, wins = np.ones(args.evaluate, bool), 0
    while waiting.any():
        policy, _ = network(torch.as_tensor(observations), torch.as_tensor(infos["action_mask"] != 0))
        observations, _, _, _, infos = envs.step(policy.sample().numpy())
        if "final_info" in infos:
            first = waiting & infos["_final_info"]  # one game of each row counts
            wins += int(infos["final_info"]["is_success"][first].sum())
            waiting &= ~first
    return wins / args.evaluate


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    args = parse(arguments)
    torch.manual_seed(args.seed)
    envs = make(args, args.games)
    network = Network(envs.single_observation_space.shape[0], int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate, eps=1e-5)
    observations, infos = envs.reset(seed=args.seed)
    updates, games, begun = max(1, args.steps // (args.rollout * args.games)), 0, time.time()
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = args.rate * (1 - update / updates)
        steps: list[dict[str, torch.Tensor]] = []
        for _ in range(args.rollout):
            inputs, masks = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"] != 0)
            with torch.no_grad():
                policy, values = network(inputs, masks)
                actions = policy.sample()
            observations, rewards, terminations, truncations, infos = envs.step(actions.numpy())
            steps.append(
                {
                    "observations": inputs,
                    "masks": masks,
                    "actions": actions,
                    "logs": policy.log_prob(actions),
                    "values": values,
                    "rewards": torch.as_tensor(rewards, dtype=torch.float32),
                    "ends": torch.as_tensor(terminations | truncations),
                }
            )
        batch = {name: torch.stack([step[name] for step in steps]) for name in steps[0]}
        with torch.no_grad():
            _, following = network(torch.as_tensor(observations), torch.as_tensor(infos["action_mask"] != 0))
        batch["advantages"] = advantages(batch["rewards"], batch["values"], batch["ends"], following)
        batch["returns"] = batch["advantages"] + batch["values"]
        learn(network, optimizer, {name: tensor.flatten(0, 1) for name, tensor in batch.items()})
        ended = int(batch["ends"].sum())
        games += ended
        if update % 10 == 0 or update == updates - 1:
            reward = float(batch["rewards"].sum()) / max(1, ended)
            print(f"update {update + 1}/{updates}: {games} games, reward {reward:+.2f}, {time.time() - begun:.0f} s", flush=True)
    envs.close()
    rate = win_rate(network, args)
    print(f"won {100 * rate:.1f} % of {args.evaluate} games against {args.opponents}, {time.time() - begun:.0f} s in all")
    return {"win_rate": rate, "games": games, "weights": nn.utils.parameters_to_vector(network.parameters()).detach()}


if __name__ == "__main__":
    main()
