"""Data sets of games between agents: what ``ginkgo generate`` does.

Chance is drawn as in :mod:`ginkgo_agents.evaluation.matches`: the seed of a game from the seed of the data set and the game's
number, an agent's random choices from the same, its name and its seat. So a game does not depend on the games beside it, on
shards, threads or interruptions.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import KernelThreads, Turn, Words, ask, nth_words
from ginkgo_agents.agents.registry import make_agent, path_of
from ginkgo_agents.evaluation.matches import choice_words, deal_seeds, lineups
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import RewardName, chosen_reward
from ginkgo_env.data.card import write_card
from ginkgo_env.data.metadata import REPLAY, STEPS, DataError, DatasetInfo
from ginkgo_env.data.play import Choose, Tick
from ginkgo_env.data.writer import ShardWriter
from ginkgo_env.registry import make_game

MOST_GAMES = 100_000_000
SHARD_GAMES = 1000
COLUMNS = {"observation": ("observation", "mask"), "features": ("features", "mask"), "both": ("observation", "features", "mask")}
"""What is written of each decision: names for sets of columns."""


@dataclass(frozen=True)
class GenerationJob:
    """A data set to be made.

    game : its name; config : its options
    agents : names, all different. They sit in all combinations as on a leaderboard, at all seats in turn, one game each; one
        agent alone plays all seats
    rows : ``observation``, ``features``, ``both``, or ``replay`` for seeds and actions alone
    reward : None for the game's own: ``win``, with one side ``score``
    shard_games : games of a shard, which are played side by side

    Raises ConfigError for what cannot be made.
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
        if self.rows not in (*COLUMNS, REPLAY):
            raise ConfigError(f"invalid rows {self.rows[:40]!r}; expected one of {', '.join((*COLUMNS, REPLAY))}")
        for what, number, least, most in (
            ("games", self.games, 1, MOST_GAMES),
            ("shard_games", self.shard_games, 1, MOST_GAMES),
            ("seed", self.seed, 0, None),
        ):
            if number < least or (most is not None and number > most):
                raise ConfigError(f"{what} must be at least {least}{f' and at most {most}' if most else ''}, got {number}")

    @cached_property
    def made(self) -> Game:
        """The game in its configuration."""
        return make_game(self.game, **self.config)

    @cached_property
    def about(self) -> DatasetInfo:
        """The description of the data set."""
        content = REPLAY if self.rows == REPLAY else STEPS
        return DatasetInfo.of(
            self.made,
            content=content,
            wide=list(COLUMNS["both"] if content == REPLAY else COLUMNS[self.rows]),
            reward=chosen_reward(self.reward, self.made.sides),
            agents=list(self.agents),
            checkpoints=_digests(self.agents),
            seatings=seatings(self.agents, self.made.seats),
            seed=self.seed,
            games=self.games,
            shard_games=min(self.shard_games, self.games),
        )

    def command(self) -> str:
        """The command that makes it, without the folder."""
        words = [
            "ginkgo",
            "generate",
            "FOLDER",
            "--game",
            self.game,
            "--agents",
            ",".join(self.agents),
            "--games",
            str(self.games),
        ]
        words += ["--seed", str(self.seed), "--rows", self.rows, "--reward", str(self.about.reward)]
        words += ["--shard-games", str(self.about.shard_games)]
        for name, value in self.config.items():
            if isinstance(value, set | frozenset):
                value = sorted(value)
            text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            if text:  # an empty list is what a game has without the option
                words += ["--set", f"{name}={text}"]
        return shlex.join(words)


def seatings(names: Sequence[str], seats: int) -> list[list[int]]:
    """For each game in turn the number of the agent at each seat: all combinations of a leaderboard, rotated; one agent alone."""
    tables = lineups(names, seats) or [(names[0],) * seats]
    rotated = [[table[(seat + r) % seats] for seat in range(seats)] for table in tables for r in range(seats)]
    return [[names.index(name) for name in table] for table in dict.fromkeys(map(tuple, rotated))]


def _digests(names: Sequence[str]) -> dict[str, str]:
    """Digests of the files of agents that are checkpoints. Raises ConfigError if one cannot be read."""
    paths = {name: path for name in names if (path := path_of(name)) is not None}
    try:
        return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in paths.items()}
    except OSError as error:
        raise ConfigError(f"cannot read {str(error.filename)!r}: {error.strerror}") from None


def generate(order: GenerationJob, folder: Path, *, threads: int = 1, tick: Tick | None = None) -> None:
    """Make a data set, or what is missing of it. An interruption loses the shards that are being made, no others.

    tick : called with the number of games that are there already, and then of those that have ended

    Raises ConfigError for agents that do not play this, DataError if the folder holds another data set.
    """
    pool = KernelThreads(threads)
    players = _Players(order, pool)
    seeds = deal_seeds(order.seed, order.made.seats, order.games)
    with ShardWriter(order.made, order.about, folder, threads) as maker:
        try:
            done = set(maker.whole)
            if tick is not None and done:
                tick(sum(len(order.about.games_of(k)) for k in done))
            for shard in range(order.about.shards):
                if shard not in done:
                    own = order.about.games_of(shard)
                    maker.make(shard, seeds[own.start : own.stop], players.of(own), tick)
            maker.finish()
        finally:
            pool.close()
    try:
        write_card(folder, order.command())
    except OSError as error:
        raise DataError(f"cannot write into {str(folder)!r}: {error.strerror or error}") from None


class _Players:
    """The agents of a data set."""

    def __init__(self, order: GenerationJob, threads: KernelThreads) -> None:
        self.order, self.threads = order, threads
        self.agents = [make_agent(name, order.game) for name in order.agents]
        for agent in self.agents:
            agent.check(order.made)
        self.seatings = np.array(order.about.seatings, np.int64)
        self.words = [choice_words(order.seed, order.made.seats, order.games, name) for name in order.agents]

    def of(self, games: range) -> Choose:
        """Who decides in some games, and with which random numbers."""
        seated = self.seatings[np.array(games) % len(self.seatings)]
        streams: Words = np.empty(seated.shape, np.uint64)
        for seat in range(seated.shape[1]):
            own = np.stack([words[games.start : games.stop] for words in self.words], axis=1)
            streams[:, seat] = nth_words(own[np.arange(len(games)), seated[:, seat]], 1 + seat)

        def choose(batch: Batch, rows: NDArray[np.int64], games: NDArray[np.int64], step: int) -> NDArray[np.int64]:
            seats = batch.actor[rows]
            acting, words = seated[games, seats], nth_words(streams[games, seats], step + 1)
            actions = np.empty(len(rows), np.int64)
            for k, agent in enumerate(self.agents):
                mine = np.flatnonzero(acting == k)
                if len(mine):
                    actions[mine] = ask(agent, Turn(batch, rows[mine], words[mine], self.threads))
            return actions

        return choose
