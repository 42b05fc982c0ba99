"""Train an agent for Ginkgopolis for two with another library, as its users would.

    python benchmarks/learners.py maskable_ppo --decisions 1000000 --seed 1 --out runs/maskable_ppo

The folder gets the agent, a log and a description, as with ``ginkgo train``. The agent is a multilayer perceptron that reads
logarithms of the features, a kind of checkpoint of its own; ``benchmarks/baselines.py`` scores it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from runpy import run_path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, DecisionBatch
from ginkgo_agents.checkpoints import Checkpoint, write_checkpoint
from ginkgo_agents.evaluation.strength import evaluate, summarize
from ginkgo_agents.registry import register_kind
from ginkgo_env.core.files import write_file
from ginkgo_env.registry import make_game
from ginkgo_training.logs import LOG, write_log
from ginkgo_training.trainer import AGENT

GAME, AGAINST = make_game("ginkgopolis", players=2), ("random", "greedy")
ACTIVATION = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}


class MlpAgent(Agent):
    """Takes the action with the highest output."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.activation = ACTIVATION[checkpoint.settings["activation"]]
        self.layers = [checkpoint.arrays[f"layer_{k}"] for k in range(len(checkpoint.arrays))]

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return the actions (rows,)."""
        x = turn.features()
        x = np.sign(x) * np.log1p(np.abs(x))
        for layer in self.layers[:-1]:
            x = self.activation(x @ layer[:-1] + layer[-1])
        outputs = x @ self.layers[-1][:-1] + self.layers[-1][-1]
        return np.where(turn.masks, outputs, -np.inf).argmax(axis=1)


class Run:
    """The folder of a run, and the processor time of the training without evaluations."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed, self.seconds, self.start = folder, seed, 0.0, time.process_time()
        self.log: list[dict[str, Any]] = []

    def evaluate(self, decisions: int, linear: Iterable[torch.nn.Linear], activation: str) -> None:
        """Write the agent, and play 200 games."""
        self.seconds += time.process_time() - self.start
        arrays = {
            f"layer_{k}": np.vstack([one.weight.detach().numpy().T, one.bias.detach().numpy()]) for k, one in enumerate(linear)
        }
        about = {"training_decisions": decisions, "training_seed": self.seed}
        settings: Mapping[str, Any] = {"activation": activation}
        path = self.folder / AGENT
        write_checkpoint(path, Checkpoint("mlp", GAME.name, GAME.config_dict, {}, settings, about, arrays))
        results = evaluate(str(path), GAME, AGAINST, games=200, seed=990_001)
        self.log.append({"game": GAME.name, "seconds": self.seconds, "decisions": decisions, "evaluation": results})
        write_log(self.folder / LOG, self.log)
        write_file(self.folder / "run.json", json.dumps(about | {"seconds": self.seconds}) + "\n")
        print(f"{self.seconds / 60:.1f} min, {decisions:,} decisions: {summarize(results)}", flush=True)
        self.start = time.process_time()


def maskable_ppo(run: Run, decisions: int) -> None:
    """MaskablePPO of sb3-contrib, against its policy at the last evaluation, at first ``random``."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.torch_layers import FlattenExtractor

    from ginkgo_env.envs.sb3 import GinkgoVecEnv

    class Logarithms(FlattenExtractor):
        def forward(self, observations: torch.Tensor) -> torch.Tensor:
            return super().forward(observations.sign() * observations.abs().log1p())

    class Evaluations(BaseCallback):
        def _on_step(self) -> bool:
            return True

        def _on_rollout_start(self) -> None:
            if self.num_timesteps >= len(run.log) * decisions / 10:
                self.evaluate()
                envs.set_opponents(str(run.folder / AGENT) if self.num_timesteps else "random")

        def evaluate(self) -> None:
            policy = model.policy
            run.evaluate(model.num_timesteps, [*linear_layers(policy.mlp_extractor.policy_net), policy.action_net], "tanh")

    envs = GinkgoVecEnv(GAME.name, players=2, num_envs=64, seat="rotating", observation="features", reward="outcome")
    network = {"features_extractor_class": Logarithms}
    options = {"n_steps": 64, "batch_size": 1024, "n_epochs": 4, "gamma": 1.0}  # discounted, a late loss would be a better one
    model = MaskablePPO("MlpPolicy", envs, seed=run.seed, policy_kwargs=network, **options)  # type: ignore[arg-type]
    size, told = 64 * 64, Evaluations()
    model.learn(decisions // size * size, callback=told)
    told.evaluate()


def tianshou_dqn(run: Run, decisions: int) -> None:
    """Double DQN of Tianshou: the example of this repository."""
    example = run_path(str(Path(__file__).parents[1] / "training" / "examples" / "tianshou_dqn.py"))
    arguments = ["--steps", decisions, "--games", 64, "--replays", 8, "--seed", run.seed, "--evaluate", 2]
    result = example["main"]([str(argument) for argument in arguments])
    run.evaluate(min(decisions, result["decisions"]), linear_layers(result["policy"].model), "relu")


def linear_layers(module: torch.nn.Module) -> list[torch.nn.Linear]:
    """The linear layers, in the order in which they are applied."""
    return [part for part in module.modules() if isinstance(part, torch.nn.Linear)]


LEARNERS = {"maskable_ppo": maskable_ppo, "tianshou_dqn": tianshou_dqn}


def main(
    learner: Annotated[str, typer.Argument(help=f"one of {', '.join(LEARNERS)}")],
    out: Annotated[Path, typer.Option(help="folder of the run")],
    decisions: Annotated[int, typer.Option(help="training decisions", min=1)] = 1_000_000,
    seed: Annotated[int, typer.Option(help="random seed", min=0)] = 0,
) -> None:
    """Train an agent, evaluate it ten times or once, and write it."""
    register_kind("mlp", MlpAgent)
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    LEARNERS[learner](Run(out, seed), decisions)


if __name__ == "__main__":
    typer.run(main)
