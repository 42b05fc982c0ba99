"""A training run: rollouts until the time is up, with evaluation, logs and checkpoints in a folder.

The folder gets ``checkpoint.npz`` (to go on from), ``agent.npz`` (to play with: ``ginkgo evaluate FOLDER/agent.npz``),
``log.jsonl`` (a line for each evaluation) and, if TensorBoard is installed, its event files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ginkgo_agents.agents.checkpoints import Checkpoint, read_checkpoint, write_checkpoint
from ginkgo_agents.evaluation.strength import evaluate, summarize
from ginkgo_env.core.errors import ConfigError, GinkgoError
from ginkgo_env.core.game import Game
from ginkgo_training.logs import LOG, add_line

CHECKPOINT, AGENT = "checkpoint.npz", "agent.npz"
_GROWTH = 1.3  # how much longer each of the later evaluations is apart
_EVALUATION_SEED = 990_001  # deals of their own, apart from those of any leaderboard


class Trains(Protocol):
    """What a run needs of a trainer."""

    game: Game
    rollouts: int
    decisions: int
    seconds: float

    def rollout(self) -> Any:
        """Play on."""

    def learn(self, seen: Any, left: float) -> dict[str, float]:
        """Improve by what was seen."""

    def checkpoint(self, about: Mapping[str, Any], *, whole: bool = True) -> Checkpoint:
        """What has been learned."""

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint."""


@dataclass(frozen=True)
class Budget:
    """When to stop: after minutes of processor time, or after a number of rollouts, which reproduces exactly."""

    minutes: float | None = None
    rollouts: int | None = None

    def __post_init__(self) -> None:
        if (self.minutes is None) == (self.rollouts is None):
            raise ConfigError("a run ends after minutes or after rollouts: give one of them")
        if (self.rollouts if self.minutes is None else self.minutes or 0) <= 0:  # type: ignore[operator]
            raise ConfigError("requires minutes > 0 and rollouts >= 1")

    def left(self, trainer: Trains) -> float:
        """The share of the run still ahead, 1 to 0."""
        if self.rollouts is not None:
            return max(0.0, 1 - trainer.rollouts / self.rollouts)
        assert self.minutes is not None, "one of both is given"
        return max(0.0, 1 - trainer.seconds / (60 * self.minutes))


def train(
    trainer: Trains,
    budget: Budget,
    folder: Path,
    *,
    resume: bool = False,
    baselines: Sequence[str] = ("random",),
    every: float = 60.0,
    games: int = 200,
    about: Mapping[str, Any] | None = None,
    tell: Callable[[str, float], None] = lambda text, left: None,
) -> Path:
    """Train until the budget is used up; returns the path of the agent.

    resume : go on from the folder's checkpoint instead of beginning anew
    every : processor seconds to the first evaluation; later ones are further apart, by 30 % of the time so far
    games : of an evaluation, for each baseline; rounded up to whole deals
    tell : gets a line about the state of things and the share of the run still ahead, after each rollout

    An interrupt (Ctrl-C) saves and is raised again, and so is what goes wrong on workers or in an evaluation.
    """
    folder.mkdir(parents=True, exist_ok=True)
    here = folder / CHECKPOINT
    if resume:
        trainer.resume(read_checkpoint(here))
    elif here.exists():
        raise ConfigError(f"{folder} holds a training run: resume it, or choose another folder")
    board = _board(folder)
    told = dict(about or {})
    next_evaluation, results = trainer.seconds + every, ""
    try:
        while budget.left(trainer) > 0:
            start, left = time.process_time(), budget.left(trainer)
            numbers = trainer.learn(trainer.rollout(), left)
            trainer.seconds += time.process_time() - start
            for name, number in numbers.items():
                board(name, number, trainer.decisions)
            if trainer.seconds >= next_evaluation or budget.left(trainer) == 0:
                next_evaluation = trainer.seconds * _GROWTH + every
                told["evaluation"] = _evaluated(trainer, folder, baselines, games, told, numbers, board)
                results = summarize(told["evaluation"])
                write_checkpoint(here, trainer.checkpoint(told))
            rate = trainer.decisions / max(trainer.seconds, 1e-9)
            tell(f"{trainer.decisions:,} decisions ({rate:,.0f}/s){'; ' if results else ''}{results}", budget.left(trainer))
    except (KeyboardInterrupt, GinkgoError):
        write_checkpoint(here, trainer.checkpoint(told))
        write_checkpoint(folder / AGENT, trainer.checkpoint(told, whole=False))
        raise
    return folder / AGENT


def _evaluated(
    trainer: Trains,
    folder: Path,
    baselines: Sequence[str],
    games: int,
    told: Mapping[str, Any],
    numbers: Mapping[str, float],
    board: Callable[[str, float, int], None],
) -> dict[str, Any]:
    """Play against the baselines, and log it; the agent's file is written twice, so that in the end it tells its results."""
    path = write_checkpoint(folder / AGENT, trainer.checkpoint(told, whole=False))
    found = evaluate(str(path), trainer.game, baselines, games, _EVALUATION_SEED)
    for name, result in found.items():
        what = f"win_against_{name}" if "win" in result else "score"
        board(what, result["win" if "win" in result else "score"][0], trainer.decisions)
    line = {"seconds": round(trainer.seconds, 1), "decisions": trainer.decisions, "evaluation": found, **numbers}
    add_line(folder / LOG, line)
    write_checkpoint(path, trainer.checkpoint({**told, "evaluation": found}, whole=False))
    return found


def _board(folder: Path) -> Callable[[str, float, int], None]:
    """TensorBoard's writer of numbers, or nothing where it is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return lambda name, number, step: None
    add: Callable[[str, float, int], None] = SummaryWriter(str(folder)).add_scalar
    return add
