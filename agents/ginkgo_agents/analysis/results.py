"""The results of an analysis as objects and as plain data; ``docs/analysis.md`` describes the fields."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ginkgo_env
from ginkgo_agents.evaluation.statistics import Interval, mean_rate, plain_interval, student
from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.core.game import Game

FORMAT, VERSION = "ginkgo-analysis", 1
WIN, SCORE = "win", "score"
_DIGITS, _EXACT = 4, 12  # of numbers as data; of means that count as equal
_WORST = 3
_NO_LOSS = Interval(0.0, 0.0, 0.0)


class AnalysisError(GinkgoError):
    """Raised for a source without a decision to analyse, and for invalid arguments."""


@dataclass(frozen=True)
class Option:
    """A legal action and what it is worth to the seat that decides."""

    id: int
    action: str
    """The action in notation."""
    value: Interval
    """Mean over worlds, with a 95 % interval."""
    loss: Interval
    """How much more the best action is worth: the mean difference over worlds; exactly 0 for the best action itself."""
    values: NDArray[np.float64] = field(repr=False, compare=False)
    """(worlds,) value in each world; the worlds are the same for all actions of a decision."""


@dataclass(frozen=True)
class Decision:
    """A decision: its most promising actions, and the one taken."""

    step: int | None
    """The number of the step in the record, from 1; None for a position."""
    round: int | None
    """None in a game without rounds."""
    seat: int
    kind: str
    legal: int
    """The number of legal actions."""
    value: Interval
    """What the position is worth to the seat: the mean over the options by the agent's probabilities of playing them. The highest
    of several uncertain values would be too high."""
    options: tuple[Option, ...]
    """The valued actions, the best one first."""
    taken: Option | None
    """None for a position."""

    @property
    def best(self) -> Option:
        """The action with the highest value."""
        return self.options[0]

    @property
    def lost(self) -> float:
        """The loss of the action taken; 0 for a position."""
        return self.taken.loss.mean if self.taken else 0.0


@dataclass(frozen=True)
class Player:
    """The decisions of one seat of a record."""

    seat: int
    name: str
    decisions: int
    best: int
    """The number of decisions in which the best action was taken."""
    loss: Interval | None
    """The mean loss, with a 95 % interval over decisions; None without decisions."""
    worst: tuple[Decision, ...]
    """At most three decisions with the highest losses above 0, the worst first."""


@dataclass(frozen=True)
class AnalysisResults:
    """The results of an analysis; ``to_dict`` and ``to_json`` give them as plain data."""

    game: Game
    names: tuple[str, ...]
    """Names of the sides: the players, and an automaton if there is one."""
    decisions: tuple[Decision, ...]
    agent: str
    worlds: int
    ahead: int
    top: int
    seed: int
    record: dict[str, Any] | None = None
    """Seed, number of steps and result of the record; None for a position."""
    end: tuple[float, ...] | None = None
    """The value of the finished game to each seat, in the unit of values; None for a position or an unfinished game."""
    complete: bool = True
    """False if Ctrl-C ended the analysis early."""

    @property
    def unit(self) -> str:
        """``win``: values are probabilities; ``score``: the game has one side, and values are points."""
        return WIN if self.game.sides > 1 else SCORE

    @property
    def players(self) -> tuple[Player, ...]:
        """A summary for each seat that decides."""
        seats = sorted({decision.seat for decision in self.decisions})
        return tuple(_player(seat, self.names[seat], self.of(seat), self.unit) for seat in seats)

    def of(self, seat: int) -> list[Decision]:
        """The decisions of a seat."""
        return [decision for decision in self.decisions if decision.seat == seat]

    @property
    def meaning(self) -> str:
        """What a value is, in a sentence."""
        value = "chance to win, 0 to 1" if self.unit == WIN else "final score in points"
        how = f"judged at the seat's own decision number {self.ahead} after this one" if self.ahead else "played to the end"
        return f"{value}, if all play on as {self.agent} does; mean over {self.worlds} worlds as the seat may know them, {how}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data; numbers are rounded to four digits."""
        head = {"format": FORMAT, "version": VERSION, "package": ginkgo_env.__version__}
        head |= {"game": self.game.name, "config": self.game.config_dict, "players": list(self.names), "record": self.record}
        settings = {"agent": self.agent, "worlds": self.worlds, "ahead": self.ahead, "top": self.top, "seed": self.seed}
        results = {"complete": self.complete, "unit": self.unit, "meaning": self.meaning}
        results["end"] = None if self.end is None else [round(value, _DIGITS) for value in self.end]
        results["summary"] = [_summary(player) for player in self.players] if self.record else []
        return head | settings | results | {"decisions": [_decision(decision) for decision in self.decisions]}

    def to_json(self) -> str:
        """The plain data as JSON, a line for each decision."""
        document = self.to_dict()
        rows = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in document.pop("decisions")]
        head = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in document.items())
        return "{" + head + ',\n"decisions": [\n' + ",\n".join(rows) + "\n]}\n"

    def __repr__(self) -> str:
        kind = "position" if self.record is None else "record"
        return f"<Analysis of a {kind} of {self.game.name} by {self.agent}: {len(self.decisions)} decisions>"


def options_of(ids: Sequence[int], texts: Sequence[str], values: NDArray[np.float64], unit: str) -> tuple[Option, ...]:
    """Options from the values (n, worlds) of actions, the best first; equal ones keep their order."""
    order = np.argsort(-values.mean(axis=1).round(_EXACT), kind="stable")
    best = order[0]
    return tuple(
        Option(
            *(int(ids[i]), texts[i], value_interval(values[i], unit)),
            *(_NO_LOSS if i == best else _loss(values[best] - values[i], unit), values[i]),
        )
        for i in order
    )


def _interval(values: NDArray[np.float64], unit: str, lowest: float = 0.0) -> Interval:
    """The mean of values with its interval.

    Win values lie between `lowest` and 1. Scores that were all equal may lie up to a point apart if others are drawn.
    """
    if unit == WIN or not np.ptp(values):
        return mean_rate(values, *((lowest, 1.0) if unit == WIN else (float(values.min()) - 1, float(values.max()) + 1)))
    return student(values)


def _loss(differences: NDArray[np.float64], unit: str) -> Interval:
    """The mean difference from the best action; rounding must not make it negative."""
    interval = _interval(differences, unit, lowest=-1.0)
    return interval._replace(mean=max(0.0, interval.mean))


def value_interval(values: NDArray[np.float64], unit: str) -> Interval:
    """The mean of values (worlds,) with an interval that holds it, within 0..1 for probabilities."""
    interval = _interval(values, unit)
    mean, low, high = interval.mean, min(interval.mean, interval.low), max(interval.mean, interval.high)
    return Interval(mean, max(0.0, low), min(1.0, high)) if unit == WIN else Interval(mean, low, high)


def _player(seat: int, name: str, decisions: list[Decision], unit: str) -> Player:
    losses = np.array([decision.lost for decision in decisions])
    worst = sorted((decision for decision in decisions if decision.lost > 0), key=lambda decision: -decision.lost)[:_WORST]
    best = sum(decision.taken is decision.best for decision in decisions)
    return Player(seat, name, len(decisions), best, _interval(losses, unit) if decisions else None, tuple(worst))


# --- plain data --------------------------------------------------------------------------------------------------------------


def _ends(interval: Interval, name: str, prefix: str = "") -> dict[str, float | None]:
    return dict(zip((name, f"{prefix}low", f"{prefix}high"), plain_interval(interval, _DIGITS).values(), strict=True))


def _decision(decision: Decision) -> dict[str, Any]:
    head = {name: getattr(decision, name) for name in ("step", "round", "seat", "kind", "legal")}
    head["taken"] = decision.taken.action if decision.taken else None
    loss = _ends(decision.taken.loss, "loss", "loss_") if decision.taken else {}
    return head | _ends(decision.value, "value") | loss | {"actions": [_option(option) for option in decision.options]}


def _option(option: Option) -> dict[str, Any]:
    return {"action": option.action} | _ends(option.value, "value") | _ends(option.loss, "loss", "loss_")


def _summary(player: Player) -> dict[str, Any]:
    summary: dict[str, Any] = {"seat": player.seat, "name": player.name, "decisions": player.decisions, "best": player.best}
    summary |= _ends(player.loss, "loss", "loss_") if player.loss else {}
    return summary | {"worst": [decision.step for decision in player.worst]}
