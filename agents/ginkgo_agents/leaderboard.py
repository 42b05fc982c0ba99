"""The plan of a leaderboard, and playing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ginkgo_agents.arena import GAME, Played, Table, play_blocks, solo_tables, tables_of
from ginkgo_agents.base import Crew
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.games.ginkgopolis.constants import HAND_SIZE
from ginkgo_env.registry import make_game

MOST_GAMES = 1_000_000
_KEPT_GAMES = 2  # games of each table that are kept for records


@dataclass(frozen=True)
class Plan:
    """What is played: every agent alone against William at both levels, then all tables for each number of players.

    William plays without modules, so with any there are no games alone.

    agents : their names, all different
    games : at each table; among n players rounded up to whole deals of n games
    players : numbers of players, 2 to 5, besides the games alone
    seed : of everything
    modules : of The Experts, by name; kept in the order of the rules
    hand_size : cards in a hand
    """

    agents: tuple[str, ...]
    games: int = 1000
    players: tuple[int, ...] = (2,)
    seed: int = 0
    modules: tuple[str, ...] = ()
    hand_size: int = HAND_SIZE

    def __post_init__(self) -> None:
        if not self.agents:
            raise ConfigError("a leaderboard needs at least one agent")
        for name in self.agents:
            if self.agents.count(name) > 1:
                raise ConfigError(f"agent {name!r} is there twice")
            make_agent(name)
        if not 1 <= self.games <= MOST_GAMES:
            raise ConfigError(f"games must be a number from 1 to {MOST_GAMES}, not {self.games}")
        for n in self.players:
            if not 2 <= n <= 5:
                raise ConfigError(f"players must be numbers from 2 to 5, not {n}: alone everybody plays anyway")
            if self.players.count(n) > 1:
                raise ConfigError(f"{n} players are asked for twice")
            game = make_game(GAME, players=n, modules=self.modules, hand_size=self.hand_size)
            object.__setattr__(self, "modules", game.config.modules)
        if self.modules and len(self.agents) == 1:
            raise ConfigError("alone against William there are no modules: with them a leaderboard needs at least two agents")
        if self.seed < 0:
            raise ConfigError(f"a seed must not be negative: {self.seed}")

    @property
    def tables(self) -> list[Table]:
        """All tables in the order in which they are played."""
        alone = [] if self.modules else solo_tables(self.agents)
        return alone + [table for n in self.players for table in tables_of(self.agents, n, self.modules, self.hand_size)]

    def deals(self, table: Table) -> int:
        """How many deals are played at a table."""
        return -(-self.games // table.players)

    @property
    def all_games(self) -> int:
        """How many games that makes altogether."""
        return sum(self.deals(table) * table.players for table in self.tables)


Progress = Callable[[Table, int], None]


def play_plan(plan: Plan, finished: dict[Table, Played], threads: int = 1, progress: Progress | None = None) -> None:
    """Play all tables. `finished` always holds what is finished, block by block, also when this is interrupted.

    progress : called after each step with the table and how many of its games have just ended
    """
    crew = Crew(threads)
    try:
        for table in plan.tables:
            tick = None if progress is None else lambda n, table=table: progress(table, n)
            for played in play_blocks(table, plan.deals(table), plan.seed, crew, keep=_KEPT_GAMES, tick=tick):
                finished[table] = played
    finally:
        crew.close()
