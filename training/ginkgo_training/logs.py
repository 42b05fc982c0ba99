"""Logs of training runs: a line of JSON for each evaluation.

A line has the name of the ``game``, ``seconds`` of processor time, ``decisions`` and ``evaluation``: for each opponent the
``win`` rate and the ends of its 95 % interval, or the ``score`` in a game with one side. The trainer adds numbers of its own,
which learning curves do not need.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ginkgo_agents.evaluation.strength import ALONE
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.files import open_regular, write_file
from ginkgo_env.core.strict_json import convert

LOG = "log.jsonl"
_SUFFIX = ".jsonl"
_SEED = re.compile(r"[-_ ]*(?<![a-zA-Z])(?:s|seed)[-_ ]?\d+$")


@dataclass(frozen=True)
class EvaluationPoint:
    """An evaluation: its time in the run, and the win rate, 0 to 1, or the score, with its interval."""

    minutes: float
    decisions: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class TrainingLog:
    """The name of a run, its game, and its evaluations against each opponent, in the order of decisions.

    The evaluations of a game with one side are scores, under the name :data:`~ginkgo_agents.evaluation.strength.ALONE`.
    """

    name: str
    game: str
    curves: Mapping[str, tuple[EvaluationPoint, ...]]

    @property
    def recipe(self) -> str:
        """The name without a seed at its end, as in ``two_players-seed1``."""
        return _SEED.sub("", self.name) or self.name


def write_log(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write a log, whole or not at all. Raises GinkgoError if it cannot be written."""
    write_file(path, "".join(json.dumps(line) + "\n" for line in lines))


def read_log(path: Path) -> TrainingLog:
    """Read a log file, or the log in the folder of a run.

    The log is named after the folder, or after a file that is not called ``log.jsonl``. Of several evaluations after the same
    number of decisions, the last one counts: a run that is killed and resumed repeats some evaluations. Raises ConfigError if
    the file cannot be read or is not a log.
    """
    file = path / LOG if path.is_dir() else path
    try:
        with open_regular(file) as stream:
            lines = stream.read().decode("utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"cannot read the log {file}: {error.strerror if isinstance(error, OSError) else error}") from None
    game, points = "", dict[str, dict[int, EvaluationPoint]]()
    for number, line in enumerate(lines, 1):
        try:
            evaluated = json.loads(line)
            game = convert(evaluated["game"], str)
            for opponent, point in _points(evaluated):
                points.setdefault(opponent, {})[point.decisions] = point
        except (ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError):
            raise ConfigError(f"{file.name}, line {number}: not an evaluation of a training run") from None
    if not points:
        raise ConfigError(f"{file} contains no evaluation")
    curves = {opponent: tuple(points[opponent][k] for k in sorted(points[opponent])) for opponent in points}
    return TrainingLog(file.parent.resolve().name if file.name == LOG else file.stem, game, curves)


def read_logs(paths: Iterable[Path]) -> list[TrainingLog]:
    """Read logs from files, folders of runs, and folders that contain logs under other names."""
    logs = []
    for path in paths:
        files = sorted(path.glob(f"*{_SUFFIX}")) if path.is_dir() and not (path / LOG).exists() else []
        logs += [read_log(file) for file in files or [path]]
    names = [log.name for log in logs]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two runs are named {short_repr(name)}: rename a folder or file")
    return logs


def _points(line: Any) -> Iterable[tuple[str, EvaluationPoint]]:
    """The opponents and evaluations of a line. Raises ValueError, KeyError or TypeError for a malformed one."""
    for opponent, result in line["evaluation"].items():
        mean, low, high = map(float, result["score" if opponent == ALONE else "win"])
        if opponent != ALONE and not 0 <= mean <= 1:
            raise ValueError(f"win must be between 0 and 1, got {mean}")
        yield opponent, EvaluationPoint(line["seconds"] / 60, int(line["decisions"]), mean, low, high)
