"""Base of the trainers: counters, checkpoints to play with and checkpoints to resume from."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, cast

import numpy as np
from msgspec import Meta, to_builtins
from numpy.typing import NDArray

from ginkgo_env.core.imports import extra

with extra("train"):
    import torch

from ginkgo_agents.base import KernelThreads
from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint, require_fit
from ginkgo_agents.evaluation.benchmark.tasks import TrainedOn, Training, training_in, unreserved
from ginkgo_agents.pretrained import PretrainedPpo
from ginkgo_agents.registry import make_agent, plain_name
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, GinkgoError, join_names, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.running_games import SeedsAndActions, replay
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert
from ginkgo_env.registry import game_class
from ginkgo_training.settings import TrainerSettings

AGENT, CHECKPOINT = "agent.npz", "checkpoint.npz"
"""Files in the folder of a run: the agent to play with, and the training checkpoint to resume from."""
Arrays = dict[str, NDArray[Any]]
Report = Callable[[str, float], None]
"""Called with a line about the state of a run and the share that remains, 1 to 0."""
_FORMAT, _FORMAT_KEY = 3, "training_format"
_OPTIMIZER, _GAMES, _RANDOM = "optimizer/", "games/", "random"


class Progress(StrictStruct, kw_only=True):
    """The progress of a training checkpoint, and the settings of its run.

    seed, decisions, rollouts, seconds : as in a :class:`Trainer`
    training : settings of the trainer, as plain data
    run : the data of ``runs.train``, see :class:`~ginkgo_training.runs.Run`
    """

    seed: Annotated[int, Meta(ge=0)]
    decisions: Annotated[int, Meta(ge=0)]
    rollouts: Annotated[int, Meta(ge=0)]
    seconds: Annotated[float, Meta(ge=0, lt=1e12)]
    training: dict[str, Any]
    run: dict[str, Any]


class Trainer(ABC):
    """Learns to play a game, one rollout and one update at a time; ``runs.train`` drives it.

    settings, seed : settings, and a seed that is not reserved; the same ones train the same agent on one machine
    rollouts, decisions : number so far; a decision counts if it is learned from
    seconds : processor seconds spent so far
    about : plain data that its checkpoints carry, such as results; nothing reads it but ``start``, what is known about the
        training of the checkpoint with which the run started
    run : plain data that its training checkpoints carry for ``runs.train``
    pool : its ``OpponentPool``, or None
    threads : run searches and opponents; set their ``count`` for more than one, which changes no result
    agent_options : follow the path of a checkpoint where its agent is named, such as ``:network=module:Class``
    evaluation_options : follow them in evaluations during training, for speed
    """

    agent_options = evaluation_options = ""
    pool: Any = None

    def __init__(self, game: Game, settings: TrainerSettings, seed: int) -> None:
        self.game, self.settings, self.seed = game, settings, unreserved(seed)
        self.rollouts = self.decisions = 0
        self.seconds, self.threads = 0.0, KernelThreads()
        self.about: dict[str, Any] = {}
        self.run: dict[str, Any] = {}

    def prepare(self, report: Report) -> None:  # noqa: B027 (optional)
        """Prepare the first step of a new run. Does nothing unless a trainer overrides it."""

    def start(self) -> None:
        """Load the weights of the checkpoint that ``settings.start`` names, if any: the start of a new run.

        Raises ConfigError if its kind, game, configuration or networks are others.
        """
        if not self.settings.start:
            return
        checkpoint, own = start_checkpoint(self.settings.start, self.game), self._agent()
        self._require_same_game(checkpoint)
        kinds = {"kind": (checkpoint.kind, own.kind), "networks": (dict(checkpoint.settings), dict(own.settings))}
        for what, (given, expected) in kinds.items():
            if json.dumps(given, sort_keys=True) != json.dumps(expected, sort_keys=True):
                raise ConfigError(f"setting start: expected a checkpoint with {what} {expected}, got {given}")
        for name, array in own.arrays.items():
            array_of(checkpoint.arrays, name, array)
        self._load_start(checkpoint.arrays)
        self.about["start"] = to_builtins(training_in(checkpoint.about))

    @abstractmethod
    def _load_start(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Set the weights to those of an agent of the same kind."""

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
        """The arrays, besides those of the agent, that are needed to resume."""

    @abstractmethod
    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Restore the state from the arrays of a training checkpoint. The counters have been restored before."""

    def training(self) -> Training:
        """What it was trained on so far."""
        settings = self.settings.as_dict()
        start = training_in(self.about.get("start")) if self.settings.start else None
        before = start.training_decisions if start else 0
        on = TrainedOn(
            game=f"{self.game.name}-v{game_class(self.game.name).version}",
            config=self.game.config_dict,
            opponents=settings["opponents"]["baselines"] if settings["opponents"]["baseline_share"] else [],
            teachers=[settings[name] for name in ("imitate", "teacher") if settings.get(name)],
            start=start,
        )
        decisions = None if before is None else before + self.decisions
        return Training(trained_on=on, training_decisions=decisions, training_seed=self.seed)

    def checkpoint(self, *, training: bool = False) -> Checkpoint:
        """A checkpoint to play with or, with ``training``, one to resume from. Changes nothing."""
        agent = self._agent()
        progress = {"seed": self.seed, "decisions": self.decisions, "rollouts": self.rollouts, "seconds": round(self.seconds, 1)}
        about = self.about | progress | {"training": self.settings.as_dict()} | to_builtins(self.training())
        if not training:
            return replace(agent, about=about)
        return replace(agent, about=about | {_FORMAT_KEY: _FORMAT, "run": self.run}, arrays={**agent.arrays, **self._state()})

    def restore(self, checkpoint: Checkpoint) -> None:
        """Continue from a training checkpoint.

        Raises ConfigError if training cannot resume from it, or if its game or settings differ; the trainer may have changed
        then.
        """
        progress = progress_of(checkpoint)
        self._require_same_game(checkpoint)
        saved, own = progress.training, self.settings.as_dict()
        for name in own:
            if saved.get(name) != own[name]:
                raise ConfigError(f"this checkpoint was trained with {name}={saved.get(name)}; expected {name}={own[name]}")
        self.seed, self.decisions, self.rollouts = unreserved(progress.seed), progress.decisions, progress.rollouts
        self.seconds, self.run = progress.seconds, progress.run
        known = {*Progress.__struct_fields__, *Training.__struct_fields__, _FORMAT_KEY}
        self.about = {key: value for key, value in checkpoint.about.items() if key not in known}
        self._restore(checkpoint.arrays)
        restored = self.checkpoint(training=True).arrays
        if wrong := [name for name in checkpoint.arrays if name not in restored]:
            raise ConfigError(f"invalid checkpoint; unexpected arrays {join_names(map(short_repr, wrong))}")

    def _require_same_game(self, checkpoint: Checkpoint) -> None:
        configs = [json.dumps(config, sort_keys=True) for config in (dict(checkpoint.config), self.game.config_dict)]
        if checkpoint.game == self.game.name and configs[0] != configs[1]:  # the same actions would lead elsewhere
            raise ConfigError(f"this checkpoint was trained with the configuration {configs[0]}; expected {configs[1]}")
        require_fit(checkpoint, self.game, same=list(checkpoint.layouts))


def start_checkpoint(start: str, game: Game) -> Checkpoint:
    """Read the checkpoint that a start names: a file, or the pretrained ``ppo`` with its critic.

    Raises ConfigError for a file that is no checkpoint, and for a game without a pretrained policy.
    """
    if plain_name(start)[0] != PretrainedPpo.name:
        return read_checkpoint(start)
    return cast(PretrainedPpo, make_agent(start, game.name)).checkpoint_for(game)


def progress_of(checkpoint: Checkpoint, source: str = "this checkpoint") -> Progress:
    """Return the progress of a training checkpoint.

    Raises ConfigError, with a message that begins with ``source``, unless training can resume from it.
    """
    require_training(checkpoint, source)
    try:
        return convert({name: checkpoint.about.get(name) for name in Progress.__struct_fields__}, Progress)
    except JsonError as error:
        raise ConfigError(f"{source} is damaged: {error}") from None


def require_training(checkpoint: Checkpoint, source: str = "this checkpoint") -> None:
    """Raise ConfigError unless training can resume from a checkpoint; the message begins with ``source``."""
    version = checkpoint.about.get(_FORMAT_KEY)
    if version is None:
        raise ConfigError(f"{source} is for playing only; training resumes from {CHECKPOINT}")
    if version != _FORMAT:
        raise ConfigError(
            f"{source} is a training checkpoint of another version (format {version}); "
            f"training resumes from {CHECKPOINT} in format {_FORMAT}"
        )


def optimizer_arrays(optimizer: torch.optim.Optimizer) -> Arrays:
    """The state of an optimizer as arrays."""
    state = optimizer.state_dict()["state"]
    return {f"{_OPTIMIZER}{k}/{name}": value.cpu().numpy().copy() for k, entry in state.items() for name, value in entry.items()}


def restore_optimizer(optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Restore the state of an optimizer (Adam) from the arrays of a checkpoint.

    Raises ConfigError if they do not fit.
    """
    state: dict[int, dict[str, torch.Tensor]] = {}
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    for k, parameter in enumerate(parameters):
        prefix = f"{_OPTIMIZER}{k}/"
        if with_prefix(arrays, prefix):  # none before the first step
            own = parameter.detach().cpu().numpy()
            like = {"step": np.zeros((), np.float32), "exp_avg": own, "exp_avg_sq": own}
            moments = {name: array_of(arrays, prefix + name, array) for name, array in like.items()}
            if moments["step"] < 1 or (moments["exp_avg_sq"] < 0).any():
                raise ConfigError(f"invalid checkpoint; array {prefix}step or {prefix}exp_avg_sq is out of range")
            state[k] = {name: torch.from_numpy(array) for name, array in moments.items()}
    optimizer.load_state_dict(optimizer.state_dict() | {"state": state})


def games_arrays(games: SeedsAndActions) -> Arrays:
    """Games as arrays of a checkpoint."""
    return {_GAMES + name: array for name, array in games._asdict().items()}


def restore_games(batch: Batch, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Replay the games in the arrays of a checkpoint.

    Raises ConfigError if they are not games of the batch.
    """
    missing = np.zeros((), bool)  # no array of games
    try:
        replay(batch, SeedsAndActions(*(arrays.get(_GAMES + name, missing) for name in SeedsAndActions._fields)))
    except GinkgoError as error:
        raise ConfigError(f"invalid checkpoint; {error}") from None


def random_arrays(generators: Sequence[np.random.Generator]) -> Arrays:
    """The states of random generators as an array of a checkpoint."""
    text = json.dumps([generator.bit_generator.state for generator in generators])
    return {_RANDOM: np.frombuffer(text.encode(), np.uint8)}


def restore_random(generators: Sequence[np.random.Generator], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Restore the states of random generators from the arrays of a checkpoint.

    Raises ConfigError if they do not fit.
    """
    try:
        text = arrays[_RANDOM]
        states = json.loads(array_of(arrays, _RANDOM, np.zeros(text.size, np.uint8)).tobytes())
        for generator, state in zip(generators, states, strict=True):
            generator.bit_generator.state = state
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
        raise ConfigError("invalid checkpoint; array random does not hold states of random generators") from None


def array_of(arrays: Mapping[str, NDArray[Any]], name: str, own: NDArray[Any]) -> NDArray[Any]:
    """A copy of an array of a checkpoint.

    Raises ConfigError unless it is finite and has the shape and dtype of ``own``.
    """
    array = arrays.get(name)
    if array is None or (array.shape, array.dtype) != (own.shape, own.dtype) or not np.isfinite(array).all():
        raise ConfigError(f"invalid checkpoint; expected an array {name} of finite {own.dtype} and shape {own.shape}")
    return array.copy()


def with_prefix(arrays: Mapping[str, NDArray[Any]], prefix: str) -> Arrays:
    """The arrays whose names begin with a prefix, by their names without it."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
