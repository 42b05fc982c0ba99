"""X7.1, X7.5 and X7.6: the order of an action, of random outcomes and of decisions, with everything on."""

import pytest

from ..oracle_play import Generator
from .extras import GREEN_SPACE, MODULES, NEW_BUILDINGS
from .positions import CHARACTER_NAMES, LETTERS, TILES, Builder, Table, game, table_from_seed

PLAIN = ("RE", "BE", "YE")  # characters without a construct or urbanize bonus
EXPERTS = [
    *("artist", "banker", "lawyer", "controller", "entrepreneur", "professor", "journalist", "engineer", "mayor", "architect")
]


def purse(table: Table, seat: int = 0) -> tuple[int, int]:
    return table.player(seat)["resources"], table.player(seat)["points"]


# --- X7.1 ------------------------------------------------------------------------------------------------------------------


def test_x7_1_timing_is_asked_before_anything_happens() -> None:
    """Card, tile and event are shown; the tile still lies on the card, and R5.7 has not been tested."""
    builder = Builder(2, modules=["events"]).building((0, 0), "Y7", floors=2, owner=1).hand(0, "Y7", "A").tiles(0, "Y9")
    table = builder.events(0, "press").player(0, resources=9).start().play("Y7+Y9", "event:press")
    pending = table.position["pending"]
    assert table.decision == ("timing", 0) and (pending["phase"], pending["action"], pending["event"]) == (
        "timing",
        None,
        "press",
    )
    assert table.player(0)["commitment"] == {"card": "Y7", "tile": "Y9", "lower": None, "event": None}
    assert purse(table) == (9, 0) and purse(table, 1) == (5, 0)


def test_x7_1_while_the_token_is_in_hand_the_action_is_under_way_with_its_event() -> None:
    builder = Builder(2, modules=["events"]).building((0, 0), "R7", floors=2, owner=0).hand(0, "A", "B").tiles(0, "R4")
    table = builder.events(0, "press").start().play("A+R4", "event:press", "timing:after")
    assert table.decision == ("token", 0) and table.position["pending"] == {
        "player": 0,
        "action": "urbanize",
        "draws": 0,
        "phase": "action",
        "timing": "after",
        "event": "press",
        "zone": {"cell": [0, -1], "center": False},
        "split": None,
        "green_drawn": False,
        "received": 0,
    }
    table.play("token:N")
    assert table.player(0)["commitment"] is None and table.position["pending"] is None


@pytest.mark.parametrize(("timing", "paid"), [("before", True), ("after", False)])
def test_x7_1_a_before_event_comes_before_the_test_of_r5_7(timing: str, paid: bool) -> None:
    """A campaign for three resources pays the three SP for the lower number."""
    builder = Builder(2, modules=["events"]).building((0, 0), "Y7", floors=2, owner=1).building((1, 0), "R8", floors=3, owner=0)
    builder.hand(0, "Y7", "A").tiles(0, "Y4").events(0, "press").player(0, resources=3).characters(0, *PLAIN)
    table = builder.start().play("Y7+Y4", "event:press", f"timing:{timing}")
    assert (table.building((0, 0))["tile"] == "Y4") == paid
    # exploited after a failure: two floors and YE, then the campaign
    assert table.player(0)["points"] == (0 if paid else 2 + 1 + 3)


def test_x7_1_after_a_failure_the_tiles_go_back_first() -> None:
    """The exploit draws the last tile: both of the architect's tiles can be returned."""
    builder = Builder(2, modules=["experts"]).expert(0, "architect").building((0, 0), "B7", floors=2, owner=1)
    builder.hand(0, "B7", "A").tiles(0, "B9", "R4").player(0, resources=0).supply("Y20", "Y19")
    table = builder.start().play("B7+B9", "lower:R4")
    assert table.decision == ("return", 0)
    assert table.legal == {f"return:{name}" for name in ("R4", "B9", "Y19", "Y20", "done")}


def test_x7_1_construct_lawyer_points_color_purchase_resources() -> None:
    """Seat 0, a banker, puts R5 on seat 1's Y7: the lawyer gets 4; 2 SP, a resource, then two are bought; end by R8.1."""
    builder = Builder(2, modules=["experts"]).expert(0, "banker").expert(1, "lawyer").characters(0, *PLAIN)
    builder.building((0, 0), "Y7", floors=2, owner=1).hand(0, "Y7", "A").tiles(0, "R5")
    builder.building((2, 2), "R15", floors=21, owner=0).player(0, resources=2, points=4)
    table = builder.start()
    assert table.player(0)["supply"] == 2
    table.play("Y7+R5")
    assert purse(table) == (0, 0) and purse(table, 1) == (7, 4)
    assert table.player(0)["supply"] == 2 + 1 - 2 and table.position["ending"] is None


def test_x7_1_a_purchase_of_the_last_resources_triggers_the_end() -> None:
    builder = Builder(2, modules=["experts"]).expert(0, "banker").building((0, 0), "Y7", floors=2, owner=1)
    builder.hand(0, "Y7", "A").tiles(0, "R9").characters(0, *PLAIN)
    builder.building((2, 2), "R15", floors=22, owner=0).player(0, resources=1, points=3)
    table = builder.start().play("Y7+R9")
    assert purse(table) == (0, 0) and table.player(0)["supply"] == 0 and table.position["ending"] == "resources"


def test_x7_1_urbanize_token_then_neighbors_parks_and_controller_then_bonuses_then_split() -> None:
    builder = Builder(2, modules=["prestige", "green_spaces", "experts"]).expert(0, "controller").characters(0, "BU", "YU", "RC")
    builder.building((0, 0), "B8", floors=2, owner=1).green_space((-1, -1), 1).building((-1, 0), "R9").token("L", (-2, 0)).token(
        "B", (-2, -1)
    )
    table = builder.hand(0, "A", "L").tiles(0, "B9").start().play("A+B9")
    assert table.decision == ("token", 0) and purse(table) == (4, 0)
    assert table.building((0, -1))["tile"] == "B9" and table.tokens["A"] is None
    table.play("token:N")
    assert table.decision == ("split", 0) and table.position["pending"]["draws"] == 2 + 1
    assert purse(table) == (4, 2 + 2 + 1)  # park, controller, YU
    assert table.player(0)["commitment"] is not None  # put away after the draws
    table.play("split:red")
    assert table.player(0)["commitment"] is None and table.player(0)["tiles"] == ["R24"]


def test_x7_1_the_card_is_put_away_after_the_draws_and_before_an_after_event() -> None:
    """Two draws exhaust the supply in turn: in the first the card still lies there, in the second it is in the tableau."""
    builder = Builder(2, modules=["events"]).building((0, 0), "B7", floors=2, owner=0).hand(0, "B7", "A").events(0, "design")
    builder.tiles(0, "B9").player(0, resources=9).characters(0, "BC", "RC", "YC")
    table = builder.supply("R20").start().play("B7+B9", "event:design", "timing:after")
    assert table.decision == ("return", 0) and table.player(0)["commitment"]["card"] == "B7"
    assert table.player(0)["tableau"][:1] != ["B7"]
    table = builder.supply("R20", "R19").start().play("B7+B9", "event:design", "timing:after")
    assert table.decision == ("return", 0) and table.player(0)["commitment"] is None
    assert "B7" in table.player(0)["tableau"] and table.position["pending"]["draws"] == 3 - 1


def test_x7_1_expropriation_before_can_trigger_the_end_and_the_action_goes_on() -> None:
    """Its last resource lies on R8; then the action takes place: the building is exploited, but the supply is empty."""
    builder = Builder(2, modules=["events"]).building((0, 0), "Y8", floors=2, owner=1).hand(0, "Y8", "A")
    builder.events(0, "expropriation").building((2, 2), "R15", floors=23, owner=0).player(0, resources=2)
    builder.hand(1, "Y1", "B")
    table = builder.start().play("Y8", "event:expropriation", "Y1", "timing:before")
    assert table.position["ending"] == "resources" and table.decision == ("over", None)
    assert table.player(0)["points"] == 2 + 2 and table.player(1)["points"] == 1


def test_x7_1_the_last_event_takes_effect_before_the_game_is_cut_off() -> None:
    """R8.4: after the last action of the round, its event included."""
    builder = Builder(2, modules=["events"], max_rounds=5).building((0, 0), "R8", floors=2, owner=0).hand(0, "R8", "A")
    table = builder.events(0, "press").start().play("R8", "event:press", "timing:after")
    assert table.truncated and table.position["ending"] == "max_rounds" and table.player(0)["points"] == 2


# --- X7.5 ------------------------------------------------------------------------------------------------------------------


def test_x7_5_random_outcomes_of_the_setup_in_their_order() -> None:
    table = table_from_seed(4, players=3, modules=MODULES)
    position = table.position
    generator = Generator(position["seed"])
    start = generator.shuffled([f"{color}{number}" for color in "RBY" for number in (1, 2, 3)])
    tiles = generator.shuffled([tile for tile in TILES if tile not in start])
    deck = generator.shuffled([*(f"{color}{number}" for color in "RBY" for number in (1, 2, 3)), *LETTERS])
    stack = generator.shuffled(NEW_BUILDINGS)
    characters = generator.shuffled([n for n in CHARACTER_NAMES for _ in range({"R": 4, "B": 3, "Y": 2}[n[0]])])
    experts = generator.shuffled(EXPERTS)
    assert [building["tile"] for building in position["city"]] == start
    assert (position["supply"], position["deck"]) == (tiles[: 51 - 6 - 9], deck[7:])
    assert sorted(position["removed"]) == sorted(tiles[51 - 6 - 9 :]) and position["new_buildings"] == stack
    for seat, player in enumerate(position["players"]):
        assert sorted(player["packet"]) == sorted(characters[4 * seat :][:4])
        assert sorted(player["packet_experts"]) == sorted(experts[2 * seat :][:2])
    while table.decision[0] == "draft":  # everybody takes an expert first, so none is given at random
        table.play(min(table.legal, key=lambda text: (text[6:] not in EXPERTS, text)))
    assert table.position["first_player"] == generator.below(3)
    assert int(table.position["random"], 16) == generator.state


# --- X7.6 ------------------------------------------------------------------------------------------------------------------


def test_x7_6_the_decisions_of_one_turn_in_their_order() -> None:
    """An architect with every module urbanizes next to a blue building, with a design competition after it."""
    builder = Builder(2, modules=MODULES).expert(0, "architect").events(0, "press").characters(0, "BU", "RC", "YC")
    builder.building((0, 0), "B8", floors=2, owner=0).hand(0, "A", "B", "C", "D").hand(1, "R1", "E", "F")
    builder.tiles(0, "Y9", GREEN_SPACE, "R24").tiles(1, "R9")
    builder.expert(1, "mayor").events(1, "control").player(1, resources=0)
    table = builder.start()
    asked = []
    for text in (
        *("A+Y9", "lower:GS", "event:press", "keep:C", "R1", "event:control", "keep:E"),
        *("timing:after", "token:N", "split:done", "timing:before"),
    ):
        asked.append(table.decision)
        table.play(text)
    assert asked == [
        *(("commit", 0), ("lower", 0), ("event", 0), ("keep", 0), ("commit", 1), ("event", 1), ("keep", 1)),
        *(("timing", 0), ("token", 0), ("split", 0), ("timing", 1)),
    ]
    assert table.position["round"] == 6


def test_x7_6_the_kinds_of_decisions() -> None:
    kinds = game(players=2, modules=MODULES).decisions
    assert set(kinds) == {
        *("draft", "events", "commit", "lower", "event", "keep", "timing", "split", "pay", "take", "token", "return", "over")
    }
