"""The driver of decisions, with a game that counts down; the games test the rest of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.events import SILENT
from ginkgo_env.core.machine import Decision, make_machine
from ginkgo_env.core.masks import ENDED, RUNNING, TRUNCATED
from ginkgo_env.core.state import byte, record_dtype, seat, uint64

TAKE, REFILL, OVER = 0, 1, 2
SIZE = 3


class State:
    """A heap, and how often it was refilled."""

    rng: Any = uint64("state of the generator")
    seed: Any = uint64("seed of this game")
    actor: Any = seat("who decides")
    stage: Any = byte("the kind of decision")
    heap: Any = byte("what is left")
    refills: Any = byte("how often it was refilled")


@kernel
def set_up(g: Any, t: None, log: Any) -> None:
    """Start with a heap of seven."""
    g.heap = 7


@kernel
def clear_mask(mask: Any) -> None:
    """Clear a mask."""
    for action in range(SIZE):
        mask[action] = 0


@kernel
def legal_takes(g: Any, mask: Any) -> int:
    """Allow to take up to three."""
    n = min(g.heap, SIZE)
    for action in range(n):
        mask[action] = 1
    return n


@kernel
def take(g: Any, p: int, action: int) -> None:
    """Take from the heap; the other one follows."""
    g.heap -= 1 + action
    g.actor = 1 - p


@kernel
def refill(g: Any, log: Any) -> None:
    """Refill an empty heap once; then the game is over."""
    g.stage = REFILL if g.refills == 0 else OVER


@kernel
def legal_refills(g: Any, mask: Any) -> int:
    """Allow one thing: to refill."""
    mask[0] = 1
    return 1


@kernel
def put_back(g: Any) -> None:
    """Put four back."""
    g.heap, g.refills, g.stage = 4, 1, TAKE


@kernel
def second(g: Any, t: None) -> int:
    """The second seat refills."""
    return 1


@kernel
def is_asked(g: Any, t: None) -> bool:
    """To refill is asked, although there is no choice."""
    return bool(g.stage == REFILL)


@kernel
def ended(g: Any, t: None) -> int:
    """Seeds above 100 count as truncated."""
    return TRUNCATED if g.seed > np.uint64(100) else ENDED


STAGES = {TAKE: Decision(legal_takes, take, refill), REFILL: Decision(legal_refills, put_back, actor=second)}
reset, step, legal = make_machine(__name__, OVER, STAGES, set_up=set_up, clear_mask=clear_mask, is_asked=is_asked, ended=ended)


@entry
def play(states: Any, seed: Any, actions: Any, masks: Any, log: Any, seen: Any) -> int:
    """Play actions; masks (n + 1, A) and seen (n + 1, 3), of actor, heap and stage, before the first and after each."""
    g, ending = states[0], RUNNING
    for k in range(actions.shape[0] + 1):
        if k == 0:
            reset(g, None, seed, masks[0], log)
        else:
            ending = step(g, None, actions[k - 1], masks[k], log)
        seen[k, 0], seen[k, 1], seen[k, 2] = g.actor, g.heap, g.stage
    return ending


@pytest.mark.parametrize(("seed", "ending"), [(1, ENDED), (101, TRUNCATED)])
def test_a_machine_runs_from_decision_to_decision(seed: int, ending: int) -> None:
    states = np.zeros(1, record_dtype(State)).view(np.recarray)
    actions = np.array([2, 2, 0, 2])
    masks, seen = np.ones((5, SIZE), np.int8), np.zeros((5, 3), np.int64)
    assert play(states, np.uint64(seed), actions, masks, SILENT, seen) == ending
    # The last one of a heap is taken without asking; then the second seat is asked to refill it, or the game is over.
    assert seen.tolist() == [[0, 7, TAKE], [1, 4, TAKE], [1, 0, REFILL], [1, 4, TAKE], [-1, 0, OVER]]
    assert masks.tolist() == [[1, 1, 1], [1, 1, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0]]
