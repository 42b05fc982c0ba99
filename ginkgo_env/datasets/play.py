"""Play games side by side and collect them as arrays, a row for each decision and each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.core.rewards import RewardName, final_rewards
from ginkgo_env.datasets.metadata import WIDE, DataError

Integers = NDArray[np.int64]
Policy = Callable[[Batch, Integers, Integers, int], Integers]
"""``(batch, rows, games, step) -> actions``: the actions of some rows.

games : (n,), the index of the game in each row
step : number of decisions of each game so far
"""
ProgressCallback = Callable[[int], None]
"""Called with the number of games that ended in a step."""
Columns = dict[str, NDArray[Any]]

_MIN_SHRINK = 32  # batches of up to this size are not shrunk
_RESERVED_DECISIONS = 128  # decisions of a game for which memory is reserved at first


class RowBuffer:
    """A growing array of rows of bytes. Its memory is reused, as allocating takes longer than filling it."""

    def __init__(self, width: int) -> None:
        self.width, self.filled = width, 0
        self._data: NDArray[np.uint8] = np.empty((0, width), np.uint8)

    def clear(self, capacity: int) -> None:
        """Remove all rows and reserve memory for a number of rows."""
        self.filled = 0
        if len(self._data) < capacity:
            self._data = np.empty((capacity, self.width), np.uint8)

    def append(self, n: int) -> NDArray[np.uint8]:
        """Append n uninitialized rows and return them, (n, width)."""
        start, self.filled = self.filled, self.filled + n
        if self.filled > len(self._data):
            larger = np.empty((max(2 * len(self._data), self.filled), self.width), np.uint8)
            larger[:start] = self._data[:start]
            self._data = larger
        return self._data[start : self.filled]

    def take(self, order: Integers, out: NDArray[np.uint8]) -> None:
        """Copy rows in the given order into out (n, width)."""
        row_type = np.dtype((np.void, self.width))
        np.take(self._data.view(row_type)[:, 0], order, out=out.view(row_type)[:, 0], mode="clip")


@dataclass
class FinishedGames:
    """Finished games and their decisions, one game after the other."""

    numbers: Integers
    """(games,) numbers of the games in the data set."""
    seeds: NDArray[np.uint64]
    games: Columns
    """By name (games,): decisions, first, ending, truncated; (games, sides): score, standing, share, margin."""
    steps: Columns
    """By name (decisions,): the narrow columns."""
    _wide: dict[str, RowBuffer]
    _order: Integers
    _buffers: dict[str, NDArray[np.uint8]]

    def __len__(self) -> int:
        """Number of decisions."""
        return len(self._order)

    def rows(self, start: int, stop: int) -> Columns:
        """Return all columns of some decisions.

        Columns of fixed size are bytes (n, width), which the next call overwrites.
        """
        columns = {name: values[start:stop] for name, values in self.steps.items()}
        for name, rows in self._wide.items():
            if len(self._buffers.get(name, ())) < stop - start:
                self._buffers[name] = np.empty((stop - start, rows.width), np.uint8)
            out = self._buffers[name][: stop - start]
            rows.take(self._order[start:stop], out)
            columns[name] = out
        return columns


class GameRunner:
    """Plays games of one configuration for a data set; games do not depend on each other.

    wide : the columns of fixed size to collect, of ``observation``, ``features`` and ``mask``
    """

    def __init__(self, game: Game, wide: Iterable[str] = WIDE, reward: RewardName | None = None, threads: int = 1) -> None:
        self.game, self.threads = game, threads
        self.reward: RewardName = reward or ("win" if game.sides > 1 else "score")
        widths = {
            "observation": game.observation.size * np.dtype(game.observation_dtype).itemsize,
            "features": 4 * game.features.size,
            "mask": -(-game.actions.size // 8),
        }
        self._wide = {name: RowBuffer(widths[name]) for name in WIDE if name in wide}
        self._buffers: dict[str, NDArray[np.uint8]] = {}
        self._size = 0  # number of games
        self._batches: dict[int, Batch] = {}
        self._outs: Columns = {}

    def play(
        self,
        numbers: Integers,
        seeds: NDArray[np.uint64],
        seating: Integers,
        policy: Policy,
        progress: ProgressCallback | None = None,
    ) -> FinishedGames:
        """Play a game from each seed. The next call overwrites the arrays that are returned.

        seating : (games, seats), the index of the agent at each seat
        """
        batch, games = self._reset(seeds), np.arange(len(seeds))
        log = _DecisionLog(self.reward == "score")
        for buffer in self._wide.values():
            buffer.clear(_RESERVED_DECISIONS * len(seeds))
        step = 0
        while (rows := np.flatnonzero(batch.actor >= 0)).size:
            if 2 * rows.size < batch.size and batch.size > _MIN_SHRINK:
                batch, games = self._shrink(batch, games, rows)
                rows = np.arange(rows.size)
            self._observe(batch, rows)
            log.before(batch, rows, games[rows])
            actions = np.full(batch.size, NO_ACTION, np.int64)
            actions[rows] = policy(batch, rows, games[rows], step)
            batch.step(actions)
            log.after(batch, rows, actions[rows])
            step += 1
            if progress is not None and (ended := int(batch.done.sum())):
                progress(ended)
        self._copy_back(batch, games)
        return self._finished_games(self._batches[len(seeds)], log, numbers, seeds, seating)

    def final_observations(self, seat: int) -> NDArray[Any]:
        """Observations (games, n) of a seat at the end of the games played by the last call of ``play``."""
        return self._batches[self._size].observe(seat)

    def close(self) -> None:
        """End the threads."""
        for batch in self._batches.values():
            batch.close()

    def _reset(self, seeds: NDArray[np.uint64]) -> Batch:
        if self._size != len(seeds):
            self.close()
            self._size, self._batches, self._outs = len(seeds), {}, {}
        batch = self._batch_of_size(len(seeds))
        batch.reset(seeds)
        return batch

    def _batch_of_size(self, size: int) -> Batch:
        if size not in self._batches:
            reward: RewardName | None = "score" if self.reward == "score" else None  # other rewards come at the end
            self._batches[size] = Batch(self.game, size, threads=self.threads, reward=reward)
        return self._batches[size]

    def _shrink(self, batch: Batch, games: Integers, rows: Integers) -> tuple[Batch, Integers]:
        """Copy the unfinished games into a batch of half the size; return it and the indices of these games."""
        self._copy_back(batch, games)
        smaller = self._batch_of_size(batch.size // 2)
        over = int(np.flatnonzero(batch.over)[0])  # fills the remaining rows
        smaller.copy_rows(batch, np.concatenate([rows, np.full(smaller.size - rows.size, over)]), np.arange(smaller.size))
        return smaller, games[rows]

    def _copy_back(self, batch: Batch, games: Integers) -> None:
        """Copy games from the first rows of a smaller batch to their rows in the first batch."""
        first = self._batches[self._size]
        if batch is not first:
            rows = np.arange(len(games))
            first.copy_rows(batch, rows, games)
            first.totals[games], first.standings[games] = batch.totals[rows], batch.standings[rows]

    def _observe(self, batch: Batch, rows: Integers) -> None:
        """Collect masks, observations and features of the actors."""
        for name, buffer in self._wide.items():
            out = buffer.append(len(rows))
            if name == "mask":
                out[:] = np.packbits(batch.mask[rows], axis=1, bitorder="little")
                continue
            observe: Any = batch.observe if name == "observation" else batch.features
            dtype: Any = self.game.observation_dtype if name == "observation" else np.float32
            if len(rows) == batch.size:
                observe(out=out.view(dtype))
                continue
            if name not in self._outs:
                self._outs[name] = np.empty((self._size, buffer.width), np.uint8)
            full, row_type = self._outs[name][: batch.size], np.dtype((np.void, buffer.width))
            observe(out=full.view(dtype))
            np.take(full.view(row_type)[:, 0], rows, out=out.view(row_type)[:, 0], mode="clip")

    def _finished_games(
        self, batch: Batch, log: _DecisionLog, numbers: Integers, seeds: NDArray[np.uint64], seating: Integers
    ) -> FinishedGames:
        rows, n = log.column("games"), batch.size
        decisions = np.bincount(rows, minlength=n)
        starts = np.cumsum(decisions) - decisions
        steps = np.repeat(np.arange(len(log.games)), [len(part) for part in log.games])
        position = starts[rows] + steps  # of each decision when they are sorted by game
        order = np.empty(len(position), np.int64)
        order[position] = np.arange(len(position))
        game, seat = rows[order], log.column("seats")[order]
        results = _results(batch)
        last = _are_last(game * self.game.seats + seat)
        if self.reward == "score":
            reward = _rewards_until_next_decision(log.column("rewards")[order], game, seat, starts, decisions)
        else:
            reward = np.where(last, final_rewards(self.reward, results["score"], results["standing"])[game, seat], np.float32(0))
        columns = {
            "game": numbers[game].astype(np.int32),
            "step": steps[order].astype(np.int32),
            "seat": seat,
            "kind": log.column("kinds")[order],
            "agent": seating[game, seat].astype(np.int16),
            "action": log.column("actions")[order].astype(np.int32),
            "reward": reward,
            "last": last,
            **{name: results[name][game, seat] for name in ("score", "share", "margin")},
        }
        table = {
            "decisions": decisions.astype(np.int32),
            "first": seat[np.minimum(starts, max(0, len(seat) - 1))].astype(np.int8),
            "ending": np.array([ending or "" for ending in self.game.endings(batch.states)]),
            "truncated": np.array(self.game.truncated(batch.states)),
            **results,
        }
        return FinishedGames(numbers, seeds, table, columns, self._wide, order, self._buffers)


class _DecisionLog:
    """The decisions of all unfinished games, step by step."""

    def __init__(self, dense: bool) -> None:
        self.games: list[Integers] = []
        self._parts: dict[str, list[NDArray[Any]]] = {"games": self.games, "seats": [], "kinds": [], "actions": []}
        self._dense = dense
        if dense:
            self._parts["rewards"] = []

    def before(self, batch: Batch, rows: Integers, games: Integers) -> None:
        self.games.append(games)
        self._parts["seats"].append(batch.actor[rows])
        self._parts["kinds"].append(batch.kind[rows])

    def after(self, batch: Batch, rows: Integers, actions: Integers) -> None:
        self._parts["actions"].append(actions)
        if self._dense:
            self._parts["rewards"].append(batch.rewards[rows])

    def column(self, name: str) -> NDArray[Any]:
        return np.concatenate(self._parts[name])


def _results(batch: Batch) -> Columns:
    """Scores, standings, shares of the win and margins, each (games, sides)."""
    totals, standings = batch.totals.copy(), batch.standings.copy()
    best = standings == standings.max(axis=1, keepdims=True)
    share = (best / best.sum(axis=1, keepdims=True)).astype(np.float32)
    others = totals.sum(axis=1, keepdims=True) - totals
    margin = totals - others / max(1, totals.shape[1] - 1) if totals.shape[1] > 1 else np.zeros(totals.shape)
    return {"score": totals, "standing": standings, "share": share, "margin": margin.astype(np.float32)}


def _are_last(keys: Integers) -> NDArray[np.bool_]:
    """Whether each of the keys (n,), which are small integers from 0 on, is the last of its value."""
    places, last = np.full(keys.max(initial=-1) + 1, -1), np.zeros(len(keys), np.bool_)
    places[keys] = np.arange(len(keys))  # the last assignment stays
    last[places[places >= 0]] = True
    return last


def _rewards_until_next_decision(
    rewards: NDArray[np.float32], game: Integers, seat: NDArray[np.int8], starts: Integers, decisions: Integers
) -> NDArray[np.float32]:
    """Sum rewards (decisions, seats) over the steps from each decision until the next one of the same seat.

    Rewards before the first decision of a seat are added to that decision.
    """
    sums = np.zeros(len(game), np.float32)
    for s in range(rewards.shape[1]):
        total = np.concatenate([[0.0], np.cumsum(rewards[:, s], dtype=np.float64)])
        own = np.flatnonzero(seat == s)
        if not own.size:
            continue
        first = np.concatenate([[True], game[own][1:] != game[own][:-1]])
        begin = np.where(first, starts[game[own]], own)
        end = np.concatenate([begin[1:], [0]])
        last = np.concatenate([first[1:], [True]])
        end[last] = (starts + decisions)[game[own[last]]]
        sums[own] = total[end] - total[begin]
    return sums


def replay_policy(actions: Integers, starts: Integers, decisions: Integers) -> Policy:
    """Return a policy that replays games: game i has the actions ``actions[starts[i]:][:decisions[i]]``.

    The policy raises DataError for a game that lasts longer.
    """

    def policy(batch: Batch, rows: Integers, games: Integers, step: int) -> Integers:
        if (step >= decisions[games]).any():
            raise DataError("a game has more decisions than recorded actions")
        return np.asarray(actions[starts[games] + step], np.int64)

    return policy


def random_policy(batch: Batch, rows: Integers, games: Integers, step: int) -> Integers:
    """Choose uniformly among legal actions, reproducibly from the seed of ``batch.reset``."""
    return batch.sample()[rows]
