"""Training runs: rollouts until a budget is used up, with evaluations, a log and checkpoints.

The folder contains ``agent.npz`` (to play with: ``ginkgo evaluate FOLDER/agent.npz``), ``checkpoint.npz`` (to resume from),
``log.jsonl`` (a line for each evaluation), ``run.json`` (what was trained on, settings, seed, versions and hardware) and, if
TensorBoard is installed, its event files.

A checkpoint always holds the state between two rollouts, with everything that the next one depends on. An unfinished rollout is
played again. So with a budget of rollouts it makes no difference when a run is saved, interrupted or resumed.

>>> import ginkgo_agents, ginkgo_env, tempfile
>>> from ginkgo_training.ppo import PpoTrainer
>>> from ginkgo_training.settings import PpoSettings
>>> game, folder = ginkgo_env.make_game("my_city"), Path(tempfile.mkdtemp()) / "run"
>>> agent = train(PpoTrainer(game, PpoSettings(games=4, n_steps=8), seed=1), Budget(rollouts=1), folder, games=2)
>>> ginkgo_agents.make_agent(str(agent)).check(game)
"""

from __future__ import annotations

import json
import math
import os
import platform
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, field, to_builtins

from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint, write_checkpoint
from ginkgo_agents.evaluation.benchmark.tasks import Training
from ginkgo_agents.evaluation.matches import local_runner
from ginkgo_agents.evaluation.strength import evaluate, summarize
from ginkgo_env.cli import SIGNALS
from ginkgo_env.core.errors import ConfigError, GinkgoError
from ginkgo_env.core.files import atomic_write, remove_abandoned
from ginkgo_env.core.imports import require_passed
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert
from ginkgo_training.curves import payoff_figure
from ginkgo_training.logs import LOG, write_log
from ginkgo_training.opponents import LEARNER
from ginkgo_training.settings import Count, Positive, Weight
from ginkgo_training.trainer import AGENT, CHECKPOINT, Report, Trainer, progress_of

_FIRST = 0.15  # minutes to the first evaluation
_GROWTH = 1.3  # each next evaluation is due at this multiple of the run so far, plus the first interval
_EVALUATION_SEED = 990_001  # gives deals that no leaderboard uses
_FIRST_SAVE, _SAVE_EVERY = 20.0, 60.0  # seconds of processor time, or of wall-clock time while workers compute
DESCRIPTION = "run.json"
"""File with what the protocol of the benchmark asks for, the settings of the run, and the versions of packages."""
_PACKAGES = ("ginkgo-env", "numpy", "numba", "torch")
_ABANDONED = re.compile(r"\.(\d+)\.(?:npz|jsonl?)")  # see core.files.written


@dataclass(frozen=True)
class Budget:
    """The end of a run, counted from its first start: give one of the three.

    minutes : minutes of processor time
    rollouts : number of rollouts; a run with this budget can be reproduced exactly. With 0 the trainer only prepares, as by
        imitation
    games : number of finished games, for trainers with a pool of opponents; a run can be reproduced exactly too
    """

    minutes: float | None = None
    rollouts: int | None = None
    games: int | None = None

    def __post_init__(self) -> None:
        given = [size for size in vars(self).values() if size is not None]
        if len(given) != 1:
            raise ConfigError(f"a budget is minutes, rollouts or games: give one of them, got {len(given)}")
        if not (0 < given[0] < math.inf or self.rollouts == 0):
            raise ConfigError(f"a budget requires minutes > 0, rollouts >= 0 or games >= 1, got {given[0]}")

    @property
    def size(self) -> float:
        """The minutes, rollouts or games of the whole run."""
        return float(next(size for size in vars(self).values() if size is not None))

    def used(self, trainer: Trainer) -> float:
        """The minutes, rollouts or games so far."""
        if self.games:
            return int(trainer.pool.games_played[LEARNER])
        return trainer.seconds / 60 if self.minutes else trainer.rollouts

    def remaining(self, trainer: Trainer) -> float:
        """The share of the run still ahead, 1 to 0."""
        return max(0.0, 1 - self.used(trainer) / self.size) if self.size else 0.0


class Run(StrictStruct, kw_only=True):
    """The part of a training checkpoint besides the trainer: options, schedule and log of the run.

    minutes, rollouts, training_games : of its :class:`Budget`
    against, games, every : as in :func:`train`
    prepared : whether the trainer's preparation before the first rollout is done
    due : the minutes or rollouts after which the next evaluation is due; None before it is known
    evaluated : the number of rollouts before the last evaluation; -1 before the first
    numbers : the numbers for the log that the last rollout returned
    log : the lines of the log
    """

    minutes: Positive | None = None
    rollouts: Annotated[int, Meta(ge=0)] | None = None
    training_games: Count | None = None
    against: tuple[str, ...] = ("random",)
    games: Count = 200
    every: Weight = 1.0
    prepared: bool = True
    due: Weight | None = None
    evaluated: Annotated[int, Meta(ge=-1)] = -1
    numbers: dict[str, float | None] = field(default_factory=dict)
    log: list[dict[str, Any]] = field(default_factory=list)

    @property
    def budget(self) -> Budget:
        """The budget; raises ConfigError if there is not exactly one."""
        return Budget(self.minutes, self.rollouts, self.training_games)


def train(
    trainer: Trainer,
    budget: Budget | None,
    folder: Path,
    *,
    resume: bool = False,
    against: Sequence[str] | None = None,
    every: float | None = None,
    games: int | None = None,
    report: Report = lambda text, remaining: None,
    evaluated: Callable[[str], None] = lambda text: None,
) -> Path:
    """Train until the budget is used up; returns the path of the agent.

    resume : continue from the folder's training checkpoint, whose options replace those that are None, instead of starting a
        new run
    against : opponents of evaluations, by default ``random``
    every : minutes, or rollouts or games if the budget is that, to the first evaluation; later ones are further apart, by 30 % of
        the run so far. By default a 15th of the minutes, at most 0.15, or a tenth of the rollouts or games
    games : number of games against each opponent in an evaluation, rounded up to whole deals; by default 200
    report : called after each rollout
    evaluated : called with a line about each evaluation

    The first interrupt (Ctrl-C, or a signal that is handled like it) lets the rollout finish, the second one does not. Both,
    like any error, save the state after the last whole rollout and are then raised. Raises ConfigError for a folder that holds
    anything but the run that is resumed.
    """
    if resume:
        run = _resumed(trainer, folder, budget, every, against)
    elif budget is None:
        raise ConfigError("a new run requires a budget")
    else:
        _require_empty(folder)
        trainer.start()
        default = min(_FIRST, budget.minutes / 15) if budget.minutes else max(1.0, budget.size / 10)
        run = Run(every=default if every is None else every, prepared=False)
        run.minutes, run.rollouts, run.training_games = astuple(budget)
    run.against = run.against if against is None else tuple(against)
    run.games = games or run.games
    with _only_writer(folder):
        remove_abandoned(folder, _ABANDONED)
        return _train(trainer, run, _RunFiles(trainer, run, folder), report, evaluated)


def _train(trainer: Trainer, run: Run, files: _RunFiles, report: Report, evaluated: Callable[[str], None]) -> Path:
    """Do the rest of a run, and return the path of the agent."""
    budget = run.budget
    files.mark()
    try:
        files.save()
        if not run.prepared:
            with _counted(trainer):
                trainer.prepare(report)
            run.prepared = True
        if run.due is None:
            run.due = budget.used(trainer) + run.every
        files.mark()
        with _first_signal() as raise_signal:
            while True:
                remaining = budget.remaining(trainer)
                if run.evaluated < trainer.rollouts and (budget.used(trainer) >= run.due or not remaining):
                    files.save()
                    files.evaluate()
                    run.due, run.evaluated = budget.used(trainer) * _GROWTH + run.every, trainer.rollouts
                    files.mark()
                    files.save()
                    results = summarize(trainer.about["evaluation"])
                    played = trainer.evaluation_options.replace(":", ", with ")
                    evaluated(f"{trainer.seconds / 60:.1f} min, {trainer.decisions:,} decisions{played}: {results}")
                if not remaining:
                    return files.folder / AGENT
                raise_signal()
                with _counted(trainer):
                    numbers = trainer.training_step(remaining)
                run.numbers = {name: number if math.isfinite(number) else None for name, number in numbers.items()}
                files.mark()
                files.add_scalars(numbers)
                rate = trainer.decisions / max(trainer.seconds, 1e-9)
                report(f"{trainer.decisions:,} decisions ({rate:,.0f}/s)", budget.remaining(trainer))
                files.save_if_due()
    except OSError as error:
        raise GinkgoError(f"cannot write into {files.folder}: {error.strerror or error}; {files.last}") from None
    finally:
        files.save()


class _RunFiles:
    """Writes the files of a run, always as they were when :meth:`mark` was called: between two rollouts."""

    def __init__(self, trainer: Trainer, run: Run, folder: Path) -> None:
        self.trainer, self.run, self.folder = trainer, run, folder
        self.last = "no checkpoint was saved"
        self._marked: tuple[Checkpoint, Checkpoint, list[dict[str, Any]]] | None = None
        self._saved_at = self._marked_at = _now()
        self._rollout_seconds = 0.0
        self._due = _FIRST_SAVE
        self._decisions = trainer.decisions  # when the run began or was resumed

    @cached_property
    def _writer(self) -> Any:
        """TensorBoard's writer, None if it is not installed. Its file appears after the first checkpoint.

        So a run that is killed before there is anything to resume leaves an empty folder.
        """
        return _tensorboard(self.folder, self._decisions)

    def mark(self) -> None:
        """Mark the current state as the one to save."""
        self.trainer.run = to_builtins(self.run)
        self._marked = self.trainer.checkpoint(training=True), self.trainer.checkpoint(), list(self.run.log)
        self._rollout_seconds, self._marked_at = _seconds_since(self._marked_at), _now()

    def save_if_due(self) -> None:
        """Save unless the next rollout will probably end in time."""
        if _seconds_since(self._saved_at) + self._rollout_seconds > self._due:
            self.save()
            self._due = _SAVE_EVERY

    def save(self) -> None:
        """Write the marked state, unless that was tried before. Raises GinkgoError, which names the last checkpoint."""
        if self._marked is None:
            return
        marked, self._marked = self._marked, None
        try:
            write_checkpoint(self.folder / CHECKPOINT, marked[0])
            self.last = f"the last checkpoint is {self.folder / CHECKPOINT}, after {marked[0].about['rollouts']} rollouts"
            write_checkpoint(self.folder / AGENT, marked[1])
            if marked[2]:
                write_log(self.folder / LOG, marked[2])
            self._describe(marked[1].about)
        except GinkgoError as error:
            raise GinkgoError(f"{error}; {self.last}") from None
        except BaseException:  # a signal
            self._marked = marked
            raise
        self._saved_at = _now()

    def _describe(self, about: Mapping[str, Any]) -> None:
        """Write what an agent was trained on and how, from the data about it, and on what machine."""
        game = self.trainer.game
        description: dict[str, Any] = {"game": game.name, "config": game.config_dict}
        description |= {name: about[name] for name in (*Training.__struct_fields__, "rollouts", "seconds")}
        description |= {"trainer": type(self.trainer).__name__, "settings": about["training"], "against": self.run.against}
        description |= {"versions": {"python": platform.python_version()} | _versions(), "hardware": _hardware()}
        with atomic_write(self.folder / DESCRIPTION) as temporary:
            temporary.write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8", newline="\n")

    def evaluate(self) -> None:
        """Play against the opponents, and add the results to the log."""
        trainer, run = self.trainer, self.run
        evaluation = evaluate(
            f"{self.folder / AGENT}{trainer.agent_options}{trainer.evaluation_options}",
            *(trainer.game, run.against, run.games, _EVALUATION_SEED, local_runner(trainer.threads.count)),
        )
        for name, result in evaluation.items():
            label, key = (f"win_against_{name}", "win") if "win" in result else ("score", "score")
            self.add_scalars({label: result[key][0]})
        line: dict[str, Any] = {"game": trainer.game.name, "seconds": round(trainer.seconds, 1), "decisions": trainer.decisions}
        line["evaluation"] = evaluation
        if trainer.pool is not None and (payoff := trainer.pool.payoff()):
            line["payoff"] = payoff
            if self._writer is not None:
                self._writer.add_figure("payoff", payoff_figure(payoff), trainer.decisions)
        run.log = [*run.log, line | run.numbers]
        trainer.about["evaluation"] = evaluation

    def add_scalars(self, numbers: dict[str, float]) -> None:
        """Write numbers for TensorBoard."""
        if self._writer is not None:
            for name, number in numbers.items():
                self._writer.add_scalar(name, number, self.trainer.decisions)


def read_training_checkpoint(folder: Path) -> Checkpoint:
    """Read the training checkpoint of a run.

    Raises ConfigError, which names the file and what was expected, for an agent, which cannot be trained further.
    """
    path = folder if folder.is_file() else folder / CHECKPOINT
    checkpoint = read_checkpoint(path)
    run_of(checkpoint, str(path))
    return checkpoint


def run_of(checkpoint: Checkpoint, source: str = "this checkpoint") -> Run:
    """The run of a training checkpoint.

    Raises ConfigError, with a message that begins with ``source``, if there is none.
    """
    try:
        return convert(progress_of(checkpoint, source).run, Run)
    except JsonError as error:
        raise ConfigError(f"{source} is damaged: run: {error}") from None


def _resumed(trainer: Trainer, folder: Path, budget: Budget | None, every: float | None, against: Sequence[str] | None) -> Run:
    """Restore the trainer from the folder, and return its run. Options given here take precedence."""
    if not folder.is_dir():
        raise ConfigError(f"there is no checkpoint {folder / CHECKPOINT}; expected the folder of a run")
    checkpoint = read_training_checkpoint(folder)
    trainer.restore(checkpoint)
    run = run_of(checkpoint)
    require_passed(run.against if against is None else (), (), f"--against {','.join(run.against)}")
    units_before = run.minutes is None, run.training_games is None
    if budget is not None:
        run.minutes, run.rollouts, run.training_games = astuple(budget)
    if every is not None:
        run.every = every
    if run.prepared and (every is not None or units_before != (run.minutes is None, run.training_games is None)):
        run.due = run.budget.used(trainer) + run.every
    return run


def _require_empty(folder: Path) -> None:
    """Raise ConfigError unless the folder can be used for a new run."""
    names = {path.name for path in folder.iterdir() if not _ABANDONED.fullmatch(path.name)} if folder.exists() else set()
    if CHECKPOINT in names:
        raise ConfigError(f"{folder} already contains a run ({CHECKPOINT}): resume it or choose another folder")
    if names:
        raise ConfigError(f"{folder} is not empty ({min(names)}): choose another folder")


@contextmanager
def _only_writer(folder: Path) -> Iterator[None]:
    """Make the folder, and lock it. Raises ConfigError if another process trains in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        import fcntl
    except ImportError:  # Windows
        yield
        return
    except OSError as error:
        raise ConfigError(f"cannot make the folder {folder}: {error.strerror or error}") from None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"another process trains in {folder}") from None
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(descriptor)


def _now() -> tuple[float, float]:
    return time.process_time(), time.monotonic()


def _seconds_since(start: tuple[float, float]) -> float:
    return max(now - then for now, then in zip(_now(), start, strict=True))


@contextmanager
def _counted(trainer: Trainer) -> Iterator[None]:
    """Add the processor time of a block to the trainer's."""
    start = time.process_time()
    yield
    trainer.seconds += time.process_time() - start


@contextmanager
def _first_signal() -> Iterator[Callable[[], None]]:
    """Delay the first signal: yield a function that handles it, if there was one. The second one is handled at once."""
    received = list[int]()
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return

    def delay(number: int, frame: Any) -> None:
        received.append(number)
        handle_at_once()

    def handle_at_once() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def handle() -> None:
        for number in received:
            before[number](number, None)

    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    before: dict[int, Any] = {number: handler for number, handler in handlers.items() if callable(handler)}
    try:
        for number in before:
            signal.signal(number, delay)
        yield handle
    finally:
        handle_at_once()


def _versions() -> dict[str, str]:
    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:  # used without an installation
            continue
    return versions


def _hardware() -> dict[str, Any]:
    """The machine, the name of its processor, which Linux has in a file, and the number of its cores."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", info.read_text("utf-8", "replace") if info.exists() else "")
    return {"machine": platform.machine(), "processor": found[1] if found else platform.processor(), "cores": os.cpu_count()}


def _tensorboard(folder: Path, decisions: int) -> Any:
    """TensorBoard's writer, which hides entries of earlier files after these decisions; None if it is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder), purge_step=decisions + 1)
