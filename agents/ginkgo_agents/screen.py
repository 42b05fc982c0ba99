"""A leaderboard on the terminal."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from ginkgo_agents.report import Ends, Report, modules_text

_LEGEND = "In brackets: 95 % intervals over deals. Margin: own score less the mean of the others'. Numbers are for a seat."
_NO_WILLIAM = "Alone against William there are none, so those games are left out."


def others(row: dict[str, Any]) -> str:
    """The rest of the agent's table, as in "2 greedy, random"."""
    rest = Counter(row["table"]) - Counter([row["agent"]])
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in rest.items())


def show(report: Report, console: Console) -> None:
    """Print all tables."""
    if modules := modules_text(report):
        console.print(f"The Experts: {modules}. {_NO_WILLIAM}\n", highlight=False)
    for (players, level), rows in groupby(report["results"], key=lambda row: (row["players"], row["level"])):
        console.print(results_table(players, level, list(rows)))
    legend = _LEGEND
    if report["ratings"]:
        console.print(ratings_table(report))
        legend += f" Elo points: difference to {report['ratings'][0]['reference']}."
    console.print(legend, style="dim")


def _table(title: str, *columns: str) -> Table:
    table = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
    for column in columns:
        name = column in ("Agent", "Against")
        table.add_column(column, justify="left" if name else "right", no_wrap=not name)
    return table


def _with_ends(interval: Ends, digits: int = 1, scale: float = 1.0, sign: str = "") -> str:
    """A mean with its interval; an interval with one end as in "> 297"."""
    texts = {key: f"{scale * value:{sign * (key == 'mean')}.{digits}f}" for key, value in interval.items() if value is not None}
    mean, low, high = (texts.get(key, "") for key in ("mean", "low", "high"))
    if low and high:
        return rf"{mean} \[{low},{high}]"
    bound = f"> {low}" if low else f"< {high}" if high else ""
    return mean or bound or "unknown"


def results_table(players: int, level: str | None, rows: list[dict[str, Any]]) -> Table:
    """Results alone at a level, or with a number of players. The games have a column only if they are not all as many."""
    games = {row["games"] for row in rows}
    title = f"{players} players" if players > 1 else f"Alone against William, {level} level"
    title += f", {games.pop()} games each" if len(games) == 1 else ""
    against, counted = players > 1, bool(games)
    table = _table(title, "Agent", *["Against"] * against, *["Games"] * counted, "Win %", "Score", "Margin")
    for _, at_table in groupby(rows, key=lambda row: row["table"]):
        for row in at_table:
            cells = [_with_ends(row["win_rate"], scale=100), _with_ends(row["score"]), _with_ends(row["margin"], sign="+")]
            table.add_row(row["agent"], *[others(row)] * against, *[str(row["games"])] * counted, *cells)
        if against:
            table.add_section()
    return table


def ratings_table(report: Report) -> Table:
    """Ratings, the best agent first."""
    table = _table("Ratings among players", "Agent", "Games", "Elo points", "OpenSkill", "± sigma")
    for row in report["ratings"]:
        skill = row["openskill"]
        elo = "0" if row["agent"] == row["reference"] else _with_ends(row["elo"], 0, sign="+")
        table.add_row(row["agent"], str(row["games"]), elo, f"{skill['mu']:.1f}", f"{skill['sigma']:.1f}")
    return table
