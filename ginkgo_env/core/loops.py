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

from ginkgo_env.core.compile.intrinsics import borrowed, prefetch
from ginkgo_env.core.compile.jit import entry, kernel, variants_of
from ginkgo_env.core.masks import RESET, RUNNING, draw_legal
from ginkgo_env.core.rewards import UNKNOWN, rewards_of, total_of
from ginkgo_env.core.rng import GOLDEN, mix, successor
from ginkgo_env.core.state import State


class Kernels(NamedTuple):
    """The compiled loops of a game over rows start..stop of a batch; see the functions of this module for their arguments."""

    play: Callable[..., None]
    legal: Callable[..., None]
    observe: Callable[..., None]
    score: Callable[..., None]
    resample: Callable[..., None]
    features: Callable[..., None]
    afterstates: Callable[..., None]
    afterstates_observed: Callable[..., None]
    """The same with observations in place of features."""

    @property
    def rules(self) -> tuple[Callable[..., None], ...]:
        """The loops that everybody needs; the others are for learners, and compiled when one of them is first called."""
        return self[:5]


@kernel
def standing_of_points(g: State, tables: Any, points: np.ndarray, out: np.ndarray) -> None:
    """The default standing: the score."""
    for side in range(points.shape[0]):
        out[side] = total_of(points[side])


@kernel
def no_version(g: State, tables: Any) -> int:
    """The default version of the score: not known, so that it is scored after each step."""
    return UNKNOWN


@kernel
def no_rounds(g: State, tables: Any) -> int:
    """The default round, for games without rounds: all is one."""
    return 0


@kernel
def random_playout(g: State, tables: Any, seat: int, mask: np.ndarray, word: np.uint64) -> int:
    """The default playout: a uniform legal action."""
    return draw_legal(mask, mix(word))


@kernel
def resample_chance(g: State, tables: Any, seat: int, word: np.uint64) -> None:
    """The default resampling, for games without hidden information: only further chance is redrawn."""
    g.seed = word
    g.rng = mix(word)


class Scalars(NamedTuple):
    """The kernels of a game on one record g (a :class:`~ginkgo_env.core.state.State`), each a ``core.compile.jit.kernel``.

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
    features: Callable[..., None] | None = None
    """(g, tables, seat, out, offsets): write compact features of what a seat knows into out (n,) float32, all of it; offsets
    are those of the layout ``Game.features``. Without it the features are the observation."""
    score_version: Callable[..., int] = no_version
    """(g, tables) -> a number from 0 on that has changed whenever a total score has, in the same game; UNKNOWN (-1) where that
    cannot be told cheaply. It spares the reward ``score`` most of its scoring."""
    round_of: Callable[..., int] = no_rounds
    """(g, tables) -> a number that changes when a round ends."""
    playout: Callable[..., int] = random_playout
    """(g, tables, seat, mask, word) -> the action with which lookahead of a seat goes on, quickly chosen from a random word."""
    advance: Callable[..., int] | None = None
    """As ``step``, for lookahead: it need not write masks that ``playout`` does not read. Without it, ``step``."""


# Stand-ins: in each game's copies of the loops below these names are its scalar kernels.
reset = step = legal = observe = score = standing = resample = view = cast(Any, None)
score_version = round_of = playout = advance = cast(Any, None)


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
    last: Any,
    log: Any,
    versions: Any,
    scores: Any,
    rewards: Any,
) -> None:
    """Play actions (B,) int64. NO_ACTION leaves its row alone, RESET sets it up from its seed (B,) uint64.

    done (B,) int8 says which games ended in this step, and how; their scores by source go to final (B, sides, sources) int32,
    their standings to standings (B, sides) int64. With autoreset the next game, whose seed follows from the last one's,
    then stands in the row, and the mask is that game's; last (B,), if it is not empty, gets the finished game's state.

    versions (B,) int64, scores (B, sides) int32 : versions of the total scores and these themselves, brought up to date; UNKNOWN
        as a version asks for scoring. Empty (``core.rewards.NO_GAINS``) unless the reward is ``score``
    rewards (B, seats) float32 : gets what the total scores have changed by; not used where versions is empty
    """
    tables, masks, final, standings, log = borrowed(tables), borrowed(masks), borrowed(final), borrowed(standings), borrowed(log)
    rewards, kept = borrowed(rewards), np.empty((1, final.shape[1], final.shape[2]), np.int32)
    points = borrowed(kept)[0]
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
                if last.size > 0:
                    last[i] = states[i]
        if fresh:
            states[i] = template[0]
            reset(g, tables, seed, masks[i], log)
        if versions.size > 0:
            version, running = score_version(g, tables), done[i] == RUNNING
            changed = version != versions[i] or version == UNKNOWN or not running
            versions[i] = version
            if changed:
                score(g, tables, points)
            for p in range(scores.shape[1]):
                total = total_of(points[p]) if changed else np.int64(scores[i, p])
                if p < rewards.shape[1]:
                    rewards[i, p] = (total if running else total_of(final[i, p])) - np.int64(scores[i, p])
                scores[i, p] = total
    kept[0, 0, 0] = 0  # used until here: Numba frees an array after its last use, whoever has borrowed it


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


def afterstates_many(
    start: int,
    stop: int,
    worlds: Any,
    tables: Any,
    seats: Any,
    first: Any,
    actions: Any,
    words: Any,
    to_decision: bool,
    n_actions: int,
    n_sides: int,
    n_sources: int,
    out: Any,
    offsets: Any,
    done: Any,
    win: Any,
    margin: Any,
    log: Any,
) -> None:
    """Play actions in resampled states and look at where they lead.

    worlds (B, K) are resampled states of each row, seats (B,) who decides there, actions (N,) int64 those to try, of row i from
    first[i] to first[i + 1] - 1, words (B,) uint64 random words. After the action the game goes on by the game's playout to the
    end of the round, or with to_decision to the seat's next decision if that comes first. All actions of a row meet the same
    worlds and the same random words.

    out (N, K, n), or (N, 1, n) for the mean over worlds, gets what the seat then knows; done (N, K) int8 whether the game has
    ended, and how; if it has, win and margin (N, K) float32 get the rewards of these names, else 0.
    """
    tables, out, offsets, log = borrowed(tables), borrowed(out), borrowed(offsets), borrowed(log)
    n_worlds, share = worlds.shape[1], np.float32(1.0 / worlds.shape[1])
    states = worlds[0, :1].copy()
    masks, points = np.empty((1, n_actions), np.int8), np.empty((1, n_sides, n_sources), np.int32)
    standings, views = np.empty((1, n_sides), np.int64), np.empty((1, out.shape[2]), out.dtype)
    mask = borrowed(masks)[0]
    for i in range(start, stop):
        seat = seats[i]
        for j in range(first[i], first[i + 1]):
            for k in range(n_worlds):
                states[0] = worlds[i, k]
                g = states[0]
                now = round_of(g, tables)
                word = mix(words[i] ^ np.uint64(k))
                ending = advance(g, tables, actions[j], mask, log)
                while ending == RUNNING and round_of(g, tables) == now and not (to_decision and g.actor == seat):
                    word += GOLDEN
                    ending = advance(g, tables, playout(g, tables, seat, mask, word), mask, log)
                done[j, k] = ending
                win[j, k] = margin[j, k] = 0.0
                if ending != RUNNING:
                    score(g, tables, points[0])
                    standing(g, tables, points[0], standings[0])
                    win[j, k], margin[j, k] = rewards_of(points[0], standings[0], seat)
                if out.shape[1] == n_worlds:
                    view(g, tables, seat, out[j, k], offsets)
                else:
                    view(g, tables, seat, views[0], offsets)
                    for n in range(out.shape[2]):
                        out[j, 0, n] = views[0, n] if k == 0 else out[j, 0, n] + views[0, n]
            if out.shape[1] != n_worlds:
                for n in range(out.shape[2]):
                    out[j, 0, n] = out[j, 0, n] * share
    masks[0, 0] = 0  # used until here: Numba frees an array after its last use, whoever has borrowed it


def make_loops(scalars: Scalars, home: str) -> Kernels:
    """The loops of a game, compiled at their first call and kept apart from every other game's.

    home : the module that calls this, ``__name__``: what it imports is what the machine code is made of
    """
    if scalars.features is None:
        scalars = scalars._replace(features=scalars.observe)
    if scalars.advance is None:
        scalars = scalars._replace(advance=scalars.step)
    kernels = scalars._asdict()
    rules = (play_many, legal_many, observe_many, score_many, resample_many)
    views = (("afterstates_many", scalars.features), ("afterstates_observed_many", scalars.observe))
    loops = [
        *((loop, loop.__name__, kernels) for loop in rules),
        (observe_many, "features_many", kernels | {"observe": scalars.features}),
        *((afterstates_many, name, kernels | {"view": view}) for name, view in views),
    ]
    return Kernels(*(_bound(loop, name, given, home) for loop, name, given in loops))


def _bound(loop: Callable[..., None], name: str, kernels: dict[str, Any], home: str) -> Callable[..., None]:
    """An entry that is this loop with a game's kernels in place of the stand-ins.

    They are its globals, as if it stood in the game's module: Numba keeps no machine code of closures over kernels, whose key is
    another in each process. The name says which kernels they are, as one process may load those of two variants of a game.
    """
    function = FunctionType(loop.__code__, {**globals(), **kernels}, name)
    mark = re.sub(r"\W+", "_", "".join(variants_of(function)))  # two variants' machine code may meet in one process
    function.__module__, function.__qualname__, function.__doc__ = home, f"{home}.{name}{mark}", loop.__doc__
    return entry(function)
