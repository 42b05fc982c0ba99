"""Random games of the oracle: what must hold in every position, positions that go on, what no seat may see."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from ...tiers import by_tier
from .board import landscapes_in_order
from .figures import KINDS
from .figures import play as figures_of
from .golden_city import Oracle, RandomChance
from .helpers import BOARD, config
from .invariants import check
from .styles import Style, builder, seat_styles, uniform

QUICK_GAMES, GAMES = 2, 40
SIZE = 221, 95  # numbers of an observation: alone, and for each seat
BLOCKS = {"decision": 7, "status": 12, "turn": 4, "players": 10, "hand": 5, "known": 5, "discard": 5, "pairs": 20}
BLOCKS |= {"pair_seat": 4, "scoring": 12, "to_come": 16, "goods": 6, "bonus": 16, "houses": 58, "place": 58, "sites": 58}
BLOCKS |= {"at_rivers": 4, "in_quarters": 4}


def random_game(players: int, seed: int) -> None:
    chance = random.Random(seed)
    oracle, styles = Oracle(config(players), RandomChance(seed)), seat_styles(chance, players)
    bids = decisions = 0
    while oracle.decision()[0] != "over":
        position, legal = oracle.position(), oracle.legal()
        check(position, BOARD)
        kind, seat = oracle.decision()
        assert seat is not None and len(set(legal)) == len(legal) >= 2
        if seed % 2 or kind not in ("bid", "build"):  # the story goes on from the position alone
            again = Oracle.from_position(json.loads(json.dumps(position)), oracle.table.chance)
            assert again.position() == position and again.legal() == legal
            oracle = again
        bids = bids + 1 if kind == "bid" else 0
        decisions += 1
        assert bids <= players + 7
        oracle.apply(styles[seat](chance, legal, position, seat))
    assert decisions < 700
    check_end(oracle)


def check_end(oracle: Oracle) -> None:
    """G9.5: the number and the words lead to the same winners; nothing goes on from here."""
    position, standings = oracle.position(), oracle.standings()
    check(position, BOARD)
    assert oracle.winners() == [seat for seat, number in enumerate(standings) if number == max(standings)]
    assert oracle.legal() == [] and Oracle.from_position(position, oracle.table.chance).position() == position
    for score in oracle.scores():
        assert score["total"] == sum(number for name, number in score.items() if name != "total")


@pytest.mark.parametrize("players", by_tier([2, 3, 4], [2]))
def test_random_games(players: int) -> None:
    for seed in range(QUICK_GAMES):
        random_game(players, seed)


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_random_games(players: int) -> None:
    for seed in range(QUICK_GAMES, GAMES):
        random_game(players, seed)


@pytest.mark.parametrize("style", [uniform, builder], ids=["uniform", "careful"])
def test_figures_of_a_game_add_up(style: Style) -> None:
    """``figures.py``: the table of the rules text."""
    figures = figures_of(3, 1, style)
    assert sum(figures[f"turns {number}"] for number in range(3)) == pytest.approx(100)
    assert sum(figures[f"asked {kind}"] for kind in KINDS) == figures["decisions"] > 80
    sources = ("outer", "inner", "goods", "rivers", "quarters", "bonus cards")
    assert sum(figures[name] for name in sources) == pytest.approx(figures["score"])
    turns = figures["rounds"] * 3
    built = sum(number * figures[f"turns {number}"] / 100 * turns for number in range(3))
    assert built == pytest.approx(3 * sum(figures[f"houses {kind}"] for kind in ("coast", "suburb", "outer", "inner")))
    assert sum(figures[f"wins of place {place}"] for place in (1, 2, 3)) == pytest.approx(100)


def flat(numbers: Any) -> list[int]:
    return [number for entry in numbers for number in flat(entry)] if isinstance(numbers, list) else [numbers]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_shapes_of_views(players: int) -> None:
    """G11.6: size 221 + 95 n; all blocks in order."""
    oracle, chance = Oracle(config(players), RandomChance(5)), random.Random(5)
    for _ in range(40):
        for seat in range(players):
            blocks = oracle.view(seat)
            assert list(blocks) == list(BLOCKS)
            assert sum(len(flat(block)) for block in blocks.values()) == SIZE[0] + SIZE[1] * players
            for name in ("turn", "players", "known", "houses", "at_rivers", "in_quarters"):
                assert [len(row) for row in blocks[name]] == [BLOCKS[name]] * players
            for name in ("decision", "status", "hand", "discard", "scoring", "to_come", "place", "sites"):
                assert len(flat(blocks[name])) == len(blocks[name]) == BLOCKS[name]
            assert [len(row) for row in blocks["goods"]] == [6] * (players + 2)
            assert [len(row) for row in blocks["pair_seat"]] == [players] * 4
            assert [len(row) for row in blocks["pairs"]] == [5] * 4 and [len(row) for row in blocks["bonus"]] == [8] * 2
        oracle.apply(chance.choice(oracle.legal()))


def other_world(position: dict[str, Any], viewer: int, chance: random.Random) -> dict[str, Any]:
    """Another position that the viewer cannot tell apart (G10.5, G10.6): hidden cards dealt again."""
    other: dict[str, Any] = json.loads(json.dumps(position))
    deal_landscapes(other, viewer, chance)
    chance.shuffle(other["goods"]["stack"])
    stack = other["scoring_stack"]
    chance.shuffle(stack)
    stack.sort(key=lambda card: BOARD.scoring[card].back)
    exchange_bonus_cards(other, viewer, chance)
    return other


def deal_landscapes(other: dict[str, Any], viewer: int, chance: random.Random) -> None:
    """The deck and the unknown parts of other hands."""
    others = [player for seat, player in enumerate(other["players"]) if seat != viewer]
    hidden = list(other["deck"])
    for player in others:
        unknown = Counter(player["hand"]) - Counter(player["known"])
        hidden += unknown.elements()
        player["unknown"] = unknown.total()
    chance.shuffle(hidden)
    for player in others:
        drawn = [hidden.pop() for _ in range(player.pop("unknown"))]
        player["hand"] = landscapes_in_order(player["known"] + drawn)
    other["deck"] = hidden


def exchange_bonus_cards(other: dict[str, Any], viewer: int, chance: random.Random) -> None:
    """By blocks between own takes; the last one with the cards that are left, unless the viewer sees these."""
    taken, block = other["bonus_taken"], []
    choosing = other["decision"] == {"kind": "bonus", "actor": viewer}
    for i, (seat, _) in enumerate([*taken, (viewer, "")]):
        if seat != viewer:
            block.append(i)
            continue
        pool = [taken[k][1] for k in block]
        if i == len(taken) and not choosing:
            pool += [card for card in BOARD.bonus if card not in [card for _, card in taken]]
        chance.shuffle(pool)
        for k, card in zip(block, pool, strict=False):
            taken[k][1] = card
        block = []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_seat_sees_what_is_hidden(players: int) -> None:
    """G10: a view is the same in every world that the seat cannot tell apart. Discards owed are public."""
    chance = random.Random(players)
    oracle, changed = Oracle(config(players), RandomChance(9)), 0
    while oracle.decision()[0] != "over":
        position = oracle.position()
        for seat in range(players) if chance.random() < 0.3 else []:
            other = other_world(position, seat, chance)
            changed += other != position
            assert Oracle.from_position(other, RandomChance(0)).view(seat) == oracle.view(seat)
        oracle.apply(chance.choice(oracle.legal()))
    assert changed > 40
