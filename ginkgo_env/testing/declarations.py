"""Promises of the declared state: play keeps to the declarations, and what does not is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ginkgo_env.core.game import Game
from ginkgo_env.core.state import Field, Held, fields_of
from ginkgo_env.testing.play import require, visited


def check_declarations(game: Game, *, seed: int = 0) -> None:
    """Reached states are as declared, and values that are not are refused."""
    states = visited(game, seed=seed, n=24, finished=True)
    require(not game.flaw_of(states), f"a reached state is refused: {game.flaw_of(states)}")
    state: Any = states[len(states) // 2 :][:1]
    for name, field in fields_of(game.state).items():
        if name in game.config_fields:
            continue
        for value in _outside(field):
            changed = state.copy()
            changed[name].reshape(-1)[:1] = value
            if changed.tobytes() == state.tobytes():  # the empty value, of an entry that is not in use
                continue
            require(game.flaw_of(changed).startswith(f"{name}: "), f"{value} in the field {name} is accepted")
        if field.used and int(state[field.used][0]) < field.shape[0]:
            changed = state.copy()
            changed[name][0, -1] = 1 if field.empty == 0 else 0
            require(game.flaw_of(changed) != "", f"an entry of {name} that is not in use is accepted")


def _outside(field: Field) -> Iterator[int]:
    """Yield values that are out of the range of a field."""
    if field.held in (Held.WORD, Held.SET) or field.limit:
        return
    kind: Any = field.dtype
    bounds = np.iinfo(kind)
    if field.low > bounds.min:
        yield field.low - 1
    if field.high < bounds.max:
        yield field.high + 1
