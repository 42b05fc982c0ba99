"""Matches between agents, *duplicate*: the same deals with the seats rotated, so that luck cancels.

A deal is the seed of a game. At a :class:`Table` with n seats each deal is played n times, in rotation r by the agent at position
(s + r) mod n of the lineup at seat s; once only in a game whose seats are all alike (``Game.seats_matter``). The deal is the
unit of all statistics: games of a deal are not independent, deals are.

Where chance comes from:

* A deal depends on the seed and the number of seats alone: all tables with as many seats play the same deals.
* An agent's random choices depend on the seed, its name, the deal and who sits where.

So the games of a table do not depend on the order of the agents, on other tables, on how many deals are played, on threads, or
on where a :class:`Chunk` of them is played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import KernelThreads, Turn, Words, ask, nth_words
from ginkgo_agents.agents.checkpoints import read_checkpoint
from ginkgo_agents.agents.registry import Read, make_agent
from ginkgo_agents.evaluation.options import in_words
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, IllegalActionError
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.registry import make_game

_CHUNK = 250  # games played side by side; what is finished when a run is interrupted is counted in chunks
_DEALS, _CHOICES = 0, 1  # streams of a seed

Integers = NDArray[np.int64]
Rates = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Table:
    """A game in a configuration, and the name of an agent for each seat.

    Raises ConfigError if the game has no such configuration, or not this number of seats.

    >>> Table("ginkgopolis", ("greedy", "william"), {"players": 2}).title
    '2 players: greedy, william'
    """

    game: str
    lineup: tuple[str, ...]
    config: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.lineup) != self.seats:
            raise ConfigError(f"{self.configuration} need {self.seats} agents, got {len(self.lineup)}")

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy makes the game itself."""
        return Table, (self.game, self.lineup, dict(self.config))

    @cached_property
    def made(self) -> Game:
        """The game in this configuration."""
        return make_game(self.game, **self.config)

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.made.seats

    @property
    def sides(self) -> int:
        """Number of sides that score: the seats, and an automaton if the configuration has one."""
        return self.made.sides

    @property
    def rotations(self) -> int:
        """Games of each deal."""
        return self.seats if self.made.seats_matter else 1

    @property
    def configuration(self) -> str:
        """The configuration in words, as in ``2 players``."""
        return in_words(self.made, self.config)

    @property
    def title(self) -> str:
        """Configuration and agents in words."""
        return f"{self.configuration}: {', '.join(self.lineup)}"


@dataclass(frozen=True)
class RecordedGame:
    """A game as it was played, for a record."""

    game: str
    config: dict[str, Any]
    seed: int
    players: tuple[str, ...]
    actions: tuple[int, ...]


@dataclass
class Played:
    """The finished games of a table. Sides are in the order of the lineup, with an automaton last."""

    table: Table
    seeds: Words
    """(deals,) seeds of the games."""
    totals: Integers
    """(deals, rotations, sides) scores."""
    standings: Integers
    """(deals, rotations, sides) standings, higher is better."""
    cut_off: int = 0
    """Number of truncated games; they count with their last standings."""
    kept: list[RecordedGame] = field(default_factory=list)
    """The first games with their actions."""

    @property
    def deals(self) -> int:
        """Number of deals played to the end in all rotations."""
        return len(self.seeds)

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.totals.shape[0] * self.totals.shape[1])

    @property
    def wins(self) -> Rates:
        """(deals, rotations, sides): 1 for a win, shared equally when several sides have the best standing, else 0."""
        best = self.standings == self.standings.max(axis=2, keepdims=True)
        return np.asarray(best / best.sum(axis=2, keepdims=True))

    @property
    def margins(self) -> Rates:
        """(deals, rotations, sides): own score minus the mean of the others' scores. Requires at least two sides."""
        if self.table.sides < 2:
            raise ConfigError(f"a margin requires at least two sides: {self.table.title}")
        others = self.totals.sum(axis=2, keepdims=True) - self.totals
        return np.asarray(self.totals - others / (self.totals.shape[2] - 1))

    def and_then(self, more: Played) -> Played:
        """These games and then those of further deals."""
        return Played(
            self.table,
            np.concatenate([self.seeds, more.seeds]),
            np.concatenate([self.totals, more.totals]),
            np.concatenate([self.standings, more.standings]),
            self.cut_off + more.cut_off,
            self.kept + more.kept,
        )

    def seats_of(self, name: str) -> Integers:
        """The positions of an agent in the lineup."""
        return np.array([i for i, other in enumerate(self.table.lineup) if other == name], np.int64)


class Chunk(NamedTuple):
    """Some deals at a table, played side by side in all rotations: all that their games depend on."""

    table: Table
    seeds: Words
    """(deals,) seeds of the games."""
    words: tuple[Words, ...]
    """For each different agent of the table (deals,) random words: the start of its random numbers."""
    keep: int
    """How many of the first games are kept with their actions."""


Tick = Callable[[Table, int], None]
"""Called with a table and the number of its games that have just ended."""
Play = Callable[[Iterable[Chunk], Tick | None], Iterator[Played]]
"""Plays chunks, wherever that may be; yields the results in the order of the chunks."""


def lineups(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every combination of min(seats, agents) different agents; at one seat each agent alone.

    A combination of k agents fills n seats in the order of their names, repeatedly. If n is not a multiple of k there is a
    lineup beginning with each agent, so that all get the same number of seats. The rotations of a deal bring every agent to every
    seat. One agent for several seats: no lineup.
    """
    k = min(seats, len(names))
    if k < min(seats, 2):
        return []
    starts = range(1 if seats % k == 0 else k)
    combined = [sorted(chosen) for chosen in combinations(names, k)]
    return [tuple(chosen[(seat + start) % k] for seat in range(seats)) for chosen in combined for start in starts]


def deal_seeds(seed: int, seats: int, deals: int) -> Words:
    """(deals,) seeds of games. The first ones do not depend on how many are asked for."""
    return _words(seed, (seats, _DEALS), deals)


def choice_words(seed: int, seats: int, deals: int, name: str) -> Words:
    """(deals,) random words: the start of an agent's random numbers. The first ones do not depend on how many are asked for."""
    digest = hashlib.sha256(name.encode()).digest()
    return _words(seed, (seats, _CHOICES, int.from_bytes(digest[:16], "little")), deals)


def _words(seed: int, key: tuple[int, ...], n: int) -> Words:
    return np.asarray(np.random.SeedSequence(seed, spawn_key=key).generate_state(n, np.uint64), np.uint64)


def play_table(table: Table, deals: int, seed: int, *, threads: int = 1, keep: int = 0, play: Play | None = None) -> Played:
    """Play `deals` deals (at least one) at a table in all rotations. The first `keep` games are kept with their actions.

    play : what plays; by default this process, with so many threads
    """
    return reduce(Played.and_then, (play or here(threads))(chunks_of(table, deals, seed, keep), None))


def chunks_of(table: Table, deals: int, seed: int, keep: int = 0) -> Iterator[Chunk]:
    """The deals of a table in chunks of a fixed size."""
    if deals < 1:
        raise ConfigError(f"requires deals >= 1, got {deals}")
    seeds = deal_seeds(seed, table.seats, deals)
    words = [choice_words(seed, table.seats, deals, name) for name in dict.fromkeys(table.lineup)]
    size = max(1, _CHUNK // table.rotations)
    for start in range(0, deals, size):
        now = slice(start, start + size)
        yield Chunk(table, seeds[now], tuple(own[now] for own in words), max(0, keep - start * table.rotations))


def here(threads: int = 1) -> Play:
    """Play chunks in this process, one after the other."""

    def play(chunks: Iterable[Chunk], tick: Tick | None) -> Iterator[Played]:
        pool, match = KernelThreads(threads), None
        try:
            for chunk in chunks:
                if match is None or match.table is not chunk.table:
                    match = Match(chunk.table, pool)
                yield match.play(chunk, tick)
        finally:
            pool.close()

    return play


class Match:
    """The agents of a table, in a game of its configuration.

    read : what reads the checkpoints of agents that are named by a path
    """

    def __init__(self, table: Table, threads: KernelThreads, read: Read = read_checkpoint) -> None:
        self.table, self.threads = table, threads
        self.names = list(dict.fromkeys(table.lineup))
        self.agents = [make_agent(name, table.game, read) for name in self.names]
        places, n = [self.names.index(name) for name in table.lineup], table.seats
        self.seated = np.array([[places[(seat + r) % n] for seat in range(n)] for r in range(table.rotations)])
        """(rotations, seats): which agent sits where."""

    def play(self, chunk: Chunk, tick: Tick | None = None) -> Played:
        """Play the deals of a chunk side by side."""
        seeds, deals, n = chunk.seeds, len(chunk.seeds), self.table.rotations
        batch = Batch(self.table.made, deals * n, threads=self.threads.count)
        batch.reset(np.repeat(seeds, n))
        seated, streams = np.tile(self.seated, (deals, 1)), self._streams(chunk.words)
        taken: list[list[int]] = [[] for _ in range(min(chunk.keep, batch.size))]
        step = cut_off = 0
        while not batch.over.all():
            step += 1
            actions = self._decide(batch, seated, streams, step)
            for row, log in enumerate(taken):
                if actions[row] != NO_ACTION:
                    log.append(int(actions[row]))
            self._step(batch, actions)
            cut_off += int(batch.truncated.sum())
            if tick is not None:
                tick(chunk.table, int(batch.done.sum()))
        batch.close()
        kept = [self._kept(int(seeds[row // n]), row % n, log) for row, log in enumerate(taken)]
        totals, standings = (self._by_position(by_row.reshape(deals, n, -1)) for by_row in (batch.totals, batch.standings))
        return Played(chunk.table, seeds, totals, standings, cut_off, kept)

    def _streams(self, words: Sequence[Words]) -> Words:
        """(games, seats): the start of the random numbers of the agent at each seat.

        It depends on the agent, the deal, the seat, and how often the same agents sat at the same seats in the deal before.
        """
        seats = self.table.seats
        streams = np.empty((len(words[0]), len(self.seated), seats), np.uint64)
        for r, sitting in enumerate(self.seated):
            before = sum(np.array_equal(sitting, other) for other in self.seated[:r])
            for seat, agent in enumerate(sitting):
                streams[:, r, seat] = nth_words(words[agent], 1 + seats * before + seat)
        return streams.reshape(-1, seats)

    def _decide(self, batch: Batch, seated: Integers, streams: Words, step: int) -> Integers:
        """Ask each agent once, for all rows in which it has to decide."""
        actions = np.full(batch.size, NO_ACTION, np.int64)
        rows = np.flatnonzero(~batch.over)
        seats = batch.actor[rows]
        acting, words = seated[rows, seats], nth_words(streams[rows, seats], step)
        for k, agent in enumerate(self.agents):
            mine = acting == k
            if mine.any():
                actions[rows[mine]] = ask(agent, Turn(batch, rows[mine], words[mine], self.threads))
        return actions

    def _step(self, batch: Batch, actions: Integers) -> None:
        try:
            batch.step(actions)
        except IllegalActionError as error:
            raise IllegalActionError(f"{self.table.title}: {error}") from None

    def _kept(self, seed: int, rotation: int, actions: list[int]) -> RecordedGame:
        """A game for a record, the agents in the order of the seats."""
        players = tuple(self.names[agent] for agent in self.seated[rotation])
        return RecordedGame(self.table.game, self.table.made.config_dict, seed, players, tuple(actions))

    def _by_position(self, values: NDArray[Any]) -> Integers:
        """(deals, rotations, sides) by seat to the same by position of the lineup; an automaton stays where it is."""
        out = values.astype(np.int64)
        for r in range(1, out.shape[1]):
            out[:, r, : self.table.seats] = np.roll(values[:, r, : self.table.seats], r, axis=1)
        return out
