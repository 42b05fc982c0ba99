"""One game, played with a log: the base of records and replays. For speed use a :class:`~ginkgo_env.core.batch.Batch`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import checked_seed, prepare
from ginkgo_env.core.checks import whole
from ginkgo_env.core.errors import BatchError, shown
from ginkgo_env.core.game import Game
from ginkgo_env.core.log import new_log, read_log
from ginkgo_env.core.masks import RESET
from ginkgo_env.core.rewards import NO_GAINS
from ginkgo_env.core.state import States

Rows = list[tuple[int, int, int, int]]


class Playback:
    """A game with a log of what happens. ``states`` and ``mask`` are reused: copy what you keep."""

    def __init__(self, game: Game) -> None:
        if not isinstance(game, Game):
            raise BatchError(f"invalid game {shown(game)}; expected what make_game returns")
        prepare(game)
        self.game = game
        self.states: States = game.template.copy()
        self.mask: NDArray[np.int8] = np.zeros((1, game.actions.size), np.int8)
        self._log = new_log()
        self._seeds: NDArray[np.uint64] = np.zeros(1, np.uint64)
        self._done: NDArray[np.int8] = np.zeros(1, np.int8)
        self._final: NDArray[np.int32] = np.zeros((1, game.sides, len(game.sources)), np.int32)
        self._standings: NDArray[np.int64] = np.zeros((1, game.sides), np.int64)

    def start(self, seed: int) -> Rows:
        """Set up the game of a seed (0 <= seed < 2**64); returns the rows of the log."""
        self._seeds[0] = checked_seed(seed)
        return self._run(RESET)

    def continue_from(self, state: States) -> None:
        """Go on from a copy of a state, shape (1,). Raises BatchError for anything else."""
        self.states[:] = self.game.checked_state(state)
        self.game.kernels.legal(0, 1, self.states, self.game.tables, self.mask)

    def play(self, action: int) -> Rows:
        """Play an action; returns the rows of the log. Raises IllegalActionError and changes nothing if it is illegal."""
        number = whole(action)
        if number is None or not self.is_legal(number):
            raise self.game.illegal_action(self.states, action)
        return self._run(number)

    def is_legal(self, action: int) -> bool:
        """Whether the mask allows the action."""
        number = whole(action)
        return number is not None and 0 <= number < self.mask.shape[1] and bool(self.mask[0, number])

    @property
    def actor(self) -> int | None:
        """The seat that decides, None if terminal."""
        actor = int(self.game.actor(self.states)[0])
        return None if actor < 0 else actor

    def state(self) -> States:
        """A copy of the state, shape (1,)."""
        return self.states.copy()

    def _run(self, action: int) -> Rows:
        actions = np.array([action], np.int64)
        self.game.kernels.play(
            *(0, 1, self.states, self.game.tables, actions, self._seeds, self.mask, self._done, self._final, self._standings),
            *(self.game.template, False, self.states[:0], self._log, *NO_GAINS),
        )
        return read_log(self._log)
