"""The plan of a leaderboard, and its execution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ginkgo_agents.agents.registry import make_agent
from ginkgo_agents.evaluation.matches import (
    Chunk,
    ChunkRunner,
    MatchConfig,
    MatchResults,
    ProgressCallback,
    chunks_of,
    lineups,
    local_runner,
)
from ginkgo_agents.evaluation.options import Config, configurations, describe_config
from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import game_class, make_game

MOST_GAMES = 1_000_000
_RECORDED_GAMES = 2  # of each match
STRONGEST = "search"
_FEWER_GAMES = 24  # with the strongest agent, whose decisions cost forty times as much as those of the next


@dataclass(frozen=True)
class Plan:
    """The matches of a leaderboard: in each configuration all lineups of the agents.

    game : name of the game
    agents : names of the agents, all different; empty for those that the game suggests and ``search``, the strongest, each in the
        configurations that it can play. Their order is that of the report and changes no number
    games : number of games of each match, rounded up to whole deals; if the agents are not named, at most 24 with ``search``
    seed : random seed, >= 0
    suggested : whether the agents are those that the game suggests
    options : values of options of the game, which replace its own configurations
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
        object.__setattr__(self, "agents", self.agents or (*game_class(self.game).suggested_agents, STRONGEST))
        for name in self.agents:
            if self.agents.count(name) > 1:
                raise ConfigError(f"duplicate agent {name!r}")
        integer(self.games, 1, MOST_GAMES, "games", ConfigError)
        integer(self.seed, 0, None, "seed", ConfigError)
        if not self.matches:
            config = self.configurations[0]
            table = describe_config(make_game(game_class(self.game), **config), config)
            raise ConfigError(f"{table}: a leaderboard requires at least two agents")

    @cached_property
    def _configurations(self) -> tuple[list[Config], list[str]]:
        return configurations(self.game, self.options)

    @property
    def configurations(self) -> list[Config]:
        """The options of the game in each configuration."""
        return self._configurations[0]

    @property
    def omissions(self) -> list[str]:
        """Sentences on what is not played, and on matches with fewer games."""
        fewer = {self.deals(match) * match.rotations for match in self.matches if self._has_fewer_games(match)}
        games = f"Matches with {STRONGEST} have {max(fewer, default=0)} games: its decisions take longer."
        return [*self._configurations[1], *self._players[1], *[games] * bool(fewer)]

    def _has_fewer_games(self, match: MatchConfig) -> bool:
        return self.suggested and STRONGEST in match.agents and self.games > _FEWER_GAMES

    @cached_property
    def _players(self) -> tuple[list[tuple[str, ...]], list[str]]:
        """The agents of each configuration, and sentences on suggested agents that were trained for others only."""
        agents = {name: make_agent(name, self.game) for name in self.agents}
        players, missing = [], dict[str, list[str]]()
        for config in self.configurations:
            game, names = make_game(game_class(self.game), **config), []
            for name, agent in agents.items():
                try:
                    agent.check(game)
                    names.append(name)
                except ConfigError as error:
                    if not self.suggested:
                        raise ConfigError(f"agent {name!r}: {error}") from None
                    missing.setdefault(name, []).append(describe_config(game, config))
            players.append(tuple(names))
        return players, [f"Without {name}, which was not trained for it: {'; '.join(where)}." for name, where in missing.items()]

    @cached_property
    def matches(self) -> list[MatchConfig]:
        """All matches in the order in which they are played."""
        return [
            MatchConfig(self.game, lineup, config)
            for config, names in zip(self.configurations, self._players[0], strict=True)
            for lineup in lineups(names, make_game(game_class(self.game), **config).seats)
        ]

    def deals(self, match: MatchConfig) -> int:
        """Number of deals of a match."""
        return -(-(_FEWER_GAMES if self._has_fewer_games(match) else self.games) // match.rotations)

    def chunks(self) -> Iterator[Chunk]:
        """All games, one match after the other."""
        for match in self.matches:
            yield from chunks_of(match, self.deals(match), self.seed, record=_RECORDED_GAMES)

    @property
    def all_games(self) -> int:
        """Number of games in total."""
        return sum(self.deals(match) * match.rotations for match in self.matches)


def play_plan(
    plan: Plan, finished: list[MatchResults], runner: ChunkRunner | None = None, progress: ProgressCallback | None = None
) -> None:
    """Play all matches. Results are added to `finished` chunk by chunk, so an interruption keeps them.

    runner : plays the chunks; by default this process, with one thread
    progress : called after each step, or each chunk, with the match and the number of its games that have just ended
    """
    for results in (runner or local_runner())(plan.chunks(), progress):
        if finished and finished[-1].match is results.match:
            finished[-1] = finished[-1].concatenate(results)
        else:
            finished.append(results)
