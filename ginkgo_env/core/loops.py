"""Compiled loops over the rows of a batch, made for each game from its scalar kernels.

A game gives :class:`Scalars`: its rules, written once, for one record. :func:`make_loops` compiles the loops that batches, front
ends, records and agents call. :meth:`Kernels.bind` compiles further loops, of agents or of other packages, over the same kernels:

>>> import numpy as np
>>> import ginkgo_env
>>> from ginkgo_env.core.loops import legal, record_of
>>> def count_legal(start, stop, states, components, mask, counts):
...     for i in range(start, stop):
...         legal(states[i], record_of(states[i], components), mask)
...         counts[i] = mask.sum()
>>> batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city"), 3)
>>> loop, counts = batch.game.kernels.bind(count_legal), np.zeros(3, np.int64)
>>> loop(0, 3, batch.states, batch.game.components, np.zeros(batch.game.actions.size, np.int8), counts)
>>> bool((counts == batch.mask.sum(axis=1)).all())
True

Rows are independent. Every scalar kernel gets the game's read-only components as one record ``t`` (None in a game without
components): boards and decks given as data, so that another board needs no recompilation. The rows of a batch may have different
components; :func:`record_of` returns those of a row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from ginkgo_env.core.compile.intrinsics import borrow, nth_components, prefetch
from ginkgo_env.core.compile.jit import entry, keep, kernel
from ginkgo_env.core.compile.specialize import Placeholder, changed_globals, with_globals
from ginkgo_env.core.events import SILENT, no_log
from ginkgo_env.core.masks import ENDED, RESET, RUNNING, draw_legal, first_outside, pack
from ginkgo_env.core.rewards import NO_GAINS, UNKNOWN, total_of
from ginkgo_env.core.rng import GOLDEN, drawn, mix, successor
from ginkgo_env.core.state import State

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)
NO_ROW = -1


@kernel
def standing_of_points(g: State, t: Any, points: np.ndarray, out: np.ndarray) -> None:
    """The default: sides are ranked by their scores."""
    for side in range(points.shape[0]):
        out[side] = total_of(points[side])


@kernel
def no_flaw(g: State, t: Any) -> int:
    """The default: every record is valid."""
    return 0


@kernel
def no_version(g: State, t: Any) -> int:
    """The default: the version of the score is not known, so that it is computed after each step."""
    return UNKNOWN


@kernel
def no_rounds(g: State, t: Any) -> int:
    """The default, for games without rounds: the whole game is one round."""
    return 0


@kernel
def round_number(g: Any, t: Any) -> int:
    """The round of games whose records count them in a field ``rounds``."""
    return int(g.rounds)


@kernel
def random_playout(g: State, t: Any, seat: int, mask: np.ndarray, key: np.uint64) -> int:
    """The default: a uniform legal action."""
    return draw_legal(mask, mix(key))


@kernel
def resample_chance(g: State, t: Any, seat: int, key: np.uint64) -> None:
    """The default, for games without hidden information: resample further chance only."""
    g.seed = key
    g.rng = mix(key)


@kernel
def any_components(g: State, t: Any) -> bool:
    """The default, for games whose components are the same in all configurations."""
    return True


@kernel
def no_hidden_choice(g: State, t: Any, seat: int, k: int, mask: np.ndarray) -> int:
    """The default: no choice is hidden between its decision and its effect."""
    return -1


@kernel
def no_answer(g: State, t: Any, k: int, action: int) -> None:
    """The default, never called."""


class Scalars(NamedTuple):
    """The scalar kernels of a game, each a ``core.compile.jit.kernel`` on one record.

    ``g`` is the record, a :class:`~ginkgo_env.core.state.State`.
    ``t`` is the record of the game's components, None in a game without components. A finished game has a negative ``g.actor``. A
    decision with one legal action is taken without asking. Kernels whose values are not described return nothing of use.
    """

    reset: Function
    """(g, t, seed, mask, log): set up the template's record from a seed (uint64), which becomes ``g.seed`` and ``g.rng``,
    and run on to the first decision; write its mask (A,) int8, all of it."""
    step: Function
    """(g, t, action, mask, log): play a legal action, run on to the next decision and write its mask, all zero at the
    end. Returns RUNNING, ENDED or TRUNCATED (``core.masks``)."""
    legal: Function
    """(g, t, mask): write the mask."""
    observe: Function
    """(g, t, seat, out, offsets): write what a seat knows into out (n,), all of it; offsets are the layout's."""
    score: Function
    """(g, t, out): write the score by source into out (sides, sources) int32, all of it."""
    standing: Function = standing_of_points
    """(g, t, points, out): write the standings into out (sides,) int64, higher is better; points (sides, sources)
    int32 are what ``score`` wrote."""
    resample: Function = resample_chance
    """(g, t, seat, key): resample, from a random key (uint64), what a seat cannot know, and all further chance."""
    features: Function | None = None
    """(g, t, seat, out, offsets): write compact features of what a seat knows into out (n,) float32, all of it; offsets
    are those of the layout ``Game.features``. Without it the features are the observation."""
    score_version: Function = no_version
    """(g, t) -> a number from 0 on that changes whenever a total score does, in the same game; UNKNOWN (-1) where that
    cannot be determined cheaply. It spares the reward ``score`` most of the scoring."""
    round_of: Function = no_rounds
    """(g, t) -> a number that changes when a round ends."""
    playout: Function = random_playout
    """(g, t, seat, mask, key) -> the action with which lookahead for a seat plays on, chosen quickly by a random key."""
    advance: Function | None = None
    """As ``step``, for lookahead: it need not write masks that ``playout`` does not read. Without it, ``step``."""
    find_flaw: Function = no_flaw
    """(g, t) -> the number of the first flaw of a record (``Game.flaws``), 0 if it is valid: if every other kernel can take it,
    and its fields agree. Whether play can reach it does not matter. Values that are declared (``core.state``) are in their
    ranges, and things in one place."""
    ask: Function = no_hidden_choice
    """(g, t, seat, k, mask) -> n: turn a copy of a resampled world into the decision of the k-th choice of others that is hidden
    from the seat, as its actor sees it. Write the mask (A,) int8, all of it: the actions that agree with what the seat sees.
    Returns their number; 0 if there is no such choice, -1 after the last, and then nothing changes. Choices are numbered in the
    order of their decisions; the world has the answers to those before. The copy serves to observe: it need not be valid, as when
    cards that were chosen together have been revealed in part."""
    answer: Function = no_answer
    """(g, t, k, action): replace the k-th hidden choice in a world by one of the actions that ``ask`` allowed."""
    has_components: Function = any_components
    """(g, t) -> whether ``t`` are the components of the record's game. With it a mixture may hold games of different boards."""


PLACEHOLDERS: Any = Scalars._make(map(Placeholder, Scalars._fields))
"""Placeholders for the kernels of :class:`Scalars`. A loop imports those that it calls from here, by the names below."""
reset, step, legal, observe, score, standing, resample, features, score_version, round_of, playout, advance, *_last = PLACEHOLDERS
find_flaw, ask, answer, has_components = _last


@kernel
def record_of(g: State, components: Any) -> Any:
    """Return the components of a row's game, which kernels take as ``t``; None for None.

    components : (n,) those of all games of the batch. If the row has none of these, the last ones are returned
    """
    k = 0
    if components is not None:
        while k + 1 < components.shape[0] and not has_components(g, components[k]):
            k += 1
    return nth_components(components, k)


class PlayArrays(NamedTuple):
    """What :func:`play_many` reads and writes besides the states; one row for each of B games."""

    actions: np.ndarray
    """(B,) int64. NO_ACTION leaves its row alone, RESET sets it up from its seed."""
    seeds: np.ndarray
    """(B,) uint64."""
    masks: np.ndarray
    sets: np.ndarray
    """(B, A) int8 and (B, W) uint64 (``core.masks``): receive the legal actions of rows that were played or set up."""
    done: np.ndarray
    """(B,) int8: receives which games ended in this step, and how."""
    final: np.ndarray
    standings: np.ndarray
    """(B, sides, sources) int32 and (B, sides) int64: receive scores by source and standings of games that ended."""
    template: np.ndarray
    """(n,) the records that games start from; the seed of a game draws one of them."""
    last: np.ndarray
    """(B,) receives the last states of finished games with autoreset; (0,) if nobody needs them."""


class PlayMode(NamedTuple):
    """What differs between calls of :func:`play_many`."""

    autoreset: bool = False
    """Whether the next game, whose seed follows from the last one's, starts where a game has ended. The mask is then that game's.
    A game that was over at its start ends with the NO_ACTION after."""
    lowest: int = RESET
    """The lowest valid action: NO_ACTION for actions of users."""
    log: np.ndarray = SILENT
    gains: tuple[np.ndarray, ...] = NO_GAINS
    """For the reward ``score``: versions (B,) int64 of the total scores and scores (B, sides) int32, which are updated, and
    rewards (B, seats) float32, which receives the changes of the total scores. The version UNKNOWN requests scoring."""


def play_many(start: int, stop: int, states: Any, components: Any, arrays: Any, mode: Any) -> int:
    """Play an action in each row.

    Returns -1, or the first row whose action is below ``lowest`` or no id; then nothing changes, not even in rows of other
    threads.

    arrays, mode : :class:`PlayArrays` and :class:`PlayMode` as plain tuples, which Numba recognizes faster
    """
    actions, seeds, masks, sets, done, final, standings, template, last = borrow(arrays)
    autoreset, lowest, log, (versions, scores, rewards) = borrow(mode)
    refused = first_outside(lowest, masks.shape[1], actions)
    if refused >= 0:
        return refused
    kept = np.empty((1, final.shape[1], final.shape[2]), np.int32)
    points, written = borrow(kept)[0], NO_ROW
    for i in range(start, stop):
        prefetch(states, i + 1)
        g = states[i]
        t = record_of(g, components)
        ending, seed, fresh = RUNNING, seeds[i], actions[i] == RESET
        if actions[i] >= 0:
            ending = step(g, t, actions[i], masks[i], log)
        elif autoreset and not fresh and g.actor < 0:  # over at its start
            ending = ENDED
        done[i] = ending
        if ending != RUNNING:
            score(g, t, final[i])
            standing(g, t, final[i], standings[i])
            seed = successor(g.seed)
            fresh = autoreset
            if last.size > 0:
                last[i] = states[i]
        if fresh:
            states[i] = template[drawn(seed, template.shape[0])]
            t = record_of(g, components)
            reset(g, t, seed, masks[i], log)
        if written != NO_ROW:  # one row later, when its bytes have left the store buffer
            pack(masks[written], sets[written])
        written = i if fresh or actions[i] >= 0 else NO_ROW
        if versions.size > 0:
            version, running = score_version(g, t), ending == RUNNING
            changed = version != versions[i] or version == UNKNOWN or not running
            versions[i] = version
            if changed:
                score(g, t, points)
            for p in range(scores.shape[1]):
                total = total_of(points[p]) if changed else np.int64(scores[i, p])
                if p < rewards.shape[1]:
                    rewards[i, p] = (total if running else total_of(final[i, p])) - np.int64(scores[i, p])
                scores[i, p] = total
    if written != NO_ROW:
        pack(masks[written], sets[written])
    kept[0, 0, 0] = 0  # Numba frees an array after its last use, although another name borrows it
    return -1


def legal_many(start: int, stop: int, states: Any, components: Any, masks: Any) -> None:
    """Write the masks (B, A) int8 of the states."""
    masks = borrow(masks)
    for i in range(start, stop):
        legal(states[i], record_of(states[i], components), masks[i])


def observe_many(start: int, stop: int, states: Any, components: Any, seats: Any, out: Any, offsets: Any) -> None:
    """Write the observations of seats (B,) into out (B, n).

    A negative seat means the actor, in a finished game seat 0.
    """
    out, offsets = borrow(out), borrow(offsets)
    for i in range(start, stop):
        prefetch(states, i + 1)
        seat = seats[i]
        if seat < 0:
            seat = max(0, int(states[i].actor))
        observe(states[i], record_of(states[i], components), seat, out[i], offsets)


def score_many(start: int, stop: int, states: Any, components: Any, out: Any, standings: Any) -> None:
    """Write scores by source (B, sides, sources) int32 and standings (B, sides) int64."""
    out, standings = borrow(out), borrow(standings)
    for i in range(start, stop):
        t = record_of(states[i], components)
        score(states[i], t, out[i])
        standing(states[i], t, out[i], standings[i])


def resample_many(start: int, stop: int, states: Any, components: Any, seats: Any, keys: Any) -> None:
    """Resample what seats (B,) cannot know, from random keys (B,) uint64.

    A negative seat means the actor, in a finished game seat 0.
    """
    for i in range(start, stop):
        seat = seats[i]
        if seat < 0:
            seat = max(0, int(states[i].actor))
        resample(states[i], record_of(states[i], components), seat, keys[i])


def find_flaws_many(start: int, stop: int, states: Any, components: Any, out: Any) -> None:
    """Write the number of the first flaw of each state into out (B,) int64; 0 for valid ones.

    States whose number is not 0 before are left out.
    """
    for i in range(start, stop):
        if out[i] == 0:
            out[i] = find_flaw(states[i], record_of(states[i], components))


class Trials(NamedTuple):
    """Actions to try in resampled states of B rows, N in all."""

    seats: np.ndarray
    """(B,) int64, the seats that decide."""
    legal: tuple[np.ndarray, np.ndarray]
    """Offsets (B + 1,) and actions (N,) int64: those of row i are at offsets[i] to offsets[i + 1] - 1."""
    keys: np.ndarray
    """(B,) uint64 random keys."""
    to_decision: bool
    """Whether the game goes on to the seat's next decision, if that comes before the end of the round."""
    sizes: tuple[int, int, int]
    """Numbers of actions, sides and sources of points of the game."""


class TrialResults(NamedTuple):
    """What :func:`afterstates_many` writes."""

    views: np.ndarray
    """(N, K, n), or (N, 1, n) for the mean over K worlds: what the seat then knows."""
    offsets: np.ndarray
    """The offsets of the layout of the views."""
    done: np.ndarray
    """(N, K) int8: whether the game has ended, and how."""
    totals: np.ndarray
    standings: np.ndarray
    """(N, K, sides) int32 and int64: scores and standings of games that have ended; for others, zeros."""


def afterstates_many(start: int, stop: int, worlds: Any, components: Any, trials: Any, results: Any) -> None:
    """Play actions in resampled states, and observe and score the resulting states.

    worlds (B, K) are resampled states of each row. After the action the game goes on by the game's playout to the end of the
    round, or with ``to_decision`` to the seat's next decision if that comes first. All actions of a row meet the same worlds and
    the same random keys.

    trials, results : :class:`Trials` and :class:`TrialResults` as plain tuples
    """
    log, (seats, (first, actions), keys, to_decision, sizes) = no_log(), borrow(trials)
    (n_actions, n_sides, n_sources), (out, offsets, done, totals, standings) = sizes, borrow(results)
    n_worlds, share = worlds.shape[1], np.float32(1.0 / worlds.shape[1])
    states = worlds[0, :1].copy()
    masks, points = np.empty((1, n_actions), np.int8), np.empty((1, n_sides, n_sources), np.int32)
    views = np.empty((1, out.shape[2]), out.dtype)
    mask = borrow(masks)[0]
    for i in range(start, stop):
        seat, t = seats[i], record_of(worlds[i, 0], components)
        for j in range(first[i], first[i + 1]):
            for k in range(n_worlds):
                states[0] = worlds[i, k]
                g = states[0]
                now = round_of(g, t)
                key = mix(keys[i] ^ np.uint64(k))
                ending = advance(g, t, actions[j], mask, log)
                while ending == RUNNING and round_of(g, t) == now and not (to_decision and g.actor == seat):
                    key += GOLDEN
                    ending = advance(g, t, playout(g, t, seat, mask, key), mask, log)
                done[j, k] = ending
                for p in range(n_sides):
                    totals[j, k, p] = standings[j, k, p] = 0
                if ending != RUNNING:
                    score(g, t, points[0])
                    standing(g, t, points[0], standings[j, k])
                    for p in range(n_sides):
                        totals[j, k, p] = total_of(points[0, p])
                if out.shape[1] == n_worlds:
                    features(g, t, seat, out[j, k], offsets)
                else:
                    features(g, t, seat, views[0], offsets)
                    for n in range(out.shape[2]):
                        out[j, 0, n] = views[0, n] if k == 0 else out[j, 0, n] + views[0, n]
            if out.shape[1] != n_worlds:
                for n in range(out.shape[2]):
                    out[j, 0, n] = out[j, 0, n] * share
    masks[0, 0] = 0  # Numba frees an array after its last use, although another name borrows it


def ask_many(start: int, stop: int, worlds: Any, components: Any, seats: Any, k: int, masks: Any, counts: Any) -> None:
    """Turn copies of resampled worlds of seats (B,) into the decisions of the k-th hidden choice.

    masks (B, A) int8 and counts (B,) int64 receive what ``Scalars.ask`` writes and returns.
    """
    masks = borrow(masks)
    for i in range(start, stop):
        counts[i] = ask(worlds[i], record_of(worlds[i], components), seats[i], k, masks[i])


def answer_many(start: int, stop: int, worlds: Any, components: Any, k: int, actions: Any) -> None:
    """Replace the k-th hidden choice by actions (B,), in rows where these are not negative."""
    for i in range(start, stop):
        if actions[i] >= 0:
            answer(worlds[i], record_of(worlds[i], components), k, actions[i])


@dataclass(frozen=True)
class Kernels:
    """The compiled loops of a game over rows start..stop, with the arguments of this module's functions."""

    scalars: Scalars
    """The kernels that the loops call, defaults included."""
    play: Function
    legal: Function
    observe: Function
    score: Function
    resample: Function
    features: Function
    afterstates: Function
    afterstates_observed: Function
    """``afterstates`` with observations in place of features."""
    find_flaw: Function
    ask: Function
    answer: Function

    @property
    def rules(self) -> tuple[Function, ...]:
        """The loops that every batch needs. The others are compiled when they are first called."""
        return self.play, self.legal, self.observe, self.score, self.resample

    def __iter__(self) -> Iterator[Function]:
        """All loops."""
        return (getattr(self, field.name) for field in fields(self)[1:])

    def bind(self, loop: F) -> F:
        """Compile a loop over this game's scalar kernels, and keep its machine code on disk.

        Parameters
        ----------
        loop : a function that calls kernels of :class:`Scalars` by the placeholders that it imports from this module, itself or
            through other kernels (functions under ``jit.kernel``). To share rows among threads (``KernelThreads.run``), its first
            arguments are ``start`` and ``stop``. The scalar kernels do not check their arguments.

        Returns
        -------
        The compiled loop, the same object at each call. Like all entries it is called from Python only, with numpy arrays and
        numbers.
        """
        return cast(F, _bound(loop, self.scalars, loop.__name__))


def make_loops(scalars: Scalars) -> Kernels:
    """Make the loops of a game from its scalar kernels. Each is compiled when it is first called."""
    features, advance = scalars.features or scalars.observe, scalars.advance or scalars.step
    scalars = scalars._replace(features=features, advance=advance)
    for scalar in scalars:
        keep(scalar)
    swapped = scalars._replace(features=scalars.observe, observe=features)
    return Kernels(
        scalars,
        play=_bound(play_many, scalars, "play_many"),
        legal=_bound(legal_many, scalars, "legal_many"),
        observe=_bound(observe_many, scalars, "observe_many"),
        score=_bound(score_many, scalars, "score_many"),
        resample=_bound(resample_many, scalars, "resample_many"),
        features=_bound(observe_many, swapped, "features_many"),
        afterstates=_bound(afterstates_many, scalars, "afterstates_many"),
        afterstates_observed=_bound(afterstates_many, swapped, "afterstates_observed_many"),
        find_flaw=_bound(find_flaws_many, scalars, "find_flaws_many"),
        ask=_bound(ask_many, scalars, "ask_many"),
        answer=_bound(answer_many, scalars, "answer_many"),
    )


@cache
def _bound(loop: Function, scalars: Scalars, name: str) -> Function:
    """Return an entry: the loop with a game's kernels in place of the placeholders, which are globals."""
    # A mark distinguishes copies for these kernels from copies for other games in the same process.
    functions: list[Any] = [getattr(scalar, "py_func", scalar) for scalar in scalars]
    names = [f"{function.__module__}.{function.__qualname__}" for function in functions]
    mark = hashlib.sha256(" ".join(names).encode()).hexdigest()[:8]
    values = dict(zip(PLACEHOLDERS, scalars, strict=True))
    copy = with_globals(loop, changed_globals(loop, values, f"_{mark}"), "")
    copy.__name__, copy.__qualname__ = name, f"{name}_{mark}"
    return cast(Function, entry(copy))
