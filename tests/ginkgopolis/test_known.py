"""X0.4, X4.1, X5.1, X7.4, example by example: worlds that a seat may take for real keep what it knows and vary the rest."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.ginkgopolis.validity import Flaw

from ..rules.ginkgopolis.extras import EVENTS, GREEN_SPACE
from ..rules.ginkgopolis.positions import Builder, Table, game, table_from_seed
from ..rules.ginkgopolis.test_r9_william import table_of
from ..rules.ginkgopolis.test_x6_experts import engineers_turn
from ..rules.ginkgopolis.test_x7_hidden import building_two, drawing
from ..rules.ginkgopolis.test_x7_known_events import BACK, naming, on_cards, went_back


def dealt(table: Table, viewer: int, seat: int, n: int = 60) -> list[dict[str, Any]]:
    """A seat in n worlds that the viewer may take for the real one."""
    other, worlds = ginkgo_env.Batch(table.game, 1), []
    for seed in range(n):
        other.copy_rows(table.batch, [0], [0])
        other.resample(viewer, seed=seed)
        worlds.append(other.position(0)["players"][seat])
    return worlds


def kinds(table: Table, viewer: int, seat: int) -> set[tuple[str, ...]]:
    """The events that a seat may have as far as the viewer knows."""
    return {tuple(world["events"]) for world in dealt(table, viewer, seat)}


def test_x0_4_stack_ii_is_not_known_as_a_set() -> None:
    """Seat 0 returns R22 and keeps B21: to seat 1 the tile kept may be R22 again."""
    builder = drawing().building((0, 0), "B7", owner=1).supply("R20").tiles(0, "R4", "R22", "B21")
    table = builder.start().play("B7", "split:done", "return:R4", "return:R22", "return:done")
    assert table.player(0)["tiles"] == ["R20", "B21"]
    assert {"R22", "B21", "Y23"} <= {tile for world in dealt(table, 1, 0, 200) for tile in world["tiles"]}


def test_x4_1_any_pair_of_events_may_be_there() -> None:
    table = table_from_seed(3, players=2, setup="introductory", modules=("events",))
    table.play("events:design+press", "events:press+control")
    assert kinds(table, 1, 0) == set(combinations(EVENTS, 2)) and kinds(table, 0, 1) == set(combinations(EVENTS, 2))
    assert kinds(table, 1, 1) == {("press", "control")}


def test_x4_1_events_of_experts_are_public() -> None:
    builder = Builder(2, modules=("events", "experts")).expert(1, "banker").events(1, "control").hand(0, "A", "B")
    assert kinds(builder.start(), 0, 1) == {("control",)}


def test_x5_1_the_kept_card_may_be_one_that_the_neighbor_has_passed() -> None:
    """What the right neighbor passed stays known, in hand or kept."""
    builder = Builder(3, modules=("keep_card",)).hand(0, "A", "B", "R2", "Y1").hand(1, "C", "D", "R3").passed(2, "A", "B")
    worlds = dealt(builder.start().play("Y1", "keep:A", "C", "keep:D"), 2, 0, 80)
    assert all({"A", "B"} <= {*world["hand"], world["kept"]} for world in worlds)
    assert {"A", "B"} < {world["kept"] for world in worlds}


def test_x7_4_of_new_buildings_taken_only_the_number_is_known() -> None:
    table = drawing().hand(1, "R1", "D").start().play("B7", "R1", "split:yellow", "split:new-building", "split:green-space")
    worlds = dealt(table, 1, 0)
    assert all({"Y24", GREEN_SPACE} <= set(world["tiles"]) for world in worlds)
    assert len({tuple(world["tiles"]) for world in worlds}) > 5


def test_x7_4_known_behind_the_screen_or_committed() -> None:
    """Y24 is committed with the card A; seat 1 knows that it is there or on the card."""
    builder = Builder(3, modules=["prestige"]).tiles(0, "Y24", "R4", "B9").known(0, "Y24").hand(0, "A", "B")
    builder.hand(1, "C", "D").hand(2, "E", "F")
    table = builder.other(first_player=1, actor=1).start().play("C", "E", "A+Y24")
    assert table.decision == ("take", 1)
    worlds = dealt(table, 1, 0)
    assert {world["commitment"]["tile"] == "Y24" for world in worlds} == {True, False}
    assert all("Y24" in [*world["tiles"], world["commitment"]["tile"]] for world in worlds)


def test_x7_4_known_tiles_may_lie_on_the_card_as_the_lower_one() -> None:
    """Seat 0, an architect, has two of three tiles on the card A; to seat 1 Y24 may be any of the three."""
    builder = Builder(2, modules=["prestige", "experts"]).expert(0, "architect").tiles(0, "Y24", "R4", "B9").known(0, "Y24")
    builder.hand(0, "A", "B").hand(1, "C", "D").other(first_player=1, actor=1)
    table = builder.start().play("C", "A+R4", "lower:Y24")
    assert table.decision == ("take", 1) and table.player(0)["known_tiles"] == ["Y24"]
    places = set()
    for world in dealt(table, 1, 0):
        on_card = world["commitment"]
        where = {"tile": [on_card["tile"]], "lower": [on_card["lower"]], "screen": world["tiles"]}
        places |= {place for place, tiles in where.items() if "Y24" in tiles}
        assert sum("Y24" in tiles for tiles in where.values()) == 1
    assert places == {"tile", "lower", "screen"}


def test_x7_4_a_lower_tile_is_known_only_to_who_placed_it() -> None:
    """To others a tile without color and number: a resample deals it too, but keeps their number."""
    table = building_two("R4")
    assert {tuple(world["lower_tiles"]) for world in dealt(table, 0, 0)} == {("R4",)}
    lower = {tuple(world["lower_tiles"]) for world in dealt(table, 1, 0, 150)}
    assert {len(tiles) for tiles in lower} == {1}
    names = {tile for (tile,) in lower}
    assert len(names) > 20 and names & {"B24", GREEN_SPACE}  # also what they took from the face-up stacks


def test_x7_4_of_two_tiles_that_go_back_only_the_upper_one_is_known() -> None:
    builder = Builder(2, modules=["experts"]).expert(0, "architect").building((0, 0), "Y7", floors=2, owner=1)
    table = builder.hand(0, "Y7", "C").tiles(0, "Y9", "R4").player(0, resources=3).start().play("Y7+Y9", "lower:R4")
    worlds = dealt(table, 1, 0)
    assert all("Y9" in world["tiles"] for world in worlds) and not all("R4" in world["tiles"] for world in worlds)


def test_x7_4_an_event_that_went_back_is_known_the_other_one_is_not() -> None:
    """Without module 6."""
    assert len(kinds(went_back(), 1, 0)) == 3 and all(len(pair) == 2 and BACK in pair for pair in kinds(went_back(), 1, 0))


def test_an_event_that_goes_back_is_told_in_records_and_described() -> None:
    table = on_cards(naming().start(), "Y7", f"event:{BACK}")
    before = table.batch.state(0)
    record = Playback(table.game)
    record.continue_from(before)
    action = table.game.parse_action(before, "timing:before")
    rows = record.play(action)
    for seat in range(3):
        assert {"seat": 0, "goes_back": BACK} in table.game.visible(seat, before, action, record.states, rows).lines
        assert f"events {BACK}" in table.game.describe(record.states, seat) and f"events {BACK}" not in table.game.describe(
            before, seat
        )


def test_positions_in_which_it_is_not_there_are_refused() -> None:
    with pytest.raises(ginkgo_env.PositionError, match=Flaw.KNOWN.sentence):
        naming().known_events(0, BACK).events(0, "press").start()


def test_without_events_the_key_is_empty() -> None:
    builder = Builder(2, modules=["prestige"]).hand(0, "A", "B")
    assert builder.start().player(0)["known_events"] == []
    with pytest.raises(ginkgo_env.PositionError, match=Flaw.KNOWN.sentence):
        builder.known_events(0, BACK).start()
    assert "known_events" not in Builder(2).hand(0, "A", "B").start().player(0)


@pytest.mark.parametrize("first", ["Y7", "Y7+R4", "A", "A+Y9"])
def test_x6_2_rewards_of_the_engineer_do_not_tell_what_is_committed(first: str) -> None:
    builder = engineers_turn()
    batch = ginkgo_env.Batch(game(**builder.config), 1, reward="score")
    batch.set_position(0, builder.position())
    for text in (first, "event:none"):
        if batch.actor[0] == 0:
            batch.step([batch.game.parse_action(batch.state(0), text)])
            assert not batch.rewards.any()


@pytest.mark.parametrize(("points", "reward"), [(4, -1), (5, 0), (6, 1)])
def test_r9_6_the_reward_alone_is_that_of_the_result(points: int, reward: int) -> None:
    builder = table_of("L").hand(0, "B1", "A").supply("R20").player(0, points=points).player(1, points=5)
    assert builder.start().play("B1").batch.rewards.tolist() == [[reward]]
