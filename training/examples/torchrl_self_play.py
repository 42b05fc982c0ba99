"""Self-play against a pool of past selves, with PPO of TorchRL.

    pip install -e ".[eval]" -e ./agents -r training/examples/requirements.txt
    python training/examples/torchrl_self_play.py --steps 204800

Now and then a frozen copy of the policy joins the pool. For each rollout one member of the pool is drawn, which then plays the
other seats. Half of the draws take the newest member: the older ones keep the policy from forgetting how to beat them.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import ginkgo_env
from ginkgo_agents.evaluation.statistics import Interval, interval_text, wilson


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=204_800, help="decisions of the learner")
    parser.add_argument("--games", type=int, default=64, help="games side by side")
    parser.add_argument("--rollout", type=int, default=32, help="decisions in each game between updates")
    parser.add_argument("--every", type=int, default=10, help="rollouts between copies of the policy")
    parser.add_argument("--pool", type=int, default=10, help="most members of the pool; the oldest leaves it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluate", type=int, default=500, help="games against each opponent at the end")
    return parser.parse_args(arguments)


class Network(nn.Sequential):
    """Takes logarithms first, as points and tiles reach hundreds."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x.sign() * x.abs().float().log1p())


class PastSelf:
    """A frozen copy of a policy, as an opponent of ``GinkgoVectorEnv``."""

    def __init__(self, policy: nn.Module) -> None:
        self.policy = copy.deepcopy(policy)

    @torch.no_grad()
    def __call__(self, observations: dict[str, NDArray[Any]], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        logits = self.policy(torch.as_tensor(observations["observation"]))
        return np.asarray(MaskedCategorical(logits=logits, mask=torch.as_tensor(masks != 0)).sample())


def make(games: int, mode: str, opponents: Any) -> Any:
    options: dict[str, Any] = {"observation": "dict", "reward": "outcome", "seat": "rotating", "illegal_action": "raise"}
    return ginkgo_env.GinkgoVectorEnv(num_envs=games, players=2, autoreset_mode=mode, opponents=opponents, **options)


def win_rate(player: PastSelf, args: argparse.Namespace, opponents: Any) -> Interval:
    """The share of games that a policy wins or ties, with its 95 % interval; seats rotate."""
    envs = make(args.evaluate, "SameStep", opponents)
    observations, infos = envs.reset(seed=10_000_000 + args.seed)  # not the deals of training
    waiting, wins = np.ones(args.evaluate, bool), 0
    while waiting.any():
        observations, _, _, _, infos = envs.step(player(observations, infos["action_mask"]))
        if "final_info" in infos:
            first = waiting & infos["_final_info"]  # one game of each row counts
            wins += int(infos["final_info"]["is_success"][first].sum())
            waiting &= ~first
    return wilson(wins, args.evaluate)


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    args = parse(arguments)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # the networks are small
    rng = np.random.default_rng(args.seed)
    envs = make(args.games, "Disabled", "random")  # TorchRL resets the games that are over
    policy = Network(envs.game.observation.size, envs.game.actions.size)
    actor = ProbabilisticActor(
        TensorDictModule(policy, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(Network(envs.game.observation.size, 1), in_keys=["observation"])
    loss_module = ClipPPOLoss(actor, critic, entropy_coeff=0.005, critic_coeff=0.5, normalize_advantage=True)
    gae = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss_module.parameters(), lr=1e-3)
    boolean = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])  # as MaskedCategorical requires
    env = TransformedEnv(GymWrapper(envs, categorical_action_encoding=True), boolean)
    env.set_seed(args.seed)
    sizes = {"frames_per_batch": args.games * args.rollout, "total_frames": args.steps}
    collector = Collector(env, actor, auto_register_policy_transforms=False, **sizes)
    pool = [PastSelf(policy)]
    envs.set_opponents(pool[0])
    for rollouts, rollout in enumerate(collector, start=1):
        flat = gae(rollout).reshape(-1)
        for _ in range(4):
            for rows in torch.randperm(len(flat)).split(512):
                losses = loss_module(flat[rows])
                optimizer.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss_module.parameters(), 0.5)
                optimizer.step()
        if rollouts % args.every == 0:
            pool = [*pool, PastSelf(policy)][-args.pool :]
        envs.set_opponents(pool[-1 if rng.random() < 0.5 else rng.integers(len(pool))])
    collector.shutdown()
    opponents = {"random": "random", "greedy": "greedy", "oldest past self": pool[0]}
    wins = {name: win_rate(PastSelf(policy), args, opponent) for name, opponent in opponents.items()}
    for name, rate in wins.items():
        print(f"{interval_text(rate, scale=100)} % of {args.evaluate} games against {name} won")
    return {"wins": wins, "pool": pool}


if __name__ == "__main__":
    main()
