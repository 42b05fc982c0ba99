"""The plan of a leaderboard, and its execution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ginkgo_agents.arena import Chunk, Play, Played, Table, Tick, chunks_of, here, lineups
from ginkgo_agents.options import Config, configurations, in_words
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import game_class, make_game

MOST_GAMES = 1_000_000
_KEPT_GAMES = 2  # games of each table that are kept for records


@dataclass(frozen=True)
class Plan:
    """The games to play: in each configuration all tables of the agents (:func:`~ginkgo_agents.arena.lineups`).

    game : its name
    agents : their names, all different; empty for those that the game suggests. Their order is the report's and does not
        change the numbers
    games : at each table, rounded up to whole deals
    seed : random seed, >= 0
    options : values of options of the game, in place of its own configurations (:func:`~ginkgo_agents.options.configurations`)

    Raises ConfigError for a plan that cannot be played.
    """

    game: str
    agents: tuple[str, ...] = ()
    games: int = 1000
    seed: int = 0
    options: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", self.agents or game_class(self.game).suggested_agents)
        for name in self.agents:
            if self.agents.count(name) > 1:
                raise ConfigError(f"duplicate agent {name!r}")
            make_agent(name, self.game)
        if not 1 <= self.games <= MOST_GAMES:
            raise ConfigError(f"games must be 1..{MOST_GAMES}, got {self.games}")
        if self.seed < 0:
            raise ConfigError(f"requires seed >= 0, got {self.seed}")
        if not self.tables:
            config = self.configurations[0]
            raise ConfigError(f"{in_words(make_game(self.game, **config), config)}: a leaderboard requires at least two agents")

    @cached_property
    def _configurations(self) -> tuple[list[Config], list[str]]:
        return configurations(self.game, self.options)

    @property
    def configurations(self) -> list[Config]:
        """The options of the game at the tables."""
        return self._configurations[0]

    @property
    def left_out(self) -> list[str]:
        """Sentences: which of the game's default configurations are impossible with the options, and why."""
        return self._configurations[1]

    @cached_property
    def tables(self) -> list[Table]:
        """All tables in the order in which they are played."""
        return [
            Table(self.game, lineup, config)
            for config in self.configurations
            for lineup in lineups(self.agents, make_game(self.game, **config).seats)
        ]

    def deals(self, table: Table) -> int:
        """Number of deals at a table."""
        return -(-self.games // table.rotations)

    def chunks(self) -> Iterator[Chunk]:
        """All games, one table after the other."""
        for table in self.tables:
            yield from chunks_of(table, self.deals(table), self.seed, keep=_KEPT_GAMES)

    @property
    def all_games(self) -> int:
        """Number of games in total."""
        return sum(self.deals(table) * table.rotations for table in self.tables)


def play_plan(plan: Plan, finished: list[Played], play: Play | None = None, progress: Tick | None = None) -> None:
    """Play all tables. `finished` always holds what is finished, chunk by chunk, also when this is interrupted.

    play : what plays; by default this process, with one thread
    progress : called after each step, or each chunk, with the table and the number of its games that have just ended
    """
    for played in (play or here())(plan.chunks(), progress):
        if finished and finished[-1].table is played.table:
            finished[-1] = finished[-1].and_then(played)
        else:
            finished.append(played)
