"""The texts and numbers of an analysis, on the terminal and in notebooks."""

from __future__ import annotations

import html

from rich.console import Console
from rich.markup import escape

from ginkgo_agents.analysis.results import WIN, AnalysisResults, Decision, Player
from ginkgo_agents.evaluation.console import table
from ginkgo_agents.evaluation.statistics import Interval, interval_text
from ginkgo_env.core.errors import truncate

Rows = list[list[str]]

_NAME = 16  # characters of a name in the table of decisions

LEGEND = "In brackets or after ±: 95 % intervals over worlds; of a mean loss, over decisions."


class AnalysisText:
    """The texts of an analysis: values and losses in percent, or in points of the game."""

    def __init__(self, analysis: AnalysisResults) -> None:
        self.analysis = analysis
        won = analysis.unit == WIN
        self._scale = 100.0 if won else 1.0
        self.value = "Chance %" if won else "Score"
        self.loss = "Loss %" if won else "Loss"

    @property
    def heading(self) -> str:
        """The game and its options."""
        game = self.analysis.game
        title = game.title + (f" ({game.variant})" if game.variant else "")
        options = ", ".join(f"{key} {text}" for key, text in game.option_texts(game.config_dict).items())
        return f"{title}: {options}"

    @property
    def meaning(self) -> str:
        """The meaning of values and losses."""
        analysis = self.analysis
        value = "Chance %: the chance to win" if analysis.unit == WIN else "Score: the expected final score"
        how = "every world played to its end" if not analysis.ahead else f"judged {analysis.ahead} own decisions later"
        return (
            f"{value} if all play on as {analysis.agent} does, over {analysis.worlds} worlds as the seat may know them, {how}. "
            f"{self.loss}: how much more the best action found is worth."
        )

    def number(self, value: float) -> str:
        """A value or loss as text."""
        return f"{round(self._scale * value, 1) + 0.0:.1f}"  # never -0.0

    def interval(self, interval: Interval) -> str:
        """A mean with the ends of its interval."""
        return interval_text(interval, 1, self._scale)

    def short(self, interval: Interval) -> str:
        """A mean and the distance of the farther end of its interval."""
        return f"{self.number(interval.mean)} ±{self.number(max(interval.high - interval.mean, interval.mean - interval.low))}"

    def actions(self, decision: Decision) -> tuple[list[str], Rows]:
        """Columns and rows of the actions of a decision."""
        taken = decision.taken is not None
        columns = ["Action", self.value, self.loss, *["Taken"] * taken]
        return columns, [
            [option.action, self.interval(option.value), self.interval(option.loss)]
            + [("yes" if option is decision.taken else "")] * taken
            for option in decision.options
        ]

    def decisions(self) -> tuple[list[str], Rows]:
        """Columns and rows of the decisions of a record; the best action is given if another one was taken."""
        rounds = any(decision.round is not None for decision in self.analysis.decisions)
        columns = ["Step", *["Round"] * rounds, "Player", self.value, "Taken", self.loss, "Best"]
        return columns, [self._decision(decision, rounds) for decision in self.analysis.decisions]

    def _decision(self, decision: Decision, rounds: bool) -> list[str]:
        best = decision.taken is decision.best
        head = [str(decision.step), *[str(decision.round)] * rounds, truncate(self.analysis.names[decision.seat], _NAME)]
        taken = decision.taken.action if decision.taken else ""
        lost = "" if best or decision.taken is None else self.short(decision.taken.loss)
        return [*head, self.short(decision.value), taken, lost, "" if best else decision.best.action]

    def players(self) -> tuple[list[str], Rows]:
        """Columns and rows of the summary of each player."""
        columns = ["Player", "Decisions", "Best taken", f"Mean {self.loss[0].lower()}{self.loss[1:]}", "Worst"]
        return columns, [
            [
                player.name,
                str(player.decisions),
                f"{100 * player.best / player.decisions:.0f} %",
                self.interval(player.loss) if player.loss else "",
                self.worst(player),
            ]
            for player in self.analysis.players
        ]

    def worst(self, player: Player) -> str:
        """The steps and losses of the worst decisions."""
        steps = [f"step {decision.step} ({self.number(decision.lost)})" for decision in player.worst]
        return ", ".join(steps) or "none"

    def describe(self, decision: Decision) -> str:
        """The step, round, player and kind of a decision."""
        step = "" if decision.step is None else f"step {decision.step}, "
        round_ = "" if decision.round is None else f"round {decision.round}, "
        player, valued = self.analysis.names[decision.seat], len(decision.options)
        return f"{step}{round_}{player} decides: {decision.kind} ({decision.legal} legal actions, {valued} valued)"


def html_of(analysis: AnalysisResults) -> str:
    """The picture, summary and decisions of a record, or the actions of a single decision, as HTML."""
    text = AnalysisText(analysis)
    parts = [f"<p><b>{html.escape(text.heading)}</b></p>"]
    if analysis.record is None or len(analysis.decisions) == 1:
        for decision in analysis.decisions:
            parts += [f"<p>{html.escape(text.describe(decision))}</p>", _html_table(*text.actions(decision))]
    else:
        folded = f"<details><summary>All decisions</summary>{_html_table(*text.decisions())}</details>"
        parts += [_picture(analysis), _html_table(*text.players()), folded]
    parts.append(f"<p><small>{html.escape(text.meaning)} {html.escape(LEGEND)}</small></p>")
    return "<div>" + "\n".join(parts) + "</div>"


def _html_table(columns: list[str], rows: Rows) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _picture(analysis: AnalysisResults) -> str:
    from ginkgo_agents.analysis.picture import svg_of

    svg = svg_of(analysis)
    return svg[svg.index("<svg") :]  # without the XML declaration


def show(analysis: AnalysisResults, console: Console) -> None:
    """Print a decision with its actions, or the decisions of a record with a summary of each player.

    The worst decisions of each player are in bold.
    """
    text = AnalysisText(analysis)
    console.print(escape(text.heading), style="bold", highlight=False)
    if analysis.record is None or len(analysis.decisions) == 1:
        for decision in analysis.decisions:
            console.print(escape(text.describe(decision)), highlight=False)
            console.print(table("", *text.actions(decision), fold=True))
    else:
        worst = [decision for player in analysis.players for decision in player.worst]
        bold = [decision in worst for decision in analysis.decisions]
        console.print(table("", *text.decisions(), fold=True, bold=bold))
        console.print(table("", *text.players(), fold=True))
    console.print(text.meaning, LEGEND, style="dim", highlight=False)
