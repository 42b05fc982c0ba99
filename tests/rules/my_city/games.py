"""Twelve complete games of the rules text (M13), and how they are played again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .positions import table

EXAMPLES = Path(__file__).parents[2] / "my_city" / "examples.jsonl"
GAMES: list[dict[str, Any]] = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]


def check_game(known: dict[str, Any]) -> None:
    """Play a game: legal actions at each decision, and what came of it."""
    found = table(*known["deck"], players=known["players"])
    for seat, building, action, n in known["actions"]:
        assert (found.actor, found.current, len(found.legal)) == (seat, building, n)
        found.play(action)
    position, breakdown = found.position, found.outcome.breakdown
    assert position["ending"] == known["ending"] and position["decision"] == {"kind": "over", "actor": None} and not found.legal
    assert (found.round, len(found.revealed), position["gold_round"]) == (known["rounds"], known["revealed"], known["gold_round"])
    assert found.scores == known["scores"] and list(found.winners) == known["winners"]
    assert [{s: n for s, n in own.items() if s != "total"} for own in breakdown] == known["breakdown"]
    assert [[s for s in own if s != "total"] for own in breakdown] == [list(own) for own in known["breakdown"]]  # the order of M8
    assert found.empty_by_row == known["empty_by_row"]
    chosen = sum(len(player["placed"] + player["passed"]) + (player["ended"] is not None) for player in position["players"])
    assert chosen == known["decisions"] + known["forced"] and len(known["actions"]) == known["decisions"]
