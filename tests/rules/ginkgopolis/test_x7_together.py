"""X7: what goes wrong easily when modules meet."""

import pytest

from .extras import GREEN_SPACE
from .positions import Builder, Table

PLAIN = ("RE", "BE", "YE")  # characters without a construct or urbanize bonus
TIMES = pytest.mark.parametrize("timing", ["before", "after"])


def purse(table: Table, seat: int = 0) -> tuple[int, int]:
    return table.player(seat)["resources"], table.player(seat)["points"]


# --- quality control and what it makes payable -----------------------------------------------------------------------------


def inspected(resources: int, points: int, tile: str = "Y9") -> Builder:
    """Seat 0 plays R8 of two floors, seat 1's, with a quality control; then seat 1 puts the tile on Y7, nobody's."""
    builder = Builder(2, modules=["events"]).building((0, 0), "R8", floors=2, owner=1).hand(0, "R8", "C")
    builder.events(0, "control").building((2, 2), "Y7").hand(1, "Y7", "D").tiles(1, tile)
    return builder.player(1, resources=resources, points=points)


@pytest.mark.parametrize(
    ("resources", "points", "tile", "pay", "built"),
    [
        (3, 1, "Y9", 1, True),
        (3, 1, "Y9", 2, False),  # one resource left for two floors
        (4, 2, "Y5", 0, False),  # no SP left for the lower number
        (4, 2, "Y5", 2, True),
        (4, 2, "Y5", 1, False),
    ],
)
def test_x7_control_makes_a_committed_build_unaffordable(resources: int, points: int, tile: str, pay: int, built: bool) -> None:
    table = inspected(resources, points, tile).start().play("R8", "event:control", f"Y7+{tile}", "timing:before", f"pay:{pay}")
    assert any(building["tile"] == tile for building in table.position["city"]) == built
    assert (tile in table.player(1)["tiles"]) != built


@TIMES
def test_x7_control_makes_the_own_build_payable_if_it_comes_before(timing: str) -> None:
    """Seat 0 has no SP; seat 1 can pay in SP only, and that is the price of Y5 on Y7."""
    builder = Builder(2, modules=["events"]).building((0, 0), "Y7", floors=2, owner=0).building((1, 0), "R8", floors=2, owner=1)
    builder.hand(0, "Y7", "C").tiles(0, "Y5").events(0, "control").player(0, resources=1).player(1, resources=0, points=5)
    table = builder.characters(0, *PLAIN).start().play("Y7+Y5", "event:control", f"timing:{timing}")
    assert (table.building((0, 0))["tile"] == "Y5") == (timing == "before")
    assert purse(table) == ((0, 0) if timing == "before" else (1 + 1, 2 + 1 + 2))
    assert purse(table, 1) == (0, 3)


def test_x7_control_of_a_building_that_the_own_build_has_emptied() -> None:
    """Played before, seat 1 pays for Y7 while it still has resources there; after, they have come back."""
    builder = Builder(2, modules=["events"]).building((0, 0), "Y7", floors=3, owner=1).hand(0, "Y7", "C").tiles(0, "Y9")
    builder.events(0, "control").player(0, resources=4).player(1, resources=0, points=9).characters(0, *PLAIN)
    assert purse(builder.start().play("Y7+Y9", "event:control", "timing:before"), 1) == (3, 9 - 3 + 3)
    assert purse(builder.start().play("Y7+Y9", "event:control", "timing:after"), 1) == (3, 9 + 3)


def test_x7_resources_paid_in_a_control_are_in_the_supply_for_the_bankers_purchase() -> None:
    """Seat 1, a banker whose supply is empty, pays one resource: it is what they buy back to build."""
    builder = Builder(2, modules=["events", "experts"]).expert(1, "banker").expert(0, "mayor").events(0, "control")
    builder.building((0, 0), "R8", owner=1).hand(0, "R8", "C").building((0, 2), "R15", floors=22, owner=1)
    builder.building((2, 2), "Y7").hand(1, "Y7", "D").tiles(1, "Y9").player(1, resources=2, points=1)
    table = builder.start()
    assert table.player(1)["supply"] == 0
    table.play("R8", "event:control", "Y7+Y9", "timing:before", "pay:1")
    assert table.building((2, 2))["tile"] == "Y9" and purse(table, 1) == (0, 0)
    assert table.position["ending"] == "resources"


# --- expropriation ---------------------------------------------------------------------------------------------------------


def seized(*tiles: str, resources: int = 6, points: int = 0) -> Builder:
    """Seat 0 takes Y7 of three floors from seat 1, a lawyer."""
    builder = Builder(2, modules=["events", "experts"]).expert(0, "architect").expert(1, "lawyer").characters(0, *PLAIN)
    builder.building((0, 0), "Y7", floors=3, owner=1).hand(0, "Y7", "C").tiles(0, *tiles).events(0, "expropriation")
    return builder.player(0, resources=resources, points=points)


@TIMES
def test_x7_a_lawyer_gets_nothing_for_an_expropriation(timing: str) -> None:
    table = seized().start().play("Y7", "event:expropriation", f"timing:{timing}")
    assert table.building((0, 0))["owner"] == 0 and purse(table, 1) == (5 + 3, 0)


def test_x7_expropriation_before_constructing_on_the_same_building() -> None:
    """Three resources go there for 3 SP, come back by R5.1 without SP, and four are placed: four suffice."""
    table = seized("Y9", resources=4).start().play("Y7+Y9", "event:expropriation", "timing:before")
    assert table.building((0, 0)) == {"cell": [0, 0], "tile": "Y9", "floors": 4, "owner": 0, "pawn": True}
    assert purse(table) == (0, 3) and purse(table, 1) == (8, 0)


@pytest.mark.parametrize(("tile", "built"), [("Y4", True), ("R4", False), ("Y5", True)])
def test_x7_its_sp_and_what_remains_pay_for_the_construct(tile: str, built: bool) -> None:
    """3 SP for a number lower by three; but nothing is left for another color."""
    table = seized(tile, resources=4).start().play(f"Y7+{tile}", "event:expropriation", "timing:before")
    assert (table.building((0, 0))["tile"] == tile) == built
    assert table.building((0, 0))["owner"] == 0


def test_x7_expropriation_that_leaves_too_little_is_followed_by_an_exploit() -> None:
    """The expropriation takes three of three; back they come, but four are needed."""
    table = seized("Y9", resources=3).start().play("Y7+Y9", "event:expropriation", "timing:before")
    assert table.building((0, 0)) == {"cell": [0, 0], "tile": "Y7", "floors": 3, "owner": 0, "pawn": False}
    assert purse(table) == (0 + 1, 3 + 3 + 1) and table.player(0)["tiles"] != []  # RE; Y7 and YE; BE


def test_x7_after_an_expropriation_the_old_owners_lawyer_gets_nothing_for_the_construct() -> None:
    """With the other order they get two for each, and the expropriation comes to nothing."""
    table = seized("Y9", resources=9).start().play("Y7+Y9", "event:expropriation", "timing:after")
    assert purse(table, 1) == (8, 6) and table.player(0)["events"] == ["expropriation"]


def test_x7_a_banker_cannot_buy_for_an_expropriation() -> None:
    builder = seized(resources=2, points=9).expert(0, "banker")
    table = builder.start().play("Y7", "event:expropriation", "timing:before")
    assert table.building((0, 0))["owner"] == 1 and table.player(0)["events"] == ["expropriation"]
    assert purse(table) == (2 + 1, 9 + 3 + 1)


def test_x7_an_architect_may_expropriate_before_building_with_two_tiles() -> None:
    builder = seized("Y9", "R4", resources=5)
    table = builder.start().play("Y7+Y9", "lower:R4", "event:expropriation", "timing:before")
    assert table.building((0, 0))["floors"] == 5 and purse(table) == (0, 3)


# --- the supply runs out ---------------------------------------------------------------------------------------------------


def competition(*modules: str) -> Builder:
    """Seat 0 (B7, two floors, own) and seat 1 (B8, three floors, own) each with a design competition; they lie far apart."""
    builder = Builder(2, modules=("events", *modules)).building((0, 0), "B7", floors=2, owner=0)
    builder.building((2, 2), "B8", floors=3, owner=1).hand(0, "B7", "C").hand(1, "B8", "D")
    return builder.events(0, "design").events(1, "design").characters(0, "RC", "BC", "YC").characters(1, "RU", "BU", "YU")


def test_x7_first_exhaustion_in_a_before_event_second_in_an_after_event() -> None:
    """The event draws two, the action two; then seat 1's action three, and its event two of three."""
    builder = competition().supply("R20", "R19").tiles(1, *(f"R{n}" for n in range(9, 16)))
    table = builder.start().play("B7", "event:design", "B8", "event:design", "timing:before")
    assert table.decision == ("return", 0) and table.position["pending"]["phase"] == "before"
    assert table.position["pending"]["draws"] == 0 and table.position["pending"]["action"] is None
    table.play("return:done", *(f"return:R{n}" for n in range(9, 16)))
    assert table.decision == ("timing", 1) and len(table.player(0)["tiles"]) == 4  # the action went on
    assert table.position["exhaustions"] == 1 and table.position["ending"] is None
    table.play("timing:after")
    assert table.decision == ("over", None) and table.position["ending"] == "tiles"
    assert len(table.player(1)["tiles"]) == 3 + 2 and table.player(1)["points"] == 7
    assert table.player(1)["events"] == []


def test_x7_both_exhaustions_in_one_turn_the_action_draws_nothing_more() -> None:
    """Two by the event; one comes back, which the action draws; its second right is void."""
    table = competition().supply("R20", "R19").start().play("B7", "event:design", "B8", "event:none", "timing:before")
    assert table.decision == ("return", 0) and table.position["pending"]["phase"] == "before"
    table.play("return:R20")
    assert table.player(0)["tiles"] == ["R19", "R20"] and table.position["ending"] == "tiles"
    assert table.player(1)["tiles"] == [] and table.decision == ("over", None)


def test_x7_a_tile_on_the_own_card_cannot_be_returned_during_a_before_event() -> None:
    """R5.7 comes later: when it fails the tile goes back behind the screen."""
    builder = competition().supply("R20", "R19").tiles(0, "Y9", "R4").player(0, resources=0)
    table = builder.start().play("B7+Y9", "event:design", "B8", "event:none", "timing:before")
    assert table.decision == ("return", 0)
    assert table.legal == {f"return:{name}" for name in ("R4", "R19", "R20", "done")}
    table.play("return:R4", "return:R19", "return:R20")
    assert "Y9" in table.player(0)["tiles"] and table.player(0)["known_tiles"] == ["Y9"]


def test_x7_after_the_second_exhaustion_an_after_design_asks_no_split_and_brings_nothing() -> None:
    builder = competition("prestige", "new_buildings", "green_spaces").supply("R20").returned("R20").other(exhaustions=1)
    table = builder.start().play("B7", "event:design", "B8", "event:design", "timing:after", "split:done")
    assert table.position["ending"] == "tiles" and table.decision == ("timing", 1)  # nothing asked for seat 0's event
    assert table.player(0)["tiles"] == ["R20"]
    table.play("timing:before")
    assert table.decision == ("over", None) and table.player(1)["tiles"] == []


def test_x7_first_exhaustion_with_all_values_returned_and_the_draw_goes_on() -> None:
    """Four rights: a prestige tile and the last tile; what comes back of value III can be drawn by the next player."""
    builder = competition("prestige", "new_buildings", "green_spaces").building((0, 0), "B7", floors=4, owner=0)
    builder.supply("R20").tiles(0, "R24", "B22", GREEN_SPACE, "R4", "R5", "R6", "R7").prestige("R25")
    table = builder.start().play("B7", "event:none", "B8", "event:none", "split:red", "split:done")
    assert table.decision == ("return", 0) and "R25" in table.player(0)["tiles"]
    table.play("return:R4", "return:R5", "return:R6", "return:R7", "return:R24", "return:B22", "return:GS", "return:done")
    assert table.decision == ("split", 1) and table.position["prestige"] == ["R24"]
    assert table.position["green_spaces"] == 9 and table.position["returned"] == ["R4", "R5", "R6", "R7"]
    table.play("split:red")
    assert "R24" in table.player(1)["tiles"] and table.position["exhaustions"] == 1


# --- green spaces and others -----------------------------------------------------------------------------------------------


def test_x7_a_green_space_below_is_no_park() -> None:
    """Seat 1 urbanizes beside it: no SP, and the stack is one short for good."""
    builder = Builder(2, modules=["green_spaces", "experts"]).expert(0, "architect").characters(0, *PLAIN)
    builder.building((0, 0), "R7", floors=2, owner=0).hand(0, "R7", "C").tiles(0, "R9", GREEN_SPACE).hand(1, "A", "D")
    table = builder.tiles(1, "R20").start().play("R7+R9", "lower:GS", "A+R20", "token:N")
    assert table.building((0, 0))["floors"] == 4 and table.position["green_spaces"] == 8
    assert purse(table, 1) == (5 - 1 + 4 + 1, 1)  # four floors of red, RU and YU
    assert sum(table.outcome.breakdown[0]["parks"]) == 0


def test_x7_the_green_limit_holds_for_a_turn_not_for_a_player() -> None:
    """Seat 0 takes one in its event, none in its action; seat 1 may take one; seat 0 again in the next round."""
    table = competition("green_spaces").hand(0, "B7", "B1").hand(1, "B8", "D").next_cards("E", "F").start()
    table.play("B7", "event:design", "B8", "event:design", "timing:before", "split:green-space")
    assert table.decision == ("timing", 1)
    table.play("timing:after")
    assert table.decision == ("split", 1)
    table.play("split:green-space")
    assert table.position["round"] == 6 and table.position["green_spaces"] == 7
    assert not table.position["pending"]


def test_x7_mayor_and_banker_of_two_players_each_with_the_own_power() -> None:
    """Seat 0, mayor, and seat 1, banker, put a red tile on a yellow building; only the banker pays for the color."""
    builder = Builder(2, modules=["experts"]).expert(0, "mayor").expert(1, "banker")
    builder.building((0, 0), "Y7").hand(0, "Y7", "C").tiles(0, "R9").characters(0, *PLAIN).player(0, resources=2)
    builder.building((2, 2), "Y8").hand(1, "Y8", "D").tiles(1, "R10").characters(1, "RE", "BE", "YE")
    table = builder.player(1, resources=2, points=1).start().play("Y7+R9", "Y8+R10")
    assert table.building((0, 0))["tile"] == "R9" and table.building((2, 2))["tile"] == "R10"
    assert purse(table) == purse(table, 1) == (0, 0)
    assert table.player(1)["supply"] == 25 - 2


def test_x7_a_new_hand_leaves_events_tiles_and_the_kept_card_to_the_choice_that_follows() -> None:
    builder = Builder(2, modules=["events", "keep_card"]).hand(0, "A", "B", "C", "D").events(0, "press")
    table = builder.next_cards("E", "F", "G", "H").hand(1, "Y1", "I").start().play("new-hand", "E")
    assert table.decision == ("event", 0)
    table.play("event:press", "keep:F")
    assert table.player(0)["kept"] == "F" and table.player(0)["hand"] == ["G", "H"]
    assert {"A", "B", "C", "D"} <= {*table.position["discard"]}
