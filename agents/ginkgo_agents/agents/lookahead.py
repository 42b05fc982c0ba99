"""The agent that looks one action ahead with a trained network (see ``training/README.md``). Numpy and Numba, no torch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn
from ginkgo_agents.agents.checkpoints import Checkpoint, read_checkpoint, require_fit
from ginkgo_agents.agents.registry import make_agent
from ginkgo_env.core.afterstates import Afterstates
from ginkgo_env.core.compile.jit import entry
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.rewards import MARGIN_UNIT, OUTCOME_UNIT, WIN_SHARE

KIND = "lookahead"


class Net(NamedTuple):
    """A network with two hidden layers (tanh) and two outputs, win and margin, each through tanh."""

    columns: NDArray[np.int64]
    """(n,): which features it reads."""
    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    """(n,) each: a feature enters as (x - mean) x scale, cut off at -CUT and CUT."""
    w1: NDArray[np.float32]
    b1: NDArray[np.float32]
    w2: NDArray[np.float32]
    b2: NDArray[np.float32]
    w3: NDArray[np.float32]
    b3: NDArray[np.float32]
    """Weights (inputs, outputs) and biases (outputs,) of the layers."""


CUT = 5.0
_RARE = 1e-9  # the least probability of an action in a prior, which may be mistaken


def win_share(game: Game) -> float:
    """How much of the outcome is winning, the rest is by how much; where a side plays alone its score is all."""
    return WIN_SHARE if game.sides > 1 else 0.0


def outcome_of(game: Game, win: NDArray[np.float32], margin: NDArray[np.float32]) -> NDArray[np.float32]:
    """The reward ``outcome`` of a finished game from the rewards ``win`` and ``margin``; alone, the margin is the score."""
    share = win_share(game)
    return np.asarray(share * win + (1 - share) * np.tanh(margin * (MARGIN_UNIT / OUTCOME_UNIT)), np.float32)


def used_columns(layout: Layout, without: Sequence[str]) -> NDArray[np.int64]:
    """The features that a network reads: all but those of some blocks."""
    kept = [np.arange(block.start, block.stop) for name, block in layout.items() if name not in without]
    return np.concatenate(kept).astype(np.int64)


@entry
def evaluate_many(
    start: int,
    stop: int,
    features: Any,
    columns: Any,
    mean: Any,
    scale: Any,
    w1: Any,
    b1: Any,
    w2: Any,
    b2: Any,
    w3: Any,
    b3: Any,
    out: Any,
) -> None:
    """Write win and margin, each -1 to 1, into out (rows, 2) for features (rows, n). Each row by itself, always in one order."""
    h1, h2 = np.empty(b1.size, np.float32), np.empty(b2.size, np.float32)
    for i in range(start, stop):
        h1[:] = b1
        for n in range(columns.size):
            x = (features[i, columns[n]] - mean[n]) * scale[n]
            x = min(np.float32(CUT), max(np.float32(-CUT), x))
            for j in range(h1.size):
                h1[j] += x * w1[n, j]
        for j in range(h1.size):
            h1[j] = math.tanh(h1[j])
        h2[:] = b2
        for n in range(h1.size):
            for j in range(h2.size):
                h2[j] += h1[n] * w2[n, j]
        for k in range(2):
            total = b3[k]
            for n in range(h2.size):
                if k == 0:
                    h2[n] = math.tanh(h2[n])
                total += h2[n] * w3[n, k]
            out[i, k] = math.tanh(total)


def net_of(arrays: Mapping[str, NDArray[Any]], prefix: str) -> Net:
    """A network from the arrays of a checkpoint. Raises ConfigError if one is missing."""
    try:
        found = {name: np.ascontiguousarray(arrays[f"{prefix}.{name}"]) for name in Net._fields}
    except KeyError as error:
        raise ConfigError(f"the checkpoint has no {error.args[0]}") from None
    typed: dict[str, Any] = {name: array.astype(np.int64 if name == "columns" else np.float32) for name, array in found.items()}
    return Net(**typed)


class LookaheadAgent(Agent):
    """Plays the action whose afterstates a trained network likes best, on average over resampled worlds.

    Each legal action is played on to the end of the round in each of a few worlds; where the game has ended, its outcome counts,
    else what the network expects. Ties go to the action with the lower id. An action depends on its own row alone.

    checkpoint : a file that ``ginkgo train lookahead`` wrote, or what
        :func:`~ginkgo_agents.agents.checkpoints.read_checkpoint` returned
    worlds : how many resampled worlds for each decision
    prior : another agent, or its name, whose probabilities of actions count as well: to an action's expected outcome times
        exp(tau), its logit in training, their logarithm is added
    """

    def __init__(self, checkpoint: str | Path | Checkpoint, worlds: int = 8, prior: Agent | str | None = None) -> None:
        self.checkpoint = checkpoint if isinstance(checkpoint, Checkpoint) else read_checkpoint(checkpoint)
        if self.checkpoint.kind != KIND:
            raise ConfigError(f"a checkpoint of {self.checkpoint.kind!r} is not one of {KIND!r}")
        if type(worlds) is not int or worlds < 1:
            raise ConfigError(f"requires worlds >= 1, got {worlds!r}")
        self.worlds = worlds
        if not isinstance(prior, Agent | str | None):
            raise ConfigError(f"invalid prior {shown(prior)}; expected an agent or its name")
        self.prior = make_agent(prior, self.checkpoint.game) if isinstance(prior, str) else prior
        self.tau = float(self.checkpoint.arrays.get("tau", 0.0))
        self.scorer, self.critic = net_of(self.checkpoint.arrays, "scorer"), net_of(self.checkpoint.arrays, "critic")

    def check(self, game: Game) -> None:
        """Raises ConfigError unless the checkpoint fits the game, and the prior does."""
        require_fit(self.checkpoint, game)
        if self.prior is not None:
            self.prior.check(game)

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """A legal action for each row of the turn."""
        after, logits = self.logits(turn)
        actions = np.empty(len(turn), np.int64)
        for i in range(len(turn)):
            mine = slice(after.offsets[i], after.offsets[i + 1])
            actions[i] = after.actions[mine][logits[mine].argmax()]
        return actions

    def probabilities(self, turn: Turn) -> NDArray[np.float64]:
        """The probability (rows, A) of each action, as when it was trained."""
        after, logits = self.logits(turn)
        weights = np.zeros(turn.masks.shape)
        rows = np.repeat(np.arange(len(turn)), np.diff(after.offsets))
        weights[rows, after.actions] = np.exp(logits - np.maximum.reduceat(logits, after.offsets[:-1])[rows])
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def logits(self, turn: Turn) -> tuple[Afterstates, NDArray[np.float64]]:
        """The afterstates, and how much each legal action (N,) is preferred."""
        after, values = self.values(turn)
        found = math.exp(self.tau) * values.astype(np.float64)
        if self.prior is not None:
            rows = np.repeat(np.arange(len(turn)), np.diff(after.offsets))
            found += np.log(np.maximum(self.prior.probabilities(turn)[rows, after.actions], _RARE))
        return after, found

    def values(self, turn: Turn) -> tuple[Afterstates, NDArray[np.float32]]:
        """The afterstates, and the expected outcome (N,) of each legal action, -1 to 1."""
        require_fit(self.checkpoint, turn.game)
        after = turn.afterstates(self.worlds)
        n, worlds, size = after.views.shape
        told = np.empty((n * worlds, 2), np.float32)
        turn.threads.run(evaluate_many, len(told), after.views.reshape(-1, size), *self.scorer, told)
        share = win_share(turn.game)
        expected = (share * told[:, 0] + (1 - share) * told[:, 1]).reshape(n, worlds)
        return after, np.where(after.done, outcome_of(turn.game, after.win, after.margin), expected).mean(axis=1)

    def expectation(self, turn: Turn) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What the deciding seats may expect: the chance to win (rows,) and the margin in points (rows,).

        A tie for the first place counts as the share of the win. Where a side plays alone, its score stands for the margin.
        """
        require_fit(self.checkpoint, turn.game)
        told = np.empty((len(turn), 2), np.float32)
        turn.threads.run(evaluate_many, len(turn), turn.features, *self.critic, told)
        others = max(1, turn.game.sides - 1)
        chance = (told[:, 0] + 1 / others) / (1 + 1 / others)  # a loss is -1 / others, see the reward ``win``
        margin = np.arctanh(np.clip(told[:, 1], -0.999, 0.999)) * OUTCOME_UNIT
        return np.clip(chance, 0, 1).astype(np.float32), margin.astype(np.float32)

    def value(self, turn: Turn) -> NDArray[np.float64]:
        """The chance to win (rows,) by the critic, or the final score where a side plays alone; see :meth:`expectation`."""
        chance, margin = self.expectation(turn)
        return (chance if turn.game.sides > 1 else margin).astype(np.float64)

    def fast_variant(self) -> LookaheadAgent:
        """The same agent with one world for each decision."""
        return LookaheadAgent(self.checkpoint, 1, self.prior)
