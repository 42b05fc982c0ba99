"""The loops that Python calls, made for each game from its scalar kernels: a rule is written for one record, once.

A game gives :class:`Scalars`; :func:`make_loops` makes of them the :class:`Kernels` that batches, front ends, records and agents
call. Rows are independent.

Every kernel gets the game's read-only ``tables`` (an array, usually of one record; None in a game that has none): boards and
decks given as data, so that another board needs no recompilation. None costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from ginkgo_env.core.jit import entry, kernel, variants_of
from ginkgo_env.core.masks import RESET, RUNNING
from ginkgo_env.core.memory import borrowed, prefetch
from ginkgo_env.core.rng import mix, successor
from ginkgo_env.core.state import State


class Kernels(NamedTuple):
    """The compiled loops of a game over rows start..stop of a batch; see the functions of this module for their arguments."""

    play: Callable[..., None]
    legal: Callable[..., None]
    observe: Callable[..., None]
    score: Callable[..., None]
    resample: Callable[..., None]


@kernel
def standing_of_points(g: State, tables: Any, points: np.ndarray, out: np.ndarray) -> None:
    """The default standing: the score."""
    for side in range(points.shape[0]):
        total = np.int64(0)
        for source in range(points.shape[1]):
            total += np.int64(points[side, source])
        out[side] = total


@kernel
def resample_chance(g: State, tables: Any, seat: int, word: np.uint64) -> None:
    """The default resampling, for games without hidden information: only further chance is redrawn."""
    g.seed = word
    g.rng = mix(word)


class Scalars(NamedTuple):
    """The kernels of a game on one record g (a :class:`~ginkgo_env.core.state.State`), each decorated with ``core.jit.kernel``.

    A finished game has a negative ``g.actor``. A decision with one legal action is taken without asking.
    """

    reset: Callable[..., None]
    """(g, tables, seed, mask, log): set up the template's record from a seed (uint64), which becomes ``g.seed`` and ``g.rng``,
    and run on to the first decision; write its mask (A,) int8, all of it."""
    step: Callable[..., int]
    """(g, tables, action, mask, log): play a legal action, run on to the next decision and write its mask, all zero at the
    end. Returns RUNNING, ENDED or TRUNCATED (``core.masks``)."""
    legal: Callable[..., None]
    """(g, tables, mask): write the mask anew."""
    observe: Callable[..., None]
    """(g, tables, seat, out, offsets): write what a seat knows into out (n,), all of it; offsets are the layout's."""
    score: Callable[..., None]
    """(g, tables, out): write the score by source into out (sides, sources) int32, all of it."""
    standing: Callable[..., None] = standing_of_points
    """(g, tables, points, out): write the standings into out (sides,) int64, higher is better; points (sides, sources)
    int32 are what ``score`` wrote."""
    resample: Callable[..., None] = resample_chance
    """(g, tables, seat, word): deal anew, from a random word (uint64), what a seat cannot know, and all further chance."""


# Stand-ins: in each game's copies of the loops below these names are its scalar kernels.
reset = step = legal = observe = score = standing = resample = cast(Any, None)


def play_many(
    start: int,
    stop: int,
    states: Any,
    tables: Any,
    actions: Any,
    seeds: Any,
    masks: Any,
    done: Any,
    final: Any,
    standings: Any,
    template: Any,
    autoreset: bool,
    log: Any,
) -> None:
    """Play actions (B,) int64. NO_ACTION leaves its row alone, RESET sets it up from its seed (B,) uint64.

    done (B,) int8 says which games ended in this step, and how; their scores by source go to final (B, sides, sources) int32,
    their standings to standings (B, sides) int64. With autoreset the next game, whose seed follows from the last one's,
    then stands in the row, and the mask is that game's.
    """
    tables, masks, final, standings, log = borrowed(tables), borrowed(masks), borrowed(final), borrowed(standings), borrowed(log)
    for i in range(start, stop):
        prefetch(states, i + 1)
        g = states[i]
        done[i] = RUNNING
        seed = seeds[i]
        fresh = actions[i] == RESET
        if actions[i] >= 0:
            ending = step(g, tables, actions[i], masks[i], log)
            if ending != RUNNING:
                done[i] = ending
                score(g, tables, final[i])
                standing(g, tables, final[i], standings[i])
                seed = successor(g.seed)
                fresh = autoreset
        if fresh:
            states[i] = template[0]
            reset(g, tables, seed, masks[i], log)


def legal_many(start: int, stop: int, states: Any, tables: Any, masks: Any) -> None:
    """Write masks (B, A) int8 anew from the states."""
    tables, masks = borrowed(tables), borrowed(masks)
    for i in range(start, stop):
        legal(states[i], tables, masks[i])


def observe_many(start: int, stop: int, states: Any, tables: Any, seats: Any, out: Any, offsets: Any) -> None:
    """Write what seats (B,) know into out (B, n); a negative seat means the actor, in a finished game seat 0."""
    tables, out, offsets = borrowed(tables), borrowed(out), borrowed(offsets)
    for i in range(start, stop):
        prefetch(states, i + 1)
        seat = seats[i]
        if seat < 0:
            seat = max(0, int(states[i].actor))
        observe(states[i], tables, seat, out[i], offsets)


def score_many(start: int, stop: int, states: Any, tables: Any, out: Any, standings: Any) -> None:
    """Write scores by source into out (B, sides, sources) int32, and standings into standings (B, sides) int64."""
    tables, out, standings = borrowed(tables), borrowed(out), borrowed(standings)
    for i in range(start, stop):
        score(states[i], tables, out[i])
        standing(states[i], tables, out[i], standings[i])


def resample_many(start: int, stop: int, states: Any, tables: Any, seats: Any, words: Any) -> None:
    """Deal anew what seats (B,) cannot know, from random words (B,) uint64; a negative seat means the actor."""
    tables = borrowed(tables)
    for i in range(start, stop):
        seat = seats[i]
        if seat < 0:
            seat = max(0, int(states[i].actor))
        resample(states[i], tables, seat, words[i])


def make_loops(scalars: Scalars, home: str) -> Kernels:
    """The loops of a game, compiled at their first call and kept apart from every other game's.

    home : the module that calls this, ``__name__``: what it imports is what the machine code is made of
    """
    return Kernels(*(_bound(loop, scalars, home) for loop in (play_many, legal_many, observe_many, score_many, resample_many)))


def _bound(loop: Callable[..., None], scalars: Scalars, home: str) -> Callable[..., None]:
    """An entry that is this loop with a game's kernels in place of the stand-ins.

    They are its globals, as if it stood in the game's module: Numba keeps no machine code of closures over kernels, whose key is
    another in each process. The name says which kernels they are, as one process may load those of two variants of a game.
    """
    function = FunctionType(loop.__code__, {**globals(), **scalars._asdict()}, loop.__name__)
    mark = re.sub(r"\W+", "_", "".join(variants_of(function)))  # two variants' machine code may meet in one process
    function.__module__, function.__qualname__, function.__doc__ = home, f"{home}.{loop.__name__}{mark}", loop.__doc__
    return entry(function)
