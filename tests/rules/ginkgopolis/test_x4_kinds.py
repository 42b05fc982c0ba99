"""X4.4: what the four kinds of events do."""

import pytest

from .extras import GREEN_SPACE
from .positions import Builder, Table

MODULE = ("events",)
TIMES = pytest.mark.parametrize("timing", ["before", "after"])


def zone(event: str, *modules: str, players: int = 3, mine: int = 2) -> Builder:
    """Seat 0 plays R7 in the middle with the event; beside it lie R8, seat 1's, of four floors and R9, seat 2's, of three.

    At corners there is a lot more; nobody has bonuses for exploiting.
    """
    builder = Builder(players, modules=(*MODULE, *modules)).building((1, 1), "R7", floors=mine, owner=0)
    builder.building((1, 0), "R8", floors=4, owner=1).building((0, 1), "R9", floors=3, owner=players - 1)
    builder.building((2, 0), "R12", floors=2, owner=1).building((0, 2), "R13", floors=2, owner=0)
    builder.player(0, points=0, resources=3)
    return builder.hand(0, "R7", "A").events(0, event)


# --- design competition ----------------------------------------------------------------------------------------------------


@TIMES
def test_x4_4_design_draws_a_tile_for_each_own_resource_in_the_zone(timing: str) -> None:
    table = zone("design").next_tiles("Y20", "Y19", "Y18").start().play("R7", "event:design", f"timing:{timing}")
    assert table.player(0)["tiles"] == ["Y19", "Y20"] and table.player(0)["resources"] == 3 + 2


@pytest.mark.parametrize(("beside", "draws"), [(6, 8), (7, 9), (8, 9), (10, 9)])
def test_x4_4_at_most_nine(beside: int, draws: int) -> None:
    builder = zone("design").building((2, 1), "R14", floors=beside, owner=0)
    assert len(builder.start().play("R7", "event:design", "timing:before").player(0)["tiles"]) == draws
    table = zone("press").building((2, 1), "R14", floors=beside, owner=0).start().play("R7", "event:press", "timing:before")
    assert table.player(0)["points"] == draws


@TIMES
def test_x4_4_a_building_of_another_can_be_targeted(timing: str) -> None:
    """R8 is seat 1's; beside it only the own R7."""
    builder = zone("press").hand(0, "R8", "A")
    assert builder.start().play("R8", "event:press", f"timing:{timing}").player(0)["points"] == 2


@TIMES
def test_x4_4_design_is_a_draw_of_its_own(timing: str) -> None:
    """Two rights of the action (B7) and two of the event do not make four: no tile of value III."""
    builder = zone("design", "prestige", "new_buildings").building((1, 1), "B7", floors=2, owner=0).hand(0, "B7", "A")
    table = builder.start().play("B7", "event:design", f"timing:{timing}")
    for _ in range(2):
        assert table.decision == ("split", 0) and table.legal == {"split:new-building", "split:done"}
        assert table.position["pending"]["draws"] == 2
        table.play("split:new-building")
    assert table.decision[0] == "commit" and table.player(0)["tiles"] == ["R21", "R22"]


def test_x4_4_design_can_be_split_like_any_draw() -> None:
    table = zone("design", "prestige", "green_spaces", mine=4).start().play("R7", "event:design", "timing:before")
    table.play("split:yellow", "split:green-space")
    assert table.player(0)["tiles"] == ["Y24", GREEN_SPACE]


@TIMES
def test_x4_4_the_green_limit_is_shared_with_the_action(timing: str) -> None:
    """Whichever comes first takes a green space: the other is not even asked."""
    builder = zone("design", "green_spaces").building((1, 1), "B7", floors=2, owner=0).hand(0, "B7", "A")
    table = builder.start().play("B7", "event:design", f"timing:{timing}")
    assert table.legal == {"split:green-space", "split:done"}
    table.play("split:green-space")
    assert table.decision[0] == "commit"
    assert len(table.player(0)["tiles"]) == 4 and table.player(0)["tiles"].count(GREEN_SPACE) == 1
    table = builder.start().play("B7", "event:design", f"timing:{timing}", "split:done")
    assert table.legal == {"split:green-space", "split:done"}  # none yet


# --- expropriation ---------------------------------------------------------------------------------------------------------


def test_x4_4_expropriation_only_with_a_building_card_of_another_players_building() -> None:
    """Not with an own building, nobody's, or an urbanization card; others may."""
    builder = zone("expropriation").tiles(0, "R20").events(0, "expropriation", "press")
    both = {"event:none", "event:press", "event:expropriation"}
    for card in ("R8", "R9", "R8+R20"):
        assert builder.hand(0, card.split("+")[0], "A").start().play(card).legal == both
    for card in ("R7", "R2", "A", "R7+R20", "A+R20"):
        assert builder.hand(0, card.split("+")[0], "B").start().play(card).legal == both - {"event:expropriation"}
    table = builder.events(0, "expropriation").hand(0, "A", "B").start().play("A")
    assert table.decision[0] != "event"  # none is possible: not asked


def taken(table: Table) -> Table:
    """The expropriation of R8, four floors, has had its effect."""
    me, other = table.player(0), table.player(1)
    assert table.building((1, 0))["owner"] == 0 and table.building((1, 0))["floors"] == 4
    assert (other["resources"], other["points"]) == (5 + 4, 0)
    assert me["points"] == 4 and me["events"] == [] and "expropriation" in me["events_played"]
    return table


@TIMES
def test_x4_4_expropriation_replaces_all_resources_for_one_sp_each(timing: str) -> None:
    """Four own ones from behind the screen; R8 itself brings four."""
    builder = zone("expropriation").hand(0, "R8", "A").player(0, resources=6)
    table = taken(builder.start().play("R8", "event:expropriation", f"timing:{timing}"))
    assert table.player(0)["resources"] == 6 - 4 + 4 and table.player(0)["supply"] == 20 - 6 - 4 - 4
    assert table.player(1)["supply"] == 20 - 9 - 2


def test_x4_4_expropriation_the_resources_come_from_behind_the_screen() -> None:
    """Three are too few before the action; after it, R8 has brought four more."""
    builder = zone("expropriation").hand(0, "R8", "A").player(0, resources=3)
    table = builder.start().play("R8", "event:expropriation", "timing:before")
    assert table.building((1, 0))["owner"] == 1 and table.player(0)["resources"] == 3 + 4
    taken(builder.start().play("R8", "event:expropriation", "timing:after"))
    builder.player(0, resources=4)
    taken(builder.start().play("R8", "event:expropriation", "timing:before"))


def test_x4_4_expropriation_without_enough_resources_has_no_effect_and_goes_back() -> None:
    builder = zone("expropriation").hand(0, "R8", "A").player(0, resources=3).events(0, "press", "expropriation")
    table = builder.start().play("R8", "event:expropriation", "timing:before")
    me, other = table.player(0), table.player(1)
    assert me["events"] == ["press", "expropriation"] and me["events_played"] == [] and me["points"] == 0
    assert (other["resources"], other["points"]) == (5, 0) and table.seen(1).player(0, "events") == 2


def test_x4_4_expropriation_after_an_own_construct_has_no_effect_and_goes_back() -> None:
    builder = zone("expropriation").hand(0, "R8", "A").player(0, resources=10).tiles(0, "R20")
    table = builder.start().play("R8+R20", "event:expropriation", "timing:after")
    assert table.building((1, 0))["tile"] == "R20" and table.player(0)["events"] == ["expropriation"]
    assert table.player(1)["points"] == 4  # R5.1
    assert table.player(0)["points"] == 1  # YC


def test_x4_4_expropriation_after_a_failed_construct_takes_effect() -> None:
    """R5.7: exploited, R8 brings the resources."""
    builder = zone("expropriation").hand(0, "R8", "A").player(0, resources=1).tiles(0, "R20")
    taken(builder.start().play("R8+R20", "event:expropriation", "timing:after"))


@TIMES
def test_x4_4_expropriation_can_trigger_the_end(timing: str) -> None:
    """R8.1: the last resource; R8 brings nothing, as the supply is empty."""
    builder = zone("expropriation", players=2).hand(0, "R8", "A").building((0, 2), "R13", floors=19, owner=0)
    table = builder.player(0, resources=4).start()
    assert table.player(0)["supply"] == 0
    table.play("R8", "event:expropriation", f"timing:{timing}")
    assert table.position["ending"] == "resources" and table.decision == ("over", None)


# --- press campaign --------------------------------------------------------------------------------------------------------


@TIMES
def test_x4_4_press_brings_one_sp_for_each_own_resource_in_the_zone(timing: str) -> None:
    builder = zone("press").building((2, 1), "B14", floors=5, owner=0)
    assert builder.start().play("R7", "event:press", f"timing:{timing}").player(0)["points"] == 2 + 5


# --- quality control -------------------------------------------------------------------------------------------------------


def controlled(*hands: tuple[int, int]) -> Table:
    """Seats 1 and 2 have (resources, SP) and owe for four and three resources; the first is asked, or all have paid."""
    builder = zone("control")
    for seat, (resources, points) in enumerate(hands, 1):
        builder.player(seat, resources=resources, points=points)
    return builder.start().play("R7", "event:control", "timing:before")


def purse(table: Table, seat: int) -> tuple[int, int]:
    return table.player(seat)["resources"], table.player(seat)["points"]


@pytest.mark.parametrize(
    ("resources", "points", "ways"),
    [(9, 9, (0, 4)), (9, 3, (1, 4)), (2, 9, (0, 2)), (3, 2, (2, 3)), (2, 3, (1, 2)), (4, 1, (3, 4))],
)
def test_x4_4_control_each_owes_his_resources_in_the_zone_and_chooses_how_to_pay(
    resources: int, points: int, ways: tuple[int, int]
) -> None:
    table = controlled((resources, points), (0, 0))
    assert table.decision == ("pay", 1)
    assert table.legal == {f"pay:{n}" for n in range(ways[0], ways[1] + 1)}
    for n in range(ways[0], ways[1] + 1):
        table = controlled((resources, points), (0, 0)).play(f"pay:{n}")
        assert purse(table, 1) == (resources - n, points - (4 - n))
        assert table.player(1)["supply"] == 20 - 6 - (resources - n)  # resources go to the supply
        assert table.player(0)["points"] == 4 - n  # the SP to who played it


@pytest.mark.parametrize(
    ("hand", "left", "gained"),
    [
        ((0, 0), (0, 0), 0),
        ((9, 0), (5, 0), 0),
        ((0, 9), (0, 5), 4),
        ((1, 1), (0, 0), 1),
        ((2, 2), (0, 0), 2),
        ((0, 3), (0, 0), 3),
    ],
)
def test_x4_4_control_asked_only_if_there_are_two_ways(hand: tuple[int, int], left: tuple[int, int], gained: int) -> None:
    """At most what they have behind the screen."""
    table = controlled(hand, (0, 0))
    assert table.decision[0] == "commit" and purse(table, 1) == left and table.player(0)["points"] == gained


def test_x4_4_control_clockwise_from_who_played_it_and_later_ones_see_earlier_payments() -> None:
    table = controlled((9, 9), (9, 9)).play("pay:3")
    assert table.decision == ("pay", 2) and table.legal == {f"pay:{n}" for n in range(4)}
    assert purse(table, 1) == (6, 8) and table.player(0)["points"] == 1
    seen = table.seen(2)
    assert (seen.player(1, "resources"), seen.player(1, "points"), seen.player(0, "points")) == (6, 8, 1)
    table.play("pay:1")
    assert purse(table, 2) == (8, 7) and table.player(0)["points"] == 3


def test_x4_4_control_clockwise_not_in_turn_order() -> None:
    """Seat 2 is first; the one who played it is seat 0: seat 1 pays before seat 2."""
    builder = zone("control").other(first_player=2, actor=2).hand(2, "B3", "B").building((2, 0), "B3")
    builder.player(1, resources=9, points=9).player(2, resources=9, points=9)
    table = builder.start().play("B3", "R7", "event:control", "timing:after")
    assert table.decision == ("pay", 1) and table.play("pay:0").decision == ("pay", 2)


def test_x4_4_control_by_seat_1_is_paid_by_2_then_0() -> None:
    builder = zone("control").events(0).hand(0).hand(1, "R7", "A").events(1, "control").other(actor=1, first_player=1)
    builder.player(0, resources=9, points=9).player(2, resources=9, points=9).player(1, resources=9, points=0)
    table = builder.start().play("R7", "event:control", "timing:before")
    assert table.decision == ("pay", 2) and table.legal == {f"pay:{n}" for n in range(4)}
    table.play("pay:0")
    assert table.decision == ("pay", 0) and table.legal == {f"pay:{n}" for n in range(3)}
    table.play("pay:2")
    assert table.player(1)["points"] == 3 and purse(table, 1)[0] == 9 + 2  # not affected; R7 of two floors


@pytest.mark.parametrize(("first", "second", "gained"), [(4, 3, 6), (4, 2, 6), (4, 1, 5), (3, 3, 6), (2, 3, 5)])
def test_x4_4_control_at_most_six_sp_the_rest_to_the_bank(first: int, second: int, gained: int) -> None:
    """SP paid by seats 1 and 2."""
    table = controlled((9, 9), (9, 9)).play(f"pay:{4 - first}", f"pay:{3 - second}")
    assert table.player(0)["points"] == gained
    assert purse(table, 1) == (9 - (4 - first), 9 - first) and purse(table, 2) == (9 - (3 - second), 9 - second)


def test_x4_4_control_six_from_one_player_alone() -> None:
    builder = zone("control").building((1, 0), "R8", floors=9, owner=1).player(1, resources=0, points=20)
    table = builder.player(2, resources=0, points=5).start().play("R7", "event:control", "timing:before")
    assert table.player(0)["points"] == 6 and purse(table, 1) == (0, 11) and purse(table, 2) == (0, 2)


def test_x4_4_control_in_the_zone_only() -> None:
    """Buildings at corners, green spaces and nobody's buildings do not count."""
    builder = zone("control", "green_spaces", players=2).building((1, 0), "R8").building((0, 1), "R9")
    builder.building((1, 2), "B1").player(1, resources=9, points=9)
    table = builder.start().play("R7", "event:control", "timing:after")
    assert table.decision[0] == "commit" and purse(table, 1) == (9, 9)
    builder.building((0, 0), "R11").green_space((0, -1), 1).token("A", (-1, -1)).hand(0, "R11", "B")
    table = builder.start().play("R11", "event:control", "timing:before")
    assert purse(table, 1) == (9, 9)


@TIMES
def test_x4_4_control_of_an_urbanization_card(timing: str) -> None:
    """A's token lies above R10, seat 1's."""
    builder = zone("control", players=2).building((0, 0), "R10", floors=2, owner=1).hand(0, "A", "B").player(1, resources=9)
    table = builder.player(1, points=9).start().play("A", "event:control", f"timing:{timing}")
    if timing == "after":
        table.play("take:resource")
    assert table.decision == ("pay", 1) and table.legal == {"pay:0", "pay:1", "pay:2"}
    table.play("pay:1")
    assert table.player(0)["points"] == 1 and purse(table, 1) == (8, 8)


def test_x4_4_control_after_the_action_finds_what_lies_there_then() -> None:
    """Seat 0 builds on R8: its four resources are behind seat 1's screen by then."""
    builder = zone("control", players=2).building((0, 1), "R9").hand(0, "R8", "A").tiles(0, "R20").player(0, resources=9)
    table = builder.player(1, resources=9, points=9).start().play("R8+R20", "event:control", "timing:after")
    # R12 beside R8, of two floors, is all that is left
    assert table.decision == ("pay", 1) and table.legal == {"pay:0", "pay:1", "pay:2"}
    assert purse(table, 1) == (13, 13)
