"""One game, played with a log: the base of records and replays.

A :class:`~ginkgo_env.core.batch.Batch` is faster.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.batch import checked_seed, prepare
from ginkgo_env.core.checks import int_or_none
from ginkgo_env.core.engine import Engine, exclusive
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.events import new_log, read_log
from ginkgo_env.core.game import Game
from ginkgo_env.core.loops import PlayMode
from ginkgo_env.core.masks import RESET
from ginkgo_env.core.state import States

Rows = list[tuple[int, int, int, int]]
_FIRST = np.zeros(1, np.int64)


class Playback(Engine):
    """A game with a log of its events, for one thread at a time.

    ``states`` (1,) and ``mask`` (1, A) are reused: copy what you keep.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._log = new_log()
        prepare(game)

    @exclusive
    def start(self, seed: int) -> Rows:
        """Set up the game of a seed, 0 <= seed < 2**64, and return the rows of the log.

        The game may be over at its start.
        """
        self._seeds[0] = checked_seed(seed)
        return self._play(RESET)

    @exclusive
    def continue_from(self, state: States) -> None:
        """Continue from a copy of a state, (1,). Raises BatchError if it is not a state or has a flaw."""
        if flaw := self.game.find_flaw(self.game.checked_state(state)):
            raise BatchError(f"invalid state; {flaw}")
        self.states[:] = state
        self.refresh()

    @exclusive
    def play(self, action: int) -> Rows:
        """Play an action and return the rows of the log. IllegalActionError leaves the game unchanged."""
        number = int_or_none(action)
        if number is None or not self.is_legal(number):
            raise self.game.illegal_action(self.states, action)
        return self._play(number)

    def is_legal(self, action: int) -> bool:
        """Return whether an action is legal."""
        number = int_or_none(action)
        inside = number is not None and 0 <= number < self.mask.shape[1]
        return inside and bool(self.are_legal(_FIRST, np.array([number]))[0])

    @property
    def actor(self) -> int | None:
        """The seat that decides, None if the game is over."""
        actor = int(self.game.actor(self.states)[0])
        return None if actor < 0 else actor

    @exclusive
    def state(self) -> States:
        """Return a copy of the state, (1,)."""
        return self.states.copy()

    def _play(self, action: int) -> Rows:
        self._actions[0] = action
        self._run(self.game.kernels.play, self._play_arrays, tuple(PlayMode(log=self._log)))
        return read_log(self._log)
