"""Duplicate matches between agents: every deal is played with the seats rotated, so that luck cancels.

A deal is the seed of a game. In a match with n seats each deal is played n times: in rotation r the agent at position
(s + r) mod n of the match sits at seat s. Games whose seats are all alike (``Game.seats_matter``) are played once. The deal is
the unit of all statistics, since the games of a deal are not independent and deals are.

Random numbers come from two sources:

* A deal depends on the seed and the number of seats alone: all matches with the same number of seats play the same deals.
* The random choices of an agent depend on the seed, its name, the deal and the seating. For a checkpoint they depend on its
  contents instead of its path, and for pretrained agents on the version that plays
  (:func:`~ginkgo_agents.registry.choice_key`).

So the games of a match do not depend on the order of the agents, on other matches, on the number of deals, on threads, or on
where a :class:`Chunk` of them is played.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import KernelThreads, Keys, Seating, nth_keys
from ginkgo_agents.checkpoints import read_checkpoint
from ginkgo_agents.evaluation.options import describe_config
from ginkgo_agents.evaluation.statistics import win_shares
from ginkgo_agents.process import ProcessAgent
from ginkgo_agents.registry import Read, choice_key, make_agent
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError, IllegalActionError
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.core.mixture import Mixture
from ginkgo_env.registry import game_class, make_game

_CHUNK = 250  # games played side by side; an interrupted run keeps whole chunks
_DEALS, _CHOICES = 0, 1  # streams of a seed
_MESSAGES = 5  # largest number of different messages of lost games that are reported

Integers = NDArray[np.int64]
Rates = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MatchConfig:
    """A game in a configuration, with the name of an agent for each seat.

    Raises ConfigError if the game has no such configuration, or another number of seats.

    >>> MatchConfig("ginkgopolis", ("greedy", "william"), {"players": 2}).title
    '2 players: greedy, william'
    """

    game: str
    agents: tuple[str, ...]
    config: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.game_object, Mixture) and not self.game_object.has_equal_seats:
            raise ConfigError(f"a match takes configurations with the same number of seats: {self.configuration}")
        if len(self.agents) != self.seats:
            raise ConfigError(f"{self.configuration} need {self.seats} agents, got {len(self.agents)}")

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy makes the game object anew."""
        return MatchConfig, (self.game, self.agents, dict(self.config))

    @cached_property
    def game_object(self) -> Game:
        """The game in this configuration."""
        return make_game(game_class(self.game), **self.config)

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.game_object.seats

    @property
    def sides(self) -> int:
        """Number of sides that score: the seats, and an automaton if the configuration has one."""
        return self.game_object.sides

    @property
    def rotations(self) -> int:
        """Number of games of each deal."""
        return self.seats if self.game_object.seats_matter else 1

    @property
    def configuration(self) -> str:
        """The configuration in words, as in ``2 players``."""
        return describe_config(self.game_object, self.config)

    @property
    def title(self) -> str:
        """The configuration and the agents in words."""
        return f"{self.configuration}: {', '.join(self.agents)}"


@dataclass(frozen=True)
class RecordedGame:
    """A finished game with its actions.

    >>> results = play_match(MatchConfig("my_city", ("builder", "random")), deals=1, seed=1, record=1)
    >>> results.recorded[0].players
    ('builder', 'random')
    """

    game: str
    config: dict[str, Any]
    seed: int
    players: tuple[str, ...]
    actions: tuple[int, ...]


class Spent(NamedTuple):
    """The cost of the decisions of an agent.

    >>> Spent(10, 0.5).plus(Spent(20, 1.0))
    Spent(decisions=30, seconds=1.5, timed_playouts=0)
    """

    decisions: int
    seconds: float
    """Seconds of processor time, of all threads."""
    timed_playouts: int = 0
    """Number of playouts, if time limited them: the games then do not repeat."""

    def plus(self, more: Spent) -> Spent:
        """The sum of both."""
        decisions, seconds, timed = more
        return Spent(self.decisions + decisions, self.seconds + seconds, self.timed_playouts + timed)


class LostGame(NamedTuple):
    """A game that a process lost by an error of its own.

    The process has no share in the win; its score is that of the game played on at random.

    >>> count_lost([LostGame(7, 0, 1, "timeout", "60 s")])
    {'lost': {'timeout': 1}, 'messages': ['timeout: 60 s']}
    """

    seed: int
    rotation: int
    position: int
    """The position of the process in the match."""
    why: str
    """``timeout``, ``crash``, ``illegal``, ``garbage`` or ``unable``."""
    message: str


def count_lost(games: Iterable[LostGame]) -> dict[str, Any]:
    """Lost games by reason, ``lost``, and their first different ``messages``, as plain data."""
    games = list(games)
    messages = dict.fromkeys(f"{game.why}: {game.message}" for game in games)
    return {"lost": dict(sorted(Counter(game.why for game in games).items())), "messages": list(messages)[:_MESSAGES]}


@dataclass
class MatchResults:
    """The finished games of a match. Sides are in the order of the match's agents, with an automaton last.

    >>> results = play_match(MatchConfig("my_city", ("builder", "random")), deals=4, seed=1)
    >>> results.deals, results.games, results.totals.shape
    (4, 4, (4, 1, 2))
    """

    match: MatchConfig
    seeds: Keys
    """(deals,) seeds of the games."""
    totals: Integers
    """(deals, rotations, sides) scores."""
    standings: Integers
    """(deals, rotations, sides) standings, higher is better."""
    cut_off: int = 0
    """Number of truncated games; they count with their last standings."""
    recorded: list[RecordedGame] = field(default_factory=list)
    """The first games with their actions."""
    spent: dict[str, Spent] = field(default_factory=dict)
    """The cost of the decisions of each agent."""
    lost: list[LostGame] = field(default_factory=list)
    """Games that processes lost by errors of their own."""

    @property
    def deals(self) -> int:
        """Number of deals whose rotations are all finished."""
        return len(self.seeds)

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.totals.shape[0] * self.totals.shape[1])

    @property
    def wins(self) -> Rates:
        """(deals, rotations, sides): 1 for a win, 0 for a loss; a shared first place is an equal share."""
        return win_shares(self.standings)

    @property
    def margins(self) -> Rates:
        """(deals, rotations, sides): own score minus the mean of the others, at least one."""
        others = self.totals.sum(axis=2, keepdims=True) - self.totals
        return np.asarray(self.totals - others / (self.totals.shape[2] - 1))

    @property
    def played_out(self) -> NDArray[np.bool_]:
        """(deals,): whether no process lost a game of the deal, so that its scores are those of the agents."""
        return ~np.isin(self.seeds, np.array([game.seed for game in self.lost], np.uint64))

    def means(self, positions: Integers) -> dict[str, Rates]:
        """``win``, ``score`` and ``margin`` of deals (deals,), means over rotations and some positions.

        Without another side, win and margin are missing; score and margin are nan for a deal that was not played out.
        """
        out = np.where(self.played_out, 0.0, np.nan)
        values = {"score": self.totals[:, :, positions].mean(axis=(1, 2)) + out}
        if self.match.sides == 1:
            return values
        wins, margins = (array[:, :, positions].mean(axis=(1, 2)) for array in (self.wins, self.margins))
        return {"win": wins, **values, "margin": margins + out}

    def concatenate(self, more: MatchResults) -> MatchResults:
        """These results followed by those of further deals."""
        return MatchResults(
            self.match,
            np.concatenate([self.seeds, more.seeds]),
            np.concatenate([self.totals, more.totals]),
            np.concatenate([self.standings, more.standings]),
            self.cut_off + more.cut_off,
            self.recorded + more.recorded,
            self.spent | {name: own.plus(self.spent.get(name, Spent(0, 0.0))) for name, own in more.spent.items()},
            self.lost + more.lost,
        )

    def positions_of(self, name: str) -> Integers:
        """The positions of an agent in the match."""
        return np.array([i for i, other in enumerate(self.match.agents) if other == name], np.int64)


def failed_agents(results: Iterable[MatchResults]) -> list[str]:
    """The agents that lost all their games by errors of their own."""
    games, lost = Counter[str](), Counter[str]()
    for one in results:
        games.update(dict.fromkeys(one.match.agents, one.games))
        lost.update(name for name, *_ in {(one.match.agents[game.position], game.seed, game.rotation) for game in one.lost})
    return [name for name in games if lost[name] == games[name]]


class Chunk(NamedTuple):
    """Some deals of a match, played side by side in all rotations: everything that their games depend on.

    >>> match = MatchConfig("my_city", ("builder", "random"))
    >>> [len(chunk.seeds) for chunk in chunks_of(match, deals=300, seed=1)]
    [250, 50]
    """

    match: MatchConfig
    seeds: Keys
    """(deals,) seeds of the games."""
    keys: tuple[Keys, ...]
    """For each different agent of the match (deals,) random keys, from which its random numbers derive."""
    record: int
    """The number of games, from the first on, to record with their actions."""


ProgressCallback = Callable[[MatchConfig, int], None]
"""Called with a match and the number of its games that have just ended."""
ChunkRunner = Callable[[Iterable[Chunk], ProgressCallback | None], Iterator[MatchResults]]
"""Plays chunks, in this process or elsewhere, and yields their results in the same order."""


def lineups(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every combination of min(seats, agents) different agents; at one seat each agent alone.

    A combination of k agents fills n seats in the order of their names, repeatedly. If n is not a multiple of k, there is a
    lineup beginning with each agent, so that all get the same number of seats. The rotations of a deal bring every agent to every
    seat. There is no lineup of one agent for several seats.
    """
    k = min(seats, len(names))
    if k < min(seats, 2):
        return []
    starts = range(1 if seats % k == 0 else k)
    combined = [sorted(chosen) for chosen in combinations(names, k)]
    return [tuple(chosen[(seat + start) % k] for seat in range(seats)) for chosen in combined for start in starts]


def deal_seeds(seed: int, seats: int, deals: int) -> Keys:
    """(deals,) seeds of games. More deals do not change the first ones."""
    return _keys(seed, (seats, _DEALS), deals)


def choice_keys(seed: int, game: Game, deals: int, name: str) -> Keys:
    """(deals,) random keys of an agent. More deals do not change the first ones."""
    digest = hashlib.sha256(choice_key(name, game).encode("utf-8", "surrogatepass")).digest()
    return _keys(seed, (game.seats, _CHOICES, int.from_bytes(digest[:16], "little")), deals)


def _keys(seed: int, spawn_key: tuple[int, ...], n: int) -> Keys:
    return np.asarray(np.random.SeedSequence(seed, spawn_key=spawn_key).generate_state(n, np.uint64), np.uint64)


def play_match(
    match: MatchConfig, deals: int, seed: int, *, threads: int = 1, record: int = 0, runner: ChunkRunner | None = None
) -> MatchResults:
    """Play a match of at least one deal, each in all rotations.

    record : how many of the first games to record with their actions
    runner : plays the chunks; by default this process, with ``threads`` threads

    >>> play_match(MatchConfig("my_city", ("builder", "random")), deals=4, seed=1).wins.shape
    (4, 1, 2)
    """
    return reduce(MatchResults.concatenate, (runner or local_runner(threads))(chunks_of(match, deals, seed, record), None))


def chunks_of(match: MatchConfig, deals: int, seed: int, record: int = 0) -> Iterator[Chunk]:
    """Split the deals of a match into chunks of a fixed size."""
    seeds = deal_seeds(seed, match.seats, integer(deals, 1, None, "deals", ConfigError))
    keys = [choice_keys(seed, match.game_object, deals, name) for name in dict.fromkeys(match.agents)]
    size = max(1, _CHUNK // match.rotations)
    for start in range(0, deals, size):
        part = slice(start, start + size)
        yield Chunk(match, seeds[part], tuple(own[part] for own in keys), max(0, record - start * match.rotations))


def local_runner(threads: int = 1) -> ChunkRunner:
    """Return a function that plays chunks in this process, one after the other."""

    def play(chunks: Iterable[Chunk], progress: ProgressCallback | None) -> Iterator[MatchResults]:
        pool, player = KernelThreads(threads), None
        try:
            for chunk in chunks:
                if player is None or player.match is not chunk.match:
                    if player is not None:
                        player.close()
                    player = MatchPlayer(chunk.match, pool)
                yield player.play(chunk, progress)
        finally:
            if player is not None:
                player.close()
            pool.close()

    return play


class MatchPlayer:
    """Plays the chunks of one match.

    read : reads the checkpoints of agents that are named by a path
    """

    def __init__(self, match: MatchConfig, threads: KernelThreads, read: Read = read_checkpoint) -> None:
        self.match, self.threads = match, threads
        self.names = list(dict.fromkeys(match.agents))
        self.agents = [make_agent(name, match.game, read) for name in self.names]
        indices, n = [self.names.index(name) for name in match.agents], match.seats
        self.seated = np.array([[indices[(seat + r) % n] for seat in range(n)] for r in range(match.rotations)])
        """(rotations, seats): the agent at each seat."""

    def play(self, chunk: Chunk, progress: ProgressCallback | None = None) -> MatchResults:
        """Play the deals of a chunk side by side; with agents that are processes, a few games at a time."""
        n, size = self.match.rotations, len(chunk.seeds)
        for agent in self._processes():
            size = min(size, max(1, agent.games_at_once // n))

        def part(start: int) -> MatchResults:
            some, record = slice(start, start + size), max(0, chunk.record - start * n)
            keys = tuple(own[some] for own in chunk.keys)
            return self._play(Chunk(chunk.match, chunk.seeds[some], keys, record), progress)

        return reduce(MatchResults.concatenate, map(part, range(0, len(chunk.seeds), size)))

    def close(self) -> None:
        """End the processes of agents."""
        for agent in self._processes():
            agent.close()

    def _processes(self) -> list[ProcessAgent]:
        return [agent for agent in self.agents if isinstance(agent, ProcessAgent)]

    def _play(self, chunk: Chunk, progress: ProgressCallback | None) -> MatchResults:
        seeds, deals, n = chunk.seeds, len(chunk.seeds), self.match.rotations
        batch = Batch(self.match.game_object, deals * n, threads=self.threads.count)
        batch.reset(np.repeat(seeds, n))
        seated, streams = np.tile(self.seated, (deals, 1)), self._streams(chunk.keys)
        logs: list[list[int]] = [[] for _ in range(min(chunk.record, batch.size))]
        seating, spent = Seating(self.agents, seated, streams, self.threads), np.zeros((len(self.agents), 3))
        for k, agent in enumerate(self.agents):
            if isinstance(agent, ProcessAgent):
                row_seats = [(int(row), int(seat)) for row, seat in np.argwhere(seated == k)]
                games = {row: self.match.game_object.game_of(batch.state(row)) for row, _ in row_seats}
                agent.begin({row_seat: (games[row_seat[0]], int(streams[row_seat])) for row_seat in row_seats})
        step = cut_off = 0
        while not batch.over.all():
            step += 1
            actions, rows = np.full(batch.size, NO_ACTION, np.int64), np.flatnonzero(~batch.over)
            actions[rows] = seating.decide(batch, rows, rows, step, spent)
            for row, log in enumerate(logs):
                if actions[row] != NO_ACTION:
                    log.append(int(actions[row]))
            try:
                batch.step(actions)
            except IllegalActionError as error:
                raise IllegalActionError(f"{self.match.title}: {error}") from None
            cut_off += int(batch.truncated.sum())
            if progress is not None:
                progress(chunk.match, int(batch.done.sum()))
        batch.close()
        recorded = [self._recorded_game(batch, int(seeds[row // n]), row, log) for row, log in enumerate(logs)]
        ended = batch.totals, batch.standings.astype(np.int64)
        lost = self._end_processes(seeds, *ended)
        totals, standings = (by_position(by_row.reshape(deals, n, -1), self.match.seats) for by_row in ended)
        costs = {
            name: Spent(int(n), seconds, int(more)) for name, (n, seconds, more) in zip(self.names, spent.tolist(), strict=True)
        }
        return MatchResults(chunk.match, seeds, totals, standings, cut_off, recorded, costs, lost)

    def _end_processes(self, seeds: Keys, totals: NDArray[Any], standings: Integers) -> list[LostGame]:
        """Lower the standings (games, sides) of processes that lost games, and end all."""
        games, n = list[LostGame](), self.match.rotations
        for agent in self._processes():
            for (row, seat), failure in agent.lost.items():
                put_last(standings, row, seat)
                position = (seat + row) % n if n > 1 else seat
                games.append(LostGame(int(seeds[row // n]), row % n, position, failure.why, str(failure)))
        for agent in self._processes():
            agent.end(lambda row: {"scores": totals[row].tolist(), "wins": win_shares(standings[row]).tolist()})
        return games

    def _streams(self, keys: Sequence[Keys]) -> Keys:
        """(games, seats): random keys, from which the random numbers of the agent at each seat derive.

        They depend on the agent, the deal, the seat, and how often the same agents sat at the same seats in the deal before.
        """
        seats = self.match.seats
        streams, numbers = np.empty((len(keys[0]), len(self.seated), seats), np.uint64), 1 + np.arange(seats)
        for r, seating in enumerate(self.seated):
            before = sum(np.array_equal(seating, other) for other in self.seated[:r])
            streams[:, r] = nth_keys(np.stack([keys[agent] for agent in seating], axis=1), seats * before + numbers)
        return streams.reshape(-1, seats)

    def _recorded_game(self, batch: Batch, seed: int, row: int, actions: list[int]) -> RecordedGame:
        """A game with its actions, the agents in the order of the seats."""
        players = tuple(self.names[agent] for agent in self.seated[row % len(self.seated)])
        config = self.match.game_object.game_of(batch.state(row)).config_dict
        return RecordedGame(self.match.game, config, seed, players, tuple(actions))


def put_last(standings: NDArray[Any], game: int, seat: int) -> None:
    """Lower the standing of a seat that lost a game (games, sides) by an error of its own."""
    standings[game, seat] = standings[game].min() - 1


def by_position(values: NDArray[Any], seats: int) -> Integers:
    """Reorder (deals, rotations, sides) from seats to positions in the match; an automaton stays last."""
    out = values.astype(np.int64)
    for r in range(1, out.shape[1]):
        out[:, r, :seats] = np.roll(values[:, r, :seats], r, axis=1)
    return out
