"""Training runs: rollouts until a budget is used up, with evaluations, a log and checkpoints.

The folder contains ``agent.npz`` (to play with: ``ginkgo evaluate FOLDER/agent.npz``), ``checkpoint.npz`` (to resume from),
``log.jsonl`` (a line for each evaluation) and, if TensorBoard is installed, its event files.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ginkgo_agents.agents.checkpoints import Checkpoint, read_checkpoint, write_checkpoint
from ginkgo_agents.evaluation.strength import evaluate, summarize
from ginkgo_env.core.errors import ConfigError, GinkgoError
from ginkgo_training.logs import LOG, add_line
from ginkgo_training.trainer import AGENT, CHECKPOINT, Report, Trainer, require_training

_GROWTH = 1.3  # how much longer each of the later evaluations is apart
_EVALUATION_SEED = 990_001  # deals of their own, apart from those of any leaderboard
_SAVE_EVERY = 60.0  # seconds by the clock
_EARLIER_CHECKPOINT = "training.npz"


@dataclass(frozen=True)
class Budget:
    """When a run ends, what was used before it was resumed included: give one of the two.

    minutes : of processor time
    rollouts : number of rollouts; a run with this budget can be reproduced exactly
    """

    minutes: float | None = None
    rollouts: int | None = None

    def __post_init__(self) -> None:
        if (self.minutes is None) == (self.rollouts is None):
            raise ConfigError(f"a budget is minutes or rollouts: give one of them, got {self.minutes} and {self.rollouts}")
        if (self.rollouts if self.minutes is None else self.minutes or 0) <= 0:  # type: ignore[operator]
            raise ConfigError(f"requires minutes > 0 or rollouts >= 1, got {self.minutes or self.rollouts}")

    def remaining(self, trainer: Trainer) -> float:
        """The share of the run still ahead, 1 to 0."""
        used = trainer.seconds / (60 * self.minutes) if self.minutes else trainer.rollouts / (self.rollouts or 1)
        return max(0.0, 1 - used)


def train(
    trainer: Trainer,
    budget: Budget,
    folder: Path,
    *,
    resume: bool = False,
    against: Sequence[str] = ("random",),
    every: float = 1.0,
    games: int = 200,
    report: Report = lambda text, remaining: None,
) -> Path:
    """Train until the budget is used up; returns the path of the agent.

    resume : continue from the folder's training checkpoint instead of starting a new run
    against : opponents of evaluations
    every : minutes to the first evaluation; later ones are further apart, by 30 % of the time so far
    games : number of games against each opponent in an evaluation, rounded up to whole deals
    report : called after each rollout

    The first interrupt (Ctrl-C) lets the rollout finish, the second one does not; both save and raise KeyboardInterrupt. An error
    in a worker or an evaluation saves as well. Raises ConfigError for a folder that holds another run.
    """
    if resume:
        trainer.restore(read_training_checkpoint(folder))
    else:
        for name in (CHECKPOINT, _EARLIER_CHECKPOINT):
            if (folder / name).exists():
                raise ConfigError(f"{folder} already contains a run ({name}): resume it or choose another folder")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / LOG).unlink(missing_ok=True)
        with _counted(trainer):
            trainer.prepare(report)
    add_scalar, results = _tensorboard(folder), ""
    due = trainer.seconds + 60 * every
    saved = _save(trainer, folder)
    try:
        with _first_interrupt() as interrupted:
            while remaining := budget.remaining(trainer):
                with _counted(trainer):
                    numbers = trainer.training_step(remaining)
                for name, number in numbers.items():
                    add_scalar(name, number, trainer.decisions)
                if trainer.seconds >= due or not budget.remaining(trainer):
                    due = trainer.seconds * _GROWTH + 60 * every
                    evaluation = _evaluated(trainer, folder, against, games, numbers, add_scalar)
                    results = f"; {summarize(evaluation)}"
                    saved = _save(trainer, folder)
                elif time.monotonic() - saved > _SAVE_EVERY:
                    saved = _save(trainer, folder)
                rate = trainer.decisions / max(trainer.seconds, 1e-9)
                report(f"{trainer.decisions:,} decisions ({rate:,.0f}/s){results}", budget.remaining(trainer))
                if interrupted.is_set():
                    raise KeyboardInterrupt
    except (KeyboardInterrupt, GinkgoError):
        _save(trainer, folder)
        raise
    return folder / AGENT


def read_training_checkpoint(folder: Path) -> Checkpoint:
    """Read the training checkpoint of a run.

    Raises ConfigError, which names the file and what was expected, for a file of an earlier version and for an agent.
    """
    path = folder if folder.is_file() else folder / CHECKPOINT
    earlier = folder / _EARLIER_CHECKPOINT
    if not path.exists() and earlier.exists():
        path = earlier
    checkpoint = read_checkpoint(path)
    require_training(checkpoint, str(path))
    return checkpoint


def _save(trainer: Trainer, folder: Path) -> float:
    """Write both checkpoints; returns the time by the clock."""
    write_checkpoint(folder / CHECKPOINT, trainer.checkpoint(training=True))
    write_checkpoint(folder / AGENT, trainer.checkpoint())
    return time.monotonic()


def _evaluated(
    trainer: Trainer,
    folder: Path,
    against: Sequence[str],
    games: int,
    numbers: dict[str, float],
    add_scalar: Callable[[str, float, int], None],
) -> dict[str, Any]:
    """Play against the opponents, and log the results."""
    agent = write_checkpoint(folder / AGENT, trainer.checkpoint())
    evaluation = evaluate(str(agent), trainer.game, against, games, _EVALUATION_SEED)
    for name, result in evaluation.items():
        label, key = (f"win_against_{name}", "win") if "win" in result else ("score", "score")
        add_scalar(label, result[key][0], trainer.decisions)
    progress = {"seconds": round(trainer.seconds, 1), "decisions": trainer.decisions}
    add_line(folder / LOG, progress | {"evaluation": evaluation} | numbers)
    trainer.about["evaluation"] = evaluation
    return evaluation


@contextmanager
def _counted(trainer: Trainer) -> Iterator[None]:
    """Add the processor time of a block to the trainer's."""
    start = time.process_time()
    yield
    trainer.seconds += time.process_time() - start


@contextmanager
def _first_interrupt() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; the second one interrupts as usual."""
    interrupted = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return

    def handle(number: int, frame: Any) -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _tensorboard(folder: Path) -> Callable[[str, float, int], None]:
    """TensorBoard's writer of numbers; one that does nothing if it is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return lambda name, number, step: None
    add: Callable[[str, float, int], None] = SummaryWriter(str(folder)).add_scalar
    return add
