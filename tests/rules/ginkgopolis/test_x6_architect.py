"""X6: the architect, who builds with two tiles."""

import pytest

from .extras import GREEN_SPACE
from .positions import Builder, Table

PLAIN = ("RE", "BE", "YE")  # characters without a construct or urbanize bonus
ALL = ("prestige", "green_spaces")


def architect(*tiles: str, modules: tuple[str, ...] = (), **fields: int) -> Builder:
    """Seat 0 holds Y7 (two floors, seat 1's, on (0, 0)) and C, and these tiles; twelve resources, ten SP, no construct bonus."""
    builder = Builder(2, modules=("experts", *modules)).expert(0, "architect").characters(0, *PLAIN)
    builder.building((0, 0), "Y7", floors=2, owner=1).hand(0, "Y7", "C").tiles(0, *tiles)
    return builder.player(0, **{"resources": 12, "points": 10, **fields})


def purse(table: Table, seat: int = 0) -> tuple[int, int]:
    return table.player(seat)["resources"], table.player(seat)["points"]


# --- choosing --------------------------------------------------------------------------------------------------------------


def test_x6_4_architect_may_put_any_second_tile_under_the_first() -> None:
    for card in ("Y7", "C"):
        table = architect("Y9", "R4", "B24", GREEN_SPACE, modules=ALL).start().play(f"{card}+Y9")
        assert table.decision == ("lower", 0)
        assert table.legal == {"lower:none", "lower:R4", "lower:B24", "lower:GS"}
    table = architect("Y9", "R4", modules=("events",)).events(0, "press").start().play("Y7+Y9")
    assert table.legal == {"lower:none", "lower:R4"}  # no event


@pytest.mark.parametrize(("tiles", "text"), [(("Y9", "R4"), "Y7"), (("Y9", "R4"), "C"), (("Y9",), "Y7+Y9"), (("Y9",), "C+Y9")])
def test_x6_4_architect_is_not_asked_without_a_tile_or_without_a_second_one(tiles: tuple[str, ...], text: str) -> None:
    table = architect(*tiles).hand(1, "R1", "L").start().play(text)
    assert table.decision == ("commit", 1)


def test_x6_4_only_the_architect_is_asked() -> None:
    table = architect("Y9", "R4").expert(0, "mayor").hand(1, "R1", "L").start().play("Y7+Y9")
    assert table.decision == ("commit", 1)


def test_x6_4_architect_green_space_on_top_only_when_urbanizing() -> None:
    table = architect(GREEN_SPACE, "Y9", modules=ALL).start()
    assert table.legal == {"Y7", "C", "Y7+Y9", "C+Y9", "C+GS", "new-hand"}
    assert table.play("C+GS").legal == {"lower:none", "lower:Y9"}
    assert architect(GREEN_SPACE, GREEN_SPACE, modules=ALL).start().play("C+GS").legal == {"lower:none", "lower:GS"}


# --- constructing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("upper", "lower", "paid"),
    [
        ("Y9", "R4", (4, 0)),  # the lower tile costs nothing but the second resource
        ("R4", "Y9", (5, 3)),  # compared are the upper tile and the tile covered, not the lower one
        ("Y9", GREEN_SPACE, (4, 0)),
        ("Y9", "B24", (4, 0)),
        ("B24", "Y4", (5, 0)),
    ],
)
def test_x6_4_architect_constructs_two_floors_at_once(upper: str, lower: str, paid: tuple[int, int]) -> None:
    table = architect(upper, lower, modules=ALL).start().play(f"Y7+{upper}", f"lower:{lower}")
    tower = table.building((0, 0))
    assert (tower["tile"], tower["floors"], tower["owner"], tower["pawn"]) == (upper, 4, 0, upper != "B24")
    assert purse(table) == (12 - paid[0], 10 - paid[1])
    me = table.player(0)
    assert me["tableau"] == ["Y7"] and me["lower_tiles"] == [lower] and me["tiles"] == []
    assert "Y7" in table.position["buried"] and lower not in table.position["buried"]
    assert purse(table, 1) == (7, 2)  # R5.1


def test_x6_4_architect_without_a_lower_tile_builds_as_usual() -> None:
    table = architect("Y9", "R4").start().play("Y7+Y9", "lower:none")
    assert table.building((0, 0))["floors"] == 3 and table.player(0)["tiles"] == ["R4"]


def test_x6_4_architect_gets_bonuses_once() -> None:
    table = architect("Y9", "R4").characters(0, "RC", "YC", "BE").start().play("Y7+Y9", "lower:R4")
    assert purse(table) == (12 - 4 + 1, 10 + 1)


def test_x6_4_only_the_upper_tiles_card_joins_the_deck() -> None:
    builder = architect("Y9", "R4").deck("A", "B").hand(1, "R1", "L")
    position = builder.start().play("Y7+Y9", "lower:R4", "R1").position  # R3.5 exhausts the deck
    cards = position["deck"] + position["discard"] + [card for player in position["players"] for card in player["hand"]]
    assert "Y9" in cards and "R4" not in cards


@pytest.mark.parametrize(
    ("upper", "owner", "resources", "points", "paid"),
    [
        ("Y9", 1, 4, 0, True),
        ("Y9", 1, 3, 9, False),
        ("Y9", 0, 2, 0, True),  # two come back
        ("Y9", 0, 1, 0, False),
        ("R5", 1, 5, 2, True),
        ("R5", 1, 4, 2, False),
        ("R5", 1, 5, 1, False),
    ],
)
def test_x6_4_architect_if_it_cannot_be_paid_both_come_back_and_the_card_is_exploited(
    upper: str, owner: int, resources: int, points: int, paid: bool
) -> None:
    builder = architect(upper, "B12", resources=resources, points=points).building((0, 0), "Y7", floors=2, owner=owner)
    table = builder.characters(0, "RC", "RC", "RC").start().play(f"Y7+{upper}", "lower:B12")
    me = table.player(0)
    assert (table.building((0, 0))["floors"] == 4) == paid
    if not paid:
        assert {upper, "B12"} == {*me["tiles"]} and purse(table) == (resources, points + 2)
        assert me["known_tiles"] == [upper]  # only the upper one was shown (X7.4)
        assert me["tableau"] == me["lower_tiles"] == [] and "Y7" in table.position["discard"]


def test_x6_4_a_building_of_two_tiles_counts_all_its_floors_afterwards() -> None:
    """Seat 1 urbanizes beside it."""
    builder = architect("Y9", "R4").hand(1, "A", "L").tiles(1, "R20").characters(1, "RC", "BC", "YC")
    table = builder.start().play("Y7+Y9", "lower:R4", "A+R20", "token:N")
    assert purse(table, 1) == (5 + 2 - 1, 2 + 4)  # two resources came back with two SP; four floors of yellow


# --- urbanizing ------------------------------------------------------------------------------------------------------------


def test_x6_4_architect_urbanizes_with_two_floors_and_two_resources() -> None:
    """C lies above B3."""
    builder = architect("Y9", "R4").building((2, 0), "R8", floors=3, owner=1).characters(0, "RU", "YU", "BE")
    table = builder.start().play("C+Y9", "lower:R4")
    table.play("token:N")
    assert table.building((2, -1)) == {"cell": [2, -1], "tile": "Y9", "floors": 2, "owner": 0, "pawn": True}
    assert purse(table) == (12 - 2 + 3 + 1, 10 + 1)
    assert table.player(0)["lower_tiles"] == ["R4"]


def test_x6_4_architect_needs_two_resources_to_urbanize_with_two_tiles() -> None:
    table = architect("Y9", "R4", resources=1).start().play("C+Y9", "lower:R4")
    assert table.decision == ("take", 0) and table.player(0)["tiles"] == ["R4", "Y9"]
    assert table.player(0)["known_tiles"] == ["Y9"]


@pytest.mark.parametrize("lower", ["Y9", GREEN_SPACE, "B24"])
def test_x6_4_architect_lays_one_green_space_with_two_resources(lower: str) -> None:
    """One for parks (X3.2) and points (X3.4); two for districts (X3.3)."""
    builder = architect(GREEN_SPACE, lower, modules=ALL).building((2, 0), "B3", floors=3, owner=0).hand(1, "B", "L")
    builder.building((2, 1), "B2", owner=1).tiles(1, "R20").characters(1, "RC", "BC", "YC").building((1, 0), "R8")
    table = builder.start().play("C+GS", f"lower:{lower}", "B+R20")
    while table.decision[0] in ("token", "split"):
        table.play(max(table.legal) if table.decision[0] == "token" else "split:done")
    assert table.building((2, -1)) == {"cell": [2, -1], "tile": GREEN_SPACE, "floors": 2, "owner": 0, "pawn": False}
    assert table.player(0)["lower_tiles"] == [lower]
    assert table.player(1)["points"] == 2  # a park of one
    mine, other = table.outcome.breakdown
    assert sum(mine["parks"]) == 3 + 1  # B3 below, and seat 1's R20
    assert (3 + 2 + 1, 1) in zip(mine["districts"], other["districts"], strict=True)  # the blue one


# --- hidden ----------------------------------------------------------------------------------------------------------------


def test_x6_4_the_lower_tile_stays_hidden_for_good() -> None:
    """The other player sees the same, whichever it was, from the choice to the end of the next round."""
    views = []
    for lower in ("R4", "B12", "R5"):
        builder = architect("Y9", "R4", "B12", "R5").hand(0, "Y7", "C").hand(1, "R1", "L")
        table = builder.start().play("Y7+Y9", f"lower:{lower}")
        views.append(table.view(1))
        table.play("R1")
        views[-1] += table.view(1)
        table.play(min(a for a in table.legal if len(a) < 3))
        views[-1] += table.view(1)
    assert views[0] == views[1] == views[2]


def test_x6_4_tiles_on_the_card_are_outside_r7_1() -> None:
    """Seat 1, first, draws the last tile."""
    builder = architect("Y9", "R4", "B12").building((2, 2), "B8", floors=1, owner=1).hand(1, "B8", "L").supply("R20")
    builder.other(first_player=1, actor=1).characters(1, "RC", "BC", "YC")
    table = builder.start().play("B8", "Y7+Y9", "lower:R4", "return:done")
    assert table.decision == ("return", 0) and table.legal == {"return:B12", "return:done"}


def test_x6_4_two_tiles_can_place_the_last_resources() -> None:
    builder = architect("Y9", "R4", resources=2).building((2, 2), "R15", floors=23, owner=0)
    table = builder.start().play("C+Y9", "lower:R4")
    assert table.play("token:N").position["ending"] == "resources"
