"""Locks of objects that serve one thread at a time: a second thread gets an error, not mixed-up games."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from ginkgo_env.core.errors import BatchError

P = ParamSpec("P")
R = TypeVar("R")


class CallLock:
    """A lock that never waits, for use with ``with``: raises BatchError if another thread holds it.

    The thread that holds it may take it again. Copies are new locks, which no thread holds.

    what : a noun for the error
    """

    def __init__(self, what: str = "batch") -> None:
        self.what, lock = what, RLock()
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
