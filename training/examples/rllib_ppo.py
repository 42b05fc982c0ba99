"""PPO of RLlib with action masks, for one seat of a game.

    pip install -e ".[eval]" -e ./agents -r training/examples/requirements-rllib.txt
    python training/examples/rllib_ppo.py --iterations 20

RLlib supports masks by its examples only: a ``Dict`` observation contains the mask, and a module reads it. RLlib 2.60 requires
Gymnasium 1.2.2, so install it in a virtual environment of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.torch_utils import FLOAT_MIN
from torch import nn

ENV = "ginkgo_env:ginkgo_env/Ginkgopolis-v0"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--batch", type=int, default=4096, help="decisions in an iteration")
    parser.add_argument("--runners", type=int, default=0, help="processes that play; with 0 this one plays")
    parser.add_argument("--games", type=int, default=16, help="games side by side in each of them")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluate", type=int, default=200, help="games against the opponents at the end")
    return parser.parse_args(arguments)


class MaskedSeat(gymnasium.Wrapper[Any, Any, Any, Any]):
    """One seat of two, with the mask in the observation; RLlib makes it from ``env_config``."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(gymnasium.make(ENV, players=2, observation="features", reward="outcome", seat="rotating", **config))
        size = self.env.observation_space.shape
        self.observation_space = spaces.Dict(
            observation=spaces.Box(-10, 10, size, np.float32),
            action_mask=spaces.Box(0, 1, (int(self.env.action_space.n),), np.float32),
        )

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(**kwargs)
        return self._with_mask(observation, info), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._with_mask(observation, info), reward, terminated, truncated, info

    @staticmethod
    def _with_mask(observation: Any, info: dict[str, Any]) -> dict[str, Any]:
        """Take logarithms, as points and tiles reach hundreds, and add the mask."""
        small = np.sign(observation) * np.log1p(np.abs(observation))
        return {"observation": small, "action_mask": info["action_mask"].astype(np.float32)}


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """The policy and the value of such observations; illegal actions get the lowest logit."""

    def setup(self) -> None:
        inputs = self.observation_space["observation"].shape[0]
        self.body = nn.Sequential(nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.actor, self.critic = nn.Linear(128, self.action_space.n), nn.Linear(128, 1)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        inputs = batch[Columns.OBS]
        hidden = self.body(inputs["observation"].float())
        logits = self.actor(hidden).masked_fill(inputs["action_mask"] == 0, FLOAT_MIN)
        return {Columns.EMBEDDINGS: hidden, Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch: dict[str, Any], embeddings: torch.Tensor | None = None) -> torch.Tensor:
        hidden = self.body(batch[Columns.OBS]["observation"].float()) if embeddings is None else embeddings
        return self.critic(hidden).squeeze(-1)


def settings(args: argparse.Namespace) -> PPOConfig:
    # "raise": an illegal action would end the run
    config = PPOConfig().environment(MaskedSeat, env_config={"opponents": args.opponents, "illegal_action": "raise"})
    config.rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
    config.env_runners(num_env_runners=args.runners, num_envs_per_env_runner=args.games)
    config.training(
        train_batch_size_per_learner=args.batch,
        minibatch_size=min(1024, args.batch),
        num_epochs=4,
        lr=1e-3,
        gamma=1.0,
        lambda_=0.95,
        entropy_coeff=0.005,
        use_kl_loss=False,
        vf_loss_coeff=0.5,
        grad_clip=0.5,
    )
    return config.debugging(seed=args.seed, log_level="ERROR")


@torch.no_grad()
def win_rate(module: Any, args: argparse.Namespace) -> float:
    """The share of games that the module wins or ties, drawing actions by its probabilities."""
    env, wins = MaskedSeat({"opponents": args.opponents}), 0
    observation, info = env.reset(seed=10_000_000 + args.seed)
    for _ in range(args.evaluate):
        over = False
        while not over:
            batch = {Columns.OBS: {name: torch.as_tensor(array)[None] for name, array in observation.items()}}
            logits = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
            action = int(torch.distributions.Categorical(logits=logits).sample())
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        wins += info["is_success"]
        observation, info = env.reset()
    return wins / args.evaluate


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    args = parse(arguments)
    algorithm = settings(args).build_algo()
    for iteration in range(args.iterations):
        result = algorithm.train()
        played = result["env_runners"]
        print(f"iteration {iteration + 1}: {played['num_env_steps_sampled_lifetime']:.0f} decisions", end=", ")
        print(f"reward {played.get('episode_return_mean', float('nan')):+.2f}", flush=True)
    module = algorithm.get_module()
    rate = win_rate(module, args)
    print(f"won {100 * rate:.1f} % of {args.evaluate} games against {args.opponents}")
    algorithm.stop()
    decisions = int(played["num_env_steps_sampled_lifetime"])
    return {"win_rate": rate, "decisions": decisions, "module": module}


if __name__ == "__main__":
    main()
