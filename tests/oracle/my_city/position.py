"""The table in text form and back (M11.9)."""

from pathlib import Path
from typing import Any

from .board import load_board, load_buildings
from .placing import place
from .table import Player, Table

Json = dict[str, Any]


def names(config: Json) -> Json:
    """A configuration with the names of the files that the caller gave (M1.6)."""
    return config | {"board": load_board(config["board"]).name, "buildings": Path(config["buildings"]).stem}


def to_position(table: Table) -> Json:
    """A position without "random" and "seed"."""
    return {
        "format": "ginkgo-position",
        "version": 1,
        "game": "my_city",
        "config": dict(table.config),
        "round": table.round,
        "decision": {"kind": "over" if table.ending else "build", "actor": table.actor},
        "ending": table.ending,
        "revealed": list(table.revealed),
        "blocked": table.blocked,
        "deck": list(table.deck),
        "gold_round": table.gold_round,
        "players": [player_to_json(player) for player in table.players],
    }


def player_to_json(player: Player) -> Json:
    return {
        "points": player.points,
        "gold": player.gold,
        "ended": player.ended,
        "placed": [{"building": name, "at": text} for name, (text, _) in player.placed.items()],
        "passed": list(player.passed),
        "choice": player.choice,
    }


def from_position(position: Json, config: Json | None) -> Table:
    """The table of a position, whose files are those of the configuration. Nothing is checked."""
    files = config or position["config"]
    table = Table(
        dict(position["config"]),
        load_board(files["board"]),
        load_buildings(files["buildings"]),
        [Player(entry["points"], entry["gold"], entry["ended"], choice=entry["choice"]) for entry in position["players"]],
        list(position["deck"]),
        list(position["revealed"]),
        blocked=position["blocked"],
        round=position["round"],
        gold_round=position["gold_round"],
        ending=position["ending"],
        actor=position["decision"]["actor"],
    )
    for player, entry in zip(table.players, position["players"], strict=True):
        for placed in entry["placed"]:
            place(table.board, player, table.buildings[placed["building"]], placed["at"])
        player.passed += entry["passed"]
    return table
