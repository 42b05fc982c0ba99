"""Leaderboards: the plan, its execution, and the report as plain data.

Tables, files and the plot are made from the report.

Keys of ``leaderboard.json`` (the same command line gives the same bytes):

``format``, ``version`` : ``"ginkgo-leaderboard"``, 3
``versions`` : of ginkgo_env and of the game's rules
``config`` : ``game``, ``agents``, ``games`` (of each match), ``seed``, and ``configurations``, the options of the game
``identities`` : what each agent is: all its options, its version, digests of networks or files, and what it plays without, see
    :func:`~ginkgo_agents.registry.identities_of`
``complete`` : false if the run was interrupted; then all numbers are of the finished games
``results`` : for each match and each agent in it

    ``configuration`` : in words
    ``players``, ``sides`` : numbers of seats and of sides that score (an automaton too)
    ``table`` : the agents in the order of their seats in rotation 0
    ``agent`` : the agent; its numbers are means over its seats, if it has several
    ``deals``, ``games`` : how many were played
    ``cut_off`` : number of truncated games
    ``played_out`` : number of deals of which no process lost a game
    ``lost``, ``messages`` : how many games the agent lost by errors of its own, by reason, and some first messages
    ``win_rate`` : by standings, where a shared first place is a share
    ``score`` : final points, over the deals that were played out
    ``margin`` : own score minus the mean score of the others, over the deals that were played out

    In games with one side ``win_rate`` and ``margin`` are null, and there is another key:

    ``quantiles`` : by ``"10"``, ``"50"`` and ``"90"`` the smallest points that this percentage of the games does not exceed

``labels`` : names under which agents are shown, if they are others
``timed_playouts`` : by agent, the mean number of playouts a decision where time limits them; such results do not repeat
``notes`` : sentences on such agents, on names, and on the material of the game, such as a board of our own design; often empty
``failed`` : agents that lost all their games by errors of their own; they have no ratings
``ratings`` : for each agent with games among players, the best first; one ranking after the other

    ``ranking`` : empty, or the name of a variant, whose games are ranked apart
    ``agent``, ``games``
    ``reference`` : the agent that Elo points compare with; the same in all rows
    ``elo`` : Elo points minus the reference's (:mod:`ginkgo_agents.evaluation.ratings`); 0 for the reference itself

``records`` : files of games, replayable with ``ginkgo replay``
``deals.json``, a file of its own, has the numbers of each deal (:func:`deals_of`).
``files`` : the sha256 of each other file of the run, in hexadecimal (:mod:`ginkgo_agents.evaluation.files`)

An interval is ``{"mean": ..., "low": ..., "high": ...}`` with 95 % coverage over deals; what is not known is null, such as the
ends for scores and margins of a single deal. Rates are between 0 and 1.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import groupby, starmap
from typing import Any

import numpy as np

from ginkgo_agents.evaluation.matches import (
    Chunk,
    ChunkRunner,
    Integers,
    MatchConfig,
    MatchResults,
    ProgressCallback,
    Spent,
    chunks_of,
    failed_agents,
    lineups,
    local_runner,
)
from ginkgo_agents.evaluation.options import (
    Config,
    configurations,
    describe_config,
    describe_named_values,
    label_of,
    notes_on_names,
    timed_text,
    versions_of,
)
from ginkgo_agents.evaluation.ratings import rate
from ginkgo_agents.evaluation.statistics import Interval, plain_interval, quantiles
from ginkgo_agents.evaluation.strength import AGENT, numbers_of
from ginkgo_agents.registry import identities_of, make_agent, suggested_agents
from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
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
        object.__setattr__(self, "agents", self.agents or (*suggested_agents(self.game), STRONGEST))
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


FORMAT, EVALUATION, VERSION = "ginkgo-leaderboard", "ginkgo-evaluation", 3
Report = dict[str, Any]
Row = dict[str, Any]

_DIGITS, _LONGEST_NAME = 6, 100


def report_of(plan: Plan, finished: Sequence[MatchResults]) -> Report:
    """All numbers of a leaderboard, as in ``leaderboard.json`` but for ``files``."""
    results = [
        result_of(results, results.positions_of(name))
        for results in finished
        for name in plan.agents
        if name in results.match.agents
    ]
    config = {name: getattr(plan, name) for name in ("game", "agents", "games", "seed", "configurations")}
    report = _report(config | {"agents": list(plan.agents)}, finished, results)
    playing = [results for results in finished if not {*report["failed"]} & {*results.match.agents}]
    return {"format": FORMAT, **report} | {
        "complete": sum(results.games for results in finished) == plan.all_games,
        "ratings": _ratings(plan, playing),
        "records": [name for names in record_names(finished) for name in names],
    }


def evaluation_of(
    agent: str, game: Game, config: Mapping[str, Any], games: int, seed: int, finished: Sequence[MatchResults]
) -> Report:
    """The results of the agent at the first position of matches, with each deal.

    The keys are those of a leaderboard, without ratings. Opponents have results of their own only where they lost games by
    errors of their own.
    """
    others = [(results, np.arange(1, results.match.seats)) for results in finished]
    results = [result_of(results, AGENT) for results in finished]
    results += [row for row in (result_of(*one) for one in others if len(one[1])) if row["lost"]]
    configurations = [{**game.config_dict, **config}]
    played = {"game": game.name, "agents": [agent], "games": games, "seed": seed, "configurations": configurations}
    report = _report(played, finished, results)
    return {"format": EVALUATION, **report, "deals": [deals_of(one, AGENT) for one in finished]}


def _report(config: dict[str, Any], finished: Sequence[MatchResults], results: list[Row]) -> Report:
    """What reports of leaderboards and evaluations have in common.

    config : the game, the agents, the number of games, the seed and the configurations
    """
    game: str = config["game"]
    names = dict.fromkeys(name for results in finished for name in results.match.agents)
    boards = describe_named_values(make_game(game_class(game), **options) for options in config["configurations"])
    spent = {
        name: reduce(Spent.plus, (one.spent[name] for one in finished if name in one.spent), Spent(0, 0.0)) for name in names
    }
    timed = {name: round(own.timed_playouts / own.decisions, 1) for name, own in spent.items() if own.timed_playouts}
    return {
        "version": VERSION,
        "versions": versions_of(game),
        "config": config,
        "identities": {name: identities_of(name, _games_of(name, finished)) for name in names},
        "labels": {name: label for name in names if (label := label_of(name, game)) != name},
        "timed_playouts": timed,
        "notes": [*starmap(timed_text, timed.items()), *boards, *notes_on_names(names, game)],
        "failed": failed_agents(finished),
        "results": results,
    }


def _games_of(name: str, finished: Sequence[MatchResults]) -> list[Game]:
    """The games that an agent has played, each configuration once."""
    games = {one.match.configuration: one.match.game_object for one in finished if name in one.match.agents}
    return [*games.values()]


def result_of(results: MatchResults, positions: Integers) -> Row:
    """The numbers of the agent at some positions of a match."""
    match, numbers = results.match, numbers_of([results], positions)
    intervals = {key: plain_interval(value) for key, value in numbers.items() if isinstance(value, Interval)}
    row = {
        "configuration": match.configuration,
        "players": match.seats,
        "sides": match.sides,
        "table": list(match.agents),
        "agent": match.agents[positions[0]],
        "cut_off": results.cut_off,
        **{key: value for key, value in numbers.items() if key not in intervals},
        "win_rate": intervals.get("win"),
        "score": intervals["score"],
        "margin": intervals.get("margin"),
    }
    return row if match.sides > 1 else row | {"quantiles": quantiles(results.totals.ravel())}


def deals_of(results: MatchResults, positions: Integers) -> dict[str, Any]:
    """The numbers of each deal for the agent at some positions of a match, in columns."""
    agents, means = results.match.agents, results.means(positions)
    opponents = sorted(name for position, name in enumerate(agents) if position not in positions)
    head = {"configuration": results.match.configuration, "agent": agents[positions[0]], "opponents": opponents}
    columns = {key: [None if math.isnan(x) else round(x, _DIGITS) for x in values.tolist()] for key, values in means.items()}
    return head | {"seed": results.seeds.tolist()} | columns


def _ratings(plan: Plan, finished: Sequence[MatchResults]) -> list[Row]:
    """The ratings of each ranking: variants of a game are ranked apart."""
    met: dict[str, list[MatchResults]] = {}
    for results in finished:
        met.setdefault(results.match.game_object.variant, []).append(results)
    ratings = [(ranking, rating) for ranking in met for rating in rate(met[ranking], plan.agents, plan.seed)]
    return [{"ranking": ranking} | rating._asdict() | {"elo": plain_interval(rating.elo, 1)} for ranking, rating in ratings]


# --- names and texts that files, terminal and plot share -----------------------------------------------------------------------


def record_names(finished: Sequence[MatchResults]) -> list[list[str]]:
    """The names of the files of the recorded games, by match."""
    names = []
    for number, results in enumerate(finished, 1):
        words = f"{number:02}-{results.match.configuration}-{'-'.join(results.match.agents)}"
        name = re.sub(r"[^\w.-]+", "-", words, flags=re.ASCII)[:_LONGEST_NAME]
        names.append([f"records/{name}-{k}.jsonl" for k in range(len(results.recorded))])
    return names


def playing_rows(report: Report) -> list[Row]:
    """The results without those of matches in which an agent lost all games by errors of its own."""
    return [row for row in report["results"] if not {*report["failed"]} & {*row["table"]}]


def lost_text(row: Row) -> str:
    """The numbers of lost games by reason, as text."""
    return ", ".join(f"{n} {why}" for why, n in row.get("lost", {}).items())


def lost_notes(report: Report) -> list[str]:
    """A sentence for each agent and match with lost games."""
    return [
        f"{row['agent']} lost {sum(row['lost'].values())} of {row['games']} games by errors of its own ({lost_text(row)}), "
        f"{row['configuration']}{against and ' against '}{against}: {'; '.join(row['messages'])}."
        for row in report["results"]
        if row["lost"]
        for against in [opponents(row)]
    ]


def strongest_first(rows: Iterable[Row]) -> list[str]:
    """The agents of a configuration by their mean win rate, or score in a game with one side."""
    values: dict[str, list[float]] = {}
    for row in rows:
        values.setdefault(row["agent"], []).append((row["win_rate"] or row["score"])["mean"])
    return sorted(values, key=lambda name: -sum(values[name]) / len(values[name]))


def grid_of(rows: list[Row], label: Callable[[str], str]) -> tuple[list[str], list[str], dict[tuple[int, int], Row]]:
    """The matches of a configuration as labels of rows and of columns, and cells, each match once.

    Of two players the row's agent meets the column's; of more players a row is a match, with a column for each of its agents.
    """
    names = strongest_first(rows)
    if rows[0]["players"] == 2:
        entries = ((names.index(row["agent"]), names.index(opponents(row)) - 1, row) for row in rows)
        return [*map(label, names[:-1])], [*map(label, names[1:])], {(i, k): row for i, k, row in entries if i <= k}
    tables = sorted({tuple(row["table"]) for row in rows}, key=lambda table: sorted(map(names.index, table)))
    cells = {(tables.index(tuple(row["table"])), names.index(row["agent"])): row for row in rows}
    return [counted(map(label, sorted(table, key=names.index))) for table in tables], [*map(label, names)], cells


def by_configuration(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Group results by configuration, with titles that give common numbers of deals and games."""
    groups = []
    for configuration, group in groupby(rows, key=lambda row: row["configuration"]):
        members, title = list(group), configuration[:1].upper() + configuration[1:]
        if len({row["games"] for row in members}) == 1:
            title += f", {members[0]['deals']} deals, {members[0]['games']} games each"
        groups.append((title, members))
    return groups


def by_ranking(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Group ratings by ranking."""
    return [(ranking, list(group)) for ranking, group in groupby(rows, key=lambda row: row["ranking"])]


def ranking_title(ranking: str) -> str:
    """The title of a ranking."""
    return f"Ratings among players ({ranking})" if ranking else "Ratings among players"


def opponents(row: Row) -> str:
    """The other agents of the match, as in ``2 greedy, random``."""
    return counted((Counter(row["table"]) - Counter([row["agent"]])).elements())


def counted(names: Iterable[str]) -> str:
    """Names with their numbers, as in ``2 greedy, random``."""
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in Counter(names).items())
