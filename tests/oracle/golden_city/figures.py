"""What play shows, with the oracle alone: ``python tests/oracle/golden_city/figures.py --games 300 --style uniform``.

Prints the table "What random play showed" of the rules text: means over games with their standard errors in brackets.
"""

import argparse
import random
import statistics
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.oracle.golden_city.golden_city import Oracle, RandomChance
from tests.oracle.golden_city.styles import Style, builder, uniform

Figures = dict[str, float]
BONUS = ("bonus_goods", "bonus_coins", "bonus_city", "bonus_rivers", "bonus_landscapes")
KINDS = ("bid", "build", "pay", "bonus", "goods", "discard", "box")


def play(players: int, seed: int, style: Style) -> Figures:
    """The figures of one game."""
    chance = random.Random(seed)
    oracle = Oracle({"players": players, "board": "own"}, RandomChance(seed))
    first = oracle.table.first_player
    counted: Counter[str] = Counter()
    built: dict[tuple[int, int], int] = defaultdict(int)
    table, n = oracle.table, players
    displaced = {0: 0}
    while oracle.decision()[0] != "over":
        kind, seat = oracle.decision()
        assert seat is not None
        position: dict[str, Any] = oracle.position() if style is not uniform else {}
        text = style(chance, oracle.legal(), position, seat)
        counted[kind] += 1
        if kind == "bid":
            pair = table.pairs["abcd".index(text[-1])]
            displaced[table.round] = table.displacements + (pair.seat is not None)
        before, at = [player.houses_left for player in table.players], table.round
        oracle.apply(text)
        for k, player in enumerate(table.players):
            built[at, k] += before[k] - player.houses_left  # a step may end the round, but seldom builds in the next one
    figures: Figures = {f"asked {kind}": counted[kind] for kind in KINDS}
    figures |= {"decisions": counted.total(), "rounds": table.round, "displacements": sum(displaced.values())}
    figures |= {f"ended {name}": 100.0 * (table.ending == name) for name in ("cards", "houses", "blocked")}
    scores, winners = oracle.scores(), oracle.winners()
    totals = [score["total"] for score in scores]
    figures |= {"score": statistics.mean(totals), "score most": max(totals), "winner": totals[winners[0]]}
    figures["shared win"] = 100.0 * (len(winners) > 1)
    for source in ("outer", "inner", "goods", "rivers", "quarters"):
        figures[source] = statistics.mean(score[source] for score in scores)
    figures["bonus cards"] = statistics.mean(sum(score[name] for name in BONUS) for score in scores)
    houses = [place.kind for k in range(n) for place in table.houses_of(k)]
    figures |= {f"houses {kind}": houses.count(kind) / n for kind in ("coast", "suburb", "outer", "inner")}
    turns = Counter(built[r, k] for r in range(1, table.round + 1) for k in range(n))
    figures |= {f"turns {number}": 100.0 * turns[number] / (table.round * n) for number in range(3)}
    for place in range(n):
        figures[f"wins of place {place + 1}"] = 100.0 * ((first + place) % n in winners) / len(winners)
    return figures


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="for each number of players")
    parser.add_argument("--style", choices=["uniform", "careful"], default="uniform")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    style = {"uniform": uniform, "careful": builder}[options.style]
    columns = {n: [play(n, options.seed + i, style) for i in range(options.games)] for n in (2, 3, 4)}
    print(f"{options.style}, {options.games} games each: mean (standard error) least..most")
    for name in columns[4][0]:
        print(f"{name:18}", *(cell([game[name] for game in games if name in game]) for games in columns.values()), sep=" | ")


def cell(numbers: list[float]) -> str:
    if len(numbers) < 2:
        return f"{'':26}"
    error = statistics.stdev(numbers) / len(numbers) ** 0.5
    return f"{statistics.mean(numbers):7.2f} ({error:4.2f}) {min(numbers):g}..{max(numbers):g}".ljust(26)


if __name__ == "__main__":
    main()
