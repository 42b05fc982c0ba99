"""R5: construct a floor, a building card with a tile."""

import pytest

from .positions import Builder

PLAIN = ("RE", "BE", "YE")  # characters without a construct bonus


def site(tile: str = "Y7", floors: int = 2, owner: int | None = 1, players: int = 2) -> Builder:
    """A building on (0, 0) whose card seat 0 holds; twelve resources at hand, ten SP, no construct bonus."""
    builder = Builder(players).building((0, 0), tile, floors=floors, owner=owner).hand(0, tile, "L")
    return builder.characters(0, *PLAIN).player(0, resources=12, points=10)


def test_r5_1_resources_go_back_to_another_owner_with_one_sp_each() -> None:
    table = site(floors=3, owner=1).tiles(0, "Y9").start().play("Y7+Y9")
    other = table.player(1)
    assert (other["resources"], other["supply"], other["points"]) == (8, 17, 3)


def test_r5_1_the_own_resources_come_back_without_sp() -> None:
    table = site(floors=3, owner=0).tiles(0, "Y9").start().play("Y7+Y9")
    me = table.player(0)
    assert (me["resources"], me["points"]) == (12 + 3 - 4, 10)


def test_r5_1_nobodys_building_returns_nothing() -> None:
    table = site(floors=1, owner=None).tiles(0, "Y9").start().play("Y7+Y9")
    assert (table.player(0)["resources"], table.player(0)["points"], table.player(1)["points"]) == (10, 10, 0)


@pytest.mark.parametrize(
    ("tile", "points", "resource"),
    [
        ("Y8", 0, 0),  # higher, same color
        ("Y6", 1, 0),  # lower by one
        ("Y4", 3, 0),
        ("R7", 0, 1),  # the same number in another color
        ("B20", 0, 1),
        ("R4", 3, 1),  # both
    ],
)
def test_r5_2_additional_costs(tile: str, points: int, resource: int) -> None:
    table = site(floors=2, owner=1).tiles(0, tile).start().play(f"Y7+{tile}")
    me = table.player(0)
    assert (me["points"], me["resources"]) == (10 - points, 12 - 3 - resource)
    assert me["supply"] == 25 - 12 + resource  # the resource goes to the own supply
    assert table.building((0, 0)) == {"cell": [0, 0], "tile": tile, "floors": 3, "owner": 0, "pawn": True}
    assert "Y7" in table.position["buried"]


def test_r5_2_the_tile_covered_counts_not_what_lies_below() -> None:
    """The buried tile is R10; only the top tile, Y7, is compared."""
    me = site(floors=2, owner=1).tableau(1, "R10").tiles(0, "Y8").start().play("Y7+Y8").player(0)
    assert (me["points"], me["resources"]) == (10, 9)


def test_r5_3_one_resource_for_each_floor_as_the_building_now_is() -> None:
    table = site(floors=4, owner=1).tiles(0, "Y9").start().play("Y7+Y9")
    assert table.player(0)["resources"] == 7 and table.building((0, 0))["floors"] == 5
    assert table.building((0, 0))["owner"] == 0


def test_r5_4_a_pawn_marks_the_building_and_the_tiles_card_is_nowhere() -> None:
    table = site().tiles(0, "Y9").start().play("Y7+Y9")
    position = table.position
    assert table.building((0, 0))["pawn"]
    assert "Y9" not in position["deck"] + position["discard"] + table.player(0)["hand"] + table.player(1)["hand"]


def test_r5_5_construct_bonuses_pay() -> None:
    builder = site().characters(0, "RC", "BC", "YC").tableau(0, "Y9", "B6").tiles(0, "Y8").next_tiles("R20", "B20")
    me = builder.start().play("Y7+Y8").player(0)
    # 12 - 3 + 1 RC; BC and B6 a tile each; YC 1 + Y9 2 SP
    assert (me["resources"], me["tiles"], me["points"]) == (10, ["R20", "B20"], 13)


@pytest.mark.parametrize(("card", "tile"), [("R6", "R7"), ("B6", "B7"), ("Y6", "Y7"), ("Y9", "Y10")])
def test_r5_5_the_card_just_played_does_not_count_yet(card: str, tile: str) -> None:
    """Cards with a construct bonus; it pays the next time."""
    builder = Builder(2).building((1, 0), card).hand(0, card, "B1").tiles(0, tile, "B18").characters(0, *PLAIN)
    builder.player(0, resources=9).next_cards("L")
    table = builder.start().play(f"{card}+{tile}")
    me = table.player(0)
    assert (me["resources"], me["tiles"], me["points"]) == (7, ["B18"], 0)
    assert me["tableau"] == [card]


def test_r5_5_bonuses_cannot_pay_for_the_action() -> None:
    """One resource short; two RC would bring two."""
    table = site().characters(0, "RC", "RC", "YC").player(0, resources=2, points=0).tiles(0, "Y9").start().play("Y7+Y9")
    assert table.building((0, 0))["tile"] == "Y7" and table.player(0)["tableau"] == []
    assert table.player(0)["points"] == 2  # exploited
    # One SP short for the difference; YC would bring one.
    table = site().characters(0, "YC", "YC", "RC").player(0, points=0).tiles(0, "Y6").start().play("Y7+Y6")
    assert table.building((0, 0))["tile"] == "Y7" and table.player(0)["points"] == 2


def test_r5_6_the_card_stays_in_front_of_the_player() -> None:
    table = site().tiles(0, "Y9").start().play("Y7+Y9")
    assert table.player(0)["tableau"] == ["Y7"] and table.position["discard"] == []
    assert table.player(0)["commitment"] is None


def test_r5_6_its_bonus_pays_from_then_on() -> None:
    """Y7, an exploit card: 2 SP with seat 0's exploit in the next round."""
    builder = site(owner=None, floors=1).characters(0, "RC", "BC", "RC").tiles(0, "Y9").hand(0, "Y7", "A", "B")
    table = builder.hand(1, "R3", "B3", "D").next_cards("E", "F").start().play("Y7+Y9", "R3")
    table.play("A")  # seat 1 is first now
    points = table.player(0)["points"]
    table.play("B3", "take:resource")
    assert table.player(0)["points"] == points + 2


def test_r5_example_nell_puts_red_4_on_fayes_blue_5() -> None:
    """Faye gets two resources and two SP; Nell pays one SP and a resource, places three, gains a resource and an SP."""
    builder = Builder(2).building((0, 0), "B5", floors=2, owner=1).hand(0, "B5", "A").tiles(0, "R4")
    builder.characters(0, "RC", "YC", "BE").player(0, resources=4, points=1).player(1, resources=3, points=2)
    table = builder.start().play("B5+R4")
    nell, faye = table.player(0), table.player(1)
    assert (faye["resources"], faye["points"]) == (5, 4)
    assert (nell["resources"], nell["points"], nell["tiles"]) == (4 - 1 - 3 + 1, 1 - 1 + 1, [])
    assert table.building((0, 0)) == {"cell": [0, 0], "tile": "R4", "floors": 3, "owner": 0, "pawn": True}
    assert nell["tableau"] == ["B5"] and nell["supply"] == 25 - 1 - 3


def falls_back(builder: Builder, text: str) -> bool:
    """Whether a card with a tile was exploited: then the tile is back and the city unchanged."""
    before = builder.start().position
    table = builder.start().play(text)
    card, tile = text.split("+")
    after = table.position
    back = tile in after["players"][0]["tiles"]
    assert back == (after["city"] == before["city"]) == (card in after["discard"]) != (card in after["players"][0]["tableau"])
    return back


@pytest.mark.parametrize(
    ("owner", "tile", "resources", "points", "paid"),
    [
        (1, "Y9", 3, 0, True),  # three floors
        (1, "Y9", 2, 0, False),
        (0, "Y9", 1, 0, True),  # two come back
        (0, "Y9", 0, 0, False),
        (1, "R9", 4, 0, True),  # and one for the color
        (1, "R9", 3, 0, False),
        (0, "R9", 2, 0, True),
        (0, "R9", 1, 0, False),
        (1, "Y5", 3, 2, True),  # and two SP
        (1, "Y5", 3, 1, False),
        (1, "Y5", 2, 2, False),
        (0, "R5", 2, 2, True),
        (0, "R5", 2, 1, False),
        (0, "R5", 1, 2, False),
    ],
)
def test_r5_7_falls_back_to_exploit_when_something_is_missing(
    owner: int, tile: str, resources: int, points: int, paid: bool
) -> None:
    builder = site(owner=owner).tiles(0, tile).player(0, resources=resources, points=points)
    assert falls_back(builder, f"Y7+{tile}") != paid


def test_r5_7_the_sp_of_an_own_building_do_not_exist_so_they_cannot_pay() -> None:
    """Three own resources come back, but without SP: the difference of one cannot be paid."""
    assert falls_back(site(owner=0, floors=3).tiles(0, "Y6").player(0, points=0, resources=9), "Y7+Y6")


def test_r5_7_nothing_of_it_happens_and_the_card_is_exploited_with_bonuses() -> None:
    builder = site(floors=3, owner=1).tiles(0, "R9").player(0, resources=3, points=0).characters(0, "RE", "YE", "RC")
    table = builder.start().play("Y7+R9")
    me, other = table.player(0), table.player(1)
    assert (me["resources"], me["points"], me["tiles"]) == (4, 4, ["R9"])  # three floors, RE and YE; no RC
    assert (other["resources"], other["points"]) == (5, 0)
    assert table.building((0, 0)) == {"cell": [0, 0], "tile": "Y7", "floors": 3, "owner": 1, "pawn": False}
    assert table.position["discard"] == ["Y7"] and me["tableau"] == [] and table.position["buried"] != []


def test_r5_7_first_the_tile_goes_back_then_the_card_is_exploited() -> None:
    """The exploit draws the last tile: the tile that came back can be returned."""
    builder = site(tile="B7", floors=2, owner=1).tiles(0, "R9").player(0, resources=0).supply("Y20")
    table = builder.start().play("B7+R9")
    assert table.decision == ("return", 0)
    assert table.legal == {"return:R9", "return:Y20", "return:done"}
    assert table.position["pending"] == {"player": 0, "action": "exploit", "draws": 2}  # BE brings the third tile
    assert table.player(0)["commitment"] == {"card": "B7", "tile": None} and table.player(0)["known_tiles"] == ["R9"]


def test_r5_7_what_can_be_paid_must_be_done() -> None:
    """Even where exploiting would bring more: nobody is asked."""
    builder = site(tile="Y19", floors=5, owner=1).tiles(0, "R4").player(0, resources=7, points=15)
    table = builder.start().play("Y19+R4")
    assert table.building((0, 0))["tile"] == "R4" and table.player(0)["points"] == 0 and table.player(0)["resources"] == 0


def test_r5_7_it_is_checked_at_resolution_not_when_chosen() -> None:
    """Payable when chosen, yet seat 0 is second, and what comes back in between makes another plan payable too."""
    builder = Builder(2).building((0, 0), "R2", floors=2, owner=0).hand(0, "Y1").tiles(0, "Y4").player(0, resources=1)
    builder.other(first_player=1, actor=1).hand(1, "R2").tiles(1, "R5").characters(1, *PLAIN).player(1, resources=9)
    table = builder.start().play("R2+R5", "Y1+Y4")
    assert table.building((1, 0))["tile"] == "Y4" and table.player(0)["resources"] == 1 + 2 - 2 + 1  # RC's bonus
    assert table.player(0)["points"] == 2 + 1  # for the two resources, and YC's bonus
