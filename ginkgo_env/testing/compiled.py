"""Promises about compiled kernels."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.compile.jit import JIT_DISABLED
from ginkgo_env.core.compile.specialize import specialized_copies
from ginkgo_env.core.game import Game
from ginkgo_env.testing.play import fresh, require


def compiled_kernels(game: Game) -> dict[str, Any]:
    """Return the compiled functions of the core, the game and its loops by their full names."""
    places = ("ginkgo_env.core.", type(game).__module__.rpartition(".")[0] + ".")
    found = {f"{loop.py_func.__module__}.{loop.py_func.__name__}": loop for loop in game.kernels if hasattr(loop, "py_func")}
    for module in [m for name, m in sorted(sys.modules.items()) if name.startswith(places)]:
        for value in (*vars(module).values(), *specialized_copies()):
            if hasattr(value, "signatures") and hasattr(value, "py_func") and value.py_func.__module__.startswith(places):
                found[f"{value.py_func.__module__}.{value.py_func.__qualname__}"] = value
    return found


def _numbers_of(signature: Sequence[Any]) -> tuple[str, ...]:
    """A signature without the kinds of its arrays and records.

    Fields of a record, rows of a batch and local arrays differ in kind, and so do the records of different games. A game
    without tables has None in place of the record of tables.
    """
    names = ("array" if hasattr(kind, "ndim") else "record" if hasattr(kind, "fields") else str(kind) for kind in signature)
    return tuple("record" if name == "none" else name for name in names)


def _of_records(kind: Any) -> bool:
    """Whether a compiled type is an array of records."""
    return hasattr(getattr(kind, "dtype", None), "fields")


def check_one_signature(game: Game) -> None:
    """No kernel is compiled more than once for integers of different widths or numbers of different kinds.

    Helpers on arrays are compiled once for each kind of array (a field of the record, a row, a local array), which is needed.
    Machine code from the cache has no signatures of inner kernels: to test them, compile in a process without a cache.
    """
    if JIT_DISABLED:
        return
    batch = fresh(game, 2, 0)
    batch.observe()
    batch.resample(0, seed=0)
    batch.step(batch.sample())
    game.outcome(batch.state(0))
    for name, kernel in compiled_kernels(game).items():
        kinds = {_numbers_of(signature) for signature in kernel.signatures}
        require(len(kinds) <= 1, f"{name} is compiled for {len(kinds)} kinds of numbers: {sorted(kinds)}"[:400])
    for entry in game.kernels.rules:
        records = [
            next(str(kind.dtype) for kind in signature if _of_records(kind)) for signature in getattr(entry, "signatures", ())
        ]
        name = entry.py_func.__name__  # type: ignore[attr-defined]
        require(len(records) == len(set(records)) > 0, f"the entry {name!r} is compiled several times, or never, for its records")
