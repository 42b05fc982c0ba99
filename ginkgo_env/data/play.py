"""Games played side by side, and what happened in them as arrays: one row a decision, one row a game."""

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
from ginkgo_env.data.about import WIDE, DataError

Integers = NDArray[np.int64]
Choose = Callable[[Batch, Integers, int], Integers]
"""(batch, rows, step) -> the actions of these rows, whose games have had so many decisions."""
Tick = Callable[[int], None]
"""Called with the number of games that have just ended."""
Columns = dict[str, NDArray[Any]]

_USUAL = 128  # decisions of a game; memory is reserved for so many, and more if need be


class Rows:
    """Rows of bytes, as many as come. Memory is kept for the next time: fresh memory costs more than what is written into it."""

    def __init__(self, width: int) -> None:
        self.width, self.filled = width, 0
        self._data: NDArray[np.uint8] = np.empty((0, width), np.uint8)

    def clear(self, usual: int) -> None:
        """Forget all rows. So many will come, or more: what is reserved and not used costs nothing."""
        self.filled = 0
        if len(self._data) < usual:
            self._data = np.empty((usual, self.width), np.uint8)

    def room(self, n: int) -> NDArray[np.uint8]:
        """The next n rows (n, width), to be written."""
        start, self.filled = self.filled, self.filled + n
        if self.filled > len(self._data):
            more = np.empty((max(2 * len(self._data), self.filled), self.width), np.uint8)
            more[:start] = self._data[:start]
            self._data = more
        return self._data[start : self.filled]

    def take(self, order: Integers, out: NDArray[np.uint8]) -> None:
        """Copy rows in an order into out (n, width)."""
        whole = np.dtype((np.void, self.width))
        np.take(self._data.view(whole)[:, 0], order, out=out.view(whole)[:, 0], mode="clip")


@dataclass
class Played:
    """Games that were played to their end, and their decisions, one game after the other."""

    numbers: Integers
    """(games,) numbers of the games in the data set."""
    seeds: NDArray[np.uint64]
    games: Columns
    """By name (games,): decisions, first, ending, truncated; (games, sides): score, standing, share, margin."""
    steps: Columns
    """By name (decisions,): the narrow columns."""
    _wide: dict[str, Rows]
    _order: Integers
    _buffers: dict[str, NDArray[np.uint8]]

    def __len__(self) -> int:
        """Number of decisions."""
        return len(self._order)

    def rows(self, start: int, stop: int) -> Columns:
        """All columns of some decisions; those of fixed size as bytes (n, width), in memory that the next call writes anew."""
        found = {name: values[start:stop] for name, values in self.steps.items()}
        for name, rows in self._wide.items():
            if len(self._buffers.get(name, ())) < stop - start:
                self._buffers[name] = np.empty((stop - start, rows.width), np.uint8)
            out = self._buffers[name][: stop - start]
            rows.take(self._order[start:stop], out)
            found[name] = out
        return found


class Player:
    """Plays games of one configuration and keeps what a data set needs. Rows do not depend on how many games there are.

    wide : which columns of fixed size are kept
    """

    def __init__(self, game: Game, wide: Iterable[str] = WIDE, reward: RewardName | None = None, threads: int = 1) -> None:
        self.game, self.threads = game, threads
        self.reward: RewardName = reward or ("win" if game.sides > 1 else "score")
        bytes_of = {
            "observation": game.observation.size * np.dtype(game.observation_dtype).itemsize,
            "features": 4 * game.features.size,
            "mask": -(-game.actions.size // 8),
        }
        self._wide = {name: Rows(bytes_of[name]) for name in WIDE if name in wide}
        self._buffers: dict[str, NDArray[np.uint8]] = {}
        self._batch: Batch | None = None
        self._outs: Columns = {}

    def play(
        self, numbers: Integers, seeds: NDArray[np.uint64], seated: Integers, choose: Choose, tick: Tick | None = None
    ) -> Played:
        """Play the games of some seeds. What is returned is good until the next call.

        seated : (games, seats), the number of the agent at each seat
        """
        batch = self._fresh(seeds)
        log = _Log(self.reward == "score")
        for kept in self._wide.values():
            kept.clear(_USUAL * len(seeds))
        step = 0
        while (rows := np.flatnonzero(batch.actor >= 0)).size:
            self._look(batch, rows)
            log.before(batch, rows)
            chosen = choose(batch, rows, step)
            actions = np.full(batch.size, NO_ACTION, np.int64)
            actions[rows] = chosen
            batch.step(actions)
            log.after(batch, rows, chosen)
            step += 1
            if tick is not None and (ended := int(batch.done.sum())):
                tick(ended)
        return self._played(batch, log, numbers, seeds, seated)

    def last(self, seat: int) -> NDArray[Any]:
        """What a seat knew at the end of the games that were played last: observations (games, n)."""
        if self._batch is None:
            raise DataError("nothing was played")
        return self._batch.observe(seat)

    def close(self) -> None:
        """End the threads."""
        if self._batch is not None:
            self._batch.close()

    def _fresh(self, seeds: NDArray[np.uint64]) -> Batch:
        if self._batch is None or self._batch.size != len(seeds):
            self.close()
            paid: RewardName | None = "score" if self.reward == "score" else None  # the others are paid at the end
            self._batch = Batch(self.game, len(seeds), threads=self.threads, reward=paid)
            self._outs = {}
        self._batch.reset(seeds)
        return self._batch

    def _look(self, batch: Batch, rows: Integers) -> None:
        """Keep what the actors see."""
        for name, kept in self._wide.items():
            out = kept.room(len(rows))
            if name == "mask":
                out[:] = np.packbits(batch.mask[rows], axis=1, bitorder="little")
                continue
            see: Any = batch.observe if name == "observation" else batch.features
            if len(rows) == batch.size:
                see(out=out.view(self.game.observation_dtype if name == "observation" else np.float32))
                continue
            self._outs[name] = see(out=self._outs.get(name))
            whole = np.dtype((np.void, kept.width))
            np.take(self._outs[name].view(whole)[:, 0], rows, out=out.view(whole)[:, 0], mode="clip")

    def _played(self, batch: Batch, log: _Log, numbers: Integers, seeds: NDArray[np.uint64], seated: Integers) -> Played:
        rows, n = log.column("rows"), batch.size
        decisions = np.bincount(rows, minlength=n)
        starts = np.cumsum(decisions) - decisions
        steps = np.repeat(np.arange(len(log.rows)), [len(part) for part in log.rows])
        place = starts[rows] + steps  # of each decision, when they stand game by game
        order = np.empty(len(place), np.int64)
        order[place] = np.arange(len(place))
        game, seat = rows[order], log.column("seats")[order]
        results = _results(batch)
        last, reward = self._rewards(game, seat, starts, decisions, log, order, results)
        columns = {
            "game": numbers[game].astype(np.int32),
            "step": steps[order].astype(np.int32),
            "seat": seat,
            "kind": log.column("kinds")[order],
            "agent": seated[game, seat].astype(np.int16),
            "action": log.column("actions")[order].astype(np.int32),
            "reward": reward,
            "last": last,
            **{name: results[name][game, seat] for name in ("score", "share", "margin")},
        }
        found = {
            "decisions": decisions.astype(np.int32),
            "first": seat[np.minimum(starts, max(0, len(seat) - 1))].astype(np.int8),
            "ending": np.array([ending or "" for ending in self.game.endings(batch.states)]),
            "truncated": np.array(self.game.truncated(batch.states)),
            **results,
        }
        return Played(numbers, seeds, found, columns, self._wide, order, self._buffers)

    def _rewards(
        self,
        game: Integers,
        seat: NDArray[np.int8],
        starts: Integers,
        decisions: Integers,
        log: _Log,
        order: Integers,
        results: Columns,
    ) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """For each decision whether it is the last of its seat, and what the seat is paid until its next one."""
        seats = self.game.seats
        key = game * seats + seat
        final = np.full(len(decisions) * seats, -1, np.int64)
        final[key] = np.arange(len(key))  # the last one stays
        last = np.zeros(len(key), np.bool_)
        last[final[final >= 0]] = True
        reward = np.zeros(len(key), np.float32)
        if self.reward == "score":
            return last, _until_next(log.column("rewards")[order], game, seat, starts, decisions)
        paid = final_rewards(self.reward, results["score"], results["standing"])
        reward[last] = paid[game[last], seat[last]]
        return last, reward


class _Log:
    """What happens, step by step, of all games that go on."""

    def __init__(self, dense: bool) -> None:
        self.rows: list[Integers] = []
        self._parts: dict[str, list[NDArray[Any]]] = {"rows": self.rows, "seats": [], "kinds": [], "actions": []}
        self._dense = dense
        if dense:
            self._parts["rewards"] = []

    def before(self, batch: Batch, rows: Integers) -> None:
        self.rows.append(rows)
        self._parts["seats"].append(batch.actor[rows])
        self._parts["kinds"].append(batch.kind[rows])

    def after(self, batch: Batch, rows: Integers, actions: Integers) -> None:
        self._parts["actions"].append(actions)
        if self._dense:
            self._parts["rewards"].append(batch.rewards[rows])

    def column(self, name: str) -> NDArray[Any]:
        return np.concatenate(self._parts[name])


def _results(batch: Batch) -> Columns:
    """Scores, standings, shares of the win and margins: (games, sides)."""
    totals, standings = batch.totals.copy(), batch.standings.copy()
    best = standings == standings.max(axis=1, keepdims=True)
    share = (best / best.sum(axis=1, keepdims=True)).astype(np.float32)
    others = totals.sum(axis=1, keepdims=True) - totals
    margin = totals - others / max(1, totals.shape[1] - 1) if totals.shape[1] > 1 else np.zeros(totals.shape)
    return {"score": totals, "standing": standings, "share": share, "margin": margin.astype(np.float32)}


def _until_next(
    rewards: NDArray[np.float32], game: Integers, seat: NDArray[np.int8], starts: Integers, decisions: Integers
) -> NDArray[np.float32]:
    """Rewards (decisions, seats) of each step, summed for each decision's seat until its next one.

    What comes before the first decision of a seat is paid with that.
    """
    found = np.zeros(len(game), np.float32)
    for each in range(rewards.shape[1]):
        paid = np.concatenate([[0.0], np.cumsum(rewards[:, each], dtype=np.float64)])
        own = np.flatnonzero(seat == each)
        if not own.size:
            continue
        new = np.concatenate([[True], game[own][1:] != game[own][:-1]])
        begin = np.where(new, starts[game[own]], own)
        end = np.concatenate([begin[1:], [0]])
        over = np.concatenate([new[1:], [True]])  # the last of its seat in this game
        end[over] = (starts + decisions)[game[own[over]]]
        found[own] = paid[end] - paid[begin]
    return found


def from_actions(actions: Integers, starts: Integers, decisions: Integers) -> Choose:
    """What replays games: the actions of game i are actions[starts[i]:][: decisions[i]]. Raises DataError if it lasts longer."""

    def choose(batch: Batch, rows: Integers, step: int) -> Integers:
        if (step >= decisions[rows]).any():
            raise DataError("the actions of a game end before the game does")
        return np.asarray(actions[starts[rows] + step], np.int64)

    return choose


def uniform(batch: Batch, rows: Integers, step: int) -> Integers:
    """Uniform legal actions, by the seed of ``batch.reset``."""
    return batch.sample()[rows]
