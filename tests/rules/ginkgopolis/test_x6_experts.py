"""X6: the powers of the experts, except the architect's."""

import pytest

from .extras import GREEN_SPACE
from .positions import Builder, Table

PLAIN = ("RE", "BE", "YE")  # characters without a construct or urbanize bonus


def of(expert: str, *modules: str, players: int = 2, **config: object) -> Builder:
    """Seat 0 has this expert."""
    builder = Builder(players, modules=("experts", *modules), **config)
    return builder.expert(0, expert).characters(0, *PLAIN).characters(1, "RU", "BU", "YU")


def site(expert: str, *tiles: str, owner: int | None = 1, floors: int = 2, **fields: int) -> Builder:
    """Seat 0 holds Y7, which lies on (0, 0), and these tiles."""
    builder = of(expert).building((0, 0), "Y7", floors=floors, owner=owner).hand(0, "Y7", "L").tiles(0, *tiles)
    return builder.player(0, **{"resources": 12, "points": 10, **fields})


def built(table: Table) -> bool:
    return bool(table.building((0, 0))["tile"] != "Y7")


def bonus(builder: Builder, seat: int = 0) -> int:
    """What the expert brings in the end."""
    points: int = builder.hand(0, "A", "B").start().outcome.breakdown[seat]["expert"]
    return points


# --- artist ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tile", "resources"), [("Y4", 3), ("Y6", 3), ("R4", 4), ("B20", 4)])
def test_x6_2_artist_pays_no_sp_for_a_lower_number(tile: str, resources: int) -> None:
    """The color costs her a resource as usual."""
    table = site("artist", tile, points=0).start().play(f"Y7+{tile}")
    assert built(table) and table.player(0)["points"] == 0 and table.player(0)["resources"] == 12 - resources
    assert site("artist", tile, points=10).start().play(f"Y7+{tile}").player(0)["points"] == 10
    assert not built(site("artist", tile, resources=resources - 1).start().play(f"Y7+{tile}"))


# --- banker ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "owner", "resources", "points", "left"),
    [
        ("Y9", 1, 1, 2, (0, 0)),  # three floors: two are bought
        ("Y9", 1, 1, 1, None),
        ("Y9", 1, 0, 5, (0, 2)),
        ("Y9", 1, 0, 2, None),
        ("Y9", 1, 3, 9, (0, 9)),  # nothing is missing
        ("Y9", 1, 5, 9, (2, 9)),
        ("Y9", 0, 0, 1, (0, 0)),  # two come back, one is bought
        ("Y9", 0, 0, 0, None),
        ("Y5", 1, 1, 4, (0, 0)),  # and two for the lower number
        ("Y5", 1, 1, 3, None),
        ("R9", 1, 1, 3, (0, 0)),  # the own one for the color, three bought
        ("R9", 1, 1, 2, None),
        ("R9", 1, 0, 4, (0, 0)),  # even that for the color is bought
        ("R9", 1, 0, 3, None),
        ("R5", 1, 2, 4, (0, 0)),  # two missing, two for the number
        ("R5", 1, 2, 3, None),
    ],
)
def test_x6_3_banker_buys_what_is_missing_for_one_sp_each(
    tile: str, owner: int, resources: int, points: int, left: tuple[int, int] | None
) -> None:
    table = site("banker", tile, owner=owner, resources=resources, points=points).start().play(f"Y7+{tile}")
    assert built(table) == (left is not None)
    me = table.player(0)
    if left:
        assert (me["resources"], me["points"]) == left
        assert me["supply"] == 25 - left[0] - 3
    else:  # R5.7: nothing is bought; two floors, RE and YE
        assert (me["resources"], me["points"]) == (resources + 1, points + 3) and tile in me["tiles"]


@pytest.mark.parametrize(
    ("tile", "resources", "supply", "paid"),
    [
        ("Y9", 1, 2, True),  # two are missing
        ("Y9", 1, 1, False),
        ("R9", 1, 2, True),  # three are missing: two, and the one just paid for the color
        ("R9", 1, 1, False),
        ("R9", 0, 3, True),  # four are missing: one of them is bought twice
        ("R9", 0, 2, False),
        ("R9", 2, 1, True),
        ("R9", 2, 0, False),
        ("R9", 3, 0, True),
    ],
)
def test_x6_3_banker_buys_out_of_the_own_supply_in_which_the_color_resource_already_is(
    tile: str, resources: int, supply: int, paid: bool
) -> None:
    builder = site("banker", tile, resources=resources, points=20)
    builder.building((2, 2), "R15", floors=25 - resources - supply, owner=0)
    table = builder.start()
    assert table.player(0)["supply"] == supply
    assert built(table.play(f"Y7+{tile}")) == paid


@pytest.mark.parametrize(("resources", "points", "paid"), [(0, 1, True), (0, 0, False), (1, 5, False)])
@pytest.mark.parametrize("tile", ["Y9", GREEN_SPACE])
def test_x6_3_banker_buys_the_resource_for_urbanizing(tile: str, resources: int, points: int, paid: bool) -> None:
    builder = of("banker", "green_spaces").hand(0, "C", "L").tiles(0, tile).player(0, resources=resources, points=points)
    table = builder.start().play(f"C+{tile}")
    lies = any(building["cell"] == [2, -1] for building in table.position["city"])
    assert lies == (resources + points > 0)
    if lies:  # B3 below brings a tile and no SP
        assert table.player(0)["points"] == (0 if paid else points)


@pytest.mark.parametrize("resources", [0, 1, 7])
def test_x6_2_banker_gets_one_sp_for_each_resource_behind_the_screen(resources: int) -> None:
    assert bonus(of("banker").player(0, resources=resources)) == resources


def test_x6_2_what_experts_bring_is_part_of_the_score() -> None:
    """Three resources; four for New Hand tokens, two SP."""
    outcome = of("banker").player(0, resources=3, points=2).hand(0, "A", "B").start().outcome
    assert outcome.scores[0] == outcome.breakdown[0]["total"] == 2 + 4 + 3


# --- lawyer ----------------------------------------------------------------------------------------------------------------


def test_x6_2_lawyer_gets_two_sp_for_each_resource_that_comes_back() -> None:
    """Seat 1 has the lawyer; seat 0 builds on it."""
    builder = site("mayor", "Y9", floors=3).expert(1, "lawyer").player(0, resources=12)
    table = builder.start().play("Y7+Y9")
    assert (table.player(1)["points"], table.player(1)["resources"]) == (6, 8) and table.player(0)["points"] == 10


def test_x6_2_lawyer_only_for_own_buildings_that_others_build_on() -> None:
    table = site("lawyer", "Y9", floors=3, owner=0).start().play("Y7+Y9")
    assert table.player(0)["points"] == 10
    table = site("lawyer", "Y9", floors=3, owner=1).start().play("Y7+Y9")
    assert (table.player(0)["points"], table.player(1)["points"]) == (10, 3)


# --- controller ------------------------------------------------------------------------------------------------------------


def urbanizing(tile: str, *modules: str) -> Builder:
    """At B, above Y1; in the west there is place for A's token."""
    return of("controller", "prestige", "green_spaces", *modules).hand(0, "B", "L").tiles(0, tile)


@pytest.mark.parametrize(("tile", "points"), [("Y9", 1 + 2), ("R9", 1), ("Y24", 1 + 2), ("B24", 1), (GREEN_SPACE, 1)])
def test_x6_2_controller_gets_two_sp_for_urbanizing_next_to_the_same_color(tile: str, points: int) -> None:
    """Y1 works as well; a green space has no color."""
    table = urbanizing(tile).start().play(f"B+{tile}")
    assert table.player(0)["points"] == points


def test_x6_2_controller_once_whatever_the_number_of_neighbors() -> None:
    """Joining two districts too."""
    builder = urbanizing("R9").building((1, 0), "R10").building((0, -1), "R11").building((2, -1), "R12")
    builder.token("A", (0, -2)).token("C", (2, -2)).building((2, 0), "R13").building((0, 0), "R14")
    table = builder.start().play("B+R9")
    assert table.player(0)["points"] == 2 and table.player(0)["resources"] == 5 - 1 + 3


def test_x6_2_controller_a_prestige_building_has_a_color_too() -> None:
    builder = urbanizing("R9").building((1, 0), "R24")
    assert builder.start().play("B+R9").player(0)["points"] == 2


def test_x6_2_controller_not_at_corners_nor_for_parks() -> None:
    builder = urbanizing("B9").building((0, 0), "B10").building((2, 0), "B11")
    assert builder.start().play("B+B9").player(0)["points"] == 1
    builder = urbanizing(GREEN_SPACE).green_space((0, -1), 1).token("A", (0, -2)).building((1, 0), "R10")
    assert builder.start().play(f"B+{GREEN_SPACE}").player(0)["points"] == 2  # the park only


def test_x6_2_controller_paid_together_with_r6_4_after_the_token() -> None:
    table = of("controller").hand(0, "A", "L").tiles(0, "R9").start().play("A+R9")
    assert table.decision == ("token", 0) and table.player(0)["points"] == 0
    assert table.play("token:N").player(0)["points"] == 2


def test_x6_2_controller_not_for_constructing_or_when_it_fails() -> None:
    table = site("controller", "Y9").start().play("Y7+Y9")
    assert built(table) and table.player(0)["points"] == 10
    table = urbanizing("Y9").player(0, resources=0).start().play("B+Y9", "take:resource")
    assert table.player(0)["points"] == 1  # YE


# --- entrepreneur, professor, journalist -----------------------------------------------------------------------------------

COLOR_OF = {"entrepreneur": "R", "professor": "B", "journalist": "Y"}


@pytest.mark.parametrize("expert", COLOR_OF)
def test_x6_2_one_sp_for_each_building_of_the_color_of_others_and_two_for_own_ones(expert: str) -> None:
    """The top tile counts, floors do not; nobody's buildings, green spaces and other colors bring nothing."""
    color = COLOR_OF[expert]
    others = [c for c in "RBY" if c != color]
    builder = of(expert, "prestige", "new_buildings", "green_spaces", players=3)
    builder.building((3, 0), f"{color}5", floors=3, owner=0).building((3, 1), f"{color}24", owner=0)
    builder.building((3, 2), f"{color}21", floors=2, owner=1).building((-1, 0), f"{color}8", owner=2)
    builder.building((-1, 1), f"{others[0]}9", floors=2, owner=0).building((-1, 2), f"{others[1]}9", owner=1)
    builder.green_space((0, -1), 0)
    assert bonus(builder) == 2 * 2 + 1 + 1
    assert bonus(builder.building((1, 0), f"{color}9", owner=1)) == 7


# --- engineer --------------------------------------------------------------------------------------------------------------


def test_x6_2_engineer_gets_two_sp_for_each_tile_returned() -> None:
    """Of any value, and green spaces; others get one."""
    builder = of("engineer", "new_buildings", "prestige", "green_spaces").building((0, 0), "B7", owner=1).hand(0, "B7", "L")
    builder.characters(0, "RC", "BC", "YC").supply("R20").tiles(0, "R4", "R22", "B24", GREEN_SPACE).tiles(1, "Y4", "Y5")
    table = builder.start().play("B7", "split:done", "return:R4", "return:R22", "return:B24", "return:GS")
    table.play("return:Y4", "return:Y5")
    assert (table.player(0)["points"], table.player(1)["points"]) == (8, 2)


@pytest.mark.parametrize(("exhaustions", "points"), [(0, 4), (1, 0)])
def test_x6_2_engineer_one_sp_for_each_tile_if_the_supply_never_ran_out(exhaustions: int, points: int) -> None:
    builder = of("engineer", "new_buildings", "prestige", "green_spaces").tiles(0, "R4", "R22", "B24", GREEN_SPACE)
    if exhaustions:
        builder.supply("Y20").returned("Y20").other(exhaustions=exhaustions)
    assert bonus(builder) == points


def test_x6_2_engineer_nothing_when_the_supply_has_run_out_twice() -> None:
    builder = of("engineer").tiles(0, "R4").supply("Y20").returned("Y20").other(exhaustions=1).hand(0, "B2", "A")
    table = builder.start().play("B2")
    assert table.position["exhaustions"] == 2 and table.outcome.breakdown[0]["expert"] == 0


def engineers_turn(*modules: str) -> Builder:
    """Seat 0, the engineer, chooses first; they have three tiles and the token of their card."""
    builder = Builder(2, modules=("experts", "events", *modules)).expert(0, "engineer").building((0, 0), "Y7", owner=1)
    builder.hand(0, "Y7", "A", "C").hand(1, "D", "E").tiles(0, "R4", "R5", "Y9").events(0, "expropriation", "control")
    return builder.player(0, resources=1)


def standing(table: Table) -> int:
    """What the engineer counts if the game is scored now."""
    return int(table.outcome.breakdown[0]["expert"])


def test_x6_2_engineer_a_committed_tile_counts_until_it_is_played() -> None:
    """R10.1: else the shared rewards of `score` would tell of a commitment before anything is revealed."""
    table = engineers_turn().start()
    assert standing(table) == 3
    table.play("A+R4")
    assert standing(table) == 3
    table.play("event:none")
    assert standing(table) == 3 and table.decision == ("commit", 1)
    assert [standing(engineers_turn().start().play(card, "event:none")) for card in ("A", "Y7+Y9")] == [3, 3]
    table.play("D")
    assert table.decision[0] == "token" and standing(table) == 2


def test_x6_2_engineer_a_tile_on_a_shown_card_counts_until_it_is_played_or_goes_back() -> None:
    table = engineers_turn().start().play("Y7+R5", "event:expropriation", "D")
    assert table.decision == ("timing", 0) and standing(table) == 3
    table.play("timing:after")  # without SP for the lower number it goes back
    assert table.player(0)["tiles"] == ["R4", "R5", "Y9"] and standing(table) == 3


def test_x6_2_engineer_several_green_spaces_are_several_tiles() -> None:
    assert bonus(of("engineer", "green_spaces").tiles(0, "R4", *[GREEN_SPACE] * 3)) == 4


# --- mayor -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tile", "points"), [("R9", 0), ("B7", 0), ("R4", 3)])
def test_x6_2_mayor_changes_the_color_without_a_resource(tile: str, points: int) -> None:
    """A lower number costs them SP as usual."""
    table = site("mayor", tile, resources=3).start().play(f"Y7+{tile}")
    assert built(table) and (table.player(0)["resources"], table.player(0)["points"]) == (0, 10 - points)
    assert table.player(0)["supply"] == 25 - 3
    if points:
        assert not built(site("mayor", tile, resources=3, points=points - 1).start().play(f"Y7+{tile}"))


def test_x6_2_mayor_gets_one_sp_for_each_district_owned_or_not() -> None:
    """A single building is none; those without resources count: R1 with R3 and B2 with B3 at the start."""
    assert bonus(of("mayor")) == 2
    assert bonus(of("mayor").building((0, 0), "Y4")) == 3  # with Y1 and Y3
    assert bonus(of("mayor").building((0, 0), "Y4", owner=1).building((2, 2), "R5", owner=0)) == 3  # one red district
    assert bonus(of("mayor").building((1, 1), "Y4")) == 2  # yellow and blue
    assert bonus(of("lawyer").building((0, 0), "Y4")) == 0
