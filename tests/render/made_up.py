"""What tests of the viewer share: short records, and analyses that nobody made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ginkgo_env.records import Record

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str = "two_players", steps: int | None = None, names: list[str] | None = None) -> Record:
    """A golden record, or its beginning; with other names."""
    record = Record.read(GOLDEN / f"{name}.jsonl")
    lines = [record.header | ({"players": names} if names else {}), *record.lines]
    if steps is None:
        return Record(lines)
    texts = [line["action"] for line in record.lines if "action" in line][:steps]
    return replayed(Record(lines), texts)


def replayed(record: Record, texts: list[str]) -> Record:
    """The record of other actions from the same seed, in notation."""
    from ginkgo_env.core.playback import Playback

    playback, actions = Playback(record.game), []
    playback.start(record.header["seed"])
    for text in texts:
        actions.append(record.game.parse_action(playback.states, text))
        playback.play(actions[-1])
    return Record.from_actions(record.game, record.header["seed"], actions, record.header["players"])


def made_up_analysis(record: Record, other: float = 0.0) -> dict[str, Any]:
    """An analysis in the form of ``ginkgo analyze``; `other` is added to what seat 0 cannot know."""
    decisions = []
    actions = [line for line in record.lines if "action" in line]
    for step, line in enumerate(actions, 1):
        value = 0.3 + 0.4 * step / len(actions) + (other if line["seat"] else 0.0)
        best = {"action": "better", "value": value, "low": value - 0.1, "high": value + 0.1}
        taken = {"action": line["action"], "value": value - 0.05, "low": value - 0.1, "high": value}
        decisions.append({
            "step": step, "round": 1, "seat": line["seat"], "kind": "some", "legal": 7, "taken": line["action"],
            "value": value, "low": value - 0.1, "high": value + 0.1, "loss": 0.05, "loss_low": 0.01, "loss_high": 0.09,
            "actions": [
                best | {"loss": 0.0, "loss_low": 0.0, "loss_high": 0.0},
                taken | {"loss": 0.05, "loss_low": 0.01, "loss_high": 0.09},
            ],
        })  # fmt: skip
    seats = sorted({line["seat"] for line in actions})
    summary = [
        {"seat": seat, "name": "x", "decisions": 3, "best": 1, "loss": 0.05 + (other if seat else 0.0), "loss_low": None,
         "loss_high": None, "worst": [one["step"] for one in decisions if one["seat"] == seat][:2]}
        for seat in seats
    ]  # fmt: skip
    return {
        "format": "ginkgo-analysis", "version": 1, "package": "0", "game": record.game.name, "config": record.header["config"],
        "players": record.names, "record": {"seed": record.header["seed"], "steps": len(actions), "result": record.result},
        "agent": "lookahead", "worlds": 8, "ahead": 3, "top": 5, "seed": 1, "complete": True, "unit": "win",
        "meaning": "chance to win", "end": None, "summary": summary, "decisions": decisions,
    }  # fmt: skip
