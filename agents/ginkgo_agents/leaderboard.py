"""The plan of a leaderboard, and its execution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ginkgo_agents.arena import Played, Table, lineups, play_blocks
from ginkgo_agents.base import Crew
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

    @property
    def all_games(self) -> int:
        """Number of games in total."""
        return sum(self.deals(table) * table.rotations for table in self.tables)


Progress = Callable[[Table, int], None]


def play_plan(plan: Plan, finished: list[Played], threads: int = 1, progress: Progress | None = None) -> None:
    """Play all tables. `finished` always holds what is finished, block by block, also when this is interrupted.

    progress : called after each step with the table and the number of its games that have just ended
    """
    crew = Crew(threads)
    try:
        for table in plan.tables:
            tick = None if progress is None else lambda n, table=table: progress(table, n)
            before = len(finished)
            for played in play_blocks(table, plan.deals(table), plan.seed, crew, keep=_KEPT_GAMES, tick=tick):
                finished[before:] = [played]
    finally:
        crew.close()
