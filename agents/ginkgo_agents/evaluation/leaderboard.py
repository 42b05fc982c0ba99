"""The plan of a leaderboard, and its execution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ginkgo_agents.agents.registry import make_agent
from ginkgo_agents.evaluation.matches import Chunk, Play, Played, Table, Tick, chunks_of, here, lineups
from ginkgo_agents.evaluation.options import Config, configurations, in_words
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import game_class, make_game

MOST_GAMES = 1_000_000
_KEPT_GAMES = 2  # games of each table that are kept for records


@dataclass(frozen=True)
class Plan:
    """The games to play: in each configuration all tables of the agents (:func:`~ginkgo_agents.evaluation.matches.lineups`).

    game : its name
    agents : their names, all different; empty for those that the game suggests, each where it can play. Their order is the
        report's and does not change the numbers
    games : at each table, rounded up to whole deals
    seed : random seed, >= 0
    suggested : whether the agents are those that the game suggests
    options : values of options of the game, in place of its own configurations
        (:func:`~ginkgo_agents.evaluation.options.configurations`)

    Raises ConfigError for a plan that cannot be played.
    """

    game: str
    agents: tuple[str, ...] = ()
    games: int = 500
    seed: int = 0
    options: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    suggested: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "suggested", not self.agents)
        object.__setattr__(self, "agents", self.agents or game_class(self.game).suggested_agents)
        for name in self.agents:
            if self.agents.count(name) > 1:
                raise ConfigError(f"duplicate agent {name!r}")
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
        """Sentences: which default configurations are impossible with the options, and which suggested agents play less."""
        return [*self._configurations[1], *self._fitting[1]]

    @cached_property
    def _fitting(self) -> tuple[list[tuple[str, ...]], list[str]]:
        """The agents of each configuration, and sentences about suggested ones that were trained for others only."""
        made = {name: make_agent(name, self.game) for name in self.agents}
        found, missing = [], dict[str, list[str]]()
        for config in self.configurations:
            game, names = make_game(self.game, **config), []
            for name, agent in made.items():
                try:
                    agent.check(game)
                    names.append(name)
                except ConfigError as error:
                    if not self.suggested:
                        raise ConfigError(f"agent {name!r}: {error}") from None
                    missing.setdefault(name, []).append(in_words(game, config))
            found.append(tuple(names))
        return found, [f"Without {name}, which was not trained for it: {'; '.join(tables)}." for name, tables in missing.items()]

    @cached_property
    def tables(self) -> list[Table]:
        """All tables in the order in which they are played."""
        return [
            Table(self.game, lineup, config)
            for config, names in zip(self.configurations, self._fitting[0], strict=True)
            for lineup in lineups(names, make_game(self.game, **config).seats)
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
