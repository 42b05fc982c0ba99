"""An analysis on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ginkgo_agents.analysis.results import AnalysisResults
from ginkgo_agents.analysis.text import LEGEND, AnalysisText, Rows

_TEXTS = ("Action", "Player", "Taken", "Best", "Worst")
"""Columns of text, which may break; numbers do not."""


def show(analysis: AnalysisResults, console: Console) -> None:
    """Print a decision with its actions, or the decisions of a record with a summary of each player.

    The worst decisions of each player are in bold.
    """
    words = AnalysisText(analysis)
    console.print(escape(words.heading), style="bold", highlight=False)
    if analysis.record is None or len(analysis.decisions) == 1:
        for decision in analysis.decisions:
            console.print(escape(words.describe(decision)), highlight=False)
            console.print(_table(*words.actions(decision)))
    else:
        worst = [decision for player in analysis.players for decision in player.worst]
        console.print(_table(*words.decisions(), bold=[decision in worst for decision in analysis.decisions]))
        console.print(_table(*words.players()))
    console.print(words.meaning, LEGEND, style="dim", highlight=False)


def _table(columns: list[str], rows: Rows, bold: Sequence[bool] = ()) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for column, cells in zip(columns, zip(*rows, strict=True), strict=True):
        if column in _TEXTS:
            table.add_column(column, overflow="fold", min_width=len(column))
        else:
            table.add_column(column, justify="right", no_wrap=True, min_width=max(map(len, [column, *cells])))
    for row, is_bold in zip(rows, bold or [False] * len(rows), strict=True):
        table.add_row(*map(escape, row), style="bold" if is_bold else "")
    return table
