"""Tables on the terminal: of leaderboards and evaluations, and of the agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from ginkgo_agents.evaluation.leaderboard import (
    Report,
    Row,
    by_configuration,
    by_ranking,
    counted,
    grid_of,
    lost_notes,
    lost_text,
    playing_rows,
    ranking_title,
)
from ginkgo_agents.evaluation.options import describe_conditions, describe_config
from ginkgo_agents.evaluation.statistics import PERCENTS, interval_text
from ginkgo_agents.pretrained import models_of
from ginkgo_agents.registry import identities_of, make_agent
from ginkgo_agents.strengths import YARDSTICK, read_strengths
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game

_LEGEND = "In brackets: 95 % intervals over deals."
_MARGIN = "Margin: own score minus the mean of the others' scores. Numbers are per seat."
_QUANTILES = f"{' / '.join(map(str, PERCENTS))} %"
_ALONE = f"{_QUANTILES}: the smallest score that this share of the games does not exceed."
_WIDEST = 10_000
_TEXTS = (
    *("agent", "agents", "against", "configuration", "lost", "task", "opponent", "versions", "networks"),
    *("action", "player", "taken", "best", "worst"),
)
"""Columns of texts."""


def show(report: Report, console: Console, notes: Iterable[str] = ()) -> None:
    """Print how it was played, the notes of the report and further ones, then all tables."""
    conditions = describe_conditions(report["versions"], report["config"]["seed"])
    for note in (conditions, *report["notes"], *notes, *lost_notes(report)):
        console.print(escape(note), highlight=False)
    legend, agents = [_LEGEND], report["config"]["agents"]
    shown = playing_rows(report) if "ratings" in report else [row for row in report["results"] if row["agent"] in agents]
    for title, rows in by_configuration(shown):
        for exact, short in zip(*(results_tables(report, title, rows, digits) for digits in (1, 0)), strict=True):
            console.print(exact if _fits(exact, console) else short)
        legend += [_MARGIN] * bool(rows[0]["margin"]) + [_ALONE] * ("quantiles" in rows[0])
    references = []
    for ranking, rows in by_ranking(report.get("ratings", ())):
        console.print(ratings_table(report, ranking))
        references.append(rows[0]["reference"])
    if references:
        legend.append(f"Elo points: difference to {escape(' and '.join(dict.fromkeys(references)))}.")
    console.print(*dict.fromkeys(legend), style="dim", highlight=False)


def show_differences(title: str, rows: list[Row], console: Console) -> None:
    """Print the rows of :func:`~ginkgo_agents.evaluation.compare.differences`."""
    kinds = {"win": ("Win %", 100.0), "margin": ("Margin", 1.0)} if "win" in rows[0] else {"score": ("Score", 1.0)}
    columns = ["Configuration", "Against", "Deals", *(name for name, _ in kinds.values())]
    lines = [
        [row["configuration"], row["opponents"], str(row["deals"])]
        + [interval_text(row[key].values(), 1, scale, "+") for key, (_, scale) in kinds.items()]
        for row in rows
    ]
    console.print(table(title, columns, lines))
    console.print(_LEGEND, style="dim", highlight=False)


def _fits(table: Table, console: Console) -> bool:
    return Measurement.get(console, console.options.update(max_width=_WIDEST), table).minimum <= console.width


def table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, fold: bool = False, bold: Sequence[bool] = ()
) -> Table:
    """A table of numbers, which do not break, and of texts, which may break between words.

    fold : whether texts may break anywhere
    bold : whether each row is in bold; by default none is
    """
    made = Table(
        title=escape(title) or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for k, column in enumerate(columns):
        cells, is_text = [row[k] for row in rows], column.lower() in _TEXTS
        parts = [part for cell in cells for part in cell.split()] if is_text else cells
        width = max(map(len, [column, *([] if is_text and fold else parts)]))
        justify: Literal["left", "right"] = "left" if is_text else "right"
        overflow: Literal["fold", "ellipsis"] = "fold" if fold else "ellipsis"
        made.add_column(column, justify=justify, no_wrap=not is_text, min_width=width, overflow=overflow)
    for row, is_bold in zip(rows, bold or [False] * len(rows), strict=True):
        made.add_row(*map(escape, row), style="bold" if is_bold else "")
    return made


def results_tables(report: Report, title: str, rows: list[Row], digits: int = 1) -> list[Table]:
    """The results in a configuration, each match once; for an evaluation, or alone, a row for each result."""
    label = label_in(report)
    if "ratings" in report and rows[0]["players"] > 1:
        down, across, cells = grid_of(rows, label)
        kinds = (("win_rate", "wins in %", 100.0, ""), ("margin", "margin in points", 1.0, "+"))
        tables = []
        for key, what, scale, sign in kinds:
            texts = {place: interval_text(row[key].values(), digits, scale, sign) for place, row in cells.items()}
            lines = [[name, *(texts.get((i, k), "") for k in range(len(across)))] for i, name in enumerate(down)]
            tables.append(table(f"{title}: {what}", ["Agents", *across], lines))
        return tables
    cells_of: dict[str, Callable[[Row], str]] = {"Agent": lambda row: label(row["agent"])}
    if rows[0]["players"] > 1:
        cells_of["Against"] = lambda row: counted(map(label, row["table"][1:]))
    if rows[0]["margin"]:
        cells_of["Win %"] = lambda row: interval_text(row["win_rate"].values(), scale=100)
        cells_of["Margin"] = lambda row: interval_text(row["margin"].values(), digits, sign="+")
    else:
        cells_of[_QUANTILES] = lambda row: " / ".join(map(str, row["quantiles"].values()))
    cells_of["Score"] = lambda row: interval_text(row["score"].values(), digits)
    if any(row["lost"] for row in rows):
        cells_of |= {"Deals played out": lambda row: f"{row['played_out']} of {row['deals']}", "Lost": lost_text}
    return [table(title, [*cells_of], [[cell(row) for cell in cells_of.values()] for row in rows])]


def label_in(report: Report) -> Callable[[str], str]:
    """The names of agents as a report shows them."""
    return lambda name: str(report["labels"].get(name, name))


def ratings_table(report: Report, ranking: str = "") -> Table:
    """The ratings of a ranking, the best agent first."""
    return table(ranking_title(ranking), ["Agent", "Games", "Elo points"], [
        [
            label_in(report)(row["agent"]),
            str(row["games"]),
            "0" if row["agent"] == row["reference"] else interval_text(row["elo"].values(), 0, sign="+"),
        ]
        for row in report["ratings"]
        if row["ranking"] == ranking
    ])  # fmt: skip


def agents_table(game: Game, names: Iterable[str], full_name: str | None) -> Table | None:
    """What is known of some agents in one game; None if none of them plays it.

    full_name : the name of the only agent with its options, for which all networks are listed
    """
    known = [one for one in read_strengths() if one.game == game.name and one.config.items() <= game.config_dict.items()]
    rows = list[list[str]]()
    for name in names:
        try:
            make_agent(full_name or name, game.name).check(game)
        except ConfigError:
            continue
        identity = identities_of(full_name or name, [game])[0]
        versions = [f"{version}{' (played)' * (version == identity.get('version'))}" for version in models_of(name, game)]
        files = [*identity.get("networks", {})]
        listed = files if full_name else [f"{len(files)} file{'s' * (len(files) > 1)}"] * bool(files)
        first = [", ".join(versions), "\n".join([*listed, *identity.get("missing", ())]) or "needs none"]
        measured = [[one.agent, one.text, f"{one.milliseconds:g}"] for one in known if one.agent.split(":")[0] == name]
        for agent, *numbers in measured or [[name, "", ""]]:
            rows.append([agent, *first, *numbers])
            first = ["", ""]
    against = "against William" if game.seats == 1 and game.automaton else f"against {YARDSTICK}" if game.sides > 1 else "alone"
    config = {name: game.config_dict[name] for name in ("level",) if game.seats == 1 and name in game.config_dict}
    title = f"{game.title}, {describe_config(game, config)}; strength {'in points ' * (game.sides == 1)}{against}"
    return table(title, ["agent", "versions", "networks", "strength", "ms a decision"], rows) if rows else None
