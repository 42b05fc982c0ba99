"""A small convolutional network that learns My City alone, with ``MaskablePPO`` of sb3-contrib.

    pip install -e ".[eval]" -e ./agents -r training/examples/requirements.txt
    python training/examples/my_city_cnn.py --picture curve.png

The network reads the board as planes. It moves the building to place over the board like the kernel of a convolution: for each
heading and place it sums its features of the cells that the building would cover, and a 1x1 convolution turns the sums into the
logit of the action. So it judges a placement that was never tried by those that cover similar cells.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnvWrapper
from torch import nn
from torch.nn import functional

from ginkgo_env.core.layout import Layout
from ginkgo_env.envs.sb3 import GinkgoVecEnv
from ginkgo_env.games.my_city.observe import board_planes, plane_names

SCORES = {"uniform": -32, "builder": -3, "greedy": 19, "seer (knows the deck)": 39}
"""Mean scores of known ways to play alone (M15 of the rules)."""
UNIT = 10.0  # points
SUMMED = 8  # features of a cell that are summed under a building


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=160_000, help="decisions")
    parser.add_argument("--envs", type=int, default=256, help="games side by side")
    parser.add_argument("--rollout", type=int, default=16, help="decisions in each game between updates")
    parser.add_argument("--batch", type=int, default=256, help="decisions in a minibatch")
    parser.add_argument("--epochs", type=int, default=3, help="passes over a rollout")
    parser.add_argument("--rate", type=float, default=1e-3, help="initial learning rate; it falls to 0")
    parser.add_argument("--entropy", type=float, default=0.005, help="weight of the entropy")
    parser.add_argument("--channels", type=int, default=32, help="channels of the convolutions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="threads of torch")
    parser.add_argument("--points", type=int, default=16, help="evaluations during training")
    parser.add_argument("--evaluate", type=int, default=200, help="games of an evaluation")
    parser.add_argument("--picture", help="file for the learning curve, such as curve.png or curve.svg")
    parser.add_argument("--save", help="file for the model")
    return parser.parse_args(arguments)


class Tens(VecEnvWrapper):  # type: ignore[misc]
    """Rewards in units of ten points, so that values are close to 1."""

    def reset(self) -> Any:
        return self.venv.reset()

    def step_wait(self) -> Any:
        observations, rewards, dones, infos = self.venv.step_wait()
        return observations, rewards / UNIT, dones, infos


class City(BaseFeaturesExtractor):  # type: ignore[misc]
    """Compute the sums (4, SUMMED, rows, columns) of all placements, followed by a vector.

    layout : ``game.observation``
    """

    def __init__(self, space: Any, layout: Layout, channels: int) -> None:
        rows, columns = layout["terrain"].shape[1:]
        numbers = sum(layout[name].size for name in ("current", "left", "turn", "players"))
        self.sums = (4, SUMMED, rows, columns)
        self.vector = channels + numbers
        super().__init__(space, int(np.prod(self.sums)) + self.vector)
        self.layout = layout
        self.board = nn.Conv2d(len(plane_names(layout)), channels, 3, padding=1)
        self.beside = nn.Linear(numbers, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.cells = nn.Conv2d(channels, SUMMED, 1)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        view = self.layout.view
        current, left, shape = (view(observations, name) for name in ("current", "left", "shape"))
        numbers = torch.cat([current, left, view(observations, "turn") / 28, view(observations, "players").flatten(1) / UNIT], 1)
        planes = board_planes(self.layout, observations)
        hidden = (self.board(planes) + self.beside(numbers)[:, :, None, None]).relu()  # the numbers at every cell
        hidden = self.second(hidden).relu()
        sums = covered(self.cells(hidden).relu(), shape)
        return torch.cat([sums.flatten(1), hidden.mean((2, 3)), numbers], 1)


def covered(cells: torch.Tensor, shape: torch.Tensor) -> torch.Tensor:
    """Sum the features of the cells that a building covers.

    cells : (B, C, rows, columns)
    shape : (B, 4, 6, 6), the building in four headings

    Returns (B, 4, C, rows, columns), indexed by heading and the first cell covered in reading order, as actions are. Cells beyond
    the border add 0.
    """
    size, rows, columns = len(cells), *cells.shape[2:]
    side = shape.shape[-1]
    padded = functional.pad(cells.transpose(0, 1), (0, side - 1, 0, side - 1))
    sums = functional.conv2d(padded, shape.reshape(-1, 1, side, side), groups=size)  # a kernel for each position
    sums = sums.reshape(-1, size, 4, rows, columns).permute(1, 2, 0, 3, 4)  # by the top left corner of the shape
    first = shape[:, :, 0].argmax(-1)  # the column of the first cell in the top row
    column = torch.arange(columns) - first[..., None]  # of the corner, which is never left of the board
    column = column.clamp(min=0)[:, :, None, None, :].expand_as(sums)
    return sums.gather(4, column)


class Actions(nn.Module):
    """The logits of actions: placements by a 1x1 convolution, pass and end from the vector."""

    def __init__(self, sums: tuple[int, ...], vector: int, hidden: int) -> None:
        super().__init__()
        self.sums = sums
        self.place = nn.Sequential(nn.Conv2d(SUMMED, hidden, 1), nn.ReLU(), nn.Conv2d(hidden, 1, 1))  # the same for each heading
        self.others = nn.Sequential(nn.Linear(vector, 64), nn.ReLU(), nn.Linear(64, 2))
        for last in (self.place[-1], self.others[-1]):
            nn.init.orthogonal_(last.weight, 0.01)  # so that actions are almost equally likely at first

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        split = int(np.prod(self.sums))
        places = self.place(features[:, :split].reshape(-1, *self.sums[1:]))
        return torch.cat([places.reshape(len(features), -1), self.others(features[:, split:])], 1)


class Value(nn.Module):
    """The value of a position, from the vector behind the sums."""

    def __init__(self, vector: int) -> None:
        super().__init__()
        self.vector = vector
        self.net = nn.Sequential(nn.Linear(vector, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.net(features[:, -self.vector :])


class CityPolicy(MaskableActorCriticPolicy):  # type: ignore[misc]
    """The policy of ``MaskablePPO`` with these two heads."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        city = self.features_extractor
        self.action_net = Actions(city.sums, city.vector, hidden=16)
        self.value_net = Value(city.vector)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class Scores(NamedTuple):
    """The mean score of some games, with half the width of its 95 % interval."""

    decisions: int
    mean: float
    half: float


class Evaluation(BaseCallback):  # type: ignore[misc]
    """Plays the same deals now and then, drawing actions by the probabilities of the policy."""

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__()
        self.args, self.start, self.curve = args, time.process_time(), list[Scores]()

    def _on_rollout_start(self) -> None:
        if self.num_timesteps * self.args.points >= len(self.curve) * self.args.steps:
            self.evaluate()

    def _on_step(self) -> bool:
        return True

    def evaluate(self) -> None:
        scores = play(self.model, self.args.evaluate, seed=20_000_000)
        point = Scores(self.num_timesteps, *mean_of(scores))
        self.curve.append(point)
        spent = time.process_time() - self.start
        print(f"{point.decisions:8d} decisions: score {point.mean:+6.1f} ± {point.half:.1f}, {spent:.0f} s", flush=True)


def play(model: MaskablePPO, games: int, seed: int, deterministic: bool = False) -> NDArray[np.float64]:
    """The scores (games,) of games with the seeds ``seed``, ``seed + 1`` and so on."""
    envs = GinkgoVecEnv("my_city", num_envs=games, players=1, illegal_action="raise")
    envs.seed(seed)
    observations, scores = envs.reset(), np.full(games, np.nan)
    while np.isnan(scores).any():
        actions, _ = model.predict(observations, action_masks=envs.action_masks(), deterministic=deterministic)
        observations, _, dones, infos = envs.step(actions)
        for row in np.flatnonzero(dones & np.isnan(scores)):  # one game of each row counts
            scores[row] = infos[row]["scores"][0]
    return scores


def mean_of(scores: NDArray[np.float64]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval."""
    return float(scores.mean()), float(1.96 * scores.std(ddof=1) / np.sqrt(len(scores)))


def draw(curve: Sequence[Scores], path: str) -> None:
    """Draw the curve beside known ways to play."""
    figure = Figure(figsize=(5.4, 3.2), dpi=110, layout="constrained")
    ax = figure.subplots()
    decisions, means, halves = (np.array(column) for column in zip(*curve, strict=True))
    for name, score in SCORES.items():
        ax.axhline(score, color="0.6", linewidth=0.8, linestyle="--")
        ax.annotate(f"{score}: {name}", (1.01, score), xycoords=("axes fraction", "data"), va="center", fontsize=8)
    ax.fill_between(decisions / 1000, means - halves, means + halves, color="#0072B2", alpha=0.25, linewidth=0)
    ax.plot(decisions / 1000, means, color="#0072B2", marker="o", markersize=3)
    ax.set(
        xlabel="decisions in thousands", ylabel="mean score", title="My City alone: a small convolutional network", ylim=(-40, 46)
    )
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    args = parse(arguments)
    torch.set_num_threads(args.threads)
    envs = GinkgoVecEnv("my_city", num_envs=args.envs, players=1, reward="score", illegal_action="raise")
    model = MaskablePPO(
        CityPolicy,
        Tens(envs),
        policy_kwargs={
            "features_extractor_class": City,
            "features_extractor_kwargs": {"layout": envs.game.observation, "channels": args.channels},
            "net_arch": [],
            "ortho_init": False,
        },
        n_steps=args.rollout,
        batch_size=min(args.batch, args.rollout * args.envs),
        n_epochs=args.epochs,
        gamma=1.0,
        learning_rate=lambda left: args.rate * left,
        ent_coef=args.entropy,
        seed=args.seed,
        device="cpu",
    )
    evaluation = Evaluation(args)
    model.learn(args.steps, callback=evaluation)
    evaluation.evaluate()
    mean, half = mean_of(play(model, args.evaluate, seed=10_000_000, deterministic=True))
    spent = time.process_time() - evaluation.start
    print(f"the most probable actions: score {mean:+.1f} ± {half:.1f} of {args.evaluate} other games, {spent:.0f} s in all")
    if args.picture:
        draw(evaluation.curve, args.picture)
    if args.save:
        model.save(args.save)
    return {"score": mean, "half": half, "curve": evaluation.curve, "model": model}


if __name__ == "__main__":
    main()
