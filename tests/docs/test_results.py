"""The numbers on the page of agents are those of the leaderboards in ``benchmarks/results/leaderboards``."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "results" / "leaderboards"
SECTION = (ROOT / "docs" / "agents.md").read_text().partition("## Results\n")[2]
Row = dict[str, str]
LOOKAHEAD, SEARCH = "lookahead:version=1", "search:version=1"
ORDER = ["random", "william", "builder", "greedy", "ppo:version=1", LOOKAHEAD, SEARCH]
TABLES = {  # the configuration, and the bound of half widths that the page states
    "ginkgopolis": ("2 players", 6),
    "ginkgopolis_modules": ("2 players, all modules", None),
    "golden_city_2_players": ("2 players (variant)", 8),
    "my_city": ("2 players", 7),
}


def rows(name: str) -> list[Row]:
    with (FOLDER / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def interval(row: Row, what: str, factor: float = 1) -> str:
    return "{:.1f} [{:.1f}, {:.1f}]".format(*(factor * float(row[key]) for key in (what, f"{what}_low", f"{what}_high")))


def cross_table(name: str) -> str:
    """Wins of the row's agent against the column's, as a table of the page."""
    wins = {}
    for row in rows(name):
        if row["configuration"] == TABLES[name][0]:
            one, other = row["table"].split()
            wins[row["agent"], other if row["agent"] == one else one] = f"{100 * float(row['win_rate']):.1f}"
    agents = [agent for agent in ORDER if any(agent in pair for pair in wins)]
    lines = [["", *agents], *([one, *(wins.get((one, other), "") for other in agents)] for one in agents)]
    texts = ["|" + "|".join(f" {cell} " if cell else " " for cell in line) + "|" for line in lines]
    return "\n".join([texts[0], "|---" * len(lines[0]) + "|", *texts[1:]])


def elo(name: str, ranking: str = "") -> str:
    texts = []
    for row in rows(f"{name}_ratings"):
        if row["ranking"] == ranking:
            mean, low, high = (float(row[key]) for key in ("elo", "elo_low", "elo_high"))
            same = row["agent"] == row["reference"]
            texts.append(f"{row['agent']} 0" if same else f"{row['agent']} {mean:+.0f} [{low:.0f}, {high:.0f}]")
    return ", ".join(texts)


def alone_against_william() -> str:
    cells: dict[str, list[str]] = {}
    for row in rows("ginkgopolis"):
        if row["configuration"].startswith("alone"):
            cells.setdefault(row["agent"], []).append(f"{interval(row, 'win_rate', 100)} | {float(row['score']):.1f}")
    return "\n".join(f"| {agent} | {' | '.join(texts)} |" for agent, texts in cells.items())


def wins_of(name: str, configuration: str, agent: str, *others: str) -> str:
    """The win rate of an agent among these others."""
    at_table = [row for row in rows(name) if row["configuration"] == configuration and row["agent"] == agent]
    (row,) = (row for row in at_table if {*row["table"].split()} == {agent, *others})
    return interval(row, "win_rate", 100)


CLAIMS = [
    alone_against_william(),
    *map(cross_table, TABLES),
    *(elo(name) for name in ("ginkgopolis", "ginkgopolis_modules", "golden_city", "my_city")),
    elo("golden_city_2_players", "variant"),
    f"{LOOKAHEAD} wins {wins_of('golden_city', '3 players', LOOKAHEAD, 'builder', 'greedy')} against builder and greedy",
    f"players {wins_of('golden_city', '4 players', LOOKAHEAD, 'builder', 'greedy', 'random')} against builder, greedy and random",
    f"{SEARCH} wins {wins_of('my_city', '3 players', SEARCH, 'greedy', LOOKAHEAD)} against greedy and {LOOKAHEAD}",
    f"players {wins_of('my_city', '4 players', SEARCH, 'builder', 'greedy', LOOKAHEAD)} against builder, greedy and {LOOKAHEAD}",
    ", ".join(f"{row['agent']} {interval(row, 'score')}" for row in rows("my_city")[::-1] if row["players"] == "1"),
]


def test_every_number_of_the_page_is_that_of_a_leaderboard() -> None:
    """Each claim is there, and without them no decimal number and no interval is left."""
    rest = " ".join(SECTION.split())
    for claim in (" ".join(claim.split()) for claim in CLAIMS):
        assert claim in rest
        rest = rest.replace(claim, "", 1)
    assert not re.findall(r"\d+\.\d|\[-?\d", rest)


@pytest.mark.parametrize(("name", "bound"), [(name, bound) for name, (_, bound) in TABLES.items() if bound])
def test_no_interval_is_wider_than_the_page_says(name: str, bound: int) -> None:
    played = [row for row in rows(name) if row["configuration"] == TABLES[name][0]]
    widths = [50 * (float(row["win_rate_high"]) - float(row["win_rate_low"])) for row in played]
    assert bound - 1 < max(widths) < bound + 0.5
    table = " ".join(SECTION.split()).partition(" ".join(cross_table(name).split()))[0]
    assert table.endswith(f"intervals of ± {bound} or less: ")
