"""What the trainers share: counters, checkpoints to play with and checkpoints to resume from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch
from numpy.typing import NDArray

from ginkgo_agents.agents.checkpoints import Checkpoint, require_fit
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_training.settings import TrainerSettings

AGENT, CHECKPOINT = "agent.npz", "checkpoint.npz"
"""Files in the folder of a run: the agent to play with, and the training checkpoint to resume from."""
Arrays = dict[str, NDArray[Any]]
Report = Callable[[str, float], None]
"""Called with a line about the state of a run and the share that remains, 1 to 0."""
_FORMAT, _FORMAT_KEY = 2, "training_format"
_OPTIMIZER = "optimizer/"
_EARLIER = {"words", "episode_starts"}  # arrays of training checkpoints before the key was introduced


class Trainer(ABC):
    """Learns to play a game, one rollout and one update at a time; ``runs.train`` drives it.

    settings, seed : the same ones train the same agent on one machine
    rollouts, decisions : number so far
    seconds : processor seconds spent so far
    about : plain data that its checkpoints carry, such as results; nothing reads it
    """

    def __init__(self, game: Game, settings: TrainerSettings, seed: int) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        self.rollouts = self.decisions = 0
        self.seconds = 0.0
        self.about: dict[str, Any] = {}

    def prepare(self, report: Report) -> None:  # noqa: B027 (optional)
        """Do what precedes the first step of a new run: nothing unless a trainer overrides it."""

    @abstractmethod
    def training_step(self, remaining: float) -> dict[str, float]:
        """Play one rollout and learn from it; returns numbers for the log.

        remaining : the share of the run still ahead, 1 to 0, which the learning rate follows
        """

    @abstractmethod
    def _agent(self) -> Checkpoint:
        """The agent as it plays now."""

    @abstractmethod
    def _state(self) -> Arrays:
        """Arrays that resuming needs besides those of the agent."""

    @abstractmethod
    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over the arrays of a training checkpoint; the counters are restored already."""

    def checkpoint(self, *, training: bool = False) -> Checkpoint:
        """A checkpoint to play with or, with ``training``, one to resume from."""
        agent = self._agent()
        progress = {"seed": self.seed, "decisions": self.decisions, "rollouts": self.rollouts, "seconds": round(self.seconds, 1)}
        about = self.about | progress | {"training": self.settings.as_dict()}
        if not training:
            return replace(agent, about=about)
        return replace(agent, about=about | {_FORMAT_KEY: _FORMAT}, arrays={**agent.arrays, **self._state()})

    def restore(self, checkpoint: Checkpoint) -> None:
        """Continue from a training checkpoint.

        Raises ConfigError if training cannot resume from it, or if it is of another game or other settings.
        """
        require_training(checkpoint)
        require_fit(checkpoint, self.game)
        about = {key: value for key, value in checkpoint.about.items() if key != _FORMAT_KEY}
        saved, own = about["training"], self.settings.as_dict()
        for name in own:
            if saved.get(name) != own[name]:
                raise ConfigError(f"this checkpoint was trained with {name}={saved.get(name)}; expected {name}={own[name]}")
        self.seed, self.decisions, self.rollouts = about["seed"], about["decisions"], about["rollouts"]
        self.seconds, self.about = about["seconds"], about
        self._restore(checkpoint.arrays)


def require_training(checkpoint: Checkpoint, source: str = "this checkpoint") -> None:
    """Raise ConfigError unless training can resume from a checkpoint; the message begins with ``source``."""
    version = checkpoint.about.get(_FORMAT_KEY)
    if version is None and not _EARLIER & checkpoint.arrays.keys():
        raise ConfigError(f"{source} is for playing only; training resumes from {CHECKPOINT}")
    if version != _FORMAT:
        raise ConfigError(
            f"{source} is a training checkpoint of another version (format {version or 1}); "
            f"training resumes from {CHECKPOINT} in format {_FORMAT}"
        )


def optimizer_arrays(optimizer: torch.optim.Optimizer) -> Arrays:
    """The state of an optimizer as arrays."""
    state = optimizer.state_dict()["state"]
    return {f"{_OPTIMIZER}{k}/{name}": value.cpu().numpy().copy() for k, entry in state.items() for name, value in entry.items()}


def restore_optimizer(optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Take over the state of an optimizer from the arrays of a checkpoint."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, array in part(arrays, _OPTIMIZER).items():
        place, name = key.split("/")
        state.setdefault(int(place), {})[name] = torch.from_numpy(array.copy())
    optimizer.load_state_dict(optimizer.state_dict() | {"state": state})


def part(arrays: Mapping[str, NDArray[Any]], prefix: str) -> Arrays:
    """The arrays whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
