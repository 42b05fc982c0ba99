"""An analysis in a notebook."""

from __future__ import annotations

from html import escape

from ginkgo_agents.analysis.results import AnalysisResults
from ginkgo_agents.analysis.text import LEGEND, AnalysisText, Rows


def html_of(analysis: AnalysisResults) -> str:
    """The picture, summary and decisions of a record, or the actions of a single decision, as HTML."""
    words = AnalysisText(analysis)
    parts = [f"<p><b>{escape(words.heading)}</b></p>"]
    if analysis.record is None or len(analysis.decisions) == 1:
        for decision in analysis.decisions:
            parts += [f"<p>{escape(words.describe(decision))}</p>", _table(*words.actions(decision))]
    else:
        folded = f"<details><summary>All decisions</summary>{_table(*words.decisions())}</details>"
        parts += [_picture(analysis), _table(*words.players()), folded]
    parts.append(f"<p><small>{escape(words.meaning)} {escape(LEGEND)}</small></p>")
    return "<div>" + "\n".join(parts) + "</div>"


def _table(columns: list[str], rows: Rows) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _picture(analysis: AnalysisResults) -> str:
    from ginkgo_agents.analysis.picture import svg_of

    svg = svg_of(analysis)
    return svg[svg.index("<svg") :]  # without the XML declaration
