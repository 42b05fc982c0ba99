"""The generation of data sets of games between agents, for ``ginkgo generate``.

Random numbers derive as in :mod:`ginkgo_agents.evaluation.matches`: the seed of a game from the seed of the data set and the
number of the game, the random choices of an agent from these, its name and its seat. So a game does not depend on other games,
shards, threads, workers or interruptions.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, KernelThreads, Keys, Seating, nth_keys
from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint
from ginkgo_agents.evaluation.benchmark.tasks import unreserved
from ginkgo_agents.evaluation.cluster import Cluster, reader_of
from ginkgo_agents.evaluation.matches import choice_keys, deal_seeds, lineups
from ginkgo_agents.registry import Read, identities_of, make_agent
from ginkgo_env.core.checks import choice, integer
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import RewardName, chosen_reward
from ginkgo_env.datasets.card import write_card
from ginkgo_env.datasets.metadata import REPLAY, STEPS, DataError, DatasetInfo
from ginkgo_env.datasets.play import Policy, ProgressCallback
from ginkgo_env.datasets.shards import ShardWriter, read_files, write_files
from ginkgo_env.registry import game_class, make_game

MOST_GAMES = 100_000_000
SHARD_GAMES = 1000
COLUMNS = {"observation": ("observation", "mask"), "features": ("features", "mask"), "both": ("observation", "features", "mask")}
"""The columns that are written for each decision, by the name of the set."""


@dataclass(frozen=True)
class GenerationJob:
    """The settings of a data set.

    game, config : name and options of the game
    agents : names of the agents, all different. They play in all combinations as on a leaderboard, at all seats in turn; a single
        agent plays all seats
    games : number of games
    seed : random seed, >= 0, not reserved for the benchmark
    rows : ``observation``, ``features``, ``both``, or ``replay`` for seeds and actions alone
    reward : kind of reward; None for ``win``, or ``score`` in games with one side
    shard_games : number of games of a shard, which are played side by side

    Raises ConfigError for invalid settings.

    >>> GenerationJob("my_city", ("greedy", "random"), {"players": 2}, games=100).info.shards
    1
    """

    game: str
    agents: tuple[str, ...]
    config: Mapping[str, Any] = field(default_factory=dict)
    games: int = 1000
    seed: int = 0
    rows: str = "observation"
    reward: RewardName | None = None
    shard_games: int = SHARD_GAMES

    def __post_init__(self) -> None:
        for name in self.agents:
            if self.agents.count(name) > 1:
                raise ConfigError(f"duplicate agent {name!r}")
        if not self.agents:
            raise ConfigError("a data set requires at least one agent")
        choice(self.rows, (*COLUMNS, REPLAY), "rows", ConfigError)
        for name, number in (("games", self.games), ("shard_games", self.shard_games)):
            integer(number, 1, MOST_GAMES, name, ConfigError)
        unreserved(integer(self.seed, 0, None, "seed", ConfigError))

    @cached_property
    def game_object(self) -> Game:
        """The game in its configuration."""
        return make_game(game_class(self.game), **self.config)

    @cached_property
    def info(self) -> DatasetInfo:
        """The description of the data set."""
        content = REPLAY if self.rows == REPLAY else STEPS
        return DatasetInfo.of(
            self.game_object,
            content=content,
            wide=list(COLUMNS["both"] if content == REPLAY else COLUMNS[self.rows]),
            reward=chosen_reward(self.reward, self.game_object.sides),
            agents=list(self.agents),
            identities={name: identities_of(name, [self.game_object]) for name in self.agents},
            seatings=seatings(self.agents, self.game_object.seats),
            seed=self.seed,
            games=self.games,
            shard_games=min(self.shard_games, self.games),
        )

    def command(self) -> str:
        """The command line that makes the data set, without the folder."""
        options = {"game": self.game, "agents": ",".join(self.agents), "games": self.games, "seed": self.seed, "rows": self.rows}
        options |= {"reward": self.info.reward, "shard-games": self.info.shard_games}
        words = ["ginkgo", "generate", "FOLDER", *(word for key, value in options.items() for word in (f"--{key}", str(value)))]
        for name, value in self.config.items():
            if isinstance(value, set | frozenset):
                value = sorted(value)
            text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            if text:  # an empty list is the default
                words += ["--set", f"{name}={text}"]
        return shlex.join(words)


def seatings(names: Sequence[str], seats: int) -> list[list[int]]:
    """The index of the agent at each seat, for each game in turn.

    These are the lineups of a leaderboard in all rotations; a single agent has all seats.
    """
    combinations = lineups(names, seats) or [(names[0],) * seats]
    rotated = [[lineup[(seat + r) % seats] for seat in range(seats)] for lineup in combinations for r in range(seats)]
    return [[names.index(name) for name in lineup] for lineup in dict.fromkeys(map(tuple, rotated))]


def generate(
    job: GenerationJob,
    folder: Path,
    *,
    threads: int = 1,
    cluster: Cluster | None = None,
    progress: ProgressCallback | None = None,
) -> None:
    """Make a data set, or its missing shards. An interruption loses only the shards in progress.

    threads : number of threads that play here
    cluster : plays on its workers instead, one shard at a time on each
    progress : called with the number of games that the folder has already, then with the number of games that have ended

    Raises ConfigError for agents that do not play the game, DataError if the folder holds another data set.

    >>> import tempfile
    >>> import ginkgo_env.datasets
    >>> folder = Path(tempfile.mkdtemp())
    >>> generate(GenerationJob("my_city", ("builder",), games=2), folder)
    >>> len(ginkgo_env.datasets.load(folder))
    100
    """
    agents = _agents(job, read_checkpoint)
    with ShardWriter(job.game_object, job.info, folder, threads) as writer, closing(KernelThreads(threads)) as pool:
        if progress is not None and writer.complete:
            progress(sum(len(job.info.games_in(k)) for k in writer.complete))
        parts = _parts(job, sorted({*range(job.info.shards)} - {*writer.complete}))
        if cluster is None:
            for part in parts:
                writer.make(part.shard, part.seeds, _policy(agents, part, pool), progress)
            writer.finish()
        else:
            files = cluster.checkpoints(job.agents)
            for shard, contents in cluster.starmap(_make_shard, ((job, part, *files) for part in parts)):
                write_files(folder, job.info, shard, contents)
                if progress is not None:
                    progress(len(job.info.games_in(shard)))
    try:
        write_card(folder, job.command())
    except OSError as error:
        raise DataError(f"cannot write into {str(folder)!r}: {error.strerror or error}") from None


class _Part(NamedTuple):
    """The games of a shard."""

    shard: int
    seeds: NDArray[np.uint64]
    """(games,)"""
    seated: NDArray[np.int64]
    """(games, seats) the index of the agent at each seat."""
    keys: Keys
    """(games, seats) the random keys of these agents."""


def _parts(job: GenerationJob, shards: Iterable[int]) -> Iterator[_Part]:
    seeds = deal_seeds(job.seed, job.game_object.seats, job.games)
    keys = np.stack([choice_keys(job.seed, job.game_object, job.games, name) for name in job.agents], axis=1)
    all_seatings = np.array(job.info.seatings, np.int64)
    for shard in shards:
        games = np.array(job.info.games_in(shard))
        seated = all_seatings[games % len(all_seatings)]
        own = np.take_along_axis(keys[games], seated, axis=1)
        yield _Part(shard, seeds[games], seated, nth_keys(own, 1 + np.arange(seated.shape[1])))


def _agents(job: GenerationJob, read: Read) -> list[Agent]:
    agents = [make_agent(name, job.game, read) for name in job.agents]
    for agent in agents:
        agent.check(job.game_object)
    return agents


def _policy(agents: Sequence[Agent], part: _Part, threads: KernelThreads) -> Policy:
    seating = Seating(agents, part.seated, part.keys, threads)
    return lambda batch, rows, games, step: seating.decide(batch, rows, games, step + 1)


def _make_shard(job: GenerationJob, part: _Part, paths: tuple[str, ...], *checkpoints: Checkpoint) -> tuple[int, list[bytes]]:
    """Make a shard on a worker; return its number and the contents of its files."""
    agents, pool = _agents(job, reader_of(paths, *checkpoints)), KernelThreads()
    with TemporaryDirectory() as folder, ShardWriter(job.game_object, job.info, Path(folder)) as writer, closing(pool):
        writer.make(part.shard, part.seeds, _policy(agents, part, pool))
        writer.finish()
        return part.shard, read_files(Path(folder), job.info, part.shard)
