"""A leaderboard on the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from ginkgo_agents.evaluation.reports import Ends, Report, Row, by_configuration, by_ranking, opponents, ranking_title, same_games
from ginkgo_agents.evaluation.statistics import PERCENTS

_LEGEND = "In brackets: 95 % intervals over deals."
_MARGIN = "Margin: own score minus the mean of the others' scores. Numbers are per seat."
_QUANTILES = f"{' / '.join(map(str, PERCENTS))} %"
_ALONE = f"{_QUANTILES}: the smallest score that this share of the games does not exceed."
_WIDEST = 10_000


def show(report: Report, console: Console, notes: Iterable[str] = ()) -> None:
    """Print the notes of the report and further ones, then all tables."""
    for note in (*report["notes"], *notes):
        console.print(escape(note), highlight=False)
    for title, rows in by_configuration(report["results"]):
        exact, short = (results_table(title, rows, digits) for digits in (1, 0))
        console.print(exact if _fits(exact, console) else short)
    legend = [_LEGEND]
    if any(row["margin"] for row in report["results"]):
        legend.append(_MARGIN)
    if any("quantiles" in row for row in report["results"]):
        legend.append(_ALONE)
    references = []
    for ranking, rows in by_ranking(report["ratings"]):
        console.print(ratings_table(report, ranking))
        references.append(rows[0]["reference"])
    if references:
        legend.append(f"Elo points: difference to {escape(' and '.join(dict.fromkeys(references)))}.")
    console.print(*legend, style="dim", highlight=False)


def _fits(table: Table, console: Console) -> bool:
    return Measurement.get(console, console.options.update(max_width=_WIDEST), table).minimum <= console.width


def _table(title: str, columns: list[str], rows: list[list[str]]) -> Table:
    """A table of numbers, which do not break, and names, which may break between words."""
    table = Table(
        title=escape(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
    for column, cells in zip(columns, zip(*rows, strict=True), strict=True):
        names = column in ("Agent", "Against")
        words = [word for cell in cells for word in (cell.split() if names else [cell])]
        table.add_column(
            column, justify="left" if names else "right", no_wrap=not names, min_width=max(map(len, [column, *words]))
        )
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def _with_ends(interval: Ends, digits: int = 1, scale: float = 1.0, sign: str = "") -> str:
    """A mean and the ends of its interval, if there are any (a single deal gives none)."""
    mean, *ends = (
        f"{scale * end:{form}.{digits}f}" for form, end in zip((sign, "", ""), interval.values(), strict=True) if end is not None
    )
    return f"{mean} [{','.join(ends)}]" if ends else mean


def results_table(title: str, rows: list[Row], digits: int = 1) -> Table:
    """The results in a configuration. Numbers of games have a column only if they differ."""
    against, counted, competed = rows[0]["players"] > 1, same_games(rows) is None, rows[0]["margin"] is not None
    columns = ["Agent", *["Against"] * against, *["Games"] * counted, *["Win %"] * competed, "Score"]
    columns.append("Margin" if competed else _QUANTILES)
    lines = []
    for row in rows:
        cells = [row["agent"], *[opponents(row)] * against, *[str(row["games"])] * counted]
        cells += [_with_ends(row["win_rate"], scale=100)] if competed else []
        cells += [_with_ends(row["score"], digits)]
        cells += [_with_ends(row["margin"], digits, sign="+") if competed else " / ".join(map(str, row["quantiles"].values()))]
        lines.append(cells)
    table = _table(title, columns, lines)
    for row, after, line in zip(rows, rows[1:], table.rows, strict=False):
        line.end_section = against and row["table"] != after["table"]
    return table


def ratings_table(report: Report, ranking: str = "") -> Table:
    """The ratings of a ranking, the best agent first."""
    return _table(ranking_title(ranking), ["Agent", "Games", "Elo points"], [
        [
            row["agent"],
            str(row["games"]),
            "0" if row["agent"] == row["reference"] else _with_ends(row["elo"], 0, sign="+"),
        ]
        for row in report["ratings"]
        if row["ranking"] == ranking
    ])  # fmt: skip
