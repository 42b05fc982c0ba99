"""Afterstates of many states at once: the result of each legal action in several resampled worlds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core import checks
from ginkgo_env.core.checks import check_memory, choice, random_keys
from ginkgo_env.core.errors import BatchError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.loops import TrialResults, Trials
from ginkgo_env.core.masks import are_legal, list_legal, sets_of
from ginkgo_env.core.rewards import Reward, final_rewards
from ginkgo_env.core.state import States

Until = Literal["round", "decision"]
View = Literal["features", "blocks"]
Run = Callable[..., None]
_SEAT_AND_WORD = 8 + 8  # bytes for each resampled state
_RESULTS, _OF_SIDES = 1 + 4 + 4, 4 + 8  # bytes for done, win and margin; for total and standing of each side


class LegalActions(NamedTuple):
    """The legal actions of each row as lists (compressed sparse rows)."""

    offsets: NDArray[np.int64]
    """(rows + 1,): the actions of row i are at offsets[i] to offsets[i + 1] - 1."""
    actions: NDArray[np.int64]
    """(N,) ids, ascending in each row."""


class Afterstates(NamedTuple):
    """The result of :func:`look_ahead` for N actions in all rows together and K worlds."""

    offsets: NDArray[np.int64]
    """(rows + 1,): the actions of row i are at offsets[i] to offsets[i + 1] - 1."""
    actions: NDArray[np.int64]
    """(N,) ids."""
    views: NDArray[Any]
    """(N, K, n) features (float32) or observations of the deciding seat afterwards; (N, n) if averaged over worlds."""
    done: NDArray[np.bool_]
    """(N, K): whether the game ended."""
    win: NDArray[np.float32]
    """(N, K): the seat's reward ``win`` where the game ended, else 0."""
    margin: NDArray[np.float32]
    """(N, K): the same for ``margin``."""
    totals: NDArray[np.int32]
    """(N, K, sides): the scores where the game ended, else 0."""
    standings: NDArray[np.int64]
    """(N, K, sides): the standings where the game ended, else 0."""

    def rewards(self, reward: Reward, seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """The reward (N, K) at the end of a game, 0 where it has not ended, of the seats (rows,) that decide.

        Raises BatchError for invalid seats, and for a function that does not return rewards.
        """
        seats = checks.seats(seats, len(self.offsets) - 1, 0, self.totals.shape[2] - 1)
        paid = np.zeros(self.done.shape, np.float32)
        if self.done.any():
            own = np.repeat(seats, np.diff(self.offsets))[np.nonzero(self.done)[0]]
            of_sides = final_rewards(reward, self.totals[self.done], self.standings[self.done])
            paid[self.done] = of_sides[np.arange(len(own)), own]
        return paid


def legal_lists(masks: NDArray[np.int8]) -> LegalActions:
    """Return the legal actions of masks (rows, A) as lists."""
    return lists_of(sets_of(masks))


def lists_of(sets: NDArray[np.uint64]) -> LegalActions:
    """Return the actions in sets (rows, W), see :mod:`ginkgo_env.core.masks`, as lists."""
    offsets = np.zeros(len(sets) + 1, np.int64)
    np.cumsum(np.bitwise_count(sets).sum(axis=1), out=offsets[1:])
    actions = np.empty(offsets[-1], np.int64)
    list_legal(sets, offsets, actions)
    return LegalActions(offsets, actions)


def masks_of(game: Game, states: NDArray[Any]) -> NDArray[np.int8]:
    """Return the masks (rows, A) of valid states (rows,)."""
    masks = np.empty((len(states), game.actions.size), np.int8)
    game.kernels.legal(0, len(states), np.ascontiguousarray(states), game.components, masks)
    return masks


def checked_lists(legal: Any, rows: int) -> LegalActions:
    """Return copies of lists of actions for some rows. Raises BatchError for anything else."""
    try:
        offsets, actions = (np.array(array, order="C") for array in legal)
        integers = all(array.dtype.kind in "iu" or not array.size for array in (offsets, actions))
        fits = integers and offsets.shape == (rows + 1,) and actions.ndim == 1 and offsets[0] == 0 and offsets[-1] == len(actions)
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits or (offsets[1:] < offsets[:-1]).any():
        raise BatchError(f"invalid legal actions; expected ascending offsets ({rows + 1},) from 0 to the number of ids")
    return LegalActions(offsets.astype(np.int64), actions.astype(np.int64))


def _checked_legal(game: Game, states: NDArray[Any], legal: LegalActions) -> LegalActions:
    """Return copies of the actions to play in states (rows,). Raises BatchError or IllegalActionError."""
    rows = len(states)
    offsets, actions = checked_lists(legal, rows)
    row_of = np.repeat(np.arange(rows), np.diff(offsets))
    wrong = np.flatnonzero(~are_legal(sets_of(masks_of(game, states)), row_of, actions))
    if wrong.size:
        row, action = int(row_of[wrong[0]]), int(actions[wrong[0]])
        raise game.illegal_action(states[row : row + 1].view(np.recarray), action)
    return LegalActions(offsets, actions)


def view_of(game: Game, view: View) -> tuple[Run, Layout, Any]:
    """Return the loop that writes a view, its layout and its dtype. Raises BatchError for an unknown view."""
    if choice(view, get_args(View), "view") == "features":
        return game.kernels.features, game.features, np.float32
    return game.kernels.observe, game.observation, game.observation_dtype


def check_worlds(game: Game, rows: int, worlds: int, actions: int, view: View, average: bool) -> None:
    """Raise BatchError if the worlds, with afterstates of N actions in all, do not fit into memory."""
    _, layout, dtype = view_of(game, view)
    states = rows * worlds * (game.template.itemsize + _SEAT_AND_WORD)
    views = layout.size * (np.dtype(np.float32).itemsize if average else worlds * np.dtype(dtype).itemsize)
    results = worlds * (_RESULTS + game.sides * _OF_SIDES)
    check_memory(states + actions * (views + results), f"worlds {short_repr(worlds)}", "a call")


def look_ahead(
    game: Game,
    worlds: NDArray[Any],
    seats: NDArray[np.int64],
    legal: LegalActions | None,
    keys: NDArray[np.uint64],
    run: Run,
    *,
    until: Until = "round",
    view: View = "features",
    average: bool = False,
) -> Afterstates:
    """Play actions in resampled states, and observe the states that they lead to.

    After the action the game continues by the game's playout. All actions of a row meet the same worlds and random numbers.

    Parameters
    ----------
    worlds : (rows, K) resampled states; they must be valid
    seats : (rows,) the seats that decide
    legal : the actions to play, which must be legal; None for all legal ones
    keys : (rows,) random keys
    run : :meth:`KernelThreads.run <ginkgo_env.core.compile.threads.KernelThreads.run>` of the threads to use
    until : ``round``: to the end of the round or, in games without rounds, of the game; ``decision``: to the next decision of
        the seat, if that comes first
    view : ``features`` or ``blocks`` (observations)
    average : whether to return the mean of the views over worlds

    Raises BatchError for malformed arguments, IllegalActionError for an illegal action.
    """
    _, layout, dtype = view_of(game, view)
    loop = game.kernels.afterstates if view == "features" else game.kernels.afterstates_observed
    if average:
        dtype = np.float32
    if game.checked_states(cast(States, worlds)).ndim != 2 or not worlds.shape[1]:
        raise BatchError(f"invalid worlds of shape {worlds.shape}; expected at least one state for each row")
    rows, until = len(worlds), choice(until, get_args(Until), "until")
    seats, keys = checks.seats(seats, rows, 0, game.seats - 1), random_keys(keys, rows)
    worlds, keys = np.ascontiguousarray(worlds), np.ascontiguousarray(keys)
    first = worlds[:, 0]
    legal = legal_lists(masks_of(game, first)) if legal is None else _checked_legal(game, first, legal)
    n, k = len(legal.actions), worlds.shape[1]
    views = np.empty((n, 1 if average else k, layout.size), dtype)
    done, sides = np.empty((n, k), np.int8), (n, k, game.sides)
    totals, standings = np.empty(sides, np.int32), np.empty(sides, np.int64)
    sizes = game.actions.size, game.sides, len(game.sources)
    trials = Trials(seats, (legal.offsets, legal.actions), keys, until == "decision", sizes)
    results = TrialResults(views, layout.offsets, done, totals, standings)
    run(loop, rows, worlds, game.components, tuple(trials), tuple(results))
    none = np.empty((0, 0), np.float32)
    after = Afterstates(legal.offsets, legal.actions, views[:, 0] if average else views, done != 0, none, none, totals, standings)
    return after._replace(win=after.rewards("win", seats), margin=after.rewards("margin", seats))
