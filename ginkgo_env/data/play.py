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
from ginkgo_env.data.metadata import WIDE, DataError

Integers = NDArray[np.int64]
Choose = Callable[[Batch, Integers, Integers, int], Integers]
"""(batch, rows, games, step) -> the actions of these rows, which are these of the games played, after so many decisions."""
Tick = Callable[[int], None]
"""Called with the number of games that have just ended."""
Columns = dict[str, NDArray[Any]]

_FEW = 32  # games that are not worth a smaller batch
_USUAL = 128  # decisions of a game; memory is reserved for so many, and more if need be


class RowBuffer:
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
class FinishedGames:
    """Games that were played to their end, and their decisions, one game after the other."""

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
        self._wide = {name: RowBuffer(bytes_of[name]) for name in WIDE if name in wide}
        self._buffers: dict[str, NDArray[np.uint8]] = {}
        self._size = 0  # number of games that are played
        self._batches: dict[int, Batch] = {}
        self._outs: Columns = {}

    def play(
        self, numbers: Integers, seeds: NDArray[np.uint64], seated: Integers, choose: Choose, tick: Tick | None = None
    ) -> FinishedGames:
        """Play the games of some seeds. What is returned is good until the next call.

        seated : (games, seats), the number of the agent at each seat
        """
        batch, games = self._fresh(seeds), np.arange(len(seeds))
        log = _Log(self.reward == "score")
        for kept in self._wide.values():
            kept.clear(_USUAL * len(seeds))
        step = 0
        while (rows := np.flatnonzero(batch.actor >= 0)).size:
            if 2 * rows.size < batch.size and batch.size > _FEW:
                batch, games = self._narrowed(batch, games, rows)
                rows = np.arange(rows.size)
            self._look(batch, rows)
            log.before(batch, rows, games[rows])
            chosen = choose(batch, rows, games[rows], step)
            actions = np.full(batch.size, NO_ACTION, np.int64)
            actions[rows] = chosen
            batch.step(actions)
            log.after(batch, rows, chosen)
            step += 1
            if tick is not None and (ended := int(batch.done.sum())):
                tick(ended)
        self._put_back(batch, games)
        return self._played(self._batches[len(seeds)], log, numbers, seeds, seated)

    def last(self, seat: int) -> NDArray[Any]:
        """What a seat knew at the end of the games that were played last: observations (games, n)."""
        return self._batches[self._size].observe(seat)

    def close(self) -> None:
        """End the threads."""
        for batch in self._batches.values():
            batch.close()

    def _fresh(self, seeds: NDArray[np.uint64]) -> Batch:
        if self._size != len(seeds):
            self.close()
            self._size, self._batches, self._outs = len(seeds), {}, {}
        batch = self._of_size(len(seeds))
        batch.reset(seeds)
        return batch

    def _of_size(self, size: int) -> Batch:
        if size not in self._batches:
            paid: RewardName | None = "score" if self.reward == "score" else None  # the others are paid at the end
            self._batches[size] = Batch(self.game, size, threads=self.threads, reward=paid)
        return self._batches[size]

    def _narrowed(self, batch: Batch, games: Integers, rows: Integers) -> tuple[Batch, Integers]:
        """A batch of half the size for the games that go on, and which these are: games that are over cost time as well."""
        self._put_back(batch, games)
        fewer = self._of_size(batch.size // 2)
        over = int(np.flatnonzero(batch.over)[0])  # fills the rows that are left
        fewer.copy_rows(batch, np.concatenate([rows, np.full(fewer.size - rows.size, over)]), np.arange(fewer.size))
        return fewer, games[rows]

    def _put_back(self, batch: Batch, games: Integers) -> None:
        """Bring games from the first rows of a smaller batch to where they began."""
        first = self._batches[self._size]
        if batch is not first:
            rows = np.arange(len(games))
            first.copy_rows(batch, rows, games)
            first.totals[games], first.standings[games] = batch.totals[rows], batch.standings[rows]

    def _look(self, batch: Batch, rows: Integers) -> None:
        """Keep what the actors see."""
        for name, kept in self._wide.items():
            out = kept.room(len(rows))
            if name == "mask":
                out[:] = np.packbits(batch.mask[rows], axis=1, bitorder="little")
                continue
            see: Any = batch.observe if name == "observation" else batch.features
            dtype: Any = self.game.observation_dtype if name == "observation" else np.float32
            if len(rows) == batch.size:
                see(out=out.view(dtype))
                continue
            if name not in self._outs:
                self._outs[name] = np.empty((self._size, kept.width), np.uint8)
            every, whole = self._outs[name][: batch.size], np.dtype((np.void, kept.width))
            see(out=every.view(dtype))
            np.take(every.view(whole)[:, 0], rows, out=out.view(whole)[:, 0], mode="clip")

    def _played(self, batch: Batch, log: _Log, numbers: Integers, seeds: NDArray[np.uint64], seated: Integers) -> FinishedGames:
        rows, n = log.column("games"), batch.size
        decisions = np.bincount(rows, minlength=n)
        starts = np.cumsum(decisions) - decisions
        steps = np.repeat(np.arange(len(log.games)), [len(part) for part in log.games])
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
        return FinishedGames(numbers, seeds, found, columns, self._wide, order, self._buffers)

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

    def choose(batch: Batch, rows: Integers, games: Integers, step: int) -> Integers:
        if (step >= decisions[games]).any():
            raise DataError("the actions of a game end before the game does")
        return np.asarray(actions[starts[games] + step], np.int64)

    return choose


def uniform(batch: Batch, rows: Integers, games: Integers, step: int) -> Integers:
    """Uniform legal actions, by the seed of ``batch.reset``."""
    return batch.sample()[rows]
