"""The report of a leaderboard as plain data, from which tables, files and the plot are made.

Keys of ``leaderboard.json`` (the same command line gives the same bytes):

``format``, ``version`` : ``"ginkgo-leaderboard"``, 2
``versions`` : of ginkgo_env and of the game's rules
``config`` : ``game``, ``agents``, ``games`` (of each match), ``seed``, and ``configurations``, the options of the game
``identities`` : what each agent is: all its options, its version, digests of networks or files, and what it plays without, see
    :func:`~ginkgo_agents.agents.registry.identities_of`
``complete`` : false if the run was interrupted; then all numbers are of the finished games
``results`` : for each match and each agent in it

    ``configuration`` : in words
    ``players``, ``sides`` : numbers of seats and of sides that score (an automaton too)
    ``table`` : the agents in the order of their seats in rotation 0
    ``agent`` : the agent; its numbers are means over its seats, if it has several
    ``deals``, ``games`` : how many were played
    ``cut_off`` : number of truncated games
    ``win_rate`` : by standings, where a shared first place is a share; Wilson interval with deals as trials
    ``score`` : final points, Student's interval over deals
    ``margin`` : own score minus the mean score of the others, Student's interval over deals

    In games with one side ``win_rate`` and ``margin`` are null, and there is another key:

    ``quantiles`` : by ``"10"``, ``"50"`` and ``"90"`` the smallest points that this percentage of the games does not exceed

``notes`` : sentences on the material of the game, such as a board of our own design; often empty
``ratings`` : for each agent with games among players, the best first; one ranking after the other

    ``ranking`` : empty, or the name of a variant, whose games are ranked apart
    ``agent``, ``games``
    ``reference`` : the agent that Elo points compare with; the same in all rows
    ``elo`` : Elo points minus the reference's (:mod:`ginkgo_agents.evaluation.ratings`); 0 for the reference itself

``records`` : files of games, replayable with ``ginkgo replay``
``files`` : the sha256 of each other file of the run, in hexadecimal (:mod:`ginkgo_agents.evaluation.files`)

An interval is ``{"mean": ..., "low": ..., "high": ...}`` with 95 % coverage; ``low`` and ``high`` are null for scores and margins
of a single deal. Rates are between 0 and 1.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import ginkgo_env
from ginkgo_agents.agents.registry import identities_of
from ginkgo_agents.evaluation.leaderboard import Plan
from ginkgo_agents.evaluation.matches import MatchResults
from ginkgo_agents.evaluation.options import describe_named_values
from ginkgo_agents.evaluation.ratings import rate
from ginkgo_agents.evaluation.statistics import Interval, quantiles, student, wilson
from ginkgo_env.core.game import Game
from ginkgo_env.registry import game_class, make_game

FORMAT, VERSION = "ginkgo-leaderboard", 2
Report = dict[str, Any]
Row = dict[str, Any]
Ends = dict[str, float | None]

_DIGITS = 6
_LONGEST_NAME = 100


def report_of(plan: Plan, finished: Sequence[MatchResults]) -> Report:
    """All numbers of a leaderboard, as in ``leaderboard.json`` but for ``files``."""
    rows = [(results, name) for results in finished for name in plan.agents if name in results.match.agents]
    return {
        "format": FORMAT,
        "version": VERSION,
        "versions": {
            "ginkgo_env": ginkgo_env.__version__,
            "game": f"{plan.game}-v{game_class(plan.game).version}",
        },
        "config": {
            "game": plan.game,
            "agents": list(plan.agents),
            "games": plan.games,
            "seed": plan.seed,
            "configurations": plan.configurations,
        },
        "identities": {name: identities_of(name, games) for name, games in _played_games(plan).items()},
        "complete": sum(results.games for results in finished) == plan.all_games,
        "notes": describe_named_values(make_game(game_class(plan.game), **config) for config in plan.configurations),
        "results": [_result(results, name) for results, name in rows],
        "ratings": _ratings(plan, finished),
        "records": [name for names in record_names(finished) for name in names],
    }


def _played_games(plan: Plan) -> dict[str, list[Game]]:
    """The games that each agent plays, each configuration once."""
    games: dict[str, dict[str, Game]] = {}
    for match in plan.matches:
        for name in match.agents:
            games.setdefault(name, {})[match.configuration] = match.game_object
    return {name: [*games[name].values()] for name in plan.agents if name in games}


def _result(results: MatchResults, name: str) -> Row:
    match, seats = results.match, results.positions_of(name)
    alone = match.sides == 1
    row = {
        "configuration": match.configuration,
        "players": match.seats,
        "sides": match.sides,
        "table": list(match.agents),
        "agent": name,
        "deals": results.deals,
        "games": results.games,
        "cut_off": results.cut_off,
        "win_rate": None if alone else _ends(wilson(float(results.wins[:, :, seats].mean(axis=(1, 2)).sum()), results.deals)),
        "score": _ends(student(results.totals[:, :, seats].mean(axis=(1, 2)))),
        "margin": None if alone else _ends(student(results.margins[:, :, seats].mean(axis=(1, 2)))),
    }
    return row | {"quantiles": quantiles(results.totals.ravel())} if alone else row


def _ratings(plan: Plan, finished: Sequence[MatchResults]) -> list[Row]:
    """The ratings of each ranking: variants of a game are ranked apart."""
    met: dict[str, list[MatchResults]] = {}
    for results in finished:
        met.setdefault(results.match.game_object.variant, []).append(results)
    ratings = [(ranking, rating) for ranking in met for rating in rate(met[ranking], plan.agents, plan.seed)]
    return [{"ranking": ranking} | rating._asdict() | {"elo": _ends(rating.elo, 1)} for ranking, rating in ratings]


def _ends(interval: Interval, digits: int = _DIGITS) -> Ends:
    """An interval as plain data, with None for what is not finite."""
    return {key: round(value, digits) if math.isfinite(value) else None for key, value in interval._asdict().items()}


# --- names and texts that files, terminal and plot share -----------------------------------------------------------------------


def record_names(finished: Sequence[MatchResults]) -> list[list[str]]:
    """The names of the files of the recorded games, by match."""
    names = []
    for number, results in enumerate(finished, 1):
        words = f"{number:02}-{results.match.configuration}-{'-'.join(results.match.agents)}"
        name = re.sub(r"[^\w.-]+", "-", words, flags=re.ASCII)[:_LONGEST_NAME]
        names.append([f"records/{name}-{k}.jsonl" for k in range(len(results.recorded))])
    return names


def by_configuration(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Group results by configuration, with titles that give the number of games if it is the same."""
    groups = []
    for configuration, group in groupby(rows, key=lambda row: row["configuration"]):
        members = list(group)
        games = same_games(members)
        title = configuration[:1].upper() + configuration[1:]
        groups.append((title if games is None else f"{title}, {games} games each", members))
    return groups


def by_ranking(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Group ratings by ranking."""
    return [(ranking, list(group)) for ranking, group in groupby(rows, key=lambda row: row["ranking"])]


def ranking_title(ranking: str) -> str:
    """The title of a ranking."""
    return f"Ratings among players ({ranking})" if ranking else "Ratings among players"


def same_games(rows: Iterable[Row]) -> int | None:
    """The number of games of the rows; None if they differ."""
    games = {row["games"] for row in rows}
    return games.pop() if len(games) == 1 else None


def opponents(row: Row) -> str:
    """The other agents of the match, as in ``2 greedy, random``."""
    rest: Counter[str] = Counter(row["table"]) - Counter([row["agent"]])
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in rest.items())
