"""Positions of games with modules of The Experts: written, read, and the same bytes again, at every decision."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ginkgo_env

from ..rules.ginkgopolis.extras import MODULES
from ..rules.ginkgopolis.positions import CHARACTER_NAMES, Builder, Table, game, table_from_seed
from ..tiers import by_tier

Json = dict[str, Any]
EVERYTHING = [{"players": n, "modules": MODULES} for n in (2, 3, 4, 5)]
SINGLE = [{"players": 2 + i % 4, "modules": (module,)} for i, module in enumerate(MODULES)]
OTHERS = [
    {"players": 4, "modules": MODULES, "hand_size": 5, "strict": True},
    {"players": 3, "modules": ("events", "keep_card"), "setup": "introductory", "hand_size": 5},
    {"players": 2, "modules": ("green_spaces", "experts"), "max_rounds": 12},
]


def new(players: int = 2, **config: Any) -> Builder:
    return Builder(players, **{"modules": MODULES, **config})


def same_again(batch: ginkgo_env.Batch) -> Json:
    """The position of a row, which gives its record back."""
    data: Json = json.loads(json.dumps(batch.position(0), allow_nan=False))
    again = batch.game.from_position(data)
    differ = [name for name in again.dtype.names or () if again[name].tobytes() != batch.states[name].tobytes()]
    assert again.tobytes() == batch.states.tobytes(), f"{differ} differ: {data}"
    assert batch.game.position(again) == data
    return data


def choose(batch: ginkgo_env.Batch, rng: np.random.Generator) -> int:
    """Any legal action, but what the modules bring rather than nothing."""
    legal = batch.mask[0].nonzero()[0]
    if batch.kind[0] == batch.game.decisions.index("event"):
        legal = legal[-1:] if rng.random() < 0.5 else legal
    elif batch.kind[0] == batch.game.decisions.index("lower") and rng.random() < 0.5:
        legal = legal[1:]
    return int(rng.choice(legal))


CASES = by_tier([*EVERYTHING, *SINGLE, *OTHERS], [EVERYTHING[1], SINGLE[3], *OTHERS[1:]])


@pytest.mark.full
@pytest.mark.parametrize("config", CASES, ids=lambda c: f"{c['players']} {' '.join(c['modules'])}")
def test_every_decision_makes_the_round_trip(config: Json) -> None:
    batch = ginkgo_env.Batch(game(**config), 1)
    batch.reset(seed=5)
    rng = np.random.default_rng(5)
    while True:
        same_again(batch)
        if batch.over.all():
            return
        batch.step([choose(batch, rng)])


# --- moments that random play seldom meets -----------------------------------------------------------------------------------


def constructing(**pending: Any) -> Builder:
    """Seat 0 has built on R2, seat 1 has not acted yet."""
    builder = new().building((0, 0), "B12", floors=2, owner=0, pawn=True).committed(0, "R2").committed(1, "C", "B5")
    return builder.asked("split", 0, **{"action": "construct", "draws": 4, **pending})


def controlling(phase: str, **pending: Any) -> Builder:
    builder = new(3).building((0, 0), "R2", owner=1).building((1, 0), "Y1", owner=2).player(1, points=3).player(2, points=3)
    if phase == "before":
        builder.committed(0, "R2", "B12")
    return builder.asked("pay", 1, player=0, event="control", phase=phase, timing=phase, **pending)


MOMENTS: dict[str, tuple[Callable[[], Builder], set[str]]] = {
    "a second tile": (
        lambda: new().expert(0, "architect").tiles(0, "GS", "GS", "B24").committed(0, "R2", "Y9").asked("lower"),
        {"lower:none", "lower:GS", "lower:B24"},
    ),
    "an event": (
        lambda: new().events(0, "press").committed(0, "A", "GS").hand(0, "B").asked("event"),
        {"event:none", "event:press"},
    ),
    "a card to keep": (lambda: new().hand(0, "B", "C").committed(0, "A").asked("keep"), {"keep:B", "keep:C"}),
    "a kept card": (
        lambda: new().hand(0, "B").committed(0, "A").keeps(0, "C").hand(1, "D").other(actor=1),
        {"D", "new-hand"},
    ),
    "timing, a building": (
        lambda: new().building((2, 0), "B3", owner=1).committed(0, "B3", "Y9").asked("timing", event="expropriation"),
        {"timing:before", "timing:after"},
    ),
    "timing, a token": (
        lambda: new().committed(0, "A", "GS").asked("timing", event="press"),
        {"timing:before", "timing:after"},
    ),
    "a split in the action": (
        lambda: constructing(split={"blue": 1}),
        {"split:blue", "split:yellow", "split:new-building", "split:green-space", "split:done"},
    ),
    "a split after an event before": (
        lambda: constructing(timing="before", green_drawn=True).events(0, "press"),
        {"split:red", "split:blue", "split:yellow", "split:new-building", "split:done"},
    ),
    "a split with an event to come": (
        lambda: constructing(timing="after", event="design", zone=((0, 0), True), split={"new_building": 1}, draws=1),
        {"split:green-space", "split:done"},
    ),
    "a split of the event before": (
        lambda: new().committed(0, "R2", "B12").asked("split", phase="before", timing="before", event="design", draws=2),
        {"split:new-building", "split:green-space", "split:done"},
    ),
    "a split of the event after": (
        lambda: (
            new()
            .building((0, -1), "R9", owner=0, pawn=True)
            .token("A", (0, -2))
            .discard("A")
            .asked(
                *("split", 0),
                action="urbanize",
                phase="after",
                timing="after",
                event="design",
                zone=((0, -1), False),
                draws=2,
                green_drawn=True,
            )
        ),
        {"split:new-building", "split:done"},
    ),
    "returning in the event before": (
        lambda: (
            new()
            .tiles(0, "GS", "GS", "Y9")
            .supply()
            .other(exhaustions=1)
            .committed(0, "A", "B12")
            .asked("return", phase="before", timing="before", event="design", draws=1)
        ),
        {"return:Y9", "return:GS", "return:done"},
    ),
    "returning after the card was put away": (
        lambda: (
            new()
            .tiles(1, "B24")
            .supply()
            .other(exhaustions=1)
            .discard("R2")
            .asked(
                *("return", 1),
                player=0,
                action="exploit",
                phase="after",
                timing="after",
                event="design",
                zone=((0, 0), True),
                green_drawn=True,
            )
        ),
        {"return:B24", "return:done"},
    ),
    "paying before": (lambda: controlling("before"), {"pay:0", "pay:1"}),
    "paying after": (
        lambda: controlling("after", action="exploit", zone=((0, 0), True), green_drawn=True).discard("R2"),
        {"pay:0", "pay:1"},
    ),
    "the second to pay": (
        lambda: controlling("before", received=1).asked(
            "pay", 2, player=0, event="control", phase="before", timing="before", received=1
        ),
        {"pay:0", "pay:1"},
    ),
    "a take after an event before has drawn a green space": (
        lambda: new().expert(0, "artist").events(0, "press").committed(0, "A").asked("take", timing="before", green_drawn=True),
        {"take:resource", "take:tile"},
    ),
    "a token, the building on two tiles": (
        lambda: (
            new()
            .expert(0, "architect")
            .green_space((0, -1), 0, tiles=2)
            .lower_tiles(0, "Y25")
            .committed(0, "A")
            .token("A", (9, 9))
            .asked("token", timing="after", event="press")
        ),
        {"token:N", "token:W"},
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_moments(name: str) -> None:
    make, legal = MOMENTS[name]
    builder = make()
    table = builder.start()
    assert same_again(table.batch) == builder.position()
    assert table.legal == legal


def test_during_the_choice_of_events_who_has_not_chosen_has_all_four() -> None:
    table = table_from_seed(3, players=3, modules=("events",), setup="introductory")
    assert table.decision == ("events", 0)
    before = same_again(table.batch)
    assert (before["first_player"], before["round"], before["pending"]) == (None, 0, None)
    after = same_again(table.play("events:press+control").batch)
    assert [player["events"] for player in after["players"]] == [
        ["press", "control"],
        *[player["events"] for player in before["players"]][1:],
    ]
    assert before["players"][0]["events"] == ["design", "press", "expropriation", "control"]


def test_whoever_found_no_expert_in_the_last_packet_has_three_characters() -> None:
    """X6: all want characters, but seats 2 and 3 take an expert each out of the packet that is the last one for seat 0."""
    table = table_from_seed(1, players=4, modules=("experts",))
    for pick in range(3):
        for seat in range(4):
            experts = {text for text in table.legal if text[6:] not in CHARACTER_NAMES}
            assert same_again(table.batch)["decision"] == {"kind": "draft", "actor": seat}
            table.play(min(experts if pick > 0 and pick == seat - 1 else table.legal - experts))
    assert table.decision == ("draft", 1)  # seat 0 was skipped
    first = same_again(table.batch)["players"][0]
    assert (len(first["characters"]), first["expert"], len(first["packet"]), first["packet_experts"]) == (3, None, 3, [])


def test_without_modules_positions_are_as_they_were() -> None:
    data = Table(players=2).position
    assert not {"new_buildings", "prestige", "green_spaces"} & {*data} and not {"modules", "hand_size"} & {*data["config"]}
    assert "expert" not in data["players"][0]


def test_a_builder_finds_a_place_for_every_tile_of_the_expansion() -> None:
    builder = new().new_buildings("Y22", "R21").prestige("B25").green_spaces(1).green_space((3, 0), 0).hand(0, "A")
    data = same_again(builder.start().batch)
    assert (data["new_buildings"], data["prestige"], data["green_spaces"]) == (["Y22", "R21"], ["B25"], 1)
    assert data["players"][1]["tiles"].count("GS") == 7 and len(data["players"][1]["tiles"]) == 7 + 7 + 5
    assert len(data["removed"]) == 6 + 9
