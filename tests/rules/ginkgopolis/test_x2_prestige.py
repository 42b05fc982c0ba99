"""X2: prestige buildings, tiles 24 and 25 without cards."""

import pytest

from .extras import PRESTIGE
from .positions import Builder, Table, in_order, table_from_seed

PLAIN = ("RE", "BE", "YE")  # characters without a construct or urbanize bonus
MODULE = ("prestige",)


def prestige(players: int = 2, *modules: str) -> Builder:
    return Builder(players, modules=(*MODULE, *modules)).characters(0, *PLAIN)


def test_x2_three_face_up_stacks_24_above_25() -> None:
    """The same in every game; everybody sees them."""
    tables = [table_from_seed(seed, players=3, modules=MODULE, setup="introductory") for seed in range(3)]
    assert all(table.position["prestige"] == PRESTIGE for table in tables)
    table = prestige().prestige("R25", "B24", "B25", "Y25").hand(0, "A", "B").start()
    assert table.position["prestige"] == ["R25", "B24", "B25", "Y25"]


def test_x2_constructing_with_one_brings_no_pawn_and_no_card() -> None:
    builder = prestige().building((0, 0), "R7", floors=2, owner=1).hand(0, "R7", "A", "B").hand(1, "C", "D").tiles(0, "R24")
    table = builder.deck("E", "F").player(0, resources=3).start().play("R7+R24", "C", "take:resource")
    assert table.building((0, 0)) == {"cell": [0, 0], "tile": "R24", "floors": 3, "owner": 0, "pawn": False}
    assert table.player(0)["tableau"] == ["R7"] and "R7" in table.position["buried"]  # R5.6
    position = table.position  # the deck has been exhausted in R3.5
    cards = position["deck"] + position["discard"] + [card for player in position["players"] for card in player["hand"]]
    assert "R24" not in cards and "R7" not in cards
    assert len(cards) == 12 + 8  # letters, and the other eight buildings of the square


def test_x2_urbanizing_with_one_brings_no_pawn() -> None:
    table = prestige().hand(0, "A", "B").tiles(0, "Y25").start().play("A+Y25", "token:N")
    assert table.building((0, -1)) == {"cell": [0, -1], "tile": "Y25", "floors": 1, "owner": 0, "pawn": False}
    assert table.player(0)["resources"] == 5 - 1 + 1  # R2 works


def test_x2_there_are_no_cards_to_construct_on_them_or_to_operate_them() -> None:
    table = prestige().building((0, 0), "R24", owner=0).hand(0, "A", "Y1").tiles(0, "R7").start()
    assert table.legal == {"A", "Y1", "A+R7", "Y1+R7", "new-hand"}
    with pytest.raises(ValueError):
        table.play("R24")
    position = table.position
    everywhere = position["deck"] + position["discard"] + position["players"][0]["hand"]
    assert not set(PRESTIGE) & set(everywhere)


def test_x2_they_are_not_operated_when_somebody_urbanizes_next_to_them() -> None:
    """Whoever owns them. The red one above and the blue one below the new building work; R24 and B24 do not."""
    builder = prestige().empty_city().building((0, 0), "R7").building((1, 0), "Y12").building((0, 2), "B7", floors=2)
    builder.building((-1, 1), "R24", floors=2, owner=0).building((1, 1), "B24", floors=3, owner=1)
    for x in range(-1, 4):
        builder.building((x, 3), f"Y{x + 5}")
    builder.building((1, 2), "Y10").building((-1, 2), "Y11").token("A", (0, 1)).hand(0, "A", "B").tiles(0, "Y20")
    table = builder.tableau(1, "R20", "R19", "R18", "R17").start().play("A+Y20", "token:after")
    assert table.player(0)["resources"] == 5 - 1 + 1 and len(table.player(0)["tiles"]) == 2


@pytest.mark.parametrize(
    ("covered", "tile", "resource"), [("B7", "B24", 0), ("B20", "B25", 0), ("B7", "R24", 1), ("Y20", "B25", 1)]
)
def test_x2_costs_compare_number_and_color(covered: str, tile: str, resource: int) -> None:
    """No number is higher, so only the color can cost."""
    builder = prestige().building((0, 0), covered, floors=2, owner=1).hand(0, covered, "A").tiles(0, tile)
    table = builder.player(0, resources=9).start().play(f"{covered}+{tile}")
    assert table.building((0, 0))["tile"] == tile
    assert (table.player(0)["points"], table.player(0)["resources"]) == (0, 9 - 3 - resource)


def test_x2_their_numbers_count_in_ties() -> None:
    """Two floors each; 24 is higher than 20, and 25 than 24."""
    builder = prestige().building((2, 1), "B20", floors=2, owner=1).building((2, 0), "B24", floors=2, owner=0).hand(0, "A")
    assert [player["districts"][0] for player in builder.start().outcome.breakdown] == [4, 2]
    builder.building((2, 1), "B25", floors=2, owner=1)
    assert [player["districts"][0] for player in builder.start().outcome.breakdown] == [2, 4]


def test_x2_they_count_for_cards_10_to_15() -> None:
    builder = prestige().building((0, 0), "R24", floors=3, owner=0).building((2, 1), "B25", floors=2, owner=0).hand(0, "A")
    table = builder.tableau(0, "R10", "B10", "Y10", "R14", "R15").start()
    assert table.outcome.breakdown[0]["cards"] == {"R10": 3, "B10": 2, "Y10": 0, "R14": 1, "R15": 3}


def test_x2_they_count_for_green_spaces_and_events() -> None:
    builder = prestige(2, "green_spaces", "events").building((0, 0), "R24", floors=3, owner=0)
    builder.green_space((-1, 0), 1).token("L", (-2, 0)).hand(0, "Y1", "B").events(0, "press")
    table = builder.start()
    assert sum(table.outcome.breakdown[1]["parks"]) == 3
    table.play("Y1", "event:press", "timing:before")
    assert table.player(0)["points"] == 3 + 1 + 1  # three resources beside Y1; then Y1 and YE


# --- the deck becomes too small --------------------------------------------------------------------------------------------


def dry(*hands: str, built: int = 6) -> Builder:
    """Five players; all six prestige tiles lie on other tiles: three building cards and twelve letters are left."""
    builder = Builder(5, modules=MODULE)
    cells = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2)]
    for i, (cell, tile) in enumerate(list(zip(cells, PRESTIGE, strict=True))[:built]):
        builder.building(cell, tile, floors=2, owner=i % 5)
    for seat, hand in enumerate(hands or ("A B C", "D E F", "G H I", "J K L", "R1 R3 Y2")):
        builder.hand(seat, *hand.split())
    return builder.deck()


def hands(table: Table) -> list[list[str]]:
    return [table.player(seat)["hand"] for seat in range(5)]


def test_x2_the_position_has_fifteen_cards() -> None:
    table = dry().start()
    assert sum(map(len, hands(table))) == 15
    assert table.position["deck"] == table.position["discard"] == []


def test_x2_r3_5_passes_what_is_there_and_each_draws_one() -> None:
    table = dry().start().play("A", "D", "G", "J", "R3", *["take:resource"] * 4)
    found = hands(table)
    assert [len(hand) for hand in found] == [3] * 5
    assert {"R1", "Y2"} < set(found[0]) and {"B", "C"} < set(found[1]) and {"K", "L"} < set(found[4])
    drawn = set(in_order(card for hand in found for card in hand)) - set("BCEFHIKL") - {"R1", "Y2"}
    assert drawn == {"A", "D", "G", "J", "R3"}  # the discard pile, shuffled
    assert table.decision == ("commit", 1) and table.position["deck"] == []


def test_x2_with_too_few_cards_the_first_in_turn_order_draw() -> None:
    """Seat 4 builds with the last one and keeps R1: four cards for five. Seat 1 is first now, so seat 0 draws none."""
    builder = dry("A B C B1", "D E F", "G H I", "J K L", "R1 R3 Y2", built=5).tiles(4, "Y25")
    table = builder.start().play("A", "D", "G", "J", "R1+Y25", *["take:resource"] * 4)
    assert table.building((1, 1))["tile"] == "Y25" and table.player(4)["tableau"][0] == "R1"
    # passed: 2 from seat 4, 3 from seat 0, and 2 from the others
    assert [len(hand) for hand in hands(table)] == [2, 4, 3, 3, 3]
    assert sum(map(len, hands(table))) == 15 and table.position["deck"] == table.position["discard"] == []


def test_x2_nobody_draws_more_to_catch_up() -> None:
    """Two hands are short; there are cards enough now, but each draws one."""
    builder = dry("A", "D E F", "G H", "J K L", "R1 R3 Y2").deck("B", "C", "I")
    table = builder.start().play("A", "D", "G", "J", "R3", *["take:resource"] * 4)
    # passed: 2 from seat 4, none from seat 0, 2 from seat 1, 1 from seat 2, 2 from seat 3; and one each
    assert [len(hand) for hand in hands(table)] == [3, 1, 3, 2, 3]
    assert len(table.position["deck"]) == 3


def test_x2_who_has_no_card_is_skipped_and_draws_one_again() -> None:
    builder = dry("", "D E F", "G H I", "J K L", "R1 R3 Y2").deck("A", "B", "C")
    table = builder.other(actor=1).start().play("D", "G", "J", "R3", *["take:resource"] * 3)
    assert [len(hand) for hand in hands(table)] == [3, 1, 3, 3, 3] and len(table.position["deck"]) == 2


@pytest.mark.parametrize("n", [1, 2, 3])
def test_x2_a_new_hand_draws_as_many_as_were_discarded(n: int) -> None:
    builder = dry(" ".join("ABC"[:n]), "D E F", "G H I", "J K L", "R1 R3 Y2").deck(*"ABC"[n:])
    table = builder.start().play("new-hand")
    assert len(table.player(0)["hand"]) == n and table.player(0)["new_hands"] == 1
    assert {*table.player(0)["hand"], *table.position["deck"], *table.position["discard"]} == {*"ABC"}
    if n < 3:  # the deck comes first
        assert len({*table.player(0)["hand"]} & {*"ABC"[n:]}) == min(n, 3 - n)
