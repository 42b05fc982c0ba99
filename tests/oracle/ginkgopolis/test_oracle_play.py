"""Random games of the oracle: what must hold in every position, and what no seat may see."""

import random
from collections import Counter
from typing import Any

import pytest

from ...tiers import by_tier
from .city import Building, City
from .ginkgopolis import Oracle, RandomChance
from .helpers import check, config, edge_by_flood

CONFIGS = [
    config(players, setup=setup, level=level, strict=strict, max_rounds=200)
    for players in range(1, 6)
    for setup in ("draft", "introductory")
    for level in ("standard", "advanced")
    for strict in (False, True)
    if (players == 1 or level == "standard") and (players > 1 or setup == "draft")
]
QUICK = [settings for k, settings in enumerate(CONFIGS) if k in (1, 4, 9, 14, 19)]  # each number of players

GAMES = 4  # for each configuration, one in each style


def name_of(settings: dict[str, Any]) -> str:
    return "-".join(str(settings[key]) for key in ("players", "setup", "level", "strict"))


def pick(rng: random.Random, legal: list[str], style: str) -> str:
    """One of three ways to play: anything; cards with tiles; cards alone, keeping New Hands."""
    assert len(legal) >= 2 and len(set(legal)) == len(legal)
    wanted = {
        "any": legal,
        "build": [text for text in legal if "+" in text],
        "urbanize": [text for text in legal if "+" in text and text[1] == "+"],
        "hoard": [text for text in legal if text == "take:tile" or (text[0] == "B" and "+" not in text)],
    }[style]
    return rng.choice(wanted or legal)


@pytest.mark.parametrize("settings", by_tier(CONFIGS, QUICK), ids=name_of)
def test_random_games(settings: dict[str, Any]) -> None:
    for seed in range(GAMES):
        rng = random.Random(seed)
        oracle = Oracle(settings, RandomChance(seed))
        buildings = 0
        style = ("any", "build", "urbanize", "hoard")[seed % 4]
        while oracle.decision()[0] != "over":
            position = oracle.position()
            check(position)
            check_knowledge(oracle, position)
            if len(position["city"]) != buildings:
                buildings = len(position["city"])
                check_edge(oracle.table.city, position)
            oracle.apply(pick(rng, oracle.legal(), style))
        check_end(oracle)


def check_edge(city: City, position: dict[str, Any]) -> None:
    """The walk of R6.3 lists every cell of the edge once."""
    edge = city.edge()
    assert len(edge) == len(set(edge)) >= 12
    assert set(edge) == edge_by_flood(position["city"])


def check_knowledge(oracle: Oracle, position: dict[str, Any]) -> None:
    """Views agree with the position where they are public, and hide the commitments of others (R10)."""
    views = [oracle.view(seat) for seat in range(position["config"]["players"])]
    for seat, seen in enumerate(views):
        assert {key: value for key, value in seen.items() if key not in ("seat", "own")} == {
            key: value for key, value in views[0].items() if key not in ("seat", "own")
        }
        assert seen["own"]["hand"] == position["players"][seat]["hand"]
        assert set(seen["own"]["right_knows"]) <= set(seen["own"]["hand"])
        assert seen["own"]["tiles"] == position["players"][seat]["tiles"]


def check_end(oracle: Oracle) -> None:
    """A game that is over says why, and its scores add up."""
    position = oracle.position()
    check(position)
    assert position["ending"] in ("tiles", "resources", "william", "max_rounds")
    assert position["pending"] is None and position["decision"] == {"kind": "over", "actor": None}
    scores = oracle.scores()
    for score in scores:
        parts = score["points"] + score["new_hands"] + sum(score["cards"].values()) + sum(score["districts"])
        assert score["total"] == parts
    best = max(score["total"] for score in scores)
    assert oracle.winners() == [seat for seat, score in enumerate(scores) if score["total"] == best]
    assert oracle.legal() == []


def test_walk_around_grown_cities() -> None:
    """Cities grown cell by cell at random, with holes and bays: the walk agrees with a flood from outside."""
    for seed in range(60):
        rng = random.Random(seed)
        cells = [(0, 0)]
        while len(cells) < 45:
            x, y = rng.choice(cells)
            dx, dy = rng.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
            if (x + dx, y + dy) not in cells:
                cells.append((x + dx, y + dy))
        city = City([Building(cell, "R1") for cell in cells])
        edge = city.edge()
        assert len(edge) == len(set(edge))
        assert set(edge) == edge_by_flood([{"cell": list(cell)} for cell in cells])


def test_same_answers_same_game() -> None:
    """Nothing but the answers and the random outcomes decides."""
    ends = []
    for _ in range(2):
        rng, oracle = random.Random(5), Oracle(config(3, setup="draft", max_rounds=200), RandomChance(5))
        while oracle.decision()[0] != "over":
            oracle.apply(rng.choice(oracle.legal()))
        ends.append(oracle.position())
    assert ends[0] == ends[1]


def test_going_on_from_a_position() -> None:
    """A game taken up from any commitment goes on like the game itself."""
    for players in (1, 3):
        rng = random.Random(2)
        oracle = Oracle(config(players, max_rounds=200), RandomChance(9))
        while oracle.decision()[0] != "over":
            if oracle.decision()[0] == "commit":
                again = Oracle.from_position(oracle.position(), lambda name, items: items[::-1])
                assert again.position() == oracle.position()
                assert again.legal() == oracle.legal()
            oracle.apply(rng.choice(oracle.legal()))
        again = Oracle.from_position(oracle.position(), RandomChance(0))
        assert again.position() == oracle.position() and again.scores() == oracle.scores()


def test_truncation() -> None:
    """R8.4: the game stops after the last action of the last round."""
    seen: Counter[str] = Counter()
    for seed in range(10):
        rng, oracle = random.Random(seed), Oracle(config(2, max_rounds=3), RandomChance(seed))
        while oracle.decision()[0] != "over":
            oracle.apply(rng.choice(oracle.legal()))
        position = oracle.position()
        assert position["round"] == 3
        assert [len(side["hand"]) for side in position["players"]] == [3, 3]
        seen[position["ending"]] += 1
    assert seen == {"max_rounds": 10}
