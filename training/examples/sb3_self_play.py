"""Self-play against a pool of past selves, with ``MaskablePPO`` of sb3-contrib.

    pip install -e ".[eval]" -e ./agents -r training/examples/requirements.txt
    python training/examples/sb3_self_play.py --steps 204800

Now and then a frozen copy of the policy joins the pool. For each rollout one member of the pool is drawn, which then plays the
other seats. Half of the draws take the newest member: the older ones keep the policy from forgetting how to beat them.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import FlattenExtractor

from ginkgo_agents.evaluation.statistics import Interval, interval_text, wilson
from ginkgo_env.envs.sb3 import GinkgoVecEnv


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


class Logarithms(FlattenExtractor):  # type: ignore[misc, unused-ignore]
    """Takes logarithms, as points and tiles reach hundreds."""

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return observations.sign() * observations.abs().log1p()


class PastSelf:
    """A frozen copy of a policy, as an opponent of ``GinkgoVecEnv``."""

    def __init__(self, policy: Any) -> None:
        file = io.BytesIO()  # copy.deepcopy refuses the policy, which keeps tensors of its last action
        policy.save(file)
        file.seek(0)
        self.policy = type(policy).load(file)

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        actions, _ = self.policy.predict(observations, action_masks=masks)
        return np.asarray(actions)


class SelfPlay(BaseCallback):  # type: ignore[misc, unused-ignore]
    """Adds copies of the policy to the pool, and draws the opponent of each rollout from it."""

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__()
        self.args, self.pool, self.rollouts = args, list[PastSelf](), 0
        self.rng = np.random.default_rng(args.seed)

    def _on_rollout_start(self) -> None:
        if self.rollouts % self.args.every == 0:
            self.pool = [*self.pool, PastSelf(self.model.policy)][-self.args.pool :]
        self.rollouts += 1
        drawn = -1 if self.rng.random() < 0.5 else self.rng.integers(len(self.pool))
        self.training_env.env_method("set_opponents", self.pool[drawn])

    def _on_step(self) -> bool:
        return True


def make(games: int, opponents: Any) -> GinkgoVecEnv:
    options = {"seat": "rotating", "observation": "features", "reward": "outcome", "illegal_action": "raise"}
    return GinkgoVecEnv(num_envs=games, players=2, opponents=opponents, **options)


def win_rate(model: MaskablePPO, args: argparse.Namespace, opponents: Any) -> Interval:
    """The share of games that the policy wins or ties, with its 95 % interval; seats rotate."""
    envs = make(args.evaluate, opponents)
    envs.seed(10_000_000 + args.seed)  # not the deals of training
    observations, wins = envs.reset(), np.full(args.evaluate, np.nan)
    while np.isnan(wins).any():
        actions, _ = model.predict(observations, action_masks=envs.action_masks())
        observations, _, dones, infos = envs.step(actions)
        for row in np.flatnonzero(dones & np.isnan(wins)):  # one game of each row counts
            wins[row] = infos[row]["is_success"]
    return wilson(wins.sum(), args.evaluate)


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    args = parse(arguments)
    torch.set_num_threads(1)  # the networks are small
    model = MaskablePPO(
        "MlpPolicy",
        make(args.games, "random"),  # until the first rollout
        policy_kwargs={"features_extractor_class": Logarithms, "net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        n_steps=args.rollout,
        batch_size=min(512, args.rollout * args.games),
        n_epochs=4,
        gamma=1.0,
        learning_rate=lambda left: 1e-3 * left,
        ent_coef=0.005,
        seed=args.seed,
        device="cpu",
    )
    self_play = SelfPlay(args)
    model.learn(args.steps, callback=self_play)
    opponents = {"random": "random", "greedy": "greedy", "oldest past self": self_play.pool[0]}
    wins = {name: win_rate(model, args, opponent) for name, opponent in opponents.items()}
    for name, rate in wins.items():
        print(f"{interval_text(rate, scale=100)} % of {args.evaluate} games against {name} won")
    return {"wins": wins, "pool": self_play.pool}


if __name__ == "__main__":
    main()
