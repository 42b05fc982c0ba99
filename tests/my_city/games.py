"""Twelve complete games of the rules text (M13), and how they are held against the kernels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ginkgo_env.games.my_city.constants import Log

from .playing import Table, game_of
from .slow import empty_by_row

GAMES: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("examples.jsonl").read_text("utf-8").splitlines()
]


def check_game(known: dict[str, Any]) -> None:
    """Play a game: legal actions at each decision, and what came of it."""
    game = game_of(known["players"])
    found = Table(game, known["deck"])
    for seat, building, action, n in known["actions"]:
        assert (found.actor, found.current, len(found.legal)) == (seat, building, n)
        found.play(action)
    g, outcome = found.g, found.outcome
    assert found.ending == known["ending"] and found.actor is None and not found.mask.any()
    assert (g["rounds"], g["drawn"], g["gold_round"]) == (known["rounds"], known["revealed"], known["gold_round"] or 0)
    assert list(outcome.scores) == known["scores"] and list(outcome.winners) == known["winners"]
    assert [{s: n for s, n in own.items() if s != "total"} for own in outcome.breakdown] == known["breakdown"]
    assert [list(own) for own in known["breakdown"]] == [list(game.sources)] * game.seats  # the order of M8
    rows = [empty_by_row(game, g, p) for p in range(game.seats)]
    assert game.result_details(found.state)["empty_by_row"] == rows == known["empty_by_row"]
    assert len(known["actions"]) == known["decisions"]
    assert sum(forced for _, _, forced in found.logged(Log.END)) == known["forced"]
