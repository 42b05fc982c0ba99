"""How often resampling deals what, where all that is possible can be listed (the distribution: ``resample.py``).

The lists are made here from the rules: deals are alike likely among those that allow what everybody sees, and the ways in which a
player can have chosen with what was dealt are as likely as for one who chooses uniformly at each decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy import stats

import ginkgo_env
from ginkgo_env.games.ginkgopolis.constants import Stage
from ginkgo_env.testing import at, visited

from ..rules.ginkgopolis.extras import EVENTS, GREEN_SPACE
from ..rules.ginkgopolis.positions import LETTERS, Builder, Table, in_order

pytestmark = pytest.mark.full

Json = dict[str, Any]
N = 500
UNLIKELY = 1e-4


def resampled(table: Table, viewer: int) -> list[Json]:
    batch = at(table.game, np.repeat(table.batch.states, N).view(np.recarray))
    batch.resample(viewer, seed=11)
    return batch.positions()


def assert_as_often(found: Counter[Any], wanted: dict[Any, Fraction]) -> None:
    """Chi-square of counts against probabilities; what is rare is counted together."""
    assert sum(wanted.values()) == 1 and set(found) <= set(wanted)
    total = sum(found.values())
    common = [key for key, p in wanted.items() if p * total >= 5]
    observed = [found[key] for key in common]
    expected = [float(wanted[key] * total) for key in common]
    if len(common) < len(wanted):
        observed.append(total - sum(observed))
        expected.append(total - sum(expected))
    assert len(expected) > 1, "nothing varies"
    value = float(stats.chisquare(observed, expected).pvalue)
    assert value > UNLIKELY, f"p = {value:.1e}: {list(zip(observed, expected, strict=True))[:20]}"


# --- commitments -----------------------------------------------------------------------------------------------------------


@dataclass
class Chooser:
    """Seat 0, who has chosen: what the other seat knows, and what may be."""

    pool: list[str]  # cards in hand or in the deck
    cards: int  # how many of them are in hand, with those committed and kept
    tiles: list[str]  # all known
    pairs: list[list[str]]  # the event tiles that may be behind the screen
    buildings: set[str]  # those that belong to another player
    architect: bool = False
    on_card: int | None = None  # tiles and events on the card; None while players choose
    event_on_card: int | None = None
    keeps: bool = False

    def ways(self, hand: tuple[str, ...], events: list[str]) -> Iterator[tuple[Fraction, Hashable]]:
        """Every choice with these cards and events (X7.3) that agrees with what is seen, with its probability up to a factor."""
        for card, tile in product(hand, [None, *sorted({*self.tiles})]):
            if tile == GREEN_SPACE and card not in LETTERS:
                continue
            left = [t for t in self.tiles if t != tile] + [GREEN_SPACE] * (tile == GREEN_SPACE and self.tiles.count(tile) > 1)
            lowers = [None, *sorted({*left})] if tile and self.architect else [None]
            fitting = [None, *(event for event in events if event != "expropriation" or card in self.buildings)]
            for lower, event in product(lowers, fitting):
                number, has_event = sum(x is not None for x in (tile, lower)), int(event is not None)
                if self.on_card is None or (number, has_event) == (self.on_card, self.event_on_card):
                    yield Fraction(1, len(lowers) * len(fitting)), (card, tile, lower, event)

    def wanted(self) -> dict[Any, Fraction]:
        """Probabilities of (hand and card kept, way, events)."""
        deals = []
        for hand, events in product(combinations(in_order(self.pool), self.cards), self.pairs):
            ways = list(self.ways(hand, events))
            if ways:
                deals.append((hand, events, ways))
        found: dict[Any, Fraction] = {}
        for hand, events, ways in deals:
            total = sum(weight for weight, _ in ways)
            for weight, way in ways:
                rest = [card for card in hand if card != way[0]]  # type: ignore[index]
                for kept in rest if self.keeps else [None]:
                    p = weight / (total * len(deals) * (len(rest) if self.keeps else 1))
                    found[hand, tuple(events), *way, kept] = p  # type: ignore[misc]
        return found

    def found(self, table: Table) -> Counter[Any]:
        counts = Counter[Any]()
        for world in resampled(table, 1):
            me = world["players"][0]
            pair = me["commitment"]
            hand = tuple(in_order([*me["hand"], pair["card"], *([me["kept"]] if me["kept"] else [])]))
            events = tuple(event for event in EVENTS if event in (*me["events"], pair["event"]))
            counts[hand, events, pair["card"], pair["tile"], pair["lower"], pair["event"], me["kept"]] += 1
        return counts


def test_while_players_choose_each_decision_is_uniform() -> None:
    """An architect with three tiles, two events and two cards to choose from, of four that are about."""
    builder = Builder(2, modules=["events", "experts", "keep_card", "green_spaces"]).expert(0, "architect")
    builder.events(0, "press", "expropriation").building((0, 0), "Y7", owner=1).building((1, 0), "R7", owner=0)
    builder.tiles(0, "Y9", GREEN_SPACE, GREEN_SPACE).known(0, "Y9", GREEN_SPACE, GREEN_SPACE).player(0, resources=9)
    table = builder.hand(0, "Y7", "A").hand(1, "C", "D").deck("R7", "B").start().play("Y7+Y9", "lower:GS", "event:press")
    assert table.decision == ("commit", 1)
    chooser = Chooser(
        ["Y7", "A", "R7", "B"], 2, ["Y9", GREEN_SPACE, GREEN_SPACE], [["press", "expropriation"]], {"Y7"}, architect=True
    )
    chooser.keeps = True
    assert_as_often(chooser.found(table), chooser.wanted())


def test_what_lies_on_a_card_rules_out_deals_and_ways() -> None:
    """A tile and the only event left, an expropriation: the hand holds the one card that it may lie on."""
    builder = Builder(2, modules=["events", "experts", "keep_card"]).expert(0, "banker").events(0, "expropriation")
    builder.building((0, 0), "Y7", owner=1).building((1, 0), "R7", owner=1).tiles(0, "Y9", "B9").known(0, "Y9", "B9")
    builder.hand(0, "Y7", "A", "B").hand(1, "C", "D").deck("R7", "E", "F").other(first_player=1, actor=1)
    table = builder.start().play("C", "Y7+Y9", "event:expropriation", "keep:A")
    assert table.decision == ("take", 1)
    chooser = Chooser(["Y7", "A", "B", "R7", "E", "F"], 3, ["Y9", "B9"], [["expropriation"]], {"Y7", "R7"})
    chooser.on_card, chooser.event_on_card, chooser.keeps = 1, 1, True
    wanted = chooser.wanted()
    assert len({key[0] for key in wanted}) == 16  # of 20 hands, without the 4 that hold neither Y7 nor R7
    assert_as_often(chooser.found(table), wanted)


def test_pairs_of_events_are_dealt_with_the_cards() -> None:
    """Without experts: which two event tiles, one on the card, with a hand that may not allow an expropriation."""
    builder = Builder(2, modules=["events"]).events(0, "press", "control").building((0, 0), "Y7", owner=1)
    builder.hand(0, "A", "B").hand(1, "C", "D").deck("Y7", "E").other(first_player=1, actor=1)
    table = builder.start().play("C", "A", "event:press")
    assert table.decision == ("take", 1)
    pairs = [list(pair) for pair in combinations(EVENTS, 2)]
    chooser = Chooser(["A", "B", "Y7", "E"], 2, [], pairs, {"Y7"}, on_card=0, event_on_card=1)
    assert_as_often(chooser.found(table), chooser.wanted())


def test_two_tiles_on_a_card_are_as_likely_as_the_choices_that_lead_to_them() -> None:
    """An architect with two tiles on the card and no event, though a card that names another's building allows one more."""
    builder = Builder(2, modules=["events", "experts"]).expert(0, "architect").events(0, "press", "expropriation")
    builder.building((0, 0), "Y7", owner=1).building((1, 0), "R7", owner=0).player(0, resources=9)
    builder.tiles(0, "Y9", "B9", "R9").known(0, "Y9", "B9", "R9").hand(0, "Y7", "A").hand(1, "C", "D").deck("R7", "B")
    table = builder.other(first_player=1, actor=1).start().play("C", "Y7+Y9", "lower:B9", "event:none")
    assert table.decision == ("take", 1)
    pool, tiles = ["Y7", "A", "R7", "B"], ["Y9", "B9", "R9"]
    chooser = Chooser(pool, 2, tiles, [["press", "expropriation"]], {"Y7"}, architect=True, on_card=2, event_on_card=0)
    wanted = chooser.wanted()
    assert len({*wanted.values()}) > 1
    assert_as_often(chooser.found(table), wanted)


@pytest.mark.parametrize("modules", [[], ["green_spaces"]])
def test_tiles_set_aside_are_as_likely_as_the_choices_that_lead_to_them(modules: list[str]) -> None:
    """R7.1: one tile after the other in ascending order, or done; seat 0 has finished returning."""
    mine = ["R9", "B9", "Y9", *([GREEN_SPACE] * 2 if modules else [])]
    builder = Builder(3, modules=modules) if modules else Builder(3)
    builder.tiles(0, *mine).known(0, *mine).tiles(1, "R19", "Y19").supply("R20").hand(2, "B3", "A")
    table = builder.other(first_player=0, actor=2).start()
    table.play("B3", *(["split:done"] if modules else []), "return:R9", "return:done")
    assert table.decision == ("return", 1)
    wanted = Counter[Any]()

    def choose(aside: tuple[str, ...], place: int, p: Fraction) -> None:
        share = p / (len({*mine[place:]}) + 1)
        wanted[aside] += share  # type: ignore[assignment]
        for tile in sorted({*mine[place:]}, key=mine.index):
            choose((*aside, tile), mine.index(tile, place) + 1, share)

    choose((), 0, Fraction(1))
    found = Counter(tuple(world["players"][0]["returning"]) for world in resampled(table, 1))
    assert_as_often(found, dict(wanted))


# --- the draft -------------------------------------------------------------------------------------------------------------


def in_draft(g: Any, p: int) -> tuple[int, ...]:
    """Experts and cards that a player has kept, and experts in the packet at hand."""
    expert = int(g.expert[p] >= 0)
    return expert, int(g.characters[p].sum()) + expert, int(g.packet_experts[p, 0]).bit_count()


def drafts(pick: int, actor: int) -> Iterator[list[tuple[int, ...]]]:
    """Two players, every way that the draft can have gone: the experts of each packet by the order in which its cards go."""
    for packets in product(combinations(range(6), 2), repeat=2):
        experts, cards = [0, 0], [0, 0]
        possible = True
        for turn in range(2 * pick + actor):
            round_, seat = divmod(turn, 2)
            packet = packets[(seat - round_) % 2]
            is_expert = round_ in packet
            if cards[seat] - experts[seat] == 3 and not any(place >= round_ for place in packet):
                continue  # skipped: no expert in the last packet
            possible &= not (is_expert and experts[seat]) and not (not is_expert and cards[seat] - experts[seat] == 3)
            experts[seat] += is_expert
            cards[seat] += 1
        if possible:
            gone = [pick + (cards[seat] > pick) for seat in range(2)]
            left = [sum(place >= gone[seat] for place in packets[(seat - pick) % 2]) for seat in range(2)]
            yield list(zip(experts, cards, left, strict=True))


def test_experts_in_the_draft_have_gone_as_they_can_have() -> None:
    """X6: how many experts the other has kept, and has at hand, follows from what the actor has of both packets."""
    game = ginkgo_env.make_game("ginkgopolis", players=2, modules=("experts",))
    compared = 0
    for seed in range(3):
        states = visited(game, seed=seed, n=100, rows=12)
        for k in np.flatnonzero((states["stage"] == Stage.DRAFT) & (states["pick"] > 0))[:20]:
            seat, other = int(states[k].actor), 1 - int(states[k].actor)
            worlds = Counter[tuple[int, ...]]()
            for kept in drafts(int(states[k].pick), seat):
                if kept[seat] == in_draft(states[k], seat):
                    worlds[kept[other]] += 1
            batch = at(game, np.repeat(states[k : k + 1], N).view(np.recarray))
            batch.resample(seat, seed=seed)
            found = Counter(in_draft(row, other) for row in batch.states)
            assert found.keys() == worlds.keys()
            if len(worlds) > 1:
                assert_as_often(found, {key: Fraction(n, worlds.total()) for key, n in worlds.items()})
                compared += 1
    assert compared > 5


# --- passed cards ----------------------------------------------------------------------------------------------------------


def test_whether_a_card_shown_had_been_passed_is_not_known_to_others() -> None:
    """R10.3: seat 2 passed three of seat 0's four cards. Once one has been shown, seat 1 knows no more which ones are left."""
    builder = (
        Builder(3).hand(0, "A", "B", "C", "D").passed(2, "A", "B", "C").hand(1, "E", "F", "G", "H").hand(2, "I", "J", "K", "L")
    )
    builder.other(first_player=0)
    for shown in ("A", "D"):
        table = builder.start().play(shown, "E", "I")
        assert table.decision == ("take", 0)
        known = Counter(len(world["players"][2]["passed"]) for world in resampled(table, 1))
        assert_as_often(known, {2: Fraction(3, 4), 3: Fraction(1, 4)})
    before = builder.start().play("A")
    assert {len(world["players"][2]["passed"]) for world in resampled(before, 1)} == {3}
