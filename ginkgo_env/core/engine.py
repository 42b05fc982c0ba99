"""The arrays of games side by side, and the one place where Python calls their compiled loops."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.compile.threads import KernelThreads
from ginkgo_env.core.errors import BatchError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.loops import PlayArrays
from ginkgo_env.core.masks import NO_ACTION, are_legal, n_words, pack_many, sample_many
from ginkgo_env.core.state import States

ROWS_EACH = 2048
"""Least number of rows for each thread: to share fewer costs more processor time than it saves time."""


def checked_game(game: Any) -> Game:
    """Return a game. Raises BatchError for anything else."""
    if not isinstance(game, Game):
        raise BatchError(f"invalid game {short_repr(game)}; expected a game from make_game")
    return game


Scalar = TypeVar("Scalar", bound=np.generic)


class ReusedArray(Generic[Scalar]):
    """An attribute that loops write to. Assigning to it copies into its array, which stays the same."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> NDArray[Scalar]:
        return cast("NDArray[Scalar]", self if instance is None else instance.__dict__[self._name])

    def __set__(self, instance: Any, value: NDArray[Scalar]) -> None:
        own = instance.__dict__.setdefault(self._name, value)
        if own is not value:
            own[...] = value


# --- locks: a second thread gets an error, not mixed-up games ----------------------------------------------------------------


P = ParamSpec("P")
R = TypeVar("R")


class CallLock:
    """A lock that never waits, for use with ``with``: raises BatchError if another thread holds it.

    The thread that holds it may take it again. Copies are new locks, which no thread holds.

    what : a noun for the error
    """

    def __init__(self, what: str = "batch") -> None:
        self.what = what
        self.renew()
        _LOCKS.add(self)

    def renew(self) -> None:
        """Become a lock that no thread holds."""
        lock = RLock()
        self.acquire, self.release = lock.acquire, lock.release

    def __enter__(self) -> None:
        if not self.acquire(False):
            raise self.refusal()

    def __exit__(self, *_: object) -> None:
        self.release()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a new lock."""
        return CallLock, (self.what,)

    def refusal(self) -> BatchError:
        """Return the error to raise in the second thread."""
        return BatchError(f"this {self.what} is in use by another thread")


_LOCKS = WeakSet[CallLock]()


def _release_after_fork() -> None:
    """In the child of a fork: release the locks of threads that it does not have."""
    for lock in _LOCKS:
        if lock.acquire(False):
            lock.release()
        else:
            lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_after_fork)


class Locked(Protocol):
    """An object with methods that are decorated with :func:`exclusive`."""

    _lock: CallLock


L = TypeVar("L", bound=Locked)


def exclusive(method: Callable[Concatenate[L, P], R]) -> Callable[Concatenate[L, P], R]:
    """Make a method hold ``_lock`` while it runs. Raises BatchError if another thread does."""

    @wraps(method)
    def alone(self: L, *args: P.args, **kwargs: P.kwargs) -> R:
        lock = self._lock  # like ``with``, but faster
        if not lock.acquire(False):
            raise lock.refusal()
        try:
            return method(self, *args, **kwargs)
        finally:
            lock.release()

    return cast(Callable[Concatenate[L, P], R], alone)


# --- games side by side ------------------------------------------------------------------------------------------------------


class Engine:
    """Games of one configuration, one in each row of its arrays, and the calls of the loops.

    Batches, playbacks and one-game environments are subclasses. Arguments of :meth:`run` and of the constructor, other than the
    game, are not checked. Copies (``copy.deepcopy`` or ``pickle``) play on as the original would. One thread at a time may use an
    engine: methods under :func:`exclusive` refuse another one.

    Parameters
    ----------
    game : the game, as :func:`ginkgo_env.make_game` returns it
    size : number of games (rows)
    threads : number of threads that share the rows
    autoreset : whether the next game starts in a row as soon as its game has ended
    keep_last : whether ``play`` copies the last states of finished games

    Attributes (written in place by the loops, which read none but ``states``)
    ----------
    states : (size,) records
    mask : (size, A) int8, 1 = legal for the actor
    final : (size, sides, sources) int32, scores by source of the game that each row last finished
    standings : (size, sides) int64, the standings at its end
    """

    mask = ReusedArray[np.int8]()
    final = ReusedArray[np.int32]()
    standings = ReusedArray[np.int64]()

    _views: ClassVar[tuple[str, ...]] = ("states", "_rows", "_sets", "_play_arrays")
    _noun: ClassVar[str] = "game"
    """A noun for errors."""

    def __init__(
        self,
        game: Game,
        size: int = 1,
        *,
        threads: int = 1,
        autoreset: bool = False,
        keep_last: bool = False,
    ) -> None:
        self.game, self.size, self.autoreset = checked_game(game), size, autoreset
        self._lock, self._threads = CallLock(self._noun), KernelThreads(threads, ROWS_EACH)
        # Numpy copies blobs at once, records field by field.
        self._blobs = np.empty(size, np.dtype((np.void, game.template.dtype.itemsize)))
        self._last = np.empty(size if keep_last else 0, game.template.dtype)
        self._allocate()
        self._take_views()
        self.states[:] = game.template[0]

    def _allocate(self) -> None:
        """Allocate the arrays, which stay the same objects."""
        game, size = self.game, self.size
        self.mask = np.zeros((size, game.actions.size), np.int8)
        self.final = np.zeros((size, game.sides, len(game.sources)), np.int32)
        self.standings = np.zeros((size, game.sides), np.int64)
        self._actions: NDArray[np.int64] = np.full(size, NO_ACTION, np.int64)
        self._seeds: NDArray[np.uint64] = np.zeros(size, np.uint64)
        self._done: NDArray[np.int8] = np.zeros(size, np.int8)

    @exclusive
    def run(self, loop: Callable[..., Any], *arguments: Any, rows: NDArray[Any] | None = None) -> None:
        """Run a compiled loop over all rows: ``loop(start, stop, states, components, *arguments)``.

        Threads share the rows.

        loop : one of ``game.kernels``, or a loop from ``game.kernels.bind``, which writes to rows start..stop only
        rows : other states to run over, (n,)
        """
        self._run(loop, *arguments, rows=rows)

    def _run(self, loop: Callable[..., Any], *arguments: Any, rows: NDArray[Any] | None = None) -> Any:
        """Do the same as :meth:`run` for methods that hold the lock, and return what the loop returns for the first rows."""
        states = self._rows if rows is None else rows
        return self._threads.run(loop, len(states), states, self.game.components, *arguments)

    @exclusive
    def refresh(self) -> None:
        """Write the masks and the sets of legal actions of all rows anew."""
        self._run(self.game.kernels.legal, self.mask)
        pack_many(self.mask, self._sets)

    def are_legal(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether actions (k,), any int64, are legal in rows (k,), whatever ``mask`` holds."""
        return are_legal(self._sets, rows, actions)

    def _sample_rows(self, rows: NDArray[np.int64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return uniform legal actions of some rows (k,), NO_ACTION in finished ones. Neither argument is checked.

        keys : (size,) uint64 random keys; those of the rows are advanced
        """
        actions, drawn = np.empty(rows.size, np.int64), keys[rows]
        sample_many(0, rows.size, self._sets[rows], drawn, actions)
        keys[rows] = drawn
        return actions

    @exclusive
    def close(self) -> None:
        """End the threads, if any. Using the rows again restarts them."""
        self._threads.close()

    def _take_views(self) -> None:
        """Make the views of the rows."""
        template = self.game.template
        # Numba takes several times longer to recognize a record array than a plain one.
        self._rows = self._blobs.view(template.dtype)
        self.states: States = self._rows.view(np.recarray)
        # Kernels and checks trust these sets in place of the mask. No user gets hold of them.
        self._sets: NDArray[np.uint64] = np.zeros((self.size, n_words(self.game.actions.size)), np.uint64)
        results = self.mask, self._sets, self._done, self.final, self.standings
        arrays = PlayArrays(self._actions, self._seeds, *results, template.view(np.ndarray), self._last)
        self._play_arrays = tuple(arrays)
        """For ``game.kernels.play``. The actions are those in ``_actions``, which nobody else writes to."""

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        """Return everything that a copy does not rebuild. Arrays are copied, as other threads may play on."""
        kept = {name: value for name, value in self.__dict__.items() if name not in self._views}
        return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in kept.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Continue from a pickled state, with copies of its arrays, since pickled ones may be read-only."""
        self.__dict__.update({k: v.copy() if isinstance(v, np.ndarray) else v for k, v in state.items()})
        if self._blobs.itemsize != self.game.template.itemsize:
            raise BatchError("these games were pickled by another version of the game")
        self._lock = CallLock(self._noun)
        self._take_views()
        self.refresh()
