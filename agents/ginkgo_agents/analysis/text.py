"""Words and numbers of an analysis, for the terminal and for notebooks alike."""

from __future__ import annotations

import math

from ginkgo_agents.analysis.results import WIN, AnalysisResults, Decision, Player
from ginkgo_agents.evaluation.statistics import Interval
from ginkgo_env.core.errors import short

Rows = list[list[str]]

_NAME = 16  # characters of a name, where there is a row for each decision

LEGEND = "In brackets or after ±: 95 % intervals over worlds; of a mean loss, over decisions."


class Wording:
    """How an analysis is told: chances in percent and losses in points of percent, or both in points of the game."""

    def __init__(self, analysis: AnalysisResults) -> None:
        self.analysis = analysis
        won = analysis.unit == WIN
        self._scale = 100.0 if won else 1.0
        self.value = "Chance %" if won else "Score"
        self.loss = "Loss %" if won else "Loss"

    @property
    def heading(self) -> str:
        """What was analysed."""
        found = self.analysis
        title = found.game.title + (f" ({found.game.variant})" if found.game.variant else "")
        options = ", ".join(f"{key} {text}" for key, text in found.game.option_texts(found.game.config_dict).items())
        return f"{title}: {options}"

    @property
    def meaning(self) -> str:
        """What values and losses are."""
        found = self.analysis
        what = "Chance %: the chance to win" if found.unit == WIN else "Score: the expected final score"
        how = "every world played to its end" if not found.ahead else f"judged {found.ahead} own decisions later"
        return (
            f"{what} if all play on as {found.agent} does, over {found.worlds} worlds as the seat may know them, {how}. "
            f"{self.loss}: how much more the best action found is worth."
        )

    def number(self, value: float) -> str:
        """A value or loss."""
        return f"{round(self._scale * value, 1) + 0.0:.1f}"  # never -0.0

    def interval(self, interval: Interval) -> str:
        """A mean with the ends of its interval; of a single decision there are none."""
        mean, low, high = map(self.number, interval)
        return f"{mean} [{low},{high}]" if math.isfinite(interval.high) else mean

    def short(self, interval: Interval) -> str:
        """A mean and how far the interval reaches to either side: the farther end, where one was cut off."""
        return f"{self.number(interval.mean)} ±{self.number(max(interval.high - interval.mean, interval.mean - interval.low))}"

    def actions(self, decision: Decision) -> tuple[list[str], Rows]:
        """The actions of a decision."""
        taken = decision.taken is not None
        columns = ["Action", self.value, self.loss, *["Taken"] * taken]
        return columns, [
            [option.action, self.interval(option.value), self.interval(option.loss)]
            + [("yes" if option is decision.taken else "")] * taken
            for option in decision.options
        ]

    def decisions(self) -> tuple[list[str], Rows]:
        """All decisions of a record; the best action is told where another one was taken."""
        rounds = any(decision.round is not None for decision in self.analysis.decisions)
        columns = ["Step", *["Round"] * rounds, "Player", self.value, "Taken", self.loss, "Best"]
        return columns, [self._decision(decision, rounds) for decision in self.analysis.decisions]

    def _decision(self, decision: Decision, rounds: bool) -> list[str]:
        best = decision.taken is decision.best
        head = [str(decision.step), *[str(decision.round)] * rounds, short(self.analysis.names[decision.seat], _NAME)]
        taken = decision.taken.action if decision.taken else ""
        lost = "" if best or decision.taken is None else self.short(decision.taken.loss)
        return [*head, self.short(decision.best.value), taken, lost, "" if best else decision.best.action]

    def players(self) -> tuple[list[str], Rows]:
        """The summary of each player."""
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
        """The steps of the worst decisions, and what they lost."""
        told = [f"step {decision.step} ({self.number(decision.lost)})" for decision in player.worst]
        return ", ".join(told) or "none"

    def about(self, decision: Decision) -> str:
        """Which decision it is."""
        step = "" if decision.step is None else f"step {decision.step}, "
        round_ = "" if decision.round is None else f"round {decision.round}, "
        who = self.analysis.names[decision.seat]
        shown = len(decision.options)
        return f"{step}{round_}{who} decides: {decision.kind} ({decision.legal} legal actions, {shown} looked at)"
