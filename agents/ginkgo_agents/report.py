"""What a leaderboard says: one piece of plain data, from which table, files and plot are made.

Keys of ``leaderboard.json`` (the same command line gives the same bytes):

``format``, ``version`` : ``"ginkgo-leaderboard"``, 1
``versions`` : of ginkgo_env, the game's rules, and the libraries that compute ratings
``config`` : ``agents``, ``games`` (at each table), ``players``, ``seed``, as asked for; with modules of The Experts also
    ``modules`` and ``hand_size``
``complete`` : false if the run was interrupted; then everything tells of the games that were finished
``results`` : for each table and each agent at it

    ``players`` : seats; 1 is alone against William
    ``level`` : William's; null among players
    ``table`` : the agents in the order of their seats in rotation 0
    ``agent`` : whom the numbers tell about; the mean of its seats, if it has several
    ``deals``, ``games`` : how many were played
    ``cut_off`` : how many games reached the bound on rounds
    ``win_rate`` : a win 1, a shared first place its share; Wilson interval with deals as trials
    ``score`` : points in the end, Student's interval over deals
    ``margin`` : own score less the mean of the others' scores, Student's interval over deals

``ratings`` : for each agent that met others, the best first

    ``agent``, ``games``
    ``reference`` : the agent that Elo points compare with; the same in all rows
    ``elo`` : Elo points less the reference's, order-free (:mod:`ginkgo_agents.ratings`); 0 for the reference itself
    ``openskill`` : ``mu``, ``sigma``, and ``ordinal`` = mu - 3 sigma

``records`` : files of games, replayable with ``ginkgo replay``

An interval is ``{"mean": ..., "low": ..., "high": ...}`` and means 95 %; null where it is open: who never
lost has an Elo ``low``, but no ``high`` and no ``mean``. Rates are between 0 and 1.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import ginkgo_env
from ginkgo_agents.arena import GAME, KeptGame, Played, Table
from ginkgo_agents.leaderboard import Plan
from ginkgo_agents.ratings import Rating, rate
from ginkgo_agents.statistics import Interval, student, wilson
from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.games.ginkgopolis.constants import HAND_SIZE
from ginkgo_env.records import Record
from ginkgo_env.records.form import MAX_NAME
from ginkgo_env.registry import game_class, make_game

FORMAT, VERSION = "ginkgo-leaderboard", 1
Report = dict[str, Any]
Ends = dict[str, float | None]

_DIGITS = 6
_COLUMNS = ("players", "level", "table", "agent", "deals", "games", "cut_off")
_INTERVALS = ("win_rate", "score", "margin")


class ReportError(GinkgoError):
    """Files that cannot be written."""


def report_of(plan: Plan, finished: Mapping[Table, Played]) -> Report:
    """All numbers of a leaderboard, as in ``leaderboard.json``."""
    played = [finished[table] for table in plan.tables if table in finished]
    return {
        "format": FORMAT,
        "version": VERSION,
        "versions": {
            "ginkgo_env": ginkgo_env.__version__,
            "game": f"{GAME}-v{game_class(GAME).version}",
            "openskill": version("openskill"),
        },
        "config": _config(plan),
        "complete": sum(p.games for p in played) == plan.all_games,
        "results": [_result(p, name) for p in played for name in dict.fromkeys(p.table.lineup)],
        "ratings": [_rating(rating) for rating in rate(played, plan.agents, plan.seed)],
        "records": [name for p in played for name in record_names(p)],
    }


def _config(plan: Plan) -> dict[str, Any]:
    config = {"agents": list(plan.agents), "games": plan.games, "players": list(plan.players), "seed": plan.seed}
    return {**config, "modules": list(plan.modules), "hand_size": plan.hand_size} if plan.modules else config


def modules_text(report: Report) -> str:
    """The modules in words, hands of five too; nothing without modules."""
    config = report["config"]
    if "modules" not in config:
        return ""
    names = game_class(GAME).option_texts(config)["modules"]
    many = "all modules" if names == "all" else f"module{'s' * (',' in names)} {names.replace(',', ', ')}"
    return many + (", hands of five" if config["hand_size"] != HAND_SIZE else "")


def _interval(interval: Interval, digits: int = _DIGITS) -> Ends:
    return {key: round(value, digits) if math.isfinite(value) else None for key, value in interval._asdict().items()}


def _result(played: Played, name: str) -> dict[str, Any]:
    table, seats = played.table, played.seats_of(name)
    return {
        "players": table.players,
        "level": table.level if table.players == 1 else None,
        "table": list(table.lineup),
        "agent": name,
        "deals": played.deals,
        "games": played.games,
        "cut_off": played.cut_off,
        "win_rate": _interval(wilson(float(played.wins[:, :, seats].mean(axis=(1, 2)).sum()), played.deals)),
        "score": _interval(student(played.totals[:, :, seats].mean(axis=(1, 2)))),
        "margin": _interval(student(played.margins[:, :, seats].mean(axis=(1, 2)))),
    }


def _rating(rating: Rating) -> dict[str, Any]:
    skill = {"mu": rating.mu, "sigma": rating.sigma, "ordinal": rating.mu - 3 * rating.sigma}
    return {
        "agent": rating.agent,
        "games": rating.games,
        "reference": rating.reference,
        "elo": _interval(rating.elo, 1),
        "openskill": {key: round(value, _DIGITS) for key, value in skill.items()},
    }


# --- files -----------------------------------------------------------------------------------------------------------------


def write_files(report: Report, finished: Mapping[Table, Played], folder: Path) -> list[str]:
    """Write JSON, tables, plot and records into a folder, which is made if need be; return the files' names.

    Raises ReportError if that is impossible.
    """
    from ginkgo_agents.plot import plot

    texts = {
        "leaderboard.json": json.dumps(report, indent=2) + "\n",
        "leaderboard.csv": results_csv(report),
        "ratings.csv": ratings_csv(report),
    }
    for played in finished.values():
        for name, game in zip(record_names(played), played.kept, strict=True):
            texts[name] = record_of(game).dumps()
    try:
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        plot(report, folder / "leaderboard.png")
    except OSError as error:
        raise ReportError(f"cannot write into {str(folder)!r}: {error.strerror or error}") from None
    return [*texts, "leaderboard.png"]


def record_of(kept: KeptGame) -> Record:
    """A kept game as a record; long names of agents lose their beginning."""
    names = [name[-MAX_NAME:] for name in kept.players]
    return Record.from_actions(make_game(GAME, **kept.config), kept.seed, kept.actions, names)


def record_names(played: Played) -> list[str]:
    """Names of the files of a table's kept games."""
    table = played.table
    kind = f"alone-{table.level}" if table.players == 1 else f"{table.players}-players"
    names = "-".join(name.replace(":", ".") for name in table.lineup)
    return [f"records/{kind}-{names}-{k}.jsonl" for k in range(len(played.kept))]


def _csv(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _flat(name: str, interval: Ends) -> Ends:
    return {name: interval["mean"], f"{name}_low": interval["low"], f"{name}_high": interval["high"]}


def results_csv(report: Report) -> str:
    """The results as a table: the interval of x in the columns x, x_low, x_high."""
    rows = []
    for result in report["results"]:
        row = {column: result[column] for column in _COLUMNS} | {"table": " ".join(result["table"])}
        for name in _INTERVALS:
            row |= _flat(name, result[name])
        rows.append(row)
    return _csv(rows)


def ratings_csv(report: Report) -> str:
    """The ratings as a table."""
    return _csv([
        {key: row[key] for key in ("agent", "games", "reference")} | _flat("elo", row["elo"]) | row["openskill"]
        for row in report["ratings"]
    ])  # fmt: skip
