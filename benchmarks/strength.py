"""Measure the agents of the table of results in docs/search_agent.md, row by row.

The deals are ones that nothing was trained or chosen with.

Results are written to a file after each row, and rows that it has are not played again: an interrupted run goes on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.progress import track

from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_env.core.files import write_file
from ginkgo_env.registry import game_class, make_game

FIRST, SECOND, THIRD = (f"search:version={version}" for version in (1, 2, 3))
POLICY, LONGER = f"{FIRST}:simulations=0", f"{FIRST}:simulations=1300"
TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "Ginkgopolis, 2 players": ("ginkgopolis", {"players": 2}),
    "Ginkgopolis, 3 players": ("ginkgopolis", {"players": 3}),
    "Ginkgopolis, 4 players": ("ginkgopolis", {"players": 4}),
    "Ginkgopolis, 5 players": ("ginkgopolis", {"players": 5}),
    "Ginkgopolis, 2 players, all modules": ("ginkgopolis", {"players": 2, "modules": "all"}),
    "The Golden City, 2 players": ("golden_city", {"players": 2}),
    "The Golden City, 3 players": ("golden_city", {"players": 3}),
    "The Golden City, 4 players": ("golden_city", {"players": 4}),
    "My City, 2 players": ("my_city", {"players": 2}),
    "My City, 3 players": ("my_city", {"players": 3}),
    "My City, 4 players": ("my_city", {"players": 4}),
    "William, advanced": ("ginkgopolis", {"players": 1, "level": "advanced"}),
    "William, standard": ("ginkgopolis", {"players": 1, "level": "standard"}),
    "My City, alone": ("my_city", {"players": 1}),
}
REACTIVE = [
    ("Ginkgopolis, 4 players", "ppo:version=2"),
    ("Ginkgopolis, 5 players", "ppo:version=1"),
    ("Ginkgopolis, 2 players, all modules", "ppo:version=1"),
    *((f"The Golden City, {n} players", "ppo:version=1") for n in (2, 3, 4)),
    *((f"My City, {n} players", f"{SECOND}:simulations=0") for n in (2, 3, 4)),
]
"""Policies that play without search."""


class Row(NamedTuple):
    """Who plays whom at which table, and how often."""

    table: str
    agent: str
    opponent: str = "lookahead:version=1"
    games: int = 400


ROWS = [
    Row("Ginkgopolis, 2 players", FIRST, games=1000),
    Row("Ginkgopolis, 2 players", LONGER, games=1000),
    Row("Ginkgopolis, 2 players", FIRST, "held_out_lookahead"),
    Row("Ginkgopolis, 2 players", FIRST, "held_out_ppo"),
    Row("Ginkgopolis, 2 players", POLICY, "greedy"),
    Row("Ginkgopolis, 2 players", POLICY),
    *(Row("Ginkgopolis, 2 players", "ppo:version=2", opponent, 1000) for opponent in ("lookahead:version=1", "greedy")),
    *(Row("Ginkgopolis, 2 players", "ppo:version=2", f"held_out_{opponent}") for opponent in ("lookahead", "ppo")),
    Row("Ginkgopolis, 2 players", "lookahead:version=2", games=1000),
    *(Row("Ginkgopolis, 2 players", agent, games=1000) for agent in (SECOND, f"{SECOND}:simulations=1300")),
    *(Row("Ginkgopolis, 2 players", SECOND, f"held_out_{opponent}") for opponent in ("lookahead", "ppo")),
    *(Row("Ginkgopolis, 2 players", f"{FIRST}:{option}") for option in ("horizon=1", "horizon=2", "horizon=8")),
    *(Row("Ginkgopolis, 2 players", f"{FIRST}:{option}") for option in ("candidates=4", "candidates=16")),
    *(
        Row(f"William, {level}", agent, games=1000)
        for level in ("advanced", "standard")
        for agent in (FIRST, "lookahead:version=1")
    ),
    *(Row(f"William, {level}", LONGER, games=1000) for level in ("advanced", "standard")),
    *(
        Row(f"William, {level}", agent, games=1000)
        for level in ("advanced", "standard")
        for agent in ("lookahead:version=2", f"{SECOND}:simulations=1300")
    ),
    *(Row(f"Ginkgopolis, {n} players", agent) for n in (3, 4, 5) for agent in (FIRST, LONGER)),
    *(Row(f"Ginkgopolis, {n} players", SECOND) for n in (3, 4, 5)),
    Row("Ginkgopolis, 3 players", f"{SECOND}:simulations=1300"),
    *(Row("Ginkgopolis, 4 players", f"{THIRD}{option}") for option in ("", ":simulations=0")),
    *(Row(f"Ginkgopolis, {n} players", f"{SECOND}:simulations=0") for n in (3, 5)),
    *(Row("Ginkgopolis, 3 players", *pair, 204) for pair in ((SECOND, FIRST), (FIRST, SECOND))),
    *(Row("Ginkgopolis, 2 players, all modules", agent) for agent in (FIRST, SECOND, f"{SECOND}:simulations=0")),
    *(
        Row(f"{game}, {n} players", agent)
        for agent in (FIRST, SECOND)
        for game in ("The Golden City", "My City")
        for n in (2, 3, 4)
    ),
    *(
        Row(f"The Golden City, {n} players", agent, opponent, 204)
        for n in (3, 4)
        for agent in (FIRST, SECOND)
        for opponent in ("held_out_lookahead", "ppo:version=1")
    ),
    *(Row("The Golden City, 3 players", *pair, 102) for pair in ((SECOND, FIRST), (FIRST, SECOND))),
    Row("The Golden City, 2 players", f"{SECOND}:simulations=1300"),
    *(Row(*policy, opponent, 1000) for policy in REACTIVE for opponent in ("lookahead:version=1", "greedy")),
    *(Row(*policy, f"held_out_{opponent}") for policy in REACTIVE for opponent in ("lookahead", "ppo")),
    *(Row("My City, alone", agent) for agent in (FIRST, LONGER, SECOND)),
    *(Row("My City, alone", f"{SECOND}:simulations={playouts}") for playouts in (0, 1300)),
    Row("My City, alone", "lookahead:version=1"),
]


def measure(row: Row, seed: int) -> dict[str, Any]:
    """One row of the table: wins in percent or a mean score, each with the half width of its interval."""
    name, options = TABLES[row.table]
    game = make_game(game_class(name), **options)
    result = next(iter(evaluate(row.agent, game, [row.opponent], row.games, seed).values()))
    alone = game.sides == 1
    middle, low, high = (factor * value for factor in [1 if alone else 100] for value in result["score" if alone else "win"])
    opponent = "" if game.seats == 1 else row.opponent
    return {"opponent": opponent, "games": result["games"], "result": f"{middle:.1f} ± {(high - low) / 2:.1f}"}


def main(
    out: Annotated[Path, typer.Argument(help="file of results, JSON")] = Path("strength.json"),
    only: Annotated[str, typer.Option(help="rows with this text in their name")] = "",
    seed: Annotated[int, typer.Option(help="seed of the deals")] = 2026,
    games: Annotated[int, typer.Option(help="at most so many games for each row")] = 1000,
) -> None:
    """Measure what is missing in a file of results, and print all of it as a table."""
    results: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {}
    for row in track(ROWS, "rows"):
        key = f"{row.table} | {row.agent} | {row.opponent} | {seed}"
        if key not in results and only in key:
            results[key] = measure(row._replace(games=min(row.games, games)), seed)
            write_file(out, json.dumps(results, indent=1))
    print("| game | agent | opponent | wins in %, or score | games |\n|---|---|---|---|---|")
    for key, result in results.items():
        game, agent = key.split(" | ")[:2]
        print(f"| {game} | `{agent}` | {result['opponent']} | {result['result']} | {result['games']} |")


if __name__ == "__main__":
    typer.run(main)
