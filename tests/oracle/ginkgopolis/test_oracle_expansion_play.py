"""Random games of the oracle with every combination of modules: what holds in every position, and what no seat may see."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from ...tiers import by_tier
from .expansion import EVENTS, EVENTS_KEPT, MODULES
from .ginkgopolis import Oracle, RandomChance
from .helpers import check, config, edge_by_flood
from .position import to_position
from .scramble import scrambled
from .styles import seat_styles
from .view import SEQUENCE, view

Json = dict[str, Any]
COMBINATIONS = [list(chosen) for size in range(len(MODULES) + 1) for chosen in combinations(MODULES, size)]
GAMES = 2  # for each combination and number of players
Choosing = tuple[int, int, Json] | None  # round, who chooses, what the left neighbor sees
PHASES = {"timing": "timing", "pay": ("before", "after"), "take": "action", "token": "action"}


def settings(players: int, modules: list[str], seed: int) -> Json:
    """One of the configurations: strict or not, hands of four or five, as the seed has it."""
    base = config(players, setup="draft" if "experts" in modules or seed % 2 else "introductory", max_rounds=200)
    base["strict"] = seed % 5 == 1
    if not modules:
        return base
    five = "keep_card" in modules and players < 5 and seed % 3 == 0
    return base | {"modules": modules, "hand_size": 5 if five else 4}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("size", by_tier(range(7), [0, 6]))
def test_random_games(players: int, size: int) -> None:
    """Tiles, cards, resources, events and tokens are conserved; hidden things are hidden; the game ends and is scored."""
    for number, modules in enumerate(COMBINATIONS):
        if len(modules) == size:
            for seed in range(GAMES):
                play_game(settings(players, modules, number + seed), 1000 * number + 10 * players + seed)


def play_game(chosen: Json, seed: int) -> None:
    """One game, looked at after every decision."""
    rng = random.Random(seed)
    oracle = Oracle(chosen, RandomChance(seed))
    styles = seat_styles(rng, chosen["players"])
    size = 0
    choosing: Choosing = None
    while oracle.decision()[0] != "over":
        kind, actor = oracle.decision()
        assert actor is not None
        if rng.random() < 0.5:
            check_all(oracle, oracle.position())
        if kind in SEQUENCE:
            choosing = check_choosing(oracle, kind, actor, choosing)
        if rng.random() < 0.06:
            check_hidden(oracle, rng)
        if len(oracle.table.city.plots) != size:
            size = len(oracle.table.city.plots)
            assert set(oracle.table.city.edge()) == edge_by_flood(oracle.position()["city"])
        oracle.apply(styles[actor](rng, sorted(oracle.legal())))
    check_all(oracle, oracle.position())
    check_scores(oracle)


def check_all(oracle: Oracle, position: Json) -> None:
    """Conservation (helpers), and what the expansion adds."""
    legal = oracle.legal()
    assert len(legal) == len(set(legal)) and len(legal) != 1
    check(position)
    if not position["config"].get("modules"):
        return
    check_events(position)
    check_pending(position)
    modules = position["config"]["modules"]
    for side in position["players"]:
        assert side["kept"] is None or "keep_card" in modules
        assert not side["lower_tiles"] or side["expert"] == "architect"
        # while players choose nobody has more cards than the hand size
        held = len(side["hand"]) + (side["kept"] is not None) + (side["commitment"] is not None)
        assert held <= position["config"]["hand_size"]
        if position["round"] > 0:
            assert (side["expert"] is not None) == ("experts" in modules) and len(side["characters"]) == 3


def check_events(position: Json) -> None:
    """Two of different kinds for each player, somewhere."""
    for seat, side in enumerate(position["players"]):
        events = side["events"] + side["events_played"]
        commitment, pending = side["commitment"] or {}, position["pending"] or {}
        events += [commitment["event"]] if commitment.get("event") else []
        events += [pending["event"]] if pending.get("event") and pending["player"] == seat else []
        assert len(events) == len(set(events)) and set(events) <= set(EVENTS)
        if position["round"] > 0:
            assert len(events) == (EVENTS_KEPT if "events" in position["config"]["modules"] else 0)


def check_pending(position: Json) -> None:
    """What text-forms.md says about the action under way."""
    kind, pending = position["decision"]["kind"], position["pending"]
    acting = kind in ("take", "token", "return", "timing", "split", "pay")
    assert (pending is not None) == acting
    if pending is None:
        return
    side = position["players"][pending["player"]]
    assert pending["phase"] in PHASES.get(kind, ("before", "action", "after"))
    assert (pending["action"] is None) == (pending["phase"] in ("timing", "before"))
    assert (pending["event"] is None) == (pending["zone"] is None)
    assert pending["event"] is not None or pending["phase"] == "action"
    assert (pending["split"] is not None) == (kind == "split") and pending["received"] <= 6
    assert (side["commitment"] is None) == (pending["phase"] == "after")
    assert pending["draws"] > 0 if kind == "split" else kind == "return" or pending["draws"] == 0


def check_choosing(oracle: Oracle, kind: str, actor: int, before: Choosing) -> Choosing:
    """X7.3: nothing changes for a neighbor from a player's first step to the last; the step before is given and returned."""
    left = oracle.table.left_of(actor)
    now = (oracle.table.round, actor, oracle.view(left))
    if kind != "commit" and before is not None and before[:2] == now[:2]:
        assert now == before
    return now


def check_hidden(oracle: Oracle, rng: random.Random) -> None:
    """A seat sees the same in any world that differs in hidden things only; its own things it sees as they are."""
    for seat in range(oracle.table.players):
        question = oracle._question
        seen = oracle.view(seat)
        assert view(*scrambled(oracle.table, question, seat, rng), seat) == seen
        own = to_position(oracle.table, question)["players"][seat]
        assert all(own[key] == value for key, value in seen["own"].items() if not key.startswith("right_knows"))


def check_scores(oracle: Oracle) -> None:
    """Scores add up, the best win, and the end has a reason."""
    scores, position = oracle.scores(), oracle.position()
    for score in scores:
        parts = [sum(value.values()) if isinstance(value, dict) else value for key, value in score.items() if key != "total"]
        assert score["total"] == sum(sum(part) if isinstance(part, list) else part for part in parts)
    best = max(score["total"] for score in scores)
    assert oracle.winners() == [seat for seat, score in enumerate(scores) if score["total"] == best]
    assert position["ending"] in ("tiles", "resources", "max_rounds") and oracle.legal() == []
    greens = [plot for plot in position["city"] if plot["tile"] == "GS"]
    assert all(plot["owner"] is not None and not plot["pawn"] for plot in greens)


def test_going_on_from_a_position() -> None:
    """A game taken up from any commitment stands where the game itself stands."""
    for players in (2, 5):
        oracle = Oracle(settings(players, MODULES, 4), RandomChance(players))
        rng = random.Random(players)
        while oracle.decision()[0] != "over":
            if oracle.decision()[0] == "commit":
                again = Oracle.from_position(oracle.position(), RandomChance(0))
                assert again.position() == oracle.position() and again.legal() == oracle.legal()
            oracle.apply(rng.choice(oracle.legal()))
        again = Oracle.from_position(oracle.position(), RandomChance(0))
        assert again.position() == oracle.position() and again.scores() == oracle.scores()


def test_every_kind_of_decision_is_met() -> None:
    """With everything on the styles come to all of them."""
    kinds: Counter[str] = Counter()
    for seed in range(12):
        rng = random.Random(seed)
        oracle = Oracle(settings(3, MODULES, 2 * seed), RandomChance(seed))
        styles = seat_styles(rng, 3)
        while oracle.decision()[0] != "over":
            kind, actor = oracle.decision()
            kinds[kind] += 1
            oracle.apply(styles[actor or 0](rng, sorted(oracle.legal())))
    expected = {"draft", "commit", "lower", "event", "keep", "timing", "split", "pay", "take", "token", "return"}
    assert set(kinds) == expected
