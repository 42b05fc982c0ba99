"""Resampling (R10, X7.3, X7.4): possible worlds only, whatever the seat cannot know varies, in all ways of playing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES
from ginkgo_env.games.ginkgopolis.constants import NONE, EventTile, Stage
from ginkgo_env.games.ginkgopolis.notation import members
from ginkgo_env.games.ginkgopolis.queries import CHOOSING
from ginkgo_env.testing import at
from ginkgo_env.testing.hidden import check_resampling, check_resampling_is_blind, indistinguishable_pairs

from ..rules.ginkgopolis.extras import GREEN_SPACE, MODULES
from ..rules.ginkgopolis.positions import Builder, Table, game
from ..tiers import by_tier
from .ways import styled

Json = dict[str, Any]
WITHOUT_EXPERTS = tuple(name for name in MODULE_NAMES if name != "experts")
CONFIGS: list[Json] = [
    {"players": 1, "level": "advanced"},
    {"players": 2, "setup": "introductory"},
    {"players": 3, "setup": "draft", "strict": True},
    {"players": 5, "setup": "draft"},
    {"players": 2, "modules": MODULE_NAMES},
    {"players": 2, "modules": WITHOUT_EXPERTS},
    {"players": 3, "modules": MODULE_NAMES, "strict": True},
    {"players": 3, "modules": WITHOUT_EXPERTS},
    {"players": 4, "modules": MODULE_NAMES, "hand_size": 5},
    {"players": 5, "modules": MODULE_NAMES},
]
TIERED = by_tier(CONFIGS, [CONFIGS[1], CONFIGS[6]])


def id_of(config: Json) -> str:
    modules = {0: "base", len(MODULE_NAMES): "all"}.get(len(config.get("modules", ())), "no-experts")
    return "-".join([modules, *(str(value) for key, value in config.items() if key != "modules")])


# --- the promises of the contract, in all ways of playing ------------------------------------------------------------------


@pytest.mark.parametrize("config", TIERED, ids=id_of)
def test_resampled_states_are_possible(config: Json) -> None:
    table = game(**config)
    check_resampling(table, seed=5, n=8, deals=3, policy=styled(table, 5))


@pytest.mark.parametrize("config", TIERED, ids=id_of)
def test_resampling_is_blind(config: Json) -> None:
    table = game(**config)
    check_resampling_is_blind(table, seed=6, rows=1, policy=styled(table, 6))


# --- found by use ----------------------------------------------------------------------------------------------------------


def dealt(table: Table, viewer: int, n: int = 60, seed: int = 0) -> list[Json]:
    """Positions that the viewer may take for the real one."""
    batch = at(table.game, np.repeat(table.batch.states, n).view(np.recarray))
    batch.resample(viewer, seed=seed)
    return batch.positions()


def test_no_card_is_in_two_places() -> None:
    batch = ginkgo_env.Batch(game(players=5, modules=MODULE_NAMES), 8)
    batch.reset(seed=10)
    for _ in range(96):
        batch.step(batch.sample())
    for seed in range(60):
        other = at(batch.game, batch.state(2))
        other.resample(seed=seed + 96)
        batch.game.from_position(other.position(0))


@pytest.mark.parametrize("asked", ["lower", "event", "keep"])
def test_what_earlier_players_committed_is_hidden_from_whoever_is_in_the_middle_of_choosing(asked: str) -> None:
    builder = Builder(3, modules=MODULES).expert(1, "architect").events(0, "press", "control").other(first_player=0)
    builder.hand(0, "A", "B", "R1").tiles(0, "Y9", "R4").hand(1, "C", "D", "Y1").tiles(1, "B9", "R5", "B8").hand(2, "E", "F")
    table = builder.events(1, "press").start().play("A+Y9", "event:press", "keep:B", "C+B9")
    table.play(*{"lower": (), "event": ("lower:R5",), "keep": ("lower:R5", "event:none")}[asked])
    assert table.decision == (asked, 1)
    worlds = [world["players"][0]["commitment"] for world in dealt(table, 1)]
    assert {world["tile"] is None for world in worlds} == {True, False}
    assert {world["event"] is None for world in worlds} == {True, False}
    assert {world["card"] for world in worlds} > {"A"}
    mine = [world["players"][1]["commitment"] for world in dealt(table, 1)]
    assert {world["tile"] for world in mine} == {"B9"} and {world["card"] for world in mine} == {"C"}


def test_an_expropriation_goes_with_a_building_of_another_player_in_every_world() -> None:
    """Seat 0's last event is the expropriation, which lies on the card: one building of three fits."""
    builder = Builder(3, modules=["events", "experts"]).expert(0, "banker").events(0, "expropriation")
    builder.building((0, 0), "Y7", owner=1).building((1, 0), "R7", owner=0).hand(0, "Y7", "R7", "B3")
    builder.hand(1, "C", "D", "E").hand(2, "F", "G", "H").other(first_player=1, actor=1)
    table = builder.start().play("C", "F", "Y7", "event:expropriation")
    assert table.decision == ("take", 1)
    for viewer in (1, 2):
        worlds = dealt(table, viewer, 200)
        assert {world["players"][0]["commitment"]["card"] for world in worlds} == {"Y7"}
        assert len({tuple(world["players"][0]["hand"]) for world in worlds}) > 20


def test_only_green_spaces_go_with_a_letter_in_every_world() -> None:
    builder = Builder(2, modules=["green_spaces"]).tiles(0, GREEN_SPACE, GREEN_SPACE).hand(0, "C", "R2", "Y1", "B3")
    table = builder.hand(1, "D", "E").other(first_player=1, actor=1).start().play("D", f"C+{GREEN_SPACE}")
    cards = {world["players"][0]["commitment"]["card"] for world in dealt(table, 1, 200)}
    assert len(cards) > 5 and cards <= set("ABCFGHIJKL")


def test_a_player_in_the_middle_of_choosing_is_set_back_to_the_beginning() -> None:
    builder = Builder(2, modules=MODULES).expert(0, "architect").events(0, "press").hand(0, "A", "B", "E")
    table = builder.tiles(0, "Y9", "R4").hand(1, "C", "D").start().play("A+Y9", "lower:R4", "event:press")
    assert table.decision == ("keep", 0)
    for world in dealt(table, 1, 20):
        assert world["decision"] == {"kind": "commit", "actor": 0} and world["players"][0]["commitment"] is None
        assert world["players"][0]["events"] == ["press"] and len(world["players"][0]["tiles"]) == 2


def test_who_has_but_one_card_is_asked_for_the_event_first() -> None:
    """R3.6: they have something to choose, as everybody sees; with another card it might have been nothing."""
    builder = Builder(2, modules=["events", "experts"]).expert(0, "banker").events(0, "expropriation").player(0, new_hands=0)
    builder.building((0, 0), "Y7", owner=1).hand(0, "Y7").hand(1, "C", "D").other(first_player=1, actor=1)
    table = builder.start().play("C")
    assert table.decision == ("event", 0)
    for world in dealt(table, 1, 40):
        assert world["decision"] == {"kind": "event", "actor": 0}
        assert world["players"][0]["commitment"]["card"] == "Y7"


def test_a_known_event_tile_stays_behind_its_screen() -> None:
    builder = Builder(2, modules=["events"]).events(0, "press", "expropriation").hand(0, "A", "B").hand(1, "C", "D")
    table = builder.other(first_player=1, actor=1).start()
    table.batch.states["events_known"][0, 0] = 1 << EventTile.EXPROPRIATION
    found = {tuple(world["players"][0]["events"]) for world in dealt(table, 1, 100)}
    assert len(found) == 3 and all("expropriation" in events for events in found)
    table.play("C", "A", "event:press")
    found = {tuple(world["players"][0]["events"]) for world in dealt(table, 1, 100)}
    assert found == {("expropriation",)}, "on a letter lies something else"


# --- every hidden fact varies ----------------------------------------------------------------------------------------------

Fact = Callable[[Any, int], Any]


def of_pile(name: str) -> Fact:
    return lambda g, q: tuple(g[name].tolist())


def of_player(name: str) -> Fact:
    return lambda g, q: tuple(np.atleast_1d(g[name][q]).tolist())


CHOSEN: dict[str, Fact] = {
    "whether a tile is committed": lambda g, q: g.tile[q] >= 0,
    "which tile is committed": of_player("tile"),
    "which card is committed": of_player("card"),
    "tiles set aside": of_player("aside"),
}
DEALT: dict[str, Fact] = {
    "hand": lambda g, q: sorted({*members(g.hand[q]), int(g.card[q])}),
    "tiles": lambda g, q: sorted({*members(g.tiles[q]), *members(g.aside[q]), int(g.tile[q])} - {NONE}),
    "passed cards": of_player("passed"),
    "deck": of_pile("deck"),
    "supply": of_pile("supply"),
    "removed": of_pile("removed"),
}
CHOSEN_WITH_MODULES: dict[str, Fact] = {
    "whether an event is committed": lambda g, q: g.event[q] >= 0,
    "which event is committed": of_player("event"),
    "whether a second tile is committed": lambda g, q: g.lower[q] >= 0,
    "which second tile is committed": of_player("lower"),
    "card kept": of_player("kept"),
    "green spaces set aside": of_player("green_aside"),
}
DEALT_WITH_MODULES: dict[str, Fact] = {
    "events": lambda g, q: int(g.events[q]) | (1 << int(g.event[q]) if g.event[q] >= 0 else 0),
    "tiles in the city": of_player("lower_tiles"),
    "new buildings": of_pile("new_buildings"),
    "draft": lambda g, q: (*g.characters[q].tolist(), *g.packet[q].tolist(), int(g.expert[q]), *g.packet_experts[q].tolist()),
}


def check_that_facts_vary(config: Json, seed: int, every: int, met: Counter[str]) -> None:
    """Where twins differ in a fact, each shows that the other is possible: resampled states do not all agree on it."""
    table = game(**config)
    expansion = bool(config.get("modules"))
    chosen = CHOSEN | (CHOSEN_WITH_MODULES if expansion else {})
    facts = chosen | DEALT | (DEALT_WITH_MODULES if expansion else {})
    for seat in range(table.seats):
        for step, (one, other) in enumerate(indistinguishable_pairs(table, seat, seed=seed, policy=styled(table, seed))):
            for row in np.flatnonzero(~one.over) if step % every == 0 else ():
                g, h = one.states[row], other.states[row]
                unlike = []
                for q in (q for q in range(table.sides) if q != seat):
                    # Who is choosing is set back, so that what they have chosen so far is always nothing.
                    is_choosing = g.actor == q and (g.stage in CHOOSING or g.stage == Stage.RETURN)
                    open_facts = {name: fact for name, fact in facts.items() if not (is_choosing and name in chosen)}
                    unlike += [(name, q) for name, fact in open_facts.items() if fact(g, q) != fact(h, q)]
                worlds = at(table, np.repeat(one.state(int(row)), 150).view(np.recarray)) if unlike else None
                for name, q in unlike:
                    assert worlds is not None
                    worlds.resample(seat, seed=step)
                    found = {str(facts[name](world, q)) for world in worlds.states}
                    kind = table.decisions[int(g.stage)]
                    assert len(found) > 1, f"seat {seat}, step {step}, {kind}: {name} of {q} is always {found}"
                    met[name] += 1


@pytest.mark.full
@pytest.mark.parametrize(
    "config", [{"players": 3, "setup": "draft"}, {"players": 2, "setup": "introductory", "strict": True}], ids=str
)
def test_every_hidden_fact_varies(config: Json) -> None:
    met = Counter[str]()
    for seed in range(2):
        check_that_facts_vary(config, seed, 12, met)
    wanted = {*CHOSEN, *DEALT} - ({"passed cards"} if config["players"] == 2 else set())
    assert wanted <= set(met)


@pytest.mark.full
def test_every_hidden_fact_varies_with_modules() -> None:
    met = Counter[str]()
    for seed in range(2):
        check_that_facts_vary({"players": 3, "modules": MODULE_NAMES}, seed, 16, met)
        check_that_facts_vary({"players": 3, "modules": WITHOUT_EXPERTS}, seed, 16, met)
    assert {*CHOSEN, *DEALT, *CHOSEN_WITH_MODULES, *DEALT_WITH_MODULES} <= set(met)
