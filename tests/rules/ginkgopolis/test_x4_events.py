"""X4.1 to X4.3 and X4.5: event tiles, when they take effect and where."""

from collections import Counter
from itertools import combinations

import pytest

from .extras import EVENTS, EVENTS_OF, GREEN_SPACE, MODULES
from .positions import Builder, Cell, Table, table_from_seed

PLAIN = ("RC", "BC", "YC")
MODULE = ("events",)
PAIRS = {f"events:{one}+{two}" for one, two in combinations(EVENTS, 2)}


def events(players: int = 2, *modules: str) -> Builder:
    return Builder(players, modules=(*MODULE, *modules)).characters(0, *PLAIN)


# --- X4.1 ------------------------------------------------------------------------------------------------------------------


def test_x4_1_in_seat_order_each_keeps_two_of_four_between_r2_8_and_r2_9() -> None:
    table = table_from_seed(3, players=3, setup="introductory", modules=MODULE)
    start = table.position
    assert start["first_player"] is None and all(player["hand"] == [] for player in start["players"])
    assert any(player["resources"] for player in start["players"])  # start items are there
    assert all(player["events"] == EVENTS for player in start["players"])
    for seat, pair in enumerate(["design+control", "press+expropriation", "design+press"]):
        assert table.decision == ("events", seat) and table.legal == PAIRS
        table.play(f"events:{pair}")
        assert table.player(seat)["events"] == pair.split("+")
    position = table.position
    assert table.decision == ("commit", position["first_player"])
    assert all(len(player["hand"]) == 4 and player["events_played"] == [] for player in position["players"])


def test_x4_1_secretly() -> None:
    """Seat 1 sees the same whichever pair seat 0 keeps."""
    tables = [table_from_seed(3, players=2, setup="introductory", modules=MODULE).play(pair) for pair in sorted(PAIRS)]
    views = [table.view(1) for table in tables]
    assert views.count(views[0]) == len(PAIRS)
    assert not any(table.seen(1).side(0)["held"] for table in tables)


def test_x4_1_the_number_of_event_tiles_is_public() -> None:
    table = events(3).hand(0, "A", "B").events(0, "press").events(1, "design", "control").start()
    assert [[table.seen(viewer).player(seat, "events") for seat in range(3)] for viewer in range(3)] == [[1, 2, 0]] * 3


def test_x4_1_with_experts_each_gives_two_event_tiles_and_nobody_is_asked() -> None:
    found: dict[str, list[str]] = {}
    for seed in range(8):
        table = table_from_seed(seed, players=5, modules=("events", "experts"))
        table.play_at_random("draft")
        assert table.decision[0] == "commit"
        found |= {player["expert"]: player["events"] for player in table.position["players"]}
    assert found == EVENTS_OF
    assert Counter(event for pair in found.values() for event in pair) == dict.fromkeys(EVENTS, 5)


def test_x4_1_events_of_experts_are_public() -> None:
    table = events(2, "experts").expert(1, "banker").events(1, "control").hand(0, "A", "B").start()
    assert table.seen(0).side(1)["held"] == ["control"]


# --- X4.2 ------------------------------------------------------------------------------------------------------------------


def test_x4_2_with_a_card_alone_or_with_a_tile_and_never_compulsory() -> None:
    builder = events().hand(0, "A", "R2").tiles(0, "R9").events(0, "press", "control")
    for card in ("A", "R2", "A+R9", "R2+R9"):
        table = builder.start().play(card)
        assert table.decision == ("event", 0) and table.legal == {"event:none", "event:press", "event:control"}
    table.play("event:none")
    assert table.player(0)["events"] == ["press", "control"] and table.player(0)["events_played"] == []


def test_x4_2_at_most_one_in_a_round() -> None:
    builder = events().hand(0, "Y1", "B").hand(1, "Y2", "C").events(0, "press", "control")
    table = builder.start().play("Y1", "event:press")
    assert table.decision == ("commit", 1)
    table.play("Y2", "timing:after")
    assert table.position["round"] == 6 and table.player(0)["events"] == ["control"]


def test_x4_2_who_has_none_is_not_asked() -> None:
    assert events().hand(0, "Y1", "B").hand(1, "Y2", "C").start().play("Y1").decision == ("commit", 1)


def waiting(tile: str | None, event: str) -> Table:
    """Seat 0's action is under way; seat 1 has committed R3 with this."""
    builder = events(3).hand(0, "A", "B").hand(1, "R3", "C").tiles(1, "R9", "Y9").events(1, "press", "control")
    text = "R3" if tile is None else f"R3+{tile}"
    table = builder.start().play("A", text, f"event:{event}")
    assert table.decision == ("take", 0)
    return table


@pytest.mark.parametrize(("tile", "event", "shown"), [(None, "press", (0, 1)), ("R9", "none", (1, 0)), ("R9", "control", (1, 1))])
def test_x4_2_while_actions_are_resolved_it_is_seen_what_lies_on_a_card(
    tile: str | None, event: str, shown: tuple[int, int]
) -> None:
    for viewer in range(3):
        seen = waiting(tile, event).seen(viewer)
        assert (seen.player(1, "has_tile_out"), seen.player(1, "has_event_out")) == shown
        assert seen.player(1, "events") == 2 - shown[1]


def test_x4_2_but_not_which() -> None:
    views = [waiting(tile, event).view(2) for tile in ("R9", "Y9") for event in ("press", "control")]
    assert views.count(views[0]) == 4


def test_x4_2_then_card_upper_tile_and_event_are_shown() -> None:
    table = waiting("R9", "control").play("take:resource")
    assert table.decision == ("timing", 1)
    views = [table.seen(viewer).facts["pending"] for viewer in range(3)]
    other = waiting("R9", "press").play("take:resource")
    assert views[0] == views[1] == views[2] != other.seen(0).facts["pending"]
    assert table.position["pending"]["event"] == "control" and table.position["pending"]["action"] is None
    assert "R3" in table.seen(0).cards("resolving") and table.seen(0).tiles("resolving") == {"R9"}


@pytest.mark.parametrize("card", ["A", "A+R9", "R2", "R2+R9"])
@pytest.mark.parametrize("event", ["design", "press", "control"])
def test_x4_2_before_and_after_are_always_offered(card: str, event: str) -> None:
    """Here nobody has a resource in any zone."""
    table = events().hand(0, "A", "R2").tiles(0, "R9").events(0, event).start().play(card, f"event:{event}")
    assert table.decision == ("timing", 0) and table.legal == {"timing:before", "timing:after"}


@pytest.mark.parametrize("timing", ["before", "after"])
def test_x4_2_the_event_leaves_the_game(timing: str) -> None:
    table = events().hand(0, "Y1", "B").events(0, "press", "design").start().play("Y1", "event:press", f"timing:{timing}")
    assert (table.player(0)["events"], table.player(0)["events_played"]) == (["design"], ["press"])


def test_x4_2_before_comes_before_the_action_and_its_draws_first() -> None:
    builder = events().building((0, 0), "B7", floors=2, owner=0).hand(0, "B7", "A").events(0, "design")
    table = builder.supply("R20", "R19", "Y20", "Y19").start().play("B7", "event:design", "timing:before")
    assert table.decision == ("return", 0) and table.player(0)["tiles"] == ["R19", "R20", "Y19", "Y20"]
    assert table.position["pending"]["action"] == "exploit"  # the action has drawn the last two
    table = builder.supply("R20", "R19").start().play("B7", "event:design", "timing:before")
    assert table.decision == ("return", 0) and table.player(0)["tiles"] == ["R19", "R20"]
    assert table.position["pending"] | {"phase": "before", "action": None} == table.position["pending"]  # now the event has
    assert table.player(0)["commitment"]["card"] == "B7"


def test_x4_2_after_comes_when_the_card_has_been_put_away() -> None:
    """The event draws the last tile: the card is in the discard pile by then."""
    builder = events().building((0, 0), "B7", floors=2, owner=0).hand(0, "B7", "A").events(0, "design")
    table = builder.supply("R20", "R19", "Y20", "Y19").start().play("B7", "event:design", "timing:after")
    assert table.decision == ("return", 0) and table.position["pending"]["phase"] == "after"
    assert table.player(0)["commitment"] is None and "B7" in table.position["discard"]
    builder.supply("R20", "R19")  # the action itself draws the last one: the card still lies there
    table = builder.start().play("B7", "event:design", "timing:after")
    assert table.decision == ("return", 0) and table.position["pending"]["phase"] == "action"
    assert table.player(0)["commitment"]["card"] == "B7" and "B7" not in table.position["discard"]


# --- X4.3 ------------------------------------------------------------------------------------------------------------------

CROSS: dict[Cell, tuple[str, int, int | None]] = {
    (1, 1): ("Y7", 2, 1),
    (1, 0): ("R8", 3, 0),
    (2, 1): ("R9", 1, 0),
    (1, 2): ("R10", 4, 1),
    (0, 0): ("R11", 2, 0),  # at a corner
    (2, 2): ("R12", 5, 0),
}


def cross(*cards: str, tiles: tuple[str, ...] = ()) -> Builder:
    """Seat 0 has 3 + 1 resources beside Y7, which is seat 1's, and 2 and 5 at corners."""
    builder = events(2, "green_spaces")
    for cell, (tile, floors, owner) in CROSS.items():
        builder.building(cell, tile, floors=floors, owner=owner)
    builder.characters(0, "RC", "RC", "RC").player(0, resources=9).player(1, resources=2)
    return builder.hand(0, *cards, "L").tiles(0, *tiles).events(0, "press")


def campaign(builder: Builder, text: str, timing: str) -> int:
    """SP of a press campaign (whatever the action brings itself is subtracted)."""
    without = builder.start().play(text, "event:none")
    table = builder.start().play(text, "event:press", f"timing:{timing}")
    while table.decision[0] in ("token", "take") and table.decision == without.decision:
        choice = min(table.legal)
        table.play(choice)
        without.play(choice)
    points: int = table.player(0)["points"] - without.player(0)["points"]
    return points


@pytest.mark.parametrize("timing", ["before", "after"])
def test_x4_3_of_a_building_card_the_building_and_those_orthogonally_beside_it(timing: str) -> None:
    assert campaign(cross("Y7"), "Y7", timing) == 3 + 1
    assert campaign(cross("Y7").building((1, 1), "Y7", floors=2, owner=0), "Y7", timing) == 3 + 1 + 2


@pytest.mark.parametrize("timing", ["before", "after"])
@pytest.mark.parametrize(("card", "points"), [("A", 2), ("B", 3), ("C", 0), ("E", 1), ("F", 5), ("H", 0)])
def test_x4_3_of_an_urbanization_card_the_buildings_beside_the_token(card: str, points: int, timing: str) -> None:
    assert campaign(cross(card), card, timing) == points


def test_x4_3_two_buildings_beside_a_token() -> None:
    builder = cross("A").building((-1, -1), "R13", floors=4, owner=0).building((-1, 0), "R14").token("L", (-2, 0))
    assert campaign(builder, "A", "before") == 2 + 4


def test_x4_3_the_cell_of_a_building_card_belongs_to_it_whatever_has_come_to_lie_there() -> None:
    """After Y20 has been laid on Y7, seat 0 has three resources there."""
    builder = cross("Y7", tiles=("Y20",))
    assert campaign(builder, "Y7+Y20", "after") == 3 + 1 + 3
    assert campaign(builder, "Y7+Y20", "before") == 3 + 1


def test_x4_3_a_tile_placed_on_the_tokens_cell_is_not_in_the_zone() -> None:
    builder = cross("A", tiles=("Y20",))
    assert campaign(builder, "A+Y20", "after") == 2
    assert campaign(builder, "A+Y20", "before") == 2


def test_x4_3_the_cells_are_fixed_when_the_card_is_revealed() -> None:
    """The token moves north of the new building, where only that, with one resource, lies beside it."""
    builder = cross("B", tiles=("Y20",))
    assert campaign(builder, "B+Y20", "after") == 3
    table = builder.start().play("B+Y20", "event:press", "timing:after")
    assert table.tokens["B"] == (1, -2) and table.building((1, -1))["owner"] == 0


def test_x4_3_the_token_counts_where_it_lies_when_its_card_is_revealed() -> None:
    """Seat 0's token, without a free cell, pushes that of seat 1's card from (5, 0), beside R19, to (5, 1), beside R20."""
    rows = {-1: (0, 2), 0: (0, 2, 3, 4), 1: (0, 1, 2, 4), 2: (0, 1, 2, 3)}
    builder = events().empty_city()
    for i, cell in enumerate((x, y) for y, row in rows.items() for x in row):
        builder.building(cell, f"{'RBY'[i % 3]}{5 + i}")
    builder.building((4, 0), "R19", floors=3, owner=1).building((4, 1), "R20", floors=2, owner=1)
    edge = [(4, -1), (5, 0), (5, 1), (4, 2), (3, 3), (2, 3), (1, 3), (0, 3), (-1, 2), (-1, 1), (-1, 0), (-1, -1), (0, -2)]
    tokens = {"D": (1, 0), "A": (1, -1), "C": edge[0], "F": edge[1]}
    for letter, cell in (tokens | dict(zip("BEGHIJKL", edge[3:], strict=False))).items():
        builder.token(letter, cell)
    builder.hand(0, "D", "L").tiles(0, "Y20").hand(1, "F", "K").events(1, "press")
    table = builder.start().play("D+Y20", "F", "event:press", "token:after")
    assert table.tokens["F"] == (5, 1) and table.position["pending"]["zone"] == {"cell": [5, 1], "center": False}
    assert table.play("timing:before").player(1)["points"] == 2


@pytest.mark.parametrize("timing", ["before", "after"])
def test_x4_3_the_card_decides_not_the_action_also_after_a_fallback(timing: str) -> None:
    """Nothing can be paid: both are exploited, with the zones of their cards."""
    assert campaign(cross("Y7", tiles=("Y20",)).player(0, resources=0), "Y7+Y20", timing) == 3 + 1
    assert campaign(cross("B", tiles=("Y20",)).player(0, resources=0), "B+Y20", timing) == 3


def test_x4_3_owners_are_those_of_the_moment() -> None:
    """Seat 1, first, builds on seat 0's R8: its three resources are gone when seat 0's event takes effect."""
    builder = cross("Y7").other(first_player=1, actor=1).hand(1, "R8", "K").tiles(1, "R20").player(1, resources=9)
    table = builder.start().play("R8+R20", "Y7", "event:press", "timing:before")
    # 3 for the resources that came back; campaign: R9 only; Y7 exploited: 2
    assert table.player(0)["points"] == 3 + 1 + 2


def test_x4_3_green_spaces_are_no_buildings_and_a_zone_can_be_empty() -> None:
    builder = cross("A").green_space((0, -1), 0).green_space((-1, 0), 0).token("L", (-1, 1)).token("K", (-2, 0))
    builder.token("A", (-1, -1)).token("J", (-1, 2))
    table = builder.start().play("A", "event:press", "timing:before", "take:resource")
    assert table.player(0)["points"] == 0 and table.player(0)["events"] == []
    builder = cross("R11").green_space((0, -1), 0).token("A", (-1, -1))
    assert campaign(builder, "R11", "before") == 2 + 3  # R11 itself and R8


# --- X4.5 ------------------------------------------------------------------------------------------------------------------


def test_x4_5_unused_event_tiles_are_worth_nothing() -> None:
    table = events(2, "experts").expert(0, "engineer").events(0, "expropriation", "control").hand(0, "A", "B").start()
    assert table.outcome.scores[0] == 4  # New Hand tokens; the engineer counts tiles, and events are none (X6)


def test_x4_5_they_cannot_be_returned() -> None:
    builder = events().building((0, 0), "B7", owner=1).hand(0, "B7", "A").events(0, "press").events(1, "press", "design")
    table = builder.supply("R20").start().play("B7", "event:none")
    assert table.decision == ("return", 0) and table.legal == {"return:R20", "return:done"}
    assert table.play("return:R20").decision[0] == "commit"  # seat 1 has no tiles: not asked


def test_x4_modules_with_events_give_everybody_two() -> None:
    for modules in (MODULES, MODULE, ("green_spaces", "events", "keep_card")):
        table = table_from_seed(1, players=4, modules=modules)
        table.play_at_random("draft", "events")
        assert [len(player["events"]) for player in table.position["players"]] == [2] * 4
        assert GREEN_SPACE not in table.position["removed"]
