"""Deep Q-learning of Tianshou with action masks, for one seat of a game.

    pip install -e ".[eval]" -e ./agents -r training/examples/requirements.txt
    python training/examples/tianshou_dqn.py --steps 100000

In Tianshou only the DQN family reads masks: from ``obs["mask"]``, beside ``obs["obs"]``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

ENV = "ginkgo_env:ginkgo_env/Ginkgopolis-v0"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000, help="decisions of the learner")
    parser.add_argument("--games", type=int, default=16, help="games side by side")
    parser.add_argument("--batch", type=int, default=256, help="decisions in a minibatch")
    parser.add_argument("--replays", type=int, default=16, help="how often a decision is learned from")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluate", type=int, default=200, help="games against the opponents at the end")
    return parser.parse_args(arguments)


class MaskedSeat(gymnasium.Wrapper[Any, Any, Any, Any]):
    """One seat of two, with the mask in the observation."""

    def __init__(self, opponents: str) -> None:
        # "raise": an illegal action would end the run
        super().__init__(
            gymnasium.make(
                ENV,
                players=2,
                opponents=opponents,
                observation="features",
                reward="outcome",
                seat="rotating",
                illegal_action="raise",
            )
        )
        mask = spaces.Box(0, 1, (int(self.env.action_space.n),), np.int8)
        self.observation_space = spaces.Dict(obs=spaces.Box(-10, 10, self.env.observation_space.shape, np.float32), mask=mask)

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(**kwargs)
        return self._with_mask(observation, info), {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._with_mask(observation, info), reward, terminated, truncated, {"won": info.get("is_success", False)}

    @staticmethod
    def _with_mask(observation: Any, info: dict[str, Any]) -> dict[str, Any]:
        """Take logarithms, as points and tiles reach hundreds, and add the mask."""
        return {"obs": np.sign(observation) * np.log1p(np.abs(observation)), "mask": info["action_mask"]}


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    args = parse(arguments)
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)  # noqa: NPY002 -- Tianshou explores with it
    envs = DummyVectorEnv([lambda: MaskedSeat(args.opponents) for _ in range(args.games)])
    one = MaskedSeat(args.opponents)
    space, actions = one.observation_space["obs"], one.action_space
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=[128, 128]),
        action_space=actions,
        eps_training=0.2,
    )
    algorithm = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=1.0,
        n_step_return_horizon=10,
        target_update_freq=500,
        is_double=True,  # otherwise the target is the highest value of all actions, illegal ones included
    )
    training = Collector[CollectStats](algorithm, envs, VectorReplayBuffer(50_000, args.games), exploration_noise=True)
    training.reset(gym_reset_kwargs={"seed": args.seed})
    training.collect(n_step=8 * args.games, random=False)
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=training,
            max_epochs=1,
            epoch_num_steps=args.steps,
            collection_step_num_env_steps=8 * args.games,
            update_step_num_gradient_steps_per_sample=args.replays / args.batch,
            batch_size=args.batch,
            show_progress=sys.stderr.isatty(),
            training_fn=lambda epoch, step: policy.set_eps_training(max(0.05, 1 - 2 * step / args.steps)),
        )
    )
    rate = win_rate(algorithm, args)
    print(f"won {100 * rate:.1f} % of {args.evaluate} games against {args.opponents}")
    return {"win_rate": rate, "decisions": result.train_step, "policy": policy}


def win_rate(algorithm: DQN[Any], args: argparse.Namespace) -> float:
    """The share of games that the policy wins or ties, without exploration."""
    wins = 0
    env = MaskedSeat(args.opponents)
    for game in range(args.evaluate):
        observation, _ = env.reset(seed=10_000_000 + args.seed + game)
        over, info = False, {}
        while not over:
            batch = Batch(obs=Batch(**{name: array[None] for name, array in observation.items()}), info=Batch())
            with torch.no_grad():
                action = algorithm.policy(batch).act[0]
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        wins += info["won"]
    return wins / args.evaluate


if __name__ == "__main__":
    main()
