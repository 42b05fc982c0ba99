"""What workers of the tests run: it kills its process, or fails.

Notes of what happened are files in a folder, so that they outlive the process. The process of the tests itself is spared.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import DecisionBatch, RandomAgent
from ginkgo_env.core.errors import BatchError


def notes() -> Path:
    return Path(os.environ["MORTAL_NOTES"])


def note(name: str) -> bool:
    """Leave a note with the number of this process; whether it is the first one of the name."""
    try:
        with (notes() / name).open("x") as file:
            file.write(str(os.getpid()))
        return True
    except FileExistsError:
        return False


def die() -> None:
    if os.getpid() != int(os.environ["MORTAL_SPARED"]):
        os.kill(os.getpid(), signal.SIGKILL)


def die_once(name: str) -> None:
    if os.getpid() != int(os.environ["MORTAL_SPARED"]) and note(name):
        die()


class Mortal(RandomAgent):
    """The first process in which it has taken two turns is killed: in the middle of games."""

    def __init__(self, name: str = "mortal") -> None:
        self.name, self.turns = name, 0

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        self.turns += 1
        if self.turns > 2:
            die_once(self.name)
        return super().act(turn)


class Other(RandomAgent):
    """Plays as its name says."""


class Broken(RandomAgent):
    """Fails."""

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        raise RuntimeError("broken on purpose")


def slower_at_first(k: int) -> int:
    time.sleep(0.2 / (1 + k))
    return k * k


def processor(k: int) -> int:
    time.sleep(0.3)
    return os.getpid()


def always_dies(k: int) -> None:
    die()


def fails(name: str, ours: bool) -> None:
    """Fails, and counts how often."""
    k = 0
    while not note(f"{name}{k}"):
        k += 1
    raise BatchError("a sentence") if ours else KeyError("no such thing")


def mortal_collect(*arguments: Any) -> Any:
    """A shard's rollout, the first of which is lost when it is nearly done."""
    from ginkgo_training.shards import collect

    found = collect(*arguments)
    die_once("collect")
    return found
