"""R10: what a player may know, by the named blocks of observations."""

from collections.abc import Callable
from typing import Any

import pytest

from .positions import Builder, Table, in_order, solo, table_from_seed


def mid_game(**config: Any) -> Builder:
    """Three players, seat 1 is first and decides; something of everything is on the table."""
    builder = Builder(3, **config).other(first_player=1, actor=1).building((0, 0), "R7", floors=3, owner=2, pawn=True)
    builder.building((3, 0), "Y8", owner=0).token("D", (4, 0)).tableau(0, "Y14").tableau(1, "R5")
    builder.hand(0, "R1", "R3", "A", "B").hand(1, "B1", "B2", "C", "D").hand(2, "Y1", "Y2", "E", "F")
    builder.tiles(0, "R10", "B10").tiles(1, "Y10", "Y11", "Y12").tiles(2, "B13").discard("K", "L", "B3")
    builder.player(0, points=12, resources=3, new_hands=1).player(1, points=7, resources=9).player(2, points=0, resources=0)
    return builder.deck("J", "I", "H").supply("R20", "B20", "Y20", "R19")


def same(tables: list[Table], viewers: list[int]) -> bool:
    """Whether the viewers see the same in all tables."""
    views = [table.view(*viewers) for table in tables]
    return all(view == views[0] for view in views)


# --- R10.1 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_r10_1_public_numbers_of_every_seat(viewer: int) -> None:
    seen = mid_game().start().seen(viewer)
    wanted = {
        "points": (12, 7, 0),
        "resources": (3, 9, 0),
        "supply_resources": (20 - 3 - 1, 20 - 9, 20 - 3),
        "new_hands": (1, 2, 2),
        "tiles": (2, 3, 1),
        "cards": (4, 4, 4),
        "is_actor": (0, 1, 0),
        "is_first": (0, 1, 0),
        "is_resolving": (0, 0, 0),
        "has_card_out": (0, 0, 0),
        "has_tile_out": (0, 0, 0),
    }
    assert {field: tuple(seen.player(seat, field) for seat in range(3)) for field in wanted} == wanted


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_r10_1_public_cards_piles_and_city(viewer: int) -> None:
    table = mid_game().start()
    seen, position = table.seen(viewer), table.position
    assert seen.facts["kind"] == "commit"
    assert seen.tableau(0) == {"Y14"} and seen.tableau(1) == {"R5"}
    assert seen.tableau(2) == set(position["players"][2]["tableau"])
    assert seen.cards("discard") == set(position["discard"]) and seen.tiles("buried") == set(position["buried"])
    numbers = {"deck_cards": 3, "supply_tiles": 4, "round": 5, "end_triggered": 0, "exhaustions": 0, "draws_due": 0}
    assert seen.facts | numbers == seen.facts
    # Cells count from the north-west corner, seats from the viewer.
    city = [building | {"cell": tuple(n + 1 for n in building["cell"])} for building in position["city"]]
    assert seen.facts["city"] == [b | {"owner": None if b["owner"] is None else (b["owner"] - viewer) % 3} for b in city]
    assert seen.facts["tokens"] == {letter: (x + 1, y + 1) for letter, (x, y) in position["tokens"].items()}
    assert seen.side(0)["characters"] == ["RC", "BC", "YC"]


def test_r10_1_while_players_choose_the_number_of_tiles_includes_the_committed_one() -> None:
    table = mid_game().start().play("B1+Y11", "Y1")
    assert table.decision == ("commit", 0)
    for viewer in range(3):
        seen = table.seen(viewer)
        assert [seen.player(seat, "tiles") for seat in range(3)] == [2, 3, 1]
        assert [seen.player(seat, "cards") for seat in range(3)] == [4, 4, 4]
        assert [seen.player(seat, "has_card_out") for seat in range(3)] == [0, 1, 1]


def test_r10_1_while_actions_are_resolved_it_lies_on_the_card() -> None:
    table = mid_game().start().play("C", "Y1+B13", "R1")
    assert table.decision == ("take", 1)
    seen = table.seen(0)
    assert [seen.player(seat, "tiles") for seat in range(3)] == [2, 3, 0]
    assert [seen.player(seat, "has_tile_out") for seat in range(3)] == [0, 0, 1]
    assert [seen.player(seat, "cards") for seat in range(3)] == [3, 3, 3]


def returning(*texts: str) -> Table:
    """Seat 0 has drawn the last tile; seat 1 has committed Y17 and holds three tiles more; seat 0 chooses first."""
    builder = Builder(2).hand(0, "B1", "A").hand(1, "Y2", "B").supply("R20").tiles(0, "R4", "B12")
    return builder.tiles(1, "Y17", "Y18", "Y19", "R19").start().play("B1", "Y2+Y17", *texts)


def test_r10_1_while_tiles_are_returned_the_number_includes_those_set_aside_and_the_committed_one() -> None:
    for texts in ((), ("return:R4",), ("return:R4", "return:R20"), ("return:R4", "return:R20", "return:B12")):
        seen = returning(*texts).seen(1)
        assert seen.facts["kind"] == "return"
        assert (seen.player(0, "tiles"), seen.player(1, "tiles")) == (3, 4)


def test_r10_1_how_many_steps_another_players_choice_takes_is_not_visible() -> None:
    under_way = [returning(), returning("return:R4"), returning("return:R20"), returning("return:R4", "return:R20")]
    assert all(table.decision == ("return", 0) for table in under_way) and same(under_way, [1])
    finished = [
        *(returning("return:done"), returning("return:R4", "return:done"), returning("return:R4", "return:R20", "return:done")),
        returning("return:R4", "return:R20", "return:B12"),
    ]
    assert all(table.decision == ("return", 1) for table in finished) and same(finished, [1])


def test_r10_1_the_own_tiles_set_aside_are_seen_by_oneself() -> None:
    table = returning("return:R4", "return:R20")
    assert table.seen(0).tiles("aside") == {"R4", "R20"} and table.seen(0).tiles("screen") == {"B12"}
    assert table.seen(1).tiles("aside") == set()
    table.play("return:done")
    assert table.seen(0).tiles("aside") == {"R4", "R20"} and table.seen(1).tiles("aside") == set()


def test_r10_1_new_hands_are_visible() -> None:
    table = mid_game().start().play("new-hand")
    assert table.seen(0).player(1, "new_hands") == 1


# --- R10.2 -----------------------------------------------------------------------------------------------------------------


def test_r10_2_the_own_hand_tiles_and_commitment() -> None:
    table = mid_game().start()
    seen = table.seen(1)
    assert seen.cards("hand") == {"B1", "B2", "C", "D"} and seen.tiles("screen") == {"Y10", "Y11", "Y12"}
    table.play("B1+Y11")
    seen = table.seen(1)
    assert seen.cards("hand") == {"B2", "C", "D"} and seen.cards("committed") == {"B1"}
    assert seen.tiles("screen") == {"Y10", "Y12"} and seen.tiles("committed") == {"Y11"}


def test_r10_2_the_places_of_the_hand_show_what_the_cards_name() -> None:
    builder = Builder(2).building((0, 0), "R7", floors=3, owner=0).building((1, 0), "B8", floors=2, owner=1)
    builder.token("A", (0, -1)).hand(0, "A", "Y2", "B8", "R7").deck("L")
    cells = builder.start().seen(0).facts["hand cells"]
    assert cells == {"R7": (1, 1), "B8": (2, 1), "Y2": (3, 3), "A": (1, 0)}


def test_r10_2_the_own_characters_kept_so_far() -> None:
    table = table_from_seed(7, players=3)
    name = table.player(0)["packet"][0]
    packet = table.player(1)["packet"]
    table.play(f"draft:{name}")
    assert table.seen(0).side(0)["characters"] == [name]
    assert table.seen(1).facts["packet"] == packet and len(packet) == 4


# --- R10.3 -----------------------------------------------------------------------------------------------------------------


def after_a_round() -> Table:
    """Seats 0, 1, 2 have passed on R3 A B; B2 C D; Y2 E F; seat 2 is first and decides."""
    return mid_game().start().play("B1", "Y1", "R1")


def test_r10_3_the_passed_cards_are_known_to_both() -> None:
    table = after_a_round()
    passed = {0: {"R3", "A", "B"}, 1: {"B2", "C", "D"}, 2: {"Y2", "E", "F"}}
    for seat in range(3):
        seen = table.seen(seat)
        assert seen.cards("left_has") == passed[seat] and seen.cards("right_knows") == passed[(seat - 1) % 3]
        assert table.player(seat)["passed"] == in_order(passed[seat])


def test_r10_3_until_he_plays_them_that_is_reveals_them() -> None:
    table = after_a_round().play("C")
    assert table.decision == ("commit", 0)
    assert table.seen(1).cards("left_has") == {"B2", "C", "D"}  # committed, not revealed
    table.play("Y2", "R3")  # now seat 2 resolves C
    assert table.decision == ("take", 2)
    assert table.seen(1).cards("left_has") == {"B2", "D"} and table.seen(2).cards("right_knows") == {"B2", "D"}
    assert table.seen(2).cards("left_has") == {"Y2", "E", "F"}  # seat 0 has committed Y2 and not revealed it
    assert table.seen(0).cards("right_knows") == {"Y2", "E", "F"}


def test_r10_3_a_new_hand_ends_it() -> None:
    table = after_a_round().play("new-hand")
    assert table.seen(1).cards("left_has") == set() and table.seen(2).cards("right_knows") == set()
    assert table.seen(0).cards("left_has") == {"R3", "A", "B"} and table.player(1)["passed"] == []


def test_r10_3_with_two_players_the_neighbors_are_the_same() -> None:
    builder = Builder(2).hand(0, "Y1", "A", "B", "C").hand(1, "Y2", "D", "E", "F").next_cards("G", "H")
    table = builder.start().play("Y1", "Y2")
    seen = table.seen(0)
    assert seen.cards("left_has") == {"A", "B", "C"} and seen.cards("right_knows") == {"D", "E", "F"}
    assert table.player(1)["hand"] == ["A", "B", "C", "G"] and table.player(0)["hand"] == ["D", "E", "F", "H"]


def test_r10_3_only_the_last_pass_is_given() -> None:
    """After the next round seat 0 knows what it passed then, not what went on from seat 1 to seat 2."""
    table = after_a_round().play("C", "Y2", "R3", "take:resource")
    assert table.decision == ("commit", 0)
    assert {"E", "F"} <= table.seen(0).cards("left_has") and not {"A", "B"} & table.seen(0).cards("left_has")


def fallen_back() -> Table:
    """R5.7: seat 0, without resources, has shown R10; seat 1 decides in the next round."""
    builder = Builder(3).hand(0, "Y1", "A", "B").hand(1, "Y2", "C", "D").hand(2, "Y3", "E", "F").tiles(0, "R10", "B10")
    table = builder.player(0, resources=0).start().play("Y1+R10", "Y2", "Y3")
    assert table.decision == ("commit", 1)
    return table


def test_r10_3_a_tile_that_went_back_is_known() -> None:
    table = fallen_back()
    for viewer in range(3):
        assert table.seen(viewer).known(0) == {"R10"} and table.seen(viewer).known(1) == set()
    assert table.player(0)["known_tiles"] == ["R10"]


def test_r10_3_also_while_it_may_be_committed_again() -> None:
    """Committed or not looks the same to the others."""
    builder = Builder(2).hand(0, "B", "C").hand(1, "Y2", "D").tiles(0, "R10", "B10").known(0, "R10")
    tables = [builder.start().play(text) for text in ("B", "C", "B+R10", "C+R10", "B+B10")]
    assert same(tables, [1]) and all(table.seen(1).known(0) == {"R10"} for table in tables)


def test_r10_3_until_it_is_built() -> None:
    builder = Builder(2).hand(0, "B", "C").hand(1, "Y2", "D").tiles(0, "R10", "B10").known(0, "R10")
    table = builder.start().play("B+R10")
    assert table.seen(1).known(0) == {"R10"}  # committed, face down
    table.play("Y2")
    assert table.seen(1).known(0) == set() and table.player(0)["known_tiles"] == []


def test_r10_3_until_it_is_returned() -> None:
    builder = Builder(2).hand(0, "B1", "A").supply("R20").tiles(0, "R10", "B10").known(0, "R10", "B10").tiles(1, "Y18")
    table = builder.start().play("B1", "return:R10", "return:done")
    assert table.decision == ("return", 1) and table.seen(1).known(0) == {"R10", "B10"}  # not shown yet
    table.play("return:done")
    assert table.seen(1).known(0) == {"B10"} and table.player(0)["known_tiles"] == ["B10"]


def test_r10_3_returned_tiles_are_shown_to_all() -> None:
    table = returning("return:R4", "return:done")
    assert table.seen(0).tiles("returned") == table.seen(1).tiles("returned") == set()
    table.play("return:Y18", "return:done")
    for viewer in (0, 1):
        assert table.seen(viewer).tiles("returned") == {"R4", "Y18"}
        assert table.seen(viewer).facts["supply_tiles"] == 2


# --- R10.4 -----------------------------------------------------------------------------------------------------------------


Change = Callable[[dict[str, Any]], None]


def swap_order(key: str) -> Change:
    def change(position: dict[str, Any]) -> None:
        position[key] = position[key][::-1]

    return change


def exchange(position: dict[str, Any], a: list[str], b: list[str], i: int = 0, j: int = 0) -> None:
    """Exchange two pieces between sorted or drawing lists, in place."""
    a[i], b[j] = b[j], a[i]


def hand_with_deck(position: dict[str, Any]) -> None:
    exchange(position, position["players"][2]["hand"], position["deck"], 3, 0)
    position["players"][2]["hand"] = in_order(position["players"][2]["hand"])


def tiles_with_supply(position: dict[str, Any]) -> None:
    exchange(position, position["players"][2]["tiles"], position["supply"])


def supply_with_removed(position: dict[str, Any]) -> None:
    exchange(position, position["removed"], position["supply"])
    position["removed"] = in_order(position["removed"])


def hands_of_others(position: dict[str, Any]) -> None:
    """Between seats 0 and 2, seen by seat 1."""
    first, third = position["players"][0], position["players"][2]
    exchange(position, first["hand"], third["hand"], 0, 3)
    first["hand"], third["hand"] = in_order(first["hand"]), in_order(third["hand"])


def tiles_of_others(position: dict[str, Any]) -> None:
    exchange(position, position["players"][0]["tiles"], position["players"][2]["tiles"], 1, 0)


def chance(position: dict[str, Any]) -> None:
    position["random"], position["seed"] = "0x0000000000000001", "0x0000000000000002"


@pytest.mark.parametrize(
    ("change", "viewers"),
    [
        (swap_order("deck"), [0, 1, 2]),
        (swap_order("supply"), [0, 1, 2]),
        (supply_with_removed, [0, 1, 2]),
        (hand_with_deck, [0, 1]),
        (tiles_with_supply, [0, 1]),
        (hands_of_others, [1]),
        (tiles_of_others, [1]),
        (chance, [0, 1, 2]),
    ],
)
def test_r10_4_hidden_things_change_no_observation(change: Change, viewers: list[int]) -> None:
    position = mid_game().position()
    other = mid_game().position()
    change(other)
    assert other != position
    assert same([mid_game().start().set_position(data) for data in (position, other)], viewers)


def test_r10_4_others_commitments_until_revealed() -> None:
    tables = [mid_game().start().play(text) for text in ("B1", "B2+Y10", "C+Y12", "D")]
    assert same(tables, [0, 2])
    assert tables[0].seen(0).cards("committed") == set() and tables[0].seen(0).tiles("committed") == set()


def test_r10_4_packets_of_the_draft() -> None:
    """What seat 1 sees does not depend on seat 0's pick."""
    tables = []
    for k in range(3):
        table = table_from_seed(7, players=3)
        names = sorted(set(table.player(0)["packet"]))
        tables.append(table.play(f"draft:{names[k]}"))
    assert same(tables, [1, 2]) and not same(tables, [0])


def test_r10_4_williams_card() -> None:
    tables = []
    for card, other in (("L", "K"), ("K", "L"), ("B3", "R1")):
        builder = solo().hand(0, "Y1", "R2", "A").william(card).tiles(0, "Y4").discard("C", "D")
        tables.append(builder.start())
        assert other in tables[-1].position["deck"]
    assert same(tables, [0])
    assert tables[0].seen(0).player(1, "has_card_out") == 1 and tables[0].seen(0).player(1, "cards") == 0
    assert tables[0].seen(0).cards("resolving") == set()


def test_r10_4_williams_card_is_seen_when_revealed() -> None:
    table = solo().hand(0, "Y1", "R2", "A").william("L").start().play("Y1")
    assert table.decision == ("token", 0) and table.seen(0).cards("resolving") == {"L"}
    assert table.seen(0).facts["tokens"]["L"] is None  # in hand


def test_r10_4_williams_card_stays_unseen_if_he_does_not_act() -> None:
    tables = []
    for card in ("L", "K"):
        table = solo().hand(0, "B1", "R2").william(card).discard("C").supply("R20").start().play("B1")
        assert table.decision == ("over", None)
        tables.append(table)
    assert same(tables, [0])


def test_r10_observation_of_a_long_hidden_game_never_shows_hidden_names() -> None:
    """Random games: what a seat sees of others' hands and tiles is what R10.3 allows, at every decision."""
    for players in (2, 3, 5):
        table = table_from_seed(5, players=players, setup="introductory", max_rounds=25)
        for _ in range(400):
            position = table.position
            if table.decision[0] == "over":
                break
            for viewer in range(players):
                seen, me = table.seen(viewer), position["players"][viewer]
                left = position["players"][(viewer + 1) % players]
                held = set(left["hand"]) | ({left["commitment"]["card"]} if left["commitment"] else set())
                assert seen.cards("hand") == set(me["hand"]) and seen.cards("left_has") <= held
                assert seen.tiles("screen") == set(me["tiles"]) and len(seen.cards("left_has")) <= 3
                for seat in range(players):
                    assert seen.known(seat) == set(position["players"][seat]["known_tiles"])
            table.play_at_random()
