"""Paired differences of two agents over the same deals, from what the commands wrote."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ginkgo_agents.evaluation.files import DEALS, REPORT, RUN, TASKS, read_folder, read_json
from ginkgo_agents.evaluation.leaderboard import EVALUATION, Row, counted
from ginkgo_agents.evaluation.options import describe_conditions
from ginkgo_agents.evaluation.statistics import mean_rate, plain_interval, student
from ginkgo_env.core.errors import ConfigError, join_names, short_repr

NUMBERS = ("win", "score", "margin")
_ALL = "all"
Deals = dict[tuple[str, str, tuple[str, ...]], dict[int, list[Row]]]
"""By conditions, configuration and opponents: the numbers of an agent in games or means over them, by the seed of the deal."""


def read_results(path: Path) -> list[Row]:
    """Read what a command wrote: numbers of agents in matches, with the conditions of each match.

    path : the folder of ``ginkgo leaderboard`` or ``ginkgo benchmark``, or the file of ``ginkgo evaluate``. Training sets of
        tasks are left out
    """
    if (path / RUN).exists():
        run = read_json(path / RUN)
        head = {"agent": run["agent"], "conditions": f"ginkgo_env {run['ginkgo_env']}"}
        return [head | read_json(file)["games"] for file in sorted((path / TASKS).glob("*.json")) if "-train-v" not in file.name]
    report = read_folder(path) if (path / REPORT).exists() else read_json(path)
    if not path.is_dir() and (not isinstance(report, dict) or report.get("format") != EVALUATION):
        raise ConfigError(f"{short_repr(str(path))} holds no results of ginkgo leaderboard, evaluate or benchmark")
    conditions = {"conditions": describe_conditions(report["versions"], report["config"]["seed"])}
    return [conditions | row for row in (read_json(path / DEALS) if path.is_dir() else report["deals"])]


def differences(results: Sequence[Row], agent: str, other: str) -> list[Row]:
    """The mean differences of two agents over the deals that both played, by match and in all.

    Games of the two against each other do not count. Raises ConfigError if an agent has no results, or if the two were not played
    under the same conditions, in the same configurations, against the same opponents and on the same deals.
    """
    ours, theirs = (_deals(results, name) for name in (agent, other))
    for deals, others in ((ours, theirs), (theirs, ours)):
        for key in [key for key in deals if key not in others and {agent, other} & {*key[-1]}]:
            del deals[key]
    for k, what in enumerate(("versions or seeds", "configurations", "opponents")):
        sets = [{key[k] if k < 2 else counted(key[k]) for key in deals} for deals in (ours, theirs)]
        if sets[0] != sets[1]:
            apart = (f"{short_repr(name)} {join_names(sorted(own))}" for name, own in zip((agent, other), sets, strict=True))
            raise ConfigError(f"results of different {what} cannot be compared: {'; '.join(apart)}")
    rows, overall = [], defaultdict[int, list[Row]](list)
    for key in ours:
        seeds = sorted(ours[key].keys() & theirs.get(key, {}).keys())
        if not seeds:
            raise ConfigError(f"the agents have no deal in common: {key[1]} against {counted(key[2])}")
        apart_by_deal = [_difference(ours[key][seed], theirs[key][seed]) for seed in seeds]
        rows.append({"configuration": key[1], "opponents": counted(key[2])} | _intervals(apart_by_deal))
        for seed, row in zip(seeds, apart_by_deal, strict=True):
            overall[seed].append(row)
    mean = [{name: np.mean([row[name] for row in own]) for name in own[0]} for own in overall.values()]
    return rows if len(rows) == 1 else [*rows, {"configuration": _ALL, "opponents": _ALL} | _intervals(mean)]


def _deals(results: Sequence[Row], agent: str) -> Deals:
    deals: Deals = {}
    for row in results:
        if row["agent"] != agent:
            continue
        for i, seed in enumerate(row["seed"]):
            if "task" in row:  # of the benchmark: a row for each game
                configuration, opponents = f"{row['task'][i]}, configuration {row['configuration'][i]}", [row["opponent"][i]]
            else:
                configuration, opponents = row["configuration"], row["opponents"]
            game = {name: row[name][i] for name in NUMBERS if name in row}
            deals.setdefault((row["conditions"], configuration, tuple(opponents)), {}).setdefault(seed, []).append(game)
    if not deals:
        raise ConfigError(
            f"no results of {short_repr(agent)}; agents: {join_names(dict.fromkeys(row['agent'] for row in results))}"
        )
    return deals


def _difference(ours: list[Row], theirs: list[Row]) -> Row:
    """The difference on one deal, of the means over its games; nan where it is not known."""
    one, two = (
        {name: np.mean([math.nan if game[name] is None else game[name] for game in own]) for name in own[0]}
        for own in (ours, theirs)
    )
    return {name: one[name] - two[name] for name in one}


def _intervals(deals: list[Row]) -> Row:
    row: Row = {"deals": len(deals)}
    for name in deals[0]:
        values = np.array([deal[name] for deal in deals])
        known = values[np.isfinite(values)]
        row[name] = plain_interval(mean_rate(known, -1.0, 1.0) if name == "win" else student(known))
    return row
