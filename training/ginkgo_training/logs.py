"""Logs of training runs: a line of JSON for each evaluation.

``ginkgo train lookahead`` writes a line for all opponents together, with ``seconds`` of processor time, ``decisions`` and
``evaluation``, for each opponent the ``win`` rate and the ends of its 95 % interval. ``ginkgo train ppo`` writes a line for each
opponent, with ``minutes`` of learning, ``decisions``, ``against``, ``mean``, ``low`` and ``high``. Curves need no other keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ginkgo_env.core.errors import ConfigError, shown

LOG = "log.jsonl"
_SUFFIX = ".jsonl"
_SEED = re.compile(r"[-_ ]*(?<![a-zA-Z])(?:s|seed)[-_ ]?\d+$")


@dataclass(frozen=True)
class Point:
    """An evaluation: where in the run, and the win rate with its 95 % interval, 0 to 1."""

    minutes: float
    decisions: int
    win: float
    low: float
    high: float


@dataclass(frozen=True)
class Log:
    """A run's name and its evaluations against each opponent, in the order of decisions."""

    name: str
    curves: Mapping[str, tuple[Point, ...]]

    @property
    def recipe(self) -> str:
        """The name without the seed at its end, as in ``two_players-seed1``: runs of one recipe differ in it alone."""
        return _SEED.sub("", self.name) or self.name


def add_line(path: Path, line: Mapping[str, Any]) -> None:
    """Append a line to a log."""
    with path.open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")


def read_log(path: Path, name: str | None = None) -> Log:
    """The log in a file, or that of a run in its folder.

    name : by default the name of the folder, or of a file that is not called ``log.jsonl``

    Of evaluations after equally many decisions the last one counts: a run that was killed and resumed repeats some. Raises
    ConfigError for anything but a log.
    """
    file = path / LOG if path.is_dir() else path
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"cannot read the log {file}: {error.strerror if isinstance(error, OSError) else error}") from None
    found: dict[str, dict[int, Point]] = {}
    for number, line in enumerate(lines, 1):
        try:
            for opponent, point in _points(json.loads(line)):
                found.setdefault(opponent, {})[point.decisions] = point
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ConfigError(f"{file.name}, line {number}: not an evaluation of a training run") from None
    if not found:
        raise ConfigError(f"{file} holds no evaluation")
    curves = {opponent: tuple(points[k] for k in sorted(points)) for opponent, points in found.items()}
    return Log(name or (file.parent.resolve().name if file.name == LOG else file.stem), curves)


def read_logs(paths: Iterable[Path]) -> list[Log]:
    """The logs of files, of folders of runs, and of folders that hold logs under other names."""
    found = []
    for path in paths:
        several = sorted(path.glob(f"*{_SUFFIX}")) if path.is_dir() and not (path / LOG).exists() else []
        found += [read_log(file) for file in several or [path]]
    names = [log.name for log in found]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two runs are named {shown(name)}: rename a folder or file")
    return found


def _points(line: Any) -> Iterable[tuple[str, Point]]:
    """Opponents and evaluations of a line. Raises ValueError, KeyError or TypeError if it is of neither form."""
    if "evaluation" in line:
        rates = {opponent: result["win"] for opponent, result in line["evaluation"].items() if "win" in result}
        minutes = line["seconds"] / 60
    else:
        rates = {line["against"]: [line[end] for end in ("mean", "low", "high")]}
        minutes = line["minutes"]
    for opponent, rate in rates.items():
        mean, low, high = map(float, rate)
        if not 0 <= mean <= 1:
            raise ValueError("a score, not a win rate")
        yield opponent, Point(float(minutes), int(line["decisions"]), mean, low, high)
