"""What Python calls: thin loops over the rows start..stop of a batch. Rows do not feel each other."""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.jit import entry
from ginkgo_env.core.memory import prefetch
from ginkgo_env.games.ginkgopolis.knowledge.observe import observe_one
from ginkgo_env.games.ginkgopolis.knowledge.resample import resample_one


@entry
def observe_many(start: int, stop: int, states: Any, seats: Any, out: Any, offsets: Any) -> None:
    """Write what seats (B,) know into out (B, n); a negative seat means the actor, in a finished game seat 0."""
    for i in range(start, stop):
        prefetch(states, i + 1)
        seat = seats[i]
        if seat < 0:
            seat = max(0, int(states[i].actor))
        observe_one(states[i], seat, out[i], offsets)


@entry
def resample_many(start: int, stop: int, states: Any, seats: Any, words: Any) -> None:
    """Deal anew what seats (B,) cannot know, from random words (B,) uint64; a negative seat means the actor."""
    for i in range(start, stop):
        seat = seats[i]
        if seat < 0:
            seat = max(0, int(states[i].actor))
        resample_one(states[i], seat, words[i])
