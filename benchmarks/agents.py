"""Measure how strong the agents of the package are, and what a decision of theirs costs.

The results are what ``ginkgo agents`` prints, and the table of the strongest agents in docs/agents.md. They are written after
each agent, and agents that the file has are not measured again: an interrupted run goes on.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.progress import track

from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_agents.evaluation.statistics import student, wilson
from ginkgo_agents.strengths import BUDGETS, PATH, YARDSTICK, Strength, read_strengths, strongest
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.files import write_file
from ginkgo_env.core.text import markdown_table
from ginkgo_env.registry import game_class

PAGE = Path(__file__).parents[1] / "docs" / "agents.md"
SEED = 20261127
AGENTS = {
    **dict.fromkeys(("random", "greedy", "builder", "ppo", "lookahead:worlds=1", "lookahead", "lookahead:worlds=32"), 200),
    "search:simulations=0": 200,
    "search:simulations=24": 200,
    "search": 100,
    "search:simulations=1300": 40,
}
"""Names, and numbers of games: fewer where a decision costs more."""
CONFIGURATIONS: list[tuple[str, dict[str, Any]]] = [
    *(("ginkgopolis", {"players": n} | ({"level": "advanced"} if n == 1 else {})) for n in (1, 2, 3, 4, 5)),
    *(("golden_city", {"players": n}) for n in (2, 3, 4)),
    *(("my_city", {"players": n}) for n in (1, 2, 3, 4)),
]


def measure(game: str, config: dict[str, Any], agent: str, games: int) -> Strength:
    """The strength of an agent in one configuration; its opponents, if there are any, are the yardstick."""
    match = MatchConfig(game, (agent, *(YARDSTICK,) * (config["players"] - 1)), config)
    results = play_match(match, -(-games // match.rotations), SEED)
    spent = results.spent[agent]
    if match.sides == 1:
        value = student(results.totals[:, :, 0].mean(axis=1))
    else:
        value = wilson(float(results.wins[:, :, 0].mean(axis=1).sum()), results.deals)
    milliseconds = 1000 * spent.seconds / spent.decisions
    return Strength(game, config, agent, results.games, [round(end, 4) for end in value], float(f"{milliseconds:.2g}"))


def table(strengths: list[Strength]) -> str:
    """The strongest agents by game, number of players and budget, each at the first budget that it fits."""
    rows = []
    for game, config in CONFIGURATIONS:
        own, last = [one for one in strengths if (one.game, one.config) == (game, config)], None
        for budget in BUDGETS:
            if (best := strongest(own, budget)) is not None and best is not last:
                last = best
                number = [game_class(game).title, config["players"], f"{budget:g} ms"]
                rows.append([*number, f"`{best.agent}`", best.text, f"{best.milliseconds:g}"])
    return markdown_table(["game", "players", "from", "agent", "strength", "ms a decision"], rows)


def with_table(page: str, strengths: list[Strength]) -> str:
    """The page with the present table."""
    return re.sub(r"(?<=<!-- strongest -->\n).*(?=<!-- end -->)", lambda _: f"\n{table(strengths)}\n", page, flags=re.DOTALL)


def main() -> None:
    """Measure what the file lacks, and write the table into the page."""
    found = list(read_strengths())
    known = {(one.game, json.dumps(one.config), one.agent) for one in found}
    cases = [(game, config, agent) for agent in AGENTS for game, config in CONFIGURATIONS]
    for game, config, agent in track(cases, "agents"):
        if (game, json.dumps(config), agent) in known:
            continue
        try:
            found.append(measure(game, config, agent, AGENTS[agent]))
        except ConfigError:  # it does not play this configuration
            continue
        rows = ",\n".join(f" {json.dumps(msgspec.to_builtins(one))}" for one in found)
        write_file(PATH, f"[\n{rows}\n]\n")
    write_file(PAGE, with_table(PAGE.read_text("utf-8"), found))


if __name__ == "__main__":
    typer.run(main)
