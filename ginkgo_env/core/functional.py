"""A game as functions of states: each call leaves the given state unchanged and returns something new.

Tree search and other libraries need this form. A :class:`~ginkgo_env.core.batch.Batch` plays many games faster, in place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import integer, whole
from ginkgo_env.core.log import SILENT
from ginkgo_env.core.loops import PlayArrays, PlayMode
from ginkgo_env.core.masks import RESET, n_words
from ginkgo_env.core.state import States

if TYPE_CHECKING:
    from ginkgo_env.core.errors import IllegalActionError
    from ginkgo_env.core.layout import Layout
    from ginkgo_env.core.loops import Kernels

_MAX_SEED = 2**64 - 1


class FunctionalGame:
    """Base of :class:`~ginkgo_env.core.game.Game`: its methods that return new states.

    A state is a record of shape (1,). All randomness lies in it: the same state and action lead to the same state.
    """

    if TYPE_CHECKING:  # declared by Game
        seats: int
        sides: int
        sources: tuple[str, ...]
        actions: Layout
        observation: Layout
        observation_dtype: type[np.generic]
        template: States
        tables: NDArray[Any] | None
        kernels: Kernels

        def checked_state(self, state: States) -> States: ...  # noqa: D102
        def illegal_action(self, state: States, action: int) -> IllegalActionError: ...  # noqa: D102

    def initial_state(self, seed: int) -> States:
        """Return the first decision of the game of a seed; the game may be over at its start.

        seed : 0 <= seed < 2**64
        """
        return played(self, copied(self.template, self.template), RESET, seed=integer(seed, 0, _MAX_SEED, "seed"))

    def legal_actions(self, state: States) -> NDArray[np.int64]:
        """Return the legal actions of the actor in ascending order: (k,), none in a finished game."""
        return np.flatnonzero(self._mask(copied(self.checked_state(state), self.template)))

    def step(self, state: States, action: int) -> States:
        """Return the state after an action of the actor.

        Raises IllegalActionError if the action is not legal, and FinishedGameError if the game is over.

        >>> import ginkgo_env
        >>> game = ginkgo_env.make_game("my_city")
        >>> first = game.initial_state(seed=7)
        >>> second = game.step(first, game.legal_actions(first)[0])
        >>> game.actor(first).item(), game.actor(second).item()
        (0, 1)
        """
        number, after = whole(action), copied(self.checked_state(state), self.template)
        if number is None or not 0 <= number < self.actions.size or not self._mask(after)[number]:
            raise self.illegal_action(state, action)
        return played(self, after, number)

    def observe(self, state: States, seat: int) -> NDArray[Any]:
        """Return what a seat knows: (n,), in the order of the layout ``observation``."""
        row, out = copied(self.checked_state(state), self.template), np.empty((1, self.observation.size), self.observation_dtype)
        self.kernels.observe(0, 1, row, self.tables, self._seat(seat), out, self.observation.offsets)
        return cast(NDArray[Any], out[0])

    def resample(self, state: States, seat: int, seed: int | None = None) -> States:
        """Return the state with all that a seat cannot know, and all further chance, drawn anew.

        The seat's observation stays the same. The result is that of ``Batch.resample`` in a batch of one row.
        """
        entropy = None if seed is None else integer(seed, 0, None, "seed")
        word = np.random.SeedSequence(entropy).generate_state(1, np.uint64).astype(np.uint64, copy=False)
        row = copied(self.checked_state(state), self.template)
        self.kernels.resample(0, 1, row, self.tables, self._seat(seat), word)
        return cast(States, row.view(np.recarray))

    def _mask(self, row: NDArray[Any]) -> NDArray[np.int8]:
        """Return the mask (A,) of a copy of a state."""
        mask = np.zeros((1, self.actions.size), np.int8)
        self.kernels.legal(0, 1, row, self.tables, mask)
        return cast("NDArray[np.int8]", mask[0])

    def _seat(self, seat: int) -> NDArray[np.int64]:
        return np.array([integer(seat, 0, self.seats - 1, "seat")], np.int64)


def played(game: FunctionalGame, row: NDArray[Any], action: int, seed: int = 0, log: NDArray[np.int16] = SILENT) -> States:
    """Play a legal action, or with RESET start the game of a seed; the arguments are not checked.

    row : a state from :func:`copied`, which is played in place
    log : where to write the events (:mod:`ginkgo_env.core.log`)
    """
    size = game.actions.size
    mask, words, done = np.zeros((1, size), np.int8), np.zeros((1, n_words(size)), np.uint64), np.zeros(1, np.int8)
    points, standings = np.zeros((1, game.sides, len(game.sources)), np.int32), np.zeros((1, game.sides), np.int64)
    chosen, seeds, template = np.array([action], np.int64), np.array([seed], np.uint64), game.template.view(np.ndarray)
    arrays = PlayArrays(chosen, seeds, mask, words, done, points, standings, template, template[:0])
    game.kernels.play(0, 1, row, game.tables, tuple(arrays), tuple(PlayMode(log=log)))
    return cast(States, row.view(np.recarray))


def copied(state: NDArray[Any], template: States) -> NDArray[Any]:
    """Return a copy of a state as a plain array. Numpy would copy it field by field."""
    return np.frombuffer(bytearray(state.tobytes()), template.dtype)
